"""What a rulebook says of whose an act is: by a value of its own, or by a clause of procedure.

Who may say what: the role and act matrix, and what a rulebook puts before it.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping, Sequence
from functools import cache
from importlib.resources import files
from typing import Final, Literal, NamedTuple

import msgspec
from msgspec import Struct

from passline.crew.ends import find_place_end
from passline.game.law.citations import CitedValue
from passline.game.law.procedures import ActRule, find_act_rules
from passline.game.law.roles import POSTS as CREW
from passline.game.law.roles import Role, post_title
from passline.game.layout.stakes import Refusal
from passline.game.table import commands as cmd
from passline.game.table import posts
from passline.game.table.dice_custody import is_automated, refuse_machine_throws
from passline.game.table.dice_set import allowed_inspectors
from passline.game.table.players import color_up_permitters
from passline.live.live_table import LEARNER, MACHINE, POST_NAMES, LiveTable
from passline.live.requests import ServiceError
from passline.live.tokens import Holder


class NamedRoles(NamedTuple):
    """Whom a rulebook names for an act, and the clause."""

    names: Sequence[str]
    cite: str


def find_book_roles(live: LiveTable, command: cmd.AnyCommand) -> NamedRoles | None:
    """Whom the rulebook names for an act; None: nobody, and the matrix decides."""
    table = live.table
    if is_automated(table):
        return None
    book, game = table.house.book, table.house.game
    match command:
        case cmd.CallNoRoll(ground=ground) | cmd.Warn(ground=ground):
            own = next((g for g in book.throw.grounds if g.name == ground and game in g.by), None)
            if own is not None:
                return NamedRoles(own.by[game], own.cite)
            return _roles_from_rule(book.throw.callers.get(game))
        case cmd.Rule():
            return _roles_from_rule(book.throw.rulings.get(game))
        case cmd.OrderPass():
            return _roles_from_rule(book.dice.order_by.get(game))
        case cmd.Confirm():
            return _roles_from_rule(book.tender.late.get(game))
        case cmd.InspectDice() if book.inspection.in_play_by and table.dice.bar is None:
            names, cite = allowed_inspectors(table)
            return NamedRoles((*names, *book.inspection.in_play_by.value), cite)
        case cmd.InspectDice() | cmd.CancelDice():
            return NamedRoles(*allowed_inspectors(table))
        case cmd.PermitColorUp():
            return NamedRoles(*color_up_permitters(table))
        case cmd.OkayDice() if book.relief.okay.value:
            return NamedRoles(("boxperson",), book.relief.okay.cite)
        case _:
            return None


def _roles_from_rule(rule: CitedValue[tuple[Role, ...]] | None) -> NamedRoles | None:
    return NamedRoles(rule.value, rule.cite) if rule is not None else None


def find_procedures(live: LiveTable, act: str) -> tuple[ActRule, ...]:
    """What the rulebook says of whose an act is; a machine has no crew to say it of."""
    house = live.table.house
    return () if is_automated(live.table) else find_act_rules(house.book.id, house.game, act)


def find_procedure_roles(live: LiveTable, act: str, answers: bool = False) -> NamedRoles | None:
    """Whom a clause of procedure names for an act; None: nobody."""
    names: tuple[str, ...] = ()
    cite = ""
    for rule in find_procedures(live, act):
        due = {"": True, "call-it": live.someone_else_calls, "asked": answers}[rule.when]
        if rule.by and due:
            names, cite = (*names, *rule.by), cite or rule.cite
    return NamedRoles(names, cite) if names else None


HALTED_WORDS: Final = "the bonus was hit: play halts until the dice are inspected"


def find_halt_clause(live: LiveTable) -> str:
    """The clause by which play halts until a person on the floor has looked the dice over; empty:
    it goes on. A machine there looks at once."""
    if not live.bonus_hit or live.machine_deals("floor"):
        return ""
    return next((v.cite for v in find_procedures(live, "roll") if v.until == "inspected"), "")


def find_tender_clause(live: LiveTable, bet: cmd.Bet) -> str:
    """The clause by which how a wager was tendered is the crew's to say, where one decides."""
    tender = live.table.house.book.tender
    late = tender.late.get(live.table.house.game)
    if bet.no_bet and tender.no_bet.value:
        return tender.no_bet.cite
    if bet.in_air and late is not None:
        return late.cite
    if bet.cash or bet.confirmed:
        return tender.cash_confirmed_by.cite
    return "custom: how a wager was tendered is the crew's to say"


PermissionScope = Literal["own", "end", "center", "any", "typed"]

#: What the engine calls those who hold a post.
ENGINE_ROLES: Final[Mapping[str, tuple[str, ...]]] = {
    **{post.name: post.roles for post in CREW},
    "operator": ("floorperson", "supervisor"),
    "player": ("player",),
}
#: What a post is called where it is asked whether a game has it. One base dealer is the left one.
_ENGINE_POSTS: Final[Mapping[str, str]] = {
    post.name: post.relieved for post in CREW if post.end != "left"
}


def is_role_refusal(refusal: Refusal) -> bool:
    """Whether the engine refuses because the act is somebody else's."""
    return refusal.code.startswith("not-theirs-") or refusal.code in _ROLE_REFUSALS


_ROLE_REFUSALS: Final = frozenset({"designated-caller", "self-confirmed"})


class PermissionMatrix(Struct, frozen=True, rename="kebab"):
    """``acts.toml``, read."""

    acts: dict[str, dict[str, PermissionScope]]
    answers: dict[str, PermissionScope]
    calls: dict[str, str]
    does: dict[str, str]
    acted: dict[str, str]
    throws: dict[str, tuple[str, ...]]


@cache
def load_matrix() -> PermissionMatrix:
    """Who may say what, and what players say of themselves."""
    text = files("passline.live").joinpath("acts.toml").read_text("utf-8")
    return msgspec.convert(tomllib.loads(text), PermissionMatrix)


def command_tag(command: cmd.AnyCommand) -> str:
    """A command's name in the matrix: its tag.

    >>> command_tag(cmd.TakeDice("ann"))
    'take-dice'
    """
    return str(type(command).__struct_config__.tag)


def require_speaker(live: LiveTable, holder: Holder) -> None:
    """Whether a token speaks at all here: ServiceError (``forbidden``) where it only watches."""
    role = holder.role
    if role not in ENGINE_ROLES:
        raise ServiceError(
            "forbidden", f"the {role} watches: expected the token of a seat or a post"
        )
    if role not in POST_NAMES:
        return
    missing = find_missing_post_clause(live, role)
    if missing:
        raise ServiceError("forbidden", f"{live.table.house.game} has no {role}", cite=missing)
    if live.posts.get(role) == LEARNER:
        where = f"/t/{live.id}/learn"
        who = post_title(role)
        raise ServiceError(
            "forbidden", f"a learner is the {who} here: the work is at {where}, without words"
        )
    if live.posts.get(role, MACHINE) == MACHINE:
        raise ServiceError(
            "forbidden", f"the machine is the {post_title(role)} here: this token only watches"
        )
    now = live.post_names.get(role, "")
    if holder.name and now and holder.name != now:
        raise ServiceError(
            "forbidden", f"{now} has relieved the {post_title(role)}: this token only watches"
        )


def find_missing_post_clause(live: LiveTable, role: str) -> str:
    """The clause by which a game has no such post; empty: it has."""
    table = live.table
    if is_automated(table):
        return refuse_machine_throws(table).cite if role != "floor" else ""
    missing = posts.find_absence(table.house, _ENGINE_POSTS.get(role, ""))
    return missing.cite if missing is not None else ""


def authorize(live: LiveTable, holder: Holder, command: cmd.AnyCommand) -> str:
    """Who acts, as the engine calls them. ServiceError where the role may not say it."""
    require_speaker(live, holder)
    tag = command_tag(command)
    named = find_book_roles(live, command)
    if named is not None:
        _check_bars(live, holder, tag)
        if isinstance(command, cmd.Rule) and command.first:
            _require_typed_dice(live, tag)
        return _require_named_role(holder, named)
    roles = load_matrix().acts[tag]
    answers = holder.role != "player" and _answers_request(live, command)
    scope = authorize_act(live, holder, tag, load_matrix().answers if answers else roles, answers)
    _check_scope(live, holder, command, scope)
    if isinstance(command, cmd.Bet) and holder.role == "player" and command.by != "player":
        raise ServiceError(
            "forbidden",
            "how a wager was tendered is the crew's to say: expected the wager and its amount",
            cite=find_tender_clause(live, command),
        )
    return "player" if holder.role == "player" else _find_engine_role(live, holder, tag)


def authorize_act(
    live: LiveTable,
    holder: Holder,
    act: str,
    roles: Mapping[str, PermissionScope],
    answers: bool = False,
) -> PermissionScope:
    """How far a role may go with an act: as the rulebook has it, else as the matrix. ServiceError
    403 where it is somebody else's."""
    role = "floor" if holder.role == "operator" else holder.role
    scope = roles.get(role)
    if scope is None and role == "floor" and _floor_watches_bank(live):
        scope = roles.get("box")
    named: NamedRoles | None = None
    _check_bars(live, holder, act)
    if role != "player":
        named = find_procedure_roles(live, act, answers)
    if named is not None:
        names = named.names
        if role == "floor" and "boxperson" in names and _floor_watches_bank(live):
            names = (*names, *ENGINE_ROLES[role])
        _require_named_role(holder, NamedRoles(names, named.cite))
        others: list[PermissionScope] = [found for found in roles.values() if found != "own"]
        return scope or (others[0] if others else "any")
    if scope is None:
        raise ServiceError(
            "forbidden", f"the {holder.role} may not say that: {' or '.join(roles)} may"
        )
    return scope


def _check_bars(live: LiveTable, holder: Holder, act: str) -> None:
    """Whether a clause keeps a role from an act, whoever else may."""
    for rule in find_procedures(live, act):
        if rule.until == "called" and live.table.dice.in_air:
            words = "dice in the air stay untouched until they are called"
            raise ServiceError("forbidden", words, cite=rule.cite)
        if rule.until == "inspected" and (cite := find_halt_clause(live)):
            raise ServiceError("forbidden", HALTED_WORDS, cite=cite)
        if set(ENGINE_ROLES[holder.role]) & set(rule.never):
            raise ServiceError("forbidden", f"the {holder.role} never does that", cite=rule.cite)


def _require_named_role(holder: Holder, named: NamedRoles) -> str:
    found = [name for name in ENGINE_ROLES[holder.role] if name in named.names]
    if not found:
        whose = " or ".join(dict.fromkeys(named.names))
        raise ServiceError(
            "forbidden",
            f"the {holder.role} may not say that: it is for the {whose}",
            cite=named.cite,
        )
    return found[0]


def _find_engine_role(live: LiveTable, holder: Holder, act: str) -> str:
    """What the engine calls whoever acts: as the clause does that names them."""
    names, named = ENGINE_ROLES[holder.role], find_procedure_roles(live, act)
    return next((name for name in names if named is not None and name in named.names), names[0])


def authorize_call(live: LiveTable, holder: Holder, act: str) -> bool:
    """Whether the rulebook has such a call. ServiceError where it is somebody else's."""
    if not find_procedures(live, act):
        return False
    authorize_act(live, holder, act, {})
    return True


def authorize_decline(live: LiveTable, holder: Holder, player: str) -> None:
    """ServiceError where a buy-in that a player asked for is not this role's to turn down."""
    scope = authorize_act(live, holder, "turn-down", load_matrix().answers, True)
    end = (
        find_other_end(live, holder.role, player, live.buy_in_requests[player].place)
        if scope == "end"
        else ""
    )
    if end:
        raise ServiceError("forbidden", f"{player} is at the {end} end: that is for the {end}-base")


def _answers_request(live: LiveTable, command: cmd.AnyCommand) -> bool:
    """Whether it lets in a player who asked the box."""
    return isinstance(command, cmd.Join | cmd.BuyIn) and command.player in live.buy_in_requests


def _floor_watches_bank(live: LiveTable) -> bool:
    """Whether the floor watches the bank: no boxperson does, of the game or of the house."""
    if is_automated(live.table) or live.machine_deals("box"):
        return True
    return posts.bank_post(live.table.house).who != "boxperson"


def _check_scope(
    live: LiveTable, holder: Holder, command: cmd.AnyCommand, scope: PermissionScope
) -> None:
    """Whether it is about somebody, or something, that the role may speak of."""
    player = str(getattr(command, "player", ""))
    if scope == "own" and player != holder.name:
        raise ServiceError(
            "forbidden", f"{holder.name} speaks for {holder.name}, and for nobody else"
        )
    if scope == "end":
        end = find_other_end(live, holder.role, player, getattr(command, "place", 0))
        if end:
            words = f"{player} is at the {end} end: that is for the {end}-base"
            raise ServiceError(
                "forbidden", words, cite=_find_scope_clause(live, command_tag(command), scope)
            )
    if scope == "center":
        wager = str(getattr(command, "wager", ""))
        spot = live.table.layout.spots.get(wager)
        if spot is None or spot.rule.area != "center":
            words = f"the stick books center wagers, not {wager or 'everything'}"
            raise ServiceError(
                "forbidden", words, cite=_find_scope_clause(live, command_tag(command), scope)
            )
    if scope == "typed":
        _require_typed_dice(live, command_tag(command))


def _require_typed_dice(live: LiveTable, act: str) -> None:
    """Whether somebody's word says what the dice show: not where the house throws them."""
    if live.settings.dice == "typed" or is_automated(live.table):
        return
    words = "the house throws the dice here: the shooter says 'roll'"
    raise ServiceError("forbidden", words, cite=_find_scope_clause(live, act, "typed"))


def _find_scope_clause(live: LiveTable, act: str, scope: PermissionScope) -> str:
    """The clause by which a role goes only so far with an act; empty: none does."""
    return next((rule.cite for rule in find_procedures(live, act) if scope in rule.within), "")


def find_other_end(live: LiveTable, role: str, player: str, place: int = 0) -> str:
    """The end at which somebody stands, or is to stand, where it is not the base dealer's own;
    one dealer alone deals to both."""
    table = live.table
    if is_automated(table) or posts.count_base_dealers(table.house)[0] == 1:
        return ""
    seat = table.find(player)
    place = place if seat is None else seat.place
    end = find_place_end(table, place)
    return end if place and f"{end}-base" != role else ""
