"""The audition: the same for everybody, scored by its rubric, reported so that it can be filed."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections import Counter
from datetime import UTC, datetime
from functools import cache
from html import unescape
from itertools import pairwise
from typing import Any

import msgspec
import pytest

from passline.game.house.load import house_for
from passline.game.layout.compile import compile_layout
from passline.game.layout.spots import Layout
from passline.game.table.table_ends import PLACES
from passline.record.deal import deal_text
from passline.school.audition import (
    AUDITION_LEVEL,
    PART_WEIGHTS,
    Audition,
    AuditionEnd,
    AuditionReport,
    TimedAnswer,
    format_report,
    grade_audition,
    hash_report,
    list_audition_parts,
    make_audition,
    make_report,
    measure_speed,
    read_seconds,
)
from passline.school.audition_html import render_report
from passline.school.drills import load_drill
from passline.school.question_types import DrillSetup
from passline.school.question_work import find_question_work, list_open_bets

ELSEWHERE = """
from passline.game.house.load import house_for
from passline.game.layout.compile import compile_layout
from passline.school.audition import make_audition
print(make_audition(compile_layout(house_for("dealer-school")), "7").digest)
"""
NOW = datetime(2026, 11, 16, 12, tzinfo=UTC)


@cache
def felt(book: str = "dealer-school") -> Layout:
    return compile_layout(house_for(book))


@cache
def held(seed: str = "7", book: str = "dealer-school") -> Audition:
    return make_audition(felt(book), seed)


def report_of(
    given: list[TimedAnswer],
    minutes: float = 15,
    ended: AuditionEnd = "finished",
    name: str = "ann",
) -> AuditionReport:
    scored = grade_audition(felt(), held(), given, minutes)
    return make_report(held(), scored, name=name, at=NOW, minutes=minutes, ended=ended)


def right(seconds: float | None = 3.0) -> list[TimedAnswer]:
    return [TimedAnswer(question.answer, seconds) for question in held().questions]


def wrong(seconds: float | None = 3.0) -> list[TimedAnswer]:
    return [TimedAnswer("nothing at all", seconds) for _ in held().questions]


def test_the_same_seed_is_the_same_audition() -> None:
    again = make_audition(compile_layout(house_for("dealer-school")), "7")
    assert again == held()
    assert again.digest == held().digest
    other = {**os.environ, "PYTHONHASHSEED": "3"}
    elsewhere = subprocess.run(
        [sys.executable, "-c", ELSEWHERE], capture_output=True, text=True, env=other, check=True
    )
    assert elsewhere.stdout.strip() == again.digest
    assert held("8").digest != held().digest
    assert held("7", "iowa").digest != held().digest


def test_it_is_a_mixed_game_on_one_end_of_one_table() -> None:
    questions = held().questions
    assert Counter(question.drill for question in questions) == {
        name: part.count for name, part in list_audition_parts().items()
    }
    assert [question.n for question in questions] == [*range(1, len(questions) + 1)]
    minutes = sum(load_drill(question.drill).seconds for question in questions) / 60
    assert 14 <= minutes <= 17
    assert sum(question.drill == "booking" for question in questions) == 3
    played = [q.given for q in questions if q.drill != "booking"]  # a call has its own table
    records = [given["record"] for given in played if "record" in given]
    for early, late in pairwise(records):
        assert late.startswith(early.rstrip("\n"))  # one game, further on
    table = deal_text(records[-1]).table
    assert len(table.seats) >= 4
    assert all(seat.place <= PLACES // 2 for seat in table.seats)


def test_payoffs_are_those_of_wagers_on_that_table() -> None:
    setup = DrillSetup(felt(), AUDITION_LEVEL)
    lay: set[tuple[str, str, str]] = set()
    for question in held().questions:
        work = find_question_work(setup, question)
        if work is not None:
            lay |= {(w.player, w.wager, w.amount) for w in list_open_bets(setup, work)}
    paid = [q.given for q in held().questions if q.drill == "payoffs"]
    found = [(each["player"], each["wager"], each["stake"]) in lay for each in paid]
    assert sum(found) >= len(found) / 2  # the others lay there at throws that are asked otherwise


@pytest.mark.parametrize("book", ["new-jersey", "section-2", "maryland-crapless"])
def test_every_book_has_its_audition_and_its_own_answers_are_right(book: str) -> None:
    audition = held("1", book)
    given = [TimedAnswer(question.answer, 2.0) for question in audition.questions]
    scored = grade_audition(felt(book), audition, given, 15)
    assert [each.because for each in scored if not each.right] == []
    assert len(scored) > 20


def test_where_a_machine_throws_nothing_is_called_and_the_rest_counts() -> None:
    automated = compile_layout(house_for("new-jersey", "automated-craps"))
    audition = make_audition(automated, "1")
    assert {question.drill for question in audition.questions} == list_audition_parts().keys() - {
        "calls"
    }


def test_the_extremes() -> None:
    best = report_of(right())
    assert (best.score.total, best.passed, best.missed) == (100.0, True, ())
    assert [(part.part, part.points) for part in best.score.parts] == [
        (part, weight) for part, weight in PART_WEIGHTS.items() if part != "shift"
    ]
    worst = report_of(wrong())
    assert (worst.score.total, worst.passed) == (0.0, False)
    assert worst.missed
    nothing = report_of([])
    assert (nothing.score.total, nothing.answered, nothing.missed) == (0.0, 0, ())
    assert {each.because for each in nothing.results} == {"not reached"}


def test_speed_counts_right_answers_only_and_not_without_a_clock() -> None:
    slow = report_of(right(60.0), minutes=60)
    assert 80 < slow.score.total < 100
    fast = [TimedAnswer("wrong", 0.5) if n % 2 else each for n, each in enumerate(right())]
    whole, half = (measure_speed(report_of(given).results) for given in (right(), fast))
    assert whole.share == 1.0
    assert half.share == half.earned / whole.pace < 0.7
    points = {part.part: part.points for part in report_of(fast).score.parts}
    assert points["speed"] == pytest.approx(PART_WEIGHTS["speed"] * half.share, abs=0.01)
    saved = right(0.5)  # All were worked out before the first was sent.
    saved[0] = msgspec.structs.replace(saved[0], seconds=1800.0)
    points = {part.part: part.points for part in report_of(saved, minutes=60).score.parts}
    assert points["speed"] < 0.6 * PART_WEIGHTS["speed"]
    untimed = report_of(right(600.0), minutes=0)
    assert untimed.score.total == 100.0
    assert [part.part for part in untimed.score.parts] == ["accuracy", "procedure"]
    assert report_of(right(None)).score.total == 100.0  # answers that nobody timed


def test_speed_is_not_won_by_skipping_guessing_or_the_order_of_sending() -> None:
    """A learner who takes twice a dealer's time gains by right answers in less time only."""
    paces = [float(load_drill(each.drill).seconds) for each in held().questions]
    honest = [TimedAnswer(each.answer, 2 * pace) for each, pace in zip(right(), paces, strict=True)]
    share = measure_speed(report_of(honest, minutes=60).results).share
    assert share == 0.5
    half = len(honest) // 2
    skipped = [*honest[:half], *[TimedAnswer(None, 0.0)] * (len(honest) - half)]
    guessed = [*honest[:half], *[TimedAnswer("wrong", 0.0)] * (len(honest) - half)]
    spread = [TimedAnswer(each.answer, 2 * sum(paces) / len(paces)) for each in honest]
    left_out = honest[:half]
    for other in (skipped, guessed, spread, left_out):
        assert measure_speed(report_of(other, minutes=60).results).share <= share + 0.001
    one = [honest[0]]
    assert measure_speed(report_of(one, minutes=60).results).share < 0.1


def test_what_comes_after_time_is_not_counted() -> None:
    late = report_of(right(60.0), minutes=10)
    assert [each.late for each in late.results] == [n > 10 for n in range(1, 31)]
    assert sum(each.right for each in late.results) == 10
    assert not late.passed
    assert late.results[-1].because.startswith("after the time limit; ")
    assert late.results[-1].missed == held().questions[-1].cite


def test_nobody_passes_who_pays_wrongly() -> None:
    given = [
        TimedAnswer("wrong", 1.0)
        if question.drill in ("press", "lines")
        else TimedAnswer(question.answer, 1.0)
        for question in held().questions
    ]
    report = report_of(given)
    accuracy = report.score.parts[0]
    assert accuracy.right / accuracy.of < 0.75
    assert not report.passed


def test_one_that_was_broken_off_is_not_passed_and_keeps_its_answers() -> None:
    report = report_of(right()[:28], ended="broken off")
    assert report.score.total > 80
    assert not report.passed
    assert report.answered == 28
    text = "\n".join(format_report(report))
    assert "broken off" in text
    assert "NOT PASSED" in text


def test_the_report_names_who_what_when_and_each_clause() -> None:
    given = [TimedAnswer(None), TimedAnswer({"paid": "1.00"}, 4.0), *right()[2:]]
    report = report_of(given)
    data: dict[str, Any] = json.loads(json.dumps(report.to_json()))
    assert (data["name"], data["seed"], data["rulebook"]) == ("ann", "7", "dealer-school")
    assert data["date"] == "2026-11-16T12:00:00Z"
    assert data["digest"] == hash_report(data)
    assert hash_report({**data, "name": "bob"}) != data["digest"]
    first, second = held().questions[:2]
    named = {missed["clause"] for missed in data["missed"]}
    assert named >= {*first.cite, *second.cite}
    assert all(missed["rule"] for missed in data["missed"])
    text = "\n".join(format_report(report))
    page = render_report(report)
    for clause in named:
        assert clause in text
        assert clause in page
    assert report.digest in page
    assert report.digest[:16] in text


def test_what_somebody_wrote_is_text_on_the_page() -> None:
    given = [TimedAnswer({"paid": "<img src=x onerror=alert(1)>"}, 1.0)]
    page = render_report(report_of(given, name="<script>&'\"</script>"))
    assert "<script>" not in page
    assert "<img" not in page
    assert "<script>&'\"</script>" in unescape(page)
    assert "http" not in page


@pytest.mark.parametrize("answer", [[[]], {"steps": [{"act": "take"}]}, 10**30])
def test_any_answer_can_be_reported(answer: object) -> None:
    report = report_of([TimedAnswer(answer, 1.0)] * 30)
    assert report.score.total == 0
    assert render_report(report)
    assert list(format_report(report))


@pytest.mark.parametrize(
    ("told", "seconds"),
    [(3, 3.0), (0, 0.0), (-1, None), (True, None), ("3", None), (1e300, 86_400.0), (None, None)],
)
def test_seconds(told: object, seconds: float | None) -> None:
    assert read_seconds(told) == seconds
    assert read_seconds(float("nan")) is None
