"""Rigid bodies, their masses, and loads and drives on joints in REXS files."""

from pathlib import Path

import numpy as np
import pytest

import pitchline as pl
from pitchline import gallery
from pitchline.exchange.rexs.export_results import settled_value
from pitchline.exchange.rexs.importing import from_rexs
from pitchline.parts.bodies.plane_checks import masses_of_elements, seated_wheels


def moments(m: pl.Model, axis: int, x: float = 0.0) -> tuple[float, float]:
    """Mass, and moment of inertia about an axis through (x, 0, 0), without the rotors of drives: they are not in the file."""
    parts = [
        (b.mass, b.to_world(b.centre_of_mass), b.orientation @ b.inertia @ b.orientation.T)
        for b in m.bodies.values()
        if not b.name.endswith("drive rotor")
    ]
    for added in (seated_wheels(m), masses_of_elements(m)):
        for name, solid in added.items():
            b = m.bodies[name]
            parts.append(
                (solid.mass, b.to_world(solid.centre_of_mass), b.orientation @ solid.inertia @ b.orientation.T)
            )
    parts += [(one.solid.mass, one.solid.centre_of_mass, one.solid.inertia) for one in m.structures.values()]
    total = 0.0
    for mass, centre, inertia in parts:
        away = centre - np.array([x, 0.0, 0.0])
        total += inertia[axis, axis] + mass * float(away @ away - away[axis] ** 2)
    return sum(mass for mass, _, _ in parts), total


@pytest.mark.parametrize(("name", "mesh"), [("helical-pair", "elastic"), ("spiral-bevel", "rigid")])
def test_pairs_of_the_gallery_come_back_with_forces_and_masses(name: str, mesh: str, tmp_path: Path) -> None:
    """The loads and drives are ramps on joints; the file has their final values."""
    m = gallery.model(name).build()
    report = pl.to_rexs(m, tmp_path / "a.rexs")
    assert pl.check_rexs(report.document) == []
    assert not any("load" in text or "drive" in text or "mass" in text for text in report.left_out)
    assert 'load "load": its final value 400 N m' in report.assumed
    assert 'drive "motor": its final speed 150 rad/s' in report.assumed
    rest = pl.statics(m, time=1.0)
    for shafts in ("rigid", "elastic"):
        again = from_rexs(tmp_path / "a.rexs", mesh=mesh, shafts=shafts)
        rerun = pl.statics(again)
        for signal in ("bearing_a.force", "bearing_b.force", "mesh.force_a"):
            np.testing.assert_allclose(rerun[signal].values[0], rest[signal].values[0], rtol=1e-6, atol=1e-6)
        assert moments(again, 0)[0] == pytest.approx(moments(m, 0)[0], rel=1e-9)
        if name == "helical-pair":
            for axis in (0, 2):
                np.testing.assert_allclose(moments(again, axis), moments(m, axis), rtol=1e-9)


def test_the_spin_of_both_bevel_wheels_comes_back(tmp_path: Path) -> None:
    m = gallery.model("spiral-bevel").build()
    pl.to_rexs(m, tmp_path / "a.rexs")
    again = from_rexs(tmp_path / "a.rexs", mesh="rigid", shafts="rigid")
    added, wheels = masses_of_elements(again), seated_wheels(again)
    assert wheels == {}
    for name in ("wheel_a", "wheel_b"):  # all on the axis z of the body
        body, solid = again.bodies[f"{name} shaft"], added[f"{name} shaft"]
        spin = float(body.inertia[2, 2] + solid.inertia[2, 2])
        np.testing.assert_allclose(
            [body.mass + solid.mass, spin], [m.bodies[name].mass, m.bodies[name].inertia[2, 2]], rtol=1e-9
        )


def two_wheels(**body: object) -> pl.Model:
    """Two wheels; the second is the casing side of its joint, and the axis of the joint is opposite to that of the gear."""
    m = pl.Model("two")
    gear = pl.Gear(teeth=30, normal_module="2 mm", face_width="20 mm", bore="20 mm")
    first = m.gear_body("A", gear)
    pose = pl.GearPair(gear, gear).place()
    m.gear_body("B", gear, position=tuple(pose.position), orientation=pose.rotation, **body)  # type: ignore[arg-type]
    m.revolute("first", m.ground, first)
    m.revolute("second", "B", m.ground, at=tuple(pose.position), axis=(0, 0, -1))
    m.gear_pair("mesh", "A", "B", mesh=pl.Rigid())
    return m


def test_signs_on_joints_whose_second_body_is_the_ground(tmp_path: Path) -> None:
    """The torque acts on the ground, so its reaction acts on B; the tooth force balances it at the base radius."""
    m = two_wheels()
    m.drive("motor", "first", speed=0.0)
    m.torque("load", "second", 30.0)
    report = pl.to_rexs(m, tmp_path / "a.rexs")
    load = report.document.of_type("external_load")[0]
    assert load.number("torque_around_u_axis") == pytest.approx(30.0)  # reaction about -(-z)
    rest, rerun = pl.statics(m), pl.statics(from_rexs(tmp_path / "a.rexs", mesh="rigid", shafts="rigid"))
    expected = 30.0 / 0.03
    assert abs(rest["mesh.force_a"].values[0][1]) == pytest.approx(expected, rel=1e-9)
    np.testing.assert_allclose(rerun["mesh.force_a"].values[0], rest["mesh.force_a"].values[0], rtol=1e-6, atol=1e-6)


def test_the_speed_of_a_reversed_joint_has_the_other_sign(tmp_path: Path) -> None:
    m = two_wheels()
    m.drive("motor", "second", speed=pl.Table([0, 1, 2], [0, 5, 20]))
    report = pl.to_rexs(m, tmp_path / "a.rexs")
    shaft = next(one for one in report.document.of_type("shaft") if one.name == "B shaft")
    spun = pl.kinematics(m, duration=3.0, step=1.0)["B.angular_velocity"].values[-1]
    assert shaft.number("rotational_speed") == pytest.approx(float(spun[2]), rel=1e-9)
    assert abs(spun[2]) == pytest.approx(20.0)


@pytest.mark.parametrize(
    ("body", "axes"),
    [
        ({"mass": 5.0, "inertia": (0.02, 0.02, 0.03)}, (0, 2)),
        ({"mass": 0.2, "inertia": (1e-4, 1e-4, 1.5e-4)}, (0, 2)),  # lighter than its blank
        ({"mass": 3.0, "inertia": (0.02, 0.03, 0.02), "centre_of_mass": (0.01, -0.02, 0.005)}, (2,)),
    ],
)
def test_mass_and_inertia_of_a_body_come_back(body: dict[str, object], axes: tuple[int, ...], tmp_path: Path) -> None:
    """Off its axis, a body has products of inertia with its shaft, which REXS does not have."""
    m = two_wheels(**body)
    report = pl.to_rexs(m, tmp_path / "a.rexs")
    assert any("products" in text for text in report.left_out) == (axes == (2,))
    assert not any("mass" in text for text in report.left_out)
    for shafts in ("rigid", "elastic"):
        again = from_rexs(tmp_path / "a.rexs", mesh="rigid", shafts=shafts)
        for axis in axes:
            np.testing.assert_allclose(moments(again, axis, 0.06), moments(m, axis, 0.06), rtol=1e-9)


def test_masses_that_no_part_has_are_listed(tmp_path: Path) -> None:
    m = two_wheels(mass=0.0, inertia=(0.0, 0.0, 0.01), any_inertia=True)
    text = "\n".join(pl.to_rexs(m, tmp_path / "a.rexs").left_out)
    assert 'body "B": its mass 0 kg and its inertia' in text
    assert 'body "A"' not in text


def test_rotors_and_carriers_are_shafts_without_sections(tmp_path: Path) -> None:
    m = gallery.model("planetary").build()
    report = pl.to_rexs(m, tmp_path / "a.rexs")
    assert all("damping_ratio" in text for text in report.left_out)
    assert 'body "carrier" is written as a shaft without sections' in report.assumed
    again = from_rexs(tmp_path / "a.rexs", mesh="elastic", shafts="elastic")
    np.testing.assert_allclose(moments(again, 2), moments(m, 2), rtol=1e-9)
    spun = again.bodies["carrier"].angular_velocity
    parameters = m.wheels["sun"].gear, m.wheels["ring"].gear
    sun, ring = (gear.teeth for gear in parameters if isinstance(gear, pl.Gear))
    assert float(spun[2]) == pytest.approx(200.0 / (1 + ring / sun), rel=1e-9)


def test_a_motor_on_a_coupling_has_its_mass_drive_and_coupling(tmp_path: Path) -> None:
    m = two_wheels()
    motor = m.body("motor", mass=20, inertia=(0.05, 0.05, 0.06), position=(0, 0, -0.1))
    m.revolute("motor_shaft", m.ground, motor)
    m.coupling("coupling", motor, "A", pl.ElasticCoupling("2e4 N*m/rad"))
    m.drive("drive", "motor_shaft", speed="100 rpm")
    m.body("loose", mass=1, inertia=(1, 1, 1))
    report = pl.to_rexs(m, tmp_path / "a.rexs")
    assert 'body "loose": a rigid body without gears' in report.left_out
    shaft = next(one for one in report.document.of_type("shaft") if one.name == "motor")
    assert shaft.number("rotational_speed") == pytest.approx(100 * 2 * np.pi / 60)
    again = from_rexs(tmp_path / "a.rexs", mesh="rigid", shafts="rigid")
    assert "coupling" in again.elements
    solid = masses_of_elements(again)["motor"]
    assert again.bodies["motor"].mass == 0.0
    np.testing.assert_allclose([solid.mass, *solid.inertia.diagonal()], [20, 0.05, 0.05, 0.06], rtol=1e-9)


def test_values_in_the_end() -> None:
    table = pl.Table([0, 1], [3, 4])
    assert settled_value(pl.Sum([pl.Ramp(1, 2), table])) == 6.0
    assert settled_value(pl.Table([0, 1], [3, 4], outside="continue")) is None
    assert settled_value(pl.Table([0, 1, 2], [3, 4, 3], periodic=True)) is None
    assert settled_value(pl.Harmonic(1.0, frequency=2.0)) is None
    assert settled_value("speed") is None


def test_loads_and_drives_that_vary_are_listed(tmp_path: Path) -> None:
    m = two_wheels()
    m.drive("motor", "first", speed=pl.Harmonic(1.0, frequency=2.0))
    m.torque("load", "second", pl.Harmonic(1.0, frequency=2.0))
    text = "\n".join(pl.to_rexs(m, tmp_path / "a.rexs").left_out)
    assert 'load "load" on joint "second"' in text
    assert 'drive "motor": only a speed of a shaft that is constant' in text


@pytest.mark.parametrize("hub", [0.0, 0.5])
def test_body_with_a_ring_gear_and_a_pinion_comes_back(hub: float, tmp_path: Path) -> None:
    """Stages on common members: no section is both around the ring gear and in the pinion. Length 0.1 m, mass as in the model."""
    gear = pl.Gear(teeth=20, normal_module="2 mm", face_width="20 mm")
    m = pl.Model("stages")
    ring = m.gear_body("ring", gear.with_(teeth=72, internal=True, addendum_factor=0.8, rim_diameter="170 mm"))
    if hub:
        m.attached_mass("hub", ring, mass=hub, inertia=(1e-3, 1e-3, 1e-3))
    m.wheel("pinion", ring, gear, at=(0, 0, 0.1), with_mass=True)
    planet = m.gear_body("planet", gear, mesh_with="ring", towards="x")
    wheel = m.gear_body("wheel", gear, mesh_with="pinion", towards="x")
    for body in (ring, planet, wheel):
        m.revolute(f"hinge of {body.name}", m.ground, body)
    m.gear_pair("inner", planet, ring, mesh=pl.Rolling())
    m.gear_pair("outer", "pinion", wheel, mesh=pl.Rolling())
    report = pl.to_rexs(m, tmp_path / "a.rexs")
    assert 'body "ring" is written as a shaft without sections: it has a ring gear and other gears' in report.assumed
    assert not report.left_out
    again = from_rexs(tmp_path / "a.rexs")
    assert moments(again, 2)[0] == pytest.approx(moments(m, 2)[0], rel=1e-6)
