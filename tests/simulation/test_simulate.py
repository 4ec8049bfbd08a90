"""The library's ``simulate`` and the way from a strategy's name to its machine."""

from __future__ import annotations

import sys
from fractions import Fraction
from pathlib import Path

import pytest

from passline.game.house.house import House
from passline.game.house.load import house_for
from passline.lab.machines.bettor import MachineFileError, StrategyError
from passline.lab.machines.chain import Chain
from passline.lab.machines.machine import Machine, SavedMachine
from passline.lab.simulate import simulate
from passline.lab.strategy_machine import resolve_machine
from tests.simulation.chains import at_table, closed, counts_for_ever, opened


@pytest.fixture
def house() -> House:
    return house_for("new-jersey", None, ())


def test_the_exact_answer_stands_beside() -> None:
    found = simulate(opened("pass"), 100_000, seed=1)
    assert found.exact_mean_per_roll == Fraction(-7000, 1671)
    assert found.exact_sd_per_roll == pytest.approx(544.2538505926825)
    assert (found.rolls, found.closed, found.method) == (100_000, True, "simulated")
    assert found.states == closed("pass").states
    assert found.rolls_per_second == found.rolls / found.seconds


def test_a_fresh_seed_is_told_and_gives_the_run_again() -> None:
    first, second = simulate(closed("pass"), 5_000), simulate(closed("pass"), 5_000)
    assert first.seed != second.seed
    assert simulate(closed("pass"), 5_000, seed=first.seed).net == first.net


def test_a_large_machine_has_no_exact_answer() -> None:
    found = simulate(at_table(counts_for_ever, memory=1), 50, seed=1)
    assert (found.exact_mean_per_roll, found.exact_sd_per_roll, found.closed) == (None, None, False)
    assert found.rolls == 50


def test_a_chain_too_large_to_solve_is_still_played(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys.modules["passline.lab.simulate"], "MAX_SOLVED_STATES", 3)
    found = simulate(closed("pass"), 1000, seed=1)
    assert (found.closed, found.exact, found.rolls) == (True, None, 1000)


def test_ctrl_c_in_the_exact_part_keeps_the_rolls(monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(chain: Chain) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(sys.modules["passline.lab.simulate"], "solve_long_run", interrupted)
    found = simulate(closed("pass"), 1000, seed=1)
    assert (found.rolls, found.interrupted, found.exact) == (1000, True, None)
    assert "exact" in found.reason


@pytest.mark.parametrize(
    ("rolls", "workers"), [(0, 1), (-1, 1), (10**15 + 1, 1), (10, 0), (10, -2), (10, 5000)]
)
def test_numbers_that_make_no_sense_are_refused(rolls: int, workers: int) -> None:
    with pytest.raises(ValueError, match="expected a whole number from 1"):
        simulate(closed("pass"), rolls, workers=workers)


def test_names_and_files_become_machines(house: House, tmp_path: Path) -> None:
    assert resolve_machine("pass", house).closed
    file = tmp_path / "mine.py"
    file.write_text("def mine(view):\n    return 'field for 5'\n", "utf-8")
    machine = resolve_machine(f"{file}:mine", house)
    assert isinstance(machine, Machine)
    assert machine.about.strategy == "mine.py:mine"
    kept = tmp_path / "kept.npz"
    machine.save(kept)
    for saved in (resolve_machine(str(kept), None), resolve_machine(str(kept), house)):
        assert isinstance(saved, SavedMachine)
        assert simulate(saved, 999, seed=2).net == simulate(machine, 999, seed=2).net


def test_a_saved_machine_under_other_rules_is_refused(house: House, tmp_path: Path) -> None:
    kept = tmp_path / "kept.npz"
    closed("pass").save(kept)
    with pytest.raises(MachineFileError, match="was made under new-jersey"):
        resolve_machine(str(kept), house_for("iowa", None, ()))


def test_a_strategy_needs_rules() -> None:
    with pytest.raises(MachineFileError, match="needs rules"):
        resolve_machine("pass", None)


def test_an_unknown_strategy_is_named(house: House) -> None:
    with pytest.raises(StrategyError, match="pas"):
        resolve_machine("pas", house)


def test_a_machine_that_fills_up_is_handed_out_as_it_is(house: House, tmp_path: Path) -> None:
    file = tmp_path / "endless.py"
    file.write_text("def endless(v):\n    return 'field for 5', (v.memory or 0) + 1\n", "utf-8")
    seen: list[int] = []
    machine = resolve_machine(str(file), house, 1, seen.append)
    assert not machine.closed
    assert seen == sorted(seen)
    assert seen
