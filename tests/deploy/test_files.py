"""The deployment files: what can be checked without running them."""

from __future__ import annotations

import configparser
import re
import tomllib
from pathlib import Path

import pytest
from click.testing import CliRunner

from passline.cli import serve
from passline.cli.serve import ServeOptions, command

DEPLOY = Path(__file__).parents[2] / "deploy"


def option_variables() -> set[str]:
    names = (max(param.opts, key=len)[2:] for param in command.params)
    return {f"PASSLINE_SERVE_{name.upper().replace('-', '_')}" for name in names}


def test_the_example_configuration_is_taken(monkeypatch: pytest.MonkeyPatch) -> None:
    found: list[ServeOptions] = []

    async def note(given: ServeOptions) -> None:
        found.append(given)

    monkeypatch.setattr(serve, "_serve", note)
    result = CliRunner().invoke(command, ["--config", str(DEPLOY / "serve.toml")])
    assert (result.exit_code, result.output) == (0, "")
    assert found[0].proxies == "127.0.0.1,::1"
    assert tomllib.loads((DEPLOY / "serve.toml").read_text("utf-8"))["hosts"] == [found[0].hosts]


def test_compose_and_image_set_options_that_exist() -> None:
    yaml = pytest.importorskip("yaml")
    compose = yaml.safe_load((DEPLOY / "compose.yaml").read_text("utf-8"))
    assert set(compose["services"]) == {"one", "two", "database", "proxy"}
    image = (DEPLOY / "Dockerfile").read_text("utf-8")
    used = set(re.findall(r"PASSLINE_SERVE_[A-Z_]+", image))
    for name in ("one", "two"):
        server = compose["services"][name]
        used |= {key for key in server["environment"] if key.startswith("PASSLINE_SERVE_")}
        network = compose["networks"]["tables"]["ipam"]["config"][0]["subnet"]
        assert server["environment"]["PASSLINE_SERVE_PROXIES"] == network
    assert used <= option_variables()
    asked = set(re.findall(r"\$\{([A-Z_]+)", (DEPLOY / "compose.yaml").read_text("utf-8")))
    given = set(re.findall(r"^([A-Z_]+)=", (DEPLOY / "example.env").read_text("utf-8"), re.M))
    assert asked == given
    for folder in re.findall(r"^COPY ([a-z]+) ", image, re.M):
        assert (DEPLOY.parent / folder).is_dir()
    for name in re.findall(r"(\w+)[:]7117", (DEPLOY / "Caddyfile").read_text("utf-8")):
        assert name in compose["services"]


def test_the_engine_gets_what_the_image_copies_and_no_keys() -> None:
    image = (DEPLOY / "Dockerfile").read_text("utf-8")
    lines = (DEPLOY.parent / ".dockerignore").read_text("utf-8").splitlines()
    copied = re.findall(r"^COPY ((?!--).+) \S+$", image, re.M)
    assert lines[1] == "*"
    assert {line[1:] for line in lines if line.startswith("!")} == set(" ".join(copied).split())
    assert "deploy/.env" in (DEPLOY.parent / ".gitignore").read_text("utf-8").splitlines()


def test_the_unit_starts_serve_with_its_configuration() -> None:
    unit = configparser.ConfigParser(strict=False, interpolation=None, delimiters=("=",))
    unit.optionxform = str  # type: ignore[assignment,method-assign]
    unit.read(DEPLOY / "passline.service")
    assert unit["Service"]["ExecStart"].endswith("passline serve --config /etc/passline/serve.toml")
    assert int(unit["Service"]["LimitNOFILE"]) >= 65536
    assert int(unit["Service"]["TimeoutStopSec"]) > 5


@pytest.mark.parametrize("name", ["nginx.conf", "Caddyfile"])
def test_every_path_of_a_table_is_routed_by_its_id(name: str) -> None:
    """The patterns of both proxies find the id in the paths of tables, and in no others."""
    text = (DEPLOY / name).read_text("utf-8")
    patterns = re.findall(r"\"?~(\^/\S+?)\"?\s+[\"$]", text)
    assert len(patterns) == 2

    def routed(path: str) -> str:
        for pattern in patterns:
            if found := re.match(pattern.replace("?<id>", "?P<id>"), path):
                return found.group(1)
        return ""

    for path in ("/api/tables/t7", "/api/tables/t7/say", "/t/t7", "/t/t7/replay", "/daily/t7"):
        assert routed(path) == "t7", path
    for path in ("/", "/api/tables", "/api/daily/2026-11-18", "/daily", "/docs/live"):
        assert routed(path) == "", path
