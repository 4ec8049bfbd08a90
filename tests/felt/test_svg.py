"""The picture is well formed, works on a strict page, and has the same data as the plan."""

from __future__ import annotations

import re
from xml.etree import ElementTree

import pytest
from msgspec.structs import replace

from passline.felt.layout_contents import find_chip_lift, find_layout_contents
from passline.felt.layout_zones import measure_text
from passline.felt.plan import plan_felt
from passline.felt.svg import (
    draw_pieces,
    draw_plan,
    draw_table,
    format_chip_value,
    read_style_sheet,
)
from passline.game.house.house import make_house
from passline.game.law.load import rulebook
from passline.game.layout.compile import compile_layout
from passline.game.layout.stakes import Stake
from passline.game.table.open_close import open_table
from tests.felt.tables import FELTS, lying, overlap, plan, table, with_up

SVG = "{http://www.w3.org/2000/svg}"


def picture(
    name: str, *slugs: str, view: str = "whole", standalone: bool = False
) -> ElementTree.Element:
    there = with_up(table(name), dict.fromkeys(slugs, 13_700))
    made = plan(name)
    return ElementTree.fromstring(
        draw_table(there, made, find_layout_contents(there), view, standalone)
    )


@pytest.mark.parametrize("name", FELTS)
def test_every_zone_is_a_group_that_a_page_can_use(name: str) -> None:
    root, made = picture(name), plan(name)
    groups = {group.get("data-zone"): group for group in root.iter(f"{SVG}g")}
    for zone in made.zones:
        group = groups[zone.id]
        assert group.get("data-end") == zone.end
        assert (group.get("data-slugs") or "").split() == list(zone.slugs)
        assert group.get("id") == f"zone-{zone.id}"


def test_a_strict_page_may_hold_it() -> None:
    text = draw_plan(plan("school"))
    assert "style=" not in text
    assert "<style" not in text
    assert "<script" not in text
    assert not re.search(r"\bon[a-z]+=", text)
    assert "<style" in draw_plan(plan("school"), standalone=True)


def test_the_style_asks_nobody_for_anything() -> None:
    assert "url(" not in read_style_sheet()
    assert "@import" not in read_style_sheet()
    assert "prefers-color-scheme: dark" in read_style_sheet()


def test_every_class_that_is_drawn_has_its_look() -> None:
    root = picture("crapless", "pass", "buy-4")
    drawn = {word for node in root.iter() for word in (node.get("class") or "").split()}
    silent = {"felt", "zone", "stack", "plate", "name", "fixture", "lammer", "puck", "marker"}
    kinds = {zone.kind for zone in plan("crapless").zones} | {"bonus", "fire"}
    missing = {w for w in drawn - silent - kinds if f".{w}" not in read_style_sheet()}
    assert missing <= {"word"}


def test_chips_lie_in_the_picture_largest_underneath() -> None:
    root = picture("iowa", "pass")
    stack = next(g for g in root.iter(f"{SVG}g") if g.get("data-slug") == "pass")
    chips = [use.get("href") for use in stack.iter(f"{SVG}use")]
    assert chips[0] == "#edge-black"
    assert chips[-1] == "#chip-white-100"
    assert len(chips) == 6
    ids = {node.get("id") for node in root.iter()}
    assert {(href or "")[1:] for href in chips} <= ids


def test_edges_tell_the_colours_apart_without_colour() -> None:
    there = with_up(table("iowa", 1), {"pass": 168_100 + 50_000})
    root = ElementTree.fromstring(draw_table(there, plan("iowa"), find_layout_contents(there)))
    rims = {
        node.get("stroke-dasharray")
        for node in root.iter(f"{SVG}circle")
        if node.get("class") == "spots"
    }
    assert len(rims) == len(
        {pile.colour for s in find_layout_contents(there).stacks for pile in s.chips}
    )


def test_a_colour_of_the_houses_own_is_drawn_too() -> None:
    own = make_house(rulebook("iowa"), given={"chips.teal": 2})
    there = open_table(own, ("ann",))
    there = replace(there, playing=(replace(there.seats[0], wagers={"pass": Stake(200)}),))
    text = draw_table(there, plan_felt(there.layout), find_layout_contents(there))
    assert 'class="chip-other"' in text
    assert ">2</text>" in text


def test_six_and_nine_are_in_letters() -> None:
    root = picture("section-2")
    words = [node.text for node in root.iter(f"{SVG}text")]
    assert words.count("SIX") == words.count("NINE") == 2


@pytest.mark.parametrize("view", ["whole", "end:left", "end:right", "center"])
def test_views_are_parts_of_the_same_picture(view: str) -> None:
    root, made = picture("iowa", view=view), plan("iowa")
    x, y, wide, high = map(float, (root.get("viewBox") or "").split())
    whole = made.views["whole"]
    assert whole.left <= x
    assert x + wide <= whole.right + 0.01
    assert (y, y + high) == (whole.top, whole.bottom)


def test_a_view_holds_its_end_and_nothing_of_the_other() -> None:
    made = plan("iowa")
    left = made.views["end:left"]
    for zone in made.zones:
        box = zone.shape.bounding_box
        if zone.end == "left":
            assert left.left <= box.left
            assert box.right <= left.right
        elif zone.end == "right":
            assert not overlap(box, left)


def test_names_of_others_do_no_harm() -> None:
    there = open_table(make_house(rulebook("iowa"), name="<b>&\x1b[2J\"'"), ("a<b>",))
    text = draw_table(there, plan_felt(there.layout), find_layout_contents(there), standalone=True)
    ElementTree.fromstring(text)
    assert "\x1b" not in text


def test_a_tall_stack_is_squeezed_and_not_drawn_chip_by_chip() -> None:
    there = with_up(table("iowa", 1), {"pass": 9_999_900})
    contents = find_layout_contents(there)
    (stack,) = contents.stacks
    count = sum(pile.count for pile in stack.chips)
    assert count > 100
    assert find_chip_lift(stack) * count < stack.size
    text = draw_table(there, plan("iowa"), contents)
    assert text.count("<use") < 30


def test_buttons_pucks_and_dice_are_drawn() -> None:
    there = with_up(table("school", 2, point=9, shooter="p1"), {"buy-4": 2500, "lay-10": 4000})
    text = draw_table(there, plan("school"), find_layout_contents(there, (6, 3)))
    for words in (">BUY<", ">LAY<", ">ON<"):
        assert words in text
    assert lying("school", "pass").pucks[0].on is False


def test_a_die_of_small_value_has_its_cents() -> None:
    assert [format_chip_value(v) for v in (100, 100_000, 50)] == ["1", "1000", "50¢"]


def test_one_felt_is_planned_once() -> None:
    layout = compile_layout(make_house(rulebook("iowa")))
    assert plan_felt(layout) is plan_felt(layout)


def test_there_is_one_bowl_wherever_it_stands() -> None:
    for status in ("live", "dead"):
        there = table("iowa", status=status)
        text = draw_table(there, plan("iowa"), find_layout_contents(there))
        assert text.count('class="fixture bowl"') == 1
        assert ('class="stick"' in text) == (status == "dead")


@pytest.mark.parametrize("name", FELTS)
def test_names_at_the_rail_leave_a_gap_to_the_next(name: str) -> None:
    there = table(name, players=16)
    long = ("Ann-Marie O'Neil", "Christopher", "Wolfgang", "MMMMMMMMMMMM")
    seats = [replace(seat, name=f"{long[n % 4]}{n}") for n, seat in enumerate(there.seats)]
    contents = find_layout_contents(replace(there, playing=tuple(seats)))
    for plate in contents.plates:
        pieces = draw_pieces(plan(name), replace(contents, plates=(plate,)))
        svg = ElementTree.fromstring(pieces[f"plate/{plate.player}"])
        words = "".join(svg[0].itertext())
        assert words.rstrip("…") == plate.name[: len(words.rstrip("…"))]
        assert measure_text(words) * 13 <= plate.room - 8, (words, plate.room)


def test_the_shooters_name_is_whole_where_plates_are_close() -> None:
    """A machine-sized table has sixteen places at one end."""
    contents = find_layout_contents(table("mini-craps", 16))
    plate = min(contents.plates, key=lambda plate: plate.room)
    shown = replace(contents, plates=(replace(plate, name="Rob", shooter=True),))
    pieces = draw_pieces(plan("mini-craps"), shown)
    svg = ElementTree.fromstring(pieces[f"plate/{plate.player}"])
    assert "".join(svg.itertext()).startswith("Rob")
