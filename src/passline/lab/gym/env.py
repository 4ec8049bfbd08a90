"""The Gymnasium environment ``PasslineEnv``: an agent makes one bet at a time, or rolls the dice.

The agent plays on the real engine: one player with a real rail, while another player shoots.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import gymnasium
import numpy as np
from gymnasium import spaces

from passline.game.dice.dice import OUTCOMES
from passline.game.house.house import House
from passline.game.house.load import house_for
from passline.game.law.book_files import DEFAULT_BOOK
from passline.game.layout.odds_limits import find_odds_cap
from passline.game.layout.spots import Layout, Spot
from passline.game.layout.stakes import Refusal, Stake, refuse
from passline.game.money.amounts import parse_dollars, show_dollars
from passline.game.table import commands as cmd
from passline.game.table.decide import decide
from passline.game.table.dice_custody import is_automated
from passline.game.table.events import AnyEvent, Rolled
from passline.game.table.evolve import evolve_all
from passline.game.table.open_close import open_table
from passline.game.table.state import NOBODY, Table
from passline.game.words.events import call_roll
from passline.game.words.lab import say_lab
from passline.game.words.refusals import describe_refusal
from passline.lab.gym.menu import (
    apply_say,
    default_menu,
    find_cheapest_say,
    find_legal_says,
    read_menu,
)
from passline.lab.machines.bettor import SettledBet, dollars_of
from passline.lab.machines.next_states import (
    PLAYER,
    SHOOTER,
    add_shooter_bet,
    count_worth,
    roll_dice,
)

#: The shooter's chips in cents, enough for any number of line bets.
_SHOOTER_CHIPS = 10**12
#: A limit in cents for a rulebook that sets no maximum.
_NO_MAXIMUM = 10**13


def open_player_table(house: House, bankroll: int) -> Table:
    """Return a new table where the player has ``bankroll`` cents, and another player will shoot.

    Raise ValueError if the house does not take the buy-in.
    """
    table = open_table(house, (PLAYER, SHOOTER))
    bought = decide(table, cmd.BuyIn(PLAYER, bankroll))
    if isinstance(bought, Refusal):
        raise ValueError(
            f"a bankroll of {show_dollars(bankroll)}: {describe_refusal(bought)} [{bought.cite}]"
        )
    table = evolve_all(table, bought)
    return _apply(table, cmd.BuyIn(SHOOTER, _SHOOTER_CHIPS * house.chip))


def throw_next(table: Table, first: int, second: int) -> tuple[Table, tuple[AnyEvent, ...]]:
    """Return (table, events) after a throw of ``first`` and ``second``.

    The other player takes the dice and bets the line first, if necessary.
    """
    if table.shooter == NOBODY and not is_automated(table):
        table = _apply(table, cmd.TakeDice(SHOOTER))
    return roll_dice(add_shooter_bet(table), first, second)


def _apply(table: Table, command: cmd.AnyCommand) -> Table:
    answer = decide(table, command)
    assert not isinstance(answer, Refusal), answer
    return evolve_all(table, answer)


def max_stake(layout: Layout, spot: Spot) -> int:
    """Return the most cents that the player may ever have on the wager ``spot``.

    For odds, suppose that the flat bet in front of them is at its maximum. If the rules do not
    refuse bets over the maximum, return a very large number (10**13).
    """
    if layout.house.book.stakes.over_max.value != "refuse":
        return _NO_MAXIMUM
    if not spot.flat:
        return spot.maximum
    most = layout.spots[spot.flat].maximum
    flat = {spot.flat: Stake(most, most)}
    pucks = (0,) if spot.number else tuple(spot.by_puck)
    return max(find_odds_cap(layout, spot, puck, flat) for puck in pucks)


def max_win(layout: Layout) -> int:
    """Return an upper bound in cents of what one throw can win, with every wager at its maximum."""
    won = sum(max_stake(layout, spot) * _best_pay(spot) for spot in layout.spots.values())
    shootout = layout.house.book.shootout
    shares = [share.value * 100 for share in shootout.share.values()] if shootout else []
    return won + max(shares, default=0)


def _best_pay(spot: Spot) -> int:
    """Return an upper bound on what a stake of 1 can win on a wager, in whole numbers."""
    tables = [-(-v.win // v.per) for rows in spot.tables for v in rows if v and v.result == "win"]
    tiers = [-(-odds.win // odds.stake) for odds, _ in spot.tiers.values()]
    # The house may round a payout up to the next chip.
    return max([*tables, *tiers], default=0) + 1


Observation = dict[str, Any]
_TOTALS = 13  # indexes 2 to 12 are totals of two dice


def make_observation_space(layout: Layout, bankroll: int, rolls: int, says: int) -> spaces.Dict:
    """Return the Gymnasium space of what ``observe`` returns.

    ``bankroll`` is in cents, amounts in the space are in dollars. ``says`` is the most betting
    phrases between two throws, and ``rolls`` the most throws. The upper bound of the rail is the
    bankroll plus the most that all throws could win.
    """
    most = (bankroll + rolls * max_win(layout)) / 100
    tops = [min(max_stake(layout, spot) / 100, most) for spot in layout.spots.values()]
    return spaces.Dict(
        {
            "puck": spaces.Discrete(_TOTALS),
            "dice": spaces.MultiDiscrete([7, 7]),
            "fresh": spaces.Discrete(2),
            "rail": spaces.Box(0.0, most, (1,), np.float64),
            "wagers": spaces.Box(np.zeros(len(tops)), np.array(tops), dtype=np.float64),
            "calls": spaces.MultiDiscrete([3] * len(tops)),
            "made": spaces.MultiBinary(_TOTALS),
            "thrown": spaces.MultiBinary(_TOTALS),
            "says_left": spaces.Discrete(says + 1),
        }
    )


def observe(table: Table, dice: tuple[int, int], says_left: int) -> Observation:
    """Return what the player observes at a table, as a value of ``make_observation_space``.

    ``dice`` is the last throw, and ``says_left`` how many betting phrases may still be said before
    the next one.
    """
    spots, seat = table.layout.spots, table.seats[0]
    wagers, calls = np.zeros(len(spots)), np.zeros(len(spots), np.int64)
    for place, slug in enumerate(spots):
        stake = seat.wagers.get(slug)
        if stake is not None:
            wagers[place] = stake.amount / 100
            calls[place] = {None: 0, True: 1, False: 2}[stake.call]
    return {
        "puck": table.point,
        "dice": np.array(dice, np.int64),
        "fresh": int(table.fresh and not table.point),
        "rail": np.array([seat.rail / 100]),
        "wagers": wagers,
        "calls": calls,
        "made": _total_flags(table.made),
        "thrown": _total_flags(table.thrown),
        "says_left": says_left,
    }


def _total_flags(totals: frozenset[int]) -> np.ndarray[Any, np.dtype[np.int8]]:
    flags = np.zeros(_TOTALS, np.int8)
    flags[list(totals)] = 1
    return flags


def describe_table(table: Table, dice: tuple[int, int], call: str, rolls: int) -> str:
    """Return three lines: the puck and the last throw, the wagers, and the rail.

    ``dice`` and ``call`` are the last throw and the stickman's words for it; ``rolls`` counts
    throws.
    """
    seat = table.seats[0]
    up = sum(stake.amount for stake in seat.wagers.values())
    puck = f"ON {table.point}" if table.point else "OFF"
    last = f"{dice[0]}-{dice[1]}: {call}" if rolls else say_lab("nothing-thrown")
    wagers = ", ".join(
        f"{slug} {show_dollars(stake.amount)}{_CALLS[stake.call]}"
        for slug, stake in seat.wagers.items()
    )
    return "\n".join(
        (
            f"roll {rolls:<5} puck {puck:<6} {last}",
            f"wagers     {wagers or 'nothing up'}",
            f"rail       {show_dollars(seat.rail)}, worth {show_dollars(seat.rail + up)}",
        )
    )


_CALLS = {None: "", True: " (on)", False: " (off)"}
_TOO_MANY_SAYS = refuse("too-many-says", "custom: the environment's says_a_roll")


class PasslineEnv(gymnasium.Env[Observation, np.int64]):
    """Craps under a rulebook or house rules; another player shoots.

    Action 0 rolls the dice. Action ``n`` is ``menu[n]``, one betting phrase such as ``pass for
    10``. A refused phrase changes nothing, and ``info["refusal"]`` has its reason and citation;
    ``info["action_mask"]`` marks the actions that would be accepted now. After ``says_a_roll``
    phrases, accepted or not, any action rolls the dice. The reward is the change of the player's
    worth (rail and bets) in dollars. An episode is terminated when the player has ``goal`` dollars
    or is ruined (no bets up, and no chips for any phrase of the menu). It is truncated after
    ``rolls`` throws.
    """

    metadata: dict[str, Any] = {"render_modes": ["ansi", "human"], "render_fps": 4}  # noqa: RUF012

    def __init__(
        self,
        house: str | House = DEFAULT_BOOK,
        bankroll: int | float | str = 500,
        rolls: int = 200,
        *,
        says: Sequence[str] | None = None,
        goal: int | float | str | None = None,
        says_a_roll: int = 20,
        game: str | None = None,
        elections: dict[str, str] | None = None,
        render_mode: str | None = None,
    ) -> None:
        if render_mode not in (None, *self.metadata["render_modes"]):
            raise ValueError(say_lab("render-mode", mode=render_mode))
        for name, count in (("rolls", rolls), ("says_a_roll", says_a_roll)):
            if isinstance(count, bool) or not isinstance(count, int) or count < 1:
                raise ValueError(say_lab("count", name=name, count=count))
        if isinstance(house, str):
            house = house_for(house, game, tuple((elections or {}).items()))
        elif game is not None or elections:
            raise ValueError(say_lab("house-and-game"))
        cents = parse_dollars(str(bankroll))
        self.house, self.rolls, self.says_a_roll = house, rolls, says_a_roll
        self.goal = None if goal is None else parse_dollars(str(goal))
        if self.goal is not None and self.goal <= cents:
            raise ValueError(say_lab("goal-too-low", goal=goal, bankroll=bankroll))
        self.render_mode = render_mode
        self._opening = self._table = open_player_table(house, cents)
        layout = self._opening.layout
        self._says = read_menu(layout, default_menu(house) if says is None else says)
        self._least = find_cheapest_say(layout, self._says)
        #: The phrase of each action, and the wagers in the order of the observation.
        self.menu: tuple[str, ...] = ("roll", *(say.text for say in self._says))
        self.slugs: tuple[str, ...] = tuple(layout.spots)
        self.action_space = spaces.Discrete(len(self.menu))
        self.observation_space = make_observation_space(layout, cents, rolls, says_a_roll)
        self._begin(over=True)

    def _begin(self, over: bool) -> None:
        self._table = self._opening
        self._dice, self._call = (0, 0), ""
        self._thrown = self._spoken = 0
        self._over = over

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observation, dict[str, Any]]:
        """Start an episode at a new table with a new buy-in. Return (observation, info).

        Raise ValueError for any ``options``: there are none.
        """
        super().reset(seed=seed)
        if options:
            raise ValueError(say_lab("no-options", options=sorted(options)))
        self._begin(over=False)
        return self._observe(), self._info()

    def step(self, action: int | np.int64) -> tuple[Observation, float, bool, bool, dict[str, Any]]:
        """Make the bet of an action, or roll the dice for action 0.

        Return (observation, reward in dollars, terminated, truncated, info). Raise ResetNeeded
        after the end of the episode, and ValueError for an action that is not on the menu.
        """
        if self._over:
            raise gymnasium.error.ResetNeeded(say_lab("episode-over"))
        if not self.action_space.contains(action):
            raise ValueError(say_lab("no-action", action=action, last=len(self.menu) - 1))
        before = count_worth(self._table)
        details: dict[str, Any] = {}
        refusal = self._say(int(action)) if action else None
        if refusal is not None:
            why = {"reason": describe_refusal(refusal), "cite": refusal.cite}
            details["refusal"] = {"said": self.menu[action], **why}
        if not action or refusal is _TOO_MANY_SAYS:
            details["settled"] = self._roll()
        after = count_worth(self._table)
        terminated = self._ruined() or (self.goal is not None and after >= self.goal)
        truncated = self._thrown >= self.rolls
        self._over = terminated or truncated
        seen, info = self._observe(), self._info() | details
        return seen, (after - before) / 100, terminated, truncated, info

    def _say(self, action: int) -> Refusal | None:
        if self._spoken == self.says_a_roll:
            return _TOO_MANY_SAYS
        self._spoken += 1
        answer = apply_say(self._table, self._says[action - 1])
        if isinstance(answer, Refusal):
            return answer
        self._table = answer
        return None

    def _roll(self) -> tuple[SettledBet, ...]:
        """Throw the dice, and return how they settled the player's own wagers."""
        self._dice = OUTCOMES[int(self.np_random.integers(len(OUTCOMES)))]
        self._table, events = throw_next(self._table, *self._dice)
        self._thrown += 1
        self._spoken = 0
        rolled = next(event for event in events if isinstance(event, Rolled))
        self._call = call_roll(rolled, self._table.house.book)
        own = (done for done in rolled.settlements if done.player == PLAYER)
        return tuple(SettledBet(done.wager, done.result, dollars_of(done.paid)) for done in own)

    def _ruined(self) -> bool:
        seat = self._table.seats[0]
        return not seat.wagers and seat.rail < self._least

    def _observe(self) -> Observation:
        if self.render_mode == "human":
            self.render()
        return observe(self._table, self._dice, self.says_a_roll - self._spoken)

    def _info(self) -> dict[str, Any]:
        return {
            "action_mask": self.action_masks().astype(np.int8),
            "worth": count_worth(self._table) / 100,
            "rolls": self._thrown,
        }

    def action_masks(self) -> np.ndarray[Any, np.dtype[np.bool_]]:
        """Return a boolean for each action: whether it would be accepted now.

        All are false once the episode is over.
        """
        mask = np.zeros(len(self.menu), np.bool_)
        mask[0] = not self._over
        if mask[0] and self._spoken < self.says_a_roll:
            mask[1:] = find_legal_says(self._table, self._says)
        return mask

    def render(self) -> str | None:
        """Return the table in words for ``ansi``; for ``human`` print it and return None."""
        if self.render_mode is None:
            return None
        words = describe_table(self._table, self._dice, self._call, self._thrown)
        if self.render_mode == "human":
            print(words)
            return None
        return words
