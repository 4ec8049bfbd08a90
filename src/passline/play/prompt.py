"""The prompt: history that is kept, and completion of wagers and words."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from passline.table import Table

WORDS = (
    "roll", "table", "why", "odds", "crew", "bets", "undo", "save ", "help", "quit", "leave",
    "pass line for ", "don't pass for ", "come for ", "don't come for ", "odds for ", "full odds",
    "field for ", "any craps for ", "any seven for ", "yo for ", "horn for ", "C and E for ",
    "take me down", "turn me off", "turn me on", "same bet", "pass the dice", "take the dice",
    "buy in ", "colour up",
)  # fmt: skip
_BY_FAMILY = {
    "place-win": ("place the {} for ", "press the {}", "take down my {}"),
    "buy": ("buy the {} for ",),
    "lay": ("lay the {} for ",),
    "horn-high": ("horn high {} for ",),
}
#: Numbers as they are spelled: completed where figures do not fit.
_SPELLED = {4: "four", 5: "five", 6: "six", 8: "eight", 9: "nine", 10: "ten"}
_GROUPS = (" across", " inside", " outside")
_MOST_HISTORY = 1000
_LONGEST = 2000  # characters that are taken of a typed line


def phrases(table: Table) -> tuple[str, ...]:
    """What players say at a table, as far as it can be completed; its wagers' slugs last."""
    found = dict.fromkeys(WORDS)
    for spot in table.layout.spots.values():
        patterns, number = _BY_FAMILY.get(spot.family, ()), spot.number
        if spot.family.startswith("hard-"):
            patterns, number = ("hard {} for ",), int(spot.family.removeprefix("hard-"))
        for pattern in patterns:
            found[pattern.format(number)] = None
            if number in _SPELLED:
                found[pattern.format(_SPELLED[number])] = None
    slugs = [f"{slug} " for slug in table.layout.spots if "-" in slug]
    return (*found, *slugs)


def completions(line: str, word: str, choices: Iterable[str]) -> list[str]:
    """What may stand in place of the word that is being typed at the end of a line.

    Only what follows the last ``;`` counts, and phrases of several words are completed from any
    of their words on. Words with hyphens (slugs) are offered only where no phrase fits.

    >>> completions("pass for 10; place the", "the", ["place the 6 for ", "place the 8 for "])
    ['the 6 for ', 'the 8 for ']
    """
    said = line.rpartition(";")[2].lstrip()
    kept = said[: len(said) - len(word)]
    fits = [choice for choice in choices if choice.lower().startswith(said.lower())]
    fits = [choice for choice in fits if "-" not in choice] or fits
    figures = [choice for choice in fits if not set(choice.split()) & set(_SPELLED.values())]
    fits = figures or fits
    return list(dict.fromkeys(choice[len(kept) :] for choice in fits))


def ready(history: Path, choices: Sequence[str]) -> None:
    """Set up editing, history and completion, where the system has them."""
    try:
        import readline
    except ImportError:  # not on every system; plain input works everywhere
        return

    def complete(word: str, state: int) -> str | None:
        line = readline.get_line_buffer()[: readline.get_endidx()]
        fits = completions(line, word, choices)
        return fits[state] if state < len(fits) else None

    readline.set_completer(complete)
    readline.set_completer_delims(" ;")
    editline = "libedit" in (readline.__doc__ or "")
    readline.parse_and_bind("bind ^I rl_complete" if editline else "tab: complete")
    if not editline:
        readline.parse_and_bind("set completion-ignore-case on")
    with suppress(OSError):
        readline.read_history_file(history)
    readline.set_history_length(_MOST_HISTORY)


def remember(history: Path) -> None:
    """Keep the history for the next time."""
    with suppress(ImportError, OSError):
        import readline

        history.parent.mkdir(parents=True, exist_ok=True)
        readline.write_history_file(history)


def ask(words: str) -> str:
    """A line that was typed, or came through a pipe. EOFError when there are no more."""
    if sys.stdin is None or sys.stdin.closed:
        raise EOFError
    if sys.stdin.isatty():
        return input(words)
    line = sys.stdin.readline()
    if not line:
        raise EOFError
    print(f"{words}{clean(line)}")  # what was typed, as a terminal would show it
    return line


def clean(line: str) -> str:
    """A typed line as it is heard: no control characters, no quotes around it, not too long.

    >>> clean(" pass\\tline\\x07 for 10\\n")
    'pass line for 10'
    """
    seen = "".join(char if char.isprintable() else " " for char in line[:_LONGEST])
    words = " ".join(seen.split())
    quoted = len(words) > 1 and words[0] == words[-1] and words[0] in "\"'"
    return words[1:-1].strip() if quoted else words
