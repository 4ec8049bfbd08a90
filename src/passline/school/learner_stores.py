"""Open the stores of learners' answers and tokens, in a server's folder or in its database."""

from __future__ import annotations

from pathlib import Path

from passline.school.answer_log import AnswerStore
from passline.school.learner_tokens import LearnerTokens


def open_answer_store(data: Path | None = None, database: str | None = None) -> AnswerStore:
    """Return the server's store of learners' answers: in its database if it has one, else in files.

    Its calls block, so run them in a thread (``asyncio.to_thread``). The database schema is updated
    by ``open_store``.
    """
    if database is not None:
        from passline.school.postgres_learners import PostgresAnswerStore

        return PostgresAnswerStore(database)
    if data is None:
        raise ValueError("give a data folder or a database")
    from passline.school.answer_log import FileAnswerStore

    return FileAnswerStore(data / "school")


def open_learner_tokens(data: Path | None = None, database: str | None = None) -> LearnerTokens:
    """Return the server's store of learners' tokens: in its database if it has one, else files."""
    if database is not None:
        from passline.school.postgres_learners import PostgresAnswerStore, PostgresLearnerTokens

        return PostgresLearnerTokens(PostgresAnswerStore(database))
    if data is None:
        raise ValueError("give a data folder or a database")
    from passline.school.learner_tokens import FileLearnerTokens

    return FileLearnerTokens(data / "school")
