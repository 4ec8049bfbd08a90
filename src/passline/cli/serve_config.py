"""The configuration of ``passline serve``: a TOML file and environment variables.

Both use the names of the options. The command line overrides the environment, and the environment
the file. A name that is no option is an error, to catch misspellings.
"""

from __future__ import annotations

import os
import tomllib
from difflib import get_close_matches

import click

from passline.cli.common import fail

#: Each option is also an environment variable: PASSLINE_SERVE_PORT for --port.
ENVIRONMENT_PREFIX = "PASSLINE_SERVE"
#: The largest configuration file, in bytes.
_MAX_BYTES = 1_000_000


def _option_names(command: click.Command) -> dict[str, click.Option]:
    """Return the options of a command by their long names without dashes, as a file has them."""
    return {
        max(option.opts, key=len).removeprefix("--"): option
        for option in command.params
        if isinstance(option, click.Option) and option.name not in ("help", "config")
    }


def _load_config(ctx: click.Context, _param: click.Parameter, path: str | None) -> None:
    """Read a configuration file: its values become the options' defaults. Exit 2 if it is wrong."""
    if path is None:
        return
    try:
        with open(path, "rb") as file:
            text = file.read(_MAX_BYTES)
        values = tomllib.loads(text.decode("utf-8"))
    except OSError as error:
        fail(f"--config {path}: {error.strerror or error}")
    except (UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        fail(f"--config {path}: not a TOML file: {error}")
    options = _option_names(ctx.command)
    defaults = dict[str, object]()
    for key, value in values.items():
        option = options.get(key.replace("_", "-"))
        if option is None:
            fail(f"--config {path}: there is no option {key!r}{_suggest(key, list(options))}")
        assert option.name is not None
        defaults[option.name] = _check_value(path, key, value, option)
    ctx.default_map = {**(ctx.default_map or {}), **defaults}


def _check_value(path: str, key: str, value: object, option: click.Option) -> object:
    """Return the value that the configuration file gives an option, as the command line has it.

    Exit 2 if it has the wrong type. Addresses and names that are separated by commas may also be a
    list.
    """
    if isinstance(value, list) and all(isinstance(one, str) for one in value):
        value = ",".join(value)
    if option.is_flag != isinstance(value, bool):
        fail(f"--config {path}: {key}: use {'true or false' if option.is_flag else 'a value'}")
    if not isinstance(value, bool | int | str):
        fail(f"--config {path}: {key}: use a text or a whole number")
    return value if isinstance(value, bool) else str(value)


def _suggest(name: str, known: list[str]) -> str:
    near = get_close_matches(name.replace("_", "-").lower(), known, 1)
    return f"; did you mean {near[0]!r}?" if near else ". Run passline serve --help for the options"


def check_environment(command: click.Command) -> None:
    """Exit 2 if an environment variable has the prefix but is no option of the command."""
    options = [*_option_names(command), "config"]
    known = {f"{ENVIRONMENT_PREFIX}_{name.replace('-', '_').upper()}" for name in options}
    for name in sorted(os.environ):
        if name.startswith(f"{ENVIRONMENT_PREFIX}_") and name not in known:
            key = name.removeprefix(f"{ENVIRONMENT_PREFIX}_")
            fail(f"{name}: there is no option for it{_suggest(key, options)}")


config_option = click.option(
    "--config",
    metavar="FILE",
    is_eager=True,
    expose_value=False,
    callback=_load_config,
    help="Read options from a TOML file.",
)
