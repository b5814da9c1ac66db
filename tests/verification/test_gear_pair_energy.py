"""The energy of a gear pair audits itself: kinetic + stored - start = work put in - lost, whatever the mesh does.

Varying stiffness and errors with their torques are gradients of a potential and exchange nothing; left out they feed or take
energy, which is counted as work. So is the separating force; of teeth that do not follow their centres it has no potential, and
what it does as wheels move apart is counted too.
Damping, friction and losses are what the mesh reports as its loss. The balance is an error of the integration alone, O(h²): the
trajectory is of order 2, work is summed by the trapezium rule. Where the force jumps (a damper that acts in contact only, an
efficiency as the motion turns round) a step costs O(h) of a small part of the energy.
"""

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from references.observed_order import observed_order

import pitchline as pl

K = 2e7
"""Mesh stiffness [N/m]: with wheels of some 0.5 kg about 1000 Hz."""


def gear(teeth: int, **options: Any) -> pl.Gear:
    return pl.Gear(teeth=teeth, normal_module="4 mm", face_width="20 mm", **options)


def wave(mean: float, cos: float, sin: float = 0.0, over: str = "mesh cycle") -> pl.Varying:
    return pl.Varying(pl.Fourier("360 deg", mean, cos=[cos], sin=[sin], over="angle"), over)


STIFFNESS = wave(K, 0.3 * K, 0.1 * K)
ERRORS = [wave(0.0, 2e-5, 1e-5), wave(0.0, 5e-5, over="revolution of b")]
SPUR: tuple[Any, Any, dict[str, Any]] = (gear(20), gear(30), {})
HELICAL = (gear(20, helix_angle=0.3), gear(30, helix_angle=-0.3), {})
CROSSED = (gear(20, helix_angle=0.5), gear(30, helix_angle=0.4), {"shaft_angle": 0.9})
WORM_WHEEL = gear(40, helix_angle=math.atan(0.2))
WORM = (pl.Gear(starts=2, lead_angle=math.atan(0.2), normal_module="4 mm", face_width="60 mm"), WORM_WHEEL, {})


def hinged(mesh: pl.Elastic | pl.Rigid, gears: tuple[Any, Any, dict[str, Any]] = SPUR) -> pl.Model:
    """Two wheels in hinges, one on a coil spring, both under torques, one of them shaking at 300 Hz."""
    gear_a, gear_b, placing = gears
    m = pl.Model("hinged")
    a = m.gear_body("a", gear_a, position=(0, 0, 0), axis="z", angular_velocity=(0, 0, 60))
    b = m.gear_body("b", gear_b, mesh_with=a, towards=(1, 0, 0), **placing)
    hinge_a, hinge_b = m.revolute("hinge a", m.ground, a), m.revolute("hinge b", m.ground, b)
    m.gear_pair("mesh", a, b, mesh=mesh, **placing)
    m.torque("load a", hinge_a, 20.0)
    m.torque("load b", hinge_b, pl.Harmonic(25.0, 300.0))
    m.torsion_spring("coil", hinge_a, stiffness=200.0)
    return m


def supported(mesh: pl.Elastic | pl.Rigid, gears: tuple[Any, Any, dict[str, Any]] = SPUR) -> pl.Model:
    """The same on soft supports: wheels move apart, along and tilt under the separating force."""
    gear_a, gear_b, placing = gears
    m = pl.Model("supported")
    a = m.gear_body("a", gear_a, position=(0, 0, 0), axis="z", angular_velocity=(0, 0, 60))
    b = m.gear_body("b", gear_b, mesh_with=a, towards=(1, 0, 0), **placing)
    m.gear_pair("mesh", a, b, mesh=mesh, **placing)
    for name, body in (("support a", a), ("support b", b)):
        m.bushing(name, m.ground, body, stiffness=(3e6, 2e6, 3e6, 2e3, 2e3, 50), damping=(20, 20, 20, 0.1, 0.1, 0.1))
    m.torque("load a", a, (0, 0, 30.0), axes="body")
    m.torque("load b", b, (0, 0, pl.Harmonic(25.0, 300.0)), axes="body")
    return m


def run(model: pl.Model, step: float, duration: float = 0.02, **options: Any) -> tuple[float, pl.Result]:
    """Largest error of the balance over the energy turned over, and the run."""
    result = pl.dynamics(model, duration=duration, step=step, newton_tolerance=1e-10, **options)
    turnover = max(np.ptp(result[f"energy.{n}"].values) for n in ("kinetic", "potential", "work", "dissipated"))
    return float(np.max(np.abs(result["energy.balance_error"].values)) / turnover), result


DAMPED: dict[str, Any] = {"damping_ratio": 0.05}
SMOOTH: dict[str, tuple[pl.Elastic | pl.Rigid, Any]] = {
    "damper": (pl.Elastic(K, backlash=0, **DAMPED), SPUR),
    "varying stiffness": (pl.Elastic(STIFFNESS, backlash=0, **DAMPED), SPUR),
    "springs in series": (
        pl.Elastic((STIFFNESS, wave(K, 0.3 * K, over="revolution of b")), backlash=0, **DAMPED),
        SPUR,
    ),
    "errors": (pl.Elastic(K, backlash=0, error=ERRORS, **DAMPED), HELICAL),
    "both": (pl.Elastic(STIFFNESS, along="normal", backlash=0, error=ERRORS, **DAMPED), HELICAL),
    "both, their torques left out": (
        pl.Elastic(STIFFNESS, along="normal", backlash=0, error=ERRORS, energy_consistent=False, **DAMPED),
        HELICAL,
    ),
    "rounded corners": (pl.Elastic(STIFFNESS, backlash=5e-5, smoothing=1e-5, error=ERRORS, **DAMPED), SPUR),
    "line contact": (pl.Elastic(STIFFNESS, backlash=0, contact="line", **DAMPED), HELICAL),
    "friction": (pl.Elastic(STIFFNESS, backlash=0, friction=0.1, friction_speed=0.5, **DAMPED), CROSSED),
    "Stribeck friction": (
        pl.Elastic(K, backlash=0, friction=pl.Stribeck(0.15, 0.05, 0.5, 0.01), friction_speed=0.5, **DAMPED),
        CROSSED,
    ),
    "rigid teeth": (pl.Rigid(backlash=0), SPUR),
    "rigid teeth with errors": (pl.Rigid(backlash=0, error=ERRORS), HELICAL),
    "rigid teeth with errors, their torques left out": (
        pl.Rigid(backlash=0, error=ERRORS, energy_consistent=False),
        HELICAL,
    ),
}
BUILD: dict[str, Callable[..., pl.Model]] = {"hinged": hinged, "supported": supported}


@pytest.mark.parametrize("build", BUILD)
@pytest.mark.parametrize("case", SMOOTH)
def test_balance_closes(case: str, build: str) -> None:
    """At h = 10 us and 1000 Hz (h ω)² = 4e-3; every halving of the step takes three quarters of the error. On supports the wheels
    are loaded more, so that the teeth stay on their flank: without backlash they have play where the centres part."""
    mesh, gears = SMOOTH[case]
    model = BUILD[build](mesh, gears)
    start: dict[str, Any] = {}
    if build == "supported":
        model.torque("preload", "b", (0, 0, 100.0), axes="body")
        start = {"start": pl.statics(model)}
    errors = [run(model, step, **start)[0] for step in (2e-5, 1e-5)]
    assert errors[-1] < 4e-3
    assert observed_order(errors) > 1.7


KINKED: dict[str, tuple[pl.Elastic, Any]] = {
    "backlash": (pl.Elastic(STIFFNESS, backlash=5e-5, error=ERRORS), SPUR),
    "backlash, damper always": (
        pl.Elastic(STIFFNESS, backlash=5e-5, damping_acts="always", **DAMPED),
        HELICAL,
    ),
    "backlash, damper in contact": (pl.Elastic(STIFFNESS, backlash=5e-5, **DAMPED), SPUR),
    "backlash, damper never pulling": (
        pl.Elastic(STIFFNESS, backlash=5e-5, damping_acts="never pulling", damping_ratio=0.2),
        SPUR,
    ),
    "backlash, torques left out": (pl.Elastic(STIFFNESS, backlash=5e-5, error=ERRORS, energy_consistent=False), SPUR),
    "backlash, line contact": (pl.Elastic(STIFFNESS, backlash=5e-5, contact="line", **DAMPED), HELICAL),
    "efficiency": (pl.Elastic(STIFFNESS, backlash=0, efficiency=(0.9, 0.85), efficiency_speed=1.0), SPUR),
    "friction of a worm": (pl.Elastic(K, backlash=2e-5, friction=0.1, friction_speed=0.1, **DAMPED), WORM),
}


@pytest.mark.parametrize("build", BUILD)
@pytest.mark.parametrize("case", KINKED)
def test_balance_closes_where_the_force_has_corners(case: str, build: str) -> None:
    """No smooth function of the step, but small, and smaller with a smaller step."""
    mesh, gears = KINKED[case]
    errors = []
    for step in (2e-5, 5e-6):
        error, result = run(BUILD[build](mesh, gears), step)
        errors.append(error)
    assert errors[0] < 4e-3
    assert errors[1] < 0.4 * errors[0]
    if mesh.backlash:
        assert 0.0 in result["mesh.contact"].values


def test_rigid_teeth_with_losses() -> None:
    """The tooth force jumps as the wheels turn round: O(h). Until then, O(h²)."""
    model = hinged(pl.Rigid(backlash=0, efficiency=0.9, efficiency_speed=1.0))
    _, result = run(model, 1e-5)
    turns = float(result.time[np.argmax(result["hinge a.angular_speed"].values < 0)])
    assert 0 < turns < 0.02
    errors = [run(model, step)[0] for step in (1e-5, 5e-6)]
    assert errors[-1] < 1e-4
    assert observed_order(errors) > 0.9
    before = [run(model, step, duration=0.9 * turns)[0] for step in (1e-5, 5e-6)]
    assert observed_order(before) > 1.7


@pytest.mark.parametrize("options", ({"reduce": False}, {"stabilised": True}), ids=str)
def test_balance_closes_in_other_forms_of_the_equations(options: dict[str, Any]) -> None:
    mesh = pl.Elastic(STIFFNESS, backlash=0, error=ERRORS, friction=0.1, friction_speed=0.5, **DAMPED)
    errors = [run(hinged(mesh, CROSSED), step, **options)[0] for step in (2e-5, 1e-5)]
    assert errors[-1] < 4e-3
    assert observed_order(errors) > 1.7


# --- what is put in and what is lost ----------------------------------------------------------------------------------


def integral(result: pl.Result, power: np.ndarray) -> float:
    """Over the run, by the trapezium rule."""
    return float(np.trapezoid(power, result.time))


def turned_by_a_motor(mesh: pl.Elastic) -> pl.Result:
    """Wheel A at constant speed through 8 mesh cycles, wheel B under a constant torque, periodic by then."""
    m = pl.Model("motor")
    a = m.gear_body("a", gear(20), position=(0, 0, 0), axis="z", angular_velocity=(0, 0, 50))
    b = m.gear_body("b", gear(30), mesh_with=a, towards=(1, 0, 0), angular_velocity=(0, 0, -50 * 20 / 30))
    hinge_a, hinge_b = m.revolute("hinge a", m.ground, a), m.revolute("hinge b", m.ground, b)
    m.gear_pair("mesh", a, b, mesh=mesh)
    m.drive("motor", hinge_a, speed=50.0)
    m.torque("load", hinge_b, 30.0)
    cycle = 2 * math.pi / (20 * 50)
    start = pl.dynamics(m, duration=20 * cycle, step=cycle / 400, output_step=20 * cycle)
    return pl.dynamics(m, duration=8 * cycle, step=cycle / 400, output_step=cycle / 400, start=start)


@pytest.mark.parametrize("consistent", (True, False))
def test_who_pays_for_the_vibration(consistent: bool) -> None:
    """Over whole cycles the mesh stores nothing: motor and load give what the damper takes. Without the torques of stiffness
    and error the motor does not feel them, and the mesh itself gives the missing part, (F x' + k' s²/2) ω_A, to the last digit
    of the sums."""
    mesh = pl.Elastic(STIFFNESS, error=ERRORS[0], backlash=0, damping_ratio=0.05, energy_consistent=consistent)
    result = turned_by_a_motor(mesh)
    outside = result["motor.power"].values + 30.0 * result["hinge b.angular_speed"].values
    given = integral(result, outside)
    lost = float(result["energy.dissipated"].final)
    assert lost > 0.0
    assert lost == pytest.approx(integral(result, result["mesh.loss"].values), rel=1e-6)
    if consistent:
        assert given == pytest.approx(lost, rel=1e-3)
        assert result["energy.work"].final == pytest.approx(given, rel=1e-6)
        return
    angle = 20 * result["mesh.psi_a"].values
    k, x = STIFFNESS, ERRORS[0]
    s = result["mesh.approach"].values + x(angle)
    F = result["mesh.normal_force"].values  # the damper acts along the error, too
    power = 50 * 20 * (F * x.function.derivative()(angle) + 0.5 * k.function.derivative()(angle) * s**2)
    assert result["energy.work"].final == pytest.approx(given + integral(result, power), rel=1e-6)
    assert given + integral(result, power) == pytest.approx(lost, rel=1e-3)
    assert abs(integral(result, power)) > 0.1 * lost


def test_work_of_the_separating_force() -> None:
    """Wheel B is drawn away from A by 0.1 mm, both loaded: |F_r| = F_t tan α, and energy.work is what motor and load put in plus
    the integral of |F_r| over the way, where the teeth do not follow."""
    m = pl.Model("apart")
    a = m.gear_body("a", gear(20), position=(0, 0, 0), axis="z")
    b = m.gear_body("b", gear(30), mesh_with=a, towards=(1, 0, 0))
    slide = m.body("slide", mass=1.0, inertia=(0.01, 0.01, 0.01), position=b.position)
    m.fixed("hold", m.ground, a)
    guide = m.prismatic("guide", m.ground, slide, axis="x")
    hinge = m.revolute("hinge", slide, b, axis="z")
    m.gear_pair("mesh", a, b, mesh=pl.Elastic(K, backlash=0, damping_ratio=0.2, follow_centres=False))
    m.drive("motor", guide, displacement=pl.Ramp(0, 1e-4, 0, 0.01))
    m.torque("load", hinge, 100.0)
    result = pl.dynamics(m, duration=0.01, step=1e-5, start=pl.statics(m))
    radial = result["mesh.radial_force"].values
    np.testing.assert_allclose(radial, result["mesh.normal_force"].values * math.sin(math.radians(20)), rtol=1e-9)
    power = result["motor.power"].values + 100.0 * result["hinge.angular_speed"].values
    speed = result["guide.speed"].values
    by_mesh = float(result["energy.work"].final) - integral(result, power)
    assert by_mesh == pytest.approx(integral(result, radial * speed), rel=1e-5)
    # 100 N m over r_B = 60 mm push the wheels apart with 606.6 N, nearly constant over 0.1 mm
    assert by_mesh == pytest.approx(100 / 0.06 * math.tan(math.radians(20)) * 1e-4, rel=1e-2)
    assert result["energy.teeth"].final == pytest.approx(by_mesh, rel=1e-5)


def test_losses_are_what_the_mesh_reports() -> None:
    """energy.dissipated is the sum over time of mesh.loss, with friction_loss part of it."""
    mesh = pl.Elastic(K, backlash=0, friction=0.1, friction_speed=0.05, damping_ratio=0.05)
    _, result = run(hinged(mesh, CROSSED), 1e-5)
    friction, loss = result["mesh.friction_loss"].values, result["mesh.loss"].values
    assert np.all(friction >= 0.0)
    assert np.all(loss >= friction)
    assert result["energy.dissipated"].final == pytest.approx(integral(result, loss), rel=1e-4)


# --- momentum ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("gears", (SPUR, HELICAL, CROSSED), ids=("spur", "helical", "crossed"))
def test_momentum(gears: tuple[Any, Any, dict[str, Any]]) -> None:
    """Two wheels on a carrier that floats free: whatever the teeth do, P and L about the origin stay, to O(h²)."""
    gear_a, gear_b, placing = gears
    mesh = pl.Elastic(STIFFNESS, error=ERRORS, backlash=5e-5, friction=0.1, friction_speed=0.1, **DAMPED)
    m = pl.Model("free")
    a = m.gear_body("a", gear_a, position=(0, 0, 0), axis="z", angular_velocity=(0, 0, 80))
    b = m.gear_body("b", gear_b, mesh_with=a, towards=(1, 0, 0), **placing)
    carrier = m.body("carrier", mass=2.0, inertia=(0.02, 0.02, 0.02), position=0.5 * b.position)
    for name, body in (("pin a", a), ("pin b", b)):
        m.bushing(
            name,
            carrier,
            body,
            at=body.position,
            axis=tuple(body.orientation[:, 2]),
            stiffness=(2e7,) * 3 + (2e4, 2e4, 0.0),
        )
    m.gear_pair("mesh", a, b, mesh=mesh, **placing)

    def momenta(step: float) -> tuple[np.ndarray, np.ndarray]:
        result = pl.dynamics(m, duration=0.01, step=step, output_step=1e-3, newton_tolerance=1e-10)
        P, L = np.zeros((11, 3)), np.zeros((11, 3))
        for name in ("a", "b", "carrier"):
            body = m.bodies[name]
            x, v, w = (result[f"{name}.{s}"].values for s in ("position", "velocity", "angular_velocity"))
            R = np.array([rotation(q) for q in result[f"{name}.orientation"].values])
            assert np.allclose(body.centre_of_mass, 0.0, atol=1e-12)
            P += body.mass * v
            spin = np.einsum("tij,jk,tlk,tl->ti", R, body.inertia, R, w)
            L += body.mass * np.cross(x, v) + spin
        return P, L

    drift = []
    for step in (2e-5, 1e-5):
        P, L = momenta(step)
        size = np.linalg.norm(L[0])
        np.testing.assert_allclose(P, 0.0, atol=1e-7 * size / 0.1)
        drift.append(np.max(np.abs(L - L[0])) / size)
    assert drift[0] < 1e-4
    assert drift[1] < max(0.4 * drift[0], 1e-9)


def rotation(q: np.ndarray) -> np.ndarray:
    """Matrix of a unit quaternion (w, x, y, z)."""
    w, v = q[0], q[1:]
    cross = np.array([[0, -v[2], v[1]], [v[2], 0, -v[0]], [-v[1], v[0], 0]])
    return np.eye(3) + 2 * w * cross + 2 * cross @ cross
