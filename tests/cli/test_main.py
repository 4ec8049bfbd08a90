"""The ``passline`` command itself: its list, its errors, and how it ends."""

from __future__ import annotations

import errno
import os
import runpy
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import click
import pytest

from passline.cli.main import _COMMANDS, cli, main
from passline.version import VERSION

Passline = Callable[..., tuple[int, str, str]]
COMMANDS = tuple(sorted(_COMMANDS))


def run(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], *args: str
) -> tuple[int, str, str]:
    """Exit status, standard output and standard error of ``passline ARGS``."""
    monkeypatch.setattr(sys, "argv", ["passline", *args])
    try:
        main()
        status = 0
    except SystemExit as done:
        status = done.code if isinstance(done.code, int) else 0
    out, err = capsys.readouterr()
    return status, out, err


@pytest.fixture
def passline(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Passline:
    return lambda *args: run(monkeypatch, capsys, *args)


@pytest.mark.parametrize("args", [(), ("--help",), ("-h",)])
def test_help_lists_every_command_and_ends_with_an_example(
    passline: Passline, args: tuple[str, ...]
) -> None:
    status, out, err = passline(*args)
    assert (status, err) == (0, "")
    listed = out[out.index("Commands:") :].splitlines()
    assert [
        line.split()[0] for line in listed[1:] if line[2:3].isalpha() and "Example" not in line
    ] == list(COMMANDS)
    assert out.strip().splitlines()[-1].strip() == "Example: passline placard new-jersey"


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_is_there_and_has_help(passline: Passline, name: str) -> None:
    status, out, _ = passline(name, "--help")
    assert status == 0
    assert out.startswith(f"Usage: passline {name} ")
    assert "Example" in out


def test_what_is_listed_can_be_loaded() -> None:
    ctx = click.Context(cli)
    assert cli.list_commands(ctx) == list(COMMANDS)
    for name in COMMANDS:
        assert cli.get_command(ctx, name) is not None
    assert cli.get_command(ctx, "roulette") is None


def test_the_example_of_the_help_works(passline: Passline) -> None:
    status, out, _ = passline("placard", "new-jersey")
    assert status == 0
    assert "9 to 5" in out


def test_the_version(passline: Passline) -> None:
    assert passline("--version") == (0, f"passline {VERSION}\n", "")


@pytest.mark.parametrize(
    ("args", "words"),
    [
        (("dael", "x"), "passline: there is no command 'dael'; did you mean 'deal'?"),
        (("zzz",), "passline: there is no command 'zzz'; 'passline --help' lists all"),
        (("--", "-x"), "passline: No such option '-x'."),
        (("--nope",), "passline: No such option '--nope'."),
        (("deal",), "passline deal: Missing argument 'FILE|-'."),
        (("deal", "x", "--nope"), "passline deal: No such option '--nope'."),
        (("deal", "/gone.craps"), "passline deal: there is no .craps record /gone.craps"),
        (("lint", "/gone.toml"), "passline lint: there is no house-rules file /gone.toml"),
    ],
)
def test_bad_input_is_one_clear_line_and_exit_two(
    passline: Passline, args: tuple[str, ...], words: str
) -> None:
    assert passline(*args) == (2, "", f"{words}\n")


def test_a_fault_of_no_command_is_the_programs_own(
    passline: Passline, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(ctx: click.Context) -> None:
        raise click.ClickException("the lights went out")

    monkeypatch.setattr(cli, "invoke", fail)
    assert passline("deal") == (2, "", "passline: the lights went out\n")


@pytest.mark.parametrize("stop", [KeyboardInterrupt, click.Abort])
def test_an_interruption_says_so(
    passline: Passline,
    monkeypatch: pytest.MonkeyPatch,
    stop: type[BaseException],
) -> None:
    def interrupted(ctx: click.Context) -> None:
        raise stop

    monkeypatch.setattr(cli, "invoke", interrupted)
    assert passline("deal") == (2, "", "passline: interrupted\n")


@pytest.mark.parametrize(
    ("wrong", "status", "words"),
    [
        (BrokenPipeError(), 0, ""),
        (
            OSError(errno.ENOSPC, "No space left on device"),
            2,
            "passline: the output cannot be written: No space left on device\n",
        ),
    ],
)
def test_output_that_cannot_be_written(
    passline: Passline,
    monkeypatch: pytest.MonkeyPatch,
    wrong: OSError,
    status: int,
    words: str,
) -> None:
    pointed: list[int] = []

    def gone(ctx: click.Context) -> None:
        raise wrong

    monkeypatch.setattr(cli, "invoke", gone)
    monkeypatch.setattr(os, "dup2", lambda new, old: pointed.append(old))
    monkeypatch.setattr(sys.stdout, "fileno", lambda: 1, raising=False)
    assert passline("deal") == (status, "", words)
    assert pointed == [1]  # what is still to be written goes nowhere


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="there is no /dev/full here")
@pytest.mark.parametrize("args", [("law", "new-jersey"), ("placard", "iowa"), ("--help",)])
def test_a_full_disk_is_one_clear_line_in_a_real_shell(args: tuple[str, ...]) -> None:
    with open("/dev/full", "w") as full:
        ended = subprocess.run(
            [sys.executable, "-m", "passline", *args],
            stdout=full,
            stderr=subprocess.PIPE,
            text=True,
            check=False,
            timeout=60,
        )
    assert ended.returncode == 2
    assert ended.stderr == "passline: the output cannot be written: No space left on device\n"


def test_a_broken_pipe_ends_quietly_in_a_real_shell() -> None:
    read, write = os.pipe()
    os.close(read)
    ended = subprocess.run(
        [sys.executable, "-m", "passline", "law", "new-jersey"],
        stdout=write,
        stderr=subprocess.PIPE,
        check=False,
        timeout=60,
    )
    os.close(write)
    assert (ended.returncode, ended.stderr) == (0, b"")


def test_python_dash_m_is_the_same_command(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "argv", ["passline", "--version"])
    with pytest.raises(SystemExit) as done:
        runpy.run_module("passline", run_name="__main__")
    assert done.value.code == 0
    assert capsys.readouterr().out.startswith("passline ")


def test_a_command_is_loaded_only_when_it_is_asked_for() -> None:
    listing = "import sys, passline.cli.main; print('passline.record' in sys.modules)"
    ended = subprocess.run(
        [sys.executable, "-c", listing], capture_output=True, text=True, check=True, timeout=60
    )
    assert ended.stdout == "False\n"


@pytest.mark.parametrize(
    ("words", "count", "expected"),
    [("passline la", "1", "plain,law\n"), ("passline law io", "2", "file,io\nplain,iowa\n")],
)
def test_the_shell_completes_commands_and_rulebooks(words: str, count: str, expected: str) -> None:
    ended = subprocess.run(
        [sys.executable, "-m", "passline"],
        env={
            **os.environ,
            "_PASSLINE_COMPLETE": "bash_complete",
            "COMP_WORDS": words,
            "COMP_CWORD": count,
        },
        capture_output=True,
        text=True,
        check=False,
    )
    assert (ended.stdout, ended.stderr) == (expected, "")


@pytest.mark.skipif(shutil.which("bash") is None, reason="bash is not installed")
def test_bash_completes_rulebooks_where_a_file_may_stand(tmp_path: Path) -> None:
    """Click's script for bash drops the names that come before the item for files."""
    command = tmp_path / "passline"
    command.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m passline "$@"\n')
    command.chmod(0o755)
    script = (
        'compopt() { :; }; eval "$(_PASSLINE_COMPLETE=bash_source passline)"\n'
        "COMP_WORDS=(passline law io); COMP_CWORD=2\n"
        '_passline_completion passline; echo "${COMPREPLY[*]}"'
    )
    path = f"{tmp_path}{os.pathsep}{os.environ['PATH']}"
    ended = subprocess.run(
        ["bash", "-c", script],
        env={**os.environ, "PATH": path},
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )
    assert (ended.stdout, ended.stderr) == ("iowa\n", "")


def test_a_dumb_terminal_gets_no_escape_sequences() -> None:
    pty = pytest.importorskip("pty")
    ours, theirs = pty.openpty()
    subprocess.run(
        [sys.executable, "-m", "passline", "hand", "iowa"],
        env={**os.environ, "TERM": "dumb"},
        stdout=theirs,
        check=True,
    )
    os.close(theirs)
    assert b"\x1b" not in os.read(ours, 1 << 16)
    os.close(ours)
