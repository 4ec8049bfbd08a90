"""Mutants of a rulebook's values, one change at a time.

The types of ``passline.game.law`` say what else a value could be: another word of its Literal, the
opposite truth value, a number one off, a list with a member dropped or added.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from functools import cache
from typing import Any, NamedTuple

import msgspec.inspect as mi
from citation_mutants import list_citation_mutants
from mutant import Key, Mutant

from passline.game.law.book import Book, Ground
from passline.game.law.citations import key_path, read_citations
from passline.game.law.no_roll_and_dice_grounds import iter_ground_names, no_roll_grounds
from passline.game.law.wagers import BookMaximum, PayLine

TOTALS = (2, 3, 11, 12, 4, 10, 5, 9, 6, 8, 7)
BOX = tuple(total for total in TOTALS if total != 7)
HARD = ("2-2", "3-3", "4-4", "5-5")
COMBINATIONS = tuple(
    dict.fromkeys((*HARD, *(f"{a}-{b}" for a in range(1, 7) for b in range(a, 7))))
)
ROLES = ("dealer", "stickperson", "boxperson", "floorperson", "supervisor")
FOREIGN_WAGERS = ("field", "come", "place-win", "pass")
#: Lists of games: each game that a list leaves out is tried.
_GAMES = ("games", "required", "automated")
_FIRSTS = ("first_win", "first_lose", "first_push")

CUSTOMS = "customs"  # the name that they go by among the books
SIDE_BETS = "side-bets"  # the catalog of side bets, as if it were a book
#: The mark that stands for all tests of the catalog.
CATALOG = "catalog"

Change = tuple[str, Any]


class Entry(NamedTuple):
    """A value with its citation in a book's data: ``entry`` is the dict with both.

    ``keys`` and ``path`` lead to it, ``owner`` is the table that it is in, ``cls`` its class, and
    ``kind`` the type of its value (the key ``is``).
    """

    keys: tuple[Key, ...]
    path: str
    entry: dict[str, Any]
    owner: dict[str, Any]
    cls: Any
    kind: mi.Type


@cache
def _book_type() -> mi.Type:
    return mi.type_info(Book)


def entries(data: dict[str, Any]) -> Iterator[Entry]:
    """Yield every value of a book that has a citation or a custom."""
    yield from _walk(data, {}, _book_type(), (), "")


def _walk(
    data: Any, owner: dict[str, Any], kind: mi.Type, keys: tuple[Key, ...], path: str
) -> Iterator[Entry]:
    if isinstance(kind, mi.UnionType):
        kind = _member(data, kind)
    if isinstance(kind, mi.StructType):
        if "is" in data:
            value = next(f.type for f in kind.fields if f.encode_name == "is")
            yield Entry(keys, path, data, owner, kind.cls, value)
            return
        for field in kind.fields:
            name = field.encode_name
            if name in data:
                below = key_path(path, name)
                yield from _walk(data[name], data, field.type, (*keys, name), below)
    elif isinstance(kind, mi.DictType):
        for key, value in data.items():
            below = key_path(path, key)
            yield from _walk(value, data, kind.value_type, (*keys, key), below)
    elif isinstance(kind, mi.VarTupleType):
        for index, value in enumerate(data):
            below = key_path(path, index)
            yield from _walk(value, owner, kind.item_type, (*keys, index), below)


def _member(data: Any, union: mi.UnionType) -> mi.Type:
    """Return the union member that the data is: the one with its tag, or the only struct."""
    structs = [t for t in union.types if isinstance(t, mi.StructType)]
    if not isinstance(data, dict):
        return next((t for t in union.types if not isinstance(t, mi.StructType)), union.types[0])
    for struct in structs:
        if struct.tag_field and data.get(struct.tag_field) == struct.tag:
            return struct
    plain = [t for t in union.types if isinstance(t, mi.DictType)]
    return structs[0] if structs else plain[0]


def list_value_mutants(book_id: str, data: dict[str, Any]) -> Iterator[Mutant]:
    """Yield every mutant of a book, of ``customs`` or of ``side-bets``; ``data`` is its data."""
    for found in entries(data):
        # What no clause gives is held by its own key path, where all books share it.
        own = {CUSTOMS: (found.path,), SIDE_BETS: (CATALOG,)}
        clauses = own.get(book_id) or read_citations(found.entry)
        # A number that is one of a few gets the same neighbour twice.
        for change, value in dict(_changes(found, data)).items():
            mutant = Mutant(book_id, found.path, (*found.keys, "is"), change, value, clauses)
            yield _without_highs(mutant, data) if found.keys[-1] == "win" else mutant
        for key in ("on", "by"):
            yield from _beside(book_id, found, key, clauses)
    yield from _words(book_id, data)
    if book_id not in (CUSTOMS, SIDE_BETS):  # these name no clause
        yield from list_citation_mutants(book_id, data)


def _without_highs(mutant: Mutant, data: dict[str, Any]) -> Mutant:
    """Return a change of a wager's faces, without the "high" wagers that have it as a leg."""
    highs = [
        name
        for name, rule in data["wager"].items()
        if "high" in rule and mutant.keys[1] in rule["legs"]["is"]
    ]
    if not highs:
        return mutant
    changed = mutant.apply(data)["wager"]
    left = {name: rule for name, rule in changed.items() if name not in highs}
    change = f"{mutant.change}, no {' or '.join(highs)}"
    return mutant._replace(keys=("wager",), change=change, value=left)


#: Words of a wager that stand without a clause, and what each could be instead.
_WORDS = {"area": ("table", "center"), "level": ("win", "push"), "vig": ("buy", "lay", "")}


def _words(book_id: str, data: dict[str, Any]) -> Iterator[Mutant]:
    """Yield the mutants of the words of wagers that cite no clause (area, level, vig)."""
    for name, rule in data.get("wager", {}).items():
        for key, words in _WORDS.items():
            for word in words:
                if rule.get(key, word) not in (word, "side") and rule["shape"] != "odds":
                    change, value = _to(rule[key], word)
                    path = f"wager.{name}.{key}"
                    clauses = (CATALOG,) if book_id == SIDE_BETS else ()
                    yield Mutant(book_id, path, ("wager", name, key), change, value, clauses)


def _beside(book_id: str, found: Entry, key: str, clauses: tuple[str, ...]) -> Iterator[Mutant]:
    """Yield changes beside a value: a pay line's faces ("on"), or who may call a ground ("by")."""
    beside = found.entry.get(key)
    if not beside:
        return
    path, keys = f"{found.path}.{key}", (*found.keys, key)
    if key == "by":
        for game, roles in beside.items():
            for change, value in _list_changes(roles, ROLES):
                where = key_path(path, game)
                yield Mutant(book_id, where, (*keys, game), change, value, clauses)
    elif len(beside) > 1:
        for change, value in _drops(beside):
            yield Mutant(book_id, path, keys, change, value, clauses)
    else:
        # An empty list would mean "whatever is thrown": the whole line goes instead.
        lines = found.owner[str(found.keys[-2])]
        left = [line for place, line in enumerate(lines) if place != found.keys[-1]]
        yield Mutant(book_id, path, found.keys[:-1], f"drop the line on {beside[0]}", left, clauses)


def _changes(found: Entry, data: dict[str, Any]) -> Iterator[Change]:
    value = found.entry["is"]
    if found.cls is PayLine:
        win, _, stake = value.partition(" to ")
        yield _to(value, f"{int(win) + 1} to {stake}")
    elif found.cls is BookMaximum:
        yield from _int_changes(value)
    elif found.cls is Ground:
        used = {ground["is"] for ground in found.owner[str(found.keys[-2])]}
        known = (*iter_ground_names(no_roll_grounds), "no-such-ground")
        other = next(name for name in known if name not in used)
        yield _to(value, other)
    elif str(found.keys[-1]) == "default" and not isinstance(value, list):
        choices = found.owner["choices"]["is"] if "choices" in found.owner else ()
        yield from (_to(value, choice) for choice in choices if choice != value)
        if "choices" not in found.owner:
            yield from _scalar_changes(value, found.kind)
    elif str(found.keys[-1]) == "lose" and value == "other":
        yield "other → nothing", []
        spared, *rest = _faces(found.owner["win"]["is"], ())
        yield f"spare {spared}", rest
    elif isinstance(value, dict):
        yield from _dict_changes(value)
    elif isinstance(value, list):
        foreign = _foreigners(found, data)
        yield from _list_changes(value, foreign)
        if str(found.keys[-1]) in _GAMES:
            yield from ((f"add {g}", [*value, g]) for g in foreign if g not in value)
    else:
        same = _same_words(found, data)
        for change, word in _scalar_changes(value, found.kind):
            if word not in same:
                yield change, word


def _same_words(found: Entry, data: dict[str, Any]) -> tuple[str, ...]:
    """Return words that mean here what another one means.

    Only line and come wagers ever have a number, so "until-number" means "always" for the others,
    and for the book's general rule where every line and come wager has its own. Where no first
    roll loses a line wager (crapless craps), only a seven-out does, so "line-loss" means
    "loser-seven".
    """
    name = str(found.keys[-1])
    if name == "lost_by":
        lines = [rule for rule in data["wager"].values() if rule["shape"] == "line"]
        return ("line-loss",) if lines and not any("first_lose" in r for r in lines) else ()
    if name not in {"raises", "reduces", "removes"}:
        return ()
    shape = found.owner.get("shape")
    if shape is not None:
        numbered = shape in {"line", "come"}
    else:
        rules = data["wager"].values()
        numbered = any(r["shape"] in {"line", "come"} and name not in r for r in rules)
    return () if numbered else ("until-number",)


def _to(old: Any, new: Any) -> Change:
    return f"{_show(old)} → {_show(new)}", new


def _show(value: Any) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def _scalar_changes(value: Any, kind: mi.Type) -> Iterator[Change]:
    words = [w for t in _types(kind) if isinstance(t, mi.LiteralType) for w in t.values]
    yield from (_to(value, word) for word in sorted(words, key=str) if word != value)
    if isinstance(value, bool):
        yield _to(value, not value)
    elif isinstance(value, int):
        yield from _int_changes(value)
    elif any(isinstance(t, mi.IntType) for t in _types(kind)):
        yield _to(value, 1)
    elif not words:
        yield from _text_changes(value)


def _types(kind: mi.Type) -> tuple[mi.Type, ...]:
    return tuple(kind.types) if isinstance(kind, mi.UnionType) else (kind,)


def _int_changes(value: int) -> Iterator[Change]:
    yield _to(value, value + 1)
    if value > 1:
        yield _to(value, value - 1)


def _text_changes(value: str) -> Iterator[Change]:
    """Yield a rate one hundredth off either way, a time one minute later, or another word."""
    if re.fullmatch(r"0\.\d\d", value):
        cents = int(value[2:])
        yield from (_to(value, f"0.{c:02d}") for c in (cents + 1, cents - 1) if c >= 0)
    elif re.fullmatch(r"\d\d:\d\d", value):
        hour, minute = int(value[:2]), int(value[3:])
        yield _to(value, f"{hour:02d}:{(minute + 1) % 60:02d}")
    else:
        yield _to(value, "other")


def _dict_changes(value: dict[str, Any]) -> Iterator[Change]:
    for key, number in value.items():
        yield f"{key} {number} → {number + 1}", {**value, key: number + 1}
    if len(value) > 1:
        for key in value:
            yield f"drop {key}", {k: n for k, n in value.items() if k != key}


def _drops(value: list[Any]) -> Iterator[Change]:
    for index, member in enumerate(value):
        yield f"drop {_show(member)}", value[:index] + value[index + 1 :]


def _list_changes(value: list[Any], foreign: tuple[Any, ...]) -> Iterator[Change]:
    yield from _drops(value)
    other = next((member for member in foreign if member not in value), None)
    if other is not None:
        yield f"add {_show(other)}", [*value, other]


def _foreigners(found: Entry, data: dict[str, Any]) -> tuple[Any, ...]:
    """Return what could be added to a list and would mean something there, best first.

    A face that an earlier list of the wager decides is left out: it could never matter.
    """
    name, owner = str(found.keys[-1]), found.owner
    by_name: dict[str, Callable[[], tuple[Any, ...]]] = {
        # A game that no book has cannot be named in a header, so nothing could tell.
        "games": lambda: tuple(data["games"]["is"]) if owner.get("shape") else (),
        "required": lambda: _games(data),
        "automated": lambda: _games(data),
        "match_play": lambda: FOREIGN_WAGERS,
        "line_wagers": lambda: FOREIGN_WAGERS,
        "needs": lambda: _needed(owner, data),
        "pays_fixed": lambda: FOREIGN_WAGERS[::-1],
        "choices": lambda: _next_choice(found.entry["is"]),
        "high": lambda: (),
        "numbers": lambda: BOX,
        "won_on": lambda: tuple(data["wager"][str(found.keys[1])]["numbers"]["is"]),
        "points": lambda: BOX,
        "put": lambda: BOX,
        "win": lambda: _faces(found.entry["is"], ()),
        "lose": lambda: _faces(found.entry["is"], owner["win"]["is"]),
    }
    if name in (*_FIRSTS, "travels"):
        decided = [n for first in _FIRSTS for n in owner.get(first, {"is": []})["is"]]
        return tuple(total for total in TOTALS if total not in decided)
    if name in by_name:
        return by_name[name]()
    kind = found.kind
    if isinstance(kind, mi.VarTupleType) and isinstance(kind.item_type, mi.LiteralType):
        return tuple(kind.item_type.values)
    return ("other",)


def _games(data: dict[str, Any]) -> tuple[Any, ...]:
    """Return the book's games; for the customs, those that most books have."""
    return tuple(data["games"]["is"]) if "games" in data else ("craps", "crapless")


def _needed(owner: dict[str, Any], data: dict[str, Any]) -> tuple[Any, ...]:
    """Return wagers that a promotion could require, or numbers that a set could need."""
    if "counts" not in owner:
        return FOREIGN_WAGERS
    return tuple(data["points"]["is"]) if owner["counts"]["is"] == "points-made" else BOX


def _next_choice(choices: list[Any]) -> tuple[Any, ...]:
    """Return (next letter,) for choices named by letters, such as tables A and B; else ()."""
    letters = [c for c in choices if isinstance(c, str) and len(c) == 1]
    return (chr(ord(max(letters)) + 1),) if letters else ()


def _faces(value: list[Any], wins: Iterable[Any]) -> tuple[Any, ...]:
    """Return faces that are not in the list ``value`` and not in ``wins``.

    Totals for a wager on totals; combinations for one on combinations, those of the same total
    first.
    """
    decided = (*value, *wins)
    if all(isinstance(face, int) for face in value):
        return tuple(total for total in TOTALS if total not in decided)
    totals = {_total(face) for face in value if isinstance(face, str)}
    ranked = sorted(COMBINATIONS, key=lambda face: _total(face) not in totals)
    return tuple(f for f in ranked if f not in decided and _total(f) not in decided)


def _total(face: str) -> int:
    low, _, high = face.partition("-")
    return int(low) + int(high)
