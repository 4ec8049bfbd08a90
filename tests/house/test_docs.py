"""docs/operate/house-rules.md lists every key with its default, and its examples work."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from passline.game.house.elections import list_keys, parse_value, read_elections, show_value
from passline.game.house.lint import lint
from passline.game.house.load import house_for, parse_house_file
from passline.game.house.rule_elections import LEFT_OUT
from passline.game.law.book_files import BOOKS
from passline.game.law.load import rulebook
from passline.game.law.side_bets import read_side_bets

PAGE = (Path(__file__).parents[2] / "docs" / "operate" / "house-rules.md").read_text("utf-8")
ROWS = [
    [cell.strip() for cell in line.strip("|").split("|")]
    for line in PAGE.splitlines()
    if line.startswith("| `")
]
EXAMPLES = [row for row in ROWS if len(row) == 3 and row[1] in BOOKS]
OFFERS = [row for row in ROWS if len(row) == 4]


def code(cell: str) -> list[str]:
    return re.findall(r"`([^`]+)`", cell)


def test_every_election_is_in_the_tables() -> None:
    named = {key for row in ROWS if row not in EXAMPLES for key in code(row[0])}
    wanted = {key for book in BOOKS for key in list_keys(rulebook(book))}
    # Side bets have a page of their own.
    wanted -= {f"{key}.{offer}" for key in ("offers", "made") for offer in read_side_bets()}
    by_name = {
        *("rulebook", "name", "limits.max_by_wager.SLUG", "limits.min_by_wager.SLUG"),
        *("odds.multiple.N", "pays.NAME", "buy.when.N", "lay.when.N", "fees.WAGER"),
        *("chips.COLOUR", "working.KIND", "call_off.KIND", "stays.KIND"),
        *(f"offers.{group}" for group in LEFT_OUT),
    }
    assert named == wanted | by_name


@pytest.mark.parametrize("row", OFFERS, ids=lambda row: code(row[0])[0])
def test_what_a_book_leaves_to_the_house(row: list[str]) -> None:
    keys, values, default, where = row
    books = re.findall("|".join(BOOKS), where)
    for key in code(keys):
        rows = [one for one in OFFERS if key in code(one[0])]
        named = {book for one in rows for book in re.findall("|".join(BOOKS), one[3])}
        assert {book for book in BOOKS if key in rulebook(book).elect} == named
        for book in books:
            elective = rulebook(book).elect[key]
            assert show_value(elective.default.value) == default.strip('`"')
            if values != "the same":
                choices = re.findall(r'`"?(\w+)"?`', values) or values.split(", ")
                assert sorted(map(show_value, elective.choices.value)) == sorted(choices)


@pytest.mark.parametrize(("election", "book", "said"), EXAMPLES)
def test_what_lint_says(election: str, book: str, said: str) -> None:
    key, _, value = code(election)[0].partition(" = ")
    law = rulebook(book)
    findings = lint(law, None, read_elections(law, {key: parse_value(value)}))
    assert [finding.cite for finding in findings] == ([] if said == "allowed" else [said])


def test_the_file_is_allowed() -> None:
    (toml,) = re.findall(r"```toml\n(.*?)```", PAGE, re.DOTALL)
    given = parse_house_file(toml.encode(), "page")
    assert lint(rulebook(given.rulebook), given.game, given.elections) == ()
    assert set(given.elections) == {
        *("limits.min", "limits.max_by_wager.place-win-6", "offers.fire", "buy.when.4"),
        *("odds.multiple.4", "odds.multiple.5", "odds.multiple.6"),
    }


def test_the_smallest_file_is_one_line() -> None:
    assert parse_house_file(b'rulebook = "new-jersey"', "page").elections == {}
    house = house_for("new-jersey")
    assert (house.chip, house.minimum, house.maximum) == (100, 500, 500_000)
    assert house.center_minimum == 100
    for book in BOOKS:
        assert {vig.rate * 100 for vig in house_for(book).vig.values()} == {5}
