"""The table and the throw behind a question: the bets on it, and the crew's work.

A question about a throw holds a record and two dice. These functions replay that record.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from passline.crew.learner_steps import CrewStep, CrewWork, list_crew_work
from passline.game.layout.stakes import Refusal
from passline.game.money.amounts import to_dollars
from passline.game.table import commands as cmd
from passline.game.table.decide import decide
from passline.game.table.events import Rolled
from passline.game.table.evolve import evolve
from passline.game.table.state import Table
from passline.game.words.school import say_school
from passline.game.words.wagers import layout_name
from passline.record.deal import deal_record
from passline.record.read import read_record
from passline.school.answer_fields import (
    UnreadableAnswerError,
    count_by_color,
    format_counts,
    quote_value,
    read_cents,
    read_list,
    read_words,
)
from passline.school.question_types import DrillSetup, Question
from passline.school.work_faults import WorkFault, find_applicable_rules
from passline.text import escape_unprintable

_ACTIONS = ("take", "pay", "place", "move", "call", "other")
_POSTS = ("stick", "base", "box", "supervisor")


class OpenBet(msgspec.Struct, frozen=True, kw_only=True):
    """A bet on the table of a question, with the number (from 1) that a learner sees.

    ``place`` is the player's rail position, ``amount`` the bet in dollars as text, and
    ``chips`` its chips by color.
    """

    number: int
    player: str
    place: int
    wager: str
    chips: dict[str, int]
    amount: str

    def to_json(self) -> dict[str, Any]:
        """Return the bet as the JSON object that the browser reads, its chips in words."""
        return {
            "number": self.number,
            "player": self.player,
            "place": self.place,
            "wager": self.wager,
            "name": layout_name(self.wager),
            "chips": format_counts(self.chips),
        }


def replay_throw(setup: DrillSetup, question: Question) -> tuple[Table, Rolled]:
    """Return (table before the throw, roll), replayed from the question's record and dice."""
    table = deal_record(read_record(question.given["record"]), setup.house).table
    answer = decide(table, cmd.Roll(*question.given["dice"]))
    assert not isinstance(answer, Refusal)
    for event in answer:
        if isinstance(event, Rolled):
            return table, event
        table = evolve(table, event)
    raise AssertionError("the dice of a question always make a roll")


def find_question_work(setup: DrillSetup, question: Question) -> CrewWork | None:
    """Return the crew's work on a question's throw, or None if the question has no throw."""
    if "record" not in question.given or "dice" not in question.given:
        return None
    return list_crew_work(*replay_throw(setup, question))


def list_open_bets(setup: DrillSetup, work: CrewWork) -> tuple[OpenBet, ...]:
    """Return every bet on the table before the throw, by rail position, then in layout order."""
    return list_bets_at(setup, work.table)


def list_bets_at(setup: DrillSetup, table: Table) -> tuple[OpenBet, ...]:
    """Return every bet on a table, by rail position, then in layout order."""
    found: list[OpenBet] = []
    for seat in sorted(table.seats, key=lambda seat: seat.place):
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
    """Return one step of the crew's work (a JSON object) as a line of text."""
    names = ("post", "end", "act", "player", "wager", "amount", "hand", "words")
    figures = {name: step.get(name, "") for name in names}
    if figures["act"] == "move" and not figures["wager"]:
        figures["act"] = say_school("work.puck")
    return escape_unprintable(say_school("work.line", **figures))


def read_steps(value: object) -> list[CrewStep]:
    """Return the steps of a list of JSON objects. Raise UnreadableAnswerError if one is invalid."""
    return [_read_step(n, each) for n, each in enumerate(read_list(value, "steps"), 1)]


def _read_step(number: int, value: object) -> CrewStep:
    what = say_school("work.step", number=number)
    if not isinstance(value, dict):
        raise UnreadableAnswerError("answer.step", what=what)
    act = value.get("act")
    if act not in _ACTIONS:
        raise UnreadableAnswerError("answer.act", what=what, value=quote_value(act), acts=_ACTIONS)
    post = _read_word(value, "post", what)
    if post and post.removeprefix("left-").removeprefix("right-") not in _POSTS:
        raise UnreadableAnswerError("answer.post", what=what, value=quote_value(post), posts=_POSTS)
    side, _, name = post.rpartition("-")
    amount = value.get("amount")
    return CrewStep(
        post=name,
        act=act,
        player=_read_word(value, "player", what),
        wager=_read_word(value, "wager", what),
        amount=read_cents(amount, f"{what}, amount") if amount is not None else 0,
        end=_read_word(value, "end", what) or side,
        hand=_read_word(value, "hand", what),
    )


def _read_word(value: dict[str, Any], name: str, what: str) -> str:
    found = value.get(name)
    return "" if found is None else read_words(found, f"{what}, {name}").lower()


def find_order_clauses(work: CrewWork) -> list[str]:
    """Return the ids of the clauses of the steps, then of those that fix the order of the steps."""
    return [
        *(step.cite for step in work.steps),
        *(rule.cite for rule in find_applicable_rules(work)),
    ]


def find_missed_clauses(
    setup: DrillSetup, faults: Sequence[WorkFault], clauses: tuple[str, ...]
) -> tuple[str, ...]:
    """Return those of ``clauses`` that an answer with these faults missed.

    They are the clauses that the faults break. If a fault breaks none of ``clauses``, take those of
    its steps instead. Return all ``clauses`` if that leaves none.
    """
    found: list[str] = []
    for fault in faults:
        broken = setup.cites(fault.cite)
        own = broken if set(broken) & set(clauses) else setup.cites(*(s.cite for s in fault.steps))
        found += [cite for cite in own if cite in clauses]
    return tuple(dict.fromkeys(found)) or clauses
