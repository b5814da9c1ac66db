"""Signals of stations: their displacements, and the section forces of the shaft or beam.

Section forces are taken from the reports of the beam elements on both sides of a station. The station itself is a normal body.
"""

from collections.abc import Iterator, Mapping

import numpy as np

from ..beams.se3 import axis_rotation
from ..beams.sections import BeamSection
from ..beams.segment import Segment
from ..elements.beam import BEAM
from ..elements.contract import Element, SignalSpec, unit_signal
from ..model.beam_line import BeamLine, LineNode
from ..model.membrane import Membrane, MembraneNode
from ..model.station import Station
from ..model.structure import Structure
from .membrane_signals import membrane_specs, membrane_values

__all__ = ["station_signals", "station_specs", "world_axes"]

DEFLECTION = unit_signal("deflection", "m", "displacement from the initial position")
TILT = unit_signal("tilt", "rad", "rotation of the axis from its initial direction")
TWIST = SignalSpec(
    "twist", "rad", "rotation about the axis relative to the start of the shaft or beam, from the initial pose"
)
STRESS = SignalSpec("bending_stress", "Pa", "largest bending stress in the section, times its notch factor")
_SIDES = ("before", "after")
_TEXT = "from the part after the section on the part before it"


def _forces(where: str) -> tuple[SignalSpec, SignalSpec]:
    return (
        unit_signal(f"force_{where}", "N", f"section force {where} the station, {_TEXT}"),
        unit_signal(f"moment_{where}", "N*m", f"section moment {where} the station, {_TEXT}"),
    )


def _at_end(end: str) -> tuple[SignalSpec, SignalSpec]:
    return (
        unit_signal(f"{end}_force", "N", f"section force at the {end}, {_TEXT}"),
        unit_signal(f"{end}_moment", "N*m", f"section moment at the {end}, {_TEXT}"),
    )


def station_specs(structure: Structure) -> Iterator[tuple[str, SignalSpec]]:
    """All signals of `station_signals`, with the part to which each belongs."""
    for station in structure.stations.values():
        yield station.name, DEFLECTION
        if not isinstance(station, MembraneNode):
            yield station.name, TILT
    if isinstance(structure, Membrane):
        yield from ((structure.name, spec) for spec in membrane_specs(structure))
    if not isinstance(structure, BeamLine):
        return
    for owner, specs, _, _, _ in _places(structure):
        yield from ((owner, spec) for spec in specs)
    for _, node in _own(structure):
        yield node.body.name, TWIST
    for node, sections in _with_moduli(structure):
        if sections:
            yield node.body.name, STRESS


def _places(line: BeamLine) -> Iterator[tuple[str, tuple[SignalSpec, SignalSpec], int, int, LineNode]]:
    """For every end of every element: the part of its force signals, these signals, the end (0, 1), the element, the node."""
    for e in range(len(line.segments)):
        for end in (0, 1):
            node = line.nodes[e + end]
            if isinstance(node.body, Station) and node.body.structure == line.name:
                yield node.body.name, _forces(_SIDES[1 - end]), end, e, node
            else:
                yield line.name, _at_end("end" if end else "start"), end, e, node


def _own(line: BeamLine) -> Iterator[tuple[int, LineNode]]:
    """Nodes that are stations of the line, with their indices."""
    for k, node in enumerate(line.nodes):
        if isinstance(node.body, Station) and node.body.structure == line.name:
            yield k, node


def _with_moduli(line: BeamLine) -> Iterator[tuple[LineNode, list[tuple[int, int, BeamSection, float]]]]:
    """Own nodes with (element, end, section, notch factor) of the elements at each, if bending stresses are known."""
    for k, node in _own(line):
        found = []
        for e, end in ((k - 1, 1), (k, 0)):
            if 0 <= e < len(line.segments):
                section, notch = _section_at(line.segments[e], end)
                if all(section.bending_moduli):
                    found.append((e, end, section, notch))
        yield node, found


def _section_at(segment: Segment, end: int) -> tuple[BeamSection, float]:
    piece = segment.pieces[-1 if end else 0]
    return piece.at(float(end)), piece.notch_factor


def station_signals(
    structure: Structure,
    elements: list[Element],
    reports: list[dict[str, np.ndarray]],
    bodies: Mapping[str, tuple[np.ndarray, np.ndarray]],
) -> dict[str, tuple[np.ndarray, SignalSpec]]:
    """Signals by name, "station.signal". elements, reports: those of the structure; bodies: positions and quaternions of
    bodies by name, first axis samples."""
    found: dict[str, tuple[np.ndarray, SignalSpec]] = {}
    for station in structure.stations.values():
        x, q = bodies[station.name]
        found[f"{station.name}.{DEFLECTION.name}"] = x - station.position, DEFLECTION
        if not isinstance(station, MembraneNode):
            z = world_axes(q)[:, :, 2]
            found[f"{station.name}.{TILT.name}"] = axis_rotation(station.orientation[:, 2], z), TILT
    if isinstance(structure, Membrane):
        found |= {
            f"{structure.name}.{spec.name}": (values, spec) for spec, values in membrane_values(structure, reports)
        }
    if (
        isinstance(structure, BeamLine)
        and all(e.kind is BEAM for e in elements)
        and len(elements) == len(structure.segments)
    ):
        for owner, specs, end, e, node in _places(structure):
            R = _axes_of(node, bodies, len(reports[e]["force_a"]))
            for spec, name in zip(specs, ("force", "moment"), strict=True):
                values = np.einsum("nij,nj->ni", R, reports[e][f"{name}_{'ab'[end]}"])
                found[f"{owner}.{spec.name}"] = values, spec
        for k, node in _own(structure):
            parts = (reports[e]["bend"][:, 2] for e in range(k))
            found[f"{node.body.name}.{TWIST.name}"] = sum(parts, start=np.zeros(len(reports[0]["bend"]))), TWIST
        for node, sections in _with_moduli(structure):
            if sections:
                stress = [_bending(section, notch, reports[e], "ab"[end]) for e, end, section, notch in sections]
                found[f"{node.body.name}.{STRESS.name}"] = np.max(stress, axis=0), STRESS
    return found


def _axes_of(node: LineNode, bodies: Mapping[str, tuple[np.ndarray, np.ndarray]], samples: int) -> np.ndarray:
    """(samples, 3, 3): section axes of a node in the world."""
    known = bodies.get(node.body.name)
    R = np.broadcast_to(np.eye(3), (samples, 3, 3)) if known is None else world_axes(known[1])
    return R @ node.frame.rotation


def _bending(section: BeamSection, notch: float, report: dict[str, np.ndarray], end: str) -> np.ndarray:
    """Bending stress (samples): for round sections from the resultant moment, for others the sum of both components."""
    (x, y), force, moment = section.centroid, report[f"force_{end}"], report[f"moment_{end}"]
    about_x, about_y = moment[:, 0] - y * force[:, 2], moment[:, 1] + x * force[:, 2]
    c, s = np.cos(section.angle), np.sin(section.angle)
    about_x, about_y = c * about_x + s * about_y, c * about_y - s * about_x
    Wx, Wy = section.bending_moduli
    if section.round:
        return np.asarray(notch * np.hypot(about_x, about_y) / Wx)
    return np.asarray(notch * (np.abs(about_x) / Wx + np.abs(about_y) / Wy))


def world_axes(q: np.ndarray) -> np.ndarray:
    """Rotation matrices (n, 3, 3) of unit quaternions (n, 4)."""
    w, x, y, z = q.T
    R = np.array(
        [
            [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
            [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
            [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
        ]
    )
    return np.moveaxis(R, 2, 0)
