"""The drill ``terms``: the vocabulary of the game, from the definitions of the house's rulebook.

The wrong choices come from the same rulebook, and from others if it defines few terms.
"""

from __future__ import annotations

import re
from functools import cache
from typing import Any, NamedTuple

from passline.game.law.book_files import BOOKS
from passline.game.law.clauses import Clause, list_clauses
from passline.game.words.school import say_school
from passline.school.drill import Drill
from passline.school.question_types import DrillSetup, NoQuestionError, Question
from passline.school.seeded_random import SeededRandom

_TERM_IN_CLAUSE_ID = re.compile(r"(?:^|[./])([a-z][a-z-]*[a-z])(?:#\d+)?$")
#: Ids that begin so name the term, whatever the rule begins with.
_TERM_PREFIXES = ("def.", "term.")
#: In an id that ends so, the part before it is the term.
_DEFINITION_SUFFIX = "definition"
_HEADED_RULE_PATTERN = re.compile(r"([A-Z][A-Za-z' -]{2,30}): (.+)")
_CHOICES_BY_LEVEL = {1: 3, 2: 4, 3: 4, 4: 5, 5: 6}


class Term(NamedTuple):
    """A term that a rulebook defines: its meaning in our words, its figures and the clause."""

    word: str
    means: str
    figures: str
    clause: str


@cache
def load_terms(book_id: str) -> tuple[Term, ...]:
    """Return the term in each definition clause of a rulebook.

    The word is found at the start of the clause's text or else in the clause's id.

    >>> [term.means for term in load_terms("dealer-school") if term.word == "boxcars"]
    ['Slang for a total of twelve.']
    """
    found: dict[str, Term] = {}
    for clause in list_clauses(book_id):
        term = _parse_term(clause) if clause.kind == "definition" else None
        if term is not None:
            found.setdefault(term.word, term)
    return tuple(found.values())


def _parse_term(clause: Clause) -> Term | None:
    headed = _HEADED_RULE_PATTERN.fullmatch(clause.rule)
    if headed is not None and not clause.id.startswith(_TERM_PREFIXES):
        means = headed[2][0].upper() + headed[2][1:]
        return Term(word=headed[1].lower(), means=means, figures=clause.figures, clause=clause.id)
    whole = clause.id.removesuffix(f"/{_DEFINITION_SUFFIX}")
    named = _TERM_IN_CLAUSE_ID.search(whole)
    if named is None or named[1] == "preamble":
        return None
    word = re.sub(r"\bdont\b", "don't", named[1].replace("-", " "))
    return Term(word=word, means=clause.rule, figures=clause.figures, clause=clause.id)


def _make_question(setup: DrillSetup, random: SeededRandom) -> Question:
    book = setup.house.book.id
    known = load_terms(book)
    told = [term for term in known if not _tells_itself(term)]
    if not told:
        raise NoQuestionError("terms.none", book=book)
    term = random.pick(told)
    # The longest meaning of all would tell itself among others.
    others_are_as_long = any(
        len(other.means) >= len(term.means)
        for name in BOOKS
        for other in load_terms(name)
        if other.word != term.word
    )
    by_word = random.one_in(2) and others_are_as_long
    others = _pick_others(setup, term, by_word, random)
    choices = random.shuffled([term, *others])
    given: dict[str, Any] = {"term": term.word} if by_word else {"means": term.means}
    given["choices"] = [each.means if by_word else each.word for each in choices]
    return Question(
        drill="terms",
        ask=say_school("terms.ask-meaning" if by_word else "terms.ask-term", term=term.word),
        given=given,
        answer={"choice": choices.index(term)},
        explain=(f"{term.word}: {term.means}",),
        cite=setup.cites(term.clause),
    )


def _tells_itself(term: Term) -> bool:
    """Return whether a term of several words occurs in its own meaning, which gives it away."""
    return " " in term.word and term.word in term.means.lower().replace("-", " ")


def _pick_others(setup: DrillSetup, term: Term, by_word: bool, random: SeededRandom) -> list[Term]:
    """Return other terms as wrong choices, of the same rulebook if it has enough.

    If ``by_word``, the choices show the terms' meanings, else their words. A random number of them
    is at least as long as the right choice, so that the length does not give it away.
    """
    book, count = setup.house.book.id, _CHOICES_BY_LEVEL[setup.level] - 1
    strange = [other for name in BOOKS if name != book for other in load_terms(name)]
    pool = [*random.shuffled(load_terms(book)), *random.shuffled(strange)]

    def is_longer(other: Term) -> bool:
        shown = (other.means, term.means) if by_word else (other.word, term.word)
        return len(shown[0]) >= len(shown[1])

    longer = random.below(count + 1)
    left = {True: longer, False: count - longer}
    others: list[Term] = []
    for other in pool:
        if left[is_longer(other)] and _is_distinct(other, [term, *others]):
            others.append(other)
            left[is_longer(other)] -= 1
    spare = (other for other in pool if other not in others)
    for other in spare:
        if len(others) < count and _is_distinct(other, [term, *others]):
            others.append(other)
    return others


def _is_distinct(other: Term, those: list[Term]) -> bool:
    """Return whether ``other`` shares no meaning, figures or word with any of ``those``."""
    return all(
        other.means != term.means
        and not (other.figures and other.figures == term.figures)
        and not ({*other.word.split()} & {*term.word.split()})
        for term in those
    )


DRILL = Drill(
    name="terms",
    teaching_order=10,
    seconds=12,
    make_question=_make_question,
)
