"""Mass properties of rigid parts with the shapes that they come from, and the checks of masses and inertias."""

from __future__ import annotations

import base64
import binascii
import math
import zlib
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from pitchline.base.arguments import names_wrong_arguments
from pitchline.base.types import FloatArray
from pitchline.errors import ModelError, Subject, shown
from pitchline.units.quantity import matrix, quantity, vector

from .rotations import described_colour, direction, frozen, read_colour, read_rotation, z_to

__all__ = [
    "distinct_rows",
    "MOST_TRIANGLES",
    "TriangleMesh",
    "DrawnMesh",
    "drawn_mesh",
    "Shape",
    "ShapePiece",
    "read_shape",
    "MassProperties",
    "check_inertia",
    "properties_of",
    "read_inertia",
    "read_mass",
    "read_solid",
    "shaped",
]


# ---- distinct rows

# distinct_rows: the different rows of a table, as numpy's unique finds them, in a tenth of its time.


def distinct_rows(rows: npt.NDArray[Any]) -> tuple[npt.NDArray[np.intp], npt.NDArray[np.intp]]:
    """Numbers of the first of each set of equal rows, sorted by their content, and for every row the place of its set there."""
    order = np.lexsort(rows.T[::-1])  # stable: the first of equal rows stays first
    ordered = rows[order]
    new = np.ones(len(rows), dtype=bool)
    new[1:] = (ordered[1:] != ordered[:-1]).any(axis=1)
    index = np.empty(len(rows), dtype=np.intp)
    index[order] = np.cumsum(new) - 1
    return order[new], index


# ---- triangle mesh

# TriangleMesh: a surface of triangles, and the same as texts for descriptions and result files.

MOST_TRIANGLES = 200_000
"""Of one surface: it is kept in every result, about 10 bytes a triangle."""


@dataclass(frozen=True, eq=False)
class TriangleMesh:
    """Corners and triangles, in the unit of the file they come from.

    vertices:  (n, 3) float32
    triangles: (m, 3) numbers of vertices, seen from outside against the clock
    """

    vertices: npt.NDArray[np.float32]
    triangles: npt.NDArray[np.uint32]

    @classmethod
    def from_corners(cls, corners: npt.NDArray[np.float32]) -> TriangleMesh:
        """From three corners a triangle (m, 3, 3); equal ones become one vertex, triangles without area are left out."""
        flat = corners.reshape(-1, 3).astype(np.float32)
        flat[np.abs(flat) < 1e-7 * np.abs(flat).max()] = 0.0  # -0 too, and the noise of sines where others write 0
        first, index = distinct_rows(flat)
        triangles = index.reshape(-1, 3)
        a, b, c = triangles.T
        kept = triangles[(a != b) & (b != c) & (c != a)]
        return cls(flat[first], kept.astype(np.uint32))

    def described(self) -> dict[str, Any]:
        """Plain data: numbers of vertices and triangles, and both as texts (little endian, deflated, base64)."""
        return {
            "count": [len(self.vertices), len(self.triangles)],
            "vertices": _text(self.vertices.astype("<f4")),
            "triangles": _text(self.triangles.astype("<u4")),
        }

    @classmethod
    def from_description(cls, data: Any) -> TriangleMesh:
        """The mesh that `described` gave. A result may come from anywhere: what does not fit is a ModelError."""
        try:
            n, m = (int(x) for x in data["count"])
            if not (0 < n <= 3 * MOST_TRIANGLES and 0 < m <= MOST_TRIANGLES):
                raise ValueError(f"{n} vertices and {m} triangles")
            vertices = np.frombuffer(_bytes(data["vertices"], 12 * n), "<f4").reshape(n, 3)
            triangles = np.frombuffer(_bytes(data["triangles"], 12 * m), "<u4").reshape(m, 3)
        except (KeyError, TypeError, ValueError, zlib.error, binascii.Error) as error:
            raise ModelError(f"the surface of a shape is damaged: {shown(str(error))}. Run the model again") from None
        if int(triangles.max()) >= n or not np.isfinite(vertices).all():
            raise ModelError(
                "the surface of a shape is damaged: a triangle refers to a vertex that does not exist. Run the model again"
            )
        return cls(vertices.astype(np.float32), triangles.astype(np.uint32))


def _text(values: np.ndarray) -> str:
    return base64.b64encode(zlib.compress(values.tobytes(), 9)).decode("ascii")


def _bytes(text: str, size: int) -> bytes:
    """What a text holds, where that is `size` bytes; never more than that is unpacked."""
    unpacker = zlib.decompressobj()
    raw = unpacker.decompress(base64.b64decode(text, validate=True), size + 1)
    if len(raw) != size:
        raise ValueError(f"{len(raw)} bytes instead of {size}")
    return raw


# ---- drawn mesh

# drawn_mesh: the mesh of a described shape as it is drawn, smooth over flat edges and creased at sharp ones.

_SHARP = math.cos(math.radians(30.0))
_MOST_AROUND = 100
"""Triangles around a vertex beyond which its corners keep the normals of their triangles."""


@dataclass(frozen=True, eq=False)
class DrawnMesh:
    """A surface in the axes of its piece.

    position: (n, 3) float32 [m], normal: (n, 3) float32, of unit length; a vertex at a crease is there several times
    index:    (m, 3) uint32
    edge:     (e, 2, 3) float32, both ends of the sharp and the open edges [m]
    """

    position: npt.NDArray[np.float32]
    normal: npt.NDArray[np.float32]
    index: npt.NDArray[np.uint32]
    edge: npt.NDArray[np.float32]


def drawn_mesh(piece: Mapping[str, Any]) -> DrawnMesh:
    """The surface of a piece {"type": "mesh", ...} of a described shape; what is damaged is a ModelError."""
    mesh = TriangleMesh.from_description(piece)
    scale = piece.get("scale")
    if not isinstance(scale, (int, float)) or not 0.0 < scale < 1e30:
        raise ModelError(f"the surface of a shape is damaged: scale {shown(scale)}; run the model again")
    points = float(scale) * mesh.vertices.astype(np.float64)
    faces = mesh.triangles.astype(np.int64)
    area = np.cross(points[faces[:, 1]] - points[faces[:, 0]], points[faces[:, 2]] - points[faces[:, 0]])
    size = np.linalg.norm(area, axis=1, keepdims=True)
    unit = np.divide(area, size, out=np.zeros_like(area), where=size > 0.0)
    normals = _corner_normals(faces, area, unit)
    corners = np.concatenate([faces.reshape(-1, 1), np.round(normals * 1e3).astype(np.int64)], axis=1)
    where, index = distinct_rows(corners)
    return DrawnMesh(
        points[faces.reshape(-1)[where]].astype(np.float32),
        normals[where].astype(np.float32),
        index.reshape(-1, 3).astype(np.uint32),
        points[_sharp_edges(faces, unit)].astype(np.float32),
    )


def _corner_normals(faces: np.ndarray, area: np.ndarray, unit: np.ndarray) -> np.ndarray:
    """Unit normals (3 m, 3) at the corners: of all triangles around the vertex that are not turned by more than a crease."""
    vertex = faces.reshape(-1)
    face = np.repeat(np.arange(len(faces)), 3)
    order = np.argsort(vertex, kind="stable")
    count = np.bincount(vertex)
    first = np.concatenate([[0], np.cumsum(count)[:-1]])
    normals = area[face].copy()
    most = int(count[count <= _MOST_AROUND].max(initial=0))
    for turn in range(1, most):  # each corner with the one `turn` places farther around its vertex
        here = np.nonzero((count[vertex[order]] > turn) & (count[vertex[order]] <= _MOST_AROUND))[0]
        start, around = first[vertex[order[here]]], count[vertex[order[here]]]
        other = order[start + (here - start + turn) % around]
        mine = order[here]
        near = np.einsum("ni,ni->n", unit[face[mine]], unit[face[other]]) >= _SHARP
        normals[mine[near]] += area[face[other[near]]]
    length = np.linalg.norm(normals, axis=1, keepdims=True)
    return np.divide(normals, length, out=np.tile([0.0, 0.0, 1.0], (len(normals), 1)), where=length > 0.0)


def _sharp_edges(faces: np.ndarray, unit: np.ndarray) -> np.ndarray:
    """Vertex numbers (e, 2) of edges between triangles that meet at an angle, or that belong to only one triangle."""
    ends = np.sort(np.concatenate([faces[:, [0, 1]], faces[:, [1, 2]], faces[:, [2, 0]]]), axis=1)
    face = np.tile(np.arange(len(faces)), 3)
    where, edge_of = distinct_rows(ends)
    count = np.bincount(edge_of)
    order = np.argsort(edge_of, kind="stable")
    first = np.concatenate([[0], np.cumsum(count)[:-1]])
    a = face[order[first]]
    b = face[order[first + count - 1]]
    flat = (count == 2) & (np.einsum("ni,ni->n", unit[a], unit[b]) >= _SHARP)
    found: np.ndarray = ends[where[~flat]]
    return found


# ---- shape

# Shape: what a part looks like, as pieces of simple form in the axes of the part. A shape has no mass.

_ORIGIN = frozen([0.0] * 3)
_WAYS = 'specify cylinder(...), bar(...), stl("part.stl", scale="1 mm") and the like, or a list of them'


@dataclass(frozen=True, eq=False)
class ShapePiece:
    """One simple form.

    Attributes
    ----------
    kind : str
        "box" (size along x, y, z), "cylinder" (radius, length, inner: radius of its bore), "cone" (radius at its start and
        end_radius, length), "sphere" (radius) or "mesh" (scale: metres in one unit of its vertices; file: its name). Cylinders
        and cones have their axis along z. All shapes except meshes have their centre at the origin.
    sizes : Mapping
        [m]
    position : (3,)
        Of its origin [m].
    rotation : (3, 3)
        Columns are its axes, in those of the part.
    mesh : TriangleMesh | None
    source : Path | None
        The file of a mesh; it is not described, results are passed on.
    colour : str | None
        Of its own, "#RRGGBB" or "#RRGGBBAA".
    """

    kind: str
    sizes: Mapping[str, Any]
    position: FloatArray
    rotation: FloatArray
    mesh: TriangleMesh | None = None
    source: Path | None = None
    colour: str | None = None

    @cached_property
    def described(self) -> dict[str, Any]:
        """Plain data, of which the piece can be drawn."""
        return {
            "type": self.kind,
            **self.sizes,
            **({} if self.mesh is None else self.mesh.described()),
            **described_colour(self.colour),
            "position": self.position.tolist(),
            "rotation": self.rotation.tolist(),
        }


@names_wrong_arguments
@dataclass(frozen=True, eq=False)
class Shape:
    """What a part looks like: made by `cylinder`, `tube`, `cone`, `bar`, `sphere` or `stl` without a mass.

    Shapes may be moved, turned and added as solids may: ``tube(...) + bar(...).moved((0.1, 0, 0))``.

    Attributes
    ----------
    pieces : tuple
        Simple forms, each with its place in the axes of the part.
    """

    pieces: tuple[ShapePiece, ...]

    def moved(self, by: object) -> Shape:
        """The same shape, shifted by a vector [m]."""
        return shifted(self, vector(by, "length", what=Subject("Shape.moved") / "by"))

    def turned(self, rotation: object) -> Shape:
        """The same shape, turned about the origin: x -> R x."""
        return rotated(self, read_rotation(rotation, what=Subject("Shape.turned") / "rotation"))

    def coloured(self, colour: object) -> Shape:
        """The same shape in a colour of its own, "#RRGGBB", "#RRGGBBAA" or a name."""
        return painted(self, read_colour(colour, Subject("Shape.coloured") / "colour"))

    def __add__(self, other: object) -> Shape:
        """Both shapes as one."""
        if not isinstance(other, Shape):
            return NotImplemented
        return Shape(self.pieces + other.pieces)

    @property
    def drawn(self) -> Shape:
        """Without the solids of gears, which are drawn as wheels."""
        return Shape(tuple(piece for piece in self.pieces if piece.kind != "gear"))

    @property
    def described(self) -> list[dict[str, Any]]:
        """Plain data for descriptions and result files."""
        return [piece.described for piece in self.drawn.pieces]

    def __repr__(self) -> str:
        return f"Shape({', '.join(piece.kind for piece in self.pieces)})"


NO_SHAPE = Shape(())
GEAR_SHAPE = Shape((ShapePiece("gear", {}, _ORIGIN, read_rotation(None, what="gear")),))
"""For the solid of a gear, which has only mass: its wheel is drawn instead."""


def painted(shape: Shape, colour: str) -> Shape:
    return Shape(tuple(replace(piece, colour=colour) for piece in shape.pieces))


def shifted(shape: Shape, by: FloatArray) -> Shape:
    return Shape(tuple(replace(piece, position=frozen(piece.position + by)) for piece in shape.pieces))


def rotated(shape: Shape, r: FloatArray) -> Shape:
    return Shape(
        tuple(replace(p, position=frozen(r @ p.position), rotation=frozen(r @ p.rotation)) for p in shape.pieces)
    )


def one_piece(
    kind: str, axis: str = "z", *, mesh: TriangleMesh | None = None, source: Path | None = None, **sizes: Any
) -> Shape:
    """A shape of one piece at the origin, its z along an axis of the part."""
    return Shape((ShapePiece(kind, sizes, _ORIGIN, frozen(z_to(direction(axis, what="axis"))), mesh, source),))


def read_shape(value: object, what: Subject) -> Shape:
    """A shape, the shape of a solid, or several of these as one."""
    given = list(value) if isinstance(value, (list, tuple)) else [value]
    pieces: list[ShapePiece] = []
    for item in given:
        shape = item if isinstance(item, Shape) else getattr(item, "shape", None)
        if not isinstance(shape, Shape):
            raise ModelError(f"{what}: {shown(item)} is not a shape; {_WAYS}", about=what)
        if not shape.drawn.pieces:
            raise ModelError(
                f"{what}: {shown(item)} has no shape, because it was created from numbers or from a gear; {_WAYS}",
                about=what,
            )
        pieces += shape.drawn.pieces
    return Shape(tuple(pieces))


_TOLERANCE = 1e-9


def check_inertia(
    inertia: FloatArray, mass: float, what: Subject, *, any_inertia: bool = False, option: bool = False
) -> FloatArray:
    """The inertia made exactly symmetric, where a rigid body of this mass can have it.

    any_inertia: also an inertia that no rigid body can have, if no principal moment is negative. option: whether the user can
    specify this, for messages.
    """
    way_out = (
        ". For a model with such an inertia, such as a rotor that only spins, specify any_inertia=True"
        if option
        else ""
    )
    size = float(np.abs(inertia).max())
    if float(np.abs(inertia - inertia.T).max()) > _TOLERANCE * size:
        i, j = np.unravel_index(int(np.argmax(np.abs(inertia - inertia.T))), (3, 3))
        raise ModelError(
            f"{what}: inertia is not symmetric: entry [{i}, {j}] is {inertia[i, j]:g}, "
            f"[{j}, {i}] is {inertia[j, i]:g} kg*m^2; make them equal",
            about=what.at("inertia"),
        )
    inertia = 0.5 * (inertia + inertia.T)
    smallest, middle, largest = np.linalg.eigvalsh(inertia / size) * size if size else np.zeros(3)
    if smallest < -_TOLERANCE * size:
        raise ModelError(
            f"{what}: inertia has a negative principal moment, {smallest:.6g} kg*m^2; "
            "check the signs of the products of inertia",
            about=what.at("inertia"),
        )
    if smallest + middle < largest * (1.0 - _TOLERANCE) and not any_inertia:
        raise ModelError(
            f"{what}: no body has the principal moments {smallest:.6g}, {middle:.6g} and {largest:.6g} "
            "kg*m^2: none may exceed the sum of the others. Check units, and that the inertia is about "
            f"the centre of mass{way_out}",
            about=what.at("inertia"),
        )
    if mass == 0.0 and size > 0.0 and not any_inertia:
        raise ModelError(
            f"{what}: inertia without mass. Specify a mass, or inertia (0, 0, 0){way_out}", about=what.at("inertia")
        )
    return frozen(inertia)


def read_mass(value: object, what: Subject) -> float:
    """A mass that is not negative [kg]."""
    mass = quantity(value, "mass", what=what / "mass")
    if mass < 0.0:
        raise ModelError(f"{what}: mass must not be negative, got {mass:g} kg", about=what.at("mass"))
    return mass


def read_inertia(
    value: object, mass: float, what: Subject, *, any_inertia: bool = False, option: bool = False
) -> FloatArray:
    """Inertia (3, 3) [kg*m^2] from three principal moments (Ixx, Iyy, Izz) or a 3x3 matrix; options as in `check_inertia`."""
    where = what / "inertia"
    if isinstance(value, np.ndarray):
        value = value.tolist()
    if not isinstance(value, (list, tuple)) or len(value) != 3:
        raise ModelError(
            f"{where}: expected the moments (Ixx, Iyy, Izz) or a 3x3 matrix about the centre of "
            f"mass in body axes, got {shown(value)}",
            about=where,
        )
    if any(isinstance(item, (list, tuple, np.ndarray)) for item in value):
        moments = matrix(value, "inertia", what=where)
    else:
        moments = np.diag(vector(value, "inertia", what=where))
    return check_inertia(moments, mass, what, any_inertia=any_inertia, option=option)


@names_wrong_arguments
@dataclass(frozen=True, eq=False, init=False)
class MassProperties:
    """Mass, centre of mass and inertia of a rigid part.

    Attributes
    ----------
    mass : float
        [kg]
    centre_of_mass : (3,)
        From the origin, in the part's axes [m].
    inertia : (3, 3)
        About the centre of mass, in the part's axes [kg*m^2].

    shape : Shape
        What it looks like where it was made as a cylinder, bar, ...; of parts added, what is known of each.

    Parts may be moved, turned and added: ``tube(...) + bar(...).moved((0.1, 0, 0))``.
    """

    mass: float
    centre_of_mass: FloatArray
    inertia: FloatArray
    _shape: Shape = field(init=False, repr=False, default=NO_SHAPE)

    def __init__(self, mass: object, centre_of_mass: object, inertia: object, *, what: str = "MassProperties") -> None:
        what = Subject(what)
        m = read_mass(mass, what)
        object.__setattr__(self, "mass", m)
        object.__setattr__(self, "centre_of_mass", vector(centre_of_mass, "length", what=what / "centre_of_mass"))
        object.__setattr__(self, "inertia", read_inertia(inertia, m, what))

    @property
    def shape(self) -> Shape:
        return self._shape

    def moved(self, by: object) -> MassProperties:
        """The same part, shifted by a vector [m]."""
        shift = vector(by, "length", what=Subject("MassProperties.moved") / "by")
        made = _checked(self.mass, self.centre_of_mass + shift, self.inertia)
        return shaped(made, shifted(self._shape, shift))

    def turned(self, rotation: object) -> MassProperties:
        """The same part, turned about the origin: x -> R x."""
        r = read_rotation(rotation, what=Subject("MassProperties.turned") / "rotation")
        made = _checked(self.mass, r @ self.centre_of_mass, r @ self.inertia @ r.T)
        return shaped(made, rotated(self._shape, r))

    def coloured(self, colour: object) -> MassProperties:
        """The same part, its shape in a colour of its own: "#RRGGBB", "#RRGGBBAA" or a name."""
        said = read_colour(colour, Subject("MassProperties.coloured") / "colour")
        return shaped(_checked(self.mass, self.centre_of_mass, self.inertia), painted(self._shape, said))

    def __radd__(self, other: object) -> MassProperties:
        if isinstance(other, Shape):
            raise ModelError(_without_mass("a part of the sum", other), about=Subject("sum"))
        return NotImplemented

    def __add__(self, other: object) -> MassProperties:
        """Both parts as one, by the parallel axis theorem: I = sum I_i + m_i (d_i.d_i 1 - d_i d_i^T)."""
        if isinstance(other, Shape):
            raise ModelError(_without_mass("a part of the sum", other), about=Subject("sum"))
        if not isinstance(other, MassProperties):
            return NotImplemented
        mass = self.mass + other.mass
        if mass == 0.0:
            return _checked(0.0, self.centre_of_mass, self.inertia + other.inertia)
        centre = (self.mass * self.centre_of_mass + other.mass * other.centre_of_mass) / mass
        inertia = np.zeros((3, 3))
        for part in (self, other):
            d = part.centre_of_mass - centre
            inertia += part.inertia + part.mass * (d @ d * np.eye(3) - np.outer(d, d))
        return shaped(_checked(mass, centre, inertia), self._shape + other._shape)


def _checked(mass: float, centre_of_mass: FloatArray, inertia: FloatArray) -> MassProperties:
    """Mass properties of a part, or of a sum of parts, which were checked before."""
    made: MassProperties = object.__new__(MassProperties)
    object.__setattr__(made, "mass", float(mass))
    object.__setattr__(made, "centre_of_mass", frozen(centre_of_mass))
    object.__setattr__(made, "inertia", frozen(0.5 * (inertia + inertia.T)))
    return made


def properties_of(part: Any) -> MassProperties:
    """Mass properties of a part, such as a body, that was checked before."""
    return _checked(part.mass, part.centre_of_mass, part.inertia)


def shaped(properties: MassProperties, shape: Shape) -> MassProperties:
    """Mass properties, new and not yet used, with what they look like."""
    if shape.pieces:
        object.__setattr__(properties, "_shape", shape)
    return properties


def read_solid(value: object, what: Subject) -> MassProperties:
    """Mass properties where they are some; what = "body "x"", the argument is called solid."""
    if isinstance(value, Shape):
        raise ModelError(_without_mass(f"{what}: the solid", value), about=what.at("solid"))
    if not isinstance(value, MassProperties):
        raise ModelError(
            f"{what}: solid must be MassProperties, such as cylinder(...), got {shown(value)}", about=what.at("solid")
        )
    return value


def _without_mass(what: str, shape: Shape) -> str:
    kinds = " and ".join(dict.fromkeys(piece.kind for piece in shape.pieces)) or "shape"
    return f"{what} is a shape ({kinds}) without a mass. Specify mass or density where it is created"
