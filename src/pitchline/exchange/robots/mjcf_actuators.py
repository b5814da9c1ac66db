"""MJCF: actuators on joints and fixed tendons."""

from __future__ import annotations

import math

from ..safe_xml import XmlElement
from .attributes import ElementReading
from .description import ActuatorData, Robot, SumData
from .mjcf_defaults import ACTUATORS, MjcfFile

__all__ = ["read_actuators"]

READ = ("general", "motor", "position", "velocity")


def read_actuators(file: MjcfFile, robot: Robot) -> None:
    """Read the actuators of a file. Those that are not read are listed."""
    tendons = {one.name: one for one in robot.sums if one.value is None}
    for n, element in enumerate(file.all("actuator")):
        if element.tag not in ACTUATORS:
            robot.report.add("ignored", f"<{element.tag[:40]}> (line {element.line}): is not an actuator")
            continue
        reading = file.reading(element, "actuator", None, ACTUATORS)
        name = reading.text("name") or reading.text("joint") or f"actuator_{n + 1}"
        reading = ElementReading(file.path, reading.element, f'actuator "{name}"')
        if any(one.name == name for one in robot.actuators):
            raise reading.error("the name is used twice. Rename one of the actuators")
        why = _unread(reading, element, robot)
        terms = _terms(reading, robot, tendons) if not why else []
        if why or not terms:
            robot.report.add(
                "ignored",
                f'actuator "{name}" (line {element.line}): {why or "it does not act on a hinge, a slide or a fixed tendon"}',
            )
            continue
        robot.actuators.append(_actuator(reading, name, terms, element.tag))


def _unread(reading: ElementReading, element: XmlElement, robot: Robot) -> str:
    """Reason why an actuator is not read; empty if it is."""
    if element.tag not in READ:
        return f"the type <{element.tag}> is not read"
    if element.tag == "position" and reading.number("dampratio", 0.0):
        return "dampratio is not read. Specify kv"
    if element.tag == "general":
        if reading.text("gaintype") not in (None, "fixed"):
            return f"gaintype {reading.text('gaintype')} is not read"
        if reading.text("biastype") not in (None, "none", "affine"):
            return f"biastype {reading.text('biastype')} is not read"
        if reading.text("dyntype") not in (None, "none", "filter", "filterexact"):
            return f"dyntype {reading.text('dyntype')} is not read"
    return ""


def _terms(reading: ElementReading, robot: Robot, tendons: dict[str, SumData]) -> list[tuple[str, float]]:
    gear = float(reading.vector("gear", (1.0,), 1, 2, 3, 4, 5, 6)[0])
    joint = reading.text("joint") or reading.text("jointinparent")
    tendon = reading.text("tendon")
    if joint is not None:
        if joint not in robot.joints:
            raise reading.error(f'there is no joint "{joint[:80]}". Correct the name')
        return [(joint, gear)] if robot.joints[joint].moves else []
    if tendon is not None:
        return [(name, gear * factor) for name, factor in tendons[tendon].terms] if tendon in tendons else []
    return []


def _actuator(reading: ElementReading, name: str, terms: list[tuple[str, float]], tag: str) -> ActuatorData:
    gain, bias, lag = 1.0, (0.0, 0.0, 0.0), 0.0
    if tag == "general":
        gain = float(reading.vector("gainprm", (1.0,), *range(1, 11))[0])
        if reading.text("biastype") == "affine":
            values = [*reading.vector("biasprm", (0.0,), *range(1, 11)), 0.0, 0.0]
            bias = (float(values[0]), float(values[1]), float(values[2]))
        if reading.text("dyntype") in ("filter", "filterexact"):
            lag = float(reading.vector("dynprm", (1.0,), *range(1, 11))[0])
    elif tag == "position":
        gain = reading.not_negative("kp", 1.0)
        bias = (0.0, -gain, -reading.not_negative("kv", 0.0))
        lag = reading.not_negative("timeconst", 0.0)
    elif tag == "velocity":
        gain = reading.not_negative("kv", 1.0)
        bias = (0.0, 0.0, -gain)
    if lag < 0.0:
        raise reading.error(f"the time constant must not be negative, got {lag:g} s")
    return ActuatorData(
        name,
        reading.element.line,
        terms,
        gain,
        bias,
        _range(reading, "ctrlrange", "ctrllimited"),
        _range(reading, "forcerange", "forcelimited"),
        lag,
    )


def _range(reading: ElementReading, key: str, flag: str) -> tuple[float, float]:
    limited = reading.choice(flag, ("auto", "true", "false"), "auto")
    if limited == "false" or reading.text(key) is None:
        return (-math.inf, math.inf)
    low, high = (float(v) for v in reading.vector(key, None, 2))
    if low > high:
        raise reading.error(f"the range from {low:g} to {high:g} in {key} is empty. Exchange the limits")
    return (low, high) if low < high else (-math.inf, math.inf)
