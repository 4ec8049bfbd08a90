"""Deciding a throw: whether it counts, and what it does."""

from __future__ import annotations

from passline.dice import SEVEN, index_of
from passline.law.wagers import Collect
from passline.layout import Refusal, Settlement, Throw, refuse, settle
from passline.table import commands as cmd
from passline.table import custody, shootout
from passline.table import events as ev
from passline.table.events import Answer
from passline.table.evolve import evolve_all
from passline.table.sending import kept_back
from passline.table.state import NOBODY, Table
from passline.table.tendering import lapse_late
from passline.table.tokes import winnings_dropped

#: The ground on which a die left the table: others may have to be found, or fetched.
OFF_TABLE = "off-table"


def roll(table: Table, ask: cmd.Roll) -> Answer:
    """A throw that came to rest."""
    return _thrown(table, ask.first, ask.second, tampered=ask.tampered)


def _thrown(table: Table, first: int, second: int, tampered: bool = False, by: str = "") -> Answer:
    who = kept_back(table) or custody.thrower(table)
    if isinstance(who, Refusal):
        return who
    before = (*lapse_late(table), *who.events) if table.late else who.events
    if before:
        table = evolve_all(table, before)
    index, total, puck = index_of(first, second), first + second, table.puck
    collecting = _collecting(table) if table.layout.collects else ()
    made, gathered = table.made, table.thrown
    if collecting:
        made, gathered = _gathered(table, total, collecting)
    throw = Throw(index, total, puck, made, gathered)
    settlements: list[Settlement] = []
    for player, wagers in table.everybody():
        if wagers:
            settlements += settle(table.layout, player, wagers, throw)
    award, moved = shootout.on_throw(table, who.id, throw, tampered)
    if award:
        settlements += award
    riding = _riding(table, collecting, settlements) if collecting else frozenset()
    kept = () if throw.loser_seven or "points-made" not in riding else made
    thrown = () if total == SEVEN or "totals-thrown" not in riding else gathered
    rolled = ev.Rolled(
        first=first,
        second=second,
        shooter=who.id,
        was=puck,
        puck=_puck_after(table, total, who.special),
        settlements=tuple(settlements),
        made=tuple(sorted(kept)) if kept else (),
        thrown=tuple(sorted(thrown)) if thrown else (),
        riding=tuple(sorted(riding)) if riding else (),
        special=who.special,
        ruled_by=by,
    )
    told = _told(table, settlements)
    dropped = winnings_dropped(table, settlements)
    passed = _must_pass(table, who.id, throw)
    return (*before, rolled, *told, *dropped, *moved, *passed)


def foresee(table: Table, player: str, first: int, second: int) -> list[Settlement]:
    """What these dice would do to a player's wagers, were they thrown now."""
    total = first + second
    made, gathered = _gathered(table, total, _collecting(table))
    throw = Throw(index_of(first, second), total, table.puck, made, gathered)
    return settle(table.layout, player, table.wagers_of(player), throw)


def _told(table: Table, settlements: list[Settlement]) -> list[ev.AnyEvent]:
    """Players whose wager was found past the limits are told what those are."""
    stakes = table.house.book.stakes
    found: list[ev.AnyEvent] = []
    for done in settlements:
        wagers = table.wagers_of(done.player)
        if done.wager not in wagers or not wagers[done.wager].unnoticed:
            continue
        spot, amount = table.layout.spots[done.wager], wagers[done.wager].amount
        if done.result not in {"win", "lose"} or spot.minimum <= amount <= spot.maximum:
            continue
        under = amount < spot.minimum
        cite = stakes.found_under.cite if under else done.cite
        told = ev.LimitsTold(done.player, done.wager, spot.minimum, spot.maximum, cite, under)
        found.append(told)
    return found


def _puck_after(table: Table, total: int, special: bool) -> int:
    if table.puck:
        return 0 if total in (table.puck, SEVEN) else table.puck
    return total if not special and total in table.house.book.points.value else 0


def must_pass(table: Table, total: int) -> bool:
    """Whether the book has the shooter give the dice up after such a throw."""
    any_seven = table.house.book.dice.must_pass.value == "any-seven"
    return total == SEVEN and (table.puck != 0 or any_seven)


def _must_pass(table: Table, shooter: str, throw: Throw) -> tuple[ev.AnyEvent, ...]:
    rule = table.house.book.dice.must_pass
    if shooter and must_pass(table, throw.total):
        return (ev.DicePassed(shooter, "seven", rule.cite),)
    return ()


#: A fire or bonus wager that is up: whose, its slug, its rule.
_Up = tuple[str, str, Collect]


def _collecting(table: Table) -> tuple[_Up, ...]:
    """Every fire and bonus wager that is up."""
    found = []
    for player, wagers in table.everybody():
        for slug in wagers:
            rule = table.layout.spots[slug].rule
            if isinstance(rule, Collect):
                found.append((player, slug, rule))
    return tuple(found)


def _gathered(
    table: Table, total: int, collecting: tuple[_Up, ...]
) -> tuple[frozenset[int], frozenset[int]]:
    """Points made and totals thrown, this throw counted in, while wagers gather them."""
    kinds = {rule.counts.value for _, _, rule in collecting}
    made, thrown = table.made, table.thrown
    if "points-made" in kinds and table.puck and total == table.puck:
        made = made | {total}
    if "totals-thrown" in kinds and total != SEVEN:
        thrown = thrown | {total}
    return made, thrown


def _riding(
    table: Table,
    collecting: tuple[_Up, ...],
    settlements: list[Settlement],
) -> frozenset[str]:
    """What is still being gathered after a throw."""
    settled = {(s.player, s.wager) for s in settlements}
    return frozenset(
        rule.counts.value for player, slug, rule in collecting if (player, slug) not in settled
    )


def call_no_roll(table: Table, ask: cmd.CallNoRoll) -> Answer:
    """A throw that is void by itself, or is called no roll."""
    if custody.automated(table):
        return custody.no_dice(table)
    refused = kept_back(table)
    if refused is not None:
        return refused
    rules, game = table.house.book.throw, table.house.game
    who = custody.thrower(table)
    taken = (*lapse_late(table), *(() if isinstance(who, Refusal) else who.events))
    off = ask.ground == OFF_TABLE
    for ground in rules.void:
        if ground.name == ask.ground:
            return (*taken, ev.NoRoll(ask.ground, ask.by, ground.cite, off, ask.side))
    for ground in rules.barred:
        if ground.name == ask.ground:
            return refuse("barred-ground", ground.cite, ground=ask.ground)
    callers = rules.callers[game]
    for ground in rules.grounds:
        if ground.name == ask.ground:
            allowed = ground.by.get(game) or callers.value
            if ask.by not in allowed:
                cite = ground.cite if game in ground.by else callers.cite
                return refuse("not-theirs-to-call", cite, allowed, by=ask.by)
            if game in rules.designate and ask.by not in table.house.no_roll_by:
                named = table.house.no_roll_by
                return refuse("designated-caller", rules.designate[game].cite, named, by=ask.by)
            if ground.warned and not _was_warned(table, who, ground.name):
                return refuse("not-warned", ground.cite)
            return (*taken, ev.NoRoll(ask.ground, ask.by, ground.cite, off, ask.side))
    known = tuple(ground.name for ground in (*rules.void, *rules.grounds))
    return refuse("no-ground", rules.listed_by, known, ground=ask.ground)


def _was_warned(table: Table, who: custody.Thrower | Refusal, ground: str) -> bool:
    """Whether whoever threw was told before that such throws will be called."""
    return not isinstance(who, Refusal) and (who.id, ground) in table.warned


def warn(table: Table, ask: cmd.Warn) -> Answer:
    """An official warns a shooter, where the book has a ground that counts only after that."""
    if custody.automated(table):
        return custody.no_dice(table)
    rules, game = table.house.book.throw, table.house.game
    ground = next((g for g in rules.grounds if g.warned and g.name == ask.ground), None)
    if ground is None:
        custom = "custom: a warning is given where a book calls no roll only after one"
        return refuse("no-warning-needed", custom, ground=ask.ground)
    allowed = ground.by.get(game) or rules.callers[game].value
    if ask.by not in allowed:
        return refuse("not-theirs-to-warn", ground.cite, allowed, by=ask.by)
    if not _shoots(table, ask.player):
        return refuse("not-the-shooter", ground.cite, player=table.seat(ask.player).name)
    return (ev.Warned(ask.player, ask.ground, ask.by, ground.cite),)


def _shoots(table: Table, player: str) -> bool:
    """Whether a player has the dice; where nobody does, whether he threw last, or throws next."""
    if table.shooter != NOBODY:
        return player == table.shooter
    who = custody.thrower(table)
    return player == table.last_shooter or (not isinstance(who, Refusal) and player == who.id)


def rule(table: Table, ask: cmd.Rule) -> Answer:
    """An official's word on a disputed throw."""
    if custody.automated(table):
        return custody.no_dice(table)
    who = table.house.book.throw.rulings[table.house.game]
    if ask.by not in who.value:
        return refuse("not-theirs-to-rule", who.cite, who.value, by=ask.by)
    if ask.first == 0:
        refused = kept_back(table)
        if refused is not None:
            return refused
        return (*lapse_late(table), ev.NoRoll("ruled-void", ask.by, who.cite))
    return _thrown(table, ask.first, ask.second, by=ask.by)
