"""The ledger of a moment, account by account: every cent that was dropped lies in one of them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from passline.table import Table
from passline.table.state import DEALERS


class Account(NamedTuple):
    """Whose money: ``drop``, ``bank``, ``vigorish``, ``tokes``, ``promotions``, or a player's
    ``rail`` or ``layout``."""

    kind: str
    player: str = ""


#: Cents by account.
Accounts = Mapping[Account, int]


def accounts_of(table: Table) -> Accounts:
    """What each account holds. They sum to zero: the drop is what every chip was bought with.

    What promotions cost is a part of what the house won: here it is an account of its own.
    """
    found = {
        Account("drop"): -table.drop,
        Account("bank"): table.win + table.promo,
        Account("promotions"): -table.promo,
        Account("vigorish"): table.vig,
        Account("tokes"): table.tokes,
    }
    for seat in table.seats:
        found[Account("rail", seat.id)] = seat.rail
        found[Account("layout", seat.id)] = sum(stake.amount for stake in seat.wagers.values())
    if table.dealers:
        found[Account("layout", DEALERS)] = sum(stake.amount for stake in table.dealers.values())
    return found


def changes(before: Table | None, after: Table) -> Accounts:
    """By how much each account changed; those that did not are left out."""
    was = accounts_of(before) if before is not None else {}
    now = accounts_of(after)
    moved = {one: now.get(one, 0) - was.get(one, 0) for one in {**now, **was}}
    return {one: cents for one, cents in moved.items() if cents}
