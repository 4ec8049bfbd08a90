"""Clauses of procedure: the post responsible for each, and who may do each act at a live table.

A post is a position of the crew, such as base dealer. An act is something that the crew does, such
as ``send-dice``. ``passline duties`` shows the clauses that each post must follow.
``live.permissions`` enforces the rules about acts. The data is in ``duties.toml`` and
``act_rules.toml`` of the rulebooks that have them. Duties may also stand in ``book.toml``.
"""

from __future__ import annotations

from fnmatch import fnmatchcase
from typing import Literal

import msgspec

from passline.game.law.base_books import list_bases
from passline.game.law.book import Duty
from passline.game.law.book_files import cached_by_book
from passline.game.law.book_parts import load_part, name_part
from passline.game.law.clauses import Clause, list_clauses
from passline.game.law.load import rulebook
from passline.game.law.roles import Role

#: The kinds of clause about how people act and how the equipment looks.
CONDUCT_KINDS = frozenset({"procedure", "physical"})
#: The post shown for a clause that no pattern matches.
EVERYBODY = "everybody"


class _DutyFile(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    duty: tuple[Duty, ...] = ()


def _find_duties(book_id: str) -> tuple[Duty, ...]:
    """Return all duties of a rulebook: those in its ``book.toml``, then those in ``duties.toml``.

    A duty is a post (such as base dealer) and the clauses that its holder must follow.
    """
    return (*rulebook(book_id).duties, *load_part(book_id, "duties", _DutyFile).duty)


def find_post(book_id: str, clause: str) -> str:
    """Return the post that is responsible for a clause, or ``everybody`` if no duty lists it.

    >>> find_post("iowa", "stick.7#1"), find_post("iowa", "relief.box.2")
    ('stickperson', 'boxperson')
    """
    # A base's clause may be cited as BASE:ID; the patterns are written for the id.
    plain = next(
        (
            clause.removeprefix(f"{base}:")
            for base in list_bases(book_id)
            if clause.startswith(f"{base}:")
        ),
        clause,
    )
    for duty in _find_duties(book_id):
        if any(fnmatchcase(plain, pattern) for pattern in duty.clauses):
            return duty.post
    return EVERYBODY


def list_duties(book_id: str) -> dict[str, tuple[Clause, ...]]:
    """Return the clauses about conduct or equipment, by the post that must follow them.

    The clauses of a post are in the book's order.
    """
    posts = (*(duty.post for duty in _find_duties(book_id)), EVERYBODY)
    found: dict[str, list[Clause]] = {post: [] for post in posts}
    for clause in list_clauses(book_id):
        if clause.kind in CONDUCT_KINDS:
            found.setdefault(find_post(book_id, clause.id), []).append(clause)
    return {post: tuple(clauses) for post, clauses in found.items() if clauses}


@cached_by_book
def works_by_custom(book_id: str) -> bool:
    """Return whether a rulebook leaves the crew's work to custom, as in Las Vegas.

    Such a rulebook has no clause about conduct or equipment, and the books that it builds on have
    none.
    """
    return all(clause.kind not in CONDUCT_KINDS for clause in list_clauses(book_id))


#: When a rule's ``by`` applies: always, after the stickperson asks another to call the roll, or if
#: the act answers a player's request.
ActCondition = Literal["", "call-it", "asked"]


class ActRule(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A clause (``cite``) about who may do certain acts, such as ``send-dice``, at a live table.

    * ``by``: only these roles may do them. ``never``: these roles may not.
    * ``within``: refusals cite the clause where ``permissions.toml`` limits a role to its own end,
      to the center, or to tables where the dice are typed in. It limits nothing itself.
    * ``until``: nobody may do them before the throw is called ("called"), or before the dice are
      inspected after a bonus ("inspected").
    * ``games``: the games in which the rule applies; () means all. ``when``: the condition under
      which ``by`` applies.
    * ``also``: other clauses that the rule enforces.
    """

    acts: tuple[str, ...]
    cite: str
    also: tuple[str, ...] = ()
    by: tuple[Role, ...] = ()
    never: tuple[Role, ...] = ()
    within: tuple[Literal["end", "center", "typed"], ...] = ()
    until: Literal["", "called", "inspected"] = ""
    games: tuple[str, ...] = ()
    when: ActCondition = ""


class _ActRulesFile(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    voice: tuple[ActRule, ...] = ()
    #: The clauses that the table's own refusals cite, by module.
    refused: dict[str, tuple[str, ...]] = {}


def find_act_rules(book_id: str, game: str, act: str) -> tuple[ActRule, ...]:
    """Return the rules of a rulebook about who may do an act in a game.

    >>> [(voice.by, voice.cite) for voice in find_act_rules("iowa", "craps", "send-dice")]
    [(('stickperson',), 'stick.2#1'), ((), 'shootout.4#1')]
    """
    return tuple(
        voice
        for voice in load_part(book_id, "act_rules", _ActRulesFile).voice
        if act in voice.acts and (not voice.games or game in voice.games)
    )


@cached_by_book
def find_enforced_procedures(book_id: str) -> dict[str, tuple[str, ...]]:
    """Return, by clause id, the places where a live table enforces a clause of procedure.

    A place is an act in ``act_rules.toml``, or the module whose refusals cite the clause.
    """
    rules = load_part(book_id, "act_rules", _ActRulesFile)
    name = name_part(book_id, "act_rules")
    found: dict[str, tuple[str, ...]] = {}
    for rule in rules.voice:
        for clause in (rule.cite, *rule.also):
            acts = [f"{name}: {act}" for act in rule.acts]
            found[clause] = tuple(dict.fromkeys((*found.get(clause, ()), *acts)))
    for module, clauses in rules.refused.items():
        for clause in clauses:
            found[clause] = (*found.get(clause, ()), module)
    return found
