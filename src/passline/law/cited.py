"""A rule's value and the clause that gives it, always together."""

from __future__ import annotations

from typing import Generic, TypeVar

import msgspec

T = TypeVar("T")


class Sourced(
    msgspec.Struct,
    frozen=True,
    kw_only=True,
    forbid_unknown_fields=True,
    rename={"cites": "cite"},
):
    """Something that a clause gives: ``cite`` names it, or several that say the same.

    Where no clause gives it, ``custom = "reason"`` stands instead, and says why.
    """

    cites: str | tuple[str, ...] = ()
    custom: str = ""

    def __post_init__(self) -> None:
        if not self.cites and not self.custom:
            raise ValueError("a value needs a clause id (cite) or the reason for a custom")

    @property
    def clauses(self) -> tuple[str, ...]:
        """Every clause that gives it."""
        return (self.cites,) if isinstance(self.cites, str) else self.cites

    @property
    def cite(self) -> str:
        """What a settlement or a refusal names: the first clause, or the custom and its reason."""
        return self.clauses[0] if self.cites else f"custom: {self.custom}"


class Cited(Sourced, Generic[T], frozen=True, rename={"value": "is", "cites": "cite"}):
    """``{ is = VALUE, cite = "clause id" }`` in a book."""

    value: T
