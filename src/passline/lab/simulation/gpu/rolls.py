"""Play many rolls on the GPU: games side by side, each a number of draws from an alias table.

The split into games depends on the rolls and the chain only, and a game's dice on the seed and its
number. Each game ends with some rolls played one by one: those that do not fill a draw, and enough
to measure the standard deviation of one roll.
"""

from __future__ import annotations

import math
import time
from typing import NamedTuple

import numpy as np

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
from passline.signals import SignalGuard

#: Large numbers of games are multiples of this: the threads of 132 multiprocessors.
GAMES_STEP = 132 * 2048
#: The most games. Their state takes some tens of megabytes.
MAX_GAMES = 4 * GAMES_STEP
#: One of this many rolls is played singly, and its square added up.
ROLLS_PER_SINGLE = 256
#: The rolls of one kernel launch, after which Ctrl-C is noticed: about a tenth of a second.
ROLLS_PER_LAUNCH = 2**39


class GameSplit(NamedTuple):
    """How a run is split: ``games`` games of ``draws`` draws and then ``alone`` single rolls each.

    The first ``longer`` games have one single roll more.
    """

    games: int
    draws: int
    alone: int
    longer: int


def split_into_games(rolls: int, depth: int) -> GameSplit:
    """Split a run into games.

    There are no more games than rolls in each, so that compared with the standard error the
    repeated openings do not matter.

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
    """The state and the sums of all games, on the GPU."""

    def __init__(self, card: GraphicsCard, split: GameSplit, seed: int, start: int) -> None:
        cupy = card.cupy
        self.card, self.split = card, split
        self.streams = cupy.asarray(make_streams(seed, 0, split.games))
        self.states = cupy.full(split.games, start, np.uint32)
        self.nets = cupy.zeros(split.games, np.int64)
        self.squares = cupy.zeros(split.games, np.uint64)

    def play(self, device_table: DeviceTable, draws: int, longer: int = 0) -> None:
        """Play every game on for ``draws`` draws from a table."""
        blocks = min(
            self.card.processors * device_table.blocks_per_processor,
            -(-self.split.games // THREADS_PER_BLOCK),
        )
        sizes = map(np.uint32, (device_table.cells.shape[0], self.split.games, longer, draws))
        device_table.kernel(
            (blocks,),
            (THREADS_PER_BLOCK,),
            (
                device_table.cells,
                device_table.rests,
                *sizes,
                self.streams,
                self.states,
                self.nets,
                self.squares,
            ),
            shared_mem=device_table.shared,
        )
        self.card.cupy.cuda.get_current_stream().synchronize()


def play_rolls_on_card(
    card: GraphicsCard, chain: Chain, rolls: int, *, seed: int, watch: WatchRolls | None = None
) -> PlayedRolls:
    """Play exactly ``rolls`` rolls of a chain. The same seed gives the same result on any GPU.

    The standard error is that between games; ``sd_per_roll`` is measured on one roll in
    ROLLS_PER_SINGLE. Ctrl-C ends it early, and what was played is kept. Raise TooWideError if the
    chain's numbers do not fit.
    """
    table, single = build_deepest_alias_table(chain), build_alias_table(chain, 1)
    if table is None or single is None:
        raise TooWideError("its money does not fit a card's tables")
    split = split_into_games(rolls, table.depth)
    games = _CardGames(card, split, seed, table.start)
    deep = upload_table(card, table, "rolls.cu", "play", SQUARES=0)
    alone = upload_table(card, single, "rolls.cu", "play", SQUARES=1)
    began, done = time.perf_counter(), 0
    stretch = max(1, ROLLS_PER_LAUNCH // (split.games * table.depth))

    def result(played: int, singles: int, interrupted: bool = False) -> PlayedRolls:
        return _make_result(games, played, singles, table, seed, began, interrupted)

    was_interrupted = False
    with SignalGuard("SIGINT", only_default=True) as guard:
        try:
            while done < split.draws:
                with guard.defer():
                    now = min(stretch, split.draws - done)
                    games.play(deep, now)
                    done += now
                if watch is not None and done < split.draws:
                    watch(result(done * table.depth * split.games, 0))
        except KeyboardInterrupt:
            was_interrupted = True
        with guard.defer(forget=True):
            games.play(alone, split.alone, split.longer)
    singles = split.alone * split.games + split.longer
    return result(done * table.depth * split.games + singles, singles, was_interrupted)


def _make_result(
    games: _CardGames,
    rolls: int,
    singles: int,
    table: AliasTable,
    seed: int,
    began: float,
    interrupted: bool,
) -> PlayedRolls:
    nets = games.nets.get()
    net = int(nets.sum())
    mean = net / rolls
    square = int(games.squares.get().sum(dtype=object)) / singles if singles else 0.0
    number, error = games.split.games, None
    if number >= MIN_BATCHES:
        spread = float(np.var(nets.astype(np.float64), ddof=1))
        error = math.sqrt(spread * number) / rolls if spread else None
    return PlayedRolls(
        rolls=rolls,
        net=net * table.unit,
        mean_per_roll=mean * table.unit,
        sd_per_roll=math.sqrt(max(square - mean * mean, 0)) * table.unit,
        standard_error=None if error is None else error * table.unit,
        seconds=time.perf_counter() - began,
        seed=seed,
        workers=1,
        rolls_per_lookup=table.depth,
        games=number,
        interrupted=interrupted,
        device=games.card.name,
    )
