"""What the crew does with the dice between throws, at reliefs, and in games that die."""

from __future__ import annotations

from collections.abc import Iterator

from passline.crew import ends
from passline.crew.announcements import announce
from passline.crew.errand_steps import Named, run, said
from passline.crew.placing import never_shown
from passline.crew.tasks import Task
from passline.law.roles import BASE_DEALER, posts_relieved
from passline.law.wagers import Come, Line, OddsRule, Race
from passline.layout import Layout, Spot
from passline.sentences import join_words
from passline.table import Table
from passline.table import events as ev
from passline.table.state import NOBODY
from passline.words.events import fault_words

_IN_PLAY = 2


def dice_tasks(table: Table, event: ev.AnyEvent, after: Table) -> Iterator[Task]:
    """The dice going round: taken, passed, asked for, thrown in vain."""
    match event:
        case ev.DiceTaken(player, offered):
            words = {"offered": offered, "left": offered - _IN_PLAY}
            yield from run(table, "dice-taken", Named(player=player, words=dict(words)))
            if not table.puck:
                yield from said(after, "coming-out", after=_last_shooter(table))
        case ev.DicePassed(player):
            name = "dice-given-up" if event.why in {"dead", "closed"} else "dice-passed"
            if event.to_another:  # looked over before the next in turn is offered them
                yield from run(table, "handed-over", Named(player=player))
            yield from run(table, name, Named(player=player))
        case ev.DiceAsked(player, same):
            yield from run(table, "same-dice" if same else "new-dice", Named(player=player))
        case ev.DiceChanged(reason):
            yield from run(table, "dice-changed", Named(words={"reason": reason}))
        case ev.NoRoll(ground, by, cite):
            called = announce(table, "no-roll", happened=event)
            name = "die-off" if event.off_table else "no-roll"
            name = "dice-off" if event.side == "both" else name
            who = {"official": by or ends.stick(table)}
            about = Named(cite=cite, who=who, words={"called": called, "reason": ground})
            yield from run(table, name, about)
        case ev.Warned(player, _, by, cite):
            yield from run(table, "warned", Named(player=player, cite=cite, who={"official": by}))
        case _:
            yield from _floor(table, event)


def _last_shooter(table: Table) -> str:
    return "" if table.last_shooter == NOBODY else table.seat(table.last_shooter).name


def _sent(table: Table, player: str) -> Iterator[Task]:
    """The dice on their way: what they show, to whom they go, and what is said."""
    never = never_shown(table)
    name = "sent-point" if table.puck else "sent-come-out"
    if never:
        name = "sent-as-fell" if table.fell and table.fell not in never else "sent-turned"
    words: dict[str, object] = {"fell": table.fell, "never": join_words(never)}
    yield from run(table, name, Named(player=player, words=words))
    yield from run(table, "sent", Named(player=player))
    yield from said(table, "dice-out")


def _floor(table: Table, event: ev.AnyEvent) -> Iterator[Task]:
    """The set of dice, reliefs, and games that die."""
    match event:
        case ev.DiceSent(player):
            yield from _sent(table, player)
        case ev.DiceDrawnBack():
            yield from run(table, "dice-back", Named())
        case ev.DiceInspected():
            yield from _inspected(table, event)
        case ev.DiceRecalled(reason, cite):
            yield from run(table, "recalled", Named(cite=cite, words={"reason": reason}))
        case ev.SetCancelled(serial, face):
            words: dict[str, object] = {"serial": serial, "on": f" on the {face}" if face else ""}
            yield from run(table, "cancelled", Named(words=words))
        case ev.DieLost(left):
            yield from run(table, "die-lost", Named(words={"left": left}))
        case ev.DieFound():
            yield from run(table, "die-found", Named())
        case ev.Relieved(name, post):
            yield from _relieved(table, name, post)
        case ev.DiceOkayed():
            yield from run(table, "okayed", Named())
        case ev.GameDied(dice):
            yield from run(table, "dead-game", Named(words={"dice": dice}))
        case ev.BowlDumped(player):
            # Whoever comes up for the first time has no place yet, and is only named.
            known = table.find(player) is not None
            about = Named(player=player if known else "", words={"player": player})
            yield from run(table, "bowl-dumped", about)
        case _:
            return


def _inspected(table: Table, event: ev.DiceInspected) -> Iterator[Task]:
    who, serial = {"inspector": event.by}, event.serial
    verdict = "; ".join(fault_words(fault) for fault in event.faults) or "nothing is wrong"
    words: dict[str, object] = {"verdict": verdict, "serial": serial}
    name = "inspect-set" if serial else "inspect-dice"
    yield from run(table, name, Named(cite=event.cite, who=who, words=words))
    if serial and not event.faults:
        yield from run(table, "set-ready", Named(who=who, words=words))


def _relieved(table: Table, name: str, post: str) -> Iterator[Task]:
    """Whoever goes tells whoever comes what must be known."""
    at = posts_relieved(post)
    shooter = "nobody" if table.shooter == NOBODY else table.seat(table.shooter).name
    spots = table.layout.spots
    donts = [
        seat.name
        for seat in table.playing
        if any(_against(table.layout, spots[slug]) for slug in seat.wagers)
        and ends.end_of(table, seat.id) in {held.end for held in at}
    ]
    about = Named(
        who={"incoming": name, "outgoing": table.crew.get(post, post)},
        post=at[0].hands,
        words={"shooter": shooter, "donts": ", ".join(donts) or "nobody"},
    )
    yield from run(table, f"relieve {BASE_DEALER if at[0].end else post}", about)


def _against(layout: Layout, spot: Spot) -> bool:
    """Whether a wager is on the don't side."""
    rule = spot.rule
    if isinstance(rule, OddsRule):
        rule = layout.house.book.wager[rule.flat]
    return isinstance(rule, Line | Come | Race) and rule.wins.value != "number"
