"""The crew's work list for one roll: every task of every member, in order.

The engine has settled the roll. The work list assigns each settlement to the step that handles it,
then adds pucks, buttons, markers and announcements. Every settlement is handled exactly once.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from msgspec.structs import replace

from passline.crew import post_names
from passline.crew.cut_payoff import cut_payoff
from passline.crew.facts import Occasion, find_occasion
from passline.crew.procedures import announce_dont_shooter, list_announcement_tasks
from passline.crew.stick import make_stick_call
from passline.crew.tasks import (
    BANK,
    VIG,
    MoneyMove,
    PlayerStep,
    Pot,
    Task,
    TaskVerb,
    WorkStep,
    cut_chips,
    find_announce_rule,
    list_steps,
)
from passline.game.law.book_parts import load_part
from passline.game.law.citations import CitedEntry
from passline.game.layout.spots import Layout
from passline.game.layout.stakes import Settlement
from passline.game.table import table_ends
from passline.game.table.dice_custody import is_automated
from passline.game.table.events import Rolled
from passline.game.table.evolve import evolve
from passline.game.table.state import Table
from passline.game.table.throws import must_pass_dice
from passline.game.words.crew import (
    CALLS,
    MARKER_TASKS,
    OVER_MAXIMUM,
    PUCK_STANDS,
    PUCKS_STAND,
    ChipCounts,
    describe_announcement,
    describe_task,
    format_possessive,
)
from passline.game.words.events import RollCaller
from passline.game.words.wagers import layout_name
from passline.text import join_words, show_name

#: The cents that losing netted wagers take out of a win, by player and wager.
NettedAmounts = dict[tuple[str, str], int]


def _find_netted_amounts(layout: Layout, settlements: Iterable[Settlement]) -> NettedAmounts:
    """Return how many cents the dealer keeps back from each proposition win, by (player, wager).

    Iowa nets propositions (prop-payoffs.7#1): if a player wins one and loses another and both stay
    up, the win pays for the lost bet first. Place wagers are not netted.
    """
    staying = [
        settlement
        for settlement in settlements
        if settlement.left
        and (spot := layout.spots.get(settlement.wager)) is not None
        and spot.rule.area == "center"
    ]
    lost: dict[str, int] = {}
    for settlement in staying:
        if settlement.result == "lose":
            lost[settlement.player] = lost.get(settlement.player, 0) + settlement.stake
    netted: NettedAmounts = {}
    for settlement in staying:
        if settlement.result == "win" and lost.get(settlement.player):
            out = min(settlement.paid, lost[settlement.player])
            lost[settlement.player] -= out
            netted[settlement.player, settlement.wager] = out
    return netted


class _MarkerNote(CitedEntry, frozen=True):
    """The citation for a task about markers, and the count (``at``) at which the task is due."""

    also: tuple[str, ...] = ()
    at: int | None = None


def _load_markers(table: Table) -> dict[str, _MarkerNote]:
    return load_part(table.house.book.id, "crew/markers", dict[str, _MarkerNote])


def _make_marker_task(
    table: Table,
    post: str,
    name: str,
    do: TaskVerb,
    end: table_ends.End | None = None,
    **figures: object,
) -> Task:
    return Task(
        by=post_names.name_post(table, post, end or "left"),
        post=post,
        end=end or "",
        do=do,
        words=MARKER_TASKS[name].format(**figures),
        cite=_load_markers(table)[name].cite,
    )


def _list_puck_tasks(table: Table, rolled: Rolled, occasion: Occasion) -> Iterator[Task]:
    alone = is_automated(table) or post_names.count_base_dealers(table) == 1
    both = table_ends.ENDS[:1] if alone else table_ends.ENDS
    if occasion == "established":
        number, pucks = rolled.puck, PUCK_STANDS if alone else PUCKS_STAND
        for end in both:
            yield _make_marker_task(table, "base", "puck-on", "mark", end, number=number)
        yield _make_marker_task(table, "stick", "puck-check", "verify", pucks=pucks, number=number)
    elif occasion in {"made", "seven-out"}:
        for end in both:
            yield _make_marker_task(table, "base", "puck-off", "mark", end, number=rolled.was)
    elif rolled.special:
        end = table_ends.find_end(table, rolled.shooter)
        yield _make_marker_task(table, "base", "puck-special", "mark", end, player=rolled.shooter)


def _has_side_wager(table: Table, counts: str) -> bool:
    """Return whether a side wager is up that collects `counts`.

    `counts` is "points-made" (fire) or "totals-thrown" (bonus craps).
    """
    rules = [table.layout.spots[slug].rule for _, wagers in table.everybody() for slug in wagers]
    return any(rule.collects == counts for rule in rules)


def _list_fire_tasks(table: Table, rolled: Rolled) -> Iterator[Task]:
    """Yield the tasks for fire bets: a marker for each new point, or clearing the markers.

    When enough points are made, the box notifies surveillance.
    """
    if not _has_side_wager(table, "points-made"):
        return
    for point in sorted(set(rolled.made) - table.made):
        count = len(table.made | {point})
        yield _make_marker_task(table, "base", "fire-marker", "button", count=count, number=point)
        if count == _load_markers(table)["surveillance"].at:
            yield _make_marker_task(table, "box", "surveillance", "notify", count=count)
    if table.made and not rolled.made:
        yield _make_marker_task(table, "base", "fire-clear", "clear")


def _list_bonus_tasks(table: Table, rolled: Rolled) -> Iterator[Task]:
    """Yield a task for the bonus bets: put a button on a new total, or clear all on a seven."""
    if not _has_side_wager(table, "totals-thrown"):
        return
    total = rolled.first + rolled.second
    if total in rolled.thrown and total not in table.thrown:
        yield _make_marker_task(table, "base", "bonus-button", "button", number=total)
    elif table.thrown and not rolled.thrown:
        yield _make_marker_task(table, "base", "bonus-clear", "clear")


def _list_shootout_tasks(table: Table, rolled: Rolled, occasion: Occasion) -> Iterator[Task]:
    """Yield the tasks for the shootout promotion when a point is made: a button on the point.

    When the last of all points is made, the supervisor verifies it and inspects the dice.
    """
    state, rules = table.shootout, table.house.book.shootout
    if state is None or rules is None or occasion != "made" or not state.open:
        return
    yield _make_marker_task(table, "base", "shootout-button", "button", number=rolled.was)
    if (state.made | {rolled.was}).issuperset(rules.points.value):
        yield _make_marker_task(table, "supervisor", "shootout-verify", "verify")
        yield _make_marker_task(table, "supervisor", "shootout-inspect", "inspect")


#: Verbs that push a wager aside and leave it to a later step.
_MOVES_NOTHING = frozenset({"push"})


def make_work_list(
    table: Table, rolled: Rolled, call: RollCaller | None = None
) -> tuple[Task, ...]:
    """Return everything the crew does for a roll, in order. `table` is the table before it.

    `call` makes the stick's call (default: in the rulebook's style).
    """
    call = call or make_stick_call
    occasion = find_occasion(rolled)
    waiting = [(settlement, find_work_kind(table, settlement)) for settlement in rolled.settlements]
    netted = _find_netted_amounts(table.layout, rolled.settlements)
    found: list[Task] = [] if table.dice.out else list(list_announcement_tasks(table, "dice-out"))
    awards: list[Task] = []
    for step in list_steps(table.house.book.id, occasion):
        if not step.kinds:
            found.append(_make_plain_task(table, rolled, step, call))
        elif step.name == "award":  # An award is paid after the supervisor has verified it.
            awards += _list_step_tasks(table, rolled, step, waiting, netted)
        else:
            found += _list_step_tasks(table, rolled, step, waiting, netted)
    assert not waiting, f"nobody handles {waiting}"
    found += [
        *_list_puck_tasks(table, rolled, occasion),
        *_list_fire_tasks(table, rolled),
        *_list_bonus_tasks(table, rolled),
        *_list_shootout_tasks(table, rolled, occasion),
        *awards,
    ]
    after = evolve(table, rolled)
    if occasion == "established":
        found += list_announcement_tasks(after, "point-set")
    keeps_dice = not must_pass_dice(table, rolled.first + rolled.second)
    if keeps_dice and occasion in {"come-out", "made"}:
        found += list_announcement_tasks(after, "coming-out", after=rolled.shooter)
    return (*found, *announce_dont_shooter(table, after, found))


def find_work_kind(table: Table, settlement: Settlement) -> str:
    """Return the kind by which the crew's steps select a wager: where it lies on the layout.

    It is "prop", "side", "award" (the shootout's, which is no wager), the wager's own kind, or such
    as `come-n` for a come bet on a number.
    """
    spot = table.layout.spots.get(settlement.wager)
    if spot is None:
        return "award"
    if spot.rule.call_place == "side":
        return "side"
    if spot.rule.area == "center":
        return "prop"
    # A second wager of its shape, such as another place bet, is worked as the first is.
    kind = spot.rule.find_standard_name(table.house.book, spot.family)
    return f"{kind}-n" if spot.rule.is_come and spot.number else kind


def _make_plain_task(table: Table, rolled: Rolled, step: WorkStep, call: RollCaller) -> Task:
    at = table_ends.find_dice_end(table, rolled.shooter)
    words = step.words.format(end=at if step.end == "dice" else table_ends.opposite_end(at))
    if step.do == "call":
        words = CALLS.format(words=call(table, rolled))
    return Task(
        by=post_names.name_post(table, step.by),
        post=step.by,
        end={"dice": at, "shooter": table_ends.opposite_end(at)}.get(step.end, ""),
        do=step.do,
        words=words,
        cite=step.find_clause(table.house.game),
    )


def _list_step_tasks(
    table: Table,
    rolled: Rolled,
    step: WorkStep,
    waiting: list[tuple[Settlement, str]],
    netted: NettedAmounts,
) -> Iterator[Task]:
    """Yield the tasks of a step, end by end, player by player, wager by wager.

    `waiting` has (settlement, kind) of the wagers not yet handled; those that the step handles are
    removed in place, but not those that it only pushes aside. `netted` is what losing wagers take
    out of wins, in cents.
    """
    in_the_way = {
        table_ends.find_end(table, done.player) for done, kind in waiting if kind in step.before
    }
    at = table_ends.find_dice_end(table, rolled.shooter)  # In the center, that end is paid first.
    for end in (at, table_ends.opposite_end(at)) if step.first == "dice-end" else table_ends.ENDS:
        if step.before and end not in in_the_way:
            continue
        for player in table_ends.list_players_at(table, end, step.way):
            own = [pair for pair in waiting if pair[0].player == player]
            mine = [pair for pair in own if _step_handles(table, step, *pair)]
            mine.sort(key=lambda pair: _find_rank(table, step, end, *pair))
            yield from _list_player_tasks(table, step.before_player.values(), end, mine)
            for pair in mine:
                if step.do not in _MOVES_NOTHING:
                    waiting.remove(pair)
                adjusted = _adjust_over_maximum(rolled, step, pair[0])
                yield from _list_wager_tasks(table, adjusted, end, *pair, netted)
            yield from _list_player_tasks(table, step.after_player.values(), end, mine)


def _adjust_over_maximum(rolled: Rolled, step: WorkStep, settlement: Settlement) -> WorkStep:
    """Return the step, or one that hands back the part of a winning bet above the maximum."""
    won = {(other.player, other.wager) for other in rolled.settlements if other.result == "win"}
    if not step.partly or (settlement.player, settlement.wager) not in won:
        return step
    return replace(step, cite=settlement.cite, cite_by_game={}, where=OVER_MAXIMUM)


def _list_wager_tasks(
    table: Table,
    step: WorkStep,
    end: table_ends.End,
    settlement: Settlement,
    kind: str,
    netted: NettedAmounts,
) -> Iterator[Task]:
    """Yield the tasks for one wager: its announcement, if any, and what is done to it.

    `kind` is as from `find_work_kind`; `netted` is what losing wagers take out of wins, in cents.
    """
    out, book = netted.get((settlement.player, settlement.wager), 0), table.house.book.id
    line = find_announce_rule(book, step, kind) if settlement.result != "push" else None
    task = _make_wager_task(table, step, end, settlement, out)
    if line is not None:
        yield replace(
            task,
            by=post_names.name_post(table, line.by or step.by, end),
            post=line.by or step.by,
            do="announce",
            words=describe_announcement(step.do, settlement, out),
            cite=line.cite,
            chips=(),
            where="",
            moves=(),
        )
    yield task


def _list_player_tasks(
    table: Table,
    player_steps: Iterable[PlayerStep],
    end: table_ends.End,
    mine: list[tuple[Settlement, str]],
) -> Iterator[Task]:
    """Yield the tasks done once for a player, before or after the player's wagers in a step.

    `mine` has (settlement, kind) of these wagers.
    """
    for player_step in player_steps:
        own = [settlement for settlement, kind in mine if kind in player_step.kinds]
        if not own:
            continue
        player, whose = own[0].player, format_possessive(own[0].player)
        names = join_words([layout_name(settlement.wager) for settlement in own])
        yield Task(
            by=post_names.name_post(table, "base", end),
            post="base",
            end=end,
            do=player_step.do,
            words=player_step.words.format(player=show_name(player), whose=whose, wagers=names),
            cite=player_step.cite,
            player=player,
            wager=own[-1].wager,
            amount=sum(settlement.stake for settlement in own),
        )


def _step_handles(table: Table, step: WorkStep, settlement: Settlement, kind: str) -> bool:
    if settlement.result not in step.results:
        return False
    if settlement.result == "lose" and bool(settlement.left) != (step.do == "keep"):
        return False
    if step.partly:
        return not table.layout.spots[settlement.wager].flat  # Odds come back with their flat.
    return kind in step.kinds


def _find_rank(
    table: Table, step: WorkStep, end: table_ends.End, settlement: Settlement, kind: str
) -> tuple[int, int]:
    """Return the sort key of a wager among a player's in a step: by kind, or by number outward."""
    kinds = step.kinds.index(kind) if kind in step.kinds else len(step.kinds)
    if step.order == "kind":
        return (0, kinds)
    return (table_ends.center_out_key(end, table.layout.spots[settlement.wager].number), kinds)


def _make_wager_task(
    table: Table, step: WorkStep, end: table_ends.End, settlement: Settlement, netted: int
) -> Task:
    amount = settlement.paid - netted if step.do == "pay" else settlement.stake
    chips, how = _cut_chips_out(table, step, replace(settlement, paid=settlement.paid - netted))
    return Task(
        by=post_names.name_post(table, step.by, end),
        post=step.by,
        end=end,
        do=step.do,
        words=describe_task(step.do, settlement, chips, step.where, how, netted),
        cite=step.find_clause(table.house.game),
        player=settlement.player,
        wager=settlement.wager,
        amount=amount,
        chips=chips,
        where=how or step.where,
        moves=() if step.do in _MOVES_NOTHING else _list_money_moves(settlement, netted),
    )


def _cut_chips_out(table: Table, step: WorkStep, settlement: Settlement) -> tuple[ChipCounts, str]:
    """Return (chips of a payoff, words for how they are set), or ((), "") if nothing is paid."""
    if step.do != "pay" or not settlement.paid:
        return (), ""
    if settlement.wager not in table.layout.spots:
        return cut_chips(table.house.rack, settlement.paid), ""
    # The dealer hands off the whole pay and then asks for the vigorish (iowa buy/ask-vig).
    payoff = cut_payoff(table.layout, replace(settlement, vig=0))
    spot = table.layout.spots[settlement.wager]
    in_place = spot.rule.is_come and not spot.number
    return payoff.chips.counts, "" if in_place else payoff.words


def _list_money_moves(settlement: Settlement, netted: int = 0) -> tuple[MoneyMove, ...]:
    """Return the money moves of a settlement.

    `netted` is what the player's losing propositions take out of this win, in cents.
    """
    rail = Pot("rail", settlement.player)
    spot = Pot("layout", settlement.player, settlement.wager)
    if settlement.result == "travel":
        target = Pot("layout", settlement.player, str(settlement.to))
        found = [MoneyMove(spot, target, settlement.stake)]
    elif settlement.result == "lose" and settlement.left:
        found = []  # A netted loser stays up: it was taken out of the win.
    elif settlement.result == "lose":
        found = [
            MoneyMove(spot, BANK, settlement.stake - settlement.back),
            MoneyMove(spot, rail, settlement.back),
        ]
    else:
        found = [
            MoneyMove(BANK, rail, settlement.paid - netted),
            MoneyMove(rail, VIG, settlement.vig),
            MoneyMove(spot, rail, settlement.stake - settlement.left),
        ]
    return tuple(move for move in found if move.amount)
