"""Parts that move together: rigid bodies for the model, and rotating groups for the speeds."""

from __future__ import annotations

import numpy as np

from ...solids.rotations import Array
from .component import RexsComponent
from .kinematics import Spinning
from .places import RexsPlaces
from .stiffness import Held
from .structure import Connection, UnitStructure

__all__ = ["GROUND", "Merged", "spinning_groups"]

GROUND = -1
"""Number of the casing and of all parts that are fixed on it."""
_COAXIAL = 1e-5


class Merged:
    """Sets of parts, joined in pairs."""

    def __init__(self, parts: list[int]) -> None:
        self._of = {number: number for number in parts}
        self._of[GROUND] = GROUND

    def __contains__(self, number: int) -> bool:
        return number in self._of

    def root(self, number: int) -> int:
        """Number of the set of a part; GROUND if it is fixed on the casing."""
        while self._of[number] != number:
            number = self._of[number]
        return number

    def join(self, a: int, b: int) -> None:
        """Join the sets of two parts."""
        first, second = self.root(a), self.root(b)
        if first != second:
            keep, drop = (
                (first, second) if first == GROUND or (second != GROUND and first < second) else (second, first)
            )
            self._of[drop] = keep

    def members(self) -> dict[int, list[int]]:
        """Parts of each set, by its number."""
        found: dict[int, list[int]] = {}
        for number in self._of:
            if number != GROUND:
                found.setdefault(self.root(number), []).append(number)
        return found


def part_number(component: RexsComponent) -> int:
    """Number of a part; the casing and the gear unit are the ground."""
    return GROUND if component.new_type in ("gear_casing", "gear_unit") else component.id


def carrier_parts(structure: UnitStructure) -> list[tuple[int, int]]:
    """Pairs of carrier and side plate that belong together."""
    found = []
    for component in structure.document.components.values():
        if component.new_type == "planet_carrier":
            found += [
                (component.id, one.id) for one in structure.parts.get(component.id, []) if one.new_type == "side_plate"
            ]
    return found


def all_parts(structure: UnitStructure) -> list[int]:
    """Numbers of all shafts, side plates and carriers."""
    carriers = [one.id for one in structure.document.components.values() if one.new_type == "planet_carrier"]
    return [*structure.shafts, *(one.id for one in structure.plates), *carriers]


def spinning_groups(
    structure: UnitStructure, places: RexsPlaces, couplings: list[tuple[Connection, Held]]
) -> tuple[dict[int, int | None], list[Spinning]]:
    """Group of each part (None: fixed on the casing), and the groups.

    Couplings that transmit torque join their parts. Planets move with the carrier of their pins.
    """
    merged = Merged(all_parts(structure))
    for connection, held in couplings:
        if held.torsion > 0.0:
            merged.join(part_number(connection.inner), part_number(connection.outer))
    document = structure.document
    pins = {one.role("shaft") for one in document.relations if one.type == "planet_pin"}
    planets = {one.role("shaft") for one in document.relations if one.type == "planet_shaft"}
    sets = {root: parts for root, parts in merged.members().items() if root != GROUND}
    sets = {
        root: [n for n in parts if document.components[n].new_type != "planet_carrier"] or parts
        for root, parts in sets.items()
    }
    axes: dict[int, tuple[Array, Array]] = {}
    for root, parts in sets.items():
        first = next((n for n in parts if n in structure.shafts and n not in pins), None)
        first = next((n for n in parts if n not in pins), parts[0]) if first is None else first
        component = document.components[first]
        if component.new_type == "planet_carrier":
            continue
        place = places.of(component)
        axes[root] = place.origin, place.u
    on_ground = {merged.root(part_number(x)) for one in structure.bearings for x in (one.inner, one.outer)
                 if GROUND in (part_number(one.inner), part_number(one.outer))}  # fmt: skip
    numbers = {root: count for count, root in enumerate(axes)}
    carriers: dict[int, int] = {}
    for one in structure.bearings:
        pair = [merged.root(part_number(x)) for x in (one.inner, one.outer)]
        if GROUND in pair or pair[0] == pair[1] or any(root not in axes for root in pair):
            continue
        if _coaxial(axes[pair[0]], axes[pair[1]]):
            continue
        moved = _carried(pair, sets, planets, on_ground)
        carriers.setdefault(moved, pair[1] if moved == pair[0] else pair[0])
    groups = [Spinning(*axes[root], numbers.get(carriers.get(root, GROUND))) for root in axes]
    return {number: numbers.get(merged.root(number)) for number in all_parts(structure)}, groups


def _carried(pair: list[int], sets: dict[int, list[int]], planets: set[int | None], on_ground: set[int]) -> int:
    """Which of two groups on each other is carried by the other one."""
    for root in pair:
        if any(part in planets for part in sets[root]):
            return root
    free = [root for root in pair if root not in on_ground]
    return free[0] if len(free) == 1 else min(pair, key=lambda root: len(sets[root]))


def _coaxial(a: tuple[Array, Array], b: tuple[Array, Array]) -> bool:
    between = b[0] - a[0]
    away = between - float(between @ a[1]) * a[1]
    return float(np.linalg.norm(np.cross(a[1], b[1]))) < 1e-6 and float(np.linalg.norm(away)) < _COAXIAL
