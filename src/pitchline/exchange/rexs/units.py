"""Units of REXS files. The spelling is that of the standard: C is degree Celsius, mum is micrometre."""

from __future__ import annotations

import math
from dataclasses import dataclass

__all__ = ["REXS_UNITS", "RexsUnit", "rexs_unit"]


@dataclass(frozen=True)
class RexsUnit:
    """Unit: value in SI = factor * number + offset.

    quantity: kind of quantity; units of one quantity can be converted
    """

    quantity: str
    factor: float
    offset: float = 0.0

    def to_si(self, number: float) -> float:
        """Value in SI units (rad, rad/s, K, 1 for %)."""
        return self.factor * number + self.offset

    def from_si(self, value: float) -> float:
        """Number in this unit."""
        return (value - self.offset) / self.factor


_TURN = 2.0 * math.pi
_TABLE: dict[str, dict[str, float]] = {
    "number": {"none": 1.0, "": 1.0, "-": 1.0, "1": 1.0, "%": 1e-2, "m / m": 1.0},
    "length": {"mm": 1e-3, "mum": 1e-6, "m": 1.0, "cm": 1e-2, "µm": 1e-6, "μm": 1e-6, "um": 1e-6, "nm": 1e-9},
    "area": {"mm^2": 1e-6, "m^2": 1.0},
    "volume": {"mm^3": 1e-9, "l": 1e-3, "m^3": 1.0},
    "1/length": {"1 / mm": 1e3, "1 / m": 1.0},
    "angle": {
        "deg": math.pi / 180, "°": math.pi / 180, "degree": math.pi / 180, "rad": 1.0, "mrad": 1e-3, "'": math.pi / 10800,
    },
    "angular velocity": {"1 / min": _TURN / 60, "rpm": _TURN / 60, "min^-1": _TURN / 60, "rad / s": 1.0, "deg / s": math.pi / 180},
    "frequency": {"Hz": 1.0, "1 / s": 1.0, "kHz": 1e3},
    "revolutions": {"MRev": 1e6},
    "velocity": {"m / s": 1.0, "mm / s": 1e-3, "mm / h": 1e-3 / 3600},
    "acceleration": {"m / s^2": 1.0, "mm / s^2": 1e-3},
    "time": {"s": 1.0, "ms": 1e-3, "mus": 1e-6, "min": 60.0, "h": 3600.0},
    "mass": {"kg": 1.0, "g": 1e-3, "mg": 1e-6, "t": 1e3},
    "inertia": {"kg m^2": 1.0, "kg mm^2": 1e-6},
    "density": {"kg / dm^3": 1e3, "kg / m^3": 1.0, "g / cm^3": 1e3},
    "force": {"N": 1.0, "kN": 1e3, "MN": 1e6},
    "torque": {"N m": 1.0, "kN m": 1e3, "N mm": 1e-3},
    "stiffness": {"N / m": 1.0, "N / mm": 1e3, "N / mum": 1e6},
    "force per angle": {"N / rad": 1.0},
    "torsional stiffness": {"N mm / rad": 1e-3, "N m / rad": 1.0},
    "pressure": {
        "N / mm^2": 1e6, "MPa": 1e6, "Pa": 1.0, "GPa": 1e9, "bar": 1e5, "kPa": 1e3, "N / (mm mum)": 1e9, "N / m^2": 1.0,
    },
    "root of pressure": {"(N / mm^2)^0.5": 1e3, "MPa^0.5": 1e3},
    "1/pressure": {"mm^2 / N": 1e-6, "1 / MPa": 1e-6},
    "power": {"kW": 1e3, "W": 1.0, "MW": 1e6},
    "power per length": {"W / mm": 1e3},
    "flow": {"l / min": 1e-3 / 60, "m^3 / s": 1.0},
    "kinematic viscosity": {"mm^2 / s": 1e-6, "m^2 / s": 1.0, "cSt": 1e-6},
    "viscosity": {"mPa s": 1e-3, "Pa s": 1.0},
    "temperature": {"K": 1.0},
    "1/temperature": {"1e-6 / C": 1e-6, "1e-6 / K": 1e-6, "1 / K": 1.0},
    "specific heat": {"J / (kg K)": 1.0},
    "thermal conductivity": {"W / (m K)": 1.0},
    "heat transfer": {"W / (m^2 K)": 1.0},
    "thermal resistance": {"K m^2 / W": 1.0},
    "heating rate": {"K / mus": 1e6},
    "thermal contact": {"N / (mm s^0.5 K)": 1e3},
    "heat transfer of plastics": {"K (m / s)^0.75 mm^1.75 / W": 1e-3**1.75},
    "wear": {"1e-6 mm^3 / (N m)": 1e-15},
    "Brinell hardness": {"HB": 1.0},
    "Vickers hardness": {"HV": 1.0},
    "Rockwell hardness": {"HRC": 1.0},
    "level": {"dB": 1.0},
}  # fmt: skip


def _key(text: str) -> str:
    """Spelling without blanks and signs of multiplication."""
    return "".join(text.split()).replace("*", "").replace("·", "").replace("²", "^2").replace("³", "^3")


REXS_UNITS: dict[str, RexsUnit] = {
    _key(name): RexsUnit(quantity, factor) for quantity, units in _TABLE.items() for name, factor in units.items()
}
for _celsius in ("C", "°C"):
    REXS_UNITS[_celsius] = RexsUnit("temperature", 1.0, 273.15)


def rexs_unit(text: str) -> RexsUnit | None:
    """Unit by its name, or None if the name is unknown."""
    return REXS_UNITS.get(_key(text))
