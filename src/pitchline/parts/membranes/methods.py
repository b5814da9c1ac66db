"""Model method that adds membranes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from pitchline.base.arguments import names_wrong_arguments
from pitchline.declare.names import Frame, part_subject
from pitchline.declare.registry import Direction, Quantity, Vector
from pitchline.errors import ModelError, Subject, shown
from pitchline.model.structure_methods import StructureMethods

from ..bodies.part import Body
from ..gears.geometry.inputs import STEEL, Material
from .mesh import MembraneMesh
from .part import Membrane, MembraneNode

__all__ = ["MembraneMethods"]


@names_wrong_arguments
class MembraneMethods(StructureMethods):
    """Membranes: thin elastic sheets."""

    @property
    def membranes(self) -> Mapping[str, Membrane]:
        """Membranes by name; read-only."""
        return self._structures_of(Membrane)

    def membrane(
        self,
        name: str,
        mesh: MembraneMesh,
        *,
        thickness: Quantity,
        material: Material = STEEL,
        attached: Mapping[str, str | int | Sequence[int | str]] | None = None,
        prestress: Quantity | Vector = 0.0,
        axis: Direction | None = None,
        damping: Quantity = 0.0,
        velocity: Vector | None = None,
        angular_velocity: Vector | None = None,
        colour: str | None = None,
        hidden: bool = False,
    ) -> Membrane:
        """Add a thin elastic sheet of flat triangles and quadrilaterals in plane stress, for large motions and small strains.

        It has no bending stiffness. Across its plane only the prestress, and the tension that follows from loads, hold it. In a
        planar model it deforms in the plane only.

        Parameters
        ----------
        name
            Name of the membrane.
        mesh
            Nodes and elements: `MembraneMesh.patch`, `MembraneMesh.ring` or `MembraneMesh(nodes, elements)`.
        thickness
            Thickness [m].
        material
            Material. Default: steel.
        attached
            Nodes that are fixed to bodies, by the name of the body or "ground": the name of a group of the mesh, numbers of
            nodes, or a list of both. Such a node moves with the body. Default: none.
        prestress
            Stress in the undeformed sheet [Pa]: one value for all directions, or stresses xx, yy and xy in the axes of the
            elements. Default 0.
        axis
            Direction of the x axes of the elements, in which stresses are reported. Default: from the first to the second node
            of each element.
        damping
            β [s]: damping matrix = β times stiffness matrix. Default 0.
        velocity, angular_velocity
            Initial velocity of the first node [m/s] and angular velocity [rad/s] of all free nodes, world axes. Default: the
            motion of the first body to which the membrane is attached.
        colour
            Colour for pictures: "#RRGGBB" or a name.
        hidden
            If True, viewers do not show the membrane. Default False.

        ``web["12"]`` is node 12, a body with the name "NAME 12", for forces, springs and spherical joints.
        """
        what = part_subject(Membrane.kind, name)
        made = Membrane(
            name, mesh, thickness=thickness, material=material, attached=self._attached(mesh, attached, what),
            prestress=prestress, axis=axis, damping=damping, velocity=velocity, angular_velocity=angular_velocity,
        )  # fmt: skip
        return self._add_structure(made, colour, hidden)

    def _attached(self, mesh: Any, attached: Any, what: Subject) -> dict[int, Frame]:
        """Frames of the nodes that are fixed to bodies."""
        if attached is None or not isinstance(mesh, MembraneMesh):
            return {}
        if not isinstance(attached, Mapping):
            raise ModelError(
                f'{what}: attached must contain nodes by the names of bodies, e.g. {{"hub": "inner"}}, got {shown(attached)}',
                about=what.at("attached"),
            )
        found: dict[int, Frame] = {}
        for key, nodes in attached.items():
            body = self._body_named(key.name if isinstance(key, Body) else key, what)
            if isinstance(body, MembraneNode):
                raise ModelError(
                    f'{what}: attached: "{body.name}" is a node of a membrane. Make one membrane of both meshes instead',
                    about=what.at("attached"),
                )
            for i in mesh.group(nodes, what / "attached" / str(key)):
                if i in found:
                    raise ModelError(
                        f'{what}: attached: node {i} is fixed to "{found[i].body_name}" and to "{body.name}"',
                        about=what.at("attached"),
                    )
                at = body.to_body(np.asarray(mesh.nodes[i]))
                found[i] = Frame(body.name, at, None, owner=body)
        return found
