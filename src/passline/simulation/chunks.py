"""A long run of rolls, cut into chunks. A chunk depends on the run and its number alone.

Small runs are one game from the opening. Large ones are games of millions of rolls each, every one
from the opening, several side by side in a chunk: that the opening is met more than once weighs
nothing beside the standard error.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from passline.simulation.look_up import LookUp
from passline.simulation.seeds import generator

#: Rolls in a chunk of a large run: a fraction of a second each.
SMALLEST, LARGEST = 2**24, 2**26
#: Chunks wanted of a run before they become larger, and the most of the longest runs: each is
#: handed out, taken in and added up by one process, whoever plays it.
ENOUGH, MOST_CHUNKS = 32, 2**18
#: The same where chunks are played one roll a look-up, one game each.
SLOW_SMALLEST, SLOW_LARGEST = 2**22, 2**24
#: Rolls of a growing machine that are played before its chunk is handed back.
STRETCH = 2**20
#: Batches of each game for the standard error.
BATCHES = 64


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


class Cut(NamedTuple):
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


def cut_run(rolls: int, games: int, depth: int) -> Cut:
    """Cut a run for ``games`` side by side, ``depth`` rolls a look-up.

    >>> cut_run(1000, 8, 2)
    Cut(rolls=1000, chunks=1, games=1, batches=15, batch=66)
    >>> cut_run(10**9, 8, 2)
    Cut(rolls=1000000000, chunks=32, games=8, batches=64, batch=61034)
    >>> cut_run(10**15, 8, 2).chunks
    262144
    """
    smallest, largest = (SMALLEST, LARGEST) if games > 1 else (SLOW_SMALLEST, SLOW_LARGEST)
    size = max(min(max(rolls // ENOUGH, smallest), largest), rolls // MOST_CHUNKS)
    chunks = max(1, round(rolls / size))
    if chunks == 1:
        games = 1
    game = rolls // chunks // games
    batches = max(1, min(BATCHES, math.isqrt(game // 4)))
    return Cut(
        rolls=rolls,
        chunks=chunks,
        games=games,
        batches=batches,
        batch=game // batches // depth * depth,
    )


def cut_games(rolls: int, wanted: int, games: int, depth: int) -> Cut:
    """Cut a run into about so many games, ``games`` side by side: each is a batch of its own, and
    its error is the one between games.

    >>> cut_games(10**6, 32, 8, 2)
    Cut(rolls=1000000, chunks=4, games=8, batches=1, batch=31250)
    """
    games = min(games, wanted)
    chunks = -(-wanted // games)
    batch = rolls // chunks // games // depth * depth
    return Cut(rolls=rolls, chunks=chunks, games=games, batches=1, batch=batch)


def cut_chunks(made: Cut, seed: int, start: int) -> Iterator[Chunk]:
    """The chunks of a run, each at its beginning."""
    for number, size in enumerate(made.sizes()):
        shape = (made.batches + 1, made.games)
        yield Chunk(
            number=number,
            rolls=size,
            rng=generator(seed, number),
            place=np.full(made.games, start, np.int64),
            nets=np.zeros(shape, np.int64),
            squares=np.zeros(shape),
        )


class DeepJob(NamedTuple):
    """The job of playing a closed machine: its table, the table of single rolls, the cut."""

    table: LookUp
    single: LookUp
    cut: Cut


class SlowJob(NamedTuple):
    """The job of playing a machine's own arrays, where they grow or do not fit a table."""

    next: NDArray[np.int32]
    money: NDArray[np.int32]
    cut: Cut


def play_chunk(job: DeepJob | SlowJob, chunk: Chunk) -> Chunk:
    """Play a chunk on: to its end, or for a stretch, or to a state that is not explored."""
    return _play_deep(job, chunk) if isinstance(job, DeepJob) else _play_slow(job, chunk)


def _play_deep(job: DeepJob, chunk: Chunk) -> Chunk:
    from passline.simulation.kernels import play_alone, play_lanes

    def go(table: LookUp, steps: int, first: int, last: int | None, alone: bool) -> None:
        (play_alone if alone else play_lanes)(
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


def _play_slow(job: SlowJob, chunk: Chunk) -> Chunk:
    from passline.simulation.kernels import play_states

    until = min(chunk.rolls, chunk.played + STRETCH)
    place = np.array([chunk.place[0], chunk.played], np.int64)
    nets, squares = chunk.nets[:, 0], chunk.squares[:, 0]
    chunk.stuck = play_states(
        job.next, job.money, until, max(job.cut.batch, 1), chunk.rng, place, nets, squares
    )
    chunk.place[0], chunk.played = place[0], int(place[1])
    return chunk
