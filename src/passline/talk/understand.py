"""Table talk: what players say to a dealer, understood as commands.

Only what leaves no doubt about money is understood. What has two meanings is refused with the
choices (``UnplayableError``); what is not understood says which words were, and offers what is
nearest (``NotUnderstoodError``), but never takes it.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from contextlib import suppress
from functools import partial

from msgspec.structs import replace

from passline.table import commands as cmd
from passline.table.state import Table
from passline.talk.bets import hear_bets
from passline.talk.breaths import part_breath
from passline.talk.calls import call_wagers
from passline.talk.changes import change_chips, change_wager, hear_down
from passline.talk.composites import part_out
from passline.talk.errors import RecordError
from passline.talk.nearest import NotUnderstoodError, how_much, is_known, not_understood
from passline.talk.numbers import in_figures
from passline.talk.odds import make_full_odds, make_times_odds
from passline.talk.plain_words import plain_words
from passline.talk.press import add_to, press_wagers
from passline.talk.same_bet import let_ride, repeat_bets
from passline.talk.says import read_say, say_words
from passline.talk.tokes import hear_tokes
from passline.talk.utterance import (
    Heard,
    HowMuchError,
    Last,
    UnheardError,
    UnplayableError,
    knows,
    unplayable,
)

__all__ = ["Last", "NotUnderstoodError", "UnplayableError", "knows", "understand"]

#: How a wager was tendered: said after it, in the record's words.
_TENDER = re.compile(
    r"\s(match|in the air|in cash|on call|dice out|no bet|unnoticed|confirmed by)(?=\s|$)"
)
Form = Callable[[Heard], list[cmd.AnyCommand]]
#: A word that a form needs, and the form; the first that fits is taken.
_FORMS: tuple[tuple[tuple[str, ...], Form], ...] = (
    (("max",), make_full_odds),
    (("two-way", "for-dealers", "toke"), hear_tokes),
    (("same",), repeat_bets),
    (("ride",), let_ride),
    (("change",), change_chips),
    (("press", "full-press", "half-press", "power-press"), press_wagers),
    (("add",), add_to),
    (("to", "by", "make", "raise", "lower"), change_wager),
    (("x", "times", "3-4-5"), make_times_odds),
    (("down",), hear_down),
    (("on", "off"), call_wagers),
)
_NOBODY: Last = {}
#: Nobody says more than this in one breath.
_LONGEST = 500


def understand(table: Table, player: str, text: str, last: Last = _NOBODY) -> list[cmd.AnyCommand]:
    """What a player said, as commands: canonical says first, then table talk.

    ``last`` is what each player may repeat with "same bet" (``record.memory``).
    RecordError: it is not understood. UnplayableError: it is, and cannot be done as it was said.
    """
    text = text.rstrip(" .!?\t\n")
    known = partial(knows, table)
    problem: RecordError | None = None
    try:
        direct = read_say(player, text, known)
        if direct is not None:
            return part_out(table, _booked(table, direct))
    except RecordError as wrong:
        problem = wrong  # "pass for ten" has the form of a canonical say, and is none
    try:
        return _talked(table, player, text, last)
    except HowMuchError as asks:
        raise problem or how_much(text, asks.word) from None
    except UnheardError:
        raise problem or not_understood(text, partial(_trial, table, player, last)) from None
    except RecordError as wrong:
        raise problem or wrong from None


def _talked(table: Table, player: str, text: str, last: Last) -> list[cmd.AnyCommand]:
    if len(text) > _LONGEST:
        raise UnheardError
    tender = _TENDER.search(text.lower())
    if tender is not None:
        return _tendered(table, player, text, tender.start(), last)
    words = _with_point(table, _own_words(table, plain_words(text)))
    heard = Heard(table=table, player=player, words=words, last=last)
    found = part_breath(heard, _one, _whole)
    return [part for command in found for part in part_out(table, _booked(table, command))]


def _booked(table: Table, command: cmd.AnyCommand) -> cmd.AnyCommand:
    """A command about a wager by the slug that this book has for it."""
    match command:
        case cmd.Bet() | cmd.TokeBet() | cmd.Change() | cmd.TakeDown() | cmd.Call():
            slug = table.layout.slug(command.wager)
            return command if slug == command.wager else replace(command, wager=slug)
        case _:
            return command


def _own_words(table: Table, words: tuple[str, ...]) -> tuple[str, ...]:
    """Wagers by names that only their book has, as the floor calls them: ``box 6`` is placed.

    A name that means something else to a dealer (``against``) is left alone.
    """
    said = " ".join(words)
    for slug in table.layout.own:
        name = slug.replace("-", " ")
        if name in said and (name != slug or not is_known(slug)):
            said = re.sub(rf"(?<!\S){name}(?!\S)", table.layout.spots[slug].floor, said)
    return tuple(said.split())


def _with_point(table: Table, words: tuple[str, ...]) -> tuple[str, ...]:
    """``12 on the point``: the number that it is."""
    if "point" not in words:
        return words
    if not table.puck:
        raise unplayable("no-point")
    return tuple(str(table.puck) if word == "point" else word for word in words)


def _whole(heard: Heard) -> list[cmd.AnyCommand]:
    """One of several things: a canonical say first, as if it stood alone."""
    with suppress(RecordError):
        direct = read_say(heard.player, heard.said, partial(knows, heard.table))
        if direct is not None:
            return [direct]
    return _one(heard)


def _one(heard: Heard) -> list[cmd.AnyCommand]:
    """One thing that was said, by the first form that it has."""
    said = frozenset(heard.words)
    for needs, form in _FORMS:
        if not said.isdisjoint(needs):
            try:
                return form(heard)
            except HowMuchError:
                raise
            except UnheardError:
                continue
    return hear_bets(heard)


def _tendered(table: Table, player: str, text: str, at: int, last: Last) -> list[cmd.AnyCommand]:
    """Talk with a tender after it: ``place the six for twelve in the air``."""
    found = _talked(table, player, text[:at], last)
    tail = " ".join(in_figures(text[at:].lower().split()))
    said: list[cmd.AnyCommand] = []
    for command in found:
        if not isinstance(command, cmd.Bet):
            raise UnheardError
        again = read_say(player, f"{say_words(command)} {tail}", partial(knows, table))
        assert again is not None
        said.append(again)
    return said


def _trial(table: Table, player: str, last: Last, text: str) -> str | None:
    """The wager that a text would be taken for; None where it would not be understood."""
    try:
        direct = read_say(player, text, partial(knows, table))
        found = [direct] if direct is not None else _talked(table, player, text, last)
    except UnplayableError:
        return ""
    except (UnheardError, RecordError):
        return None
    return next((getattr(command, "wager", "") for command in found), "")
