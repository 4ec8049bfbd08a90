"""Sample sessions on the GPU. Each thread plays one session after another and counts results there.

The same seed gives the same sessions on any GPU: a trial's dice depend on the seed and its number.
"""

from __future__ import annotations

import time
from typing import Any

import numpy as np
from msgspec.structs import replace

from passline.game.words.lab import say_lab
from passline.lab.machines.chain import Chain
from passline.lab.sessions.plan_and_result import EARLY_ENDS, Plan, ProgressCallback, SampledSession
from passline.lab.simulation.gpu.alias_table import AliasTable, build_alias_table
from passline.lab.simulation.gpu.card import (
    GraphicsCard,
    TooWideError,
    upload_table,
)
from passline.lab.simulation.seeds import hash_seed
from passline.lab.simulation.sessions import (
    BrokeLimits,
    OpenBetValuer,
    TrialTally,
    build_session,
    value_at_stake,
)
from passline.lab.simulation.transition_tables import TransitionRows
from passline.lab.simulation.trials import KIND_BITS
from passline.termination_signals import SignalGuard

#: The trials of one kernel launch, after which Ctrl-C is noticed.
TRIALS_PER_LAUNCH = 2**24
#: The most counters (8 bytes each) for the worths at all checkpoints.
MAX_COUNTERS = 2**28
#: A level beyond all others, for limits that are not set.
UNREACHABLE = 2**30


class _SessionGrid:
    """A session's plan in the form that the GPU needs: limits, needs of states, range of levels.

    A level counts units of money from the bankroll. ``width`` is the number of levels from
    ``lowest`` up. States with the same open bets are of one kind; ``kinds`` is the number of kinds.
    """

    def __init__(
        self, rows: TransitionRows, table: AliasTable, plan: Plan, checkpoints: int
    ) -> None:
        unit = table.unit
        needs = plan.find_level(rows.need, unit)
        goal, floor = plan.find_stop_levels(unit, UNREACHABLE)
        down, up = int(rows.money.min()) // unit, int(rows.money.max()) // unit
        lowest = max(max(int(needs.min()), floor + 1) + down, plan.rolls * down)
        highest = min(goal + up, plan.rolls * up)
        self.lowest, self.width = min(lowest, 0), max(highest, 0) - min(lowest, 0) + 1
        self.kinds = int(rows.kinds.max()) + 1
        if self.kinds * checkpoints * self.width > MAX_COUNTERS or plan.rolls >= 2**32:
            raise TooWideError(say_lab("gpu-bankroll"))
        self.needs = np.clip(needs, -UNREACHABLE, UNREACHABLE).astype(np.int32)
        self._stops = min(goal, UNREACHABLE), max(floor, -UNREACHABLE)
        self._start, self._checkpoints = table.start, checkpoints

    def list_arguments(self) -> tuple[np.generic, ...]:
        """Return the plan's numbers in the order in which the kernel takes them."""
        sizes = (self.width, self.kinds, self._checkpoints)
        return (
            *map(np.int32, self._stops),
            np.uint32(self._start),
            np.int32(self.lowest),
            *map(np.uint32, sizes),
        )


def sample_session_on_card(
    card: GraphicsCard,
    chain: Chain,
    plan: Plan,
    trials: int,
    *,
    seed: int,
    open_bets: OpenBetValuer = value_at_stake,
    broke_limits: BrokeLimits | None = None,
    watch: ProgressCallback | None = None,
) -> SampledSession:
    """Play ``trials`` sessions of a chain on the GPU, as ``sample_session`` does on processors.

    ``open_bets`` returns the possible results of open bets, and ``broke_limits`` the worth in cents
    below which a player can make no bet, both by the chain's kinds of open bets. Ctrl-C ends it
    early and keeps the finished trials. Raise TooWideError if the chain's numbers, or the range of
    its worths, do not fit the GPU's tables.
    """
    table = build_alias_table(chain, 1)
    if table is None:
        raise TooWideError(say_lab("gpu-money"))
    rows, began = TransitionRows(chain), time.perf_counter()
    tally = TrialTally(plan, int(rows.kinds[rows.start]))
    rolls_at_checkpoints = np.array(tally.checkpoints[1:], np.uint32)
    grid, cupy = _SessionGrid(rows, table, plan, len(rolls_at_checkpoints)), card.cupy
    device_table = upload_table(card, table, "sessions.cu", "sit", BESIDE=1)
    arrays = tuple(
        map(cupy.asarray, (grid.needs, rows.kinds.astype(np.uint32), rolls_at_checkpoints))
    )
    worths = len(rolls_at_checkpoints) * grid.kinds * grid.width
    sizes = (worths, worths, len(tally.checkpoints), len(EARLY_ENDS) + 1, 4)
    counts = tuple(cupy.zeros(size, np.uint64) for size in sizes)
    done = 0
    with SignalGuard("SIGINT", only_default=True) as guard:
        try:
            while done < trials:
                with guard.defer():
                    now = min(TRIALS_PER_LAUNCH, trials - done)
                    numbers = np.uint64(hash_seed(seed)), np.uint64(done), np.uint32(now)
                    every = (*arrays, *grid.list_arguments(), *numbers, *counts)
                    device_table.launch(card, card.processors, *every)
                    done += now
                if watch is not None:
                    watch(done, trials)
        except KeyboardInterrupt:
            if not done:
                raise
    _fill_tally(tally, done, grid, table, [each.get() for each in counts])
    found = build_session(tally, len(chain), seed, began, open_bets, broke_limits)
    return replace(found, interrupted=done < trials, device=card.name)


def _fill_tally(
    tally: TrialTally, trials: int, grid: _SessionGrid, table: AliasTable, counts: list[Any]
) -> None:
    """Copy the GPU's counts of ``trials`` trials into a tally, in place.

    ``counts`` are five arrays: the worths at each checkpoint of sessions still playing, and of
    those that had ended; ruined trials; trials by end; and sums of rolls and extremes.
    """
    worths, final_worths, ruined, ended, sums = counts
    bankroll, unit = tally.plan.bankroll, table.unit
    tally.trials = trials
    tally.ended = ended.tolist()
    tally.ruined = ruined.astype(np.int64).cumsum()
    tally.rolls, tally.rolls_squared = int(sums[0]), int(sums[1])
    highs, lows = sums[2:].astype(np.int64).tolist()
    tally.highest, tally.lowest = (trials * bankroll + total * unit for total in (highs, lows))
    opening = np.array([bankroll << KIND_BITS | tally.opening])
    tally.worths[0].add(opening, np.array([trials]))
    shape = (-1, grid.kinds, grid.width)
    by_checkpoint = worths.reshape(shape) + final_worths.reshape(shape).cumsum(axis=0)
    for checkpoint, here in zip(tally.worths[1:], by_checkpoint.astype(np.int64), strict=True):
        kinds, levels = np.nonzero(here)
        cents = bankroll + (levels + grid.lowest) * unit
        checkpoint.add(cents << KIND_BITS | kinds, here[kinds, levels])
