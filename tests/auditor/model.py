"""A craps table of the auditor's own: reads a record and predicts what its JSON must say."""

from __future__ import annotations

from copy import deepcopy
from typing import Any

from .dice import Dice
from .figures import BOOKS
from .limits import Moment
from .reading import Game, Line, cents, dollars, read
from .seat import Seat
from .wagers import Rules


class Desk:
    """The table: seats, the puck, who shoots, the house's takings. Plain and mutable."""

    def __init__(self, game: Game) -> None:
        self.rules = Rules(BOOKS[game.rulebook], game.elections, game.game)
        self.seats = [Seat(name, buy_in) for name, buy_in in game.players]
        self.dice = Dice(self.rules, self.seats)
        self.rolls: list[dict[str, Any]] = []
        self.refused: list[tuple[int, str | None, str]] = []
        #: The throw that may be corrected: its line and faces, the seats and dice before it.
        self._thrown: tuple[int, list[int], list[Seat], Dice] | None = None
        #: What was done since that throw.
        self._since: list[tuple[int, str, str]] = []

    def seat(self, name: str) -> Seat:
        """Whose name that is."""
        return next(seat for seat in self.seats if seat.name == name)

    def moment(self) -> Moment:
        """What wagers look at."""
        return Moment(self.dice.puck, self.dice.fresh, frozenset(self.dice.waiting))

    def line(self, line: Line) -> None:
        """Carry out one line; what the rules forbid is written down and changes nothing."""
        for said in line.says:
            self._one(line.number, line.player, said)

    def _one(self, number: int, player: str, said: str) -> None:
        done = self.say(player, said) if player else self.happen(number, said)
        if not done:
            self.refused.append((number, player or None, said))
        elif not said.startswith(("roll ", "throw was ")):
            self._since.append((number, player, said))

    def _correct(self, first: int, second: int) -> bool:
        """Go back to before the last throw, throw other faces, and do again what was done since."""
        if self._thrown is None or sorted(self._thrown[1]) == sorted([first, second]):
            return False
        number, _, self.seats, self.dice = self._thrown
        self.rolls.pop()
        since = self._since
        assert self.happen(number, f"roll {first} {second}")
        for line, player, said in since:
            self._one(line, player, said)
        return True

    def say(self, name: str, said: str) -> bool:
        """One canonical say."""
        seat, words, now = self.seat(name), said.split(), self.moment()
        if said == "all down":
            return seat.all_down(self.rules, now)
        slug, verb = words[0], words[1]
        if verb == "for":
            match = cents(words[4]) if "match" in words else 0
            return seat.bet(self.rules, now, slug, cents(words[2]), match, "unnoticed" in words)
        if verb == "to":
            return seat.change(self.rules, now, slug, cents(words[2]))
        if verb == "down":
            return seat.take_down(self.rules, now, slug)
        return seat.call(self.rules, now, slug, verb == "on")

    def happen(self, number: int, said: str) -> bool:
        """A line of the table."""
        words = said.split()
        if words[0] == "roll":
            # The rules never change: without the memo each throw copies the whole book.
            seats, dice = deepcopy((self.seats, self.dice), {id(self.rules): self.rules})
            row = self.dice.roll(int(words[1]), int(words[2]))
            if row is not None:
                self.rolls.append({"line": number, **row})
                automated = self.rules.game == "automated-craps"
                faces = [int(words[1]), int(words[2])]
                self._thrown = None if automated else (number, faces, seats, dice)
                self._since = []
            return row is not None
        if words[:2] == ["throw", "was"]:
            return self._correct(int(words[2]), int(words[3]))
        if said == "no roll off-table":
            done = self.dice.void_throw()
            if done:
                self._thrown = None
            return done
        if said.endswith("takes the dice"):
            return self.dice.take(self.seat(words[0]))
        if said.endswith("passes the dice"):
            return self.dice.give_up(self.seat(words[0]))
        if words[1:3] == ["buys", "in"]:
            return self.seat(words[0]).buy_in(self.rules, cents(words[3]))
        raise ValueError(f"the auditor does not read {said!r}")

    def to_json(self) -> dict[str, Any]:
        """What the contract's JSON must say, but for the words, the odds and the citations."""
        shooter = self.dice.shooter
        return {
            "puck": self.dice.puck or None,
            "shooter": shooter.name if shooter else None,
            "house": {
                "win": dollars(self._house_win()),
                "vig": dollars(sum(seat.vig_paid for seat in self.seats)),
                "drop": dollars(sum(seat.bought for seat in self.seats)),
                "promo": dollars(self.dice.promo),
                "tokes": "0.00",
            },
            "players": {seat.name: seat.to_json() for seat in self.seats},
            "rolls": self.rolls,
            "refusals": self.refused,
        }

    def _house_win(self) -> int:
        """Whatever was dropped and is neither the players' nor vigorish."""
        held = sum(seat.rail + seat.on_layout() + seat.vig_paid for seat in self.seats)
        return sum(seat.bought for seat in self.seats) - held


def predict(text: str) -> dict[str, Any]:
    """Play a record's text by the auditor's rules."""
    game = read(text)
    desk = Desk(game)
    for line in game.lines:
        desk.line(line)
    return desk.to_json()
