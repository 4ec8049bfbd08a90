"""Mutants of what the crew says and does, and of table talk: the data beside the rulebooks.

Every table of ``crew/*.toml``, ``crew/phrases/*.toml``, ``talk/*.toml`` and ``game/law/act_rules.toml``
that cites a clause is changed, one key at a time; dropped; and last made to cite another clause.
"""  # noqa: E501

from __future__ import annotations

import copy
import tomllib
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

import msgspec
from mutant import Key

from passline.game.law.book_files import BOOKS
from passline.game.law.citations import key_path
from passline.game.law.clauses import clauses_by_id

SOURCE = Path(__file__).parent.parent / "src" / "passline"
FILES = (
    *sorted(p for room in ("crew", "talk") for p in (SOURCE / room).rglob("*.toml")),
    SOURCE / "game" / "law" / "act_rules.toml",
)
#: Keys that say where a table comes from, not what it says.
_SOURCES = ("cite", "also", "custom", "book", "only")
_GONE = object()


class FloorMutant(NamedTuple):
    """One change in one file: where, what, the new value, and whose clauses it concerns."""

    file: Path
    keys: tuple[Key, ...]
    path: str
    change: str
    value: Any
    clauses: tuple[str, ...]

    @property
    def name(self) -> str:
        """As clause_tests.tsv has it."""
        return f"{self.file.relative_to(SOURCE)}: {self.path}: {self.change}"

    def install(self) -> Callable[[], None]:
        """Have the file read so; what comes back has it read as it is again."""
        text, plain = self.file.read_text("utf-8"), msgspec.toml.decode

        def decode(given: Any, *, type: Any = Any, **kwargs: Any) -> Any:  # noqa: A002
            if given != text:
                return plain(given, type=type, **kwargs)
            return msgspec.convert(self.apply(tomllib.loads(text)), type)

        def undo() -> None:
            vars(msgspec.toml)["decode"] = plain

        vars(msgspec.toml)["decode"] = decode
        return undo

    def apply(self, data: dict[str, Any]) -> dict[str, Any]:
        """The file's data with this change made."""
        changed = copy.deepcopy(data)
        spot: Any = changed
        for key in self.keys[:-1]:
            spot = spot[key]
        if self.value is _GONE:
            del spot[self.keys[-1]]
        else:
            spot[self.keys[-1]] = self.value
        return changed


class _Cited(NamedTuple):
    """A table that cites: its way down, itself, and the clauses as (way to the word, clause)."""

    keys: tuple[Key, ...]
    path: str
    table: dict[str, Any]
    cites: tuple[tuple[tuple[Key, ...], str], ...]


def _tables(data: Any, book: str, keys: tuple[Key, ...], path: str) -> Iterator[_Cited]:
    if isinstance(data, list):
        for index, member in enumerate(data):
            yield from _tables(member, book, (*keys, index), key_path(path, index))
    if not isinstance(data, dict):
        return
    book = data.get("book", book) if isinstance(data.get("book", book), str) else book
    cites = tuple(
        found
        for key in ("cite", "also")
        if not isinstance(data.get(key), bool)
        for found in _clauses(data.get(key, ()), book, (*keys, key))
    )
    if cites:
        yield _Cited(keys, path, data, cites)
    for key, value in data.items():
        if key not in _SOURCES:
            yield from _tables(value, book, (*keys, key), key_path(path, key))


def _clauses(words: Any, book: str, keys: tuple[Key, ...]) -> Iterator[tuple[tuple[Key, ...], str]]:
    """The clauses in a word, a list, or a table by rulebook (and game) or by kind."""
    if isinstance(words, str):
        owners = [book] if book else BOOKS
        for owner in owners:
            if words in clauses_by_id(owner):
                yield keys, f"{owner}:{words}"
    elif isinstance(words, Mapping):
        for key, below in words.items():
            owner = str(key).partition(" ")[0]
            yield from _clauses(below, owner if owner in BOOKS else book, (*keys, key))
    elif isinstance(words, list):
        for index, word in enumerate(words):
            yield from _clauses(word, book, (*keys, index))


def floor_mutants() -> list[FloorMutant]:
    """Every mutant of every file: first what changes what is said or done, then the citations."""
    said: list[FloorMutant] = []
    cited: list[FloorMutant] = []
    for file in FILES:
        data = tomllib.loads(file.read_text("utf-8"))
        tables = list(_tables(data, "", (), ""))
        for table in tables:
            clauses = tuple(dict.fromkeys(clause for _, clause in table.cites))
            for keys, path, change, value in _changes(table, tables):
                said.append(FloorMutant(file, keys, path, change, value, clauses))
            for keys, clause in table.cites:
                word = clause.partition(":")[2]
                change = f"{word} → no-such-clause"
                where = f"{table.path}.{keys[len(table.keys)]}"
                cited.append(FloorMutant(file, keys, where, change, "no-such-clause", (clause,)))
    return said + cited


def _changes(
    table: _Cited, tables: list[_Cited]
) -> Iterator[tuple[tuple[Key, ...], str, str, Any]]:
    for key, value in table.table.items():
        if key not in _SOURCES:
            others = [other.table[key] for other in tables if key in other.table]
            keys, path = (*table.keys, key), key_path(table.path, key)
            for change, new in _values(value, others):
                yield keys, path, change, new
    if table.keys:
        yield table.keys, table.path, "drop it", _GONE


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
