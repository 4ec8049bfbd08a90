"""README runs as it says, links and pictures exist, and the index lists every document."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
README = (ROOT / "README.md").read_text("utf-8")
DOCUMENTS = sorted((ROOT / "docs").rglob("*.md"))


def test_the_python_of_the_readme_prints_what_it_says(capsys: pytest.CaptureFixture[str]) -> None:
    code = README.partition("```python\n")[2].partition("```")[0]
    expected = re.findall(r"print\(.*\)  # ([^,\n]+)", code)
    exec(compile(code, "README.md", "exec"), {})
    assert capsys.readouterr().out.split() == expected
    assert len(expected) == 3


@pytest.mark.parametrize(
    "path",
    [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *DOCUMENTS],
    ids=lambda path: str(path.relative_to(ROOT)),
)
def test_every_link_leads_to_a_file(path: Path) -> None:
    links = re.findall(r"\]\(([^)#:]+)(?:#[^)]*)?\)", path.read_text("utf-8"))
    assert [link for link in links if not (path.parent / link).exists()] == []


def test_the_pictures_are_small() -> None:
    pictures = re.findall(r"!\[[^\]]+\]\(([^)]+)\)", README)
    assert len(pictures) == 2
    assert sum((ROOT / picture).stat().st_size for picture in pictures) < 300_000


def test_the_index_lists_every_document() -> None:
    index = (ROOT / "docs" / "index.md").read_text("utf-8")
    listed = set(re.findall(r"\]\(([a-z]+/[a-z-]+\.md)\)", index))
    docs = ROOT / "docs"
    assert listed == {str(p.relative_to(docs)) for p in DOCUMENTS if p.parent != docs}


@pytest.mark.parametrize("name", ["CONTRIBUTING.md", "docs/build/architecture.md"])
def test_every_file_that_is_named_exists(name: str) -> None:
    text = (ROOT / name).read_text("utf-8")
    named = re.findall(r"`((?:[\w.-]+/)+[\w.-]*|[\w-]+\.(?:py|md))`", text)
    roots = (ROOT, ROOT / "src" / "passline")
    assert named
    missing = [path for path in named if not any((root / path).exists() for root in roots)]
    assert [path for path in missing if "ID" not in path] == []
