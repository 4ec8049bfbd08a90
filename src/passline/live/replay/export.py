"""Convert a moment of a game to JSON for the replay page, and a whole game to CSV. Pure.

A moment is the table after one line of the game, and what the line did. The CSV has a row for each
settlement and for each account that a line changed. The accounts sum to zero: every cent that was
dropped is in one of them.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator, Mapping
from typing import NamedTuple

from passline.crew.report import task_to_json
from passline.crew.stick import make_stick_call
from passline.crew.work_list import make_work_list
from passline.felt.layout_contents import find_layout_contents
from passline.felt.plan import plan_felt
from passline.felt.svg import DICE_HOLDERS, draw_contents, draw_plan
from passline.game.layout.spots import Layout
from passline.game.layout.stakes import Wagers
from passline.game.money.amounts import to_dollars
from passline.game.table import events as ev
from passline.game.table.state import DEALERS, Table
from passline.game.table.table_ends import count_places, find_end
from passline.game.words.events import describe_event
from passline.game.words.log import ACT_SENTENCES, REPLAY_COLUMNS
from passline.game.words.refusals import describe_refusal
from passline.game.words.wagers import felt_wager_name
from passline.lab.luck.shooter_hand import find_finished_hand
from passline.live.live_table import TableThrow
from passline.live.log_entries import JsonObject
from passline.live.replay.moments import GameMoment, HandSummary, ThrowIndex
from passline.live.schema import to_json_value
from passline.live.views import player_name, view_player, view_wagers
from passline.record.report import settlement_json
from passline.text import escape_spreadsheet_cell, show_name


class Account(NamedTuple):
    """The key of an account, such as ``drop`` or ``bank``, or a player's ``rail`` or ``layout``.

    ``player`` is empty for accounts of the house.
    """

    kind: str
    player: str = ""


#: Cents by account.
AccountBalances = Mapping[Account, int]


def compute_balances(table: Table) -> AccountBalances:
    """Return the balance of each account in cents. They sum to zero.

    The drop, which bought every chip, is negative. The table counts the cost of promotions in the
    house's win; here they have their own account.
    """
    found = {
        Account("drop"): -table.drop,
        Account("bank"): table.win + table.promo,
        Account("promotions"): -table.promo,
        Account("vigorish"): table.vig,
        Account("tokes"): table.tokes,
    }
    for seat in table.seats:
        found[Account("rail", seat.id)] = seat.rail
        found[Account("layout", seat.id)] = sum(stake.amount for stake in seat.wagers.values())
    if table.dealers:
        found[Account("layout", DEALERS)] = sum(stake.amount for stake in table.dealers.values())
    return found


def compute_changes(before: Table | None, after: Table) -> AccountBalances:
    """Return by how many cents each account changed between two tables. Leave out those unchanged.

    ``before`` is None for the opening of a table.
    """
    was = compute_balances(before) if before is not None else {}
    now = compute_balances(after)
    moved = {one: now.get(one, 0) - was.get(one, 0) for one in {**now, **was}}
    return {one: cents for one, cents in moved.items() if cents}


def _proof_json(moment: GameMoment) -> JsonObject | None:
    """Return what a browser needs to check a throw of the house's dice.

    Return None if the moment is no such throw.
    """
    fair = moment.step.fair
    if fair is None or moment.before is None:
        return None
    return {
        "commit": moment.before.commit,
        "fresh": moment.before.is_fresh,
        "number": moment.before.house_throws,
        "secret": fair.secret,
        "nonce": fair.nonce,
    }


def moment_json(moment: GameMoment, throws: ThrowIndex, work: bool = True) -> JsonObject:
    """Return a moment (one line of the game and the table after it) as JSON.

    ``throws`` is the game's index, which tells the throws and hands before and after. ``work`` adds
    the crew's work list of a throw.
    """
    table, step = moment.after.table, moment.step
    return {
        "at": step.number,
        "time": step.at or None,
        "line": step.line or None,
        "role": step.role,
        "by": step.by,
        "said": step.said,
        "act": step.act or None,
        "words": list(_moment_words(moment)),
        "refusals": [
            {"said": one.said, "reason": describe_refusal(one.refusal), "cite": one.refusal.cite}
            for one in step.refused
            if one.refusal is not None
        ],
        "puck": table.puck,
        "shooter": player_name(table, table.shooter),
        "status": table.status,
        "dice_out": table.dice.out,
        "clock": table.now or None,
        "throw": _throw_json(moment.throw, work) if moment.throw is not None else None,
        "proof": _proof_json(moment),
        "last": list(moment.after.faces) if moment.after.faces is not None else None,
        "players": [
            {
                **to_json_value(view_player(table, seat)),
                "end": find_end(table, seat.id),
                "wagers": _wagers_json(table, seat.wagers),
            }
            for seat in table.seats
        ],
        "dealers": _wagers_json(table, table.dealers),
        "ledger": _ledger_json(moment),
        "over": _draw_felt_contents(moment),
        "walk": {
            "throw": throws.count_until(step.number),
            "throws": len(throws),
            "hand": throws.hand_at(step.number),
            "hands": throws.hands,
            "previous": throws.previous_throw(step.number),
            "next": throws.next_throw(step.number),
        },
    }


def hand_json(mark: HandSummary) -> JsonObject:
    """Return a hand as JSON: its shooter, and [step number, die, die] for each throw."""
    return {
        "hand": mark.hand,
        "shooter": mark.shooter or None,
        "throws": [[one.number, one.first, one.second] for one in mark.throws],
    }


def felt_json(table: Table) -> JsonObject:
    """Return {"svg", "views"}: the drawing of the felt, and the frame of each view of it.

    A frame is [left, top, width, height].
    """
    plan = plan_felt(table.layout, count_places(table))
    frames = {name: [box.left, box.top, box.width, box.height] for name, box in plan.views.items()}
    return {"svg": draw_plan(plan, hidden_fixtures=DICE_HOLDERS), "views": frames}


def _moment_words(moment: GameMoment) -> Iterator[str]:
    """Yield a sentence for the act and for each event of a moment, except for throws."""
    step = moment.step
    if step.act:
        words = ACT_SENTENCES.get(step.act, step.act.replace("-", " "))
        yield words.format(by=show_name(step.by), player=show_name(step.player))
    for event in step.events:
        if not isinstance(event, ev.Rolled):  # The call describes a throw.
            yield describe_event(event)


def _throw_json(thrown: TableThrow, work: bool) -> JsonObject:
    before, rolled = thrown.before, thrown.rolled
    row: JsonObject = {
        "dice": [rolled.first, rolled.second],
        "call": make_stick_call(before, rolled),
        "settlements": [
            {
                **settlement_json(done),
                "name": wager_name(before.layout, done.wager),
                "to_name": wager_name(before.layout, done.to) if done.to else None,
            }
            for done in rolled.settlements
        ],
    }
    if (hand := find_finished_hand(before, rolled)) is not None:
        row["hand"] = hand.words
    if work:
        row["work"] = [task_to_json(task) for task in make_work_list(before, rolled)]
    return row


def wager_name(layout: Layout, slug: str) -> str:
    """Return a bet's name as printed on the felt. ``slug`` is its key, such as ``place-win-6``."""
    spot = layout.spots[slug]
    return felt_wager_name(slug, spot.rule.title, spot.number)


def _wagers_json(table: Table, wagers: Wagers) -> list[JsonObject]:
    return [
        {**one, "name": wager_name(table.layout, one["wager"])}
        for one in to_json_value(view_wagers(table, wagers))
    ]


def _ledger_json(moment: GameMoment) -> JsonObject:
    """Return every account's balance, its change by this line of the game, and their sum."""
    table = moment.after.table
    holds = compute_balances(table)
    moved = compute_changes(moment.before.table if moment.before is not None else None, table)
    return {
        "accounts": [
            {
                "account": one.kind,
                "player": DEALERS if one.player == DEALERS else player_name(table, one.player),
                "holds": to_dollars(holds.get(one, 0)),
                "change": to_dollars(moved.get(one, 0)),
            }
            for one in {**holds, **moved}
        ],
        "sum": to_dollars(sum(holds.values())),
    }


def _draw_felt_contents(moment: GameMoment) -> str:
    """Draw the chips, pucks and dice. After a throw the dice are drawn where they came to rest."""
    table = moment.after.table
    lie = find_layout_contents(table, moment.after.faces, at_rest=moment.throw is not None)
    return "".join(draw_contents(plan_felt(table.layout, count_places(table)), lie))


def csv_header() -> str:
    """Return the header line of the CSV of a game."""
    return _format_rows([list(REPLAY_COLUMNS)])


def csv_rows(moment: GameMoment) -> str:
    """Return the CSV lines for the money that a moment moved, or "" if it moved none.

    Cells are escaped, so that a spreadsheet does not run them as formulas.
    """
    rows = (*_settlement_rows(moment), *_ledger_rows(moment))
    return _format_rows([[row.get(column, "") for column in REPLAY_COLUMNS] for row in rows])


def _format_rows(rows: list[list[str]]) -> str:
    out = io.StringIO()
    csv.writer(out, lineterminator="\r\n").writerows(rows)
    return out.getvalue()


def _line_cells(moment: GameMoment) -> dict[str, str]:
    """Return the CSV cells, by column, that describe a moment's line."""
    step = moment.step
    return {
        "moment": str(step.number),
        "at": step.at,
        "line": str(step.line or ""),
        "role": escape_spreadsheet_cell(step.role),
        "by": escape_spreadsheet_cell(step.by),
        "said": escape_spreadsheet_cell(step.said),
    }


def _settlement_rows(moment: GameMoment) -> Iterator[dict[str, str]]:
    """Yield the CSV cells, by column, of each bet that the moment's throw settled."""
    if moment.throw is None:
        return
    rolled, said = moment.throw.rolled, _line_cells(moment)
    for done in rolled.settlements:
        yield {
            **said,
            "row": "settlement",
            "player": escape_spreadsheet_cell(done.player),
            "dice": f"{rolled.first} {rolled.second}",
            "wager": done.wager,
            "stake": to_dollars(done.stake),
            "result": done.result,
            "odds": done.odds or "",
            "paid": to_dollars(done.paid),
            "vig": to_dollars(done.vig),
            "to": done.to or "",
            "cite": escape_spreadsheet_cell(done.cite),
        }


def _ledger_rows(moment: GameMoment) -> Iterator[dict[str, str]]:
    """Yield the CSV cells, by column, of each account that the moment changed."""
    before = moment.before.table if moment.before is not None else None
    holds, said = compute_balances(moment.after.table), _line_cells(moment)
    for account, cents in compute_changes(before, moment.after.table).items():
        yield {
            **said,
            "row": "ledger",
            "player": escape_spreadsheet_cell(account.player),
            "account": account.kind,
            "change": to_dollars(cents),
            "holds": to_dollars(holds.get(account, 0)),
        }
