"""A hand's luck, told when it ends: how likely a hand is to last as long."""

from __future__ import annotations

from fractions import Fraction

import msgspec

from passline.dice import FAIR, Dice
from passline.exact.hand import HandLength
from passline.layout import Layout
from passline.machines.hand import hand_ended, walk_hand
from passline.table import Table
from passline.table.events import Rolled
from passline.words.hands import hand_words

#: Throws of a hand up to which its chance is worked out: beyond, it is below any that means much.
LONGEST = 1000

_known: dict[tuple[str, str, Dice], HandLength] = {}


class EndedHand(msgspec.Struct, frozen=True):
    """A hand that ended: its throws, and the chance that a hand lasts as long or longer.

    The chance is that of a hand from its come-out; whoever took the dice over with a point on is
    told the same.
    """

    rolls: int
    chance: Fraction

    @property
    def words(self) -> str:
        """For people: ``31 rolls: 1 in 70``."""
        return hand_words(self.rolls, self.chance)


def hand_length(layout: Layout, dice: Dice = FAIR) -> HandLength:
    """How long hands last under a layout's rules, walked once.

    >>> from passline.house.files import house_for
    >>> from passline.layout import lay_felt
    >>> hand_length(lay_felt(house_for("new-jersey"))).mean_rolls
    Fraction(1671, 196)
    """
    key = layout.house.book.id, layout.house.game, dice
    if key not in _known:
        _known[key] = HandLength(walk_hand(layout, dice), dice.whole)
    return _known[key]


def ended_hand(before: Table, rolled: Rolled, dice: Dice = FAIR) -> EndedHand | None:
    """The hand that a throw ended, given the table as it stood before it; None: it ended none."""
    rolls = hand_ended(before, rolled)
    if not rolls:
        return None
    return EndedHand(rolls, hand_length(before.layout, dice).survival(min(rolls, LONGEST)))
