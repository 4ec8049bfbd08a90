"""Answers kept in files: one learner, one file, one JSON line an answer, synced as it is written.

Whoever appends holds a lock on the file, so that the prompt and a server do not write into each
other's lines. A line that a crash tore is left where it is, and the next begins a new one.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from hashlib import sha256
from pathlib import Path

import msgspec

from passline.durable import settle_folder
from passline.school.reviews import Answered, Answers, LearnerError, check_learner, learner_key

_ENDING = ".jsonl"
_HASHED = 16
#: Where the name is looked for. No log is read beyond the second: a lifetime's answers.
_FIRST = 65_536
_MOST_BYTES = 256_000_000


class _Header(msgspec.Struct, frozen=True):
    """The first line of a file: whose it is."""

    learner: str
    version: int = 1


class FileReviews:
    """Answers in the files of a folder, which is made when something is to be kept."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def path_of(self, learner: str) -> Path:
        """The file of a learner: what can be read of the name, and what tells it from others."""
        key = learner_key(learner)
        name = re.sub(r"[^a-z0-9]+", "-", key).strip("-")[:24]
        return self.folder / f"{name}-{sha256(key.encode()).hexdigest()[:_HASHED]}{_ENDING}"

    def append(self, learner: str, answered: Answered) -> None:
        """Keep an answer: it is on the disk when this returns."""
        line = msgspec.json.encode(answered)
        with _told(self.path_of(learner)) as path:
            self.folder.mkdir(parents=True, exist_ok=True)
            with _locked(path) as handle:
                head, size = b"", os.fstat(handle).st_size
                if not size or os.pread(handle, 1, size - 1) != b"\n":
                    # A line that a crash tore stays as it is; it may have been the header.
                    head = msgspec.json.encode(_Header(check_learner(learner))) + b"\n"
                    head = b"\n" + head if size else head
                _write(handle, head + line + b"\n")
                os.fsync(handle)
            if head:
                settle_folder(self.folder)

    def read(self, learner: str) -> Answers:
        """All that a learner answered; nothing of one who is not known."""
        with _told(self.path_of(learner)) as path:
            try:
                with path.open("rb") as file:
                    _wait_for(file.fileno(), alone=False)
                    data = file.read(_MOST_BYTES)
            except FileNotFoundError:
                return Answers(check_learner(learner))
        return _answers(check_learner(learner), data)

    def learners(self) -> tuple[str, ...]:
        """The names of everybody of whom something is kept, in order."""
        return tuple(self.heads())

    def heads(self) -> dict[str, str]:
        """The same names, each with something that changes whenever its answers do."""
        found = {}
        for path in self.folder.glob(f"*{_ENDING}"):
            with suppress(OSError), path.open("rb") as file:
                of, lines = os.fstat(file.fileno()), file.read(_FIRST).split(b"\n")
                named = next((header for line in lines if (header := _header(line))), None)
                if named is not None:
                    found[named.learner] = f"{of.st_ino} {of.st_size} {of.st_mtime_ns}"
        return dict(sorted(found.items()))

    def delete(self, learner: str) -> bool:
        """Forget a learner; whether there was anything to forget."""
        with _told(self.path_of(learner)) as path:
            if not path.exists():
                return False
            with _locked(path):
                path.unlink(missing_ok=True)
            settle_folder(self.folder)
        return True

    def close(self) -> None:
        """Nothing is held open between two answers."""


def _answers(learner: str, data: bytes) -> Answers:
    """The answers of a file; lines that are none are counted, and an answer counts once."""
    found: dict[str, Answered] = {}
    torn = 0
    for number, line in enumerate(data.split(b"\n")):
        if not line:
            continue
        try:
            answered = msgspec.json.decode(line, type=Answered)
        except (msgspec.MsgspecError, UnicodeDecodeError):
            torn += _header(line) is None
            continue
        found.setdefault(answered.id or str(number), answered)
    return Answers(learner, tuple(found.values()), torn)


def _header(line: bytes) -> _Header | None:
    try:
        return msgspec.json.decode(line, type=_Header)
    except (msgspec.MsgspecError, UnicodeDecodeError):
        return None


def _write(handle: int, data: bytes) -> None:
    while data:
        data = data[os.write(handle, data) :]


@contextmanager
def _told(path: Path) -> Iterator[Path]:
    """What goes wrong with a file, as one line."""
    try:
        yield path
    except OSError as wrong:
        raise LearnerError(f"{path} cannot be used: {wrong.strerror or wrong}") from None


@contextmanager
def _locked(path: Path) -> Iterator[int]:
    """The file, open to append to and to nobody else; waits for whoever has it.

    One that was deleted while we waited is none: we try again.
    """
    while True:
        handle = os.open(path, os.O_RDWR | os.O_APPEND | os.O_CREAT, 0o600)
        try:
            _wait_for(handle, alone=True)
            try:
                same = os.path.samestat(os.fstat(handle), path.stat())
            except FileNotFoundError:
                same = False
            if same:
                yield handle
                return
        finally:
            os.close(handle)


def _wait_for(handle: int, *, alone: bool) -> None:
    """A lock on a file, ours alone or with others who read; let go of when it is closed."""
    with suppress(ImportError):  # not every system has it, and there one program writes
        import fcntl

        fcntl.flock(handle, fcntl.LOCK_EX if alone else fcntl.LOCK_SH)
