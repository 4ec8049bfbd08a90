"""Reading the hand-worked games, and holding a dealer to them.

A game is a record with expectations: ``==`` names it, ``>`` lines say what must have happened at
the line above. Every roll lists all its settlements; what is refused has a ``> refused``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

from .reading import cents, dollars

FOLDER = Path(__file__).with_name("games")
Dealer = Callable[[str], dict[str, Any]]


class HandGame(NamedTuple):
    """A game worked by hand: its lines (expectations blanked), and them by line number."""

    title: str
    lines: tuple[str, ...]
    expected: dict[int, tuple[str, ...]]

    def text(self, upto: int | None = None) -> str:
        """The record, or as much of it as ends with a line."""
        return "\n".join(self.lines[:upto]) + "\n"


def hand_games(rulebook: str) -> Iterator[HandGame]:
    """The games of a rulebook's file."""
    text = FOLDER.joinpath(f"{rulebook}.games").read_text("utf-8")
    for part in text.split("\n== ")[1:]:
        title, _, body = part.partition("\n")
        yield _game(rulebook, title.strip(), body.splitlines())


def _game(rulebook: str, title: str, body: list[str]) -> HandGame:
    lines = [f"rulebook: {rulebook}"]
    if not any(line.startswith("player:") for line in body):
        lines.append("player: ann 1000")
    expected: dict[int, tuple[str, ...]] = {}
    at = 0
    for raw in body:
        bare = raw.partition("#")[0].strip()
        if bare.startswith(">"):
            expected[at] = (*expected.get(at, ()), bare[1:].strip())
            lines.append("")
        else:
            lines.append(bare)
            at = len(lines)
    return HandGame(title, tuple(lines), expected)


def complaints(game: HandGame, deal: Dealer) -> list[str]:
    """Everything in which a dealer's game differs from the one worked by hand."""
    whole = deal(game.text())
    wrong = _refusals(game, whole)
    rolls = {roll["line"]: roll for roll in whole["rolls"]}
    for number, line in enumerate(game.lines, 1):
        words = game.expected.get(number, ())
        if line.startswith("roll") and "refused" not in words:
            wrong += _settlements(number, words, rolls.get(number))
        state = [word for word in words if word.split()[0] in _STATES]
        if state:
            found = deal(game.text(number))
            wrong += [f"line {number}: {said}" for said in map(_state(found), state) if said]
    return wrong


def _refusals(game: HandGame, whole: dict[str, Any]) -> list[str]:
    found: dict[int, int] = {}
    for refused in whole["refusals"]:
        line = refused["line"] if isinstance(refused, dict) else refused[0]
        found[line] = found.get(line, 0) + 1
    expected = {line: words.count("refused") for line, words in game.expected.items()}
    expected = {line: count for line, count in expected.items() if count}
    return [] if found == expected else [f"refused at lines {found}, by hand {expected}"]


def _settlements(number: int, words: tuple[str, ...], roll: dict[str, Any] | None) -> list[str]:
    if roll is None:
        return [f"line {number}: the throw was not dealt"]
    by_hand = sorted(_by_hand(word) for word in words if word.split()[0] not in _STATES)
    asked = {(row[0], row[1]): row[-1] for row in by_hand}
    found = sorted(settled_row(row, asked) for row in roll["settlements"])
    return [] if found == by_hand else [f"line {number}: settled {found}, by hand {by_hand}"]


Row = tuple[str, str, str, str, str, str, str]


def _by_hand(words: str) -> Row:
    """``ann pass win 10 at 1 to 1 vig 1 to come-9``, the last three optional."""
    player, wager, result, amount, *rest = words.split()
    odds = vig = to = ""
    while rest:
        key = rest.pop(0)
        if key == "at":
            odds = " ".join(rest[:3])
            del rest[:3]
        elif key == "vig":
            vig = rest.pop(0)
        else:
            to = rest.pop(0)
    return player, wager, result, dollars(cents(amount)), dollars(cents(vig or "0")), to, odds


def settled_row(row: dict[str, Any], asked: dict[tuple[str, str], str]) -> Row:
    """A settlement in the same form; its odds only where the hand asks for them."""
    amount = row["paid"] if row["result"] == "win" else row["stake"]
    odds = asked.get((row["player"], row["wager"]), "")
    shown = row.get("odds", odds) if odds else ""
    player, wager, result = row["player"], row["wager"], row["result"]
    return player, wager, result, amount, row["vig"], row.get("to", ""), shown


def _money(text: str) -> str:
    return f"-{_money(text[1:])}" if text.startswith("-") else dollars(cents(text))


def _state(found: dict[str, Any]) -> Callable[[str], str]:
    """A check of one expectation against the table at that line: what is wrong, or nothing."""

    def wrong(said: str) -> str:
        kind, *words = said.split()
        if kind == "refused":
            return ""
        expected, got = _STATES[kind](found, words)
        return "" if expected == got else f"{said}: got {got}"

    return wrong


_STATES: dict[str, Callable[[dict[str, Any], list[str]], tuple[object, object]]] = {
    "refused": lambda found, words: (None, None),
    "rail": lambda found, words: (_money(words[1]), found["players"][words[0]]["rail"]),
    "up": lambda found, words: (
        _money(words[2]),
        found["players"][words[0]]["wagers"].get(words[1]),
    ),
    "down": lambda found, words: (None, found["players"][words[0]]["wagers"].get(words[1])),
    "puck": lambda found, words: (
        None if words[0] == "off" else int(words[0]),
        found["puck"],
    ),
    "shooter": lambda found, words: (
        None if words[0] == "nobody" else words[0],
        found["shooter"],
    ),
    "house": lambda found, words: (
        [_money(amount) for amount in words[1::2]],
        [found["house"][key] for key in words[0::2]],
    ),
}
