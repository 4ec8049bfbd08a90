"""A rule's value and the clause that gives it, always together."""

from __future__ import annotations

from typing import Generic, TypeVar

import msgspec

T = TypeVar("T")


class Cited(
    msgspec.Struct,
    Generic[T],
    frozen=True,
    forbid_unknown_fields=True,
    rename={"value": "is", "cites": "cite"},
):
    """``{ is = VALUE, cite = "clause id" }`` in a book; several ids where several clauses say it.

    Where no clause gives the value, ``custom = "reason"`` stands instead, and says why.
    """

    value: T
    cites: str | tuple[str, ...] = ()
    custom: str = ""

    def __post_init__(self) -> None:
        if not self.cites and not self.custom:
            raise ValueError("a value needs a clause id (cite) or the reason for a custom")

    @property
    def clauses(self) -> tuple[str, ...]:
        """Every clause that gives the value."""
        return (self.cites,) if isinstance(self.cites, str) else self.cites

    @property
    def cite(self) -> str:
        """What a settlement or a refusal names: the first clause, or the custom and its reason."""
        return self.clauses[0] if self.cites else f"custom: {self.custom}"
