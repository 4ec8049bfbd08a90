"""The slang of the table, read once from ``slang.toml``."""

from __future__ import annotations

from functools import cache
from importlib import resources

import msgspec

from passline.law.cited import Sourced


class SlangPhrase(Sourced, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What may be said, and the plain words it stands for; from which book, if from one."""

    say: tuple[str, ...]
    means: str
    book: str = ""


class Money(Sourced, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Words for money, and how many dollars they are."""

    say: tuple[str, ...]
    dollars: int
    book: str = ""


class _File(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    small: tuple[str, ...]
    filler: tuple[str, ...]
    money: tuple[Money, ...]
    phrase: tuple[SlangPhrase, ...]


class Slang(msgspec.Struct, frozen=True):
    """Words that say nothing about a bet, words for money, and phrases with their meaning.

    ``filler`` is not understood, and may be left out of what is offered: it says nothing at all.
    """

    small: frozenset[str]
    filler: frozenset[str]
    money: dict[str, int]
    phrases: dict[str, str]
    entries: tuple[SlangPhrase | Money, ...]


@cache
def slang() -> Slang:
    """The table's slang.

    >>> slang().phrases["little joe"], slang().money["nickel"]
    ('total-4', 5)
    """
    text = resources.files("passline.talk").joinpath("slang.toml").read_text("utf-8")
    found = msgspec.toml.decode(text, type=_File)
    return Slang(
        small=frozenset(found.small),
        filler=frozenset(found.filler),
        money={word: money.dollars for money in found.money for word in money.say},
        phrases={said: phrase.means for phrase in found.phrase for said in phrase.say},
        entries=(*found.money, *found.phrase),
    )
