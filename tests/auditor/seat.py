"""One player at the auditor's table: a rail, wagers, and what may be asked of them."""

from __future__ import annotations

from typing import Any

from . import limits
from .limits import Moment, Up
from .reading import dollars
from .wagers import Rules, known, split


def _may_call_off(rules: Rules, family: str, usual: bool) -> bool:
    elected = rules.elections.get(f"call_off.{family}")
    return elected == "true" if elected else usual


class Seat:
    """A player's money: bought in, in the rail, on the layout, paid as vigorish."""

    def __init__(self, name: str, bought: int) -> None:
        self.name = name
        self.bought = bought
        self.rail = bought
        self.vig_paid = 0
        self.up: dict[str, Up] = {}

    def buy_in(self, rules: Rules, amount: int) -> bool:
        """Cash for chips, whole ones."""
        if amount % rules.chip:
            return False
        self.bought += amount
        self.rail += amount
        return True

    def on_layout(self) -> int:
        """What lies on the layout."""
        return sum(wager.amount for wager in self.up.values())

    def has_line(self) -> bool:
        """Whether there is a pass or don't pass wager."""
        return "pass" in self.up or "dont-pass" in self.up

    def bet(
        self, rules: Rules, now: Moment, slug: str, amount: int, match: int, unnoticed: bool
    ) -> bool:
        """Make a wager or add to it."""
        parts = rules.book.booked_as.get(slug)
        if match and not (rules.book.match_play and slug in {"pass", "dont-pass"}):
            return False
        was = self.up.get(slug, Up(0, 0))
        if match and was.match + match > was.amount + amount:
            return False
        if not parts:
            return self._place(rules, now, slug, amount, match, unnoticed)
        if not limits.amount_fits(rules, slug, amount, now.puck, self.up):
            return False
        before = (self.rail, self.vig_paid, dict(self.up))
        for part, units in parts.items():
            if not self._place(rules, now, part, amount * units // 5, 0, False):
                self.rail, self.vig_paid, self.up = before
                return False
        return True

    def _place(
        self, rules: Rules, now: Moment, slug: str, amount: int, match: int, unnoticed: bool
    ) -> bool:
        was = self.up.get(slug)
        if was is None:
            allowed = limits.may_make(rules, slug, now, self.up)
        else:
            allowed = limits.may_raise(rules, slug, now.puck)
        total = amount + (was.amount if was else 0)
        if not allowed or not (
            unnoticed or limits.amount_fits(rules, slug, total, now.puck, self.up)
        ):
            return False
        old = was or Up(0, 0)
        put = Up(
            amount=total,
            flat=total,
            call=old.call,
            vig=old.vig,
            match=old.match + match,
            unnoticed=old.unnoticed or unnoticed,
        )
        return self._set(rules, slug, put)

    def _set(self, rules: Rules, slug: str, put: Up) -> bool:
        """Change what lies on a spot; the rail pays for it, vigorish included."""
        was = self.up.get(slug, Up(0, 0))
        owed = 0 if limits.vig_when_won(rules, slug) else limits.vigorish(rules, slug, put.amount)
        cost = put.amount - was.amount + owed - was.vig
        if cost > self.rail:
            return False
        self.rail -= cost
        self.vig_paid += owed - was.vig
        if put.amount:
            self.up[slug] = put._replace(vig=owed)
        else:
            del self.up[slug]
        return True

    def change(self, rules: Rules, now: Moment, slug: str, to: int) -> bool:
        """Raise or reduce to an amount; odds behind a don't that shrank may be trimmed."""
        was = self.up.get(slug)
        if was is None:
            return False
        if to == was.amount:
            return True
        grows = to > was.amount
        if grows and not limits.may_raise(rules, slug, now.puck):
            return False
        if not grows and not limits.may_shrink(slug, now.puck):
            return False
        if not limits.amount_fits(rules, slug, to, now.puck, self.up) or to < was.match:
            return False
        numbered = limits.settled_in(slug, now.puck)
        flat = was.flat if numbered and not grows else to
        if not self._set(rules, slug, was._replace(amount=to, flat=flat)):
            return False
        self._trim(rules, now, slug)
        return True

    def _trim(self, rules: Rules, now: Moment, slug: str) -> None:
        odds = limits.odds_of(slug)
        if odds in self.up:
            cap = limits.odds_cap(rules, odds, now.puck, self.up[slug])
            if self.up[odds].amount > cap:
                self._set(rules, odds, self.up[odds]._replace(amount=cap, flat=cap))

    def take_down(self, rules: Rules, now: Moment, slug: str) -> bool:
        """Take a wager down; its odds and its vigorish come with it."""
        if slug not in self.up and slug in rules.book.booked_as:
            return self._parts_down(rules, now, slug)
        if slug not in self.up or not limits.may_shrink(slug, now.puck):
            return False
        for gone in (limits.odds_of(slug), slug):
            if gone in self.up:
                self.rail += self.up[gone].amount + self.up[gone].vig
                self.vig_paid -= self.up[gone].vig
                del self.up[gone]
        return True

    def _parts_down(self, rules: Rules, now: Moment, slug: str) -> bool:
        """A whirl that was booked as its parts: as many whole whirls as they make come down."""
        parts = rules.book.booked_as[slug]
        held = [
            self.up[part].amount // units if part in self.up else 0 for part, units in parts.items()
        ]
        units = min(held) - min(held) % rules.chip
        if not units:
            return False
        for part, count in parts.items():
            left = self.up[part].amount - count * units
            if not (
                self.change(rules, now, part, left) if left else self.take_down(rules, now, part)
            ):
                return False
        return True

    def all_down(self, rules: Rules, now: Moment) -> bool:
        """Everything that may come down."""
        downed = [self.take_down(rules, now, slug) for slug in list(self.up)]
        return True in downed

    def call(self, rules: Rules, now: Moment, slug: str, on: bool) -> bool:
        """Call a wager on or off."""
        wager, (family, _) = self.up.get(slug), split(slug)
        if wager is None or not known(rules, slug):
            return False
        rests = family in {"place-win", "buy", "hard", "big"}
        rests = rests or (family == "lay" and _may_call_off(rules, "lay", rules.book.lay_rests))
        rests = rests or (
            family == "dont-come-odds" and _may_call_off(rules, family, rules.book.laid_odds_rest)
        )
        callable_on = (
            family in {"place-win", "buy", "hard", "big"}
            and not (family == "hard" and rules.book.hardways_work)
        ) or (family == "come-odds" and rules.book.come_odds_call)
        if not on and family == "lay" and rules.book.lay_off_returns:
            return self.take_down(rules, now, slug)
        if not (callable_on if on else rests) and wager.call is not (not on):
            return False
        called = on if (callable_on if on else rests) else None
        self.up[slug] = wager._replace(call=called)
        return True

    def to_json(self) -> dict[str, Any]:
        """As the contract shows a player."""
        return {
            "bought_in": dollars(self.bought),
            "rail": dollars(self.rail),
            "layout": dollars(self.on_layout()),
            "wagers": {slug: dollars(wager.amount) for slug, wager in self.up.items()},
        }
