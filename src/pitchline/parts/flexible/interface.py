"""Interfaces: nodes of a mesh that move with one node of the model, its position, and the type of connection."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from pitchline.base.arguments import names_wrong_arguments
from pitchline.base.types import FloatArray, IntArray
from pitchline.errors import ModelError, Subject, shown
from pitchline.fem.own_mesh.inp_mesh import SolidMesh
from pitchline.solids.rotations import Rotation, direction, read_rotation
from pitchline.units.quantity import quantity, vector

__all__ = ["Interface", "plain_value", "read_interfaces"]


_WAYS = ("node_set", "nodes", "cylinder", "plane", "box")
_PARTS = {"cylinder": ("centre", "axis", "radius", "length"), "plane": ("point", "normal"), "box": ("low", "high")}
_NEEDED = {"cylinder": ("centre", "axis", "radius"), "plane": ("point", "normal"), "box": ("low", "high")}


@names_wrong_arguments
@dataclass(frozen=True, eq=False, init=False)
class Interface:
    """A set of nodes of a finite element mesh that moves with one node of the model: a bearing seat, a foot, a flange.

    Give one of `node_set`, `nodes`, `cylinder`, `plane` and `box`.

    Parameters
    ----------
    node_set
        Name of a node set of the mesh.
    nodes
        Numbers of nodes: rows of the table of nodes, or the numbers of a file.
    cylinder
        ``{"centre": (x, y, z), "axis": "z", "radius": "40 mm", "length": "20 mm"}``: nodes on this surface. Without length it has
        no ends.
    plane
        ``{"point": (x, y, z), "normal": "z"}``: nodes on this plane.
    box
        ``{"low": (x, y, z), "high": (x, y, z)}``: nodes inside, the faces included.
    position
        Position of the node of the model, in the axes of the mesh [m]. By default the centre of a cylinder, otherwise of the
        box about the nodes.
    orientation
        Axes of the node of the model against those of the mesh; by default the same.
    rigid
        True: the nodes keep their distances, as on a stiff ring (RBE2). False: the node of the model follows the mean motion of
        the nodes, and its force spreads over them without stiffening them (RBE3).
    tolerance
        Distance from a cylinder or plane, or beyond a box, at which a node still belongs to it [m]; by default 1e-4 of the size of
        the mesh.
    """

    way: str
    where: Any
    position: FloatArray | None
    orientation: FloatArray
    rigid: bool
    tolerance: float | None
    said: dict[str, Any]
    """The arguments that were given, as plain data."""

    def __init__(
        self,
        *,
        node_set: str | None = None,
        nodes: Any = None,
        cylinder: Mapping[str, Any] | None = None,
        plane: Mapping[str, Any] | None = None,
        box: Mapping[str, Any] | None = None,
        position: Any = None,
        orientation: Any = None,
        rigid: bool = True,
        tolerance: Any = None,
    ) -> None:
        what = Subject("interface")
        given = {"node_set": node_set, "nodes": nodes, "cylinder": cylinder, "plane": plane, "box": box}
        ways = [name for name, value in given.items() if value is not None]
        if len(ways) != 1:
            got = " and ".join(ways) if ways else "none"
            raise ModelError(f"interface: specify one of {', '.join(_WAYS)}, got {got}", about=what)
        if not isinstance(rigid, bool):
            raise ModelError(
                f"interface: rigid must be True (RBE2) or False (RBE3), got {shown(rigid)}", about=what.at("rigid")
            )
        way = ways[0]
        for name, value in (
            ("way", way),
            ("where", _read_where(way, given[way], what / way)),
            ("position", None if position is None else vector(position, "length", what=what / "position")),
            ("orientation", read_rotation(orientation, what=what / "orientation")),
            ("rigid", rigid),
            ("tolerance", None if tolerance is None else quantity(tolerance, "length", what=what / "tolerance")),
            (
                "said",
                _plain_arguments(
                    given | {"position": position, "orientation": orientation, "tolerance": tolerance}, rigid
                ),
            ),
        ):
            object.__setattr__(self, name, value)

    def find(self, mesh: SolidMesh, what: str) -> IntArray:
        """Rows of the nodes of a mesh that belong to the interface; those of no element are left out."""
        used = mesh.used
        if self.way == "node_set":
            found = mesh.node_set(self.where, what)
        elif self.way == "nodes":
            found = self._numbered(mesh, what)
        else:
            span = float(np.ptp(mesh.nodes[used], axis=0).max())
            found = np.flatnonzero(
                self._distance(mesh.nodes) <= (1e-4 * span if self.tolerance is None else self.tolerance)
            )
        found = found[used[found]]
        if len(found) == 0:
            raise ModelError(f"{what}: no node of an element is {self._words()}; {_extent(mesh)}")
        return found

    def default_position(self, places: FloatArray) -> FloatArray:
        """Position of the node of the model."""
        if self.position is not None:
            return np.asarray(self.position)
        return np.asarray(
            self.where["centre"] if self.way == "cylinder" else (places.min(axis=0) + places.max(axis=0)) / 2
        )

    def _numbered(self, mesh: SolidMesh, what: str) -> IntArray:
        if mesh.labels is None:
            rows = self.where
            missing = rows[(rows < 0) | (rows >= len(mesh.nodes))]
        else:
            order = np.argsort(mesh.labels)
            at = np.minimum(np.searchsorted(mesh.labels, self.where, sorter=order), len(order) - 1)
            rows = order[at]
            missing = self.where[mesh.labels[rows] != self.where]
        if len(missing):
            raise ModelError(f"{what}: there is no node {missing[0]}; the mesh has {len(mesh.nodes)} nodes")
        return np.asarray(np.unique(rows))

    def _distance(self, points: FloatArray) -> FloatArray:
        """Of points from the surface, or beyond the box."""
        w = self.where
        if self.way == "plane":
            return np.abs((points - w["point"]) @ w["normal"])
        if self.way == "box":
            return np.max(np.maximum(w["low"] - points, points - w["high"]), axis=1)
        from_centre = points - w["centre"]
        along = from_centre @ w["axis"]
        radius = np.linalg.norm(from_centre - along[:, None] * w["axis"], axis=1)
        beyond = np.abs(along) - w["length"] / 2
        return np.maximum(np.abs(radius - w["radius"]), beyond)

    def _words(self) -> str:
        w = self.where
        if self.way == "node_set":
            return f'in the node set "{w}"'
        if self.way == "nodes":
            return "among the specified nodes"
        if self.way == "plane":
            return f"on the plane through {_point(w['point'])} with the normal {_point(w['normal'])}"
        if self.way == "box":
            return f"in the box from {_point(w['low'])} to {_point(w['high'])} m"
        return f"on the cylinder of radius {w['radius']:g} m about {_point(w['centre'])} m along {_point(w['axis'])}"


def _plain_arguments(given: dict[str, Any], rigid: bool) -> dict[str, Any]:
    said = {name: plain_value(value) for name, value in given.items() if value is not None}
    return said if rigid else said | {"rigid": False}


def plain_value(value: Any) -> Any:
    """Data in the form of files: strings, numbers, lists and tables."""
    if isinstance(value, Rotation):
        return {"axis": value.axis.tolist(), "angle": value.angle}
    if isinstance(value, np.ndarray | np.generic):
        return value.tolist()
    if isinstance(value, Mapping):
        return {str(key): plain_value(item) for key, item in value.items()}
    return [plain_value(item) for item in value] if isinstance(value, (list, tuple)) else value


def _point(values: FloatArray) -> str:
    return "(" + ", ".join(f"{value:.6g}" for value in values) + ")"


def _extent(mesh: SolidMesh) -> str:
    low, high = mesh.nodes[mesh.used].min(axis=0), mesh.nodes[mesh.used].max(axis=0)
    return f"the mesh extends from {_point(low)} to {_point(high)} m"


def _read_where(way: str, value: Any, what: Subject) -> Any:
    if way == "node_set":
        if not isinstance(value, str):
            raise ModelError(f"{what}: expected the name of a node set, got {shown(value)}", about=what)
        return value
    if way == "nodes":
        rows = np.asarray(value)
        if rows.ndim != 1 or rows.size == 0 or not np.issubdtype(rows.dtype, np.integer):
            raise ModelError(f"{what}: expected a list of node numbers, got {shown(value)}", about=what)
        return np.unique(rows.astype(np.int64))
    if not isinstance(value, Mapping) or not set(_NEEDED[way]) <= set(value) or not set(value) <= set(_PARTS[way]):
        raise ModelError(f"{what}: expected {{{', '.join(_PARTS[way])}}}, got {shown(value)}", about=what)
    if way == "plane":
        return {
            "point": vector(value["point"], "length", what=what / "point"),
            "normal": direction(value["normal"], what=what / "normal"),
        }
    if way == "box":
        box = {name: vector(value[name], "length", what=what / name) for name in ("low", "high")}
        if not np.all(box["low"] <= box["high"]):
            raise ModelError(
                f"{what}: low must not exceed high, got {_point(box['low'])} and {_point(box['high'])}", about=what
            )
        return box
    length = value.get("length")
    return {
        "centre": vector(value["centre"], "length", what=what / "centre"),
        "axis": direction(value["axis"], what=what / "axis"),
        "radius": _positive(value["radius"], what / "radius"),
        "length": np.inf if length is None else _positive(length, what / "length"),
    }


def _positive(value: Any, what: Subject) -> float:
    size = quantity(value, "length", what=what)
    if size <= 0.0:
        raise ModelError(f"{what} must be greater than zero, got {size:g} m", about=what)
    return size


def read_interfaces(value: Any, what: str) -> dict[str, Interface]:
    """Interfaces by name: `Interface` objects, names of node sets, or tables of the arguments of `Interface`."""
    if not isinstance(value, Mapping) or not value:
        raise ModelError(
            f'{what}: interfaces must specify which nodes move together, such as {{"seat": {{"node_set": "SEAT"}}}}, '
            f"got {shown(value)}; a "
            "flexible body is connected and loaded at its interfaces and requires at least one"
        )
    found = {}
    for name, one in value.items():
        if not isinstance(name, str) or not name.strip():
            raise ModelError(f"{what}: the name of an interface must be a string, got {shown(name)}")
        if isinstance(one, Interface):
            found[name] = one
        elif isinstance(one, str):
            found[name] = Interface(node_set=one)
        elif isinstance(one, Mapping):
            try:
                found[name] = Interface(**one)
            except ModelError as error:
                raise ModelError(f'{what}: interface "{name}": {str(error).removeprefix("interface: ")}') from None
        else:
            raise ModelError(
                f'{what}: interface "{name}": expected an Interface, a table of its arguments or the name of a '
                f"node set, got {shown(one)}"
            )
    return found
