"""Winning bets: list the throws that win a wager, settle them with the engine, grade the payoff."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Any

from msgspec.structs import replace

from passline.crew.cut_payoff import Payoff, cut_payoff
from passline.game.dice.dice import outcome_total
from passline.game.law.verdicts import Verdict
from passline.game.layout.settle import Throw, settle
from passline.game.layout.spots import Spot
from passline.game.layout.stakes import Settlement, Stake
from passline.game.money.amounts import from_dollars, show_dollars, to_dollars
from passline.game.money.chips import Chips
from passline.game.words.school import say_school
from passline.school.answer_fields import (
    PAID_FIELD,
    AnswerField,
    AnswerFields,
    UnreadableAnswerError,
    find_amount_error,
    find_chips_error,
    parse_chips,
    read_cents,
    split_amount,
)
from passline.school.drill import Drill
from passline.school.practice_tables import TableThrow
from passline.school.question_types import DrillSetup, Grade, NoQuestionError, Question


def iter_wins(spot: Spot, puck: int) -> Iterator[tuple[int, Verdict]]:
    """Yield (throw, verdict) for each throw on which a wager wins while the point is ``puck``.

    The throw is an index in ``OUTCOMES``; ``puck`` is 0 on a come-out roll.
    """
    for index, verdict in enumerate(spot.tables[puck]):
        if verdict is not None and verdict.result == "win":
            yield index, verdict


def list_winning_throws(setup: DrillSetup, spot: Spot) -> list[tuple[int, int, Verdict]]:
    """Return (puck, throw, verdict) for every throw on which a working wager can win.

    The puck is the point or 0, the throw an index in ``OUTCOMES``. Raise NoQuestionError if the
    wager never wins at fixed odds.
    """
    first = (0,) if _works_on_come_out(spot) else ()
    found = [
        (puck, index, verdict)
        for puck in (*first, *setup.house.book.points.value)
        for index, verdict in iter_wins(spot, puck)
        if verdict.odds
    ]
    if not found:
        raise NoQuestionError("none.price", wager=spot.slug)
    return found


def _works_on_come_out(spot: Spot) -> bool:
    rule = spot.rule
    if rule.is_come and not spot.number:
        return False
    return spot.works and (not rule.is_odds or bool(spot.number))


def settle_win(setup: DrillSetup, spot: Spot, stake: int, puck: int, index: int) -> Settlement:
    """Settle a bet with the engine, on a throw that wins, and return the settlement.

    ``index`` is the throw's position in ``OUTCOMES``, ``stake`` is in cents, and ``puck`` is the
    point or 0. The bet counts as working, even where it would be off on this throw.
    """
    up = {spot.slug: Stake(stake, stake, call=True)}
    (done,) = settle(setup.layout, "", up, Throw(index, outcome_total(index), puck))
    return done


def cut_full_payoff(setup: DrillSetup, done: Settlement, stack: Chips) -> Payoff:
    """Return the payoff in chips as the crew makes it, with no vigorish taken off.

    ``stack`` is the bet's own chips.
    """
    return cut_payoff(setup.layout, replace(done, vig=0), stack)


def _list_payoff_fields(setup: DrillSetup, _: Question) -> tuple[AnswerField, ...]:
    hint = "" if setup.any_colors else say_school("payoff.manual")
    return (PAID_FIELD, AnswerField(name="chips", kind="chips", hint=hint))


def _choose_hint(setup: DrillSetup, _: Question) -> str:
    return "payoff.hint-any" if setup.any_colors else "payoff.hint-chips"


def _parse_payoff(setup: DrillSetup, _: Question, text: str) -> Any:
    """Return {"paid": amount}, {"chips": counts by color} or both.

    Raise UnreadableAnswerError for any other text, and from level 3 also without chips.
    """
    if text.startswith("-"):
        read_cents(text, "paid")
    found = split_amount(text)
    if found is None or (found[1] and not text.startswith("$") and _are_chips(setup, text)):
        return {"chips": parse_chips(setup, text)}
    paid, chips = found
    if chips:
        return {"paid": paid, "chips": parse_chips(setup, chips)}
    if not setup.any_colors:
        raise UnreadableAnswerError("payoff.which-chips")
    return {"paid": paid}


def _are_chips(setup: DrillSetup, text: str) -> bool:
    try:
        parse_chips(setup, text)
    except UnreadableAnswerError:
        return False
    return True


#: Make a drill whose answer is a payoff.
payoff_drill = partial(
    Drill, parse_answer=_parse_payoff, hint=_choose_hint, fields=_list_payoff_fields
)


def grade_payoff(
    setup: DrillSetup, question: Question, fields: AnswerFields, stacks: Sequence[Chips]
) -> Grade | str:
    """Grade the answer's "paid" (an amount) and "chips", or return what is wrong.

    ``stacks`` are the chips that the manual allows, the usual ones first. The amount alone is
    enough up to level 2, chips alone always. Raise UnreadableAnswerError without either.
    """
    paid, chips = fields.get("paid"), fields.get("chips")
    if paid is None and chips is None:
        raise UnreadableAnswerError("payoff.expected")
    due = question.answer["paid"]
    if paid is not None and (error := find_amount_error(paid, due, "paid")):
        return error
    if chips is not None and (error := find_chips_error(setup, chips, stacks)):
        return error
    if chips is None and not setup.any_colors:
        return say_school("payoff.chips-missing", chips=stacks[0])
    return Grade(True, f"{show_dollars(from_dollars(due))}: {stacks[0]}")


def make_if_paid(
    throw: TableThrow, player: str, paid: int, make_question: Callable[[], Question]
) -> Iterator[Question]:
    """Yield the question that ``make_question`` returns, if its right answer is ``paid`` cents.

    ``paid`` is what ``throw`` paid the player. The question gets the player's name and position.
    Yield nothing if its answer is another, or if no question can be made.
    """
    try:
        question = make_question()
    except NoQuestionError:
        return
    if question.answer["paid"] == to_dollars(paid):
        yield throw.add_player(question, player)
