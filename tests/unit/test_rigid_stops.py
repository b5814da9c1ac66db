"""Rigid stops and restitution: what the model accepts, files, texts, checkpoints."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import pitchline as pl
from pitchline.errors import ModelError


def model() -> tuple[pl.Model, Any]:
    m = pl.Model("m", gravity=(0, 0, -10.0))
    body = m.body("b", mass=1.0, inertia=(1, 1, 1))
    return m, m.prismatic("rail", m.ground, body, axis="z")


@pytest.mark.parametrize(
    ("values", "message"),
    (
        ({"lower": 0.1}, 'the displacement of joint "rail" is 0 m in the initial pose, beyond the lower limit 0.1 m'),
        ({"upper": -0.1}, "beyond the upper limit -0.1 m"),
        ({"lower": -1, "restitution": 1.5}, "restitution must be between 0 and 1, got 1.5"),
        ({"lower": -1, "restitution": -0.1}, "restitution must be between 0 and 1, got -0.1"),
        ({"lower": -1, "restitution": 0.5, "stiffness": 1}, "restitution is for rigid stops"),
        ({"lower": -1, "damping": 1}, "damping is for elastic stops; specify stiffness too"),
        ({"lower": -1, "damping_limit": 1}, "damping_limit is for elastic stops"),
        (
            {"lower": -1, "stiffness": 1, "damping_limit": 1},
            "damping_limit limits the damping force; specify damping too",
        ),
        (
            {"lower": -1, "stiffness": 1, "damping": 1, "damping_limit": 0},
            "damping_limit must be greater than zero, got 0",
        ),
        ({"lower": -1, "stiffness": 0}, "stiffness must be greater than zero, got 0; omit it for a rigid stop"),
    ),
    ids=str,
)
def test_messages(values: dict[str, Any], message: str) -> None:
    m, rail = model()
    with pytest.raises(ModelError, match=message):
        m.stop("stop", rail, **values)


def test_nothing_else_prescribes_the_coordinate() -> None:
    m, rail = model()
    m.stop("stop", rail, lower=-1)
    with pytest.raises(ModelError, match='the rigid stop "stop" limits the displacement of joint "rail"'):
        m.drive("drive", rail, displacement=0)
    with pytest.raises(ModelError, match='joint "rail" already has the rigid stop "stop"'):
        m.stop("other", rail, upper=1)
    m, rail = model()
    m.drive("drive", rail, displacement=0)
    with pytest.raises(ModelError, match='drive "drive" prescribes the displacement of joint "rail"'):
        m.stop("stop", rail, lower=-1)
    m.stop("stop", rail, lower=-1, stiffness=1e3)


@pytest.mark.parametrize(
    ("values", "message"),
    (
        ({"restitution": 2}, "Rigid: restitution must be between 0 and 1, got 2"),
        ({"restitution": 0.5, "method": "penalty"}, 'Rigid: restitution is for method="multiplier"'),
        ({"restitution": 0.5, "backlash": 0}, "Rigid: restitution has no effect without backlash"),
    ),
    ids=str,
)
def test_messages_of_teeth(values: dict[str, Any], message: str) -> None:
    with pytest.raises(ModelError, match=message):
        pl.Rigid(**values)


def test_stop_of_a_shaft_that_a_drive_moves_through_gears() -> None:
    """A drive determines the angle of the shaft: the stop is open between its limits, and refused beyond them."""
    gear = pl.Gear(teeth=20, normal_module="2 mm", face_width="20 mm")
    m = pl.Model("pair")
    a = m.gear_body("a", gear)
    b = m.gear_body("b", gear.with_(teeth=40), mesh_with=a, towards="x")
    first, second = m.revolute("first", m.ground, a), m.revolute("second", m.ground, b)
    m.gear_pair("mesh", a, b, mesh=pl.Rolling())
    m.drive("motor", first, angle=pl.Polynomial((0.0, 1.0)))
    m.stop("stop", second, lower=-0.02, upper=0.02)
    run = pl.kinematics(m, duration=0.03, step=0.01)
    assert run["second.angle"].values == pytest.approx(-0.5 * run.time, abs=1e-12)
    assert not np.any(run["stop.torque"].values)
    assert pl.statics(m)["stop.contact"].values[0] == 0
    with pytest.raises(pl.SolveError, match=r'at t = 0.05 s .*"stop" cannot be closed together with'):
        pl.kinematics(m, duration=0.05, step=0.01)


def test_files(tmp_path: Path) -> None:
    """What Python can express, a file can, with the same motion."""
    m, rail = model()
    m.stop("floor", rail, lower="-20 cm", upper="1 m", restitution=0.4)
    m.body("c", mass=1.0, inertia=(1, 1, 1), position=(1, 0, 0))
    hinge = m.revolute("hinge", m.ground, "c", axis="z")
    m.stop("play", hinge, lower="-1 deg", upper="1 deg", stiffness=10, damping=1, damping_limit=1.5)
    text = m.to_toml()
    (tmp_path / "m.toml").write_text(text)
    again = pl.load(tmp_path / "m.toml").model
    assert again.to_toml() == text
    assert (again.loads["floor"].restitution, again.loads["floor"].stiffness) == (0.4, None)
    assert again.loads["play"].damping_limit == 1.5
    runs = [pl.dynamics(x, duration=0.5, step=0.01) for x in (m, again)]
    np.testing.assert_array_equal(*(run["rail.displacement"].values for run in runs))
    assert "Stop on rail displacement: rigid, restitution 0.4" in m.summary()
    assert "Stop on hinge angle: elastic" in m.summary()


def test_files_of_teeth() -> None:
    gear = pl.Gear(teeth=20, normal_module="4 mm", face_width="20 mm")
    m = pl.Model("teeth")
    a = m.gear_body("a", gear, position=(0, 0, 0), axis="z")
    b = m.gear_body("b", gear, mesh_with=a, towards="x")
    m.gear_pair("mesh", a, b, mesh=pl.Rigid(backlash="0.1 mm", restitution=0.25))
    assert "restitution = 0.25" in m.to_toml()


def test_report(tmp_path: Path) -> None:
    m, rail = model()
    m.stop("floor", rail, lower="-20 cm", restitution=0.4)
    run = pl.dynamics(m, duration=0.3, step=0.01)
    run.report(tmp_path / "report.html")
    assert "coefficient of restitution 0.4" in (tmp_path / "report.html").read_text()


def test_resumed_run(tmp_path: Path) -> None:
    """A run that was interrupted between impacts continues to the same bits."""
    m, rail = model()
    m.stop("floor", rail, lower="-20 cm", restitution=0.6)
    whole = pl.dynamics(m, duration=1.0, step=0.01)

    def stop(t: float, end: float) -> None:
        if t > 0.5:
            raise KeyboardInterrupt

    file = tmp_path / "run.h5"
    pl.dynamics(m, duration=1.0, step=0.01, checkpoint=file, progress=stop)
    assert file.exists()
    again = pl.resume(m, file)
    np.testing.assert_array_equal(again["rail.displacement"].values, whole["rail.displacement"].values)
    np.testing.assert_array_equal(again["floor.impulse"].values, whole["floor.impulse"].values)
