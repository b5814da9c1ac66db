"""Arguments of wrong types: every public function refuses them with an error that names the argument."""

import builtins
import inspect
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
from references.wrong_arguments import failures

import pitchline as pl
from pitchline import views
from pitchline.base.arguments import ArgumentError, names_wrong_arguments
from pitchline.base.types import CLASSES_BY_NAME

T = np.linspace(0.0, 10.0, 401)
ANGLE = pl.Signal("hinge.angle", T**2, T, "rad")
CALLS: dict[str, Any] = {
    "order_map": lambda x: pl.order_map(x, ANGLE), "order_map angle": lambda x: pl.order_map(ANGLE, x),
    "order_spectrum": lambda x: pl.order_spectrum(x, ANGLE), "order_track": lambda x: pl.order_track(x, ANGLE, 1),
    "order_track order": lambda x: pl.order_track(ANGLE, ANGLE, {"order": x}), "peak_hold": lambda x: pl.peak_hold(x, ANGLE),
    "peak_hold speed": lambda x: pl.peak_hold(ANGLE, x), "spectrum": pl.spectrum, "spectrogram": pl.spectrogram,
    "fold": lambda x: pl.fold(ANGLE, x), "rolling_loads": lambda x: pl.rolling_loads(x, "bearing"),
}  # fmt: skip


@pytest.mark.parametrize("value", [7, 10**400, "text", None, [1.0, 2.0], {"a": 1}])
@pytest.mark.parametrize("name", CALLS)
def test_functions_of_results_name_what_is_not_a_signal(name: str, value: object) -> None:
    with pytest.raises(pl.PitchlineError) as caught:
        CALLS[name](value)
    assert re.search(name.split()[-1] if " " in name else name, str(caught.value))


@pytest.mark.slow
def test_no_public_call_ends_in_an_error_of_python(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert list(failures(tmp_path, count=1)) == []


@names_wrong_arguments
def called(
    number: float, signal: pl.Signal | None = None, *names: str, table: "dict[str, int] | None" = None,
    run: "Result | None" = None,  # type: ignore[name-defined]  # noqa: F821
    values: npt.ArrayLike = 0.0, act: Any = None,
) -> float:  # fmt: skip
    """Fails with errors of Python."""
    if act is not None:
        act()
    if run is not None:
        run.select()
    return float(number) + np.asarray(values, float).ndim + sum(map(len, names)) + sum((table or {}).values())


@pytest.mark.parametrize(
    "call, message",
    [
        (lambda: called([]), r"called: number: expected a number, got \[\] \(list\)$"),
        (lambda: called(10**400), "called: number: expected a number, got 1000.*"),
        (lambda: called(1.0, None, "a", 3), r"called: names: expected a text, got 3 \(int\)$"),  # type: ignore[arg-type]
        (lambda: called(1.0, table={"a": "x"}), "table: expected a table of names and values or None, got {'a': 'x'}"),  # type: ignore[dict-item]
        (lambda: called(1.0, run=3), r"run: expected a Result or None, got 3 \(int\)"),
        (lambda: called(1.0, values="x"), r"values: expected numbers, got 'x' \(str\)"),
    ],
)  # fmt: skip
def test_the_argument_its_type_and_its_value_are_named(call: Any, message: str) -> None:
    with pytest.raises(ArgumentError, match=message):
        call()


def test_errors_of_valid_arguments_and_of_functions_of_the_user_stay() -> None:
    def fails() -> None:
        raise ValueError("of the user")

    with pytest.raises(ValueError, match="of the user"):
        called(1.0, 7, act=fails)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="unsupported operand"):
        called(1.0, table={"a": 1}, act=lambda: 1 + "x")  # type: ignore[operator]


NOT_CLASSES = {"ComplexArray", "Contact", "NDArray", "Placement", "StudyVariable"}


def annotations(place: Any) -> Iterator[tuple[str, dict[str, Any]]]:
    """Annotations of a function, or of the functions of a class, each with the names of its module."""
    for call in vars(place).values() if inspect.isclass(place) else [place]:
        plain = inspect.unwrap(getattr(call, "__func__", call)) if callable(getattr(call, "__func__", call)) else None
        for key, text in getattr(plain, "__annotations__", {}).items():
            if isinstance(text, str) and key != "return":
                yield text, getattr(plain, "__globals__", {})


def test_classes_that_are_known_by_name_are_the_only_ones_that_modules_do_not_import() -> None:
    unknown = set()
    for place in [getattr(pl, name) for name in pl.__all__] + [getattr(views, name) for name in views.__all__]:
        for text, known in annotations(place):
            names = re.findall(r"(?<![.\w\"'])[A-Z]\w*", text)
            unknown |= {name for name in names if name not in known and not hasattr(builtins, name)}
    assert unknown == {*CLASSES_BY_NAME, *NOT_CLASSES}
