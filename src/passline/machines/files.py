"""Saved machines: a closed machine as a file, and back.

A file holds numpy arrays (``.npz``, nothing pickled): ``next``, ``money``, ``need``, ``about`` as
the bytes of a JSON object, and the number of this format; since format 2 also ``places``, where
each state's play-out begins, and ``ways``, a row (place, next, money, weight) for each way on;
since format 3 also ``least``, the least worth with which any wager can be made there.
"""

from __future__ import annotations

import io
import warnings
import zipfile
import zlib
from collections.abc import Sequence
from pathlib import Path
from typing import IO, Any, NoReturn

import msgspec
import numpy as np
from numpy.typing import NDArray

from passline.dice import FAIR, OUTCOMES, Dice
from passline.durable import replace_file
from passline.files import UnreadableError, open_file
from passline.machines.chain import WHOLE, Arc, Chain
from passline.machines.errors import MachineFileError
from passline.machines.lumping import lump
from passline.machines.origin import About
from passline.machines.play_out import PlayOutWays
from passline.version import VERSION

FORMAT = 3
#: Bytes of one array that is still read: ten million states.
LARGEST = 2**31
_ARRAYS = {"next": np.int32, "money": np.int32, "need": np.int64}
_PLAY_OUT = {"places": np.int32, "ways": np.int64}
_LEAST = {"least": np.int64}
_PLAIN = ("format", "about", *_ARRAYS)
#: The parts of a file, by the number of its format.
_PARTS = {1: _PLAIN, 2: (*_PLAIN, *_PLAY_OUT), 3: (*_PLAIN, *_PLAY_OUT, *_LEAST)}


class SavedMachine:
    """A closed machine from a file: what a Machine shows of itself, without its table."""

    closed = True

    def __init__(
        self,
        next_: NDArray[np.int32],
        money: NDArray[np.int32],
        need: NDArray[np.int64],
        about: About,
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
        return lump(self.next, self.money, self.need, apart, dice)

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
    about: About,
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
    made = 1 if play_out is None else 2 if least is None else FORMAT
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
            machine = _read(file, str(path))
    except UnreadableError as wrong:
        raise MachineFileError(str(wrong)) from None
    made, here = machine.about.version, VERSION
    if made != here:
        warnings.warn(f"{path} was made by passline {made}, and this is {here}", stacklevel=2)
    return machine


def _read(file: IO[bytes], name: str) -> SavedMachine:
    try:
        with zipfile.ZipFile(file) as packed:
            sizes = {item.filename: item.file_size for item in packed.infolist()}
        names = next((n for n in _PARTS.values() if {f"{p}.npy" for p in n} == set(sizes)), ())
        if not names:
            _bad(name, "it is no saved machine")
        if max(sizes.values()) > LARGEST:
            _bad(name, "it is too large")
        file.seek(0)
        with np.load(file, allow_pickle=False) as found:
            parts = {part: found[part] for part in names}
    except MachineFileError:
        raise
    except (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, KeyError):
        _bad(name, "it is no saved machine, or not a whole one")
    except (ValueError, TypeError, MemoryError, RuntimeError, SyntaxError):
        _bad(name, "its arrays cannot be read")
    return _checked(parts, name)


def _bad(name: str, why: str) -> NoReturn:
    raise MachineFileError(f"{name} cannot be used: {why}")


def _checked(parts: dict[str, NDArray[np.generic]], name: str) -> SavedMachine:
    kind = parts["format"]
    if kind.shape != () or kind.dtype.kind != "i":
        _bad(name, "it is no saved machine")
    if int(kind) not in _PARTS or set(_PARTS[int(kind)]) != set(parts):
        _bad(name, f"it has format {int(kind)}, and this passline reads formats 1 to {FORMAT}")
    try:
        about = msgspec.json.decode(parts["about"].tobytes(), type=About)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
        _bad(name, "it does not say what made it")
    if not str(about).isprintable():  # it is shown to people
        _bad(name, "what it says of what made it is not plain text")
    expected = {**_ARRAYS, **_PLAY_OUT, **_LEAST}
    for part in parts.keys() & expected.keys():
        if parts[part].dtype != expected[part]:
            _bad(name, f"{part} is not made of {np.dtype(expected[part]).name}")
    next_, money, need = (np.ascontiguousarray(parts[part]) for part in _ARRAYS)
    size = len(need) if need.ndim == 1 else 0
    if not size or next_.shape != (size, len(OUTCOMES)) or money.shape != next_.shape:
        _bad(name, "its arrays do not fit together")
    if next_.min() < 0 or next_.max() >= size:
        _bad(name, "a state leads to one that is not there")
    if need.min() < 0:
        _bad(name, "a state needs less than nothing")
    least: NDArray[np.int64] | None = None
    if "least" in parts:
        least = np.ascontiguousarray(parts["least"], np.int64)
    if least is not None and (least.shape != (size,) or int(least.min()) < 0):
        _bad(name, "its least wagers do not fit")
    return SavedMachine(next_, money, need, about, _ways(parts, size, name), least)


def _ways(parts: dict[str, NDArray[np.generic]], size: int, name: str) -> PlayOutWays | None:
    """The play-outs, whose chances are whole and whose places are there."""
    if "ways" not in parts:
        return None
    places, rows = parts["places"].tolist(), parts["ways"]
    if parts["places"].shape != (size,) or rows.ndim != 2 or rows.shape[1] != 4 or not len(rows):
        _bad(name, "its play-outs do not fit together")
    count = int(rows[:, 0].max()) + 1
    found: list[list[Arc]] = [[] for _ in range(min(count, len(rows)))]
    for place, to, money, weight in rows.tolist():
        if not (0 <= place < len(found) and 0 <= to < len(found) and 0 < weight <= WHOLE):
            _bad(name, "a play-out leads to what is not there")
        found[place].append(Arc(to, money, weight))
    if any(sum(arc.weight for arc in arcs) != WHOLE for arcs in found):
        _bad(name, "a play-out has more or less than all chances")
    if not all(0 <= place < len(found) for place in places):
        _bad(name, "a play-out leads to what is not there")
    return PlayOutWays(tuple(places), tuple(map(tuple, found)))
