"""The drill ``calls``: given a table and a throw, say what the stick calls.

Facts and their order are graded; ``calls.toml`` and the call styles say which words state which.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from importlib import resources
from itertools import dropwhile
from typing import Any, NamedTuple

import msgspec

from passline.crew.facts import RollFacts, find_roll_facts
from passline.crew.stick import (
    CallStyle,
    find_nicknames,
    find_style,
    list_call_pieces,
    list_style_names,
    load_style,
    make_stick_call,
)
from passline.crew.work_steps import CrewWork
from passline.game.dice.dice import OUTCOMES
from passline.game.law.clauses import clauses_by_id
from passline.game.layout.stakes import Refusal
from passline.game.table import commands as cmd
from passline.game.table.decide import decide
from passline.game.table.dice_custody import is_automated
from passline.game.table.events import Rolled
from passline.game.table.state import Table
from passline.game.words.school import describe_fact, say_school
from passline.record.deal import deal_record
from passline.record.read import read_record
from passline.school.answer_fields import (
    AnswerField,
    AnswerFields,
    UnreadableAnswerError,
    quote_value,
    read_list,
    read_words,
)
from passline.school.drill import AuditionPart, Drill
from passline.school.drills.groups import parse_figures
from passline.school.practice_tables import (
    PracticeTable,
    TableThrow,
    find_busy_throw,
    make_busy_table,
)
from passline.school.question_work import replay_throw
from passline.school.questions import DrillSetup, Grade, NoQuestionError, Question
from passline.school.seeded_random import SeededRandom

_WORD_PATTERN = re.compile(r"[a-z']+|\d+")
_NUMBER_WORDS = (
    "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve",
)  # fmt: skip
_TOTAL_BY_WORD = {word: total for total, word in enumerate(_NUMBER_WORDS, 2)}
_TOTAL_BY_WORD |= {str(total): total for total in range(2, 13)}
_TOTAL_BY_WORD |= {"yo": 11, "aces": 2, "boxcars": 12, "midnight": 12}
_MARK_BY_WORD = {mark: mark for mark in ("hard", "easy", "out", "winner")} | {"winners": "winner"}
TOTAL_FACT = "total"


class CallFact(NamedTuple):
    """A fact that a call states, such as ``total:6``, and the index of the word that states it."""

    fact: str
    word_index: int


@cache
def _load_fact_phrases() -> dict[str, list[str]]:
    text = resources.files("passline.school").joinpath("calls.toml").read_text("utf-8")
    return msgspec.toml.decode(text, type=dict[str, list[str]])


def split_words(text: str) -> list[str]:
    """Return a list of the words and numbers of a text, in lowercase."""
    return _WORD_PATTERN.findall(text.lower().replace("’", "'"))


class StickCall:
    """The facts of a throw that the stick must call, and those that it may call.

    A fact is a key such as ``total:6``, ``hard`` or ``point.marked``.
    """

    def __init__(self, table: Table, rolled: Rolled) -> None:
        self.roll_facts: RollFacts = find_roll_facts(table, rolled)
        self.pieces = list_call_pieces(table, rolled)
        book = table.house.book.id
        styles = [load_style(name) for name in list_style_names()]
        own = [style for style in styles if style.book == book]
        self.styles: list[CallStyle] = own or [find_style(book)]
        self.required_facts = self._list_required_facts()
        effects = (effect.key for effect in self.roll_facts.effects)
        self.allowed_facts = {*effects, *self.required_facts, *self.roll_facts.marks}
        if self.roll_facts.phase == "established":
            self.allowed_facts.add("point.marked")
        if self.roll_facts.occasion == "seven-out":
            self.allowed_facts.add("point.was")

    def _list_required_facts(self) -> list[str]:
        """Return the facts of the usual call: the total, hard, easy or out, then the effects."""
        found = [f"{TOTAL_FACT}:{self.roll_facts.total}"]
        found += [mark for mark in ("hard", "easy", "out") if mark in self.roll_facts.marks]
        for piece in self.pieces:
            silent = ("number", "way", "nickname")
            found += [key for key in piece.key.split("+") if key not in silent]
        return list(dict.fromkeys(found))

    def find_rank(self, style: CallStyle, fact: str) -> int | None:
        """Return a fact's position in a call style's order (-1 for the total), or None."""
        if fact.startswith(TOTAL_FACT):
            return -1
        for place, entry in enumerate(style.order[self.roll_facts.occasion].say):
            if fact in entry.split("+"):
                return place
        return None

    def in_order(self, told: list[str]) -> bool:
        """Return whether the facts in ``told`` come in the order of one of the call styles."""
        for style in self.styles:
            ranks = [rank for fact in told if (rank := self.find_rank(style, fact)) is not None]
            if ranks == sorted(ranks):
                return True
        return False

    def find_facts(self, text: str) -> list[CallFact]:
        """Return the facts, true or false, that a call states, in the order of its words."""
        words: list[str | None] = list(split_words(text))
        found: list[CallFact] = []
        for phrase, keys in self._list_phrases():
            size = len(phrase)
            for at in range(len(words) - size + 1):
                if words[at : at + size] == phrase:
                    found += [CallFact(key, at) for key in keys]
                    for index in range(at, at + size):
                        found += self._read_word(words[index], index)
                        words[index] = None
        for at, word in enumerate(words):
            found += self._read_word(word, at)
        return sorted(found, key=lambda heard: heard.word_index)

    def _read_word(self, word: str | None, at: int) -> list[CallFact]:
        """Return [the fact that a word states] (a total, hard, easy, out, winner), or [].

        ``at`` is the index of the word in the call.
        """
        if word in _TOTAL_BY_WORD:
            return [CallFact(f"{TOTAL_FACT}:{_TOTAL_BY_WORD[word]}", at)]
        return [CallFact(_MARK_BY_WORD[word], at)] if word in _MARK_BY_WORD else []

    def _list_phrases(self) -> list[tuple[list[str], list[str]]]:
        """Return (words, facts) of every phrase that states facts, the longest phrase first.

        So "no field" is found before "field".
        """
        found: dict[tuple[str, ...], list[str]] = {}
        for style in (load_style(name) for name in list_style_names()):
            for key, phrases in style.say.items():
                if key in ("number", "way"):
                    continue
                for phrase in phrases:
                    bare = re.sub(r"\{[a-z]+\}", " ", phrase.words)
                    found.setdefault(tuple(split_words(bare)), key.split("+"))
            for name in find_nicknames(style, self.roll_facts):
                total = [f"{TOTAL_FACT}:{self.roll_facts.total}"]
                found.setdefault(tuple(split_words(name.words)), total)
        for key, signs in _load_fact_phrases().items():
            for sign in signs:
                found[tuple(split_words(sign))] = key.split("+")
        rows = [(list(words), keys) for words, keys in found.items() if words]
        return sorted(rows, key=lambda row: -len(row[0]))


_MIN_STEPS_BY_LEVEL = {1: 0, 2: 1, 3: 1, 4: 2, 5: 3}


def _make_question(setup: DrillSetup, random: SeededRandom) -> Question:
    practice = make_busy_table(setup, random)
    throw = find_busy_throw(practice, random, _MIN_STEPS_BY_LEVEL[setup.level])
    return make_call_question(practice, *throw)


def make_call_question(practice: PracticeTable, faces: tuple[int, int], work: CrewWork) -> Question:
    """Return a question: what does the stick call on this throw at a practice table?

    ``work`` is what the crew does on the throw. Raise NoQuestionError if the game has no stick.
    """
    setup = practice.setup
    if is_automated(practice.table):
        raise NoQuestionError("calls.no-stick", game=setup.house.game)
    table, rolled = practice.preview_throw(*faces)
    called = StickCall(table, rolled)
    return Question(
        drill="calls",
        ask=say_school("calls.ask", dice=f"{faces[0]}-{faces[1]}"),
        given={"record": practice.record_text, "dice": list(faces)},
        answer={"call": make_stick_call(table, rolled), "facts": called.required_facts},
        explain=tuple(f"{phrase.words} ({describe_fact(phrase.key)})" for phrase in called.pieces),
        cite=setup.cites(*_find_clauses(setup, called), work.steps[0].cite),
    )


def _find_clauses(setup: DrillSetup, called: StickCall) -> list[str]:
    """Return the ids of the clauses about this throw, then of those that name no throw."""
    known = clauses_by_id(setup.house.book.id)
    orders = [style.order[called.roll_facts.occasion] for style in called.styles]
    listed = [clause for order in orders for clause in order.clauses]
    every = dict.fromkeys([*listed, *(phrase.cite for phrase in called.pieces)])
    named = {cite: parse_figures(known[cite].figures) for cite in every if cite in known}
    own = [cite for cite, figures in named.items() if _is_about_throw(called, figures)]
    return [*own, *(cite for cite, figures in named.items() if "roll" not in figures)]


def _is_about_throw(called: StickCall, figures: dict[str, str]) -> bool:
    ways = figures.get("way", "").split(",")
    fits = ways == [""] or bool(set(ways) & set(called.roll_facts.marks))
    return figures.get("roll") == str(called.roll_facts.total) and fits


def _make_audition_questions(throw: TableThrow) -> Iterator[Question]:
    if throw.work.steps:
        yield make_call_question(throw.practice, throw.faces, throw.work)


def _list_phrases(setup: DrillSetup, question: Question) -> list[str]:
    """Return every phrase of the stick's calls at this table, over all possible throws."""
    table = deal_record(read_record(question.given["record"]), setup.house).table
    found: dict[str, None] = {}
    for faces in OUTCOMES:
        events = decide(table, cmd.Roll(*faces))
        for event in () if isinstance(events, Refusal) else events:
            if isinstance(event, Rolled):
                found |= dict.fromkeys(piece.words for piece in StickCall(table, event).pieces)
    return list(found)


def _parse_answer(_: DrillSetup, __: Question, text: str) -> Any:
    return {"call": text}


def _grade_fields(setup: DrillSetup, question: Question, fields: AnswerFields) -> Grade:
    words, listed = fields.get("call"), fields.get("facts")
    if words is None and listed is None:
        raise UnreadableAnswerError("calls.expected")
    called = StickCall(*replay_throw(setup, question))
    error = ""
    if words is not None:
        phrase = read_words(words, "call")
        if phrase != question.answer["call"]:
            heard = [heard.fact for heard in called.find_facts(phrase)]
            error = _find_fact_error(called, heard, phrase)
    if not error and listed is not None:
        given = [read_words(fact, "facts") for fact in read_list(listed, "facts", 60)]
        error = _find_fact_error(called, given, say_school("calls.list"))
    right = question.answer["call"]
    if error:
        return Grade(False, say_school("calls.wrong", error=error, call=right), question.cite)
    return Grade(True, say_school("calls.right", call=right))


def _find_fact_error(called: StickCall, heard: list[str], phrase: str) -> str:
    """Return what a call leaves out, states falsely or says out of order, or "".

    ``heard`` lists the facts that the call states, in order; ``phrase`` is quoted in the message.
    """
    allowed = called.allowed_facts | {
        f"{TOTAL_FACT}:{n}" for n in (called.roll_facts.total, called.roll_facts.point) if n
    }
    first = next((fact for fact in heard if fact.startswith(TOTAL_FACT)), "")
    if first and first != called.required_facts[0]:
        given = first.partition(":")[2]
        return say_school("calls.total", total=called.roll_facts.total, given=given)
    value = quote_value(phrase)
    for fact in heard:
        if fact not in allowed:
            return say_school("calls.false", value=value, fact=describe_fact(fact))
    missing = [fact for fact in called.required_facts if fact not in heard]
    if missing:
        return say_school("calls.missing", value=value, facts=map(describe_fact, missing))
    once = [fact for fact in dict.fromkeys(heard) if fact in called.required_facts]
    # In "seven winner ... front line winner" the first is the number's (iowa:def.seven-winner).
    after = dropwhile(lambda fact: fact == "winner", heard[1:])
    later = [fact for fact in dict.fromkeys([*heard[:1], *after]) if fact in called.required_facts]
    if not called.in_order(once) and not called.in_order(later):
        return say_school("calls.order", value=value)
    return ""


DRILL = Drill(
    name="calls",
    teaching_order=110,
    seconds=20,
    make_question=_make_question,
    grade_fields=_grade_fields,
    parse_answer=_parse_answer,
    hint="calls.hint",
    fields=(AnswerField(name="call", kind="words"),),
    list_phrases=_list_phrases,
    score_part="procedure",
    audition=AuditionPart(place=4, count=5, make_questions=_make_audition_questions),
    never_repeats=True,
)
