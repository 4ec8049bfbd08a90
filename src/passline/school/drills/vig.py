"""Vigorish: what a buy or lay wager is charged, and what it pays: ``vig``."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from passline.game.law.shapes.race import Race
from passline.game.layout.spots import Spot
from passline.game.money.amounts import show_dollars, to_dollars
from passline.game.words.wagers import layout_name
from passline.school.drills.payoffs import list_winning_throws, settle_win
from passline.school.explanations import explain_price
from passline.school.grading import find_amount_error, read_fields
from passline.school.practice_tables import list_stakes
from passline.school.questions import (
    Drill,
    DrillSetup,
    Grade,
    NoQuestionError,
    Question,
    UnreadableAnswerError,
)
from passline.school.seeded_random import SeededRandom


def _list_vig_spots(setup: DrillSetup) -> list[Spot]:
    found = [s for s in setup.layout.spots.values() if isinstance(s.rule, Race) and s.vig]
    if not found:
        raise NoQuestionError(f"{setup.house.book.id} has no buy or lay wagers with vigorish")
    return found


def _make_question(setup: DrillSetup, random: SeededRandom) -> Question:
    spots = _list_vig_spots(setup)
    if setup.level == 1:  # buys first
        spots = [spot for spot in spots if spot.vig == spots[0].vig]
    spot = random.pick(spots)
    puck, index, verdict = random.pick(list_winning_throws(setup, spot))
    stakes = list_stakes(setup, spot, Fraction(verdict.win, verdict.per), puck)
    if not stakes:
        raise NoQuestionError(f"no {spot.slug} is taken")
    stake = random.pick(stakes)
    done = settle_win(setup, spot, stake, puck, index)
    charge = setup.house.vig[spot.vig].charge(stake, spot.odds)
    return Question(
        drill="vig",
        ask=f"What is the vigorish on this {layout_name(spot.slug)}, and what does it pay if it "
        "wins?",
        given={"wager": spot.slug, "stake": to_dollars(stake)},
        answer={"vig": to_dollars(charge), "paid": to_dollars(done.paid)},
        explain=(_explain_vig(setup, spot, stake, charge, done.paid), *explain_price(spot, done)),
        cite=setup.cites(*_find_vig_clauses(setup, spot, stake), done.cite, about=(spot.number,)),
    )


def _find_vig_clauses(setup: DrillSetup, spot: Spot, stake: int) -> tuple[str, ...]:
    """The clauses of a charge; a worked case of one stake (``buy.vig/25``) is none of another's."""
    assert isinstance(spot.rule, Race)
    assert spot.rule.vig
    rules = setup.house.book.vig[spot.rule.vig]
    when = rules.won_on if spot.vig_won and rules.won_on is not None else rules.when
    parts = (rules.rate, rules.base, rules.rounding, when)
    found = (clause for part in parts for clause in part.clauses)
    return tuple(cite for cite in found if _parse_example_stake(cite) in (None, stake))


def _parse_example_stake(cite: str) -> int | None:
    """The stake that a clause is worked for, in cents; None: it is of any."""
    last = cite.rpartition("/")[2]
    return int(last) * 100 if last.isdecimal() else None


def _explain_vig(setup: DrillSetup, spot: Spot, stake: int, charge: int, paid: int) -> str:
    terms = setup.house.vig[spot.vig]
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


def _grade(setup: DrillSetup, question: Question, answer: Any) -> Grade:
    fields = read_fields(answer, "vig")
    vig, paid = fields.get("vig"), fields.get("paid")
    if vig is None and paid is None:
        raise UnreadableAnswerError("expected vig, and paid")
    wrong = ""
    for name, value in (("vig", vig), ("paid", paid)):
        if value is None:
            wrong = wrong or f"{name} is missing: it is {question.answer[name]}"
        else:
            wrong = wrong or find_amount_error(value, question.answer[name], name)
    if wrong:
        return Grade(False, f"{wrong}; {question.explain[0]}", question.cite)
    return Grade(True, question.explain[0])


DRILL = Drill(
    name="vig",
    skill="the vigorish of a buy or lay wager, and what it pays",
    make_question=_make_question,
    grade=_grade,
)
