"""Points of studies: grids, lists, samples, distributions; units and messages."""

import numpy as np
import pytest

import pitchline as pl
from pitchline.studies.points import Points


def test_grid_is_the_product_of_its_axes_in_c_order() -> None:
    points = pl.grid(speed=pl.linspace("1000 rpm", "3000 rpm", 3), load=["50 N*m", "0.1 kN*m"])
    assert points.dims == (("speed", 3), ("load", 2))
    assert points.names == ("speed", "load")
    assert points.units == {"speed": "rad/s", "load": "N*m"}
    assert len(points) == 6
    np.testing.assert_allclose(points.columns["speed"], np.repeat([1000, 2000, 3000], 2) * np.pi / 30, rtol=1e-15)
    np.testing.assert_array_equal(points.columns["load"], [50, 100] * 3)
    assert points.at(1)["load"] == "100.0 N*m"
    assert points.at(-1) == points.at(5)
    with pytest.raises(IndexError, match="no point 6"):
        points.at(6)


def test_values_keep_their_kind() -> None:
    points = pl.grid(teeth=[20, 21], mesh=["elastic", "rigid"], f=["50 Hz", "1.2 kHz"], ratio=["5 %", 0.1])
    assert points.columns["teeth"].dtype == np.int64
    assert points.at(0) == {"teeth": 20, "mesh": "elastic", "f": "50.0 Hz", "ratio": 0.05}
    assert points.units["f"] == "Hz"
    assert points.axes["f"].shown_unit == "Hz"


@pytest.mark.parametrize("speeds", [["50 Hz", "3000 rpm"], ["3000 rpm", "50 Hz"], pl.linspace("50 Hz", "3000 rpm", 2)])
def test_frequencies_among_speeds_are_speeds(speeds: object) -> None:
    """In any order: a function gets rad/s for all of them."""
    points = pl.grid(speed=speeds)
    np.testing.assert_allclose(points.columns["speed"], 100 * np.pi)
    assert points.units["speed"] == "rad/s" and points.axes["speed"].shown_unit == "rpm"


def test_list_has_one_value_for_each_point() -> None:
    points = pl.point_list(speed=["1000 rpm", "2000 rpm"], load="50 N*m")
    assert points.dims == (("point", 2),)
    assert points.at(1) == {"speed": f"{2000 * np.pi / 30!r} rad/s", "load": "50.0 N*m"}
    same = pl.point_list([{"speed": "1000 rpm", "load": "50 N*m"}, {"speed": "2000 rpm", "load": "50 N*m"}])
    assert [*same] == [*points]


def test_product_of_sample_and_grid() -> None:
    points = pl.sample(4, error=pl.Normal(0, "5 um")) * pl.grid(load=["50 N*m", "100 N*m", "150 N*m"])
    assert points.dims == (("point", 4), ("load", 3))
    assert points.columns["error"].shape == (12,)
    assert points.columns["error"][0] == points.columns["error"][2] != points.columns["error"][3]


def test_points_survive_plain_data() -> None:
    import json

    points = pl.sample(5, x=pl.Uniform("1 um", "3 um"), kind=pl.Choice(["a", "b"])) * pl.grid(teeth=[20, 21])
    again = Points.from_data(json.loads(json.dumps(points.to_data())))
    assert [*again] == [*points]
    assert again.dims == points.dims


@pytest.mark.parametrize("method", ["random", "latin", "sobol"])
def test_samples_are_the_same_to_the_bit_for_a_seed(method: str) -> None:
    def made(seed: int) -> np.ndarray:
        return pl.sample(64, method=method, seed=seed, a=pl.Normal("10 um", "2 um"), b=pl.Uniform(0, 1)).columns["a"]

    assert np.array_equal(made(3), made(3))
    assert not np.array_equal(made(3), made(4))


def test_latin_sample_has_one_value_in_each_interval() -> None:
    columns = pl.sample(50, x=pl.Uniform(0, 50), y=pl.Uniform(0, 50), seed=1).columns
    for name in "xy":
        assert sorted(np.floor(columns[name])) == list(range(50))


@pytest.mark.parametrize(
    "distribution, mean, deviation",
    [
        (pl.Normal("10 um", "2 um"), 10e-6, 2e-6),
        (pl.Normal("10 um", tolerance="±6 um"), 10e-6, 2e-6),
        (pl.Uniform("4 um", "10 um"), 7e-6, 6e-6 / np.sqrt(12)),
        (pl.Triangular(0, 1, 3), 4 / 3, np.sqrt((0 + 1 + 9 - 0 - 0 - 3) / 18)),
        (pl.LogNormal(2.0, 0.25), 2 * np.exp(0.25**2 / 2), 2 * np.exp(0.25**2 / 2) * np.sqrt(np.exp(0.25**2) - 1)),
        (pl.Choice([1, 2, 4], weights=[2, 1, 1]), 2.0, np.sqrt((2 + 4 + 16) / 4 - 4)),
        # half a normal distribution
        (pl.Normal(0, 1, low=0), np.sqrt(2 / np.pi), np.sqrt(1 - 2 / np.pi)),
    ],
)
def test_moments_of_distributions(distribution: object, mean: float, deviation: float) -> None:
    # The error of n evenly spread values is of the order of their extreme values over n.
    x = pl.sample(2**14, x=distribution, method="latin", seed=0).columns["x"]
    assert x.mean() == pytest.approx(mean, rel=1e-4)
    assert x.std() == pytest.approx(deviation, rel=2e-3)


def test_truncated_normal_stays_within_its_limits_even_in_the_tail() -> None:
    x = pl.sample(1000, x=pl.Normal(0, 1, low=8, high=9)).columns["x"]
    assert 8.0 <= x.min() < 8.001 and x.max() <= 9.0
    y = pl.sample(1000, x=pl.Normal(0, 1, low=-9, high=-8)).columns["x"]
    assert y.min() >= -9.0 and -8.001 < y.max() <= -8.0
    assert x.mean() == pytest.approx(-y.mean(), rel=1e-3)


@pytest.mark.parametrize(
    "call, message",
    [
        (lambda: pl.grid(), "no parameters are given"),
        (lambda: pl.grid(speed=[]), "grid: speed: the list of values is empty"),
        (lambda: pl.grid(speed=["1000 rpm", "5 mm"]), "'1000 rpm' is angular velocity.* but '5 mm' is length"),
        (lambda: pl.grid(speed=["1000 rpm", "fast"]), "'fast' does not start with a number"),
        (lambda: pl.grid(speed=[1.0, float("nan")]), "not finite"),
        (lambda: pl.grid(speed={"a": 1}), "must be a list of values"),
        (lambda: pl.grid(speed=np.zeros((2, 2))), "2 dimensions"),
        (lambda: pl.grid(speed=[None, 1]), "is not a quantity"),
        (lambda: pl.grid(point=[1]), 'cannot be named "point"'),
        (lambda: pl.grid(x=pl.Uniform(0, 1)), r"x is a distribution. Use sample\(n, x=Uniform"),
        (lambda: pl.grid(a=range(100000), b=range(100000)), r"100000 x 100000 = 1e\+10 points"),
        (lambda: pl.grid({"a": [1]}, a=[2]), '"a" is given twice'),
        (lambda: pl.linspace("1 mm", "2 mm", 0), "count must be a whole number from 1"),
        (lambda: pl.linspace("1 mm", "2 mm", 2.5), "count must be a whole number"),
        (lambda: pl.linspace("a", "b", 3), "must be numbers or texts with units"),
        (lambda: pl.logspace(0, 1, 3), "both ends must be above zero"),
        (lambda: pl.point_list(a=[1, 2], b=[1, 2, 3]), r"different lengths \(a: 2, b: 3\)"),
        (lambda: pl.point_list([{"a": 1}, {"b": 1}]), 'point 1 .*"(a|b)"'),
        (lambda: pl.point_list([]), "must be a list of dicts"),
        (lambda: pl.sample(0, x=pl.Uniform(0, 1)), "must be a whole number from 1"),
        (lambda: pl.sample(4, x=pl.Uniform(0, 1), method="sobl"), 'did you mean "sobol"'),
        (lambda: pl.sample(4, x=pl.Uniform(0, 1), seed=-1), "seed must be a whole number"),
        (lambda: pl.sample(4, x=[1, 2]), r"Use Choice .* or sample\(...\) \* grid\(x=...\)"),
        (lambda: pl.Uniform(1, 1), "low and high must increase"),
        (lambda: pl.Uniform("1 um", "2 s"), "is length, but '2 s' is time"),
        (lambda: pl.Uniform("low", "high"), r"Uniform .low, high.: 'low' does not start with a number"),
        (lambda: pl.Normal(0), "either sigma or tolerance"),
        (lambda: pl.Normal(0, 0), "sigma must be above 0"),
        (lambda: pl.Normal(0, tolerance="±-1 um"), "tolerance must be above 0"),
        (lambda: pl.Normal(0, 1, low=2, high=1), "low and high must increase"),
        (lambda: pl.Normal(0, 1, sigmas=0), "sigmas must be a number above 0"),
        (lambda: pl.Triangular(0, 2, 1), "mode must be from low to high"),
        (lambda: pl.LogNormal(0, 1), "median must be above 0"),
        (lambda: pl.LogNormal(1, 0), "sigma must be a number above 0"),
        (lambda: pl.Choice([]), "the list of values is empty"),
        (lambda: pl.Choice([1, 2], weights=[1]), "one number for each of the 2 options"),
        (lambda: pl.Choice([1, 2], weights=[0, 0]), "one of them must be above 0"),
        (lambda: pl.grid(a=[1]) * pl.grid(a=[2]), 'both factors .* parameter "a"'),
        (lambda: pl.point_list(a=[1]) * pl.point_list(b=[1]), 'dimension "point"'),
    ],
)
def test_messages(call: object, message: str) -> None:
    with pytest.raises(pl.ModelError, match=message):
        call()  # type: ignore[operator]
