"""Other dice for machines that grow as they are played."""

from __future__ import annotations

from collections import Counter

import pytest

from passline.game.dice.dice import parse_dice
from passline.lab.bets_open_at_end import make_sampled_play
from passline.lab.run_session import session
from passline.lab.sessions.plan_and_result import Plan
from passline.lab.simulation.rolls import play_rolls
from passline.lab.simulation.sessions import sample_session
from passline.lab.simulation.transition_tables import TransitionRows
from passline.lab.strategy_machine import machine

from .chains import opened

SEVENS = parse_dice("sevens=1/7")


def test_an_outcome_has_as_many_columns_as_it_weighs() -> None:
    grown = opened("pass")
    rows = TransitionRows(grown, SEVENS)
    rows.explore([0])
    assert rows.next.shape[1] == SEVENS.whole
    there = Counter(zip(rows.next[0].tolist(), rows.money[0].tolist(), strict=True))
    wanted: Counter[tuple[int, int]] = Counter()
    for outcome, weight in enumerate(SEVENS.weights):
        wanted[int(grown.next[0, outcome]), int(grown.money[0, outcome])] += weight
    assert there == wanted
    while not grown.closed:
        rows.explore([s for s in range(grown.states) if grown.next[s, 0] < 0])
    assert (rows.next[: grown.states] >= 0).all()
    assert (rows.next[grown.states :] < 0).all()


def test_a_growing_machine_is_played_with_them() -> None:
    played = play_rolls(opened("pass"), 100_000, seed=1, dice=SEVENS)
    assert played.standard_error is not None
    exact = 4400 / 917  # 11/630 of $10 in 131/36 rolls
    assert abs(played.mean_per_roll - exact) < 5 * played.standard_error
    plan = Plan(bankroll=20_000, rolls=20)
    growing = make_sampled_play(opened("pass"), "played", SEVENS)
    drawn = sample_session(
        growing.played, plan, 4_000, seed=2, open_bets=growing.open_bets, dice=SEVENS
    )
    whole = session(machine("new-jersey", "pass"), plan, dice=SEVENS)
    assert abs(float(drawn.final.mean - whole.final.mean)) < 5 * drawn.errors["mean"]


def test_dice_too_fine_for_it() -> None:
    with pytest.raises(ValueError, match="add up to 30,000: expected 512 at most"):
        TransitionRows(opened("pass"), parse_dice("sevens=1/1000"))
