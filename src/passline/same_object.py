"""A cache key for objects that cannot be hashed, such as dicts: it compares objects by identity."""

from __future__ import annotations

from typing import Any, Generic, TypeVar

Kept = TypeVar("Kept")


class SameObject(Generic[Kept]):
    """A key that equals another only if both hold the same object, which must not change.

    >>> layout = {"pass": 1}
    >>> SameObject(layout) == SameObject(layout), SameObject(layout) == SameObject({"pass": 1})
    (True, False)
    """

    __slots__ = ("value",)

    def __init__(self, value: Kept) -> None:
        self.value = value

    def __hash__(self) -> int:
        return id(self.value)

    def __eq__(self, other: Any) -> bool:
        return isinstance(other, SameObject) and self.value is other.value
