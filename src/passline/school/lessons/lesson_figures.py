"""Figures as a lesson writes them: what is shown, and nothing of how it comes out.

Every answer in a figure, an amount, a stack, a motion, a call, is the engine's when it is drawn.
"""

from __future__ import annotations

import msgspec


class _Told(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    caption: str = ""


class PayoffFigure(_Told, frozen=True, tag_field="figure", tag="payoff"):
    """A winner paid: chips as they lie (or an amount), odds with the flat that they belong to;
    ``total``: both in one payoff."""

    wager: str
    stake: str
    dice: tuple[int, int] | None = None
    puck: int = 0
    flat: str = ""
    total: bool = False


class StackFigure(_Told, frozen=True, tag_field="figure", tag="stack"):
    """Chips: an amount cut in the largest colours, or a stack as it is named."""

    chips: str
    name: str = ""


class KeyFigure(_Told, frozen=True, tag_field="figure", tag="key"):
    """A proposition reckoned by its key."""

    wager: str
    stake: str
    dice: tuple[int, int]


class PressFigure(_Told, frozen=True, tag_field="figure", tag="press"):
    """A place bet that wins and goes up: the first of the numbers is thrown."""

    numbers: tuple[int, ...]
    before: str
    after: str
    thrown: str = "0"
    way: str = ""


class _Played(_Told, frozen=True, kw_only=True):
    """A table: players by place, and what is said and thrown."""

    lines: tuple[str, ...] = ()
    players: dict[str, int] = msgspec.field(default_factory=lambda: {"ann": 3})


class FeltFigure(_Played, frozen=True, tag_field="figure", tag="felt"):
    """A part of the layout with what lies there; ``dice`` as they fell."""

    view: str = "end:left"
    dice: tuple[int, int] | None = None


class CallFigure(_Played, frozen=True, tag_field="figure", tag="call"):
    """What the stick calls on a throw; ``full``: whatever is up."""

    dice: tuple[int, int]
    full: bool = False


class WorkFigure(_Played, frozen=True, tag_field="figure", tag="work"):
    """What the crew does on a throw, in order."""

    dice: tuple[int, int]


class TableFigure(_Told, frozen=True, tag_field="figure", tag="table"):
    """A table that the engine fills, by its name (``tables``)."""

    table: str


AnyFigure = (
    PayoffFigure
    | StackFigure
    | KeyFigure
    | PressFigure
    | FeltFigure
    | CallFigure
    | WorkFigure
    | TableFigure
)
