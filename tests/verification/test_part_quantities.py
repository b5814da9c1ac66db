"""Energies, momentum and revolutions of parts: sums, balances, closed forms."""

from pathlib import Path

import numpy as np
import pytest
from references.planar_arm import M1, M2, G, arm

import pitchline as pl
from pitchline.results.status import SignalError


def test_energies_of_parts_add_up_to_those_of_the_run() -> None:
    m = arm(rotors=True)
    m.torsion_spring("spring", "elbow", stiffness=3.0)
    m.attached_mass("load", "lower", mass="0.5 kg", at=(1.8, 0, 0))
    run = pl.dynamics(m, duration="0.5 s", step="1 ms", output_step="10 ms")
    found = pl.energies(m, run)
    assert set(found.names) == {"upper", "lower", "rotor_1", "rotor_2", "spring", "load"}
    assert np.allclose(found.kinetic().values, run["energy.kinetic"].values, atol=1e-12)
    assert np.allclose(found.potential().values, run["energy.potential"].values, atol=1e-12)
    angle = run["elbow.angle"].values
    assert np.allclose(found.potential("spring").values, 1.5 * angle**2, atol=1e-12)
    groups = pl.energies(m, run, groups={"arm": ["upper", "lower"], "motor": "rotor_1"})
    assert np.allclose(groups.total("arm").values, found.total("upper", "lower").values)
    assert "motor" in groups.table()


def test_energies_of_elastic_teeth(tmp_path: Path) -> None:
    gear = pl.Gear(teeth=25, normal_module="4 mm", face_width="15 mm")
    m = pl.Model("pair")
    a = m.gear_body("a", gear, angular_velocity=(0, 0, 200))
    b = m.gear_body("b", gear, mesh_with=a, towards="x", angular_velocity=(0, 0, -200))
    m.revolute("ja", m.ground, a)
    m.revolute("jb", m.ground, b)
    m.gear_pair("mesh", a, b, mesh=pl.Elastic("2.6e8 N/m", damping_ratio=0.05))
    m.torque("drive", "ja", "100 N*m")
    m.torque("load", "jb", "90 N*m")
    run = pl.dynamics(m, duration="0.1 s", step="20 us", output_step="5 ms")
    run.save(tmp_path / "run.nc")
    found = pl.energies(m, pl.load(tmp_path / "run.nc"))
    force = run["mesh.normal_force"].values
    assert found.potential("mesh").values[-1] == pytest.approx(0.5 * force[-1] ** 2 / 2.6e8, rel=0.2)
    assert np.allclose(found.potential().values, run["energy.potential"].values, atol=1e-12)
    assert run.turns("a").values[-1] == pytest.approx(run["ja.angle"].values[-1] / (2 * np.pi), abs=1e-12)


def test_energies_of_an_elastic_shaft() -> None:
    m = pl.Model("shaft", gravity=(0, 0, -9.81))
    shaft = m.shaft("shaft", [pl.ShaftSection("200 mm", outer="20 mm")], speed="1500 rpm", elements=4)
    for end in ("start", "end"):
        m.bushing(f"b_{end}", m.ground, shaft[end], stiffness=(1e7, 1e7, 1e7, 0, 0, 0))
    run = pl.dynamics(m, duration="2 ms", step="20 us", output_step="0.2 ms")
    found = pl.energies(m, run)
    assert np.allclose(found.kinetic().values, run["energy.kinetic"].values, rtol=1e-9)
    p = pl.momentum(m, run)
    mass = m.mass
    spin = 1500 * np.pi / 30 * 0.5 * mass * 0.01**2
    assert np.linalg.norm(p.angular.values[0]) == pytest.approx(spin, rel=1e-6)
    assert np.linalg.norm(p.centre_of_mass.values[0] - m.centre_of_mass) < 1e-9


def test_momentum_of_a_double_pendulum() -> None:
    m = arm()
    run = pl.dynamics(m, duration="0.5 s", step="0.5 ms", output_step="5 ms")
    p = pl.momentum(m, run)
    h, mass = 5e-3, M1 + M2

    def rate(x: np.ndarray) -> np.ndarray:
        return (8 * (x[3:-1] - x[1:-3]) - (x[4:] - x[:-4])) / (12 * h)

    centre = p.centre_of_mass.values
    assert np.allclose(mass * rate(centre), p.linear.values[2:-2], atol=1e-4 * np.abs(p.linear.values).max())
    force = run["shoulder.force"].values[2:-2] + [0, -mass * G, 0]
    assert np.allclose(rate(p.linear.values), force, atol=1e-3 * np.abs(force).max())
    # the hinge at the origin has no moment about its axis
    assert np.allclose(rate(p.angular.values)[:, 2], -mass * G * centre[2:-2, 0], atol=2e-3 * mass * G)
    assert p.linear.unit == "kg*m/s" and p.angular.unit == "kg*m^2/s"
    lower = pl.momentum(m, run, parts="lower", about="centre of mass")
    assert np.allclose(lower.angular.values[:, 2], 0.15 * run["lower.angular_velocity"].values[:, 2], atol=1e-12)


def test_heavy_top_keeps_its_balance_of_angular_momentum() -> None:
    m = pl.Model("top", gravity=(0, 0, -G))
    tilt, spin, d = 0.3, 40.0, 0.02
    R = pl.Rotation("y", tilt)
    top = m.body(
        "top", mass=1.5, inertia=(0.01, 0.01, 0.004), centre_of_mass=(0, 0, d), orientation=R,
        angular_velocity=spin * R.matrix[:, 2],
    )  # fmt: skip
    m.spherical("tip", m.ground, top, at=(0, 0, 0))
    run = pl.dynamics(m, duration="0.4 s", step="0.1 ms", output_step="1 ms")
    p = pl.momentum(m, run)
    L, h = p.angular.values, 1e-3
    rate = (8 * (L[3:-1] - L[1:-3]) - (L[4:] - L[:-4])) / (12 * h)
    moment = np.cross(p.centre_of_mass.values, [0, 0, -1.5 * G])[2:-2]
    assert np.allclose(rate, moment, atol=1e-4 * np.abs(moment).max())
    assert np.allclose(L[:, 2], L[0, 2], rtol=1e-6)  # gravity has no moment about the vertical
    e = p.centre_of_mass.values / d
    assert np.allclose(np.sum(L * e, axis=1), 0.004 * spin, rtol=1e-5)  # nor about the axis of the top
    # the rotation about the axis, apart from the small effect of its tilt
    assert np.all(np.abs(run.turns("top", axis="z").values - spin * run.time / (2 * np.pi)) < 0.2)


def test_revolutions_about_joints_and_axes() -> None:
    m = arm()
    m.drive("a", "shoulder", speed=300.0)
    m.drive("b", "elbow", speed=-120.0)
    run = pl.kinematics(m, times=np.linspace(0, 1.0, 101).tolist())
    turn = 2 * np.pi
    assert run.turns("upper").values[-1] == pytest.approx(300 / turn, rel=1e-12)
    assert run.turns("lower").values[-1] == pytest.approx(180 / turn, rel=1e-12)
    assert run.turns("lower", relative_to="upper").values[-1] == pytest.approx(-120 / turn, rel=1e-12)
    assert run.turns("upper", relative_to="lower", axis="-z").values[-1] == pytest.approx(-120 / turn, rel=1e-12)
    assert run.turns("lower").unit == "1" and run.turns("lower").name == "lower.turns"


def test_messages() -> None:
    m = arm()
    run = pl.dynamics(m, duration="10 ms", step="1 ms")
    for action, message in (
        (lambda: pl.energies(m, run, groups={"a": ["uper"]}), 'there is no part "uper"'),
        (lambda: pl.energies(m, run, groups={"a": []}), "specify names of parts"),
        (lambda: pl.energies(m, run, groups=["upper"]), "expected parts by name of a group"),
        (lambda: pl.energies(m, 3), "expected a Result"),
        (lambda: pl.energies(m, run).kinetic("x"), 'no energy of "x"'),
        (lambda: pl.momentum(m, run, about="centre"), 'a point [m] or "centre of mass"'),
        (lambda: pl.momentum(m, run, parts=["elbow"]), 'there is no part "elbow"'),
    ):
        with pytest.raises(pl.ModelError) as error:
            action()
        assert message in str(error.value)
    heavier = arm()
    heavier.attached_mass("more", "lower", mass="1 kg")
    with pytest.raises(pl.ModelError, match="differs from that of the run"):
        pl.energies(heavier, run)
    for given, message in (
        ({"body": "uper"}, 'no body "uper"'),
        ({"body": "upper", "relative_to": "upper"}, "does not rotate"),
    ):
        with pytest.raises(SignalError, match=message):
            run.turns(**given)
    free = pl.Model("free")
    free.body("b", mass=1, inertia=(1, 1, 1), angular_velocity=(0, 0, 1))
    turning = pl.dynamics(free, duration="1 s", step="10 ms")
    with pytest.raises(SignalError, match="Specify the axis"):
        turning.turns("b")
    assert turning.turns("b", axis="z").values[-1] == pytest.approx(1 / (2 * np.pi))
    assert abs(turning.turns("b", axis="x").values[-1]) < 1e-9
