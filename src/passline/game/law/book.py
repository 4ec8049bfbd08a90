"""The data of a rulebook: its wagers, its general rules, and what a house may elect.

Each class is a section of ``book.toml``, and each field a key of it. Fields must keep their names:
they are keys of users' files and part of the book's digest. Pure data; ``load`` reads it.
"""

from __future__ import annotations

from functools import cached_property
from hashlib import sha256
from typing import Literal

import msgspec

from passline.game.law.citations import CitedEntry, CitedValue
from passline.game.law.roles import Role
from passline.game.law.shapes import AnyWager
from passline.game.law.wagers import ChangePeriod, Working

RolesByGame = dict[str, CitedValue[tuple[Role, ...]]]


class _BookSection(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A section of a book. ``also`` lists clauses that the section follows without a value."""

    also: tuple[str, ...] = ()


class ChangeRules(_BookSection, frozen=True, kw_only=True):
    """Whether a wager may be changed once it is up, for wagers that have no rule of their own."""

    raises: CitedValue[ChangePeriod]
    reduces: CitedValue[ChangePeriod]
    removes: CitedValue[ChangePeriod]
    #: Odds behind a don't wager that was reduced: against the flat as first wagered, or trimmed
    #: to what is left of it (a book without don'ts says nothing).
    dont_odds_basis: CitedValue[Literal["original", "current"]] | None = None


class StakeRules(_BookSection, frozen=True, kw_only=True):
    """The limits on a stake, and what happens to a stake that cannot be paid exactly."""

    under_min: CitedValue[Literal["refuse", "accept"]]
    over_max: CitedValue[Literal["refuse", "accept"]]
    breakage: CitedValue[Literal["refuse", "down", "up"]]
    #: Breakage of wagers at true odds (buy, lay, odds), where the book's rule leaves them out.
    true_odds_breakage: CitedValue[Literal["refuse", "down", "up"]]
    breakage_allowed: CitedValue[tuple[Literal["refuse", "down", "up"], ...]]
    #: Over or under the limits, and found only after the roll; checked: never so late.
    found_over: CitedValue[Literal["capped", "as-wagered", "checked"]]
    found_under: CitedValue[Literal["as-wagered", "as-minimum", "checked"]]
    #: Whether payouts are a floor that a house may raise, or fixed.
    pays: CitedValue[Literal["floor", "fixed"]]
    #: Wagers whose payouts stay fixed even so.
    pays_fixed: CitedValue[tuple[str, ...]] | None = None
    #: Where a house elects none, in dollars: the smallest chip, the table's limits, the center's.
    chip_default: CitedValue[int]
    min_default: CitedValue[int]
    center_min_default: CitedValue[int]
    max_default: CitedValue[int]


class OddsLimits(_BookSection, frozen=True, kw_only=True):
    """How much a player may take or lay in odds, as a multiple of the flat wager. A multiple is
    one number, or one for each point.
    """

    #: The multiple where none is elected; a book that prints every number's own needs none.
    default: CitedValue[int | Literal["3-4-5"]] | None = None
    #: What "3-4-5" stands for, by number ("4 10" → 3).
    three_four_five: dict[str, CitedValue[int]]
    least: CitedValue[int]
    #: None: the book sets no cap.
    most: CitedValue[int] | None = None
    laid_least: CitedValue[int] | None = None
    laid_most: CitedValue[int] | None = None
    #: Taken odds are measured by stake, laid odds by what they may win.
    taken_by: CitedValue[Literal["stake", "win"]]
    laid_by: CitedValue[Literal["stake", "win"]] | None = None
    #: A stake may pass the limit up to the next amount that pays exactly.
    fit: CitedValue[bool]
    posted_max: CitedValue[bool]
    #: Odds are taken under the table minimum; where breakage is paid, must they then pay exactly?
    under_min: CitedValue[Literal["any", "exact"]] | None = None
    #: The book's own multiples, by number, for a book that prints them ("4 10" → 10).
    taken: dict[str, CitedValue[int]] = {}
    laid: dict[str, CitedValue[int]] = {}


class VigRules(_BookSection, frozen=True, kw_only=True):
    """Vigorish: its rate, what it is a part of, when it is taken, how it is rounded, and what a
    house may elect instead.
    """

    rate: CitedValue[str]
    most: CitedValue[str]
    base: CitedValue[Literal["stake", "win"]]
    bases: CitedValue[tuple[Literal["stake", "win"], ...]]
    when: CitedValue[Literal["made", "won"]]
    #: Numbers on which it is taken at another time than ``when``.
    won_on: CitedValue[tuple[int, ...]] | None = None
    whens: CitedValue[tuple[Literal["made", "won"], ...]]
    rounding: CitedValue[Literal["down", "half-up", "up", "exact"]]
    #: Whether some numbers may pay when made and others when won.
    mixed: CitedValue[bool] | None = None
    #: Whether the rate is a cap that no rounding may pass.
    capped: CitedValue[bool]
    refund: CitedValue[bool]
    renews: CitedValue[bool] | None = None


class TenderRules(_BookSection, frozen=True, kw_only=True):
    """What a wager may be made with, and when betting closes."""

    #: The clause that asks for chips on the layout: what a player does not have cannot be bet.
    chips: str
    call_bets: CitedValue[bool]
    #: A spoken wager with cash on the table: taken once these confirm it.
    cash_confirmed_by: CitedValue[tuple[Role, ...]]
    match_play: CitedValue[tuple[str, ...]]
    #: A coupon's face: no more than the wager it goes with, or any.
    match_face: CitedValue[Literal["wager", "any"]]
    #: Betting in the air: who must confirm, by game; empty: never taken.
    closes: CitedValue[Literal["throw", "rest"]]
    late: RolesByGame = {}
    #: Propositions that come in with the dice out, not yet thrown.
    dice_out: CitedValue[bool]
    #: A wager the dealer refuses aloud has no action on the roll.
    no_bet: CitedValue[bool]
    #: A tip without a wager named goes to the toke box.
    toke: CitedValue[Literal["box", "refuse"]]
    #: A tip may be a wager for the dealers, announced when it is made.
    toke_bets: CitedValue[bool]
    #: Money is changed (bought in, colored up, broken down) while the dice are out.
    change_out: CitedValue[bool]
    #: Who lets a color change come in once it was called: those of them who work the game.
    colour_by: CitedValue[tuple[Role, ...]]


class SeatingRules(_BookSection, frozen=True, kw_only=True):
    """The games whose players must be seated to bet, and until when they stay seated."""

    required: CitedValue[tuple[str, ...]]
    until: CitedValue[Literal["decided", "free"]]


class Ground(CitedEntry, frozen=True, rename={"name": "is", "cites": "cite"}):
    """A reason for which a throw is void or may be called no roll.

    ``by`` lists the roles that may call it (empty: all of them). ``warned`` means that it counts
    only after the shooter was warned.
    """

    name: str
    warned: bool = False
    by: dict[str, tuple[Role, ...]] = msgspec.field(default_factory=dict)


class ThrowRules(_BookSection, frozen=True, kw_only=True):
    """Which throws count: the reasons that make a throw void, that let it be called void, and
    that never do.
    """

    #: The clause that lists the grounds: what is not on the list is no ground.
    listed_by: str
    void: tuple[Ground, ...]
    grounds: tuple[Ground, ...]
    barred: tuple[Ground, ...] = ()
    #: Who may call no roll, by game, unless the ground says otherwise.
    callers: RolesByGame
    #: Whether the house designates which of the callers calls (``dice.no_roll_by``).
    designate: dict[str, CitedValue[bool]] = {}
    #: Who rules on a face in dispute, or sets a call aside, by game.
    rulings: RolesByGame


class DiceCustody(_BookSection, frozen=True, kw_only=True):
    """Who is offered the dice, who may throw them, and when they pass."""

    #: Games without dice custody of their own (no shooter, no calls): the machine throws.
    automated: CitedValue[tuple[str, ...]]
    set_of: CitedValue[int]
    #: Whether a set may hold more.
    set_more: CitedValue[bool]
    #: On whose side the first offer goes out, by game: the official's left (seat one) or right.
    first: dict[str, CitedValue[Literal["left", "right"]]]
    turn: dict[str, CitedValue[Literal["clockwise", "counter-clockwise"]]]
    #: Where the next offer starts once a shooter gives the dice up.
    after_pass: CitedValue[Literal["left", "right"]]
    line_bet: CitedValue[Literal["come-out", "every"]]
    line_wagers: CitedValue[tuple[str, ...]]
    may_pass: CitedValue[bool]
    must_pass: CitedValue[Literal["loser-seven", "any-seven"]]
    #: Dice passed with a point on: offered in turn, or first to those with a line wager.
    mid_point: CitedValue[Literal["in-turn", "line-wagers-first"]]
    order_by: RolesByGame
    order_for: tuple[Ground, ...]
    #: Rolling on without a line wager, only to decide come wagers that remain.
    special: CitedValue[bool]
    special_offer: CitedValue[Literal["left-first", "shooter-first"]] | None = None
    special_ends: tuple[Ground, ...] = ()
    #: A point is on, nobody has the line wager that a throw needs, and none can be made.
    stalled: CitedValue[Literal["throws-on", "waits"]]
    same_dice: CitedValue[Literal["shooter", "anyone"]]
    ask_new: CitedValue[bool]
    new_set: tuple[Ground, ...] = ()


class InspectionRules(_BookSection, frozen=True, kw_only=True):
    """The set of dice: who inspects it and for what, when it must be inspected, and when it is
    replaced.
    """

    #: Who inspects a set (those of them who work the game), and who a die that was down; for that,
    #: nobody: it comes back as it is.
    by: CitedValue[tuple[Role, ...]]
    down_by: CitedValue[tuple[Role, ...]]
    #: Who besides examines the dice in play from time to time.
    in_play_by: CitedValue[tuple[Role, ...]] | None = None
    #: A new set goes into play only once it was inspected; that takes a micrometer.
    first: CitedValue[bool]
    measured: CitedValue[bool]
    #: Ten-thousandths of an inch.
    least: CitedValue[int] | None = None
    most: CitedValue[int] | None = None
    one_serial: CitedValue[bool]
    flaws: tuple[Ground, ...] = ()
    #: Grounds on which the dice are called in to be inspected.
    recall: tuple[Ground, ...] = ()
    #: Sets are exchanged only once a roll is over; the old one is cancelled on this face (0: any).
    exchange: CitedValue[Literal["roll-over", "any-time"]]
    cancelled_on: CitedValue[int]
    #: A die that is not found; a table that opens again; a set so many hours old.
    lost: CitedValue[Literal["play-on", "new-set"]]
    reopen: CitedValue[Literal["same-set", "new-set"]]
    hours: CitedValue[int] | None = None


class CrewRules(_BookSection, frozen=True, kw_only=True):
    """Who works a game: how many base dealers, whether somebody has the stick, and who watches
    the bank.
    """

    #: None: as the house elects (``crew.base_dealers``).
    bases: CitedValue[Literal[1, 2]] | None = None
    stick: CitedValue[bool]
    bank: CitedValue[Role]
    #: Who watches it where the house elects to do without a boxperson.
    instead: CitedValue[Role] | None = None


class ReliefRules(_BookSection, frozen=True, kw_only=True):
    """When each post may be relieved, and whether the dice wait for the OK of a new boxperson."""

    stickperson: CitedValue[Literal["in-box", "any-time"]]
    base: CitedValue[Literal["in-box", "any-time"]]
    boxperson: CitedValue[Literal["in-box", "any-time"]]
    okay: CitedValue[bool]


class DeadGameRules(_BookSection, frozen=True, kw_only=True):
    """A game without players: which dice are in the bowl, and when the bowl is emptied."""

    bowl: CitedValue[Literal["all", "unused"]]
    dump: CitedValue[bool]


class ShootoutRules(_BookSection, frozen=True, kw_only=True):
    """The Craps Shootout, Iowa's promotion: a player who makes all six points in one turn wins
    an award.
    """

    points: CitedValue[tuple[int, ...]]
    needs: CitedValue[tuple[str, ...]]
    start: CitedValue[int]
    step: CitedValue[int]
    at: CitedValue[str]
    cap: CitedValue[int]
    reset: CitedValue[int]
    void_on_pass: CitedValue[bool]
    resumes: CitedValue[Literal["seven-out", "next-shooter"]]
    void_on_tampering: CitedValue[bool]
    share_needs: CitedValue[Literal["any-bet", "line-bet"]]
    share_shooter: CitedValue[bool]
    #: One award each, by the bonus amount: ``"100-700" = { is = 10, ... }``.
    share: dict[str, CitedValue[int]]


class WagerGroup(_BookSection, frozen=True, kw_only=True):
    """Place wagers that are made together (across, inside, outside): the dollars of one unit on
    each number.
    """

    unit: CitedValue[dict[str, int]]
    leaves_out_point: CitedValue[bool]


class ElectionRule(_BookSection, frozen=True, kw_only=True):
    """Something that a house may elect. With ``choices`` it is one of them; without, it is true
    or false.
    """

    default: CitedValue[str | bool | int | tuple[str, ...]]
    choices: CitedValue[tuple[str | bool | int, ...]]


class Duty(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The clauses that are the duty of a post, as patterns."""

    post: str
    clauses: tuple[str, ...]


class Book(_BookSection, frozen=True, kw_only=True, dict=True):
    """One published rulebook, laid over the customs: they give every value that the book leaves
    out.
    """

    id: str
    title: str
    games: CitedValue[tuple[str, ...]]
    points: CitedValue[tuple[int, ...]]
    #: The clause by which a wager that the book does not list is refused.
    unlisted: str
    #: The word in which odds are shown.
    odds_word: CitedValue[Literal["to", "for"]]
    changes: ChangeRules
    stakes: StakeRules
    odds: OddsLimits
    vig: dict[Literal["buy", "lay"], VigRules]
    #: The clause that forbids any fee but vigorish.
    no_other_fee: str = ""
    #: Whether a wager sees a come-out roll where it does not say so itself.
    working: CitedValue[Working]
    #: Whether a winner stays on its spot where it does not say so itself.
    stays: CitedValue[bool]
    tender: TenderRules
    seating: SeatingRules
    throw: ThrowRules
    dice: DiceCustody
    #: By game; a game that a machine deals has none.
    crew: dict[str, CrewRules]
    inspection: InspectionRules
    relief: ReliefRules
    dead_game: DeadGameRules
    shootout: ShootoutRules | None = None
    #: Iowa: a player's mixed propositions are netted and stay up.
    net_center: CitedValue[bool]
    net_down: CitedValue[Literal["on-request", "at-once"]]
    groups: dict[str, WagerGroup]
    elect: dict[str, ElectionRule] = {}
    wager: dict[str, AnyWager]
    #: Whose duty each clause of procedure is; the first that fits counts.
    duties: tuple[Duty, ...] = ()

    @cached_property
    def digest(self) -> str:
        """The SHA-256 of everything that the book says, with its citations, customs and the
        order of its wagers.
        """
        said = [self, list(self.wager)]
        return sha256(msgspec.json.encode(said, order="deterministic")).hexdigest()
