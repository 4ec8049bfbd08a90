"""What the members of a crew are called at a table: "base dealer, left end", "stickperson"."""

from __future__ import annotations

from passline.game.table import posts
from passline.game.table.dice_custody import is_automated
from passline.game.table.state import Table
from passline.game.table.table_ends import End
from passline.game.words.crew import MACHINE_NAME


def count_base_dealers(table: Table) -> int:
    """Return how many base dealers this table has."""
    return posts.count_base_dealers(table.house)[0]


def name_base_dealer(table: Table, end: End) -> str:
    """Return what the dealer of an end is called, such as "base dealer, left end".

    With one base dealer, the end is left out. An automated table has a machine instead of a crew.
    """
    if is_automated(table):
        return MACHINE_NAME
    return "base dealer" if count_base_dealers(table) == 1 else f"base dealer, {end} end"


def name_stickperson(table: Table) -> str:
    """Return what the crew member with the stick is called at this table."""
    return MACHINE_NAME if is_automated(table) else posts.stick_post(table.house).who


def name_boxperson(table: Table) -> str:
    """Return what the crew member who watches the bank is called at this table."""
    return MACHINE_NAME if is_automated(table) else posts.bank_post(table.house).who


def name_post(table: Table, post: str, end: End = "left") -> str:
    """Return what the holder of `stick`, `box` or `base` is called; other posts are unchanged."""
    match post:
        case "base":
            return name_base_dealer(table, end)
        case "stick":
            return name_stickperson(table)
        case "box":
            return name_boxperson(table)
    return post
