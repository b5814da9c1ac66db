"""Sensitivity of studies: Sobol indices of functions with closed forms, correlation coefficients."""

import numpy as np
import pytest

import pitchline as pl

N = 4096


def ishigami(x: np.ndarray, y: np.ndarray, z: np.ndarray) -> np.ndarray:
    return np.sin(x) + 7.0 * np.sin(y) ** 2 + 0.1 * z**4 * np.sin(x)


@pytest.fixture(scope="module")
def study() -> pl.StudyResult:
    angle = pl.Uniform("-180 deg", "180 deg")
    points = pl.sample(N, method="saltelli", seed=1, x=angle, y=angle, z=angle, unused=pl.Normal(0, 1))
    value = ishigami(*(points.column(name) for name in "xyz"))
    return pl.StudyResult("ishigami", points, {"f": (value, ""), "constant": (0 * value, "")}, np.zeros(len(points)))


def test_sobol_indices_of_the_ishigami_function(study: pl.StudyResult) -> None:
    pi4, pi8 = np.pi**4, np.pi**8
    v1, v2, v13 = 0.5 * (1 + 0.1 * pi4 / 5) ** 2, 7.0**2 / 8, 0.1**2 * pi8 * (1 / 18 - 1 / 50)
    v = v1 + v2 + v13
    found = study.sobol_indices("f")
    assert found.parameters == ("x", "y", "z", "unused")
    assert found.variance == pytest.approx(v, rel=0.02)
    # Quasi-random points: the error is below that of independent points, of which the intervals are 95 %.
    np.testing.assert_allclose(found.first, [v1 / v, v2 / v, 0.0, 0.0], atol=0.01)
    np.testing.assert_allclose(found.total, [(v1 + v13) / v, v2 / v, v13 / v, 0.0], atol=0.01)
    assert (np.abs(found.first - [v1 / v, v2 / v, 0.0, 0.0]) <= found.first_error + 1e-12).all()
    assert found.total[3] == found.total_error[3] == 0.0  # a parameter without influence: exactly
    assert 0.005 < found.first_error[0] < 0.08 and "± " in str(found)


def test_rows_with_failed_points_are_left_out(study: pl.StudyResult) -> None:
    status = np.zeros(len(study.points))
    status[7::60] = 1  # one point in every tenth row
    values = np.where(status == 0, study["f"], np.nan)
    part = pl.StudyResult("ishigami", study.points, {"f": (values, "")}, status)
    found = part.sobol_indices("f")
    assert found.rows == N - len(np.unique(np.arange(7, 6 * N, 60) // 6))
    np.testing.assert_allclose(found.total, study.sobol_indices("f").total, atol=0.05)


def test_a_constant_has_no_indices(study: pl.StudyResult) -> None:
    assert np.isnan(study.sobol_indices("constant").first).all()


def test_correlations_of_a_linear_function_and_a_power() -> None:
    points = pl.sample(512, method="sobol", a=pl.Normal(0, 1), b=pl.Normal(0, 2), kind=pl.Choice(["u", "v"]), c=3)
    a, b = points.column("a"), points.column("b")
    found = pl.StudyResult("f", points, {"sum": (a + b, ""), "power": (np.exp(3 * a), "")}, np.zeros(512))
    linear = found.correlations(method="pearson")
    assert linear.parameters == ("a", "b", "c")
    # the coefficients are the standard deviations of the parts over that of the sum: 1 and 2 over sqrt(5)
    assert linear["sum", "a"] == pytest.approx(1 / np.sqrt(5), abs=0.02)
    assert linear["sum", "b"] == pytest.approx(2 / np.sqrt(5), abs=0.02)
    ranks = found.correlations("power")
    assert ranks["power", "a"] == pytest.approx(1.0, abs=1e-12) and linear["power", "a"] < 0.7
    assert np.isnan(linear["sum", "c"]) and "spearman" in str(ranks)


@pytest.mark.parametrize(
    "call, message",
    [
        (lambda r: r.correlations(method="kendall"), "unknown method 'kendall'"),
        (lambda r: r.correlations("g"), 'no value "g"'),
        (lambda r: r.correlations("x"), '"x" is not a single number at each point'),
        (lambda r: r.correlations()["f", "w"], 'no parameter "w"'),
        (lambda r: r.where(r["f"] > 0).sobol_indices("f"), "need the points of sample"),
        (lambda r: pl.sample(4, method="saltelli", a=1), "needs at least one distribution"),
    ],
)
def test_messages(study: pl.StudyResult, call: object, message: str) -> None:
    with pytest.raises(pl.PitchlineError, match=message):
        call(study)  # type: ignore[operator]
