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
from numpy.typing import NDArray

from ..arguments import names_wrong_arguments
from ..beams.recovery import deflection_line, section_stress
from ..beams.se3 import axis_rotation, exp_se3, log_se3
from ..model.beam_line import BeamLine, LineNode
from ..model.described_lines import described_line
from ..model.station import Station

if TYPE_CHECKING:
    from .result import Result

__all__ = ["ShaftLine", "shaft_line", "turned_about_z", "within_a_turn"]

Array = NDArray[np.float64]
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
    place: Array
    position: Array
    deflection: Array
    slope: Array
    twist: Array
    force: Array
    moment: Array
    bending_stress: Array
    torsion_stress: Array
    axial_stress: Array
    axes: Array
    stations: dict[str, float]

    def __repr__(self) -> str:
        deflection = 1e6 * float(np.linalg.norm(self.deflection, axis=1).max())
        stress = 1e-6 * float(np.nanmax(self.equivalent_stress, initial=0.0))
        return (
            f"ShaftLine({self.name!r} at {self.time:g} s: {len(self.place)} places on {1e3 * self.place[-1]:g} mm, "
            f"deflection up to {deflection:.4g} um, stress up to {stress:.4g} MPa)"
        )

    @property
    def torque(self) -> Array:
        """Moment about the axis (n,) [N m]."""
        return self.moment[:, 2]

    @property
    def axial_force(self) -> Array:
        """Along the axis (n,) [N], positive in tension."""
        return self.force[:, 2]

    @property
    def shear_force(self) -> Array:
        """Size of the force across (n,) [N]."""
        return np.hypot(self.force[:, 0], self.force[:, 1])

    @property
    def bending_moment(self) -> Array:
        """Size of the moment across (n,) [N m]."""
        return np.hypot(self.moment[:, 0], self.moment[:, 1])

    @property
    def equivalent_stress(self) -> Array:
        """Of von Mises: sqrt((bending + |axial|)² + 3 torsion²) (n,) [Pa]."""
        return np.sqrt((self.bending_stress + np.abs(self.axial_stress)) ** 2 + 3.0 * self.torsion_stress**2)


def shaft_line(result: Result, name: str, sample: int) -> ShaftLine:
    """See `Result.shaft`."""
    line = described_line(result.model, name)
    time = float(result.time[sample])
    parts: list[tuple[Array, ...]] = []
    for e in range(len(line.segments)):
        parts.append(_element(result, line, e, sample))
    columns = [np.concatenate(column) for column in zip(*parts, strict=True)]
    names = (
        "place", "position", "deflection", "slope", "twist", "force", "moment", "bending_stress", "torsion_stress", "axial_stress"
    )  # fmt: skip
    values = dict(zip(names, columns, strict=True))
    values["twist"] = within_a_turn(values["twist"] - values["twist"][0])
    own = {k: v for k, v in line.places.items()}  # type: ignore[attr-defined]  # both kinds of lines have places
    return ShaftLine(name=name, time=time, axes=line.nodes[0].pose[1], stations=own, **values)


def _element(result: Result, line: BeamLine, e: int, sample: int) -> tuple[Array, ...]:
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


def turned_about_z(R: Array) -> Array:
    """Angle (n,) of rotations (n, 3, 3) about z, whatever small tilt they have besides [rad]."""
    return np.arctan2(R[:, 1, 0] - R[:, 0, 1], R[:, 0, 0] + R[:, 1, 1])


def within_a_turn(angle: Array) -> Array:
    """The same angles, from -π to π."""
    return (angle + np.pi) % (2.0 * np.pi) - np.pi


def _shares(borders: Array) -> tuple[Array, list[int], list[float]]:
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


def _forces(result: Result, line: BeamLine, e: int, sample: int, behind: Array, position: Array) -> tuple[Array, Array]:
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


def _up_to(density: Array, shares: Array) -> Array:
    """Part of the mass that lies before each share; the share itself where nothing has a mass."""
    mass = np.concatenate([[0.0], np.cumsum(0.5 * (density[1:] + density[:-1]) * np.diff(shares))])
    return mass / mass[-1] if mass[-1] > 0.0 else shares


def _end_force(result: Result, line: BeamLine, e: int, end: int, sample: int) -> tuple[Array, Array]:
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


def _pose(result: Result, node: LineNode, sample: int) -> tuple[Array, Array]:
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
