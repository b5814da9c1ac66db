"""Sensors: motion of a frame or point, without any effect on the motion."""

from pathlib import Path

import numpy as np
import pytest
from references.planar_arm import L1, L2, arm

import pitchline as pl
from pitchline.parts.control.lookup import Sensor


def with_sensors() -> pl.Model:
    m = arm()
    m.sensor("tip", "lower", at=(L1 + L2, 0, 0))
    m.sensor("from_upper", "lower", at=(L1 + L2, 0, 0), relative_to="upper")
    m.sensor("from_lower", m.ground, at=(0.5, 0.5, 0.2), relative_to=m.bodies["lower"].frame(axis="x"))
    return m


def rates_agree(run: pl.Result, name: str) -> None:
    """Velocity and acceleration are derivatives of position and velocity, by differences of fourth order."""
    h = run.time[1] - run.time[0]
    for what, rate in (
        ("position", "velocity"),
        ("velocity", "acceleration"),
        ("angular_velocity", "angular_acceleration"),
    ):
        x, v = run[f"{name}.{what}"].values, run[f"{name}.{rate}"].values
        change = (8 * (x[3:-1] - x[1:-3]) - (x[4:] - x[:-4])) / (12 * h)
        assert np.allclose(change, v[2:-2], atol=2e-4 * np.abs(v).max()), (name, rate)


def test_rates_are_derivatives_also_for_a_moving_observer() -> None:
    run = pl.dynamics(with_sensors(), duration="0.6 s", step="0.5 ms", output_step="2 ms")
    for name in ("tip", "from_upper", "from_lower"):
        rates_agree(run, name)
    q = run["elbow.angle"].values
    seen = run["from_upper.position"].values
    assert np.allclose(seen, np.stack([L1 + L2 * np.cos(q), L2 * np.sin(q), 0 * q], axis=1), atol=1e-9)
    assert np.allclose(run["from_upper.angular_velocity"].values[:, 2], run["elbow.angular_speed"].values, atol=1e-9)
    half = 0.5 * (q + run["shoulder.angle"].values)
    orientation = run["tip.orientation"].values
    assert np.allclose(
        orientation * np.sign(orientation[:1, :1]), np.stack([np.cos(half), 0 * q, 0 * q, np.sin(half)], 1), atol=1e-9
    )
    assert run["tip.position"].rate is not None  # cubic interpolation between samples


def test_a_sensor_does_not_change_the_motion() -> None:
    runs = [pl.dynamics(m, duration="0.1 s", step="1 ms") for m in (arm(), with_sensors())]
    assert np.array_equal(runs[0]["lower.position"].values, runs[1]["lower.position"].values)
    assert runs[0].statistics["steps"] == runs[1].statistics["steps"]


def test_trains_keep_their_evaluator() -> None:
    gear = pl.Gear(teeth=25, normal_module="4 mm", face_width="15 mm")
    m = pl.Model("pair")
    a = m.gear_body("a", gear, angular_velocity=(0, 0, 100))
    b = m.gear_body("b", gear, mesh_with=a, towards="x", angular_velocity=(0, 0, -100))
    m.revolute("ja", m.ground, a)
    m.revolute("jb", m.ground, b)
    m.gear_pair("mesh", a, b, mesh=pl.Elastic("2.6e8 N/m"))
    m.sensor("rim", a, at=(0.05, 0, 0))
    run = pl.dynamics(m, duration="10 ms", step="10 us", output_step="1 ms")
    assert run.statistics["evaluator"].startswith("train")
    angle = run["ja.angle"].values
    assert np.allclose(
        run["rim.position"].values[:, :2], 0.05 * np.stack([np.cos(angle), np.sin(angle)], axis=1), atol=1e-12
    )


def test_sensors_in_statics_kinematics_and_plane() -> None:
    m = arm(plane="xy")
    m.sensor("tip", "lower", at=(L1 + L2, 0, 0))
    m.drive("d1", "shoulder", angle=pl.Polynomial([0.0, 1.0]))
    m.drive("d2", "elbow", angle=0.0)
    run = pl.kinematics(m, duration="0.5 s", step="0.1 s")
    t = run.time
    assert np.allclose(
        run["tip.position"].values[:, :2], (L1 + L2) * np.stack([np.cos(t), np.sin(t)], axis=1), atol=1e-9
    )
    assert np.allclose(run["tip.velocity"].values[:, 1], (L1 + L2) * np.cos(t), atol=1e-9)
    rest = pl.statics(m)
    assert np.allclose(rest["tip.position"].values[0], [L1 + L2, 0, 0])
    later = pl.dynamics(m, duration="10 ms", step="1 ms", start=run)
    assert np.allclose(later["tip.position"].values[0], run["tip.position"].values[-1], atol=1e-9)


def test_sensors_are_outputs_of_frequency_responses() -> None:
    m = pl.Model("mass")
    body = m.body("body", mass=2, inertia=(1, 1, 1))
    m.prismatic("slide", m.ground, body, axis="x")
    m.spring("spring", m.ground, body, at_a=(-1, 0, 0), stiffness=800.0, damping=4.0)
    m.sensor("probe", body, at=(0.3, 0.1, 0))
    f = [1.0, 5.0]
    response = pl.frequency_response(m, "body.force.x", ["probe.position.x", "probe.acceleration.x"], frequencies=f)
    w = 2j * np.pi * np.array(f)
    expected = 1.0 / (2.0 * w**2 + 4.0 * w + 800.0)
    assert np.allclose(response.response[:, 0, 0], expected, rtol=1e-6)
    assert np.allclose(response.response[:, 1, 0], w**2 * expected, rtol=1e-6)


def test_sensors_in_files(tmp_path: Path) -> None:
    m = with_sensors()
    text = m.to_toml(tmp_path / "arm.toml")
    again = pl.load(tmp_path / "arm.toml").model
    assert again.to_toml() == text and list(again.elements) == ["tip", "from_upper", "from_lower"]
    (tmp_path / "short.toml").write_text(
        'name = "m"\n[bodies.b]\nmass = 1\ninertia = [1, 1, 1]\n[elements.s]\ntype = "sensor"\non = "b"\nat_on = [1, 0, 0]\n'
    )
    short = pl.load(tmp_path / "short.toml").model
    assert short.elements["s"].frames["relative_to"].body_name == "ground"
    assert "Sensor, b - ground" in short.summary()
    assert {f"s.{x}" for x in ("position", "velocity", "orientation")} <= set(pl.signals_of(short))


def test_messages() -> None:
    m = arm()
    with pytest.raises(pl.ModelError, match='all its ends are on "lower"'):
        m.sensor("s", "lower", relative_to="lower")
    with pytest.raises(pl.ModelError, match='"ground"'):
        m.sensor("s", m.ground)
    with pytest.raises(pl.ModelError, match="lowr"):
        m.sensor("s", "lowr")
    with pytest.raises(pl.ModelError, match='"on" is missing'):
        Sensor("s")
    with pytest.raises(pl.ModelError, match="a frame already defines the position"):
        m.sensor("s", m.bodies["lower"].frame(), at=(1, 0, 0))
    with pytest.raises(TypeError, match="only observes"):
        type(
            "Bad",
            (pl.extend.Element,),
            {"observes": True, "rows": ("length",), "on": pl.extend.frame("x"), "evaluate": len},
        )
