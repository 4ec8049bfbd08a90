"""On a real card, where there is one: the same games to the cent, the same worth."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest

from passline.game.house.load import house_for
from passline.lab.bets_open_at_end import make_valued_chain
from passline.lab.exact.long_run import solve_long_run
from passline.lab.sessions.plan_and_result import Plan
from passline.lab.simulation.gpu.alias_table import build_alias_table, build_deepest_alias_table
from passline.lab.simulation.gpu.card import GraphicsCard, NoCardError, open_card
from passline.lab.simulation.gpu.rolls import play_rolls_on_card, split_into_games
from passline.lab.simulation.gpu.sessions import sample_session_on_card
from passline.lab.simulation.seeds import make_streams
from passline.lab.strategy_machine import resolve_machine

from .alias_played import play, sit
from .test_alias_table import chain_of


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
    found = play_rolls_on_card(card, chain, rolls, seed=9)
    table, single = build_deepest_alias_table(chain), build_alias_table(chain, 1)
    assert table is not None
    assert single is not None
    deal = split_into_games(rolls, table.depth)
    streams = make_streams(9, 0, deal.games)
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
    found = play_rolls_on_card(card, chain, 10**11, seed=1)
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
    chain, *_ = make_valued_chain(
        resolve_machine(strategy, house_for(rulebook, None, ())), "played"
    )
    table, trials = build_alias_table(chain, 1), 300
    assert table is not None
    found = sample_session_on_card(card, chain, plan, trials, seed=4)
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
    seated = resolve_machine(strategy, house_for("dealer-school", None, ()))
    chain, left, *_ = make_valued_chain(seated, "played")
    plan, trials = Plan(50_000, 200, stop_win=30_000, stop_loss=40_000), 10**7
    found = sample_session_on_card(
        card,
        chain,
        plan,
        trials,
        seed=2,
        open_bets=lambda kinds: {kind: left[kind] for kind in kinds},
    )
    pytest.importorskip("numba")
    from passline.lab.exact.solve_session import solve_session

    exact = solve_session(chain, plan, open_bets=left, arithmetic="doubles")
    assert abs(float(found.final.mean) - float(exact.final.mean)) < 4.5 * found.errors["mean"]
    for key in ("ruin", "goal", "stopped", "rolls"):
        apart = abs(float(getattr(found, key)) - float(getattr(exact, key)))
        assert apart < 4.5 * found.errors.get(key, 1e-6), key
    for ours, theirs in zip(found.ruined, exact.ruined, strict=True):
        assert ours == pytest.approx(theirs, abs=1e-3)
    for band, known in zip(found.fan, exact.fan, strict=True):
        assert band.roll == known.roll
        assert band.worths[2] == pytest.approx(known.worths[2], abs=3000)
