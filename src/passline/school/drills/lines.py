"""A line bet and its odds, paid together: ``lines``."""

from __future__ import annotations

from typing import Any

from msgspec.structs import replace

from passline.crew.cutting import Payoff, payoff, totalled
from passline.dice import OUTCOMES, SEVEN, total_of
from passline.law.wagers import Line, OddsRule
from passline.layout import Settlement, Spot, Stake, Throw, settle
from passline.layout.amounts import price_of
from passline.money import dollars, show_dollars
from passline.money.chips import Chips, together
from passline.school.answers import counted, read_stack
from passline.school.drawing import Draws
from passline.school.drills.payoffs import mark_payoff
from passline.school.explaining import price_steps, setting_words
from passline.school.questions import Desk, Drill, Mark, NotAskedError, Question
from passline.school.stakes import flats_for, stack_for, stakes_for

_BOTH_SIDES_LEVEL = 3


def line_pairs(desk: Desk) -> list[tuple[Spot, Spot]]:
    """Every line wager with its odds: the right side's first."""
    spots = desk.layout.spots
    found = [
        (spots[spot.flat], spot)
        for spot in spots.values()
        if isinstance(spot.rule, OddsRule) and isinstance(spots[spot.flat].rule, Line)
    ]
    if not found:
        raise NotAskedError(f"{desk.house.book.id} has no odds on the line")
    return found


def _pose(desk: Desk, draws: Draws) -> Question:
    pairs = line_pairs(desk)
    flat_spot, odds_spot = pairs[0] if desk.level < _BOTH_SIDES_LEVEL else draws.pick(pairs)
    puck = draws.pick(tuple(desk.house.book.points.value))
    index = draws.pick(_wins(flat_spot, puck))
    flat = flats_for(desk, flat_spot, draws)
    wagers = {flat_spot.slug: Stake(flat, flat)}
    stakes = stakes_for(desk, odds_spot, price_of(odds_spot, puck).ratio, puck, wagers)
    if not stakes:
        raise NotAskedError(f"no odds are taken behind {show_dollars(flat)}")
    odds = draws.pick(stakes)
    flat_stack, odds_stack = stack_for(desk, flat, draws), stack_for(desk, odds, draws)
    return line_question(desk, odds_spot, (flat_stack, odds_stack), puck, index)


def line_question(
    desk: Desk, odds_spot: Spot, stacks: tuple[Chips, Chips], puck: int, index: int
) -> Question:
    """What a flat and the odds behind it win together; ``stacks`` is the one and the other."""
    flat_spot = desk.layout.spots[odds_spot.flat]
    flat_stack, odds_stack = stacks
    done, pays = _paid(desk, odds_spot, puck, index, flat_stack, odds_stack)
    if any(pay.coin for pay in pays) or not all(each.paid for each in done):
        raise NotAskedError("not paid in the chips of this house")
    chips = together(pay.chips for pay in pays)
    spots = desk.layout.spots
    return Question(
        drill="lines",
        ask=f"What do the {flat_spot.rule.title.lower()} bet and its odds win together, and in "
        "which chips?",
        given={
            "wager": flat_spot.slug,
            "flat": dollars(flat_stack.amount),
            "odds": dollars(odds_stack.amount),
            "chips": counted(flat_stack + odds_stack),
            "stacks": {"flat": counted(flat_stack), "odds": counted(odds_stack)},
            "puck": puck,
            "dice": list(OUTCOMES[index]),
        },
        answer={"paid": dollars(chips.amount), "chips": counted(chips)},
        explain=(
            *(step for each in done for step in price_steps(spots[each.wager], each)),
            *(f"{_name(desk, pay)}: {setting_words(pay)}" for pay in pays),
            f"together {show_dollars(chips.amount)}",
        ),
        cite=desk.cites(
            *(each.cite for each in done),
            *(cite for pay in pays for cite in pay.cites),
            about=(puck,),
        ),
    )


def _name(desk: Desk, pay: Payoff) -> str:
    return "odds" if isinstance(desk.layout.spots[pay.wager].rule, OddsRule) else "flat"


def _wins(spot: Spot, puck: int) -> list[int]:
    """The throws on which a line wager with its point wins."""
    return [
        index
        for index, verdict in enumerate(spot.tables[puck])
        if verdict is not None and verdict.result == "win" and total_of(index) in (puck, SEVEN)
    ]


def _paid(
    desk: Desk, odds_spot: Spot, puck: int, index: int, flat: Chips, odds: Chips
) -> tuple[list[Settlement], list[Payoff]]:
    """What the engine pays, odds first, and the chips of each."""
    up = {
        odds_spot.flat: Stake(flat.amount, flat.amount),
        odds_spot.slug: Stake(odds.amount, odds.amount, call=True),
    }
    done = settle(desk.layout, "", up, Throw(index, total_of(index), puck))
    done.sort(key=lambda each: each.wager != odds_spot.slug)
    lying = {odds_spot.slug: odds, odds_spot.flat: flat}
    pays = [payoff(desk.layout, replace(each, vig=0), lying[each.wager], flat) for each in done]
    return done, pays


def _mark(desk: Desk, question: Question, answer: Any) -> Mark:
    """Odds and flat apart, or totalled into one payoff: both ways are the manual's."""
    given = question.given
    flat = read_stack(given["stacks"]["flat"], desk.rack)
    odds = read_stack(given["stacks"]["odds"], desk.rack)
    slug = desk.layout.spots[given["wager"]].behind
    index = OUTCOMES.index(tuple(given["dice"]))
    _, pays = _paid(desk, desk.layout.spots[slug], given["puck"], index, flat, odds)
    ways = [together(pay.chips for pay in pays), totalled(desk.layout, pays).chips]
    return mark_payoff(desk, question, answer, ways)


DRILL = Drill(
    name="lines",
    trains="a line bet and its odds, paid together",
    pose=_pose,
    mark=_mark,
)
