"""A casino's elections over a rulebook: reading, resolving, checking and posting them.

``lawful_house`` (elections as data) and ``house_for`` (a rulebook's id or a house-rules file) make
houses that the rulebook allows; ``make_house`` makes any; ``lint`` says what is not allowed.
"""

from passline.house.elections import Elections
from passline.house.files import HouseError, house_for, lawful_house
from passline.house.finding import Finding
from passline.house.house import House, Multiple, VigTerms, make_house
from passline.house.keys import ElectionError
from passline.house.lint import lint

__all__ = [
    "ElectionError",
    "Elections",
    "Finding",
    "House",
    "HouseError",
    "Multiple",
    "VigTerms",
    "house_for",
    "lawful_house",
    "lint",
    "make_house",
]
