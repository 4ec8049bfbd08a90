"""Show lessons in the terminal: the lists of lessons and drills, the syllabus, and a lesson."""

from __future__ import annotations

import os
import textwrap
from collections.abc import Iterator
from difflib import get_close_matches
from typing import NoReturn

import click
from click.core import ParameterSource

from passline.cli.common import exit_on_house_error, fail, print_json, terminal_width
from passline.cli.school_prompt import stack_lines
from passline.felt.text_drawing import draw_text
from passline.game.house.load import house_for
from passline.game.law.book_files import SCHOOL_BOOK
from passline.game.layout.compile import compile_layout
from passline.game.money.amounts import from_dollars, show_dollars
from passline.school.answer_fields import format_counts, read_stack
from passline.school.drills import list_drill_names, load_drill
from passline.school.lessons import figures as b
from passline.school.lessons import lesson_files
from passline.school.lessons.figures import convert_lesson_to_json, draw_figure
from passline.school.lessons.lesson_files import (
    Lesson,
    Syllabus,
    find_lesson_id,
    list_lesson_ids,
    load_lesson,
)
from passline.school.question_types import DrillSetup
from passline.text import escape_unprintable


def print_overview(name: str, as_syllabus: bool, as_json: bool) -> None:
    """Print the lessons and drills, or the syllabus. Exit 2 if the user also typed a ``name``."""
    _check_drill_options(name)
    if name:
        fail(f"--syllabus lists all lessons; leave out '{escape_unprintable(name[:40])}'")
    found = lesson_files.build_syllabus()
    if as_json:
        rows = [
            {"id": one.id, "title": one.title, "clauses": one.clauses, "drills": one.drills}
            for one in found.lessons
        ]
        print_json({"lessons": rows, "missing": found.missing})
    elif as_syllabus:
        show_syllabus(found)
    else:
        show_school(found)


def print_lesson(
    name: str,
    house: tuple[str | None, str | None, tuple[tuple[str, str], ...]],
    dollars: bool,
    as_json: bool,
    plain: bool,
    flipped: bool,
) -> None:
    """Print the lesson ``name``, or exit 2 if there is none.

    ``house`` is (rulebook, game, options) as typed; by default the lesson's own rulebook.
    ``flipped`` draws layouts from the dealer's side.
    """
    rulebook, game, options = house
    found = find_lesson_id(name)
    if not found:
        _fail_unknown_name(name)
    _check_drill_options(found)
    lesson = load_lesson(found)
    with exit_on_house_error():
        setup = DrillSetup(compile_layout(house_for(rulebook or lesson.book, game, options)), 1)
    if as_json:
        print_json(convert_lesson_to_json(lesson, setup))
    else:
        plain = plain or bool(os.environ.get("PASSLINE_PLAIN"))
        show_lesson(lesson, setup, dollars, plain, flipped)


def _fail_unknown_name(name: str) -> NoReturn:
    near = get_close_matches(name, (*list_lesson_ids(), *list_drill_names()), 1, 0.4)
    hint = f"; did you mean '{near[0]}'?" if near else "; passline school lists them"
    fail(f"there is no lesson or drill '{escape_unprintable(name[:40])}'{hint}")


def _check_drill_options(name: str) -> None:
    """Exit 2 if an option that applies only to drills was used with a lesson or a list."""
    given = click.get_current_context().get_parameter_source
    for option in ("level", "seed", "count", "answers"):
        if given(option) is ParameterSource.COMMANDLINE:
            other = f"; '{escape_unprintable(name[:40])}' is not one" if name else ""
            fail(f"--{option} goes with a drill{other}")


_MAX_WIDTH = 100
_INDENT = "  "


def show_lesson(
    lesson: Lesson,
    setup: DrillSetup,
    in_dollars: bool,
    plain_text: bool = False,
    flipped: bool = False,
) -> None:
    """Print a lesson, then the commands of its drills.

    ``in_dollars`` adds amounts to stacks of chips. ``plain_text`` writes stacks and layouts as
    words. ``flipped`` draws layouts from the dealer's side.
    """
    click.secho(lesson.title, bold=True)
    for section in lesson.sections:
        click.echo()
        click.secho(section.heading, bold=True)
        click.echo("\n\n".join(map(_wrap, section.text)))
        for figure in section.figures:
            click.echo()
            drawn = draw_figure(figure, setup)
            if drawn.caption:
                click.echo(_wrap(drawn.caption, _INDENT))
            for block in drawn.blocks:
                words = _block_words(block) if plain_text else []
                for line in words or _block_lines(block, setup, in_dollars, flipped):
                    click.echo(line)
        if section.clauses:
            cited = f"[{lesson.book}: {', '.join(_shorten_list(section.clauses))}]"
            click.secho(_wrap(cited), dim=True)
    click.echo()
    for practice in lesson.practice:
        level = f" --level {practice.level}" if practice.level > 1 else ""
        book = f" --rulebook {lesson.book}" if lesson.book != SCHOOL_BOOK else ""
        click.echo(f"Next: passline school {practice.drill}{book}{level}")


def _shorten_list(clauses: tuple[str, ...], most: int = 12) -> tuple[str, ...]:
    if len(clauses) <= most:
        return clauses
    return (*clauses[: most - 1], f"and {len(clauses) - most + 1} more")


def _wrap(text: str, indent: str = "", lead: str = "") -> str:
    """Return a text as lines that fit the terminal, all indented by ``indent``.

    With ``lead``, that text begins the first line, and the others are indented by its length.
    """
    return textwrap.fill(
        escape_unprintable(text),
        terminal_width(_MAX_WIDTH),
        initial_indent=lead or indent,
        subsequent_indent=" " * len(lead) or indent,
        break_on_hyphens=False,
    )


def _block_words(block: b.Block) -> list[str]:
    """Return a stack or a layout of a lesson in words; for other blocks, an empty list."""
    if isinstance(block, b.StackBlock):
        stacks = " and ".join(map(format_counts, block.stacks or (block.chips,)))
        return [_wrap(f"{block.name}: {stacks or 'nothing'}", _INDENT)]
    if isinstance(block, b.FeltBlock):
        return [_wrap(one, _INDENT) for one in block.lies or ("The layout is empty.",)]
    return []


def _block_lines(
    block: b.Block, setup: DrillSetup, in_dollars: bool, flipped: bool
) -> Iterator[str]:
    """Yield a block of a lesson (text, stack, steps, felt or table) as lines for the terminal."""
    match block:
        case b.TextBlock():
            yield _wrap(block.text, _INDENT)
        case b.CallBlock():
            yield _wrap(f'"{block.words}"', _INDENT)
        case b.StackBlock():
            for stack in block.stacks or (block.chips,):
                yield from stack_lines(read_stack(stack, setup.rack), block.name)
            if in_dollars:
                yield f"{'':>12}  {show_dollars(from_dollars(block.amount))}"
        case b.StepsBlock():
            yield from _steps_block_lines(block)
        case b.FeltBlock():
            _, plan, contents = b.load_felt(block)
            width = terminal_width(_MAX_WIDTH)
            for line in draw_text(plan, contents, block.view, width, flipped).splitlines():
                yield line if len(line) <= width else _wrap(line)
        case b.TableBlock():
            yield from _table_block_lines(block)


def _steps_block_lines(block: b.StepsBlock) -> Iterator[str]:
    if block.title:
        yield _wrap(block.title + ("" if block.title.endswith(".") else ":"), _INDENT)
    for number, step in enumerate(block.steps, 1):
        by = f"{step.by}: " if step.by else ""
        yield _wrap(f"{by}{step.words}", lead=f"{number:>4}. ")
        if step.piles:
            shown = (f"{name} {format_counts(chips)}" for name, chips in step.piles.items())
            yield _wrap("; ".join(shown), lead=f"{'':>6}-> ")


def _table_block_lines(block: b.TableBlock) -> Iterator[str]:
    """Yield the lines of a table in a lesson. Wrap its widest columns if the rows are too wide."""
    rows = [block.columns, *block.rows]
    sizes = [max(len(row[n]) for row in rows) for n in range(len(block.columns))]
    yield _wrap(block.title, _INDENT)
    room = terminal_width(_MAX_WIDTH) - len(_INDENT) - 2 * (len(sizes) - 1)
    while sum(sizes) > room:
        sizes[sizes.index(max(sizes))] -= 1
    right = [all(row[n][:1] in "$-" for row in block.rows) for n in range(len(sizes))]
    for row in rows:
        cells = [textwrap.wrap(cell, size) or [""] for cell, size in zip(row, sizes, strict=True)]
        for n in range(max(map(len, cells))):
            parts = (cell[n] if n < len(cell) else "" for cell in cells)
            columns = zip(parts, sizes, right, strict=True)
            line = "  ".join(f"{text:{'>' if end else '<'}{size}}" for text, size, end in columns)
            yield f"{_INDENT}{line}".rstrip()


def show_syllabus(found: Syllabus) -> None:
    """Print the lessons in order, with the number of clauses and the drills of each."""
    for number, lesson in enumerate(found.lessons, 1):
        click.echo(f"{number:>3}. {click.style(lesson.id, bold=True)}: {lesson.title}")
        drills = ", ".join(lesson.drills)
        about = f"{len(lesson.clauses)} clauses of {lesson.book}; drills: {drills}"
        click.echo(_wrap(about, "     "))
    if found.missing:
        click.echo(f"{len(found.missing)} procedure clauses are not taught or not asked:")
        click.echo(_wrap(", ".join(found.missing), _INDENT))
    else:
        click.echo(_wrap("Every procedure clause is taught and asked; none is missing."))


#: The modes that are neither lesson nor drill.
_OTHER_MODES = {
    "--practice": "practice: what is due, then new clauses",
    "--progress": "your progress, by lesson and clause",
    "--audition": "the test that a casino gives, with its report",
}


def show_school(found: Syllabus) -> None:
    """Print the lessons, the drills and the other modes."""
    parts = {
        "Lessons (passline school LESSON)": {one.id: one.title for one in found.lessons},
        "Drills (passline school DRILL [--level 1-5])": {
            name: load_drill(name).skill for name in list_drill_names()
        },
        "Practice, and the test": _OTHER_MODES,
    }
    size = max(len(lesson.id) for lesson in found.lessons)
    click.secho("The dealer school", bold=True)
    about = "Read a lesson, then do its drills."
    click.echo(_wrap(f"{about} A drill makes new questions for every seed and level."))
    for heading, rows in parts.items():
        click.echo()
        click.secho(heading, bold=True)
        for name, words in rows.items():
            click.echo(_wrap(words, lead=f"{_INDENT}{name:<{size}}  "))
    click.echo()
