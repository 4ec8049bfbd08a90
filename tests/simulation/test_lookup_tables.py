"""Tables: every cell is what the chain does in so many rolls."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest

from passline.lab.machines.chain import FAIR_DICE_WEIGHT, Arc, Chain
from passline.lab.simulation.transition_tables import (
    MAX_LOOKUP_BYTES,
    MAX_ROLLS_PER_LOOKUP,
    LookupTable,
    build_deepest_lookup,
    build_lookup,
    expand_chain,
)
from tests.simulation.chains import COIN, WALK, closed

Fall = tuple[int, int, int]


def falls(chain: Chain, state: int, depth: int) -> Counter[Fall]:
    """Next state, money and squares after so many rolls → how many of 36 ** depth ways."""
    found: Counter[Fall] = Counter({(state, 0, 0): 1})
    for _ in range(depth):
        then: Counter[Fall] = Counter()
        for (at, net, square), ways in found.items():
            for arc in chain.arcs[at]:
                then[arc.next, net + arc.money, square + arc.money**2] += ways * arc.weight
        found = then
    return found


def taken_apart(table: LookupTable, state: int) -> Counter[Fall]:
    """The same, read from a table."""
    cells = table.cells[state * table.ways : (state + 1) * table.ways]
    words = cells >> table.state_bits
    onward = cells & ((1 << table.state_bits) - 1)
    squares = words & ((1 << table.square_bits) - 1)
    nets = words >> table.square_bits
    return Counter(
        zip(
            onward.tolist(),
            (nets * table.unit).tolist(),
            (squares * table.unit**2).tolist(),
            strict=True,
        )
    )


@pytest.mark.parametrize("depth", [1, 2, 3])
@pytest.mark.parametrize("chain", [COIN, WALK], ids=["coin", "walk"])
def test_a_table_holds_all_ways_the_dice_fall(chain: Chain, depth: int) -> None:
    table = build_lookup(*expand_chain(chain), depth)
    assert table is not None
    assert (table.ways, table.depth) == (FAIR_DICE_WEIGHT**depth, depth)
    for state in range(len(chain)):
        assert taken_apart(table, state) == falls(chain, state, depth)


def test_a_real_strategy_has_the_same_table() -> None:
    chain = closed("three-point-molly", ("odds.multiple", "3-4-5")).chain()
    table = build_deepest_lookup(*expand_chain(chain))
    assert table is not None
    assert table.depth == 2
    for state in range(len(chain)):
        assert taken_apart(table, state) == falls(chain, state, 2)


def test_words_never_run_into_each_other() -> None:
    """The most look-ups that may be added up, all of the dearest cell, come apart rightly."""
    table = build_lookup(*expand_chain(WALK), 2)
    assert table is not None
    for cell in (int(table.cells.max()), int(table.cells.min())):
        word = (cell >> table.state_bits) * table.most
        assert -(2**63) <= word < 2**63
        one = cell >> table.state_bits
        mask = (1 << table.square_bits) - 1
        assert (word & mask, word >> table.square_bits) == (
            (one & mask) * table.most,
            (one >> table.square_bits) * table.most,
        )


def test_the_deepest_table_stays_small() -> None:
    for chain in (COIN, WALK, closed("come-odds").chain()):
        table = build_deepest_lookup(*expand_chain(chain))
        assert table is not None
        assert table.cells.nbytes <= MAX_LOOKUP_BYTES
        assert len(chain) * FAIR_DICE_WEIGHT ** (table.depth + 1) * 8 > MAX_LOOKUP_BYTES


def test_the_smallest_chain_has_the_deepest_table() -> None:
    table = build_deepest_lookup(*expand_chain(COIN))
    assert table is not None
    assert table.depth == MAX_ROLLS_PER_LOOKUP


def test_many_states_are_still_played_one_roll_a_look() -> None:
    many = 5_000
    next_ = np.tile(np.arange(many, dtype=np.int32)[:, None], (1, FAIR_DICE_WEIGHT))
    table = build_deepest_lookup(next_, np.ones((many, FAIR_DICE_WEIGHT), np.int32))
    assert table is not None
    assert table.depth == 1


def test_money_that_fits_no_word_has_no_table() -> None:
    wide = Chain(((Arc(0, 2**31 - 1, 1), Arc(0, -1, 35)),), (0,))
    assert build_deepest_lookup(*expand_chain(wide)) is None


def test_nothing_wagered_is_no_trouble() -> None:
    table = build_deepest_lookup(*expand_chain(Chain(((Arc(0, 0, 36),),), (0,))))
    assert table is not None
    assert not table.cells.any()
