"""The simulated players of a shift: their strategies, what they call out, and their mistakes.

Each player has a style: strategies of the lab, at one size. Bets that players put down themselves
(the line, the come, the field) go to the table at once. Bets that the learner's post must book are
called out in slang that ``talk`` understands. A seed decides everything; the engine decides what is
right.
"""

from __future__ import annotations

import re
from collections.abc import Hashable, Iterator, Sequence
from decimal import Decimal
from typing import Final, Literal

from msgspec import Struct
from msgspec.structs import replace

from passline.game.layout.spots import Layout, Spot
from passline.game.layout.stakes import Refusal
from passline.game.layout.wager_checks import find_bounds
from passline.game.money.amounts import show_dollars
from passline.game.table import commands as cmd
from passline.game.table.decide import decide
from passline.game.table.evolve import evolve_all
from passline.game.table.options import bet_option
from passline.game.table.state import Table
from passline.game.table.table_ends import find_end, list_places_at
from passline.game.words.refusals import describe_refusal
from passline.game.words.school import say_school
from passline.game.words.wagers import layout_name, spoken_wager_name
from passline.lab.machines.bettor import SettledBet, View
from passline.lab.strategies.ask import ask_strategy
from passline.lab.strategies.built_in import BUILT_IN
from passline.lab.strategies.table_adapter import make_view
from passline.live.live_table import LiveTable
from passline.school.practice_tables import PLAYER_NAMES
from passline.school.seeded_random import SeededRandom
from passline.school.work_faults import load_school_data
from passline.talk.echo import echo
from passline.talk.errors import RecordError, UnplayableError
from passline.talk.groups import name_group
from passline.talk.understand import understand

#: The posts that a learner can work in a shift.
ShiftPost = Literal["base", "stick", "box"]
#: What a learner does with a call: book the bet, refuse it, pay what is claimed, or call the box.
CallAction = Literal["book", "refuse", "pay", "box"]
#: Why a player speaks: a bet, a mistake of the player's, or a claim about chips or the call.
CallKind = Literal["bet", "units", "odds", "dont", "late", "claim", "short", "dispute"]

MIN_PLAYERS, MAX_PLAYERS = 4, 8
_BUY_IN: Final = 300_000
#: Styles: the strategies that one player plays together.
_STYLES: Final = (
    ("pass-odds", "inside"),
    ("pass-odds", "across"),
    ("pass-odds", "press-6-8", "hardways"),
    ("three-point-molly",),
    ("dont-pass-odds", "hardways"),
    ("come-odds", "place-6-8"),
    ("pass", "iron-cross"),
    ("pass-odds", "place-6-8", "field"),
)
#: How many times the strategies' own amounts a player bets, and the strategies' flat bet in cents.
_SIZES: Final = (1, 1, 2, 2, 5)
_FLAT_BET: Final = 1000
_AMOUNT: Final = re.compile(r"(?<= )(?:for|to) (\d+)$")
#: What a player likes in the center: one roll's worth, in units of the player's size.
_CENTER_BETS: Final = (
    ("horn", 4),
    ("any-craps", 1),
    ("eleven", 1),
    ("c-and-e", 2),
    ("any-seven", 1),
    ("craps-12", 1),
    ("craps-2", 1),
    ("hi-lo", 2),
    ("horn-high-12", 5),
    ("horn-high-11", 5),
    ("whirl", 5),
    ("three-way-craps", 3),
    ("hop-2-3", 1),
    ("hop-4-4", 1),
    ("hop-5-6", 1),
)
#: One player in so many bets in the center on a throw, and the unit of such bets in cents.
_CENTER_EVERY, _CENTER_UNIT = 5, 500
#: What players call bets in the center.
_NICKNAMES: Final = (
    "yo",
    "C and E",
    "world",
    "big red",
    "boxcars",
    "aces",
    "snake eyes",
    "midnight",
    "ace-deuce",
    "high-low",
    "horn high yo",
    "horn high twelve",
    "any",
)
_NUMBER_WORDS: Final = {4: "four", 5: "five", 6: "six", 8: "eight", 9: "nine", 10: "ten"}
#: One bet in so many is called with too many chips: the next of these amounts in cents.
_CHANGE_EVERY, _TENDERED = 4, (500, 2500, 10_000)
#: One call in so many throws is a player's mistake, and one throw in so many is void.
_ERROR_EVERY, _VOID_EVERY = 3, 14


class ShiftPlayer(Struct, frozen=True, kw_only=True):
    """A player of a shift: the name, the rail position, the strategies and the size of the bets."""

    name: str
    place: int
    style: tuple[str, ...]
    size: int


class PlayerCall(Struct, frozen=True, kw_only=True):
    """Something that a player calls out, and the right response.

    ``due`` is each wager's whole stake in cents after the call; it is empty if the call must not be
    booked. ``raised`` is what each grows by. ``chips`` is what the player tosses in, in cents, with
    any vigorish and the ``change`` to give back. ``right`` lists the right actions. ``reason`` and
    ``cite`` say why. ``amount`` is the cents that a claim asks for.
    """

    id: int
    kind: CallKind
    player: str
    place: int
    say: str
    due: dict[str, int] = {}
    raised: dict[str, int] = {}
    right: tuple[CallAction, ...] = ("refuse",)
    reason: str = ""
    cite: str = ""
    wager: str = ""
    amount: int = 0
    chips: int = 0
    change: int = 0

    @property
    def vig(self) -> int:
        """Return the vigorish in the chips that the player tosses in."""
        return max(0, self.chips - self.change - sum(self.raised.values()))


def seat_shift_players(layout: Layout, seats: int, seed: str) -> tuple[ShiftPlayer, ...]:
    """Return the players of a shift, most of them at the left end of a table with ``seats`` places.

    The strategies' flat bet is $10. If the minimum is higher, each player's ``size`` (a multiple)
    grows to reach it.
    """
    random = SeededRandom(seed, "shift players")
    least = max(1, -(-layout.house.minimum // _FLAT_BET))
    count = random.between(MIN_PLAYERS, MAX_PLAYERS)
    left = random.sample(list_places_at("left", seats), (count * 3 + 3) // 4)
    right = random.sample(list_places_at("right", seats), count - len(left))
    styles = random.shuffled(_STYLES)
    return tuple(
        ShiftPlayer(
            name=name,
            place=place,
            style=styles[n % len(styles)],
            size=least * random.pick(_SIZES),
        )
        for n, (name, place) in enumerate(
            zip(PLAYER_NAMES[:count], sorted((*left, *right)), strict=True)
        )
    )


def find_buy_in(layout: Layout) -> int:
    """Return the cents that each player buys in for, in whole chips of the house."""
    amount = max(_BUY_IN, layout.house.minimum * 300)
    return amount + -amount % layout.house.chip


def is_booked_by(post: ShiftPost, spot: Spot) -> bool:
    """Return whether a post books a wager: base dealers book numbers, the stick books the center.

    Players make other bets themselves.
    """
    if post == "stick":
        return spot.rule.area == "center"
    numbered = spot.rule.area == "table" and bool(spot.number) and not spot.only_travels
    return post == "base" and numbered


def is_called(table: Table, post: ShiftPost, command: cmd.AnyCommand) -> bool:
    """Return whether a post must book a player's command. A base dealer books the left end only."""
    if not isinstance(command, cmd.Bet | cmd.Change):
        return False
    spot = table.layout.spots.get(command.wager)
    if spot is None or not is_booked_by(post, spot):
        return False
    return post == "stick" or find_end(table, command.player) == "left"


class ShiftBettors:
    """Asks the players' strategies before each throw, and keeps the strategies' memory."""

    def __init__(self, players: Sequence[ShiftPlayer], seed: str, post: ShiftPost) -> None:
        self.players, self._seed, self._post = players, seed, post
        self._memory: dict[tuple[str, str], Hashable] = {}

    def list_wanted(self, live: LiveTable, player: ShiftPlayer) -> list[cmd.AnyCommand]:
        """Return the commands that a player wants now and the table accepts, in order."""
        table, wanted = live.table, list[cmd.AnyCommand]()
        for name in player.style:
            for phrase in self._ask(live, player, name):
                try:
                    commands = understand(table, player.name, phrase)
                except (RecordError, UnplayableError):
                    continue
                after = try_commands(table, commands)
                if not isinstance(after, Refusal):
                    table = after
                    wanted += commands
        center = self._pick_center_bet(table, player) if self._post == "stick" else None
        return wanted if center is None else [*wanted, center]

    def _pick_center_bet(self, table: Table, player: ShiftPlayer) -> cmd.Bet | None:
        """Return a bet in the center that a player wants for a roll, or None."""
        random = SeededRandom(self._seed, "center", player.name, table.throws)
        wager, units = random.pick(_CENTER_BETS)
        bet = cmd.Bet(player.name, wager, units * player.size * _CENTER_UNIT)
        wants = random.one_in(_CENTER_EVERY) and wager in table.layout.spots
        return bet if wants and not isinstance(try_commands(table, [bet]), Refusal) else None

    def _ask(self, live: LiveTable, player: ShiftPlayer, name: str) -> Iterator[str]:
        """Yield a strategy's bets as phrases, scaled to the player's size."""
        size, key = player.size, (player.name, name)
        rolled = live.last_throw.rolled if live.last_throw is not None else None
        full = make_view(live.table, player.name, rolled, self._memory.get(key))
        view = View(
            full.puck,
            {slug: Decimal(dollars) / size for slug, dollars in full.wagers.items()},
            full.last,
            tuple(SettledBet(s.wager, s.result, s.paid) for s in full.settled),
            memory=full.memory,
            new_shooter=full.new_shooter,
        )
        says, self._memory[key] = ask_strategy(BUILT_IN[name], view)
        for say in says:
            scale = _AMOUNT.search(say)
            yield say[: scale.start(1)] + str(int(scale[1]) * size) if scale else say


def try_commands(table: Table, commands: Sequence[cmd.AnyCommand]) -> Table | Refusal:
    """Return the table after a player's commands, or the refusal of the first that is refused."""
    for command in commands:
        answer = decide(table, command)
        if isinstance(answer, Refusal):
            return answer
        table = evolve_all(table, answer)
    return table


def make_call_words(
    table: Table, player: str, commands: Sequence[cmd.AnyCommand], random: SeededRandom
) -> str:
    """Return words for a player's commands, in slang where ``talk`` gives it the same meaning."""
    group = name_group(table, commands)
    if group and _means(table, player, group, commands):
        return group
    return ", ".join(_make_slang(table, player, command, random) for command in commands)


def _make_slang(table: Table, player: str, command: cmd.AnyCommand, random: SeededRandom) -> str:
    plain = echo([command])
    if isinstance(command, cmd.Bet):
        spot, amount = table.layout.spots[command.wager], show_dollars(command.amount)
        for words in random.shuffled(tuple(_list_slang(spot, amount))):
            if _means(table, player, words, [command]):
                return words
    return plain


def _list_slang(spot: Spot, amount: str) -> Iterator[str]:
    number, bare = _NUMBER_WORDS.get(spot.number, str(spot.number)), amount.removeprefix("$")
    name = spoken_wager_name(spot.slug)
    if spot.number:
        yield f"{amount} {number}"
        yield f"{number} for {amount}"
        yield f"{amount} on the {number}"
        yield f"give me the {number} for {bare}"
        yield f"hard {number} {bare}"
        yield f"buy the {number} for {amount}"
        yield f"{amount} odds on my come {number}"
    yield f"{amount} {name}"
    yield f"{name} for {bare}"
    yield f"{amount} on the {name}"
    for nickname in _NICKNAMES:
        yield f"{amount} {nickname}"


def _means(table: Table, player: str, words: str, commands: Sequence[cmd.AnyCommand]) -> bool:
    try:
        return list(understand(table, player, words)) == list(commands)
    except (RecordError, UnplayableError):
        return False


def make_bet_call(
    table: Table, player: ShiftPlayer, commands: Sequence[cmd.AnyCommand], id_: int, seed: str
) -> PlayerCall:
    """Return the call of a player's commands, all of which the table accepts."""
    random = SeededRandom(seed, "call", id_)
    after = try_commands(table, commands)
    assert not isinstance(after, Refusal)
    before, stakes = table.seat(player.name).wagers, after.seat(player.name).wagers
    changed = {
        slug: stake.amount
        for slug, stake in stakes.items()
        if slug not in before or before[slug].amount != stake.amount
    }
    raised = {
        slug: amount - (before[slug].amount if slug in before else 0)
        for slug, amount in changed.items()
    }
    cost = table.seat(player.name).rail - after.seat(player.name).rail
    change = -cost % random.pick(_TENDERED) if cost > 0 and random.one_in(_CHANGE_EVERY) else 0
    return PlayerCall(
        id=id_,
        kind="bet",
        player=player.name,
        place=player.place,
        say=make_call_words(table, player.name, commands, random),
        due=changed,
        raised=raised,
        right=("book",),
        chips=max(0, cost) + change,
        change=change,
    )


def make_error_call(
    table: Table, post: ShiftPost, players: Sequence[ShiftPlayer], id_: int, seed: str
) -> PlayerCall | None:
    """Return a mistake that a player makes before a throw, or None if nobody makes one now."""
    random = SeededRandom(seed, "error", id_, table.throws)
    if not random.one_in(_ERROR_EVERY):
        return None
    own = [p for p in players if post != "base" or find_end(table, p.name) == "left"]
    own = [p for p in own if table.seat(p.name).here]
    kinds = (_make_units_call, _make_odds_call, _make_dont_call, _make_claim)
    for make in random.shuffled((_make_units_call, _make_claim) if post == "stick" else kinds):
        for player in random.shuffled(own):
            found = make(table, post, player, random)
            if found is not None:
                return _with_id(found, id_)
    return None


def _with_id(call: PlayerCall, id_: int) -> PlayerCall:
    return replace(call, id=id_)


def _make_refused_call(
    table: Table, player: ShiftPlayer, kind: CallKind, bet: cmd.AnyCommand, say: str
) -> PlayerCall | None:
    """Return a call that the rules refuse, or None if the table accepts it."""
    refused = decide(table, bet)
    if not isinstance(refused, Refusal):
        return None
    amount = bet.amount if isinstance(bet, cmd.Bet) else 0
    return PlayerCall(
        id=0,
        kind=kind,
        player=player.name,
        place=player.place,
        say=say,
        reason=describe_refusal(refused, player.name),
        cite=refused.cite,
        chips=amount,
    )


def _list_new_bets(table: Table, post: ShiftPost, player: str) -> list[Spot]:
    """Return bets that a player does not have yet: hardways for the stick, else place bets."""
    mine, prefix = table.seat(player).wagers, "hard-" if post == "stick" else "place-win-"
    return [
        spot
        for spot in table.layout.spots.values()
        if spot.slug.startswith(prefix) and spot.slug not in mine
    ]


def _make_units_call(
    table: Table, post: ShiftPost, player: ShiftPlayer, random: SeededRandom
) -> PlayerCall | None:
    """Return the call of a bet below the minimum or not in units of the house, or None."""
    amounts = (50, 150, 250, 350) if post == "stick" else (100, 300, 700, 1100, 1350)
    for spot in random.shuffled(_list_new_bets(table, post, player.name)):
        for amount in random.shuffled(amounts):
            bet = cmd.Bet(player.name, spot.slug, amount)
            name = spoken_wager_name(spot.slug)
            number = name if post == "stick" else _NUMBER_WORDS.get(spot.number, name)
            say = f"{show_dollars(amount)} {number}"
            found = _make_refused_call(table, player, "units", bet, say)
            if found is not None:
                return found
    return None


def _make_odds_call(
    table: Table, _post: ShiftPost, player: ShiftPlayer, random: SeededRandom
) -> PlayerCall | None:
    """Return the call of odds over the limit, or None if the player has no bet with odds."""
    mine = table.seat(player.name).wagers
    for slug in random.shuffled(tuple(mine)):
        layout, behind = table.layout, table.layout.spots[slug].behind
        if not behind:
            continue
        most = find_bounds(layout, layout.spots[behind], table.point, mine).most
        if not most:
            continue
        name, number = spoken_wager_name(slug), layout.spots[slug].number
        if number:
            side = "don't come" if slug.startswith("dont") else "come"
            name = f"{side} {_NUMBER_WORDS.get(number, number)}"
        say, up = f"{show_dollars(2 * most)} odds on my {name}", mine.get(behind)
        bet: cmd.AnyCommand = cmd.Bet(player.name, behind, 2 * most)
        if up is not None:
            say, bet = f"make it {say}", cmd.Change(player.name, behind, 2 * most)
        refused = decide(table, bet)
        found = _make_refused_call(table, player, "odds", bet, say)
        if found and isinstance(refused, Refusal) and refused.code.startswith("over-"):
            return replace(found, chips=2 * most - (up.amount if up is not None else 0))
    return None


def _make_dont_call(
    table: Table, _post: ShiftPost, player: ShiftPlayer, _random: SeededRandom
) -> PlayerCall | None:
    """Return the call of a player who raises a don't bet against the rules, or None."""
    for slug, stake in table.seat(player.name).wagers.items():
        rule = table.layout.spots[slug].rule
        if rule.wins_on_seven and (rule.is_line or rule.is_come):
            raised = cmd.Change(player.name, slug, 2 * stake.amount)
            say = f"press my {spoken_wager_name(slug)} to {show_dollars(2 * stake.amount)}"
            return _make_refused_call(table, player, "dont", raised, say)
    return None


def _is_claimed_at(post: ShiftPost, spot: Spot) -> bool:
    """Return whether a post hears claims on a wager: the stick in the center, others on numbers."""
    return spot.rule.area == "center" if post == "stick" else bool(spot.number)


def _make_claim(
    table: Table, post: ShiftPost, player: ShiftPlayer, random: SeededRandom
) -> PlayerCall | None:
    """Return a player's false claim to another's chips, or None if there are no such chips.

    A base dealer hears only claims to chips at the left end.
    """
    others = [
        (seat, slug, stake.amount)
        for seat in table.seats
        if seat.id != player.name and (post != "base" or find_end(table, seat.id) == "left")
        for slug, stake in seat.wagers.items()
        if _is_claimed_at(post, table.layout.spots[slug])
        and slug not in table.seat(player.name).wagers
    ]
    if not others:
        return None
    seat, slug, amount = random.pick(others)
    positions = load_school_data(table.house.book.id).positions
    name = layout_name(slug)
    return PlayerCall(
        id=0,
        kind="claim",
        player=player.name,
        place=player.place,
        say=say_school("shift.claim", name=name, amount=amount),
        right=("refuse", "box"),
        reason=say_school("shift.claim-why", player=seat.id, name=name),
        cite=positions[0] if positions else "custom: a bet is whose position it lies in",
        wager=slug,
        amount=amount,
    )


def make_late_call(
    table: Table, post: ShiftPost, players: Sequence[ShiftPlayer], id_: int, seed: str
) -> PlayerCall | None:
    """Return a bet that a player calls while the dice are in the air, or None."""
    random = SeededRandom(seed, "late", id_, table.throws)
    own = [p for p in players if post != "base" or find_end(table, p.name) == "left"]
    own = [p for p in own if table.seat(p.name).here]
    if not random.one_in(2 * _ERROR_EVERY) or not own:
        return None
    player = random.pick(own)
    for spot in random.shuffled(_list_new_bets(table, post, player.name)):
        option = bet_option(table, player.name, spot.slug)
        if option.bar is None:
            bet = cmd.Bet(player.name, spot.slug, option.least, in_air=True)
            say = f"{show_dollars(option.least)} {spoken_wager_name(spot.slug)}!"
            found = _make_refused_call(table, player, "late", bet, say)
            if found is not None:
                call = replace(_cite_no_bet(table, found, bet), wager=spot.slug)
                return _with_id(call, id_)
    return None


def _cite_no_bet(table: Table, call: PlayerCall, bet: cmd.Bet) -> PlayerCall:
    """Return a late call, citing the clause on "no bet" if no clause is about dice in the air.

    If the crew may confirm a late bet, calling the box is right as well.
    """
    refused = decide(table, bet)
    if isinstance(refused, Refusal) and refused.code == "late-unconfirmed":
        return replace(call, right=("refuse", "box"))
    told = decide(table, replace(bet, in_air=False, no_bet=True))
    if call.cite.startswith("custom") and isinstance(told, Refusal):
        return replace(call, cite=told.cite)
    return call


def is_void_throw(seed: str, throw: int) -> bool:
    """Return whether a die leaves the table on this throw of a shift."""
    return SeededRandom(seed, "void", throw).one_in(_VOID_EVERY)


def find_void_side(seed: str, throw: int) -> Literal["outside", "inside"]:
    """Return where the die fell that left the table on this throw of a shift.

    Outside is the players' side of the table, inside the crew's.
    """
    return SeededRandom(seed, "void side", throw).pick(("outside", "inside"))


def make_dispute(
    table: Table, dice: tuple[int, int], players: Sequence[ShiftPlayer], id_: int, seed: str
) -> PlayerCall | None:
    """Return a dispute about the throw that was just called, or None.

    ``table`` is the table after the throw.
    """
    random = SeededRandom(seed, "dispute", id_, table.throws)
    here = [p for p in players if table.seat(p.name).here]
    if not random.one_in(4 * _ERROR_EVERY) or not here:
        return None
    player, total = random.pick(here), sum(dice)
    heard = random.pick([n for n in (5, 6, 8, 9, 10) if n != total])
    rulings = table.house.book.throw.rulings.get(table.house.game)
    return PlayerCall(
        id=id_,
        kind="dispute",
        player=player.name,
        place=player.place,
        say=say_school("shift.dispute", heard=f"{'an' if heard == 8 else 'a'} {heard}"),
        right=("box",),
        reason=say_school("shift.dispute-why"),
        cite=rulings.cite if rulings is not None else "custom: the box decides disputes",
    )


def make_short_claim(table: Table, player: str, wager: str, due: int, id_: int) -> PlayerCall:
    """Return the claim of a player who was paid too little; ``due`` cents are still owed."""
    name = layout_name(wager)
    return PlayerCall(
        id=id_,
        kind="short",
        player=player,
        place=table.seat(player).place,
        say=say_school("shift.short", name=name),
        right=("pay", "box"),
        reason=say_school("shift.short-why", player=player, name=name, due=due),
        cite="custom: a wrong payoff is corrected when it is noticed",
        wager=wager,
        amount=due,
    )
