"""Sitting down at a live table: a name of one's own, a place, a token, a buy-in."""

from __future__ import annotations

from hashlib import sha256

from msgspec import Struct

from passline.layout import Refusal
from passline.live.appends import Appended
from passline.live.asks import HallError, SeatAnswer, SeatAsked
from passline.live.dealing import MOST
from passline.live.entries import Draft
from passline.live.live_table import Asking, LiveTable
from passline.live.names import looks, seat_name
from passline.live.tables import Tables, store_errors
from passline.live.throws import Chance
from passline.live.tokens import Grant, Holder, grant, is_token
from passline.live.warm import WarmTable
from passline.money import AmountError, parse_dollars
from passline.record.table_lines import happening_words
from passline.table import codec, decide
from passline.table import commands as cmd
from passline.words import refusal_words

#: Refusals that say that a request has the wrong shape; the others, that it comes too late.
_SHAPE = frozenset({"no-such-place", "whole-chips"})


class Wanted(Struct, frozen=True):
    """A seat as it is asked for, read."""

    name: str
    amount: int
    place: int
    token: str
    invitation: str
    fresh: str

    @staticmethod
    def of(asked: SeatAsked, invitation: str, chance: Chance) -> Wanted:
        """What is asked for. HallError 400 where it has not the shape."""
        try:
            amount = parse_dollars(asked.buy_in)
        except AmountError as wrong:
            raise HallError(400, f"buy_in: {wrong}") from None
        if amount > MOST:
            raise HallError(400, "buy_in: no amount passes 10,000,000")
        if asked.place is not None and asked.place < 1:
            raise HallError(400, "place: places count from 1")
        if asked.token and not is_token(asked.token):
            raise HallError(400, "token: expected 32 to 64 letters and digits")
        name = seat_name(asked.name)
        return Wanted(
            name=name,
            amount=amount,
            place=asked.place or 0,
            token=asked.token,
            invitation=invitation,
            fresh=chance(24).hex(),
        )


async def take_seat(tables: Tables, warm: WarmTable, wanted: Wanted) -> SeatAnswer:
    """Seat a player, or say once more where he sits. HallError where neither can be."""
    while True:
        live = await tables.writable(warm)
        token, granted = await _token(tables, live, wanted)
        known = live.names.get(looks(wanted.name))
        if known is not None:
            if granted is not None or known != wanted.name:
                raise HallError(409, f"there is a player {known!r} already: choose another name")
            if not _asks_again(live, wanted):
                return _seated(live, wanted, token)
        elif _promised_to_another(live, wanted, granted):
            raise HallError(409, f"{wanted.name!r} is invited: sit down with that token")
        outcome = await tables.append(
            warm, live, [_draft(live, wanted)], grants=[granted] if granted else []
        )
        if isinstance(outcome, Appended):
            return _seated(warm.live, wanted, token)


def _asks_again(live: LiveTable, wanted: Wanted) -> bool:
    """Whether one whose buy-in was turned down asks for something else."""
    down = live.turned_down.get(wanted.name)
    if down is None or wanted.name in live.seated:
        return False
    return (down.amount, down.place) != (wanted.amount, wanted.place)


def _promised_to_another(live: LiveTable, wanted: Wanted, granted: Grant | None) -> bool:
    invited = live.invited.get(looks(wanted.name))
    return invited is not None and (invited != wanted.name or granted is not None)


async def _token(tables: Tables, live: LiveTable, wanted: Wanted) -> tuple[str, Grant | None]:
    """The seat's token, and its grant where it does not speak for the seat yet."""
    own = Holder("player", wanted.name)
    invited = False
    made = wanted.token or wanted.fresh
    for given in (wanted.token, wanted.invitation):
        if not given:
            continue
        async with store_errors():
            found = await tables.store.holder(live.id, given)
        if found == own:
            return given, None
        if found == Holder("player"):
            # One invitation may seat several: each has a token of its own, the same every time.
            invited = True
            if given == wanted.token or not wanted.token:
                made = sha256(f"seat:{given}:{wanted.name}".encode()).hexdigest()[:48]
        elif found is not None and given == wanted.token:
            raise HallError(409, "that token speaks for somebody else here: choose another")
    if not live.settings.open and not invited:
        asked = wanted.token or wanted.invitation
        raise HallError(403 if asked else 401, "this table asks for an invitation's token")
    async with store_errors():
        there = await tables.store.holder(live.id, made)
    return made, (None if there == own else grant(made, "player", wanted.name))


def _draft(live: LiveTable, wanted: Wanted) -> Draft:
    """The entry: the player joins, or the box is asked."""
    command = cmd.Join(wanted.name, wanted.amount, wanted.place)
    answer = decide(live.table, command)
    if isinstance(answer, Refusal):
        status = 400 if answer.code in _SHAPE else 409
        raise HallError(status, refusal_words(answer), cite=answer.cite)
    draft = Draft(role="player", by=wanted.name)
    if live.settings.buy_ins == "box":
        more = {"act": "asks", "amount": wanted.amount, "place": wanted.place}
        return Draft(role="player", by=wanted.name, more=more)
    return Draft(
        role=draft.role,
        by=draft.by,
        line=happening_words(command),
        events=[codec.to_plain(event) for event in answer],
    )


def turned_down(name: str, asked: Asking) -> HallError:
    """What is told of a buy-in that the box turned down."""
    why = f": {asked.reason}" if asked.reason else ""
    return HallError(403, f"{name}'s buy-in was declined{why}; another amount may be asked for")


def _seated(live: LiveTable, wanted: Wanted, token: str) -> SeatAnswer:
    there = live.seated.get(wanted.name)
    if there is None and wanted.name in live.turned_down:
        raise turned_down(wanted.name, live.turned_down[wanted.name])
    if there is None:
        place = live.asking[wanted.name].place if wanted.name in live.asking else wanted.place
        return SeatAnswer(
            name=wanted.name, place=place, token=token, seq=None, hash=None, waits=True
        )
    return SeatAnswer(
        name=wanted.name, place=there.place, token=token, seq=there.seq, hash=there.hash
    )
