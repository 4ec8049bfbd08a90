"""Wagers and chips by the names that players read on the screen."""

from __future__ import annotations

from passline.layout import Stake
from passline.money import show_dollars
from passline.money.chips import Uncut
from passline.table import Table
from passline.words.wagers import bet_name


def off_or_on(table: Table, slug: str, stake: Stake) -> str:
    """The button on a wager for the coming throw: ``off`` if it rests, ``on`` if it was called."""
    spot = table.layout.spots[slug]
    works = stake.call if stake.call is not None else table.puck != 0 or spot.works
    if not works:
        return "off"
    return "on" if stake.call else ""


def up_words(table: Table, slug: str, stake: Stake) -> str:
    """A wager that is up, in a few words: ``hard 8 $5 off``."""
    button = off_or_on(table, slug, stake)
    words = f"{bet_name(slug)} {show_dollars(stake.amount)}"
    return f"{words} {button}" if button else words


def chips(table: Table, amount: int) -> str:
    """An amount in chips by colour, in words."""
    found = table.house.rack.cut(amount)
    return str(found.chips) if isinstance(found, Uncut) else str(found)


def chip_letters(table: Table) -> dict[str, str]:
    """Each colour of the rack by its shortest name that no other colour begins with."""
    colours = [chip.colour for chip in table.house.rack.chips]
    found = {}
    for colour in colours:
        others = [other for other in colours if other != colour]
        lengths = range(1, len(colour) + 1)
        short = (colour[:n] for n in lengths if not any(o.startswith(colour[:n]) for o in others))
        found[colour] = next(short, colour)
    return found


def chip_code(table: Table, amount: int, letters: dict[str, str]) -> str:
    """An amount in chips, in as few letters as can be: ``2r 2w``."""
    piles, _ = table.house.rack.divide(amount)
    return " ".join(f"{count}{letters[colour]}" for colour, count in piles.counts)
