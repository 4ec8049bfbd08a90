"""Saved machines: a closed machine as a file, and back.

A file holds numpy arrays (``.npz``, nothing pickled): ``next``, ``money``, ``need``, ``about`` as
the bytes of a JSON object, and the number of this format; since format 2 also ``places``, where
each state's play-out begins, and ``ways``, a row (place, next, money, weight) for each way on;
since format 3 also ``least``, the least worth with which any wager can be made there.

The machine: a strategy at a table, explored into three arrays.

``next[state, outcome]``, ``money[state, outcome]`` and ``need[state]`` (cents) are all that
``exact`` and ``simulation`` ever see. Small machines are closed at once; large ones grow as play
meets new states, as a regular-expression engine grows its automaton.
"""

from __future__ import annotations

import io
import random
import warnings
import zipfile
import zlib
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import IO, Any, NoReturn

import msgspec

from passline.extras import missing_extra

try:
    import numpy as np
    from numpy.typing import NDArray
except ModuleNotFoundError as error:
    raise missing_extra(error, "a machine") or error from None

from passline.files import UnreadableError, open_file, replace_file
from passline.game.dice.dice import FAIR, OUTCOMES, Dice
from passline.game.house.house import House
from passline.game.layout.stakes import Settlement
from passline.lab.machines.bettor import (
    Bettor,
    BettorMove,
    MachineFileError,
    MachineFull,
    StrategyError,
    Turn,
)
from passline.lab.machines.chain import FAIR_DICE_WEIGHT, Arc, Chain
from passline.lab.machines.lump_states import lump_states
from passline.lab.machines.origin import MachineOrigin, describe_origin
from passline.lab.machines.play_out import PlayOutExplorer, PlayOutRows, PlayOutWays
from passline.lab.machines.reduced_bets import AffordableBets, ReducedBetExplorer, ReducedBetMachine
from passline.lab.machines.seat import OPENING, AfterTurn, MachineSeat, State
from passline.version import VERSION

FILE_FORMAT = 3
#: Bytes of one array that is still read: ten million states.
MAX_ARRAY_BYTES = 2**31
_CORE_ARRAYS = {"next": np.int32, "money": np.int32, "need": np.int64}
_PLAY_OUT_ARRAYS = {"places": np.int32, "ways": np.int64}
_LEAST_BET_ARRAYS = {"least": np.int64}
_FORMAT_1_PARTS = ("format", "about", *_CORE_ARRAYS)
#: The parts of a file, by the number of its format.
_PARTS_BY_FORMAT = {
    1: _FORMAT_1_PARTS,
    2: (*_FORMAT_1_PARTS, *_PLAY_OUT_ARRAYS),
    3: (*_FORMAT_1_PARTS, *_PLAY_OUT_ARRAYS, *_LEAST_BET_ARRAYS),
}


class SavedMachine:
    """A closed machine from a file: what a Machine shows of itself, without its table."""

    closed = True

    def __init__(
        self,
        next_: NDArray[np.int32],
        money: NDArray[np.int32],
        need: NDArray[np.int64],
        about: MachineOrigin,
        play_out: PlayOutWays | None = None,
        least: NDArray[np.int64] | None = None,
    ) -> None:
        self.next = next_
        self.money = money
        self.need = need
        self.about = about
        self._play_out = play_out
        self._least = least

    @property
    def states(self) -> int:
        """How many states there are."""
        return len(self.next)

    @property
    def explored(self) -> int:
        """How many are explored: all."""
        return self.states

    def chain(self, apart: Sequence[int] = (), dice: Dice = FAIR) -> Chain:
        """The machine with states that nothing tells apart made one."""
        return lump_states(self.next, self.money, self.need, apart, dice)

    def play_out(self, states: Sequence[int], dice: Dice = FAIR) -> PlayOutWays:
        """What is up in these states, followed to its end: with fair dice alone, by which it was
        saved."""
        if not dice.fair:
            raise MachineFileError(
                f"{self.about.strategy} was saved with what comes of its open wagers by fair dice: "
                "name the strategy itself, or count them at their stake (--open stake)"
            )
        if self._play_out is None:
            raise MachineFileError(
                f"{self.about.strategy} was saved without what is up in its states: save it again, "
                "or count open wagers at their stake (--open stake)"
            )
        places = self._play_out.places
        return self._play_out._replace(places=tuple([places[state] for state in states]))

    def least(self, states: Sequence[int]) -> list[int] | None:
        """By state: the least worth with which any wager can be made; None: it was not saved."""
        return None if self._least is None else [int(self._least[state]) for state in states]

    def save(self, path: str | Path) -> None:
        """Write it again."""
        arrays = (self.next, self.money, self.need)
        write_machine(path, *arrays, self.about, self._play_out, self._least)


def write_machine(
    path: str | Path,
    next_: NDArray[np.int32],
    money: NDArray[np.int32],
    need: NDArray[np.int64],
    about: MachineOrigin,
    play_out: PlayOutWays | None,
    least: NDArray[np.int64] | None,
) -> None:
    """Write a closed machine: the whole file, or nothing and a MachineFileError."""
    told = np.frombuffer(msgspec.json.encode(about), np.uint8)
    parts: dict[str, NDArray[Any]] = {"about": told, "next": next_, "money": money, "need": need}
    if play_out is not None:
        ways = [(place, *arc) for place, arcs in enumerate(play_out.ways) for arc in arcs]
        parts |= {"places": np.array(play_out.places, np.int32), "ways": np.array(ways, np.int64)}
        parts |= {} if least is None else {"least": least}
    packed = io.BytesIO()
    made = 1 if play_out is None else 2 if least is None else FILE_FORMAT
    parts["format"] = np.array(made, np.int64)
    np.savez_compressed(packed, allow_pickle=False, **parts)
    try:
        replace_file(Path(path), packed.getvalue())
    except (OSError, ValueError) as wrong:  # ValueError: a path with a zero byte in it
        why = getattr(wrong, "strerror", None) or wrong
        raise MachineFileError(f"{str(path)!r} cannot be written: {why}") from None


def load_machine(path: str | Path) -> SavedMachine:
    """A machine that was saved. MachineFileError for a file that is not one, or not a whole one.

    Warns where another version of passline made it: the rules may have been mended since.
    """
    try:
        with open_file(path, "saved machine", plain=False) as file:
            machine = _read_machine(file, str(path))
    except UnreadableError as wrong:
        raise MachineFileError(str(wrong)) from None
    made, here = machine.about.version, VERSION
    if made != here:
        warnings.warn(f"{path} was made by passline {made}, and this is {here}", stacklevel=2)
    return machine


def _read_machine(file: IO[bytes], name: str) -> SavedMachine:
    try:
        with zipfile.ZipFile(file) as packed:
            sizes = {item.filename: item.file_size for item in packed.infolist()}
        names = next(
            (n for n in _PARTS_BY_FORMAT.values() if {f"{p}.npy" for p in n} == set(sizes)), ()
        )
        if not names:
            _reject_file(name, "it is no saved machine")
        if max(sizes.values()) > MAX_ARRAY_BYTES:
            _reject_file(name, "it is too large")
        file.seek(0)
        with np.load(file, allow_pickle=False) as found:
            parts = {part: found[part] for part in names}
    except MachineFileError:
        raise
    except (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, KeyError):
        _reject_file(name, "it is no saved machine, or not a whole one")
    except (ValueError, TypeError, MemoryError, RuntimeError, SyntaxError):
        _reject_file(name, "its arrays cannot be read")
    return _check_parts(parts, name)


def _reject_file(name: str, why: str) -> NoReturn:
    raise MachineFileError(f"{name} cannot be used: {why}")


def _check_parts(parts: dict[str, NDArray[np.generic]], name: str) -> SavedMachine:
    kind = parts["format"]
    if kind.shape != () or kind.dtype.kind != "i":
        _reject_file(name, "it is no saved machine")
    if int(kind) not in _PARTS_BY_FORMAT or set(_PARTS_BY_FORMAT[int(kind)]) != set(parts):
        _reject_file(
            name, f"it has format {int(kind)}, and this passline reads formats 1 to {FILE_FORMAT}"
        )
    try:
        about = msgspec.json.decode(parts["about"].tobytes(), type=MachineOrigin)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
        _reject_file(name, "it does not say what made it")
    if not str(about).isprintable():  # it is shown to people
        _reject_file(name, "what it says of what made it is not plain text")
    expected = {**_CORE_ARRAYS, **_PLAY_OUT_ARRAYS, **_LEAST_BET_ARRAYS}
    for part in parts.keys() & expected.keys():
        if parts[part].dtype != expected[part]:
            _reject_file(name, f"{part} is not made of {np.dtype(expected[part]).name}")
    next_, money, need = (np.ascontiguousarray(parts[part]) for part in _CORE_ARRAYS)
    size = len(need) if need.ndim == 1 else 0
    if not size or next_.shape != (size, len(OUTCOMES)) or money.shape != next_.shape:
        _reject_file(name, "its arrays do not fit together")
    if next_.min() < 0 or next_.max() >= size:
        _reject_file(name, "a state leads to one that is not there")
    if need.min() < 0:
        _reject_file(name, "a state needs less than nothing")
    least: NDArray[np.int64] | None = None
    if "least" in parts:
        least = np.ascontiguousarray(parts["least"], np.int64)
    if least is not None and (least.shape != (size,) or int(least.min()) < 0):
        _reject_file(name, "its least wagers do not fit")
    return SavedMachine(next_, money, need, about, _read_play_outs(parts, size, name), least)


def _read_play_outs(
    parts: dict[str, NDArray[np.generic]], size: int, name: str
) -> PlayOutWays | None:
    """The play-outs, whose chances are whole and whose places are there."""
    if "ways" not in parts:
        return None
    places, rows = parts["places"].tolist(), parts["ways"]
    if parts["places"].shape != (size,) or rows.ndim != 2 or rows.shape[1] != 4 or not len(rows):
        _reject_file(name, "its play-outs do not fit together")
    count = int(rows[:, 0].max()) + 1
    found: list[list[Arc]] = [[] for _ in range(min(count, len(rows)))]
    for place, to, money, weight in rows.tolist():
        if not (
            0 <= place < len(found) and 0 <= to < len(found) and 0 < weight <= FAIR_DICE_WEIGHT
        ):
            _reject_file(name, "a play-out leads to what is not there")
        found[place].append(Arc(to, money, weight))
    if any(sum(arc.weight for arc in arcs) != FAIR_DICE_WEIGHT for arcs in found):
        _reject_file(name, "a play-out has more or less than all chances")
    if not all(0 <= place < len(found) for place in places):
        _reject_file(name, "a play-out leads to what is not there")
    return PlayOutWays(tuple(places), tuple(map(tuple, found)))


UNEXPLORED = -1
#: States explored before a machine counts as large.
MAX_CLOSED_STATES = 50_000
#: Megabytes a machine may take unless told otherwise, and the bytes of one state. Measured on
#: machines of 6,000 to 100,000 states: 700 to 1,050, and half as much again while arrays grow.
DEFAULT_MEMORY_MB = 128
BYTES_PER_STATE = 1_500

#: The most cents that a roll may move: what an int32 holds.
_MAX_CENTS_PER_ROLL = 2**31 - 1
#: Answers that are asked for again once there is nothing more to explore.
RECHECKED_TURNS = 2_000

#: Told the number of states now and then, while a machine is explored.
WatchStates = Callable[[int], None]


class Machine:
    """A bettor under a house's rules, as a finite table. Grow it with ``close`` or ``expand``.

    ``need[state]`` is the least worth (cents) that covers what the strategy wagers there.
    """

    def __init__(self, house: House, bettor: Bettor, memory: int = DEFAULT_MEMORY_MB) -> None:
        self.about: MachineOrigin = describe_origin(house, bettor.name)
        self.memory = memory
        self._house, self._bettor = house, bettor
        self._tracked_fields: frozenset[str] = frozenset()
        self._play_outs: dict[Dice, PlayOutExplorer] = {}
        self._begin()

    def _begin(self) -> None:
        self._seat = MachineSeat(self._house, self._bettor, self._tracked_fields)
        self._numbers: dict[State, int] = {OPENING: 0}
        self._states: list[State] = [OPENING]
        #: How the layout stood when the dice went out → a state that led there, its cost, and
        #: whether the throws leave nothing up that they decided.
        self._rows_by_layout: dict[State, tuple[int, int, bool]] = {}
        #: What the bettor did in each state that is explored; equal moves are kept once.
        self._turns: list[Turn | None] = [None]
        self._one: dict[tuple[BettorMove, ...], tuple[BettorMove, ...]] = {}
        self._asked = 0
        self._held = 0
        self.next: NDArray[np.int32] = np.full((64, 36), UNEXPLORED, np.int32)
        self.money: NDArray[np.int32] = np.zeros((64, 36), np.int32)
        self.need: NDArray[np.int64] = np.zeros(64, np.int64)
        self.explored = 0

    @property
    def states(self) -> int:
        """How many states are known, explored or not."""
        return len(self._states)

    @property
    def closed(self) -> bool:
        """Whether every state that can be reached is explored."""
        return self.explored == self.states

    def state(self, number: int) -> State:
        """What a state stands for."""
        return self._states[number]

    def close(self, limit: int = MAX_CLOSED_STATES, watch: WatchStates | None = None) -> bool:
        """Explore until closed, or until ``limit`` states are known; whether it closed.

        ``watch`` is told the number of states now and then. At the end the strategy is asked some
        of it again, in another order: StrategyError where it does not answer as before.
        """
        try:
            self._explore(limit, watch)
        except MachineFull:  # what there is may be played all the same
            self._ask_again()
            raise
        self._ask_again()
        return self.closed

    def _explore(self, limit: int, watch: WatchStates | None) -> None:
        number = 0
        while number < self.states and self.states <= limit:
            if self.next[number, 0] == UNEXPLORED and not self.expand(number):
                number = -1  # it began anew
            number += 1
            if watch is not None and number % 256 == 0:
                watch(self.states)

    def _ask_again(self) -> None:
        """Chance that seldom speaks, and counters of a strategy's own, are found out here."""
        if self.explored == self._asked:
            return
        known = [number for number, turn in enumerate(self._turns) if turn is not None]
        for number in random.Random(0).choices(known, k=RECHECKED_TURNS):
            before = self._turns[number]
            assert before is not None
            try:
                self._seat.ask_again(self._states[number], before)
            except StrategyError as wrong:
                raise StrategyError(wrong.why, self.about.strategy) from None
        self._asked = self.explored

    def expand(self, number: int) -> bool:
        """Explore one state. False: the strategy was found to look back, and all began anew."""
        spoken = self._spoken(number)
        if not self._seat.looked <= self._tracked_fields:
            self._tracked_fields = frozenset(self._tracked_fields | self._seat.looked)
            self._begin()
            return False
        stands = self._seat.stands(spoken)
        twin = self._rows_by_layout.get(stands)
        if twin is None:
            spread = self._seat.spread(spoken)
            money = self._row(spread.money)
            next_ = [self._number(state, spoken.turn.weight) for state in spread.next]
            self.money[number] = money
            self.next[number] = next_
            self._rows_by_layout[stands] = (number, spoken.cost, spread.clear)
        else:
            other, cost, _ = twin
            self.money[number] = self._row(
                [m + cost - spoken.cost for m in self.money[other].tolist()]
            )
            self.next[number] = self.next[other]
        self.need[number] = spoken.need
        turn = spoken.turn
        self._turns[number] = turn._replace(moves=self._one.setdefault(turn.moves, turn.moves))
        self.explored += 1
        return True

    def _spoken(self, number: int) -> AfterTurn:
        try:
            return self._seat.speak(self._states[number])
        except StrategyError as wrong:
            raise StrategyError(wrong.why, self.about.strategy) from None

    def _number(self, state: State, weight: int) -> int:
        number = self._numbers.get(state)
        if number is None:
            number = len(self._states)
            self._held += BYTES_PER_STATE + weight
            if self._held > self.memory * 2**20:
                raise MachineFull(self._full(state))
            self._numbers[state] = number
            self._states.append(state)
            self._turns.append(None)
            if number >= len(self.next):
                self._grow()
        return number

    def _row(self, money: Sequence[int]) -> Sequence[int]:
        """The changes of a row, none more than its array can hold."""
        if max(map(abs, money)) > _MAX_CENTS_PER_ROLL:
            why = f"a roll moves more than ${_MAX_CENTS_PER_ROLL // 100:,}: too much for a machine"
            raise StrategyError(why, self.about.strategy)
        return money

    def _full(self, state: State) -> str:
        memory = f" (its last memory was {state.memory!r:.80})" if state.memory is not None else ""
        return (
            f"{self.about.strategy}: more than {self.states:,} states, which is all that "
            f"{self.memory:,} MB hold: either it keeps changing state without end{memory}, or it "
            "needs more memory (memory=, or --memory)"
        )

    def _grow(self) -> None:
        more = len(self.next)
        self.next = np.concatenate([self.next, np.full((more, 36), UNEXPLORED, np.int32)])
        self.money = np.concatenate([self.money, np.zeros((more, 36), np.int32)])
        self.need = np.concatenate([self.need, np.zeros(more, np.int64)])

    def save(self, path: str | Path) -> None:
        """Write the closed machine to a file that ``load_machine`` reads. MachineFileError if not.

        The file is whole or not there at all. An open machine is not saved: without its strategy
        and its table it could not grow.
        """
        if not self.closed:
            raise MachineFileError(
                f"{self.about.strategy} is not closed ({self.explored:,} of {self.states:,} known "
                "states are explored): only a closed machine is saved"
            )
        size = self.states
        write_machine(
            path,
            self.next[:size],
            self.money[:size],
            self.need[:size],
            self.about,
            self.play_out(range(size)),
            np.array(self.least(range(size)), np.int64),
        )

    def chain(self, apart: Sequence[int] = (), dice: Dice = FAIR) -> Chain:
        """The closed machine with states that nothing tells apart made one.

        ``apart`` tells states apart besides: a number for each. ``dice``: others than fair ones.
        """
        if not self.closed:
            raise ValueError("only a closed machine has a chain: it still has states to explore")
        size = self.states
        return lump_states(self.next[:size], self.money[:size], self.need[:size], apart, dice)

    def settled(self, number: int) -> list[tuple[Settlement, ...]]:
        """For each of the 36 outcomes: the wagers that it decides in a state."""
        return self._seat.settled(self._states[number])

    def decided(self, number: int) -> list[int]:
        """For each of the 36 outcomes: the stakes (cents) that it decides in a state."""
        return [sum(done.stake for done in own) for own in self.settled(number)]

    def least(self, states: Sequence[int]) -> list[int]:
        """By state: the least worth (cents) with which any wager can be made there; nought where
        something is up."""
        purse = AffordableBets(self._seat)
        return [purse.least(self._states[number]) for number in states]

    def play_short(self, bankroll: int) -> ReducedBetMachine:
        """The closed machine, its player playing on with what he has when that does not cover what
        the strategy bets. MachineFull where that takes too many states."""
        while True:
            size = self.states
            arrays = (self.next[:size], self.money[:size], self.need[:size])
            found = ReducedBetExplorer(self._seat, self._states, *arrays).explore(bankroll)
            if self._seat.looked <= self._tracked_fields:
                return found
            self._tracked_fields = frozenset(self._tracked_fields | self._seat.looked)
            self._begin()
            self.close()

    def play_out(self, states: Sequence[int], dice: Dice = FAIR) -> PlayOutWays:
        """What is up in these states, followed to its end, should the player say no more."""
        return self.play_out_states([self._states[number] for number in states], dice)

    def play_out_states(self, states: Sequence[State], dice: Dice = FAIR) -> PlayOutWays:
        """The same of states that need not be the machine's own."""
        if dice not in self._play_outs:
            seat = MachineSeat(self._house, self._bettor, frozenset())
            self._play_outs[dice] = PlayOutExplorer(seat, self._thrown_before, dice)
        out = self._play_outs[dice]
        places = tuple([out.place_of(state) for state in states])
        return PlayOutWays(places, tuple(out.ways), dice.whole)

    def _thrown_before(self, stood: State) -> list[tuple[State, int]] | None:
        """What throws came to, if a state was explored in which the layout stood like this."""
        number, cost, clear = self._rows_by_layout.get(stood, (UNEXPLORED, 0, False))
        if not clear:
            return None
        ways = zip(self.next[number].tolist(), self.money[number].tolist(), strict=True)
        return [(self._states[to], money + cost) for to, money in ways]

    def play_out_rows(self) -> PlayOutRows:
        """The play-outs of all its states, throw by throw; those of any dice."""
        places = self.play_out(range(self.states)).places
        rows = np.array(self._play_outs[FAIR].rows, np.int64)
        return PlayOutRows(np.array(places, np.int64), rows[:, :, 0], rows[:, :, 1])
