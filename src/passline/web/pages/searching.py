"""Searching without a script: words in the query, every one of which must be there."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from typing import Final

from starlette.requests import Request

_LONGEST: Final = 100
_MOST: Final = 8


def asked_words(request: Request) -> tuple[str, ...]:
    """The words of ``?q=``."""
    return tuple(request.query_params.get("q", "")[:_LONGEST].casefold().split()[:_MOST])


def has_words(text: str, words: Sequence[str]) -> bool:
    """Whether a text has every one of these words.

    >>> has_words("Pass wins on 7", ("pass", "7")), has_words("Pass wins on 7", ("lose",))
    (True, False)
    """
    folded = text.casefold()
    return all(word in folded for word in words)


def search_box(at: str, words: Sequence[str], label: str, more: str = "") -> str:
    """A form to search with; ``more``: further fields, as markup."""
    return (
        f'<form class="search" role="search" action="{escape(at)}" method="get">'
        f'<label>{escape(label)} <input type="search" name="q" maxlength="{_LONGEST}" '
        f'value="{escape(" ".join(words))}"></label>{more}<button>Search</button></form>'
    )
