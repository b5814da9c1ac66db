"""From drives and loads to elements."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from pitchline.declare.names import part_subject
from pitchline.engine.compile.signal_graph import FunctionTable, SignalNames
from pitchline.engine.elements.contract import ANGLE, DISTANCE, Element, ElementKind, SignalSpec, Turns, encode_measure
from pitchline.errors import unknown_part
from pitchline.functions.piecewise import Function
from pitchline.functions.sampled import Table

from ..bodies.compile import joint_measure
from ..bodies.kernel_constraint import scalar_constraint
from ..bodies.kernel_row import signal_drive
from ..bodies.part import ANGLE as ANGLE_NAME
from . import part as said
from .kernel import BUSHING, FORCE, FORCE_LOAD, TORQUE, TORQUE_LOAD, bushing, load
from .kernel_load import LAW_LINEAR, LAW_LOAD, LAW_STOP, LAW_TABLE, SCALAR_FORCE, scalar_force
from .kernel_signal_load import SIGNAL_EFFORT, SIGNAL_FORCE, SIGNAL_TORQUE, signal_effort, signal_load
from .kernel_stop import OPEN_LIMIT, RIGID_STOP, StopLimits, rigid_stop
from .part import Drive


def _units(coordinate: str) -> tuple[str, str, str, str]:
    """Name and unit of the force or torque, units of coordinate and rate."""
    return ("torque", "N*m", "rad", "rad/s") if coordinate == ANGLE_NAME else ("force", "N", "m", "m/s")


def drive_element(
    drive: Drive, observer: Element, functions: FunctionTable, names: SignalNames, start: float
) -> Element:
    """Prescribed coordinate. `start`: initial coordinate, from which a given speed is integrated."""
    if not isinstance(drive.function, Function):
        return _signal_drive(drive, observer, names)
    function = drive.function.resolved(functions.t0, functions.t1)
    if drive.given == "speed":
        function = function.integral(start, functions.t0)
    element = scalar_constraint(
        drive.name,
        (observer.nodes[0], observer.nodes[1]),
        joint_measure(observer, drive.coordinate),
        function=functions.add(function),
        memory_of=observer,
        rotational=drive.coordinate == ANGLE_NAME,
    )
    element.signals, element.rename = drive_signals(drive)
    return element


Masses = Sequence[tuple[float, float]]
"""Mass and mean inertia of the bodies of all nodes; not positive: unknown."""
Signals = tuple[tuple[str, ...] | None, dict[str, SignalSpec]]
"""Published signals of an element, and those with another name; see `Element`."""


def drive_signals(drive: Drive) -> Signals:
    """Published signals of a drive."""
    effort, unit, _, _ = _units(drive.coordinate)
    return ("effort", "power"), {"effort": SignalSpec(effort, unit, f"{effort} of the drive on the second body")}


def load_signals(part: said.Load) -> tuple[ElementKind, Signals]:
    """Element kind of a load, and its published signals."""
    match part:
        case said.Force():
            return (SIGNAL_FORCE if _from_signals(part) else FORCE_LOAD), (None, {})
        case said.Torque():
            return (SIGNAL_TORQUE if _from_signals(part) else TORQUE_LOAD), (None, {})
        case said.Bushing():
            return BUSHING, (None, {})
        case said.Spring():
            return SCALAR_FORCE, (("coordinate", "rate", "tension"), _SPRING_SIGNALS)
        case said.JointLoad():
            kind = SCALAR_FORCE if isinstance(part.function, Function) else SIGNAL_EFFORT
            return kind, _effort_signals(part.coordinate)
        case said.Stop() if part.rigid:
            return RIGID_STOP, _rigid_stop_signals(part.coordinate)
        case said.Stop():
            return SCALAR_FORCE, _effort_signals(part.coordinate)
        case said.TorsionSpring():
            return SCALAR_FORCE, _effort_signals(ANGLE_NAME)
    raise unknown_part("load", part, "the list of signals")


_SPRING_SIGNALS = {
    "coordinate": SignalSpec("length", "m", "distance between the two ends"),
    "rate": SignalSpec("speed", "m/s", "rate of the length"),
    "tension": SignalSpec("force", "N", "force of the spring, positive in tension"),
}


def _effort_signals(coordinate: str) -> Signals:
    effort, unit, _, _ = _units(coordinate)
    return ("effort",), {"effort": SignalSpec(effort, unit, f"{effort} on the second body along the joint coordinate")}


def _rigid_stop_signals(coordinate: str) -> Signals:
    _, rename = _effort_signals(coordinate)
    unit = _units(coordinate)[1]
    impulse = SignalSpec("impulse", f"{unit}*s", "sum of the impulses of all impacts on the second body")
    return ("effort", "contact", "impacts", "impulse"), rename | {"impulse": impulse}


def load_element(
    part: said.Load,
    place: Any,
    observers: dict[str, Element],
    functions: FunctionTable,
    names: SignalNames,
    masses: Masses,
) -> Element:
    """Element of a load. `place(frame)` returns the node index and the frame in node axes. masses: mass and inertia of the
    bodies of all nodes."""
    match part:
        case said.Force():
            node, (point, _) = place(part.frame)
            other = 0 if part.reaction is None else place(part.reaction)[0]
            return _vector_load(part, (other, node), FORCE, point, functions, names)
        case said.Torque():
            node, _ = place(part.body_name)
            other = 0 if part.reaction is None else place(part.reaction)[0]
            return _vector_load(part, (other, node), TORQUE, np.zeros(3), functions, names)
        case said.Spring():
            return _spring(part, place, functions)
        case said.Bushing():
            (i, a), (j, b) = place(part.frame_a), place(part.frame_b)
            return bushing(part.name, (i, j), encode_measure(ANGLE, a, b), part.stiffness, part.damping)
        case said.JointLoad():
            if not isinstance(part.function, Function):
                return _signal_on_joint(part, observers, names)
            return _on_joint(part, observers, part.coordinate, LAW_LOAD, function=functions.add(part.function))
        case said.TorsionSpring():
            spring = {"free": part.free_angle, "damping": part.damping, "stiffness": part.stiffness}
            return _on_joint(part, observers, ANGLE_NAME, LAW_LINEAR, **spring)
        case said.Stop():
            lower = -OPEN_LIMIT if part.lower is None else part.lower
            upper = OPEN_LIMIT if part.upper is None else part.upper
            if part.stiffness is None:
                return _rigid_stop(part, observers[part.joint_name], lower, upper, masses)
            limit = OPEN_LIMIT if part.damping_limit is None else part.damping_limit
            stop = {
                "lower": lower, "upper": upper, "stiffness": part.stiffness, "damping": part.damping,
                "damping_limit": limit,
            }  # fmt: skip
            return _on_joint(part, observers, part.coordinate, LAW_STOP, **stop)
    raise unknown_part("load", part, "the compile step")


def _from_signals(part: said.Force | said.Torque) -> bool:
    return not all(isinstance(f, Function) for f in part.components)


def _vector_load(
    part: said.Force | said.Torque,
    nodes: tuple[int, int],
    what: int,
    point: np.ndarray,
    functions: FunctionTable,
    names: SignalNames,
) -> Element:
    following = part.axes == "body"
    if _from_signals(part):
        words = part_subject(type(part).__name__.lower(), part.name)
        a, b, c = (names.source(f, words.at("value", i)) for i, f in enumerate(part.components))
        return signal_load(part.name, nodes, what, following=following, point=point, sources=(a, b, c))
    x, y, z = (functions.add(f) for f in part.components if isinstance(f, Function))
    return load(part.name, nodes, what, following=following, point=point, functions=(x, y, z))


def _spring(part: said.Spring, place: Any, functions: FunctionTable) -> Element:
    (i, a), (j, b) = place(part.frame_a), place(part.frame_b)
    values: dict[str, Any] = {"free": part.free_length, "damping": part.damping, "string": part.tension_only}
    if part.table is None:
        law = LAW_LINEAR
        values["stiffness"] = part.stiffness
    else:
        law, table = LAW_TABLE, Table(*part.table)
        values["function"] = functions.add(table)
        values["energy"] = functions.add(table.integral(0.0, 0.0))  # from zero extension
    element = scalar_force(part.name, (i, j), encode_measure(DISTANCE, a, b), law, **values)
    element.signals, element.rename = load_signals(part)[1]
    return element


def _rigid_stop(part: said.Stop, observer: Element, lower: float, upper: float, masses: Masses) -> Element:
    rotational = part.coordinate == ANGLE_NAME
    a, b = observer.nodes[0], observer.nodes[1]
    inverse = sum(1.0 / m for m in (masses[n][1 if rotational else 0] for n in (a, b)) if m > 0.0)
    start = float(Turns.named(observer.memory)[f"start_{part.coordinate}"])
    element = rigid_stop(
        part.name, (a, b), joint_measure(observer, part.coordinate),
        StopLimits(lower, upper, start, 1.0 / inverse if inverse else 1.0), part.restitution or 0.0, observer,
        rotational=rotational,
    )  # fmt: skip
    element.signals, element.rename = load_signals(part)[1]
    return element


def _on_joint(
    part: said.JointLoad | said.TorsionSpring | said.Stop,
    observers: dict[str, Element],
    coordinate: str,
    law: int,
    **values: float,
) -> Element:
    observer = observers[part.joint_name]
    nodes = (observer.nodes[0], observer.nodes[1])
    element = scalar_force(part.name, nodes, joint_measure(observer, coordinate), law, memory_of=observer, **values)
    element.signals, element.rename = load_signals(part)[1]
    return element


def _signal_on_joint(part: said.JointLoad, observers: dict[str, Element], names: SignalNames) -> Element:
    observer = observers[part.joint_name]
    element = signal_effort(
        part.name,
        (observer.nodes[0], observer.nodes[1]),
        joint_measure(observer, part.coordinate),
        memory_of=observer,
        source=names.source(part.function, part.words),
    )
    element.signals, element.rename = load_signals(part)[1]
    return element


def _signal_drive(drive: Drive, observer: Element, names: SignalNames) -> Element:
    element = signal_drive(
        drive.name,
        (observer.nodes[0], observer.nodes[1]),
        joint_measure(observer, drive.coordinate),
        memory_of=observer,
        source=names.source(drive.function, part_subject("drive", drive.name).at(drive.coordinate)),
        rotational=drive.coordinate == ANGLE_NAME,
    )
    element.signals, element.rename = drive_signals(drive)
    return element
