"""A table of players for a shift: what the house wins, what one throw can cost, what it must hold.

All players bet on the same throws. Money in cents, from the house's side.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from fractions import Fraction
from functools import partial
from typing import Literal

import msgspec

from passline.dice import FAIR, Dice
from passline.exact.session import exact_session
from passline.house import House
from passline.house.named import named_house
from passline.lab.comparing import chance_above, seat_machine, shift_session
from passline.lab.extremes import walk_ends
from passline.lab.joint_open import JointOpen, still_up, value_joint
from passline.machines import Chain
from passline.machines.joint import JointTooLarge, join_machines
from passline.results import LabResult, ResultTable, show_money, show_part
from passline.sessions import Distribution, OpenWagers, Plan, TooLong
from passline.sessions.distribution import Number
from passline.sessions.ends import STOPPED
from passline.sessions.plan import RICHEST
from passline.simulation.tables import sample_table

#: The share of shifts in which the reserve is enough.
ENOUGH = Fraction(999, 1000)
#: Shifts that are sampled unless told otherwise; states, and seconds, for an exact answer.
TRIALS, LARGEST, SECONDS = 20_000, 20_000, 60.0
_GUEST = re.compile(r"(?P<strategy>.+?)(:(?P<players>[0-9]{1,3}))?(@(?P<bankroll>[^@]+))?")


class Guest(msgspec.Struct, frozen=True):
    """So many players who bet by one strategy; without a bankroll they have chips enough."""

    strategy: str
    players: int = 1
    bankroll: int | None = None


class WorstRoll(msgspec.Struct, frozen=True):
    """The largest loss that one throw can bring: the chance that a throw of the shift does, and
    that one of them does. ``seen``: no more than the largest that was sampled."""

    loss: int
    chance: float
    in_shift: float
    seen: bool = False


class ShiftWin(LabResult, msgspec.Struct, frozen=True, kw_only=True):
    """What a table of players brings the house in a shift.

    ``win`` is its distribution, what is up at the end counted as ``open_wagers`` says (at
    expectation where it is too much to be played out); ``reserve`` the 99.9 percent quantile of how
    far behind the house is at the worst moment, by rails and stakes.
    Errors are standard errors, of what was sampled.
    """

    house: House
    dice: Dice
    guests: tuple[Guest, ...]
    rolls: int
    method: Literal["exact", "simulated"]
    win: Distribution
    worst_roll: WorstRoll
    reserve: int
    open_wagers: OpenWagers
    reserve_error: float | None = None
    trials: int | None = None
    seed: int | None = None

    def headline(self) -> str:
        """What the table brings, and what it must hold."""
        return (
            f"{self.rolls:,} rolls: the house wins {show_money(self.win.mean)} on average, sd "
            f"{show_money(self.win.sd)}, loses {show_part(self.loses)} of the time, and must hold "
            f"{show_money(self.reserve)}; {self.method}"
        )

    def listed(self) -> ResultTable:
        """What the house wins, and the chance."""
        return self.win.listed()

    @property
    def loses(self) -> Number:
        """The chance that the table loses."""
        return 1 - chance_above(self.win, -1)


def read_guest(text: str) -> tuple[str, int, str | None]:
    """``STRATEGY[:PLAYERS][@BANKROLL]`` in its parts; a strategy may have a colon of its own.

    >>> read_guest("own.py:play:3@500"), read_guest("pass")
    (('own.py:play', 3, '500'), ('pass', 1, None))
    """
    found = _GUEST.fullmatch(text)
    if found is None:
        raise ValueError(f"{text[:40]!r}: expected STRATEGY[:PLAYERS][@BANKROLL]")
    return found["strategy"], int(found["players"] or 1), found["bankroll"]


def table_shift(
    house: House | str,
    guests: Sequence[Guest],
    rolls: int,
    *,
    dice: Dice = FAIR,
    trials: int | None = None,
    seed: int = 1,
    open_wagers: OpenWagers = "played",
) -> ShiftWin:
    """What a table of players brings in so many rolls; ``open_wagers`` as ``session`` has it.

    Exact where all have chips enough and their machines together are small; sampled otherwise, and
    where ``trials`` are asked for. A player with a bankroll leaves when it cannot cover his wagers.
    Raises ValueError, in one line, for a strategy that is too large.
    """
    dealt = named_house(house)
    machines = [seat_machine(dealt, guest.strategy) for guest in guests]
    times = [-guest.players for guest in guests]
    told = partial(ShiftWin, house=dealt, dice=dice, guests=tuple(guests), rolls=rolls)
    try:
        chain: Chain | None = join_machines(machines, times, LARGEST).chain(dice=dice)
    except JointTooLarge:
        chain = None
    worst = None if chain is None else find_worst_roll(chain, rolls)
    whole = all(guest.bankroll is None for guest in guests) and trials is None
    if chain is not None and worst is not None and whole:
        try:
            opened = value_joint(machines, times, open_wagers, dice)
            return told(
                method="exact",
                win=_exact_win(opened, rolls),
                worst_roll=worst,
                reserve=find_reserve(chain, rolls),
                open_wagers=opened.how,
            )
        except TooLong:
            pass
    trials = trials or TRIALS
    found = sample_table(
        machines,
        [guest.players for guest in guests],
        [guest.bankroll for guest in guests],
        [still_up(machine, open_wagers, dice) for machine in machines],
        *(rolls, dice, trials, seed),
    )
    if worst is None:
        worst = WorstRoll(found.worst, found.worst_chance, found.worst_in_shift, seen=True)
    reserve, error = found.reserve(float(ENOUGH))
    return told(
        method="simulated",
        win=found.win(),
        worst_roll=worst,
        reserve=reserve,
        reserve_error=error,
        trials=trials,
        seed=seed,
        open_wagers=open_wagers,
    )


def _exact_win(opened: JointOpen, rolls: int) -> Distribution:
    found = exact_session(
        opened.chain,
        Plan(bankroll=RICHEST, rolls=rolls),
        left=opened.left,
        arithmetic="doubles",
        memory=1024,
        longest=SECONDS,
    )
    return shift_session(found, -RICHEST).final


def find_worst_roll(chain: Chain, rolls: int) -> WorstRoll:
    """The largest loss that an arc brings, and how likely a shift is to see it; in doubles."""
    worst = min(arc.money for arcs in chain.arcs for arc in arcs)
    gain = [
        sum(arc.weight for arc in arcs if arc.money == worst) / chain.whole for arcs in chain.arcs
    ]
    here, fresh = {chain.start: 1.0}, {chain.start: 1.0}
    added = seen = 0.0
    for _ in range(rolls):
        added += sum(chance * gain[state] for state, chance in here.items())
        seen += sum(chance * gain[state] for state, chance in fresh.items())
        here = _onward(chain, here, None)
        fresh = _onward(chain, fresh, worst)
    return WorstRoll(-worst, added / rolls, seen)


def _onward(chain: Chain, here: dict[int, float], but: int | None) -> dict[int, float]:
    after: dict[int, float] = {}
    for state, chance in here.items():
        for arc in chain.arcs[state]:
            if arc.money != but:
                there = chance * arc.weight / chain.whole
                after[arc.next] = after.get(arc.next, 0.0) + there
    return after


def find_reserve(chain: Chain, rolls: int) -> int:
    """The least amount that covers the deepest deficit in 99.9 percent of shifts; by halving, each
    amount's chance that of a session which ends there, in doubles."""
    from passline.exact.steps import lay_steps

    plan = Plan(bankroll=RICHEST, rolls=rolls)
    unit = lay_steps(chain, plan).unit

    def enough(units: int) -> bool:
        """Whether a deficit of more than so many units is as seldom as it may be."""
        stop = Plan(bankroll=RICHEST, rolls=rolls, stop_loss=(units + 1) * unit)
        *_, (_, ended) = walk_ends(chain, stop)
        return ended[STOPPED] <= float(1 - ENOUGH)

    high = 1
    while not enough(high):
        high *= 2
    low = high // 2
    while low < high:
        middle = (low + high) // 2
        low, high = (low, middle) if enough(middle) else (middle + 1, high)
    return low * unit
