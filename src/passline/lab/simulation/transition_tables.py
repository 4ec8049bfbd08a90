"""Tables that play a Markov chain fast, several rolls at a time.

A look-up table has one cell for each sequence of a few rolls, which packs the money, the squares
and the next state into a word. A stride table plays several rolls of a session in one random draw,
if none of them can end the session. From a state, some rolls lead to a few hundred moves: the next
state, the money, and the highest and the lowest worth on the way, each with an integer weight.
Walker's alias method puts them into columns of equal probability, two moves to a column. The top
bits of a draw select the column, the rest one of the two moves. Rarely these bits cannot decide;
then a further draw does, so that no probability is rounded. A move that may have ended the session
is replayed roll by roll.

``TransitionRows`` holds the arrays of a chain, or of a machine that is explored during play.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from passline.game.dice.dice import FAIR, OUTCOMES, Dice
from passline.lab.machines.arrays import Int32Array, IntArray, WordArray
from passline.lab.machines.chain import Chain
from passline.lab.machines.machine import Machine, SavedMachine

#: The largest look-up table of several rolls, in bytes: it should stay in a core's cache. A single
#: state fits three rolls.
MAX_LOOKUP_BYTES = 2**20
MAX_ROLLS_PER_LOOKUP = 3
#: The most cells of a table of single rolls: unfair dice have one for each unit of weight.
MAX_SINGLE_ROLL_CELLS = 2**24
#: How many look-ups may be added up before the word is unpacked, at best and at worst.
_MAX_SUMMED_LOOKUPS, _MIN_SUMMED_LOOKUPS = 2**16, 2**8


class LookupTable(NamedTuple):
    """A table that plays ``depth`` rolls per look-up. ``ways`` is the number of such sequences.

    ``cells[state * ways + i]`` is for sequence i. A cell packs, from the top, the money of these
    rolls in ``unit`` cents, the sum of the squared changes (``square_bits`` wide) and the next
    state (``state_bits`` wide). At most ``most`` cells may be added before the squares overflow
    into the money.
    """

    cells: IntArray
    ways: int
    depth: int
    unit: int
    state_bits: int
    square_bits: int
    most: int

    @property
    def numbers(self) -> tuple[IntArray, int, int, int, int]:
        """Return (cells, ways, state_bits, square_bits, most), as ``play_lanes`` takes them."""
        return self.cells, self.ways, self.state_bits, self.square_bits, self.most


def expand_chain(chain: Chain) -> tuple[Int32Array, Int32Array]:
    """Return ``next[state, outcome]`` and ``money[state, outcome]`` (cents).

    There is one outcome for each unit of weight, so that all outcomes are equally likely. Raise
    ValueError if the dice have too many units of weight.

    >>> from passline.lab.machines.chain import Arc
    >>> next_, money = expand_chain(Chain(((Arc(0, -100, 26), Arc(0, 200, 10)),), (100,)))
    >>> next_.shape, int(money.sum())
    ((1, 36), -600)
    """
    if len(chain) * chain.whole > MAX_SINGLE_ROLL_CELLS:
        raise ValueError(
            f"the weights of these dice add up to {chain.whole:,}, in {len(chain):,} states: too "
            "fine to simulate; use rounder weights, or an exact answer"
        )
    arcs = np.array([arc for arcs in chain.arcs for arc in arcs], np.int64)
    rows = np.repeat(arcs[:, :2], arcs[:, 2], axis=0).reshape(len(chain), chain.whole, 2)
    next_, money = rows.transpose(2, 0, 1).astype(np.int32, order="C")
    return next_, money


def build_lookup(next_: Int32Array, money: Int32Array, depth: int) -> LookupTable | None:
    """Return the table of ``depth`` rolls per look-up; None if its numbers do not fit 64 bits.

    ``next_[state, outcome]`` is the next state and ``money[state, outcome]`` the change in cents.
    """
    unit = math.gcd(*np.unique(money).tolist()) or 1
    once, units = next_.astype(np.int64), money.astype(np.int64) // unit
    if int(np.abs(units).max()) ** 2 * depth >= 2**62:
        return None
    onward, net, square = once, units, units**2
    for _ in range(depth - 1):
        square = (square[:, :, None] + (units**2)[onward]).reshape(len(once), -1)
        net = (net[:, :, None] + units[onward]).reshape(len(once), -1)
        onward = once[onward].reshape(len(once), -1)
    state_bits = (len(once) - 1).bit_length()
    most = _MAX_SUMMED_LOOKUPS
    while most >= _MIN_SUMMED_LOOKUPS:
        square_bits = (int(square.max()) * most).bit_length()
        money_bits = (int(np.abs(net).max()) * most).bit_length() + 1
        if state_bits + square_bits + money_bits < 64:
            cells = ((net << square_bits) + square << state_bits) + onward
            return LookupTable(
                cells=cells.ravel(),
                ways=next_.shape[1] ** depth,
                depth=depth,
                unit=unit,
                state_bits=state_bits,
                square_bits=square_bits,
                most=most,
            )
        most //= 2
    return None


def build_deepest_lookup(next_: Int32Array, money: Int32Array) -> LookupTable | None:
    """Return the table with the most rolls per look-up in MAX_LOOKUP_BYTES, or None if none fits.

    ``next_[state, outcome]`` is the next state and ``money[state, outcome]`` the change in cents.

    >>> from passline.lab.machines.chain import Arc
    >>> chain = Chain(((Arc(0, -100, 26), Arc(0, 200, 10)),), (100,))
    >>> table = build_deepest_lookup(*expand_chain(chain))
    >>> table.depth, table.unit, len(table.cells)
    (3, 100, 46656)
    """
    for depth in range(MAX_ROLLS_PER_LOOKUP, 0, -1):
        if depth == 1 or len(next_) * next_.shape[1] ** depth * 8 <= MAX_LOOKUP_BYTES:
            table = build_lookup(next_, money, depth)
            if table is not None:
                return table
    return None


class MachineRestarted(Exception):  # noqa: N818
    """Raised when a machine forgets its states and explores anew.

    Its strategy read a part of the view, such as the last roll, that the states did not record.
    """


#: A chain, or a machine that may still grow.
Playable = Chain | Machine | SavedMachine
#: The largest total weight of dice for a growing machine, which has a column per unit of weight.
MAX_DICE_WEIGHT = 512


class TransitionRows:
    """The arrays to play on: those of a chain, or of a machine that is explored while it is played.

    All changes of money are multiples of ``unit`` cents. ``dice`` are the dice for a machine; a
    chain already includes its dice.
    """

    def __init__(self, played: Playable, dice: Dice = FAIR) -> None:
        self.machine: Machine | None = None
        self.start, self.unit = 0, 1
        if isinstance(played, Machine) and not played.is_small:
            self.machine = played
            self._outcome_columns = None if dice.fair else _expand_outcomes(dice)
            self._copy_rows()
            return
        chain = played if isinstance(played, Chain) else played.chain()
        self._next, self._money = expand_chain(chain)
        self._need = np.array(chain.need, np.int64)
        self._kinds = np.array(chain.kinds or (0,) * len(chain), np.int64)
        self.start, self._states = chain.start, len(chain)
        self.unit = math.gcd(*np.unique(self._money).tolist()) or 1

    def _copy_rows(self, states: list[int] | None = None) -> None:
        """Update the arrays after the machine explored these states (None: all).

        With fair dice, they are the machine's own arrays. With unfair dice, copy the rows of these
        states, or all rows if the machine's arrays have grown. An outcome of weight w then has w
        columns, so that all columns are equally likely.
        """
        machine = self.machine
        assert machine is not None
        if self._outcome_columns is None:
            self._next, self._money = machine.next, machine.money
        elif states is None or len(self._next) != len(machine.next):
            self._next = machine.next.take(self._outcome_columns, axis=1)
            self._money = machine.money.take(self._outcome_columns, axis=1)
        else:
            self._money[states] = machine.money[states].take(self._outcome_columns, axis=1)
            self._next[states] = machine.next[states].take(self._outcome_columns, axis=1)

    @property
    def next(self) -> Int32Array:
        """The next state for each state and outcome; -1 in unexplored states."""
        return self._next[: self.states]

    @property
    def money(self) -> Int32Array:
        """The change of money in cents for each state and outcome."""
        return self._money[: self.states]

    @property
    def need(self) -> IntArray:
        """The least worth (rail plus bets) in cents that covers each state's bets."""
        return self._need if self.machine is None else self.machine.need[: self.states]

    @property
    def kinds(self) -> IntArray:
        """A number for each state, equal for states with the same open bets.

        While a machine is explored, each state has its own.
        """
        if self.machine is None:
            return self._kinds
        return np.arange(self.states, dtype=np.int64)

    @property
    def states(self) -> int:
        """The number of known states."""
        return self._states if self.machine is None else self.machine.states

    def explore(self, states: list[int]) -> None:
        """Find the moves out of these states.

        Raise MachineRestarted if the machine forgets all its states, because its strategy has for
        the first time read a part of the view that the states did not record.
        """
        assert self.machine is not None, "a chain has no unexplored states"
        for state in states:
            if self.machine.next[state, 0] < 0 and not self.machine.expand(state):
                self._copy_rows()
                raise MachineRestarted
        self._copy_rows(states)


def _expand_outcomes(dice: Dice) -> IntArray:
    """Return the outcomes 0 to 35, each repeated as often as the dice's weight for it.

    With one column of the transition arrays for each item, all columns are equally likely. Raise
    ValueError if the weights add up to more than MAX_DICE_WEIGHT.
    """
    if dice.whole > MAX_DICE_WEIGHT:
        raise ValueError(
            f"this strategy is explored while it is played, and the weights of these dice add up "
            f"to {dice.whole:,}: expected {MAX_DICE_WEIGHT} at most"
        )
    return np.repeat(np.arange(len(OUTCOMES)), dice.weights)


#: The largest stride table in bytes, so that it stays in a core's nearest caches; and the most roll
#: sequences that are enumerated to build it.
MAX_STRIDE_BYTES, MAX_STRIDE_WAYS = 2**17, 2**15
#: The lengths of strides in rolls, and the bits of each field of a move.
STRIDE_ROLLS, _FIELD_BITS = (1, 2, 4), 16


class StrideTable(NamedTuple):
    """A table that plays ``depth`` rolls per draw. A move is the combined effect of these rolls.

    * ``cells[state << column_bits | column]`` holds the cut (upper 32 bits) and two slots (16 bits
      each, the first lowest). A draw below the cut takes the first slot, a draw above it the
      second. After a draw equal to it, draw a number below ``whole``, and take the first slot if
      that is below ``rests``.
    * ``moves[state << column_bits | slot]`` holds four fields of 16 bits from the top: the money,
      the highest and the lowest worth on the way (start included), and the next state.
    * A move cannot end a session that stays below the goal and at or above ``safe[state]`` on the
      way, or that starts at or above the move's ``bounds``.
    * The roll sequences of a move are ``first[move]`` to ``first[move + 1]``. ``sums`` are their
      cumulative weights, and ``throws`` has ``depth`` outcomes for each.
    """

    depth: int
    column_bits: int
    whole: int
    cells: WordArray
    rests: IntArray
    moves: IntArray
    safe: IntArray
    bounds: IntArray
    first: IntArray
    sums: IntArray
    throws: IntArray


class _RollSequences(NamedTuple):
    """All sequences of some rolls from every state, as parallel arrays.

    For each sequence: the start state, the end state, the weight, the money, its highest and lowest
    value on the way, the worth below which the sequence ends a session, and the outcomes.
    """

    start: IntArray
    state: IntArray
    weight: IntArray
    net: IntArray
    high: IntArray
    low: IntArray
    bound: IntArray
    throws: IntArray


def build_strides(next_: Int32Array, money: Int32Array, low: IntArray) -> tuple[StrideTable, ...]:
    """Return stride tables of 4, 2 and 1 rolls per draw, or only those that are not too large.

    ``low[state]`` is the worth, in the units of ``money``, below which a session ends. The result
    is empty if states or money exceed the bits of a move.

    >>> once = np.array([[1, 0]]) * np.ones((2, 1), int), np.array([[-1, 1]]) * np.ones((2, 1), int)
    >>> found = build_strides(*once, np.array([-5, -3]))
    >>> [each.depth for each in found], found[-1].safe.tolist()
    ([4, 2, 1], [-3, -3])
    >>> [move >> 48 for move in found[1].moves[:4].tolist()]
    [-2, 0, 0, 2]
    """
    states, outcomes = next_.shape
    if states >= 1 << _FIELD_BITS or int(np.abs(money).max()) >= 1 << _FIELD_BITS - 1:
        return ()
    arcs, ways, safe = _group_outcomes(next_, money), _start_sequences(low), low
    found: list[StrideTable] = []
    for depth in range(1, max(STRIDE_ROLLS) + 1):
        if depth > 1 and int(np.diff(arcs[0])[ways.state].sum()) > MAX_STRIDE_WAYS:
            break
        ways = _extend_sequences(ways, arcs, low)
        safe = np.maximum(low, safe[next_].max(axis=1))
        if depth in STRIDE_ROLLS:
            made = _pack_strides(ways, safe, depth, outcomes**depth)
            if made is None:
                break
            found.append(made)
    return tuple(found[::-1])


def _group_outcomes(
    next_: Int32Array, money: Int32Array
) -> tuple[IntArray, IntArray, IntArray, IntArray, IntArray]:
    """Group the outcomes of each state that have the same effect. Return five parallel arrays.

    The first says where each state's groups begin. The others have, for each group, the next state,
    the money, the number of outcomes and the first of them.
    """
    states, outcomes = next_.shape
    rows = np.repeat(np.arange(states), outcomes)
    keys = np.stack([rows, next_.ravel(), money.ravel()], axis=1).astype(np.int64)
    kinds, at, many = np.unique(keys, axis=0, return_index=True, return_counts=True)
    first = np.searchsorted(kinds[:, 0], np.arange(states + 1))
    return first, kinds[:, 1], kinds[:, 2], many.astype(np.int64), at % outcomes


def _start_sequences(low: IntArray) -> _RollSequences:
    here, none = np.arange(len(low)), np.zeros(len(low), np.int64)
    return _RollSequences(
        start=here,
        state=here,
        weight=none + 1,
        net=none,
        high=none,
        low=none,
        bound=low,
        throws=np.zeros((len(low), 0), np.int64),
    )


def _extend_sequences(
    ways: _RollSequences, arcs: tuple[IntArray, ...], low: IntArray
) -> _RollSequences:
    first, next_, money, many, outcome = arcs
    wide = np.diff(first)[ways.state]
    old = np.repeat(np.arange(len(wide)), wide)
    arc = np.arange(len(old)) - np.repeat(wide.cumsum() - wide, wide) + first[ways.state[old]]
    net, state = ways.net[old] + money[arc], next_[arc]
    return _RollSequences(
        start=ways.start[old],
        state=state,
        weight=ways.weight[old] * many[arc],
        net=net,
        high=np.maximum(ways.high[old], net),
        low=np.minimum(ways.low[old], net),
        bound=np.maximum(ways.bound[old], low[state] - net),
        throws=np.hstack([ways.throws[old], outcome[arc, None]]),
    )


def _pack_strides(
    ways: _RollSequences, safe: IntArray, depth: int, whole: int
) -> StrideTable | None:
    """Return the table that plays ``depth`` rolls of a session per draw.

    ``ways`` are all sequences of so many rolls; those of a state have the total weight ``whole``. A
    session that stays at or above ``safe[state]`` on the way cannot end there as a loser. Return
    None if the table is too large or its numbers do not fit their bits.
    """
    if max(int(ways.high.max()), -int(ways.low.min())) >= 1 << _FIELD_BITS - 1:
        return None
    mask, states = (1 << _FIELD_BITS) - 1, len(safe)
    packed = (ways.net << _FIELD_BITS | ways.high) << _FIELD_BITS | ways.low & mask
    packed = packed << _FIELD_BITS | ways.state
    order = np.lexsort((packed, ways.start))
    packed, start = packed[order], ways.start[order]
    new = np.append(True, (np.diff(packed) != 0) | (np.diff(start) != 0))
    begin = np.flatnonzero(new)  # where the sequences of each move begin
    many = np.bincount(start[begin], minlength=states)
    bits = max(int(many.max() - 1).bit_length(), 1)
    too_large = depth > 1 and (states << bits) * 16 > MAX_STRIDE_BYTES
    if too_large or whole.bit_length() + 32 - bits > 62:
        return None
    before = many.cumsum() - many
    at = (start[begin] << bits) + np.arange(len(begin)) - before[start[begin]]
    first = np.zeros((states << bits) + 1, np.int64)
    first[at + 1] = np.append(begin[1:], len(order))
    moves, bounds = np.zeros((2, states << bits), np.int64)
    moves[at], bounds[at] = packed[begin], np.maximum.reduceat(ways.bound[order], begin)
    weights = ways.weight[order]
    cells, rests = _build_columns(np.add.reduceat(weights, begin), before, whole, bits)
    return StrideTable(
        depth=depth,
        column_bits=bits,
        whole=whole,
        cells=cells,
        rests=rests,
        moves=moves,
        safe=safe,
        bounds=bounds,
        first=np.maximum.accumulate(first),
        sums=weights.cumsum(),
        throws=ways.throws[order].ravel(),
    )


def _build_columns(
    weights: IntArray, before: IntArray, whole: int, bits: int
) -> tuple[WordArray, IntArray]:
    """Return (cells, rests) of a ``StrideTable``: the alias columns of every state.

    ``weights`` are the weights of all moves, those of state s from ``before[s]`` on. They add up to
    ``whole`` in each state. A state has ``2 ** bits`` columns.
    """
    from passline.lab.simulation.session_kernels import fill_alias_columns

    columns = np.zeros((3, len(before) << bits), np.int64)
    for state, own in enumerate(np.split(weights, before[1:])):
        fill_alias_columns(own, whole, *columns[:, state << bits : state + 1 << bits])
    shares, owns, others = columns
    cuts, rests = np.divmod(shares << 32 - bits, whole)
    return (cuts << 32 | others << 16 | owns).astype(np.uint64), rests
