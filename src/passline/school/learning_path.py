"""The path through the school: find the next lesson, drill or test, and the gates that are passed.

Each lesson ends with drills. A drill's gate is its pass mark: 8 of 10 answers in a row right and at
pace, at the lesson's level or above. The module is pure: it reads a learner's answers.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

import msgspec

from passline.game.words.school import say_school
from passline.school.answer_log import AnswerRecord
from passline.school.drills import list_drill_names, load_drill
from passline.school.lessons.lesson_files import Lesson

#: A gate takes this many right and fast answers, of so many in a row.
GATE_RIGHT, GATE_ANSWERS = 8, 10


def is_at_pace(answered: AnswerRecord) -> bool:
    """Return whether an answer is right and took no longer than a working dealer takes.

    Return False for an answer that was not timed.
    """
    if not answered.right or answered.seconds is None or answered.drill not in list_drill_names():
        return False
    return answered.seconds <= load_drill(answered.drill).seconds


class Gate(msgspec.Struct, frozen=True, kw_only=True):
    """A learner's standing at a lesson's drill: whether its gate (pass mark) is passed.

    ``right`` of the last ``of`` answers were right and fast enough.
    """

    drill: str
    level: int
    passed: bool
    right: int
    of: int


class NextStep(msgspec.Struct, frozen=True, kw_only=True):
    """What to do next: a sentence, its page on a server, and its command at the prompt."""

    kind: Literal["lesson", "drill", "practice", "shift", "audition"]
    words: str
    path: str
    command: str


def check_gate(answers: Sequence[AnswerRecord], book: str, drill: str, level: int) -> Gate:
    """Return a learner's standing at a drill's gate: 8 of 10 answers in a row right and at pace.

    Only answers at this level or above count, under this rulebook or without one. A passed gate
    stays passed.
    """
    mine = [
        is_at_pace(each)
        for each in answers
        if each.drill == drill and each.level >= level and each.rulebook in (book, "")
    ]
    starts = range(len(mine) - GATE_ANSWERS + 1)
    passed = any(sum(mine[start : start + GATE_ANSWERS]) >= GATE_RIGHT for start in starts)
    last = mine[-GATE_ANSWERS:]
    return Gate(drill=drill, level=level, passed=passed, right=sum(last), of=len(last))


def judge_gate(right: int, of: int) -> tuple[bool, str]:
    """Return whether answers pass a drill's gate (its pass mark, 8 of 10), and a sentence about it.

    ``right`` of ``of`` answers were right and fast enough. Any number of answers is judged by the
    same share.
    """
    passed = right * GATE_ANSWERS >= GATE_RIGHT * of
    return passed, say_school("path.passed" if passed else "path.not-passed", right=right, of=of)


def list_gates(answers: Sequence[AnswerRecord], lesson: Lesson) -> tuple[Gate, ...]:
    """Return the gates (pass marks) of a lesson's drills, in order."""
    return tuple(
        check_gate(answers, lesson.book, practice.drill, practice.level)
        for practice in lesson.practice
    )


def find_next_step(
    answers: Sequence[AnswerRecord], lessons: Sequence[Lesson], due: int = 0
) -> NextStep:
    """Return what a learner does next.

    If ``due`` cards are waiting, that is practice. Otherwise it is the first drill whose gate is
    not passed, or its lesson if no drill of the lesson has answers yet. After all gates it is a
    shift on a server, or an audition at the prompt.
    """
    if due:
        words = say_school("path.practice", due=due)
        path, command = "/school/practice", "passline school --practice"
        return NextStep(kind="practice", words=words, path=path, command=command)
    for lesson in lessons:
        gates = list_gates(answers, lesson)
        left = [gate for gate in gates if not gate.passed]
        if left and not any(gate.of for gate in gates):
            return make_lesson_step(lesson)
        if left:
            return make_drill_step(lesson, left[0])
    words = say_school("path.shift")
    command = "passline school --audition"
    return NextStep(kind="shift", words=words, path="/school/shift", command=command)


def make_lesson_step(lesson: Lesson) -> NextStep:
    """Return the step of reading a lesson."""
    return NextStep(
        kind="lesson",
        words=say_school("path.lesson", title=lesson.title),
        path=f"/school/{lesson.id}",
        command=f"passline school {lesson.id}",
    )


def make_drill_step(lesson: Lesson, gate: Gate) -> NextStep:
    """Return the step of doing a drill of a lesson."""
    query = f"level={gate.level}&rulebook={lesson.book}&lesson={lesson.id}"
    return NextStep(
        kind="drill",
        words=say_school(
            "path.drill", drill=gate.drill, level=gate.level, right=gate.right, of=gate.of
        ),
        path=f"/school/drill/{gate.drill}?{query}",
        command=f"passline school {gate.drill} --level {gate.level} --rulebook {lesson.book}",
    )


def find_step_after(lessons: Sequence[Lesson], lesson: str, drill: str, level: int) -> NextStep:
    """Return the step after a drill of a lesson: its next drill, else the next lesson.

    ``lesson`` is the lesson's id; without it, the first lesson with that drill counts. After the
    last lesson comes the audition.
    """
    for place, each in enumerate(lessons):
        drills = [(one.drill, one.level) for one in each.practice]
        if each.id != lesson and (lesson or drill not in each.drills):
            continue
        names = list(each.drills)
        at = drills.index((drill, level)) if (drill, level) in drills else -1
        at = names.index(drill) if at < 0 and drill in names else at
        if at + 1 < len(drills):
            name, first = drills[at + 1]
            gate = Gate(drill=name, level=first, passed=False, right=0, of=0)
            return make_drill_step(each, gate)
        if place + 1 < len(lessons):
            return make_lesson_step(lessons[place + 1])
    return NextStep(
        kind="audition",
        words=say_school("path.audition"),
        path="/school/audition",
        command="passline school --audition",
    )
