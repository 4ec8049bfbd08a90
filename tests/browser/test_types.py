"""The browser's scripts pass TypeScript's strict type check of their JSDoc."""

from __future__ import annotations

import shutil
import subprocess

import pytest

from tests.browser.npm import ROOT, package

pytestmark = pytest.mark.system

TYPESCRIPT = "5.9.3"
STATIC = ROOT / "src" / "passline" / "web" / "static"
STRICT = (
    "--noEmit --allowJs --checkJs --strict --skipLibCheck "
    "--target es2022 --module es2022 --lib es2022,dom,dom.iterable"
)


def test_every_script_passes_the_type_check() -> None:
    node = shutil.which("node")
    if node is None:
        pytest.skip("not run: node is not installed")
    tsc = package("typescript", TYPESCRIPT) / "lib" / "tsc.js"
    scripts = sorted(map(str, STATIC.glob("*.js")))
    ended = subprocess.run(
        [node, str(tsc), *STRICT.split(), "--moduleDetection", "force", *scripts],
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert ended.stdout == ""
    assert ended.returncode == 0
