"""From declared elements of a model to elements of the system."""

from typing import Any

from ..elements.contract import Element
from ..elements.declared_kind import Surroundings, declared_element
from ..model import Model
from ..model.declared_element import DeclaredElement
from ..model.element_fields import FrameField, JointField
from .functions import FunctionTable
from .joint_measure import joint_measure
from .signal_names import SignalNames


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
    measures, counters = {}, {}
    for name, field in part.fields.items():
        if isinstance(field, FrameField):
            node, frames[name] = place(part.values[name])
            nodes.append(node)
            world[name] = model.placed(part.values[name])
        elif isinstance(field, JointField):
            counters[name] = observers[part.values[name]]
            measures[name] = joint_measure(counters[name], field.coordinate)
            nodes += counters[name].nodes
    around = Surroundings(tuple(nodes), frames, world, functions.add, measures, counters, model.gravity, names.source)
    return declared_element(part, around)
