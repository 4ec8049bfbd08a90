"""Proctored auditions over HTTP: no answers before the end, the server's time, all is kept."""

from __future__ import annotations

import asyncio
import json
import re
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import httpx
import msgspec
import pytest

from passline.live.schema import ServiceError
from passline.live.signing_key import verify_signature
from passline.school.audition import hash_report, make_audition
from passline.school.certificates import certificate_text
from passline.web.school.auditions import PROCTORED_MINUTES
from passline.web.school.questions import HouseChoice, compile_house_layout
from tests.school.right_shift import right_answer, right_work
from tests.web.conftest import KEY, House

pytestmark = pytest.mark.anyio
PATH = "/api/school/auditions"
NOON = datetime(2026, 11, 18, 12, tzinfo=UTC)


class Clock:
    """A clock that a test turns."""

    def __init__(self, house: House) -> None:
        self.time = NOON
        house.app.school.learners.now = self.now
        house.app.service.clock = self  # type: ignore[assignment]

    def now(self) -> datetime:
        return self.time

    async def sleep(self, seconds: float) -> None:
        await asyncio.sleep(0)

    def turn(self, seconds: float) -> None:
        self.time += timedelta(seconds=seconds)


@pytest.fixture
def clock(house: House) -> Clock:
    return Clock(house)


async def begin(house: House, /, token: str = "", **asked: object) -> dict[str, Any]:
    told = await house.ask("POST", PATH, {"learner": "ann", **asked}, token)
    assert told.status_code == 201, told.text
    found: dict[str, Any] = told.json()
    return found


async def send(house: House, audition: str, n: int, answer: object, **more: Any) -> httpx.Response:
    body = {"n": n, "answer": answer, **more}
    return await house.ask("POST", f"{PATH}/{audition}/answers", body)


def find_seed(house: House, audition: str) -> str:
    """The seed, which only the store has."""
    store: Any = house.app.auditions._attempts
    return str(json.loads(store.read(audition)["start"])["seed"])


async def begin_shift(house: House, audition: str, key: str = "") -> dict[str, Any]:
    told = await house.ask("POST", f"{PATH}/{audition}/shift", {}, key)
    assert told.status_code == 201, told.text
    found: dict[str, Any] = told.json()
    return found


async def deal(house: House, shift: dict[str, Any], *, right: bool = True) -> dict[str, Any]:
    """Deal the shift of an audition, all right or not at all, and return its last state."""
    path = f"/api/school/shifts/{shift['shift']}"
    running = house.app.shifts._shifts[shift["shift"]].shift

    async def act(what: str, body: object) -> None:
        told = await house.ask("POST", f"{path}/{what}", msgspec.to_builtins(body), shift["token"])
        assert told.status_code == 200, told.text

    for _ in range(60):
        for call in tuple(running.calls) if right else ():
            await act("calls", right_answer(call))
        if running.phase == "over":
            break
        if running.phase == "betting":
            await act("dice-out", {})
        else:
            await act("done", await right_work(running) if right else {})
    told = await house.ask("GET", f"{path}/state", token=shift["token"])
    found: dict[str, Any] = told.json()
    return found


async def take(
    house: House, clock: Clock, seconds: float = 5, wrong: int = 0, *, shift: bool = True
) -> dict[str, Any]:
    """Take a whole audition with right answers but the first ``wrong``, and return the report."""
    begun = await begin(house)
    audition = begun["audition"]
    questions = make_audition(
        compile_house_layout(HouseChoice()), find_seed(house, audition)
    ).questions
    for question in questions:
        clock.turn(seconds)
        answer = "nothing" if question.n <= wrong else question.answer
        assert (await send(house, audition, question.n, answer)).status_code == 200
    if shift:
        await deal(house, await begin_shift(house, audition))
    told = await house.ask("POST", f"{PATH}/{audition}/finish", {})
    assert told.status_code == 200, told.text
    report: dict[str, Any] = told.json()
    return {**report, "key": begun["key"]}


async def test_questions_come_without_answers_and_without_the_seed(house: House) -> None:
    begun = await begin(house)
    assert begun["minutes"] == PROCTORED_MINUTES
    assert len(begun["questions"]) == begun["of"] >= 30
    seed = find_seed(house, begun["audition"])
    assert seed not in json.dumps(begun)
    questions = make_audition(compile_house_layout(HouseChoice()), seed).questions
    for sent, question in zip(begun["questions"], questions, strict=True):
        assert not {"answer", "explain", "cite"} & sent.keys()
        text = json.dumps(sent)
        assert not [words for words in question.explain if json.dumps(words) in text]
    under_way = await house.ask("GET", f"{PATH}/{begun['audition']}")
    assert (under_way.json()["over"], "questions" in under_way.json()) == (False, False)
    again = (await house.ask("GET", f"{PATH}/{begun['audition']}?questions=yes")).json()
    assert again["questions"] == begun["questions"]
    assert seed not in json.dumps(again)


async def test_two_attempts_have_other_questions_and_both_are_kept(house: House) -> None:
    first, second = await begin(house), await begin(house)
    assert first["questions"] != second["questions"]
    assert (first["attempt"], second["attempt"]) == (1, 2)
    assert (await begin(house, learner="bob"))["attempt"] == 1


async def test_an_answer_gets_no_mark_and_stands(house: House) -> None:
    audition = (await begin(house))["audition"]
    first = await send(house, audition, 1, {"paid": "1"})
    assert first.json().keys() == {"n", "answered", "of", "left"}
    assert (first.json()["n"], first.json()["answered"]) == (1, 1)
    assert (await send(house, audition, 1, {"paid": "1"})).status_code == 200  # sent again
    other = await send(house, audition, 1, {"paid": "2"})
    assert (other.status_code, "another answer" in other.text) == (409, True)
    for bad in (0, 99, "x", None):
        assert (await send(house, audition, bad, "x")).status_code == 400  # type: ignore[arg-type]
    assert (await send(house, "0" * 32, 1, "x")).status_code == 404
    assert (await send(house, "..%2f..", 1, "x")).status_code == 404


async def test_an_answer_that_cannot_be_read_is_asked_again(house: House) -> None:
    begun = await begin(house)
    audition = begun["audition"]
    n = next(one["n"] for one in begun["questions"] if one["drill"] == "payoffs")
    bad = await send(house, audition, n, {"paid": "plenty"}, again=True)
    assert (bad.status_code, "the payoff" in bad.text) == (400, True)
    assert (await send(house, audition, n, {"paid": "10"}, again=True)).status_code == 200


async def test_the_server_keeps_the_time(house: House, clock: Clock) -> None:
    begun = await begin(house)
    audition = begun["audition"]
    clock.turn(20)
    assert (await send(house, audition, 2, None)).json()["left"] == PROCTORED_MINUTES * 60 - 20
    clock.turn(7)
    await send(house, audition, 1, "x")
    clock.turn(PROCTORED_MINUTES * 60)
    late = await send(house, audition, 3, "x")
    assert (late.status_code, "over" in late.json()["error"]) == (409, True)
    report = (await house.ask("GET", f"{PATH}/{audition}")).json()
    assert (report["ended"], report["answered"], report["passed"]) == ("time", 1, False)
    assert [one["seconds"] for one in report["results"][:3]] == [7.0, 20.0, None]
    assert report["date"] == f"{NOON + timedelta(minutes=PROCTORED_MINUTES):%Y-%m-%dT%H:%M:%SZ}"
    finished = await house.ask("POST", f"{PATH}/{audition}/finish", {})
    assert finished.json() == report  # it is kept


async def test_a_pass_has_a_signed_certificate(house: House, clock: Clock) -> None:
    report = await take(house, clock)
    assert (report["passed"], report["practice"], report["score"]["total"]) == (True, False, 100.0)
    key = report.pop("key")
    assert report["digest"] == hash_report(report)
    assert [part["part"] for part in report["score"]["parts"]][-1] == "shift"
    assert report["shift"]["right"] == report["shift"]["of"] >= 3
    certificate = report["certificate"]
    assert certificate.keys() == {
        *("learner", "rulebook", "score", "date", "audition", "signature"),
    }
    assert (certificate["learner"], certificate["score"]) == ("ann", 100.0)
    assert certificate["audition"] == report["audition"]
    public = house.app.service.signing_key.public_key
    text, signature = certificate_text(certificate), certificate["signature"]
    assert verify_signature(public, text, signature)
    assert '"score":100}' in text
    assert not verify_signature(public, text.replace("100}", "99}"), signature)
    page = await house.ask("GET", f"/school/certificates/{report['audition']}")
    assert page.status_code == 200
    assert "The signature is valid." in page.text
    assert signature in page.text
    hidden = (report["digest"], report["shift"]["shift"], report["shift"]["table"], report["seed"])
    assert not [text for text in (*hidden, key, "ttempt", "issed") if text in page.text]
    # The id is published now: without the key it gives what the certificate shows, and no more.
    path = f"{PATH}/{report['audition']}"
    for method, body in (("GET", None), ("POST", {})):
        asked = path if method == "GET" else f"{path}/finish"
        shown = (await house.ask(method, asked, body)).json()
        assert shown["certificate"] == certificate
        assert shown.keys() == {
            *("name", "date", "rulebook", "audition", "passed", "certificate", "score", "over"),
        }
        assert shown["score"] == {"total": 100.0}
        assert (await house.ask(method, asked, body, key)).json() == report
    assert (await house.ask("POST", f"{path}/shift", {})).status_code == 403
    table = await begin_shift(house, report["audition"], key)
    log = f"/api/tables/{table['table']}/log"
    assert "worked" in (await house.ask("GET", log, token=table["token"])).text


async def test_ids_of_auditions_and_shifts_cannot_be_guessed(house: House) -> None:
    """All 128 bits of each differ between any few of them: nothing is counted up or told twice."""
    ids = [(await begin(house, learner=f"ann {n}"))["audition"] for n in range(12)]
    shifts = [(await begin_shift(house, audition))["shift"] for audition in ids[:3]]
    assert all(re.fullmatch("[0-9a-f]{32}", one) for one in (*ids, *shifts))
    assert all(len(set(digits)) > 2 for digits in zip(*ids, strict=True))
    for near in (int(ids[0], 16) + 1, int(ids[0], 16) - 1):
        told = await house.ask("GET", f"{PATH}/{near:032x}")
        assert told.status_code == 404


async def test_nothing_is_told_of_the_shift_before_the_end(house: House, clock: Clock) -> None:
    begun = await begin(house)
    assert begun["shift"] == {"post": "base", "rolls": 5, "pace": 60, "begun": False, "over": False}
    audition = begun["audition"]
    shift = await begin_shift(house, audition)
    assert shift.keys() == {"shift", "table", "token"}
    assert await begin_shift(house, audition) == shift  # a lost reply loses nothing
    state = await deal(house, shift, right=False)
    assert (state["phase"], state["audition"], "answers" in state) == ("over", True, False)
    under_way = (await house.ask("GET", f"{PATH}/{audition}")).json()
    assert (under_way["shift"]["begun"], under_way["shift"]["over"]) == (True, True)
    report = (await house.ask("GET", f"/api/school/shifts/{shift['shift']}")).json()
    assert (report["over"], report["thrown"], "mistakes" in report) == (False, 5, False)
    assert not {audition, find_seed(house, audition)} & set(map(str, report.values()))
    # The token deals the shift; it does not read the log, in which the work is marked.
    log = f"/api/tables/{shift['table']}/log"
    assert (await house.ask("GET", log, token=shift["token"])).status_code == 401
    told = (await house.ask("POST", f"{PATH}/{audition}/finish", {})).json()
    assert told["shift"]["mistakes"]
    assert (await house.ask("GET", f"/api/school/shifts/{shift['shift']}")).json()["over"] is True


async def test_a_game_that_a_machine_deals_has_no_shift(house: House) -> None:
    begun = await begin(house, house='rulebook = "new-jersey"\ngame = "automated-craps"\n')
    assert begun["shift"] is None
    told = await house.ask("POST", f"{PATH}/{begun['audition']}/shift", {})
    assert (told.status_code, "machine" in told.text) == (400, True)
    told = await house.ask("POST", f"{PATH}/{begun['audition']}/finish", {})
    assert told.json()["shift"] is None


async def test_a_class_at_one_address_deals_its_shifts_at_once(house: House, clock: Clock) -> None:
    for n in range(4):  # One more than the shifts that an address may deal besides.
        await begin_shift(house, (await begin(house, learner=f"ann{n}"))["audition"])


async def test_the_shift_ends_with_the_time(house: House, clock: Clock) -> None:
    audition = (await begin(house))["audition"]
    shift = await begin_shift(house, audition)
    clock.turn(PROCTORED_MINUTES * 60 + 1)
    path = f"/api/school/shifts/{shift['shift']}"
    told = await house.ask("POST", f"{path}/dice-out", {}, shift["token"])
    assert (told.json()["phase"], told.json()["roll"]) == ("over", 0)
    report = (await house.ask("GET", f"{PATH}/{audition}")).json()
    assert (report["ended"], report["shift"]["thrown"]) == ("time", 0)


async def test_an_audition_ends_without_the_table_of_its_shift(house: House, clock: Clock) -> None:
    """An operator deletes old tables, and a learner may have left the shift half done."""
    token = (await house.ask("POST", "/api/school/learner", {"name": "ann"})).json()["token"]
    audition = (await begin(house, token))["audition"]
    shift = await begin_shift(house, audition, token)
    await house.app.service.store.delete_table(shift["table"])
    house.app.shifts._shifts.clear()  # The server was stopped meanwhile.
    running = (await house.ask("GET", f"{PATH}/{audition}", token=token)).json()
    assert running["shift"]["over"]
    clock.turn(PROCTORED_MINUTES * 60 + 1)
    told = await house.ask("GET", PATH, token=token)
    assert (told.status_code, told.json()["auditions"][0]["over"]) == (200, True)
    report = (await house.ask("GET", f"{PATH}/{audition}", token=token)).json()
    assert (report["shift"]["ended"], report["shift"]["thrown"]) == ("broken off", 0)


async def test_without_the_shift_nobody_passes(house: House, clock: Clock) -> None:
    report = await take(house, clock, shift=False)
    assert (report["score"]["total"], report["passed"]) == (80.0, False)
    assert report["shift"]["ended"] == "not begun"


async def test_a_learner_and_an_instructor_may_read_the_report(house: House, clock: Clock) -> None:
    report = await take(house, clock)
    path = f"{PATH}/{report['audition']}"
    body = {"name": "ivy"}
    ivy = (await house.ask("POST", "/api/school/instructor", body, KEY)).json()["token"]
    bob = (await house.ask("POST", "/api/school/learner", {"name": "bob"})).json()["token"]
    house.http.cookies.clear()
    assert "results" in (await house.ask("GET", path, token=ivy)).json()
    assert "results" not in (await house.ask("GET", path, token=bob)).json()
    assert (await house.ask("GET", path, token="x" * 40)).status_code == 401


async def test_a_forged_certificate_is_told(house: House, clock: Clock) -> None:
    report = await take(house, clock)
    certificate = report["certificate"]

    async def check(given: object) -> str:
        text = given if isinstance(given, str) else json.dumps(given)
        page = await house.ask("GET", "/school/certificates", params={"certificate": text})
        assert page.status_code == 200
        return page.text

    assert "The signature is valid." in await check(certificate)
    assert "The signature is valid." in await check({**certificate, "score": 100.0})  # one number
    for changed in ({"score": 99.5}, {"learner": "Eve"}, {"rulebook": "iowa"}, {"date": "now"}):
        page = await check({**certificate, **changed})
        ((name, value),) = changed.items()
        assert "Forged: the signature is not valid." in page
        assert f"{name.capitalize()}: it says <strong>{value}</strong>" in page
    assert "Forged" in await check({**certificate, "score": -5})
    elsewhere = await check({**certificate, "audition": "0" * 32, "rulebook": "no-such-book"})
    assert "Forged" in elsewhere
    huge = json.dumps({**certificate, "score": 10**400})
    for bad in ("{}", "x", "[1]", huge, '{"score": true}', json.dumps({**certificate, "more": 1})):
        assert "This is not a certificate" in await check(bad)
    assert "This is not" not in await check("")


async def test_a_certificate_that_was_changed_is_not_valid(
    house: House, clock: Clock, tmp_path: Path
) -> None:
    report = await take(house, clock)
    (path,) = tmp_path.glob(f"**/{report['audition']}/start.json")
    own_house = "dealt by a house file that the learner chose"
    page = (await house.ask("GET", f"/school/certificates/{report['audition']}")).text
    assert ("The signature is valid." in page, own_house in page) == (True, False)
    path.write_text(path.read_text("utf-8").replace('"house":""', '"house":"x"'), "utf-8")
    page = (await house.ask("GET", f"/school/certificates/{report['audition']}")).text
    assert own_house in page
    (path,) = tmp_path.glob(f"**/{report['audition']}/end.json")
    path.write_text(path.read_text("utf-8").replace('"learner":"ann"', '"learner":"bob"'), "utf-8")
    page = (await house.ask("GET", f"/school/certificates/{report['audition']}")).text
    assert "Forged: the signature is not valid." in page


async def test_no_certificate_without_a_pass(house: House, clock: Clock) -> None:
    report = await take(house, clock, wrong=20)
    assert (report["passed"], report["certificate"]) == (False, None)
    page = await house.ask("GET", f"/school/certificates/{report['audition']}")
    assert page.status_code == 404
    assert (await house.ask("GET", "/school/certificates/x")).status_code == 404
    under_way = await begin(house)
    page = await house.ask("GET", f"/school/certificates/{under_way['audition']}")
    assert page.status_code == 404


async def test_a_registered_name_needs_its_token_and_learns_from_it(
    house: House, clock: Clock
) -> None:
    told = await house.ask("POST", "/api/school/learner", {"name": "ann"})
    token = told.json()["token"]
    house.http.cookies.clear()
    assert (await house.ask("POST", PATH, {"learner": "ann"})).status_code == 401
    assert (await house.ask("POST", PATH, {"learner": "Ann "}, token)).status_code == 401
    begun = await begin(house, token)
    await send(house, begun["audition"], 1, {"paid": "1"})
    await house.ask("POST", f"{PATH}/{begun['audition']}/finish", {})
    progress = await house.ask("GET", "/api/school/progress", token=token)
    assert progress.json()["answers"] == 1
    listed = (await house.ask("GET", PATH, token=token)).json()["auditions"]
    assert [(one["audition"], one["passed"]) for one in listed] == [(begun["audition"], False)]
    assert (await house.ask("GET", PATH)).status_code == 401


@pytest.mark.parametrize(
    "body",
    [
        *({}, {"learner": ""}, {"learner": 7}, {"learner": "ann", "rulebook": "x"}, []),
        {"learner": "ann", "seed": "7"},
        {"learner": "ann", "house": "x"},
        {"learner": "x" * 99},
    ],
)
async def test_what_cannot_begin_is_told(house: House, body: object) -> None:
    told = await house.ask("POST", PATH, body)
    assert (told.status_code, bool(told.json()["error"])) == (400, True)


async def test_a_house_file_has_its_audition(house: House) -> None:
    begun = await begin(house, house='rulebook = "iowa"\nname = "Corner"\n')
    told = await house.ask("POST", f"{PATH}/{begun['audition']}/finish", {})
    assert (told.json()["house"], told.json()["rulebook"]) == ("Corner", "iowa")
    assert (told.json()["answered"], told.json()["ended"]) == (0, "finished")


async def test_the_answers_of_an_audition_are_practiced_if_its_end_was_cut_short(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    """They are saved before the end is, so that a finish that is sent again saves them."""
    token = (await house.ask("POST", "/api/school/learner", {"name": "ann"})).json()["token"]
    audition = (await begin(house, token))["audition"]
    assert (await send(house, audition, 1, None, said="nothing")).status_code == 200

    async def fail(name: str, answer: object) -> None:
        raise ServiceError("unavailable", "killed")

    with monkeypatch.context() as cut:
        cut.setattr(house.app.school.learners, "save_answer", fail)
        finish = f"{PATH}/{audition}/finish"
        assert (await house.ask("POST", finish, {})).status_code == 503
    for _ in range(2):
        assert (await house.ask("POST", finish, {})).status_code == 200
        progress = await house.ask("GET", "/api/school/progress", token=token)
        assert progress.json()["answers"] == 1
