"""Keys of compiled code: all that machine code depends on is in the key, and nothing else is."""

import enum
import importlib
import math
import os
import pkgutil
import shutil
import subprocess
import sys
import types as python
from collections import namedtuple
from pathlib import Path

import numba
import numpy as np
import pytest
from numba.core import types
from numba.extending import intrinsic, overload, register_jitable

import pitchline
from pitchline.numerics.machine_code import compiled
from pitchline.numerics.machine_code.calling import caller_of
from pitchline.numerics.machine_code.code_cache import surroundings
from pitchline.numerics.machine_code.content import Unidentified, content_of, key_of

Point = namedtuple("Point", "x y")


class Colour(enum.IntEnum):
    RED = 1
    BLUE = 2


def module(text: str, name: str = "written", **names: object) -> python.ModuleType:
    """A module from its text."""
    made = python.ModuleType(name)
    vars(made).update(compiled=compiled, np=np, math=math, F8=compiled.F8, **names)
    exec(compile(text, f"/somewhere/{name}.py", "exec"), vars(made))
    return made


FUNCTION = """
@compiled.leaf
def inner(x: F8) -> F8:
    return x * {inner}

@compiled.entry
def outer(x: F8) -> F8:
    {doc}
    return inner(x) + {body}
"""


def outer(doc: str = "", inner: str = "2.0", body: str = "K", **names: object) -> bytes:
    made = module(FUNCTION.format(doc=f'"""{doc}"""' if doc else "pass", inner=inner, body=body), **{"K": 1.0, **names})
    return key_of(made.outer)


def test_lines_files_and_docstrings_do_not_matter() -> None:
    text = FUNCTION.format(doc='"""One."""', inner="2.0", body="K")
    keys = {key_of(module(t, K=1.0).outer) for t in (text, "\n\n# a comment\n" + text, text.replace("One", "Two"))}
    assert len(keys) == 1


def test_values_that_it_does_not_read_do_not_matter() -> None:
    assert outer() == outer(L=7.0) == outer(UNKNOWN={})
    assert outer(body="x.real", real=1.0) == outer(body="x.real", real=2.0)  # an attribute, not the global of this name


@pytest.mark.parametrize(
    "values",
    [
        (1.0, 1, True, 2.0, np.float64(1.0), np.float32(1.0), 1 + 0j, "1.0", None),
        (0.0, -0.0, math.nan),
        ((1.0, 2.0), (1.0, (2.0,)), (2.0, 1.0), [1.0, 2.0], Point(1.0, 2.0)),
        (np.zeros(2), np.zeros(3), np.ones(2), np.zeros(2, np.int64), np.zeros((2, 1)), np.zeros((1, 2))),
        (np.zeros((2, 2)), np.zeros((2, 2), order="F")),
        (Colour.RED, Colour.BLUE),
        (types.float64, types.int64, compiled.A1, compiled.A2, compiled.V3),
        (compiled.A1(compiled.F8), compiled.A1(compiled.I8), compiled.F8(compiled.F8)),
    ],
    ids=lambda v: type(v[0]).__name__,
)
def test_every_value_that_it_reads_is_in_the_key(values: tuple[object, ...]) -> None:
    assert len({outer(K=v) for v in values}) == len(values) == len({outer(K=v) for v in (*values, *values)})
    assert len({content_of(v) for v in values}) == len(values)


def test_what_it_says_and_what_it_calls_are_in_the_key() -> None:
    bodies = ["K", "K + K", "1.0", "1", "2.0", "np.pi", "math.sin(x)", "np.cos(x)", "-K", "K if x > 0 else 0.0"]
    keys = {outer(), outer(inner="3.0"), outer(inner="K"), *(outer(body=b) for b in bodies[1:])}
    assert len(keys) == len(bodies) + 2


def test_a_value_read_by_what_it_calls_is_in_the_key() -> None:
    assert len({outer(inner="L", L=v) for v in (1.0, 2.0)}) == 2
    assert len({outer(body="helpers.L", helpers=module("", L=v)) for v in (1.0, 2.0)}) == 2
    assert len({outer(body="a.helpers.L", a=module("", "a", helpers=module("", L=v))) for v in (1.0, 2.0)}) == 2
    assert outer(body="helpers.L", helpers=module("", L=1.0, M=1)) == outer(
        body="helpers.L", helpers=module("", L=1.0, M=2)
    )


def test_closures_defaults_options_and_signatures_are_in_the_key() -> None:
    def make(k: float = 1.0, d: float = 1.0, **options: object) -> bytes:
        def f(x, y=d):
            return x + k + y

        return key_of(numba.njit(**options)(f))

    keys = [make(), make(2.0), make(d=2.0), make(error_model="numpy"), make(inline="always"), make(fastmath=True)]
    assert len(set(keys)) == len(keys) == len({make(), *keys})
    text = "@compiled.entry\ndef f(x: {}) -> F8:\n    return x + 1.0\n"
    assert key_of(module(text.format("F8")).f) != key_of(module(text.format("compiled.I8")).f)
    text = "@compiled.{}\ndef f(x: F8) -> F8:\n    return x + 1.0\n"
    assert len({key_of(module(text.format(d)).f) for d in ("leaf", "block", "entry", "kernel")}) == 4


def test_callers_by_address_differ_by_their_signature() -> None:
    number, whole = types.float64(types.float64), types.int64(types.float64)
    keys = {outer(body="call(1, x)", call=caller_of(s)) for s in (number, whole, number)}
    assert len(keys) == 2


def test_an_intrinsic_is_what_it_generates() -> None:
    def make(k: float) -> object:
        def helper() -> float:
            return k

        @intrinsic
        def f(context, x):
            def generate(context, builder, signature, values):
                return context.get_constant(types.float64, helper())

            return x(x), generate

        return f

    assert len({outer(body="f(x)", f=make(k)) for k in (1.0, 2.0, 1.0)}) == 2


def test_what_stands_for_a_plain_function_is_in_the_key() -> None:
    def make(k: float) -> object:
        def f(x):
            raise NotImplementedError

        @overload(f)
        def _(x):
            return lambda x: x + k

        return f

    assert len({outer(body="f(x)", f=make(k)) for k in (1.0, 2.0, 1.0)}) == 2

    def registered(k: float) -> object:
        return register_jitable(lambda x: x + k)

    assert len({outer(body="f(x)", f=registered(k)) for k in (1.0, 2.0, 1.0)}) == 2


def test_types_with_a_layout_are_known_by_it() -> None:
    class Fields(types.Type):
        def __init__(self, layout):
            self.layout = layout
            super().__init__("Fields")

        @property
        def key(self):
            return self.name, self.layout

    one = Fields((("k", types.float64),))
    two, three = Fields((("k", types.int64),)), Fields((("r", one),))
    four = Fields((("r", two),))
    assert len({content_of(t) for t in (one, two, three, four)}) == 4
    assert content_of(one) == content_of(Fields((("k", types.float64),)))
    assert content_of(types.float64(three)) != content_of(types.float64(four))


def test_functions_may_call_each_other_in_circles() -> None:
    text = """
import numba
@numba.njit
def even(n):
    return True if n == 0 else odd(n - 1)
@numba.njit
def odd(n):
    return {} if n == 0 else even(n - 1)
"""
    a, b = module(text.format(False)), module(text.format(None))
    assert len({key_of(f) for f in (a.even, a.odd, b.even, b.odd)}) == 4
    again = module(text.format(False))
    assert (key_of(again.odd), key_of(again.even)) == (key_of(a.odd), key_of(a.even))


@pytest.mark.parametrize("value", [{}, object(), {1: 2}, [object()], np.array([None]), type("Counter", (), {"n": {}})])
def test_what_cannot_be_identified_has_no_key(value: object) -> None:
    with pytest.raises(Unidentified):
        outer(K=value)


def test_a_value_that_is_bound_anew_leaves_no_key_behind() -> None:
    """The inner function was compiled with the first value: nobody may file code with it under the second."""
    made = module(FUNCTION.format(doc="pass", inner="K", body="1.0"), K=1.0)
    assert made.inner.signature and key_of(made.inner)
    made.K = 2.0
    for _ in range(2):
        with pytest.raises(Unidentified):
            key_of(made.outer)
    made.K = 1.0  # what was compiled in between is not known
    with pytest.raises(Unidentified):
        key_of(made.outer)


def test_an_array_that_is_changed_leaves_no_key_behind() -> None:
    table = np.zeros(3)
    made = module(FUNCTION.format(doc="pass", inner="K[0]", body="1.0"), K=table)
    assert key_of(made.outer) == key_of(made.outer)
    table[0] = 1.0
    with pytest.raises(Unidentified):
        key_of(made.outer)


def test_a_function_that_others_compiled_has_no_key() -> None:
    """Its values may have been others at that time."""
    helper = numba.njit(lambda x: x + 1.0)
    assert outer(body="helper(x)", helper=helper)
    helper = numba.njit(lambda x: x + 1.0)
    helper(1.0)
    with pytest.raises(Unidentified):
        outer(body="helper(x)", helper=helper)


@pytest.mark.parametrize("name", ["NUMBA_BOUNDSCHECK", "NUMBA_OPT", "NUMBA_LOOP_VECTORIZE"])
def test_settings_that_change_the_code_are_in_the_key(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(name, raising=False)
    plain = surroundings()
    monkeypatch.setenv(name, "1")
    assert surroundings() != plain


def test_only_equal_functions_of_the_package_have_equal_keys() -> None:
    """Two copies of a function in different files may share their machine code."""
    keys: dict[bytes, set[bytes]] = {}
    for info in pkgutil.walk_packages(pitchline.__path__, "pitchline."):
        if not info.name.endswith("__main__"):
            for value in vars(importlib.import_module(info.name)).values():
                if isinstance(value, numba.core.dispatcher.Dispatcher):
                    keys.setdefault(key_of(value), set()).add(value.py_func.__code__.co_code)
    assert len(keys) > 150
    assert [codes for codes in keys.values() if len(codes) > 1] == []


# ---- a copy of the package that is changed and moved

PLACES = """
from .machine_code.compiled import F8, entry, leaf
STIFFNESS, DAMPING = {stiffness}, 2.0
@leaf
def spring(x: F8) -> F8:
    return STIFFNESS * x
@leaf
def damper(v: F8) -> F8:
    return DAMPING * v
@entry
def both(x: F8, v: F8) -> F8:
    return spring(x) + damper(v)
@entry
def one(v: F8) -> F8:
    return damper(v)
"""
COUNT = """
from pitchline.numerics import law_of_test as law
values = law.both(1.0, 1.0), law.one(1.0)
functions = [law.spring, law.damper, law.both, law.one]
print(values, [f.__name__ for f in functions if f.stats.cache_misses])
"""


@pytest.mark.slow
def test_a_folder_that_moves_is_found_and_a_constant_compiles_what_reads_it(tmp_path: Path) -> None:
    package = Path(pitchline.__file__).parent
    here, cache = tmp_path / "here", tmp_path / "cache"
    shutil.copytree(package, here / "pitchline", ignore=shutil.ignore_patterns("__pycache__"))
    file = here / "pitchline" / "numerics" / "law_of_test.py"

    def ask(folder: Path, cache: Path) -> str:
        environment = os.environ | {"PITCHLINE_CACHE_DIR": str(cache), "PYTHONPATH": str(folder)}
        run = subprocess.run(
            [sys.executable, "-B", "-c", COUNT], env=environment, capture_output=True, text=True, timeout=120
        )
        assert run.returncode == 0, run.stderr
        return run.stdout.strip()

    file.write_text(PLACES.format(stiffness=1.0))
    assert ask(here, cache) == "(3.0, 2.0) ['spring', 'damper', 'both', 'one']"
    os.utime(file, (0, 0))  # another time, other lines, other words
    file.write_text("# moved\n\n" + PLACES.format(stiffness=1.0).replace("@entry", "# the sum\n@entry"))
    there, moved = tmp_path / "there", tmp_path / "cache elsewhere"
    here.rename(there)
    cache.rename(moved)
    assert ask(there, moved) == "(3.0, 2.0) []"
    (there / "pitchline" / "numerics" / "law_of_test.py").write_text(PLACES.format(stiffness=5.0))
    assert ask(there, moved) == "(7.0, 2.0) ['spring', 'both']"


def test_symbols_of_different_functions_have_different_names(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """numba numbers functions of one name as they come; code of two processes may be loaded by a third."""
    monkeypatch.setattr(compiled, "_CACHE", tmp_path)

    def names(value: float) -> set[str]:
        made = module(FUNCTION.format(doc="pass", inner="2.0", body="K"), K=value)
        assert made.outer(1.0) == 2.0 + value
        assert made.outer.py_func.__qualname__ == "outer"
        return {c.fndesc.mangled_name.partition("5outer")[0] for c in made.outer.overloads.values()}

    assert names(1.0).isdisjoint(names(3.0)) and names(1.0) == names(1.0)
