"""Compute what the page of a player or a watcher shows. Pure, except for a cache of crew moves.

A page's state has two parts. `public_state` is the same for everybody and is computed once for each
entry of the log. `PrivateState` belongs to one viewer: the seat, what the player may do now and
what the next throw would pay. Neither part depends on the clock. Neither holds nulls, because a
null in a merge patch (`live.page_feed`) would delete a field.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterable
from datetime import UTC, datetime
from typing import Any, Final

import msgspec

from passline.crew.tasks import Task
from passline.crew.work_list import make_work_list
from passline.felt.geometry import Rectangle, enclose
from passline.felt.layout_contents import Die, find_dice_at_rest, find_layout_contents
from passline.felt.plan import plan_felt
from passline.felt.svg import DICE_HOLDERS, draw_dice, draw_pieces, draw_plan, draw_rack_definitions
from passline.felt.targets import list_target_rows
from passline.game.layout.stakes import Refusal
from passline.game.money.amounts import to_dollars
from passline.game.table.dice_custody import is_automated
from passline.game.table.events import ThrowCorrected
from passline.game.table.options import (
    BetOptionCache,
    Option,
    SharedOptions,
    bet_option,
    list_seat_options,
)
from passline.game.table.state import Seat, Table
from passline.game.table.table_ends import count_places, find_place_end
from passline.game.table.throws import group_next_outcomes
from passline.game.words.live import say_live
from passline.game.words.refusals import describe_refusal, find_prerequisite, suggest_alternatives
from passline.lab.luck.shooter_hand import find_finished_hand
from passline.live.crew_page import find_post_end
from passline.live.live_table import LEARNER, LiveTable, TableThrow
from passline.live.log_entries import JsonObject
from passline.live.merge_patch import drop_nulls
from passline.live.scheduled_actions import (
    DAILY_THROWS,
    betting_deadline,
    list_unready_players,
    refuse_throw,
    waits_for_players,
)
from passline.live.tokens import Holder
from passline.live.views import is_working, list_shown_seats, view_table
from passline.text import show_name

#: Tasks that everyone can see on the layout; the others concern only the crew.
_VISIBLE_TASKS: Final = frozenset(
    {"take", "pay", "push", "return", "place", "keep", "mark", "clear"}
)
#: Tables whose last throw's moves stay in memory.
_MOVES_CACHE_SIZE: Final = 256
_MOVES_CACHE: OrderedDict[str, tuple[TableThrow, list[dict[str, Any]]]] = OrderedDict()


def list_throw_moves(table: str, thrown: TableThrow) -> list[dict[str, Any]]:
    """Return what everybody sees the crew do after a table's last throw, in order, as JSON objects.

    ``table`` is the table's id and ``thrown`` that throw. The list is computed only at the first
    call for a throw and then taken from a cache.
    """
    stored = _MOVES_CACHE.get(table)
    if stored is None or stored[0] is not thrown:
        work = make_work_list(thrown.before, thrown.rolled)
        rules = {(done.player, done.wager): done.cite for done in thrown.rolled.settlements}
        seen = [task for task in work if task.do in _VISIBLE_TASKS]
        stored = thrown, [_move_json(task, rules.get((task.player, task.wager))) for task in seen]
        _MOVES_CACHE[table] = stored
        while len(_MOVES_CACHE) > _MOVES_CACHE_SIZE:
            _MOVES_CACHE.popitem(last=False)
    _MOVES_CACHE.move_to_end(table)
    return stored[1]


def _move_json(task: Task, rule: str | None) -> dict[str, Any]:
    """Return one task of the crew as JSON: the bet, the dealer, the amount and where the chips go.

    ``rule`` is the clause that settled the bet, None if the task settles none. ``cite`` in the JSON
    is the clause about the task.
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
#: A time after every deadline: what a player may do once the betting time is over.
_LATER: Final = datetime.max.replace(tzinfo=UTC)
_ANYBODY: Final = Holder("watcher")
#: The fields of a table that do not decide what a player may bet: the other seats and the house's
#: money.
_OTHER_FIELDS: Final = frozenset(
    {
        "playing",
        "gone",
        "carried",
        "furthest",
        "bet_commands",
        "correctable",
        "drop",
        "win",
        "vig",
        "tokes",
        "promo",
    }
)
ROUND_FIELDS: Final = tuple(name for name in Table.__struct_fields__ if name not in _OTHER_FIELDS)
#: The fields of a live table that no private state depends on.
_OTHER_LIVE_FIELDS: Final = frozenset(
    {
        *("table", "head", "commitment", "visited", "first_thrown_at"),
        *("silent_since", "due_since", "thrown_at", "first_bet_at", "since_throw"),
    }
)
_LIVE_FIELDS: Final = tuple(
    name for name in LiveTable.__struct_fields__ if name not in _OTHER_LIVE_FIELDS
)


def public_state(live: LiveTable) -> JsonObject:
    """Return the part of a page's state that everybody sees, without nulls."""
    table, settings = live.table, live.settings
    view = msgspec.to_builtins(view_table(live, _ANYBODY))
    for private in ("seq", "head", "role"):
        view.pop(private, None)
    state: JsonObject = view | {
        "players": {
            seat.name: _player_json(table, seat) for seat in list_shown_seats(live, _ANYBODY)
        },
        "felt": draw_felt(live),
        "dice": settings.dice,
        "limits": {
            "least": to_dollars(table.house.minimum),
            "most": to_dollars(table.house.maximum),
        },
        "throw_count": table.throws,
        "throws_in_all": DAILY_THROWS if settings.daily else None,
        "buys": not settings.daily,
        "betting_ends": betting_deadline(live).isoformat() if waits_for_players(live) else None,
        "thrown_at": live.thrown_at,
        "history": msgspec.to_builtins(live.history),
        "automated": is_automated(table) or None,
        "watched": _find_end(table, table.shooter),
        "away": sorted(live.away) or None,
        "hosted": bool(settings.host_id) or None,
        "open": settings.open,
        "last": _last_throw_json(live, view.get("last")),
    }
    return drop_nulls(state)


def _player_json(table: Table, seat: Seat) -> JsonObject:
    return {
        "place": seat.place,
        "here": seat.here,
        "rail": to_dollars(seat.rail),
        "bought_in": to_dollars(seat.bought_in),
        "wagers": {
            slug: {
                "amount": to_dollars(stake.amount),
                "working": is_working(table, slug, stake),
            }
            for slug, stake in seat.wagers.items()
        },
    }


def _last_throw_json(live: LiveTable, seen: JsonObject | None) -> JsonObject | None:
    """Return the last throw as a page shows it, or None if there was none.

    ``seen`` is the ``last`` of the table's public view (`views.view_table`), as JSON.
    """
    if live.last_throw is None or seen is None:
        return None
    hand = find_finished_hand(live.last_throw.before, live.last_throw.rolled)
    return {
        "seq": live.history[-1].seq if live.history else None,
        "dice": seen["dice"],
        "call": seen["call"],
        "corrected": _correction_words(live.last_throw.corrected),
        "hand": None if hand is None else {"rolls": hand.rolls, "words": hand.words},
        "moves": list_throw_moves(live.id, live.last_throw),
    }


def _correction_words(corrected: ThrowCorrected | None) -> str | None:
    """Return a sentence about the correction of the last throw, or None if there was none."""
    if corrected is None:
        return None
    now = (corrected.first, corrected.second)
    return say_live("throw-corrected", by=corrected.by, now=now, was=corrected.was)


def draw_felt(live: LiveTable) -> dict[str, str]:
    """Return the SVG fragments of what is on the felt, by name.

    ``dice`` are the dice in play, in front of the boxperson or with the shooter; ``dice/rest`` are
    the same dice where the last throw left them. A page shows one of the two pairs. ``spare`` are
    the dice in the holder.
    """
    table = live.table
    plan = plan_felt(table.layout, count_places(table))
    faces = live.history[-1].dice if live.history else None
    contents = find_layout_contents(table, faces)
    pieces = draw_pieces(plan, contents)
    pieces["dice"] = _draw_dice_in_play(contents.dice)
    pieces["spare"] = draw_dice(die for die in contents.dice if die.where == "holder")
    if faces is not None:
        pieces["dice/rest"] = _draw_dice_in_play(find_dice_at_rest(table, faces))
    return pieces


def _draw_dice_in_play(dice: Iterable[Die]) -> str:
    return draw_dice(die for die in dice if die.where != "holder")


class SharedKey:
    """Everything on which the private states of all viewers depend, except their own seats.

    Compare the keys of two states of a table with `same`: if they are the same, only a private
    state whose own seat changed must be computed again. Most entries are a bet of one player, which
    changes nothing for the others.
    """

    def __init__(self, live: LiveTable, before: SharedKey | None = None) -> None:
        """Compute the key of ``live``.

        ``before`` is the key of an earlier state of the table. Its options are reused if they still
        hold.
        """
        table = live.table
        self.round = [getattr(table, name) for name in ROUND_FIELDS]
        self._live = [getattr(live, name) for name in _LIVE_FIELDS]
        lines = table.house.book.dice.line_wagers.value
        self._people = [
            (seat.id, seat.here, seat.standing, [line for line in lines if line in seat.wagers])
            for seat in table.playing
        ]
        #: Options that players share, as long as the round is the same.
        self.options: SharedOptions = (
            before.options if before is not None and self.same_round(before) else {}
        )

    def same_round(self, other: SharedKey | None) -> bool:
        """Return whether an unchanged seat has the same bet options under both keys.

        The payouts of the next throw are the same then, too.
        """
        return other is not None and _all_same(self.round, other.round)

    def same(self, other: SharedKey | None) -> bool:
        """Return whether an unchanged seat has the same private state under both keys."""
        return (
            other is not None
            and self._people == other._people
            and self.same_round(other)
            and _all_same(self._live, other._live)
        )


def _all_same(first: list[object], second: list[object]) -> bool:
    return all(one is other for one, other in zip(first, second, strict=True))


class PrivateState:
    """The part of a page's state that belongs to one viewer, kept up to date.

    It is computed again only if something that it depends on has changed: the viewer's own seat, or
    what all viewers share (`SharedKey`).
    """

    def __init__(self, holder: Holder) -> None:
        self.holder = holder
        self._key: SharedKey | None = None
        self._seat: Seat | None = None
        self._bets: JsonObject = {}
        self._state: JsonObject = {}
        self._options = OptionCache()

    def update(self, live: LiveTable, key: SharedKey) -> JsonObject:
        """Return the viewer's private state as JSON after the table's last entry, without nulls.

        If nothing changed it is the same object as the last time. ``key`` is the `SharedKey` of
        ``live``.
        """
        holder = self.holder
        seat = live.table.find(holder.name) if holder.role == "player" else None
        if seat is self._seat and key.same(self._key):
            return self._state
        same_round = key.same_round(self._key)
        if not same_round or seat is None or not _same_presence(seat, self._seat):
            self._options.clear()
        if seat is not None and not (seat is self._seat and same_round):
            self._bets = _bets_state(live.table, seat, self._options, key.options)
        self._key, self._seat = key, seat
        self._state = self._compute(live, seat)
        return self._state

    def _compute(self, live: LiveTable, seat: Seat | None) -> JsonObject:
        holder = self.holder
        state: JsonObject = {
            "role": holder.role,
            "now": advise_player(live, seat, _LATER, holder.name),
            "asks_box": holder.role == "player" and holder.name in live.buy_in_requests,
            "learns": live.posts.get(holder.role) == LEARNER,
        }
        if end := find_post_end(holder.role):
            state["watched"] = end
        if seat is not None:
            state |= drop_nulls(_seat_state(live, seat)) | self._bets
        return state


def _same_presence(one: Seat, two: Seat | None) -> bool:
    """Return whether two states of a player's seat differ at most in the rail and the wagers.

    ``two`` is None, and the result False, if the player had no seat before.
    """
    return two is not None and (one.name, one.place, one.here, one.standing) == (
        two.name, two.place, two.here, two.standing,
    )  # fmt: skip


def _seat_state(live: LiveTable, seat: Seat) -> JsonObject:
    """Return the part of a player's private state about the seat, without the bet options."""
    table = live.table
    waits = waits_for_players(live) and live.next_shooter == seat.id
    return {
        "me": seat.name,
        "seat": _seat_json(table, seat),
        "acts": _acts_json(live, seat) if seat.here else _return_json(live.table, seat),
        "now_before": _advise_waiting_shooter(live, seat) if waits else None,
        "begins": seat.here and not seat.wagers and not _is_short(table, seat),
        "over": _is_daily_over(live, seat) or None,
        "repeat": _repeat_says(live, seat),
        "net": _net_result(live, seat) if live.last_throw is not None else None,
        "corrected": _correction_json(live, seat),
    }


def _advise_waiting_shooter(live: LiveTable, seat: Seat) -> str:
    """Return the advice to the shooter while the betting time runs."""
    if seat.id not in live.ready:
        return say_live("your-dice-betting")
    others = [show_name(player) for player in list_unready_players(live)]
    return say_live("your-dice-ready", players=others)


def _correction_json(live: LiveTable, seat: Seat) -> JsonObject | None:
    """Return the player's commands that a correction of the last throw undid, or None if none.

    Each has the reason why it no longer holds.
    """
    since = live.since_throw
    if since is None:
        return None
    own = [one for one in since.dropped if one.player == seat.id]
    dropped = [{"words": one.words, "reason": one.reason, "cite": one.cite} for one in own]
    return {"seq": since.seq, "dropped": dropped} if dropped else None


class OptionCache:
    """One player's bet options as JSON, computed again only when they change.

    Most do not change between two entries, and making the sentence of a refusal takes longer than
    comparing. Call ``clear`` when something other than the player's own rail and wagers has
    changed.
    """

    def __init__(self) -> None:
        self._options = BetOptionCache()
        self._known: dict[tuple[str, str], tuple[object, JsonObject]] = {}

    def clear(self) -> None:
        """Forget all options, so that the next ``list_options`` decides them again."""
        self._options.clear()

    def list_options(
        self, table: Table, seat: Seat, shared: SharedOptions
    ) -> dict[str, dict[str, JsonObject]]:
        """Return the JSON of each option, without nulls, by wager slug and then by verb.

        ``shared`` holds the options that do not depend on the player.
        """
        found: dict[str, dict[str, JsonObject]] = {}
        for option in self._options.list_bet_options(table, seat.id, shared):
            found.setdefault(option.wager, {})[option.verb] = self._find_json(option, seat)
        return found

    def _find_json(self, option: Option, seat: Seat) -> JsonObject:
        shown = option.bar, option.least, option.step, _shown_most(option, seat)
        key = option.wager, option.verb
        known = self._known.get(key)
        if known is None or known[0] != shown:
            known = self._known[key] = shown, drop_nulls(_option_json(option, seat))
        return known[1]


def _bets_state(table: Table, seat: Seat, cache: OptionCache, shared: SharedOptions) -> JsonObject:
    """Return ``may``, the player's bet options, and ``next``, what the next throw would pay.

    ``next`` has, for each total that wins or loses a bet, the player's net in dollars; several nets
    if its ways (such as ``hard`` and ``easy``) pay differently. There are no nulls.
    """
    nets: dict[str, list[JsonObject]] = {}
    for group in group_next_outcomes(table, seat.id) if seat.wagers else ():
        if group.paid or group.taken:
            net = {"way": group.way, "net": to_dollars(group.paid - group.taken)}
            nets.setdefault(str(group.total), []).append(net)
    may = cache.list_options(table, seat, shared) if seat.here else {}
    return {"may": may, "next": nets}


def _find_end(table: Table, player: str) -> str:
    """Return the end of the table (such as "left") where a player stands.

    For a player without a seat it is the end of seat position 1.
    """
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
    """Return {"bar": ...}: why an action is refused, and what is allowed instead.

    It also names the bet that must come first, if one must. ``wager`` is the bet that the action
    concerns, and ``up`` means that this bet is on the layout.
    """
    bar: JsonObject = {"reason": describe_refusal(refusal, seat.name), "cite": refusal.cite}
    if alternatives := suggest_alternatives(refusal, wager, up):
        bar["allowed"] = [alternative.say for alternative in alternatives]
        bar["offers"] = msgspec.to_builtins(alternatives)
    if first := find_prerequisite(refusal):
        bar["first"] = first
    return {"bar": bar}


def _option_json(option: Option, seat: Seat) -> JsonObject:
    """Return an option's limits in dollars, or {"bar": ...}; {} if it takes no amount.

    ``most`` is left out if only the rail limits it. Otherwise the server would have to send the
    limits of all bets again whenever the rail changes.
    """
    if option.bar is not None:
        return _bar_json(option.bar, seat, option.wager, option.verb != "bet")
    if option.verb not in _AMOUNT_VERBS:
        return {}
    limits = {"least": to_dollars(option.least), "step": to_dollars(option.step)}
    most = _shown_most(option, seat)
    return limits if most is None else limits | {"most": to_dollars(most)}


def _shown_most(option: Option, seat: Seat) -> int | None:
    """Return the largest amount of an option in cents, or None if the page does not need it.

    The page does not need it if only the rail limits the amount, if the option takes no amount, or
    if the option is barred.
    """
    if option.verb not in _AMOUNT_VERBS or option.bar is not None:
        return None
    up = seat.wagers[option.wager].amount if option.wager in seat.wagers else 0
    affordable = (seat.rail + up - option.least) // option.step * option.step + option.least
    return None if option.verb != "reduce" and option.most == affordable else option.most


def _acts_json(live: LiveTable, seat: Seat) -> JsonObject:
    """Return what a player may do besides betting, by verb, with the reason for each refusal.

    The throw counts as if the betting time were over, so that the result does not depend on the
    clock.
    """
    options = list_seat_options(live.table, seat.id)
    found: JsonObject = {option.verb: _option_json(option, seat) for option in options}
    if live.settings.dice != "typed":
        refused = refuse_throw(live, seat.id, _LATER)
        found["roll"] = _bar_json(refused, seat) if refused is not None else {}
    if waits_for_players(live) and seat.id not in live.ready:
        found["ready"] = {}
    return found


def _is_daily_over(live: LiveTable, seat: Seat) -> bool:
    """Return whether a player's Daily is over. It never is while the player has bets up.

    A Daily is over when no throws are left, the rail is below the minimum bet, or the player has
    left.
    """
    if not live.settings.daily or seat.wagers:
        return False
    return live.table.throws >= DAILY_THROWS or _is_short(live.table, seat) or not seat.here


def _return_json(table: Table, seat: Seat) -> JsonObject:
    """Return {"return": {}} if a player who left with chips may come back with them; else {}."""
    can_return = seat.rail and table.status != "closed"
    return {"return": {}} if can_return else {}


def advise_player(live: LiveTable, seat: Seat | None, now: datetime, name: str = "") -> str:
    """Return one sentence that tells the viewer of a page what to do now.

    ``seat`` is None for a visitor. ``name`` is then the name for which the visitor asked for a
    buy-in, if there is one.
    """
    table = live.table
    if table.status == "closed":
        return say_live("table-closed")
    if seat is None:
        return _advise_visitor(live, name)
    if not seat.here:
        return say_live("left-with-chips" if seat.rail else "seat-left", rail=seat.rail)
    if not seat.wagers and _is_short(table, seat):
        return _advise_short_rail(live, seat)
    if _is_daily_over(live, seat):
        return say_live("daily-over")
    refused = refuse_throw(live, seat.id, now) if live.settings.dice != "typed" else None
    mine = live.next_shooter == seat.id
    if is_automated(table):
        return say_live("bubble-roll" if seat.wagers else "bubble-bet")
    if mine and refused is None and live.settings.dice != "typed":
        return say_live("your-dice")
    if mine and refused is not None:
        return say_live("your-dice-soon", reason=describe_refusal(refused, seat.name))
    if table.dice.out:
        return say_live("throw-yours" if mine else "throw-theirs")
    if mine and seat.wagers:
        return say_live("your-dice-stick")
    if not seat.wagers:
        later = table.point and not _is_line_open(table, seat)
        return say_live("bet-line-later" if later else "bet-line")
    if live.next_shooter:
        return say_live("other-shooter", shooter=table.seat(live.next_shooter).name)
    return say_live("no-shooter")


def _advise_visitor(live: LiveTable, name: str) -> str:
    """Return the advice for a visitor without a seat. ``name`` is "" or asked for a buy-in."""
    if pending := live.buy_in_requests.get(name):
        return say_live("box-asked", amount=pending.amount)
    if down := live.declined_buy_ins.get(name):
        return say_live("box-declined", amount=down.amount, reason=down.reason)
    return say_live("sit-or-watch")


def _is_short(table: Table, seat: Seat) -> bool:
    """Return whether a player cannot afford the table's minimum line bet."""
    return seat.rail < table.house.minimum


def _advise_short_rail(live: LiveTable, seat: Seat) -> str:
    """Return the advice for a player who cannot afford the table's minimum line bet."""
    if live.settings.daily:
        return say_live("daily-played-out")
    if not seat.rail:
        return say_live("rail-empty")
    return say_live("rail-short", rail=seat.rail, least=live.table.house.minimum)


def _is_line_open(table: Table, seat: Seat) -> bool:
    """Return whether the player may make a line bet (such as pass) now."""
    lines = {slug for slug, spot in table.layout.spots.items() if spot.rule.is_line}
    made = (bet_option(table, seat.id, slug) for slug in lines)
    return any(option.bar is None for option in made)


def _repeat_says(live: LiveTable, seat: Seat) -> list[str]:
    """Return commands that repeat the player's last bets that are no longer up, one for each."""
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
    """Return what the page needs to show the felt, as JSON.

    * ``svg`` is the drawing of the whole felt, without bets.
    * ``views`` are frames to zoom to, and ``rows`` the click targets, for one ``end``: ``left`` or
      ``right`` (the first end if the table has no such end). ``place`` is the viewer's seat
      position.
    * ``chips`` are the colors of the house's chips with their values.
    """
    table = live.table
    plan = plan_felt(table.layout, count_places(table))
    own = end if end in plan.ends else plan.ends[0]
    views = {"whole": "whole", "end": f"end:{own}", "center": "center"}
    near = plan.views[views["end"]], plan.views["center"]
    return {
        "svg": draw_plan(
            plan, [draw_rack_definitions(table.house.rack.chips)], hidden_fixtures=DICE_HOLDERS
        ),
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
