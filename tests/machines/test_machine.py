"""Machines: growing, closing, what a state needs, and the chain that is left of them."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from msgspec.structs import replace

from passline.game.dice.dice import outcome_index
from passline.game.house.load import house_for
from passline.game.layout.stakes import Refusal, Stake
from passline.game.table.decide import decide
from passline.game.table.evolve import evolve
from passline.game.words.refusals import describe_refusal
from passline.lab.exact.long_run import solve_long_run
from passline.lab.machines.bettor import View, dollars_of
from passline.lab.machines.chain import FAIR_DICE_WEIGHT
from passline.lab.machines.lump_states import lump_states
from passline.lab.machines.machine import UNEXPLORED, Machine
from passline.lab.machines.next_states import PLAYER
from passline.lab.strategies.built_in import BUILT_IN
from passline.lab.strategy_machine import make_machine
from passline.talk.understand import understand
from tests.machines.plays import RealTable, house_of, long_hands


def machine_of(name: str, book: str = "new-jersey") -> Machine:
    return make_machine(house_of(book, name), BUILT_IN[name], name)


def test_a_new_machine_knows_its_opening_only() -> None:
    machine = machine_of("pass")
    assert (machine.states, machine.explored, machine.closed) == (1, 0, False)
    assert machine.next[0, 0] == UNEXPLORED
    with pytest.raises(ValueError, match="still has states to explore: close it first"):
        machine.chain()


def test_the_origin_is_recorded() -> None:
    machine = make_machine(house_for("iowa", None, [("odds.multiple", "5")]), BUILT_IN["pass"])
    assert machine.about.rulebook == "iowa"
    assert machine.about.strategy == "pass_line"
    assert machine.about.elections == {"odds.multiple": "5"}
    assert str(machine.about).startswith("pass_line at Iowa craps manual (iowa, craps, odds.mult")


def test_closing_can_be_watched_limited_and_continued() -> None:
    machine, seen = machine_of("come-odds"), list[int]()
    assert not machine.close(limit=300)
    assert 300 < machine.states < 928
    assert machine.close(watch=seen.append)
    assert machine.closed
    assert machine.states == 928
    assert seen
    assert seen == sorted(seen)


def test_every_arc_leads_to_a_known_state_and_rows_are_whole() -> None:
    machine = machine_of("three-point-molly")
    machine.close()
    size = machine.states
    assert machine.next[:size].min() >= 0
    assert machine.next[:size].max() == size - 1
    chain = machine.chain()
    assert all(sum(arc.weight for arc in arcs) == FAIR_DICE_WEIGHT for arcs in chain.arcs)


def test_reading_the_last_roll_late_starts_over() -> None:
    """The strategy reads the last roll only after a point has been on for a while."""

    def late(view: View) -> list[str]:
        if view.puck is None:
            return [] if view.up("pass") else ["pass for 10"]
        if view.up("place-win-8") and view.last == (4, 4):
            return ["place-win-8 down"]
        return [] if view.up("place-win-8") or view.puck != 6 else ["place-win-8 for 12"]

    machine = make_machine(house_for("new-jersey"), late)
    assert machine.close()
    lasts = {machine.state(number).last for number in range(machine.states)}
    assert len(lasts) == 22  # the 21 throws, the lower die first, and none before the first
    plain = make_machine(house_for("new-jersey"), BUILT_IN["pass"])
    plain.close()
    assert {plain.state(number).last for number in range(plain.states)} == {None}


def test_states_with_the_same_layout_share_their_rolls() -> None:
    """The cost of getting to the same layout still differs, by the vigorish paid with the bet."""

    def buyer(view: View) -> list[str]:
        return [] if view.puck is None or view.up("buy-4") else ["buy-4 for 40"]

    machine = make_machine(house_for("new-jersey"), buyer)
    assert machine.close()
    rows = {}
    for number in range(machine.states):
        state = machine.state(number)
        rows[state.puck, bool(state.wagers)] = number
    made, kept = rows[6, False], rows[6, True]
    assert (machine.next[made] == machine.next[kept]).all()
    assert set(machine.money[kept] - machine.money[made]) == {200}  # five percent of $40
    assert machine.need[made] == 4200
    assert machine.need[kept] == 4000


@pytest.mark.parametrize(
    ("book", "name"),
    [("new-jersey", "three-point-molly"), ("iowa", "press-6-8"), ("section-2", "dont-pass-odds")],
)
def test_need_is_the_least_that_covers_the_wagers(book: str, name: str) -> None:
    """At the real table the strategy's bets are accepted with that much on the rail, and not with
    less.
    """
    machine = make_machine(house_for(book), BUILT_IN[name], name)
    machine.close()
    play = RealTable(house_for(book, None, []), BUILT_IN[name])
    number, asked = 0, 0
    for roll in long_hands(5, 120):
        table = play.table
        up = play.worth - table.seats[0].rail
        need = int(machine.need[number]) - up
        if need > 0:
            asked += 1
            assert goes_through(play, need)
            assert not goes_through(play, need - 1)
        play.play_turn()
        play.roll(*roll)
        outcome = outcome_index(*roll)
        number = int(machine.next[number, outcome])
    assert asked > 10


def goes_through(play: RealTable, rail: int) -> bool:
    """Whether the strategy's says are taken with just so much on the rail."""
    table = play.table
    seat = table.seats[0]
    drop = table.drop - seat.rail + rail
    table = replace(table, playing=(replace(seat, rail=rail), *table.seats[1:]), drop=drop)
    wagers = {slug: dollars_of(stake.amount) for slug, stake in seat.wagers.items()}
    answer = play.strategy(View(table.puck or None, wagers, play.last, play.settled))
    for say in answer:
        for command in understand(table, PLAYER, say):
            decided = decide(table, command)
            if isinstance(decided, Refusal):
                assert "in the rail" in describe_refusal(decided)
                return False
            for event in decided:
                table = evolve(table, event)
    return True


def test_taking_down_before_or_after_a_wager_needs_more_or_less() -> None:
    """The need is computed bet by bet, in the strategy's order, as at a real table."""

    def first(view: View) -> list[str]:
        return swap(view, ["place-win-8 for 60", "place-win-6 down"])

    def last(view: View) -> list[str]:
        return swap(view, ["place-win-6 down", "place-win-8 for 60"])

    def swap(view: View, says: list[str]) -> list[str]:
        if view.puck is None or view.up("place-win-8"):
            return []
        return says if view.up("place-win-6") else ["place-win-6 for 60"]

    needs, six = [], {"place-win-6": Stake(6000, 6000)}
    for play in (first, last):
        machine = make_machine(house_for("new-jersey"), play)
        machine.close()
        states = range(machine.states)
        with_six = next(n for n in states if dict(machine.state(n).wagers) == six)
        needs.append(int(machine.need[with_six]))
    assert needs == [12_000, 6_000]


@pytest.mark.parametrize("name", sorted(set(BUILT_IN) - {"small-tall-all"}))
def test_what_a_built_in_needs_is_what_it_has_up(name: str) -> None:
    """docs/play/strategies.md says so of the money needed: no vigorish, no tokes, nothing down."""
    machine = machine_of(name)
    assert machine.close()
    for number in range(machine.states):
        spoken = machine._seat.play_turn(machine.state(number))
        stakes = spoken.table.seats[0].wagers.values()
        assert machine.need[number] == sum(stake.amount for stake in stakes)


def test_no_bets_need_no_chips() -> None:
    machine = make_machine(house_for("new-jersey"), lambda view: None)
    assert machine.close()
    assert machine.need[: machine.states].tolist() == [0] * machine.states
    assert len(machine.chain()) == 1
    assert solve_long_run(machine.chain()).mean == 0


def test_tokes_cost() -> None:
    machine = make_machine(house_for("new-jersey"), lambda view: ["toke 1", "field for 5"])
    assert machine.close()
    assert int(machine.need[0]) == 600
    assert solve_long_run(machine.chain()).mean == -100 - Fraction(500, 18)


@pytest.mark.parametrize("game", ["mini-craps", "automated-craps"])
def test_other_games_have_the_same_machine(game: str) -> None:
    for name in ("pass-odds", "three-point-molly", "hardways"):
        craps = machine_of(name)
        other = make_machine(house_for("new-jersey", game), BUILT_IN[name], name)
        assert craps.close()
        assert other.close()
        assert (craps.next == other.next).all()
        assert (craps.money == other.money).all()


def test_the_shootout_is_no_part_of_a_machine() -> None:
    on = make_machine(house_for("iowa"), BUILT_IN["pass"])
    off = make_machine(house_for("iowa", None, [("offers.shootout", "false")]), BUILT_IN["pass"])
    assert on.close()
    assert off.close()
    assert (on.money == off.money).all()


def test_what_a_strategy_does_not_play_does_not_split_states() -> None:
    options = [("offers.fire", "A"), ("offers.bonus", "A")]
    machine = make_machine(house_for("maryland-crapless", None, options), BUILT_IN["pass"])
    assert machine.close()
    assert len(machine.chain()) == 6


def test_lumping_keeps_what_counts() -> None:
    """A chain made by hand: two states alike in money and chance, one that needs more."""
    next_ = np.zeros((4, 36), np.int32)
    money = np.zeros((4, 36), np.int32)
    next_[0, :18], next_[0, 18:] = 1, 2
    next_[1], next_[2], next_[3] = 3, 3, 0
    money[1, :6], money[2, 30:] = 500, 500  # other dice, the same chances
    need = np.array([0, 100, 100, 700], np.int64)
    chain = lump_states(next_, money, need)
    assert len(chain) == 3
    assert chain.need[chain.start] == 0
    (only,) = chain.arcs[chain.start]
    assert only.weight == FAIR_DICE_WEIGHT
    need[2] = 200
    assert len(lump_states(next_, money, need)) == 4


def test_a_bet_of_nothing_else_is_the_same_as_before() -> None:
    """A say that changes nothing changes nothing."""

    def again(view: View) -> list[str]:
        if view.puck is None:
            return ["pass to 10" if view.up("pass") else "pass for 10"]
        return ["pass-odds for max"]

    machine = make_machine(house_for("new-jersey"), again)
    assert machine.close()
    plain = machine_of("pass-odds")
    plain.close()
    assert machine.chain() == plain.chain()
