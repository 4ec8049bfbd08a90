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
from passline.felt.terminal import draw_text
from passline.game.house.load import house_for
from passline.game.law.book_files import SCHOOL_BOOK
from passline.game.layout.compile import compile_layout
from passline.game.money.chips import Chips
from passline.school.drills import list_drill_names, load_drill
from passline.school.lessons import figures as b
from passline.school.lessons import lesson_files
from passline.school.lessons.figures import convert_lesson_to_json, draw_figure
from passline.school.lessons.lesson_files import (
    Lesson,
    Syllabus,
    list_lesson_ids,
    load_lesson,
)
from passline.school.questions import DrillSetup
from passline.text import escape_unprintable


def print_overview(name: str, as_syllabus: bool, as_json: bool) -> None:
    """Print the lessons and drills, or the syllabus."""
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
        return

    show = show_syllabus if as_syllabus else show_school
    show(found)


def print_lesson(
    name: str,
    house: tuple[str | None, str | None, tuple[tuple[str, str], ...]],
    dollars: bool,
    as_json: bool,
    plain: bool,
) -> None:
    """Print a lesson. ``house`` is the rulebook, game and options; its own rulebook by default."""
    rulebook, game, options = house
    if name not in list_lesson_ids():
        _fail_unknown_name(name)
    _check_drill_options(name)
    lesson = load_lesson(name)
    with exit_on_house_error():
        setup = DrillSetup(compile_layout(house_for(rulebook or lesson.book, game, options)), 1)
    if as_json:
        print_json(convert_lesson_to_json(lesson, setup))
        return

    show_lesson(lesson, setup, dollars, plain or bool(os.environ.get("PASSLINE_PLAIN")))


def _fail_unknown_name(name: str) -> NoReturn:
    near = get_close_matches(name, (*list_lesson_ids(), *list_drill_names()), 1, 0.4)
    hint = f"; did you mean '{near[0]}'?" if near else "; passline school lists them"
    fail(f"there is no lesson or drill '{escape_unprintable(name[:40])}'{hint}")


def _check_drill_options(name: str) -> None:
    """Fail if an option that applies only to drills was used with a lesson or a list."""
    given = click.get_current_context().get_parameter_source
    for option in ("level", "seed", "count", "answers"):
        if given(option) is ParameterSource.COMMANDLINE:
            other = f"; '{escape_unprintable(name[:40])}' is not one" if name else ""
            fail(f"--{option} goes with a drill{other}")


_MAX_WIDTH = 100
_INDENT = "  "


def show_lesson(
    lesson: Lesson, setup: DrillSetup, in_dollars: bool, plain_text: bool = False
) -> None:
    """Print a lesson and its drills. ``plain_text`` writes stacks and layouts as words."""
    width = terminal_width(_MAX_WIDTH)
    click.secho(lesson.title, bold=True)
    for section in lesson.sections:
        click.echo()
        click.secho(section.heading, bold=True)
        click.echo("\n\n".join("\n".join(_wrap(text, width)) for text in section.text))
        for figure in section.figures:
            click.echo()
            drawn = draw_figure(figure, setup)
            if drawn.caption:
                click.secho("\n".join(_wrap(drawn.caption, width, _INDENT)))
            for block in drawn.blocks:
                said = _block_words(block, width) if plain_text else []
                for line in said or _block_lines(block, setup, width, in_dollars):
                    click.echo(line)
        if section.clauses:
            cited = f"[{lesson.book}: {', '.join(_shorten_list(section.clauses))}]"
            click.secho("\n".join(_wrap(cited, width)), dim=True)
    click.echo()
    for practice in lesson.practice:
        level = f" --level {practice.level}" if practice.level > 1 else ""
        book = f" --rulebook {lesson.book}" if lesson.book != SCHOOL_BOOK else ""
        click.echo(f"Next: passline school {practice.drill}{book}{level}")


def _shorten_list(clauses: tuple[str, ...], most: int = 12) -> tuple[str, ...]:
    if len(clauses) <= most:
        return clauses
    return (*clauses[: most - 1], f"and {len(clauses) - most + 1} more")


def _wrap(text: str, width: int, indent: str = "", hang: str | None = None) -> list[str]:
    return textwrap.wrap(
        escape_unprintable(text),
        width,
        initial_indent=indent,
        subsequent_indent=indent if hang is None else hang,
        break_on_hyphens=False,
    )


def _block_words(block: b.Block, width: int) -> list[str]:
    """Return a stack or a layout of a lesson in words; for other blocks, an empty list."""
    if isinstance(block, b.StackBlock):
        chips = ", ".join(f"{count} {color}" for color, count in block.chips.items())
        return _wrap(f"{block.name}: {chips or 'nothing'}", width, _INDENT)
    if isinstance(block, b.FeltBlock):
        lies = block.lies or ("The layout is empty.",)
        return [line for one in lies for line in _wrap(one, width, _INDENT)]
    return []


def _block_lines(block: b.Block, setup: DrillSetup, width: int, in_dollars: bool) -> Iterator[str]:
    """Yield a block of a lesson as lines that fit the terminal."""
    match block:
        case b.TextBlock():
            yield from _wrap(block.text, width, _INDENT)
        case b.CallBlock():
            yield from _wrap(f'"{block.words}"', width, _INDENT)
        case b.StackBlock():
            yield from _stack_block_lines(block, setup, in_dollars)
        case b.StepsBlock():
            yield from _steps_block_lines(block, width)
        case b.FeltBlock():
            yield from _felt_block_lines(block, width)
        case b.TableBlock():
            yield from _table_block_lines(block, width)


def _stack_block_lines(block: b.StackBlock, setup: DrillSetup, in_dollars: bool) -> Iterator[str]:
    counts = {setup.rack.chip(colour): count for colour, count in block.chips.items()}
    chips = Chips.of({chip: count for chip, count in counts.items() if chip})
    yield from stack_lines(chips, block.name)
    if in_dollars:
        yield f"{'':>12}  ${block.amount}"


def _steps_block_lines(block: b.StepsBlock, width: int) -> Iterator[str]:
    if block.title:
        colon = "" if block.title.endswith(".") else ":"
        yield from _wrap(f"{block.title}{colon}", width, _INDENT)
    for number, step in enumerate(block.steps, 1):
        by = f"{step.by}: " if step.by else ""
        lead = f"{number:>4}. "
        yield from _wrap(f"{by}{step.words}", width, lead, " " * len(lead))


def _felt_block_lines(block: b.FeltBlock, width: int) -> Iterator[str]:
    _, plan, lie = b.load_felt(block)
    for line in draw_text(plan, lie, block.view, width).splitlines():
        yield from [line] if len(line) <= width else _wrap(line, width)


def _table_block_lines(block: b.TableBlock, width: int) -> Iterator[str]:
    """Yield the lines of a table in a lesson. Wrap its widest columns if the rows are too wide."""
    rows = [block.columns, *block.rows]
    sizes = [max(len(row[n]) for row in rows) for n in range(len(block.columns))]
    yield from _wrap(block.title, width, _INDENT)
    room = width - len(_INDENT) - 2 * (len(sizes) - 1)
    while sum(sizes) > room:
        sizes[sizes.index(max(sizes))] -= 1
    right = [all(row[n][:1] in "$-" for row in block.rows) for n in range(len(sizes))]
    for row in rows:
        cells = [textwrap.wrap(cell, size) or [""] for cell, size in zip(row, sizes, strict=True)]
        for n in range(max(map(len, cells))):
            parts = (cell[n] if n < len(cell) else "" for cell in cells)
            line = "  ".join(map(_align_cell, parts, sizes, right))
            yield f"{_INDENT}{line}".rstrip()


def _align_cell(text: str, size: int, right: bool) -> str:
    return f"{text:>{size}}" if right else f"{text:<{size}}"


def show_syllabus(found: Syllabus) -> None:
    """Print the lessons in order, with the number of clauses and the drills of each."""
    width = terminal_width(_MAX_WIDTH)
    for number, lesson in enumerate(found.lessons, 1):
        click.echo(f"{number:>3}. {click.style(lesson.id, bold=True)}: {lesson.title}")
        drills = ", ".join(lesson.drills)
        said = f"{len(lesson.clauses)} clauses of {lesson.book}; drills: {drills}"
        click.echo("\n".join(_wrap(said, width, "     ")))
    if found.missing:
        click.echo(f"{len(found.missing)} procedure clauses are not taught or not asked:")
        click.echo("\n".join(_wrap(", ".join(found.missing), width, _INDENT)))
        return
    whole = "Every procedure clause is taught and asked; none is missing."
    click.echo("\n".join(_wrap(whole, width)))


#: The modes that are neither lesson nor drill.
_OTHER_MODES = {
    "--practice": "practice: what is due, then new clauses",
    "--progress": "your progress, by lesson and clause",
    "--audition": "the test that a casino gives, with its report",
}


def show_school(found: Syllabus) -> None:
    """Print the lessons, the drills and the other modes."""
    width = terminal_width(_MAX_WIDTH)
    click.secho("The dealer school", bold=True)
    said = (
        "Read a lesson, then do its drills. A drill makes new questions for every seed and level."
    )
    click.echo("\n".join(_wrap(said, width)))
    click.echo()
    click.secho("Lessons (passline school LESSON)", bold=True)
    size = max(len(lesson.id) for lesson in found.lessons)
    for lesson in found.lessons:
        click.echo("\n".join(_term_lines(lesson.id, lesson.title, size, width)))
    click.echo()
    click.secho("Drills (passline school DRILL [--level 1-5])", bold=True)
    for name in list_drill_names():
        click.echo("\n".join(_term_lines(name, load_drill(name).skill, size, width)))
    click.echo()
    click.secho("Practice, and the test", bold=True)
    for option, words in _OTHER_MODES.items():
        click.echo("\n".join(_term_lines(option, words, size, width)))
    click.echo()
    click.echo(f"Begin with: passline school {found.lessons[0].id}")


def _term_lines(name: str, words: str, size: int, width: int) -> list[str]:
    lead = f"{_INDENT}{name:<{size}}  "
    return _wrap(words, width, lead, " " * len(lead))
