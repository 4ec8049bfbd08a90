"""On a real card, where there is one: the same games to the cent, the same worth."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest

from passline.exact.long_run import solve_long_run
from passline.house.files import house_for
from passline.lab.open_wagers import open_chain
from passline.lab.resolve import machine_for
from passline.sessions import Plan
from passline.simulation.gpu import (
    GraphicsCard,
    NoCardError,
    open_card,
    play_rolls_on,
    sample_session_on,
)
from passline.simulation.gpu.alias import tabulate_alias, tabulate_deepest_alias
from passline.simulation.gpu.rolls import deal_out
from passline.simulation.gpu.streams import streams_of

from .alias_played import play, sit
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


@pytest.mark.parametrize(
    ("strategy", "rulebook", "plan"),
    [
        ("pass-odds", "dealer-school", Plan(20_000, 40, stop_win=7_000, stop_loss=9_000)),
        ("three-point-molly", "new-jersey", Plan(9_000, 25)),
        ("pass", "iowa", Plan(500, 3)),  # short from the first
    ],
)
def test_the_same_sessions_to_the_cent(
    card: GraphicsCard, strategy: str, rulebook: str, plan: Plan
) -> None:
    chain, *_ = open_chain(machine_for(strategy, house_for(rulebook, None, ())), "played")
    table, trials = tabulate_alias(chain, 1), 300
    assert table is not None
    found = sample_session_on(card, chain, plan, trials, seed=4)
    sat = sit(table, chain, plan, trials, 4)
    ends = [share * trials for share in (found.ruin, found.goal, found.stopped)]
    assert ends == sat.ended[:3]
    assert found.rolls * trials == sat.rolls
    worths: Counter[int] = Counter()
    for (worth, _), count in sat.worths.items():
        worths[worth] += count
    assert dict(zip(found.final.worths, found.final.weights, strict=True)) == worths


@pytest.mark.parametrize("strategy", ["pass-odds", "iron-cross", "three-point-molly"])
def test_sessions_come_to_what_is_exact(card: GraphicsCard, strategy: str) -> None:
    seated = machine_for(strategy, house_for("dealer-school", None, ()))
    chain, left, *_ = open_chain(seated, "played")
    plan, trials = Plan(50_000, 200, stop_win=30_000, stop_loss=40_000), 10**7
    found = sample_session_on(
        card, chain, plan, trials, seed=2, left=lambda kinds: {kind: left[kind] for kind in kinds}
    )
    pytest.importorskip("numba")
    from passline.exact.session import exact_session

    exact = exact_session(chain, plan, left=left, arithmetic="doubles")
    assert abs(float(found.final.mean) - float(exact.final.mean)) < 4.5 * found.errors["mean"]
    for key in ("ruin", "goal", "stopped", "rolls"):
        apart = abs(float(getattr(found, key)) - float(getattr(exact, key)))
        assert apart < 4.5 * found.errors.get(key, 1e-6), key
    for ours, theirs in zip(found.ruined, exact.ruined, strict=True):
        assert ours == pytest.approx(theirs, abs=1e-3)
    for band, known in zip(found.fan, exact.fan, strict=True):
        assert band.roll == known.roll
        assert band.worths[2] == pytest.approx(known.worths[2], abs=3000)
