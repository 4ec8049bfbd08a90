"""A casino's elections over a rulebook: reading, resolving, checking and posting them."""

from passline.house.elections import Elections
from passline.house.house import House, VigTerms, make_house
from passline.house.keys import ElectionError

__all__ = ["ElectionError", "Elections", "House", "VigTerms", "make_house"]
