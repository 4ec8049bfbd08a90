"""``/docs``, ``/docs/NAME``: the documentation, rendered and to be searched."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from typing import Final

from starlette.requests import Request
from starlette.responses import Response

from passline.live.asks import HallError
from passline.web.frame import crumbs, framed, link
from passline.web.manual import Document, ManualPart, document, document_names
from passline.web.pages.heavy import Workshop
from passline.web.pages.searching import asked_words, has_words, search_box
from passline.web.sending import send_body

#: Characters of a part that a search shows around the first word.
_AROUND: Final = 110
_INTRODUCED: Final = 180


class DocsPages:
    """The handlers of the documentation."""

    def __init__(self, workshop: Workshop) -> None:
        self._workshop = workshop

    async def index(self, request: Request) -> Response:
        """``/docs``, and with ``?q=`` the parts that have these words."""
        words = asked_words(request)
        return send_body(request, await self._workshop.made(("docs", words), lambda: _index(words)))

    async def document(self, request: Request) -> Response:
        """``/docs/NAME``"""
        name = request.path_params["name"].removesuffix(".md")
        if name not in document_names():
            raise HallError(404, f"there is no document {name[:40]!r}")
        return send_body(request, await self._workshop.made(("doc", name), lambda: _page(name)))


def _index(words: tuple[str, ...]) -> str:
    if words:
        body = _found(words)
    else:
        items = "".join(_item(document(name)) for name in document_names())
        body = f'<ul class="documents">\n{items}</ul>' if items else "<p>None is installed.</p>"
    html = f"<h1>Documentation</h1>\n{search_box('/docs', words, 'Search the docs')}\n{body}"
    return framed("Documentation", html, at="/docs")


def _item(shown: Document) -> str:
    text = next((part.text for part in shown.parts if part.text), "")
    return (
        f"<li><h2>{link(f'/docs/{shown.name}', shown.title)}</h2>"
        f"<p>{escape(_cut(text, 0, _INTRODUCED))}</p></li>\n"
    )


def _found(words: Sequence[str]) -> str:
    """The parts that have every word, in the order of the documents."""
    items = [
        f"<li><h2>{link(f'/docs/{name}#{part.anchor}', part.head)}</h2>"
        f"<p>{escape(document(name).title)}: {escape(_around(part, words))}</p></li>\n"
        for name in document_names()
        for part in document(name).parts
        if has_words(f"{part.head} {part.text}", words)
    ]
    count = f"{len(items)} part{'s' if len(items) != 1 else ''} with these words"
    return f'<p role="status">{count}.</p>\n<ul class="documents">\n{"".join(items)}</ul>'


def _around(part: ManualPart, words: Sequence[str]) -> str:
    at = part.text.casefold().find(words[0])
    return _cut(part.text, max(0, at - _AROUND), 2 * _AROUND)


def _cut(text: str, start: int, length: int) -> str:
    """So much of a text, from the start of a word to the end of one.

    >>> _cut("a rule that stands", 3, 8), _cut("a rule", 0, 20)
    ('... that ...', 'a rule')
    """
    if start:
        start = text.find(" ", start) + 1
    cut = text[start : start + length]
    if start + length < len(text):
        cut = f"{cut.rpartition(' ')[0] or cut} ..."
    return f"... {cut}" if start else cut


def _page(name: str) -> str:
    shown = document(name)
    parts = "".join(f"<li>{link(f'#{p.anchor}', p.head)}</li>" for p in shown.parts[1:])
    inside = f'<nav class="inside" aria-label="On this page"><ul>{parts}</ul></nav>'
    html = (
        f"{crumbs(('/docs', 'Docs'))}\n<h1>{escape(shown.title)}</h1>\n"
        f'<div class="document">\n{inside if parts else ""}\n'
        f"<article>\n{shown.html}</article>\n</div>"
    )
    return framed(shown.title, html, at="/docs")
