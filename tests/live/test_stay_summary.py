"""What a player is told on leaving."""

from __future__ import annotations

from fractions import Fraction

import pytest

from passline.live.stay_summary import summarize_log, summarize_seat
from tests.live.floor import NO_WAIT, Floor

pytestmark = pytest.mark.anyio


async def test_in_out_net_throws_best_hand_and_luck() -> None:
    floor = await Floor(seed=5).open(pace=NO_WAIT)
    await floor.sit("ann", "200")
    for _ in range(12):
        await floor.say("ann", "pass for 10")
        await floor.taken("ann", "roll")
    await floor.sit("bob", "100")
    await floor.taken("ann", "leave")
    found = summarize_log(await floor.log(), "ann")
    seat = await floor.seat("ann")
    assert found.bought_in == "200.00"
    assert (found.rail, found.throws) == (f"{seat.rail / 100:.2f}", 12)
    assert found.best_hand is not None
    assert found.best_hand.shooter == "ann"
    assert 1 <= found.best_hand.throws <= 12
    assert found.decisions is not None
    assert found.luck is not None
    parts = Fraction(found.decisions) + Fraction(found.luck)
    assert abs(parts - Fraction(found.net)) <= Fraction(1, 50)
    assert Fraction(found.decisions) < 0
    other = summarize_log(await floor.log(), "bob")
    assert (other.net, other.throws, other.best_hand) == ("0.00", 0, None)
    plain = summarize_seat(seat, 12)
    assert (plain.net, plain.luck) == (found.net, None)
