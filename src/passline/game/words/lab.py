"""The words of the lab: why a strategy can't be computed, ranked or learned, and headlines."""

from __future__ import annotations

from passline.game.words.refusals import format_sentence

#: Sentences of the lab by code, in the notation of ``format_sentence``.
LAB_SENTENCES = {
    # Strategies with too many states
    "gpu-unexplored": "the strategy has more states than were explored, too many for a GPU: leave "
    "the GPU out",
    "save-unexplored": "{strategy} has more states than were explored ({explored:,} of {states:,} "
    "known ones), and only a strategy that is explored completely can be saved",
    "chain-unexplored": "this machine still has states to explore: close it first",
    "goal-unexplored": "the strategy has {states:,} states or more: say how many rolls",
    "exact-unexplored": "the strategy has {states:,} states or more, too many for an exact session",
    "extremes-unexplored": "the strategy has {states:,} states or more: its extremes cannot be "
    "computed",
    "cost-unexplored": "the strategy has {states:,} states or more: too many to solve",
    "too-many-to-solve": "the strategy has {kinds:,} kinds of states: too many to solve",
    "too-many-to-explain": "the strategy has {kinds:,} kinds of states: too many to explain",
    "too-many-reduced": "the strategy has over {most:,} states when it bets less for lack of chips",
    "gpu-reduced": "a GPU plays no sessions that reduce bets when short: leave the GPU out",
    "gpu-money": "the strategy's money is too large for a GPU: leave the GPU out",
    "gpu-bankroll": "the bankroll has too many values for a GPU: leave out --device gpu",
    # The gym
    "nothing-thrown": "nothing thrown yet",
    # Bankrolls
    "bankroll-unexplored": "the strategy has {states:,} states or more: too many to find its "
    "bankroll",
    "bankroll-policy": "a policy of best plays from its own bankroll only: session shows its ruin",
    "bankroll-too-long": "{rolls:,} rolls of this strategy take too long: ask for fewer rolls",
    # Sweeps
    "sweep-nothing": "nothing is varied: name a parameter and its values",
    "sweep-no-criterion": "no criterion: expected some of {known}",
    "sweep-criterion": "there is no criterion {name!r}: expected some of {known}",
    "sweep-needs": "a session needs {name}: set it, or vary it",
    "sweep-goal": "the criterion 'goal' needs a win to stop at: set it, or vary it",
    "sweep-too-many": "{count:,} combinations: expected {most:,} at most",
    "sweep-too-long": "{trials:,} sampled sessions of {rolls:,} rolls take too long: ask for fewer",
    # Shooters
    "shooter-limit": "a limit of {limit:$.00} a shooter: expected more than zero",
    "shooter-limit-name": "{strategy}, {limit:$.00} a shooter",
    "shooters-sampled": "sessions that count shooters are not sampled: compute them (exact)",
    "shooters-saved": "a saved machine does not know when a hand ends: name the strategy itself",
    "shooters-reduced": "sessions that count shooters do not reduce bets when short: leave one out",
    # Costs
    "cost-replayed": "it stops betting in the end: the figures are those of playing it again from "
    "the start whenever it stops",
    "coupon-not-made": "it never makes the wager of the match play coupon, {wager}; it "
    "makes {made}",
    # Luck
    "no-throw": "no throw has been made since you sat down",
    "no-habit": "nothing was up on half of the throws: there is no habit yet",
    "too-many-throws": "more than {most:,} throws take too long to compute here",
    "too-many-wagers": "these are too many wagers to compute here",
    "habit-refused": "these bets cannot be made throughout: {why}",
    "no-shooter": "{game} has no shooter, and so no hand",
    "hand": "a hand at {house}: {mean:.4f} rolls on average = {exact}; {longest} or more once in "
    "{one_in:,} hands; exact",
    "longest-hand": "the longest hand in {rolls:,} rolls: {mean:.2f} rolls on average, {middle} or "
    "more in half of the shifts; exact",
    "luck": "{net:$.00} = decisions {decisions:$.00} + luck {luck:$.00}; exact",
    "strategy-luck": "{strategy}, with {bankroll:$.00}: {luck}",
    "evening": "{rulebook}, {game}: {throws:,} throws; exact",
    "no-wager": "no wager (tokes, bonuses)",
    # The gym
    "menu-twice": "the menu has the same say twice",
    "menu-entry": "{text!r} is not a menu entry: expected one say, such as 'pass for 10'",
    "menu-unknown": "the menu's {text!r} is not understood: {error}",
    "menu-not-plain": "the menu's {text!r} is more than a plain wager: expected WAGER for AMOUNT",
    "menu-no-wager": "no say of the menu makes a wager at this table",
    "render-mode": "there is no render mode {mode!r}: expected ansi or human",
    "count": "{name} = {count!r}: expected a whole number above zero",
    "house-and-game": "game and elections go with a rulebook's name or a file, not a House",
    "goal-too-low": "a goal of {goal} is not above the bankroll of {bankroll}",
    "no-options": "this environment takes no options, not {options}",
    "episode-over": "the episode is over: call reset() first",
    "no-action": "there is no action {action!r}: expected 0 to {last}",
}


def say_lab(code: str, /, **figures: object) -> str:
    """Return the sentence of a code in ``LAB_SENTENCES`` with its figures filled in.

    >>> say_lab("cost-unexplored", states=20000)
    'the strategy has 20,000 states or more: too many to solve'
    """
    return format_sentence(LAB_SENTENCES[code], figures)
