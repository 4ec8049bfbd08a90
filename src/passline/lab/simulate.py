"""Simulate many rolls of a strategy beside its exact mean, or estimate what a longer run takes.

The estimate is the run's time, cost and standard error, from a short sample.
"""

from __future__ import annotations

import math
import time
from concurrent.futures import Executor
from fractions import Fraction
from functools import partial
from typing import TYPE_CHECKING, Any, Literal

import msgspec

from passline.game.dice.dice import FAIR, Dice
from passline.game.money.amounts import show_money
from passline.game.words.lab import say_lab
from passline.lab.exact.long_run import (
    Convergence,
    LongRun,
    find_convergence,
    find_game_mean,
    find_volatility,
    solve_long_run,
)
from passline.lab.machines.chain import MAX_SOLVED_STATES, Chain
from passline.lab.machines.machine import Machine, SavedMachine
from passline.lab.machines.origin import MachineOrigin
from passline.lab.results import LabResult, ResultTable, make_columns
from passline.lab.simulation.rolls import MIN_BATCHES, PlayedRolls, WatchRolls, play_rolls
from passline.lab.simulation.seeds import draw_seed
from passline.lab.simulation.workers import Workers
from passline.lab.strategy_machine import explore_before_play, explore_machine

if TYPE_CHECKING:
    from passline.lab.simulation.gpu.card import GraphicsCard

#: What a standard error is computed from: the chain's long run, the games, or batches of rolls.
ErrorSource = Literal["chain", "games", "batches"]
#: The most rolls and workers of a run.
MAX_ROLLS, MAX_WORKERS = 10**15, 1024


class Simulation(LabResult, PlayedRolls, frozen=True, kw_only=True):
    """The result of many simulated rolls, in cents, beside the exact result.

    ``closed`` says whether ``states`` are all of the machine's states. ``exact`` is the exact long
    run; None if states are unexplored or too many. ``sd_rate`` is the long-run volatility in cents
    per square root of rolls, and ``settling`` says how fast the chain converges.

    ``error_from`` says what ``standard_error`` is computed from. "chain": the exact volatility.
    "games": the results of separate games, on a graphics card or if the chain converges slowly or
    to several means. "batches": batches of rolls. ``mean_of_games`` is the expected mean per roll
    of separate games. ``exploring_seconds`` is the time spent exploring the machine before the
    play.
    """

    about: MachineOrigin
    states: int
    closed: bool
    exact: LongRun | None
    sd_rate: float | None = None
    error_from: ErrorSource = "batches"
    settling: Convergence | None = None
    mean_of_games: float | None = None
    exploring_seconds: float = 0.0
    method: Literal["simulated"] = "simulated"

    def headline(self) -> str:
        """Return in one line the mean per roll with its standard error, and the exact mean."""
        error = self.standard_error
        sure = "" if error is None else f" (error {error:.4f} cents)"
        exact = self.exact_mean_per_roll
        exact_text = "" if exact is None else f"; exact: {float(exact):.4f} cents = {exact}"
        return (
            f"{self.about.strategy}, {self.rolls:,} rolls: {show_money(self.net)}, "
            f"{self.mean_per_roll:.4f} cents a roll{sure}{exact_text}"
        )

    def to_table(self) -> ResultTable:
        """Return a table of the mean per roll in cents, simulated and exact."""
        columns = make_columns(method="words", cents_a_roll="figure", sd="figure")
        columns |= make_columns(standard_error="figure")
        records: list[tuple[Any, ...]] = [
            ("simulated", self.mean_per_roll, self.sd_per_roll, self.standard_error)
        ]
        if self.exact is not None:
            records.append(("exact", self.exact.mean, self.exact.sd, None))
        return ResultTable(columns, records, x_column="method", y_column="cents_a_roll")

    @property
    def exact_mean_per_roll(self) -> Fraction | None:
        """The exact long-run mean change per roll, in cents; None if it was not solved."""
        return None if self.exact is None else self.exact.mean

    @property
    def exact_sd_per_roll(self) -> float | None:
        """The exact standard deviation of a roll's change, in cents; None if it was not solved."""
        return None if self.exact is None else self.exact.sd


def simulate(
    machine: Machine | SavedMachine,
    rolls: int,
    *,
    seed: int | None = None,
    workers: int | None = None,
    executor: Executor | Workers | None = None,
    card: GraphicsCard | None = None,
    watch: WatchRolls | None = None,
    dice: Dice = FAIR,
) -> Simulation:
    """Play exactly ``rolls`` rolls of a machine's strategy with random dice.

    The same seed gives the same result for any number of ``workers`` (threads; all cores by
    default) and any ``executor`` of concurrent.futures. Without a seed, one is drawn and returned
    in the result. ``watch`` is called with the result so far now and then. ``dice`` may be other
    than fair.

    A small machine is explored completely first; a larger one is explored while it is played.
    Ctrl-C, a strategy error, full memory and an executor that fails end the run early and keep what
    was played: ``interrupted`` is true, and ``reason`` says why. An executor that fails before any
    roll raises its exception. With a ``card`` (``passline.lab.simulation.gpu.card.open_card()``) a
    completely explored machine is played there, with other throws for the same seed. Raise
    ValueError for input that makes no sense.

    >>> from passline.lab.strategy_machine import machine
    >>> found = simulate(machine("iowa", "pass"), 1000, seed=7)
    >>> found.rolls, found.exact_mean_per_roll
    (1000, Fraction(-7000, 1671))
    """
    check_number("rolls", rolls, 1, MAX_ROLLS)
    check_number("workers", 1 if workers is None else workers, 1, MAX_WORKERS)
    began = time.perf_counter()
    small = explore_before_play(machine)
    if card is not None and isinstance(machine, Machine):
        explore_machine(machine)  # A card plays completely explored machines only.
        small = machine.closed
    exploring = time.perf_counter() - began
    chain = machine.chain(dice=dice) if small else None
    seed = draw_seed() if seed is None else seed
    settling = find_convergence(chain) if chain and len(chain) <= MAX_SOLVED_STATES else None
    games = settling.count_games(rolls) if settling and settling.is_slow else None
    if card is not None:
        played = _play_on_gpu(card, chain, rolls, seed, watch)
    else:
        by = partial(play_rolls, seed=seed, workers=workers, executor=executor, watch=watch)
        played = by(chain or machine, rolls, games=games, dice=dice)
    if chain is None and machine.closed:  # Playing reached every state.
        chain = machine.chain(dice=dice)
    between = card is not None or games is not None
    played, exact, rate, source = _check_against_exact(played, chain, settling, between)
    expected = None
    if chain and games is not None and played.rolls:
        expected = find_game_mean(chain, max(played.rolls // played.games, 1))
    return Simulation(
        **msgspec.structs.asdict(played),
        about=machine.about,
        states=machine.states,
        closed=machine.closed,
        exact=exact,
        sd_rate=rate,
        error_from=source,
        settling=settling,
        mean_of_games=expected,
        exploring_seconds=exploring,
    )


def _check_against_exact(
    played: PlayedRolls, chain: Chain | None, settling: Convergence | None, between: bool
) -> tuple[PlayedRolls, LongRun | None, float | None, ErrorSource]:
    """Solve the exact long run, and choose the source of the simulated result's standard error.

    Return (result, exact long run, its volatility, source). Long run and volatility are None if
    they are not known: without ``chain``, with too many states, or after Ctrl-C, which also marks
    the result as interrupted. The source is "games" if ``between`` is true: the run measured the
    error between separate games. It is "chain" if the exact volatility is known and the run is long
    enough; that error then replaces the result's. Otherwise it is "batches".
    """
    exact = rate = None
    if chain and len(chain) <= MAX_SOLVED_STATES:
        try:
            exact = solve_long_run(chain)
            rate = find_volatility(chain, exact)
        except KeyboardInterrupt:  # Keep the rolls that were played.
            reason = "interrupted while the exact mean was worked out"
            played = msgspec.structs.replace(played, interrupted=True, reason=reason)
    if between:
        return played, exact, rate, "games"
    if not rate or settling is None or played.rolls < MIN_BATCHES * settling.rolls:
        return played, exact, rate, "batches"
    error = rate / math.sqrt(played.rolls)
    return msgspec.structs.replace(played, standard_error=error), exact, rate, "chain"


def _play_on_gpu(
    card: GraphicsCard, chain: Chain | None, rolls: int, seed: int, watch: WatchRolls | None
) -> PlayedRolls:
    from passline.lab.simulation.gpu.rolls import play_rolls_on_card

    if chain is None:
        raise ValueError(say_lab("gpu-unexplored"))
    return play_rolls_on_card(card, chain, rolls, seed=seed, watch=watch)


def check_number(what: str, number: int, least: int, most: int) -> None:
    """Raise ValueError unless ``number`` is an int from ``least`` to ``most``.

    ``what`` names its unit in the message, such as "rolls".
    """
    if not isinstance(number, int) or not least <= number <= most:
        raise ValueError(f"{number} {what}: expected a whole number from {least:,} to {most:,}")


#: The rolls to play to measure the speed of a core and of a graphics card, in a moment each.
SAMPLE_ROLLS, SAMPLE_ROLLS_ON_GPU = 3 * 10**8, 10**12
#: The most cores or cards of an estimate.
MAX_CORES = 10**6


class SimulationEstimate(msgspec.Struct, frozen=True, kw_only=True):
    """The estimated time, cost and error of a long run on a number of cores or graphics cards.

    ``hours`` is the time that one core (or card) would take for all rolls, and ``seconds`` the time
    if ``cores`` of them share the rolls. ``cost`` is in dollars, with ``price`` for an hour of one
    core. ``standard_error`` is that of the mean per roll, in cents; None if it is not known.
    ``error_from`` says whether it comes from the chain or from the ``sample``, the short run that
    was played.
    """

    rolls: int
    cores: int
    hours: float
    seconds: float
    price: float | None
    cost: float | None
    standard_error: float | None
    error_from: Literal["chain", "sample"]
    sample: Simulation


def estimate_simulation(
    machine: Machine | SavedMachine,
    rolls: int,
    *,
    cores: int = 1,
    price: float | None = None,
    seed: int | None = None,
    card: GraphicsCard | None = None,
    dice: Dice = FAIR,
    sample: int | None = None,
) -> SimulationEstimate:
    """Estimate the time, cost and error of a run of ``rolls`` rolls.

    One core, or the ``card``, plays a short sample now, of ``sample`` rolls. The run is to be shared
    by ``cores`` such cores (or cards); an hour of one costs ``price`` dollars.

    >>> from passline.lab.strategy_machine import machine
    >>> found = estimate_simulation(machine("iowa", "pass"), 10**15, cores=1000, sample=10**6, seed=1)
    >>> f"{found.standard_error:.1g}", found.error_from
    ('2e-05', 'chain')
    """  # noqa: E501
    check_number("rolls", rolls, 1, MAX_ROLLS)
    check_number("cores", cores, 1, MAX_CORES)
    played = min(rolls, sample or (SAMPLE_ROLLS if card is None else SAMPLE_ROLLS_ON_GPU))
    found = simulate(machine, played, seed=seed, workers=1, card=card, dice=dice)
    hours = rolls / found.rolls_per_second / 3600
    error = found.sd_rate
    if error is None and found.standard_error is not None:
        error = found.standard_error * math.sqrt(found.rolls)
    return SimulationEstimate(
        rolls=rolls,
        cores=cores,
        hours=hours,
        seconds=hours * 3600 / cores,
        price=price,
        cost=None if price is None else hours * price,
        standard_error=None if error is None else error / math.sqrt(rolls),
        error_from="sample" if found.sd_rate is None else "chain",
        sample=found,
    )
