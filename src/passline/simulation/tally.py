"""What sampled sessions came to so far, on whatever they were played."""

from __future__ import annotations

import math
import time
from fractions import Fraction

import numpy as np

from passline.sessions import Band, Distribution, Plan, SampledSession
from passline.sessions.distribution import quantiles
from passline.sessions.ends import EARLY_ENDS, GOAL, RUINED, STOPPED
from passline.sessions.plan import checkpoints
from passline.sessions.session import FEWEST_TRIALS
from passline.simulation.left_up import Bars, KeyCounts, Left, OpenValues
from passline.simulation.trials import FAR, TrialEnds, key_of


class TrialTally:
    """What the trials came to so far."""

    def __init__(self, plan: Plan, opening: int, looks: tuple[int, ...] = ()) -> None:
        self.plan, self.opening = plan, opening
        self.looks = looks or checkpoints(plan.rolls)
        self.trials, self.extremes = 0, True
        #: The first sets, which are looked at anew where the run is soon broken off.
        self.first: list[TrialEnds] = []
        self.ended = [0, 0, 0, 0]
        #: How many were ever short and played on; None: nobody does.
        self.ever_short: int | None = None
        self.rolls = self.rolls_squared = self.highest = self.lowest = 0
        self.ruined = np.zeros(len(self.looks), np.int64)
        self.worths = [KeyCounts() for _ in self.looks]

    def add(self, outcome: TrialEnds) -> None:
        """Add what trials came to."""
        from passline.simulation import tally_loops as loops

        ends, worths = outcome
        sums, fell = np.zeros(loops.SUMS, np.int64), np.zeros(len(self.looks), np.int64)
        loops.sum_ends(ends, RUINED, np.array(self.looks), sums, fell)
        self.trials += len(ends)
        self.ended = [so_far + int(more) for so_far, more in zip(self.ended, sums, strict=False)]
        self.rolls += int(sums[loops.ROLLED])
        squares, longest = int(sums[loops.SQUARED]), int(sums[loops.LONGEST])
        if longest**2 * len(ends) >= 2**63:
            squares = int((ends[:, 1].astype(object) ** 2).sum())
        self.rolls_squared += squares
        self.highest += int(sums[loops.HIGHEST])
        self.lowest += int(sums[loops.LOWEST])
        if ends.shape[1] > 4:
            self.ever_short = (self.ever_short or 0) + int(ends[:, 4].sum())
        self.ruined += fell
        began = np.array([key_of(self.plan.bankroll, self.opening)])
        self.worths[0].add(began, np.array([len(ends)]))
        for look, (keys, many) in zip(self.worths[1:], worths, strict=True):
            look.add(keys, many)

    def share(self, kind: int) -> Fraction:
        """The share of trials that ended so."""
        return Fraction(self.ended[kind], self.trials)

    def broke(self, bars: Bars) -> Fraction:
        """The share that ended with nothing up and less than any wager takes."""
        goal = FAR if self.plan.goal is None else self.plan.goal
        floor = -FAR if self.plan.floor is None else self.plan.floor
        return Fraction(self.worths[-1].count_between(floor, goal, bars), self.trials)

    def errors(self, final: Distribution, besides: dict[str, Fraction]) -> dict[str, float]:
        """Standard errors of the mean worth, the shares and the mean rolls, where they are told."""
        if self.trials < FEWEST_TRIALS:
            return {}
        squares = self.rolls_squared * self.trials - self.rolls**2
        found = {
            "mean": final.sd / math.sqrt(self.trials - 1),
            "rolls": math.sqrt(squares / (self.trials - 1)) / self.trials,
        }
        shares = {word: self.share(kind) for kind, word in enumerate(EARLY_ENDS)}
        for word, exactly in (shares | besides).items():
            share = float(exactly)
            found[word] = math.sqrt(share * (1 - share) / (self.trials - 1))
        return {word: error for word, error in found.items() if error}

    def value(self, left: Left, seed: int) -> list[Distribution]:
        """The worths at each look, what was up then played out: once for every trial."""
        kinds = set().union(*(look.kinds() for look in self.worths))
        outcomes, rng = OpenValues(left(kinds)), np.random.default_rng([seed, self.trials])
        return [look.value(outcomes, rng, self.trials) for look in self.worths]


def told_session(
    tally: TrialTally,
    states: int,
    seed: int,
    began: float,
    left: Left,
    bars: Bars | None = None,
) -> SampledSession:
    """The session that the trials tell of; ``began`` as ``perf_counter`` had it."""
    ruin = tally.share(RUINED)
    besides: dict[str, Fraction] = {}
    if bars is not None:
        besides["broke"] = tally.broke(bars)
        besides["short"] = ruin - besides["broke"]
    if tally.ever_short is not None and tally.extremes:
        besides["ever_short"] = Fraction(tally.ever_short, tally.trials)
    looks = tally.value(left, seed)
    final = looks[-1]
    bands = [quantiles(look.worths, look.weights) for look in looks]
    return SampledSession(
        plan=tally.plan,
        method="simulated",
        arithmetic="doubles",
        states=states,
        ruin=ruin,
        broke=besides.get("broke"),
        ever_short=besides.get("ever_short"),
        goal=tally.share(GOAL),
        stopped=tally.share(STOPPED),
        rolls=Fraction(tally.rolls, tally.trials),
        final=final,
        fan=tuple(Band(roll, band) for roll, band in zip(tally.looks, bands, strict=True)),
        ruined=tuple((tally.ruined / tally.trials).tolist()),
        seconds=time.perf_counter() - began,
        trials=tally.trials,
        seed=seed,
        errors=tally.errors(final, besides),
        highest=tally.highest / tally.trials if tally.extremes else None,
        lowest=tally.lowest / tally.trials if tally.extremes else None,
    )
