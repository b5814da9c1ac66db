"""Planar models move as the same models in space, and the planar mesh is the general pair in a plane."""

import math
from typing import Any

import numpy as np
import pytest
from references.observed_order import largest
from references.planar_mesh import PlanarMesh

import pitchline as pl

TIGHT: dict[str, Any] = {"newton_tolerance": 1e-12}

# --- mechanisms -------------------------------------------------------------------------------------------------------

AXES = {"xy": np.eye(3), "yz": np.roll(np.eye(3), 1, axis=0), "zx": np.roll(np.eye(3), 2, axis=0)}
"""Columns: what is x, y, z of a mechanism said in the plane xy."""


def slider_crank(plane: str, *, planar: bool, torque: float = 3.0) -> pl.Model:
    """Crank, rod with an offset centre of mass, slider on a line in the plane; heights of the parts differ."""
    R = AXES[plane]
    m = pl.Model("slider crank", gravity=R @ (0, -9.81, 0), plane=plane if planar else None)
    J = (0.02, 0.03, 0.04)
    turn = {"orientation": R}
    m.body("crank", mass=1.0, inertia=J, position=R @ (0.08, 0.06, 0), **turn)
    m.body("rod", mass=0.5, inertia=J, centre_of_mass=(0.1, 0.02, 0), position=R @ (0.45, 0.08, 0.05), **turn)
    m.body("slider", mass=2.0, inertia=J, position=R @ (0.8, 0, 0.1), **turn)
    m.revolute("base", m.ground, "crank", at=(0, 0, 0), axis=R[:, 2])
    m.revolute("big end", "crank", "rod", at=R @ (0.16, 0.12, 0), axis=R[:, 2])
    m.revolute("small end", "rod", "slider", at=R @ (0.8, 0, 0.1), axis=R[:, 2])
    m.prismatic("guide", m.ground, "slider", axis=R @ (1, 0.2, 0))
    m.torque("drive", "base", torque)
    m.spring("spring", m.ground, "slider", at_a=R @ (1.5, 0, 0.1), at_b=R @ (0.8, 0, 0.1), stiffness=50.0, damping=1.0)
    m.force("push", "rod", (0.0, 2.0, 0.0), at=R @ (0.6, 0.1, 0.0), axes="body")
    return m


@pytest.mark.parametrize("plane", ["xy", "yz", "zx"])
def test_planar_mechanism_moves_as_in_space(plane: str) -> None:
    """Three coordinates a body, six with the plane as a constraint, and the spatial model with its redundant joints: the same."""
    space = pl.dynamics(slider_crank(plane, planar=False), duration=0.5, step=1e-3, **TIGHT)
    assert any("redundant" in text for text in space.warnings)
    n = int(np.argmax(AXES[plane][:, 2]))
    for reduce in (True, False):
        flat = pl.dynamics(slider_crank(plane, planar=True), duration=0.5, step=1e-3, reduce=reduce, **TIGHT)
        assert not any("redundant" in text for text in flat.warnings)
        for name in (
            "crank.position",
            "rod.position",
            "slider.position",
            "rod.orientation",
            "base.angle",
            "guide.displacement",
        ):
            assert largest(flat[name].values, space[name].values) < 1e-6, name
        # forces in the plane are the same, those across it are not asked for
        for name in ("big end.force", "small end.force"):
            inside = np.delete(flat[name].values - space[name].values, n, axis=1)
            assert np.abs(inside).max() < 1e-4 * np.abs(space[name].values).max(), name
            assert np.abs(flat[name].values[:, n]).max() == 0.0
        assert np.abs(flat["energy.balance_error"].values).max() < 1e-4 * np.ptp(flat["energy.kinetic"].values)
    assert flat.statistics["coordinates"] == 18


def test_reduced_and_constrained_agree_to_rounding() -> None:
    runs = [
        pl.dynamics(slider_crank("xy", planar=True), duration=0.2, step=1e-3, reduce=r, **TIGHT) for r in (True, False)
    ]
    assert list(runs[0].signals) == list(runs[1].signals)
    for name, signal in runs[1].signals.items():
        size = max(1.0, float(np.abs(signal.values).max()))
        assert largest(runs[0][name].values, signal.values) < 1e-8 * size, name


def test_statics_and_kinematics() -> None:
    flat, space = (slider_crank("xy", planar=planar, torque=0.2) for planar in (True, False))
    rest = [pl.statics(m) for m in (flat, space)]
    assert largest(rest[0]["rod.position"].values, rest[1]["rod.position"].values) < 1e-8
    for m in (flat, space):
        m.drive("turn", "base", speed=2.0)
    moved = [pl.kinematics(m, duration=1.0, step=0.1) for m in (flat, space)]
    for name in ("rod.position", "slider.velocity", "guide.displacement"):
        assert largest(moved[0][name].values, moved[1][name].values) < 1e-9, name


# --- the planar mesh --------------------------------------------------------------------------------------------------


def two_wheels(*, internal: bool) -> pl.Model:
    """Two wheels, free in the plane, orbit each other on a soft spring between their centres, whose distance sways."""
    m = pl.Model("wheels", plane="xy")
    pinion, wheel = pl.Gear(teeth=20, normal_module=0.1), pl.Gear(teeth=50, normal_module=0.1, internal=internal)
    speed = 4.0 if internal else -8.0
    still: dict[str, Any] = {"mass": 1.0, "inertia": 0.5}
    a = m.gear_body(
        "a", pinion, position=(0, 0, 0), axis="z", velocity=(0, speed, 0), angular_velocity=(0, 0, 5.0), **still
    )
    b = m.gear_body(
        "b", wheel, mesh_with=a, mass=2.0, inertia=4.0, velocity=(0, -0.6 * speed, 0), angular_velocity=(0, 0, 4.0)
    )
    m.spring("centres", a, b, stiffness=500.0, damping=0.05)  # tips do not part
    m.gear_pair("mesh", a, b, mesh=pl.Elastic(800.0, along="hoop", damping=2.0, backlash=0, separating=False))
    return m


def angle(result: pl.Result, body: str) -> np.ndarray:
    w, z = (result[f"{body}.orientation"].values[:, i] for i in (0, 3))
    return np.unwrap(2.0 * np.arctan2(z, w))


@pytest.mark.parametrize("internal", [False, True], ids=["external", "internal"])
@pytest.mark.parametrize("reduce", [True, False])
def test_loads_of_the_planar_mesh(internal: bool, reduce: bool) -> None:
    """Centres that move and come closer and part, over several turns of the line of centres: the loads of the closed form."""
    m = two_wheels(internal=internal)
    result = pl.dynamics(m, duration=4.0, step=2e-3, output_step=2e-2, reduce=reduce, **TIGHT)
    law = PlanarMesh(1.0, 2.5, 800.0, 2.0, internal)
    x, v = ([result[f"{b}.{what}"].values[:, :2] for b in "ab"] for what in ("position", "velocity"))
    phi = np.stack([angle(result, b) for b in "ab"], axis=1)
    omega = np.stack([result[f"{b}.angular_velocity.z"].values for b in "ab"], axis=1)
    expected = law.loads(*x, *v, phi, omega)
    distance = np.linalg.norm(x[1] - x[0], axis=1)
    assert np.ptp(distance) > 0.01  # off the nominal distance
    assert np.ptp(expected["phi_g"]) > 2.0 * 2 * math.pi  # turns
    size = np.abs(expected["F"]).max()
    assert largest(result["mesh.approach"].values / math.cos(math.radians(20)), expected["approach"]) < 1e-10
    for side in "ab":
        assert largest(result[f"mesh.force_{side}"].values[:, :2], expected[f"force_{side}"]) < 1e-8 * size
        assert largest(result[f"mesh.moment_{side}.z"].values, expected[f"torque_{side}"]) < 1e-8 * size
    # the flank's own force, of which the hoop takes its part
    np.testing.assert_allclose(
        result["mesh.signed_force"].values * math.cos(math.radians(20)), expected["F"], atol=1e-8 * size
    )


@pytest.mark.parametrize("internal", [False, True], ids=["external", "internal"])
def test_momentum_and_energy(internal: bool) -> None:
    """Nothing acts from outside: linear and angular momentum stay, energy is lost in the dampers alone."""
    m = two_wheels(internal=internal)
    result = pl.dynamics(m, duration=2.0, step=1e-3, output_step=1e-2, **TIGHT)
    mass, inertia = np.array([1.0, 2.0]), np.array([0.5, 4.0])
    x, v = (np.stack([result[f"{b}.{what}"].values for b in "ab"]) for what in ("position", "velocity"))
    omega = np.stack([result[f"{b}.angular_velocity.z"].values for b in "ab"])
    p = np.einsum("b,bti->ti", mass, v)
    np.testing.assert_allclose(p, p[:1] + 0 * p, atol=1e-9)
    spin = np.einsum("b,bt->t", inertia, omega) + np.einsum("b,bti->ti", mass, np.cross(x, v))[:, 2]
    np.testing.assert_allclose(spin, spin[0], rtol=1e-4)
    assert np.abs(result["energy.balance_error"].values).max() < 2e-3 * result["energy.kinetic"].initial
    assert result["energy.dissipated"].final > 0.0


def test_the_separating_force_alone_is_left_out() -> None:
    """Hinged wheels under a torque: with and without it the hoop force is the same, the bearing bears tan(alpha) less."""

    def rest(separating: bool, mesh: Any) -> pl.Result:
        m = pl.Model("pair", plane="xy")
        gear = pl.Gear(teeth=20, normal_module=0.1)
        a = m.gear_body("a", gear, position=(0, 0, 0), axis="z", mass=1.0, inertia=1.0)
        b = m.gear_body("b", gear, mesh_with=a, mass=1.0, inertia=1.0)
        m.revolute("input", m.ground, a)
        m.revolute("output", m.ground, b)
        m.gear_pair("mesh", a, b, mesh=mesh(separating=separating))
        m.drive("brake", "output", angle=0.0)
        m.torque("load", "input", 30.0)
        return pl.statics(m)

    def elastic(**options: Any) -> pl.Elastic:
        return pl.Elastic(1e5, backlash=0, **options)

    def rigid(**options: Any) -> pl.Rigid:
        return pl.Rigid(backlash=0, **options)

    for mesh in (elastic, rigid):
        with_it, without = rest(True, mesh), rest(False, mesh)
        for name in ("mesh.normal_force", "mesh.tangential_force", "mesh.approach", "mesh.deflection"):
            assert without[name].final == pytest.approx(with_it[name].final, rel=1e-9, abs=1e-15)
        assert with_it["mesh.radial_force"].final == pytest.approx(30.0 * math.tan(math.radians(20)), rel=1e-9)
        assert without["mesh.radial_force"].final == pytest.approx(0.0, abs=1e-12)
        np.testing.assert_allclose(without["input.force"].final, (0, 30.0, 0), atol=1e-9)


def test_elastic_spur_pair_of_van_der_linden() -> None:
    """J = r = k = 1: the wheels swing against each other at sqrt(2) rad/s, f = 0.225079 Hz; d = 1e-3 damps with 7.07e-4."""
    m = pl.Model("spur", plane="xy")
    gear = pl.Gear(teeth=20, normal_module=0.1)
    a = m.gear_body("a", gear, position=(0, 0, 0), axis="z", mass=1.0, inertia=1.0, angular_velocity=(0, 0, 1e-2))
    b = m.gear_body("b", gear, mesh_with=a, mass=1.0, inertia=1.0, angular_velocity=(0, 0, 1e-2))
    for name, body in (("input", a), ("output", b)):
        m.revolute(name, m.ground, body)
    m.gear_pair("mesh", a, b, mesh=pl.Elastic(1.0, along="hoop", damping=1e-3, backlash=0, separating=False))
    omega, decay = math.sqrt(2.0), 1e-3
    T = 20 * 2 * math.pi / omega
    result = pl.dynamics(m, duration=T, step=T / 4000)
    expected = np.exp(-decay * result.time) * np.sin(omega * result.time) * 2e-2 / omega
    h = T / 4000
    found = result["mesh.approach"].values / math.cos(math.radians(20))
    np.testing.assert_allclose(found, expected, atol=2e-2 / omega * (omega * h) ** 2 / 8 * omega * T)
