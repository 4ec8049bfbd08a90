"""The mutation tool itself: which changes it makes, and what is declared equivalent."""

from __future__ import annotations

import importlib
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any

import pytest

from passline.game.law.book_files import BOOKS
from passline.game.law.load import read_book_text, read_customs_text

ROOT = Path(__file__).parent.parent.parent
sys.path.insert(0, str(ROOT / "tools"))
value_mutants = importlib.import_module("value_mutants")
sys.path.pop(0)


def data_of(book_id: str) -> dict[str, Any]:
    return tomllib.loads(
        read_customs_text() if book_id == value_mutants.CUSTOMS else read_book_text(book_id)
    )


def changes(book_id: str, path: str) -> list[str]:
    """What is done to one value of a book."""
    data = data_of(book_id)
    return [m.change for m in value_mutants.list_value_mutants(book_id, data) if m.path == path]


@pytest.mark.parametrize("book_id", [*BOOKS, "customs"])
def test_every_mutant_is_named_once_and_changes_one_value(book_id: str) -> None:
    data = data_of(book_id)
    found = list(value_mutants.list_value_mutants(book_id, data))
    assert len({mutant.key for mutant in found}) == len(found) > 0
    for mutant in found:
        spot: Any = data
        for key in mutant.keys:
            spot = spot[key]
        assert spot != mutant.value, mutant.key


@pytest.mark.parametrize("book_id", [*BOOKS, "customs"])
def test_every_value_is_changed_somehow(book_id: str) -> None:
    data = data_of(book_id)
    changed = {mutant.path for mutant in value_mutants.list_value_mutants(book_id, data)}
    assert [e.path for e in value_mutants.entries(data) if e.path not in changed] == []


def test_a_face_that_is_spared_is_really_left_out() -> None:
    data = tomllib.loads(read_book_text("new-jersey"))
    [spared] = [
        m
        for m in value_mutants.list_value_mutants("new-jersey", data)
        if m.path == "wager.hop-1-3.lose" and m.change == "spare 2-2"
    ]
    assert "2-2" not in spared.value
    assert len(spared.value) == len(set(spared.value)) == 21 - 2


@pytest.mark.parametrize(
    ("path", "done"),
    [
        ("odds.fit", ["true → false"]),
        ("odds.most", ["100 → 101", "100 → 99"]),
        ("odds.default", ["1 → 3-4-5", "1 → 2"]),
        ("vig.buy.most", ["0.05 → 0.06", "0.05 → 0.04"]),
        (
            "wager.pass.made",
            [f"come-out → {w}" for w in ("after-seven", "any", "new-shooter", "number", "point")],
        ),
        ("wager.pass.first_win", ["drop 7", "drop 11", "add 4"]),
        ("wager.place-win.pays[0]", ["9 to 5 → 10 to 5"]),
        ("wager.place-win.pays[0].on", ["drop the line on 4"]),
        ("wager.field.pays[0].on", [f"drop {n}" for n in (3, 4, 9, 10, 11)]),
        ("wager.field.lose", ["drop 5", "drop 6", "drop 7", "drop 8"]),
        ("wager.hard-4.win", ["drop 2-2", "add 1-3"]),
        ("wager.hard-4.lose", ["drop 1-3", "drop 7", "add 3-3"]),
        ("wager.hop-2-2.lose", ["other → nothing", "spare 1-3"]),
        ("wager.hard-4.raises", []),
        ("wager.fire.removes", ["never → always"]),
        (
            "wager.c-and-e.legs",
            ["any-craps 1 → 2", "eleven 1 → 2", "drop any-craps", "drop eleven"],
        ),
        ("throw.void[0]", ["off-table → on-rail"]),
        ("throw.callers.craps", ["drop boxperson", "drop stickperson", "add dealer"]),
        ('elect."offers.fire".choices', ["drop false", "drop A", "drop B", "add C"]),
        ('elect."offers.buy".choices', ["drop true", "drop false"]),
    ],
)
def test_what_is_done_to_a_value(path: str, done: list[str]) -> None:
    assert changes("new-jersey", path) == done


def test_a_lost_line_is_a_seven_out_where_no_first_roll_loses_the_line() -> None:
    any_seven, line_loss = "loser-seven → any-seven", "loser-seven → line-loss"
    assert changes("new-jersey", "wager.fire.lost_by") == [any_seven, line_loss]
    assert changes("maryland-crapless", "wager.fire.lost_by") == [any_seven]


@pytest.mark.parametrize(
    ("path", "done"),
    [
        ("stakes.chip_default", ["1 → 2"]),
        ('odds.three_four_five."2 12"', ["1 → 2"]),
        ("tender.match_face", ["wager → any"]),
        ("seating.required", ["add craps", "add crapless"]),
        ("groups.outside.leaves_out_point", ["true → false"]),
    ],
)
def test_what_is_done_to_a_custom(path: str, done: list[str]) -> None:
    assert changes("customs", path) == done
    data = data_of("customs")
    named = {m.clauses for m in value_mutants.list_value_mutants("customs", data) if m.path == path}
    assert named == {(path,)}


def test_what_is_declared_equivalent_is_a_mutant_and_has_a_reason() -> None:
    text = (ROOT / "tests" / "equivalent.toml").read_text("utf-8")
    for row in tomllib.loads(text).get("equivalent", []):
        assert set(row) == {"book", "path", "change", "reason"}
        assert row["change"] in changes(row["book"], row["path"])
        assert len(row["reason"]) > 20


def test_the_list_can_be_read() -> None:
    ran = subprocess.run(
        [sys.executable, str(ROOT / "tools" / "mutate.py"), "iowa", "--list", "--only", "odds.fit"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert ran.returncode == 0
    assert ran.stdout.startswith("iowa: odds.fit: ")
