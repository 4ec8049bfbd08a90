"""Parse what a player says into table commands. `understand` is this package's entry point.

A canonical phrase (`pass for 10`) is tried first, then table talk (`place the six for 12`). Clear
words that can't be played, or that could mean several bets, raise `UnplayableError`, the latter
with the choices. Other words raise `RecordError`, often a `NotUnderstoodError`, which may have a
suggestion. A suggestion is never played.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import partial

from msgspec.structs import replace

from passline.game.layout.stakes import Refusal
from passline.game.table import commands as cmd
from passline.game.table.bets import refuse_short_of_chips, split_composite
from passline.game.table.decide import decide
from passline.game.table.evolve import evolve_all
from passline.game.table.state import Table
from passline.talk.bets import bet_worth, understand_bets, understand_tokes
from passline.talk.canonical import format_command, parse_canonical
from passline.talk.changes import (
    add_to_wager,
    call_wagers,
    change_chips,
    change_wager,
    color_up,
    double_all,
    press_wagers,
    understand_take_down,
)
from passline.talk.errors import (
    MissingAmountError,
    NoMatchError,
    RecordError,
    UnplayableError,
)
from passline.talk.groups import PLACE
from passline.talk.how_much import answer_how_much
from passline.talk.normalize import OwnNames, check_slang, convert_number_words, normalize_words
from passline.talk.odds_bets import bet_max_odds, bet_times_odds
from passline.talk.same_bet import let_ride, repeat_bets
from passline.talk.suggestions import ask_how_much, explain_not_understood, is_known_word
from passline.talk.utterance import (
    LastBets,
    Utterance,
    make_unplayable,
    offer_choices,
)

#: Matches how a wager was tendered. It follows the wager, in the words of records.
_TENDER_PATTERN = re.compile(
    r"\s(match|in the air|in cash|on call|dice out|no bet|unnoticed|confirmed by)(?=\s|$)"
)
Form = Callable[[Utterance], list[cmd.AnyCommand]]
#: Each parser with the words of which it needs at least one. The first parser that fits is used.
_FORMS: tuple[tuple[tuple[str, ...], Form], ...] = (
    (("max",), bet_max_odds),
    (("two-way", "for-dealers", "toke"), understand_tokes),
    (("same",), repeat_bets),
    (("ride",), let_ride),
    (("change",), change_chips),
    (("color-up",), color_up),
    (("how-much",), answer_how_much),
    (("worth",), bet_worth),
    (("double-all",), double_all),
    (("press", "full-press", "half-press", "power-press"), press_wagers),
    (("add",), add_to_wager),
    (("to", "by", "make", "raise", "lower"), change_wager),
    (("x", "times", "3-4-5"), bet_times_odds),
    (("down",), understand_take_down),
    (("on", "off"), call_wagers),
)
_NO_LAST_BETS: LastBets = {}
#: Longer talk is not parsed.
_LONGEST_TEXT = 500


def understand(
    table: Table, player: str, text: str, last: LastBets = _NO_LAST_BETS
) -> list[cmd.AnyCommand]:
    """Return the commands for the words `text` that a player said.

    `last` holds the bets that each player may repeat with "same bet". Raise RecordError for words
    that are not understood, and UnplayableError for words that are understood but cannot be played.
    """
    text = text.rstrip(" .!?\t\n")
    problem: RecordError | None = None
    try:
        direct = parse_canonical(player, text, table.layout.slugs)
        if direct is not None:
            return _finish_command(table, direct)
    except RecordError as error:
        problem = error  # "pass for ten" looks canonical but is table talk.
    try:
        commands = _understand_talk(table, player, text, last)
    except MissingAmountError as missing:
        raise problem or ask_how_much(text, missing.word) from None
    except NoMatchError:
        trial = partial(_try_text, table, player, last)
        raise problem or explain_not_understood(text, trial) from None
    except RecordError as error:
        raise problem or error from None
    _refuse_short_rail(table, player, commands)
    return commands


def _refuse_short_rail(table: Table, player: str, commands: list[cmd.AnyCommand]) -> None:
    """Raise UnplayableError if the rail cannot pay for all the bets of one line together.

    Then none is made, since only the player knows which of them to leave out.
    """
    bets = [one for one in commands if isinstance(one, cmd.Bet | cmd.Change)]
    seat = table.find(player)
    if seat is None or len(bets) < 2 or len(bets) < len(commands):
        return
    asked = sum(one.amount if isinstance(one, cmd.Bet) else one.to for one in bets)
    if 2 * asked <= seat.rail:  # Enough for any vigorish too.
        return
    trial, needed, short = table, 0, False
    for bet in bets:
        answer = decide(trial, bet)
        if not isinstance(answer, Refusal):
            after = evolve_all(trial, answer)
            needed += trial.seat(player).rail - after.seat(player).rail
            trial = after
        elif answer.code == "short-of-chips":
            needed, short = needed + int(str(answer.figures["needed"])), True
    if short:
        raise UnplayableError(refuse_short_of_chips(table, seat, needed, seat.rail))


def _understand_talk(table: Table, player: str, text: str, last: LastBets) -> list[cmd.AnyCommand]:
    if len(text) > _LONGEST_TEXT:
        raise NoMatchError
    check_slang(table.house.book.id)
    tender = _TENDER_PATTERN.search(text.lower())
    if tender is not None:
        return _understand_tender(table, player, text, tender.start(), last)
    words = normalize_words(text, _list_own_names(table))
    words = _replace_point(table, _replace_book_names(table, words))
    commands = _understand_parts(Utterance(table, player, words, last_bets=last))
    return [part for command in commands for part in _finish_command(table, command)]


def _list_own_names(table: Table) -> OwnNames:
    """Return the names of the wagers that only this rulebook has, such as `low dice`.

    A word that means something else to a dealer is left out.
    """
    names = table.layout.own_names
    return tuple((name, slug) for name, slug in names if " " in name or not is_known_word(name))


def _replace_book_names(table: Table, words: tuple[str, ...]) -> tuple[str, ...]:
    """Return the words with this rulebook's names as common ones: `place-win-6` for `box 6`.

    A name that means something else to a dealer (`against`) is kept.
    """
    text = " ".join(words)
    for slug in table.layout.renamed:
        name = slug.replace("-", " ")
        if name in text and (name != slug or not is_known_word(slug)):
            text = re.sub(rf"(?<!\S){name}(?!\S)", table.layout.spots[slug].floor, text)
    return tuple(text.split())


def _replace_point(table: Table, words: tuple[str, ...]) -> tuple[str, ...]:
    """Return the words with `point` replaced by its number.

    Raise UnplayableError if there is no point.
    """
    if "point" not in words:
        return words
    if not table.point:
        raise make_unplayable("no-point", "custom: the point has a number only while it is on")
    return tuple(str(table.point) if word == "point" else word for word in words)


def _understand_part(utterance: Utterance) -> list[cmd.AnyCommand]:
    """Return the commands of one part of a line: a canonical phrase if it is one, else talk."""
    with suppress(RecordError):
        slugs = utterance.table.layout.slugs
        direct = parse_canonical(utterance.player, utterance.text, slugs)
        if direct is not None:
            return [direct]
    return _understand_form(utterance)


def _understand_form(utterance: Utterance) -> list[cmd.AnyCommand]:
    """Return the commands of one phrase, from the first parser in `_FORMS` that fits."""
    words = frozenset(utterance.words)
    for needs, form in _FORMS:
        if not words.isdisjoint(needs):
            try:
                return form(utterance)
            except MissingAmountError:
                raise
            except NoMatchError:
                continue
    return understand_bets(utterance)


def _understand_tender(
    table: Table, player: str, text: str, at: int, last: LastBets
) -> list[cmd.AnyCommand]:
    """Return the bets of talk that ends with how they are offered, such as `in the air`.

    `at` is the index at which that ending begins. Raise NoMatchError if the talk is more than bets.
    """
    found = _understand_talk(table, player, text[:at], last)
    tail = " ".join(convert_number_words(text[at:].lower().split()))
    commands: list[cmd.AnyCommand] = []
    for command in found:
        if not isinstance(command, cmd.Bet):
            raise NoMatchError
        phrase = f"{format_command(command)} {tail}"
        again = parse_canonical(player, phrase, table.layout.slugs)
        assert again is not None
        commands.append(again)
    return commands


def _try_text(table: Table, player: str, last: LastBets, text: str) -> str | None:
    """Return the wager that a text bets on, or None if the text is not understood.

    Return "" if it is understood but names no wager or cannot be played. Nothing is bet.
    """
    try:
        direct = parse_canonical(player, text, table.layout.slugs)
        found = [direct] if direct is not None else _understand_talk(table, player, text, last)
    except UnplayableError:
        return ""
    except (NoMatchError, RecordError):
        return None
    return next((getattr(command, "wager", "") for command in found), "")


_SEPARATORS = (",", "and")
#: Verbs that a later bet could continue, and the wagers that they make.
_CARRIED_VERBS = {"buy": "buy", "lay": "lay", "against": "lay", "no": "lay", "lose": "place-lose"}
#: Verbs that a later part could continue and that make no new bet.
_OTHER_VERBS = frozenset(
    {"press", "full-press", "half-press", "power-press", "add", "take", "make", "turn", "call"}
    | {"keep", "leave", "raise", "lower", "bring", "two-way", "for-dealers", "max", "same", "hop"}
)
#: Words that name neither a wager nor what is done with it.
_CONNECTING_WORDS = frozenset(
    ["for", "on", "in", "to", "by", "each", "total", "down", "up", "off", "unit", "x", "times"]
)
#: Wagers that a bare number could continue: `hard-6` in "hard 6 for 5 and 8 for 5".
_NUMBERED_PATTERN = re.compile(r"(?!place-win|craps|horn-high|hop)([a-z-]+)-\d+|hops?-.+|.*odds")
#: Talk with more parts than this is not tried.
_MOST_PARTS = 12


def _understand_parts(utterance: Utterance) -> list[cmd.AnyCommand]:
    """Return the commands of one phrase, or else of several joined by commas and "and".

    Every part must be complete by itself. In `buy the 4 for 25 and the 10 for 25` the second part
    could be a place or a buy bet, so it is refused.
    """
    try:
        return _understand_form(utterance)
    except NoMatchError as error:
        parts = [part for part in _split_parts(utterance.words) if part]
        if not 1 < len(parts) <= _MOST_PARTS:
            raise
        found = _understand_joined(utterance, parts)
        if found is None:
            raise error from None
    _refuse_unclear_verbs(utterance, parts, found)
    return [command for commands in found for command in commands]


def _split_parts(words: tuple[str, ...]) -> Iterator[tuple[str, ...]]:
    start = 0
    for at, word in enumerate(words):
        if word in _SEPARATORS:
            yield words[start:at]
            start = at + 1
    yield words[start:]


def _understand_joined(
    utterance: Utterance, parts: list[tuple[str, ...]]
) -> list[list[cmd.AnyCommand]] | None:
    """Return the commands of each phrase. Join neighboring `parts` where they make one phrase.

    Return None if a part is left over.
    """
    found: list[list[cmd.AnyCommand]] = []
    start = 0
    while start < len(parts):
        for end in range(start + 1, len(parts) + 1):
            words = tuple(word for part in parts[start:end] for word in (*part, "and"))[:-1]
            try:
                found.append(_understand_part(utterance._replace(words=words)))
            except NoMatchError:
                continue
            start = end
            break
        else:
            return None
    return found


def _refuse_unclear_verbs(
    utterance: Utterance, parts: list[tuple[str, ...]], found: list[list[cmd.AnyCommand]]
) -> None:
    """Raise an error if the verb of one part could also be meant for a later part without a verb.

    It is UnplayableError with both readings as choices, or NoMatchError if the parts are not all
    bets. `found` has the commands of the parts.
    """
    began: list[str] = []
    for part in parts:
        named = [word for word in part if word[:1].isalpha() and word not in _CONNECTING_WORDS]
        if named:
            began = [word for word in named if _can_carry_over(word)]
        elif began:
            commands = [command for commands in found for command in commands]
            raise _ask_same_verb(utterance, began, commands)


def _can_carry_over(word: str) -> bool:
    return word in {*_CARRIED_VERBS, *_OTHER_VERBS} or bool(_NUMBERED_PATTERN.fullmatch(word))


def _ask_same_verb(
    utterance: Utterance, began: list[str], commands: list[cmd.AnyCommand]
) -> Exception:
    """Return the error for `buy 4 for 25 and 10 for 25`: is the second a buy or a place bet?

    `began` are the words that may carry over (`buy`). Return NoMatchError if the commands are not
    all bets.
    """
    families = {_find_family(word) for word in began}
    family = families.pop()
    if families or not family or not all(isinstance(command, cmd.Bet) for command in commands):
        return NoMatchError()
    changed = [_change_verb(utterance, family, command) for command in commands]
    choices = [", ".join(map(format_command, choice)) for choice in (commands, changed)]
    return offer_choices("same-verb", choices)


def _find_family(word: str) -> str:
    """Return the family of wagers that a word names, such as `buy`, or "" if it names none.

    The word is a verb, or a wager with its number (`buy-4`).
    """
    numbered = _NUMBERED_PATTERN.fullmatch(word)
    named = numbered[1] if numbered and "odds" not in word else ""
    return _CARRIED_VERBS.get(word) or named or ""


def _change_verb(utterance: Utterance, family: str, command: cmd.AnyCommand) -> cmd.AnyCommand:
    """Return a place bet changed to the wager of `family` on its number; others as they are."""
    if not isinstance(command, cmd.Bet) or utterance.find_kind(command.wager) != PLACE:
        return command
    number = command.wager.rpartition("-")[2]
    return replace(command, wager=utterance.find_slug(f"{family}-{number}"))


def _finish_command(table: Table, command: cmd.AnyCommand) -> list[cmd.AnyCommand]:
    """Return [the command] with this rulebook's slug for its wager.

    To take down a combined bet, such as a whirl, that the table booked as its parts, return a
    command for each part.
    """
    if isinstance(command, cmd.Bet | cmd.TokeBet | cmd.Change | cmd.TakeDown | cmd.Call):
        slug = table.layout.slug(command.wager)
        command = command if slug == command.wager else replace(command, wager=slug)
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
    lefts = {slug: wagers[slug].amount - count * up for slug, count in parts.items()}
    return [
        cmd.Change(command.player, slug, left) if left else cmd.TakeDown(command.player, slug)
        for slug, left in lefts.items()
    ]
