"""ShaftLine: a shaft at one moment, along its length: deflection, slope, section forces and stresses; and the same
at its nodes over time.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...beams.flexibility import segment_stiffness
from ...beams.recovery import deflection_line, section_forces, stresses_along
from ...beams.se3 import log_se3
from ...beams.segment import Segment
from ...beams.shaft_section import ShaftSection
from ...errors import PitchlineError, near_names
from ...gears.material import Material
from .record import Array, Record

__all__ = ["ShaftLine", "ShaftParts", "shaft_at", "shaft_parts"]

SHARES = np.linspace(0.0, 1.0, 9)
"""Places within each element at which a line is drawn."""


@dataclass(frozen=True, eq=False)
class ShaftLine:
    """A shaft at one moment. All vectors are in its axes at rest: z along it, x and y across, not turning with it.

    z:            (k,), m, from its start
    displacement: (k, 3), m, from where it stands without load
    slope:        (k, 2), rad, of the line: dx/dz and dy/dz, shear included in it as the tilt of the section
    twist:        (k,), rad, of the section against its start
    force:        (k, 3), N: shear x, y and axial force, of what lies behind on what lies before
    moment:       (k, 3), N m: bending about x and y, torque
    bending, torsion, axial, equivalent: (k,), Pa: nominal stresses, bending with its notch factor; von Mises
    diameter:     (k,), m, outer
    stations:     name -> z
    parts:        (name, kind, z, width) of what sits on it, kind "bearing" or "gear"; width 0 where none is known
    """

    name: str
    z: Array
    displacement: Array
    slope: Array
    twist: Array
    force: Array
    moment: Array
    bending: Array
    torsion: Array
    axial: Array
    equivalent: Array
    diameter: Array
    stations: Mapping[str, float]
    parts: tuple[tuple[str, str, float, float], ...]

    @property
    def deflection(self) -> Array:
        """Displacement across the axis (k,), m."""
        return np.hypot(self.displacement[:, 0], self.displacement[:, 1])

    @property
    def bending_moment(self) -> Array:
        """Amount of the bending moment (k,), N m."""
        return np.hypot(self.moment[:, 0], self.moment[:, 1])


@dataclass(frozen=True, eq=False)
class ShaftParts:
    """A shaft as the description of the model has it."""

    name: str
    origin: Array
    axes: Array
    nodes: tuple[tuple[str, str, float], ...]
    """Body, station, z of every node, in order."""
    segments: tuple[Segment, ...]
    sections: tuple[ShaftSection, ...]
    speed: float

    def outer(self, z: Array) -> NDArray[np.float64]:
        """Outer diameter at places; at a step the smaller side is drawn by its neighbour, here the one behind."""
        starts = np.cumsum([0.0, *(section.length for section in self.sections)])
        found = []
        for place in z:
            k = min(int(np.searchsorted(starts, place, side="right")) - 1, len(self.sections) - 1)
            found.append(self.sections[k].diameters(float((place - starts[k]) / self.sections[k].length))[0])
        return np.array(found)


def shaft_parts(model: Mapping[str, Any], name: str) -> ShaftParts:
    """The shaft of a name."""
    shafts = model.get("shafts", {})
    if name not in shafts:
        known = near_names(name, list(shafts)) if shafts else "the model has no shafts"
        raise PitchlineError(f'there is no shaft "{name}"; {known}')
    said = shafts[name]
    sections = tuple(
        ShaftSection(
            s["length"],
            s["outer"],
            inner=s["inner"],
            outer_end=s["outer_end"],
            inner_end=s["inner_end"],
            material=_material(s["material"]),
            notch_factor=s["notch_factor"],
        )
        for s in said["sections"]
    )
    material = _material(said["material"])
    assert material is not None
    whole = Segment.of_shaft(sections, material)
    origin, axes = np.asarray(said["position"], float), np.asarray(said["orientation"], float)
    nodes = tuple(
        (body, one["station"], float((np.asarray(one["position"], float) - origin) @ axes[:, 2]))
        for body, one in said["stations"].items()
    )
    shares = [z / whole.length for _, _, z in nodes]
    segments = tuple(whole.between(a, b) for a, b in pairwise(shares))
    return ShaftParts(name, origin, axes, nodes, segments, sections, float(said["speed"]))


def _material(said: Mapping[str, Any] | None) -> Material | None:
    if said is None:
        return None
    return Material(
        said["name"],
        density=said["density"],
        youngs_modulus=said["youngs_modulus"],
        poissons_ratio=said["poissons_ratio"],
    )


def shaft_at(record: Record, name: str, sample: int = -1) -> ShaftLine:
    """The shaft at one sample of a record."""
    shaft = shaft_parts(record.model, name)
    poses = [(x[sample], R[sample]) for x, R in (record.pose(body) for body, _, _ in shaft.nodes)]
    columns: dict[str, list[Array]] = {}
    twist = 0.0
    placed = zip(poses, (z for *_, z in shaft.nodes), strict=True)
    for segment, ((a, z_a), (b, z_b)) in zip(shaft.segments, pairwise(placed), strict=True):
        K = segment_stiffness(segment)
        d = log_se3(a[1].T @ (b[0] - a[0]), a[1].T @ b[1])
        effort = K @ (d - segment.rest)
        at, turned = deflection_line(segment, d, SHARES, K)
        axes = shaft.axes.T @ a[1] @ turned  # of the sections, in axes of the shaft at rest
        forces = section_forces(segment, effort, SHARES)
        stresses = stresses_along(segment, effort, SHARES)
        z = z_a + SHARES * (z_b - z_a)
        place = (a[0] + at @ a[1].T - shaft.origin) @ shaft.axes
        part = {
            "z": z,
            "displacement": place - np.outer(z, [0.0, 0.0, 1.0]),
            "slope": axes[:, :2, 2],
            "twist": twist + SHARES * d[5],
            "force": np.einsum("kij,kj->ki", axes, forces[:, :3]),
            "moment": np.einsum("kij,kj->ki", axes, forces[:, 3:]),
            **{
                key: np.array([getattr(s, key) for s in stresses])
                for key in ("bending", "torsion", "axial", "equivalent")
            },
        }
        twist += float(d[5])
        for key, values in part.items():
            columns.setdefault(key, []).append(values)
    joined = {key: np.concatenate(values) for key, values in columns.items()}
    stations = {station: z for _, station, z in shaft.nodes if not is_cut_node(station)}
    return ShaftLine(
        name=name,
        **joined,
        diameter=shaft.outer(joined["z"]),
        stations=stations,
        parts=tuple(_seated(record.model, shaft)),
    )


def is_cut_node(station: str) -> bool:
    """Whether a node only comes from cutting."""
    first, _, number = station.partition(" ")
    return first == "node" and number.isdigit()


def _seated(model: Mapping[str, Any], shaft: ShaftParts) -> list[tuple[str, str, float, float]]:
    """Gears, bearings and bushings on a shaft."""
    places = {body: z for body, _, z in shaft.nodes}
    found = []
    for name, wheel in model.get("wheels", {}).items():
        frame = wheel["frame"]
        if frame["body_name"] in places:
            width = (wheel.get("gear") or {}).get("face_width") or 0.0
            found.append((name, "gear", places[frame["body_name"]] + float(frame["position"][2]), float(width)))
    supports = {n: list(e.get("frames", {}).values()) for n, e in model.get("elements", {}).items()}
    supports |= {n: [e["frame_a"], e["frame_b"]] for n, e in model.get("loads", {}).items() if e["type"] == "Bushing"}
    supports |= {n: [e["frame_a"], e["frame_b"]] for n, e in model.get("joints", {}).items()}
    for name, frames in supports.items():
        for frame in frames:
            if frame["body_name"] in places and len(frames) == 2:
                found.append((name, "bearing", places[frame["body_name"]] + float(frame["position"][2]), 0.0))
    return found


def node_quantities(record: Record, shaft: ShaftParts) -> list[dict[str, Array]]:
    """For every node over time: deflection, slope, bending moment, torque, axial force and stresses."""
    poses = [record.pose(body) for body, _, _ in shaft.nodes]
    found: list[dict[str, Array]] = []
    for (x, R), (_, _, z) in zip(poses, shaft.nodes, strict=True):
        place = (x - shaft.origin) @ shaft.axes
        across = np.einsum("ji,nj->ni", shaft.axes, R[:, :, 2])
        found.append(
            {
                "deflection": np.hypot(place[:, 0], place[:, 1]),
                "deflection_x": place[:, 0],
                "deflection_y": place[:, 1],
                "axial_displacement": place[:, 2] - z,
                "slope": np.hypot(across[:, 0], across[:, 1]),
            }
        )
    loads: list[dict[str, Array]] = [{} for _ in shaft.nodes]
    for i, segment in enumerate(shaft.segments):
        (xa, Ra), (xb, Rb) = poses[i], poses[i + 1]
        K = segment_stiffness(segment)
        d = np.array([log_se3(A.T @ (b - a), A.T @ B) for a, A, b, B in zip(xa, Ra, xb, Rb, strict=True)])
        effort = (d - segment.rest) @ K.T
        for node, share in ((i, 0.0), (i + 1, 1.0)):
            to_section = section_forces(segment, np.eye(6), np.array([share]))[0]
            forces = effort @ to_section.T
            side = {
                "bending_moment": np.hypot(forces[:, 3], forces[:, 4]),
                "torque": forces[:, 5],
                "axial_force": forces[:, 2],
                **_stresses(segment, share, forces),
            }
            for key, values in side.items():  # on both sides of a node the larger one
                before = loads[node].get(key)
                loads[node][key] = (
                    values if before is None else np.where(np.abs(values) > np.abs(before), values, before)
                )
    return [one | more for one, more in zip(found, loads, strict=True)]


def _stresses(segment: Segment, share: float, forces: Array) -> dict[str, Array]:
    """Nominal stresses at an end of a segment over time; round sections."""
    piece = segment.pieces[0 if share == 0.0 else -1]
    section = piece.at(share)
    bending = piece.notch_factor * np.hypot(forces[:, 3], forces[:, 4]) / section.bending_moduli[0]
    torsion = np.abs(forces[:, 5]) / section.torsion_modulus
    axial = forces[:, 2] / section.area
    return {"bending_stress": bending, "stress": np.sqrt((bending + np.abs(axial)) ** 2 + 3.0 * torsion**2)}
