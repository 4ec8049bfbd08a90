"""``session --short reduce``: what it is refused for, and several strategies at once."""

from __future__ import annotations

import json
from functools import partial, partialmethod
from pathlib import Path
from typing import cast

import pytest
from click.testing import CliRunner

from passline.cli.main import cli
from passline.lab.machines.bettor import MachineFull
from passline.lab.machines.machine import Machine
from passline.lab.machines.reduced_bets import ReducedBetExplorer
from passline.lab.run_session import session
from passline.lab.sessions.plan_and_result import Plan
from passline.lab.simulation.gpu.card import GraphicsCard
from passline.lab.strategy_machine import machine

AT = ["--rulebook", "new-jersey", "--bankroll", "25", "--rolls", "6", "--short", "reduce"]


def refused(*args: str) -> str:
    ended = CliRunner().invoke(cli, ["session", *args])
    assert (ended.exit_code, ended.stdout) == (2, "")
    assert ended.stderr.count("\n") == 1
    return ended.stderr


def test_a_card_plays_nobody_who_is_short() -> None:
    """The command says so before it looks for a card; the library, with one."""
    said = refused("pass", *AT, "--device", "gpu", "--trials", "50")
    assert "--device gpu plays no sessions with --short reduce" in said
    card = cast(GraphicsCard, object())
    plan = Plan(bankroll=2500, rolls=6)
    by = partial(session, machine("new-jersey", "pass"), plan, exact=False, card=card)
    with pytest.raises(ValueError, match="a GPU plays no sessions that reduce bets when short"):
        by(trials=50, when_short="reduce")


def test_a_saved_machine_has_no_strategy_to_ask(tmp_path: Path) -> None:
    kept = str(tmp_path / "pass.npz")
    made = CliRunner().invoke(cli, ["machine", "pass", "--rulebook", "new-jersey", "--save", kept])
    assert made.exit_code == 0, made.stderr
    for how in ("--exact", "--trials=50"):
        said = refused(kept, *AT[2:], how)
        assert "a saved machine cannot reduce bets when short" in said


def test_too_many_smaller_bets_are_refused_before_they_are_played(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The states are counted first: each that is played takes as long as a roll of the table."""
    made = machine("new-jersey", "pass-odds")
    made.close()
    played: list[int | None] = []
    fill = ReducedBetExplorer._fill

    def count(explorer: ReducedBetExplorer, number: int, has: int | None) -> None:
        played.append(has)
        fill(explorer, number, has)

    monkeypatch.setattr(ReducedBetExplorer, "_fill", count)
    with pytest.raises(MachineFull):
        made.reduce_bets(20_000, made.states + 4)
    assert played == []
    made.reduce_bets(20_000)
    assert played
    monkeypatch.setattr(Machine, "reduce_bets", partialmethod(Machine.reduce_bets, most=20))
    said = refused("pass-odds", *AT, "--exact")
    assert "over 20 states when it bets less for lack of chips: sample it (--trials)" in said


def test_a_machine_that_grows(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A strategy that counts rolls has no end of states: they are explored as it plays."""
    monkeypatch.setattr("passline.lab.strategy_machine.MAX_STATES_BEFORE_PLAY", 40)
    own = tmp_path / "own.py"
    own.write_text(
        "def play(view):\n"
        "    bets = [] if view.up('pass') or view.puck else ['pass for 10']\n"
        "    return bets, (view.memory or 0) + 1\n"
    )
    args = [*AT, "--trials", "4000", "--seed", "1", "--json"]
    ended = CliRunner().invoke(cli, ["session", str(own), *args])
    assert ended.exit_code == 0, ended.stderr
    grown = json.loads(ended.stdout)
    exact = json.loads(
        CliRunner().invoke(cli, ["session", "pass", *AT, "--exact", "--json"]).stdout
    )
    for name in ("ruin_float", "ever_short_float"):
        wanted = exact[name]
        assert abs(grown[name] - wanted) < 5 * (wanted * (1 - wanted) / 4000) ** 0.5


def test_strategies_side_by_side_play_on() -> None:
    ended = CliRunner().invoke(
        cli, ["session", "pass", "--compare", "field", *AT, "--exact", "--json"]
    )
    assert ended.exit_code == 0, ended.stderr
    first = json.loads(ended.stdout)
    second = first["compared"][0]
    assert [first["strategy"], second["strategy"]] == ["pass", "field"]
    for each in (first, second):
        assert each["when_short"] == "reduce"
        assert each["ever_short_float"] > each["ruin_float"]


def test_who_sits_down_is_told_by_the_table() -> None:
    """At a live table the rail says what can be bet: ``sit`` has no such option."""
    ended = CliRunner().invoke(cli, ["sit", "http://127.0.0.1:9", "--strategy", "pass", *AT[-2:]])
    assert ended.exit_code == 2
    assert "No such option" in ended.stderr
