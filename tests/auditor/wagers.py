"""What a throw means for one wager: the auditor's own reading, wager by wager."""

from __future__ import annotations

from functools import cache
from typing import NamedTuple

from .figures import (
    BONUS_NEEDS,
    CRAPLESS_PLACE_B,
    HARD,
    HOPS,
    RIDES,
    SIDE_BETS,
    TOTALS,
    TRIPLE,
    Book,
    Price,
)
from .reading import cents

SEVEN = 7
_HARDWAYS = {4, 6, 8, 10}
#: Wagers that are not looked at on a come-out roll unless called on.
_RESTING = ("place-win", "buy", "hard", "big", "come-odds")


class Fate(NamedTuple):
    """``win`` with a price, ``lose``, ``push`` or ``travel``; a composite's price is its net."""

    result: str
    price: Price = (0, 1)
    to: str = ""


class Rules(NamedTuple):
    """A book with what this house elected."""

    book: Book
    elections: dict[str, str]
    game: str = ""

    @property
    def automated(self) -> bool:
        """Whether a machine throws, and there is no shooter."""
        return self.game == "automated-craps"

    def elected(self, key: str) -> str:
        """An election as typed, or nothing."""
        value = self.elections.get(key, "")
        return "" if value == "false" else value

    @property
    def chip(self) -> int:
        """The smallest chip, in cents."""
        return cents(self.elected("limits.smallest_chip") or "1")

    @property
    def breakage(self) -> str:
        """What happens to a stake that cannot be paid exactly: refuse, down or up."""
        return self.elected("limits.breakage") or ("refuse" if self.book.exact else "down")

    def multiple(self, number: int) -> int:
        """How many times its flat an odds wager may be (taken) or win (laid)."""
        given = self.elected("odds.multiple") or self.book.multiple
        if given == "3-4-5":
            # Six times the flat is won on any number: so once on 2 and 12, twice on 3 and 11.
            return {2: 1, 3: 2, 4: 3, 5: 4, 6: 5, 8: 5, 9: 4, 10: 3, 11: 2, 12: 1}[number]
        return int(given)


@cache
def split(slug: str) -> tuple[str, int]:
    """A wager's family and number: ``place-win-6`` is on the 6, ``pass`` on none."""
    family, _, last = slug.rpartition("-")
    if family and last.isdigit() and not slug.startswith(("hop-", "craps-", "horn-high-")):
        return family, int(last)
    return slug, 0


def price(rules: Rules, slug: str, puck: int = 0) -> Price:
    """The odds at which a wager on a number is paid."""
    book, (family, number) = rules.book, split(slug)
    number = number or puck
    if family == "place-win":
        other = rules.elected(f"offers.place-{number}") == "b"
        return CRAPLESS_PLACE_B[number] if other else book.place[number]
    if family == "place-lose":
        return book.place_lose[number]
    if family in {"buy", "pass-odds", "come-odds"}:
        return book.true[number]
    if family in {"lay", "dont-pass-odds", "dont-come-odds"}:
        return book.laid[number]
    return HARD[number] if family == "hard" else (1, 1)


def known(rules: Rules, slug: str) -> bool:
    """Whether this house deals the wager."""
    book, (family, number) = rules.book, split(slug)
    if family in SIDE_BETS:
        return bool(rules.elected(f"offers.{family}")) and number in SIDE_BETS[family]
    group = "hops" if slug in HOPS else "hardways" if family == "hard" else family
    if rules.elections.get(f"offers.{group}") == "false":
        return False
    if family in {"dont-pass", "dont-come", "dont-pass-odds", "dont-come-odds"} and not book.dont:
        return False
    if number:
        numbers = {
            "come": book.points,
            "dont-come": book.points,
            "come-odds": book.points,
            "dont-come-odds": book.points,
            "place-win": tuple(book.place),
            "place-lose": tuple(book.place_lose),
            "buy": tuple(book.true),
            "lay": tuple(book.laid),
            "hard": (4, 6, 8, 10),
            "big": book.big,
        }
        return number in numbers.get(family, ())
    if slug == "fire":
        full = rules.game in {"", "craps", "crapless"}
        return book.fire and bool(rules.elected("offers.fire")) and full
    if slug in BONUS_NEEDS:
        return book.bonus and bool(rules.elected("offers.bonus"))
    if slug == "six-seven-eight":
        return book.six_seven_eight == "always" or (
            book.six_seven_eight == "elected" and bool(rules.elected("offers.six-seven-eight"))
        )
    line = {"pass", "dont-pass", "come", "dont-come", "pass-odds", "dont-pass-odds"}
    listed = {*line, *TOTALS, *HOPS, *book.composites, *book.booked_as}
    return slug in listed


def works(rules: Rules, slug: str, call: bool | None, puck: int) -> bool:
    """Whether the wager sees a roll: always with a point on, unless called off."""
    if call is not None:
        return call
    family, _ = split(slug)
    elected = rules.elected(f"working.{'hardways' if family == 'hard' else family}")
    if puck or elected:
        return bool(puck) or elected == "on"
    if family not in _RESTING:
        return True
    return family == "hard" and rules.book.hardways_work


def fate(rules: Rules, slug: str, dice: tuple[int, int], puck: int) -> Fate | None:
    """What a throw does to a wager that sees it; None where nothing."""
    family, number = split(slug)
    total = sum(dice)
    if family in {"pass", "come"}:
        return _right(rules, slug, family, number or (puck if family == "pass" else 0), total)
    if family in {"dont-pass", "dont-come"}:
        return _wrong(rules, slug, family, number or (puck if family == "dont-pass" else 0), total)
    if family in {"pass-odds", "come-odds", "place-win", "buy", "big"}:
        return _race(total, number or puck, SEVEN, price(rules, slug, puck))
    if family in {"dont-pass-odds", "dont-come-odds", "place-lose", "lay"}:
        return _race(total, SEVEN, number or puck, price(rules, slug, puck))
    if family == "hard":
        if dice[0] == dice[1] and total == number:
            return Fate("win", HARD[number])
        return Fate("lose") if total in {number, SEVEN} else None
    if family in SIDE_BETS:
        return _side_bet(rules, family, number, dice, puck)
    return _one_roll(rules, slug, dice)


def _side_bet(
    rules: Rules, family: str, number: int, dice: tuple[int, int], puck: int
) -> Fate | None:
    """Side bets of the catalog that need no more than their own number and the puck."""
    total, hard = sum(dice), dice[0] == dice[1]
    if family == "muggsys-corner":
        if total == SEVEN:
            return Fate("win", (3 if puck else 2, 1))
        return None if not puck and total in rules.book.points else Fate("lose")
    if family == "twice-hard":
        if total == SEVEN or (total == number and not hard):
            return Fate("lose")
        if number:
            return Fate("win", (20, 1)) if total == number else None
        return Fate("travel", to=f"{family}-{total}") if hard and total in _HARDWAYS else None
    pays = RIDES[rules.elected("offers.ride-the-line")]
    if puck and total == SEVEN:
        paid = pays.get(number)
        return Fate("lose" if paid is None else "win" if paid else "push", (paid or 0, 1))
    won = total == puck if puck else total in {7, 11}
    return Fate("travel", to=f"{family}-{number + 1}") if won and number < 11 else None


def _race(total: int, wins: int, loses: int, paid: Price) -> Fate | None:
    if total == wins:
        return Fate("win", paid)
    return Fate("lose") if total == loses else None


def _right(rules: Rules, slug: str, family: str, number: int, total: int) -> Fate | None:
    """Pass and come."""
    if number:
        return _race(total, number, SEVEN, (1, 1))
    crapless = 11 in rules.book.points
    if total == SEVEN or (total == 11 and not crapless):
        return Fate("win", (1, 1))
    if total in {2, 3, 12} and not crapless:
        return Fate("lose")
    return Fate("travel", to=f"{slug}-{total}") if family == "come" else None


def _wrong(rules: Rules, slug: str, family: str, number: int, total: int) -> Fate | None:
    """Don't pass and don't come: twelve is barred."""
    if number:
        return _race(total, SEVEN, number, (1, 1))
    if total in {7, 11}:
        return Fate("lose")
    if total == int(rules.elected("dont.bar") or 12):
        return Fate("push")
    if total in {2, 3, 12}:
        return Fate("win", (1, 1))
    return Fate("travel", to=f"{slug}-{total}") if family == "dont-come" else None


def _one_roll(rules: Rules, slug: str, dice: tuple[int, int]) -> Fate:
    total = sum(dice)
    if slug in TOTALS:
        prices = TOTALS[slug]
        if slug == "field" and rules.book.triple:
            prices = TRIPLE[rules.elected("offers.field") or rules.book.triple]
        found = prices.get(total)
        if found and " for " in rules.elected(f"pays.{slug}"):
            back, _, stake = rules.elected(f"pays.{slug}").partition(" for ")
            found = (int(back) - int(stake), int(stake))
        if found and slug == "field" and rules.elected(f"pays.field-{total}"):
            paid, _, stake = rules.elected(f"pays.field-{total}").partition(" to ")
            found = (int(paid), int(stake))
        return Fate("win", found) if found else Fate("lose")
    if slug in HOPS:
        low, high = sorted(dice)
        return Fate("win", HOPS[slug]) if slug == f"hop-{low}-{high}" else Fate("lose")
    if slug == "six-seven-eight":
        hard = dice[0] == dice[1]
        return Fate("win", (2 if hard else 1, 1)) if total in {6, 7, 8} else Fate("lose")
    return _composite(rules, slug, dice)


def _composite(rules: Rules, slug: str, dice: tuple[int, int]) -> Fate:
    """The legs, each at its own odds: what the winning ones pay less what the others lose."""
    legs = rules.book.composites[slug]
    net, hit = 0, False
    for leg, units in legs.items():
        done = _one_roll(rules, leg, dice)
        hit = hit or done.result == "win"
        net += units * done.price[0] if done.result == "win" else -units
    if not hit:
        return Fate("lose")
    return Fate("win" if net else rules.book.level, (net, sum(legs.values())))
