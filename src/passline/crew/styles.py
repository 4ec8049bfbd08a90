"""Ways of calling a throw, as data: which facts are said, in which order, in which words.

Each file of ``phrases/`` that is named in ``styles.toml`` is a style. A phrase names the clause
that gives it, or why it is our own; what is so of the throw picks it, never an expression.
"""

from __future__ import annotations

from functools import cache
from importlib import resources
from typing import Any, get_args

import msgspec

from passline.crew.facts import FactPlace, Facts, Mark, Occasion, Phase
from passline.law.cited import Cited, Sourced

#: What is said of the throw itself, beside the effects on wagers.
THROW_KEYS = ("number", "winner", "way", "point.marked", "point.was")
RESULTS = ("win", "lose", "push", "travel", "return")


class StyleError(ValueError):
    """Phrases that cannot be used, or a style that does not exist."""


class Phrase(Sourced, frozen=True, rename={"words": "is", "cites": "cite"}):
    """Words for a fact, and when they fit: every condition given must hold.

    ``{n}`` is the total's name, ``{point}`` the old point's, ``{odds}`` what the field pays and
    ``{bets}`` the names of the wagers.
    """

    words: str
    phases: tuple[Phase, ...] = ()
    totals: tuple[int, ...] = ()
    when: tuple[Mark, ...] = ()
    odds: str = ""

    def fits(self, facts: Facts, odds: str = "") -> bool:
        """Whether these words are for this throw."""
        return (
            (not self.phases or facts.phase in self.phases)
            and (not self.totals or facts.total in self.totals)
            and facts.marks.issuperset(self.when)
            and (not self.odds or self.odds == odds)
        )


class Order(Sourced, frozen=True):
    """What a full call says on an occasion, in order; ``a+b`` has words for both together.

    ``if_up`` is said there only where a wager is up. What is not listed at all is said last, where
    a wager is up and the style has words for it.
    """

    say: tuple[str, ...]
    if_up: tuple[str, ...] = ()

    @property
    def listed(self) -> frozenset[str]:
        """Every fact that has its place in the order."""
        return frozenset(key for entry in self.say for key in entry.split("+"))


class Style(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One way of calling the game."""

    id: str
    title: str
    #: The rulebook whose clauses its phrases name.
    book: str
    numbers: Cited[dict[str, str]]
    order: dict[Occasion, Order]
    say: dict[str, tuple[Phrase, ...]]

    def phrase(self, key: str, facts: Facts, odds: str = "") -> Phrase | None:
        """The first words for a fact that fit; none: this style leaves it unsaid."""
        return next((p for p in self.say.get(key, ()) if p.fits(facts, odds)), None)

    def cite(self, words: Sourced, book_id: str) -> str:
        """What a call under a rulebook names: its own clause, or the custom of another's book."""
        if not words.cites or book_id == self.book:
            return words.cite
        return f"custom: called as in {self.book}, {words.cite}"


class Nickname(Sourced, frozen=True, rename={"words": "is", "cites": "cite"}):
    """Another name for a throw, in these styles; ``needs`` are facts of which one must hold."""

    words: str
    totals: tuple[int, ...]
    styles: tuple[str, ...]
    when: tuple[Mark, ...] = ()
    needs: tuple[str, ...] = ()


class Uses(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Which styles there are, which a rulebook uses, and which where none is named."""

    styles: tuple[str, ...]
    default: Cited[str]
    use: dict[str, Cited[str]]


def phrase_text(name: str) -> str:
    """A file of phrases as it is written."""
    return resources.files("passline.crew").joinpath("phrases", name).read_text("utf-8")


def read_style(text: str, common: str = "") -> Style:
    """A style from its text; ``common`` has words for what the style itself does not word."""
    data: dict[str, Any] = msgspec.toml.decode(text)
    if common:
        data["say"] = {**msgspec.toml.decode(common)["say"], **data.get("say", {})}
    try:
        style = msgspec.convert(data, Style)
    except msgspec.ValidationError as wrong:
        raise StyleError(f"style {data.get('id', '')!r}: {wrong}") from None
    _check(style)
    return style


def _check(style: Style) -> None:
    """Every occasion has its order, every key means something, every total its name."""
    missing = set(get_args(Occasion)) - set(style.order)
    if missing:
        raise StyleError(f"style {style.id!r} has no order for {', '.join(sorted(missing))}")
    known = {*THROW_KEYS, *(f"{p}.{r}" for p in get_args(FactPlace) for r in RESULTS)}
    worded = {key for entry in style.say for key in entry.split("+")}
    listed = {key for order in style.order.values() for key in order.listed | {*order.if_up}}
    if worked := (worded | listed) - known:
        raise StyleError(f"style {style.id!r}: {', '.join(sorted(worked))} is no fact of a throw")
    if unnamed := {str(total) for total in range(2, 13)} - set(style.numbers.value):
        raise StyleError(f"style {style.id!r} has no name for {', '.join(sorted(unnamed))}")


@cache
def uses() -> Uses:
    """Which style each rulebook uses."""
    return msgspec.toml.decode(phrase_text("styles.toml"), type=Uses)


@cache
def style_named(name: str) -> Style:
    """A style by its id.

    >>> style_named("school-b").title
    "The dealer school's table of calls"
    """
    if name not in uses().styles:
        raise StyleError(f"there is no style {name!r}: {', '.join(uses().styles)}")
    return read_style(phrase_text(f"{name}.toml"), phrase_text("common.toml"))


def style_for(book_id: str) -> Style:
    """The style that a rulebook uses; the default where none is named for it.

    >>> style_for("dealer-school").id, style_for("new-jersey").id
    ('school-a', 'iowa')
    """
    return style_named(uses().use.get(book_id, uses().default).value)


class _Nicknames(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    nickname: tuple[Nickname, ...]


@cache
def _nicknames() -> tuple[Nickname, ...]:
    return msgspec.toml.decode(phrase_text("nicknames.toml"), type=_Nicknames).nickname


def nicknames(style: Style, facts: Facts) -> tuple[Nickname, ...]:
    """Every other name for this throw that the style knows, in the order of the data."""
    return tuple(
        name
        for name in _nicknames()
        if style.id in name.styles
        and facts.total in name.totals
        and facts.marks.issuperset(name.when)
        and (not name.needs or any(facts.effect(key) is not None for key in name.needs))
    )
