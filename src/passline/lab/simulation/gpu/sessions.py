"""Sampled sessions on a card: a thread plays one after another, what they come to is counted there.

The same seed gives the same sessions on any card: a trial's dice are the seed's and its number's.
"""

from __future__ import annotations

import time
from typing import Any

import numpy as np
from msgspec.structs import replace

from passline.lab.machines.chain import Chain
from passline.lab.sessions.session import EARLY_ENDS, Plan, ProgressCallback, SampledSession
from passline.lab.simulation.gpu.alias_table import AliasTable, build_alias_table
from passline.lab.simulation.gpu.card import (
    THREADS_PER_BLOCK,
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
from passline.signals import SignalGuard

#: Trials that are played before the clock and Ctrl-C are looked at.
TRIALS_PER_LAUNCH = 2**24
#: Counters at most, of 8 bytes: worths at each look.
MAX_COUNTERS = 2**28
#: Further than any rung.
UNREACHABLE = 2**30


class _SessionGrid:
    """A plan in rungs, units from the bankroll: stops, needs, and those that can be reached."""

    def __init__(self, rows: TransitionRows, table: AliasTable, plan: Plan, looks: int) -> None:
        unit, bankroll = table.unit, plan.bankroll
        needs = -((bankroll - rows.need) // unit)
        goal = UNREACHABLE if plan.stop_win is None else -(-plan.stop_win // unit)
        floor = -UNREACHABLE if plan.stop_loss is None else -plan.stop_loss // unit
        down, up = int(rows.money.min()) // unit, int(rows.money.max()) // unit
        lowest = max(max(int(needs.min()), floor + 1) + down, plan.rolls * down)
        highest = min(goal + up, plan.rolls * up)
        self.lowest, self.width = min(lowest, 0), max(highest, 0) - min(lowest, 0) + 1
        self.kinds = int(rows.kinds.max()) + 1
        if self.kinds * looks * self.width > MAX_COUNTERS or plan.rolls >= 2**32:
            raise TooWideError("its worths have too many values for a card: sample it without one")
        self.needs = np.clip(needs, -UNREACHABLE, UNREACHABLE).astype(np.int32)
        self._stops = min(goal, UNREACHABLE), max(floor, -UNREACHABLE)
        self._start, self._looks = table.start, looks

    def told(self) -> tuple[np.generic, ...]:
        """The numbers of the kernel, in its order."""
        sizes = (self.width, self.kinds, self._looks)
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
    left: OpenBetValuer = value_at_stake,
    bars: BrokeLimits | None = None,
    watch: ProgressCallback | None = None,
) -> SampledSession:
    """Play ``trials`` sessions of a chain on a card, as ``sample_session`` does on processors.

    Ctrl-C ends it early and keeps the trials that are over. Raises TooWideError where the chain's
    numbers, or the worths that it can come to, do not fit.
    """
    table = build_alias_table(chain, 1)
    if table is None:
        raise TooWideError("its money does not fit a card's tables")
    rows, began = TransitionRows(chain), time.perf_counter()
    tally = TrialTally(plan, int(rows.kinds[rows.start]))
    marks = np.array(tally.looks[1:], np.uint32)
    ladder, cupy = _SessionGrid(rows, table, plan, len(marks)), card.cupy
    laid = upload_table(card, table, "sessions.cu", "sit", BESIDE=1)
    given = tuple(map(cupy.asarray, (ladder.needs, rows.kinds.astype(np.uint32), marks)))
    worths = len(marks) * ladder.kinds * ladder.width
    sizes = (worths, worths, len(tally.looks), len(EARLY_ENDS) + 1, 4)
    counts = tuple(cupy.zeros(size, np.uint64) for size in sizes)
    done = 0
    with SignalGuard("SIGINT", only_default=True) as guard:
        try:
            while done < trials:
                with guard.held():
                    now = min(TRIALS_PER_LAUNCH, trials - done)
                    laid.kernel(
                        (card.processors * laid.beside,),
                        (THREADS_PER_BLOCK,),
                        (
                            laid.cells,
                            laid.rests,
                            np.uint32(len(laid.cells)),
                            *given,
                            *ladder.told(),
                            np.uint64(hash_seed(seed)),
                            np.uint64(done),
                            np.uint32(now),
                            *counts,
                        ),
                        shared_mem=laid.shared,
                    )
                    cupy.cuda.get_current_stream().synchronize()
                    done += now
                if watch is not None:
                    watch(done, trials)
        except KeyboardInterrupt:
            if not done:
                raise
    _fill_tally(tally, done, ladder, table, [each.get() for each in counts])
    found = build_session(tally, len(chain), seed, began, left, bars)
    return replace(found, interrupted=done < trials, device=card.name)


def _fill_tally(
    tally: TrialTally, trials: int, ladder: _SessionGrid, table: AliasTable, counts: list[Any]
) -> None:
    """Put what the card counted where the processors' trials are counted."""
    worths, left, ruined, ended, sums = counts
    bankroll, unit = tally.plan.bankroll, table.unit
    tally.trials = trials
    tally.ended = ended.tolist()
    tally.ruined = ruined.astype(np.int64).cumsum()
    tally.rolls, tally.rolls_squared = int(sums[0]), int(sums[1])
    highs, lows = sums[2:].astype(np.int64).tolist()
    tally.highest, tally.lowest = (trials * bankroll + total * unit for total in (highs, lows))
    opening = np.array([bankroll << KIND_BITS | tally.opening])
    tally.worths[0].add(opening, np.array([trials]))
    shape = (-1, ladder.kinds, ladder.width)
    by_look = (worths.reshape(shape) + left.reshape(shape).cumsum(axis=0)).astype(np.int64)
    for look, here in zip(tally.worths[1:], by_look, strict=True):
        kinds, rungs = np.nonzero(here)
        cents = bankroll + (rungs + ladder.lowest) * unit
        look.add(cents << KIND_BITS | kinds, here[kinds, rungs])
