"""Compute what a player's or watcher's page shows of a table. Pure, except for caches of drawings
and moves.

The browser computes nothing. The engine lists what the player may do now and what the next throw
would pay, and `felt` draws the chips, the puck and the dice.
"""

from __future__ import annotations

from collections import OrderedDict
from datetime import datetime
from typing import Any, Final

import msgspec

from passline.crew.ends import find_place_end
from passline.crew.tasks import Task
from passline.crew.work_list import make_work_list
from passline.felt.layout_contents import find_layout_contents
from passline.felt.plan import plan_felt
from passline.felt.shapes import Rectangle, enclose
from passline.felt.svg import DICE_HOLDERS, draw_contents, draw_plan
from passline.felt.targets import list_target_rows
from passline.game.layout.stakes import Refusal
from passline.game.money.amounts import show_dollars, to_dollars
from passline.game.table.dice_custody import is_automated
from passline.game.table.opening import count_places
from passline.game.table.options import Option, bet_option, list_options
from passline.game.table.state import Seat, Table
from passline.game.words.next_roll import describe_next_roll
from passline.game.words.refusals import describe_refusal, find_prerequisite, suggest_alternatives
from passline.lab.luck.hands import find_finished_hand
from passline.live.crew_page import find_post_end
from passline.live.entries import JsonObject
from passline.live.live_table import LEARNER, LiveTable, TableThrow, parse_time
from passline.live.requests import to_json_value
from passline.live.schedule import (
    DAILY_THROWS,
    betting_deadline,
    refuse_after_day,
    refuse_throw,
    waits_for_players,
)
from passline.live.tokens import Holder
from passline.live.views import view_table

#: Tasks that everyone can see on the layout; the others concern only the crew.
_VISIBLE_TASKS: Final = frozenset(
    {"take", "pay", "push", "return", "place", "keep", "mark", "clear"}
)
#: Tables whose last throw's moves stay in memory.
_MOVES_CACHE_SIZE: Final = 256
_MOVES_CACHE: OrderedDict[str, tuple[TableThrow, list[dict[str, Any]]]] = OrderedDict()


def list_throw_moves(table: str, thrown: TableThrow) -> list[dict[str, Any]]:
    """Return the crew's visible moves on a table's last throw, in order. They are computed once."""
    kept = _MOVES_CACHE.get(table)
    if kept is None or kept[0] is not thrown:
        work = make_work_list(thrown.before, thrown.rolled)
        rules = {(done.player, done.wager): done.cite for done in thrown.rolled.settlements}
        seen = [task for task in work if task.do in _VISIBLE_TASKS]
        kept = thrown, [_move_json(task, rules.get((task.player, task.wager))) for task in seen]
        _MOVES_CACHE[table] = kept
        while len(_MOVES_CACHE) > _MOVES_CACHE_SIZE:
            _MOVES_CACHE.popitem(last=False)
    _MOVES_CACHE.move_to_end(table)
    return kept[1]


def _move_json(task: Task, rule: str | None) -> dict[str, Any]:
    """Return one move of the crew: the bet, the dealer, the amount and where the chips go.

    ``cite`` is the clause for the crew's move and ``rule`` the clause that settled the bet.
    """
    layouts = [move.target for move in task.moves if move.target.kind == "layout"]
    return {
        "do": task.do,
        "by": task.by,
        "player": task.player or None,
        "wager": task.wager or None,
        "amount": to_dollars(task.amount),
        "chips": dict(task.chips),
        "to": layouts[0].wager if layouts and layouts[0].wager != task.wager else None,
        "words": task.words,
        "cite": task.cite,
        "rule": rule,
    }


#: Verbs that take an amount.
_AMOUNT_VERBS: Final = frozenset({"bet", "raise", "reduce"})
#: How long after a throw the dice are drawn where they came to rest.
_REST_SECONDS: Final = 6.0
#: Cached drawings, by the hash of the log's last entry and whether the dice still lie there.
_FELT_CACHE: Final[OrderedDict[tuple[str, bool], str]] = OrderedDict()
_FELT_CACHE_SIZE: Final = 128


def page_state(live: LiveTable, holder: Holder, now: datetime) -> JsonObject:
    """Return everything that a holder's page shows."""
    table = live.table
    seat = table.find(holder.name) if holder.role == "player" else None
    seen: JsonObject = to_json_value(view_table(live, holder))
    del seen["commit"]
    thrown = live.last_throw.rolled if live.last_throw is not None else None
    faces = (thrown.first, thrown.second) if thrown is not None else None
    resting = (now - parse_time(live.thrown_at)).total_seconds() < _REST_SECONDS
    seen |= {
        "me": holder.name if seat is not None else None,
        "over": _draw_felt_contents(live, faces, resting and faces is not None),
        "seat": _seat_json(table, seat) if seat is not None else None,
        "may": {},
        "acts": {},
        "now": advise_player(live, seat, now, holder.name),
        "asks": holder.role == "player" and holder.name in live.buy_in_requests,
        "next": describe_next_roll(table, seat.id) if seat is not None else "",
        "clock": {
            "now": now.isoformat(),
            "betting_ends": betting_deadline(live).isoformat() if waits_for_players(live) else None,
        },
        "alone": sum(one.here for one in table.playing) == 1,
        "dice": live.settings.dice,
        "throws": table.throws,
        "throws_in_all": DAILY_THROWS if live.settings.daily else None,
        "buys": not live.settings.daily,
        "begins": seat is not None and seat.here and not seat.wagers and not _is_short(table, seat),
        "learns": live.posts.get(holder.role) == LEARNER,
        "resting": resting and faces is not None,
        "watched": find_post_end(holder.role) or _find_end(table, table.shooter),
        "repeat": _repeat_says(live, seat) if seat is not None else [],
    }
    if seat is not None and seat.here:
        options = list_options(table, seat.id)
        seen["may"] = _options_by_wager(options, seat)
        seen["acts"] = _acts_json(live, seat, options, now)
    if live.last_throw is not None:
        hand = find_finished_hand(live.last_throw.before, live.last_throw.rolled)
        seen["last"] |= {
            "hand": None if hand is None else {"rolls": hand.rolls, "words": hand.words},
            "moves": list_throw_moves(live.id, live.last_throw),
        }
        if seat is not None:
            seen["last"] |= {"net": _net_result(live, seat)}
    return seen


def _draw_felt_contents(live: LiveTable, faces: tuple[int, int] | None, rest: bool) -> str:
    """Draw the chips, the puck and the dice on the felt. Cached, because every page needs it."""
    key = live.head.hash, rest
    if key not in _FELT_CACHE:
        plan = plan_felt(live.table.layout, count_places(live.table))
        contents = find_layout_contents(live.table, faces, at_rest=rest)
        _FELT_CACHE[key] = "".join(draw_contents(plan, contents))
        while len(_FELT_CACHE) > _FELT_CACHE_SIZE:
            _FELT_CACHE.popitem(last=False)
    return _FELT_CACHE[key]


def _find_end(table: Table, player: str) -> str:
    """Return the end of the table where a player is, or the left end without a player."""
    seat = table.find(player)
    return find_place_end(table, 1 if seat is None else seat.place)


def _seat_json(table: Table, seat: Seat) -> JsonObject:
    return {
        "name": seat.name,
        "place": seat.place,
        "end": _find_end(table, seat.id),
        "rail": to_dollars(seat.rail),
        "bought_in": to_dollars(seat.bought_in),
        "up": to_dollars(sum(stake.amount for stake in seat.wagers.values())),
        "here": seat.here,
        "odds": {
            slug: behind
            for slug in seat.wagers
            if (behind := table.layout.spots[slug].behind) in table.layout.spots
        },
    }


def _bar_json(refusal: Refusal, seat: Seat, wager: str = "", up: bool = False) -> JsonObject:
    """Return why an action is not allowed, what is, and the bet that must be made first."""
    told: JsonObject = {"reason": describe_refusal(refusal, seat.name), "cite": refusal.cite}
    if alternatives := suggest_alternatives(refusal, wager, up):
        told["allowed"] = [alternative.say for alternative in alternatives]
        told["offers"] = msgspec.to_builtins(alternatives)
    if first := find_prerequisite(refusal):
        told["first"] = first
    return {"bar": told}


def _option_json(option: Option, seat: Seat) -> JsonObject:
    if option.bar is not None:
        return _bar_json(option.bar, seat, option.wager, option.verb != "bet")
    if option.verb not in _AMOUNT_VERBS:
        return {}
    return {name: to_dollars(getattr(option, name)) for name in ("least", "most", "step")}


def _options_by_wager(options: tuple[Option, ...], seat: Seat) -> dict[str, JsonObject]:
    found: dict[str, JsonObject] = {}
    for option in options:
        if option.wager:
            found.setdefault(option.wager, {})[option.verb] = _option_json(option, seat)
    return found


def _acts_json(
    live: LiveTable, seat: Seat, options: tuple[Option, ...], now: datetime
) -> JsonObject:
    found: JsonObject = {one.verb: _option_json(one, seat) for one in options if not one.wager}
    if live.settings.dice != "typed":
        refused = refuse_throw(live, seat.id, now) or refuse_after_day(live, now)
        found["roll"] = _bar_json(refused, seat) if refused is not None else {}
    found["ready"] = {} if waits_for_players(live) and seat.id not in live.ready else {"bar": None}
    return found


def advise_player(live: LiveTable, seat: Seat | None, now: datetime, name: str = "") -> str:
    """Return one sentence that says what to do now. ``name`` is for a visitor without a seat."""
    table = live.table
    if table.status == "closed":
        return "The table is closed."
    if seat is None:
        return _advise_visitor(live, name)
    if not seat.here:
        return "You have left. Buy in to come back."
    if not seat.wagers and _is_short(table, seat):
        return _advise_short_rail(live, seat)
    refused = refuse_throw(live, seat.id, now) if live.settings.dice != "typed" else None
    mine = live.next_shooter == seat.id
    if is_automated(table):
        return "Press Roll and the machine throws." if seat.wagers else "Make a bet."
    if mine and refused is None and live.settings.dice != "typed":
        return "The dice are yours: press Roll, or bet first."
    if mine and refused is not None:
        return f"The dice are yours soon: {describe_refusal(refused, seat.name)}."
    if table.dice.out:
        told = "throw them, and the stick tells what they show" if mine else "wait for the throw"
        return f"The dice are out: {told}."
    if mine and seat.wagers:
        return "The dice are yours when the stick sends them. Bet, or wait."
    if not seat.wagers and (table.point and not _is_line_open(table, seat)):
        return "Make a bet. The line opens with the next come-out."
    if not seat.wagers:
        return "Make a bet. Most begin on the pass line."
    if live.next_shooter:
        return f"{table.seat(live.next_shooter).name} is to throw. Bet, or wait."
    return "Nobody may throw yet: a shooter needs a line bet. Make one on the pass line."


def _advise_visitor(live: LiveTable, name: str) -> str:
    """Return the advice for a visitor without a seat, who may have asked the boxperson for one."""
    if asked := live.buy_in_requests.get(name):
        return f"The box is asked for your {show_dollars(asked.amount)}. One moment."
    if down := live.declined_buy_ins.get(name):
        why = f": {down.reason}" if down.reason else ""
        return f"The box turned your {show_dollars(down.amount)} down{why}. Ask again, or watch."
    return "Sit down to play, or watch."


def _is_short(table: Table, seat: Seat) -> bool:
    """Return whether a player cannot afford the table's minimum line bet."""
    return seat.rail < table.house.minimum


def _advise_short_rail(live: LiveTable, seat: Seat) -> str:
    """Return the advice for a player who cannot afford the table's minimum line bet."""
    if live.settings.daily:
        return "Your chips do not make a line bet any more: this Daily is played out."
    if not seat.rail:
        return "Your rail is empty: buy in for more."
    least = show_dollars(live.table.house.minimum)
    return f"Your rail holds {show_dollars(seat.rail)}, and a line bet is {least}: buy in for more."


def _is_line_open(table: Table, seat: Seat) -> bool:
    """Return whether a bet that the come-out decides may be made now."""
    lines = {slug for slug, spot in table.layout.spots.items() if spot.rule.is_line}
    made = (bet_option(table, seat.id, slug) for slug in lines)
    return any(option.bar is None for option in made)


def _repeat_says(live: LiveTable, seat: Seat) -> list[str]:
    """Return the lines that make again the bets that the last throw took down."""
    return [
        f"{one.wager} for {to_dollars(one.stake)}"
        for one in live.memory.get(seat.id, ())
        if not one.stays_up and one.wager not in seat.wagers
    ]


def _net_result(live: LiveTable, seat: Seat) -> str | None:
    """Return the dollars that a player won or lost on the last throw; None if no bet settled."""
    assert live.last_throw is not None
    own = [done for done in live.last_throw.rolled.settlements if done.player == seat.id]
    if not own:
        return None
    won = sum(done.paid - done.vig for done in own if done.result == "win")
    return to_dollars(won - sum(done.stake for done in own if done.result == "lose"))


def felt_json(live: LiveTable, end: str, place: int) -> JsonObject:
    """Return the felt as seen from one end: the drawing, the click targets and the chips."""
    table = live.table
    plan = plan_felt(table.layout, count_places(table))
    own = end if end in plan.ends else plan.ends[0]
    views = {"whole": "whole", "end": f"end:{own}", "center": "center"}
    near = plan.views[views["end"]], plan.views["center"]
    return {
        "svg": draw_plan(plan, hidden_fixtures=DICE_HOLDERS),
        "views": {name: _frame_json(plan.views[view]) for name, view in views.items()}
        | {"near": _frame_json(enclose(near))},
        "rows": msgspec.to_builtins(list_target_rows(plan, own, place)),
        "chips": [
            {"colour": chip.color, "value": to_dollars(chip.value)}
            for chip in table.house.rack.chips
        ],
    }


def _frame_json(box: Rectangle) -> list[float]:
    return [box.left, box.top, box.width, box.height]
