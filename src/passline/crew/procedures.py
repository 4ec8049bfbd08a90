"""What the crew does between rolls: bets booked, changed and called, chips changed, dice and
reliefs.

Each table event becomes the tasks of a procedure. The steps of a procedure, with words and clauses,
are data.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import Literal

import msgspec

from passline.crew import ends
from passline.crew.facts import find_place
from passline.crew.placement import (
    ButtonMove,
    find_avoided_totals,
    find_button_kind,
    find_buttons,
    find_prop_placement,
    find_unused_dice,
    list_button_moves,
)
from passline.crew.stick import AnnouncementMoment, format_announcement, list_announcements
from passline.crew.tasks import (
    DROP,
    TOKES,
    VIG,
    MoneyMove,
    Pot,
    Task,
    TaskVerb,
    cut_chips,
)
from passline.game.law.book_files import cached_by_book
from passline.game.law.book_parts import (
    convert_part,
    find_customary_book,
    read_own_part,
    read_part,
)
from passline.game.law.roles import BASE_DEALER, POSTS, find_relieved_posts
from passline.game.layout.spots import Layout, Spot
from passline.game.money.amounts import show_dollars
from passline.game.table import commands as cmd
from passline.game.table import events as ev
from passline.game.table.evolve import evolve
from passline.game.table.posts import count_base_dealers
from passline.game.table.state import DEALERS, NOBODY, Table
from passline.game.words.crew import format_chips
from passline.game.words.events import describe_fault
from passline.game.words.refusals import name_ground
from passline.game.words.wagers import layout_name
from passline.text import join_words

#: The post of each role.
_HANDS_BY_ROLE: dict[str, str] = {role: post.hands for post in POSTS for role in post.roles}
StepActor = Literal[
    "stick", "base", "box", "supervisor", "official", "inspector", "incoming", "outgoing"
]


class ProcedureStep(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One step of a procedure: who does what, in words with names to fill in, and its clause."""

    by: StepActor
    do: TaskVerb
    words: str
    #: The book's own clause.
    cite: str = ""
    #: The custom that is cited if the book has no clause.
    custom: str = "custom: as the manuals have it"
    #: Whether the money moves at this step.
    moves: bool = False
    #: Whether to cite the event's clause if the rulebook has none here.
    by_event: bool = False
    #: Likewise, whether to cite the clause about where propositions, or unused dice, are put.
    placed: bool = False
    store: bool = False

    def find_clause(self, otherwise: str = "") -> str:
        """Return the book's clause, or else the event's, or else the custom."""
        return self.cite or otherwise or self.custom


@cached_by_book
def load_procedures(book: str) -> dict[str, tuple[ProcedureStep, ...]]:
    """Return the steps of every procedure of a rulebook, by the procedure's name."""
    data = read_part(book, "crew/procedures")
    by_custom = find_customary_book()
    for name, steps in read_own_part(by_custom, "crew/procedures").items():
        for step, entry in steps.items():
            if step in data.get(name, {}) and "cite" in entry:
                data[name][step]["custom"] = f"custom: as {by_custom} {entry['cite']} has it"
    found = convert_part(book, "crew/procedures", data, dict[str, dict[str, ProcedureStep]])
    return {name: tuple(steps.values()) for name, steps in found.items()}


class ProcedureContext(msgspec.Struct, frozen=True, kw_only=True):
    """What a procedure is about: the player, the wager, the amount, the money moves, the clause.

    `who` names people who are not in the table state, such as an inspector. `words` has further
    values for the placeholders of the steps.
    """

    player: str = ""
    wager: str = ""
    amount: int = 0
    moves: tuple[MoneyMove, ...] = ()
    cite: str = ""
    where: str = ""
    who: dict[str, str] = {}
    #: The post that is relieved.
    post: str = ""
    words: dict[str, object] = {}


def follow_procedure(table: Table, name: str, about: ProcedureContext) -> Iterator[Task]:
    """Yield the tasks of a procedure."""
    book, store = table.house.book.id, find_unused_dice(table)
    end = ends.find_end(table, about.player) if about.player else None
    chips = cut_chips(table.house.rack, about.amount) if about.amount else ()
    names = {
        "player": about.player,
        "wager": layout_name(about.wager),
        "amount": show_dollars(about.amount),
        "chips": format_chips(chips),
        "box": ends.name_boxperson(table),
        "cup": store.holder,
        "bowl": f"{store.holder} {store.where}",
        "where": about.where,
        **about.words,
    }
    for step in load_procedures(book)[name]:
        cite = store.cite if step.store else about.cite if step.by_event or step.placed else ""
        for at in _list_ends(table, step, about, end):
            yield Task(
                by=about.who.get(step.by) or ends.name_post(table, step.by, at or end or "left"),
                post=_find_post(step.by, about),
                end=at,
                do=step.do,
                words=step.words.format(**names).replace(f"{DEALERS}'s", f"{DEALERS}'"),
                cite=step.find_clause(cite),
                player=about.player,
                wager=about.wager,
                amount=about.amount,
                chips=chips if step.moves else (),
                where=about.where if step.placed else "",
                moves=tuple(move for move in about.moves if move.amount) if step.moves else (),
            )


def _list_ends(
    table: Table, step: ProcedureStep, about: ProcedureContext, end: ends.End | None
) -> tuple[ends.End | Literal[""], ...]:
    """Return the ends at which a step is done. Base dealers act at both ends if no player is
    meant."""
    if step.by == "base" and end is None and count_base_dealers(table.house)[0] > 1:
        return ends.ENDS
    return (end or "",) if step.by == "base" or about.wager else ("",)


def _find_post(by: StepActor, about: ProcedureContext) -> str:
    """Return the post of a step's actor. A person called by name has the procedure's post."""
    if by in ("incoming", "outgoing"):
        return about.post
    name = about.who.get(by, by)
    return _HANDS_BY_ROLE.get(name, name)


def list_announcement_tasks(
    table: Table, moment: AnnouncementMoment, after: str = ""
) -> Iterator[Task]:
    """Yield a task for each announcement of the stick at a moment of the game."""
    for line in list_announcements(table, moment, after=after):
        yield Task(
            by=ends.name_stickperson(table),
            post="stick",
            do="announce",
            words=f"says: {line.words}",
            said=line.words,
            cite=line.cite,
        )


def find_dont_shooter(table: Table) -> str:
    """Return the shooter if he bets against the line and not with it, else ""."""
    if table.shooter == NOBODY:
        return ""
    seat, layout = table.seat(table.shooter), table.layout
    sides = {find_place(layout, layout.spots[slug]) for slug in seat.wagers}
    return seat.id if "donts" in sides and "line" not in sides else ""


def announce_dont_shooter(
    before: Table, after: Table, announced: Collection[Task]
) -> Iterator[Task]:
    """Yield the announcement of a don't shooter when that becomes true (Iowa's stick.4).

    Skip what the crew has just announced.
    """
    who = find_dont_shooter(after)
    if who and who != find_dont_shooter(before):
        yield from (
            task
            for task in list_announcement_tasks(after, "from-the-dont")
            if task not in announced
        )


_DICE_IN_PLAY = 2


def list_dice_tasks(table: Table, event: ev.AnyEvent, after: Table) -> Iterator[Task]:
    """Yield the tasks for dice events: taken, passed, asked for, or a no roll."""
    match event:
        case ev.DiceTaken(player, offered):
            words = {"offered": offered, "left": offered - _DICE_IN_PLAY}
            yield from follow_procedure(
                table, "dice-taken", ProcedureContext(player=player, words=dict(words))
            )
            if not table.point:
                yield from list_announcement_tasks(
                    after, "coming-out", after=_name_last_shooter(table)
                )
        case ev.DicePassed(player):
            name = "dice-given-up" if event.why in {"dead", "closed"} else "dice-passed"
            if event.to_another:  # The dice are checked before the next shooter is offered them.
                yield from follow_procedure(table, "handed-over", ProcedureContext(player=player))
            yield from follow_procedure(table, name, ProcedureContext(player=player))
        case ev.DiceAsked(player, same):
            yield from follow_procedure(
                table, "same-dice" if same else "new-dice", ProcedureContext(player=player)
            )
        case ev.DiceChanged(reason):
            yield from follow_procedure(
                table, "dice-changed", ProcedureContext(words={"reason": name_ground(reason)})
            )
        case ev.NoRoll(ground, by, cite):
            called = format_announcement(table, "no-roll", happened=event)
            name = "die-off" if event.off_table else "no-roll"
            name = "dice-off" if event.side == "both" else name
            who = {"official": by or ends.name_stickperson(table)}
            about = ProcedureContext(
                cite=cite, who=who, words={"called": called, "reason": name_ground(ground)}
            )
            yield from follow_procedure(table, name, about)
        case ev.Warned(player, _, by, cite):
            yield from follow_procedure(
                table, "warned", ProcedureContext(player=player, cite=cite, who={"official": by})
            )
        case _:
            yield from _list_floor_tasks(table, event)


def _name_last_shooter(table: Table) -> str:
    return "" if table.last_shooter == NOBODY else table.seat(table.last_shooter).name


def _list_sent_tasks(table: Table, player: str) -> Iterator[Task]:
    """Yield the tasks for sending the dice out: what they show, to whom they go, what is
    announced."""
    never = find_avoided_totals(table)
    name = "sent-point" if table.point else "sent-come-out"
    if never:
        name = "sent-as-fell" if table.fell and table.fell not in never else "sent-turned"
    words: dict[str, object] = {"fell": table.fell, "never": join_words(never)}
    yield from follow_procedure(table, name, ProcedureContext(player=player, words=words))
    yield from follow_procedure(table, "sent", ProcedureContext(player=player))
    yield from list_announcement_tasks(table, "dice-out")


def _list_floor_tasks(table: Table, event: ev.AnyEvent) -> Iterator[Task]:
    """Yield the tasks for the set of dice, for reliefs, and for a dead game."""
    match event:
        case ev.DiceSent(player):
            yield from _list_sent_tasks(table, player)
        case ev.DiceDrawnBack():
            yield from follow_procedure(table, "dice-back", ProcedureContext())
        case ev.DiceInspected():
            yield from _list_inspection_tasks(table, event)
        case ev.DiceRecalled(reason, cite):
            yield from follow_procedure(
                table,
                "recalled",
                ProcedureContext(cite=cite, words={"reason": name_ground(reason)}),
            )
        case ev.SetCancelled(serial, face):
            words: dict[str, object] = {"serial": serial, "on": f" on the {face}" if face else ""}
            yield from follow_procedure(table, "cancelled", ProcedureContext(words=words))
        case ev.DieLost(left):
            yield from follow_procedure(table, "die-lost", ProcedureContext(words={"left": left}))
        case ev.DieFound():
            yield from follow_procedure(table, "die-found", ProcedureContext())
        case ev.Relieved(name, post):
            yield from _list_relief_tasks(table, name, post)
        case ev.DiceOkayed():
            yield from follow_procedure(table, "okayed", ProcedureContext())
        case ev.GameDied(dice):
            yield from follow_procedure(table, "dead-game", ProcedureContext(words={"dice": dice}))
        case ev.BowlDumped(player):
            # A new player has no seat position yet and is only named.
            known = table.find(player) is not None
            about = ProcedureContext(player=player if known else "", words={"player": player})
            yield from follow_procedure(table, "bowl-dumped", about)
        case _:
            return


def _list_inspection_tasks(table: Table, event: ev.DiceInspected) -> Iterator[Task]:
    who, serial = {"inspector": event.by}, event.serial
    verdict = "; ".join(describe_fault(fault) for fault in event.faults) or "nothing is wrong"
    words: dict[str, object] = {"verdict": verdict, "serial": serial}
    name = "inspect-set" if serial else "inspect-dice"
    yield from follow_procedure(
        table, name, ProcedureContext(cite=event.cite, who=who, words=words)
    )
    if serial and not event.faults:
        yield from follow_procedure(table, "set-ready", ProcedureContext(who=who, words=words))


def _list_relief_tasks(table: Table, name: str, post: str) -> Iterator[Task]:
    """Yield the tasks of a relief. The outgoing dealer tells the incoming one what to know."""
    at = find_relieved_posts(post)
    shooter = "nobody" if table.shooter == NOBODY else table.seat(table.shooter).name
    spots = table.layout.spots
    donts = [
        seat.name
        for seat in table.playing
        if any(_is_dont_wager(table.layout, spots[slug]) for slug in seat.wagers)
        and ends.find_end(table, seat.id) in {post.end for post in at}
    ]
    about = ProcedureContext(
        who={"incoming": name, "outgoing": table.crew.get(post, post)},
        post=at[0].hands,
        words={"shooter": shooter, "donts": ", ".join(donts) or "nobody"},
    )
    yield from follow_procedure(table, f"relieve {BASE_DEALER if at[0].end else post}", about)


def _is_dont_wager(layout: Layout, spot: Spot) -> bool:
    """Return whether a wager is on the don't side."""
    return spot.rule.wins_on_seven or spot.rule.is_laid(layout.house.book)


_ALL_BUTTON_WORDS = {"numbers": "all of {player}'s bets on the numbers are {on}"} | {
    "hardways": "all of {player}'s hardways are {on}"
}


def list_between_roll_tasks(table: Table, event: ev.AnyEvent) -> tuple[Task, ...]:
    """Return what the crew does for an event that is not a roll. `table` is the table before it."""
    after = evolve(table, event)
    found = tuple(_list_tasks(table, event, after))
    return (*found, *announce_dont_shooter(table, after, found))


def list_button_tasks(before: Table, after: Table, player: str) -> tuple[Task, ...]:
    """Return what the crew does with the buttons after a player calls wagers on or off."""
    moves = list_button_moves(before, after, player)
    return tuple(task for move in moves for task in _list_button_steps(after, before, player, move))


def _update_shared_buttons(before: Table, after: Table, player: str) -> Iterator[Task]:
    """Yield the button tasks if a wager came or went, since one button may cover several wagers."""
    if player != DEALERS and find_buttons(before, player):
        yield from list_button_tasks(before, after, player)


def list_refusal_tasks(table: Table, command: cmd.AnyCommand | None) -> tuple[Task, ...]:
    """Return what the crew does for a refused command. A bet refused aloud is called "no bet"."""
    if isinstance(command, cmd.Bet) and command.no_bet:
        return tuple(
            follow_procedure(
                table, "no-bet", ProcedureContext(player=command.player, wager=command.wager)
            )
        )
    return ()


def _list_tasks(table: Table, event: ev.AnyEvent, after: Table) -> Iterator[Task]:
    match event:
        case ev.BoughtIn(player, amount):
            moves = (MoneyMove(DROP, Pot("rail", player), amount),)
            # While the dice are out, only cash for a called bet is taken.
            name = "cash-bet-out" if table.dice.out else "buy-in"
            yield from follow_procedure(
                table, name, ProcedureContext(player=player, amount=amount, moves=moves)
            )
        case ev.Wagered(player):
            yield from _list_booking_tasks(table, event)
            yield from _update_shared_buttons(table, after, player)
        case ev.Changed(player):
            yield from _list_change_tasks(table, event)
            yield from _update_shared_buttons(table, after, player)
        case ev.Called(player):
            yield from list_button_tasks(table, after, player)
        case ev.Undone():
            yield from _list_undo_tasks(table, event, after)
        case ev.Toked(player, amount):
            moves = (MoneyMove(Pot("rail", player), TOKES, amount),)
            yield from follow_procedure(
                table, "toke", ProcedureContext(player=player, amount=amount, moves=moves)
            )
        case ev.TokeMade(player, wager, amount):
            moves = (MoneyMove(Pot("rail", player), Pot("rail", DEALERS), amount),)
            about = ProcedureContext(player=player, wager=wager, amount=amount, moves=moves)
            yield from follow_procedure(table, "toke-bet", about)
        case ev.TokesDropped(amount):
            moves = (MoneyMove(Pot("rail", DEALERS), TOKES, amount),)
            yield from follow_procedure(
                table, "tokes-dropped", ProcedureContext(amount=amount, moves=moves)
            )
        case ev.ChequesChanged() | ev.ColorUpRequested() | ev.ColorUpPermitted() | ev.ColoredUp():
            yield from _list_color_tasks(table, event)
        case ev.LimitsTold(player, wager, least, most, cite, under):
            limits = f"{show_dollars(least)} to {show_dollars(most)}"
            name = "under-minimum" if under else "over-maximum"
            words: dict[str, object] = {"limits": limits}
            yield from follow_procedure(
                table, name, ProcedureContext(player=player, wager=wager, cite=cite, words=words)
            )
        case _:
            yield from list_dice_tasks(table, event, after)


def _list_color_tasks(table: Table, event: ev.AnyEvent) -> Iterator[Task]:
    """Yield the tasks for changing chips. A color up is called and permitted first."""
    match event:
        case ev.ChequesChanged(player, amount, color, count):
            words: dict[str, object] = {"given": f"{count} {color}"}
            yield from follow_procedure(
                table, "cheque-change", ProcedureContext(player=player, amount=amount, words=words)
            )
        case ev.ColorUpRequested(player):
            yield from follow_procedure(table, "colour-called", ProcedureContext(player=player))
        case ev.ColorUpPermitted(player, by):
            yield from follow_procedure(
                table, "colour-permitted", ProcedureContext(player=player, who={"supervisor": by})
            )
        case ev.ColoredUp(player):
            if player not in table.color_up_requests:
                yield from follow_procedure(table, "colour-called", ProcedureContext(player=player))
                yield from follow_procedure(
                    table, "colour-permitted", ProcedureContext(player=player)
                )
            yield from follow_procedure(
                table, "colour-up", ProcedureContext(player=player, amount=table.seat(player).rail)
            )


def _list_booking_tasks(table: Table, event: ev.Wagered) -> Iterator[Task]:
    """Yield the tasks for a new bet. The stick sets up propositions, the base dealer everything
    else."""
    player, wager = event.player, event.wager
    rail, spot = Pot("rail", player), table.layout.spots[wager]
    moves = (
        MoneyMove(rail, Pot("layout", player, wager), event.amount),
        MoneyMove(rail, VIG, event.vig),
    )
    vig = f", vigorish {show_dollars(event.vig)}" if event.vig else ""
    placement = find_prop_placement(table, spot, player)
    about = ProcedureContext(
        player=player,
        wager=wager,
        amount=event.amount,
        moves=moves,
        cite=placement.cite,
        where=placement.where,
        words={"vig": vig},
    )
    if spot.rule.area == "center":
        yield from follow_procedure(table, "late-prop" if table.dice.out else "prop", about)
        return
    name = spot.vig or ("place" if spot.kind == "place-win" else "wager")
    yield from follow_procedure(table, "unnoticed" if event.unnoticed else name, about)
    if spot.vig and wager not in table.wagers_of(player):
        yield from follow_procedure(
            table, f"{name}-button", ProcedureContext(player=player, wager=wager)
        )


def _list_change_tasks(table: Table, event: ev.Changed) -> Iterator[Task]:
    """Yield the tasks for a bet that is raised, reduced or taken down, with its vigorish."""
    if event.now == event.was:  # The command repeats the amount: nothing to do.
        return
    player, wager, rail = event.player, event.wager, Pot("rail", event.player)
    spot, more = Pot("layout", player, wager), event.now - event.was
    up = MoneyMove(rail, spot, more) if more > 0 else MoneyMove(spot, rail, -more)
    vig = MoneyMove(rail, VIG, event.vig) if event.vig > 0 else MoneyMove(VIG, rail, -event.vig)
    lies = table.layout.spots[wager]
    own = "prop" if lies.rule.area == "center" else lies.vig
    name = "press" if more > 0 else "down" if not event.now else "reduce"
    name = f"{name}-{own}" if own else name
    back = f", {show_dollars(-event.vig)} of it vigorish" if event.vig < 0 else ""
    charge = f", vigorish {show_dollars(event.vig)}" if event.vig > 0 else ""
    about = ProcedureContext(
        player=player,
        wager=wager,
        amount=abs(more) + max(-event.vig, 0),
        moves=(up, vig),
        cite=event.cite,
        words={"now": show_dollars(event.now), "vig": charge, "of_it": back},
    )
    yield from follow_procedure(table, "called-off" if event.called_off else name, about)


def _list_undo_tasks(table: Table, event: ev.Undone, after: Table) -> Iterator[Task]:
    """Yield the tasks that put a player's bets back as they were before the undone command."""
    player, rail, now = event.player, Pot("rail", event.player), dict(event.wagers)
    up = table.wagers_of(player)
    back = [MoneyMove(VIG, rail, event.vig)]
    out = [MoneyMove(rail, VIG, -event.vig)]
    for slug in {**up, **now}:
        more = (now[slug].amount if slug in now else 0) - (up[slug].amount if slug in up else 0)
        spot = Pot("layout", player, slug)
        back.append(MoneyMove(spot, rail, -more))
        out.append(MoneyMove(rail, spot, more))
    moves = tuple(move for move in (*back, *out) if move.amount > 0)
    yield from follow_procedure(
        table, "undone", ProcedureContext(player=player, amount=abs(event.moved), moves=moves)
    )
    yield from list_button_tasks(table, after, player)


def _list_button_steps(
    after: Table, before: Table, player: str, moved: ButtonMove
) -> Iterator[Task]:
    wager, button = moved
    spot, was = after.layout.spots[wager], find_buttons(before, player).get(wager)
    center, words = spot.rule.area == "center", {"all": ""}
    shown = button or was
    name = "on-button" if shown is not None and shown.on else "off-button"
    name = "prop-button" if center else f"{name}-buy" if spot.vig == "buy" else name
    if button is None:
        action = "takes the button off"
    else:
        on = "on" if button.on else "off"
        there = was is not None and was.on == button.on
        action = f"leaves the {on} button on" if there else f"puts an {on} button on"
        if button.all:
            kind = find_button_kind(after, wager)
            words["all"] = _ALL_BUTTON_WORDS[kind].format(
                player=player, on="on" if button.on else "off"
            )
            own = [s for s in after.wagers_of(player) if find_button_kind(after, s) == kind]
            buys = all(after.layout.spots[slug].vig == "buy" for slug in own)
            name = "one-prop-button" if center else "one-button-buy" if buys else "one-button"
    about = ProcedureContext(player=player, wager=wager, words={"button": action, **words})
    yield from follow_procedure(before, name, about)
