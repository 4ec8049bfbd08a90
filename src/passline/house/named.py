"""Houses by name, for whoever asks the library what something is worth."""

from __future__ import annotations

from passline.house import House
from passline.house.files import house_for


def named_house(house: House | str) -> House:
    """A house, or the one that a rulebook's id or a house-rules file stands for.

    >>> named_house("iowa").book.id
    'iowa'
    """
    return house_for(house) if isinstance(house, str) else house
