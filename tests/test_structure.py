"""The structure of the source, checked: imports go one way, the core is pure, names are unique in
their package, functions fit a screen, nothing is undocumented or unused."""

from __future__ import annotations

import ast
import fnmatch
import re
from collections import Counter
from collections.abc import Iterator
from functools import cache
from itertools import pairwise
from pathlib import Path

from passline.game.law.roles import ROLES

ROOT = Path(__file__).parent.parent
SOURCE = ROOT / "src" / "passline"
MODULES = sorted(SOURCE.rglob("*.py"))

LONGEST_FUNCTION = 80

#: Modules and calls that reach outside: files, clocks, randomness, the network.
OUTSIDE = re.compile(
    r"(io|os|pathlib|shutil|tempfile|time|random|secrets|socket|http|urllib|subprocess|asyncio"
    r"|threading|importlib|sqlite3)(\.|$)"
)
CLOCKS = {"datetime.now", "datetime.utcnow", "datetime.today", "date.today"}
PURE = ("game/layout", "game/table")
EXACT = ("game/money", "game/layout", "game/table", "game/house")
#: These solve and run machines; they know nothing of the rules.
BLIND = ("lab/exact", "lab/simulation")
RULES = ("game.law", "game.house", "game.layout", "game.table", "talk", "record", "crew")

#: Addresses that may appear in the tree, each with its reason.
ADDRESSES = {
    "www.w3.org": "names of XML standards, never fetched",
    "127.0.0.1": "this machine",
    "localhost": "this machine",
    "passline;": "the group of servers in deploy/nginx.conf",
    "$host$request_uri;": "the client's own address in deploy/nginx.conf",
}
#: Public names that several modules of one package share, each with its reason.
SHARED = {
    "command": "the click command of every module of cli",
    "main": "the entry point of a process",
    "render_html": "the whole of its module",
}
#: Modules that put a dollar sign before a figure themselves, each with its reason.
DOLLAR_SIGNS = {
    "game/money/amounts.py": "the formatter",
    "web/static/money.js": "the browser's formatter",
    "cli/cost.py": "exact fractions of a dollar, and averages with four decimals",
    "cli/simulate.py": "the price of an hour, as it was typed",
    "cli/serve.py": "the name of a variable",
    "game/house/lint_vigorish.py": "an exact decimal of a cent",
    "lab/strategies/crapssim/bets.py": "an amount that is not whole cents",
    "school/questions_and_grades.py": "the amount as the learner wrote it",
    "talk/normalize.py": "words for amounts, which the parser reads next",
}
#: Structs with this many fields are built by keyword.
WIDE = 4
#: But not where every throw is settled and folded: keywords cost time there.
HOT = {
    "game/layout/settle.py",
    "game/table/bets.py",
    "game/table/evolve.py",
    "game/table/throws.py",
}
#: Methods that click, numba, notebooks or Python call by name.
HOOKS = {"list_commands", "get_command", "resolve_command", "format_commands", "on_start", "on_end"}
HOOKS |= {"format_field", "_repr_html_", "_repr_svg_"}
#: Public names that nothing in the source uses, each with its reason.
KEPT = {
    "decode_command": "the codec's other half: what is encoded can be read back",
    "decode_event": "the codec's other half",
    "verify_throw": "for programs that check the dice",
    "stamp_entry": "for programs and tests that make logs",
    "verify_chain": "for programs and tests that read logs",
    "fold_log": "for programs and tests that read logs",
    "to_frame": "a result as a data frame, for notebooks and programs",
    "split_bet": "a payoff worked by hand, for programs",
    "make_lawful_house": "a house without a single refused election, for programs",
}


Definition = ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef


def named(path: Path) -> str:
    return str(path.relative_to(ROOT))


@cache
def tree(path: Path) -> ast.Module:
    return ast.parse(path.read_text("utf-8"))


@cache
def nodes(path: Path) -> tuple[ast.AST, ...]:
    """Every node of a module, outer ones first."""
    return tuple(ast.walk(tree(path)))


def folder_of(path: Path) -> str:
    """The top folder a module belongs to; empty for modules beside the folders."""
    below = path.relative_to(SOURCE).parts
    return below[0] if len(below) > 1 else ""


def is_in(path: Path, folders: tuple[str, ...]) -> bool:
    """Whether a module is in one of these folders, written ``game/table``."""
    return f"{path.relative_to(SOURCE).parent}/".startswith(tuple(f"{f}/" for f in folders))


@cache
def order() -> tuple[str, ...]:
    """The import order as CONTRIBUTING.md states it: a folder imports only those before it."""
    text = (ROOT / "CONTRIBUTING.md").read_text("utf-8")
    line = re.search(r"^Import order: (.+)$", text, re.M)
    assert line, "CONTRIBUTING.md states the import order on a line 'Import order: ...'"
    return tuple(re.findall(r"\w+", line[1]))


GAME_ORDER = ("dice", "money", "law", "house", "layout", "table", "words")


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


def test_a_function_fits_a_screen() -> None:
    long = [
        f"{named(path)}: {function.name}: {length} lines"
        for path in MODULES
        for function in functions(path)
        if (length := (function.end_lineno or 0) - function.lineno + 1) > LONGEST_FUNCTION
    ]
    assert long == []


def test_the_tree_has_these_folders() -> None:
    found = {folder_of(path) for path in MODULES} - {""}
    assert found == set(order())


def wrong_imports(path: Path) -> Iterator[str]:
    """The folders behind its own that a module imports, lazily and for types too."""
    own, rank = folder_of(path), {folder: n for n, folder in enumerate(order())}
    for name in set(imports(path)):
        parts = name.split(".")
        if parts[0] != "passline" or len(parts) < 2:
            continue
        if parts[1] in rank and rank[parts[1]] > rank.get(own, -1 if own == "" else 0):
            yield parts[1]
        if own == "game" == parts[1] and len(parts) > 2 and parts[2] in GAME_ORDER:
            room = path.relative_to(SOURCE).parts[1]
            if room in GAME_ORDER and GAME_ORDER.index(parts[2]) > GAME_ORDER.index(room):
                yield f"game.{parts[2]}"
        if is_in(path, BLIND) and name.startswith(tuple(f"passline.{rules}" for rules in RULES)):
            yield name


def test_imports_go_one_way() -> None:
    wrong = {
        (str(path.relative_to(SOURCE)), folder)
        for path in MODULES
        if path != SOURCE / "__init__.py" and path != SOURCE / "__main__.py"
        for folder in wrong_imports(path)
    }
    assert wrong == set()


def test_the_core_is_pure() -> None:
    core = [path for path in MODULES if is_in(path, PURE)]
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
    exact = [path for path in MODULES if is_in(path, EXACT)]
    assert exact
    found = [
        f"{named(path)}:{getattr(node, 'lineno', 0)}"
        for path in exact
        for node in set(nodes(path)) - likeness(path)
        if (isinstance(node, ast.Constant) and isinstance(node.value, float))
        or (isinstance(node, ast.Name) and node.id == "float")
    ]
    assert found == []


def test_money_is_formatted_in_one_place() -> None:
    found = {
        str(path.relative_to(SOURCE))
        for path in MODULES
        for node in nodes(path)
        if isinstance(node, ast.JoinedStr)
        for text, value in pairwise(node.values)
        if isinstance(text, ast.Constant) and isinstance(value, ast.FormattedValue)
        if str(text.value).endswith("$")
    }
    for path in SOURCE.rglob("*.js"):
        if "$${" in path.read_text("utf-8"):
            found.add(str(path.relative_to(SOURCE)))
    assert found == set(DOLLAR_SIGNS)


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


def defined(path: Path) -> Iterator[str]:
    """The public names of a module: classes, functions, and types that have a name."""
    for node in tree(path).body:
        if isinstance(node, Definition):
            yield node.name
        elif isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
            name = node.targets[0].id
            if name[0].isupper() and not name.isupper():
                yield name


def test_a_name_is_unique_in_its_package() -> None:
    homes: dict[tuple[Path, str], list[str]] = {}
    for path in MODULES:
        for name in defined(path):
            if not name.startswith("_") and name not in SHARED:
                homes.setdefault((path.parent, name), []).append(named(path))
    assert {name: paths for (_, name), paths in homes.items() if len(paths) > 1} == {}


@cache
def structs() -> dict[str, int]:
    """How many fields the tuples, structs and dataclasses of the tree have."""
    found = [n for path in MODULES for n in nodes(path) if isinstance(n, ast.ClassDef)]
    times = Counter(node.name for node in found)
    # A name that two packages use tells nothing here.
    classes = {node.name: node for node in found if times[node.name] == 1}

    def lines(node: ast.ClassDef) -> list[ast.ClassDef]:
        bases = [ast.unparse(base).rpartition(".")[2] for base in node.bases]
        return [node, *(up for base in bases if base in classes for up in lines(classes[base]))]

    def plain(node: ast.ClassDef) -> bool:
        words = " ".join(ast.unparse(part) for part in (*node.bases, *node.decorator_list))
        return bool(re.search(r"\b(NamedTuple|Struct|dataclass)\b", words))

    return {
        name: sum(isinstance(part, ast.AnnAssign) for up in lines(node) for part in up.body)
        for name, node in classes.items()
        if any(plain(up) for up in lines(node))
    }


def test_wide_structs_are_built_by_keyword() -> None:
    wide = {name for name, fields in structs().items() if fields >= WIDE}
    assert wide
    found = [
        f"{named(path)}:{node.lineno}: {ast.unparse(node.func)}"
        for path in MODULES
        if str(path.relative_to(SOURCE)) not in HOT
        for node in nodes(path)
        if isinstance(node, ast.Call)
        and len(node.args) >= WIDE
        and ast.unparse(node.func).rpartition(".")[2] in wide
    ]
    assert found == []


def _is_shape(path: Path, node: Definition) -> bool:
    """Whether this is a wager shape: a book names it by its tag, and no module by its name."""
    keywords = node.keywords if isinstance(node, ast.ClassDef) else []
    return path.parent.name == "shapes" and any(one.arg == "tag" for one in keywords)


def test_nothing_is_kept_that_nothing_uses() -> None:
    used: Counter[str] = Counter()
    listed: set[str] = set()
    beside = [path for folder in ("bench", "tools") for path in (ROOT / folder).rglob("*.py")]
    for path in (*MODULES, *beside):
        for node in nodes(path):
            if isinstance(node, ast.Name):
                used[node.id] += 1
            elif isinstance(node, ast.Attribute):
                used[node.attr] += 1
            elif path.name == "__init__.py" and isinstance(node, ast.Constant):
                listed.add(str(node.value))
    dead = [
        f"{named(path)}: {node.name}"
        for path in MODULES
        for node in nodes(path)
        if isinstance(node, Definition) and not node.name.startswith("__")
        if not used[node.name] and node.name not in listed | HOOKS | set(KEPT)
        if not _is_shape(path, node)
    ]
    assert dead == [], "\n".join(dead)
    assert [name for name in KEPT if used[name]] == [], "it is used now"


def test_the_roles_of_a_crew_are_listed_once() -> None:
    roles = set(ROLES)
    for path in (path for path in MODULES if path.stem != "roles"):
        if sum(isinstance(node, ast.Constant) and node.value in roles for node in nodes(path)) < 3:
            continue
        for node in nodes(path):
            if isinstance(node, ast.Tuple | ast.List | ast.Set | ast.Dict | ast.Subscript):
                inner = (part for part in ast.walk(node) if isinstance(part, ast.Constant))
                listed = {part.value for part in inner} & roles
                assert len(listed) < 3, f"{named(path)}:{node.lineno}: {listed}"
