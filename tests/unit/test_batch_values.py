"""Numbers of the lanes of a batch: found from few models, equal to those of the model of each point."""

import numpy as np
import pytest
from references.lane_rigs import driven_pair, elastic, rolling_pair, table

import pitchline as pl
from pitchline.errors import ModelError
from pitchline.studies.batch import lane_values
from pitchline.studies.batch.lane_values import LaneValues
from pitchline.studies.batch.model_reading import read_train
from pitchline.studies.sources import source_of


def check(source, points: pl.Points, *, models: int) -> None:
    """All numbers at 12 points are those of their own models, and few models were built."""
    found = source_of(source)
    values = LaneValues(found)
    points = found.fitted(points)
    _, train, _ = values.train(points)
    assert values.models <= models
    for i in np.random.default_rng(7).choice(len(points), 12, replace=False).tolist():
        own = read_train(found.build(points.at(i))).train.values
        for name, number in own.items():
            mine = train.values[name] if np.ndim(train.values[name]) == 0 else train.values[name][i]
            assert mine == pytest.approx(number, rel=1e-11, abs=1e-13), name


def test_a_grid_of_speed_and_load() -> None:
    check("kubo-c", pl.grid(speed=pl.linspace("6000 rpm", "12000 rpm", 40), torque=pl.linspace(10, 100, 30)), models=28)


def test_products_and_roots_of_parameters() -> None:
    """Damping 2 ζ sqrt(k m), an error that is a product, compliance 1/k, a mass."""
    points = pl.sample(
        500, mesh_stiffness=pl.Uniform("1e7 lbf/in", "2e7 lbf/in"), damping_ratio=pl.Uniform(0.05, 0.1), ripple=pl.Uniform(0, 1),
        error=pl.Uniform("0.001 in", "0.002 in"), inertia=pl.Uniform("0.01 lbf*in*s^2", "0.02 lbf*in*s^2"),
    )  # fmt: skip
    check("kubo-c", points, models=70)


def shaped(size: float = 1.0, mean: float = 4e8, kind: str = "soft", spread: float = 0.0) -> pl.Model:
    """A table with a factor and a mean; a text; a function that no form fits."""
    waves = np.sin(np.arange(8.0))
    shaft = {"soft": 4e4, "stiff": 9e4}[kind] * (1.0 + np.sin(spread))
    return rolling_pair(mesh=elastic(stiffness=table(mean + 5e7 * size * waves), backlash=0), shaft=shaft)


def test_tables_with_a_factor_texts_and_other_functions() -> None:
    points = pl.grid(size=[0.0, -0.5, 1.0], mean=[3e8, 4e8], kind=["soft", "stiff"], spread=[0.0, 0.1, 0.2, 0.3, 0.4])
    check(shaped, points, models=60)


def test_a_number_that_needs_too_many_models_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lane_values, "MOST_MODELS", 20)
    values = LaneValues(source_of(shaped))
    with pytest.raises(
        ModelError, match=r'"shaft_a" depends on "spread" in a way that needs 30 models, about 0 minutes'
    ):
        values.train(pl.grid(spread=pl.linspace(0.0, 0.5, 30)))


def jumping(load: float = 1.0, other: float = 0.0) -> pl.Model:
    """The load has no effect on the shaft at the base point."""
    return rolling_pair(shaft=4e4 * (1.0 + load * other), torque=60.0 * load)


def test_a_parameter_without_effect_at_the_base_point() -> None:
    check(jumping, pl.grid(load=pl.linspace(1.0, 2.0, 6), other=[0.0, 0.0, 0.5]), models=60)


def toothed(teeth: int = 21, damper: str = "always", shafts: int = 2) -> pl.Model:
    m = rolling_pair(mesh=elastic(damping_acts=damper))
    if shafts == 1:
        return m.replaced(without="shaft_b")
    return driven_pair() if teeth == 22 else m


@pytest.mark.parametrize(
    ("points", "why"),
    [
        ({"teeth": [21, 22]}, r"the number of bodies that rotate \(2 and 4\) changes with \"teeth\""),
        (
            {"damper": ["always", "in contact"]},
            r"the action of the damper of gear pair \"mesh\" changes with \"damper\"",
        ),
        ({"shafts": [2, 1]}, "steady rolling|ratio of speeds|springs"),
    ],
)
def test_another_topology_is_refused(points: dict, why: str) -> None:
    values = LaneValues(source_of(toothed))
    with pytest.raises(ModelError, match=why):
        values.train(pl.grid(points))


def clipped(size: float = 0.0, loss: float = 0.0) -> pl.Model:
    """The stiffness of the shafts has a lower limit, which few points reach."""
    return rolling_pair(shaft=max(1e4, 4e4 * (1.0 + size - loss)))


def test_a_limit_that_only_the_outermost_points_reach() -> None:
    """At one of 64 points, and not along the parameters through the base point."""
    points = pl.grid(size=pl.linspace(-0.5, 0.5, 8), loss=pl.linspace(-0.3, 0.3, 8))
    values = LaneValues(source_of(clipped))
    _, train, _ = values.train(points)
    columns = points.columns
    expected = np.maximum(1e4, 4e4 * (1.0 + columns["size"] - columns["loss"]))
    assert np.count_nonzero(expected == 1e4) == 1
    np.testing.assert_allclose(train.values["s0_k"], expected, rtol=1e-12)


def test_numbers_that_overflow_on_the_way(recwarn: pytest.WarningsRecorder) -> None:
    values = LaneValues(source_of(driven_pair))
    values.train(source_of(driven_pair).fitted(pl.grid(torque=[1e-300, 1e-9, 1e9])))
    assert not recwarn.list
