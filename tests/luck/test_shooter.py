"""What a hand gathers, in one and in a shift, against the auditor's own count."""

from __future__ import annotations

import json
from fractions import Fraction
from itertools import product

import pytest
from click.testing import CliRunner

from passline.cli.main import cli
from passline.game.dice.dice import parse_dice
from passline.lab.luck.shooter_hand import solve_shooter_hand
from tests.auditor.figures import BOOKS
from tests.auditor.hands import all_before_seven, all_points, decisions

SIX = (4, 5, 6, 8, 9, 10)


@pytest.mark.parametrize("book", [book for book in BOOKS if "crapless" not in book])
def test_points_and_decisions_as_the_auditor_counts_them(book: str) -> None:
    length = solve_shooter_hand(book).length
    assert list(length.different_points()) == all_points(SIX)
    assert list(length.decisions(5)) == [decisions(n, SIX) for n in range(1, 6)]
    assert sum(length.different_points((4, 10))) == 1


def test_what_wagers_and_promotions_ask_for() -> None:
    fire = {each.least: each.chance for each in solve_shooter_hand("new-jersey").collect_chances}
    found = all_points(SIX)
    assert fire == {4: sum(found[4:]), 5: sum(found[5:]), 6: found[6]}
    (shootout,) = solve_shooter_hand("iowa").collect_chances
    assert (shootout.name, shootout.chance) == ("shootout", found[6])
    bonus = {
        each.name: each.chance for each in solve_shooter_hand("maryland-crapless").collect_chances
    }
    assert bonus["all-small"] == bonus["all-tall"] == all_before_seven((2, 3, 4, 5, 6))
    assert round(float(1 / bonus["make-them-all"]), 1) == 190.2  # as published


def test_a_shift_by_hand() -> None:
    """Two different points, as small a case as there is, in four rolls of every kind."""
    pytest.importorskip("numpy")
    from passline.lab.exact.longest_hand import find_chances_by_roll

    hand = solve_shooter_hand("new-jersey")
    found = find_chances_by_roll(hand.length.ways, "points-made", SIX, 2, 4)
    wins = 0
    for rolls in product(range(2, 13), repeat=4):
        weight, puck, made, done = 1, 0, set[int](), False
        for total in rolls:
            weight *= 6 - abs(7 - total)
            if puck and total == puck:
                made.add(total)
            if puck and total == 7:
                made = set()
            puck = 0 if puck and total in (puck, 7) else puck or (total if total in SIX else 0)
            done = done or len(made) == 2
        wins += weight * done
    assert found[-1] == pytest.approx(wins / 36**4, rel=1e-12)
    assert found[:4].tolist() == [0, 0, 0, 0]
    small = find_chances_by_roll(hand.length.ways, "totals-thrown", (2, 3), 2, 2)
    assert small[-1] == pytest.approx(4 / 36**2)  # before any seven: 2 and 3, in either order


def test_other_dice() -> None:
    """With fewer sevens a hand is longer: by hand, with every point as likely as it comes."""
    rare = solve_shooter_hand("new-jersey", parse_dice("sevens=1/7")).length
    seven, other = Fraction(1, 7), {t: Fraction(6, 7) * (6 - abs(7 - t)) / 30 for t in SIX}
    loses = sum(chance * seven / (chance + seven) for chance in other.values())
    each = 1 + sum(chance / (chance + seven) for chance in other.values())
    assert rare.mean_rolls == each / loses
    assert solve_shooter_hand(
        "new-jersey", parse_dice("1,1,1,1,1,1")
    ).length.mean_rolls == Fraction(1671, 196)


def run(*args: str) -> dict[str, object]:
    ended = CliRunner().invoke(cli, ["hand", *args, "--json"])
    assert ended.exit_code == 0, ended.stderr
    found = json.loads(ended.stdout)
    assert isinstance(found, dict)
    return found


def test_the_command() -> None:
    found = run("iowa", "--hours", "8")
    assert found["mean_rolls"] == "1671/196"
    survival = found["survival"]
    assert isinstance(survival, dict)
    assert list(survival) == ["10", "20", "50", "100", "154", "200"]
    assert 1 / survival["154"] == pytest.approx(5_590_264_071.83)
    rolls = found["rolls"]
    assert isinstance(rolls, list)
    assert len(rolls) == 200
    assert sum(rolls[9:]) == pytest.approx(survival["10"] - survival["200"], abs=1e-5)
    assert found["shift_rolls"] == 800
    gathered = found["gathered"]
    assert isinstance(gathered, list)
    (shootout,) = gathered
    # About one in 6,156 hands, and some 94 hands of 8.53 rolls each.
    assert shootout["in_shift"] == pytest.approx(800 / 8.5255 * shootout["chance_float"], rel=0.05)


def test_for_people_and_what_is_refused() -> None:
    shown = CliRunner().invoke(cli, ["hand", "--dice", "sevens=1/7", "--rolls", "50"])
    assert shown.exit_code == 0
    assert "a seven 14.2857% of the time" in shown.stdout
    for args, why in (
        (("new-jersey", "--game", "automated-craps"), "no shooter"),
        (("iowa", "--dice", "sevens=0"), "between 0 and 1"),
        (("iowa", "--dice", "1,2,3"), "3 weights"),
        (("iowa", "--dice", "loaded"), "no number"),
        (("iowa", "--hours", "8", "--rolls", "5"), "use one of them"),
    ):
        ended = CliRunner().invoke(cli, ["hand", *args])
        assert (ended.exit_code, ended.stdout) == (2, "")
        assert why in ended.stderr
