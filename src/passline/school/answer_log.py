"""The log of a learner's answers: the records, the store interface, and the store in files.

The log is append-only; ``repetition`` computes from it what a learner knows. A file has one JSON
line for each answer, synced to disk under a lock, so that the prompt and a server can share it. A
line that a crash cuts short is skipped.
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

from passline.files import lock_file, make_private_folder, sync_folder
from passline.school.question_types import Grade, Question, SchoolError
from passline.text import fold_look_alikes, has_one_alphabet

MAX_NAME_LENGTH = 40


class LearnerError(SchoolError):
    """Raised when a name is not allowed or the log can't be used. The message says why."""


class AnswerRecord(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One answer: when it was given, to which question, whether it is right, how long it took.

    ``at`` is in the learner's time zone (UTC if that is not known): practice counts days there.
    ``clauses`` are the rulebook clauses that the question is about; ``missed`` are those that a
    wrong answer missed. ``seed``, ``level`` and ``n`` make the question again; the seed is empty
    after an audition or at a live table. ``id`` is unique: an answer that is sent twice counts
    once.
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
    """A learner's answers in order. ``torn`` counts the lines that could not be read."""

    learner: str
    answers: tuple[AnswerRecord, ...] = ()
    torn: int = 0


class AnswerStore(Protocol):
    """A store of answers by learner. Every method may raise LearnerError."""

    def append(self, learner: str, answered: AnswerRecord) -> None:
        """Append an answer to the learner's log, and return once it is on disk."""

    def read(self, learner: str) -> AnswerLog:
        """Return a learner's answers, or an empty log if the name is unknown."""

    def list_learners(self) -> tuple[str, ...]:
        """Return the names of all learners with answers, in alphabetical order."""
        return tuple(self.list_versions())

    def list_versions(self) -> dict[str, str]:
        """Return {learner's name: version}. New answers change a learner's version."""

    def delete(self, learner: str) -> bool:
        """Delete all answers of a learner. Return whether there were any."""

    def close(self) -> None:
        """Close the connections that the store has open, if any."""
        return None


def clean_learner_name(name: str) -> str:
    """Return a name with its white space normalized. Raise LearnerError if it is not allowed.

    >>> clean_learner_name(" Ann "), clean_learner_name("Zoë K.")
    ('Ann', 'Zoë K.')
    """
    found = " ".join(name.split())
    if not found:
        raise LearnerError("learner.no-name")
    if len(found) > MAX_NAME_LENGTH:
        raise LearnerError("learner.name-length", most=MAX_NAME_LENGTH)
    if not found.isprintable() or not has_one_alphabet(found):
        raise LearnerError("learner.name-letters")
    return found


def make_learner_key(name: str) -> str:
    """Return the key under which a learner is stored. Names that look alike have the same key."""
    return fold_look_alikes(clean_learner_name(name))


def make_answer_record(
    question: Question,
    grade: Grade,
    *,
    at: datetime,
    seconds: float | None = None,
    level: int = 1,
    seed: str = "",
) -> AnswerRecord:
    """Return the record of an answer. ``at`` is when it was given, in the learner's time zone.

    ``seconds`` is how long it took, None if not timed. ``level`` and ``seed`` are the question's.
    """
    rulebook = question.cite[0].partition(":")[0] if question.cite else ""
    return AnswerRecord(
        at=at,
        drill=question.drill,
        right=grade.right,
        clauses=question.cite,
        missed=() if grade.right else grade.missed,
        seconds=None if seconds is None else round(seconds, 1),
        rulebook=rulebook,
        level=level,
        seed=seed,
        n=question.n,
        id=f"{at.astimezone(UTC).isoformat()} {question.drill} {seed} {question.n}",
    )


_FILE_SUFFIX = ".jsonl"
_HASH_LENGTH = 16
#: How many bytes of a file may hold the learner's name, and the most bytes that are read of a log.
_HEADER_BYTES = 65_536
_MAX_BYTES = 256_000_000


class _Header(msgspec.Struct, frozen=True):
    """The first line of a file: the learner's name."""

    learner: str
    version: int = 1


class FileAnswerStore(AnswerStore):
    """Stores answers in a folder, one file for each learner. The first answer makes the folder."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def find_path(self, learner: str) -> Path:
        """Return the path of a learner's file, which has part of the name and a hash in it."""
        key = make_learner_key(learner)
        name = re.sub(r"[^a-z0-9]+", "-", key).strip("-")[:24]
        digest = sha256(key.encode()).hexdigest()[:_HASH_LENGTH]
        return self.folder / f"{name}-{digest}{_FILE_SUFFIX}"

    def append(self, learner: str, answered: AnswerRecord) -> None:
        """Append an answer to the learner's file, and return once it is on disk."""
        line = msgspec.json.encode(answered)
        with _convert_os_errors(self.find_path(learner)) as path:
            make_private_folder(self.folder)
            with _open_locked(path) as handle:
                head, size = b"", os.fstat(handle).st_size
                if not size or _last_byte(handle, size) != b"\n":
                    # The last line was cut short, perhaps the header, so write it again.
                    head = msgspec.json.encode(_Header(clean_learner_name(learner))) + b"\n"
                    head = b"\n" + head if size else head
                _write_all(handle, head + line + b"\n")
                os.fsync(handle)
            if head:
                sync_folder(self.folder)

    def read(self, learner: str) -> AnswerLog:
        """Return a learner's answers, or an empty log if the name is unknown."""
        with _convert_os_errors(self.find_path(learner)) as path:
            try:
                with path.open("rb") as file:
                    lock_file(file.fileno(), shared=True)
                    data = file.read(_MAX_BYTES)
            except FileNotFoundError:
                return AnswerLog(clean_learner_name(learner))
        return _parse_answers(clean_learner_name(learner), data)

    def list_versions(self) -> dict[str, str]:
        """Return {learner's name: version}. New answers change a learner's version."""
        found = {}
        for path in self.folder.glob(f"*{_FILE_SUFFIX}"):
            with suppress(OSError), path.open("rb") as file:
                of, lines = os.fstat(file.fileno()), file.read(_HEADER_BYTES).split(b"\n")
                named = next((header for line in lines if (header := _parse_header(line))), None)
                if named is not None:
                    found[named.learner] = f"{of.st_ino} {of.st_size} {of.st_mtime_ns}"
        return dict(sorted(found.items()))

    def delete(self, learner: str) -> bool:
        """Delete the file of a learner's answers. Return whether there was one."""
        with _convert_os_errors(self.find_path(learner)) as path:
            if not path.exists():
                return False
            with _open_locked(path):
                path.unlink(missing_ok=True)
            sync_folder(self.folder)
        return True


def _parse_answers(learner: str, data: bytes) -> AnswerLog:
    """Return the log in a file's bytes: each answer id once, and a count of unreadable lines."""
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
    """Return the last byte of a file of ``size`` bytes, and leave the position at the end."""
    os.lseek(handle, size - 1, os.SEEK_SET)
    return os.read(handle, 1)


def _write_all(handle: int, data: bytes) -> None:
    while data:
        data = data[os.write(handle, data) :]


@contextmanager
def _convert_os_errors(path: Path) -> Iterator[Path]:
    """Yield ``path``; raise a LearnerError that names it instead of any OSError in the block."""
    try:
        yield path
    except OSError as error:
        why = error.strerror or error
        raise LearnerError("learner.file", path=path, error=why) from None


@contextmanager
def _open_locked(path: Path) -> Iterator[int]:
    """Open a file for appending, lock it, and yield its descriptor.

    If another process deletes the file before the lock is held, open it again.
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
