"""The click targets of the felt: one for each wager, and no two overlap."""

from __future__ import annotations

import pytest

from passline.felt.plan import plan_felt
from passline.felt.shapes import Point
from passline.felt.targets import FINGER_SIZE, Target, list_target_rows
from passline.game.house.load import house_for
from passline.game.law.book_files import BOOKS
from passline.game.law.load import rulebook
from passline.game.layout.compile import compile_layout

GAMES = [(book, game) for book in BOOKS for game in rulebook(book).games.value]


def overlap(one: Target, other: Target) -> bool:
    return (
        one.x < other.x + other.w - 0.01
        and other.x < one.x + one.w - 0.01
        and one.y < other.y + other.h - 0.01
        and other.y < one.y + one.h - 0.01
    )


@pytest.mark.parametrize(("book", "game"), GAMES)
def test_each_wager_has_one_target_and_none_lies_upon_another(book: str, game: str) -> None:
    layout = compile_layout(house_for(book, game))
    plan = plan_felt(layout)
    for end in plan.ends:
        cells = [cell for row in list_target_rows(plan, end, place=3) for cell in row.cells]
        slugs = [cell.slug for cell in cells]
        assert sorted(slugs) == sorted(layout.spots)
        assert len({cell.name for cell in cells}) == len(cells)
        frame = plan.views["whole"]
        for number, cell in enumerate(cells):
            assert frame.left <= cell.x
            assert cell.x + cell.w <= frame.right
            assert min(cell.w, cell.h) > FINGER_SIZE - 0.3, cell.slug  # crapless has a row more
            for other in cells[:number]:
                assert not overlap(cell, other), (cell.slug, other.slug)


def test_a_number_is_a_row_of_its_own() -> None:
    rows = list_target_rows(plan_felt(compile_layout(house_for("iowa"))), "left")
    assert [row.name for row in rows][:3] == ["Line and field", "Number 4", "Number 5"]
    (six,) = (row for row in rows if row.name == "Number 6")
    assert {"Place 6", "Buy 6", "Lay 6", "Come 6"} <= {cell.name for cell in six.cells}
    assert "Big 6" in {cell.name for cell in rows[0].cells}


@pytest.mark.parametrize(("book", "game"), GAMES)
def test_a_wager_has_its_zones_as_they_are_drawn(book: str, game: str) -> None:
    """A pointer in a zone (the arm of a line, the front place line) finds a wager of that zone,
    except where a target of odds or of a traveled bet covers it.
    """
    plan = plan_felt(compile_layout(house_for(book, game)))
    zones = {zone.id: zone for zone in plan.zones}
    for end in plan.ends:
        for row in list_target_rows(plan, end):
            for cell in row.cells:
                of = plan.cell(cell.slug, end)
                assert cell.beside is of.beside
                assert not (cell.beside and cell.more)
                if of.beside or of.area not in ("pass", "pass-odds", "dont-pass", "place"):
                    continue
                assert cell.more, cell.slug
                if of.area == "place":
                    places = {zones[id_].shape.bounding_box for id_ in of.zones}
                    assert {(measures.x, measures.y) for measures in cell.more} == {
                        (b.left, b.top) for b in places
                    }
                    continue
                (zone,) = (zones[id_] for id_ in of.zones)
                for more in cell.more:  # nothing of it lies beside the line
                    for x in (more.x + 0.1, more.x + more.w - 0.1):
                        for y in (more.y + 0.1, more.y + more.h - 0.1):
                            assert zone.shape.contains(Point(x, y)), (cell.slug, x, y)
