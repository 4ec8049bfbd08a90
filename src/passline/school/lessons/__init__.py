"""The lessons of the dealer school: read from data, with figures that the engine draws."""

from passline.school.lessons.asking import asks_on, recall, recall_one
from passline.school.lessons.blocks import Block, Drawn, felt_of
from passline.school.lessons.drawing_figures import draw_figure
from passline.school.lessons.reading import Lesson, Section, lesson_ids, lesson_named, lessons
from passline.school.lessons.syllabus import Syllabus, syllabus, taught

__all__ = [
    "Block",
    "Drawn",
    "Lesson",
    "Section",
    "Syllabus",
    "asks_on",
    "draw_figure",
    "felt_of",
    "lesson_ids",
    "lesson_named",
    "lessons",
    "recall",
    "recall_one",
    "syllabus",
    "taught",
]
