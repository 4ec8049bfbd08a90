"""What is planned for a session. Money in cents."""

from __future__ import annotations

import msgspec

#: A bankroll (cents), and rolls or trials, beyond which nobody means what he says.
RICHEST, MOST = 10**11, 10**10


class Plan(msgspec.Struct, frozen=True):
    """So many rolls from a bankroll, or until ahead by ``stop_win`` or behind by ``stop_loss``."""

    bankroll: int
    rolls: int
    stop_win: int | None = None
    stop_loss: int | None = None

    @property
    def goal(self) -> int | None:
        """The worth at which the player leaves a winner."""
        return None if self.stop_win is None else self.bankroll + self.stop_win

    @property
    def floor(self) -> int | None:
        """The worth at which the player leaves a loser."""
        return None if self.stop_loss is None else self.bankroll - self.stop_loss


def check_plan(plan: Plan) -> None:
    """Raise ValueError where a plan makes no sense."""
    for what, cents in (
        ("bankroll", plan.bankroll),
        ("stop-win", plan.stop_win),
        ("stop-loss", plan.stop_loss),
    ):
        if cents is not None and not 0 < cents <= RICHEST:
            raise ValueError(
                f"a {what} of {cents:,} cents: expected 1 cent to {RICHEST // 100:,} dollars"
            )
    if not 0 < plan.rolls <= MOST:
        raise ValueError(f"{plan.rolls:,} rolls: expected 1 to {MOST:,}")


def checkpoints(rolls: int, most: int = 51) -> tuple[int, ...]:
    """The rolls at which a session is looked at on its way: 0 and the last always among them.

    >>> checkpoints(4), checkpoints(1000, 5)
    ((0, 1, 2, 3, 4), (0, 250, 500, 750, 1000))
    """
    steps = min(rolls, most - 1)
    return tuple(step * rolls // max(steps, 1) for step in range(steps + 1))
