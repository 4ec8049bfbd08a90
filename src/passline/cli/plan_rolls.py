"""``passline simulate --plan``: what so many rolls would take and tell, before they are played."""

from __future__ import annotations

from decimal import Decimal, InvalidOperation
from typing import TYPE_CHECKING, Any

import click

from passline.cli.common import fail, print_json
from passline.cli.strategy_options import read_count
from passline.money import show_dollars

if TYPE_CHECKING:
    from passline.cli.simulate_args import RollsAsked
    from passline.lab.planning import RollsPlan
    from passline.machines import Machine, SavedMachine
    from passline.simulation.gpu import GraphicsCard

PLAN = click.option("--plan", is_flag=True, help="Do not play: tell time, cost and error.")
CORES = click.option("--cores", metavar="N", help="With --plan: cores, or cards, to play on.")
PRICE = click.option("--price", metavar="DOLLARS", help="With --plan: what one costs for an hour.")
_DAY, _HOUR, _MINUTE = 86400, 3600, 60


def plan_machines(
    machines: list[Machine | SavedMachine],
    asked: RollsAsked,
    card: GraphicsCard | None,
    given: dict[str, Any],
) -> None:
    """A plan for each machine, shown."""
    from passline.lab.planning import MOST_CORES, plan_rolls

    cores = read_count("--cores", given["cores"], 1, MOST_CORES) or 1
    price = _price(given["price"])
    found = [
        plan_rolls(
            machine,
            asked.rolls,
            cores=cores,
            price=price,
            seed=asked.seed,
            card=card,
            dice=asked.dice,
        )
        for machine in machines
    ]
    if given["as_json"]:
        first, *others = map(plan_json, found)
        print_json(first | ({"compared": others} if others else {}))
        return
    for each in found:
        click.echo("\n".join(_lines(each)))


def check_plan_options(given: dict[str, Any]) -> None:
    """End the command where its options do not go together."""
    if not given["plan"]:
        for option in ("cores", "price"):
            if given[option] is not None:
                fail(f"--{option} goes with --plan, which plays nothing")
        return
    for option in ("workers", "dask", "plot"):
        if given[option] is not None:
            fail(f"--plan plays nothing: --{option} has nothing to do")


def _price(text: str | None) -> float | None:
    if text is None:
        return None
    try:
        price = Decimal(text.strip().removeprefix("$"))
    except InvalidOperation:
        price = Decimal(-1)
    if not price.is_finite() or not 0 < price < 10**6:
        fail(f"--price {text[:40]!r}: expected dollars for an hour, such as 0.04")
    return float(price)


def plan_json(plan: RollsPlan) -> dict[str, object]:
    """One plan: the error in cents a roll, the cost in dollars."""
    sample = plan.sample
    return {
        "strategy": sample.about.strategy,
        "rulebook": sample.about.rulebook,
        "game": sample.about.game,
        "elections": sample.about.elections,
        "method": "planned",
        "rolls": plan.rolls,
        "cores": plan.cores,
        "hours": plan.hours,
        "seconds": plan.seconds,
        "price": plan.price,
        "cost": plan.cost,
        "standard_error": plan.standard_error,
        "error_from": plan.error_from,
        "sd_rate": sample.sd_rate,
        "exact_mean_per_roll_float": None if sample.exact is None else float(sample.exact.mean),
        "rolls_per_second": sample.rolls_per_second,
        "sample_rolls": sample.rolls,
        "device": sample.device or "cpu",
    }


def _lines(plan: RollsPlan) -> list[str]:
    sample = plan.sample
    one = "card" if sample.device else "core"
    lines = [
        f"{sample.about.strategy}: {plan.rolls:,} rolls planned, none of them played",
        f"  speed      {sample.rolls_per_second:.3g} rolls a second on one {one}, "
        f"as {sample.rolls:,} just showed",
        f"  time       {_clock(plan.seconds)} on {plan.cores:,} {one}s "
        f"({plan.hours:,.4g} {one}-hours)",
    ]
    if plan.cost is not None and plan.price is not None:
        lines.append(
            f"  cost       {show_dollars(round(plan.cost * 100))} at ${plan.price:g} a {one}-hour"
        )
    if plan.standard_error is None:
        lines.append("  error      cannot be told from so few rolls")
        return lines
    how = "exact, from the chain" if plan.error_from == "chain" else "by the sample"
    lines.append(f"  error      {plan.standard_error:.3g} cents a roll, one standard error ({how})")
    if sample.exact is not None and sample.exact.mean:
        mean = float(sample.exact.mean)
        share = plan.standard_error / abs(mean)
        lines.append(f"  mean       {mean:.4f} cents a roll, exact: the error is {share:.2g} of it")
    return lines


def _clock(seconds: float) -> str:
    """A time as people say it.

    >>> _clock(3.25), _clock(7200), _clock(400_000)
    ('3.2 seconds', '2.0 hours', '4.6 days')
    """
    for size, word in ((_DAY, "days"), (_HOUR, "hours"), (_MINUTE, "minutes")):
        if seconds >= 2 * size or (size == _MINUTE and seconds >= size):
            return f"{seconds / size:,.1f} {word}"
    return f"{seconds:,.1f} seconds"
