"""How wagers count that are up when a session ends: played out, at expectation, or at stake."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from functools import partial
from typing import NamedTuple

from passline.dice import FAIR, Dice
from passline.exact.mixing import at_expectation
from passline.exact.play_out import solve_play_outs
from passline.machines import Chain, Machine, MachineFull, SavedMachine
from passline.machines.play_out import PlayOutWays
from passline.machines.short import Aside, ShortRows
from passline.sessions import OpenWagers
from passline.sessions.distribution import AT_STAKE, PlayedOut
from passline.simulation.left_up import Bars, Left


class OpenChain(NamedTuple):
    """A chain whose states tell apart what is up; by kind what comes of that, and the worth under
    which who is ruined there is broke (None: not known). ``aside``: who is short plays on."""

    chain: Chain
    left: tuple[PlayedOut, ...]
    bars: tuple[int, ...] | None
    aside: Aside | None = None


class OpenPlay(NamedTuple):
    """What sampled sessions are played on: a chain, or a machine that may still grow, each of whose
    states is then a kind of its own. ``left`` and ``bars`` are asked by kind."""

    played: Chain | Machine
    left: Left
    bars: Bars | None
    aside: Aside | None = None


def open_chain(
    machine: Machine | SavedMachine,
    how: OpenWagers,
    dice: Dice = FAIR,
    short_from: int | None = None,
) -> OpenChain:
    """A closed machine's chain, with what is up in its states valued. ``short_from``: a bankroll;
    who is short plays on (a machine's alone: a saved one has no strategy to ask)."""
    if short_from is None:
        least = machine.least(range(machine.states))
        return _told_apart(machine, how, dice, least, None)
    if not isinstance(machine, Machine):
        raise ValueError("a saved machine cannot play on when short: name the strategy itself")
    try:
        rows = machine.play_short(short_from)
    except MachineFull as wrong:
        raise ValueError(str(wrong)) from None
    return _told_apart(machine, how, dice, rows.least.tolist(), rows)


def _told_apart(
    machine: Machine | SavedMachine,
    how: OpenWagers,
    dice: Dice,
    least: Sequence[int] | None,
    rows: ShortRows | None,
) -> OpenChain:
    """States made one, but for those that differ in what is up or in what is broke."""
    size = machine.states if rows is None else len(rows.states)
    need = machine.need if rows is None else rows.need
    if how == "stake":
        found: Sequence[PlayedOut] = [AT_STAKE] * size
    elif rows is not None and isinstance(machine, Machine):
        found = _solve_ways(machine.play_out_of(rows.states, dice), how)
    else:
        found = _solved(machine, range(size), how, dice)
    bars = [0 if least is None else min(least[n], int(need[n])) for n in range(size)]
    numbers: dict[tuple[PlayedOut, int], int] = {}
    kinds = [numbers.setdefault(each, len(numbers)) for each in zip(found, bars, strict=True)]
    left = tuple([outcomes for outcomes, _ in numbers])
    told = None if least is None else tuple([bar for _, bar in numbers])
    if rows is None:
        return OpenChain(chain=machine.chain(kinds, dice), left=left, bars=told)
    chain, aside = rows.chain(kinds, dice)
    return OpenChain(chain=chain, left=left, bars=told, aside=aside)


def open_play(
    machine: Machine | SavedMachine,
    how: OpenWagers,
    dice: Dice = FAIR,
    short_from: int | None = None,
) -> OpenPlay:
    """What sampled sessions are played on, and what comes of what is up."""
    if isinstance(machine, Machine) and not machine.closed:
        if short_from is not None:
            raise ValueError("it grows as it is played: only closed machines play on when short")
        left = partial(_value_states, machine, how, dice)
        return OpenPlay(played=machine, left=left, bars=partial(_bar_states, machine))
    opened = open_chain(machine, how, dice, short_from)
    bars = opened.bars

    def barred(kinds: Iterable[int]) -> Mapping[int, int]:
        return {kind: bars[kind] for kind in kinds} if bars is not None else {}

    return OpenPlay(
        played=opened.chain,
        left=lambda kinds: {kind: opened.left[kind] for kind in kinds},
        bars=None if bars is None else barred,
        aside=opened.aside,
    )


def _bar_states(machine: Machine, states: Iterable[int]) -> Mapping[int, int]:
    wanted = sorted(states)
    least = machine.least(wanted)
    needs = [int(machine.need[state]) for state in wanted]
    return dict(zip(wanted, map(min, least, needs), strict=True))


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
    return _solve_ways(machine.play_out(states, dice), how)


def _solve_ways(found: PlayOutWays, how: OpenWagers) -> list[PlayedOut]:
    places, ways, whole = found
    solved = solve_play_outs(ways, whole)
    if how == "fair":
        solved = [at_expectation(outcomes) for outcomes in solved]
    return [solved[place] for place in places]
