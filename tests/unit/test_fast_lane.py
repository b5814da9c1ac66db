"""The fast tests (pytest --fast): the list of files is complete, fits the time, and covers all packages."""

import ast
import subprocess
import sys
from pathlib import Path

import pytest
from references.fast_lane import LIST, TESTS, fast_files

ROOT = TESTS.parent
CPU_LIMIT = 110.0
"""Largest sum of CPU times [s]: with two processes and the collection of the tests this is less than 90 s."""
LEAST_TESTS = 3500
NOT_COVERED = {"__main__", "cli", "gallery", "viewer", "views"}
"""Packages that are mostly tested by slow tests: they run complete models or draw pictures."""


def test_the_files_exist_and_are_sorted() -> None:
    files = list(fast_files())
    assert [file for file in files if not file.is_file()] == []
    assert files == sorted(set(files))
    assert all(file.name.startswith("test_") for file in files)


def test_the_times_fit() -> None:
    assert sum(fast_files().values()) <= CPU_LIMIT
    assert max(fast_files().values()) <= 10.0, f"a file in {LIST.name} is too slow"


def imported(file: Path) -> set[str]:
    """Packages of pitchline that a test imports, also by public names."""
    found = set()
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        names = []
        if isinstance(node, ast.ImportFrom) and node.module:
            names = [node.module]
        elif isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        found |= {name.split(".")[1] for name in names if name.startswith("pitchline.")}
    return found


def test_every_package_is_covered() -> None:
    packages = {path.name for path in (ROOT / "src" / "pitchline").iterdir() if (path / "__init__.py").is_file()}
    covered = set().union(*map(imported, fast_files()))
    assert packages - covered - NOT_COVERED == set()
    assert {file.parent.name for file in fast_files()} == {"unit", "verification"}


@pytest.mark.slow
def test_the_option_selects_these_files_without_slow_tests() -> None:
    line = [sys.executable, "-m", "pytest", "--fast", "--collect-only", "-q", "-p", "no:cacheprovider"]
    run = subprocess.run(line, cwd=ROOT, capture_output=True, text=True, timeout=600)
    assert run.returncode == 0, run.stdout[-2000:]
    tests = [text for text in run.stdout.splitlines() if "::" in text]
    assert {ROOT / text.split("::")[0] for text in tests} == set(fast_files())
    assert len(tests) >= LEAST_TESTS
    assert not any("test_the_option_selects_these_files" in text for text in tests)
