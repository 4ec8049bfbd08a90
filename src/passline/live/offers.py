"""What a post may say now: every act as a line with fields to fill in, or why it is barred.

One answer, asked of the table itself: each line is filled in and heard and dealt as it would be if
somebody said it, and nothing is written. So a page offers what the table takes, by the same code.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from importlib.resources import files
from itertools import product
from string import Formatter
from typing import Final, Literal

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from passline.layout import Refusal
from passline.live.acts import ENGINE, acting
from passline.live.asks import HallError
from passline.live.dealing import deal
from passline.live.entries import JsonObject
from passline.live.live_table import LiveTable
from passline.live.offer_fields import SAMPLES, Choice, Offering, choices, sample
from passline.live.saying import Acts, ThrowSaid, hear
from passline.live.tokens import Holder
from passline.money import dollars, show_dollars
from passline.table import commands as cmd
from passline.table.custody import automated, no_dice
from passline.table.options import Option
from passline.table.state import NOBODY, Seat
from passline.talk.says import money_words
from passline.words.refusals import refusal_words
from passline.words.wagers import layout_name


class Field(Struct, frozen=True):
    """A field of an offer, as ``offers.toml`` has it."""

    label: str
    kind: Literal["choice", "money", "face", "text"]
    optional: bool = False
    alike: bool = False


class Offer(Struct, frozen=True, kw_only=True):
    """An act as a page offers it."""

    act: str
    label: str
    line: str
    part: str = ""
    key: str = ""


class Sheet(Struct, frozen=True):
    """``offers.toml``, read."""

    offer: tuple[Offer, ...]
    wagers: dict[str, Offer]
    waiting: dict[str, Offer]
    fields: dict[str, Field]
    parts: dict[str, str]
    watching: dict[str, tuple[str, ...]]
    pages: dict[str, tuple[tuple[str, ...], ...]]


@cache
def offer_sheet() -> Sheet:
    """What pages offer, whoever may."""
    text = files("passline.live").joinpath("offers.toml").read_text("utf-8")
    return msgspec.convert(tomllib.loads(text), Sheet)


class Tried(Struct, frozen=True):
    """What came of a line that was tried: why it is barred (empty: it is taken), and whether
    because it is not theirs to say, or nobody's here."""

    reason: str = ""
    cite: str = ""
    unsaid: bool = False

    @property
    def bar(self) -> JsonObject | None:
        """As a page is told."""
        return {"reason": self.reason, "cite": self.cite} if self.reason else None


_TAKEN: Final = Tried()


def tried(live: LiveTable, holder: Holder, line: str) -> Tried:
    """What would come of a line, were it said now."""
    try:
        heard = hear(live, holder, line)
        if isinstance(heard, Acts | ThrowSaid):
            return _TAKEN
        dealt = deal(live, holder, heard)
    except HallError as wrong:
        unsaid = wrong.status in (403, 422) and not _waits(live, holder, line)
        return Tried(str(wrong), wrong.cite, unsaid)
    if dealt.line:
        return _TAKEN
    refusal = next(one.refusal for one in dealt.said if one.refusal is not None)
    never = automated(live.table) and refusal == no_dice(live.table)
    return Tried(refusal_words(refusal), refusal.cite, never)


def _waits(live: LiveTable, holder: Holder, line: str) -> bool:
    """Whether an act is theirs, and only waits: for dice in the air to be called, or to be looked
    over after a hit. Once that is done it is not barred by whose it is."""
    dice = live.table.dice
    if not (live.hit or dice.in_air):
        return False
    table = replace(live.table, dice=replace(dice, in_air=False))
    return not tried(replace(live, hit=False, table=table), holder, line).unsaid


def offers_of(of: Offering, holder: Holder) -> list[JsonObject]:
    """What somebody may say now that is about no one wager; what is barred says why, and what is
    somebody else's is left out."""
    counted: dict[str, int] = {}
    found = []
    for offer in offer_sheet().offer:
        number = counted[offer.act] = counted.get(offer.act, 0) + 1
        told = _offered(of, holder, offer)
        if told is not None:
            found.append({"id": f"{offer.act}-{number}"} | told)
    return [*_waiting(of, holder), *found]


def _offered(of: Offering, holder: Holder, offer: Offer) -> JsonObject | None:
    """An offer as a page is told of it; None: there is nothing to offer, or it is another's."""
    about = {
        "me": ENGINE[holder.role][0],
        "player": of.player,
        "shooter": next((n for n in (of.live.table.shooter, of.live.due, of.player) if n), NOBODY),
    }
    names = [name for _, name, _, _ in Formatter().parse(offer.line) if name]
    if any(name in about and not about[name] for name in names):
        return None
    line, label = (_about(text, about) for text in (offer.line, offer.label))
    asked = [name for name in names if name not in about]
    may = {name: choices(of, name) for name in asked if offer_sheet().fields[name].kind == "choice"}
    if not all(may.values()):
        return None
    bars = _bars(of, holder, line, asked, may)
    if all(one.unsaid for one in bars.values()):
        return None
    fields = [_field(of, name, may.get(name, ()), n, bars) for n, name in enumerate(asked)]
    bar = None if _TAKEN in bars.values() else next(iter(bars.values())).bar
    return _json(replace(offer, label=label), line, fields, bar)


def _about(text: str, about: Mapping[str, str]) -> str:
    for name, value in about.items():
        text = text.replace(f"{{{name}}}", value)
    return text


#: What was tried, by what stood in each field (empty in those that are no choice).
_Bars = Mapping[tuple[str, ...], Tried]


def _bars(
    of: Offering, holder: Holder, line: str, asked: list[str], may: Mapping[str, tuple[Choice, ...]]
) -> _Bars:
    """The line with every choice filled in, tried. Of what is alike the first stands for all."""
    known = offer_sheet().fields
    each = [
        (may[name][:1] if known[name].alike else may[name]) if name in may else (Choice("", ""),)
        for name in asked
    ]
    found: dict[tuple[str, ...], Tried] = {}
    for chosen in product(*each):
        values = {name: sample(of, name) for name in asked if name not in may}
        for choice in chosen:
            values |= choice.besides
        values |= {n: choice.value for n, choice in zip(asked, chosen, strict=True) if n in may}
        said = " ".join(line.format(**values).split())
        found[tuple(choice.value for choice in chosen)] = tried(of.live, holder, said)
    return found


def _field(of: Offering, name: str, may: Iterable[Choice], at: int, bars: _Bars) -> JsonObject:
    known = offer_sheet().fields[name]
    told: JsonObject = {"name": name, "label": known.label, "kind": known.kind}
    if known.kind != "choice":
        told |= {"value": "" if known.kind == "face" or name in SAMPLES else sample(of, name)}
        return told | ({"optional": True} if known.optional else {})
    told["choices"] = [
        {"value": choice.value, "label": choice.label, "bar": _barred(choice, at, bars)}
        for choice in may
    ]
    return told


def _barred(choice: Choice, at: int, bars: _Bars) -> JsonObject | None:
    """Why one choice is barred, whatever stands in the other fields."""
    own = [one for values, one in bars.items() if values[at] == choice.value]
    if not own or _TAKEN in own:  # one that is like those that were tried
        return None
    return own[0].bar


def _json(offer: Offer, line: str, fields: list[JsonObject], bar: JsonObject | None) -> JsonObject:
    told = {
        "act": offer.act,
        "label": offer.label,
        "part": offer.part,
        "line": line,
        "fields": fields,
        "bar": bar,
    }
    return told | ({"key": offer.key} if offer.key else {})


def _waiting(of: Offering, holder: Holder) -> Iterator[JsonObject]:
    """Buy-ins that wait for the box: to be let in or turned down, each in one touch."""
    for name, ask in of.live.asking.items():
        seat = of.live.table.find(name)
        here = seat is not None and seat.here
        values = {
            "name": name,
            "cash": money_words(ask.amount),
            "at": f" at {ask.place}" if ask.place else "",
            "amount": show_dollars(ask.amount),
        }
        for kind in ("buy-in" if here else "join", "decline"):
            offer = offer_sheet().waiting[kind]
            line = offer.line.format(**values)
            came = tried(of.live, holder, line)
            if not came.unsaid:
                label = offer.label.format(**values)
                worded = replace(offer, label=label, part="waiting")
                yield {"id": f"{kind}-{name}"} | _json(worded, line, [], came.bar)


def booking(of: Offering, holder: Holder) -> list[JsonObject]:
    """What somebody may book for the player who was picked, wager by wager: for the table's own
    limits, or why not. Wagers that are not theirs to book are left out."""
    found: dict[str, list[JsonObject]] = {}
    for option in of.bets:
        offer = offer_sheet().wagers.get(option.verb)
        if offer is None or not _theirs(of.live, holder, _of_option(of.player, option)):
            continue
        line = offer.line.replace("{player}", of.player).replace("{wager}", option.wager)
        bar = option.bar
        told = _json(offer, line, _amount(option) if "{amount}" in line else [], _told(bar))
        found.setdefault(option.wager, []).append({"id": option.verb} | told)
    return [
        {"wager": wager, "name": layout_name(wager), "offers": may} for wager, may in found.items()
    ]


def books(live: LiveTable, holder: Holder, seat: Seat) -> bool:
    """Whether any wager of a player who is here is somebody's to book."""
    made = (cmd.Bet(seat.id, slug, 1) for slug in live.table.layout.spots)
    return seat.here and any(_theirs(live, holder, one) for one in made)


def _theirs(live: LiveTable, holder: Holder, command: cmd.AnyCommand) -> bool:
    try:
        acting(live, holder, command)
    except HallError:
        return False
    return True


def _of_option(player: str, option: Option) -> cmd.AnyCommand:
    """What is done with a wager, as a command."""
    match option.verb:
        case "bet":
            return cmd.Bet(player, option.wager, 1)
        case "raise" | "reduce":
            return cmd.Change(player, option.wager, 1)
        case "down":
            return cmd.TakeDown(player, option.wager)
        case verb:
            return cmd.Call(player, option.wager, verb == "on")


def _amount(option: Option) -> list[JsonObject]:
    limits = {
        "least": dollars(option.least),
        "most": dollars(option.most),
        "step": dollars(option.step),
    }
    field = offer_sheet().fields["amount"]
    told = {"name": "amount", "label": field.label, "kind": field.kind}
    return [told | {"value": money_words(option.least)} | limits]


def _told(bar: Refusal | None) -> JsonObject | None:
    return None if bar is None else {"reason": refusal_words(bar), "cite": bar.cite}
