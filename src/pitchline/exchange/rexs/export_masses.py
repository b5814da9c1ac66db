"""Masses of a new REXS document: attached masses, and mass and inertia of rigid bodies."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from ...errors import ModelError
from ...gears import Gear
from ...gears.gear_body import GearBody
from ...model.masses import seated_wheels
from ...solids.mass_properties import MassProperties
from .building import RexsBuilder
from .export_gears import ExportedGears
from .export_hosts import Host, Hosts, RigidPart, rim_of
from .export_report import RexsExport

__all__ = ["ExportedMasses", "inertia_of"]

_SHARES = (1.0, 0.5, 0.2, 0.05)
"""Parts of the mass of the blanks that are stated for the gears of a body. A body may weigh no more than its blanks, and the
shaft in their bores has a mass too; the additional mass must be positive."""


@dataclass(frozen=True)
class _Moments:
    """Mass [kg], first moments [kg m] and inertia [kg m^2] about the origin of a shaft, in its axes."""

    mass: float
    first: np.ndarray
    second: np.ndarray

    @classmethod
    def of(cls, mass: float, centre: np.ndarray, inertia: np.ndarray) -> _Moments:
        return cls(mass, mass * centre, inertia + mass * _spread(centre))

    def plus(self, other: _Moments, factor: float) -> _Moments:
        return _Moments(
            self.mass + factor * other.mass, self.first + factor * other.first, self.second + factor * other.second
        )

    @property
    def centre(self) -> np.ndarray:
        return self.first / self.mass

    @property
    def inertia(self) -> np.ndarray:
        """About the centre of mass."""
        found: np.ndarray = self.second - self.mass * _spread(self.centre)
        return found

    def possible(self, least: float) -> bool:
        """Whether a body with more than the least mass can have these moments."""
        if self.mass <= least:
            return False
        small, middle, large = sorted(self.inertia.diagonal())
        return bool(small > 0.0 and small + middle >= large)

    def thickened(self) -> np.ndarray:
        """Inertia with moments about x and y that are at least those of a thin disc with the same moment about z."""
        found = self.inertia.copy()
        for i in (0, 1):
            found[i, i] = max(found[i, i], 0.5 * found[2, 2])
        return found


def _spread(centre: np.ndarray) -> np.ndarray:
    found: np.ndarray = float(centre @ centre) * np.eye(3) - np.outer(centre, centre)
    return found


@dataclass
class ExportedMasses:
    """Adds additional masses, and the masses of gears on rigid bodies."""

    hosts: Hosts
    gears: ExportedGears
    builder: RexsBuilder
    report: RexsExport
    numbers: dict[str, int] = field(default_factory=dict)

    def add_all(self) -> None:
        """Add all masses."""
        for name, element in self.hosts.model.elements.items():
            if type(element).__name__ == "AttachedMass":
                self._attached(name, element.values)
        for name, part in self.hosts.rigid.items():
            self._body(name, part)

    def _attached(self, name: str, given: Any) -> None:
        frame = given["on"]
        host = self.hosts.of(frame.body_name)
        if host is None:
            self.report.note(self.report.left_out, f'attached mass "{name}": its body is not written')
            return
        origin, axes = self.hosts.model.placed(frame)
        centre = origin + axes @ np.asarray(given["centre_of_mass"], dtype=float)
        turned = host.axes.T @ axes @ inertia_of(given) @ axes.T @ host.axes
        self.numbers[name] = self._add(host, name, f'attached mass "{name}"', float(given["mass"]), centre, turned)

    def _add(self, host: Host, name: str, label: str, mass: float, centre: np.ndarray, inertia: np.ndarray) -> int:
        """Additional mass with its centre in the world, and its inertia about it in the axes of the shaft."""
        if np.abs(inertia - np.diag(inertia.diagonal())).max() > 1e-9 * max(float(np.abs(inertia).max()), 1e-300):
            self.report.note(self.report.left_out, f"{label}: its products of inertia in the axes of the shaft")
        moments = dict(zip("uvw", (inertia[2, 2], inertia[1, 1], inertia[0, 0]), strict=True))
        values: dict[str, Any] = {f"moment_of_inertia_{axis}_axis": float(value) for axis, value in moments.items()}
        place = host.origin + host.coordinate(centre) * host.axes[:, 2]
        values.update({"u_coordinate_on_shaft": host.coordinate(centre), "mass_of_component": mass})
        number = self.builder.add("additional_mass", name, values)
        self.builder.position(number, place, host.axes, self.hosts.unit)
        shift = host.components(centre - place)
        if np.abs(shift).max() > 1e-9:
            self.builder.put(number, {"eccentricity_vector": shift})
        self.builder.relate("assembly", assembly=host.number, part=number)
        return number

    def _body(self, name: str, part: RigidPart) -> None:
        """Mass and inertia of a rigid body, less those of its section and gears, as an additional mass."""
        total = self._total(name, part.host)
        try:
            blanks = self._blanks(part)
        except ModelError:  # a gear without face width has no blank
            text = f'body "{name}": its mass {total.mass:.6g} kg and its inertia, because a gear has no face width'
            self.report.note(self.report.left_out, text)
            return
        rest = total if part.section is None else total.plus(_moments_of(part.section), -1.0)
        found = [(share, _less(rest, blanks, share)) for share in (_SHARES if blanks else _SHARES[:1])]
        least = 1e-9 * total.mass
        exact = next(((share, one) for share, one in found if one.possible(least)), None)
        spinning = next(((share, one) for share, one in found if one.mass > least and one.inertia[2, 2] > 0.0), None)
        chosen = exact or spinning
        if chosen is None:
            self._refuse(name, total.mass)
            return
        share, left = chosen
        inertia = left.inertia if exact is not None else left.thickened()
        if exact is None:
            more = float(np.diag(inertia - left.inertia).max() / max(float(np.diag(total.inertia)[:2].max()), 1e-300))
            text = f'body "{name}": its moments of inertia across its axis; those of the file are up to {100 * more:.2g} % larger'
            self.report.note(self.report.left_out, text)
        for gear, blank in blanks.items():
            self.builder.put(self.gears.gears[gear], {"mass_of_component": share * blank.mass})
        centre = part.host.origin + part.host.axes @ left.centre
        self._add(part.host, f"{name} mass", f'body "{name}"', left.mass, centre, inertia)

    def _refuse(self, name: str, mass: float) -> None:
        text = f'body "{name}": its mass {mass:.6g} kg and its inertia, less than those of shaft and gears in the file'
        if self.hosts.rigid[name].section is None:
            text = f'body "{name}": its mass {mass:.6g} kg and its inertia; no part with this mass has this inertia'
        self.report.note(self.report.left_out, text)

    def _total(self, name: str, host: Host) -> _Moments:
        model = self.hosts.model
        body = model.bodies[name]
        turn = host.axes.T @ body.orientation
        shift = host.axes.T @ (body.position - host.origin)
        found = _Moments.of(body.mass, turn @ body.centre_of_mass + shift, turn @ body.inertia @ turn.T)
        wheels = seated_wheels(model).get(name)
        return found if wheels is None else found.plus(_moments_of(wheels, turn, shift), 1.0)

    def _blanks(self, part: RigidPart) -> dict[str, _Moments]:
        """Blanks of the gears in stages, by the name of the gear."""
        pairs = (self.hosts.model.gear_pairs[name] for name in self.gears.stages)
        meshing = {wheel.name for pair in pairs for wheel in (pair.wheel_a, pair.wheel_b)}
        found = {}
        for wheel in part.wheels:
            if wheel.name in meshing and isinstance(wheel.gear, Gear):
                origin, axes = self.hosts.model.placed(wheel.frame)
                turn, shift = part.host.axes.T @ axes, part.host.axes.T @ (origin - part.host.origin)
                found[wheel.name] = _moments_of(self._blank(wheel.name, wheel.gear), turn, shift)
        return found

    def _blank(self, name: str, gear: Gear) -> MassProperties:
        """Blank of a gear as it is in the file, which has bores of cylindrical gears only, and no webs and hubs."""
        if gear.internal:
            return gear.with_(body=GearBody(rim_diameter=rim_of(gear))).solid
        kind = self.builder.document.components[self.gears.gears[name]].new_type
        return gear.with_(body=GearBody(bore=gear.bore if kind == "cylindrical_gear" else 0.0)).solid


def _less(rest: _Moments, blanks: dict[str, _Moments], share: float) -> _Moments:
    for blank in blanks.values():
        rest = rest.plus(blank, -share)
    return rest


def _moments_of(solid: MassProperties, turn: np.ndarray | None = None, shift: np.ndarray | None = None) -> _Moments:
    turned = np.eye(3) if turn is None else turn
    centre = turned @ solid.centre_of_mass + (0.0 if shift is None else shift)
    return _Moments.of(solid.mass, centre, turned @ solid.inertia @ turned.T)


def inertia_of(given: Any) -> np.ndarray:
    """Inertia of an attached mass about its centre, in the axes of its frame (3, 3)."""
    (xx, yy, zz), (xy, xz, yz) = given["moments"], given["products"]
    return np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]], dtype=float)
