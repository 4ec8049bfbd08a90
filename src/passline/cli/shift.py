"""``passline shift``: what a table of players brings the house in a shift."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import click

from passline.cli import lab_commands as lab
from passline.cli.common import complete_strategy, fail

if TYPE_CHECKING:
    from passline.game.house.house import House
    from passline.lab.house_shift import PlayerGroup, ShiftResult, WorstRoll

_MAX_TRIALS, _MAX_PLAYERS, _MAX_GROUPS, _DEFAULT_HOURS = 10**6, 100, 20, 8


@lab.declare(
    "passline shift pass-odds:3 field@300 --rulebook new-jersey --hours 2 --trials 2000",
    click.argument(
        "groups",
        metavar="STRATEGY[:PLAYERS][@BANKROLL]...",
        shell_complete=complete_strategy,
        nargs=-1,
        required=True,
    ),
    lab.RULEBOOK_OPTION,
    lab.HOURS_OPTION,
    lab.PACE_OPTION,
    lab.count_option("--trials", "Sample this many shifts, and compute nothing.", 16, _MAX_TRIALS),
    lab.SEED_OPTION,
    lab.OPEN_WAGERS_OPTION,
    compiles=True,
)
def command(
    groups: tuple[str, ...],
    house: House,
    hours: int | None,
    rolls_per_hour: int,
    seed: int | None,
    **more: Any,
) -> lab.Report:
    """Show what a table of players brings the house in a shift: the distribution of its win, the
    chance that the table loses, the largest loss on one throw, and the reserve that covers the
    deepest deficit in 99.9 percent of shifts.

    PLAYERS (1 by default) bet alike, and the whole table bets on the same throws. Players with a
    BANKROLL leave when it cannot cover their wagers; players without one have enough chips. The
    result is exact where nobody has a bankroll and the machines together are small; otherwise it is
    sampled. Bets still open when the shift ends are played out, or as --open says.
    """
    from passline.lab.house_shift import find_shift_win, shift_json

    rolls = lab.count_shift_rolls(hours or _DEFAULT_HOURS, rolls_per_hour)
    assert rolls is not None
    result = find_shift_win(
        house,
        _parse_groups(groups),
        rolls,
        seed=seed,
        **more,
    )
    return lab.Report(json=lambda: shift_json(result), lines=lambda: _lines(result))


def _parse_groups(texts: tuple[str, ...]) -> list[PlayerGroup]:
    from passline.lab.house_shift import PlayerGroup, parse_player_group
    from passline.lab.strategies.built_in import BUILT_IN

    if len(texts) > _MAX_GROUPS:
        fail(f"{len(texts)} groups of players: expected {_MAX_GROUPS} at most")
    groups = []
    for text in texts:
        strategy, players, bankroll = parse_player_group(text)
        name, _, players_text = strategy.rpartition(":")
        if name in BUILT_IN:
            fail(
                f"{text[:40]!r}: expected a number of players after the colon, not {players_text!r}"
            )
        if lab.is_saved_machine(strategy):
            fail("a saved machine does not store its wagers: name the strategy itself")
        if not 1 <= players <= _MAX_PLAYERS:
            fail(f"{text[:40]!r}: expected 1 to {_MAX_PLAYERS} players")
        groups.append(
            PlayerGroup(strategy, players, lab.parse_dollars_option("a bankroll:", bankroll))
        )
    return groups


def _lines(result: ShiftResult) -> Iterator[str]:
    from passline.game.money.amounts import show_dollars, show_money
    from passline.lab.charts.terminal import draw_histogram

    win, trials = result.win, result.trials
    players = sum(group.players for group in result.groups)
    many = "1 player" if players == 1 else f"{players} players"
    yield lab.bold(f"{many} at {result.house.name}, {result.rolls:,} rolls")
    error = "" if trials is None else f" ± {show_money(win.sd / trials**0.5)}"
    quantiles = "   ".join(f"{p}% {show_dollars(win.quantile(p))}" for p in (1, 5, 50, 95, 99))
    off = "" if result.reserve_error is None else f" ± {show_money(result.reserve_error)}"
    facts = (
        ("win", f"{show_money(win.mean)}{error}, sd {show_money(win.sd)}"),
        ("", quantiles),
        ("loses", f"{float(result.loses):.4%} of shifts"),
        *_worst_roll_facts(result.worst_roll),
        ("reserve", f"{show_money(result.reserve)}{off} covers 99.9% of shifts at any moment"),
    )
    yield from lab.fact_lines(facts, 12)
    yield f"\n{draw_histogram(win, ascii=lab.is_ascii_output())}\n"
    yield lab.OPEN_WAGERS_WORDS[result.open_wagers]
    if trials is None:
        yield "exact, in doubles: the players' machines as one"
    else:
        yield f"simulated: {trials:,} shifts, seed {result.seed}, ± one standard error"


def _worst_roll_facts(worst: WorstRoll) -> list[tuple[str, str]]:
    from passline.game.money.amounts import show_money

    if worst.loss <= 0:
        return [("worst roll", "no throw costs the house anything")]
    kind = "largest seen" if worst.seen else "largest possible"
    return [
        ("worst roll", f"{show_money(worst.loss)}, {kind}: {worst.chance:.4%} of throws,"),
        ("", f"{worst.in_shift:.4%} of shifts"),
    ]
