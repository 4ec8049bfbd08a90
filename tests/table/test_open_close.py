"""The opening as an event: the house in full, and a fold that asks no rule."""

from __future__ import annotations

import ast
import inspect

from msgspec.structs import replace

from passline.game.house.house import make_house
from passline.game.house.load import house_for
from passline.game.law.load import rulebook
from passline.game.layout.compile import compile_layout
from passline.game.table import codec
from passline.game.table.events import AnyEvent, BoughtIn
from passline.game.table.evolve import evolve, evolve_all
from passline.game.table.evolve import evolve as fold
from passline.game.table.open_close import open_table, opening_event, unopened_table
from passline.game.table.state import Table
from passline.game.table.table_ends import assign_places
from passline.version import VERSION
from tests.table.games import deal, standing


def test_the_opening_tells_the_house_in_full_and_who_stands_where() -> None:
    house = house_for("iowa", None, [("odds.multiple", "5"), ("limits.min", "15")])
    opened = opening_event(house, ("ann", "bob", "cyd"))
    assert (opened.house.rulebook, opened.house.game) == ("iowa", "craps")
    assert opened.house.elections == {"limits.min": "15", "odds.multiple": "5"}
    assert opened.house.terms["limits.max"] == "5000"
    assert opened.house.terms["buy.rate"] == "0.05"
    assert opened.digest == house.book.digest
    assert opened.version == VERSION
    assert [(at.id, at.place) for at in opened.seats] == [("ann", 1), ("bob", 2), ("cyd", 9)]
    assert opened.shootout == 10_000
    assert codec.decode_event(codec.encode(opened)) == opened


def test_two_books_that_differ_in_one_value_have_two_digests() -> None:
    book = rulebook("iowa")
    other = replace(book, points=replace(book.points, value=(4, 5, 6, 8, 9)))
    assert book.digest == replace(book).digest
    assert book.digest != other.digest


def test_a_felt_is_laid_once_for_a_house_and_shared() -> None:
    one, two = house_for("iowa"), house_for("iowa")
    assert compile_layout(one) is compile_layout(two)
    assert compile_layout(one) is open_table(two, ("ann",)).layout
    assert compile_layout(house_for("iowa", None, [("limits.min", "10")])) is not compile_layout(
        one
    )


def test_two_versions_of_a_book_live_in_one_process() -> None:
    book = rulebook("iowa")
    other = replace(book, points=replace(book.points, value=(4, 10)))
    assert compile_layout(make_house(book)) is not compile_layout(make_house(other))
    assert open_table(make_house(other)).house.book.points.value == (4, 10)


def test_a_game_folds_to_the_same_table_under_another_house() -> None:
    """The fold asks no rule: an old log under a law that has changed since is still the same."""
    dealt = deal(
        "ann: pass for 10; place-win-6 for 12\nroll 2 2\nann: buy-10 for 20\nroll 5 1\nroll 4 3"
    )
    events = [event for entry in dealt.entries for event in entry.events]
    strange = unopened_table(house_for("maryland-crapless"))
    table = evolve(strange, opening_event(dealt.table.house, ("ann",)))
    bought = [
        codec.event_from_builtins(codec.event_to_builtins(e))
        for e in (*_buy_ins(dealt.opening), *events)
    ]
    again = evolve_all(table, bought)
    corrects = again.correctable
    assert corrects is not None
    assert standing(corrects.before) == standing(dealt.table.correctable.before)  # type: ignore[union-attr]
    expected = replace(dealt.table, layout=strange.layout, correctable=corrects)
    assert again == expected


def _buy_ins(table: Table) -> list[AnyEvent]:
    return [BoughtIn(seat.id, seat.bought_in) for seat in table.seats]


def test_the_fold_imports_no_rule() -> None:
    for module in (fold.__module__, "passline.game.table.evolve"):
        tree = ast.parse(inspect.getsource(__import__(module, fromlist=["_"])))
        imported = {n.module for n in ast.walk(tree) if isinstance(n, ast.ImportFrom) and n.module}
        ours = {name for name in imported if name.startswith("passline")}
        assert (
            ours
            <= {
                "passline.game.layout.stakes",
                "passline.game.table",
                "passline.game.table.evolve",
                "passline.game.table.limit_changes",  # lays the felt that is bet on from then on, and moves nothing  # noqa: E501
                "passline.game.table.state",
            }
        )


def test_places_are_spread_over_both_ends() -> None:
    assert assign_places(0) == ()
    assert assign_places(2) == (1, 9)
    assert assign_places(16) == tuple(range(1, 17))
    assert assign_places(24) == tuple(range(1, 25))
