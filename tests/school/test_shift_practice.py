"""Each mistake of a shift comes back in practice: dealt with mistakes of every kind, and asked."""

from __future__ import annotations

import random
from collections.abc import Sequence
from datetime import timedelta
from functools import cache
from typing import Any, Final

import pytest

from passline.game.house.load import house_for
from passline.game.layout.compile import compile_layout
from passline.live.schema import ServiceError
from passline.school.answer_log import AnswerRecord
from passline.school.practice import pick_next_question
from passline.school.question_index import keep_asked_clauses
from passline.school.repetition import build_deck
from passline.school.shift import CallAnswer, DoneRequest, Shift
from passline.school.shift_players import PlayerCall, ShiftPost
from passline.school.shift_report import ShiftMark
from tests.school.right_shift import NOON, right_answer, right_work, start

pytestmark = pytest.mark.anyio

BOOKS: Final = (
    "dealer-school",
    "iowa",
    "las-vegas",
    "maryland-crapless",
    "new-jersey",
    "section-2",
)


def err_in_call(call: PlayerCall, chance: random.Random) -> CallAnswer | None:
    """An answer to a call that is wrong in one of many ways, right, or none."""
    right, turn = right_answer(call), chance.randrange(7)
    if turn == 0:
        return None
    if call.kind != "bet":
        action = chance.choice(["book", "refuse", "pay", "box"])
        return CallAnswer(call=call.id, action=action, amount="7", set={"place-win-6": "12"})  # type: ignore[arg-type]
    if turn == 1:
        return CallAnswer(call=call.id, action="refuse")
    if turn == 2:
        doubled = {slug: str(2 * float(dollars)) for slug, dollars in right.set.items()}
        return CallAnswer(call=call.id, action="book", set=doubled, at=right.at, say=right.say)
    if turn == 3:
        other = {slug: place % 8 + 1 for slug, place in right.at.items()}
        return CallAnswer(call=call.id, action="book", set=right.set, at=other, say=right.say)
    if turn == 4:
        return CallAnswer(call=call.id, action="book", set=right.set, at=right.at, say="thanks")
    return right


def err_in_steps(steps: Sequence[dict[str, Any]], chance: random.Random) -> list[dict[str, Any]]:
    """The steps of a throw with mistakes: left out, out of order, wrong in amount, act or way."""
    done, turn = [dict(step) for step in steps], chance.randrange(6)
    if turn == 0:
        return done[1:]
    if turn == 1:
        chance.shuffle(done)
        return done
    for step in done:
        what = chance.randrange(5)
        if step["act"] == "pay" and what == 0:
            step["chips"] = {**step["chips"], "red": step["chips"].get("red", 0) + 1}
        elif step["act"] == "pay" and what == 1:
            step["to"] = "hand"
        elif what == 2:
            paid = step["act"] == "take"
            step |= {"act": "pay", "chips": {"red": 1}} if paid else {"act": "take"}
    return done


async def err_in_work(shift: Shift, chance: random.Random) -> DoneRequest:
    """The work on a throw, with mistakes."""
    work, live = await right_work(shift), await shift.live()
    say = chance.choice([work.say, "seven out", "", "no roll"])
    if shift.void:
        seat = next((seat for seat in live.table.seats if seat.wagers), None)
        needless = shift.start.post != "box" and seat is not None and chance.randrange(2)
        steps = (
            [{"act": "take", "player": seat.id, "wager": next(iter(seat.wagers))}]
            if (needless and seat is not None)
            else []
        )
        return DoneRequest(steps=steps, say=say)
    wrong = tuple(n for n in range(1, 9) if chance.randrange(3) == 0)
    return DoneRequest(steps=err_in_steps(work.steps or [], chance), say=say, wrong=wrong)


def check_kept(marks: Sequence[ShiftMark], answers: Sequence[AnswerRecord]) -> None:
    """Each mistake but that of pace has an answer in the drill that the report names."""
    kept = {answer.drill for answer in answers if not answer.right}
    wrong = [mark for mark in marks if not mark.right and mark.kind != "pace"]
    assert {mark.drill for mark in wrong} <= kept, [(m.kind, m.drill, m.words) for m in wrong]


async def deal_with_mistakes(post: ShiftPost, book: str, seed: str, rolls: int) -> Shift:
    """Deal a shift with mistakes, and check that each is kept when it is made."""
    chance = random.Random(f"{post} {book} {seed}")
    _, shift = await start(post, seed=seed, rolls=rolls, book=book)
    while shift.phase != "over":
        before = len(shift.marks), len(shift.answers)
        for call in tuple(shift.calls):
            given = err_in_call(call, chance)
            if given is not None:
                try:
                    await shift.answer_call(given)
                except ServiceError:  # A good bet is not taken as it was set, and stays open.
                    await shift.answer_call(CallAnswer(call=call.id, action="refuse"))
        if shift.phase == "betting":
            await shift.dice_out()
        else:
            await shift.finish_phase(await err_in_work(shift, chance))
        check_kept(shift.marks[before[0] :], shift.answers[before[1] :])
    return shift


@cache
def comes_back(answer: AnswerRecord) -> bool:
    """Whether practice asks about one of the clauses that an answer missed, with a question."""
    layout = compile_layout(house_for(answer.rulebook))
    deck, later = build_deck([answer]), NOON + timedelta(days=900)
    due = pick_next_question(deck, layout, later, new=0)
    return due is not None and due.about[0] in due.question.cite and due.about[0] in answer.missed


async def check_practice(post: ShiftPost, book: str, seed: str, rolls: int) -> None:
    shift = await deal_with_mistakes(post, book, seed, rolls)
    wrong = [keep_asked_clauses(answer) for answer in shift.answers if not answer.right]
    assert len(wrong) > rolls / 3
    for answer in wrong:
        # The same mistake twice is asked the same: the id and the time make no difference.
        same = {"at": NOON, "id": "", "clauses": answer.missed, "seconds": None}
        fields = {name: getattr(answer, name) for name in answer.__struct_fields__}
        assert comes_back(AnswerRecord(**{**fields, **same})), answer


@pytest.mark.parametrize(
    ("post", "book"),
    [
        *(("base", "iowa"), ("stick", "iowa"), ("box", "new-jersey"), ("base", "new-jersey")),
        *(("base", "las-vegas"), ("stick", "dealer-school")),
    ],
)
async def test_every_mistake_comes_back(post: ShiftPost, book: str) -> None:
    await check_practice(post, book, "back", 6)


@pytest.mark.long
@pytest.mark.parametrize("post", ["base", "stick", "box"])
@pytest.mark.parametrize("book", BOOKS)
async def test_every_mistake_comes_back_over_many_seeds(post: ShiftPost, book: str) -> None:
    for seed in range(6):
        await check_practice(post, book, f"many {seed}", 25)


def answered(right: bool, *clauses: str, drill: str = "payoffs", seed: str = "") -> AnswerRecord:
    missed = () if right else clauses
    book = clauses[0].partition(":")[0]
    return AnswerRecord(
        at=NOON, drill=drill, right=right, clauses=clauses, missed=missed, rulebook=book, seed=seed
    )


def test_only_clauses_that_a_drill_asks_about_are_kept() -> None:
    """No drill of payoffs asks where a payoff is put; a mistake in that is kept by the manual."""
    asked, never = "iowa:payout/place-8", "iowa:take-pay.6#1"
    both = keep_asked_clauses(answered(False, never, asked))
    assert (both.clauses, both.missed) == ((asked,), (asked,))
    alone = keep_asked_clauses(answered(False, never))
    assert (alone.missed, alone.rulebook) == (("dealer-school:place/6-8",), "dealer-school")
    assert keep_asked_clauses(answered(True, never)).clauses == ()
    own = answered(False, never, seed="7")
    assert keep_asked_clauses(own) == own
    gone = answered(False, "no-such-book:1")
    assert keep_asked_clauses(gone) == gone
