"""The documentation: ``docs/*.md`` of a checkout, or the copies that an installed package has.

Written for readers of the repository; here its links lead to pages, its headings can be linked to,
and wide parts scroll within themselves.
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

#: Where the build puts the copies (setup.py), within the package; and where they are in a checkout.
_COPIES: Final = "manual"
_CHECKOUT: Final = Path(__file__).parents[3] / "docs"
_DOCUMENT = re.compile(r"([a-z0-9-]+)\.md(#.*)?")


class ManualPart(msgspec.Struct, frozen=True):
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
    parts: tuple[ManualPart, ...]


def _folder() -> Traversable:
    copies = resources.files("passline").joinpath(_COPIES)
    return copies if copies.is_dir() else _CHECKOUT


@cache
def document_names() -> tuple[str, ...]:
    """Every document's name."""
    folder = _folder()
    if not folder.is_dir():
        return ()
    names = (file.name for file in folder.iterdir())
    return tuple(sorted(name.removesuffix(".md") for name in names if name.endswith(".md")))


@cache
def document(name: str) -> Document:
    """One of the documents."""
    return read_document(name, _folder().joinpath(f"{name}.md").read_text("utf-8"))


def read_document(name: str, text: str) -> Document:
    """A document of this text. Markup in it is text.

    >>> read = read_document("a", "# A b\\n\\nSee [it](record.md).\\n\\n## C & d\\n<b>e</b>")
    >>> read.title, [part.anchor for part in read.parts]
    ('A b', ['a-b', 'c-d'])
    >>> '<a href="/docs/record">' in read.html, "&lt;b&gt;" in read.html
    (True, True)
    """
    reader = MarkdownIt("commonmark", {"html": False}).enable("table")
    for rule, how in (("table_open", _table), ("table_close", _table_end), ("fence", _code)):
        reader.add_render_rule(rule, how)
    reader.add_render_rule("code_block", _code)
    tokens = reader.parse(text)
    _anchor(tokens)
    _lead(tokens)
    _align(tokens)
    parts = tuple(_parts(tokens))
    titled = bool(tokens) and tokens[0].tag == "h1"
    html: str = reader.renderer.render(tokens[3:] if titled else tokens, reader.options, {})
    return Document(name=name, title=parts[0].head if parts else name, html=html, parts=parts)


def _anchor(tokens: Sequence[Token]) -> None:
    """Give each heading an id of its own."""
    seen: dict[str, int] = {}
    for token, inline in pairwise(tokens):
        if token.type == "heading_open":
            anchor = "-".join(re.findall(r"[a-z0-9]+", _plain(inline).casefold())) or "part"
            seen[anchor] = seen.get(anchor, 0) + 1
            token.attrSet("id", anchor if seen[anchor] == 1 else f"{anchor}-{seen[anchor]}")


def _lead(tokens: Sequence[Token]) -> None:
    """Lead links between documents to their pages."""
    for token in tokens:
        for child in token.children or ():
            if child.type != "link_open":
                continue
            if found := _DOCUMENT.fullmatch(str(child.attrGet("href") or "")):
                child.attrSet("href", f"/docs/{found[1]}{found[2] or ''}")


def _align(tokens: Sequence[Token]) -> None:
    """Figures to the right by a class: a page holds no style. And a heading needs words."""
    for place, token in enumerate(tokens):
        if token.type not in {"th_open", "td_open"}:
            continue
        if token.attrs.pop("style", "") == "text-align:right":
            token.attrSet("class", "n")
        if token.type == "th_open" and not tokens[place + 1].content:
            token.tag = tokens[place + 2].tag = "td"


def _parts(tokens: Sequence[Token]) -> Iterator[ManualPart]:
    head: tuple[str, str] | None = None
    words: list[str] = []
    for place, token in enumerate(tokens):
        if token.type == "heading_open":
            if head is not None:
                yield ManualPart(*head, " ".join(words))
            head, words = (str(token.attrGet("id")), _plain(tokens[place + 1])), []
        elif token.type in {"fence", "code_block"} or (
            token.type == "inline" and tokens[place - 1].type != "heading_open"
        ):
            words.append(_plain(token))
    if head is not None:
        yield ManualPart(*head, " ".join(words))


def _plain(token: Token) -> str:
    """A token's words without their marks."""
    if not token.children:
        return token.content
    return "".join(
        " " if child.type in {"softbreak", "hardbreak"} else child.content
        for child in token.children
    )


# How parts are written out, for markdown-it: methods of its renderer.


def _table(_: RendererHTML, __: Sequence[Token], ___: int, ____: Any, _____: Any) -> str:
    return '<div class="scroll" role="group" tabindex="0" aria-label="Table">\n<table>\n'


def _table_end(_: RendererHTML, __: Sequence[Token], ___: int, ____: Any, _____: Any) -> str:
    return "</table>\n</div>\n"


def _code(_: RendererHTML, tokens: Sequence[Token], place: int, ____: Any, _____: Any) -> str:
    return f'<pre tabindex="0"><code>{escape(tokens[place].content)}</code></pre>\n'
