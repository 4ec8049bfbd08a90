"""Proctored auditions: the attempts that a server keeps, and their reports.

The server draws the seed, keeps the time and stores every part of an attempt once: its start, each
answer with the time at which it arrived, and its end with the report. Nothing is graded before the
end. `AttemptStore` stores the parts; the rest of the module is pure.
"""

from __future__ import annotations

import re
from contextlib import suppress
from datetime import datetime, timedelta, timezone
from hashlib import sha256
from pathlib import Path
from typing import Any, Final, Protocol

import msgspec

from passline.files import create_file, make_private_folder, replace_file
from passline.game.layout.spots import Layout
from passline.school.answer_log import (
    AnswerRecord,
    LearnerError,
    make_answer_record,
    make_learner_key,
)
from passline.school.audition import (
    AUDITION_LEVEL,
    Audition,
    AuditionEnd,
    AuditionReport,
    TimedAnswer,
    grade_audition,
    make_report,
)
from passline.school.question_types import Grade

_AUDITION_ID: Final = re.compile(r"[0-9a-f]{32}", re.ASCII)
_START, _END, _ANSWER, _SHIFT = "start", "end", "answer-", "shift"
#: The first part of a shift, which the same store keeps, and the name under which visitors' are.
SHIFT_START, VISITOR = "shift-start", "visitor"


class AttemptStart(msgspec.Struct, frozen=True, kw_only=True):
    """The first part of an attempt: who takes it, in which house, and when it began.

    ``house`` is a house file as text; "" means the rulebook's standard house. ``seed`` stays on the
    server until the attempt is over. ``attempt`` counts the learner's attempts from 1. A
    certificate makes the attempt's id public; from then on, the report opens with the key whose
    hash is ``key_hash``. ``zone`` is the learner's time zone, in minutes east of UTC.
    """

    audition: str
    learner: str
    rulebook: str
    house: str
    seed: str
    minutes: float
    at: datetime
    attempt: int = 1
    key_hash: str = ""
    zone: int = 0

    @property
    def deadline(self) -> datetime:
        """Return when the time is up."""
        return self.at + timedelta(minutes=self.minutes)


class _StartedBy(msgspec.Struct, frozen=True):
    """Who started an audition or shift, read from its start; "" for a visitor."""

    learner: str = ""


class AttemptAnswer(msgspec.Struct, frozen=True):
    """An answer to question ``n``, and when the server received it."""

    n: int
    answer: Any
    at: datetime


class AttemptEnd(msgspec.Struct, frozen=True):
    """The last part of an attempt: the report, and the certificate if it was passed."""

    report: dict[str, Any]
    certificate: dict[str, Any] | None = None


class Attempt(msgspec.Struct, frozen=True):
    """An audition that somebody takes or has taken: its start, the answers so far, and its end.

    ``shift`` is the id of its shift, "" if it has not begun.
    """

    start: AttemptStart
    answers: tuple[AttemptAnswer, ...] = ()
    end: AttemptEnd | None = None
    shift: str = ""

    def list_timed_answers(self) -> list[TimedAnswer]:
        """Return the answers in the order of the questions, with the server's own times.

        An answer's seconds count from the answer that arrived before it, or from the start. A
        question without an answer has none; questions after the last answer are left out.
        """
        found: dict[int, TimedAnswer] = {}
        before = self.start.at
        for each in sorted(self.answers, key=lambda answer: answer.at):
            seconds = max(0.0, (each.at - before).total_seconds())
            found[each.n], before = TimedAnswer(each.answer, seconds), max(before, each.at)
        return [found.get(n, TimedAnswer()) for n in range(1, max(found, default=0) + 1)]


def grade_attempt(
    attempt: Attempt,
    layout: Layout,
    audition: Audition,
    at: datetime,
    ended: AuditionEnd,
    shift: dict[str, Any] | None = None,
) -> tuple[AuditionReport, list[AnswerRecord]]:
    """Return (report, records of the answers given) of an attempt that ended at ``at``.

    The records go into the learner's answer log, from which practice chooses what to repeat.

    ``shift`` is the report of its shift.
    """
    # The server accepts no answer after the deadline, so no answer is late.
    scored = grade_audition(layout, audition, attempt.list_timed_answers(), 0)
    start = attempt.start
    report = make_report(
        audition,
        scored,
        name=start.learner,
        at=at,
        minutes=start.minutes,
        ended=ended,
        attempt=(start.audition, start.attempt),
        shift=shift,
    )
    records = []
    for question, one in zip(audition.questions, scored, strict=True):
        if one.answer is not None:
            grade = Grade(one.right, one.because, one.missed)
            mine = at.astimezone(timezone(timedelta(minutes=start.zone)))
            record = make_answer_record(
                question, grade, at=mine, seconds=one.seconds, level=AUDITION_LEVEL
            )
            own_id = f"audition {start.audition} {question.n}"
            records.append(msgspec.structs.replace(record, id=own_id))
    return report, records


class AttemptStore(Protocol):
    """A store of the parts of attempts and shifts, each under an id (``audition``).

    ``learner`` is whose attempt or shift it is. Every method may raise LearnerError.
    """

    def create(self, audition: str, part: str, learner: str, data: bytes) -> bool:
        """Store a part of an attempt. Return False if it is stored already."""

    def replace(self, audition: str, part: str, learner: str, data: bytes) -> None:
        """Store a part under the name ``part``, replacing an earlier one."""

    def read(self, audition: str) -> dict[str, bytes]:
        """Return {name: part} of an attempt; empty if there is no such attempt."""

    def read_part(self, audition: str, part: str) -> bytes | None:
        """Return one part of an attempt, or None if it is not stored."""

    def list_auditions(self, learner: str) -> tuple[str, ...]:
        """Return the ids of a learner's attempts, in any order."""


def is_attempt_over(store: AttemptStore, audition: str) -> bool:
    """Return whether an attempt has ended, so that its answers may be shown."""
    return store.read_part(audition, _END) is not None


def is_audition_id(text: str) -> bool:
    """Return whether a text has the form of an attempt's id."""
    return _AUDITION_ID.fullmatch(text) is not None


def save_start(store: AttemptStore, start: AttemptStart) -> None:
    """Store the start of an attempt."""
    store.create(start.audition, _START, start.learner, msgspec.json.encode(start))


def save_attempt_answer(store: AttemptStore, start: AttemptStart, answer: AttemptAnswer) -> bool:
    """Store an answer. Return False if the question already has a different one."""
    name, data = f"{_ANSWER}{answer.n}", msgspec.json.encode(answer)
    if store.create(start.audition, name, start.learner, data):
        return True
    stored = msgspec.json.decode(store.read(start.audition)[name], type=AttemptAnswer)
    sent = msgspec.json.decode(data, type=AttemptAnswer)
    return bool(stored.answer == sent.answer)  # A repeated request succeeds.


def save_shift(store: AttemptStore, start: AttemptStart, shift: str) -> bool:
    """Store the id of an attempt's shift. Return False if it already has a different one."""
    return store.create(start.audition, _SHIFT, start.learner, shift.encode())


def save_end(store: AttemptStore, start: AttemptStart, end: AttemptEnd) -> bool:
    """Store the end of an attempt. Return False if it has ended already."""
    return store.create(start.audition, _END, start.learner, msgspec.json.encode(end))


def read_attempt(store: AttemptStore, audition: str) -> Attempt | None:
    """Return an attempt, or None if there is no such attempt.

    Answers that arrived after the deadline are left out.
    """
    parts = store.read(audition) if is_audition_id(audition) else {}
    if _START not in parts:
        return None
    start = msgspec.json.decode(parts[_START], type=AttemptStart)
    answers = [
        msgspec.json.decode(data, type=AttemptAnswer)
        for name, data in parts.items()
        if name.startswith(_ANSWER)
    ]
    # An answer can be stored while another server ends the attempt: the deadline decides.
    counted = tuple(answer for answer in answers if answer.at <= start.deadline)
    end = msgspec.json.decode(parts[_END], type=AttemptEnd) if _END in parts else None
    return Attempt(start=start, answers=counted, end=end, shift=parts.get(_SHIFT, b"").decode())


class FileAttemptStore:
    """Stores attempts in a folder: a folder for each attempt, a file for each part."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder / "auditions"

    def create(self, audition: str, part: str, learner: str, data: bytes) -> bool:
        """Store a part of an attempt. Return False if it is stored already."""
        try:
            own, index = self._folder / audition, self._index(learner)
            for folder in (own, index):
                make_private_folder(folder)
            if part == _START:
                create_file(index / audition, b"", 0o600)
            return create_file(own / f"{part}.json", data, 0o600)
        except OSError as error:
            raise LearnerError("learner.auditions", error=error.strerror or error) from None

    def replace(self, audition: str, part: str, learner: str, data: bytes) -> None:
        """Store a part, replacing any part of that name."""
        if not self.create(audition, part, learner, data):
            try:
                replace_file(self._folder / audition / f"{part}.json", data)
            except OSError as error:
                raise LearnerError("learner.auditions", error=error.strerror or error) from None

    def read(self, audition: str) -> dict[str, bytes]:
        """Return {name: part} of an attempt; empty if there is no such attempt."""
        try:
            paths = sorted((self._folder / audition).glob("*.json"))
            return {path.stem: path.read_bytes() for path in paths}
        except OSError as error:
            raise LearnerError("learner.auditions", error=error.strerror or error) from None

    def read_part(self, audition: str, part: str) -> bytes | None:
        """Return one part of an attempt, or None if it is not stored."""
        try:
            return (self._folder / audition / f"{part}.json").read_bytes()
        except FileNotFoundError:
            return None
        except OSError as error:
            raise LearnerError("learner.auditions", error=error.strerror or error) from None

    def list_auditions(self, learner: str) -> tuple[str, ...]:
        """Return the ids of a learner's attempts, in any order."""
        with suppress(FileNotFoundError):
            return tuple(path.name for path in self._index(learner).iterdir())
        return ()

    def list_all(self) -> list[tuple[str, str]]:
        """Return (id, learner's name) of every undamaged attempt and shift, for a backup."""
        found = []
        for name in (_START, SHIFT_START):
            for path in sorted(self._folder.glob(f"*/{name}.json")):
                with suppress(OSError, ValueError, msgspec.MsgspecError):
                    start = msgspec.json.decode(path.read_bytes(), type=_StartedBy)
                    found.append((path.parent.name, start.learner or VISITOR))
        return found

    def _index(self, learner: str) -> Path:
        digest = sha256(make_learner_key(learner).encode()).hexdigest()
        return self._folder / f"learner-{digest[:32]}"
