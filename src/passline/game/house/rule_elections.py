"""Elections that change a rule of the book itself: what works, is called off, or stays up.

A house may do so only where no clause gives the rule (a custom). ``elect_rules`` returns the book
with the elected rules, which the house's book then is, so that every reader of it gets the elected
rule. ``lint`` reports what a clause forbids. Pure.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import Any, NamedTuple

import msgspec

from passline.game.law.book import Book
from passline.game.law.citations import CitedValue
from passline.game.law.shapes import AnyWager
from passline.game.law.shapes.first_roll import FirstRollWager
from passline.game.law.wager_names import standard_name

_RACES = ("place-win", "place-lose", "buy", "lay", "big")
_COME_ODDS, _LINE_ODDS = ("come-odds", "dont-come-odds"), ("pass-odds", "dont-pass-odds")
HARDWAYS, HOPS, FIELD = "hardways", "hops", "field"
#: The kinds of wagers that each rule may be elected for, by the beginning of the key.
RULE_KINDS = {
    "working.": (*_RACES, HARDWAYS, *_COME_ODDS),
    "call_off.": (*_RACES, HARDWAYS, *_COME_ODDS, *_LINE_ODDS),
    "stays.": (*_RACES, HARDWAYS),
}
BAR_KEY = "dont.bar"
#: The beginning of a key that says when the side bets of an offer may be made.
_MADE_HEAD = "made."
#: Groups of wagers that a house need not deal under any book: a book's list is what may be dealt.
LEFT_OUT = (HOPS, FIELD, HARDWAYS)
#: How many changed books are cached.
_MAX_CACHED_BOOKS = 64


class RuleChange(NamedTuple):
    """A rule of the book that an election sets: the wager (``family``) and its field.

    ``stated`` is the book's value with its clause, ``now`` that value alone, and ``value`` the
    elected one.
    """

    key: str
    family: str
    field: str
    stated: CitedValue[Any]
    now: object
    value: object

    @property
    def forbidden(self) -> bool:
        """Whether a clause of the book gives another value."""
        return self.now != self.value and bool(self.stated.clauses)


def find_group(book: Book, rule: AnyWager) -> str:
    """Return the group by which a house may leave a wager out: hops, field or hardways; or ""."""
    if rule.is_hardway:
        return HARDWAYS
    if rule.is_hop:
        return HOPS
    return FIELD if rule.is_one_roll and rule.find_standard_name(book, "") == FIELD else ""


def find_kind(book: Book, family: str) -> str:
    """Return a wager's name in keys such as ``working.buy``: its standard name, or ``hardways``."""
    return HARDWAYS if book.wager[family].is_hardway else standard_name(book, family)


def list_kinds(book: Book) -> frozenset[str]:
    """Return the name of each of a book's wagers in keys such as ``working.buy``."""
    return frozenset(find_kind(book, family) for family in book.wager)


def iter_changes(book: Book, elected: dict[str, Any]) -> Iterator[RuleChange]:
    """Yield every rule that these elections set, whether or not the book allows it."""
    for key, value in elected.items():
        head, dot, kind = key.partition(".")
        if key == BAR_KEY:
            yield from _iter_bars(book, value)
        elif head + dot == _MADE_HEAD:
            for family, rule in book.wager.items():
                if rule.offer == kind:
                    now = rule.made.value
                    yield RuleChange(key, family, "made", stated=rule.made, now=now, value=value)
        elif head + dot in RULE_KINDS:
            for family, rule in book.wager.items():
                if find_kind(book, family) == kind:
                    yield _make_change(book, key, family, rule, value)


def _make_change(book: Book, key: str, family: str, rule: AnyWager, value: Any) -> RuleChange:
    head = key.partition(".")[0]
    if head == "working":
        stated: CitedValue[Any] = rule.come_out or book.working
        return RuleChange(key, family, "come_out", stated=stated, now=stated.value, value=value)
    if head == "stays":
        stated = rule.stays or book.stays
        return RuleChange(key, family, "stays", stated=stated, now=stated.value, value=value)
    own, rests = rule.call_off, "rests" if value else "no"
    now = "no" if own is None else own.value
    stated = own or rule.come_out or book.working
    return RuleChange(key, family, "call_off", stated=stated, now=now, value=rests)


def list_bar_choices(book: Book) -> tuple[int, ...]:
    """Return the totals that a house may bar: those on which a don't wager now wins or pushes.

    To bar a total, such as 12, is to make it a push on the come-out.
    """
    found = {n for _, rule in _iter_barred(book) for n in (*rule.push_totals, *_list_wins(rule))}
    return tuple(sorted(found))


def _iter_barred(book: Book) -> Iterator[tuple[str, FirstRollWager]]:
    for family, rule in book.wager.items():
        if isinstance(rule, FirstRollWager) and rule.push_totals:
            yield family, rule


def _list_wins(rule: FirstRollWager) -> tuple[int, ...]:
    return rule.first_win.value


def _iter_bars(book: Book, total: Any) -> Iterator[RuleChange]:
    for family, rule in _iter_barred(book):
        craps = sorted({*rule.push_totals, *_list_wins(rule)})
        wins = tuple(n for n in craps if n != total)
        push = rule.first_push
        assert push is not None
        for field, stated, value in (
            ("first_push", push, (total,)),
            ("first_win", rule.first_win, wins),
        ):
            yield RuleChange(BAR_KEY, family, field, stated=stated, now=stated.value, value=value)


def elect_rules(book: Book, elected: dict[str, Any]) -> Book:
    """Return the book with the rules that a house elects, or the book itself if it elects none.

    The same elections give the same object.
    """
    heads = (*RULE_KINDS, _MADE_HEAD)
    keys = tuple(key for key in elected if key == BAR_KEY or f"{key.partition('.')[0]}." in heads)
    if not keys:
        return book
    return _elect_cached(_BookKey(book), tuple(sorted((key, elected[key]) for key in keys)))


class _BookKey:
    """A cache key that equals another only if both hold the same book object."""

    __slots__ = ("book",)

    def __init__(self, book: Book) -> None:
        self.book = book

    def __hash__(self) -> int:
        return id(self.book)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _BookKey) and self.book is other.book


@lru_cache(_MAX_CACHED_BOOKS)
def _elect_cached(key: _BookKey, elected: tuple[tuple[str, Any], ...]) -> Book:
    book, wagers = key.book, dict(key.book.wager)
    vig = dict(book.vig)
    for change in iter_changes(book, dict(elected)):
        if change.now == change.value:
            continue
        rule = wagers[change.family]
        by = f"the house elects {change.key}"
        fields: dict[str, Any] = {change.field: CitedValue(value=change.value, custom=by)}
        if change.field == "come_out" and change.value == "off" and rule.call_on is None:
            fields["call_on"] = CitedValue(value=True, custom=by)
        if change.field == "stays" and rule.vig_kind:
            renews = CitedValue(value=bool(change.value), custom=by)
            vig[rule.vig_kind] = msgspec.structs.replace(vig[rule.vig_kind], renews=renews)
        wagers[change.family] = msgspec.structs.replace(rule, **fields)
    changed = msgspec.structs.replace(book, wager=wagers, vig=vig)
    # A log names the rulebook by its digest, and the elections beside it.
    vars(changed)["digest"] = book.digest
    return changed
