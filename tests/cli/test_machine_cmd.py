"""``passline machine``: what it prints, what it saves, and what it says of bad input."""

from __future__ import annotations

import json
import math
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from click.testing import CliRunner, Result

from passline.cli import machine
from passline.cli.machine import command
from passline.version import VERSION


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def run(*args: str) -> Result:
    return CliRunner().invoke(command, args, prog_name="passline machine")


def asked(*args: str) -> dict[str, Any]:
    result = run(*args, "--json")
    assert result.exit_code == 0, result.output
    found: dict[str, Any] = json.loads(result.stdout)
    return found


def refused(*args: str) -> str:
    result = run(*args)
    assert result.exit_code == 2
    lines = result.stderr.splitlines()
    assert len(lines) == 1
    assert lines[0].startswith("passline machine: ")
    return lines[0].removeprefix("passline machine: ")


def by_hand() -> float:
    """The deviation of a roll of $10 on pass with double odds, from the textbook's chances.

    A cycle of 557/165 rolls ends at the come-out (12 of 36, $10 either way) or at a point, which
    is made for 50, 40 or 34 dollars, or lost for 30.
    """
    squares = Fraction(12, 36) * 10**2
    third, fifths, elevenths = Fraction(1, 3), Fraction(2, 5), Fraction(5, 11)
    for ways, made, won in ((6, third, 50), (8, fifths, 40), (10, elevenths, 34)):
        squares += Fraction(ways, 36) * (made * won**2 + (1 - made) * 30**2)
    mean = Fraction(-7000, 1671) / 100
    return 100 * math.sqrt(squares / Fraction(557, 165) - mean**2)


def test_for_scripts() -> None:
    found = asked("pass-odds", "--rulebook", "new-jersey", "-o", "odds.multiple=2")
    assert found.pop("sd_per_roll") == pytest.approx(by_hand(), rel=1e-12)
    assert found.pop("mean_per_roll") == pytest.approx(-7000 / 1671)
    assert found.pop("needed") == pytest.approx(float(Fraction(found.pop("exact_needed"))))
    assert found.pop("sd_rate") == pytest.approx(1555.129)  # under sd: a win is not followed by one
    assert found == {
        "rulebook": "new-jersey",
        "game": "craps",
        "house": "New Jersey regulation 19:47-1",
        "elections": {"odds.multiple": "2"},
        "strategy": "pass-odds",
        "version": VERSION,
        "states": 13,
        "explored": 13,
        "closed": True,
        "lumped": 4,
        "exact_mean_per_roll": "-7000/1671",
        "classes": 1,
    }


def test_for_people() -> None:
    result = run("pass", "--rulebook", "new-jersey")
    assert result.exit_code == 0
    assert result.stdout.splitlines() == [
        "pass at New Jersey regulation 19:47-1 (new-jersey, craps), made by passline " + VERSION,
        "  states         7, of 4 kinds in money and chance",
        "  closed         yes",
        "  mean a roll    -4.1891 cents, exactly -7000/1671",
        "  sd of a roll   $5.44",
        "  volatility     $5.43 per square root of rolls, in the long run",
        "  needed         $10.00 on average, to cover its bets",
        "  of that        -0.4189% a roll",
    ]


def test_a_strategy_that_settles_down_in_two_ways(tmp_path: Path) -> None:
    """The field once: won, for ever (16 times in 36); lost, never again."""
    own = tmp_path / "own.py"
    own.write_text(
        "def own(view):\n"
        "    on = view.memory\n"
        "    if on is None and view.settled:\n"
        "        on = view.settled[0].result == 'win'\n"
        "    return ([] if on is False else ['field for 10']), on\n",
        "utf-8",
    )
    found = asked(f"{own}:own", "--rulebook", "new-jersey")
    assert found["exact_mean_per_roll"] == str(Fraction(16, 36) * Fraction(-1000, 18))
    assert found["classes"] == 2
    shown = run(f"{own}:own", "--rulebook", "new-jersey").stdout
    assert "  settles down   in 2 ways that it never leaves: the figures weigh each by its" in shown


def test_a_machine_that_is_not_closed() -> None:
    found = asked("come-odds", "--rulebook", "iowa", "--limit", "100")
    assert (found["closed"], found["lumped"], found["exact_mean_per_roll"]) == (False, None, None)
    assert found["explored"] < found["states"]
    shown = run("come-odds", "--rulebook", "iowa", "--limit", "100").stdout
    assert "closed         no: it has more states than --limit allows" in shown


def test_saving_and_reading_again() -> None:
    result = run("field", "--rulebook", "iowa", "--game", "craps", "--save", "it.npz", "--json")
    assert result.exit_code == 0
    assert result.stderr == "wrote it.npz\n"
    assert asked("it.npz") == json.loads(result.stdout)


def test_a_machine_of_another_version_is_noted() -> None:
    run("field", "--rulebook", "iowa", "--save", "it.npz")
    with np.load("it.npz") as found:
        parts: dict[str, Any] = {name: found[name] for name in found.files}
    about = json.loads(parts["about"].tobytes()) | {"version": "0.0.1"}
    parts["about"] = np.frombuffer(json.dumps(about).encode(), np.uint8)
    np.savez("it.npz", **parts)
    result = run("it.npz", "--json")
    assert result.exit_code == 0
    assert result.stderr.startswith("note: it.npz was made by passline 0.0.1, but this is ")
    assert json.loads(result.stdout)["version"] == "0.0.1"


def test_a_users_own_strategy() -> None:
    Path("own.py").write_text('def flat(view):\n    return "field for 5" \n', "utf-8")
    found = asked("own.py:flat", "--rulebook", "new-jersey")
    assert (found["strategy"], found["lumped"]) == ("own.py:flat", 1)
    assert found["exact_mean_per_roll"] == "-250/9"


def test_nothing_on_the_layout_is_no_division() -> None:
    Path("own.py").write_text("def none(view):\n    return None\n", "utf-8")
    assert "of that        +0.0000% a roll" in run("own.py", "--rulebook", "iowa").stdout


def test_a_long_fraction_is_cut_and_a_large_chain_left(monkeypatch: pytest.MonkeyPatch) -> None:
    fire = ("fire-and-pass", "--rulebook", "new-jersey", "-o", "offers.fire=A")
    shown = run(*fire).stdout
    assert "characters; see --json)" in shown
    monkeypatch.setattr("passline.lab.machines.chain.MAX_SOLVED_STATES", 100)
    monkeypatch.setattr("passline.lab.machine_report.MAX_SOLVED_STATES", 100)
    assert "exact          not computed: over 100 states are too many" in run(*fire).stdout
    assert asked(*fire)["exact_mean_per_roll"] is None


def test_states_are_counted_on_a_terminal(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    from passline.game.house.load import house_for

    monkeypatch.setattr("sys.stderr.isatty", lambda: True, raising=False)
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setattr("rich.console.Console.is_terminal", True)
    machine.explore_strategy(house_for("iowa"), "come-odds")
    told = capsys.readouterr()
    assert told.out == ""
    assert " states" in told.err


@pytest.mark.parametrize(
    ("args", "said"),
    [
        (("pass",), "name a rulebook, such as --rulebook new-jersey"),
        (("pas", "--rulebook", "iowa"), "there is no strategy 'pas': did you mean pass"),
        (("pass", "--rulebook", "ohio"), "there is no rulebook 'ohio'"),
        (("pass", "--rulebook", "iowa", "--game", "poker"), "game = poker is not allowed"),
        (("no.py:f", "--rulebook", "iowa"), "there is no strategy file no.py"),
        (("no.npz",), "there is no saved machine no.npz"),
        (
            ("no.npz", "--rulebook", "iowa"),
            "no.npz is a saved machine: it has its own rules and states",
        ),
        (("dont-pass", "--rulebook", "maryland-crapless"), "dont-pass: the strategy asked for"),
        (("small-tall-all", "--rulebook", "maryland-crapless"), "as with -o offers.bonus=A"),
        (("pass", "--rulebook", "iowa", "-o", "limits.max=5"), "pass line takes at most $5"),
    ],
)
def test_bad_input_is_one_line_and_exit_2(args: tuple[str, ...], said: str) -> None:
    assert said in refused(*args)


def test_a_file_that_is_no_machine() -> None:
    Path("bad.npz").write_bytes(b"PK not really")
    assert "bad.npz cannot be used: it is not a saved machine" in refused("bad.npz")


def test_what_was_found_is_shown_before_saving_fails() -> None:
    result = run("come-odds", "--limit=9", "--save=it", "--rulebook", "iowa")
    assert result.exit_code == 2
    assert "states" in result.stdout
    assert len(result.stderr.splitlines()) == 1
    assert not Path("it").exists()


def test_where_nothing_can_be_saved_nothing_is_worked_out() -> None:
    assert "no/such" in refused("field", "--save", "no/such/it.npz", "--rulebook", "iowa")


def test_a_strategy_without_end_meets_the_memory_it_was_given() -> None:
    Path("own.py").write_text("def n(view):\n    return [], (view.memory or 0) + 1\n", "utf-8")
    said = refused("own.py", "--rulebook", "iowa", "--memory", "1", "--limit", "1000000")
    assert said.startswith("own.py:n: more than ")
    assert "1 MB hold: either it never stops reaching new states" in said
    assert said.endswith("or it needs more memory (memory=, or --memory)")


@pytest.mark.parametrize("given", ["0", "-5", "many"])
def test_absurd_sizes(given: str) -> None:
    for option in ("--limit", "--memory"):
        result = run("pass", "--rulebook", "iowa", option, given)
        assert result.exit_code == 2
        assert f"{option} '{given}': expected a whole number from 1 to" in result.stderr


def test_help_ends_with_an_example_that_works() -> None:
    example = run("--help").stdout.strip().splitlines()[-1].split()
    assert example[:2] == ["passline", "machine"]
    assert run(*example[2:]).exit_code == 0
