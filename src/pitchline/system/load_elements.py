"""From drives and loads to elements."""

from typing import Any

import numpy as np

from ..elements.bushing import bushing
from ..elements.contract import Element, SignalSpec
from ..elements.load import FORCE, TORQUE, load
from ..elements.scalar_constraint import scalar_constraint
from ..elements.scalar_force import LAW_LINEAR, LAW_LOAD, LAW_STOP, LAW_TABLE, scalar_force
from ..elements.scalar_geometry import ANGLE, DISPLACEMENT, DISTANCE, encode_measure
from ..errors import unknown_part
from ..model import Drive
from ..model import loads as said
from ..model.functions import Table
from ..model.joints import ANGLE as ANGLE_NAME
from .functions import FunctionTable

OPEN_LIMIT = 1e300
"""Stands for a stop that is open on one side."""


def _units(coordinate: str) -> tuple[str, str, str, str]:
    """Name and unit of the effort, units of coordinate and rate."""
    return ("torque", "N*m", "rad", "rad/s") if coordinate == ANGLE_NAME else ("force", "N", "m", "m/s")


def _measure(observer: Element, coordinate: str) -> np.ndarray:
    """The measure of one coordinate of an observed joint."""
    p = observer.parameters.copy()
    p[0] = ANGLE if coordinate == ANGLE_NAME else DISPLACEMENT
    return p


def drive_element(drive: Drive, observer: Element, functions: FunctionTable, start: float) -> Element:
    """Imposed coordinate; `start` is the coordinate at the start, from which a given speed is integrated."""
    function = drive.function.resolved(functions.t0, functions.t1)
    if drive.given == "speed":
        function = function.integral(start, functions.t0)
    effort, unit, _, _ = _units(drive.coordinate)
    element = scalar_constraint(
        drive.name,
        (observer.nodes[0], observer.nodes[1]),
        _measure(observer, drive.coordinate),
        function=functions.add(function),
        memory_of=observer,
        rotational=drive.coordinate == ANGLE_NAME,
    )
    element.signals = ("effort", "power")
    element.rename = {"effort": SignalSpec(effort, unit, f"{effort} of the drive on the second body")}
    return element


def load_element(part: said.Load, place: Any, observers: dict[str, Element], functions: FunctionTable) -> Element:
    """Element of a load. `place(frame)` gives node index and the frame in node axes."""
    match part:
        case said.Force():
            node, (point, _) = place(part.frame)
            other = 0 if part.reaction is None else place(part.reaction)[0]
            return _vector_load(part, (other, node), FORCE, point, functions)
        case said.Torque():
            node, _ = place(part.body_name)
            other = 0 if part.reaction is None else place(part.reaction)[0]
            return _vector_load(part, (other, node), TORQUE, np.zeros(3), functions)
        case said.Spring():
            return _spring(part, place, functions)
        case said.Bushing():
            (i, a), (j, b) = place(part.frame_a), place(part.frame_b)
            return bushing(part.name, (i, j), encode_measure(ANGLE, a, b), part.stiffness, part.damping)
        case said.JointLoad():
            law, parameters = LAW_LOAD, [float(functions.add(part.function))]
            return _on_joint(part.name, observers[part.joint_name], part.coordinate, law, parameters, "effort")
        case said.TorsionSpring():
            parameters = [part.free_angle, part.damping, 0.0, part.stiffness]
            return _on_joint(part.name, observers[part.joint_name], ANGLE_NAME, LAW_LINEAR, parameters, "effort")
        case said.Stop():
            lower = -OPEN_LIMIT if part.lower is None else part.lower
            upper = OPEN_LIMIT if part.upper is None else part.upper
            parameters = [lower, upper, part.stiffness, part.damping]
            return _on_joint(part.name, observers[part.joint_name], part.coordinate, LAW_STOP, parameters, "effort")
    raise unknown_part("load", part, "the compile step")


def _vector_load(
    part: said.Force | said.Torque, nodes: tuple[int, int], what: int, point: np.ndarray, functions: FunctionTable
) -> Element:
    x, y, z = (functions.add(f) for f in part.components)
    return load(part.name, nodes, what, following=part.axes == "body", point=point, functions=(x, y, z))


def _spring(part: said.Spring, place: Any, functions: FunctionTable) -> Element:
    (i, a), (j, b) = place(part.frame_a), place(part.frame_b)
    if part.table is None:
        law, last = LAW_LINEAR, [part.stiffness]
    else:
        table = Table(*part.table)
        # the energy is the integral from zero extension
        law, last = LAW_TABLE, [float(functions.add(table)), float(functions.add(table.integral(0.0, 0.0)))]
    parameters = [part.free_length, part.damping, float(part.tension_only), *last]
    element = scalar_force(part.name, (i, j), encode_measure(DISTANCE, a, b), law, parameters, None)
    element.signals = ("coordinate", "rate", "tension")
    element.rename = {
        "coordinate": SignalSpec("length", "m", "distance of the two ends"),
        "rate": SignalSpec("speed", "m/s", "rate of the length"),
        "tension": SignalSpec("force", "N", "force of the spring, positive in tension"),
    }
    return element


def _on_joint(name: str, observer: Element, coordinate: str, law: int, parameters: list[float], signal: str) -> Element:
    effort, unit, _, _ = _units(coordinate)
    nodes = (observer.nodes[0], observer.nodes[1])
    element = scalar_force(name, nodes, _measure(observer, coordinate), law, parameters, observer)
    element.signals = (signal,)
    element.rename = {signal: SignalSpec(effort, unit, f"{effort} on the second body along the joint coordinate")}
    return element
