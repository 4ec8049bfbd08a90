"""Iowa's netting as the crew pays it: losers that stay up come out of their player's wins.

Pucks and buttons, and who is told: what the crew does after the money.

The work list of a throw: what each member of the crew does, in order.

The engine settled the throw; here its settlements are given to hands, by the order of
``sequence.toml``. Nothing is left over and nothing is done twice: ``tasks.carried_out`` proves it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import msgspec
from msgspec.structs import replace

from passline.crew import ends
from passline.crew.facts import Occasion, find_occasion
from passline.crew.payoffs import cut_payoff
from passline.crew.procedures import announce_dont_shooter, list_announcement_tasks
from passline.crew.tasks import (
    BANK,
    VIG,
    ChipCounts,
    MoneyMove,
    PlayerStep,
    Pot,
    Task,
    TaskVerb,
    WorkStep,
    cut_chips,
    find_announce_rule,
    format_possessive,
    format_task,
    format_task_announcement,
    list_steps,
)
from passline.game.law.book_parts import load_part
from passline.game.law.shapes.collect import Collect
from passline.game.law.shapes.come import Come
from passline.game.layout.spots import Layout
from passline.game.layout.stakes import Settlement
from passline.game.table.dice_custody import is_automated
from passline.game.table.events import Rolled
from passline.game.table.evolve import evolve
from passline.game.table.state import Table
from passline.game.table.throws import must_pass_dice
from passline.game.words.events import RollCaller
from passline.game.words.wagers import layout_name
from passline.text import join_words

#: What is held back from a winning wager's pay, in cents, by player and wager.
NettedAmounts = dict[tuple[str, str], int]


def find_netted_amounts(layout: Layout, settlements: Iterable[Settlement]) -> NettedAmounts:
    """How much of each win pays for the player's netted losers (prop-payoffs.7#1).

    Only the center's wins do: a place wager that stays up is paid whole.
    """
    found = [done for done in settlements if _is_proposition(layout, done.wager)]
    lost: dict[str, int] = {}
    for done in found:
        if done.result == "lose" and done.left:
            lost[done.player] = lost.get(done.player, 0) + done.stake
    held: NettedAmounts = {}
    for done in found:
        if done.result == "win" and done.left and lost.get(done.player):
            out = min(done.paid, lost[done.player])
            lost[done.player] -= out
            held[done.player, done.wager] = out
    return held


def _is_proposition(layout: Layout, wager: str) -> bool:
    """Whether a wager is a proposition; an award is on no spot."""
    return wager in layout.spots and layout.spots[wager].rule.area == "center"


class MarkerNote(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The clause that asks for a marker or notice, or the custom; ``at`` is a count, if any."""

    cite: str = ""
    also: tuple[str, ...] = ()
    at: int | None = None
    custom: str = ""

    @property
    def clause(self) -> str:
        """The book's clause, or the custom."""
        return self.cite or f"custom: {self.custom}"


def load_markers(book: str) -> dict[str, MarkerNote]:
    """Return the markers and notices of a rulebook, by name."""
    return load_part(book, "crew/markers", dict[str, MarkerNote])


def list_marker_tasks(table: Table, rolled: Rolled, occasion: Occasion) -> Iterator[Task]:
    """Pucks first, then the buttons of side wagers, then the dice on their way."""
    yield from _list_puck_tasks(table, rolled, occasion)
    yield from _list_fire_tasks(table, rolled)
    yield from _list_bonus_tasks(table, rolled)
    yield from _list_shootout_tasks(table, rolled, occasion)


def _make_marker_task(
    table: Table, post: str, name: str, do: TaskVerb, words: str, end: ends.End | None = None
) -> Task:
    return Task(
        by=ends.name_post(table, post, end or "left"),
        post=post,
        end=end or "",
        do=do,
        words=words,
        cite=load_markers(table.house.book.id)[name].clause,
    )


def _list_puck_tasks(table: Table, rolled: Rolled, occasion: Occasion) -> Iterator[Task]:
    both = (
        ends.ENDS[:1] if is_automated(table) or ends.count_base_dealers(table) == 1 else ends.ENDS
    )
    if occasion == "established":
        for end in both:
            yield _make_marker_task(
                table, "base", "puck-on", "mark", f"puts the puck ON {rolled.puck}", end
            )
        what = "both pucks stand" if len(both) > 1 else "the puck stands"
        words = f"checks that {what} on {rolled.puck}"
        yield _make_marker_task(table, "stick", "puck-check", "verify", words)
    elif occasion in {"made", "seven-out"}:
        for end in both:
            words = f"takes the puck off {rolled.was} and turns it OFF"
            yield _make_marker_task(table, "base", "puck-off", "mark", words, end)
    elif rolled.special:
        words = f"keeps the puck OFF before {rolled.shooter}: only come wagers are decided"
        yield _make_marker_task(
            table, "base", "puck-special", "mark", words, ends.find_end(table, rolled.shooter)
        )


def _has_side_wager(table: Table, counts: str) -> bool:
    """Whether a side wager is up that gathers such things."""
    rules = [table.layout.spots[slug].rule for _, wagers in table.everybody() for slug in wagers]
    return any(isinstance(rule, Collect) and rule.counts.value == counts for rule in rules)


def _list_fire_tasks(table: Table, rolled: Rolled) -> Iterator[Task]:
    """A marker with the running count on each new point; surveillance at the book's count."""
    if not _has_side_wager(table, "points-made"):
        return
    book = table.house.book.id
    new = set(rolled.made) - table.made
    for point in sorted(new):
        count = len(table.made | {point})
        words = f"puts fire marker {count} on the {point}"
        yield _make_marker_task(table, "base", "fire-marker", "button", words)
        if count == load_markers(book)["surveillance"].at:
            words = f"tells surveillance: {count} points made, fire wagers up"
            yield _make_marker_task(table, "box", "surveillance", "notify", words)
    if table.made and not rolled.made:
        yield _make_marker_task(table, "base", "fire-clear", "clear", "takes the fire markers in")


def _list_bonus_tasks(table: Table, rolled: Rolled) -> Iterator[Task]:
    """A button on each new total; all of them off on a seven."""
    if not _has_side_wager(table, "totals-thrown"):
        return
    total = rolled.first + rolled.second
    if total in rolled.thrown and total not in table.thrown:
        words = f"puts the bonus button on the {total}"
        yield _make_marker_task(table, "base", "bonus-button", "button", words)
    elif table.thrown and not rolled.thrown:
        yield _make_marker_task(table, "base", "bonus-clear", "clear", "clears the bonus buttons")


def _list_shootout_tasks(table: Table, rolled: Rolled, occasion: Occasion) -> Iterator[Task]:
    """The promotion's own buttons; when all are up a supervisor verifies and inspects the dice."""
    state, rules = table.shootout, table.house.book.shootout
    if state is None or rules is None or occasion != "made" or not state.open:
        return
    words = f"marks the {rolled.was} as made"
    yield _make_marker_task(table, "base", "shootout-button", "button", words)
    if (state.made | {rolled.was}).issuperset(rules.points.value):
        words = "is called to verify that all points were made"
        yield _make_marker_task(table, "supervisor", "shootout-verify", "verify", words)
        words = "stops the game and inspects the dice"
        yield _make_marker_task(table, "supervisor", "shootout-inspect", "inspect", words)


#: Pushed aside: the wager is still to be dealt with.
_MOVES_NOTHING = frozenset({"push"})


def make_work_list(
    table: Table, rolled: Rolled, call: RollCaller | None = None
) -> tuple[Task, ...]:
    """Everything the crew does on a throw. ``table`` is the table before it."""
    if call is None:
        from passline.crew.stick import make_stick_call as call_it

        call = call_it
    occasion = find_occasion(rolled)
    waiting = [(done, find_work_kind(table, done)) for done in rolled.settlements]
    held = find_netted_amounts(table.layout, rolled.settlements)
    found: list[Task] = [] if table.dice.out else list(list_announcement_tasks(table, "dice-out"))
    awards: list[Task] = []
    for step in list_steps(table.house.book.id, occasion):
        if not step.kinds:
            found.append(_make_plain_task(table, rolled, step, call))
        elif step.name == "award":  # verified and the dice inspected before it is paid
            awards += _list_step_tasks(table, rolled, step, waiting, held)
        else:
            found += _list_step_tasks(table, rolled, step, waiting, held)
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
    """What the stick says once the work is done, to a shooter who keeps the dice."""
    if occasion == "established":
        yield from list_announcement_tasks(after, "point-set")
    elif occasion in {"come-out", "made"} and not must_pass_dice(
        table, rolled.first + rolled.second
    ):
        yield from list_announcement_tasks(after, "coming-out", after=rolled.shooter)


def find_work_kind(table: Table, done: Settlement) -> str:
    """What a wager is to the crew: where on the layout it lies."""
    spot = table.layout.spots.get(done.wager)
    if spot is None:
        return "award"
    if isinstance(spot.rule, Collect):
        return "side"
    if spot.rule.area == "center":
        return "prop"
    return f"{spot.kind}-n" if isinstance(spot.rule, Come) and spot.number else spot.kind


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
    held: NettedAmounts,
) -> Iterator[Task]:
    """The step's settlements, end by end, player by player, wager by wager as the step has them."""
    in_the_way = {
        ends.find_end(table, done.player) for done, kind in waiting if kind in step.before
    }
    for end in _order_ends(table, rolled, step):
        if step.before and end not in in_the_way:
            continue
        for player in ends.list_players_at(table, end, step.way):
            mine = [
                (done, kind)
                for done, kind in waiting
                if done.player == player and _step_handles(table, step, done, kind)
            ]
            mine.sort(key=lambda pair: _find_rank(table, step, end, *pair))
            yield from _list_player_tasks(table, step.before_player.values(), end, mine)
            for pair in mine:
                if step.do not in _MOVES_NOTHING:
                    waiting.remove(pair)
                yield from _list_wager_tasks(
                    table, _adjust_over_maximum(rolled, step, pair[0]), end, *pair, held
                )
            yield from _list_player_tasks(table, step.after_player.values(), end, mine)


def _adjust_over_maximum(rolled: Rolled, step: WorkStep, done: Settlement) -> WorkStep:
    """What is over the maximum is cut down where the wager lost; a winner's is handed back."""
    won = {(other.player, other.wager) for other in rolled.settlements if other.result == "win"}
    if not step.partly or (done.player, done.wager) not in won:
        return step
    return replace(step, cite=done.cite, cite_by_game={}, where="it is over the maximum")


def _list_wager_tasks(
    table: Table, step: WorkStep, end: ends.End, done: Settlement, kind: str, held: NettedAmounts
) -> Iterator[Task]:
    """One wager: what is announced of it, and what is done to it."""
    out, book = held.get((done.player, done.wager), 0), table.house.book.id
    line = find_announce_rule(book, step, kind) if done.result != "push" else None
    task = _make_wager_task(table, step, end, done, out)
    if line is not None:
        yield replace(
            task,
            by=ends.name_post(table, line.by or step.by, end),
            post=line.by or step.by,
            do="announce",
            words=format_task_announcement(step, done, out),
            cite=line.cite,
            chips=(),
            where="",
            moves=(),
        )
    yield task


def _list_player_tasks(
    table: Table, beats: Iterable[PlayerStep], end: ends.End, mine: list[tuple[Settlement, str]]
) -> Iterator[Task]:
    """What is done once for a player, before or after the wagers of his that a step handles."""
    for beat in beats:
        own = [done for done, kind in mine if kind in beat.kinds]
        if not own:
            continue
        player = own[0].player
        names = join_words([layout_name(done.wager) for done in own])
        yield Task(
            by=ends.name_post(table, "base", end),
            post="base",
            end=end,
            do=beat.do,
            words=beat.words.format(player=player, whose=format_possessive(player), wagers=names),
            cite=beat.cite,
            player=player,
            wager=own[-1].wager,
            amount=sum(done.stake for done in own),
        )


def _order_ends(table: Table, rolled: Rolled, step: WorkStep) -> tuple[ends.End, ends.End]:
    """Both ends work side by side; the center is paid at the dice's end first."""
    if step.first == "dice-end":
        at = ends.find_dice_end(table, rolled.shooter)
        return at, ends.opposite_end(at)
    return ends.ENDS


def _step_handles(table: Table, step: WorkStep, done: Settlement, kind: str) -> bool:
    if done.result not in step.results:
        return False
    if done.result == "lose" and bool(done.left) != (step.do == "keep"):
        return False
    if step.partly:
        return not table.layout.spots[done.wager].flat  # odds come back with their flat
    return kind in step.kinds


def _find_rank(
    table: Table, step: WorkStep, end: ends.End, done: Settlement, kind: str
) -> tuple[int, int]:
    """By kind as the step has them; or by number from the center outwards, then by kind."""
    kinds = step.kinds.index(kind) if kind in step.kinds else len(step.kinds)
    if step.order == "kind":
        return (0, kinds)
    return (ends.center_out_key(end, table.layout.spots[done.wager].number), kinds)


def _make_wager_task(
    table: Table, step: WorkStep, end: ends.End, done: Settlement, held: int
) -> Task:
    amount = done.paid - held if step.do == "pay" else done.stake
    chips, how = _cut_chips_out(table, step, replace(done, paid=done.paid - held))
    return Task(
        by=ends.name_post(table, step.by, end),
        post=step.by,
        end=end,
        do=step.do,
        words=format_task(step, done, chips, how, held),
        cite=step.find_clause(table.house.game),
        player=done.player,
        wager=done.wager,
        amount=amount,
        chips=chips,
        where=how or step.where,
        moves=() if step.do in _MOVES_NOTHING else list_money_moves(done, held),
    )


def _cut_chips_out(table: Table, step: WorkStep, done: Settlement) -> tuple[ChipCounts, str]:
    """The chips of a payoff, and how they are set."""
    if step.do != "pay" or not done.paid:
        return (), ""
    if done.wager not in table.layout.spots:
        return cut_chips(table.house.rack, done.paid), ""
    # The whole pay is cut and handed off; vigorish is then asked for (iowa buy/ask-vig).
    cut_out = cut_payoff(table.layout, replace(done, vig=0))
    spot = table.layout.spots[done.wager]
    in_place = isinstance(spot.rule, Come) and not spot.number
    return cut_out.chips.counts, "" if in_place else cut_out.words


def list_money_moves(done: Settlement, held: int = 0) -> tuple[MoneyMove, ...]:
    """The money of a settlement, pot by pot; ``held``: what netted losers hold back of it."""
    rail = Pot("rail", done.player)
    spot = Pot("layout", done.player, done.wager)
    found: list[MoneyMove] = []
    if done.result == "travel":
        assert done.to is not None
        found.append(MoneyMove(spot, Pot("layout", done.player, done.to), done.stake))
    elif done.result == "lose":
        if not done.left:  # one that is netted stays up, and has come out of the win
            found.append(MoneyMove(spot, BANK, done.stake - done.back))
            found.append(MoneyMove(spot, rail, done.back))
    else:
        found.append(MoneyMove(BANK, rail, done.paid - held))
        found.append(MoneyMove(rail, VIG, done.vig))
        found.append(MoneyMove(spot, rail, done.stake - done.left))
    return tuple(move for move in found if move.amount)
