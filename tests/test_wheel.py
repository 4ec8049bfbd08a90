"""What an installed package holds: everything that it reads, and the documentation."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
SOURCE = ROOT / "src" / "passline"
_NOT_OURS = shutil.ignore_patterns("__pycache__", "*.egg-info")


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The package as the build makes it, from a copy of the tree."""
    pytest.importorskip("setuptools", reason="not run: there is no setuptools here to build with")
    copy = tmp_path_factory.mktemp("tree")
    for folder in ("src", "docs"):
        shutil.copytree(ROOT / folder, copy / folder, ignore=_NOT_OURS)
    for name in ("pyproject.toml", "setup.py", "MANIFEST.in", "README.md"):
        shutil.copy(ROOT / name, copy)
    subprocess.run(
        [sys.executable, "setup.py", "--quiet", "build_py", "--build-lib", "built"],
        cwd=copy,
        check=True,
        capture_output=True,
        timeout=120,
    )
    return copy / "built"


def test_it_holds_every_file(built: Path) -> None:
    ours = {
        str(path.relative_to(SOURCE))
        for path in SOURCE.rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
    }
    documents = {f"manual/{path.name}" for path in (ROOT / "docs").glob("*.md")}
    there = {
        str(path.relative_to(built / "passline")) for path in built.rglob("*") if path.is_file()
    }
    assert there == ours | documents


def test_its_pages_have_their_documents_and_style(built: Path) -> None:
    code = (
        "from passline.web.pages.docs import load_document as document, document_names\n"
        "from passline.web.static_files import static_url as static_address\n"
        "import passline\n"
        "print(passline.__file__, len(document_names()), document('live').title)\n"
        "print(static_address('frame.css'))"
    )
    ended = subprocess.run(
        [sys.executable, "-c", code],
        env={"PYTHONPATH": str(built)},
        cwd=built,
        capture_output=True,
        text=True,
        timeout=60,
        check=True,
    )
    where, style = ended.stdout.splitlines()
    count = len(list((ROOT / "docs").glob("*.md")))
    assert where == f"{built / 'passline' / '__init__.py'} {count} Running live tables"
    assert style.startswith("/static/")
