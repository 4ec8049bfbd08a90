"""What lint reports: one election that the rulebook does not allow."""

from __future__ import annotations

from collections.abc import Iterable

import msgspec


class Finding(msgspec.Struct, frozen=True):
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


def finding(key: str, value: str, allowed: str, cites: Iterable[str]) -> Finding:
    """A finding that names the first of these clauses, and the others after it."""
    first, *more = dict.fromkeys(cites)
    return Finding(key, value, allowed, first, tuple(more))
