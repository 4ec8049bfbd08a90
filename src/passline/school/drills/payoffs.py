"""What a winner is paid, from the chips as they lie: ``payoffs``."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

from msgspec.structs import replace

from passline.crew.cutting import Payoff, payoff
from passline.crew.keys import key_on, legs
from passline.dice import OUTCOMES, total_of
from passline.law.wagers import Come, OddsRule, OneRoll, Race
from passline.layout import Settlement, Spot, Stake, Throw, Verdict, settle
from passline.money import dollars
from passline.money.chips import Chips
from passline.school.answers import counted, fields_of, read_stack
from passline.school.busy import lying_spots, pick_spot
from passline.school.drawing import Draws
from passline.school.explaining import key_steps, price_steps, setting_words
from passline.school.grading import mark_amount, mark_stack
from passline.school.questions import (
    Desk,
    Drill,
    Mark,
    NotAskedError,
    Question,
    UnreadableAnswerError,
)
from passline.school.stakes import stack_for, stakes_for
from passline.words.wagers import layout_name, wager_words

#: What stands behind a flat that is not told is asked for as much as a usual flat allows.
_FLAT_TIMES = 4


def _pose(desk: Desk, draws: Draws) -> Question:
    spot = pick_spot(asked_spots(desk), draws)
    puck, index, verdict = draws.pick(winning_throws(desk, spot))
    stake = draws.pick(
        stakes_for(desk, spot, Fraction(verdict.win, verdict.per), puck, behind(desk, spot))
        or _none(desk, spot)
    )
    return payoff_question(desk, spot, stack_for(desk, stake, draws), puck, index)


def payoff_question(desk: Desk, spot: Spot, stack: Chips, puck: int, index: int) -> Question:
    """What a stack that lies there wins on a throw."""
    done = won_on(desk, spot, stack.amount, puck, index)
    pay = cut_payoff(desk, done, stack)
    if not done.paid or pay.coin:
        raise NotAskedError(f"{spot.slug} is not paid in the chips of this house")
    return Question(
        drill="payoffs",
        ask=f"What does the {layout_name(spot.slug)} win, and in which chips?",
        given={
            "wager": spot.slug,
            "stake": dollars(stack.amount),
            "chips": counted(stack),
            "dice": list(OUTCOMES[index]),
            "puck": puck or None,
        },
        answer={"paid": dollars(done.paid), "chips": counted(pay.chips)},
        explain=(*_reckoned(desk, spot, done, index), setting_words(pay)),
        cite=desk.cites(done.cite, *pay.cites, about=(spot.number or sum(OUTCOMES[index]),)),
    )


def _none(desk: Desk, spot: Spot) -> list[int]:
    raise NotAskedError(f"{desk.house.book.id} takes no {spot.slug} that could be asked")


def asked_spots(desk: Desk) -> list[Spot]:
    """The wagers of a level: one-bet ones first, the center and odds from the second."""
    spots = lying_spots(desk.layout)
    if desk.level == 1:
        simple = [s for s in spots if (isinstance(s.rule, Race) and not s.rule.vig) or _field(s)]
        return simple or spots
    if desk.level == 2:
        return [spot for spot in spots if not isinstance(spot.rule, OddsRule)]
    return spots


def _field(spot: Spot) -> bool:
    return isinstance(spot.rule, OneRoll) and spot.rule.area == "table"


def behind(desk: Desk, spot: Spot) -> dict[str, Stake]:
    """The flat that odds stand behind, of a usual size; nothing for another wager."""
    if not isinstance(spot.rule, OddsRule):
        return {}
    least = desk.layout.spots[spot.flat].minimum * _FLAT_TIMES
    return {spot.flat: Stake(least, least)}


def winning_throws(desk: Desk, spot: Spot) -> list[tuple[int, int, Verdict]]:
    """Puck, throw and verdict of every win that a table could see; a come-out only for what works
    then, a wager that must be made with a point on only with one."""
    points = tuple(desk.house.book.points.value)
    found = []
    for puck in (0, *points):
        if not puck and not _on_come_out(spot):
            continue
        for index, verdict in enumerate(spot.tables[puck]):
            if verdict is not None and verdict.result == "win" and verdict.odds:
                found.append((puck, index, verdict))
    if not found:
        raise NotAskedError(f"{spot.slug} never wins at a price")
    return found


def _on_come_out(spot: Spot) -> bool:
    rule = spot.rule
    if isinstance(rule, Come) and not spot.number:
        return False
    return spot.works and (not isinstance(rule, OddsRule) or bool(spot.number))


def won_on(desk: Desk, spot: Spot, stake: int, puck: int, index: int) -> Settlement:
    """What the engine pays a wager on a throw."""
    up = {spot.slug: Stake(stake, stake, call=True)}
    (done,) = settle(desk.layout, "", up, Throw(index, total_of(index), puck))
    return done


def cut_payoff(desk: Desk, done: Settlement, stack: Chips, flat: Chips | None = None) -> Payoff:
    """A payoff as it is cut: the whole of it, before any vigorish."""
    return payoff(desk.layout, replace(done, vig=0), stack, flat)


def _reckoned(desk: Desk, spot: Spot, done: Settlement, index: int) -> Sequence[str]:
    parts = legs(desk.layout, spot.slug) if spot.rule.area == "center" else {}
    key = key_on(desk.layout, parts, index, spot.family) if parts else None
    if key is not None and key.pays(done.stake) == done.paid:
        return list(key_steps(key, wager_words(spot.slug), done.stake))
    return list(price_steps(spot, done))


def _mark(desk: Desk, question: Question, answer: Any) -> Mark:
    given = question.given
    spot = desk.layout.spots[given["wager"]]
    stack = read_stack(given["chips"], desk.rack)
    index = OUTCOMES.index(tuple(given["dice"]))
    done = won_on(desk, spot, stack.amount, given["puck"] or 0, index)
    ways = [cut_payoff(desk, done, stack).chips]
    return mark_payoff(desk, question, answer, ways)


def mark_payoff(desk: Desk, question: Question, answer: Any, ways: Sequence[Chips]) -> Mark:
    """An amount and chips: the amount alone will do up to the second level, chips alone always."""
    fields = fields_of(answer, "paid")
    paid, chips = fields.get("paid"), fields.get("chips")
    if paid is None and chips is None:
        raise UnreadableAnswerError("expected paid, chips, or both")
    wrong = mark_amount(paid, question.answer["paid"], "paid") if paid is not None else ""
    if not wrong and chips is not None:
        wrong = mark_stack(desk, chips, ways)
    if not wrong and chips is None and not desk.any_colours:
        wrong = f"the amount is right; which chips? {ways[0]}"
    if wrong:
        return Mark(False, f"{wrong}; {question.explain[0]}", question.cite)
    return Mark(True, f"{question.answer['paid']}: {ways[0]}")


DRILL = Drill(
    name="payoffs",
    trains="what a winner is paid, from the chips as they lie",
    pose=_pose,
    mark=_mark,
)
