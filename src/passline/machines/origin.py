"""Where a machine comes from: rulebook, house rules, strategy and version."""

from __future__ import annotations

import msgspec

from passline.house import House
from passline.house.terms import elections_of
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


def origin_of(house: House, strategy: str) -> About:
    """What makes the machine of a strategy, by its name, at a house."""
    return About(
        rulebook=house.book.id,
        game=house.game,
        house=house.name,
        elections=elections_of(house),
        strategy=strategy,
        version=VERSION,
    )
