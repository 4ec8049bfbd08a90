"""What lint reports: one election that the rulebook does not allow."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import msgspec

from passline.house.keys import show_election
from passline.law.cited import Cited


class Finding(msgspec.Struct, frozen=True, kw_only=True):
    """An election that is not allowed: its key, its value, what is allowed, and who says so.

    ``cite`` is a clause id, or ``custom: reason`` where the book is silent; ``also`` holds further
    clauses that say the same.
    """

    key: str
    value: str
    allowed: str
    cite: str
    also: tuple[str, ...] = ()

    @property
    def cites(self) -> tuple[str, ...]:
        """Every clause that refuses it."""
        return (self.cite, *self.also)

    @property
    def message(self) -> str:
        """The finding on one line."""
        return f"{self.key} = {self.value} is not allowed; allowed: {self.allowed} [{self.cite}]"


def finding(key: str, value: object, allowed: str, cites: Iterable[str]) -> Finding:
    """A finding that names the first of these clauses, and the others after it."""
    first, *more = dict.fromkeys(cites)
    return Finding(
        key=key, value=show_election(key, value), allowed=allowed, cite=first, also=tuple(more)
    )


def clauses_of(*given: Cited[Any]) -> tuple[str, ...]:
    """The clauses that give these values; a custom stands for itself."""
    return tuple(cite for by in given for cite in by.clauses or (by.cite,))


def refused(key: str, value: object, allowed: str, by: Cited[Any]) -> Finding:
    """A finding by the clauses that give one value of the book."""
    return finding(key, value, allowed, clauses_of(by))
