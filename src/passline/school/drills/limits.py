"""The most odds behind a flat, and what they pay: ``limits``."""

from __future__ import annotations

from typing import Any

from passline.dice import OUTCOMES, SEVEN, total_of
from passline.law.families import is_laid
from passline.law.wagers import Come, OddsRule
from passline.layout import Refusal, Spot, Stake
from passline.layout.amounts import check_amount, odds_cap, price_of
from passline.money import dollars, show_dollars
from passline.school.answers import fields_of
from passline.school.drawing import Draws
from passline.school.drills.payoffs import won_on
from passline.school.explaining import price_steps
from passline.school.grading import mark_amount
from passline.school.questions import (
    Desk,
    Drill,
    Mark,
    NotAskedError,
    Question,
    UnreadableAnswerError,
)
from passline.school.stakes import flats_for
from passline.words.wagers import layout_name

#: Don'ts from this level, comes from the next.
_DONTS_LEVEL, _COMES_LEVEL = 2, 3


def _asked(desk: Desk) -> list[Spot]:
    spots, book = desk.layout.spots, desk.house.book
    found = []
    for spot in spots.values():
        if not isinstance(spot.rule, OddsRule):
            continue
        laid, come = is_laid(book, spot.rule), isinstance(spots[spot.flat].rule, Come)
        if (not laid or desk.level >= _DONTS_LEVEL) and (not come or desk.level >= _COMES_LEVEL):
            found.append(spot)
    if not found:
        raise NotAskedError(f"{book.id} has no odds")
    return found


def _pose(desk: Desk, draws: Draws) -> Question:
    spot = draws.pick(_asked(desk))
    number = spot.number or draws.pick(tuple(desk.house.book.points.value))
    puck = number if not spot.number else draws.pick(tuple(desk.house.book.points.value))
    flat = flats_for(desk, desk.layout.spots[spot.flat], draws)
    wagers = {spot.flat: Stake(flat, flat)}
    most = odds_cap(desk.layout, spot, puck, wagers)
    refused = check_amount(desk.layout, spot, puck, wagers, most + desk.house.chip)
    if most <= 0 or check_amount(desk.layout, spot, puck, wagers, most) or refused is None:
        raise NotAskedError(f"no odds are taken behind {show_dollars(flat)}")
    done = won_on(desk, spot, most, puck, _win(spot, puck, number))
    return Question(
        drill="limits",
        ask=f"What are the most odds behind this {layout_name(spot.flat)}, and what do they pay?",
        given={"wager": spot.slug, "flat": dollars(flat), "puck": puck},
        answer={"most": dollars(most), "paid": dollars(done.paid)},
        explain=(_limit_words(desk, spot, puck, flat, most), *price_steps(spot, done)),
        cite=desk.cites(refused.cite, done.cite, *_printed(desk, refused)),
    )


def _printed(desk: Desk, refused: Refusal) -> tuple[str, ...]:
    default = desk.house.book.odds.default
    own = refused.code == "over-multiple" and default is not None
    return default.clauses if own and default is not None else ()


def _win(spot: Spot, puck: int, number: int) -> int:
    """A throw on which the odds win."""
    for index in range(len(OUTCOMES)):
        verdict = spot.tables[puck][index]
        won = verdict is not None and verdict.result == "win"
        if won and total_of(index) in (number, SEVEN):
            return index
    raise NotAskedError(f"{spot.slug} never wins")


def _limit_words(desk: Desk, spot: Spot, puck: int, flat: int, most: int) -> str:
    house, number = desk.house, spot.number or puck
    assert isinstance(spot.rule, OddsRule)
    laid = is_laid(house.book, spot.rule)
    times = (house.laid if laid else house.taken)[number]
    by = house.laid_by if laid else house.book.odds.taken_by.value
    base = show_dollars(flat)
    if by == "win":
        price = price_of(spot, puck)
        win = show_dollars(int(flat * times))
        return (
            f"on the {number} odds may win {times} times the flat of {base}, {win}: at {price} "
            f"that takes {show_dollars(most)}"
        )
    return f"on the {number} odds may be {times} times the flat of {base}: {show_dollars(most)}"


def _mark(desk: Desk, question: Question, answer: Any) -> Mark:
    fields = fields_of(answer, "most")
    most, paid = fields.get("most"), fields.get("paid", fields.get("pays"))
    if most is None:
        raise UnreadableAnswerError("expected the most odds, and what they pay")
    wrong = mark_amount(most, question.answer["most"], "most")
    if not wrong and paid is not None:
        wrong = mark_amount(paid, question.answer["paid"], "paid")
    if not wrong and paid is None:
        wrong = f"the most is right; what does it pay? {question.answer['paid']}"
    if wrong:
        return Mark(False, f"{wrong}; {question.explain[0]}", question.cite)
    return Mark(True, question.explain[0])


DRILL = Drill(
    name="limits",
    trains="the most odds behind a flat, and what they pay",
    pose=_pose,
    mark=_mark,
)
