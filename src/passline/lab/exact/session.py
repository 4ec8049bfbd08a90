"""Exact sessions: the whole distribution of the bankroll after so many rolls, without sampling.

Between rolls, and once more after the last, in this order: a worth at the goal leaves a winner, a
worth at the floor leaves, and a worth under the state's need is ruined. Everybody else rolls.
"""

from __future__ import annotations

import math
import time
from collections.abc import Sequence
from itertools import pairwise

from passline.lab.exact import bankroll_grid
from passline.lab.exact.bankroll_evolution import BankrollEvolution, ShortBankrollTransfer
from passline.lab.exact.bankroll_grid import BankrollGrid, build_grid
from passline.lab.exact.fourier_evolution import (
    FourierEvolution,
    RungRange,
    estimate_fourier,
    find_safe_range,
    find_switch_roll,
)
from passline.lab.exact.open_bets import (
    add_open_bets_counted,
    add_open_bets_doubles,
    add_open_bets_rounded,
)
from passline.lab.machines.arrays import FloatArray
from passline.lab.machines.chain import Chain
from passline.lab.machines.machine import DEFAULT_MEMORY_MB
from passline.lab.machines.reduced_bets import ReducedBetStates
from passline.lab.sessions.distribution import (
    AT_STAKE,
    Distribution,
    Number,
    PlayOutOutcomes,
    QuantileBand,
    Worth,
    exact_ratio,
    find_quantiles,
)
from passline.lab.sessions.session import (
    Arithmetic,
    Plan,
    ProgressCallback,
    Remedy,
    Session,
    SessionTooLargeError,
    choose_checkpoints,
)

#: Fractions are chosen where they take so many seconds at most; nothing is begun that takes longer
#: than the longest.
MAX_FRACTION_SECONDS, MAX_SECONDS = 2.0, 3600.0
#: Rolls that are made at once, where they can be.
_ROLLS_PER_CALL = 256
#: What doubles may lose altogether.
_MAX_LOST_CHANCE = 1e-9


def solve_session(
    chain: Chain,
    plan: Plan,
    *,
    left: Sequence[PlayOutOutcomes] = (),
    bars: Sequence[int] | None = None,
    aside: ReducedBetStates | None = None,
    arithmetic: Arithmetic | None = None,
    memory: int = DEFAULT_MEMORY_MB,
    watch: ProgressCallback | None = None,
    longest: float = MAX_SECONDS,
) -> Session:
    """How a session ends, exactly.

    ``left[kind]``: what comes of the wagers that are up when a session ends in a state of that
    kind (``chain.kinds``); without it they count at their stake. ``bars[kind]``: the worth (cents)
    under which who is ruined there is broke, and not only short; without it that is not told.
    ``aside``: who is short plays on beside the state. ``arithmetic``: "fractions" loses
    nothing; "doubles" is good to some twelve digits and much faster; None chooses fractions where
    they take a few seconds. ``memory`` is in megabytes. Raises SessionTooLargeError, saying why, for what would
    take more than ``longest`` seconds or more memory. Ctrl-C ends it early: ``interrupted`` is
    true, and everything is as of ``plan.rolls`` rolls, which is fewer.

    >>> from passline.lab.machines.chain import Arc
    >>> coin = Chain(((Arc(0, -500, 18), Arc(0, 500, 18)),), (500,))
    >>> found = solve_session(coin, Plan(bankroll=1000, rolls=3))
    >>> found.ruin, found.final.worths, found.final.mean
    (Fraction(1, 4), (0, 500, 1500, 2500), Fraction(1000, 1))
    """  # noqa: E501
    if arithmetic not in (None, "fractions", "doubles"):
        raise ValueError(f"arithmetic {arithmetic!r}: expected 'fractions' or 'doubles'")
    began = time.perf_counter()
    ladder = build_grid(chain, plan)
    chosen = arithmetic or _choose_arithmetic(ladder, plan, memory)
    reach = find_safe_range(ladder, plan) if chosen == "doubles" and aside is None else None
    _check_cost(ladder, plan, chosen, memory, longest, reach)
    beside = None if aside is None else ShortBankrollTransfer(ladder, aside, plan.bankroll)
    climb = BankrollEvolution(ladder, plan.rolls, chosen == "fractions", memory * 2**20, beside)
    way = _SessionRun(climb, plan, left or (AT_STAKE,) * climb.kinds, bars, reach)
    interrupted = False
    try:
        way.walk(watch)
    except KeyboardInterrupt:
        interrupted = True
    return way.session(chosen, time.perf_counter() - began, interrupted)


def _choose_arithmetic(ladder: BankrollGrid, plan: Plan, memory: int) -> Arithmetic:
    cost = bankroll_grid.estimate_fractions(ladder, plan.rolls, MAX_FRACTION_SECONDS)
    fits = cost.seconds <= MAX_FRACTION_SECONDS and cost.size <= memory * 2**20
    return "fractions" if fits else "doubles"


def _check_cost(
    ladder: BankrollGrid,
    plan: Plan,
    arithmetic: Arithmetic,
    memory: int,
    longest: float,
    reach: RungRange | None,
) -> None:
    """Refuse what would take longer, or more memory, than it may."""
    if arithmetic == "fractions":
        cost = bankroll_grid.estimate_fractions(ladder, plan.rolls, longest)
    elif reach is not None:
        cost = estimate_fourier(ladder, plan.rolls, reach)
    else:
        cost = bankroll_grid.estimate_doubles(ladder, plan.rolls)
    task = f"an exact session of {plan.rolls:,} rolls in {ladder.states:,} states, in {arithmetic},"
    if cost.seconds > longest:
        least = "more than an hour" if arithmetic == "fractions" else _format_hours(cost.seconds)
        if longest < MAX_SECONDS:
            least = f"more than {longest:,.0f} seconds"
        raise SessionTooLargeError(f"{task} would take {least}", Remedy.ROLLS, Remedy.SAMPLE)
    if cost.size > memory * 2**20:
        raise SessionTooLargeError(
            f"{task} would take about {cost.size // 2**20 + 1:,} MB, over the {memory:,} MB "
            "allowed",
            Remedy.MEMORY,
            Remedy.ROLLS,
            Remedy.SAMPLE,
        )


def _format_hours(seconds: float) -> str:
    hours = seconds / 3600
    return f"about {hours:,.0f} hours" if hours < 48 else f"about {hours / 24:,.0f} days"


class _SessionRun:
    """A climb being watched: who was left at each roll, and the bands on the way.

    Where nobody leaves a ``reach`` within which there is no end, it is rolled on in waves.
    """

    def __init__(
        self,
        climb: BankrollEvolution,
        plan: Plan,
        left: Sequence[PlayOutOutcomes],
        bars: Sequence[int] | None,
        reach: RungRange | None,
    ) -> None:
        self.climb: BankrollEvolution | FourierEvolution = climb
        self.plan, self.left, self.bars, self.reach = plan, left, bars, reach
        self.looks = choose_checkpoints(plan.rolls)
        #: What those weigh who made each roll.
        self.rolling: list[int | float] = []
        self.bands: list[tuple[QuantileBand, float]] = [self._band()]

    def walk(self, watch: ProgressCallback | None) -> None:
        """Roll to the end, or until nobody is left."""
        for before, look in pairwise(self.looks):
            if (
                self.reach
                and isinstance(self.climb, BankrollEvolution)
                and before == find_switch_roll(self.plan.rolls)
            ):
                self.climb = FourierEvolution(self.climb, self.reach, self.left)
            while self.climb.rolled < look:
                if self.climb.over:
                    return
                self._roll(look)
                if watch is not None:
                    watch(self.climb.rolled, self.plan.rolls)
            self.bands.append(self._band())

    def _roll(self, look: int) -> None:
        """One roll, or as many as can be made at once before the next look."""
        climb = self.climb
        if isinstance(climb, BankrollEvolution) and climb.can_batch_rolls:
            climb.roll_on(min(_ROLLS_PER_CALL, look - climb.rolled), self.rolling)
        else:
            self.rolling.append(climb.whole - sum(climb.ended()))
            climb.roll()

    def _mixed(self) -> tuple[range, FloatArray]:
        """Worths in doubles, to the whole cent, and their chances."""
        climb, bankroll = self.climb, self.plan.bankroll
        if isinstance(climb, FourierEvolution):
            return climb.mixed(bankroll)
        return add_open_bets_rounded(climb.chances(), self.left, bankroll, climb.steps.unit)

    def _band(self) -> tuple[QuantileBand, float]:
        climb = self.climb
        worths, chances = self._mixed()
        band = QuantileBand(climb.rolled, find_quantiles(worths, chances.tolist()))
        return band, float(exact_ratio(climb.ended()[0], climb.whole))

    def session(self, arithmetic: Arithmetic, seconds: float, interrupted: bool) -> Session:
        """The answer, as of the rolls that were made."""
        climb = self.climb
        plan = self.plan
        if interrupted:
            plan = Plan(
                bankroll=plan.bankroll,
                rolls=climb.rolled,
                stop_win=plan.stop_win,
                stop_loss=plan.stop_loss,
            )
        # Doubles may add up to a last place more than everybody.
        ends = [exact_ratio(end, climb.whole) for end in climb.ended()]
        ruin, goal, stopped = (end if end <= 1 else 1.0 for end in ends)
        bands = self._all_bands(plan.rolls)
        return Session(
            plan=plan,
            method="exact",
            arithmetic=arithmetic,
            states=climb.steps.states,
            ruin=ruin,
            broke=self._broke(),
            goal=goal,
            stopped=stopped,
            rolls=self._rolls(),
            final=self._final(),
            fan=tuple(band for band, _ in bands),
            ruined=tuple(ruined for _, ruined in bands),
            seconds=seconds,
            interrupted=interrupted,
        )

    def _broke(self) -> Number | None:
        if self.bars is None:
            return None
        unit, bankroll = self.climb.steps.unit, self.plan.bankroll
        rungs = [-((bankroll - bar) // unit) for bar in self.bars]
        return exact_ratio(self.climb.weigh_ruined_below(rungs), self.climb.whole)

    def _all_bands(self, rolls: int) -> list[tuple[QuantileBand, float]]:
        """The bands up to ``rolls``: where nobody was left, the last holds from there on."""
        last, ruined = self._band()
        found = [(band, share_) for band, share_ in self.bands if band.roll < last.roll]
        found.append((last, ruined))
        later = [look for look in self.looks if last.roll < look <= rolls]
        return found + [(QuantileBand(look, last.worths), ruined) for look in later]

    def _rolls(self) -> Number:
        """The mean of the rolls played: everybody's who made the first, the second, and so on."""
        rolling = self.rolling[: self.climb.rolled]
        if not self.climb.counted:
            return float(sum(rolling))
        played, whole = 0, self.climb.steps.whole
        for left in rolling:
            played = played * whole + int(left)
        return exact_ratio(played * whole, self.climb.whole)

    def _final(self) -> Distribution:
        climb, bankroll = self.climb, self.plan.bankroll
        unit = climb.steps.unit
        if isinstance(climb, BankrollEvolution) and climb.counted:
            ways, times = add_open_bets_counted(climb.worths(), self.left, bankroll, unit)
            whole = sum(ways.values())
            assert whole == climb.whole * times, "somebody was lost"
            return Distribution(tuple(ways), tuple(ways.values()), whole)
        if isinstance(climb, FourierEvolution) and climb.even:
            worths, chances = climb.mixed(bankroll)
            found: dict[Worth, float] = dict(zip(worths, chances.tolist(), strict=True))
        else:
            found = add_open_bets_doubles(climb.chances(), self.left, bankroll, unit)
        everybody = math.fsum(found.values())
        assert abs(1 - everybody) < _MAX_LOST_CHANCE, "somebody was lost"
        return Distribution(tuple(found), tuple(found.values()), everybody)
