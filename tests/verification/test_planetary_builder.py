"""Trains of the builder: Willis for every member that is held, compound trains, load sharing in closed form, plane and space."""

import math
from typing import Any

import numpy as np
import pytest
from references.epicyclic import CARRIER, MODULE, TRAINS, gear, ring_gear
from references.observed_order import largest

import pitchline as pl

ALPHA = math.radians(20.0)
RIGID: dict[str, Any] = {"mesh_sun": pl.Rigid(backlash=0), "mesh_ring": pl.Rigid(backlash=0)}


def rigid(kind: str) -> dict[str, Any]:
    return RIGID | ({"mesh_planets": pl.Rigid(backlash=0)} if kind == "meshed" else {})


# --- speeds -------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("plane", [None, "xy"])
@pytest.mark.parametrize("fixed", ["sun", "ring", "carrier"])
@pytest.mark.parametrize("kind", TRAINS)
def test_willis(kind: str, fixed: str, plane: str | None) -> None:
    """One member held, one driven: the third one and the planets turn as Willis says."""
    m = pl.Model("train", plane=plane)
    train = pl.planetary(m, "t", **TRAINS[kind], fixed=fixed, **rigid(kind), planets=2)
    driver, driven = (key for key in ("sun", "carrier", "ring") if key != fixed)
    m.drive("motor", f"t {driver} bearing", speed=10.0)
    result = pl.kinematics(m, duration=1.0, step=0.05)
    expected = train.speeds(**{driver: 10.0, fixed: 0.0})
    np.testing.assert_allclose(result[f"t {driven} bearing.angular_speed"], expected[driven], rtol=1e-7)
    np.testing.assert_allclose(result["t planet 1.angular_velocity.z"], expected["planet"], rtol=1e-7)
    if kind == "meshed":
        np.testing.assert_allclose(result["t outer planet 2.angular_velocity.z"], expected["outer planet"], rtol=1e-7)


def test_two_stages() -> None:
    """The sun of the second stage sits on the carrier of the first one: the ratios multiply, (1 + 96/24)(1 + 96/24) = 25."""
    m = pl.Model("two stages")
    first = pl.planetary(m, "first", **TRAINS["simple"], fixed="ring", masses=CARRIER, **RIGID)
    second = pl.planetary(
        m,
        "second",
        **TRAINS["simple"],
        fixed="ring",
        on={"sun": first.carrier},
        masses=CARRIER,
        position=(0, 0, 0.05),
        **RIGID,
    )
    assert second.sun is first.carrier
    m.drive("motor", "first sun bearing", speed=50.0)
    m.torque("load", "second carrier bearing", -100.0)
    result = pl.dynamics(m, duration=0.05, step=1e-3)
    assert result["second carrier bearing.angular_speed"].final == pytest.approx(2.0, rel=1e-6)
    assert result["motor.torque"].final == pytest.approx(4.0, rel=1e-2)


@pytest.mark.parametrize("held", ["ring", "large sun", "carrier"])
def test_ravigneaux(held: str) -> None:
    """Pairs of planets between the small sun and the ring, and a large sun that meshes with the outer planets. With z_1 of the
    small and z_2 of the large sun  (w_1 - w_c) z_1 = (w_r - w_c) z_r ,  (w_2 - w_c) z_2 = -(w_r - w_c) z_r ."""
    z_1, z_2, z_r = 30, 52, 96
    m = pl.Model("ravigneaux", plane="xy")
    gears = TRAINS["meshed"]
    train = pl.planetary(m, "r", **gears, **rigid("meshed"), planets=2)
    large = m.gear_body("large sun", gear(z_2), position=(0, 0, 0), axis="z")
    m.revolute("large sun bearing", m.ground, large)
    for i in (1, 2):
        m.gear_pair(f"large sun mesh {i}", large, train.wheels[f"outer planet {i}"], mesh=pl.Rigid(backlash=0))
    joint = {"ring": "r ring bearing", "large sun": "large sun bearing", "carrier": "r carrier bearing"}
    m.drive("brake", joint[held], angle=0.0)
    m.drive("motor", "r sun bearing", speed=10.0)
    result = pl.kinematics(m, duration=0.5, step=0.05)
    w_1, w_c, w_r, w_2 = (
        float(result[f"{name} bearing.angular_speed"].final) for name in ("r sun", "r carrier", "r ring", "large sun")
    )
    assert (w_1 - w_c) * z_1 == pytest.approx((w_r - w_c) * z_r, rel=1e-7)
    assert (w_2 - w_c) * z_2 == pytest.approx(-(w_r - w_c) * z_r, rel=1e-7)
    assert {"ring": w_r, "large sun": w_2, "carrier": w_c}[held] == pytest.approx(0.0, abs=1e-9)
    assert w_1 == pytest.approx(10.0)


# --- load sharing -------------------------------------------------------------------------------------------------------

K = 2e8
HOOP = pl.Elastic(K, along="hoop", backlash=0)
THIN: dict[str, Any] = {"backlash_allowance": "0.2 mm"}
"""Wheels with play enough for errors of positions; the meshes of these tests have none."""


def loaded(plane: str | None = "xy", **options: Any) -> tuple[pl.Model, pl.Planetary]:
    """Ring held, sun held in rotation, 200 N m on the carrier."""
    m = pl.Model("loaded", plane=plane)
    gears = {"sun": gear(24, **THIN), "planet": gear(36, **THIN), "ring": ring_gear(96, **THIN)}
    train = pl.planetary(
        m, "t", **gears | {"fixed": "ring", "masses": CARRIER, "mesh_sun": HOOP, "mesh_ring": HOOP} | options
    )
    if train.bearings["sun"] is m.joints.get("t sun bearing"):
        m.drive("brake", "t sun bearing", angle=0.0)
    m.torque("load", train.carrier, (0, 0, 200.0))
    return m, train


MEAN = 200.0 / (2 * 3 * 60 * MODULE / 2)
"""Hoop force of each mesh where three planets share evenly: T/(2 a N)."""


@pytest.mark.parametrize("plane", [None, "xy"])
def test_equal_shares(plane: str | None) -> None:
    m, train = loaded(plane)
    shares = train.load_sharing(result := pl.statics(m))
    np.testing.assert_allclose(shares.sun, 1.0, atol=1e-6)
    np.testing.assert_allclose(shares.ring, 1.0, atol=1e-6)
    assert shares.k_gamma == pytest.approx(1.0, abs=1e-6)
    assert result["t sun mesh 1.tangential_force"].final == pytest.approx(MEAN, rel=1e-4)


@pytest.mark.parametrize("plane", [None, "xy"])
def test_shares_with_errors_of_positions(plane: str | None) -> None:
    """A pin that is ahead by d presses both meshes of its planet by d, the planet turning so that both press alike: springs in
    parallel on the carrier, F_i = k (a phi + d_i), so that F_i - mean F = k (d_i - mean d). Errors of 1e-5 m on 0.06 m turn the
    forces by 2e-4."""
    errors = np.array([3e-6, -1e-6, 0.0])
    m, train = loaded(plane, tangential_errors=errors)
    result = pl.statics(m)
    expected = 1.0 + K * (errors - errors.mean()) / MEAN
    shares = train.load_sharing(result)
    np.testing.assert_allclose(shares.sun[-1], expected, rtol=2e-3)
    np.testing.assert_allclose(shares.ring[-1], expected, rtol=2e-3)
    assert shares.k_gamma == pytest.approx(expected.max(), rel=2e-3)
    assert np.ptp(expected) > 0.5


def test_elastic_pins_soften_the_differences() -> None:
    """In series with the pins, 1/k_i = 1/k + 2/k_p: the pin carries both meshes, and moves by 2 F/k_p."""
    errors, pin = np.array([3e-6, -1e-6, 0.0]), 4e8
    m, train = loaded(tangential_errors=errors, pin_stiffness=pin)
    shares = train.load_sharing(pl.statics(m))
    expected = 1.0 + (errors - errors.mean()) / (1 / K + 2 / pin) / MEAN
    np.testing.assert_allclose(shares.sun[-1], expected, rtol=2e-3)


@pytest.mark.parametrize("plane", [None, "xy"])
def test_a_floating_sun_shares_the_load_of_three_planets(plane: str | None) -> None:
    """Three forces on a sun without bearing are in balance where they are equal, whatever the errors; with some play, or errors as
    large as the deflections press teeth onto both flanks."""
    errors = np.array([3e-6, -1e-6, 0.0])
    mesh = pl.Elastic(K, along="hoop", backlash=5e-5)
    options: dict[str, Any] = {
        "mesh_sun": mesh,
        "mesh_ring": mesh,
        "bearings": {"sun": pl.Support(torsion="1e6 N*m/rad")},
    }
    m, train = loaded(plane, tangential_errors=errors, **options)
    shares = train.load_sharing(pl.statics(m))
    np.testing.assert_allclose(shares.sun, 1.0, atol=1e-3)


def test_one_soft_mesh() -> None:
    """One sun mesh half as stiff: 1/k_1 = (2/k + 1/k)/2, shares 2/3 to 1."""
    m, train = loaded(mesh_sun=[pl.Elastic(K / 2, along="hoop", backlash=0), HOOP, HOOP])
    shares = train.load_sharing(pl.statics(m))
    np.testing.assert_allclose(shares.sun[-1], np.array([2 / 3, 1, 1]) * 9 / 8, rtol=1e-3)


# --- motion ---------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", TRAINS)
def test_plane_and_space_move_alike(kind: str) -> None:
    """Elastic teeth, pins and supports, a torque on the sun: the same motion in the plane and in space; energy balances."""
    elastic = pl.Elastic(1e7, damping_ratio=0.05, backlash=0)
    runs = []
    for plane in (None, "xy"):
        m = pl.Model("run", plane=plane)
        options: dict[str, Any] = {"mesh_planets": elastic} if kind == "meshed" else {}
        train = pl.planetary(
            m, "t", **TRAINS[kind], fixed="ring", masses=CARRIER, mesh_sun=elastic, mesh_ring=elastic, pin_stiffness=1e7,
            pin_damping=100.0, bearings={"sun": pl.Support(1e7, damping=100.0)}, planets=2, **options,
        )  # fmt: skip
        m.torque("drive", train.sun, (0, 0, 20.0))
        m.torque("load", "t carrier bearing", -10.0)
        runs.append(pl.dynamics(m, duration=0.02, step=1e-4, output_step=1e-3, newton_tolerance=1e-12))
    space, flat = runs
    assert flat.statistics["coordinates"] <= 0.65 * space.statistics["coordinates"]
    angles = ("t planet 2.angular_velocity", "t carrier bearing.angle")
    for name in ("t sun.position", "t planet 1.position", *angles, "t sun mesh 1.normal_force"):
        size = np.abs(space[name].values).max()
        assert largest(flat[name].values, space[name].values) < 1e-6 * size, name
    for run in runs:
        assert np.abs(run["energy.balance_error"].values).max() < 2e-2 * run["energy.work"].final


def test_angular_momentum_of_a_free_train() -> None:
    """No torque from outside: all members free to turn, the ring spins up what the others lose."""
    m = pl.Model("free", plane="xy")
    train = pl.planetary(
        m, "t", **TRAINS["simple"], masses=CARRIER, mesh_sun=pl.Elastic(1e7, damping_ratio=0.1, backlash=0),
        mesh_ring=pl.Elastic(1e7, damping_ratio=0.1, backlash=0), bearings={key: "free" for key in ("sun", "ring", "carrier")},
    )  # fmt: skip
    m.torque("inner", train.sun, (0, 0, 10.0), reaction=train.carrier)
    result = pl.dynamics(m, duration=0.05, step=2e-4, output_step=2e-3)
    total = 0.0
    for body in m.bodies.values():
        x, v = (result[f"{body.name}.{what}"].values for what in ("position", "velocity"))
        total = (
            total
            + body.inertia[2, 2] * result[f"{body.name}.angular_velocity.z"].values
            + body.mass * np.cross(x, v)[:, 2]
        )
    size = m.bodies["t sun"].inertia[2, 2] * result["t sun.angular_velocity.z"].final
    np.testing.assert_allclose(total, 0.0, atol=2e-3 * abs(size))
