"""``passline session``: what people and programs see of a session."""

from __future__ import annotations

import json
import shlex
import subprocess
import sys
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from passline.cli import session as session_cmd
from passline.cli.progress import show_progress, watch_states
from passline.game.dice.dice import FAIR
from passline.game.house.load import house_for
from passline.lab import run_session as library
from passline.lab.exact import solve_session as exact_sessions
from passline.lab.machines.machine import Machine
from passline.lab.sessions.plan_and_result import Plan
from passline.lab.strategies.built_in import BUILT_IN
from passline.lab.strategy_machine import make_machine

pytestmark = pytest.mark.usefixtures("loops_compiled")

AT = "--rulebook new-jersey"


def session(words: str) -> Result:
    return CliRunner().invoke(session_cmd.command, shlex.split(words))


def found(words: str) -> dict[str, Any]:
    ran = session(f"{words} --json")
    assert (ran.exit_code, ran.stderr) == (0, "")
    answer = json.loads(ran.stdout)
    assert isinstance(answer, dict)
    return answer


def refused(words: str) -> str:
    ran = session(words)
    assert ran.exit_code == 2
    assert ran.stdout == ""
    assert ran.stderr.count("\n") == 1
    return ran.stderr


def test_json_of_an_exact_session() -> None:
    answer = found(f"pass {AT} --bankroll 20 --rolls 3 --stop-win 10 --exact")
    seconds = answer.pop("seconds")
    assert seconds > 0
    assert answer == {
        "strategy": "pass",
        "rulebook": "new-jersey",
        "game": "craps",
        "elections": {},
        "bankroll": "20.00",
        "rolls_planned": 3,
        "stop_win": "10.00",
        "stop_loss": None,
        "method": "exact",
        "arithmetic": "fractions",
        "open": "played",
        "when_short": "stop",
        "mean": "19.82",
        "mean_exact": "158966/8019",
        "mean_float": 158966 / 8019,
        "sd": "11.19",
        "sd_float": pytest.approx(11.19324674181077),
        "ruin": "1/27",
        "ruin_float": pytest.approx(1 / 27),
        "goal": "2099/5832",
        "goal_float": pytest.approx(2099 / 5832),
        "stopped": "0",
        "stopped_float": 0.0,
        "short": "0",
        "short_float": 0.0,
        "broke": "1/27",
        "broke_float": pytest.approx(1 / 27),
        "ever_short": "1/27",
        "ever_short_float": pytest.approx(1 / 27),
        "rolls": "799/324",
        "rolls_float": pytest.approx(799 / 324),
        "quantiles": {"5": "0.00", "25": "10.00", "50": "30.00", "75": "30.00", "95": "30.00"},
        "interrupted": False,
        "states": 7,
    }


def test_json_of_a_sampled_session() -> None:
    words = f"field {AT} --bankroll $100 --rolls 1e2 --trials 2,000 --seed 5 --workers"
    answer, again = found(f"{words} 1"), found(f"{words} 2")
    assert answer["method"] == "simulated"
    assert (answer["trials"], answer["seed"]) == (2000, 5)
    of_ruin = {"short", "broke", "ever_short"}
    assert set(answer["standard_errors"]) == {"mean", "ruin", "goal", "stopped", "rolls"} | of_ruin
    assert answer["standard_errors"]["mean"] == pytest.approx(answer["sd_float"] / 1999**0.5)
    assert answer["standard_errors"]["goal"] is None  # 0 of 2,000: there is no goal
    assert float(answer["lowest_mean"]) < 100 < float(answer["highest_mean"])
    assert (answer["under_way"], answer["reason"]) == (0, None)
    assert Fraction(answer["ruin"]) * 2000 == round(answer["ruin_float"] * 2000) > 0
    for one in (answer, again):
        del one["seconds"]
    assert answer == again


def test_doubles_are_decimal_strings() -> None:
    words = f"pass-odds {AT} --bankroll 100 --rolls 60 --exact"
    doubles, fractions = found(f"{words} --doubles"), found(f"{words} --fractions")
    assert (doubles["arithmetic"], fractions["arithmetic"]) == ("doubles", "fractions")
    assert doubles["mean_exact"] is None  # it is not exact
    assert doubles["mean_float"] == pytest.approx(float(Fraction(fractions["mean_exact"])))
    for key in ("ruin", "goal", "stopped", "rolls"):
        assert "/" not in doubles[key]
        assert float(Fraction(doubles[key])) == pytest.approx(float(Fraction(fractions[key])))
    assert doubles["quantiles"] == fractions["quantiles"]
    assert doubles["mean"] == fractions["mean"]


def test_the_whole_distribution() -> None:
    answer = found(f"pass-odds {AT} --bankroll 60 --rolls 8 --exact --distribution")
    chances = [Fraction(each["chance"]) for each in answer["distribution"]]
    worths = [Fraction(each["worth"]) for each in answer["distribution"]]
    assert sum(chances) == 1
    assert worths == sorted(worths)
    mean = sum(worth * chance for worth, chance in zip(worths, chances, strict=True))
    assert mean == Fraction(answer["mean_exact"])
    assert [band["roll"] for band in answer["fan"]] == list(range(9))
    assert answer["fan"][-1]["quantiles"] == answer["quantiles"]
    shown = session(f"pass-odds {AT} --bankroll 60 --rolls 8 --exact --distribution").stdout
    assert f"{'final':>14}  {'chance':>12}" in shown
    assert "100.0000%" in shown


def test_fractions_longer_than_python_prints_by_itself() -> None:
    digits = sys.get_int_max_str_digits()
    sys.set_int_max_str_digits(640)  # the least that can be set; 4,300 unless told
    try:
        answer = found(f"field {AT} --bankroll 100 --rolls 900 --stop-win 20 --exact")
        assert sys.get_int_max_str_digits() == 640
    finally:
        sys.set_int_max_str_digits(digits)
    assert answer["arithmetic"] == "fractions"
    assert len(answer["goal"]) > 2 * 640


def test_several_strategies() -> None:
    words = f"pass {AT} --bankroll 100 --rolls 30 --exact --stop-loss 50 --compare field"
    answer = found(f"{words} --compare pass-odds -o odds.multiple=2")
    assert answer["strategy"] == "pass"
    assert answer["elections"] == {"odds.multiple": "2"}
    assert [each["strategy"] for each in answer["compared"]] == ["field", "pass-odds"]
    assert set(answer["compared"][0]) == set(answer) - {"compared"}
    shown = session(words).stdout.splitlines()
    assert shown[0].startswith("2 strategies at ")
    assert shown[1].split() == [
        *("strategy", "mean", "sd", "ruin", "stopped", "rolls", "5%", "median", "95%")
    ]
    assert [line.split()[0] for line in shown[2:4]] == ["pass", "field"]
    assert shown[-1].startswith("field: exact, in fractions: ")


def test_for_people() -> None:
    words = f"pass-odds {AT} --bankroll 200 --rolls 100 --stop-win 100 --stop-loss 100 --exact"
    lines = session(words).stdout.splitlines()
    assert lines[0] == (
        "pass-odds at New Jersey regulation 19:47-1 (new-jersey): 100 rolls from $200, "
        "leaving at $300 or $100"
    )
    assert [line.split()[0] for line in lines[1:7]] == [
        *("mean", "ruin", "goal", "stopped", "rolls", "final")
    ]
    assert lines[-1].startswith("exact, in fractions: 13 states, ")
    assert any("each bar" in line for line in lines)


def test_sampled_for_people() -> None:
    shown = session(f"pass {AT} --bankroll 100 --rolls 1 --trials 1000 --seed 3").stdout
    assert shown.startswith("pass at New Jersey regulation 19:47-1 (new-jersey): 1 roll from $100")
    assert "±" in shown
    assert "simulated: 1,000 sessions sampled, seed 3" in shown


def test_a_users_own_strategy(tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text("def mine(view):\n    return 'field for 7'\n")
    answer = found(f"{tmp_path}/mine.py:mine {AT} --bankroll 7 --rolls 1 --exact")
    assert answer["strategy"] == "mine.py:mine"
    assert answer["ruin"] == "5/9"


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("--bankroll 0 --rolls 5", "--bankroll '0' is nothing"),
        ("--bankroll -5 --rolls 5", "--bankroll '-5' is not a valid amount"),
        ("--bankroll much --rolls 5", "--bankroll 'much' is not a valid amount"),
        ("--bankroll 2000000000 --rolls 5", "--bankroll 2000000000: expected $1,000,000,000"),
        ("--bankroll 50 --rolls 0", "--rolls '0': expected a whole number from 1"),
        ("--bankroll 50 --rolls -3", "--rolls '-3': expected a whole number"),
        ("--bankroll 50 --rolls 2.5", "--rolls '2.5': expected a whole number"),
        ("--bankroll 50 --rolls 1e99", "--rolls '1e99': expected a whole number"),
        ("--bankroll 50 --rolls 5 --trials 0", "--trials '0': expected"),
        ("--bankroll 50 --rolls 5 --workers 0", "--workers '0': expected"),
        ("--bankroll 50 --rolls 5 --seed x", "--seed 'x': expected"),
        ("--bankroll 50 --rolls 5 --memory 0", "--memory '0': expected"),
        ("--bankroll 50 --rolls 5 --stop-win 0", "--stop-win '0' is nothing"),
        ("--bankroll 50 --rolls 5 --stop-loss -1", "--stop-loss '-1' is not a valid amount"),
        ("--bankroll 50 --rolls 5 --exact --trials 9", "use --exact or --trials, not both"),
        ("--bankroll 50 --rolls 5 --doubles", "--doubles is a way to compute"),
        ("--bankroll 50 --rolls 5 --compare nobody", "there is no strategy 'nobody'"),
        ("--bankroll 50 --rolls 5 --game poker", "game = poker is not allowed"),
        ("--bankroll 50 --rolls 5 -o odds.multiple=999", "odds.multiple = 999 is not allowed"),
        ("--bankroll 50 --rolls 5 --plot here.gif", "ending in .png or .svg"),
        ("--bankroll 50 --rolls 5 --plot /no/where.png", "--plot /no/where.png cannot be written"),
        ("--bankroll 50 --rolls 5 --plot a.png" + " --compare pass" * 6, "1 to 6 strategies"),
        (
            "--bankroll 50 --rolls 1e10 --exact",
            "days: ask for fewer rolls, or sample it (--trials)",
        ),
        ("--bankroll 50 --rolls 900 --exact --fractions --memory 1", "over the 1 MB allowed"),
    ],
)
def test_bad_input(words: str, said: str) -> None:
    assert said in refused(f"pass-odds {AT} {words}")


def test_a_strategy_that_is_refused(tmp_path: Path) -> None:
    (tmp_path / "bad.py").write_text("def bad(view):\n    return 'pass for 1'\n")
    for how in ("--exact", "--trials 10"):
        words = f"{tmp_path}/bad.py:bad {AT} --bankroll 50 --rolls 5 {how}"
        assert "bad.py:bad: the strategy asked for 'pass for 1', which is refused" in refused(words)


def test_a_stop_loss_beyond_the_bankroll_is_never_reached() -> None:
    words = f"field {AT} --bankroll 50 --rolls 40 --stop-win 90 --stop-loss 80 --exact"
    ran = session(f"{words} --json")
    answer = json.loads(ran.stdout)
    assert answer["stopped"] == "0"
    assert answer["ruin_float"] > 0.5
    assert ran.stderr == "note: --stop-loss is more than the bankroll: it is never reached\n"
    page = session(words).stdout
    assert page.splitlines()[0].endswith("from $50, leaving at $140")
    assert "stopped" not in page


def test_two_ways_to_compute_are_one_too_many() -> None:
    words = f"field {AT} --bankroll 50 --rolls 4 --exact"
    assert "use one of them" in refused(f"{words} --fractions --doubles")
    assert found(f"{words} --fractions")["arithmetic"] == "fractions"
    assert found(f"{words} --doubles")["arithmetic"] == "doubles"


def test_a_ceiling_on_a_saved_machine_is_noted_unless_exact(tmp_path: Path) -> None:
    machine = make_machine(house_for("iowa"), BUILT_IN["pass"], "pass")
    assert machine.close()
    machine.save(tmp_path / "it.npz")
    words = f"{tmp_path}/it.npz --bankroll 50 --rolls 4 --memory 5"
    assert session(f"{words} --trials 20").stderr.startswith("note: --memory has no effect")
    assert session(f"{words} --exact").stderr == ""


def test_the_picture_says_where_and_is_there_before_anything_is_printed(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    def gone(*_: object) -> None:
        raise BrokenPipeError

    monkeypatch.setattr("passline.cli.session_output.session_lines", gone)
    words = f"pass {AT} -o odds.multiple=10 --bankroll 50 --rolls 4 --trials 20"
    session(f"{words} --plot {tmp_path}/it.svg")
    drawn = (tmp_path / "it.svg").read_text("utf-8")
    title = "new-jersey craps at New Jersey regulation 19:47-1, odds.multiple = 10: pass"
    assert f"<!-- {title} -->" in drawn
    assert "simulated, 20 sessions -->" in drawn


def test_a_bankroll_too_small_to_begin() -> None:
    answer = found(f"pass {AT} --bankroll 9.99 --rolls 40 --exact")
    assert (answer["ruin"], answer["rolls"], answer["mean"]) == ("1", "0", "9.99")


def test_a_plot(tmp_path: Path) -> None:
    target = tmp_path / "it.svg"
    ran = session(
        f"pass {AT} --bankroll 50 --rolls 20 --exact --compare field --plot {target} --json"
    )
    assert (ran.exit_code, ran.stderr) == (0, f"wrote {target}\n")
    json.loads(ran.stdout)
    assert "field" in target.read_text("utf-8")


def interrupt_at(monkeypatch: pytest.MonkeyPatch, roll: int) -> None:
    real = exact_sessions.solve_session

    def watch(done: int, asked: int) -> None:
        if done == roll:
            raise KeyboardInterrupt

    def cut(*given: Any, **named: Any) -> Any:
        return real(*given, **{**named, "watch": watch})

    monkeypatch.setattr(exact_sessions, "solve_session", cut)


def test_interrupted_it_shows_what_was_done(monkeypatch: pytest.MonkeyPatch) -> None:
    interrupt_at(monkeypatch, 17)
    words = f"pass {AT} --bankroll 50 --rolls 80 --exact --compare field"
    ran = session(f"{words} --json")
    assert ran.exit_code == 2
    assert ran.stderr.endswith(": interrupted; shown is what was done, 17 of 80 rolls\n")
    answer = json.loads(ran.stdout)
    assert (answer["interrupted"], answer["rolls_planned"]) == (True, 17)
    assert "compared" not in answer
    ran = session(words)
    assert ran.exit_code == 2
    assert "17 rolls from $50" in ran.stdout


def test_sampling_interrupted(monkeypatch: pytest.MonkeyPatch) -> None:
    from msgspec.structs import replace

    from passline.lab.simulation import sessions as simulation

    real = simulation.sample_session

    def cut(*given: Any, **named: Any) -> Any:
        return replace(real(*given, **named), interrupted=True, trials=40)

    monkeypatch.setattr(simulation, "sample_session", cut)
    ran = session(f"pass {AT} --bankroll 50 --rolls 8 --trials 50 --seed 1 --json")
    assert ran.exit_code == 2
    assert ran.stderr.endswith(": interrupted; shown is what was done, 40 of 50 sessions\n")
    assert json.loads(ran.stdout)["interrupted"] is True


def test_progress_only_on_a_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    with show_progress("pass") as bar:
        assert bar is None
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True, raising=False)
    with show_progress("pass") as bar:
        assert bar is not None
        bar(1, 10)
        bar(2, 10)


def test_a_chart_where_only_plain_letters_print(monkeypatch: pytest.MonkeyPatch) -> None:
    ran = CliRunner(charset="ascii").invoke(
        session_cmd.command, shlex.split(f"pass {AT} --bankroll 50 --rolls 8 --exact")
    )
    assert ran.exit_code == 0
    assert ran.stdout.isascii()


def test_the_example_in_the_help_works() -> None:
    epilog = session_cmd.command.epilog
    assert epilog is not None
    example = epilog.partition("Example:")[2].strip().removeprefix("passline session ")
    assert session(example).exit_code == 0


def test_what_is_asked_is_what_the_library_is_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: dict[str, Any] = {}
    machines: list[int] = []

    def spy(machine: Any, plan: Plan, **named: Any) -> Any:
        asked.update(named, plan=plan)
        machines.append(machine.memory)
        raise ValueError("enough")

    monkeypatch.setattr(library, "session", spy)
    words = "--bankroll 12.50 --rolls 9 --stop-win 1 --stop-loss 2 --trials 7 --seed 3 --workers 2"
    assert "pass: enough" in refused(f"pass {AT} {words} --memory 99")
    assert asked.pop("watch") is None
    assert asked == {
        "plan": Plan(bankroll=1250, rolls=9, stop_win=100, stop_loss=200),
        "exact": False,
        "open_wagers": "played",
        "when_short": "stop",
        "arithmetic": None,
        "trials": 7,
        "seed": 3,
        "workers": 2,
        "memory": 99,
        "card": None,
        "executor": None,
        "dice": FAIR,
    }
    assert machines == [99]


def test_a_saved_machine(tmp_path: Path) -> None:
    saved = tmp_path / "it.npz"
    machine = make_machine(house_for("iowa", None, ()), BUILT_IN["pass"], "pass")
    assert machine.close()
    machine.save(saved)
    plan = "--bankroll 50 --rolls 9 --exact"
    answer, again = found(f"{saved} {plan}"), found(f"pass --rulebook iowa {plan}")
    for one in (answer, again):
        del one["seconds"]
    assert answer == again
    assert "was made under iowa (craps), not under new-jersey" in refused(f"{saved} {AT} {plan}")


def test_memory_is_that_of_a_saved_machines_session_too(tmp_path: Path) -> None:
    saved = tmp_path / "it.npz"
    machine = make_machine(house_for("iowa", None, ()), BUILT_IN["pass-odds"], "pass-odds")
    assert machine.close()
    machine.save(saved)
    words = f"{saved} --bankroll 500 --rolls 300 --exact --fractions"
    assert "over the 1 MB allowed: allow more" in refused(f"{words} --memory 1")
    assert found(f"{words} --memory 500")["arithmetic"] == "fractions"
    with pytest.raises(ValueError, match="0 megabytes: expected"):
        library.session(machine, Plan(1000, 3), memory=0)


def test_a_strategy_that_fails_does_not_lose_the_others(tmp_path: Path) -> None:
    own = tmp_path / "own.py"
    own.write_text("def own(view):\n    return 'field for 5', ((view.memory or 0) + 1) % 900\n")
    words = f"field {AT} --bankroll 100 --rolls 60 --exact --fractions --memory 3"
    words += f" --compare {own}:own --compare pass"
    ran = session(f"{words} --json")
    assert ran.exit_code == 2
    assert json.loads(ran.stdout)["strategy"] == "field"
    assert "own.py:own: the strategy has " in ran.stderr
    assert ran.stderr.count("\n") == 1
    assert session(words).stdout.startswith("field at ")


@pytest.mark.parametrize("wrong", [KeyboardInterrupt(), ValueError("no more")])
def test_what_was_found_is_shown_whatever_ends_the_next(
    monkeypatch: pytest.MonkeyPatch, wrong: BaseException
) -> None:
    real = library.session

    def fails(machine: Any, plan: Plan, **named: Any) -> Any:
        if machine.about.strategy == "field":
            raise wrong
        return real(machine, plan, **named)

    monkeypatch.setattr(library, "session", fails)
    words = f"pass {AT} --bankroll 50 --rolls 9 --trials 20 --compare field"
    ran = session(f"{words} --json")
    assert ran.exit_code == 2
    assert json.loads(ran.stdout)["strategy"] == "pass"
    said = "field: no more" if str(wrong) else "interrupted: nothing of field was played"
    assert said in ran.stderr
    assert said in refused(f"field {AT} --bankroll 50 --rolls 9 --trials 20")


@pytest.mark.system
def test_ctrl_c_in_a_session_of_a_billion_rolls() -> None:
    """A real one, while the first sessions are far from over: what was begun is answered for."""
    script = """
import os, signal, sys
from passline.cli.main import main
from passline.lab.simulation import sessions
plays = []
def play(job, part):
    plays.append(part)
    if len(plays) == 60:
        os.kill(os.getpid(), signal.SIGINT)
    return real(job, part)
real, sessions.play_trials = sessions.play_trials, play
sys.argv = "passline session pass --rulebook iowa --bankroll 1e9 --rolls 1e9 --json".split()
sys.argv[6] = "900,000,000"
main()
"""
    ran = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, timeout=300
    )
    assert ran.returncode == 2, ran.stderr
    answer = json.loads(ran.stdout)
    assert answer["interrupted"] is True
    assert 0 < answer["rolls_planned"] < 10**9
    assert answer["trials"] > 0
    assert answer["highest_mean"] is None
    assert "of 1,000,000,000 rolls" in ran.stderr


def test_seed_and_workers_do_nothing_to_an_exact_session() -> None:
    words = f"pass {AT} --bankroll 50 --rolls 9 --exact --json"
    ran = session(f"{words} --seed 3")
    assert (ran.exit_code, ran.stderr) == (0, "note: --seed has no effect with --exact\n")
    ran = session(f"{words} --seed 3 --workers 2")
    assert ran.stderr == "note: --seed and --workers have no effect with --exact\n"


def test_errors_that_cannot_be_told_are_null() -> None:
    answer = found(f"pass {AT} --bankroll 50 --rolls 9 --trials 1")
    assert set(answer["standard_errors"].values()) == {None}
    shown = session(f"pass {AT} --bankroll 50 --rolls 9 --trials 1 --seed 1").stdout
    assert "(too few sessions for an error)" in shown
    assert "±" not in shown.splitlines()[1]
    shown = session(f"pass {AT} --bankroll 5000 --rolls 9 --trials 1000 --seed 1").stdout
    assert "ruin      0.00% (none of 1,000 sessions: under 0.003, 19 times in 20)" in shown


def test_the_way_and_the_extremes_are_shown() -> None:
    words = f"pass {AT} --bankroll 100 --rolls 50"
    sampled = session(f"{words} --trials 1000 --seed 1").stdout
    assert "bankroll on the way:" in sampled
    assert "● median" in sampled
    assert "  extremes  highest $1" in sampled
    exact = session(f"{words} --exact").stdout
    assert "● median" in exact
    assert "extremes" not in exact
    assert "on the way" not in session(f"{words} --exact --compare field").stdout


def test_the_library_refuses_what_makes_no_sense() -> None:
    machine = make_machine(house_for("iowa", None, ()), BUILT_IN["pass"], "pass")
    wrong: Any = "banana"
    for named in ({"workers": 0}, {"workers": 5000}, {"trials": 0}, {"arithmetic": "doubles"}):
        with pytest.raises(ValueError, match=r"expected|sampled"):
            library.session(machine, Plan(1000, 3), exact=False, **named)
    with pytest.raises(ValueError, match="banana"):
        library.session(machine, Plan(1000, 3), arithmetic=wrong)


def test_a_strategy_needs_rules() -> None:
    assert "such as --rulebook new-jersey" in refused("pass --bankroll 50 --rolls 9")
    assert "go with --rulebook" in refused("pass --bankroll 50 --rolls 9 --game craps")


def test_interrupted_before_the_first_roll(monkeypatch: pytest.MonkeyPatch) -> None:
    def cut(*given: object, **named: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(Machine, "close", cut)
    assert "interrupted while pass was explored" in refused(f"pass {AT} --bankroll 50 --rolls 9")


def test_states_are_counted_on_a_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    assert watch_states(None) is None
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True, raising=False)
    with show_progress("pass") as bar:
        watch = watch_states(bar)
        assert watch is not None
        watch(1234)
