"""The input line: read and clean a typed line, complete phrases, and store the history."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from pathlib import Path

from passline.game.layout.spots import Spot
from passline.game.table.options import Option, list_options
from passline.game.table.state import Table
from passline.game.words.wagers import spoken_wager_name

#: Phrases that are offered at any time.
_ALWAYS_OFFERED = (
    "roll", "table", "why", "odds", "crew", "bets", "save ", "help", "quit", "buy in ", "same bet",
    "color up", "leave my line down", "leave my line up", "let it ride",
)  # fmt: skip
#: Phrases about no single wager, offered while the action is allowed.
_OPTION_PHRASES = {
    "all-down": ("take me down", "turn me off", "turn me on"),
    "undo": ("undo",),
    "take-dice": ("take the dice",),
    "pass-dice": ("pass the dice",),
    "leave": ("leave",),
}
#: How to bet a wager, if people don't say its slug.
_BET_PHRASES = {
    "pass": ("pass line for ",),
    "dont-pass": ("don't pass for ",),
    "dont-come": ("don't come for ",),
    "pass-odds": ("odds for ", "full odds"),
    "eleven": ("yo for ",),
    "c-and-e": ("C and E for ",),
}
_NUMBER_BET_PHRASES = {
    "place-win": ("place the {} for ",),
    "buy": ("buy the {} for ",),
    "lay": ("lay the {} for ",),
    "horn-high": ("horn high {} for ",),
}
#: Spelled numbers, which are completed if the player did not type a figure.
_SPELLED_NUMBERS = {4: "four", 5: "five", 6: "six", 8: "eight", 9: "nine", 10: "ten"}
_MOST_HISTORY = 1000
_LONGEST_INPUT = 2000  # The most characters of a typed line.


def list_phrases(table: Table, player: str) -> tuple[str, ...]:
    """Return the phrases that a player may say now, for completion; wager slugs come last."""
    phrases = dict.fromkeys(_ALWAYS_OFFERED)
    slugs: dict[str, None] = {}
    for option in list_options(table, player):
        if option.bar is not None:
            continue
        spot = table.layout.spots.get(option.wager)
        offered = (
            _OPTION_PHRASES.get(option.verb, ()) if spot is None else _bet_phrases(option, spot)
        )
        phrases.update(dict.fromkeys(offered))
        if spot is not None and "-" in spot.slug:
            slugs[f"{spot.slug} "] = None
    return (*phrases, *slugs)


def _bet_phrases(option: Option, spot: Spot) -> Iterator[str]:
    """Yield phrases that make, press or take down the bet on a spot, as the option allows."""
    if option.verb == "bet":
        patterns, number = _NUMBER_BET_PHRASES.get(spot.kind, ()), spot.number
        if spot.rule.is_hardway:
            patterns, number = ("hard {} for ",), int(spot.kind.rpartition("-")[2])
        yield from _BET_PHRASES.get(
            spot.floor, () if patterns else (f"{spoken_wager_name(spot.slug)} for ",)
        )
    elif spot.kind == "place-win" and option.verb in {"raise", "down"}:
        pressed = option.verb == "raise"
        patterns, number = ("press the {}",) if pressed else ("take down my {}",), spot.number
    else:
        return
    for pattern in patterns:
        yield pattern.format(number)
        if number in _SPELLED_NUMBERS:
            yield pattern.format(_SPELLED_NUMBERS[number])


def complete_phrase(line: str, word: str, choices: Iterable[str]) -> list[str]:
    """Return the texts that may replace ``word``, the last word of a typed line.

    Choices fit if they begin with the part of the line after its last ";". Those with hyphens are
    offered only if no other fits.

    >>> complete_phrase("pass for 10; place the", "the", ["place the 6 for ", "place the 8 for "])
    ['the 6 for ', 'the 8 for ']
    """
    typed = line.rpartition(";")[2].lstrip()
    before = typed[: len(typed) - len(word)]
    fits = [choice for choice in choices if choice.lower().startswith(typed.lower())]
    fits = [choice for choice in fits if "-" not in choice] or fits
    spelled = set(_SPELLED_NUMBERS.values())
    fits = [choice for choice in fits if spelled.isdisjoint(choice.split())] or fits
    return list(dict.fromkeys(choice[len(before) :] for choice in fits))


def set_up_readline(history: Path, choices: Callable[[], Iterable[str]]) -> None:
    """Set up line editing, the history file and completion, if the system has readline.

    ``choices`` returns the phrases that may be completed.
    """
    try:
        import readline
    except ImportError:  # Not every system has readline. Plain input works everywhere.
        return

    fits: list[str] = []

    def complete(word: str, state: int) -> str | None:
        line = readline.get_line_buffer()[: readline.get_endidx()]
        if not state:
            fits[:] = complete_phrase(line, word, choices())
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


def save_history(history: Path) -> None:
    """Write the history of typed lines to a file, for the next game. Ignore a failure."""
    with suppress(ImportError, OSError):
        import readline

        history.parent.mkdir(parents=True, exist_ok=True)
        readline.write_history_file(history)


def read_input(words: str) -> str:
    """Return a line read from the terminal or a pipe; ``words`` is the prompt.

    Raise EOFError at the end of the input.
    """
    if sys.stdin is None or sys.stdin.closed:
        raise EOFError
    if sys.stdin.isatty():
        return input(words)
    line = sys.stdin.readline()
    if not line:
        raise EOFError
    print(f"{words}{clean_line(line)}")  # Show the typed line, as a terminal would.
    return line


def clean_line(line: str) -> str:
    """Return a typed line without control characters and surrounding quotes, cut to the limit.

    >>> clean_line(" pass\\tline\\x07 for 10\\n")
    'pass line for 10'
    """
    seen = "".join(char if char.isprintable() else " " for char in line[:_LONGEST_INPUT])
    words = " ".join(seen.split())
    quoted = len(words) > 1 and words[0] == words[-1] and words[0] in "\"'"
    return words[1:-1].strip() if quoted else words
