"""Vigorish: what a buy or lay wager is charged, and what it pays: ``vig``."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from passline.law.wagers import Race
from passline.layout import Spot
from passline.money import dollars, show_dollars
from passline.school.answers import fields_of
from passline.school.drawing import Draws
from passline.school.drills.payoffs import winning_throws, won_on
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
from passline.school.stakes import stakes_for
from passline.words.wagers import layout_name


def _charged(desk: Desk) -> list[Spot]:
    found = [s for s in desk.layout.spots.values() if isinstance(s.rule, Race) and s.vig]
    if not found:
        raise NotAskedError(f"{desk.house.book.id} has no buy or lay wagers with vigorish")
    return found


def _pose(desk: Desk, draws: Draws) -> Question:
    spots = _charged(desk)
    if desk.level == 1:  # buys first
        spots = [spot for spot in spots if spot.vig == spots[0].vig]
    spot = draws.pick(spots)
    puck, index, verdict = draws.pick(winning_throws(desk, spot))
    stakes = stakes_for(desk, spot, Fraction(verdict.win, verdict.per), puck)
    if not stakes:
        raise NotAskedError(f"no {spot.slug} is taken")
    stake = draws.pick(stakes)
    done = won_on(desk, spot, stake, puck, index)
    charge = desk.house.vig[spot.vig].charge(stake, spot.odds)
    return Question(
        drill="vig",
        ask=f"What is the vigorish on this {layout_name(spot.slug)}, and what does it pay if it "
        "wins?",
        given={"wager": spot.slug, "stake": dollars(stake)},
        answer={"vig": dollars(charge), "paid": dollars(done.paid)},
        explain=(_charge_words(desk, spot, stake, charge, done.paid), *price_steps(spot, done)),
        cite=desk.cites(*_vig_cites(desk, spot, stake), done.cite, about=(spot.number,)),
    )


def _vig_cites(desk: Desk, spot: Spot, stake: int) -> tuple[str, ...]:
    """The clauses of a charge; a worked case of one stake (``buy.vig/25``) is none of another's."""
    assert isinstance(spot.rule, Race)
    assert spot.rule.vig
    rules = desk.house.book.vig[spot.rule.vig]
    when = rules.won_on if spot.vig_won and rules.won_on is not None else rules.when
    parts = (rules.rate, rules.base, rules.rounding, when)
    found = (clause for part in parts for clause in part.clauses)
    return tuple(cite for cite in found if _worked_for(cite) in (None, stake))


def _worked_for(cite: str) -> int | None:
    """The stake that a clause is worked for, in cents; None: it is of any."""
    last = cite.rpartition("/")[2]
    return int(last) * 100 if last.isdecimal() else None


def _charge_words(desk: Desk, spot: Spot, stake: int, charge: int, paid: int) -> str:
    terms = desk.house.vig[spot.vig]
    base, of = (stake, "the stake") if terms.base == "stake" else (paid, "what it wins")
    exact = terms.rate * base
    percent = f"{float(terms.rate * 100):g}"
    when = "when it wins" if spot.vig_won else "when it is made"
    even = exact == charge
    rounded = "" if even else f", rounded {terms.rounding.replace('-', ' ')} to the chip"
    return (
        f"{percent} percent of {of}, {show_dollars(base)}, is ${float(exact) / 100:,.2f}{rounded}: "
        f"{show_dollars(charge)}, taken {when}"
    )


def _mark(desk: Desk, question: Question, answer: Any) -> Mark:
    fields = fields_of(answer, "vig")
    vig, paid = fields.get("vig"), fields.get("paid")
    if vig is None and paid is None:
        raise UnreadableAnswerError("expected vig, and paid")
    wrong = ""
    for name, value in (("vig", vig), ("paid", paid)):
        if value is None:
            wrong = wrong or f"{name} is missing: it is {question.answer[name]}"
        else:
            wrong = wrong or mark_amount(value, question.answer[name], name)
    if wrong:
        return Mark(False, f"{wrong}; {question.explain[0]}", question.cite)
    return Mark(True, question.explain[0])


DRILL = Drill(
    name="vig",
    trains="the vigorish of a buy or lay wager, and what it pays",
    pose=_pose,
    mark=_mark,
)
