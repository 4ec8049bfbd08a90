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

#: A way to be decided (wager, result, odds, clause), and of one state: what the throws weigh that
#: do it, and that times the stake and the net.
_Key = tuple[str, str, str | None, str]
_Decision = tuple[_Key, int, int, int]


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
    a roll. ValueError where there are too many kinds of states, or no one long run."""
    parts: dict[frozenset[_Decision], int] = {}
    kinds = [
        parts.setdefault(_decided_by(machine, state, dice), len(parts))
        for state in range(machine.states)
    ]
    chain = machine.chain(kinds, dice)
    if len(chain) > SOLVED:
        raise ValueError(f"it has {len(chain):,} kinds of states: too many to be unfolded")
    by_kind = list(parts)
    found: dict[_Key, CostTerm] = {}
    for place, share in long_run_shares(chain).items():
        for key, weight, handle, net in by_kind[chain.kinds[place]]:
            before = found.get(key) or CostTerm(*key, *[Fraction(0)] * 3)
            once = share / dice.whole
            found[key] = CostTerm(
                *key,
                often=before.often + once * weight,
                handle=before.handle + once * handle,
                net=before.net + once * net,
            )
    return tuple(sorted(found.values(), key=lambda term: (term.wager, term.result, term.cite)))


def _decided_by(machine: Machine, state: int, dice: Dice) -> frozenset[_Decision]:
    """What the throws of a state decide, each by what it weighs. States that are alike in this are
    one in the chain: thousands of them are solved as a handful."""
    added: dict[_Key, tuple[int, int, int]] = {}

    def add(key: _Key, weight: int, stake: int, net: int) -> None:
        often, handle, won = added.get(key, (0, 0, 0))
        added[key] = often + weight, handle + weight * stake, won + weight * net

    money = machine.money[state].tolist()
    for outcome, settled in enumerate(machine.settled(state)):
        weight = dice.weights[outcome]
        for done in settled:
            add((done.wager, done.result, done.odds, done.cite), weight, done.stake, cost_of(done))
        paid = money[outcome] - sum(map(cost_of, settled))
        if paid:
            add(("", MADE, None, ""), weight, 0, paid)
    return frozenset((key, *sums) for key, sums in added.items())


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
