"""Tasks: one thing that one member of the crew does, and the money that it moves.

The engine has settled the throw already; tasks only say by whose hands, in which order. Carrying
out a list of them must move exactly what the engine settled, and ``apply_tasks`` proves it.

The order of the crew's work on a throw, as data: ``sequence.toml``.

Tasks in words, as a floor supervisor would read them off.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Literal, NamedTuple

import msgspec

from passline.crew.ends import WalkDirection
from passline.crew.facts import Occasion
from passline.game.law.book_parts import (
    cached_by_book,
    convert_part,
    find_customary_book,
    read_own_part,
    read_part,
)
from passline.game.layout.stakes import Settlement
from passline.game.money.amounts import show_dollars
from passline.game.money.chips import Rack, UncutAmount
from passline.game.table.state import DEALERS, Table
from passline.game.words.wagers import layout_name

TaskVerb = Literal[
    "call", "retrieve", "turn", "watch", "take", "push", "pay", "return", "place", "mark", "clear",
    "button", "announce", "ask", "verify", "notify", "book", "set up", "change", "drop", "offer",
    "send", "inspect", "tell", "keep", "bring out", "hand off",
]  # fmt: skip


class Pot(NamedTuple):
    """Where money lies: a rail, a wager on the layout, or the house's bank, vigorish or tokes."""

    kind: Literal["rail", "layout", "bank", "vig", "tokes", "drop"]
    player: str = ""
    wager: str = ""


BANK, VIG, TOKES, DROP = Pot("bank"), Pot("vig"), Pot("tokes"), Pot("drop")


class MoneyMove(NamedTuple):
    """So many cents from one pot to another."""

    source: Pot
    target: Pot
    amount: int


class Task(msgspec.Struct, frozen=True, kw_only=True):
    """What one member of the crew does.

    ``by`` is the member ("stickperson", "base dealer, left end"), ``do`` the verb, ``words`` the
    whole of it for people, ``cite`` the clause of the manual, or ``custom: `` and a reason.
    ``chips`` is what is handled, by colour, largest first; ``moves`` the money. ``post`` is whose
    hands these are (``stick``, ``box``, ``base``, ``supervisor``), ``end`` where it is done, if at
    one end; ``said`` what is said aloud for all, where ``words`` tell that it is.
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
    """Where every cent at a table lies. The bank holds what the house won, less what it lost."""
    pots: Ledger = {BANK: table.win, VIG: table.vig, TOKES: table.tokes, DROP: -table.drop}
    for seat in table.seats:
        pots[Pot("rail", seat.id)] = seat.rail
    for player, wagers in table.everybody():
        for slug, stake in wagers.items():
            pots[Pot("layout", player, slug)] = stake.amount
    return {pot: amount for pot, amount in pots.items() if amount}


def _resolve_pot(pot: Pot) -> Pot:
    """The dealers have no rail: what is theirs and on no wager is in the toke box."""
    return TOKES if pot == Pot("rail", DEALERS) else pot


def apply_tasks(before: Ledger, tasks: Iterable[Task]) -> Ledger:
    """The ledger once the crew has done its tasks, one after the other.

    Chips are moved only from where they lie: a rail or a wager that would owe raises ValueError.

    >>> ann = Pot("layout", "ann", "pass")
    >>> lost = Task(by="base dealer", do="take", words="", cite="", moves=(MoneyMove(ann, BANK, 500),))
    >>> apply_tasks({ann: 500}, [lost])
    {Pot(kind='bank', player='', wager=''): 500}
    """  # noqa: E501
    pots = dict(before)
    for task in tasks:
        for source, target, amount in task.moves:
            source, target = _resolve_pot(source), _resolve_pot(target)
            pots[source] = pots.get(source, 0) - amount
            pots[target] = pots.get(target, 0) + amount
            if pots[source] < 0 and source.kind in {"rail", "layout"}:
                where = " ".join(part for part in source if part)
                raise ValueError(f"{where} has too little: {task.words}")
    return {pot: amount for pot, amount in pots.items() if amount}


#: Every kind of wager.
ANY_KIND = "*"
StepPost = Literal["stick", "base", "box"]


def cite_custom(customary: str) -> str:
    """Return what a step cites where the book is silent: the customary book's clause, if any."""
    if customary:
        return f"custom: the crew works as {find_customary_book()} {customary} has it"
    return "custom: the crew's own order"


def fill_citations(entries: dict[str, Any], customary: Mapping[str, Any]) -> None:
    """Give every entry that names no clause the custom's citation, and the entries in it too."""
    for name, entry in entries.items():
        custom = customary.get(name, {})
        entry.setdefault("cite", cite_custom(custom.get("cite", "")))
        for below in ("before_player", "after_player"):
            fill_citations(entry.get(below, {}), custom.get(below, {}))


class PlayerStep(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What is done once for a player in a step, where it handles such wagers of his."""

    do: TaskVerb
    kinds: tuple[str, ...]
    words: str
    cite: str


class AnnounceRule(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What is announced as a wager is taken or paid.

    ``by`` says who does, if not whoever handles the wager; ``also`` further clauses that ask it.
    """

    by: StepPost | None = None
    do: tuple[TaskVerb, ...]
    kinds: tuple[str, ...]
    cite: str
    also: tuple[str, ...] = ()


class WorkStep(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One step: who does what to which wagers, walking which way, and the clause by rulebook."""

    name: str = ""
    do: TaskVerb
    by: StepPost
    words: str = ""
    kinds: tuple[str, ...] = ()
    results: tuple[str, ...] = ()
    when: tuple[Occasion, ...] = ()
    #: Only if such wagers are decided too: what is pushed aside is in somebody's way.
    before: tuple[str, ...] = ()
    #: Handles a part of the wager; the rest is still to be settled.
    partly: bool = False
    way: WalkDirection = "base-to-stick"
    order: Literal["kind", "inside"] = "kind"
    first: Literal["", "dice-end"] = ""
    #: At one end only: where the dice lie, or where the shooter stands.
    end: Literal["", "dice", "shooter"] = ""
    where: str = ""
    before_player: dict[str, PlayerStep] = {}
    after_player: dict[str, PlayerStep] = {}
    cite: str
    #: The clause of a game that has its own.
    cite_by_game: dict[str, str] = {}
    #: Further clauses that its place, order or manner carries out.
    also: tuple[str, ...] = ()

    def find_clause(self, game: str) -> str:
        """Return the clause of the step, or the custom by which it is done."""
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
    """The steps of a throw under a rulebook."""
    return tuple(
        step
        for step in _load_sequence(book).step.values()
        if not step.when or occasion in step.when
    )


def find_announce_rule(book: str, step: WorkStep, kind: str) -> AnnounceRule | None:
    """What is announced as a step takes or pays a wager of a kind; None: nothing."""
    for line in _load_sequence(book).announce.values():
        if step.do in line.do and (kind in line.kinds or line.kinds == (ANY_KIND,)):
            return line
    return None


#: How many of each colour, the largest first.
ChipCounts = tuple[tuple[str, int], ...]


def cut_chips(rack: Rack, amount: int) -> ChipCounts:
    """An amount in chips; what no chip is small enough for is left out.

    >>> from passline.game.money.chips import STANDARD_RACK as RACK
    >>> cut_chips(RACK, 1400)
    (('red', 2), ('white', 4))
    """
    found = rack.cut(amount)
    return found.chips.counts if isinstance(found, UncutAmount) else found.counts


def format_chips(chips: ChipCounts) -> str:
    """Chips by colour.

    >>> format_chips((("green", 1), ("white", 3)))
    '1 green, 3 white'
    """
    return ", ".join(f"{count} {colour}" for colour, count in chips)


def format_possessive(player: str) -> str:
    """A player's, in the genitive.

    >>> format_possessive("ann"), format_possessive("the dealers")
    ("ann's", "the dealers'")
    """
    return f"{player}'" if player.endswith("s") else f"{player}'s"


def format_task(
    step: WorkStep, done: Settlement, chips: ChipCounts, how: str = "", held: int = 0
) -> str:
    """What is done to one wager; ``how`` a payoff is set, where that is known better, and
    ``held``: what netted losers hold back of it."""
    wager, stake = (
        f"{format_possessive(done.player)} {layout_name(done.wager)}",
        show_dollars(done.stake),
    )
    where = f": {how}" if how else f", {step.where}" if step.where else ""
    match step.do:
        case "take" if done.back:
            taken = show_dollars(done.stake - done.back)
            return f"takes {taken} of {wager}; {show_dollars(done.back)} goes back{where}"
        case "take":
            return f"takes {wager}, {stake}{where}"
        case "push":
            return f"pushes {wager}, {stake}, {step.where}"
        case "keep":
            return f"leaves {wager}, {stake}, {step.where}"
        case "place":
            return f"moves {wager}, {stake}, to {layout_name(done.to or '')}{where}"
        case "return":
            return f"hands back {stake} of {wager}: {step.where}"
        case _:
            return _format_payment(done, chips, wager, held) + where


def format_task_announcement(step: WorkStep, done: Settlement, held: int = 0) -> str:
    """What is announced of a wager as it is taken or paid."""
    wager = layout_name(done.wager)
    if step.do == "take":
        taken = show_dollars(done.stake - done.back)
        return f"announces {format_possessive(done.player)} {wager} taken, {taken}"
    return f"announces {_format_due(done, held)} for {wager}, to {done.player}"


def _format_due(done: Settlement, held: int) -> str:
    """What the player gets: all of the pay, or what the losers leave of it."""
    if not held:
        return show_dollars(done.paid)
    paid, lost = show_dollars(done.paid), show_dollars(held)
    return f"{show_dollars(done.paid - held)} ({paid} less {lost} that lost)"


def _format_payment(done: Settlement, chips: ChipCounts, wager: str, held: int) -> str:
    if done.result == "push":
        return f"{wager} comes out level and comes down, {show_dollars(done.stake)}"
    cut = f" ({format_chips(chips)})" if chips else ""
    odds = f" at {done.odds}" if done.odds else ""
    vig = f", asks for {show_dollars(done.vig)} vigorish" if done.vig else ""
    back = f"; its {show_dollars(done.stake)} comes down with it" if done.stake else ""
    stays = "; the wager stays up" if done.left and done.stake else back
    return f"pays {wager} {_format_due(done, held)}{odds}{cut}{vig}{stays}"
