"""Where a machine comes from: rulebook, house rules, strategy and version."""

from __future__ import annotations

import msgspec

from passline.house import House
from passline.house.terms import elections_of
from passline.machines.view import Strategy
from passline.version import VERSION


class About(msgspec.Struct, frozen=True):
    """What made a machine."""

    rulebook: str
    game: str
    house: str
    elections: dict[str, str]
    strategy: str
    version: str

    def __str__(self) -> str:
        """One line for people."""
        elected = "".join(f", {key} = {value}" for key, value in sorted(self.elections.items()))
        return (
            f"{self.strategy} at {self.house} ({self.rulebook}, {self.game}{elected}), "
            f"made by passline {self.version}"
        )


def about(house: House, strategy: Strategy, name: str) -> About:
    """What makes the machine of a strategy at a house."""
    return About(
        house.book.id,
        house.game,
        house.name,
        elections_of(house),
        name or getattr(strategy, "__name__", "strategy"),
        VERSION,
    )
