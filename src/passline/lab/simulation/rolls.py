"""A long run of rolls, cut into chunks. A chunk depends on the run and its number alone.

Small runs are one game from the opening. Large ones are games of millions of rolls each, every one
from the opening, several side by side in a chunk: that the opening is met more than once weighs
nothing beside the standard error.

Many rolls of one strategy: what it nets, and how sure that is.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Executor
from dataclasses import dataclass
from typing import NamedTuple

import msgspec
import numpy as np
from numpy.typing import NDArray

from passline.game.dice.dice import FAIR, Dice
from passline.lab.machines.bettor import StrategyError
from passline.lab.simulation.seeds import make_generator
from passline.lab.simulation.transition_tables import (
    LookupTable,
    MachineRestarted,
    Playable,
    TransitionRows,
    build_deepest_lookup,
    build_lookup,
)
from passline.lab.simulation.workers import Workers, WorkersLost, WorkPlan, open_workers, run_work

#: Rolls in a chunk of a large run: a fraction of a second each.
MIN_CHUNK_ROLLS, MAX_CHUNK_ROLLS = 2**24, 2**26
#: Chunks wanted of a run before they become larger, and the most of the longest runs: each is
#: handed out, taken in and added up by one process, whoever plays it.
WANTED_CHUNKS, MAX_CHUNKS = 32, 2**18
#: The same where chunks are played one roll a look-up, one game each.
MIN_SLOW_CHUNK_ROLLS, MAX_SLOW_CHUNK_ROLLS = 2**22, 2**24
#: Rolls of a growing machine that are played before its chunk is handed back.
ROLLS_PER_CALL = 2**20
#: Batches of each game for the standard error.
MAX_BATCHES = 64


@dataclass(slots=True)
class Chunk:
    """A piece of a run: where its games stand, and what each batch came to.

    ``nets`` and ``squares`` have a row for each batch and one for the rolls left over; a column
    for each game.
    """

    number: int
    rolls: int
    rng: NDArray[np.uint64]
    place: NDArray[np.int64]
    nets: NDArray[np.int64]
    squares: NDArray[np.float64]
    played: int = 0
    stuck: int = -1

    @property
    def done(self) -> bool:
        """Whether all its rolls are played."""
        return self.played == self.rolls


class RunSplit(NamedTuple):
    """How a run is cut: chunks, games side by side in each, batches and rolls in a batch."""

    rolls: int
    chunks: int
    games: int
    batches: int
    batch: int

    def sizes(self) -> Iterator[int]:
        """The rolls of each chunk, which differ by one at most."""
        size, more = divmod(self.rolls, self.chunks)
        return (size + (number < more) for number in range(self.chunks))


def split_run(rolls: int, games: int, depth: int) -> RunSplit:
    """Cut a run for ``games`` side by side, ``depth`` rolls a look-up.

    >>> split_run(1000, 8, 2)
    RunSplit(rolls=1000, chunks=1, games=1, batches=15, batch=66)
    >>> split_run(10**9, 8, 2)
    RunSplit(rolls=1000000000, chunks=32, games=8, batches=64, batch=61034)
    >>> split_run(10**15, 8, 2).chunks
    262144
    """
    smallest, largest = (
        (MIN_CHUNK_ROLLS, MAX_CHUNK_ROLLS)
        if games > 1
        else (MIN_SLOW_CHUNK_ROLLS, MAX_SLOW_CHUNK_ROLLS)
    )
    size = max(min(max(rolls // WANTED_CHUNKS, smallest), largest), rolls // MAX_CHUNKS)
    chunks = max(1, round(rolls / size))
    if chunks == 1:
        games = 1
    game = rolls // chunks // games
    batches = max(1, min(MAX_BATCHES, math.isqrt(game // 4)))
    return RunSplit(
        rolls=rolls,
        chunks=chunks,
        games=games,
        batches=batches,
        batch=game // batches // depth * depth,
    )


def split_into_games(rolls: int, wanted: int, games: int, depth: int) -> RunSplit:
    """Cut a run into about so many games, ``games`` side by side: each is a batch of its own, and
    its error is the one between games.

    >>> split_into_games(10**6, 32, 8, 2)
    RunSplit(rolls=1000000, chunks=4, games=8, batches=1, batch=31250)
    """
    games = min(games, wanted)
    chunks = -(-wanted // games)
    batch = rolls // chunks // games // depth * depth
    return RunSplit(rolls=rolls, chunks=chunks, games=games, batches=1, batch=batch)


def make_chunks(made: RunSplit, seed: int, start: int) -> Iterator[Chunk]:
    """The chunks of a run, each at its beginning."""
    for number, size in enumerate(made.sizes()):
        shape = (made.batches + 1, made.games)
        yield Chunk(
            number=number,
            rolls=size,
            rng=make_generator(seed, number),
            place=np.full(made.games, start, np.int64),
            nets=np.zeros(shape, np.int64),
            squares=np.zeros(shape),
        )


class LookupJob(NamedTuple):
    """The job of playing a closed machine: its table, the table of single rolls, the cut."""

    table: LookupTable
    single: LookupTable
    cut: RunSplit


class StateJob(NamedTuple):
    """The job of playing a machine's own arrays, where they grow or do not fit a table."""

    next: NDArray[np.int32]
    money: NDArray[np.int32]
    cut: RunSplit


def play_chunk(job: LookupJob | StateJob, chunk: Chunk) -> Chunk:
    """Play a chunk on: to its end, or for a stretch, or to a state that is not explored."""
    return (
        _play_lookup_job(job, chunk) if isinstance(job, LookupJob) else _play_state_job(job, chunk)
    )


def _play_lookup_job(job: LookupJob, chunk: Chunk) -> Chunk:
    from passline.lab.simulation.roll_kernels import play_lanes, play_single_game

    def go(table: LookupTable, steps: int, first: int, last: int | None, alone: bool) -> None:
        (play_single_game if alone else play_lanes)(
            table.cells,
            table.ways,
            table.state_bits,
            table.square_bits,
            table.most,
            steps,
            chunk.rng,
            chunk.place,
            chunk.nets[first:last],
            chunk.squares[first:last],
        )

    made = job.cut
    go(job.table, made.batch // job.table.depth, 0, -1, made.games == 1)
    go(job.single, chunk.rolls - made.batches * made.batch * made.games, -1, None, True)
    chunk.played = chunk.rolls
    return chunk


def _play_state_job(job: StateJob, chunk: Chunk) -> Chunk:
    from passline.lab.simulation.roll_kernels import play_states

    until = min(chunk.rolls, chunk.played + ROLLS_PER_CALL)
    place = np.array([chunk.place[0], chunk.played], np.int64)
    nets, squares = chunk.nets[:, 0], chunk.squares[:, 0]
    chunk.stuck = play_states(
        job.next, job.money, until, max(job.cut.batch, 1), chunk.rng, place, nets, squares
    )
    chunk.place[0], chunk.played = place[0], int(place[1])
    return chunk


#: Batches from which on their spread says something.
MIN_BATCHES = 16


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


class RollTally(NamedTuple):
    """What was counted: in units of ``Run.unit`` cents, whole numbers of any size."""

    rolls: int = 0
    net: int = 0
    square: int = 0
    batches: int = 0
    batch_net: int = 0
    batch_square: int = 0

    def add_chunk(self, chunk: Chunk, made: RunSplit) -> RollTally:
        """This and a chunk, played to its end or not."""
        full = made.batches
        if not chunk.done:
            full = min(full, chunk.played // max(made.batch, 1))
        nets = chunk.nets[:full].ravel().tolist()
        return RollTally(
            rolls=self.rolls + chunk.played,
            net=self.net + int(chunk.nets.sum()),
            square=self.square + sum(int(square) for square in chunk.squares.ravel()),
            batches=self.batches + len(nets),
            batch_net=self.batch_net + sum(nets),
            batch_square=self.batch_square + sum(net * net for net in nets),
        )

    def error(self, batch: int) -> float | None:
        """The standard error of the mean of a roll, in units."""
        if self.batches < MIN_BATCHES or not batch:
            return None
        # Times the number of batches, in whole numbers: nothing is lost where they are near alike.
        spread = self.batch_square * self.batches - self.batch_net**2
        if not spread:
            return None
        return math.sqrt(spread / self.batches / (self.batches - 1) / batch / self.rolls)


class _RollRun:
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
        from passline.lab.simulation.roll_kernels import LANES

        self.rolls, self.seed, self.watch = rolls, seed, watch
        self.rows = TransitionRows(played, dice)
        self.growing = self.rows.machine is not None
        table = None if self.growing else build_deepest_lookup(self.rows.next, self.rows.money)
        single = table
        if table is not None and table.depth > 1:
            single = build_lookup(self.rows.next, self.rows.money, 1)
        self.depth, self.unit = (1, 1) if table is None else (table.depth, table.unit)
        lanes = 1 if table is None else LANES
        self.cut = split_run(rolls, lanes, self.depth)
        if games is not None and not self.growing:
            self.cut = split_into_games(rolls, games, lanes, self.depth)
        self.deep = None if table is None or single is None else LookupJob(table, single, self.cut)
        self.tally = RollTally()
        self.began = self.told = time.perf_counter()
        self.workers, self.is_random_sample = 1, True

    def job(self) -> LookupJob | StateJob:
        return self.deep or StateJob(self.rows.next, self.rows.money, self.cut)

    def finish(self, chunk: Chunk) -> None:
        self.tally = self.tally.add_chunk(chunk, self.cut)

    def tell(self) -> None:
        now = time.perf_counter()
        if self.watch is not None and now - self.told > 0.1:
            self.told = now
            self.watch(self.result())

    def work(self, hired: Workers) -> tuple[bool, str]:
        """Play all; whether it was interrupted, and why."""
        self.workers = hired.number
        explore = self.rows.explore if self.growing else None
        shift = WorkPlan(
            play=play_chunk,
            job=self.job,
            finish=self.finish,
            explore=explore,
            tell=self.tell,
        )
        lost: Exception | None = None
        while True:
            chunks = make_chunks(self.cut, self.seed, self.rows.start)
            try:
                left, reason = run_work(hired, shift, chunks), ""
                interrupted = bool(left) or self.tally.rolls < self.rolls
            except MachineRestarted:
                self.tally = RollTally()
                continue
            except (StrategyError, WorkersLost) as wrong:
                left, reason, interrupted = getattr(wrong, "under_way", []), str(wrong), True
                self.is_random_sample = isinstance(wrong, WorkersLost)
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
        error = tally.error(self.cut.batch) if self.is_random_sample else None
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
    run = _RollRun(played, rolls, seed, watch, games, dice)
    with open_workers(executor, workers) as hired:
        interrupted, reason = run.work(hired)
    return run.result(interrupted, reason)
