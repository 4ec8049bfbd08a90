"""Many rolls: near the exact answer, all of them played, and the same for the same seed."""

from __future__ import annotations

import math
import subprocess
import sys
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from fractions import Fraction
from multiprocessing import get_context

import numpy as np
import pytest

from passline.lab.exact.long_run import solve_long_run
from passline.lab.machines.bettor import MachineFull, StrategyError, View
from passline.lab.machines.chain import Arc, Chain
from passline.lab.simulation import rolls as chunks
from passline.lab.simulation.rolls import PlayedRolls, play_rolls, split_run
from passline.lab.simulation.seeds import make_generator
from passline.lab.simulation.transition_tables import TransitionRows
from tests.simulation.chains import (
    COIN,
    WALK,
    at_table,
    closed,
    counts_for_ever,
    looks_back,
    opened,
)

#: Money too wide for a table's words.
WIDE = Chain(((Arc(0, 2**31 - 1, 1), Arc(0, -(2**26), 35)),), (0,))
#: A chain that mostly does again what it did.
STICKY = Chain(((Arc(0, 100, 35), Arc(1, -100, 1)), (Arc(0, 100, 1), Arc(1, -100, 35))), (0, 0))
STRATEGIES = ("pass", "iron-cross", "three-point-molly", "hardways", "pass-martingale", "field")


@pytest.fixture
def small_chunks(monkeypatch: pytest.MonkeyPatch) -> None:
    """Chunks of a thousandth of their size, so that small runs have many."""
    for name in (
        "MIN_CHUNK_ROLLS",
        "MAX_CHUNK_ROLLS",
        "MIN_SLOW_CHUNK_ROLLS",
        "MAX_SLOW_CHUNK_ROLLS",
        "ROLLS_PER_CALL",
    ):
        monkeypatch.setattr(chunks, name, getattr(chunks, name) >> 10)


def came_to(played: PlayedRolls) -> tuple[object, ...]:
    """Return the result without the time and the workers."""
    return (
        played.rolls,
        played.net,
        played.mean_per_roll,
        played.sd_per_roll,
        played.standard_error,
        played.interrupted,
    )


@pytest.mark.parametrize("name", STRATEGIES)
def test_the_mean_and_the_deviation_are_near_the_exact_ones(name: str) -> None:
    chain = closed(name).chain()
    exact = solve_long_run(chain)
    played = play_rolls(chain, 40_000_000, seed=11)
    assert played.standard_error is not None
    assert abs(played.mean_per_roll - exact.mean) < 5 * played.standard_error
    assert abs(played.sd_per_roll / exact.sd - 1) < 0.005
    assert not played.interrupted


@pytest.mark.parametrize("chain", [COIN, WALK, WIDE], ids=["coin", "walk", "wide"])
def test_any_chain_is_played_rightly(chain: Chain) -> None:
    exact = solve_long_run(chain)
    played = play_rolls(chain, 20_000_000, seed=5)
    assert played.standard_error is not None
    assert abs(played.mean_per_roll - exact.mean) < 5 * played.standard_error
    assert abs(played.sd_per_roll / exact.sd - 1) < 0.01


def test_the_error_is_that_of_the_mean() -> None:
    """Over fifty seeds the mean spreads as each run says it does. The rolls follow from each
    other, which an error made from single rolls would miss: it is six times too small here."""
    runs = [play_rolls(STICKY, 50_000, seed=seed, workers=1) for seed in range(50)]
    spread = np.std([run.mean_per_roll for run in runs], ddof=1)
    told = math.sqrt(np.mean([(run.standard_error or 0) ** 2 for run in runs]))
    assert 0.7 < spread / told < 1.4
    assert 5 < told / (runs[0].sd_per_roll / math.sqrt(50_000)) < 7


@pytest.mark.parametrize("rolls", [1, 2, 3, 7, 999, 1000, 16_383, 100_001, 250_007])
def test_exactly_so_many_rolls_are_played(small_chunks: None, rolls: int) -> None:
    """A chain that pays a cent a roll counts them."""
    counter = Chain(((Arc(1, 1, 36),), (Arc(0, 1, 36),)), (0, 0))
    played = play_rolls(counter, rolls, seed=1)
    assert (played.rolls, played.net, played.sd_per_roll) == (rolls, rolls, 0.0)
    slow = play_rolls(at_table(lambda view: None), rolls, seed=1)
    assert (slow.rolls, slow.net) == (rolls, 0)


@pytest.mark.parametrize("rolls", [1, 5, 10**4, 10**7, 3 * 10**9 + 11])
@pytest.mark.parametrize(("games", "depth"), [(8, 1), (8, 2), (8, 3), (1, 1)])
def test_a_cut_leaves_nothing_over(rolls: int, games: int, depth: int) -> None:
    made = split_run(rolls, games, depth)
    sizes = list(made.sizes())
    assert (sum(sizes), len(sizes)) == (rolls, made.chunks)
    assert max(sizes) - min(sizes) <= 1
    assert made.batch % depth == 0
    assert made.batches * made.batch * made.games <= min(sizes)


@pytest.mark.parametrize("name", ["pass", "three-point-molly"])
def test_the_seed_alone_decides(small_chunks: None, name: str) -> None:
    chain = closed(name).chain()
    results = {came_to(play_rolls(chain, 300_000, seed=3, workers=n)) for n in (1, 2, 3, 7)}
    assert len(results) == 1
    assert came_to(play_rolls(chain, 300_000, seed=4)) not in results


@pytest.mark.system
def test_any_executor_takes_the_work(small_chunks: None) -> None:
    chain = closed("pass").chain()
    own = play_rolls(chain, 200_000, seed=3)
    with ThreadPoolExecutor(3) as threads:
        assert came_to(play_rolls(chain, 200_000, seed=3, executor=threads)) == came_to(own)
    with ProcessPoolExecutor(2, mp_context=get_context("spawn")) as processes:
        found = play_rolls(chain, 200_000, seed=3, executor=processes, workers=2)
        assert came_to(found) == came_to(own)
        assert found.workers == 2
        assert processes.submit(abs, -1).result() == 1, "it is left running"


def test_wide_money_is_the_same_on_any_number_of_workers(small_chunks: None) -> None:
    results = {came_to(play_rolls(WIDE, 100_000, seed=3, workers=n)) for n in (1, 2, 5)}
    assert len(results) == 1


@pytest.mark.parametrize("name", ["pass", "three-point-molly"])
def test_a_growing_machine_plays_the_same_rolls(small_chunks: None, name: str) -> None:
    """Grown on the way or closed before, on one worker or three: the same dice, the same money."""
    from passline.lab.simulation.roll_kernels import play_states

    rolls, seed = 30_000, 9
    found = [play_rolls(opened(name), rolls, seed=seed, workers=n) for n in (1, 3)]
    assert came_to(found[0]) == came_to(found[1])
    machine = closed(name)
    net = 0
    made = split_run(rolls, 1, 1)
    assert made.chunks > 3
    for number, size in enumerate(made.sizes()):
        place, nets = np.zeros(2, np.int64), np.zeros(1, np.int64)
        rng = make_generator(seed, number)
        assert (
            play_states(machine.next, machine.money, size, 1, rng, place, nets, np.zeros(1)) == -1
        )
        net += int(nets.sum())
    assert found[0].net == net
    assert found[0].rolls == rolls


def test_a_strategy_that_reads_the_last_roll_starts_over() -> None:
    from passline.lab.simulation.roll_kernels import play_states

    grown = at_table(looks_back)
    played = play_rolls(grown, 50_000, seed=2)
    whole = at_table(looks_back)
    assert whole.close()
    place, nets = np.zeros(2, np.int64), np.zeros(1, np.int64)
    play_states(whole.next, whole.money, 50_000, 1, make_generator(2, 0), place, nets, np.zeros(1))
    assert (played.rolls, played.net) == (50_000, int(nets[0]))


def test_states_without_end_meet_the_ceiling_and_keep_what_was_played() -> None:
    played = play_rolls(at_table(counts_for_ever, memory=1), 10**6, seed=1)
    assert played.interrupted
    assert "states" in played.reason
    assert 10 < played.rolls < 10**6


def test_a_strategy_that_fails_late_keeps_what_was_played() -> None:
    def late(view: View) -> tuple[list[str], int]:
        rolls = (view.memory or 0) + 1
        return (["field for 5"] if rolls < 20 else ["fields for 5"]), rolls

    played = play_rolls(at_table(late), 1000, seed=1)
    assert (played.rolls, played.interrupted) == (19, True)
    assert "fields" in played.reason


def test_errors_are_strategy_errors() -> None:
    assert issubclass(MachineFull, StrategyError)


def test_ctrl_c_keeps_what_was_played(small_chunks: None) -> None:
    """Interrupted at the third progress report of a run that would never end."""
    looks = []

    def watch(played: PlayedRolls) -> None:
        looks.append(played)
        if len(looks) == 3:
            raise KeyboardInterrupt

    played = play_rolls(closed("pass").chain(), 10**14, seed=1, watch=watch)
    assert played.interrupted
    assert played.reason == ""
    assert looks[-1].rolls <= played.rolls < 10**14
    assert abs(played.mean_per_roll - float(Fraction(-7000, 1671))) < 5 * (
        played.standard_error or 0
    )


def test_few_rolls_have_no_error() -> None:
    """Fewer than sixteen batches are too few, and equal batches have no spread."""
    chain = closed("pass").chain()
    assert play_rolls(chain, 1023, seed=1).standard_error is None
    assert (play_rolls(chain, 1024, seed=1).standard_error or 0) > 0
    idle = Chain(((Arc(0, 0, 36),),), (0,))
    assert play_rolls(idle, 10_000, seed=1).standard_error is None


def test_a_run_that_fails_has_no_error() -> None:
    """A run that stops at a state that fails is no random sample of rolls."""

    def late(view: View) -> tuple[list[str], int]:
        rolls = (view.memory or 0) + 1
        return (["field for 5"] if rolls < 1100 else ["fields for 5"]), rolls

    played = play_rolls(at_table(late), 1100, seed=1)
    assert (played.rolls, played.standard_error) == (1099, None)


def test_a_second_ctrl_c_loses_nothing(small_chunks: None) -> None:
    """Progress is not reported after an interruption."""

    def watch(played: PlayedRolls) -> None:
        raise KeyboardInterrupt

    for workers in (1, 4):
        played = play_rolls(closed("pass").chain(), 10**10, seed=1, workers=workers, watch=watch)
        assert played.interrupted
        assert played.rolls > 0


def test_ctrl_c_while_pieces_change_hands_waits() -> None:
    """A real Ctrl-C in finish takes effect after all finished pieces are counted."""
    script = """
import signal
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from passline.lab.simulation.workers import Workers, WorkPlan as Shift, run_work
from threading import Barrier

@dataclass
class Piece:
    number: int
    is_finished: bool = True
    stuck: int = -1

counted = []
def finish(piece):
    signal.raise_signal(signal.SIGINT)
    counted.append(piece.number)
gate = Barrier(4)  # all four come back at once
def play(job, piece):
    gate.wait()
    return piece
with ThreadPoolExecutor(4) as threads:
    shift = Shift(play, int, finish, explore=print)
    left = run_work(Workers(threads, 4), shift, map(Piece, range(8)))
print(sorted(counted), left, signal.getsignal(signal.SIGINT) is signal.default_int_handler)
"""
    ran = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert ran.stdout == "[0, 1, 2, 3] [] True\n"


def test_ctrl_c_while_a_machine_grows() -> None:
    def watch(played: PlayedRolls) -> None:
        raise KeyboardInterrupt

    played = play_rolls(at_table(counts_for_ever), 10**6, seed=1, watch=watch)
    assert (played.interrupted, played.reason) == (True, "")
    assert 0 < played.rolls < 10**6


def test_rows_of_a_chain_are_not_explored() -> None:
    found = TransitionRows(COIN)
    assert (found.states, found.unit, found.start) == (1, 500, 0)
    with pytest.raises(AssertionError):
        found.explore([0])


@pytest.mark.parametrize("seed", [-1, 2**64])
def test_seeds_out_of_range_are_refused(seed: int) -> None:
    with pytest.raises(ValueError, match="expected a whole number from 0"):
        make_generator(seed, 0)
