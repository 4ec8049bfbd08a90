"""What a player may repeat with ``same bet``: the wagers that came down when last decided."""

from __future__ import annotations

from collections.abc import Sequence

from passline.law.wagers import Come, Odds
from passline.table import Table
from passline.table import commands as cmd
from passline.table import events as ev
from passline.talk.utterance import Heard, UnheardError, UnplayableError

#: By player: the wagers and their stakes in cents. Kept by whoever deals, changed by ``remember``.
Memory = dict[str, tuple[tuple[str, int], ...]]


def remember(memory: Memory, table: Table, events: Sequence[ev.AnyEvent]) -> None:
    """Note what a throw decided and took down. A throw that decides nothing changes nothing.

    Odds and come wagers that have travelled are not made directly, and so are not repeated.
    """
    for event in events:
        if not isinstance(event, ev.Rolled):
            continue
        gone: dict[str, list[tuple[str, int]]] = {}
        for done in event.settlements:
            spot = table.layout.spots.get(done.wager)
            if done.left or done.result not in {"win", "lose"} or spot is None:
                continue
            if isinstance(spot.rule, Odds) or (isinstance(spot.rule, Come) and spot.number):
                continue
            gone.setdefault(done.player, []).append((done.wager, done.stake))
        memory.update({player: tuple(wagers) for player, wagers in gone.items()})


def same_bet(heard: Heard) -> list[cmd.AnyCommand]:
    """``same bet``: what was decided last and is not up again; ``same yo``: that one of them."""
    words = heard.words
    if "same" not in words or len(words) > 3:
        raise UnheardError
    which = [word for word in words if word not in {"same", "on", "for"}]
    if len(which) > 1:
        raise UnheardError
    last = heard.last.get(heard.player, ())
    found = [(slug, cents) for slug, cents in last if slug not in heard.wagers]
    if which:
        if not any(slug == which[0] for slug, _ in last) and not _is_slug(heard, which[0]):
            raise UnheardError
        found = [(slug, cents) for slug, cents in found if slug == which[0]]
    if not found:
        raise UnplayableError(
            f"{heard.player} has no decided wager to make again",
            "custom: only what was decided and came down is repeated",
        )
    return [heard.bet(slug, cents) for slug, cents in found]


def _is_slug(heard: Heard, word: str) -> bool:
    return word in heard.table.layout.spots
