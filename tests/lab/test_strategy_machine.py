"""From what a user types to a machine."""

from __future__ import annotations

from pathlib import Path

import pytest

from passline.game.house.house import House
from passline.game.house.load import house_for
from passline.lab.machines.bettor import MachineFileError
from passline.lab.machines.machine import SavedMachine
from passline.lab.strategy_machine import machine, resolve_machine


def jersey(*options: tuple[str, str]) -> House:
    return house_for("new-jersey", None, options)


@pytest.fixture
def saved(tmp_path: Path) -> str:
    path = tmp_path / "po.npz"
    machine(jersey(("odds.multiple", "2")), "pass-odds").save(path)
    return str(path)


def test_a_saved_machine_under_its_own_rules(saved: str) -> None:
    for house in (None, jersey(("odds.multiple", "2"))):
        assert isinstance(resolve_machine(saved, house), SavedMachine)


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ([("odds.multiple", "100")], "was made with odds.multiple=2, not with odds.multiple=100"),
        ([], "was made with odds.multiple=2, not with no elections: leave the rules out, or make"),
        (
            [("odds.multiple", "2"), ("pays.field-12", "3 to 1")],
            "not with odds.multiple=2, pays.field-12=3 to 1",
        ),
    ],
)
def test_other_elections_are_refused(saved: str, options: list[tuple[str, str]], said: str) -> None:
    with pytest.raises(MachineFileError) as wrong:
        resolve_machine(saved, jersey(*options))
    assert said in str(wrong.value)


def test_a_house_file_is_held_to_the_same(saved: str, tmp_path: Path) -> None:
    file = tmp_path / "house.toml"
    for times, fits in ((2, True), (100, False)):
        file.write_text(f'rulebook = "new-jersey"\n[odds]\nmultiple = {times}\n', "utf-8")
        house = house_for(str(file))
        if fits:
            assert resolve_machine(saved, house).states == 13
        else:
            with pytest.raises(MachineFileError, match=r"not with odds\.multiple=100"):
                resolve_machine(saved, house)


def test_another_rulebook_is_refused(saved: str) -> None:
    with pytest.raises(MachineFileError, match="was made under new-jersey"):
        resolve_machine(saved, house_for("iowa"))


def test_a_strategy_file_is_run_once(tmp_path: Path) -> None:
    log = tmp_path / "log"
    own = tmp_path / "own.py"
    own.write_text(
        f"with open({str(log)!r}, 'a') as log:\n    log.write('run ')\n"
        "def play(view):\n    return ['field for 10']\n",
        "utf-8",
    )
    made = machine(jersey(), f"{own}:play")
    assert made.about.strategy == "own.py:play"
    assert log.read_text("utf-8") == "run "
