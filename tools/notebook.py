"""Run the notebook ``docs/play/lab.ipynb``: write its outputs into it and ``ten-questions.md``.

``tests/lab/test_notebook.py`` checks that what the two files show is what the cells give now.
"""

from __future__ import annotations

import ast
import io
import json
from collections.abc import Iterator
from contextlib import redirect_stdout
from pathlib import Path
from typing import Any

DOCS = Path(__file__).parent.parent / "docs" / "play"
NOTEBOOK, PAGE = DOCS / "lab.ipynb", DOCS / "ten-questions.md"
#: How a value shows itself besides as text.
_SHOWN = {"text/html": "_repr_html_", "image/svg+xml": "_repr_svg_"}

Cell = dict[str, Any]


def code_cells(notebook: dict[str, Any]) -> list[Cell]:
    """Return the cells that are run, in order."""
    return [cell for cell in notebook["cells"] if cell["cell_type"] == "code"]


def run_cells(notebook: dict[str, Any]) -> Iterator[list[dict[str, Any]]]:
    """Run the code cells one after the other in one namespace. Yield the outputs of each."""
    names: dict[str, Any] = {"__name__": "notebook"}
    for number, cell in enumerate(code_cells(notebook), 1):
        yield run_cell("".join(cell["source"]), names, number)


def run_cell(source: str, names: dict[str, Any], number: int) -> list[dict[str, Any]]:
    """Run a cell in the namespace ``names``. Return what it prints, and its last value."""
    tree = ast.parse(source)
    last = tree.body.pop() if tree.body and isinstance(tree.body[-1], ast.Expr) else None
    with redirect_stdout(io.StringIO()) as printed:
        exec(compile(tree, f"cell {number}", "exec"), names)
        value = None
        if isinstance(last, ast.Expr):
            value = eval(compile(ast.Expression(last.value), f"cell {number}", "eval"), names)
    found: list[dict[str, Any]] = []
    if printed.getvalue():
        text = _lines(printed.getvalue())
        found.append({"output_type": "stream", "name": "stdout", "text": text})
    if value is not None:
        data = {"text/plain": _lines(repr(value))}
        for kind, method in _SHOWN.items():
            if hasattr(value, method):
                data[kind] = _lines(getattr(value, method)())
        result = {"output_type": "execute_result", "metadata": {}, "data": data}
        found.append({**result, "execution_count": number})
    return found


def outputs_text(outputs: list[dict[str, Any]]) -> str:
    """Return outputs as text: what was printed, and values as text."""
    texts = [output.get("text") or output["data"]["text/plain"] for output in outputs]
    return "\n".join("".join(text).rstrip("\n") for text in texts)


def page_of(notebook: dict[str, Any]) -> str:
    """Return the notebook as Markdown: words, code, and outputs as text."""
    parts = []
    for cell in notebook["cells"]:
        source = "".join(cell["source"]).strip("\n")
        if cell["cell_type"] == "markdown":
            parts.append(source)
            continue
        parts.append(f"```python\n{source}\n```")
        if text := outputs_text(cell["outputs"]):
            parts.append(f"```\n{text}\n```")
    return "\n\n".join(parts) + "\n"


def written(notebook: dict[str, Any]) -> str:
    """Return the notebook as the text of its file."""
    return json.dumps(notebook, indent=1, ensure_ascii=False) + "\n"


def read_notebook() -> dict[str, Any]:
    """Return the notebook's data."""
    found: dict[str, Any] = json.loads(NOTEBOOK.read_text("utf-8"))
    return found


def main() -> None:
    """Run the notebook, and write it and its page."""
    notebook = read_notebook()
    outputs = list(run_cells(notebook))
    for number, (cell, own) in enumerate(zip(code_cells(notebook), outputs, strict=True), 1):
        cell["execution_count"], cell["outputs"] = number, own
    NOTEBOOK.write_text(written(notebook), "utf-8")
    PAGE.write_text(page_of(notebook), "utf-8")


def _lines(text: str) -> list[str]:
    return text.splitlines(keepends=True)


if __name__ == "__main__":
    main()
