"""Which posts each game has, and who inspects the dice as they pass from hand to hand."""

from __future__ import annotations

import pytest

from passline.crew import post_names
from passline.crew.procedures import list_between_roll_tasks
from passline.game.house.elections import parse_value
from passline.game.house.house import make_house
from passline.game.law.load import rulebook
from passline.game.table.events import DicePassed
from passline.game.table.evolve import evolve
from passline.game.table.open_close import open_table
from tests.table.games import deal

TWO = "ann 1000, bob 1000"
PASS = "ann: pass for 10\n"


@pytest.mark.parametrize(
    ("book", "game", "elect", "crew"),
    [
        ("new-jersey", "craps", {}, ("base dealer, left end", "stickperson", "boxperson")),
        pytest.param(
            *("new-jersey", "mini-craps", {}, ("base dealer", "stickperson", "floorperson")),
            marks=pytest.mark.clause("new-jersey:19:47-1.10(a)2.ii"),
        ),
        pytest.param(
            *("section-2", "mini-craps", {}, ("base dealer", "stickperson", "floorperson")),
            marks=pytest.mark.clause("section-2:2(j)(1)(ii)(B)"),
        ),
        ("new-jersey", "automated-craps", {}, ("the machine", "the machine", "the machine")),
        ("iowa", "craps", {}, ("base dealer, left end", "stickperson", "boxperson")),
        (
            "iowa",
            "craps",
            {"crew.base_dealers": "1", "crew.boxperson": "false"},
            ("base dealer", "stickperson", "supervisor"),
        ),
    ],
)
def test_the_crew_is_that_of_the_book_and_game(
    book: str, game: str, elect: dict[str, str], crew: tuple[str, str, str]
) -> None:
    given = {key: parse_value(value) for key, value in elect.items()}
    table = open_table(make_house(rulebook(book), game, given), ("ann",))
    assert (
        post_names.name_base_dealer(table, "left"),
        post_names.name_stickperson(table),
        post_names.name_boxperson(table),
    ) == crew


def _inspections(play: str, players: str = TWO) -> list[bool]:
    """Return for each time dice passed in an Iowa game whether the supervisor inspects them."""
    dealt = deal(play, players, book="iowa")
    table, found = dealt.opening, []
    for entry in dealt.entries:
        for event in entry.events:
            if isinstance(event, DicePassed):
                cites = [task.cite for task in list_between_roll_tasks(table, event)]
                found.append("dice-inspection.6.2" in cites)
            table = evolve(table, event)
    return found


@pytest.mark.clause("iowa:dice-inspection.6.2")
@pytest.mark.parametrize(
    "play",
    [
        "ann passes the dice",
        "ann declines the dice",
        "ann leaves",
        "supervisor orders ann to pass for delay",
    ],
)
def test_dice_that_go_to_another_player_are_looked_over(play: str) -> None:
    assert _inspections("ann takes the dice\n" + play) == [True]
    # Nobody is there to have them.
    assert _inspections("ann takes the dice\n" + play, "ann 1000") == [False]
    assert _inspections("ann takes the dice\nbob leaves\n" + play) == [False]


@pytest.mark.parametrize(
    "play",
    [
        "ann takes the dice\ndead game",
        "ann takes the dice\ntable closes",
        "ann takes the dice\nbob: pass for 10\nroll 3 3",
        PASS + "roll 3 3\nroll 4 3",
    ],
)
def test_dice_that_no_hand_gave_are_not(play: str) -> None:
    assert _inspections(play) == [False]
