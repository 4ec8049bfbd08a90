"""Measure rolls a second on a graphics card: some strategies, checked against the exact mean.

``python -m bench.gpu [ROLLS]`` on a machine with an NVIDIA card and CuPy.
docs/play/simulation.md has the figures. The time to find the states of a strategy is not counted.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Sequence
from functools import partial

from passline.game.house.load import house_for
from passline.lab.bets_open_at_end import make_valued_chain
from passline.lab.exact.long_run import solve_long_run
from passline.lab.machines.chain import Chain
from passline.lab.sessions.distribution import PlayOutOutcomes
from passline.lab.sessions.plan_and_result import Plan, SampledSession
from passline.lab.simulation.gpu.card import GraphicsCard, NoCardError, open_card
from passline.lab.simulation.gpu.rolls import play_rolls_on_card
from passline.lab.simulation.gpu.sessions import sample_session_on_card
from passline.lab.strategy_machine import resolve_machine

STRATEGIES = ("pass-odds", "iron-cross", "three-point-molly", "come-odds", "field")


def main() -> None:
    rolls = int(float(sys.argv[1])) if len(sys.argv) > 1 else 20 * 10**12
    try:
        card = open_card()
    except NoCardError as wrong:
        sys.exit(f"bench.gpu: {wrong}")
    print(f"{card.name}, {rolls:.0e} rolls each, dealer-school")
    for strategy in STRATEGIES:
        chain = resolve_machine(strategy, house_for("dealer-school", None, ())).chain()
        play_rolls_on_card(card, chain, 10**9, seed=1)  # compiles, and warms the card up
        found = play_rolls_on_card(card, chain, rolls, seed=1)
        error = found.standard_error or float("nan")
        away = (found.mean_per_roll - float(solve_long_run(chain).mean)) / error
        print(
            f"{strategy:<20}{len(chain):>5} states{found.rolls_per_lookup:>4} rolls a draw"
            f"{found.rolls_per_second:>12.3g} rolls a second{found.seconds:>8.2f} s"
            f"{away:>+7.2f} errors from exact"
        )
    _sit(card)


def _sit(card: GraphicsCard) -> None:
    print("sessions: $500, 400 rolls, leaving at $1,000 or $100; worths and extremes tracked")
    plan, trials = Plan(50_000, 400, 50_000, 40_000), 10**9
    for strategy in STRATEGIES[:3]:
        machine = resolve_machine(strategy, house_for("dealer-school", None, ()))
        opened = make_valued_chain(machine, "played")
        chain, open_bets = opened.chain, opened.open_bets
        outcomes = partial(_of, open_bets)
        sample_session_on_card(card, chain, plan, 10**6, seed=1, open_bets=outcomes)
        found = sample_session_on_card(card, chain, plan, trials, seed=1, open_bets=outcomes)
        rolls = float(found.rolls) * trials
        print(
            f"{strategy:<20}{len(chain):>5} states{found.seconds:>8.2f} s{rolls:>10.3g} rolls"
            f"{rolls / found.seconds:>10.3g} rolls a second{_away(found, chain, open_bets)}"
        )


def _away(found: SampledSession, chain: Chain, open_bets: Sequence[PlayOutOutcomes]) -> str:
    try:
        from passline.lab.exact.solve_session import solve_session
    except ModuleNotFoundError:  # numba is not on every machine that has a card
        return f"  mean {float(found.final.mean) / 100:.4f} +- {found.errors['mean'] / 100:.4f}"
    exact = solve_session(chain, found.plan, open_bets=open_bets, arithmetic="doubles")
    away = (float(found.final.mean) - float(exact.final.mean)) / found.errors["mean"]
    return f"{away:>+7.2f} errors from exact"


def _of(open_bets: Sequence[PlayOutOutcomes], kinds: Iterable[int]) -> dict[int, PlayOutOutcomes]:
    return {kind: open_bets[kind] for kind in kinds}


if __name__ == "__main__":
    main()
