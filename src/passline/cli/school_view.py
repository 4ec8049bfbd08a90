"""Questions and marks for people: stacks drawn as they lie, choices numbered."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import click

from passline.money import dollars as show_money
from passline.money.chips import Chips
from passline.plain import plain
from passline.school.lying import lying_wagers, work_of_question
from passline.words.wagers import layout_name

if TYPE_CHECKING:
    from passline.school import Desk, Graded, Mark, Question
    from passline.school.work import Work

#: What of a question is an amount in dollars: drawn as a stack.
_MONEY = re.compile(r"\d+\.\d\d")
_INKS = {"white": "white", "red": "red", "green": "green", "purple": "magenta", "yellow": "yellow"}
_MOST_DISCS = 20
#: Clauses that are told of a miss; the others are in the summary.
_MOST_CLAUSES = 3


def question_lines(
    desk: Desk, question: Question, number: str, in_dollars: bool, plain_text: bool
) -> Iterator[str]:
    """A question with what it is about. ``plain_text`` is for screen readers: nothing is drawn,
    stacks are colours and counts."""
    yield click.style(f"{number}{plain(question.ask)}", bold=not plain_text)
    for line in _given(desk, question, in_dollars, plain_text):
        yield f"   {line}"


def mark_lines(question: Question, mark: Mark, seconds: float) -> Iterator[str]:
    """A mark as it is told at once; on a miss the key and the steps, and the clause."""
    from passline.school.report import rule_of

    if mark.right:
        yield f"{click.style('Right', fg='green')} ({seconds:.1f} s): {plain(mark.because)}"
        return
    yield f"{click.style('Wrong', fg='red')} ({seconds:.1f} s): {plain(mark.because)}"
    for step in (step for step in question.explain if step not in mark.because):
        yield f"   {plain(step)}"
    for clause in mark.missed[:_MOST_CLAUSES]:
        yield f"   {clause}: {plain(rule_of(clause))}"


def show_marks(graded: Graded) -> None:
    """Every mark, and how many are right."""
    for question, mark in zip(graded.questions, graded.marks, strict=True):
        sign = click.style("right", fg="green") if mark.right else click.style("wrong", fg="red")
        click.echo(f"{question.n}. {sign}: {plain(mark.because)}")
        if mark.missed:
            click.echo(f"   {', '.join(mark.missed)}")
    click.secho(f"{graded.right} of {len(graded.questions)} right", bold=True)


def stack_lines(chips: Chips, name: str = "") -> Iterator[str]:
    """A stack as it lies: the largest colour underneath, a disc for every chip."""
    for chip, count in reversed(chips.piles):
        discs = "●" * min(count, _MOST_DISCS) + ("…" if count > _MOST_DISCS else "")
        ink = _INKS.get(chip.colour)
        yield f"{name:>10}  {count:>3} {chip.colour:<8}{click.style(discs, fg=ink)}"
        name = ""


def _given(desk: Desk, question: Question, in_dollars: bool, plain_text: bool) -> Iterator[str]:
    given = question.given
    facts = list(_facts(given))
    if facts:
        yield ("; " if plain_text else "  ").join(facts)
    yield from _stacks(desk, given, in_dollars, plain_text)
    work = work_of_question(desk, question)
    if work is not None:
        yield from _table(desk, work, question.drill == "order", in_dollars)
    elif "record" in given:
        yield from (f"  | {line}" for line in given["record"].splitlines())
    for number, step in enumerate(given.get("shown", ()), 1):
        yield f"  {number:>2}. {step_words(step)}"
    for place, choice in enumerate(given.get("choices", ())):
        yield f"  [{place}] {plain(str(choice))}"


def _facts(given: dict[str, Any]) -> Iterator[str]:
    for name, value in given.items():
        if name == "puck":
            yield f"puck {'off' if value is None else f'on {value}'}"
        elif name == "dice":
            yield f"dice {value[0]}-{value[1]}"
        elif name == "wager":
            yield layout_name(value)
        elif name in ("say", "term", "means"):
            yield f'"{plain(str(value))}"'
        elif isinstance(value, str | int) and name not in ("record", "ask"):
            if not (isinstance(value, str) and _MONEY.fullmatch(value)):
                yield f"{name} {plain(str(value))}"
        elif name == "numbers":
            yield f"on {' and '.join(map(str, value))}"


def _table(desk: Desk, work: Work, numbered: bool, in_dollars: bool) -> Iterator[str]:
    """What lies on the table before a throw, player by player; numbered where it is answered so."""
    puck = work.table.puck
    yield f"  puck {f'on {puck}' if puck else 'off'}; {work.table.shooter} throws"
    for lying in lying_wagers(desk, work):
        chips = ", ".join(f"{count} {colour}" for colour, count in lying.chips.items())
        number = f"{lying.number:>2}. " if numbered else "- "
        money = f" (${lying.amount})" if in_dollars or not chips else ""
        named = f"{lying.player}, place {lying.place}: {layout_name(lying.wager)}"
        yield f"  {number}{named}, {chips}{money}"


def _stacks(desk: Desk, given: dict[str, Any], in_dollars: bool, plain_text: bool) -> Iterator[str]:
    """Every amount as chips, in its own where they are told."""
    own = given.get("stacks") or ({"stake": given["chips"]} if "chips" in given else {})
    for name, value in _amounts(given):
        cents = round(float(value) * 100)
        chips, over = desk.rack.divide(cents)
        if name in own:
            counts = {desk.rack.chip(colour): count for colour, count in own[name].items()}
            chips = Chips.of({chip: count for chip, count in counts.items() if chip})
        if plain_text:
            yield f"{name}: {chips}"
        else:
            yield from stack_lines(chips, name)
        if in_dollars or over:
            yield f"{'':>10}  ${show_money(cents)}"


def _amounts(given: dict[str, Any]) -> Iterator[tuple[str, str]]:
    for name, value in given.items():
        if isinstance(value, str) and _MONEY.fullmatch(value):
            yield name, value
        elif name == "wagers" and isinstance(value, dict):
            yield from ((layout_name(slug), amount) for slug, amount in value.items())


def step_words(step: dict[str, Any]) -> str:
    """One step of the crew's work, on a line."""
    end = f", {step['end']} end" if step.get("end") else ""
    act = str(step.get("act", ""))
    if act == "move" and not step.get("wager"):
        act = "move the puck"
    parts = [f"{step.get('post', '')}{end}:", act]
    if step.get("player"):
        parts.append(f"{step['player']}'s")
    if step.get("wager"):
        parts.append(layout_name(step["wager"]))
    if step.get("amount"):
        parts.append(f"${step['amount']}")
    if step.get("hand"):
        parts.append(f"with the {step['hand']} hand")
    if step.get("words"):
        parts.append(f"({step['words']})")
    return plain(" ".join(parts))
