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


@cache
def tree(path: Path) -> ast.Module:
    return ast.parse(path.read_text("utf-8"))


@cache
def nodes(path: Path) -> tuple[ast.AST, ...]:
    """Every node of a module, outer ones first."""
    return tuple(ast.walk(tree(path)))


def package_of(path: Path) -> str:
    """The package a module belongs to; empty for what stands beside them."""
    below = path.relative_to(SOURCE).parts
    return below[0] if len(below) > 1 else ""


def imports(path: Path) -> Iterator[str]:
    """Every module that a module imports, wherever in it."""
    for node in nodes(path):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{named(path)}:{node.lineno}: a relative import"
            module = node.module or ""
            yield module
            yield from (f"{module}.{alias.name}" for alias in node.names)


def functions(path: Path) -> Iterator[ast.FunctionDef | ast.AsyncFunctionDef]:
    for node in nodes(path):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            yield node


def test_a_module_is_read_in_one_sitting() -> None:
    lengths = {named(path): len(path.read_text("utf-8").splitlines()) for path in MODULES}
    assert lengths
    assert {name: lines for name, lines in lengths.items() if lines > LONGEST_MODULE} == {}


def test_a_function_fits_a_screen() -> None:
    long = [
        f"{named(path)}: {function.name}: {length} lines"
        for path in MODULES
        for function in functions(path)
        if (length := (function.end_lineno or 0) - function.lineno + 1) > LONGEST_FUNCTION
    ]
    assert long == []


def test_every_package_has_its_rank() -> None:
    own = {package_of(package / "__init__.py") for package in PACKAGES}
    assert own - set(RANK) - {""} == set()


@cache
def passline_imports(path: Path) -> set[str]:
    """The packages of ours that a module imports from, other than its own."""
    parts = [name.split(".") for name in imports(path) if name.startswith("passline.")]
    return {part[1] for part in parts if part[1] in RANK} - {package_of(path)}


def test_nothing_imports_what_stands_to_its_right() -> None:
    wrong = [
        f"{named(path)} imports {package}"
        for path in MODULES
        for own in [package_of(path)]
        for package in passline_imports(path)
        if RANK[package] >= RANK.get(own, len(ORDER)) or (own in BLIND and package in RULES)
    ]
    assert wrong == []


def test_the_core_is_pure() -> None:
    core = [path for path in MODULES if package_of(path) in PURE]
    assert core
    for path in core:
        assert [name for name in imports(path) if OUTSIDE.match(name)] == [], named(path)
        called = {ast.unparse(node) for node in nodes(path) if isinstance(node, ast.Attribute)}
        assert called & CLOCKS == set(), named(path)


def likeness(path: Path) -> set[ast.AST]:
    """How alike two words must be to suggest one for the other: a fraction, but no money."""
    return {
        part
        for node in nodes(path)
        if isinstance(node, ast.Call) and ast.unparse(node.func).endswith("get_close_matches")
        for part in node.args
    }


def test_no_float_near_money() -> None:
    exact = [path for path in MODULES if package_of(path) in EXACT]
    assert exact
    found = [
        f"{named(path)}:{getattr(node, 'lineno', 0)}"
        for path in exact
        for node in set(nodes(path)) - likeness(path)
        if (isinstance(node, ast.Constant) and isinstance(node.value, float))
        or (isinstance(node, ast.Name) and node.id == "float")
    ]
    assert found == []


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


@cache
def texts() -> tuple[tuple[Path, str], ...]:
    found = []
    for path in kept_files():
        try:
            found.append((path, path.read_bytes().decode("utf-8")))
        except UnicodeDecodeError:
            assert path.suffix in {".png", ".ico", ".gz"}, f"{named(path)} is no text"
    return tuple(found)


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


def test_public_names_are_documented() -> None:
    assert [name for path in MODULES for name in undocumented(path)] == []
