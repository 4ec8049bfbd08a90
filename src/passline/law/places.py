"""Where a book cites what: every place of its data that names a clause, by key path."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache
from typing import Any, NamedTuple

from passline.law.shelf import Volume, data_of, volume

#: Keys whose words are data of the shape itself; every other word in a book is a citation.
PLAIN_KEYS = frozenset(
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
_CUSTOM = "custom: "


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


def cites_of(entry: Mapping[str, Any]) -> tuple[str, ...]:
    """The clauses that a value's entry names; none where it is custom."""
    return _words(entry.get("cite", ()))


def _words(value: Any) -> tuple[str, ...]:
    """The clause ids in a word, a list of words or a table of words."""
    if isinstance(value, str):
        return () if value.startswith(_CUSTOM) or not value else (value,)
    if isinstance(value, Mapping):
        value = value.values()
    return tuple(word for word in value if isinstance(word, str))


def places_in(data: Any, path: str = "") -> Iterator[CitedPlace]:
    """Every place of a book's data that names a clause."""
    if isinstance(data, list):
        for index, member in enumerate(data):
            yield from places_in(member, key_path(path, index))
    if not isinstance(data, dict):
        return
    if "is" in data:
        yield CitedPlace(path, cites_of(data), valued=True)
        return
    for key, value in data.items():
        if key in PLAIN_KEYS and not isinstance(value, dict):
            continue
        below = key_path(path, key)
        if _names_clauses(value):
            yield CitedPlace(below, _words(value), valued=False)
        else:
            yield from places_in(value, below)


def _names_clauses(value: Any) -> bool:
    if isinstance(value, dict):
        return "is" not in value and all(isinstance(v, str) for v in value.values())
    return isinstance(value, str) or (
        isinstance(value, list) and all(isinstance(v, str) for v in value)
    )


@cache
def _places(on_shelf: Volume) -> tuple[CitedPlace, ...]:
    return tuple(place for place in places_in(data_of(on_shelf)) if place.clauses)


def places(book_id: str) -> tuple[CitedPlace, ...]:
    """Every place of a rulebook that names a clause, in the book's order."""
    return _places(volume(book_id))


@cache
def _citations(on_shelf: Volume) -> dict[str, tuple[CitedPlace, ...]]:
    found: dict[str, list[CitedPlace]] = {}
    for place in _places(on_shelf):
        for clause in place.clauses:
            found.setdefault(clause, []).append(place)
    return {clause: tuple(there) for clause, there in found.items()}


def citations(book_id: str) -> dict[str, tuple[CitedPlace, ...]]:
    """For each clause that a rulebook names, the places that name it."""
    return _citations(volume(book_id))
