"""One player's seat at a real table: from a state, find the 36 next states.

Machines are explored through this module. It knows no rules: every bet goes through ``decide`` and
every roll through ``decide`` and ``evolve``. A second player shoots, so that there is always a
shooter.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Sequence
from functools import reduce
from operator import itemgetter
from typing import NamedTuple, TypeVar

import msgspec

from passline.game.dice.dice import OUTCOMES, SEVEN
from passline.game.house.house import House
from passline.game.layout.compile import compile_layout
from passline.game.layout.spots import Layout
from passline.game.layout.stakes import Refusal, Settlement, Stake, Wagers
from passline.game.layout.wager_checks import find_bounds
from passline.game.table import commands as cmd
from passline.game.table.decide import decide
from passline.game.table.dice_custody import is_automated
from passline.game.table.events import AnyEvent, BoughtIn, Rolled
from passline.game.table.evolve import evolve
from passline.game.table.state import NOBODY, Seat, Table
from passline.game.table.throws import must_pass_dice
from passline.game.words.refusals import describe_refusal
from passline.lab.machines.bettor import (
    Bettor,
    BettorMove,
    SettledBet,
    StrategyError,
    Turn,
    View,
    dollars_of,
)

PLAYER, SHOOTER = "player", "shooter"
#: A rail (cents) that no strategy exhausts. A machine records changes of money, not bankrolls.
_UNLIMITED_RAIL = 10**15
_TOTALS = tuple(sum(dice) for dice in OUTCOMES)
_SORTED_DICE = tuple((min(dice), max(dice)) for dice in OUTCOMES)

#: Results that decide a bet. A bet that travels to a number or is returned is not decided.
_DECIDED_RESULTS = frozenset({"win", "lose", "push"})
#: Results after which a bet plays on.
_UNDECIDED_RESULTS = frozenset({"push", "travel"})

_T = TypeVar("_T")


class State(NamedTuple):
    """The player's side of a table between rolls: everything that the next roll depends on.

    ``puck`` is the point, 0 if the puck is off, and ``wagers`` are pairs of slug and stake.
    ``fresh`` is true before a shooter's first roll. ``made`` (points) and ``thrown`` (totals) are
    what fire and bonus bets have collected so far, and ``tallies`` what other collecting bets have.
    ``riding`` has the key of each such bet that is undecided (``Collect.find_riding_key``): no new
    bet with that key may be made. ``after_seven`` is true after a seven where some bet may be made
    then. ``last`` and ``settled`` are filled in only for a strategy that reads them. ``memory`` is
    the value that the strategy returned last, and ``kind`` its type. ``lost`` is what the player
    has lost with this shooter, in cents, at a seat with a limit for each shooter; otherwise 0.
    """

    puck: int = 0
    wagers: tuple[tuple[str, Stake], ...] = ()
    fresh: bool = True
    made: frozenset[int] = frozenset()
    thrown: frozenset[int] = frozenset()
    riding: frozenset[str] = frozenset()
    tallies: tuple[tuple[str, tuple[int, ...]], ...] = ()
    after_seven: bool = False
    last: tuple[int, int] | None = None
    settled: tuple[SettledBet, ...] = ()
    memory: Hashable = None
    #: Distinguishes memories that compare equal but differ: 1 and True.
    kind: object = type(None)
    lost: int = 0

    def without_view(self) -> State:
        """Return the state without what only the strategy sees or remembers, or has lost."""
        return State(*self[:8])


OPENING = State()


class AfterTurn(NamedTuple):
    """The table after a strategy's turn, ready for the roll. Money is in cents.

    ``need`` is the smallest worth (rail plus bets) that covers the turn. ``cost`` is what the turn
    takes from the player's worth: vigorish paid with the bet, and tokes. ``lost`` is what the
    player has lost with this shooter so far, if the seat has a limit for each shooter; otherwise 0.
    """

    table: Table
    turn: Turn
    need: int
    cost: int
    lost: int = 0


class StateTransitions(NamedTuple):
    """The results of a roll: for each of the 36 outcomes, the next state and the change of worth.

    The changes are in cents. ``all_decided_down`` is false if some outcome decides a bet and leaves
    it up.
    """

    next: tuple[State, ...]
    money: tuple[int, ...]
    all_decided_down: bool


class MachineSeat:
    """A seat at a house's table, and the strategy that plays it.

    ``tracked_fields`` are the optional parts of the view, such as "last", that states record.
    ``fields_read`` are those that the strategy has read so far.

    With ``shooter_limit`` (cents), the losses of this shooter's hand plus the bets that are up
    never exceed it. A turn that would exceed it is not made, and the bets that are up stay.
    """

    def __init__(
        self,
        house: House,
        bettor: Bettor,
        tracked_fields: frozenset[str],
        shooter_limit: int | None = None,
    ) -> None:
        self.shooter_limit = shooter_limit
        self.layout = compile_layout(house)
        self.bettor = bettor
        #: Which of ``last``, ``settled`` and ``new_shooter`` are part of a state.
        self.tracked_fields = tracked_fields
        #: Which of these three the strategy has read so far.
        self.fields_read: set[str] = set()
        #: Equal parts of states are stored once, to save memory.
        self._pool: dict[object, object] = {}
        self._splits: dict[tuple[str, int], tuple[int, ...]] = {}

    def view(self, state: State) -> View:
        """Return what the player sees in a state."""
        wagers = {self.layout.floor(slug): dollars_of(up.amount) for slug, up in state.wagers}
        new = state.fresh and not state.puck
        return View(state.puck or None, wagers, state.last, state.settled, state.memory, new)

    def play_turn(self, state: State) -> AfterTurn:
        """Return the table after the strategy's turn in a state.

        Raise StrategyError if the strategy fails, or the rules refuse a move.
        """
        view = self.view(state)

        def make_move(table: Table, move: BettorMove) -> Table:
            return self._make_move(table, move, view)

        after_turn = self.take_turn(build_table(self.layout, state), view, make_move)
        limit = self.shooter_limit
        if limit is None:
            return after_turn
        if after_turn.turn.moves and state.lost + after_turn.need > limit:
            return self._sit_out(state, after_turn)
        return after_turn._replace(lost=state.lost + after_turn.cost)

    def _sit_out(self, state: State, refused: AfterTurn) -> AfterTurn:
        """Return the table without any move of the strategy's turn ``refused``.

        With that turn, the player could lose more with this shooter than the limit.
        """
        table = build_table(self.layout, state)
        turn = Turn(memory=state.memory, kind=state.kind, weight=refused.turn.weight)
        need = sum_stakes(table)
        return AfterTurn(add_shooter_bet(table), turn, need=need, cost=0, lost=state.lost)

    def take_turn(
        self, table: Table, view: View, make_move: Callable[[Table, BettorMove], Table]
    ) -> AfterTurn:
        """Take the strategy's turn for a view, move by move. Return the table after it.

        ``make_move(table, move)`` returns the table after one move. The result also has the worth
        that the turn needs, and what it costs at once (``AfterTurn``).
        """
        before = count_worth(table)
        turn = self.bettor.take_turn(view)
        self.fields_read |= view.fields_read
        need = turn.least if turn.moves else max(sum_stakes(table), turn.least)
        for move in turn.moves:
            table = make_move(table, move)
            need = max(need, sum_stakes(table) + before - count_worth(table))
        cost = before - count_worth(table)
        return AfterTurn(table=add_shooter_bet(table), turn=turn, need=need, cost=cost)

    def recheck_turn(self, state: State, before: Turn) -> None:
        """Raise StrategyError unless the strategy still plays the turn ``before`` in this state.

        With a shooter limit, a turn without moves is not checked: the limit may have replaced it.
        """
        if self.shooter_limit is None or before.moves:  # A turn beyond the limit has no moves.
            self.bettor.check_turn(self.view(state), before)

    def find_layout_state(self, after_turn: AfterTurn) -> State:
        """Return the table's state after a turn, when the dice are about to roll.

        Turns with the same state here lead to the same next states.
        """
        state = self._state(after_turn.table, (), after_turn.turn, None)
        return state._replace(lost=after_turn.lost)

    def roll_all_outcomes(self, after_turn: AfterTurn) -> StateTransitions:
        """Roll each of the 36 outcomes and return the next states and changes of worth."""
        before = count_worth(after_turn.table) + after_turn.cost
        keys = self.group_outcomes(after_turn.table)
        by_group: dict[object, tuple[State, int]] = {}
        all_decided_down = True
        for dice, key in zip(OUTCOMES, keys, strict=True):
            if key not in by_group:
                state, after, events = self.roll(after_turn, *dice)
                all_decided_down = all_decided_down and not find_decided_open_bets(after, events)
                by_group[key] = (state, count_worth(after) - before)
        next_states, money = zip(*(by_group[key] for key in keys), strict=True)
        return StateTransitions(next_states, money, all_decided_down)

    def settled(self, state: State) -> list[tuple[Settlement, ...]]:
        """Return, for each of the 36 outcomes, the settlements of bets that it decides or pushes.

        The bets are those up after the strategy's turn in the state.
        """
        after_turn = self.play_turn(state)
        keys = self.group_outcomes(after_turn.table)
        by_group: dict[object, tuple[Settlement, ...]] = {}
        for dice, key in zip(OUTCOMES, keys, strict=True):
            if key not in by_group:
                events = self.roll(after_turn, *dice)[2]
                by_group[key] = tuple(
                    done for done in _own_settlements(events) if done.result in _DECIDED_RESULTS
                )
        return [by_group[key] for key in keys]

    def roll(
        self, after_turn: AfterTurn, first: int, second: int
    ) -> tuple[State, Table, tuple[AnyEvent, ...]]:
        """Roll the dice ``first`` and ``second``. Return (next state, table, events)."""
        after, events = roll_dice(after_turn.table, first, second)
        sorted_dice = min(first, second), max(first, second)
        state = self._state(after, events, after_turn.turn, sorted_dice)
        over = must_pass_dice(after_turn.table, first + second)
        if self.shooter_limit is not None and not over:
            change = count_worth(after) - count_worth(after_turn.table)
            state = state._replace(lost=after_turn.lost + max(-change, 0))
        return state, after, events

    def _make_move(self, table: Table, move: BettorMove, view: View) -> Table:
        """Return the table after a move. Raise StrategyError if the rules refuse any part of it."""
        try:
            commands = move.commands(table, PLAYER)
        except StrategyError as error:
            raise StrategyError(f"{error} ({view})") from None
        if isinstance(commands, Refusal):
            raise self._refused(move, commands, view)
        for command in commands:
            answer = decide(table, command)
            if isinstance(answer, Refusal):
                raise self._refused(move, answer, view, getattr(command, "wager", ""))
            if any(isinstance(event, BoughtIn) for event in answer):
                why = f"the strategy asked for {move}, but a strategy may not buy in ({view})"
                raise StrategyError(why)
            table = evolve_all(table, answer)
        return table

    def _refused(
        self, move: BettorMove, refusal: Refusal, view: View, wager: str = ""
    ) -> StrategyError:
        why = f"{describe_refusal(refusal)} [{refusal.cite}]"
        return StrategyError(
            f"the strategy asked for {move}, which is refused: {why}"
            f"{_suggest_election(self.layout, wager)} ({view})"
        )

    def _state(
        self,
        table: Table,
        events: tuple[AnyEvent, ...],
        turn: Turn,
        sorted_dice: tuple[int, int] | None,
    ) -> State:
        intern, tracked_fields = self._intern, self.tracked_fields
        plain = read_state(table)
        settled = _list_settled_bets(self.layout, events) if "settled" in tracked_fields else ()
        return plain._replace(
            wagers=intern(tuple([intern(up) for up in plain.wagers])),
            fresh=table.fresh if self.layout.collects or "new_shooter" in tracked_fields else True,
            made=intern(table.made),
            thrown=intern(table.thrown),
            riding=intern(table.riding),
            tallies=intern(table.tallies),
            last=sorted_dice if "last" in tracked_fields else None,
            settled=intern(settled),
            memory=turn.memory,
            kind=intern(turn.kind),
        )

    def _intern(self, thing: _T) -> _T:
        return self._pool.setdefault(thing, thing)  # type: ignore[return-value]

    def group_outcomes(self, table: Table) -> Sequence[object]:
        """Return a key for each of the 36 outcomes; outcomes with equal keys have the same effect.

        The key is the total of the dice together with what they do to every bet, or the two dice if
        the strategy reads the last roll.
        """
        if "last" in self.tracked_fields:
            return _SORTED_DICE
        puck = table.point
        splits = [self._split(slug, puck) for slug in table.playing[0].wagers]
        splits = [split for split in splits if split]
        return list(zip(_TOTALS, *splits, strict=True)) if splits else _TOTALS

    def _split(self, slug: str, puck: int) -> tuple[int, ...]:
        """Return a number for each of the 36 outcomes of the dice.

        Outcomes with equal numbers do the same to the bet ``slug``. Return () if the total of the
        dice alone determines what happens to it.
        """
        found = self._splits.get((slug, puck))
        if found is None:
            rows = self.layout.spots[slug].list_outcome_keys(puck)
            kinds: dict[object, int] = {}
            found = tuple(kinds.setdefault(row, len(kinds)) for row in rows)
            by_total = set(zip(_TOTALS, found, strict=False))
            if len(by_total) == len(set(_TOTALS)):
                found = ()
            self._splits[slug, puck] = found
        return found


def sort_wagers(wagers: Wagers) -> tuple[tuple[str, Stake], ...]:
    """Return the bets as pairs of slug and stake, sorted by slug."""
    return tuple(sorted(wagers.items(), key=itemgetter(0)))


def read_state(table: Table) -> State:
    """Return the player's side of a table as a State.

    The fields that only a strategy reads keep their defaults.
    """
    return State(
        puck=table.point,
        wagers=sort_wagers(table.playing[0].wagers),
        fresh=table.fresh,
        made=table.made,
        thrown=table.thrown,
        riding=table.riding,
        tallies=table.tallies,
        after_seven=_is_after_seven(table),
    )


def _is_after_seven(table: Table) -> bool:
    """Return whether the shooter's last throw was a seven, if that matters to some bet.

    At most tables the result is always false. It matters at a table with a bet that may be made
    after a seven; after a seven-out the shooter is new, and the result is false.
    """
    return table.layout.collects_after_seven and table.last_total == SEVEN and not table.fresh


def sum_stakes(table: Table) -> int:
    """Return the total of the player's bets on the layout, in cents."""
    return sum(stake.amount for stake in table.playing[0].wagers.values())


def _suggest_election(layout: Layout, wager: str) -> str:
    """Return a hint to choose the house option that offers the bet ``wager``: "-o KEY=true".

    Return "" unless the rulebook allows the bet and only such an option is missing.
    """
    house = layout.house
    for family, rule in house.book.wager.items():
        if wager != family or not rule.offer or house.offers(rule.offer):
            continue
        if rule.games is None or house.game in rule.games.value:
            key = f"offers.{rule.offer}"
            choices = [c for c in house.book.elect[key].choices.value if c is not False]
            shown = "true" if choices[0] is True else choices[0]
            return f": elect it, as with -o {key}={shown}"
    return ""


def _list_settled_bets(layout: Layout, events: tuple[AnyEvent, ...]) -> tuple[SettledBet, ...]:
    return tuple(
        SettledBet(layout.floor(done.wager), done.result, dollars_of(done.paid))
        for done in _own_settlements(events)
    )


def _own_settlements(events: tuple[AnyEvent, ...]) -> list[Settlement]:
    return [
        done
        for event in events
        if isinstance(event, Rolled)
        for done in event.settlements
        if done.player == PLAYER
    ]


def count_worth(table: Table) -> int:
    """Return the player's worth in cents: the rail plus the bets on the layout."""
    return table.playing[0].rail + sum_stakes(table)


def _find_line_bet(layout: Layout) -> tuple[str, int]:
    """Return (slug, least amount in cents) of the line bet of the shooter, the second player."""
    slug = layout.house.book.dice.line_wagers.value[0]
    return slug, find_bounds(layout, layout.spots[slug], 0, {}).least


def build_table(layout: Layout, state: State) -> Table:
    """Return a table in the given state for the player, with the second player as the shooter."""
    slug, low = _find_line_bet(layout)
    line = {slug: Stake(low, low)} if state.puck else {}
    seats = (
        Seat(id=PLAYER, name=PLAYER, place=1, rail=_UNLIMITED_RAIL, wagers=dict(state.wagers)),
        Seat(id=SHOOTER, name=SHOOTER, place=2, rail=_UNLIMITED_RAIL, wagers=line),
    )
    staked = sum(stake.amount for seat in seats for stake in seat.wagers.values())
    table = Table(
        layout=layout,
        playing=seats,
        point=state.puck,
        shooter=SHOOTER,
        last_shooter=SHOOTER,
        last_place=2,
        fresh=state.fresh,
        made=state.made,
        thrown=state.thrown,
        riding=state.riding,
        tallies=state.tallies,
        last_total=SEVEN if state.after_seven else 0,
        drop=2 * _UNLIMITED_RAIL + staked,
    )
    return msgspec.structs.replace(table, shooter=NOBODY) if is_automated(table) else table


def add_shooter_bet(table: Table) -> Table:
    """Return the table with the second player's line bet up, which the shooter must have."""
    if table.point or is_automated(table):
        return table
    answer = decide(table, cmd.Bet(SHOOTER, *_find_line_bet(table.layout)))
    assert not isinstance(answer, Refusal), answer
    return evolve_all(table, answer)


def evolve_all(table: Table, events: Iterable[AnyEvent]) -> Table:
    """Return the table after these events."""
    return reduce(evolve, events, table)


def apply_command(table: Table, command: cmd.AnyCommand) -> Table | None:
    """Return the table after a command of the player, or None if the rules refuse it.

    Raise StrategyError if the command would buy chips.
    """
    answer = decide(table, command)
    if isinstance(answer, Refusal):
        return None
    if any(isinstance(event, BoughtIn) for event in answer):
        raise StrategyError("a strategy may not buy in")
    return evolve_all(table, answer)


def roll_dice(table: Table, first: int, second: int) -> tuple[Table, tuple[AnyEvent, ...]]:
    """Return (table, events) after a roll of ``first`` and ``second``."""
    answer = decide(table, cmd.Roll(first, second))
    assert not isinstance(answer, Refusal), answer
    return evolve_all(table, answer), answer


def find_decided_open_bets(table: Table, events: tuple[AnyEvent, ...]) -> list[str]:
    """Return the slugs of the player's bets that a roll decided but left up.

    ``events`` are the roll's events, and ``table`` is the table after it. The list is empty if
    ``events`` have no roll.
    """
    wagers = table.playing[0].wagers
    if not wagers:
        return []
    settled = _own_settlements(events)
    destinations = {done.to for done in settled if done.to is not None}
    decided = {done.wager for done in settled if done.result not in _UNDECIDED_RESULTS}
    return sorted((decided - destinations) & wagers.keys())
