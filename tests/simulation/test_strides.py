"""Strides of a session have the exact chances of the rolls that they stand for."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from passline.game.dice.dice import parse_dice
from passline.lab.machines.arrays import Int32Array, IntArray, WordArray
from passline.lab.machines.chain import Chain
from passline.lab.sessions.plan_and_result import Plan
from passline.lab.simulation.seeds import make_generator
from passline.lab.simulation.transition_tables import (
    StrideTable,
    TransitionRows,
    build_strides,
    expand_chain,
)
from passline.lab.simulation.trials import make_job
from tests.simulation.chains import WALK, closed

#: Next state, money, highest and lowest on the way.
Move = tuple[int, int, int, int]

CHAINS = {
    "pass-odds": closed("pass-odds").chain(),
    "walk": WALK,
    "sevens": closed("pass-odds").chain(dice=parse_dice("sevens=1/7")),
}


def moves_of(table: StrideTable, state: int) -> dict[int, Move]:
    """By slot, what stands there."""
    row = state << table.column_bits
    found = {}
    for slot in range(1 << table.column_bits):
        if table.first[row + slot] < table.first[row + slot + 1]:
            word = int(table.moves[row + slot])
            parts = [(word >> by) % 2**16 for by in (48, 32, 16)]
            net, high, low = (part - 2**16 * (part >= 2**15) for part in parts)
            found[slot] = word % 2**16, net, high, low
    return found


def chances(table: StrideTable, state: int) -> dict[Move, Fraction]:
    """The chance of each move, read off the table's own cuts and rests."""
    found: Counter[int] = Counter()
    below, columns = 2 ** (32 - table.column_bits), 2**table.column_bits
    for at in range(state * columns, (state + 1) * columns):
        cell = int(table.cells[at])
        own = (cell >> 32) * table.whole + int(table.rests[at])
        found[cell % 2**16] += own
        found[(cell >> 16) % 2**16] += below * table.whole - own
    moves = moves_of(table, state)
    whole = below * columns * table.whole
    return {moves[slot]: Fraction(weight, whole) for slot, weight in found.items() if weight}


def walked(chain: Chain, state: int, rolls: int) -> dict[Move, Fraction]:
    """The same, roll by roll along the arcs."""
    found: dict[Move, Fraction] = {(state, 0, 0, 0): Fraction(1)}
    for _ in range(rolls):
        onward: dict[Move, Fraction] = {}
        for (at, net, high, low), chance in found.items():
            for arc in chain.arcs[at]:
                worth = net + arc.money // 100
                move = arc.next, worth, max(high, worth), min(low, worth)
                more = chance * Fraction(arc.weight, chain.whole)
                onward[move] = onward.get(move, Fraction(0)) + more
        found = onward
    return found


def tables(chain: Chain) -> tuple[StrideTable, ...]:
    next_, money = expand_chain(chain)
    return build_strides(next_, money // 100, np.array(chain.need) // 100 - 200)


@pytest.mark.parametrize("name", CHAINS)
def test_every_chance_is_exact(name: str) -> None:
    chain = CHAINS[name]
    found = tables(chain)
    assert [table.depth for table in found] == [4, 2, 1]
    for table in found:
        for state in range(len(chain)):
            assert chances(table, state) == walked(chain, state, table.depth)


@pytest.mark.parametrize("name", CHAINS)
def test_the_ways_of_a_move_are_rolls_that_make_it(name: str) -> None:
    """Each roll sequence has its weight, and none ends a session that starts at or above the
    bound.
    """
    chain = CHAINS[name]
    next_, money = expand_chain(chain)
    low = np.array(chain.need) // 100 - 200
    for table in tables(chain):
        weights = np.diff(table.sums, prepend=0)
        for state in range(len(chain)):
            told = chances(table, state)
            for slot, move in moves_of(table, state).items():
                at = (state << table.column_bits) + slot
                ways = range(table.first[at], table.first[at + 1])
                assert Fraction(int(weights[ways].sum()), table.whole) == told[move]
                throws = table.throws.reshape(-1, table.depth)
                ends = [lived_through(next_, money // 100, low, state, throws[way]) for way in ways]
                assert {where for where, _ in ends} == {move}
                bound = max(bound for _, bound in ends)
                assert bound == table.bounds[at] <= table.safe[state] - move[3]


def lived_through(
    next_: Int32Array, money: Int32Array, low: IntArray, state: int, throws: IntArray
) -> tuple[Move, int]:
    """Where a way leads, and the worth under which it ends a session."""
    worth, way, bound = 0, [0], int(low[state])
    for outcome in throws.tolist():
        worth += int(money[state, outcome])
        state = int(next_[state, outcome])
        way.append(worth)
        bound = max(bound, int(low[state]) - worth)
    return (state, worth, max(way), min(way)), bound


def test_tables_stay_small_and_numbers_fit() -> None:
    """Many states get shorter strides; what does not fit is played roll by roll."""
    many = closed("three-point-molly").chain()
    assert [table.depth for table in tables(many)] == [2, 1]
    next_, money = expand_chain(WALK)
    assert build_strides(next_, money * 10, np.zeros(3, np.int64)) == ()
    few = build_strides(next_, money, np.zeros(3, np.int64))
    assert [table.depth for table in few] == [1], "two rolls of 20,000 are more than 16 bits hold"


def test_draw_below_is_uniform() -> None:
    from passline.lab.simulation.session_kernels import draw_below

    rng = make_generator(1, 0)
    for ways in (1, 2, 3, 5):
        found = Counter(int(draw_below(rng, ways)) for _ in range(3000))
        assert set(found) == set(range(ways))
        assert max(found.values()) - min(found.values()) < 6 * (3000 / ways) ** 0.5
    assert max(int(draw_below(rng, 2**62)) for _ in range(50)) > 2**61


def turned_back(bits: int, more: int) -> WordArray:
    """A generator whose first draw is ``bits``, and what comes then depends on ``more``."""
    return np.array([0, more, more * more + 12, (bits >> 23 | bits << 41) % 2**64], np.uint64)


def test_a_cut_that_is_met_exactly_is_decided_by_a_further_draw() -> None:
    from passline.lab.simulation.session_kernels import play_strides

    job = make_job(TransitionRows(CHAINS["pass-odds"]), Plan(50_000, 4))
    table: Any = job.strides[0]
    wide = 1 << table.column_bits
    rests = table.rests[job.start * wide :][:wide]
    column = int(np.argmin(np.abs(rests / table.whole - 0.3)))
    cell = int(table.cells[job.start * wide + column])
    chance, own = float(rests[column]) / table.whole, moves_of(table, job.start)[cell % 2**16]
    half = column << 32 - table.column_bits | cell >> 32
    firsts = 0
    for more in range(1, 1001):
        rng = turned_back(half << 32, more * 0x9E3779B97F4A7C15 % 2**31)
        seats, over = np.full((4, 1), job.start), np.zeros((6, 1), np.int64)
        seats[1:] = 0
        sat = rng, seats, over, np.array([1, 0, 0, 0, -1])
        arrays = job.next, job.money, job.min_worth, job.stops
        play_strides(*arrays, np.arange(3), 0, 1, *sat, *table)
        firsts += tuple(seats[:, 0]) == own
    assert 0.2 < chance < 0.4
    assert abs(firsts - 1000 * chance) < 5 * (1000 * chance * (1 - chance)) ** 0.5
