"""Every text that a user reads is plain American English: catalogs, help, pages, lessons, docs.

Each test walks one source of text and lists what a reader would have to decode: a slug, a Python
repr, an internal key, house words, British spelling.
"""

from __future__ import annotations

import ast
import re
import tomllib
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import click
import pytest

from passline.cli.main import cli
from passline.game.house.load import house_for
from passline.game.law.book_files import book_ids
from passline.game.layout.compile import compile_layout
from passline.game.words.web import API_SENTENCES, WEB_SENTENCES
from tests.test_structure import nodes

ROOT = Path(__file__).parent.parent
SOURCE = ROOT / "src" / "passline"

#: Wagers and codes as programs write them; people read "place 6", "don't pass", "pass odds".
WAGER_SLUGS = {
    slug for book in book_ids() for slug in compile_layout(house_for(book)).spots if "-" in slug
} | {"pass-odds", "c-and-e", "make-them-all"}
SLUG = re.compile(
    r"(?<![\w`/'\"=:-])(?:bad[-_]request|(?:place|buy|lay|come|odds|hop|hops|hard|hardway)-\d+|"
    + "|".join(sorted(map(re.escape, WAGER_SLUGS), key=len, reverse=True))
    + r")(?![\w/-])"
)
#: Keys of programs, such as ``Buy_in``, and phrases of the API.
SNAKE = re.compile(r"(?<![\w`/'\".=&-])[A-Za-z]+_[A-Za-z_]*[a-z](?![\w(=])")
API_PHRASE = re.compile(r"\b(Bearer|token of it|Content-Type|HTTP \d+)\b")
#: A fraction or a number that nobody reads: people see at most eighteen digits in a row.
LONG_NUMBER = re.compile(r"\d{19,}")
REPR = re.compile(
    r"<(?:[\w.]+ )?object at|\bb'|(?<!^)\bNone\b(?! of)"
    r"|\bTrue\b|\bFalse\b|\bFraction\(|\bfrozenset\b"
)
#: Dotted keys of programs, such as ``point.was``: two or more lower-case parts, and no file name.
KEY = re.compile(r"(?<![\w`/.@-])[a-z_]{3,}\.[a-z_]{3,}(?![\w.])")
FILE_NAME = re.compile(r"\.(py|toml|craps|md|jsonl|json|csv|svg|png|html|tsv|npz|js|txt|ipynb|db)$")
#: Words and phrases of the old private language, and riddles.
HOUSE_WORDS = re.compile(
    r"\b(whoever|whichever|nought|unless told|unless asked|reckon\w*|nobody but|as it stands"
    r"|speaks? for nobody|so-many|what is told|so many of|is told|are told|the papers|the hall)\b",
    re.I,
)
BRITISH = re.compile(
    r"\b(colou?red?s?(?<=our)|colour\w*|favour\w*|behaviour\w*|neighbour\w*|practise\w*"
    r"|(?:recogn|initial|organ|real|summar|normal|optim|minim|maxim|final|general)is(?:e[ds]?|ing)"
    r"|licence\w*|centre\w*|judgement\w*|travelled|(?:mod|lab|canc)ell(?:ed|ing)|grey|catalogue\w*"
    r"|defence\w*|analyse[ds]?|programmes?)\b",
    re.I,
)
#: Placeholders of a sentence, and words of records, which keep the spelling that they have.
NOT_SHOWN = re.compile(
    r"\{[^{}:|]*(?::[^{}|]*)?\}|\{\w+:|colours? up|colour-up|colour_by|\\b?\(\?P<\w+>"
)


def find_faults(text: str, *, slugs: bool = True, keys: bool = True, api: bool = True) -> list[str]:
    """Return what in a text a reader would have to decode.

    ``api``: count keys of requests and phrases of the API, which programs may read.
    """
    text = NOT_SHOWN.sub(" ", text)
    kinds = (HOUSE_WORDS, REPR, BRITISH, LONG_NUMBER, *((SNAKE, API_PHRASE) if api else ()))
    found = [m[0] for rx in kinds for m in rx.finditer(text)]
    if slugs:
        found += SLUG.findall(text)
    if keys:
        found += [m for m in KEY.findall(text) if not FILE_NAME.search(m)]
    return found


def report(texts: Iterator[tuple[str, str]], **kinds: bool) -> list[str]:
    return [
        f"{where}: {faults}: {text[:120]!r}"
        for where, text in texts
        if (faults := find_faults(text, **kinds))
    ]


def strings_in(path: Path) -> Iterator[tuple[str, str]]:
    """Every sentence-like string of a module that is no docstring."""
    docs = {
        id(node.body[0].value)
        for node in nodes(path)
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef)
        and node.body
        and isinstance(node.body[0], ast.Expr)
    }
    for node in nodes(path):
        if (
            isinstance(node, ast.Constant)
            and isinstance(node.value, str)
            and id(node) not in docs
            and len(node.value.split()) > 2
            and not re.fullmatch(r"[\w.\[\]]+( \| [\w.\[\]]+)+", node.value)  # a type
            and "(?P<" not in node.value  # a pattern
            and not node.value.startswith("custom: ")  # a citation, which stands in logs
        ):
            yield f"{path.relative_to(ROOT)}:{node.lineno}", node.value


def test_the_catalogs() -> None:
    paths = sorted((SOURCE / "game" / "words").glob("*.py"))
    assert paths
    texts = (item for path in paths for item in strings_in(path))
    assert report((w, text) for w, text in texts if text not in API_SENTENCES.values()) == []


def test_every_code_has_a_sentence_and_every_sentence_a_use() -> None:
    sources = [
        path.read_text("utf-8") for path in SOURCE.rglob("*.py") if path.parent.name != "words"
    ]
    said = {code for text in sources for code in re.findall(r'say_web\(\s*"([\w.-]+)"', text)}
    named = {code for text in sources for code in re.findall(r'"([a-z]+[a-z.-]+)"', text)}
    codes = WEB_SENTENCES.keys() | API_SENTENCES.keys()
    assert said - codes == set()
    assert codes - said - named == set()


def test_every_message_in_the_code() -> None:
    """Strings with three words or more, wherever they are: errors, prompts, labels."""
    found = report(
        (item for path in sorted(SOURCE.rglob("*.py")) for item in strings_in(path)),
        slugs=False,
        keys=False,
        api=False,
    )
    assert found == [], "\n".join(found)


def help_texts(command: click.Command, name: str = "passline") -> Iterator[tuple[str, str]]:
    yield name, command.help or ""
    for param in command.params:
        if isinstance(param, click.Option):
            yield f"{name} {param.opts[-1]}", param.help or ""
    if isinstance(command, click.Group):
        ctx = click.Context(command)
        for part in command.list_commands(ctx):
            inner = command.get_command(ctx, part)
            assert inner is not None
            yield from help_texts(inner, f"{name} {part}")


def test_the_help_of_every_command() -> None:
    assert report(help_texts(cli), keys=False, api=False) == []


def values_in(value: Any, where: str) -> Iterator[tuple[str, str]]:
    if isinstance(value, dict):
        for key, inner in value.items():
            if key != "custom":  # the reason of a citation, which stands in logs
                yield from values_in(inner, f"{where}.{key}")
    elif isinstance(value, list):
        for inner in value:
            yield from values_in(inner, where)
    elif isinstance(value, str) and len(value.split()) > 2:
        yield where, value


@pytest.mark.parametrize("folder", ["school", "game/law", "crew", "live", "talk"])
def test_the_texts_of_data_files(folder: str) -> None:
    texts = (
        item
        for path in sorted((SOURCE / folder).rglob("*.toml"))
        for item in values_in(tomllib.loads(path.read_text("utf-8")), str(path.relative_to(SOURCE)))
    )
    found = report(texts, slugs=False, keys=False)
    assert found == [], "\n".join(found)


def test_the_documents() -> None:
    found = []
    for path in [*sorted(ROOT.glob("*.md")), *sorted((ROOT / "docs").rglob("*.md"))]:
        text = path.read_text("utf-8")
        text = re.sub(r"```.*?```|`[^`]*`|\]\([^)]*\)|^    [^\n]*$", " ", text, flags=re.S | re.M)
        found += report(
            ((f"{path.relative_to(ROOT)}", line) for line in text.splitlines()),
            slugs=False,
            keys=False,
        )
    assert found == [], "\n".join(found)


def test_the_scripts_of_the_pages() -> None:
    """String literals of three words or more in the browser's modules."""
    found = []
    for path in sorted((SOURCE / "web" / "static").glob("*.js")):
        code = re.sub(r"/\*.*?\*/|^\s*//.*$", "", path.read_text("utf-8"), flags=re.S | re.M)
        strings = re.findall(r"\"([^\"\n]*)\"|`([^`]*)`", code)
        found += report(
            ((path.name, text) for text in map("".join, strings) if len(text.split()) > 2),
            keys=False,
        )
    assert found == [], "\n".join(found)


def test_the_templates_of_the_pages() -> None:
    """What stands in the templates themselves; `tests/web/test_pages.py` walks the pages."""
    paths = sorted([*SOURCE.rglob("templates/*.html"), *SOURCE.rglob("documents/*.html")])
    texts = [(path.name, strip_jinja(path.read_text("utf-8"))) for path in paths]
    assert texts
    found = report(
        ((name, text) for name, page in texts for text in VisibleText(page).texts), keys=False
    )
    assert found == [], "\n".join(found)


def strip_jinja(template: str) -> str:
    return re.sub(r"\{#.*?#\}|\{%.*?%\}|\{\{.*?\}\}", " ", template, flags=re.S)


@pytest.mark.parametrize(
    "planted",
    [
        "You can't take down place-6 now",
        "there is no wager dont-pass here",
        "bad-request: try again",
        "expected point.was to be a number",
        "Buy_in must be a number",
        "Send a Bearer token with it",
        "expected a token of it",
        "an edge of 1234567890123456789012345678901234567890/7",
        "the answer was <object at 0x7f>",
        "the place is None now",
        "your favorite colour",
        "whoever speaks for nobody",
        "{player:has} no place-6 {up:, and place-8 is {up:$}|}",
    ],
)
def test_a_planted_fault_is_found(planted: str) -> None:
    assert find_faults(planted)
    assert find_faults(strip_jinja("{{ name }} " + planted)) or "{" in planted


#: Attributes that a browser shows or reads aloud.
SHOWN_ATTRIBUTES = {"alt", "aria-label", "placeholder", "title"}


class VisibleText(HTMLParser):
    """The text of a page that a person sees, without code, links' addresses and field values."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.hidden = 0
        self.texts: list[str] = []
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.hidden += tag in {"code", "kbd", "pre", "script", "style", "textarea"}
        self.texts += [text for name, text in attrs if name in SHOWN_ATTRIBUTES and text]

    def handle_endtag(self, tag: str) -> None:
        self.hidden -= tag in {"code", "kbd", "pre", "script", "style", "textarea"}

    def handle_data(self, data: str) -> None:
        if not self.hidden and data.strip():
            self.texts.append(" ".join(data.split()))
