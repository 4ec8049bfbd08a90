"""How long hands last: against the auditor's own count, and where it is told."""

from __future__ import annotations

import re
from fractions import Fraction
from pathlib import Path

import pytest
from click.testing import CliRunner

from passline.cli.main import cli
from passline.game.house.load import house_for
from passline.game.layout.compile import compile_layout
from passline.lab.luck.shooter_hand import find_finished_hand, get_hand_length, solve_shooter_hand
from passline.record.deal import deal_text
from tests.auditor.figures import BOOKS
from tests.auditor.hands import lasts, mean, points_made

SIX = (4, 5, 6, 8, 9, 10)
TEN = (2, 3, 4, 5, 6, 8, 9, 10, 11, 12)
POINTS = {book: TEN if "crapless" in book else SIX for book in BOOKS}


@pytest.mark.parametrize("book", BOOKS)
def test_a_hand_is_as_long_as_the_auditor_counts(book: str) -> None:
    hand, points = get_hand_length(compile_layout(house_for(book))), POINTS[book]
    assert hand.mean_rolls == mean(points)
    wanted = (1, 2, 3, 10, 31, 154, 200)
    assert list(hand.survivals(wanted)) == [lasts(rolls, points) for rolls in wanted]
    assert list(hand.points(6)) == [points_made(n, points) for n in range(7)]
    again = 1 - points_made(0, points)
    assert hand.mean_points == again / (1 - again)


def test_the_known_figures() -> None:
    """8.53 throws on average; 154, the longest on record: one hand in 5.6 billion."""
    hand = get_hand_length(compile_layout(house_for("new-jersey")))
    assert hand.mean_rolls == Fraction(1671, 196)
    assert 5.5e9 < 1 / hand.survival(154) < 5.6e9
    assert sum(hand.points(200)) == 1 - (1 - next(hand.points(0))) ** 201


def ended(*rolls: str, header: str = "rulebook: new-jersey") -> list[str | None]:
    lines = [header, "player: ann 500", "player: bob 500"]
    for roll in rolls:
        lines += ["ann: pass for 5", "bob: pass for 5", f"roll {roll}"]
    dealt = deal_text("\n".join(lines))
    found = [find_finished_hand(before, rolled) for _, before, rolled in dealt.throws()]
    return [None if hand is None else hand.words for hand in found]


def test_it_is_told_when_the_hand_ends() -> None:
    """A seven on the come-out ends none; the next shooter's hand is counted from its own first."""
    told = ended("3 4", "2 2", "3 3", "3 4", "3 3", "1 6")
    assert told == [None, None, None, "4 rolls: 1 in 1.3", None, "2 rolls: the shortest there is"]


def test_a_machine_has_no_hand() -> None:
    header = "rulebook: new-jersey\ngame: automated-craps"
    assert ended("2 2", "3 4", "2 2", "3 4", header=header) == [None] * 4


def test_a_hand_of_hundreds_is_told_too() -> None:
    told = ended(*["2 2"] * 1001, "3 4")
    assert str(told[-1]).startswith("1,002 rolls: 1 in 10^")


def test_it_is_told_at_the_prompt(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    said = "pass for 10\nroll\n" * 30 + "quit\n"
    ended_ = CliRunner().invoke(cli, ["play", "iowa", "--alone", "--seed", "3"], input=said)
    assert re.search(r"The hand had \d+ rolls: (1 in [\d.]+|the shortest)", ended_.stdout)


def longest_by_hand(rolls: int) -> list[float]:
    """The chances that the longest hand has 1, 2, ... rolls or more, throw by throw."""
    ways = {total: 6 - abs(7 - total) for total in range(2, 13)}
    here = {(0, 0, 0): 1.0}  # the point, the rolls of this hand, those of the longest so far
    for _ in range(rolls):
        after: dict[tuple[int, int, int], float] = {}
        for (point, length, longest), chance in here.items():
            for total, way in ways.items():
                best, then = max(longest, length + 1), (point, length + 1)
                if point and total == 7:
                    then = (0, 0)
                elif point == total or (not point and total in (2, 3, 7, 11, 12)):
                    then = (0, length + 1)
                elif not point:
                    then = (total, length + 1)
                key = (*then, best)
                after[key] = after.get(key, 0.0) + chance * way / 36
        here = after
    return [sum(c for key, c in here.items() if key[2] >= n) for n in range(1, rolls + 2)]


@pytest.mark.parametrize("rolls", [1, 2, 9, 40])
def test_the_longest_hand_in_a_shift(rolls: int) -> None:
    found = solve_shooter_hand("new-jersey").find_longest(rolls)
    assert found is not None
    hand = longest_by_hand(rolls)
    assert found.at_least[: rolls + 1] == pytest.approx(hand, abs=1e-13)
    assert found.mean == pytest.approx(sum(hand), abs=1e-12)
    assert found.reached_in(0.5) == sum(chance >= 0.5 for chance in hand)
    assert f"in {rolls:,} rolls: {found.mean:.2f}" in found.headline()


def test_the_longest_hand_of_a_very_long_shift_is_not_computed() -> None:
    assert solve_shooter_hand("new-jersey").find_longest(10**6) is None
