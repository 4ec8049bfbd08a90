"""Spaced repetition and a day's practice, with a clock that the test turns."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, timezone
from functools import cache

import pytest

from passline.house.files import house_for
from passline.layout import Layout, lay_felt
from passline.school import Desk, ask_question, drill_named, mark_answer
from passline.school.lessons import lessons
from passline.school.lessons.asking import asks_of
from passline.school.practice import NEW_A_DAY, PracticeQuestion, level_for, next_asked
from passline.school.progress import DrillGroup, progress_of, waiting_of
from passline.school.repetition import CardKey, Deck, deck_of
from passline.school.reviews import Answered, answered_to

NOON = datetime(2026, 11, 16, 12, tzinfo=UTC)
DAY = timedelta(days=1)
PLACE = "dealer-school:place/5-9"
CARD = CardKey(PLACE, "payoffs")


@cache
def felt() -> Layout:
    return lay_felt(house_for("dealer-school"))


def answer(
    at: datetime, right: bool = True, seconds: float | None = 15.0, **more: object
) -> Answered:
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
    return Answered(**fields)  # type: ignore[arg-type]


def test_a_miss_comes_back_in_a_minute_and_what_is_known_after_days() -> None:
    missed = deck_of([answer(NOON, right=False)]).cards[CARD]
    assert missed.due == NOON + timedelta(minutes=1)
    once = [answer(NOON)]
    assert deck_of(once).cards[CARD].due == NOON + timedelta(minutes=10)
    twice = [*once, answer(NOON + timedelta(minutes=10))]
    second = deck_of(twice).cards[CARD]
    assert NOON + DAY < second.due < NOON + 5 * DAY
    third = deck_of([*twice, answer(second.due)]).cards[CARD]
    assert third.due - second.due > second.due - NOON
    assert third.known
    assert (third.right, third.of) == (3, 3)
    forgotten = deck_of([*twice, answer(second.due, right=False)]).cards[CARD]
    assert forgotten.due == second.due + timedelta(minutes=10)
    assert not forgotten.known


def test_quick_is_easy_and_slow_is_hard() -> None:
    dues = [deck_of([answer(NOON, seconds=s)]).cards[CARD].due for s in (5.0, 20.0, 120.0)]
    assert dues[0] > NOON + 5 * DAY
    assert dues[1] > dues[2]
    assert deck_of([answer(NOON, seconds=None)]).cards[CARD].due == dues[1]


def test_the_fold_is_the_same_however_often_and_wherever() -> None:
    log = [answer(NOON + n * DAY, right=n % 3 != 0) for n in range(12)]
    assert deck_of(log) == deck_of(log)
    zone = timezone(timedelta(hours=-8))
    moved = [answer(each.at.astimezone(zone), each.right) for each in log]
    dues = [deck_of(each).cards[CARD].due for each in (log, moved)]
    assert dues[0] == dues[1]


def test_a_clock_that_was_set_back_undoes_nothing() -> None:
    log = [answer(NOON), answer(NOON + 3 * DAY), answer(NOON - DAY)]
    card = deck_of(log).cards[CARD]
    assert card.of == 3
    assert card.due > NOON + 3 * DAY


def test_a_wrong_answer_tells_of_what_it_missed_alone() -> None:
    other = "dealer-school:pay.place.5-9"
    deck = deck_of([answer(NOON, right=False, clauses=(PLACE, other))])
    assert set(deck.cards) == {CARD}


def practised(deck: Deck, asked: PracticeQuestion, now: datetime, right: bool) -> Deck:
    desk, question = Desk(felt(), asked.level), asked.question
    given = question.answer if right else None
    mark = mark_answer(drill_named(question.drill), desk, question, given)
    assert mark.right is right
    done = answered_to(question, mark, at=now, seconds=15.0, level=asked.level, seed=asked.seed)
    return deck_of([*deck.answers, done])


def test_a_days_practice_is_what_is_due_then_what_is_new() -> None:
    deck, now = Deck(), NOON
    first = next_asked(deck, felt(), now)
    assert first is not None
    assert (first.question.drill, first.why, first.level) == ("terms", "new", 1)
    assert first == next_asked(deck, felt(), now)
    deck = practised(deck, first, now, right=False)
    fresh = next_asked(deck, felt(), now)
    assert fresh is not None
    assert fresh.why == "new"
    assert not set(fresh.about) & set(first.question.cite)
    now += timedelta(minutes=2)
    again = next_asked(deck, felt(), now)
    assert again is not None
    assert (again.why, again.about) == ("due", first.question.cite[:1])
    assert again.about[0] in again.question.cite


def test_a_day_has_an_end_and_another_comes() -> None:
    deck, now, drills = Deck(), NOON, list[str]()
    while (asked := next_asked(deck, felt(), now)) is not None:
        assert asked.why == "new"
        drills.append(asked.question.drill)
        deck = practised(deck, asked, now, right=True)
        now += timedelta(seconds=1)
        assert len(drills) < 60
    assert sum(deck.new_on(now).values()) >= NEW_A_DAY
    assert max(drills.count(drill) for drill in drills) <= 6
    assert drills[:6] == ["terms"] * 6
    taught = list(dict.fromkeys(drill for lesson in lessons() for drill in lesson.drills))
    assert drills == sorted(drills, key=taught.index)
    assert len(set(drills)) > 3
    tomorrow = next_asked(deck, felt(), now + DAY)
    assert tomorrow is not None
    assert tomorrow.why == "due"
    assert next_asked(deck, lay_felt(house_for("iowa")), now) is None  # the day's new are done
    elsewhere = next_asked(deck, lay_felt(house_for("iowa")), now + DAY)
    assert elsewhere is not None
    assert elsewhere.why == "new"  # what is due is another book's


def test_a_clause_that_no_fresh_question_has_is_asked_as_it_was() -> None:
    desk = Desk(felt(), 4)
    question = ask_question(drill_named("payoffs"), desk, "rare", 3)
    mark = mark_answer(drill_named("payoffs"), desk, question, None)
    rare = answered_to(question, mark, at=NOON, level=4, seed="rare")
    asked = next_asked(deck_of([rare]), felt(), NOON + DAY, level=1)
    assert asked is not None
    assert asked.about[0] in question.cite
    assert asked.about[0] in asked.question.cite


def test_what_an_audition_asked_comes_back_by_a_question_like_it() -> None:
    """It hung by a table of its own: seed and number pose it no more."""
    clause = "dealer-school:place/5-9"
    missed = answer(NOON, right=False, level=4, clauses=(clause,), missed=(clause,))
    asked = next_asked(deck_of([missed]), felt(), NOON + DAY)
    assert asked is not None
    assert (asked.why, asked.about) == ("due", (clause,))
    assert clause in asked.question.cite


@pytest.mark.parametrize("at", [0, 40, 70])
def test_a_lessons_own_question_comes_back_itself(at: int) -> None:
    ask = asks_of("dealer-school")[at]
    clause = f"dealer-school:{ask.clauses[0]}"
    missed = answer(NOON, right=False, drill="rulings", clauses=(clause,), missed=(clause,))
    asked = next_asked(deck_of([missed]), felt(), NOON + DAY)
    assert asked is not None
    mine = [each.ask for each in asks_of("dealer-school") if ask.clauses[0] in each.clauses]
    assert asked.question.ask in mine
    same = ask_question(drill_named("rulings"), Desk(felt(), asked.level), asked.seed, 1)
    assert same == asked.question


@pytest.mark.parametrize(
    ("marks", "level"),
    [("", 1), ("rrrr", 1), ("rrrrr", 2), ("rrwrr", 1), ("www", 1)],
)
def test_the_level_goes_with_the_answers(marks: str, level: int) -> None:
    log = [answer(NOON + n * DAY, right=each == "r") for n, each in enumerate(marks)]
    assert level_for(deck_of(log), "payoffs") == level
    high = [answer(NOON + n * DAY, right=each == "r", level=5) for n, each in enumerate(marks)]
    want = {"": 1, "www": 4}.get(marks, 5)
    assert level_for(deck_of(high), "payoffs") == want


def test_progress_by_lesson_and_clause() -> None:
    deck = deck_of([answer(NOON), answer(NOON + DAY), answer(NOON, right=False, drill="lines")])
    taught = DrillGroup("place", "Place bets", (PLACE, "dealer-school:place/6-8"), ("payoffs",))
    now = NOON + timedelta(hours=25)
    found = progress_of(deck, [taught], now, learner="ann", torn=1)
    assert (found.answers, found.right, found.torn) == (3, 2, 1)
    (lesson,) = found.lessons
    assert (lesson.clauses, lesson.seen, lesson.known, lesson.of) == (2, 1, 1, 2)
    assert [(each.clause, each.drill, each.of) for each in found.clauses] == [
        (PLACE, "lines", 1),
        (PLACE, "payoffs", 2),
    ]
    alone = progress_of(deck, [], now)
    assert [each.id for each in alone.lessons] == ["lines", "payoffs"]
    waiting = waiting_of(deck, now, "ann")
    assert (waiting["due"], waiting["drills"]) == (1, {"lines": 1})
    assert waiting["next"] > "2026-11-17"
    assert waiting_of(Deck(), now)["next"] is None
