"""Signals that elements read: values, derivatives of whole systems, orders of evaluation, closed forms."""

import math

import numpy as np
import pytest

import pitchline as pl
from pitchline.engine.compile.compiler import compile_model
from pitchline.engine.compile.rank import Evaluator
from pitchline.extend import TANGENT, Element, coordinates, input_signal, number, output_signal


class Lag(Element):
    """First-order lag with a direct part."""

    u = input_signal("", "input")
    time_constant = number("s", "time constant", check=(0.1, 1.0))
    direct = number("", "direct part", 0.0, check=(0.1, 1.0))
    state = coordinates(1, "", "state", order=1)
    y = output_signal("", "output")

    def evaluate(s, m, x, w, ask, r, J):
        r[0] += x.state_rate[0] - (x.u.value - x.state[0]) / s.time_constant
        if ask.mode == TANGENT:
            J[0, 0] += ask.D + ask.K / s.time_constant
            J[0, x.u.column] -= 1.0 / s.time_constant

    def respond(s, m, x, w, ask, y, Y):
        y[0] = x.state[0] + s.direct * x.u.value
        Y[0, 0] = 1.0
        Y[0, x.u.column] = s.direct


def hinged(name: str = "axis") -> tuple[pl.Model, object]:
    m = pl.Model(name)
    wheel = m.body("wheel", mass=1, inertia=(1, 1, 0.5))
    return m, m.revolute("hinge", m.ground, wheel, axis="z")


def tangled() -> pl.Model:
    """Free and jointed bodies, each load depending on signals of others."""
    m = pl.Model("tangled", gravity=(0, 0, "-9.81 m/s^2"))
    a = m.body(
        "a",
        mass=1,
        inertia=(1, 2, 2.5),
        position=(0.3, -0.2, 0.1),
        velocity=(0.3, 0.1, 0.2),
        angular_velocity=(1, -2, 0.5),
    )
    b = m.body(
        "b",
        mass=2,
        inertia=(1, 2, 1.5),
        position=(1.0, 0.4, 0.0),
        velocity=(0.5, -0.4, 0.1),
        angular_velocity=(0.2, 0.4, 1),
    )
    m.revolute("knee", a, b, at=(0.6, 0.1, 0.0), axis=(1, 2, 3))
    c = m.body("c", mass=1, inertia=(1, 1, 0.5), position=(2, 0, 0), angular_velocity=(0, 0, 3))
    m.revolute("hinge", m.ground, c, axis="z")
    m.add(Lag("lag", u=pl.expression("a.velocity.x*b.position.y + hinge.angle"), time_constant=0.3, direct=0.4))
    m.add(Lag("second", u=pl.expression("lag.y**2 + knee.angle*knee.speed"), time_constant=0.1, direct=-0.2))
    m.sensor("tip", on="b", at=(1.3, 0.2, -0.4))
    m.torque(
        "on knee",
        "knee",
        pl.expression(
            "second.y*hinge.angular_speed - 3*knee.angle + a.angular_velocity.z + tip.velocity.y*tip.position.z"
        ),
    )
    m.force(
        "on a",
        "a",
        (pl.expression("lag.state - b.velocity.z"), "2 N", pl.expression("second.y")),
        axes="body",
        at=(0.5, 0, 0),
    )
    m.torque("on b", "b", (0, pl.expression("a.position.z*hinge.angle"), "1 N*m"), reaction="a")
    m.torque("on c", "hinge", lambda t, angle, speed: math.sin(3 * t) - 0.2 * angle * speed)
    return m


def test_the_tangent_of_a_system_is_the_derivative_of_its_residual():
    """Rows of motion and of states, by positions and rates of all coordinates, at a random state."""
    system, state = compile_model(tangled(), until=1.0)
    rng = np.random.default_rng(3)
    state.own[:] = rng.normal(size=state.own.size)
    state.v += 0.3 * rng.normal(size=state.v.size)
    evaluator = Evaluator(system)
    n = system.n_q

    def residual(dq: np.ndarray, dv: np.ndarray) -> np.ndarray:
        moved = state.copy()
        system.displace(moved, dq)
        moved.v += dv
        return evaluator.residual(moved)

    for name, K in (("stiffness", True), ("damping", False)):
        _, J = evaluator.tangent(state, mass=0.0, **{name: 1.0}, small_as_array=True)
        for j in range(n):
            e = 1e-5 * np.eye(n)[j]
            zero = np.zeros(n)
            plus, minus = (residual(s * e, zero) if K else residual(zero, s * e) for s in (1.0, -1.0))
            expected = (plus - minus)[:n] / 2e-5
            np.testing.assert_allclose(
                J[:n, j], expected, atol=2e-8 * max(1.0, np.abs(expected).max()), err_msg=f"{name} {j}"
            )


def test_a_torque_from_angle_and_speed_against_the_closed_form():
    m, hinge = hinged()
    m.torque("motor", hinge, lambda t, angle, speed: 3.0 - 0.4 * speed)
    speeds = [pl.dynamics(m, duration="2 s", step=h)["hinge.angular_speed"].values[-1] for h in (0.02, 0.01)]
    errors = [abs(v - 7.5 * (1 - math.exp(-1.6))) for v in speeds]
    assert errors[1] < 1e-4
    assert errors[0] / errors[1] == pytest.approx(4.0, rel=0.1)


def test_poles_of_a_loop_with_a_state_are_those_of_its_matrix():
    m, hinge = hinged()
    m.add(Lag("lag", u=pl.expression("1 - hinge.angle"), time_constant="0.2 s", direct=0.1))
    m.torque("spring", hinge, pl.expression("k*lag.y - d*hinge.speed", k="8 N*m/rad", d=1.5))
    A = np.array([[0, 1, 0], [-1.6, -3, 16], [-5, 0, -5]])
    poles = np.linalg.eigvals(A)
    found = pl.modes(m)
    np.testing.assert_allclose(found.eigenvalues[0], poles[np.argmax(poles.imag)], rtol=1e-9)
    assert pl.statics(m)["hinge.angle"].values[-1] == pytest.approx(1.0, abs=1e-12)


def test_outputs_are_recorded():
    m, _ = hinged()
    m.add(Lag("lag", u="2 rad", time_constant="0.2 s", direct=0.5))
    run = pl.dynamics(m, duration="1 s", step="1 ms")
    expected = 2 * (1 - np.exp(-run.time / 0.2)) + 1.0
    np.testing.assert_allclose(run["lag.y"].values, expected, atol=2e-5)


def test_a_drive_follows_another_joint_like_an_electronic_gear():
    """Angle of the second joint three times that of the first; its torque does not act on the first."""
    m, hinge = hinged()
    other = m.body("other", mass=1, inertia=(1, 1, 2.0), position=(1, 0, 0))
    second = m.revolute("second", m.ground, other, at=(1, 0, 0), axis="z")
    m.torque("on first", hinge, "0.5 N*m")
    m.drive("servo", second, angle=pl.expression("3*hinge.angle + 0.1*sin(5*t)"))
    run = pl.dynamics(m, duration="1 s", step="1 ms")
    t = run.time
    np.testing.assert_allclose(run["hinge.angle"].values, 0.5 * t**2, atol=1e-6)
    np.testing.assert_allclose(run["second.angle"].values, 1.5 * t**2 + 0.1 * np.sin(5 * t), atol=3e-6)
    np.testing.assert_allclose(run["servo.torque"].values[30:], (6.0 - 5.0 * np.sin(5 * t))[30:], atol=1e-3)
    assert np.abs(run["energy.balance_error"].values).max() < 1e-4


def test_a_loop_without_a_state_is_refused():
    m, _ = hinged()
    m.add(Lag("one", u=pl.expression("two.y"), time_constant=1, direct=1))
    m.add(Lag("two", u=pl.expression("one.y"), time_constant=1, direct=1))
    with pytest.raises(pl.ModelError, match=r"loop without a state: two -> one -> two.*filter"):
        pl.dynamics(m, duration=0.1)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("nobody.angle", 'no joint, body or element "nobody"'),
        ("hinge.torque", '"hinge.torque" cannot be read during the computation.*hinge.angle'),
        ("wheel.velocity", "cannot be read"),
    ],
)
def test_signals_that_do_not_exist_are_named(text, message):
    m, hinge = hinged()
    m.torque("motor", hinge, pl.expression(text))
    with pytest.raises(pl.ModelError, match=message):
        m.check()


def test_a_drive_cannot_follow_a_speed():
    m, hinge = hinged()
    m.drive("servo", hinge, angle=pl.expression("0.1*wheel.angular_velocity.z"))
    with pytest.raises(pl.ModelError, match="cannot depend on the speed"):
        m.check()


def test_an_exception_in_a_slow_function_is_reported():
    m, hinge = hinged()
    table = {0: 1.0}
    m.torque("motor", hinge, pl.slow(lambda t, speed: table[int(t > 0.05)]))
    with pytest.raises(pl.SolveError, match="KeyError") as caught:
        pl.dynamics(m, duration=0.1, step=0.01)
    assert caught.value.result.time[-1] <= 0.06


def test_expressions_in_model_files(tmp_path):
    m, hinge = hinged()
    m.torque("motor", hinge, pl.expression("k*(1 - hinge.angle)", k="2 N*m/rad"))
    m.force("push", "wheel", (pl.expression("wheel.position.x"), 0, 0))
    again = pl.load(m.to_toml(tmp_path / "axis.toml") and tmp_path / "axis.toml").model
    assert again.to_toml() == m.to_toml()
    assert again.loads["motor"].function == m.loads["motor"].function


def test_a_law_that_is_not_a_number_during_the_run_stops_it():
    """The square root of a negative number: the run stops there and keeps what was computed."""
    m, hinge = hinged()
    m.torque("motor", hinge, pl.expression("1 + sqrt(0.1 - hinge.angle)"))
    with pytest.raises(pl.SolveError, match=r'torque "motor": .*math domain error') as caught:
        pl.dynamics(m, duration=1, step=1e-2)
    assert 0.0 < caught.value.result.time[-1] < 1.0
