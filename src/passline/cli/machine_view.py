"""What a closed machine comes to, worked out for people and for scripts."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import msgspec

from passline.dice import FAIR, Dice
from passline.exact import SOLVED as LARGEST_CHAIN

if TYPE_CHECKING:
    from passline.machines import Chain, Machine, SavedMachine


class Cost(msgspec.Struct, frozen=True):
    """Exact and per roll, in cents: the mean change, the least worth that covers what the strategy
    says (its wagers, vigorish and tokes) on average; the deviation; in how many ways play can
    settle down for good; and how fast the swings grow in the long run."""

    mean: Fraction
    needed: Fraction
    sd: float
    classes: int = 1
    sd_rate: float | None = None

    @property
    def share(self) -> Fraction:
        """What a roll changes, of what is needed."""
        return self.mean / self.needed if self.needed else Fraction(0)


def work_out_cost(chain: Chain) -> Cost | None:
    """What a strategy costs in the long run; None where that is too much to work out."""
    from passline.exact.long_run import solve_long_run
    from passline.exact.rate import sd_rate

    if len(chain) > LARGEST_CHAIN:
        return None
    whole = solve_long_run(chain)
    return Cost(
        mean=whole.mean,
        needed=whole.need,
        sd=whole.sd,
        classes=whole.classes,
        sd_rate=sd_rate(chain, whole),
    )


class Report(msgspec.Struct, frozen=True):
    """A machine's sizes, and what it comes to where it is closed."""

    machine: Any
    lumped: int | None
    cost: Cost | None


def report_on(machine: Machine | SavedMachine, dice: Dice = FAIR) -> Report:
    """Work out what a machine comes to."""
    if not machine.closed:
        return Report(machine, None, None)
    chain = machine.chain(dice=dice)
    return Report(machine, len(chain), work_out_cost(chain))


def cost_json(cost: Cost | None) -> dict[str, object]:
    """Per roll, in cents: fractions as text, with numbers beside them."""
    if cost is None:
        return dict.fromkeys(_COSTS)
    figures = (str(cost.mean), float(cost.mean), cost.sd, str(cost.needed), float(cost.needed))
    return dict(zip(_COSTS, (*figures, cost.classes, cost.sd_rate), strict=True))


_COSTS = (
    "exact_mean_per_roll",
    "mean_per_roll",
    "sd_per_roll",
    "exact_needed",
    "needed",
    "classes",
    "sd_rate",
)


def machine_json(report: Report) -> dict[str, object]:
    """A report as one JSON object."""
    machine = report.machine
    return {
        **msgspec.to_builtins(machine.about),
        "states": machine.states,
        "explored": machine.explored,
        "closed": machine.closed,
        "lumped": report.lumped,
        **cost_json(report.cost),
    }


def lines(report: Report) -> Iterator[str]:
    """A report for people."""
    machine, cost = report.machine, report.cost
    yield str(machine.about)
    if not machine.closed:
        yield f"  states         {machine.states:,} known, {machine.explored:,} of them explored"
        yield "  closed         no: it has more states than were looked for (--limit)"
        return
    yield f"  states         {machine.states:,}, of {report.lumped:,} kinds in money and chance"
    yield "  closed         yes"
    if cost is None:
        yield f"  exact          not worked out: over {LARGEST_CHAIN:,} states are too many"
        return
    yield f"  mean a roll    {float(cost.mean):+.4f} cents, exactly {_fraction(cost.mean)}"
    yield f"  sd of a roll   ${cost.sd / 100:,.2f}"
    if cost.sd_rate is not None:
        yield f"  swings         ${cost.sd_rate / 100:,.2f} times the root of the rolls, in the end"
    yield f"  needed         ${float(cost.needed) / 100:,.2f} on average, for what it says"
    yield f"  of that        {float(cost.share):+.4%} a roll"
    if cost.classes > 1:
        yield (
            f"  settles down   in {cost.classes:,} ways, never to leave them: each counts above by "
            "its chance"
        )


def _fraction(value: Fraction) -> str:
    text = str(value)
    return text if len(text) <= 60 else f"{text[:40]}... ({len(text)} characters; see --json)"
