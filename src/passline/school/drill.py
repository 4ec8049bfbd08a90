"""The class `Drill`, one kind of question: what the prompt, the browser and an audition need of it.

Each module of ``school/drills`` has a ``DRILL``; nothing else lists drills.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, Literal

import msgspec

from passline.game.words.school import say_school
from passline.school.answer_fields import (
    CHOICE_FIELD,
    AnswerField,
    AnswerFields,
    grade_choice,
    parse_choice,
)
from passline.school.practice_tables import TableThrow
from passline.school.question_types import DrillSetup, Grade, Question
from passline.school.seeded_random import SeededRandom

FieldList = tuple[AnswerField, ...]
#: The part of an audition's score that a drill counts for: paying right, or working right.
DrillScorePart = Literal["accuracy", "procedure"]


class AuditionPart(msgspec.Struct, frozen=True, kw_only=True):
    """How many questions of a drill an audition asks, and how they are made.

    An audition is a test with questions about one busy table.
    """

    #: The drill's position in the list that is shuffled for each throw. Changing the number changes
    #: every audition.
    place: int
    #: How many of these questions an audition asks.
    count: int
    #: Yield the questions that can be asked about a throw, best first.
    make_questions: Callable[[TableThrow], Iterator[Question]]
    #: Whether the question shows or asks the crew's work. One throw gets one such question.
    shows_work: bool = False


class Drill(msgspec.Struct, frozen=True, kw_only=True):
    """One kind of question: how it is made, asked, answered, graded and paced.

    ``score_part`` is the part of an audition's score that its questions count for, and ``audition``
    how auditions ask it, if they do.
    """

    name: str
    #: Drills are taught and listed by this number, the lowest first.
    teaching_order: int
    #: How many seconds a working dealer takes to read and answer one question.
    seconds: int
    #: Return a question. Raise NoQuestionError if the house has nothing to ask about.
    make_question: Callable[[DrillSetup, SeededRandom], Question]
    #: Grade the fields of an answer: return a grade, or what is wrong ("" if nothing is). Raise
    #: UnreadableAnswerError if they can't be read. By default an answer is one of the choices.
    grade_fields: Callable[[DrillSetup, Question, AnswerFields], Grade | str] = grade_choice
    #: Turn a line typed at the prompt into an answer. Raise UnreadableAnswerError if it is none.
    parse_answer: Callable[[DrillSetup, Question, str], Any] = parse_choice
    #: The code of the words that say how to answer at the prompt, after "Answer with ...".
    hint: str | Callable[[DrillSetup, Question], str] = "choice.hint"
    #: The inputs of the answer form. They must not depend on the answer's values. An answer that
    #: is not a JSON object is the value of the first field.
    fields: FieldList | Callable[[DrillSetup, Question], FieldList] = (CHOICE_FIELD,)
    #: Return phrases that the browser offers to choose an answer's words from.
    list_phrases: Callable[[DrillSetup, Question], list[str]] | None = None
    score_part: DrillScorePart = "accuracy"
    audition: AuditionPart | None = None
    #: Whether every question has a table of its own, so that no two are alike.
    never_repeats: bool = False
    #: The keys of ``given`` that don't count when two questions are compared.
    ignored_when_compared: tuple[str, ...] = ("choices",)

    @property
    def skill(self) -> str:
        """Return what the drill trains, in a few words."""
        return say_school(f"{self.name}.skill")

    def describe_format(self, setup: DrillSetup, question: Question) -> str:
        """Return the words that say how to answer a question at the prompt, with an example."""
        return say_school(self.hint if isinstance(self.hint, str) else self.hint(setup, question))

    def list_fields(self, setup: DrillSetup, question: Question) -> FieldList:
        """Return the inputs of a question's answer form, in order."""
        return self.fields if isinstance(self.fields, tuple) else self.fields(setup, question)

    def grade(self, setup: DrillSetup, question: Question, answer: Any) -> Grade:
        """Grade an answer that is not None. Raise UnreadableAnswerError if it can't be read.

        An answer that is not a dict is the value of the first field.
        """
        fields = answer
        if not isinstance(answer, dict):
            fields = {self.list_fields(setup, question)[0].name: answer}
        grade, why = self.grade_fields(setup, question, fields), question.explain[0]
        if isinstance(grade, Grade):
            return grade
        return Grade(False, f"{grade}; {why}", question.cite) if grade else Grade(True, why)
