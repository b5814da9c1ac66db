"""Write what the code of documentation pages prints into the pages.

    PYTHONPATH=tests python -m references.printed_pages docs/reference/modes.md ...

Without pages all pages are run. Lines of a page that fit what is printed stay as they are, also with `...`. Read the change
before you commit it: numbers in the text of a page are not changed, and a wrong number is not right because it is printed.
"""

from __future__ import annotations

import doctest
import importlib.util
import os
import sys
import tempfile
from difflib import SequenceMatcher
from pathlib import Path
from types import ModuleType

FLAGS = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE
TESTS = Path(__file__).parents[1] / "unit" / "test_docs.py"


def _test_docs() -> ModuleType:
    spec = importlib.util.spec_from_file_location("test_docs", TESTS)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules["test_docs"] = module
    spec.loader.exec_module(module)
    return module


def merged(old: list[str], new: list[str]) -> list[str]:
    """Printed lines, with the lines of the page where they fit."""
    checker = doctest.OutputChecker()

    def fits(a: str, b: str) -> bool:
        return checker.check_output(a, b, FLAGS)

    if len(old) == len(new):
        return [a if fits(a, b) else b for a, b in zip(old, new, strict=True)]
    lines: list[str] = []
    for kind, i, j, k, l in SequenceMatcher(a=old, b=new, autojunk=False).get_opcodes():
        lines += old[i:j] if kind == "equal" else new[k:l]
    return lines


def write_page(page: Path, docs: ModuleType) -> list[str]:
    """Run a page and replace its outputs; returns what has changed."""
    expected = docs.expected_after(page)
    checker = doctest.OutputChecker()
    here = Path.cwd()
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        sys.path.insert(0, folder)
        try:
            for name, text in docs.files_of(page).items():
                Path(folder, name).write_text(text, encoding="utf-8")
            script = Path(folder, "script")
            script.mkdir()
            printed = docs.run_page(page, script)
        finally:
            sys.path.remove(folder)
            os.chdir(here)
    lines = page.read_text(encoding="utf-8").splitlines(keepends=True)
    changes = []
    for block, text in reversed(printed):
        after = expected.get(block.line)
        if after is None:
            if text.strip():
                changes.append(f"{page}:{block.line}: prints, and the page does not show it: {text[:200]}")
            continue
        if checker.check_output(after.text, text, FLAGS):
            continue
        old, new = after.text.splitlines(keepends=True), text.splitlines(keepends=True)
        lines[after.line : after.line + len(old)] = merged(old, new)
        changes.append(f"{page}:{after.line}: changed")
    if changes:
        page.write_text("".join(lines), encoding="utf-8")
    return changes[::-1]


def main() -> None:
    """Write the pages of the command line, or all."""
    docs = _test_docs()
    pages = [Path(name).resolve() for name in sys.argv[1:]] or docs.python_pages()
    for page in pages:
        try:
            changes = write_page(page, docs)
        except Exception as error:  # a page that fails: the others are written
            changes = [f"{page}: {type(error).__name__}: {error}"]
        print("\n".join(changes) or f"{page}: as it is", flush=True)


if __name__ == "__main__":
    main()
