"""Measure the engine's speed beside crapssim's, its memory, and the times of commands."""

from __future__ import annotations

import gc
import random
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from statistics import median
from time import perf_counter, process_time
from typing import NamedTuple

from bench import ours, players, theirs

Dice = list[tuple[int, int]]

#: Title, our player, and the game: a shooter needs a line wager, the automated game has none.
DEALS: tuple[tuple[str, players.Player, str], ...] = (
    ("pass with 3-4-5 odds", players.pass_odds, "craps"),
    ("pass, place 6 and 8", players.place_six_eight, "craps"),
    ("place 6 and 8 alone", players.place_alone, "automated-craps"),
    ("iron cross", players.iron_cross, "craps"),
)


class Deal(NamedTuple):
    """One way of betting: the median rolls a second of both sides, and of each turn's ratio.

    ``net`` is the player's win in the last turn, in cents. Both sides are one busy thread. Times
    are processor time, which stays comparable on a busy machine.
    """

    name: str
    ours: float
    theirs: float
    ratio: float
    net: int


class Memory(NamedTuple):
    """How much memory a long game adds: resident bytes and allocated blocks; and its speed."""

    rolls: int
    rss_growth: int
    block_growth: int
    rolls_per_second: float


def throws(count: int, seed: int) -> Dice:
    """Return ``count`` throws from a seed, the same for both sides."""
    rng = random.Random(seed)
    return [(rng.randint(1, 6), rng.randint(1, 6)) for _ in range(count)]


def _time_ours(player: players.Player, game: str, dice: Dice) -> tuple[float, int]:
    table = ours.new_table(game)
    gc.collect()
    start = process_time()
    table = ours.deal(table, player, dice)
    return process_time() - start, ours.worth(table)


def _time_theirs(strategy: object, dice: Dice) -> tuple[float, int]:
    table = theirs.new_table(strategy)
    gc.collect()
    start = process_time()
    theirs.deal(table, dice)
    return process_time() - start, theirs.worth(table)


def deals(rolls: int, repetitions: int) -> list[Deal]:
    """Measure both sides in turn on the same throws. Exit if they disagree on the money."""
    rivals = theirs.strategies()
    taken: dict[str, list[tuple[float, float]]] = {name: [] for name, _, _ in DEALS}
    nets: dict[str, int] = {}
    for turn in range(repetitions):
        dice = throws(rolls, seed=turn)
        for name, player, game in DEALS:
            strategy = rivals[player.__name__]
            first, second = (
                (_time_ours(player, game, dice), _time_theirs(strategy, dice))
                if turn % 2
                else reversed((_time_theirs(strategy, dice), _time_ours(player, game, dice)))
            )
            if first[1] != second[1]:
                raise SystemExit(f"{name}: the two tables disagree: {first[1]} and {second[1]}")
            taken[name].append((first[0], second[0]))
            nets[name] = first[1] - ours.BANKROLL * 100
    return [_summed_up(name, rolls, pairs, nets[name]) for name, pairs in taken.items()]


def _summed_up(name: str, rolls: int, pairs: list[tuple[float, float]], net: int) -> Deal:
    return Deal(
        name,
        rolls / median(mine for mine, _ in pairs),
        rolls / median(other for _, other in pairs),
        median(other / mine for mine, other in pairs),
        net,
    )


def _rss() -> int:
    """Return this process's resident memory in bytes; 0 if the system does not tell it."""
    try:
        return int(Path("/proc/self/statm").read_text().split()[1]) * 4096
    except OSError:
        return 0


def memory(rolls: int) -> Memory:
    """Deal ``rolls`` rolls after a warm-up, and return how much memory that adds."""
    table = ours.new_table("craps")
    table = ours.deal(table, players.iron_cross, _stream(20_000, seed=1))
    gc.collect()
    rss, blocks, start = _rss(), sys.getallocatedblocks(), perf_counter()
    table = ours.deal(table, players.iron_cross, _stream(rolls, seed=2))
    taken = perf_counter() - start
    gc.collect()
    return Memory(rolls, _rss() - rss, sys.getallocatedblocks() - blocks, rolls / taken)


def _stream(count: int, seed: int) -> Iterator[tuple[int, int]]:
    rng = random.Random(seed)
    return ((rng.randint(1, 6), rng.randint(1, 6)) for _ in range(count))


def median_seconds(run: Callable[[], None], repetitions: int) -> float:
    """Return the median wall-clock seconds of ``repetitions`` runs."""
    taken = []
    for _ in range(repetitions):
        start = perf_counter()
        run()
        taken.append(perf_counter() - start)
    return median(taken)


def command() -> str | None:
    """Return the path of the ``passline`` command beside this Python, or None if it doesn't run."""
    found = Path(sys.executable).with_name("passline")
    if not found.exists():
        return None
    tried = subprocess.run([found, "--help"], capture_output=True, check=False)
    return str(found) if tried.returncode == 0 else None


def help_seconds(passline: str, repetitions: int = 9) -> float:
    """Return the seconds that ``passline --help`` takes in a new process."""
    return median_seconds(lambda: run_quietly([passline, "--help"]), repetitions)


def record_seconds(passline: str, rolls: int, repetitions: int = 7) -> float | None:
    """Return the seconds to deal a record of an iron cross of ``rolls`` rolls, None if it fails."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "long.craps")
        path.write_text(ours.as_record(players.iron_cross, throws(rolls, seed=3)), "utf-8")
        words = [passline, "deal", str(path), "--json"]
        try:
            return median_seconds(lambda: run_quietly(words), repetitions)
        except subprocess.CalledProcessError:
            return None


def run_quietly(words: list[str]) -> None:
    """Run a command without its output. Raise CalledProcessError if it fails."""
    subprocess.run(words, stdout=subprocess.DEVNULL, check=True)
