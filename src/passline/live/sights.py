"""What a page shows of a table: everything that somebody sees, may do, and may expect.

One answer for whoever looks: nothing of it is worked out in the browser. The engine says what may
be done (``table.options``) and what the next throw would bring (``table.prospects``); the felt says
where everything lies.
"""

from __future__ import annotations

from collections import OrderedDict
from datetime import datetime
from typing import Final

import msgspec

from passline.felt import draw_plan, lie_of, plan_felt
from passline.felt.grid import grid_of
from passline.felt.shapes import Rectangle, around
from passline.felt.svg_lie import HOLDERS, draw_lie
from passline.law.wagers import Line
from passline.layout import Refusal
from passline.live.entries import JsonObject
from passline.live.live_table import LEARNER, LiveTable, time_of
from passline.live.moves import throw_moves
from passline.live.pacing import betting_ends, day_over, may_throw, waits
from passline.live.post_sights import dealt_end
from passline.live.tokens import Holder
from passline.live.views import view
from passline.luck import ended_hand
from passline.money import dollars, show_dollars
from passline.table import Table
from passline.table.custody import automated
from passline.table.opening import places_of
from passline.table.options import Option, may_bet, may_do
from passline.table.state import Seat
from passline.words.offers import needed_first, offered_says
from passline.words.prospects import prospect_words
from passline.words.refusals import refusal_words

#: What takes an amount.
_AMOUNTS: Final = frozenset({"bet", "raise", "reduce"})
#: So long after a throw the dice are drawn where they came to rest.
_REST_SECONDS: Final = 6.0
#: What was drawn last, by the hash of a log's last entry and whether the dice still lie there.
_DRAWN: Final[OrderedDict[tuple[str, bool], str]] = OrderedDict()
_MOST_DRAWN: Final = 128


def sight(live: LiveTable, holder: Holder, now: datetime) -> JsonObject:
    """A table as somebody's page shows it."""
    table = live.table
    seat = _seat(table, holder)
    seen = {key: value for key, value in view(live, holder).items() if key != "commit"}
    thrown = live.last.rolled if live.last is not None else None
    faces = (thrown.first, thrown.second) if thrown is not None else None
    resting = (now - time_of(live.thrown_at)).total_seconds() < _REST_SECONDS
    seen |= {
        "me": holder.name if seat is not None else None,
        "over": _over(live, faces, resting and faces is not None),
        "seat": _own(table, seat) if seat is not None else None,
        "may": {},
        "acts": {},
        "now": advise(live, seat, now, holder.name),
        "asks": holder.role == "player" and holder.name in live.asking,
        "next": prospect_words(table, seat.id) if seat is not None else "",
        "clock": {
            "now": now.isoformat(),
            "betting_ends": betting_ends(live).isoformat() if waits(live) else None,
        },
        "alone": sum(one.here for one in table.playing) == 1,
        "dice": live.settings.dice,
        "throws": table.throws,
        "buys": not live.settings.daily,
        "begins": seat is not None and seat.here and not seat.wagers and not _poor(table, seat),
        "learns": live.posts.get(holder.role) == LEARNER,
        "resting": resting and faces is not None,
        "watched": dealt_end(holder.role) or _end(table, table.shooter),
        "repeat": _repeat(live, seat) if seat is not None else [],
    }
    if seat is not None and seat.here:
        options = may_do(table, seat.id)
        seen["may"] = _by_wager(options, seat)
        seen["acts"] = _acts(live, seat, options, now)
    if live.last is not None:
        seen["last"] |= {"hand": _hand(live), "moves": throw_moves(live.id, live.last)}
        if seat is not None:
            seen["last"] |= {"net": _net(live, seat)}
    return seen


def _over(live: LiveTable, faces: tuple[int, int] | None, rest: bool) -> str:
    """Everything that lies on the felt. After each entry everybody's page asks for the same."""
    key = live.head.hash, rest
    if key not in _DRAWN:
        table = live.table
        plan = plan_felt(table.layout, places_of(table))
        _DRAWN[key] = "".join(draw_lie(plan, lie_of(table, faces, rest=rest)))
        while len(_DRAWN) > _MOST_DRAWN:
            _DRAWN.popitem(last=False)
    return _DRAWN[key]


def _seat(table: Table, holder: Holder) -> Seat | None:
    if holder.role != "player":
        return None
    return table.find(holder.name)


def _end(table: Table, player: str) -> str:
    """The end at which somebody stands; nobody's is the left."""
    seat = table.find(player)
    place = 1 if seat is None else seat.place
    return "left" if place <= places_of(table) // 2 else "right"


def _own(table: Table, seat: Seat) -> JsonObject:
    return {
        "name": seat.name,
        "place": seat.place,
        "end": _end(table, seat.id),
        "rail": dollars(seat.rail),
        "bought_in": dollars(seat.bought_in),
        "up": dollars(sum(stake.amount for stake in seat.wagers.values())),
        "here": seat.here,
        "odds": {
            slug: behind
            for slug in seat.wagers
            if (behind := table.layout.spots[slug].behind) in table.layout.spots
        },
    }


def _bar(refusal: Refusal, seat: Seat, wager: str = "", up: bool = False) -> JsonObject:
    """Why something may not be done, and what would be: says, and a wager that comes first."""
    told: JsonObject = {"reason": refusal_words(refusal, seat.name), "cite": refusal.cite}
    if says := offered_says(refusal, wager, up):
        told["allowed"] = says
    if first := needed_first(refusal):
        told["first"] = first
    return {"bar": told}


def _option(option: Option, seat: Seat) -> JsonObject:
    if option.bar is not None:
        return _bar(option.bar, seat, option.wager, option.verb != "bet")
    if option.verb not in _AMOUNTS:
        return {}
    return {
        "least": dollars(option.least),
        "most": dollars(option.most),
        "step": dollars(option.step),
    }


def _by_wager(options: tuple[Option, ...], seat: Seat) -> dict[str, JsonObject]:
    found: dict[str, JsonObject] = {}
    for option in options:
        if option.wager:
            found.setdefault(option.wager, {})[option.verb] = _option(option, seat)
    return found


def _acts(live: LiveTable, seat: Seat, options: tuple[Option, ...], now: datetime) -> JsonObject:
    found: JsonObject = {
        option.verb: _option(option, seat) for option in options if not option.wager
    }
    if live.settings.dice != "typed":
        refused = may_throw(live, seat.id, now) or day_over(live, now)
        found["roll"] = _bar(refused, seat) if refused is not None else {}
    found["ready"] = {} if waits(live) and seat.id not in live.ready else {"bar": None}
    return found


def advise(live: LiveTable, seat: Seat | None, now: datetime, name: str = "") -> str:
    """One line that says what to do now; ``name``: of whoever has no seat yet."""
    table = live.table
    if table.status == "closed":
        return "The table is closed."
    if seat is None:
        return _outside(live, name)
    if not seat.here:
        return "You have left. Buy in to come back."
    if not seat.wagers and _poor(table, seat):
        return _short(live, seat)
    refused = may_throw(live, seat.id, now) if live.settings.dice != "typed" else None
    mine = live.due == seat.id
    if automated(table):
        return "Press Roll and the machine throws." if seat.wagers else "Make a bet."
    if mine and refused is None and live.settings.dice != "typed":
        return "The dice are yours: press Roll, or bet first."
    if mine and refused is not None:
        return f"The dice are yours soon: {refusal_words(refused, seat.name)}."
    if table.dice.out:
        told = "throw them, and the stick tells what they show" if mine else "wait for the throw"
        return f"The dice are out: {told}."
    if mine and seat.wagers:
        return "The dice are yours when the stick sends them. Bet, or wait."
    if not seat.wagers and (table.puck and not _line_open(table, seat)):
        return "Make a bet. The line opens with the next come-out."
    if not seat.wagers:
        return "Make a bet. Most begin on the pass line."
    if live.due:
        return f"{table.seat(live.due).name} is to throw. Bet, or wait."
    return "Nobody may throw yet: a shooter needs a line bet. Make one on the pass line."


def _outside(live: LiveTable, name: str) -> str:
    """What is told to who does not sit, and may have asked the box to."""
    if asked := live.asking.get(name):
        return f"The box is asked for your {show_dollars(asked.amount)}. One moment."
    if down := live.turned_down.get(name):
        why = f": {down.reason}" if down.reason else ""
        return f"The box turned your {show_dollars(down.amount)} down{why}. Ask again, or watch."
    return "Sit down to play, or watch."


def _poor(table: Table, seat: Seat) -> bool:
    """Whether a rail does not make the table's least line wager."""
    return seat.rail < table.house.minimum


def _short(live: LiveTable, seat: Seat) -> str:
    """What is told of a rail that does not hold the table's least wager."""
    if live.settings.daily:
        return "Your chips do not make a line bet any more: this Daily is played out."
    if not seat.rail:
        return "Your rail is empty: buy in for more."
    least = show_dollars(live.table.house.minimum)
    return f"Your rail holds {show_dollars(seat.rail)}, and a line bet is {least}: buy in for more."


def _line_open(table: Table, seat: Seat) -> bool:
    """Whether a wager that the come-out decides may be made now."""
    lines = {slug for slug, spot in table.layout.spots.items() if isinstance(spot.rule, Line)}
    made = (may_bet(table, seat.id, slug) for slug in lines)
    return any(option.bar is None for option in made)


def _repeat(live: LiveTable, seat: Seat) -> list[str]:
    """What the last throw took down of a player's, as says that bet it again."""
    return [
        f"{one.wager} for {dollars(one.stake)}"
        for one in live.memory.get(seat.id, ())
        if not one.stays and one.wager not in seat.wagers
    ]


def _hand(live: LiveTable) -> JsonObject | None:
    """The hand that the last throw ended, and its luck; None where it ended none."""
    assert live.last is not None
    hand = ended_hand(live.last.before, live.last.rolled)
    return None if hand is None else {"rolls": hand.rolls, "words": hand.words}


def _net(live: LiveTable, seat: Seat) -> str | None:
    """What the last throw brought a player; None where it did nothing to him."""
    assert live.last is not None
    own = [done for done in live.last.rolled.settlements if done.player == seat.id]
    if not own:
        return None
    won = sum(done.paid - done.vig for done in own if done.result == "win")
    return dollars(won - sum(done.stake for done in own if done.result == "lose"))


def drawn(live: LiveTable, end: str, place: int) -> JsonObject:
    """The felt of a table as one end sees it: its picture, the grid of its targets, the chips."""
    table = live.table
    plan = plan_felt(table.layout, places_of(table))
    own = end if end in plan.ends else plan.ends[0]
    views = {"whole": "whole", "end": f"end:{own}", "center": "center"}
    near = plan.views[views["end"]], plan.views["center"]
    return {
        "svg": draw_plan(plan, without=HOLDERS),
        "views": {name: _frame(plan.views[view]) for name, view in views.items()}
        | {"near": _frame(around(near))},
        "rows": msgspec.to_builtins(grid_of(plan, own, place)),
        "chips": [
            {"colour": chip.colour, "value": dollars(chip.value)} for chip in table.house.rack.chips
        ],
    }


def _frame(box: Rectangle) -> list[float]:
    return [box.left, box.top, box.width, box.height]
