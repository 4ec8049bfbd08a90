"""What lies on the table of a question, wager by wager, numbered as a learner touches them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec

from passline.crew.work_steps import CrewWork
from passline.game.money.amounts import to_dollars
from passline.game.words.wagers import layout_name
from passline.school.drills.order import replay_work
from passline.school.grading import count_by_color
from passline.school.questions import DrillSetup, Question
from passline.text import escape_unprintable


class OpenBet(msgspec.Struct, frozen=True, kw_only=True):
    """A wager on the felt of a question, by the number under which it is shown, from one."""

    number: int
    player: str
    place: int
    wager: str
    chips: dict[str, int]
    amount: str


def find_question_work(setup: DrillSetup, question: Question) -> CrewWork | None:
    """The work on the throw of a question; None where it has no table and throw."""
    if "record" not in question.given or "dice" not in question.given:
        return None
    return replay_work(setup, question)


def list_open_bets(setup: DrillSetup, work: CrewWork) -> tuple[OpenBet, ...]:
    """Every wager on the table before the throw, numbered: by place, in the order of the layout."""
    found: list[OpenBet] = []
    for seat in sorted(work.table.seats, key=lambda seat: seat.place):
        for slug in setup.layout.spots:
            stake = seat.wagers.get(slug)
            if stake is None:
                continue
            chips, _ = setup.rack.divide(stake.amount)
            found.append(
                OpenBet(
                    number=len(found) + 1,
                    player=seat.id,
                    place=seat.place,
                    wager=slug,
                    chips=count_by_color(chips),
                    amount=to_dollars(stake.amount),
                )
            )
    return tuple(found)


def format_step(step: Mapping[str, Any]) -> str:
    """One step of the crew's work, on a line."""
    end = f", {step['end']} end" if step.get("end") else ""
    act = str(step.get("act", ""))
    if act == "move" and not step.get("wager"):
        act = "move the puck"
    parts = [f"{step.get('post', '')}{end}:", act]
    if step.get("player"):
        parts.append(f"{step['player']}'s")
    if step.get("wager"):
        parts.append(layout_name(step["wager"]))
    if step.get("amount"):
        parts.append(f"${step['amount']}")
    if step.get("hand"):
        parts.append(f"with the {step['hand']} hand")
    if step.get("words"):
        parts.append(f"({step['words']})")
    return escape_unprintable(" ".join(parts))
