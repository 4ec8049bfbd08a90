"""The work list of a throw: what each member of the crew does, in order.

The engine settled the throw; here its settlements are given to hands, by the order of
``sequence.toml``. Nothing is left over and nothing is done twice: ``tasks.carried_out`` proves it.
"""

from __future__ import annotations

from collections.abc import Iterator

from msgspec.structs import replace

from passline.crew import ends
from passline.crew.cutting import payoff
from passline.crew.errand_steps import said
from passline.crew.facts import Occasion, occasion_of
from passline.crew.markers import marker_tasks
from passline.crew.netting import HeldBack, held_back
from passline.crew.sequence import Beat, Step, spoken_for, steps_for
from passline.crew.shooting import comes_true
from passline.crew.tasks import BANK, VIG, Move, Pot, Task
from passline.crew.wording import ChipCounts, cut, spoken_words, task_words, whose
from passline.law.wagers import Collect, Come
from passline.layout import Settlement
from passline.sentences import join_words
from passline.table import Table, evolve
from passline.table.events import Rolled
from passline.table.throwing import must_pass
from passline.words.calls import Caller
from passline.words.wagers import layout_name

#: Pushed aside: the wager is still to be dealt with.
_MOVES_NOTHING = frozenset({"push"})


def work_list(table: Table, rolled: Rolled, call: Caller | None = None) -> tuple[Task, ...]:
    """Everything the crew does on a throw. ``table`` is the table before it."""
    if call is None:
        from passline.crew.stick import call as call_it

        call = call_it
    occasion = occasion_of(rolled)
    waiting = [(done, work_kind(table, done)) for done in rolled.settlements]
    held = held_back(table.layout, rolled.settlements)
    found: list[Task] = [] if table.dice.out else list(said(table, "dice-out"))
    awards: list[Task] = []
    for step in steps_for(table.house.book.id, occasion):
        if not step.kinds:
            found.append(_plain(table, rolled, step, call))
        elif step.name == "award":  # verified and the dice inspected before it is paid
            awards += _handled(table, rolled, step, waiting, held)
        else:
            found += _handled(table, rolled, step, waiting, held)
    assert not waiting, f"nobody handles {waiting}"
    after = evolve(table, rolled)
    found += [
        *marker_tasks(table, rolled, occasion),
        *awards,
        *_next(table, rolled, occasion, after),
    ]
    return (*found, *comes_true(table, after, found))


def _next(table: Table, rolled: Rolled, occasion: Occasion, after: Table) -> Iterator[Task]:
    """What the stick says once the work is done, to a shooter who keeps the dice."""
    if occasion == "established":
        yield from said(after, "point-set")
    elif occasion in {"come-out", "made"} and not must_pass(table, rolled.first + rolled.second):
        yield from said(after, "coming-out", after=rolled.shooter)


def work_kind(table: Table, done: Settlement) -> str:
    """What a wager is to the crew: where on the layout it lies."""
    spot = table.layout.spots.get(done.wager)
    if spot is None:
        return "award"
    if isinstance(spot.rule, Collect):
        return "side"
    if spot.rule.area == "center":
        return "prop"
    return f"{spot.kind}-n" if isinstance(spot.rule, Come) and spot.number else spot.kind


def _plain(table: Table, rolled: Rolled, step: Step, call: Caller) -> Task:
    at = ends.dice_end(table, rolled.shooter)
    words = step.words.format(end=at if step.end == "dice" else ends.other(at))
    if step.do == "call":
        words = f"calls: {call(table, rolled)}"
    return Task(
        by=ends.named(table, step.by),
        post=step.by,
        end={"dice": at, "shooter": ends.other(at)}.get(step.end, ""),
        do=step.do,
        words=words,
        cite=step.cited(table.house.book.id, table.house.game),
    )


def _handled(
    table: Table,
    rolled: Rolled,
    step: Step,
    waiting: list[tuple[Settlement, str]],
    held: HeldBack,
) -> Iterator[Task]:
    """The step's settlements, end by end, player by player, wager by wager as the step has them."""
    in_the_way = {ends.end_of(table, done.player) for done, kind in waiting if kind in step.before}
    for end in _ends(table, rolled, step):
        if step.before and end not in in_the_way:
            continue
        for player in ends.standing_at(table, end, step.way):
            mine = [
                (done, kind)
                for done, kind in waiting
                if done.player == player and _fits(table, step, done, kind)
            ]
            mine.sort(key=lambda pair: _rank(table, step, end, *pair))
            yield from _beats(table, step.before_player, end, mine)
            for pair in mine:
                if step.do not in _MOVES_NOTHING:
                    waiting.remove(pair)
                yield from _wager(table, _found_over(rolled, step, pair[0]), end, *pair, held)
            yield from _beats(table, step.after_player, end, mine)


def _found_over(rolled: Rolled, step: Step, done: Settlement) -> Step:
    """What is over the maximum is cut down where the wager lost; a winner's is handed back."""
    won = {(other.player, other.wager) for other in rolled.settlements if other.result == "win"}
    if not step.partly or (done.player, done.wager) not in won:
        return step
    return replace(step, cite=dict.fromkeys(step.cite, done.cite), where="it is over the maximum")


def _wager(
    table: Table, step: Step, end: ends.End, done: Settlement, kind: str, held: HeldBack
) -> Iterator[Task]:
    """One wager: what is announced of it, and what is done to it."""
    out, book = held.get((done.player, done.wager), 0), table.house.book.id
    line = spoken_for(book, step, kind) if done.result != "push" else None
    task = _task(table, step, end, done, out)
    if line is not None:
        yield replace(
            task,
            by=ends.named(table, line.by or step.by, end),
            post=line.by or step.by,
            do="announce",
            words=spoken_words(step, done, out),
            cite=line.cited(book),
            chips=(),
            where="",
            moves=(),
        )
    yield task


def _beats(
    table: Table, beats: tuple[Beat, ...], end: ends.End, mine: list[tuple[Settlement, str]]
) -> Iterator[Task]:
    """What is done once for a player, before or after the wagers of his that a step handles."""
    for beat in beats:
        own = [done for done, kind in mine if kind in beat.kinds]
        if not own:
            continue
        player = own[0].player
        names = join_words([layout_name(done.wager) for done in own])
        yield Task(
            by=ends.named(table, "base", end),
            post="base",
            end=end,
            do=beat.do,
            words=beat.words.format(player=player, whose=whose(player), wagers=names),
            cite=beat.cited(table.house.book.id),
            player=player,
            wager=own[-1].wager,
            amount=sum(done.stake for done in own),
        )


def _ends(table: Table, rolled: Rolled, step: Step) -> tuple[ends.End, ends.End]:
    """Both ends work side by side; the center is paid at the dice's end first."""
    if step.first == "dice-end":
        at = ends.dice_end(table, rolled.shooter)
        return at, ends.other(at)
    return ends.ENDS


def _fits(table: Table, step: Step, done: Settlement, kind: str) -> bool:
    if done.result not in step.results:
        return False
    if done.result == "lose" and bool(done.left) != (step.do == "keep"):
        return False
    if step.partly:
        return not table.layout.spots[done.wager].flat  # odds come back with their flat
    return kind in step.kinds


def _rank(table: Table, step: Step, end: ends.End, done: Settlement, kind: str) -> tuple[int, int]:
    """By kind as the step has them; or by number from the center outwards, then by kind."""
    kinds = step.kinds.index(kind) if kind in step.kinds else len(step.kinds)
    if step.order == "kind":
        return (0, kinds)
    return (ends.inside_first(end, table.layout.spots[done.wager].number), kinds)


def _task(table: Table, step: Step, end: ends.End, done: Settlement, held: int) -> Task:
    amount = done.paid - held if step.do == "pay" else done.stake
    chips, how = _set_out(table, step, replace(done, paid=done.paid - held))
    return Task(
        by=ends.named(table, step.by, end),
        post=step.by,
        end=end,
        do=step.do,
        words=task_words(step, done, chips, how, held),
        cite=step.cited(table.house.book.id, table.house.game),
        player=done.player,
        wager=done.wager,
        amount=amount,
        chips=chips,
        where=how or step.where,
        moves=() if step.do in _MOVES_NOTHING else moves_of(done, held),
    )


def _set_out(table: Table, step: Step, done: Settlement) -> tuple[ChipCounts, str]:
    """The chips of a payoff, and how they are set."""
    if step.do != "pay" or not done.paid:
        return (), ""
    if done.wager not in table.layout.spots:
        return cut(table.house.rack, done.paid), ""
    # The whole pay is cut and handed off; vigorish is then asked for (iowa buy/ask-vig).
    cut_out = payoff(table.layout, replace(done, vig=0))
    spot = table.layout.spots[done.wager]
    in_place = isinstance(spot.rule, Come) and not spot.number
    return cut_out.chips.counts, "" if in_place else cut_out.words


def moves_of(done: Settlement, held: int = 0) -> tuple[Move, ...]:
    """The money of a settlement, pot by pot; ``held``: what netted losers hold back of it."""
    rail = Pot("rail", done.player)
    spot = Pot("layout", done.player, done.wager)
    found: list[Move] = []
    if done.result == "travel":
        assert done.to is not None
        found.append(Move(spot, Pot("layout", done.player, done.to), done.stake))
    elif done.result == "lose":
        if not done.left:  # one that is netted stays up, and has come out of the win
            found.append(Move(spot, BANK, done.stake - done.back))
            found.append(Move(spot, rail, done.back))
    else:
        found.append(Move(BANK, rail, done.paid - held))
        found.append(Move(rail, VIG, done.vig))
        found.append(Move(spot, rail, done.stake - done.left))
    return tuple(move for move in found if move.amount)
