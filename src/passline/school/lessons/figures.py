"""Draw the figures of a lesson: ask the engine, and return blocks that a terminal or a page shows.

Blocks go to JSON unchanged. The tables fill the manual's Appendix B, which is only a heading.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

import msgspec

from passline.crew.cut_payoff import (
    PricedPayoff,
    compute_payoff,
    compute_total_payoff,
    find_spot,
    list_winning_prices,
)
from passline.crew.motions import (
    APRON,
    BANK,
    BESIDE,
    BOX,
    COME,
    IN_HAND,
    PLAYER,
    ChipPiles,
    Motion,
    apply_motions,
)
from passline.crew.payoff_keys import find_key, find_legs, list_winning_faces
from passline.crew.press import compute_press, list_manual_moves
from passline.crew.stick import list_call_pieces, make_stick_call
from passline.crew.work_list import make_work_list
from passline.felt.layout_contents import LayoutContents, find_layout_contents
from passline.felt.plan import FeltPlan, plan_felt
from passline.felt.text_drawing import list_stacks
from passline.game.dice.dice import OUTCOMES
from passline.game.house.load import house_for
from passline.game.layout.compile import compile_layout
from passline.game.layout.odds_limits import find_odds_cap
from passline.game.layout.spots import Spot
from passline.game.layout.stakes import Refusal, Stake
from passline.game.money.amounts import AmountError, parse_dollars, show_dollars, to_dollars
from passline.game.money.chips import Chips, ChipsError
from passline.game.table.evolve import evolve
from passline.game.table.open_close import opening_event
from passline.game.table.state import Table
from passline.game.table.table_ends import count_places
from passline.game.words.refusals import describe_chips_error, describe_refusal
from passline.game.words.school import say_school
from passline.game.words.wagers import layout_name, spoken_wager_name
from passline.record.deal import deal_text
from passline.school.answer_fields import count_by_color
from passline.school.explanations import explain_key, explain_price
from passline.school.lessons import lesson_files as fig
from passline.school.lessons.lesson_files import Lesson
from passline.school.practice_tables import PracticeTable, find_line_spot
from passline.school.question_types import DrillSetup, NoQuestionError, SchoolError
from passline.school.winning_bets import iter_wins, settle_win
from passline.talk.canonical import format_amount


class TextBlock(msgspec.Struct, frozen=True, tag_field="block", tag="text"):
    """A paragraph."""

    text: str


class TableBlock(msgspec.Struct, frozen=True, tag_field="block", tag="table"):
    """A table of text; the first cell of each row is the row's heading."""

    title: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


class StackBlock(msgspec.Struct, frozen=True, tag_field="block", tag="stack"):
    """Chips with a label: counts by color, and the amount in dollars.

    ``stacks`` are the chips of each stack, if there are two or more.
    """

    name: str
    chips: dict[str, int]
    amount: str
    stacks: tuple[dict[str, int], ...] = ()


class FeltBlock(msgspec.Struct, frozen=True, tag_field="block", tag="felt"):
    """A part of the layout (``view``) at the end of a record; ``lies`` lists its bets in words."""

    record: str
    view: str
    dice: tuple[int, int] | None
    lies: tuple[str, ...]


class StepLine(msgspec.Struct, frozen=True):
    """One step: who or which hand does it, what is done, and the clause or custom.

    If the step moves chips, ``piles`` are the chips at each position after it.
    """

    by: str
    words: str
    cite: str
    piles: dict[str, dict[str, int]] = {}


class StepsBlock(msgspec.Struct, frozen=True, tag_field="block", tag="steps"):
    """A list of steps in order."""

    title: str
    steps: tuple[StepLine, ...]


class CallBlock(msgspec.Struct, frozen=True, tag_field="block", tag="call"):
    """Words that are said aloud."""

    words: str


Block = TextBlock | TableBlock | StackBlock | FeltBlock | StepsBlock | CallBlock


class DrawnFigure(msgspec.Struct, frozen=True):
    """The blocks of a figure for one house; ``cites`` are clauses of the house's rulebook."""

    caption: str
    blocks: tuple[Block, ...]
    cites: tuple[str, ...] = ()


def _make_stack_block(name: str, chips: Chips, stacks: Sequence[Chips] = ()) -> StackBlock:
    several = tuple(map(count_by_color, stacks)) if len(stacks) > 1 else ()
    amount = to_dollars(chips.amount)
    return StackBlock(name=name, chips=count_by_color(chips), amount=amount, stacks=several)


def _split_payoff(stake: Chips, motions: Sequence[Motion]) -> list[Chips]:
    """Return the stacks of a payoff as the dealer sets them out of the bank.

    A payoff of several times the bet is split into stacks like the bet.
    """
    found: list[Chips] = []
    for chips in (motion.chips for motion in motions if motion.source == BANK):
        rest, sized = chips, list[Chips]()
        while stake and stake <= rest:
            rest, sized = rest - stake, [*sized, stake]
        found += sized if len(sized) > 1 and not rest else [chips]
    return found


def load_felt(block: FeltBlock) -> tuple[Table, FeltPlan, LayoutContents]:
    """Return (table, drawing plan, things on the felt) that a layout block shows."""
    table = _deal_record(block.record)
    plan = plan_felt(table.layout, count_places(table))
    return table, plan, find_layout_contents(table, block.dice)


def _deal_record(record: str) -> Table:
    """Return the table at the end of a record; without lines, a newly opened table."""
    head, _, lines = record.partition("\n\n")
    if lines.strip():
        return deal_text(record).table
    header = dict(line.split(": ", 1) for line in head.splitlines())
    elected = [(key[6:], value) for key, value in header.items() if key.startswith("house.")]
    house = house_for(header["rulebook"], header["game"], elected)
    return evolve(Table(layout=compile_layout(house)), opening_event(house))


_FLAT_AMOUNTS = (5, 10, 15, 20, 25, 50, 100)
_TAKEN_ODDS_AMOUNTS = (5, 10, 15, 20, 25, 30, 40, 50, 60, 75, 80, 100, 150, 200)
_LAID_ODDS_AMOUNTS = (6, 10, 12, 18, 20, 24, 30, 36, 40, 48, 50, 60, 75, 90, 100, 120)
_PLACE_AMOUNTS = (
    5, 6, 10, 12, 15, 18, 20, 24, 25, 30, 35, 36, 40, 42, 48, 50, 54, 60, 75, 90, 100, 120,
)  # fmt: skip
_BUY_AMOUNTS = (20, 25, 30, 40, 50, 60, 75, 80, 100, 150, 200)
_LAY_AMOUNTS = (24, 30, 40, 48, 60, 72, 80, 90, 100, 120, 150, 200)
_UNIT_COUNTS = (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 15, 20)
_EMPTY_CELL = "-"
_TableDrawer = Callable[[DrillSetup], Iterator[TableBlock]]


def draw_tables(name: str, setup: DrillSetup) -> Iterator[TableBlock]:
    """Yield the tables of the figure ``name``, such as "place". Raise KeyError if it is unknown."""
    yield from _TABLE_DRAWERS[name](setup)


def _group_by_price(setup: DrillSetup, family: str) -> list[list[Spot]]:
    """Return a family's wagers on numbers in groups of one price: 4 and 10, 5 and 9, 6 and 8."""
    found: dict[object, list[Spot]] = {}
    for spot in setup.layout.spots.values():
        if spot.family == family and spot.number:
            found.setdefault(spot.odds, []).append(spot)
    return list(found.values())


def _format_win(setup: DrillSetup, spot: Spot, amount: int, puck: int) -> str:
    """Return what a bet of ``amount`` dollars wins, or "-" if it doesn't pay in whole chips.

    ``puck`` is the point at which it wins.
    """
    (index, verdict), cents = next(iter_wins(spot, puck)), amount * 100
    if cents % (verdict.per * setup.house.chip):
        return _EMPTY_CELL
    return show_dollars(settle_win(setup, spot, cents, puck, index).paid)


def _find_odds_spot(setup: DrillSetup, right: bool) -> Spot | None:
    flat = find_line_spot(setup, right).slug
    spots = setup.layout.spots.values()
    return next((s for s in spots if s.is_odds and s.flat == flat), None)


def _group_points_by_price(setup: DrillSetup, spot: Spot) -> list[list[int]]:
    """Return the points in groups on which the odds wager pays the same."""
    found: dict[object, list[int]] = {}
    for point in setup.house.book.points.value:
        found.setdefault(spot.by_puck.get(point, spot.odds), []).append(point)
    return list(found.values())


def _make_odds_drawer(right: bool, amounts: Sequence[int], code: str) -> _TableDrawer:
    """Return a function that yields a table of what odds win. ``amounts`` are its rows, in dollars.

    With ``right``, the odds are behind the pass line; otherwise behind don't pass. ``code`` is the
    code of the title in the catalog of words.
    """

    def draw(setup: DrillSetup) -> Iterator[TableBlock]:
        spot = _find_odds_spot(setup, right)
        if spot is None:
            return
        points = _group_points_by_price(setup, spot)
        heads = [" or ".join(map(str, group)) for group in points]
        rows = [
            (
                show_dollars(amount * 100),
                *(_format_win(setup, spot, amount, group[0]) for group in points),
            )
            for amount in amounts
        ]
        yield TableBlock(say_school(code), ("odds", *heads), _drop_empty_rows(rows))

    return draw


def _drop_empty_rows(rows: Sequence[tuple[str, ...]]) -> tuple[tuple[str, ...], ...]:
    """Return the rows without those in which every cell after the first is empty."""
    return tuple(row for row in rows if any(cell != _EMPTY_CELL for cell in row[1:]))


def _draw_max_odds(setup: DrillSetup) -> Iterator[TableBlock]:
    """Yield the table of the most odds behind a pass bet, and what they win."""
    spot = _find_odds_spot(setup, True)
    if spot is None:
        return
    points = _group_points_by_price(setup, spot)
    heads = [part for group in points for part in (f"on {group[0]}/{group[-1]}", "wins")]
    rows = []
    for amount in _FLAT_AMOUNTS:
        row = [show_dollars(amount * 100)]
        for group in points:
            most = find_odds_cap(setup.layout, spot, group[0], {spot.flat: Stake(amount * 100, 0)})
            index, _ = next(iter_wins(spot, group[0]))
            won = settle_win(setup, spot, most, group[0], index)
            row += [show_dollars(most), show_dollars(won.paid)]
        rows.append(tuple(row))
    yield TableBlock(say_school("figure.most-odds"), ("flat", *heads), tuple(rows))


def _make_price_drawer(family: str, amounts: Sequence[int], code: str) -> _TableDrawer:
    """Return a function that yields the table of what a family of wagers on numbers wins.

    It shows the vigorish, if any. ``amounts`` are the rows in dollars; ``code`` names the title.
    """

    def draw(setup: DrillSetup) -> Iterator[TableBlock]:
        kinds = _group_by_price(setup, family)
        vig = any(kind[0].vig for kind in kinds)
        heads = ["bet"]
        for kind in kinds:
            heads += [" or ".join(str(spot.number) for spot in kind), *(["vig"] if vig else [])]
        rows = []
        for amount in amounts:
            row = [show_dollars(amount * 100)]
            for spot, *_ in kinds:
                row.append(_format_win(setup, spot, amount, spot.number))
                if vig and row[-1] == _EMPTY_CELL:
                    row.append(_EMPTY_CELL)
                elif vig:
                    row.append(
                        show_dollars(setup.house.vig[spot.vig].charge(amount * 100, spot.odds))
                    )
            rows.append(tuple(row))
        if kinds:
            yield TableBlock(say_school(code), tuple(heads), _drop_empty_rows(rows))

    return draw


def _draw_keys(setup: DrillSetup) -> Iterator[TableBlock]:
    """Yield the table of every proposition's key (multiplier) and what a small bet wins."""
    rows = []
    for slug, spot in setup.layout.spots.items():
        parts = find_legs(setup.layout, slug)
        if spot.rule.area != "center" or not parts or slug.startswith("hop-"):
            continue
        totals: dict[tuple[str, str], list[str]] = {}
        amount = max(sum(parts.values()) * 100, spot.minimum)
        for index in list_winning_faces(setup.layout, parts):
            a, b = OUTCOMES[index]
            found = find_key(setup.layout, slug, f"{a}-{b}")
            if found is not None:
                paid = show_dollars(found.compute_win(amount))
                totals.setdefault((found.words, paid), []).append(str(a + b))
        for (words, paid), each in totals.items():
            on = ", ".join(dict.fromkeys(each))
            rows.append((layout_name(slug), on, words, show_dollars(amount), paid))
    title = say_school("figure.keys")
    yield TableBlock(title, ("bet", "on", "key", "for", "wins"), tuple(rows))


def _draw_groups(setup: DrillSetup) -> Iterator[TableBlock]:
    """Yield tables of each group's sums: with all numbers, and without one number of each price."""
    for name, group in setup.house.book.groups.items():
        units = {int(n): unit for n, unit in group.unit.value.items() if n.isdigit()}
        if len(units) != len(group.unit.value):
            continue
        numbers = sorted(units)
        for out in (None, *_list_left_out_numbers(units)):
            kept = [n for n in numbers if n != out]
            rows = [
                (
                    show_dollars(sum(units[n] for n in kept) * many * 100),
                    *(
                        show_dollars(units[n] * many * 100) if n in kept else _EMPTY_CELL
                        for n in numbers
                    ),
                )
                for many in _UNIT_COUNTS
            ]
            title = name.capitalize() + (f", no {out}" if out else "")
            yield TableBlock(title, ("in all", *map(str, numbers)), tuple(rows))


def _list_left_out_numbers(units: dict[int, int]) -> Iterator[int]:
    """Yield the first number of each unit, to show a group's sums without that number.

    ``units`` has the dollars of a unit by number. Other numbers with the same unit give the same
    sums. Yield none if all units are equal.
    """
    seen: set[int] = set()
    for number, unit in units.items():
        if unit not in seen and len(set(units.values())) > 1:
            yield number
        seen.add(unit)


def _draw_presses(setup: DrillSetup) -> Iterator[TableBlock]:
    """Yield a table of the press moves in the manual, with the amounts worked out."""
    rows = []
    for move in list_manual_moves():
        # The manual shows the move for one number of a pair, or for both.
        numbers = move.numbers[-len(move.before) :]
        spans = zip(move.before, move.after, strict=True)
        bets = {n: (a * 100, b * 100) for n, (a, b) in zip(numbers, spans, strict=True)}
        done = compute_press(setup.layout, bets, thrown=move.thrown * 100, way=move.way)
        if isinstance(done, Refusal):
            continue
        joined = " and " if len(bets) > 1 else " or "
        before, after = (show_dollars(100 * bets[0]) for bets in (move.before, move.after))
        name = f"{joined.join(map(str, move.numbers))}: {before} to {after}"
        amounts = (done.win, done.thrown.amount, done.press, done.set_out.amount, done.overpaid)
        row = (name, *map(show_dollars, (*amounts, done.to_player.amount)))
        if row not in rows:
            rows.append(row)
    columns = ("press", "win", "thrown in", "goes up", "set out", "to the box", "handed")
    yield TableBlock(say_school("figure.presses"), columns, tuple(rows))


def _draw_calls(setup: DrillSetup) -> Iterator[TableBlock]:
    """Yield three tables of the stick's calls: on a come-out roll, on other points, on the point.

    Their rows are the totals, those of points also hard and easy. The third has only points.
    """
    points = tuple(setup.house.book.points.value)
    rows: dict[str, list[tuple[str, str]]] = {name: [] for name in _PHASES}
    for name, faces in _list_throws(points).items():
        total = sum(faces)
        other = next(point for point in points if point != total)
        for phase, point in zip(_PHASES, (0, other, total), strict=True):
            if point != total or total in points:
                seen = _make_table_with_point(setup, point).preview_throw(*faces)
                rows[phase].append((name, make_stick_call(*seen, full=True)))
    for phase, found in rows.items():
        yield TableBlock(say_school(phase), ("throw", "the stick calls"), tuple(found))


_PHASES = ("figure.come-out", "figure.other-point", "figure.on-point")


def _list_throws(points: Sequence[int]) -> dict[str, tuple[int, int]]:
    """Return {name: dice} with a throw for every total, such as "6 hard" and "6 easy".

    Only the totals in ``points`` have a hard and an easy throw; the name of another is the total.
    """
    found: dict[str, tuple[int, int]] = {}
    for low, high in sorted(OUTCOMES, key=lambda faces: (sum(faces), faces[0] == faces[1])):
        both = (low + high) in points and (low + high) % 2 == 0
        way = f" {'hard' if low == high else 'easy'}" if both else ""
        found.setdefault(f"{low + high}{way}", (low, high))
    return found


def _make_table_with_point(setup: DrillSetup, point: int) -> PracticeTable:
    practice = PracticeTable(setup)
    practice.seat("ann", 3)
    practice.say("ann", f"{find_line_spot(setup).slug} for {format_amount(setup.house.minimum)}")
    if point:
        practice.throw(*next(faces for faces in OUTCOMES if sum(faces) == point))
    return practice


def _draw_limits(setup: DrillSetup) -> Iterator[TableBlock]:
    """Yield the table of the smallest and the largest bet on every kind of wager."""
    rows: dict[str, tuple[str, ...]] = {}
    for spot in setup.layout.spots.values():
        if spot.is_odds or spot.tiers or spot.slug.startswith("hop-"):
            continue
        name = layout_name(spot.family if spot.rule.is_come else spot.slug)
        rows.setdefault(name, (name, show_dollars(spot.minimum), show_dollars(spot.maximum)))
    yield TableBlock(say_school("figure.limits"), ("bet", "least", "most"), tuple(rows.values()))


def _draw_shares(setup: DrillSetup) -> Iterator[TableBlock]:
    """Yield the table of what each other player gets when the shootout bonus is won."""
    shootout = setup.house.book.shootout
    if shootout is None:
        return
    rows = []
    for span, award in shootout.share.items():
        bonus = " to ".join(show_dollars(int(end) * 100) for end in span.split("-"))
        rows.append((bonus, show_dollars(award.value * 100)))
    yield TableBlock(say_school("figure.shares"), ("bonus", "each player"), tuple(rows))


_TABLE_DRAWERS: dict[str, _TableDrawer] = {
    "most-odds": _draw_max_odds,
    "pass-odds": _make_odds_drawer(True, _TAKEN_ODDS_AMOUNTS, "figure.pass-odds"),
    "dont-odds": _make_odds_drawer(False, _LAID_ODDS_AMOUNTS, "figure.dont-odds"),
    "place": _make_price_drawer("place-win", _PLACE_AMOUNTS, "figure.place"),
    "buy": _make_price_drawer("buy", _BUY_AMOUNTS, "figure.buy"),
    "lay": _make_price_drawer("lay", _LAY_AMOUNTS, "figure.lay"),
    "keys": _draw_keys,
    "groups": _draw_groups,
    "press": _draw_presses,
    "calls": _draw_calls,
    "limits": _draw_limits,
    "shares": _draw_shares,
}


class _CannotDrawError(SchoolError):
    """Raised when this house can't show the figure. The message says why in one line."""


def draw_figure(figure: fig.Figure, setup: DrillSetup) -> DrawnFigure:
    """Return a figure as blocks, or a paragraph that says why this house can't show it."""
    try:
        found = list(_FIGURE_DRAWERS[type(figure)](figure, setup))
    except (_CannotDrawError, NoQuestionError) as error:
        words = say_school("figure.not-here", book=setup.house.book.title, why=error)
        found = [(TextBlock(words), ())]
    cites = [cite for _, group in found for cite in group]
    return DrawnFigure(figure.caption, tuple(block for block, _ in found), setup.cites(*cites))


def convert_lesson_to_json(lesson: Lesson, setup: DrillSetup) -> dict[str, Any]:
    """Return a whole lesson, with its figures drawn, as a JSON object."""
    sections = [
        {
            "heading": section.heading,
            "text": section.text,
            "clauses": [f"{lesson.book}:{clause}" for clause in section.clauses],
            "figures": [msgspec.to_builtins(draw_figure(f, setup)) for f in section.figures],
        }
        for section in lesson.sections
    ]
    return {
        "id": lesson.id,
        "title": lesson.title,
        "book": lesson.book,
        "rulebook": setup.house.book.id,
        "sections": sections,
        "drills": [{"name": p.drill, "level": p.level} for p in lesson.practice],
    }


_CitedBlocks = Iterator[tuple[Block, tuple[str, ...]]]


def _parse_chips(setup: DrillSetup, text: str) -> Chips:
    """Return chips from text: chips by name (``8 red``), or an amount in the largest colors.

    Raise _CannotDrawError if the house has no such chips.
    """
    try:
        if any(letter.isalpha() for letter in text):
            return setup.rack.read(text)
        chips, over = setup.rack.divide(parse_dollars(text))
    except ChipsError as error:
        raise _CannotDrawError("figure.no-chips", error=describe_chips_error(error)) from error
    except AmountError as error:
        raise _CannotDrawError("figure.no-chips", error=error) from error
    if over:
        raise _CannotDrawError("figure.no-stack", amount=text)
    return chips


def _draw_stack(figure: fig.StackFigure, setup: DrillSetup) -> _CitedBlocks:
    yield _make_stack_block(figure.name, _parse_chips(setup, figure.chips)), ()


def _draw_payoff(figure: fig.PayoffFigure, setup: DrillSetup) -> _CitedBlocks:
    layout = setup.layout
    spot = find_spot(layout, figure.wager)
    if spot is None:
        raise _CannotDrawError("figure.no-bet", wager=figure.wager)
    stake = _parse_chips(setup, figure.stake)
    flat = _parse_chips(setup, figure.flat) if figure.flat else None
    found = list_winning_prices(layout, spot, figure.puck, figure.dice)
    if not found:
        raise _CannotDrawError("figure.no-win", wager=spot.slug)
    yield _make_stack_block("bet" if flat is None else "odds", stake), ()
    if flat is None:
        yield from _draw_paid(spot, compute_payoff(layout, spot, found[0], stake), stake)
        return
    yield _make_stack_block("flat", flat), ()
    if figure.total:
        both = compute_total_payoff(layout, spot, found[0], stake, flat)
        yield from _draw_paid(spot, both, stake, "pay both")
        return
    row = compute_payoff(layout, spot, found[0], stake, flat)
    yield from _draw_paid(spot, row, stake, "pay odds")
    under = layout.spots[spot.flat]
    won = list_winning_prices(layout, under, found[0].puck)
    row = compute_payoff(layout, under, won[0], flat, flat)
    yield from _draw_paid(under, row, flat, "pay flat")


def _draw_paid(spot: Spot, row: PricedPayoff, stake: Chips, what: str = "pay") -> _CitedBlocks:
    """Yield the blocks of a payoff: how it is computed, the chips, and how the hands set them.

    ``stake`` is the bet that is paid, and ``what`` the label of the chips.
    """
    pay = row.payoff
    if pay.manner == "totalled":
        words = say_school("figure.together", due=pay.due)
    else:
        words = " ".join(f"{_capitalize(step)}." for step in explain_price(spot, row.settlement))
    if pay.vig:
        words += say_school("figure.less-vig", vig=pay.vig, due=pay.due)
    yield TextBlock(words), (row.settlement.cite,)
    yield _make_stack_block(what, pay.chips, _split_payoff(stake, pay.motions)), pay.cites
    yield _make_motions_block(pay.words, pay.motions), pay.cites


def _capitalize(text: str) -> str:
    return text[:1].upper() + text[1:]


def _make_motions_block(
    words: str, motions: Sequence[Motion], piles: ChipPiles | None = None
) -> StepsBlock:
    """Return motions of the hands as steps. ``piles`` are the chips before them.

    With ``piles``, each step shows the chips after it.
    """
    steps = []
    for motion in motions:
        shown: dict[str, dict[str, int]] = {}
        if piles is not None:
            piles = apply_motions(piles, [motion])
            seen = {place: chips for place, chips in piles.items() if place not in (BANK, PLAYER)}
            shown = {_name_pile(place): count_by_color(chips) for place, chips in seen.items()}
        cite = next(iter(motion.cites), "")
        by = f"{motion.hand} hand"
        steps.append(StepLine(by=by, words=motion.words, cite=cite, piles=shown))
    return StepsBlock(_capitalize(words), tuple(steps))


_PILE_CODES = {
    APRON: "figure.pile-apron",
    BESIDE: "figure.pile-beside",
    BOX: "figure.pile-box",
    COME: "figure.pile-come",
    IN_HAND: "figure.pile-hand",
}


def _name_pile(place: str) -> str:
    """Return the name of a position of chips: a number box, or a part of the table."""
    return f"the {place}" if place.isdigit() else say_school(_PILE_CODES[place])


def _draw_key(figure: fig.KeyFigure, setup: DrillSetup) -> _CitedBlocks:
    low, high = sorted(figure.dice)
    found = find_key(setup.layout, figure.wager, f"{low}-{high}")
    if not find_legs(setup.layout, figure.wager) or found is None:
        raise _CannotDrawError("figure.no-bet", wager=figure.wager)
    stake = _parse_chips(setup, figure.stake)
    yield _make_stack_block("bet", stake), ()
    lines = explain_key(found, spoken_wager_name(figure.wager), stake.amount)
    steps = tuple(StepLine("", _capitalize(line), "") for line in lines)
    yield StepsBlock(say_school("figure.dice", dice=f"{low}-{high}"), steps), found.cites
    chips, _ = setup.rack.divide(found.compute_win(stake.amount))
    yield _make_stack_block("pay", chips), ()


def _draw_press(figure: fig.PressFigure, setup: DrillSetup) -> _CitedBlocks:
    before, after = _parse_chips(setup, figure.before), parse_dollars(figure.after)
    bets = dict.fromkeys(figure.numbers, (before, after))
    thrown = parse_dollars(figure.thrown) if figure.thrown != "0" else 0
    move = compute_press(setup.layout, bets, thrown=thrown, way=figure.way or None)
    if isinstance(move, Refusal):
        raise _CannotDrawError("figure.refused", why=describe_refusal(move))
    for number, chips in move.before.items():
        yield _make_stack_block(f"the {number}", chips), ()
    words = say_school(
        "figure.press",
        win=move.win,
        press=move.press,
        handed=move.to_player.amount,
        thrown=move.thrown.amount,
        overpaid=move.overpaid,
    )
    yield TextBlock(words), move.cites
    cites = tuple(cite for motion in move.motions for cite in motion.cites)
    piles = {str(number): chips for number, chips in move.before.items()}
    yield _make_motions_block(move.why, move.motions, piles), cites
    for number, chips in move.after.items():
        yield _make_stack_block(f"the {number}", chips), ()


def _draw_table_figure(figure: fig.TableFigure, setup: DrillSetup) -> _CitedBlocks:
    drawn = list(draw_tables(figure.table, setup))
    if not drawn:
        raise _CannotDrawError("figure.no-table")
    yield from ((block, ()) for block in drawn)


def _play_figure(
    figure: fig.FeltFigure | fig.CallFigure | fig.WorkFigure, setup: DrillSetup
) -> PracticeTable:
    practice = PracticeTable(setup)
    for name, place in figure.players.items():
        practice.seat(name, place)
    for line in figure.lines:
        name, spoken, said = line.partition(": ")
        taken = practice.say(name, said) if spoken else practice.play_line(line)
        if not taken:
            raise _CannotDrawError("figure.line-refused", line=line)
    return practice


def _draw_felt(figure: fig.FeltFigure, setup: DrillSetup) -> _CitedBlocks:
    practice = _play_figure(figure, setup)
    yield _make_felt_block(practice, figure.view, figure.dice), ()


def _make_felt_block(
    practice: PracticeTable, view: str, dice: tuple[int, int] | None = None
) -> FeltBlock:
    lies = tuple(list_stacks(find_layout_contents(practice.table)))
    return FeltBlock(record=practice.record_text, view=view, dice=dice, lies=lies)


def _draw_call(figure: fig.CallFigure, setup: DrillSetup) -> _CitedBlocks:
    practice = _play_figure(figure, setup)
    table, rolled = practice.preview_throw(*figure.dice)
    said = list_call_pieces(table, rolled, full=figure.full)
    if figure.lines:
        lies = "; ".join(list_stacks(find_layout_contents(table)))
        shown = say_school("figure.dice", dice="{}-{}".format(*figure.dice))
        yield TextBlock(f"{lies}. {shown}."), ()
    yield CallBlock(", ".join(one.words for one in said)), tuple(one.cite for one in said)


def _draw_work(figure: fig.WorkFigure, setup: DrillSetup) -> _CitedBlocks:
    practice = _play_figure(figure, setup)
    table, rolled = practice.preview_throw(*figure.dice)
    yield _make_felt_block(practice, "end:left"), ()
    # Leave out what the stick says to the table before and after the throw.
    tasks = [task for task in make_work_list(table, rolled) if not task.said]
    steps = tuple(StepLine(task.by, task.words, task.cite.partition(": ")[0]) for task in tasks)
    title = say_school("figure.dice", dice="{}-{}".format(*figure.dice))
    yield StepsBlock(title, steps), tuple(task.cite for task in tasks)


_FIGURE_DRAWERS: dict[type[fig.Figure], Callable[[Any, DrillSetup], _CitedBlocks]] = {
    fig.PayoffFigure: _draw_payoff,
    fig.StackFigure: _draw_stack,
    fig.KeyFigure: _draw_key,
    fig.PressFigure: _draw_press,
    fig.FeltFigure: _draw_felt,
    fig.CallFigure: _draw_call,
    fig.WorkFigure: _draw_work,
    fig.TableFigure: _draw_table_figure,
}
