"""How wagers count that are up when a session ends: played out, at expectation, or at stake."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from functools import partial
from typing import NamedTuple

from passline.dice import FAIR, Dice
from passline.exact.mixing import at_expectation
from passline.exact.play_out import solve_play_outs
from passline.machines import Chain, Machine, SavedMachine
from passline.sessions import OpenWagers
from passline.sessions.distribution import AT_STAKE, PlayedOut
from passline.simulation.left_up import Left


class OpenChain(NamedTuple):
    """A chain whose states tell apart what is up, and by kind what comes of that."""

    chain: Chain
    left: tuple[PlayedOut, ...]


def open_chain(machine: Machine | SavedMachine, how: OpenWagers, dice: Dice = FAIR) -> OpenChain:
    """A closed machine's chain, with what is up in its states valued."""
    if how == "stake":
        return OpenChain(machine.chain(dice=dice), (AT_STAKE,))
    found = _solved(machine, range(machine.states), how, dice)
    numbers: dict[PlayedOut, int] = {}
    kinds = [numbers.setdefault(found[state], len(numbers)) for state in range(machine.states)]
    return OpenChain(machine.chain(kinds, dice), tuple(numbers))


def open_play(
    machine: Machine | SavedMachine, how: OpenWagers, dice: Dice = FAIR
) -> tuple[Chain | Machine, Left]:
    """What sampled sessions are played on, and what comes of what is up in its kinds of state: a
    chain's, or each state of a machine that may still grow."""
    if isinstance(machine, Machine) and not machine.closed:
        return machine, partial(_value_states, machine, how, dice)
    chain, left = open_chain(machine, how, dice)
    return chain, lambda kinds: {kind: left[kind] for kind in kinds}


def fair_values(machine: Machine | SavedMachine, dice: Dice = FAIR) -> list[Fraction]:
    """By state: what is up is worth on average beside its stake, when it is played out (cents)."""
    found = _solved(machine, range(machine.states), "fair", dice)
    return [Fraction(outcomes[0][0]) for outcomes in found]


def _value_states(
    machine: Machine, how: OpenWagers, dice: Dice, states: Iterable[int]
) -> Mapping[int, PlayedOut]:
    wanted = sorted(states)
    if how == "stake":
        return dict.fromkeys(wanted, AT_STAKE)
    return dict(zip(wanted, _solved(machine, wanted, how, dice), strict=True))


def _solved(
    machine: Machine | SavedMachine, states: Sequence[int], how: OpenWagers, dice: Dice = FAIR
) -> list[PlayedOut]:
    places, ways, whole = machine.play_out(states, dice)
    solved = solve_play_outs(ways, whole)
    if how == "fair":
        solved = [at_expectation(outcomes) for outcomes in solved]
    return [solved[place] for place in places]
