"""A rulebook whose wagers all have other names: by their shapes nothing has changed."""

from __future__ import annotations

import re
import tomllib
from functools import cache
from typing import Any

from passline.game.house.elections import parse_value
from passline.game.house.house import House, make_house
from passline.game.law.book import Book
from passline.game.law.book_files import find_book_files, read_book_file
from passline.game.law.load import make_book, rulebook
from passline.game.law.wager_names import wager_slugs
from passline.record.read import Record


def other_name(family: str) -> str:
    """A name that no book has and no dealer would know: letters turned, and no figure in it."""
    return f"q{family[::-1].translate(str.maketrans('0123456789', 'abcdefghij'))}w"


def _turned(node: Any, names: dict[str, str]) -> Any:
    """Data with every word that names a wager put otherwise."""
    if isinstance(node, dict):
        return {names.get(key, key): _turned(value, names) for key, value in node.items()}
    if isinstance(node, list):
        return [_turned(value, names) for value in node]
    return names.get(node, node) if isinstance(node, str) else node


@cache
def renamed(book_id: str) -> Book:
    """The book with another name for each of its wagers, and for nothing else."""
    data = tomllib.loads(read_book_file(find_book_files(book_id).book))
    names = {family: other_name(family) for family in data["wager"]}
    turned = dict(data)
    rules = {family: _renamed(rule, names) for family, rule in data["wager"].items()}
    turned["wager"] = {names[family]: rule for family, rule in rules.items()}
    for section, key in (
        ("dice", "line_wagers"),
        ("tender", "match_play"),
        ("stakes", "pays_fixed"),
        ("shootout", "needs"),
    ):
        if key in turned.get(section, {}):
            turned[section] = turned[section] | {key: _turned(turned[section][key], names)}
    turned["elect"] = {
        _layout_key(key, names): value for key, value in data.get("elect", {}).items()
    }
    return make_book(turned)


def _renamed(rule: dict[str, Any], names: dict[str, str]) -> dict[str, Any]:
    own = {key: _turned(rule[key], names) for key in ("flat", "legs", "parts") if key in rule}
    return rule | own


def _layout_key(key: str, names: dict[str, str]) -> str:
    section, _, name = key.partition(".")
    return f"{section}.{names.get(name, name)}" if section == "layout" else key


def house_renamed(record: Record) -> House:
    """The house of a record, under the renamed book."""
    given = {key: parse_value(value) for key, value in record.elections}
    return make_house(renamed(record.rulebook), record.game or None, given)


def in_floor_words(book_id: str, text: str) -> str:
    """A text with the renamed book's slugs put back: those of the published one."""
    back = dict(zip(wager_slugs(renamed(book_id)), wager_slugs(rulebook(book_id)), strict=True))
    named = "|".join(re.escape(own) for own in sorted(back, key=len, reverse=True))
    return re.sub(rf"(?<![a-z0-9-])(?:{named})(?![a-z0-9-])", lambda m: back[m[0]], text)
