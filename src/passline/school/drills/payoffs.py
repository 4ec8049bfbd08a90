"""The drill ``payoffs``: pay a winning bet, shown as a stack of chips on the layout."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from functools import partial

from msgspec.structs import replace

from passline.crew.cut_payoff import list_payoff_chips
from passline.crew.payoff_keys import find_key_on, find_legs
from passline.game.dice.dice import OUTCOMES
from passline.game.layout.spots import Spot
from passline.game.layout.stakes import Settlement, Stake
from passline.game.money.amounts import to_dollars
from passline.game.money.chips import Chips
from passline.game.words.school import say_school
from passline.game.words.wagers import spoken_wager_name
from passline.school.answer_fields import AnswerFields, count_by_color, read_stack
from passline.school.drill import AuditionPart
from passline.school.explanations import describe_payoff_chips, explain_key, explain_price
from passline.school.practice_tables import (
    TableThrow,
    list_plain_spots,
    list_stakes,
    make_stack,
    pick_spot,
)
from passline.school.question_types import DrillSetup, Grade, NoQuestionError, Question
from passline.school.seeded_random import SeededRandom
from passline.school.winning_bets import (
    cut_full_payoff,
    grade_payoff,
    list_winning_throws,
    make_if_paid,
    payoff_drill,
    settle_win,
)

#: Odds questions that show no flat bet assume one of this many table minimums.
_FLAT_MINIMUMS = 4


def _make_question(setup: DrillSetup, random: SeededRandom) -> Question:
    spot = pick_spot(list_spots_for_level(setup), random)
    puck, index, verdict = random.pick(list_winning_throws(setup, spot))
    price, flat = Fraction(verdict.win, verdict.per), make_flat_bet(setup, spot)
    stakes = list_stakes(setup, spot, price, puck, flat)
    if not stakes:
        raise NoQuestionError("payoffs.none", book=setup.house.book.id, wager=spot.slug)
    stake = random.pick(stakes)
    return make_payoff_question(setup, spot, make_stack(setup, stake, random), puck, index)


def make_payoff_question(
    setup: DrillSetup, spot: Spot, stack: Chips, puck: int, index: int
) -> Question:
    """Return a question: what does a stack of chips on a wager win on a throw?

    ``puck`` is the point or 0, and ``index`` is the throw's index in ``OUTCOMES``. Raise
    NoQuestionError if the bet wins nothing, or chips can't pay it exactly.
    """
    done = settle_win(setup, spot, stack.amount, puck, index)
    pay = cut_full_payoff(setup, done, stack)
    if not done.paid or pay.coin:
        raise NoQuestionError("payoffs.chips", wager=spot.slug)
    return Question(
        drill="payoffs",
        ask=say_school("payoffs.ask", wager=spot.slug),
        given={
            "wager": spot.slug,
            "stake": to_dollars(stack.amount),
            "chips": count_by_color(stack),
            "dice": list(OUTCOMES[index]),
            "puck": puck or None,
        },
        answer={"paid": to_dollars(done.paid), "chips": count_by_color(pay.chips)},
        explain=(*_explain_win(setup, spot, done, index), describe_payoff_chips(pay)),
        cite=setup.cites(done.cite, *pay.cites, about=(spot.number or sum(OUTCOMES[index]),)),
    )


def list_spots_for_level(setup: DrillSetup) -> list[Spot]:
    """Return the wagers that a level asks about.

    Level 1 has place bets, big 6, big 8 and the field, level 2 all but odds, and the others all.
    """
    spots = list_plain_spots(setup.layout)
    if setup.level == 1:
        fields = [s for s in spots if s.rule.is_one_roll and s.rule.area == "table"]
        simple = [s for s in spots if (s.rule.is_race and not s.vig) or s in fields]
        return simple or spots
    if setup.level == 2:
        return [spot for spot in spots if not spot.is_odds]
    return spots


def make_flat_bet(setup: DrillSetup, spot: Spot) -> dict[str, Stake]:
    """Return {flat wager: stake} behind which an odds bet can be made, or {} for other wagers.

    The stake is four times the flat bet's minimum.
    """
    if not spot.is_odds:
        return {}
    least = setup.layout.spots[spot.flat].minimum * _FLAT_MINIMUMS
    return {spot.flat: Stake(least, least)}


def _explain_win(setup: DrillSetup, spot: Spot, done: Settlement, index: int) -> Sequence[str]:
    parts = find_legs(setup.layout, spot.slug) if spot.rule.area == "center" else {}
    key = find_key_on(setup.layout, parts, index, spot.family) if parts else None
    if key is not None and key.compute_win(done.stake) == done.paid:
        return list(explain_key(key, spoken_wager_name(spot.slug), done.stake))
    return list(explain_price(spot, done))


def _make_audition_questions(throw: TableThrow) -> Iterator[Question]:
    layout, index = throw.setup.layout, OUTCOMES.index(throw.faces)
    for done in throw.random.shuffled(throw.list_wins()):
        spot = layout.spots[done.wager]
        if not spot.tiers and not spot.rule.is_line:
            stack = throw.make_stack(done.stake)
            make = partial(make_payoff_question, throw.setup, spot, stack, throw.puck, index)
            yield from make_if_paid(throw, done.player, done.paid, make)


def _grade_fields(setup: DrillSetup, question: Question, fields: AnswerFields) -> Grade | str:
    given = question.given
    spot = setup.layout.spots[given["wager"]]
    stack = read_stack(given["chips"], setup.rack)
    index = OUTCOMES.index(tuple(given["dice"]))
    done = settle_win(setup, spot, stack.amount, given["puck"] or 0, index)
    ways = list_payoff_chips(setup.layout, replace(done, vig=0), stack)
    return grade_payoff(setup, question, fields, ways)


DRILL = payoff_drill(
    name="payoffs",
    teaching_order=50,
    seconds=20,
    make_question=_make_question,
    grade_fields=_grade_fields,
    audition=AuditionPart(place=1, count=7, make_questions=_make_audition_questions),
)
