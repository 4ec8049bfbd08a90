"""What is on the felt: chips that never touch another player's, buttons, dice and names."""

from __future__ import annotations

import itertools
import random

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from passline.felt.layout_contents import LayoutContents, find_layout_contents
from passline.game.house.load import house_for
from passline.game.law.shapes.staged import StagedWager
from passline.game.layout.stakes import Stake
from passline.game.table.open_close import open_table
from passline.game.table.state import Table
from passline.record.deal import deal_text
from tests.felt.tables import FELTS, GAME, NAMES, lying, plan, stacks, table

AMOUNTS = (100, 500, 1200, 2600, 13_100, 117_800)


def crowded(name: str, players: int, seed: int, share: float, tokes: bool = False) -> Table:
    """Return a table with any wagers up, more than the rules would allow together.

    A wager that moves from stage to stage is at one of them.
    """
    there, dice = table(name, players), random.Random(seed)
    single = [
        slug
        for slug, spot in there.layout.spots.items()
        if not (isinstance(spot.rule, StagedWager) and spot.rule.is_reached_by_moving(spot.number))
    ]
    seats = []
    for seat in there.seats:
        up = [slug for slug in single if dice.random() < share]
        wagers = {slug: Stake(dice.choice(AMOUNTS)) for slug in up}
        seats.append(replace(seat, wagers=wagers))
    dealers = {"pass": Stake(500), "place-win-6": Stake(600), "hard-8": Stake(100)} if tokes else {}
    point = dice.choice((0, 6))
    return replace(there, playing=tuple(seats), dealers=dealers, point=point, fresh=not point)


def touching(contents: LayoutContents) -> list[tuple[str, str]]:
    found = []
    for one, two in itertools.combinations(contents.stacks, 2):
        far = one.player == two.player or abs(one.at.x - two.at.x) > 20
        if not far and one.at.distance_to(two.at) < (one.size + two.size) / 2:
            found.append((f"{one.player} {one.slug}", f"{two.player} {two.slug}"))
    return found


@pytest.mark.parametrize("name", FELTS)
def test_with_everything_up_for_everybody_no_two_players_chips_touch(name: str) -> None:
    contents = find_layout_contents(crowded(name, 16, 1, 1.0))
    assert touching(contents) == []


@settings(max_examples=12, deadline=None)
@given(
    name=st.sampled_from(list(FELTS)),
    players=st.integers(1, 24),
    seed=st.integers(0, 99),
    share=st.floats(0.02, 0.5),
    tokes=st.booleans(),
)
def test_no_two_players_chips_touch(
    name: str, players: int, seed: int, share: float, tokes: bool
) -> None:
    contents = find_layout_contents(crowded(name, players, seed, share, tokes))
    assert touching(contents) == []


@pytest.mark.parametrize("name", FELTS)
def test_every_wager_lies_in_one_of_its_zones(name: str) -> None:
    made, there = plan(name), crowded(name, 16, 3, 0.4)
    for stack in find_layout_contents(there).stacks:
        zones = [made.zone(id_) for id_ in made.cell(stack.slug, stack.end).zones]
        if stack.slug == "fire" and not there.fresh:
            zones = [zone for zone in made.zones if zone.kind == "fire-box"]
        assert any(zone.shape.contains(stack.at) for zone in zones), stack


def test_a_stack_has_its_largest_colour_underneath() -> None:
    there = open_table(house_for("iowa"), ("ann",))
    seats = (replace(there.seats[0], wagers={"pass": Stake(13_700)}),)
    (stack,) = find_layout_contents(replace(there, playing=seats)).stacks
    piles = [(pile.colour, pile.count) for pile in stack.chips]
    assert piles == [("black", 1), ("green", 1), ("red", 2), ("white", 2)]
    assert (stack.amount, stack.coin) == ("137.00", "")


def test_what_no_chip_makes_is_told() -> None:
    there = open_table(house_for("iowa"), ("ann",))
    seats = (replace(there.seats[0], wagers={"pass": Stake(550)}),)
    (stack,) = find_layout_contents(replace(there, playing=seats)).stacks
    assert stack.coin == "0.50"


def test_a_game_as_it_stands() -> None:
    dealt = deal_text(GAME)
    assert not dealt.refusals
    contents = find_layout_contents(dealt.table, (5, 4))
    made = plan("iowa")
    where = {
        (stack.player, stack.slug): next(
            zone.kind for zone in made.zones if zone.shape.contains(stack.at)
        )
        for stack in contents.stacks
    }
    assert where == {
        ("ann", "pass"): "pass",
        ("ann", "come-9"): "box",
        ("ann", "come-odds-9"): "box",
        ("ann", "place-win-6"): "back",
        ("bob", "dont-pass"): "dont-pass",
        ("bob", "dont-come-9"): "behind",
    }
    assert [(puck.on, puck.number) for puck in contents.pucks] == [(True, 8), (True, 8)]
    assert [die.face for die in contents.dice if die.where == "box"] == [5, 4]
    assert [(p.name, p.rail, p.shooter) for p in contents.plates] == [
        ("ann", "448.00", True),
        ("bob", "480.00", False),
    ]


def test_dice_are_where_the_engine_says() -> None:
    there = table("section-2", 4, shooter="p1")
    out = replace(there, dice=replace(there.dice, out=True))
    dice = [die for die in find_layout_contents(out).dice if die.where == "shooter"]
    assert len(dice) == 2
    plate = find_layout_contents(out).plates[0]
    assert all(die.at.distance_to(plate.at) < 60 for die in dice)
    rest = [
        die for die in find_layout_contents(there, (3, 3), at_rest=True).dice if die.where == "rest"
    ]
    assert [die.face for die in rest] == [3, 3]
    middle = plan("section-2").width / 2
    assert all(die.at.x < middle < plate.at.x for die in rest)  # the end opposite the shooter


def test_a_machine_has_no_bowl_and_keeps_no_dice() -> None:
    contents = lying("automated", "pass")
    assert contents.holder is None
    assert len(contents.dice) == 2
    assert {fixture.kind for fixture in plan("automated").fixtures} == {"bank", "box"}


def test_chips_are_larger_where_there_is_room() -> None:
    few = stacks(lying("iowa", "place-win-6", players=2), "place-win-6")
    many = stacks(lying("iowa", "place-win-6"), "place-win-6")
    assert few["p1"].size > many["p1"].size


def test_a_resting_wager_says_so() -> None:
    there = table("iowa", 1)
    assert not stacks(lying("iowa", "place-win-6", players=1), "place-win-6")["p1"].working
    assert there.puck is None
    assert stacks(lying("iowa", "place-win-6", players=1, point=8), "place-win-6")["p1"].working


def test_who_left_is_not_here() -> None:
    there = table("iowa", 2)
    seats = (replace(there.seats[0], here=False), there.seats[1])
    assert [p.here for p in find_layout_contents(replace(there, playing=seats)).plates] == [
        False,
        True,
    ]


def test_a_place_has_one_plate_however_many_had_it_before() -> None:
    there = table("iowa", players=4)
    first, second, third, fourth = there.seats
    left = replace(first, here=False, wagers={"pass": Stake(1000, 1000)})
    seats = (left, replace(second, place=1), replace(third, here=False, place=1), fourth)
    shown = [p.name for p in find_layout_contents(replace(there, playing=seats)).plates]
    assert shown == [second.name, fourth.name]
    gone = (replace(first, here=False), replace(second, here=False, place=1))
    assert len(find_layout_contents(replace(there, playing=gone)).plates) == 1


def test_a_lie_goes_to_json_unchanged() -> None:
    contents = find_layout_contents(crowded("school", 16, 5, 0.3))
    assert msgspec.json.decode(msgspec.json.encode(contents), type=LayoutContents) == contents


def test_names_are_those_of_the_players() -> None:
    assert [plate.name for plate in lying("iowa", "pass").plates] == list(NAMES[:16])
