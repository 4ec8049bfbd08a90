"""Rolls of a machine by the million, with the exact answer beside them.

More rolls than one machine plays in a day: how long they take a cluster, what they cost, and how
sure they would make one. Nothing is played but a sample, for the speed.
"""

from __future__ import annotations

import math
import time
from concurrent.futures import Executor
from fractions import Fraction
from functools import partial
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

import msgspec

from passline.game.dice.dice import FAIR, Dice
from passline.game.money.amounts import show_money
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
from passline.lab.results import ColumnKind, LabResult, ResultTable
from passline.lab.simulation.rolls import MIN_BATCHES, PlayedRolls, WatchRolls, play_rolls
from passline.lab.simulation.seeds import draw_seed
from passline.lab.simulation.workers import Workers
from passline.lab.strategy_machine import explore_machine

if TYPE_CHECKING:
    from passline.lab.simulation.gpu.card import GraphicsCard

#: What a standard error is made from: the chain's long run, the games, or batches of rolls.
ErrorSource = Literal["chain", "games", "batches"]
#: Rolls and workers beyond which nobody means what he says.
MAX_ROLLS, MAX_WORKERS = 10**15, 1024


class Simulation(LabResult, PlayedRolls, frozen=True, kw_only=True):
    """What so many rolls came to, in cents, and what they should come to.

    ``states`` is how many the machine has, ``closed`` whether that is all. ``exact`` is None where
    it is not closed, or its chain has too many states to be solved beside a simulation. ``find_volatility``
    is how fast the swings grow in the long run (``exact.rate``): by the root of the rolls it is the
    standard error, too; None where that is not told.
    ``standard_error`` is made as ``error_from`` says (``exact.settling`` has the rule): from
    ``find_volatility``, unless the chain settles down in several ways or slowly (``settling``): then it is
    the one between games, and ``find_game_mean`` what a roll of such games brings on average. A card
    always tells the one between games.
    ``seconds`` is the play, and the growing while it is played; ``exploring_seconds`` what
    exploring the machine took before.
    """  # noqa: E501

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
        """What a roll came to, how sure that is, and what it should come to."""
        error = self.standard_error
        sure = "" if error is None else f" (error {error:.4f} cents)"
        exact = self.exact_mean_per_roll
        told = "" if exact is None else f"; exact: {float(exact):.4f} cents = {exact}"
        return (
            f"{self.about.strategy}, {self.rolls:,} rolls: {show_money(self.net)}, "
            f"{self.mean_per_roll:.4f} cents a roll{sure}{told}"
        )

    def to_table(self) -> ResultTable:
        """A roll's change in cents, as it came and as it should."""
        columns: dict[str, ColumnKind] = {
            "method": "words",
            "cents_a_roll": "figure",
            "sd": "figure",
            "standard_error": "figure",
        }
        records: list[tuple[Any, ...]] = [
            ("simulated", self.mean_per_roll, self.sd_per_roll, self.standard_error)
        ]
        if self.exact is not None:
            records.append(("exact", self.exact.mean, self.exact.sd, None))
        return ResultTable(columns, records, x_column="method", y_column="cents_a_roll")

    @property
    def exact_mean_per_roll(self) -> Fraction | None:
        """The exact mean change of a roll in the long run."""
        return None if self.exact is None else self.exact.mean

    @property
    def exact_sd_per_roll(self) -> float | None:
        """The exact standard deviation of a roll's change."""
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

    The same seed gives the same result whatever the number of ``workers`` (threads; all cores
    unless told) and whatever ``executor`` (any of concurrent.futures) takes the work. Without a
    seed a fresh one is drawn; the result tells it. ``watch`` is shown the result so far now and
    then. Ctrl-C ends it early and keeps what was played: ``interrupted`` is true then; so do a
    machine that cannot grow on and an executor that fails, with their ``reason``. An executor that
    fails before anything was played raises what it raised. A machine that is not closed
    grows in this process, whoever plays it. With a ``card``
    (``passline.lab.simulation.gpu.card.open_card()``) a closed machine is played there, by other throws for
    the same seed. ``dice``: others than fair ones. ValueError for what makes no sense.

    >>> from passline.lab.strategy_machine import machine
    >>> found = simulate(machine("iowa", "pass"), 1000, seed=7)
    >>> found.rolls, found.exact_mean_per_roll
    (1000, Fraction(-7000, 1671))
    """  # noqa: E501
    check_number("rolls", rolls, 1, MAX_ROLLS)
    check_number("workers", 1 if workers is None else workers, 1, MAX_WORKERS)
    began = time.perf_counter()
    if isinstance(machine, Machine):
        explore_machine(machine)
    exploring = time.perf_counter() - began
    chain = machine.chain(dice=dice) if machine.closed else None
    seed = draw_seed() if seed is None else seed
    settling = find_convergence(chain) if chain and len(chain) <= MAX_SOLVED_STATES else None
    games = settling.count_games(rolls) if settling and settling.is_slow else None
    if card is not None:
        played = _play_on_gpu(card, chain, rolls, seed, watch)
    else:
        by = partial(play_rolls, seed=seed, workers=workers, executor=executor, watch=watch)
        played = by(chain or machine, rolls, games=games, dice=dice)
    between = card is not None or games is not None
    judged = _check_against_exact(played, chain, settling, between)
    expected = None
    if chain and games is not None and played.rolls:
        expected = find_game_mean(chain, max(played.rolls // played.games, 1))
    return Simulation(
        **msgspec.structs.asdict(judged.played),
        about=machine.about,
        states=machine.states,
        closed=machine.closed,
        exact=judged.exact,
        sd_rate=judged.rate,
        error_from=judged.error_from,
        settling=settling,
        mean_of_games=expected,
        exploring_seconds=exploring,
    )


class _CheckedRolls(NamedTuple):
    """Rolls that were played, beside what the chain says of them."""

    played: PlayedRolls
    exact: LongRun | None
    rate: float | None
    error_from: ErrorSource


def _check_against_exact(
    played: PlayedRolls, chain: Chain | None, settling: Convergence | None, between: bool
) -> _CheckedRolls:
    """``between``: the error is that between games, and stays so."""
    exact = rate = None
    if chain and len(chain) <= MAX_SOLVED_STATES:
        try:
            exact = solve_long_run(chain)
            rate = find_volatility(chain, exact)
        except KeyboardInterrupt:  # what was played is kept all the same
            reason = "interrupted while the exact mean was worked out"
            played = msgspec.structs.replace(played, interrupted=True, reason=reason)
    if between:
        return _CheckedRolls(played=played, exact=exact, rate=rate, error_from="games")
    if not rate or settling is None or played.rolls < MIN_BATCHES * settling.rolls:
        return _CheckedRolls(played=played, exact=exact, rate=rate, error_from="batches")
    error = rate / math.sqrt(played.rolls)
    told = msgspec.structs.replace(played, standard_error=error)
    return _CheckedRolls(played=told, exact=exact, rate=rate, error_from="chain")


def _play_on_gpu(
    card: GraphicsCard, chain: Chain | None, rolls: int, seed: int, watch: WatchRolls | None
) -> PlayedRolls:
    from passline.lab.simulation.gpu.rolls import play_rolls_on_card

    if chain is None:
        raise ValueError("it grows as it is played: a card plays closed machines only")
    return play_rolls_on_card(card, chain, rolls, seed=seed, watch=watch)


def check_number(what: str, number: int, least: int, most: int) -> None:
    """Raise ValueError where a number makes no sense."""
    if not isinstance(number, int) or not least <= number <= most:
        raise ValueError(f"{number} {what}: expected a whole number from {least:,} to {most:,}")


#: Rolls played for the speed, on a core and on a card: a moment each.
SAMPLE_ROLLS, SAMPLE_ROLLS_ON_GPU = 3 * 10**8, 10**12
#: Cores or cards beyond which nobody means what he says.
MAX_CORES = 10**6


class SimulationEstimate(msgspec.Struct, frozen=True, kw_only=True):
    """So many rolls on so many ``cores`` (cards, where ``sample`` names one).

    ``hours`` is one core's, all rolls together. ``cost``: dollars, at a price for the hour of one.
    ``standard_error``: of the mean of a roll, in cents; ``error_from`` the chain's ``find_volatility``, or
    the spread of the sample where that is not told. None: neither tells.
    """  # noqa: E501

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
    """What ``rolls`` would take and tell, by a sample that one core, or the card, plays now.

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
