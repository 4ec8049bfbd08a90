"""Dice that left the table: no more are lost than were thrown, and no lost one is thrown again."""

from __future__ import annotations

import pytest

from tests.table.games import deal, notes, reason, throws

OFF = "ann: pass for 10\nno roll off-table\n"


def test_no_more_dice_are_lost_than_were_thrown() -> None:
    dealt = deal(OFF + "die lost\ndie lost\ndie lost", refused=["custom"])
    assert reason(dealt) == "both dice of the throw are lost already"
    assert dealt.table.dice.lost == 2


def test_a_die_that_was_found_may_be_lost_again() -> None:
    assert deal(OFF + "die lost\ndie lost\ndie found\ndie lost").table.dice.lost == 2


def test_the_next_throw_may_lose_its_own() -> None:
    dealt = deal(OFF + "die lost\ndie lost\nno roll off-table\ndie lost")
    assert dealt.table.dice.lost == 3


def test_a_lost_die_is_not_thrown_again() -> None:
    same = "ann takes the dice\nno roll off-table\ndie lost\nann asks for the same dice"
    dealt = deal("ann: pass for 10\n" + same, refused=["custom"])
    assert reason(dealt) == "a die of the last throw is lost"


@pytest.mark.parametrize("again", ["die found\n", "roll 3 3\nno roll off-table\n"])
def test_dice_that_are_there_are_thrown_again(again: str) -> None:
    dealt = deal(OFF + f"die lost\n{again}ann asks for the same dice")
    assert notes(dealt)[0].startswith("ann asks for the same dice")


@pytest.mark.parametrize(
    "after", ["ann asks for new dice", "new dice die-lost", "ann passes the dice", "roll 3 3"]
)
def test_a_throw_is_forgotten_with_what_was_lost_in_it(after: str) -> None:
    table = deal(OFF + f"die lost\ndie lost\n{after}").table
    assert (table.off_table, table.strayed) == (False, 0)


def test_the_game_goes_on_with_the_rest() -> None:
    assert throws(deal(OFF + "die lost\ndie lost\nroll 3 3"))
