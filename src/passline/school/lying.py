"""What lies on the table of a question, wager by wager, numbered as a learner touches them."""

from __future__ import annotations

import msgspec

from passline.money import dollars
from passline.school.answers import counted
from passline.school.drills.order import work_in
from passline.school.questions import Desk, Question
from passline.school.work import Work


class LyingWager(msgspec.Struct, frozen=True, kw_only=True):
    """A wager on the felt of a question, by the number under which it is shown, from one."""

    number: int
    player: str
    place: int
    wager: str
    chips: dict[str, int]
    amount: str


def work_of_question(desk: Desk, question: Question) -> Work | None:
    """The work on the throw of a question; None where it has no table and throw."""
    if "record" not in question.given or "dice" not in question.given:
        return None
    return work_in(desk, question)


def lying_wagers(desk: Desk, work: Work) -> tuple[LyingWager, ...]:
    """Every wager on the table before the throw, numbered: by place, in the order of the layout."""
    found: list[LyingWager] = []
    for seat in sorted(work.table.seats, key=lambda seat: seat.place):
        for slug in desk.layout.spots:
            stake = seat.wagers.get(slug)
            if stake is None:
                continue
            chips, _ = desk.rack.divide(stake.amount)
            found.append(
                LyingWager(
                    number=len(found) + 1,
                    player=seat.id,
                    place=seat.place,
                    wager=slug,
                    chips=counted(chips),
                    amount=dollars(stake.amount),
                )
            )
    return tuple(found)
