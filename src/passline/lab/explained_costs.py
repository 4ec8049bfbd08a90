"""What a strategy costs, unfolded: every wager that is decided in the long run, how often, at what
pay, by which clause."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import msgspec

from passline.dice import Dice
from passline.exact import SOLVED
from passline.exact.long_run import long_run_shares
from passline.machines import Machine
from passline.machines.decision import cost_of

#: What is paid when a wager is made and is no stake: vigorish.
MADE = "made"


class CostTerm(msgspec.Struct, frozen=True):
    """A wager decided in one way. ``often``: times a roll, in the long run; ``handle`` and ``net``:
    what is wagered so and what the player wins or loses, cents a roll. Of what is paid when wagers
    are made (``result`` "made") there is only the net."""

    wager: str
    result: str
    odds: str | None
    cite: str
    often: Fraction
    handle: Fraction
    net: Fraction


def explain_cost(machine: Machine, dice: Dice) -> tuple[CostTerm, ...]:
    """Unfold a closed machine's long run: the handles add up to the handle, the nets to the mean of
    a roll. ValueError where there are too many states, or no one long run."""
    if machine.states > SOLVED:
        raise ValueError(f"it has {machine.states:,} states: too many to be unfolded")
    chain = machine.chain(range(machine.states), dice)
    found: dict[tuple[str, str, str | None, str], CostTerm] = {}

    def add(key: tuple[str, str, str | None, str], often: Fraction, stake: int, net: int) -> None:
        before = found.get(key) or CostTerm(*key, *[Fraction(0)] * 3)
        found[key] = CostTerm(
            *key,
            often=before.often + often,
            handle=before.handle + often * stake,
            net=before.net + often * net,
        )

    for place, share in long_run_shares(chain).items():
        state = chain.kinds[place]
        money = machine.money[state].tolist()
        for outcome, settled in enumerate(machine.settled(state)):
            often = share * Fraction(dice.weights[outcome], dice.whole)
            for done in settled:
                key = done.wager, done.result, done.odds, done.cite
                add(key, often, done.stake, cost_of(done))
            paid = money[outcome] - sum(map(cost_of, settled))
            if paid:
                add(("", MADE, None, ""), often, 0, paid)
    return tuple(sorted(found.values(), key=lambda term: (term.wager, term.result, term.cite)))


def explained_cost_json(terms: tuple[CostTerm, ...]) -> list[dict[str, Any]]:
    """As ``passline cost --explain --json`` has it under ``explain``: dollars a roll, exact."""
    return [
        {
            "wager": term.wager or None,
            "result": term.result,
            "odds": term.odds,
            "cite": term.cite or None,
            "often": str(term.often),
            "handle": str(term.handle / 100),
            "net": str(term.net / 100),
        }
        for term in terms
    ]
