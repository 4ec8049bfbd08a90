"""``passline simulate``: what it reads, what it prints, how it ends."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result
from msgspec.structs import replace

from passline.cli import simulate as simulate_view
from passline.cli.progress import show_progress
from passline.cli.simulate import command
from passline.lab.simulation import rolls
from passline.lab.simulation.rolls import Chunk, PlayedRolls

pytestmark = pytest.mark.usefixtures("loops_compiled")

NEW_JERSEY = ("--rulebook", "new-jersey")
#: The contract's fields.
FIELDS = {
    "rolls", "net", "mean_per_roll", "sd_per_roll", "exact_mean_per_roll", "states", "seconds",
    "rolls_per_second",
}  # fmt: skip


def simulate(*words: str) -> Result:
    return CliRunner().invoke(command, list(words))


def told(*words: str) -> dict[str, Any]:
    result = simulate(*words, "--json")
    assert (result.exit_code, result.stderr) == (0, "")
    found = json.loads(result.stdout)
    assert isinstance(found, dict)
    return found


@pytest.fixture
def own(tmp_path: Path) -> Callable[[str], str]:
    """A strategy of one's own, by its body."""

    def write(body: str) -> str:
        path = tmp_path / "own.py"
        path.write_text(f"def own(view):\n    {body}\n", "utf-8")
        return f"{path}:own"

    return write


def test_the_contracts_fields_are_there() -> None:
    found = told("pass", *NEW_JERSEY, "--rolls", "1e6", "--seed", "7")
    assert set(found) >= FIELDS
    assert (found["rolls"], type(found["net"])) == (1_000_000, int)
    assert found["mean_per_roll"] == found["net"] / found["rolls"]
    assert Fraction(found["exact_mean_per_roll"]) == Fraction(-7000, 1671)
    assert found["exact_mean_per_roll_float"] == float(Fraction(-7000, 1671))
    off = found["mean_per_roll"] - found["exact_mean_per_roll_float"]
    assert abs(off) < 5 * found["standard_error"]
    assert found["sd_per_roll"] == pytest.approx(found["exact_sd_per_roll"], rel=0.01)
    assert (found["method"], found["closed"], found["interrupted"]) == ("simulated", True, False)
    assert (found["strategy"], found["rulebook"], found["seed"]) == ("pass", "new-jersey", 7)


def test_the_same_seed_gives_the_same_result_on_any_number_of_workers() -> None:
    words = ("pass-odds", *NEW_JERSEY, "--rolls", "4e7", "--seed", "5", "--workers")
    one, two = told(*words, "1"), told(*words, "2")
    assert (one["workers"], two["workers"]) == (1, 2)
    for key in ("rolls", "net", "mean_per_roll", "sd_per_roll", "standard_error"):
        assert one[key] == two[key]


@pytest.mark.parametrize("rolls", ["1e4", "10000", "10_000", "10,000", "1E4", "1.0e4"])
def test_ways_to_write_a_number(rolls: str) -> None:
    assert told("field", *NEW_JERSEY, "--rolls", rolls)["rolls"] == 10_000


def test_without_a_seed_one_is_drawn_and_told() -> None:
    first = told("field", *NEW_JERSEY, "--rolls", "5000")
    again = told("field", *NEW_JERSEY, "--rolls", "5000", "--seed", str(first["seed"]))
    assert first["net"] == again["net"]


def test_elections_and_house_files_change_the_game(tmp_path: Path) -> None:
    words = ("--rolls", "1000", "--seed", "1")
    plain = told("pass-odds", *NEW_JERSEY, *words)
    more = told("pass-odds", *NEW_JERSEY, *words, "-o", "odds.multiple=10")
    assert more["exact_sd_per_roll"] > 2 * plain["exact_sd_per_roll"]
    assert more["elections"] == {"odds.multiple": "10"}
    house = tmp_path / "house.toml"
    house.write_text('rulebook = "new-jersey"\nodds.multiple = 10\n', "utf-8")
    assert told("pass-odds", "--rulebook", str(house), *words)["net"] == more["net"]
    mini = told("pass", *NEW_JERSEY, *words, "--game", "mini-craps")
    assert mini["game"] == "mini-craps"


def test_strategies_are_compared(tmp_path: Path) -> None:
    picture = tmp_path / "both.svg"
    words = ("pass", *NEW_JERSEY, "--rolls", "1000", "--compare", "field", "--seed", "2")
    result = simulate(*words, "--json", "--plot", str(picture))
    assert (result.exit_code, result.stderr) == (0, f"wrote {picture}\n")
    found = json.loads(result.stdout)
    assert [each["strategy"] for each in found["compared"]] == ["field"]
    assert picture.read_text("utf-8").count("<svg") == 1


def test_what_a_person_reads() -> None:
    result = simulate("pass", *NEW_JERSEY, "--rolls", "1e6", "--seed", "7", "--compare", "field")
    assert (result.exit_code, result.stderr) == (0, "")
    first, _, second = result.stdout.partition("\n\n")
    assert first.startswith("pass: 1,000,000 rolls at ")
    assert second.startswith("field: 1,000,000 rolls at ")
    chart = second.partition("\n\n")[2].splitlines()
    assert [line.split()[0] for line in chart[:2]] == ["pass", "field"]
    assert chart[-1].startswith("  cents a roll: ● simulated")
    lines = {line.split("  ")[1]: line for line in first.splitlines()[1:]}
    assert list(lines) == [
        "net", "mean a roll", "exact", "deviation", "speed", "states", "seed",
    ]  # fmt: skip
    assert "-4.1891 cents = -7000/1671" in lines["exact"]
    assert "standard error" in lines["mean a roll"]


def test_too_few_rolls_for_an_error() -> None:
    result = simulate("pass", *NEW_JERSEY, "--rolls", "1")
    assert "too few rolls for an error" in result.stdout
    assert told("pass", *NEW_JERSEY, "--rolls", "1")["standard_error"] is None


def test_a_saved_machine_is_played(tmp_path: Path) -> None:
    from passline.game.house.load import house_for
    from passline.lab.strategy_machine import resolve_machine

    kept = tmp_path / "kept.npz"
    resolve_machine("pass", house_for("iowa", None, ())).save(kept)
    found = told(str(kept), "--rolls", "5000", "--seed", "1")
    assert (
        found["net"] == told("pass", "--rulebook", "iowa", "--rolls", "5000", "--seed", "1")["net"]
    )
    assert found["rulebook"] == "iowa"


GOOD = ("--rolls", "10")


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("pass", *NEW_JERSEY, "--rolls", "0"), "--rolls '0': expected a whole number from 1 to"),
        (("pass", *NEW_JERSEY, "--rolls", "-5"), "--rolls '-5'"),
        (("pass", *NEW_JERSEY, "--rolls", "1e16"), "--rolls '1e16'"),
        (("pass", *NEW_JERSEY, "--rolls", "1e999"), "--rolls '1e999'"),
        (("pass", *NEW_JERSEY, "--rolls", "many"), "--rolls 'many'"),
        (("pass", *NEW_JERSEY, "--rolls", "1.5"), "--rolls '1.5'"),
        (("pass", *NEW_JERSEY, "--rolls", "1,5"), "--rolls '1,5'"),
        (("pass", *NEW_JERSEY, "--rolls", "1,,2"), "--rolls '1,,2'"),
        (("pass", *NEW_JERSEY, "--rolls", "1_00"), "--rolls '1_00'"),
        (("pass", *NEW_JERSEY, "--rolls", "1,000_000"), "--rolls '1,000_000'"),
        (("pass", *NEW_JERSEY, "--rolls", "nan"), "--rolls 'nan'"),
        (("pass", *NEW_JERSEY, *GOOD, "--workers", "0"), "--workers '0'"),
        (("pass", *NEW_JERSEY, *GOOD, "--workers", "-1"), "--workers '-1'"),
        (("pass", *NEW_JERSEY, *GOOD, "--workers", "1e9"), "--workers '1e9'"),
        (("pass", *NEW_JERSEY, *GOOD, "--seed", "-1"), "--seed '-1'"),
        (("pass", *NEW_JERSEY, *GOOD, "--seed", "x"), "--seed 'x'"),
        (("pass", *NEW_JERSEY, *GOOD, "--seed", "0.5"), "--seed '0.5'"),
        (("pass", *NEW_JERSEY, *GOOD, "--memory", "0"), "--memory '0'"),
        (("pass", *NEW_JERSEY, *GOOD, "--workers", "1", "--dask", "a:1"), "use one of them"),
        (("pas", *NEW_JERSEY, *GOOD), "there is no strategy 'pas'"),
        (("pass", "--rulebook", "nevada", *GOOD), "nevada"),
        (("pass", *GOOD), "name a rulebook, such as --rulebook new-jersey"),
        (("none.npz", *GOOD), "there is no saved machine none.npz"),
        (("none.npz", *GOOD, "-o", "odds.multiple=2"), "go with --rulebook"),
        (("none.py:f", *NEW_JERSEY, *GOOD), "none.py"),
        (("dont-pass", "--rulebook", "maryland-crapless", *GOOD), "is refused"),
        (("pass", *NEW_JERSEY, *GOOD, "--plot", "/nowhere/at/all.png"), "--plot"),
        (("pass", *NEW_JERSEY, *GOOD, "--plot", "all.txt"), "--plot"),
    ],
)
def test_bad_input_is_one_clear_line(words: tuple[str, ...], said: str) -> None:
    result = simulate(*words)
    assert (result.exit_code, result.stdout) == (2, "")
    assert said in result.stderr
    assert result.stderr.count("\n") == 1


@pytest.mark.parametrize(
    ("body", "said"),
    [
        ("return 1 / 0", "ZeroDivisionError"),
        ("return ['field for nothing']", "field for nothing"),
        ("return 7", "expected a list of says"),
    ],
)
def test_a_strategy_that_cannot_be_played(own: Callable[[str], str], body: str, said: str) -> None:
    result = simulate(own(body), *NEW_JERSEY, *GOOD)
    assert (result.exit_code, result.stdout) == (2, "")
    assert said in result.stderr
    assert result.stderr.count("\n") == 1


def test_states_without_end_keep_what_was_played(own: Callable[[str], str]) -> None:
    strategy = own("return 'field for 5', (view.memory or 0) + 1")
    result = simulate(strategy, *NEW_JERSEY, "--rolls", "1e6", "--memory", "1", "--json")
    assert result.exit_code == 2
    found = json.loads(result.stdout)
    assert 0 < found["rolls"] < 10**6
    assert (found["interrupted"], found["closed"], found["exact_mean_per_roll"]) == (
        True,
        False,
        None,
    )
    assert "never stops reaching new states" in result.stderr
    assert f"{found['rolls']:,} of 1,000,000 rolls" in result.stderr
    assert result.stderr.count("\n") == 1


@pytest.mark.system
def test_ctrl_c_keeps_what_was_played() -> None:
    """A real signal while chunks are played, in a run that would take hours."""
    script = """
import os, signal, sys
from passline.cli.main import main
from passline.lab.simulation import rolls
rolls.MIN_CHUNK_ROLLS = rolls.MAX_CHUNK_ROLLS = 2**14
play_chunk = rolls.play_chunk
def play(job, chunk):
    if chunk.number == 20:
        os.kill(os.getpid(), signal.SIGINT)
    return play_chunk(job, chunk)
rolls.play_chunk = play
sys.argv = "passline simulate pass --rulebook new-jersey --rolls 1e13 --seed 1 --json".split()
main()
"""
    ran = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True)
    assert ran.returncode == 2, ran.stderr
    found = json.loads(ran.stdout)
    assert found["interrupted"]
    assert 15 * 2**14 < found["rolls"] < 10**12
    assert found["exact_mean_per_roll"] == "-7000/1671"
    assert "interrupted; shown is what was done" in ran.stderr


@pytest.mark.parametrize("what", ["raised", "at once"])
def test_ctrl_c_before_the_first_roll(monkeypatch: pytest.MonkeyPatch, what: str) -> None:
    """The second strategy is interrupted with nothing played: the first is shown."""
    from passline.lab import simulate as simulations

    real = simulations.simulate

    def cut(machine: Any, rolls: int, **named: Any) -> Any:
        found = real(machine, rolls, **named)
        if found.about.strategy == "pass":
            return found
        if what == "raised":
            raise KeyboardInterrupt
        return replace(found, rolls=0, interrupted=True)

    monkeypatch.setattr(simulations, "simulate", cut)
    result = simulate("pass", *NEW_JERSEY, *GOOD, "--compare", "field", "--json")
    assert result.exit_code == 2
    assert json.loads(result.stdout)["strategy"] == "pass"
    assert "interrupted: nothing of field was played" in result.stderr
    result = simulate("field", *NEW_JERSEY, *GOOD)
    assert (result.exit_code, result.stdout) == (2, "")


def test_ctrl_c_while_exploring(monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("passline.lab.strategy_machine.resolve_machine", interrupted)
    result = simulate("pass", *NEW_JERSEY, *GOOD)
    assert (result.exit_code, result.stdout) == (2, "")
    assert "no roll was played" in result.stderr


def test_a_cluster_that_fails_is_one_clear_line(monkeypatch: pytest.MonkeyPatch) -> None:
    from concurrent.futures import ThreadPoolExecutor
    from contextlib import nullcontext

    from passline.lab.simulation.workers import Workers

    def fails(job: Any, chunk: Chunk) -> Chunk:
        raise ModuleNotFoundError("No module named 'passline'")

    monkeypatch.setattr(rolls, "play_chunk", fails)
    with ThreadPoolExecutor(1) as threads:
        hands = nullcontext(Workers(threads, 1, "the cluster"))
        monkeypatch.setattr(
            "passline.lab.simulation.workers.open_dask_workers", lambda address: hands
        )
        result = simulate("pass", *NEW_JERSEY, *GOOD, "--dask", "127.0.0.1:8786")
    assert (result.exit_code, result.stdout) == (2, "")
    assert "the cluster failed: ModuleNotFoundError" in result.stderr
    assert result.stderr.endswith("nothing of pass was played\n")
    assert result.stderr.count("\n") == 1


def test_a_cluster_that_fails_late_does_not_lose_the_first(monkeypatch: pytest.MonkeyPatch) -> None:
    from concurrent.futures import ThreadPoolExecutor
    from contextlib import nullcontext

    from passline.lab.simulation.workers import Workers

    real: Any = vars(rolls)["play_chunk"]
    played_: list[Chunk] = []

    def fails(job: Any, chunk: Chunk) -> Chunk:
        played_.append(chunk)
        if len(played_) > 1:
            raise OSError("the scheduler is gone")
        found: Chunk = real(job, chunk)
        return found

    monkeypatch.setattr(rolls, "play_chunk", fails)
    with ThreadPoolExecutor(1) as threads:
        hands = nullcontext(Workers(threads, 1, "the cluster"))
        monkeypatch.setattr(
            "passline.lab.simulation.workers.open_dask_workers", lambda address: hands
        )
        words = ("pass", *NEW_JERSEY, *GOOD, "--compare", "field", "--json")
        result = simulate(*words, "--dask", "127.0.0.1:8786")
    assert result.exit_code == 2
    assert json.loads(result.stdout)["strategy"] == "pass"
    assert "the cluster failed: OSError: the scheduler is gone" in result.stderr


def played(error: float | None) -> PlayedRolls:
    return PlayedRolls(
        rolls=1000, net=-5000, mean_per_roll=-5.0, sd_per_roll=500.0, standard_error=error,
        seconds=0.5, seed=1, workers=1, rolls_per_lookup=2,
    )  # fmt: skip


def test_the_bar_shows_the_running_estimate_and_its_error() -> None:
    assert simulate_view.estimate_words(played(0.25)) == "-5.000 ± 0.250 cents a roll, 0 M rolls/s"
    assert simulate_view.estimate_words(played(None)) == "-5.000 cents a roll, 0 M rolls/s"


def test_the_bar_is_for_terminals(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert simulate_view.watch_rolls(None, 1000) is None
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    monkeypatch.setenv("TERM", "xterm")
    with show_progress("pass") as bar:
        watch = simulate_view.watch_rolls(bar, 1000)
        assert watch is not None
        watch(played(0.25))
    assert capsys.readouterr().out == ""


def test_a_machine_that_is_not_closed_says_so(own: Callable[[str], str]) -> None:
    strategy = own("return 'field for 5', (view.memory or 0) + 1")
    result = simulate(strategy, *NEW_JERSEY, "--rolls", "50", "--memory", "1")
    assert result.exit_code == 0
    assert "not computed: not all its states are known" in result.stdout
    assert " so far" in result.stdout


def test_a_machine_of_another_version_is_noted(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    from passline.game.house.load import house_for
    from passline.lab.strategy_machine import resolve_machine

    kept = tmp_path / "kept.npz"
    resolve_machine("pass", house_for("iowa", None, ())).save(kept)
    monkeypatch.setattr("passline.lab.machines.machine.VERSION", "9.9")
    result = simulate(str(kept), *GOOD, "--json")
    assert result.exit_code == 0
    assert result.stderr.startswith("note: ")
    assert json.loads(result.stdout)["rolls"] == 10


def test_a_picture_that_fails_late_is_one_clear_line(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    from passline.lab.charts.figure_file import ChartError

    def full(path: object, found: object, title: str) -> None:
        raise ChartError("it.svg cannot be written: No space left on device")

    monkeypatch.setattr("passline.lab.charts.simulation.save_simulation", full)
    result = simulate("pass", *NEW_JERSEY, *GOOD, "--plot", str(tmp_path / "it.svg"))
    assert result.exit_code == 2
    assert result.stdout.startswith("pass: 10 rolls")
    assert result.stderr.count("\n") == 1


def lost_midway(*words: str) -> Result:
    """The command on a cluster that is lost after the third chunk of small ones."""
    from concurrent.futures import CancelledError, Future, ThreadPoolExecutor
    from contextlib import nullcontext

    from passline.lab.simulation.workers import Workers

    class Losing(ThreadPoolExecutor):
        left = 3

        def submit(self, *given: Any, **named: Any) -> Future[Any]:
            self.left -= 1
            if self.left >= 0:
                return super().submit(*given, **named)
            lost: Future[Any] = Future()
            lost.set_exception(CancelledError())
            return lost

    with pytest.MonkeyPatch.context() as patch, Losing(1) as threads:
        patch.setattr("passline.lab.simulation.rolls.MIN_CHUNK_ROLLS", 2**14)
        patch.setattr("passline.lab.simulation.rolls.MAX_CHUNK_ROLLS", 2**14)
        hands = nullcontext(Workers(threads, 1, "the cluster"))
        patch.setattr("passline.lab.simulation.workers.open_dask_workers", lambda address: hands)
        return simulate(*words, "--dask", "127.0.0.1:8786")


def test_a_cluster_that_is_lost_midway_keeps_what_was_played() -> None:
    result = lost_midway("pass", *NEW_JERSEY, "--rolls", "1e9", "--seed", "1", "--json")
    assert result.exit_code == 2
    found = json.loads(result.stdout)
    # The third chunk may still be at work when the loss is noticed.
    assert found["interrupted"]
    assert found["rolls"] // 2**14 in (2, 3)
    assert found["reason"].startswith("the cluster failed: CancelledError: ")
    assert found["standard_error"] > 0  # it ended by no doing of the rolls
    assert "--dask: the cluster failed: CancelledError: it stopped" in result.stderr
    assert f"shown is what was done, {found['rolls']:,} of" in result.stderr
    assert result.stderr.count("\n") == 1


def test_a_growing_machine_is_played_on_a_cluster_too(own: Callable[[str], str]) -> None:
    """One that is lost midway, in a run that ends at the ceiling of its machine: said as it is."""
    words = (own("return 'field for 5', (view.memory or 0) + 1"), *NEW_JERSEY, "--rolls", "4000")
    result = lost_midway(*words, "--memory", "1", "--seed", "3", "--json")
    assert result.exit_code == 2
    assert "--dask: " in result.stderr
    assert result.stderr.count("\n") == 1


def test_exploring_is_told_beside_the_seconds_of_the_play(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    import time

    from passline.lab import strategy_machine

    real = strategy_machine.resolve_machine

    def slow(*given: Any) -> Any:
        time.sleep(0.6)
        return real(*given)

    monkeypatch.setattr(strategy_machine, "resolve_machine", slow)
    found = told("field", *NEW_JERSEY, *GOOD)
    assert found["exploring_seconds"] >= 0.6 > found["seconds"]
    shown = simulate("field", *NEW_JERSEY, *GOOD).stdout
    assert re.search(r"states +\d+, explored in \d\.\d\d s before the play\n", shown)


def test_a_ceiling_on_a_saved_machine_is_noted(tmp_path: Path) -> None:
    from passline.game.house.load import house_for
    from passline.lab.strategy_machine import resolve_machine

    kept = str(tmp_path / "kept.npz")
    resolve_machine("pass", house_for("iowa", None, ())).save(kept)
    result = simulate(kept, *GOOD, "--memory", "5")
    assert (result.exit_code, result.stderr.count("\n")) == (0, 1)
    assert result.stderr.startswith("note: --memory has no effect: a saved machine")
    beside = ("--rulebook", "iowa", "--compare", "pass")
    assert simulate(kept, *GOOD, *beside, "--memory", "5").stderr == ""


def test_the_picture_says_where_and_is_there_before_anything_is_printed(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    picture = tmp_path / "it.svg"

    def gone(found: object) -> None:
        raise BrokenPipeError

    monkeypatch.setattr(simulate_view, "simulation_lines", gone)
    simulate("pass", *NEW_JERSEY, *GOOD, "--compare", "field", "--plot", str(picture))
    drawn = picture.read_text("utf-8")
    assert "<!-- new-jersey craps at New Jersey regulation 19:47-1: pass, field -->" in drawn
    assert "simulated, 10 rolls each; " in drawn


def test_ctrl_c_while_the_picture_is_drawn_still_shows_the_result(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    def interrupted(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("passline.lab.charts.simulation.save_simulation", interrupted)
    result = simulate("pass", *NEW_JERSEY, *GOOD, "--plot", str(tmp_path / "it.svg"))
    assert (result.exit_code, result.stdout[:14]) == (2, "pass: 10 rolls")
    assert "interrupted while the picture was drawn" in result.stderr
