"""The crew's work list for one roll: every task of every member, in order.

The engine has settled the roll. The work list assigns each settlement to the step that handles it,
then adds pucks, buttons, markers and announcements. Every settlement is handled exactly once.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import msgspec
from msgspec.structs import replace

from passline.crew import ends
from passline.crew.facts import Occasion, find_occasion
from passline.crew.payoffs import cut_payoff
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
from passline.game.layout.spots import Layout
from passline.game.layout.stakes import Settlement
from passline.game.table.dice_custody import is_automated
from passline.game.table.events import Rolled
from passline.game.table.evolve import evolve
from passline.game.table.state import Table
from passline.game.table.throws import must_pass_dice
from passline.game.words.crew import (
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
from passline.text import join_words

#: The cents that losing netted wagers take out of a win, by player and wager.
NettedAmounts = dict[tuple[str, str], int]


def find_netted_amounts(layout: Layout, settlements: Iterable[Settlement]) -> NettedAmounts:
    """Return how much of each win pays for the player's losing propositions that stay up.

    This is Iowa's netting (prop-payoffs.7#1). Only wins on propositions are netted; a place wager
    is paid in full.
    """
    found = [settlement for settlement in settlements if _is_proposition(layout, settlement.wager)]
    lost: dict[str, int] = {}
    for settlement in found:
        if settlement.result == "lose" and settlement.left:
            lost[settlement.player] = lost.get(settlement.player, 0) + settlement.stake
    netted: NettedAmounts = {}
    for settlement in found:
        if settlement.result == "win" and settlement.left and lost.get(settlement.player):
            out = min(settlement.paid, lost[settlement.player])
            lost[settlement.player] -= out
            netted[settlement.player, settlement.wager] = out
    return netted


def _is_proposition(layout: Layout, wager: str) -> bool:
    """Return whether a wager is a proposition. An award is on no spot."""
    return wager in layout.spots and layout.spots[wager].rule.area == "center"


class MarkerNote(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The clause that requires a marker or notice, or the custom; ``at`` is a count, if any."""

    cite: str = ""
    also: tuple[str, ...] = ()
    at: int | None = None
    custom: str = ""

    @property
    def clause(self) -> str:
        """Return the rulebook's clause, or the custom."""
        return self.cite or f"custom: {self.custom}"


def load_markers(book: str) -> dict[str, MarkerNote]:
    """Return the markers and notices of a rulebook, by name."""
    return load_part(book, "crew/markers", dict[str, MarkerNote])


def list_marker_tasks(table: Table, rolled: Rolled, occasion: Occasion) -> Iterator[Task]:
    """Yield the tasks after the money: pucks, then the buttons of side wagers and promotions."""
    yield from _list_puck_tasks(table, rolled, occasion)
    yield from _list_fire_tasks(table, rolled)
    yield from _list_bonus_tasks(table, rolled)
    yield from _list_shootout_tasks(table, rolled, occasion)


def _make_marker_task(
    table: Table, post: str, name: str, do: TaskVerb, end: ends.End | None = None, **figures: object
) -> Task:
    return Task(
        by=ends.name_post(table, post, end or "left"),
        post=post,
        end=end or "",
        do=do,
        words=MARKER_TASKS[name].format(**figures),
        cite=load_markers(table.house.book.id)[name].clause,
    )


def _list_puck_tasks(table: Table, rolled: Rolled, occasion: Occasion) -> Iterator[Task]:
    both = (
        ends.ENDS[:1] if is_automated(table) or ends.count_base_dealers(table) == 1 else ends.ENDS
    )
    if occasion == "established":
        for end in both:
            yield _make_marker_task(table, "base", "puck-on", "mark", end, number=rolled.puck)
        pucks = PUCKS_STAND if len(both) > 1 else PUCK_STANDS
        yield _make_marker_task(
            table, "stick", "puck-check", "verify", pucks=pucks, number=rolled.puck
        )
    elif occasion in {"made", "seven-out"}:
        for end in both:
            yield _make_marker_task(table, "base", "puck-off", "mark", end, number=rolled.was)
    elif rolled.special:
        end = ends.find_end(table, rolled.shooter)
        yield _make_marker_task(table, "base", "puck-special", "mark", end, player=rolled.shooter)


def _has_side_wager(table: Table, counts: str) -> bool:
    """Return whether a side wager is up that counts points made, or totals thrown."""
    rules = [table.layout.spots[slug].rule for _, wagers in table.everybody() for slug in wagers]
    return any(rule.collects == counts for rule in rules)


def _list_fire_tasks(table: Table, rolled: Rolled) -> Iterator[Task]:
    """Yield a numbered marker for each new point, and a call to surveillance at the number of
    points that the rulebook sets.
    """
    if not _has_side_wager(table, "points-made"):
        return
    book = table.house.book.id
    new = set(rolled.made) - table.made
    for point in sorted(new):
        count = len(table.made | {point})
        yield _make_marker_task(table, "base", "fire-marker", "button", count=count, number=point)
        if count == load_markers(book)["surveillance"].at:
            yield _make_marker_task(table, "box", "surveillance", "notify", count=count)
    if table.made and not rolled.made:
        yield _make_marker_task(table, "base", "fire-clear", "clear")


def _list_bonus_tasks(table: Table, rolled: Rolled) -> Iterator[Task]:
    """Yield a button for each new total, or clear the buttons on a seven."""
    if not _has_side_wager(table, "totals-thrown"):
        return
    total = rolled.first + rolled.second
    if total in rolled.thrown and total not in table.thrown:
        yield _make_marker_task(table, "base", "bonus-button", "button", number=total)
    elif table.thrown and not rolled.thrown:
        yield _make_marker_task(table, "base", "bonus-clear", "clear")


def _list_shootout_tasks(table: Table, rolled: Rolled, occasion: Occasion) -> Iterator[Task]:
    """Yield the promotion's buttons. When all points are made, a supervisor verifies them and
    inspects the dice."""
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
    """Return everything the crew does for a roll, in order. `table` is the table before it."""
    call = call or make_stick_call
    occasion = find_occasion(rolled)
    waiting = [(settlement, find_work_kind(table, settlement)) for settlement in rolled.settlements]
    netted = find_netted_amounts(table.layout, rolled.settlements)
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
    after = evolve(table, rolled)
    found += [
        *list_marker_tasks(table, rolled, occasion),
        *awards,
        *_list_next_announcements(table, rolled, occasion, after),
    ]
    return (*found, *announce_dont_shooter(table, after, found))


def _list_next_announcements(
    table: Table, rolled: Rolled, occasion: Occasion, after: Table
) -> Iterator[Task]:
    """Yield what the stick announces after the work, to a shooter who keeps the dice."""
    if occasion == "established":
        yield from list_announcement_tasks(after, "point-set")
    elif occasion in {"come-out", "made"} and not must_pass_dice(
        table, rolled.first + rolled.second
    ):
        yield from list_announcement_tasks(after, "coming-out", after=rolled.shooter)


def find_work_kind(table: Table, settlement: Settlement) -> str:
    """Return the kind of a wager for the crew's steps, by where it is on the layout."""
    spot = table.layout.spots.get(settlement.wager)
    if spot is None:
        return "award"
    if spot.rule.is_collect:
        return "side"
    if spot.rule.area == "center":
        return "prop"
    return f"{spot.kind}-n" if spot.rule.is_come and spot.number else spot.kind


def _make_plain_task(table: Table, rolled: Rolled, step: WorkStep, call: RollCaller) -> Task:
    at = ends.find_dice_end(table, rolled.shooter)
    words = step.words.format(end=at if step.end == "dice" else ends.opposite_end(at))
    if step.do == "call":
        words = f"calls: {call(table, rolled)}"
    return Task(
        by=ends.name_post(table, step.by),
        post=step.by,
        end={"dice": at, "shooter": ends.opposite_end(at)}.get(step.end, ""),
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
    """Yield the tasks of a step: end by end, player by player, wager by wager."""
    in_the_way = {
        ends.find_end(table, settlement.player)
        for settlement, kind in waiting
        if kind in step.before
    }
    for end in _order_ends(table, rolled, step):
        if step.before and end not in in_the_way:
            continue
        for player in ends.list_players_at(table, end, step.way):
            mine = [
                (settlement, kind)
                for settlement, kind in waiting
                if settlement.player == player and _step_handles(table, step, settlement, kind)
            ]
            mine.sort(key=lambda pair: _find_rank(table, step, end, *pair))
            yield from _list_player_tasks(table, step.before_player.values(), end, mine)
            for pair in mine:
                if step.do not in _MOVES_NOTHING:
                    waiting.remove(pair)
                yield from _list_wager_tasks(
                    table, _adjust_over_maximum(rolled, step, pair[0]), end, *pair, netted
                )
            yield from _list_player_tasks(table, step.after_player.values(), end, mine)


def _adjust_over_maximum(rolled: Rolled, step: WorkStep, settlement: Settlement) -> WorkStep:
    """Return the step for a stake over the maximum. A winner's excess is handed back, not taken."""
    won = {(other.player, other.wager) for other in rolled.settlements if other.result == "win"}
    if not step.partly or (settlement.player, settlement.wager) not in won:
        return step
    return replace(step, cite=settlement.cite, cite_by_game={}, where=OVER_MAXIMUM)


def _list_wager_tasks(
    table: Table,
    step: WorkStep,
    end: ends.End,
    settlement: Settlement,
    kind: str,
    netted: NettedAmounts,
) -> Iterator[Task]:
    """Yield the tasks for one wager: its announcement, if any, and what is done to it."""
    out, book = netted.get((settlement.player, settlement.wager), 0), table.house.book.id
    line = find_announce_rule(book, step, kind) if settlement.result != "push" else None
    task = _make_wager_task(table, step, end, settlement, out)
    if line is not None:
        yield replace(
            task,
            by=ends.name_post(table, line.by or step.by, end),
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
    end: ends.End,
    mine: list[tuple[Settlement, str]],
) -> Iterator[Task]:
    """Yield the steps done once for a player, before or after his wagers in a step."""
    for player_step in player_steps:
        own = [settlement for settlement, kind in mine if kind in player_step.kinds]
        if not own:
            continue
        player = own[0].player
        names = join_words([layout_name(settlement.wager) for settlement in own])
        yield Task(
            by=ends.name_post(table, "base", end),
            post="base",
            end=end,
            do=player_step.do,
            words=player_step.words.format(
                player=player, whose=format_possessive(player), wagers=names
            ),
            cite=player_step.cite,
            player=player,
            wager=own[-1].wager,
            amount=sum(settlement.stake for settlement in own),
        )


def _order_ends(table: Table, rolled: Rolled, step: WorkStep) -> tuple[ends.End, ends.End]:
    """Return the ends in working order. In the center, the end where the dice are is paid first."""
    if step.first == "dice-end":
        at = ends.find_dice_end(table, rolled.shooter)
        return at, ends.opposite_end(at)
    return ends.ENDS


def _step_handles(table: Table, step: WorkStep, settlement: Settlement, kind: str) -> bool:
    if settlement.result not in step.results:
        return False
    if settlement.result == "lose" and bool(settlement.left) != (step.do == "keep"):
        return False
    if step.partly:
        return not table.layout.spots[settlement.wager].flat  # Odds come back with their flat.
    return kind in step.kinds


def _find_rank(
    table: Table, step: WorkStep, end: ends.End, settlement: Settlement, kind: str
) -> tuple[int, int]:
    """Return the sort key of a wager in a step: by kind, or by number from the center outward."""
    kinds = step.kinds.index(kind) if kind in step.kinds else len(step.kinds)
    if step.order == "kind":
        return (0, kinds)
    return (ends.center_out_key(end, table.layout.spots[settlement.wager].number), kinds)


def _make_wager_task(
    table: Table, step: WorkStep, end: ends.End, settlement: Settlement, netted: int
) -> Task:
    amount = settlement.paid - netted if step.do == "pay" else settlement.stake
    chips, how = _cut_chips_out(table, step, replace(settlement, paid=settlement.paid - netted))
    return Task(
        by=ends.name_post(table, step.by, end),
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
        moves=() if step.do in _MOVES_NOTHING else list_money_moves(settlement, netted),
    )


def _cut_chips_out(table: Table, step: WorkStep, settlement: Settlement) -> tuple[ChipCounts, str]:
    """Return the chips of a payoff, and words for how they are set."""
    if step.do != "pay" or not settlement.paid:
        return (), ""
    if settlement.wager not in table.layout.spots:
        return cut_chips(table.house.rack, settlement.paid), ""
    # The dealer hands off the whole pay and then asks for the vigorish (iowa buy/ask-vig).
    cut_out = cut_payoff(table.layout, replace(settlement, vig=0))
    spot = table.layout.spots[settlement.wager]
    in_place = spot.rule.is_come and not spot.number
    return cut_out.chips.counts, "" if in_place else cut_out.words


def list_money_moves(settlement: Settlement, netted: int = 0) -> tuple[MoneyMove, ...]:
    """Return the money moves of a settlement. `netted` is what the player's losers take out of
    it."""
    rail = Pot("rail", settlement.player)
    spot = Pot("layout", settlement.player, settlement.wager)
    found: list[MoneyMove] = []
    if settlement.result == "travel":
        assert settlement.to is not None
        found.append(
            MoneyMove(spot, Pot("layout", settlement.player, settlement.to), settlement.stake)
        )
    elif settlement.result == "lose":
        if not settlement.left:  # A netted loser stays up: it was taken out of the win.
            found.append(MoneyMove(spot, BANK, settlement.stake - settlement.back))
            found.append(MoneyMove(spot, rail, settlement.back))
    else:
        found.append(MoneyMove(BANK, rail, settlement.paid - netted))
        found.append(MoneyMove(rail, VIG, settlement.vig))
        found.append(MoneyMove(spot, rail, settlement.stake - settlement.left))
    return tuple(move for move in found if move.amount)
