"""Many rolls on a card: games side by side, so many draws of an alias table each.

How a run is cut into games depends on its rolls and the chain alone, a game's dice on the seed and
its number. Each game ends with some rolls that are played one by one: what is left over of its
draws, and a share large enough to measure a roll's deviation on.
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

#: Games come by so many: the threads of 132 multiprocessors, and a divisor of other cards' too.
GAMES_STEP = 132 * 2048
#: Games at most: their state takes some tens of megabytes.
MAX_GAMES = 4 * GAMES_STEP
#: Of so many rolls one is played alone, and its square added up.
ROLLS_PER_SINGLE = 256
#: Rolls between two looks at the clock and at Ctrl-C: a tenth of a second or so.
ROLLS_PER_LAUNCH = 2**39


class GameSplit(NamedTuple):
    """How a run is cut: ``games`` of ``draws`` of several rolls each, and then ``alone`` rolls one
    by one, the first ``longer`` games one more."""

    games: int
    draws: int
    alone: int
    longer: int


def split_into_games(rolls: int, depth: int) -> GameSplit:
    """Cut a run of so many rolls.

    No more games than the rolls of each: that every game begins at the opening then weighs nothing
    beside the standard error.

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
    """The games on the card: where they stand and what they came to."""

    def __init__(self, card: GraphicsCard, deal: GameSplit, seed: int, start: int) -> None:
        cupy = card.cupy
        self.card, self.deal = card, deal
        self.streams = cupy.asarray(make_streams(seed, 0, deal.games))
        self.states = cupy.full(deal.games, start, np.uint32)
        self.nets = cupy.zeros(deal.games, np.int64)
        self.squares = cupy.zeros(deal.games, np.uint64)

    def play(self, laid: DeviceTable, draws: int, longer: int = 0) -> None:
        """Play every game on, for so many draws of a table."""
        blocks = min(self.card.processors * laid.beside, -(-self.deal.games // THREADS_PER_BLOCK))
        sizes = map(np.uint32, (laid.cells.shape[0], self.deal.games, longer, draws))
        laid.kernel(
            (blocks,),
            (THREADS_PER_BLOCK,),
            (laid.cells, laid.rests, *sizes, self.streams, self.states, self.nets, self.squares),
            shared_mem=laid.shared,
        )
        self.card.cupy.cuda.get_current_stream().synchronize()


def play_rolls_on_card(
    card: GraphicsCard, chain: Chain, rolls: int, *, seed: int, watch: WatchRolls | None = None
) -> PlayedRolls:
    """Play exactly ``rolls`` rolls of a chain. The same seed gives the same result on any card.

    The standard error is that between games; ``sd_per_roll`` is measured on one roll in ALONE.
    Ctrl-C ends it early, and what was played is kept. Raises TooWideError where the chain's
    numbers do not fit.
    """
    table, single = build_deepest_alias_table(chain), build_alias_table(chain, 1)
    if table is None or single is None:
        raise TooWideError("its money does not fit a card's tables")
    deal = split_into_games(rolls, table.depth)
    games = _CardGames(card, deal, seed, table.start)
    deep = upload_table(card, table, "rolls.cu", "play", SQUARES=0)
    alone = upload_table(card, single, "rolls.cu", "play", SQUARES=1)
    began, done = time.perf_counter(), 0
    stretch = max(1, ROLLS_PER_LAUNCH // (deal.games * table.depth))

    def result(played: int, singles: int, interrupted: bool = False) -> PlayedRolls:
        return _make_result(games, played, singles, table, seed, began, interrupted)

    broken = False
    with SignalGuard("SIGINT", only_default=True) as guard:
        try:
            while done < deal.draws:
                with guard.held():
                    now = min(stretch, deal.draws - done)
                    games.play(deep, now)
                    done += now
                if watch is not None and done < deal.draws:
                    watch(result(done * table.depth * deal.games, 0))
        except KeyboardInterrupt:
            broken = True
        with guard.held(forget=True):
            games.play(alone, deal.alone, deal.longer)
    singles = deal.alone * deal.games + deal.longer
    return result(done * table.depth * deal.games + singles, singles, broken)


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
    number, error = games.deal.games, None
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
