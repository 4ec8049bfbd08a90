"""What ``passline session`` is asked: its options, read and checked."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, NamedTuple

import click

from passline.cli.cluster_option import DASK
from passline.cli.common import election_option, fail, game_option
from passline.cli.device_option import DEVICE
from passline.cli.lab_options import DICE, OPEN, dice_of, dollars_of_option
from passline.cli.strategy_options import (
    COMPARE,
    JSON,
    MEGABYTES,
    PLOT,
    SOURCE,
    WORKERS,
    memory_of,
    note,
    read_count,
    seed_of,
    workers_of,
)

if TYPE_CHECKING:
    from passline.dice import Dice
    from passline.sessions import Arithmetic, OpenWagers, Plan, WhenShort

_MONEY, _N = "AMOUNT", "N"
_OPTIONS = (
    SOURCE,
    click.option("--bankroll", metavar=_MONEY, required=True, help="Dollars to begin with."),
    click.option("--rolls", metavar=_N, help="Rolls of the session."),
    click.option(
        "--until",
        type=click.Choice(["goal-or-ruin"]),
        help="In place of --rolls: play until --stop-win is won, or lost is what there is.",
    ),
    click.option("--stop-win", metavar=_MONEY, help="Leave when ahead by so much."),
    click.option("--stop-loss", metavar=_MONEY, help="Leave when behind by so much."),
    OPEN,
    click.option(
        "--short",
        "when_short",
        type=click.Choice(["stop", "reduce"]),
        default="stop",
        help="When the rail does not cover the next bets: stop (unless told), or bet what it does.",
    ),
    click.option("--exact", is_flag=True, help="Compute it without sampling."),
    click.option(
        "--fractions",
        is_flag=True,
        help="With --exact: in whole numbers, also where that takes long.",
    ),
    click.option(
        "--doubles",
        is_flag=True,
        help="With --exact: in double precision, which is faster.",
    ),
    click.option("--trials", metavar=_N, help="Sessions to sample: 100,000 unless told."),
    click.option("--seed", metavar=_N, help="Of the dice: sample the same sessions again."),
    WORKERS,
    DASK,
    DICE,
    DEVICE,
    COMPARE,
    PLOT,
    click.option(
        "--extremes",
        is_flag=True,
        help="Also the best and the worst moment, the time to ruin and the drawdown.",
    ),
    click.option(
        "--distribution",
        is_flag=True,
        help="Also every final worth with its chance, and quantiles on the way.",
    ),
    game_option,
    election_option,
    MEGABYTES,
    JSON,
)


def session_options(command: Callable[..., None]) -> Callable[..., None]:
    """The options of the command, in the order in which help shows them."""
    for option in reversed(_OPTIONS):
        command = option(command)
    return command


class SessionAsked(NamedTuple):
    """The session that is meant, and how it is to be worked out."""

    plan: Plan
    open_wagers: OpenWagers
    when_short: WhenShort
    exact: bool
    arithmetic: Arithmetic | None
    trials: int
    seed: int | None
    workers: int | None
    memory: int
    dice: Dice
    until_over: bool
    device: str
    dask: str | None


def read_session_asked(given: dict[str, Any]) -> SessionAsked:
    """The options as they are meant; what makes no sense ends the command."""
    from passline.lab.sessions import TRIALS
    from passline.sessions import Plan
    from passline.sessions.plan import MOST

    if given["exact"] and given["trials"] is not None:
        fail("--exact samples nothing: give it or --trials, not both")
    if (given["rolls"] is None) == (given["until"] is None):
        fail("how long? give --rolls, or --until goal-or-ruin, and not both")
    if given["until"] and given["stop_win"] is None:
        fail("--until goal-or-ruin: the goal is missing (--stop-win)")
    arithmetic = _arithmetic(given)
    bankroll = dollars_of_option("--bankroll", given["bankroll"])
    assert bankroll is not None
    plan = Plan(
        bankroll=bankroll,
        rolls=read_count("--rolls", given["rolls"], 1, MOST) or MOST,
        stop_win=dollars_of_option("--stop-win", given["stop_win"]),
        stop_loss=dollars_of_option("--stop-loss", given["stop_loss"]),
    )
    asked = SessionAsked(
        plan=plan,
        open_wagers=given["open_wagers"],
        when_short=given["when_short"],
        exact=given["exact"],
        arithmetic=arithmetic,
        trials=read_count("--trials", given["trials"], 1, MOST) or TRIALS,
        seed=seed_of(given["seed"]),
        workers=workers_of(given["workers"]),
        memory=memory_of(given["memory"]),
        dice=dice_of(given["dice"]),
        until_over=given["until"] is not None,
        device=given["device"],
        dask=given["dask"],
    )
    if asked.dask is not None and (
        asked.exact or asked.workers is not None or asked.device == "gpu"
    ):
        fail("--dask samples on a cluster: --exact, --workers and --device are this machine's")
    if asked.device == "gpu" and (asked.exact or asked.workers is not None):
        fail("--device gpu samples on a card: --exact and --workers are the processor's")
    if asked.device == "gpu" and asked.when_short == "reduce":
        fail("--device gpu plays no sessions that go on short: leave it out with --short reduce")
    idle = [f"--{name}" for name in ("seed", "workers") if given[name] is not None]
    if asked.exact and idle:
        note(f"{' and '.join(idle)} {'has' if len(idle) == 1 else 'have'} no effect with --exact")
    if plan.floor is not None and plan.floor < 0:
        note("--stop-loss is more than the bankroll: nobody loses that much")
    return asked


def _arithmetic(given: dict[str, Any]) -> Arithmetic | None:
    asked = [word for word in ("fractions", "doubles") if given[word]]
    if len(asked) > 1:
        fail("--fractions and --doubles are two ways to compute: give one of them")
    if asked and not given["exact"]:
        fail(f"--{asked[0]} is a way to compute: it goes with --exact")
    return "fractions" if given["fractions"] else "doubles" if given["doubles"] else None
