"""One player at the real table, somebody else shooting: states in, states out.

This is the bridge between the engine and the machine. It decides nothing: every wager goes
through ``decide``, every throw is folded by ``evolve``.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import NamedTuple, TypeVar

import msgspec

from passline.game.dice.dice import OUTCOMES
from passline.game.house.house import House
from passline.game.layout.compile import compile_layout
from passline.game.layout.spots import Layout
from passline.game.layout.stakes import Refusal, Settlement, Stake
from passline.game.layout.wager_checks import find_bounds
from passline.game.table import commands as cmd
from passline.game.table.decide import decide
from passline.game.table.dice_custody import is_automated
from passline.game.table.events import AnyEvent, BoughtIn, Rolled
from passline.game.table.evolve import evolve
from passline.game.table.state import NOBODY, Seat, Table
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
#: Chips enough that no rail is ever short: the machine counts changes, not bankrolls.
_UNLIMITED_RAIL = 10**15
_TOTALS = tuple(sum(dice) for dice in OUTCOMES)
_SORTED_DICE = tuple((min(dice), max(dice)) for dice in OUTCOMES)

#: How a wager is decided; what travels or comes back is not.
_DECIDED_RESULTS = frozenset({"win", "lose", "push"})
#: A wager that stays where it is, or goes where it is meant to, plays on.
_UNDECIDED_RESULTS = frozenset({"push", "travel"})

_T = TypeVar("_T")


class State(NamedTuple):
    """The player's side of a table between throws: all that the next throw depends on."""

    puck: int = 0
    wagers: tuple[tuple[str, Stake], ...] = ()
    fresh: bool = True
    made: frozenset[int] = frozenset()
    thrown: frozenset[int] = frozenset()
    riding: frozenset[str] = frozenset()
    last: tuple[int, int] | None = None
    settled: tuple[SettledBet, ...] = ()
    memory: Hashable = None
    #: Tells memories apart that are equal and do not look the same: 1 and True.
    kind: object = type(None)


OPENING = State()


class AfterTurn(NamedTuple):
    """A table after the bettor's turn, everything up for the throw.

    ``need`` is the least worth (cents) that covers what was done; ``cost`` what doing it took
    from the player's worth (vigorish made with the wager, tokes).
    """

    table: Table
    turn: Turn
    need: int
    cost: int


class StateTransitions(NamedTuple):
    """For each of the 36 outcomes: the next state, and the change of worth in cents. ``clear``: no
    throw leaves a wager up that it decided."""

    next: tuple[State, ...]
    money: tuple[int, ...]
    clear: bool


class MachineSeat:
    """A seat at a house's table, and who bets there."""

    def __init__(self, house: House, bettor: Bettor, keeps: frozenset[str]) -> None:
        self.layout = compile_layout(house)
        self.bettor = bettor
        #: What of ``last``, ``settled`` and ``new_shooter`` belongs to a state.
        self.keeps = keeps
        #: What the bettor was seen to look at.
        self.looked: set[str] = set()
        #: Equal parts of states are kept once.
        self._same: dict[object, object] = {}
        self._splits: dict[tuple[str, int], tuple[int, ...]] = {}

    def view(self, state: State) -> View:
        """What the player sees in a state."""
        wagers = {self.layout.floor(slug): dollars_of(up.amount) for slug, up in state.wagers}
        new = state.fresh and not state.puck
        return View(state.puck or None, wagers, state.last, state.settled, state.memory, new)

    def speak(self, state: State) -> AfterTurn:
        """Let the bettor have his turn in a state."""
        table = build_table(self.layout, state)
        before = count_worth(table)
        view = self.view(state)
        turn = self.bettor.take_turn(view)
        self.looked |= view.looked
        need = 0 if turn.moves else _sum_stakes(table)
        for move in turn.moves:
            table = self._make(table, move, view)
            need = max(need, _sum_stakes(table) + before - count_worth(table))
        return AfterTurn(
            table=add_shooter_bet(table), turn=turn, need=need, cost=before - count_worth(table)
        )

    def ask_again(self, state: State, before: Turn) -> None:
        """StrategyError unless the bettor would still do as he did before."""
        self.bettor.check_turn(self.view(state), before)

    def stands(self, spoken: AfterTurn) -> State:
        """What the throw sees: where two states come to stand alike, they go on alike."""
        return self._state(spoken.table, (), spoken.turn, None)

    def spread(self, spoken: AfterTurn) -> StateTransitions:
        """Throw each of the 36 outcomes."""
        before = count_worth(spoken.table) + spoken.cost
        alike: dict[object, tuple[State, int]] = {}
        following, money, clear = [], [], True
        for dice, key in zip(OUTCOMES, self.alike(spoken.table), strict=True):
            found = alike.get(key)
            if found is None:
                state, after, events = self.throw(spoken, *dice)
                clear = clear and not find_decided_open_bets(after, events)
                found = alike[key] = (state, count_worth(after) - before)
            following.append(found[0])
            money.append(found[1])
        return StateTransitions(tuple(following), tuple(money), clear)

    def settled(self, state: State) -> list[tuple[Settlement, ...]]:
        """For each of the 36 outcomes: the wagers that it decides, a push among them."""
        spoken = self.speak(state)
        keys = self.alike(spoken.table)
        alike: dict[object, tuple[Settlement, ...]] = {}
        for dice, key in zip(OUTCOMES, keys, strict=True):
            if key not in alike:
                rolled = [e for e in self.throw(spoken, *dice)[2] if isinstance(e, Rolled)]
                alike[key] = tuple(
                    done
                    for event in rolled
                    for done in event.settlements
                    if done.player == PLAYER and done.result in _DECIDED_RESULTS
                )
        return [alike[key] for key in keys]

    def throw(
        self, spoken: AfterTurn, first: int, second: int
    ) -> tuple[State, Table, tuple[AnyEvent, ...]]:
        """Throw these dice: the next state, the table there, and what happened."""
        after, events = throw_dice(spoken.table, first, second)
        pair = min(first, second), max(first, second)
        return self._state(after, events, spoken.turn, pair), after, events

    def _make(self, table: Table, move: BettorMove, view: View) -> Table:
        """The table after a move, every part of which the rules allow."""
        try:
            commands = move.commands(table, PLAYER)
        except StrategyError as wrong:
            raise StrategyError(f"{wrong} ({view})") from None
        if isinstance(commands, Refusal):
            raise self._refused(move, commands, view)
        for command in commands:
            answer = decide(table, command)
            if isinstance(answer, Refusal):
                raise self._refused(move, answer, view, getattr(command, "wager", ""))
            for event in answer:
                if isinstance(event, BoughtIn):
                    raise StrategyError(f"the strategy said {move}: it may not buy in ({view})")
                table = evolve(table, event)
        return table

    def _refused(
        self, move: BettorMove, refusal: Refusal, view: View, wager: str = ""
    ) -> StrategyError:
        why = f"{describe_refusal(refusal)} [{refusal.cite}]"
        return StrategyError(
            f"the strategy said {move}, which is refused: {why}"
            f"{_suggest_election(self.layout, wager)} ({view})"
        )

    def _state(
        self,
        table: Table,
        events: tuple[AnyEvent, ...],
        turn: Turn,
        pair: tuple[int, int] | None,
    ) -> State:
        same, keeps = self._one, self.keeps
        wagers = sorted(table.playing[0].wagers.items(), key=_get_slug)
        return State(
            puck=table.puck,
            wagers=same(tuple([same(up) for up in wagers])),
            fresh=table.fresh if self.layout.collects or "new_shooter" in keeps else True,
            made=same(table.made),
            thrown=same(table.thrown),
            riding=same(table.riding),
            last=pair if "last" in keeps else None,
            settled=same(_list_settled_bets(self.layout, events)) if "settled" in keeps else (),
            memory=turn.memory,
            kind=same(turn.kind),
        )

    def _one(self, thing: _T) -> _T:
        return self._same.setdefault(thing, thing)  # type: ignore[return-value]

    def alike(self, table: Table) -> Sequence[object]:
        """By outcome: throws with one total and the same verdict on everything up do the same."""
        if "last" in self.keeps:
            return _SORTED_DICE
        puck = table.puck
        splits = [self._split(slug, puck) for slug in table.playing[0].wagers]
        splits = [split for split in splits if split]
        return list(zip(_TOTALS, *splits, strict=True)) if splits else _TOTALS

    def _split(self, slug: str, puck: int) -> tuple[int, ...]:
        """Kinds of verdict on a wager by outcome; empty where the total tells them."""
        found = self._splits.get((slug, puck))
        if found is None:
            rows = self.layout.spots[slug].tables[puck]
            kinds: dict[object, int] = {}
            found = tuple(kinds.setdefault(row, len(kinds)) for row in rows)
            by_total = set(zip(_TOTALS, found, strict=False))
            if len(by_total) == len(set(_TOTALS)):
                found = ()
            self._splits[slug, puck] = found
        return found


def _get_slug(item: tuple[str, Stake]) -> str:
    return item[0]


def _sum_stakes(table: Table) -> int:
    return sum(stake.amount for stake in table.playing[0].wagers.values())


def _suggest_election(layout: Layout, wager: str) -> str:
    """What to elect where a wager is the book's and only this house does not deal it."""
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
        for event in events
        if isinstance(event, Rolled)
        for done in event.settlements
        if done.player == PLAYER
    )


def count_worth(table: Table) -> int:
    """The player's rail and layout together."""
    seat = table.playing[0]
    return seat.rail + sum(stake.amount for stake in seat.wagers.values())


def _find_line_wager(layout: Layout) -> str:
    """The wager that the other player shoots with: the first that the book asks of a shooter."""
    return layout.house.book.dice.line_wagers.value[0]


def build_table(layout: Layout, state: State) -> Table:
    """The table in which the player's side is ``state`` and the other seat holds the dice."""
    slug, low = _find_line_wager(layout), _find_line_stake(layout)
    line = {slug: Stake(low, low)} if state.puck else {}
    seats = (
        Seat(id=PLAYER, name=PLAYER, place=1, rail=_UNLIMITED_RAIL, wagers=dict(state.wagers)),
        Seat(id=SHOOTER, name=SHOOTER, place=2, rail=_UNLIMITED_RAIL, wagers=line),
    )
    held = 2 * _UNLIMITED_RAIL + sum(
        stake.amount for seat in seats for stake in seat.wagers.values()
    )
    table = Table(
        layout=layout,
        playing=seats,
        puck=state.puck,
        shooter=SHOOTER,
        last_shooter=SHOOTER,
        last_place=2,
        fresh=state.fresh,
        made=state.made,
        thrown=state.thrown,
        riding=state.riding,
        drop=held,
    )
    return msgspec.structs.replace(table, shooter=NOBODY) if is_automated(table) else table


def _find_line_stake(layout: Layout) -> int:
    """The least that a pass wager takes: what the other player has on the line."""
    return find_bounds(layout, layout.spots[_find_line_wager(layout)], 0, {}).least


def add_shooter_bet(table: Table) -> Table:
    """The other player keeps a line wager up, so that there is always somebody to shoot."""
    if table.puck or is_automated(table):
        return table
    line, low = _find_line_wager(table.layout), _find_line_stake(table.layout)
    answer = decide(table, cmd.Bet(SHOOTER, line, low))
    assert not isinstance(answer, Refusal), answer
    for event in answer:
        table = evolve(table, event)
    return table


def throw_dice(table: Table, first: int, second: int) -> tuple[Table, tuple[AnyEvent, ...]]:
    """The table after a throw, and what happened."""
    answer = decide(table, cmd.Roll(first, second))
    assert not isinstance(answer, Refusal), answer
    for event in answer:
        table = evolve(table, event)
    return table, answer


def find_decided_open_bets(table: Table, events: tuple[AnyEvent, ...]) -> list[str]:
    """The player's wagers that a throw decided and left up, the table being the one after it."""
    wagers = table.playing[0].wagers
    if not wagers:
        return []
    settled = [
        done
        for event in events
        if isinstance(event, Rolled)
        for done in event.settlements
        if done.player == PLAYER
    ]
    came = {done.to for done in settled if done.to is not None}
    decided = {done.wager for done in settled if done.result not in _UNDECIDED_RESULTS}
    return sorted((decided - came) & wagers.keys())
