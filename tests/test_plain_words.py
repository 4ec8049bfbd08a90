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

ROOT = Path(__file__).parent.parent
SOURCE = ROOT / "src" / "passline"

#: Wagers and codes as programs write them; people read "place 6", "don't pass", "pass odds".
SLUG = re.compile(
    r"(?<![\w`/'\"=:-])(?:place-(?:win|lose)-\d+|dont-(?:pass|come)(?:-odds)?(?:-\d+)?|come-odds-\d+"
    r"|pass-odds|any-(?:seven|craps)|c-and-e|hop-\d-\d|horn-high-\d+|three-way-craps|make-them-all"
    r"|all-(?:small|tall)|six-seven-eight)(?![\w/-])"
)
REPR = re.compile(
    r"<[\w.]+ object at|(?<!^)\bNone\b(?! of)|\bTrue\b|\bFalse\b|\bFraction\(|\bfrozenset\b|\bb'"
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
    r"|recognis\w*|initialis\w*|licence\w*|centre\w*|judgement\w*|travelled|modelling)\b",
    re.I,
)
#: Placeholders of a sentence, and words of records, which keep the spelling that they have.
NOT_SHOWN = re.compile(r"\{[^{}]*\}|colours? up|colour-up|colour_by|\\b?\(\?P<\w+>")


def find_faults(text: str, *, slugs: bool = True, keys: bool = True) -> list[str]:
    """Return what in a text a reader would have to decode."""
    text = NOT_SHOWN.sub(" ", text)
    found = [m[0] for rx in (HOUSE_WORDS, REPR, BRITISH) for m in rx.finditer(text)]
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
    tree = ast.parse(path.read_text("utf-8"))
    docs = {
        id(node.body[0].value)
        for node in ast.walk(tree)
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef)
        and node.body
        and isinstance(node.body[0], ast.Expr)
    }
    for node in ast.walk(tree):
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
    assert report(item for path in paths for item in strings_in(path)) == []


def test_every_message_in_the_code() -> None:
    """Strings with three words or more, wherever they are: errors, prompts, labels."""
    found = report(
        (item for path in sorted(SOURCE.rglob("*.py")) for item in strings_in(path)),
        slugs=False,
        keys=False,
    )
    assert found == [], "\n".join(found)


def help_texts() -> Iterator[tuple[str, str]]:
    ctx = click.Context(cli)
    for name in cli.list_commands(ctx):
        command = cli.get_command(ctx, name)
        assert command is not None
        yield f"passline {name}", command.help or ""
        for param in command.params:
            if isinstance(param, click.Option):
                yield f"passline {name} {param.opts[-1]}", param.help or ""


def test_the_help_of_every_command() -> None:
    assert report(help_texts(), keys=False) == []


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
    for path in [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]:
        text = re.sub(r"```.*?```|`[^`]*`|\]\([^)]*\)", " ", path.read_text("utf-8"), flags=re.S)
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


class VisibleText(HTMLParser):
    """The text of a page that a person sees, without code, links' addresses and field values."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.hidden = 0
        self.texts: list[str] = []
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.hidden += tag in {"code", "kbd", "pre", "script", "style", "textarea"}

    def handle_endtag(self, tag: str) -> None:
        self.hidden -= tag in {"code", "kbd", "pre", "script", "style", "textarea"}

    def handle_data(self, data: str) -> None:
        if not self.hidden and data.strip():
            self.texts.append(" ".join(data.split()))
