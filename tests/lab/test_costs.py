"""What a strategy costs: by the edges that are known, and by hand."""

from __future__ import annotations

import json
import math
from fractions import Fraction

import pytest
from click.testing import CliRunner

from passline.cli.main import cli
from passline.game.dice.dice import FAIR, parse_dice
from passline.game.house.load import house_for
from passline.game.law.clauses import clauses_by_id
from passline.lab.costs import explain_cost, find_strategy_cost
from passline.lab.exact.long_run import find_volatility, solve_long_run
from passline.lab.machines.bettor import View
from passline.lab.machines.chain import Arc, Chain
from passline.lab.pricing.explain import explain_wager
from passline.lab.pricing.wager_odds import WagerError, price_coupon
from passline.lab.sessions.plan_and_result import Plan
from passline.lab.strategy_machine import explore_machine, make_machine


def test_handle_times_edge_is_the_win() -> None:
    """A pass line of $10 is decided every 557/165 rolls; a seven ends place bets at 1/66 each."""
    line = find_strategy_cost("new-jersey", "pass")
    assert (line.handle, line.hold, line.hand) == (
        Fraction(1000 * 165, 557),
        Fraction(7, 495),
        Fraction(1671, 196),
    )
    assert find_strategy_cost("new-jersey", "place-6-8").hold == Fraction(1, 66)
    assert find_strategy_cost("new-jersey", "dont-pass").hold == Fraction(3, 220)  # pushes counted
    field = find_strategy_cost("new-jersey", lambda view: "field for 10")
    assert (field.handle, field.hold) == (Fraction(1000), Fraction(1, 18))
    # Rolls that are independent swing as one roll does.
    assert field.sd_rate == pytest.approx(field.whole.sd)


def test_what_swings_together() -> None:
    """Wins that are followed by their like swing more, those that are taken back not at all."""
    back = Chain(((Arc(1, 4, 18), Arc(0, 0, 18)), (Arc(0, -4, 36),)), (0, 0))
    assert find_volatility(back, solve_long_run(back)) == pytest.approx(0, abs=1e-6)
    stays = Chain(
        ((Arc(0, 1, 27), Arc(1, 1, 9)), (Arc(1, -1, 27), Arc(0, -1, 9))), (0, 0)
    )  # each roll is like the last with chance 3/4: correlations of 1/2, 1/4, ... on both sides
    assert find_volatility(stays, solve_long_run(stays)) == pytest.approx(math.sqrt(3))
    never = Chain(((Arc(1, 0, 18), Arc(2, 0, 18)), (Arc(1, 1, 36),), (Arc(2, 0, 36),)), (0, 0, 0))
    assert find_volatility(never, solve_long_run(never)) is None


def test_comps_promotions_and_rebates() -> None:
    """One field bet of $10: half of what a loss costs comes back."""

    def once(view: object) -> str:
        return "field for 10"

    found = find_strategy_cost(
        "new-jersey",
        once,
        pace=36,
        comps=Fraction(25),
        promotions=500,
        rebate=50,
        plan=Plan(bankroll=1000, rolls=1),
    )
    theoretical = Fraction(1000, 18) * 36
    assert found.net_per_hour == theoretical * Fraction(3, 4) - 500
    assert found.breakeven_comps == (theoretical - 500) / theoretical * 100
    assert found.rebate is not None
    assert found.rebate.loss == Fraction(20, 36) * 1000
    assert found.rebate.worth == Fraction(20, 36) * 500
    assert found.rebate.breakeven == 10  # 1/18 lost, of 20/36


def test_a_coupon_by_the_engine() -> None:
    """Even money on a win, and nothing on a loss; on don't pass the push keeps it."""
    house = house_for("new-jersey", None, [("offers.match_play", "true")])
    assert price_coupon(house, "pass", 1000) == 1000 * Fraction(244, 495)
    assert price_coupon(house, "dont-pass", 1000) == 1000 * Fraction(949, 1925)
    with pytest.raises(WagerError, match="refused"):
        price_coupon(house, "field", 1000)
    with pytest.raises(WagerError):
        price_coupon(house_for("iowa"), "pass", 1000)


def test_the_command() -> None:
    args = ["cost", "pass", "--rulebook", "new-jersey", "-o", "offers.match_play=true"]
    more = ["--match-play", "25", "--rebate", "10", "--bankroll", "50", "--rolls", "9"]
    ended = CliRunner().invoke(cli, [*args, *more, "--json"])
    assert ended.exit_code == 0, ended.stderr
    found = json.loads(ended.stdout)
    assert found["theoretical_per_roll"] == "70/1671"
    assert Fraction(found["promotions_per_hour"]) == 25 * Fraction(244, 495)
    assert found["rebate"]["method"] == "exact"
    shown = CliRunner().invoke(cli, [*args, *more, "--comps", "20"])
    assert shown.exit_code == 0
    assert "hold" in shown.stdout
    for wrong, why in (
        (["--rebate", "10"], "go together"),
        (["--comps", "101"], "expected a percent"),
        (["--match-play", "25", "--match-on", "field"], "refused"),
    ):
        ended = CliRunner().invoke(cli, [*args, *wrong])
        assert (ended.exit_code, ended.stdout) == (2, "")
        assert why in ended.stderr


def test_a_coupon_on_a_wager_that_the_strategy_never_makes() -> None:
    args = ["cost", "--rulebook", "new-jersey", "-o", "offers.match_play=true"]
    ended = CliRunner().invoke(cli, [*args, "field", "--match-play", "25"])
    assert (ended.exit_code, ended.stdout) == (2, "")
    assert "it never makes the wager of the match play coupon" in ended.stderr
    assert "it makes field" in ended.stderr.lower()
    assert "--match-on" in ended.stderr
    own = ["dont-pass", "--match-play", "25", "--match-on", "dont-pass"]
    ended = CliRunner().invoke(cli, [*args, *own])
    assert ended.exit_code == 0, ended.stderr


def test_a_whirl_that_breaks_even_on_a_seven_is_a_push() -> None:
    found = explain_wager("maryland-crapless", "whirl")
    seven = next(term for term in found.terms if term.dice == "7")
    assert not seven.net
    assert seven.does == ["whirl pushes"]
    assert sum(t.chance for t in found.terms if t.does == ["whirl pushes"]) == found.row.push


def test_promotions_that_are_more_than_it_costs() -> None:
    args = ["cost", "field", "--rulebook", "new-jersey", "--promotion", "60"]
    shown = CliRunner().invoke(cli, args).stdout
    assert "won in the end    $4.44 an hour" in shown
    assert "without comps: promotions are more than it costs" in shown


def test_it_is_unfolded_to_wagers_pays_and_clauses() -> None:
    def buys(view: View) -> list[str]:
        return [] if view.up("buy-4") else ["buy-4 for 20"]

    for strategy in ("pass-odds", "field", buys):
        found = find_strategy_cost(
            "new-jersey", strategy, dice=parse_dice("sevens=1/7"), explain=True
        )
        terms = found.explained
        assert sum(term.handle for term in terms) == found.handle
        assert -sum(term.net for term in terms) == found.theoretical
        cites = {term.cite for term in terms if term.result != "made"}
        assert cites <= set(clauses_by_id("new-jersey"))
        assert any(term.result == "made" for term in terms) == (strategy is buys)
    assert find_strategy_cost("new-jersey", "field").explained == ()


def test_a_cost_of_many_states_is_unfolded_by_their_kinds(monkeypatch: pytest.MonkeyPatch) -> None:
    """States that decide the same are solved as one: a strategy that counts to 20 has hundreds,
    which would take minutes in fractions."""

    def counts(view: View) -> tuple[str, int]:
        count = view.memory if isinstance(view.memory, int) else 0
        return "field for 10", (count + 1) % 20

    seated = make_machine(house_for("new-jersey"), counts)
    assert explore_machine(seated)
    assert seated.states > 100
    monkeypatch.setattr("passline.lab.costs.MAX_SOLVED_STATES", 10)
    terms = explain_cost(seated, FAIR)
    assert sum(term.net for term in terms) == Fraction(-1000, 18)
    assert sum(term.handle for term in terms) == 1000
