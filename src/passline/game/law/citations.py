"""A rule's value and the clause that gives it, always together.

Where a book cites what: every place of its data that names a clause, by key path.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache
from typing import Any, Generic, NamedTuple, TypeVar

import msgspec

from passline.game.law.book_files import BookFiles, find_book_files, read_book_data

T = TypeVar("T")


class CitedEntry(
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


class CitedValue(CitedEntry, Generic[T], frozen=True, rename={"value": "is", "cites": "cite"}):
    """``{ is = VALUE, cite = "clause id" }`` in a book."""

    value: T


#: Keys whose words are data of the shape itself; every other word in a book is a citation.
UNCITED_KEYS = frozenset(
    [
        "id",
        "title",
        "shape",
        "area",
        "offer",
        "flat",
        "vig",
        "elect",
        "level",
        "is",
        "on",
        "by",
        "custom",
        "duties",
    ]
)
_CUSTOM_PREFIX = "custom: "


class CitedPlace(NamedTuple):
    """One place of a book: ``wager.pass.first_win`` and the clauses it names.

    ``valued``: a value stands there with its citation; otherwise clauses are only named, because
    the shape itself carries them out.
    """

    path: str
    clauses: tuple[str, ...]
    valued: bool


def key_path(path: str, key: str | int) -> str:
    """One step further down: ``elect."offers.fire"``, ``pays[0]``."""
    if isinstance(key, int):
        return f"{path}[{key}]"
    word = f'"{key}"' if "." in key or " " in key else key
    return f"{path}.{word}" if path else word


def read_citations(entry: Mapping[str, Any]) -> tuple[str, ...]:
    """The clauses that a value's entry names; none where it is custom."""
    return _read_clause_ids(entry.get("cite", ()))


def _read_clause_ids(value: Any) -> tuple[str, ...]:
    """The clause ids in a word, a list of words or a table of words."""
    if isinstance(value, str):
        return () if value.startswith(_CUSTOM_PREFIX) or not value else (value,)
    if isinstance(value, Mapping):
        value = value.values()
    return tuple(word for word in value if isinstance(word, str))


def iter_cited_places(data: Any, path: str = "") -> Iterator[CitedPlace]:
    """Every place of a book's data that names a clause."""
    if isinstance(data, list):
        for index, member in enumerate(data):
            yield from iter_cited_places(member, key_path(path, index))
    if not isinstance(data, dict):
        return
    if "is" in data:
        yield CitedPlace(path, read_citations(data), valued=True)
        return
    for key, value in data.items():
        if key in UNCITED_KEYS and not isinstance(value, dict):
            continue
        below = key_path(path, key)
        if _names_clauses(value):
            yield CitedPlace(below, _read_clause_ids(value), valued=False)
        else:
            yield from iter_cited_places(value, below)


def _names_clauses(value: Any) -> bool:
    if isinstance(value, dict):
        return "is" not in value and all(isinstance(v, str) for v in value.values())
    return isinstance(value, str) or (
        isinstance(value, list) and all(isinstance(v, str) for v in value)
    )


@cache
def _cached_places(on_shelf: BookFiles) -> tuple[CitedPlace, ...]:
    return tuple(place for place in iter_cited_places(read_book_data(on_shelf)) if place.clauses)


def list_cited_places(book_id: str) -> tuple[CitedPlace, ...]:
    """Every place of a rulebook that names a clause, in the book's order."""
    return _cached_places(find_book_files(book_id))


@cache
def _cached_places_by_clause(on_shelf: BookFiles) -> dict[str, tuple[CitedPlace, ...]]:
    found: dict[str, list[CitedPlace]] = {}
    for place in _cached_places(on_shelf):
        for clause in place.clauses:
            found.setdefault(clause, []).append(place)
    return {clause: tuple(there) for clause, there in found.items()}


def find_places_by_clause(book_id: str) -> dict[str, tuple[CitedPlace, ...]]:
    """For each clause that a rulebook names, the places that name it."""
    return _cached_places_by_clause(find_book_files(book_id))
