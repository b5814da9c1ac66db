"""Stability of equilibria with controllers: the verdict of statics, the poles in closed form, and the motion after a small push."""

import numpy as np
import pytest
import scipy.linalg as la

import pitchline as pl

ex = pl.expression
INERTIA = 0.02
CART, ROD, ARM, ROD_INERTIA, GRAVITY = 2.0, 0.5, 0.4, 0.02, 9.81
PUSH = 1e-4


def cascade(current_lag: float, *, kp: float = 10.0, kv: float = 2.0, ki: float = 20.0) -> tuple[pl.Model, np.ndarray]:
    """Position (P), speed (PI) and current (lag T) control of a rotor, and its poles: J s^3 (T s + 1) + (kv s + ki)(s + kp) = 0."""
    m = pl.Model("axis")
    m.body("rotor", mass=1, inertia=(1, 1, INERTIA), angular_velocity=(0, 0, PUSH))
    m.revolute("axis", m.ground, "rotor", axis="z")
    m.add(pl.PID("position", setpoint=0.0, measured=ex("axis.angle"), proportional=kp))
    m.add(pl.PID("speed", setpoint=ex("position.output"), measured=ex("axis.speed"), proportional=kv, integral=ki))
    m.add(pl.TransferFunction("current", input=ex("speed.output"), numerator=[1], denominator=[current_lag, 1]))
    m.torque("motor", "axis", ex("current.output"))
    return m, np.roots([INERTIA * current_lag, INERTIA, kv, kv * kp + ki, ki * kp])


def inverted_pendulum(lag: float) -> tuple[pl.Model, np.ndarray]:
    """Rod on a cart with state feedback through a lag, upright, and its poles."""
    D = np.array([[CART + ROD, ROD * ARM], [ROD * ARM, ROD_INERTIA + ROD * ARM**2]])
    A, B = np.zeros((4, 4)), np.zeros((4, 1))
    A[:2, 2:], A[2:, :2] = np.eye(2), np.linalg.solve(D, [[0, 0], [0, ROD * GRAVITY * ARM]])
    B[2:, 0] = np.linalg.solve(D, [1, 0])
    gains = (B.T @ la.solve_continuous_are(A, B, np.eye(4), np.eye(1)))[0]
    m = pl.Model("inverted pendulum", gravity=(0, 0, -GRAVITY))
    m.body("cart", mass=CART, inertia=(0.1, 0.1, 0.1), position=(0, 0, 0), velocity=(PUSH, 0, 0))
    m.body("rod", mass=ROD, inertia=(ROD_INERTIA, ROD_INERTIA, 0.001), position=(0, 0, ARM), velocity=(PUSH, 0, 0))
    m.prismatic("rail", m.ground, "cart", axis="x")
    m.revolute("hinge", "cart", "rod", at=(0, 0, 0), axis="y")
    names = ("rail.displacement", "hinge.angle", "rail.speed", "hinge.speed")
    law = " ".join(f"- ({g!r})*{name}" for g, name in zip(gains.tolist(), names, strict=True))
    m.add(pl.TransferFunction("drive", input=ex(law), numerator=[1], denominator=[lag, 1]))
    m.force("push", "rail", ex("drive.output"))
    whole = np.block([[A, B], [-gains[None] / lag, np.array([[-1.0 / lag]])]])
    return m, np.linalg.eigvals(whole)


CASES = {
    "P-PI": lambda: cascade(1e-3),
    "P-PI, slow current": lambda: cascade(0.1),
    "P-PI, integral too large": lambda: cascade(1e-3, ki=20000.0),
    "P-PI, wrong sign": lambda: cascade(1e-3, kp=-2.0),
    "inverted pendulum": lambda: inverted_pendulum(5e-3),
    "inverted pendulum, slow drive": lambda: inverted_pendulum(0.5),
}


@pytest.mark.parametrize("case", CASES)
def test_verdict(case: str) -> None:
    model, expected = CASES[case]()
    found = pl.statics(model)
    poles = pl.linear_model(
        model, "axis.torque" if "P-PI" in case else "rail.force", "energy.kinetic", about=found
    ).poles()
    np.testing.assert_allclose(np.sort_complex(poles), np.sort_complex(expected), rtol=1e-6, atol=1e-6)
    growth = float(expected.real.max())
    texts = [text for text in found.warnings if "unstable" in text or "neutral" in text]
    if growth < 0:
        assert texts == []
    else:
        assert len(texts) == 1 and f"at {growth:.3g} 1/s" in texts[0], texts
    # after a push the slowest motion to decay, or the fastest one to grow, changes by exp(4) in half of the span
    span = 8.0 / abs(growth)
    run = pl.dynamics(model, duration=span, tolerance=1e-10, output_step=span / 200)
    moved = np.sqrt(np.abs(run["energy.kinetic"].values))
    assert (moved[-50:].max() > moved[50:100].max()) == (growth > 0)


def test_delay() -> None:
    """theta'' = -k theta(t - T) - c theta' with c = 0 is unstable for every delay; without delay it only oscillates."""
    for delay, unstable in ((None, False), (0.05, True)):
        m = pl.Model("delay")
        m.body("rotor", mass=1, inertia=(1, 1, INERTIA))
        m.revolute("axis", m.ground, "rotor", axis="z")
        law = "-0.5*axis.angle"
        if delay is not None:
            m.add(pl.Delay("sensor", input=ex("axis.angle"), time=delay))
            law = "-0.5*sensor.output"
        m.torque("motor", "axis", ex(law))
        assert any("unstable" in text for text in pl.statics(m).warnings) is unstable


@pytest.mark.parametrize("sticks", [False, True])
@pytest.mark.parametrize("pairs", [1, 2])
def test_feedback_through_elastic_teeth(pairs: int, sticks: bool) -> None:
    """The teeth are springs and dampers in the small motions, not constraints. Feedback of the speed of the other wheel makes them
    oscillate; two parallel pairs act as one."""
    J, k, c, held, gain, radius = np.diag([2e-4, 3e-3]), 1e7, 20.0, 50.0, 0.4, 0.02 * np.cos(np.deg2rad(20.0))
    m = pl.Model("feedback")
    m.gear_body("pinion", gear=pl.Gear(teeth=20, normal_module=2e-3, face_width=0.02), inertia=(1, 1, J[0, 0]))
    gear = pl.Gear(teeth=40, normal_module=2e-3, face_width=0.02)
    m.gear_body("wheel", gear=gear, mesh_with="pinion", towards=(1, 0, 0), inertia=(1, 1, J[1, 1]))
    m.revolute("first", "ground", "pinion")
    m.revolute("second", "ground", "wheel")
    friction = {"friction": 1e-12, "sticks": True} if sticks else {}
    for i in range(pairs):
        mesh = pl.Elastic(stiffness=k / pairs, damping=c / pairs, **friction)
        m.gear_pair(f"pair {i}", "pinion", "wheel", mesh=mesh)
    m.torsion_spring("spring", joint="first", stiffness=held)
    m.torque("load", "second", 3.0)
    m.torque("control", "first", ex(f"{gain}*second.speed"))
    found = pl.statics(m)
    along = radius * np.array([1.0, 2.0])
    K, D = k * np.outer(along, along), c * np.outer(along, along)
    K[0, 0] += held
    D[0, 1] -= gain
    poles = np.linalg.eigvals(
        np.block([[np.zeros((2, 2)), np.eye(2)], [-np.linalg.solve(J, K), -np.linalg.solve(J, D)]])
    )
    growth = float(poles.real.max())
    assert growth > 50.0
    texts = [text for text in found.warnings if "unstable" in text]
    assert len(texts) == 1 and f"oscillation that grows at {growth:.3g} 1/s" in texts[0], (texts, poles)


@pytest.mark.parametrize("friction", (None, 0.5))
@pytest.mark.parametrize("integral, rate", ((0.0, 1.0), (200.0, 1.0), (10.0, 0.0)))
def test_slip_of_a_belt_stays_held(friction: float | None, integral: float, rate: float) -> None:
    """Wheel A, on a belt without damping, is loaded; a PID holds wheel B. Both belts, with slip and without, have the poles of
    (J s^2 + k ra^2) (J s^3 + kd s^2 + (kp + k rb^2) s + ki) = s (k ra rb)^2."""
    ra, rb, distance, kp = 0.05, 0.1, 0.3, 100.0
    k = 2 * 50e3 / np.sqrt(distance**2 - (rb - ra) ** 2)
    m = pl.Model("belt")
    for name, x in (("a", 0.0), ("b", distance)):
        m.body(name, mass=1, inertia=(1, 1, INERTIA), position=(x, 0, 0))
        m.revolute("h" + name, m.ground, name, axis="z")
    m.belt_drive(
        "belt", "a", "b", radius_a=ra, radius_b=rb, tensile_stiffness="50 kN", pretension="300 N", friction=friction
    )
    m.add(
        pl.PID("servo", setpoint=0.0, measured=ex("hb.angle"), measured_rate=ex("hb.speed"), proportional=kp,
               integral=integral, derivative=rate)
    )  # fmt: skip
    m.torque("motor", "hb", ex("servo.output"))
    m.torque("load", "ha", 5.0)
    a = np.array([INERTIA, 0.0, k * ra**2])
    b = np.array([INERTIA, rate, kp + k * rb**2, integral])
    poles = np.roots(np.polysub(np.polymul(a, b), [(k * ra * rb) ** 2, 0.0]))
    texts = pl.statics(m).warnings
    growth = poles[np.abs(poles) > 1e-9].real.max()
    if growth < 0.0:
        assert texts == []
    else:
        assert len(texts) == 1 and f"that grows at {growth:.3g} 1/s" in texts[0]


@pytest.mark.parametrize("friction", (None, 0.5))
def test_a_belt_that_nothing_holds_is_neutral(friction: float | None) -> None:
    m = pl.Model("belt")
    for name, x in (("a", 0.0), ("b", 0.3)):
        m.body(name, mass=1, inertia=(1, 1, INERTIA), position=(x, 0, 0))
        m.revolute("h" + name, m.ground, name, axis="z")
    m.belt_drive(
        "belt", "a", "b", radius_a=0.05, radius_b=0.1, tensile_stiffness="50 kN", pretension="300 N", friction=friction
    )
    (text,) = pl.statics(m).warnings
    assert "neutral in 1 direction" in text
