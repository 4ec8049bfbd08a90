"""``passline serve``: its options from a file, the environment and the command line."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from passline.cli import serve
from passline.cli.serve import ServeOptions, command


@pytest.fixture
def options(monkeypatch: pytest.MonkeyPatch) -> list[ServeOptions]:
    """The options of each start, instead of a server."""
    found: list[ServeOptions] = []

    async def note(given: ServeOptions) -> None:
        found.append(given)

    monkeypatch.setattr(serve, "_serve", note)
    return found


def run(*args: str, **env: str) -> tuple[int, str]:
    result = CliRunner().invoke(command, args, env={"PASSLINE_HOSTS": None, **env})
    return result.exit_code, result.output


def test_the_command_line_goes_before_the_environment_and_that_before_the_file(
    tmp_path: Path, options: list[ServeOptions]
) -> None:
    file = tmp_path / "serve.toml"
    file.write_text(
        'port = 1\nseats = 2\nstreams_total = 3\naccess-log = true\nproxies = ["::1", "10.0.0.0/8"]'
        '\nlog-format = "json"\njson = true\n'
    )
    env = {"PASSLINE_SERVE_PORT": "10", "PASSLINE_SERVE_SEATS": "20", "PASSLINE_HOSTS": "a.example"}
    assert run("--config", str(file), "--port", "100", **env) == (0, "")
    one = options[0]
    assert (one.port, one.seats, one.streams_total) == (100, 20, 3)
    assert (one.access_log, one.log_format, one.as_json) == (True, "json", True)
    assert (one.proxies, one.hosts) == ("::1,10.0.0.0/8", "a.example")
    assert (one.streams, one.connections, one.host) == (2000, None, "127.0.0.1")


def test_every_option_is_in_the_file_and_in_the_environment(
    tmp_path: Path, options: list[ServeOptions]
) -> None:
    others = {"--config", "--help"}
    for param in command.params:
        name = max(param.opts, key=len)
        if name in others:
            continue
        value: Any = "7"
        if getattr(param, "is_flag", False):
            value = "true"
        elif name == "--log-format":
            value = "json"
        file = tmp_path / "one.toml"
        file.write_text(f"{name[2:]} = {value if value == 'true' else repr(value)}\n")
        assert run("--config", str(file)) == (0, ""), name
        variable = f"PASSLINE_SERVE_{name[2:].upper().replace('-', '_')}"
        assert run(**{variable: value}) == (0, ""), name
        wanted = True if value == "true" else value
        assert param.name is not None
        for found in options[-2:]:
            assert str(getattr(found, param.name)) == str(wanted), name


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("prot = 1", "there is no option 'prot'; did you mean 'port'?"),
        ("config = 'x'", "there is no option 'config'"),
        ("[serve]\nport = 1", "there is no option 'serve'"),
        ("port = ", "not a TOML file"),
        ("access-log = 'yes'", "access-log: use true or false"),
        ("port = true", "port: use a value"),
        ("port = 1.5", "port: use a text or a whole number"),
        ("port = 'many'", "'many': expected a whole number from 0 to 65,535"),
        ("seats = -1", "'-1': expected a whole number from 0"),
        ("\udcff", "not a TOML file"),
    ],
)
def test_a_wrong_file_is_told(
    tmp_path: Path, text: str, message: str, options: list[ServeOptions]
) -> None:
    file = tmp_path / "serve.toml"
    file.write_bytes(text.encode("utf-8", "surrogateescape"))
    code, output = run("--config", str(file))
    assert code == 2
    assert message in output
    assert not options


def test_a_missing_file_and_a_wrong_variable_are_told(
    tmp_path: Path, options: list[ServeOptions]
) -> None:
    code, output = run("--config", str(tmp_path / "none.toml"))
    assert (code, "No such file" in output) == (2, True)
    code, output = run(PASSLINE_SERVE_PROT="1")
    assert code == 2
    assert "PASSLINE_SERVE_PROT: there is no option for it; did you mean 'port'?" in output
    assert not options


def test_seats_are_few_where_others_can_connect(options: list[ServeOptions]) -> None:
    for args, seats in (
        ((), 1000),
        (("--proxies", "127.0.0.1"), 32),
        (("--host", "0.0.0.0"), 32),
        (("--host", "0.0.0.0", "--seats", "7"), 7),
        (("--seats", "0"), 0),
    ):
        assert run(*args) == (0, "")
        assert serve._fit_limits(options[-1])[1].seats == seats


def test_the_metrics_key_is_not_the_house_key(tmp_path: Path) -> None:
    keys = dict.fromkeys(("PASSLINE_HOUSE_KEY", "PASSLINE_METRICS_KEY"), "the-key-of-these-tests")
    code, output = run("--data", str(tmp_path), "--port", "0", **keys)
    assert (code, "the metrics key is the house key" in output) == (2, True)


@pytest.mark.parametrize("variable", ["PASSLINE_HOUSE_KEY", "PASSLINE_METRICS_KEY"])
def test_a_short_key_is_refused(tmp_path: Path, variable: str) -> None:
    data = ("--data", str(tmp_path), "--port", "0")
    code, output = run(*data, **{variable: "fifteen-letters"})
    assert code == 2
    assert f"{variable}: use at least 16 characters" in output
    (tmp_path / "mine.key").write_text("short\n")
    (tmp_path / "mine.key").chmod(0o600)
    name = "house" if "HOUSE" in variable else "metrics"
    code, output = run(*data, f"--{name}-key-file", str(tmp_path / "mine.key"))
    assert (code, "mine.key: use at least 16 characters" in output) == (2, True)


def test_limits_that_do_not_fit_are_told(tmp_path: Path) -> None:
    code, output = run("--data", str(tmp_path), "--port", "0", "--connections", "9999999")
    assert (code, "--connections 9999999 does not fit" in output) == (2, True)
    code, output = run("--data", str(tmp_path), "--port", "0", "--proxies", "everywhere")
    assert (code, "--proxies: 'everywhere' is not an address" in output) == (2, True)


@pytest.mark.parametrize(
    "name", ["http://localhost", "tables.example.com:443", "tables.example.com/t", "a b"]
)
def test_a_host_that_no_request_names_is_told(tmp_path: Path, name: str) -> None:
    code, output = run("--data", str(tmp_path), "--port", "0", "--hosts", f"a.example,{name}")
    assert (code, f"--hosts: {name!r} is not a host name" in output) == (2, True)
