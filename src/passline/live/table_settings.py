"""The settings of a live table, as they stand in entry 0 of its log."""

from __future__ import annotations

from typing import Literal

from msgspec import UNSET, Struct, UnsetType


class Pace(Struct, frozen=True):
    """Seconds that players have to bet, and that a shooter has to throw. 0 means no limit."""

    betting: int = 10
    shooter: int = 45


class Settings(Struct, frozen=True, kw_only=True):
    """How a table was opened, with defaults filled in. Stored in entry 0 of its log.

    ``dice`` is ``secure`` (the house throws), ``typed`` (people type in real dice) or ``daily``
    (the throws of a Daily, see `live.daily`). ``posts`` says who works each post, and ``buy_ins``
    whether the boxperson must agree to them. ``zone`` is the time zone of the table's clock.
    ``open`` means that anyone may watch and join.
    """

    name: str
    rulebook: str
    game: str
    dice: Literal["secure", "typed", "daily"] = "secure"
    posts: dict[str, str] = {}
    open: bool = True
    pace: Pace = Pace()
    buy_ins: Literal["open", "box"] = "open"
    zone: str = "UTC"
    #: The day of a Daily, such as ``2026-11-16``. Other tables leave it out.
    day: str | UnsetType = UNSET
    #: Who plays a Daily, as `live.daily` identifies them. Other tables leave it out.
    sender: str | UnsetType = UNSET
    #: The id of the table's host (`live.hosted_tables`). Tables of the operator leave it out.
    host: str | UnsetType = UNSET
    #: Whether the table is a shift of the dealer school, where the machine may call a die off the
    #: table. Other tables leave it out.
    shift: bool | UnsetType = UNSET

    @property
    def daily(self) -> str:
        """The day of a Daily (`live.daily`); empty for other tables."""
        return "" if isinstance(self.day, UnsetType) else self.day

    @property
    def host_id(self) -> str:
        """Who hosts the table; empty for tables of the operator."""
        return "" if isinstance(self.host, UnsetType) else self.host

    @property
    def is_shift(self) -> bool:
        """Whether the table is a shift of the dealer school."""
        return self.shift is True
