"""From structures of a model to elements of the system: one function for each class of specification."""

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from ..elements.axis_rows import encode_axes
from ..elements.beam import beam_element
from ..elements.body import body as body_element
from ..elements.coincident import coincident
from ..elements.contract import Element
from ..elements.membrane import membrane_element
from ..elements.superelement import superelement_element
from ..errors import unknown_part
from ..model.flexible_body import SuperelementSpec
from ..model.frames import Frame
from ..model.membrane import Membrane, MembraneSpec
from ..model.structure import BeamSpec, ElementSpec, Structure
from .joint_elements import Placed

Place = Callable[[Frame], tuple[int, Placed]]
"""Node index of a frame, and the frame in node axes."""


def _beam(
    name: str, spec: BeamSpec, nodes: tuple[int, ...], frames: tuple[Placed, ...], gravity: np.ndarray
) -> Element:
    return beam_element(
        name,
        (nodes[0], nodes[1]),
        *frames,
        K=spec.stiffness,
        M=spec.mass,
        rest=spec.rest,
        damping=spec.damping,
        gravity=gravity,
    )


def _superelement(
    name: str, spec: SuperelementSpec, nodes: tuple[int, ...], frames: tuple[Placed, ...], gravity: np.ndarray
) -> Element:
    return superelement_element(
        name, nodes, frames, spec.superelement, damping=spec.damping, modal_damping=spec.modal_damping, gravity=gravity
    )


def _membrane(
    name: str, spec: MembraneSpec, nodes: tuple[int, ...], frames: tuple[Placed, ...], gravity: np.ndarray
) -> Element:
    return membrane_element(name, nodes, frames, spec.matrices, damping=spec.damping, gravity=gravity)


_MAKERS: dict[type[ElementSpec], Callable[[str, Any, tuple[int, ...], tuple[Placed, ...], np.ndarray], Element]] = {
    BeamSpec: _beam,
    SuperelementSpec: _superelement,
    MembraneSpec: _membrane,
}
"""Functions that make an element from a specification. Arguments: name of the structure, specification, its nodes, the frames
in node axes, and gravity in world axes."""


def structure_elements(structure: Structure, place: Place, gravity: np.ndarray) -> Iterator[Element]:
    """Elements of a structure, with its name."""
    for spec in structure.elements:
        make = _MAKERS.get(type(spec))
        if make is None:
            raise unknown_part("element", spec, "the compile step")
        nodes, frames = zip(*(place(frame) for frame in spec.frames), strict=True)
        element = make(structure.name, spec, nodes, frames, gravity)
        element.signals = ()  # published for the structure as a whole: see `station_signals`
        yield element


def _weight(structure: Structure, place: Place, gravity: np.ndarray) -> Element:
    """Total inertia of a structure that is treated as rigid, on the first of its frames that is not on the ground."""
    frames = [frame for link in structure.links for frame in (link.a, link.b)]
    frame, node, (at, axes) = next((f, k, placed) for f, (k, placed) in ((f, place(f)) for f in frames) if k)
    body, solid = frame.owner, structure.solid
    assert body is not None
    turn = axes @ (body.orientation @ frame.rotation).T  # from world axes in the initial pose to node axes
    centre = at + turn @ (solid.centre_of_mass - body.to_world(frame.position))
    element = body_element(
        structure.name, node, mass=solid.mass, gravity=gravity, centre_of_mass=centre, inertia=turn @ solid.inertia @ turn.T,
        origin=np.zeros(3),
    )  # fmt: skip
    element.signals = ()
    return element


def rigid_links(structure: Structure, place: Place, gravity: np.ndarray) -> Iterator[Element]:
    """Rows that connect the nodes of a structure rigidly, in place of its elements, and its weight on one of them."""
    if isinstance(structure, Membrane):  # has no stiffness against bending that could be infinite
        yield from structure_elements(structure, place, gravity)
        return
    yield _weight(structure, place, gravity)
    for link in structure.links:
        (i, (at_a, axes_a)), (j, (at_b, axes_b)) = place(link.a), place(link.b)
        held = encode_axes(axes_a[:, 2], axes_b[:, 0], axes_b[:, 1], extra=(axes_a[:, 0], axes_b[:, 1]))
        element = coincident(structure.name, (i, j), at_a, at_b, held)
        element.signals = ()
        yield element
