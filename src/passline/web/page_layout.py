"""The frame of every page: head, landmarks, navigation; and the small parts that pages share.

Words are escaped where they are put in; what is called ``html`` is markup already.

Searching without a script: words in the query, every one of which must be there.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape
from typing import Final
from urllib.parse import quote

from starlette.requests import Request

from passline.version import VERSION
from passline.web.page_templates import _current_navigation
from passline.web.static_files import list_script_imports, static_url

Navigation = tuple[tuple[str, str], ...]

#: What every page leads to, in order.
NAVIGATION: Final[Navigation] = (
    ("/", "Lobby"),
    ("/daily", "Daily"),
    ("/school", "School"),
    ("/law", "Law"),
    ("/odds", "Odds"),
    ("/session", "Sessions"),
    ("/docs", "Docs"),
)


def limit_navigation(first: str, paths: Iterable[str]) -> None:
    """Have the pages of this request lead to no more than their server has: what stands at ``/``
    is called ``first``, and of the rest there are these paths."""
    had = set(paths)
    rest = tuple(entry for entry in NAVIGATION[1:] if entry[0] in had)
    _current_navigation.set((("/", first), *rest))


def find_home_label() -> str:
    """What the pages call that which stands at ``/``."""
    return _current_navigation.get()[0][1]


def render_page(
    title: str,
    html: str,
    *,
    at: str = "",
    scripts: Sequence[str] = (),
    styles: Sequence[str] = (),
    wide: bool = False,
) -> str:
    """A whole page. ``at``: the entry of the navigation that it belongs to; ``scripts`` and
    ``styles``: names of static files beyond those of every page; ``wide``: as wide as the window.
    """
    linked = "\n".join(
        [
            *(f'<link rel="stylesheet" href="{static_url(s)}">' for s in ("frame.css", *styles)),
            *(
                f'<link rel="modulepreload" href="{static_url(needed)}">'
                for name in scripts
                for needed in list_script_imports(name)[1:]
            ),
            *(f'<script type="module" src="{static_url(name)}"></script>' for name in scripts),
        ]
    )
    return f"""<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>{escape(title)} – Passline</title>
<link rel="icon" type="image/svg+xml" href="{static_url("icon.svg")}">
{linked}
</head>
<body class="{"wide" if wide else "page"}">
<a class="skip" href="#main">Skip to the content</a>
<header class="top">
<a class="mark" href="/"><img src="{static_url("icon.svg")}" alt="" width="32" height="32">\
<span>Passline</span></a>
<nav aria-label="Pages">
<ul>
{_navigation_html(at)}
</ul>
</nav>
</header>
<main id="main" tabindex="-1">
{html}
</main>
<footer>
<p>Passline {escape(VERSION)}. The craps table, whole: five published rulebooks as executable
law.</p>
</footer>
</body>
</html>
"""


def _navigation_html(at: str) -> str:
    here = ' aria-current="true"'
    return "\n".join(
        f'<li><a href="{path}"{here if path == at else ""}>{words}</a></li>'
        for path, words in _current_navigation.get()
    )


def build_path(*parts: str) -> str:
    """An address on this server, each part quoted.

    >>> build_path("law", "new-jersey", "19:47-1.2(a)15#1")
    '/law/new-jersey/19%3A47-1.2%28a%2915%231'
    """
    return "".join(f"/{quote(part, safe='')}" for part in parts)


def link(href: str, words: str) -> str:
    """A link."""
    return f'<a href="{escape(href)}">{escape(words)}</a>'


def breadcrumbs(*steps: tuple[str, str]) -> str:
    """The way back up from a page: addresses and words."""
    shown = "".join(f"<li>{link(href, words)}</li>" for href, words in steps)
    return f'<nav class="crumbs" aria-label="The way here"><ol>{shown}</ol></nav>'


def data_table_html(
    caption: str, heads: Sequence[str], rows: Iterable[Sequence[str]], figures: int = 99
) -> str:
    """A table that scrolls within itself; the cells of its rows are markup already. Each row is
    headed by its first cell; from column ``figures`` on, cells are set as figures."""
    classes = [' class="n"' if place >= figures else "" for place in range(len(heads))]
    top = "".join(
        f'<th scope="col"{of}>{escape(head)}</th>' for head, of in zip(heads, classes, strict=True)
    )
    lines = []
    for first, *others in rows:
        cells = "".join(
            f"<td{of}>{cell}</td>" for cell, of in zip(others, classes[1:], strict=True)
        )
        lines.append(f'<tr><th scope="row">{first}</th>{cells}</tr>\n')
    return (
        f'<div class="scroll" role="group" tabindex="0" aria-label="{escape(caption)}">\n'
        f'<table>\n<caption class="unseen">{escape(caption)}</caption>\n'
        f"<thead><tr>{top}</tr></thead>\n<tbody>\n{''.join(lines)}</tbody>\n</table>\n</div>"
    )


def options_html(choices: Iterable[tuple[str, str]], chosen: str = "") -> str:
    """The options of a select: values and words."""
    return "".join(
        f'<option value="{escape(value)}"{" selected" if value == chosen else ""}>'
        f"{escape(words)}</option>"
        for value, words in choices
    )


_MAX_QUERY_LENGTH: Final = 100
_MAX_WORDS: Final = 8


def read_search_words(request: Request) -> tuple[str, ...]:
    """The words of ``?q=``."""
    return tuple(
        request.query_params.get("q", "")[:_MAX_QUERY_LENGTH].casefold().split()[:_MAX_WORDS]
    )


def contains_words(text: str, words: Sequence[str]) -> bool:
    """Whether a text has every one of these words.

    >>> contains_words("Pass wins on 7", ("pass", "7")), contains_words("Pass wins on 7", ("lose",))
    (True, False)
    """
    folded = text.casefold()
    return all(word in folded for word in words)


def search_form(at: str, words: Sequence[str], label: str, more: str = "") -> str:
    """A form to search with; ``more``: further fields, as markup."""
    return (
        f'<form class="search" role="search" action="{escape(at)}" method="get">'
        f'<label>{escape(label)} <input type="search" name="q" maxlength="{_MAX_QUERY_LENGTH}" '
        f'value="{escape(" ".join(words))}"></label>{more}<button>Search</button></form>'
    )
