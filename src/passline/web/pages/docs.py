"""The documentation, ``/docs`` and ``/docs/NAME``: Markdown files rendered as pages, with search.

The files are ``docs/*/*.md`` of a checkout, or the copies inside an installed package. Links
between them are turned into links to pages, headings get anchors, and wide tables and code get a
scroll bar.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import cache
from importlib import resources
from importlib.resources.abc import Traversable
from itertools import pairwise
from pathlib import Path
from typing import Final

import msgspec
from markdown_it import MarkdownIt
from markdown_it.token import Token
from markupsafe import Markup
from starlette.requests import Request
from starlette.responses import Response

from passline.game.words.web import say_web
from passline.live.schema import ServiceError
from passline.web.page_cache import BackgroundPageCache
from passline.web.page_templates import contains_words, read_search_words, render_page

#: The documents in an installed package (pyproject.toml puts them there) and in a checkout.
_INSTALLED_FOLDER: Final = "manual"
_CHECKOUT_FOLDER: Final = Path(__file__).parents[4] / "docs"
_TABLE_START: Final = '<div class="scroll" role="group" tabindex="0" aria-label="Table">\n<table>\n'
_CODE: Final = Markup('<pre tabindex="0"><code>{}</code></pre>\n')
_DOCUMENT_LINK = re.compile(r"(?:\.\./)?(?:[a-z]+/)?([a-z0-9-]+)\.md(#.*)?")


class DocumentSection(msgspec.Struct, frozen=True):
    """A part of a document under one heading: its anchor, the heading, and its text."""

    anchor: str
    heading: str
    text: str


class Document(msgspec.Struct, frozen=True):
    """A document: its name in ``/docs/NAME``, its title, the rest as HTML, and its sections.

    ``summary`` is the text of its first paragraph.
    """

    name: str
    title: str
    summary: str
    html: Markup
    sections: tuple[DocumentSection, ...]


#: The folders of the documentation, one for each kind of reader, and what each is called.
READERS: Final = {
    "play": "Play",
    "operate": "Run a table",
    "deal": "Learn to deal",
    "build": "Build on it",
}


@cache
def _find_documents() -> dict[str, tuple[str, Traversable]]:
    """Return (kind of reader, file) for every document, by the document's name."""
    installed = resources.files("passline").joinpath(_INSTALLED_FOLDER)
    root: Traversable = installed if installed.is_dir() else _CHECKOUT_FOLDER
    return {
        file.name.removesuffix(".md"): (reader, file)
        for reader in READERS
        if (folder := root.joinpath(reader)).is_dir()
        for file in sorted(folder.iterdir(), key=lambda file: file.name)
        if file.name.endswith(".md")
    }


def document_names(reader: str | None = None) -> tuple[str, ...]:
    """Return the names of the documents: all of them, or those for one kind of reader.

    ``reader`` is a key of ``READERS``, such as ``play``, or None.
    """
    return tuple(n for n, (whose, _) in _find_documents().items() if reader in {None, whose})


@cache
def load_document(name: str) -> Document:
    """Return the document of this name, read from its file. Raise KeyError if there is none."""
    return read_document(name, _find_documents()[name][1].read_text("utf-8"))


def read_document(name: str, text: str) -> Document:
    """Return a document from its Markdown text. HTML in the text is shown as text.

    >>> read = read_document("a", "# A b\\n\\nSee [it](record.md).\\n\\n## C & d\\n<b>e</b>")
    >>> read.title, [section.anchor for section in read.sections]
    ('A b', ['a-b', 'c-d'])
    >>> '<a href="/docs/record">' in read.html, "&lt;b&gt;" in read.html
    (True, True)
    """
    reader = MarkdownIt("commonmark", {"html": False}).enable("table")
    reader.add_render_rule("table_open", lambda *_: _TABLE_START)
    reader.add_render_rule("table_close", lambda *_: "</table>\n</div>\n")
    for code in ("fence", "code_block"):
        reader.add_render_rule(code, lambda _, tokens, n, *__: _CODE.format(tokens[n].content))
    tokens = reader.parse(text)
    _add_anchors(tokens)
    _rewrite_links(tokens)
    _align_cells(tokens)
    sections = tuple(_split_sections(tokens))
    titled = bool(tokens) and tokens[0].tag == "h1"
    html = Markup(reader.renderer.render(tokens[3:] if titled else tokens, reader.options, {}))
    title = sections[0].heading if sections else name
    paragraphs = (two for one, two in pairwise(tokens) if one.type == "paragraph_open")
    summary = next((_token_text(token) for token in paragraphs), "")
    return Document(name=name, title=title, summary=summary, html=html, sections=sections)


def _add_anchors(tokens: Sequence[Token]) -> None:
    """Set an id on each heading, in place, that no other heading of the document has."""
    seen: dict[str, int] = {}
    for token, inline in pairwise(tokens):
        if token.type == "heading_open":
            anchor = "-".join(re.findall(r"[a-z0-9]+", _token_text(inline).casefold())) or "part"
            seen[anchor] = seen.get(anchor, 0) + 1
            token.attrSet("id", anchor if seen[anchor] == 1 else f"{anchor}-{seen[anchor]}")


def _rewrite_links(tokens: Sequence[Token]) -> None:
    """Replace links to other documents, in place, by links to their pages."""
    for token in tokens:
        for child in token.children or ():
            if child.type != "link_open":
                continue
            if found := _DOCUMENT_LINK.fullmatch(str(child.attrGet("href") or "")):
                child.attrSet("href", f"/docs/{found[1]}{found[2] or ''}")


def _align_cells(tokens: Sequence[Token]) -> None:
    """Set the class ``n`` on right-aligned cells, in place, because pages allow no inline style.

    Empty heading cells become plain cells.
    """
    for place, token in enumerate(tokens):
        if token.type not in {"th_open", "td_open"}:
            continue
        if token.attrs.pop("style", "") == "text-align:right":
            token.attrSet("class", "n")
        if token.type == "th_open" and not tokens[place + 1].content:
            token.tag = tokens[place + 2].tag = "td"


def _split_sections(tokens: Sequence[Token]) -> Iterator[DocumentSection]:
    heading: tuple[str, str] | None = None
    words: list[str] = []
    for place, token in enumerate(tokens):
        if token.type == "heading_open":
            if heading is not None:
                yield DocumentSection(*heading, " ".join(words))
            heading, words = (str(token.attrGet("id")), _token_text(tokens[place + 1])), []
        elif token.type in {"fence", "code_block"} or (
            token.type == "inline" and tokens[place - 1].type != "heading_open"
        ):
            words.append(_token_text(token))
    if heading is not None:
        yield DocumentSection(*heading, " ".join(words))


def _token_text(token: Token) -> str:
    """Return a token's text without its formatting."""
    if not token.children:
        return token.content
    return "".join(
        " " if child.type in {"softbreak", "hardbreak"} else child.content
        for child in token.children
    )


#: How many characters a search shows before and after the first word that it found.
_EXCERPT_CHARS: Final = 110
#: How many characters of its text the list of documents shows for each.
_SUMMARY_CHARS: Final = 180


class DocsPages:
    """The handlers of the documentation, under ``/docs``."""

    def __init__(self) -> None:
        self._pages = BackgroundPageCache()

    async def index(self, request: Request) -> Response:
        """``GET /docs``: every document, or with ``?q=`` the sections that contain the words."""
        return await self._pages.respond(request, _render_index, read_search_words(request))

    async def document(self, request: Request) -> Response:
        """``GET /docs/NAME``: one document."""
        name = request.path_params["name"].removesuffix(".md")
        if name not in document_names():
            raise ServiceError("not_found", say_web("no-document"))
        return await self._pages.respond(request, _render_document, name)


def _render_document(name: str) -> str:
    return render_page("document.html", document=load_document(name))


def _render_index(words: tuple[str, ...]) -> str:
    groups = [
        (title, [_summarize(load_document(name)) for name in document_names(reader)])
        for reader, title in READERS.items()
    ]
    return render_page("docs_index.html", words=words, found=_search(words), groups=groups)


def _summarize(document: Document) -> tuple[str, str, str]:
    """Return (path, title, beginning of the first paragraph) of a document."""
    summary = _shorten(document.summary, 0, _SUMMARY_CHARS)
    return f"/docs/{document.name}", document.title, summary


def _search(words: Sequence[str]) -> list[tuple[str, str, str, str]]:
    """Return (path, heading, document's title, excerpt) of each section that has all the words."""
    if not words:
        return []
    return [
        (
            f"/docs/{name}#{section.anchor}",
            section.heading,
            load_document(name).title,
            _excerpt_around(section.text, words[0]),
        )
        for name in document_names()
        for section in load_document(name).sections
        if contains_words(f"{section.heading} {section.text}", words)
    ]


def _excerpt_around(text: str, word: str) -> str:
    """Return the part of a text around the first occurrence of a word."""
    at = text.casefold().find(word)
    return _shorten(text, max(0, at - _EXCERPT_CHARS), 2 * _EXCERPT_CHARS)


def _shorten(text: str, start: int, length: int) -> str:
    """Return about ``length`` characters of a text from position ``start``, in whole words.

    >>> _shorten("a rule that stands", 3, 8), _shorten("a rule", 0, 20)
    ('... that ...', 'a rule')
    """
    if start:
        start = text.find(" ", start) + 1
    part = text[start : start + length]
    if start + length < len(text):
        part = f"{part.rpartition(' ')[0] or part} ..."
    return f"... {part}" if start else part
