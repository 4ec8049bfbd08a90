"""Questions that ask the clauses which lessons say a drill asks, found by posing them.

``python -m tests.school.clause_questions`` writes ``clause_questions.tsv``: by drill, level and
number, a question of the seed below for every such clause. A drill that draws otherwise than it
did has its questions looked for again; the file only saves the time.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from passline.game.house.load import house_for
from passline.game.law.clauses import clauses_by_id
from passline.game.layout.compile import compile_layout
from passline.school.drills import load_drill
from passline.school.lessons.lesson_files import load_lessons
from passline.school.question_types import LEVELS, DrillSetup, NoQuestionError
from passline.school.questions_and_grades import make_question

SEED = "asked"
FOUND = Path(__file__).with_name("clause_questions.tsv")
MOST = 2_000


def claims() -> dict[tuple[str, str], set[str]]:
    """By book and drill, the clauses of procedure that lessons say it asks."""
    found: dict[tuple[str, str], set[str]] = {}
    for lesson in load_lessons():
        known = clauses_by_id(lesson.book)
        for practice in lesson.practice:
            those = {c for c in practice.asks if known[c].kind == "procedure"}
            found.setdefault((lesson.book, practice.drill), set()).update(those)
    return {of: those for of, those in found.items() if those}


@cache
def desk_of(book: str, level: int) -> DrillSetup:
    return DrillSetup(compile_layout(house_for(book)), level)


def find_clauses(book: str, drill: str, level: int, n: int) -> set[str]:
    """The clauses that a question cites."""
    try:
        question = make_question(load_drill(drill), desk_of(book, level), SEED, n)
    except NoQuestionError:
        return set()
    return {cite.partition(":")[2] for cite in question.cite}


def hints() -> Iterator[tuple[str, str, int, int]]:
    for line in FOUND.read_text("utf-8").splitlines():
        book, drill, level, n = line.split("\t")
        yield book, drill, int(level), int(n)


def search(book: str, drill: str, wanted: set[str], most: int) -> list[tuple[int, int]]:
    """Questions that together ask what is wanted; it is taken out of the set as it is found."""
    found = []
    for count in range(most):
        if not wanted:
            break
        level, n = LEVELS[count % len(LEVELS)], count // len(LEVELS) + 1
        new = find_clauses(book, drill, level, n) & wanted
        if new:
            wanted -= new
            found.append((level, n))
    return found


def main() -> None:
    rows = []
    for (book, drill), wanted in claims().items():
        rows += [(book, drill, level, n) for level, n in search(book, drill, wanted, MOST)]
        if wanted:
            sys.stderr.write(f"{book} {drill} never asks {' '.join(sorted(wanted))}\n")
    FOUND.write_text("".join("\t".join(map(str, row)) + "\n" for row in rows), "utf-8")


if __name__ == "__main__":
    main()
