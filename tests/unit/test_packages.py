"""Packages import one way only: from packages that stand before them in the list."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

SOURCE = Path(__file__).parents[2] / "src" / "pitchline"

PACKAGES = (
    "version",
    "startup",
    "errors",
    "argument_types",
    "arguments",
    "disk",
    "progress",
    "math",
    "units",
    "budget",
    "solids",
    "gears",
    "beams",
    "bearings",
    "cams",
    "couplings",
    "fem",
    "superelements",
    "membranes",
    "model",
    "contact",
    "elements",
    "extend",
    "declared_elements",
    "system",
    "solvers",
    "results",
    "analyses",
    "studies",
    "files",
    "exchange",
    "viewer",
    "views",
    "gallery",
    "connections",
    "cli",
    "__main__",
)
TOP = "__init__"
# These stand after everything else and may use the package as its users do, by `import pitchline`.
USERS_OF_PUBLIC_NAMES = {"gallery", "cli", "__main__"}


def package_of(file: Path, source: Path) -> str:
    """The package a file is in: its top folder, or its own name where it lies at the top."""
    top = file.relative_to(source).parts[0]
    return top.removesuffix(".py")


def parent_of(file: Path, source: Path) -> list[str]:
    """The dotted name, as a list, that relative imports in `file` start from."""
    return [source.name, *file.relative_to(source).parent.parts]


def modules_imported(tree: ast.AST, package: list[str]) -> Iterator[tuple[int, list[str]]]:
    """Line and absolute dotted name of everything imported anywhere in a file, also inside functions.

    `from a import b` counts as `a.b`: b may be a module.
    """
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            for alias in node.names:
                yield node.lineno, alias.name.split(".")
        elif isinstance(node, ast.ImportFrom):
            base = package[: len(package) - node.level + 1] if node.level else []
            base = base + (node.module.split(".") if node.module else [])
            for alias in node.names:
                yield node.lineno, [*base, alias.name]
        elif isinstance(node, ast.Call) and node.args:
            name = ast.unparse(node.func)
            first = node.args[0]
            if name.split(".")[-1] in ("import_module", "__import__") and isinstance(first, ast.Constant):
                target = str(first.value)
                level = len(target) - len(target.lstrip("."))
                base = package[: len(package) - level + 1] if level else []
                yield node.lineno, base + target.lstrip(".").split(".")


def violations(source: Path) -> list[str]:
    """One line for each import below `source` that goes the wrong way."""
    found = []
    for file in sorted(source.rglob("*.py")):
        package = package_of(file, source)
        if package == TOP:
            continue
        where = file.relative_to(source.parent)
        if package not in PACKAGES:
            found.append(f"{where}: package {package!r} is not in the list of packages")
            continue
        tree = ast.parse(file.read_text(encoding="utf-8"))
        for line, name in modules_imported(tree, parent_of(file, source)):
            if name[0] != source.name:
                continue
            other = name[1] if len(name) > 1 and name[1] in PACKAGES else TOP
            if other == TOP:
                if package not in USERS_OF_PUBLIC_NAMES:
                    found.append(f"{where}:{line}: {package} imports {'.'.join(name)} as users do")
            elif PACKAGES.index(other) > PACKAGES.index(package):
                found.append(f"{where}:{line}: {package} imports from {other}, which stands after it")
    return found


def test_packages_import_one_way() -> None:
    assert (SOURCE / "__init__.py").is_file()
    assert violations(SOURCE) == []


@pytest.mark.parametrize(
    "file, code, message",
    [
        ("model/a.py", "from pitchline.system import b", "model imports from system"),
        ("model/a.py", "from pitchline.model.b import x", None),
        ("model/a.py", "import pitchline.solvers.newton as n", "model imports from solvers"),
        ("model/a.py", "from ..errors import ModelError", None),
        ("model/a.py", "from .. import units", None),
        ("model/a.py", "from .. import system", "model imports from system"),
        ("model/deep/a.py", "from ...system.state import State", "model imports from system"),
        ("model/deep/a.py", "from ..b import x", None),
        ("model/__init__.py", "from ..elements import spring", "model imports from elements"),
        ("model/__init__.py", "from .system import x", None),
        ("units.py", "from .errors import UnitError", None),
        ("errors.py", "from .units import quantity", "errors imports from units"),
        ("system/a.py", "def f():\n    from ..views import plot", "system imports from views"),
        ("system/a.py", "if TYPE_CHECKING:\n    from ..views import plot", "system imports from views"),
        ("system/a.py", "importlib.import_module('pitchline.views')", "system imports from views"),
        ("system/a.py", "import_module('..views', __package__)", "system imports from views"),
        ("system/a.py", "import math\nfrom system import x", None),
        ("results/a.py", "import pitchline as pl", "as users do"),
        ("results/a.py", "from .. import Model", "as users do"),
        ("gallery/a.py", "import pitchline as pl", None),
        ("cli.py", "from . import gallery, __version__", None),
        ("__init__.py", "from .views import plot", None),
        ("attic/a.py", "import numpy", "package 'attic' is not in the list"),
    ],
)
def test_violations_are_caught(tmp_path: Path, file: str, code: str, message: str | None) -> None:
    path = tmp_path / "pitchline" / file
    path.parent.mkdir(parents=True)
    path.write_text(code, encoding="utf-8")
    found = violations(tmp_path / "pitchline")
    if message is None:
        assert found == []
    else:
        assert len(found) == 1
        assert message in found[0]
