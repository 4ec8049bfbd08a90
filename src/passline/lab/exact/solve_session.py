"""Solve a session exactly: the distribution of the bankroll after some rolls, without sampling.

A player's worth is the chips in the rail plus the bets that are up. Before each roll, and once more
after the last, the session checks in this order: a worth at the goal ends it as a win, a worth at
the loss limit ends it as a loss, and a worth that does not cover the next bets is ruin. All other
sessions roll on.
"""

from __future__ import annotations

import math
import time
from collections.abc import Sequence
from itertools import pairwise

from msgspec.structs import replace

from passline.lab.exact.bankroll_evolution import BankrollEvolution, ShortBankrollTransfer
from passline.lab.exact.bankroll_grid import (
    BankrollGrid,
    build_grid,
    estimate_doubles,
    estimate_fractions,
)
from passline.lab.exact.evolution_kernels import UNREACHABLE
from passline.lab.exact.fourier_evolution import (
    FourierEvolution,
    LevelRange,
    estimate_fourier,
    find_safe_range,
    find_switch_roll,
)
from passline.lab.exact.solve_play_outs import (
    add_open_bets_doubles,
    add_open_bets_exact,
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
from passline.lab.sessions.plan_and_result import (
    Arithmetic,
    Plan,
    ProgressCallback,
    Remedy,
    Session,
    SessionTooLargeError,
    choose_checkpoints,
)

#: Fractions are chosen if they take at most this many seconds. A session that would take more than
#: the second number is refused.
MAX_FRACTION_SECONDS, MAX_SECONDS = 2.0, 3600.0
#: The most rolls in one call of ``roll_many``.
_ROLLS_PER_CALL = 256
#: The largest total probability of the levels that are dropped, in doubles.
_MAX_LOST_CHANCE = 1e-9


def solve_session(
    chain: Chain,
    plan: Plan,
    *,
    open_bets: Sequence[PlayOutOutcomes] = (),
    broke_limits: Sequence[int] | None = None,
    reduced: ReducedBetStates | None = None,
    left_kinds: frozenset[int] = frozenset(),
    arithmetic: Arithmetic | None = None,
    memory: int = DEFAULT_MEMORY_MB,
    watch: ProgressCallback | None = None,
    longest: float = MAX_SECONDS,
) -> Session:
    """Return the exact result of a session.

    * ``open_bets[kind]``: the outcomes of the bets that are up when a session ends in a state of
      that kind (``chain.kinds``). By default they count at their stake.
    * ``broke_limits[kind]``: the worth in cents below which a ruined player can make no bet at all.
      By default the result does not tell such players apart.
    * ``reduced``: the states of players who are short of chips and bet less.
    * ``left_kinds``: the kinds of states in which the player has left. The session ends there as
      ``left``, not as ruin.
    * ``arithmetic``: "fractions" is exact; "doubles" is good to about twelve digits and much
      faster. By default fractions, if they take only seconds.
    * ``memory``: the limit in megabytes. ``longest``: the limit in seconds.

    Raise SessionTooLargeError if the session would take more time or memory. Ctrl-C ends it early:
    then ``interrupted`` is true and everything is as of ``plan.rolls`` rolls, which is fewer.

    >>> from passline.lab.machines.chain import Arc
    >>> coin = Chain(((Arc(0, -500, 18), Arc(0, 500, 18)),), (500,))
    >>> found = solve_session(coin, Plan(bankroll=1000, rolls=3))
    >>> found.ruin, found.final.worths, found.final.mean
    (Fraction(1, 4), (0, 500, 1500, 2500), Fraction(1000, 1))
    """
    if arithmetic not in (None, "fractions", "doubles"):
        raise ValueError(f"arithmetic {arithmetic!r}: expected 'fractions' or 'doubles'")
    began = time.perf_counter()
    grid = build_grid(chain, plan)
    chosen = arithmetic or _choose_arithmetic(grid, plan, memory)
    level_range = find_safe_range(grid, plan) if chosen == "doubles" and reduced is None else None
    _check_cost(grid, plan, chosen, memory, longest, level_range)
    transfer = None if reduced is None else ShortBankrollTransfer(grid, reduced, plan.bankroll)
    evolution = BankrollEvolution(grid, plan.rolls, chosen == "fractions", memory * 2**20, transfer)
    run = _SessionRun(
        evolution,
        plan,
        open_bets or (AT_STAKE,) * evolution.kinds,
        broke_limits,
        level_range,
        left_kinds,
    )
    interrupted = False
    try:
        run.run(watch)
    except KeyboardInterrupt:
        interrupted = True
    return run.session(chosen, time.perf_counter() - began, interrupted)


def _choose_arithmetic(grid: BankrollGrid, plan: Plan, memory: int) -> Arithmetic:
    cost = estimate_fractions(grid, plan.rolls, MAX_FRACTION_SECONDS)
    fits = cost.seconds <= MAX_FRACTION_SECONDS and cost.size <= memory * 2**20
    return "fractions" if fits else "doubles"


def _check_cost(
    grid: BankrollGrid,
    plan: Plan,
    arithmetic: Arithmetic,
    memory: int,
    longest: float,
    level_range: LevelRange | None,
) -> None:
    """Raise SessionTooLargeError if solving the session would take too much time or memory.

    The limits are ``memory`` megabytes and ``longest`` seconds. ``level_range`` is set for a
    session that will switch to the frequency domain.
    """
    if arithmetic == "fractions":
        cost = estimate_fractions(grid, plan.rolls, longest)
    elif level_range is not None:
        cost = estimate_fourier(grid, plan.rolls, level_range)
    else:
        cost = estimate_doubles(grid, plan.rolls)
    task = f"an exact session of {plan.rolls:,} rolls in {grid.states:,} states, in {arithmetic},"
    if cost.seconds > longest:
        hours, least = cost.seconds / 3600, "more than an hour"
        if arithmetic == "doubles":
            least = f"about {hours:,.0f} hours" if hours < 48 else f"about {hours / 24:,.0f} days"
        if longest < MAX_SECONDS:
            least = f"more than {longest:,.0f} seconds"
        raise SessionTooLargeError(f"{task} would take {least}", Remedy.ROLLS, Remedy.SAMPLE)
    if cost.size > memory * 2**20:
        raise SessionTooLargeError(
            f"{task} would take about {cost.size // 2**20 + 1:,} MB, over the {memory:,} MB "
            "allowed",
            *Remedy,
        )


class _SessionRun:
    """A session being solved: the weight still playing at each roll, and the quantiles so far.

    A weight is a probability, or a number of dice sequences. If ``level_range`` is set, no session
    can leave that range of bankroll levels or end early, and the run switches to the frequency
    domain (``fourier_evolution``).
    """

    def __init__(
        self,
        evolution: BankrollEvolution,
        plan: Plan,
        open_bets: Sequence[PlayOutOutcomes],
        broke_limits: Sequence[int] | None,
        level_range: LevelRange | None,
        left_kinds: frozenset[int] = frozenset(),
    ) -> None:
        self.left_kinds = left_kinds
        self.evolution: BankrollEvolution | FourierEvolution = evolution
        self.plan, self.open_bets = plan, open_bets
        self.broke_limits, self.level_range = broke_limits, level_range
        self.checkpoints, self.switch_roll = (
            choose_checkpoints(plan.rolls),
            find_switch_roll(plan.rolls),
        )
        #: The weight still playing at each roll.
        self.rolling: list[int | float] = []
        self.bands: list[tuple[QuantileBand, float]] = [self._band()]

    def run(self, watch: ProgressCallback | None) -> None:
        """Advance to the last roll, or until all sessions have ended.

        ``watch`` is called with the rolls done and the rolls planned.
        """
        for before, checkpoint in pairwise(self.checkpoints):
            evolution = self.evolution
            level_range = self.level_range if before == self.switch_roll else None
            if level_range and isinstance(evolution, BankrollEvolution):
                self.evolution = FourierEvolution(evolution, level_range, self.open_bets)
            while self.evolution.rolled < checkpoint:
                if self.evolution.is_over:
                    return
                self._roll(checkpoint)
                if watch is not None:
                    watch(self.evolution.rolled, self.plan.rolls)
            self.bands.append(self._band())

    def _roll(self, checkpoint: int) -> None:
        """Advance one roll, or as many as can be batched before the next checkpoint."""
        evolution = self.evolution
        if isinstance(evolution, BankrollEvolution) and evolution.can_batch_rolls:
            evolution.roll_many(min(_ROLLS_PER_CALL, checkpoint - evolution.rolled), self.rolling)
        else:
            self.rolling.append(evolution.whole - sum(evolution.ended()))
            evolution.roll()

    def _find_worths(self) -> tuple[range, FloatArray]:
        """Return (final worths in whole cents, their probabilities), with all open bets decided."""
        evolution, bankroll = self.evolution, self.plan.bankroll
        if isinstance(evolution, FourierEvolution):
            return evolution.add_open_bets(bankroll)
        unit = evolution.grid.unit
        return add_open_bets_rounded(evolution.chances(), self.open_bets, bankroll, unit)

    def _band(self) -> tuple[QuantileBand, float]:
        evolution = self.evolution
        worths, chances = self._find_worths()
        band = QuantileBand(evolution.rolled, find_quantiles(worths, chances.tolist()))
        ended = evolution.ended()[0] - self._find_left_weight()
        return band, float(exact_ratio(ended, evolution.whole))

    def _find_left_weight(self) -> int | float:
        """Return the weight of sessions that ended because enough shooters sevened out."""
        if not self.left_kinds:
            return 0
        every = [
            UNREACHABLE if kind in self.left_kinds else -UNREACHABLE
            for kind in range(len(self.open_bets))
        ]
        return self.evolution.weigh_ruined_below(every)

    def session(self, arithmetic: Arithmetic, seconds: float, interrupted: bool) -> Session:
        """Return the session's result as of the rolls made so far.

        If ``interrupted``, the plan of the result has only these rolls. ``seconds`` is the time
        taken.
        """
        evolution, plan = self.evolution, self.plan
        if interrupted:
            plan = replace(plan, rolls=evolution.rolled)
        # Rounding may bring a sum of doubles slightly above 1.
        ruined, *others = evolution.ended()
        left = self._find_left_weight()
        ends = [exact_ratio(end, evolution.whole) for end in (ruined - left, *others, left)]
        ruin, goal, stopped, gone = (end if end <= 1 else 1.0 for end in ends)
        bands = self._all_bands(plan.rolls)
        return Session(
            plan=plan,
            method="exact",
            arithmetic=arithmetic,
            states=evolution.grid.states,
            ruin=ruin,
            broke=self._broke(),
            goal=goal,
            stopped=stopped,
            left=gone if self.left_kinds else None,
            rolls=self._rolls(),
            final=self._final(),
            fan=tuple(band for band, _ in bands),
            ruined=tuple(ruined for _, ruined in bands),
            seconds=seconds,
            interrupted=interrupted,
        )

    def _broke(self) -> Number | None:
        if self.broke_limits is None:
            return None
        unit = self.evolution.grid.unit
        levels = [self.plan.find_level(limit, unit) for limit in self.broke_limits]
        return exact_ratio(self.evolution.weigh_ruined_below(levels), self.evolution.whole)

    def _all_bands(self, rolls: int) -> list[tuple[QuantileBand, float]]:
        """Return (quantiles, chance of ruin so far) for each checkpoint up to ``rolls``.

        Checkpoints after the end of all sessions repeat the last values.
        """
        last, ruined = self._band()
        before = [each for each in self.bands if each[0].roll < last.roll]
        later = [roll for roll in self.checkpoints if last.roll < roll <= rolls]
        return before + [(QuantileBand(roll, last.worths), ruined) for roll in (last.roll, *later)]

    def _rolls(self) -> Number:
        """Return the mean number of rolls played: the sum of the chances of making each roll."""
        rolling = self.rolling[: self.evolution.rolled]
        if not self.evolution.is_exact:
            return float(sum(rolling))
        played, whole = 0, self.evolution.grid.whole
        for weight in rolling:
            played = played * whole + int(weight)
        return exact_ratio(played * whole, self.evolution.whole)

    def _final(self) -> Distribution:
        evolution, bankroll = self.evolution, self.plan.bankroll
        unit = evolution.grid.unit
        if isinstance(evolution, BankrollEvolution) and evolution.is_exact:
            ways, times = add_open_bets_exact(evolution.worths(), self.open_bets, bankroll, unit)
            whole = sum(ways.values())
            assert whole == evolution.whole * times, "the weights do not add up"
            return Distribution(tuple(ways), tuple(ways.values()), whole)
        if isinstance(evolution, FourierEvolution) and evolution.is_on_grid:
            worths, chances = evolution.add_open_bets(bankroll)
            found: dict[Worth, float] = dict(zip(worths, chances.tolist(), strict=True))
        else:
            found = add_open_bets_doubles(evolution.chances(), self.open_bets, bankroll, unit)
        total = math.fsum(found.values())
        assert abs(1 - total) < _MAX_LOST_CHANCE, "the probabilities do not add up to 1"
        return Distribution(tuple(found), tuple(found.values()), total)
