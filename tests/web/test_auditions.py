"""Proctored auditions over HTTP: no answers before the end, the server's time, all is kept."""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import httpx
import pytest

from passline.live.signing_key import verify_signature
from passline.school.audition import AUDITION_MINUTES, hash_report, make_audition
from passline.school.certificates import certificate_text
from passline.web.school.questions import HouseChoice, compile_house_layout
from tests.web.conftest import House

pytestmark = pytest.mark.anyio
PATH = "/api/school/auditions"
NOON = datetime(2026, 11, 18, 12, tzinfo=UTC)


class Clock:
    """A clock that a test turns."""

    def __init__(self, house: House) -> None:
        self.now = NOON
        house.app.school.learners.now = lambda: self.now

    def turn(self, seconds: float) -> None:
        self.now += timedelta(seconds=seconds)


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


async def take(house: House, clock: Clock, seconds: float = 5, wrong: int = 0) -> dict[str, Any]:
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
    told = await house.ask("POST", f"{PATH}/{audition}/finish", {})
    assert told.status_code == 200, told.text
    report: dict[str, Any] = told.json()
    return report


async def test_questions_come_without_answers_and_without_the_seed(house: House) -> None:
    begun = await begin(house)
    assert begun["minutes"] == AUDITION_MINUTES
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
    bad = await send(house, audition, n, {"paid": "ten"}, again=True)
    assert (bad.status_code, "the payoff" in bad.text) == (400, True)
    assert (await send(house, audition, n, {"paid": "10"}, again=True)).status_code == 200


async def test_the_server_keeps_the_time(house: House, clock: Clock) -> None:
    begun = await begin(house)
    audition = begun["audition"]
    clock.turn(20)
    assert (await send(house, audition, 2, None)).json()["left"] == AUDITION_MINUTES * 60 - 20
    clock.turn(7)
    await send(house, audition, 1, "x")
    clock.turn(AUDITION_MINUTES * 60)
    late = await send(house, audition, 3, "x")
    assert (late.status_code, "over" in late.json()["error"]) == (409, True)
    report = (await house.ask("GET", f"{PATH}/{audition}")).json()
    assert (report["ended"], report["answered"], report["passed"]) == ("time", 1, False)
    assert [one["seconds"] for one in report["results"][:3]] == [7.0, 20.0, None]
    assert report["date"] == f"{NOON + timedelta(minutes=AUDITION_MINUTES):%Y-%m-%dT%H:%M:%SZ}"
    finished = await house.ask("POST", f"{PATH}/{audition}/finish", {})
    assert finished.json() == report  # it is kept


async def test_a_pass_has_a_signed_certificate(house: House, clock: Clock) -> None:
    report = await take(house, clock)
    assert (report["passed"], report["practice"], report["score"]["total"]) == (True, False, 100.0)
    assert report["digest"] == hash_report(report)
    certificate = report["certificate"]
    assert certificate.keys() == {
        *("learner", "rulebook", "score", "date", "audition", "signature"),
    }
    assert (certificate["learner"], certificate["score"]) == ("ann", 100.0)
    assert certificate["audition"] == report["audition"]
    public = house.app.service.signing_key.public_key
    text, signature = certificate_text(certificate), certificate["signature"]
    assert verify_signature(public, text, signature)
    assert not verify_signature(public, text.replace("100.0", "99.0"), signature)
    page = await house.ask("GET", f"/school/certificates/{report['audition']}")
    assert page.status_code == 200
    assert "The signature is valid." in page.text
    assert signature in page.text


async def test_a_certificate_that_was_changed_is_not_valid(
    house: House, clock: Clock, tmp_path: Path
) -> None:
    report = await take(house, clock)
    (path,) = tmp_path.glob(f"**/{report['audition']}/end.json")
    path.write_text(path.read_text("utf-8").replace('"learner":"ann"', '"learner":"bob"'), "utf-8")
    page = (await house.ask("GET", f"/school/certificates/{report['audition']}")).text
    assert "The signature is not valid." in page


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
