"""Frequency responses against closed forms, and against what a harmonic input does to the nonlinear model once it has settled."""

import math
from typing import Any

import numpy as np
import pytest
from references.settled import complex_amplitude

import pitchline as pl

# --- closed forms -------------------------------------------------------------------------------------------------------

MASS, STIFFNESS, DAMPING = 2.0, 800.0, 6.0


def block(*, driven: bool = False) -> pl.Model:
    """A block on a spring and a damper; driven: on a second block, whose motion is imposed."""
    m = pl.Model("block")
    foot: Any = m.ground
    b = m.body("block", mass=MASS, inertia=(1, 1, 1))
    m.prismatic("guide", m.ground, b, axis="x")
    if driven:
        foot = m.body("foot", mass=5.0, inertia=(1, 1, 1), position=(-1, 0, 0))
        m.drive("shaker", m.prismatic("rail", m.ground, foot, axis="x"), displacement=0.0)
    else:
        m.force("push", "guide", 0.0)
    m.spring("spring", foot, b, at_a=(-1, 0, 0), at_b=(0, 0, 0), stiffness=STIFFNESS, damping=DAMPING)
    return m


F = np.array([0.0, 0.5, 3.1, 3.2, 20.0])
S = 2j * np.pi * F
COMPLIANCE = 1.0 / (MASS * S**2 + DAMPING * S + STIFFNESS)


@pytest.mark.parametrize("reduce", [True, False])
@pytest.mark.parametrize("name", ["push", "guide.force", "block.force.x"])
def test_oscillator(name: str, reduce: bool) -> None:
    """x/F = 1/(m s^2 + d s + c); speeds and accelerations s and s^2 of it, the spring carries -(c + d s) x."""
    outputs = [
        "guide.displacement",
        "guide.speed",
        "block.velocity.x",
        "block.acceleration.x",
        "block.position.x",
        "spring.force",
    ]
    found = pl.frequency_response(block(), name, outputs, frequencies=F, reduce=reduce)
    assert found.inputs == (name,) and found.outputs == tuple(outputs)
    assert found.linear.input_units == ("N",)
    closed = [COMPLIANCE, S * COMPLIANCE, S * COMPLIANCE, S**2 * COMPLIANCE, COMPLIANCE]
    for output, expected in zip(outputs, closed, strict=False):
        np.testing.assert_allclose(found.between(output), expected, rtol=1e-8, atol=1e-10 * np.abs(expected).max())
    tension = np.abs(found.between("spring.force"))
    np.testing.assert_allclose(tension, np.abs((STIFFNESS + DAMPING * S) * COMPLIANCE), rtol=1e-7)
    np.testing.assert_allclose(found.decibels(), 20 * np.log10(np.abs(COMPLIANCE)), rtol=1e-8)
    np.testing.assert_allclose(found.phase(), np.degrees(np.unwrap(np.angle(COMPLIANCE))), atol=1e-6)
    np.testing.assert_allclose(found.linear.peaks(), [math.sqrt(STIFFNESS / MASS)], rtol=1e-10)


@pytest.mark.parametrize("reduce", [True, False])
def test_imposed_motion(reduce: bool) -> None:
    """x/u = (d s + c)/(m s^2 + d s + c); the shaker bears m_foot s^2 u + m s^2 x. As a state-space model the input is u''."""
    found = pl.frequency_response(
        block(driven=True),
        "shaker",
        ["guide.displacement", "shaker.force", "rail.displacement"],
        frequencies=F[1:],
        reduce=reduce,
    )
    s, c = S[1:], COMPLIANCE[1:]
    transmitted = (DAMPING * s + STIFFNESS) * c
    np.testing.assert_allclose(found.between("guide.displacement"), transmitted, rtol=1e-8)
    np.testing.assert_allclose(found.between("shaker.force"), 5.0 * s**2 + MASS * s**2 * transmitted, rtol=1e-7)
    np.testing.assert_allclose(found.between("rail.displacement"), 1.0, rtol=1e-8)
    linear = found.linear
    assert linear.imposed == (True,) and linear.input_units == ("m/s^2",)
    np.testing.assert_allclose(from_states(linear, s)[:, 0, 0] * s**2, transmitted, rtol=1e-7)


def from_states(linear: pl.LinearModel, s: np.ndarray) -> np.ndarray:
    """C (s - A)^-1 B + D."""
    one = np.eye(len(linear.A))
    return np.array([linear.C @ np.linalg.solve(x * one - linear.A, linear.B) + linear.D for x in s])


def test_reaction_of_a_joint() -> None:
    """A pendulum hanging at rest, a torque T on its hinge: phi/T = 1/(J s^2 + m g l), force along x at the hinge = m l s^2 phi."""
    m = pl.Model("pendulum", gravity=(0, -9.81, 0))
    bob = m.body("bob", mass=2.0, inertia=(0.2, 0.2, 0.3), position=(0, -0.5, 0))
    m.revolute("hinge", m.ground, bob, at=(0, 0, 0), axis="z")
    for reduce in (True, False):
        found = pl.frequency_response(
            m, "hinge.torque", ["hinge.angle", "hinge.force.x", "hinge.force.y"], frequencies=F[1:], reduce=reduce
        )
        s = S[1:]
        angle = 1.0 / (0.8 * s**2 + 2.0 * 9.81 * 0.5)
        np.testing.assert_allclose(found.between("hinge.angle"), angle, rtol=1e-8)
        np.testing.assert_allclose(np.abs(found.between("hinge.force.x")), np.abs(2.0 * 0.5 * s**2 * angle), rtol=1e-7)
        np.testing.assert_allclose(found.between("hinge.force.y"), 0.0, atol=1e-6)


def test_two_masses_have_an_antiresonance() -> None:
    """An absorber: the driven mass stands still where the other one resonates on it, omega^2 = c_2/m_2."""
    m = pl.Model("absorber")
    a, b = (
        m.body(n, mass=x, inertia=(1, 1, 1), position=(i, 0, 0)) for i, (n, x) in enumerate((("a", 3.0), ("b", 0.5)), 1)
    )
    m.prismatic("ga", m.ground, a, axis="x")
    m.prismatic("gb", m.ground, b, axis="x")
    m.spring("sa", m.ground, a, at_a=(0, 0, 0), at_b=(1, 0, 0), stiffness=900.0)
    m.spring("sb", a, b, at_a=(1, 0, 0), at_b=(2, 0, 0), stiffness=200.0)
    linear = pl.linear_model(m, "ga.force", ["ga.displacement", "gb.displacement"])
    K, M = np.array([[1100.0, -200.0], [-200.0, 200.0]]), np.diag([3.0, 0.5])
    omega = np.sqrt(np.sort(np.linalg.eigvals(np.linalg.solve(M, K)).real))
    np.testing.assert_allclose(linear.peaks("ga.displacement"), omega, rtol=1e-10)
    np.testing.assert_allclose(linear.dips("ga.displacement"), [20.0], rtol=1e-8)
    assert linear.dips("gb.displacement").size == 0  # no zero on the way through
    np.testing.assert_allclose(np.sort(np.abs(linear.poles().imag)), np.repeat(omega, 2), rtol=1e-10)
    np.testing.assert_allclose(np.sort(linear.zeros(0).imag), [-20.0, 20.0], rtol=1e-8)
    poles, zeros = linear.minimal(0)
    assert len(poles) == 4 and len(zeros) == 2


def test_what_an_output_does_not_see_cancels() -> None:
    """Two oscillators that know nothing of each other: the response of one has its own pole alone."""
    m = pl.Model("two")
    for i, k in enumerate((100.0, 400.0)):
        b = m.body(f"b{i}", mass=1.0, inertia=(1, 1, 1), position=(0, i, 0))
        m.prismatic(f"g{i}", m.ground, b, axis="x")
        m.spring(f"s{i}", m.ground, b, at_a=(-1, i, 0), at_b=(0, i, 0), stiffness=k, damping=0.2)
    linear = pl.linear_model(m, ["g0.force", "g1.force"], ["g0.displacement", "g1.displacement"])
    for i, omega in enumerate((10.0, 20.0)):
        np.testing.assert_allclose(linear.peaks(i, i), [omega], rtol=1e-8)
        assert linear.dips(i, i).size == 0
    with pytest.raises(pl.PitchlineError, match=r'no output "g7"; this model has g0.displacement, g1.displacement'):
        linear.peaks("g7")
    with pytest.raises(pl.PitchlineError, match="no input 2; this model has 2"):
        linear.peaks(0, 2)


# --- against the settled motion of the nonlinear model ------------------------------------------------------------------

FREQUENCY = 7.0
OUTPUTS = ("hinge.angle", "hinge.angular_speed", "b.position.y", "b.velocity.x", "b.acceleration.y", "b.angular_velocity.z",
           "hinge.force.x", "mesh.normal_force", "mesh.approach", "mesh.force_b.y", "support.force.x")  # fmt: skip


def rig(**changed: Any) -> pl.Model:
    """Wheel A on a hinge with a torsion spring, wheel B on an elastic support; the teeth are loaded. changed: values that vary."""
    m = pl.Model("rig", plane="xy")
    a = m.gear_body("a", pl.Gear(teeth=20, normal_module=0.01, face_width=0.02), position=(0, 0, 0), axis="z")
    b = m.gear_body("b", pl.Gear(teeth=30, normal_module=0.01, face_width=0.02), mesh_with=a, towards=(1, 0.4, 0))
    hinge = m.revolute("hinge", m.ground, a)
    if "drive" in changed:
        m.drive("motor", hinge, angle=changed["drive"])
    else:
        m.torsion_spring("shaft", hinge, stiffness=60.0, damping=2.0)
    m.torque("load", hinge, changed.get("load", 15.0))
    m.force("push", b, (changed.get("push", 30.0), 0, 0), at=b.position + [0.02, 0.03, 0])
    m.torque("turn", b, (0, 0, changed.get("turn", 2.0)))
    m.bushing(
        "support", m.ground, b, at=b.position, stiffness=[3e4, 2e4, 0, 0, 0, 200.0], damping=[150, 120, 0, 0, 0, 2.0]
    )
    m.gear_pair("mesh", a, b, mesh=pl.Elastic(1e5, damping=60.0, damping_acts="always", backlash=0))
    return m


def settled(model: pl.Model, start: pl.Result, names: tuple[str, ...]) -> np.ndarray:
    run = pl.dynamics(model, duration=16 / FREQUENCY, step=1 / FREQUENCY / 800, start=start, newton_tolerance=1e-11)
    return np.array([complex_amplitude(run[name], FREQUENCY, 3) for name in names])


@pytest.mark.parametrize(
    ("name", "argument", "mean", "size"),
    [("load", "load", 15.0, 1e-2), ("push.x", "push", 30.0, 1e-2), ("turn.z", "turn", 2.0, 1e-3)],
)
def test_settled_motion_under_loads(name: str, argument: str, mean: float, size: float) -> None:
    """Amplitude and phase. The motion is 16 periods old: transients have died, exp(-zeta omega t) < 1e-7; steps err by
    (omega h)^2/12 = 5e-6 of the largest amplitudes (of the fastest modes, that follow quasi-statically, less)."""
    rest = pl.statics(rig())
    found = pl.frequency_response(rig(), name, list(OUTPUTS), frequencies=FREQUENCY, about=rest)
    shaken = settled(rig(**{argument: pl.Harmonic(size, FREQUENCY, math.pi / 2, mean)}), rest, OUTPUTS) / size
    for i, output in enumerate(OUTPUTS):
        assert shaken[i] == pytest.approx(found.between(output)[0], rel=2e-3), output


def test_settled_motion_under_an_imposed_motion() -> None:
    rest = pl.statics(rig(drive=0.0))
    outputs = (*OUTPUTS, "motor.torque")
    found = pl.frequency_response(rig(drive=0.0), "motor", list(outputs), frequencies=FREQUENCY, about=rest)
    # from rest: 1 - cos
    shaken = settled(rig(drive=pl.Harmonic(1e-5, FREQUENCY, -math.pi / 2, 1e-5)), rest, outputs) / -1e-5
    for i, output in enumerate(outputs):
        assert shaken[i] == pytest.approx(found.between(output)[0], rel=2e-3), output


def meshing(error: float = 0.0) -> pl.Model:
    """A is driven at constant speed, B on an elastic support and under load; an error of the teeth over the mesh cycle."""
    m = pl.Model("meshing", plane="xy")
    a = m.gear_body("a", pl.Gear(teeth=20, normal_module=0.01, face_width=0.02), position=(0, 0, 0), axis="z")
    b = m.gear_body("b", pl.Gear(teeth=30, normal_module=0.01, face_width=0.02), mesh_with=a, towards=(1, 0, 0))
    case = m.body("case", mass=2.0, inertia=0.01, position=b.position)
    m.drive("motor", m.revolute("hinge", m.ground, a), speed=2 * math.pi * FREQUENCY / 20)
    m.bushing(
        "support", m.ground, case, at=b.position, stiffness=[3e4, 2e4, 0, 0, 0, 200.0], damping=[150, 120, 0, 0, 0, 2.0]
    )
    bearing = m.revolute("bearing", case, b, axis="z")
    m.torque("load", bearing, 15.0)
    wave = pl.Varying(pl.Fourier("360 deg", 0.0, cos=[error], over="angle"), "mesh cycle")
    m.gear_pair(
        "mesh",
        a,
        b,
        mesh=pl.Elastic(1e5, damping=60.0, damping_acts="always", backlash=0, error=[wave], energy_consistent=False),
    )
    return m


def test_settled_motion_under_an_error_of_the_teeth() -> None:
    """x = X cos(z psi_A) along the line of action, as the teeth pass, linearised about the steady rotation without it."""
    size, outputs = (
        1e-6,
        ("bearing.angle", "case.position.y", "case.velocity.x", "mesh.normal_force", "hinge.force.y", "motor.torque"),
    )
    options: dict[str, Any] = {"duration": 50 / FREQUENCY, "step": 1 / FREQUENCY / 400, "newton_tolerance": 1e-11}
    steady = pl.dynamics(meshing(), start=pl.statics(meshing()), **options)
    found = pl.frequency_response(meshing(), "mesh.error", list(outputs), frequencies=FREQUENCY, about=steady)
    run = pl.dynamics(meshing(size), start=steady, **options)
    psi = run["mesh.psi_a"]
    error = complex_amplitude(pl.Signal("error", size * np.cos(20 * psi.values), psi.time, "m"), FREQUENCY, 5)
    assert abs(error) == pytest.approx(size, rel=1e-5)
    for name in outputs:
        assert complex_amplitude(run[name], FREQUENCY, 5) / error == pytest.approx(found.between(name)[0], rel=1e-3), (
            name
        )


# --- state space ------------------------------------------------------------------------------------------------------------


def test_state_space_and_direct_way_agree() -> None:
    """Loads, a motion and an error together, all kinds of outputs; the reduced coordinates do not matter."""
    model, rest = rig(drive=0.0), pl.statics(rig(drive=0.0))
    inputs = ["load", "push.x", "motor", "mesh.error", "b.force.y", "b.torque.z"]
    outputs = [*OUTPUTS, "motor.torque"]
    f = np.geomspace(0.5, 200.0, 7)
    found = [pl.frequency_response(model, inputs, outputs, frequencies=f, about=rest, reduce=r) for r in (True, False)]
    size = np.abs(found[0].response).max(axis=0)
    np.testing.assert_allclose(found[0].response, found[1].response, atol=1e-6 * size.max(), rtol=1e-5)
    linear = found[0].linear
    s = 2j * np.pi * f
    H = from_states(linear, s)
    for j, imposed in enumerate(linear.imposed):
        H[:, :, j] *= (s**2)[:, None] if imposed else 1.0
    assert linear.imposed == (False, False, True, True, False, False)  # dampers act on the rate of the error
    np.testing.assert_allclose(H, found[0].response, rtol=1e-6, atol=1e-8 * size.max())


def test_arrays_are_those_of_scipy() -> None:
    import scipy.signal

    linear = pl.linear_model(block(), "push", ["guide.displacement", "guide.speed"])
    system = scipy.signal.StateSpace(linear.A, linear.B, linear.C, linear.D)
    np.testing.assert_array_equal(system.A, linear.A)
    t, y = scipy.signal.step(system, T=np.linspace(0, 1, 101))
    omega, zeta = 20.0, DAMPING / (2 * math.sqrt(STIFFNESS * MASS))
    damped = omega * math.sqrt(1 - zeta**2)
    closed = (
        1 - np.exp(-zeta * omega * t) * (np.cos(damped * t) + zeta * omega / damped * np.sin(damped * t))
    ) / STIFFNESS
    np.testing.assert_allclose(y[:, 0], closed, atol=1e-9)


def test_default_frequencies_cover_the_poles() -> None:
    found = pl.frequency_response(block(), "push", "guide.displacement")
    natural = 20.0 / (2 * math.pi)
    assert found.frequency[0] == pytest.approx(natural / 3) and found.frequency[-1] == pytest.approx(3 * natural)
    assert len(found.frequency) >= 500


def test_default_frequencies_show_sharp_peaks() -> None:
    """|H| = 1/(2 ζ k) at resonance: with ζ = 1e-4 it lies between two of 500 steps over a decade, which see a tenth of it."""
    m = pl.Model("sharp")
    m.body("block", mass=1.0, inertia=(1, 1, 1))
    guide = m.prismatic("guide", m.ground, "block", axis="x")
    m.bushing("spring", m.ground, "block", stiffness=(400.0, 0, 0, 0, 0, 0), damping=(2 * 1e-4 * 20.0, 0, 0, 0, 0, 0))
    m.force("push", guide, 0.0)
    found = pl.frequency_response(m, "push", "guide.displacement")
    assert found.magnitude().max() == pytest.approx(1 / (2 * 1e-4 * 400.0), rel=0.05)
