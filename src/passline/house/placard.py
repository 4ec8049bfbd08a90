"""The payout card that a casino posts, as text of eighty columns."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator

from passline.house.card import Card, CardRow, Section, game_title, limits_section
from passline.house.card_notices import notices
from passline.house.card_wagers import wager_sections
from passline.house.house import House

__all__ = ["make_card", "render_text"]

_WIDTH = 80
_COLUMN = 38
_GUTTER = " " * (_WIDTH - 2 * _COLUMN)


def make_card(house: House) -> Card:
    """Everything that the card of a house says."""
    return Card(
        name=house.name,
        game=game_title(house.game),
        book=house.book.title,
        sections=(limits_section(house), *wager_sections(house)),
        notices=tuple(notices(house)),
    )


def render_text(house: House) -> str:
    """The card as text, in two columns."""
    card = make_card(house)
    lines = [*_heading(card), ""]
    left, right = _split([_section(section) for section in card.sections])
    height = max(len(left), len(right))
    left += [""] * (height - len(left))
    right += [""] * (height - len(right))
    lines += [f"{a:<{_COLUMN}}{_GUTTER}{b}".rstrip() for a, b in zip(left, right, strict=True)]
    lines += ["-" * _WIDTH]
    for notice in card.notices:
        lines += _wrapped(notice, _WIDTH, "* ", "  ")
    return "\n".join(lines) + "\n"


def _heading(card: Card) -> Iterator[str]:
    yield "=" * _WIDTH
    yield card.name.upper().center(_WIDTH).rstrip()
    rules = f" under {card.book}" if card.book != card.name else ""
    yield f"{card.game}{rules}: what each wager pays".center(_WIDTH).rstrip()
    yield "=" * _WIDTH


def _wrapped(text: str, width: int, first: str = "", then: str = "") -> list[str]:
    return textwrap.wrap(text, width, initial_indent=first, subsequent_indent=then)


def _section(section: Section) -> list[str]:
    lines = [section.title.upper()]
    for row in section.rows:
        lines += _row(row)
    for note in section.notes:
        lines += _wrapped(note, _COLUMN, "  ", "  ")
    return [*lines, ""]


def _row(row: CardRow) -> list[str]:
    """A label, leaders and what it pays; a long label runs over."""
    *above, last = _wrapped(row.label, _COLUMN - len(row.pays) - 3, "  ", "    ")
    dots = "." * (_COLUMN - len(last) - len(row.pays) - 2)
    lines = [*above, f"{last} {dots} {row.pays}"]
    if row.note:
        lines += _wrapped(row.note, _COLUMN, "    ", "    ")
    return lines


def _split(blocks: list[list[str]]) -> tuple[list[str], list[str]]:
    """Blocks in order over two columns of about the same height, none of them broken."""
    total = sum(map(len, blocks))
    best = min(
        range(len(blocks) + 1),
        key=lambda at: max(h := sum(map(len, blocks[:at])), total - h),
    )
    left = [line for block in blocks[:best] for line in block]
    right = [line for block in blocks[best:] for line in block]
    return left, right
