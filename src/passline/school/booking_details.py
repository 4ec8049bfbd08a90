"""What a dealer must say when booking a bet: the player's position, the vigorish and the change.

Each rulebook clause on booking lists what is required in its figures, as ``call=amount,position``.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from passline.game.law.clauses import clauses_by_id
from passline.game.table import commands as cmd
from passline.game.table.state import Table
from passline.game.words.school import say_school
from passline.school.drills.groups import parse_figures
from passline.talk.normalize import NUMBER_WORDS, convert_number_words


def list_due_parts(
    table: Table, bets: Sequence[cmd.Bet], clauses: Sequence[str], place: int
) -> dict[str, int]:
    """Return {part: number} for what a dealer must say besides the bets: position, vig, change.

    It has only the parts that ``clauses`` require, in figures such as ``call=amount,position``. The
    position is ``place``, the player's rail position; amounts are in cents. The change is 0 here,
    because the player's money is not known.
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
    """Return a phrase for each part (position, vigorish, change) whose number is not 0."""
    return [
        say_school(_PART_CODES[part], place=value, vig=value, change=value)
        for part, value in due.items()
        if value
    ]


#: Words that a dealer may add when saying a bet back.
IGNORED_PHRASES = re.compile(
    r"\b(?:for|to) (?:you|the gentleman|the lady|sir)\b|\bsir\b|\bmadam\b|\byou'?re (?:up|on|in)\b"
    r"|\bis a bet\b|\bbet\b|\bbooked\b|\bgoing\b|\byou (?:have|got)\b|\bi have\b"
    r"|\b(?:got it|ok|okay|thank you|thanks|that(?:'?s| is)|here(?:'?s| is))\b"
)
_DOLLARS = r"\$?\s?(\d+(?:\.\d\d)?)(?: dollars?| bucks?)?"
_VIG_WORDS = r"(?:vig(?:orish)?|juice|commission)"
#: How the parts of a booking are announced; the first group that is found is the number. A part has
#: its number after its word or before it: "vig $2, change $5" or "$2 vig, $5 change".
_POSITION_PATTERN = re.compile(
    r"\b(?:(?:at|in|on|from|for)\s+)?(?:the\s+)?(?:(?:position|spot|seat|rail|player)|at place|"
    r"place number)\s*(?:at\s+|no\.?\s*|number\s+|#)?(\d+)\b"
    r"|\b(\d+)(?:st|nd|rd|th)\s+(?:position|spot|seat|place|player)\b"
)
_NUMBER_LAST_PATTERNS = {
    "vig": re.compile(
        rf"(?:\b(?:plus|with)\s+)?(?:the\s+)?\b{_VIG_WORDS}\b(?:\s+(?:is|of)|:)?\s*{_DOLLARS}"
    ),
    "change": re.compile(rf"(?:\byour\s+)?\bchange\b(?:\s+(?:is|of)|[:,])?\s*{_DOLLARS}"),
}
_NUMBER_FIRST_PATTERNS = {
    "vig": re.compile(
        rf"(?:\b(?:plus|with)\s+)?(?:\ban?\s+)?{_DOLLARS}"
        rf"(?:\s+(?:for|of|in)(?: the)?)?\s+{_VIG_WORDS}\b"
    ),
    "change": re.compile(
        rf"{_DOLLARS}(?:\s+(?:in|is))?(?: your| the)?\s+(?:coming\s+|going\s+)?(?:change|back)\b"
        r"(?:\s+(?:coming|comes|going|goes)?\s*(?:back)?)?|\b(no)\s+change\b"
    ),
}
_NUMBER_RUN = rf"(?:(?:{'|'.join(sorted(NUMBER_WORDS))})\b[\s-]*)+"
#: A number in words, in a part of a booking: "position four", "two dollars vig".
_PART_IN_WORDS = re.compile(
    rf"\b(?P<before>(?:position|spot|seat|rail|player|change|{_VIG_WORDS})"
    rf"(?:\s+(?:is|of|number)|:)?\s+)(?P<last>{_NUMBER_RUN})"
    rf"|\b(?P<first>{_NUMBER_RUN})(?=(?:dollars?\s+|bucks?\s+)?(?:in\s+|is\s+|of\s+|for\s+)?"
    rf"(?:the\s+|your\s+)?(?:change|back|{_VIG_WORDS})\b)"
)


def list_readings(words: str, place: int) -> list[tuple[str, dict[str, list[int]]]]:
    """Return each way to read a dealer's words, as (the bets, {part: the numbers said}).

    Amounts are in cents. ``place`` is the player's rail position. If it is 5, "at 5" is read as the
    position, and "place 5" between commas both as a bet and as the position. Without punctuation,
    "$2 vig $5 change" can be read in two ways.
    """
    patterns = (
        {
            part: (last, _NUMBER_FIRST_PATTERNS[part])
            for part, last in _NUMBER_LAST_PATTERNS.items()
        },
        {
            part: (first, _NUMBER_LAST_PATTERNS[part])
            for part, first in _NUMBER_FIRST_PATTERNS.items()
        },
    )
    plain = re.sub(r"\ban? (?:dollar|buck)\b", "$1", words.lower())
    text = _PART_IN_WORDS.sub(_write_in_figures, plain)
    placed = re.sub(rf"(^|,)\s*place {place}\s*(?=,|$)", rf"\1 position {place}", text)
    return [
        _split_parts(each, place, them)
        for each in dict.fromkeys((text, placed))
        for them in patterns
    ]


def _write_in_figures(match: re.Match[str]) -> str:
    run = match["last"] or match["first"]
    figures = " ".join(convert_number_words(run.replace("-", " ").split()))
    return f"{match['before'] or ''}{figures}{' ' * run.endswith(' ')}"


def _split_parts(
    text: str, place: int, patterns: Mapping[str, Sequence[re.Pattern[str]]]
) -> tuple[str, dict[str, list[int]]]:
    found = dict[str, list[int]]()
    at = re.compile(rf"\bat\s+({place})\b(?!\s*dollars)")
    rest = text
    for part, each in {"position": (_POSITION_PATTERN, at), **patterns}.items():
        for pattern in each:
            for match in pattern.finditer(rest):
                said = next(group for group in match.groups() if group)
                amount = 0 if said == "no" else round(float(said) * 100)
                number = int(said) if part == "position" else amount
                found.setdefault(part, []).append(number)
            rest = pattern.sub(" , ", rest)
    rest = re.sub(r"[;.!](?!\d)", ",", rest)
    rest = re.sub(r"\b(?:and|plus|with)\s*(?=,|$)", " ", rest)
    return re.sub(r"(?:\s*,)+", ",", rest).strip(" ,.;:"), found


def find_part_error(
    due: Mapping[str, int], parts: Mapping[str, list[int]], place: int, figures: Mapping[str, str]
) -> str:
    """Return what is wrong with the position, vigorish and change that a dealer said, or "".

    ``due`` holds the right number for each part, ``parts`` the numbers said (see `list_readings`).
    ``figures`` fill in the message: ``value`` is what was said, ``repeat`` what should be said.
    """
    for part in _PART_CODES:
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
