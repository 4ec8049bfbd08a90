"""Chains as look-up tables: several rolls a look-up, money and squares and next state in a word.

Machines that grow while they are played.

Several rolls of a session at once, wherever none of them can end it.

From a state, some rolls lead to a few hundred moves: the next state, the money, the highest and the
lowest that it was on the way; each with a whole number of chances. Walker's method puts them into
columns of equal chance, two to a column: the top bits of half a draw choose the column, the rest
which of the two, and where those bits cannot tell, which is seldom, a further draw does, so that no
chance is rounded. A move that may have ended the session is one of several ways to fall: one of
them is drawn, by what it weighs among them, and gone through roll by roll.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from passline.game.dice.dice import FAIR, OUTCOMES, Dice
from passline.lab.machines.arrays import Int32Array, IntArray, WordArray
from passline.lab.machines.chain import Chain
from passline.lab.machines.machine import Machine, SavedMachine

#: Bytes that a table of more than one roll a look-up may take: it should stay in a core's cache.
#: One state has room for three rolls and no more.
MAX_LOOKUP_BYTES = 2**20
MAX_ROLLS_PER_LOOKUP = 3
#: Cells of a table of single rolls at most: other dice than fair ones have a cell for each of what
#: they weigh together.
MAX_SINGLE_ROLL_CELLS = 2**24
#: How many look-ups may be added up before the word is taken apart, at best and at worst.
_MAX_SUMMED_LOOKUPS, _MIN_SUMMED_LOOKUPS = 2**16, 2**8


class LookupTable(NamedTuple):
    """``cells[state * ways + i]`` for each of the ``ways`` in which ``depth`` rolls can fall.

    A cell holds, from the top, the money of those rolls in ``unit`` cents, the sum of the squares
    of the single changes (``square_bits`` wide) and the next state (``state_bits`` wide). At most
    ``most`` cells may be added up before the squares run into the money.
    """

    cells: NDArray[np.int64]
    ways: int
    depth: int
    unit: int
    state_bits: int
    square_bits: int
    most: int


def expand_chain(chain: Chain) -> tuple[Int32Array, Int32Array]:
    """The chain as a machine's arrays: next state and money for each of 36 outcomes, or of as many
    as its dice weigh.

    >>> from passline.lab.machines.chain import Arc
    >>> next_, money = expand_chain(Chain(((Arc(0, -100, 26), Arc(0, 200, 10)),), (100,)))
    >>> next_.shape, int(money.sum())
    ((1, 36), -600)
    """
    if len(chain) * chain.whole > MAX_SINGLE_ROLL_CELLS:
        raise ValueError(
            f"the weights of these dice come to {chain.whole:,}, in {len(chain):,} states: too "
            "fine to be thrown; take rounder weights, or an exact answer"
        )
    next_ = np.array([[arc.next for arc in arcs for _ in range(arc.weight)] for arcs in chain.arcs])
    money = np.array(
        [[arc.money for arc in arcs for _ in range(arc.weight)] for arcs in chain.arcs]
    )
    return next_.astype(np.int32), money.astype(np.int32)


def build_lookup(next_: Int32Array, money: Int32Array, depth: int) -> LookupTable | None:
    """The table of ``depth`` rolls a look-up, or None where its numbers do not fit into a word."""
    unit = math.gcd(*np.unique(money).tolist()) or 1
    once, coins = next_.astype(np.int64), money.astype(np.int64) // unit
    if not _squares_fit(coins, depth):
        return None
    onward, net, square = once, coins, coins**2
    for _ in range(depth - 1):
        square = (square[:, :, None] + (coins**2)[onward]).reshape(len(once), -1)
        net = (net[:, :, None] + coins[onward]).reshape(len(once), -1)
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


def _squares_fit(coins: NDArray[np.int64], depth: int) -> bool:
    return int(np.abs(coins).max()) ** 2 * depth < 2**62


def build_deepest_lookup(next_: Int32Array, money: Int32Array) -> LookupTable | None:
    """The table with the most rolls a look-up that stays within ROOM; None where none fits.

    >>> from passline.lab.machines.chain import Arc
    >>> table = build_deepest_lookup(*expand_chain(Chain(((Arc(0, -100, 26), Arc(0, 200, 10)),), (100,))))
    >>> table.depth, table.unit, len(table.cells)
    (3, 100, 46656)
    """  # noqa: E501
    for depth in range(MAX_ROLLS_PER_LOOKUP, 0, -1):
        if depth == 1 or len(next_) * next_.shape[1] ** depth * 8 <= MAX_LOOKUP_BYTES:
            table = build_lookup(next_, money, depth)
            if table is not None:
                return table
    return None


class MachineRestarted(Exception):  # noqa: N818
    """The machine found that its strategy looks back, and began anew: so must the play."""


#: What can be played: a chain, or a machine that may still grow.
Playable = Chain | Machine | SavedMachine
#: What dice may weigh that are thrown for a machine that grows: it has a column for each of that.
MAX_DICE_WEIGHT = 512


class TransitionRows:
    """The arrays that are played on: of a chain, or of a machine that may still grow.

    All changes of money are multiples of ``unit`` cents. ``dice``: those that are thrown for a
    machine that may still grow; a chain has its own.
    """

    def __init__(self, played: Playable, dice: Dice = FAIR) -> None:
        self.machine: Machine | None = None
        self.start, self.unit = 0, 1
        if isinstance(played, Machine) and not played.closed:
            self.machine = played
            self._falls = None if dice.fair else _expand_outcomes(dice)
            self._widen()
            return
        chain = played if isinstance(played, Chain) else played.chain()
        self._next, self._money = expand_chain(chain)
        self._need = np.array(chain.need, np.int64)
        self._kinds = np.array(chain.kinds or (0,) * len(chain), np.int64)
        self.start, self._states = chain.start, len(chain)
        self.unit = math.gcd(*np.unique(self._money).tolist()) or 1

    def _widen(self, states: list[int] | None = None) -> None:
        """Take the machine's rows over, all or some: with other dice than fair ones each outcome
        has as many columns as it weighs."""
        machine = self.machine
        assert machine is not None
        if self._falls is None:
            self._next, self._money = machine.next, machine.money
        elif states is None or len(self._next) != len(machine.next):
            self._next = machine.next.take(self._falls, axis=1)
            self._money = machine.money.take(self._falls, axis=1)
        else:
            self._money[states] = machine.money[states].take(self._falls, axis=1)
            self._next[states] = machine.next[states].take(self._falls, axis=1)

    @property
    def next(self) -> NDArray[np.int32]:
        """The next state for each state and outcome; -1 where it is not explored."""
        return self._next[: self.states]

    @property
    def money(self) -> NDArray[np.int32]:
        """The change of money, in cents."""
        return self._money[: self.states]

    @property
    def need(self) -> NDArray[np.int64]:
        """The least worth that covers a state's wagers."""
        return self._need if self.machine is None else self.machine.need[: self.states]

    @property
    def kinds(self) -> NDArray[np.int64]:
        """What may be up tells states apart: a chain's by kind, a machine's each by itself."""
        if self.machine is None:
            return self._kinds
        return np.arange(self.states, dtype=np.int64)

    @property
    def states(self) -> int:
        """How many states there are, or are known."""
        return self._states if self.machine is None else self.machine.states

    def explore(self, states: list[int]) -> None:
        """Explore these states, unless they are explored already."""
        assert self.machine is not None, "a chain has no unexplored states"
        for state in states:
            if self.machine.next[state, 0] < 0 and not self.machine.expand(state):
                self._widen()
                raise MachineRestarted
        self._widen(states)


def _expand_outcomes(dice: Dice) -> NDArray[np.int64]:
    """The outcome of each of the columns; ValueError where there would be too many."""
    if dice.whole > MAX_DICE_WEIGHT:
        raise ValueError(
            f"it grows as it is played, and the weights of these dice come to {dice.whole:,}: "
            f"expected {MAX_DICE_WEIGHT} at most"
        )
    return np.repeat(np.arange(len(OUTCOMES)), dice.weights)


#: Bytes that a table of strides may take, so that it stays in a core's nearest caches; and the ways
#: to fall that are gone through to make it.
MAX_STRIDE_BYTES, MAX_STRIDE_WAYS = 2**17, 2**15
#: Rolls of a stride, of which one is always had, and what a move holds of each of its four numbers.
STRIDE_ROLLS, _FIELD_BITS = (1, 2, 4), 16


class StrideTable(NamedTuple):
    """``depth`` rolls a draw: ``cells[state << column_bits | column]``, and a move or way likewise.

    A cell holds the cut (in its upper half) and the two slots of its column, the first in the
    lowest bits: below the cut the first is meant, above it the second, and at it the first where
    one of ``whole`` chances is below the rest (``rests``). ``moves[state << column_bits | slot]``
    holds, from the top and 16 bits each, the money of those rolls, the highest and the lowest that
    it was on the way, the beginning counted, and the next state. Whose worth is never under
    ``safe[state]`` on the way, and never at the goal, is not ended by it; nor who was not under the
    move's own of ``bounds``.

    The ways of a move are those from its ``first`` up to the next one's. ``sums`` is what all up to
    each weigh, and ``throws`` has ``depth`` outcomes for each.
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
    """Every way to fall: from where, to where, what it weighs and brings, the worth under which it
    ends a session on the way, and its outcomes."""

    start: IntArray
    state: IntArray
    weight: IntArray
    net: IntArray
    high: IntArray
    low: IntArray
    bound: IntArray
    throws: IntArray


def build_strides(next_: Int32Array, money: Int32Array, low: IntArray) -> tuple[StrideTable, ...]:
    """Strides of 4 and 2 rolls, if they stay within ROOM, and of one; none where a closed machine's
    numbers do not fit.

    ``low[state]`` is the worth, in the units of ``money``, under which a session ends.

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
    """Outcomes that do the same in a state: where its arcs begin, and of each where it leads, its
    money, how many they are and the first of them."""
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
    """One roll more."""
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
    """The table, or None where it takes too much room (single rolls may) or its numbers too many
    bits."""
    if max(int(ways.high.max()), -int(ways.low.min())) >= 1 << _FIELD_BITS - 1:
        return None
    mask, states = (1 << _FIELD_BITS) - 1, len(safe)
    packed = (
        (ways.net << _FIELD_BITS | ways.high) << _FIELD_BITS | ways.low & mask
    ) << _FIELD_BITS | ways.state
    order = np.lexsort((packed, ways.start))
    packed, start = packed[order], ways.start[order]
    new = np.append(True, (np.diff(packed) != 0) | (np.diff(start) != 0))
    begin = np.flatnonzero(new)  # of the ways of each move
    many = np.bincount(start[begin], minlength=states)
    bits = max(int(many.max() - 1).bit_length(), 1)
    if (
        depth > 1 and (states << bits) * 16 > MAX_STRIDE_BYTES
    ) or whole.bit_length() + 32 - bits > 62:
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
    """The cells of every state's columns, and their rests."""
    from passline.lab.simulation.session_kernels import fill_alias_columns

    columns = np.zeros((3, len(before) << bits), np.int64)
    for state, own in enumerate(np.split(weights, before[1:])):
        fill_alias_columns(own, whole, *columns[:, state << bits : state + 1 << bits])
    shares, owns, others = columns
    cuts, rests = np.divmod(shares << 32 - bits, whole)
    return (cuts << 32 | others << 16 | owns).astype(np.uint64), rests
