"""Compute what the page of a crew post shows: actions, players, work, dice, money, log. Pure."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime

import msgspec

from passline.crew.report import TaskFilter, task_to_json
from passline.crew.stick import make_stick_call
from passline.crew.work_list import make_work_list
from passline.game.law.roles import POSTS, CrewPost, post_title
from passline.game.layout.stakes import Stake
from passline.game.money.amounts import to_dollars
from passline.game.table import codec
from passline.game.table.dice_custody import is_automated
from passline.game.table.options import list_options
from passline.game.table.posts import count_base_dealers
from passline.game.table.state import DiceRestriction, Seat, Table
from passline.game.table.table_ends import find_place_end
from passline.game.words.events import describe_event
from passline.game.words.log import ACT_SENTENCES, say_log
from passline.game.words.refusals import describe_dice_restriction
from passline.game.words.wagers import layout_name
from passline.live import permissions
from passline.live.crew_actions import (
    ActionContext,
    list_actions,
    list_bookings,
    load_action_sheet,
    may_book,
)
from passline.live.live_table import MACHINE, LiveTable
from passline.live.log_entries import Entry, JsonObject
from passline.live.schema import ServiceError
from passline.live.seats import TOKEN_ROLES
from passline.live.tokens import Holder
from passline.live.views import (
    CREW_ROLES,
    house_figures,
    is_working,
    list_buy_in_requests,
    list_shown_seats,
)
from passline.text import show_name


def crew_page_state(
    live: LiveTable, holder: Holder, now: datetime, player: str = "", log: Iterable[Entry] = ()
) -> JsonObject:
    """Return everything that the page of a crew post shows.

    ``player`` is the player who was picked on the page, and ``log`` the entries that it lists.
    Raise ServiceError (``forbidden``) unless the holder belongs to the crew.
    """
    if holder.role not in CREW_ROLES:
        raise ServiceError("no-post", role=post_title(holder.role))
    table, watches = live.table, _why_watching(live, holder)
    picked = "" if watches else _pick_player(live, holder, player)
    seat = table.seat(picked) if picked else None
    bets = list_options(table, picked) if seat is not None and may_book(live, holder, seat) else ()
    context = ActionContext(live=live, now=now, player=picked, bets=bets)
    may = [] if watches else list_actions(context, holder)
    house = table.house
    limits = {"least": to_dollars(house.minimum), "most": to_dollars(house.maximum)}
    invites = holder.role in ("floor", "operator") and not watches
    return {
        "role": holder.role,
        "called": post_title(holder.role),
        "name": live.post_names.get(holder.role, "") or holder.name,
        "watches": watches,
        "page": _page_columns(holder.role, watches is not None),
        "player": picked or None,
        "players": [_player_json(live, holder, one) for one in list_shown_seats(live, holder)],
        "offers": may,
        "asking": _buy_in_requests(live, holder, may),
        "book": [] if watches else list_bookings(context, holder),
        "says": f"{picked}: {{words}}" if bets else None,
        "work": _work_json(live, holder),
        "center": _center_bets(live),
        "dice": _dice_json(live),
        "chips": [to_dollars(chip.value) for chip in reversed(house.rack.chips)],
        "house": msgspec.structs.asdict(house_figures(table)) | limits,
        "posts": [_post_json(live, post) for post in POSTS],
        "invites": [*TOKEN_ROLES, "player"] if invites else [],
        "log": {str(entry.seq): _entry_json(entry) for entry in log},
    }


def _page_columns(role: str, watches: bool) -> list[list[JsonObject]]:
    """Return the sections of a post's page as columns: lists of {"part", "title"}, top first.

    A post that only ``watches`` has fewer sections.
    """
    known = load_action_sheet()
    shown = known.watching["parts"] if watches else known.parts
    columns = known.pages["floor" if role == "operator" else role]
    titles = {part: {"part": part, "title": known.parts[part]} for part in shown}
    return [[titles[part] for part in one if part in shown] for one in columns]


def _why_watching(live: LiveTable, holder: Holder) -> JsonObject | None:
    """Return {"reason", "cite"} if a token can only watch, or None if it may act."""
    try:
        permissions.require_speaker(live, holder)
    except ServiceError as wrong:
        return {"reason": str(wrong), "cite": wrong.cite}
    return None


def _pick_player(live: LiveTable, holder: Holder, picked: str) -> str:
    """Return the name of the player that the page of a post shows; empty if there is none.

    The player is the one picked on the page, else the shooter, else the first of those the post
    deals to. A picked player to whom the post does not deal is ignored.
    """
    own = [seat.id for seat in list_shown_seats(live, holder) if _is_own_player(live, holder, seat)]
    first = [name for name in (picked, live.table.shooter, live.next_shooter) if name in own]
    return next((name for name in (*first, *own) if name), "")


def _is_own_player(live: LiveTable, holder: Holder, seat: Seat) -> bool:
    """Return whether the holder's post deals to a player.

    It always does, except that each of two base dealers deals to one end of the table only.
    """
    return not (
        find_post_end(holder.role) and permissions.find_other_end(live, holder.role, seat.id)
    )


def _buy_in_requests(live: LiveTable, holder: Holder, may: list[JsonObject]) -> list[JsonObject]:
    """Return the buy-ins that wait for an answer, as JSON objects.

    The list is empty for posts that neither answer nor supervise them. ``may`` lists the actions
    that the post has.
    """
    answers = any(offer["act"] == "turn-down" for offer in may)
    if not answers and holder.role not in ("floor", "operator", "surveillance"):
        return []
    return [msgspec.structs.asdict(one) for one in list_buy_in_requests(live)]


def _player_json(live: LiveTable, holder: Holder, seat: Seat) -> JsonObject:
    """Return a player as the page lists them: seat position, chips and bets.

    ``own`` in the JSON means that the holder's post deals to this player.
    """
    table = live.table
    wagers = sorted(seat.wagers.items(), key=lambda up: table.layout.spots[up[0]].rank)
    return {
        "name": seat.name,
        "place": seat.place,
        "end": find_place_end(table, seat.place),
        "here": seat.here,
        "own": _is_own_player(live, holder, seat),
        "shoots": seat.id in (table.shooter, live.next_shooter),
        "rail": to_dollars(seat.rail),
        "bought_in": to_dollars(seat.bought_in),
        "wagers": [_wager_json(table, slug, stake) for slug, stake in wagers],
    }


def _wager_json(table: Table, slug: str, stake: Stake) -> JsonObject:
    return {
        "wager": slug,
        "name": layout_name(slug),
        "amount": to_dollars(stake.amount),
        "working": is_working(table, slug, stake),
    }


def _work_json(live: LiveTable, holder: Holder) -> JsonObject | None:
    """Return the crew's tasks on the last throw as JSON, or None before the first throw.

    Tasks that belong to the holder's post have ``own`` set.
    """
    if live.last_throw is None:
        return None
    before, rolled = live.last_throw.before, live.last_throw.rolled
    alone = not is_automated(live.table) and count_base_dealers(live.table.house)[0] == 1
    roles, side = set(permissions.ENGINE_ROLES.get(holder.role, ())), find_post_end(holder.role)
    hands = {post.hands for post in POSTS if roles & set(post.roles)}
    wanted = [TaskFilter(hand, (side,) if side and not alone else ()) for hand in hands]
    return {
        "throw": live.table.throws,
        "dice": [rolled.first, rolled.second],
        "call": make_stick_call(before, rolled),
        "tasks": [
            task_to_json(task) | {"own": any(want.matches(task) for want in wanted)}
            for task in make_work_list(before, rolled)
        ],
    }


def find_post_end(role: str) -> str:
    """Return the end of the table that a post deals to; empty if it is not bound to an end.

    >>> find_post_end("left-base"), find_post_end("box")
    ('left', '')
    """
    return next((post.end for post in POSTS if post.name == role), "")


def _center_bets(live: LiveTable) -> list[JsonObject]:
    """Return all players' bets in the center of the layout (such as hardways) as JSON objects."""
    table = live.table
    return [
        {"player": player} | _wager_json(table, slug, stake)
        for player, wagers in table.everybody()
        for slug, stake in wagers.items()
        if table.layout.spots[slug].rule.area == "center"
    ]


def _dice_json(live: LiveTable) -> JsonObject:
    dice = live.table.dice
    where = "bowl" if live.table.status != "live" else "center"
    where = "air" if dice.in_air else "out" if dice.out else where
    return {
        "where": where,
        "typed": live.settings.dice == "typed",
        "held": dice.held,
        "bar": _barred_json(dice.bar) if dice.bar is not None else None,
        "serial": dice.serial,
        "since": dice.since,
        "lost": dice.lost,
        "ready": list(dice.ready),
        "retired": [one for one in dice.retired if one not in dice.cancelled],
        "cancelled": list(dice.cancelled),
    }


def _barred_json(bar: DiceRestriction) -> JsonObject:
    figures: JsonObject = {"why": bar.why}
    if bar.fault is not None:
        figures = msgspec.structs.asdict(bar.fault)
        figures["why"] = figures.pop("what")
    return {"reason": describe_dice_restriction(figures), "needs": bar.needs, "cite": bar.cite}


def _post_json(live: LiveTable, post: CrewPost) -> JsonObject:
    return {
        "post": post.name,
        "called": post_title(post.name),
        "held": live.posts.get(post.name, MACHINE),
        "name": live.post_names.get(post.name, ""),
        "relieved": post.relieved,
        "missing": permissions.find_missing_post_clause(live, post.name),
    }


def _act_words(entry: Entry) -> list[str]:
    """Return what an entry with an act did, as a list of sentences; [] for an entry with a line."""
    more, who = entry.more, entry.more.get("holder")
    match entry.act:
        case "":
            return []
        case "asks":
            return [say_log("act-asks", by=entry.by, amount=int(more["amount"]))]
        case "turn-down":
            return [say_log("act-turn-down", player=more["player"])]
        case "invite" | "withdraw" if isinstance(who, dict):
            return [say_log(f"act-{entry.act}", role=who["role"], name=who.get("name"))]
        case act:
            words = ACT_SENTENCES.get(act, act.replace("-", " "))
            player = show_name(str(more.get("player", "")))
            return [words.format(by=show_name(entry.by), player=player)]


def _entry_json(entry: Entry) -> JsonObject:
    """Return an entry as a page lists it: its main fields, and what it did in ``words``."""
    events = [describe_event(codec.event_from_builtins(event)) for event in entry.events]
    names = ("seq", "at", "role", "by", "line", "act", "hash")
    return {name: getattr(entry, name) for name in names} | {"words": events + _act_words(entry)}
