"""GearCoupling: one mesh of a gear coupling."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from ..arguments import names_wrong_arguments
from ..errors import ModelError, Subject
from .law import CouplingLaw, positive

__all__ = ["GearCoupling"]

_WHAT = Subject("gear coupling")


@names_wrong_arguments
@dataclass(frozen=True, eq=False, init=False)
class GearCoupling:
    """One mesh of a gear coupling: stiff in torsion and radial offset, free to tilt and to slide within limits.

    For a coupling with two meshes use two of them, with the sleeve as a body between them.

    Parameters
    ----------
    torsional_stiffness
        Torque per twist [N*m/rad].
    radial_stiffness
        [N/m].
    torsional_damping
        [N*m*s/rad]. Default 0.
    radial_damping
        [N*s/m]. Default 0.
    tilt_limit
        Tilt up to which hub and sleeve are free [rad]. Default: no limit.
    tilt_stop_stiffness
        Moment per tilt beyond the limit [N*m/rad].
    axial_limit
        Displacement up to which they slide freely, in both directions [m]. Default: no limit.
    axial_stop_stiffness
        Force per displacement beyond the limit [N/m].
    friction
        Coefficient of friction of the teeth. With equally loaded teeth, the moment against tilting is (2/pi) mu T /
        cos(alpha). Default 0.
    pressure_angle
        Pressure angle of the teeth [rad]. Default 20 deg.
    friction_rate
        Tilt rate at which friction has 0.7 of its full value [rad/s]. It decreases to zero at smaller rates. Default 0.01.
    """

    units: ClassVar[Mapping[str, str]] = {
        "torsional_stiffness": "N*m/rad", "radial_stiffness": "N/m", "torsional_damping": "N*m*s/rad", "radial_damping": "N*s/m",
        "tilt_limit": "rad", "tilt_stop_stiffness": "N*m/rad", "axial_limit": "m", "axial_stop_stiffness": "N/m",
        "pressure_angle": "rad", "friction_rate": "rad/s",
    }  # fmt: skip
    torsional_stiffness: float
    radial_stiffness: float
    torsional_damping: float
    radial_damping: float
    tilt_limit: float | None
    tilt_stop_stiffness: float | None
    axial_limit: float | None
    axial_stop_stiffness: float | None
    friction: float
    pressure_angle: float
    friction_rate: float

    def __init__(
        self,
        torsional_stiffness: object,
        radial_stiffness: object,
        *,
        torsional_damping: object = 0.0,
        radial_damping: object = 0.0,
        tilt_limit: object = None,
        tilt_stop_stiffness: object = None,
        axial_limit: object = None,
        axial_stop_stiffness: object = None,
        friction: object = 0.0,
        pressure_angle: object = math.radians(20.0),
        friction_rate: object = 0.01,
    ) -> None:
        for limit, stop in (
            ("tilt", (tilt_limit, tilt_stop_stiffness)),
            ("axial", (axial_limit, axial_stop_stiffness)),
        ):
            if (stop[0] is None) != (stop[1] is None):
                raise ModelError(
                    f"{_WHAT}: specify both {limit}_limit and {limit}_stop_stiffness, or neither", about=_WHAT
                )
        for key, value, dimension, zero in (
            ("torsional_stiffness", torsional_stiffness, "torsional stiffness", False),
            ("radial_stiffness", radial_stiffness, "stiffness", False),
            ("torsional_damping", torsional_damping, "torsional damping", True),
            ("radial_damping", radial_damping, "damping", True),
            ("tilt_limit", tilt_limit, "angle", True),
            ("tilt_stop_stiffness", tilt_stop_stiffness, "torsional stiffness", False),
            ("axial_limit", axial_limit, "length", True),
            ("axial_stop_stiffness", axial_stop_stiffness, "stiffness", False),
            ("friction", friction, "number", True),
            ("pressure_angle", pressure_angle, "angle", True),
            ("friction_rate", friction_rate, "angular velocity", False),
        ):
            if value is None and key == "pressure_angle":
                raise ModelError(f"{_WHAT}: pressure_angle must be an angle, got None", about=_WHAT)
            read = None if value is None else positive(value, dimension, _WHAT / key, zero=zero)
            object.__setattr__(self, key, read)
        if not self.pressure_angle < 0.5 * math.pi:
            raise ModelError(f"{_WHAT}: pressure_angle must be less than 90 deg, got {pressure_angle!r}", about=_WHAT)

    @property
    def law(self) -> CouplingLaw:
        """Law for compiled functions."""
        free = [np.inf if limit is None else limit for limit in (self.axial_limit, self.tilt_limit)]
        return CouplingLaw(
            stiffness=(self.radial_stiffness, 0.0, 0.0),
            damping=(self.radial_damping, 0.0, 0.0, self.torsional_damping),
            torsion=np.array([[0.0, 0.0], [1.0, self.torsional_stiffness]]),
            limits=(free[0], free[1]),
            stops=(self.axial_stop_stiffness or 0.0, self.tilt_stop_stiffness or 0.0),
            friction=2.0 / math.pi * self.friction / math.cos(self.pressure_angle),
            friction_rate=self.friction_rate,
        )

    @property
    def words(self) -> str:
        """Description in one line."""
        return f"gear coupling, {self.torsional_stiffness:.6g} N*m/rad"
