"""Alias tables give every outcome its exact chance; games played by them come to what is exact."""

from __future__ import annotations

from collections import defaultdict
from fractions import Fraction

import numpy as np
import pytest

from passline.game.dice.dice import parse_dice
from passline.game.house.load import house_for
from passline.lab.bets_open_at_end import make_valued_chain
from passline.lab.exact.long_run import solve_long_run
from passline.lab.machines.chain import Arc, Chain
from passline.lab.sessions.plan_and_result import END_GOAL, END_RUIN, END_STOP_LOSS, Plan
from passline.lab.simulation.gpu.alias_table import (
    DRAW_BITS,
    AliasTable,
    build_alias_table,
    build_deepest_alias_table,
)
from passline.lab.simulation.gpu.rolls import GAMES_STEP, split_into_games
from passline.lab.simulation.seeds import make_streams
from passline.lab.strategy_machine import resolve_machine

from .alias_played import decide, play, sit


def chain_of(strategy: str, rulebook: str) -> Chain:
    return resolve_machine(strategy, house_for(rulebook, None, ())).chain()


def chances(table: AliasTable, state: int) -> dict[tuple[int, int], Fraction]:
    """The chance of each next state and money, read off the table's own cuts and rests."""
    found: dict[tuple[int, int], Fraction] = defaultdict(Fraction)
    below = 2 ** (DRAW_BITS - table.column_bits)
    for column in range(2**table.column_bits):
        cut, rest = int(table.cuts[state, column]), int(table.rests[state, column])
        share = Fraction(cut * table.whole + rest, below * table.whole)
        assert 0 <= share <= 1
        pair = table.outcomes[state, column].tolist()
        for out, part in zip(pair, (share, 1 - share), strict=True):
            where = (out & (2**table.state_bits - 1), (out >> table.state_bits) + table.least)
            found[where] += part / 2**table.column_bits
    return {where: chance for where, chance in found.items() if chance}


def walked(chain: Chain, state: int, rolls: int, unit: int) -> dict[tuple[int, int], Fraction]:
    """The same, roll by roll along the arcs."""
    found = {(state, 0): Fraction(1)}
    for _ in range(rolls):
        onward: dict[tuple[int, int], Fraction] = defaultdict(Fraction)
        for (at, money), chance in found.items():
            for arc in chain.arcs[at]:
                onward[arc.next, money + arc.money // unit] += chance * Fraction(
                    arc.weight, chain.whole
                )
        found = onward
    return found


def test_other_dice_have_their_own_chances() -> None:
    dice = parse_dice("sevens=1/7")
    chain = resolve_machine("pass-odds", house_for("dealer-school", None, ())).chain(dice=dice)
    table = build_deepest_alias_table(chain)
    assert table is not None
    assert (table.whole, table.depth) == (210**8, 8)  # the last power within 63 bits
    assert chances(table, chain.start) == walked(chain, chain.start, 8, table.unit)


@pytest.mark.parametrize("depth", [1, 2, 5, 12])
@pytest.mark.parametrize("strategy", ["pass-odds", "iron-cross"])
def test_every_chance_is_exact(strategy: str, depth: int) -> None:
    chain = chain_of(strategy, "dealer-school")
    table = build_alias_table(chain, depth)
    assert table is not None
    for state in range(len(chain)):
        assert chances(table, state) == walked(chain, state, depth, table.unit)


@pytest.mark.parametrize(
    ("strategy", "rulebook", "depth"),
    [
        ("pass-odds", "dealer-school", 12),
        ("iron-cross", "dealer-school", 12),
        ("three-point-molly", "dealer-school", 3),
        pytest.param("come-odds", "maryland-crapless", 1, marks=pytest.mark.long),
    ],
)
def test_as_many_rolls_a_draw_as_there_is_room_for(
    strategy: str, rulebook: str, depth: int
) -> None:
    table = build_deepest_alias_table(chain_of(strategy, rulebook))
    assert table is not None
    assert table.depth == depth
    assert table.fits_16_bits == (depth > 1)


def test_money_that_does_not_fit_is_said() -> None:
    assert build_alias_table(Chain(((Arc(0, -(10**10), 18), Arc(0, 3, 18)),), (0,)), 1) is None


@pytest.mark.parametrize("strategy", ["pass-odds", "three-point-molly"])
def test_what_is_played_comes_to_what_is_exact(strategy: str) -> None:
    chain = chain_of(strategy, "dealer-school")
    exact = solve_long_run(chain)
    table = build_deepest_alias_table(chain)
    assert table is not None
    games, draws = 20_000, 60
    states = np.full(games, table.start, np.int64)
    nets, _, _ = play(table, make_streams(11, 0, games), states, draws)
    rolls = draws * table.depth
    mean = nets.mean() * table.unit / rolls
    error = nets.std() * table.unit / rolls / games**0.5
    # Every game begins at the opening, which a few hundred rolls do not forget to the last cent.
    assert abs(mean - float(exact.mean)) < 4 * error + 60 / rolls


def test_a_cut_that_is_met_exactly_is_decided_by_further_draws() -> None:
    streams = make_streams(3, 0, 1)
    below = sum(decide(streams, 0, 36**12, 36**12 // 4) for _ in range(4000))
    assert abs(below - 1000) < 4 * (4000 * 3 / 16) ** 0.5
    assert not any(decide(streams, 0, 36**12, 0) for _ in range(50))


def test_games_and_their_dice_depend_on_the_run_alone() -> None:
    many = make_streams(5, 0, 100)
    assert np.array_equal(make_streams(5, 40, 10), many[40:50])
    assert len(np.unique(many, axis=0)) == 100
    assert not np.array_equal(make_streams(6, 0, 100), many)


@pytest.mark.parametrize("rolls", [1, 2, 1000, 10**6 + 7, 10**12 + 1, 10**15])
@pytest.mark.parametrize("depth", [1, 3, 12])
def test_exactly_as_many_rolls_as_asked_for(rolls: int, depth: int) -> None:
    deal = split_into_games(rolls, depth)
    assert deal.games * (deal.draws * depth + deal.alone) + deal.longer == rolls
    assert deal.games <= max(rolls // deal.games, 1)
    assert deal.games < GAMES_STEP or deal.games % GAMES_STEP == 0
    assert deal.alone >= rolls // deal.games // 256


def test_sessions_one_by_one_come_to_what_is_exact() -> None:
    """What a card's sessions are held to, held to the exact ones itself."""
    from passline.lab.exact.solve_session import solve_session

    machine = resolve_machine("pass-odds", house_for("dealer-school", None, ()))
    chain, left, *_ = make_valued_chain(machine, "played")
    plan, trials = Plan(20_000, 12, stop_win=7_000, stop_loss=9_000), 1500
    table = build_alias_table(chain, 1)
    assert table is not None
    sat, exact = sit(table, chain, plan, trials, 4), solve_session(chain, plan, open_bets=left)
    for how, chance in (
        (END_GOAL, exact.goal),
        (END_STOP_LOSS, exact.stopped),
        (END_RUIN, exact.ruin),
    ):
        share = float(chance)
        assert abs(sat.ended[how] / trials - share) <= 4.5 * (share * (1 - share) / trials) ** 0.5
    assert sat.rolls / trials == pytest.approx(float(exact.rolls), rel=0.05)
