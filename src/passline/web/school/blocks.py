"""A lesson's blocks as HTML: paragraphs, tables, stacks, felts, steps, calls."""

from __future__ import annotations

from collections.abc import Iterable
from html import escape

from passline.felt import draw_stack, draw_table
from passline.money import show_dollars
from passline.plain import plain
from passline.school import Desk
from passline.school.answers import read_stack
from passline.school.lessons import Lesson
from passline.school.lessons.blocks import (
    Block,
    CallBlock,
    Drawn,
    FeltBlock,
    StackBlock,
    StepsBlock,
    TableBlock,
    TextBlock,
    felt_of,
)
from passline.school.lessons.drawing_figures import draw_figure
from passline.web.frame import link, path_of, rows_html


def cite_link(cite: str) -> str:
    """A clause, ``book:id``, as a link to where it is shown; a custom stands as it is."""
    book, sign, clause = cite.partition(":")
    if not sign or book == "custom":
        return f'<span class="custom">{escape(plain(book))}</span>'
    return f'<span class="cite">{link(path_of("law", book, clause), clause)}</span>'


def cites_html(cites: Iterable[str]) -> str:
    """The clauses of something, each a link; nothing where there are none."""
    links = ", ".join(cite_link(cite) for cite in cites)
    return f'<p class="cites">{links}</p>' if links else ""


def lesson_html(lesson: Lesson, desk: Desk) -> str:
    """A lesson, part by part, its figures drawn for a house."""
    parts = []
    for at, section in enumerate(lesson.sections, 1):
        figures = "\n".join(_figure(draw_figure(figure, desk), desk) for figure in section.figures)
        text = "\n".join(f"<p>{escape(plain(words))}</p>" for words in section.text)
        clauses = cites_html(f"{lesson.book}:{clause}" for clause in section.clauses)
        told = (
            f"<details class='taught'><summary>{len(section.clauses)} "
            f"clause{'' if len(section.clauses) == 1 else 's'}</summary>{clauses}</details>"
            if clauses
            else ""
        )
        parts.append(
            f'<section aria-labelledby="part-{at}"><h2 id="part-{at}">'
            f"{escape(plain(section.heading))}</h2>\n{text}\n{figures}\n{told}</section>"
        )
    return "\n".join(parts)


def _figure(drawn: Drawn, desk: Desk) -> str:
    caption = f"<figcaption>{escape(plain(drawn.caption))}</figcaption>" if drawn.caption else ""
    blocks = "\n".join(_block(block, desk) for block in drawn.blocks)
    if any(isinstance(block, StepsBlock) for block in drawn.blocks):
        return (
            f'<figure class="lesson-figure">{caption}\n{blocks}</figure>'  # each step has its own
        )
    return f'<figure class="lesson-figure">{caption}\n{blocks}\n{cites_html(drawn.cites)}</figure>'


def _block(block: Block, desk: Desk) -> str:
    match block:
        case TextBlock():
            return f"<p>{escape(plain(block.text))}</p>"
        case CallBlock():
            return f'<blockquote class="called"><p>{escape(plain(block.words))}</p></blockquote>'
        case TableBlock():
            rows = [[escape(plain(cell)) for cell in row] for row in block.rows]
            title = f"<h3>{escape(plain(block.title))}</h3>" if block.title else ""
            heads = [plain(head) for head in block.columns]
            return title + rows_html(plain(block.title) or "Table", heads, rows, figures=1)
        case StackBlock():
            return _stack(block, desk)
        case FeltBlock():
            return _felt(block)
        case StepsBlock():
            return _steps(block, desk)


def _stack(block: StackBlock, desk: Desk) -> str:
    chips = read_stack(block.chips, desk.rack)
    name = f'<span class="stack-name">{escape(plain(block.name))}</span>' if block.name else ""
    amount = f'<span class="stack-words">{escape(str(chips))}, {show_dollars(chips.amount)}</span>'
    return f'<div class="stack-shown">{draw_stack(chips)}{name}{amount}</div>'


def _felt(block: FeltBlock) -> str:
    table, plan, lie = felt_of(block)
    view = block.view if block.view in plan.views else "whole"
    lies = "".join(f"<li>{escape(plain(words))}</li>" for words in block.lies)
    box = plan.views[view]
    kind = "tall" if box.height > box.width else "wide"
    return (
        f'<div class="felt-shown {kind}">{draw_table(table, plan, lie, view)}</div>'
        f'<ul class="unseen">{lies}</ul>'
    )


def _steps(block: StepsBlock, desk: Desk) -> str:
    title = f"<h3>{escape(plain(block.title))}</h3>" if block.title else ""
    items = []
    for step in block.steps:
        by = f"<b>{escape(plain(step['by']))}</b> " if step.get("by") else ""
        cite = step.get("cite", "")
        if cite and not cite.startswith("custom"):
            cite = f"{desk.house.book.id}:{cite}"
        cite = f" {cite_link(cite)}" if cite else ""
        items.append(f"<li>{by}{escape(plain(step['words']))}{cite}</li>")
    return f'{title}<ol class="crew-steps">{"".join(items)}</ol>'
