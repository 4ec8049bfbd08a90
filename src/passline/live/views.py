"""The views of a live table: what each role may see of it. Pure."""

from __future__ import annotations

from functools import lru_cache
from typing import Any, Final

from passline.crew.report import task_to_json
from passline.crew.stick import make_stick_call
from passline.crew.work_list import make_work_list
from passline.game.layout.stakes import Refusal, Stake, Wagers
from passline.game.money.amounts import to_dollars
from passline.game.table.dice_custody import find_next_shooter, seats_in_turn
from passline.game.table.state import NOBODY, Seat, Table
from passline.game.table.table_ends import count_places
from passline.live import schema
from passline.live.live_table import LiveTable, TableThrow
from passline.live.tokens import Holder
from passline.record.report import settlement_json
from passline.same_object import SameObject

#: Roles that see the crew's part of a view.
CREW_ROLES: Final = frozenset(
    {"operator", "floor", "box", "stick", "left-base", "right-base", "surveillance"}
)


def view_table(live: LiveTable, holder: Holder) -> schema.TableView:
    """Return a table as a holder sees it.

    Only the crew gets the house's money, work and buy-ins.
    """
    table, crew = live.table, holder.role in CREW_ROLES
    pace = live.settings.pace
    return schema.TableView(
        table=live.id,
        name=live.settings.name,
        rulebook=table.house.book.id,
        game=table.house.game,
        seq=live.head.seq,
        head=live.head.hash,
        status="closed" if live.is_closed else table.status,
        puck=table.puck,
        shooter=player_name(table, table.shooter),
        due=player_name(table, live.next_shooter),
        asks=_line_bet_request(table),
        dice_out=table.dice.out,
        commit=live.commitment.commit or None,
        players=tuple(view_player(table, seat) for seat in list_shown_seats(live, holder)),
        last=view_last_throw(live),
        posts=dict(live.posts),
        pace=schema.PaceView(pace.betting, pace.shooter),
        ready=tuple(sorted(live.ready)),
        role=holder.role,
        house=house_figures(table) if crew else None,
        work=_work_json(live) if crew else None,
        asking=list_buy_in_requests(live) if crew else None,
    )


def _work_json(live: LiveTable) -> tuple[dict[str, Any], ...]:
    """Return the crew's tasks on the last throw as JSON objects; none before a throw."""
    if live.last_throw is None:
        return ()
    work = make_work_list(live.last_throw.before, live.last_throw.rolled)
    return tuple(task_to_json(task) for task in work)


def list_buy_in_requests(live: LiveTable) -> tuple[schema.PendingBuyIn, ...]:
    """Return the buy-ins that the boxperson has not answered yet."""
    return tuple(
        schema.PendingBuyIn(name, to_dollars(pending.amount), pending.place or None)
        for name, pending in live.buy_in_requests.items()
    )


def house_figures(table: Table) -> schema.HouseFigures:
    """Return the house's money: cash dropped, chips won from players, vigorish and tokes (tips)."""
    return schema.HouseFigures(*map(to_dollars, (table.drop, table.win, table.vig, table.tokes)))


def player_name(table: Table, player: str) -> str | None:
    """Return the name of the player with the id ``player``, or None for the id `NOBODY`."""
    return None if player == NOBODY else table.seat(player).name


def _line_bet_request(table: Table) -> schema.LineBetRequest | None:
    """Return the line bet that somebody must make before the next throw, or None if there is none.

    The shooter must make it, or without a shooter the next player who has not declined the dice.
    """
    if table.status != "live" or not any(seat.here for seat in table.playing):
        return None
    who = find_next_shooter(table)
    if not isinstance(who, Refusal) or who.code != "nobody-may-throw":
        return None
    here = [seat.id for seat in seats_in_turn(table) if seat.here]
    offered = (player for player in here if player not in table.declined)
    of = table.shooter if table.shooter != NOBODY else next(offered, NOBODY)
    return schema.LineBetRequest(player_name(table, of), tuple(map(str, who.allowed)), who.cite)


def list_shown_seats(live: LiveTable, holder: Holder) -> list[Seat]:
    """Return the seats that a view shows, sorted by seat position.

    A view shows the players who are here or have bets, the players who left last, and the holder's
    own seat even if its player left long ago.
    """
    own = holder.name if holder.role == "player" else NOBODY
    gone, playing = live.table.gone, live.table.playing
    leavers = dict.fromkeys((own, *reversed(live.recent_leavers)))
    left = [gone[player] for player in leavers if player in gone]
    return sorted((*left, *playing), key=lambda seat: seat.place)


def view_player(table: Table, seat: Seat) -> schema.PlayerView:
    """Return a player as everybody sees them: rail, buy-ins and open bets."""
    return schema.PlayerView(
        name=seat.name,
        place=seat.place,
        here=seat.here,
        rail=to_dollars(seat.rail),
        bought_in=to_dollars(seat.bought_in),
        wagers=view_wagers(table, seat.wagers),
    )


def view_wagers(table: Table, wagers: Wagers) -> tuple[schema.OpenWager, ...]:
    """Return open bets as views show them, in the order of the layout.

    ``wagers`` has them by slug, a key such as ``place-win-6``.
    """
    slugs = sorted(wagers, key=lambda slug: table.layout.spots[slug].rank)
    return tuple(
        schema.OpenWager(
            slug, to_dollars(wagers[slug].amount), is_working(table, slug, wagers[slug])
        )
        for slug in slugs
    )


def is_working(table: Table, slug: str, stake: Stake) -> bool:
    """Return whether a bet works on the next throw.

    The player's call decides. Without one, a bet works if a point is on, or if the layout says that
    such bets work on come-out throws too.
    """
    if stake.call is not None:
        return stake.call
    return table.point != 0 or table.layout.spots[slug].works


def view_last_throw(live: LiveTable) -> schema.LastThrow | None:
    """Return the last throw: its dice, the stickperson's call and what it settled.

    Return None before the first throw.
    """
    return None if live.last_throw is None else _view_throw(SameObject(live.last_throw))


@lru_cache(1024)  # The throw stays the same over all the bets that follow it.
def _view_throw(key: SameObject[TableThrow]) -> schema.LastThrow:
    rolled = key.value.rolled
    return schema.LastThrow(
        dice=(rolled.first, rolled.second),
        call=make_stick_call(key.value.before, rolled),
        settlements=tuple(
            schema.SettledWager(**settlement_json(done)) for done in rolled.settlements
        ),
    )


def list_table(live: LiveTable) -> schema.ListedTable:
    """Return a table as the lobby lists it."""
    table, house = live.table, live.table.house
    return schema.ListedTable(
        table=live.id,
        name=live.settings.name,
        rulebook=house.book.id,
        game=house.game,
        players=sum(seat.here for seat in table.playing),
        seats=count_places(table),
        minimum=to_dollars(house.minimum),
        maximum=to_dollars(house.maximum),
        puck=table.puck,
    )
