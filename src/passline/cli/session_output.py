"""The JSON and the text of ``passline session``: facts, a fan chart and a histogram."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import accumulate

from passline.cli import lab_commands as lab
from passline.game.money.amounts import show_dollars
from passline.lab.charts.terminal import draw_fan_text, draw_histogram
from passline.lab.extremes import Extremes, extremes_json
from passline.lab.machines.origin import MachineOrigin
from passline.lab.sessions.distribution import QUANTILE_PERCENTS, Distribution, Number, exact_ratio
from passline.lab.sessions.plan_and_result import (
    EARLY_ENDS,
    PlayedSession,
    SampledSession,
    Session,
    session_json,
)

_LABEL_WIDTH = 10
_FAN_HEIGHT = 7  # lines
#: If no session ended in some way, the text gives an upper bound at 95 percent confidence.
_SIGNIFICANCE = 0.05


def sessions_json(
    played: Sequence[PlayedSession],
    distribution: bool,
    more: dict[str, str],
    extremes: Sequence[Extremes] = (),
) -> dict[str, object]:
    """Return the JSON of the first session, with the other sessions in its field ``compared``.

    ``distribution`` adds every final bankroll, ``extremes`` has those of each session, if wanted,
    and ``more`` further fields.
    """
    objects = [session_json(each, distribution) for each in played]
    for each, found in zip(objects, extremes, strict=False):
        each["extremes"] = extremes_json(found)
    return lab.merge_compared(objects) | more


def session_lines(played: Sequence[PlayedSession], distribution: bool) -> Iterator[str]:
    """Yield one session as a page, or several as a table, with their charts.

    ``distribution`` adds a line for every final bankroll.
    """
    first, single = played[0], len(played) == 1
    yield lab.bold(_title_words(first.about, first.session, len(played)))
    if single:
        yield from lab.fact_lines(_session_facts(first.session), _LABEL_WIDTH)
        yield "\nbankroll on the way:"
        yield draw_fan_text(first.session.fan, height=_FAN_HEIGHT, ascii=lab.is_ascii_output())
    else:
        yield from lab.table_lines(_comparison_rows(played))
    for each in played:
        name = "" if single else f"{each.about.strategy}, "
        yield f"\n{name}final bankroll:"
        yield draw_histogram(each.session.final, ascii=lab.is_ascii_output())
        if distribution:
            yield from _distribution_lines(each.session.final)
    yield ""
    for each in played:
        name = "" if single else f"{each.about.strategy}: "
        yield f"{name}{_method_words(each.session)}"


def extremes_lines(played: Sequence[PlayedSession], found: Sequence[Extremes]) -> Iterator[str]:
    """Yield the best and worst bankroll and the drawdown on the way, for each session.

    The lines say what 50, 10 and 1 percent of the sessions reach, and the mean rolls to ruin.
    """
    for each, extremes in zip(played, found, strict=False):
        yield f"\n{each.about.strategy}, on the way:"
        facts = [
            (label, ", ".join(_level_words(levels)) or "not computed")
            for label, levels in (
                ("best", extremes.best),
                ("worst", extremes.worst),
                ("drawdown", extremes.drawdown),
            )
        ]
        if extremes.mean_rolls_to_ruin is not None:
            facts.append(("ruin", f"after {extremes.mean_rolls_to_ruin:,.1f} rolls on average"))
        yield from lab.fact_lines(facts, _LABEL_WIDTH)
        yield f"  exact, in doubles{_drawdown_note(extremes)}"


def _level_words(levels: Sequence[tuple[int, float]]) -> Iterator[str]:
    for share in (0.5, 0.1, 0.01):
        reached = [level for level in levels if level[1] >= share]
        if reached:
            yield f"{show_dollars(min(reached, key=lambda level: level[1])[0])} in {share:.0%}"


def _drawdown_note(found: Extremes) -> str:
    """Return how a sampled drawdown was computed and its standard error; "" if it is exact."""
    if found.trials is None:
        return ""
    errors = [found.drawdown_error(*level) or 0.0 for level in found.drawdown]
    beyond = "" if found.exact_to is None else f" beyond {show_dollars(found.exact_to)}"
    return (
        f"; drawdown{beyond}: {found.trials:,} sessions sampled, seed {found.seed}, one standard "
        f"error ±{max(errors, default=0.0):.2%} at most"
    )


def unfinished_lines(played: Sequence[PlayedSession]) -> Iterator[str]:
    """Yield the share of sessions still going at the last roll, for ``--until goal-or-ruin``."""
    for each in played:
        session = each.session
        left = max(float(1 - session.ruin - session.goal - session.stopped), 0.0)
        going = f"all sessions are over but {left:.2g} of them"
        if left == 1:
            going = "no session is over: it never reaches the goal or ruin"
        yield f"\n{each.about.strategy}: by roll {session.plan.rolls:,} {going}"


def _title_words(about: MachineOrigin, session: Session, count: int) -> str:
    plan = session.plan
    who = about.strategy if count == 1 else f"{count} strategies"
    place = about.house if about.house == about.rulebook else f"{about.house} ({about.rulebook})"
    ends = (plan.goal, plan.floor)
    stops = [show_dollars(stop) for stop in ends if stop is not None and stop >= 0]
    leaving = f", leaving at {' or '.join(stops)}" if stops else ""
    rolls = "1 roll" if plan.rolls == 1 else f"{plan.rolls:,} rolls"
    if plan.shooters is not None:
        rolls = "1 shooter" if plan.shooters == 1 else f"{plan.shooters:,} shooters"
    if session.over_by is not None:
        rolls = "until goal or ruin"
        rolls += f", 99% within {session.over_by:,} rolls," if count == 1 else ""
    return f"{who} at {place}: {rolls} from {show_dollars(plan.bankroll)}{leaving}"


def _session_facts(session: Session) -> Iterator[tuple[str, str]]:
    plan, final = session.plan, session.final
    mean = round(final.mean)
    error = _error_words(session, "mean", 100)
    change = f"{'+' if mean >= plan.bankroll else ''}{show_dollars(mean - plan.bankroll)}"
    yield "mean", f"{show_dollars(mean)}{error}  ({change}), sd {show_dollars(round(final.sd))}"
    for end in _list_ends([session]):
        yield end, f"{_percent(getattr(session, end))}{_share_error_words(session, end)}"
        if end == "ruin":
            yield from _ruin_rows(session)
    if session.left is not None:
        yield "left", f"{_percent(session.left)} after the last shooter"
    most = "" if plan.shooters is not None else f" of {plan.rolls:,}"
    most += " on average"
    if session.over_by is not None:
        most = f" on average, at most {session.over_by:,} in 99% of sessions"
    yield "rolls", f"{float(session.rolls):,.2f}{most}"
    quantiles = [
        f"{_percentile_name(percent)} {show_dollars(final.quantile(percent))}"
        for percent in QUANTILE_PERCENTS
    ]
    yield "final", "   ".join(quantiles)
    yield "open", lab.OPEN_WAGERS_WORDS[session.open_wagers]
    if isinstance(session, SampledSession) and session.highest and session.lowest is not None:
        high, low = show_dollars(round(session.highest)), show_dollars(round(session.lowest))
        yield "extremes", f"highest {high}, lowest {low} on average"


def _ruin_rows(session: Session) -> list[tuple[str, str]]:
    """Return (label, text) rows that split ruin: short (chips left for some wager), broke (none).

    If players who are short bet less, add how often they do. Return [] if the result has no such
    split.
    """
    if session.short is None or session.broke is None:
        return []
    parts = f"short {_percent(session.short)}, broke {_percent(session.broke)}"
    rows = [("", parts)] if session.ruin else []
    if session.when_short == "reduce" and session.ever_short is not None:
        rows.append(("reduced", f"{_percent(session.ever_short)} at some time, playing on"))
    return rows


def _percentile_name(percent: int) -> str:
    return "median" if percent == 50 else f"{percent}%"


def _list_ends(sessions: Sequence[Session]) -> list[str]:
    """Return the ways to end to show: ruin, and the goal and loss limit if the plan has them."""
    plan = sessions[0].plan
    hidden = {"goal": plan.goal is None, "stopped": plan.floor is None or plan.floor < 0}
    return [end for end in EARLY_ENDS if not hidden.get(end)]


def _comparison_rows(played: Sequence[PlayedSession]) -> list[list[str]]:
    ends = _list_ends([each.session for each in played])
    quantiles = (5, 50, 95)
    rows = [["strategy", "mean", "sd", *ends, "rolls", *map(_percentile_name, quantiles)]]
    for about, session in played:
        final = session.final
        rows.append(
            [
                about.strategy,
                show_dollars(round(final.mean)),
                show_dollars(round(final.sd / 100) * 100),
                *(_percent(getattr(session, end)) for end in ends),
                f"{float(session.rolls):,.1f}",
                *(show_dollars(final.quantile(percent)) for percent in quantiles),
            ]
        )
    return rows


def _distribution_lines(final: Distribution) -> Iterator[str]:
    """Yield each final bankroll, its chance, and the chance of at most that much."""
    yield f"\n  {'final':>14}  {'chance':>12}  {'so far':>8}"
    chances = [float(exact_ratio(weight, final.whole)) for weight in final.weights]
    for worth, chance, running in zip(final.worths, chances, accumulate(chances), strict=True):
        yield f"  {show_dollars(round(worth)):>14}  {chance:>12.6g}  {running:>8.4%}"


def _method_words(session: Session) -> str:
    states = "1 state" if session.states == 1 else f"{session.states:,} states"
    took = f"{states}, {session.seconds:.2f} s"
    if session.method == "exact":
        return f"exact, in {session.arithmetic}: {took}"
    where = (
        f" on {session.device}" if isinstance(session, SampledSession) and session.device else ""
    )
    trials = f"{session.trials or 0:,} sessions sampled{where}, seed {session.seed}"
    return f"simulated: {trials}, ± one standard error; {took}"


def _percent(chance: Number) -> str:
    """Return a probability in percent, with enough digits to show a small one.

    >>> from fractions import Fraction
    >>> _percent(Fraction(1, 4)), _percent(0.0), _percent(5.2e-06)
    ('25.00%', '0.00%', '0.00052%')
    """
    value = float(chance) * 100
    return f"{value:.2f}%" if value >= 0.1 or not value else f"{value:.2g}%"


def _error_words(session: Session, key: str, unit: float, sign: str = "") -> str:
    error = session.errors.get(key)
    if error is None:
        few = session.trials is not None and not session.errors and not session.interrupted
        return " (too few sessions for an error)" if few else ""
    return f" ± {error / unit:.2g}{sign}"


def _share_error_words(session: Session, end: str) -> str:
    """Return the standard error of the share of sessions with this end, in words.

    For a share of 0 or 1, return the bound at 95 percent confidence. Return "" for an exact
    session.
    """
    chance, trials = getattr(session, end), session.trials
    if trials is None or chance not in (0, 1) or session.interrupted:
        return _error_words(session, end, 0.01, "%") if session.errors else ""
    most = 1 - _SIGNIFICANCE ** (1 / trials)
    if not chance:
        return f" (none of {trials:,} sessions: under {most:.2g}, 19 times in 20)"
    return f" (all of {trials:,} sessions: over {1 - most:.6g}, 19 times in 20)"
