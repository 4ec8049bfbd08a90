"""The lessons of the dealer school, as they are written, and the syllabus.

``drawing_figures`` draws their figures by the engine; ``asking`` puts their questions.
"""

from passline.school.lessons.reading import Lesson, LessonPart, lesson_ids, lesson_named, lessons
from passline.school.lessons.teaching import Syllabus, Taught, syllabus, taught

__all__ = [
    "Lesson",
    "LessonPart",
    "Syllabus",
    "Taught",
    "lesson_ids",
    "lesson_named",
    "lessons",
    "syllabus",
    "taught",
]
