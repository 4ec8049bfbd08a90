"""The drill ``vig``: the vigorish on a buy or lay bet, and what the bet pays."""

from __future__ import annotations

from fractions import Fraction

from passline.game.layout.spots import Spot
from passline.game.money.amounts import to_dollars
from passline.game.words.school import say_school
from passline.school.answer_fields import (
    PAID_FIELD,
    AnswerField,
    AnswerFields,
    UnreadableAnswerError,
    find_amount_error,
    make_amounts_parser,
)
from passline.school.drill import Drill
from passline.school.explanations import explain_price
from passline.school.practice_players import is_worth_vig
from passline.school.practice_tables import list_stakes
from passline.school.question_types import DrillSetup, NoQuestionError, Question
from passline.school.seeded_random import SeededRandom
from passline.school.winning_bets import list_winning_throws, settle_win


def _list_vig_spots(setup: DrillSetup) -> list[Spot]:
    found = [s for s in setup.layout.spots.values() if s.rule.is_race and s.vig]
    if not found:
        raise NoQuestionError("vig.none", book=setup.house.book.title)
    return found


def _make_question(setup: DrillSetup, random: SeededRandom) -> Question:
    spots = _list_vig_spots(setup)
    if setup.level == 1:  # Ask buy bets only.
        spots = [spot for spot in spots if spot.vig == spots[0].vig]
    spot = random.pick(spots)
    puck, index, verdict = random.pick(list_winning_throws(setup, spot))
    taken = list_stakes(setup, spot, Fraction(verdict.win, verdict.per), puck)
    stakes = [stake for stake in taken if is_worth_vig(setup.house, spot, stake)]
    if not stakes:
        raise NoQuestionError("vig.level", wager=spot.slug)
    stake = random.pick(stakes)
    done = settle_win(setup, spot, stake, puck, index)
    charge = setup.house.vig[spot.vig].charge(stake, spot.odds)
    return Question(
        drill="vig",
        ask=say_school("vig.ask", wager=spot.slug),
        given={"wager": spot.slug, "stake": to_dollars(stake)},
        answer={"vig": to_dollars(charge), "paid": to_dollars(done.paid)},
        explain=(_explain_vig(setup, spot, stake, charge, done.paid), *explain_price(spot, done)),
        cite=setup.cites(*_find_vig_clauses(setup, spot, stake), done.cite, about=(spot.number,)),
    )


def _find_vig_clauses(setup: DrillSetup, spot: Spot, stake: int) -> tuple[str, ...]:
    """Return the ids of the clauses on a wager's vigorish.

    Clauses that are examples for another stake, such as ``buy.vig/25``, are left out.
    """
    assert spot.vig
    rules = setup.house.book.vig[spot.vig]
    when = rules.won_on if spot.vig_won and rules.won_on is not None else rules.when
    parts = (rules.rate, rules.base, rules.rounding, when)
    found = (clause for part in parts for clause in part.clauses)
    return tuple(cite for cite in found if _parse_example_stake(cite) in (None, stake))


def _parse_example_stake(cite: str) -> int | None:
    """Return the stake in cents that a clause is an example for, or None if it is no example."""
    last = cite.rpartition("/")[2]
    return int(last) * 100 if last.isdecimal() else None


def _explain_vig(setup: DrillSetup, spot: Spot, stake: int, charge: int, paid: int) -> str:
    terms = setup.house.vig[spot.vig]
    of_stake = terms.base == "stake"
    base = stake if of_stake else paid
    exact = terms.rate * base
    return say_school(
        "vig.charge",
        percent=float(terms.rate * 100),
        of_stake=of_stake,
        base=base,
        exact=exact,
        rounding="" if exact == charge else terms.rounding.replace("-", " "),
        charge=charge,
        won=spot.vig_won,
    )


def _find_error(_: DrillSetup, question: Question, fields: AnswerFields) -> str:
    if fields.get("vig") is None and fields.get("paid") is None:
        raise UnreadableAnswerError("vig.expected")
    for name in ("vig", "paid"):
        value, right = fields.get(name), question.answer[name]
        if value is None:
            return say_school("grade.missing", what=name, due=right)
        if error := find_amount_error(value, right, name):
            return error
    return ""


DRILL = Drill(
    name="vig",
    teaching_order=70,
    seconds=25,
    make_question=_make_question,
    grade_fields=_find_error,
    parse_answer=make_amounts_parser(vig="vig", paid="pa(?:id|ys?)"),
    hint="vig.hint",
    fields=(AnswerField(name="vig", kind="amount"), PAID_FIELD),
)
