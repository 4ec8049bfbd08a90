"""The parts of a rulebook beside ``book.toml``: crew, felt, talk, school and the like.

A part is a TOML file, such as ``crew/sequence.toml``, named without its suffix. The folder
``customs`` has the same parts, with the entries to use where a book says nothing. ``read_part``
merges the two: first the entries of the customs in their order, each updated with the book's entry
of the same name, then the book's other entries. So a book lists only its clauses and its
differences. A book that builds on another inherits the parts of its base, and its own entries come
on top.

Three keys control the merge, and the result does not contain them:

- ``optional = true`` in the customs: the entry is only for books that name it;
- ``omit = true`` in a book: this book does without the entry;
- ``insert_after = "NAME"`` in a book: its own entry comes after that one, and not last.

This module reads the files that ``book_files`` finds, and converts what is in them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from difflib import get_close_matches
from functools import cache, partial
from types import UnionType
from typing import Any, Literal, NamedTuple, TypeVar, Union, get_args, get_origin

import msgspec
from msgspec.structs import fields

from passline.game.law.base_books import (
    find_hidden_clauses,
    list_chain,
    merge_parts,
    qualify_citations,
    qualify_clause,
)
from passline.game.law.book_files import (
    BOOKS,
    CUSTOMS_FOLDER,
    BookError,
    BookFiles,
    find_book_files,
    find_known_files,
    read_toml_file,
)
from passline.game.law.citations import key_path

T = TypeVar("T")
_MERGE_KEYS = ("optional", "omit", "insert_after")


def read_customs(part: str) -> dict[str, Any]:
    """Return a part of the customs as data; an empty dict if the customs have no such part."""
    path = CUSTOMS_FOLDER / f"{part}.toml"
    return read_toml_file(path) if path.is_file() else {}


def read_own_part(book_id: str, part: str) -> dict[str, Any]:
    """Return the part named ``part`` from the book's own file, as data, without the customs.

    Return {} if the book has no such file. If the book builds on another, the result is the base's
    part, updated with the book's own.
    """
    chain = list_chain(book_id)
    merged: dict[str, Any] = {}
    for files in reversed(chain):
        data = read_part_file(files, part)
        if data and files != chain[0]:
            data = qualify_part(data, files, chain)
        merged = merge_parts(merged, data)
    return merged


def read_part_file(files: BookFiles, part: str) -> dict[str, Any]:
    """Return the data of a part's file in one folder, as it is written; {} if there is none."""
    path = files.folder / f"{part}.toml" if files.folder is not None else None
    return read_toml_file(path) if path is not None and path.is_file() else {}


def qualify_part(
    data: dict[str, Any], files: BookFiles, chain: tuple[BookFiles, ...]
) -> dict[str, Any]:
    """Return a base's part with its citations written as the first book of the chain cites them."""
    hidden = find_hidden_clauses(chain, files)
    cite = partial(qualify_clause, files.id, hidden)
    found: dict[str, Any] = qualify_citations(data, cite, ()) if hidden else data
    return found


def name_part(book_id: str, part: str) -> str:
    """Return the path of a book's file for a part, for messages.

    It is the nearest base's file if only a base has one.
    """
    chain = list_chain(book_id) or (find_book_files(book_id),)
    having = (f for f in chain if f.folder and (f.folder / f"{part}.toml").is_file())
    files = next(having, chain[0])
    return files.show(files.folder / f"{part}.toml") if files.folder else f"{part}.toml"


def read_part(book_id: str, part: str) -> dict[str, Any]:
    """Return a part of a rulebook as data, merged with the customs.

    Raise BookError if an entry of the book cannot be merged.

    >>> read_part("iowa", "crew/sequence")["step"]["call"]
    {'do': 'call', 'by': 'stick', 'cite': 'stick.6#1'}
    """
    customs, own = read_customs(part), read_own_part(book_id, part)
    try:
        return merge_entries(customs, own)
    except BookError as error:
        raise BookError(f"rulebook {book_id}: {part}.toml: {error}") from None


def merge_entries(customs: Mapping[str, Any], own: Mapping[str, Any]) -> dict[str, Any]:
    """Return the entries of the customs, each updated with the entry of the same name in ``own``.

    An optional entry of the customs (``square`` below) stays only if the book's own entries name
    it. An entry that only the book has is new; ``insert_after`` says where it goes. Raise BookError
    if an ``insert_after`` names no entry.

    >>> customs = {"call": {"by": "stick"}, "square": {"by": "stick", "optional": True}}
    >>> merge_entries(customs, {"call": {"cite": "9.A"}})
    {'call': {'by': 'stick', 'cite': '9.A'}}
    >>> list(merge_entries(customs, {"square": {}, "bow": {"insert_after": "call"}}))
    ['call', 'bow', 'square']
    """
    merged: dict[str, Any] = {}
    for name, custom in customs.items():
        said = own.get(name)
        if not isinstance(custom, dict):
            merged[name] = custom if said is None else said
        elif said is not None or not custom.get("optional"):
            merged[name] = merge_entries(custom, said or {})
    for name, said in own.items():
        if name not in merged:
            entry = merge_entries({}, said) if isinstance(said, dict) else said
            merged = _insert_entry(merged, name, entry, said)
    for name in [*merged]:
        if any(_omits(table.get(name)) for table in (customs, own)) or name in _MERGE_KEYS:
            del merged[name]
    return merged


def _omits(entry: object) -> bool:
    return isinstance(entry, dict) and entry.get("omit") is True


def _insert_entry(merged: dict[str, Any], name: str, entry: Any, said: Any) -> dict[str, Any]:
    """Return the entries with a book's own entry added: after the entry that it names, or last.

    ``said`` is the entry as the book writes it; its ``insert_after`` is the name. Raise BookError
    if there is no entry of that name.
    """
    before = said.get("insert_after") if isinstance(said, dict) else None
    names = [*merged]
    if before is not None and before not in names:
        near = get_close_matches(str(before), names, 1)
        hint = f"; did you mean {near[0]!r}?" if near else ""
        raise BookError(f"{name}.insert_after: there is no entry {before!r} here{hint}")
    at = names.index(before) + 1 if before is not None else len(names)
    return {key: {**merged, name: entry}[key] for key in (*names[:at], name, *names[at:])}


def convert_part(book_id: str, part: str, data: Mapping[str, Any], kind: type[T]) -> T:
    """Return the data of a rulebook's part (such as ``felt``) as an instance of ``kind``.

    Raise BookError with the key path of a value of the wrong type.
    """
    try:
        return msgspec.convert(data, kind, strict=True)
    except msgspec.ValidationError:
        raise BookError(f"rulebook {book_id}: {part}.toml: {find_fault(data, kind)}") from None


@cache
def _load_part(files: BookFiles | None, book_id: str, part: str, kind: Any) -> Any:
    return convert_part(book_id, part, read_part(book_id, part), kind)


def load_part(book_id: str, part: str, kind: type[T]) -> T:
    """Return a part of a rulebook, merged with the customs, as an instance of ``kind``. Cached.

    Raise BookError if it cannot be read, merged or converted.
    """
    hashable: Any = kind
    found: T = _load_part(find_known_files(book_id), book_id, part, hashable)
    return found


@cache
def find_customary_book() -> str:
    """Return the id of the shipped book whose crew manual fills the gaps of other books, or ""."""
    return next((b for b in BOOKS if read_own_part(b, "crew/manual").get("customary")), "")


def iter_part_clauses(data: Any, path: str = "") -> Iterator[tuple[str, str]]:
    """Yield every clause that the data of a part cites, as (key path, clause)."""
    if isinstance(data, list):
        for index, member in enumerate(data):
            yield from iter_part_clauses(member, key_path(path, index))
    elif isinstance(data, dict):
        for key, value in data.items():
            below = key_path(path, key)
            if key in ("cite", "also", "beside", "cite_by_game"):
                yield from ((below, clause) for clause in _iter_words(value))
            else:
                yield from iter_part_clauses(value, below)


def _iter_words(value: Any) -> Iterator[str]:
    """Yield every string in a value, which is a string, a list or a dict of strings."""
    if isinstance(value, str):
        yield value
    else:
        for below in value.values() if isinstance(value, dict) else value:
            yield from _iter_words(below)


class DataFault(NamedTuple):
    """Where data has the wrong type, as a key path, and why. An empty path means the whole data."""

    path: str
    reason: str

    def __str__(self) -> str:
        return f"{self.path}: {self.reason}" if self.path else self.reason


def find_fault(data: Any, kind: Any, path: str = "") -> DataFault | None:
    """Return where and why data has the wrong type, or None if all of it is right.

    ``kind`` is the type that the data should have, and ``path`` the key path of the data. msgspec's
    message does not name the keys of dicts. So each part is converted alone, going deeper until the
    smallest wrong part is found. A wrong key is reported for its dict.

    >>> str(find_fault({"points": {"4": 5, "six": "6"}}, dict[str, dict[str, int]]))
    'points.six: Expected `int`, got `str`'
    """
    try:
        msgspec.convert(data, kind, strict=True)
    except msgspec.ValidationError as wrong:
        if (unknown := _find_unknown_key(data, kind)) is not None:
            return DataFault(path, f"Object contains unknown field `{unknown}`")
        for key in data if isinstance(data, dict) and get_origin(kind) is dict else ():
            if (found := find_fault(key, get_args(kind)[0], path)) is not None:
                return found
        for key, part, below in _iter_parts(data, kind):
            found = find_fault(part, below, key_path(path, key))
            if found is not None:
                return found
        return DataFault(path, str(wrong))
    return None


def _find_unknown_key(data: Any, kind: Any) -> str | None:
    """Return a key of data that a struct does not have, or None.

    Such a key is often a misspelling of one that is missing.
    """
    config = getattr(kind, "__struct_config__", None)
    if config is None or not config.forbid_unknown_fields or not isinstance(data, dict):
        return None
    known = {field.encode_name for field in fields(kind)} | {config.tag_field}
    return next((key for key in data if key not in known), None)


def _iter_parts(data: Any, kind: Any) -> Iterator[tuple[str | int, Any, Any]]:
    """Yield (key, child, type of the child) for each child of data that should be a ``kind``."""
    origin, args = get_origin(kind) or kind, get_args(kind)
    if origin in (UnionType, Union):  # Union: CitedValue[str] | None
        yield from _iter_union_parts(data, args)
    elif isinstance(data, dict) and origin is dict:
        yield from ((key, part, args[1]) for key, part in data.items())
    elif isinstance(data, list) and origin is tuple:
        yield from ((at, part, args[0]) for at, part in enumerate(data))
    elif isinstance(data, dict) and hasattr(origin, "__struct_config__"):
        for field in fields(kind):
            if field.encode_name in data:
                yield field.encode_name, data[field.encode_name], field.type


def _iter_union_parts(data: Any, members: tuple[Any, ...]) -> Iterator[tuple[str | int, Any, Any]]:
    """Yield (key, child, type) for each child, read as the union member that the data's tag names.

    Without tags, yield the children for every member.
    """
    structs = {m.__struct_config__.tag: m for m in members if hasattr(m, "__struct_config__")}
    tagged = [tag for tag in structs if tag is not None]
    if tagged and isinstance(data, dict):
        key = structs[tagged[0]].__struct_config__.tag_field
        if data.get(key) in tagged:
            yield from _iter_parts(data, structs[data[key]])
        elif key in data:
            yield key, data[key], Literal[tuple(tagged)]
    else:
        for member in members:
            yield from _iter_parts(data, member)
