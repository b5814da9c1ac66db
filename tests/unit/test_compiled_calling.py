"""Calling by address, compiling once, and the folder of compiled code."""

import importlib
import os
import pathlib
import pkgutil
import subprocess
import sys

import numba
import numpy as np
import pytest
from numba import float64, int64

import pitchline
from pitchline.engine.elements.contract import RESIDUAL, TANGENT, Element, ElementKind
from pitchline.numerics.fields import NUMBER, fields
from pitchline.numerics.functions import value_of
from pitchline.numerics.machine_code import compiled
from pitchline.numerics.machine_code.calling import address_of, caller_of
from pitchline.parts.bodies.kernel_row import Single

number = float64(float64)
call_number = caller_of(number)


@numba.njit(number, error_model="numpy")
def half(x):
    if x < 0.0:
        raise ValueError("below zero")
    return 0.5 * x


@numba.njit(number, error_model="numpy")
def square(x):
    return x * x


@numba.njit(float64(int64, float64))
def through(address, x):
    return call_number(address, x) + 1.0


def test_one_compiled_caller_calls_any_function_by_its_address() -> None:
    assert through(address_of(half, number), 3.0) == 2.5
    assert through(address_of(square, number), 3.0) == 10.0
    assert len(through.overloads) == 1


def test_addresses_are_kept() -> None:
    assert address_of(half, number) == address_of(half, number) != address_of(square, number)


def test_errors_inside_propagate() -> None:
    with pytest.raises(ValueError, match="below zero"):
        through(address_of(half, number), -1.0)
    assert through(address_of(half, number), 1.0) == 1.5  # and leave nothing behind


def test_errors_inside_a_kernel_reach_python() -> None:
    @compiled.kernel
    def failing(s, m, x, w, ask, r, J):
        if ask.mode == RESIDUAL:
            raise ZeroDivisionError("in a kernel")
        r[0] = s.mass

    kind = ElementKind("failing", failing, fields("Failing", mass=NUMBER))
    one = Single(Element(kind, "f", (0, 1), np.array([7.0])), np.zeros(1))
    with pytest.raises(ZeroDivisionError, match="in a kernel"):
        one.evaluate(RESIDUAL)
    assert one.evaluate(TANGENT)[0][0] == 7


@pytest.mark.parametrize(
    "wrong", [np.zeros(9, np.float32), np.zeros(9, np.int64), np.zeros((3, 3)), np.zeros(18)[::2], "text"]
)
def test_other_types_are_an_error_and_not_another_compilation(wrong: object) -> None:
    value_of(pitchline.Constant(2.0).encode(), 0, 0.0)
    with pytest.raises(TypeError):
        value_of(wrong, 0, 0.0)
    assert len(value_of.overloads) == 1


@pytest.mark.parametrize("wrong", [np.zeros(9, np.int64), np.zeros((3, 3)), np.zeros(18)[::2]])
def test_a_first_call_with_other_types_is_an_error_too(wrong: np.ndarray) -> None:
    """Nothing is compiled before the first call: it must not take other arrays for the right ones."""

    @compiled.entry
    def last(a: compiled.A1) -> compiled.F8:
        return a[a.size - 1]

    with pytest.raises(TypeError):
        last(wrong)
    assert last(np.arange(3.0)) == 2


def dispatchers() -> dict[str, numba.core.dispatcher.Dispatcher]:
    """All compiled functions of the package by name."""
    found = {}
    for room in compiled.COMPILED_PACKAGES:
        package = importlib.import_module(f"pitchline.{room}")
        for module in pkgutil.iter_modules(package.__path__, f"pitchline.{room}."):
            for name, value in vars(importlib.import_module(module.name)).items():
                if isinstance(value, numba.core.dispatcher.Dispatcher):
                    found[f"{value.__module__}.{name}"] = value
    return found


def test_numba_settings_of_others_are_left_alone() -> None:
    assert len(dispatchers()) > 50
    assert str(compiled.cache_directory()) != numba.config.CACHE_DIR


def test_compiled_code_lies_in_our_folder() -> None:
    for name, d in dispatchers().items():
        assert d.stats.cache_path.startswith(str(compiled.cache_directory())), name


# ---- the folder of compiled code


def test_where_the_folder_is(monkeypatch: pytest.MonkeyPatch, tmp_path: pathlib.Path) -> None:
    monkeypatch.delenv("PITCHLINE_CACHE_DIR", raising=False)
    monkeypatch.delenv("XDG_CACHE_HOME", raising=False)
    monkeypatch.setattr(pathlib.Path, "home", lambda: tmp_path / "home")
    assert compiled.cache_directory() == tmp_path / "home" / ".cache" / "pitchline" / "code"
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "xdg"))
    assert compiled.cache_directory() == tmp_path / "xdg" / "pitchline" / "code"
    monkeypatch.setenv("PITCHLINE_CACHE_DIR", str(tmp_path / "own"))
    assert compiled.cache_directory() == tmp_path / "own" / "code"


def test_importing_the_package_compiles_nothing_and_makes_no_folder(tmp_path: pathlib.Path) -> None:
    """Only running an analysis does."""
    code = "import pitchline, pitchline.model, pitchline.results; m = pitchline.Model('m'); m.body('b', mass=1, inertia=(1, 1, 1))"
    environment = os.environ | {"PITCHLINE_CACHE_DIR": str(tmp_path / "cache")}
    source = str(pathlib.Path(pitchline.__file__).parents[1])
    check = f"{code}; import sys; assert 'numba' not in sys.modules"
    subprocess.run([sys.executable, "-c", check], check=True, env=environment | {"PYTHONPATH": source}, cwd=tmp_path)
    assert not (tmp_path / "cache").exists()
