"""The school's data as rows, to back it up or move it between a folder and a database.

The rows are those of `live.backup_rows.SCHOOL_COLUMNS`. Calls block.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from hashlib import sha256
from pathlib import Path

import msgspec
from msgspec.structs import replace

from passline.live.backup_rows import (
    SCHOOL_COLUMNS,
    BackupRow,
    read_database_rows,
    write_database_rows,
)
from passline.school.answer_log import AnswerRecord, FileAnswerStore, make_learner_key
from passline.school.audition_attempts import FileAttemptStore
from passline.school.learner_tokens import FileLearnerTokens, SchoolTokenHolder

SCHOOL_FOLDER = "school"


def read_school_rows(place: Path | str) -> Iterator[BackupRow]:
    """Yield the school's rows at a place: a server's folder, or a database URL."""
    if isinstance(place, str):
        yield from read_database_rows(place, SCHOOL_COLUMNS)
        return
    folder = place / SCHOOL_FOLDER
    answers = FileAnswerStore(folder)
    for name in answers.list_learners():
        for number, answered in enumerate(answers.read(name).answers):
            whole = _with_id(answered, name, number)
            row = (make_learner_key(name), whole.id, name, msgspec.json.encode(whole))
            yield ["reviews", *row]
    for stored, holder in FileLearnerTokens(folder).list_holders():
        yield ["learner_keys", make_learner_key(holder.name), stored, holder.name, holder.role]
    attempts = FileAttemptStore(folder)
    for audition, learner in attempts.list_all():
        for part, body in attempts.read(audition).items():
            yield ["auditions", audition, part, make_learner_key(learner), body]


def write_school_rows(place: Path | str, rows: Iterable[BackupRow]) -> None:
    """Add rows to a server's folder or database. Rows that are there already stay as they are."""
    if isinstance(place, str):
        write_database_rows(place, rows, merge=True)
        return
    folder = place / SCHOOL_FOLDER
    answers, tokens, attempts = (
        FileAnswerStore(folder),
        FileLearnerTokens(folder),
        FileAttemptStore(folder),
    )
    known: dict[str, set[str]] = {}
    for row in rows:
        kind, values = row[0], row[1:]
        if kind == "reviews":
            _, answer_id, name, body = values
            if name not in known:
                known[name] = {answered.id for answered in answers.read(name).answers}
            if answer_id not in known[name]:
                answers.append(name, msgspec.json.decode(body, type=AnswerRecord))
                known[name].add(answer_id)
        elif kind == "learner_keys":
            _, stored, name, role = values
            holder = msgspec.convert({"name": name, "role": role}, SchoolTokenHolder)
            tokens.take_hash(stored, holder)
        else:
            audition, part, learner, body = values
            attempts.create(audition, part, learner, body)


def _with_id(answered: AnswerRecord, name: str, number: int) -> AnswerRecord:
    """Return an answer with its id. One without gets a hash of its name, number and content."""
    if answered.id:
        return answered
    digest = sha256(f"{name} {number} ".encode() + msgspec.json.encode(answered)).hexdigest()
    return replace(answered, id=digest[:32])
