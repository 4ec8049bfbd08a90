"""The motions of a dealer's hands: one hand moves chips from one position to another."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal

import msgspec

from passline.game.money.amounts import show_dollars
from passline.game.money.chips import NO_CHIPS, Chips

#: The inside hand is the one nearer the box: it cuts, sizes and goes to the bank. The outside hand
#: delivers, and never goes to the bank.
Hand = Literal["inside", "outside"]

BANK, BOX, COME, PLAYER, APRON = "bank", "box", "come", "player", "apron"
IN_HAND, BESIDE = "hand", "beside"

#: Chips by position. The bank has no pile: payoffs come from it without limit.
ChipPiles = dict[str, Chips]


class Motion(msgspec.Struct, frozen=True, kw_only=True):
    """One hand moves chips from `source` to `target`.

    `source` and `target` are `bank` (payoffs are cut from it), `box` (chips handed back to the
    boxperson), `come` (the area where chips are cut and proved), `player` (what the player throws
    in), `apron` (what the player is handed), `hand` (held for a moment), `beside` (in the come area
    beside the payoff), or a spot such as `8`, `odds` or `flat`.
    """

    hand: Hand
    words: str
    chips: Chips
    source: str
    target: str
    #: The clauses for the motion, or `custom: ` and a reason.
    cites: tuple[str, ...] = ()

    @property
    def amount(self) -> int:
        """Return the value of the chips in cents."""
        return self.chips.amount


class CitedWords(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Words from a rulebook's crew data, with the clauses that prescribe them.

    If no clause does, `custom` is the reason to cite.
    """

    words: str
    cite: tuple[str, ...] = ()
    custom: str = ""

    @property
    def cites(self) -> tuple[str, ...]:
        """Return the clauses, or ("custom: ...",) if there are none."""
        return self.cite or (f"custom: {self.custom}",)


class MotionKind(CitedWords, frozen=True, kw_only=True):
    """A kind of motion: which hand makes it, and its sentence (`words`) with placeholders."""

    hand: Hand

    def make_motion(self, chips: Chips, source: str, target: str, /, **words: object) -> Motion:
        """Return a motion of this kind. `words` fills further placeholders of its sentence."""
        return Motion(
            hand=self.hand,
            words=self.words.format(chips=chips, amount=show_dollars(chips.amount), **words),
            chips=chips,
            source=source,
            target=target,
            cites=self.cites,
        )


class MissingChipsError(ValueError):
    """Raised for a motion that lifts chips which are not there."""


def apply_motions(piles: ChipPiles, motions: Iterable[Motion]) -> ChipPiles:
    """Return the chips by position after the motions; `piles` has those before and stays unchanged.

    The bank and the player never run out. Raise MissingChipsError if a motion takes chips from
    another position that does not have them.
    """
    after = dict(piles)
    for motion in motions:
        pile = after.get(motion.source, NO_CHIPS)
        if motion.source not in {BANK, PLAYER}:
            if not motion.chips <= pile:
                raise MissingChipsError(f"{motion.words}: there is {pile} on {motion.source}")
            after[motion.source] = pile - motion.chips
        after[motion.target] = after.get(motion.target, NO_CHIPS) + motion.chips
    return {place: chips for place, chips in after.items() if chips}
