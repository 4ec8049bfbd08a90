"""The drill ``lines``: pay a line bet and its odds together."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from itertools import product

from msgspec.structs import replace

from passline.crew.cut_payoff import Payoff, cut_payoff, list_payoff_chips, total_payoffs
from passline.game.dice.dice import OUTCOMES, SEVEN, outcome_total
from passline.game.layout.odds_limits import find_odds_price
from passline.game.layout.settle import Throw, settle
from passline.game.layout.spots import Spot
from passline.game.layout.stakes import Settlement, Stake
from passline.game.money.amounts import to_dollars
from passline.game.money.chips import Chips, sum_chips
from passline.game.words.school import say_school
from passline.school.answer_fields import AnswerFields, count_by_color, read_stack
from passline.school.drill import AuditionPart
from passline.school.explanations import describe_payoff_chips, explain_price
from passline.school.practice_tables import TableThrow, list_stakes, make_stack, pick_flat_stake
from passline.school.question_types import DrillSetup, Grade, NoQuestionError, Question
from passline.school.seeded_random import SeededRandom
from passline.school.winning_bets import grade_payoff, iter_wins, make_if_paid, payoff_drill

_BOTH_SIDES_LEVEL = 3


def list_line_pairs(setup: DrillSetup) -> list[tuple[Spot, Spot]]:
    """Return (flat bet, odds) of every line wager that has odds, the pass line first.

    Raise NoQuestionError if there is none.
    """
    spots = setup.layout.spots
    found = [
        (spots[spot.flat], spot)
        for spot in spots.values()
        if spot.is_odds and spots[spot.flat].rule.is_line
    ]
    if not found:
        raise NoQuestionError("lines.none", book=setup.house.book.title)
    return found


def _make_question(setup: DrillSetup, random: SeededRandom) -> Question:
    pairs = list_line_pairs(setup)
    flat_spot, odds_spot = pairs[0] if setup.level < _BOTH_SIDES_LEVEL else random.pick(pairs)
    puck = random.pick(tuple(setup.house.book.points.value))
    wins = [n for n, _ in iter_wins(flat_spot, puck) if outcome_total(n) in (puck, SEVEN)]
    index = random.pick(wins)
    flat = pick_flat_stake(setup, flat_spot, random)
    wagers = {flat_spot.slug: Stake(flat, flat)}
    stakes = list_stakes(setup, odds_spot, find_odds_price(odds_spot, puck).ratio, puck, wagers)
    if not stakes:
        raise NoQuestionError("none.odds", flat=flat)
    odds = random.pick(stakes)
    flat_stack, odds_stack = make_stack(setup, flat, random), make_stack(setup, odds, random)
    return make_line_question(setup, odds_spot, (flat_stack, odds_stack), puck, index)


def make_line_question(
    setup: DrillSetup, odds_spot: Spot, stacks: tuple[Chips, Chips], puck: int, index: int
) -> Question:
    """Return a question: what do a line bet and its odds win on a throw?

    ``stacks`` are the chips of the flat bet and of the odds, ``puck`` is the point, and ``index``
    is the throw's index in ``OUTCOMES``. Raise NoQuestionError if either bet wins
    nothing, or chips can't pay the win exactly.
    """
    flat_spot = setup.layout.spots[odds_spot.flat]
    flat_stack, odds_stack = stacks
    done, pays = _settle_both(setup, odds_spot, puck, index, flat_stack, odds_stack)
    if any(pay.coin for pay in pays) or not all(each.paid for each in done):
        raise NoQuestionError("lines.chips")
    chips = sum_chips(pay.chips for pay in pays)
    spots = setup.layout.spots
    return Question(
        drill="lines",
        ask=say_school("lines.ask", line=flat_spot.rule.title.lower()),
        given={
            "wager": flat_spot.slug,
            "flat": to_dollars(flat_stack.amount),
            "odds": to_dollars(odds_stack.amount),
            "chips": count_by_color(flat_stack + odds_stack),
            "stacks": {"flat": count_by_color(flat_stack), "odds": count_by_color(odds_stack)},
            "puck": puck,
            "dice": list(OUTCOMES[index]),
        },
        answer={"paid": to_dollars(chips.amount), "chips": count_by_color(chips)},
        explain=(
            *(step for each in done for step in explain_price(spots[each.wager], each)),
            *(
                say_school(
                    "lines.part", odds=spots[pay.wager].is_odds, chips=describe_payoff_chips(pay)
                )
                for pay in pays
            ),
            say_school("lines.together", amount=chips.amount),
        ),
        cite=setup.cites(
            *(each.cite for each in done),
            *(cite for pay in pays for cite in pay.cites),
            about=(puck,),
        ),
    )


def _settle_both(
    setup: DrillSetup, odds_spot: Spot, puck: int, index: int, flat: Chips, odds: Chips
) -> tuple[list[Settlement], list[Payoff]]:
    """Return (settlements, payoffs in chips) of the odds and the flat bet, the odds first.

    ``flat`` and ``odds`` are the bets' chips; ``index`` is the throw's index in ``OUTCOMES``.
    """
    up = {
        odds_spot.flat: Stake(flat.amount, flat.amount),
        odds_spot.slug: Stake(odds.amount, odds.amount, call=True),
    }
    done = settle(setup.layout, "", up, Throw(index, outcome_total(index), puck))
    done.sort(key=lambda each: each.wager != odds_spot.slug)
    lying = {odds_spot.slug: odds, odds_spot.flat: flat}
    pays = [
        cut_payoff(setup.layout, replace(each, vig=0), lying[each.wager], flat) for each in done
    ]
    return done, pays


def _make_audition_questions(throw: TableThrow) -> Iterator[Question]:
    layout, index = throw.setup.layout, OUTCOMES.index(throw.faces)
    won = {(done.player, done.wager): done for done in throw.list_wins()}
    for (player, slug), odds in won.items():
        spot = layout.spots[slug]
        flat = won.get((player, spot.flat)) if spot.is_odds else None
        if flat is None or not layout.spots[flat.wager].rule.is_line:
            continue
        stacks = (throw.make_stack(flat.stake), throw.make_stack(odds.stake))
        make = partial(make_line_question, throw.setup, spot, stacks, throw.puck, index)
        yield from make_if_paid(throw, player, flat.paid + odds.paid, make)


def _grade_fields(setup: DrillSetup, question: Question, fields: AnswerFields) -> Grade | str:
    """Grade a payoff. The odds and the flat bet may be paid separately or as one total."""
    given = question.given
    flat = read_stack(given["stacks"]["flat"], setup.rack)
    odds = read_stack(given["stacks"]["odds"], setup.rack)
    slug = setup.layout.spots[given["wager"]].behind
    index = OUTCOMES.index(tuple(given["dice"]))
    done, pays = _settle_both(setup, setup.layout.spots[slug], given["puck"], index, flat, odds)
    stacks = {slug: odds, given["wager"]: flat}
    each = [
        list_payoff_chips(setup.layout, replace(one, vig=0), stacks[one.wager], flat)
        for one in done
    ]
    ways = [sum_chips(pair) for pair in product(*each)]
    return grade_payoff(setup, question, fields, [*ways, total_payoffs(setup.layout, pays).chips])


DRILL = payoff_drill(
    name="lines",
    teaching_order=40,
    seconds=25,
    make_question=_make_question,
    grade_fields=_grade_fields,
    audition=AuditionPart(place=2, count=4, make_questions=_make_audition_questions),
)
