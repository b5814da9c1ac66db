"""Dimensions and units."""

from __future__ import annotations

import math

__all__ = ["BASE_UNITS", "DIMENSIONS", "METRIC", "NONE", "OTHER", "PREFIXES", "RATE", "Exponents"]

Exponents = tuple[int, int, int, int, int, int]
"""Powers of length, mass, time, temperature, electric current and angle. Angles are last, because they can be ignored."""

BASE_UNITS = ("m", "kg", "s", "K", "A", "rad")

DIMENSIONS: dict[str, tuple[str, tuple[str, ...]]] = {
    # name: (unit of the returned number, units to suggest in messages)
    "number": ("1", ("no unit", "%")),
    "length": ("m", ("m", "mm", "um", "in")),
    "mass": ("kg", ("kg", "g", "lb")),
    "time": ("s", ("s", "ms", "min")),
    "angle": ("rad", ("rad", "deg")),
    "temperature": ("K", ("K",)),
    "area": ("m^2", ("m^2", "mm^2")),
    "volume": ("m^3", ("m^3", "l")),
    "density": ("kg/m^3", ("kg/m^3", "g/cm^3")),
    "velocity": ("m/s", ("m/s", "mm/s")),
    "acceleration": ("m/s^2", ("m/s^2",)),
    "angular velocity": ("rad/s", ("rad/s", "rpm", "deg/s")),
    "angular acceleration": ("rad/s^2", ("rad/s^2", "rpm/s")),
    "frequency": ("Hz", ("Hz", "kHz", "rpm")),
    "force": ("N", ("N", "kN", "lbf")),
    "torque": ("N*m", ("N*m", "N*mm", "lbf*in")),
    "energy": ("J", ("J", "kJ")),
    "power": ("W", ("W", "kW", "hp")),
    "stiffness": ("N/m", ("N/m", "N/um", "lbf/in")),
    "torsional stiffness": ("N*m/rad", ("N*m/rad", "N*m/deg")),
    "damping": ("N*s/m", ("N*s/m", "lbf*s/in")),
    "torsional damping": ("N*m*s/rad", ("N*m*s/rad",)),
    "inertia": ("kg*m^2", ("kg*m^2", "kg*mm^2", "lbf*in*s^2")),
    "pressure": ("Pa", ("Pa", "MPa", "GPa", "psi")),
    "viscosity": ("Pa*s", ("Pa*s", "cP")),
    "kinematic viscosity": ("m^2/s", ("m^2/s", "cSt")),
    "electric current": ("A", ("A", "mA")),
    "voltage": ("V", ("V", "mV", "kV")),
    "resistance": ("ohm", ("ohm", "mohm")),
    "inductance": ("H", ("H", "mH", "uH")),
}

_INCH = 0.0254
_POUND = 0.45359237
_G0 = 9.80665
_TURN = 2.0 * math.pi
_FORCE = (1, 1, -2, 0, 0, 0)
_PRESSURE = (-1, 1, -2, 0, 0, 0)
_ENERGY = (2, 1, -2, 0, 0, 0)
_POWER = (2, 1, -3, 0, 0, 0)
NONE = (0, 0, 0, 0, 0, 0)
_ANGLE = (0, 0, 0, 0, 0, 1)
RATE = (0, 0, -1, 0, 0, 1)

METRIC: dict[str, tuple[float, Exponents]] = {  # prefixes allowed
    "m": (1.0, (1, 0, 0, 0, 0, 0)),
    "g": (1e-3, (0, 1, 0, 0, 0, 0)),
    "s": (1.0, (0, 0, 1, 0, 0, 0)),
    "K": (1.0, (0, 0, 0, 1, 0, 0)),
    "rad": (1.0, _ANGLE),
    "N": (1.0, _FORCE),
    "Pa": (1.0, _PRESSURE),
    "J": (1.0, _ENERGY),
    "W": (1.0, _POWER),
    "Hz": (_TURN, RATE),
    "bar": (1e5, _PRESSURE),
    "l": (1e-3, (3, 0, 0, 0, 0, 0)),
    "L": (1e-3, (3, 0, 0, 0, 0, 0)),
    "P": (0.1, (-1, 1, -1, 0, 0, 0)),
    "St": (1e-4, (2, 0, -1, 0, 0, 0)),
    "A": (1.0, (0, 0, 0, 0, 1, 0)),
    "V": (1.0, (2, 1, -3, 0, -1, 0)),
    "ohm": (1.0, (2, 1, -3, 0, -2, 0)),
    "Ω": (1.0, (2, 1, -3, 0, -2, 0)),
    "H": (1.0, (2, 1, -2, 0, -2, 0)),
    "Wb": (1.0, (2, 1, -2, 0, -1, 0)),
}

OTHER: dict[str, tuple[float, Exponents]] = {  # no prefixes
    "in": (_INCH, (1, 0, 0, 0, 0, 0)),
    "inch": (_INCH, (1, 0, 0, 0, 0, 0)),
    "ft": (12 * _INCH, (1, 0, 0, 0, 0, 0)),
    "thou": (1e-3 * _INCH, (1, 0, 0, 0, 0, 0)),
    "micron": (1e-6, (1, 0, 0, 0, 0, 0)),
    "lb": (_POUND, (0, 1, 0, 0, 0, 0)),
    "lbm": (_POUND, (0, 1, 0, 0, 0, 0)),
    "oz": (_POUND / 16, (0, 1, 0, 0, 0, 0)),
    "slug": (_POUND * _G0 / (12 * _INCH), (0, 1, 0, 0, 0, 0)),
    "t": (1e3, (0, 1, 0, 0, 0, 0)),
    "min": (60.0, (0, 0, 1, 0, 0, 0)),
    "h": (3600.0, (0, 0, 1, 0, 0, 0)),
    "deg": (math.pi / 180, _ANGLE),
    "°": (math.pi / 180, _ANGLE),
    "arcmin": (math.pi / 180 / 60, _ANGLE),
    "arcsec": (math.pi / 180 / 3600, _ANGLE),
    "rev": (_TURN, _ANGLE),
    "turn": (_TURN, _ANGLE),
    "r": (_TURN, _ANGLE),  # "r/min", as ISO 80000-3 writes it
    "rpm": (_TURN / 60, RATE),
    "RPM": (_TURN / 60, RATE),
    "lbf": (_POUND * _G0, _FORCE),
    "ozf": (_POUND * _G0 / 16, _FORCE),
    "kgf": (_G0, _FORCE),
    "psi": (_POUND * _G0 / _INCH**2, _PRESSURE),
    "ksi": (1e3 * _POUND * _G0 / _INCH**2, _PRESSURE),
    "hp": (550 * 12 * _INCH * _POUND * _G0, _POWER),
    "%": (1e-2, NONE),
    "ppm": (1e-6, NONE),
}

PREFIXES = {
    "f": 1e-15, "p": 1e-12, "n": 1e-9, "u": 1e-6, "µ": 1e-6, "μ": 1e-6, "m": 1e-3, "c": 1e-2, "d": 1e-1,
    "h": 1e2, "k": 1e3, "M": 1e6, "G": 1e9, "T": 1e12,
}  # fmt: skip
