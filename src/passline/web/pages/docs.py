"""The documentation: ``docs/*.md`` of a checkout, or the copies that an installed package has.

Written for readers of the repository; here its links lead to pages, its headings can be linked to,
and wide parts scroll within themselves.

``/docs``, ``/docs/NAME``: the documentation, rendered and to be searched.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import cache
from html import escape
from importlib import resources
from importlib.resources.abc import Traversable
from itertools import pairwise
from pathlib import Path
from typing import Any, Final

import msgspec
from markdown_it import MarkdownIt
from markdown_it.renderer import RendererHTML
from markdown_it.token import Token
from starlette.requests import Request
from starlette.responses import Response

from passline.live.requests import ServiceError
from passline.web.page_cache import BackgroundPageCache
from passline.web.page_layout import (
    breadcrumbs,
    contains_words,
    link,
    read_search_words,
    render_page,
    search_form,
)
from passline.web.responses import cached_response

#: The documents in an installed package (pyproject.toml puts them there) and in a checkout.
_INSTALLED_FOLDER: Final = "manual"
_CHECKOUT_FOLDER: Final = Path(__file__).parents[4] / "docs"
_DOCUMENT_LINK = re.compile(r"(?:\.\./)?(?:[a-z]+/)?([a-z0-9-]+)\.md(#.*)?")


class DocumentSection(msgspec.Struct, frozen=True):
    """What stands under one heading of a document: its anchor, the heading, the text."""

    anchor: str
    head: str
    text: str


class Document(msgspec.Struct, frozen=True):
    """A document: the name it is asked for by, its title, what stands under that as markup, and
    its parts."""

    name: str
    title: str
    html: str
    parts: tuple[DocumentSection, ...]


def _find_folder() -> Traversable:
    copies = resources.files("passline").joinpath(_INSTALLED_FOLDER)
    return copies if copies.is_dir() else _CHECKOUT_FOLDER


#: The folders of the documentation, one for each kind of reader, and what each is called.
READERS: Final = {
    "play": "Play",
    "operate": "Run a table",
    "deal": "Learn to deal",
    "build": "Build on it",
}


@cache
def _find_documents() -> dict[str, tuple[str, Traversable]]:
    """Find every document: its name, with the reader it is for and its file."""
    return {
        file.name.removesuffix(".md"): (reader, file)
        for reader in READERS
        if (folder := _find_folder().joinpath(reader)).is_dir()
        for file in sorted(folder.iterdir(), key=lambda file: file.name)
        if file.name.endswith(".md")
    }


def document_names(reader: str | None = None) -> tuple[str, ...]:
    """Return the names of the documents: all of them, or those for one kind of reader."""
    return tuple(n for n, (whose, _) in _find_documents().items() if reader in {None, whose})


@cache
def load_document(name: str) -> Document:
    """Read a document by its name. Raise KeyError if there is none."""
    return read_document(name, _find_documents()[name][1].read_text("utf-8"))


def read_document(name: str, text: str) -> Document:
    """A document of this text. Markup in it is text.

    >>> read = read_document("a", "# A b\\n\\nSee [it](record.md).\\n\\n## C & d\\n<b>e</b>")
    >>> read.title, [part.anchor for part in read.parts]
    ('A b', ['a-b', 'c-d'])
    >>> '<a href="/docs/record">' in read.html, "&lt;b&gt;" in read.html
    (True, True)
    """
    reader = MarkdownIt("commonmark", {"html": False}).enable("table")
    for rule, how in (
        ("table_open", _render_table_open),
        ("table_close", _render_table_close),
        ("fence", _render_code),
    ):
        reader.add_render_rule(rule, how)
    reader.add_render_rule("code_block", _render_code)
    tokens = reader.parse(text)
    _add_anchors(tokens)
    _rewrite_links(tokens)
    _align_cells(tokens)
    parts = tuple(_split_sections(tokens))
    titled = bool(tokens) and tokens[0].tag == "h1"
    html: str = reader.renderer.render(tokens[3:] if titled else tokens, reader.options, {})
    return Document(name=name, title=parts[0].head if parts else name, html=html, parts=parts)


def _add_anchors(tokens: Sequence[Token]) -> None:
    """Give each heading an id of its own."""
    seen: dict[str, int] = {}
    for token, inline in pairwise(tokens):
        if token.type == "heading_open":
            anchor = "-".join(re.findall(r"[a-z0-9]+", _token_text(inline).casefold())) or "part"
            seen[anchor] = seen.get(anchor, 0) + 1
            token.attrSet("id", anchor if seen[anchor] == 1 else f"{anchor}-{seen[anchor]}")


def _rewrite_links(tokens: Sequence[Token]) -> None:
    """Lead links between documents to their pages."""
    for token in tokens:
        for child in token.children or ():
            if child.type != "link_open":
                continue
            if found := _DOCUMENT_LINK.fullmatch(str(child.attrGet("href") or "")):
                child.attrSet("href", f"/docs/{found[1]}{found[2] or ''}")


def _align_cells(tokens: Sequence[Token]) -> None:
    """Figures to the right by a class: a page holds no style. And a heading needs words."""
    for place, token in enumerate(tokens):
        if token.type not in {"th_open", "td_open"}:
            continue
        if token.attrs.pop("style", "") == "text-align:right":
            token.attrSet("class", "n")
        if token.type == "th_open" and not tokens[place + 1].content:
            token.tag = tokens[place + 2].tag = "td"


def _split_sections(tokens: Sequence[Token]) -> Iterator[DocumentSection]:
    head: tuple[str, str] | None = None
    words: list[str] = []
    for place, token in enumerate(tokens):
        if token.type == "heading_open":
            if head is not None:
                yield DocumentSection(*head, " ".join(words))
            head, words = (str(token.attrGet("id")), _token_text(tokens[place + 1])), []
        elif token.type in {"fence", "code_block"} or (
            token.type == "inline" and tokens[place - 1].type != "heading_open"
        ):
            words.append(_token_text(token))
    if head is not None:
        yield DocumentSection(*head, " ".join(words))


def _token_text(token: Token) -> str:
    """A token's words without their marks."""
    if not token.children:
        return token.content
    return "".join(
        " " if child.type in {"softbreak", "hardbreak"} else child.content
        for child in token.children
    )


# How parts are written out, for markdown-it: methods of its renderer.


def _render_table_open(
    _: RendererHTML, __: Sequence[Token], ___: int, ____: Any, _____: Any
) -> str:
    return '<div class="scroll" role="group" tabindex="0" aria-label="Table">\n<table>\n'


def _render_table_close(
    _: RendererHTML, __: Sequence[Token], ___: int, ____: Any, _____: Any
) -> str:
    return "</table>\n</div>\n"


def _render_code(
    _: RendererHTML, tokens: Sequence[Token], place: int, ____: Any, _____: Any
) -> str:
    return f'<pre tabindex="0"><code>{escape(tokens[place].content)}</code></pre>\n'


#: Characters of a part that a search shows around the first word.
_EXCERPT_CHARS: Final = 110
_SUMMARY_CHARS: Final = 180


class DocsPages:
    """The handlers of the documentation."""

    def __init__(self, page_cache: BackgroundPageCache) -> None:
        self._page_cache = page_cache

    async def index(self, request: Request) -> Response:
        """``/docs``, and with ``?q=`` the parts that have these words."""
        words = read_search_words(request)
        return cached_response(
            request, await self._page_cache.made(("docs", words), lambda: _index_page(words))
        )

    async def document(self, request: Request) -> Response:
        """``/docs/NAME``"""
        name = request.path_params["name"].removesuffix(".md")
        if name not in document_names():
            raise ServiceError("not_found", f"there is no document {name[:40]!r}")
        return cached_response(
            request, await self._page_cache.made(("doc", name), lambda: _document_page(name))
        )


def _index_page(words: tuple[str, ...]) -> str:
    if words:
        body = _search_results(words)
    else:
        items = "".join(_document_item(load_document(name)) for name in document_names())
        body = f'<ul class="documents">\n{items}</ul>' if items else "<p>None is installed.</p>"
    html = f"<h1>Documentation</h1>\n{search_form('/docs', words, 'Search the docs')}\n{body}"
    return render_page("Documentation", html, at="/docs")


def _document_item(shown: Document) -> str:
    text = next((part.text for part in shown.parts if part.text), "")
    return (
        f"<li><h2>{link(f'/docs/{shown.name}', shown.title)}</h2>"
        f"<p>{escape(_cut(text, 0, _SUMMARY_CHARS))}</p></li>\n"
    )


def _search_results(words: Sequence[str]) -> str:
    """The parts that have every word, in the order of the documents."""
    items = [
        f"<li><h2>{link(f'/docs/{name}#{part.anchor}', part.head)}</h2>"
        f"<p>{escape(load_document(name).title)}: {escape(_excerpt_around(part, words))}</p></li>\n"
        for name in document_names()
        for part in load_document(name).parts
        if contains_words(f"{part.head} {part.text}", words)
    ]
    count = f"{len(items)} part{'s' if len(items) != 1 else ''} with these words"
    return f'<p role="status">{count}.</p>\n<ul class="documents">\n{"".join(items)}</ul>'


def _excerpt_around(part: DocumentSection, words: Sequence[str]) -> str:
    at = part.text.casefold().find(words[0])
    return _cut(part.text, max(0, at - _EXCERPT_CHARS), 2 * _EXCERPT_CHARS)


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


def _document_page(name: str) -> str:
    shown = load_document(name)
    parts = "".join(f"<li>{link(f'#{p.anchor}', p.head)}</li>" for p in shown.parts[1:])
    inside = f'<nav class="inside" aria-label="On this page"><ul>{parts}</ul></nav>'
    html = (
        f"{breadcrumbs(('/docs', 'Docs'))}\n<h1>{escape(shown.title)}</h1>\n"
        f'<div class="document">\n{inside if parts else ""}\n'
        f"<article>\n{shown.html}</article>\n</div>"
    )
    return render_page(shown.title, html, at="/docs")
