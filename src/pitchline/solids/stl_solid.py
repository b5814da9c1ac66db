"""Homogeneous solids by exact formulas (bar, cylinder, tube, cone, sphere), and solids from STL files."""

from __future__ import annotations

import math
import os
from pathlib import Path
from typing import overload

import numpy as np
import numpy.typing as npt

from pitchline.base.arguments import names_wrong_arguments
from pitchline.base.types import FloatArray
from pitchline.errors import ModelError, Subject, shown
from pitchline.units.quantity import quantity

from .mass_properties import MOST_TRIANGLES, MassProperties, Shape, TriangleMesh, one_piece, shaped

__all__ = ["bar", "cone", "cylinder", "sphere", "tube", "read_stl", "stl"]


def _positive(value: object, name: str, what: Subject) -> float:
    size = quantity(value, "length", what=what / name)
    if size <= 0.0:
        raise ModelError(f"{what}: {name} must be greater than zero, got {size:g} m", about=what.at(name))
    return size


def mass_of(volume: float, mass: object, density: object, what: Subject) -> float | None:
    """Mass [kg] of a volume [m^3] from mass or density; None if neither is specified."""
    if mass is None and density is None:
        return None
    if mass is not None and density is not None:
        raise ModelError(f"{what}: specify either mass or density, not both", about=what)
    if mass is not None:
        result = quantity(mass, "mass", what=what / "mass")
    else:
        result = volume * quantity(density, "density", what=what / "density")
    if result <= 0.0:
        given = "mass" if mass is not None else "density"
        raise ModelError(f"{what}: {given} must be greater than zero", about=what.at(given))
    return result


def _axis(axis: object, what: Subject) -> str:
    if not isinstance(axis, str) or axis not in ("x", "y", "z"):
        raise ModelError(
            f'{what}: axis must be "x", "y" or "z", got {shown(axis)}; for other directions use .turned(...)',
            about=what.at("axis"),
        )
    return axis


def _round(mass: float, axial: float, transverse: float, axis: str, shape: Shape, what: Subject) -> MassProperties:
    """Mass properties of a solid of revolution about "x", "y" or "z"."""
    moments = [transverse] * 3
    moments["xyz".index(axis)] = axial
    return shaped(MassProperties(mass, (0.0, 0.0, 0.0), moments, what=what), shape)


@overload
def cylinder(radius: object, length: object, *, axis: str = "z") -> Shape: ...
@overload
def cylinder(
    radius: object, length: object, *, mass: object = None, density: object = None, axis: str = "z"
) -> MassProperties: ...
@names_wrong_arguments
def cylinder(
    radius: object, length: object, *, mass: object = None, density: object = None, axis: str = "z"
) -> MassProperties | Shape:
    """A solid cylinder about its centre; only its shape if neither mass nor density is specified.

    I_axial = m r^2 / 2, I_transverse = m (3 r^2 + l^2) / 12
    """
    what = Subject("cylinder")
    r, l = _positive(radius, "radius", what), _positive(length, "length", what)
    m = mass_of(math.pi * r**2 * l, mass, density, what)
    shape = one_piece("cylinder", _axis(axis, what), radius=r, length=l)
    return shape if m is None else _round(m, m * r**2 / 2, m * (3 * r**2 + l**2) / 12, axis, shape, what)


@overload
def tube(outer_radius: object, inner_radius: object, length: object, *, axis: str = "z") -> Shape: ...
@overload
def tube(
    outer_radius: object,
    inner_radius: object,
    length: object,
    *,
    mass: object = None,
    density: object = None,
    axis: str = "z",
) -> MassProperties: ...
@names_wrong_arguments
def tube(
    outer_radius: object,
    inner_radius: object,
    length: object,
    *,
    mass: object = None,
    density: object = None,
    axis: str = "z",
) -> MassProperties | Shape:
    """A hollow cylinder about its centre; only its shape if neither mass nor density is specified.

    I_axial = m (R^2 + r^2) / 2, I_transverse = m (3 (R^2 + r^2) + l^2) / 12
    """
    what = Subject("tube")
    big = _positive(outer_radius, "outer_radius", what)
    small = quantity(inner_radius, "length", what=what / "inner_radius")
    l = _positive(length, "length", what)
    if not 0.0 <= small < big:
        raise ModelError(
            f"tube: inner_radius must be from 0 to less than outer_radius ({big:g} m), got {small:g} m",
            about=what.at("inner_radius"),
        )
    m = mass_of(math.pi * (big**2 - small**2) * l, mass, density, what)
    squares = big**2 + small**2
    shape = one_piece("cylinder", _axis(axis, what), radius=big, length=l, inner=small)
    return shape if m is None else _round(m, m * squares / 2, m * (3 * squares + l**2) / 12, axis, shape, what)


@overload
def cone(radius: object, end_radius: object, length: object, *, axis: str = "z") -> Shape: ...
@overload
def cone(
    radius: object,
    end_radius: object,
    length: object,
    *,
    mass: object = None,
    density: object = None,
    axis: str = "z",
) -> MassProperties: ...
@names_wrong_arguments
def cone(
    radius: object,
    end_radius: object,
    length: object,
    *,
    mass: object = None,
    density: object = None,
    axis: str = "z",
) -> MassProperties | Shape:
    """A cone, or a frustum of one, about the middle of its axis; only its shape if neither mass nor density is specified.

    radius: at its start, where the axis is negative; end_radius: at its end; one of both may be 0 [m].

    With a = radius, b = end_radius, s = a² + a b + b², z_c the place of the centre of mass along the axis:
    m = ρ π l s / 3, z_c = l (b² − a²) / (4 s), I_axial = 3 m (a⁴ + a³ b + a² b² + a b³ + b⁴) / (10 s),
    I_transverse = I_axial / 2 + m (l² (2 a² + a b + 2 b²) / (20 s) − z_c²)
    """
    what = Subject("cone")
    a, b = (quantity(v, "length", what=what / n) for v, n in ((radius, "radius"), (end_radius, "end_radius")))
    l = _positive(length, "length", what)
    if min(a, b) < 0.0 or max(a, b) == 0.0:
        raise ModelError(
            f"cone: radius and end_radius must not be negative, and one of them greater than zero, got {a:g} m and {b:g} m",
            about=what.at("end_radius" if b < 0.0 else "radius"),
        )
    shape = one_piece("cone", _axis(axis, what), radius=a, end_radius=b, length=l)
    area = (a**2 + a * b + b**2) / 3
    m = mass_of(math.pi * area * l, mass, density, what)
    if m is None:
        return shape
    fourth = (a**4 + a**3 * b + a**2 * b**2 + a * b**3 + b**4) / 5
    first = l * (b**2 - a**2) / 12 / area
    second = l**2 * (2 * a**2 + a * b + 2 * b**2) / 60 / area
    axial = m * fourth / (2 * area)
    transverse = axial / 2 + m * (second - first**2)
    centre = [0.0] * 3
    centre["xyz".index(axis)] = first
    made = _round(m, axial, transverse, axis, shape, what)
    return shaped(MassProperties(m, centre, made.inertia, what=what), shape)


@overload
def bar(length: object, width: object, height: object) -> Shape: ...
@overload
def bar(
    length: object, width: object, height: object, *, mass: object = None, density: object = None
) -> MassProperties: ...
@names_wrong_arguments
def bar(
    length: object, width: object, height: object, *, mass: object = None, density: object = None
) -> MassProperties | Shape:
    """A box about its centre, length along x, width along y, height along z; only its shape without mass and density.

    I_xx = m (w^2 + h^2) / 12, and so on round.
    """
    what = Subject("bar")
    l, w, h = (
        _positive(value, name, what) for value, name in ((length, "length"), (width, "width"), (height, "height"))
    )
    m = mass_of(l * w * h, mass, density, what)
    shape = one_piece("box", size=[l, w, h])
    if m is None:
        return shape
    moments = (m * (w**2 + h**2) / 12, m * (l**2 + h**2) / 12, m * (l**2 + w**2) / 12)
    return shaped(MassProperties(m, (0.0, 0.0, 0.0), moments, what=what), shape)


@overload
def sphere(radius: object) -> Shape: ...
@overload
def sphere(radius: object, *, mass: object = None, density: object = None) -> MassProperties: ...
@names_wrong_arguments
def sphere(radius: object, *, mass: object = None, density: object = None) -> MassProperties | Shape:
    """A solid sphere about its centre, I = 2 m r^2 / 5; only its shape if neither mass nor density is specified."""
    what = Subject("sphere")
    r = _positive(radius, "radius", what)
    m = mass_of(4 / 3 * math.pi * r**3, mass, density, what)
    shape = one_piece("sphere", radius=r)
    return shape if m is None else shaped(MassProperties(m, (0.0, 0.0, 0.0), [2 * m * r**2 / 5] * 3, what=what), shape)


# ---- stl file

# Reading of STL files, binary and as text.
#
# Binary: 80 bytes of heading, the number of triangles (uint32), then 50 bytes a triangle: normal, three corners
# (float32) and two bytes without meaning. Text: "solid", then for each triangle "facet normal", "outer loop", three
# lines "vertex x y z", "endloop" and "endfacet". Some programs begin binary files with "solid" too, so the length
# decides. Normals are not read: they follow from the order of the corners.

_HEADING = 84
_RECORD = np.dtype([("normal", "<f4", 3), ("corners", "<f4", (3, 3)), ("unused", "<u2")])
_MOST_BYTES = 1000 * MOST_TRIANGLES
"""A triangle as text takes about 300 bytes."""


def read_stl(path: str | os.PathLike[str], what: Subject) -> TriangleMesh:
    """Read the surface of a file. A ModelError states the problem and its location in the file."""
    name = Path(path).name
    try:
        size = os.path.getsize(path)
        if size > _MOST_BYTES:
            raise ModelError(f"{what}: {shown(name)} has {size / 1e6:.0f} MB, {_too_many()}", about=what)
        data = Path(path).read_bytes()
    except OSError as error:
        raise ModelError(f"{what}: {shown(name)} cannot be read: {error.strerror or error}", about=what) from None
    try:
        corners = _text(data) if _is_text(data) else _binary(data)
        bad = np.nonzero(~np.isfinite(corners).all(axis=(1, 2)))[0]
        if len(bad):
            raise ValueError(f"triangle {bad[0] + 1} of {len(corners)} has a corner that is not a finite number")
        if float(np.abs(corners).max()) > 1e30:
            raise ValueError("a corner is farther than 1e30 from the origin")
    except ValueError as error:
        raise ModelError(f"{what}: {shown(name)}: {error}", about=what) from None
    mesh = TriangleMesh.from_corners(corners)
    if not len(mesh.triangles):
        raise ModelError(f"{what}: {shown(name)}: no triangle has an area", about=what)
    return mesh


def _too_many() -> str:
    return f"more than {MOST_TRIANGLES:,} triangles can have. Export it with a coarser tolerance"


def _is_text(data: bytes) -> bool:
    if len(data) >= _HEADING and len(data) == _HEADING + 50 * int.from_bytes(data[80:84], "little"):
        return False
    return data.lstrip()[:5].lower() == b"solid" and b"facet" in data[:2000].lower()


def _binary(data: bytes) -> npt.NDArray[np.float32]:
    if len(data) < _HEADING:
        raise ValueError(f"is not an STL file: it has {len(data)} bytes, but the heading has {_HEADING}")
    count = int.from_bytes(data[80:84], "little")
    expected = _HEADING + 50 * count
    if len(data) != expected:
        raise ValueError(
            f"is not an STL file, or is damaged: at byte 80 it specifies {count:,} triangles, which require "
            f"{expected:,} bytes, but it has "
            f"{len(data):,}"
        )
    if not count:
        raise ValueError("has no triangles")
    if count > MOST_TRIANGLES:
        raise ValueError(
            f"has {count:,} triangles, but at most {MOST_TRIANGLES:,} are supported. Export it with a coarser tolerance"
        )
    found: npt.NDArray[np.float32] = np.frombuffer(data, _RECORD, offset=_HEADING)["corners"].astype(np.float32)
    return found


def _text(data: bytes) -> npt.NDArray[np.float32]:
    numbers: list[float] = []
    open_at, ended = 0, False
    for n, line in enumerate(data.decode("utf-8", "replace").splitlines(), 1):
        words = line.split()
        first = words[0].lower() if words else ""
        if first == "vertex":
            numbers += _vertex(words, n)
            if len(numbers) > 9 * MOST_TRIANGLES:
                raise ValueError(f"line {n}: {_too_many()}")
        elif first == "facet":
            if open_at:
                raise ValueError(f'line {n}: a facet begins, but that of line {open_at} has no "endfacet"')
            open_at, before = n, len(numbers)
        elif first == "endfacet":
            if not open_at or len(numbers) - before != 9:
                count = (len(numbers) - before) // 3 if open_at else 0
                raise ValueError(f"line {n}: a facet ends with {count} vertices instead of 3")
            open_at = 0
        elif first == "endsolid":
            ended = True
        elif first not in ("", "solid", "outer", "endloop"):
            raise ValueError(f"line {n}: {shown(line.strip())} does not belong in an STL file")
    if open_at or not ended:
        where = f"the facet of line {open_at} is not closed" if open_at else 'there is no "endsolid"'
        raise ValueError(f"the file is cut off: {where}")
    if not numbers:
        raise ValueError("has no triangles")
    return np.array(numbers, dtype=np.float64).astype(np.float32).reshape(-1, 3, 3)


def _vertex(words: list[str], n: int) -> list[float]:
    try:
        values = [float(word) for word in words[1:]]
    except ValueError:
        values = []
    if len(values) != 3 or not all(math.isfinite(value) and abs(value) < 1e30 for value in values):
        raise ValueError(f'line {n}: expected "vertex" and three numbers, got {shown(" ".join(words))}')
    return values


# ---- stl solid

# stl: the shape in an STL file, and with a mass or a density the solid that it encloses.
#
# Volume, centre of mass and inertia follow by the divergence theorem: each triangle and the origin make a
# tetrahedron, whose integrals are exact, and what lies outside of the body cancels. With x_i the corners and d = x_1
# · (x_2 × x_3):
#
# V = Σ d / 6 , ∫ x dV = Σ d (x_1 + x_2 + x_3) / 24 , ∫ x xᵀ dV = Σ d ((Σ x_i)(Σ x_i)ᵀ + Σ x_i x_iᵀ) / 120


@overload
def stl(path: str | os.PathLike[str], *, scale: object) -> Shape: ...
@overload
def stl(
    path: str | os.PathLike[str], *, scale: object, mass: object = None, density: object = None
) -> MassProperties: ...
@names_wrong_arguments
def stl(
    path: str | os.PathLike[str], *, scale: object, mass: object = None, density: object = None
) -> MassProperties | Shape:
    """The part in an STL file, in the axes of the file; only its shape if neither mass nor density is specified.

    path: binary or as text. scale: the length of one unit of the file, such as "1 mm"; STL files do not contain it.
    With a mass or a density the surface must be closed, and the part is homogeneous. The surface is kept in results, so that they
    can be drawn without the file.
    """
    what = Subject("stl")
    if not isinstance(path, (str, os.PathLike)):
        raise ModelError(
            f'{what}: path must be the name of a file, such as "arm.stl", got {shown(path)}', about=what.at("path")
        )
    unit = quantity(scale, "length", what=what / "scale")
    if unit <= 0.0:
        raise ModelError(f"{what}: scale must be greater than zero, got {unit:g} m", about=what.at("scale"))
    mesh = read_stl(path, what.at("path"))
    file = Path(path)
    shape = one_piece("mesh", mesh=mesh, source=file.resolve(), scale=unit, file=file.name)
    if mass is None and density is None:
        return shape
    volume, first, second = _integrals(mesh, unit, f"{what}: {shown(file.name)}")
    m = mass_of(volume, mass, density, what)
    assert m is not None
    centre = first / volume
    around = second / volume - np.outer(centre, centre)
    inertia = m * (np.trace(around) * np.eye(3) - around)
    return shaped(MassProperties(m, centre, inertia, what=what), shape)


def _integrals(mesh: TriangleMesh, unit: float, what: str) -> tuple[float, FloatArray, FloatArray]:
    """∫ dV [m³], ∫ x dV [m⁴] and ∫ x xᵀ dV [m⁵] of what a surface encloses."""
    _closed(mesh, what)
    vertices = unit * mesh.vertices.astype(np.float64)
    middle = 0.5 * (vertices.min(axis=0) + vertices.max(axis=0))  # parts far from the origin keep their digits
    x = (vertices - middle)[mesh.triangles]
    d = np.einsum("ni,ni->n", x[:, 0], np.cross(x[:, 1], x[:, 2]))
    _same_side(mesh, d, what)
    if d.sum() < 0.0:  # inside out
        d = -d
    sums = x.sum(axis=1)
    volume = float(d.sum()) / 6.0
    if not volume > 1e-12 * float(np.ptp(vertices, axis=0).max()) ** 3:
        raise ModelError(
            f"{what}: the surface encloses no volume. Specify mass and inertia, and the file as shape=stl(...)"
        )
    first = d @ sums / 24.0
    second = (np.einsum("n,ni,nj->ij", d, sums, sums) + np.einsum("n,nki,nkj->ij", d, x, x)) / 120.0
    shift = np.outer(first, middle)
    return volume, first + volume * middle, second + shift + shift.T + volume * np.outer(middle, middle)


def _closed(mesh: TriangleMesh, what: str) -> None:
    """Every edge belongs to two triangles that run along it in opposite directions, and no triangle is there twice."""
    a, b, c = mesh.triangles.astype(np.int64).T
    start, end = np.concatenate([a, b, c]), np.concatenate([b, c, a])
    n = len(mesh.vertices)
    there, back = np.sort(start * n + end), np.sort(end * n + start)
    if not np.array_equal(there, back):
        open_edges = int(len(np.setxor1d(there, back, assume_unique=False)) // 2) or 1
        raise ModelError(
            f"{what}: the surface is not closed ({open_edges} open edges), so it encloses no mass. Repair it in the program that "
            "wrote it, or specify mass and inertia, and the file as shape=stl(...)"
        )
    turned = np.argmin(mesh.triangles, axis=1)[:, None] + np.arange(
        3
    )  # each from its first corner on, in the same direction
    rows = np.take_along_axis(mesh.triangles, turned % 3, axis=1)
    twice = len(rows) - len(np.unique(rows, axis=0))
    if twice:
        raise ModelError(
            f"{what}: {twice} of {len(rows)} triangles are duplicates, so the mass would be counted twice. Remove "
            "the duplicate part "
            "in the program that wrote the file"
        )


def _same_side(mesh: TriangleMesh, d: FloatArray, what: str) -> None:
    """Separate shells have their outsides on the same side, unless one lies in another: then it is a cavity."""
    from scipy.sparse import coo_array  # takes long to import
    from scipy.sparse.csgraph import connected_components

    n = len(mesh.vertices)
    a, b, c = mesh.triangles.astype(np.int64).T
    ends = coo_array((np.ones(2 * len(a)), (np.concatenate([a, b]), np.concatenate([b, c]))), shape=(n, n))
    count, shell_of = connected_components(ends, directed=False)
    if count == 1:
        return
    volumes = np.bincount(shell_of[a], weights=d, minlength=count)
    sign = np.sign(volumes.sum())
    low, high = np.full((count, 3), np.inf), np.full((count, 3), -np.inf)
    np.minimum.at(low, shell_of, mesh.vertices)
    np.maximum.at(high, shell_of, mesh.vertices)
    outer = np.nonzero(volumes * sign > 0.0)[0]
    for shell in np.nonzero(volumes * sign < 0.0)[0]:
        if not any((low[k] <= low[shell]).all() and (high[shell] <= high[k]).all() for k in outer):
            raise ModelError(
                f"{what}: has {count} separate surfaces, and an outer one is inside out. Reverse its triangles "
                "in the program that wrote it"
            )
