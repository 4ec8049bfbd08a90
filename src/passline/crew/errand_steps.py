"""The steps of errands as data (``errands.toml``), and how they become tasks."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from importlib import resources
from typing import Literal

import msgspec

from passline.crew import ends
from passline.crew.announcements import AnnouncedAt, announcements
from passline.crew.placing import unused_dice
from passline.crew.sequence import CUSTOM
from passline.crew.tasks import Move, Task, TaskVerb
from passline.crew.wording import chip_words, cut
from passline.law.roles import POSTS
from passline.money import show_dollars
from passline.table import Table
from passline.table.posts import base_dealers
from passline.table.state import DEALERS
from passline.words.wagers import layout_name

#: Whose hands those are who have a role.
_HANDS: dict[str, str] = {role: post.hands for post in POSTS for role in post.roles}
Who = Literal["stick", "base", "box", "supervisor", "official", "inspector", "incoming", "outgoing"]


class Errand(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One step of an errand: who does what, in words with names to fill in, and its clause."""

    by: Who
    do: TaskVerb
    words: str
    cite: dict[str, str] = {}
    only: tuple[str, ...] = ()
    #: The step at which the money moves.
    moves: bool = False
    #: Where the book names no clause here, the event's own is the one to name.
    by_event: bool = False
    #: So too for where a proposition is set up, and where unused dice go.
    placed: bool = False
    store: bool = False

    def cited(self, book: str, otherwise: str = "") -> str:
        """The book's clause, or the event's; or the custom by which it is done so."""
        if book in self.cite:
            return self.cite[book]
        if otherwise:
            return otherwise
        if CUSTOM in self.cite:
            return f"custom: as {CUSTOM} {self.cite[CUSTOM]} has it"
        return "custom: as the manuals have it"


@cache
def errands() -> dict[str, tuple[Errand, ...]]:
    """The steps of every errand, by name."""
    text = resources.files("passline.crew").joinpath("errands.toml").read_text("utf-8")
    return msgspec.toml.decode(text, type=dict[str, tuple[Errand, ...]])


class Named(msgspec.Struct, frozen=True, kw_only=True):
    """What an errand is about: whose, which wager, how much; further words; the clauses.

    ``who`` names those whom the table does not: an inspector, an official.
    """

    player: str = ""
    wager: str = ""
    amount: int = 0
    moves: tuple[Move, ...] = ()
    cite: str = ""
    where: str = ""
    who: dict[str, str] = {}
    #: The post that is taken over, at a relief.
    post: str = ""
    words: dict[str, object] = {}


def run(table: Table, name: str, about: Named) -> Iterator[Task]:
    """The tasks of an errand."""
    book, store = table.house.book.id, unused_dice(table)
    end = ends.end_of(table, about.player) if about.player else None
    chips = cut(table.house.rack, about.amount) if about.amount else ()
    names = {
        "player": about.player,
        "wager": layout_name(about.wager),
        "amount": show_dollars(about.amount),
        "chips": chip_words(chips),
        "box": ends.box(table),
        "cup": store.holder,
        "bowl": f"{store.holder} {store.where}",
        "where": about.where,
        **about.words,
    }
    for step in errands()[name]:
        if step.only and book not in step.only:
            continue
        cite = store.cite if step.store else about.cite if step.by_event or step.placed else ""
        for at in _where(table, step, about, end):
            yield Task(
                by=about.who.get(step.by) or ends.named(table, step.by, at or end or "left"),
                post=_post(step.by, about),
                end=at,
                do=step.do,
                words=step.words.format(**names).replace(f"{DEALERS}'s", f"{DEALERS}'"),
                cite=step.cited(book, cite),
                player=about.player,
                wager=about.wager,
                amount=about.amount,
                chips=chips if step.moves else (),
                where=about.where if step.placed else "",
                moves=tuple(move for move in about.moves if move.amount) if step.moves else (),
            )


def _where(
    table: Table, step: Errand, about: Named, end: ends.End | None
) -> tuple[ends.End | Literal[""], ...]:
    """At which end a step is done; what base dealers do for nobody in particular, at both."""
    if step.by == "base" and end is None and base_dealers(table.house)[0] > 1:
        return ends.ENDS
    return (end or "",) if step.by == "base" or about.wager else ("",)


def _post(by: Who, about: Named) -> str:
    """Whose hands these are; those who are called by name have the post that the errand is of."""
    if by in ("incoming", "outgoing"):
        return about.post
    name = about.who.get(by, by)
    return _HANDS.get(name, name)


def said(table: Table, moment: AnnouncedAt, after: str = "") -> Iterator[Task]:
    """What the stick announces at a moment, a task for each line."""
    for line in announcements(table, moment, after=after):
        yield Task(
            by=ends.stick(table),
            post="stick",
            do="announce",
            words=f"says: {line.words}",
            said=line.words,
            cite=line.cite,
        )
