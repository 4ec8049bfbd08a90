"""Rolls of a machine by the million, with the exact answer beside them."""

from __future__ import annotations

import math
import time
from concurrent.futures import Executor
from fractions import Fraction
from functools import partial
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

import msgspec

from passline.dice import FAIR, Dice
from passline.exact import SOLVED
from passline.exact.long_run import LongRun, solve_long_run
from passline.exact.rate import sd_rate
from passline.exact.settling import Settling, find_settling, mean_of_games
from passline.lab.resolve import explore
from passline.machines import About, Chain, Machine, SavedMachine
from passline.results import ColumnKind, LabResult, ResultTable, show_money
from passline.simulation import PlayedRolls, fresh_seed, play_rolls
from passline.simulation.rolls import FEWEST, WatchRolls
from passline.simulation.workers import Workers

if TYPE_CHECKING:
    from passline.simulation.gpu import GraphicsCard

#: What a standard error is made from: the chain's long run, the games, or batches of rolls.
ErrorFrom = Literal["chain", "games", "batches"]
#: Rolls and workers beyond which nobody means what he says.
MOST_ROLLS, MOST_WORKERS = 10**15, 1024


class Simulation(LabResult, PlayedRolls, frozen=True, kw_only=True):
    """What so many rolls came to, in cents, and what they should come to.

    ``states`` is how many the machine has, ``closed`` whether that is all. ``exact`` is None where
    it is not closed, or its chain has too many states to be solved beside a simulation. ``sd_rate``
    is how fast the swings grow in the long run (``exact.rate``): by the root of the rolls it is the
    standard error, too; None where that is not told.
    ``standard_error`` is made as ``error_from`` says (``exact.settling`` has the rule): from
    ``sd_rate``, unless the chain settles down in several ways or slowly (``settling``): then it is
    the one between games, and ``mean_of_games`` what a roll of such games brings on average. A card
    always tells the one between games.
    ``seconds`` is the play, and the growing while it is played; ``exploring_seconds`` what
    exploring the machine took before.
    """

    about: About
    states: int
    closed: bool
    exact: LongRun | None
    sd_rate: float | None = None
    error_from: ErrorFrom = "batches"
    settling: Settling | None = None
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

    def listed(self) -> ResultTable:
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
        return ResultTable(columns, records, across="method", up="cents_a_roll")

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
    (``passline.simulation.gpu.open_card()``) a closed machine is played there, by other throws for
    the same seed. ``dice``: others than fair ones. ValueError for what makes no sense.

    >>> from passline.lab.resolve import machine
    >>> found = simulate(machine("iowa", "pass"), 1000, seed=7)
    >>> found.rolls, found.exact_mean_per_roll
    (1000, Fraction(-7000, 1671))
    """
    check_number("rolls", rolls, 1, MOST_ROLLS)
    check_number("workers", 1 if workers is None else workers, 1, MOST_WORKERS)
    began = time.perf_counter()
    if isinstance(machine, Machine):
        explore(machine)
    exploring = time.perf_counter() - began
    chain = machine.chain(dice=dice) if machine.closed else None
    seed = fresh_seed() if seed is None else seed
    settling = find_settling(chain) if chain and len(chain) <= SOLVED else None
    games = settling.games(rolls) if settling and settling.slow else None
    if card is not None:
        played = _play_on(card, chain, rolls, seed, watch)
    else:
        by = partial(play_rolls, seed=seed, workers=workers, executor=executor, watch=watch)
        played = by(chain or machine, rolls, games=games, dice=dice)
    between = card is not None or games is not None
    judged = _judged(played, chain, settling, between)
    expected = None
    if chain and games is not None and played.rolls:
        expected = mean_of_games(chain, max(played.rolls // played.games, 1))
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


class _Judged(NamedTuple):
    """Rolls that were played, beside what the chain says of them."""

    played: PlayedRolls
    exact: LongRun | None
    rate: float | None
    error_from: ErrorFrom


def _judged(
    played: PlayedRolls, chain: Chain | None, settling: Settling | None, between: bool
) -> _Judged:
    """``between``: the error is that between games, and stays so."""
    exact = rate = None
    if chain and len(chain) <= SOLVED:
        try:
            exact = solve_long_run(chain)
            rate = sd_rate(chain, exact)
        except KeyboardInterrupt:  # what was played is kept all the same
            reason = "interrupted while the exact mean was worked out"
            played = msgspec.structs.replace(played, interrupted=True, reason=reason)
    if between:
        return _Judged(played=played, exact=exact, rate=rate, error_from="games")
    if not rate or settling is None or played.rolls < FEWEST * settling.rolls:
        return _Judged(played=played, exact=exact, rate=rate, error_from="batches")
    error = rate / math.sqrt(played.rolls)
    told = msgspec.structs.replace(played, standard_error=error)
    return _Judged(played=told, exact=exact, rate=rate, error_from="chain")


def _play_on(
    card: GraphicsCard, chain: Chain | None, rolls: int, seed: int, watch: WatchRolls | None
) -> PlayedRolls:
    from passline.simulation.gpu import play_rolls_on

    if chain is None:
        raise ValueError("it grows as it is played: a card plays closed machines only")
    return play_rolls_on(card, chain, rolls, seed=seed, watch=watch)


def check_number(what: str, number: int, least: int, most: int) -> None:
    """Raise ValueError where a number makes no sense."""
    if not isinstance(number, int) or not least <= number <= most:
        raise ValueError(f"{number} {what}: expected a whole number from {least:,} to {most:,}")
