"""Mesh of a membrane with named groups of nodes, and the constant matrices of its elements."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any

import numpy as np

from pitchline.base.arguments import names_wrong_arguments
from pitchline.errors import ModelError, Subject, near_names, shown
from pitchline.solids.rotations import direction, frozen, z_to
from pitchline.units.quantity import vector

from ..gears.geometry.inputs import flag, positive, whole

__all__ = ["MembraneMatrices", "membrane_matrices", "plane_stress", "MembraneMesh"]


# ---- matrices

# Constant matrices of a membrane element: a flat triangle (3 nodes) or quadrilateral (4 nodes) in plane stress.
#
# The strain is that of Green-Lagrange, E = (F^T F - 1)/2 at the integration points, from the positions of the nodes
# in space; so rigid motions, however large, have no strain. Quadrilaterals have four enhanced strain modes (Simo and
# Rifai 1990) for bending in their plane. Their amplitudes are eliminated here: the energy is a quadratic form of the
# strains at all integration points.

Array = np.ndarray


_G = 1.0 / np.sqrt(3.0)
_POINTS = np.array([(-_G, -_G), (_G, -_G), (_G, _G), (-_G, _G)])
_CORNERS = np.array([(-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0)])


@dataclass(frozen=True, eq=False)
class MembraneMatrices:
    """Data of one element with n nodes and p integration points.

    Attributes
    ----------
    gradients : (p * n, 2)
        Derivatives of the shape functions with respect to the element axes [1/m].
    rest : (3 p,)
        F^T F/2 without load: components 11, 22, and twice 12.
    stiffness : (3 p, 3 p)
        Stress resultants, times the areas of the points, by strains [N*m].
    initial : (3 p,)
        The same of the prestress [N*m].
    mass : (n, n)
        Consistent mass [kg].
    volumes : (p,)
        Thickness times area of each point [m^3].
    axes : (3, 3)
        Element axes in the axes of the nodes, as columns: x and y in its plane, z its normal.
    """

    gradients: Array
    rest: Array
    stiffness: Array
    initial: Array
    mass: Array
    volumes: Array
    axes: Array


def plane_stress(young: float, poisson: float) -> Array:
    """(3, 3): stresses 11, 22, 12 by strains 11, 22 and twice 12, in plane stress [Pa]."""
    return (
        young
        / (1.0 - poisson**2)
        * np.array([(1.0, poisson, 0.0), (poisson, 1.0, 0.0), (0.0, 0.0, 0.5 * (1.0 - poisson))])
    )


def membrane_matrices(
    points: Array, axes: Array, *, thickness: float, elasticity: Array, density: float, prestress: Array
) -> MembraneMatrices:
    """Matrices of an element.

    points: (n, 3) nodes without load. axes: (3, 3) element axes. elasticity: (3, 3) in element axes [Pa]. prestress: (3,)
    stresses 11, 22, 12 [Pa].
    """
    flat = (points - points[0]) @ axes[:, :2]
    if len(points) == 3:
        J = np.array([flat[1], flat[2]]).T
        found = [(np.array([(-1.0, -1.0), (1.0, 0.0), (0.0, 1.0)]) @ np.linalg.inv(J), 0.5 * float(np.linalg.det(J)))]
        enhanced: list[Array] = [np.zeros((3, 0))]
        shape = [np.full(3, 1.0 / 3.0)]
        mass = density * thickness * found[0][1] / 12.0 * (np.ones((3, 3)) + np.eye(3))
    else:
        found, enhanced, shape = _quadrilateral(flat)
        mass = sum(density * thickness * w * np.outer(N, N) for N, (_, w) in zip(shape, found, strict=True))  # type: ignore[assignment]
    volumes = thickness * np.array([w for _, w in found])
    count = len(found)
    C = np.zeros((3 * count, 3 * count))
    P = np.zeros((enhanced[0].shape[1], 3 * count))
    own = np.zeros((P.shape[0], P.shape[0]))
    rest = np.zeros(3 * count)
    for g, ((dN, _), G) in enumerate(zip(found, enhanced, strict=True)):
        mine = slice(3 * g, 3 * g + 3)
        C[mine, mine] = volumes[g] * elasticity
        P[:, mine] = volumes[g] * G.T @ elasticity
        own += volumes[g] * G.T @ elasticity @ G
        F = points.T @ dN
        metric = F.T @ F
        rest[mine] = 0.5 * metric[0, 0], 0.5 * metric[1, 1], metric[0, 1]
    if len(own):
        C -= P.T @ np.linalg.solve(own, P)
    gradients = np.concatenate([dN for dN, _ in found])
    initial = np.concatenate([volume * prestress for volume in volumes])
    return MembraneMatrices(gradients, rest, 0.5 * (C + C.T), initial, mass, volumes, axes)


def _quadrilateral(flat: Array) -> tuple[list[tuple[Array, float]], list[Array], list[Array]]:
    """For each integration point: gradients (4, 2) and area, enhanced modes (3, 4), shape functions (4,)."""
    centre = flat.T @ (0.25 * _CORNERS)
    back = np.linalg.inv(centre)
    modes = [np.array(m) for m in (((1, 0), (0, 0)), ((0, 0), (0, 1)), ((0, 0.5), (0.5, 0)), ((0, 0.5), (0.5, 0)))]
    found, enhanced, shape = [], [], []
    for xi, eta in _POINTS:
        N = 0.25 * (1.0 + xi * _CORNERS[:, 0]) * (1.0 + eta * _CORNERS[:, 1])
        by = 0.25 * np.stack(
            [_CORNERS[:, 0] * (1.0 + eta * _CORNERS[:, 1]), _CORNERS[:, 1] * (1.0 + xi * _CORNERS[:, 0])], axis=1
        )
        J = flat.T @ by
        size = float(np.linalg.det(J))
        G = np.zeros((3, 4))
        for k, (mode, value) in enumerate(zip(modes, (xi, eta, xi, eta), strict=True)):
            e = float(np.linalg.det(centre)) / size * value * back.T @ mode @ back
            G[:, k] = e[0, 0], e[1, 1], 2.0 * e[0, 1]
        found.append((by @ np.linalg.inv(J), size))
        enhanced.append(G)
        shape.append(N)
    return found, enhanced, shape


MOST_NODES = 20_000
"""Largest number of nodes of a mesh."""
WARP = 0.01
"""Largest distance of the corners of a quadrilateral from its mean plane, relative to the square root of its area."""
THIN = 1e-6
"""Smallest area of an element, relative to the square of its longest side."""


@names_wrong_arguments
@dataclass(frozen=True, init=False, eq=False)
class MembraneMesh:
    """Nodes and elements of a membrane, in the world in the initial pose.

    `MembraneMesh.patch` divides a surface with four corners, `MembraneMesh.ring` a ring or disc with a hole.

    Attributes
    ----------
    nodes : (n, 3)
        Positions [m].
    elements : tuple
        Three or four numbers of nodes for each element, in order around it.
    groups : mapping
        Numbers of nodes by name, such as "inner" and "outer".
    shape : str
        "nodes", "patch" or "ring".
    given : mapping
        Arguments of its constructor, in SI units.
    """

    nodes: Array
    elements: tuple[tuple[int, ...], ...]
    groups: Mapping[str, tuple[int, ...]]
    shape: str
    given: Mapping[str, Any] = field(repr=False)

    def __init__(
        self,
        nodes: Sequence[Sequence[float | str]],
        elements: Sequence[Sequence[int]],
        *,
        groups: Mapping[str, Sequence[int]] | None = None,
    ) -> None:
        """Make a mesh from its nodes and elements.

        Parameters
        ----------
        nodes
            Positions in the world, in the initial pose [m].
        elements
            Numbers of the nodes of each element, from 0, in order around it: three for a triangle, four for a quadrilateral.
        groups
            Names for lists of nodes. Optional.
        """
        what = Subject("membrane mesh")
        points = _points(nodes, what)
        found = tuple(
            _corners(one, len(points), what / "elements" / k)
            for k, one in enumerate(_list(elements, what / "elements"))
        )
        named = {name: _group(one, len(points), what / "groups" / name) for name, one in dict(groups or {}).items()}
        given = {"nodes": points, "elements": found, "groups": named}
        _fill(self, points, found, named, "nodes", given, what)

    @classmethod
    def patch(
        cls, corners: Sequence[Sequence[float | str]], divisions: Sequence[int], *, triangles: bool = False
    ) -> MembraneMesh:
        """Divide a flat surface between four corners.

        Parameters
        ----------
        corners
            Four points in the world, in order around the surface [m].
        divisions
            Number of elements from the first to the second corner, and from the second to the third.
        triangles
            If True, each quadrilateral is divided into two triangles. Default False.

        The nodes along the four sides are the groups "side 1" (from corner 1 to corner 2) to "side 4" (from corner 4 to corner 1).
        """
        what = Subject("membrane mesh")
        four = _points(corners, what, "corners")
        if len(four) != 4:
            raise ModelError(f"{what}: corners must be four points, got {len(four)}", about=what.at("corners"))
        count = _list(divisions, what / "divisions")
        if len(count) != 2:
            raise ModelError(
                f"{what}: divisions must be two whole numbers, got {shown(divisions)}", about=what.at("divisions")
            )
        m, n = (whole(one, what / "divisions" / k, at_most=1000) for k, one in enumerate(count))
        split = flag(triangles, what / "triangles")
        u, v = np.meshgrid(np.linspace(0.0, 1.0, m + 1), np.linspace(0.0, 1.0, n + 1))
        shares = np.stack([(1 - u) * (1 - v), u * (1 - v), u * v, (1 - u) * v], axis=2).reshape(-1, 4)
        number = np.arange((m + 1) * (n + 1)).reshape(n + 1, m + 1)
        quads = [
            (number[j, i], number[j, i + 1], number[j + 1, i + 1], number[j + 1, i]) for j in range(n) for i in range(m)
        ]
        sides = (number[0], number[:, -1], number[-1, ::-1], number[::-1, 0])
        groups = {f"side {k}": tuple(int(i) for i in side) for k, side in enumerate(sides, 1)}
        made = cls.__new__(cls)
        given = {"corners": four, "divisions": (m, n), "triangles": split}
        _fill(made, shares @ four, _split(quads, split), groups, "patch", given, what)
        return made

    @classmethod
    def ring(
        cls,
        inner: float | str,
        outer: float | str,
        *,
        around: int = 24,
        across: int = 3,
        centre: Sequence[float | str] = (0.0, 0.0, 0.0),
        axis: str | Sequence[float] = "z",
        triangles: bool = False,
    ) -> MembraneMesh:
        """Divide a flat ring between two diameters, such as the web between the hub and the rim of a gear.

        Parameters
        ----------
        inner, outer
            Inner and outer **diameter** [m], as of shafts and gears. Solids such as `cylinder` and `tube` take radii.
        around
            Number of elements around the ring. Default 24.
        across
            Number of elements from the inner to the outer circle. Default 3.
        centre
            Centre in the world [m]. Default: the origin.
        axis
            Direction of the normal of the ring. Default "z".
        triangles
            If True, each quadrilateral is divided into two triangles. Default False.

        The nodes on the two circles are the groups "inner" and "outer".
        """
        what = Subject("membrane mesh")
        a, b = positive(inner, "length", what / "inner"), positive(outer, "length", what / "outer")
        if a >= b:
            raise ModelError(
                f"{what}: the inner diameter {1e3 * a:g} mm must be smaller than the outer diameter {1e3 * b:g} mm",
                about=what.at("inner"),
            )
        m, n = whole(around, what / "around", at_least=3, at_most=2000), whole(across, what / "across", at_most=1000)
        split = flag(triangles, what / "triangles")
        at, normal = vector(centre, "length", what=what / "centre"), direction(axis, what=what / "axis")
        angle, radius = np.meshgrid(2.0 * math.pi * np.arange(m) / m, np.linspace(0.5 * a, 0.5 * b, n + 1))
        flat = np.stack([radius * np.cos(angle), radius * np.sin(angle), np.zeros_like(angle)], axis=2).reshape(-1, 3)
        number = np.arange(m * (n + 1)).reshape(n + 1, m)
        quads = [
            (number[j, i], number[j, (i + 1) % m], number[j + 1, (i + 1) % m], number[j + 1, i])
            for j in range(n)
            for i in range(m)
        ]
        groups = {"inner": tuple(range(m)), "outer": tuple(range(m * n, m * (n + 1)))}
        made = cls.__new__(cls)
        given = {
            "inner": a, "outer": b, "around": m, "across": n, "centre": at, "axis": normal, "triangles": split,
        }  # fmt: skip
        _fill(made, at + flat @ z_to(normal).T, _split(quads, split), groups, "ring", given, what)
        return made

    def group(self, value: str | int | Sequence[int | str], what: Subject) -> tuple[int, ...]:
        """Numbers of nodes: of a group by its name, or as specified.

        Parameters
        ----------
        value
            Name of a group, number of a node, or a list of both.
        what
            Name of the argument in messages.
        """
        if isinstance(value, str):
            if value not in self.groups:
                raise ModelError(
                    f"{what}: the mesh has no group {shown(value)}; {near_names(value, self.groups)}", about=what
                )
            return self.groups[value]
        if isinstance(value, Sequence | np.ndarray) and not isinstance(value, str):
            found = [node for k, one in enumerate(value) for node in self.group(one, what / k)]
            return tuple(dict.fromkeys(found))
        return (_node(value, len(self.nodes), what),)

    def __repr__(self) -> str:
        return f"MembraneMesh({len(self.nodes)} nodes, {len(self.elements)} elements)"


def _fill(
    mesh: MembraneMesh, nodes: Array, elements: tuple[tuple[int, ...], ...], groups: dict[str, tuple[int, ...]], shape: str,
    given: dict[str, Any], what: Subject,
) -> None:  # fmt: skip
    if len(nodes) > MOST_NODES:
        raise ModelError(f"{what}: {len(nodes)} nodes are too many. Use at most {MOST_NODES}", about=what)
    used = np.zeros(len(nodes), bool)
    for k, corners in enumerate(elements):
        _check_element(nodes[list(corners)], corners, what, k)
        used[list(corners)] = True
    if not used.all():
        raise ModelError(
            f"{what}: node {int(np.argmin(used))} belongs to no element. Remove it, or add an element",
            about=what.at("nodes"),
        )
    for attribute, value in (
        ("nodes", frozen(nodes)), ("elements", elements), ("groups", MappingProxyType(groups)), ("shape", shape),
        ("given", MappingProxyType(given)),
    ):  # fmt: skip
        object.__setattr__(mesh, attribute, value)


def _check_element(points: Array, corners: tuple[int, ...], what: Subject, k: int) -> None:
    """Refuse elements without area, warped ones, and quadrilaterals that are not convex."""
    place = what.at("elements", k)
    sides = np.roll(points, -1, axis=0) - points
    longest = float(np.linalg.norm(sides, axis=1).max())
    turns = np.cross(sides, np.roll(sides, -1, axis=0))
    normal = turns.sum(axis=0)
    size = float(np.linalg.norm(normal)) / (4.0 if len(points) == 4 else 6.0)
    if not longest > 0.0 or size < THIN * longest**2:
        raise ModelError(f"{what}: element {k} with the nodes {_numbers(corners)} has no area", about=place)
    normal = normal / np.linalg.norm(normal)
    if len(points) == 4:
        off = float(np.abs((points - points.mean(axis=0)) @ normal).max())
        if off > WARP * math.sqrt(size):
            raise ModelError(
                f"{what}: element {k} with the nodes {_numbers(corners)} is not flat: its corners are {1e3 * off:.3g} mm from a "
                "plane. Divide it into two triangles",
                about=place,
            )
        if np.any(turns @ normal < THIN * longest**2):
            raise ModelError(
                f"{what}: element {k} with the nodes {_numbers(corners)} must be convex, with its nodes in order around it",
                about=place,
            )


def _split(quads: Sequence[tuple[Any, ...]], triangles: bool) -> tuple[tuple[int, ...], ...]:
    plain = [tuple(int(i) for i in quad) for quad in quads]
    if not triangles:
        return tuple(plain)
    return tuple(half for a, b, c, d in plain for half in ((a, b, c), (a, c, d)))


def _numbers(corners: tuple[int, ...]) -> str:
    return ", ".join(str(i) for i in corners)


def _list(value: object, what: Subject) -> Sequence[Any]:
    if isinstance(value, str) or not isinstance(value, Sequence | np.ndarray) or not len(value):
        raise ModelError(f"{what}: expected a list, got {shown(value)}", about=what)
    return list(value)


def _points(value: object, what: Subject, name: str = "nodes") -> Array:
    return np.array([vector(one, "length", what=what / name / k) for k, one in enumerate(_list(value, what / name))])


def _node(value: object, count: int, what: Subject) -> int:
    return whole(value, what, at_least=0, at_most=count - 1)


def _corners(value: object, count: int, what: Subject) -> tuple[int, ...]:
    found = tuple(_node(one, count, what / k) for k, one in enumerate(_list(value, what)))
    if len(found) not in (3, 4) or len(set(found)) != len(found):
        raise ModelError(f"{what}: an element has three or four different nodes, got {shown(value)}", about=what)
    return found


def _group(value: object, count: int, what: Subject) -> tuple[int, ...]:
    return tuple(_node(one, count, what / k) for k, one in enumerate(_list(value, what)))
