"""Values that carry the clause they come from, and the key paths at which a book cites clauses.

``CitedValue`` is the type of every rule value. ``iter_cited_places`` finds the citations in a
book's data by key path. Reads ``book.toml`` through ``book_files``, with what the book inherits.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import partial
from typing import Any, Generic, NamedTuple, TypeVar

import msgspec

from passline.game.law.base_books import (
    BASE_KEY,
    ORIGIN_KEY,
    find_hidden_clauses,
    follow_bases,
    list_chain,
    mark_origin,
    merge_books,
    qualify_citations,
    qualify_clause,
)
from passline.game.law.book_files import (
    BookError,
    cached_by_book,
    find_book_files,
    find_known_files,
    read_book_data,
)
from passline.game.law.side_bets import read_side_bets

T = TypeVar("T")


class CitedEntry(
    msgspec.Struct,
    frozen=True,
    kw_only=True,
    forbid_unknown_fields=True,
    rename={"cites": "cite"},
):
    """A rule with the clause, or the list of clauses, that states it (``cite``).

    If no clause states it, the data has ``custom = "reason"`` instead.
    """

    cites: str | tuple[str, ...] = ()
    custom: str = ""

    def __post_init__(self) -> None:
        if not self.cites and not self.custom:
            raise ValueError("a value needs a clause id (cite) or the reason for a custom")

    @property
    def clauses(self) -> tuple[str, ...]:
        """Every clause that states the rule; empty for a custom."""
        return (self.cites,) if isinstance(self.cites, str) else self.cites

    @property
    def cite(self) -> str:
        """The citation for a settlement or refusal: the first clause, or the custom's reason."""
        return self.clauses[0] if self.cites else f"custom: {self.custom}"


class CitedValue(CitedEntry, Generic[T], frozen=True, rename={"value": "is", "cites": "cite"}):
    """A value with its citation: ``{ is = VALUE, cite = "clause id" }`` in a book."""

    value: T


_NAME_KEYS = ("id", "title", "shape", "area", "offer", "flat", "vig", "elect", "level", BASE_KEY)
#: Keys with text that is data. Every other string in a book is a citation.
UNCITED_KEYS = frozenset((*_NAME_KEYS, "is", "on", "by", "custom", "duties", ORIGIN_KEY))
_CUSTOM_PREFIX = "custom: "


class CitedPlace(NamedTuple):
    """A key path in a book, such as ``wager.pass.first_win``, with the clauses cited there.

    ``valued`` is true if the key has a value as well as clauses. Otherwise it only lists clauses
    that code implements. ``origin`` is the base book that the place is inherited from, or "" if it
    is the book's own.
    """

    path: str
    clauses: tuple[str, ...]
    valued: bool
    origin: str = ""


def key_path(path: str, key: str | int) -> str:
    """Append a key to a key path: ``elect."offers.fire"``, ``pays[0]``."""
    if isinstance(key, int):
        return f"{path}[{key}]"
    word = f'"{key}"' if "." in key or " " in key else key
    return f"{path}.{word}" if path else word


def read_citations(entry: Mapping[str, Any]) -> tuple[str, ...]:
    """Return the clause ids in an entry's ``cite``; empty if it has a ``custom`` reason instead."""
    return _read_clause_ids(entry.get("cite", ()))


def _read_clause_ids(value: Any) -> tuple[str, ...]:
    if isinstance(value, str):
        return () if value.startswith(_CUSTOM_PREFIX) or not value else (value,)
    if isinstance(value, Mapping):
        value = value.values()
    words = (word for word in value if isinstance(word, str))
    return tuple(word for word in words if not word.startswith(_CUSTOM_PREFIX))


def iter_cited_places(data: Any, path: str = "") -> Iterator[CitedPlace]:
    """Yield a place for every key in a book's data that has a value or lists clauses.

    ``path`` is the key path of ``data`` itself; empty for a whole book.
    """
    if isinstance(data, list):
        for index, member in enumerate(data):
            yield from iter_cited_places(member, key_path(path, index))
    if not isinstance(data, dict):
        return
    if "is" in data:
        origin = data.get(ORIGIN_KEY, "")
        yield CitedPlace(path, read_citations(data), valued=True, origin=origin)
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
        named = not value.keys() & {"is", *UNCITED_KEYS}
        return named and all(isinstance(v, str) for v in value.values())
    return isinstance(value, str) or (
        isinstance(value, list) and all(isinstance(v, str) for v in value)
    )


def inherit_data(own: Mapping[str, Any]) -> dict[str, Any]:
    """Return the data ``own`` of a book merged with its bases'; a copy if it has none.

    Each inherited value is marked with the book that it comes from (``from``). A clause of a base
    is cited as ``BASE:ID`` if a book before it in the chain has a clause of that id.
    """
    book_id, base = str(own.get("id", "?")), own.get(BASE_KEY, "")
    files = find_known_files(book_id)
    chain = follow_bases(book_id, () if files is None else (files,), base)
    merged: dict[str, Any] = {}
    for at in reversed(chain if files is None else chain[1:]):
        hidden = find_hidden_clauses(chain, at)
        cite = partial(qualify_clause, at.id, hidden)
        data = qualify_citations(read_book_data(at), cite, UNCITED_KEYS)
        merged = _merge_over(at.id, merged, mark_origin(data, at.id))
    if base:
        for key in ("id", "title"):
            merged.pop(key, None)
    return {k: v for k, v in _merge_over(book_id, merged, own).items() if k != BASE_KEY}


def _merge_over(book_id: str, base: dict[str, Any], own: Mapping[str, Any]) -> dict[str, Any]:
    side_bets = {family for wagers in read_side_bets().values() for family in wagers}
    try:
        return merge_books(base, own, later=side_bets)  # They are merged with the catalog later.
    except BookError as error:
        raise BookError(f"rulebook {book_id}: {error}") from None


def _find_origin(book_id: str, path: str) -> str:
    """Return the base book that the clauses listed at a key path come from; "" for the book itself.

    Values are marked with the book that they come from (``from``). A list of clauses is not, so
    this looks it up.
    """
    chain = list_chain(book_id)
    for files in chain:
        own = {place.path for place in iter_cited_places(read_book_data(files))}
        if path in own:
            return "" if files == chain[0] else files.id
    return ""


@cached_by_book
def list_cited_places(book_id: str) -> tuple[CitedPlace, ...]:
    """Return the places at which a rulebook cites a clause, in the book's order.

    A place is a key in its ``book.toml``, or in what it inherits from the ``book.toml`` of its
    bases.
    """
    data = inherit_data(read_book_data(find_book_files(book_id)))
    found = [place for place in iter_cited_places(data) if place.clauses]
    if len(list_chain(book_id)) == 1:
        return tuple(found)
    return tuple(p if p.valued else p._replace(origin=_find_origin(book_id, p.path)) for p in found)


@cached_by_book
def find_places_by_clause(book_id: str) -> dict[str, tuple[CitedPlace, ...]]:
    """Return, by clause id, the places in a rulebook that cite the clause."""
    found: dict[str, list[CitedPlace]] = {}
    for place in list_cited_places(book_id):
        for clause in place.clauses:
            found.setdefault(clause, []).append(place)
    return {clause: tuple(places) for clause, places in found.items()}
