"""The public names of the package: each is there, is loaded at first use, and is what type checkers see."""

import ast
import os
import subprocess
import sys
from pathlib import Path

import pytest

import pitchline as pl

SOURCE = Path(__file__).parents[2] / "src" / "pitchline" / "__init__.py"


def test_every_public_name_is_there() -> None:
    assert len(set(pl.__all__)) == len(pl.__all__)
    for name in pl.__all__:
        assert getattr(pl, name) is not None
    assert set(dir(pl)) == set(pl.__all__)


def test_type_checkers_see_the_same_names() -> None:
    tree = ast.parse(SOURCE.read_text(encoding="utf-8"))
    (block,) = [node for node in tree.body if isinstance(node, ast.If)]
    imported = {
        alias.name: node.module or "" for node in block.body if isinstance(node, ast.ImportFrom) for alias in node.names
    }
    assert {name: module for name, module in imported.items() if module} == pl._MODULE_OF
    assert set(pl.__all__) == set(pl._MODULE_OF) | {"views"} | {node.name for node in tree.body if _is_public(node)}


def _is_public(node: ast.stmt) -> bool:
    return isinstance(node, ast.FunctionDef) and not node.name.startswith("_")


def test_unknown_names_are_said() -> None:
    with pytest.raises(AttributeError, match="no attribute 'Geer'"):
        _ = pl.Geer


@pytest.mark.slow
def test_rooms_can_be_walked_into_and_results_drawn() -> None:
    """In processes of their own, in which nothing else was imported."""
    for code in (
        "import pitchline as pl, sys; assert 'numpy' not in sys.modules; pl.gears.cone_angles",
        "import pitchline as pl, numpy as np\n"
        "t = np.linspace(0, 1, 5); s = pl.Signal(name='a.b', values=t, time=t, unit='m')\n"
        "pl.Result(kind='x', model_name='y', time=t, signals={'a.b': s}).plot('a.b')",
    ):
        subprocess.run([sys.executable, "-c", code], check=True)


FIRST = """
import os, sys
import numba, numpy, scipy.interpolate, scipy.optimize, scipy.sparse.linalg
import pitchline

for module in sorted(set(pitchline._MODULE_OF.values())):
    child = os.fork()
    if not child:
        try:
            __import__(f"pitchline.{module}")
        except ImportError as error:
            print(module, error, flush=True)
        os._exit(0)
    os.waitpid(child, 0)
"""


@pytest.mark.slow
@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs copies of a process")
def test_every_module_with_public_names_can_be_the_first() -> None:
    """No module needs another one that was imported before it."""
    run = subprocess.run([sys.executable, "-c", FIRST], capture_output=True, text=True)
    assert (run.returncode, run.stdout) == (0, ""), run.stdout + run.stderr
