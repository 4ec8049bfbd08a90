"""The table on the screen for one player: drawn in 79 columns or more, or in sentences."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from passline.game.law.shapes.collect import Collect
from passline.game.layout.stakes import Stake, Wagers
from passline.game.money.amounts import show_dollars, to_dollars
from passline.game.table.state import DEALERS, Seat, Table
from passline.game.words.prompt import describe_chips, make_sentence, say_prompt
from passline.game.words.wagers import screen_wager_name
from passline.play.display import Display, strip_colors
from passline.text import show_name


def working_button(table: Table, slug: str, stake: Stake) -> str:
    """Return the button on a bet: "off" if it is not working, "on" if it was called on, else ""."""
    spot = table.layout.spots[slug]
    works = stake.call if stake.call is not None else table.point != 0 or spot.works
    if not works:
        return "off"
    return "on" if stake.call else ""


def describe_bet(table: Table, slug: str, stake: Stake) -> str:
    """Return an open bet in a few words, such as ``hard 8 $5 off``."""
    button = working_button(table, slug, stake)
    words = f"{screen_wager_name(slug)} {show_dollars(stake.amount)}"
    return f"{words} {button}" if button else words


def chip_abbreviations(table: Table) -> dict[str, str]:
    """Return {color: abbreviation} for the table's chips, each the shortest that is unambiguous."""
    colors = [chip.color for chip in table.house.rack.chips]
    letters = {}
    for color in colors:
        starts = [color[:n] for n in range(1, len(color))]
        unique = (s for s in starts if sum(other.startswith(s) for other in colors) == 1)
        letters[color] = next(unique, color)
    return letters


def abbreviate_chips(table: Table, amount: int) -> str:
    """Return an amount as abbreviated chips: ``2r 2w``."""
    piles, _ = table.house.rack.divide(amount)
    letters = chip_abbreviations(table)
    return " ".join(f"{count}{letters[color]}" for color, count in piles.counts)


_NUMERALS = {6: "SIX", 9: "NINE"}  # Layouts spell these, because an upside-down 6 looks like a 9.
#: The rows of the number boxes from the dealer outwards: the label, and the wager families in it.
_BOX_ROWS = (
    ("don't come", "dont-come"),
    ("odds", "dont-come-odds"),
    ("lay", "lay"),
    ("to lose", "place-lose"),
    ("buy", "buy"),
    ("come", "come"),
    ("odds", "come-odds"),
    ("place", "place-win"),
    ("big", "big"),
)
_CHIP_PILE = re.compile(r"\d+([a-z-]+)")


class BoxRow(NamedTuple):
    """A row of the number boxes: its label, and the text in each box."""

    label: str
    cells: tuple[str, ...]
    style: str = ""


def draw_boxes(table: Table, seat: Seat, look: Display, with_chips: bool) -> list[str]:
    """Return the number boxes as lines of text, with the seat's bets.

    ``with_chips`` adds the chips under each amount.
    """
    numbers = tuple(sorted(table.house.book.points.value))
    kinds = _layout_rows(table)
    longest = max(9, *(len(label) + 2 for label, _ in kinds))
    wide = (look.width - longest) // len(numbers) - 1
    label = min(look.width - 1 - len(numbers) * (wide + 1), 12)
    rows = [
        BoxRow("", tuple(_NUMERALS.get(n, str(n)) for n in numbers), "bold"),
        BoxRow(
            "puck" if table.point else "puck OFF" if label > 8 else "OFF",
            tuple("[ON]" if n == table.point else "" for n in numbers),
            "puck",
        ),
        *_marker_rows(table, numbers),
    ]
    for name, family in kinds:
        rows += _wager_rows(table, seat, name, [f"{family}-{n}" for n in numbers], wide, with_chips)
    lines = [_draw_edge(look, label, wide, len(numbers), "top")]
    colors = {letter: color for color, letter in chip_abbreviations(table).items()}
    lines += [_draw_row(row, look, label, wide, colors) for row in rows]
    return [*lines, _draw_edge(look, label, wide, len(numbers), "bottom")]


def _layout_rows(table: Table) -> list[tuple[str, str]]:
    """Return (label, family of wagers) for each row of the number boxes on this layout.

    A wager without a usual label has the rulebook's title.
    """
    book = table.house.book
    dealt = {
        spot.kind: spot.family
        for spot in table.layout.spots.values()
        if spot.number and (spot.rule.is_race or spot.rule.is_come or spot.is_odds)
    }
    known = [(label, dealt.pop(name)) for label, name in _BOX_ROWS if name in dealt]
    return known + [(book.wager[family].title.lower(), family) for family in dealt.values()]


def _marker_rows(table: Table, numbers: tuple[int, ...]) -> list[BoxRow]:
    """Return rows that mark the points made, for a fire bet or the shootout."""
    shootout = table.shootout
    made = {"fire": table.made}
    if shootout is not None and shootout.open:
        made["shootout"] = shootout.made
    return [
        BoxRow(label, tuple("made" if n in points else "" for n in numbers))
        for label, points in made.items()
        if points
    ]


def _wager_rows(
    table: Table, seat: Seat, label: str, slugs: list[str], wide: int, with_chips: bool
) -> list[BoxRow]:
    """Return the rows for one kind of bet: amounts, buttons and chips; [] if none is up.

    ``slugs`` are its wagers by number, and ``wide`` is the width of a box in characters.
    """
    up = [(slug, seat.wagers.get(slug)) for slug in slugs]
    if not any(stake for _, stake in up):
        return []
    amounts = tuple(shorten_amount(stake.amount, wide) if stake else "" for _, stake in up)
    buttons = tuple(working_button(table, slug, stake) if stake else "" for slug, stake in up)
    both = tuple(f"{a} {b}".strip() for a, b in zip(amounts, buttons, strict=True))
    if all(len(cell) <= wide for cell in both):
        rows = [BoxRow(label, both)]
    else:
        rows = [BoxRow(label, amounts), BoxRow("", buttons)]
    if with_chips:
        chips = (_fit_chips(abbreviate_chips(table, s.amount), wide) if s else "" for _, s in up)
        rows.append(BoxRow("", tuple(chips), "chips"))
    return rows


def shorten_amount(cents: int, wide: int) -> str:
    """Return dollars in at most ``wide`` characters: exact if they fit, else in thousands or more.

    A tilde marks a rounded amount. Return "lots" if nothing fits.

    >>> shorten_amount(1250, 6), shorten_amount(500_000, 6), shorten_amount(1_234_500, 4)
    ('12.50', '5000', '~12k')
    """
    exact = to_dollars(cents).removesuffix(".00")
    if len(exact) <= wide:
        return exact
    for unit, letter in ((1_000, "k"), (1_000_000, "M"), (1_000_000_000, "B")):
        about = f"{'' if cents % (unit * 100) == 0 else '~'}{cents // (unit * 100)}{letter}"
        if len(about) <= wide:
            return about
    return "lots"


def _fit_chips(code: str, wide: int) -> str:
    """Return chips in at most ``wide`` characters: drop spaces first, then cut the end."""
    short = code if len(code) <= wide else code.replace(" ", "")
    return short if len(short) <= wide else short[: wide - 1] + "+"


def _draw_row(row: BoxRow, look: Display, label: int, wide: int, colors: dict[str, str]) -> str:
    """Return a row of boxes as text.

    ``label`` and ``wide`` are the widths of the label and of a box. ``colors`` has the color of
    each chip by its abbreviation.
    """
    side = "│" if look.boxes else "|"
    cells = [f"{cell:^{wide}}" for cell in row.cells]
    if row.style == "chips":
        cells = [_CHIP_PILE.sub(lambda m: look.paint(m[0], colors.get(m[1], "")), c) for c in cells]
    else:
        cells = [look.paint(cell, row.style) if cell.strip() else cell for cell in cells]
    return f"{row.label:>{label - 1}} {side}" + side.join(cells) + side


def _draw_edge(look: Display, label: int, wide: int, count: int, which: str) -> str:
    left, middle, right, bar = "+++-"
    if look.boxes:
        left, middle, right, bar = "┌┬┐─" if which == "top" else "└┴┘─"
    return " " * label + left + middle.join([bar * wide] * count) + right


#: Rows that a throw, its payoffs, a hint and the prompt take below the drawing. If fewer are left,
#: chips under the amounts are not drawn.
_ROWS_BELOW = 9
#: Longer names for the screen, which has more room than the payout card.
_TITLES = {"pass": "Pass line"}
_LONGEST_NAME = 12


def draw_table(table: Table, player: str, look: Display) -> list[str]:
    """Return the drawn table as one player sees it, with chips under the amounts if they fit."""
    seat = table.seat(player)
    below = [
        *look.fit_in_rows(_line_bets(table, seat, look), " "),
        *look.fit_in_rows(_bets_in_area(table, seat, "center"), " Center: "),
        *look.fit_in_rows(_side_bets(table, seat), " Side: "),
        *_draw_rails(table, player, look),
    ]
    boxes = draw_boxes(table, seat, look, with_chips=True)
    if len(boxes) + len(below) > look.rows - _ROWS_BELOW:
        boxes = draw_boxes(table, seat, look, with_chips=False)
    return boxes + below


def _line_bets(table: Table, seat: Seat, look: Display) -> Iterator[str]:
    """Yield the line, come and field spots with the player's bets on them."""
    for slug, spot in table.layout.spots.items():
        rule = spot.rule
        if (
            rule.area != "table"
            or spot.number
            or not (rule.is_line or rule.is_come or rule.is_one_roll)
        ):
            continue
        stake, odds = seat.wagers.get(slug), seat.wagers.get(spot.behind)
        words = f"{_TITLES.get(spot.kind, rule.title)} "
        if stake is None:
            yield words + ("·" if look.boxes else "-")
            continue
        words += f"{show_dollars(stake.amount)} ({abbreviate_chips(table, stake.amount)})"
        if odds is not None:
            button = working_button(table, spot.behind, odds)
            words += f" + odds {show_dollars(odds.amount)}{' ' + button if button else ''}"
            words += f" ({abbreviate_chips(table, odds.amount)})"
        yield words


def _bets_in_area(table: Table, seat: Seat, area: str) -> Iterator[str]:
    for slug, stake in seat.wagers.items():
        spot = table.layout.spots[slug]
        if spot.rule.area == area and not spot.tiers:
            yield describe_bet(table, slug, stake)


def _side_bets(table: Table, seat: Seat) -> Iterator[str]:
    """Yield the side bets, then what this shooter's throws count towards them so far."""
    for slug, stake in seat.wagers.items():
        if table.layout.spots[slug].tiers:
            yield describe_bet(table, slug, stake)
    if table.made:
        yield say_prompt("points-made", numbers=_join_numbers(table.made))
    if table.thrown:
        yield say_prompt("totals-thrown", numbers=_join_numbers(table.thrown))
    for slug, tally in table.tallies:
        rule = table.layout.spots[slug].rule
        if isinstance(rule, Collect) and tally:
            name, count = screen_wager_name(slug), rule.count_tally(tally)
            yield say_prompt("counted", wager=name, count=count)
    if table.shootout is not None and table.shootout.made and table.shootout.open:
        made = _join_numbers(table.shootout.made)
        yield say_prompt("shootout-made", amount=table.shootout.amount, numbers=made)


def _join_numbers(numbers: frozenset[int]) -> str:
    return " ".join(map(str, sorted(numbers)))


def _present_seats(table: Table) -> Iterator[tuple[bool, Seat]]:
    """Yield (is the shooter, seat) for every player at the table or with a bet up."""
    for seat in table.seats:
        if seat.wagers or seat.here:
            yield seat.id == table.shooter, seat


def _draw_rails(table: Table, player: str, look: Display) -> Iterator[str]:
    """Yield every rail, with the shooter marked, and the player's own rail in chips."""
    names = [
        "You" if seat.name == player else show_name(seat.name) for _, seat in _present_seats(table)
    ]
    wide = min(max(map(len, names), default=0), _LONGEST_NAME)
    for name, (shoots, seat) in zip(names, _present_seats(table), strict=True):
        mark = " dice>" if shoots else "      "
        lead = f"{mark} {name[:_LONGEST_NAME]:<{wide}} {show_dollars(seat.rail):>7}"
        if seat.name == player:
            line = f"{lead} {say_prompt('own-rail', chips=describe_chips(table, seat.rail))}"
            yield look.paint(_truncate(line, look.width), "bold")
        else:
            yield _truncate(f"{lead}  {_summarize_wagers(table, seat.wagers)}", look.width)
    if table.dealers:
        yield _truncate(f"       {DEALERS}: {_summarize_wagers(table, table.dealers)}", look.width)


def _summarize_wagers(table: Table, wagers: Wagers) -> str:
    """Return a player's bets in a short text, with the numbers of one kind of bet side by side."""
    kinds: dict[str, list[str]] = {}
    for slug, stake in wagers.items():
        spot, amount = table.layout.spots[slug], show_dollars(stake.amount)
        name = screen_wager_name(slug)
        kind = name.removesuffix(f" {spot.number}") if spot.number else name
        if kind == name:
            kinds[f"{name} {amount}"] = []
        else:
            kinds.setdefault(kind, []).append(f"{spot.number} {amount}")
    shown = ", ".join(f"{kind} {', '.join(parts)}".rstrip() for kind, parts in kinds.items())
    return shown or say_prompt("no-bets")


def _truncate(line: str, wide: int) -> str:
    return line if len(strip_colors(line)) <= wide else line[: wide - 3] + "..."


def describe_table(table: Table, player: str, everybody: bool = True) -> list[str]:
    """Return the table in sentences to ``player``; with ``everybody``, the other players too."""
    seat = table.seat(player)
    puck = say_prompt("puck-on" if table.point else "puck-off", point=table.point)
    up = [describe_bet(table, slug, stake) for slug, stake in seat.wagers.items()]
    lines = [puck, say_prompt("you-have-up" if up else "nothing-up", bets=up)]
    chips = describe_chips(table, seat.rail)
    lines.append(say_prompt("your-rail", rail=seat.rail, chips=chips))
    side = [words for words in _side_bets(table, seat) if ":" in words]
    lines += map(make_sentence, side)
    for shoots, other in _present_seats(table):
        if other.name == player:
            lines += [say_prompt("your-dice")] if shoots else []
        elif everybody:
            figures = {"name": show_name(other.name), "dice": shoots, "rail": other.rail}
            bets = _summarize_wagers(table, other.wagers)
            lines.append(say_prompt("other-player", **figures, bets=bets))
    if everybody and table.dealers:
        bets = _summarize_wagers(table, table.dealers)
        lines.append(say_prompt("dealers-have-up", dealers=DEALERS.capitalize(), bets=bets))
    return lines
