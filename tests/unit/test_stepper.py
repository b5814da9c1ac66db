"""Stepper: the numbers of `dynamics`, inputs, states, messages."""

from pathlib import Path

import numpy as np
import pytest

import pitchline as pl
from pitchline import gallery

STEP, INTERVAL = 1e-5, 1e-4


def gear_pair(*, motor="torque", mesh=None, backlash="50 um") -> pl.Model:
    m = pl.Model("pair")
    gear = pl.Gear(teeth=25, normal_module="4 mm", face_width="15 mm")
    pinion = m.gear_body("pinion", gear)
    wheel = m.gear_body("wheel", gear, mesh_with=pinion, towards="x")
    m.revolute("input", m.ground, pinion)
    m.revolute("output", m.ground, wheel)
    m.gear_pair("mesh", pinion, wheel, mesh=mesh or pl.Elastic("2.6e8 N/m", damping_ratio=0.05, backlash=backlash))
    if motor == "torque":
        m.torque("motor", "input", "100 N*m")
    elif motor == "speed":
        m.drive("motor", "input", speed="100 rad/s")
    else:
        m.drive("motor", "input", angle=0.1)
    m.torque("load", "output", "50 N*m")
    return m


def rotor() -> pl.Model:
    m = pl.Model("rotor")
    disc = m.body("disc", mass="2 kg", inertia=("0.1 kg*m^2", "0.1 kg*m^2", "0.2 kg*m^2"))
    m.revolute("axle", m.ground, disc, axis="z")
    m.torque("motor", "axle", 0.0)
    return m


def gallery_model(name: str) -> pl.Model:
    return pl.load(Path(gallery.__file__).parent / "models" / f"{name}.toml").model


def series(stepper: pl.Stepper, count: int, interval=INTERVAL, setting=None) -> np.ndarray:
    rows = []
    for k in range(count):
        if setting is not None:
            stepper.set(setting(k))
        stepper.advance(interval)
        rows.append(np.concatenate([np.atleast_1d(value) for value in stepper.output_list()]))
    return np.array(rows)


def differences(model: pl.Model, *, step=STEP, interval=INTERVAL, count=20, **options) -> dict[str, float]:
    """Signals of a stepper that differ from those of `dynamics`, with their largest difference."""
    run = pl.dynamics(model, duration=count * interval, step=step, output_step=interval, **options)
    stepper = pl.Stepper(model, step=step, outputs=[name for name in pl.signals_of(model) if name in run], **options)
    found = {}
    for k in range(count + 1):
        if k:
            stepper.advance(interval)
        for name, value in stepper.values().items():
            expected = np.asarray(run[name].values[k])
            if not np.array_equal(expected, value, equal_nan=True):
                found[name] = max(found.get(name, 0.0), float(np.max(np.abs(expected - value))))
    assert stepper.statistics["steps"] == run.statistics["steps"]
    assert stepper.statistics["evaluator"] == run.statistics["evaluator"]
    return found


@pytest.mark.parametrize("motor", ["torque", "speed"])
@pytest.mark.parametrize("options", [{}, {"reduce": False}])
def test_motion_is_that_of_dynamics(motor, options):
    """All signals, in the loop for trains and in the general one, to the last bit."""
    assert differences(gear_pair(motor=motor), **options) == {}


def test_motion_of_gears_without_backlash_is_that_of_dynamics():
    assert differences(gear_pair(mesh=pl.Elastic("2.6e8 N/m", damping_ratio=0.05))) == {}


@pytest.mark.parametrize(
    ("name", "step", "interval"),
    [("speed-control", 5e-5, 2e-4), ("servo-axis", 5e-5, 1e-3), ("stick-slip", 1e-3, 1e-2), ("governor", 1e-3, 5e-3)],
)
def test_motion_of_gallery_models_is_that_of_dynamics(name, step, interval):
    """Own coordinates of controllers, sampled controllers, friction that sticks, linkages."""
    assert differences(gallery_model(name), step=step, interval=interval, count=30) == {}


def test_impacts_of_rigid_stops_are_those_of_dynamics():
    m = rotor()
    m.stop("stop", "axle", lower=-0.1, upper=0.2, restitution=0.5)
    pushed = m.replaced(m.loads["motor"].__class__("motor", "axle", "angle", pl.Constant(5.0)))
    assert differences(pushed, step=1e-3, interval=1e-2, count=50) == {}


def test_error_control_gives_the_motion_of_dynamics():
    m = gear_pair()
    run = pl.dynamics(m, duration="4 ms", output_step="0.2 ms")
    stepper = pl.Stepper(m, outputs="mesh.normal_force", until="4 ms")
    for k in range(1, 21):
        stepper.advance_to(float(run.time[k]))
        assert stepper["mesh.normal_force"] == pytest.approx(run["mesh.normal_force"].values[k], rel=1e-9)


def test_torque_that_jumps_gives_the_exact_momentum():
    """Constant torques over intervals: J omega is the sum of torque times time, also where the torque jumps."""
    stepper = pl.Stepper(rotor(), step=1e-3, inputs="motor", outputs="axle.angular_speed")
    torques = [3.0, -1.0, 0.0, 0.0, 7.5, -20.0]
    for torque in torques:
        stepper.set(motor=torque)
        stepper.advance(0.01)
    assert stepper["axle.angular_speed"] == pytest.approx(sum(torques) * 0.01 / 0.2, rel=1e-12)


@pytest.mark.parametrize("options", [{}, {"reduce": False}])
@pytest.mark.parametrize("hold", ["hold", "extrapolate", "ramp"])
def test_inputs_that_change_keep_order_two(hold, options):
    m = gear_pair(motor="speed", mesh=pl.Elastic("2.6e8 N/m", damping_ratio=0.05))

    def motion(step):
        stepper = pl.Stepper(
            m, step=step, inputs={"load": hold, "motor": "ramp"}, outputs="output.angular_speed", **options
        )
        return series(stepper, 12, setting=lambda k: {"load": 50.0 - 30.0 * (k % 3), "motor": 100.0 + 2.0 * (k % 4)})

    coarse, middle, fine = (motion(STEP / n) for n in (2, 4, 8))
    ratio = np.max(np.abs(coarse - middle)) / np.max(np.abs(middle - fine))
    assert 3.6 < ratio < 4.4


def test_set_point_that_jumps_keeps_order_two():
    """The set point enters the rate of a coordinate without mass."""
    m = gallery_model("speed-control")

    def motion(step):
        stepper = pl.Stepper(m, step=step, inputs="control.target", outputs="hinge_b.angular_speed")
        return series(stepper, 10, 1e-3, lambda k: {"control.target": 50.0 * (-1) ** (k // 3)})

    coarse, middle, fine = (motion(5e-5 / n) for n in (1, 2, 4))
    assert 3.6 < np.max(np.abs(coarse - middle)) / np.max(np.abs(middle - fine)) < 4.4


def test_speed_input_is_a_ramp_and_reaches_its_value():
    stepper = pl.Stepper(
        gear_pair(motor="speed"), step=STEP, inputs="motor", outputs=["input.angular_speed", "input.angle"]
    )
    angle = 0.0
    for before, after in [(100.0, 100.0), (100.0, 120.0), (120.0, 80.0), (80.0, 80.0)]:
        stepper.set(motor=after)
        stepper.advance(INTERVAL)
        angle += 0.5 * (before + after) * INTERVAL
        assert stepper["input.angular_speed"] == pytest.approx(after, rel=1e-7)
        assert stepper["input.angle"] == pytest.approx(angle, rel=1e-12)


def test_speed_that_jumps_moves_the_driven_wheel_at_once():
    stepper = pl.Stepper(
        gear_pair(motor="speed"), step=STEP, inputs={"motor": "hold"}, outputs=["input.angular_speed", "input.angle"]
    )
    stepper.advance(INTERVAL)
    stepper.set(motor="150 rad/s")
    stepper.advance(INTERVAL)
    assert stepper["input.angular_speed"] == pytest.approx(150.0, rel=1e-7)
    assert stepper["input.angle"] == pytest.approx(250.0 * INTERVAL, rel=1e-12)


def test_position_input_passes_its_values_with_continuous_speed():
    stepper = pl.Stepper(
        gear_pair(motor="angle"), step=STEP, inputs="motor", outputs=["input.angle", "input.angular_speed"]
    )
    for angle in (0.1, 0.1002, 0.1004, 0.1006):
        stepper.set(motor=angle)
        stepper.advance(INTERVAL)
        assert stepper["input.angle"] == pytest.approx(angle, rel=1e-12)
    assert stepper["input.angular_speed"] == pytest.approx(2.0, rel=1e-4)


def test_components_of_forces_are_inputs():
    m = pl.Model("mass", gravity=(0, 0, 0))
    body = m.body("body", mass="2 kg", inertia=(1, 1, 1))
    m.force("push", body, (0, 0, 0))
    stepper = pl.Stepper(m, step=1e-3, inputs="push", outputs=["body.velocity", "body.velocity.y"])
    assert list(stepper.inputs) == ["push.x", "push.y", "push.z"]
    stepper.set({"push.y": 4.0})
    stepper.advance(0.5)
    assert stepper["body.velocity"] == pytest.approx([0, 1, 0], abs=1e-12)
    assert stepper["body.velocity.y"] == pytest.approx(1.0, rel=1e-12)


def test_values_before_the_first_interval_are_those_at_the_start():
    stepper = pl.Stepper(gear_pair(motor="speed"), step=STEP, inputs="motor", outputs=["input.angular_speed"])
    stepper.set(motor=70.0)
    assert stepper["motor"] == 70.0
    assert stepper["input.angular_speed"] == pytest.approx(70.0)
    assert stepper.time == 0.0


@pytest.mark.parametrize("intervals", [[3.3e-5] * 30, [1e-4, 2.5e-5, 1.7e-6, 1e-4, 3e-3], [1e-6] * 40])
def test_any_interval_is_divided_into_equal_steps(intervals):
    """Steps are at most as long as the specified one, and times do not drift."""
    stepper = pl.Stepper(gear_pair(), step=STEP, outputs="energy.balance_error")
    for interval in intervals:
        before = stepper.statistics["steps"]
        stepper.advance(interval)
        assert stepper.statistics["steps"] - before == int(np.ceil(interval / STEP - 1e-6))
    assert stepper.time == pytest.approx(sum(intervals), rel=1e-12)


@pytest.fixture(scope="module")
def saved():
    """Stepper of a gear pair whose load changes, and its state after five intervals."""
    stepper = pl.Stepper(
        gear_pair(motor="speed"),
        step=STEP,
        inputs=["load", "motor"],
        outputs=["mesh.normal_force", "pinion.orientation"],
    )
    series(stepper, 5, setting=lambda k: {"load": 10.0 * k, "motor": 100.0 + k})
    return stepper, stepper.save()


def _changing(k):
    return {"load": 50.0 - 30.0 * (k % 3), "motor": 100.0 + 2.0 * (k % 4)}


def test_a_restored_state_repeats_the_motion_to_the_last_bit(saved):
    stepper, state = saved
    stepper.restore(state)
    first = series(stepper, 8, setting=_changing)
    stepper.restore(state)
    assert stepper.time == pytest.approx(5 * INTERVAL)
    np.testing.assert_array_equal(first, series(stepper, 8, setting=_changing))


def test_a_state_as_bytes_continues_in_another_stepper(saved):
    stepper, state = saved
    stepper.restore(state)
    first = series(stepper, 8, setting=_changing)
    other = pl.Stepper(
        gear_pair(motor="speed"),
        step=STEP,
        inputs=["load", "motor"],
        outputs=["mesh.normal_force", "pinion.orientation"],
    )
    other.restore(state.to_bytes())
    np.testing.assert_array_equal(first, series(other, 8, setting=_changing))


def test_states_of_the_general_loop_and_of_friction_repeat():
    for model, name, options in [
        (gear_pair(), "motor", {"reduce": False}),
        (gallery_model("stick-slip"), "friction.capacity", {}),
        (gallery_model("servo-axis"), "position.setpoint", {}),
    ]:
        step = STEP if name == "motor" else 2e-4
        stepper = pl.Stepper(model, step=step, inputs=name, outputs=list(pl.signals_of(model))[:6], **options)
        value = stepper.inputs[name].start
        changing = lambda k, value=value, name=name: {name: value * (1.0 + 0.1 * (k % 3)) + 1e-3 * (k % 2)}  # noqa: E731
        series(stepper, 5, 10 * step, changing)
        state = stepper.save()
        first = series(stepper, 8, 10 * step, changing)
        stepper.restore(state)
        np.testing.assert_array_equal(first, series(stepper, 8, 10 * step, changing))


def test_damaged_and_foreign_states_are_refused(saved):
    stepper, state = saved
    data = state.to_bytes()
    other = pl.Stepper(gear_pair(), step=STEP)
    for bad, words in [
        (b"nothing", "not the state of a stepper"),
        (data[:200], "damaged"),
        (data[:130] + bytes([data[130] ^ 255]) + data[131:], "damaged"),
        (7, "expected a state"),
    ]:
        with pytest.raises(pl.ModelError, match=words):
            stepper.restore(bad)
    with pytest.raises(pl.ModelError, match="another stepper"):
        other.restore(state)


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ({"inputs": ["motr"]}, 'no input "motr".*"motor"'),
        ({"inputs": ["motor", "motor"]}, "given twice"),
        ({"inputs": {"motor": "spline"}}, '"hold", "extrapolate" or "ramp"'),
        ({"inputs": 3}, "list of names"),
        ({"inputs": [3]}, "expected names"),
        ({"outputs": ["mesh.normal_forc"]}, 'no signal "mesh.normal_forc".*normal_force'),
        ({"outputs": ["pinion.position.w"]}, "no signal"),
        ({"outputs": ["mesh.normal_force", "mesh.normal_force"]}, "given twice"),
        ({"outputs": 3}, "list of signals"),
        ({"outputs": [None]}, "expected names of signals"),
        ({"step": "0 s"}, "step must be greater than zero"),
        ({"step": "1 kg"}, "step"),
        ({"until": "-1 s"}, "until must be later"),
        ({"outputz": []}, "outputz"),
    ],
)
def test_wrong_arguments(arguments, words):
    with pytest.raises((pl.ModelError, TypeError), match=words):
        pl.Stepper(gear_pair(), **{"step": STEP, **arguments})


def test_wrong_intervals_and_values():
    stepper = pl.Stepper(gear_pair(), step=STEP, inputs="motor", outputs="mesh.normal_force")
    for interval in (0.0, -1e-4, float("nan"), float("inf"), "0 s"):
        with pytest.raises(pl.ModelError, match=r"interval|duration"):
            stepper.advance(interval)
    stepper.advance(INTERVAL)
    with pytest.raises(pl.ModelError, match="later than the present"):
        stepper.advance_to(INTERVAL)
    with pytest.raises(pl.ModelError, match="cannot be distinguished"):
        stepper.advance(1e-25)
    for value in (float("nan"), float("inf"), "3 kg", None):
        with pytest.raises(pl.ModelError, match="motor"):
            stepper.set(motor=value)
    with pytest.raises(pl.ModelError, match='no input "load"'):
        stepper.set(load=1.0)
    with pytest.raises(pl.ModelError, match="no output or input"):
        stepper.get("mesh.force")


def test_position_of_a_drive_cannot_jump():
    with pytest.raises(pl.ModelError, match=r'cannot jump. Use "ramp"'):
        pl.Stepper(gear_pair(motor="angle"), step=STEP, inputs={"motor": "hold"})


def test_torque_from_signals_is_not_an_input():
    m = gear_pair()
    m.torque("brake", "output", pl.expression("-0.1 * output.angular_speed"))
    with pytest.raises(pl.ModelError, match='"brake" is not a function of time'):
        pl.Stepper(m, step=STEP, inputs="brake")


def test_python_functions_of_time_need_an_end():
    m = rotor()
    m.torque("wave", "axle", lambda t: np.sin(t))
    with pytest.raises(pl.ModelError, match=r'"wave" is a Python function.*until'):
        pl.Stepper(m, step=1e-3)
    stepper = pl.Stepper(m, step=1e-3, until="0.1 s", outputs="axle.angular_speed")
    stepper.advance("0.1 s")
    assert stepper["axle.angular_speed"] == pytest.approx((1 - np.cos(0.1)) / 0.2, rel=1e-5)
    with pytest.raises(pl.ModelError, match="limited to until"):
        stepper.advance("1 ms")


def test_a_failed_interval_can_be_repeated_from_a_saved_state():
    m = gear_pair()
    stepper = pl.Stepper(m, step=1e-3, inputs="motor", outputs="input.angular_speed")
    stepper.advance(1e-3)
    state = stepper.save()
    stepper.set(motor=1e300)
    with pytest.raises(pl.SolveError, match='dynamics of model "pair"'):
        stepper.advance(1.0)
    with pytest.raises(pl.SolveError, match='dynamics of model "pair"'):
        stepper.advance(1e-3)
    stepper.restore(state)
    stepper.advance(1e-3)
    assert stepper.time == pytest.approx(2e-3)
