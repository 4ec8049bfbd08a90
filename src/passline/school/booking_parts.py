"""What a dealer announces with a booked bet: the position, the vigorish and the change.

The figures of the book's clauses on booking (``call=amount,position``) say which of them are due.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from passline.game.law.clauses import clauses_by_id
from passline.game.table import commands as cmd
from passline.game.table.state import Table
from passline.game.words.school import say_school
from passline.school.drills.groups import parse_figures


def list_due_parts(
    table: Table, bets: Sequence[cmd.Bet], clauses: Sequence[str], place: int
) -> dict[str, int]:
    """Return what the clauses have a dealer announce beyond the bets: position, vig, change.

    The clauses' figures list it. Positions are numbers of places, amounts are in cents; the change
    is 0 until the player's money is known.
    """
    known = clauses_by_id(table.house.book.id)
    figures = [parse_figures(known[cite].figures) for cite in clauses if cite in known]
    asked = {part.strip() for each in figures for part in each.get("call", "").split(",")}
    found: dict[str, int] = {}
    if "position" in asked:
        found["position"] = place
    if "vig" in asked and (vig := _sum_vig(table, bets)):
        found["vig"] = vig
    return found | ({"change": 0} if "change" in asked else {})


def _sum_vig(table: Table, bets: Sequence[cmd.Bet]) -> int:
    """Return the vigorish in cents that is due when these bets are made."""
    spots = [(table.layout.spots[bet.wager], bet.amount) for bet in bets]
    return sum(
        table.house.vig[spot.vig].charge(amount, spot.odds)
        for spot, amount in spots
        if spot.vig and not spot.vig_won
    )


_PART_CODES = {
    "position": "booking.position",
    "vig": "booking.vig",
    "change": "booking.change",
}


def describe_parts(due: dict[str, int]) -> list[str]:
    """Return the words for a position, a vigorish and any change."""
    return [
        say_school(_PART_CODES[part], place=value, vig=value, change=value)
        for part, value in due.items()
        if value
    ]


#: Words that a dealer may add when saying a bet back.
IGNORED_PHRASES = re.compile(
    r"\b(?:for|to) (?:you|the gentleman|the lady|sir)\b|\bsir\b|\bmadam\b|\byou'?re (?:up|on|in)\b"
    r"|\bis a bet\b|\bbet\b|\bbooked\b|\bgoing\b|\byou (?:have|got)\b"
)
_DOLLARS = r"\$?\s?(\d+(?:\.\d\d)?)(?: dollars?| bucks?)?"
_VIG_WORDS = r"(?:vig(?:orish)?|juice|commission)"
#: How the parts of a booking are announced; the first group that is found is the number.
_PART_PATTERNS = {
    "vig": re.compile(
        rf"(?:\b(?:plus|with)\s+)?(?:the\s+)?\b{_VIG_WORDS}\b(?:\s+(?:is|of)|:)?\s*{_DOLLARS}"
        rf"|(?:\b(?:plus|with)\s+)?{_DOLLARS}(?:\s+(?:for|of)(?: the)?)?\s+{_VIG_WORDS}\b"
    ),
    "change": re.compile(
        rf"\bchange\b(?:\s+(?:is|of)|:)?\s*{_DOLLARS}"
        rf"|{_DOLLARS}(?:\s+(?:in|is))?(?: your)?\s+change\b|\b(no)\s+change\b"
    ),
    "position": re.compile(
        r"\b(?:(?:at|in|on|from|for)\s+)?(?:the\s+)?(?:(?:position|spot|seat|rail|player)|at place|"
        r"place number)\s*(?:at\s+|no\.?\s*|number\s+|#)?(\d+)\b"
        r"|\b(\d+)(?:st|nd|rd|th)\s+(?:position|spot|seat|place|player)\b"
    ),
}


def split_parts(words: str, place: int) -> tuple[str, dict[str, list[int]]]:
    """Return (the bets, the announced numbers by part) of what a dealer says back.

    Amounts are in cents. "at 5" is a position if the player is at place 5.
    """
    rest, found = words.lower(), dict[str, list[int]]()
    patterns = {**_PART_PATTERNS, "at": re.compile(rf"\bat\s+({place})\b(?!\s*dollars)")}
    for part, pattern in patterns.items():
        for match in pattern.finditer(rest):
            text = next(group for group in match.groups() if group)
            amount = 0 if text == "no" else round(float(text) * 100)
            number = int(text) if part in ("position", "at") else amount
            found.setdefault("position" if part == "at" else part, []).append(number)
        rest = pattern.sub(" , ", rest)
    rest = re.sub(r"[;.!](?!\d)", ",", rest)
    rest = re.sub(r"\b(?:and|plus|with)\s*(?=,|$)", " ", rest)
    return re.sub(r"(?:\s*,)+", ",", rest).strip(" ,.;:"), found


def find_part_error(
    due: Mapping[str, int], parts: Mapping[str, list[int]], place: int, figures: Mapping[str, str]
) -> str:
    """Return what is wrong with the position, the vigorish and the change announced, or "".

    ``due`` are the numbers that are due by part, ``parts`` those announced (see `split_parts`), and
    ``figures`` the ``value`` that was said and the right ``repeat``.
    """
    for part in _PART_PATTERNS:
        right, told = due.get(part, 0), parts.get(part, [])
        if right and not told:
            return say_school("booking.no-part", part=part, **figures)
        if part == "position":
            wrong = [number for number in told if number != place]
            if wrong:
                return say_school("booking.wrong-place", due=place, given=wrong[0], **figures)
        elif told and right not in (*told, sum(told)) and (right or part in due or any(told)):
            given = told[0]
            return say_school("booking.wrong-part", part=part, due=right, given=given, **figures)
    return ""
