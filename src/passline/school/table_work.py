"""A post that a learner holds: the machine deals for it, waits a while for the work, and marks it.

The table settles as ever: what the learner did is an entry of its own (``worked``) that moves no
money. It holds the steps, and what was wrong with them, which anybody can judge again from the log.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any, Final

from msgspec import Struct
from msgspec.structs import replace

from passline.crew.ends import find_end
from passline.game.law.roles import POSTS as CREW
from passline.game.money.amounts import to_dollars
from passline.game.table import posts
from passline.live.entries import Entry
from passline.live.live_table import LEARNER, LiveTable, parse_time
from passline.live.requests import ServiceError
from passline.school.crew_work import CrewWork, WorkFault, WorkStep, list_crew_work
from passline.school.drills.order import read_steps
from passline.school.grading import quote_value, read_fields, read_list, read_stack
from passline.school.open_bets import OpenBet, list_open_bets
from passline.school.post_work import POST_WORK_LEVEL, PostWork
from passline.school.questions import DrillSetup, UnreadableAnswerError

#: The game waits so long for a learner's work after a throw, or the betting time if that is longer.
WORK_WAIT: Final = timedelta(seconds=30)


class MarkedWork(Struct, frozen=True):
    """The work of a post on a throw, judged: nothing wrong, or each fault."""

    steps: tuple[dict[str, Any], ...]
    done: PostWork

    @property
    def faults(self) -> tuple[WorkFault, ...]:
        """Everything that is wrong with it."""
        return self.done.faults

    def entered(self, throw: int) -> dict[str, Any]:
        """What an entry holds: codes and figures, no words."""
        faults = [{"kind": f.kind, "numbers": list(f.numbers), "cite": f.cite} for f in self.faults]
        told = {"throw": throw, "steps": list(self.steps), "faults": faults}
        return {"act": "worked", **told}


def list_learner_posts(live: LiveTable) -> tuple[str, ...]:
    """The posts that learners hold."""
    return tuple(post.name for post in CREW if live.posts.get(post.name) == LEARNER)


def find_owed_work(live: LiveTable, post: str) -> CrewWork | None:
    """What a post has to do on the last throw; None: nothing."""
    if live.last is None:
        return None
    work = list_crew_work(live.last.before, live.last.rolled)
    mine = tuple(step for step in work.steps if _is_post_step(live, step, post))
    return replace(work, steps=mine) if any(step.is_money for step in mine) else None


def _is_post_step(live: LiveTable, step: WorkStep, post: str) -> bool:
    name, _, _ = post.rpartition("-base")
    if not name:
        return step.post == post
    alone = posts.count_base_dealers(live.table.house)[0] == 1
    return step.post == "base" and (alone or step.end == name)


def learner_deadline(live: LiveTable) -> datetime | None:
    """Until when the game waits for a learner; None: it waits for none."""
    for post in list_learner_posts(live):
        if post not in live.worked and find_owed_work(live, post) is not None:
            span = max(WORK_WAIT, timedelta(seconds=live.settings.pace.betting))
            return parse_time(live.thrown_at) + span
    return None


def read_work_steps(live: LiveTable, value: object) -> tuple[dict[str, Any], ...]:
    """Steps as they are entered. ServiceError 400 where they are none."""
    try:
        given = [_read_step(live, n, step) for n, step in enumerate(read_list(value, "steps"), 1)]
        read_steps(given)
    except UnreadableAnswerError as wrong:
        raise ServiceError(400, str(wrong)) from None
    return tuple(given)


def _read_step(live: LiveTable, number: int, value: object) -> dict[str, Any]:
    fields = read_fields(value, "act")
    told = {name: fields[name] for name in ("act", "player", "wager") if name in fields}
    if any(not isinstance(one, str) or len(one) > 80 for one in told.values()):
        raise UnreadableAnswerError(f"step {number}: {quote_value(value)}")
    if fields.get("chips") is not None:
        chips = read_stack(fields["chips"], live.table.house.rack, f"step {number}, chips")
        told |= {"chips": dict(chips.counts), "amount": to_dollars(chips.amount)}
    return told


def mark_work(live: LiveTable, post: str, steps: Sequence[Mapping[str, Any]]) -> MarkedWork:
    """The work of a post, judged by what the manuals fix. Losers' and placed bets' amounts need
    not be told; a payoff's chips may be of any colours that make it: how the manual cuts it is told
    beside."""
    owed, rack = find_owed_work(live, post), live.table.house.rack
    assert owed is not None
    assert live.last is not None
    chips = [read_stack(step["chips"], rack) if "chips" in step else None for step in steps]
    return MarkedWork(
        tuple(map(dict, steps)),
        PostWork(
            work=owed,
            rolled=live.last.rolled,
            done=tuple(read_steps(list(steps))),
            chips=tuple(chips),
        ),
    )


def require_work_allowed(live: LiveTable, role: str, throw: int) -> None:
    """ServiceError 403 where no learner holds that post, 409 where it has nothing to do."""
    if role not in list_learner_posts(live):
        raise ServiceError(403, "no learner holds that post here")
    if throw != live.table.throws or find_owed_work(live, role) is None:
        raise ServiceError(409, "there is nothing to do for this post on that throw")
    if role in live.worked:
        raise ServiceError(409, "that throw's work is done, and marked")


def is_work_entry_valid(live: LiveTable, entry: Entry) -> bool:
    """Whether an entry is what the table makes of a learner's work. ServiceError where it may not be
    said."""  # noqa: E501
    throw, steps = entry.more.get("throw"), entry.more.get("steps")
    require_work_allowed(live, entry.role, throw if isinstance(throw, int) else -1)
    mark = mark_work(live, entry.role, read_work_steps(live, steps))
    return mark.entered(live.table.throws) == entry.more


def list_post_wagers(live: LiveTable, post: str) -> Iterator[OpenBet]:
    """The wagers before the last throw that a post looks after: the stick the center's, a base
    dealer those of his end."""
    if live.last is None:
        return
    table = live.last.before
    desk = DrillSetup(table.layout, POST_WORK_LEVEL)
    alone = posts.count_base_dealers(table.house)[0] == 1
    for lying in list_open_bets(desk, list_crew_work(table, live.last.rolled)):
        center = table.layout.spots[lying.wager].rule.area == "center"
        end = find_end(table, lying.player)
        if (post == "stick") == center and (post == "stick" or alone or post == f"{end}-base"):
            yield lying
