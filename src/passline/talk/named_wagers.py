"""Find the wagers that free words name, such as "any 7" or "place six and eight"."""

from __future__ import annotations

import re
from collections.abc import Sequence

from passline.game.house.house import House
from passline.game.table.commands import Bet
from passline.game.table.open_close import open_table
from passline.talk.errors import UnplayableError
from passline.talk.understand import understand


def find_named_slugs(house: House, name: str, known: Sequence[str]) -> list[str]:
    """Return the slugs of the wagers that a player means by ``name``.

    The name is table talk, or a group of wagers: "buy" means all its numbers in ``known``, the
    slugs to choose from. Return [] if the name is not understood.

    >>> from passline.game.house.load import house_for
    >>> house = house_for("new-jersey")
    >>> find_named_slugs(house, "any 7", ()), find_named_slugs(house, "place 6", ())
    (['any-seven'], ['place-win-6'])
    >>> find_named_slugs(house, "buy", ("buy-4", "buy-10", "place-win-4"))
    ['buy-4', 'buy-10']
    >>> find_named_slugs(house, "place six and eight", ())
    ['place-win-6', 'place-win-8']
    """
    kind = "-".join(name.lower().split())
    kind = "place-win" if kind == "place" else kind
    if numbered := [slug for slug in known if re.fullmatch(rf"{re.escape(kind)}-\d+", slug)]:
        return numbered
    table = open_table(house)
    for amount in ("60", "60 each"):  # "hardways for 60" is asked about: each, or in total?
        try:
            commands = understand(table, "player", f"{name} for {amount}")
        except (UnplayableError, ValueError):  # not understood, or odds without a flat bet
            continue
        return [command.wager for command in commands if isinstance(command, Bet)]
    return []
