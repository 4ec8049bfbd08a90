"""Reading a rulebook: what holds together is typed, what does not is never let in."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from typing import Any

import msgspec
import pytest

from passline.game.law.book import Book, Ground
from passline.game.law.book_files import BOOKS, BookError
from passline.game.law.citations import CitedValue
from passline.game.law.load import make_book, read_book_text, replace_book, rulebook
from passline.game.law.wagers import BookMaximum, PayLine


def test_the_shipped_books() -> None:
    assert set(BOOKS) == {
        "section-2",
        "maryland-crapless",
        "iowa",
        "new-jersey",
        "dealer-school",
        "las-vegas",
    }
    assert [rulebook(name).id for name in BOOKS] == list(BOOKS)


def test_a_book_is_read_once() -> None:
    assert rulebook("iowa") is rulebook("iowa")


def test_a_book_that_is_not_there() -> None:
    with pytest.raises(BookError, match="no rulebook 'nevada': the rulebooks are dealer-school"):
        read_book_text("nevada")


@pytest.mark.parametrize(
    ("path", "value", "words"),
    [
        (("points",), {"is": [4]}, "a value needs a clause id"),
        (("points",), {"is": "four", "cite": "x"}, "points"),
        (("wager", "pass", "shape"), "spiral", "spiral"),
        (("wager", "pass", "sideways"), True, "sideways"),
        (("stakes", "breakage", "is"), "sometimes", "sometimes"),
        (("throw", "void"), [{"is": "off-table"}], "a value needs a clause id"),
        (("wager", "pass", "pays"), [{"is": "1 to 1"}], "a value needs a clause id"),
    ],
)
def test_a_book_that_does_not_hold_together_is_refused_with_where_it_is(
    path: tuple[str, ...], value: object, words: str
) -> None:
    data: dict[str, Any] = tomllib.loads(read_book_text("iowa"))
    node = data
    for key in path[:-1]:
        node = node[key]
    node[path[-1]] = value
    with pytest.raises(BookError, match="rulebook iowa: ") as caught:
        make_book(data)
    assert words in str(caught.value)


def test_data_without_an_id_is_refused_too() -> None:
    with pytest.raises(BookError, match=r"rulebook \?: "):
        make_book({})


@pytest.fixture
def shipped() -> Iterator[Book]:
    book = rulebook("iowa")
    yield book
    replace_book(book)


def test_a_book_may_be_put_in_the_place_of_the_shipped_one(shipped: Book) -> None:
    changed = msgspec.structs.replace(shipped, title="Another manual")
    replace_book(changed)
    assert rulebook("iowa") is changed


@pytest.mark.parametrize(
    ("cites", "custom", "clauses", "cite"),
    [
        ("a.1", "", ("a.1",), "a.1"),
        (("a.1", "b.2"), "", ("a.1", "b.2"), "a.1"),
        ((), "so it is done", (), "custom: so it is done"),
    ],
)
def test_a_value_names_its_clauses_or_its_custom(
    cites: str | tuple[str, ...], custom: str, clauses: tuple[str, ...], cite: str
) -> None:
    for cited in (
        CitedValue(1, cites=cites, custom=custom),
        Ground("off-table", cites=cites, custom=custom),
        PayLine("1 to 1", cites=cites, custom=custom),
    ):
        assert (cited.clauses, cited.cite) == (clauses, cite)


def test_a_maximum_is_named_by_its_first_clause() -> None:
    assert BookMaximum(500, cites="max.1").cite == "max.1"
    assert BookMaximum(500, cites=("max.9/high", "max.10/high")).cite == "max.9/high"
