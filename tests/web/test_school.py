"""The school over HTTP: answers never leak, bad ones are told so, a learner's data is his own."""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import httpx
import pytest
from markupsafe import escape
from msgspec.structs import replace

from passline.game.house.load import house_for
from passline.game.layout.compile import compile_layout
from passline.school.answer_log import AnswerLog, AnswerRecord, FileAnswerStore
from passline.school.drills import list_drill_names, load_drill
from passline.school.learner_tokens import FileLearnerTokens, SchoolTokenHolder
from passline.school.lessons.lesson_files import list_lesson_ids
from passline.school.question_types import LEVELS, DrillSetup
from passline.school.questions_and_grades import make_questions
from passline.web.request_limits import RateLimiter
from passline.web.school.learners import ClassReport
from tests.web.conftest import BASE, KEY, House

pytestmark = pytest.mark.anyio

ASKED = {"drill": "payoffs", "rulebook": "dealer-school", "level": 1, "seed": "7", "n": 1}


async def answer(house: House, given: object, token: str = "", **more: object) -> httpx.Response:
    body = {**ASKED, "answer": given, **more}
    return await house.ask("POST", "/api/school/answer", body, token)


async def begun(house: House, name: str = "ann") -> str:
    told = await house.ask("POST", "/api/school/learner", {"name": name})
    assert told.status_code == 201, told.text
    house.http.cookies.clear()  # here a token is shown by hand
    return str(told.json()["token"])


async def sheet(house: House, **more: object) -> dict[str, Any]:
    asked = {"drill": "payoffs", "level": 1, "seed": "7", **more}
    told = await house.ask("GET", "/api/school/questions", params=asked)
    assert told.status_code == 200, told.text
    found: dict[str, Any] = told.json()["questions"][0]
    return found


@pytest.mark.parametrize("drill", list_drill_names())
async def test_a_question_never_holds_its_answer(house: House, drill: str) -> None:
    """Nothing of the answer, what is said to it or its clauses stands in what is sent."""
    asked = await sheet(house, drill=drill, level=2, seed="4")
    marked = (await answer(house, None, drill=drill, level=2, seed="4")).json()
    assert set(asked) == {
        *("n", "drill", "ask", "given", "hint", "fields", "stacks", "bank", "felt", "wagers"),
        *("facts", "steps", "phrases"),
    }
    assert marked["right"] is False
    assert marked["answer"]
    text = json.dumps(asked)
    assert not [cite for cite in marked["cite"] if cite in text]
    told = [words for words in marked["explain"] if words not in asked["given"].get("choices", ())]
    assert not [words for words in told if words in text]
    for name in {"paid", "vig", "most", "repeat", "steps", "call", "facts", "key", "wrong"}:
        assert name not in asked["given"]


async def test_days_are_those_of_the_learners_zone(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The browser tells its zone: its own midnight begins a day, that of UTC does not."""
    token, now = await begun(house), datetime(2026, 11, 20, 23, 58, tzinfo=UTC)
    monkeypatch.setattr(house.app.school.learners, "now", lambda: now)

    async def is_known(id_: str) -> bool:
        told = await answer(house, {"paid": paid}, token, seconds=9, zone=-480, id=id_)
        assert told.json()["right"] is True
        found = (await house.ask("GET", "/api/school/progress", token=token)).json()
        return any(clause["known"] for clause in found["clauses"])

    paid = (await answer(house, None)).json()["answer"]["paid"]
    assert not await is_known("a1")
    now += timedelta(minutes=5)  # 16:03 in Las Vegas, and tomorrow in UTC.
    assert not await is_known("a2")
    now += timedelta(hours=8)
    assert await is_known("a3")
    for zone in ("841", "-841", "x", "1.5", "9999999"):
        told = await house.ask("GET", "/api/school/practice", params={"zone": zone}, token=token)
        assert told.status_code == 400, zone
    told = await house.ask("GET", "/api/school/practice", params={"zone": "-480"}, token=token)
    assert told.status_code == 200


async def test_whose_bet_it_is_stands_nowhere(house: House) -> None:
    """A stack that is asked about has nobody's name on it, in the picture either."""
    for n in range(1, 20):
        found = await sheet(house, drill="positions", level=2, seed="1", **{"from": n})
        if "felt" in found["given"]:
            assert 'data-player=""' in found["felt"]["svg"]
            names = [choice.partition(",")[0] for choice in found["given"]["choices"]]
            assert not [name for name in names if f"{name}: " in found["felt"]["svg"]]
            return
    raise AssertionError("no such question was asked")


async def test_an_answer_is_marked(house: House) -> None:
    asked = (await answer(house, None)).json()
    right = await answer(house, asked["answer"])
    assert (right.json()["right"], right.json()["kept"]) == (True, False)
    wrong = (await answer(house, {"paid": "1.00"})).json()
    assert wrong["right"] is False
    assert wrong["because"]
    assert wrong["explain"]
    assert wrong["missed"] == wrong["cite"] == asked["cite"]
    assert wrong["stack"]["words"]
    said = await house.ask("POST", "/api/school/answer", {**ASKED, "said": asked["answer"]["paid"]})
    assert said.json()["right"] is True
    book, _, clause = wrong["cite"][0].partition(":")
    assert (await house.ask("GET", f"/law/{book}/{clause}")).status_code == 200


BAD: list[object] = [
    *(None, "", "ten", -1, 1e308, 10**40, True, [], {}, [[[]]], {"paid": "-5"}, {"paid": {}}),
    *({"chips": "many"}, {"chips": {"red": -3}}, {"chips": {"red": 10**30}}, {"chips": [1]}),
    *({"steps": "x"}, {"choice": 99}, {"wrong": [0]}, {"call": 7}, {"x": "\u202e"}, "\x00"),
]


@pytest.mark.parametrize("drill", ["payoffs", "order", "calls", "positions", "groups", "press"])
async def test_whatever_is_answered_is_wrong_at_worst(house: House, drill: str) -> None:
    for given in BAD:
        told = await answer(house, given, drill=drill)
        assert told.status_code == 200, (given, told.text)
        assert told.json()["right"] is False, given


async def test_a_page_is_told_what_is_no_answer_and_nothing_is_counted(house: House) -> None:
    token = await begun(house)
    bad: list[object] = [
        {"paid": "plenty"},
        {"chips": {"red": -1}},
        {"paid": "-5"},
        {"paid": "\u0661"},
    ]
    for given in [*bad, []]:
        told = await answer(house, given, token, again=True)
        assert told.status_code == 400, given
        assert told.json()["error"]
    assert (await house.ask("GET", "/api/school/progress", token=token)).json()["answers"] == 0
    for drill in list_drill_names():
        told = await answer(house, {"x": 1}, drill=drill, again=True)
        assert (told.status_code, told.json().get("right")) in ((400, None), (200, False)), drill
    assert (await answer(house, None, token, again=True)).json()["right"] is False


@pytest.mark.parametrize(
    "body",
    [
        *({**ASKED, "drill": "poker"}, {**ASKED, "rulebook": "../house.toml"}, {"drill": 7}),
        *({**ASKED, "level": 0}, {**ASKED, "level": 9}, {**ASKED, "level": "x"}, [], "x", None),
        *({**ASKED, "seed": ""}, {**ASKED, "seed": "x" * 99}, {**ASKED, "seed": "a\nb"}),
        *({**ASKED, "n": 0}, {**ASKED, "n": 10**9}, {**ASKED, "more": 1}, {}, {**ASKED, "id": "é"}),
        {**ASKED, "said": "what?"},
        {**ASKED, "said": "x" * 5000},
    ],
)
async def test_what_cannot_be_asked_is_told(house: House, body: object) -> None:
    token = await begun(house)
    told = await house.ask("POST", "/api/school/answer", content=json.dumps(body), token=token)
    assert told.status_code == 400, told.text
    assert told.json()["error"]
    assert (await house.ask("GET", "/api/school/progress", token=token)).json()["answers"] == 0


async def test_odd_questions_are_told(house: House) -> None:
    for query in ("drill=x", "level=x", "count=0", "count=99", "from=0", "rulebook=/etc/passwd"):
        told = await house.ask("GET", f"/api/school/questions?drill=keys&{query}")
        assert told.status_code == 400 or query == "drill=x", query
    deep = "[" * 9000 + "]" * 9000
    body = '{"drill": "payoffs", "answer": ' + deep[:7000] + "}"
    told = await house.ask("POST", "/api/school/answer", content=body)
    assert told.status_code == 400
    huge = await house.ask("POST", "/api/school/answer", content=b"x" * 20_000)
    assert huge.status_code == 413


async def test_progress_is_kept_for_who_holds_the_token(house: House) -> None:
    token = await begun(house)
    right = (await answer(house, None)).json()["answer"]
    for _ in range(2):  # sent twice, it is kept once
        told = await answer(house, right, token, seconds=4, id="one", name="ann")
        assert told.json()["kept"] is True
    assert (await answer(house, {"paid": "1"}, token, n=2, seconds="x")).json()["kept"] is True
    progress = (await house.ask("GET", "/api/school/progress", token=token)).json()
    assert (progress["answers"], progress["right"]) == (2, 1)
    assert {one["drill"] for one in progress["clauses"]} == {"payoffs"}
    exported = (await house.ask("GET", "/api/school/export", token=token)).json()
    assert [one["n"] for one in exported["answers"]] == [1, 2]
    assert exported["answers"][0]["seconds"] == 4.0
    due = await house.ask("GET", "/api/school/practice", token=token)
    assert due.json()["question"]["ask"]


async def test_a_learners_data_is_his_own(house: House) -> None:
    """Somebody else neither reads it, nor adds to it, nor deletes it, nor takes the name."""
    ann, bob = await begun(house), await begun(house, "bob")
    await answer(house, {"paid": "1"}, ann)
    for method, path in (
        ("GET", "progress"),
        ("GET", "export"),
        ("GET", "practice"),
        ("DELETE", "learner"),
    ):
        assert (await house.ask(method, f"/api/school/{path}")).status_code == 401
        nobody = await house.ask(method, f"/api/school/{path}", token="f" * 48)
        assert nobody.status_code == 401
    assert (await house.ask("GET", "/api/school/progress", token=bob)).json()["answers"] == 0
    assert (await answer(house, {"paid": "1"}, bob, name="ann")).status_code == 401
    assert (await answer(house, {"paid": "1"}, name="ann")).status_code == 401
    for name in ("ann", " Ann ", "ANN"):
        taken = await house.ask("POST", "/api/school/learner", {"name": name})
        assert taken.status_code == 409
    for name in ("", "x" * 99, "a\u0430b", "a\x00"):
        assert (await house.ask("POST", "/api/school/learner", {"name": name})).status_code == 400
    assert (await house.ask("DELETE", "/api/school/learner", token=ann)).status_code == 204
    assert (await house.ask("GET", "/api/school/progress", token=ann)).status_code == 401
    again = await begun(house)
    assert (await house.ask("GET", "/api/school/progress", token=again)).json()["answers"] == 0


async def test_tokens_are_kept_as_hashes(tmp_path: Path) -> None:
    keys = FileLearnerTokens(tmp_path)
    assert keys.holder("a" * 40) is None
    assert keys.take("a" * 40, SchoolTokenHolder("Ann"))
    assert not keys.take("b" * 40, SchoolTokenHolder("ann"))
    assert keys.holder("a" * 40) == SchoolTokenHolder("Ann")
    kept = [file.name + file.read_text("utf-8") for file in tmp_path.rglob("*") if file.is_file()]
    assert len(kept) == 2
    assert not [text for text in kept if "a" * 40 in text]
    keys.drop("ANN")
    assert keys.holder("a" * 40) is None
    assert keys.take("b" * 40, SchoolTokenHolder("ann", "instructor"))


async def test_a_browser_keeps_it_in_a_cookie(house: House) -> None:
    told = await house.ask("POST", "/api/school/learner", {"name": "cat", "token": "c" * 40})
    cookie = told.headers["set-cookie"]
    assert "HttpOnly" in cookie
    assert "Path=/api/school" in cookie
    assert "SameSite=Strict" in cookie
    own = {"Origin": BASE}
    me = await house.ask("GET", "/api/school/learner")
    assert me.json() == {"name": "cat", "role": "learner"}
    kept = await house.ask("POST", "/api/school/answer", ASKED, headers=own)
    assert kept.json()["kept"] is True
    for headers in ({}, {"Origin": "null"}, {"sec-fetch-site": "cross-site"}):
        foreign = await house.ask("DELETE", "/api/school/learner", {}, headers=headers)
        assert foreign.status_code == 403
    again = await house.ask(
        "POST", "/api/school/learner", {"name": "cat", "token": "c" * 40}, headers=own
    )
    assert again.status_code == 201  # the same request, sent twice
    gone = await house.ask("DELETE", "/api/school/learner", {}, headers=own)
    assert gone.status_code == 204


async def test_a_class_is_for_its_instructor(house: House) -> None:
    ann, path = await begun(house), "/api/school/class"
    await answer(house, {"paid": "1"}, ann)
    asked = {"name": "ivy"}
    assert (await house.ask("POST", "/api/school/instructor", asked)).status_code == 401
    assert (await house.ask("POST", "/api/school/instructor", asked, ann)).status_code == 401
    token = (await house.ask("POST", "/api/school/instructor", asked, KEY)).json()["token"]
    assert (await house.ask("GET", path)).status_code == 401
    assert (await house.ask("GET", path, token=ann)).status_code == 403
    for key in (KEY, token):
        told = (await house.ask("GET", path, token=key)).json()
        assert [row["name"] for row in told["learners"]] == ["ann"]
        assert told["missed"][0]["missed"] == 1
    lost = await house.ask("POST", "/api/school/learner/token", {"name": "ann"}, KEY)
    fresh = lost.json()["token"]
    assert (await house.ask("GET", "/api/school/progress", token=fresh)).json()["answers"] == 1
    assert (await house.ask("GET", "/api/school/progress", token=ann)).status_code == 401
    assert (
        await house.ask("POST", "/api/school/learner/token", {"name": "ann"})
    ).status_code == 401
    lost = await house.ask("POST", "/api/school/learner/token", asked, KEY)
    assert (await house.ask("GET", path, token=token)).status_code == 401
    assert (await house.ask("GET", path, token=lost.json()["token"])).status_code == 200


async def test_the_pages(house: House) -> None:
    for path in (
        *("", "/practice", "/progress", "/class", "/audition", "/drill/payoffs?level=3"),
        *(f"/{lesson}" for lesson in list_lesson_ids()),
        f"/{list_lesson_ids()[1]}?rulebook=iowa",
    ):
        page = await house.ask("GET", f"/school{path}")
        assert page.status_code == 200, path
    home = (await house.ask("GET", "/school")).text
    assert all(f"/school/drill/{drill}" in home for drill in list_drill_names())
    assert all(f'"/school/{lesson}"' in home for lesson in list_lesson_ids())
    assert (await house.ask("GET", "/school/nothing")).status_code == 404
    assert (await house.ask("GET", "/school/drill/nothing")).status_code == 404
    for query in ("level=x", "level=7", "rulebook=x", "seed="):
        assert (await house.ask("GET", f"/school/drill/keys?{query}")).status_code == 400
    drill = (await house.ask("GET", '/school/drill/keys?seed="><b>')).text
    assert "<b>" not in drill
    assert max(LEVELS) == 5


async def test_one_address_is_paced(house: House) -> None:
    house.app.school.request_limiter = RateLimiter(2, seconds=60)
    codes = [(await answer(house, None, drill="terms")).status_code for _ in range(3)]
    assert codes == [200, 200, 429]


HOUSE = 'rulebook = "dealer-school"\nname = "Corner & Co"\nodds.multiple = 10\n'


async def test_a_house_file_is_drilled_as_at_the_prompt(house: House, tmp_path: Path) -> None:
    """The same questions, the same marks; in a drill and a day's practice."""
    file = tmp_path / "corner.toml"
    file.write_text(HOUSE, "utf-8")
    setup = DrillSetup(compile_layout(house_for(str(file))), 2)
    questions = make_questions(load_drill("limits"), setup, "5", 3)
    asked = {"drill": "limits", "level": 2, "seed": "5", "house": HOUSE}
    path = "/api/school/questions"
    told = (await house.ask("GET", path, params={**asked, "count": 3})).json()
    assert [one["given"] for one in told["questions"]] == [one.given for one in questions]
    assert (told["rulebook"], told["house"]) == ("dealer-school", HOUSE.strip())
    plain = (await house.ask("GET", path, params={**asked, "house": ""})).json()
    assert "house" not in plain
    for n, question in enumerate(questions, 1):
        body = {**asked, "n": n, "answer": question.answer}
        assert (await house.ask("POST", "/api/school/answer", body)).json()["right"] is True
    token = await begun(house)
    due = await house.ask("GET", "/api/school/practice", params={"house": HOUSE}, token=token)
    assert (due.json()["house"], due.json()["why"]) == (HOUSE.strip(), "new")
    page = await house.ask("GET", "/school/drill/limits", params=asked)
    assert "Corner &amp; Co" in page.text
    assert (await house.ask("GET", "/school/field", params={"house": HOUSE})).status_code == 200


async def test_a_house_that_no_book_allows_is_told_and_not_lost(house: House) -> None:
    for bad in ("x", 'rulebook = "x"', f"{HOUSE}table.minimum = -4", "[" * 500, "#" * 7000):
        asked = {"drill": "limits", "house": bad}
        assert (await house.ask("GET", "/api/school/questions", params=asked)).status_code == 400
        told = await house.ask("POST", "/api/school/answer", {**ASKED, "house": bad})
        assert (told.status_code, bool(told.json()["error"])) == (400, True)
        for path in ("drill/limits", "practice", "audition", "field"):
            page = await house.ask("GET", f"/school/{path}", params={"house": bad})
            assert page.status_code == 400
            assert escape(bad[:400]) in page.text
            assert 'role="alert"' in page.text
            assert '<textarea id="house"' in page.text  # to be mended there
    lesson = await house.ask("GET", "/school/field", params={"house": HOUSE})
    assert (lesson.status_code, escape(HOUSE.strip()) in lesson.text) == (200, True)


async def test_a_class_is_summed_up_when_something_changed(tmp_path: Path) -> None:
    read = list[str]()

    class Counted(FileAnswerStore):
        def read(self, learner: str) -> AnswerLog:
            read.append(learner)
            return super().read(learner)

    reviews = Counted(tmp_path)
    book = ClassReport(reviews)
    at = datetime(2026, 11, 16, tzinfo=UTC)
    one = AnswerRecord(at=at, drill="keys", right=False, clauses=("b:a",), missed=("b:a",), id="1")
    for name in ("ann", "bob"):
        reviews.append(name, one)
    first = book.to_json()
    assert (first["missed"], read) == (
        [{"clause": "b:a", "missed": 2, "of": 2, "learners": 2}],
        ["ann", "bob"],
    )
    assert book.to_json() == first
    reviews.append("bob", replace(one, id="2", right=True, missed=()))
    assert book.to_json()["learners"][1]["right"] == 1
    assert read == ["ann", "bob", "bob"]
    reviews.delete("ann")
    assert [row["name"] for row in book.to_json()["learners"]] == ["bob"]


async def test_work_at_a_post_is_kept_for_who_holds_the_token(house: House) -> None:
    token = await begun(house)
    body = {"table": "none", "seq": 1, "receipt": "x"}
    assert (await house.ask("POST", "/api/school/work", body)).status_code == 401
    assert (await house.ask("POST", "/api/school/work", body, token)).status_code == 404
    for bad in ({}, {**body, "seq": "x"}, {**body, "more": 1}):
        assert (await house.ask("POST", "/api/school/work", bad, token)).status_code == 400


async def test_a_visitor_practices_without_a_name(house: House) -> None:
    """The answers of the visit come with the request: a miss is asked again, nothing is saved."""
    first = await house.ask("POST", "/api/school/practice", {"answers": []})
    assert first.json()["why"] == "new"
    asked = {name: first.json()[name] for name in ("drill", "rulebook", "level", "seed")}
    n = first.json()["question"]["n"]
    marked = (await house.ask("POST", "/api/school/answer", {**asked, "n": n})).json()
    long_ago = {"at": "2026-01-01T12:00:00Z", "right": False, "clauses": marked["cite"]}
    record = {**asked, **long_ago, "n": n, "missed": marked["missed"], "seconds": 5}
    again = await house.ask("POST", "/api/school/practice", {"answers": [record]})
    assert (again.json()["why"], again.json()["drill"]) == ("due", asked["drill"])
    wrong: list[dict[str, Any]] = [{"answers": [{}]}, {"rulebook": "x"}, {"answers": 7}]
    for bad in [*wrong, {"more": 1}]:
        assert (await house.ask("POST", "/api/school/practice", bad)).status_code == 400


async def test_progress_says_what_comes_next(house: House) -> None:
    token = await begun(house)
    before = (await house.ask("GET", "/api/school/progress", token=token)).json()
    assert before["next"]["path"] == f"/school/{list_lesson_ids()[0]}"
    gates = before["lessons"][0]["gates"]
    assert [gate["passed"] for gate in gates] == [False] * len(gates)
    drill = (await house.ask("GET", "/school/drill/terms?lesson=words-of-the-trade")).text
    assert 'data-next="/school/' in drill
    lesson = (await house.ask("GET", f"/school/{list_lesson_ids()[0]}")).text
    assert f"lesson={list_lesson_ids()[0]}" in lesson
