"""The view of a table: what a role may see of it, as JSON values."""

from __future__ import annotations

from typing import Any, Final

from passline.crew.report import task_to_json
from passline.crew.stick import make_stick_call
from passline.crew.work_list import make_work_list
from passline.game.layout.stakes import Refusal, Stake, Wagers
from passline.game.money.amounts import to_dollars
from passline.game.table.dice_custody import find_next_shooter, seats_in_turn
from passline.game.table.opening import count_places
from passline.game.table.state import NOBODY, Seat, Table
from passline.live.live_table import LiveTable
from passline.live.requests import TableViewJson
from passline.live.tokens import Holder
from passline.record.report import settlement_json

#: Who sees what only the crew sees.
CREW_ROLES: Final = frozenset(
    {"operator", "floor", "box", "stick", "left-base", "right-base", "surveillance"}
)


def view_table(live: LiveTable, holder: Holder) -> TableViewJson:
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
        "shooter": _player_name(table, table.shooter),
        "due": _player_name(table, live.due),
        "asks": _line_bet_request(table),
        "dice_out": table.dice.out,
        "commit": live.promise.commit or None,
        "players": [player_json(table, seat) for seat in list_shown_seats(live, holder)],
        "last": last_throw_json(live),
        "posts": dict(live.posts),
        "pace": {"betting": live.settings.pace.betting, "shooter": live.settings.pace.shooter},
        "ready": sorted(live.ready),
        "role": holder.role,
    }
    if holder.role in CREW_ROLES:
        seen |= _crew_part(live)
    return seen


def _crew_part(live: LiveTable) -> dict[str, Any]:
    table, thrown = live.table, live.last
    work = make_work_list(thrown.before, thrown.rolled) if thrown is not None else ()
    return {
        "house": house_figures(table),
        "work": [task_to_json(task) for task in work],
        "asking": [
            {"name": name, "amount": to_dollars(ask.amount), "place": ask.place or None}
            for name, ask in live.asking.items()
        ],
    }


def house_figures(table: Table) -> dict[str, str]:
    """The house's side: cash dropped, won over the table, vigorish, tokes."""
    return {
        "drop": to_dollars(table.drop),
        "win": to_dollars(table.win),
        "vig": to_dollars(table.vig),
        "tokes": to_dollars(table.tokes),
    }


def _player_name(table: Table, player: str) -> str | None:
    return None if player == NOBODY else table.seat(player).name


def _line_bet_request(table: Table) -> dict[str, Any] | None:
    """The line wager that the next throw waits for, and of whom it is asked first: the shooter, or
    whoever is offered the dice."""
    if table.status != "live" or not any(seat.here for seat in table.playing):
        return None
    who = find_next_shooter(table)
    if not isinstance(who, Refusal) or who.code != "nobody-may-throw":
        return None
    offered = (
        seat.id for seat in seats_in_turn(table) if seat.here and seat.id not in table.declined
    )
    of = table.shooter if table.shooter != NOBODY else next(offered, NOBODY)
    return {"of": _player_name(table, of), "wagers": list(who.allowed), "cite": who.cite}


def list_shown_seats(live: LiveTable, holder: Holder) -> list[Seat]:
    """Whom a view shows: who is here or has a wager up, whoever looks, and of the others those who
    left last. Years of guests would make it long; their names stay their own all the same."""
    own = holder.name if holder.role == "player" else NOBODY
    gone, playing = live.table.gone, live.table.playing
    left = [gone[player] for player in dict.fromkeys((own, *reversed(live.left))) if player in gone]
    return sorted((*left, *playing), key=lambda seat: seat.place)


def player_json(table: Table, seat: Seat) -> dict[str, Any]:
    """A player as everybody sees him: rail, buy-ins, and what is up."""
    return {
        "name": seat.name,
        "place": seat.place,
        "here": seat.here,
        "rail": to_dollars(seat.rail),
        "bought_in": to_dollars(seat.bought_in),
        "wagers": wagers_json(table, seat.wagers),
    }


def wagers_json(table: Table, wagers: Wagers) -> list[dict[str, Any]]:
    """What somebody has up, in the order of the layout."""
    slugs = sorted(wagers, key=lambda slug: table.layout.spots[slug].rank)
    return [
        {
            "wager": slug,
            "amount": to_dollars(wagers[slug].amount),
            "working": is_working(table, slug, wagers[slug]),
        }
        for slug in slugs
    ]


def is_working(table: Table, slug: str, stake: Stake) -> bool:
    """Whether a wager sees the next throw: as its player called it, or as the book has it."""
    if stake.call is not None:
        return stake.call
    return table.puck != 0 or table.layout.spots[slug].works


def last_throw_json(live: LiveTable) -> dict[str, Any] | None:
    """The last throw: its dice, the stick's call, what it settled."""
    if live.last is None:
        return None
    rolled = live.last.rolled
    return {
        "dice": [rolled.first, rolled.second],
        "call": make_stick_call(live.last.before, rolled),
        "settlements": [settlement_json(done) for done in rolled.settlements],
    }


def lobby_json(live: LiveTable) -> dict[str, Any]:
    """A table as the lobby shows it."""
    table, house = live.table, live.table.house
    return {
        "table": live.id,
        "name": live.settings.name,
        "rulebook": house.book.id,
        "game": house.game,
        "players": sum(seat.here for seat in table.playing),
        "seats": count_places(table),
        "minimum": to_dollars(house.minimum),
        "maximum": to_dollars(house.maximum),
        "puck": table.puck or None,
    }
