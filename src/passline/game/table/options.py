"""List what a player may do now. Every option is checked with ``decide``, so the list is correct.

Prompts, pages, bots and training environments all read this list.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

import msgspec

from passline.game.layout.spots import Spot
from passline.game.layout.stakes import Refusal, Stake, refuse
from passline.game.layout.wager_checks import AmountBounds, find_bounds
from passline.game.table import commands as cmd
from passline.game.table.bets import split_composite
from passline.game.table.decide import decide
from passline.game.table.state import Seat, Table

#: The kinds of options. ``bet`` takes an amount to add; ``raise`` and ``reduce`` take the new
#: total.
OptionVerb = Literal[
    "bet", "raise", "reduce", "down", "on", "off", "undo", "all-down", "take-dice", "decline",
    "pass-dice", "leave",
]  # fmt: skip


class Option(msgspec.Struct, frozen=True, kw_only=True):
    """One action of a player. If it is not allowed now, ``bar`` is the refusal.

    Amounts are totals in cents. Every total from ``least`` to ``most`` in steps of ``step`` is
    accepted now, if the rail can pay it. All three are 0 for an option without an amount, such as
    "down", and for one with a ``bar``.
    """

    verb: OptionVerb
    wager: str = ""
    least: int = 0
    most: int = 0
    step: int = 0
    bar: Refusal | None = None


def list_options(table: Table, player: str) -> tuple[Option, ...]:
    """Return what a player may do with each wager, in layout order, and then everything else.

    See ``list_bet_options`` and ``list_seat_options``.

    >>> from passline.record.deal import deal_text
    >>> first = list_options(deal_text("rulebook: iowa\\nplayer: ann 100").table, "ann")[0]
    >>> first.verb, first.wager, first.least, first.most, first.step
    ('bet', 'pass', 500, 10000, 100)
    """
    return (*list_bet_options(table, player), *list_seat_options(table, player))


def list_bet_options(table: Table, player: str) -> tuple[Option, ...]:
    """Return what a player may do with each wager, in layout order.

    A wager that is not up may be bet; one that is up raised, reduced, taken down, called on or off.
    """
    seat = table.seat(player)
    found: list[Option] = []
    for spot in table.layout.spots.values():
        if spot.slug in seat.wagers:
            found += _bet_options(table, seat, spot)
        else:
            found.append(_make_option(table, seat, spot))
    return tuple(found)


#: Options to make a wager, by wager: the rail of the player they were decided for, and the option.
#: They are the same for every player who sits, has that rail and does not have its flat wager.
SharedOptions = dict[str, tuple[int, Option]]


class BetOptionCache:
    """The bet options of one player, computed again only where something about them changed.

    Use it while only the player's rail and wagers change; call ``clear`` after any other change,
    such as a roll. Two kinds of bets are computed each time: odds, which depend on their flat
    wager, and composites, which may be booked as wagers that are up. No other bet depends on what
    else is up.
    """

    def __init__(self) -> None:
        self._known: dict[str, tuple[Stake | None, int, Option]] = {}

    def clear(self) -> None:
        """Forget all options."""
        self._known.clear()

    def list_bet_options(
        self, table: Table, player: str, shared: SharedOptions | None = None
    ) -> tuple[Option, ...]:
        """Return what the function ``list_bet_options`` returns.

        ``shared`` has options that hold for every player at this moment; this call adds those it
        computes.
        """
        seat = table.seat(player)
        if shared and not seat.standing:
            for slug, (rail, option) in shared.items():
                if table.layout.spots[slug].flat not in seat.wagers:
                    self._known.setdefault(slug, (None, rail, option))
        found: list[Option] = []
        for spot in table.layout.spots.values():
            if spot.slug in seat.wagers:
                self._known.pop(spot.slug, None)
                found += _bet_options(table, seat, spot)
            else:
                found.append(self._find_option(table, seat, spot))
        if shared is not None and not seat.standing:
            for slug, (flat, rail, option) in self._known.items():
                if flat is None:
                    shared.setdefault(slug, (rail, option))
        return tuple(found)

    def _find_option(self, table: Table, seat: Seat, spot: Spot) -> Option:
        flat = seat.wagers.get(spot.flat)
        option = self._update_option(table, seat, spot, flat)
        if spot.legs:
            return option
        self._known[spot.slug] = flat, seat.rail, option
        return option

    def _update_option(self, table: Table, seat: Seat, spot: Spot, flat: Stake | None) -> Option:
        before, rail, option = self._known.get(spot.slug, (None, -1, None))
        if option is None or before != flat:
            return _make_option(table, seat, spot)
        if rail == seat.rail or (option.bar is not None and option.bar.code != "short-of-chips"):
            return option
        if option.bar is None and not spot.rule.vig_kind and seat.rail >= option.least:
            limits = _bet_bounds(table, seat, spot)
            most = _most_affordable(table, seat, spot, limits, 0)
            return option if most == option.most else msgspec.structs.replace(option, most=most)
        return _make_option(table, seat, spot)


def list_seat_options(table: Table, player: str) -> tuple[Option, ...]:
    """Return the actions of a player that do not concern a single wager."""
    commands: dict[OptionVerb, cmd.AnyCommand] = {
        "all-down": cmd.TakeAllDown(player),
        "undo": cmd.Undo(player),
        "take-dice": cmd.TakeDice(player),
        "decline": cmd.DeclineDice(player),
        "pass-dice": cmd.PassDice(player),
        "leave": cmd.Leave(player),
    }
    return tuple(_command_option(table, verb, command) for verb, command in commands.items())


def bet_option(table: Table, player: str, wager: str) -> Option:
    """Return the option for one wager: to make it, or to raise it if it is up."""
    seat, spot = table.seat(player), table.layout.spots[wager]
    return (_raise_option if wager in seat.wagers else _make_option)(table, seat, spot)


def _make_option(table: Table, seat: Seat, spot: Spot) -> Option:
    limits = _bet_bounds(table, seat, spot)
    answer = decide(table, cmd.Bet(seat.id, spot.slug, limits.least))
    if isinstance(answer, Refusal):
        return Option(verb="bet", wager=spot.slug, bar=answer)
    most = _most_affordable(table, seat, spot, limits, 0)
    return Option(verb="bet", wager=spot.slug, least=limits.least, most=most, step=limits.step)


def _raise_option(table: Table, seat: Seat, spot: Spot) -> Option:
    limits, up = _bet_bounds(table, seat, spot), seat.wagers[spot.slug].amount
    least = max(limits.least, up - up % limits.step + limits.step)
    answer = decide(table, cmd.Change(seat.id, spot.slug, least))
    if isinstance(answer, Refusal):
        return Option(verb="raise", wager=spot.slug, bar=answer)
    most = _most_affordable(table, seat, spot, limits._replace(least=least), up)
    return Option(verb="raise", wager=spot.slug, least=least, most=most, step=limits.step)


def _bet_options(table: Table, seat: Seat, spot: Spot) -> Iterator[Option]:
    slug, limits = spot.slug, _bet_bounds(table, seat, spot)
    up = seat.wagers[slug].amount
    yield _raise_option(table, seat, spot)
    low = up - 1 - (up - 1) % limits.step
    if low < limits.least:
        bar = refuse("under-minimum", spot.minimum_cite, ["down"], wager=slug, least=limits.least)
        yield Option(verb="reduce", wager=slug, bar=bar)
    else:
        reduce = _command_option(table, "reduce", cmd.Change(seat.id, slug, low), slug)
        amounts = {"least": limits.least, "most": low, "step": limits.step}
        yield reduce if reduce.bar else msgspec.structs.replace(reduce, **amounts)
    yield _command_option(table, "down", cmd.TakeDown(seat.id, slug), slug)
    yield _command_option(table, "on", cmd.Call(seat.id, slug, True), slug)
    yield _command_option(table, "off", cmd.Call(seat.id, slug, False), slug)


def _command_option(
    table: Table, verb: OptionVerb, command: cmd.AnyCommand, wager: str = ""
) -> Option:
    answer = decide(table, command)
    bar = answer if isinstance(answer, Refusal) else None
    return Option(verb=verb, wager=wager, bar=bar)


def _bet_bounds(table: Table, seat: Seat, spot: Spot) -> AmountBounds:
    limits = find_bounds(table.layout, spot, table.point, seat.wagers)
    steps = -(-limits.least // limits.step)
    # A composite that is booked as its parts may be bet if every part may be.
    for part, held in split_composite(table.layout, spot, limits.step).items():
        up = seat.wagers[part].amount if part in seat.wagers else 0
        steps = max(steps, -((up - table.layout.spots[part].minimum) // held))
    return limits._replace(least=steps * limits.step)


def _most_affordable(table: Table, seat: Seat, spot: Spot, limits: AmountBounds, up: int) -> int:
    """Return the largest amount that the rail can pay, vigorish included; at least the minimum.

    ``up`` is the wager's amount now, or 0 if it is not up.
    """
    low, high = 0, (min(limits.most, up + seat.rail) - limits.least) // limits.step
    if not spot.rule.vig_kind:
        return limits.least + max(high, 0) * limits.step
    # Usually the rail covers the maximum, so that is tried first. Otherwise the answer is near the
    # amount that takes the whole rail with its vigorish not rounded.
    terms, chips = table.house.vig[spot.rule.vig_kind], up + seat.rail
    nearest = (int(chips / (1 + terms.exact_share(spot.odds))) - limits.least) // limits.step
    guesses = iter((high, nearest, nearest + 1))
    while low < high:
        middle = min(max(next(guesses, (low + high + 1) // 2), low + 1), high)
        to = limits.least + middle * limits.step
        command = cmd.Change(seat.id, spot.slug, to) if up else cmd.Bet(seat.id, spot.slug, to)
        if isinstance(decide(table, command), Refusal):
            high = middle - 1
        else:
            low = middle
    return limits.least + low * limits.step
