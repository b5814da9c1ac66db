"""Plain numbers that are valid (SI units) but almost certainly meant in another unit: a module of 3 means three metres."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from typing import Any, TypeGuard

from .problems import Path

__all__ = ["unlikely_numbers"]

_HUGE = {  # lengths of gears [m]; larger plain numbers are probably in millimetres
    "normal_module": 0.2, "module": 0.2, "face_width": 3.0, "bore": 3.0, "tip_diameter": 20.0, "rim_diameter": 20.0,
    "backlash_allowance": 0.01, "root_radius": 0.2,
}  # fmt: skip
_FAST = 1000.0
"""Speed [rad/s]; larger plain numbers are probably in rpm."""
_FAR = 50.0
"""Coordinate [m]; larger plain numbers are probably in millimetres."""
_THICK = 3.0
"""Diameter of a shaft [m]; larger plain numbers are probably in millimetres."""


def unlikely_numbers(data: Mapping[str, Any]) -> Iterator[tuple[Path, str]]:
    """(place, sentence) for each number; `data` is the file with its expressions evaluated."""
    for name, table in _tables(data, "gears"):
        for key, limit in _HUGE.items():
            value = table.get(key)
            if _plain(value) and abs(value) >= limit:
                yield ("gears", name, key), _sentence(value, "m", "metres", "mm")
        yield from _material(("gears", name), table)
    for name, table in _tables(data, "materials"):
        yield from _material(("materials", name), table)
    for name, table in _tables(data, "bodies"):
        position = table.get("position")
        far = (
            [value for value in position if _plain(value) and abs(value) >= _FAR] if isinstance(position, list) else []
        )
        if far:
            yield ("bodies", name, "position"), _sentence(far[0], "m", "metres", "mm")
    for name, table in _tables(data, "shafts"):
        yield from _shaft(("shafts", name), table)
    for name, table in _tables(data, "drives"):
        yield from _fast(("drives", name, "speed"), table.get("speed"))


def _shaft(path: Path, table: Mapping[str, Any]) -> Iterator[tuple[Path, str]]:
    sections, stations = table.get("sections"), table.get("stations")
    for n, section in enumerate(sections if isinstance(sections, list) else ()):
        for key in ("length", "outer", "inner", "outer_end", "inner_end"):
            value = section.get(key) if isinstance(section, dict) else None
            if _plain(value) and value >= (_FAR if key == "length" else _THICK):
                yield (*path, "sections", n, key), _sentence(value, "m", "metres", "mm")
    for station, value in stations.items() if isinstance(stations, dict) else ():
        if _plain(value) and value >= _FAR:
            yield (*path, "stations", station), _sentence(value, "m", "metres", "mm")
    yield from _fast((*path, "speed"), table.get("speed"))


def _fast(path: Path, speed: Any) -> Iterator[tuple[Path, str]]:
    if _plain(speed) and abs(speed) >= _FAST:
        rpm = speed * 30.0 / math.pi
        yield (
            path,
            f'{speed:g} rad/s is {rpm:.6g} rpm. Plain numbers are in rad/s; write "{speed:g} rpm" if you mean rpm',
        )


def _material(path: Path, table: Mapping[str, Any]) -> Iterator[tuple[Path, str]]:
    modulus, density = table.get("youngs_modulus"), table.get("density")
    if _plain(modulus) and 0.0 < modulus < 1e7:
        yield (*path, "youngs_modulus"), _sentence(modulus, "Pa", "pascal", "GPa" if modulus < 1e4 else "MPa")
    if _plain(density) and 0.0 < density < 50.0:
        yield (*path, "density"), _sentence(density, "kg/m^3", "kg/m^3", "g/cm^3")


def _tables(data: Mapping[str, Any], section: str) -> Iterator[tuple[str, Mapping[str, Any]]]:
    found = data.get(section)
    for name, table in found.items() if isinstance(found, dict) else ():
        if isinstance(table, dict):
            yield name, table


def _plain(value: Any) -> TypeGuard[float]:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _sentence(value: float, unit: str, words: str, meant: str) -> str:
    return f'{value:g} {unit} is an unusual value. Plain numbers are in {words}; write "{value:g} {meant}" if you mean {meant}'
