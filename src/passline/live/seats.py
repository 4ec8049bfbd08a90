"""Sit down at a live table, invite people, and withdraw their tokens.

All of these are log entries, like everything that changes who may act. Uses the table cache and the
store.
"""

from __future__ import annotations

from hashlib import sha256
from typing import Final

from msgspec import Struct
from msgspec.structs import asdict

from passline.game.law.roles import post_title
from passline.game.layout.stakes import Refusal
from passline.game.money.amounts import AmountError, parse_dollars
from passline.game.table import codec
from passline.game.table import commands as cmd
from passline.game.table.decide import decide
from passline.game.words.refusals import describe_refusal
from passline.live.decide_line import MAX_AMOUNT
from passline.live.live_table import POST_NAMES, BuyInRequest, LiveTable
from passline.live.log_entries import Draft
from passline.live.permissions import require_speaker
from passline.live.schema import (
    ErrorCode,
    SeatRequest,
    SeatResponse,
    ServiceError,
    check_seat_name,
)
from passline.live.store import Appended
from passline.live.table_cache import CachedTable, TableCache, translate_store_errors
from passline.live.throw_with_proof import RandomBytes
from passline.live.tokens import Grant, Holder, entry_author, is_token, make_grant
from passline.record.table_lines import write_table_line
from passline.text import fold_look_alikes

#: The roles that get a token when a table opens.
TOKEN_ROLES: Final = (*POST_NAMES, "watcher", "surveillance")
_INVITABLE_ROLES: Final = (*TOKEN_ROLES, "player")
_ID_LETTERS: Final = "abcdefghijkmnpqrstuvwxyz23456789"


def new_table_id(random_bytes: RandomBytes) -> str:
    """Return a random table id: ten letters and digits, none of which look alike."""
    return "".join(_ID_LETTERS[byte % len(_ID_LETTERS)] for byte in random_bytes(10))


def _check_holder(who: Holder) -> Holder:
    """Return the holder with the name in normal form.

    Raise ServiceError for an unknown role or a name that is not allowed.
    """
    if who.role not in _INVITABLE_ROLES:
        raise ServiceError("unknown-role", roles=_INVITABLE_ROLES)
    if not who.name or (who.name == who.role and who.role != "player"):
        return who  # Entries of a post without a name are by its role.
    return Holder(who.role, check_seat_name(who.name))


async def write_token_entry(
    tables: TableCache, cached: CachedTable, by: Holder, who: Holder, token: str
) -> None:
    """Give ``who`` a token or, if ``token`` is empty, withdraw all theirs. Write it to the log.

    ``by`` is who does it. Raise ServiceError unless that is the floor or the operator.
    """
    who = _check_holder(who)
    if by.role not in ("operator", "floor"):
        raise ServiceError("floor-gives-tokens", role=post_title(by.role))
    role, name = entry_author(by)
    more = {"act": "invite" if token else "withdraw", "holder": asdict(who)}
    draft = Draft(role=role, by=name, more=more)
    async with cached.lock:
        while True:
            live = await tables.require_writable(cached)
            require_speaker(live, by)  # If the machine is the floor, a floor token can only watch.
            look = fold_look_alikes(who.name) if token and who.role == "player" else ""
            known = live.names.get(look) or live.invited.get(look)
            if known not in (None, who.name):
                raise ServiceError("similar-name", name=who.name, known=known)
            outcome = await tables.append(
                cached,
                live,
                [draft],
                grants=[make_grant(token, who.role, who.name)] if token else [],
                withdrawn=[] if token else [who],
            )
            if isinstance(outcome, Appended):
                return


#: Refusal codes of a malformed request. Any other refusal means that the request came too late.
_BAD_REQUEST_CODES = frozenset({"no-such-place", "whole-chips"})


class SeatClaim(Struct, frozen=True):
    """A checked and parsed request for a seat. ``amount`` is the buy-in in cents.

    ``place`` is the seat position, 0 for any. ``token`` is the token that the client chose and
    ``invitation`` the token of its invitation, each empty if there is none. ``new_token`` is a
    random token for a client that chose none.
    """

    name: str
    amount: int
    place: int
    token: str
    invitation: str
    new_token: str

    @staticmethod
    def from_request(request: SeatRequest, invitation: str, random_bytes: RandomBytes) -> SeatClaim:
        """Check a request for a seat and return it parsed. ``invitation`` is a token, or empty.

        Raise ServiceError (``invalid``) if the request is malformed.
        """
        try:
            amount = parse_dollars(request.buy_in)
        except AmountError as wrong:
            raise ServiceError("buy-in-amount", error=wrong) from None
        if amount > MAX_AMOUNT:
            raise ServiceError("buy-in-too-high")
        if request.place is not None and request.place < 1:
            raise ServiceError("place-number")
        if request.token and not is_token(request.token):
            raise ServiceError("token-form")
        return SeatClaim(
            name=check_seat_name(request.name),
            amount=amount,
            place=request.place or 0,
            token=request.token,
            invitation=invitation,
            new_token=random_bytes(24).hex(),
        )


async def take_seat(tables: TableCache, cached: CachedTable, claim: SeatClaim) -> SeatResponse:
    """Seat a player, or ask the boxperson for the seat. The caller must hold the table's lock.

    A player who is seated already gets the same answer again. Raise ServiceError if the name is
    taken, a token is not valid, or the rules refuse the seat.
    """
    while True:
        live = await tables.require_writable(cached)
        token, granted = await _find_seat_token(tables, live, claim)
        known = live.names.get(fold_look_alikes(claim.name))
        if known is not None:
            if granted is not None or known != claim.name:
                raise ServiceError("name-taken", known=known)
            down = None if claim.name in live.seated else live.declined_buy_ins.get(claim.name)
            if down is None or (down.amount, down.place) == (claim.amount, claim.place):
                return _make_seat_response(live, claim, token)
        elif _is_reserved(live, claim, granted):
            raise ServiceError("invited-name", name=claim.name)
        outcome = await tables.append(
            cached, live, [_make_seat_draft(live, claim)], grants=[granted] if granted else []
        )
        if isinstance(outcome, Appended):
            return _make_seat_response(cached.live, claim, token)


def _is_reserved(live: LiveTable, claim: SeatClaim, granted: Grant | None) -> bool:
    """Return whether an invitation reserves the claimed name for somebody else."""
    invited = live.invited.get(fold_look_alikes(claim.name))
    return invited is not None and (invited != claim.name or granted is not None)


async def _find_seat_token(
    tables: TableCache, live: LiveTable, claim: SeatClaim
) -> tuple[str, Grant | None]:
    """Return (token, grant): the seat's token, and its hash and holder for the store.

    The grant is None if the store has it already. Raise ServiceError if the table is private and
    the player has no valid invitation, or if the token that the client chose belongs to somebody
    else.
    """
    own = Holder("player", claim.name)
    invited = False
    made = claim.token or claim.new_token
    for given in (claim.token, claim.invitation):
        if not given:
            continue
        async with translate_store_errors():
            found = await tables.store.holder(live.id, given)
        if found == own:
            return given, None
        if found == Holder("player"):
            # One invitation may seat several players. Each gets a token that depends on the
            # invitation and the name, so that a repeated request gets the same one.
            invited = True
            if given == claim.token or not claim.token:
                made = sha256(f"seat:{given}:{claim.name}".encode()).hexdigest()[:48]
        elif found is not None and given == claim.token:
            raise ServiceError("token-taken")
    if not live.settings.open and not invited:
        credential = claim.token or claim.invitation
        raise ServiceError("invitation-invalid" if credential else "invitation-missing")
    async with translate_store_errors():
        there = await tables.store.holder(live.id, made)
    return made, (None if there == own else make_grant(made, "player", claim.name))


def _make_seat_draft(live: LiveTable, claim: SeatClaim) -> Draft:
    """Return the entry that seats a player, or that asks the boxperson for the seat.

    Raise ServiceError if the rules refuse the seat.
    """
    command = cmd.Join(claim.name, claim.amount, claim.place)
    answer = decide(live.table, command)
    if isinstance(answer, Refusal):
        code: ErrorCode = "invalid" if answer.code in _BAD_REQUEST_CODES else "conflict"
        raise ServiceError(code, describe_refusal(answer), cite=answer.cite)
    if live.settings.buy_ins == "box":
        more = {"act": "asks", "amount": claim.amount, "place": claim.place}
        return Draft(role="player", by=claim.name, more=more)
    events = [codec.event_to_builtins(event) for event in answer]
    return Draft(role="player", by=claim.name, line=write_table_line(command), events=events)


def make_declined_error(name: str, declined: BuyInRequest) -> ServiceError:
    """Return the error for a player's buy-in that the boxperson declined."""
    return ServiceError("buy-in-declined", name=name, reason=declined.reason)


def _make_seat_response(live: LiveTable, claim: SeatClaim, token: str) -> SeatResponse:
    """Return the response to a claim from the table's state after it.

    Raise ServiceError if the boxperson declined it.
    """
    there = live.seated.get(claim.name)
    if there is None and claim.name in live.declined_buy_ins:
        raise make_declined_error(claim.name, live.declined_buy_ins[claim.name])
    if there is None:
        place = live.buy_in_requests.get(claim.name, claim).place
        return SeatResponse(
            name=claim.name, place=place, token=token, seq=None, hash=None, pending=True
        )
    return SeatResponse(name=claim.name, token=token, **asdict(there))
