"""One player's wagers as they lie on the layout, and what a roll does to them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import msgspec

from passline.game.law.verdicts import Result


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


#: A figure of a refusal: cents, a count, a name or a code; or several.
Figure = int | str | tuple[int | str, ...]


class Refusal(msgspec.Struct, frozen=True):
    """Why something may not be done: which rule (a code), its citation, the figures it went by,
    and what would be allowed instead (amounts in cents, or codes), where there is something.

    Nothing here is worded: ``words.refusal_words`` does that, for people.
    """

    code: str
    cite: str
    figures: dict[str, Figure] = {}
    allowed: tuple[int | str, ...] = ()


def refuse(code: str, cite: str, allowed: Sequence[int | str] = (), **figures: Figure) -> Refusal:
    """A refusal with its figures by name.

    >>> refuse("under-minimum", "2(a)", [500], wager="pass", least=500).figures
    {'wager': 'pass', 'least': 500}
    """
    return Refusal(code=code, cite=cite, figures=figures, allowed=tuple(allowed))


def apply_settlements(wagers: Wagers, settlements: Iterable[Settlement]) -> Wagers:
    """What lies on the layout once these settlements are carried out.

    Told by the settlements alone: no rule is asked, so that an old log folds as it did.
    """
    left = dict(wagers)
    moved: dict[str, Stake] = {}
    for done in settlements:
        if done.wager not in left:
            continue
        stake = left[done.wager]
        if done.result == "return" and done.stake < stake.amount:
            # What was over the maximum goes back first; the rest is settled.
            left[done.wager] = Stake(
                amount=stake.amount - done.stake, flat=stake.flat, call=stake.call, vig=stake.vig
            )
        elif done.to is not None:
            stake = left.pop(done.wager)
            moved[done.to] = Stake(stake.amount, stake.amount, unnoticed=stake.unnoticed)
        elif done.left == 0:
            del left[done.wager]
        elif done.result in ("win", "lose"):
            # A call lasts until the wager is decided, won or (netted, and still up) lost; the pay
            # has paid its next vigorish.
            left[done.wager] = Stake(done.left, done.left, vig=done.vig if stake.vig else 0)
    left.update(moved)
    return left
