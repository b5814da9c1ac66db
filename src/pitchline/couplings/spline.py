"""Spline: a spline connection of shaft and hub, represented by stiffnesses."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from ..arguments import names_wrong_arguments
from ..errors import ModelError, Subject, shown
from .law import CouplingLaw, positive

__all__ = ["Spline"]

_WHAT = Subject("spline")
_MOST = 10_000


@names_wrong_arguments
@dataclass(frozen=True, eq=False, init=False)
class Spline:
    """Spline connection with the stiffness of its teeth.

    Every tooth pair is a spring along the flank normal with the stiffness c' per width, and all pairs carry the same load, as
    in Marmol, Smalley & Tecza, *J. Mech. Des.* 102 (1980) 168. With z pairs, the width b and the base radius r_b = (d/2)
    cos(alpha),

        torsion z c' b r_b^2 ,   radial z c' b / 2 ,   tilt about the middle z c' b^3 / 24 .

    Parameters
    ----------
    teeth
        Number of teeth.
    pitch_diameter
        [m]. Specify either pitch_diameter or module.
    module
        Pitch diameter divided by the number of teeth [m].
    length
        Length of engagement [m].
    tooth_stiffness
        Stiffness of a tooth pair along the normal, per width [N/m^2]: 1e9 N/m^2 is 1 N/(mm um). There is no default: it
        depends on the shape of the teeth, and on the number of teeth that carry load.
    pressure_angle
        Pressure angle of the flanks [rad]. Default 30 deg.
    play
        Circumferential backlash on the pitch circle [m]. The total free twist is twice this value divided by the pitch
        diameter. Default 0.
    axial_stiffness
        [N/m]. Default 0: hub and shaft slide freely.
    torsional_damping
        [N*m*s/rad]. Default 0.
    """

    units: ClassVar[Mapping[str, str]] = {
        "pitch_diameter": "m", "module": "m", "length": "m", "tooth_stiffness": "N/m^2", "pressure_angle": "rad", "play": "m",
        "axial_stiffness": "N/m", "torsional_damping": "N*m*s/rad",
    }  # fmt: skip
    teeth: int
    pitch_diameter: float
    module: None
    length: float
    tooth_stiffness: float
    pressure_angle: float
    play: float
    axial_stiffness: float
    torsional_damping: float

    def __init__(
        self,
        teeth: int,
        *,
        length: object,
        tooth_stiffness: object,
        pitch_diameter: object = None,
        module: object = None,
        pressure_angle: object = math.radians(30.0),
        play: object = 0.0,
        axial_stiffness: object = 0.0,
        torsional_damping: object = 0.0,
    ) -> None:
        if isinstance(teeth, bool) or not isinstance(teeth, (int, np.integer)) or not 3 <= teeth <= _MOST:
            raise ModelError(
                f"{_WHAT}: teeth must be a whole number from 3 to {_MOST}, got {shown(teeth)}", about=_WHAT.at("teeth")
            )
        if (pitch_diameter is None) == (module is None):
            raise ModelError(f"{_WHAT}: specify either pitch_diameter or module", about=_WHAT)
        d = (
            teeth * positive(module, "length", _WHAT / "module")
            if pitch_diameter is None
            else positive(pitch_diameter, "length", _WHAT / "pitch_diameter")
        )
        angle = positive(pressure_angle, "angle", _WHAT / "pressure_angle", zero=True)
        if not angle < 0.5 * math.pi:
            raise ModelError(f"{_WHAT}: pressure_angle must be less than 90 deg, got {pressure_angle!r}", about=_WHAT)
        for key, value in (
            ("teeth", int(teeth)), ("pitch_diameter", d), ("module", None),
            ("length", positive(length, "length", _WHAT / "length")),
            ("tooth_stiffness", positive(tooth_stiffness, "N/m^2", _WHAT / "tooth_stiffness")),
            ("pressure_angle", angle),
            ("play", positive(play, "length", _WHAT / "play", zero=True)),
            ("axial_stiffness", positive(axial_stiffness, "stiffness", _WHAT / "axial_stiffness", zero=True)),
            ("torsional_damping", positive(torsional_damping, "torsional damping", _WHAT / "torsional_damping", zero=True)),
        ):  # fmt: skip
            object.__setattr__(self, key, value)

    @property
    def torsional_stiffness(self) -> float:
        """[N*m/rad]."""
        return (
            self.teeth
            * self.tooth_stiffness
            * self.length
            * (0.5 * self.pitch_diameter * math.cos(self.pressure_angle)) ** 2
        )

    @property
    def radial_stiffness(self) -> float:
        """[N/m]."""
        return 0.5 * self.teeth * self.tooth_stiffness * self.length

    @property
    def tilt_stiffness(self) -> float:
        """[N*m/rad]."""
        return self.teeth * self.tooth_stiffness * self.length**3 / 24.0

    @property
    def law(self) -> CouplingLaw:
        """Law for compiled functions."""
        free = self.play / self.pitch_diameter  # in each direction
        k = self.torsional_stiffness
        straight = [[0.0, 0.0], [1.0, k]]
        # the torque increases smoothly over a hundredth of a milliradian: a jump of the stiffness has no tangent
        soft = 1e-5
        touched = [[free + i * soft, (i - 0.5) * k * soft] for i in (1, 2, 3)]
        points = straight if free == 0.0 else [[0.0, 0.0], [free, 0.0], *touched]
        return CouplingLaw(
            stiffness=(self.radial_stiffness, self.axial_stiffness, self.tilt_stiffness),
            damping=(0.0, 0.0, 0.0, self.torsional_damping),
            torsion=np.array(points),
        )

    @property
    def words(self) -> str:
        """Description in one line."""
        return f"spline with {self.teeth} teeth, {self.torsional_stiffness:.6g} N*m/rad"
