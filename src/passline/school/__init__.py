"""The dealer school: questions from the engine and the crew's data, and answers to them marked."""

from passline.school.grading import (
    Graded,
    ask_question,
    ask_questions,
    first_of_set,
    grade_answers,
    mark_answer,
    questions_from,
)
from passline.school.questions import (
    LEVELS,
    Desk,
    Drill,
    Mark,
    NotAskedError,
    Question,
    UnreadableAnswerError,
)
from passline.school.registry import DRILLS, drill_named

__all__ = [
    "DRILLS",
    "LEVELS",
    "Desk",
    "Drill",
    "Graded",
    "Mark",
    "NotAskedError",
    "Question",
    "UnreadableAnswerError",
    "ask_question",
    "ask_questions",
    "drill_named",
    "first_of_set",
    "grade_answers",
    "mark_answer",
    "questions_from",
]
