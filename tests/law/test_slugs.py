"""The slugs that records, JSON and house rules use: the contract's list, and nothing by chance."""

from __future__ import annotations

import pytest

from passline.game.law.book_files import BOOKS
from passline.game.law.load import rulebook
from passline.game.law.wager_names import known_slugs, wager_slugs


def test_every_slug_stands_once() -> None:
    assert len(set(known_slugs())) == len(known_slugs())


@pytest.mark.parametrize("book", BOOKS)
def test_every_wager_of_every_book_is_known(book: str) -> None:
    assert set(wager_slugs(rulebook(book))) <= set(known_slugs())


@pytest.mark.parametrize("family", ["come", "dont-come-odds", "place-win", "buy", "lay"])
def test_a_numbered_wager_is_known_on_every_total(family: str) -> None:
    for total in range(2, 13):
        assert f"{family}-{total}" in known_slugs()
    assert f"{family}-13" not in known_slugs()


def test_the_twenty_one_combinations_of_the_hop() -> None:
    hops = [slug for slug in known_slugs() if slug.startswith("hop-")]
    assert len(hops) == 21
    assert "hop-3-5" in hops
    assert "hop-5-3" not in hops
