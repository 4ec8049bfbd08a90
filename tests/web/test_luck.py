"""Luck, worth and sessions over HTTP."""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta
from fractions import Fraction
from typing import Any

import pytest
from click.testing import CliRunner

from passline.cli.main import cli
from passline.live.player_worth import measure_pace
from passline.web import wager_api
from tests.web.conftest import House

pytestmark = pytest.mark.anyio


async def played(house: House, throws: int = 3, **asked: object) -> tuple[str, str]:
    """A table at which ann has the pass line up and threw so often."""
    table = str((await house.open(**asked))["table"])
    token = await house.sit(table)
    for number in range(throws):
        await house.say(table, token, f"p{number}", "pass for 10")
        said = await house.say(table, token, f"r{number}", "roll")
        assert said.json()["seq"] is not None, said.text
    return table, token


async def worth(house: House, table: str, token: str) -> dict[str, Any]:
    answer = await house.ask("GET", f"/api/tables/{table}/worth", token=token)
    assert answer.status_code == 200, answer.text
    found: dict[str, Any] = answer.json()
    return found


async def test_what_it_is_worth(house: House) -> None:
    table, token = await played(house, 0)
    assert (await worth(house, table, token))["wagers"] == []
    await house.say(table, token, "a1", "pass for 10; field for 5")
    told = await worth(house, table, token)
    line, field = told["wagers"]
    assert (line["wager"], line["edge"], line["next"]) == (
        "pass",
        "7/495",
        {"wins": 8, "loses": 4, "stays": 24},
    )
    assert Fraction(line["expects"]) == Fraction(-14, 99)
    assert field["next"] == {"wins": 16, "loses": 20, "stays": 0}
    hour = told["hour"]
    cost = 100 * (10 * Fraction(7, 495) / Fraction(557, 165) + 5 * Fraction(field["edge"]))
    assert (hour["throws"], hour["measured"]) == (100, False)
    assert hour["cost"] == f"{float(cost):.2f}"
    assert "no throw has been made" in told["standing"]["why_not"]


async def test_how_one_stands(house: House) -> None:
    table, token = await played(house, 4)
    told = await worth(house, table, token)
    standing = told["standing"]
    assert standing["like"] == ["pass for 10"]
    assert (standing["throws"], standing["bankroll"]) == (4, "500.00")
    assert 0 <= standing["below_float"] <= 1
    assert standing["below_float"] + standing["level_float"] <= 1 + 1e-9
    assert standing["words"].endswith("4 throws from $500 with Pass for 10 up.")
    assert await worth(house, table, token) == told  # kept, until something happens


async def test_the_panel_is_for_who_sits_there(house: House) -> None:
    table, _ = await played(house, 1)
    path = f"/api/tables/{table}/worth"
    assert (await house.ask("GET", path)).status_code == 403
    assert (await house.ask("GET", path, token="x" * 40)).status_code == 401
    assert (await house.ask("GET", "/api/tables/nowhere/worth")).status_code == 404
    assert (await house.ask("POST", path, {})).status_code == 405
    closed = await house.open(open=False)
    assert (await house.ask("GET", f"/api/tables/{closed['table']}/worth")).status_code == 401


async def test_the_luck_of_a_table(house: House) -> None:
    table, _ = await played(house, 6)
    page = await house.ask("GET", f"/t/{table}/luck?strategy=field&strategy=small-tall-all")
    assert page.status_code == 200, page.text
    for words in ("Luck and decisions", "ann", "The same throws", "is not a wager"):
        assert words in page.text
    assert (await house.ask("GET", f"/t/{table}/luck?strategy=own.py:f")).status_code == 400
    assert (await house.ask("GET", "/t/nowhere/luck")).status_code == 404
    closed = await house.open(open=False)
    assert (await house.ask("GET", f"/t/{closed['table']}/luck")).status_code == 401
    empty = await house.open()
    assert "Nobody has sat down" in (await house.ask("GET", f"/t/{empty['table']}/luck")).text


async def test_the_luck_of_an_invited_table_is_for_those_who_may_watch_it(house: House) -> None:
    opened = await house.open(open=False)
    table, token = opened["table"], opened["tokens"]["watcher"]
    browser = {"accept": "text/html"}
    assert (await house.ask("GET", f"/t/{table}/luck", token=token)).status_code == 200
    # A browser sends the table's cookie to the table's API alone, and so is sent there.
    sent = await house.ask("GET", f"/t/{table}/luck?strategy=field", headers=browser)
    there = f"/api/tables/{table}/luck?strategy=field"
    assert (sent.status_code, sent.headers["location"]) == (303, there)
    assert (await house.ask("GET", there, headers=browser)).status_code == 401
    cookie = {**browser, "cookie": f"passline={token}"}
    assert "Nobody has sat down" in (await house.ask("GET", there, headers=cookie)).text


async def test_a_log_in_which_too_much_happened_is_not_looked_back_on(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    """However few its entries are: sixteen with forty wagers each took minutes of a core."""
    table = (await house.open())["table"]
    token = await house.sit(table)
    await house.say(table, token, "a", "pass for 10; field for 5; hard 8 for 5")
    assert (await house.ask("GET", f"/t/{table}/luck")).status_code == 200
    monkeypatch.setattr(wager_api, "_MAX_EVENTS_PER_ENTRY", 0)
    await house.say(table, token, "b", "roll")
    long = await house.ask("GET", f"/t/{table}/luck")
    assert (long.status_code, "too long" in long.text) == (422, True)
    worth = await house.ask("GET", f"/api/tables/{table}/worth", token=token)
    assert "too long" in worth.json()["standing"]["why_not"]


async def test_a_session_is_the_commands(house: House) -> None:
    asked = "strategy=pass&bankroll=100&rolls=20&rulebook=iowa"
    told = (await house.ask("GET", f"/api/session?{asked}")).json()
    args = ["session", "pass", "--bankroll", "100", "--rolls", "20", "--rulebook", "iowa"]
    ended = CliRunner().invoke(cli, [*args, "--exact", "--distribution", "--json"])
    own = json.loads(ended.stdout)
    assert {**told, "seconds": 0} == {**own, "seconds": 0}
    page = await house.ask("GET", f"/session?{asked}&stop_win=50&stop_loss=50")
    assert page.status_code == 200
    for words in ("<svg", "Leaves a winner", "exact, in fractions", "After rolls"):
        assert words in page.text


@pytest.mark.parametrize(
    ("query", "words"),
    [
        ("strategy=own.py:play", "There is no such strategy. Choose one of: "),
        ("strategy=small-tall-all", "is not a wager"),
        ("rulebook=nevada", "There is no such rulebook. Choose one of: "),
        ("rolls=0", "Rolls must be a whole number from 1 to 5,000."),
        ("rolls=99999999999", "Rolls must be a whole number from 1 to 5,000."),
        ("rolls=1e3", "Rolls must be a whole number from 1 to 5,000."),
        ("bankroll=ten", "The bankroll: "),
        ("bankroll=0", "bankroll"),
        ("stop_win=-5", "The win to leave at: "),
        ("odds.multiple=500", "is not allowed"),
        ("game=poker", "poker"),
        ("x=" + "1" * 3000, "40 parameters"),
    ],
)
async def test_a_session_that_makes_no_sense(house: House, query: str, words: str) -> None:
    for path in ("/session", "/api/session"):
        answer = await house.ask("GET", f"{path}?{query}")
        assert answer.status_code == 400
        assert words in answer.text


async def test_an_evening_that_anybody_may_ask_for_is_not_written_out_in_fractions(
    house: House,
) -> None:
    """Of 400 rolls they took seconds of a core, and seven megabytes."""
    asked = await house.ask("GET", "/api/session?strategy=pass&bankroll=100&rolls=101")
    assert asked.json()["arithmetic"] == "doubles"
    assert len(asked.content) < 100_000


async def test_a_session_that_takes_too_long_is_told_so(house: House) -> None:
    asked = "/api/session?strategy=three-point-molly&bankroll=100000&rolls=5000&stop_loss=2000"
    answer = await house.ask("GET", asked)
    assert (answer.status_code, "passline session" in answer.text) == (400, True)


def test_the_pace_of_a_table() -> None:
    """The median between throws counts, and pauses do not; few throws say nothing."""
    start = datetime(2026, 11, 16, tzinfo=UTC)
    steady = [start + timedelta(seconds=30 * n) for n in range(12)]
    assert measure_pace(steady) == (120, True)
    assert measure_pace([*steady, steady[-1] + timedelta(hours=9)]) == (120, True)
    assert measure_pace(steady[:5]) == (100, False)
    assert measure_pace([]) == (100, False)


async def test_a_review_of_a_private_table_asks_for_its_invitation(house: House) -> None:
    opened = await house.open(open=False)
    table = str(opened["table"])
    token = str(opened["tokens"]["watcher"])
    browser = {"accept": "text/html"}
    refused = await house.http.get(f"/api/tables/{table}/luck", headers=browser)
    assert (refused.status_code, "By invitation only" in refused.text) == (401, True)
    assert (await house.ask("GET", f"/api/tables/{table}/luck")).json()["error"]
    browser["authorization"] = f"Bearer {token}"
    page = await house.http.get(f"/t/{table}/luck", headers=browser)
    assert (page.status_code, "Nobody has sat down yet" in page.text) == (200, True)


async def test_pages_write_names_with_spaces(house: House) -> None:
    table = str((await house.open(name="Spaces"))["table"])
    token = await house.sit(table, "Mary Ann")
    await house.say(table, token, "a1", "pass for 10")
    await house.say(table, token, "a2", "roll")
    sat = (await house.ask("POST", "/api/daily", {"name": "Ann Lee", "token": "c" * 40})).json()
    await house.say(sat["table"], sat["token"], "a1", "pass for 10")
    await house.say(sat["table"], sat["token"], "a2", "roll")
    pages = [(await house.ask("GET", path)).text for path in ("/", f"/t/{table}/luck", "/daily")]
    assert ["Mary Ann" in page or "Ann Lee" in page for page in pages] == [True] * 3
    assert [name in page for page in pages for name in ("Mary_Ann", "Ann_Lee")] == [False] * 6


async def test_daily(house: House) -> None:
    day = (await house.ask("GET", "/api/daily")).json()
    assert (day["throws"], day["results"], day["secret"]) == (50, [], None)
    sat = await house.ask("POST", "/api/daily", {"name": "ann", "token": "a" * 40})
    assert sat.status_code == 201, sat.text
    table, token = sat.json()["table"], sat.json()["token"]
    assert (await house.ask("GET", sat.json()["url"])).status_code == 200
    assert (await house.ask("GET", f"/api/tables/{table}/log")).status_code == 401
    assert (await house.ask("GET", f"/api/tables/{table}/page", token=token)).status_code == 200
    await house.say(table, token, "a1", "pass for 10")
    assert (await house.say(table, token, "a2", "roll")).json()["seq"]
    again = await house.ask("POST", "/api/daily", {"name": "ann", "token": "b" * 40})
    assert again.status_code == 409
    page = await house.ask("GET", "/daily")
    assert ("ann" in page.text, day["commit"] in page.text) == (True, True)
    [row] = (await house.ask("GET", f"/api/daily/{day['day']}")).json()["results"]
    assert (row["name"], row["throws"], row["done"]) == ("ann", 1, False)


async def test_daily_that_makes_no_sense(house: House) -> None:
    assert (await house.ask("GET", "/api/daily/2999-01-01")).status_code == 404
    assert (await house.ask("GET", "/api/daily/tomorrow")).status_code == 404
    assert (await house.ask("POST", "/api/daily", {"name": "two\twords"})).status_code == 400
    assert (await house.ask("POST", "/api/daily", {"who": "ann"})).status_code == 400
    assert (await house.ask("POST", "/api/daily", {"name": "ann", "token": "x"})).status_code == 400
    assert (await house.ask("PUT", "/api/daily")).status_code == 405
    other = await house.open()
    assert (await house.ask("GET", f"/daily/{other['table']}")).status_code == 404
    codes = [
        (await house.ask("POST", "/api/daily", {"name": f"g{chr(97 + n)}"})).status_code
        for n in range(40)
    ]
    assert 429 in codes


async def test_a_hand_that_ended_is_told_at_the_table(house: House) -> None:
    opened = await house.open(dice="typed", posts={"stick": "person"})
    table, stick = opened["table"], opened["tokens"]["stick"]
    token = await house.sit(table)
    hands = []
    for number, dice in enumerate(("2 2", "3 3", "1 6")):
        await house.say(table, token, f"p{number}", "pass for 10")
        said = await house.say(table, stick, f"r{number}", f"roll {dice}")
        assert said.json()["seq"] is not None, said.text
        sight = await house.ask("GET", f"/api/tables/{table}/page", token=token)
        hands.append(sight.json()["whole"]["last"].get("hand"))
    assert hands == [None, None, {"rolls": 3, "words": "3 rolls: 1 in 1.1"}]


async def test_without_the_lab_the_pages_say_what_to_do(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object) -> None:
        raise ModuleNotFoundError("No module named 'numba'", name="numba")

    monkeypatch.setattr("passline.lab.strategy_machine.make_machine", fail)
    told = await house.ask("GET", "/api/session?rolls=12")
    assert told.status_code == 501
    assert "passline[lab] is not installed" in told.json()["error"]
    assert "Ask its operator" in told.json()["error"]
    table, token = await played(house)
    monkeypatch.setattr("passline.live.player_worth.rank_session", fail)
    standing = (await worth(house, table, token))["standing"]
    assert standing["why_not"] == "passline[lab] is not installed on this server"
