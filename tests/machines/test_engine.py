"""The machine against the table: the same dice, the same money, after every roll."""

from __future__ import annotations

import pytest

from passline.game.dice.dice import outcome_index
from passline.game.house.house import House
from passline.game.house.load import house_for
from passline.lab.machines.machine import Machine
from passline.lab.strategies.ask import Strategy
from passline.lab.strategies.built_in import BUILT_IN
from passline.lab.strategy_machine import make_machine
from tests.machines.plays import PLAYED, RealTable, house_of, long_hands

ROLLS = 120


def walked(machine: Machine, dice: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """The state and the money after each throw, exploring no more than the dice need."""
    while True:
        number, money, path = 0, 0, []
        for throw in dice:
            if machine.next[number, 0] < 0 and not machine.expand(number):
                break  # it looked back for the first time, and began anew
            index = outcome_index(*throw)
            money += int(machine.money[number, index])
            number = int(machine.next[number, index])
            path.append((number, money))
        else:
            return path


def agree(house: House, without: House, strategy: Strategy, seed: int, rolls: int = ROLLS) -> None:
    dice = long_hands(seed, rolls)
    machine = make_machine(house, strategy)
    real = RealTable(without, strategy)
    begun = real.worth
    for throw, (number, money) in zip(dice, walked(machine, dice), strict=True):
        real.play_turn()
        real.roll(*throw)
        state = machine.state(number)
        assert real.worth - begun == money
        assert dict(state.wagers) == real.table.seats[0].wagers
        assert state.puck == real.table.point


@pytest.mark.parametrize(("book", "name"), PLAYED)
def test_the_machine_pays_what_the_table_pays(book: str, name: str) -> None:
    house = house_of(book, name)
    # The shootout is a promotion of the house for the table, and no part of a machine.
    off = (("offers.shootout", "false"),) if "offers.shootout" in house.book.elect else ()
    without = house_for(book, None, off) if off else house
    agree(house, without, BUILT_IN[name], seed=len(name))


@pytest.mark.parametrize(
    ("book", "game"),
    [
        ("new-jersey", "mini-craps"),
        ("new-jersey", "automated-craps"),
        ("section-2", "mini-craps"),
    ],
)
@pytest.mark.parametrize("name", ["pass-odds", "three-point-molly", "press-6-8", "hardways"])
def test_other_games_are_played_too(book: str, game: str, name: str) -> None:
    house = house_of(book, name, game)
    agree(house, house, BUILT_IN[name], seed=3, rolls=80)


def busy(view):  # type: ignore[no-untyped-def]
    """Looks at everything and does a little of everything: vigorish, calls, presses, downs."""
    if view.new_shooter:
        return ["lay-4 for 40"], 0
    if view.puck is None:
        return (["all down"] if view.up("buy-10") else []), view.memory
    says = [] if view.up("buy-10") else ["buy-10 for 50"]
    if view.up("lay-4"):
        says.append("lay-4 down")
    if view.last and sum(view.last) == 9 and not view.up("place-win-8"):
        says += ["place-win-8 for 12", "place-win-8 off"]
    if any(seen.wager == "buy-10" and seen.result == "win" for seen in view.settled):
        says.append("buy-10 to 75")
        return says, 1
    return says, view.memory


@pytest.mark.parametrize("book", ["new-jersey", "section-2", "iowa", "dealer-school"])
def test_a_strategy_that_looks_at_everything(book: str) -> None:
    house = house_for(book)
    off = (("offers.shootout", "false"),) if "offers.shootout" in house.book.elect else ()
    for seed in range(3):
        agree(house, house_for(book, None, off), busy, seed, rolls=120)
