"""Shifts over HTTP: started by anybody, dealt by the post's token, reported at the end."""

from __future__ import annotations

import asyncio
import json
from datetime import timedelta
from typing import Any
from unittest.mock import ANY

import httpx
import pytest
from msgspec import structs

from passline.live.audit.audit import Audit
from passline.live.live_table import parse_time
from passline.live.scheduled_actions import closing_actions, is_abandoned
from passline.school.answer_log import LearnerError
from passline.school.throw_work import register_audit_check
from passline.web.app import App
from passline.web.request_limits import LogBudget
from tests.web.conftest import BASE, KEY, House

pytestmark = pytest.mark.anyio
PATH = "/api/school/shifts"
ASKED = {"post": "base", "rolls": 3, "pace": 60, "seed": "7"}


async def begin(house: House, /, token: str = "", **asked: object) -> dict[str, Any]:
    told = await house.ask("POST", PATH, {**ASKED, **asked}, token)
    assert told.status_code == 201, told.text
    found: dict[str, Any] = told.json()
    return found


async def act(house: House, shift: dict[str, Any], path: str, body: object) -> httpx.Response:
    return await house.ask("POST", f"{PATH}/{shift['shift']}/{path}", body, shift["token"])


async def state_of(house: House, shift: dict[str, Any]) -> dict[str, Any]:
    told = await house.ask("GET", f"{PATH}/{shift['shift']}/state", token=shift["token"])
    assert told.status_code == 200, told.text
    found: dict[str, Any] = told.json()
    return found


async def deal_nothing(house: House, shift: dict[str, Any]) -> dict[str, Any]:
    """Deal a whole shift without doing any work, and return the report."""
    for _ in range(30):
        state = await state_of(house, shift)
        path = "dice-out" if state["phase"] == "betting" else "done"
        told = await act(house, shift, path, {})
        assert told.status_code == 200, told.text
        if told.json()["phase"] == "over":
            break
    report: dict[str, Any] = (await house.ask("GET", f"{PATH}/{shift['shift']}")).json()
    return report


async def test_a_shift_is_a_live_table_whose_post_the_token_holds(house: House) -> None:
    shift = await begin(house)
    assert shift.keys() == {"shift", "table", "token"}
    table = f"/api/tables/{shift['table']}"
    view = (await house.ask("GET", table, token=shift["token"])).json()
    assert 4 <= len(view["players"]) <= 8
    assert (await house.ask("GET", table)).status_code == 401  # it is not in the lobby either
    lobby = (await house.ask("GET", "/api/tables")).text
    assert shift["table"] not in lobby
    entry = (await house.ask("GET", f"{table}/log", token=shift["token"])).text.splitlines()[0]
    assert json.loads(entry)["settings"]["posts"]["left-base"] == "learner"
    running = (await house.ask("GET", f"{PATH}/{shift['shift']}")).json()
    assert (running["over"], running["thrown"], "seed" in running) == (False, 0, False)


async def test_the_same_seed_seats_the_same_players_who_call_the_same(house: House) -> None:
    one, two = await begin(house), await begin(house)
    other = await begin(house, seed="8")
    views = [(await state_of(house, shift))["felt"]["lies"] for shift in (one, two, other)]
    assert views[0] == views[1] != views[2]


async def test_what_is_left_undone_costs_and_is_reported(house: House) -> None:
    shift = await begin(house, rolls=8)
    report = await deal_nothing(house, shift)
    assert (report["over"], report["thrown"], report["ended"]) == (True, 8, "finished")
    assert report["bets_missed"] > 0
    assert float(report["house_lost"]) + float(report["players_lost"]) > 0
    assert report["mistakes"]
    assert {"roll", "kind", "words", "cite", "replay"} <= report["mistakes"][0].keys()
    assert report["clauses"]
    assert all(one["rule"] for one in report["clauses"])
    for mistake in report["mistakes"][:3]:
        path = mistake["replay"].partition("#")[0]
        assert (await house.ask("GET", path)).status_code == 200
    register_audit_check()
    log = await house.ask("GET", f"/api/tables/{shift['table']}/log", token=shift["token"])
    audit = Audit()
    audit.add_lines(log.content.splitlines())
    assert audit.end().findings == ()
    kept: Any = house.app.shifts._store
    assert (shift["shift"], "visitor") in kept.list_all()  # a backup has it
    house.app.shifts._shifts.clear()  # as after a restart: the report was kept
    again = (await house.ask("GET", f"{PATH}/{shift['shift']}")).json()
    assert again == report


async def test_a_shift_goes_on_after_a_restart(house: House) -> None:
    """A server that has nothing in memory, or less than another has stored, goes on."""
    shift = await begin(house, rolls=4)
    old = house.app.shifts._shifts.copy()
    for n in range(40):
        state = await state_of(house, shift)
        if state["phase"] == "over":
            break
        if n % 2:
            house.app.shifts._shifts.clear()
        else:  # as on a second server, which last saw the shift at its start
            house.app.shifts._shifts.update(old)
        assert await state_of(house, shift) == {**state, "gone": ANY}
        path = "dice-out" if state["phase"] == "betting" else "done"
        assert (await act(house, shift, path, {})).status_code == 200
    report = (await house.ask("GET", f"{PATH}/{shift['shift']}")).json()
    assert (report["over"], report["thrown"], report["ended"]) == (True, 4, "finished")
    numbers = [mistake["n"] for mistake in report["mistakes"]]
    assert len(set(numbers)) == len(numbers) > 0


async def test_a_visitor_practices_what_went_wrong(house: House) -> None:
    shift = await begin(house, rolls=6)
    await deal_nothing(house, shift)
    answers = (await state_of(house, shift))["answers"]
    assert [one for one in answers if not one["right"] and one["missed"]]
    told = await house.ask("POST", "/api/school/practice", {"answers": answers[:30]})
    assert told.status_code == 200, told.text


async def test_a_call_is_booked_as_it_is_set(house: House) -> None:
    """The bet stands on the table where the learner set it, and is marked in the report."""
    shift = await begin(house, rolls=9)
    state = await state_of(house, shift)
    for _ in range(40):
        call = next((one for one in state["calls"] if one["stack"]), None)
        if call is not None and state["phase"] == "betting":
            break
        path = "dice-out" if state["phase"] == "betting" else "done"
        state = (await act(house, shift, path, {})).json()
    assert call is not None
    target = next(one["wager"] for one in state["targets"] if one["wager"].startswith("place-win-"))
    body = {"call": call["id"], "action": "book", "set": {target: "30"}, "say": "x"}
    bad = {**body, "set": {"nothing": "5"}}
    assert (await act(house, shift, "calls", bad)).status_code == 400
    assert (await act(house, shift, "calls", {**body, "set": {}})).status_code == 400
    assert (await act(house, shift, "calls", {**body, "set": {target: "x"}})).status_code == 400
    told = await act(house, shift, "calls", body)
    assert told.status_code == 200, told.text
    assert call["id"] not in [one["id"] for one in told.json()["calls"]]
    view = (await house.ask("GET", f"/api/tables/{shift['table']}", token=shift["token"])).json()
    (player,) = [one for one in view["players"] if one["name"] == call["player"]]
    wagers = {one["wager"]: one["amount"] for one in player["wagers"]}
    assert wagers[target] == "30.00"
    assert (await act(house, shift, "calls", body)).status_code == 409


async def test_only_the_post_deals(house: House) -> None:
    shift = await begin(house)
    path = f"{PATH}/{shift['shift']}/dice-out"
    assert (await house.ask("POST", path, {})).status_code == 401
    assert (await house.ask("POST", path, {}, "x" * 40)).status_code == 401
    other = await begin(house)
    assert (await house.ask("POST", path, {}, other["token"])).status_code == 401
    assert (await act(house, shift, "done", {})).status_code == 409  # nothing is to be done
    assert (await act(house, {**shift, "shift": "0" * 32}, "done", {})).status_code == 404
    assert (await house.ask("GET", f"{PATH}/none")).status_code == 404


async def test_what_went_wrong_is_practiced_if_the_server_is_killed_before_it_answers(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The answers are saved before the state that ends their roll: an action is done again."""
    token = (await house.ask("POST", "/api/school/learner", {"name": "ann"})).json()["token"]
    shift = await begin(house, token, rolls=1)
    store: Any = house.app.shifts._store
    replace = store.replace

    def killed(audition: str, part: str, learner: str, data: bytes) -> None:
        raise LearnerError("learner.auditions", error="killed")

    async def deal() -> int:
        answered = 0
        for path in ("dice-out", "done"):
            answered = (await act(house, shift, path, {})).status_code
        return answered

    monkeypatch.setattr(store, "replace", killed)
    assert await deal() == 503
    before = (await house.ask("GET", "/api/school/progress", token=token)).json()["answers"]
    assert before > 0
    monkeypatch.setattr(store, "replace", replace)
    house.app.shifts._shifts.clear()
    for _ in range(9):
        state = await state_of(house, shift)
        if state["phase"] == "over":
            break
        await act(house, shift, "dice-out" if state["phase"] == "betting" else "done", {})
    after = (await house.ask("GET", "/api/school/progress", token=token)).json()["answers"]
    assert after == before


async def test_a_learner_practices_what_went_wrong(house: House) -> None:
    told = await house.ask("POST", "/api/school/learner", {"name": "ann"})
    token = told.json()["token"]
    house.http.cookies.clear()
    shift = await begin(house, token, rolls=8)
    await deal_nothing(house, shift)
    progress = (await house.ask("GET", "/api/school/progress", token=token)).json()
    assert progress["answers"] > progress["right"]
    assert progress["due"] >= 0
    assert {one["drill"] for one in progress["clauses"]} & {"payoffs", "order", "rulings"}


async def test_it_may_end_early(house: House) -> None:
    shift = await begin(house)
    assert (await act(house, shift, "end", {})).json()["phase"] == "over"
    report = (await house.ask("GET", f"{PATH}/{shift['shift']}")).json()
    assert (report["ended"], report["thrown"]) == ("broken off", 0)


@pytest.mark.parametrize("post", ["base", "stick", "box", "left-base"])
async def test_every_post(house: House, post: str) -> None:
    shift = await begin(house, post=post, rolls=3)
    report = await deal_nothing(house, shift)
    assert report["thrown"] == 3


@pytest.mark.parametrize(
    "bad",
    [
        *({"post": "x"}, {"pace": 10}, {"pace": 101}, {"rolls": 0}, {"rolls": 9999}, {"more": 1}),
        {"house": 'rulebook = "new-jersey"\ngame = "automated-craps"\n'},
        *({"rulebook": "x"}, {"house": "x"}, {"seed": "a\nb"}, {"rolls": "x"}),
    ],
)
async def test_what_cannot_start_is_told(house: House, bad: dict[str, object]) -> None:
    told = await house.ask("POST", PATH, {**ASKED, **bad})
    assert (told.status_code, bool(told.json()["error"])) == (400, True)


async def test_an_address_deals_three_shifts_at_a_time(house: House) -> None:
    """Shifts open tables without a key, so they are counted; ending one makes room."""
    shifts = [await begin(house) for _ in range(3)]
    refused = await house.ask("POST", PATH, ASKED)
    assert (refused.status_code, refused.headers["Retry-After"]) == (429, "60")
    assert "3 shifts at a time" in refused.json()["error"]
    assert (await act(house, shifts[0], "end", {})).status_code == 200
    await begin(house)


async def test_shifts_that_start_at_once_are_counted_too(house: House) -> None:
    answers = await asyncio.gather(*(house.ask("POST", PATH, ASKED) for _ in range(6)))
    assert sorted(answer.status_code for answer in answers) == [201] * 3 + [429] * 3


async def test_a_server_deals_so_many_shifts_in_all(house: House) -> None:
    limits = house.app.shifts._limits
    house.app.shifts._limits = structs.replace(limits, shifts=0, shifts_total=2)
    await begin(house)
    await begin(house)
    refused = await house.ask("POST", PATH, ASKED)
    assert (refused.status_code, "Retry-After" in refused.headers) == (503, True)
    metrics = (await house.ask("GET", "/metrics", token=KEY)).text
    assert 'passline_refused_total{limit="all-shifts",status="503"} 1' in metrics
    assert "\npassline_store_errors_total 0\n" in metrics


async def test_shifts_count_among_the_tables_of_visitors(house: House) -> None:
    """An operator's limit on tables that visitors open holds for shifts too, and the other way."""
    limits = structs.replace(house.app.shifts._limits, hosted_tables=2)
    house.app.shifts._limits = house.app.tables.limits = limits
    house.app.tables.hosting = 3
    hosted = {"rulebook": "new-jersey", "name": "Friends"}
    first = await begin(house)
    assert (await house.ask("POST", "/api/tables", hosted)).status_code == 201
    for path, body in ((PATH, ASKED), ("/api/tables", hosted)):
        refused = await house.ask("POST", path, body)
        assert (refused.status_code, "Retry-After" in refused.headers) == (503, True)
    assert (await act(house, first, "end", {})).status_code == 200
    await begin(house)


async def test_an_operator_turns_shifts_off(house: House) -> None:
    """Then no audition begins either, since it ends in a shift; the pages say so."""
    off = structs.replace(house.app.shifts._limits, shifts=None)
    app = App(house.app.service, KEY, {"127.0.0.1", "localhost"}, limits=off)
    async with httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url=BASE) as http:
        for path, body in ((PATH, ASKED), ("/api/school/auditions", {"learner": "ann"})):
            refused = await http.post(path, json=body)
            assert (refused.status_code, "no shifts" in refused.json()["error"]) == (403, True)
        for page in ("/school/shift", "/school/audition"):
            shown = await http.get(page)
            assert (shown.status_code, "deals no shifts" in shown.text) == (200, True)
            assert 'id="start"' not in shown.text
    await app.streams.stop()


async def test_a_shift_that_was_left_ends_and_its_table_closes(house: House) -> None:
    """Nobody used it for half an hour, and somebody wants to deal another one."""
    shift = await begin(house)
    house.app.shifts._shifts[shift["shift"]].used_at -= timedelta(minutes=31)
    await begin(house)
    live = (await house.app.service.tables.get(shift["table"])).live
    assert live.is_closed
    report = (await house.ask("GET", f"{PATH}/{shift['shift']}")).json()
    assert report["over"]


async def test_a_shift_whose_table_was_deleted_keeps_nobody_from_dealing(house: House) -> None:
    shift = await begin(house)
    house.app.shifts._shifts[shift["shift"]].used_at -= timedelta(minutes=31)
    await house.app.service.store.delete_table(shift["table"])
    await begin(house)
    assert shift["shift"] not in house.app.shifts._shifts


async def test_a_table_of_a_shift_that_the_server_forgot_is_closed(house: House) -> None:
    """A running shift lives in one server's memory. Its table is closed like a hosted one."""
    shift = await begin(house)
    house.app.shifts._shifts.clear()
    live = (await house.app.service.tables.get(shift["table"])).live
    assert live.settings.host_id
    assert not live.settings.open
    later = parse_time(live.head.at) + timedelta(days=1, seconds=1)
    assert is_abandoned(live, later)
    assert list(closing_actions(live))[-1].line == "table closes"


async def test_a_shift_spends_the_log_bytes_of_its_address(house: House) -> None:
    budget = LogBudget(1, 0, clock=lambda: 0.0)
    house.app.shifts._log_budget = budget
    shift = await begin(house)
    spent = budget._used_now("127.0.0.1", 1)
    assert spent > 1000
    assert (await act(house, shift, "dice-out", {})).status_code == 200
    assert (await act(house, shift, "done", {})).status_code == 200
    assert budget._used_now("127.0.0.1", 1) > spent
    budget.spend("127.0.0.1", 2_000_000)
    assert (await act(house, shift, "done", {})).status_code == 429
    assert (await house.ask("POST", PATH, ASKED)).status_code == 429
    assert (await act(house, shift, "end", {})).status_code == 200  # One may always stop.


async def test_what_no_rule_allows_can_be_set_all_the_same(house: House) -> None:
    """A dealer can err: odds and line bets are targets too, and the box can take any bet."""
    wagers = {}
    for post in ("base", "stick", "box"):
        shift = await begin(house, post=post)
        wagers[post] = {one["wager"] for one in (await state_of(house, shift))["targets"]}
    assert {"pass", "pass-odds", "dont-pass", "place-win-6", "come-odds-6"} <= wagers["base"]
    assert wagers["base"].isdisjoint(wagers["stick"])
    assert "come-6" not in wagers["box"]
    assert wagers["base"] | wagers["stick"] == wagers["box"]


async def test_the_report_tells_what_came_back(house: House) -> None:
    shift = await begin(house, rolls=12)
    report = await deal_nothing(house, shift)
    for side in ("house_lost", "players_lost"):
        lost = sum(float(one[side]) for one in report["mistakes"])
        back = sum(float(one["recovered"]) for one in report["mistakes"] if float(one[side]))
        assert float(report[side]) == lost - back
