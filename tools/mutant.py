"""A mutant: the data of a rulebook with one thing changed."""

from __future__ import annotations

import copy
from typing import Any, NamedTuple

Key = str | int


class Mutant(NamedTuple):
    """One change of a rulebook's data, which a test of one of its ``clauses`` should notice.

    ``keys`` lead to the changed place, and ``path`` is the same as text. ``change`` describes the
    change (``7 → 8``, ``drop 11``), and ``value`` is the new value there.
    """

    book: str
    path: str
    keys: tuple[Key, ...]
    change: str
    value: Any
    clauses: tuple[str, ...]

    @property
    def key(self) -> tuple[str, str, str]:
        """Return (book, key path, change), which identifies the mutant."""
        return self.book, self.path, self.change

    def apply(self, data: dict[str, Any]) -> dict[str, Any]:
        """Return a copy of the book's data with this change made."""
        changed = copy.deepcopy(data)
        spot: Any = changed
        for key in self.keys[:-1]:
            spot = spot[key]
        spot[self.keys[-1]] = self.value
        return changed
