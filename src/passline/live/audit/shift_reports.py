"""Shift reports: what each table took in each shift, computed from its audited log."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from typing import Final
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from msgspec import Struct

from passline.live.audit.ledger import AuditLedger
from passline.live.log_entries import Entry


class ShiftPlan(Struct, frozen=True):
    """How a day is divided into shifts of ``hours`` hours. The first begins at hour ``start``.

    Hours are in the table's time zone.
    """

    hours: int = 8
    start: int = 6

    def bounds(self, at: datetime, zone: ZoneInfo) -> tuple[datetime, datetime]:
        """Return (start, end), in local time, of the shift to which the time ``at`` belongs.

        >>> night = datetime(2026, 11, 15, 3, 0, tzinfo=UTC)
        >>> [str(bound) for bound in ShiftPlan().bounds(night, ZoneInfo("UTC"))]
        ['2026-11-14 22:00:00+00:00', '2026-11-15 06:00:00+00:00']
        """
        wall = at.astimezone(zone).replace(tzinfo=None)
        day = datetime(wall.year, wall.month, wall.day) + timedelta(hours=self.start)
        span = timedelta(hours=self.hours)
        begins = day + (wall - day) // span * span
        return begins.replace(tzinfo=zone), (begins + span).replace(tzinfo=zone)


class TableShift(Struct, kw_only=True):
    """The figures of one table in one shift. Money is in cents.

    ``fills`` is by how much the chips outside the bank exceeded, at most, those at the start of the
    shift. ``played`` is the time with somebody at the table.
    """

    table: str
    name: str
    begins: datetime
    ends: datetime
    drop: int = 0
    win: int = 0
    vig: int = 0
    fills: int = 0
    tokes: int = 0
    throws: int = 0
    played: timedelta = timedelta()

    @property
    def hold(self) -> str:
        """The house's win and vigorish as a percentage of the drop; empty if there was no drop."""
        return format_ratio(100 * 100 * (self.win + self.vig), self.drop)

    @property
    def pace(self) -> str:
        """Throws per hour; empty if nobody played."""
        return format_ratio(100 * self.throws * 3_600_000_000, self.played // _MICROSECOND)


_MICROSECOND: Final = timedelta(microseconds=1)
#: More shifts than this come from a wrong clock, not from play.
_MAX_SHIFTS: Final = 100_000


def format_ratio(above: int, below: int) -> str:
    """Divide a number of hundredths, such as cents, and return the result as decimal text.

    Round half away from zero. Return "" if ``below`` is not positive.

    >>> format_ratio(12345, 10), format_ratio(-5, 10), format_ratio(1, 0)
    ('12.35', '-0.01', '')
    """
    if below <= 0:
        return ""
    whole = (2 * abs(above) + below) // (2 * below)
    sign = "-" if above < 0 and whole else ""
    return f"{sign}{whole // 100}.{whole % 100:02d}"


class ShiftReports:
    """Computes the shifts of one table (``shifts``) from its log, entry by entry."""

    def __init__(self, plan: ShiftPlan, table: str = "") -> None:
        self._plan, self._table, self._name = plan, table, ""
        self._zone = ZoneInfo("UTC")
        self.shifts: list[TableShift] = []
        self._at = datetime.min.replace(tzinfo=UTC)
        self._somebody = False
        self._figures = (0, 0, 0, 0)
        #: Chips out of the bank, now and when the shift began.
        self._out = self._out_then = 0

    def add_entry(self, entry: Entry, ledger: AuditLedger, throws: int) -> None:
        """Add the next entry's figures to its shift.

        ``ledger`` must have the entry's events already. ``throws`` is the number of throws in the
        entry; a correction of a throw counts none.
        """
        at = datetime.fromisoformat(entry.at)
        if entry.seq == 0:
            self._open(entry)
        self._play_until(at)
        shift = self._shift(at)
        was = self._figures
        now = (ledger.drop, ledger.win, ledger.vig, ledger.tokes)
        for name, new, old in zip(("drop", "win", "vig", "tokes"), now, was, strict=True):
            setattr(shift, name, getattr(shift, name) + new - old)
        shift.throws += throws
        self._out = ledger.drop - ledger.win - ledger.vig
        shift.fills = max(shift.fills, self._out - self._out_then)
        self._figures, self._at, self._somebody = now, at, bool(ledger.here)

    def _open(self, entry: Entry) -> None:
        """Read the table's name, id and time zone from entry 0. An unknown zone counts as UTC."""
        settings = entry.more.get("settings")
        told: Mapping[str, object] = settings if isinstance(settings, dict) else {}
        self._name = str(told.get("name", ""))
        self._table = self._table or str(entry.more.get("table", ""))
        try:
            self._zone = ZoneInfo(str(told.get("zone", "UTC")))
        except (ZoneInfoNotFoundError, ValueError, OSError):
            self._zone = ZoneInfo("UTC")

    def _shift(self, at: datetime) -> TableShift:
        """Return the shift to which a time belongs. Append it to ``shifts`` if it is a new one."""
        begins, ends = self._plan.bounds(at, self._zone)
        if not self.shifts or self.shifts[-1].begins != begins:
            self._out_then = self._out
            shift = TableShift(table=self._table, name=self._name, begins=begins, ends=ends)
            self.shifts.append(shift)
        return self.shifts[-1]

    def _play_until(self, at: datetime) -> None:
        """Add the time from the last entry to ``at`` to the time played, if somebody was playing.

        If it spans several shifts, each gets its part.
        """
        since = self._at
        while self._somebody and since < at and len(self.shifts) < _MAX_SHIFTS:
            shift = self._shift(since)
            until = min(at, max(shift.ends.astimezone(UTC), since + _MICROSECOND))
            shift.played += until - since
            since = until
