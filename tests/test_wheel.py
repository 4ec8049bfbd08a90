"""What an installed package holds: everything that it reads, and the documentation."""

from __future__ import annotations

import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

pytestmark = pytest.mark.system

ROOT = Path(__file__).parent.parent
SOURCE = ROOT / "src" / "passline"


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel as the build backend makes it, unpacked."""
    out = tmp_path_factory.mktemp("wheel")
    code = f"from hatchling.build import build_wheel; print(build_wheel({str(out)!r}))"
    ended = subprocess.run(
        [sys.executable, "-c", code],
        cwd=ROOT,
        check=True,
        capture_output=True,
        text=True,
        timeout=120,
    )
    with zipfile.ZipFile(out / ended.stdout.split()[-1]) as wheel:
        wheel.extractall(out / "built")
    return out / "built"


def list_files(folder: Path) -> set[str]:
    return {
        path.relative_to(folder).as_posix()
        for path in folder.rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
    }


def test_it_holds_every_file(built: Path) -> None:
    ours = {name for name in list_files(SOURCE) if not name.endswith("clause_tests.tsv")}
    documents = {f"manual/{name}" for name in list_files(ROOT / "docs")}
    assert list_files(built / "passline") == ours | documents


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
    count = len(list((ROOT / "docs").glob("*/*.md")))
    assert where == f"{built / 'passline' / '__init__.py'} {count} Running live tables"
    assert style.startswith("/static/")
