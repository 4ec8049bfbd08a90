"""What was decided last, and said again: ``same bet``, ``same yo``, ``let it ride``."""

from __future__ import annotations

import re
from collections.abc import Sequence

from passline.game.law.shapes.come import Come
from passline.game.law.shapes.odds import OddsRule
from passline.game.table import commands as cmd
from passline.game.table import events as ev
from passline.game.table.state import Table
from passline.talk.changes import find_named_wagers, let_wager_ride
from passline.talk.utterance import (
    DecidedBet,
    NoMatchError,
    Utterance,
    make_unplayable,
    offer_choices,
)

#: By player: what the last throw to decide anything of theirs decided. Kept by whoever deals,
#: changed by ``remember``.
BetMemory = dict[str, tuple[DecidedBet, ...]]

_NOTHING_CITE = "custom: only what was decided is repeated"
_RIDE_PATTERN = re.compile(r"(?:(?P<what>.+) )?ride")


def remember_decisions(memory: BetMemory, table: Table, events: Sequence[ev.AnyEvent]) -> None:
    """Note what a throw decided. A throw that decides nothing changes nothing.

    Odds and come wagers that have travelled are not made directly, and so are not repeated; nor
    is a loser that stays up.
    """
    for event in events:
        if not isinstance(event, ev.Rolled):
            continue
        found: dict[str, list[DecidedBet]] = {}
        for done in event.settlements:
            spot = table.layout.spots.get(done.wager)
            won = done.result == "win"
            if spot is None or not (won or (done.result == "lose" and not done.left)):
                continue
            if isinstance(spot.rule, OddsRule) or (isinstance(spot.rule, Come) and spot.number):
                continue
            decided = DecidedBet(
                wager=done.wager, stake=done.stake, paid=done.paid - done.vig, stays=bool(done.left)
            )
            found.setdefault(done.player, []).append(decided)
        memory.update({player: tuple(wagers) for player, wagers in found.items()})


def repeat_bets(heard: Utterance) -> list[cmd.AnyCommand]:
    """``same bet``: a winner that stays up, left as it is; else what came down, made again.

    ``same yo`` is that one of them.
    """
    words = heard.words
    if "same" not in words or len(words) > 3:
        raise NoMatchError
    which = [word for word in words if word not in {"same", "on", "for"}]
    if len(which) > 1:
        raise NoMatchError
    last = heard.last.get(heard.player, ())
    if which:
        slug = heard.slug(which[0])
        if not any(one.wager == slug for one in last) and slug not in heard.table.layout.spots:
            raise NoMatchError
        last = tuple(one for one in last if one.wager == slug)
    staying = [one for one in last if one.stays]
    found = [again for one in staying or last if (again := _repeat_bet(heard, one)) is not None]
    if not found:
        raise make_unplayable("nothing-decided", _NOTHING_CITE, player=heard.player)
    return found


def _repeat_bet(heard: Utterance, one: DecidedBet) -> cmd.AnyCommand | None:
    """A wager made again. One that stays up is left as it is; what is up again is not doubled."""
    up = heard.wagers.get(one.wager)
    if up is None:
        return heard.bet(one.wager, one.stake)
    return cmd.Change(heard.player, one.wager, up.amount) if one.stays else None


def let_ride(heard: Utterance) -> list[cmd.AnyCommand]:
    """``let it ride``: what won last, its stake and its pay together as the next wager."""
    found = _RIDE_PATTERN.fullmatch(heard.said)
    if found is None:
        raise NoMatchError
    won = [one for one in heard.last.get(heard.player, ()) if one.paid]
    what = found["what"] or "it"
    if what not in {"it", "all"}:
        slugs = _find_named(heard, what, [one.wager for one in won])
        won = [one for one in won if one.wager in slugs]
    if not won:
        raise make_unplayable("nothing-rides", _NOTHING_CITE, player=heard.player)
    if len(won) > 1 and what == "it":
        raise offer_choices("which-rides", [f"let {one.wager} ride" for one in won])
    return [_ride_bet(heard, one) for one in won]


def _find_named(heard: Utterance, what: str, won: list[str]) -> list[str]:
    """The wagers that are named: ``my line``, ``the six``; up or come down."""
    if (slug := heard.slug(what)) in won:
        return [slug]
    if what.isdigit():
        return [slug for slug in won if slug.rpartition("-")[2] == what]
    return find_named_wagers(heard, what)


def _ride_bet(heard: Utterance, one: DecidedBet) -> cmd.AnyCommand:
    whole = one.stake + one.paid
    if one.wager in heard.wagers:
        return let_wager_ride(heard, one.wager, whole)
    return heard.bet(one.wager, whole)
