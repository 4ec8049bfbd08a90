"""A throw as a player sees it: the dice, the call, and what it did to their wagers."""

from __future__ import annotations

from collections.abc import Iterator

from passline.crew.stick import call
from passline.luck import ended_hand
from passline.money import show_dollars
from passline.play import wording
from passline.play.look import Look
from passline.play.played import Played

_STYLES = {"win": "win", "lose": "lose", "push": "even", "return": "even"}


def shown(game: Played, player: str, look: Look) -> Iterator[str]:
    """The lines for the last throw of a game."""
    rolled, before = game.thrown, game.before
    assert rolled is not None
    called = call(before, rolled)
    if look.plain:
        yield from look.fold(f"The dice: {rolled.first} and {rolled.second}. {called}.")
    else:
        dice = look.paint(f"[{rolled.first}][{rolled.second}]", "bold")
        yield from look.fold(f"{dice}  {called}", indent=8)
    hand = ended_hand(before, rolled)
    if hand is not None:
        yield from look.fold(f"  The hand had {hand.words}")
    done = game.settled(player)
    for one in done:
        words = wording.settled(before, one)
        yield from look.fold(f"  {words}", _STYLES.get(one.result, ""))
    if len(done) > 1:
        change = wording.net(done)
        yield f"  in all {'+' if change > 0 else ''}{show_dollars(change)}"
