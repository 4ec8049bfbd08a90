"""Several things in a sentence, for every package that words something."""

from __future__ import annotations

from collections.abc import Iterable


def join_words(items: Iterable[object], last: str = "and") -> str:
    """Words or numbers in a sentence.

    >>> join_words([4, 5, 9]), join_words([4]), join_words(["buy", "lay"], "or"), join_words([])
    ('4, 5 and 9', '4', 'buy or lay', '')
    """
    words = [str(item) for item in items]
    if len(words) < 2:
        return "".join(words)
    return f"{', '.join(words[:-1])} {last} {words[-1]}"
