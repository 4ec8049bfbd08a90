"""Lessons for people: paragraphs, and figures as the engine draws them, in the terminal's width."""

from __future__ import annotations

import shutil
import textwrap
from collections.abc import Iterator

import click

from passline.cli.school_view import stack_lines
from passline.felt.terminal import draw_text
from passline.money.chips import Chips
from passline.plain import plain
from passline.school import DRILLS, Desk, drill_named
from passline.school.lessons import Lesson, Syllabus
from passline.school.lessons import blocks as b
from passline.school.lessons.drawing_figures import draw_figure

_NARROW, _WIDE = 60, 100
_INDENT = "  "


def _width() -> int:
    return min(max(shutil.get_terminal_size((88, 24)).columns, _NARROW), _WIDE)


def show_lesson(lesson: Lesson, desk: Desk, in_dollars: bool, plain_text: bool = False) -> None:
    """A lesson from beginning to end, and what to do after it. ``plain_text`` is for screen
    readers: stacks and layouts in words."""
    width = _width()
    click.secho(lesson.title, bold=True)
    for section in lesson.sections:
        click.echo()
        click.secho(section.heading, bold=True)
        click.echo("\n\n".join("\n".join(_wrap(text, width)) for text in section.text))
        for figure in section.figures:
            click.echo()
            drawn = draw_figure(figure, desk)
            if drawn.caption:
                click.secho("\n".join(_wrap(drawn.caption, width, _INDENT)))
            for block in drawn.blocks:
                said = _said(block, width) if plain_text else []
                for line in said or _lines(block, desk, width, in_dollars):
                    click.echo(line)
        if section.clauses:
            cited = f"[{lesson.book}: {', '.join(_few(section.clauses))}]"
            click.secho("\n".join(_wrap(cited, width)), dim=True)
    click.echo()
    for practice in lesson.practice:
        level = f" --level {practice.level}" if practice.level > 1 else ""
        book = f" --rulebook {lesson.book}" if lesson.book != "dealer-school" else ""
        click.echo(f"then: passline school {practice.drill}{book}{level}")


def _few(clauses: tuple[str, ...], most: int = 12) -> tuple[str, ...]:
    if len(clauses) <= most:
        return clauses
    return (*clauses[: most - 1], f"and {len(clauses) - most + 1} more")


def _wrap(text: str, width: int, indent: str = "", hang: str | None = None) -> list[str]:
    return textwrap.wrap(
        plain(text),
        width,
        initial_indent=indent,
        subsequent_indent=indent if hang is None else hang,
        break_on_hyphens=False,
    )


def _said(block: b.Block, width: int) -> list[str]:
    """What is drawn of a block, in words; nothing where nothing is drawn."""
    if isinstance(block, b.StackBlock):
        chips = ", ".join(f"{count} {colour}" for colour, count in block.chips.items())
        return _wrap(f"{block.name}: {chips or 'nothing'}", width, _INDENT)
    if isinstance(block, b.FeltBlock):
        lies = block.lies or ("Nothing lies on the layout.",)
        return [line for one in lies for line in _wrap(one, width, _INDENT)]
    return []


def _lines(block: b.Block, desk: Desk, width: int, in_dollars: bool) -> Iterator[str]:
    """One block in lines, none wider than the terminal."""
    match block:
        case b.TextBlock():
            yield from _wrap(block.text, width, _INDENT)
        case b.CallBlock():
            yield from _wrap(f'"{block.words}"', width, _INDENT)
        case b.StackBlock():
            yield from _stack(block, desk, in_dollars)
        case b.StepsBlock():
            yield from _steps(block, width)
        case b.FeltBlock():
            yield from _felt(block, width)
        case b.TableBlock():
            yield from _table(block, width)


def _stack(block: b.StackBlock, desk: Desk, in_dollars: bool) -> Iterator[str]:
    counts = {desk.rack.chip(colour): count for colour, count in block.chips.items()}
    chips = Chips.of({chip: count for chip, count in counts.items() if chip})
    yield from stack_lines(chips, block.name)
    if in_dollars:
        yield f"{'':>10}  ${block.amount}"


def _steps(block: b.StepsBlock, width: int) -> Iterator[str]:
    if block.title:
        colon = "" if block.title.endswith(".") else ":"
        yield from _wrap(f"{block.title}{colon}", width, _INDENT)
    for number, step in enumerate(block.steps, 1):
        by = f"{step['by']}: " if step["by"] else ""
        lead = f"{number:>4}. "
        yield from _wrap(f"{by}{step['words']}", width, lead, " " * len(lead))


def _felt(block: b.FeltBlock, width: int) -> Iterator[str]:
    _, plan, lie = b.felt_of(block)
    for line in draw_text(plan, lie, block.view, width).splitlines():
        yield from [line] if len(line) <= width else _wrap(line, width)


def _table(block: b.TableBlock, width: int) -> Iterator[str]:
    """A table; its widest columns are wrapped where the rows are too wide."""
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
            line = "  ".join(map(_cell, parts, sizes, right))
            yield f"{_INDENT}{line}".rstrip()


def _cell(text: str, size: int, right: bool) -> str:
    """Figures to the right, words to the left."""
    return f"{text:>{size}}" if right else f"{text:<{size}}"


def show_syllabus(found: Syllabus) -> None:
    """The lessons in order: what each teaches, and the drills that ask it."""
    width = _width()
    for number, lesson in enumerate(found.lessons, 1):
        click.echo(f"{number:>3}. {click.style(lesson.id, bold=True)}: {lesson.title}")
        drills = ", ".join(lesson.drills)
        said = f"{len(lesson.clauses)} clauses of {lesson.book}; drills: {drills}"
        click.echo("\n".join(_wrap(said, width, "     ")))
    if found.missing:
        click.echo(f"{len(found.missing)} clauses of procedure are not taught and asked:")
        click.echo("\n".join(_wrap(", ".join(found.missing), width, _INDENT)))
        return
    whole = "Every clause of procedure is taught and asked; none is missing."
    click.echo("\n".join(_wrap(whole, width)))


#: What the school has besides lessons and drills.
_BESIDES = {
    "--practice": "a day's practice: what is due, then what is new",
    "--progress": "how far you are, by lesson and clause",
    "--audition": "the test that a casino gives, with its report",
}


def show_school(found: Syllabus) -> None:
    """What there is, and what to do next."""
    width = _width()
    click.secho("The dealer school", bold=True)
    said = "Read a lesson, then do its drills. A drill without end asks from any seed, by level."
    click.echo("\n".join(_wrap(said, width)))
    click.echo()
    click.secho("Lessons (passline school LESSON)", bold=True)
    size = max(len(lesson.id) for lesson in found.lessons)
    for lesson in found.lessons:
        click.echo("\n".join(_pair(lesson.id, lesson.title, size, width)))
    click.echo()
    click.secho("Drills (passline school DRILL [--level 1-5])", bold=True)
    for name in DRILLS:
        click.echo("\n".join(_pair(name, drill_named(name).trains, size, width)))
    click.echo()
    click.secho("Practice, and the test", bold=True)
    for option, words in _BESIDES.items():
        click.echo("\n".join(_pair(option, words, size, width)))
    click.echo()
    click.echo(f"Begin with: passline school {found.lessons[0].id}")


def _pair(name: str, words: str, size: int, width: int) -> list[str]:
    lead = f"{_INDENT}{name:<{size}}  "
    return _wrap(words, width, lead, " " * len(lead))
