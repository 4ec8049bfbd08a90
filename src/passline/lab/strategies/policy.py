"""Play a policy that ``passline best`` found: a table of what to bet in each state.

A strategy does not see the rail, so the policy computes it from the bankroll, the bets and what the
last throw did to them. It answers only in the states that it was made for.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from pathlib import Path
from typing import Any, Literal

import msgspec

from passline.files import UnreadableError, read_file
from passline.game.dice.dice import OUTCOMES
from passline.game.house.house import House, describe_elections
from passline.game.house.load import HouseError, house_for
from passline.game.layout.compile import compile_layout
from passline.game.layout.settle import Throw, settle
from passline.game.layout.stakes import Stake, apply_settlements
from passline.game.money.amounts import show_dollars, to_dollars
from passline.lab.machines.betting_choices import BettingChoices, OpenBets
from passline.lab.machines.bettor import SettledBet, StrategyError, View, dollars_of
from passline.lab.machines.next_states import PLAYER, State

MAX_POLICY_BYTES = 100_000_000  # bytes
#: The format name in a policy file.
POLICY_KIND = "passline best policy"
#: The memory of a policy that is finished and makes no more bets.
_FINISHED = "over"


class PolicyBet(msgspec.Struct, frozen=True, omit_defaults=True):
    """A bet as a policy file stores it, in cents.

    ``flat`` is the amount that limits the odds, if it differs from the bet's own amount. ``vig`` is
    prepaid vigorish. ``call`` says whether the bet is called on or off; None means not called.
    """

    wager: str
    amount: int
    flat: int | None = None
    vig: int = 0
    call: bool | None = None


class PolicyRow(msgspec.Struct, frozen=True, omit_defaults=True):
    """What to bet in one state. Money is in cents.

    * ``puck``, ``up``, ``rail`` and ``rolls`` describe the state: the point (0 if the puck is off),
      the bets that cannot come down, the chips once all other bets are down, and the rolls left (0
      without a limit).
    * ``lay`` lists all bets to have up at the next roll, and ``leaves`` is what remains in the rail
      then.
    * ``lost`` is true if the goal is out of reach.
    """

    puck: int
    rail: int
    up: tuple[PolicyBet, ...]
    lay: tuple[PolicyBet, ...]
    leaves: int
    rolls: int = 0
    lost: bool = False


class Policy(msgspec.Struct, frozen=True, kw_only=True, dict=True):
    """What to bet in each state for the best chance of reaching a goal: a row for each state.

    Call it with a View, like any strategy. It was made for this house and its elections, for bets
    from ``menu`` in steps of ``unit``, and for ``rolls`` rolls (0: no limit). Money is in cents.
    ``chance`` is the chance of reaching the goal from the bankroll.
    """

    kind: str = POLICY_KIND
    rulebook: str
    game: str
    house: str
    elections: dict[str, str]
    goal: int
    bankroll: int
    unit: int
    menu: tuple[str, ...]
    calls: bool = False
    rolls: int = 0
    chance: float
    rows: tuple[PolicyRow, ...]

    @cached_property
    def _choices(self) -> BettingChoices:
        house = house_for(self.rulebook, self.game, tuple(self.elections.items()))
        return BettingChoices(
            compile_layout(house), self.menu, self.unit, self.goal - 1, calls=self.calls
        )

    @cached_property
    def _row_numbers(self) -> dict[tuple[int, int, int, OpenBets], int]:
        return {
            (row.rolls, row.puck, row.rail, to_open_bets(row.up)): number
            for number, row in enumerate(self.rows)
        }

    def check_house(self, house: House) -> None:
        """Raise StrategyError unless the policy was made for this house's rules."""
        ours = (self.rulebook, self.game, self.elections)
        if ours != (house.book.id, house.game, describe_elections(house)):
            elected = "".join(f", {key} = {value}" for key, value in self.elections.items())
            raise StrategyError(
                f"the policy was made for {self.rulebook} ({self.game}{elected}): make it again "
                "for these rules"
            )

    def check_bankroll(self, bankroll: int) -> None:
        """Raise StrategyError unless the policy begins with this bankroll in cents."""
        if bankroll != self.bankroll:
            raise StrategyError(
                f"the policy begins with {show_dollars(self.bankroll)}, not with "
                f"{show_dollars(bankroll)}: bring that, or make it again for this bankroll"
            )

    def ending(self, memory: object, rail: int) -> Literal["goal", "rolls", "broke"] | None:
        """Return why the policy has stopped betting, or None if it still plays.

        ``memory`` is what the policy returned last, and ``rail`` the chips in cents. "goal": the
        goal is reached. "rolls": the policy has a limit of rolls, and missed the goal. "broke": it
        has no such limit, and the goal is out of reach.
        """
        if memory != _FINISHED:
            return None
        return "goal" if rail >= self.goal else "rolls" if self.rolls else "broke"

    def find_least_worth(self, memory: object) -> int:
        """Return the worth in cents below which a player of the policy counts as ruined.

        ``memory``, what the policy returned last, says whether it has stopped betting. If it has,
        return the cost of the cheapest bet of its menu. If it still bets, its own bets show what it
        needs, so return 0.
        """
        return self._least_bet if memory == _FINISHED else 0

    @cached_property
    def _least_bet(self) -> int:
        pucks = (0, *self._choices.layout.house.book.points.value)
        costs = (
            change.cost
            for puck in pucks
            for slug in self._choices.menu
            for change in self._choices.list_changes(State(puck), {}, slug)
        )
        return min(costs, default=0)

    def __call__(self, view: View) -> tuple[list[str], Any]:
        """Return (betting phrases, memory) for this view.

        The memory is the number of the row that says what to bet in the present state. It is a
        fixed text once the policy has finished, and None while it waits for its first come-out
        roll. Raise StrategyError if no row is for this state.
        """
        if view.memory == _FINISHED:
            return [], _FINISHED
        # Read this on the first turn too, so that a machine records it in every state.
        settled = view.settled
        puck = view.puck or 0
        rail, left, rolls = self._find_state(view, settled)
        place, free = self._choices.take_down_free_bets(State(puck=puck, wagers=left))
        if rail + free >= self.goal or (self.rolls and rolls == 0):
            return self._ended(puck, left), _FINISHED
        number = self._row_numbers.get((rolls, puck, rail + free, place.wagers))
        if number is None:
            if rail + free + self._choices.find_take_down_gain(place) >= self.goal:
                return self._ended(puck, left), _FINISHED
            if view.memory is None and puck:
                return [], None  # The point is on: wait for a come-out roll to begin.
            raise StrategyError(
                f"the policy does not know this state ({show_dollars(rail + free)} in the rail): "
                f"it is for {show_dollars(self.bankroll)} with nothing up at first"
            )
        if self.rows[number].lost:
            return self._ended(puck, left), _FINISHED
        return list(_say_changes(dict(left), dict(to_open_bets(self.rows[number].lay)))), number

    def _find_state(self, view: View, settled: tuple[SettledBet, ...]) -> tuple[int, OpenBets, int]:
        """Return (rail in cents, open bets, rolls left) before the policy's next bets.

        It computes them from the row that the policy played last and what the throw then settled.
        Raise StrategyError if no outcome of that row's dice fits.
        """
        if view.memory is None:
            if view.wagers:
                raise StrategyError("the policy begins with nothing up")
            return self.bankroll, (), self.rolls
        row = self.rows[view.memory]
        if view.memory not in self._thrown:
            self._thrown[view.memory] = dict(self._throws(row.puck, to_open_bets(row.lay)))
        seen = view.puck or 0, tuple(sorted(settled)), tuple(sorted(view.wagers.items()))
        found = self._thrown[view.memory].get(seen)
        if found is None:
            raise StrategyError("the bets on the table are not those that the policy made")
        return row.leaves + found[0], found[1], row.rolls - 1 if row.rolls else 0

    @cached_property
    def _thrown(self) -> dict[int, dict[object, tuple[int, OpenBets]]]:
        return {}

    def _throws(self, puck: int, lay: OpenBets) -> Iterator[tuple[object, tuple[int, OpenBets]]]:
        """Yield (seen, change) for each outcome of the dice, with the bets ``lay`` up before it.

        ``seen`` is what a strategy sees after the roll: the puck, the settled bets, the bets still
        up. ``change`` is the cents that go to the rail, and the bets still up as stakes.
        """
        layout, bets = self._choices.layout, dict(lay)
        floor = layout.floor
        for index, after in enumerate(self._choices.pucks_after(puck)):
            settled = settle(layout, PLAYER, bets, Throw(index, sum(OUTCOMES[index]), puck))
            left = apply_settlements(bets, settled)
            seen = sorted(SettledBet(floor(s.wager), s.result, dollars_of(s.paid)) for s in settled)
            wagers = sorted((floor(slug), dollars_of(up.amount)) for slug, up in left.items())
            back = sum(done.back for done in settled), tuple(sorted(left.items()))
            yield (after, tuple(seen), tuple(wagers)), back

    def _ended(self, puck: int, left: OpenBets) -> list[str]:
        """Return the betting phrases of a policy that has finished: "all down", or none.

        None if taking down the open bets ``left`` would bring nothing. ``puck`` is the point or 0.
        """
        return (
            ["all down"] if self._choices.find_take_down_gain(State(puck=puck, wagers=left)) else []
        )


def _say_changes(now: dict[str, Stake], then: dict[str, Stake]) -> Iterator[str]:
    """Yield the phrases that change the bets on the table from ``now`` to ``then``.

    Bets come down first. Odds are made after the bet that they are behind.
    """
    for slug in reversed(now):
        if slug not in then:
            yield f"{slug} down"
    less = [s for s in then if s in now and then[s].amount < now[s].amount]
    more = [s for s in then if s in now and then[s].amount > now[s].amount]
    for slug in [*less, *more]:
        yield f"{slug} to {to_dollars(then[slug].amount)}"
    for slug in then:
        if slug not in now:
            yield f"{slug} for {to_dollars(then[slug].amount)}"
    for slug, up in then.items():
        if up.call is not None and (slug not in now or now[slug].call != up.call):
            yield f"{slug} {'on' if up.call else 'off'}"


def to_open_bets(laid: tuple[PolicyBet, ...]) -> OpenBets:
    """Convert the bets of a policy file to those of a state: pairs of slug and stake."""
    found = []
    for w in laid:
        flat = w.amount if w.flat is None else w.flat
        found.append((w.wager, Stake(amount=w.amount, flat=flat, call=w.call, vig=w.vig)))
    return tuple(found)


def to_policy_bets(open_bets: OpenBets) -> tuple[PolicyBet, ...]:
    """Convert the bets of a state, pairs of slug and stake, to those of a policy file."""
    return tuple(
        PolicyBet(
            wager=slug,
            amount=up.amount,
            flat=None if up.flat == up.amount else up.flat,
            vig=up.vig,
            call=up.call,
        )
        for slug, up in open_bets
    )


def read_policy(path: str | Path) -> Policy:
    """Read a policy from a file.

    Raise StrategyError (message of one line) if the file is not a policy.
    """
    try:
        data = read_file(Path(path), "policy file", MAX_POLICY_BYTES)
        policy = msgspec.json.decode(data, type=Policy)
        if policy.kind != POLICY_KIND:
            raise msgspec.ValidationError(f"its kind is {policy.kind[:40]!r}")
        house_for(policy.rulebook, policy.game, tuple(policy.elections.items()))
    except UnreadableError as error:
        raise StrategyError(str(error)) from None
    except (msgspec.DecodeError, HouseError) as error:
        raise StrategyError(f"{path} is not a policy that passline best saved: {error}") from None
    return policy
