"""A house told in full: what it elected, and every value that it plays by, in words."""

from __future__ import annotations

from passline.house.house import House
from passline.house.keys import show, show_election
from passline.money import dollars


def elections_of(house: House) -> dict[str, str]:
    """What a house elects, in words: read again under the same book, they make the same house."""
    return {key: show_election(key, value) for key, value in sorted(house.elections.items())}


def terms_of(house: House) -> dict[str, str]:
    """Every value that a house plays by, elected or by default, under its election key.

    >>> from passline.house.files import house_for
    >>> terms = terms_of(house_for("iowa"))
    >>> terms["limits.min"], terms["odds.multiple.4"], terms["lay.base"]
    ('5', '10', 'win')
    """
    found = {
        "limits.smallest_chip": _money(house.chip),
        "limits.min": _money(house.minimum),
        "limits.center_min": _money(house.center_minimum),
        "limits.max": _money(house.maximum),
        "limits.breakage": house.breakage,
        "limits.breakage.true_odds": house.true_odds_breakage,
        "odds.laid_by": house.laid_by,
        "dice.no_roll_by": show(house.no_roll_by),
    }
    found |= {f"odds.multiple.{n}": show(times) for n, times in house.taken.items()}
    found |= {f"odds.laid.{n}": show(times) for n, times in house.laid.items()}
    found |= {f"chips.{chip.colour}": _money(chip.value) for chip in house.rack.chips}
    for which, vig in house.vig.items():
        found |= {
            f"{which}.rate": show(vig.rate),
            f"{which}.base": vig.base,
            f"{which}.rounding": vig.rounding,
            f"{which}.won_on": show(tuple(map(str, sorted(vig.won_on)))),
        }
    found |= {key: show(house.elected(key)) for key in house.book.elect}
    return found | elections_of(house)


def _money(cents: int) -> str:
    return dollars(cents).removesuffix(".00")
