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
    """The base class of a book's sections.

    ``also`` lists clauses that no single value of the section cites, but the section as a whole
    follows.
    """

    also: tuple[str, ...] = ()


class ChangeRules(_BookSection, frozen=True, kw_only=True):
    """When a wager that is up may be raised, reduced or taken down (``removes``).

    These rules hold for wagers that have no rules of their own about that.
    """

    raises: CitedValue[ChangePeriod]
    reduces: CitedValue[ChangePeriod]
    removes: CitedValue[ChangePeriod]
    #: When a don't wager is reduced: whether its odds stay limited by the original flat amount, or
    #: are cut to what the reduced amount allows. None for a book without don't wagers.
    dont_odds_basis: CitedValue[Literal["original", "current"]] | None = None


class StakeRules(_BookSection, frozen=True, kw_only=True):
    """The limits on a stake, and what happens to a stake that cannot be paid exactly."""

    under_min: CitedValue[Literal["refuse", "accept"]]
    over_max: CitedValue[Literal["refuse", "accept"]]
    breakage: CitedValue[Literal["refuse", "down", "up"]]
    #: How to round the pay of wagers at true odds (buy, lay, odds), if ``breakage`` excludes them.
    true_odds_breakage: CitedValue[Literal["refuse", "down", "up"]]
    breakage_allowed: CitedValue[tuple[Literal["refuse", "down", "up"], ...]]
    #: What happens to a wager over or under the limits that nobody noticed before the roll.
    #: ``checked`` means that every wager is checked before the roll.
    found_over: CitedValue[Literal["capped", "as-wagered", "checked"]]
    found_under: CitedValue[Literal["as-wagered", "as-minimum", "checked"]]
    #: Whether payouts are a floor that a house may raise, fixed, or what a house posts.
    pays: CitedValue[Literal["floor", "fixed", "posted"]]
    #: Wagers with fixed payouts in a book that otherwise lets a house choose them.
    pays_fixed: CitedValue[tuple[str, ...]] | None = None
    #: Defaults in dollars, used if the house elects none: the smallest chip, then the table's and
    #: the center's limits.
    chip_default: CitedValue[int]
    min_default: CitedValue[int]
    center_min_default: CitedValue[int]
    max_default: CitedValue[int]


class OddsLimits(_BookSection, frozen=True, kw_only=True):
    """The most odds that may be taken or laid, as multiples of the flat wager.

    There is one multiple for all points, or one for each.
    """

    #: The multiple used if the house elects none. None for a book that prints one for each number.
    default: CitedValue[int | Literal["3-4-5"]] | None = None
    #: The multiples that the election "3-4-5" means, by number ("4 10" → 3).
    three_four_five: dict[str, CitedValue[int]]
    least: CitedValue[int]
    #: The largest multiple that a house may elect; None: the book sets no limit.
    most: CitedValue[int] | None = None
    laid_least: CitedValue[int] | None = None
    laid_most: CitedValue[int] | None = None
    #: Taken odds are measured by stake, laid odds by what they may win.
    taken_by: CitedValue[Literal["stake", "win"]]
    laid_by: CitedValue[Literal["stake", "win"]] | None = None
    #: Whether a stake may exceed the limit, up to the next amount that pays exactly.
    fit: CitedValue[bool]
    posted_max: CitedValue[bool]
    #: Whether odds below the table minimum are accepted: any amount, or only one that pays exactly.
    under_min: CitedValue[Literal["any", "exact"]] | None = None
    #: The book's own multiples, by number, for a book that prints them ("4 10" → 10).
    taken: dict[str, CitedValue[int]] = {}
    laid: dict[str, CitedValue[int]] = {}


class VigRules(_BookSection, frozen=True, kw_only=True):
    """The vigorish on buy or lay wagers, and what a house may elect instead.

    ``rate`` is the fraction taken, of the stake or of the win (``base``), when the wager is made or
    when it is won (``when``). ``most``, ``bases`` and ``whens`` are what the house may elect.
    """

    rate: CitedValue[str]
    most: CitedValue[str]
    base: CitedValue[Literal["stake", "win"]]
    bases: CitedValue[tuple[Literal["stake", "win"], ...]]
    when: CitedValue[Literal["made", "won"]]
    #: Numbers on which vigorish is taken on a win, whatever ``when`` says.
    won_on: CitedValue[tuple[int, ...]] | None = None
    whens: CitedValue[tuple[Literal["made", "won"], ...]]
    rounding: CitedValue[Literal["down", "half-up", "up", "exact"]]
    #: Whether a house may take vigorish at the start on some numbers and on a win on others.
    mixed: CitedValue[bool] | None = None
    #: Whether the rate is a maximum that rounding may not exceed.
    capped: CitedValue[bool]
    refund: CitedValue[bool]
    renews: CitedValue[bool] | None = None


class TenderRules(_BookSection, frozen=True, kw_only=True):
    """What a wager may be made with (chips, cash, coupons), and when betting closes."""

    #: The clause that requires chips on the layout. It is cited if a player bets chips they lack.
    chips: str
    call_bets: CitedValue[bool]
    #: The roles that must confirm a wager called aloud with cash on the table.
    cash_confirmed_by: CitedValue[tuple[Role, ...]]
    match_play: CitedValue[tuple[str, ...]]
    #: Whether a coupon's face value may exceed the wager that it goes with.
    match_face: CitedValue[Literal["wager", "any"]]
    #: When betting closes: with the throw, or when the dice come to rest.
    closes: CitedValue[Literal["throw", "rest"]]
    #: The roles that must confirm a wager called with the dice in the air, by game. A game without
    #: any accepts no such wager.
    late: RolesByGame = {}
    #: Whether proposition wagers are accepted while the dice are out but not thrown.
    dice_out: CitedValue[bool]
    #: Whether a wager that the dealer refuses aloud ("no bet") has no action on the roll.
    no_bet: CitedValue[bool]
    #: Whether a tip without a wager goes to the toke box or is refused.
    toke: CitedValue[Literal["box", "refuse"]]
    #: Whether a tip may be a wager for the dealers, announced when it is made.
    toke_bets: CitedValue[bool]
    #: Whether players may buy in, color up or change chips while the dice are out.
    change_out: CitedValue[bool]
    #: The roles that may permit a color-up. Only those who work the game count.
    colour_by: CitedValue[tuple[Role, ...]]


class SeatingRules(_BookSection, frozen=True, kw_only=True):
    """The games in which players must be seated to bet, and until when they must stay seated."""

    required: CitedValue[tuple[str, ...]]
    until: CitedValue[Literal["decided", "free"]]


class Ground(CitedEntry, frozen=True, rename={"name": "is", "cites": "cite"}):
    """A named reason: for a void throw or no roll, an ordered pass, new dice or a rejected die.

    For no roll, ``by`` lists by game the roles that may call it (a game not in it: all that the
    book lets call no roll), and ``warned`` means that the shooter must have been warned before.
    """

    name: str
    warned: bool = False
    by: dict[str, tuple[Role, ...]] = msgspec.field(default_factory=dict)


class ThrowRules(_BookSection, frozen=True, kw_only=True):
    """Which throws count: the reasons that make a throw void, may make it void, or never do."""

    #: The clause that lists the reasons. It is cited to refuse a reason that is not listed.
    listed_by: str
    void: tuple[Ground, ...]
    grounds: tuple[Ground, ...]
    barred: tuple[Ground, ...] = ()
    #: The roles that may call no roll, by game, for reasons that do not name their own.
    callers: RolesByGame
    #: Whether the house chooses which of those roles calls no roll (``dice.no_roll_by``).
    designate: dict[str, CitedValue[bool]] = {}
    #: The roles that rule on a disputed face or set a call aside, by game.
    rulings: RolesByGame


class DiceCustody(_BookSection, frozen=True, kw_only=True):
    """Who is offered the dice, who may throw them, and when the dice pass to the next player."""

    #: The games in which a machine throws the dice, so that there is no shooter.
    automated: CitedValue[tuple[str, ...]]
    #: How many dice a set has.
    set_of: CitedValue[int]
    #: Whether a set may have more dice than ``set_of``.
    set_more: CitedValue[bool]
    #: Where the first offer of the dice begins, by game: at the official's left (seat one) or
    #: right.
    first: dict[str, CitedValue[Literal["left", "right"]]]
    turn: dict[str, CitedValue[Literal["clockwise", "counter-clockwise"]]]
    #: Where the next offer begins after a shooter gives up the dice.
    after_pass: CitedValue[Literal["left", "right"]]
    line_bet: CitedValue[Literal["come-out", "every"]]
    line_wagers: CitedValue[tuple[str, ...]]
    may_pass: CitedValue[bool]
    must_pass: CitedValue[Literal["loser-seven", "any-seven"]]
    #: To whom dice that are passed with a point on are offered: to each player in turn, or first to
    #: those with a line wager.
    mid_point: CitedValue[Literal["in-turn", "line-wagers-first"]]
    order_by: RolesByGame
    order_for: tuple[Ground, ...]
    #: Whether a shooter may throw without a line wager to decide come wagers that are still up.
    special: CitedValue[bool]
    special_offer: CitedValue[Literal["left-first", "shooter-first"]] | None = None
    special_ends: tuple[Ground, ...] = ()
    #: What happens if a point is on and nobody has, or can make, the line wager that a throw needs.
    stalled: CitedValue[Literal["throws-on", "waits"]]
    same_dice: CitedValue[Literal["shooter", "anyone"]]
    ask_new: CitedValue[bool]
    new_set: tuple[Ground, ...] = ()


class InspectionRules(_BookSection, frozen=True, kw_only=True):
    """The set of dice: who inspects it, when and for what, and when the table gets a new set."""

    #: The roles that inspect a set (those who work the game), and those that inspect a die that
    #: left the table. If the latter is empty, such a die comes back without an inspection.
    by: CitedValue[tuple[Role, ...]]
    down_by: CitedValue[tuple[Role, ...]]
    #: Further roles that examine the dice in play from time to time.
    in_play_by: CitedValue[tuple[Role, ...]] | None = None
    #: Whether a new set must be inspected before it is used, and measured with a micrometer.
    first: CitedValue[bool]
    measured: CitedValue[bool]
    #: The least and the most that a die may measure, in ten-thousandths of an inch.
    least: CitedValue[int] | None = None
    most: CitedValue[int] | None = None
    one_serial: CitedValue[bool]
    flaws: tuple[Ground, ...] = ()
    #: The reasons for which the dice may be called in for an inspection.
    recall: tuple[Ground, ...] = ()
    #: Whether sets are exchanged only after a roll is over, and the face on which the old set is
    #: cancelled (0: any face).
    exchange: CitedValue[Literal["roll-over", "any-time"]]
    cancelled_on: CitedValue[int]
    #: What happens when a die is not found (``lost``), which dice a reopened table uses, and after
    #: how many hours a set is replaced.
    lost: CitedValue[Literal["play-on", "new-set"]]
    reopen: CitedValue[Literal["same-set", "new-set"]]
    hours: CitedValue[int] | None = None


class CrewRules(_BookSection, frozen=True, kw_only=True):
    """The crew of a game: base dealers, whether there is a stickperson, who watches the bank."""

    #: The number of base dealers; None: the house elects it (``crew.base_dealers``).
    bases: CitedValue[Literal[1, 2]] | None = None
    stick: CitedValue[bool]
    bank: CitedValue[Role]
    #: The role that watches the bank if the house elects to have no boxperson.
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
    """The Craps Shootout, Iowa's promotion: an award for making all six points in one turn.

    The bonus begins at ``start`` dollars, grows by ``step`` a day at the time ``at``, up to
    ``cap``, and goes back to ``reset`` when it is paid. The shooter needs one of the wagers in
    ``needs``; ``share_needs`` says which bets entitle other players to a share, and
    ``share_shooter`` whether the shooter gets one too. A run of points is void if the dice pass
    (``void_on_pass``) or were tampered with; ``resumes`` says when the next run begins.
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
    #: The award of each other player, by the range of the bonus: ``"100-700" = { is = 10, ... }``.
    share: dict[str, CitedValue[int]]


class WagerGroup(_BookSection, frozen=True, kw_only=True):
    """Place wagers made together (across, inside, outside).

    ``unit`` has the dollars on each number or wager when the group is bet for one unit.
    """

    unit: CitedValue[dict[str, int]]
    leaves_out_point: CitedValue[bool]


class ElectionRule(_BookSection, frozen=True, kw_only=True):
    """A choice that the book leaves to the house: one of ``choices``, or true or false if empty."""

    default: CitedValue[str | bool | int | tuple[str, ...]]
    choices: CitedValue[tuple[str | bool | int, ...]]


class Duty(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A post of the crew, and patterns for the ids of the clauses that its holder must follow."""

    post: str
    clauses: tuple[str, ...]


class Book(_BookSection, frozen=True, kw_only=True, dict=True):
    """One published rulebook, merged with the customs, which supply values that it omits."""

    id: str
    title: str
    games: CitedValue[tuple[str, ...]]
    points: CitedValue[tuple[int, ...]]
    #: The clause cited to refuse a wager that the book does not list.
    unlisted: str
    #: How odds are posted: "2 to 1" (stake not included) or "3 for 1" (stake included).
    odds_word: CitedValue[Literal["to", "for"]]
    changes: ChangeRules
    stakes: StakeRules
    odds: OddsLimits
    vig: dict[Literal["buy", "lay"], VigRules]
    #: The clause that forbids any fee but vigorish.
    no_other_fee: str = ""
    #: Whether a wager works on a come-out roll, for wagers without a value of their own.
    working: CitedValue[Working]
    #: Whether a winning wager stays up, for wagers without a value of their own.
    stays: CitedValue[bool]
    tender: TenderRules
    seating: SeatingRules
    throw: ThrowRules
    dice: DiceCustody
    #: The crew by game. A game dealt by a machine has none.
    crew: dict[str, CrewRules]
    inspection: InspectionRules
    relief: ReliefRules
    dead_game: DeadGameRules
    shootout: ShootoutRules | None = None
    #: Whether a player's winning and losing propositions are netted and stay up (Iowa).
    net_center: CitedValue[bool]
    net_down: CitedValue[Literal["on-request", "at-once"]]
    groups: dict[str, WagerGroup]
    elect: dict[str, ElectionRule] = {}
    wager: dict[str, AnyWager]
    #: The post responsible for each clause of procedure; the first matching pattern counts.
    duties: tuple[Duty, ...] = ()

    @cached_property
    def digest(self) -> str:
        """The SHA-256 digest of the book: every value, every citation and the order of wagers."""
        return sha256(self.digest_data()).hexdigest()

    def digest_data(self) -> bytes:
        """Return the JSON bytes of the whole book, from which the digest is computed.

        They include the order of the wagers.
        """
        return msgspec.json.encode([self, list(self.wager)], order="deterministic")
