"""A session as ``passline session --json`` tells it: money as decimal strings, chances exact."""

from __future__ import annotations

from fractions import Fraction
from typing import NamedTuple

from passline.machines import About
from passline.money import dollars
from passline.sessions.distribution import PERCENTS, Number, share
from passline.sessions.ends import EARLY_ENDS
from passline.sessions.session import SampledSession, Session

#: Besides the ends: what ruin is made of.
_RUIN = ("short", "broke", "ever_short")
_ERRORS = ("mean", *EARLY_ENDS, "rolls", *_RUIN)


class PlayedSession(NamedTuple):
    """A session, and what was played."""

    about: About
    session: Session


def session_json(played: PlayedSession, distribution: bool = False) -> dict[str, object]:
    """One session: money as decimal strings, chances as fractions with floats beside."""
    about, session = played
    plan, final = session.plan, session.final
    found: dict[str, object] = {
        "strategy": about.strategy,
        "rulebook": about.rulebook,
        "game": about.game,
        "elections": about.elections,
        "bankroll": dollars(plan.bankroll),
        "rolls_planned": plan.rolls,
        "stop_win": None if plan.stop_win is None else dollars(plan.stop_win),
        "stop_loss": None if plan.stop_loss is None else dollars(plan.stop_loss),
        "method": session.method,
        "open": session.open_wagers,
        "when_short": session.when_short,
        "mean": dollars(round(final.mean)),
        "mean_exact": _exact_mean(session),
        "mean_float": float(final.mean) / 100,
        "sd": dollars(round(final.sd)),
        "sd_float": final.sd / 100,
    }
    for end in EARLY_ENDS:
        chance = getattr(session, end)
        found |= {end: exact_text(chance), f"{end}_float": float(chance)}
    for word in _RUIN:
        part: Number | None = getattr(session, word)
        found[word] = None if part is None else exact_text(part)
        found[f"{word}_float"] = None if part is None else float(part)
    found |= {
        "rolls": exact_text(session.rolls),
        "rolls_float": float(session.rolls),
        "quantiles": {str(percent): dollars(final.quantile(percent)) for percent in PERCENTS},
    }
    found |= _sampling(session) if session.trials else {"arithmetic": session.arithmetic}
    if distribution:
        found |= _whole_story(session)
    return found | {
        "interrupted": session.interrupted,
        "states": session.states,
        "seconds": round(session.seconds, 6),
    }


def _exact_mean(session: Session) -> str | None:
    """The mean in dollars, where it is exact: not in doubles, nor of a sample."""
    mean = session.final.mean
    return str(mean / 100) if session.method == "exact" and isinstance(mean, Fraction) else None


def _sampling(session: Session) -> dict[str, object]:
    """The standard errors, null where they cannot be told: of money in dollars. The extremes."""
    errors: dict[str, float | None] = {key: session.errors.get(key) for key in _ERRORS}
    if errors["mean"] is not None:
        errors["mean"] /= 100
    found: dict[str, object] = {"trials": session.trials, "seed": session.seed}
    found["standard_errors"] = errors
    if isinstance(session, SampledSession):
        high, low = session.highest, session.lowest
        found["highest_mean"] = None if high is None else dollars(round(high))
        found["lowest_mean"] = None if low is None else dollars(round(low))
        found["device"] = session.device or "cpu"
        found["under_way"] = session.under_way
        found["reason"] = session.reason or None
    return found


def _whole_story(session: Session) -> dict[str, object]:
    final = session.final
    return {
        "distribution": [
            {"worth": dollars(round(worth)), "chance": exact_text(share(weight, final.whole))}
            for worth, weight in zip(final.worths, final.weights, strict=True)
        ],
        "fan": [
            {
                "roll": band.roll,
                "ruin_float": ruined,
                "quantiles": {
                    str(percent): dollars(worth)
                    for percent, worth in zip(PERCENTS, band.worths, strict=True)
                },
            }
            for band, ruined in zip(session.fan, session.ruined, strict=True)
        ],
    }


def exact_text(value: Number) -> str:
    """A fraction, or a double's own digits: Fraction reads both.

    >>> exact_text(Fraction(7, 495)), exact_text(0.25)
    ('7/495', '0.25')
    """
    return str(value) if isinstance(value, Fraction) else repr(float(value))
