"""Learners' answers and tokens in PostgreSQL, for servers that share a database.

Calls block, so a server makes them in a thread. ``live.stores`` creates and updates the schema.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from threading import Lock
from typing import Any, Final
from uuid import uuid4

import msgspec
import psycopg
from psycopg import Connection

from passline.live.stores.postgres import add_timeouts
from passline.live.tokens import hash_token
from passline.school.answer_log import (
    AnswerLog,
    AnswerRecord,
    AnswerStore,
    LearnerError,
    clean_learner_name,
    make_learner_key,
)
from passline.school.learner_tokens import SchoolRole, SchoolTokenHolder

_APPEND_SQL: Final = """
    INSERT INTO passline_reviews (learner, id, name, body) VALUES (%s, %s, %s, %b)
    ON CONFLICT (learner, id) DO NOTHING"""
_READ_SQL: Final = "SELECT body FROM passline_reviews WHERE learner = %s ORDER BY seq"
_HEADS_SQL: Final = "SELECT min(name), max(seq) FROM passline_reviews GROUP BY learner ORDER BY 1"
_DELETE_SQL: Final = "DELETE FROM passline_reviews WHERE learner = %s RETURNING 1"


class PostgresAnswerStore(AnswerStore):
    """Stores answers in a database over one connection, which reconnects when it is lost."""

    def __init__(self, url: str) -> None:
        self._url = url
        self._connection: Connection[Any] | None = None
        self._turn = Lock()

    def append(self, learner: str, answered: AnswerRecord) -> None:
        """Append an answer to the learner's log. It is on disk when this returns."""
        name = clean_learner_name(learner)
        one = answered.id or uuid4().hex
        self.run(_APPEND_SQL, (make_learner_key(name), one, name, msgspec.json.encode(answered)))

    def read(self, learner: str) -> AnswerLog:
        """Return a learner's answers, or an empty log if the name is unknown."""
        name, torn = clean_learner_name(learner), 0
        found: list[AnswerRecord] = []
        for (body,) in self.run(_READ_SQL, (make_learner_key(name),)):
            try:
                found.append(msgspec.json.decode(body, type=AnswerRecord))
            except (msgspec.MsgspecError, UnicodeDecodeError):
                torn += 1
        return AnswerLog(name, tuple(found), torn)

    def list_versions(self) -> dict[str, str]:
        """Return {learner's name: version}. New answers change a learner's version."""
        return {str(name): str(last) for name, last in self.run(_HEADS_SQL, ())}

    def delete(self, learner: str) -> bool:
        """Delete all answers of a learner. Return whether there were any."""
        return bool(self.run(_DELETE_SQL, (make_learner_key(learner),)))

    def close(self) -> None:
        """Close the connection."""
        with self._turn:
            self._drop()

    def run(self, query: str, values: Sequence[Any]) -> list[Any]:
        """Run a query and return its rows. Raise LearnerError if it fails.

        If the database could not answer, run the query once more. No query does harm twice, but a
        DELETE may then report nothing to delete.
        """
        with self._turn:
            try:
                return self._ask(query, values)
            except (psycopg.OperationalError, psycopg.InterfaceError):
                self._drop()
            except psycopg.Error as error:
                raise _make_learner_error(error) from None
            try:
                return self._ask(query, values)
            except psycopg.Error as error:
                self._drop()
                raise _make_learner_error(error) from None

    def _ask(self, query: str, values: Sequence[Any]) -> list[Any]:
        if self._connection is None or self._connection.closed:
            self._connection = psycopg.connect(add_timeouts(self._url), autocommit=True)
            self._connection.execute("SET synchronous_commit = on; SET statement_timeout = '10s'")
        cursor = self._connection.execute(query.encode(), values, binary=True)
        return cursor.fetchall() if cursor.description else []

    def _drop(self) -> None:
        connection, self._connection = self._connection, None
        if connection is not None:
            with suppress(psycopg.Error, OSError):
                connection.close()


def _make_learner_error(error: psycopg.Error) -> LearnerError:
    return LearnerError("learner.database", error=str(error).strip().splitlines()[0])


_TAKE_SQL: Final = """
    INSERT INTO passline_learner_keys (learner, hash, name, role) VALUES (%s, %s, %s, %s)
    ON CONFLICT DO NOTHING"""
_HOLDER_SQL: Final = "SELECT name, role FROM passline_learner_keys WHERE hash = %s"
_DROP_SQL: Final = "DELETE FROM passline_learner_keys WHERE learner = %s"
_ROLE_SQL: Final = "SELECT role FROM passline_learner_keys WHERE learner = %s"


class PostgresLearnerTokens:
    """Stores tokens in a database."""

    def __init__(self, database: PostgresAnswerStore) -> None:
        self._database = database

    def take(self, token: str, holder: SchoolTokenHolder) -> bool:
        """Store the hash of a token for ``holder``. Return False if the name has another token."""
        name = clean_learner_name(holder.name)
        values = (make_learner_key(name), hash_token(token), name, holder.role)
        self._database.run(_TAKE_SQL, values)
        return self.holder(token) == SchoolTokenHolder(name, holder.role)

    def holder(self, token: str) -> SchoolTokenHolder | None:
        """Return the name and role that a token belongs to, or None if it is unknown."""
        for name, role in self._database.run(_HOLDER_SQL, (hash_token(token),)):
            return msgspec.convert({"name": name, "role": role}, SchoolTokenHolder)
        return None

    def drop(self, name: str) -> None:
        """Delete any token of a name, so that a new one can be stored."""
        self._database.run(_DROP_SQL, (make_learner_key(name),))

    def find_role(self, name: str) -> SchoolRole | None:
        """Return the role of a name's token, or None if it has none."""
        for (role,) in self._database.run(_ROLE_SQL, (make_learner_key(name),)):
            return msgspec.convert({"name": name, "role": role}, SchoolTokenHolder).role
        return None


_CREATE_PART_SQL: Final = """
    INSERT INTO passline_auditions (audition, part, learner, body) VALUES (%s, %s, %s, %b)
    ON CONFLICT DO NOTHING"""
_REPLACE_PART_SQL: Final = """
    INSERT INTO passline_auditions (audition, part, learner, body) VALUES (%s, %s, %s, %b)
    ON CONFLICT (audition, part) DO UPDATE SET body = excluded.body"""
_READ_PART_SQL: Final = "SELECT body FROM passline_auditions WHERE audition = %s AND part = %s"
_READ_PARTS_SQL: Final = "SELECT part, body FROM passline_auditions WHERE audition = %s"
_LIST_SQL: Final = "SELECT audition FROM passline_auditions WHERE learner = %s AND part = 'start'"


class PostgresAttemptStore:
    """Stores the attempts of auditions in a database."""

    def __init__(self, database: PostgresAnswerStore) -> None:
        self._database = database

    def create(self, audition: str, part: str, learner: str, data: bytes) -> bool:
        """Store a part of an attempt. Return False if different bytes are stored as that part."""
        self._database.run(_CREATE_PART_SQL, (audition, part, make_learner_key(learner), data))
        # The query may have run twice, so compare instead of counting rows.
        return self.read(audition).get(part) == data

    def replace(self, audition: str, part: str, learner: str, data: bytes) -> None:
        """Store a part, replacing any part of that name."""
        values = (audition, part, make_learner_key(learner), data)
        self._database.run(_REPLACE_PART_SQL, values)

    def read_part(self, audition: str, part: str) -> bytes | None:
        """Return one part of an attempt, or None if it is not stored."""
        for (body,) in self._database.run(_READ_PART_SQL, (audition, part)):
            return bytes(body)
        return None

    def read(self, audition: str) -> dict[str, bytes]:
        """Return {name: part} of an attempt; empty if there is no such attempt."""
        rows = self._database.run(_READ_PARTS_SQL, (audition,))
        return {str(part): bytes(body) for part, body in rows}

    def list_auditions(self, learner: str) -> tuple[str, ...]:
        """Return the ids of a learner's attempts, in any order."""
        rows = self._database.run(_LIST_SQL, (make_learner_key(learner),))
        return tuple(str(audition) for (audition,) in rows)
