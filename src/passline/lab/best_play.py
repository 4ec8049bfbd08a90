"""The best play of one menu: walked, solved, and told state by state."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from passline.dice import Dice
from passline.exact.ceiling import ceiling_over
from passline.exact.reach import Ladder, Picks, climb, roll_back, worth_within
from passline.house.terms import elections_of
from passline.lab.best_found import BestOpening
from passline.lab.best_ladder import lay_ladder
from passline.layout import Layout
from passline.machines.arrays import Floats
from passline.machines.choice_moves import TooManyChoices
from passline.machines.choices import Choices, ChoiceStand
from passline.strategies.policy import Policy, PolicyRow, laid_of

#: Ways on that a sweep may go, and a whole play with an end; rolls, and states times rolls, whose
#: picks are kept.
_WORK, _LONG_WORK, _ROLLS, _KEPT = 10**8, 2 * 10**10, 5_000, 3 * 10**7
#: What a play may be better by, for all that is proved, than one that is called the best.
_SURE = 1e-9

#: Told now and then what is counted: ways to lie, then sweeps.
WatchBest = Callable[[int], None]


class BestAsked(NamedTuple):
    """What is asked, but for the menu and the unit."""

    layout: Layout
    goal: int
    bankroll: int
    rolls: int
    calls: bool
    dice: Dice
    watch: WatchBest | None


class BestPlay(NamedTuple):
    """The best play of a menu: its chance and everything that leads to it. ``high``: what no play
    of this menu is above, where that is more than the chance; ``sure_to``: where it is not, by how
    much one might be better for all that is proved (None: that was not asked)."""

    menu: tuple[str, ...]
    unit: int
    chance: float
    choices: Choices
    ladder: Ladder
    base: int
    step: int
    plays: list[Picks]
    values: Floats
    high: float | None = None
    sure_to: float | None = None


def solve_menu(
    asked: BestAsked, menu: tuple[str, ...], unit: int, states: int, *, sure: bool = False
) -> BestPlay:
    """The best play of a menu; ``sure``: with what no play is above, where there is no end.
    TooManyChoices where that is too much."""
    choices = Choices(asked.layout, menu, unit, asked.goal - 1, asked.dice, asked.calls)
    choices.walk(states, asked.watch)
    ladder, base, step = lay_ladder(choices, asked.bankroll, asked.dice.whole)
    if ladder.work > _WORK:
        raise TooManyChoices
    rolls, rung = asked.rolls, (asked.bankroll - base) // step
    start = int(ladder.row[0]) + rung
    high = sure_to = None
    work = max(rolls / _ROLLS, rolls * ladder.states / _KEPT, rolls * ladder.work / _LONG_WORK)
    if rolls and work <= 1:
        values, plays = roll_back(ladder, rolls, asked.watch)
    else:
        climbed = climb(ladder, asked.watch)
        values, plays = climbed.values, [climbed.picks]
        top = ceiling_over(ladder, values, 0, rung) if sure else None
        if top is not None and top - values[start] <= _SURE and not rolls:
            sure_to = top - float(values[start])
        elif sure or rolls:
            high = 1.0 if top is None else top
        if rolls:  # the best is no worse than one play for all of them, no better than without end
            values = worth_within(ladder, climbed.picks, rolls)
    chance = float(values[start])
    return BestPlay(
        menu=menu,
        unit=unit,
        chance=min(chance, 1.0),
        choices=choices,
        ladder=ladder,
        base=base,
        step=step,
        plays=plays,
        values=values,
        high=high,
        sure_to=sure_to,
    )


def policy_of(asked: BestAsked, play: BestPlay) -> Policy:
    """The policy that a play is."""
    return policy_for(asked, play.menu, play.unit, play.chance, tuple(_rows(asked, play)))


def policy_for(
    asked: BestAsked,
    menu: tuple[str, ...],
    unit: int,
    chance: float,
    rows: tuple[PolicyRow, ...] = (),
) -> Policy:
    """A policy of these rows, for what is asked."""
    house = asked.layout.house
    return Policy(
        rulebook=house.book.id,
        game=house.game,
        house=house.name,
        elections=elections_of(house),
        goal=asked.goal,
        bankroll=asked.bankroll,
        unit=unit,
        menu=menu,
        calls=asked.calls,
        rolls=max((row.rolls for row in rows), default=0),
        chance=chance,
        rows=rows,
    )


def openings_of(play: BestPlay) -> tuple[BestOpening, ...]:
    """What the play is worth with the puck off and nothing up, by the rail."""
    row, found = int(play.ladder.row[0]), []
    for rung in range(int(play.ladder.top[0]) + 1):
        value = min(float(play.values[row + rung]), 1.0)
        lay = _picked(play, play.plays[-1], 0, rung).wagers if value else ()
        found.append(BestOpening(play.base + rung * play.step, value, laid_of(lay)))
    return tuple(found)


def _picked(play: BestPlay, picks: Picks, place: int, rung: int) -> ChoiceStand:
    """What is picked in a state; the first, which is cheapest, where nothing leads anywhere."""
    pick = int(picks[play.ladder.row[place] + rung])
    first = int(play.ladder.stand[place])
    return play.choices.stands[place][pick - first if pick >= 0 else 0]


def _rows(asked: BestAsked, play: BestPlay) -> list[PolicyRow]:
    """What the play does in every state that it comes to, from the opening on.

    With an end a play has rows for every number of rolls to go (unless it is the same for all); the
    puck of an opening that is
    come to late (somebody sits down with a point on) is there too where waiting leads to it.
    """
    choices, ladder = play.choices, play.ladder
    ends = asked.rolls if play.high is None else 0
    first = (ends, 0, (asked.bankroll - play.base) // play.step)
    seen, waiting = {first}, [first]
    found: list[PolicyRow] = []
    while waiting:
        rolls, place, rung = waiting.pop()
        stand = _picked(play, play.plays[max(0, rolls - 1)], place, rung)
        state, rail = choices.places[place], play.base + rung * play.step
        found.append(
            PolicyRow(
                puck=state.puck,
                rail=rail,
                up=laid_of(state.wagers),
                lay=laid_of(stand.wagers),
                leaves=rail - stand.cost,
                rolls=rolls,
                lost=bool(play.plays[max(0, rolls - 1)][ladder.row[place] + rung] < 0),
            )
        )
        for arc in stand.arcs:
            then = rung + (arc.money - stand.cost) // play.step
            onward = (rolls - 1 if rolls else 0, arc.next, then)
            over = then >= ladder.goal[arc.next] or rolls == 1
            if not over and onward not in seen:
                seen.add(onward)
                waiting.append(onward)
    return sorted(found, key=lambda row: (-row.rolls, row.puck, len(row.up), -row.rail))
