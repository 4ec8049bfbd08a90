"""Several things in one breath: ``12 on the 6 and 18 on the 8``, ``place 6 for 12, hard 8 for 5``.

Each of them must be whole by itself. Where one could take its verb from another, nothing is taken:
``buy the 4 for 25 and the 10 for 25`` may place the ten, or buy it.

Composites that a book books as their parts: a whirl as a horn and any seven.

``whirl for 5`` puts chips on the parts, and nothing is up as a whirl; so ``whirl down`` takes the
parts down, as far as they make a whirl.

Table talk: what players say to a dealer, understood as commands.

Only what leaves no doubt about money is understood. What has two meanings is refused with the
choices (``UnplayableError``); what is not understood says which words were, and offers what is
nearest (``NotUnderstoodError``), but never takes it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import partial

from msgspec.structs import replace

from passline.game.table import commands as cmd
from passline.game.table.bets import split_composite
from passline.game.table.state import Table
from passline.talk.bets import understand_bets, understand_tokes
from passline.talk.canonical import format_command, parse_canonical
from passline.talk.changes import (
    add_to_wager,
    call_wagers,
    change_chips,
    change_wager,
    press_wagers,
    understand_take_down,
)
from passline.talk.errors import RecordError
from passline.talk.groups import PLACE
from passline.talk.normalize import convert_number_words, normalize_words
from passline.talk.odds import bet_max_odds, bet_times_odds
from passline.talk.same_bet import let_ride, repeat_bets
from passline.talk.suggestions import (
    NotUnderstoodError,
    ask_how_much,
    explain_not_understood,
    is_known_word,
)
from passline.talk.utterance import (
    LastBets,
    MissingAmountError,
    NoMatchError,
    UnplayableError,
    Utterance,
    is_wager_slug,
    make_unplayable,
    offer_choices,
)

__all__ = [
    "LastBets",
    "NotUnderstoodError",
    "UnplayableError",
    "is_wager_slug",
    "understand",
]

_SEPARATORS = (",", "and")
#: Verbs that a later bet may be meant to go on with, and the wagers that they make.
_CARRIED_VERBS = {"buy": "buy", "lay": "lay", "against": "lay", "no": "lay", "lose": "place-lose"}
#: Those that go on with something else than a bet.
_OTHER_VERBS = frozenset(
    {"press", "full-press", "half-press", "power-press", "add", "take", "make", "turn", "call"}
    | {"keep", "leave", "raise", "lower", "bring", "two-way", "for-dealers", "max", "same", "hop"}
)
#: Words that name neither a wager nor what is done with it.
_CONNECTING_WORDS = frozenset(
    ["for", "on", "in", "to", "by", "each", "total", "down", "up", "off", "unit", "x", "times"]
)
#: A wager on a number that another number may go on with: ``hard-6``, ``big-6``.
_NUMBERED_PATTERN = re.compile(r"(?!place-win|craps|horn-high|hop)([a-z-]+)-\d+|hops?-.+|.*odds")
#: Breaths of more parts than this are not tried.
_MOST_PARTS = 12
PartReader = Callable[[Utterance], list[cmd.AnyCommand]]


def understand_parts(
    heard: Utterance, hear: PartReader, hear_part: PartReader
) -> list[cmd.AnyCommand]:
    """What was said as one thing, or else as several, each of which is whole."""
    try:
        return hear(heard)
    except NoMatchError as unheard:
        parts = [part for part in _split_parts(heard.words) if part]
        if not 1 < len(parts) <= _MOST_PARTS:
            raise
        found = _understand_joined(heard, parts, hear_part)
        if found is None:
            raise unheard from None
    _refuse_unclear_verbs(heard, parts, found)
    return [command for commands in found for command in commands]


def _split_parts(words: tuple[str, ...]) -> Iterator[tuple[str, ...]]:
    start = 0
    for at, word in enumerate(words):
        if word in _SEPARATORS:
            yield words[start:at]
            start = at + 1
    yield words[start:]


def _understand_joined(
    heard: Utterance, parts: list[tuple[str, ...]], hear: PartReader
) -> list[list[cmd.AnyCommand]] | None:
    """Each part by itself; as many of them together as make one thing: ``6 and 8 for 12 each``."""
    found: list[list[cmd.AnyCommand]] = []
    start = 0
    while start < len(parts):
        for end in range(start + 1, len(parts) + 1):
            words = tuple(word for part in parts[start:end] for word in (*part, "and"))[:-1]
            try:
                found.append(hear(heard._replace(words=words)))
            except (NoMatchError, MissingAmountError):
                continue
            start = end
            break
        else:
            return None
    return found


def _refuse_unclear_verbs(
    heard: Utterance, parts: list[tuple[str, ...]], found: list[list[cmd.AnyCommand]]
) -> None:
    """No later part may be meant to go on with what an earlier one began."""
    began: list[str] = []
    for part in parts:
        named = [word for word in part if word[:1].isalpha() and word not in _CONNECTING_WORDS]
        if named:
            began = [word for word in named if _can_carry_over(word)]
        elif began:
            raise _ask_same_verb(
                heard, began, [command for commands in found for command in commands]
            )


def _can_carry_over(word: str) -> bool:
    return (
        word in _CARRIED_VERBS
        or word in _OTHER_VERBS
        or _NUMBERED_PATTERN.fullmatch(word) is not None
    )


def _ask_same_verb(heard: Utterance, began: list[str], says: list[cmd.AnyCommand]) -> Exception:
    """``buy 4 for 25 and 10 for 25``: both ways to take it, where they can be told."""
    families = {_find_family(word) for word in began}
    family = families.pop()
    if families or not family or not all(isinstance(command, cmd.Bet) for command in says):
        return NoMatchError()
    ways = [says, [_change_verb(heard, family, command) for command in says]]
    said = [", ".join(format_command(command) for command in way) for way in ways]
    return offer_choices("same-verb", said)


def _find_family(word: str) -> str:
    """The wagers that a verb makes, or that a wager on a number is one of; odds are none."""
    numbered = _NUMBERED_PATTERN.fullmatch(word)
    named = numbered[1] if numbered and "odds" not in word else ""
    return _CARRIED_VERBS.get(word) or named or ""


def _change_verb(heard: Utterance, family: str, command: cmd.AnyCommand) -> cmd.AnyCommand:
    """A bet on a number made by the verb of another."""
    if not isinstance(command, cmd.Bet) or heard.kind(command.wager) != PLACE:
        return command
    number = command.wager.rpartition("-")[2]
    return replace(command, wager=heard.slug(f"{family}-{number}"))


def take_down_composite(table: Table, command: cmd.AnyCommand) -> list[cmd.AnyCommand]:
    """The taking down of a composite, as commands for the parts that it was booked as.

    Every other command stays as it is, and so does one where no such wager can be up.
    """
    if not isinstance(command, cmd.TakeDown):
        return [command]
    wagers = table.seat(command.player).wagers
    spot = table.layout.spots.get(command.wager)
    if spot is None or command.wager in wagers:
        return [command]
    parts = split_composite(table.layout, spot, spot.units)
    up = min((wagers[s].amount // n if s in wagers else 0 for s, n in parts.items()), default=0)
    up -= up % table.house.chip
    if not up:
        return [command]
    found: list[cmd.AnyCommand] = []
    for slug, count in parts.items():
        left = wagers[slug].amount - count * up
        down = cmd.TakeDown(command.player, slug)
        found.append(cmd.Change(command.player, slug, left) if left else down)
    return found


#: How a wager was tendered: said after it, in the record's words.
_TENDER_PATTERN = re.compile(
    r"\s(match|in the air|in cash|on call|dice out|no bet|unnoticed|confirmed by)(?=\s|$)"
)
Form = Callable[[Utterance], list[cmd.AnyCommand]]
#: A word that a form needs, and the form; the first that fits is taken.
_FORMS: tuple[tuple[tuple[str, ...], Form], ...] = (
    (("max",), bet_max_odds),
    (("two-way", "for-dealers", "toke"), understand_tokes),
    (("same",), repeat_bets),
    (("ride",), let_ride),
    (("change",), change_chips),
    (("press", "full-press", "half-press", "power-press"), press_wagers),
    (("add",), add_to_wager),
    (("to", "by", "make", "raise", "lower"), change_wager),
    (("x", "times", "3-4-5"), bet_times_odds),
    (("down",), understand_take_down),
    (("on", "off"), call_wagers),
)
_NO_LAST_BETS: LastBets = {}
#: Nobody says more than this in one breath.
_LONGEST_TEXT = 500


def understand(
    table: Table, player: str, text: str, last: LastBets = _NO_LAST_BETS
) -> list[cmd.AnyCommand]:
    """What a player said, as commands: canonical says first, then table talk.

    ``last`` is what each player may repeat with "same bet" (``record.memory``).
    RecordError: it is not understood. UnplayableError: it is, and cannot be done as it was said.
    """
    text = text.rstrip(" .!?\t\n")
    known = partial(is_wager_slug, table)
    problem: RecordError | None = None
    try:
        direct = parse_canonical(player, text, known)
        if direct is not None:
            return take_down_composite(table, _use_book_slug(table, direct))
    except RecordError as wrong:
        problem = wrong  # "pass for ten" has the form of a canonical say, and is none
    try:
        return _understand_talk(table, player, text, last)
    except MissingAmountError as asks:
        raise problem or ask_how_much(text, asks.word) from None
    except NoMatchError:
        raise problem or explain_not_understood(
            text, partial(_try_text, table, player, last)
        ) from None
    except RecordError as wrong:
        raise problem or wrong from None


def _understand_talk(table: Table, player: str, text: str, last: LastBets) -> list[cmd.AnyCommand]:
    if len(text) > _LONGEST_TEXT:
        raise NoMatchError
    tender = _TENDER_PATTERN.search(text.lower())
    if tender is not None:
        return _understand_tender(table, player, text, tender.start(), last)
    words = _replace_point(table, _replace_book_names(table, normalize_words(text)))
    heard = Utterance(table=table, player=player, words=words, last=last)
    found = understand_parts(heard, _understand_form, _understand_part)
    return [
        part
        for command in found
        for part in take_down_composite(table, _use_book_slug(table, command))
    ]


def _use_book_slug(table: Table, command: cmd.AnyCommand) -> cmd.AnyCommand:
    """A command about a wager by the slug that this book has for it."""
    match command:
        case cmd.Bet() | cmd.TokeBet() | cmd.Change() | cmd.TakeDown() | cmd.Call():
            slug = table.layout.slug(command.wager)
            return command if slug == command.wager else replace(command, wager=slug)
        case _:
            return command


def _replace_book_names(table: Table, words: tuple[str, ...]) -> tuple[str, ...]:
    """Wagers by names that only their book has, as the floor calls them: ``box 6`` is placed.

    A name that means something else to a dealer (``against``) is left alone.
    """
    said = " ".join(words)
    for slug in table.layout.own:
        name = slug.replace("-", " ")
        if name in said and (name != slug or not is_known_word(slug)):
            said = re.sub(rf"(?<!\S){name}(?!\S)", table.layout.spots[slug].floor, said)
    return tuple(said.split())


def _replace_point(table: Table, words: tuple[str, ...]) -> tuple[str, ...]:
    """``12 on the point``: the number that it is."""
    if "point" not in words:
        return words
    if not table.puck:
        raise make_unplayable("no-point")
    return tuple(str(table.puck) if word == "point" else word for word in words)


def _understand_part(heard: Utterance) -> list[cmd.AnyCommand]:
    """One of several things: a canonical say first, as if it stood alone."""
    with suppress(RecordError):
        direct = parse_canonical(heard.player, heard.said, partial(is_wager_slug, heard.table))
        if direct is not None:
            return [direct]
    return _understand_form(heard)


def _understand_form(heard: Utterance) -> list[cmd.AnyCommand]:
    """One thing that was said, by the first form that it has."""
    said = frozenset(heard.words)
    for needs, form in _FORMS:
        if not said.isdisjoint(needs):
            try:
                return form(heard)
            except MissingAmountError:
                raise
            except NoMatchError:
                continue
    return understand_bets(heard)


def _understand_tender(
    table: Table, player: str, text: str, at: int, last: LastBets
) -> list[cmd.AnyCommand]:
    """Talk with a tender after it: ``place the six for twelve in the air``."""
    found = _understand_talk(table, player, text[:at], last)
    tail = " ".join(convert_number_words(text[at:].lower().split()))
    said: list[cmd.AnyCommand] = []
    for command in found:
        if not isinstance(command, cmd.Bet):
            raise NoMatchError
        again = parse_canonical(
            player, f"{format_command(command)} {tail}", partial(is_wager_slug, table)
        )
        assert again is not None
        said.append(again)
    return said


def _try_text(table: Table, player: str, last: LastBets, text: str) -> str | None:
    """The wager that a text would be taken for; None where it would not be understood."""
    try:
        direct = parse_canonical(player, text, partial(is_wager_slug, table))
        found = [direct] if direct is not None else _understand_talk(table, player, text, last)
    except UnplayableError:
        return ""
    except (NoMatchError, RecordError):
        return None
    return next((getattr(command, "wager", "") for command in found), "")
