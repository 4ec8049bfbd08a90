"""Figures drawn: the engine's answers as blocks, for whatever house is asked."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import msgspec

from passline.crew.keys import key, legs
from passline.crew.payoffs import Paid, paid, paid_together, spot_named, wins
from passline.crew.press import press
from passline.crew.stick import pieces
from passline.crew.worklist import work_list
from passline.felt import lie_of
from passline.felt.terminal import listed_stacks
from passline.layout import Refusal, Spot
from passline.money import AmountError, parse_dollars, show_dollars
from passline.money.chips import Chips
from passline.school.explaining import key_steps, price_steps
from passline.school.lessons import lesson_figures as fig
from passline.school.lessons.blocks import (
    Block,
    CallBlock,
    Drawn,
    FeltBlock,
    StepLine,
    TextBlock,
    stack_block,
    steps_block,
)
from passline.school.lessons.reading import Lesson
from passline.school.lessons.tables import draw_tables
from passline.school.questions import Desk, NotAskedError
from passline.school.scenes import Scene
from passline.words.refusals import refusal_words
from passline.words.wagers import layout_name, wager_words


class _NotDrawnError(ValueError):
    """What this house does not have: one line says what."""


def draw_figure(figure: fig.AnyFigure, desk: Desk) -> Drawn:
    """A figure as blocks. Where a house has no such wager or takes no such bet, one paragraph says
    so in its place."""
    try:
        found = list(_blocks(figure, desk))
    except (_NotDrawnError, NotAskedError) as wrong:
        found = [(TextBlock(f"Not under {desk.house.book.id}: {wrong}."), ())]
    cites = [cite for _, those in found for cite in those]
    return Drawn(figure.caption, tuple(block for block, _ in found), desk.cites(*cites))


def lesson_json(lesson: Lesson, desk: Desk) -> dict[str, Any]:
    """A lesson whole, its figures drawn, as JSON has it."""
    sections = [
        {
            "heading": section.heading,
            "text": section.text,
            "clauses": [f"{lesson.book}:{clause}" for clause in section.clauses],
            "figures": [msgspec.to_builtins(draw_figure(f, desk)) for f in section.figures],
        }
        for section in lesson.sections
    ]
    return {
        "id": lesson.id,
        "title": lesson.title,
        "book": lesson.book,
        "rulebook": desk.house.book.id,
        "sections": sections,
        "drills": [{"name": p.drill, "level": p.level} for p in lesson.practice],
    }


_Cited = Iterator[tuple[Block, tuple[str, ...]]]


def _blocks(figure: fig.AnyFigure, desk: Desk) -> _Cited:
    match figure:
        case fig.PayoffFigure():
            yield from _payoff(figure, desk)
        case fig.StackFigure():
            yield stack_block(figure.name, _held(desk, figure.chips)), ()
        case fig.KeyFigure():
            yield from _key(figure, desk)
        case fig.PressFigure():
            yield from _press(figure, desk)
        case fig.FeltFigure():
            yield from _felt(figure, desk)
        case fig.CallFigure():
            yield from _call(figure, desk)
        case fig.WorkFigure():
            yield from _work(figure, desk)
        case fig.TableFigure():
            yield from _tables(figure, desk)


def _held(desk: Desk, text: str) -> Chips:
    """Chips by name, or an amount in the largest that make it."""
    try:
        if any(letter.isalpha() for letter in text):
            return desk.rack.read(text)
        chips, over = desk.rack.divide(parse_dollars(text))
    except (AmountError, ValueError) as wrong:
        raise _NotDrawnError(f"no such chips ({wrong})") from wrong
    if over:
        raise _NotDrawnError(f"no chips make ${text}")
    return chips


def _spot(desk: Desk, wager: str) -> Spot:
    spot = spot_named(desk.layout, wager)
    if spot is None:
        raise _NotDrawnError(f"there is no {layout_name(wager)} here")
    return spot


def _payoff(figure: fig.PayoffFigure, desk: Desk) -> _Cited:
    layout, spot = desk.layout, _spot(desk, figure.wager)
    stake = _held(desk, figure.stake)
    flat = _held(desk, figure.flat) if figure.flat else None
    found = wins(layout, spot, figure.puck, figure.dice)
    if not found:
        raise _NotDrawnError(f"{layout_name(spot.slug)} does not win so")
    yield stack_block("bet" if flat is None else "odds", stake), ()
    if flat is None:
        yield from _paid(spot, paid(layout, spot, found[0], stake))
        return
    yield stack_block("flat", flat), ()
    if figure.total:
        yield from _paid(spot, paid_together(layout, spot, found[0], stake, flat), "pay both")
        return
    yield from _paid(spot, paid(layout, spot, found[0], stake, flat), "pay odds")
    under = layout.spots[spot.flat]
    won = wins(layout, under, found[0].puck)
    yield from _paid(under, paid(layout, under, won[0], flat, flat), "pay flat")


def _paid(spot: Spot, row: Paid, what: str = "pay") -> _Cited:
    """A payoff: how it is reckoned, the chips, how the hands set them."""
    pay = row.payoff
    if pay.manner == "totalled":
        words = f"Odds and flat together come to {show_dollars(pay.due)}."
    else:
        words = _sentences(price_steps(spot, row.done))
    if pay.vig:
        words += f" Less vigorish of {show_dollars(pay.vig)}: {show_dollars(pay.due)}."
    yield TextBlock(words), (row.done.cite,)
    yield stack_block(what, pay.chips), pay.cites
    steps = [StepLine(f"{m.hand} hand", m.words, _first(m.cites)) for m in pay.motions]
    yield steps_block(pay.words[:1].upper() + pay.words[1:], steps), pay.cites


def _sentences(steps: Iterator[str]) -> str:
    return " ".join(f"{step[:1].upper()}{step[1:]}." for step in steps)


def _first(cites: tuple[str, ...]) -> str:
    return cites[0] if cites else ""


def _key(figure: fig.KeyFigure, desk: Desk) -> _Cited:
    low, high = sorted(figure.dice)
    found = key(desk.layout, figure.wager, f"{low}-{high}")
    if not legs(desk.layout, figure.wager) or found is None:
        raise _NotDrawnError(f"there is no {layout_name(figure.wager)} here")
    stake = _held(desk, figure.stake)
    yield stack_block("bet", stake), ()
    steps = [
        StepLine("", f"{step[:1].upper()}{step[1:]}", "")
        for step in key_steps(found, wager_words(figure.wager), stake.amount)
    ]
    yield steps_block(f"{low}-{high} is thrown", steps), found.cites
    chips, _ = desk.rack.divide(found.pays(stake.amount))
    yield stack_block("pay", chips), ()


def _press(figure: fig.PressFigure, desk: Desk) -> _Cited:
    before, after = _held(desk, figure.before), parse_dollars(figure.after)
    bets = dict.fromkeys(figure.numbers, (before, after))
    thrown = parse_dollars(figure.thrown) if figure.thrown != "0" else 0
    move = press(desk.layout, bets, thrown=thrown, way=figure.way or None)
    if isinstance(move, Refusal):
        raise _NotDrawnError(refusal_words(move))
    for number, chips in move.before.items():
        yield stack_block(f"the {number}", chips), ()
    words = (
        f"The win is {show_dollars(move.win)}; {show_dollars(move.press)} go on the felt and "
        f"{show_dollars(move.to_player.amount)} to the player."
    )
    if move.thrown:
        words += f" The player throws in {show_dollars(move.thrown.amount)}."
    if move.overpaid:
        words += f" {show_dollars(move.overpaid)} too much are set out, and go back to the box."
    yield TextBlock(words), move.cites
    steps = [StepLine(f"{m.hand} hand", m.words, _first(m.cites)) for m in move.motions]
    cites = tuple(cite for motion in move.motions for cite in motion.cites)
    yield steps_block(move.why[:1].upper() + move.why[1:], steps), cites
    for number, chips in move.after.items():
        yield stack_block(f"the {number}", chips), ()


def _tables(figure: fig.TableFigure, desk: Desk) -> _Cited:
    drawn = list(draw_tables(figure.table, desk))
    if not drawn:
        raise _NotDrawnError("there is nothing of the kind")
    yield from ((block, ()) for block in drawn)


def _scene(figure: fig.FeltFigure | fig.CallFigure | fig.WorkFigure, desk: Desk) -> Scene:
    scene = Scene(desk)
    for name, place in figure.players.items():
        scene.seat(name, place)
    for line in figure.lines:
        name, spoken, said = line.partition(": ")
        taken = scene.says(name, said) if spoken else scene.happens(line)
        if not taken:
            raise _NotDrawnError(f"this table does not take '{line}'")
    return scene


def _felt(figure: fig.FeltFigure, desk: Desk) -> _Cited:
    scene = _scene(figure, desk)
    yield _seen(scene, figure.view, figure.dice), ()


def _seen(scene: Scene, view: str, dice: tuple[int, int] | None = None) -> FeltBlock:
    lies = tuple(listed_stacks(lie_of(scene.table)))
    return FeltBlock(record=scene.text, view=view, dice=dice, lies=lies)


def _call(figure: fig.CallFigure, desk: Desk) -> _Cited:
    scene = _scene(figure, desk)
    table, rolled = scene.rolled(*figure.dice)
    said = pieces(table, rolled, full=figure.full)
    if figure.lines:
        lies = "; ".join(listed_stacks(lie_of(table)))
        yield TextBlock(f"{lies}. The dice show {figure.dice[0]}-{figure.dice[1]}."), ()
    yield CallBlock(", ".join(one.words for one in said)), tuple(one.cite for one in said)


def _work(figure: fig.WorkFigure, desk: Desk) -> _Cited:
    scene = _scene(figure, desk)
    table, rolled = scene.rolled(*figure.dice)
    yield _seen(scene, "end:left"), ()
    # What the stick says to the table before and after the throw is no part of the work on it.
    tasks = [task for task in work_list(table, rolled) if not task.said]
    steps = [StepLine(task.by, task.words, task.cite.partition(": ")[0]) for task in tasks]
    title = f"{figure.dice[0]}-{figure.dice[1]} is thrown"
    yield steps_block(title, steps), tuple(task.cite for task in tasks)
