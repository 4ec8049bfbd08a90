"""Play many rolls on the GPU: games side by side, each a number of draws from an alias table.

How a run is split depends only on the rolls and the chain; a game's dice depend only on the seed
and its number. Each game ends with some rolls played one by one: those that do not fill a draw, and
enough to measure the standard deviation of one roll.
"""

from __future__ import annotations

import math
import time
from typing import NamedTuple

import numpy as np

from passline.game.words.lab import say_lab
from passline.lab.machines.chain import Chain
from passline.lab.simulation.gpu.alias_table import (
    AliasTable,
    build_alias_table,
    build_deepest_alias_table,
)
from passline.lab.simulation.gpu.card import (
    THREADS_PER_BLOCK,
    DeviceTable,
    GraphicsCard,
    TooWideError,
    upload_table,
)
from passline.lab.simulation.rolls import MIN_BATCHES, PlayedRolls, WatchRolls
from passline.lab.simulation.seeds import make_streams
from passline.termination_signals import SignalGuard

#: Large numbers of games are multiples of this: the threads of 132 multiprocessors.
GAMES_STEP = 132 * 2048
#: The most games. Their state takes some tens of megabytes.
MAX_GAMES = 4 * GAMES_STEP
#: One of this many rolls is played singly, to measure the standard deviation of a roll.
ROLLS_PER_SINGLE = 256
#: The rolls of one kernel launch, after which Ctrl-C is noticed: about a tenth of a second.
ROLLS_PER_LAUNCH = 2**39


class GameSplit(NamedTuple):
    """How a run is split into games: each has ``draws`` draws, then ``alone`` single rolls.

    A draw is one random number that plays several rolls. The first ``longer`` games have one single
    roll more.
    """

    games: int
    draws: int
    alone: int
    longer: int


def split_into_games(rolls: int, depth: int) -> GameSplit:
    """Split a run of ``rolls`` rolls into games, with ``depth`` rolls per random draw.

    There are no more games than rolls in each. So the effect of the repeated starts is small
    compared with the standard error.

    >>> split_into_games(10**9, 12)
    GameSplit(games=31622, draws=2625, alone=123, longer=17494)
    """
    games = max(1, min(math.isqrt(rolls), MAX_GAMES))
    if games > GAMES_STEP:
        games -= games % GAMES_STEP
    each, longer = divmod(rolls, games)
    draws = (each - each // ROLLS_PER_SINGLE) // depth
    return GameSplit(games=games, draws=draws, alone=each - draws * depth, longer=longer)


class _CardGames:
    def __init__(self, card: GraphicsCard, split: GameSplit, table: AliasTable, seed: int) -> None:
        cupy = card.cupy
        self.card, self.split, self.table, self.seed = card, split, table, seed
        self.streams = cupy.asarray(make_streams(seed, 0, split.games))
        self.states = cupy.full(split.games, table.start, np.uint32)
        self.nets = cupy.zeros(split.games, np.int64)
        self.squares = cupy.zeros(split.games, np.uint64)
        self.began = time.perf_counter()

    def play(self, device_table: DeviceTable, draws: int, longer: int = 0) -> None:
        """Play every game on for ``draws`` draws; the first ``longer`` games play one more."""
        sizes = map(np.uint32, (self.split.games, longer, draws))
        arrays = self.streams, self.states, self.nets, self.squares
        blocks = -(-self.split.games // THREADS_PER_BLOCK)
        device_table.launch(self.card, blocks, *sizes, *arrays)

    def result(self, rolls: int, singles: int, interrupted: bool = False) -> PlayedRolls:
        """Return the result after ``rolls`` rolls, of which ``singles`` were played one by one."""
        nets, unit, number, error = self.nets.get(), self.table.unit, self.split.games, None
        net = int(nets.sum())
        mean = net / rolls
        square = int(self.squares.get().sum(dtype=object)) / singles if singles else 0.0
        if number >= MIN_BATCHES:
            spread = float(np.var(nets.astype(np.float64), ddof=1))
            error = math.sqrt(spread * number) / rolls if spread else None
        return PlayedRolls(
            rolls=rolls,
            net=net * unit,
            mean_per_roll=mean * unit,
            sd_per_roll=math.sqrt(max(square - mean * mean, 0)) * unit,
            standard_error=None if error is None else error * unit,
            seconds=time.perf_counter() - self.began,
            seed=self.seed,
            workers=1,
            rolls_per_lookup=self.table.depth,
            games=number,
            interrupted=interrupted,
            device=self.card.name,
        )


def play_rolls_on_card(
    card: GraphicsCard, chain: Chain, rolls: int, *, seed: int, watch: WatchRolls | None = None
) -> PlayedRolls:
    """Play exactly ``rolls`` rolls of a chain on the GPU ``card``.

    The same seed gives the same result on any GPU. The standard error is computed from the results
    of the games; ``sd_per_roll`` is measured on one roll in ROLLS_PER_SINGLE. Ctrl-C ends the run
    early, and what was played is kept. Raise TooWideError if the chain's numbers do not fit an
    alias table.
    """
    table, single = build_deepest_alias_table(chain), build_alias_table(chain, 1)
    if table is None or single is None:
        raise TooWideError(say_lab("gpu-money"))
    split = split_into_games(rolls, table.depth)
    deep = upload_table(card, table, "rolls.cu", "play", SQUARES=0)
    alone = upload_table(card, single, "rolls.cu", "play", SQUARES=1)
    games, done, was_interrupted = _CardGames(card, split, table, seed), 0, False
    stretch = max(1, ROLLS_PER_LAUNCH // (split.games * table.depth))
    with SignalGuard("SIGINT", only_default=True) as guard:
        try:
            while done < split.draws:
                with guard.defer():
                    now = min(stretch, split.draws - done)
                    games.play(deep, now)
                    done += now
                if watch is not None and done < split.draws:
                    watch(games.result(done * table.depth * split.games, 0))
        except KeyboardInterrupt:
            was_interrupted = True
        with guard.defer(forget=True):
            games.play(alone, split.alone, split.longer)
    singles = split.alone * split.games + split.longer
    return games.result(done * table.depth * split.games + singles, singles, was_interrupted)
