"""What each request answers, by the contract."""

from __future__ import annotations

import json

import pytest

from passline.lab.pricing.wager_odds import odds
from passline.live.store import Store, StoredRow, UnavailableError
from passline.web import health
from passline.web.request_limits import LINES_PER_SECOND, RateLimiter
from tests.web.conftest import KEY, House

pytestmark = pytest.mark.anyio


async def test_the_operator_opens_a_table(house: House) -> None:
    answer = await house.ask("POST", "/api/tables", {"rulebook": "iowa"}, KEY)
    assert answer.status_code == 201
    told = answer.json()
    assert set(told) == {"table", "url", "tokens"}
    assert told["url"] == f"http://127.0.0.1:7117/t/{told['table']}"
    assert set(told["tokens"]) == {
        "floor", "box", "stick", "left-base", "right-base", "watcher", "surveillance",
    }  # fmt: skip
    listed = (await house.ask("GET", "/api/tables")).json()
    assert [set(row) for row in listed] == [
        {
            "table", "name", "rulebook", "game", "players", "seats", "minimum", "maximum", "puck",
        }
    ]  # fmt: skip
    assert listed[0]["table"] == told["table"]


async def test_a_player_sits_says_and_throws(house: House) -> None:
    table = (await house.open())["table"]
    seat = await house.ask(
        "POST", f"/api/tables/{table}/seats", {"name": "ann", "buy_in": "500", "place": 3}
    )
    assert seat.status_code == 201
    assert set(seat.json()) == {"name", "place", "token", "seq", "hash", "receipt"}
    assert seat.json()["place"] == 3
    token = seat.json()["token"]
    bet = await house.say(table, token, "a1", "pass for 10")
    assert bet.status_code == 200
    assert bet.json()["entries"] == [
        {"said": "pass for 10", "words": "pass for 10", "refusal": None}
    ]
    thrown = await house.ask(
        "POST", f"/api/tables/{table}/say", {"id": "a2", "say": "roll", "nonce": "n-1"}, token
    )
    assert thrown.status_code == 200
    view = (await house.ask("GET", f"/api/tables/{table}", token=token)).json()
    # A line bet that wins at once is said again by the machine, an entry of its own.
    told = await house.ask(
        "GET",
        f"/api/tables/{table}/events?after=2",
        token=token,
        headers={"Accept": "application/json"},
    )
    after = [(entry["seq"], entry["hash"]) for entry in told.json()["entries"]]
    assert after[0] == (thrown.json()["seq"], thrown.json()["hash"])
    assert after[-1] == (view["seq"], view["head"])
    again = await house.say(table, token, "a1", "pass for 10")
    assert again.json() == bet.json()
    other = await house.say(table, token, "a1", "pass for 20")
    assert other.status_code == 409


async def test_what_is_refused_is_answered_with_its_clause(house: House) -> None:
    table = (await house.open())["table"]
    token = await house.sit(table)
    answer = (await house.say(table, token, "a1", "pass for 1")).json()
    assert (answer["seq"], answer["hash"]) == (None, None)
    refusal = answer["entries"][0]["refusal"]
    assert set(refusal) == {"reason", "cite"}
    assert "at least" in refusal["reason"]


async def test_a_page_is_told_what_would_be_taken_instead(house: House) -> None:
    table = (await house.open())["table"]
    token = await house.sit(table)
    answer = await house.say(table, token, "a1", "place-win-6 for 7")
    assert answer.headers["passline-allowed"] == '["place-win-6 for 6.00", "place-win-6 for 12.00"]'
    assert "passline-allowed" not in (await house.say(table, token, "a2", "pass for 5")).headers


@pytest.mark.parametrize("book", ["new-jersey", "maryland-crapless"])
async def test_every_wager_of_a_table_is_told_with_its_exact_edge(house: House, book: str) -> None:
    table = (await house.open(rulebook=book))["table"]
    told = await house.ask("GET", f"/api/tables/{table}/wagers")
    rows = {row["slug"]: row for row in told.json()["wagers"]}
    assert rows["pass"]["edge"] == str(odds(book, "pass").edge)
    assert rows["come-6"]["edge"] is None  # it was made as a come
    cost = float(odds(book, "come").edge_per_roll)
    assert float(rows["come-6"]["cost_per_throw"]) == pytest.approx(cost, abs=1e-8)
    assert float(rows["pass-odds"]["cost_per_throw"]) == 0
    assert all(
        row["what"] and row["pays"] and row["cite"] and row["least"] for row in rows.values()
    )
    one = await house.ask("GET", f"/api/tables/{table}/wagers/place-win-6")
    assert one.json() == rows["place-win-6"]
    assert one.json()["edge_percent"] == "1.515 %"
    known = {"If-None-Match": told.headers["etag"]}
    again = await house.ask("GET", f"/api/tables/{table}/wagers", headers=known)
    assert again.status_code == 304
    assert (await house.ask("GET", f"/api/tables/{table}/wagers/moon")).status_code == 404
    closed = (await house.open(open=False))["table"]
    assert (await house.ask("GET", f"/api/tables/{closed}/wagers")).status_code == 401


async def test_a_seat_is_asked_for_twice_and_given_once(house: House) -> None:
    table = (await house.open())["table"]
    own = "a" * 40
    path, body = f"/api/tables/{table}/seats", {"name": "ann", "buy_in": "500", "token": own}
    first, second = [await house.ask("POST", path, body) for _ in range(2)]
    assert (first.status_code, first.json()) == (second.status_code, second.json())
    other = await house.ask("POST", path, {**body, "token": "b" * 40})
    assert other.status_code == 409


async def test_where_the_box_is_asked_a_seat_waits(house: House) -> None:
    opened = await house.open(buy_ins="box", posts={"box": "person"})
    path = f"/api/tables/{opened['table']}/seats"
    answer = await house.ask("POST", path, {"name": "ann", "buy_in": "500"})
    assert answer.status_code == 202
    assert (answer.json()["seq"], answer.json()["hash"]) == (None, None)
    said = await house.say(opened["table"], opened["tokens"]["box"], "b1", "ann joins for 500")
    assert said.status_code == 200, said.text


#: What reads a table, and what of it needs no name of a player's.
READS = ["", "/events", "/record", "/log", "/page", "/felt", "/wagers", "/wagers/pass"]
READS += ["/replay", "/replay/hands", "/replay/felt", "/replay/csv"]


@pytest.mark.parametrize("kind", READS)
async def test_a_table_that_is_not_open_is_read_with_a_token(house: House, kind: str) -> None:
    opened = await house.open(open=False)
    path = f"/api/tables/{opened['table']}{kind}"
    headers = {"Accept": "application/json"}
    bare = await house.ask("GET", path, headers=headers)
    assert bare.status_code == 401
    assert bare.headers["www-authenticate"] == "Bearer"
    for token in (opened["tokens"]["watcher"], KEY):
        assert (await house.ask("GET", path, token=token, headers=headers)).status_code == 200


async def test_the_pages_of_a_table_that_is_not_open_tell_nothing_of_it(house: House) -> None:
    table = (await house.open(open=False, name="Hidden"))["table"]
    await house.ask("POST", f"/api/tables/{table}/seats", {"name": "ann", "buy_in": "500"}, KEY)
    for path, script in (("", "table.js"), ("/replay", "replay.js")):
        page = await house.ask("GET", f"/t/{table}{path}")
        assert page.status_code == 200
        assert script in page.text  # it trades an invitation's token, which only it can see
        assert "Hidden" not in page.text
    assert (await house.ask("GET", f"/t/{table}/luck")).status_code == 401
    assert "Hidden" not in (await house.ask("GET", "/")).text


async def test_an_invitation_seats_at_a_table_that_is_not_open(house: House) -> None:
    table = (await house.open(open=False))["table"]
    path, body = f"/api/tables/{table}/seats", {"name": "ann", "buy_in": "500"}
    assert (await house.ask("POST", path, body)).status_code == 401
    given = await house.ask("POST", f"/api/tables/{table}/tokens", {"role": "player"}, KEY)
    assert given.status_code == 201
    token = given.json()["token"]
    seated = await house.ask("POST", path, {**body, "token": token})
    assert seated.status_code == 201
    bearer = await house.ask("POST", path, {**body, "name": "bob"}, token)
    assert bearer.status_code == 201


async def test_tokens_are_given_and_withdrawn_by_operator_and_floor(house: House) -> None:
    opened = await house.open(posts={"floor": "person"})
    path = f"/api/tables/{opened['table']}/tokens"
    watch = (await house.ask("POST", path, {"role": "watcher", "name": "eve"}, KEY)).json()["token"]
    view = f"/api/tables/{opened['table']}"
    assert (await house.ask("GET", view, token=watch)).json()["role"] == "watcher"
    floor = opened["tokens"]["floor"]
    gone = await house.ask("DELETE", path, {"role": "watcher", "name": "eve"}, floor)
    assert (gone.status_code, gone.content) == (204, b"")
    assert (await house.ask("GET", view, token=watch)).status_code == 401
    player = await house.sit(opened["table"])
    for token in (player, opened["tokens"]["watcher"]):
        refused = await house.ask("POST", path, {"role": "watcher"}, token)
        assert refused.status_code == 403
    assert (await house.ask("POST", path, {"role": "operator"}, KEY)).status_code == 400


async def test_only_the_crew_sees_the_house(house: House) -> None:
    opened = await house.open()
    path = f"/api/tables/{opened['table']}"
    assert "house" not in (await house.ask("GET", path)).json()
    for token in (KEY, opened["tokens"]["surveillance"]):
        assert "house" in (await house.ask("GET", path, token=token)).json()


async def test_a_watcher_says_nothing(house: House) -> None:
    opened = await house.open()
    for role in ("watcher", "surveillance"):
        said = await house.say(opened["table"], opened["tokens"][role], "w1", "pass for 10")
        assert said.status_code == 403
        assert said.json()["error"]


async def test_what_is_not_understood_says_what_is_nearest(house: House) -> None:
    table = (await house.open())["table"]
    said = await house.say(table, await house.sit(table), "a1", "plaice the six for 12")
    assert said.status_code == 422
    assert said.json()["understood"] == ["the six for 12"]
    assert said.json()["nearest"] == "place the six for 12"


async def test_a_page_is_told_plainly_and_as_you(house: House) -> None:
    """Besides, in headers: the bodies are as they are promised."""
    table = (await house.open())["table"]
    token = await house.sit(table)
    said = await house.say(table, token, "a1", "a pony on the moon")
    assert set(said.json()) == {"error", "understood", "nearest"}
    assert "place 8 down" in said.json()["error"]
    assert "place 8 down" not in json.loads(said.headers["Passline-Plain"])
    short = await house.say(table, token, "a2", "pass for 600")
    (entry,) = short.json()["entries"]
    assert entry["refusal"]["reason"] == "you need $600 and have $500 in the rail"
    assert json.loads(short.headers["Passline-Allowed"]) == ["buy in 100.00"]
    bare = await house.say(table, token, "a3", "pass")
    assert bare.json()["error"] == "for how much? say 'pass for' and an amount"
    for id_, lies in (("a4", "for"), ("a5", "to")):  # what lies there already is made up to it
        odd = await house.say(table, token, id_, "place-win-6 for 13")
        whole = ["12", "18"] if lies == "for" else ["24", "30"]
        says = [f"place-win-6 {lies} {amount}.00" for amount in whole]
        assert json.loads(odd.headers["Passline-Allowed"]) == says
        assert (await house.say(table, token, f"{id_}-taken", says[0])).json()["seq"] is not None


async def test_the_operator_sees_every_table(house: House) -> None:
    shown = (await house.open())["table"]
    hidden = (await house.open(open=False))["table"]
    rows = (await house.ask("GET", "/api/operate", token=KEY)).json()
    told = {row["table"]: (row["open"], row["status"]) for row in rows}
    assert told == {shown: (True, "live"), hidden: (False, "live")}
    assert [row["table"] for row in (await house.ask("GET", "/api/tables")).json()] == [shown]
    assert (await house.ask("GET", "/api/operate")).status_code == 401
    player = await house.sit(shown)
    assert (await house.ask("GET", "/api/operate", token=player)).status_code == 403


async def test_entries_come_at_once_a_thousand_at_most(house: House) -> None:
    table = (await house.open())["table"]
    await house.sit(table)
    path = f"/api/tables/{table}/events"
    json_, headers = {"Accept": "application/json"}, {"Last-Event-ID": "0"}
    every = (await house.ask("GET", path, headers=json_)).json()["entries"]
    assert [entry["seq"] for entry in every] == list(range(len(every)))
    later = await house.ask("GET", f"{path}?after=0", headers=json_)
    assert later.json()["entries"] == every[1:]
    resumed = await house.ask("GET", f"{path}?after=-1", headers=json_ | headers)
    assert resumed.json()["entries"] == every[1:]
    log = await house.ask("GET", f"/api/tables/{table}/log")
    assert [line for line in log.text.splitlines() if line] == [
        line.decode() for line in [entry.text() for entry in await house.app.service.entries(table)]
    ]


async def test_the_record_is_text(house: House) -> None:
    table = (await house.open())["table"]
    await house.sit(table)
    answer = await house.ask("GET", f"/api/tables/{table}/record")
    assert answer.headers["content-type"] == "text/plain; charset=utf-8"
    assert answer.text.startswith("rulebook: new-jersey\n")
    assert "ann joins for 500" in answer.text


async def test_twenty_lines_a_second_and_no_more(house: House) -> None:
    table = (await house.open())["table"]
    ann, bob = await house.sit(table), await house.sit(table, "bob")
    now = 0.0
    house.app.tables.line_limiter = RateLimiter(clock=lambda: now)
    for number in range(LINES_PER_SECOND):
        assert (await house.say(table, ann, f"a{number}", "field for 5")).status_code == 200
    late = await house.say(table, ann, "late", "field for 5")
    assert late.status_code == 429
    assert late.headers["retry-after"] == "1"
    assert (await house.say(table, bob, "b1", "field for 5")).status_code == 200
    now = 1.0
    assert (await house.say(table, ann, "late", "field for 5")).status_code == 200


async def test_one_address_asks_for_so_many_seats_and_no_more(house: House) -> None:
    opened = await house.open(open=True)
    table, now = opened["table"], 0.0
    house.app.tables.seat_limiter = RateLimiter(2, clock=lambda: now, seconds=60.0)
    body = {"name": "ann", "buy_in": "500", "token": "a" * 32}
    path = f"/api/tables/{table}/seats"
    for _ in range(2):
        assert (await house.ask("POST", path, body)).status_code == 201
    now = 20.5
    late = await house.ask("POST", path, body)
    assert (late.status_code, late.headers["retry-after"]) == (429, "40")
    assert (await house.ask("POST", path, body, "a" * 32)).status_code == 201  # shown a token
    now = 60.0
    assert (await house.ask("POST", path, body)).status_code == 201


async def test_nobody_fills_a_table_with_names(house: House) -> None:
    """What is not taken is not counted: a bad name, a taken one."""
    table, now = (await house.open(open=True))["table"], 0.0
    other = (await house.open(open=True))["table"]
    house.app.tables.name_limiter = RateLimiter(3, clock=lambda: now, seconds=3600.0)
    path = f"/api/tables/{table}/seats"
    for name in ("ann", "bob", "cal"):
        assert (await house.ask("POST", path, {"name": "roll", "buy_in": "9"})).status_code == 400
        await house.sit(table, name)
    now = 600.0
    late = await house.ask("POST", path, {"name": "dee", "buy_in": "500"})
    assert (late.status_code, late.headers["retry-after"]) == (429, "3000")
    await house.sit(other, "dee")
    now = 3600.0
    await house.sit(table, "dee")


#: What each route answers to nobody, to a token that nobody gave, to a seat's, a post's and the
#: floor's, and to the house key; at a table that is open.
STATUSES = [
    ("POST", "/api/tables", {"rulebook": "iowa"}, (401, 401, 403, 403, 403, 201)),
    ("GET", "/metrics", None, (401, 401, 403, 403, 403, 200)),
    ("GET", "/api/tables", None, (200, 200, 200, 200, 200, 200)),
    ("GET", "/healthz", None, (200, 200, 200, 200, 200, 200)),
    ("GET", "/.well-known/passline.json", None, (200, 200, 200, 200, 200, 200)),
    ("GET", "/api/heads", None, (200, 200, 200, 200, 200, 200)),
    ("GET", "/api/tables/T", None, (200, 401, 200, 200, 200, 200)),
    ("GET", "/api/tables/T/record", None, (200, 401, 200, 200, 200, 200)),
    ("GET", "/api/tables/T/log", None, (200, 401, 200, 200, 200, 200)),
    ("POST", "/api/tables/T/say", {"id": "x", "say": "dice out"}, (401, 401, 403, 200, 403, 403)),
    ("POST", "/api/tables/T/tokens", {"role": "watcher"}, (401, 401, 403, 403, 201, 201)),
    ("DELETE", "/api/tables/T/tokens", {"role": "watcher"}, (401, 401, 403, 403, 204, 204)),
]


@pytest.mark.parametrize(
    ("method", "path", "body", "statuses"), STATUSES, ids=[f"{r[0]} {r[1]}" for r in STATUSES]
)
async def test_who_may_ask_what(
    house: House, method: str, path: str, body: object, statuses: tuple[int, ...]
) -> None:
    posts = dict.fromkeys(("floor", "stick"), "person")
    opened = await house.open(posts=posts)
    ann = await house.sit(opened["table"])
    tokens = ("", "u" * 32, ann, opened["tokens"]["stick"], opened["tokens"]["floor"], KEY)
    path = path.replace("/T", f"/{opened['table']}")
    found = [(await house.ask(method, path, body, token)).status_code for token in tokens]
    assert tuple(found) == statuses


async def test_a_felt_is_seen_from_a_place(house: House) -> None:
    path = f"/api/tables/{(await house.open())['table']}/felt"
    assert (await house.ask("GET", f"{path}?end=right&place=16")).status_code == 200
    for place in ("-1", "x", "100", "\u0663", "9" * 5000, ""):
        refused = await house.ask("GET", path, params={"place": place})
        assert refused.status_code == 400, place


async def test_where_there_is_no_table_nothing_is_read(house: House) -> None:
    for method in ("GET", "HEAD"):
        for kind in ("", "/events", "/record", "/log", "/page", "/felt"):
            for token in ("", KEY, "u" * 32):
                found = await house.ask(method, f"/api/tables/nope{kind}", token=token)
                assert found.status_code == 404, (method, kind, token)


async def test_a_post_is_told_to_the_crew_alone(house: House) -> None:
    opened = await house.open(posts={"stick": "person"})
    table, tokens = opened["table"], opened["tokens"]
    ann, path = await house.sit(table), f"/api/tables/{table}/page"
    for token in ("", ann, tokens["watcher"]):
        assert "post" not in (await house.ask("GET", path, token=token)).json()["whole"]
    assert (await house.ask("GET", path, token="u" * 32)).status_code == 401
    told = (await house.ask("GET", f"{path}?player=ann", token=tokens["stick"])).json()["whole"]
    assert (told["post"]["role"], told["post"]["player"]) == ("stick", "ann")
    assert list(told["post"]["log"]) == ["0", "1"]
    odd = await house.ask("GET", path, token=KEY, params={"player": "\u0663; drop"})
    assert (odd.status_code, odd.json()["whole"]["role"]) == (200, "operator")


async def test_a_buy_in_waits_is_turned_down_and_asked_again(house: House) -> None:
    opened = await house.open(posts={"box": "person"}, buy_ins="box")
    table, box = opened["table"], opened["tokens"]["box"]
    path, body = f"/api/tables/{table}/seats", {"name": "ann", "token": "a" * 32}
    assert (await house.ask("POST", path, {**body, "buy_in": "500"})).status_code == 202
    assert (
        await house.say(table, box, "b1", "ann buy-in declined for no reason")
    ).status_code == 200
    told = await house.ask("POST", path, {**body, "buy_in": "500"})
    assert (told.status_code, "no reason" in told.json()["error"]) == (403, True)
    assert (await house.ask("POST", path, {**body, "buy_in": "300"})).status_code == 202
    assert (await house.say(table, box, "b2", "ann joins for 300")).status_code == 200
    seats = [await house.ask("POST", path, {**body, "buy_in": "300"}) for _ in range(3)]
    assert [seat.status_code for seat in seats] == [201, 201, 201]
    assert seats[0].json() == seats[2].json()


async def test_a_store_that_cannot_be_written_is_503(
    house: House, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """Why it cannot is in the server's log: the reason may name files and databases."""
    table = (await house.open())["table"]
    token = await house.sit(table)

    async def full(*_: object) -> None:
        from passline.live.store import UnavailableError

        raise UnavailableError("/srv/live.sqlite: the disk is full")

    monkeypatch.setattr(Store, "append", full)
    answer = await house.say(table, token, "a1", "field for 5")
    assert answer.status_code == 503
    assert "/srv" not in answer.text
    assert "/srv/live.sqlite: the disk is full" in caplog.text
    assert answer.headers["retry-after"] == "1"
    metrics = (await house.ask("GET", "/metrics", token=KEY)).text
    assert "passline_store_errors_total 1" in metrics
    monkeypatch.undo()
    assert (await house.say(table, token, "a1", "field for 5")).status_code == 200


@pytest.mark.parametrize("wrong", [ValueError("secret"), RecursionError(), KeyError("x")])
async def test_a_fault_of_our_own_is_no_500_and_tells_nothing(
    house: House,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
    wrong: Exception,
) -> None:
    async def broken(*_: object) -> None:
        raise wrong

    monkeypatch.setattr(house.app.service.lobby_rows, "rows", broken)
    for path in ("/api/tables", "/"):
        answer = await house.ask("GET", path)
        assert answer.status_code == 503
        assert set(answer.json()) == {"error"}
        assert "secret" not in answer.text
        assert "Traceback" not in answer.text
    assert "a request failed by a fault of the server" in caplog.text


async def test_health_and_measures(house: House) -> None:
    assert (await house.ask("GET", "/healthz")).json()["ok"] is True
    assert (await house.ask("GET", "/metrics")).status_code == 401
    table = (await house.open())["table"]
    await house.say(table, await house.sit(table), "a1", "field for 5")
    answer = await house.ask("GET", "/metrics", token=KEY)
    assert answer.headers["content-type"] == "text/plain; version=0.0.4; charset=utf-8"
    lines = answer.text.splitlines()
    assert 'passline_lines_total{outcome="taken"} 1' in lines
    assert "passline_tables 1" in lines
    for line in lines:
        assert line.startswith("# ") or float(line.rpartition(" ")[2]) >= 0


async def test_readiness_tells_of_a_store_that_is_gone(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def gone() -> None:
        raise UnavailableError("gone")

    monkeypatch.setattr(health, "_READY_SECONDS", 0)
    assert (await house.ask("GET", "/readyz")).status_code == 200
    monkeypatch.setattr(house.app.service.store, "check_writable", gone)
    answer = await house.ask("GET", "/readyz")
    assert (answer.status_code, answer.headers["retry-after"]) == (503, "5")
    assert answer.json() == {"error": "The store cannot be written."}
    assert (await house.ask("GET", "/healthz")).status_code == 200  # It is alive.


async def test_a_line_asks_the_store_once_where_the_log_ends(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where servers share it, each time is a journey to the database."""
    table = (await house.open())["table"]
    token = await house.sit(table)
    store = house.app.service.store
    asked, last = [], store._last_row
    assert store.shared

    async def counted(one: str) -> StoredRow | None:
        asked.append(one)
        return await last(one)

    monkeypatch.setattr(store, "_last_row", counted)
    assert (await house.say(table, token, "a", "pass for 10")).json()["seq"] == 2
    assert asked == [table]
    assert (await house.say(table, KEY, "o", "table closes")).json()["seq"] is None
    assert asked == [table, table]  # a refusal's offers are made from the table that refused
