"""More rolls than one machine plays in a day: how long they take a cluster, what they cost, and how
sure they would make one. Nothing is played but a sample, for the speed."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Literal

import msgspec

from passline.dice import FAIR, Dice
from passline.lab.simulations import MOST_ROLLS, Simulation, check_number, simulate
from passline.machines import Machine, SavedMachine

if TYPE_CHECKING:
    from passline.simulation.gpu import GraphicsCard

#: Rolls played for the speed, on a core and on a card: a moment each.
SAMPLE, SAMPLE_ON_CARD = 3 * 10**8, 10**12
#: Cores or cards beyond which nobody means what he says.
MOST_CORES = 10**6


class RollsPlan(msgspec.Struct, frozen=True, kw_only=True):
    """So many rolls on so many ``cores`` (cards, where ``sample`` names one).

    ``hours`` is one core's, all rolls together. ``cost``: dollars, at a price for the hour of one.
    ``standard_error``: of the mean of a roll, in cents; ``error_from`` the chain's ``sd_rate``, or
    the spread of the sample where that is not told. None: neither tells.
    """

    rolls: int
    cores: int
    hours: float
    seconds: float
    price: float | None
    cost: float | None
    standard_error: float | None
    error_from: Literal["chain", "sample"]
    sample: Simulation


def plan_rolls(
    machine: Machine | SavedMachine,
    rolls: int,
    *,
    cores: int = 1,
    price: float | None = None,
    seed: int | None = None,
    card: GraphicsCard | None = None,
    dice: Dice = FAIR,
    sample: int | None = None,
) -> RollsPlan:
    """What ``rolls`` would take and tell, by a sample that one core, or the card, plays now.

    >>> from passline.lab.resolve import machine
    >>> found = plan_rolls(machine("iowa", "pass"), 10**15, cores=1000, sample=10**6, seed=1)
    >>> f"{found.standard_error:.1g}", found.error_from
    ('2e-05', 'chain')
    """
    check_number("rolls", rolls, 1, MOST_ROLLS)
    check_number("cores", cores, 1, MOST_CORES)
    played = min(rolls, sample or (SAMPLE if card is None else SAMPLE_ON_CARD))
    found = simulate(machine, played, seed=seed, workers=1, card=card, dice=dice)
    hours = rolls / found.rolls_per_second / 3600
    error = found.sd_rate
    if error is None and found.standard_error is not None:
        error = found.standard_error * math.sqrt(found.rolls)
    return RollsPlan(
        rolls=rolls,
        cores=cores,
        hours=hours,
        seconds=hours * 3600 / cores,
        price=price,
        cost=None if price is None else hours * price,
        standard_error=None if error is None else error / math.sqrt(rolls),
        error_from="sample" if found.sd_rate is None else "chain",
        sample=found,
    )
