"""Wagers called on and off, and what is said of a come-out that is still to come."""

from __future__ import annotations

import re

from passline.layout.may import may_call
from passline.table import commands as cmd
from passline.talk.changes import is_family, name_wagers
from passline.talk.utterance import Heard, UnheardError, UnplayableError, offer_choices, unplayable

_VERB = r"(?:turn|make|call|keep|leave) "
_CALLS = (
    re.compile(rf"(?:{_VERB})?(?P<what>.+?)(?: (?P<on>on|off))"),
    re.compile(rf"(?:{_VERB})?(?P<on>on|off)(?: (?P<what>.+))?"),
)
_COME_OUT = re.compile(r"(?: for)?(?: comeout)$")


def call_wagers(heard: Heard) -> list[cmd.AnyCommand]:
    """``turn me off``, ``hardways off``, ``my odds are working``, ``make the 4 and 10 work``."""
    said = _COME_OUT.sub("", heard.said)
    for pattern in _CALLS:
        found = pattern.fullmatch(said)
        if found is None:
            continue
        what = (found["what"] or "").removesuffix(" on").removeprefix("on ")
        if what in {"turn", "make", "call", "keep", "leave", "on", "off"}:
            what = ""
        try:
            slugs = name_wagers(heard, what)
        except UnheardError:
            continue
        on = found["on"] == "on"
        if is_family(heard, what):
            slugs = _may_be(heard, slugs, on) or slugs
        if not on and said != heard.said and heard.table.puck:
            raise _not_yet(heard, slugs)
        return [cmd.Call(heard.player, slug, on) for slug in slugs or [""]]
    raise UnheardError


def _may_be(heard: Heard, slugs: list[str], on: bool) -> list[str]:
    """Of a family, those that may be called; odds on the line, say, always work with it."""
    layout, wagers = heard.table.layout, heard.wagers
    return [
        slug
        for slug in slugs
        if may_call(layout, layout.spots[slug], wagers[slug].call, on) is None
    ]


def _not_yet(heard: Heard, slugs: list[str]) -> UnplayableError:
    """``off on the come-out`` with a point on: a call counts at once, and this one is for later.

    What rests on a come-out roll anyway needs no word.
    """
    spots = heard.table.layout.spots
    meant = slugs or _may_be(heard, list(heard.wagers), on=False)
    up = {slug: heard.wagers[slug] for slug in meant if slug in heard.wagers}
    if up and all(stake.call is None and not spots[slug].works for slug, stake in up.items()):
        return unplayable("rests-anyway", "custom: a call is for the next roll", wagers=tuple(up))
    now = [f"{slug} off" for slug in slugs] or ["all off"]
    return offer_choices("come-out-later", now)
