"""Decide on a throw: does it count, and what does it settle? Also foresee what the next may do."""

from __future__ import annotations

from msgspec import UNSET, Struct

from passline.game.dice.dice import OUTCOMES, SEVEN, TOTALS, outcome_index, outcome_total
from passline.game.law.shapes.collect import SHARED_KINDS, Collect
from passline.game.layout.settle import Throw, see_throw, settle
from passline.game.layout.stakes import Refusal, Settlement, refuse
from passline.game.table import commands as cmd
from passline.game.table import dice_custody, shootout
from passline.game.table import events as ev
from passline.game.table.bets import drop_dealer_winnings, lapse_late_bets
from passline.game.table.dice_custody import check_dice_playable
from passline.game.table.events import Answer
from passline.game.table.evolve import evolve_all
from passline.game.table.state import NOBODY, Table

#: The reason code for a die that left the table.
OFF_TABLE = "off-table"


def roll_dice(table: Table, command: cmd.Roll) -> Answer:
    """Return the events of a throw that came to rest, or a refusal if nobody may throw now."""
    return _resolve_throw(table, command.first, command.second, tampered=command.tampered)


def _resolve_throw(
    table: Table, first: int, second: int, tampered: bool = False, by: str = ""
) -> Answer:
    who = check_dice_playable(table) or dice_custody.find_next_shooter(table)
    if isinstance(who, Refusal):
        return who
    return settle_throw(table, who, first, second, tampered=tampered, by=by)


def settle_throw(
    table: Table,
    who: dice_custody.NextShooter,
    first: int,
    second: int,
    *,
    tampered: bool = False,
    by: str = "",
) -> tuple[ev.AnyEvent, ...]:
    """Settle every bet on a throw of ``first`` and ``second`` by ``who``, and return the events.

    With ``tampered``, a shootout that this throw would complete is void if the rulebook says so.
    ``by`` is the official who ruled what the faces are.
    """
    before = (*lapse_late_bets(table), *who.events) if table.late else who.events
    if before:
        table = evolve_all(table, before)
    index, total, puck = outcome_index(first, second), first + second, table.point
    collecting = _collecting_bets(table) if table.layout.collects else ()
    throw = _count_throw(table, index, collecting)
    settlements: list[Settlement] = []
    for player, wagers in table.everybody():
        if wagers:
            settlements += settle(table.layout, player, wagers, throw)
    award, moved = shootout.apply_throw(table, who.id, throw, tampered)
    if award:
        settlements += award
    riding = _still_collecting(table, collecting, settlements) if collecting else frozenset()
    points_made = () if throw.loser_seven or "points-made" not in riding else throw.made
    thrown = () if total == SEVEN or "totals-thrown" not in riding else throw.thrown
    tallies = {slug: tally for slug, tally in throw.tallies.items() if slug in riding}
    rolled = ev.Rolled(
        first=first,
        second=second,
        shooter=who.id,
        was=puck,
        puck=_puck_after(table, total, who.special),
        settlements=tuple(settlements),
        made=tuple(sorted(points_made)) if points_made else (),
        thrown=tuple(sorted(thrown)) if thrown else (),
        riding=tuple(sorted(riding)) if riding else (),
        tallies=tuple(sorted(tallies.items())) or UNSET,
        special=who.special,
        ruled_by=by,
    )
    notices = _limits_notices(table, settlements)
    dropped = drop_dealer_winnings(table, settlements)
    passed = _pass_events(table, who.id, throw)
    return (*before, rolled, *notices, *dropped, *moved, *passed)


def foresee_settlements(table: Table, player: str, first: int, second: int) -> list[Settlement]:
    """Return the settlements of a player's wagers if these dice were thrown now."""
    throw = _count_throw(table, outcome_index(first, second), _collecting_bets(table))
    return settle(table.layout, player, table.wagers_of(player), throw)


def _limits_notices(table: Table, settlements: list[Settlement]) -> list[ev.AnyEvent]:
    """Return the events that tell players the limits, if a wager outside them was settled."""
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
        found.append(
            ev.LimitsTold(done.player, done.wager, spot.minimum, spot.maximum, cite, under)
        )
    return found


def _puck_after(table: Table, total: int, special: bool) -> int:
    if table.point:
        return 0 if total in (table.point, SEVEN) else table.point
    return total if not special and total in table.house.book.points.value else 0


def must_pass_dice(table: Table, total: int) -> bool:
    """Return whether the book requires the shooter to pass the dice after a throw of this total."""
    any_seven = table.house.book.dice.must_pass.value == "any-seven"
    return total == SEVEN and (table.point != 0 or any_seven)


def _pass_events(table: Table, shooter: str, throw: Throw) -> tuple[ev.AnyEvent, ...]:
    rule = table.house.book.dice.must_pass
    if shooter and must_pass_dice(table, throw.total):
        return (ev.DicePassed(shooter, "seven", rule.cite),)
    return ()


#: A fire or bonus wager that is up: its player, its slug, its rule.
_CollectingBet = tuple[str, str, Collect]


def _collecting_bets(table: Table) -> tuple[_CollectingBet, ...]:
    """Return every collecting wager that is up: fire, bonus and the like."""
    found = []
    for player, wagers in table.everybody():
        for slug in wagers:
            rule = table.layout.spots[slug].rule
            if isinstance(rule, Collect):
                found.append((player, slug, rule))
    return tuple(found)


def _count_throw(table: Table, index: int, collecting: tuple[_CollectingBet, ...]) -> Throw:
    """Return the Throw for the outcome with this index, for the settling of every bet.

    It includes the points, totals and tallies that ``collecting`` wagers, such as fire, have
    counted so far, this throw included.
    """
    total = outcome_total(index)
    if not collecting:
        return Throw(index, total, table.point, table.made, table.thrown)
    kinds = {rule.counts.value for _, _, rule in collecting}
    made, thrown = table.made, table.thrown
    if "points-made" in kinds and table.point and total == table.point:
        made = made | {total}
    if "totals-thrown" in kinds and total != SEVEN:
        thrown = thrown | {total}
    own = {slug: rule for _, slug, rule in collecting if rule.collects not in SHARED_KINDS}
    before, seen = dict(table.tallies), see_throw(table.layout, index, table.point)
    tallies = {
        slug: rule.add_throw(table.layout.spots[slug].tiers, before.get(slug, ()), seen)
        for slug, rule in own.items()
    }
    return Throw(index, total, table.point, made, thrown, tallies)


def _still_collecting(
    table: Table,
    collecting: tuple[_CollectingBet, ...],
    settlements: list[Settlement],
) -> frozenset[str]:
    """Return the keys (``find_riding_key``) of the collecting wagers that are not yet decided."""
    settled = {(s.player, s.wager) for s in settlements}
    return frozenset(
        rule.find_riding_key(slug)
        for player, slug, rule in collecting
        if (player, slug) not in settled
    )


def call_no_roll(table: Table, command: cmd.CallNoRoll) -> Answer:
    """Return the events of a throw that is void or is called no roll, or a refusal.

    The reason must be one of the book's, and the caller one of its roles.
    """
    if refused := check_dice_playable(table):
        return refused
    rules, game = table.house.book.throw, table.house.game
    who = dice_custody.find_next_shooter(table)
    taken = (*lapse_late_bets(table), *(() if isinstance(who, Refusal) else who.events))
    grounds = {ground.name: ground for ground in (*rules.grounds, *rules.barred, *rules.void)}
    ground = grounds.get(command.ground)
    if ground is None:
        known = tuple(ground.name for ground in (*rules.void, *rules.grounds))
        return refuse("no-ground", rules.listed_by, known, ground=command.ground)
    if ground in rules.barred:
        return refuse("barred-ground", ground.cite, ground=command.ground)
    if ground in rules.grounds:
        callers = rules.callers[game]
        allowed = ground.by.get(game) or callers.value
        if command.by not in allowed:
            cite = ground.cite if game in ground.by else callers.cite
            return refuse("not-theirs-to-call", cite, allowed, by=command.by)
        if game in rules.designate and command.by not in table.house.no_roll_by:
            named = table.house.no_roll_by
            return refuse("designated-caller", rules.designate[game].cite, named, by=command.by)
        shooter = NOBODY if isinstance(who, Refusal) else who.id
        if ground.warned and (shooter, ground.name) not in table.warned:
            return refuse("not-warned", ground.cite)
    off = command.ground == OFF_TABLE
    return (*taken, ev.NoRoll(command.ground, command.by, ground.cite, off, command.side))


def warn_shooter(table: Table, command: cmd.Warn) -> Answer:
    """Return the event by which an official warns a shooter, or a refusal.

    Some reasons for calling no roll count only after such a warning.
    """
    rules, game = table.house.book.throw, table.house.game
    ground = next((g for g in rules.grounds if g.warned and g.name == command.ground), None)
    if ground is None:
        custom = "custom: a warning is given where a book calls no roll only after one"
        return refuse("no-warning-needed", custom, ground=command.ground)
    allowed = ground.by.get(game) or rules.callers[game].value
    if command.by not in allowed:
        return refuse("not-theirs-to-warn", ground.cite, allowed, by=command.by)
    if not _is_shooter(table, command.player):
        return refuse("not-the-shooter", ground.cite, player=table.seat(command.player).name)
    return (ev.Warned(command.player, command.ground, command.by, ground.cite),)


def _is_shooter(table: Table, player: str) -> bool:
    """Return whether a player has the dice, or, if nobody has, threw last or throws next."""
    if table.shooter != NOBODY:
        return player == table.shooter
    who = dice_custody.find_next_shooter(table)
    return player == table.last_shooter or (not isinstance(who, Refusal) and player == who.id)


def rule_on_throw(table: Table, command: cmd.Rule) -> Answer:
    """Return the events of a ruling on a disputed throw (its faces, or void), or a refusal."""
    who = table.house.book.throw.rulings[table.house.game]
    if command.by not in who.value:
        return refuse("not-theirs-to-rule", who.cite, who.value, by=command.by)
    if command.first == 0:
        return _rule_void(table, command.by, who.cite)
    return _resolve_throw(table, command.first, command.second, by=command.by)


#: The citation for refusing a ruling about no throw.
NOTHING_TO_RULE_CITE = "custom: a ruling is about a throw that was made"


def _rule_void(table: Table, by: str, cite: str) -> Answer:
    """Return the events that void a disputed throw, or a refusal if nobody could have thrown."""
    if refused := check_dice_playable(table):
        return refused
    if not table.dice.out and isinstance(dice_custody.find_next_shooter(table), Refusal):
        return refuse("nothing-to-rule", NOTHING_TO_RULE_CITE)
    return (*lapse_late_bets(table), ev.NoRoll("ruled-void", by, cite))


class OutcomeGroup(Struct, frozen=True, kw_only=True):
    """Outcomes of one total with the same effect on a player's wagers.

    ``paid`` is the cents won, less vigorish, and ``taken`` the cents lost. ``way`` distinguishes
    the group from others of the same total: ``hard``, ``easy`` or a pair of faces. It is empty if
    the group has all outcomes of the total. ``ways`` is the number of its outcomes, out of 36.
    """

    total: int
    way: str = ""
    ways: int
    paid: int
    taken: int


def group_next_outcomes(table: Table, player: str) -> tuple[OutcomeGroup, ...]:
    """Return the effects of the next throw on a player's wagers, for every total from 2 to 12.

    A total has several groups if its outcomes differ in effect.

    >>> from passline.record.deal import deal_text
    >>> game = "rulebook: iowa\\nplayer: ann 100\\nann: pass for 10"
    >>> table = deal_text(game).table
    >>> groups = group_next_outcomes(table, "ann")
    >>> [(p.total, p.ways, p.paid, p.taken) for p in groups if p.paid or p.taken]
    [(2, 1, 0, 1000), (3, 2, 0, 1000), (7, 6, 1000, 0), (11, 2, 1000, 0), (12, 1, 0, 1000)]
    """
    found = {
        pair: _sum_settlements(foresee_settlements(table, player, *pair))
        for pair in OUTCOMES
        if pair[0] <= pair[1]
    }
    groups: list[OutcomeGroup] = []
    for total in TOTALS:
        groups += _group_total(total, {pair: found[pair] for pair in found if sum(pair) == total})
    return tuple(groups)


_Faces = tuple[int, int]
_PaidTaken = tuple[int, int]


def _sum_settlements(settlements: list[Settlement]) -> _PaidTaken:
    paid = sum(done.paid - done.vig for done in settlements if done.result == "win")
    return paid, sum(done.stake for done in settlements if done.result == "lose")


def _group_total(total: int, pairs: dict[_Faces, _PaidTaken]) -> list[OutcomeGroup]:
    kinds: dict[str, dict[_Faces, _PaidTaken]] = {"": pairs}
    if len(set(pairs.values())) > 1:
        kinds = {}
        for pair, sums in pairs.items():
            kinds.setdefault("hard" if pair[0] == pair[1] else "easy", {})[pair] = sums
    if any(len(set(kind.values())) > 1 for kind in kinds.values()):
        kinds = {f"{pair[0]}-{pair[1]}": {pair: sums} for pair, sums in pairs.items()}
    return [
        OutcomeGroup(
            total=total,
            way=way,
            ways=sum(1 if first == second else 2 for first, second in kind),
            paid=next(iter(kind.values()))[0],
            taken=next(iter(kind.values()))[1],
        )
        for way, kind in kinds.items()
    ]
