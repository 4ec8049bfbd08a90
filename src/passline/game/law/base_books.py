"""Rulebooks that build on another: ``based_on = "ID"`` in ``book.toml``.

Such a book writes only what differs. Every other value, clause and file comes from its base, which
may have a base of its own. This module finds the chain of books and merges their data. It reads the
files that ``book_files`` finds.

How ``book.toml`` is merged:

- a value or a section of the book replaces the base's value, or is merged with its section;
- ``omit = true`` in a section or a value drops it (``[wager.field]``, then ``omit = true``);
- a line of ``pays`` or ``most`` replaces the base's on its own faces only;
- a list of named reasons (``throw.grounds``) adds to the base's; one of the same name replaces it.

If a book and its base have a clause of the same id, that of the base is cited as ``BASE:ID``.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from functools import cache
from pathlib import Path
from typing import Any

from passline.game.law.book_files import (
    BookError,
    BookFiles,
    book_ids,
    find_book_files,
    find_known_files,
    read_book_file,
    read_toml_file,
)

#: The key that names the base, and the key that marks where an inherited entry comes from.
BASE_KEY, ORIGIN_KEY = "based_on", "from"
#: The most books that a book may build on, one on the other.
MAX_BASES = 4
#: The lists of ``book.toml`` in which a line stands for its faces or numbers.
_LINE_LISTS = ("pays", "most")
#: The tables of a part whose lists of clauses are joined.
_JOINED_TABLES = ("refused",)


@cache
def _read_base_id(path: Path) -> Any:
    """Return the value of ``based_on`` in a ``book.toml``, or "" if the book has no base."""
    return read_toml_file(path).get(BASE_KEY, "")


def list_chain(book_id: str) -> tuple[BookFiles, ...]:
    """Return the files of a rulebook, then of its base, and so on; empty for a book in memory.

    Raise BookError if a base does not exist, or the chain is circular or too long.

    >>> [files.id for files in list_chain("new-jersey")]
    ['new-jersey']
    """
    files = find_known_files(book_id)
    return () if files is None else follow_bases(files.id, (files,), _read_base_id(files.book))


def follow_bases(book_id: str, chain: tuple[BookFiles, ...], base: Any) -> tuple[BookFiles, ...]:
    """Return ``chain`` followed by the files of the book ``base`` and of its own bases.

    ``base`` is what ``based_on`` says in the last book of the chain, or "". ``chain`` is empty if
    the book ``book_id`` is in memory only. Raise BookError if a base does not exist, or the chain
    is circular or too long.
    """
    while base != "":
        if not isinstance(base, str) or base not in book_ids():
            expected = f"there is no rulebook {base!r}: the rulebooks are {', '.join(book_ids())}"
            raise BookError(f"rulebook {book_id}: {BASE_KEY}: {expected}")
        ids = [files.id for files in chain]
        if base in (book_id, *ids):
            around = ", ".join((*dict.fromkeys((book_id, *ids)), base))
            raise BookError(f"rulebook {book_id}: {BASE_KEY}: the books are circular: {around}")
        chain = (*chain, find_book_files(base))
        if len(chain) > MAX_BASES + 1:
            books = ", ".join(files.id for files in chain[1:])
            limit = f"at most {MAX_BASES} may build on each other"
            raise BookError(f"rulebook {book_id}: {BASE_KEY}: too many bases ({books}): {limit}")
        base = _read_base_id(chain[-1].book)
    return chain


def list_bases(book_id: str) -> tuple[str, ...]:
    """Return the ids of the books that a rulebook builds on, the nearest first."""
    return tuple(files.id for files in list_chain(book_id)[1:])


@cache
def read_clause_ids(files: BookFiles) -> frozenset[str]:
    """Return the ids in a book's own clause register; empty if it has none."""
    if not files.register.is_file():
        return frozenset()
    lines = read_book_file(files.register).split("\n")[1:]
    return frozenset(line.partition("\t")[0] for line in lines if line)


def find_hidden_clauses(chain: tuple[BookFiles, ...], base: BookFiles) -> frozenset[str]:
    """Return the clause ids of all books that come before ``base`` in the chain.

    A citation of such an id means those books' own clause, and not the base's.
    """
    before = chain[: chain.index(base)]
    return frozenset().union(*(read_clause_ids(files) for files in before))


def qualify_clause(book_id: str, hidden: Collection[str], clause: str) -> str:
    """Return the id by which books that build on ``book_id`` cite its clause.

    It is ``BASE:ID`` if the id is in ``hidden``, because one of those books has its own clause of
    that id, else ``ID``.
    """
    return f"{book_id}:{clause}" if clause in hidden else clause


def qualify_citations(data: Any, cite: Callable[[str], str], names: Collection[str]) -> Any:
    """Return a book's data in which ``cite`` has converted every clause id.

    Every text is taken for a clause id, except those under the keys in ``names``. Tables below
    these keys are still searched.
    """
    if isinstance(data, str):
        return cite(data)
    if isinstance(data, list):
        return [qualify_citations(member, cite, names) for member in data]
    if not isinstance(data, dict):
        return data
    return {
        key: value
        if key in names and not isinstance(value, dict)
        else qualify_citations(value, cite, names)
        for key, value in data.items()
    }


def mark_origin(data: Any, book_id: str) -> Any:
    """Return a book's data with ``from = ID`` in every value that does not have it yet.

    A value is a table with the key ``is``.
    """
    if isinstance(data, list):
        return [mark_origin(member, book_id) for member in data]
    if not isinstance(data, dict):
        return data
    if "is" in data:
        return {ORIGIN_KEY: book_id, **data}
    return {key: mark_origin(value, book_id) for key, value in data.items()}


def without_origin(data: Any) -> Any:
    """Return data without the marks of ``mark_origin``."""
    if isinstance(data, list):
        return [without_origin(member) for member in data]
    if not isinstance(data, dict):
        return data
    return {
        key: without_origin(value)
        for key, value in data.items()
        if not (key == ORIGIN_KEY and "is" in data)
    }


def merge_books(
    base: Mapping[str, Any], own: Mapping[str, Any], later: Collection[str] = ()
) -> dict[str, Any]:
    """Return the data ``own`` of a ``book.toml`` laid over ``base``, the data of its base.

    Tables are merged key by key; any other value of the book replaces the base's, except that
    lists of tables are joined or merged by name or face. An entry with ``omit = true`` removes the
    base's. Raise BookError if the base has no such entry. Tables that the base lacks stay as they
    are under the keys in ``later``: the caller merges them with something else.

    >>> base = {"wager": {"field": {"area": "table"}, "horn": {"area": "center"}}}
    >>> merge_books(base, {"wager": {"horn": {"omit": True}}})
    {'wager': {'field': {'area': 'table'}}}
    """
    merged = dict(base)
    for key, value in own.items():
        if isinstance(value, dict) and value.get("omit") is True:
            if key not in base:
                raise BookError(f"{key}.omit: its base has no {key}")
            del merged[key]
        else:
            merged[key] = _merge_value(key, base.get(key), value, later)
    return merged


def _merge_value(key: str, base: Any, value: Any, later: Collection[str]) -> Any:
    if isinstance(value, dict) and "is" not in value and not (base is None and key in later):
        under = base if isinstance(base, dict) and "is" not in base else {}
        try:
            return merge_books(under, value, later)
        except BookError as error:
            raise BookError(f"{key}.{error}") from None
    if not _is_list_of_tables(value):
        return value
    below = base if _is_list_of_tables(base) else []
    if key in _LINE_LISTS:
        return _merge_lines(below, value) if below else value
    if "is" in value[0] and (below or any(entry.get("omit") is True for entry in value)):
        return _merge_named(key, below, value)
    return [*value, *below]


def _is_list_of_tables(value: object) -> bool:
    return isinstance(value, list) and bool(value) and all(isinstance(m, dict) for m in value)


def _merge_lines(base: list[Any], own: list[Any]) -> list[Any]:
    """Return the lines of a base's ``pays`` or ``most`` merged with those of the book (``own``).

    A line of the book replaces the base's on the same faces (on all, if it names none) for the same
    election, at that place in the list. The base's line keeps its other faces. Lines of the book
    that replace none come last.
    """
    left, found = list(own), []
    for line in base:
        faces, replaced = line.get("on", []), []
        for mine in own:
            if mine.get("elect", "") != line.get("elect", ""):
                continue
            shared = [face for face in faces if face in mine["on"]] if "on" in mine else faces
            if shared or "on" not in mine or not faces:
                replaced.append(mine)
                faces = [face for face in faces if face not in shared]
        if faces or not replaced:
            found.append({**line, "on": faces} if "on" in line else line)
        found += [mine for mine in replaced if mine in left]
        left = [mine for mine in left if mine not in replaced]
    return [*found, *left]


def _merge_named(key: str, base: list[Any], own: list[Any]) -> list[Any]:
    by_name = {entry.get("is"): entry for entry in base}
    for entry in own:
        name = entry.get("is")
        if entry.get("omit") is not True:
            by_name[name] = entry
        elif name in by_name:
            del by_name[name]
        else:
            raise BookError(f"{key}.{name}.omit: its base has no {name}")
    return list(by_name.values())


def merge_parts(base: Mapping[str, Any], own: Mapping[str, Any]) -> dict[str, Any]:
    """Return the data ``own`` of a part (``felt.toml``, ``crew/...``) merged with its base's.

    Keys such as ``omit`` in ``own`` stay, because ``merge_entries`` still needs them. Lists of
    tables are joined, the book's own first; of any other value, the book's replaces the base's.
    """
    merged = dict(base)
    for key, value in own.items():
        under = base.get(key)
        if key in _JOINED_TABLES and isinstance(under, dict):
            joined = {name: [*ids, *under.get(name, ())] for name, ids in value.items()}
            merged[key] = {**under, **joined}
        elif isinstance(value, dict) and isinstance(under, dict):
            entries = {name: entry for name, entry in under.items() if name != "omit"}
            merged[key] = merge_parts(entries, value)
        elif isinstance(under, list) and _is_list_of_tables(value) and _is_list_of_tables(under):
            merged[key] = [*value, *under]
        else:
            merged[key] = value
    return merged
