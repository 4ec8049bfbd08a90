"""What the crew does between rolls, such as booking bets, changing chips, and relieving dealers.

Each table event leads to the tasks of a procedure: a named list of steps. The steps, with words and
clauses, are data.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from types import MappingProxyType
from typing import Literal

import msgspec

from passline.crew import post_names
from passline.crew.on_off_buttons import (
    ButtonMove,
    find_button_kind,
    find_buttons,
    list_button_moves,
)
from passline.crew.props_and_dice import find_avoided_totals, find_prop_placement, find_unused_dice
from passline.crew.stick import (
    AnnouncementMoment,
    format_announcement,
    is_dont_player,
    list_announcements,
)
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
from passline.game.money.amounts import show_dollars
from passline.game.table import commands as cmd
from passline.game.table import events as ev
from passline.game.table import table_ends
from passline.game.table.evolve import evolve
from passline.game.table.posts import count_base_dealers
from passline.game.table.state import DEALERS, NOBODY, Table
from passline.game.words.crew import (
    BUTTON_COVERS,
    BUTTON_TASKS,
    NO_FAULT,
    SAYS,
    format_chips,
)
from passline.game.words.events import describe_fault
from passline.game.words.refusals import name_ground
from passline.game.words.wagers import layout_name
from passline.text import join_words, show_name

#: The post of each role.
_HANDS_BY_ROLE: dict[str, str] = {role: post.hands for post in POSTS for role in post.roles}
StepActor = Literal[
    "stick", "base", "box", "supervisor", "official", "inspector", "incoming", "outgoing"
]


class ProcedureStep(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One step of a procedure: who does what, in words with placeholders, and its clause."""

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


#: The people of a procedure whose actors are all at their posts.
_NOBODY_ELSE: Mapping[str, str] = MappingProxyType({})


@cached_by_book
def load_procedures(book: str) -> dict[str, tuple[ProcedureStep, ...]]:
    """Return the steps of every procedure of a rulebook, by the procedure's name.

    A step without a clause cites a custom: that of the book whose manual fills other books' gaps,
    if it has the step.
    """
    data = read_part(book, "crew/procedures")
    by_custom = find_customary_book()
    for name, steps in read_own_part(by_custom, "crew/procedures").items():
        for step, entry in steps.items():
            if step in data.get(name, {}) and "cite" in entry:
                data[name][step]["custom"] = f"custom: as {by_custom} {entry['cite']} has it"
    found = convert_part(book, "crew/procedures", data, dict[str, dict[str, ProcedureStep]])
    return {name: tuple(steps.values()) for name, steps in found.items()}


def follow_procedure(
    table: Table,
    name: str,
    *,
    player: str = "",
    wager: str = "",
    amount: int = 0,
    moves: tuple[MoneyMove, ...] = (),
    cite: str = "",
    where: str = "",
    who: Mapping[str, str] = _NOBODY_ELSE,
    post: str = "",
    **words: object,
) -> Iterator[Task]:
    """Yield the tasks of the procedure `name`, such as "buy-in".

    It is about a player, a wager, or an amount in cents, as given. `moves` is the money that it
    moves; `cite` is the event's clause and `where` the position of a proposition. `who` names
    people who are not in the table state, by step actor, such as an inspector. `post` is the post
    that is relieved. `words` has further values for the placeholders of the steps.
    """
    store = find_unused_dice(table)
    end = table_ends.find_end(table, player) if player else None
    chips = cut_chips(table.house.rack, amount) if amount else ()
    names = {
        "player": show_name(player or str(words.get("newcomer", ""))),
        "wager": layout_name(wager),
        "amount": show_dollars(amount),
        "chips": format_chips(chips),
        "box": post_names.name_boxperson(table),
        "cup": store.holder,
        "bowl": f"{store.holder} {store.where}",
        "where": where,
        **words,
    }
    for step in load_procedures(table.house.book.id)[name]:
        event_cite = store.cite if step.store else cite if step.by_event or step.placed else ""
        actor = who.get(step.by, step.by)
        relieved = step.by in ("incoming", "outgoing")
        for at in _list_ends(table, step, wager, end):
            yield Task(
                by=who.get(step.by) or post_names.name_post(table, step.by, at or end or "left"),
                post=post if relieved else _HANDS_BY_ROLE.get(actor, actor),
                end=at,
                do=step.do,
                words=step.words.format(**names).replace(f"{DEALERS}'s", f"{DEALERS}'"),
                cite=step.cite or event_cite or step.custom,
                player=player,
                wager=wager,
                amount=amount,
                chips=chips if step.moves else (),
                where=where if step.placed else "",
                moves=tuple(move for move in moves if move.amount) if step.moves else (),
            )


def _list_ends(
    table: Table, step: ProcedureStep, wager: str, end: table_ends.End | None
) -> tuple[table_ends.End | Literal[""], ...]:
    """Return the ends of the table at which a step is done, or ("",) if it belongs to no end.

    `end` is the end of the player concerned. Without one, both base dealers act.
    """
    if step.by == "base" and end is None and count_base_dealers(table.house)[0] > 1:
        return table_ends.ENDS
    return (end or "",) if step.by == "base" or wager else ("",)


def list_announcement_tasks(
    table: Table, moment: AnnouncementMoment, after: str = ""
) -> Iterator[Task]:
    """Yield a task for each line that the stick announces at a moment, such as "point-set".

    `after` names the previous shooter.
    """
    for line in list_announcements(table, moment, after=after):
        yield Task(
            by=post_names.name_stickperson(table),
            post="stick",
            do="announce",
            words=SAYS.format(words=line.words),
            said=line.words,
            cite=line.cite,
        )


def _find_dont_shooter(table: Table) -> str:
    """Return the shooter if that player bets the don't side and not the line, else ""."""
    who = table.shooter
    return who if who != NOBODY and is_dont_player(table, who) else ""


def announce_dont_shooter(
    before: Table, after: Table, announced: Collection[Task]
) -> Iterator[Task]:
    """Yield the stick's announcement that the shooter bets the don't side, if that is new.

    Iowa's stick.4 asks for it. Announcements that are in `announced`, the tasks so far, are left
    out.
    """
    who = _find_dont_shooter(after)
    if who and who != _find_dont_shooter(before):
        tasks = list_announcement_tasks(after, "from-the-dont")
        yield from (task for task in tasks if task not in announced)


_DICE_IN_PLAY = 2


def _list_dice_tasks(table: Table, event: ev.AnyEvent, after: Table) -> Iterator[Task]:
    """Yield the tasks for dice events: taken, passed, asked for, sent out, or a no roll."""
    match event:
        case ev.DiceTaken(player, offered):
            left = offered - _DICE_IN_PLAY
            yield from follow_procedure(
                table, "dice-taken", player=player, offered=offered, left=left
            )
            if not table.point:
                last = table.last_shooter
                name = "" if last == NOBODY else table.seat(last).name
                yield from list_announcement_tasks(after, "coming-out", after=name)
        case ev.DicePassed(player):
            if event.to_another:  # The dice are checked before the next shooter is offered them.
                yield from follow_procedure(table, "handed-over", player=player)
            name = "dice-given-up" if event.why in {"dead", "closed"} else "dice-passed"
            yield from follow_procedure(table, name, player=player)
        case ev.DiceAsked(player, same):
            name = "same-dice" if same else "new-dice"
            yield from follow_procedure(table, name, player=player)
        case ev.DiceChanged(reason):
            yield from follow_procedure(table, "dice-changed", reason=name_ground(reason))
        case ev.DiceSent(player):
            yield from _list_sent_tasks(table, player)
        case ev.DiceDrawnBack():
            yield from follow_procedure(table, "dice-back")
        case ev.NoRoll(ground, by, cite):
            called = format_announcement(table, "no-roll", happened=event)
            name = "die-off" if event.off_table else "no-roll"
            name = "dice-off" if event.side == "both" else name
            who = {"official": by or post_names.name_stickperson(table)}
            reason = name_ground(ground)
            yield from follow_procedure(
                table, name, cite=cite, who=who, called=called, reason=reason
            )
        case ev.Warned(player, _, by, cite):
            yield from follow_procedure(
                table, "warned", player=player, cite=cite, who={"official": by}
            )
        case _:
            yield from _list_floor_tasks(table, event)


def _list_sent_tasks(table: Table, player: str) -> Iterator[Task]:
    """Yield the tasks for sending the dice to a player: what they show, and what is announced."""
    never, fell = find_avoided_totals(table), table.fell
    name = "sent-point" if table.point else "sent-come-out"
    if never:
        name = "sent-as-fell" if fell and fell not in never else "sent-turned"
    yield from follow_procedure(table, name, player=player, fell=fell, never=join_words(never))
    yield from follow_procedure(table, "sent", player=player)
    yield from list_announcement_tasks(table, "dice-out")


def _list_floor_tasks(table: Table, event: ev.AnyEvent) -> Iterator[Task]:
    """Yield the tasks about inspected, canceled and lost dice, about reliefs, and a dead game."""
    match event:
        case ev.DiceInspected():
            yield from _list_inspection_tasks(table, event)
        case ev.DiceRecalled(reason, cite):
            yield from follow_procedure(table, "recalled", cite=cite, reason=name_ground(reason))
        case ev.SetCancelled(serial, face):
            on = f" on the {face}" if face else ""
            yield from follow_procedure(table, "cancelled", serial=serial, on=on)
        case ev.DieLost(left):
            yield from follow_procedure(table, "die-lost", left=left)
        case ev.DieFound():
            yield from follow_procedure(table, "die-found")
        case ev.Relieved(name, post):
            yield from _list_relief_tasks(table, name, post)
        case ev.DiceOkayed():
            yield from follow_procedure(table, "okayed")
        case ev.GameDied(dice):
            yield from follow_procedure(table, "dead-game", dice=dice)
        case ev.BowlDumped(player):
            # A new player has no seat position yet and is only named.
            known = player if table.find(player) is not None else ""
            yield from follow_procedure(table, "bowl-dumped", player=known, newcomer=player)


def _list_inspection_tasks(table: Table, event: ev.DiceInspected) -> Iterator[Task]:
    who, serial = {"inspector": event.by}, event.serial
    verdict = "; ".join(describe_fault(fault) for fault in event.faults) or NO_FAULT
    name = "inspect-set" if serial else "inspect-dice"
    yield from follow_procedure(
        table, name, cite=event.cite, who=who, verdict=verdict, serial=serial
    )
    if serial and not event.faults:
        yield from follow_procedure(table, "set-ready", who=who, verdict=verdict, serial=serial)


def _list_relief_tasks(table: Table, name: str, post: str) -> Iterator[Task]:
    """Yield the tasks when `name` relieves the holder of a post.

    The outgoing dealer tells the incoming one who shoots and who bets the don't side.
    """
    at, spots, book = find_relieved_posts(post), table.layout.spots, table.house.book
    donts = [
        seat.name
        for seat in table.playing
        if any(spots[s].rule.wins_on_seven or spots[s].rule.is_laid(book) for s in seat.wagers)
        and table_ends.find_end(table, seat.id) in {post.end for post in at}
    ]
    yield from follow_procedure(
        table,
        f"relieve {BASE_DEALER if at[0].end else post}",
        who={"incoming": name, "outgoing": table.crew.get(post, post)},
        post=at[0].hands,
        shooter="nobody" if table.shooter == NOBODY else table.seat(table.shooter).name,
        donts=", ".join(donts) or "nobody",
    )


def list_between_roll_tasks(table: Table, event: ev.AnyEvent) -> tuple[Task, ...]:
    """Return what the crew does for an event that is not a roll. `table` is the table before it."""
    after = evolve(table, event)
    found = tuple(_list_tasks(table, event, after))
    return (*found, *announce_dont_shooter(table, after, found))


def list_button_tasks(before: Table, after: Table, player: str) -> tuple[Task, ...]:
    """Return what the crew does with ON and OFF buttons as a player's wagers change.

    `before` and `after` are the table before and after the change.
    """
    moves = list_button_moves(before, after, player)
    return tuple(task for move in moves for task in _list_button_steps(after, before, player, move))


def _update_shared_buttons(before: Table, after: Table, player: str) -> Iterator[Task]:
    """Yield the button tasks after a player's bet changed, since one button may cover several."""
    if player != DEALERS and find_buttons(before, player):
        yield from list_button_tasks(before, after, player)


def list_refusal_tasks(table: Table, command: cmd.AnyCommand | None) -> tuple[Task, ...]:
    """Return what the crew does about a refused command: if the bet has ``no_bet``, call "no bet".

    Return () for any other command. The function does not check that the command was refused.
    """
    if isinstance(command, cmd.Bet) and command.no_bet:
        who, wager = command.player, command.wager
        return tuple(follow_procedure(table, "no-bet", player=who, wager=wager))
    return ()


def _list_tasks(table: Table, event: ev.AnyEvent, after: Table) -> Iterator[Task]:
    match event:
        case ev.BoughtIn(player, amount):
            moves = (MoneyMove(DROP, Pot("rail", player), amount),)
            # While the dice are out, only cash for a called bet is taken.
            name = "cash-bet-out" if table.dice.out else "buy-in"
            yield from follow_procedure(table, name, player=player, amount=amount, moves=moves)
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
            yield from follow_procedure(table, "toke", player=player, amount=amount, moves=moves)
        case ev.TokeMade(player, wager, amount):
            moves = (MoneyMove(Pot("rail", player), Pot("rail", DEALERS), amount),)
            yield from follow_procedure(
                table, "toke-bet", player=player, wager=wager, amount=amount, moves=moves
            )
        case ev.TokesDropped(amount):
            moves = (MoneyMove(Pot("rail", DEALERS), TOKES, amount),)
            yield from follow_procedure(table, "tokes-dropped", amount=amount, moves=moves)
        case ev.ChequesChanged() | ev.ColorUpRequested() | ev.ColorUpPermitted() | ev.ColoredUp():
            yield from _list_color_tasks(table, event)
        case ev.LimitsTold(player, wager, least, most, cite, under):
            limits = f"{show_dollars(least)} to {show_dollars(most)}"
            name = "under-minimum" if under else "over-maximum"
            yield from follow_procedure(
                table, name, player=player, wager=wager, cite=cite, limits=limits
            )
        case _:
            yield from _list_dice_tasks(table, event, after)


def _list_color_tasks(table: Table, event: ev.AnyEvent) -> Iterator[Task]:
    """Yield the tasks for changing chips. A dealer calls a color up, and an official permits it."""
    match event:
        case ev.ChequesChanged(player, amount, color, count):
            yield from follow_procedure(
                table, "cheque-change", player=player, amount=amount, given=f"{count} {color}"
            )
        case ev.ColorUpRequested(player):
            yield from follow_procedure(table, "colour-called", player=player)
        case ev.ColorUpPermitted(player, by):
            yield from follow_procedure(
                table, "colour-permitted", player=player, who={"supervisor": by}
            )
        case ev.ColoredUp(player):
            if player not in table.color_up_requests:
                yield from follow_procedure(table, "colour-called", player=player)
                yield from follow_procedure(table, "colour-permitted", player=player)
            rail = table.seat(player).rail
            yield from follow_procedure(table, "colour-up", player=player, amount=rail)


def _list_booking_tasks(table: Table, event: ev.Wagered) -> Iterator[Task]:
    """Yield the tasks for a new bet. The stick sets up propositions, the base dealer the rest."""
    player, wager = event.player, event.wager
    rail, spot = Pot("rail", player), table.layout.spots[wager]
    center = spot.rule.area == "center"
    name = spot.vig or ("place" if spot.kind == "place-win" else "wager")
    booked = "unnoticed" if event.unnoticed else name
    placement = find_prop_placement(table, spot, player)
    yield from follow_procedure(
        table,
        ("late-prop" if table.dice.out else "prop") if center else booked,
        player=player,
        wager=wager,
        amount=event.amount,
        moves=(
            MoneyMove(rail, Pot("layout", player, wager), event.amount),
            MoneyMove(rail, VIG, event.vig),
        ),
        cite=placement.cite,
        where=placement.where,
        vig=f", vigorish {show_dollars(event.vig)}" if event.vig else "",
    )
    if spot.vig and not center and wager not in table.wagers_of(player):
        yield from follow_procedure(table, f"{name}-button", player=player, wager=wager)


def _list_change_tasks(table: Table, event: ev.Changed) -> Iterator[Task]:
    """Yield the tasks for a bet that is raised, reduced or taken down, with its vigorish."""
    if event.now == event.was:  # The command repeats the amount: nothing to do.
        return
    player, wager, rail = event.player, event.wager, Pot("rail", event.player)
    pot, more = Pot("layout", player, wager), event.now - event.was
    spot = table.layout.spots[wager]
    own = "prop" if spot.rule.area == "center" else spot.vig
    name = "press" if more > 0 else "down" if not event.now else "reduce"
    name = f"{name}-{own}" if own else name
    yield from follow_procedure(
        table,
        "called-off" if event.called_off else name,
        player=player,
        wager=wager,
        amount=abs(more) + max(-event.vig, 0),
        moves=(_move_either_way(rail, pot, more), _move_either_way(rail, VIG, event.vig)),
        cite=event.cite,
        now=show_dollars(event.now),
        vig=f", vigorish {show_dollars(event.vig)}" if event.vig > 0 else "",
        of_it=f", {show_dollars(-event.vig)} of it vigorish" if event.vig < 0 else "",
    )


def _move_either_way(source: Pot, target: Pot, amount: int) -> MoneyMove:
    """Return a move of `amount` cents, from `target` to `source` if it is negative."""
    return MoneyMove(source, target, amount) if amount > 0 else MoneyMove(target, source, -amount)


def _list_undo_tasks(table: Table, event: ev.Undone, after: Table) -> Iterator[Task]:
    """Yield the tasks that put a player's bets back as they were before the undone command.

    `after` is the table after the undo.
    """
    player, rail, now = event.player, Pot("rail", event.player), dict(event.wagers)
    up = table.wagers_of(player)
    moves = [_move_either_way(rail, VIG, -event.vig)]
    for slug in {**up, **now}:
        more = (now[slug].amount if slug in now else 0) - (up[slug].amount if slug in up else 0)
        moves.append(_move_either_way(rail, Pot("layout", player, slug), more))
    # What comes back to the rail moves before what goes out of it.
    ordered = tuple(sorted(moves, key=lambda move: move.source == rail))
    amount = abs(event.moved)
    yield from follow_procedure(table, "undone", player=player, amount=amount, moves=ordered)
    yield from list_button_tasks(table, after, player)


def _list_button_steps(
    after: Table, before: Table, player: str, moved: ButtonMove
) -> Iterator[Task]:
    wager, button = moved
    spot, was = after.layout.spots[wager], find_buttons(before, player).get(wager)
    center, covered = spot.rule.area == "center", ""
    shown = button or was
    on = "on" if shown is not None and shown.on else "off"
    name = "prop-button" if center else f"{on}-button-buy" if spot.vig == "buy" else f"{on}-button"
    if button is None:
        action = BUTTON_TASKS["off"]
    else:
        there = was is not None and was.on == button.on
        action = BUTTON_TASKS["leave" if there else "put"].format(on=on)
        if button.all:
            kind = find_button_kind(after, wager)
            covered = BUTTON_COVERS[kind].format(player=show_name(player), on=on)
            own = [s for s in after.wagers_of(player) if find_button_kind(after, s) == kind]
            buys = all(after.layout.spots[slug].vig == "buy" for slug in own)
            name = "one-prop-button" if center else "one-button-buy" if buys else "one-button"
    yield from follow_procedure(
        before, name, player=player, wager=wager, button=action, all=covered
    )
