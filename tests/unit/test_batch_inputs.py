"""Input of batches: each mistake is named with the way out, before anything is computed."""

import math

import numpy as np
import pytest
from references.lane_rigs import driven_pair, elastic, planetary_rig, rolling_pair, rolling_rack

import pitchline as pl
from pitchline.errors import ModelError, PitchlineError
from pitchline.studies.batch import batch as devices
from pitchline.studies.batch.kernels.small_text import CudaError
from pitchline.studies.batch.model_reading import read_train


@pytest.fixture(scope="module")
def pair() -> pl.Batch:
    return pl.batch(driven_pair, device="cpu", threads=1)


POINTS = [
    ({"spee": [1.0]}, r'has no parameter "spee"; did you mean "speed"'),
    ({"speed": [400.0, math.nan]}, "nan is not finite"),
    ({"speed": [400.0, -400.0]}, r'the direction of rotation of "a" changes with "speed"'),
    ({"speed": [400.0, 0.0]}, r'speed = 0.0: .*do not rotate relative to each other .*drive "motor" is 0.*not zero'),
    ({"speed": []}, "the list of values is empty"),
    (3, r"points must be made by grid, sample or point_list"),
]
OPTIONS = [
    ({"settle": -1}, "settle must be a whole number, 0 or more, got -1"),
    ({"settle": 1.5}, "settle must be a whole number"),
    ({"record": 0}, "record must be a whole number, 1 or more, got 0"),
    ({"record": "5"}, "record must be a whole number"),
    ({"steps": 3}, "steps must be a whole number, 8 or more"),
    ({"sttle": 3}, r'there is no argument "sttle"; did you mean "settle"'),
    ({"reduce": ["mesh.force.max"]}, r'gear pair "mesh" has no signal "force" in a batch; did you mean "signed_force"'),
    ({"reduce": ["mes.signed_force.max"]}, r'there is no gear pair or joint "mes"; did you mean "mesh"'),
    ({"reduce": ["mesh.signed_force.maxx"]}, r'unknown reduction "maxx"; did you mean "max"'),
    ({"reduce": ["mesh.signed_force"]}, r'has no reduction. Specify e.g. "mesh.signed_force.max"'),
    ({"reduce": ["axle_b.speed.max"]}, r'joint "axle_b" has no signal "speed" in a batch'),
    ({"reduce": []}, "the list is empty"),
    ({"reduce": [3]}, "expected names such as"),
    ({"reduce": ["mesh.contact_loss"] * 2}, r'"mesh.contact_loss" is given twice'),
    ({"reduce": ["mesh.signed_force.order_60"], "steps": 100}, "order 60 needs more than 120 steps"),
    ({"reduce": ["mesh.signed_force.order_2000"]}, "order must be at most 1000"),
    ({"poincare": ("meh", 3)}, r'there is no gear pair or joint "meh"; did you mean "mesh"'),
    ({"poincare": "mesh"}, r'such as \("mesh", 20\)'),
    ({"poincare": ("mesh", 1000)}, r"1000 samples, but settle \+ record are 250 cycles"),
    ({"start": 3}, "start must be the result of a batch"),
]


@pytest.mark.parametrize(("points", "words"), POINTS)
def test_points(pair: pl.Batch, points: object, words: str) -> None:
    with pytest.raises(PitchlineError, match=words):
        pair.run(points)


@pytest.mark.parametrize(("options", "words"), OPTIONS)
def test_options(pair: pl.Batch, options: dict, words: str) -> None:
    with pytest.raises(ModelError, match=words):
        pair.run(**options)


@pytest.mark.parametrize(
    ("arguments", "options", "words"),
    [
        (("speed", [400.0]), {}, "speed needs two values or more, got 1"),
        (("sped", [1.0, 2.0]), {}, r'has no parameter "sped"'),
        ((3, [1.0, 2.0]), {}, "must be a text, got 3"),
        (("speed", [1.0, 2.0]), {"then": "up"}, r'then must be "down" or None'),
        (("speed", [1.0, 2.0]), {"lanes": {"speed": [1.0]}}, r'"speed" is swept and is also a parameter of lanes'),
    ],
)
def test_sweeps(pair: pl.Batch, arguments: tuple, options: dict, words: str) -> None:
    with pytest.raises(ModelError, match=words):
        pair.sweep(*arguments, **options)


@pytest.mark.parametrize(
    ("source", "options", "words"),
    [
        (driven_pair, {"device": "gpu"}, "unknown device 'gpu'"),
        (driven_pair, {"threads": 0}, "threads must be a whole number, 1 or more"),
        (driven_pair, {"time": -1}, "time must not be negative"),
        (3, {}, "a study needs a model file"),
        ("kubo-x", {}, 'the gallery has no model "kubo-x"'),
        (driven_pair(), {"overrides": {"speed": 3}}, "a Model has no parameters"),
    ],
)
def test_sources(source: object, options: dict, words: str) -> None:
    with pytest.raises(ModelError, match=words):
        pl.batch(source, **options)


def test_a_gpu_that_is_not_there(monkeypatch: pytest.MonkeyPatch) -> None:
    def missing() -> None:
        raise CudaError("no GPU is found for batches")

    monkeypatch.setattr(devices, "usable_cuda", missing)
    with pytest.raises(CudaError, match="no GPU is found for batches"):
        pl.batch(driven_pair, device="cuda")
    assert pl.batch(driven_pair).device == "cpu"


# ---- models that are not trains


def with_friction() -> pl.Model:
    return rolling_pair(mesh=elastic(friction=0.1))


def on_springs() -> pl.Model:
    m = rolling_pair().replaced(without="axle_b")
    m.bushing("soft", m.ground, "wheel_b", axis="z", stiffness=(1e8, 1e8, 1e8, 1e4, 1e4, 0))
    return m


def with_controller() -> pl.Model:
    m = rolling_pair().replaced(without="load")
    m.torque("load", "output", lambda t: 5.0 * t)
    return m


def pulsating() -> pl.Model:
    return rolling_pair(torque=pl.Harmonic(5.0, "20 Hz", offset=30.0))


def unbalanced_disk() -> pl.Model:
    m = rolling_pair(gravity=(0, -9.81, 0))
    rim = m.body("stone", mass=0.1, inertia=(1e-6,) * 3, position=(0.1, 0, -0.1))
    m.fixed("glue", "disk", rim, at=(0.1, 0, -0.1))
    return m


def two_speeds() -> pl.Model:
    m = rolling_pair()
    m.drive("brake motor", "output", speed=10.0)
    return m


NOT_TRAINS = [
    (with_friction, r'the teeth of "mesh" have friction'),
    (lambda: rolling_pair(mesh=elastic(efficiency=0.98)), r'the teeth of "mesh" have losses'),
    (lambda: rolling_pair(mesh=elastic(contact="line")), r'the teeth of "mesh" have contact over their width'),
    (lambda: rolling_pair(mesh=pl.Rigid()), "all its teeth are rigid"),
    (lambda: rolling_pair(mesh=pl.Rigid(backlash=1e-5)), "are rigid and have backlash or errors"),
    (on_springs, r'body "wheel_b" is not on one axis'),
    (with_controller, r'load "load" is a Python function of time'),
    (pulsating, r'load "load" varies periodically with time'),
    (unbalanced_disk, "weight of bodies, or their inertia|inertia of its bodies changes"),
    (two_speeds, "it has no steady rolling"),
    (lambda: planetary_rig(gravity=9.81, tangential_errors=[1e-5, 0, 0]), "weight of bodies, or their inertia"),
    (lambda: planetary_rig(pin_stiffness=1e8), "is not on one axis"),
]


@pytest.mark.parametrize(("make", "words"), NOT_TRAINS)
def test_models_that_are_not_trains(make: object, words: str) -> None:
    with pytest.raises(ModelError, match=rf"cannot be computed as a batch: .*{words}.*Use pl\.sweep"):
        read_train(make())


def test_other_refusals() -> None:
    with pytest.raises(ModelError, match=r"the rack of gear pair \"mesh\" ends after 20 mesh cycles"):
        pl.batch(rolling_rack()).run(settle=100, record=10)
    ramp = rolling_pair(drive=pl.Ramp(400.0, 500.0, 0, 0.05, smooth=False))
    with pytest.raises(
        ModelError, match=r"a ramp of the model ends 0.05 s after the start of the batch, after 75 mesh cycles"
    ):
        pl.batch(ramp, time=0).run(settle=70, record=6)
    with pytest.raises(
        ModelError, match=r"the speed changes during the run. Use \"axle_a.angular_speed_deviation.max\""
    ):
        pl.batch(ramp, time=0).run(settle=2, record=2, reduce=["axle_a.angular_speed.max"])
    with pytest.raises(ModelError, match=r"there is no gear pair \"x\" with elastic teeth; known: \"mesh\""):
        pl.batch(driven_pair, cycle="x").run()


def rolling_freely(torque: float = 0.0) -> pl.Model:
    """Without a drive, in balance if torque is 0."""
    m = driven_pair().replaced(without=["motor", "load"])
    m.torque("in", "axle_a", 10.0)
    m.torque("out", "axle_b", 10.0 * 32 / 21 + torque)
    return m


def test_a_train_without_a_drive() -> None:
    read = read_train(rolling_freely())
    assert read.train.free == (0, 1)
    assert [rotor.speed for rotor in read.train.rotors] == pytest.approx([1 / 21, -1 / 32])
    with pytest.raises(ModelError, match=r"it has no drive, and at point 1 its loads accelerate it"):
        pl.batch(rolling_freely, threads=1).run({"torque": [0.0, 1.0]})
    m = driven_pair(0.0).replaced(without=["motor", "load"])
    with pytest.raises(ModelError, match="there is no drive, and the initial speeds are zero"):
        read_train(m)


OPTIONS_OF_RUNS = {"steps": 100, "reduce": ["mesh.signed_force.max"], "poincare": ("mesh", 3)}


@pytest.fixture(scope="module")
def found(pair: pl.Batch) -> pl.BatchResult:
    points = pl.grid(torque=[50.0, 60.0], damping_ratio=[0.05, 0.1, 0.2])
    return pair.run(points, settle=9, record=1, **OPTIONS_OF_RUNS)


def test_points_of_a_result(pair: pl.Batch, found: pl.BatchResult) -> None:
    assert found["mesh.signed_force.max"].shape == (2, 3)
    assert found["mesh.poincare"].shape == (2, 3, 3)
    assert found.unit("mesh.poincare_rate") == "m/s"
    assert isinstance(found.model((1, 2)), pl.Model)
    for wrong in (6, (2, 0), "a", True):
        with pytest.raises(ModelError, match=r"there is no point|expected the index of a point"):
            found.model(wrong)
    with pytest.raises(ModelError, match="the result has 6 points, but the run has 2"):
        pair.run(pl.grid(torque=[50.0, 60.0]), start=found)
    with pytest.raises(ModelError, match="has other bodies than this batch"):
        pl.batch(rolling_pair()).run(start=found)


def test_a_run_in_two_parts_is_the_run_in_one(pair: pl.Batch, found: pl.BatchResult, tmp_path) -> None:
    """To the bit, also from a file."""
    whole = pair.run(found.points, settle=30, record=3, **OPTIONS_OF_RUNS)
    found.save(tmp_path / "half.study")
    for start in (found, pl.load(tmp_path / "half.study")):
        rest = pair.run(found.points, settle=20, record=3, start=start, **OPTIONS_OF_RUNS)
        np.testing.assert_array_equal(rest["mesh.signed_force.max"], whole["mesh.signed_force.max"])
        np.testing.assert_array_equal(rest["final.rate"], whole["final.rate"])
    assert rest.facts["cycles"] == 33
