"""The status of each clause: enforced, modelled or only shown; where; and which tests check it.

Code enforces a clause that decides the game, or who may act. A clause is modelled if the program
does as it says but need not refuse anything, such as a procedure of the crew. Any other clause is
only shown to readers.

``passline law`` shows what this module finds, clause by clause or counted by kind. The tests of a
clause are listed in the book's ``clause_tests.tsv``, which ``tools/clause_tests.py`` writes and
which an installed passline does not have. This module reads the rulebooks' files only.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from difflib import get_close_matches
from fnmatch import fnmatchcase
from typing import Any, Literal, get_args

import msgspec

from passline.game.law.base_books import find_hidden_clauses, list_chain, qualify_clause
from passline.game.law.book import Book
from passline.game.law.book_files import (
    cached_by_book,
    find_book_files,
    read_book_file,
    read_toml_file,
)
from passline.game.law.book_parts import (
    convert_part,
    iter_part_clauses,
    qualify_part,
    read_part_file,
)
from passline.game.law.citations import CitedPlace, find_places_by_clause
from passline.game.law.clauses import (
    CLAUSE_KINDS,
    DECIDING_KINDS,
    Clause,
    ClauseKind,
    find_decisions,
    list_clauses,
)
from passline.game.law.duties import CONDUCT_KINDS, find_enforced_procedures, find_post
from passline.game.law.load import rulebook

CLAUSE_TESTS_FILE = "clause_tests.tsv"


@cached_by_book
def _read_clause_tests(book_id: str) -> dict[str, tuple[str, ...]]:
    """Return {clause: tests} for a book's own clauses and those of its bases."""
    found: dict[str, list[str]] = {}
    for files in (chain := list_chain(book_id)):
        path, hidden = files.book.with_name(CLAUSE_TESTS_FILE), find_hidden_clauses(chain, files)
        for line in read_book_file(path).splitlines()[1:] if path.is_file() else ():
            clause, test, _ = line.split("\t")
            found.setdefault(qualify_clause(files.id, hidden, clause), []).append(test)
    return {clause: tuple(tests) for clause, tests in found.items()}


def find_clause_tests(book_id: str, clause_id: str) -> tuple[str, ...]:
    """Return the pytest ids of the tests that fail when a clause is broken; empty if unknown."""
    return _read_clause_tests(book_id).get(clause_id, ())


ClauseState = Literal["enforced", "modelled", "shown"]

#: Replaced by the module of the wager's own shape.
_SHAPE_MODULE = "game/law/shapes/__init__.py"
#: The module that implements a key path of a book: the first row with a matching pattern counts.
MODULE_BY_KEY_PATH: tuple[tuple[str, str], ...] = (
    ("wager.*.made wager.*.raises wager.*.reduces", "game/layout/wager_checks.py"),
    ("wager.*.removes wager.*.call_* wager.*.games", "game/layout/wager_checks.py"),
    ("wager.*.come_out wager.*.stays", "game/layout/settle.py"),
    ("wager.*.restored_by", "game/layout/wager_checks.py"),
    ("wager.*.most*", "game/house/limits.py"),
    ("wager.*.step", "game/layout/wager_checks.py"),
    ("wager.*.limited_by", "game/layout/odds_limits.py"),
    ("wager.*.units_by", "game/layout/compile.py"),
    ("wager.*.pays*", "game/house/payouts.py"),
    ("wager.*.split wager.*.parts", "game/table/bets.py"),
    ("wager.*.first_*", "game/law/shapes/first_roll.py"),
    ("wager.*", _SHAPE_MODULE),
    ("changes.dont_odds_basis", "game/layout/odds_limits.py"),
    ("changes*", "game/layout/wager_checks.py"),
    ("stakes.found_*", "game/layout/settle.py"),
    ("stakes.pays* stakes.breakage_allowed", "game/house/lint.py"),
    ("stakes.breakage", "game/house/limits.py"),
    ("stakes.*_default stakes.true_odds_breakage", "game/house/house.py"),
    ("stakes*", "game/layout/wager_checks.py"),
    ("odds_word", "game/words/placard.py"),
    ("odds.*least odds.*most", "game/house/lint.py"),
    ("odds.default odds.three_four_five*", "game/house/house.py"),
    ("odds*", "game/layout/odds_limits.py"),
    ("vig.*.most vig.*.bases vig.*.whens vig.*.mixed vig.*.capped", "game/house/lint_vigorish.py"),
    ("vig*", "game/house/vigorish.py"),
    ("no_other_fee", "game/house/lint.py"),
    ("tender.toke*", "game/table/bets.py"),
    ("tender.change_out tender.colour_by", "game/table/players.py"),
    ("tender*", "game/table/bets.py"),
    ("seating.until", "game/table/players.py"),
    ("seating*", "game/table/bets.py"),
    ("throw* dice.must_pass", "game/table/throws.py"),
    ("dice.set_more", "game/house/lint.py"),
    ("dice.new_set*", "game/table/dice_set.py"),
    ("dice*", "game/table/dice_custody.py"),
    ("inspection.reopen", "game/table/open_close.py"),
    ("inspection.hours", "game/table/dice_custody.py"),
    ("inspection*", "game/table/dice_set.py"),
    ("crew* relief*", "game/table/posts.py"),
    ("dead_game.dump", "game/table/decide.py"),
    ("dead_game* shootout.start", "game/table/open_close.py"),
    ("shootout*", "game/table/shootout.py"),
    ("net_*", "game/layout/settle.py"),
    ("groups*", "talk/groups.py"),
    ("elect.*.default", "game/house/house.py"),
    ("elect*", "game/house/lint.py"),
    ("games", "game/house/house.py"),
    ("points", "game/table/throws.py"),
    ("unlisted working", "game/layout/wager_checks.py"),
    ("also", "game/table/throws.py"),
)


#: The files of a rulebook's folder that carry out every clause that they cite.
_CITING_FILES = ("felt.toml", "talk.toml", "crew/*.toml")


class ClauseStatus(msgspec.Struct, frozen=True):
    """A clause, its status, and the places (key paths and modules) that implement or show it."""

    clause: Clause
    status: ClauseState
    places: tuple[str, ...]

    @property
    def where(self) -> str:
        """The places that implement or show the clause, joined on one line."""
        return "; ".join(self.places)


@cached_by_book
def read_modeled_clauses(book_id: str) -> dict[str, tuple[str, ...]]:
    """Return {clause id: files}: the files that carry out a clause without a value that cites it.

    They are the modules that ``modelled.toml`` lists, and the book's own files for the crew, the
    felt and the talk, which need no list because they cite their clauses.
    """
    found: dict[str, tuple[str, ...]] = {}
    for file, clauses in (*_iter_listed_clauses(book_id), *_iter_cited_clauses(book_id)):
        for clause in clauses:
            found[clause] = tuple(dict.fromkeys((*found.get(clause, ()), file)))
    return found


def _iter_listed_clauses(book_id: str) -> Iterator[tuple[str, Collection[str]]]:
    """Yield (file, clause ids) for each file that ``modelled.toml`` lists, in every base too."""
    for files in (chain := list_chain(book_id)):
        data = qualify_part(read_part_file(files, "modelled"), files, chain)
        for file, clauses in convert_part(
            book_id, "modelled", data, dict[str, tuple[str, ...]]
        ).items():
            own = files.folder / file if files.folder is not None else None
            yield files.show(own) if own is not None and own.is_file() else file, clauses


def _iter_cited_clauses(book_id: str) -> Iterator[tuple[str, Collection[str]]]:
    """Yield (file, clause ids) for each file of a book that carries out the clauses it cites.

    The files are those in its folder and in its bases' folders. Leave out clauses that affect the
    game (``DECIDING_KINDS``) and those that a value in ``book.toml`` cites.
    """
    valued = find_places_by_clause(book_id)
    kinds = {clause.id: clause.kind for clause in list_clauses(book_id)}
    for files in (chain := list_chain(book_id)):
        for path in files.parts:
            name = path.relative_to(files.book.parent).as_posix()
            if any(fnmatchcase(name, pattern) for pattern in _CITING_FILES):
                data = qualify_part(read_toml_file(path), files, chain)
                cited = dict.fromkeys(clause for _, clause in iter_part_clauses(data))
                yield (
                    files.show(path),
                    [c for c in cited if kinds.get(c) not in DECIDING_KINDS and c not in valued],
                )


def find_module(book: Book, path: str) -> str:
    """Return the path of the module that implements the value at a key path of a book.

    Raise LookupError if ``MODULE_BY_KEY_PATH`` names none.

    >>> from passline.game.law.load import rulebook
    >>> iowa = rulebook("iowa")
    >>> find_module(iowa, "wager.pass.wins"), find_module(iowa, 'elect."offers.fire".choices')
    ('game/law/shapes/line.py', 'game/house/lint.py')
    """
    for patterns, module in MODULE_BY_KEY_PATH:
        if not any(fnmatchcase(path, pattern) for pattern in patterns.split()):
            continue
        if module == _SHAPE_MODULE:
            shape = type(book.wager[path.split(".")[1]]).__module__
            return f"{shape.removeprefix('passline.').replace('.', '/')}.py"
        return module
    raise LookupError(f"no module is named for {path}")


def _list_places(
    book_id: str, cited: tuple[CitedPlace, ...], modules: tuple[str, ...]
) -> tuple[str, ...]:
    """Return the key paths that cite a clause, then the modules for those paths and ``modules``."""
    book = rulebook(book_id)
    found = [f"{find_book_files(p.origin or book_id).name}: {p.path}" for p in cited]
    found += [find_module(book, place.path) for place in cited]
    return tuple(dict.fromkeys((*found, *modules)))


def _list_reading_places(book_id: str, clause: Clause) -> tuple[str, ...]:
    """Return where a person can read a clause that no code implements.

    A clause is in its register, and a clause about conduct or equipment also in ``passline
    duties``.
    """
    register = find_book_files(clause.book or book_id).register_name
    if clause.book and clause.kind in DECIDING_KINDS:
        return register, f"replaced: no value of {book_id} cites it"
    if clause.kind not in CONDUCT_KINDS:
        return (register,)
    return register, f"passline duties {book_id}: {find_post(book_id, clause.id)}"


@cached_by_book
def list_clause_statuses(book_id: str) -> tuple[ClauseStatus, ...]:
    """Return every clause of a rulebook with its status, in the rulebook's order."""
    cited_by, modeled_by = find_places_by_clause(book_id), read_modeled_clauses(book_id)
    enforced_by = find_enforced_procedures(book_id)
    found = []
    for clause in list_clauses(book_id):
        cited, modules = cited_by.get(clause.id, ()), modeled_by.get(clause.id, ())
        places = _list_places(book_id, cited, modules)
        status: ClauseState = "enforced" if clause.kind in DECIDING_KINDS else "modelled"
        if clause.id in enforced_by and clause.kind not in DECIDING_KINDS:
            status = "enforced"
            live = (*enforced_by[clause.id], "live/permissions.py: at a live table")
            places = tuple(dict.fromkeys((*places, *live)))
        elif not places:
            status, places = "shown", _list_reading_places(book_id, clause)
        found.append(ClauseStatus(clause, status, places))
    return tuple(found)


class CoverageRow(msgspec.Struct, frozen=True):
    """How many clauses of one kind a book has (``clauses``), and how many of each status.

    ``known`` counts those that some file implements or shows, ``tested`` those with a test.
    """

    rulebook: str
    kind: ClauseKind
    clauses: int
    known: int
    enforced: int
    modelled: int
    shown: int
    tested: int


def count_coverage(book_id: str) -> tuple[CoverageRow, ...]:
    """Return the counts of a rulebook, one row for each kind of clause."""
    rows = []
    for kind in CLAUSE_KINDS:
        of_kind = [one for one in list_clause_statuses(book_id) if one.clause.kind == kind]
        count = Counter(one.status for one in of_kind)
        rows.append(
            CoverageRow(
                rulebook=book_id,
                kind=kind,
                clauses=len(of_kind),
                known=sum(bool(one.places) for one in of_kind),
                **{state: count[state] for state in get_args(ClauseState)},
                tested=sum(bool(find_clause_tests(book_id, one.clause.id)) for one in of_kind),
            )
        )
    return tuple(rows)


def list_untested_clauses(book_id: str) -> tuple[str, ...]:
    """Return the ids of clauses that affect the game and have no test. Shipped books have none."""
    return tuple(
        one.clause.id
        for one in list_clause_statuses(book_id)
        if one.clause.kind in DECIDING_KINDS and not find_clause_tests(book_id, one.clause.id)
    )


def describe_clauses(book_id: str, wanted: Collection[str] | None = None) -> list[dict[str, Any]]:
    """Return one dict for each clause, as ``passline law --json`` prints it, in the book's order.

    ``wanted`` has the ids of the clauses to include; None includes all.

    >>> describe_clauses("new-jersey", {"19:47-1.3(c)1"})[0]["status"]
    'enforced'
    """
    return [
        {
            "id": one.clause.id,
            "book": one.clause.book or book_id,
            "kind": one.clause.kind,
            "rule": one.clause.rule,
            "figures": one.clause.figures,
            "decisions": [
                {"question": d.question, "decision": d.decision}
                for d in find_decisions(book_id, one.clause.id)
            ],
            "status": one.status,
            "where": list(one.places),
            "tests": list(find_clause_tests(book_id, one.clause.id)),
        }
        for one in list_clause_statuses(book_id)
        if wanted is None or one.clause.id in wanted
    ]


def suggest_clauses(clause: str, known: Sequence[str]) -> list[str]:
    """Return up to three ``known`` ids that begin with the text, or else the most similar ones."""
    below = [one for one in known if clause and one.startswith(clause)]
    return below[:3] or get_close_matches(clause, known, 3, 0.3)
