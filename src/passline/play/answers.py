"""Questions as players put them to a dealer: the limits, what a wager pays, what its odds are."""

from __future__ import annotations

import re
from collections.abc import Iterator

from passline.law.wagers import OddsRule
from passline.layout import Spot
from passline.money import show_dollars
from passline.pricing.pays import list_pays, word_pays
from passline.table import Table
from passline.table import commands as cmd
from passline.talk.errors import RecordError
from passline.talk.understand import UnplayableError, understand
from passline.words.wagers import bet_name

_WHAT = r"(?:what'?s|what is|whats|what are|what're|how much is|tell me|how much are)(?: the)?"
_ON = r"(?: (?:on|of|for|behind)(?: the| my)? (?P<{}>.+))?"
_LIMITS = re.compile(
    rf"{_WHAT}(?: table)? (?:min|minimum|max|maximum|limit|limits|minimum bet|maximum bet)"
    rf"{_ON.format('on')}"
    rf"|(?P<of>.+?) (?:min|minimum|max|maximum|limits)"
)
_PAYS = re.compile(
    rf"(?:what|how much) (?:does|do|will|would)(?: the| my| an?)? (?P<a>.+?) pay(?: out)?"
    rf"|{_WHAT} (?:pay|pays|payout|payoff|payouts|odds|edge|house edge){_ON.format('b')}"
)
_POINT = re.compile(rf"{_WHAT} point")
_SHOOTER = re.compile(r"who(?:'s| is| has)?(?: the)? (?:shooting|shooter|dice|next shooter)")
_MINE = re.compile(r"(?:what|how much)(?: money| bets?)? (?:do|have) i (?:have|got)(?: .*)?")
_MOST = 6


def ask_table(words: str) -> str | None:
    """A question of the table that can be answered, as ``KIND WORDS``; None where it is none."""
    said = words.rstrip("?").strip()
    if _MINE.fullmatch(said) or _POINT.fullmatch(said) or _SHOOTER.fullmatch(said):
        return "table"
    if words.endswith("?") and said in {"min", "minimum", "max", "maximum", "limits"}:
        return "limits"
    pays = _PAYS.fullmatch(said)
    if pays:
        return f"pays {pays['a'] or pays['b'] or ''}".rstrip()
    limits = _LIMITS.fullmatch(said)
    if limits and (limits["on"] or not limits["of"] or words.endswith("?")):
        return f"limits {limits['on'] or limits['of'] or ''}".rstrip()
    return None


def answer(table: Table, player: str, question: str) -> Iterator[str]:
    """What a dealer says to it."""
    kind, _, about = question.partition(" ")
    spots = _meant(table, player, about) if about else []
    if about and not spots:
        yield f"Which wager is that? {about!r} is none that I know: bets lists them all."
        return
    if kind == "limits":
        yield from _limits(table, spots)
    else:
        yield from (_pays(table, spot) for spot in spots[:_MOST])
        if not spots:
            yield 'Of which wager? Say "what does the field pay".'
        elif len(spots) > _MOST:
            yield "And so on: bets shows the others."


def _meant(table: Table, player: str, about: str) -> list[Spot]:
    """The wagers that words are about: those that a bet in these words would make."""
    words = about.removesuffix(" bet").removesuffix(" bets").removesuffix(" wager")
    for tail in ("for 60", "for 60 each", "for 2640"):
        try:
            said = understand(table, player, f"{words} {tail}")
        except UnplayableError as doubt:
            said = [c for choice in doubt.choices for c in _said(table, player, choice)]
        except RecordError:
            continue
        slugs = dict.fromkeys(c.wager for c in said if isinstance(c, cmd.Bet))
        made = [table.layout.spots[slug] for slug in slugs if slug in table.layout.spots]
        if made:
            return made
    kind = re.sub(r"[\s-]+", "-", words).removeprefix("the-")
    spots = table.layout.spots.values()
    return [s for s in spots if s.kind.startswith(kind) or s.kind.endswith(f"-{kind}")]


def _said(table: Table, player: str, words: str) -> list[cmd.AnyCommand]:
    """What a choice that was offered comes to; nothing where it leads on to another doubt."""
    try:
        return understand(table, player, words)
    except (UnplayableError, RecordError):
        return []


def _limits(table: Table, spots: list[Spot]) -> Iterator[str]:
    house = table.house
    if not spots:
        least, most = show_dollars(house.minimum), show_dollars(house.maximum)
        center = [
            spot.minimum for spot in table.layout.spots.values() if spot.rule.area == "center"
        ]
        low = f", the center from {show_dollars(min(center))}" if center else ""
        yield f"The minimum is {least} and the maximum {most}{low}."
        return
    for spot in spots[:_MOST]:
        if isinstance(spot.rule, OddsRule):
            yield f"{bet_name(spot.slug)}: by its flat wager; full odds takes the most."
            continue
        least, most = show_dollars(spot.minimum), show_dollars(spot.maximum)
        yield f"{bet_name(spot.slug)}: {least} to {most}."


def _pays(table: Table, spot: Spot) -> str:
    """What a wager pays, how often it wins, and what that costs."""
    from passline.pricing import WagerError, odds

    words = f"{bet_name(spot.slug)} pays {word_pays(list_pays(table.house, spot))}"
    if isinstance(spot.rule, OddsRule):
        return f"{words}: true odds, no house edge."
    try:
        row = odds(table.house, spot.slug)
    except WagerError:
        return f"{words}."
    wins, edge = float(row.win), float(row.edge)
    return f"{words}. It wins {wins:.1%} of the time it is decided; house edge {edge:.3%}."
