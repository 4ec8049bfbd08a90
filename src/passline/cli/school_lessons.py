"""Lessons of the school: the front door, the syllabus, and a lesson read."""

from __future__ import annotations

import os
from typing import NoReturn

import click

from passline.cli.common import fail, house_errors, print_json


def open_school(name: str, as_syllabus: bool, as_json: bool) -> None:
    """The school's front door, or its syllabus."""
    from passline.school.lessons import syllabus

    _check_options(name)
    if name:
        fail(f"--syllabus is of the whole school: leave {name[:40]!r} out")
    found = syllabus()
    if as_json:
        rows = [
            {"id": one.id, "title": one.title, "clauses": one.clauses, "drills": one.drills}
            for one in found.lessons
        ]
        print_json({"lessons": rows, "missing": found.missing})
        return
    from passline.cli.lesson_view import show_school, show_syllabus

    show = show_syllabus if as_syllabus else show_school
    show(found)


def read_lesson(
    name: str,
    rulebook: str | None,
    game: str | None,
    options: tuple[tuple[str, str], ...],
    dollars: bool,
    as_json: bool,
    plain: bool = False,
) -> None:
    """A lesson, with its figures drawn under its own book or another house."""
    from passline.house.files import house_for
    from passline.layout import lay_felt
    from passline.school import Desk
    from passline.school.lessons import lesson_ids, lesson_named

    if name not in lesson_ids():
        _not_found(name)
    _check_options(name)
    lesson = lesson_named(name)
    with house_errors():
        desk = Desk(lay_felt(house_for(rulebook or lesson.book, game, options)), 1)
    if as_json:
        from passline.school.lessons.drawing_figures import lesson_json

        print_json(lesson_json(lesson, desk))
        return
    from passline.cli.lesson_view import show_lesson

    show_lesson(lesson, desk, dollars, plain or bool(os.environ.get("PASSLINE_PLAIN")))


def _not_found(name: str) -> NoReturn:
    from difflib import get_close_matches

    from passline.school import DRILLS
    from passline.school.lessons import lesson_ids

    near = get_close_matches(name, (*lesson_ids(), *DRILLS), 1, 0.4)
    hint = f"; did you mean {near[0]!r}?" if near else ": see passline school --syllabus"
    fail(f"there is no lesson or drill {name[:40]!r}{hint}")


def _check_options(name: str) -> None:
    """What goes with a drill alone is not taken in silence with anything else."""
    from click.core import ParameterSource

    given = click.get_current_context().get_parameter_source
    for option in ("level", "seed", "count", "answers"):
        if given(option) is ParameterSource.COMMANDLINE:
            fail(f"--{option} goes with a drill" + (f": {name[:40]!r} is none" if name else ""))
