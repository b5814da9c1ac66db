"""Controllers: arguments and messages, model files, checkpoints, signals, element checks of all variants."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from references.controlled_axis import controlled, rotor

import pitchline as pl
from pitchline.declare.search import declared_elements
from pitchline.engine.elements.contract_checks import check_element
from pitchline.engine.elements.random_declared import random_declared

ex = pl.expression


def everything() -> pl.Model:
    """Model with one element of each kind that a file can contain."""
    angle = ex("axis.angle")
    m, hinge = rotor("all")
    m.add(
        pl.PID(
            "pid",
            setpoint=pl.Harmonic(amplitude="1 rad", frequency="1 Hz"),
            measured=angle,
            proportional="5 N*m/rad",
            integral=12,
            derivative=0.4,
            derivative_filter="2 ms",
            lower="-3 N*m",
            upper="3 N*m",
            integral_part=0.1,
        )
    )
    m.add(pl.TransferFunction("tf", input=ex("a*axis.angle", a="2 mm"), numerator=[1, 2], denominator=[1, 3, 4]))
    m.add(pl.Filter("filter", input=angle, frequency="50 Hz", kind="notch", quality=4))
    m.add(pl.Integral("integral", input=angle, upper=2))
    m.add(pl.Lookup("lookup", input=angle, x=["0 deg", "90 deg"], y=[0, 1], smooth=True))
    m.add(pl.Lookup2D("map", input_x=angle, input_y=ex("axis.speed"), x=[0, 1], y=[0, 1], table=[0, 1, 2, 3]))
    m.add(pl.Limiter("limiter", input=angle, upper="3 deg"))
    m.add(pl.Deadband("deadband", input=angle, half_width="1 deg"))
    m.add(pl.RateLimiter("rate", input=angle, rise="3 rad/s"))
    m.add(pl.Relay("relay", input=angle, switch_on=0.2, switch_off=0.1))
    m.add(pl.Delay("delay", input=angle, time="20 ms"))
    m.add(pl.NamedSignal("name", source=ex("2*pid.output")))
    m.add(
        pl.SampledPID("digital", setpoint=1, measured=angle, proportional=1, sample_time="5 ms", resolution="0.1 deg")
    )
    m.add(pl.SampledTransferFunction("z", input=angle, numerator=[1], denominator=[1, -0.5], sample_time="2 ms"))
    m.torque("motor", hinge, ex("0.5*name.value + 0.1*digital.output"))
    return m


def test_files_round_trip(tmp_path: Path) -> None:
    m = everything()
    text = m.to_toml()
    (tmp_path / "all.toml").write_text(text, encoding="utf-8")
    other = pl.load(tmp_path / "all.toml").model
    assert other.to_toml() == text
    assert other.describe() == m.describe()
    runs = [pl.dynamics(model, duration=0.05, step="1 ms") for model in (m, other)]
    assert set(runs[0].signals) == set(runs[1].signals)
    for name in runs[0].signals:
        np.testing.assert_array_equal(runs[0][name].values, runs[1][name].values, err_msg=name)


def test_signals_are_listed_and_readable() -> None:
    m = everything()
    run = pl.dynamics(m, duration=0.01, step="1 ms")
    assert set(pl.signals_of(m)) >= {name for name in run.signals if not name.startswith("energy.")}
    m.add(pl.NamedSignal("state", source=ex("pid.integral_part + pid.filtered")))
    again = pl.dynamics(m, duration=0.01, step="1 ms")
    np.testing.assert_allclose(
        again["state.value"].values, again["pid.integral_part"].values + again["pid.filtered"].values, atol=1e-15
    )
    assert "pid    " in m.summary() and "measured 'axis.angle'" in m.summary()


def test_checkpoints_continue_controllers(tmp_path: Path) -> None:
    """A long run that is interrupted after its first part has the same bits in the end."""
    options = {"duration": 2.0, "step": "0.25 ms", "output_step": "10 ms"}
    whole = pl.dynamics(everything(), **options)
    file = tmp_path / "run.npz"

    def interrupt(t: float, end: float) -> None:
        raise KeyboardInterrupt

    part = pl.dynamics(everything(), **options, checkpoint=file, progress=interrupt)
    assert part.status is pl.Status.INTERRUPTED and 0.0 < part.time[-1] < 2.0
    part = pl.resume(everything(), file)
    for name in ("digital.output", "z.output", "delay.output", "relay.output", "pid.output", "axis.angle"):
        np.testing.assert_array_equal(part[name].values, whole[name].values, err_msg=name)


@pytest.mark.parametrize(
    ("key", "fixed"),
    [
        ("pid", {"measured_rate": None, "derivative_filter": 0.3}),
        ("pid", {"measured_rate": None, "derivative_filter": 0.3, "integral": 0.0}),
        ("pid", {"integral": 0.0}),
        ("pid", {"derivative": 0.0, "measured_rate": None, "lower": None, "upper": None}),
        ("pid", {"anti_windup": "clamp"}),
        ("transfer_function", {"numerator": [3.0], "denominator": [4.0]}),
        ("transfer_function", {"numerator": [1.0, 2.0], "denominator": [4.0, 3.0]}),
        ("filter", {"kind": "high_pass", "order": 4}),
        ("lookup", {"smooth": True, "outside": "extend"}),
    ],
)
def test_variants_keep_the_contract(key: str, fixed: dict[str, Any]) -> None:
    verdicts, _ = check_element(lambda rng: random_declared(declared_elements()[key], rng, **fixed), states=6, seed=3)
    for verdict in verdicts:
        assert verdict.worst is None or verdict.worst <= 1e-2 * verdict.check.allowed, verdict.check.name


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: pl.PID("p", setpoint=1, measured=0), "all gains are 0"),
        (lambda: pl.PID("p", setpoint=1, measured=0, derivative=1), "the derivative needs a filter or a rate"),
        (
            lambda: pl.PID("p", setpoint=1, measured=0, proportional=1, derivative_filter="1 ms"),
            "derivative_filter has no effect: derivative is 0",
        ),
        (
            lambda: pl.PID("p", setpoint=1, measured=0, proportional=1, lower=5, upper=2),
            "lower must be less than upper, got 5 and 2",
        ),
        (
            lambda: pl.PID("p", setpoint=1, measured=0, integral=1, lower=-5, upper=2),
            "tracking_time is missing: it has a default only with a proportional gain",
        ),
        (
            lambda: pl.TransferFunction("p", input=1, numerator=[1, 2, 3], denominator=[1, 2]),
            "numerator has the degree 2, but denominator only 1",
        ),
        (
            lambda: pl.TransferFunction("p", input=1, numerator=[1], denominator=[0, 0]),
            "must have a coefficient that is not 0",
        ),
        (lambda: pl.Filter("p", input=1, frequency=0), "frequency must be positive, got 0"),
        (lambda: pl.Lookup("p", input=1, x=[0, 1, 1], y=[1, 2, 3]), "x must rise, but 1 is followed by 1"),
        (lambda: pl.Lookup2D("p", input_x=1, input_y=1, x=[0, 1], y=[0, 1], table=[1]), "table needs 2 times 2 values"),
        (lambda: pl.Limiter("p", input=1), "has no limit"),
        (lambda: pl.RateLimiter("p", input=1, rise=0), "rise must be positive, got 0"),
        (lambda: pl.Integral("p", input=1, return_time=0), "return_time must be positive"),
        (lambda: pl.Relay("p", input=1, switch_on=1, switch_off=2), "switch_off must not be greater than switch_on"),
        (lambda: pl.Delay("p", input=1, time=0), "time must be positive, got 0 s"),
        (
            lambda: pl.SampledPID("p", setpoint=1, measured=0, proportional=1, sample_time=0),
            "sample_time must be positive, got 0 s",
        ),
    ],
)
def test_messages(make: Any, message: str) -> None:
    with pytest.raises(pl.ModelError, match=message):
        make()


def test_loops_without_a_state_are_refused_with_names() -> None:
    m = controlled(
        pl.TransferFunction("a", input=ex("b.output"), numerator=[1, 1], denominator=[1, 2]),
        "a.output",
        pl.Limiter("b", input=ex("a.output"), upper=1),
    )
    with pytest.raises(pl.ModelError, match="signals form a loop without a state: a -> b -> a"):
        pl.statics(m)


def test_held_controllers_are_named_in_warnings() -> None:
    m = everything()
    m.torque("spring", "axis", ex("-5*axis.angle - 0.1*axis.speed"))
    for found in (pl.statics(m), pl.modes(m), pl.linear_model(m, "axis.torque", "axis.angle")):
        (text,) = [text for text in found.warnings if "sampled" in text]
        assert text.startswith('"digital" and "z": the output of a sampled controller is held constant')
        assert any("a relay keeps its position" in text for text in found.warnings)
    times = pl.kinematics(controlled(pl.Delay("d", input=ex("axis.angle"), time=1), "d.output"), duration=0.01)
    assert any('"d": kinematics computes positions one by one' in text for text in times.warnings)


def test_statics_holds_the_output_of_sampled_controllers() -> None:
    m = controlled(
        pl.SampledPID("c", setpoint=1, measured=ex("axis.angle"), proportional=3, sample_time=0.01, initial_output=0.4),
        "c.output - 2*axis.angle - 0.3*axis.speed",
    )
    rest = pl.statics(m)
    np.testing.assert_allclose([rest["axis.angle"].values[0], rest["c.output"].values[0]], [0.2, 0.4], rtol=1e-9)
    run = pl.dynamics(m, duration=1, step="1 ms", start=rest)
    assert run["c.output"].values[0] == pytest.approx(3 * 0.8)
    assert run["axis.angle"].values[-1] == pytest.approx(0.6, abs=1e-2)


def test_unknown_inputs_of_linear_models_are_named() -> None:
    m = everything()
    with pytest.raises(pl.ModelError, match=r'did you mean "pid\.setpoint"'):
        pl.linear_model(m, "pid.setpoin", "axis.angle")
