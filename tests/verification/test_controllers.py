"""Controllers against closed forms: poles and responses of closed loops, delays, sampled control, limits."""

import numpy as np
import pytest
import scipy.signal
from references.controlled_axis import FRICTION, INERTIA, controlled, pid_matrices, rotor, sampled_reference
from scipy.integrate import solve_ivp

import pitchline as pl

ex = pl.expression
GAINS = {"proportional": 5.0, "integral": 12.0, "derivative": 0.4}
PERIOD = 0.01


def pid(**more: object) -> pl.PID:
    given = {"setpoint": 1.0, "measured": ex("axis.angle"), **GAINS, "derivative_filter": "2 ms", **more}
    return pl.PID("pid", **given)


def closed_loop(**more: object) -> pl.Model:
    return controlled(pid(**more), f"pid.output - {FRICTION}*axis.speed")


def test_poles_and_responses_of_a_closed_loop() -> None:
    A, B, C, D = pid_matrices(5.0, 12.0, 0.4, 2e-3)
    names = ["pid.setpoint", "axis.torque"], ["axis.angle", "pid.output", "pid.error"]
    linear = pl.linear_model(closed_loop(), *names)
    expected = np.sort_complex(np.linalg.eigvals(A))
    np.testing.assert_allclose(np.sort_complex(linear.poles()), expected, rtol=1e-12)
    f = np.array([0.1, 1.0, 10.0, 100.0])
    H = np.array([C @ np.linalg.solve(2j * np.pi * x * np.eye(4) - A, B) + D for x in f])
    found = pl.frequency_response(closed_loop(), *names, frequencies=list(f))
    np.testing.assert_allclose(found.response[:, 0], H[:, 0], rtol=1e-12)
    np.testing.assert_allclose(found.response, H, rtol=5e-9)
    np.testing.assert_allclose(linear.at(f), found.response, rtol=1e-9)
    assert linear.to_scipy().A.shape == (4, 4) and linear.inputs == ("pid.setpoint", "axis.torque")
    modes = pl.modes(closed_loop())
    assert np.any(np.isclose(modes.frequencies, abs(expected[1]) / (2 * np.pi), rtol=1e-9))


def test_the_open_loop_is_that_of_a_controller_which_reads_another_input() -> None:
    """Bode of the loop: P + I/s + D s/(T s + 1) in front of 1/(J s^2 + c s)."""
    m = closed_loop(measured=0.0, setpoint=0.0)
    f = np.array([0.5, 3.0, 40.0])
    s = 2j * np.pi * f
    controller = 5.0 + 12.0 / s + 0.4 * s / (2e-3 * s + 1.0)
    found = pl.frequency_response(m, "pid.measured", "axis.angle", frequencies=list(f))
    np.testing.assert_allclose(found.response[:, 0, 0], -controller / (INERTIA * s**2 + FRICTION * s), rtol=1e-9)


@pytest.mark.parametrize("mode", ["back_calculation", "clamp"])
def test_limits_and_windup(mode: str) -> None:
    P, I, D, top = 3.0, 6.0, 0.3, 0.4
    m = controlled(
        pid(
            setpoint=2.0,
            proportional=P,
            integral=I,
            derivative=D,
            derivative_filter=0.0,
            measured_rate=ex("axis.speed"),
            lower="-0.4 N*m",
            upper="0.4 N*m",
            anti_windup=mode,
        ),
        "pid.output",
    )

    def rates(t: float, y: np.ndarray) -> list[float]:
        u = P * (2 - y[0]) + y[2] - D * y[1]
        limited, change, T = min(max(u, -top), top), I * (2 - y[0]), np.sqrt(D / I)
        if mode == "back_calculation":
            change += (limited - u) / T
        else:
            room = np.copysign(top, change) - u
            change = 0.0 if change * room < 0 else np.copysign(min(abs(change), abs(room) / (0.01 * T)), change)
        return [y[1], limited / INERTIA, change]

    exact = solve_ivp(rates, (0, 2), [0, 0, 0], rtol=1e-9, atol=1e-11, max_step=2e-3).y[0, -1]
    run = pl.dynamics(m, duration=2, step="1 ms")
    assert abs(run["axis.angle"].values[-1] - exact) < (1e-5 if mode == "back_calculation" else 1e-4)  # kinks
    assert np.abs(run["pid.output"].values).max() == top
    assert run["pid.saturation"].values[0] == pytest.approx(top - 6.0)


@pytest.mark.parametrize("mode", ["back_calculation", "clamp"])
def test_statics_has_no_error_within_the_limits_and_the_limit_outside(mode: str) -> None:
    m = closed_loop(lower=-0.4, upper=0.4, anti_windup=mode)
    m.torque("load", "axis", "-0.1 N*m")
    rest = pl.statics(m)
    np.testing.assert_allclose([rest["axis.angle"].values[0], rest["pid.output"].values[0]], [1.0, 0.1], rtol=1e-9)
    held = controlled(pid(lower=-0.4, upper=0.4, anti_windup=mode), "pid.output - axis.angle")
    np.testing.assert_allclose(pl.statics(held)["axis.angle"].values, 0.4, rtol=1e-9)


@pytest.mark.parametrize("size", [1.0, 1e3, 1e6])
def test_statics_with_integrals_of_any_size(size: float) -> None:
    m = controlled(
        pid(setpoint=0.3, proportional=size, integral=size, derivative=0.0, derivative_filter=0), "pid.output"
    )
    m.torque("load", "axis", -size)
    rest = pl.statics(m)
    np.testing.assert_allclose([rest["axis.angle"].values[0], rest["pid.output"].values[0]], [0.3, size], rtol=1e-9)


def test_dynamics_is_of_second_order() -> None:
    numerator, denominator = [2.0, 3.0], [1.0, 4.0, 30.0]
    m = controlled(
        pl.TransferFunction("plant", input=1.0, numerator=numerator, denominator=denominator), "0*plant.output"
    )
    errors = []
    for step in (4e-3, 2e-3):
        run = pl.dynamics(m, duration=1, step=step)
        _, y = scipy.signal.step((numerator, denominator), T=run.time)
        errors.append(np.abs(run["plant.output"].values - y).max())
    assert errors[1] < 5e-6 and np.log2(errors[0] / errors[1]) == pytest.approx(2.0, abs=0.1)


def test_transfer_functions_with_coefficients_of_very_different_size() -> None:
    num, den = [1e9, 3e12], [1.0, 2e3, 5e7, 1e10, 0.0]
    m = controlled(pl.TransferFunction("g", input=0.0, numerator=num, denominator=den), "-axis.angle-0.1*axis.speed")
    f = np.array([0.01, 1.0, 100.0, 1e4])
    s = 2j * np.pi * f
    found = pl.frequency_response(m, "g.input", "g.output", frequencies=list(f)).response[:, 0, 0]
    np.testing.assert_allclose(found, np.polyval(num, s) / np.polyval(den, s), rtol=1e-12)


@pytest.mark.parametrize(
    "given",
    [
        {"kind": "low_pass", "order": 5},
        {"kind": "low_pass", "order": 6, "shape": "bessel"},
        {"kind": "high_pass", "order": 3},
        {"kind": "high_pass", "order": 4, "shape": "bessel"},
    ],
)
def test_low_and_high_passes_have_3_db_at_their_frequency(given: dict[str, object]) -> None:
    m = controlled(pl.Filter("f", input=0.0, frequency="40 Hz", **given), "-axis.angle-0.1*axis.speed")
    H = np.abs(pl.frequency_response(m, "f.input", "f.output", frequencies=[1e-3, 40.0, 4e4]).response[:, 0, 0])
    ends = [1.0, 0.0] if given["kind"] == "low_pass" else [0.0, 1.0]
    np.testing.assert_allclose(H, [ends[0], np.sqrt(0.5), ends[1]], atol=1e-5)
    np.testing.assert_allclose(H[1], np.sqrt(0.5), rtol=1e-9)


def test_notch_and_band_pass() -> None:
    edges = 40.0 * (np.sqrt(1 + 1 / 36) + np.array([-1, 1]) / 6)  # -3 dB at f (sqrt(1 + 1/(4 Q^2)) -+ 1/(2 Q)), Q = 3
    for kind in ("notch", "band_pass"):
        m = controlled(pl.Filter("f", input=0.0, frequency="40 Hz", kind=kind, quality=3), "-axis.angle-0.1*axis.speed")
        f = [1e-6, 40.0, *edges]
        H = np.abs(pl.frequency_response(m, "f.input", "f.output", frequencies=f).response[:, 0, 0])
        expected = [1.0, 0.0] if kind == "notch" else [0.0, 1.0]
        np.testing.assert_allclose(H, [*expected, np.sqrt(0.5), np.sqrt(0.5)], atol=1e-7)


# ---- delays


@pytest.mark.parametrize(("step", "allowed"), [(1e-3, 1e-12), (4e-3, 1e-12), (7e-3, 3e-3), (0.13, 1.0)])
def test_a_delay_in_time(step: float, allowed: float) -> None:
    """Exact at steps that divide the delay; straight lines between the steps otherwise, also if steps are longer."""
    sine = pl.Harmonic(amplitude=1, frequency="3 Hz")
    m = controlled(pl.Delay("d", input=sine, time="0.1 s"), "0.01*d.output")
    run = pl.dynamics(m, duration=1.3, step=step)
    t = run.time
    expected = np.where(t < 0.1, 0.0, np.sin(6 * np.pi * (t - 0.1)))
    stepped = np.interp(np.maximum(t - 0.1, 0.0), t, np.sin(6 * np.pi * t))
    np.testing.assert_allclose(run["d.output"].values, stepped, atol=1e-9)
    assert np.abs(run["d.output"].values - expected).max() < allowed


def test_a_delay_stores_a_limited_number_of_points() -> None:
    sine = pl.Harmonic(amplitude=1, frequency="3 Hz")
    m = controlled(pl.Delay("d", input=sine, time="0.1 s", points=50), "0.01*d.output")
    run = pl.dynamics(m, duration=0.5, step="0.1 ms")
    late = run.time > 0.1
    error = run["d.output"].values[late] - np.sin(6 * np.pi * (run.time[late] - 0.1))
    bound = (6 * np.pi * 0.1 / 47 * 1.1) ** 2 / 8
    assert 0.3 * bound < np.abs(error).max() < bound


def test_poles_of_a_loop_with_a_delay_are_those_of_the_exact_equation() -> None:
    """J s^2 + c s + k exp(-s T) = 0."""
    k, c, T = 2.0, 0.2, 0.02
    m = controlled(pl.Delay("d", input=ex("axis.angle"), time=T), f"-{k}*d.output - {c}*axis.speed")
    poles = pl.linear_model(m, "axis.torque", "axis.angle").poles()
    s = complex(poles[np.argmin(np.abs(poles))])
    assert abs(INERTIA * s * s + c * s + k * np.exp(-s * T)) < 1e-12
    f = np.array([0.1, 1.0, 10.0])
    w = 2j * np.pi * f
    H = pl.frequency_response(m, "axis.torque", "axis.angle", frequencies=list(f)).response[:, 0, 0]
    np.testing.assert_allclose(H, 1 / (INERTIA * w**2 + c * w + k * np.exp(-w * T)), rtol=1e-10)
    pull = controlled(pl.Delay("d", input=ex("axis.angle"), time=T), "1 - 2*d.output")
    np.testing.assert_allclose(pl.statics(pull)["axis.angle"].values, 0.5, rtol=1e-9)


# ---- sampled controllers


def sampled(**more: object) -> pl.Model:
    element = pl.SampledPID(
        "c",
        setpoint=1.0,
        measured=ex("axis.angle"),
        proportional=2,
        integral=1,
        derivative=0.2,
        sample_time=PERIOD,
        **more,
    )
    return controlled(element, "c.output")


@pytest.mark.parametrize(
    ("given", "reference"),
    [({}, {}), ({"resolution": 0.05}, {"resolution": 0.05}), ({"computing_delay": True}, {"delayed": True})],
)
@pytest.mark.parametrize("step", [PERIOD, 1e-3])
def test_sampled_control_is_the_exact_recursion(
    given: dict[str, object], reference: dict[str, object], step: float
) -> None:
    angles, outputs = sampled_reference(50, PERIOD, 2.0, 1.0, 0.2, **reference)
    run = pl.dynamics(sampled(**given), duration=0.5, step=step)
    at = np.rint(np.arange(51) * PERIOD / step).astype(int)
    np.testing.assert_allclose(run["axis.angle"].values[at], angles, atol=1e-12)
    np.testing.assert_allclose(run["c.output"].values[at[:-1]], outputs, atol=1e-11)


@pytest.mark.parametrize("options", [{"step": 0.003}, {"step": 0.025}, {}, {"tolerance": 1e-9}])
def test_steps_end_at_the_samples(options: dict[str, object]) -> None:
    angles, _ = sampled_reference(50, PERIOD, 2.0, 1.0, 0.2)
    run = pl.dynamics(sampled(), duration=0.5, **options)
    assert run["axis.angle"].values[-1] == pytest.approx(angles[-1], abs=1e-12)
    assert not any("was reduced" in text for text in run.warnings)


def test_sampled_transfer_functions_and_laws() -> None:
    """The same PI law three times: a difference equation, a Python function with a state, and the PID."""
    P, I = 2.0, 3.0
    common = {"sample_time": PERIOD}
    error = ex("1 - axis.angle")
    m = controlled(
        pl.SampledTransferFunction("tf", input=error, numerator=[P, I * PERIOD - P], denominator=[1, -1], **common),
        "tf.output - 0.1*axis.speed",
        pl.SampledLaw(
            "law",
            input=error,
            law=lambda t, u, v, state: 2.0 * u + state,
            next_state=lambda t, u, v, state: state + 3.0 * 0.01 * u,
            **common,
        ),
        pl.SampledPID("pid", setpoint=1, measured=ex("axis.angle"), proportional=P, integral=I, **common),
    )
    run = pl.dynamics(m, duration=0.5, step="2 ms")
    np.testing.assert_allclose(run["law.output"].values, run["pid.output"].values, atol=1e-12)
    np.testing.assert_allclose(run["tf.output"].values, run["pid.output"].values, atol=1e-12)


def test_chained_runs_continue_controllers(tmp_path: object) -> None:
    m = sampled()
    m.add(pl.Delay("d", input=ex("axis.angle"), time="33 ms"))
    m.add(pl.Relay("r", input=ex("axis.angle"), switch_on=0.5, switch_off=0.2))
    m.add(pl.Filter("f", input=ex("axis.angle"), frequency="5 Hz"))
    whole = pl.dynamics(m, duration=0.5, step="1 ms")
    for cut in ("0.25 s", "0.255 s"):
        first = pl.dynamics(m, duration=cut, step="1 ms")
        first.save(tmp_path / "first.h5", overwrite=True)
        for start in (first, pl.Result.load(tmp_path / "first.h5")):
            rest = pl.dynamics(m, duration=0.5 - first.time[-1], step="1 ms", start=start)
            for name in ("axis.angle", "c.output", "d.output", "r.output", "f.output"):
                np.testing.assert_allclose(rest[name].values[-1], whole[name].values[-1], atol=1e-11, err_msg=name)


def test_lookup_limiter_deadband_integral_and_rate_limiter() -> None:
    ramp = pl.Polynomial([-1.0, 1.0])  # t - 1
    m, hinge = rotor()
    m.add(pl.Lookup("table", input=ramp, x=[-0.5, 0, 0.5], y=[1, 0, 4]))
    m.add(pl.Lookup("smooth", input=ramp, x=[-0.5, 0, 0.5], y=[1, 0, 4], smooth=True, outside="extend"))
    m.add(pl.Lookup2D("map", input_x=ramp, input_y=ex("t"), x=[-1, 0, 1], y=[0, 2], table=[0, 2, 0, 4, 0, 6]))
    m.add(pl.Limiter("limit", input=ramp, lower=-0.25))
    m.add(pl.Deadband("dead", input=ramp, half_width=0.25))
    m.add(pl.Integral("integral", input=ramp, lower=-0.2))
    m.add(pl.RateLimiter("slow", input=ex("step(t - 0.5)"), rise=2.0, time_constant="1 ms"))
    m.add(pl.Relay("relay", input=ramp, switch_on=0.5, switch_off=0.2, high="5 N*m"))
    m.add(pl.NamedSignal("sum", source=ex("limit.output + dead.output")))
    m.torque("motor", hinge, ex("0*sum.value"))
    run = pl.dynamics(m, duration=2, step="1 ms")
    t, u = run.time, run.time - 1.0

    def close(name: str, expected: np.ndarray, tolerance: float = 1e-9) -> None:
        np.testing.assert_allclose(run[name].values, expected, atol=tolerance)

    close("table.output", np.interp(u, [-0.5, 0, 0.5], [1, 0, 4]))
    close("map.output", (2 + 2 * (u + 1)) * t / 2)
    close("limit.output", np.maximum(u, -0.25))
    close("dead.output", np.sign(u) * np.maximum(np.abs(u) - 0.25, 0))
    close("sum.value", run["limit.output"].values + run["dead.output"].values, 0.0)
    falling = np.maximum(t**2 / 2 - t, -0.2)
    close("integral.output", np.where(u < 0, falling, -0.2 + u**2 / 2), 2e-3)
    assert run["integral.output"].values.min() == -0.2
    close("slow.output", np.clip(2.0 * (t - 0.5), 0, 1), 3e-3)
    close("relay.output", np.where(u >= 0.5 - 1e-9, 5.0, 0.0))
    inside = np.abs(u) <= 0.5
    from scipy.interpolate import PchipInterpolator

    np.testing.assert_allclose(
        run["smooth.output"].values[inside], PchipInterpolator([-0.5, 0, 0.5], [1, 0, 4])(u[inside]), atol=1e-12
    )
    assert run["smooth.output"].values[-1] > 4.0


def test_loops_of_signals_with_a_state_in_between() -> None:
    """A plant that is a transfer function, in the loop of a controller: all poles are those of the closed form."""
    m = controlled(
        pl.TransferFunction("plant", input=ex("c.output"), numerator=[1], denominator=[1, 1, 0]),
        "-axis.angle-0.1*axis.speed",
        pl.PID("c", setpoint=1.0, measured=ex("plant.output"), proportional=4),
    )
    poles = pl.linear_model(m, "c.setpoint", "plant.output").poles()
    for root in np.roots([1, 1, 4]):
        assert np.abs(poles - root).min() < 1e-12
    np.testing.assert_allclose(pl.statics(m)["plant.output"].values, 1.0, rtol=1e-9)


def test_energy_balance_with_a_controller() -> None:
    run = pl.dynamics(closed_loop(), duration=1, step="0.5 ms")
    work = np.abs(run["energy.work"].values).max()
    assert np.abs(run["energy.balance_error"].values).max() < 1e-4 * work
