"""The drawing follows the rulebooks: things are on the felt where the clauses say."""

from __future__ import annotations

import itertools

import pytest
from msgspec.structs import replace

from passline.felt.chip_places import LARGEST_CHIP
from passline.felt.geometry import Point
from passline.felt.layout_contents import (
    ChipStack,
    LayoutContents,
    find_layout_contents,
)
from passline.felt.layout_zones import Fixture, Zone
from passline.felt.plan import FeltPlan
from passline.game.layout.stakes import Stake
from passline.game.table.state import Table
from tests.felt.tables import lying, overlap, plan, stacks, table, with_up

clause = pytest.mark.clause


def zone_under(made: FeltPlan, point: Point, *kinds: str) -> Zone:
    """Return the zone of one of these kinds that contains a point."""
    return next(z for z in made.zones if z.kind in kinds and z.shape.contains(point))


def fixture(made: FeltPlan, kind: str, end: str = "") -> Fixture:
    return next(f for f in made.fixtures if f.kind == kind and f.end == end)


def middle(made: FeltPlan) -> float:
    """Return the x coordinate of the line between box and stick."""
    return fixture(made, "box").at.x


def plates(contents: LayoutContents) -> dict[str, Point]:
    return {plate.player: plate.at for plate in contents.plates}


def all_in(name: str, slug: str, kind: str) -> bool:
    """Return whether everybody's wager is in a zone of this kind at the player's own end."""
    made, contents = plan(name), lying(name, slug)
    found = stacks(contents, slug)
    assert len(found) == 16
    zones = [zone_under(made, stack.at, kind) for stack in found.values()]
    ends = {plate.player: plate.end for plate in contents.plates}
    return [z.end for z in zones] == [ends[player] for player in found]


@clause("section-2:2(b)(1)(i)#2")
def test_pass_lies_on_the_pass_line() -> None:
    assert all_in("section-2", "pass", "pass")


@clause("section-2:2(b)(1)(ii)#2")
def test_dont_pass_lies_on_the_dont_pass_line() -> None:
    assert all_in("section-2", "dont-pass", "dont-pass")


@clause("section-2:2(b)(1)(iii)#2", "dealer-school:come.example/1")
def test_come_lies_in_the_come() -> None:
    assert all_in("section-2", "come", "come")
    assert all_in("school", "come", "come")


@clause(
    "section-2:2(b)(1)(iv)#2",
    "dealer-school:dont-come/placement",
    "dealer-school:dont-come.example/1",
)
def test_dont_come_lies_in_its_box() -> None:
    assert all_in("section-2", "dont-come", "dont-come")
    assert all_in("school", "dont-come", "dont-come")


@clause(
    "iowa:wagers.5.c.A#2",
    "dealer-school:pass-odds/placement",
    "dealer-school:term.apron",
)
@pytest.mark.parametrize("name", ["iowa", "school"])
def test_pass_odds_lie_behind_their_flat_outside_the_line(name: str) -> None:
    made, contents = plan(name), lying(name, "pass", "pass-odds", point=6)
    flats = stacks(contents, "pass")
    for player, odds in stacks(contents, "pass-odds").items():
        apron = zone_under(made, odds.at, "pass-odds", "pass", "dont-pass")
        assert apron.kind == "pass-odds"
        stands = plates(contents)[player]
        assert odds.at.distance_to(stands) < flats[player].at.distance_to(stands)
        assert odds.at.distance_to(flats[player].at) >= (odds.size + flats[player].size) / 2


@clause("dealer-school:base.10#2")
def test_odds_are_spread_out() -> None:
    odds = stacks(lying("school", "pass", "pass-odds", point=6), "pass-odds").values()
    for one, two in itertools.combinations(odds, 2):
        assert one.at.distance_to(two.at) > 2 * LARGEST_CHIP


@clause("iowa:wagers.5.d.B#2", "iowa:dont-come-lay/odds-position")
def test_dont_pass_odds_lie_toward_the_base_dealer() -> None:
    made = plan("iowa")
    contents = lying("iowa", "dont-pass", "dont-pass-odds", point=6)
    flats = stacks(contents, "dont-pass")
    for player, odds in stacks(contents, "dont-pass-odds").items():
        dealer = fixture(made, "post-base", odds.end).at
        assert odds.at.distance_to(dealer) < flats[player].at.distance_to(dealer) - 4
        assert zone_under(made, odds.at, "dont-pass").end == odds.end
        assert odds.how in ("heeled", "bridged")


@clause("iowa:lay/bridge")
def test_laid_odds_are_bridged_where_they_win_their_flat_in_one_colour() -> None:
    there = table("iowa", 2, point=4)
    wagers = {"dont-pass": Stake(1000, 1000), "dont-pass-odds": Stake(2000)}
    seats = (replace(there.seats[0], wagers=wagers), there.seats[1])
    (odds,) = stacks(find_layout_contents(replace(there, playing=seats)), "dont-pass-odds").values()
    assert odds.how == "bridged"  # $20 against the 4 wins $10, in red as the flat is
    wagers["dont-pass-odds"] = Stake(3000)
    (odds,) = stacks(find_layout_contents(replace(there, playing=seats)), "dont-pass-odds").values()
    assert odds.how == "heeled"


@clause("iowa:wagers.5.c.B#2", "dealer-school:come.example/4")
@pytest.mark.parametrize("name", ["iowa", "school"])
def test_come_odds_lie_offset_on_their_flat(name: str) -> None:
    made, contents = plan(name), lying(name, "come-9", "come-odds-9", point=6)
    flats = stacks(contents, "come-9")
    for player, odds in stacks(contents, "come-odds-9").items():
        assert (odds.how, odds.on) == ("offset", "come-9")
        assert 0 < odds.at.distance_to(flats[player].at) < odds.size
        assert zone_under(made, odds.at, "box").number == 9


@clause("iowa:wagers.5.d.A#2")
def test_dont_come_odds_lie_beside_their_flat_away_from_the_box() -> None:
    made, contents = plan("iowa"), lying("iowa", "dont-come-8", "dont-come-odds-8", point=6)
    flats = stacks(contents, "dont-come-8")
    for player, odds in stacks(contents, "dont-come-odds-8").items():
        flat = flats[player].at
        assert abs(odds.at.x - middle(made)) > abs(flat.x - middle(made)) + 4
        assert odds.at.y == flat.y
        assert zone_under(made, odds.at, "behind").number == 8
        assert odds.how in ("heeled", "bridged")


def places_of_wager(slug: str) -> dict[str, Point]:
    return {player: stack.at for player, stack in stacks(lying("school", slug), slug).items()}


@clause("dealer-school:buy/placement")
def test_a_buy_lies_where_a_come_bet_does() -> None:
    assert places_of_wager("buy-4") == places_of_wager("come-4")


@clause("dealer-school:lay/placement")
def test_a_lay_lies_where_a_dont_come_bet_does() -> None:
    assert places_of_wager("lay-4") == places_of_wager("dont-come-4")


@clause("dealer-school:base.10#3")
def test_bets_in_the_boxes_lie_in_rows() -> None:
    rows = {point.y for point in places_of_wager("come-6").values()}
    assert len(rows) == 2


@clause("iowa:wagers.6#7", "dealer-school:base.5")
@pytest.mark.parametrize("name", ["iowa", "school"])
def test_place_bets_lie_on_the_line_that_matches_the_players_spot(name: str) -> None:
    made, contents = plan(name), lying(name, "place-win-5")
    stands = plates(contents)
    for player, stack in stacks(contents, "place-win-5").items():
        line = zone_under(made, stack.at, "back", "front")
        assert line.number == 5
        along_the_stick = stands[player].y > made.height
        assert line.kind == ("front" if along_the_stick else "back")
    # From the center outwards as the players stand along the stick's side.
    front = {
        p: s.at.x for p, s in stacks(contents, "place-win-5").items() if stands[p].y > made.height
    }
    for end in ("left", "right"):
        here = [p for p in front if next(q for q in contents.plates if q.player == p).end == end]
        assert sorted(here, key=front.__getitem__) == sorted(here, key=lambda p: stands[p].x)


# Fire and bonus


def fires(made: FeltPlan, kind: str) -> dict[int, Zone]:
    return {zone.place: zone for zone in made.zones if zone.kind == kind}


@clause("maryland-crapless:2.C(4)(a)", "maryland-crapless:2.C(4)(b)#1")
def test_fire_spots_lie_along_the_edge_one_facing_each_place() -> None:
    made, contents = plan("crapless"), lying("crapless", "fire")
    spots = fires(made, "fire")
    assert sorted(spots) == list(range(1, 17))
    for plate in contents.plates:
        spot = spots[plate.place].shape.bounding_box.center
        nearest = min(
            spots, key=lambda place: spots[place].shape.bounding_box.center.distance_to(plate.at)
        )
        assert nearest == plate.place
        edge = min(spot.x, made.width - spot.x, made.height - spot.y)
        assert edge < 20


@clause("maryland-crapless:2.C(4)(b)#2")
def test_fire_spots_are_numbered_clockwise_from_the_boxpersons_left() -> None:
    made = plan("crapless")
    spots = {place: zone.shape.bounding_box.center for place, zone in fires(made, "fire").items()}
    # The boxperson looks down the picture: his left is its right. Clockwise, as we look at it:
    # down the right side, along the bottom from right to left, up the left side.
    assert min(spots, key=lambda place: spots[place].distance_to(Point(made.width, 0))) == 1
    assert all(spots[n].x > middle(made) for n in range(1, 9))
    assert [spots[n].y for n in range(1, 5)] == sorted(spots[n].y for n in range(1, 5))
    assert [-spots[n].x for n in range(5, 13)] == sorted(-spots[n].x for n in range(5, 13))
    assert [-spots[n].y for n in range(13, 17)] == sorted(-spots[n].y for n in range(13, 17))


@clause("new-jersey:19:47-1.12(a)1#2", "maryland-crapless:11.A(1)#2")
@pytest.mark.parametrize("name", ["new-jersey", "crapless"])
def test_a_fire_wager_lies_on_the_spot_nearest_its_player(name: str) -> None:
    made, contents = plan(name), lying(name, "fire")
    for plate in contents.plates:
        stack = stacks(contents, "fire")[plate.player]
        assert zone_under(made, stack.at, "fire").place == plate.place


@clause(
    "new-jersey:19:47-1.12(a)3#1",
    "maryland-crapless:11.A(3)#1",
    "maryland-crapless:2.C(4)(c)",
    "maryland-crapless:2.C(4)(d)#1",
    "maryland-crapless:2.C(4)(d)#2",
)
@pytest.mark.parametrize("name", ["new-jersey", "crapless"])
def test_after_the_come_out_fire_wagers_lie_by_number_before_the_box(name: str) -> None:
    made, contents = plan(name), lying(name, "fire", fresh=False)
    before, edge = fires(made, "fire-box"), fires(made, "fire")
    assert sorted(before) == sorted(edge)
    spots = {place: zone.shape.bounding_box.center for place, zone in before.items()}
    assert spots[1].x > spots[8].x  # clockwise, as along the edge: from the boxperson's left
    assert spots[9].x < spots[16].x
    box, props = fixture(made, "box"), [z for z in made.zones if z.kind == "seven"]
    assert box.shape is not None
    for zone in before.values():
        spot = zone.shape.bounding_box.center
        assert box.shape.bounding_box.left < spot.x < box.shape.bounding_box.right
        assert box.shape.bounding_box.bottom <= spot.y < props[0].shape.bounding_box.top
    for plate in contents.plates:
        stack = stacks(contents, "fire")[plate.player]
        assert zone_under(made, stack.at, "fire-box").place == plate.place


@clause("new-jersey:19:47-1.12(a)4#1", "maryland-crapless:11.A(4)")
@pytest.mark.parametrize("name", ["new-jersey", "crapless"])
def test_a_fire_marker_with_the_count_stands_on_each_point_made(name: str) -> None:
    made, contents = plan(name), lying(name, "fire", made=frozenset({5, 9}), fresh=False)
    marks = [marker for marker in contents.markers if marker.kind == "fire"]
    assert sorted((measures.number, measures.says) for measures in marks) == [
        (5, "1"),
        (5, "1"),
        (9, "2"),
        (9, "2"),
    ]
    for marker in marks:
        assert zone_under(made, marker.at, "head").number == marker.number


@clause(
    "new-jersey:19:47-1.12(a)4#2",
    "maryland-crapless:11.A(4)(a)",
    "maryland-crapless:12.B(3)(a)",
)
def test_markers_and_buttons_are_wider_than_any_chip() -> None:
    contents = lying("crapless", "fire", players=2, made=frozenset({5}), thrown=frozenset({4, 9}))
    assert {marker.kind for marker in contents.markers} == {"fire", "bonus"}
    widest = max(stack.size for stack in contents.stacks)
    assert all(marker.size > max(widest, LARGEST_CHIP) for marker in contents.markers)


@clause(
    "maryland-crapless:2.C(5)(a)",
    "maryland-crapless:2.C(5)(a)(i)",
    "maryland-crapless:2.C(5)(a)(ii)",
    "maryland-crapless:2.C(5)(a)(iii)",
    "maryland-crapless:2.C(5)(c)",
    "maryland-crapless:12.B(2)#1",
)
def test_bonus_wagers_have_their_spots_before_the_box() -> None:
    made = plan("crapless")
    spots = [zone for zone in made.zones if zone.kind == "bonus"]
    words = [[p.text for p in zone.prints] for zone in spots]
    assert words == [
        ["ALL SMALL", "34 to 1"],
        ["MAKE THEM ALL", "175 to 1"],
        ["ALL TALL", "34 to 1"],
    ]
    box = fixture(made, "box").shape
    assert box is not None
    for zone in spots:
        (slug,) = zone.slugs
        assert box.bounding_box.left <= zone.shape.bounding_box.left
        assert zone.shape.bounding_box.right <= box.bounding_box.right
        found = stacks(lying("crapless", slug), slug)
        assert len(found) == 16
        assert all(zone.shape.contains(stack.at) for stack in found.values())


@clause("maryland-crapless:2.C(5)(b)", "maryland-crapless:12.B(3)")
def test_every_total_but_seven_has_a_spot_for_its_button() -> None:
    made = plan("crapless")
    spots = {zone.number: zone for zone in made.zones if zone.kind == "bonus-button"}
    assert sorted(spots) == [2, 3, 4, 5, 6, 8, 9, 10, 11, 12]
    contents = lying("crapless", "pass", thrown=frozenset(spots))
    for marker in contents.markers:
        assert spots[marker.number].shape.contains(marker.at)


# The table itself


@clause("maryland-crapless:2.A")
def test_the_table_is_long_with_round_corners() -> None:
    made = plan("crapless")
    assert made.width > 2 * made.height
    assert all(radius > 50 for radius in made.outline.corners)


@clause("maryland-crapless:2.B")
def test_the_table_is_at_most_fourteen_feet_long() -> None:
    assert plan("crapless").width <= 1400
    assert plan("crapless", players=24).width <= 1400
    assert plan("iowa", players=24).width > 1400  # nobody says so there


@clause("maryland-crapless:2.C(1)")
def test_the_layout_shows_whose_it_is() -> None:
    made = plan("crapless")
    assert made.name in [words.text for words in made.prints]


@clause("maryland-crapless:2.C(2)")
def test_every_wager_has_its_own_place() -> None:
    made = plan("crapless")
    there = table("crapless")
    assert {slug for zone in made.zones for slug in zone.slugs} == set(there.layout.spots)


@clause("maryland-crapless:2.C(3)")
def test_the_layout_says_that_call_bets_are_not_taken() -> None:
    assert "NO CALL BETS" in [words.text for words in plan("crapless").prints]
    assert "NO CALL BETS" not in [words.text for words in plan("school").prints]


@clause("maryland-crapless:2.E#1", "maryland-crapless:2.E#2")
def test_drop_box_and_tip_box_are_at_the_table() -> None:
    made = plan("crapless")
    assert (fixture(made, "drop-box").words, fixture(made, "tip-box").words) == ("DROP", "TIPS")


@clause("iowa:crew#2", "iowa:def.inside", "iowa:def.outside")
def test_the_stick_stands_opposite_the_box_before_the_center() -> None:
    made, contents = plan("iowa"), lying("iowa", "pass")
    stick, box = fixture(made, "post-stick").at, fixture(made, "post-box").at
    assert stick.x == box.x == middle(made)
    assert box.y < 0
    assert stick.y > made.height
    center = [zone.shape.bounding_box for zone in made.zones if zone.end == "center"]
    assert min(b.left for b in center) < stick.x < max(b.right for b in center)
    assert all(p.at.y > 0 for p in contents.plates)
    assert all(not 0 < p.at.x < made.width or p.at.y > made.height for p in contents.plates)


@clause("iowa:crew#3", "iowa:def.second-base", "iowa:def.third-base")
def test_a_base_dealer_stands_at_the_inner_side_of_each_end() -> None:
    made = plan("iowa")
    left, right = fixture(made, "post-base", "left").at, fixture(made, "post-base", "right").at
    assert left.y < 0
    assert right.y < 0
    # The boxperson looks down the picture: third base, at his left, stands at its right.
    assert right.x < middle(made) < left.x


@clause("iowa:def.box", "dealer-school:term.bankroll")
@pytest.mark.parametrize("name", ["iowa", "school"])
def test_the_box_is_a_blank_strip_before_the_bank_between_the_base_dealers(name: str) -> None:
    made = plan(name)
    bank, box = fixture(made, "bank").shape, fixture(made, "box").shape
    assert bank is not None
    assert box is not None
    assert bank.bounding_box.bottom <= box.bounding_box.top
    assert bank.bounding_box.left == box.bounding_box.left
    assert not any(overlap(zone.shape.bounding_box, box.bounding_box) for zone in made.zones)
    left, right = fixture(made, "post-base", "left").at, fixture(made, "post-base", "right").at
    assert right.x < box.bounding_box.left
    assert box.bounding_box.right < left.x


# Dice, cup and bowl


def before_the_stick(made: FeltPlan, kind: str) -> bool:
    holder, stick = fixture(made, kind).at, fixture(made, "post-stick").at
    return holder.x == stick.x and made.height - holder.y < 30


@clause(
    "section-2:2(g)(3)(i)",
    "section-2:2(g)(3)(ii)",
    "section-2:2(k)(4)#4",
    "section-2:2(g)(1)#5",
    "new-jersey:19:47-1.7(c)1",
    "new-jersey:19:47-1.7(c)2",
    "new-jersey:19:47-1.7(a)#5",
    "maryland-crapless:7.D(1)",
    "maryland-crapless:7.A(2)",
    "maryland-crapless:10.F#2",
)
@pytest.mark.parametrize("name", ["section-2", "new-jersey", "mini-craps", "crapless"])
def test_unused_dice_are_in_the_cup_before_the_stick(name: str) -> None:
    made, contents = plan(name), lying(name, "pass")
    assert before_the_stick(made, "cup")
    assert not any(f.kind == "bowl" for f in made.fixtures)
    held = [die.at for die in contents.dice if die.where == "holder"]
    assert len(held) == 3
    cup = fixture(made, "cup")
    assert all(at.distance_to(cup.at) < cup.round for at in held)


@clause(
    "iowa:general.1#4",
    "iowa:stick.intro.1#2",
    "iowa:stick.intro.1#3",
    "iowa:def.dice-bowl",
    "iowa:def.mirrors",
    "dealer-school:stick.11",
    "dealer-school:stick.11.b",
    "dealer-school:term.bowl",
    "dealer-school:stick-handling.bowl-neat",
)
@pytest.mark.parametrize("name", ["iowa", "school"])
def test_unused_dice_lie_flat_in_the_bowl_at_the_mirror_before_the_stick(name: str) -> None:
    """The mirror faces the box, so the bowl against it stands right before the stick."""
    made, contents = plan(name), lying(name, "pass")
    assert before_the_stick(made, "bowl")
    held = [die.at for die in contents.dice if die.where == "holder"]
    assert len(held) == 3
    bowl = fixture(made, "bowl")
    assert all(at.distance_to(bowl.at) < bowl.round for at in held)
    for one, two in itertools.combinations(held, 2):
        assert one.distance_to(two) > 10.5  # side by side, none upon another


@clause("dealer-school:stick.11.a", "dealer-school:stick-handling.dead-game", "iowa:dead-game.2#1")
@pytest.mark.parametrize("name", ["iowa", "school"])
def test_on_a_dead_game_the_bowl_stands_in_the_center_with_the_stick(name: str) -> None:
    made, contents = plan(name), find_layout_contents(table(name, status="dead"))
    assert contents.holder is not None
    assert contents.stick_down
    assert (
        zone_under(made, contents.holder, "hard", "total", "parts", "totals", "hop").end == "center"
    )
    assert len([die for die in contents.dice if die.where == "holder"]) == 5
    assert len(contents.dice) == 5
    still = find_layout_contents(table("section-2", status="dead"))
    assert still.holder is not None
    assert still.holder.y > plan("section-2").height - 30  # the regulations know no such thing


@clause("section-2:2(j)(2)#1", "new-jersey:19:47-1.10(b)#1", "maryland-crapless:9.F")
@pytest.mark.parametrize("name", ["section-2", "new-jersey", "crapless"])
def test_between_throws_the_dice_lie_between_stick_and_box(name: str) -> None:
    made, contents = plan(name), lying(name, "pass")
    dice = [die for die in contents.dice if die.where == "box"]
    assert len(dice) == 2
    box = fixture(made, "box").shape
    assert box is not None
    assert all(box.contains(die.at) for die in dice)
    assert sum(die.at.x for die in dice) / 2 == middle(made)


@clause("new-jersey:19:47-1.10(c)#1")
def test_in_mini_craps_too() -> None:
    made, contents = plan("mini-craps"), lying("mini-craps", "pass")
    assert sum(d.at.x for d in contents.dice if d.where == "box") / 2 == middle(made)


# Pucks and buttons


@clause("iowa:base.3#1", "iowa:base.3#2")
def test_the_puck_stands_on_the_point_at_both_ends_and_comes_off_for_a_come_out() -> None:
    made, on = plan("iowa"), lying("iowa", "pass", point=8)
    assert [(puck.end, puck.on, puck.number) for puck in on.pucks] == [
        ("left", True, 8),
        ("right", True, 8),
    ]
    assert [zone_under(made, puck.at, "head").number for puck in on.pucks] == [8, 8]
    off = lying("iowa", "pass")
    assert [puck.on for puck in off.pucks] == [False, False]
    assert [zone_under(made, p.at, "dont-come").end for p in off.pucks] == ["left", "right"]


@clause("section-2:2(k)(2)#4", "new-jersey:19:47-1.11(b)#4", "maryland-crapless:10.B(3)")
@pytest.mark.parametrize(
    ("name", "line"),
    [("section-2", "dont-pass"), ("new-jersey", "dont-pass"), ("crapless", "pass")],
)
def test_the_puck_lies_off_before_a_shooter_who_decides_come_bets(name: str, line: str) -> None:
    for shooter in ("p2", "p7", "p12", "p15"):
        contents = lying(name, "come-6", special=True, shooter=shooter)
        (puck,) = contents.pucks
        assert not puck.on
        assert zone_under(plan(name), puck.at, "pass", "dont-pass", "dont-come").kind == line
        nearest = min(contents.plates, key=lambda plate: plate.at.distance_to(puck.at))
        assert nearest.player == shooter


@clause("dealer-school:buy/button", "dealer-school:lay/button")
def test_buys_and_lays_carry_their_button() -> None:
    contents = lying("school", "buy-4", "lay-10", "place-win-6", players=2)
    said = sorted((lammer.slug, lammer.says) for lammer in contents.lammers)
    assert said == [("buy-4", "BUY")] * 2 + [("lay-10", "LAY")] * 2


@clause("iowa:place/one-button")
def test_one_button_nearest_the_box_stands_for_all() -> None:
    there: Table = with_up(table("iowa", 2), {})
    wagers = {f"place-win-{n}": Stake(1200, call=True) for n in (5, 6, 8)}
    seats = tuple(replace(seat, wagers=wagers) for seat in there.seats)
    contents = find_layout_contents(replace(there, playing=seats))
    assert [(lammer.slug, lammer.says, lammer.all) for lammer in contents.lammers] == [
        ("place-win-5", "ON", True),
        ("place-win-8", "ON", True),
    ]
    for lammer in contents.lammers:
        own = [s for s in contents.stacks if s.player == lammer.player]
        nearest: ChipStack = min(own, key=lambda s: abs(s.at.x - middle(plan("iowa"))))
        assert nearest.slug == lammer.slug


# The center


@clause("dealer-school:whirl/placement")
def test_a_whirl_lies_on_the_line_above_any_seven() -> None:
    made, contents = plan("school"), lying("school", "whirl")
    seven = made.zone("seven-any-seven").shape.bounding_box
    above = made.zone("above-seven").shape.bounding_box
    assert above.bottom == pytest.approx(seven.top)
    assert (above.left, above.right) == (seven.left, seven.right)
    for stack in stacks(contents, "whirl").values():
        assert above.contains(stack.at)


@clause("dealer-school:horn-high/placement")
def test_a_horn_high_lies_in_the_box_of_its_number() -> None:
    made = plan("school")
    for number, straight in ((2, "craps-2"), (3, "craps-3"), (11, "eleven"), (12, "craps-12")):
        slug = f"horn-high-{number}"
        for stack in stacks(lying("school", slug), slug).values():
            assert straight in zone_under(made, stack.at, "total").slugs


@clause("dealer-school:horn/placement", "dealer-school:hardways/placement", "iowa:stick.12#1")
@pytest.mark.parametrize("slug", ["horn", "hard-8", "any-craps"])
@pytest.mark.parametrize("name", ["school", "iowa"])
def test_propositions_mirror_where_the_player_stands(name: str, slug: str) -> None:
    made, contents = plan(name), lying(name, slug)
    (zone,) = [made.zone(id_) for id_ in made.cell(slug).zones]
    heart = zone.shape.bounding_box.center
    for plate in contents.plates:
        lies = stacks(contents, slug)[plate.player].at
        assert zone.shape.contains(lies)
        assert (lies.x > heart.x) == (plate.at.x > middle(made))
        assert (lies.y > heart.y) == (plate.at.y > made.height)
