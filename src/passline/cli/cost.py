"""``passline cost``: what a strategy costs an hour, and what comps and promotions give back."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import TYPE_CHECKING

import click
from click.core import ParameterSource

from passline.cli import lab_commands as lab
from passline.cli.common import complete_strategy, fail, resolve_wager
from passline.game.words.lab import say_lab
from passline.game.words.wagers import wager_label
from passline.lab.pricing.explain import TermPay
from passline.lab.sessions.plan_and_result import MAX_COUNT

if TYPE_CHECKING:
    from passline.game.dice.dice import Dice
    from passline.game.house.house import House
    from passline.lab.costs import StrategyCost

_LABEL_WIDTH = 18


@lab.declare(
    "passline cost pass-odds --rulebook new-jersey --comps 20 --rebate 10 --bankroll 500 "
    "--rolls 200",
    click.argument("strategy", metavar="STRATEGY", shell_complete=complete_strategy),
    lab.RULEBOOK_OPTION,
    lab.PACE_OPTION,
    lab.percent_option("--comps", "Comps, in percent of the theoretical win."),
    lab.dollars_option("--match-play", "The value of a match play coupon, one an hour."),
    click.option(
        "--match-on",
        metavar="WAGER",
        default="pass",
        show_default=True,
        help="The wager that the coupon is played on.",
    ),
    lab.dollars_option("--promotion", "Other promotions, in dollars an hour."),
    lab.percent_option("--rebate", "The percent of a session's loss that is paid back."),
    lab.dollars_option("--bankroll", "The bankroll of that session."),
    lab.count_option("--rolls", "The rolls of that session.", 1, MAX_COUNT),
    lab.flag_option(
        "--explain",
        "Show where handle and theoretical win come from: each wager decided, how often, its "
        "pay and clause.",
    ),
    compiles=True,
)
def command(
    strategy: str,
    house: House,
    rolls_per_hour: int,
    comps: Fraction,
    match_play: int | None,
    match_on: str,
    promotion: int | None,
    rebate: Fraction,
    bankroll: int | None,
    rolls: int | None,
    explain: bool,
    dice: Dice,
) -> lab.Report:
    """Show what STRATEGY (a built-in name or file.py:function) costs: what is wagered and what the
    house expects to win, by the roll, the hour and the shooter; what comps, a match play coupon and
    promotions give back; and what a rebate on the loss of a session is worth. All exact.
    """
    from passline.game.layout.compile import compile_layout
    from passline.lab.costs import CouponError, cost, cost_json
    from passline.lab.machines.bettor import StrategyError
    from passline.lab.pricing.wager_odds import WagerError

    _check_plan(bankroll, rolls)
    match_on = resolve_wager(compile_layout(house), match_on)
    try:
        result = cost(
            house,
            strategy,
            rolls_per_hour=rolls_per_hour,
            comps=comps,
            promotion=promotion or 0,
            match_play=match_play,
            match_on=match_on,
            rebate=rebate,
            bankroll=bankroll,
            rolls=rolls,
            dice=dice,
            explain=explain,
        )
    except StrategyError:
        raise
    except CouponError as error:
        fail(f"{strategy}: {error}: name one of its wagers with --match-on")
    except WagerError as error:
        fail(f"--match-play: {error}")
    except ValueError as error:
        fail(f"{strategy}: {error}")
    return lab.Report(
        json=lambda: cost_json(result),
        lines=lambda: (*_lines(result), *_term_lines(result)),
    )


def _check_plan(bankroll: int | None, rolls: int | None) -> None:
    """Exit 2 if the user typed only some of --rebate, --bankroll and --rolls: they go together."""
    source = click.get_current_context().get_parameter_source("rebate")
    is_set = {
        "--rebate": source is not ParameterSource.DEFAULT,
        "--bankroll": bankroll is not None,
        "--rolls": rolls is not None,
    }
    missing = [option for option, given in is_set.items() if not given]
    if missing and any(is_set.values()):
        fail(f"{', '.join(missing)} missing: --rebate, --bankroll and --rolls go together")


def _lines(result: StrategyCost) -> Iterator[str]:
    about = result.about
    yield lab.bold(f"{about.strategy} at {about.house}, {result.pace} rolls an hour")
    rows = [[" " * (_LABEL_WIDTH - 2), "a roll", "an hour", "a shooter"]]
    for name, amount in (("handle", result.handle), ("theoretical win", result.theoretical)):
        periods = ("roll", "hour", "shooter")
        rows.append([name, *(_money(result.per_period(period, amount)) for period in periods)])
    yield from lab.table_lines(rows)
    yield from lab.fact_lines((*_facts(result), *_rebate_facts(result)), _LABEL_WIDTH)
    yield "\nexact: the machine's chain, solved in fractions"


def _facts(result: StrategyCost) -> Iterator[tuple[str, str]]:
    if result.replayed:
        yield "played", say_lab("cost-replayed")
    if result.hold is not None:
        yield "hold", f"{float(result.hold):.4%} of the handle = {result.hold}"
    if result.sd_rate is not None:
        hour = result.sd_rate * result.pace**0.5
        yield "volatility", f"{_money(hour)} an hour, one standard deviation in the long run"
    if result.comps:
        yield "comps", f"{_money(result.comps_per_hour)} an hour ({result.comps}%)"
    if result.promotions:
        yield "promotions", f"{_money(result.promotions)} an hour"
    if result.comps or result.promotions:
        left = "left to pay" if result.net_per_hour >= 0 else "won in the end"
        yield left, f"{_money(abs(result.net_per_hour))} an hour"
    if result.breakeven_comps is not None and result.breakeven_comps < 0:
        yield "breakeven", "without comps: promotions are more than it costs"
    elif result.breakeven_comps is not None:
        yield "breakeven", f"comps of {float(result.breakeven_comps):.2f}%"


def _rebate_facts(result: StrategyCost) -> Iterator[tuple[str, str]]:
    rebate = result.rebate
    if rebate is None:
        return
    plan = rebate.session.plan
    yield "session", f"{plan.rolls:,} rolls from {_money(plan.bankroll)}: {_money(rebate.mean)}"
    yield "rebate", f"{rebate.percent}% of the loss: {_money(rebate.worth)} on average"
    yield "with it", _money(rebate.mean + rebate.worth)
    if rebate.breakeven is not None:
        yield "breakeven", f"a rebate of {float(rebate.breakeven):.2f}%"


def _term_lines(result: StrategyCost) -> Iterator[str]:
    """Yield two lines for each way in which a wager is decided.

    The first has its pay and clause. The second has how often it happens per roll, and its sums.
    """
    for term in result.explained:
        pay = TermPay(wager=term.wager, result=term.result, odds=term.odds, cite=term.cite)
        cite = f"  [{term.cite}]" if term.cite else ""
        made = "vigorish paid when wagers are made"
        yield f"\n{pay.describe(wager_label(term.wager)) if term.wager else made}{cite}"
        handle, net = show_exact_dollars(term.handle), show_exact_dollars(term.net)
        yield f"  {term.often} a roll; handle {handle}, won {net}"


def show_exact_dollars(cents: Fraction) -> str:
    """Return an exact amount in dollars, with its sign before the dollar sign.

    >>> from fractions import Fraction
    >>> show_exact_dollars(Fraction(-250, 3))
    '-$5/6'
    """
    return f"{'-' if cents < 0 else ''}${abs(cents) / 100}"


def _money(cents: float | Fraction | None) -> str:
    """Return cents as dollars, below one dollar with four decimals; "-" for None."""
    if cents is None:
        return "-"
    dollars = float(cents) / 100
    return f"{'-' if dollars < 0 else ''}${abs(dollars):,.{4 if abs(dollars) < 1 else 2}f}"
