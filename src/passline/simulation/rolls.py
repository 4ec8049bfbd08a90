"""Many rolls of one strategy: what it nets, and how sure that is."""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from concurrent.futures import Executor
from typing import NamedTuple

import msgspec

from passline.dice import FAIR, Dice
from passline.machines import StrategyError
from passline.simulation.chunks import (
    Chunk,
    Cut,
    DeepJob,
    SlowJob,
    cut_chunks,
    cut_games,
    cut_run,
    play_chunk,
)
from passline.simulation.look_up import tabulate, tabulate_deepest
from passline.simulation.open_machines import BeganAnew, Playable, Rows
from passline.simulation.workers import Shift, Workers, WorkersLost, hire, work_off

#: Batches from which on their spread says something.
FEWEST = 16


class PlayedRolls(msgspec.Struct, frozen=True, kw_only=True):
    """What so many rolls came to, in cents.

    ``standard_error`` is that of ``mean_per_roll``, from batches of rolls long enough that one says
    nothing about the next. It is None where that cannot be told: fewer than FEWEST batches, batches
    that are all alike, or a machine that could not grow on: such a run ended at what it met, and is
    no chance sample. ``interrupted``: by Ctrl-C, or by what ``reason`` says. ``rolls_per_lookup``
    is how many rolls one look-up played. ``device`` names the card, where one played. ``games``: in
    so many, each from the opening.
    """

    rolls: int
    net: int
    mean_per_roll: float
    sd_per_roll: float
    standard_error: float | None
    seconds: float
    seed: int
    workers: int
    rolls_per_lookup: int
    games: int = 1
    interrupted: bool = False
    reason: str = ""
    device: str = ""

    @property
    def rolls_per_second(self) -> float:
        """How fast it went."""
        return self.rolls / self.seconds if self.seconds else 0.0


#: Shown the result so far now and then.
WatchRolls = Callable[[PlayedRolls], None]


class Tally(NamedTuple):
    """What was counted: in units of ``Run.unit`` cents, whole numbers of any size."""

    rolls: int = 0
    net: int = 0
    square: int = 0
    batches: int = 0
    batch_net: int = 0
    batch_square: int = 0

    def with_(self, chunk: Chunk, made: Cut) -> Tally:
        """This and a chunk, played to its end or not."""
        full = made.batches
        if not chunk.done:
            full = min(full, chunk.played // max(made.batch, 1))
        nets = chunk.nets[:full].ravel().tolist()
        return Tally(
            rolls=self.rolls + chunk.played,
            net=self.net + int(chunk.nets.sum()),
            square=self.square + sum(int(square) for square in chunk.squares.ravel()),
            batches=self.batches + len(nets),
            batch_net=self.batch_net + sum(nets),
            batch_square=self.batch_square + sum(net * net for net in nets),
        )

    def error(self, batch: int) -> float | None:
        """The standard error of the mean of a roll, in units."""
        if self.batches < FEWEST or not batch:
            return None
        # Times the number of batches, in whole numbers: nothing is lost where they are near alike.
        spread = self.batch_square * self.batches - self.batch_net**2
        if not spread:
            return None
        return math.sqrt(spread / self.batches / (self.batches - 1) / batch / self.rolls)


class _Run:
    """A run under way."""

    def __init__(
        self,
        played: Playable,
        rolls: int,
        seed: int,
        watch: WatchRolls | None,
        games: int | None,
        dice: Dice,
    ) -> None:
        from passline.simulation.kernels import LANES

        self.rolls, self.seed, self.watch = rolls, seed, watch
        self.rows = Rows(played, dice)
        self.growing = self.rows.machine is not None
        table = None if self.growing else tabulate_deepest(self.rows.next, self.rows.money)
        single = table
        if table is not None and table.depth > 1:
            single = tabulate(self.rows.next, self.rows.money, 1)
        self.depth, self.unit = (1, 1) if table is None else (table.depth, table.unit)
        lanes = 1 if table is None else LANES
        self.cut = cut_run(rolls, lanes, self.depth)
        if games is not None and not self.growing:
            self.cut = cut_games(rolls, games, lanes, self.depth)
        self.deep = None if table is None or single is None else DeepJob(table, single, self.cut)
        self.tally = Tally()
        self.began = self.told = time.perf_counter()
        self.workers, self.by_chance = 1, True

    def job(self) -> DeepJob | SlowJob:
        return self.deep or SlowJob(self.rows.next, self.rows.money, self.cut)

    def finish(self, chunk: Chunk) -> None:
        self.tally = self.tally.with_(chunk, self.cut)

    def tell(self) -> None:
        now = time.perf_counter()
        if self.watch is not None and now - self.told > 0.1:
            self.told = now
            self.watch(self.result())

    def work(self, hired: Workers) -> tuple[bool, str]:
        """Play all; whether it was interrupted, and why."""
        self.workers = hired.number
        explore = self.rows.explore if self.growing else None
        shift = Shift(
            play=play_chunk,
            job=self.job,
            finish=self.finish,
            explore=explore,
            tell=self.tell,
        )
        lost: Exception | None = None
        while True:
            chunks = cut_chunks(self.cut, self.seed, self.rows.start)
            try:
                left, reason = work_off(hired, shift, chunks), ""
                interrupted = bool(left) or self.tally.rolls < self.rolls
            except BeganAnew:
                self.tally = Tally()
                continue
            except (StrategyError, WorkersLost) as wrong:
                left, reason, interrupted = getattr(wrong, "under_way", []), str(wrong), True
                self.by_chance = isinstance(wrong, WorkersLost)
                lost = wrong
            for chunk in left:
                self.finish(chunk)
            if isinstance(lost, WorkersLost) and not self.tally.rolls:
                raise lost.why
            return interrupted, reason

    def result(self, interrupted: bool = False, reason: str = "") -> PlayedRolls:
        tally, unit = self.tally, self.unit
        rolls = tally.rolls or 1
        mean = tally.net / rolls
        error = tally.error(self.cut.batch) if self.by_chance else None
        return PlayedRolls(
            rolls=tally.rolls,
            net=tally.net * unit,
            mean_per_roll=tally.net * unit / rolls,
            sd_per_roll=math.sqrt(max(tally.square / rolls - mean * mean, 0)) * unit,
            standard_error=None if error is None else error * unit,
            seconds=time.perf_counter() - self.began,
            seed=self.seed,
            workers=self.workers,
            rolls_per_lookup=self.depth,
            games=self.cut.chunks * self.cut.games,
            interrupted=interrupted,
            reason=reason,
        )


def play_rolls(
    played: Playable,
    rolls: int,
    *,
    seed: int,
    workers: int | None = None,
    executor: Executor | Workers | None = None,
    watch: WatchRolls | None = None,
    games: int | None = None,
    dice: Dice = FAIR,
) -> PlayedRolls:
    """Play exactly ``rolls`` rolls of a chain, or of a machine that may still grow. A chain's in
    about so many ``games``, if that is told, and then the standard error is that between them.

    The same seed gives the same result on any number of workers and in any executor. Ctrl-C, a
    machine that cannot grow on and an executor that fails end it early, and what was played is
    kept; an executor that fails before anything was played raises what it raised. A machine that
    may still grow does so here, whoever plays it: the executor is handed what is known so far;
    ``dice`` are thrown for it (a chain has its own).
    """
    run = _Run(played, rolls, seed, watch, games, dice)
    with hire(executor, workers) as hired:
        interrupted, reason = run.work(hired)
    return run.result(interrupted, reason)
