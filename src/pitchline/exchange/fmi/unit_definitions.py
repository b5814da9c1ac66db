"""Units of pitchline as unit definitions of FMI: factor and exponents of the SI base units."""

from __future__ import annotations

from ...units.parser import parse_unit

__all__ = ["base_unit"]

_NAMES = ("m", "kg", "s", "K", "A", "rad")
"""Names of FMI for length, mass, time, temperature, current and angle."""
_CYCLES = {"Hz": 1.0, "kHz": 1e3, "MHz": 1e6}
"""Frequencies count cycles, not radians."""


def base_unit(unit: str) -> dict[str, str]:
    """Attributes of a BaseUnit: exponents that are not zero, and the factor if it is not 1."""
    if unit in _CYCLES:
        factor, powers = _CYCLES[unit], {"s": -1}
    else:
        parsed = parse_unit(unit)
        factor = parsed.factor
        powers = {name: power for name, power in zip(_NAMES, parsed.powers, strict=True) if power}
    order: tuple[str, ...] = ("kg", "m", "s", "A", "K", "rad")
    said = {name: str(int(powers[name])) for name in order if name in powers}
    return said if factor == 1.0 else said | {"factor": repr(factor)}
