"""The view of a table: what a role may see of it, as JSON values."""

from __future__ import annotations

from typing import Any, Final

from passline.crew.report import task_json
from passline.crew.stick import call
from passline.crew.worklist import work_list
from passline.layout import Refusal, Stake, Wagers
from passline.live.asks import ViewTold
from passline.live.live_table import LiveTable
from passline.live.tokens import Holder
from passline.money import dollars
from passline.record.report import settlement_json
from passline.table import Table
from passline.table.custody import in_turn, thrower
from passline.table.opening import places_of
from passline.table.state import NOBODY, Seat

#: Who sees what only the crew sees.
CREW: Final = frozenset(
    {"operator", "floor", "box", "stick", "left-base", "right-base", "surveillance"}
)


def view(live: LiveTable, holder: Holder) -> ViewTold:
    """A table as somebody sees it."""
    table = live.table
    seen: dict[str, Any] = {
        "table": live.id,
        "name": live.settings.name,
        "rulebook": table.house.book.id,
        "game": table.house.game,
        "seq": live.head.seq,
        "head": live.head.hash,
        "status": "closed" if live.moved else table.status,
        "puck": table.puck or None,
        "shooter": _name(table, table.shooter),
        "due": _name(table, live.due),
        "asks": _asks(table),
        "dice_out": table.dice.out,
        "commit": live.promise.commit or None,
        "players": [player_seen(table, seat) for seat in shown_seats(live, holder)],
        "last": last(live),
        "posts": dict(live.posts),
        "pace": {"betting": live.settings.pace.betting, "shooter": live.settings.pace.shooter},
        "ready": sorted(live.ready),
        "role": holder.role,
    }
    if holder.role in CREW:
        seen |= _crew(live)
    return seen


def _crew(live: LiveTable) -> dict[str, Any]:
    table, thrown = live.table, live.last
    work = work_list(thrown.before, thrown.rolled) if thrown is not None else ()
    return {
        "house": house_figures(table),
        "work": [task_json(task) for task in work],
        "asking": [
            {"name": name, "amount": dollars(ask.amount), "place": ask.place or None}
            for name, ask in live.asking.items()
        ],
    }


def house_figures(table: Table) -> dict[str, str]:
    """The house's side: cash dropped, won over the table, vigorish, tokes."""
    return {
        "drop": dollars(table.drop),
        "win": dollars(table.win),
        "vig": dollars(table.vig),
        "tokes": dollars(table.tokes),
    }


def _name(table: Table, player: str) -> str | None:
    return None if player == NOBODY else table.seat(player).name


def _asks(table: Table) -> dict[str, Any] | None:
    """The line wager that the next throw waits for, and of whom it is asked first: the shooter, or
    whoever is offered the dice."""
    if table.status != "live" or not any(seat.here for seat in table.playing):
        return None
    who = thrower(table)
    if not isinstance(who, Refusal) or who.code != "nobody-may-throw":
        return None
    offered = (seat.id for seat in in_turn(table) if seat.here and seat.id not in table.declined)
    of = table.shooter if table.shooter != NOBODY else next(offered, NOBODY)
    return {"of": _name(table, of), "wagers": list(who.allowed), "cite": who.cite}


def shown_seats(live: LiveTable, holder: Holder) -> list[Seat]:
    """Whom a view shows: who is here or has a wager up, whoever looks, and of the others those who
    left last. Years of guests would make it long; their names stay their own all the same."""
    own = holder.name if holder.role == "player" else NOBODY
    gone, playing = live.table.gone, live.table.playing
    left = [gone[player] for player in dict.fromkeys((own, *reversed(live.left))) if player in gone]
    return sorted((*left, *playing), key=lambda seat: seat.place)


def player_seen(table: Table, seat: Seat) -> dict[str, Any]:
    """A player as everybody sees him: rail, buy-ins, and what is up."""
    return {
        "name": seat.name,
        "place": seat.place,
        "here": seat.here,
        "rail": dollars(seat.rail),
        "bought_in": dollars(seat.bought_in),
        "wagers": wagers_seen(table, seat.wagers),
    }


def wagers_seen(table: Table, wagers: Wagers) -> list[dict[str, Any]]:
    """What somebody has up, in the order of the layout."""
    slugs = sorted(wagers, key=lambda slug: table.layout.spots[slug].rank)
    return [
        {
            "wager": slug,
            "amount": dollars(wagers[slug].amount),
            "working": works(table, slug, wagers[slug]),
        }
        for slug in slugs
    ]


def works(table: Table, slug: str, stake: Stake) -> bool:
    """Whether a wager sees the next throw: as its player called it, or as the book has it."""
    if stake.call is not None:
        return stake.call
    return table.puck != 0 or table.layout.spots[slug].works


def last(live: LiveTable) -> dict[str, Any] | None:
    """The last throw: its dice, the stick's call, what it settled."""
    if live.last is None:
        return None
    rolled = live.last.rolled
    return {
        "dice": [rolled.first, rolled.second],
        "call": call(live.last.before, rolled),
        "settlements": [settlement_json(done) for done in rolled.settlements],
    }


def listed(live: LiveTable) -> dict[str, Any]:
    """A table as the lobby shows it."""
    table, house = live.table, live.table.house
    return {
        "table": live.id,
        "name": live.settings.name,
        "rulebook": house.book.id,
        "game": house.game,
        "players": sum(seat.here for seat in table.playing),
        "seats": places_of(table),
        "minimum": dollars(house.minimum),
        "maximum": dollars(house.maximum),
        "puck": table.puck or None,
    }
