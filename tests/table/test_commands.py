"""Commands that no table could be asked: a programmer's mistake, and said at once."""

from __future__ import annotations

from collections.abc import Callable
from typing import get_args

import pytest

from passline.game.table import commands as cmd
from passline.game.table.decide import _DICE_HANDLERS, _HANDLERS, decide
from tests.table.games import deal


@pytest.mark.parametrize("cents", [0, -500])
@pytest.mark.parametrize(
    "command",
    [
        lambda cents: cmd.Bet("ann", "pass", cents),
        lambda cents: cmd.Change("ann", "pass", cents),
        lambda cents: cmd.Toke("ann", cents),
        lambda cents: cmd.BuyIn("ann", cents),
    ],
    ids=["bet", "change", "toke", "buy-in"],
)
def test_an_amount_is_above_zero(command: Callable[[int], cmd.AnyCommand], cents: int) -> None:
    with pytest.raises(ValueError, match=f"above zero, not {cents} cents"):
        command(cents)


def test_a_coupons_face_is_never_negative() -> None:
    with pytest.raises(ValueError, match="never negative"):
        cmd.Bet("ann", "pass", 1000, match=-500)


def test_a_time_is_a_time() -> None:
    with pytest.raises(ValueError, match="noon"):
        cmd.Clock("noon")


@pytest.mark.parametrize("faces", [(0, 3), (3, 7)])
def test_a_die_shows_one_to_six(faces: tuple[int, int]) -> None:
    table = deal("ann: pass for 10").table
    with pytest.raises(ValueError, match="1 to 6"):
        decide(table, cmd.Roll(*faces))


def test_every_command_has_one_handler() -> None:
    assert {*_HANDLERS, *_DICE_HANDLERS} == set(get_args(cmd.AnyCommand))
    assert not _HANDLERS.keys() & _DICE_HANDLERS.keys()
