"""Where each built-in plays, and the real table with a strategy at it, for the machines' tests."""

from __future__ import annotations

import random
from collections.abc import Hashable, Iterator

from passline.game.dice.dice import OUTCOMES
from passline.game.house.house import House
from passline.game.house.load import house_for
from passline.game.law.book_files import BOOKS
from passline.game.layout.stakes import Refusal
from passline.game.table import commands as cmd
from passline.game.table.decide import decide
from passline.game.table.dice_custody import is_automated
from passline.game.table.events import AnyEvent, Rolled
from passline.game.table.evolve import evolve
from passline.game.table.open_close import open_table
from passline.game.table.state import NOBODY, Table
from passline.lab.machines.bettor import SettledBet, View, dollars_of
from passline.lab.strategies.ask import Strategy
from passline.lab.strategies.built_in import BUILT_IN
from passline.talk.understand import understand

#: What has to be elected before a built-in can be played; nothing, in most books.
ELECT = {
    ("new-jersey", "fire-and-pass"): (("offers.fire", "A"),),
    ("maryland-crapless", "fire-and-pass"): (("offers.fire", "A"),),
    ("maryland-crapless", "small-tall-all"): (("offers.bonus", "A"),),
    ("las-vegas", "fire-and-pass"): (("offers.fire", "A"),),
    ("las-vegas", "small-tall-all"): (("offers.bonus", "A"),),
}
#: Books that have no such wager at all.
NOT_DEALT = {
    *((book, "small-tall-all") for book in ("section-2", "iowa", "dealer-school", "new-jersey")),
    *((book, "fire-and-pass") for book in ("section-2", "iowa", "dealer-school")),
    ("maryland-crapless", "dont-pass"),
    ("maryland-crapless", "dont-pass-odds"),
}
PLAYED = [(book, name) for book in BOOKS for name in BUILT_IN if (book, name) not in NOT_DEALT]


def house_of(book: str, name: str, game: str | None = None) -> House:
    """The house under whose rules a built-in is tried."""
    return house_for(book, game, ELECT.get((book, name), ()))


def long_hands(seed: int, count: int) -> list[tuple[int, int]]:
    """Throws with few sevens, so that points, presses and side wagers get somewhere."""
    chance = random.Random(seed)
    weights = [1 if sum(dice) == 7 else 3 for dice in OUTCOMES]
    return chance.choices(OUTCOMES, weights, k=count)


class RealTable:
    """A player by a strategy, and a shooter, at the table that deals every other game."""

    def __init__(self, house: House, strategy: Strategy, rail: int = 10**9) -> None:
        self.strategy = strategy
        self.table: Table = open_table(house, ("player", "shooter"))
        self.memory: Hashable = None
        self.last: tuple[int, int] | None = None
        self.settled: tuple[SettledBet, ...] = ()
        self.do(cmd.BuyIn("player", rail))
        self.do(cmd.BuyIn("shooter", 10**9))

    def do(self, command: cmd.AnyCommand) -> tuple[AnyEvent, ...]:
        answer = decide(self.table, command)
        assert not isinstance(answer, Refusal), (command, answer)
        for event in answer:
            self.table = evolve(self.table, event)
        return answer

    @property
    def worth(self) -> int:
        seat = self.table.seats[0]
        return seat.rail + sum(stake.amount for stake in seat.wagers.values())

    def play_turn(self) -> None:
        table = self.table
        wagers = {slug: dollars_of(up.amount) for slug, up in table.seats[0].wagers.items()}
        fresh = table.fresh and not table.puck
        answer = self.strategy(
            View(table.puck or None, wagers, self.last, self.settled, self.memory, fresh)
        )
        if isinstance(answer, tuple):
            answer, self.memory = answer
        for say in answer:
            for command in understand(self.table, "player", say):
                self.do(command)

    def roll(self, first: int, second: int) -> None:
        if not is_automated(self.table):
            if not self.table.puck and "pass" not in self.table.seats[1].wagers:
                low = self.table.layout.spots["pass"].minimum
                self.do(cmd.Bet("shooter", "pass", low))
            if self.table.shooter == NOBODY:
                self.do(cmd.TakeDice("shooter"))
        events = self.do(cmd.Roll(first, second))
        self.last = (min(first, second), max(first, second))
        self.settled = tuple(settled_bets(events))


def settled_bets(events: tuple[AnyEvent, ...]) -> Iterator[SettledBet]:
    for event in events:
        if isinstance(event, Rolled):
            for done in event.settlements:
                if done.player == "player":
                    yield SettledBet(done.wager, done.result, dollars_of(done.paid))
