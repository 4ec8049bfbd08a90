"""One player's wagers as they lie on the layout, and what a roll does to them."""

from __future__ import annotations

from typing import Literal

import msgspec

Result = Literal["win", "lose", "push", "return", "travel"]


class Stake(msgspec.Struct, frozen=True, gc=False):
    """One wager on its spot. Money in cents.

    ``flat`` is the wager as it was when its number was set (odds are measured by it where the
    book says so); ``call`` what its player called (None: nothing); ``vig`` the vigorish paid for
    the coming decision; ``match`` the face of a match play coupon; ``unnoticed`` a wager that
    went down past the limits and is found only after the roll.
    """

    amount: int
    flat: int = 0
    call: bool | None = None
    vig: int = 0
    match: int = 0
    unnoticed: bool = False


#: A player's wagers by slug. Treated as a value: changed only by making a new one.
Wagers = dict[str, Stake]


class Settlement(msgspec.Struct, frozen=True, gc=False):
    """What a throw did to one wager. ``paid`` leaves the stake out.

    ``back`` is what went to the rail in all, ``left`` what still lies on the wager's spot;
    ``to`` names where a wager travelled; ``promo`` is the part of ``paid`` that a promotion gave.
    """

    player: str
    wager: str
    stake: int
    result: Result
    odds: str | None
    paid: int
    vig: int
    cite: str
    back: int
    left: int
    to: str | None = None
    promo: int = 0


class Refusal(msgspec.Struct, frozen=True):
    """Why something may not be done: the rule in words (with what would be allowed, where there
    is something), and its citation."""

    reason: str
    cite: str
