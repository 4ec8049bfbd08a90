"""The rules of the house for code, held by a test: sizes, directions, names, exact money."""

from __future__ import annotations

import ast
import fnmatch
import importlib
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
SOURCE = ROOT / "src" / "passline"
MODULES = sorted(SOURCE.rglob("*.py"))
PACKAGES = sorted(path.parent for path in SOURCE.rglob("__init__.py"))

LONGEST_MODULE = 350
LONGEST_FUNCTION = 60

#: The arrows of the design: a package may import what stands on a line above its own.
ORDER = (
    {"dice", "money"},
    {"law"},
    {"house"},
    {"layout"},
    {"table"},
    {"words"},
    {"talk"},
    {"crew", "machines"},
    {"record"},
    {"sessions", "felt"},
    {"exact", "simulation", "strategies"},
    {"pricing", "lab", "luck"},
    {"charts", "gym"},
    {"play", "school"},
    {"live"},
    {"replay"},
    {"web"},
    {"cli"},
)
RANK = {package: rank for rank, packages in enumerate(ORDER) for package in packages}

#: What reaches outside: files, clocks, randomness, the network.
OUTSIDE = re.compile(
    r"(io|os|pathlib|shutil|tempfile|time|random|secrets|socket|http|urllib|subprocess|asyncio"
    r"|threading|importlib|sqlite3)(\.|$)"
)
CLOCKS = {"datetime.now", "datetime.utcnow", "datetime.today", "date.today"}
#: These know the machine, not the rules.
BLIND = {"exact", "simulation"}
RULES = {"law", "house", "layout", "table", "talk", "record", "crew"}
PURE = ("layout", "table")
EXACT = ("money", "layout", "table", "house")

#: Addresses that may stand in the tree, each for its reason.
ADDRESSES = {
    "www.w3.org": "the names of XML standards, which are no place to go to",
    "127.0.0.1": "this very machine",
    "localhost": "this very machine",
}


def named(path: Path) -> str:
    return str(path.relative_to(ROOT))


every_module = pytest.mark.parametrize("path", MODULES, ids=named)


@cache
def tree(path: Path) -> ast.Module:
    return ast.parse(path.read_text("utf-8"))


def package_of(path: Path) -> str:
    """The package a module belongs to; empty for what stands beside them."""
    below = path.relative_to(SOURCE).parts
    return below[0] if len(below) > 1 else ""


def imports(path: Path) -> Iterator[str]:
    """Every module that a module imports, wherever in it."""
    for node in ast.walk(tree(path)):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{named(path)}:{node.lineno}: a relative import"
            module = node.module or ""
            yield module
            yield from (f"{module}.{alias.name}" for alias in node.names)


def functions(path: Path) -> Iterator[ast.FunctionDef | ast.AsyncFunctionDef]:
    for node in ast.walk(tree(path)):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            yield node


@every_module
def test_a_module_is_read_in_one_sitting(path: Path) -> None:
    assert len(path.read_text("utf-8").splitlines()) <= LONGEST_MODULE


@every_module
def test_a_function_fits_a_screen(path: Path) -> None:
    long = [
        f"{function.name}: {length} lines"
        for function in functions(path)
        if (length := (function.end_lineno or 0) - function.lineno + 1) > LONGEST_FUNCTION
    ]
    assert long == []


def test_every_package_has_its_rank() -> None:
    own = {package_of(package / "__init__.py") for package in PACKAGES}
    assert own - set(RANK) - {""} == set()


@every_module
def test_nothing_imports_what_stands_to_its_right(path: Path) -> None:
    own = package_of(path)
    for imported in imports(path):
        parts = imported.split(".")
        if parts[0] != "passline" or len(parts) < 2 or parts[1] not in RANK or parts[1] == own:
            continue
        assert RANK[parts[1]] < RANK.get(own, len(ORDER)), f"{own} imports {imported}"
        assert own not in BLIND or parts[1] not in RULES, f"{own} imports {imported}"


@every_module
def test_the_core_is_pure(path: Path) -> None:
    if package_of(path) not in PURE:
        return
    assert [name for name in imports(path) if OUTSIDE.match(name)] == []
    called = {ast.unparse(node) for node in ast.walk(tree(path)) if isinstance(node, ast.Attribute)}
    assert called & CLOCKS == set()


def likeness(path: Path) -> set[ast.AST]:
    """How alike two words must be to suggest one for the other: a fraction, but no money."""
    return {
        part
        for node in ast.walk(tree(path))
        if isinstance(node, ast.Call) and ast.unparse(node.func).endswith("get_close_matches")
        for part in node.args
    }


@every_module
def test_no_float_near_money(path: Path) -> None:
    if package_of(path) not in EXACT:
        return
    for node in set(ast.walk(tree(path))) - likeness(path):
        where = f"{named(path)}:{getattr(node, 'lineno', 0)}"
        assert not (isinstance(node, ast.Constant) and isinstance(node.value, float)), where
        assert not (isinstance(node, ast.Name) and node.id == "float"), where


@pytest.mark.parametrize("package", PACKAGES, ids=named)
def test_all_is_present_and_true(package: Path) -> None:
    init = package / "__init__.py"
    name = ".".join(package.relative_to(SOURCE.parent).parts)
    listed = getattr(importlib.import_module(name), "__all__", None)
    assert listed is not None, f"{named(init)} has no __all__"
    assert len(set(listed)) == len(listed)
    brought = {
        alias.asname or alias.name
        for node in tree(init).body
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("passline")
        for alias in node.names
    }
    made = {
        node.name
        for node in tree(init).body
        if isinstance(node, ast.FunctionDef | ast.ClassDef) and not node.name.startswith("_")
    }
    assert set(listed) >= brought | made
    module = importlib.import_module(name)
    assert [word for word in listed if not hasattr(module, word)] == []


def _ignored() -> list[str]:
    lines = (ROOT / ".gitignore").read_text("utf-8").splitlines()
    return [line.strip().strip("/") for line in lines if line.strip() and line[0] != "#"]


def kept_files() -> Iterator[Path]:
    """Every file of the project: all but what .gitignore leaves out, and .git itself."""
    patterns = [*_ignored(), ".git"]
    waiting = [ROOT]
    while waiting:
        for path in sorted(waiting.pop().iterdir()):
            below = str(path.relative_to(ROOT))
            if any(fnmatch.fnmatch(path.name, p) or fnmatch.fnmatch(below, p) for p in patterns):
                continue
            if path.is_dir():
                waiting.append(path)
            else:
                yield path


def texts() -> Iterator[tuple[Path, str]]:
    for path in kept_files():
        try:
            yield path, path.read_bytes().decode("utf-8")
        except UnicodeDecodeError:
            assert path.suffix in {".png", ".ico", ".gz"}, f"{named(path)} is no text"


def test_no_address_leads_out_of_the_house() -> None:
    found = []
    for path, text in texts():
        for host in re.findall(r"https?://([^\s/\"'<>)\]:]*)", text):
            if host not in ADDRESSES and not host.startswith(("{", "[^", "(")):
                found.append(f"{named(path)}: {host}")
    assert found == []


def test_nothing_is_left_to_do() -> None:
    mark = re.compile(r"\b(TO" r"DO|FIX" r"ME|XX" r"X)\b")
    found = [named(path) for path, text in texts() if mark.search(text)]
    assert found == []


def undocumented(path: Path) -> Iterator[str]:
    """Public modules, classes, functions and methods without a word on what they are."""
    if not ast.get_docstring(tree(path)):
        yield named(path)
    waiting: list[ast.AST] = [tree(path)]
    while waiting:
        for node in ast.iter_child_nodes(waiting.pop()):
            if isinstance(node, ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
                if node.name.startswith("_"):
                    continue
                if not ast.get_docstring(node):
                    yield f"{named(path)}: {node.name}"
                if isinstance(node, ast.ClassDef):
                    waiting.append(node)


@every_module
def test_public_names_are_documented(path: Path) -> None:
    assert list(undocumented(path)) == []
