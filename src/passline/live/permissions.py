"""Decide who may do what at a live table: `authorize` and its parts. Pure.

The rulebook comes first: it names the roles for many commands (`find_book_roles`,
`find_procedure_roles`). Where it names nobody, the matrix in ``permissions.toml`` decides.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping, Sequence
from functools import cache
from importlib.resources import files
from typing import Final, Literal, NamedTuple

import msgspec
from msgspec import Struct

from passline.game.law.citations import CitedValue
from passline.game.law.duties import ActRule, find_act_rules
from passline.game.law.roles import POSTS as CREW
from passline.game.law.roles import Role, post_title
from passline.game.layout.stakes import Refusal, refuse
from passline.game.table import commands as cmd
from passline.game.table import posts
from passline.game.table.dice_custody import is_automated, refuse_machine_throws
from passline.game.table.dice_set import allowed_inspectors
from passline.game.table.players import color_up_permitters
from passline.game.table.table_ends import find_place_end
from passline.game.words.refusals import describe_refusal
from passline.game.words.wagers import layout_name
from passline.live.live_table import LEARNER, MACHINE, POST_NAMES, LiveTable
from passline.live.schema import ServiceError
from passline.live.tokens import Holder


class NamedRoles(NamedTuple):
    """The roles that a rulebook names for a command, and the clause that names them."""

    names: Sequence[str]
    cite: str


def find_book_roles(live: LiveTable, command: cmd.AnyCommand) -> NamedRoles | None:
    """Return the roles that a setting of the rulebook names for a command, or None."""
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
    """Return the roles and the clause of a rulebook's setting, or None without a setting."""
    return NamedRoles(rule.value, rule.cite) if rule is not None else None


def find_procedures(live: LiveTable, act: str) -> tuple[ActRule, ...]:
    """Return the rulebook's procedure clauses about an act. An automated table has none.

    ``act`` is a command's name in ``permissions.toml``, such as ``new-dice``.
    """
    house = live.table.house
    return () if is_automated(live.table) else find_act_rules(house.book.id, house.game, act)


def find_procedure_roles(live: LiveTable, act: str, answers: bool = False) -> NamedRoles | None:
    """Return the roles that the rulebook's procedures name for an act, or None if they name none.

    ``answers`` includes the clauses about answering a player's request, such as a buy-in.
    """
    names: tuple[str, ...] = ()
    cite = ""
    for rule in find_procedures(live, act):
        due = {"": True, "call-it": live.someone_else_calls, "asked": answers}[rule.when]
        if rule.by and due:
            names, cite = (*names, *rule.by), cite or rule.cite
    return NamedRoles(names, cite) if names else None


def refuse_after_bonus(live: LiveTable) -> Refusal | None:
    """Return the refusal of a throw while the dice must be inspected after a bonus, or None.

    Only a person on the floor can inspect them; where the machine is the floor, the game goes on.
    """
    if not live.bonus_hit or live.machine_deals("floor"):
        return None
    rules = (rule for rule in find_procedures(live, "roll") if rule.until == "inspected")
    return next((refuse("bonus-halt", rule.cite) for rule in rules), None)


def find_tender_clause(live: LiveTable, bet: cmd.Bet) -> str:
    """Return the clause by which only the crew, and not a player, may make this bet.

    Such bets are late, in cash, or called "no bet".
    """
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

#: The engine's roles for each role of a token.
ENGINE_ROLES: Final[Mapping[str, tuple[str, ...]]] = {
    **{post.name: post.roles for post in CREW},
    "operator": ("floorperson", "supervisor"),
    "player": ("player",),
}
#: The engine's name of each post, to ask whether a game has it. A lone base dealer is the left one.
_ENGINE_POSTS: Final[Mapping[str, str]] = {
    post.name: post.relieved for post in CREW if post.end != "left"
}


def is_role_refusal(refusal: Refusal) -> bool:
    """Return whether the engine refused a command because it belongs to another role."""
    return refusal.code.startswith("not-theirs-") or refusal.code in _ROLE_REFUSALS


_ROLE_REFUSALS: Final = frozenset({"designated-caller", "self-confirmed"})


class PermissionMatrix(Struct, frozen=True, rename="kebab"):
    """The contents of ``permissions.toml``: who may do what, and the phrases that say it in a line.

    * ``acts``: for each act, the roles that may do it, each with its scope (for which players, at
      which end of the table). ``answers``: the same for answering a player's buy-in.
    * ``calls``: phrases of the crew for which records have no line, with the entry's ``act``.
    * ``does``: phrases of a player, with the record's words ("take dice": "takes the dice").
      ``acted``: those for which records have no line, with the entry's ``act``. ``throws``: those
      that ask for a throw.
    """

    acts: dict[str, dict[str, PermissionScope]]
    answers: dict[str, PermissionScope]
    calls: dict[str, str]
    does: dict[str, str]
    acted: dict[str, str]
    throws: dict[str, tuple[str, ...]]


@cache
def load_matrix() -> PermissionMatrix:
    """Load ``permissions.toml``: who may do what, and the phrases that name acts in a line."""
    text = files("passline.live").joinpath("permissions.toml").read_text("utf-8")
    return msgspec.convert(tomllib.loads(text), PermissionMatrix)


def command_tag(command: cmd.AnyCommand) -> str:
    """Return a command's name in the permission matrix.

    >>> command_tag(cmd.TakeDice("ann"))
    'take-dice'
    """
    return str(type(command).__struct_config__.tag)


def require_speaker(live: LiveTable, holder: Holder) -> None:
    """Raise ServiceError (``forbidden``) unless a token's holder may write any line at a table."""
    role = holder.role
    if role not in ENGINE_ROLES:
        raise ServiceError("token-watches", role=post_title(role))
    if role not in POST_NAMES:
        return
    missing = find_missing_post_clause(live, role)
    if missing:
        game = live.table.house.game.replace("-", " ")
        raise ServiceError("post-missing", game=game, role=post_title(role), cite=missing)
    if live.posts.get(role) == LEARNER:
        where = f"/t/{live.id}/learn"
        raise ServiceError("learner-at-post", post=post_title(role), where=where)
    if role == "floor" and live.settings.host_id:
        return  # The host speaks as the floor; the machine still does the floor's work.
    if live.posts.get(role, MACHINE) == MACHINE:
        raise ServiceError("machine-at-post", post=post_title(role))
    now = live.post_names.get(role, "")
    if holder.name and now and holder.name != now:
        raise ServiceError("post-relieved", name=now, post=post_title(role))


def find_missing_post_clause(live: LiveTable, role: str) -> str:
    """Return the clause that says that a game has no such post; empty if the game has the post."""
    table = live.table
    if is_automated(table):
        return refuse_machine_throws(table).cite if role != "floor" else ""
    missing = posts.find_absence(table.house, _ENGINE_POSTS.get(role, ""))
    return missing.cite if missing is not None else ""


def authorize(live: LiveTable, holder: Holder, command: cmd.AnyCommand) -> str:
    """Return the role, as the engine names it, in which a holder gives a command.

    Raise ServiceError if the holder may not give it.
    """
    require_speaker(live, holder)
    tag = command_tag(command)
    named = find_book_roles(live, command)
    if named is not None:
        _check_bars(live, holder, tag)
        if isinstance(command, cmd.Rule) and command.first:
            _require_typed_dice(live, tag)
        return _require_named_role(holder, named)
    roles = load_matrix().acts[tag]
    answers = (
        holder.role != "player"
        and isinstance(command, cmd.Join | cmd.BuyIn)
        and command.player in live.buy_in_requests
    )
    scope = authorize_act(live, holder, tag, load_matrix().answers if answers else roles, answers)
    _check_scope(live, holder, command, scope)
    if isinstance(command, cmd.Bet) and holder.role == "player" and command.by != "player":
        raise ServiceError("crew-tenders", cite=find_tender_clause(live, command))
    return "player" if holder.role == "player" else _find_engine_role(live, holder, tag)


def authorize_act(
    live: LiveTable,
    holder: Holder,
    act: str,
    roles: Mapping[str, PermissionScope],
    answers: bool = False,
) -> PermissionScope:
    """Return the scope in which a holder may do an act, such as only for players at one end.

    ``roles`` gives the scope of each role in the matrix; a clause of the rulebook comes before it.
    ``answers`` means that the act answers a player's request. Raise ServiceError (``forbidden``) if
    the act belongs to another role.
    """
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
        titles = dict.fromkeys(map(post_title, roles))
        raise ServiceError("other-roles", role=post_title(holder.role), roles=titles)
    return scope


def _check_bars(live: LiveTable, holder: Holder, act: str) -> None:
    """Raise ServiceError if a clause forbids an act to this role, or now to everyone."""
    for rule in find_procedures(live, act):
        if rule.until == "called" and live.table.dice.in_air:
            raise ServiceError("dice-uncalled", cite=rule.cite)
        if rule.until == "inspected" and (halt := refuse_after_bonus(live)):
            raise ServiceError("forbidden", describe_refusal(halt), cite=halt.cite)
        if set(ENGINE_ROLES[holder.role]) & set(rule.never):
            raise ServiceError("never-by-role", role=post_title(holder.role), cite=rule.cite)


def _require_named_role(holder: Holder, named: NamedRoles) -> str:
    """Return which of the roles that a clause names the holder has.

    Raise ServiceError if the holder has none of them.
    """
    found = [name for name in ENGINE_ROLES[holder.role] if name in named.names]
    if not found:
        roles = dict.fromkeys(named.names)
        title = post_title(holder.role)
        raise ServiceError("named-roles", role=title, roles=roles, cite=named.cite)
    return found[0]


def _find_engine_role(live: LiveTable, holder: Holder, act: str) -> str:
    """Return the holder's role, as the engine names it: one that a clause names, else the first."""
    names, named = ENGINE_ROLES[holder.role], find_procedure_roles(live, act)
    return next((name for name in names if named is not None and name in named.names), names[0])


def authorize_call(live: LiveTable, holder: Holder, act: str) -> bool:
    """Return whether the rulebook lets the holder make a call of the crew, such as ``call-it``.

    Return False if the rulebook does not mention the call. Raise ServiceError if it gives the call
    to another role.
    """
    if not find_procedures(live, act):
        return False
    authorize_act(live, holder, act, {})
    return True


def authorize_decline(live: LiveTable, holder: Holder, player: str) -> None:
    """Raise ServiceError unless this role may decline a player's buy-in."""
    scope = authorize_act(live, holder, "turn-down", load_matrix().answers, True)
    place = live.buy_in_requests[player].place
    if scope == "end" and (end := find_other_end(live, holder.role, player, place)):
        raise ServiceError("other-end", player=player, end=end)


def _floor_watches_bank(live: LiveTable) -> bool:
    """Return whether the floor does the boxperson's job, because nobody has that post."""
    if is_automated(live.table) or live.machine_deals("box"):
        return True
    return posts.bank_post(live.table.house).who != "boxperson"


def _check_scope(
    live: LiveTable, holder: Holder, command: cmd.AnyCommand, scope: PermissionScope
) -> None:
    """Raise ServiceError if a command concerns a player or a bet outside a scope.

    A scope limits a role to its own bets, to its end of the table, to bets in the center, or to
    tables with real dice.
    """
    player = str(getattr(command, "player", ""))
    if scope == "own" and player != holder.name:
        raise ServiceError("only-yourself", player="")
    if scope in ("own", "any"):
        return
    cite = _find_scope_clause(live, command_tag(command), scope)
    if scope == "end":
        end = find_other_end(live, holder.role, player, getattr(command, "place", 0))
        if end:
            raise ServiceError("other-end", player=player, end=end, cite=cite)
    if scope == "center":
        wager = str(getattr(command, "wager", ""))
        spot = live.table.layout.spots.get(wager)
        if spot is None or spot.rule.area != "center":
            raise ServiceError("center-only", wager=layout_name(wager) or "this", cite=cite)
    if scope == "typed":
        _require_typed_dice(live, command_tag(command))


def _require_typed_dice(live: LiveTable, act: str) -> None:
    """Raise ServiceError if the house throws the dice here, so that nobody may type them in."""
    if live.settings.dice == "typed" or is_automated(live.table):
        return
    raise ServiceError(
        "throw-proven" if act == "correct-throw" else "house-throws",
        cite=_find_scope_clause(live, act, "typed"),
    )


def _find_scope_clause(live: LiveTable, act: str, scope: PermissionScope) -> str:
    """Return the clause that limits an act to a scope, such as one end of the table, or ""."""
    return next((rule.cite for rule in find_procedures(live, act) if scope in rule.within), "")


def find_other_end(live: LiveTable, role: str, player: str, place: int = 0) -> str:
    """Return the end where a player stands if the base dealer ``role`` does not deal there.

    Return "" if that dealer does. ``place`` is the seat position asked for by a player who is not
    seated yet. A lone dealer deals to both ends.
    """
    table = live.table
    if is_automated(table) or posts.count_base_dealers(table.house)[0] == 1:
        return ""
    seat = table.find(player)
    place = place if seat is None else seat.place
    end = find_place_end(table, place)
    return end if place and f"{end}-base" != role else ""
