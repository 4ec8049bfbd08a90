"""Write a record in canonical phrases, such as ``ann: pass for 10; field for 5``, line by line."""

from __future__ import annotations

from itertools import groupby

from passline.record.deal import Dealt
from passline.record.read import Record
from passline.talk.canonical import format_amount


def header_lines(record: Record) -> list[str]:
    """Return the header of a record as lines of text."""
    lines = [f"rulebook: {record.rulebook}"] if record.rulebook else []
    if record.game:
        lines.append(f"game: {record.game}")
    if record.house:
        lines.append(f"house: {record.house}")
    lines += [f"house.{key}: {value}" for key, value in record.elections]
    lines += [f"player: {p.name} {format_amount(p.amount)}" for p in record.players]
    return lines


def write_record(dealt: Dealt) -> str:
    """Return a dealt record as text in canonical phrases. Dealing it again gives the same game.

    Comments are left out. What could not be played stays in the player's own words.
    """
    lines = [*header_lines(dealt.record), ""]
    # A statement that a correction dropped stands in its own line already.
    taken = (entry for entry in dealt.entries if not entry.dropped_by)
    for (_, player), entries in groupby(taken, key=lambda e: (e.line, e.player)):
        words = "; ".join(entry.words for entry in entries)
        lines.append(f"{player}: {words}" if player else words)
    return "\n".join(lines) + "\n"
