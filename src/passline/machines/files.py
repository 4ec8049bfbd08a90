"""Saved machines: a closed machine as a file, and back.

A file holds numpy arrays (``.npz``, nothing pickled): ``next``, ``money``, ``need``, ``about`` as
the bytes of a JSON object, and the number of this format.
"""

from __future__ import annotations

import contextlib
import io
import os
import secrets
import warnings
import zipfile
import zlib
from pathlib import Path
from typing import IO, NoReturn

import msgspec
import numpy as np
from numpy.typing import NDArray

from passline.dice import OUTCOMES
from passline.files import UnreadableError, open_file
from passline.machines.chain import Chain
from passline.machines.errors import MachineFileError
from passline.machines.lumping import lump
from passline.machines.origin import About
from passline.version import VERSION

FORMAT = 1
#: Bytes of one array that is still read: ten million states.
LARGEST = 2**31
_ARRAYS = {"next": np.int32, "money": np.int32, "need": np.int64}
_PARTS = ("format", "about", *_ARRAYS)


class SavedMachine:
    """A closed machine from a file: what a Machine shows of itself, without its table."""

    closed = True

    def __init__(
        self,
        next_: NDArray[np.int32],
        money: NDArray[np.int32],
        need: NDArray[np.int64],
        about: About,
    ) -> None:
        self.next = next_
        self.money = money
        self.need = need
        self.about = about

    @property
    def states(self) -> int:
        """How many states there are."""
        return len(self.next)

    @property
    def explored(self) -> int:
        """How many are explored: all."""
        return self.states

    def chain(self) -> Chain:
        """The machine with states that nothing tells apart made one."""
        return lump(self.next, self.money, self.need)

    def save(self, path: str | Path) -> None:
        """Write it again."""
        write_machine(path, self.next, self.money, self.need, self.about)


def write_machine(
    path: str | Path,
    next_: NDArray[np.int32],
    money: NDArray[np.int32],
    need: NDArray[np.int64],
    about: About,
) -> None:
    """Write a closed machine: the whole file, or nothing and a MachineFileError."""
    told = np.frombuffer(msgspec.json.encode(about), np.uint8)
    packed = io.BytesIO()
    np.savez_compressed(
        packed, format=np.int64(FORMAT), about=told, next=next_, money=money, need=need
    )
    try:
        _replace(Path(path), packed.getvalue())
    except (OSError, ValueError) as wrong:  # ValueError: a path with a zero byte in it
        why = getattr(wrong, "strerror", None) or wrong
        raise MachineFileError(f"{str(path)!r} cannot be written: {why}") from None


def _replace(path: Path, data: bytes) -> None:
    """Put a file in place in one step: a reader sees the old one or the new one.

    A link stays one: what it leads to is replaced. A device or a pipe is left alone.
    """
    path = Path(os.path.realpath(path))
    if path.is_dir():
        raise OSError(0, "it is a folder")
    if path.exists() and not path.is_file():
        raise OSError(0, "it is no plain file")
    part = path.with_name(f".{path.name[:40]}.{secrets.token_hex(4)}")
    try:
        with part.open("xb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        part.replace(path)
    except BaseException:
        with contextlib.suppress(OSError):
            part.unlink()
        raise


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
        if set(sizes) != {f"{part}.npy" for part in _PARTS}:
            _bad(name, "it is no saved machine")
        if max(sizes.values()) > LARGEST:
            _bad(name, "it is too large")
        file.seek(0)
        with np.load(file, allow_pickle=False) as found:
            parts = {part: found[part] for part in _PARTS}
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
    if int(kind) != FORMAT:
        _bad(name, f"it has format {int(kind)}, and this passline reads format {FORMAT}")
    try:
        about = msgspec.json.decode(parts["about"].tobytes(), type=About)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
        _bad(name, "it does not say what made it")
    if not str(about).isprintable():  # it is shown to people
        _bad(name, "what it says of what made it is not plain text")
    wrong = [part for part, dtype in _ARRAYS.items() if parts[part].dtype != dtype]
    if wrong:
        _bad(name, f"{wrong[0]} is not made of {np.dtype(_ARRAYS[wrong[0]]).name}")
    next_, money, need = (np.ascontiguousarray(parts[part]) for part in _ARRAYS)
    size = len(need) if need.ndim == 1 else 0
    if not size or next_.shape != (size, len(OUTCOMES)) or money.shape != next_.shape:
        _bad(name, "its arrays do not fit together")
    if next_.min() < 0 or next_.max() >= size:
        _bad(name, "a state leads to one that is not there")
    if need.min() < 0:
        _bad(name, "a state needs less than nothing")
    return SavedMachine(next_, money, need, about)
