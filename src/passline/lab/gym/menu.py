"""The betting phrases, such as ``pass for 10``, that an agent may choose from: its menu."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from math import lcm
from typing import NamedTuple

from passline.game.house.house import House
from passline.game.layout.compile import compile_layout
from passline.game.layout.spots import Layout, Spot
from passline.game.layout.stakes import Refusal
from passline.game.layout.wager_checks import find_stake_step
from passline.game.table import commands as cmd
from passline.game.table.decide import decide
from passline.game.table.evolve import evolve
from passline.game.table.options import Option, OptionVerb, list_options
from passline.game.table.state import Table
from passline.game.words.lab import say_lab
from passline.lab.machines.next_states import PLAYER, State, build_table
from passline.talk.canonical import format_amount, parse_canonical
from passline.talk.errors import RecordError, UnplayableError
from passline.talk.understand import understand

#: The usual bet in cents, as in the built-in strategies, and a larger one for wagers with
#: vigorish, so that the vigorish is not zero.
_UNIT, _VIG_UNIT = 1_000, 2_000

#: The legal actions at a table, by verb and wager.
Options = Mapping[tuple[OptionVerb, str], Option]


class Say(NamedTuple):
    """One entry of a menu: a betting phrase, and its command if that is the same at any table.

    ``fixed`` is the command. It is None if it depends on the table, as in "pass-odds for max".
    """

    text: str
    fixed: cmd.AnyCommand | None = None


def default_menu(house: House) -> tuple[str, ...]:
    """Return betting phrases for the wagers that a house deals, and for taking bets down.

    Bets are about $10, or the minimum for wagers in the center. Odds are for the house's maximum.
    Hops, horn high and place-to-lose are left out. Bets on numbers and hardways also have a phrase
    to take them down, and the last phrase is "all down".

    >>> from passline.game.house.load import house_for
    >>> default_menu(house_for("new-jersey"))[:4]
    ('pass for 10', 'pass-odds for max', 'dont-pass for 10', 'dont-pass-odds for max')
    """
    return (*_default_says(compile_layout(house)), "all down")


def _default_says(layout: Layout) -> Iterator[str]:
    for spot in layout.spots.values():
        if _is_left_out(spot) or spot.only_travels:
            continue
        if spot.is_odds:
            yield f"{spot.slug} for max"
            continue
        yield f"{spot.slug} for {format_amount(_default_stake(layout, spot))}"
        if spot.rule.is_race or spot.rule.is_hardway:
            yield f"{spot.slug} down"


def _is_left_out(spot: Spot) -> bool:
    """Return whether a wager is left out of the default menu: hops, horn high, place to lose."""
    rule = spot.rule
    high = rule.is_composite and bool(spot.number)
    against = rule.is_race and rule.wins_on_seven and not spot.vig
    return rule.is_hop or high or against


def _default_stake(layout: Layout, spot: Spot) -> int:
    """Return the stake of a wager in the default menu, in cents.

    Take the smallest stake that is paid exactly and is at least the minimum and, outside the
    center, the usual bet. It is no more than the maximum.
    """
    rule = spot.rule
    low = spot.minimum
    if rule.area != "center" and not rule.is_collect:
        low = max(low, _VIG_UNIT if spot.vig else _UNIT)
    step = find_stake_step(spot)
    if not (rule.is_composite or rule.is_collect):
        step = lcm(step, spot.odds.step(layout.house.chip))
    return min(-(-low // step) * step, spot.maximum)


def read_menu(layout: Layout, texts: Sequence[str]) -> tuple[Say, ...]:
    """Return the entries of a menu that a user wrote, one for each text.

    Raise ValueError for a text that is not one betting phrase, or that comes twice.
    """
    table = build_table(layout, State())
    says = tuple(_read_entry(table, text) for text in texts)
    if len(set(texts)) != len(texts):
        raise ValueError(say_lab("menu-twice"))
    return says


def _read_entry(table: Table, text: str) -> Say:
    if not isinstance(text, str) or ";" in text:
        raise ValueError(say_lab("menu-entry", text=text))
    try:
        understand(table, PLAYER, text)
    except UnplayableError:
        pass  # The phrase is understood, but not allowed before the first throw.
    except RecordError as error:
        raise ValueError(say_lab("menu-unknown", text=text, error=error)) from None
    try:
        command = parse_canonical(PLAYER, text, table.layout.slugs)
    except RecordError:
        command = None  # The amount depends on the table, as in "pass-odds for max".
    if isinstance(command, cmd.Bet) and command != cmd.Bet(PLAYER, command.wager, command.amount):
        raise ValueError(say_lab("menu-not-plain", text=text))
    return Say(text, command)


def apply_say(table: Table, say: Say) -> Table | Refusal:
    """Return the table after the player says a phrase, or the Refusal if any part is refused."""
    commands: Sequence[cmd.AnyCommand]
    if say.fixed is not None:
        commands = (say.fixed,)
    else:
        try:
            commands = understand(table, PLAYER, say.text)
        except UnplayableError as error:
            return error.refusal
    for command in commands:
        answer = decide(table, command)
        if isinstance(answer, Refusal):
            return answer
        for event in answer:
            table = evolve(table, event)
    return table


def find_legal_says(table: Table, says: Sequence[Say]) -> list[bool]:
    """Return, for each entry of a menu, whether the rules would accept it now."""
    options = {(option.verb, option.wager): option for option in list_options(table, PLAYER)}
    return [_is_legal(table, options, say) for say in says]


def _is_legal(table: Table, options: Options, say: Say) -> bool:
    option, amount = None, 0
    match say.fixed:
        case cmd.Bet(wager=wager, amount=more):
            up = table.seat(PLAYER).wagers.get(wager)
            option, amount = options.get(("raise" if up else "bet", wager)), more
            amount += up.amount if up else 0
        case cmd.TakeDown(wager=wager):
            option = options.get(("down", wager))
        case cmd.TakeAllDown():
            option = options["all-down", ""]
    if option is None:
        return not isinstance(apply_say(table, say), Refusal)
    if option.bar is not None or not amount:
        return option.bar is None
    return option.least <= amount <= option.most and not (amount - option.least) % option.step


def find_cheapest_say(layout: Layout, says: Sequence[Say]) -> int:
    """Return the cents of the cheapest bet in the menu, vigorish included.

    Try every entry on an empty table, with the puck off and on each point, with unlimited chips.
    Raise ValueError if no entry makes a bet.
    """
    costs = []
    for puck in (0, *layout.house.book.points.value):
        table = build_table(layout, State(puck=puck))
        for say in says:
            after = apply_say(table, say)
            if not isinstance(after, Refusal) and after.seats[0].wagers:
                costs.append(table.seats[0].rail - after.seats[0].rail)
    if not costs:
        raise ValueError(say_lab("menu-no-wager"))
    return min(costs)
