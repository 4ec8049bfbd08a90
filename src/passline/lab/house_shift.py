"""Compute a shift at a table of players: the house's win, the worst throw, and the reserve needed.

All players bet on the same throws. Money is in cents; a positive amount is the house's win.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from fractions import Fraction
from functools import partial
from typing import Any, Literal

import msgspec
from msgspec.structs import asdict

from passline.game.dice.dice import FAIR, Dice
from passline.game.house.house import House
from passline.game.house.load import as_house
from passline.game.money.amounts import parse_dollars, show_money, to_dollars
from passline.lab.bets_open_at_end import JointOpenBets, value_joint_bets, value_sampled_bets
from passline.lab.compare import chance_above, offset_session
from passline.lab.exact.solve_session import solve_session
from passline.lab.extremes import ends_by_roll
from passline.lab.machines.chain import Chain
from passline.lab.machines.joint_machine import JointTooLarge, join_machines
from passline.lab.machines.machine import Machine
from passline.lab.results import LabResult, ResultTable, exact_json, show_percent
from passline.lab.sessions.distribution import Distribution, Number
from passline.lab.sessions.plan_and_result import (
    END_STOP_LOSS,
    MAX_BANKROLL,
    OpenWagers,
    Plan,
    SessionTooLargeError,
)
from passline.lab.simulation.seeds import draw_seed
from passline.lab.simulation.shared_table import sample_table
from passline.lab.strategy_machine import explore_before_play, explore_machine, make_machine

#: The reserve must be enough in this share of shifts.
RESERVE_QUANTILE = Fraction(999, 1000)
#: The default number of shifts to sample; the most states and seconds for an exact result.
DEFAULT_TRIALS, MAX_EXACT_STATES, MAX_EXACT_SECONDS = 20_000, 20_000, 60.0
#: The most memory of a machine that is explored while it is played, in megabytes.
_MEMORY_MB = 1024
_PLAYER_GROUP = re.compile(r"(?P<strategy>.+?)(:(?P<players>[0-9]{1,3}))?(@(?P<bankroll>[^@]+))?")


class PlayerGroup(msgspec.Struct, frozen=True):
    """Players at a table who bet by the same strategy, each with ``bankroll`` cents.

    Without a bankroll they have unlimited chips.
    """

    strategy: str
    players: int = 1
    bankroll: int | None = None


class WorstRoll(msgspec.Struct, frozen=True):
    """The house's largest ``loss`` on one throw, in cents.

    ``chance`` is its chance per throw, and ``in_shift`` the chance that it happens in a shift. If
    ``seen`` is true, it is the largest loss that was sampled; larger ones may be possible.
    """

    loss: int
    chance: float
    in_shift: float
    seen: bool = False


class ShiftResult(LabResult, msgspec.Struct, frozen=True, kw_only=True):
    """What a table of players brings the house in a shift of ``rolls`` rolls. Money is in cents.

    ``win`` is the distribution of that amount, with open bets valued as ``open_wagers`` says (at
    expected value if playing them out has too many states). ``worst_roll`` is the house's largest
    loss on one throw. ``reserve`` is the amount that covers the house's deepest deficit in 99.9
    percent of shifts, with open bets at their stake. ``reserve_error`` is the standard error of a
    sampled reserve.
    """

    house: House
    dice: Dice
    groups: tuple[PlayerGroup, ...]
    rolls: int
    method: Literal["exact", "simulated"]
    win: Distribution
    worst_roll: WorstRoll
    reserve: int
    open_wagers: OpenWagers
    reserve_error: float | None = None
    trials: int | None = None
    seed: int | None = None

    def headline(self) -> str:
        """Return in one line the house's mean win, how often it loses, and the reserve."""
        return (
            f"{self.rolls:,} rolls: the house wins {show_money(self.win.mean)} on average, sd "
            f"{show_money(self.win.sd)}, loses {show_percent(self.loses)} of the time, and must hold "  # noqa: E501
            f"{show_money(self.reserve)}; {self.method}"
        )

    def to_table(self) -> ResultTable:
        """Return a table of each amount that the house wins, with its chance."""
        return self.win.to_table()

    @property
    def loses(self) -> Number:
        """The chance that the house loses money in the shift."""
        return 1 - chance_above(self.win, -1)


def parse_player_group(text: str) -> tuple[str, int, str | None]:
    """Split ``STRATEGY[:PLAYERS][@BANKROLL]`` into (strategy, players, bankroll as text or None).

    A strategy may contain a colon. Raise ValueError for any other text.

    >>> parse_player_group("own.py:play:3@500"), parse_player_group("pass")
    (('own.py:play', 3, '500'), ('pass', 1, None))
    """
    found = _PLAYER_GROUP.fullmatch(text)
    if found is None:
        raise ValueError(f"{text[:40]!r}: expected STRATEGY[:PLAYERS][@BANKROLL]")
    return found["strategy"], int(found["players"] or 1), found["bankroll"]


def shift(
    house: House | str,
    players: Sequence[str | PlayerGroup],
    *,
    hours: int = 8,
    rolls_per_hour: int = 100,
    **more: Any,
) -> ShiftResult:
    """Return what a table of players brings the house, with the parameters of ``passline shift``.

    Each of ``players`` is a text ``STRATEGY[:PLAYERS][@BANKROLL]``, or a PlayerGroup. ``more`` is
    for ``find_shift_win``. Raise ValueError for a text of another form.

    >>> shift("new-jersey", ["pass", "field:2@50"], hours=1, trials=100, seed=1).rolls
    100
    """
    groups = []
    for each in players:
        if isinstance(each, str):
            strategy, count, dollars = parse_player_group(each)
            each = PlayerGroup(strategy, count, None if dollars is None else parse_dollars(dollars))
        groups.append(each)
    return find_shift_win(house, groups, hours * rolls_per_hour, **more)


def find_shift_win(
    house: House | str,
    groups: Sequence[PlayerGroup],
    rolls: int,
    *,
    dice: Dice = FAIR,
    trials: int | None = None,
    seed: int | None = None,
    open_wagers: OpenWagers = "played",
) -> ShiftResult:
    """Return what the house wins from a table of players in a number of rolls.

    The result is exact if all players have unlimited chips, their machines together are small, and
    ``trials`` is not set; otherwise it is sampled. A player leaves when the bankroll cannot cover
    the bets. The result has the seed; one is drawn if ``seed`` is None.
    ``open_wagers`` says how to value bets still open at the end, as for ``session``. A strategy
    that is sampled may have any number of states: it is explored while it plays. Raise MachineFull
    if its states take too much memory.
    """
    dealt = as_house(house)
    machines = [make_machine(dealt, group.strategy, memory=_MEMORY_MB) for group in groups]
    times = [-group.players for group in groups]
    make_result = partial(ShiftResult, house=dealt, dice=dice, groups=tuple(groups), rolls=rolls)
    whole = all(group.bankroll is None for group in groups) and trials is None
    chain = _join_if_small(machines, times, dice, MAX_EXACT_STATES if whole else None)
    worst = None if chain is None else find_worst_roll(chain, rolls)
    if chain is not None and worst is not None and whole:
        try:
            opened = value_joint_bets(machines, times, open_wagers, dice)
            return make_result(
                method="exact",
                win=_solve_win(opened, rolls),
                worst_roll=worst,
                reserve=find_reserve(chain, rolls),
                open_wagers=opened.how,
            )
        except SessionTooLargeError:
            pass
    trials = trials or DEFAULT_TRIALS
    seed = draw_seed() if seed is None else seed
    found = sample_table(
        machines,
        [group.players for group in groups],
        [group.bankroll for group in groups],
        lambda played: [value_sampled_bets(machine, open_wagers, dice) for machine in played],
        *(rolls, dice, trials, seed),
    )
    if worst is None:
        worst = WorstRoll(found.worst, found.worst_chance, found.worst_in_shift, seen=True)
    reserve, error = found.reserve(float(RESERVE_QUANTILE))
    return make_result(
        method="simulated",
        win=found.win(),
        worst_roll=worst,
        reserve=reserve,
        reserve_error=error,
        trials=trials,
        seed=seed,
        open_wagers=open_wagers,
    )


def _join_if_small(
    machines: Sequence[Machine], times: Sequence[int], dice: Dice, limit: int | None
) -> Chain | None:
    """Explore the machines of a table, and return the chain of the house's money.

    That is the sum of the money of machine i times ``times[i]``, a negative number. Return None if
    there are too many states. Each machine may have at most ``limit`` states; with None, as many as
    are explored before a machine is sampled.
    """
    for machine in machines:
        small = explore_before_play(machine)
        if not (small or (limit and explore_machine(machine, limit=limit))):
            return None
    try:
        return join_machines(machines, times, MAX_EXACT_STATES).chain(dice=dice)
    except JointTooLarge:
        return None


def _solve_win(opened: JointOpenBets, rolls: int) -> Distribution:
    found = solve_session(
        opened.chain,
        Plan(bankroll=MAX_BANKROLL, rolls=rolls),
        open_bets=opened.open_bets,
        arithmetic="doubles",
        memory=1024,
        longest=MAX_EXACT_SECONDS,
    )
    return offset_session(found, -MAX_BANKROLL).final


def find_worst_roll(chain: Chain, rolls: int) -> WorstRoll:
    """Return the house's largest loss on one throw, and the chance that it happens in a shift.

    The chain's money is the house's, and a shift has ``rolls`` rolls.
    """
    worst = min(arc.money for arcs in chain.arcs for arc in arcs)
    gain = [
        sum(arc.weight for arc in arcs if arc.money == worst) / chain.whole for arcs in chain.arcs
    ]
    here, fresh = {chain.start: 1.0}, {chain.start: 1.0}
    added = seen = 0.0
    for _ in range(rolls):
        added += sum(chance * gain[state] for state, chance in here.items())
        seen += sum(chance * gain[state] for state, chance in fresh.items())
        here = _advance(chain, here, None)
        fresh = _advance(chain, fresh, worst)
    return WorstRoll(-worst, added / rolls, seen)


def _advance(chain: Chain, here: dict[int, float], but: int | None) -> dict[int, float]:
    after: dict[int, float] = {}
    for state, chance in here.items():
        for arc in chain.arcs[state]:
            if arc.money != but:
                there = chance * arc.weight / chain.whole
                after[arc.next] = after.get(arc.next, 0.0) + there
    return after


def find_reserve(chain: Chain, rolls: int) -> int:
    """Return the smallest amount (cents) that covers the deepest deficit in 99.9% of shifts.

    The chain's money is the house's. Search by bisection: an amount is enough if the chance that a
    shift of ``rolls`` rolls loses more is small, computed in doubles.
    """
    from passline.lab.exact.bankroll_grid import build_grid

    plan = Plan(bankroll=MAX_BANKROLL, rolls=rolls)
    unit = build_grid(chain, plan).unit

    def enough(units: int) -> bool:
        """Return whether a deficit of more than ``units`` units of money is rare enough."""
        stop = Plan(bankroll=MAX_BANKROLL, rolls=rolls, stop_loss=(units + 1) * unit)
        *_, (_, ended) = ends_by_roll(chain, stop)
        return ended[END_STOP_LOSS] <= float(1 - RESERVE_QUANTILE)

    high = 1
    while not enough(high):
        high *= 2
    low = high // 2
    while low < high:
        middle = (low + high) // 2
        low, high = (low, middle) if enough(middle) else (middle + 1, high)
    return low * unit


SHIFT_PERCENTS = (1, 5, 25, 50, 75, 95, 99)


def shift_json(found: ShiftResult) -> dict[str, Any]:
    """Return the JSON of ``passline shift``: money in dollars, standard errors if sampled."""
    win, trials, loses, worst = found.win, found.trials, found.loses, found.worst_roll
    errors: dict[str, float | None] = {"mean": None, "loses": None, "reserve": None}
    if trials is not None:
        errors["mean"] = win.sd / 100 / trials**0.5
        errors["loses"] = float(loses * (1 - loses) / trials) ** 0.5
        errors["reserve"] = None if found.reserve_error is None else found.reserve_error / 100
    return {
        "rulebook": found.house.book.id,
        "game": found.house.game,
        "dice": str(found.dice),
        "rolls": found.rolls,
        "players": [
            {**asdict(group), "bankroll": group.bankroll and to_dollars(group.bankroll)}
            for group in found.groups
        ],
        "method": found.method,
        "open": found.open_wagers,
        "trials": trials,
        "seed": found.seed,
        "mean": to_dollars(round(win.mean)),
        "mean_float": float(win.mean) / 100,
        "sd": to_dollars(round(win.sd)),
        "sd_float": win.sd / 100,
        "quantiles": {
            str(percent): to_dollars(win.quantile(percent)) for percent in SHIFT_PERCENTS
        },
        **exact_json(loses=loses),
        "worst_roll": {
            "loss": to_dollars(worst.loss),
            "chance": worst.chance,
            "in_shift": worst.in_shift,
            "method": "simulated" if worst.seen else "exact",
        },
        "reserve": to_dollars(found.reserve),
        "reserve_percent": float(RESERVE_QUANTILE * 100),
        "reserve_error": errors["reserve"],
        "standard_errors": errors,
    }
