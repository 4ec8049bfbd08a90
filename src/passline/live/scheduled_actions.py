"""List what happens next at a live table, and when: pure functions of the table's state.

The first half decides whether a player may have the house's dice thrown now: the betting time, a
learner's work, whose turn it is. The second half lists what the auto dealer does by itself, such
as: throw at an automated table, bring new dice, take the dice from a slow shooter, and remove
silent players.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime, time, timedelta
from typing import Final
from zoneinfo import ZoneInfo

from msgspec import Struct
from msgspec.structs import replace

from passline.crew.learner_steps import CrewStep, CrewWork, list_crew_work
from passline.game.law.duties import find_act_rules
from passline.game.law.roles import POSTS, find_posts_of_role
from passline.game.layout.stakes import Refusal, refuse
from passline.game.table import commands as cmd
from passline.game.table import posts
from passline.game.table.decide import decide
from passline.game.table.dice_custody import check_dice_playable, find_next_shooter, is_automated
from passline.game.table.dice_set import default_inspector, default_no_roll_caller
from passline.game.table.evolve import evolve_all
from passline.game.table.throws import OFF_TABLE
from passline.live.live_table import LEARNER, LiveTable, parse_time
from passline.live.permissions import find_other_end, refuse_after_bonus
from passline.record.table_lines import read_table_line, write_table_line

_PACE_CITE = "custom: everyone has the betting time before a throw"
_LEARNER_CITE = "custom: the game waits a while for a learner at a post"
_TURN_CITE = "custom: players throw in turn"
_DAILY_CITE = "custom: a Daily is fifty throws of its day"
#: How long the game waits for a learner's work after a throw, unless the betting time is longer.
WORK_WAIT: Final = timedelta(seconds=30)
#: How many throws a Daily has.
DAILY_THROWS: Final = 50


def betting_deadline(live: LiveTable) -> datetime:
    """Return when the betting time ends.

    It begins at the last throw. If nobody bet until it ran out, it begins again at the first bet.
    """
    span = timedelta(seconds=live.settings.pace.betting)
    start = parse_time(live.thrown_at)
    if live.first_bet_at and parse_time(live.first_bet_at) > start + span:
        start = parse_time(live.first_bet_at)
    return start + span


def waits_for_players(live: LiveTable) -> bool:
    """Return whether a throw must wait until other players are ready or the betting time ends.

    It need not if only one player is there, or if all have said that they are ready. Players who
    have closed their pages do not count.
    """
    return bool(list_unready_players(live))


def list_unready_players(live: LiveTable) -> list[str]:
    """Return the players for whom a throw waits (see `waits_for_players`)."""
    here = [seat.id for seat in live.table.playing if seat.here and seat.id not in live.away]
    return [player for player in here if player not in live.ready] if len(here) > 1 else []


def list_learner_posts(live: LiveTable) -> tuple[str, ...]:
    """Return the names of the posts that learners hold."""
    return tuple(post.name for post in POSTS if live.posts.get(post.name) == LEARNER)


def find_owed_work(live: LiveTable, post: str) -> CrewWork | None:
    """Return the work that a crew post has to do for the last throw.

    Return None if no step of it moves money, or if there was no throw.
    """
    if live.last_throw is None:
        return None
    work = list_crew_work(live.last_throw.before, live.last_throw.rolled)
    own = tuple(step for step in work.steps if _is_post_step(live, step, post))
    return replace(work, steps=own) if any(step.moves_money for step in own) else None


def _is_post_step(live: LiveTable, step: CrewStep, post: str) -> bool:
    """Return whether a step of the crew's work belongs to a post.

    A lone base dealer works both ends of the table.
    """
    end, _, _ = post.rpartition("-base")
    if not end:
        return step.post == post
    alone = posts.count_base_dealers(live.table.house)[0] == 1
    return step.post == "base" and (alone or step.end == end)


def learner_deadline(live: LiveTable) -> datetime | None:
    """Return until when the game waits for learners to finish their work.

    Return None if no learner has work left after the last throw.
    """
    for post in list_learner_posts(live):
        if post not in live.posts_done and find_owed_work(live, post) is not None:
            span = max(WORK_WAIT, timedelta(seconds=live.settings.pace.betting))
            return parse_time(live.thrown_at) + span
    return None


def refuse_after_day(live: LiveTable, now: datetime) -> Refusal | None:
    """Return the refusal of a throw at a Daily (see `live.daily`) whose day is over, or None.

    The day's secret is published after the day, and with it anyone could compute the throw.
    """
    day = live.settings.daily
    if not day or now.astimezone(UTC).date().isoformat() <= day:
        return None
    return refuse("day-over", _DAILY_CITE, day=day)


def refuse_published_day(day: str) -> Refusal:
    """Return the refusal of a throw at a Daily whose secret was published before its day ended.

    A server's clock was wrong then.
    """
    return refuse("day-published", _DAILY_CITE, day=day)


def refuse_throw(live: LiveTable, player: str, now: datetime) -> Refusal | None:
    """Return why a player may not have the house throw the dice at the time ``now``, or None."""
    table = live.table
    if halt := refuse_after_bonus(live):
        return halt
    if live.settings.daily and table.throws >= DAILY_THROWS:
        return refuse("daily-over", _DAILY_CITE)
    who = check_dice_playable(table) or find_next_shooter(table)
    if isinstance(who, Refusal):
        return who
    if is_automated(table):
        if not table.seat(player).here or not table.seat(player).wagers:
            return refuse("no-wager-up", _TURN_CITE, player=player)
    elif who.id != player:
        due = table.seat(who.id).name
        return refuse("not-your-turn", _TURN_CITE, [due], player=due)
    elif not live.machine_has_stick and not table.dice.out:
        return refuse("dice-not-out", "custom: the stick sends the dice out first")
    left = (betting_deadline(live) - now).total_seconds()
    if left > 0 and waits_for_players(live):
        seconds = live.settings.pace.betting
        return refuse("betting-time", _PACE_CITE, seconds=seconds, left=int(left) + 1)
    ends = learner_deadline(live)
    left = (ends - now).total_seconds() if ends is not None else 0
    if left > 0:
        return refuse("learner-works", _LEARNER_CITE, left=int(left) + 1)
    return None


#: A hosted table is closed when nobody has been there for this long.
ABANDONED_AFTER: Final = timedelta(days=1)
#: A player who is silent for this long without a bet is removed.
IDLE_LIMIT: Final = timedelta(minutes=10)
CLOCK_LINE: Final = "clock"


class ScheduledAction(Struct, frozen=True):
    """A line that the auto dealer will write at the time ``when``, unless the table changes first.

    An empty line throws the house's dice; a ``clock`` line announces the time. ``slow`` marks an
    action that takes the dice from a slow shooter.
    """

    when: datetime
    line: str = ""
    slow: bool = False


def pending_actions(live: LiveTable) -> tuple[ScheduledAction, ...]:
    """Return what the auto dealer will do if nobody acts, soonest first.

    The rules may forbid an action when it is due; see `find_action_line`.
    """
    found = (*iter_near_actions(live), *_schedule_leaving(live))
    return tuple(sorted(found, key=lambda due: due.when))


def iter_near_actions(live: LiveTable) -> Iterator[ScheduledAction]:
    """Yield the auto dealer's actions, in no order, except removing silent players.

    The times of those removals are minutes away.
    """
    if live.moved:
        return  # The table has moved; another store's server deals it.
    yield from _schedule_dead_game(live)
    yield from _schedule_clock(live)
    yield from _schedule_dice_repair(live)
    yield from _schedule_confirmations(live)
    yield from _schedule_buy_ins(live)
    yield from _schedule_throw(live)
    yield from _schedule_delay_pass(live)
    yield from _schedule_daily_end(live)


def find_action_line(live: LiveTable, due: ScheduledAction, now: datetime) -> str:
    """Return the line that an action writes at the time ``now``; "" if the rules forbid it.

    An action that takes the dice from a slow shooter is also dropped if nobody else could throw.
    """
    line, table = due.line, live.table
    if line == CLOCK_LINE:
        line = f"{CLOCK_LINE} {now.astimezone(ZoneInfo(live.settings.zone)):%Y-%m-%d %H:%M}"
    answer = decide(table, read_table_line(line, table))
    if isinstance(answer, Refusal):
        return ""
    if due.slow:
        then = find_next_shooter(evolve_all(table, answer))
        if isinstance(then, Refusal) or then.id == live.next_shooter:
            return ""  # Nobody else may throw, so the game waits.
    return line


def _machine_holds(live: LiveTable, name: str, player: str = "") -> bool:
    """Return whether the auto dealer works the post that the engine calls ``name``.

    An example is "dealer". With ``player``, a dealer's post counts only at that player's end of the
    table.
    """
    held = find_posts_of_role(name)
    if name == "dealer" and posts.count_base_dealers(live.table.house)[0] == 1:
        held = ("left-base",)  # One dealer deals to both ends.
    elif name == "dealer" and player:
        held = tuple(post for post in held if not find_other_end(live, post, player))
    return any(live.machine_deals(post) for post in held)


def _anybody_here(live: LiveTable) -> bool:
    return any(seat.here for seat in live.table.playing)


def _schedule_dead_game(live: LiveTable) -> Iterator[ScheduledAction]:
    """Yield an action that declares a dead game, if all players have left and no bet is up."""
    table = live.table
    if _anybody_here(live):  # Nearly always, and this runs after every line.
        return
    idle = bool(table.gone) and not table.playing and table.status == "live"
    if idle and not is_automated(table) and _machine_holds(live, "boxperson"):
        yield ScheduledAction(parse_time(live.head.at), "dead game")


def _schedule_clock(live: LiveTable) -> Iterator[ScheduledAction]:
    """Yield actions that announce the time of day, if a rule of the rulebook depends on it.

    The first is due at once, the others when the shootout's bonus grows and when the dice become
    too old.
    """
    table = live.table
    hours, shootout = table.house.book.inspection.hours, table.house.book.shootout
    if (hours is None and table.shootout is None) or not _anybody_here(live):
        return
    if not table.now:
        yield ScheduledAction(parse_time(live.head.at), CLOCK_LINE)
        return
    now, zone = datetime.fromisoformat(table.now), ZoneInfo(live.settings.zone)
    if table.shootout is not None and shootout is not None:
        at = datetime.combine(now.date(), time.fromisoformat(shootout.at.value), zone)
        at += timedelta(days=at.replace(tzinfo=None) <= now)
        yield ScheduledAction(at, CLOCK_LINE)
    if hours is not None and table.dice.since:
        old = datetime.fromisoformat(table.dice.since) + timedelta(hours=hours.value)
        if old > now:
            yield ScheduledAction(old.replace(tzinfo=zone), CLOCK_LINE)


def _schedule_dice_repair(live: LiveTable) -> Iterator[ScheduledAction]:
    """Yield an action that makes the dice fit for a throw, if the auto dealer works that post.

    The action inspects the dice, okays them or brings new ones.
    """
    table, now = live.table, parse_time(live.head.at)
    if live.bonus_hit and _machine_holds(live, default_inspector(table)):
        yield ScheduledAction(now, f"inspect dice by {default_inspector(table)}")
    refused = check_dice_playable(table) if table.status == "live" and _anybody_here(live) else None
    if refused is None or is_automated(table):
        return
    if refused.code == "needs-okay" and _machine_holds(live, "boxperson"):
        yield ScheduledAction(now, "boxperson okays the dice")
    elif refused.code == "set-too-old" and _machine_brings_dice(live):
        yield ScheduledAction(now, "new dice age")
    elif refused.code == "dice-barred" and refused.allowed == ("inspection",):
        by = default_inspector(table)
        if _machine_holds(live, by):
            yield ScheduledAction(now, f"inspect dice by {by}")
    elif refused.code == "dice-barred" and _machine_brings_dice(live):
        why = {"reopened": "reopen", "lost": "die-lost"}.get(str(refused.figures["why"]), "damage")
        yield ScheduledAction(now, f"new dice {why}")


def _machine_brings_dice(live: LiveTable) -> bool:
    """Return whether the auto dealer works the post that brings new dice."""
    house = live.table.house
    named = (v.by for v in find_act_rules(house.book.id, house.game, "new-dice") if v.by)
    return any(_machine_holds(live, by) for by in next(named, ("boxperson",)))


def _schedule_confirmations(live: LiveTable) -> Iterator[ScheduledAction]:
    """Yield an action that confirms each late bet, if the auto dealer works the post for that."""
    for late in live.table.late:
        for by in late.needs:
            if _machine_holds(live, by, late.player):
                line = f"{by} confirms {live.table.seat(late.player).name} {late.wager}"
                yield ScheduledAction(parse_time(live.head.at), line)


def _schedule_buy_ins(live: LiveTable) -> Iterator[ScheduledAction]:
    """Yield an action that accepts each waiting buy-in, if the auto dealer is box and floor."""
    if not live.buy_in_requests:
        return
    if not all(live.machine_deals(post) for post in ("box", "floor")):
        return
    for name, ask in live.buy_in_requests.items():
        more = live.table.find(name) is not None
        command = cmd.BuyIn(name, ask.amount) if more else cmd.Join(name, ask.amount, ask.place)
        yield ScheduledAction(parse_time(live.head.at), write_table_line(command))


def _schedule_throw(live: LiveTable) -> Iterator[ScheduledAction]:
    """Yield a throw at the end of the betting time, if the table is automated and a bet is up."""
    table = live.table
    timed = is_automated(table) and live.settings.pace.betting
    if not timed or check_dice_playable(table) is not None:
        return
    if any(seat.wagers for seat in table.playing):  # Bets of a player who left play on.
        yield ScheduledAction(betting_deadline(live))


def _schedule_daily_end(live: LiveTable) -> Iterator[ScheduledAction]:
    """Yield the actions that return all bets after the last throw of a Daily (see `live.daily`)."""
    if live.settings.daily and live.table.throws >= DAILY_THROWS:
        yield from _return_bets(live, parse_time(live.head.at))


def _return_bets(live: LiveTable, when: datetime) -> Iterator[ScheduledAction]:
    """Yield, for each player with bets, an action that returns those bets at the time ``when``."""
    for seat in live.table.playing:
        if seat.wagers:
            yield ScheduledAction(when, f"{seat.name} gets all bets back")


def _schedule_delay_pass(live: LiveTable) -> Iterator[ScheduledAction]:
    """Yield an action that takes the dice from the shooter when the time to throw is over.

    There is none where people type in the dice or hold the stick. The action is marked ``slow``, so
    that `find_action_line` drops it if nobody else could throw.
    """
    table, pace = live.table, live.settings.pace
    timed = live.next_shooter and pace.shooter and live.machine_has_stick
    if not timed or live.settings.dice == "typed" or check_dice_playable(table) is not None:
        return
    line = _find_delay_line(live)
    if line:
        start = max(betting_deadline(live), parse_time(live.due_since))
        start = max(start, learner_deadline(live) or start)
        yield ScheduledAction(start + timedelta(seconds=pace.shooter), line, True)


def _find_delay_line(live: LiveTable) -> str:
    """Return the line that takes the dice from a slow shooter, or "" if the rulebook has none.

    If the player has not taken the dice yet, it is the line by which the player declines them.
    """
    table = live.table
    name = table.seat(live.next_shooter).name
    if table.shooter != live.next_shooter:
        return f"{name} declines the dice"
    dice = table.house.book.dice
    who = dice.order_by.get(table.house.game)
    if who is None or not any(ground.name == "delay" for ground in dice.order_for):
        return ""
    by = next((by for by in who.value if _machine_holds(live, by)), "")
    return f"{by} orders {name} to pass for delay" if by else ""


def _schedule_leaving(live: LiveTable) -> Iterator[ScheduledAction]:
    """Yield an action that removes each player who was silent for ten minutes without a bet.

    Nobody is removed from a Daily (see `live.daily`).
    """
    for seat in () if live.moved or live.settings.daily else live.table.playing:
        if seat.here and not seat.wagers and seat.id in live.silent_since:
            when = parse_time(live.silent_since[seat.id]) + IDLE_LIMIT
            yield ScheduledAction(when, f"{seat.name} leaves")


def is_abandoned(live: LiveTable, now: datetime) -> bool:
    """Return whether a hosted table (opened by a visitor) has had nobody there for a day."""
    return bool(live.settings.host_id) and parse_time(live.visited) + ABANDONED_AFTER <= now


def list_die_off_lines(live: LiveTable) -> dict[str, str]:
    """Return the lines by which the machine calls a die off the table, by the side where it fell.

    Only shifts of the dealer school have any: the house's dice never leave the table, and only the
    school says that one did, before the throw is known.
    """
    house = live.table.house
    if not live.settings.is_shift or is_automated(live.table):
        return {}
    stick = posts.stick_post(house).who
    by = stick if stick in house.no_roll_by else default_no_roll_caller(live.table, OFF_TABLE)
    return {
        side: write_table_line(cmd.CallNoRoll(OFF_TABLE, by, side))
        for side in ("outside", "inside")
    }


def closing_actions(live: LiveTable) -> Iterator[ScheduledAction]:
    """Yield the actions that close an abandoned table: return bets, make players leave, close.

    `live.hosted_tables` performs them if nobody has a page of the table open.
    """
    if not live.settings.host_id or live.is_closed:
        return
    when = parse_time(live.visited) + ABANDONED_AFTER
    yield from _return_bets(live, when)
    for seat in live.table.playing:
        if seat.here:
            yield ScheduledAction(when, f"{seat.name} leaves")
    yield ScheduledAction(when, "table closes")
