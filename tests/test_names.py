"""Names, held by a test: public names are one thing's alone, wide structs are built by keyword,
nothing is kept that nothing uses, and ``docs/architecture.md`` names what is there."""

from __future__ import annotations

import ast
import re
from collections import Counter
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from passline.law.roles import ROLES

from .test_tidy import MODULES, ORDER, RANK, ROOT, SOURCE, imports, named, nodes, package_of, tree

#: Names that stand for several things, each for its reason.
SHARED = {
    "command": "every command's own: the group finds it by this name",
    "main": "of the command, and of the process in which a strategy is asked: how both begin",
    "render_html": "of a placard, and of a par sheet: each the whole of its module",
    "Columns": "of the par sheet as HTML and as text: what each of them is handed",
    "Mark": "what is so of a throw, as the stick calls it, and an instructor's of an answer",
    "call": "the stick's of a throw, and a player's of a wager on or off: the floor's one word",
}
#: Names of modules that say nothing.
EMPTY = {"about", "asides", "course", "figures", "floor", "growing", "heard", "helpers", "keep"}
EMPTY |= {"kept", "misc", "playing", "stuff", "things", "util", "utils"}

#: Structs of so many fields are built by keyword: fewer arguments than that stand by position.
WIDE = 4
#: But where every throw is settled and folded, in which keywords would cost time.
HOT = {
    "layout/settle.py",
    "table/betting.py",
    "table/evolve.py",
    "table/evolve_dice.py",
    "table/throwing.py",
}
#: Called by name from outside: click, numba, uvicorn, notebooks, and Python's own formatter.
HOOKS = {"list_commands", "get_command", "resolve_command", "format_commands", "on_start", "on_end"}
HOOKS |= {"send_400_response", "capture_signals", "format_field", "_repr_html_", "_repr_svg_"}
#: Kept although nothing here calls it, each for its reason.
KEPT = {
    "decode_command": "the codec's other half: what is encoded can be read back",
    "decode_event": "the same",
    "close_table": "the client's, for programs (docs/protocol.md), and the hall's",
    "reopen_table": "the same",
    "new_secret": "the dice as programs check them: what a house draws",
    "prove": "the same: a throw shown to be the one that was promised",
    "to_frame": "a result as a data frame, for notebooks and programs",
    "stamp": "an entry written out by itself, for programs and tests that make logs",
}

ARCHITECTURE = ROOT / "docs" / "architecture.md"
Definition = ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef


def defined(path: Path) -> Iterator[str]:
    """The public names of a module: classes, functions, and types that have a name."""
    for node in tree(path).body:
        if isinstance(node, Definition):
            yield node.name
        elif isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
            name = node.targets[0].id
            if name[0].isupper() and not name.isupper():
                yield name


def test_a_name_is_one_things_alone() -> None:
    homes: dict[str, list[Path]] = {}
    for path in MODULES:
        for name in defined(path):
            if not name.startswith("_"):
                homes.setdefault(name, []).append(path)
    shared = {
        name: [named(path) for path in paths] for name, paths in homes.items() if len(paths) > 1
    }
    assert {name: paths for name, paths in shared.items() if name not in SHARED} == {}
    assert set(SHARED) <= set(shared), "a name that is shared no more"


def test_modules_have_names_that_say_something() -> None:
    assert [named(path) for path in MODULES if path.stem in EMPTY] == []


def test_what_stands_beside_the_packages_rests_on_none() -> None:
    beside = [p for p in MODULES if p.parent == SOURCE and not p.stem.startswith("__")]
    assert beside
    for path in beside:
        found = [name for name in imports(path) if name.startswith("passline.")]
        packages = {name.split(".")[1] for name in found} & {package_of(p) for p in MODULES}
        assert packages == set(), named(path)


@cache
def structs() -> dict[str, int]:
    """How many fields the tuples, structs and dataclasses of the tree have."""
    classes = {
        node.name: node
        for path in MODULES
        for node in nodes(path)
        if isinstance(node, ast.ClassDef)
    }

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
    ]
    assert dead == []
    assert [name for name in KEPT if used[name]] == [], "it is used now"


def parts_of(path: Path) -> set[str]:
    """All that a module defines: its names, and ``Class.method``."""
    found = set(defined(path))
    for node in tree(path).body:
        if isinstance(node, ast.ClassDef):
            found |= {f"{node.name}.{p.name}" for p in node.body if isinstance(p, Definition)}
        elif isinstance(node, ast.Assign | ast.AnnAssign):
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            found |= {target.id for target in targets if isinstance(target, ast.Name)}
    return found


def test_the_map_has_every_package_and_nothing_else() -> None:
    text = (ROOT / "README.md").read_text("utf-8")
    tree_ = text.partition("src/passline/\n")[2].partition("\ntests/\n")[0]
    mapped = re.findall(r"^  (\w+)/ ", tree_, re.M)
    own = {package_of(path) for path in MODULES} - {""}
    assert set(mapped) == own | {"samples"}
    assert [p for p in mapped if p in RANK] == sorted(
        (p for p in mapped if p in RANK), key=RANK.__getitem__
    ), "in the order of the arrows"
    beside = set(re.findall(r"\b(\w+\.py)\b", tree_))
    assert beside == {
        p.name
        for p in MODULES
        if p.parent == SOURCE and p.stem not in {"__init__", "__main__", "version"}
    }
    arrows = text.partition("Arrows go one way: `")[2].partition("`")[0]
    told = [set(re.findall(r"\w+", part)) for part in arrows.split("→")]
    assert told == [packages & own for packages in ORDER if packages & own]


def test_the_architecture_names_what_is_there() -> None:
    text = ARCHITECTURE.read_text("utf-8")
    steps = re.findall(r"^\| `([\w/]+\.py)` \| ([^|]+) \|", text, re.M)
    assert len(steps) > 20
    for file, cell in steps:
        names = re.findall(r"`([\w.]+)`", cell)
        assert names, f"{file}: no name"
        missing = set(names) - parts_of(SOURCE / file)
        assert missing == set(), f"{file} has no {', '.join(sorted(missing))}"
    spoken = set(re.findall(r"`([\w/]+\.(?:py|toml|tsv|md))`", text))
    assert [f for f in spoken if not (SOURCE / f).exists() and not (ROOT / f).exists()] == []


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
