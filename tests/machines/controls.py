"""Random signals and controllers that act on a joint."""

from __future__ import annotations

from typing import Any

from machines.draws import Rng, function, log_uniform, pick
from machines.machine import Part
from machines.options import draw
from machines.values import Call, Name, Number, Text

PER = {"rad": "N*m/rad", "rad/s": "N*m*s/rad"}


def expression(text: str) -> Call:
    """Expression over signals, with {PART} for names."""
    return Call("pl.expression", {}, (Text(text),))


def controlled(rng: Rng, joint: str, number: int, *, sampled: float = 0.25) -> list[Part]:
    """A chain of one to three elements from a signal of a joint to a torque on it."""
    name = f"c{number}"
    unit = pick(rng, ("rad", "rad/s"))
    signal = f"{{{joint}}}." + ("angle" if unit == "rad" else "angular_speed")
    if rng.random() < 0.45:
        maker = "pl.SampledPID" if rng.random() < sampled else "pl.PID"
        parts = [Part(maker, name, _pid(rng, maker, signal, joint, unit))]
    else:
        parts = _elements(rng, name, signal, unit, sampled)
    end = parts[-1].name
    gain = "" if parts[-1].maker.endswith("PID") else "-0.3*"
    output = "value" if parts[-1].maker == "pl.NamedSignal" else "output"
    parts.append(Part("torque", f"{name}t", {"on": Name(joint), "value": expression(f"{gain}{{{end}}}.{output}")}))
    return parts


def _pid(rng: Rng, maker: str, signal: str, joint: str, unit: str) -> dict[str, Any]:
    gain = log_uniform(rng, 0.5, 50.0)
    given: dict[str, Any] = {
        "setpoint": function(rng, unit, 1.0, smooth=True), "measured": expression(signal),
        "proportional": Number(gain, PER[unit]),
    }  # fmt: skip
    if rng.random() < 0.6:
        given["integral"] = Number(gain * log_uniform(rng, 1, 20), f"{PER[unit]}/s")
    if rng.random() < 0.5:
        given["derivative"] = Number(0.02 * gain, f"{PER[unit]}*s")
        if unit == "rad" and maker == "pl.PID" and rng.random() < 0.6:
            given["measured_rate"] = expression(f"{{{joint}}}.angular_speed")
        else:
            given["derivative_filter"] = Number(0.003, "s")
    if rng.random() < 0.4:
        given["lower"], given["upper"] = Number(-0.7 * gain, "N*m"), Number(0.5 * gain, "N*m")
        if maker == "pl.PID" and "integral" in given:
            given["anti_windup"] = pick(rng, ("back_calculation", "clamp", "none"))
            if given["anti_windup"] != "none" and rng.random() < 0.6:
                given["tracking_time"] = Number(0.02, "s")
    if rng.random() < 0.3:
        given["feedforward"] = function(rng, "N*m", 0.5, smooth=True)
    if rng.random() < 0.3:
        given["setpoint_weight"] = Number(0.7)
    if maker == "pl.SampledPID":
        given["sample_time"] = Number(log_uniform(rng, 0.001, 0.01), "s")
        if rng.random() < 0.4:
            given["resolution"] = Number(0.01, unit)
        if rng.random() < 0.4:
            given["output_resolution"] = Number(0.05, "N*m")
        if rng.random() < 0.4:
            given["initial_output"] = Number(0.2, "N*m")
        return draw(rng, maker, given)
    if "integral" in given and rng.random() < 0.3:
        given["integral_part"] = Number(0.1, "N*m")
    if "derivative_filter" in given and rng.random() < 0.3:
        given["filtered"] = Number(0.05, unit)
    return given


def _elements(rng: Rng, name: str, signal: str, unit: str, sampled: float) -> list[Part]:
    parts: list[Part] = []
    for k in range(int(rng.integers(1, 4))):
        options = [
            "Filter", "Integral", "Limiter", "Deadband", "RateLimiter", "Lookup", "Lookup2D", "TransferFunction", "NamedSignal",
        ]  # fmt: skip
        if rng.random() < sampled:
            options = ["Relay", "Delay", "SampledTransferFunction", "SampledLaw"]
        maker = f"pl.{pick(rng, options)}"
        given = {"input": expression(signal)} | _own(rng, maker, signal, unit)
        if maker == "pl.Filter" and rng.random() < 0.2 and given.get("kind") == "low_pass" and given.get("order") == 1:
            given["state"] = Number(0.05, unit)
        if maker == "pl.TransferFunction" and rng.random() < 0.3:
            given["state"] = [Number(0.01), Number(0.02)]
        if maker == "pl.NamedSignal":
            given = {"source": expression(f"{signal} + 0.1*sin({signal})") if rng.random() < 0.5 else given["input"]}
        if maker == "pl.Lookup2D":
            given["input_x"] = given.pop("input")
        parts.append(Part(maker, f"{name}e{k}", draw(rng, maker, given, never=_NEVER)))
        if maker == "pl.Integral":
            unit = f"{unit}*s"
        signal = f"{{{name}e{k}}}." + ("value" if maker == "pl.NamedSignal" else "output")
    return parts


_NEVER = (
    "state", "lower", "upper", "gain", "return_time", "quality", "high", "low", "fall", "time_constant", "initial_output",
    "initial_state", "second_input", "next_state", "law", "order", "shape", "kind",
)  # fmt: skip


def _own(rng: Rng, maker: str, signal: str, unit: str) -> dict[str, Any]:
    """Arguments of one element."""
    given: dict[str, Any] = {}
    if maker == "pl.Filter":
        kind = pick(rng, ("low_pass", "high_pass", "band_pass", "notch"))
        given = {"frequency": Number(log_uniform(rng, 5, 100), "Hz"), "kind": kind}
        if kind in ("low_pass", "high_pass"):
            given["order"] = int(rng.integers(1, 5))
            if rng.random() < 0.5:
                given["shape"] = pick(rng, ("butterworth", "bessel"))
        elif rng.random() < 0.7:
            given["quality"] = Number(float(rng.uniform(0.5, 2)))
    elif maker == "pl.Integral":
        given = {"gain": Number(float(rng.uniform(1, 5)))}
        if rng.random() < 0.4:
            given |= {"lower": Number(-0.2, f"{unit}*s"), "upper": Number(0.3, f"{unit}*s")}
            if rng.random() < 0.5:
                given["return_time"] = Number(0.005, "s")
        if rng.random() < 0.4:
            given["state"] = Number(0.05, f"{unit}*s")
    elif maker == "pl.Limiter":
        given = {"lower": Number(-0.5, unit), "upper": Number(0.4, unit)}
        given.pop(pick(rng, ("lower", "upper", "neither")), None)
    elif maker == "pl.Deadband":
        given = {"half_width": Number(0.05, unit)}
    elif maker == "pl.RateLimiter":
        given = {"rise": Number(2.0, f"{unit}/s")}
        if rng.random() < 0.5:
            given["fall"] = Number(3.0, f"{unit}/s")
        if rng.random() < 0.5:
            given["time_constant"] = Number(0.004, "s")
        if rng.random() < 0.3:
            given["state"] = Number(0.1, unit)
    elif maker == "pl.Relay":
        given = {
            "switch_on": Number(0.1, unit),
            "switch_off": Number(-0.1, unit),
            "high": Number(0.5, unit),
            "low": Number(-0.4, unit),
        }
    elif maker == "pl.Delay":
        given = {"time": Number(log_uniform(rng, 0.002, 0.02), "s")}
    elif maker in ("pl.Lookup", "pl.Lookup2D"):
        axis = [Number(x, unit) for x in (-2.0, -0.5, 0.3, 2.5)]
        given = {"x": axis, "y": [Number(y, unit) for y in (-1.0, -0.3, 0.5, 0.8)]}
        if maker == "pl.Lookup2D":
            rows = [Number(float(v), unit) for v in rng.normal(size=16)]
            given = {"x": axis, "y": axis, "table": rows, "input_y": expression(f"0.5*{signal}")}
    elif maker == "pl.TransferFunction":
        numerator = [Number(0.02, "s"), Number(1.0)] if rng.random() < 0.6 else [Number(1.0)]
        given = {"numerator": numerator, "denominator": [Number(1e-4, "s^2"), Number(0.01, "s"), Number(1.0)]}
    elif maker == "pl.SampledTransferFunction":
        given = {"sample_time": Number(0.003, "s"), "numerator": [0.3, 0.1], "denominator": [1.0, -0.6]}
        if rng.random() < 0.4:
            given["initial_output"] = Number(0.1, unit)
    elif maker == "pl.SampledLaw":
        given = {"sample_time": Number(0.004, "s"), "law": pick(rng, LAWS)}
        if rng.random() < 0.5:
            given |= {"second_input": expression(f"0.1*{signal}"), "next_state": HELD, "initial_state": 0.2}
        if rng.random() < 0.3:
            given["initial_output"] = Number(0.1, unit)
    return given


def _mean(t: float, x: float, y: float, state: float) -> float:
    return 0.5 * x + 0.2 * y + 0.1 * state


def _cubic(t: float, x: float, y: float, state: float) -> float:
    return x - 0.1 * x**3


def _held(t: float, x: float, y: float, state: float) -> float:
    return 0.9 * state + 0.1 * x


LAWS, HELD = (_mean, _cubic), _held
