"""What is up when a player says no more: by hand, and one mean however it is counted."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest

from passline.game.house.load import house_for
from passline.lab.bets_open_at_end import make_valued_chain
from passline.lab.exact.solve_play_outs import solve_play_outs
from passline.lab.machines.bettor import MachineFileError, View
from passline.lab.machines.machine import Machine, load_machine
from passline.lab.run_session import session
from passline.lab.sessions.distribution import Worth
from passline.lab.sessions.plan_and_result import OpenWagers, Plan
from passline.lab.strategies.ask import Strategy
from passline.lab.strategies.built_in import BUILT_IN
from passline.lab.strategy_machine import make_machine

PlayedOut = dict[Worth, Fraction]


def seated(strategy: str | Strategy, book: str) -> Machine:
    function = BUILT_IN[strategy] if isinstance(strategy, str) else strategy
    return make_machine(house_for(book, None, ()), function, "tried")


def left_after(strategy: Strategy, book: str, *, puck: int, up: set[str]) -> PlayedOut:
    """What comes of what is up in the state with this puck and these wagers."""
    machine = seated(strategy, book)
    machine.close()
    for number in range(machine.states):
        state = machine.state(number)
        if state.puck == puck and {slug for slug, _ in state.wagers} == up:
            places, ways, _ = machine.play_out([number])
            return dict(solve_play_outs(ways)[places[0]])
    raise AssertionError(f"never {up} with the puck on {puck}")


def pass_and_six(view: View) -> list[str]:
    said = [] if view.up("pass") or view.puck else ["pass for 10"]
    return said + ([] if view.up("place-win-6") or not view.puck else ["place 6 for 12"])


def test_a_line_bet_with_its_point() -> None:
    found = left_after(BUILT_IN["pass"], "new-jersey", puck=4, up={"pass"})
    assert found == {1000: Fraction(1, 3), -1000: Fraction(2, 3)}


def test_odds_are_paid_with_their_line() -> None:
    found = left_after(BUILT_IN["pass-odds"], "new-jersey", puck=6, up={"pass", "pass-odds"})
    win, lose = Fraction(5, 11), Fraction(6, 11)
    assert set(found.values()) == {win, lose}
    assert sum(change * chance for change, chance in found.items()) == -Fraction(1000, 11)


def test_a_place_bet_comes_down_when_it_wins_and_waits_while_it_is_off() -> None:
    """Pass on 8 and $12 on the six: a seven takes both; else each once, the six off meanwhile."""
    found = left_after(pass_and_six, "new-jersey", puck=8, up={"pass", "place-win-6"})
    # Alone each wins 5 times in 11; a six or an eight first (5 ways each), a seven (6 ways) both.
    first, seven = Fraction(5, 16), Fraction(6, 16)
    win, lose = Fraction(5, 11), Fraction(6, 11)
    assert found == {
        1000 + 1400: first * win * 2,
        1400 - 1000: first * lose,
        1000 - 1200: first * lose,
        -1000 - 1200: seven,
    }


def test_a_push_is_no_decision() -> None:
    def dont(view: View) -> str | None:
        return None if view.up("dont-pass") else "dont-pass for 10"

    found = left_after(dont, "new-jersey", puck=0, up={"dont-pass"})  # after a twelve
    assert found == {1000: Fraction(949, 1925), -1000: Fraction(976, 1925)}


BOOKS = ("new-jersey", "section-2", "maryland-crapless", "iowa", "dealer-school")


@pytest.mark.parametrize("book", BOOKS)
def test_no_session_of_pass_has_a_mean_above_the_bankroll(book: str) -> None:
    machine = seated("pass", book)
    for rolls in (1, 2, 3, 7, 40):
        played = session(machine, Plan(50000, rolls))
        fair = session(machine, Plan(50000, rolls), open_wagers="fair")
        assert played.final.mean == fair.final.mean < 50000
        assert (played.ruin, played.rolls) == (fair.ruin, fair.rolls)


@pytest.mark.parametrize("name", ["three-point-molly", "press-6-8", "dont-pass-odds", "come-odds"])
def test_played_and_fair_have_one_mean_whatever_ends_it(name: str) -> None:
    machine = seated(name, "dealer-school")
    plan = Plan(40000, 60, stop_win=10000, stop_loss=15000)
    found = {
        how: session(machine, plan, open_wagers=how, arithmetic="doubles")
        for how in ("played", "fair", "stake")
    }
    assert float(found["played"].final.mean) == pytest.approx(
        float(found["fair"].final.mean), abs=1e-6
    )
    assert found["played"].goal == pytest.approx(found["stake"].goal, abs=1e-12)
    assert float(found["played"].final.mean) < 40000


@pytest.mark.parametrize("how", ["played", "fair", "stake"])
def test_sampled_as_computed(how: OpenWagers) -> None:
    machine = seated("three-point-molly", "new-jersey")
    plan = Plan(30000, 30, stop_win=5000)
    exact = session(machine, plan, open_wagers=how)
    drawn = session(machine, plan, open_wagers=how, exact=False, trials=40_000, seed=3)
    assert drawn.open_wagers == exact.open_wagers == how
    assert abs(float(drawn.final.mean - exact.final.mean)) < 5 * drawn.errors["mean"]
    assert drawn.final.sd == pytest.approx(exact.final.sd, rel=0.03)


def test_a_machine_that_grows_is_valued_where_its_sessions_end() -> None:
    def counting(view: View) -> tuple[str | None, int]:
        rolls = (view.memory or 0) + 1
        return (None if view.puck else "pass for 10"), rolls

    machine = make_machine(house_for("new-jersey"), counting, "counting", 1)
    drawn = session(machine, Plan(50000, 60), exact=False, trials=4000, seed=5)
    closed = session(seated("pass", "new-jersey"), Plan(50000, 60))
    assert not machine.closed
    assert abs(float(drawn.final.mean - closed.final.mean)) < 5 * drawn.errors["mean"]


def test_a_saved_machine_plays_out_as_it_did(tmp_path: Path) -> None:
    machine, path = seated("pass-odds", "iowa"), tmp_path / "saved.npz"
    machine.close()
    machine.save(path)
    plan = Plan(50000, 20)
    assert session(load_machine(path), plan).final == session(machine, plan).final
    assert make_valued_chain(load_machine(path), "played") == make_valued_chain(machine, "played")


#: What the first format of saved machines had not.
_LATER = {"places", "ways", "least"}


def test_a_machine_of_the_first_format_counts_stakes_only(tmp_path: Path) -> None:
    machine, path = seated("pass", "iowa"), tmp_path / "saved.npz"
    machine.close()
    machine.save(path)
    with np.load(path) as found:
        parts = {name: found[name] for name in found.files if name not in _LATER}
    np.savez_compressed(path, **{**parts, "format": np.int64(1)})
    old, plan = load_machine(path), Plan(50000, 20)
    at_stake = session(machine, plan, open_wagers="stake")
    assert session(old, plan, open_wagers="stake").final == at_stake.final
    with pytest.raises(MachineFileError, match="--open stake"):
        session(old, plan)


@pytest.mark.parametrize("strategy", ["pass-odds", "iron-cross", "three-point-molly"])
def test_what_the_machine_threw_is_what_the_table_throws(
    strategy: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A play-out reads throws off the machine where it can: place by place they are the same."""
    machine = seated(strategy, "new-jersey")
    machine.close()
    read = [machine._find_known_rolls(machine.state(number)) for number in range(machine.states)]
    assert any(row is not None for row in read)
    found = machine.play_out(range(machine.states))
    monkeypatch.setattr(Machine, "_find_known_rolls", lambda *_: None)
    again = seated(strategy, "new-jersey")
    again.close()
    assert again.play_out(range(again.states)) == found
