"""Where things lie, book by book, with the clause that says so: ``felt.toml``."""

from __future__ import annotations

from functools import cache
from importlib import resources

import msgspec

#: No table is dealt that is longer than this, in feet.
_LONGEST = 24


class Lies(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A place on the felt: its clause by rulebook, or the custom."""

    cite: dict[str, str]
    custom: str
    also: dict[str, tuple[str, ...]] = {}

    def cited(self, book: str) -> str:
        """The book's clause, or the custom."""
        return self.cite.get(book, f"custom: {self.custom}")


class _Longest(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    feet: dict[str, int]
    cite: dict[str, str]


class _By(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    on: dict[str, str]
    cite: dict[str, str]
    also: dict[str, tuple[str, ...]] = {}


class _Notice(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    cite: dict[str, str]


class _Felt(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    lies: dict[str, Lies]
    longest: _Longest
    special: _By
    dead: _By
    notice: _Notice


@cache
def _felt() -> _Felt:
    text = resources.files("passline.felt").joinpath("felt.toml").read_text("utf-8")
    return msgspec.toml.decode(text, type=_Felt)


def cited(name: str, book: str) -> str:
    """The clause by which something lies where it does.

    >>> cited("pass-odds", "iowa"), cited("name", "iowa")
    ('wagers.5.c.A#2', 'custom: the layout shows whose it is')
    """
    found = _felt().lies.get(name)
    return found.cited(book) if found is not None else "custom: the center is the stick's"


def longest(book: str) -> int:
    """How long a table of this book may be, in feet."""
    return _felt().longest.feet.get(book, _LONGEST)


def special_puck(book: str) -> str:
    """The line on which the puck lies while only come wagers are decided; empty: as ever."""
    return _felt().special.on.get(book, "")


def dead_bowl(book: str) -> str:
    """Where the bowl stands on a dead game: ``center``, or ``stick``; empty: as ever."""
    return _felt().dead.on.get(book, "")


def notice_printed(book: str) -> bool:
    """Whether the layout itself says that call bets are not taken."""
    return book in _felt().notice.cite
