"""The auditor's dice: who throws, what a throw settles, where the puck goes."""

from __future__ import annotations

from typing import Any

from . import limits
from .figures import BONUS, BONUS_NEEDS, FIRE
from .limits import Up
from .reading import dollars
from .seat import Seat
from .wagers import SEVEN, Fate, Rules, fate, split, works

#: These stay on their spot when they win; every other winner comes down.
_STAYING = ("place-win", "buy", "hard", "big")


class Dice:
    """The puck, the shooter, and what fire and bonus wagers have gathered."""

    def __init__(self, rules: Rules, seats: list[Seat]) -> None:
        self.rules = rules
        self.seats = seats
        self.puck = 0
        self.shooter: Seat | None = None
        self.last: Seat | None = None
        self.fresh = True
        self.waiting: set[str] = set()
        self.made: set[int] = set()
        self.thrown: set[int] = set()
        #: Iowa's shootout: the points of this run, or None until the next seven-out opens one.
        self.run: set[int] | None = set()
        self.throws = 0
        #: What coupons and the shootout cost the house.
        self.promo = 0

    def _in_turn(self) -> list[Seat]:
        start = self.seats.index(self.last) + 1 if self.last else 0
        return self.seats[start:] + self.seats[:start]

    def take(self, seat: Seat) -> bool:
        """Accept the dice while nobody holds them."""
        if self.shooter is not None or self.rules.automated:
            return False
        asked_first = self.puck and self.rules.book.line_every_throw and not seat.has_line()
        if asked_first and any(other.has_line() for other in self.seats):
            return False
        self.shooter = self.last = seat
        return True

    def give_up(self, seat: Seat) -> bool:
        """The shooter passes the dice."""
        if self.shooter is not seat:
            return False
        self.shooter, self.fresh = None, True
        self.run = None if self.throws else self.run
        self.throws = 0
        return True

    def _find_shooter(self) -> tuple[bool, bool]:
        """Get the dice into a hand: whether anyone may throw, and whether only for come wagers."""
        book = self.rules.book
        if self.rules.automated:
            return True, False
        needed = not self.puck or book.line_every_throw
        holder = self.shooter
        if holder is not None and (not needed or holder.has_line()):
            return True, False
        come = any(
            split(slug)[0] in {"come", "dont-come"} for seat in self.seats for slug in seat.up
        )
        rolls_on = book.rolls_on and not self.puck and come
        for seat in self._in_turn():
            if seat.has_line() or not needed:
                if holder is not None:
                    self.give_up(holder)
                self.shooter = self.last = seat
                return True, False
        if rolls_on and self.last is not None:
            self.shooter = self.last
            return True, True
        if self.puck:  # nobody has a line wager and none can be made: the game goes on all the same
            self.shooter = self.last = holder or self._in_turn()[0]
            return True, False
        return False, False

    def void_throw(self) -> bool:
        """A die left the table: nothing is decided, the dice stay with whoever threw them."""
        if self.rules.automated:
            return False
        self._find_shooter()
        return True

    def roll(self, first: int, second: int) -> dict[str, Any] | None:
        """A throw; None where nobody may throw."""
        allowed, special = self._find_shooter()
        if not allowed:
            return None
        total, puck = first + second, self.puck
        if puck and total == puck:
            self.made.add(total)
        if total != SEVEN:
            self.thrown.add(total)
        self.throws += 1
        awards = self._shootout(total) if self.rules.book.shootout else []
        rows = [row for seat in self.seats for row in self._settle(seat, (first, second))]
        rows += awards
        if puck:
            self.puck = 0 if total in {puck, SEVEN} else puck
        elif not special and total in self.rules.book.points:
            self.puck = total
        self._after(total, puck)
        return {"dice": [first, second], "puck": self.puck or None, "settlements": rows}

    def _shootout(self, total: int) -> list[dict[str, Any]]:
        """All six points in one turn: $100 to the shooter, $10 to each other with a wager up."""
        if self.puck and total == SEVEN:
            self.run, self.throws = set(), 0
        made = self.puck and total == self.puck and self.shooter and self.shooter.has_line()
        if not made or self.run is None:
            return []
        self.run.add(total)
        if len(self.run) < len(self.rules.book.points):
            return []
        self.run = set()
        sharing = [seat for seat in self.seats if seat is not self.shooter and seat.up]
        assert self.shooter is not None
        self.promo += 10_000 + 1_000 * len(sharing)
        rows = [_award(self.shooter, "shootout", 10_000)]
        return rows + [_award(seat, "share-the-wealth", 1_000) for seat in sharing]

    def _after(self, total: int, puck: int) -> None:
        if not puck:
            self.fresh = False
        self.waiting = {limits.kind_of(slug) for seat in self.seats for slug in seat.up} - {""}
        if "fire" not in self.waiting:
            self.made.clear()
        if "bonus" not in self.waiting or total == SEVEN:
            self.thrown.clear()
        if total == SEVEN and puck:
            self.shooter, self.fresh = None, True

    def _settle(self, seat: Seat, dice: tuple[int, int]) -> list[dict[str, Any]]:
        """Settle one player's wagers: first see what happens to each, then move the money."""
        fates: dict[str, Fate] = {}
        for slug, wager in seat.up.items():
            if limits.kind_of(slug):
                found = self._gathered(slug, sum(dice))
            else:
                found = fate(self.rules, slug, dice, self.puck)
                if found and not works(self.rules, slug, wager.call, self.puck):
                    found = Fate("return") if limits.flat_of(slug) else None
            if found is not None:
                fates[slug] = found
        kept = self._netted(seat, fates)
        moved = {fates[slug].to: seat.up[slug].amount for slug in fates if fates[slug].to}
        rows: list[dict[str, Any]] = []
        for slug, found in fates.items():
            if found.result in {"win", "lose"}:
                rows += self._excess(seat, slug)
            rows.append(self._carry_out(seat, slug, found, slug in kept))
        seat.up.update({to: Up(amount, amount) for to, amount in moved.items()})
        return rows

    def settle_alone(self, slug: str, wager: Up, dice: tuple[int, int]) -> dict[str, Any] | None:
        """What a throw does to one wager that is alone on the layout, and what is left of it."""
        seat = Seat("ann", 10**9)
        seat.up[slug] = wager
        total = sum(dice)
        self.made |= {total} & {self.puck}
        self.thrown |= {total} - {SEVEN}
        rows = self._settle(seat, dice)
        left = seat.up[slug].amount if slug in seat.up else 0
        return {**rows[0], "left": dollars(left)} if rows else None

    def _gathered(self, slug: str, total: int) -> Fate | None:
        """Fire waits for the loser seven; bonus is paid when complete and lost to any seven."""
        if slug == "fire":
            if not (total == SEVEN and self.puck):
                return None
            table, count = FIRE[self.rules.elected("offers.fire")], min(len(self.made), 6)
            return Fate("win", table[count]) if count >= min(table) else Fate("lose")
        if BONUS_NEEDS[slug] <= self.thrown and total != SEVEN:
            return Fate("win", BONUS[self.rules.elected("offers.bonus")][slug])
        return Fate("lose") if total == SEVEN else None

    def _netted(self, seat: Seat, fates: dict[str, Fate]) -> set[str]:
        """Iowa: mixed center results stay up where the win covers what was lost."""
        if not self.rules.book.nets:
            return set()
        middle = [slug for slug in fates if limits.center(slug)]
        won = sum(self._paid(slug, seat.up[slug], fates[slug]) for slug in middle)
        lost = sum(
            self._counted(slug, seat.up[slug]) for slug in middle if fates[slug].result == "lose"
        )
        return set(middle) if won and lost and won >= lost else set()

    def _stays(self, family: str) -> bool:
        elected = self.rules.elections.get(f"stays.{'hardways' if family == 'hard' else family}")
        return elected == "true" if elected else family in _STAYING

    def _excess(self, seat: Seat, slug: str) -> list[dict[str, Any]]:
        """A wager found over its maximum counts only up to it; the rest is handed back."""
        wager = seat.up[slug]
        over = wager.amount - self._counted(slug, wager)
        if not over:
            return []
        seat.rail += over
        seat.up[slug] = wager._replace(amount=wager.amount - over)
        return [_row(seat, slug, Up(over, over), Fate("return"), 0, 0)]

    def _counted(self, slug: str, wager: Up) -> int:
        most = limits.most(self.rules, slug)
        return min(wager.amount, most) if wager.unnoticed else wager.amount

    def _paid(self, slug: str, wager: Up, found: Fate) -> int:
        if found.result != "win":
            return 0
        chip, (paid, stake) = self.rules.chip, found.price
        exact, unit = self._counted(slug, wager) * paid, stake * chip
        chips = -(-exact // unit) if self.rules.breakage == "up" else exact // unit
        return chips * chip + wager.match

    def _carry_out(self, seat: Seat, slug: str, found: Fate, kept: bool) -> dict[str, Any]:
        wager, paid = seat.up[slug], self._paid(slug, seat.up[slug], found)
        vig = 0
        if found.result == "win":
            charged = limits.vigorish(self.rules, slug, wager.amount)
            stays = kept or self._stays(split(slug)[0])
            if limits.vig_when_won(self.rules, slug) or stays:
                vig = charged
            seat.rail += paid - vig
            seat.vig_paid += vig
            self.promo += wager.match
            if stays:
                own = 0 if limits.vig_when_won(self.rules, slug) else vig
                seat.up[slug] = Up(amount=wager.amount, flat=wager.amount, call=None, vig=own)
            else:
                self._down(seat, slug, wager.amount)
        elif found.result == "lose" and kept:
            seat.rail -= wager.amount
            seat.up[slug] = Up(wager.amount, wager.amount)
        elif found.result == "lose":
            self._down(seat, slug, 0)
        elif found.result == "return" or (found.result == "push" and _comes_down(slug)):
            self._down(seat, slug, wager.amount)
        elif found.result == "travel":
            self._down(seat, slug, 0)
        return _row(seat, slug, wager, found, paid, vig)

    @staticmethod
    def _down(seat: Seat, slug: str, back: int) -> None:
        seat.rail += back
        del seat.up[slug]


def _row(seat: Seat, slug: str, wager: Up, found: Fate, paid: int, vig: int) -> dict[str, Any]:
    row = {
        "player": seat.name,
        "wager": slug,
        "stake": dollars(wager.amount),
        "result": found.result,
        "paid": dollars(paid),
        "vig": dollars(vig),
    }
    return {**row, "to": found.to} if found.to else row


def _award(seat: Seat, name: str, amount: int) -> dict[str, Any]:
    seat.rail += amount
    return _row(seat, name, Up(0, 0), Fate("win"), amount, 0)


def _comes_down(slug: str) -> bool:
    """Whether a push is handed back: a whirl, and a side bet that is paid nothing."""
    return slug == "whirl" or split(slug)[0] == "ride-the-line"
