"""Who may say what: the role and act matrix, and what a rulebook puts before it."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from typing import Final, Literal

import msgspec
from msgspec import Struct

from passline.law.roles import POSTS as CREW
from passline.law.roles import called
from passline.layout import Refusal
from passline.live.asks import HallError
from passline.live.by_book import HALTED, GivenActs, given, halted, said_of, tendered_by, voiced
from passline.live.live_table import LEARNER, MACHINE, POSTS, LiveTable
from passline.live.tokens import Holder
from passline.table import commands as cmd
from passline.table import posts
from passline.table.custody import automated, no_dice
from passline.table.opening import places_of

Scope = Literal["own", "end", "center", "any", "typed"]

#: What the engine calls those who hold a post.
ENGINE: Final[Mapping[str, tuple[str, ...]]] = {
    **{post.name: post.roles for post in CREW},
    "operator": ("floorperson", "supervisor"),
    "player": ("player",),
}
#: What a post is called where it is asked whether a game has it. One base dealer is the left one.
_ENGINE_POSTS: Final[Mapping[str, str]] = {
    post.name: post.relieved for post in CREW if post.end != "left"
}


def is_anothers(refusal: Refusal) -> bool:
    """Whether the engine refuses because the act is somebody else's."""
    return refusal.code.startswith("not-theirs-") or refusal.code in _ANOTHERS


_ANOTHERS: Final = frozenset({"designated-caller", "self-confirmed"})


class Matrix(Struct, frozen=True, rename="kebab"):
    """``acts.toml``, read."""

    acts: dict[str, dict[str, Scope]]
    answers: dict[str, Scope]
    calls: dict[str, str]
    does: dict[str, str]
    acted: dict[str, str]
    throws: dict[str, tuple[str, ...]]


@cache
def matrix() -> Matrix:
    """Who may say what, and what players say of themselves."""
    text = files("passline.live").joinpath("acts.toml").read_text("utf-8")
    return msgspec.convert(tomllib.loads(text), Matrix)


def tag_of(command: cmd.AnyCommand) -> str:
    """A command's name in the matrix: its tag.

    >>> tag_of(cmd.TakeDice("ann"))
    'take-dice'
    """
    return str(type(command).__struct_config__.tag)


def speaks(live: LiveTable, holder: Holder) -> None:
    """Whether a token speaks at all here: HallError 403 where it only watches."""
    role = holder.role
    if role not in ENGINE:
        raise HallError(403, f"the {role} watches: expected the token of a seat or a post")
    if role not in POSTS:
        return
    missing = post_missing(live, role)
    if missing:
        raise HallError(403, f"{live.table.house.game} has no {role}", cite=missing)
    if live.posts.get(role) == LEARNER:
        where = f"/t/{live.id}/learn"
        who = called(role)
        raise HallError(403, f"a learner is the {who} here: the work is at {where}, without words")
    if live.posts.get(role, MACHINE) == MACHINE:
        raise HallError(403, f"the machine is the {called(role)} here: this token only watches")
    now = live.named.get(role, "")
    if holder.name and now and holder.name != now:
        raise HallError(403, f"{now} has relieved the {called(role)}: this token only watches")


def post_missing(live: LiveTable, role: str) -> str:
    """The clause by which a game has no such post; empty: it has."""
    table = live.table
    if automated(table):
        return no_dice(table).cite if role != "floor" else ""
    missing = posts.absent(table.house, _ENGINE_POSTS.get(role, ""))
    return missing.cite if missing is not None else ""


def acting(live: LiveTable, holder: Holder, command: cmd.AnyCommand) -> str:
    """Who acts, as the engine calls them. HallError 403 where the role may not say it."""
    speaks(live, holder)
    tag = tag_of(command)
    named = given(live, command)
    if named is not None:
        _not_barred(live, holder, tag)
        if isinstance(command, cmd.Rule) and command.first:
            _typed(live, tag)
        return _named_among(holder, named)
    roles = matrix().acts[tag]
    answers = holder.role != "player" and _answers(live, command)
    scope = may_act(live, holder, tag, matrix().answers if answers else roles, answers)
    _within(live, holder, command, scope)
    if isinstance(command, cmd.Bet) and holder.role == "player" and command.by != "player":
        raise HallError(
            403,
            "how a wager was tendered is the crew's to say: expected the wager and its amount",
            cite=tendered_by(live, command),
        )
    return "player" if holder.role == "player" else _as_named(live, holder, tag)


def may_act(
    live: LiveTable, holder: Holder, act: str, roles: Mapping[str, Scope], answers: bool = False
) -> Scope:
    """How far a role may go with an act: as the rulebook has it, else as the matrix. HallError
    403 where it is somebody else's."""
    role = "floor" if holder.role == "operator" else holder.role
    scope = roles.get(role)
    if scope is None and role == "floor" and _keeps_bank(live):
        scope = roles.get("box")
    named: GivenActs | None = None
    _not_barred(live, holder, act)
    if role != "player":
        named = voiced(live, act, answers)
    if named is not None:
        names = named.names
        if role == "floor" and "boxperson" in names and _keeps_bank(live):
            names = (*names, *ENGINE[role])
        _named_among(holder, GivenActs(names, named.cite))
        others: list[Scope] = [found for found in roles.values() if found != "own"]
        return scope or (others[0] if others else "any")
    if scope is None:
        raise HallError(403, f"the {holder.role} may not say that: {' or '.join(roles)} may")
    return scope


def _not_barred(live: LiveTable, holder: Holder, act: str) -> None:
    """Whether a clause keeps a role from an act, whoever else may."""
    for voice in said_of(live, act):
        if voice.until == "called" and live.table.dice.in_air:
            words = "dice in the air stay untouched until they are called"
            raise HallError(403, words, cite=voice.cite)
        if voice.until == "inspected" and (cite := halted(live)):
            raise HallError(403, HALTED, cite=cite)
        if set(ENGINE[holder.role]) & set(voice.never):
            raise HallError(403, f"the {holder.role} never does that", cite=voice.cite)


def _named_among(holder: Holder, named: GivenActs) -> str:
    found = [name for name in ENGINE[holder.role] if name in named.names]
    if not found:
        whose = " or ".join(dict.fromkeys(named.names))
        raise HallError(
            403, f"the {holder.role} may not say that: it is for the {whose}", cite=named.cite
        )
    return found[0]


def _as_named(live: LiveTable, holder: Holder, act: str) -> str:
    """What the engine calls whoever acts: as the clause does that names them."""
    names, named = ENGINE[holder.role], voiced(live, act)
    return next((name for name in names if named is not None and name in named.names), names[0])


def may_call_it(live: LiveTable, holder: Holder, act: str) -> bool:
    """Whether the rulebook has such a call. HallError 403 where it is somebody else's."""
    if not said_of(live, act):
        return False
    may_act(live, holder, act, {})
    return True


def may_turn_down(live: LiveTable, holder: Holder, player: str) -> None:
    """HallError 403 where a buy-in that a player asked for is not this role's to turn down."""
    scope = may_act(live, holder, "turn-down", matrix().answers, True)
    end = other_end(live, holder.role, player, live.asking[player].place) if scope == "end" else ""
    if end:
        raise HallError(403, f"{player} is at the {end} end: that is for the {end}-base")


def _answers(live: LiveTable, command: cmd.AnyCommand) -> bool:
    """Whether it lets in a player who asked the box."""
    return isinstance(command, cmd.Join | cmd.BuyIn) and command.player in live.asking


def _keeps_bank(live: LiveTable) -> bool:
    """Whether the floor watches the bank: no boxperson does, of the game or of the house."""
    if automated(live.table) or live.machine_deals("box"):
        return True
    return posts.bank(live.table.house).who != "boxperson"


def _within(live: LiveTable, holder: Holder, command: cmd.AnyCommand, scope: Scope) -> None:
    """Whether it is about somebody, or something, that the role may speak of."""
    player = str(getattr(command, "player", ""))
    if scope == "own" and player != holder.name:
        raise HallError(403, f"{holder.name} speaks for {holder.name}, and for nobody else")
    if scope == "end":
        end = other_end(live, holder.role, player, getattr(command, "place", 0))
        if end:
            words = f"{player} is at the {end} end: that is for the {end}-base"
            raise HallError(403, words, cite=_bound(live, tag_of(command), scope))
    if scope == "center":
        wager = str(getattr(command, "wager", ""))
        spot = live.table.layout.spots.get(wager)
        if spot is None or spot.rule.area != "center":
            words = f"the stick books center wagers, not {wager or 'everything'}"
            raise HallError(403, words, cite=_bound(live, tag_of(command), scope))
    if scope == "typed":
        _typed(live, tag_of(command))


def _typed(live: LiveTable, act: str) -> None:
    """Whether somebody's word says what the dice show: not where the house throws them."""
    if live.settings.dice == "typed" or automated(live.table):
        return
    words = "the house throws the dice here: the shooter says 'roll'"
    raise HallError(403, words, cite=_bound(live, act, "typed"))


def _bound(live: LiveTable, act: str, scope: Scope) -> str:
    """The clause by which a role goes only so far with an act; empty: none does."""
    return next((voice.cite for voice in said_of(live, act) if scope in voice.within), "")


def other_end(live: LiveTable, role: str, player: str, place: int = 0) -> str:
    """The end at which somebody stands, or is to stand, where it is not the base dealer's own;
    one dealer alone deals to both."""
    table = live.table
    if automated(table) or posts.base_dealers(table.house)[0] == 1:
        return ""
    seat = table.find(player)
    place = place if seat is None else seat.place
    end = "left" if place <= places_of(table) // 2 else "right"
    return end if place and f"{end}-base" != role else ""
