"""Answers of learners in PostgreSQL: the same as in files, for servers that share a database."""

from __future__ import annotations

import psycopg
import pytest

from passline.live.stores.postgres import PostgresStore
from passline.school.answer_log import LearnerError
from passline.school.learner_tokens import SchoolTokenHolder, open_learner_stores
from passline.school.postgres_learners import PostgresAnswerStore, PostgresLearnerTokens
from tests.school.test_reviews import answered

pytestmark = [pytest.mark.anyio, pytest.mark.system]


async def test_what_is_kept_is_read_and_forgotten(database: str) -> None:
    await (await PostgresStore.open(database)).close()
    reviews, (other, *_) = PostgresAnswerStore(database), open_learner_stores(database)
    assert reviews.read("ann").answers == ()
    for n in (1, 2, 3):
        reviews.append("Ann", answered(n))
    other.append("ANN", answered(3))  # sent twice, to another server
    assert other.read("ann").answers == tuple(answered(n) for n in (1, 2, 3))
    other.append("bob", answered(1))
    assert reviews.list_learners() == ("Ann", "bob")
    before = reviews.list_versions()
    other.append("bob", answered(2))
    after = reviews.list_versions()
    assert (list(after), after["Ann"]) == (["Ann", "bob"], before["Ann"])
    assert after["bob"] != before["bob"]  # whoever keeps a class's figures reads bob's again
    with psycopg.connect(database, autocommit=True) as connection:
        connection.execute("UPDATE passline_reviews SET body = 'torn' WHERE id = 'answer 2'")
    log = reviews.read("ann")
    assert ([each.n for each in log.answers], log.torn) == ([1, 3], 1)
    assert reviews.delete("ann")
    assert not reviews.delete("ann")
    assert other.list_learners() == ("bob",)
    reviews.close()
    other.close()


async def test_a_line_that_is_lost_is_made_again(database: str) -> None:
    await (await PostgresStore.open(database)).close()
    reviews = PostgresAnswerStore(database)
    reviews.append("ann", answered(1))
    with psycopg.connect(database, autocommit=True) as connection:
        connection.execute(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
            " WHERE pid <> pg_backend_pid() AND application_name = 'passline'"
        )
    reviews.append("ann", answered(2))
    assert len(reviews.read("ann").answers) == 2
    reviews.close()


def test_what_cannot_be_used_is_one_line(database: str) -> None:
    reviews = PostgresAnswerStore(database)
    with pytest.raises(LearnerError, match="cannot be used"):
        reviews.read("ann")  # nobody made the table
    reviews.close()
    with pytest.raises(LearnerError):
        PostgresAnswerStore("postgresql:///postgres?host=/nowhere/at/all").append(
            "ann", answered(1)
        )


async def test_a_token_holds_a_name_on_every_server(database: str) -> None:
    await (await PostgresStore.open(database)).close()
    lines = PostgresAnswerStore(database), PostgresAnswerStore(database)
    keys, other = map(PostgresLearnerTokens, lines)
    assert isinstance(open_learner_stores(database)[1], PostgresLearnerTokens)
    assert keys.take("a" * 40, SchoolTokenHolder("Ann"))
    assert keys.take("a" * 40, SchoolTokenHolder("Ann"))  # sent twice
    assert not other.take("b" * 40, SchoolTokenHolder("ANN"))
    assert other.holder("a" * 40) == SchoolTokenHolder("Ann")
    assert other.holder("b" * 40) is None
    other.drop("ann")
    assert keys.holder("a" * 40) is None
    assert keys.take("b" * 40, SchoolTokenHolder("ann", "instructor"))
    assert other.holder("b" * 40) == SchoolTokenHolder("ann", "instructor")
    for line in lines:
        line.close()


async def test_attempts_at_auditions_are_stored_once(database: str) -> None:
    await (await PostgresStore.open(database)).close()
    answers, tokens, attempts = open_learner_stores(database)
    assert attempts.create("a" * 32, "start", "Ann", b"one")
    assert not attempts.create("a" * 32, "start", "Ann", b"two")
    assert attempts.create("a" * 32, "answer-1", "Ann", b"x")
    assert attempts.read("a" * 32) == {"start": b"one", "answer-1": b"x"}
    assert (attempts.list_auditions("ann"), attempts.read("b" * 32)) == (("a" * 32,), {})
    assert tokens.find_role("ann") is None
    assert tokens.take("t" * 32, SchoolTokenHolder("Ann"))
    assert tokens.find_role("ann") == "learner"
    answers.close()
