"""What ``best`` found, for scripts."""

from __future__ import annotations

from typing import Any

from passline.lab.best_found import Best
from passline.money import dollars
from passline.strategies.policy import Laid, Policy, PolicyRow


def best_json(found: Best) -> dict[str, Any]:
    """The report as ``passline best --json`` has it: dollars as decimal strings, ``low`` and
    ``high`` where the chance is a bound."""
    bounds = {} if found.low is None else {"low": found.low, "high": found.high}
    return {
        "rulebook": found.house.book.id,
        "game": found.house.game,
        "house": found.house.name,
        "goal": dollars(found.goal),
        "bankroll": dollars(found.bankroll),
        "unit": dollars(found.unit),
        "menu": list(found.menu),
        "rolls": found.rolls,
        "chance": found.chance,
        **bounds,
        "sure_to": found.sure_to,
        "method": found.method,
        "states": found.states,
        "choices": found.stands,
        "alone": [{"menu": name, "chance": chance} for name, chance in found.alone],
        "openings": [
            {"rail": dollars(one.rail), "chance": one.chance, "lay": _laid(one.lay)}
            for one in found.openings
        ],
        "policy": policy_rows(found.policy),
    }


def policy_rows(policy: Policy) -> list[dict[str, Any]]:
    """A policy state by state: what is up that may not come and go at will, the rail with all
    that may, and what to have up for the throw."""
    return [_row(row) for row in policy.rows]


def _row(row: PolicyRow) -> dict[str, Any]:
    return {
        **({"rolls": row.rolls} if row.rolls else {}),
        "puck": row.puck or None,
        "rail": dollars(row.rail),
        "up": _laid(row.up),
        "lay": _laid(row.lay),
        "leaves": dollars(row.leaves),
    }


def _laid(wagers: tuple[Laid, ...]) -> dict[str, str]:
    return {w.wager: dollars(w.amount) for w in wagers}
