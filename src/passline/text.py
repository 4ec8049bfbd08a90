"""Make text that users wrote safe to show: no terminal codes, no names that imitate others.

Names, files and messages pass through ``escape_unprintable`` before they are shown. ``join_words``
joins words in a sentence.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable

#: Letters of other alphabets that look like a Latin letter.
_LOOK_ALIKE_LETTERS = str.maketrans(
    "аеорсухіјѕһԁԛԝвкмнтьαοινρυκτχηζβεμɑı",
    "aeopcyxijshdqwbkmhtbaoivpyktxnzbeuai",
)


def escape_unprintable(text: str) -> str:
    """Return text on one line, with everything that a terminal would interpret escaped.

    That is control and escape codes, changes of writing direction, and bytes that are not text.

    >>> print(escape_unprintable("pass\\x1b[2J for\\u202e 10"))
    pass\\x1b[2J for\\u202e 10
    """
    if text.isprintable():
        return text
    return "".join(
        char if char.isprintable() else char.encode("unicode_escape").decode("ascii")
        for char in text
    )


def escape_spreadsheet_cell(text: str) -> str:
    """Return text for a spreadsheet cell that must not be read as a formula.

    >>> escape_spreadsheet_cell("=1+2"), escape_spreadsheet_cell("ann"), escape_spreadsheet_cell("")
    ("'=1+2", 'ann', '')
    """
    return f"'{text}" if text.startswith(("=", "+", "-", "@", "\t", "\r")) else text


def find_control_code(text: str) -> str:
    """Return the first unprintable character of a text in escaped form, or "" if there is none.

    Spaces of every kind and tabs count as printable.

    >>> find_control_code("pass\\tfor 10"), find_control_code("pass\\x9bfor 10")
    ('', '\\\\x9b')
    """
    if text.isprintable():
        return ""
    strange = (char for char in text if not char.isprintable() and char != "\t")
    codes = (char for char in strange if unicodedata.category(char) != "Zs")
    return escape_unprintable(next(codes, ""))


def has_one_alphabet(name: str) -> bool:
    """Return whether all letters of a name are of one alphabet. Japanese counts as Chinese.

    >>> has_one_alphabet("Zoë"), has_one_alphabet("Анна"), has_one_alphabet("\\u0430nn")
    (True, True, False)
    """
    first_words = (unicodedata.name(char, "?").split()[0] for char in name if char.isalpha())
    # Japanese mixes these with Chinese letters: they count as one alphabet.
    japanese = {"HIRAGANA", "KATAKANA", "KATAKANA-HIRAGANA"}
    return len({"CJK" if word in japanese else word for word in first_words}) <= 1


def look_alike(first: str, second: str) -> bool:
    """Return whether two names look the same in print, or differ only in capitals.

    >>> look_alike("Ann", "ann"), look_alike("аса", "aca"), look_alike("al", "a1")
    (True, True, False)
    """
    return fold_look_alikes(first) == fold_look_alikes(second)


def fold_look_alikes(name: str) -> str:
    """Return a key for how a name looks in print: names that look alike have the same key."""
    return unicodedata.normalize("NFKC", name).casefold().translate(_LOOK_ALIKE_LETTERS)


def join_name(name: str) -> str:
    """Return a player's name in one word, as records write it: spaces become underscores.

    Other white space, such as a line end, stays, so that a later check refuses the name.

    >>> join_name(" Mary  Ann "), join_name("ann")
    ('Mary_Ann', 'ann')
    """
    return "_".join(part for part in name.split(" ") if part)


def show_name(name: str) -> str:
    """Return a player's name as people read it, with spaces.

    >>> show_name("Mary_Ann")
    'Mary Ann'
    """
    return name.replace("_", " ")


def join_names_in(line: str, names: Iterable[str]) -> str:
    """Return a record line in which each name of several words is written as one word.

    A name is recognized at the start of the line, and right after "orders", "warns", "permits" or
    "confirms" as its second word. Other words of the line are left alone.

    >>> join_names_in("mary ann: pass for 10", ["Mary_Ann"])
    'Mary_Ann: pass for 10'
    >>> join_names_in("boxperson warns Mary Ann for improper", ["Mary_Ann"])
    'boxperson warns Mary_Ann for improper'
    """
    for name in names:
        if "_" in name:
            spaced = r"\s+".join(map(re.escape, name.split("_")))
            place = r"(^\s*|^\s*\S+\s+(?:orders|warns|permits|confirms)\s+)"
            line = re.sub(rf"{place}{spaced}(?=[\s:]|$)", rf"\1{name}", line, flags=re.IGNORECASE)
    return line


def join_words(items: Iterable[object], last: str = "and") -> str:
    """Return words or numbers joined as in a sentence: "a, b and c".

    >>> join_words([4, 5, 9]), join_words([4]), join_words(["buy", "lay"], "or"), join_words([])
    ('4, 5 and 9', '4', 'buy or lay', '')
    """
    words = [str(item) for item in items]
    if len(words) < 2:
        return "".join(words)
    return f"{', '.join(words[:-1])} {last} {words[-1]}"
