"""The order of work on a throw: ``order``."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from passline.layout import Refusal
from passline.money import show_dollars
from passline.record import deal_record, read_record
from passline.school.answers import fields_of, quoted, read_cents, read_list, read_words
from passline.school.busy import busy_scene, throw_for
from passline.school.drawing import Draws
from passline.school.judging import WorkFault, judge_steps, rules_touched, step_named
from passline.school.questions import Desk, Drill, Mark, Question, UnreadableAnswerError
from passline.school.work import Work, WorkStep, work_of
from passline.table import Table, evolve
from passline.table import commands as cmd
from passline.table.decide import decide
from passline.table.events import Rolled

_LEAST = {1: 1, 2: 2, 3: 3, 4: 4, 5: 5}
_ACTS = ("take", "pay", "place", "move", "call", "other")
_POSTS = ("stick", "base", "box", "supervisor")


def _pose(desk: Desk, draws: Draws) -> Question:
    scene = busy_scene(desk, draws)
    return order_question(desk, scene.text, *throw_for(scene, draws, _LEAST[desk.level]))


def order_question(desk: Desk, record: str, faces: tuple[int, int], work: Work) -> Question:
    """What the crew does on a throw at the table of a record."""
    return Question(
        drill="order",
        ask=f"{faces[0]}-{faces[1]} is thrown. What does the crew do, in order?",
        given={"record": record, "dice": list(faces)},
        answer={"steps": [step.to_json() for step in work.steps]},
        explain=tuple(told_order(work)),
        cite=desk.cites(*order_cites(work)),
    )


def told_order(work: Work) -> list[str]:
    """The work in sentences, then what fixes its order."""
    steps = ", ".join(f"{step_named(s)} {show_dollars(s.amount)}" for s in work.money)
    names = dict.fromkeys(rule.name for rule, _ in rules_touched(work))
    return [f"in order: {steps}", *names]


def order_cites(work: Work) -> list[str]:
    """The clauses of the steps, and those that fix their order."""
    return [*(step.cite for step in work.steps), *(cite for _, cite in rules_touched(work))]


def thrown_in(desk: Desk, question: Question) -> tuple[Table, Rolled]:
    """The throw that a question is about: the table of its record, dealt, and its dice."""
    dealt = deal_record(read_record(question.given["record"]), desk.house)
    table = dealt.table
    answer = decide(table, cmd.Roll(*question.given["dice"]))
    assert not isinstance(answer, Refusal)
    for event in answer:
        if isinstance(event, Rolled):
            return table, event
        table = evolve(table, event)
    raise AssertionError("a throw that counts")


def work_in(desk: Desk, question: Question) -> Work:
    """The work on that throw."""
    return work_of(*thrown_in(desk, question))


def read_steps(value: object) -> list[WorkStep]:
    """Steps as a learner told them."""
    return [_read_step(n, each) for n, each in enumerate(read_list(value, "steps"), 1)]


def _read_step(number: int, value: object) -> WorkStep:
    what = f"step {number}"
    if not isinstance(value, dict):
        raise UnreadableAnswerError(f"{what}: expected act, player, wager and amount")
    act = value.get("act")
    if act not in _ACTS:
        raise UnreadableAnswerError(f"{what}: {quoted(act)} is no act: {', '.join(_ACTS)}")
    post = _word(value, "post", what)
    if post and post.removeprefix("left-").removeprefix("right-") not in _POSTS:
        raise UnreadableAnswerError(f"{what}: {quoted(post)} is no post: {', '.join(_POSTS)}")
    side, _, name = post.rpartition("-")
    amount = value.get("amount")
    return WorkStep(
        post=name,
        act=act,
        player=_word(value, "player", what),
        wager=_word(value, "wager", what),
        amount=read_cents(amount, f"{what}, amount") if amount is not None else 0,
        end=_word(value, "end", what) or side,
        hand=_word(value, "hand", what),
    )


def _word(value: dict[str, Any], name: str, what: str) -> str:
    found = value.get(name)
    return "" if found is None else read_words(found, f"{what}, {name}").lower()


def _mark(desk: Desk, question: Question, answer: Any) -> Mark:
    fields = fields_of(answer, "steps")
    steps = read_steps(fields.get("steps"))
    faults = judge_steps(work_in(desk, question), steps)
    if not faults:
        return Mark(True, "every loser, winner and new bet, in an order that the manual allows")
    first = faults[0]
    more = f" (and {len(faults) - 1} more)" if len(faults) > 1 else ""
    at = f"step {first.numbers[0]}: " if first.numbers else ""
    cites = cites_missed(desk, faults, question.cite)
    return Mark(False, f"{at}{first.words}{more}; {question.explain[0]}", cites)


def cites_missed(desk: Desk, faults: Sequence[WorkFault], of: tuple[str, ...]) -> tuple[str, ...]:
    """Of an order's clauses those that were missed: what a fault breaks, or by what the step that
    it is about is done; all of them, where that tells none apart."""
    found: list[str] = []
    for fault in faults:
        broken = desk.cites(fault.cite)
        own = broken if set(broken) & set(of) else desk.cites(*(s.cite for s in fault.steps))
        found += [cite for cite in own if cite in of]
    return tuple(dict.fromkeys(found)) or of


DRILL = Drill(
    name="order",
    trains="who takes, pays and places what, in order",
    pose=_pose,
    mark=_mark,
    anew=True,
)
