"""Results over joint coordinates: mass matrix, equations of motion, Jacobian, torques of a motion."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from pitchline.base.arguments import names_wrong_arguments
from pitchline.base.types import FloatArray
from pitchline.errors import ModelError, near_names
from pitchline.results.signal import Signal

__all__ = ["FrameJacobian", "JointDynamics", "JointForces", "MassMatrix"]


@names_wrong_arguments
@dataclass(frozen=True, eq=False)
class MassMatrix:
    """Mass matrix over joint coordinates: the kinetic energy is 1/2 q'ᵀ M q'.

    Attributes
    ----------
    values : (n, n)
        kg*m^2 between two angles, kg*m between an angle and a displacement, kg between two displacements.
    coordinates : names
        In the order of rows and columns.
    units : texts
        Unit of each coordinate, "rad" or "m".
    positions : (n,)
        Coordinates at which it was computed [rad, m]; nan for velocities of bodies.
    """

    values: FloatArray
    coordinates: tuple[str, ...]
    units: tuple[str, ...]
    positions: FloatArray

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> FloatArray:
        return np.array(self.values, dtype=dtype)

    def __getitem__(self, key: Any) -> Any:
        """Entry by two names, ``M["shoulder", "elbow"]`` [kg*m^2, kg*m or kg], or by indices."""
        rows = key if isinstance(key, tuple) else (key,)
        return self.values[tuple(_place(self.coordinates, k) for k in rows)]

    def unit(self, a: str, b: str) -> str:
        """Unit of the entry of two coordinates."""
        lengths = [self.units[_place(self.coordinates, name)] for name in (a, b)].count("m")
        return ("kg*m^2", "kg*m", "kg")[lengths]

    def table(self) -> str:
        """Text with one row for each coordinate."""
        head = [("", *(f"{c} [{u}]" for c, u in zip(self.coordinates, self.units, strict=True)))]
        body = [(c, *_row(row, self.values)) for c, row in zip(self.coordinates, self.values, strict=True)]
        return _aligned(head + body)

    def __str__(self) -> str:
        return self.table()


@names_wrong_arguments
@dataclass(frozen=True, eq=False)
class JointDynamics:
    """Equations of motion over joint coordinates: M q'' + bias + gravity = applied + τ.

    Attributes
    ----------
    mass_matrix : MassMatrix
        M.
    bias : (n,)
        Coriolis, centrifugal and gyroscopic terms [N*m, N].
    gravity : (n,)
        Torques and forces that hold the weight [N*m, N].
    applied : (n,)
        Generalised forces of springs, dampers, friction and loads [N*m, N]. Positive values increase the coordinate.
    positions, speeds : (n,)
        The state [rad, m, rad/s, m/s].
    coordinates, units : as in `MassMatrix`
    effort_units : texts
        Unit of τ for each coordinate, "N*m" or "N".
    time : float
        Time at which loads are evaluated [s].
    warnings : texts
    """

    mass_matrix: MassMatrix
    bias: FloatArray
    gravity: FloatArray
    applied: FloatArray
    positions: FloatArray
    speeds: FloatArray
    effort_units: tuple[str, ...]
    time: float
    warnings: tuple[str, ...] = ()

    @property
    def coordinates(self) -> tuple[str, ...]:
        return self.mass_matrix.coordinates

    @property
    def units(self) -> tuple[str, ...]:
        return self.mass_matrix.units

    def accelerations(self, tau: Any = 0.0) -> FloatArray:
        """Accelerations q'' [rad/s^2, m/s^2] under torques and forces τ (n,) of the coordinates [N*m, N]."""
        force = np.asarray(tau, float) + self.applied - self.bias - self.gravity
        return np.asarray(np.linalg.solve(self.mass_matrix.values, force), np.float64)

    def torques(self, accelerations: Any = 0.0) -> FloatArray:
        """Torques and forces τ (n,) [N*m, N] for accelerations q'' (n,) [rad/s^2, m/s^2]."""
        qdd = np.broadcast_to(np.asarray(accelerations, float), self.bias.shape)
        return self.mass_matrix.values @ qdd + self.bias + self.gravity - self.applied

    def table(self) -> str:
        """Text with one row for each coordinate."""
        rows: list[tuple[str, ...]] = [("", "position", "speed", "bias", "gravity", "applied", "")]
        columns = (self.positions, self.speeds, self.bias, self.gravity, self.applied)
        for i, name in enumerate(self.coordinates):
            u = self.units[i]
            p, v, *forces = (f"{x[i]:.6g}" for x in columns)
            rows.append((name, f"{p} {u}", f"{v} {u}/s", *forces, self.effort_units[i]))
        return _aligned(rows)

    def __str__(self) -> str:
        return self.table()


@names_wrong_arguments
@dataclass(frozen=True, eq=False)
class FrameJacobian:
    """Jacobian of a frame: (v, ω) = J q', v the velocity of its origin and ω its angular velocity.

    Attributes
    ----------
    values : (6, n)
        Rows: velocity x, y, z, then angular velocity x, y, z.
    bias : (6,)
        J' q' and the motion of drives: acceleration [m/s^2] and angular acceleration [rad/s^2] for q'' = 0.
    drift : (6,)
        Velocity for q' = 0, from drives that are not among the coordinates [m/s, rad/s].
    position : (3,)
        Origin of the frame, world axes [m].
    orientation : (3, 3)
        Axes of the frame as columns, world axes.
    axes : str
        "world", or "frame" if all rows are in the axes of the frame.
    coordinates, units, positions : as in `MassMatrix`
    """

    values: FloatArray
    bias: FloatArray
    drift: FloatArray
    position: FloatArray
    orientation: FloatArray
    axes: str
    coordinates: tuple[str, ...]
    units: tuple[str, ...]
    positions: FloatArray

    @property
    def linear(self) -> FloatArray:
        """(3, n) velocity of the origin."""
        return self.values[:3]

    @property
    def angular(self) -> FloatArray:
        """(3, n) angular velocity."""
        return self.values[3:]

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> FloatArray:
        return np.array(self.values, dtype=dtype)

    def column(self, coordinate: str) -> FloatArray:
        """(6,) column of a coordinate."""
        return self.values[:, _place(self.coordinates, coordinate)]

    def table(self) -> str:
        """Text with one row for each component."""
        head = [("", *(f"{c} [{u}]" for c, u in zip(self.coordinates, self.units, strict=True)))]
        names = [f"{w} {a} [{u}]" for w, u in (("velocity", "m/s"), ("angular velocity", "rad/s")) for a in "xyz"]
        body = [(name, *_row(row, self.values)) for name, row in zip(names, self.values, strict=True)]
        return _aligned(head + body)

    def __str__(self) -> str:
        return self.table()


@names_wrong_arguments
@dataclass(frozen=True, eq=False)
class JointForces:
    """Torques and forces of joint coordinates for a motion (inverse dynamics).

    Attributes
    ----------
    time : (m,)
        [s]
    values : (m, n)
        Torque or force of each coordinate on its second body [N*m, N].
    positions, speeds, accelerations : (m, n)
        The motion.
    coordinates, units, effort_units : as in `JointDynamics`
    method : str
        "tree" (bodies on fixed axes with constant ratios, one pass over the bodies) or "general".
    warnings : texts
    """

    time: FloatArray
    values: FloatArray
    positions: FloatArray
    speeds: FloatArray
    accelerations: FloatArray
    coordinates: tuple[str, ...]
    units: tuple[str, ...]
    effort_units: tuple[str, ...]
    method: str
    warnings: tuple[str, ...] = ()

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> FloatArray:
        return np.array(self.values, dtype=dtype)

    def __len__(self) -> int:
        return len(self.values)

    def __iter__(self) -> Iterator[Signal]:
        return (self[name] for name in self.coordinates)

    def __getitem__(self, coordinate: str) -> Signal:
        """Torque or force of a coordinate over time, as a signal."""
        k = _place(self.coordinates, coordinate)
        unit = self.effort_units[k]
        what = "torque" if unit == "N*m" else "force"
        name = f"{self.coordinates[k]}.{what}"
        return Signal(name, self.values[:, k].copy(), self.time, unit, f"{what} on the second body for the motion")

    @property
    def power(self) -> FloatArray:
        """(m, n) power of each coordinate [W]."""
        return np.asarray(self.values * self.speeds)

    def table(self) -> str:
        """Text with smallest, largest and root mean square of each torque or force."""
        rows: list[tuple[str, ...]] = [("", "smallest", "largest", "rms", "")]
        for k, name in enumerate(self.coordinates):
            x = self.values[:, k]
            numbers = (x.min(), x.max(), np.sqrt(np.mean(x * x)))
            rows.append((name, *(f"{v:.6g}" for v in numbers), self.effort_units[k]))
        return _aligned(rows)

    def __str__(self) -> str:
        return self.table()


def _place(names: tuple[str, ...], key: Any) -> Any:
    if not isinstance(key, str):
        return key
    if key not in names:
        raise ModelError(f'there is no coordinate "{key}"; {near_names(key, list(names))}')
    return names.index(key)


ROUNDING = 1e-13
"""Entries of a matrix that are smaller, relative to the largest, are written as 0."""


def _row(row: FloatArray, whole: FloatArray) -> list[str]:
    least = ROUNDING * float(np.abs(whole).max(initial=0.0))
    return [f"{x if abs(x) > least else 0.0:.6g}" for x in row]


def _aligned(rows: list[tuple[str, ...]]) -> str:
    widths = [max(len(row[i]) for row in rows) for i in range(len(rows[0]))]
    lines = []
    for row in rows:
        first, *rest = row
        lines.append("  ".join([first.ljust(widths[0]), *(x.rjust(w) for x, w in zip(rest, widths[1:], strict=True))]))
    return "\n".join(line.rstrip() for line in lines)
