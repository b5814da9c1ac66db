"""Each module with public names can be the first one that a program imports."""

import os
import subprocess
import sys

import pytest

FIRST = """
import importlib, os, sys
import numba, scipy.linalg, scipy.sparse.linalg, scipy.interpolate, scipy.optimize  # once, for all children
import pitchline

for module in sorted(set(pitchline._MODULE_OF.values())):
    child = os.fork()
    if child == 0:
        try:
            importlib.import_module(f"pitchline.{module}")
        except ImportError as error:
            print(f"{module}: {error}", flush=True)
        os._exit(0)
    os.waitpid(child, 0)
"""


@pytest.mark.slow
@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
def test_each_public_module_can_be_imported_first() -> None:
    """Modules that import each other may work in one order only."""
    run = subprocess.run([sys.executable, "-c", FIRST], capture_output=True, text=True, check=False)
    assert (run.returncode, run.stdout) == (0, ""), run.stdout + run.stderr
