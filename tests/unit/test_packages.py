"""Imports go one way only: from files of the same layer, or of a layer that stands before it in the list.

A folder of `parts` has files of several layers: the declaration of a part is low, its picture is high. Their names say the role.
"""

import ast
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest
from references.layers import LAYERS, ORDER, layer_of, module_of

SOURCE = Path(__file__).parents[2] / "src" / "pitchline"

MOST_FILES = 620
MOST_IN_A_FOLDER = 40

# These stand after everything else and may use the package as its users do, by `import pitchline`.
USERS_OF_PUBLIC_NAMES = {"gallery", "cli", "__main__"}


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


def imported_module(name: list[str], source: Path) -> str:
    """The module of a dotted name: the longest beginning that is a file; else what stands there."""
    for length in range(len(name), 1, -1):
        path = source.joinpath(*name[1:length])
        if path.with_suffix(".py").is_file() or (path / "__init__.py").is_file():
            return ".".join(name[1:length])
    return ".".join(name[1:]) if layer_of(".".join(name[1:])) and not (source / "__init__.py").is_file() else ""


def violations(source: Path) -> list[str]:
    """One line for each import below `source` that goes the wrong way."""
    wrong = []
    for file in sorted(source.rglob("*.py")):
        module = module_of(file, source)
        if not module:
            continue

        where = file.relative_to(source.parent)
        layer = layer_of(module)
        if layer is None:
            wrong.append(f"{where}: no layer has {module!r}")
            continue

        tree = ast.parse(file.read_text(encoding="utf-8"))
        for line, name in modules_imported(tree, parent_of(file, source)):
            if name[0] != source.name:
                continue
            target = imported_module(name, source)
            other = layer_of(target) if target else None
            if "facades" in (layer, other):  # functions of later layers, which `test_facades` counts
                continue
            if other is None:
                if layer not in USERS_OF_PUBLIC_NAMES:
                    wrong.append(f"{where}:{line}: {layer} imports {'.'.join(name)} as users do")
            elif ORDER.index(other) > ORDER.index(layer):
                wrong.append(f"{where}:{line}: {layer} imports {target} of {other}, which stands after it")
    return wrong


def test_layers_import_one_way() -> None:
    assert set(LAYERS) == set(ORDER)
    assert violations(SOURCE) == []


def test_folders_are_small() -> None:
    """A reader finds a file by its folder: few files in each, and few in all."""
    files = list(SOURCE.rglob("*.py"))
    assert len(files) <= MOST_FILES
    assert {folder: n for folder, n in Counter(file.parent for file in files).items() if n > MOST_IN_A_FOLDER} == {}


def test_every_layer_has_files() -> None:
    of_files = {layer_of(module_of(file, SOURCE)) for file in SOURCE.rglob("*.py") if module_of(file, SOURCE)}
    assert of_files == set(LAYERS)


@pytest.mark.parametrize(
    "file, code, message",
    [
        ("model/a.py", "from pitchline.engine.compile import b", "parts imports engine.compile"),
        ("model/a.py", "from pitchline.model.b import x", None),
        ("model/a.py", "import pitchline.engine.solvers.newton as n", "parts imports engine.solvers.newton"),
        ("model/a.py", "from ..errors import ModelError", None),
        ("model/a.py", "from .. import units", None),
        ("parts/cams/methods.py", "from .kernel import x", "parts imports parts.cams.kernel"),
        ("parts/cams/kernel.py", "from .methods import x", None),
        ("parts/cams/kernel.py", "from .drawing import x", "kernels imports parts.cams.drawing"),
        ("parts/cams/drawing.py", "from .kernel import x", None),
        ("units/a.py", "from ..errors import UnitError", None),
        ("errors.py", "from .units import quantity", "errors imports units"),
        ("engine/compile/a.py", "def f():\n    from ...views import plot", "compile imports views"),
        ("engine/compile/a.py", "if TYPE_CHECKING:\n    from ...views import plot", "compile imports views"),
        ("engine/compile/a.py", "importlib.import_module('pitchline.views')", "compile imports views"),
        ("engine/compile/a.py", "import_module('...views', __package__)", "compile imports views"),
        ("engine/compile/a.py", "import math\nfrom system import x", None),
        ("results/a.py", "import pitchline as pl", "as users do"),
        ("results/a.py", "from .. import Model", "as users do"),
        ("gallery/a.py", "import pitchline as pl", None),
        ("cli/a.py", "from .. import gallery, __version__", None),
        ("__init__.py", "from .views import plot", None),
        ("attic/a.py", "import numpy", "no layer has 'attic.a'"),
    ],
)
def test_violations_are_caught(tmp_path: Path, file: str, code: str, message: str | None) -> None:
    path = tmp_path / "pitchline" / file
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(code, encoding="utf-8")
    for known in (
        "views",
        "units",
        "errors",
        "model/b",
        "engine/compile",
        "parts/cams/kernel",
        "parts/cams/drawing",
        "gallery",
        "x",
    ):
        other = tmp_path / "pitchline" / f"{known}.py"
        other.parent.mkdir(parents=True, exist_ok=True)
        if not other.exists() and known != "x":
            other.write_text("", encoding="utf-8")
    (tmp_path / "pitchline" / "parts/cams/methods.py").touch()
    wrong = [line for line in violations(tmp_path / "pitchline")]
    assert (message is None and wrong == []) or (message is not None and len(wrong) == 1 and message in wrong[0]), wrong
