"""Shaft or beam along its axis at one sample of a result: deflection, section forces and stresses.

The motion of the nodes is that of the result. Between two nodes the line is the exact static solution for their motion.
Forces and moments at its ends balance the nodes. Weight and inertia of the element are included and act along the element as
its mass is distributed.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np

from pitchline.base.arguments import names_wrong_arguments
from pitchline.base.types import FloatArray
from pitchline.declare.structure import Station
from pitchline.model.described_lines import described_line, described_lines
from pitchline.results.interactions import Record
from pitchline.results.tables_results import ResultTable, TableColumn, TableRow, statistics_of, table_of

from .beam import BeamLine, LineNode
from .sections import BeamSection, axis_rotation, exp_se3, log_se3
from .segment import deflection_line, section_stress

if TYPE_CHECKING:
    from pitchline.results.result import Result

__all__ = ["ShaftLine", "shaft_line", "turned_about_z", "within_a_turn", "_COLUMNS", "shaft_deflections"]


_POINTS = 8
"""Intervals in each piece of an element."""


@names_wrong_arguments
@dataclass(frozen=True, eq=False, repr=False)
class ShaftLine:
    """A shaft or beam along its axis at one time; arrays have one row for each place. At a step there are two, before and after it.

    Attributes
    ----------
    name : str
    time : float
        [s]
    place : (n,)
        From its start, along it [m].
    position : (n, 3)
        In the world [m].
    deflection : (n, 3)
        Displacement from the initial place, world axes [m].
    slope : (n, 3)
        Rotation of the axis from its initial direction, world axes [rad].
    twist : (n,)
        Turning of the section about the axis, against that at the start of the line [rad].
    force, moment : (n, 3)
        In the section, exerted on what lies before it by what lies after it, z along the line; x and y across are those of the
        initial pose, tilted with the line but not turned about it, however it spins [N], [N m].
    bending_stress, torsion_stress, axial_stress : (n,)
        Largest nominal stresses [Pa], bending times the notch factor; NaN if the section has no section moduli.
    axes : (3, 3)
        Columns are x and y across and z along its start in the initial pose, world axes.
    stations : mapping
        Places of the stations [m].
    """

    name: str
    time: float
    place: FloatArray
    position: FloatArray
    deflection: FloatArray
    slope: FloatArray
    twist: FloatArray
    force: FloatArray
    moment: FloatArray
    bending_stress: FloatArray
    torsion_stress: FloatArray
    axial_stress: FloatArray
    axes: FloatArray
    stations: dict[str, float]

    def __repr__(self) -> str:
        deflection = 1e6 * float(np.linalg.norm(self.deflection, axis=1).max())
        stress = 1e-6 * float(np.nanmax(self.equivalent_stress, initial=0.0))
        return (
            f"ShaftLine({self.name!r} at {self.time:g} s: {len(self.place)} places on {1e3 * self.place[-1]:g} mm, "
            f"deflection up to {deflection:.4g} um, stress up to {stress:.4g} MPa)"
        )

    @property
    def torque(self) -> FloatArray:
        """Moment about the axis (n,) [N m]."""
        return self.moment[:, 2]

    @property
    def axial_force(self) -> FloatArray:
        """Along the axis (n,) [N], positive in tension."""
        return self.force[:, 2]

    @property
    def shear_force(self) -> FloatArray:
        """Size of the force across (n,) [N]."""
        return np.hypot(self.force[:, 0], self.force[:, 1])

    @property
    def bending_moment(self) -> FloatArray:
        """Size of the moment across (n,) [N m]."""
        return np.hypot(self.moment[:, 0], self.moment[:, 1])

    @property
    def equivalent_stress(self) -> FloatArray:
        """Of von Mises: sqrt((bending + |axial|)² + 3 torsion²) (n,) [Pa]."""
        return np.sqrt((self.bending_stress + np.abs(self.axial_stress)) ** 2 + 3.0 * self.torsion_stress**2)


def shaft_line(result: Result, name: str, sample: int) -> ShaftLine:
    """See `Result.shaft`."""
    line = described_line(result.model, name)
    time = float(result.time[sample])
    parts: list[tuple[FloatArray, ...]] = []
    for e in range(len(line.segments)):
        parts.append(_element(result, line, e, sample))
    columns = [np.concatenate(column) for column in zip(*parts, strict=True)]
    names = (
        "place", "position", "deflection", "slope", "twist", "force", "moment", "bending_stress", "torsion_stress", "axial_stress"
    )  # fmt: skip
    values = dict(zip(names, columns, strict=True))
    values["twist"] = within_a_turn(values["twist"] - values["twist"][0])
    own = {k: v for k, v in line.places.items()}  # both kinds of lines have places
    return ShaftLine(name=name, time=time, axes=line.nodes[0].pose[1], stations=own, **values)


def _element(result: Result, line: BeamLine, e: int, sample: int) -> tuple[FloatArray, ...]:
    """Columns of one element."""
    a, b, segment = line.nodes[e], line.nodes[e + 1], line.segments[e]
    (xa, Ra), (xb, Rb) = (_pose(result, node, sample) for node in (a, b))
    shares, pieces, local = _shares(segment.borders)
    d = log_se3(Ra.T @ (xb - xa), Ra.T @ Rb)
    x, R = deflection_line(segment, d, shares)
    x0, R0 = deflection_line(segment, segment.rest, shares)
    at, axes = a.pose
    position, rest = xa + x @ Ra.T, at + x0 @ axes.T
    z, z0 = np.einsum("ij,njk->nik", Ra, R)[:, :, 2], np.einsum("ij,njk->nik", axes, R0)
    density = np.array([segment.pieces[k].at(share).mass[2, 2] for k, share in zip(pieces, local, strict=True)])
    force, moment = _forces(result, line, e, sample, _up_to(density, shares), position)
    turned = np.einsum("ij,njk->nik", Ra, R)
    slope = axis_rotation(z0[:, :, 2], z)
    along = (
        np.array([exp_se3(np.concatenate([np.zeros(3), tilt]))[1] for tilt in slope]) @ z0
    )  # turned with the line, not about it
    stress = np.full((len(shares), 3), np.nan)
    for k, (piece, share) in enumerate(zip(pieces, local, strict=True)):
        made = segment.pieces[piece]
        in_section = np.concatenate([turned[k].T @ force[k], turned[k].T @ moment[k]])
        found = section_stress(made.at(share), in_section, made.notch_factor)
        stress[k] = found.bending, found.torsion, found.axial
    return (
        a.place + shares * segment.length,
        position,
        position - rest,
        slope,
        turned_about_z(np.einsum("nji,njk->nik", z0, turned)),
        np.einsum("nji,nj->ni", along, force),
        np.einsum("nji,nj->ni", along, moment),
        *stress.T,
    )


def turned_about_z(R: FloatArray) -> FloatArray:
    """Angle (n,) of rotations (n, 3, 3) about z, whatever small tilt they have besides [rad]."""
    return np.arctan2(R[:, 1, 0] - R[:, 0, 1], R[:, 0, 0] + R[:, 1, 1])


def within_a_turn(angle: FloatArray) -> FloatArray:
    """The same angles, from -π to π."""
    return (angle + np.pi) % (2.0 * np.pi) - np.pi


def _shares(borders: FloatArray) -> tuple[FloatArray, list[int], list[float]]:
    """Shares of a segment, the piece that each is in, and the share of that piece; borders between pieces twice."""
    shares: list[float] = []
    pieces: list[int] = []
    local: list[float] = []
    for k, (low, high) in enumerate(pairwise(borders)):
        for s in np.linspace(0.0, 1.0, _POINTS + 1):
            shares.append(float(low + s * (high - low)))
            pieces.append(k)
            local.append(float(s))
    return np.array(shares), pieces, local


def _forces(
    result: Result, line: BeamLine, e: int, sample: int, behind: FloatArray, position: FloatArray
) -> tuple[FloatArray, FloatArray]:
    """Force and moment (n, 3) in world axes between those at both ends; behind: fraction of the mass before each place (n,).

    Weight and inertia change the force along the element as its mass is distributed. The moment follows from dM/ds = -t x F,
    and the remainder at the end is distributed in the same way.
    """
    force_a, moment_a = _end_force(result, line, e, 0, sample)
    force_b, moment_b = _end_force(result, line, e, 1, sample)
    change = force_b - force_a
    part = behind[:, None]
    steps = 0.5 * (part[1:] + part[:-1]) * np.diff(position, axis=0)
    lever = np.concatenate([np.zeros((1, 3)), np.cumsum(steps, axis=0)])
    moment = moment_a - np.cross(position - position[0], force_a) - np.cross(lever, change)
    return force_a + part * change, moment + part * (moment_b - moment[-1])


def _up_to(density: FloatArray, shares: FloatArray) -> FloatArray:
    """Part of the mass that lies before each share; the share itself where nothing has a mass."""
    mass = np.concatenate([[0.0], np.cumsum(0.5 * (density[1:] + density[:-1]) * np.diff(shares))])
    return mass / mass[-1] if mass[-1] > 0.0 else shares


def _end_force(result: Result, line: BeamLine, e: int, end: int, sample: int) -> tuple[FloatArray, FloatArray]:
    node = line.nodes[e + end]
    if isinstance(node.body, Station) and node.body.structure == line.name:
        side = "before" if end else "after"
        names = (f"{node.body.name}.force_{side}", f"{node.body.name}.moment_{side}")
    else:
        where = "end" if end else "start"
        names = (f"{line.name}.{where}_force", f"{line.name}.{where}_moment")
    if names[0] not in result:
        return np.full(3, np.nan), np.full(3, np.nan)  # a rigid shaft of kinematics
    force, moment = (np.asarray(result[name].values[sample], float) for name in names)
    return force, moment


def _pose(result: Result, node: LineNode, sample: int) -> tuple[FloatArray, FloatArray]:
    """Origin and section axes of a node in the world."""
    name = node.body.name
    if f"{name}.position" not in result:  # the ground
        return node.pose
    x = np.asarray(result[f"{name}.position"].values[sample], float)
    w, i, j, k = np.asarray(result[f"{name}.orientation"].values[sample], float)
    R = np.array(
        [
            [1 - 2 * (j * j + k * k), 2 * (i * j - w * k), 2 * (i * k + w * j)],
            [2 * (i * j + w * k), 1 - 2 * (i * i + k * k), 2 * (j * k - w * i)],
            [2 * (i * k - w * j), 2 * (j * k + w * i), 1 - 2 * (i * i + j * j)],
        ]
    )
    return x + R @ node.frame.position, R @ node.frame.rotation


# ---- shaft table

# Deflections, slopes, moments and stresses of shafts and beams at their stations.

_COLUMNS = (
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
        places: dict[str, float] = line.places  # both kinds of lines have places
        for k, node in enumerate(line.nodes):
            own = isinstance(node.body, Station) and node.body.structure == name
            if own and node.body.station in places:
                values = statistics_of(_quantities(record, line, k), record.time)
                for statistic in values.values():
                    statistic["place"] = node.place
                rows.append(TableRow(node.body.name, "", values))
    notes = [
        "Displacements from the initial position, across the shaft and along it (u_z); slope: tilt of its axis; twist relative to "
        "its start. Moments and stresses on the more loaded side of the station; bending stress with its notch factor."
    ]
    return table_of("Shafts", _COLUMNS, rows, notes)


def _quantities(record: Record, line: BeamLine, k: int) -> dict[str, FloatArray]:
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


def _turned(record: Record, node: LineNode) -> FloatArray:
    """Rotation about the axis from the initial pose."""
    moved = record.pose(node.body.name)[1] @ node.body.orientation.T
    return turned_about_z(node.pose[1].T @ moved @ node.pose[1])


def _section(line: BeamLine, segment: int, end: int) -> tuple[BeamSection, float]:
    """At an end of an element, with its notch factor."""
    piece = line.segments[segment].pieces[-1 if end else 0]
    return piece.at(float(end)), piece.notch_factor


def _side(
    record: Record, name: str, side: str, z: FloatArray, section: BeamSection, notch: float
) -> dict[str, FloatArray]:
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
