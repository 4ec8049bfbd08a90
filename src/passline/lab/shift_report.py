"""A shift as ``passline shift --json`` tells it: money in dollars."""

from __future__ import annotations

from typing import Any

from passline.lab.shifts import ENOUGH, ShiftWin
from passline.money import dollars
from passline.sessions.report import exact_text

PERCENTS = (1, 5, 25, 50, 75, 95, 99)


def shift_json(found: ShiftWin) -> dict[str, Any]:
    """One JSON object; standard errors where it was sampled."""
    win, trials = found.win, found.trials
    loses = found.loses
    errors: dict[str, float | None] = {"mean": None, "loses": None, "reserve": None}
    if trials is not None:
        errors["mean"] = win.sd / 100 / trials**0.5
        errors["loses"] = float(loses * (1 - loses) / trials) ** 0.5
        errors["reserve"] = None if found.reserve_error is None else found.reserve_error / 100
    return {
        "rulebook": found.house.book.id,
        "game": found.house.game,
        "dice": str(found.dice),
        "rolls": found.rolls,
        "players": [
            {
                "strategy": guest.strategy,
                "players": guest.players,
                "bankroll": None if guest.bankroll is None else dollars(guest.bankroll),
            }
            for guest in found.guests
        ],
        "method": found.method,
        "open": found.open_wagers,
        "trials": trials,
        "seed": found.seed,
        "mean": dollars(round(win.mean)),
        "mean_float": float(win.mean) / 100,
        "sd": dollars(round(win.sd)),
        "sd_float": win.sd / 100,
        "quantiles": {str(percent): dollars(win.quantile(percent)) for percent in PERCENTS},
        "loses": exact_text(loses),
        "loses_float": float(loses),
        "worst_roll": _worst(found),
        "reserve": dollars(found.reserve),
        "reserve_percent": float(ENOUGH * 100),
        "reserve_error": errors["reserve"],
        "standard_errors": errors,
    }


def _worst(found: ShiftWin) -> dict[str, Any]:
    worst = found.worst_roll
    return {
        "loss": dollars(worst.loss),
        "chance": worst.chance,
        "in_shift": worst.in_shift,
        "method": "simulated" if worst.seen else "exact",
    }
