"""How wagers count that are up when a session ends: played out, at expectation, or at stake."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from passline.dice import FAIR, Dice
from passline.exact.mixing import at_expectation
from passline.exact.play_out import solve_play_outs
from passline.machines import Chain, Machine, SavedMachine
from passline.sessions import OpenWagers
from passline.sessions.distribution import AT_STAKE, Outcomes


class OpenChain(NamedTuple):
    """A chain whose states tell apart what is up, and by kind what comes of that."""

    chain: Chain
    left: tuple[Outcomes, ...]


def open_chain(machine: Machine | SavedMachine, how: OpenWagers, dice: Dice = FAIR) -> OpenChain:
    """A closed machine's chain, with what is up in its states valued."""
    if how == "stake":
        return OpenChain(machine.chain(dice=dice), (AT_STAKE,))
    found = _solved(machine, range(machine.states), how, dice)
    numbers: dict[Outcomes, int] = {}
    kinds = [numbers.setdefault(found[state], len(numbers)) for state in range(machine.states)]
    return OpenChain(machine.chain(kinds, dice), tuple(numbers))


def value_states(
    machine: Machine | SavedMachine, how: OpenWagers, states: Iterable[int]
) -> Mapping[int, Outcomes]:
    """What comes of what is up in these states of a machine that may still grow."""
    wanted = sorted(states)
    if how == "stake":
        return dict.fromkeys(wanted, AT_STAKE)
    return dict(zip(wanted, _solved(machine, wanted, how), strict=True))


def _solved(
    machine: Machine | SavedMachine, states: Sequence[int], how: OpenWagers, dice: Dice = FAIR
) -> list[Outcomes]:
    places, ways, whole = machine.play_out(states, dice)
    solved = solve_play_outs(ways, whole)
    if how == "fair":
        solved = [at_expectation(outcomes) for outcomes in solved]
    return [solved[place] for place in places]
