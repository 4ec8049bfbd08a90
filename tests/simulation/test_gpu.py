"""On a real card, where there is one: the same games to the cent, the same worth."""

from __future__ import annotations

import numpy as np
import pytest

from passline.exact.long_run import solve_long_run
from passline.simulation.gpu import GraphicsCard, NoCardError, open_card, play_rolls_on
from passline.simulation.gpu.alias import tabulate_alias, tabulate_deepest_alias
from passline.simulation.gpu.rolls import deal_out
from passline.simulation.gpu.streams import streams_of

from .alias_played import play
from .test_alias import chain_of


@pytest.fixture(scope="module")
def card() -> GraphicsCard:
    try:
        return open_card()
    except NoCardError as wrong:
        pytest.skip(f"no card to play on: {wrong}")


@pytest.mark.parametrize(
    ("strategy", "rulebook"),
    [
        ("pass-odds", "dealer-school"),
        ("three-point-molly", "new-jersey"),
        ("come-odds", "maryland-crapless"),  # too large for shared memory, and wide
    ],
)
def test_the_same_games_to_the_cent(card: GraphicsCard, strategy: str, rulebook: str) -> None:
    chain, rolls = chain_of(strategy, rulebook), 300_000
    found = play_rolls_on(card, chain, rolls, seed=9)
    table, single = tabulate_deepest_alias(chain), tabulate_alias(chain, 1)
    assert table is not None
    assert single is not None
    deal = deal_out(rolls, table.depth)
    streams = streams_of(9, 0, deal.games)
    nets, _, states = play(table, streams, np.full(deal.games, table.start, np.int64), deal.draws)
    more, squares, after = play(single, streams, states, deal.alone)
    long = slice(0, deal.longer)
    last, last_squares, _ = play(single, streams[long], after[long], 1)
    net = int(nets.sum() + more.sum() + last.sum())
    assert (found.rolls, found.net) == (rolls, net * table.unit)
    alone = deal.alone * deal.games + deal.longer
    mean = net / rolls
    square = int(squares.sum() + last_squares.sum()) / alone
    assert found.sd_per_roll == pytest.approx((square - mean**2) ** 0.5 * table.unit)


@pytest.mark.parametrize("strategy", ["pass-odds", "iron-cross", "three-point-molly"])
def test_a_long_run_comes_to_what_is_exact(card: GraphicsCard, strategy: str) -> None:
    chain = chain_of(strategy, "dealer-school")
    exact = solve_long_run(chain)
    found = play_rolls_on(card, chain, 10**11, seed=1)
    assert found.standard_error is not None
    assert abs(found.mean_per_roll - float(exact.mean)) < 4 * found.standard_error
    assert found.sd_per_roll == pytest.approx(exact.sd, rel=1e-3)
