"""What became of each clause: enforced, modelled, or only shown; and where that stands."""

from __future__ import annotations

from fnmatch import fnmatchcase
from functools import cache
from importlib import resources
from typing import Literal

import msgspec

from passline.law.clauses import DECIDED, Clause, register
from passline.law.duties import CONDUCT, post_of
from passline.law.places import CitedPlace, citations
from passline.law.shelf import Volume, volume
from passline.law.voices import held_at_posts

Status = Literal["enforced", "modelled", "shown"]

#: Which module gives a place of a book its meaning: the first pattern that fits the key path.
MODULES: tuple[tuple[str, str], ...] = (
    ("wager.*.made", "layout/may.py"),
    ("wager.*.raises", "layout/may.py"),
    ("wager.*.reduces", "layout/may.py"),
    ("wager.*.removes", "layout/may.py"),
    ("wager.*.call_*", "layout/may.py"),
    ("wager.*.games", "layout/may.py"),
    ("wager.*.come_out", "layout/settle.py"),
    ("wager.*.stays", "layout/settle.py"),
    ("wager.*.counts", "layout/settle.py"),
    ("wager.*.needs", "layout/settle.py"),
    ("wager.*.least", "layout/settle.py"),
    ("wager.*.settled", "layout/settle.py"),
    ("wager.*.restored_by", "layout/may.py"),
    ("wager.*.most*", "house/limits.py"),
    ("wager.*.minimum", "house/limits.py"),
    ("wager.*.maximum", "house/limits.py"),
    ("wager.*.step", "layout/amounts.py"),
    ("wager.*.limited_by", "layout/amounts.py"),
    ("wager.*.units_by", "layout/felt.py"),
    ("wager.*.numbers", "law/families.py"),
    ("wager.*.high", "law/families.py"),
    ("wager.*.high_units", "house/limits.py"),
    ("wager.*.legs", "house/limits.py"),
    ("wager.*.pays*", "house/payouts.py"),
    ("wager.*.split", "table/betting.py"),
    ("wager.*.parts", "table/betting.py"),
    ("wager.*.put", "layout/spots.py"),
    ("wager.*", "layout/verdicts.py"),
    ("changes.dont_odds_basis", "layout/amounts.py"),
    ("changes*", "layout/may.py"),
    ("stakes.found_*", "layout/settle.py"),
    ("stakes.pays*", "house/lint_amounts.py"),
    ("stakes.breakage_allowed", "house/lint.py"),
    ("stakes.breakage", "house/limits.py"),
    ("stakes.*_default", "house/house.py"),
    ("stakes*", "layout/amounts.py"),
    ("odds_word", "house/card.py"),
    ("odds.*least", "house/lint_odds.py"),
    ("odds.*most", "house/lint_odds.py"),
    ("odds.default", "house/house.py"),
    ("odds.three_four_five*", "house/house.py"),
    ("odds*", "layout/amounts.py"),
    ("vig.*.most", "house/lint_vig.py"),
    ("vig.*.bases", "house/lint_vig.py"),
    ("vig.*.whens", "house/lint_vig.py"),
    ("vig.*.mixed", "house/lint_vig.py"),
    ("vig.*.capped", "house/lint_vig.py"),
    ("vig*", "house/house.py"),
    ("no_other_fee", "house/lint.py"),
    ("tender.toke*", "table/tokes.py"),
    ("tender.change_out", "table/change.py"),
    ("tender.colour_by", "table/change.py"),
    ("tender.chips", "table/betting.py"),
    ("tender*", "table/tendering.py"),
    ("seating.until", "table/coming_and_going.py"),
    ("seating*", "table/tendering.py"),
    ("throw*", "table/throwing.py"),
    ("dice.must_pass", "table/throwing.py"),
    ("dice.set_more", "house/lint.py"),
    ("dice.new_set*", "table/inspection.py"),
    ("dice*", "table/custody.py"),
    ("inspection.lost", "table/dice_down.py"),
    ("inspection.down_by", "table/dice_down.py"),
    ("inspection.reopen", "table/dead_game.py"),
    ("inspection.hours", "table/sending.py"),
    ("inspection*", "table/inspection.py"),
    ("crew*", "table/posts.py"),
    ("relief*", "table/relief.py"),
    ("dead_game*", "table/dead_game.py"),
    ("shootout.start", "table/opening.py"),
    ("shootout*", "table/shootout.py"),
    ("net_*", "layout/settle.py"),
    ("groups*", "talk/groups.py"),
    ("elect.*.default", "house/house.py"),
    ("elect*", "house/lint.py"),
    ("games", "house/house.py"),
    ("points", "table/throwing.py"),
    ("unlisted", "layout/may.py"),
    ("working", "layout/may.py"),
    ("also", "table/throwing.py"),
)


class Standing(msgspec.Struct, frozen=True):
    """A clause, what became of it, and what implements or shows it."""

    clause: Clause
    status: Status
    places: tuple[str, ...]

    @property
    def where(self) -> str:
        """The places in one line."""
        return "; ".join(self.places)


class _Modelled(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    #: By rulebook, by module: the clauses whose content stands there.
    modelled: dict[str, dict[str, tuple[str, ...]]]


@cache
def modelled() -> dict[str, dict[str, tuple[str, ...]]]:
    """For each rulebook, the modules in which a clause that no value cites is modelled."""
    text = resources.files("passline.law").joinpath("modelled.toml").read_text("utf-8")
    found: dict[str, dict[str, tuple[str, ...]]] = {}
    for book, modules in msgspec.toml.decode(text, type=_Modelled).modelled.items():
        here = found.setdefault(book, {})
        for module, clauses in modules.items():
            for clause in clauses:
                here[clause] = (*here.get(clause, ()), module)
    return found


def module_of(path: str) -> str:
    """The module that gives a place of a book its meaning.

    >>> module_of("wager.pass.first_win"), module_of('elect."offers.fire".choices')
    ('layout/verdicts.py', 'house/lint.py')
    """
    for pattern, module in MODULES:
        if fnmatchcase(path, pattern):
            return module
    raise LookupError(f"no module is named for {path}")


def _where(
    on_shelf: Volume, there: tuple[CitedPlace, ...], modules: tuple[str, ...]
) -> tuple[str, ...]:
    """Places of the book first, then the modules that carry them out."""
    found = [f"{on_shelf.name}: {place.path}" for place in there]
    for module in (*(module_of(place.path) for place in there), *modules):
        if module not in found:
            found.append(module)
    return tuple(found)


def _shown(on_shelf: Volume, clause: Clause) -> tuple[str, ...]:
    """Where a clause that is only shown can be read."""
    if clause.kind not in CONDUCT:
        return (on_shelf.register_name,)
    duties = f"passline duties {on_shelf.id}: {post_of(on_shelf.id, clause.id)}"
    return on_shelf.register_name, duties


def _at_posts(where: tuple[str, ...], held: tuple[str, ...]) -> tuple[str, ...]:
    """Where a clause of procedure stands that a live table holds people to."""
    return tuple(dict.fromkeys((*where, *held, "live/acts.py: at a live table")))


@cache
def _standings(on_shelf: Volume) -> tuple[Standing, ...]:
    book_id = on_shelf.id
    cited, listed = citations(book_id), modelled().get(book_id, {})
    at_posts = held_at_posts(book_id)
    found = []
    for clause in register(book_id):
        there, modules = cited.get(clause.id, ()), listed.get(clause.id, ())
        if clause.id in at_posts and clause.kind not in DECIDED:
            where = _at_posts(_where(on_shelf, there, modules), at_posts[clause.id])
            found.append(Standing(clause, "enforced", where))
            continue
        if not there and not modules:
            found.append(Standing(clause, "shown", _shown(on_shelf, clause)))
            continue
        status: Status = "enforced" if clause.kind in DECIDED else "modelled"
        found.append(Standing(clause, status, _where(on_shelf, there, modules)))
    return tuple(found)


def standings(book_id: str) -> tuple[Standing, ...]:
    """Every clause of a rulebook with its status, in the rulebook's order."""
    return _standings(volume(book_id))
