"""Imports by a computed name: only in the modules listed here, and only of names from tables that this test reads.

The test of packages (which may import which) reads import statements. A name that is put together at run time is invisible
to it, so it is allowed only where a table says every name, and that table is checked here.
"""

import ast
import subprocess
import sys
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path

import pytest

import pitchline
from pitchline import views
from pitchline.gallery import catalogue

SOURCE = Path(__file__).parents[2] / "src" / "pitchline"

FORMS = {
    "__init__.py": {"f'{__name__}.{_MODULE_OF[name]}'", "f'{__name__}.{name}'"},
    "views/__init__.py": {"f'pitchline.{_LATER[name]}'"},
    "facades.py": {"'pitchline.views'"},
    "gallery/catalogue.py": {"f'{__package__}.{_MODULES[wanted]}'"},
    # compiles what every module of the package holds: it stands in the last package, and walks all of them
    "cli/warm.py": {"name", "pkgutil.walk_packages(...)", "sys.modules"},
    # looks at modules that are there already, and brings in none
    "numerics/machine_code/content.py": {"sys.modules"},
    "gallery/model_kinds.py": {"sys.modules"},
    "studies/sweep/payload.py": {"sys.modules"},
    # files of the modules of the user, for the keys of stored values; nothing is imported
    "studies/dependencies.py": {"importlib.util.find_spec(...)", "sys.modules"},
    # a process of a sweep: the script of the user that defines the model
    "studies/sweep/worker.py": {"runpy.run_path(...)", "sys.modules"},
    "declare/search.py": {
        "f\"{__package__.partition('.')[0]}.{name}\""
    },  # every file of the parts that declares an element
    "files/element_schema.py": {"module"},  # of the user, where it is allowed
    # text of kernels for programs in the loop: a fixed set of lines with names of signals, which are letters, digits and _
    "parts/control/program.py": {"exec(...)"},
    # text of kernels, made of a fixed set of lines with numbered names; names of a model are not in it
    "studies/batch/kernels/small_text.py": {
        "exec(...)",
        "importlib.util.spec_from_file_location(...)",
        "importlib.util.module_from_spec(...)",
    },
    # a syntax tree in which only the listed forms and functions of formulas occur; it imports nothing
    "declare/signal_expression.py": {"eval(...)"},
    # annotations of functions of the package
    "base/types.py": {"eval(...)"},
}
"""Modules that may import by a computed name, and the expressions that they may use."""

TABLES = {
    "__init__.py": ("pitchline", {*pitchline._MODULE_OF.values(), *pitchline._PACKAGES}),
    "views/__init__.py": ("pitchline", set(views._LATER.values())),
    "gallery/catalogue.py": ("pitchline.gallery", set(catalogue._MODULES.values())),
}
"""The package in which these modules look, and every name that their tables hold."""

DYNAMIC = ("import_module", "__import__", "exec", "eval")
"""Functions that bring in a module, or run text, by a name known at run time."""
LIBRARIES = ("importlib", "importlib.util", "importlib.machinery", "runpy", "pkgutil", "pydoc")
"""Modules with such functions."""
WORDS = (*DYNAMIC, *LIBRARIES, "sys")
"""A file without any of these words cannot contain such an import."""
METADATA = {"importlib.metadata", "importlib.resources"}
"""Of importlib, what reads facts and files and imports nothing."""


def uses(tree: ast.AST) -> Iterator[tuple[int, str]]:
    """Line and expression of every import by a computed name, and of every way to get hold of a function for one."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Call):
            called = ast.unparse(node.func)
            if called == "importlib.import_module" and len(node.args) == 1 and not node.keywords:
                yield node.lineno, ast.unparse(node.args[0])
            elif called in DYNAMIC or called.rpartition(".")[0] in LIBRARIES:
                yield node.lineno, f"{called}(...)"
        elif isinstance(node, ast.ImportFrom) and node.module in LIBRARIES and not node.level:
            for alias in node.names:
                if f"{node.module}.{alias.name}" not in METADATA:
                    yield node.lineno, f"from {node.module} import {alias.name}"
        elif isinstance(node, ast.Attribute) and ast.unparse(node) == "sys.modules":
            yield node.lineno, "sys.modules"


def violations(source: Path) -> list[str]:
    found = []
    for file in sorted(source.rglob("*.py")):
        where = file.relative_to(source).as_posix()
        text = file.read_text(encoding="utf-8")
        if not any(word in text for word in WORDS):
            continue
        for line, expression in uses(ast.parse(text)):
            if expression not in FORMS.get(where, ()):
                found.append(f"{where}:{line}: {expression}")
    return found


def test_no_import_by_a_computed_name_outside_the_tables() -> None:
    assert violations(SOURCE) == []


def test_every_listed_module_still_imports_by_name() -> None:
    for where, forms in FORMS.items():
        used = {expression for _, expression in uses(ast.parse((SOURCE / where).read_text(encoding="utf-8")))}
        assert used == forms, where


@pytest.mark.parametrize("where", TABLES)
def test_tables_name_modules_of_their_own_package(where: str) -> None:
    """All of them lie below the package that imports them, so that the way of the import is seen here."""
    package, names = TABLES[where]
    assert names
    for name in names:
        assert all(part.isidentifier() for part in name.split(".")), name
        assert find_spec(f"{package}.{name}") is not None, name
    if where == "views/__init__.py":  # its layer has the pictures in the folders of the parts too
        assert all(name.startswith("views.") or ".drawing" in name for name in names)
    else:
        assert package.split(".")[1:] == list(Path(where).parent.parts)


@pytest.mark.parametrize(
    "code, seen",
    [
        ("import importlib\nimportlib.import_module('pitchline.views')", True),
        ("import importlib\nimportlib.import_module(name)", True),
        ("from importlib import import_module", True),
        ("import importlib.util\nimportlib.util.find_spec(name)", True),
        ("from importlib.util import find_spec", True),
        ("import importlib\nload = importlib.reload(x)", True),
        ("__import__('pitchline.views')", True),
        ("import sys\nsys.modules['pitchline.views']", True),
        ("exec(text)", True),
        ("from importlib.metadata import version", False),
        ("from importlib import resources", False),
        ("import importlib.metadata\nimportlib.metadata.version('pitchline')", False),
        ("def f():\n    from ..views import plot", False),
    ],
)
def test_violations_are_caught(tmp_path: Path, code: str, seen: bool) -> None:
    path = tmp_path / "pitchline" / "model" / "a.py"
    path.parent.mkdir(parents=True)
    path.write_text(code, encoding="utf-8")
    assert bool(violations(tmp_path / "pitchline")) == seen


def test_a_model_can_be_written_without_the_package_of_files_being_imported_first() -> None:
    """The top package registers the writer, also where only the model was imported."""
    code = (
        "import sys; from pitchline.model import Model; assert 'pitchline.files' not in sys.modules;"
        "assert 'name = \"m\"' in Model('m').to_toml()"
    )
    subprocess.run([sys.executable, "-c", code], check=True)
