"""Couplings with their catalogue data: elastic couplings, gear couplings, splines, universal joints."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar

import numpy as np

from pitchline.base.arguments import names_wrong_arguments
from pitchline.base.types import FloatArray
from pitchline.errors import ModelError, Subject, shown
from pitchline.solids.rotations import direction
from pitchline.units.quantity import array, quantity

__all__ = [
    "CardanJoint",
    "CouplingLaw",
    "positive",
    "read_torsion",
    "torsion_table",
    "ElasticCoupling",
    "GearCoupling",
    "Spline",
]


# ---- cardan

# CardanJoint: an ideal universal joint of two shafts.

_WHAT = Subject("cardan joint")


@names_wrong_arguments
@dataclass(frozen=True, eq=False, init=False)
class CardanJoint:
    """Universal joint of two shafts without mass and play. In a model it is a joint of the kind "universal".

    With the angle beta between the shafts, and angles measured from the position where the pin on the first shaft is
    perpendicular to their plane, tan(phi_2) = tan(phi_1) cos(beta).

    Parameters
    ----------
    pin
        Direction of the pin on the first shaft, world axes in the initial pose, perpendicular to that shaft. Default:
        perpendicular to the plane of both shafts, or x of the first one if they are aligned.
    """

    pin: FloatArray | None

    def __init__(self, pin: object = None) -> None:
        object.__setattr__(self, "pin", None if pin is None else direction(pin, what=_WHAT / "pin"))

    def pins(self, axes_a: FloatArray, axes_b: FloatArray, what: Subject) -> tuple[FloatArray, FloatArray]:
        """Directions of the pins on both shafts, world axes.

        Parameters
        ----------
        axes_a, axes_b
            Axes (3, 3) of the frames of both shafts; z is the shaft axis.
        what
            Name of the joint in messages.
        """
        first, second = axes_a[:, 2], axes_b[:, 2]
        if abs(float(first @ second)) < 0.02:
            raise ModelError(f"{what}: the shafts are perpendicular, so that a cardan joint cannot rotate", about=what)
        if self.pin is None:
            across = np.cross(first, second)
            pin = axes_a[:, 0] if np.linalg.norm(across) < 1e-9 else across / np.linalg.norm(across)
        else:
            pin = self.pin
            if abs(float(pin @ first)) > 1e-6:
                near = pin - (pin @ first) * first
                raise ModelError(
                    f"{what}: the pin must be perpendicular to the first shaft, z of its frame, {_words(first)} in the world; the "
                    f"nearest such direction is {_words(near / np.linalg.norm(near))}"
                    if np.linalg.norm(near) > 1e-6
                    else f"{what}: the pin must be perpendicular to the first shaft, not along it",
                    about=what,
                )
        other = np.cross(second, pin)
        return pin, other / np.linalg.norm(other)


def _words(d: FloatArray) -> str:
    return "(" + ", ".join(f"{x:.6g}" for x in d + 0.0) + ")"


# ---- law

# Law of a coupling: stiffness and damping of its deflections, progressive torsion, limits, friction against tilting.


@dataclass(frozen=True, eq=False, kw_only=True)
class CouplingLaw:
    """Data for compiled functions. Deflections are x, y, z, tilt about x and y, twist about z."""

    stiffness: tuple[float, float, float]
    """Radial, axial [N/m] and tilt [N*m/rad]."""
    damping: tuple[float, float, float, float]
    """Radial, axial [N*s/m], tilt and torsion [N*m*s/rad]."""
    torsion: FloatArray
    """Twists from 0 [rad] and torques [N*m], (n, 2)."""
    limits: tuple[float, float] = (np.inf, np.inf)
    """Axial [m] and tilt [rad] limits, beyond which stops act."""
    stops: tuple[float, float] = (0.0, 0.0)
    """Stiffness of these stops [N/m], [N*m/rad]."""
    friction: float = 0.0
    """Moment against tilting divided by the torque."""
    friction_rate: float = field(default=1.0)
    """Tilt rate over which the sign of friction is regularised [rad/s]."""


def positive(value: object, dimension: str, what: Subject, *, zero: bool = False) -> float:
    """Read a positive number; with zero=True also zero."""
    found = quantity(value, dimension, what=what)
    if found < 0.0 or (found == 0.0 and not zero):
        raise ModelError(f"{what}: must {'not be negative' if zero else 'be positive'}, got {value!r}", about=what)
    return found


def read_torsion(value: object, what: Subject) -> FloatArray:
    """Read pairs of twist and torque, starting with (0, 0), both increasing."""
    if (
        not isinstance(value, (list, tuple, np.ndarray))
        or len(value) < 2
        or not all(isinstance(row, (list, tuple, np.ndarray)) and len(row) == 2 for row in value)
    ):
        raise ModelError(
            f'{what}: expected pairs such as [(0, 0), ("2 deg", "100 N*m"), ...], got {value!r}', about=what
        )
    twists = array([row[0] for row in value], "angle", what=what)
    torques = array([row[1] for row in value], "torque", what=what)
    if twists[0] != 0.0 or torques[0] != 0.0:
        raise ModelError(f"{what}: the first pair must be (0, 0); the law is the same for both directions", about=what)
    if np.any(np.diff(twists) <= 0.0) or np.any(np.diff(torques) < 0.0):
        raise ModelError(f"{what}: twists must increase and torques must not decrease", about=what)
    if torques[-1] == torques[-2]:
        raise ModelError(
            f"{what}: the torque must increase at the end, where the law is extrapolated linearly", about=what
        )
    return np.column_stack([twists, torques])


def torsion_table(points: FloatArray) -> FloatArray:
    """Pieces of torque over twist, (n, 6): first twist, energy there, coefficients of the powers of the twist within the piece.

    Monotone cubic pieces with continuous stiffness; linear beyond the last point.
    """
    if len(points) == 2:
        k = points[1, 1] / points[1, 0]
        return np.array([[0.0, 0.0, 0.0, k, 0.0, 0.0]])
    from scipy.interpolate import PchipInterpolator  # late: scipy takes long to import and few models need it

    x, y = points.T
    # both directions, so that the stiffness at zero is that of an odd law
    curve = PchipInterpolator(np.concatenate([-x[:0:-1], x]), np.concatenate([-y[:0:-1], y]))
    c = curve.c[::-1, len(x) - 1 :].T
    end = float(curve(x[-1], 1))
    c = np.vstack([c, [y[-1], end, 0.0, 0.0]])
    width = np.diff(x)
    steps = [float(np.polyval([*(c[i, ::-1] / [4, 3, 2, 1]), 0.0], width[i])) for i in range(len(width))]
    energy = np.concatenate([[0.0], np.cumsum(steps)])
    return np.column_stack([x, energy, c])


_WHAT_elastic = Subject("elastic coupling")


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
    torsion_points: FloatArray
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
            raise ModelError(f"{_WHAT_elastic}: specify either torsional_stiffness or torsion", about=_WHAT_elastic)
        if torsion is None:
            k = positive(torsional_stiffness, "torsional stiffness", _WHAT_elastic / "torsional_stiffness")
            points = np.array([[0.0, 0.0], [1.0, k]])
        else:
            points = read_torsion(torsion, _WHAT_elastic / "torsion")
            k = float(points[-1, 1] / points[-1, 0])
        if relative_damping is None:
            c = (
                0.0
                if torsional_damping is None
                else positive(torsional_damping, "torsional damping", _WHAT_elastic / "torsional_damping", zero=True)
            )
            if frequency is not None:
                raise ModelError(
                    f"{_WHAT_elastic}: frequency needs relative_damping; specify both, or neither", about=_WHAT_elastic
                )
        else:
            if torsional_damping is not None:
                raise ModelError(
                    f"{_WHAT_elastic}: specify torsional_damping or relative_damping, not both", about=_WHAT_elastic
                )
            if frequency is None:
                raise ModelError(f"{_WHAT_elastic}: relative_damping needs frequency; specify it", about=_WHAT_elastic)
            psi = positive(relative_damping, "number", _WHAT_elastic / "relative_damping", zero=True)
            omega = 2.0 * math.pi * positive(frequency, "frequency", _WHAT_elastic / "frequency")
            c = psi * k / (2.0 * math.pi * omega)
        values: dict[str, Any] = {"torsion_points": points, "torsional_stiffness": k, "torsional_damping": c}
        for key, value, dimension in (
            ("radial_stiffness", radial_stiffness, "stiffness"), ("axial_stiffness", axial_stiffness, "stiffness"),
            ("tilt_stiffness", tilt_stiffness, "torsional stiffness"), ("radial_damping", radial_damping, "damping"),
            ("axial_damping", axial_damping, "damping"), ("tilt_damping", tilt_damping, "torsional damping"),
        ):  # fmt: skip
            values[key] = positive(value, dimension, _WHAT_elastic / key, zero=True)
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


# ---- gear

# GearCoupling: one mesh of a gear coupling.

_WHAT_gear = Subject("gear coupling")


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
                    f"{_WHAT_gear}: specify both {limit}_limit and {limit}_stop_stiffness, or neither", about=_WHAT_gear
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
                raise ModelError(f"{_WHAT_gear}: pressure_angle must be an angle, got None", about=_WHAT_gear)
            read = None if value is None else positive(value, dimension, _WHAT_gear / key, zero=zero)
            object.__setattr__(self, key, read)
        if not self.pressure_angle < 0.5 * math.pi:
            raise ModelError(
                f"{_WHAT_gear}: pressure_angle must be less than 90 deg, got {pressure_angle!r}", about=_WHAT_gear
            )

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


# ---- spline

# Spline: a spline connection of shaft and hub, represented by stiffnesses.

_WHAT_spline = Subject("spline")
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
                f"{_WHAT_spline}: teeth must be a whole number from 3 to {_MOST}, got {shown(teeth)}",
                about=_WHAT_spline.at("teeth"),
            )
        if (pitch_diameter is None) == (module is None):
            raise ModelError(f"{_WHAT_spline}: specify either pitch_diameter or module", about=_WHAT_spline)
        d = (
            teeth * positive(module, "length", _WHAT_spline / "module")
            if pitch_diameter is None
            else positive(pitch_diameter, "length", _WHAT_spline / "pitch_diameter")
        )
        angle = positive(pressure_angle, "angle", _WHAT_spline / "pressure_angle", zero=True)
        if not angle < 0.5 * math.pi:
            raise ModelError(
                f"{_WHAT_spline}: pressure_angle must be less than 90 deg, got {pressure_angle!r}", about=_WHAT_spline
            )
        for key, value in (
            ("teeth", int(teeth)), ("pitch_diameter", d), ("module", None),
            ("length", positive(length, "length", _WHAT_spline / "length")),
            ("tooth_stiffness", positive(tooth_stiffness, "N/m^2", _WHAT_spline / "tooth_stiffness")),
            ("pressure_angle", angle),
            ("play", positive(play, "length", _WHAT_spline / "play", zero=True)),
            ("axial_stiffness", positive(axial_stiffness, "stiffness", _WHAT_spline / "axial_stiffness", zero=True)),
            ("torsional_damping", positive(torsional_damping, "torsional damping", _WHAT_spline / "torsional_damping", zero=True)),
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
