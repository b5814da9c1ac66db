"""Deflections, slopes, moments and stresses of shafts and beams at their stations."""

from __future__ import annotations

import numpy as np

from ...beams.sections import BeamSection
from ...model.beam_line import BeamLine, LineNode
from ...model.described_lines import described_line, described_lines
from ...model.station import Station
from ..shaft_line import turned_about_z, within_a_turn
from .record import Array, Record
from .result_table import ResultTable, TableColumn, TableRow, statistics_of, table_of

__all__ = ["COLUMNS", "shaft_deflections"]

COLUMNS = (
    TableColumn("place", "z", "m", "mm"),
    TableColumn("deflection", "deflection", "m", "um"),
    TableColumn("deflection_x", "u_x", "m", "um", detail=True),
    TableColumn("deflection_y", "u_y", "m", "um", detail=True),
    TableColumn("axial_displacement", "u_z", "m", "um"),
    TableColumn("slope", "slope", "rad", "mrad"),
    TableColumn("twist", "twist", "rad", "mrad"),
    TableColumn("shear_force", "shear", "N", detail=True),
    TableColumn("bending_moment", "bending", "N*m"),
    TableColumn("torque", "torque", "N*m"),
    TableColumn("axial_force", "axial", "N", detail=True),
    TableColumn("bending_stress", "bending stress", "Pa", "MPa"),
    TableColumn("stress", "von Mises", "Pa", "MPa"),
)


def shaft_deflections(record: Record) -> ResultTable:
    """One row for each station of each shaft and beam, named as its body: "input left"."""
    rows = []
    for name in described_lines(record.model):
        line = described_line(record.model, name)
        places: dict[str, float] = line.places  # type: ignore[attr-defined]  # both kinds of lines have places
        for k, node in enumerate(line.nodes):
            own = isinstance(node.body, Station) and node.body.structure == name
            if own and node.body.station in places:  # type: ignore[attr-defined]
                values = statistics_of(_quantities(record, line, k), record.time)
                for statistic in values.values():
                    statistic["place"] = node.place
                rows.append(TableRow(node.body.name, "", values))
    notes = [
        "Displacements from the initial position, across the shaft and along it (u_z); slope: tilt of its axis; twist relative to "
        "its start. Moments and stresses on the more loaded side of the station; bending stress with its notch factor."
    ]
    return table_of("Shafts", COLUMNS, rows, notes)


def _quantities(record: Record, line: BeamLine, k: int) -> dict[str, Array]:
    """Of one node over time; x and y across the line in its initial pose."""
    node = line.nodes[k]
    name = node.body.name
    axes = node.pose[1]
    moved = record.values(f"{name}.deflection") @ axes
    found = {
        "deflection": np.hypot(moved[:, 0], moved[:, 1]),
        "deflection_x": moved[:, 0],
        "deflection_y": moved[:, 1],
        "axial_displacement": moved[:, 2],
        "slope": np.linalg.norm(record.values(f"{name}.tilt"), axis=1),
        "twist": within_a_turn(_turned(record, node) - _turned(record, line.nodes[0])),
    }
    z = record.pose(name)[1] @ (node.body.orientation.T @ axes[:, 2])
    sides = [
        _side(record, name, side, z, *_section(line, segment, end))
        for side, segment, end in (("before", k - 1, 1), ("after", k, 0))
        if 0 <= segment < len(line.segments) and record.has(f"{name}.force_{side}")
    ]
    for key in sides[0] if sides else ():
        both = np.array([side[key] for side in sides])
        found[key] = np.take_along_axis(both, np.argmax(np.abs(both), axis=0)[None], axis=0)[0]
    return found


def _turned(record: Record, node: LineNode) -> Array:
    """Rotation about the axis from the initial pose."""
    moved = record.pose(node.body.name)[1] @ node.body.orientation.T
    return turned_about_z(node.pose[1].T @ moved @ node.pose[1])


def _section(line: BeamLine, segment: int, end: int) -> tuple[BeamSection, float]:
    """At an end of an element, with its notch factor."""
    piece = line.segments[segment].pieces[-1 if end else 0]
    return piece.at(float(end)), piece.notch_factor


def _side(record: Record, name: str, side: str, z: Array, section: BeamSection, notch: float) -> dict[str, Array]:
    """Section forces and stresses on one side of a station; stresses of sections that are not round are left to its
    signals.
    """
    force, moment = record.values(f"{name}.force_{side}"), record.values(f"{name}.moment_{side}")
    axial, torque = np.einsum("ni,ni->n", force, z), np.einsum("ni,ni->n", moment, z)
    bending = np.linalg.norm(moment - torque[:, None] * z, axis=1)
    found = {
        "shear_force": np.linalg.norm(force - axial[:, None] * z, axis=1),
        "axial_force": axial,
        "torque": torque,
        "bending_moment": bending,
    }
    if section.round and section.bending_moduli[0] and section.torsion_modulus and section.area:
        stress = notch * bending / section.bending_moduli[0]
        found["bending_stress"] = stress
        found["stress"] = np.sqrt(
            (stress + np.abs(axial / section.area)) ** 2 + 3.0 * (torque / section.torsion_modulus) ** 2
        )
    elif record.has(f"{name}.bending_stress"):
        found["bending_stress"] = record.values(f"{name}.bending_stress")
    return found
