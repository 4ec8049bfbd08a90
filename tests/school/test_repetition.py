"""Spaced repetition and a day's practice, with a clock that the test turns."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, timezone
from functools import cache

import pytest

from passline.game.house.load import house_for
from passline.game.layout.compile import compile_layout
from passline.game.layout.spots import Layout
from passline.school.answer_log import AnswerRecord, make_answer_record
from passline.school.drills import load_drill
from passline.school.lessons.lesson_files import list_lesson_questions, load_lessons
from passline.school.practice import (
    NEW_CARDS_PER_DAY,
    DrillGroup,
    PracticeQuestion,
    build_progress,
    choose_level,
    pick_next_question,
    summarize_due_cards,
)
from passline.school.question_types import DrillSetup
from passline.school.questions_and_grades import grade_answer, make_question
from passline.school.repetition import CardKey, Deck, build_deck

NOON = datetime(2026, 11, 16, 12, tzinfo=UTC)
DAY = timedelta(days=1)
PLACE = "dealer-school:place/5-9"
CARD = CardKey(PLACE, "payoffs")


@cache
def felt() -> Layout:
    return compile_layout(house_for("dealer-school"))


def answer(
    at: datetime, right: bool = True, seconds: float | None = 15.0, **more: object
) -> AnswerRecord:
    fields: dict[str, object] = {
        "at": at,
        "drill": "payoffs",
        "right": right,
        "clauses": (PLACE,),
        "missed": () if right else (PLACE,),
        "seconds": seconds,
        "id": at.isoformat(),
        **more,
    }
    return AnswerRecord(**fields)  # type: ignore[arg-type]


def test_a_miss_comes_back_in_a_minute_and_what_is_known_after_days() -> None:
    missed = build_deck([answer(NOON, right=False)]).cards[CARD]
    assert missed.due == NOON + timedelta(minutes=1)
    once = [answer(NOON)]
    assert build_deck(once).cards[CARD].due == NOON + timedelta(minutes=10)
    twice = [*once, answer(NOON + timedelta(minutes=10))]
    second = build_deck(twice).cards[CARD]
    assert NOON + DAY < second.due < NOON + 5 * DAY
    third = build_deck([*twice, answer(second.due)]).cards[CARD]
    assert third.due - second.due > second.due - NOON
    assert third.known
    assert (third.right, third.of) == (3, 3)
    forgotten = build_deck([*twice, answer(second.due, right=False)]).cards[CARD]
    assert forgotten.due == second.due + timedelta(minutes=10)
    assert not forgotten.known


def test_quick_is_easy_and_slow_is_hard() -> None:
    dues = [build_deck([answer(NOON, seconds=s)]).cards[CARD].due for s in (5.0, 20.0, 120.0)]
    assert dues[0] > NOON + 5 * DAY
    assert dues[1] > dues[2]
    assert build_deck([answer(NOON, seconds=None)]).cards[CARD].due == dues[1]


def test_the_fold_is_the_same_however_often_and_wherever() -> None:
    log = [answer(NOON + n * DAY, right=n % 3 != 0) for n in range(12)]
    assert build_deck(log) == build_deck(log)
    zone = timezone(timedelta(hours=-8))
    moved = [answer(each.at.astimezone(zone), each.right) for each in log]
    dues = [build_deck(each).cards[CARD].due for each in (log, moved)]
    assert dues[0] == dues[1]


def test_a_clock_that_was_set_back_undoes_nothing() -> None:
    log = [answer(NOON), answer(NOON + 3 * DAY), answer(NOON - DAY)]
    card = build_deck(log).cards[CARD]
    assert card.of == 3
    assert card.due > NOON + 3 * DAY


VEGAS, TOKYO = timezone(timedelta(hours=-8)), timezone(timedelta(hours=9))


@pytest.mark.parametrize(
    ("times", "known"),
    [
        # One evening in Las Vegas, before and after midnight in UTC: one day.
        (["2026-11-16T15:55-08:00", "2026-11-16T16:05-08:00"], False),
        # One morning in Tokyo, the same.
        (["2026-11-17T08:55+09:00", "2026-11-17T09:05+09:00"], False),
        # Before and after the learner's own midnight: two days, though one in UTC.
        (["2026-11-16T23:55-08:00", "2026-11-17T00:05-08:00"], True),
        (["2026-11-16T09:00-08:00", "2026-11-17T09:00-08:00"], True),
        # The clock was a day ahead, and was set right: it is still one day.
        (["2026-11-17T12:00-08:00", "2026-11-16T12:05-08:00"], False),
        (["2026-11-17T12:00-08:00", "2026-11-16T12:05-08:00", "2026-11-16T12:09-08:00"], False),
        # Then two real days make it known, though one of them is the day that was told first.
        (
            [
                *("2026-11-17T12:00-08:00", "2026-11-16T12:05-08:00"),
                *("2026-11-16T12:09-08:00", "2026-11-17T13:00-08:00"),
            ],
            True,
        ),
        # A clock that lost its battery says 1970 in between.
        (["2026-11-16T12:00+00:00", "1970-01-01T00:05+00:00", "2026-11-16T12:10+00:00"], False),
        # Summer time ends between two days.
        (["2026-10-31T23:30-07:00", "2026-11-01T01:30-08:00"], True),
    ],
)
def test_known_takes_two_days_of_the_learner(times: list[str], known: bool) -> None:
    log = [answer(datetime.fromisoformat(at)) for at in times]
    assert build_deck(log).cards[CARD].known is known
    slow = [answer(one.at, seconds=200.0) for one in log]
    untimed = [answer(one.at, seconds=None) for one in log]
    missed = [*log, answer(log[-1].at + timedelta(minutes=1), right=False)]
    for other in (slow, untimed, missed):
        assert not build_deck(other).cards[CARD].known


def test_a_day_is_the_same_beside_work_that_tells_no_zone() -> None:
    """The work of a shift is in UTC, where it is another day already: no clock was set back."""
    morning = datetime(2026, 11, 17, 8, tzinfo=TOKYO)
    shift = answer((morning + timedelta(minutes=5)).astimezone(UTC), seconds=None)
    log = [answer(morning), shift, answer(morning + timedelta(minutes=9))]
    assert not build_deck(log).cards[CARD].known
    assert build_deck([*log, answer(morning + DAY)]).cards[CARD].known


def test_the_days_new_cards_are_those_of_the_learners_day() -> None:
    evening = datetime(2026, 11, 16, 15, 59, tzinfo=VEGAS)
    deck = build_deck([answer(evening)])
    later = evening + timedelta(minutes=2)  # It is tomorrow in UTC.
    assert deck.count_new_cards(later).total() == 1
    assert deck.count_new_cards(later + timedelta(hours=9)).total() == 0


def test_a_wrong_answer_tells_of_what_it_missed_alone() -> None:
    other = "dealer-school:pay.place.5-9"
    deck = build_deck([answer(NOON, right=False, clauses=(PLACE, other))])
    assert set(deck.cards) == {CARD}


def practised(deck: Deck, asked: PracticeQuestion, now: datetime, right: bool) -> Deck:
    setup, question = DrillSetup(felt(), asked.level), asked.question
    given = question.answer if right else None
    mark = grade_answer(load_drill(question.drill), setup, question, given)
    assert mark.right is right
    done = make_answer_record(
        question, mark, at=now, seconds=15.0, level=asked.level, seed=asked.seed
    )
    return build_deck([*deck.answers, done])


def test_a_days_practice_is_what_is_due_then_what_is_new() -> None:
    deck, now = Deck(), NOON
    first = pick_next_question(deck, felt(), now)
    assert first is not None
    assert (first.question.drill, first.why, first.level) == ("terms", "new", 1)
    assert first == pick_next_question(deck, felt(), now)
    deck = practised(deck, first, now, right=False)
    fresh = pick_next_question(deck, felt(), now)
    assert fresh is not None
    assert fresh.why == "new"
    assert not set(fresh.about) & set(first.question.cite)
    now += timedelta(minutes=2)
    again = pick_next_question(deck, felt(), now)
    assert again is not None
    assert (again.why, again.about) == ("due", first.question.cite[:1])
    assert again.about[0] in again.question.cite


def test_a_day_has_an_end_and_another_comes() -> None:
    deck, now, drills = Deck(), NOON, list[str]()
    while (asked := pick_next_question(deck, felt(), now)) is not None:
        assert asked.why == "new"
        drills.append(asked.question.drill)
        deck = practised(deck, asked, now, right=True)
        now += timedelta(seconds=1)
        assert len(drills) < 60
    assert sum(deck.count_new_cards(now).values()) >= NEW_CARDS_PER_DAY
    assert max(drills.count(drill) for drill in drills) <= 6
    assert drills[:6] == ["terms"] * 6
    taught = list(dict.fromkeys(drill for lesson in load_lessons() for drill in lesson.drills))
    assert drills == sorted(drills, key=taught.index)
    assert len(set(drills)) > 3
    tomorrow = pick_next_question(deck, felt(), now + DAY)
    assert tomorrow is not None
    assert tomorrow.why == "due"
    assert (
        pick_next_question(deck, compile_layout(house_for("iowa")), now) is None
    )  # the day's new are done
    elsewhere = pick_next_question(deck, compile_layout(house_for("iowa")), now + DAY)
    assert elsewhere is not None
    assert elsewhere.why == "new"  # what is due is another book's


def test_a_clause_that_no_fresh_question_has_is_asked_as_it_was() -> None:
    setup = DrillSetup(felt(), 4)
    question = make_question(load_drill("payoffs"), setup, "rare", 3)
    mark = grade_answer(load_drill("payoffs"), setup, question, None)
    rare = make_answer_record(question, mark, at=NOON, level=4, seed="rare")
    asked = pick_next_question(build_deck([rare]), felt(), NOON + DAY, level=1)
    assert asked is not None
    assert asked.about[0] in question.cite
    assert asked.about[0] in asked.question.cite


def test_what_an_audition_asked_comes_back_by_a_question_like_it() -> None:
    """It hung by a table of its own: seed and number pose it no more."""
    clause = "dealer-school:place/5-9"
    missed = answer(NOON, right=False, level=4, clauses=(clause,), missed=(clause,))
    asked = pick_next_question(build_deck([missed]), felt(), NOON + DAY)
    assert asked is not None
    assert (asked.why, asked.about) == ("due", (clause,))
    assert clause in asked.question.cite


@pytest.mark.parametrize("at", [0, 40, 70])
def test_a_lessons_own_question_comes_back_itself(at: int) -> None:
    ask = list_lesson_questions("dealer-school")[at]
    clause = f"dealer-school:{ask.clauses[0]}"
    missed = answer(NOON, right=False, drill="rulings", clauses=(clause,), missed=(clause,))
    asked = pick_next_question(build_deck([missed]), felt(), NOON + DAY)
    assert asked is not None
    mine = [
        each.ask
        for each in list_lesson_questions("dealer-school")
        if ask.clauses[0] in each.clauses
    ]
    assert asked.question.ask in mine
    same = make_question(load_drill("rulings"), DrillSetup(felt(), asked.level), asked.seed, 1)
    assert same == asked.question


@pytest.mark.parametrize(
    ("marks", "level"),
    [("", 1), ("rrrr", 1), ("rrrrr", 2), ("rrwrr", 1), ("www", 1)],
)
def test_the_level_goes_with_the_answers(marks: str, level: int) -> None:
    log = [answer(NOON + n * DAY, right=each == "r") for n, each in enumerate(marks)]
    assert choose_level(build_deck(log), "payoffs") == level
    high = [answer(NOON + n * DAY, right=each == "r", level=5) for n, each in enumerate(marks)]
    want = {"": 1, "www": 4}.get(marks, 5)
    assert choose_level(build_deck(high), "payoffs") == want


def test_progress_by_lesson_and_clause() -> None:
    deck = build_deck([answer(NOON), answer(NOON + DAY), answer(NOON, right=False, drill="lines")])
    taught = DrillGroup("place", "Place bets", (PLACE, "dealer-school:place/6-8"), ("payoffs",))
    now = NOON + timedelta(hours=25)
    found = build_progress(deck, [taught], now, learner="ann", torn=1)
    assert (found.answers, found.right, found.torn) == (3, 2, 1)
    (lesson,) = found.lessons
    assert (lesson.clauses, lesson.seen, lesson.known, lesson.of) == (2, 1, 1, 2)
    assert [(each.clause, each.drill, each.of) for each in found.clauses] == [
        (PLACE, "lines", 1),
        (PLACE, "payoffs", 2),
    ]
    alone = build_progress(deck, [], now)
    assert [each.id for each in alone.lessons] == ["lines", "payoffs"]
    waiting = summarize_due_cards(deck, now, "ann")
    assert (waiting["due"], waiting["drills"]) == (1, {"lines": 1})
    assert waiting["next"] > "2026-11-17"
    assert summarize_due_cards(Deck(), now)["next"] is None
