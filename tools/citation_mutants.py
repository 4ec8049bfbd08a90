"""Mutants of a rulebook's lists and citations: places that cite a clause but have no value of it.

Such a clause decides a list as a whole (the wagers that are dealt, the grounds for a no roll), or
it is what a settlement or a refusal cites. Clauses under ``also`` are implemented by code alone,
which ``code_mutants`` changes.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from typing import Any

from mutant import Mutant

from passline.game.law.book_files import BOOKS
from passline.game.law.load import read_book_text
from passline.game.law.no_roll_and_dice_grounds import iter_ground_names, no_roll_grounds

_CUSTOM = "custom: "
#: Shapes that need no other wager, and what ties a wager to its own book.
_ALONE = ("one-roll", "race", "hardway")
_TIES = ("offer", "games", "vig")
#: Words of a wager that a settlement or a refusal names.
_NAMES = ("lost_by", "won_by", "level_by", "limited_by", "units_by", "restored_by")


def list_citation_mutants(book_id: str, data: dict[str, Any]) -> Iterator[Mutant]:
    """Yield every mutant of a book's lists and citations. ``data`` is the book's."""
    yield from _listed_wagers(book_id, data)
    yield from _listed_grounds(book_id, data)
    if data.get("no_other_fee"):
        yield from _cite(book_id, data, ("no_other_fee",), "")
    yield from _cite(book_id, data, ("tender", "chips"))
    for name, rule in data["wager"].items():
        # What is always booked as its parts is never settled itself.
        settled = rule.get("split", {}).get("is") != "always"
        for word in _NAMES if settled else ():
            yield from _cites(book_id, data, ("wager", name, word), rule.get(word))


def _listed_wagers(book_id: str, data: dict[str, Any]) -> Iterator[Mutant]:
    """Yield changes of the list of wagers: one fewer, or one that only another book has."""
    wagers = data["wager"]
    clauses = (data["unlisted"],) if is_cited(data["unlisted"]) else ()
    for name in wagers:
        if not _is_needed(name, data):
            left = {other: rule for other, rule in wagers.items() if other != name}
            yield Mutant(book_id, "wager", ("wager",), f"drop {name}", left, clauses)
    for name, rule in _foreign(data).items():
        more = {**wagers, name: rule}
        yield Mutant(book_id, "wager", ("wager",), f"add {name}", more, clauses)


def _is_needed(name: str, data: dict[str, Any]) -> bool:
    """Return whether another part of the book names a wager, so that it cannot be dropped alone."""
    rules = data["wager"].values()
    in_rules = any(name == r.get("flat") or name in r.get("legs", {}).get("is", ()) for r in rules)
    in_dice = name in data["dice"]["line_wagers"]["is"]
    return in_rules or in_dice or name in data.get("shootout", {}).get("needs", {}).get("is", ())


def _foreign(data: dict[str, Any]) -> dict[str, Any]:
    """Return {name: rule} of other books' wagers that this one lacks and that need no other."""
    found: dict[str, Any] = {}
    for sister in BOOKS:
        for name, rule in tomllib.loads(read_book_text(sister))["wager"].items():
            if rule["shape"] in _ALONE and name not in data["wager"]:
                rule = {key: word for key, word in rule.items() if key not in _TIES}
                found.setdefault(name, rule)
    return found


def _listed_grounds(book_id: str, data: dict[str, Any]) -> Iterator[Mutant]:
    """Yield changes of the grounds for a no roll: the list with one more ground that it lacks.

    Yield none if no clause makes the list complete.
    """
    throw = data["throw"]
    if not is_cited(throw["listed_by"]):
        return
    known = {g["is"] for key in ("void", "grounds", "barred") for g in throw.get(key, ())}
    for ground in dict.fromkeys(iter_ground_names(no_roll_grounds)):
        if ground not in known:
            more = [*throw["grounds"], {"is": ground, "cite": throw["listed_by"]}]
            where, clauses = ("throw", "grounds"), (throw["listed_by"],)
            yield Mutant(book_id, "throw.grounds", where, f"add {ground}", more, clauses)


def is_cited(word: str) -> bool:
    return bool(word) and not word.startswith(_CUSTOM)


def _cites(
    book_id: str, data: dict[str, Any], keys: tuple[str | int, ...], value: Any
) -> Iterator[Mutant]:
    """Yield changes of the citation ``value``: of a list's first clause, or of each in a dict."""
    if isinstance(value, str):
        yield from _cite(book_id, data, keys)
    elif isinstance(value, list) and value:
        yield from _cite(book_id, data, (*keys, 0))
    elif isinstance(value, dict) and "is" not in value:
        for face in value:
            yield from _cite(book_id, data, (*keys, face))


def _cite(
    book_id: str, data: dict[str, Any], keys: tuple[str | int, ...], other: str = "no-such-clause"
) -> Iterator[Mutant]:
    spot: Any = data
    for key in keys:
        spot = spot[key]
    if is_cited(spot):
        path = ".".join(str(key) for key in keys if not isinstance(key, int))
        change = f"{spot} → {other}" if other else f"drop {spot}"
        yield Mutant(book_id, path, keys, change, other, (spot,))
