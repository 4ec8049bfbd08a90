"""Crew tasks: one thing that one crew member does, its words, and the money it moves.

The engine has settled the roll already. Tasks say who moves the chips and in which order, by the
steps in the rulebook's data. `apply_tasks` does the tasks on a ledger, so that callers can check
that they move exactly what the engine settled.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Literal, NamedTuple

import msgspec

from passline.crew.facts import Occasion
from passline.game.law.book_files import cached_by_book
from passline.game.law.book_parts import (
    convert_part,
    find_customary_book,
    read_own_part,
    read_part,
)
from passline.game.money.chips import Rack, UncutAmount
from passline.game.table.state import DEALERS, Table
from passline.game.table.table_ends import WalkDirection
from passline.game.words.crew import ChipCounts

TaskVerb = Literal[
    "call", "retrieve", "turn", "watch", "take", "push", "pay", "return", "place", "mark", "clear",
    "button", "announce", "ask", "verify", "notify", "book", "set up", "change", "drop", "offer",
    "send", "inspect", "tell", "keep", "bring out", "hand off",
]  # fmt: skip


class Pot(NamedTuple):
    """Where money is: a rail, a wager on the layout, the bank, or a box (vigorish, tokes, drop).

    Only a rail and a wager have a `player`, only a wager has a `wager`.
    """

    kind: Literal["rail", "layout", "bank", "vig", "tokes", "drop"]
    player: str = ""
    wager: str = ""

    def __str__(self) -> str:
        return " ".join(part for part in self if part)


BANK, VIG, TOKES, DROP = Pot("bank"), Pot("vig"), Pot("tokes"), Pot("drop")


class MoneyMove(NamedTuple):
    """An amount in cents that moves from one pot to another, such as from a rail to a wager."""

    source: Pot
    target: Pot
    amount: int


class Task(msgspec.Struct, frozen=True, kw_only=True):
    """What one crew member does.

    `by` is the member ("base dealer, left end") and `post` the post (`stick`, `box`, `base`,
    `supervisor`). `do` is the verb, `words` the whole sentence. `cite` is a clause of the manual,
    or `custom: ` and a reason. `chips` counts the chips handled by color, largest first, and
    `moves` lists the money. `end` is the end at which the task is done, if it is done at one.
    `said` is what the member says aloud, if anything.
    """

    by: str
    do: TaskVerb
    words: str
    cite: str
    post: str = ""
    end: str = ""
    player: str = ""
    wager: str = ""
    said: str = ""
    amount: int = 0
    chips: tuple[tuple[str, int], ...] = ()
    where: str = ""
    moves: tuple[MoneyMove, ...] = ()


Ledger = dict[Pot, int]


def compute_ledger(table: Table) -> Ledger:
    """Return the cents in each pot of a table. The bank has what the house won, less what it lost.

    Empty pots are left out. The drop (cash paid in) is negative, so that the sum is zero.
    """
    pots: Ledger = {BANK: table.win, VIG: table.vig, TOKES: table.tokes, DROP: -table.drop}
    for seat in table.seats:
        pots[Pot("rail", seat.id)] = seat.rail
    for player, wagers in table.everybody():
        for slug, stake in wagers.items():
            pots[Pot("layout", player, slug)] = stake.amount
    return {pot: amount for pot, amount in pots.items() if amount}


def _resolve_pot(pot: Pot) -> Pot:
    """Return the pot itself, or the toke box for the dealers' rail: dealers have no rail."""
    return TOKES if pot == Pot("rail", DEALERS) else pot


def apply_tasks(before: Ledger, tasks: Iterable[Task]) -> Ledger:
    """Return the ledger `before` (cents by pot) after the crew has done its tasks in order.

    Raise ValueError if a rail or a wager has less than a task takes from it.

    >>> ann = Pot("layout", "ann", "pass")
    >>> moves = (MoneyMove(ann, BANK, 500),)
    >>> lost = Task(by="base dealer", do="take", words="", cite="", moves=moves)
    >>> apply_tasks({ann: 500}, [lost])
    {Pot(kind='bank', player='', wager=''): 500}
    """
    pots = dict(before)
    for task in tasks:
        for source, target, amount in task.moves:
            source, target = _resolve_pot(source), _resolve_pot(target)
            pots[source] = pots.get(source, 0) - amount
            pots[target] = pots.get(target, 0) + amount
            if pots[source] < 0 and source.kind in {"rail", "layout"}:
                raise ValueError(f"{source} has too little: {task.words}")
    return {pot: amount for pot, amount in pots.items() if amount}


#: The key that stands for every kind of wager.
ANY_KIND = "*"
StepPost = Literal["stick", "base", "box"]


def cite_custom(customary: str) -> str:
    """Return the citation of a custom, for a step about which the rulebook says nothing.

    ``customary`` is the clause for it in the book whose manual fills other books' gaps, or "".
    """
    if customary:
        return f"custom: the crew works as {find_customary_book()} {customary} has it"
    return "custom: the crew's own order"


def fill_citations(entries: dict[str, Any], customary: Mapping[str, Any]) -> None:
    """In place, cite a custom in each entry that has no clause, and in the entries below it.

    `customary` has the entries of the same names in the book whose manual fills other books' gaps.
    """
    for name, entry in entries.items():
        custom = customary.get(name, {})
        entry.setdefault("cite", cite_custom(custom.get("cite", "")))
        for below in ("before_player", "after_player"):
            fill_citations(entry.get(below, {}), custom.get(below, {}))


class PlayerStep(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A step done once for each player, before or after the player's wagers in a `WorkStep`.

    It is done if the work step handles a wager of one of the `kinds` for the player.
    """

    do: TaskVerb
    kinds: tuple[str, ...]
    words: str
    cite: str


class AnnounceRule(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Which wagers the crew announces as it handles them: the verbs (`do`) and the wager kinds.

    `by` is the post that announces, if not the one that handles the wager. `also` lists further
    clauses.
    """

    by: StepPost | None = None
    do: tuple[TaskVerb, ...]
    kinds: tuple[str, ...]
    cite: str
    also: tuple[str, ...] = ()


class WorkStep(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One step of the crew's work on a roll: who (`by`) does what (`do`) to which wagers.

    The step handles settlements of the wager `kinds` and `results` on the occasions in `when`; an
    empty `when` means every roll. `way` is the direction in which the dealer goes from player to
    player, and `order` how one player's wagers are sorted: as in `kinds`, or by number from the
    center outward ("inside"). `before_player` and `after_player` are further steps done once for
    each player.
    """

    name: str = ""
    do: TaskVerb
    by: StepPost
    words: str = ""
    kinds: tuple[str, ...] = ()
    results: tuple[str, ...] = ()
    when: tuple[Occasion, ...] = ()
    #: The step is done only if wagers of these kinds are decided too, since they are in the way.
    before: tuple[str, ...] = ()
    #: The step handles a part of the wager. Another step settles the rest.
    partly: bool = False
    way: WalkDirection = "base-to-stick"
    order: Literal["kind", "inside"] = "kind"
    first: Literal["", "dice-end"] = ""
    #: Set if the step is done at one end only: the end where the dice are, or the shooter's.
    end: Literal["", "dice", "shooter"] = ""
    where: str = ""
    before_player: dict[str, PlayerStep] = {}
    after_player: dict[str, PlayerStep] = {}
    cite: str
    #: The clause by game, for games with a clause of their own.
    cite_by_game: dict[str, str] = {}
    #: Further clauses that the step implements by its position, order or manner.
    also: tuple[str, ...] = ()

    def find_clause(self, game: str) -> str:
        """Return the clause of the step in this game, or its custom."""
        return self.cite_by_game.get(game, self.cite)


class _SequenceFile(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    announce: dict[str, AnnounceRule]
    step: dict[str, WorkStep]


@cached_by_book
def _load_sequence(book: str) -> _SequenceFile:
    data = read_part(book, "crew/sequence")
    customary = read_own_part(find_customary_book(), "crew/sequence")
    for section, entries in data.items():
        fill_citations(entries, customary.get(section, {}))
    for name, step in data["step"].items():
        step["name"] = name
    return convert_part(book, "crew/sequence", data, _SequenceFile)


def list_steps(book: str, occasion: Occasion) -> tuple[WorkStep, ...]:
    """Return the steps of the crew's work on a roll of this kind under a rulebook, in order."""
    steps = _load_sequence(book).step.values()
    return tuple(step for step in steps if not step.when or occasion in step.when)


def find_announce_rule(book: str, step: WorkStep, kind: str) -> AnnounceRule | None:
    """Return the rule by which a step announces a wager of this kind, or None if it does not."""
    for line in _load_sequence(book).announce.values():
        if step.do in line.do and (kind in line.kinds or line.kinds == (ANY_KIND,)):
            return line
    return None


def cut_chips(rack: Rack, amount: int) -> ChipCounts:
    """Return an amount in cents as (color, count) pairs. Cents that no chip makes are left out.

    >>> from passline.game.money.chips import STANDARD_RACK as RACK
    >>> cut_chips(RACK, 1400)
    (('red', 2), ('white', 4))
    """
    found = rack.cut(amount)
    return found.chips.counts if isinstance(found, UncutAmount) else found.counts
