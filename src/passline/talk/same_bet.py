"""What was decided last, and said again: ``same bet``, ``same yo``, ``let it ride``."""

from __future__ import annotations

import re
from collections.abc import Sequence

from passline.law.wagers import Come, OddsRule
from passline.table import Table
from passline.table import commands as cmd
from passline.table import events as ev
from passline.talk.changes import name_wagers
from passline.talk.press import ride_on
from passline.talk.utterance import Decided, Heard, UnheardError, offer_choices, unplayable

#: By player: what the last throw to decide anything of theirs decided. Kept by whoever deals,
#: changed by ``remember``.
Memory = dict[str, tuple[Decided, ...]]

_NOTHING = "custom: only what was decided is repeated"
_RIDE = re.compile(r"(?:(?P<what>.+) )?ride")


def remember(memory: Memory, table: Table, events: Sequence[ev.AnyEvent]) -> None:
    """Note what a throw decided. A throw that decides nothing changes nothing.

    Odds and come wagers that have travelled are not made directly, and so are not repeated; nor
    is a loser that stays up.
    """
    for event in events:
        if not isinstance(event, ev.Rolled):
            continue
        found: dict[str, list[Decided]] = {}
        for done in event.settlements:
            spot = table.layout.spots.get(done.wager)
            won = done.result == "win"
            if spot is None or not (won or (done.result == "lose" and not done.left)):
                continue
            if isinstance(spot.rule, OddsRule) or (isinstance(spot.rule, Come) and spot.number):
                continue
            decided = Decided(
                wager=done.wager, stake=done.stake, paid=done.paid - done.vig, stays=bool(done.left)
            )
            found.setdefault(done.player, []).append(decided)
        memory.update({player: tuple(wagers) for player, wagers in found.items()})


def repeat_bets(heard: Heard) -> list[cmd.AnyCommand]:
    """``same bet``: a winner that stays up, left as it is; else what came down, made again.

    ``same yo`` is that one of them.
    """
    words = heard.words
    if "same" not in words or len(words) > 3:
        raise UnheardError
    which = [word for word in words if word not in {"same", "on", "for"}]
    if len(which) > 1:
        raise UnheardError
    last = heard.last.get(heard.player, ())
    if which:
        slug = heard.slug(which[0])
        if not any(one.wager == slug for one in last) and slug not in heard.table.layout.spots:
            raise UnheardError
        last = tuple(one for one in last if one.wager == slug)
    staying = [one for one in last if one.stays]
    found = [again for one in staying or last if (again := _again(heard, one)) is not None]
    if not found:
        raise unplayable("nothing-decided", _NOTHING, player=heard.player)
    return found


def _again(heard: Heard, one: Decided) -> cmd.AnyCommand | None:
    """A wager made again. One that stays up is left as it is; what is up again is not doubled."""
    up = heard.wagers.get(one.wager)
    if up is None:
        return heard.bet(one.wager, one.stake)
    return cmd.Change(heard.player, one.wager, up.amount) if one.stays else None


def let_ride(heard: Heard) -> list[cmd.AnyCommand]:
    """``let it ride``: what won last, its stake and its pay together as the next wager."""
    found = _RIDE.fullmatch(heard.said)
    if found is None:
        raise UnheardError
    won = [one for one in heard.last.get(heard.player, ()) if one.paid]
    what = found["what"] or "it"
    if what not in {"it", "all"}:
        slugs = _named(heard, what, [one.wager for one in won])
        won = [one for one in won if one.wager in slugs]
    if not won:
        raise unplayable("nothing-rides", _NOTHING, player=heard.player)
    if len(won) > 1 and what == "it":
        raise offer_choices("which-rides", [f"let {one.wager} ride" for one in won])
    return [_ridden(heard, one) for one in won]


def _named(heard: Heard, what: str, won: list[str]) -> list[str]:
    """The wagers that are named: ``my line``, ``the six``; up or come down."""
    if (slug := heard.slug(what)) in won:
        return [slug]
    if what.isdigit():
        return [slug for slug in won if slug.rpartition("-")[2] == what]
    return name_wagers(heard, what)


def _ridden(heard: Heard, one: Decided) -> cmd.AnyCommand:
    whole = one.stake + one.paid
    if one.wager in heard.wagers:
        return ride_on(heard, one.wager, whole)
    return heard.bet(one.wager, whole)
