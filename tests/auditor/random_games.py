"""Random games as text, seeded: mostly what players do, and now and then what they may not."""

from __future__ import annotations

import random

from .figures import BONUS_NEEDS, HOPS, TEN, TOTALS
from .limits import center, odds_of, step
from .model import Desk
from .reading import Line, dollars, read
from .wagers import known, price, split

_NUMBERED = ("place-win", "place-lose", "buy", "lay")
_HOUSES: dict[str, list[dict[str, str]]] = {
    "section-2": [
        {},
        {"odds.multiple": "3-4-5", "limits.min": "10", "limits.max": "500"},
        {"odds.multiple": "10", "limits.smallest_chip": "0.50", "buy.rounding": "exact"},
    ],
    "new-jersey": [
        {},
        {"odds.multiple": "3-4-5", "offers.fire": "A", "offers.six-seven-eight": "true"},
        {"odds.multiple": "100", "buy.when": "won", "lay.when": "won", "offers.fire": "B"},
        {"pays.field-12": "3 to 1", "lay.base": "win", "lay.rate": "0.04", "limits.min": "15"},
        {"limits.smallest_chip": "0.25", "buy.when.4": "won", "buy.rounding": "exact"},
        {"game": "mini-craps", "offers.six-seven-eight": "true"},
        {"game": "automated-craps", "odds.multiple": "2"},
    ],
    "maryland-crapless": [
        {"offers.bonus": "A"},
        {"offers.fire": "A", "offers.bonus": "B", "odds.multiple": "3-4-5"},
        {"offers.fire": "B", "odds.multiple": "20", "offers.place-2": "b", "offers.place-11": "b"},
    ],
    "iowa": [
        {},
        {},
        {"limits.breakage": "up"},
        {"odds.multiple": "2", "limits.breakage": "refuse"},
    ],
    "dealer-school": [
        {},
        {"limits.breakage": "up", "lay.rounding": "up", "buy.rounding": "half-up"},
        {"limits.smallest_chip": "5", "limits.min": "25", "buy.rate": "0.03", "lay.rate": "0.04"},
        {"buy.when.4": "won", "odds.multiple": "5", "lay.rounding": "exact"},
    ],
    "las-vegas": [
        {},
        {"offers.field": "two", "offers.fire": "C", "offers.bonus": "A", "working.hardways": "on"},
        {"dont.bar": "2", "stays.lay": "true", "offers.fire": "D", "offers.bonus": "B"},
        {"buy.when": "made", "lay.when": "won", "call_off.lay": "false", "offers.hops": "false"},
        {"offers.field": "double", "working.dont-come-odds": "off", "odds.multiple": "10"},
    ],
}


def correct_some(text: str, seed: int) -> str:
    """The game with corrections in it: some right after a throw, some a few lines later."""
    rng, lines = random.Random(seed), list[str]()
    wait = -1
    for line in text.splitlines():
        if line.startswith("roll ") and rng.random() < 0.5:
            wait = rng.randint(0, 3)
        lines.append(line)
        if wait == 0:
            lines.append(f"throw was {rng.randint(1, 6)} {rng.randint(1, 6)} by boxperson")
        wait -= 1
    return "\n".join(lines)


class Teller:
    """Writes one game down, line by line, and plays it along to know what is up."""

    def __init__(self, rulebook: str, seed: int, lines: int) -> None:
        self.rng = random.Random(f"{rulebook} {seed}")
        house = self.rng.choice(_HOUSES[rulebook])
        names = ["ann", "bob", "cat"][: self.rng.randint(1, 3)]
        header = [f"rulebook: {rulebook}"]
        header += [
            f"game: {value}" if key == "game" else f"house.{key}: {value}"
            for key, value in house.items()
        ]
        header += [f"player: {name} {self.rng.choice((200, 1000, 20000))}" for name in names]
        self.desk = Desk(read("\n".join(header)))
        self.lines = [*header, ""]
        self.pool = self._pool()
        #: Some games have long hands, so that fire, bonus and come wagers come home.
        self.kind = self.rng.random() < 0.4
        for _ in range(lines):
            self._line()

    def _pool(self) -> list[str]:
        """What is bet: what this house deals, and a few wagers that perhaps it does not."""
        rules = self.desk.rules
        slugs = [*TOTALS, *HOPS, *rules.book.composites, *rules.book.booked_as, *BONUS_NEEDS]
        slugs += ["fire", "six-seven-eight", "big-6", "big-8"]
        slugs += ["hard-4", "hard-6", "hard-8", "hard-10"] * 2
        slugs += [f"{family}-{n}" for family in _NUMBERED for n in TEN] * 2
        dealt = [slug for slug in slugs if known(rules, slug)]
        return [*dealt * 4, *slugs, "c-and-e", "hi-lo", "three-way-craps", "whirl", "dont-come"]

    def _carry_out(self, name: str, said: str) -> bool:
        """Carry it out. Of what the rules forbid, most is left out of the game again."""
        self.desk.line(Line(len(self.lines) + 1, name, (said,)))
        refused = self.desk.refused
        last = refused[-1] if refused else None
        if last != (len(self.lines) + 1, name or None, said) or self.rng.random() < 0.25:
            return True
        refused.pop()
        return False

    def _tell(self, text: str) -> None:
        if self._carry_out("", text):
            self.lines.append(text)

    def _speak(self, name: str, says: int) -> None:
        """Several says on a line, each made up after the one before it was carried out."""
        made_up = (self._say(name) for _ in range(says * 2))
        said = [say for say in made_up if self._carry_out(name, say)]
        if said:
            self.lines.append(f"{name}: {'; '.join(said)}")

    def _line(self) -> None:
        rng, dice = self.rng, self.desk.dice
        seat = rng.choice(self.desk.seats)
        kind = rng.random()
        if kind < 0.5:
            self._tell(self._roll())
        elif kind < 0.97:
            self._speak(seat.name, rng.choice((1, 1, 2, 3)))
        elif kind < 0.98:
            self._tell(f"{seat.name} buys in {rng.randint(1, 300)}")
        elif kind < 0.985 and dice.shooter is None:
            self._tell(f"{seat.name} takes the dice")
        elif kind < 0.99:
            self._tell(f"{seat.name} passes the dice")
        else:
            self._tell("no roll off-table")

    def _roll(self) -> str:
        first, second = self.rng.randint(1, 6), self.rng.randint(1, 6)
        if self.kind and first + second == 7 and self.rng.random() < 0.7:
            first = second
        return f"roll {first} {second}"

    def _say(self, name: str) -> str:
        rng, seat, dice = self.rng, self.desk.seat(name), self.desk.dice
        up, kind = seat.up, rng.random()
        if not dice.puck and not seat.has_line() and rng.random() < 0.7:
            return self._line_wager()
        if not dice.puck and dice.fresh and rng.random() < 0.4:
            slug = rng.choice(("fire", *BONUS_NEEDS))
            return f"{slug} for {self._amount(slug)}"
        if up and kind < 0.40:
            slug = rng.choice(list(up))
            if kind < 0.20:
                return f"{slug} to {self._other_amount(slug, up[slug].amount)}"
            if kind < 0.30:
                return f"{slug} down"
            if split(slug)[0] in {"place-win", "buy", "hard", "lay"}:
                return f"{slug} {rng.choice(('on', 'off'))}"
            return f"{slug} for {self._amount(slug)}"
        if kind < 0.41:
            return "all down"
        if kind < 0.65:
            slug = self._line_slug(name)
            return f"{slug} for {self._amount(slug)}"
        slug = rng.choice(self.pool)
        return f"{slug} for {self._amount(slug)}"

    def _line_wager(self) -> str:
        """A line wager; with a coupon now and then, or past Iowa's limits and unnoticed."""
        rng = self.rng
        slug, amount = rng.choice(("pass", "pass", "dont-pass")), rng.choice((5, 10, 25))
        if rng.random() < 0.1:
            return f"{slug} for {amount} match {amount}"
        if rng.random() < 0.1 and self.desk.rules.book.most:
            return f"{slug} for {amount * 30} unnoticed"
        return f"{slug} for {amount}"

    def _line_slug(self, name: str) -> str:
        """Line, come and odds: odds that could stand more often than not."""
        puck, up = self.desk.dice.puck, self.desk.seat(name).up
        odds = [
            odds_of(slug)
            for slug in up
            if split(slug)[0] in {"come", "dont-come"} and split(slug)[1]
        ]
        if puck:
            odds += [odds_of(line) for line in ("pass", "dont-pass") if line in up]
        fresh = ["come", "dont-come"] if puck else ["pass", "dont-pass"]
        return self.rng.choice([*odds * 4, *fresh * 3, "come", "pass-odds", "come-odds-6"])

    def _amount(self, slug: str) -> str:
        """Mostly an amount that can be paid; sometimes any."""
        rng, rules = self.rng, self.desk.rules
        if rng.random() < 0.15:
            return rng.choice(("1", "3", "7", "12.50", "13", "55", "4999", "5001", "0.50"))
        unit = 100 if center(slug) else 500
        legs = rules.book.composites.get(slug) or rules.book.booked_as.get(slug)
        family, number = split(slug)
        if legs:
            unit = sum(legs.values()) * 100
        elif slug == "fire":
            unit = 100
        elif number in rules.book.points and family in {*_NUMBERED, "come-odds", "dont-come-odds"}:
            try:
                unit = step(rules, price(rules, slug))
            except KeyError:
                unit = 500
            unit *= -(-500 // unit)
        elif slug in {"pass-odds", "dont-pass-odds"} and self.desk.dice.puck:
            unit = step(rules, price(rules, slug, self.desk.dice.puck)) if rules.book.laid else 100
        return dollars(unit * rng.choice((1, 1, 2, 3, 4, 6, 10))).removesuffix(".00")

    def _other_amount(self, slug: str, was: int) -> str:
        """To raise or reduce to: never what it is already."""
        to = self._amount(slug)
        while to in {dollars(was), dollars(was).removesuffix(".00")}:
            to = self._amount(slug)
        return to

    def text(self) -> str:
        """The game, written down."""
        return "\n".join(self.lines) + "\n"


def random_game(rulebook: str, seed: int, lines: int = 90) -> str:
    """One game under a rulebook; the same seed always gives the same."""
    return Teller(rulebook, seed, lines).text()
