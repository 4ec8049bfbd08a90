"""Errands of a sitting: dice thrown, chips bought, a line taken back, a game saved or left."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from passline.layout import Refusal
from passline.money import AmountError, parse_dollars, show_dollars
from passline.play import wording
from passline.play.doors import DICE, which_dice
from passline.play.saving import cannot, save, save_path
from passline.table.custody import thrower
from passline.talk.says import money_words
from passline.words.refusals import refusal_words

if TYPE_CHECKING:
    from passline.play.sitting import Sitting

#: The most that is sold at a time, in cents: chips that a screen can show.
MOST_BUY_IN = 1_000_000_000


def shoot(sitting: Sitting, rest: str) -> Iterator[str]:
    """A throw: of our dice, or of those that were typed in."""
    game, dice, typed = sitting.game, sitting.dice, DICE.fullmatch(rest)
    if typed and dice is not None:
        yield 'The dice are thrown for you here: say "roll".'
        yield "(passline play --typed takes the dice of a real table.)"
        return
    if dice is None and not typed:
        yield which_dice(rest)
        return
    if typed and not typed[2] and rest in {"11", "12"}:
        apart = f"{rest[0]} {rest[1]}"
        yield f"{rest} could be a total or two dice: type them apart, such as {apart}"
        return
    who = thrower(game.table)
    if isinstance(who, Refusal):
        sitting.refused, sitting.stopped = who, True
        words = f"No: {refusal_words(who, to=sitting.player)} [{who.cite}]"
        yield from sitting.look.fold(words, "lose")
        yield from sitting.look.fold(sitting.hints.next(game.table, asked=True), "even")
        return
    lost = wording.dice_lost(who.events, sitting.player)
    if lost and typed is None and sitting.warned != game.throws:
        sitting.warned, sitting.stopped = game.throws, True
        words = f"{lost} {sitting.hints.keep_dice(game.table)}"
        yield from sitting.look.fold(words, "even")
    elif typed:
        yield from sitting.happen(f"roll {typed[1]} {typed[3]}")
    elif dice is not None:
        yield from sitting.take_place(lambda: game.roll(dice))


def rebuy(sitting: Sitting, words: str) -> Iterator[str]:
    """More chips."""
    if not words:
        yield 'Buy in for how much? Say "buy in 200".'
        return
    try:
        cents = parse_dollars(words.removesuffix(" dollars"))
    except AmountError as wrong:
        yield from sitting.look.fold(f"{wrong}", "lose")
        return
    if cents > MOST_BUY_IN:
        yield f"The cage sells {show_dollars(MOST_BUY_IN)} at a time, no more."
        return
    yield from sitting.happen(f"{sitting.player} buys in {money_words(cents)}")


def take_back(sitting: Sitting, _: str) -> Iterator[str]:
    """What the player said last is taken back."""
    gone, entries = sitting.game.undo(sitting.player)
    refused = [entry for entry in entries if entry.refusal is not None]
    if refused:
        yield from sitting.answered(refused[:1])
        return
    rail = show_dollars(sitting.game.table.seat(sitting.player).rail)
    yield from sitting.look.fold(f"Taken back: {gone}. {rail} in your rail.")


def save_as(sitting: Sitting, name: str) -> Iterator[str]:
    """The record in a file of the player's choice; a file that is there only after a yes."""
    if not name:
        yield 'Save it where? Say "save my-game.craps".'
        return
    try:
        path = save_path(name)
        there = path.exists() and not path.is_dir()
    except (OSError, ValueError, RuntimeError) as wrong:
        yield from sitting.look.fold(cannot(name, wrong))
        return
    if there:
        sitting.question = lambda: iter(sitting.look.fold(save(sitting.game, sitting.base, path)))
        yield from sitting.look.fold(f"{path} is there already: write over it?")
        return
    yield from sitting.look.fold(save(sitting.game, sitting.base, path))


def leave_rail(sitting: Sitting, _: str) -> Iterator[str]:
    """The player leaves the table: what may come down comes down."""
    yield from sitting.happen(f"{sitting.player} leaves")
    if sitting.refused is None:
        yield from quit_table(sitting, "")
    else:
        yield '"quit" goes and leaves everything as it is.'


def quit_table(sitting: Sitting, _: str) -> Iterator[str]:
    """The player goes, and the game stays as it is."""
    sitting.over = True
    seat = sitting.game.table.seat(sitting.player)
    up = sum(stake.amount for stake in seat.wagers.values())
    change = seat.rail + up - seat.bought_in
    sign = "+" if change > 0 else ""
    still = f" and {show_dollars(up)} up" if up else ""
    yield f"You go with {show_dollars(seat.rail)}{still} ({sign}{show_dollars(change)})."
