"""Play many rolls of one strategy: the net result and its standard error.

The rolls are split into chunks, the work of one worker at a time. A chunk depends only on the run
and on its own number, so the result does not depend on the number of workers. A small run is one
game that starts at an empty table. A large run is many games of millions of rolls each, all from an
empty table, several side by side in a chunk. The effect of the repeated starts is small compared
with the standard error.
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

from passline.game.dice.dice import FAIR, Dice
from passline.lab.machines.arrays import FloatArray, Int32Array, IntArray, WordArray
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

#: The fewest and the most rolls in a chunk of a large run: a fraction of a second each.
MIN_CHUNK_ROLLS, MAX_CHUNK_ROLLS = 2**24, 2**26
#: The number of chunks to aim for, and the most chunks of any run: one process hands out and adds
#: up all of them.
WANTED_CHUNKS, MAX_CHUNKS = 32, 2**18
#: The fewest and the most rolls in a chunk that is one game, played one roll at a time.
MIN_SLOW_CHUNK_ROLLS, MAX_SLOW_CHUNK_ROLLS = 2**22, 2**24
#: The most rolls of a growing machine's chunk in one call.
ROLLS_PER_CALL = 2**20
#: The most batches of each game, for the standard error.
MAX_BATCHES = 64


@dataclass(slots=True)
class Chunk:
    """A piece of a run that one worker plays: the states of its games, and sums for each batch.

    ``place[game]`` is the state of a game. ``nets`` (sums of money) and ``squares`` (sums of the
    squared changes of single rolls) have a column for each game. They have a row for each batch (a
    number of rolls in a row of one game), and one for the rolls left over.
    """

    number: int
    rolls: int
    rng: WordArray
    place: IntArray
    nets: IntArray
    squares: FloatArray
    played: int = 0
    unexplored_state: int = -1

    @property
    def is_finished(self) -> bool:
        """Whether all rolls of the chunk are played."""
        return self.played == self.rolls


class RunSplit(NamedTuple):
    """How a run of ``rolls`` rolls is split into chunks, games and batches.

    A chunk is what a worker plays at a time, and a batch a number of rolls in a row of one game.
    ``games`` is the number of games in a chunk, ``batches`` the number of batches in a game, and
    ``batch`` the number of rolls in a batch.
    """

    rolls: int
    chunks: int
    games: int
    batches: int
    batch: int

    def sizes(self) -> Iterator[int]:
        """Yield the number of rolls of each chunk. They differ by at most one."""
        size, more = divmod(self.rolls, self.chunks)
        return (size + (number < more) for number in range(self.chunks))


def split_run(rolls: int, games: int, depth: int) -> RunSplit:
    """Split a run of ``rolls`` rolls into chunks of at most ``games`` games side by side.

    A chunk is what a worker plays at a time. ``depth`` is the number of rolls per look-up; the
    rolls of a batch are a multiple of it.

    >>> split_run(1000, 8, 2)
    RunSplit(rolls=1000, chunks=1, games=1, batches=15, batch=66)
    >>> split_run(10**9, 8, 2)
    RunSplit(rolls=1000000000, chunks=32, games=8, batches=64, batch=61034)
    >>> split_run(10**15, 8, 2).chunks
    262144
    """
    smallest, largest = MIN_CHUNK_ROLLS, MAX_CHUNK_ROLLS
    if games == 1:
        smallest, largest = MIN_SLOW_CHUNK_ROLLS, MAX_SLOW_CHUNK_ROLLS
    size = max(min(max(rolls // WANTED_CHUNKS, smallest), largest), rolls // MAX_CHUNKS)
    chunks = max(1, round(rolls / size))
    if chunks == 1:
        games = 1
    game = rolls // chunks // games
    batches = max(1, min(MAX_BATCHES, math.isqrt(game // 4)))
    batch = game // batches // depth * depth
    return RunSplit(rolls=rolls, chunks=chunks, games=games, batches=batches, batch=batch)


def split_into_games(rolls: int, wanted: int, games: int, depth: int) -> RunSplit:
    """Split a run into about ``wanted`` games, at most ``games`` side by side in each chunk.

    Each game is one batch, so the standard error is estimated from the results of the games.
    ``depth`` is the number of rolls per look-up.

    >>> split_into_games(10**6, 32, 8, 2)
    RunSplit(rolls=1000000, chunks=4, games=8, batches=1, batch=31250)
    """
    games = min(games, wanted)
    chunks = -(-wanted // games)
    batch = rolls // chunks // games // depth * depth
    return RunSplit(rolls=rolls, chunks=chunks, games=games, batches=1, batch=batch)


def make_chunks(split: RunSplit, seed: int, start: int) -> Iterator[Chunk]:
    """Yield the chunks of a run, with no rolls played yet. All games begin in state ``start``."""
    shape = (split.batches + 1, split.games)
    for number, size in enumerate(split.sizes()):
        yield Chunk(
            number=number,
            rolls=size,
            rng=make_generator(seed, number),
            place=np.full(split.games, start, np.int64),
            nets=np.zeros(shape, np.int64),
            squares=np.zeros(shape),
        )


class LookupJob(NamedTuple):
    """How to play chunks on a completely explored machine: with look-up tables.

    ``table`` plays several rolls per look-up, and ``single`` plays the remaining ones.
    """

    table: LookupTable
    single: LookupTable
    split: RunSplit


class StateJob(NamedTuple):
    """How to play chunks on a machine's own arrays, without a look-up table.

    Use it if the machine is still being explored, or its numbers do not fit a table.
    """

    next: Int32Array
    money: Int32Array
    split: RunSplit


def play_chunk(job: LookupJob | StateJob, chunk: Chunk) -> Chunk:
    """Play a chunk to its end, for ROLLS_PER_CALL rolls, or up to an unexplored state.

    Return the same chunk, changed in place. With a ``LookupJob``, always play it to its end.
    """
    from passline.lab.simulation.roll_kernels import play_lanes, play_single_game, play_states

    if isinstance(job, LookupJob):
        split, play = job.split, play_single_game if job.split.games == 1 else play_lanes
        nets, squares, state = chunk.nets, chunk.squares, (chunk.rng, chunk.place)
        steps = split.batch // job.table.depth
        play(*job.table.numbers, steps, *state, nets[:-1], squares[:-1])
        steps = chunk.rolls - split.batches * split.batch * split.games
        play_single_game(*job.single.numbers, steps, *state, nets[-1:], squares[-1:])
        chunk.played = chunk.rolls
        return chunk
    until = min(chunk.rolls, chunk.played + ROLLS_PER_CALL)
    place = np.array([chunk.place[0], chunk.played], np.int64)
    nets, squares = chunk.nets[:, 0], chunk.squares[:, 0]
    chunk.unexplored_state = play_states(
        job.next, job.money, until, max(job.split.batch, 1), chunk.rng, place, nets, squares
    )
    chunk.place[0], chunk.played = place[0], int(place[1])
    return chunk


#: The fewest batches from which a standard error is computed.
MIN_BATCHES = 16


class PlayedRolls(msgspec.Struct, frozen=True, kw_only=True):
    """The result of a run of rolls. Money is in cents.

    * ``net`` is the total change of money in the ``rolls`` rolls that were played.
    * ``standard_error`` is that of ``mean_per_roll``, estimated from batches of rolls. It is None
      if there are fewer than MIN_BATCHES batches, if all are equal, or if a strategy error or a
      full machine ended the run: its rolls are then not a random sample.
    * ``interrupted`` says whether the run ended early. ``reason`` is the error that ended it, or ""
      for Ctrl-C.
    * ``rolls_per_lookup`` is how many rolls one look-up in a table plays.
    * ``games`` is into how many games, each from an empty table, the planned rolls were split.
    * ``device`` is the name of the GPU, or "".
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
        """The number of rolls played per second."""
        return self.rolls / self.seconds if self.seconds else 0.0


#: Called with the result so far from time to time.
WatchRolls = Callable[[PlayedRolls], None]


class RollTally(NamedTuple):
    """The sums of all chunks so far, in units of money: integers of any size.

    ``square`` is the sum of the squared changes of single rolls. ``batch_net`` and ``batch_square``
    are the sums of the money and the squared money of the ``batches`` full batches.
    """

    rolls: int = 0
    net: int = 0
    square: int = 0
    batches: int = 0
    batch_net: int = 0
    batch_square: int = 0

    def add_chunk(self, chunk: Chunk, split: RunSplit) -> RollTally:
        """Return the sums with those of a chunk added. The chunk may be unfinished."""
        full = split.batches
        if not chunk.is_finished:
            full = min(full, chunk.played // max(split.batch, 1))
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
        """Return the standard error of the mean per roll, in units of money, or None if not known.

        ``batch`` is the number of rolls in a batch.
        """
        if self.batches < MIN_BATCHES or not batch:
            return None
        # Computed in integers, times the number of batches, so that nothing cancels.
        spread = self.batch_square * self.batches - self.batch_net**2
        if not spread:
            return None
        return math.sqrt(spread / self.batches / (self.batches - 1) / batch / self.rolls)


class _RollRun:
    """A run of rolls in progress: how it is split, and the sums so far."""

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
        self.depth, self.unit = (1, 1) if table is None else (table.depth, table.unit)
        lanes = 1 if table is None else LANES
        self.split = split_run(rolls, lanes, self.depth)
        if games is not None and not self.growing:
            self.split = split_into_games(rolls, games, lanes, self.depth)
        single = table
        if table is not None and table.depth > 1:
            single = build_lookup(self.rows.next, self.rows.money, 1)
        self.lookup_job = LookupJob(table, single, self.split) if table and single else None
        self.tally = RollTally()
        self.began = self.last_watch = time.perf_counter()
        self.workers, self.is_random_sample = 1, True

    def job(self) -> LookupJob | StateJob:
        return self.lookup_job or StateJob(self.rows.next, self.rows.money, self.split)

    def finish(self, chunk: Chunk) -> None:
        self.tally = self.tally.add_chunk(chunk, self.split)

    def notify(self) -> None:
        now = time.perf_counter()
        if self.watch is not None and now - self.last_watch > 0.1:
            self.last_watch = now
            self.watch(self.result())

    def work(self, pool: Workers) -> tuple[bool, str]:
        """Play all chunks. Return (interrupted, reason): whether the run ended early, and why.

        The reason is "" after Ctrl-C and for a complete run. Raise the exception of an executor
        that failed before any roll was played.
        """
        self.workers = pool.number
        plan = WorkPlan(
            play=play_chunk,
            job=self.job,
            finish=self.finish,
            explore=self.rows.explore if self.growing else None,
            notify=self.notify,
        )
        lost: Exception | None = None
        while True:
            chunks = make_chunks(self.split, self.seed, self.rows.start)
            try:
                left, reason = run_work(pool, plan, chunks), ""
                interrupted = bool(left) or self.tally.rolls < self.rolls
            except MachineRestarted:
                self.tally = RollTally()
                continue
            except (StrategyError, WorkersLost) as failure:
                left, reason, interrupted = getattr(failure, "under_way", []), str(failure), True
                self.is_random_sample = isinstance(failure, WorkersLost)
                lost = failure
            for chunk in left:
                self.finish(chunk)
            if isinstance(lost, WorkersLost) and not self.tally.rolls:
                raise lost.why
            return interrupted, reason

    def result(self, interrupted: bool = False, reason: str = "") -> PlayedRolls:
        tally, unit = self.tally, self.unit
        rolls = tally.rolls or 1
        mean = tally.net / rolls
        error = tally.error(self.split.batch) if self.is_random_sample else None
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
            games=self.split.chunks * self.split.games,
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
    """Play exactly ``rolls`` rolls of a chain, or of a machine that is explored while it is played.

    The same seed gives the same result on any number of workers and in any executor. ``games``
    splits a chain's rolls into about that many games, and the standard error is then estimated
    between games. ``dice`` are the dice for a machine; a chain already includes its dice. Ctrl-C, a
    strategy error, full memory and an executor that fails end the run early, and the rolls played
    so far are reported. If an executor fails before any roll was played, its exception is raised.
    """
    run = _RollRun(played, rolls, seed, watch, games, dice)
    with open_workers(executor, workers) as pool:
        interrupted, reason = run.work(pool)
    return run.result(interrupted, reason)
