"""What somebody did wrong: ``errors``. A right work list, broken in one of the ways that happen."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from msgspec.structs import replace

from passline.money import show_dollars
from passline.school.answers import fields_of, quoted, read_cents, read_list, read_words
from passline.school.busy import busy_scene, throw_for
from passline.school.drawing import Draws
from passline.school.drills.order import read_steps, work_in
from passline.school.drills.press_errors import press_scene, with_press
from passline.school.judging import WorkFault, judge_steps
from passline.school.questions import (
    Desk,
    Drill,
    Mark,
    NotAskedError,
    Question,
    UnreadableAnswerError,
)
from passline.school.reasons import wrong_reason
from passline.school.work import Work, WorkStep

_LEAST = {1: 2, 2: 2, 3: 3, 4: 4, 5: 5}
StepList = tuple[WorkStep, ...]
Breaking = Callable[[Desk, StepList, Draws], StepList | None]


def _pose(desk: Desk, draws: Draws) -> Question:
    if desk.level > 1 and draws.one_in(len(_WAYS) + 1):
        work, shown, given = press_scene(desk, draws)
    else:
        scene = busy_scene(desk, draws)
        faces, work = throw_for(scene, draws, _LEAST[desk.level])
        given = {"record": scene.text, "dice": list(faces)}
        shown = _broken(desk, work, draws)
    return _error_question(desk, work, shown, given)


def error_question(
    desk: Desk, record: str, faces: tuple[int, int], work: Work, draws: Draws
) -> Question:
    """The work on a throw at the table of a record, with one mistake in it."""
    given = {"record": record, "dice": list(faces)}
    return _error_question(desk, work, _broken(desk, work, draws), given)


def _error_question(desk: Desk, work: Work, shown: StepList, given: dict[str, Any]) -> Question:
    faults = judge_steps(work, shown)
    if not _one_clause(desk, faults):
        raise NotAskedError("nothing that the book says, or more than one thing, would be wrong")
    first = faults[0]
    return Question(
        drill="errors",
        ask=f"{_pressed(given)}This is what somebody did. Which step is wrong, and why?",
        given={**given, "shown": [step.to_json() for step in shown]},
        answer={"wrong": [first.numbers[0]], "why": first.words},
        explain=(f"step {first.numbers[0]}: {first.words}",),
        cite=desk.cites(first.cite),
    )


def _pressed(given: dict[str, Any]) -> str:
    """The press that was asked for on the throw: nobody sees from the felt what it is to be."""
    presses = given.get("presses")
    if presses is None:
        return ""
    to = show_dollars(read_cents(presses["to"], "to"))
    return f"{presses['player']} presses the {presses['number']} to {to}. "


def _broken(desk: Desk, work: Work, draws: Draws) -> StepList:
    """The work as somebody did it who made one mistake."""
    for way in draws.shuffled(_WAYS):
        shown = way(desk, work.steps, draws)
        if shown is not None and _one_clause(desk, judge_steps(work, shown)):
            return shown
    raise NotAskedError("nothing here could be done wrong in one way alone")


def _one_clause(desk: Desk, faults: Sequence[WorkFault]) -> bool:
    """Whether a broken list is wrong in one way, pairs in the wrong order being one, and the book
    has a clause that it breaks: where it leaves the hand or the order open, neither is asked."""
    return len({fault.kind for fault in faults}) == 1 and bool(desk.cites(faults[0].cite))


def _with(steps: StepList, old: WorkStep, new: WorkStep) -> StepList:
    return tuple(new if step is old else step for step in steps)


def _of(steps: StepList, *acts: str) -> list[WorkStep]:
    return [step for step in steps if step.act in acts]


def wrong_amount(desk: Desk, steps: StepList, draws: Draws) -> StepList | None:
    """A payoff by the wrong key: the bet itself, or some chips too many or too few."""
    paid = _of(steps, "pay")
    if not paid:
        return None
    step = draws.pick(paid)
    chip = max(desk.house.chip, 100)
    others = [step.amount + chip, step.amount - chip, step.amount * 2, step.amount + 5 * chip]
    amounts = [amount for amount in others if amount > 0 and amount != step.amount]
    return _with(steps, step, replace(step, amount=draws.pick(amounts)))


def wrong_end(desk: Desk, steps: StepList, draws: Draws) -> StepList | None:
    """The dealer of the other end reaches over."""
    mine = [step for step in _of(steps, "take", "pay", "place") if step.post == "base"]
    if not mine or desk.level < 3:
        return None
    step = draws.pick(mine)
    return _with(steps, step, replace(step, end="right" if step.end == "left" else "left"))


def wrong_hand(_: Desk, steps: StepList, draws: Draws) -> StepList | None:
    """The other hand."""
    handed = [step for step in steps if step.hand]
    if not handed:
        return None
    step = draws.pick(handed)
    other = "inside" if step.hand == "outside" else "outside"
    return _with(steps, step, replace(step, hand=other))


def missed(_: Desk, steps: StepList, draws: Draws) -> StepList | None:
    """A bet that nobody took, paid or placed."""
    money = [step for step in steps if step.is_money]
    left_out = draws.pick(money) if len(money) > 1 else None
    return tuple(step for step in steps if step is not left_out) if left_out else None


def loser_paid(_: Desk, steps: StepList, draws: Draws) -> StepList | None:
    """A loser, paid."""
    lost = _of(steps, "take")
    if not lost:
        return None
    step = draws.pick(lost)
    return _with(steps, step, replace(step, act="pay"))


def wrong_order(_: Desk, steps: StepList, draws: Draws) -> StepList | None:
    """A winner paid before a loser was taken, or players the wrong way round."""
    money = [n for n, step in enumerate(steps) if step.is_money]
    if len(money) < 2:
        return None
    late = draws.pick(money[1:])
    early = draws.pick([n for n in money if n < late])
    moved = list(steps)
    moved.insert(early, moved.pop(late))
    return tuple(moved)


def flat_first(_: Desk, steps: StepList, draws: Draws) -> StepList | None:
    """The flat paid, and then its odds."""
    pairs = [
        (odds, flat)
        for odds in range(len(steps))
        for flat in range(odds + 1, len(steps))
        if steps[odds].act == steps[flat].act == "pay"
        and steps[odds].player == steps[flat].player
        and steps[odds].kind in (f"{steps[flat].kind}-odds", steps[flat].kind[:-2] + "-odds")
        and steps[odds].number == steps[flat].number
    ]
    if not pairs:
        return None
    odds, flat = draws.pick(pairs)
    moved = list(steps)
    moved[odds], moved[flat] = moved[flat], moved[odds]
    return tuple(moved)


_WAYS: tuple[Breaking, ...] = (
    wrong_amount,
    wrong_end,
    wrong_hand,
    missed,
    loser_paid,
    wrong_order,
    flat_first,
)


def _mark(desk: Desk, question: Question, answer: Any) -> Mark:
    fields = fields_of(answer, "wrong")
    numbers = _numbers(fields.get("wrong"))
    work = work_in(desk, question)
    if "presses" in question.given:
        presses = question.given["presses"]
        work = with_press(desk, work, {**presses, "to": read_cents(presses["to"], "to")})
    shown = read_steps(question.given["shown"])
    faults = judge_steps(work, shown)
    first = faults[0]
    wrong = "" if _names(faults, numbers) else _elsewhere(numbers, first)
    why = fields.get("why")
    if not wrong and why is not None:
        wrong = wrong_reason(read_words(why, "why"), faults, shown)
    if wrong:
        return Mark(False, f"{wrong}; {question.explain[0]}", question.cite)
    return Mark(True, question.explain[0])


def _numbers(value: object) -> frozenset[int]:
    if isinstance(value, int) and not isinstance(value, bool):
        value = [value]
    found = read_list(value, "wrong")
    if not all(isinstance(n, int) and not isinstance(n, bool) for n in found):
        raise UnreadableAnswerError(f"wrong: expected numbers of steps, not {quoted(value)}")
    return frozenset(found)


def _names(faults: Sequence[WorkFault], numbers: frozenset[int]) -> bool:
    """Whether these numbers name what is wrong, and nothing else: of two steps in the wrong order
    either, or both; of one left out any place where it could have been done."""
    all_named = {number for fault in faults for number in fault.numbers}
    if not numbers or not numbers <= all_named:
        return False
    if faults[0].kind == "missed":
        return len(numbers) == 1
    return any(numbers & set(fault.numbers) for fault in faults)


def _elsewhere(numbers: frozenset[int], fault: WorkFault) -> str:
    named = ", ".join(map(str, sorted(numbers)[:9])) or "none"
    return f"named was {named}, and {fault.numbers[0]} is wrong"


DRILL = Drill(
    name="errors",
    trains="finding what somebody did wrong, and the clause it breaks",
    pose=_pose,
    mark=_mark,
    anew=True,
)
