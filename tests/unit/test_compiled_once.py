"""Compiled code serves every model: no model ever triggers a compilation of what is compiled already."""

import importlib
import os
import pkgutil
import subprocess
import sys
from pathlib import Path

import numba
import pytest
from references.everything import JOINTS, everything, run_everything

import pitchline as pl
from pitchline.numerics.machine_code.compiled import COMPILED_PACKAGES

CHECKED = """
import numpy as np
from pitchline.numerics.machine_code.compiled import A1, F8, I8, entry
from pitchline.numerics.fields import fields, inline, record_over
from references.everything import run_everything

over = record_over(fields("Three", numbers=inline(3)))

@entry
def from_array(a: A1, i: I8) -> F8:
    return a[i]

@entry
def from_record(a: A1, i: I8) -> F8:
    return over(a, 0).numbers[i]

for read in (from_array, from_record):
    try:
        read(np.zeros(3), 9)
    except IndexError:
        continue
    raise SystemExit("indices are not checked")
run_everything()
print("clean")
"""


def compilations() -> dict[str, int]:
    """How many versions of each compiled function there are."""
    found = {}
    for name in COMPILED_PACKAGES:
        package = importlib.import_module(f"pitchline.{name}")
        for module in pkgutil.iter_modules(package.__path__, f"pitchline.{name}."):
            for name, value in vars(importlib.import_module(module.name)).items():
                if isinstance(value, numba.core.dispatcher.Dispatcher):
                    found[f"{module.name}.{name}"] = len(value.overloads)
    return found


def test_another_model_compiles_nothing() -> None:
    """After models with everything in them, other numbers of bodies, other joints and loads, other options change nothing."""
    run_everything()
    before = compilations()
    assert len(before) > 50
    assert max(before.values()) == 1
    for joints in (JOINTS[3:7], JOINTS[::-1], JOINTS[6:9]):
        m = everything(joints, name="another")
        rest = pl.statics(m)
        pl.kinematics(m, times=[0.0, 0.1])
        pl.dynamics(m, duration=0.01, step=5e-4, stabilised=True, hht=-0.2)
        pl.dynamics(m, duration=0.01, start=rest, rho=0.2, output_step=5e-3, reduce=False)
    chain = pl.Model("chain")
    last = chain.ground
    for i in range(30):
        b = chain.body(f"link {i}", mass=1, inertia=(1, 1, 1), position=(i, 0, 0))
        chain.spherical(f"joint {i}", last, b, at=(i, 0, 0))
        last = b
    pl.dynamics(chain, duration=0.01, step=1e-3)
    assert compilations() == before


@pytest.mark.slow
def test_no_index_is_ever_out_of_bounds() -> None:
    """All of it once more with every index checked, in a process of its own. (Its compiled code has a folder of its own, too:
    the first run compiles for some 40 s.)"""
    root = Path(__file__).parents[2]
    paths = os.pathsep.join([str(Path(pl.__file__).parents[1]), str(root / "tests")])
    environment = os.environ | {"NUMBA_BOUNDSCHECK": "1", "PYTHONPATH": paths}
    run = subprocess.run([sys.executable, "-c", CHECKED], env=environment, capture_output=True, text=True)
    assert run.returncode == 0, run.stderr
    assert run.stdout.strip() == "clean"
