"""The cache of explored machines: found again, never wrong, and never in the way."""

from __future__ import annotations

import os
from pathlib import Path

import numpy as np
import pytest

from passline.cli.machine import explore_strategy
from passline.files import cache_folder
from passline.game.dice.dice import parse_dice
from passline.game.house.load import house_for
from passline.lab.machines import machine_cache
from passline.lab.machines.machine import Machine
from passline.lab.run_session import session
from passline.lab.sessions.plan_and_result import Plan
from passline.lab.strategy_machine import explore_machine, make_machine

HOUSE = house_for("new-jersey")
OWN = "def play(view):\n    n = view.memory or 0\n    return 'field for 5', (n + 1) % 50\n"


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("PASSLINE_CACHE", str(tmp_path / "cache"))
    monkeypatch.setattr(machine_cache, "MIN_CACHED_STATES", 5)
    return tmp_path / "cache" / "machines"


@pytest.fixture
def own(tmp_path: Path) -> Path:
    folder = tmp_path / "own"
    folder.mkdir()
    (folder / "own.py").write_text(OWN, "utf-8")
    return folder / "own.py"


def explored(strategy: str | Path = "hardways", house: object = HOUSE) -> Machine:
    machine = make_machine(house, str(strategy))  # type: ignore[arg-type]
    assert explore_machine(machine)
    return machine


def came_from_the_cache(machine: Machine) -> bool:
    return machine._loaded is not None


def test_the_second_time_it_is_read(cache: Path) -> None:
    first, second = explored("press-6-8"), explored("press-6-8")
    assert len(list(cache.iterdir())) == 1
    assert not came_from_the_cache(first)
    assert came_from_the_cache(second)
    assert second.closed
    assert (second.states, second.explored) == (first.states, first.states)
    plan = Plan(20_000, 60)
    assert session(second, plan).final == session(first, plan).final
    for exact in (True, False):
        more = {} if exact else {"seed": 3, "trials": 200}
        runs = [session(one, plan, exact=exact, **more) for one in (first, explored("press-6-8"))]  # type: ignore[arg-type]
        assert runs[0].final == runs[1].final


def test_the_command_keeps_and_reads_it(cache: Path) -> None:
    first = explore_strategy(HOUSE, "press-6-8")
    assert not came_from_the_cache(first)
    assert came_from_the_cache(explore_strategy(HOUSE, "press-6-8"))
    assert explore_strategy(HOUSE, "press-6-8", limit=9).states < first.states


def test_what_needs_its_states_explores_it_after_all() -> None:
    first = explored()
    for ask in (
        lambda machine: machine.settled(3),
        lambda machine: machine.state(5),
        lambda machine: machine.find_hand_ends().tolist(),
        lambda machine: machine.play_out_rows().places.tolist(),
        lambda machine: machine.play_out(range(9), parse_dice("sevens=1/7")),
        lambda machine: machine.reduce_bets(1_000).need.tolist(),
    ):
        second = explored()
        assert came_from_the_cache(second)
        assert ask(second) == ask(first)  # type: ignore[no-untyped-call]
        assert not came_from_the_cache(second)
        assert np.array_equal(second.next[: second.states], first.next[: first.states])


@pytest.mark.parametrize("change", ["source", "sibling", "house", "version", "rules"])
def test_a_change_is_another_machine(
    own: Path, change: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    explored(own)
    assert came_from_the_cache(explored(own))
    house = HOUSE
    if change == "source":
        own.write_text(OWN.replace("50", "60"), "utf-8")
    elif change == "sibling":
        (own.parent / "other.py").write_text("A = 1\n", "utf-8")
    elif change == "house":
        house = house_for("new-jersey", None, [("odds.multiple", "10")])
    elif change == "version":
        monkeypatch.setattr(machine_cache, "VERSION", "0.0.1")
    else:
        monkeypatch.setattr(machine_cache, "_describe_sources", list)
    assert not came_from_the_cache(explored(own, house))


def test_a_damaged_file_is_replaced(cache: Path) -> None:
    explored()
    (path,) = cache.iterdir()
    whole = path.read_bytes()
    half = len(whole) // 2
    flipped = whole[:half] + bytes([whole[half] ^ 255]) + whole[half + 1 :]
    for damaged in (b"", whole[:500], b"x" * 900, flipped):
        path.write_bytes(damaged)
        assert not came_from_the_cache(explored())
        assert came_from_the_cache(explored())


def test_a_file_of_another_machine_is_not_believed(cache: Path) -> None:
    explored()
    (path,) = cache.iterdir()
    explored("pass-martingale")
    (other,) = set(cache.iterdir()) - {path}
    path.write_bytes(other.read_bytes())
    assert not came_from_the_cache(explored())


def test_it_may_be_off_or_unwritable(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "file").write_text("", "utf-8")
    for folder in ("off", str(tmp_path / "file"), "/dev/null/cache"):
        monkeypatch.setenv("PASSLINE_CACHE", folder)
        explored()
        assert not came_from_the_cache(explored())


def test_functions_and_machines_explored_out_of_order_are_not_kept(cache: Path) -> None:
    machine = make_machine(HOUSE, lambda view: "field for 5")
    assert explore_machine(machine)
    grown = make_machine(HOUSE, "press-6-8")
    while not grown.expand(0):  # It starts over when the strategy first reads what was settled.
        pass
    grown.expand(grown.states - 1)
    assert explore_machine(grown)
    assert not cache.exists()


def test_the_oldest_are_deleted(cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    explored()
    (path,) = cache.iterdir()
    os.utime(path, (1, 1))
    monkeypatch.setattr(machine_cache, "MAX_CACHE_BYTES", 1 + path.stat().st_size)
    explored("pass-martingale")
    assert path not in set(cache.iterdir())


def test_where_it_is(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("PASSLINE_CACHE")
    monkeypatch.setenv("XDG_CACHE_HOME", "/somewhere")
    assert cache_folder() == Path("/somewhere/passline")
