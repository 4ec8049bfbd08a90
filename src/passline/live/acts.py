"""Who may say what: the role and act matrix, and what a rulebook puts before it."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping, Sequence
from functools import cache
from importlib.resources import files
from typing import Final, Literal, NamedTuple

import msgspec
from msgspec import Struct

from passline.law.cited import Cited
from passline.law.roles import POSTS as CREW
from passline.law.roles import Role
from passline.layout import Refusal
from passline.live.asks import HallError
from passline.live.live_table import MACHINE, POSTS, LiveTable
from passline.live.tokens import Holder
from passline.table import commands as cmd
from passline.table import posts
from passline.table.custody import automated, no_dice
from passline.table.inspection import inspectors
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
    missing = _absent(live, role)
    if missing:
        raise HallError(403, f"{live.table.house.game} has no {role}", cite=missing)
    if live.posts.get(role, MACHINE) == MACHINE:
        raise HallError(403, f"the machine has the {role}'s post here: its token only watches")
    now = live.named.get(role, "")
    if holder.name and now and holder.name != now:
        raise HallError(403, f"{now} has relieved the {role}: this token only watches")


def _absent(live: LiveTable, role: str) -> str:
    """The clause by which a game has no such post; empty: it has."""
    table = live.table
    if automated(table):
        return no_dice(table).cite if role != "floor" else ""
    missing = posts.absent(table.house, _ENGINE_POSTS.get(role, ""))
    return missing.cite if missing is not None else ""


def acting(live: LiveTable, holder: Holder, command: cmd.AnyCommand) -> str:
    """Who acts, as the engine calls them. HallError 403 where the role may not say it."""
    speaks(live, holder)
    tag, names = tag_of(command), ENGINE[holder.role]
    _of_house_dice(live, command)
    given = _given(live, command)
    if given is not None:
        found = [name for name in names if name in given.names]
        if not found:
            raise HallError(
                403,
                f"the {holder.role} may not say that: it is for the {' or '.join(given.names)}",
                cite=given.cite,
            )
        return found[0]
    roles = matrix().acts[tag]
    scope = roles.get("floor" if holder.role == "operator" else holder.role)
    if scope is None and holder.role in ("operator", "floor") and _keeps_bank(live):
        scope = roles.get("box")
    if scope is None:
        raise HallError(403, f"the {holder.role} may not say that: {' or '.join(roles)} may")
    _within(live, holder, command, scope)
    if isinstance(command, cmd.Bet) and holder.role == "player" and command.by != "player":
        raise HallError(
            403,
            "how a wager was tendered is the crew's to say: expected the wager and its amount",
            cite="custom: how a wager was tendered is the crew's to say",
        )
    return names[0]


def _of_house_dice(live: LiveTable, command: cmd.AnyCommand) -> None:
    """Faces of the house's dice are proven, and nobody's to rule: HallError 403."""
    ruled = isinstance(command, cmd.Rule) and command.first
    if ruled and live.settings.dice != "typed" and not automated(live.table):
        raise HallError(403, "the house throws the dice here, and proves them: nobody rules faces")


def _keeps_bank(live: LiveTable) -> bool:
    """Whether the floor watches the bank: no boxperson does, of the game or of the house."""
    if automated(live.table) or live.posts.get("box", MACHINE) == MACHINE:
        return True
    return posts.bank(live.table.house).who != "boxperson"


def _within(live: LiveTable, holder: Holder, command: cmd.AnyCommand, scope: Scope) -> None:
    """Whether it is about somebody, or something, that the role may speak of."""
    player = str(getattr(command, "player", ""))
    if scope == "own" and player != holder.name:
        raise HallError(403, f"{holder.name} speaks for {holder.name}, and for nobody else")
    if scope == "end":
        _of_end(live, holder.role, command, player)
    if scope == "center":
        wager = str(getattr(command, "wager", ""))
        spot = live.table.layout.spots.get(wager)
        if spot is None or spot.rule.area != "center":
            raise HallError(403, f"the stick books center wagers, not {wager or 'everything'}")
    if scope == "typed" and live.settings.dice != "typed":
        raise HallError(403, "the house throws the dice here: the shooter says 'roll'")


def _of_end(live: LiveTable, role: str, command: cmd.AnyCommand, player: str) -> None:
    """Whether somebody stands, or is to stand, at a base dealer's end; one alone deals to all."""
    table = live.table
    if posts.base_dealers(table.house)[0] == 1:
        return
    place = next((s.place for s in table.seats if s.id == player), getattr(command, "place", 0))
    end = "left" if place <= places_of(table) // 2 else "right"
    if place and f"{end}-base" != role:
        raise HallError(403, f"{player} is at the {end} end: that is for the {end}-base")


class Given(NamedTuple):
    """Whom a rulebook names for an act, and the clause."""

    names: Sequence[str]
    cite: str


def _given(live: LiveTable, command: cmd.AnyCommand) -> Given | None:
    """Whom the rulebook names for an act; None: nobody, and the matrix decides."""
    table = live.table
    if automated(table):
        return None
    book, game = table.house.book, table.house.game
    match command:
        case cmd.CallNoRoll(ground=ground) | cmd.Warn(ground=ground):
            own = next((g for g in book.throw.grounds if g.name == ground and game in g.by), None)
            if own is not None:
                return Given(own.by[game], own.cite)
            return _named(book.throw.callers.get(game))
        case cmd.Rule():
            return _named(book.throw.rulings.get(game))
        case cmd.OrderPass():
            return _named(book.dice.order_by.get(game))
        case cmd.Confirm():
            return _named(book.tender.late.get(game))
        case cmd.InspectDice() | cmd.CancelDice():
            return Given(*inspectors(table))
        case cmd.PermitColour():
            named = _named(book.tender.colour_by)
            return named or Given(posts.officials(table.house), "")
        case cmd.OkayDice() if book.relief.okay.value:
            return Given(("boxperson",), book.relief.okay.cite)
        case _:
            return None


def _named(rule: Cited[tuple[Role, ...]] | None) -> Given | None:
    return Given(rule.value, rule.cite) if rule is not None else None
