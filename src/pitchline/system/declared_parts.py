"""From declared elements of a model to elements of the system."""

from typing import Any

import numpy as np

from ..elements.contract import Element
from ..elements.declared_kind import Surroundings, declared_element
from ..model import Model
from ..model.declared_element import DeclaredElement
from ..model.element_fields import FrameField, JointField, MemoryField
from ..model.joints import ANGLE
from .functions import FunctionTable
from .joint_elements import initial_coordinates
from .joint_measure import joint_measure
from .signal_names import SignalNames


def recall_kept_signals(system: Any, memory: np.ndarray, known: dict[str, np.ndarray]) -> None:
    """Set memory of declared elements to the last values of its signals in an earlier result."""
    for e, element in enumerate(system.elements):
        part = system.model.elements.get(element.name)
        if part is None or not part.fields_of(MemoryField):
            continue
        record = memory[system.mem0[e] : system.mem1[e]][: element.kind.memory.size].view(element.kind.memory.dtype)[0]
        for name, field in part.fields_of(MemoryField).items():
            value = known.get(f"{part.name}.{field.kept}") if field.kept else None
            if value is not None and value.shape == (1,):
                record[name] = value[0]


def declared_part(
    part: DeclaredElement,
    model: Model,
    place: Any,
    observers: dict[str, Element],
    functions: FunctionTable,
    names: SignalNames,
) -> Element:
    """Element of a declared part. `place(frame)` returns the node index and the frame in node axes."""
    nodes: list[int] = []
    frames, world = {}, {}
    measures, counters, start = {}, {}, {}
    for name, field in part.fields.items():
        if isinstance(field, FrameField):
            node, frames[name] = place(part.values[name])
            nodes.append(node)
            world[name] = model.placed(part.values[name])
        elif isinstance(field, JointField):
            counters[name] = observers[part.values[name]]
            joint = model.joints[part.values[name]]
            coordinate = joint.coordinates[0] if field.coordinate is None else field.coordinate
            measures[name] = joint_measure(counters[name], coordinate)
            nodes += counters[name].nodes
            start[name] = _initial(model, joint.name, coordinate)
    around = Surroundings(
        tuple(nodes), frames, world, functions.add, measures, counters, start, model.gravity, names.source
    )
    return declared_element(part, around)


def _initial(model: Model, joint: str, coordinate: str) -> float:
    """Angle or displacement of a joint in the initial pose."""
    ends = model.joints[joint]
    angle, displacement = initial_coordinates(model.placed(ends.frame_a), model.placed(ends.frame_b))
    return angle if coordinate == ANGLE else displacement
