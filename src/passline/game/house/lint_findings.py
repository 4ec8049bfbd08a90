"""What a check of elections reports: a finding for each election that the rulebook forbids."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import msgspec

from passline.game.house.elections import show_election
from passline.game.law.citations import CitedValue


class Finding(msgspec.Struct, frozen=True, kw_only=True):
    """An election that is not allowed: its key and value, what is allowed, and the clause.

    ``cite`` is a clause id, or ``custom: `` and the reason if the book is silent. ``also`` lists
    further clauses that say the same.
    """

    key: str
    value: str
    allowed: str
    cite: str
    also: tuple[str, ...] = ()

    @property
    def cites(self) -> tuple[str, ...]:
        """Every clause that forbids the election."""
        return (self.cite, *self.also)

    @property
    def message(self) -> str:
        """The finding as one line of text."""
        return f"{self.key} = {self.value} is not allowed; {self.limit}"

    @property
    def limit(self) -> str:
        """What is allowed, and the clause that says so."""
        return f"allowed: {self.allowed} [{self.cite}]"


def list_clauses(*values: CitedValue[Any]) -> tuple[str, ...]:
    """Return the clauses that these values cite. A custom is cited as ``custom: reason``."""
    return tuple(cite for by in values for cite in by.clauses or (by.cite,))


def make_finding(
    key: str, value: object, allowed: str, by: CitedValue[Any] | Iterable[str]
) -> Finding:
    """Return a finding about an election.

    ``by`` has the clauses, or the book's value that cites them.
    """
    first, *more = dict.fromkeys(list_clauses(by) if isinstance(by, CitedValue) else by)
    return Finding(
        key=key, value=show_election(key, value), allowed=allowed, cite=first, also=tuple(more)
    )
