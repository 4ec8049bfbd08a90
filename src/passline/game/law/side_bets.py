"""The catalog of side bets, ``customs/side-bets.toml``, which a rulebook may let its houses elect.

A book names the offers that it allows: ``side_bets = { is = ["hot-hand"], cite = "..." }``, or
``is = "all"``. Their wagers then belong to the book, and a house elects them as
``offers.hot-hand``. Pure, but for reading the catalog.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from typing import Any

from passline.game.dice.dice import TOTALS
from passline.game.law.base_books import merge_books
from passline.game.law.book_files import CUSTOMS_FOLDER, BookError, read_toml_file

#: The key of a book that names the offers of the catalog that it allows.
SIDE_BETS_KEY = "side_bets"
#: What a book writes there to allow the whole catalog.
ALL = "all"
_CATALOG_FILE = CUSTOMS_FOLDER / "side-bets.toml"


@cache
def read_side_bets() -> dict[str, dict[str, Any]]:
    """Return the wagers of the catalog as data: {offer: {wager's name: its values}}.

    A wager marked ``like`` an earlier one copies the values that it does not give itself.

    >>> {offer: list(wagers) for offer, wagers in read_side_bets().items()}["hot-hand"]
    ['flaming-four', 'hot-hand', 'sizzling-six']
    """
    found: dict[str, dict[str, Any]] = {}
    wagers: dict[str, dict[str, Any]] = {}
    for family, written in read_toml_file(_CATALOG_FILE)["wager"].items():
        wager = wagers.get(written.get("like", ""), {}) | written
        wager.pop("like", None)
        wagers[family] = wager
        found.setdefault(wager["offer"], {})[family] = wager
    return found


def replace_side_bets(wagers: Mapping[str, dict[str, Any]]) -> None:
    """Replace the catalog in this process with ``wagers``, given by name.

    Only the mutation-testing tools call this.
    """
    catalog = read_side_bets()
    catalog.clear()
    for family, wager in wagers.items():
        catalog.setdefault(wager["offer"], {})[family] = wager


def list_side_bet_slugs() -> Iterator[str]:
    """Yield the slug of every side bet; for a bet that moves, also its slug at each stage."""
    for wagers in read_side_bets().values():
        for family, wager in wagers.items():
            yield family
            if "moves" in wager:
                yield from (f"{family}-{number}" for number in range(1, max(TOTALS) + 1))


def add_side_bets(data: Mapping[str, Any]) -> dict[str, Any]:
    """Return a book's data with the side bets that it allows, as wagers and as elections.

    A wager that the book has by the same name replaces the catalog's if it has a shape, and is
    merged with it otherwise. Raise BookError if the book names an offer that the catalog does not
    have, or omits what a side bet does not have.
    """
    whole = dict(data)
    allowed = whole.pop(SIDE_BETS_KEY, None)
    parts = [whole.get("wager", {}), whole.get("elect", {})]
    # A book without a table of its own wagers is a mistake, which others report.
    wrong = whole.get("wager") == {} or not all(isinstance(part, dict) for part in parts)
    if allowed is None or wrong:
        return whole
    offers = _read_offers(data.get("id", "?"), allowed)
    wagers, elections = map(dict, parts)
    reason = {key: allowed[key] for key in allowed if key != "is"}
    for offer in offers:
        dealt = {
            family: _merge_wager(data, family, wager)
            for family, wager in read_side_bets()[offer].items()
        }
        wagers |= dealt
        elections.setdefault(f"offers.{offer}", _make_election(dealt.values(), reason))
        if all(map(_is_lost_by_any_seven, read_side_bets()[offer].values())):
            elections.setdefault(f"made.{offer}", _make_time_election(offer, reason))
    return {**whole, "wager": wagers, "elect": elections}


def _merge_wager(data: Mapping[str, Any], family: str, wager: dict[str, Any]) -> Any:
    own = data.get("wager", {}).get(family, {})
    if not isinstance(own, dict) or "shape" in own:
        return own
    try:
        return merge_books(wager, own)
    except BookError as error:
        path = f"rulebook {data.get('id', '?')}: wager.{family}"
        raise BookError(f"{path}.{error}") from None


def _read_offers(book_id: str, allowed: Any) -> list[str]:
    offers = allowed.get("is") if isinstance(allowed, Mapping) else None
    known = read_side_bets()
    if offers == ALL:
        return list(known)
    if not isinstance(offers, list) or not all(isinstance(one, str) for one in offers):
        expected = f'expected {{ is = ["{next(iter(known))}"], cite = ... }}, or is = "{ALL}"'
        raise BookError(f"rulebook {book_id}: {SIDE_BETS_KEY}: {expected}")
    for offer in offers:
        if offer not in known:
            listed = ", ".join(sorted(known))
            why = f"there is no side bet {offer!r}: the catalog has {listed}"
            raise BookError(f"rulebook {book_id}: {SIDE_BETS_KEY}: {why}")
    return offers


def _is_lost_by_any_seven(wager: Mapping[str, Any]) -> bool:
    lost_by = wager.get("lost_by", {})
    return bool(lost_by.get("is") == "any-seven")


def _make_time_election(offer: str, reason: Mapping[str, Any]) -> dict[str, Any]:
    """Return the election of when an offer's bets may be made.

    The choices are before a new shooter's first roll, or also right after a seven.
    """
    made = next(iter(read_side_bets()[offer].values()))["made"]
    return {"default": made, "choices": {"is": ["new-shooter", "after-seven"], **reason}}


def _iter_pay_lines(wager: Any) -> Iterator[dict[str, Any]]:
    pays = wager.get("pays") if isinstance(wager, dict) else None
    yield from (pay for pay in (pays if isinstance(pays, list) else ()) if isinstance(pay, dict))


def _make_election(wagers: Iterable[Any], reason: Mapping[str, Any]) -> dict[str, Any]:
    """Return the election of an offer: a house leaves it out, or chooses one of its pay tables."""
    elected = (str(pay.get("elect", "")) for wager in wagers for pay in _iter_pay_lines(wager))
    tables = [text.partition("=")[2] for text in dict.fromkeys(elected) if "=" in text]
    return {
        "default": {"is": False, "custom": "a side bet is dealt only where elected"},
        "choices": {"is": [False, *tables], **reason},
    }
