"""The words of the trade, and what they mean: ``terms``.

The words are those that the house's own book explains; what they could be taken for comes from it
too, and from the other books where it explains few.
"""

from __future__ import annotations

import re
from functools import cache
from typing import Any, NamedTuple

from passline.law.clauses import Clause, register
from passline.law.shelf import BOOKS
from passline.school.answers import fields_of, read_choice
from passline.school.drawing import Draws
from passline.school.questions import Desk, Drill, Mark, NotAskedError, Question

_NAMED = re.compile(r"(?:^|[./])([a-z][a-z-]*[a-z])(?:#\d+)?$")
#: Ids that end so are about the part before it.
_OF_ITSELF = "definition"
_HEADED = re.compile(r"([A-Z][A-Za-z' -]{2,30}): (.+)")
_CHOICES = {1: 3, 2: 4, 3: 4, 4: 5, 5: 6}


class Term(NamedTuple):
    """A word that a rulebook explains, its meaning in our words, the figures, the clause."""

    word: str
    means: str
    figures: str
    clause: str


@cache
def terms_of_book(book_id: str) -> tuple[Term, ...]:
    """Every word that a rulebook defines: by the clause's own id, or by how the clause begins.

    >>> [term.means for term in terms_of_book("dealer-school") if term.word == "boxcars"]
    ['Slang for a total of twelve.']
    """
    found: dict[str, Term] = {}
    for clause in register(book_id):
        term = _term(clause) if clause.kind == "definition" else None
        if term is not None:
            found.setdefault(term.word, term)
    return tuple(found.values())


def _term(clause: Clause) -> Term | None:
    headed = _HEADED.fullmatch(clause.rule)
    if headed is not None:
        means = headed[2][0].upper() + headed[2][1:]
        return Term(word=headed[1].lower(), means=means, figures=clause.figures, clause=clause.id)
    whole = clause.id.removesuffix(f"/{_OF_ITSELF}")
    named = _NAMED.search(whole)
    if named is None or named[1] == "preamble":
        return None
    word = named[1].replace("-", " ")
    return Term(word=word, means=clause.rule, figures=clause.figures, clause=clause.id)


def _pose(desk: Desk, draws: Draws) -> Question:
    book = desk.house.book.id
    known = terms_of_book(book)
    if not known:
        raise NotAskedError(f"{book} explains no words")
    term = draws.pick(known)
    others: list[Term] = []
    strange = [other for name in BOOKS if name != book for other in terms_of_book(name)]
    for other in (*draws.shuffled(known), *draws.shuffled(strange)):
        if _differs(other, [term, *others]) and len(others) < _CHOICES[desk.level] - 1:
            others.append(other)
    choices = draws.shuffled([term, *others])
    by_word = draws.one_in(2)
    given: dict[str, Any] = {"term": term.word} if by_word else {"means": term.means}
    given["choices"] = [each.means if by_word else each.word for each in choices]
    return Question(
        drill="terms",
        ask=f"What is '{term.word}'?" if by_word else "Which word is this?",
        given=given,
        answer={"choice": choices.index(term)},
        explain=(f"{term.word}: {term.means}",),
        cite=desk.cites(term.clause),
    )


def _differs(other: Term, those: list[Term]) -> bool:
    """Whether a meaning cannot be taken for one of the others, nor a word for their words."""
    return all(
        other.means != term.means
        and not (other.figures and other.figures == term.figures)
        and not ({*other.word.split()} & {*term.word.split()})
        for term in those
    )


def _mark(desk: Desk, question: Question, answer: Any) -> Mark:
    return mark_choice(question, answer)


def mark_choice(question: Question, answer: Any) -> Mark:
    """One of the choices, by its number from zero."""
    choices = question.given["choices"]
    chosen = read_choice(fields_of(answer, "choice").get("choice"), len(choices))
    right = question.answer["choice"]
    if chosen == right:
        return Mark(True, question.explain[0])
    said, why = choices[right], question.explain[0]
    told = why if said in why else f"{said}; {why}"  # nothing is said twice
    return Mark(False, f"it is [{right}] {told}", question.cite)


DRILL = Drill(
    name="terms",
    trains="the words of the trade",
    pose=_pose,
    mark=_mark,
)
