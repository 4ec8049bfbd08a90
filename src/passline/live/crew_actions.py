"""List what a crew post may do now, as lines with fields to fill in. Pure.

Each action is filled in, parsed and decided like a real line, but nothing is written. So a page
offers exactly what the table accepts, and says why anything else is barred. ``crew_actions.toml``
lists the actions and their fields; the functions here list the values that each field may have now.
"""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Iterable, Iterator, Mapping
from datetime import datetime
from functools import cache
from importlib.resources import files
from itertools import product
from string import Formatter
from typing import Final, Literal, NamedTuple
from zoneinfo import ZoneInfo

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from passline.game.law import no_roll_and_dice_grounds as grounds
from passline.game.law.book import Book
from passline.game.law.roles import BASE_DEALER, RELIEF_TITLES
from passline.game.money.amounts import show_dollars, to_dollars
from passline.game.table import commands as cmd
from passline.game.table.dice_custody import dice_set_size, is_automated, refuse_machine_throws
from passline.game.table.options import Option
from passline.game.table.posts import count_base_dealers, find_absence
from passline.game.table.state import NOBODY, Seat
from passline.game.table.table_ends import count_places
from passline.game.table.throws import OFF_TABLE
from passline.game.words.live import say_live
from passline.game.words.refusals import describe_refusal, format_inches
from passline.game.words.wagers import layout_name
from passline.live.decide_line import decide_line
from passline.live.live_table import LiveTable
from passline.live.log_entries import JsonObject
from passline.live.parse_line import TableAct, ThrowRequest, parse_line
from passline.live.permissions import ENGINE_ROLES, authorize
from passline.live.schema import ServiceError
from passline.live.tokens import Holder
from passline.record.table_lines import SIDES
from passline.talk.canonical import format_amount
from passline.text import show_name

#: Values to try where any text would do: an unused name, a serial number.
SAMPLE_TEXTS: Final = {"name": "newcomer", "serial": "0000"}
#: A round amount of cash, in cents.
_SAMPLE_CASH: Final = 100_00


class ActionContext(Struct, frozen=True, kw_only=True):
    """The situation for which actions are listed: the table's state, the time, a picked player.

    ``player`` is the one that a crew member picked on the page, or "", and ``bets`` are that
    player's bet options.
    """

    live: LiveTable
    now: datetime
    player: str = ""
    bets: tuple[Option, ...] = ()

    @property
    def book(self) -> Book:
        """The table's rulebook."""
        return self.live.table.house.book


class Choice(NamedTuple):
    """One value of a field, with its label on the page.

    ``besides`` gives values for other fields, which are used when this value is tried.
    """

    value: str
    label: str
    besides: Mapping[str, str] = {}


def list_choices(context: ActionContext, field: str) -> tuple[Choice, ...]:
    """Return the values that a field may have now. ``field`` is its name in ``crew_actions.toml``.

    The result is empty if the field takes free text, or if there is nothing to choose now.
    """
    found = _CHOICE_LISTS.get(field)
    return tuple(found(context)) if found is not None else ()


def sample_value(context: ActionContext, field: str) -> str:
    """Return the value that a field shows at first. It is also used to try out the action.

    ``field`` is its name in ``crew_actions.toml``.
    """
    house = context.live.table.house
    if field == "when":
        here = context.now.astimezone(ZoneInfo(context.live.settings.zone))
        return max(f"{here:%Y-%m-%d %H:%M}", context.live.table.now)
    if field == "sizes":
        return _sample_sizes(context)
    if field == "first":  # A correction needs other faces than those of the last throw.
        throw = context.live.table.correctable
        return "2" if throw is not None and (throw.first, throw.second) == (1, 1) else "1"
    cents = {
        "cash": max(_SAMPLE_CASH, house.minimum),
        "tip": house.rack.smallest,
        "low": house.minimum,
        "high": house.maximum,
    }.get(field)
    return format_amount(cents) if cents is not None else SAMPLE_TEXTS.get(field, "1")


def _sample_sizes(context: ActionContext) -> str:
    """Return a die size in inches that passes inspection, repeated for each die of a set.

    Return an empty string if the rulebook gives no size.
    """
    rules = context.live.table.house.book.inspection
    size = rules.least or rules.most
    if size is None:
        return ""
    return " ".join([format_inches(size.value)] * dice_set_size(context.live.table))


def _choices_from_names(names: Iterable[str]) -> Iterator[Choice]:
    for name in dict.fromkeys(names):
        yield Choice(name, name.replace("-", " "))


def _book_grounds(kind: grounds.GroundsSelector) -> Callable[[ActionContext], Iterator[Choice]]:
    """Return a function that lists the grounds (reasons) that the table's own rulebook states.

    ``kind`` selects the decision that needs a ground, such as a no-roll call.
    """
    return lambda context: _choices_from_names(one.name for one in kind(context.book))


def _any_grounds(kind: grounds.GroundsSelector) -> Callable[[ActionContext], Iterator[Choice]]:
    """Return a function that lists the grounds (reasons) of all rulebooks.

    A page needs them for a decision about which the table's rulebook may be silent. ``kind``
    selects the decision that needs a ground, such as taking dice out of play.
    """
    return lambda context: _choices_from_names(grounds.iter_ground_names(kind, context.book))


def _no_roll_choices(context: ActionContext) -> Iterator[Choice]:
    for choice in _book_grounds(grounds.no_roll_grounds)(context):
        yield choice
        if choice.value == OFF_TABLE:
            for side in SIDES:
                yield Choice(f"{OFF_TABLE} {side}", f"{choice.label}, {side}")


def _color_choices(context: ActionContext) -> Iterator[Choice]:
    for chip in context.live.table.house.rack.chips:
        yield Choice(chip.color, chip.color, {"cash": format_amount(chip.value)})


def _late_bet_choices(context: ActionContext) -> Iterator[Choice]:
    for late in context.live.table.late:
        player, wager = show_name(late.player), layout_name(late.wager)
        words = say_live("late-bet", player=player, wager=wager, amount=late.amount)
        yield Choice(f"{late.player} {late.wager}", words)


def _place_choices(context: ActionContext) -> Iterator[Choice]:
    table = context.live.table
    taken = {seat.place for seat in table.playing}
    yield Choice("", say_live("lowest-place"))
    for place in range(1, count_places(table) + 1):
        if place not in taken:
            yield Choice(f"at {place}", str(place))


def _post_choices(context: ActionContext) -> Iterator[Choice]:
    house = context.live.table.house
    if is_automated(context.live.table):
        return
    both = count_base_dealers(house)[0] > 1
    for post in RELIEF_TITLES:
        if not (post == BASE_DEALER and both) and find_absence(house, post) is None:
            yield Choice(post, post)


def _limit_choices(context: ActionContext) -> Iterator[Choice]:
    for slug, spot in context.live.table.layout.spots.items():
        low, high = format_amount(spot.minimum), format_amount(spot.maximum)
        yield Choice(slug, layout_name(slug), {"low": low, "high": high})


def _bet_choices(context: ActionContext) -> Iterator[Choice]:
    for option in context.bets:
        if option.bar is None and option.verb in ("bet", "raise"):
            least = {"tip": format_amount(option.least)}
            yield Choice(option.wager, layout_name(option.wager), least)


_CHOICE_LISTS: Final[Mapping[str, Callable[[ActionContext], Iterable[Choice]]]] = {
    "ground": _no_roll_choices,
    "warned": _book_grounds(grounds.warning_grounds),
    "misdeed": _book_grounds(grounds.pass_grounds),
    "flaw": _any_grounds(grounds.flaw_grounds),
    "recall": _any_grounds(grounds.recall_grounds),
    "new": _any_grounds(grounds.new_dice_grounds),
    "late": _late_bet_choices,
    "asker": lambda context: _choices_from_names(context.live.table.color_up_requests),
    "colour": _color_choices,
    "spot": _bet_choices,
    "place": _place_choices,
    "ready": lambda context: _choices_from_names(context.live.table.dice.ready),
    "retired": lambda context: _choices_from_names(
        one
        for one in context.live.table.dice.retired
        if one not in context.live.table.dice.cancelled
    ),
    "post": _post_choices,
    "limited": _limit_choices,
}


class ActionField(Struct, frozen=True):
    """A field of an action, as in ``crew_actions.toml``.

    ``alike`` means that the table accepts all choices or none, so that only the first is tried.
    """

    label: str
    kind: Literal["choice", "money", "face", "text"]
    optional: bool = False
    alike: bool = False


class ActionTemplate(Struct, frozen=True, kw_only=True):
    """An action as a page offers it, as in ``crew_actions.toml``.

    ``act`` names the action. ``line`` is the record line, with its fields in braces. ``part`` is
    the section of the page, and ``key`` a keyboard shortcut.
    """

    act: str
    label: str
    line: str
    part: str = ""
    key: str = ""


class ActionSheet(Struct, frozen=True):
    """The contents of ``crew_actions.toml``.

    ``offer`` has the actions of the crew, ``wagers`` those on a player's bets, ``waiting`` those on
    waiting buy-ins. ``fields`` describes the fields of all actions. ``parts`` has the titles of a
    page's sections, and ``pages`` the columns of sections for each post; ``watching`` has those of
    a post that only watches.
    """

    offer: tuple[ActionTemplate, ...]
    wagers: dict[str, ActionTemplate]
    waiting: dict[str, ActionTemplate]
    fields: dict[str, ActionField]
    parts: dict[str, str]
    watching: dict[str, tuple[str, ...]]
    pages: dict[str, tuple[tuple[str, ...], ...]]


@cache
def load_action_sheet() -> ActionSheet:
    """Load ``crew_actions.toml``: the actions that the pages of all roles offer."""
    text = files("passline.live").joinpath("crew_actions.toml").read_text("utf-8")
    return msgspec.convert(tomllib.loads(text), ActionSheet)


class TrialResult(Struct, frozen=True):
    """The result of trying a line: whether the table would accept it.

    ``reason`` says why not, and is empty if it would. ``cite`` is the clause for the reason.
    ``not_permitted`` means that this role may never say the line at this table.
    """

    reason: str = ""
    cite: str = ""
    not_permitted: bool = False

    @property
    def bar(self) -> JsonObject | None:
        """The reason and its clause as a page shows them, or None if the line is accepted."""
        return {"reason": self.reason, "cite": self.cite} if self.reason else None


_ACCEPTED: Final = TrialResult()


def try_line(live: LiveTable, holder: Holder, line: str) -> TrialResult:
    """Return whether the table would accept a line from this holder now, and if not, why.

    Nothing is written to the log.
    """
    try:
        parsed = parse_line(live, holder, line)
        if isinstance(parsed, TableAct | ThrowRequest):
            return _ACCEPTED
        decided = decide_line(live, holder, parsed)
    except ServiceError as wrong:
        never = wrong.code in ("forbidden", "not_understood")
        return TrialResult(str(wrong), wrong.cite, never and not _only_waits(live, holder, line))
    if decided.line:
        return _ACCEPTED
    refusal = next(one.refusal for one in decided.decisions if one.refusal is not None)
    never = is_automated(live.table) and refusal == refuse_machine_throws(live.table)
    return TrialResult(describe_refusal(refusal), refusal.cite, never)


def _only_waits(live: LiveTable, holder: Holder, line: str) -> bool:
    """Return whether a barred line becomes allowed once the dice are called or inspected.

    It tries the line on a copy of the table where that has happened.
    """
    dice = live.table.dice
    if not (live.bonus_hit or dice.in_air):
        return False
    table = replace(live.table, dice=replace(dice, in_air=False))
    return not try_line(replace(live, bonus_hit=False, table=table), holder, line).not_permitted


def list_actions(context: ActionContext, holder: Holder) -> list[JsonObject]:
    """Return the actions that a post's page offers now, as JSON objects, waiting buy-ins first.

    Each has an id, a label, a line, its fields, and ``bar``: why it is barred now, or None. Actions
    that this role may never use are left out. `list_bookings` has the actions on a player's bets.
    """
    counted: dict[str, int] = {}
    found = []
    for offer in load_action_sheet().offer:
        number = counted[offer.act] = counted.get(offer.act, 0) + 1
        action = _action_json(context, holder, offer)
        if action is not None:
            found.append({"id": f"{offer.act}-{number}"} | action)
    return [*_buy_in_actions(context, holder), *found]


def _action_json(
    context: ActionContext, holder: Holder, offer: ActionTemplate
) -> JsonObject | None:
    """Return an action as a page shows it, with the choices of its fields, as JSON.

    Return None if the action needs a picked player and there is none, if one of its fields has no
    choice now, or if the role may never use it.
    """
    live, player = context.live, context.player
    shooter = live.table.shooter or live.next_shooter or player or NOBODY
    about = {"me": ENGINE_ROLES[holder.role][0], "player": player, "shooter": shooter}
    names = [name for _, name, _, _ in Formatter().parse(offer.line) if name]
    if any(name in about and not about[name] for name in names):
        return None
    line = _fill_names(offer.line, about)
    label = _fill_names(offer.label, {key: show_name(value) for key, value in about.items()})
    open_names = [name for name in names if name not in about]
    known = load_action_sheet().fields
    may = {name: list_choices(context, name) for name in open_names if known[name].kind == "choice"}
    if not all(may.values()):
        return None
    bars = _try_choices(context, holder, line, open_names, may)
    if all(one.not_permitted for one in bars.values()):
        return None
    fields = [
        _field_json(context, name, may.get(name, ()), at, bars)
        for at, name in enumerate(open_names)
    ]
    bar = None if _ACCEPTED in bars.values() else next(iter(bars.values())).bar
    return _template_json(replace(offer, label=label), line, fields, bar)


def _fill_names(text: str, about: Mapping[str, str]) -> str:
    """Replace ``{name}`` in a text by its value, for every name in ``about``."""
    for name, value in about.items():
        text = text.replace(f"{{{name}}}", value)
    return text


#: Trial results by the values of the fields (empty for fields that are not a choice).
_Trials = Mapping[tuple[str, ...], TrialResult]


def _try_choices(
    context: ActionContext,
    holder: Holder,
    line: str,
    open_names: list[str],
    may: Mapping[str, tuple[Choice, ...]],
) -> _Trials:
    """Try a line with every combination of choices. Return the results by the chosen values.

    ``open_names`` are the line's fields in order, and ``may`` has the choices of those that are not
    free text. Of a field marked ``alike``, only the first choice is tried.
    """
    known = load_action_sheet().fields
    each = [
        (may[name][:1] if known[name].alike else may[name]) if name in may else (Choice("", ""),)
        for name in open_names
    ]
    found: dict[tuple[str, ...], TrialResult] = {}
    for chosen in product(*each):
        values = {name: sample_value(context, name) for name in open_names if name not in may}
        for choice in chosen:
            values |= choice.besides
        values |= {
            n: choice.value for n, choice in zip(open_names, chosen, strict=True) if n in may
        }
        said = " ".join(line.format(**values).split())
        found[tuple(choice.value for choice in chosen)] = try_line(context.live, holder, said)
    return found


def _field_json(
    context: ActionContext, name: str, may: Iterable[Choice], at: int, bars: _Trials
) -> JsonObject:
    """Return a field as JSON: with its choices ``may``, or with the value that a page shows first.

    ``at`` is the field's position in the line, and ``bars`` are the results of `_try_choices`.
    """
    known = load_action_sheet().fields[name]
    field: JsonObject = {"name": name, "label": known.label, "kind": known.kind}
    if known.kind != "choice":
        empty = known.kind == "face" or name in SAMPLE_TEXTS
        field["value"] = "" if empty else sample_value(context, name)
        return field | ({"optional": True} if known.optional else {})
    field["choices"] = [
        {"value": choice.value, "label": choice.label, "bar": _choice_bar(choice, at, bars)}
        for choice in may
    ]
    return field


def _choice_bar(choice: Choice, at: int, bars: _Trials) -> JsonObject | None:
    """Return why a form must disable one choice of a field, or None if it offers the choice.

    A form offers a choice if the table accepts it with at least one combination of the other
    fields, or if it was not tried. ``at`` is the position of the choice's field in the keys of
    ``bars``, the results of `_try_choices`.
    """
    own = [one for values, one in bars.items() if values[at] == choice.value]
    if not own or _ACCEPTED in own:  # An untried choice is like a tried one.
        return None
    return own[0].bar


def _template_json(
    offer: ActionTemplate, line: str, fields: list[JsonObject], bar: JsonObject | None
) -> JsonObject:
    """Return an action as JSON: its line, its fields, and ``bar``, the reason why it is barred."""
    template = msgspec.structs.asdict(offer) | {"line": line, "fields": fields, "bar": bar}
    if not offer.key:
        del template["key"]
    return template


def _buy_in_actions(context: ActionContext, holder: Holder) -> Iterator[JsonObject]:
    """Yield the actions that accept or decline each waiting buy-in."""
    for name, ask in context.live.buy_in_requests.items():
        seat = context.live.table.find(name)
        here = seat is not None and seat.here
        values = {
            "name": name,
            "cash": format_amount(ask.amount),
            "at": f" at {ask.place}" if ask.place else "",
            "amount": show_dollars(ask.amount),
        }
        words = values | {"name": show_name(name)}
        for kind in ("buy-in" if here else "join", "decline"):
            offer = load_action_sheet().waiting[kind]
            line = offer.line.format(**values)
            came = try_line(context.live, holder, line)
            if not came.not_permitted:
                label = offer.label.format(**words)
                worded = replace(offer, label=label, part="waiting")
                yield {"id": f"{kind}-{name}"} | _template_json(worded, line, [], came.bar)


def list_bookings(context: ActionContext, holder: Holder) -> list[JsonObject]:
    """Return what a crew member may do with the picked player's bets, one JSON object for each bet.

    The ``offers`` of a bet are actions such as bet or take down, each with its limits and ``bar``:
    why it is barred now, or None.
    """
    found: dict[str, list[JsonObject]] = {}
    for option in context.bets:
        offer = load_action_sheet().wagers.get(option.verb)
        command = _option_command(context.player, option)
        if offer is None or not _may_say(context.live, holder, command):
            continue
        line = offer.line.replace("{player}", context.player).replace("{wager}", option.wager)
        fields = _amount_field(option) if "{amount}" in line else []
        bar = TrialResult(describe_refusal(option.bar), option.bar.cite).bar if option.bar else None
        booking = _template_json(offer, line, fields, bar)
        found.setdefault(option.wager, []).append({"id": option.verb} | booking)
    return [
        {"wager": wager, "name": layout_name(wager), "offers": may} for wager, may in found.items()
    ]


def may_book(live: LiveTable, holder: Holder, seat: Seat) -> bool:
    """Return whether a holder may book (make for the player) at least one of the layout's bets.

    Return False if the player has left.
    """
    made = (cmd.Bet(seat.id, slug, 1) for slug in live.table.layout.spots)
    return seat.here and any(_may_say(live, holder, one) for one in made)


def _may_say(live: LiveTable, holder: Holder, command: cmd.AnyCommand) -> bool:
    try:
        authorize(live, holder, command)
    except ServiceError:
        return False
    return True


def _option_command(player: str, option: Option) -> cmd.AnyCommand:
    """Return the engine command for an option of a player's bet, with an amount of one cent.

    The command serves only to ask who may give it.
    """
    match option.verb:
        case "bet":
            return cmd.Bet(player, option.wager, 1)
        case "raise" | "reduce":
            return cmd.Change(player, option.wager, 1)
        case "down":
            return cmd.TakeDown(player, option.wager)
        case verb:
            return cmd.Call(player, option.wager, verb == "on")


def _amount_field(option: Option) -> list[JsonObject]:
    """Return the field for a bet's amount as a list of one object, with its limits in dollars."""
    limits = {name: to_dollars(getattr(option, name)) for name in ("least", "most", "step")}
    field = load_action_sheet().fields["amount"]
    shown = {"name": "amount", "label": field.label, "kind": field.kind}
    return [shown | {"value": format_amount(option.least)} | limits]
