"""What the Gymnasium environment says: errors in its arguments, and its text rendering."""

from __future__ import annotations

from passline.game.words.refusals import format_sentence

GYM_SENTENCES = {
    # Arguments and actions
    "bankroll": "a bankroll of {bankroll:$}: {reason} [{cite}]",
    "render-mode": "there is no render mode {mode!r}: expected ansi or human",
    "count": "{name} = {count!r}: expected a whole number above zero",
    "house-options": "game and elections go with a rulebook's name or a file, not a House",
    "goal": "a goal of {goal} is not above the bankroll of {bankroll}",
    "no-options": "this environment takes no options, not {options}",
    "episode-over": "the episode is over: call reset() first",
    "no-action": "there is no action {action!r}: expected 0 to {last}",
    # The menu
    "menu-twice": "the menu has the same say twice",
    "menu-entry": "{text!r} is not a menu entry: expected one say, such as 'pass for 10'",
    "menu-unknown": "the menu's {text!r} is not understood: {error}",
    "menu-plain": "the menu's {text!r} is more than a plain wager: expected SLUG for AMOUNT",
    "menu-no-wager": "no say of the menu makes a wager at this table",
    # The rendering
    "roll": "roll {rolls:<5} puck {puck:<6} {last}",
    "puck-on": "ON {point}",
    "puck-off": "OFF",
    "not-thrown": "nothing thrown yet",
    "wagers": "wagers     {wagers}",
    "nothing-up": "nothing up",
    "rail": "rail       {rail:$}, worth {worth:$}",
}


def gym_sentence(code: str, /, **figures: object) -> str:
    """Return the sentence of a code with its figures filled in.

    >>> gym_sentence("goal", goal=100, bankroll=200)
    'a goal of 100 is not above the bankroll of 200'
    """
    return format_sentence(GYM_SENTENCES[code], figures)
