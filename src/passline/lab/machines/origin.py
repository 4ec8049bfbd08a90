"""What a machine was made from: its rulebook, house rules, strategy and passline version.

Stored in saved machines and in lab results. This module needs no numpy.
"""

from __future__ import annotations

from typing import Any

import msgspec

from passline.game.house.house import House, describe_elections
from passline.version import VERSION


class MachineOrigin(msgspec.Struct, frozen=True):
    """What a machine was made from: rulebook, game, house, elections, strategy and version."""

    rulebook: str
    game: str
    house: str
    elections: dict[str, str]
    strategy: str
    version: str

    def to_json(self) -> dict[str, Any]:
        """Return what every JSON about a strategy has: strategy, rulebook, game and elections."""
        names = ("strategy", "rulebook", "game", "elections")
        return {name: getattr(self, name) for name in names}

    def __str__(self) -> str:
        """Return a description of one line for people."""
        elected = "".join(f", {key} = {value}" for key, value in sorted(self.elections.items()))
        return (
            f"{self.strategy} at {self.house} ({self.rulebook}, {self.game}{elected}), "
            f"made by passline {self.version}"
        )


def describe_origin(house: House, strategy: str) -> MachineOrigin:
    """Return the origin of a machine for this strategy name at this house."""
    return MachineOrigin(
        rulebook=house.book.id,
        game=house.game,
        house=house.name,
        elections=describe_elections(house),
        strategy=strategy,
        version=VERSION,
    )
