"""A rulebook, whole: its wagers, its general rules, and what a house may elect."""

from __future__ import annotations

from functools import cached_property
from hashlib import sha256
from typing import Literal

import msgspec

from passline.law.cited import Cited, Sourced
from passline.law.roles import Role
from passline.law.wagers import AnyWager, Until, Working

ByGame = dict[str, Cited[tuple[Role, ...]]]


class _Part(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A section of a book. ``also`` lists clauses it carries out where there is no value."""

    also: tuple[str, ...] = ()


class Changes(_Part, frozen=True, kw_only=True):
    """Changing a wager that is up, where the wager itself says nothing else."""

    raises: Cited[Until]
    reduces: Cited[Until]
    removes: Cited[Until]
    #: Odds behind a don't wager that was reduced: against the flat as first wagered, or trimmed
    #: to what is left of it (a book without don'ts says nothing).
    dont_odds_basis: Cited[Literal["original", "current"]] | None = None


class Stakes(_Part, frozen=True, kw_only=True):
    """Limits on a stake, and a stake that cannot be paid exactly."""

    under_min: Cited[Literal["refuse", "accept"]]
    over_max: Cited[Literal["refuse", "accept"]]
    breakage: Cited[Literal["refuse", "down", "up"]]
    #: Breakage of wagers at true odds (buy, lay, odds), where the book's rule leaves them out.
    true_odds_breakage: Cited[Literal["refuse", "down", "up"]]
    breakage_allowed: Cited[tuple[Literal["refuse", "down", "up"], ...]]
    #: Over or under the limits, and found only after the roll; checked: never so late.
    found_over: Cited[Literal["capped", "as-wagered", "checked"]]
    found_under: Cited[Literal["as-wagered", "as-minimum", "checked"]]
    #: Whether payouts are a floor that a house may raise, or fixed.
    pays: Cited[Literal["floor", "fixed"]]
    #: Wagers whose payouts stay fixed even so.
    pays_fixed: Cited[tuple[str, ...]] | None = None
    #: Where a house elects none, in dollars: the smallest chip, the table's limits, the center's.
    chip_default: Cited[int]
    min_default: Cited[int]
    center_min_default: Cited[int]
    max_default: Cited[int]


class OddsLimits(_Part, frozen=True, kw_only=True):
    """How much odds a flat wager carries. A multiple is a number, or one for each point."""

    #: The multiple where none is elected; a book that prints every number's own needs none.
    default: Cited[int | Literal["3-4-5"]] | None = None
    #: What "3-4-5" stands for, by number ("4 10" → 3).
    three_four_five: dict[str, Cited[int]]
    least: Cited[int]
    #: None: the book sets no cap.
    most: Cited[int] | None = None
    laid_least: Cited[int] | None = None
    laid_most: Cited[int] | None = None
    #: Taken odds are measured by stake, laid odds by what they may win.
    taken_by: Cited[Literal["stake", "win"]]
    laid_by: Cited[Literal["stake", "win"]] | None = None
    #: A stake may pass the limit up to the next amount that pays exactly.
    fit: Cited[bool]
    posted_max: Cited[bool]
    #: Odds are taken under the table minimum; where breakage is paid, must they then pay exactly?
    under_min: Cited[Literal["any", "exact"]] | None = None
    #: The book's own multiples, by number, for a book that prints them ("4 10" → 10).
    taken: dict[str, Cited[int]] = {}
    laid: dict[str, Cited[int]] = {}


class Vig(_Part, frozen=True, kw_only=True):
    """Vigorish: rate, on what, when, rounded how; and what a house may choose."""

    rate: Cited[str]
    most: Cited[str]
    base: Cited[Literal["stake", "win"]]
    bases: Cited[tuple[Literal["stake", "win"], ...]]
    when: Cited[Literal["made", "won"]]
    #: Numbers on which it is taken at another time than ``when``.
    won_on: Cited[tuple[int, ...]] | None = None
    whens: Cited[tuple[Literal["made", "won"], ...]]
    rounding: Cited[Literal["down", "half-up", "up", "exact"]]
    #: Whether some numbers may pay when made and others when won.
    mixed: Cited[bool] | None = None
    #: Whether the rate is a cap that no rounding may pass.
    capped: Cited[bool]
    refund: Cited[bool]
    renews: Cited[bool] | None = None


class TenderRules(_Part, frozen=True, kw_only=True):
    """What a wager is made with, and when betting closes."""

    #: The clause that asks for chips on the layout: what a player does not have cannot be bet.
    chips: str
    call_bets: Cited[bool]
    #: A spoken wager with cash on the table: taken once these confirm it.
    cash_confirmed_by: Cited[tuple[Role, ...]]
    match_play: Cited[tuple[str, ...]]
    #: A coupon's face: no more than the wager it goes with, or any.
    match_face: Cited[Literal["wager", "any"]]
    #: Betting in the air: who must confirm, by game; empty: never taken.
    closes: Cited[Literal["throw", "rest"]]
    late: ByGame = {}
    #: Propositions that come in with the dice out, not yet thrown.
    dice_out: Cited[bool]
    #: A wager the dealer refuses aloud has no action on the roll.
    no_bet: Cited[bool]
    #: A tip without a wager named goes to the toke box.
    toke: Cited[Literal["box", "refuse"]]
    #: A tip may be a wager for the dealers, announced when it is made.
    toke_bets: Cited[bool]
    #: Money is changed (bought in, coloured up, broken down) while the dice are out.
    change_out: Cited[bool]
    #: Who lets a colour change come in once it was called: those of them who work the game.
    colour_by: Cited[tuple[Role, ...]]


class Seating(_Part, frozen=True, kw_only=True):
    """Games whose players must be seated to bet, and stay so until their wagers are decided."""

    required: Cited[tuple[str, ...]]
    until: Cited[Literal["decided", "free"]]


class Ground(Sourced, frozen=True, rename={"name": "is", "cites": "cite"}):
    """A ground on which a throw is void or may be called no roll; ``by``: who may, if not all;
    ``warned``: only once the shooter was warned."""

    name: str
    warned: bool = False
    by: dict[str, tuple[Role, ...]] = msgspec.field(default_factory=dict)


class ThrowRules(_Part, frozen=True, kw_only=True):
    """Which throws count: void by themselves, void when called, and never void."""

    #: The clause that lists the grounds: what is not on the list is no ground.
    listed_by: str
    void: tuple[Ground, ...]
    grounds: tuple[Ground, ...]
    barred: tuple[Ground, ...] = ()
    #: Who may call no roll, by game, unless the ground says otherwise.
    callers: ByGame
    #: Whether the house designates which of the callers calls (``dice.no_roll_by``).
    designate: dict[str, Cited[bool]] = {}
    #: Who rules on a face in dispute, or sets a call aside, by game.
    rulings: ByGame


class Custody(_Part, frozen=True, kw_only=True):
    """The dice: who is offered them, who may throw, when they pass."""

    #: Games without dice custody of their own (no shooter, no calls): the machine throws.
    automated: Cited[tuple[str, ...]]
    set_of: Cited[int]
    #: Whether a set may hold more.
    set_more: Cited[bool]
    #: On whose side the first offer goes out, by game: the official's left (seat one) or right.
    first: dict[str, Cited[Literal["left", "right"]]]
    turn: dict[str, Cited[Literal["clockwise", "counter-clockwise"]]]
    #: Where the next offer starts once a shooter gives the dice up.
    after_pass: Cited[Literal["left", "right"]]
    line_bet: Cited[Literal["come-out", "every"]]
    line_wagers: Cited[tuple[str, ...]]
    may_pass: Cited[bool]
    must_pass: Cited[Literal["loser-seven", "any-seven"]]
    #: Dice passed with a point on: offered in turn, or first to those with a line wager.
    mid_point: Cited[Literal["in-turn", "line-wagers-first"]]
    order_by: ByGame
    order_for: tuple[Ground, ...]
    #: Rolling on without a line wager, only to decide come wagers that remain.
    special: Cited[bool]
    special_offer: Cited[Literal["left-first", "shooter-first"]] | None = None
    special_ends: tuple[Ground, ...] = ()
    #: A point is on, nobody has the line wager that a throw needs, and none can be made.
    stalled: Cited[Literal["throws-on", "waits"]]
    same_dice: Cited[Literal["shooter", "anyone"]]
    ask_new: Cited[bool]
    new_set: tuple[Ground, ...] = ()


class Inspection(_Part, frozen=True, kw_only=True):
    """The set of dice: who looks it over and for what, when it must be, and when it goes."""

    #: Who inspects a set (those of them who work the game), and who a die that was down; for that,
    #: nobody: it comes back as it is.
    by: Cited[tuple[Role, ...]]
    down_by: Cited[tuple[Role, ...]]
    #: Who besides examines the dice in play from time to time.
    in_play_by: Cited[tuple[Role, ...]] | None = None
    #: A new set goes into play only once it was inspected; that takes a micrometer.
    first: Cited[bool]
    measured: Cited[bool]
    #: Ten-thousandths of an inch.
    least: Cited[int] | None = None
    most: Cited[int] | None = None
    one_serial: Cited[bool]
    flaws: tuple[Ground, ...] = ()
    #: Grounds on which the dice are called in to be inspected.
    recall: tuple[Ground, ...] = ()
    #: Sets are exchanged only once a roll is over; the old one is cancelled on this face (0: any).
    exchange: Cited[Literal["roll-over", "any-time"]]
    cancelled_on: Cited[int]
    #: A die that is not found; a table that opens again; a set so many hours old.
    lost: Cited[Literal["play-on", "new-set"]]
    reopen: Cited[Literal["same-set", "new-set"]]
    hours: Cited[int] | None = None


class Crew(_Part, frozen=True, kw_only=True):
    """Who works a game: its base dealers, whether one has the stick, who watches the bank."""

    #: None: as the house elects (``crew.base_dealers``).
    bases: Cited[Literal[1, 2]] | None = None
    stick: Cited[bool]
    bank: Cited[Role]
    #: Who watches it where the house elects to do without a boxperson.
    instead: Cited[Role] | None = None


class Relief(_Part, frozen=True, kw_only=True):
    """When each post may be taken over, and whether the dice wait for a new boxperson's OK."""

    stickperson: Cited[Literal["in-box", "any-time"]]
    base: Cited[Literal["in-box", "any-time"]]
    boxperson: Cited[Literal["in-box", "any-time"]]
    okay: Cited[bool]


class DeadGameRules(_Part, frozen=True, kw_only=True):
    """A game that nobody plays: which dice lie in the bowl, and who comes up has it emptied."""

    bowl: Cited[Literal["all", "unused"]]
    dump: Cited[bool]


class Shootout(_Part, frozen=True, kw_only=True):
    """Iowa's promotion: all six points in one turn."""

    points: Cited[tuple[int, ...]]
    needs: Cited[tuple[str, ...]]
    start: Cited[int]
    step: Cited[int]
    at: Cited[str]
    cap: Cited[int]
    reset: Cited[int]
    void_on_pass: Cited[bool]
    resumes: Cited[Literal["seven-out", "next-shooter"]]
    void_on_tampering: Cited[bool]
    share_needs: Cited[Literal["any-bet", "line-bet"]]
    share_shooter: Cited[bool]
    #: One award each, by the bonus amount: ``"100-700" = { is = 10, ... }``.
    share: dict[str, Cited[int]]


class Group(_Part, frozen=True, kw_only=True):
    """Place wagers made together: across, inside, outside; dollars a unit by number."""

    unit: Cited[dict[str, int]]
    leaves_out_point: Cited[bool]


class Elective(_Part, frozen=True, kw_only=True):
    """An election that is on or off, or one of several: ``choices`` empty means true or false."""

    default: Cited[str | bool | int | tuple[str, ...]]
    choices: Cited[tuple[str | bool | int, ...]]


class Duty(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Whose duty some clauses of conduct are: a post, and the clauses as patterns."""

    post: str
    clauses: tuple[str, ...]


class Book(_Part, frozen=True, kw_only=True, dict=True):
    """One published rulebook, the customs beneath it: what it leaves out, they fill in."""

    id: str
    title: str
    games: Cited[tuple[str, ...]]
    points: Cited[tuple[int, ...]]
    #: The clause by which a wager that the book does not list is refused.
    unlisted: str
    #: The word in which odds are shown.
    odds_word: Cited[Literal["to", "for"]]
    changes: Changes
    stakes: Stakes
    odds: OddsLimits
    vig: dict[Literal["buy", "lay"], Vig]
    #: The clause that forbids any fee but vigorish.
    no_other_fee: str = ""
    #: Whether a wager sees a come-out roll where it does not say so itself.
    working: Cited[Working]
    #: Whether a winner stays on its spot where it does not say so itself.
    stays: Cited[bool]
    tender: TenderRules
    seating: Seating
    throw: ThrowRules
    dice: Custody
    #: By game; a game that a machine deals has none.
    crew: dict[str, Crew]
    inspection: Inspection
    relief: Relief
    dead_game: DeadGameRules
    shootout: Shootout | None = None
    #: Iowa: a player's mixed propositions are netted and stay up.
    net_center: Cited[bool]
    net_down: Cited[Literal["on-request", "at-once"]]
    groups: dict[str, Group]
    elect: dict[str, Elective] = {}
    wager: dict[str, AnyWager]
    #: Whose duty each clause of procedure is; the first that fits counts.
    duties: tuple[Duty, ...] = ()

    @cached_property
    def digest(self) -> str:
        """SHA-256 over all that the book says: citations, customs and the layout's order too."""
        said = [self, list(self.wager)]
        return sha256(msgspec.json.encode(said, order="deterministic")).hexdigest()
