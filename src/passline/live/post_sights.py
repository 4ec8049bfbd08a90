"""What the page of a post shows: what it may say now, its players, the work of the last throw, the
dice, the house's figures, who has which post, and the log as it grows."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime

from passline.crew.report import WantedTasks, task_json
from passline.crew.stick import call
from passline.crew.worklist import work_list
from passline.law.roles import POSTS, CrewPost, called
from passline.live.acts import ENGINE, other_end, post_missing, speaks
from passline.live.asks import HallError
from passline.live.entries import Entry, JsonObject
from passline.live.inviting import GIVEN
from passline.live.live_table import MACHINE, LiveTable
from passline.live.offer_fields import Offering
from passline.live.offers import booking, books, offer_sheet, offers_of
from passline.live.tokens import Holder
from passline.live.views import CREW, house_figures, shown_seats, works
from passline.money import dollars, show_dollars
from passline.table import codec
from passline.table.custody import automated
from passline.table.opening import places_of
from passline.table.options import may_do
from passline.table.posts import base_dealers
from passline.table.state import Bar, Seat
from passline.words import event_words
from passline.words.refusals import barred_words
from passline.words.wagers import layout_name


def post_sight(
    live: LiveTable, holder: Holder, now: datetime, player: str = "", log: Iterable[Entry] = ()
) -> JsonObject:
    """A table as a post's page shows it; ``player``: who was picked there; ``log``: the entries
    that the page has not seen yet. HallError 403 for whoever is not of the crew."""
    if holder.role not in CREW:
        raise HallError(403, f"the {holder.role} has no post here: expected a token of the crew")
    table, watches = live.table, _watches(live, holder)
    picked = "" if watches else _picked(live, holder, player)
    seat = table.seat(picked) if picked else None
    bets = may_do(table, picked) if seat is not None and books(live, holder, seat) else ()
    of = Offering(live=live, now=now, player=picked, bets=bets)
    may = [] if watches else offers_of(of, holder)
    return {
        "table": live.id,
        "seq": live.head.seq,
        "role": holder.role,
        "called": called(holder.role),
        "name": live.named.get(holder.role, "") or holder.name,
        "watches": watches,
        "page": _page(holder.role, watches is not None),
        "player": picked or None,
        "players": [_player(live, holder, one) for one in shown_seats(live, holder)],
        "offers": may,
        "asking": _asking(live, holder, may),
        "book": [] if watches else booking(of, holder),
        "says": f"{picked}: {{words}}" if bets else None,
        "work": _work(live, holder),
        "center": _center(live),
        "dice": _dice(live),
        "chips": [dollars(chip.value) for chip in reversed(table.house.rack.chips)],
        "house": house_figures(table) | _limits(live),
        "posts": [_post(live, post) for post in POSTS],
        "invites": _invites(live, holder, watches),
        "log": [_entry(entry) for entry in log],
    }


def _page(role: str, watches: bool) -> list[list[JsonObject]]:
    """The parts of a post's page, column by column: the first is looked at first."""
    known = offer_sheet()
    shown = known.watching["parts"] if watches else known.parts
    columns = known.pages["floor" if role == "operator" else role]
    return [
        [{"part": part, "title": known.parts[part]} for part in one if part in shown]
        for one in columns
    ]


def _watches(live: LiveTable, holder: Holder) -> JsonObject | None:
    """Why a token only watches; None: it speaks."""
    try:
        speaks(live, holder)
    except HallError as wrong:
        return {"reason": str(wrong), "cite": wrong.cite}
    return None


def _picked(live: LiveTable, holder: Holder, asked: str) -> str:
    """Whom the page is about: as asked, else who has the dice, else the first of its own."""
    own = [seat.id for seat in shown_seats(live, holder) if _own(live, holder, seat)]
    first = [name for name in (asked, live.table.shooter, live.due) if name in own]
    return next((name for name in (*first, *own) if name), "")


def _own(live: LiveTable, holder: Holder, seat: Seat) -> bool:
    """Whether somebody is of a base dealer's end; every other post deals to all."""
    return not (dealt_end(holder.role) and other_end(live, holder.role, seat.id))


def _asking(live: LiveTable, holder: Holder, may: list[JsonObject]) -> list[JsonObject]:
    """Buy-ins that wait, for whoever answers them and for those who look on from above."""
    answers = any(offer["act"] == "turn-down" for offer in may)
    if not answers and holder.role not in ("floor", "operator", "surveillance"):
        return []
    return [
        {"name": name, "amount": dollars(ask.amount), "place": ask.place or None}
        for name, ask in live.asking.items()
    ]


def _player(live: LiveTable, holder: Holder, seat: Seat) -> JsonObject:
    table = live.table
    wagers = sorted(seat.wagers.items(), key=lambda up: table.layout.spots[up[0]].rank)
    return {
        "name": seat.name,
        "place": seat.place,
        "end": "left" if seat.place <= places_of(table) // 2 else "right",
        "here": seat.here,
        "own": _own(live, holder, seat),
        "shoots": seat.id in (table.shooter, live.due),
        "rail": dollars(seat.rail),
        "bought_in": dollars(seat.bought_in),
        "wagers": [
            {
                "wager": slug,
                "name": layout_name(slug),
                "amount": dollars(stake.amount),
                "working": works(table, slug, stake),
            }
            for slug, stake in wagers
        ],
    }


def _work(live: LiveTable, holder: Holder) -> JsonObject | None:
    """The work of the last throw, and which of it is the post's own; None before one."""
    if live.last is None:
        return None
    before, rolled = live.last.before, live.last.rolled
    alone = not automated(live.table) and base_dealers(live.table.house)[0] == 1
    hands = {post.hands for post in POSTS if set(post.roles) & set(ENGINE.get(holder.role, ()))}
    wanted = [
        WantedTasks(hand, (side,) if (side := dealt_end(holder.role)) and not alone else ())
        for hand in hands
    ]
    return {
        "throw": live.table.throws,
        "dice": [rolled.first, rolled.second],
        "call": call(before, rolled),
        "tasks": [
            task_json(task) | {"own": any(want.has(task) for want in wanted)}
            for task in work_list(before, rolled)
        ],
    }


def dealt_end(role: str) -> str:
    """The end that a post deals to; empty: both.

    >>> dealt_end("left-base"), dealt_end("box")
    ('left', '')
    """
    return next((post.end for post in POSTS if post.name == role), "")


def _center(live: LiveTable) -> list[JsonObject]:
    """What is up in the center, whosever it is."""
    table = live.table
    return [
        {
            "player": player,
            "wager": slug,
            "name": layout_name(slug),
            "amount": dollars(stake.amount),
            "working": works(table, slug, stake),
        }
        for player, wagers in table.everybody()
        for slug, stake in wagers.items()
        if table.layout.spots[slug].rule.area == "center"
    ]


def _dice(live: LiveTable) -> JsonObject:
    dice = live.table.dice
    where = "bowl" if live.table.status != "live" else "center"
    where = "air" if dice.in_air else "out" if dice.out else where
    return {
        "where": where,
        "typed": live.settings.dice == "typed",
        "held": dice.held,
        "bar": _barred(dice.bar) if dice.bar is not None else None,
        "serial": dice.serial,
        "since": dice.since,
        "lost": dice.lost,
        "ready": list(dice.ready),
        "retired": [one for one in dice.retired if one not in dice.cancelled],
        "cancelled": list(dice.cancelled),
    }


def _barred(bar: Bar) -> JsonObject:
    fault = bar.fault
    figures: JsonObject = {"why": bar.why}
    if fault is not None:
        figures = {"why": fault.what, "flaw": fault.flaw, "die": fault.die}
        figures |= {"size": fault.size, "limit": fault.limit}
    return {"reason": barred_words(figures), "needs": bar.needs, "cite": bar.cite}


def _limits(live: LiveTable) -> JsonObject:
    house = live.table.house
    return {"least": dollars(house.minimum), "most": dollars(house.maximum)}


def _post(live: LiveTable, post: CrewPost) -> JsonObject:
    return {
        "post": post.name,
        "called": called(post.name),
        "held": live.posts.get(post.name, MACHINE),
        "name": live.named.get(post.name, ""),
        "relieved": post.relieved,
        "missing": post_missing(live, post.name),
    }


def _invites(live: LiveTable, holder: Holder, watches: JsonObject | None) -> list[str]:
    """The roles that somebody may invite people for."""
    return [*GIVEN, "player"] if holder.role in ("floor", "operator") and not watches else []


def _acted(entry: Entry) -> list[str]:
    """What an entry without a line does, in words."""
    more, who = entry.more, entry.more.get("holder")
    match entry.act:
        case "":
            return []
        case "asks":
            return [f"{entry.by} asks the box for {show_dollars(int(more['amount']))}"]
        case "turn-down":
            return [f"{more['player']}'s buy-in is turned down"]
        case "invite" | "withdraw" if isinstance(who, dict):
            named = f" ({who['name']})" if who.get("name") else ""
            verb = "is invited" if entry.act == "invite" else "has no token any more"
            return [f"{who['role']}{named} {verb}"]
        case act:
            return [act.replace("-", " ")]


def _entry(entry: Entry) -> JsonObject:
    """An entry as a page lists it; its hash is a receipt."""
    words = [event_words(codec.from_plain(event)) for event in entry.events] + _acted(entry)
    return {
        "seq": entry.seq,
        "at": entry.at,
        "role": entry.role,
        "by": entry.by,
        "line": entry.line,
        "act": entry.act,
        "words": words,
        "hash": entry.hash,
    }
