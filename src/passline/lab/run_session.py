"""Run a session of a strategy, exactly or by sampling; both give the same form of result."""

from __future__ import annotations

from concurrent.futures import Executor
from functools import partial
from typing import TYPE_CHECKING

from msgspec.structs import replace

from passline.game.dice.dice import FAIR, Dice
from passline.game.words.lab import say_lab
from passline.lab.machines.machine import DEFAULT_MEMORY_MB, Machine, SavedMachine
from passline.lab.sessions.plan_and_result import (
    MAX_COUNT,
    Arithmetic,
    OpenWagers,
    Plan,
    ProgressCallback,
    Remedy,
    SampledSession,
    Session,
    SessionTooLargeError,
    WhenShort,
    check_plan,
)
from passline.lab.simulate import MAX_WORKERS, check_number

if TYPE_CHECKING:
    from passline.lab.bets_open_at_end import SampledPlay
    from passline.lab.simulation.gpu.card import GraphicsCard
    from passline.lab.simulation.workers import Workers

#: The default number of sessions to sample.
DEFAULT_TRIALS = 100_000
#: The largest memory limit, in megabytes.
MAX_MEMORY_MB = 2**20


def session(
    machine: Machine | SavedMachine,
    plan: Plan,
    *,
    exact: bool = True,
    open_wagers: OpenWagers = "played",
    when_short: WhenShort = "stop",
    arithmetic: Arithmetic | None = None,
    trials: int = DEFAULT_TRIALS,
    seed: int | None = None,
    workers: int | None = None,
    executor: Executor | Workers | None = None,
    card: GraphicsCard | None = None,
    watch: ProgressCallback | None = None,
    memory: int | None = None,
    longest: float | None = None,
    dice: Dice = FAIR,
) -> Session:
    """Return how a session of the machine's strategy ends: ruin, goal and the final distribution.

    ``open_wagers``: how to value bets still open when the rolls end (see ``OpenWagers``).
    ``when_short``: what the player does when the rail does not cover the bets (see ``WhenShort``).

    With ``exact``, compute without sampling; first explore all of the machine's states.
    ``arithmetic`` is "fractions" or "doubles", by default chosen by the size of the work.
    ``memory`` is the limit in megabytes, by default the machine's own. Work that would take more
    than ``longest`` seconds, by default an hour, is refused.

    Without ``exact``, sample ``trials`` sessions from ``seed`` (drawn if it is None), on that many
    ``workers`` (threads), in an ``executor``, or on the graphics card ``card``, which plays only
    completely explored machines.

    ``watch`` is called with the rolls or trials done, and their total. ``dice`` may be other than
    fair. Ctrl-C keeps what was done and sets ``interrupted``. Raise ValueError (message of one
    line) for input that makes no sense or would take hours.

    >>> from passline.lab.strategy_machine import machine
    >>> evening = session(machine("new-jersey", lambda view: "field for 5"), Plan(1000, 2))
    >>> evening.ruin, evening.final.quantile(50)
    (Fraction(25, 81), 1000)
    """
    check_plan(plan)
    check_number("megabytes", DEFAULT_MEMORY_MB if memory is None else memory, 1, MAX_MEMORY_MB)
    if exact:
        limits = memory, longest
        return _solve_exact(machine, plan, open_wagers, when_short, arithmetic, watch, limits, dice)
    if plan.shooters is not None:
        raise ValueError(say_lab("shooters-sampled"))
    check_number("trials", trials, 1, MAX_COUNT)
    check_number("workers", 1 if workers is None else workers, 1, MAX_WORKERS)
    if arithmetic is not None:
        raise ValueError(f"arithmetic {arithmetic!r} is for exact sessions: these are sampled")
    from passline.lab.bets_open_at_end import make_sampled_play
    from passline.lab.simulation.seeds import draw_seed
    from passline.lab.simulation.sessions import sample_session
    from passline.lab.strategy_machine import explore_before_play, explore_machine

    explore_before_play(machine)
    if isinstance(machine, Machine) and card is not None:
        explore_machine(machine)
    opened = make_sampled_play(machine, open_wagers, dice, _short_bankroll(plan, when_short))
    seed = draw_seed() if seed is None else seed
    found: SampledSession
    if card is not None:
        found = _sample_on_gpu(card, opened, plan, trials, seed, watch)
    elif opened.explores_reduced and isinstance(machine, Machine):
        from passline.lab.bets_open_at_end import value_table_states
        from passline.lab.simulation.reduced_sessions import sample_reduced_sessions

        play = partial(sample_reduced_sessions, plan=plan, trials=trials, seed=seed, dice=dice)
        value = partial(value_table_states, machine, open_wagers, dice)
        found = machine.sample_reduced_bets(partial(play, value_states=value, watch=watch))
    else:
        by = partial(sample_session, workers=workers, executor=executor, watch=watch)
        by = partial(
            by, open_bets=opened.open_bets, broke_limits=opened.broke_limits, reduced=opened.reduced
        )
        found = by(opened.played, plan, trials, seed=seed, dice=dice)
    result = replace(found, states=machine.states, open_wagers=open_wagers, when_short=when_short)
    return result if when_short == "reduce" else _set_short_to_ruin(result)


def _set_short_to_ruin(result: SampledSession) -> SampledSession:
    """Return the result with ``ever_short`` (ever short of chips) set to the chance of ruin.

    The two are the same for players who stop when they are first short.
    """
    same = {"ever_short": result.errors["ruin"]} if "ruin" in result.errors else {}
    return replace(result, ever_short=result.ruin, errors=result.errors | same)


def _short_bankroll(plan: Plan, when_short: WhenShort) -> int | None:
    """Return the plan's bankroll if players who are short of chips bet less; None if they stop.

    Raise ValueError for any other ``when_short``.
    """
    if when_short not in ("stop", "reduce"):
        raise ValueError(f"when short {when_short!r}: expected 'stop' or 'reduce'")
    return plan.bankroll if when_short == "reduce" else None


def rolls_until_over(
    machine: Machine | SavedMachine,
    plan: Plan,
    dice: Dice = FAIR,
    when_short: WhenShort = "stop",
) -> int:
    """Return a number of rolls by which all but one in 10^12 sessions with a goal have ended.

    The number is at most MAX_COUNT, the most rolls of a plan. Raise ValueError without a goal, or
    for a machine with unexplored states.
    """
    from passline.lab.bets_open_at_end import make_valued_chain
    from passline.lab.exact.bankroll_grid import build_grid, find_longest_session
    from passline.lab.strategy_machine import explore_machine

    if plan.stop_win is None:
        raise ValueError("until goal or ruin: set a goal (stop-win)")
    if isinstance(machine, Machine):
        explore_machine(machine)
    if not machine.closed:
        raise ValueError(say_lab("goal-unexplored", states=machine.states))
    chain = make_valued_chain(machine, "stake", dice, _short_bankroll(plan, when_short)).chain
    return min(find_longest_session(build_grid(chain, plan), 1e-12), MAX_COUNT)


def rolls_for_shooters(machine: Machine | SavedMachine, shooters: int, dice: Dice = FAIR) -> int:
    """Return a number of rolls within which ``shooters`` shooters seven out, with near certainty.

    The chance of fewer seven-outs is at most 1 in 10^12. Raise ValueError for a saved machine,
    which has no table.
    """
    from passline.lab.exact.longest_hand import count_rolls_for_hands

    if not isinstance(machine, Machine):
        raise ValueError(say_lab("shooters-saved"))
    return min(count_rolls_for_hands(machine.walk_hand(dice), shooters, 1e-12), MAX_COUNT)


def find_length_percentile(
    machine: Machine | SavedMachine,
    plan: Plan,
    dice: Dice = FAIR,
    when_short: WhenShort = "stop",
    percent: int = 99,
) -> int:
    """Return the roll by which ``percent`` percent of sessions are over, computed in doubles.

    Return the plan's last roll if fewer sessions end early.
    """
    from passline.lab.bets_open_at_end import make_valued_chain
    from passline.lab.extremes import ends_by_roll

    opened = make_valued_chain(machine, "stake", dice, _short_bankroll(plan, when_short))
    roll, before = plan.rolls, plan.rolls + 1
    while roll < before:  # A shorter plan is reported at more of its rolls, in the end at each.
        before = roll
        shares = ends_by_roll(opened.chain, replace(plan, rolls=roll), opened.reduced)
        roll = next((at for at, ended in shares if 100 * sum(ended) >= percent), roll)
    return roll


def set_over_by(session: Session, last: int) -> Session:
    """Return the session with ``over_by`` set to the roll ``last``, and later quantiles left out.

    The first quantiles at or after that roll are kept.
    """
    count = sum(band.roll < last for band in session.fan) + 1
    fan, ruined = session.fan[:count], session.ruined[:count]
    return replace(session, fan=fan, ruined=ruined, over_by=last)


def _sample_on_gpu(
    card: GraphicsCard,
    opened: SampledPlay,
    plan: Plan,
    trials: int,
    seed: int,
    watch: ProgressCallback | None,
) -> SampledSession:
    from passline.lab.simulation.gpu.sessions import sample_session_on_card

    played = opened.played
    if opened.reduced is not None or opened.explores_reduced:
        raise ValueError(say_lab("gpu-reduced"))
    if isinstance(played, Machine):
        raise ValueError(say_lab("gpu-unexplored"))
    by = partial(sample_session_on_card, card, played, plan, trials, seed=seed, watch=watch)
    return by(open_bets=opened.open_bets, broke_limits=opened.broke_limits)


def _solve_exact(
    machine: Machine | SavedMachine,
    plan: Plan,
    open_wagers: OpenWagers,
    when_short: WhenShort,
    arithmetic: Arithmetic | None,
    watch: ProgressCallback | None,
    limits: tuple[int | None, float | None],
    dice: Dice,
) -> Session:
    from passline.lab.bets_open_at_end import make_shooter_chain, make_valued_chain
    from passline.lab.exact.solve_session import MAX_SECONDS, solve_session
    from passline.lab.strategy_machine import explore_machine

    memory, longest = limits
    own = DEFAULT_MEMORY_MB
    if isinstance(machine, Machine):
        own = machine.memory
        explore_machine(machine)
    if not machine.closed:
        words = say_lab("exact-unexplored", states=machine.states)
        raise SessionTooLargeError(words, Remedy.SAMPLE)
    short_from = _short_bankroll(plan, when_short)
    by = partial(solve_session, plan=plan, arithmetic=arithmetic, longest=longest or MAX_SECONDS)
    by = partial(by, memory=memory or own, watch=watch)
    left_kinds: frozenset[int] = frozenset()
    if plan.shooters is None:
        valued = make_valued_chain(machine, open_wagers, dice, short_from)
    else:
        if short_from is not None or not isinstance(machine, Machine):
            raise ValueError(
                say_lab("shooters-saved" if short_from is None else "shooters-reduced")
            )
        most = plan.bankroll + plan.rolls * int(machine.money.max(initial=0)) + 1
        valued, left_kinds = make_shooter_chain(machine, open_wagers, plan.shooters, most, dice)
    chain, open_bets, broke_limits, reduced = valued
    by = partial(by, left_kinds=left_kinds)
    found = by(chain, open_bets=open_bets, broke_limits=broke_limits, reduced=reduced)
    found = replace(
        found,
        states=machine.states,
        open_wagers=open_wagers,
        when_short=when_short,
        ever_short=found.ruin,
    )
    if short_from is None:
        return found
    if found.interrupted:
        return replace(found, ever_short=None)
    # Until the player first cannot cover the bets, stopping and reducing are the same.
    return replace(found, ever_short=by(machine.chain(dice=dice)).ruin)
