"""The environment: an agent says one thing at a time, or lets the dice roll."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import gymnasium
import numpy as np
from gymnasium import spaces

from passline.dice import OUTCOMES
from passline.gym.menu import cheapest_say, default_menu, may_say, read_menu, speak
from passline.gym.seat import next_throw, sit_down
from passline.gym.spaces import Observation, observation_space, observe
from passline.gym.words import show_table
from passline.house import House
from passline.house.files import house_for
from passline.layout import Refusal, refuse
from passline.machines.seat import PLAYER, worth
from passline.machines.view import Seen, dollars_of
from passline.money import parse_dollars
from passline.table.events import Rolled
from passline.words.calls import plain_call
from passline.words.refusals import refusal_words

_NO_MORE = refuse("too-many-says", "custom: the environment's says_a_roll")


class PasslineEnv(gymnasium.Env[Observation, np.int64]):
    """Craps under a rulebook or house rules; somebody else shoots.

    Action 0 lets the dice roll; action ``n`` is ``menu[n]``, one say in the record's words. A
    refused say changes nothing and ``info["refusal"]`` has its reason and citation;
    ``info["action_mask"]`` marks what would be accepted now. After ``says_a_roll`` says, accepted
    or not, the dice roll whatever is asked. The reward is the change of the player's worth (rail
    and wagers up) in dollars. An episode is terminated when the player is ruined (nothing up, and
    no say of the menu can be paid for) or has ``goal`` dollars, truncated after ``rolls`` throws.
    """

    metadata: dict[str, Any] = {"render_modes": ["ansi", "human"], "render_fps": 4}  # noqa: RUF012

    def __init__(
        self,
        house: str | House = "new-jersey",
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
            raise ValueError(f"there is no render mode {render_mode!r}: expected ansi or human")
        for name, count in (("rolls", rolls), ("says_a_roll", says_a_roll)):
            if isinstance(count, bool) or not isinstance(count, int) or count < 1:
                raise ValueError(f"{name} = {count!r}: expected a whole number above zero")
        if isinstance(house, str):
            house = house_for(house, game, tuple((elections or {}).items()))
        elif game is not None or elections:
            raise ValueError("game and elections go with a rulebook's name or a file, not a House")
        cents = parse_dollars(str(bankroll))
        self.house, self.rolls, self.says_a_roll = house, rolls, says_a_roll
        self.goal = None if goal is None else parse_dollars(str(goal))
        if self.goal is not None and self.goal <= cents:
            raise ValueError(f"a goal of {goal} is not above the bankroll of {bankroll}")
        self.render_mode = render_mode
        self._opening = self._table = sit_down(house, cents)
        layout = self._opening.layout
        self._says = read_menu(layout, default_menu(house) if says is None else says)
        self._least = cheapest_say(layout, self._says)
        #: The words of each action, and the wagers in the order in which they are observed.
        self.menu: tuple[str, ...] = ("roll", *(say.text for say in self._says))
        self.slugs: tuple[str, ...] = tuple(layout.spots)
        self.action_space = spaces.Discrete(len(self.menu))
        self.observation_space = observation_space(layout, cents, rolls, says_a_roll)
        self._begin(over=True)

    def _begin(self, over: bool) -> None:
        self._table = self._opening
        self._dice, self._call = (0, 0), ""
        self._thrown = self._spoken = 0
        self._over = over

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observation, dict[str, Any]]:
        """Buy in again at a new table. There are no options."""
        super().reset(seed=seed)
        if options:
            raise ValueError(f"this environment takes no options, not {sorted(options)}")
        self._begin(over=False)
        return self._seen(), self._info()

    def step(self, action: int | np.int64) -> tuple[Observation, float, bool, bool, dict[str, Any]]:
        """Say one thing, or (0) let the dice roll."""
        if self._over:
            raise gymnasium.error.ResetNeeded("the episode is over: call reset() first")
        if not self.action_space.contains(action):
            raise ValueError(f"there is no action {action!r}: expected 0 to {len(self.menu) - 1}")
        before = worth(self._table)
        told: dict[str, Any] = {}
        refusal = self._say(int(action)) if action else None
        if refusal is not None:
            why = {"reason": refusal_words(refusal), "cite": refusal.cite}
            told["refusal"] = {"said": self.menu[action], **why}
        if not action or refusal is _NO_MORE:
            told["settled"] = self._roll()
        after = worth(self._table)
        terminated = self._ruined() or (self.goal is not None and after >= self.goal)
        truncated = self._thrown >= self.rolls
        self._over = terminated or truncated
        seen, info = self._seen(), self._info() | told
        return seen, (after - before) / 100, terminated, truncated, info

    def _say(self, action: int) -> Refusal | None:
        if self._spoken == self.says_a_roll:
            return _NO_MORE
        self._spoken += 1
        answer = speak(self._table, self._says[action - 1])
        if isinstance(answer, Refusal):
            return answer
        self._table = answer
        return None

    def _roll(self) -> tuple[Seen, ...]:
        """Throw; what it did to the player's own wagers."""
        self._dice = OUTCOMES[int(self.np_random.integers(len(OUTCOMES)))]
        self._table, events = next_throw(self._table, *self._dice)
        self._thrown += 1
        self._spoken = 0
        rolled = next(event for event in events if isinstance(event, Rolled))
        self._call = plain_call(rolled, self._table.house.book)
        own = (done for done in rolled.settlements if done.player == PLAYER)
        return tuple(Seen(done.wager, done.result, dollars_of(done.paid)) for done in own)

    def _ruined(self) -> bool:
        seat = self._table.seats[0]
        return not seat.wagers and seat.rail < self._least

    def _seen(self) -> Observation:
        if self.render_mode == "human":
            self.render()
        return observe(self._table, self._dice, self.says_a_roll - self._spoken)

    def _info(self) -> dict[str, Any]:
        return {
            "action_mask": self.action_masks().astype(np.int8),
            "worth": worth(self._table) / 100,
            "rolls": self._thrown,
        }

    def action_masks(self) -> np.ndarray[Any, np.dtype[np.bool_]]:
        """What would be accepted now, by action; nothing once the episode is over."""
        mask = np.zeros(len(self.menu), np.bool_)
        mask[0] = not self._over
        if mask[0] and self._spoken < self.says_a_roll:
            mask[1:] = may_say(self._table, self._says)
        return mask

    def render(self) -> str | None:
        """The table in words: handed back for ``ansi``, printed for ``human``."""
        if self.render_mode is None:
            return None
        words = show_table(self._table, self._dice, self._call, self._thrown)
        if self.render_mode == "human":
            print(words)
            return None
        return words
