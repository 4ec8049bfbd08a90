"""Voices: whose an act is at a table with people at its posts, by the clauses of procedure."""

from __future__ import annotations

from functools import cache
from importlib import resources
from typing import Literal

import msgspec

from passline.law.roles import Role

#: On what an act waits before somebody else may do it.
When = Literal["", "call-it", "asked"]


class Voice(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Who does some acts, who never does, or how far they go; and the clause."""

    book: str
    acts: tuple[str, ...]
    cite: str
    also: tuple[str, ...] = ()
    by: tuple[Role, ...] = ()
    never: tuple[Role, ...] = ()
    within: tuple[Literal["end", "center", "typed"], ...] = ()
    until: Literal["", "called", "inspected"] = ""
    games: tuple[str, ...] = ()
    when: When = ""


class _File(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    voice: tuple[Voice, ...]
    refused: dict[str, dict[str, tuple[str, ...]]]


@cache
def _read() -> _File:
    text = resources.files("passline.law").joinpath("voices.toml").read_text("utf-8")
    return msgspec.toml.decode(text, type=_File)


def _of(book_id: str) -> list[Voice]:
    return [voice for voice in _read().voice if voice.book == book_id]


@cache
def voices(book_id: str, game: str, act: str) -> tuple[Voice, ...]:
    """What a rulebook says of whose an act is.

    >>> [(voice.by, voice.cite) for voice in voices("iowa", "craps", "send-dice")]
    [(('stickperson',), 'stick.2#1'), ((), 'shootout.4#1')]
    """
    return tuple(
        voice
        for voice in _of(book_id)
        if act in voice.acts and (not voice.games or game in voice.games)
    )


@cache
def held_at_posts(book_id: str) -> dict[str, tuple[str, ...]]:
    """The clauses of procedure that a live table holds people to, and where that stands."""
    found: dict[str, tuple[str, ...]] = {}
    for voice in _of(book_id):
        for clause in (voice.cite, *voice.also):
            known = found.get(clause, ())
            acts = [f"law/voices.toml: {act}" for act in voice.acts]
            found[clause] = tuple(dict.fromkeys((*known, *acts)))
    for module, clauses in _read().refused.get(book_id, {}).items():
        for clause in clauses:
            found[clause] = (*found.get(clause, ()), module)
    return found
