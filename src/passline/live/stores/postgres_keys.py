"""Whose a learner's name is, in PostgreSQL, for servers that share a database."""

from __future__ import annotations

from typing import Final

import msgspec

from passline.live.learner_keys import KeyHolder
from passline.live.stores.postgres_reviews import PostgresReviews
from passline.live.tokens import token_hash
from passline.school.reviews import check_learner, learner_key

_TAKE: Final = """
    INSERT INTO passline_learner_keys (learner, hash, name, role) VALUES (%s, %s, %s, %s)
    ON CONFLICT DO NOTHING"""
_HOLDER: Final = "SELECT name, role FROM passline_learner_keys WHERE hash = %s"
_DROP: Final = "DELETE FROM passline_learner_keys WHERE learner = %s"


class PostgresKeys:
    """Tokens in a database: as ``FileKeys`` has them in files."""

    def __init__(self, database: PostgresReviews) -> None:
        self._database = database

    def take(self, token: str, holder: KeyHolder) -> bool:
        """Keep a token for a name that nobody has; whether nobody had it, or it was this one."""
        name = check_learner(holder.name)
        values = (learner_key(name), token_hash(token), name, holder.role)
        self._database.run(_TAKE, values)
        return self.holder(token) == KeyHolder(name, holder.role)

    def holder(self, token: str) -> KeyHolder | None:
        """Whom a token speaks for; None: nobody."""
        for name, role in self._database.run(_HOLDER, (token_hash(token),)):
            return msgspec.convert({"name": name, "role": role}, KeyHolder)
        return None

    def drop(self, name: str) -> None:
        """Forget a name's token; the name is free again."""
        self._database.run(_DROP, (learner_key(name),))
