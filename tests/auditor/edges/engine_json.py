"""The one bridge to the engine: a command line goes over, JSON comes back."""

from __future__ import annotations

import json
from typing import Any

from click.testing import CliRunner

from passline.cli.main import cli


def run_json(*words: str) -> Any:
    """What ``passline WORDS --json`` prints."""
    result = CliRunner().invoke(cli, [*words, "--json"], catch_exceptions=False)
    assert result.exit_code == 0, result.output
    return json.loads(result.stdout)
