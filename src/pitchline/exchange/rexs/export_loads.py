"""Loads, drives and additional masses of a new REXS document."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from ...model.functions import Constant
from ...model.joints import ANGLE
from ...model.loads import Bushing, Force, JointLoad, Torque
from .building import RexsBuilder
from .export_hosts import Host, Hosts
from .export_report import RexsExport

__all__ = ["ExportedLoads", "constants", "inertia_of"]


def constants(components: Any) -> np.ndarray | None:
    """Values of components that do not depend on time; None if one does."""
    if not all(isinstance(one, Constant) for one in components):
        return None
    return np.array([one.value for one in components], dtype=float)


@dataclass
class ExportedLoads:
    """Adds forces, torques, drives and masses."""

    hosts: Hosts
    builder: RexsBuilder
    report: RexsExport
    numbers: dict[str, int] = field(default_factory=dict)

    def add_all(self) -> None:
        """Add all loads that REXS has."""
        for name, load in self.hosts.model.loads.items():
            if isinstance(load, Force):
                self._load(name, load.frame.body_name, load, force=True)
            elif isinstance(load, Torque):
                self._load(name, load.body_name, load, force=False)
            elif isinstance(load, JointLoad):
                self._joint_load(name, load)
            elif not isinstance(load, Bushing):
                self.report.note(self.report.left_out, f'load "{name}" ({type(load).__name__})')
        for drive in self.hosts.model.drives.values():
            self._drive(drive)
        for name, element in self.hosts.model.elements.items():
            if type(element).__name__ == "AttachedMass":
                self._mass(name, element)

    def _load(self, name: str, body_name: str, load: Any, *, force: bool) -> None:
        host, values = self.hosts.of(body_name), constants(load.components)
        what = "force" if force else "torque"
        if host is None or values is None:
            why = f'on "{body_name}", which is not written' if host is None else "varies"
            self.report.note(self.report.left_out, f'{what} "{name}": {why}')
            return
        body = self.hosts.model.bodies[body_name]
        if load.axes == "body":
            values = body.orientation @ values
            self.report.note(self.report.left_out, f'{what} "{name}": turns with its body; loads of REXS do not')
        if load.reaction is not None:
            self.report.note(self.report.left_out, f'{what} "{name}": its reaction on "{load.reaction}"')
        point = self.hosts.model.placed(load.frame)[0] if force else body.position
        self._add(name, host, point, values, force=force)

    def _add(self, name: str, host: Host, point: np.ndarray, values: np.ndarray, *, force: bool) -> None:
        parts = host.components(values)
        parts[np.abs(parts) < 1e-15 * max(float(np.abs(parts).max()), 1e-300)] = 0.0
        given: dict[str, Any] = {"u_coordinate_on_shaft": host.coordinate(point)}
        if force:
            given.update({f"force_{axis}_direction": float(x) for axis, x in zip("uvw", parts, strict=True)})
        else:
            given.update({f"torque_around_{axis}_axis": float(x) for axis, x in zip("uvw", parts, strict=True)})
            given.update({"transmits_torque": bool(parts[0]), "defines_torque": bool(parts[0])})
        number = self.builder.add("external_load", name, given)
        self.builder.relate("assembly", assembly=host.number, part=number)
        self.numbers[name] = number

    def _joint_load(self, name: str, load: JointLoad) -> None:
        joint = self.hosts.model.joints[load.joint_name]
        host = self.hosts.of(joint.frame_b.body_name)
        if (
            host is None
            or not isinstance(load.function, Constant)
            or load.coordinate != ANGLE
            or joint.frame_a.body_name != "ground"
        ):
            self.report.note(self.report.left_out, f'load "{name}" on joint "{load.joint_name}"')
            return
        origin, axes = self.hosts.model.placed(joint.frame_b)
        self._add(name, host, origin, load.function.value * axes[:, 2], force=False)

    def _drive(self, drive: Any) -> None:
        joint = self.hosts.model.joints[drive.joint_name]
        host = self.hosts.of(joint.frame_b.body_name)
        fixed = joint.frame_a.body_name == "ground"
        if (
            host is None
            or not fixed
            or drive.given != "speed"
            or drive.coordinate != ANGLE
            or not isinstance(drive.function, Constant)
        ):
            self.report.note(
                self.report.left_out, f'drive "{drive.name}": only a constant speed of a shaft has a place in REXS'
            )
            return
        sense = float(self.hosts.model.placed(joint.frame_b)[1][:, 2] @ host.axes[:, 2])
        self.builder.put(host.number, {"rotational_speed": drive.function.value * round(sense), "defines_speed": True})
        self.numbers[drive.name] = host.number

    def _mass(self, name: str, element: Any) -> None:
        given = element.values
        frame = given["on"]
        host = self.hosts.of(frame.body_name)
        if host is None:
            self.report.note(self.report.left_out, f'attached mass "{name}": its body is not written')
            return
        origin, axes = self.hosts.model.placed(frame)
        centre = origin + axes @ np.asarray(given["centre_of_mass"], dtype=float)
        turned = host.axes.T @ axes @ inertia_of(given) @ axes.T @ host.axes
        if np.abs(turned - np.diag(turned.diagonal())).max() > 1e-9 * max(float(np.abs(turned).max()), 1e-300):
            self.report.note(
                self.report.left_out, f'attached mass "{name}": its products of inertia in the axes of the shaft'
            )
        moments = dict(zip("uvw", (turned[2, 2], turned[1, 1], turned[0, 0]), strict=True))
        values = {f"moment_of_inertia_{axis}_axis": float(value) for axis, value in moments.items()}
        place = host.origin + host.coordinate(centre) * host.axes[:, 2]
        values.update({"u_coordinate_on_shaft": host.coordinate(centre), "mass_of_component": float(given["mass"])})
        number = self.builder.add("additional_mass", name, values)
        self.builder.position(number, place, host.axes, self.hosts.unit)
        shift = host.components(centre - place)
        if np.abs(shift).max() > 1e-9:
            self.builder.put(number, {"eccentricity_vector": shift})
        self.builder.relate("assembly", assembly=host.number, part=number)
        self.numbers[name] = number


def inertia_of(given: Any) -> np.ndarray:
    """Inertia of an attached mass about its centre, in the axes of its frame (3, 3)."""
    (xx, yy, zz), (xy, xz, yz) = given["moments"], given["products"]
    return np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]], dtype=float)
