"""From what a user types to a machine. Every command that takes a STRATEGY may ask here."""

from __future__ import annotations

from passline.game.house.house import House, describe_elections
from passline.game.house.load import as_house
from passline.lab.machines.bettor import MachineFileError, MachineFull
from passline.lab.machines.machine import (
    DEFAULT_MEMORY_MB,
    Machine,
    SavedMachine,
    WatchStates,
    load_machine,
)
from passline.lab.strategies.ask import Strategy
from passline.lab.strategies.load import load_strategy
from passline.lab.strategies.policy import Policy
from passline.lab.strategies.table_adapter import StrategyBettor


def resolve_machine(
    strategy: str,
    house: House | None,
    memory: int = DEFAULT_MEMORY_MB,
    watch: WatchStates | None = None,
) -> Machine | SavedMachine:
    """The machine that a STRATEGY stands for: a built-in's name, ``file.py:function``, or a
    machine that was saved (``FILE.npz``).

    A strategy needs a house, and is explored until it is closed or large: ``closed`` tells. A saved
    machine brings its own; where a house is given too, its game and its elections must be those.
    Raises StrategyError and MachineFileError, in one line; warns where another version saved it.

    >>> resolve_machine("pass", as_house("iowa")).states
    7
    """
    if strategy.strip().endswith(".npz"):
        return _load_saved(strategy.strip(), house)
    loaded = load_strategy(strategy)
    if house is None:
        raise MachineFileError(
            f"{loaded.name} needs rules to play by: expected a rulebook's id or a house-rules file"
        )
    machine = make_machine(house, loaded.function, loaded.name, memory)
    explore_machine(machine, watch)
    return machine


def machine(
    house: House | str, strategy: Strategy | str, *, memory: int = DEFAULT_MEMORY_MB
) -> Machine:
    """The machine of a strategy at a house: a function of a View, or what ``load_strategy`` finds.

    The house may be named by its rulebook's id or its file. A small machine is closed; a large one
    grows as it is played. ``memory`` is its ceiling in MB.

    >>> machine("iowa", lambda view: None if view.puck else "pass for 10").states
    7
    """
    name, function = "", strategy
    if isinstance(function, str):
        loaded = load_strategy(function)
        name, function = loaded.name, loaded.function
    made = make_machine(as_house(house), function, name, memory)
    explore_machine(made)
    return made


def make_machine(
    house: House, strategy: Strategy, name: str = "", memory: int = DEFAULT_MEMORY_MB
) -> Machine:
    """The machine of a strategy at a house, with nothing explored yet. StrategyError for a policy
    that was made for other rules.

    >>> from passline.game.house.load import house_for
    >>> machine = make_machine(house_for("iowa"), lambda view: "field for 5")
    >>> machine.close(), machine.states
    (True, 7)
    """
    if isinstance(strategy, Policy):
        strategy.check_house(house)
    return Machine(house, StrategyBettor(strategy, name), memory)


def explore_machine(machine: Machine, watch: WatchStates | None = None) -> bool:
    """Explore until closed, large or full; whether it closed. What is there can be played."""
    try:
        return machine.close(watch=watch)
    except MachineFull:  # whoever plays it on meets that again, with what was played
        return False


def _load_saved(path: str, house: House | None) -> SavedMachine:
    machine = load_machine(path)
    about = machine.about
    if house is not None and (about.rulebook, about.game) != (house.book.id, house.game):
        raise MachineFileError(
            f"{path} was made under {about.rulebook} ({about.game}), not under {house.book.id} "
            f"({house.game})"
        )
    if house is not None and about.elections != describe_elections(house):
        raise MachineFileError(
            f"{path} was made with {_format_elections(about.elections)}, not with "
            f"{_format_elections(describe_elections(house))}: leave the rules out, or make it again under these"  # noqa: E501
        )
    return machine


def _format_elections(elections: dict[str, str]) -> str:
    shown = [f"{key}={value}" for key, value in sorted(elections.items())]
    return ", ".join(shown) if shown else "no elections"
