"""Repeat the last decided bets: `same bet`, `same yo`, `let it ride`.

The code that deals a table keeps a `BetMemory` and calls `remember_decisions` after every roll.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from passline.game.table import commands as cmd
from passline.game.table import events as ev
from passline.game.table.state import Table
from passline.talk.changes import let_wager_ride
from passline.talk.errors import NoMatchError
from passline.talk.meant_wagers import find_meant_wagers
from passline.talk.utterance import DecidedBet, Utterance, make_unplayable, offer_choices

#: `LastBets` that `remember_decisions` updates.
BetMemory = dict[str, tuple[DecidedBet, ...]]

_NOTHING_CITE = "custom: only what was decided is repeated"
_RIDE_PATTERN = re.compile(r"(?:(?P<what>.+) )?ride")


def remember_decisions(memory: BetMemory, table: Table, events: Sequence[ev.AnyEvent]) -> None:
    """Store in `memory`, in place, the bets of each player that a roll in `events` decided.

    Odds and come wagers that have traveled are left out, since a player cannot make them directly.
    So are losers that stay up. A player without such a bet keeps the earlier ones.
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
            if spot.is_odds or (spot.rule.is_come and spot.number):
                continue
            paid, stays = done.paid - done.vig, bool(done.left)
            decided = DecidedBet(done.wager, done.stake, paid, stays_up=stays)
            found.setdefault(done.player, []).append(decided)
        memory.update({player: tuple(wagers) for player, wagers in found.items()})


def repeat_bets(utterance: Utterance) -> list[cmd.AnyCommand]:
    """Return the commands for `same bet`: make the bets that were decided last again.

    Bets that the player has already made again are skipped. If some of the bets won and stayed up,
    the commands are for these alone: a Change to the amount that is up, which moves no chips, or a
    new bet if the player has taken it down since. `same yo` means the yo alone. Raise NoMatchError
    for other words, and UnplayableError if there is nothing to repeat.
    """
    words = utterance.words
    if "same" not in words or len(words) > 3:
        raise NoMatchError
    which = [word for word in words if word not in {"same", "on", "for"}]
    if len(which) > 1:
        raise NoMatchError
    last = utterance.last_bets.get(utterance.player, ())
    if which:
        slug = utterance.find_slug(which[0])
        if not any(bet.wager == slug for bet in last) and slug not in utterance.spots:
            raise NoMatchError
        last = tuple(bet for bet in last if bet.wager == slug)
    staying = [bet for bet in last if bet.stays_up]
    found = [again for bet in staying or last if (again := _repeat_bet(utterance, bet)) is not None]
    if not found:
        raise make_unplayable("nothing-decided", _NOTHING_CITE, player=utterance.player)
    return found


def _repeat_bet(utterance: Utterance, bet: DecidedBet) -> cmd.AnyCommand | None:
    """Return the command that repeats one decided bet, or None if the player has made it again.

    For a winner that is still up, it is a Change to the amount that is up.
    """
    up = utterance.wagers.get(bet.wager)
    if up is None:
        return utterance.make_bet(bet.wager, bet.stake)
    return cmd.Change(utterance.player, bet.wager, up.amount) if bet.stays_up else None


def let_ride(utterance: Utterance) -> list[cmd.AnyCommand]:
    """Return the commands for `let it ride`: bet the stake and the win of what won last.

    Raise UnplayableError if nothing won, or several wagers did and the player named none.
    """
    found = _RIDE_PATTERN.fullmatch(utterance.text)
    if found is None:
        raise NoMatchError
    won = [bet for bet in utterance.last_bets.get(utterance.player, ()) if bet.paid]
    what = found["what"] or "it"
    if what not in {"it", "all"}:
        slugs = _find_named(utterance, what, [bet.wager for bet in won])
        won = [bet for bet in won if bet.wager in slugs]
    if not won:
        raise make_unplayable("nothing-rides", _NOTHING_CITE, player=utterance.player)
    if len(won) > 1 and what == "it":
        raise offer_choices("which-rides", [f"let {bet.wager} ride" for bet in won])
    return [
        let_wager_ride(utterance, bet.wager, bet.stake + bet.paid)
        if bet.wager in utterance.wagers
        else utterance.make_bet(bet.wager, bet.stake + bet.paid)
        for bet in won
    ]


def _find_named(utterance: Utterance, what: str, won: list[str]) -> list[str]:
    """Return the slugs named by words such as `my line` or `the six`, whether still up or not.

    `won` are the wagers that won last.
    """
    if (slug := utterance.find_slug(what)) in won:
        return [slug]
    if what.isdigit():
        return [slug for slug in won if slug.rpartition("-")[2] == what]
    return find_meant_wagers(utterance, what)
