"""The replay over HTTP: who may read it, what a bad question gets, and what goes home."""

from __future__ import annotations

import csv
import io
import re

import httpx
import pytest

from passline.live.dice_proofs import derive_faces, hash_secret
from passline.live.log_entries import read_entry
from passline.live.replay.timeline import RecordSource
from passline.record.deal import deal_text
from passline.web.app import ReplayApp
from passline.web.page_templates import NAVIGATION
from tests.replay.games import ODD
from tests.web.conftest import BASE, KEY, House

pytestmark = pytest.mark.anyio


async def played(house: House) -> tuple[str, str]:
    """A table with two throws in it, and the player's token."""
    opened = await house.open(dice="typed", posts={"stick": "person"})
    table, stick = str(opened["table"]), opened["tokens"]["stick"]
    token = await house.sit(table)
    for number, say in enumerate(("pass for 10", "roll 4 4", "field for 5", "roll 5 4")):
        who = stick if say.startswith("roll") else token
        assert (await house.say(table, who, str(number), say)).status_code == 200
    return table, token


async def test_a_running_table_is_walked(house: House) -> None:
    table, token = await played(house)
    at = f"/api/tables/{table}/replay"
    view = (await house.ask("GET", f"/api/tables/{table}")).json()
    last = (await house.ask("GET", at)).json()
    assert (last["at"], last["upto"], last["running"]) == (view["seq"], view["seq"], True)
    assert last["players"][0]["rail"] == view["players"][0]["rail"]
    assert (last["puck"], last["shooter"]) == (view["puck"], view["shooter"])
    first = (await house.ask("GET", f"{at}?at=0")).json()
    assert (first["players"], first["walk"]["throws"], first["walk"]["previous"]) == ([], 2, None)
    thrown = (await house.ask("GET", f"{at}?at={first['walk']['next']}")).json()
    assert thrown["said"].startswith("roll ")
    assert thrown["throw"]["dice"] == thrown["last"]
    assert thrown["throw"]["call"]
    assert thrown["throw"]["work"]
    assert thrown["ledger"]["sum"] == "0.00"
    await house.say(table, token, "more", "any-craps for 1")
    grown = (await house.ask("GET", at)).json()
    assert grown["upto"] == last["upto"] + 1
    assert 'data-slug="any-craps"' in grown["over"]
    hands = (await house.ask("GET", f"{at}/hands")).json()
    assert sum(len(hand["throws"]) for hand in hands["hands"]) == 2
    assert "hand" not in last["throw"]
    stick = (await house.ask("POST", f"/api/tables/{table}/tokens", {"role": "stick"}, KEY)).json()
    await house.say(table, stick["token"], "out", "roll 3 4")  # how likely so long a hand is
    out = (await house.ask("GET", at)).json()
    assert out["throw"]["hand"].startswith("3 rolls: 1 in ")
    felt = (await house.ask("GET", f"{at}/felt")).json()
    assert felt["svg"].startswith("<svg")
    assert set(felt["views"]) == {"whole", "end:left", "end:right", "center"}


async def test_each_throw_has_its_proof(house: House) -> None:
    table = str((await house.open())["table"])
    token = await house.sit(table)
    for number, say in enumerate(("pass for 10", "roll", "pass for 10", "roll")):
        if number == 3:  # As after a restart: the server commits anew before the throw.
            house.app.service.dice.needs_recommit.add(table)
        await house.say(table, token, str(number), say)
    lines = (await house.ask("GET", f"/api/tables/{table}/log")).text.splitlines()
    log = [read_entry(line) for line in lines]
    thrown = [entry for entry in log if entry.fair is not None]
    assert len(thrown) == 2
    for number, entry in enumerate(thrown):
        told = (await house.ask("GET", f"/api/tables/{table}/replay?at={entry.seq}")).json()
        proof = told["proof"]
        assert hash_secret(bytes.fromhex(proof["secret"])) == proof["commit"]
        assert proof["number"] == number
        assert proof["fresh"] == (number == 1)
        faces = derive_faces(bytes.fromhex(proof["secret"]), table, number, proof["nonce"])
        assert list(faces) == told["throw"]["dice"]
    assert (await house.ask("GET", f"/api/tables/{table}/replay?at=1")).json()["proof"] is None


async def test_bad_questions(house: House) -> None:
    table, _ = await played(house)
    at = f"/api/tables/{table}/replay"
    for query in ("at=-1", "at=x", "at=", "at=1.5", "at=" + "9" * 40, "at=٣"):
        answer = await house.ask("GET", f"{at}?{query}")
        assert answer.status_code == 400, query
        assert answer.json()["error"] == "'at' must be a number."
    for query in ("at=999", "at=" + "9" * 15):
        answer = await house.ask("GET", f"{at}?{query}")
        assert answer.status_code == 404
        assert "choose a moment from 0 to" in answer.json()["error"]
    assert (await house.ask("GET", f"{at}/hands?from=-2")).status_code == 400
    assert (await house.ask("GET", f"{at}/hands?from=9000")).json()["hands"] == []
    for path in ("", "?at=0", "/hands", "/felt", "/csv"):
        assert (await house.ask("GET", f"/api/tables/none/replay{path}")).status_code == 404
    assert (await house.ask("GET", "/t/none/replay")).status_code == 404
    assert (await house.ask("POST", at, {})).status_code == 405


async def test_behind_closed_doors(house: House) -> None:
    opened = await house.open(open=False)
    table, tokens = str(opened["table"]), opened["tokens"]
    player = await house.ask("POST", f"/api/tables/{table}/tokens", {"role": "player"}, KEY)
    seat = {"name": "ann", "buy_in": "500", "token": player.json()["token"]}
    token = str((await house.ask("POST", f"/api/tables/{table}/seats", seat)).json()["token"])
    for number, say in enumerate(("pass for 10", "roll")):
        await house.say(table, token, str(number), say)
    at = f"/api/tables/{table}/replay"
    for path in ("", "?at=0", "/hands", "/felt", "/csv"):
        assert (await house.ask("GET", f"{at}{path}")).status_code == 401
    page = await house.ask("GET", f"/t/{table}/replay")
    assert page.status_code == 200
    assert "One" not in page.text  # not even its name
    cookie = {"Cookie": f"passline={token}"}
    told = (await house.ask("GET", at, headers=cookie)).json()
    assert told["throw"] is None or "work" not in told["throw"]
    hands = (await house.ask("GET", f"{at}/hands", token=token)).json()["hands"]
    thrown = f"{at}?at={hands[0]['throws'][0][0]}"
    own = (await house.ask("GET", thrown, token=token)).json()
    assert "work" not in own["throw"]
    crew = await house.ask("GET", thrown, token=tokens["box"])
    assert crew.json()["throw"]["work"]


async def test_what_goes_home(house: House) -> None:
    table, _ = await played(house)
    page = (await house.ask("GET", f"/t/{table}/replay")).text
    for path in ("record", "log", "replay/csv"):
        assert f'href="/api/tables/{table}/{path}"' in page
    told = await house.ask("GET", f"/api/tables/{table}/replay/csv")
    assert told.headers["content-type"].startswith("text/csv")
    assert told.headers["content-disposition"] == f'attachment; filename="{table}.csv"'
    rows = list(csv.DictReader(io.StringIO(told.text, newline="")))
    assert {row["row"] for row in rows} == {"ledger", "settlement"}
    assert f'href="/t/{table}/replay"' in (await house.ask("GET", f"/t/{table}")).text
    assert f'href="/t/{table}/replay"' in (await house.ask("GET", "/")).text


async def test_a_record_without_a_server_of_tables() -> None:
    app = ReplayApp(RecordSource(deal_text(ODD), "odd"), ODD, None, {"127.0.0.1"})
    async with httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url=BASE) as http:
        assert (await http.get("/")).headers["location"] == app.path == "/t/record/replay"
        page = await http.get(app.path)
        assert "odd: replay" in page.text
        assert "/log" not in page.text
        told = (await http.get("/api/tables/record/replay?at=6")).json()
        assert told["refusals"][0]["reason"] == "field takes at most $500"
        assert (await http.get("/api/tables/record/record")).text == ODD
        assert (await http.get("/api/tables/record/log")).status_code == 404
        assert (await http.get("/api/tables/other/replay")).status_code == 404
        assert (await http.get("/t/other/replay")).status_code == 404
        assert (await http.get("/law/dealer-school/place%2Fwins")).status_code == 200
        for path in ("/law", "/odds", "/placard", "/placard/iowa", "/par", "/docs/replay"):
            assert (await http.get(path)).status_code == 200, path
        asked = {"Accept": "text/html"}
        served = [path for path, _ in NAVIGATION if (await http.get(path)).status_code < 400]
        assert "/docs" in served
        assert "/daily" not in served
        for path in (app.path, *served[1:], "/nothing"):
            page = await http.get(path, headers=asked)
            leads = re.findall(r'<li><a href="(/[^"]*)"', page.text.partition("</nav>")[0])
            assert leads == served, path  # no more than it has
            assert "Game</a>" in page.text
            assert "lobby" not in page.text.partition("<main")[0].lower()
        elsewhere = await http.get("/", headers={"Host": "other.example"})
        assert elsewhere.status_code == 400
