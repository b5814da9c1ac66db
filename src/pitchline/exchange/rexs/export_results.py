"""Results of analyses as attributes of REXS: forces, displacements, contact ratios and lives."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from ...errors import PitchlineError
from ...gears.pair import GearPair
from ...model import Model
from ...model.beam_line import BeamLine
from ...results.result import Result
from .building import attribute_of
from .component import RexsComponent
from .component_frames import ComponentFrames
from .document import RexsDocument, RexsLoadCase, RexsLoadSpectrum
from .export_report import RexsExport
from .versions import converted

__all__ = ["ResultWriter"]

ROLLING = ("rolling_bearing_with_catalog_geometry", "rolling_bearing_with_detailed_geometry")
COUPLINGS = ("coupling", "switchable_coupling")
LIVES = {
    "nominal_rating_life_rotations_iso_281_2007": ("life", 1e6), "nominal_rating_life_time_iso_281_2007": ("life_time", 1.0),
    "nominal_reference_rating_life_rotations_iso_16281_2008": ("reference_life", 1e6),
    "nominal_reference_rating_life_time_iso_16281_2008": ("reference_time", 1.0),
    "equivalent_dynamic_bearing_load_iso_281_2007": ("load", 1.0), "static_load_safety": ("static_safety", 1.0),
}  # fmt: skip
"""Attribute -> column of the table of lives, and factor to SI units."""


@dataclass
class ResultWriter:
    """Writes results of a model to load cases of its document.

    parts: component id by the name of the part
    """

    model: Model
    document: RexsDocument
    parts: Mapping[str, int]
    report: RexsExport

    def __post_init__(self) -> None:
        self.frames = ComponentFrames(self.document)
        self.data = {
            (relation.role("stage"), relation.role("gear")): relation.role("stage_gear_data")
            for relation in self.document.relations_of("stage_gear_data")
        }
        self.inner = {
            relation.role("assembly"): relation.role("inner_part") for relation in self.document.relations_of("side")
        }

    def write(self, results: list[Result], case: tuple[int, int] | None) -> None:
        """Write each result to a load case.

        case: ids of the load spectrum and the load case for a single result; None: a new load spectrum
        """
        spectrum = next((one for one in self.document.spectra if case is not None and one.id == case[0]), None)
        found = spectrum.case(case[1]) if spectrum is not None and case is not None else None
        if found is not None and len(results) == 1:
            self._case(found, results[0])
            return
        number = max((one.id for one in self.document.spectra), default=0) + 1
        spectrum = RexsLoadSpectrum(number)
        for index, result in enumerate(results):
            made = RexsLoadCase(index + 1)
            self._case(made, result)
            spectrum.cases.append(made)
        self.document.spectra.append(spectrum)

    def _case(self, case: RexsLoadCase, result: Result) -> None:
        count = 0
        for number, values in self._values(result).items():
            base = self.document.components[number]
            target = case.components.setdefault(number, RexsComponent(number, base.type, new_type=base.new_type))
            for name, value in values.items():
                if value is not None and np.all(np.isfinite(np.asarray(value, dtype=float))):
                    target.attributes[name] = attribute_of(base.new_type, name, value)
                    count += 1
            if not target.attributes:
                del case.components[number]
        self._rename(case)
        what = "mean values of the record" if result.samples > 1 else "values"
        self.report.note(self.report.written, f"load case {case.id}: {count} results of {result.kind} ({what})")

    def _rename(self, case: RexsLoadCase) -> None:
        """Names and units of the version of the document."""
        only = RexsDocument("2.0.0", components=dict(case.components))
        target = self.document.version if self.document.version != "2.0.0" else "1.7"
        try:
            case.components = converted(only, target).components
            if self.document.version == "2.0.0":
                case.components = converted(RexsDocument("1.7", components=case.components), "2.0.0").components
        except PitchlineError:  # a version that is only read: new names are written, which readers of old files accept
            return

    def _values(self, result: Result) -> dict[int, dict[str, Any]]:
        found: dict[int, dict[str, Any]] = {}
        for name, number in self.parts.items():
            component = self.document.components.get(number)
            if component is None:
                continue
            if name in self.model.gear_pairs:
                self._pair(result, name, number, found)
            elif name in self.model.structures and component.new_type == "shaft":
                found.setdefault(number, {}).update(self._shaft(result, name, number))
            elif component.new_type in (*ROLLING, *COUPLINGS, "concept_bearing"):
                found.setdefault(number, {}).update(self._connection(result, name, component))
        self._lives(result, found)
        return found

    # ------------------------------------------------------------------------------------------- bearings

    def _connection(self, result: Result, name: str, component: RexsComponent) -> dict[str, Any]:
        force, moment = _mean(result, f"{name}.force"), _mean(result, f"{name}.moment")
        if force is None or force.shape != (3,):
            return {}
        axes = self.frames.axes(component.id)
        sign = self._sign(name, component.id)
        values: dict[str, Any] = {}
        torques = "uvw" if component.new_type in COUPLINGS else "vw"
        for side, factor in (("inner", sign), ("outer", -sign)):
            values.update(
                {
                    f"force_acting_on_{side}_component_{axis}": x
                    for axis, x in zip("uvw", factor * force @ axes, strict=True)
                }
            )
            if moment is not None:
                parts = dict(zip("uvw", factor * moment @ axes, strict=True))
                values.update({f"torque_acting_on_{side}_component_{axis}": parts[axis] for axis in torques})
        for side, body in zip(("inner", "outer"), self._bodies(name, component.id), strict=True):
            moved, tilt = _mean(result, f"{body}.deflection"), _mean(result, f"{body}.tilt")
            if body == self.model.ground.name:
                moved = tilt = np.zeros(3)
            if moved is not None and tilt is not None:
                values.update(
                    {f"displacement_{side}_side_{axis}": x for axis, x in zip("uvw", moved @ axes, strict=True)}
                )
                values.update(
                    dict(zip([f"tilting_{side}_side_v", f"tilting_{side}_side_w"], (tilt @ axes)[1:], strict=True))
                )
        return values

    def _frames(self, name: str) -> tuple[Any, Any] | None:
        """First and second frame of a connection of the model."""
        element = self.model.elements.get(name)
        if element is not None:
            return element.values.get("a"), element.values.get("b")
        one: Any = self.model.loads.get(name) or self.model.joints.get(name)
        return (getattr(one, "frame_a", None), getattr(one, "frame_b", None)) if one is not None else None

    def _sign(self, name: str, number: int) -> float:
        """1 if the second body of the connection is the inner part, which the force acts on; -1 if it is the outer part."""
        frames = self._frames(name)
        if frames is None or frames[1] is None:
            return 1.0
        second = self._component_of(frames[1].body_name)
        return -1.0 if second is not None and second != self.inner.get(number) else 1.0

    def _bodies(self, name: str, number: int) -> tuple[str, str]:
        """Bodies on the inner and the outer side."""
        frames = self._frames(name)
        if frames is None or None in frames:
            return "", ""
        bodies = frames[1].body_name, frames[0].body_name
        return bodies if self._sign(name, number) > 0.0 else bodies[::-1]

    def _component_of(self, body: str) -> int | None:
        station = self.model.bodies.get(body)
        owner = getattr(station, "structure", body)
        if body == self.model.ground.name:
            casing = self.document.of_type("gear_casing")
            return casing[0].id if casing else None
        return self.parts.get(owner, self.parts.get(body))

    def _lives(self, result: Result, found: dict[int, dict[str, Any]]) -> None:
        try:
            rows = result.bearing_lives().rows
        except PitchlineError:
            return
        for row in rows:
            number = self.parts.get(row["name"])
            if number is None or self.document.components[number].new_type not in ROLLING:
                continue
            values = {
                name: row[column] * factor for name, (column, factor) in LIVES.items() if row.get(column) is not None
            }
            values["speed_inner_ring"] = row.get("speed")
            found.setdefault(number, {}).update(values)

    # ------------------------------------------------------------------------------------------- gears and shafts

    def _pair(self, result: Result, name: str, number: int, found: dict[int, dict[str, Any]]) -> None:
        mesh = self.model.gear_pairs[name]
        pair = mesh.pair
        values = found.setdefault(number, {})
        if isinstance(pair, GearPair) and self.document.components[number].new_type == "cylindrical_stage":
            values.update({
                "radial_contact_ratio": pair.transverse_contact_ratio, "overlap_contact_ratio": pair.overlap_ratio,
                "total_contact_ratio": pair.total_contact_ratio,
                "operating_pressure_angle_in_the_transverse_section": pair.transverse_working_pressure_angle,
                "common_face_width": pair.face_width,
            })  # fmt: skip
            a, b = sorted((mesh.wheel_a.gear.teeth, mesh.wheel_b.gear.teeth))  # type: ignore[union-attr]
            values["gear_ratio"] = b / a
        for wheel, side in ((mesh.wheel_a, "a"), (mesh.wheel_b, "b")):
            gear = self.parts.get(wheel.name)
            force = _mean(result, f"{name}.force_{side}")
            if gear is None or force is None:
                continue
            data = self.data.get((number, gear))
            if data is not None:
                parts = zip("uvw", force @ self.frames.axes(gear), strict=True)
                found.setdefault(data, {}).update({f"total_tooth_force_{axis}_direction": x for axis, x in parts})
            self._gear(result, wheel.body_name, gear, force, found)

    def _gear(self, result: Result, body: str, gear: int, force: np.ndarray, found: dict[int, dict[str, Any]]) -> None:
        """Force of all meshes of a gear on its shaft, and its displacement."""
        values = found.setdefault(gear, {})
        axes = self.frames.axes(gear)
        for axis, x in zip("uvw", force @ axes, strict=True):
            key = f"force_acting_on_shaft_{axis}"
            values[key] = values.get(key, 0.0) + x
        moved, tilt = _mean(result, f"{body}.deflection"), _mean(result, f"{body}.tilt")
        if moved is not None and tilt is not None:
            values.update({f"displacement_{axis}": x for axis, x in zip("uvw", moved @ axes, strict=True)})
            values.update(dict(zip(["tilting_v", "tilting_w"], (tilt @ axes)[1:], strict=True)))

    def _shaft(self, result: Result, name: str, number: int) -> dict[str, Any]:
        """Displacements of all nodes of a shaft."""
        shaft = self.model.structures[name]
        if not isinstance(shaft, BeamLine):
            return {}
        axes = self.frames.axes(number)
        moved = [_mean(result, f"{node.body.name}.deflection") for node in shaft.nodes]
        twist = [_mean(result, f"{node.body.name}.twist") for node in shaft.nodes]
        if any(one is None for one in moved):
            return {}
        parts = np.array(moved) @ axes
        values: dict[str, Any] = {"u_coordinates_of_beam_nodes": [node.place for node in shaft.nodes]}
        values.update({f"displacement_{axis}_of_nodes": parts[:, index] for index, axis in enumerate("uvw")})
        if all(one is not None for one in twist):
            values["torsion_u"] = [float(one) for one in twist]  # type: ignore[arg-type]
        return values


def _mean(result: Result, name: str) -> np.ndarray | None:
    """Mean of a signal over the record, or its only value; None without the signal."""
    if name not in result:
        return None
    values = np.asarray(result[name].values, dtype=float)
    if len(values) == 1:
        return np.asarray(values[0])
    time = np.asarray(result.time, dtype=float)
    span = float(time[-1] - time[0])
    if not math.isfinite(span) or span <= 0.0:
        return np.asarray(values[-1])
    return np.asarray(np.trapezoid(values, time, axis=0) / span)
