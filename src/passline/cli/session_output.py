"""Sessions shown: one JSON object for scripts, a page with a small chart for people."""

from __future__ import annotations

import sys
from collections.abc import Sequence

import click

from passline.cli.common import print_json
from passline.cli.lab_options import OPEN_WAGERS_WORDS, is_ascii_output
from passline.game.money.amounts import show_dollars
from passline.lab.extremes import Extremes, extremes_json
from passline.lab.machines.origin import MachineOrigin
from passline.lab.sessions.distribution import QUANTILE_PERCENTS, Distribution, Number, exact_ratio
from passline.lab.sessions.session import (
    EARLY_ENDS,
    Plan,
    PlayedSession,
    SampledSession,
    Session,
    session_json,
)

_LABEL_WIDTH = 10
_FAN_HEIGHT = 7  # lines
_SIGNIFICANCE = 0.05  # what never happened in so many sessions is not likelier than this makes it


def print_sessions(
    played: Sequence[PlayedSession],
    distribution: bool,
    more: dict[str, str],
    extremes: Sequence[Extremes] = (),
) -> None:
    """JSON: the first session's fields, and the others' in ``compared``."""
    # 36 to the power of the rolls has more digits than Python prints unless told.
    before = sys.get_int_max_str_digits()
    sys.set_int_max_str_digits(0)
    try:
        told = [session_json(each, distribution) for each in played]
        for each, found in zip(told, extremes, strict=False):
            each["extremes"] = extremes_json(found)
        first, *others = told
        if others:
            first["compared"] = others
        print_json(first | more)
    finally:
        sys.set_int_max_str_digits(before)


def show_sessions(played: Sequence[PlayedSession], distribution: bool) -> None:
    """For people: one session as a page, several as a table and their charts."""
    first = played[0]
    click.secho(_title_words(first.about, first.session.plan, len(played)), bold=True)
    if len(played) == 1:
        _show_one(first.session)
    else:
        _show_table(played)
    if len(played) == 1:
        click.echo("\nbankroll on the way:")
        _show_fan(first.session)
    for each in played:
        name = f"{each.about.strategy}, " if len(played) > 1 else ""
        click.echo(f"\n{name}final bankroll:")
        _show_histogram(each.session)
        if distribution:
            _show_distribution(each.session.final)
    click.echo()
    for each in played:
        name = f"{each.about.strategy}: " if len(played) > 1 else ""
        click.echo(f"{name}{_method_words(each.session)}")


def show_extremes(played: Sequence[PlayedSession], found: Sequence[Extremes]) -> None:
    """How far sessions come on the way: in a half of them, in a tenth, in a hundredth."""
    for each, extremes in zip(played, found, strict=False):
        click.echo(f"\n{each.about.strategy}, on the way:")
        for label, levels in (
            ("best", extremes.best),
            ("worst", extremes.worst),
            ("drawdown", extremes.drawdown),
        ):
            far = [
                f"{show_dollars(max(reached, key=lambda level: -level[1])[0])} in {share:.0%}"
                for share in (0.5, 0.1, 0.01)
                if (reached := [level for level in levels if level[1] >= share])
            ]
            click.echo(f"  {label:<{_LABEL_WIDTH}}{', '.join(far) or 'not told'}")
        if extremes.mean_rolls_to_ruin is not None:
            click.echo(
                f"  {'ruin':<{_LABEL_WIDTH}}after {extremes.mean_rolls_to_ruin:,.1f} rolls on average"  # noqa: E501
            )
        click.echo(f"  exact, in doubles{_drawdown_note(extremes)}")


def _drawdown_note(found: Extremes) -> str:
    """Of a drawdown that was sampled: how, and how far its chances are off."""
    if found.trials is None:
        return ""
    errors = [found.drawdown_error(*level) or 0.0 for level in found.drawdown]
    beyond = "" if found.exact_to is None else f" beyond {show_dollars(found.exact_to)}"
    return (
        f"; drawdown{beyond}: {found.trials:,} sessions sampled, seed {found.seed}, one standard "
        f"error ±{max(errors, default=0.0):.2%} at most"
    )


def show_unfinished(played: list[PlayedSession]) -> None:
    """Until goal or ruin: how many sessions were over when no more rolls were planned."""
    for each in played:
        found = each.session
        left = max(float(1 - found.ruin - found.goal - found.stopped), 0.0)
        click.echo(
            f"\n{each.about.strategy}: by roll {found.plan.rolls:,} all sessions are over but "
            f"{left:.2g} of them"
        )


def _title_words(about: MachineOrigin, plan: Plan, count: int) -> str:
    who = about.strategy if count == 1 else f"{count} strategies"
    place = about.house if about.house == about.rulebook else f"{about.house} ({about.rulebook})"
    ends = (plan.goal, plan.floor)
    stops = [show_dollars(stop) for stop in ends if stop is not None and stop >= 0]
    leaving = f", leaving at {' or '.join(stops)}" if stops else ""
    rolls = "1 roll" if plan.rolls == 1 else f"{plan.rolls:,} rolls"
    return f"{who} at {place}: {rolls} from {show_dollars(plan.bankroll)}{leaving}"


def _show_one(session: Session) -> None:
    plan, final = session.plan, session.final
    mean = round(final.mean)
    error = _error_words(session, "mean", 100)
    change = f"{'+' if mean >= plan.bankroll else ''}{show_dollars(mean - plan.bankroll)}"
    lines = [
        ("mean", f"{show_dollars(mean)}{error}  ({change}), sd {show_dollars(round(final.sd))}")
    ]
    for end in _list_ends([session]):
        lines.append((end, f"{_percent(getattr(session, end))}{_share_error_words(session, end)}"))
        lines += _ruin_rows(session) if end == "ruin" else ()
    lines.append(("rolls", f"{float(session.rolls):,.2f} of {plan.rolls:,} on average"))
    shown = [
        f"{_percentile_name(percent)} {show_dollars(final.quantile(percent))}"
        for percent in QUANTILE_PERCENTS
    ]
    lines.append(("final", "   ".join(shown)))
    lines.append(("open", OPEN_WAGERS_WORDS[session.open_wagers]))
    if isinstance(session, SampledSession) and session.highest and session.lowest is not None:
        high, low = show_dollars(round(session.highest)), show_dollars(round(session.lowest))
        lines.append(("extremes", f"highest {high}, lowest {low} on average"))
    for label, text in lines:
        click.echo(f"  {label:<{_LABEL_WIDTH}}{text}")


def _ruin_rows(session: Session) -> list[tuple[str, str]]:
    """What ruin is made of, and how often the strategy could not be followed."""
    if session.short is None or session.broke is None:
        return []
    parts = f"short {_percent(session.short)}, broke {_percent(session.broke)}"
    found = [("", parts)] if session.ruin else []
    if session.when_short == "reduce" and session.ever_short is not None:
        found.append(("reduced", f"{_percent(session.ever_short)} at some time, playing on"))
    return found


def _percentile_name(percent: int) -> str:
    return "median" if percent == 50 else f"{percent}%"


def _list_ends(sessions: Sequence[Session]) -> list[str]:
    """Ruin always, the stops where there are any."""
    plan = sessions[0].plan
    hidden = {"goal": plan.goal is None, "stopped": plan.floor is None or plan.floor < 0}
    return [end for end in EARLY_ENDS if not hidden.get(end)]


def _show_table(played: Sequence[PlayedSession]) -> None:
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
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for name, *cells in rows:
        shown = [f"{cell:>{width}}" for cell, width in zip(cells, widths[1:], strict=True)]
        click.echo("  ".join([f"  {name:<{widths[0]}}", *shown]))


def _show_histogram(session: Session) -> None:
    from passline.lab.charts.terminal import draw_histogram

    click.echo(draw_histogram(session.final, ascii=is_ascii_output()))


def _show_fan(session: Session) -> None:
    from passline.lab.charts.terminal import draw_fan_text

    click.echo(draw_fan_text(session.fan, height=_FAN_HEIGHT, ascii=is_ascii_output()))


def _show_distribution(final: Distribution) -> None:
    """Every final worth, its chance, and the chance of no more than that."""
    running = 0.0
    click.echo(f"\n  {'final':>14}  {'chance':>12}  {'so far':>8}")
    for worth, weight in zip(final.worths, final.weights, strict=True):
        chance = float(exact_ratio(weight, final.whole))
        running += chance
        click.echo(f"  {show_dollars(round(worth)):>14}  {chance:>12.6g}  {running:>8.4%}")


def _method_words(session: Session) -> str:
    """How it was found, which every answer says."""
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
    """A chance in percent, with digits enough to see a small one.

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
    """The error of a share; of one that is 0 or 1, what it is at most or at least."""
    chance, trials = getattr(session, end), session.trials
    if trials is None or chance not in (0, 1) or session.interrupted:
        return _error_words(session, end, 0.01, "%") if session.errors else ""
    most = 1 - _SIGNIFICANCE ** (1 / trials)
    if not chance:
        return f" (none of {trials:,} sessions: under {most:.2g}, 19 times in 20)"
    return f" (all of {trials:,} sessions: over {1 - most:.6g}, 19 times in 20)"
