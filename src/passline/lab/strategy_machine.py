"""Turn what a user types as STRATEGY into a machine: the strategy as a finite state machine."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from passline.game.house.house import House, describe_elections
from passline.game.house.load import as_house
from passline.game.words.lab import say_lab
from passline.lab.machines.bettor import MachineFileError, MachineFull
from passline.lab.machines.machine import (
    DEFAULT_MEMORY_MB,
    MAX_CLOSED_STATES,
    MAX_STATES_BEFORE_PLAY,
    Machine,
    SavedMachine,
    WatchStates,
    load_machine,
)
from passline.lab.machines.machine_cache import load_cached, make_cache_key, store_in_cache
from passline.lab.strategies.ask import Strategy
from passline.lab.strategies.load import load_strategy
from passline.lab.strategies.parameters import (
    ParameterValue,
    bind_parameters,
    describe_parameters,
)
from passline.lab.strategies.policy import Policy
from passline.lab.strategies.table_adapter import StrategyBettor


def resolve_machine(
    strategy: str,
    house: House | None,
    memory: int = DEFAULT_MEMORY_MB,
    watch: WatchStates | None = None,
    shooter_limit: int | None = None,
    limit: int = MAX_CLOSED_STATES,
) -> Machine | SavedMachine:
    """Return the machine for STRATEGY: a built-in name, ``file.py:function``, or ``FILE.npz``.

    A strategy needs a house. It is explored until its machine is complete or has more states than
    ``limit``; ``closed`` says which. A saved machine (``FILE.npz``) has its own rules: if a house
    is given too, its game and elections must match. ``memory`` is the limit in megabytes, and
    ``watch`` is called with the number of states found so far. ``shooter_limit`` is as in
    ``machine``. Raise StrategyError or MachineFileError (message of one line) if there is no
    such machine. Warn if another version of passline saved it.

    >>> resolve_machine("pass", as_house("iowa")).states
    7
    """
    if strategy.strip().endswith(".npz"):
        if shooter_limit is not None:
            raise MachineFileError(say_lab("shooters-saved"))
        return _load_saved(strategy.strip(), house)
    if house is None:
        name = load_strategy(strategy).name
        raise MachineFileError(
            f"{name} needs rules to play by: expected a rulebook's id or a house-rules file"
        )
    machine = make_machine(house, strategy, memory=memory, shooter_limit=shooter_limit)
    explore_machine(machine, watch, limit)
    return machine


def machine(
    house: House | str,
    strategy: Strategy | str,
    *,
    memory: int = DEFAULT_MEMORY_MB,
    shooter_limit: int | None = None,
) -> Machine:
    """Return a strategy (a function of a View, or a name) at a house as a finite state machine.

    The house may be a rulebook's id or a house-rules file. A small machine is explored completely
    (``closed``); a large one grows as it is played. ``memory`` is its limit in megabytes. With
    ``shooter_limit`` (cents), the losses with one shooter plus the bets that are up never exceed
    it: turns beyond it are not made.

    >>> machine("iowa", lambda view: None if view.puck else "pass for 10").states
    7
    """
    made = make_machine(as_house(house), strategy, memory=memory, shooter_limit=shooter_limit)
    explore_machine(made)
    return made


def make_machine(
    house: House,
    strategy: Strategy | str,
    name: str = "",
    memory: int = DEFAULT_MEMORY_MB,
    shooter_limit: int | None = None,
    parameters: Mapping[str, ParameterValue] = MappingProxyType({}),
) -> Machine:
    """Return the machine of a strategy, with nothing explored.

    ``strategy`` is a function, or a text that names one. ``name`` is used in messages, ``memory``
    is the limit in megabytes, and ``shooter_limit`` is as in ``machine``. ``parameters`` are values
    for the strategy's keyword arguments. Raise StrategyError for unknown parameters, and for a
    policy (found by ``passline best``) that was made for other rules.

    >>> from passline.game.house.load import house_for
    >>> machine = make_machine(house_for("iowa"), lambda view: "field for 5")
    >>> machine.close(), machine.states
    (True, 7)
    """
    identity = ""
    if isinstance(strategy, str):
        loaded = load_strategy(strategy, parameters, house)
        name, strategy, identity = loaded.name, loaded.function, loaded.identity
    elif parameters:
        own = name or getattr(strategy, "__name__", "the strategy")
        strategy = bind_parameters(strategy, parameters, own)
        name = f"{own}{describe_parameters(parameters)}"
    if isinstance(strategy, Policy):
        strategy.check_house(house)
    machine = Machine(house, StrategyBettor(strategy, name), memory, shooter_limit)
    machine.cache_key = make_cache_key(house, identity, shooter_limit, memory)
    return machine


def explore_machine(
    machine: Machine, watch: WatchStates | None = None, limit: int = MAX_CLOSED_STATES
) -> bool:
    """Explore a machine until it is complete, has more than ``limit`` states, or fills its memory.

    Return whether it is complete. ``watch`` is called with the number of states from time to time.
    A large machine that was explored before is read from the cache, if its strategy was named.
    """
    if not machine.explored and load_cached(machine):
        return True
    explored = machine.explored
    try:
        closed = machine.close(limit, watch)
    except MachineFull:  # Playing raises MachineFull again, with the results so far.
        return False
    if machine.explored > explored:
        store_in_cache(machine)
    return closed


def explore_before_play(machine: Machine | SavedMachine) -> bool:
    """Explore a small machine completely, before it is sampled. Return whether it is small.

    Small means complete with at most MAX_STATES_BEFORE_PLAY states; a saved machine counts as
    small. A larger machine is explored further while it is played. The result does not depend on
    how much was explored before, so the same seed always gives the same play.
    """
    if isinstance(machine, SavedMachine):
        return True
    explore_machine(machine, limit=MAX_STATES_BEFORE_PLAY)
    return machine.is_small


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
