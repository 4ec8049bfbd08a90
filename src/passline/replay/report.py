"""A moment as JSON: everything that a page shows of it. Nothing is worked out in a browser."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from passline.crew.ends import end_of
from passline.crew.report import task_json
from passline.crew.stick import call
from passline.crew.worklist import work_list
from passline.felt import draw_plan, lie_of, plan_felt
from passline.felt.svg_lie import HOLDERS, draw_lie
from passline.layout import Layout, Wagers
from passline.live.entries import JsonObject
from passline.live.live_table import ThrowKept
from passline.live.views import player_seen, wagers_seen
from passline.luck import ended_hand
from passline.money import dollars
from passline.record.deal import RecordEntry
from passline.record.report import settlement_json
from passline.replay.accounts import accounts_of, changes
from passline.replay.moments import GameMoment
from passline.replay.throws import HandMark, HandThrows
from passline.table import Table
from passline.table import events as ev
from passline.table.opening import places_of
from passline.table.state import DEALERS, NOBODY
from passline.words import event_words, refusal_words
from passline.words.wagers import cell_name

#: What was done at a live table that is no line, by its code.
_ACTS: Final = {
    "ready": "{by} is ready for the next throw",
    "line-down": "{by} wants no line wager said again",
    "line-up": "{by} wants line wagers said again",
    "asks": "{by} asks the box for a buy-in",
    "turn-down": "the box turns a buy-in down",
    "call-it": "the stick has somebody else call the throw",
    "invite": "somebody is invited",
    "withdraw": "an invitation is withdrawn",
    "version": "another version of the server goes on",
    "commit": "the house commits to fresh dice",
    "restore": "after a restore the house commits to fresh dice",
}


def moment_json(moment: GameMoment, throws: HandThrows, work: bool = True) -> JsonObject:
    """A moment; ``work``: with the crew's work list of a throw."""
    table, step = moment.after.table, moment.step
    return {
        "at": step.number,
        "time": step.at or None,
        "line": step.line or None,
        "role": step.role,
        "by": step.by,
        "said": step.said,
        "act": step.act or None,
        "words": list(_words(moment)),
        "refusals": [_refusal(entry) for entry in step.refused],
        "puck": table.puck or None,
        "shooter": _name(table, table.shooter),
        "status": table.status,
        "dice_out": table.dice.out,
        "clock": table.now or None,
        "throw": _throw(moment.throw, work) if moment.throw is not None else None,
        "last": _faces(moment.after.thrown),
        "players": [
            {
                **player_seen(table, seat),
                "end": end_of(table, seat.id),
                "wagers": _wagers(table, seat.wagers),
            }
            for seat in table.seats
        ],
        "dealers": _wagers(table, table.dealers),
        "ledger": _ledger(moment),
        "over": _lying(moment),
        "walk": {
            "throw": throws.at(step.number),
            "throws": len(throws),
            "hand": throws.hand_at(step.number),
            "hands": throws.hands,
            "previous": throws.before(step.number),
            "next": throws.after(step.number),
        },
    }


def hand_json(mark: HandMark) -> JsonObject:
    """A hand: whose, and its throws, each by its moment and its faces (none where it was no
    roll)."""
    return {
        "hand": mark.hand,
        "shooter": mark.shooter or None,
        "throws": [[one.number, one.first, one.second] for one in mark.throws],
    }


def felt_json(table: Table) -> JsonObject:
    """The felt itself, and the parts of it to look at: each left, top, width and height."""
    plan = plan_felt(table.layout, places_of(table))
    frames = {name: [box.left, box.top, box.width, box.height] for name, box in plan.views.items()}
    return {"svg": draw_plan(plan, without=HOLDERS), "views": frames}


def _words(moment: GameMoment) -> Iterator[str]:
    step = moment.step
    if step.act:
        yield _ACTS.get(step.act, step.act.replace("-", " ")).format(by=step.by)
    for event in step.events:
        if not isinstance(event, ev.Rolled):  # the stick calls it
            yield event_words(event)


def _refusal(entry: RecordEntry) -> JsonObject:
    assert entry.refusal is not None
    return {
        "said": entry.said,
        "reason": refusal_words(entry.refusal),
        "cite": entry.refusal.cite,
    }


def _throw(thrown: ThrowKept, work: bool) -> JsonObject:
    before, rolled = thrown.before, thrown.rolled
    told: JsonObject = {
        "dice": [rolled.first, rolled.second],
        "call": call(before, rolled),
        "settlements": [
            {**settlement_json(done), "name": wager_name(before.layout, done.wager)}
            for done in rolled.settlements
        ],
    }
    if (hand := ended_hand(before, rolled)) is not None:
        told["hand"] = hand.words
    if work:
        told["work"] = [task_json(task) for task in work_list(before, rolled)]
    return told


def _faces(thrown: ThrowKept | None) -> list[int] | None:
    return [thrown.rolled.first, thrown.rolled.second] if thrown is not None else None


def _name(table: Table, player: str) -> str | None:
    return None if player == NOBODY else table.seat(player).name


def wager_name(layout: Layout, slug: str) -> str:
    """A wager as the felt's cells are named."""
    spot = layout.spots[slug]
    return cell_name(slug, spot.rule.title, spot.number)


def _wagers(table: Table, wagers: Wagers) -> list[JsonObject]:
    return [
        {**one, "name": wager_name(table.layout, one["wager"])}
        for one in wagers_seen(table, wagers)
    ]


def _ledger(moment: GameMoment) -> JsonObject:
    """Every account, by how much the line changed it, and their sum."""
    table = moment.after.table
    holds = accounts_of(table)
    moved = changes(moment.before.table if moment.before is not None else None, table)
    return {
        "accounts": [
            {
                "account": one.kind,
                "player": _whose(table, one.player),
                "holds": dollars(holds.get(one, 0)),
                "change": dollars(moved.get(one, 0)),
            }
            for one in {**holds, **moved}
        ],
        "sum": dollars(sum(holds.values())),
    }


def _whose(table: Table, player: str) -> str | None:
    return DEALERS if player == DEALERS else _name(table, player)


def _lying(moment: GameMoment) -> str:
    """The chips, pucks and dice; after a throw the dice lie where they came to rest."""
    table, thrown = moment.after.table, moment.after.thrown
    faces = (thrown.rolled.first, thrown.rolled.second) if thrown is not None else None
    lie = lie_of(table, faces, rest=moment.throw is not None)
    return "".join(draw_lie(plan_felt(table.layout, places_of(table)), lie))
