"""ElasticCoupling: a coupling with elastic elements, defined by its catalogue data."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from ..arguments import names_wrong_arguments
from ..errors import ModelError, Subject
from ..solids.rotations import Array
from .law import CouplingLaw, positive, read_torsion

__all__ = ["ElasticCoupling"]

_WHAT = Subject("elastic coupling")


@names_wrong_arguments
@dataclass(frozen=True, eq=False, init=False)
class ElasticCoupling:
    """Coupling with elastic elements: claw, tyre, disc pack, bellows.

    Parameters
    ----------
    torsional_stiffness
        Torque per twist [N*m/rad].
    torsion
        Progressive law in place of torsional_stiffness: pairs of twist [rad] and torque [N*m], starting with (0, 0). It is the
        same for both directions.
    radial_stiffness
        [N/m]. Default 0.
    axial_stiffness
        [N/m]. Default 0.
    tilt_stiffness
        Moment per tilt [N*m/rad]. Default 0.
    torsional_damping
        [N*m*s/rad]. Default 0.
    radial_damping
        [N*s/m]. Default 0.
    axial_damping
        [N*s/m]. Default 0.
    tilt_damping
        [N*m*s/rad]. Default 0.
    relative_damping
        Relative damping of torsion, in place of torsional_damping: energy loss per cycle divided by the maximum elastic
        energy, as in DIN 740. Needs frequency.
    frequency
        Frequency for the relative damping [Hz]. The damping is relative_damping k / (2 pi omega). For a progressive law, k is
        the slope from zero to its last point.
    """

    units: ClassVar[Mapping[str, str]] = {
        "torsional_stiffness": "N*m/rad", "radial_stiffness": "N/m", "axial_stiffness": "N/m", "tilt_stiffness": "N*m/rad",
        "torsional_damping": "N*m*s/rad", "radial_damping": "N*s/m", "axial_damping": "N*s/m", "tilt_damping": "N*m*s/rad",
        "frequency": "Hz",
    }  # fmt: skip
    torsion_points: Array
    torsional_stiffness: float
    radial_stiffness: float
    axial_stiffness: float
    tilt_stiffness: float
    torsional_damping: float
    radial_damping: float
    axial_damping: float
    tilt_damping: float

    def __init__(
        self,
        torsional_stiffness: object = None,
        *,
        torsion: Sequence[Any] | None = None,
        radial_stiffness: object = 0.0,
        axial_stiffness: object = 0.0,
        tilt_stiffness: object = 0.0,
        torsional_damping: object = None,
        radial_damping: object = 0.0,
        axial_damping: object = 0.0,
        tilt_damping: object = 0.0,
        relative_damping: object = None,
        frequency: object = None,
    ) -> None:
        if (torsional_stiffness is None) == (torsion is None):
            raise ModelError(f"{_WHAT}: specify either torsional_stiffness or torsion", about=_WHAT)
        if torsion is None:
            k = positive(torsional_stiffness, "torsional stiffness", _WHAT / "torsional_stiffness")
            points = np.array([[0.0, 0.0], [1.0, k]])
        else:
            points = read_torsion(torsion, _WHAT / "torsion")
            k = float(points[-1, 1] / points[-1, 0])
        if relative_damping is None:
            c = (
                0.0
                if torsional_damping is None
                else positive(torsional_damping, "torsional damping", _WHAT / "torsional_damping", zero=True)
            )
            if frequency is not None:
                raise ModelError(f"{_WHAT}: frequency needs relative_damping; specify both, or neither", about=_WHAT)
        else:
            if torsional_damping is not None:
                raise ModelError(f"{_WHAT}: specify torsional_damping or relative_damping, not both", about=_WHAT)
            if frequency is None:
                raise ModelError(f"{_WHAT}: relative_damping needs frequency; specify it", about=_WHAT)
            psi = positive(relative_damping, "number", _WHAT / "relative_damping", zero=True)
            omega = 2.0 * math.pi * positive(frequency, "frequency", _WHAT / "frequency")
            c = psi * k / (2.0 * math.pi * omega)
        values: dict[str, Any] = {"torsion_points": points, "torsional_stiffness": k, "torsional_damping": c}
        for key, value, dimension in (
            ("radial_stiffness", radial_stiffness, "stiffness"), ("axial_stiffness", axial_stiffness, "stiffness"),
            ("tilt_stiffness", tilt_stiffness, "torsional stiffness"), ("radial_damping", radial_damping, "damping"),
            ("axial_damping", axial_damping, "damping"), ("tilt_damping", tilt_damping, "torsional damping"),
        ):  # fmt: skip
            values[key] = positive(value, dimension, _WHAT / key, zero=True)
        for key, value in values.items():
            object.__setattr__(self, key, value)

    @property
    def law(self) -> CouplingLaw:
        """Law for compiled functions."""
        return CouplingLaw(
            stiffness=(self.radial_stiffness, self.axial_stiffness, self.tilt_stiffness),
            damping=(self.radial_damping, self.axial_damping, self.tilt_damping, self.torsional_damping),
            torsion=self.torsion_points,
        )

    @property
    def said(self) -> tuple[str, dict[str, Any]]:
        """Kind and arguments in model files."""
        given: dict[str, Any] = {}
        if len(self.torsion_points) == 2:
            given["torsional_stiffness"] = self.torsional_stiffness
        else:
            given["torsion"] = [[f"{x!r} rad", f"{y!r} N*m"] for x, y in self.torsion_points.tolist()]
        keys = [key for key in self.units if key not in ("torsional_stiffness", "frequency")]
        return "elastic", given | {key: getattr(self, key) for key in keys if getattr(self, key)}

    @property
    def words(self) -> str:
        """Description in one line."""
        progressive = "" if len(self.torsion_points) == 2 else ", progressive"
        return f"elastic, {self.torsional_stiffness:.6g} N*m/rad{progressive}"
