"""Tokens given and withdrawn: entries of the log, as everything that changes who may speak.

Sitting down at a live table: a name of one's own, a place, a token, a buy-in.
"""

from __future__ import annotations

from hashlib import sha256
from typing import Final

from msgspec import Struct

from passline.game.layout.stakes import Refusal
from passline.game.money.amounts import AmountError, parse_dollars
from passline.game.table import codec
from passline.game.table import commands as cmd
from passline.game.table.decide import decide
from passline.game.words.refusals import describe_refusal
from passline.live.entries import Draft
from passline.live.house_dice import RandomBytes
from passline.live.live_table import POST_NAMES, BuyInRequest, LiveTable
from passline.live.parse_line import MAX_AMOUNT
from passline.live.permissions import require_speaker
from passline.live.requests import (
    ErrorCode,
    SeatRequest,
    SeatResponse,
    ServiceError,
    check_seat_name,
)
from passline.live.store import Appended
from passline.live.table_cache import CachedTable, TableCache, translate_store_errors
from passline.live.tokens import Grant, Holder, is_token, make_grant
from passline.record.table_lines import write_table_line
from passline.text import fold_look_alikes

#: The roles that a table's opening gives tokens for.
TOKEN_ROLES: Final = (*POST_NAMES, "watcher", "surveillance")
_INVITABLE_ROLES: Final = (*TOKEN_ROLES, "player")
_ID_LETTERS: Final = "abcdefghijkmnpqrstuvwxyz23456789"


def new_table_id(chance: RandomBytes) -> str:
    """A table's id: ten letters and digits that nobody guesses, none that look alike."""
    return "".join(_ID_LETTERS[byte % len(_ID_LETTERS)] for byte in chance(10))


def _check_holder(who: Holder) -> Holder:
    if who.role not in _INVITABLE_ROLES:
        raise ServiceError("invalid", f"role: expected one of {', '.join(_INVITABLE_ROLES)}")
    if not who.name:
        return who
    if who.name == who.role and who.role != "player":
        return who  # what a post's entries are by where it has no name
    return Holder(who.role, check_seat_name(who.name))


def _require_inviter(by: Holder) -> tuple[str, str]:
    if by.role not in ("operator", "floor"):
        raise ServiceError(
            "forbidden", f"the {by.role} gives and withdraws no tokens: operator or floor does"
        )
    return by.role, "house" if by.role == "operator" else by.role


async def invite_holder(
    tables: TableCache, warm: CachedTable, by: Holder, who: Holder, token: str
) -> None:
    """Give a token to somebody. ServiceError (``invalid``), 403, 409."""
    await _write_token_entry(tables, warm, by, _check_holder(who), token)


async def withdraw_tokens(tables: TableCache, warm: CachedTable, by: Holder, who: Holder) -> None:
    """Withdraw somebody's tokens. ServiceError (``invalid``), 403."""
    await _write_token_entry(tables, warm, by, _check_holder(who), "")


async def _write_token_entry(
    tables: TableCache, warm: CachedTable, by: Holder, who: Holder, token: str
) -> None:
    role, name = _require_inviter(by)
    more = {
        "act": "invite" if token else "withdraw",
        "holder": {"role": who.role, "name": who.name},
    }
    draft = Draft(role=role, by=name, more=more)
    async with warm.lock:
        while True:
            live = await tables.writable(warm)
            require_speaker(live, by)  # a floor that the machine holds only watches
            if token and who.role == "player" and who.name:
                look = fold_look_alikes(who.name)
                known = live.names.get(look) or live.invited.get(look)
                if known not in (None, who.name):
                    raise ServiceError(
                        "conflict", f"{who.name!r} is too like {known!r}, who plays here"
                    )
            outcome = await tables.append(
                warm,
                live,
                [draft],
                grants=[make_grant(token, who.role, who.name)] if token else [],
                withdrawn=[] if token else [who],
            )
            if isinstance(outcome, Appended):
                return


#: Refusals that say that a request has the wrong shape; the others, that it comes too late.
_BAD_REQUEST_CODES = frozenset({"no-such-place", "whole-chips"})


class SeatClaim(Struct, frozen=True):
    """A seat as it is asked for, read."""

    name: str
    amount: int
    place: int
    token: str
    invitation: str
    fresh: str

    @staticmethod
    def of(asked: SeatRequest, invitation: str, chance: RandomBytes) -> SeatClaim:
        """What is asked for. ServiceError (``invalid``) where it has not the shape."""
        try:
            amount = parse_dollars(asked.buy_in)
        except AmountError as wrong:
            raise ServiceError("invalid", f"buy_in: {wrong}") from None
        if amount > MAX_AMOUNT:
            raise ServiceError("invalid", "buy_in: no amount passes 10,000,000")
        if asked.place is not None and asked.place < 1:
            raise ServiceError("invalid", "place: places count from 1")
        if asked.token and not is_token(asked.token):
            raise ServiceError("invalid", "token: expected 32 to 64 letters and digits")
        name = check_seat_name(asked.name)
        return SeatClaim(
            name=name,
            amount=amount,
            place=asked.place or 0,
            token=asked.token,
            invitation=invitation,
            fresh=chance(24).hex(),
        )


async def take_seat(tables: TableCache, warm: CachedTable, wanted: SeatClaim) -> SeatResponse:
    """Seat a player, or say once more where he sits. ServiceError where neither can be."""
    while True:
        live = await tables.writable(warm)
        token, granted = await _find_seat_token(tables, live, wanted)
        known = live.names.get(fold_look_alikes(wanted.name))
        if known is not None:
            if granted is not None or known != wanted.name:
                raise ServiceError(
                    "conflict", f"there is a player {known!r} already: choose another name"
                )
            if not _is_new_buy_in_request(live, wanted):
                return _make_seat_response(live, wanted, token)
        elif _is_reserved(live, wanted, granted):
            raise ServiceError("conflict", f"{wanted.name!r} is invited: sit down with that token")
        outcome = await tables.append(
            warm, live, [_make_seat_draft(live, wanted)], grants=[granted] if granted else []
        )
        if isinstance(outcome, Appended):
            return _make_seat_response(warm.live, wanted, token)


def _is_new_buy_in_request(live: LiveTable, wanted: SeatClaim) -> bool:
    """Whether one whose buy-in was turned down asks for something else."""
    down = live.turned_down.get(wanted.name)
    if down is None or wanted.name in live.seated:
        return False
    return (down.amount, down.place) != (wanted.amount, wanted.place)


def _is_reserved(live: LiveTable, wanted: SeatClaim, granted: Grant | None) -> bool:
    invited = live.invited.get(fold_look_alikes(wanted.name))
    return invited is not None and (invited != wanted.name or granted is not None)


async def _find_seat_token(
    tables: TableCache, live: LiveTable, wanted: SeatClaim
) -> tuple[str, Grant | None]:
    """The seat's token, and its grant where it does not speak for the seat yet."""
    own = Holder("player", wanted.name)
    invited = False
    made = wanted.token or wanted.fresh
    for given in (wanted.token, wanted.invitation):
        if not given:
            continue
        async with translate_store_errors():
            found = await tables.store.holder(live.id, given)
        if found == own:
            return given, None
        if found == Holder("player"):
            # One invitation may seat several: each has a token of its own, the same every time.
            invited = True
            if given == wanted.token or not wanted.token:
                made = sha256(f"seat:{given}:{wanted.name}".encode()).hexdigest()[:48]
        elif found is not None and given == wanted.token:
            raise ServiceError(
                "conflict", "that token speaks for somebody else here: choose another"
            )
    if not live.settings.open and not invited:
        asked = wanted.token or wanted.invitation
        raise ServiceError(
            "forbidden" if asked else "unauthorized", "this table asks for an invitation's token"
        )
    async with translate_store_errors():
        there = await tables.store.holder(live.id, made)
    return made, (None if there == own else make_grant(made, "player", wanted.name))


def _make_seat_draft(live: LiveTable, wanted: SeatClaim) -> Draft:
    """The entry: the player joins, or the box is asked."""
    command = cmd.Join(wanted.name, wanted.amount, wanted.place)
    answer = decide(live.table, command)
    if isinstance(answer, Refusal):
        code: ErrorCode = "invalid" if answer.code in _BAD_REQUEST_CODES else "conflict"
        raise ServiceError(code, describe_refusal(answer), cite=answer.cite)
    draft = Draft(role="player", by=wanted.name)
    if live.settings.buy_ins == "box":
        more = {"act": "asks", "amount": wanted.amount, "place": wanted.place}
        return Draft(role="player", by=wanted.name, more=more)
    return Draft(
        role=draft.role,
        by=draft.by,
        line=write_table_line(command),
        events=[codec.event_to_builtins(event) for event in answer],
    )


def make_declined_error(name: str, asked: BuyInRequest) -> ServiceError:
    """What is told of a buy-in that the box turned down."""
    why = f": {asked.reason}" if asked.reason else ""
    return ServiceError(
        "forbidden", f"{name}'s buy-in was declined{why}; another amount may be asked for"
    )


def _make_seat_response(live: LiveTable, wanted: SeatClaim, token: str) -> SeatResponse:
    there = live.seated.get(wanted.name)
    if there is None and wanted.name in live.turned_down:
        raise make_declined_error(wanted.name, live.turned_down[wanted.name])
    if there is None:
        place = live.asking[wanted.name].place if wanted.name in live.asking else wanted.place
        return SeatResponse(
            name=wanted.name, place=place, token=token, seq=None, hash=None, waits=True
        )
    return SeatResponse(
        name=wanted.name, place=there.place, token=token, seq=there.seq, hash=there.hash
    )
