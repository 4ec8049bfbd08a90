"""What a winner is paid, from the chips as they lie: ``payoffs``."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

from msgspec.structs import replace

from passline.crew.payoff_keys import find_key_on, find_legs
from passline.crew.payoffs import Payoff, cut_payoff
from passline.game.dice.dice import OUTCOMES, outcome_total
from passline.game.law.shapes.come import Come
from passline.game.law.shapes.odds import OddsRule
from passline.game.law.shapes.one_roll import OneRoll
from passline.game.law.shapes.race import Race
from passline.game.law.verdicts import Verdict
from passline.game.layout.settle import Throw, settle
from passline.game.layout.spots import Spot
from passline.game.layout.stakes import Settlement, Stake
from passline.game.money.amounts import to_dollars
from passline.game.money.chips import Chips
from passline.game.words.wagers import layout_name, spoken_wager_name
from passline.school.explanations import describe_payoff_chips, explain_key, explain_price
from passline.school.grading import (
    count_by_color,
    find_amount_error,
    find_chips_error,
    read_fields,
    read_stack,
)
from passline.school.practice_tables import list_plain_spots, list_stakes, make_stack, pick_spot
from passline.school.questions import (
    Drill,
    DrillSetup,
    Grade,
    NoQuestionError,
    Question,
    UnreadableAnswerError,
)
from passline.school.seeded_random import SeededRandom

#: What stands behind a flat that is not told is asked for as much as a usual flat allows.
_FLAT_MINIMUMS = 4


def _make_question(setup: DrillSetup, random: SeededRandom) -> Question:
    spot = pick_spot(list_spots_for_level(setup), random)
    puck, index, verdict = random.pick(list_winning_throws(setup, spot))
    stake = random.pick(
        list_stakes(
            setup, spot, Fraction(verdict.win, verdict.per), puck, make_flat_bet(setup, spot)
        )
        or _raise_no_stakes(setup, spot)
    )
    return make_payoff_question(setup, spot, make_stack(setup, stake, random), puck, index)


def make_payoff_question(
    setup: DrillSetup, spot: Spot, stack: Chips, puck: int, index: int
) -> Question:
    """What a stack that lies there wins on a throw."""
    done = settle_win(setup, spot, stack.amount, puck, index)
    pay = cut_full_payoff(setup, done, stack)
    if not done.paid or pay.coin:
        raise NoQuestionError(f"{spot.slug} is not paid in the chips of this house")
    return Question(
        drill="payoffs",
        ask=f"What does the {layout_name(spot.slug)} win, and in which chips?",
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


def _raise_no_stakes(setup: DrillSetup, spot: Spot) -> list[int]:
    raise NoQuestionError(f"{setup.house.book.id} takes no {spot.slug} that could be asked")


def list_spots_for_level(setup: DrillSetup) -> list[Spot]:
    """The wagers of a level: one-bet ones first, the center and odds from the second."""
    spots = list_plain_spots(setup.layout)
    if setup.level == 1:
        simple = [s for s in spots if (isinstance(s.rule, Race) and not s.rule.vig) or _is_field(s)]
        return simple or spots
    if setup.level == 2:
        return [spot for spot in spots if not isinstance(spot.rule, OddsRule)]
    return spots


def _is_field(spot: Spot) -> bool:
    return isinstance(spot.rule, OneRoll) and spot.rule.area == "table"


def make_flat_bet(setup: DrillSetup, spot: Spot) -> dict[str, Stake]:
    """The flat that odds stand behind, of a usual size; nothing for another wager."""
    if not isinstance(spot.rule, OddsRule):
        return {}
    least = setup.layout.spots[spot.flat].minimum * _FLAT_MINIMUMS
    return {spot.flat: Stake(least, least)}


def list_winning_throws(setup: DrillSetup, spot: Spot) -> list[tuple[int, int, Verdict]]:
    """Puck, throw and verdict of every win that a table could see; a come-out only for what works
    then, a wager that must be made with a point on only with one."""
    points = tuple(setup.house.book.points.value)
    found = []
    for puck in (0, *points):
        if not puck and not _works_on_come_out(spot):
            continue
        for index, verdict in enumerate(spot.tables[puck]):
            if verdict is not None and verdict.result == "win" and verdict.odds:
                found.append((puck, index, verdict))
    if not found:
        raise NoQuestionError(f"{spot.slug} never wins at a price")
    return found


def _works_on_come_out(spot: Spot) -> bool:
    rule = spot.rule
    if isinstance(rule, Come) and not spot.number:
        return False
    return spot.works and (not isinstance(rule, OddsRule) or bool(spot.number))


def settle_win(setup: DrillSetup, spot: Spot, stake: int, puck: int, index: int) -> Settlement:
    """What the engine pays a wager on a throw."""
    up = {spot.slug: Stake(stake, stake, call=True)}
    (done,) = settle(setup.layout, "", up, Throw(index, outcome_total(index), puck))
    return done


def cut_full_payoff(
    setup: DrillSetup, done: Settlement, stack: Chips, flat: Chips | None = None
) -> Payoff:
    """A payoff as it is cut: the whole of it, before any vigorish."""
    return cut_payoff(setup.layout, replace(done, vig=0), stack, flat)


def _explain_win(setup: DrillSetup, spot: Spot, done: Settlement, index: int) -> Sequence[str]:
    parts = find_legs(setup.layout, spot.slug) if spot.rule.area == "center" else {}
    key = find_key_on(setup.layout, parts, index, spot.family) if parts else None
    if key is not None and key.compute_win(done.stake) == done.paid:
        return list(explain_key(key, spoken_wager_name(spot.slug), done.stake))
    return list(explain_price(spot, done))


def _grade(setup: DrillSetup, question: Question, answer: Any) -> Grade:
    given = question.given
    spot = setup.layout.spots[given["wager"]]
    stack = read_stack(given["chips"], setup.rack)
    index = OUTCOMES.index(tuple(given["dice"]))
    done = settle_win(setup, spot, stack.amount, given["puck"] or 0, index)
    ways = [cut_full_payoff(setup, done, stack).chips]
    return grade_payoff(setup, question, answer, ways)


def grade_payoff(
    setup: DrillSetup, question: Question, answer: Any, ways: Sequence[Chips]
) -> Grade:
    """An amount and chips: the amount alone will do up to the second level, chips alone always."""
    fields = read_fields(answer, "paid")
    paid, chips = fields.get("paid"), fields.get("chips")
    if paid is None and chips is None:
        raise UnreadableAnswerError("expected paid, chips, or both")
    wrong = find_amount_error(paid, question.answer["paid"], "paid") if paid is not None else ""
    if not wrong and chips is not None:
        wrong = find_chips_error(setup, chips, ways)
    if not wrong and chips is None and not setup.any_colors:
        wrong = f"the amount is right; which chips? {ways[0]}"
    if wrong:
        return Grade(False, f"{wrong}; {question.explain[0]}", question.cite)
    return Grade(True, f"{question.answer['paid']}: {ways[0]}")


DRILL = Drill(
    name="payoffs",
    skill="what a winner is paid, from the chips as they lie",
    make_question=_make_question,
    grade=_grade,
)
