"""Exact sessions: the whole distribution of the bankroll after so many rolls, without sampling.

Between rolls, and once more after the last, in this order: a worth at the goal leaves a winner, a
worth at the floor leaves, and a worth under the state's need is ruined. Everybody else rolls.
"""

from __future__ import annotations

import math
import time
from collections.abc import Sequence
from itertools import pairwise

from passline.exact import effort
from passline.exact.aside import StepsAside
from passline.exact.climb import Climb
from passline.exact.mixing import mix_chances, mix_measured, mix_worths
from passline.exact.steps import Steps, lay_steps
from passline.exact.waves import Reach, Waves, begin_at, far_reach, reckon_waves
from passline.machines import MEMORY, Chain
from passline.machines.arrays import Floats
from passline.machines.short import Aside
from passline.sessions import (
    Arithmetic,
    Band,
    Distribution,
    Plan,
    Remedy,
    Session,
    TooLong,
    WatchProgress,
)
from passline.sessions.distribution import AT_STAKE, Number, PlayedOut, Worth, quantiles, share
from passline.sessions.plan import checkpoints

#: Fractions are chosen where they take so many seconds at most; nothing is begun that takes longer
#: than the longest.
READY, LONGEST = 2.0, 3600.0
#: Rolls that are made at once, where they can be.
_AT_ONCE = 256
#: What doubles may lose altogether.
_LOST = 1e-9


def exact_session(
    chain: Chain,
    plan: Plan,
    *,
    left: Sequence[PlayedOut] = (),
    bars: Sequence[int] | None = None,
    aside: Aside | None = None,
    arithmetic: Arithmetic | None = None,
    memory: int = MEMORY,
    watch: WatchProgress | None = None,
    longest: float = LONGEST,
) -> Session:
    """How a session ends, exactly.

    ``left[kind]``: what comes of the wagers that are up when a session ends in a state of that
    kind (``chain.kinds``); without it they count at their stake. ``bars[kind]``: the worth (cents)
    under which who is ruined there is broke, and not only short; without it that is not told.
    ``aside``: who is short plays on beside the state. ``arithmetic``: "fractions" loses
    nothing; "doubles" is good to some twelve digits and much faster; None chooses fractions where
    they take a few seconds. ``memory`` is in megabytes. Raises TooLong, saying why, for what would
    take more than ``longest`` seconds or more memory. Ctrl-C ends it early: ``interrupted`` is
    true, and everything is as of ``plan.rolls`` rolls, which is fewer.

    >>> from passline.machines import Arc
    >>> coin = Chain(((Arc(0, -500, 18), Arc(0, 500, 18)),), (500,))
    >>> found = exact_session(coin, Plan(bankroll=1000, rolls=3))
    >>> found.ruin, found.final.worths, found.final.mean
    (Fraction(1, 4), (0, 500, 1500, 2500), Fraction(1000, 1))
    """
    if arithmetic not in (None, "fractions", "doubles"):
        raise ValueError(f"arithmetic {arithmetic!r}: expected 'fractions' or 'doubles'")
    began = time.perf_counter()
    ladder = lay_steps(chain, plan)
    chosen = arithmetic or _chosen(ladder, plan, memory)
    reach = far_reach(ladder, plan) if chosen == "doubles" and aside is None else None
    _check(ladder, plan, chosen, memory, longest, reach)
    beside = None if aside is None else StepsAside(ladder, aside, plan.bankroll)
    climb = Climb(ladder, plan.rolls, chosen == "fractions", memory * 2**20, beside)
    way = _Way(climb, plan, left or (AT_STAKE,) * climb.kinds, bars, reach)
    interrupted = False
    try:
        way.walk(watch)
    except KeyboardInterrupt:
        interrupted = True
    return way.session(chosen, time.perf_counter() - began, interrupted)


def _chosen(ladder: Steps, plan: Plan, memory: int) -> Arithmetic:
    cost = effort.reckon_counted(ladder, plan.rolls, READY)
    fits = cost.seconds <= READY and cost.size <= memory * 2**20
    return "fractions" if fits else "doubles"


def _check(
    ladder: Steps,
    plan: Plan,
    arithmetic: Arithmetic,
    memory: int,
    longest: float,
    reach: Reach | None,
) -> None:
    """Refuse what would take longer, or more memory, than it may."""
    if arithmetic == "fractions":
        cost = effort.reckon_counted(ladder, plan.rolls, longest)
    elif reach is not None:
        cost = reckon_waves(ladder, plan.rolls, reach)
    else:
        cost = effort.reckon_measured(ladder, plan.rolls)
    task = f"an exact session of {plan.rolls:,} rolls in {ladder.states:,} states, in {arithmetic},"
    if cost.seconds > longest:
        least = "more than an hour" if arithmetic == "fractions" else _hours(cost.seconds)
        if longest < LONGEST:
            least = f"more than {longest:,.0f} seconds"
        raise TooLong(f"{task} would take {least}", Remedy.ROLLS, Remedy.SAMPLE)
    if cost.size > memory * 2**20:
        raise TooLong(
            f"{task} would take about {cost.size // 2**20 + 1:,} MB, over the {memory:,} MB "
            "allowed",
            Remedy.MEMORY,
            Remedy.ROLLS,
            Remedy.SAMPLE,
        )


def _hours(seconds: float) -> str:
    hours = seconds / 3600
    return f"about {hours:,.0f} hours" if hours < 48 else f"about {hours / 24:,.0f} days"


class _Way:
    """A climb being watched: who was left at each roll, and the bands on the way.

    Where nobody leaves a ``reach`` within which there is no end, it is rolled on in waves.
    """

    def __init__(
        self,
        climb: Climb,
        plan: Plan,
        left: Sequence[PlayedOut],
        bars: Sequence[int] | None,
        reach: Reach | None,
    ) -> None:
        self.climb: Climb | Waves = climb
        self.plan, self.left, self.bars, self.reach = plan, left, bars, reach
        self.looks = checkpoints(plan.rolls)
        #: What those weigh who made each roll.
        self.rolling: list[int | float] = []
        self.bands: list[tuple[Band, float]] = [self._band()]

    def walk(self, watch: WatchProgress | None) -> None:
        """Roll to the end, or until nobody is left."""
        for before, look in pairwise(self.looks):
            if self.reach and isinstance(self.climb, Climb) and before == begin_at(self.plan.rolls):
                self.climb = Waves(self.climb, self.reach, self.left)
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
        if isinstance(climb, Climb) and climb.many_at_once:
            climb.roll_on(min(_AT_ONCE, look - climb.rolled), self.rolling)
        else:
            self.rolling.append(climb.whole - sum(climb.ended()))
            climb.roll()

    def _mixed(self) -> tuple[range, Floats]:
        """Worths in doubles, to the whole cent, and their chances."""
        climb, bankroll = self.climb, self.plan.bankroll
        if isinstance(climb, Waves):
            return climb.mixed(bankroll)
        return mix_chances(climb.chances(), self.left, bankroll, climb.steps.unit)

    def _band(self) -> tuple[Band, float]:
        climb = self.climb
        worths, chances = self._mixed()
        band = Band(climb.rolled, quantiles(worths, chances.tolist()))
        return band, float(share(climb.ended()[0], climb.whole))

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
        ends = [share(end, climb.whole) for end in climb.ended()]
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
        return share(self.climb.ruined_under(rungs), self.climb.whole)

    def _all_bands(self, rolls: int) -> list[tuple[Band, float]]:
        """The bands up to ``rolls``: where nobody was left, the last holds from there on."""
        last, ruined = self._band()
        found = [(band, share_) for band, share_ in self.bands if band.roll < last.roll]
        found.append((last, ruined))
        later = [look for look in self.looks if last.roll < look <= rolls]
        return found + [(Band(look, last.worths), ruined) for look in later]

    def _rolls(self) -> Number:
        """The mean of the rolls played: everybody's who made the first, the second, and so on."""
        rolling = self.rolling[: self.climb.rolled]
        if not self.climb.counted:
            return float(sum(rolling))
        played, whole = 0, self.climb.steps.whole
        for left in rolling:
            played = played * whole + int(left)
        return share(played * whole, self.climb.whole)

    def _final(self) -> Distribution:
        climb, bankroll = self.climb, self.plan.bankroll
        unit = climb.steps.unit
        if isinstance(climb, Climb) and climb.counted:
            ways, times = mix_worths(climb.worths(), self.left, bankroll, unit)
            whole = sum(ways.values())
            assert whole == climb.whole * times, "somebody was lost"
            return Distribution(tuple(ways), tuple(ways.values()), whole)
        if isinstance(climb, Waves) and climb.even:
            worths, chances = climb.mixed(bankroll)
            found: dict[Worth, float] = dict(zip(worths, chances.tolist(), strict=True))
        else:
            found = mix_measured(climb.chances(), self.left, bankroll, unit)
        everybody = math.fsum(found.values())
        assert abs(1 - everybody) < _LOST, "somebody was lost"
        return Distribution(tuple(found), tuple(found.values()), everybody)
