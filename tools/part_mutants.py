"""Mutants of the rulebooks' other data: the crew's work, table talk, and who may do what.

In ``crew/**.toml``, ``talk.toml`` and ``act_rules.toml``, every TOML table that cites a clause is
changed: one key at a time, then dropped, and last made to cite another clause. If the books share a
table (it is in the customs), it is changed there, for the clauses that any book cites for it.
"""

from __future__ import annotations

import copy
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from mutant import Key

from passline.game.law import book_parts
from passline.game.law.book_files import BOOKS, CUSTOMS_FOLDER, find_book_files, read_toml_file
from passline.game.law.citations import key_path
from passline.game.law.clauses import clauses_by_id

LAW = CUSTOMS_FOLDER.parent
#: Keys that say where a table comes from or which books have it, not what it says.
_SOURCES = ("cite", "also", "cite_by_game", "custom", "optional", "omit", "insert_after")
_CITING = ("cite", "also", "cite_by_game")
_GONE = object()


class PartMutant(NamedTuple):
    """One change in one file: as in `Mutant`, with the clauses that a test of it may claim."""

    file: Path
    keys: tuple[Key, ...]
    path: str
    change: str
    value: Any
    clauses: tuple[str, ...]

    @property
    def name(self) -> str:
        """The mutant's name in ``clause_tests.tsv``."""
        return f"{self.file.relative_to(LAW)}: {self.path}: {self.change}"

    def install(self) -> Callable[[], None]:
        """Make later readings of the file include the change. Return a function that undoes it."""
        plain = read_toml_file

        def read(path: Path) -> dict[str, Any]:
            return self.apply(plain(path)) if path == self.file else plain(path)

        vars(book_parts)["read_toml_file"] = read

        def undo() -> None:
            vars(book_parts)["read_toml_file"] = plain

        return undo

    def apply(self, data: dict[str, Any]) -> dict[str, Any]:
        """Return a copy of the file's data with this change made."""
        changed = copy.deepcopy(data)
        spot: Any = changed
        for key in self.keys[:-1]:
            spot = spot[key]
        if self.value is _GONE:
            del spot[self.keys[-1]]
        else:
            spot[self.keys[-1]] = self.value
        return changed


class _CitedTable(NamedTuple):
    """A TOML table, and the keys that lead to it.

    ``cites`` has (keys that lead to the citation, clause) for each clause that it cites.
    """

    keys: tuple[Key, ...]
    path: str
    table: dict[str, Any]
    cites: tuple[tuple[tuple[Key, ...], str], ...]


def _iter_tables(data: Any, keys: tuple[Key, ...] = (), path: str = "") -> Iterator[_CitedTable]:
    """Yield every TOML table in the data, the outer ones first, with ``cites`` left empty."""
    if isinstance(data, list):
        for index, member in enumerate(data):
            yield from _iter_tables(member, (*keys, index), key_path(path, index))
    elif isinstance(data, dict):
        yield _CitedTable(keys, path, data, ())
        for key, value in data.items():
            if key not in _SOURCES:
                yield from _iter_tables(value, (*keys, key), key_path(path, key))


def _find_cited(data: dict[str, Any], book: str) -> list[_CitedTable]:
    """Return the TOML tables in a file of ``book`` that cite one of its clauses."""
    found = []
    for table in _iter_tables(data):
        cites = tuple(
            cite
            for key in _CITING
            for cite in _iter_clauses(table.table.get(key, ()), book, (*table.keys, key))
        )
        if cites:
            found.append(table._replace(cites=cites))
    return found


def _iter_clauses(
    words: Any, book: str, keys: tuple[Key, ...]
) -> Iterator[tuple[tuple[Key, ...], str]]:
    """Yield (keys, clause) for each clause id in a citation, as "book:clause".

    The citation ``words`` is an id, or a list or a dict (by game or by kind) of ids.
    """
    if isinstance(words, str):
        if words in clauses_by_id(book):
            yield keys, f"{book}:{words}"
    elif isinstance(words, Mapping | list):
        pairs = words.items() if isinstance(words, Mapping) else enumerate(words)
        for key, below in pairs:
            yield from _iter_clauses(below, book, (*keys, key))


def _list_parts() -> list[str]:
    """Return the files that are mutated, by path without suffix, such as ``crew/sequence``."""
    folders = [CUSTOMS_FOLDER, *(find_book_files(book).book.parent for book in BOOKS)]
    found = {
        path.relative_to(folder).with_suffix("").as_posix()
        for folder in folders
        for path in folder.rglob("*.toml")
    }
    return sorted(p for p in found if p.startswith("crew/") or p in ("talk", "act_rules"))


def list_part_mutants() -> list[PartMutant]:
    """Return every mutant: first those of what the tables say, then those of their citations."""
    mutants: list[PartMutant] = []
    cited: list[PartMutant] = []
    for part in _list_parts():
        owns = [table for book in BOOKS for table in _read_own_tables(book, part)]
        shared = _read_shared_tables(part, owns)
        every = [table for _, table in (*shared, *owns)]
        at = {table.keys for _, table in shared}
        for file, table in shared:
            mutants += _mutate(file, table, every)
            omitted = {**table.table, "omit": True}
            mutants.append(_make(file, table, table.keys, table.path, "drop it", omitted))
        for file, table in owns:
            mutants += _mutate(file, table, every)
            if table.keys and table.keys not in at:
                mutants.append(_make(file, table, table.keys, table.path, "drop it", _GONE))
            for keys, clause in table.cites:
                change = f"{clause.partition(':')[2]} → no-such-clause"
                where = f"{table.path}.{keys[len(table.keys)]}"
                cited.append(PartMutant(file, keys, where, change, "no-such-clause", (clause,)))
    return mutants + cited


def _read_own_tables(book: str, part: str) -> list[tuple[Path, _CitedTable]]:
    """Return (file, table) for each table in a book's own ``part`` that cites a clause."""
    file = find_book_files(book).book.parent / f"{part}.toml"
    tables = _find_cited(read_toml_file(file), book) if file.is_file() else []
    return [(file, table) for table in tables]


def _read_shared_tables(
    part: str, owns: list[tuple[Path, _CitedTable]]
) -> list[tuple[Path, _CitedTable]]:
    """Return (file, table) for each table of the customs for which a book cites clauses.

    ``owns`` are the books' own tables; those with the same keys have the citations.
    """
    file = CUSTOMS_FOLDER / f"{part}.toml"
    found = []
    for table in _iter_tables(read_toml_file(file) if file.is_file() else {}):
        cites = tuple(cite for _, own in owns if own.keys == table.keys for cite in own.cites)
        if table.keys and cites:
            found.append((file, table._replace(cites=cites)))
    return found


def _make(
    file: Path, table: _CitedTable, keys: tuple[Key, ...], path: str, change: str, value: Any
) -> PartMutant:
    clauses = tuple(dict.fromkeys(clause for _, clause in table.cites))
    return PartMutant(file, keys, path, change, value, clauses)


def _mutate(file: Path, table: _CitedTable, tables: list[_CitedTable]) -> Iterator[PartMutant]:
    """Yield the mutants of a table's values. ``tables`` give other values to put there."""
    for key, value in table.table.items():
        if key not in _SOURCES:
            others = [other.table[key] for other in tables if key in other.table]
            keys, path = (*table.keys, key), key_path(table.path, key)
            for change, new in _values(value, others):
                yield _make(file, table, keys, path, change, new)


def _values(value: Any, others: list[Any]) -> Iterator[tuple[str, Any]]:
    if isinstance(value, bool):
        yield f"{value} → {not value}".lower(), not value
    elif isinstance(value, int):
        yield f"{value} → {value + 1}", value + 1
    elif isinstance(value, str):
        words = (o for o in others if isinstance(o, str) and o != value and len(o) < 20)
        for other in [*list(dict.fromkeys(words))[:2], f"{value} otherwise"]:
            yield f"→ {other[-30:]}", other
    elif isinstance(value, list):
        for index, member in enumerate(value):
            if not isinstance(member, dict):
                yield f"drop {member}"[:40], value[:index] + value[index + 1 :]
        if value != value[::-1]:
            yield "turned round", value[::-1]
    elif isinstance(value, dict) and not {"cite", "also"} & set(value):
        for key, below in value.items():
            for change, new in _values(below, []):
                yield f"{key} {change}", {**value, key: new}
