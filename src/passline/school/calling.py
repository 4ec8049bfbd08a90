"""A stick's call read for its facts: what was said, in which order, whatever the words."""

from __future__ import annotations

import re
from functools import cache
from importlib import resources
from typing import NamedTuple

import msgspec

from passline.crew.facts import Facts, facts
from passline.crew.stick import pieces
from passline.crew.styles import Style, nicknames, style_named, uses
from passline.table import Table
from passline.table.events import Rolled

_WORD = re.compile(r"[a-z']+|\d+")
_NUMBERS = (
    "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve",
)  # fmt: skip
_TOTALS = {word: total for total, word in enumerate(_NUMBERS, 2)}
_TOTALS |= {str(total): total for total in range(2, 13)} | {"yo": 11, "aces": 2, "boxcars": 12}
_TOTALS |= {"midnight": 12}
_MARKS = {"hard": "hard", "easy": "easy", "out": "out", "winner": "winner", "winners": "winner"}
TOTAL = "total"


class HeardFact(NamedTuple):
    """A fact that was heard, and at which word."""

    fact: str
    at: int


@cache
def _signs() -> dict[str, list[str]]:
    text = resources.files("passline.school").joinpath("calls.toml").read_text("utf-8")
    return msgspec.toml.decode(text, type=dict[str, list[str]])


def words_of(text: str) -> list[str]:
    """The words of a call, without what only breathes."""
    return _WORD.findall(text.lower().replace("’", "'"))


class StickCall:
    """What the stick has to tell of a throw: the facts that must be said, and those that may."""

    def __init__(self, table: Table, rolled: Rolled) -> None:
        self.thrown: Facts = facts(table, rolled)
        self.said = pieces(table, rolled)
        book = table.house.book.id
        styles = [style_named(name) for name in uses().styles]
        own = [style for style in styles if style.book == book]
        self.styles: list[Style] = own or [style_named(uses().default.value)]
        self.must = self._must()
        self.may = {effect.key for effect in self.thrown.effects} | {*self.must}
        self.may |= set(self.thrown.marks)
        if self.thrown.phase == "established":
            self.may.add("point.marked")
        if self.thrown.occasion == "seven-out":
            self.may.add("point.was")

    def _must(self) -> list[str]:
        """The facts of the style's own call, in its order: the total, its marks, the effects."""
        found = [f"{TOTAL}:{self.thrown.total}"]
        found += [mark for mark in ("hard", "easy", "out") if mark in self.thrown.marks]
        for piece in self.said:
            for key in piece.key.split("+"):
                if key == "winner":
                    found.append("winner")
                elif key not in ("number", "way", "nickname"):
                    found.append(key)
        return list(dict.fromkeys(found))

    def rank(self, style: Style, fact: str) -> int | None:
        """Where a style says a fact; None: it has no place of its own."""
        if fact.startswith(TOTAL):
            return -1
        for place, entry in enumerate(style.order[self.thrown.occasion].say):
            if fact in entry.split("+"):
                return place
        return None

    def in_order(self, told: list[str]) -> bool:
        """Whether facts come in the order of one of the book's ways of calling."""
        for style in self.styles:
            places = [rank for fact in told if (rank := self.rank(style, fact)) is not None]
            if places == sorted(places):
                return True
        return False

    def hear(self, text: str) -> list[HeardFact]:
        """The facts that a call tells, true or not, in its order."""
        words: list[str | None] = list(words_of(text))
        found: list[HeardFact] = []
        for phrase, keys in self._phrases():
            size = len(phrase)
            for at in range(len(words) - size + 1):
                if words[at : at + size] == phrase:
                    found += [HeardFact(key, at) for key in keys]
                    for index in range(at, at + size):
                        found += self._within(words[index], index)
                        words[index] = None
        for at, word in enumerate(words):
            found += self._within(word, at)
        return sorted(found, key=lambda heard: heard.at)

    def _within(self, word: str | None, at: int) -> list[HeardFact]:
        """What a word tells by itself: a total, or what is so of the throw."""
        if word in _TOTALS:
            return [HeardFact(f"{TOTAL}:{_TOTALS[word]}", at)]
        return [HeardFact(_MARKS[word], at)] if word in _MARKS else []

    def _phrases(self) -> list[tuple[list[str], list[str]]]:
        """Every phrase that tells a fact, the longest first, so that "no field" is no field."""
        found: dict[tuple[str, ...], list[str]] = {}
        for style in (style_named(name) for name in uses().styles):
            for key, phrases in style.say.items():
                if key in ("number", "way"):
                    continue
                for phrase in phrases:
                    bare = re.sub(r"\{[a-z]+\}", " ", phrase.words)
                    found.setdefault(tuple(words_of(bare)), key.split("+"))
            for name in nicknames(style, self.thrown):
                total = [f"{TOTAL}:{self.thrown.total}"]
                found.setdefault(tuple(words_of(name.words)), total)
        for key, signs in _signs().items():
            for sign in signs:
                found[tuple(words_of(sign))] = key.split("+")
        rows = [(list(words), keys) for words, keys in found.items() if words]
        return sorted(rows, key=lambda row: -len(row[0]))
