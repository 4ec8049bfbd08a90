"""A mutant: the data of a rulebook with one thing changed."""

from __future__ import annotations

import copy
from typing import Any, NamedTuple

Key = str | int


class Mutant(NamedTuple):
    """One change: where, what (``7 → 8``, ``drop 11``), the new value, and the clauses whose
    tests must fail.
    """

    book: str
    path: str
    keys: tuple[Key, ...]
    change: str
    value: Any
    clauses: tuple[str, ...]

    @property
    def key(self) -> tuple[str, str, str]:
        """The identity of a mutant: book, key path and change."""
        return self.book, self.path, self.change

    def apply(self, data: dict[str, Any]) -> dict[str, Any]:
        """Return the book's data with this change made."""
        changed = copy.deepcopy(data)
        spot: Any = changed
        for key in self.keys[:-1]:
            spot = spot[key]
        spot[self.keys[-1]] = self.value
        return changed
