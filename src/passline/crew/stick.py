"""What the stick says: the call of a throw, and the lines announced between throws.

A call puts the facts of a throw into the words and the order of a style. Styles are data: each file
in a rulebook's ``crew/styles`` is one. A phrase cites a clause or a custom, and lists its
conditions by name. The announcements are in ``crew/announcements.toml``. Their conditions are read
from the table: whether hardways work, who shoots, where the puck is.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import Any, Literal, NamedTuple, get_args

import msgspec

from passline.crew.facts import (
    Mark,
    Occasion,
    Phase,
    RollFacts,
    find_place,
    find_roll_facts,
)
from passline.game.law.book_files import book_ids, find_book_files
from passline.game.law.book_parts import (
    find_customary_book,
    load_part,
    read_own_part,
    read_part,
)
from passline.game.law.citations import CitedEntry, CitedValue
from passline.game.law.shapes.pass_wins import PassWins
from passline.game.law.wagers import CallPlace
from passline.game.layout.stakes import Refusal
from passline.game.table import table_ends
from passline.game.table.dice_custody import find_next_shooter, is_automated
from passline.game.table.events import NoRoll, Rolled
from passline.game.table.state import NOBODY, Table
from passline.game.words.events import call_roll
from passline.game.words.wagers import spoken_wager_name

#: Keys of the facts of the roll itself. All other keys are effects on wagers.
ROLL_KEYS = ("number", "winner", "way", "point.marked", "point.was")
RESULTS = ("win", "lose", "push", "travel", "return")


class CallStyleError(ValueError):
    """Raised for phrase data that cannot be used, or for an unknown style."""


class Phrase(CitedEntry, frozen=True, rename={"words": "is", "cites": "cite"}):
    """Words for a fact, and the conditions under which they fit. All conditions must hold.

    The conditions are kinds of roll (`phases`), `totals`, marks such as "hard" (`when`), and what
    the field pays (`odds`). In the words, `{n}` is the name of the total, `{point}` of the old
    point, `{odds}` what the field pays, and `{bets}` the names of the wagers.
    """

    words: str
    phases: tuple[Phase, ...] = ()
    totals: tuple[int, ...] = ()
    when: tuple[Mark, ...] = ()
    odds: str = ""

    def fits(self, facts: RollFacts, odds: str = "") -> bool:
        """Return whether these words fit a roll. `odds` is what the field pays, if it is called."""
        return (
            (not self.phases or facts.phase in self.phases)
            and (not self.totals or facts.total in self.totals)
            and facts.marks.issuperset(self.when)
            and (not self.odds or self.odds == odds)
        )


class CallOrder(CitedEntry, frozen=True):
    """What a full call says on an occasion (such as a seven-out), in order.

    Facts are keys such as `line.win`; `a+b` is one phrase for two facts. Those in `if_up` are said
    only if a wager is up. A fact that is not listed is said last, if a wager is up and the style
    has words for it.
    """

    say: tuple[str, ...]
    if_up: tuple[str, ...] = ()

    @property
    def listed(self) -> frozenset[str]:
        """Return the key of every fact in the order."""
        return frozenset(key for entry in self.say for key in entry.split("+"))


class CallStyle(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One way of calling the game.

    `numbers` has the names of the totals, `order` the order of the facts on each occasion, and
    `say` the phrases for each fact, by its key; the first that fits the roll is used.
    """

    id: str
    title: str
    #: The rulebook whose clauses the phrases cite.
    book: str
    numbers: CitedValue[dict[str, str]]
    order: dict[Occasion, CallOrder]
    say: dict[str, tuple[Phrase, ...]]
    #: The facts that each call printed in the rulebook states, by its clause.
    printed: dict[str, tuple[str, ...]] = {}

    def find_phrase(self, key: str, facts: RollFacts, odds: str = "") -> Phrase | None:
        """Return the first phrase for a fact that fits the roll, or None if there is none.

        `key` names the fact, such as `line.win`; `odds` is what the field pays.
        """
        return next((p for p in self.say.get(key, ()) if p.fits(facts, odds)), None)

    def cite(self, words: CitedEntry, book_id: str) -> str:
        """Return what to cite for the phrase ``words`` at a table under rulebook ``book_id``.

        That is the phrase's own citation, or, for a clause of another rulebook, that the call is a
        custom of that book.
        """
        if not words.cites or book_id == self.book:
            return words.cite
        return f"custom: called as in {self.book}, {words.cite}"


class Nickname(CitedEntry, frozen=True, rename={"words": "is", "cites": "cite"}):
    """Another name for a roll of one of the `totals`.

    It fits if the roll has all marks in `when` and, unless `needs` is empty, one of those effects.
    """

    words: str
    totals: tuple[int, ...]
    when: tuple[Mark, ...] = ()
    needs: tuple[str, ...] = ()


class _CallsFile(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    #: Words that every style shares.
    say: dict[str, tuple[Phrase, ...]]
    #: The style that the book's stick uses.
    style: CitedValue[str] | None = None
    nickname: tuple[Nickname, ...] = ()


def parse_style(book: str, data: dict[str, Any]) -> CallStyle:
    """Return a call style from the data of its file. The words shared by all styles fill the gaps.

    Raise CallStyleError if a part is missing or unknown.
    """
    say = {**read_part(book, "crew/calls")["say"], **data.get("say", {})}
    try:
        style = msgspec.convert({**data, "book": book, "say": say}, CallStyle)
    except msgspec.ValidationError as error:
        raise CallStyleError(f"style {data.get('id', '')!r}: {error}") from None
    _check_style(style)
    return style


def _check_style(style: CallStyle) -> None:
    """Raise CallStyleError unless a style has an order for each occasion and a name for each total.

    Every key in it must be a fact of a roll.
    """
    missing = set(get_args(Occasion)) - set(style.order)
    if missing:
        raise CallStyleError(f"style {style.id!r} has no order for {', '.join(sorted(missing))}")
    known = {*ROLL_KEYS, *(f"{p}.{r}" for p in get_args(CallPlace) for r in RESULTS)}
    worded = {key for entry in style.say for key in entry.split("+")}
    listed = {key for order in style.order.values() for key in order.listed | {*order.if_up}}
    listed.update(key for keys in style.printed.values() for key in keys)
    if unknown := ", ".join(sorted((worded | listed) - known)):
        raise CallStyleError(f"style {style.id!r}: {unknown} is not a fact of a roll")
    if unnamed := {str(total) for total in range(2, 13)} - set(style.numbers.value):
        raise CallStyleError(f"style {style.id!r} has no name for {', '.join(sorted(unnamed))}")


@cache
def _books_by_style() -> dict[str, str]:
    return {
        path.stem: book
        for book in book_ids()
        for path in find_book_files(book).parts
        if path.parent.name == "styles"
    }


def list_style_names() -> tuple[str, ...]:
    """Return the id of every style: each file in a rulebook's ``crew/styles`` is one."""
    return tuple(_books_by_style())


@cache
def load_style(name: str) -> CallStyle:
    """Return a call style by its id. Raise CallStyleError if there is none.

    >>> load_style("school-b").title
    "The dealer school's table of calls"
    """
    book = _books_by_style().get(name)
    if book is None:
        known = ", ".join(list_style_names())
        raise CallStyleError(f"there is no call style {name!r}, only {known}")
    return parse_style(book, read_own_part(book, f"crew/styles/{name}"))


def find_style(book_id: str) -> CallStyle:
    """Return the call style that a rulebook names.

    A book that only requires the total to be announced names none; then return the style of the
    book whose manual fills other books' gaps. Raise CallStyleError if that book names none either.

    >>> find_style("dealer-school").id, find_style("new-jersey").id
    ('school-a', 'iowa')
    """
    for book in (book_id, find_customary_book()):
        used = load_part(book, "crew/calls", _CallsFile).style
        if used is not None:
            return load_style(used.value)
    raise CallStyleError(f"rulebook {book_id} names no style, and no book is customary")


def list_nicknames(style: CallStyle) -> tuple[Nickname, ...]:
    """Return every nickname that the style's rulebook has for any roll."""
    return load_part(style.book, "crew/calls", _CallsFile).nickname


def find_nicknames(style: CallStyle, facts: RollFacts) -> tuple[Nickname, ...]:
    """Return every nickname that the style has for this roll, in the order of the data."""
    return tuple(
        name
        for name in list_nicknames(style)
        if facts.total in name.totals
        and facts.marks.issuperset(name.when)
        and (not name.needs or any(facts.find_effect(key) is not None for key in name.needs))
    )


AnnouncementMoment = Literal[
    "coming-out", "from-the-dont", "dice-out", "point-set", "no-roll", "call-it", "colour-in"
]
AnnouncementCondition = Literal[
    "new-shooter",
    "same-shooter",
    "same-direction",
    "different-direction",
    "from-the-dont",
    "hardways-off",
    "hardways-on",
    "come-out",
    "point-on",
    "down",
    "down-outside",
    "down-inside",
    "down-both",
]

#: The condition for a die off the table, by the side on which it fell ("" if unknown).
_DIE_OFF_CONDITIONS: dict[str, AnnouncementCondition] = {
    "": "down",
    "outside": "down-outside",
    "inside": "down-inside",
    "both": "down-both",
}
#: Moments that require the puck to be on (True) or off (False).
_PUCK_ON_AT: dict[AnnouncementMoment, bool] = {"coming-out": False, "point-set": True}


class Announcement(NamedTuple):
    """A line that the stick says, and the clause that requires it."""

    words: str
    cite: str


class _AnnouncementLine(CitedEntry, frozen=True, rename={"words": "is", "cites": "cite"}):
    moment: AnnouncementMoment
    words: str
    when: tuple[AnnouncementCondition, ...] = ()
    #: Wagers that `{bets}` invites, with their names. Those that the house deals are named.
    bets: tuple[tuple[str, str], ...] = ()
    #: Whether to cite the event's clause.
    by_event: bool = False


def _load_announcements(book: str) -> tuple[_AnnouncementLine, ...]:
    return tuple(load_part(book, "crew/announcements", dict[str, _AnnouncementLine]).values())


def list_announcements(
    table: Table, moment: AnnouncementMoment, *, happened: NoRoll | None = None, after: str = ""
) -> tuple[Announcement, ...]:
    """Return what the stick announces at a moment, such as "point-set".

    For a no roll, `happened` is its event. `after` names the previous shooter; without a shooter,
    the table's last shooter is used. An automated table announces nothing. Raise ValueError if the
    puck contradicts the moment.
    """
    if moment in _PUCK_ON_AT and bool(table.point) != _PUCK_ON_AT[moment]:
        raise ValueError(f"there is no {moment} announcement with the puck at {table.point}")
    if is_automated(table):
        return ()
    holds = frozenset(_list_conditions(table, happened, after))
    found = []
    for line in _load_announcements(table.house.book.id):
        if line.moment != moment or not holds.issuperset(line.when):
            continue
        cite = happened.cite if line.by_event and happened is not None else line.cite
        if words := _fill_line(table, line):
            found.append(Announcement(words, cite))
    return tuple(found)


def format_announcement(
    table: Table, moment: AnnouncementMoment, *, happened: NoRoll | None = None, after: str = ""
) -> str:
    """Return the announcements at a moment, as in `list_announcements`, joined by commas."""
    lines = list_announcements(table, moment, happened=happened, after=after)
    return ", ".join(line.words for line in lines)


def _fill_line(table: Table, line: _AnnouncementLine) -> str:
    """Return the words of an announcement with their placeholders filled in.

    Return "" if it invites only to wagers that the house does not deal.
    """
    dealt = {spot.kind for spot in table.layout.spots.values()}
    bets = [name for kind, name in line.bets if kind in dealt]
    if line.bets and not bets:
        return ""
    names = find_style(table.house.book.id).numbers.value
    point = names[str(table.point)] if table.point else ""
    return line.words.format(bets=", ".join(bets), point=point)


def _list_conditions(
    table: Table, happened: NoRoll | None, after: str
) -> Iterator[AnnouncementCondition]:
    yield "point-on" if table.point else "come-out"
    # Whether the house's hardways work on a come-out roll by default.
    works = {spot.works for spot in table.layout.spots.values() if spot.rule.is_hardway}
    if len(works) == 1:
        yield "hardways-on" if True in works else "hardways-off"
    yield from _list_shooter_conditions(table, after)
    if happened is not None and happened.off_table:
        yield _DIE_OFF_CONDITIONS[happened.side]


def _list_shooter_conditions(table: Table, after: str) -> Iterator[AnnouncementCondition]:
    """Yield the conditions of announcements that hold for the shooter.

    They are: the shooter is new, is at the same end as the one before, or bets the don't side.
    `after` names the previous shooter.
    """
    shooter = table.shooter
    if shooter == NOBODY:
        who = find_next_shooter(table)
        if isinstance(who, Refusal):
            return
        shooter = who.id
        if table.last_shooter != NOBODY:
            after = table.seat(table.last_shooter).name
    name = table.seat(shooter).name
    # A player who has not rolled in this turn is a new shooter, even one who is alone at the
    # table and has just sevened out.
    yield "new-shooter" if table.fresh else "same-shooter"
    if table.fresh and after and after != name:
        alike = table_ends.find_end(table, name) == table_ends.find_end(table, after)
        yield "same-direction" if alike else "different-direction"
    if is_dont_player(table, shooter):
        yield "from-the-dont"


def is_dont_player(table: Table, player: str) -> bool:
    """Return whether a player has a bet on the don't side and none on the line."""
    layout = table.layout
    sides = {find_place(layout, layout.spots[slug]) for slug in table.seat(player).wagers}
    return "donts" in sides and "line" not in sides


class CallPiece(NamedTuple):
    """One piece of a call: the key of the fact, its words, and the clause (or custom) for them."""

    key: str
    words: str
    cite: str


def make_stick_call(
    table: Table, rolled: Rolled, style: str | None = None, full: bool = False, nickname: int = 0
) -> str:
    """Return what the stick calls on a roll. `table` is the table before the roll.

    The call mentions the wagers that are up; with `full`, also areas where no wager is up. `style`
    is the id of a call style (default: the rulebook's own). `nickname` selects a nickname of the
    roll by its number from 1, and 0 none. A game without a stick gets a plain call: the total and
    what it does to the line.
    """
    if is_automated(table):
        return call_roll(rolled, table.house.book)
    pieces = list_call_pieces(table, rolled, style, full, nickname)
    return ", ".join(piece.words for piece in pieces)


def list_call_pieces(
    table: Table, rolled: Rolled, style: str | None = None, full: bool = False, nickname: int = 0
) -> tuple[CallPiece, ...]:
    """Return the pieces of the stick's call of a roll, each with its citation.

    The parameters are those of `make_stick_call`.
    """
    used = find_style(table.house.book.id) if style is None else load_style(style)
    return tuple(_compose_call(table, find_roll_facts(table, rolled), used, full, nickname))


def _compose_call(
    table: Table, thrown: RollFacts, style: CallStyle, full: bool, nickname: int
) -> Iterator[CallPiece]:
    """Yield the pieces of a call: the facts of a roll in a style's words and order."""
    order = style.order[thrown.occasion]
    called = {key for key in _list_roll_keys(thrown) if style.find_phrase(key, thrown)}
    for effect in thrown.effects:
        implied = full and effect.key in order.listed and effect.key not in order.if_up
        if (effect.is_up or implied) and style.find_phrase(effect.key, thrown, effect.odds):
            called.add(effect.key)
    known = find_nicknames(style, thrown) if nickname else ()
    rest = [effect.key for effect in thrown.effects if effect.key not in order.listed]
    for index, entry in enumerate((*order.say, *rest)):
        keys = [key for key in entry.split("+") if key in called]
        both = style.find_phrase(entry, thrown) if len(keys) > 1 else None
        for key in (entry,) if both else keys:
            phrase = both or style.find_phrase(key, thrown, _find_odds(thrown, key))
            assert phrase is not None
            yield _make_piece(key, phrase, table, thrown, style)
        if known and not index:
            name = known[(nickname - 1) % len(known)]
            yield CallPiece("nickname", name.words, style.cite(name, table.house.book.id))


def _list_roll_keys(thrown: RollFacts) -> Iterator[str]:
    """Yield the keys of the facts of the roll itself, which do not depend on the bets."""
    yield "number"
    if "winner" in thrown.marks:
        yield "winner"
    if thrown.marks & {"hard", "easy"}:
        yield "way"
    if thrown.phase == "established":
        yield "point.marked"
    if thrown.occasion == "seven-out":
        yield "point.was"


def _find_odds(thrown: RollFacts, key: str) -> str:
    effect = thrown.find_effect(key)
    return effect.odds if effect is not None else ""


def _make_piece(
    key: str, phrase: Phrase, table: Table, thrown: RollFacts, style: CallStyle
) -> CallPiece:
    names, effect = style.numbers.value, thrown.find_effect(key)
    slugs = effect.wagers if effect is not None else ()
    words = phrase.words.format(
        n=names[str(thrown.total)],
        point=names[str(thrown.point)] if thrown.point else "",
        odds=_find_odds(thrown, key),
        bets=" and ".join(_name_bet(table, slug) for slug in slugs),
    )
    return CallPiece(key, words, style.cite(phrase, table.house.book.id))


def _name_bet(table: Table, slug: str) -> str:
    """Return a wager's spoken name, with its number if it has one: hard 8, horn high yo."""
    spot = table.layout.spots[slug]
    title = spot.rule.title.lower()
    if spot.legs and spot.number:
        return spoken_wager_name(slug)
    if isinstance(spot.rule, PassWins):  # Its number counts wins: it is no number to name.
        return title
    return f"{title} {spot.number}" if spot.number and str(spot.number) not in title else title
