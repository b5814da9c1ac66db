"""The compiled element of rolling bearings: against the laws in numpy, energy with turning cages, statics, pairs and preload."""

import math
from dataclasses import replace

import numpy as np
import pytest
from references.bearing_cases import ALL, ANGULAR, B218, LOOSE

import pitchline as pl
from pitchline.engine.elements.contract import RESIDUAL, TANGENT
from pitchline.engine.elements.declared_kind import Surroundings, declared_element
from pitchline.engine.elements.random_declared import ProbedElement, call, energies, exponential, moved, pose, report
from pitchline.parts.bearings.life import friction_torque, static_load
from pitchline.parts.bearings.mounting import mounted
from pitchline.parts.bearings.part import RollingBearing

PLACE = (np.zeros(3), np.eye(3))
RATED = pl.DeepGrooveBall(
    balls=7, ball="11.5 mm", pitch="43.5 mm", bore="25 mm", outer="62 mm", static_rating="11.6 kN"
)


def probe(design, **given: object) -> ProbedElement:
    """A bearing whose inner ring is displaced and tilted against the outer one."""
    part = RollingBearing("B", a="ground", b="shaft", design=design, **given)
    element = declared_element(
        part, Surroundings((1, 2), {"a": PLACE, "b": PLACE}, {"a": PLACE, "b": PLACE}, lambda f: 0)
    )
    R = exponential(np.array([0.0, 0.0, 0.3])) @ exponential(np.array([1e-4, -2e-4, 0.0]))
    P = np.stack([pose(*PLACE), pose(np.array([2e-5, 5e-6, 3e-5]), R)])
    V = np.zeros((2, 6))
    V[1] = 1e-3, -2e-3, 1e-3, 0.2, 0.1, 40.0
    return ProbedElement(element, P, V, 0 * V, np.zeros(0), memory=element.memory.copy())


CASES = {name: (design, {"cage": "turning"}) for name, design in ALL.items()} | {
    "at rest": (LOOSE, {}),
    "smooth": (LOOSE, {"cage": "smooth"}),
    "flipped": (ANGULAR, {"flipped": True, "preload": 500.0}),
    "flanges flipped": (ALL["two rows with flanges"], {"flipped": True}),
    "high speed": (B218, {"speed": 1000.0, "cage": "turning"}),
    "high speed of a pair": (ALL["pair of angular contact"], {"speed": 1000.0, "cage": "turning"}),
    "damped": (LOOSE, {"damping": 500.0}),
    "friction": (RATED, {"lubrication": "oil bath", "viscosity": 30e-6, "cage": "turning", "damping": 500.0}),
}


@pytest.mark.parametrize("name", CASES)
def test_kernel_is_the_law(name: str) -> None:
    design, given = CASES[name]
    one = probe(design, **given)
    said = {"design": design, "cage": "rest", "offset": 0.0, "preload": 0.0, "flipped": False, "speed": 0.0} | given
    out = report(one)
    state = mounted(said).at(np.array(out["deflection"]), np.array(out["rotation"]))
    assert energies(one)[1] == pytest.approx(state.energy, rel=1e-11)
    rates = np.array([1e-3, -2e-3, 1e-3]) * given.get("damping", 0.0)
    assert out["force"] == pytest.approx(-state.force[:3] - rates, rel=1e-11)
    assert out["max_load"] == pytest.approx(state.loads.max(), rel=1e-11)
    assert out["max_pressure"] == pytest.approx(state.pressures.max(), rel=1e-11)
    # along the axis of each tilt the moment is the derivative of the energy, to second order of the tilt
    if "damping" in given:
        return
    assert out["moment"][:2] == pytest.approx(
        -state.force[3:5], rel=1e-3, abs=1e-6 + 1e-3 * abs(state.force[3:5]).max()
    )


@pytest.mark.parametrize("name", CASES)
def test_the_residual_alone_is_that_beside_the_tangent(name: str) -> None:
    """Rollers have a shorter way to the forces where nothing else is asked."""
    design, given = CASES[name]
    one = probe(design, **given)
    alone, beside = call(one, RESIDUAL).r, call(one, TANGENT).r
    np.testing.assert_allclose(alone, beside, rtol=1e-12, atol=1e-13 * abs(beside).max())
    assert abs(alone).max() > 0.0


@pytest.mark.parametrize("name", CASES)
def test_tangent_is_the_derivative_of_the_residual(name: str) -> None:
    design, given = CASES[name]
    one = probe(design, **given)
    h = 1e-9
    by_position = [
        [call(replace(one, P=moved(one.P, step * row.reshape(2, 6))), TANGENT).r for step in (h, -h)]
        for row in np.eye(12)
    ]
    by_velocity = [
        [call(replace(one, V=one.V + step * row.reshape(2, 6)), TANGENT).r for step in (1e-4, -1e-4)]
        for row in np.eye(12)
    ]
    for factor, steps, size in (("stiffness", by_position, h), ("damping", by_velocity, 1e-4)):
        J = call(one, TANGENT, **{factor: 1.0}).J
        differences = np.array([(ahead - behind) / (2 * size) for ahead, behind in steps]).T
        np.testing.assert_allclose(J, differences, atol=5e-6 * abs(J).max() + 1e-12)


def spinning(cage: str, turning: str, **more: object) -> pl.Model:
    """A rigid shaft on two bearings; the hub that holds them may turn as well."""
    m = pl.Model("spinning")
    spin = {"inner": 300.0, "outer": 0.0, "both": 300.0}[turning]
    shaft = m.body("shaft", mass=2, inertia=(4e-3, 4e-3, 5e-4), angular_velocity=(0, 0, spin))
    hub = m.ground
    if turning != "inner":
        hub = m.body("hub", mass=5, inertia=(1e-2, 1e-2, 1e-2), angular_velocity=(0, 0, 200))
        m.revolute("axle", m.ground, hub, axis="z")
    for name, z in (("B1", -0.04), ("B2", 0.04)):
        m.bearing(name, hub, shaft, LOOSE, at=(0, 0, z), cage=cage, **more)
    m.force("load", shaft, (400, 300, 50))
    return m


@pytest.mark.parametrize("turning", ["inner", "outer", "both"])
def test_energy_is_kept_while_the_cage_turns(turning: str) -> None:
    """w_6 = dV/de_6 turns the rings as the stiffness varies; the error falls with the square of the step."""
    errors = []
    for step in ("8 us", "4 us"):
        r = pl.dynamics(spinning("turning", turning), duration="4 ms", step=step, output_step="40 us")
        moved_energy = np.ptp(r["energy.work"].values)
        errors.append(np.abs(r["energy.balance_error"].values).max() / moved_energy)
    assert errors[1] < 5e-4
    assert errors[0] / errors[1] > 2.5


def test_the_cage_turns_at_its_share_of_the_speed() -> None:
    m = spinning("turning", "inner")
    r = pl.dynamics(m, duration="2 ms", step="10 us")
    loads = pl.rolling_loads(r, "B1")
    turned = loads.positions[-1] - loads.positions[0]
    gamma = 11.5 / 43.5
    assert turned == pytest.approx(np.full((1, 7), 0.5 * (1 - gamma) * 300.0 * 2e-3), rel=1e-3)


def test_damping_dissipates() -> None:
    r = pl.dynamics(spinning("rest", "inner", damping="2 kN*s/m"), duration="4 ms", step="4 us")
    assert r["energy.dissipated"].values[-1] > 1e-3
    assert np.abs(r["energy.balance_error"].values).max() < 1e-3 * r["energy.dissipated"].values[-1]


def held(
    force, *, moment=(0, 0, 0), left=LOOSE, right=LOOSE, left_options=None, right_options=None, axis="z"
) -> pl.Model:
    """A rigid shaft of 80 mm between two bearings."""
    m = pl.Model("held")
    direction = np.eye(3)["xyz".index(axis)]
    shaft = m.body("shaft", mass=2, inertia=(4e-3, 4e-3, 5e-4))
    m.bearing("B1", m.ground, shaft, left, at=-0.04 * direction, axis=axis, **(left_options or {}))
    m.bearing("B2", m.ground, shaft, right, at=0.04 * direction, axis=axis, **(right_options or {}))
    m.force("load", shaft, force)
    m.torque("moment", shaft, moment)
    return m


def test_statics_balances_loads_whatever_the_axis() -> None:
    forces = {}
    for axis, force in (("z", (900, 200, 300)), ("x", (300, 900, 200)), ("y", (200, 300, 900))):
        r = pl.statics(held(force, axis=axis))
        total = r["B1.force"].values[0] + r["B2.force"].values[0]
        assert total == pytest.approx(-np.array(force), rel=1e-7)
        forces[axis] = sorted(np.abs(r["B1.force"].values[0]))
    assert forces["x"] == pytest.approx(forces["y"], rel=0.05) and forces["x"] == pytest.approx(forces["z"], rel=0.05)


def test_statics_of_one_bearing_is_its_equilibrium() -> None:
    m = pl.Model("alone")
    shaft = m.body("shaft", mass=1, inertia=(1e-3, 1e-3, 1e-3))
    m.bearing("B", m.ground, shaft, LOOSE)
    m.bushing("spring", m.ground, shaft, stiffness=[0, 0, 0, 0, 0, "10 N*m/rad"])
    m.force("load", shaft, (2000, 500, 800))
    m.torque("moment", shaft, (4, -3, 0))
    r = pl.statics(m)
    under = LOOSE.under(force=(2000, 500, 800), moment=(4, -3))
    assert r["B.deflection"].values[0] == pytest.approx(under.deflection, rel=1e-5)
    assert r["B.rotation"].values[0][:2] == pytest.approx(under.tilt, rel=1e-4)
    assert r["B.max_load"].values[0] == pytest.approx(under.loads.max(), rel=1e-5)
    assert pl.rolling_loads(r, "B").loads[0] == pytest.approx(under.loads, rel=1e-4, abs=1e-2)


def test_preload_of_two_bearings_is_kept() -> None:
    """Without load both carry the preload; an axial force of F changes them by F in sum, about half each, until one is unloaded."""
    options = {"left_options": {"preload": "300 N"}, "right_options": {"preload": "300 N", "flipped": True}}
    alone = pl.statics(held((0, 0, 0), left=ANGULAR, right=ANGULAR, **options))
    assert alone["B1.force"].values[0][2] == pytest.approx(-300.0, rel=1e-6)
    assert alone["B2.force"].values[0][2] == pytest.approx(300.0, rel=1e-6)
    pushed = pl.statics(held((0, 0, 200), left=ANGULAR, right=ANGULAR, **options))
    left, right = pushed["B1.force"].values[0][2], pushed["B2.force"].values[0][2]
    assert left + right == pytest.approx(-200.0, rel=1e-6)
    assert 0.4 < (-left - 300) / 200 < 0.7


def test_a_shaft_that_no_bearing_holds_along_its_axis() -> None:
    cylindrical = ALL["cylindrical"]
    said = r'"B1" \(cylindrical roller bearing\), "B2" \(cylindrical roller bearing\) carry no axial force'
    with pytest.raises(pl.SolveError, match=said):
        pl.statics(held((1000, 0, 100), left=cylindrical, right=cylindrical))
    with pytest.raises(
        pl.SolveError, match=r'"B2" \(angular contact ball bearing\) support the shaft in one direction only'
    ):
        pl.statics(held((500, 0, -200), left=ANGULAR, right=ANGULAR))


def test_load_falls_to_zero_and_returns_through_the_clearance() -> None:
    """The shaft falls through the clearance of 5 um and is caught on the other side."""
    m = pl.Model("reversal")
    shaft = m.body("shaft", mass=2, inertia=(4e-3, 4e-3, 5e-4))
    for name, z in (("B1", -0.04), ("B2", 0.04)):
        m.bearing(name, m.ground, shaft, LOOSE, at=(0, 0, z), damping="2 kN*s/m")
    m.force("load", shaft, (pl.Table(t=[0, 2e-3, 4e-3, 6e-3, 8e-3], values=[800, 800, 0, 0, -800]), 0, 0))
    start = pl.statics(m)
    r = pl.dynamics(m, duration="12 ms", start=start, output_step="20 us")
    assert r.status == "completed"
    x = r["B1.deflection"].values[:, 0]
    assert x[0] > 2.5e-6 and x[-1] < -2.5e-6
    assert r["B1.force"].values[-1][0] == pytest.approx(400.0, rel=5e-3)
    assert np.min(r["B1.max_load"].values) == 0.0
    assert math.isfinite(float(np.max(r["B1.max_pressure"].values)))


def test_friction_torque_is_that_of_the_catalogue_method() -> None:
    """A shaft that slows down in its bearings: torque by force and speed, energy dissipated."""
    m = pl.Model("slowing down")
    shaft = m.body("shaft", mass=2, inertia=(4e-3, 4e-3, 5e-4), angular_velocity=(0, 0, 300))
    for name, z in (("B1", -0.04), ("B2", 0.04)):
        options = {"lubrication": "oil bath", "viscosity": "30 mm^2/s", "damping": "1 kN*s/m"}
        m.bearing(name, m.ground, shaft, RATED, at=(0, 0, z), **options)
    m.force("load", shaft, (400, 300, 500))
    r = pl.dynamics(m, duration="50 ms", step="10 us", output_step="1 ms")
    force, speed = r["B1.force"].values[-1], r["shaft.angular_velocity"].values[-1][2]
    radial, axial = math.hypot(force[0], force[1]), abs(force[2])
    load = static_load(radial, axial, rolling="ball")
    expected = friction_torque(
        "DeepGrooveBall",
        radial,
        axial,
        speed,
        mean_diameter=0.0435,
        viscosity=30e-6,
        static_rating=11.6e3,
        static_load=load,
    )
    assert expected.viscous > 0.0 < expected.load
    assert r["B1.friction_torque"].values[-1] == pytest.approx(-expected.torque, rel=1e-4)
    assert r["B1.power_loss"].values[-1] == pytest.approx(expected.torque * speed, rel=1e-2)
    assert np.abs(r["energy.balance_error"].values).max() < 2e-3 * r["energy.dissipated"].values[-1]
    statics = pl.statics(m)
    assert statics["B1.friction_torque"].values[0] == 0.0


def test_spread_stiffness_tells_the_loads_of_real_rolling_elements() -> None:
    found = {}
    for cage in ("rest", "smooth"):
        m = held((4000, 0, 0), left_options={"cage": cage}, right_options={"cage": cage})
        r = pl.statics(m)
        found[cage] = r["B1.max_load"].values[0], r["B1.max_pressure"].values[0], pl.rolling_loads(r, "B1")
        assert found[cage][0] == pytest.approx(found[cage][2].loads.max(), rel=1e-9)
    assert found["smooth"][0] == pytest.approx(found["rest"][0], rel=0.02)
    assert found["smooth"][1] == pytest.approx(found["rest"][1], rel=0.01)
    assert found["smooth"][2].lives() == pytest.approx(found["rest"][2].lives(), rel=0.05)
