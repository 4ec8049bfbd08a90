"""Stakes (open bets), settlements (what a throw does to a bet) and refusals of commands.

All three are stored in logs and snapshots, so no field may be renamed.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import msgspec

from passline.game.law.verdicts import Result


class Stake(msgspec.Struct, frozen=True, gc=False):
    """One wager that is up. Money is in cents.

    ``flat`` is its amount when its number was set, by which some books limit odds. ``call`` is True
    or False if its player called it on or off, else None. ``vig`` is the vigorish paid for the next
    decision. ``match`` is the face value of a match play coupon. ``unnoticed`` means that nobody
    checked the wager against the limits before the roll; they are checked after it.
    """

    amount: int
    flat: int = 0
    call: bool | None = None
    vig: int = 0
    match: int = 0
    unnoticed: bool = False


#: A player's wagers by slug. Never changed in place; a change makes a new dict.
Wagers = dict[str, Stake]


class Settlement(msgspec.Struct, frozen=True, gc=False):
    """What a throw did to one wager (``result``: win, lose, push and so on). Money is in cents.

    ``paid`` does not include the stake. ``back`` is the total that went to the rail; it is negative
    if the rail pays for a lost wager that stays up. ``left`` is still up. ``to`` is the slug of
    the spot that a come wager or a staged side bet moved to. ``vig`` is the vigorish taken, and
    ``promo`` the part of ``paid`` from a promotion.
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


#: A value in a refusal: cents, a count, a name or a code; or several.
Figure = int | str | tuple[int | str, ...]


class Refusal(msgspec.Struct, frozen=True):
    """Why a command is not allowed: a code, a citation, figures, and what would be allowed.

    ``allowed`` lists amounts in cents, or codes. ``game/words/refusals.py`` turns a refusal into a
    sentence.
    """

    code: str
    cite: str
    figures: dict[str, Figure] = {}
    allowed: tuple[int | str, ...] = ()


def refuse(code: str, cite: str, allowed: Sequence[int | str] = (), **figures: Figure) -> Refusal:
    """Make a refusal from its code, citation, what would be allowed, and figures by name.

    >>> refuse("under-minimum", "2(a)", [500], wager="pass", least=500).figures
    {'wager': 'pass', 'least': 500}
    """
    return Refusal(code=code, cite=cite, figures=figures, allowed=tuple(allowed))


def refuse_under(slug: str, cite: str, least: int) -> Refusal:
    """Return the refusal of a wager below ``least`` cents."""
    return refuse("under-minimum", cite, [least], wager=slug, least=least)


def refuse_over(slug: str, cite: str, most: int) -> Refusal:
    """Return the refusal of a wager above ``most`` cents."""
    return refuse("over-maximum", cite, [most], wager=slug, most=most)


def check_payable(slug: str, amount: int, step: int, cite: str, least: int = 1) -> Refusal | None:
    """Return None if the amount is a multiple of ``step`` cents, else a refusal.

    The refusal offers the nearest multiples, but none below ``least`` cents.
    """
    if amount % step == 0:
        return None
    below, above = amount - amount % step, amount - amount % step + step
    near = [a for a in (below, above) if a >= least]
    return refuse("not-payable", cite, near, wager=slug, amount=amount)


def apply_settlements(wagers: Wagers, settlements: Iterable[Settlement]) -> Wagers:
    """Return the wagers that are up after these settlements.

    It reads no rule, so an old log gives the same wagers after a rulebook has changed.
    """
    left = dict(wagers)
    moved: dict[str, Stake] = {}
    for done in settlements:
        if done.wager not in left:
            continue
        stake = left[done.wager]
        if done.result == "return" and done.stake < stake.amount:
            # The excess over the maximum is returned first; the rest is settled.
            left[done.wager] = Stake(
                amount=stake.amount - done.stake, flat=stake.flat, call=stake.call, vig=stake.vig
            )
        elif done.to is not None:
            stake = left.pop(done.wager)
            moved[done.to] = Stake(stake.amount, stake.amount, unnoticed=stake.unnoticed)
        elif done.left == 0:
            del left[done.wager]
        elif done.result in ("win", "lose"):
            # A call on or off lasts until the wager is decided: it won, or lost but was netted and
            # stays up. The win has paid the vigorish of the next decision.
            left[done.wager] = Stake(done.left, done.left, vig=done.vig if stake.vig else 0)
    left.update(moved)
    return left
