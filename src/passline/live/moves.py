"""What everybody at the rail sees of the crew's work: the hands on the layout, move by move."""

from __future__ import annotations

from collections import OrderedDict
from typing import Any, Final

from passline.crew.tasks import Task
from passline.crew.worklist import work_list
from passline.live.live_table import ThrowKept
from passline.money import dollars

#: Done on the layout, for all to see; what is told, watched and checked is the crew's own.
_SEEN: Final = frozenset({"take", "pay", "push", "return", "place", "keep", "mark", "clear"})
#: Tables whose last throw's moves are kept.
_KEPT: Final = 256
_moves: OrderedDict[str, tuple[ThrowKept, list[dict[str, Any]]]] = OrderedDict()


def throw_moves(table: str, thrown: ThrowKept) -> list[dict[str, Any]]:
    """The moves of a table's last throw, in the crew's order; worked out once for all who look."""
    kept = _moves.get(table)
    if kept is None or kept[0] is not thrown:
        work = work_list(thrown.before, thrown.rolled)
        rules = {(done.player, done.wager): done.cite for done in thrown.rolled.settlements}
        seen = [task for task in work if task.do in _SEEN]
        kept = thrown, [_move(task, rules.get((task.player, task.wager))) for task in seen]
        _moves[table] = kept
        while len(_moves) > _KEPT:
            _moves.popitem(last=False)
    _moves.move_to_end(table)
    return kept[1]


def _move(task: Task, rule: str | None) -> dict[str, Any]:
    """One move: which wager, by whom, how much, where to; the clause that the hand follows, and
    the one by which the wager was settled."""
    layouts = [move.target for move in task.moves if move.target.kind == "layout"]
    return {
        "do": task.do,
        "by": task.by,
        "player": task.player or None,
        "wager": task.wager or None,
        "amount": dollars(task.amount),
        "chips": dict(task.chips),
        "to": layouts[0].wager if layouts and layouts[0].wager != task.wager else None,
        "words": task.words,
        "cite": task.cite,
        "rule": rule,
    }
