"""Membrane: a thin elastic sheet of flat triangles and quadrilaterals, with nodes of its own and nodes that are fixed to bodies."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from types import MappingProxyType
from typing import Any, ClassVar

import numpy as np

from pitchline.base.arguments import names_wrong_arguments
from pitchline.base.types import FloatArray
from pitchline.declare.names import Frame, part_subject
from pitchline.declare.registry import Registry
from pitchline.declare.structure import ElementSpec, NodeShare, RigidLink, Station, Structure, station_body_name
from pitchline.errors import ModelError, Subject, shown
from pitchline.solids.mass_properties import MassProperties
from pitchline.solids.rotations import direction
from pitchline.units.quantity import quantity, vector

from ..bodies.part import Body
from ..gears.geometry.inputs import STEEL, Material, in_mm, positive
from ..shafts.line_inputs import LineMotion
from ..springs.part import Bushing, Force, Spring
from .mesh import MembraneMatrices, MembraneMesh, membrane_matrices, plane_stress

__all__ = ["Membrane", "MembraneNode", "MembraneSpec", "membrane_problems"]


@dataclass(frozen=True, eq=False, init=False)
class MembraneNode(Station):
    """Node of a membrane. It translates and does not rotate: a sheet without bending stiffness exerts no moment on it."""


@dataclass(frozen=True, eq=False)
class MembraneSpec(ElementSpec):
    """Membrane element between the origins of three or four frames. damping: ratio to the stiffness [s]."""

    matrices: MembraneMatrices
    damping: float


@names_wrong_arguments
@dataclass(frozen=True, eq=False, init=False)
class Membrane(Structure):
    """Thin elastic sheet in plane stress. `Model.membrane` makes it and describes the arguments.

    Attributes
    ----------
    name : str
    mesh : MembraneMesh
    thickness : float
        [m]
    material : Material
    attached : mapping
        Frame of each node that is fixed to a body, by the number of the node.
    prestress : (3,)
        Stresses xx, yy and xy without deformation, in the axes of the elements [Pa].
    axis : (3,) or None
        Direction of the x axes of the elements. None: from the first to the second node of each.
    damping : float
        β [s]: damping matrix = β times stiffness matrix.
    velocity, angular_velocity : (3,) or None
        Initial velocity of the first node [m/s] and initial angular velocity [rad/s], world axes. None: those of the first body
        to which it is attached.
    stations : mapping
        Nodes that are not fixed to bodies, by their numbers as texts.
    """

    kind: ClassVar[str] = "membrane"
    section: ClassVar[str] = "membranes"

    name: str
    mesh: MembraneMesh
    thickness: float
    material: Material
    attached: Mapping[int, Frame]
    prestress: FloatArray
    axis: FloatArray | None
    damping: float
    velocity: FloatArray | None
    angular_velocity: FloatArray | None

    def __init__(
        self,
        name: str,
        mesh: MembraneMesh,
        *,
        thickness: object,
        material: Material = STEEL,
        attached: Mapping[int, Frame] | None = None,
        prestress: object = 0.0,
        axis: object = None,
        damping: object = 0.0,
        velocity: object = None,
        angular_velocity: object = None,
    ) -> None:
        what = part_subject(self.kind, name)
        if not isinstance(mesh, MembraneMesh):
            raise ModelError(
                f"{what}: mesh must be a MembraneMesh, made with MembraneMesh.patch, MembraneMesh.ring or from nodes and elements, "
                f"got {shown(mesh)}",
                about=what.at("mesh"),
            )
        if not isinstance(material, Material):
            raise ModelError(f"{what}: material must be a Material, got {shown(material)}", about=what.at("material"))
        for attribute, value in (
            ("name", name),
            ("mesh", mesh),
            ("thickness", positive(thickness, "length", what / "thickness")),
            ("material", material),
            ("attached", MappingProxyType(dict(attached or {}))),
            ("prestress", _prestress(prestress, what / "prestress")),
            ("axis", None if axis is None else direction(axis, what=what / "axis")),
            ("damping", quantity(damping, "time", what=what / "damping")),
            ("velocity", None if velocity is None else vector(velocity, "velocity", what=what / "velocity")),
            (
                "angular_velocity",
                None
                if angular_velocity is None
                else vector(angular_velocity, "angular velocity", what=what / "angular_velocity"),
            ),
        ):
            object.__setattr__(self, attribute, value)
        if self.damping < 0.0:
            raise ModelError(f"{what}: damping must not be negative, got {self.damping:g} s", about=what.at("damping"))
        self._check_thickness(what)
        motion = self._motion()
        stations = {}
        for i, x in enumerate(mesh.nodes):
            if i not in self.attached:
                stations[str(i)] = MembraneNode(
                    station_body_name(name, str(i)), structure=name, station=str(i), position=x,
                    velocity=motion.at(x)["velocity"],
                )  # fmt: skip
        object.__setattr__(self, "stations", MappingProxyType(stations))
        self.elements  # noqa: B018  errors of the axes of elements are found here

    def _check_thickness(self, what: Subject) -> None:
        size = float(np.ptp(self.mesh.nodes, axis=0).max())
        if self.thickness > size:
            raise ModelError(
                f"{what}: the thickness {in_mm(self.thickness)} is larger than the membrane, which is {in_mm(size)} wide. Specify "
                'lengths with their unit, e.g. thickness="2 mm"',
                about=what.at("thickness"),
            )

    def _motion(self) -> LineMotion:
        """Rigid motion at the start."""
        if self.velocity is not None or self.angular_velocity is not None:
            v, w = (np.zeros(3) if given is None else given for given in (self.velocity, self.angular_velocity))
            return LineMotion(self.mesh.nodes[0], v, w)
        for frame in self.attached.values():
            body = frame.owner
            assert body is not None
            return LineMotion(body.position, body.velocity, body.angular_velocity)
        return LineMotion(np.zeros(3), np.zeros(3), np.zeros(3))

    def element_axes(self, k: int) -> FloatArray:
        """Axes of element k in the world, without load, as columns: x and y in its plane, z its normal.

        Parameters
        ----------
        k
            Number of the element, from 0.
        """
        points = self.mesh.nodes[list(self.mesh.elements[k])]
        sides = np.roll(points, -1, axis=0) - points
        normal = np.cross(sides, np.roll(sides, -1, axis=0)).sum(axis=0)
        normal = normal / np.linalg.norm(normal)
        x = points[1] - points[0] if self.axis is None else self.axis
        x = x - (x @ normal) * normal
        if not np.linalg.norm(x) > 1e-6 * (1.0 if self.axis is not None else float(np.linalg.norm(sides[0]))):
            raise ModelError(
                f"{self.subject}: axis is perpendicular to element {k}, so that it defines no direction in its plane",
                about=self.subject.at("axis"),
            )
        x = x / np.linalg.norm(x)
        return np.stack([x, np.cross(normal, x), normal], axis=1)

    @cached_property
    def elements(self) -> tuple[MembraneSpec, ...]:
        """One element for each triangle and quadrilateral."""
        elasticity = plane_stress(self.material.youngs_modulus, self.material.poissons_ratio)
        found = []
        for k, corners in enumerate(self.mesh.elements):
            matrices = membrane_matrices(
                self.mesh.nodes[list(corners)], self.element_axes(k), thickness=self.thickness, elasticity=elasticity,
                density=self.material.density, prestress=self.prestress,
            )  # fmt: skip
            found.append(MembraneSpec(tuple(self._frame(i) for i in corners), matrices, self.damping))
        return tuple(found)

    def _frame(self, i: int) -> Frame:
        if i in self.attached:
            return self.attached[i]
        station = self.stations[str(i)]
        return Frame(station.name, np.zeros(3), None, owner=station)

    @cached_property
    def mass_matrix(self) -> FloatArray:
        """(n, n): consistent mass of all nodes [kg]."""
        M = np.zeros((len(self.mesh.nodes), len(self.mesh.nodes)))
        for corners, spec in zip(self.mesh.elements, self.elements, strict=True):
            M[np.ix_(corners, corners)] += spec.matrices.mass
        return M

    @property
    def links(self) -> tuple[RigidLink, ...]:
        """None: a membrane is elastic in every analysis."""
        return ()

    @cached_property
    def solid(self) -> MassProperties:
        """Total mass, centre of mass and inertia in the initial pose, world axes, from the world origin."""
        M, x = self.mass_matrix, self.mesh.nodes
        mass = float(M.sum())
        centre = M.sum(axis=0) @ x / mass
        moments = (x - centre).T @ M @ (x - centre)
        return MassProperties(mass, centre, np.trace(moments) * np.eye(3) - moments, what=self.subject)

    @cached_property
    def shares(self) -> Mapping[str, NodeShare]:
        """Fraction of the mass that acts on each node."""
        weights = self.mass_matrix.sum(axis=1)
        return MappingProxyType(
            {station.name: NodeShare(float(weights[int(i)]), np.zeros((3, 3))) for i, station in self.stations.items()}
        )

    def on_bodies(self, bodies: Mapping[str, Body]) -> Membrane:
        """Return the same membrane, fixed to other bodies.

        Parameters
        ----------
        bodies
            New bodies by name. Each replaces the body of the same name.
        """
        attached = {
            i: Frame(body.name, body.to_body(np.asarray(self.mesh.nodes[i])), None, frame.name, owner=body)
            for i, frame in self.attached.items()
            if (body := bodies.get(frame.body_name, frame.owner)) is not None
        }
        return self.replaced(attached=attached)

    def replaced(self, **changes: Any) -> Membrane:
        """Return the same membrane with some arguments changed, for `Model.replaced`. The stations are made again.

        Parameters
        ----------
        changes
            Arguments of `Model.membrane` with their new values.
        """
        return Membrane(**(self.arguments() | changes))

    def arguments(self) -> dict[str, Any]:
        """Arguments that make the membrane again."""
        names = (
            "name", "mesh", "thickness", "material", "attached", "prestress", "axis", "damping", "velocity", "angular_velocity",
        )  # fmt: skip
        return {name: getattr(self, name) for name in names}

    def said(self) -> dict[str, Any]:
        """Its arguments; the frames of attached nodes under texts."""
        return self.arguments() | {"attached": {str(i): frame for i, frame in self.attached.items()}}

    def summary_line(self) -> str:
        """ "0.3 kg, 2 mm thick, 72 elements, 96 nodes, fixed to hub (24), rim (24)" """
        counts: dict[str, int] = {}
        for frame in self.attached.values():
            counts[frame.body_name] = counts.get(frame.body_name, 0) + 1
        fixed = ", ".join(f"{name} ({count})" for name, count in counts.items())
        return (
            f"{self.solid.mass:.6g} kg, {in_mm(self.thickness)} thick, {len(self.mesh.elements)} elements, "
            f"{len(self.mesh.nodes)} nodes" + (f", fixed to {fixed}" if fixed else "")
        )

    def __repr__(self) -> str:
        return f"Membrane({self.name!r}: {len(self.mesh.elements)} elements)"


def _prestress(value: object, what: Subject) -> FloatArray:
    """One stress for both directions, or three stresses."""
    if isinstance(value, (int, float, str)):
        one = quantity(value, "pressure", what=what)
        return np.array([one, one, 0.0])
    return vector(value, "pressure", what=what)


# ---- membrane checks

# Parts that may be connected to the nodes of membranes: those that exert forces, not moments.

_JOINTS = ("spherical",)
_ELEMENTS = ("attached_mass", "cubic_spring", "sensor")


def membrane_problems(model: Registry) -> list[ModelError]:
    """Errors for parts that would exert a moment on a node of a membrane: nodes do not rotate, and would carry any moment."""
    problems: list[ModelError] = []
    if not any(isinstance(body, MembraneNode) for body in model.bodies.values()):
        return problems
    for what, kind, body, arm, fits in _connected(model):
        if not isinstance(body, MembraneNode):
            continue
        if not fits:
            problems.append(
                ModelError(
                    f'{what}: {kind} cannot be connected to "{body.name}", a node of a membrane, because nodes do not rotate and '
                    "the sheet carries no moment. Use a force, a spring or a spherical joint, or fix the membrane to a body "
                    "(attached=)",
                    about=what,
                )
            )
        elif arm.any():
            problems.append(
                ModelError(
                    f'{what}: it must act at the origin of "{body.name}", a node of a membrane, not at a distance from it',
                    about=what,
                )
            )
    return problems


def _connected(model: Registry) -> Iterator[tuple[Subject, str, Body | None, FloatArray, bool]]:
    """Bodies of all parts: the part, its kind, the body, the position on it, and whether the part exerts forces only."""
    for joint in model.joints.values():
        for frame in (joint.frame_a, joint.frame_b):
            what = part_subject("joint", joint.name)
            yield what, f"a {joint.kind} joint", frame.owner, frame.position, joint.kind in _JOINTS
    for load in model.loads.values():
        fits = isinstance(load, Force | Spring) or (
            isinstance(load, Bushing) and not np.any(load.stiffness[3:]) and not np.any(load.damping[3:])
        )
        kind, what = type(load).__name__.lower(), part_subject(type(load).__name__.lower(), load.name)
        for field in ("frame", "frame_a", "frame_b"):
            found = getattr(load, field, None)
            if isinstance(found, Frame):
                yield what, f"a {kind}", found.owner, found.position, fits
        for field in ("body_name", "reaction"):
            body = model.bodies.get(getattr(load, field, None) or "")
            yield what, f"a {kind}", body, np.zeros(3), fits and field != "reaction"
    for wheel in model.wheels.values():
        yield part_subject("wheel", wheel.name), "a wheel", wheel.frame.owner, wheel.frame.position, False
    for element in model.elements.values():
        for frame in element.frames.values():
            yield (
                Subject(f'element "{element.name}"'), f"a {type(element).key}", frame.owner, frame.position,
                type(element).key in _ELEMENTS,
            )  # fmt: skip
