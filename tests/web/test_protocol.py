"""docs/build/protocol.md, run as it stands against a real server."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.web.serving import KEY, serving

DOC = Path(__file__).parents[2] / "docs" / "build" / "protocol.md"


def steps() -> list[tuple[str, str]]:
    """Every command of the document, and the output that stands under it."""
    found: list[tuple[str, str]] = []
    for block in re.findall(r"```console\n(.*?)```", DOC.read_text("utf-8"), re.DOTALL):
        for part in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
            command, _, output = part.partition("\n")
            found.append((command, output.rstrip("\n")))
    return found


def fits(shown: str, output: str) -> bool:
    """Whether an output is what is shown, ``...`` being anything."""
    pattern = ".*".join(re.escape(part) for part in shown.split("..."))
    return re.fullmatch(pattern, output.rstrip("\n"), re.DOTALL) is not None


@pytest.mark.system
@pytest.mark.skipif(shutil.which("curl") is None, reason="not run: there is no curl here")
def test_every_request_is_answered_as_shown(tmp_path: Path) -> None:
    mark = "=== next ==="
    with serving(tmp_path / "live") as server:
        script = "\n".join(f"{command}\necho; echo '{mark}'" for command, _ in steps())
        done = subprocess.run(
            ["bash", "-c", script],
            capture_output=True,
            text=True,
            timeout=60,
            cwd=tmp_path,
            env={**os.environ, "URL": server.url, "KEY": KEY},
        )
    outputs = done.stdout.split(f"{mark}\n")[:-1]
    assert len(outputs) == len(steps()) > 20
    for (command, shown), output in zip(steps(), outputs, strict=True):
        assert fits(shown, output.rstrip("\n")), f"$ {command}\n{output}\nis not\n{shown}"


@pytest.mark.system
def test_the_program_prints_what_is_shown(tmp_path: Path) -> None:
    ((program, shown),) = re.findall(
        r"```python\n(.*?)```\n+```text\n(.*?)```", DOC.read_text("utf-8"), re.DOTALL
    )
    with serving(tmp_path / "live") as server:
        done = subprocess.run(
            [sys.executable, "-c", program],
            capture_output=True,
            text=True,
            timeout=60,
            env={**os.environ, "URL": server.url, "KEY": KEY},
        )
    assert fits(shown.rstrip("\n"), done.stdout), done.stdout + done.stderr


def test_what_is_shown_is_held_to() -> None:
    assert fits('{"a":...}', '{"a":1}\n')
    assert not fits('{"a":...}', '{"b":1}\n')


def test_every_address_of_the_api_is_shown() -> None:
    commands = " ".join(command for command, _ in steps()).replace("$T", "{table}")
    commands = commands.replace("$A", "").replace("$S", "")
    source = (DOC.parents[2] / "src/passline/web/routes.py").read_text("utf-8")
    paths = re.findall(r'_route\(f?"([^"]+)"', source)
    assert len(paths) >= 12
    one = r"\{\{\w+\}\}|\{(?!table)\w+\}"  # of any wager or day: one is shown
    for path in (re.sub(one, "", path) for path in paths):
        if path.startswith(("{table}", "/api", "/healthz", "/metrics")):
            assert re.sub(r"^\{table\}", "/api/tables/{table}", path) in commands, path
