"""Value the bets that are still open when a session ends: played out, expected value, or stake.

To play bets out is to roll on, without new bets, until each is decided. If several machines
(strategies) bet on the same throws, their open bets are played out together.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from functools import partial
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from passline.game.dice.dice import FAIR, Dice
from passline.lab.exact.markov import find_components
from passline.lab.exact.solve_play_outs import solve_play_outs, value_at_expectation
from passline.lab.machines.arrays import IntArray
from passline.lab.machines.bettor import MachineFull
from passline.lab.machines.chain import Chain
from passline.lab.machines.joint_machine import (
    JointMachine,
    JointTooLarge,
    join_machines,
    join_play_outs,
)
from passline.lab.machines.lump_states import lump_states
from passline.lab.machines.machine import Machine, SavedMachine
from passline.lab.machines.next_states import State
from passline.lab.machines.play_out import PlayOutRows, PlayOutWays
from passline.lab.machines.reduced_bets import (
    MAX_STATES_BEFORE_PLAY,
    ReducedBetMachine,
    ReducedBetStates,
)
from passline.lab.sessions.distribution import AT_STAKE, PlayOutOutcomes
from passline.lab.sessions.plan_and_result import OpenWagers, Remedy, SessionTooLargeError
from passline.lab.simulation.sessions import BrokeLimits, OpenBetValuer
from passline.lab.simulation.shared_table import OpenBetsAtEnd


class ValuedChain(NamedTuple):
    """A strategy's Markov chain, with the possible results of the bets open in each state.

    States with the same results and the same broke limit share a number, their kind
    (``chain.kinds``). ``open_bets[kind]`` has the possible results, and ``broke_limits[kind]`` the
    worth (rail plus bets, in cents) below which a ruined player can make no bet at all.
    ``broke_limits`` is None if that is not known. ``reduced`` has the states of players who cannot
    afford the strategy's bets and bet less; None if such players stop.
    """

    chain: Chain
    open_bets: tuple[PlayOutOutcomes, ...]
    broke_limits: tuple[int, ...] | None
    reduced: ReducedBetStates | None = None


class SampledPlay(NamedTuple):
    """The chain, or the machine that is explored during play, on which sessions are sampled.

    A kind is one of the chain's (see ``ValuedChain``), or a state number of the machine. Called
    with kinds, ``open_bets`` returns the possible results of the open bets, and ``broke_limits``
    the worth in cents below which a ruined player can make no bet. With ``explores_reduced``, there
    are too many states of players who bet less to list, so they are explored during play.
    """

    played: Chain | Machine
    open_bets: OpenBetValuer
    broke_limits: BrokeLimits | None
    reduced: ReducedBetStates | None = None
    explores_reduced: bool = False


def make_valued_chain(
    machine: Machine | SavedMachine,
    how: OpenWagers,
    dice: Dice = FAIR,
    short_from: int | None = None,
) -> ValuedChain:
    """Return a completely explored machine's chain with its open bets valued as ``how`` says.

    With ``short_from`` (a bankroll in cents), players who cannot afford the strategy's bets bet
    less. Then raise ValueError for a saved machine, which has no strategy to ask, and for too many
    states.
    """
    if short_from is None:
        least = machine.least(range(machine.states))
        return _split_states(machine, how, dice, least, None)
    if not isinstance(machine, Machine):
        raise ValueError("a saved machine cannot reduce bets when short: name the strategy itself")
    try:
        rows = machine.reduce_bets(short_from)
    except MachineFull as error:
        raise SessionTooLargeError(str(error), Remedy.SAMPLE) from None
    return _split_states(machine, how, dice, rows.least.tolist(), rows)


def _split_states(
    machine: Machine | SavedMachine,
    how: OpenWagers,
    dice: Dice,
    least: Sequence[int] | None,
    rows: ReducedBetMachine | None,
) -> ValuedChain:
    """Return a machine's chain with its open bets valued as ``how`` says.

    Equivalent states are merged, unless the results of their open bets or their broke limits
    differ. A broke limit is the worth in cents below which a ruined player can make no bet.
    ``least[state]`` is the least worth with which some bet can be made; None if not known. ``rows``
    is the machine with smaller bets for players short of chips, or None if such players stop.
    """
    size = machine.states if rows is None else len(rows.states)
    need = machine.need if rows is None else rows.need
    if how == "stake":
        found: Sequence[PlayOutOutcomes] = [AT_STAKE] * size
    elif rows is not None and isinstance(machine, Machine):
        found = _solve_play_out_ways(machine.play_out_states(rows.states, dice), how)
    else:
        found = _solve_states(machine, range(size), how, dice)
    kinds, open_bets, limits = _number_kinds(found, need, least)
    if rows is None:
        return ValuedChain(
            chain=machine.chain(kinds, dice), open_bets=open_bets, broke_limits=limits
        )
    chain, reduced = rows.chain(kinds, dice)
    return ValuedChain(chain=chain, open_bets=open_bets, broke_limits=limits, reduced=reduced)


def _number_kinds(
    found: Sequence[PlayOutOutcomes], need: Sequence[int] | IntArray, least: Sequence[int] | None
) -> tuple[list[int], tuple[PlayOutOutcomes, ...], tuple[int, ...] | None]:
    """Number the states: equal results of the open bets and equal broke limits share a number.

    Return (number of each state, results by number, broke limits by number). ``found[state]`` has
    the possible results of a state's open bets. A state's broke limit is the worth in cents below
    which a ruined player can make no bet: ``need[state]``, what the strategy's bets require, or
    ``least[state]``, what the cheapest bet requires, whichever is less. If ``least`` is None (not
    known), only the open bets count, and the limits are None.
    """
    count = len(found)
    broke_limits = [0 if least is None else min(least[n], int(need[n])) for n in range(count)]
    numbers: dict[tuple[PlayOutOutcomes, int], int] = {}
    kinds = [
        numbers.setdefault(each, len(numbers)) for each in zip(found, broke_limits, strict=True)
    ]
    limits = None if least is None else tuple([bar for _, bar in numbers])
    return kinds, tuple([outcomes for outcomes, _ in numbers]), limits


def make_shooter_chain(
    machine: Machine, how: OpenWagers, shooters: int, leaves_below: int, dice: Dice = FAIR
) -> tuple[ValuedChain, frozenset[int]]:
    """Return (chain, kinds) for a player who leaves when ``shooters`` shooters have sevened out.

    ``kinds`` are the numbers (``chain.kinds``) of the states of a player who has left. These states
    require ``leaves_below`` cents, which must be more than any player can have, so that the session
    ends there. Open bets are valued as ``how`` says.
    """
    size, least = machine.states, machine.least(range(machine.states))
    found = [AT_STAKE] * size if how == "stake" else _solve_states(machine, range(size), how, dice)
    need = machine.need[:size]
    kinds, open_bets, limits = _number_kinds(found, need, least)
    ends, last = machine.find_hand_ends(), shooters * size
    # State ``n`` of the machine after k shooters has the number k * size + n. After the last one,
    # only the kind of the open bets matters.
    onward = machine.next[:size].astype(np.int64)
    rows = [onward + (number + ends) * size for number in range(shooters)]
    rows[-1] = np.where(ends, last + np.array(kinds)[onward], rows[-1])
    left = np.repeat(np.arange(last, last + len(open_bets))[:, None], 36, axis=1)
    money = np.vstack([*[machine.money[:size]] * shooters, np.zeros((len(open_bets), 36))])
    chain = lump_states(
        np.vstack([*rows, left]).astype(np.int32),
        money.astype(np.int64),
        np.concatenate([*[need] * shooters, np.full(len(open_bets), leaves_below)]),
        [*kinds * shooters, *range(len(open_bets), 2 * len(open_bets))],
        dice,
    )
    bars = None if limits is None else (*limits, *[-leaves_below] * len(open_bets))
    valued = ValuedChain(chain=chain, open_bets=open_bets * 2, broke_limits=bars)
    return valued, frozenset(range(len(open_bets), 2 * len(open_bets)))


def make_sampled_play(
    machine: Machine | SavedMachine,
    how: OpenWagers,
    dice: Dice = FAIR,
    short_from: int | None = None,
) -> SampledPlay:
    """Return what to sample sessions on, with the results of open bets valued as ``how`` says.

    A small machine is played as a chain; a larger one is explored during play. With ``short_from``
    (a bankroll in cents), players who cannot afford the strategy's bets bet less. Then raise
    ValueError for a saved machine, which has no strategy to ask.
    """
    if (
        isinstance(machine, Machine)
        and not machine.is_small
        and not (short_from and machine.closed)
    ):
        open_bets = partial(_value_states, machine, how, dice)
        if short_from is not None:
            return SampledPlay(machine, open_bets, broke_limits=None, explores_reduced=True)
        return SampledPlay(
            played=machine, open_bets=open_bets, broke_limits=partial(_broke_limits, machine)
        )
    if short_from is None or not isinstance(machine, Machine):
        opened = make_valued_chain(machine, how, dice, short_from)
    else:
        try:
            rows = machine.reduce_bets(short_from, MAX_STATES_BEFORE_PLAY)
        except MachineFull:
            valuer = partial(_value_states, machine, how, dice)
            return SampledPlay(machine, valuer, broke_limits=None, explores_reduced=True)
        opened = _split_states(machine, how, dice, rows.least.tolist(), rows)
    broke_limits = opened.broke_limits

    def limits_of(kinds: Iterable[int]) -> Mapping[int, int]:
        return {kind: broke_limits[kind] for kind in kinds} if broke_limits is not None else {}

    return SampledPlay(
        played=opened.chain,
        open_bets=lambda kinds: {kind: opened.open_bets[kind] for kind in kinds},
        broke_limits=None if broke_limits is None else limits_of,
        reduced=opened.reduced,
    )


def _broke_limits(machine: Machine, states: Iterable[int]) -> Mapping[int, int]:
    wanted = sorted(states)
    least = machine.least(wanted)
    needs = [int(machine.need[state]) for state in wanted]
    return dict(zip(wanted, map(min, least, needs), strict=True))


def expected_values(machine: Machine | SavedMachine, dice: Dice = FAIR) -> list[Fraction]:
    """Return, for each state, the mean change of worth (cents) from playing out its open bets."""
    found = _solve_states(machine, range(machine.states), "fair", dice)
    return [Fraction(outcomes[0][0]) for outcomes in found]


def value_table_states(
    machine: Machine, how: OpenWagers, dice: Dice, states: Sequence[State]
) -> Sequence[PlayOutOutcomes]:
    """Return the possible results of the bets in each of these states, valued as ``how`` says."""
    if how == "stake":
        return [AT_STAKE] * len(states)
    return _solve_play_out_ways(machine.play_out_states(states, dice), how)


def _value_states(
    machine: Machine, how: OpenWagers, dice: Dice, states: Iterable[int]
) -> Mapping[int, PlayOutOutcomes]:
    wanted = sorted(states)
    if how == "stake":
        return dict.fromkeys(wanted, AT_STAKE)
    return dict(zip(wanted, _solve_states(machine, wanted, how, dice), strict=True))


def _solve_states(
    machine: Machine | SavedMachine, states: Sequence[int], how: OpenWagers, dice: Dice = FAIR
) -> list[PlayOutOutcomes]:
    return _solve_play_out_ways(machine.play_out(states, dice), how)


def _solve_play_out_ways(found: PlayOutWays, how: OpenWagers) -> list[PlayOutOutcomes]:
    places, ways, whole = found
    solved = solve_play_outs(ways, whole)
    if how == "fair":
        solved = [value_at_expectation(outcomes) for outcomes in solved]
    return [solved[place] for place in places]


#: The most joint states for playing out the open bets of several machines on the same throws.
_MAX_JOINT_PLACES = 2_000


class JointOpenBets(NamedTuple):
    """Several machines on the same throws as one chain, with the results of their open bets.

    ``open_bets[kind]`` has the possible results in states of that number (``chain.kinds``). ``how``
    says how the bets were valued: as asked, or "fair" (expected value) if playing them out would
    have taken too many states.
    """

    chain: Chain
    open_bets: tuple[PlayOutOutcomes, ...]
    how: OpenWagers


def value_joint_bets(
    machines: Sequence[Machine], times: Sequence[int], how: OpenWagers, dice: Dice = FAIR
) -> JointOpenBets:
    """Combine machines that play on the same throws into one chain, with their open bets valued.

    The chain's money is the sum over the machines of ``times[i]`` times the money of machine i.
    ``how`` says how to value open bets; "played" becomes "fair" if there would be too many states.
    """
    joint = join_machines(machines, times)
    if how == "played":
        try:
            return _build_joint(joint, _play_out_joint(joint, machines, times, dice), how, dice)
        except JointTooLarge:
            how = "fair"
    if how == "stake":
        return _build_joint(joint, [AT_STAKE] * len(joint.parts), how, dice)
    values = [expected_values(machine, dice) for machine in machines]
    open_bets: list[PlayOutOutcomes] = []
    for places in joint.parts.tolist():
        worth = sum((values[k][at] * times[k] for k, at in enumerate(places)), Fraction(0))
        open_bets.append(((int(worth) if worth.denominator == 1 else worth, Fraction(1)),))
    return _build_joint(joint, open_bets, how, dice)


def _play_out_joint(
    joint: JointMachine, machines: Sequence[Machine], times: Sequence[int], dice: Dice
) -> list[PlayOutOutcomes]:
    rows = [machine.play_out_rows() for machine in machines]
    most = _MAX_JOINT_PLACES if len(rows) > 1 else max(map(len, (each.next for each in rows)))
    found = join_play_outs(rows, times, joint.parts, dice, most)
    solved = solve_play_outs(found.ways, found.whole)
    return [solved[place] for place in found.places]


def _build_joint(
    joint: JointMachine, open_bets: Sequence[PlayOutOutcomes], how: OpenWagers, dice: Dice
) -> JointOpenBets:
    numbers: dict[PlayOutOutcomes, int] = {}
    kinds = [numbers.setdefault(each, len(numbers)) for each in open_bets]
    return JointOpenBets(joint.chain(kinds, dice), tuple(numbers), how)


def value_sampled_bets(machine: Machine, how: OpenWagers, dice: Dice = FAIR) -> OpenBetsAtEnd:
    """Return the arrays with which to value a sampled player's open bets when the rolls end.

    ``how`` says whether to play them out, or which value to give them.
    """
    if how == "played":
        rows = machine.play_out_rows()
        return OpenBetsAtEnd(np.zeros(machine.states), rows, _find_final_places(rows))
    nought = [Fraction(0)] * machine.states
    values = expected_values(machine, dice) if how == "fair" else nought
    return OpenBetsAtEnd(np.array([float(value) for value in values]), None, np.zeros(0, bool))


def _find_final_places(rows: PlayOutRows) -> NDArray[np.bool_]:
    """Return a boolean for each state of a play-out: whether no further roll can decide a bet.

    A play-out rolls on, without new bets, until the open bets are decided. ``rows`` has its states.
    """
    onward = [sorted(set(to)) for to in rows.next.tolist()]
    found = np.zeros(len(onward), bool)
    for ring in find_components([*onward, range(len(onward))], len(onward)):
        inside = set(ring)
        if all(to in inside for place in ring if place < len(onward) for to in onward[place]):
            found[[place for place in ring if place < len(onward)]] = True
    return found
