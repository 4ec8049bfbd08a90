"""Iowa's Craps Shootout: a bonus for all six points in one turn, which grows every day."""

from __future__ import annotations

from datetime import datetime, time

from msgspec import convert

from passline.game.law.book import ShootoutRules
from passline.game.layout.settle import Throw
from passline.game.layout.stakes import Settlement
from passline.game.table import events as ev
from passline.game.table.state import NOBODY, ShootoutNote, ShootoutState, Table


def _rules_and_state(table: Table) -> tuple[ShootoutRules, ShootoutState] | None:
    rules = table.house.book.shootout
    if rules is None or table.shootout is None:
        return None
    return rules, table.shootout


def apply_throw(
    table: Table, shooter: str, throw: Throw, tampered: bool
) -> tuple[list[Settlement], tuple[ev.AnyEvent, ...]]:
    """Return (awards, events) of the shootout after a throw of ``shooter``.

    Awards are settlements without a stake. ``tampered`` says that the dice were tampered with.
    """
    found = _rules_and_state(table)
    if found is None:
        return [], ()
    rules, state = found
    if throw.loser_seven:
        return [], (ev.ShootoutMoved(state.amount, (), True),)
    if not (throw.puck and throw.total == throw.puck and state.open) or shooter == NOBODY:
        return [], ()
    if not any(slug in table.seat(shooter).wagers for slug in rules.needs.value):
        return [], ()
    made = state.made | {throw.total}
    if not made.issuperset(rules.points.value):
        return [], (ev.ShootoutMoved(state.amount, tuple(sorted(made)), True),)
    if tampered and rules.void_on_tampering.value:
        note = ShootoutNote("void", state.amount, when=table.now)
        return [], (ev.ShootoutMoved(state.amount, (), False, note=note),)
    awards = _list_awards(table, rules, state, shooter)
    note = ShootoutNote(what="hit", amount=state.amount, shares=len(awards) - 1, when=table.now)
    return awards, (ev.ShootoutMoved(rules.reset.value * 100, (), True, note=note),)


def _list_awards(
    table: Table, rules: ShootoutRules, state: ShootoutState, shooter: str
) -> list[Settlement]:
    """Return the shooter's award, and a share for each player with the wager that a share needs."""
    bonus = state.amount
    awards = [_award_settlement(shooter, "shootout", bonus, rules.points.cite)]
    share, cite = _find_share(rules, bonus)
    for seat in table.playing:
        if seat.id == shooter and not rules.share_shooter.value:
            continue
        wagers = seat.wagers
        if rules.share_needs.value == "line-bet":
            wagers = {slug: s for slug, s in wagers.items() if slug in rules.needs.value}
        if wagers and share:
            awards.append(_award_settlement(seat.id, "share-the-wealth", share, cite))
    return awards


def _find_share(rules: ShootoutRules, bonus: int) -> tuple[int, str]:
    for span, share in rules.share.items():
        low, _, high = span.partition("-")
        if int(low) * 100 <= bonus <= int(high or low) * 100:
            return share.value * 100, share.cite
    return 0, ""


def _award_settlement(player: str, name: str, cents: int, cite: str) -> Settlement:
    paid = {"paid": cents, "promo": cents, "back": cents, "stake": 0, "vig": 0, "left": 0}
    values = {"player": player, "wager": name, "result": "win", "odds": None, "cite": cite, **paid}
    return convert(values, Settlement)


def apply_pass(table: Table) -> tuple[ev.AnyEvent, ...]:
    """Return the event that voids the points made so far when the dice pass before a seven-out.

    Return () if the book does not void them, or if the shooter who passes has not thrown.
    """
    found = _rules_and_state(table)
    if found is None or not table.turn:
        return ()
    rules, state = found
    if not rules.void_on_pass.value:
        return ()
    opens = rules.resumes.value != "seven-out"
    return (ev.ShootoutMoved(state.amount, (), opens),)


def apply_clock(table: Table, when: datetime) -> tuple[ev.AnyEvent, ...]:
    """Return the event by which the shootout bonus grew while the clock moved on to ``when``.

    The bonus grows by one step a day, up to its cap. Return () if no step is due.
    """
    found = _rules_and_state(table)
    if found is None or not table.now:
        return ()
    rules, state = found
    at, before = time.fromisoformat(rules.at.value), datetime.fromisoformat(table.now)
    steps = (when.date() - before.date()).days + (when.time() >= at) - (before.time() >= at)
    amount = min(state.amount + steps * rules.step.value * 100, rules.cap.value * 100)
    if not steps:
        return ()
    note = ShootoutNote("grown", amount, when=when.isoformat(" ", "minutes"))
    return (ev.ShootoutMoved(amount, tuple(sorted(state.made)), state.open, note=note),)
