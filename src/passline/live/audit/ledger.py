"""The ledger of a log, computed from the events alone: where every cent is after each entry."""

from __future__ import annotations

from typing import Any, Final

from passline.game.table.state import DEALERS, Table
from passline.live.audit.findings import BadEntryError

#: Events that move no chips.
MONEYLESS_EVENTS: Final = frozenset({
    "opened", "called", "late-called", "late-confirmed", "late-lapsed", "tokes-dropped",
    "cheques-changed", "coloured-up", "colour-called", "colour-permitted", "seated", "limits-told",
    "limits-set",
    "dice-taken", "dice-declined", "dice-passed", "dice-asked", "dice-changed", "dice-sent",
    "dice-released", "dice-drawn-back", "dice-inspected", "dice-recalled", "set-cancelled",
    "die-lost", "die-found", "relieved", "dice-okayed", "game-died", "bowl-dumped", "table-closed",
    "table-opened", "no-roll", "warned", "shootout-moved", "clocked", "command-dropped",
})  # fmt: skip
#: Events that move chips.
MONEY_EVENTS: Final = frozenset({
    "rolled", "throw-corrected", "wagered", "changed", "undone", "toked", "toke-made", "bought-in",
    "joined", "left-table",
})  # fmt: skip
EventJson = dict[str, Any]


def is_known_event(event: object) -> bool:
    """Return whether the ledger knows an event's kind.

    Return True for JSON that is not an event.
    """
    kind = event.get("event") if isinstance(event, dict) else None
    return not isinstance(kind, str) or kind in MONEYLESS_EVENTS | MONEY_EVENTS


class AuditLedger:
    """All cash that was bought in, and where its chips are now, in cents.

    ``drop`` is the cash that players bought in with; ``win``, ``vig`` and ``tokes`` are what the
    house won, its vigorish, and the dealers' tips. The other chips are in rails or on the layout.
    ``here`` holds the players at the table.
    """

    def __init__(self) -> None:
        self.drop = self.win = self.vig = self.tokes = 0
        self.here: set[str] = set()
        self._rails: dict[str, int] = {}
        self._layout: dict[str, dict[str, int]] = {DEALERS: {}}
        #: All chips in rails and on the layout.
        self._out = 0
        self._touched: set[str] = set()
        #: For a correction of the last throw: the totals before it, and the rail, the bets and
        #: the presence of each player as they were before the first event since.
        self._totals = (0, 0, 0, 0, 0)
        self._saved: dict[str, tuple[int | None, dict[str, int] | None, bool]] = {}

    def add_events(self, events: list[EventJson]) -> None:
        """Add the events of the next entry to the ledger.

        Raise BadEntryError if chips appear or vanish, if a rail would be negative, or if an event
        is malformed.
        """
        self._touched.clear()
        for event in events:
            try:
                self._post(event)
            except (AttributeError, KeyError, TypeError, ValueError) as wrong:
                raise BadEntryError("not-booked", error=str(wrong)[:160]) from None
        held = self._out + self.win + self.vig + self.tokes
        if self.drop != held:
            raise BadEntryError("ledger-sum", cents=abs(self.drop - held))
        for player in self._touched:
            if self._rails.get(player, 0) < 0:
                raise BadEntryError("rail-short", player=player, cents=-self._rails[player])

    def compare(self, table: Table) -> None:
        """Compare the ledger with a table: its accounts, and the chips of the last entry's players.

        Raise BadEntryError if one differs.
        """
        for name in ("drop", "win", "vig", "tokes"):
            if getattr(self, name) != getattr(table, name):
                mine, theirs = getattr(self, name), getattr(table, name)
                raise BadEntryError("account", account=name, mine=mine, theirs=theirs)
        for player in self._touched:
            seat = table.find(player)
            if seat is None:
                continue
            lies = {slug: stake.amount for slug, stake in seat.wagers.items()}
            if (seat.rail, lies) != (self._rails.get(seat.id), self._layout.get(seat.id)):
                raise BadEntryError("other-chips", player=seat.id)

    def _post(self, event: EventJson) -> None:
        """Add one event to the ledger.

        First save the figures that a correction of the last throw would restore. Raise
        BadEntryError if the event does not fit the ledger.
        """
        kind = event["event"]
        if kind == "rolled":
            self._totals = (self.drop, self.win, self.vig, self.tokes, self._out)
            self._saved = {}
            for done in event["settlements"]:
                self._save(done["player"])
        elif kind == "throw-corrected":
            self._restore()
            return
        elif "player" in event:
            self._save(event["player"])
        if kind == "rolled":
            self._rolled(event)
        elif kind == "wagered":
            self._move_to_bet(event["player"], event["wager"], _check_cents(event["amount"], 1))
            self._pay_vig(event["player"], _check_cents(event["vig"], 0))
        elif kind == "changed":
            self._changed(event)
        elif kind == "undone":
            self._undone(event)
        elif kind in ("toked", "toke-made"):
            self._to_rail(event["player"], -_check_cents(event["amount"], 1))
            self.tokes += event["amount"]
        elif kind == "bought-in":
            self._to_rail(event["player"], _check_cents(event["amount"], 1))
            self.drop += event["amount"]
            self.here.add(event["player"])
        elif kind == "joined":
            self._rails.setdefault(event["player"], 0)
            self._layout.setdefault(event["player"], {})
            self.here.add(event["player"])
        elif kind == "left-table":
            self.here.discard(event["player"])
        elif kind not in MONEYLESS_EVENTS:
            raise BadEntryError("unknown-event", kind=kind)

    def _save(self, player: str) -> None:
        """Save a player's rail, bets and presence for `_restore`, once after each throw."""
        if player not in self._saved:
            lies = self._layout.get(player)
            copy = None if lies is None else dict(lies)
            self._saved[player] = (self._rails.get(player), copy, player in self.here)

    def _restore(self) -> None:
        """Set all figures back to those before the last throw, because it was corrected."""
        self.drop, self.win, self.vig, self.tokes, self._out = self._totals
        for player, (rail, lies, here) in self._saved.items():
            for held, before in ((self._rails, rail), (self._layout, lies)):
                if before is None:
                    held.pop(player, None)
                else:
                    held[player] = before  # type: ignore[assignment]
            (self.here.add if here else self.here.discard)(player)
            self._touched.add(player)
        self._saved = {}

    def _to_rail(self, player: str, cents: int) -> None:
        """Add cents to a player's rail. The dealers have none: what they win goes to the tokes."""
        if player == DEALERS:
            self.tokes += cents
            return
        self._rails[player] += cents
        self._out += cents
        self._touched.add(player)

    def _move_to_bet(self, player: str, wager: str, cents: int) -> None:
        """Move cents from a player's rail to a bet; a negative amount moves them back.

        Raise BadEntryError if the rail has less.
        """
        lies = self._layout[player]
        lies[wager] = lies.get(wager, 0) + cents
        if lies[wager] < 0:
            raise BadEntryError("wager-short", player=player, wager=wager, cents=-lies[wager])
        if not lies[wager]:
            del lies[wager]
        self._out += cents
        self._to_rail(player, -cents)

    def _pay_vig(self, player: str, cents: int) -> None:
        self._to_rail(player, -cents)
        self.vig += cents

    def _changed(self, event: EventJson) -> None:
        """Enter a raised, reduced or taken-down bet.

        Raise BadEntryError if the bet had another amount before than the event says.
        """
        player, wager = event["player"], event["wager"]
        lies = self._layout[player].get(wager, 0)
        if event["was"] != lies:
            was = event["was"]
            raise BadEntryError("wager-was", player=player, wager=wager, lies=lies, was=was)
        self._move_to_bet(player, wager, _check_cents(event["now"], 0) - lies)
        self._pay_vig(player, _check_cents(event["vig"]))

    def _undone(self, event: EventJson) -> None:
        """Undo a player's last changes in the ledger: set the bets to those in the event."""
        player, before = event["player"], self._layout[event["player"]]
        lies = {wager: _check_cents(stake["amount"], 1) for wager, stake in event["wagers"]}
        self._layout[player] = lies
        self._out += sum(lies.values()) - sum(before.values())
        self._to_rail(player, _check_cents(event["moved"]))
        self.vig -= _check_cents(event["vig"])

    def _rolled(self, event: EventJson) -> None:
        """Enter the settlements of a throw, and then the come bets that move to their numbers."""
        travelled: list[tuple[str, str, int]] = []
        for done in event["settlements"]:
            player, wager, stake = done["player"], done["wager"], _check_cents(done["stake"], 0)
            left, vig = _check_cents(done["left"], 0), _check_cents(done["vig"], 0)
            # Negative where a loss is netted against a win.
            back = _check_cents(done["back"])
            lies = self._layout[player]
            there = lies.pop(wager, 0)
            _check_settlement(done, there, stake, back + left + vig)
            if done["to"] is not None:
                travelled.append((player, done["to"], stake))
                continue
            if there - stake + left:
                lies[wager] = there - stake + left
            self._out += left - stake
            self._to_rail(player, back)
            self.vig += vig
            self.win += stake - left - back - vig
        for player, wager, stake in travelled:
            lies = self._layout[player]
            lies[wager] = lies.get(wager, 0) + stake


def _check_settlement(done: EventJson, there: int, stake: int, out: int) -> None:
    """Raise BadEntryError unless a settlement has the bet's amount and pays what it says.

    ``there`` is the bet's amount in the ledger, and ``stake`` the amount settled. ``out`` is the
    sum of chips to the rail, chips left on the bet, and vigorish.
    """
    kind, player, wager = done["result"], done["player"], done["wager"]
    if stake != there and not (kind == "return" and stake < there):
        raise BadEntryError("settled-for", player=player, wager=wager, stake=stake, there=there)
    paid = _check_cents(done["paid"], 0)
    if kind == "win":
        adds_up = out == stake + paid
    elif kind == "lose":
        adds_up = 0 <= out <= stake
    elif done["to"] is not None:
        adds_up = out == 0
    else:
        adds_up = out == stake
    if not adds_up:
        raise BadEntryError("settled-sum", player=player, wager=wager, out=out, stake=stake)


def _check_cents(value: Any, least: int | None = None) -> int:
    """Return ``value``. Raise BadEntryError unless it is an int and not below ``least``."""
    if type(value) is not int or (least is not None and value < least):
        raise BadEntryError("not-cents", value=value)
    return value
