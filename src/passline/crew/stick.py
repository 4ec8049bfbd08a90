"""The stick's call of a throw, composed from its facts and a style's phrases."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from passline.crew.facts import Effect, Facts, facts
from passline.crew.styles import Phrase, Style, nicknames, style_for, style_named
from passline.table import Table
from passline.table.custody import automated
from passline.table.events import Rolled
from passline.words.calls import plain_call
from passline.words.wagers import wager_words


class Said(NamedTuple):
    """One piece of a call: the fact, the words for it, and the clause that gives them."""

    key: str
    words: str
    cite: str


def call(
    table: Table, rolled: Rolled, style: str | None = None, full: bool = False, colour: int = 0
) -> str:
    """What the stick calls, given the table before the throw.

    Fitted to the wagers that are up; ``full``: everything that the phase implies. ``style`` is the
    rulebook's own unless named; ``colour`` picks the so-manieth nickname (0: none). Where a machine
    throws there is no stick, and the screen shows the plain total and what it does to the line.
    """
    if automated(table):
        return plain_call(rolled, table.house.book)
    return ", ".join(said.words for said in pieces(table, rolled, style, full, colour))


def pieces(
    table: Table, rolled: Rolled, style: str | None = None, full: bool = False, colour: int = 0
) -> tuple[Said, ...]:
    """A call piece by piece, each with its citation."""
    used = style_for(table.house.book.id) if style is None else style_named(style)
    return tuple(compose(table, facts(table, rolled), used, full, colour))


def compose(
    table: Table, thrown: Facts, style: Style, full: bool = False, colour: int = 0
) -> Iterator[Said]:
    """The facts of a throw in a style's words, in its order."""
    order = style.order[thrown.occasion]
    told = {key for key in _throw_keys(thrown) if style.phrase(key, thrown)}
    for effect in thrown.effects:
        implied = full and effect.key in order.listed and effect.key not in order.if_up
        if (effect.up or implied) and style.phrase(effect.key, thrown, effect.odds):
            told.add(effect.key)
    named = False
    rest = [effect.key for effect in thrown.effects if effect.key not in order.listed]
    for entry in (*order.say, *rest):
        keys = [key for key in entry.split("+") if key in told]
        if len(keys) > 1 and (both := style.phrase(entry, thrown)):
            yield _said(entry, both, table, thrown, style)
        else:
            for key in keys:
                effect_phrase = style.phrase(key, thrown, _odds(thrown, key))
                assert effect_phrase is not None
                yield _said(key, effect_phrase, table, thrown, style)
        if not named and colour:
            yield from _coloured(table, style, thrown, colour)
            named = True


def _throw_keys(thrown: Facts) -> Iterator[str]:
    """What is said of the throw itself, whatever is up."""
    yield "number"
    if "winner" in thrown.marks:
        yield "winner"
    if thrown.marks & {"hard", "easy"}:
        yield "way"
    if thrown.phase == "established":
        yield "point.marked"
    if thrown.occasion == "seven-out":
        yield "point.was"


def _odds(thrown: Facts, key: str) -> str:
    effect = thrown.effect(key)
    return effect.odds if effect is not None else ""


def _said(key: str, phrase: Phrase, table: Table, thrown: Facts, style: Style) -> Said:
    names = style.numbers.value
    words = phrase.words.format(
        n=names[str(thrown.total)],
        point=names[str(thrown.point)] if thrown.point else "",
        odds=_odds(thrown, key),
        bets=_bets(table, thrown.effect(key)),
    )
    return Said(key, words, style.cite(phrase, table.house.book.id))


def _bets(table: Table, effect: Effect | None) -> str:
    """The names of the wagers that an effect is about, as a dealer says them."""
    slugs = effect.wagers if effect is not None else ()
    return " and ".join(spoken_name(table, slug) for slug in slugs)


def spoken_name(table: Table, slug: str) -> str:
    """A wager's name as it is said: its title, with its number where it has one.

    A horn high goes by its high number's own wager: horn high aces, horn high yo.
    """
    spot = table.layout.spots[slug]
    title = spot.rule.title.lower()
    if spot.legs and spot.number:
        return wager_words(slug)
    return f"{title} {spot.number}" if spot.number and str(spot.number) not in title else title


def _coloured(table: Table, style: Style, thrown: Facts, colour: int) -> Iterator[Said]:
    known = nicknames(style, thrown)
    if known:
        name = known[(colour - 1) % len(known)]
        yield Said("nickname", name.words, style.cite(name, table.house.book.id))
