"""Loads and drives of a new REXS document."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from ...model.joints import ANGLE
from ...model.loads import Bushing, Force, JointLoad, Torque
from .building import RexsBuilder
from .export_hosts import Host, Hosts
from .export_report import RexsExport
from .settled_values import constants, settled_value, settled_values

__all__ = ["ExportedLoads"]


@dataclass
class ExportedLoads:
    """Adds forces, torques and drives. Of a function of time that settles the final value is written."""

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

    def _load(self, name: str, body_name: str, load: Any, *, force: bool) -> None:
        host, values = self.hosts.of(body_name), settled_values(load.components)
        what = "force" if force else "torque"
        if host is None or values is None:
            why = f'on "{body_name}", which is not written' if host is None else "varies"
            self.report.note(self.report.left_out, f'{what} "{name}": {why}')
            return
        if constants(load.components) is None:
            final = ", ".join(f"{value:.6g}" for value in values)
            self.report.note(
                self.report.assumed, f'{what} "{name}": its final value ({final}) {"N" if force else "N m"}'
            )
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
        turned = self._on_casing(load.joint_name)
        value = settled_value(load.function)
        if turned is None or value is None or load.coordinate != ANGLE:
            self.report.note(self.report.left_out, f'load "{name}" on joint "{load.joint_name}"')
            return
        host, origin, axis = turned
        if constants([load.function]) is None:
            self.report.note(self.report.assumed, f'load "{name}": its final value {value:.6g} N m')
        self._add(name, host, origin, value * axis, force=False)

    def _drive(self, drive: Any) -> None:
        turned = self._on_casing(drive.joint_name)
        value = settled_value(drive.function) if drive.given == "speed" and drive.coordinate == ANGLE else None
        sense = 0.0 if turned is None else float(turned[2] @ turned[0].axes[:, 2])
        if turned is None or value is None or abs(abs(sense) - 1.0) > 1e-6:
            self.report.note(
                self.report.left_out,
                f'drive "{drive.name}": only a speed of a shaft that is constant, or becomes so, has a place in REXS',
            )
            return
        if constants([drive.function]) is None:
            self.report.note(self.report.assumed, f'drive "{drive.name}": its final speed {value:.6g} rad/s')
        number = turned[0].number
        self.builder.put(number, {"rotational_speed": value * round(sense), "defines_speed": True})
        self.numbers[drive.name] = number

    def _on_casing(self, joint_name: str) -> tuple[Host, np.ndarray, np.ndarray] | None:
        """Shaft of a joint on the casing, point and axis of the positive rotation of the shaft; None for other joints."""
        joint = self.hosts.model.joints[joint_name]
        ground = self.hosts.model.ground.name
        if ground not in (joint.frame_a.body_name, joint.frame_b.body_name):
            return None
        # The coordinate is the rotation of b relative to a.
        frame, sign = (joint.frame_b, 1.0) if joint.frame_a.body_name == ground else (joint.frame_a, -1.0)
        host = self.hosts.of(frame.body_name)
        origin, axes = self.hosts.model.placed(frame)
        return None if host is None else (host, origin, sign * axes[:, 2])
