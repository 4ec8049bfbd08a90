"""Explore a strategy at a table into a machine of numbered states, and save it to a file.

To explore a state, ask the strategy for its bets there and try all 36 rolls. This fills
``next[state, outcome]`` (a state), ``money[state, outcome]`` (cents won or lost) and
``need[state]`` (the cents that the bets require). ``exact`` and ``simulation`` see no more of the
rules. Small machines are explored completely (closed) at once. Large ones grow while they are
played.

A saved machine is a numpy ``.npz`` file without pickles: ``next``, ``money``, ``need``, ``about``
(the origin, as the bytes of a JSON object) and ``format``. Format 2 adds the play-outs of open bets
(``play_out.py``): ``places`` has the number at which each state's play-out begins, and ``ways`` has
one row (place, next, money, weight) for each transition. Format 3 adds ``least``, the least worth
with which some bet can be made in each state.
"""

from __future__ import annotations

import io
import random
import warnings
import zipfile
import zlib
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import IO, Any, NoReturn, TypeVar

import msgspec

from passline.game.money.amounts import show_dollars
from passline.game.words.lab import say_lab
from passline.optional_packages import missing_extra

try:
    import numpy as np
    from numpy.typing import NDArray

    from passline.lab.machines.arrays import Int32Array, IntArray
except ModuleNotFoundError as error:
    raise missing_extra(error, "a machine") or error from None

from passline.files import UnreadableError, open_file, replace_file
from passline.game.dice.dice import FAIR, OUTCOMES, Dice
from passline.game.house.house import House
from passline.game.layout.stakes import Settlement
from passline.game.table.throws import must_pass_dice
from passline.lab.machines.bettor import (
    Bettor,
    BettorMove,
    MachineFileError,
    MachineFull,
    StrategyError,
    Turn,
)
from passline.lab.machines.chain import FAIR_DICE_WEIGHT, Arc, Chain
from passline.lab.machines.hand_chain import HandThrow, walk_hand
from passline.lab.machines.lump_states import lump_states
from passline.lab.machines.next_states import (
    OPENING,
    MachineSeat,
    State,
    add_shooter_bet,
    build_table,
)
from passline.lab.machines.origin import MachineOrigin, describe_origin
from passline.lab.machines.play_out import PlayOutExplorer, PlayOutRows, PlayOutWays
from passline.lab.machines.reduced_bets import (
    MAX_REDUCED_STATES,
    MAX_STATES_WHILE_PLAYING,
    AffordableBets,
    ReducedBetExplorer,
    ReducedBetMachine,
)
from passline.version import VERSION

FILE_FORMAT = 3
#: The largest array that is read from a file, in bytes: about ten million states.
MAX_ARRAY_BYTES = 2**31
#: The arrays of numbers in a file of the newest format, and the parts of each format.
_ARRAY_TYPES = {
    **{"next": np.int32, "money": np.int32, "need": np.int64},
    **{"places": np.int32, "ways": np.int64, "least": np.int64},
}
_PARTS_BY_FORMAT = {
    number: ("format", "about", *list(_ARRAY_TYPES)[:count])
    for number, count in ((1, 3), (2, 5), (3, 6))
}


class SavedMachine:
    """A completely explored machine read from a file, without its strategy and table."""

    closed = True

    def __init__(
        self,
        next_: Int32Array,
        money: Int32Array,
        need: IntArray,
        about: MachineOrigin,
        play_out: PlayOutWays | None = None,
        least: IntArray | None = None,
    ) -> None:
        self.next, self.money, self.need = next_, money, need
        self.about, self._play_out, self._least = about, play_out, least

    @property
    def states(self) -> int:
        """The number of states."""
        return len(self.next)

    @property
    def explored(self) -> int:
        """The number of explored states: all of them."""
        return self.states

    def chain(self, apart: Sequence[int] = (), dice: Dice = FAIR) -> Chain:
        """Return the machine's chain, with equivalent states merged.

        States with different numbers in ``apart`` (one number for each state) are not merged.
        """
        return lump_states(self.next, self.money, self.need, apart, dice)

    def play_out(self, states: Sequence[int], dice: Dice = FAIR) -> PlayOutWays:
        """Return how the open bets of these states are played to their end, with no further bets.

        Raise MachineFileError if the dice are not fair, or the file has no play-outs.
        """
        if not dice.fair:
            raise MachineFileError(
                f"the saved machine of {self.about.strategy} plays out open bets with fair dice "
                "only: give the strategy itself, or count open bets at their stake (--open stake)"
            )
        if self._play_out is None:
            raise MachineFileError(
                f"the saved machine of {self.about.strategy} does not hold its open bets: save it "
                "again, or count open bets at their stake (--open stake)"
            )
        places = self._play_out.places
        return self._play_out._replace(places=tuple([places[state] for state in states]))

    def least(self, states: Sequence[int]) -> list[int] | None:
        """Return, for each state, the least worth with which some bet can be made.

        A worth is rail plus bets, in cents.

        Return None if the machine was saved without these amounts.
        """
        return None if self._least is None else [int(self._least[state]) for state in states]

    def save(self, path: str | Path) -> None:
        """Write the machine to a file, completely or not at all, or raise MachineFileError."""
        origin, play_out = np.frombuffer(msgspec.json.encode(self.about), np.uint8), self._play_out
        parts: dict[str, NDArray[Any]] = {"about": origin}
        parts |= {"next": self.next, "money": self.money, "need": self.need}
        file_format = 1
        if play_out is not None:
            file_format = 2
            ways = [(place, *arc) for place, arcs in enumerate(play_out.ways) for arc in arcs]
            parts["places"] = np.array(play_out.places, np.int32)
            parts["ways"] = np.array(ways, np.int64)
            if self._least is not None:
                file_format, parts["least"] = FILE_FORMAT, self._least
        parts["format"] = np.array(file_format, np.int64)
        packed = io.BytesIO()
        np.savez_compressed(packed, allow_pickle=False, **parts)
        try:
            replace_file(Path(path), packed.getvalue())
        except (OSError, ValueError) as error:  # ValueError: the path contains a zero byte.
            why = getattr(error, "strerror", None) or error
            raise MachineFileError(f"{str(path)!r} cannot be written: {why}") from None


def load_machine(path: str | Path) -> SavedMachine:
    """Read a saved machine. Raise MachineFileError if the file is not a complete saved machine.

    Warn if another version of passline saved it, since the rules may have been corrected since.
    """
    try:
        with open_file(path, "saved machine", plain=False) as file:
            machine = read_machine(file, str(path))
    except UnreadableError as error:
        raise MachineFileError(str(error)) from None
    made, here = machine.about.version, VERSION
    if made != here:
        warnings.warn(f"{path} was made by passline {made}, but this is {here}", stacklevel=2)
    return machine


def read_machine(file: IO[bytes], name: str) -> SavedMachine:
    """Return the saved machine in an open file. Raise MachineFileError if it is not one."""
    try:
        with zipfile.ZipFile(file) as packed:
            sizes = {item.filename: item.file_size for item in packed.infolist()}
        names = next(
            (n for n in _PARTS_BY_FORMAT.values() if {f"{p}.npy" for p in n} == set(sizes)), ()
        )
        if not names:
            _reject_file(name, "it is not a saved machine")
        if max(sizes.values()) > MAX_ARRAY_BYTES:
            _reject_file(name, "it is too large")
        file.seek(0)
        with np.load(file, allow_pickle=False) as found:
            parts = {part: found[part] for part in names}
    except MachineFileError:
        raise
    except (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, KeyError):
        _reject_file(name, "it is not a saved machine, or it is incomplete")
    except (ValueError, TypeError, MemoryError, RuntimeError, SyntaxError):
        _reject_file(name, "its arrays cannot be read")
    return _check_parts(parts, name)


def _reject_file(name: str, why: str) -> NoReturn:
    raise MachineFileError(f"{name} cannot be used: {why}")


def _check_parts(parts: dict[str, NDArray[np.generic]], name: str) -> SavedMachine:
    kind = parts["format"]
    if kind.shape != () or kind.dtype.kind != "i":
        _reject_file(name, "it is not a saved machine")
    if int(kind) not in _PARTS_BY_FORMAT or set(_PARTS_BY_FORMAT[int(kind)]) != set(parts):
        _reject_file(
            name, f"it has format {int(kind)}, but this passline reads formats 1 to {FILE_FORMAT}"
        )
    try:
        about = msgspec.json.decode(parts["about"].tobytes(), type=MachineOrigin)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
        _reject_file(name, "its description cannot be read")
    if not str(about).isprintable():  # It is shown to people.
        _reject_file(name, "its description is not plain text")
    for part in parts.keys() & _ARRAY_TYPES.keys():
        if parts[part].dtype != _ARRAY_TYPES[part]:
            _reject_file(name, f"its array {part} is not {np.dtype(_ARRAY_TYPES[part]).name}")
    next_, money, need = (np.ascontiguousarray(parts[part]) for part in ("next", "money", "need"))
    size = len(need) if need.ndim == 1 else 0
    if not size or next_.shape != (size, len(OUTCOMES)) or money.shape != next_.shape:
        _reject_file(name, "its arrays do not match in size")
    if next_.min() < 0 or next_.max() >= size:
        _reject_file(name, "a state leads to a state that does not exist")
    if need.min() < 0:
        _reject_file(name, "a state needs a negative amount")
    least: IntArray | None = None
    if "least" in parts:
        least = np.ascontiguousarray(parts["least"], np.int64)
    if least is not None and (least.shape != (size,) or int(least.min()) < 0):
        _reject_file(name, "its least bets do not match its states")
    return SavedMachine(next_, money, need, about, _read_play_outs(parts, size, name), least)


def _read_play_outs(
    parts: dict[str, NDArray[np.generic]], size: int, name: str
) -> PlayOutWays | None:
    """Return from a saved machine's arrays how the open bets of each state are played to their end.

    Return None if the file has none. ``size`` is the number of states and ``name`` the file's name.
    Raise MachineFileError if a state does not exist, or if probabilities do not add up.
    """
    if "ways" not in parts:
        return None
    places, rows = parts["places"].tolist(), parts["ways"]
    if parts["places"].shape != (size,) or rows.ndim != 2 or rows.shape[1] != 4 or not len(rows):
        _reject_file(name, "its play-outs do not match its states")
    count = int(rows[:, 0].max()) + 1
    found: list[list[Arc]] = [[] for _ in range(min(count, len(rows)))]
    for place, to, money, weight in rows.tolist():
        known = 0 <= place < len(found) and 0 <= to < len(found)
        if not known or not 0 < weight <= FAIR_DICE_WEIGHT:
            _reject_file(name, "a play-out leads to a place that does not exist")
        found[place].append(Arc(to, money, weight))
    if any(sum(arc.weight for arc in arcs) != FAIR_DICE_WEIGHT for arcs in found):
        _reject_file(name, "the chances of a play-out do not add up")
    if not all(0 <= place < len(found) for place in places):
        _reject_file(name, "a play-out leads to a place that does not exist")
    return PlayOutWays(tuple(places), tuple(map(tuple, found)))


#: In ``next``: the state has not been explored yet.
UNEXPLORED = -1
#: The number of states at which ``close`` stops by default.
MAX_CLOSED_STATES = 50_000
#: A machine of more states than this is sampled while it is explored, so that play begins at once.
#: Whether a machine is larger does not depend on how much of it was explored before.
MAX_STATES_BEFORE_PLAY = 5_000
#: The default memory limit of a machine in megabytes, and the bytes counted for one state.
#: Machines of 6,000 to 100,000 states took 700 to 1,050 bytes a state, and half as much again
#: while their arrays grew.
DEFAULT_MEMORY_MB = 128
BYTES_PER_STATE = 1_500

#: The most cents that one roll may win or lose: what an int32 holds.
_MAX_CENTS_PER_ROLL = 2**31 - 1
#: How many turns ``close`` asks the strategy for a second time, to catch random strategies.
RECHECKED_TURNS = 2_000

_Result = TypeVar("_Result")

#: Called with the number of states from time to time while a machine is explored.
WatchStates = Callable[[int], None]


class Machine:
    """A strategy under a house's rules, as a finite state machine.

    ``close`` explores all states, ``expand`` one. ``next[state, outcome]`` is the next state or
    UNEXPLORED, ``money[state, outcome]`` the change of worth in cents, and ``need[state]`` the
    least worth (cents) that covers the strategy's bets there. Worth is the rail plus the bets on
    the table. The arrays may be longer than ``states``. With ``shooter_limit`` (cents), the player
    never risks more than this on one shooter.
    """

    def __init__(
        self,
        house: House,
        bettor: Bettor,
        memory: int = DEFAULT_MEMORY_MB,
        shooter_limit: int | None = None,
    ) -> None:
        name = bettor.name
        if shooter_limit is not None:
            if shooter_limit <= 0:
                raise ValueError(say_lab("shooter-limit", limit=shooter_limit))
            if house.game in house.book.dice.automated.value:
                raise ValueError(say_lab("no-shooter", game=house.game))
            name = say_lab("shooter-limit-name", strategy=name, limit=shooter_limit)
        self.about: MachineOrigin = describe_origin(house, name)
        #: The name of the machine in the cache on disk, or "".
        self.cache_key = ""
        self.shooter_limit = shooter_limit
        self.memory = memory
        self._house, self._bettor = house, bettor
        self._tracked_fields: frozenset[str] = frozenset()
        self._play_outs: dict[Dice, PlayOutExplorer] = {}
        self._begin()

    def _begin(self) -> None:
        self._seat = MachineSeat(
            self._house, self._bettor, self._tracked_fields, self.shooter_limit
        )
        self._numbers: dict[State, int] = {OPENING: 0}
        self._states: list[State] = [OPENING]
        #: For each set of bets at the moment of a roll: a state that leads to it, the cost of the
        #: turn there, and whether every bet that a roll decides comes down.
        self._rows_by_layout: dict[State, tuple[int, int, bool]] = {}
        #: The strategy's turn in each explored state. Equal moves are stored once.
        self._turns: list[Turn | None] = [None]
        self._move_pool: dict[tuple[BettorMove, ...], tuple[BettorMove, ...]] = {}
        self._rechecked = 0
        self._bytes_used = 0
        #: Whether states were explored in the order of their numbers, as ``close`` does.
        self.in_order = True
        #: The saved machine whose arrays are in use, or None. Its table states are not known.
        self._loaded: SavedMachine | None = None
        self.next: Int32Array = np.full((64, 36), UNEXPLORED, np.int32)
        self.money: Int32Array = np.zeros((64, 36), np.int32)
        self.need: IntArray = np.zeros(64, np.int64)
        self.explored = 0

    @property
    def states(self) -> int:
        """The number of known states, explored or not."""
        return len(self._states) if self._loaded is None else self._loaded.states

    @property
    def closed(self) -> bool:
        """Whether every reachable state is explored."""
        return self.explored == self.states

    @property
    def is_small(self) -> bool:
        """Whether all states are explored, and there are at most MAX_STATES_BEFORE_PLAY.

        A small machine is simulated as a chain, in which equivalent states are merged.
        """
        return self.closed and self.states <= MAX_STATES_BEFORE_PLAY

    @property
    def _arrays(self) -> tuple[Int32Array, Int32Array, IntArray]:
        """Return (next, money, need), cut to the known states."""
        return self.next[: self.states], self.money[: self.states], self.need[: self.states]

    def load(self, saved: SavedMachine) -> None:
        """Use the arrays of ``saved``, this machine saved earlier, instead of exploring.

        ``saved`` must have been explored by ``close``, so that its states have the same numbers. A
        method that needs the table behind a state explores this machine after all.
        """
        self._loaded, self.explored = saved, saved.states
        self.next, self.money, self.need = saved.next, saved.money, saved.need

    def _restore_states(self) -> None:
        """Explore this machine if its arrays were loaded: these hold no puck and bets of a state.

        Methods that look up what a state number stands for call this first.
        """
        if self._loaded is not None:
            size = self._loaded.states
            self._begin()
            self.close(size)

    def state(self, number: int) -> State:
        """Return the puck, the bets and so on that a state number stands for."""
        self._restore_states()
        return self._states[number]

    def find_hand_ends(self) -> NDArray[np.bool_]:
        """Return, for each state and each of the 36 outcomes, whether it ends the shooter's hand.

        Raise ValueError if a machine throws the dice.
        """
        house, layout = self._house, self._seat.layout
        if house.game in house.book.dice.automated.value:
            raise ValueError(say_lab("no-shooter", game=house.game))
        self._restore_states()
        by_puck: dict[int, list[bool]] = {}
        for puck in {state.puck for state in self._states}:
            table = add_shooter_bet(build_table(layout, State(puck)))
            by_puck[puck] = [must_pass_dice(table, sum(faces)) for faces in OUTCOMES]
        return np.array([by_puck[state.puck] for state in self._states], bool)

    def walk_hand(self, dice: Dice = FAIR) -> tuple[tuple[HandThrow, ...], ...]:
        """Return, for each state of a shooter's hand at this house, the rolls possible there."""
        return walk_hand(self._seat.layout, dice)

    def close(self, limit: int = MAX_CLOSED_STATES, watch: WatchStates | None = None) -> bool:
        """Explore until complete, or more than ``limit`` states are known. Return whether complete.

        ``watch`` is called with the number of states from time to time. At the end, ask the
        strategy for some turns again, in another order. Raise StrategyError if the strategy fails
        or a turn differs, and MachineFull if the memory is full.
        """
        number = self.explored if self._loaded is not None else 0
        try:
            while number < self.states and self.states <= limit:
                if self.next[number, 0] == UNEXPLORED and not self.expand(number):
                    number = -1  # Exploration started over.
                number += 1
                if watch is not None and number % 256 == 0:
                    watch(self.states)
        except MachineFull:  # The caller may still play what has been explored.
            self._recheck_turns()
            raise
        self._recheck_turns()
        return self.closed

    def _recheck_turns(self) -> None:
        """Ask the strategy for some turns again. Raise StrategyError if one differs.

        A strategy that answers equal views in two ways is random, and no machine can play it.
        """
        if self.explored == self._rechecked or self._loaded is not None:
            return
        known = [number for number, turn in enumerate(self._turns) if turn is not None]
        for number in random.Random(0).choices(known, k=RECHECKED_TURNS):
            before = self._turns[number]
            assert before is not None
            try:
                self._seat.recheck_turn(self._states[number], before)
            except StrategyError as error:
                raise StrategyError(error.why, self.about.strategy) from None
        self._rechecked = self.explored

    def expand(self, number: int) -> bool:
        """Explore the state with this number. Return False if exploration started over.

        Exploration starts over when the strategy first reads a part of the view, such as the last
        roll, that the states did not record. Raise StrategyError if the strategy fails, and
        MachineFull if there are too many states.
        """
        try:
            after_turn = self._seat.play_turn(self._states[number])
        except StrategyError as error:
            raise StrategyError(error.why, self.about.strategy) from None
        if self._starts_over():
            return False
        layout = self._seat.find_layout_state(after_turn)
        known = self._rows_by_layout.get(layout)
        if known is None:
            rolled = self._seat.roll_all_outcomes(after_turn)
            money = self._check_row(rolled.money)
            next_ = [self._number(state, after_turn.turn.weight) for state in rolled.next]
            self.money[number], self.next[number] = money, next_
            self._rows_by_layout[layout] = (number, after_turn.cost, rolled.all_decided_down)
        else:
            other, cost, _ = known
            more = cost - after_turn.cost
            self.money[number] = self._check_row([m + more for m in self.money[other].tolist()])
            self.next[number] = self.next[other]
        self.need[number] = after_turn.need
        self.in_order = self.in_order and number == self.explored
        moves = after_turn.turn.moves
        pooled = self._move_pool.setdefault(moves, moves)
        self._turns[number] = after_turn.turn._replace(moves=pooled)
        self.explored += 1
        return True

    def _starts_over(self) -> bool:
        """Forget all states if the strategy has read a part of the view that they do not record.

        Return whether it did.
        """
        if self._seat.fields_read <= self._tracked_fields:
            return False
        self._tracked_fields = frozenset(self._tracked_fields | self._seat.fields_read)
        self._begin()
        return True

    def _number(self, state: State, weight: int) -> int:
        number = self._numbers.get(state)
        if number is None:
            number = len(self._states)
            self._bytes_used += BYTES_PER_STATE + weight
            if self._bytes_used > self.memory * 2**20:
                raise MachineFull(self._describe_full(state))
            self._numbers[state] = number
            self._states.append(state)
            self._turns.append(None)
            if number >= len(self.next):
                self._grow()
        return number

    def _check_row(self, money: Sequence[int]) -> Sequence[int]:
        """Return one state's changes of money in cents, unchanged.

        Raise StrategyError if one does not fit in 32 bits.
        """
        if max(map(abs, money)) > _MAX_CENTS_PER_ROLL:
            why = f"a roll wins or loses more than {show_dollars(_MAX_CENTS_PER_ROLL)}: bet less"
            raise StrategyError(why, self.about.strategy)
        return money

    def _describe_full(self, state: State) -> str:
        memory = f" (its last memory was {state.memory!r:.80})" if state.memory is not None else ""
        return (
            f"{self.about.strategy}: more than {self.states:,} states, which is all that "
            f"{self.memory:,} MB hold: either it never stops reaching new states{memory}, "
            "or it needs more memory (memory=, or --memory)"
        )

    def _grow(self) -> None:
        more = len(self.next)
        self.next = np.concatenate([self.next, np.full((more, 36), UNEXPLORED, np.int32)])
        self.money = np.concatenate([self.money, np.zeros((more, 36), np.int32)])
        self.need = np.concatenate([self.need, np.zeros(more, np.int64)])

    def save(self, path: str | Path) -> None:
        """Write the machine to a file for ``load_machine``, completely or not at all.

        Raise MachineFileError if the file cannot be written, or if states are unexplored: the file
        has no strategy with which to explore them.
        """
        if not self.closed:
            counts = {"explored": self.explored, "states": self.states}
            raise MachineFileError(
                say_lab("save-unexplored", strategy=self.about.strategy, **counts)
            )
        self.to_saved().save(path)

    def to_saved(self) -> SavedMachine:
        """Return a completely explored machine in the form that is saved, without its strategy."""
        if self._loaded is not None:
            return self._loaded
        every = range(self.states)
        least = np.array(self.least(every), np.int64)
        return SavedMachine(*self._arrays, self.about, self.play_out(every), least)

    def chain(self, apart: Sequence[int] = (), dice: Dice = FAIR) -> Chain:
        """Return the completely explored machine's chain, with equivalent states merged.

        States with different numbers in ``apart`` (one number for each state) are not merged. Raise
        ValueError if states are unexplored.
        """
        if not self.closed:
            raise ValueError(say_lab("chain-unexplored"))
        return lump_states(*self._arrays, apart, dice)

    def settled(self, number: int) -> list[tuple[Settlement, ...]]:
        """Return, for each of the 36 outcomes of a roll, how it settles the player's bets.

        The bets are those up in state ``number`` after the strategy's turn. A push counts as a
        decision; a bet that travels to a number or is returned is left out.
        """
        self._restore_states()
        return self._seat.settled(self._states[number])

    def decided(self, number: int) -> list[int]:
        """Return the total stake (cents) of the bets that each of the 36 outcomes decides.

        ``number`` is the state before the roll. Pushes count.
        """
        return [sum(done.stake for done in own) for own in self.settled(number)]

    def least(self, states: Sequence[int]) -> list[int]:
        """Return, for each state, the least worth with which some bet can be made.

        A worth is rail plus bets, in cents.

        For a state with bets up, the amount is 0.
        """
        loaded = None if self._loaded is None else self._loaded.least(states)
        if loaded is not None:
            return loaded
        self._restore_states()
        affordable = AffordableBets(self._seat)
        return [affordable.least(self._states[number]) for number in states]

    def reduce_bets(self, bankroll: int, most: int = MAX_REDUCED_STATES) -> ReducedBetMachine:
        """Return the machine with added states for players who are short of chips and bet less.

        Players start with ``bankroll`` cents, and the machine must be completely explored. Raise
        MachineFull if there are more than ``most`` states.
        """
        self._restore_states()
        while True:
            explorer = ReducedBetExplorer(self._seat, self._states, *self._arrays, most)
            machine = explorer.explore(bankroll)
            if not self._starts_over():
                return machine
            self.close()

    def sample_reduced_bets(self, play: Callable[[ReducedBetExplorer], _Result]) -> _Result:
        """Call ``play`` with an explorer that adds states with reduced bets, and return its result.

        If the strategy then reads a part of the view that the states do not record, explore the
        machine again, and call ``play`` again from the beginning.
        """
        while True:
            self._restore_states()
            arguments = self._seat, self._states, *self._arrays
            found = play(ReducedBetExplorer(*arguments, MAX_STATES_WHILE_PLAYING))
            if not self._starts_over():
                return found
            self.close()

    def play_out(self, states: Sequence[int], dice: Dice = FAIR) -> PlayOutWays:
        """Return how the open bets of these states are decided, with no further bets.

        ``states`` are state numbers.
        """
        if self._loaded is not None and dice.fair:
            return self._loaded.play_out(states)
        self._restore_states()
        return self.play_out_states([self._states[number] for number in states], dice)

    def play_out_states(self, states: Sequence[State], dice: Dice = FAIR) -> PlayOutWays:
        """Return how the open bets of any table states are decided, with no further bets.

        The machine need not have these states.
        """
        if dice not in self._play_outs:
            seat = MachineSeat(self._house, self._bettor, frozenset())
            self._play_outs[dice] = PlayOutExplorer(seat, self._find_known_rolls, dice)
        explorer = self._play_outs[dice]
        places = tuple([explorer.find_place(state) for state in states])
        return PlayOutWays(places, tuple(explorer.ways), dice.whole)

    def _find_known_rolls(self, layout: State) -> list[tuple[State, int]] | None:
        """Return (next state, change of worth) for each outcome, if the machine knows them.

        ``layout`` is the table at the roll, after the strategy's turn. Return None if it is not
        explored, or if a roll decides a bet and leaves it up.
        """
        number, cost, all_decided_down = self._rows_by_layout.get(layout, (UNEXPLORED, 0, False))
        if not all_decided_down:
            return None
        ways = zip(self.next[number].tolist(), self.money[number].tolist(), strict=True)
        return [(self._states[to], money + cost) for to, money in ways]

    def play_out_rows(self) -> PlayOutRows:
        """Return, as arrays by dice outcome, how the open bets of all states are decided.

        Unlike ``play_out``, the result is valid for any dice.
        """
        self._restore_states()
        places = self.play_out(range(self.states)).places
        rows = np.array(self._play_outs[FAIR].rows, np.int64)
        return PlayOutRows(np.array(places, np.int64), rows[:, :, 0], rows[:, :, 1])
