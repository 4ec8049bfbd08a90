"""The plan of a felt follows the house's rules, and nothing is drawn over anything else."""

from __future__ import annotations

import itertools
from pathlib import Path

import msgspec
import pytest

from passline.felt.areas import find_area
from passline.felt.geometry import Point, Rectangle, make_point, make_rectangle
from passline.felt.layout_zones import PrintedDice, PrintedText
from passline.felt.plan import plan_felt
from passline.game.house.house import make_house
from passline.game.house.load import house_for
from passline.game.law.load import rulebook
from passline.game.layout.compile import compile_layout
from tests.felt.tables import FELTS, house, overlap, plan

every_felt = pytest.mark.parametrize("name", FELTS)


@every_felt
def test_every_wager_has_its_cell_and_nothing_else_is_there(name: str) -> None:
    layout, made = compile_layout(house(name)), plan(name)
    assert {cell.slug for cell in made.cells} == set(layout.spots)
    zoned = {slug for zone in made.zones for slug in zone.slugs}
    assert zoned == set(layout.spots)


@every_felt
def test_a_wager_stands_once_at_each_end_or_once_in_the_center(name: str) -> None:
    made = plan(name)
    for slug, cells in itertools.groupby(
        sorted(made.cells, key=lambda c: c.slug), lambda c: c.slug
    ):
        ends = sorted(cell.end for cell in cells)
        assert ends in (["center"], sorted(made.ends)), slug


@every_felt
def test_names_are_told_apart(name: str) -> None:
    made = plan(name)
    for end in made.ends:
        names = [cell.name for cell in made.cells if cell.end in (end, "center")]
        assert len(names) == len(set(names))


@pytest.mark.parametrize(
    ("slug", "words"),
    [
        ("pass", "Pass"),
        ("dont-pass", "Don't pass"),
        ("pass-odds", "Pass odds"),
        ("come", "Come"),
        ("dont-come", "Don't come"),
        ("field", "Field"),
        ("place-win-6", "Place 6"),
        ("buy-4", "Buy 4"),
        ("lay-10", "Lay 10"),
        ("hard-8", "Hard 8"),
        ("any-seven", "Any seven"),
        ("horn", "Horn"),
    ],
)
def test_cells_are_named_as_people_are_told_them(slug: str, words: str) -> None:
    assert plan("new-jersey").cell(slug).name == words


def test_payouts_are_worded_as_the_placard_words_them() -> None:
    made = plan("new-jersey")
    assert made.cell("place-win-6").pays == ("7 to 6",)
    assert made.cell("any-seven").pays == ("4 to 1",)
    assert made.cell("pass-odds").pays[0] == "4: 2 to 1"
    assert plan("school").cell("any-seven").pays == ("4 to 1",)


def printed(name: str) -> set[str]:
    made = plan(name)
    return {words.text for zone in made.zones for words in zone.prints}


def test_what_is_printed_comes_from_the_rules() -> None:
    assert {"PASS LINE", "DON'T PASS · BAR 12", "COME", "SIX", "NINE"} <= printed("section-2")
    raised = make_house(rulebook("new-jersey"), given={"pays.field-12": "3 to 1"})
    words = {p.text for z in plan_felt(compile_layout(raised)).zones for p in z.prints}
    assert "2 pays 2 to 1,  12 pays 3 to 1" in words
    assert "2 and 12 pay 2 to 1" in printed("new-jersey")


def test_what_is_not_offered_is_not_there() -> None:
    crapless = plan("crapless")
    kinds = {zone.kind for zone in crapless.zones}
    assert not kinds & {"dont-pass", "dont-come", "behind", "circles"}
    numbers = {zone.number for zone in crapless.zones if zone.kind == "box"}
    assert numbers == {2, 3, 4, 5, 6, 8, 9, 10, 11, 12}
    assert not any(zone.kind.startswith("big") for zone in plan("new-jersey").zones)
    assert {"big-6", "big-8"} <= {zone.kind for zone in plan("iowa").zones}
    plain = plan_felt(compile_layout(house_for("new-jersey")))
    assert not {"fire", "fire-box"} & {zone.kind for zone in plain.zones}


def test_one_end_where_the_book_has_one_base_dealer() -> None:
    assert plan("mini-craps").ends == ("left",)
    assert plan("automated").ends == ("left",)
    single = make_house(rulebook("iowa"), given={"crew.base_dealers": 1})
    assert plan_felt(compile_layout(single)).ends == ("left", "right")


def test_a_house_that_leaves_a_spot_out_has_none() -> None:
    bare = house_for("maryland-crapless", None, (("layout.whirl", "false"),))
    assert not any(zone.kind == "above-seven" for zone in plan_felt(compile_layout(bare)).zones)


@every_felt
def test_boxes_read_from_left_to_right_at_both_ends(name: str) -> None:
    made = plan(name)
    for end in made.ends:
        boxes = [zone for zone in made.zones if zone.kind == "box" and zone.end == end]
        inorder = sorted(boxes, key=lambda zone: zone.shape.bounding_box.left)
        assert [zone.number for zone in inorder] == sorted(zone.number for zone in boxes)


def test_the_left_end_lies_at_the_right_of_the_picture() -> None:
    made = plan("section-2")
    assert (
        made.zone("come-left").shape.bounding_box.left
        > made.zone("come-right").shape.bounding_box.right
    )


def test_strips_of_a_number_lie_from_the_dealer_outwards() -> None:
    made = plan("section-2")
    tops = [
        made.zone(f"{row}-6-left").shape.bounding_box.top
        for row in ("behind", "back", "box", "front")
    ]
    assert tops == sorted(tops)


@every_felt
def test_no_zone_lies_over_another(name: str) -> None:
    zones = plan(name).zones
    for one, two in itertools.combinations(zones, 2):
        a, b = one.shape.bounding_box, two.shape.bounding_box
        if not overlap(a, b):
            continue
        # Rectangle of lines that turn the corner hold what lies inside them: look at points then.
        for x, y in itertools.product(range(1, 20), range(1, 20)):
            point = make_point(
                max(a.left, b.left) + (min(a.right, b.right) - max(a.left, b.left)) * x / 20,
                max(a.top, b.top) + (min(a.bottom, b.bottom) - max(a.top, b.top)) * y / 20,
            )
            assert not (one.shape.contains(point) and two.shape.contains(point)) or {
                one.kind,
                two.kind,
            } == {"fire", "pass-odds"}, (one.id, two.id)


def extent(words: PrintedText | PrintedDice) -> Rectangle:
    if isinstance(words, PrintedDice):
        wide, high = words.size * 2.2, words.size
    else:
        wide, high = words.length, words.size
        if words.turn:
            wide, high = high, wide
    x, y = words.at
    return make_rectangle(x - wide / 2, y - high / 2, x + wide / 2, y + high / 2)


@every_felt
def test_words_lie_in_their_zone_and_not_over_each_other(name: str) -> None:
    made = plan(name)
    every = []
    for zone in made.zones:
        printed: list[PrintedText | PrintedDice] = [*zone.prints, *zone.pips]
        for words in printed:
            box, held = extent(words), zone.shape.bounding_box
            assert held.left - 1 <= box.left, (zone.id, words)
            assert box.right <= held.right + 1, (zone.id, words)
            assert held.top - 1 <= box.top, (zone.id, words)
            assert box.bottom <= held.bottom + 1, (zone.id, words)
            every.append((zone.id, box))
    every += [(words.text, extent(words)) for words in made.prints]
    for (one, a), (two, b) in itertools.combinations(every, 2):
        assert not overlap(a, b), (one, two)


@every_felt
def test_words_of_an_end_can_be_read_on_a_phone(name: str) -> None:
    made = plan(name)
    for end in made.ends:
        scale = 390 / made.views[f"end:{end}"].width
        sizes = [
            words.size * scale
            for zone in made.zones
            if zone.end == end and not zone.kind.startswith(("fire", "big"))
            for words in zone.prints
        ]
        assert min(sizes) >= (7.5 if name in ("mini-craps", "automated", "crapless") else 8.9)
    scale = 390 / made.views["center"].width
    center = [w.size * scale for z in made.zones if z.end == "center" for w in z.prints]
    assert min(center) >= 8


def test_a_plan_goes_to_json_unchanged() -> None:
    made = plan("iowa")
    assert msgspec.json.decode(msgspec.json.encode(made), type=type(made)) == made


def test_a_sixth_book_has_its_felt(monkeypatch: pytest.MonkeyPatch) -> None:
    own = Path(__file__).parent.parent / "law" / "own"
    monkeypatch.setenv("PASSLINE_BOOKS", str(own))
    layout = compile_layout(house_for("high-desert"))
    made = plan_felt(layout)
    assert {cell.slug for cell in made.cells} == set(layout.spots)
    assert {find_area(layout, spot) for spot in layout.spots.values()} >= {"pass", "box", "field"}


def test_points_and_boxes() -> None:
    assert Point(0, 0).toward(Point(3, 4), 5) == Point(3, 4)
    assert make_rectangle(0, 0, 4, 4).contains(Point(4, 4))
