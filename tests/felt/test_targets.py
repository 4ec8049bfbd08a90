"""The click targets of the felt: one for each wager, on the painted lines."""

from __future__ import annotations

from itertools import product

import pytest

from passline.felt.geometry import Point, Shape
from passline.felt.layout_zones import CENTER
from passline.felt.plan import FeltPlan, plan_felt
from passline.felt.targets import FINGER_SIZE, Target, TargetBox, list_target_rows
from passline.game.house.load import house_for
from passline.game.law.book_files import BOOKS
from passline.game.law.load import rulebook
from passline.game.layout.compile import compile_layout
from tests.felt.tables import plan

GAMES = [(book, game) for book in BOOKS for game in rulebook(book).games.value]


def overlap(one: TargetBox, other: TargetBox) -> bool:
    return (
        one.x < other.x + other.w - 0.01
        and other.x < one.x + one.w - 0.01
        and one.y < other.y + other.h - 0.01
        and other.y < one.y + one.h - 0.01
    )


def list_targets(plan: FeltPlan, end: str) -> list[Target]:
    return [cell for row in list_target_rows(plan, end, place=3) for cell in row.cells]


@pytest.mark.parametrize(("book", "game"), GAMES)
def test_each_wager_has_one_target_and_none_lies_upon_another(book: str, game: str) -> None:
    layout = compile_layout(house_for(book, game))
    plan = plan_felt(layout)
    for end in plan.ends:
        cells = list_targets(plan, end)
        slugs = [cell.slug for cell in cells]
        assert sorted(slugs) == sorted(layout.spots)
        assert len({cell.name for cell in cells}) == len(cells)
        frame = plan.views["whole"]
        for number, cell in enumerate(cells):
            assert frame.left <= cell.box.x
            assert cell.box.x + cell.box.w <= frame.right
            assert min(cell.box.w, cell.box.h) > FINGER_SIZE - 0.3, cell.slug
            for other in cells[:number]:
                boxes = (
                    (cell.share, other.share) if cell.area == other.area else (cell.box, other.box)
                )
                assert not overlap(*boxes), (cell.slug, other.slug)


def test_a_number_is_a_row_of_its_own() -> None:
    rows = list_target_rows(plan_felt(compile_layout(house_for("iowa"))), "left")
    assert [row.name for row in rows][:3] == ["Line and field", "Number 4", "Number 5"]
    (six,) = (row for row in rows if row.name == "Number 6")
    assert {"Place 6", "Buy 6", "Lay 6", "Come 6"} <= {cell.name for cell in six.cells}
    assert "Big 6" in {cell.name for cell in rows[0].cells}


def test_side_wagers_are_no_smaller_than_other_targets() -> None:
    """However many of them a house deals: the page makes the smallest large enough for a finger."""
    made = plan("sides")
    targets = {target.slug: target for target in list_targets(made, "left")}
    assert min(min(target.box.w, target.box.h) for target in targets.values()) > 27
    printed = [text for zone in made.zones if zone.kind == "bonus" for text in zone.prints]
    assert min(text.size for text in printed) >= 6.5
    ride = [target for slug, target in targets.items() if slug.startswith("ride-the-line")]
    assert len(ride) == 12
    assert len({(target.area, target.box) for target in ride}) == 1  # all of the painted box
    assert {text.text for text in made.zone("bonus-hot-shooter").prints} >= {"2 - 99 to 1"}


def holds(target: Target, point: Point) -> bool:
    box = target.box
    inside = box.x <= point.x <= box.x + box.w and box.y <= point.y <= box.y + box.h
    return inside or any(Shape(outline).contains(point) for outline in target.outlines)


@pytest.mark.parametrize(("book", "game"), GAMES)
def test_a_click_on_a_painted_zone_finds_a_wager_of_it(book: str, game: str) -> None:
    """Every point of a painted zone belongs to one area, and to no more."""
    plan = plan_felt(compile_layout(house_for(book, game)))
    for end in plan.ends:
        targets = list_targets(plan, end)
        areas_of = dict[tuple[object, ...], list[Target]]()
        for target in targets:  # Wagers that take turns lie alike: each place is tried once.
            areas_of.setdefault((target.box, target.outlines), []).append(target)
        lines = {z.id: Shape(z.shape.round_off()) for z in plan.zones if len(z.shape.points) > 4}
        bounds = {id_: line.bounding_box for id_, line in lines.items()}
        for zone in plan.zones:
            if zone.end not in (end, CENTER) or not zone.slugs or zone.kind == "fire":
                continue
            box, outline = zone.shape.bounding_box, Shape(zone.shape.round_off())
            steps = (0.01, *(at / 9 for at in range(1, 9)), 0.99)
            for across, down in product(steps, repeat=2):
                point = Point(box.left + across * box.width, box.top + down * box.height)
                if not outline.contains(point) or any(
                    id_ != zone.id and bounds[id_].contains(point) and line.contains(point)
                    for id_, line in lines.items()
                ):  # a line's round corner lies over it
                    continue
                alike = [same for same in areas_of.values() if holds(same[0], point)]
                found = [target for same in alike for target in same]
                areas = {target.area for target in found}
                assert len(areas) == 1, (zone.id, point, areas)
                named = zone.number and f"number-{zone.number}" in areas
                assert named or {target.slug for target in found} & set(zone.slugs), zone.id


def test_the_whole_column_of_a_number_is_one_area() -> None:
    plan = plan_felt(compile_layout(house_for("new-jersey")))
    targets = {target.slug: target for target in list_targets(plan, "left")}
    place, lay = targets["place-win-6"], targets["lay-6"]
    assert (place.area, place.bet_as, lay.bet_as) == ("number-6", "Place", "Lay")
    assert place.outlines == lay.outlines
    box = plan.zone("box-6-left").shape.bounding_box
    assert (place.box.x + place.box.w / 2, place.box.y + place.box.h / 2) == box.center
    assert lay.box.y == plan.zone("behind-6-left").shape.bounding_box.top
    head = plan.zone("head-6-left").shape.bounding_box
    assert holds(place, head.center)
    assert targets["dont-pass-odds"].area == targets["dont-pass"].area


def test_a_horn_high_is_bet_where_its_name_is_printed() -> None:
    plan = plan_felt(compile_layout(house_for("new-jersey")))
    targets = {target.slug: target for target in list_targets(plan, "left")}
    zone = plan.zone("total-craps-2")
    printed = {words.text: words.at for words in zone.prints}
    assert holds(targets["horn-high-2"], printed["HIGH"])
    assert holds(targets["craps-2"], printed["30 to 1"])
    assert not holds(targets["craps-2"], printed["HORN"])
