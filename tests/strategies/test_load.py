"""Loading ``file.py:function``: what works, and one clear line for what does not."""

from __future__ import annotations

import os
import sys
from functools import partial
from pathlib import Path

import pytest

from passline.game.house.load import house_for
from passline.lab.machines.bettor import StrategyError, View
from passline.lab.strategies.ask import ask_strategy
from passline.lab.strategies.built_in import BUILT_IN
from passline.lab.strategies.host_client import HostedStrategy
from passline.lab.strategies.load import LoadedStrategy, load_strategy

GOOD = 'def play(view):\n    return ["pass for 10"]\n'


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def write(name: str, text: str) -> None:
    Path(name).write_text(text, "utf-8")


def refused(text: str) -> str:
    with pytest.raises(StrategyError) as wrong:
        load_strategy(text)
    said = str(wrong.value)
    assert "\n" not in said
    return said


@pytest.mark.parametrize("name", BUILT_IN)
def test_a_built_in_by_name(name: str) -> None:
    assert load_strategy(f" {name} ") == LoadedStrategy(name, BUILT_IN[name], f"built-in {name}")


def test_a_function_of_a_file(here: Path) -> None:
    write("own.py", GOOD + "def other(view):\n    return []\n")
    loaded = load_strategy("own.py:play")
    assert loaded.name == "own.py:play"
    assert loaded.function(View(None, {})) == ["pass for 10"]
    assert load_strategy(f"{here / 'own.py'}:other").function(View(None, {})) == []
    assert sorted(os.listdir(here)) == ["own.py"]  # nothing is left beside it


def test_keyword_arguments_of_a_built_in() -> None:
    named = load_strategy("pass(unit=5)")
    assert named.name == "pass(unit=5)"
    assert ask_strategy(named.function, View(None, {}))[0] == ("pass for 5",)
    house = house_for("las-vegas", None, (("limits.min", "15"),))
    assert load_strategy("pass", house=house).name == "pass(unit=15)"
    assert load_strategy("pass( unit = 5 )", house=house).name == named.name
    assert refused("pass(stake=5)") == "pass has no parameter 'stake': it has unit"
    for text in ("pass(5)", "pass(unit=)", "pass()", "pass(unit=5"):
        assert "expected pass(NAME=VALUE), such as pass(unit=5)" in refused(text)


def test_keyword_arguments_of_a_function_of_a_file(here: Path) -> None:
    write(
        "own.py",
        "def play(view, unit=10, *, wager='pass'):\n    return [f'{wager} for {unit}']\n"
        "def maker(unit):\n    return lambda view: [f'field for {unit}']\n",
    )
    for text, says in (
        ("own.py:play(unit=5)", "pass for 5"),
        ("own.py:play(unit=5, wager=field)", "field for 5"),
        ("own.py:play(wager='field')", "field for 10"),
        ("own.py:maker(unit=7)", "field for 7"),
    ):
        loaded = load_strategy(text)
        assert loaded.name == text
        assert ask_strategy(loaded.function, View(None, {}))[0] == (says,)
    assert "own.py:play has no parameter 'uint': it has unit, wager" in refused(
        "own.py:play(uint=5)"
    )
    write("one.py", "def play(view, unit=10):\n    return [f'pass for {unit}']\n")
    assert load_strategy("one.py(unit=5)").name == "one.py:play(unit=5)"


def test_a_file_with_one_public_function_needs_no_name(here: Path) -> None:
    write("own.py", "from math import floor\ndef _helper():\n    pass\n" + GOOD)
    assert load_strategy("own.py").name == "own.py:play"


def test_a_path_may_have_a_colon(here: Path) -> None:
    Path("a:b").mkdir()
    write("a:b/own.py", GOOD)
    assert load_strategy("a:b/own.py:play").name == "own.py:play"
    assert load_strategy("a:b/own.py").name == "own.py:play"
    write("c:own.py", GOOD)
    assert load_strategy("c:own.py").name == "c:own.py:play"


def test_anything_that_can_be_called_with_a_view_will_do(here: Path) -> None:
    write(
        "own.py",
        "from functools import partial\n"
        "class Player:\n"
        "    def __call__(self, view):\n        return []\n"
        "def flat(stake, view, more=1):\n    return [f'pass for {stake}']\n"
        "player, ten = Player(), partial(flat, 10)\n",
    )
    assert load_strategy("own.py:player").name == "own.py:player"
    assert load_strategy("own.py:ten").function(View(None, {})) == ["pass for 10"]


def test_a_file_may_use_what_modules_use(here: Path) -> None:
    write(
        "own.py",
        "from __future__ import annotations\nfrom dataclasses import dataclass\n"
        "@dataclass\nclass Unit:\n    size: int = 10\n"
        "def play(view):\n    return [f'pass for {Unit().size}']\n",
    )
    assert load_strategy("own.py:play").function(View(None, {})) == ["pass for 10"]


def test_a_file_may_import_what_lies_beside_it(here: Path) -> None:
    Path("deep").mkdir()
    write("deep/units_of_mine.py", "UNIT = 25\n")
    write("deep/own.py", "from units_of_mine import UNIT\n" + GOOD)
    assert load_strategy("deep/own.py:play").name == "own.py:play"
    assert sorted(os.listdir("deep")) == ["own.py", "units_of_mine.py"]


def _own(folder: str, unit: int, text: str) -> None:
    Path(folder).mkdir()
    write(f"{folder}/helper.py", f"UNIT = {unit}\n")
    write(f"{folder}/own.py", text)


AT_ONCE = "import helper\ndef own(view):\n    return [f'field for {helper.UNIT}']\n"
AS_ASKED = "def own(view):\n    import helper\n    return [f'field for {helper.UNIT}']\n"


@pytest.mark.parametrize("text", [AT_ONCE, AS_ASKED])
def test_each_file_has_its_own_neighbours(here: Path, text: str) -> None:
    _own("b", 10, text)
    _own("c", 20, text)
    first, second = load_strategy("b/own.py:own"), load_strategy("c/own.py:own")
    for _ in range(2):
        assert first.function(View(None, {})) == ["field for 10"]
        assert second.function(View(None, {})) == ["field for 20"]
    assert sorted(os.listdir("b")) == ["helper.py", "own.py"]


def test_neighbours_in_folders(here: Path) -> None:
    _own(
        "b", 10, "from units.small import UNIT\ndef own(view):\n    return [f'field for {UNIT}']\n"
    )
    Path("b/units").mkdir()
    write("b/units/__init__.py", "")
    write("b/units/small.py", "import helper\nUNIT = helper.UNIT + 1\n")
    assert load_strategy("b/own.py").function(View(None, {})) == ["field for 11"]


def test_a_file_may_import_what_we_may(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    Path("lib/site").mkdir(parents=True)
    write("lib/site/far_module_of_mine.py", "UNIT = 30\n")
    monkeypatch.syspath_prepend(str(here / "lib" / "site"))
    write("own.py", "import far_module_of_mine\n" + GOOD)
    assert load_strategy("own.py").name == "own.py:play"
    assert "far_module_of_mine" not in sys.modules  # it is imported where the strategy runs


def test_a_file_may_have_the_name_of_a_module(here: Path) -> None:
    write("random.py", GOOD)
    write("json.py", "raise ValueError('not ours')\n")
    assert load_strategy("random.py").function(View(None, {})) == ["pass for 10"]


def test_an_error_has_the_line_of_the_file(here: Path) -> None:
    write("own.py", "def play(view):\n    return 1 / 0\n")
    with pytest.raises(StrategyError, match=r"division by zero at own\.py line 2 \("):
        ask_strategy(load_strategy("own.py:play").function, View(None, {}))


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("pass-ods", "did you mean pass-odds"),
        ("Molly", "built in are pass, pass-odds"),
        ("", "there is no strategy ''"),
        ("x" * 500, "there is no strategy 'xxx"),
        ("nowhere.py", "there is no strategy file nowhere.py"),
        ("nowhere.py:play", "there is no strategy file nowhere.py"),
        ("nowhere:play", "there is no strategy file nowhere"),
        (":play", "there is no strategy ':play'"),
        ("own.py:paly", "own.py has no function 'paly': did you mean play?"),
        ("own.py:zzz", "own.py has no function 'zzz': it has play, other"),
        ("own.py:UNIT", "own.py: UNIT is int, not a function"),
        ("own.py:", "own.py: which function? Say own.py:FUNCTION, it has play, other"),
        ("own.py", "own.py: which function? Say own.py:FUNCTION, it has play, other"),
        ("empty.py", "it has no public functions"),
        ("none.py:play", "none.py:play() cannot be a strategy: it must take one View"),
        ("two.py:play", "two.py:play(view, stake) cannot be a strategy"),
        ("broken.py:play", "broken.py is not Python: line 2: "),
        ("binary.py:play", "binary.py is not Python: "),
        ("raises.py:play", "raises.py cannot be loaded: line 3: ZeroDivisionError: division by"),
        ("imports.py:play", "imports.py cannot be loaded: line 1: ModuleNotFoundError: No module"),
        ("exits.py:play", "exits.py cannot be loaded: line 2: SystemExit: 3"),
        ("folder.py:play", "folder.py is a folder"),
        ("own.py\0:play", "cannot be read: "),
        ("later.py:play", "later.py:play is async, and a strategy answers at once"),
        ("yields.py:play", "yields.py:play is a generator: return the says, do not yield them"),
    ],
)
def test_what_cannot_be_loaded_is_said_in_one_line(here: Path, text: str, said: str) -> None:
    write("own.py", "UNIT = 10\n" + GOOD + "def other(view):\n    return []\n")
    write("empty.py", "")
    write("none.py", "def play():\n    return []\n")
    write("two.py", "def play(view, stake):\n    return []\n")
    write("broken.py", "x = 1\ndef play(view:\n")
    Path("binary.py").write_bytes(b"\x00\xff\x00")
    write("raises.py", "def half(n):\n    return 1\nx = 1 / 0\n")
    write("imports.py", "import no_such_module_anywhere\n")
    write("exits.py", "import sys\nsys.exit(3)\n")
    write("later.py", "async def play(view):\n    return []\n")
    write("yields.py", "def play(view):\n    yield 'pass for 10'\n")
    Path("folder.py").mkdir()
    assert said in refused(text)


def test_a_file_that_never_ends_is_stopped(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        "passline.lab.strategies.load.HostedStrategy", partial(HostedStrategy, seconds=0.5)
    )
    write("loops.py", "while True:\n    pass\n")
    assert "loops.py: the strategy did not answer within 0.5 seconds" in refused("loops.py:play")
    write("leaves.py", "import os\nos._exit(7)\n")
    assert refused("leaves.py") == (
        "leaves.py: the strategy ended the process that it runs in (exit 7)"
    )


def test_a_file_that_interrupts_interrupts_itself(here: Path) -> None:
    write("stops.py", "raise KeyboardInterrupt\n")
    assert "stops.py cannot be loaded: line 1: KeyboardInterrupt" in refused("stops.py:play")


def test_a_pipe_or_a_huge_file_is_no_strategy(here: Path) -> None:
    os.mkfifo("pipe.py")
    assert "pipe.py is no plain file" in refused("pipe.py:play")
    write("huge.py", "#" * 1_000_001)
    assert "huge.py is over 1 MB" in refused("huge.py:play")


def test_a_file_that_may_not_be_read(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write("own.py", GOOD)

    def closed(*args: object) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(Path, "open", closed)
    assert refused("own.py:play") == "'own.py' cannot be read: Permission denied"
