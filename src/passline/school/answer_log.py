"""What a learner answered, kept: one line an answer, in order, never changed.

What is due and what is known is the fold of these lines (``repetition``); the log is all that is
kept. Any store will do that appends, reads and deletes: ``Reviews``.

Answers kept in files: one learner, one file, one JSON line an answer, synced as it is written.

Whoever appends holds a lock on the file, so that the prompt and a server do not write into each
other's lines. A line that a crash tore is left where it is, and the next begins a new one.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from datetime import UTC, datetime
from hashlib import sha256
from pathlib import Path
from typing import Protocol

import msgspec

from passline.files import lock_file, sync_folder
from passline.school.questions import Grade, Question
from passline.text import fold_look_alikes, has_one_alphabet

MAX_NAME_LENGTH = 40


class LearnerError(ValueError):
    """A name that no learner has, or a log that cannot be used; one line says why."""


class AnswerRecord(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One answer: when, to which question, whether right, how fast, and the clauses.

    ``clauses`` are those of the question, ``missed`` those that a wrong answer missed. ``seed``,
    ``level`` and ``n`` pose the question again; an empty seed: it was of a table of its own.
    ``id`` tells one answer from another, so that one that is sent twice is kept once.
    """

    at: datetime
    drill: str
    right: bool
    clauses: tuple[str, ...]
    missed: tuple[str, ...] = ()
    seconds: float | None = None
    rulebook: str = ""
    level: int = 1
    seed: str = ""
    n: int = 0
    id: str = ""


class AnswerLog(msgspec.Struct, frozen=True):
    """A learner's log: the answers in their order, and how many lines of it could not be read."""

    learner: str
    answers: tuple[AnswerRecord, ...] = ()
    torn: int = 0


class AnswerStore(Protocol):
    """Where answers are kept, by learner. LearnerError where they cannot be."""

    def append(self, learner: str, answered: AnswerRecord) -> None:
        """Keep an answer: it is on the disk when this returns."""

    def read(self, learner: str) -> AnswerLog:
        """All that a learner answered; nothing of one who is not known."""

    def learners(self) -> tuple[str, ...]:
        """The names of everybody of whom something is kept, in order."""

    def heads(self) -> dict[str, str]:
        """The same names, each with something that changes whenever its answers do."""

    def delete(self, learner: str) -> bool:
        """Forget a learner; whether there was anything to forget."""

    def close(self) -> None:
        """Let go of whatever is held open."""


def clean_learner_name(name: str) -> str:
    """A learner's name as it is kept: one line that only prints, in one alphabet.

    >>> clean_learner_name(" Ann "), clean_learner_name("Zoë K.")
    ('Ann', 'Zoë K.')
    """
    found = " ".join(name.split())
    if not found:
        raise LearnerError("a learner has a name")
    if len(found) > MAX_NAME_LENGTH:
        raise LearnerError(f"a learner's name has {MAX_NAME_LENGTH} characters at most")
    if not found.isprintable() or not has_one_alphabet(found):
        raise LearnerError("a learner's name is printed in letters of one alphabet")
    return found


def make_learner_key(name: str) -> str:
    """What a learner is known by: names that look alike are one learner's."""
    return fold_look_alikes(clean_learner_name(name))


def make_answer_record(
    question: Question,
    mark: Grade,
    *,
    at: datetime,
    seconds: float | None = None,
    level: int = 1,
    seed: str = "",
) -> AnswerRecord:
    """The line that is kept of an answer. ``at`` has a time zone."""
    at = at.astimezone(UTC)
    rulebook = question.cite[0].partition(":")[0] if question.cite else ""
    return AnswerRecord(
        at=at,
        drill=question.drill,
        right=mark.right,
        clauses=question.cite,
        missed=() if mark.right else mark.missed,
        seconds=None if seconds is None else round(seconds, 1),
        rulebook=rulebook,
        level=level,
        seed=seed,
        n=question.n,
        id=f"{at.isoformat()} {question.drill} {seed} {question.n}",
    )


_FILE_SUFFIX = ".jsonl"
_HASH_LENGTH = 16
#: Where the name is looked for. No log is read beyond the second: a lifetime's answers.
_HEADER_BYTES = 65_536
_MAX_BYTES = 256_000_000


class _Header(msgspec.Struct, frozen=True):
    """The first line of a file: whose it is."""

    learner: str
    version: int = 1


class FileAnswerStore:
    """Answers in the files of a folder, which is made when something is to be kept."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def path_of(self, learner: str) -> Path:
        """The file of a learner: what can be read of the name, and what tells it from others."""
        key = make_learner_key(learner)
        name = re.sub(r"[^a-z0-9]+", "-", key).strip("-")[:24]
        return (
            self.folder / f"{name}-{sha256(key.encode()).hexdigest()[:_HASH_LENGTH]}{_FILE_SUFFIX}"
        )

    def append(self, learner: str, answered: AnswerRecord) -> None:
        """Keep an answer: it is on the disk when this returns."""
        line = msgspec.json.encode(answered)
        with _convert_os_errors(self.path_of(learner)) as path:
            self.folder.mkdir(parents=True, exist_ok=True)
            with _open_locked(path) as handle:
                head, size = b"", os.fstat(handle).st_size
                if not size or _last_byte(handle, size) != b"\n":
                    # A line that a crash tore stays as it is; it may have been the header.
                    head = msgspec.json.encode(_Header(clean_learner_name(learner))) + b"\n"
                    head = b"\n" + head if size else head
                _write_all(handle, head + line + b"\n")
                os.fsync(handle)
            if head:
                sync_folder(self.folder)

    def read(self, learner: str) -> AnswerLog:
        """All that a learner answered; nothing of one who is not known."""
        with _convert_os_errors(self.path_of(learner)) as path:
            try:
                with path.open("rb") as file:
                    lock_file(file.fileno(), shared=True)
                    data = file.read(_MAX_BYTES)
            except FileNotFoundError:
                return AnswerLog(clean_learner_name(learner))
        return _parse_answers(clean_learner_name(learner), data)

    def learners(self) -> tuple[str, ...]:
        """The names of everybody of whom something is kept, in order."""
        return tuple(self.heads())

    def heads(self) -> dict[str, str]:
        """The same names, each with something that changes whenever its answers do."""
        found = {}
        for path in self.folder.glob(f"*{_FILE_SUFFIX}"):
            with suppress(OSError), path.open("rb") as file:
                of, lines = os.fstat(file.fileno()), file.read(_HEADER_BYTES).split(b"\n")
                named = next((header for line in lines if (header := _parse_header(line))), None)
                if named is not None:
                    found[named.learner] = f"{of.st_ino} {of.st_size} {of.st_mtime_ns}"
        return dict(sorted(found.items()))

    def delete(self, learner: str) -> bool:
        """Forget a learner; whether there was anything to forget."""
        with _convert_os_errors(self.path_of(learner)) as path:
            if not path.exists():
                return False
            with _open_locked(path):
                path.unlink(missing_ok=True)
            sync_folder(self.folder)
        return True

    def close(self) -> None:
        """Nothing is held open between two answers."""


def _parse_answers(learner: str, data: bytes) -> AnswerLog:
    """The answers of a file; lines that are none are counted, and an answer counts once."""
    found: dict[str, AnswerRecord] = {}
    torn = 0
    for number, line in enumerate(data.split(b"\n")):
        if not line:
            continue
        try:
            answered = msgspec.json.decode(line, type=AnswerRecord)
        except (msgspec.MsgspecError, UnicodeDecodeError):
            torn += _parse_header(line) is None
            continue
        found.setdefault(answered.id or str(number), answered)
    return AnswerLog(learner, tuple(found.values()), torn)


def _parse_header(line: bytes) -> _Header | None:
    try:
        return msgspec.json.decode(line, type=_Header)
    except (msgspec.MsgspecError, UnicodeDecodeError):
        return None


def _last_byte(handle: int, size: int) -> bytes:
    """Read the last byte of a file of ``size`` bytes, and leave the position at the end."""
    os.lseek(handle, size - 1, os.SEEK_SET)
    return os.read(handle, 1)


def _write_all(handle: int, data: bytes) -> None:
    while data:
        data = data[os.write(handle, data) :]


@contextmanager
def _convert_os_errors(path: Path) -> Iterator[Path]:
    """What goes wrong with a file, as one line."""
    try:
        yield path
    except OSError as wrong:
        raise LearnerError(f"{path} cannot be used: {wrong.strerror or wrong}") from None


@contextmanager
def _open_locked(path: Path) -> Iterator[int]:
    """The file, open to append to and to nobody else; waits for whoever has it.

    One that was deleted while we waited is none: we try again.
    """
    while True:
        handle = os.open(path, os.O_RDWR | os.O_APPEND | os.O_CREAT, 0o600)
        try:
            lock_file(handle)
            try:
                same = os.path.samestat(os.fstat(handle), path.stat())
            except FileNotFoundError:
                same = False
            if same:
                yield handle
                return
        finally:
            os.close(handle)
