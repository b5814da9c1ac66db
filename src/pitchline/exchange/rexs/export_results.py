"""Results of analyses as attributes of REXS: forces, displacements, contact ratios and lives."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from pitchline.errors import PitchlineError
from pitchline.functions.piecewise import Constant, PiecewisePolynomial
from pitchline.functions.polynomial import Sum
from pitchline.functions.sampled import Ramp, Table
from pitchline.model.model import Model
from pitchline.parts.bodies.part import ANGLE
from pitchline.parts.gears.geometry.pair import GearPair
from pitchline.parts.shafts.beam import BeamLine
from pitchline.parts.springs.part import Bushing, Force, JointLoad, Torque
from pitchline.results.result import Result

from ..safe_xml import ExchangeError
from .component import RexsComponent, RexsDocument, RexsLoadCase, RexsLoadSpectrum, RexsRef, RexsRelation
from .database import RENAMES, TYPE_RENAMES
from .export_hosts import Host, Hosts, RexsExport
from .importing import RexsBuilder, attribute_of

__all__ = [
    "ComponentFrames",
    "constants",
    "settled_value",
    "settled_values",
    "ExportedLoads",
    "VERSIONS",
    "converted",
    "version_numbers",
    "ResultWriter",
]


# ---- component frames

# Frames of components in the gear unit, from their vectors.


class ComponentFrames:
    """Axes u, v, w of components as columns, in the axes of the gear unit."""

    def __init__(self, document: RexsDocument) -> None:
        self.document = document
        self._found: dict[int, np.ndarray | None] = {}
        self._parents: dict[int, int] = {}
        for relation in document.relations:
            assembly = relation.role("inner_part") or relation.role("assembly")
            parts = [relation.role("assembly")] if relation.type == "side" else relation.roles("part")
            for part in parts:
                if part is not None and assembly is not None and part != assembly:
                    self._parents.setdefault(part, assembly)

    def axes(self, number: int) -> np.ndarray:
        """Axes of a component; those of its shaft if it has no vectors, else those of the gear unit."""
        at: int | None = number
        seen: set[int] = set()
        while at is not None and at not in seen:
            seen.add(at)
            found = self._own(at, ())
            if found is not None:
                return found
            at = self._parents.get(at)
        return np.eye(3)

    def _own(self, number: int, above: tuple[int, ...]) -> np.ndarray | None:
        if number not in self._found:
            self._found[number] = self._read(number, above)
        return self._found[number]

    def _read(self, number: int, above: tuple[int, ...]) -> np.ndarray | None:
        component = self.document.components.get(number)
        if component is None or number in above or len(above) > 100:
            return None
        if component.new_type == "gear_unit":
            return np.eye(3)
        try:
            u, w = component.numbers("u_axis_vector"), component.numbers("w_axis_vector")
            reference = component.reference("reference_component_for_position")
        except ExchangeError:
            return None
        if u is None or w is None or u.shape != (3,) or w.shape != (3,) or not np.any(u) or not np.any(w):
            return None
        u, w = u / np.linalg.norm(u), w / np.linalg.norm(w)
        own = np.column_stack([u, np.cross(w, u), w])
        if reference is None or reference == number:
            return own
        outer = self._own(reference, (*above, number))
        return own if outer is None else outer @ own


# ---- settled values

# Constant and final values of functions of time.


def constants(components: Any) -> np.ndarray | None:
    """Values of components that do not depend on time; None if one does."""
    if not all(isinstance(one, Constant) for one in components):
        return None
    return np.array([one.value for one in components], dtype=float)


def settled_value(function: object) -> float | None:
    """Value that a function of time keeps in the end: of a constant, a ramp, a table that ends; None for others."""
    if isinstance(function, Constant):
        return float(function.value)
    if isinstance(function, Ramp):
        return float(function.end)
    if isinstance(function, (Table, PiecewisePolynomial)):
        if function.periodic or function.outside != "hold" or function.over != "time":
            return None
        return float(function(float(function.t[-1])))
    if isinstance(function, Sum):
        parts = [settled_value(one) for one in function.terms]
        return None if None in parts else float(sum(one for one in parts if one is not None))
    return None


def settled_values(components: Any) -> np.ndarray | None:
    """Values that components keep in the end; None if one of them varies."""
    found = [settled_value(one) for one in components]
    return None if None in found else np.array(found, dtype=float)


# ---- export loads

# Loads and drives of a new REXS document.


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


# ---- versions

# Versions of REXS: names and units of a document for another version.

VERSIONS = ("1.0", "1.1", "1.2", "1.3", "1.4", "1.5", "1.6", "1.7", "2.0.0")
OLDEST_TARGET = (1, 4)
"""Documents are converted to this version or a newer one; older ones have other relations."""


def version_numbers(version: str) -> tuple[int, int]:
    """(major, minor) of a version such as "1.7" or "2.0.0"."""
    found = re.match(r"([0-9]+)\.([0-9]+)", version)
    if not found:
        raise ExchangeError(f'"{version}" is not a version of REXS. Known versions: {", ".join(VERSIONS)}')
    return int(found[1]), int(found[2])


def converted(document: RexsDocument, version: str) -> RexsDocument:
    """Document with the names and units of another version; the values stay the same."""
    if version == "2.0":
        version = "2.0.0"
    if version == document.version:
        return document
    if version not in VERSIONS:
        raise ExchangeError(f'"{version}" is not a version of REXS. Known versions: {", ".join(VERSIONS)}')
    numbers = version_numbers(version)
    if numbers < OLDEST_TARGET:
        raise ExchangeError(
            f"{document.name}: a document of version {document.version} cannot be written as version {version}. "
            f"Choose version 1.4 or newer, or keep version {document.version}"
        )
    found = replace(document, version=version)
    found.components = {number: _component(item, numbers) for number, item in document.components.items()}
    found.spectra = [
        replace(
            spectrum,
            cases=[
                replace(
                    case, components={number: _component(item, numbers) for number, item in case.components.items()}
                )
                for case in spectrum.cases
            ],
            accumulation={number: _component(item, numbers) for number, item in spectrum.accumulation.items()},
        )
        for spectrum in document.spectra
    ]
    found.relations = [
        replace(relation, refs=[_hint(ref, document, found) for ref in relation.refs])
        for relation in document.relations
    ]
    if version_numbers(document.version) < (1, 3):
        _manufacturing_steps(found)
    return found


def _hint(ref: RexsRef, document: RexsDocument, found: RexsDocument) -> RexsRef:
    """Reference with the new type of its component as hint, if the hint was its old type."""
    old, new = document.components.get(ref.id), found.components.get(ref.id)
    if old is None or new is None or ref.hint != old.type or new.type == old.type:
        return ref
    return replace(ref, hint=new.type)


def _component(component: RexsComponent, version: tuple[int, int]) -> RexsComponent:
    found = replace(component, attributes={}, type=component.type)
    if component.type in TYPE_RENAMES:
        found.type = component.new_type
    for attribute in component.attributes.values():
        name, unit = _name(component.new_type, attribute.id, version), attribute.unit
        if name in found.attributes or (name != attribute.id and name in component.attributes):
            name = attribute.id  # the file has both names: both are kept
        if unit in ("°", "degree"):
            unit = "deg"
        elif unit == "N / mm^2" and version >= (2, 0):
            unit = "MPa"
        elif unit == "MPa" and version < (2, 0) and _has_old_pressure(component.new_type, name):
            unit = "N / mm^2"
        found.attributes[name] = replace(attribute, id=name, unit=unit)
    return found


def _name(component_type: str, name: str, version: tuple[int, int]) -> str:
    """Name of an attribute in a version."""
    for rename in RENAMES:
        if (not rename.types or component_type in rename.types) and rename.old == name and rename.since <= version:
            name = rename.new
    for rename in reversed(RENAMES):
        if (not rename.types or component_type in rename.types) and rename.new == name and rename.since > version:
            name = rename.old
    return name


def _has_old_pressure(component_type: str, attribute: str) -> bool:
    """Whether the unit was N / mm^2 up to version 1.7; for all others MPa is valid in any version."""
    return attribute == "elastic_modulus"


def _manufacturing_steps(document: RexsDocument) -> None:
    """References from flanks to tools of versions before 1.3 become manufacturing steps."""
    relations = []
    settings: int | None = None
    for relation in document.relations:
        tool = document.components.get(relation.role("referenced") or -1)
        flank = document.components.get(relation.role("origin") or -1)
        if relation.type != "ordered_reference" or tool is None or flank is None or not tool.type.endswith("_tool"):
            relations.append(relation)
            continue
        if settings is None:
            settings = max(document.components, default=0) + 1
            document.components[settings] = RexsComponent(settings, "cylindrical_gear_manufacturing_settings")
        refs = [
            RexsRef(flank.id, "workpiece", flank.type), RexsRef(tool.id, "tool", tool.type),
            RexsRef(settings, "manufacturing_settings", "cylindrical_gear_manufacturing_settings"),
        ]  # fmt: skip
        relations.append(
            RexsRelation(relation.id, "manufacturing_step", relation.order, refs, relation.line, relation.extra)
        )
    document.relations = relations


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
