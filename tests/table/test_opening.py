"""The opening as an event: the house in full, and a fold that asks no rule."""

from __future__ import annotations

import ast
import inspect

from msgspec.structs import replace

from passline.house import make_house
from passline.house.files import house_for
from passline.law import rulebook
from passline.law.digest import digest_of
from passline.layout import lay_felt
from passline.table import Table, codec, evolve, evolve_all, open_table, tell_opening
from passline.table import evolve as fold
from passline.table.events import AnyEvent, BoughtIn
from passline.table.opening import bare_table, spread
from passline.version import VERSION
from tests.table.games import deal


def test_the_opening_tells_the_house_in_full_and_who_stands_where() -> None:
    house = house_for("iowa", None, [("odds.multiple", "5"), ("limits.min", "15")])
    opened = tell_opening(house, ("ann", "bob", "cyd"))
    assert (opened.house.rulebook, opened.house.game) == ("iowa", "craps")
    assert opened.house.elections == {"limits.min": "15", "odds.multiple": "5"}
    assert opened.house.terms["limits.max"] == "5000"
    assert opened.house.terms["buy.rate"] == "0.05"
    assert opened.digest == digest_of(house.book)
    assert opened.version == VERSION
    assert [(at.id, at.place) for at in opened.seats] == [("ann", 1), ("bob", 2), ("cyd", 9)]
    assert opened.shootout == 10_000
    assert codec.decode_event(codec.encode(opened)) == opened


def test_two_books_that_differ_in_one_value_have_two_digests() -> None:
    book = rulebook("iowa")
    other = replace(book, points=replace(book.points, value=(4, 5, 6, 8, 9)))
    assert digest_of(book) == digest_of(replace(book))
    assert digest_of(book) != digest_of(other)


def test_a_felt_is_laid_once_for_a_house_and_shared() -> None:
    one, two = house_for("iowa"), house_for("iowa")
    assert lay_felt(one) is lay_felt(two)
    assert lay_felt(one) is open_table(two, ("ann",)).layout
    assert lay_felt(house_for("iowa", None, [("limits.min", "10")])) is not lay_felt(one)


def test_two_versions_of_a_book_live_in_one_process() -> None:
    book = rulebook("iowa")
    other = replace(book, points=replace(book.points, value=(4, 10)))
    assert lay_felt(make_house(book)) is not lay_felt(make_house(other))
    assert open_table(make_house(other)).house.book.points.value == (4, 10)


def test_a_game_folds_to_the_same_table_under_another_house() -> None:
    """The fold asks no rule: an old log under a law that has changed since is still the same."""
    dealt = deal(
        "ann: pass for 10; place-win-6 for 12\nroll 2 2\nann: buy-10 for 20\nroll 5 1\nroll 4 3"
    )
    events = [event for entry in dealt.entries for event in entry.events]
    strange = bare_table(house_for("maryland-crapless"))
    table = evolve(strange, tell_opening(dealt.table.house, ("ann",)))
    bought = [codec.from_plain(codec.to_plain(e)) for e in (*_buy_ins(dealt.opening), *events)]
    again = evolve_all(table, bought)
    assert again == replace(dealt.table, layout=strange.layout)


def _buy_ins(table: Table) -> list[AnyEvent]:
    return [BoughtIn(seat.id, seat.bought_in) for seat in table.seats]


def test_the_fold_imports_no_rule() -> None:
    for module in (fold.__module__, "passline.table.evolve_dice"):
        tree = ast.parse(inspect.getsource(__import__(module, fromlist=["_"])))
        imported = {n.module for n in ast.walk(tree) if isinstance(n, ast.ImportFrom) and n.module}
        ours = {name for name in imported if name.startswith("passline")}
        assert ours <= {
            "passline.layout.stakes",
            "passline.table",
            "passline.table.evolve_dice",
            "passline.table.limits",  # lays the felt that is bet on from then on, and moves nothing
            "passline.table.state",
        }


def test_places_are_spread_over_both_ends() -> None:
    assert spread(0) == ()
    assert spread(2) == (1, 9)
    assert spread(16) == tuple(range(1, 17))
    assert spread(24) == tuple(range(1, 25))
