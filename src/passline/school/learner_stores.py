"""Open the stores of learners' answers and tokens: in a server's folder or in its database."""

from __future__ import annotations

from pathlib import Path

from passline.school.answer_log import AnswerStore
from passline.school.learner_tokens import LearnerTokens


def open_answer_store(data: Path | None = None, database: str | None = None) -> AnswerStore:
    """Where a server keeps what learners answer: in its database, or in files of its folder.

    Every call waits for the disk: make it in a thread (``asyncio.to_thread``). A database has been
    brought up to date by ``open_store``.
    """
    if database is not None:
        from passline.school.postgres_learners import PostgresReviews

        return PostgresReviews(database)
    if data is None:
        raise ValueError("answers are kept in a folder or in a database")
    from passline.school.answer_log import FileAnswerStore

    return FileAnswerStore(data / "school")


def open_learner_tokens(data: Path | None = None, database: str | None = None) -> LearnerTokens:
    """Where a server keeps learners' tokens, or their hashes: beside the answers."""
    if database is not None:
        from passline.school.postgres_learners import PostgresLearnerTokens, PostgresReviews

        return PostgresLearnerTokens(PostgresReviews(database))
    if data is None:
        raise ValueError("tokens are kept in a folder or in a database")
    from passline.school.learner_tokens import FileLearnerTokens

    return FileLearnerTokens(data / "school")
