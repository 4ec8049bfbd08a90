"""The marks of a shift, and its report: what mistakes cost, clause by clause, and the score.

Nothing here touches a table or a clock.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from datetime import datetime
from typing import Any, Final

import msgspec
from msgspec import Struct

from passline.game.law.clauses import clauses_by_id
from passline.game.money.amounts import to_dollars
from passline.school.shift_players import ShiftPost

#: The drill that practices each kind of mistake, if its mark names none; "order" practices the
#: others, and none the pace.
MISTAKE_DRILLS: Final = {
    "bet missed": "booking",
    "set wrong": "booking",
    "not said back": "booking",
    "wrong position": "positions",
    "ruling": "rulings",
    "late bet": "rulings",
    "late bet decided": "rulings",
    "not answered": "rulings",
    "amount": "payoffs",
    "delivery": "payoffs",
    "call": "calls",
    "watched": "errors",
    "overlooked": "errors",
    "no roll": "rulings",
    "pace": "",
}
#: The kinds of marks on players' calls; each such mark is one point of the score.
_CALL_KINDS: Final = frozenset(
    ("booked", "bet missed", "set wrong", "not said back", "wrong position")
) | {"ruling", "late bet", "not answered"}
#: The kinds of marks that the score leaves out.
_UNSCORED: Final = frozenset(("noticed", "pace", "late bet decided"))


class ShiftStart(Struct, frozen=True, kw_only=True):
    """What was chosen for a shift (post, rulebook, number of rolls, pace, seed), and its table.

    ``pace`` is rolls per hour. ``at`` is when the shift began, and ``learner`` who deals it, "" for
    a visitor. If the shift is part of an audition, ``audition`` is its id, and ``deadline`` when
    its time is up.
    """

    shift: str
    table: str
    post: ShiftPost
    rulebook: str
    rolls: int
    pace: int
    seed: str
    at: datetime
    learner: str = ""
    audition: str = ""
    deadline: datetime | None = None

    @property
    def seconds(self) -> float:
        """Return the seconds that the pace gives each roll."""
        return 3600 / self.pace


class ShiftMark(Struct, frozen=True, kw_only=True):
    """The grade of one thing that the learner did or left out (``right``), with words and clause.

    ``house_lost`` and ``players_lost`` are cents. When a player or the boxperson later notices a
    mistake and it is put right, a mark of the kind "noticed" has the negative loss. ``roll`` counts
    throws from 1; ``seq`` is the log entry to replay.
    """

    n: int
    roll: int
    seq: int
    kind: str
    right: bool
    words: str
    cite: str = ""
    player: str = ""
    wager: str = ""
    house_lost: int = 0
    players_lost: int = 0
    #: The drill that practices it.
    drill: str = ""


class ShiftEnd(Struct, frozen=True):
    """How much of a shift was dealt: the number of throws, the seconds, and when it ended.

    ``finished`` is that time, or None while the shift goes on.
    """

    thrown: int
    finished: datetime | None
    seconds: float = 0.0


def make_shift_report(
    start: ShiftStart, marks: Sequence[ShiftMark], end: ShiftEnd
) -> dict[str, Any]:
    """Return the report of a shift as JSON. Losses are dollars as text."""
    wrong = [mark for mark in marks if not mark.right]
    kinds = Counter(mark.kind for mark in wrong)
    right, of = score_shift(start, marks, end)
    given = msgspec.to_builtins(start)
    del given["deadline"]
    return {
        **given,
        "over": True,
        "ended": "finished" if end.finished and end.thrown >= start.rolls else "broken off",
        "thrown": end.thrown,
        "right": right,
        "of": of,
        "house_lost": to_dollars(max(0, sum(mark.house_lost for mark in marks))),
        "players_lost": to_dollars(max(0, sum(mark.players_lost for mark in marks))),
        "bets_missed": kinds["bet missed"],
        "order_faults": kinds["order"],
        "rolls_per_hour": _count_rolls_per_hour(end),
        "slow_rolls": kinds["pace"],
        "kinds": dict(kinds),
        "clauses": _list_clauses(start.rulebook, wrong),
        "mistakes": [_mark_json(start, mark, _find_recovered(mark, marks)) for mark in wrong],
    }


def _count_rolls_per_hour(end: ShiftEnd) -> float | None:
    return round(3600 * end.thrown / max(end.seconds, 1.0), 1) if end.thrown else None


def score_shift(start: ShiftStart, marks: Sequence[ShiftMark], end: ShiftEnd) -> tuple[int, int]:
    """Return (points earned, points possible).

    Each call of a player (a bet, a mistake or a claim) is one point, and each throw's work. A claim
    that the learner settles rightly, for a payoff that was short, counts for nothing. A throw's
    work earns its point if all of it is right. A throw that was planned but not dealt earns none.
    """
    calls = [mark.right for mark in marks if mark.kind in _CALL_KINDS]
    throws: dict[int, bool] = {}
    for mark in marks:
        if mark.kind not in _CALL_KINDS | _UNSCORED:
            throws[mark.roll] = throws.get(mark.roll, True) and mark.right
    right = sum(calls) + sum(throws.values())
    return right, len(calls) + len(throws) + max(0, start.rolls - end.thrown)


def _find_recovered(mark: ShiftMark, marks: Sequence[ShiftMark]) -> int:
    """Return the cents of a mistake that came back later in the shift.

    They came back if the box noticed the mistake at once, or if the player's claim was settled.
    """
    for later in marks[mark.n :]:
        if mark.house_lost and later.n == mark.n + 1 and later.kind == "noticed":
            return max(0, -later.house_lost)
        if mark.players_lost and (later.player, later.wager) == (mark.player, mark.wager):
            return max(0, -later.players_lost)
    return 0


def _mark_json(start: ShiftStart, mark: ShiftMark, recovered: int) -> dict[str, Any]:
    known = mark.cite in clauses_by_id(start.rulebook)
    return {
        **msgspec.to_builtins(mark),
        "cite": f"{start.rulebook}:{mark.cite}" if known else mark.cite,
        "house_lost": to_dollars(mark.house_lost),
        "players_lost": to_dollars(mark.players_lost),
        "recovered": to_dollars(recovered),
        "replay": f"/t/{start.table}/replay#{mark.seq}",
    }


def _list_clauses(book: str, wrong: Sequence[ShiftMark]) -> list[dict[str, Any]]:
    """Return the clauses that mistakes broke, most often first, each with its rule."""
    known = clauses_by_id(book)
    counts = Counter(mark.cite for mark in wrong if mark.cite in known)
    return [
        {"clause": f"{book}:{cite}", "rule": known[cite].rule, "mistakes": count}
        for cite, count in counts.most_common()
    ]
