"""stl: the shape in an STL file, and with a mass or a density the solid that it encloses.

Volume, centre of mass and inertia follow by the divergence theorem: each triangle and the origin make a tetrahedron, whose
integrals are exact, and what lies outside of the body cancels. With x_i the corners and d = x_1 · (x_2 × x_3):

    V = Σ d / 6 ,   ∫ x dV = Σ d (x_1 + x_2 + x_3) / 24 ,   ∫ x xᵀ dV = Σ d ((Σ x_i)(Σ x_i)ᵀ + Σ x_i x_iᵀ) / 120
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import overload

import numpy as np

from ..arguments import names_wrong_arguments
from ..errors import ModelError, Subject, shown
from ..units import quantity
from .homogeneous import mass_of
from .mass_properties import MassProperties, shaped
from .rotations import Array
from .shape import Shape, one_piece
from .stl_file import read_stl
from .triangle_mesh import TriangleMesh

__all__ = ["stl"]


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


def _integrals(mesh: TriangleMesh, unit: float, what: str) -> tuple[float, Array, Array]:
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


def _same_side(mesh: TriangleMesh, d: Array, what: str) -> None:
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
