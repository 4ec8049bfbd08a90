"""What the stick calls: ``calls``. A call is judged by its facts and their order."""

from __future__ import annotations

from itertools import dropwhile
from typing import Any

from passline.crew.stick import call
from passline.law.clauses import clauses_by_id
from passline.school.answers import fields_of, quoted, read_list, read_words
from passline.school.busy import busy_scene, throw_for
from passline.school.calling import TOTAL, StickCall
from passline.school.drawing import Draws
from passline.school.drills.groups import figures_of
from passline.school.drills.order import thrown_in
from passline.school.questions import (
    Desk,
    Drill,
    Mark,
    NotAskedError,
    Question,
    UnreadableAnswerError,
)
from passline.school.scenes import Scene
from passline.school.work import Work
from passline.table.custody import automated

_LEAST = {1: 0, 2: 1, 3: 1, 4: 2, 5: 3}


def _pose(desk: Desk, draws: Draws) -> Question:
    scene = busy_scene(desk, draws)
    faces, work = throw_for(scene, draws, _LEAST[desk.level])
    return call_question(desk, scene, faces, work)


def call_question(desk: Desk, scene: Scene, faces: tuple[int, int], work: Work) -> Question:
    """What the stick calls when these dice fall now."""
    if automated(scene.table):
        raise NotAskedError(f"{desk.house.game} has no stick: a machine throws and calls")
    table, rolled = scene.rolled(*faces)
    called = StickCall(table, rolled)
    return Question(
        drill="calls",
        ask=f"{faces[0]}-{faces[1]} lie on the table. What does the stick call?",
        given={"record": scene.text, "dice": list(faces)},
        answer={"call": call(table, rolled), "facts": called.must},
        explain=tuple(f"{said.words} ({fact_words(said.key)})" for said in called.said),
        cite=desk.cites(*_cites(desk, called), work.steps[0].cite),
    )


def _cites(desk: Desk, called: StickCall) -> list[str]:
    """The clauses of this very throw, in each of the book's lists; then those of the words."""
    known = clauses_by_id(desk.house.book.id)
    orders = [style.order[called.thrown.occasion] for style in called.styles]
    listed = [clause for order in orders for clause in order.clauses]
    every = dict.fromkeys([*listed, *(said.cite for said in called.said)])
    named = {cite: figures_of(known[cite].figures) for cite in every if cite in known}
    own = [cite for cite, figures in named.items() if _of_throw(called, figures)]
    return [*own, *(cite for cite, figures in named.items() if "roll" not in figures)]


def _of_throw(called: StickCall, figures: dict[str, str]) -> bool:
    ways = figures.get("way", "").split(",")
    fits = ways == [""] or bool(set(ways) & set(called.thrown.marks))
    return figures.get("roll") == str(called.thrown.total) and fits


_PLACES = {
    "line": "the pass line",
    "donts": "the don't pass",
    "boxes": "comes in the boxes",
    "behind": "bets behind the number",
    "dont-come": "the don't come",
    "center": "the center",
}
_RESULTS = {"win": "wins", "lose": "loses", "push": "stands off", "travel": "travels"}


def fact_words(key: str) -> str:
    """A fact of a throw, in plain words: ``field.lose`` is that the field loses."""
    parts = []
    for one in key.split("+"):
        place, _, result = one.partition(".")
        named = _PLACES.get(place, f"the {place}")
        parts.append(f"{named} {_RESULTS[result]}" if result in _RESULTS else one)
    return " and ".join(parts)


def _mark(desk: Desk, question: Question, answer: Any) -> Mark:
    fields = fields_of(answer, "call")
    words, listed = fields.get("call"), fields.get("facts")
    if words is None and listed is None:
        raise UnreadableAnswerError("expected the call, or its facts")
    called = StickCall(*thrown_in(desk, question))
    wrong = ""
    if words is not None:
        said = read_words(words, "call")
        if said != question.answer["call"]:
            heard = [heard.fact for heard in called.hear(said)]
            wrong = _wrong_facts(called, heard, said)
    if not wrong and listed is not None:
        given = [read_words(fact, "facts") for fact in read_list(listed, "facts", 60)]
        wrong = _wrong_facts(called, given, "the facts")
    if wrong:
        return Mark(False, f"{wrong}; call: {question.answer['call']}", question.cite)
    return Mark(True, f"every fact, in order: {question.answer['call']}")


def _wrong_facts(called: StickCall, heard: list[str], said: str) -> str:
    """What a call lacks, says falsely, or says in no order of the book's."""
    allowed = called.may | {f"{TOTAL}:{n}" for n in (called.thrown.total, called.thrown.point) if n}
    first = next((fact for fact in heard if fact.startswith(TOTAL)), "")
    if first and first != called.must[0]:
        return f"the total is {called.thrown.total}, not {first.partition(':')[2]}"
    for fact in heard:
        if fact not in allowed:
            return f"{quoted(said)}: {fact_words(fact)} is not so"
    missing = [fact for fact in called.must if fact not in heard]
    if missing:
        return f"{quoted(said)} leaves out: {', '.join(map(fact_words, missing))}"
    once = [fact for fact in dict.fromkeys(heard) if fact in called.must]
    # In "seven winner ... front line winner" the first is the number's (iowa:def.seven-winner).
    after = dropwhile(lambda fact: fact == "winner", heard[1:])
    later = [fact for fact in dict.fromkeys([*heard[:1], *after]) if fact in called.must]
    if not called.in_order(once) and not called.in_order(later):
        return f"{quoted(said)} has every fact, but not in order"
    return ""


DRILL = Drill(
    name="calls",
    trains="what the stick calls",
    pose=_pose,
    mark=_mark,
    anew=True,
)
