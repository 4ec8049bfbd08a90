"""Sessions worked out the slow way: every fall of the dice, or every worth, one by one."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from typing import NamedTuple

from passline.lab.machines.chain import Arc, Chain
from passline.lab.machines.machine import UNEXPLORED, Machine
from passline.lab.sessions.plan_and_result import Plan


class Ends(NamedTuple):
    """Weights out of 36 to the power of the rolls."""

    whole: int
    final: dict[int, int]
    why: dict[str, int]
    rolls: Fraction


def verdict(plan: Plan, worth: int, need: int) -> str:
    """Why a session ends here; empty where it does not."""
    if plan.stop_win is not None and worth >= plan.bankroll + plan.stop_win:
        return "goal"
    if plan.stop_loss is not None and worth <= plan.bankroll - plan.stop_loss:
        return "stopped"
    return "ruin" if worth < need else ""


def every_throw(machine: Machine, plan: Plan) -> Ends:
    """All 36 ** rolls ways, each walked through the machine's own arrays."""
    final: Counter[int] = Counter()
    why: Counter[str] = Counter()
    played = 0

    def walk(state: int, worth: int, rolled: int) -> None:
        nonlocal played
        ended = verdict(plan, worth, int(machine.need[state]))
        if ended or rolled == plan.rolls:
            ways = 36 ** (plan.rolls - rolled)
            final[worth] += ways
            why[ended] += ways
            played += rolled * ways
            return
        for outcome in range(36):
            following = int(machine.next[state, outcome])
            assert following != UNEXPLORED
            walk(following, worth + int(machine.money[state, outcome]), rolled + 1)

    walk(0, plan.bankroll, 0)
    whole = 36**plan.rolls
    return Ends(whole=whole, final=dict(final), why=dict(why), rolls=Fraction(played, whole))


def every_worth(chain: Chain, plan: Plan) -> Ends:
    """A dictionary of (state, worth), roll by roll, in Python's whole numbers."""
    here: Counter[tuple[int, int]] = Counter({(chain.start, plan.bankroll): 1})
    final: Counter[int] = Counter()
    why: Counter[str] = Counter()
    played = Fraction(0)
    for rolled in range(plan.rolls + 1):
        for place in list(here):
            state, worth = place
            ended = verdict(plan, worth, chain.need[state])
            if ended or rolled == plan.rolls:
                ways = here.pop(place) * 36 ** (plan.rolls - rolled)
                final[worth] += ways
                why[ended] += ways
                played += Fraction(rolled * ways, 36**plan.rolls)
        there: Counter[tuple[int, int]] = Counter()
        for (state, worth), ways in here.items():
            for arc in chain.arcs[state]:
                there[arc.next, worth + arc.money] += ways * arc.weight
        here = there
    return Ends(whole=36**plan.rolls, final=dict(final), why=dict(why), rolls=played)


def coin(stake: int = 500) -> Chain:
    """Heads or tails for a stake."""
    return Chain(((Arc(0, -stake, 18), Arc(0, stake, 18)),), (stake,))


#: The pass line with single odds, written down by hand.
PASS_ODDS = Chain(
    (
        (Arc(0, -1000, 4), Arc(0, 1000, 8), Arc(1, 0, 10), Arc(2, 0, 8), Arc(3, 0, 6)),
        (Arc(0, -2000, 6), Arc(0, 2200, 5), Arc(1, 0, 25)),
        (Arc(0, -2000, 6), Arc(0, 2500, 4), Arc(2, 0, 26)),
        (Arc(0, -2000, 6), Arc(0, 3000, 3), Arc(3, 0, 27)),
    ),
    (1000, 2000, 2000, 2000),
)
