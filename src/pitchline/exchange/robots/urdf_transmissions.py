"""Transmissions of a URDF file: the ratio between a joint and its actuator."""

from __future__ import annotations

import math
from pathlib import Path

from ..safe_xml import XmlElement
from .attributes import ElementReading
from .description import Robot

__all__ = ["read_transmissions"]


def read_transmissions(path: Path, root: XmlElement, robot: Robot) -> None:
    """Read the ratios of simple transmissions; others are listed in the report."""
    for element in root.all("transmission"):
        reading = ElementReading(path, element, f'transmission "{element.attributes.get("name", "")[:80]}"')
        kind = _kind(element)
        joints = element.all("joint")
        if not kind.endswith("SimpleTransmission") or len(joints) != 1:
            robot.report.add(
                "ignored",
                f"{reading.what} (line {element.line}): the type {kind[:60] or 'without name'} is not read. "
                "Model it with gears (gearboxes=), or with joints",
            )
            continue
        name = reading.of(joints[0]).text("name")
        if name is None or name not in robot.joints:
            robot.report.add("kept", f'{reading.what} (line {element.line}): there is no joint "{(name or "")[:80]}"')
            continue
        ratio = _reduction(element)
        if isinstance(ratio, float):
            robot.joints[name].reduction = ratio
        elif ratio:
            robot.report.add(
                "kept", f'{reading.what} (line {element.line}): the reduction "{ratio[:40]}" is not a number'
            )


def _kind(element: XmlElement) -> str:
    given = element.attributes.get("type", "")
    child = element.first("type")
    return (child.text if child is not None else given).strip()


def _reduction(element: XmlElement) -> float | str:
    """Ratio of the transmission, or the text if it is not a number; empty if there is none."""
    for one in element.walk():
        if one.tag == "mechanicalReduction":
            text = one.text.strip()
            try:
                value = float(text)
            except ValueError:
                return text
            return value if math.isfinite(value) and value != 0.0 else text
    return ""
