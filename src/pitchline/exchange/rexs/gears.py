"""Gears of REXS as gears of pitchline: flanks, tools, bevel and worm gears."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from pitchline.base.types import FloatArray
from pitchline.parts.gears.geometry.gear import Gear
from pitchline.parts.gears.geometry.inputs import Hob, Material, Shaper
from pitchline.parts.gears.modifications.deviations import (
    Bias,
    DeviationGrid,
    FlankModifications,
    HelixSlope,
    LeadCrowning,
    Modification,
    PressureAngleSlope,
    ProfileCrowning,
)
from pitchline.parts.gears.modifications.relief import EndRelief, RootRelief, TipRelief

from ..mass_table import ImportReport
from .component import RexsComponent
from .places import RexsPlace, StageParts, UnitStructure
from .sections import Materials, about

__all__ = [
    "SharedFlankData",
    "Tooling",
    "flank_data",
    "same_on_both",
    "tooling",
    "bevel_centre",
    "bevel_gear",
    "TYPES",
    "FlankReader",
    "worm_gear",
    "Gears",
]


# ---- flanks

# Flanks of a cylindrical gear in REXS: pressure angle, profile shift, tool and modifications.

TOOLS = ("rack_shaped_tool", "cutter_wheel_tool")


@dataclass(frozen=True)
class SharedFlankData:
    """Data of a gear that REXS keeps on its flanks."""

    pressure_angle: float
    profile_shift: float | None


@dataclass(frozen=True)
class Tooling:
    """Data of the tool that cut the root."""

    dedendum_factor: float | None = None
    root_radius_factor: float | None = None
    tool: Hob | Shaper | None = None


def same_on_both(structure: UnitStructure, gear: RexsComponent, attribute: str) -> float | None:
    """Value of an attribute that both flanks of a gear must share; the gear itself may have it, too."""
    values = {}
    for side, flank in structure.flanks.get(gear.id, {}).items():
        value = flank.number(attribute)
        if value is not None:
            values[side] = value, flank
    if not values:
        return gear.number(attribute)
    (first, _), *others = values.values()
    for value, flank in others:
        if not math.isclose(value, first, rel_tol=1e-9, abs_tol=1e-12):
            raise flank.error(
                attribute, f"differs from the value of the other flank of {gear.label}; both flanks must be equal"
            )
    return first


def flank_data(structure: UnitStructure, gear: RexsComponent, module: float, report: ImportReport) -> SharedFlankData:
    """Pressure angle and profile shift of a gear; the shift is None if the file has none."""
    angle = same_on_both(structure, gear, "normal_pressure_angle")
    if angle is None:
        report.add("assumed", f"{gear.label}: normal_pressure_angle is 20 deg")
        angle = math.radians(20.0)
    shift = same_on_both(structure, gear, "addendum_modification_coefficient")
    if shift is None:
        length = same_on_both(structure, gear, "addendum_modification")
        shift = None if length is None else length / module
    return SharedFlankData(angle, shift)


def tooling(structure: UnitStructure, gear: RexsComponent, module: float, report: ImportReport) -> Tooling:
    """Basic rack and tool. The tool of the first manufacturing step cuts the root."""
    tool = _first_tool(structure, gear)
    if tool is None:
        return Tooling()
    deep = _factor(tool, "addendum_coefficient_reference_profile", "addendum_reference_profile", module)
    radius = _factor(tool, "tip_corner_radius_factor_reference_profile", "tip_corner_radius_reference_profile", module)
    if deep is not None and not 0.3 <= deep <= 4.0:
        raise tool.error("addendum_coefficient_reference_profile", f"{deep:g} is not plausible; expected about 1.25")
    made: Hob | Shaper | None = None
    internal = gear.new_type == "ring_gear"
    if tool.new_type == "cutter_wheel_tool" and internal:
        teeth = tool.integer("number_of_teeth")
        if teeth is not None:
            made = Shaper(teeth=teeth)
        radius = radius or None
    elif tool.new_type == "rack_shaped_tool" and not internal:
        amount = tool.number("protuberance_amount")
        if amount is None and (factor := tool.number("protuberance_amount_factor")) is not None:
            amount = factor * module
        if amount:
            report.add("used", f"{tool.label}: protuberance {1e3 * amount:g} mm of {gear.label}")
            made = Hob(protuberance=amount, protuberance_angle=tool.number("protuberance_angle"))
    return Tooling(deep, radius, made)


def _first_tool(structure: UnitStructure, gear: RexsComponent) -> RexsComponent | None:
    components = structure.document.components
    for workpiece in (*structure.flanks.get(gear.id, {}).values(), gear):
        for step in structure.steps.get(workpiece.id, []):
            number = step.role("tool")
            if number in components and components[number].new_type in TOOLS:
                return components[number]
    found = structure.referenced(gear.id, *TOOLS)
    return found[0] if found else None


def _factor(tool: RexsComponent, factor: str, length: str, module: float) -> float | None:
    value = tool.number(factor)
    if value is None and (size := tool.number(length)) is not None:
        value = size / module
    return value


# ---- bevels

# Bevel gears of REXS.

_CROSSING = 1e-5
"""Largest distance of the axes of a bevel stage [m]."""


def stage_of(structure: UnitStructure, gear: RexsComponent) -> StageParts:
    """First stage of a gear."""
    found = next((one for one in structure.stages if gear.id in (one.gears[0].id, one.gears[1].id)), None)
    if found is None:
        raise gear.error(None, "is not in a stage")
    return found


def bevel_gear(structure: UnitStructure, gear: RexsComponent, material: Material, report: ImportReport) -> Gear:
    """Bevel gear with the sign of its cone from `bevel_cone_orientation`; see `bevel_centre` for its place."""
    stage = stage_of(structure, gear)
    offset = stage.component.number("hypoid_offset")
    if offset:
        raise stage.component.error("hypoid_offset", "hypoid gears cannot be imported. Model them with pl.Gear")
    mate = stage.gears[1] if stage.gears[0].id == gear.id else stage.gears[0]
    teeth, others = (one.require_integer("number_of_teeth") for one in (gear, mate))
    if not (0 < teeth <= 10_000 and 0 < others <= 10_000):
        raise gear.error("number_of_teeth", "must be from 1 to 10000")
    angle = stage.component.number("shaft_angle")
    if angle is None:
        angle = 0.5 * math.pi
        report.add("assumed", f"{stage.component.label}: shaft_angle 90 deg")
    cone = gear.number("pitch_angle")
    computed = math.atan2(math.sin(angle), others / teeth + math.cos(angle))
    if cone is None:
        cone = computed
    elif abs(cone - computed) > math.radians(0.01):
        raise gear.error("pitch_angle", f"must be {math.degrees(computed):.6g} deg for this ratio and shaft angle")
    pressure = same_on_both(structure, gear, "normal_pressure_angle")
    given: dict[str, object] = {
        "teeth": teeth, "cone_angle": -computed if _apex_ahead(gear, report) else computed,
        "face_width": gear.require_number("face_width"), "helix_angle": _spiral(gear, stage, report), "material": material,
    }  # fmt: skip
    if pressure is not None:
        given["normal_pressure_angle"] = pressure
    shift = gear.number("profile_shift_coefficient")
    if shift is not None:
        given["profile_shift"] = shift
    mean = gear.number("mean_normal_module") or stage.component.number("mean_normal_module")
    if mean is not None:
        return Gear(normal_module=mean, **given)  # type: ignore[arg-type]
    outer = gear.number("outer_transverse_module") or stage.component.number("outer_transverse_module")
    if outer is None:
        raise gear.error(
            "mean_normal_module", "the value is missing. Specify it, or outer_transverse_module of the stage"
        )
    return Gear.from_outer_module(outer_module=outer, **given)


def _apex_ahead(gear: RexsComponent, report: ImportReport) -> bool:
    """Whether the apex is ahead along +u."""
    where = gear.string("bevel_cone_orientation")
    if where not in ("positive", "negative"):
        raise gear.error(
            "bevel_cone_orientation", 'must be "positive" or "negative": the direction along u of the apex'
        )
    return where == "positive"


def _spiral(gear: RexsComponent, stage: StageParts, report: ImportReport) -> float:
    """Mean spiral angle, positive for right-hand teeth. The gears of a pair have opposite hands."""
    angles = []
    for one in stage.gears:
        value = one.number("mean_spiral_angle") or 0.0
        hand = (one.string("spiral_angle_pitch_direction") or "").lower()
        if "left" in hand or "right" in hand:
            value = abs(value) * (-1.0 if "left" in hand else 1.0)
        angles.append(value)
    if angles[0] * angles[1] > 0.0:
        report.add("assumed", f"{stage.gears[1].label}: hand of the spiral opposite to that of {stage.gears[0].label}")
        angles[1] = -angles[1]
    return angles[0] if stage.gears[0].id == gear.id else angles[1]


def bevel_centre(
    gear: Gear, component: RexsComponent, own: RexsPlace, mate: RexsPlace, report: ImportReport
) -> FloatArray:
    """Centre of the mean pitch circle: on the own axis, at the mean cone distance from the crossing point of both axes.

    The origin of a bevel gear in REXS is another point of its axis, so it is compared and not used.
    """
    u, w = own.u, mate.u
    normal = np.cross(u, w)
    size = float(normal @ normal)
    if size < 1e-12:
        raise component.error("u_axis_vector", "the axes of the bevel stage are parallel")
    between = mate.origin - own.origin
    if abs(float(between @ normal)) / math.sqrt(size) > _CROSSING:
        raise component.error(
            "support_vector", "the axes of the bevel stage do not cross (a hypoid pair cannot be imported)"
        )
    apex = own.origin + float(np.cross(between, w) @ normal) / size * u
    along = gear.mean_cone_distance * math.cos(gear.cone_angle) * math.copysign(1.0, gear.cone_angle)
    centre: FloatArray = apex + along * u
    away = float((own.origin - centre) @ u)
    report.add(
        "used",
        f"{component.label}: middle of its teeth at {1e3 * along:.6g} mm along u from the crossing point of the axes; "
        f"the origin in the file is {1e3 * away:.6g} mm further along u",
    )
    return centre


# ---- modifications

# Flank modifications of REXS as modifications of gears.

TYPES = (
    "tip_relief", "root_relief", "end_relief_datum_face", "end_relief_non_datum_face", "profile_crowning", "helix_crowning",
    "profile_slope", "helix_slope", "profile_twist", "topographical_modification",
)  # fmt: skip
NOT_READ = ("triangular_tip_relief", "triangular_root_relief", "profile_deviation", "helix_deviation")
_MOST_GRID = 1_000_000


class FlankReader:
    """Modifications of the flanks of one gear.

    upper_is_datum: whether the datum face is the one towards +z of the gear
    base_radius:    of the gear [m]
    """

    def __init__(self, report: ImportReport, *, upper_is_datum: bool, base_radius: float) -> None:
        self.report, self.upper_is_datum, self.base_radius = report, upper_is_datum, base_radius

    def modifications(self, component: RexsComponent) -> list[Modification]:
        """Modifications that one component stands for; empty if its amounts are zero."""
        return [one for one in getattr(self, f"_{component.new_type}")(component) if _effective(one)]

    def _tip_relief(self, one: RexsComponent) -> list[Modification]:
        return [TipRelief(**self._relief(one, "tip_relief"))]  # type: ignore[arg-type]

    def _root_relief(self, one: RexsComponent) -> list[Modification]:
        return [RootRelief(**self._relief(one, "root_relief"))]  # type: ignore[arg-type]

    def _relief(self, one: RexsComponent, kind: str) -> dict[str, object]:
        amount = one.require_number(f"{kind}_depth")
        found: dict[str, object] = {"amount": abs(amount), "shape": self._shape(one)}
        diameter, length = one.number(f"{kind}_datum_diameter"), one.number(f"{kind}_datum_length")
        if diameter is not None:
            if 0.5 * diameter <= self.base_radius:
                raise one.error(
                    f"{kind}_datum_diameter",
                    f"{1e3 * diameter:g} mm is inside the base circle, {2e3 * self.base_radius:.6g} mm",
                )
            return found | {"diameter": diameter}
        if length is not None and length > 0.0:
            return found | {"length": length}
        raise one.error(f"{kind}_datum_diameter", "the start of the relief is missing. Specify a diameter or a length")

    def _shape(self, one: RexsComponent, key: str = "shape_of_relief") -> str:
        shape = (one.string(key) or "linear").lower()
        if "parab" in shape:
            return "parabolic"
        if shape != "linear":
            self.report.add("assumed", f'{one.label}: {key} "{shape}" is replaced by a linear relief')
        return "linear"

    def _end_relief_datum_face(self, one: RexsComponent) -> list[Modification]:
        return self._end(one, "datum_face", upper=self.upper_is_datum)

    def _end_relief_non_datum_face(self, one: RexsComponent) -> list[Modification]:
        return self._end(one, "non_datum_face", upper=not self.upper_is_datum)

    def _end(self, one: RexsComponent, side: str, *, upper: bool) -> list[Modification]:
        amount, length = one.require_number(f"end_relief_depth_{side}"), one.require_number(f"end_relief_length_{side}")
        if length <= 0.0:
            raise one.error(f"end_relief_length_{side}", "must be greater than zero")
        return [EndRelief(abs(amount), length=length, end="upper" if upper else "lower", shape=self._shape(one))]

    def _profile_crowning(self, one: RexsComponent) -> list[Modification]:
        tip, root = self._two(one, "profile_crowning", "tip", "root")
        return [ProfileCrowning(0.5 * (tip + root)), PressureAngleSlope(root - tip)]

    def _helix_crowning(self, one: RexsComponent) -> list[Modification]:
        amounts = [one.number(f"helix_crowning_amount_{side}") for side in ("datum_face", "non_datum_face")]
        if amounts == [None, None]:
            raise one.error("helix_crowning_amount_datum_face", "the value is missing")
        datum, other = (next(x for x in (value, *amounts) if x is not None) for value in amounts)
        lower, upper = (other, datum) if self.upper_is_datum else (datum, other)
        return [LeadCrowning(0.5 * (upper + lower)), HelixSlope(lower - upper)]

    def _two(self, one: RexsComponent, kind: str, first: str, second: str) -> tuple[float, float]:
        """Amounts at two ends; the names of these attributes contain "tip" or "root"."""
        names = [name for name in one.attributes if name.startswith(f"{kind}_amount") or name == kind]
        found = {end: one.number(name) for end in (first, second) for name in names if end in name}
        if not found:
            single = next((one.number(name) for name in names if one.number(name) is not None), None)
            if single is None:
                raise one.error(f"{kind}_amount", "the value is missing")
            return single, single
        a, b = found.get(first), found.get(second)
        return (b or 0.0 if a is None else a), (a or 0.0 if b is None else b)

    def _profile_slope(self, one: RexsComponent) -> list[Modification]:
        return [PressureAngleSlope(one.require_number("profile_slope"))]

    def _helix_slope(self, one: RexsComponent) -> list[Modification]:
        amount = one.require_number("helix_slope")
        return [HelixSlope(-amount if self.upper_is_datum else amount)]

    def _profile_twist(self, one: RexsComponent) -> list[Modification]:
        amount = one.require_number("profile_twist")
        return [Bias(-amount if self.upper_is_datum else amount)]

    def _topographical_modification(self, one: RexsComponent) -> list[Modification]:
        values = one.require_numbers("topographical_modification_amounts")
        if values.ndim != 2 or min(values.shape) < 2 or values.size > _MOST_GRID:
            raise one.error("topographical_modification_amounts", "must be a matrix with at least two rows and columns")
        arrays = {name: one.numbers(name) for name, given in one.attributes.items() if given.shape == "array"}
        lengths = faces = None
        for name, numbers in arrays.items():
            if numbers is None or numbers.ndim != 1:
                continue
            if "diameter" in name and len(numbers) == values.shape[0]:
                inside = np.maximum((0.5 * numbers) ** 2 - self.base_radius**2, 0.0)
                lengths = np.sqrt(inside)
            elif "face" in name and len(numbers) == values.shape[1]:
                faces = numbers
            elif "length" in name and len(numbers) == values.shape[0] and lengths is None:
                lengths = numbers
        if lengths is None or faces is None or np.any(np.diff(lengths) == 0.0) or np.any(np.diff(faces) == 0.0):
            self.report.add(
                "ignored", f"{one.label}: its coordinates are not recognised, so the topography is not used"
            )
            return []
        faces = faces - 0.5 * (faces.min() + faces.max()) if faces.min() >= 0.0 else faces
        if self.upper_is_datum:
            faces = -faces
        rows, columns = np.argsort(lengths), np.argsort(faces)
        return [DeviationGrid(values[rows][:, columns], roll_lengths=lengths[rows], faces=faces[columns])]


def _effective(one: Modification) -> bool:
    return isinstance(one, DeviationGrid) or getattr(one, "amount", 1.0) != 0.0


# ---- worms

# Worms and worm wheels of REXS.


def worm_gear(structure: UnitStructure, gear: RexsComponent, material: Material, report: ImportReport) -> Gear:
    """Worm, or worm wheel with the data of its worm. The sign of the lead angle is the hand of both."""
    stage = stage_of(structure, gear)
    worm = next((one for one in stage.gears if one.new_type == "worm_gear"), None)
    wheel = next((one for one in stage.gears if one.new_type == "worm_wheel"), None)
    if worm is None or wheel is None:
        raise stage.component.error(None, "a worm stage needs a worm_gear and a worm_wheel")
    starts = worm.require_integer("number_of_teeth")
    teeth = wheel.require_integer("number_of_teeth")
    for one, count in ((worm, starts), (wheel, teeth)):
        if not 1 <= abs(count) <= 10_000:
            raise one.error("number_of_teeth", "must be from 1 to 10000")
    module = worm.number("axial_module") or stage.component.number("axial_module")
    diameter = worm.number("reference_diameter_worm_gear")
    lead = worm.number("lead_angle_worm_gear")
    if module is None:
        raise worm.error("axial_module", "the value is missing")
    if diameter is None and not lead:
        raise worm.error("reference_diameter_worm_gear", "the value is missing. Specify it, or lead_angle_worm_gear")
    if diameter is not None:
        computed = math.atan(abs(starts) * module / diameter)
        if lead and abs(abs(lead) - computed) > math.radians(0.01):
            raise worm.error(
                "lead_angle_worm_gear", f"must be {math.degrees(computed):.6g} deg for this module and diameter"
            )
        lead = math.copysign(computed, lead or 1.0)
    assert lead is not None
    normal = module * math.cos(lead)
    pressure = _pressure_angle(structure, worm, lead, report)
    common: dict[str, object] = {"normal_module": normal, "normal_pressure_angle": pressure, "material": material}
    form = worm.string("flank_form")
    if form and form.lower() not in ("zi", "i"):
        report.add("assumed", f"{worm.label}: flank_form {form} is computed as an involute worm (ZI)")
    if gear.id == worm.id:
        length = worm.number("length_worm_gear") or worm.number("face_width")
        if length is None:
            raise worm.error("length_worm_gear", "the value is missing")
        return Gear(starts=abs(starts), lead_angle=lead, face_width=length, **common)  # type: ignore[arg-type]
    width = (
        wheel.number("face_width_worm_wheel")
        or wheel.number("face_width")
        or wheel.number("effective_face_width_worm_wheel")
    )
    if width is None:
        raise wheel.error("face_width_worm_wheel", "the value is missing")
    shift = wheel.number("addendum_modification_coefficient_worm_wheel")
    if shift is None:
        shift = wheel.number("profile_shift_coefficient")
    if shift is None:
        distance = stage.component.number("center_distance")
        d1 = abs(starts) * module / math.tan(abs(lead))
        shift = 0.0 if distance is None else (distance - 0.5 * (d1 + abs(teeth) * module)) / normal
        shift = 0.0 if abs(shift) < 1e-9 else shift
    return Gear(teeth=abs(teeth), helix_angle=lead, face_width=width, profile_shift=shift, **common)  # type: ignore[arg-type]


def _pressure_angle(structure: UnitStructure, worm: RexsComponent, lead: float, report: ImportReport) -> float:
    normal = same_on_both(structure, worm, "normal_pressure_angle")
    if normal is not None:
        return normal
    other = worm.number("pressure_angle_worm_gear")
    if other is not None:
        report.add("assumed", f"{worm.label}: pressure_angle_worm_gear is in the normal section")
        return other
    report.add("assumed", f"{worm.label}: normal pressure angle 20 deg")
    return math.radians(20.0)


MOST_TEETH = 10_000
_INTERFERENCE = 1e-3
"""Largest difference of given and nominal tooth thickness that is accepted, in modules."""


class Gears:
    """Gears of a document, each read once."""

    def __init__(self, structure: UnitStructure, materials: Materials, report: ImportReport) -> None:
        self.structure, self.materials, self.report = structure, materials, report
        self._read: dict[int, Gear] = {}
        self._shifts: dict[int, float] = {}
        self._find_shifts()

    def of(self, component: RexsComponent, *, rim: float | None = None) -> Gear:
        """Gear of a component.

        rim: diameter up to which the body of a ring gear extends [m], if the ring gear does not state it
        """
        if component.id not in self._read:
            with about(component):
                if component.new_type == "bevel_gear":
                    made = bevel_gear(self.structure, component, self.materials.of(component), self.report)
                elif component.new_type in ("worm_gear", "worm_wheel"):
                    made = worm_gear(self.structure, component, self.materials.of(component), self.report)
                else:
                    made = self._cylindrical(component, rim)
            self._read[component.id] = made
        return self._read[component.id]

    # ------------------------------------------------------------------------------------------- profile shift

    def _find_shifts(self) -> None:
        """Profile shifts of all cylindrical gears; a missing one follows from the centre distance."""
        pairs = [one for one in self.structure.stages if one.component.new_type == "cylindrical_stage"]
        for stage in pairs:
            for gear in stage.gears:
                data = flank_data(self.structure, gear, _module(gear), self.report)
                if data.profile_shift is not None:
                    self._shifts[gear.id] = data.profile_shift
        for stage in pairs * 2:  # twice: a planet may get its shift from the sun, and give the ring its shift
            missing = [gear for gear in stage.gears if gear.id not in self._shifts]
            distance = stage.component.number("center_distance")
            if len(missing) != 1 or distance is None:
                continue
            other = next(gear for gear in stage.gears if gear.id in self._shifts)
            total = self._sum_of_shifts(missing[0], other, distance)
            if total is None:
                continue
            self._shifts[missing[0].id] = total - self._shifts[other.id]
            self.report.add(
                "assumed",
                f"{missing[0].label}: profile shift {self._shifts[missing[0].id]:.6g} from the centre distance of "
                f"{stage.component.label}",
            )

    def _sum_of_shifts(self, a: RexsComponent, b: RexsComponent, distance: float) -> float | None:
        module = _module(a)
        teeth = sum((-1 if one.new_type == "ring_gear" else 1) * _teeth(one) for one in (a, b))
        helix = abs(a.number("helix_angle_reference_diameter") or 0.0)
        alpha = flank_data(self.structure, a, module, self.report).pressure_angle
        transverse = math.atan(math.tan(alpha) / math.cos(helix))
        cosine = abs(teeth) * module * math.cos(transverse) / (2.0 * math.cos(helix) * distance)
        if not 0.0 < cosine < 1.0:
            return None
        working = math.acos(cosine)
        change = (math.tan(working) - working) - (math.tan(transverse) - transverse)
        total = teeth * change / (2.0 * math.tan(alpha))
        return 0.0 if abs(total) < 1e-9 else total

    # ------------------------------------------------------------------------------------------- cylindrical gears

    def _cylindrical(self, gear: RexsComponent, rim: float | None) -> Gear:
        module, teeth = _module(gear), _teeth(gear)
        internal = gear.new_type == "ring_gear"
        data = flank_data(self.structure, gear, module, self.report)
        shift = self._shifts.get(gear.id)
        if shift is None:
            shift = 0.0
            self.report.add("assumed", f"{gear.label}: profile shift 0")
        helix = gear.number("helix_angle_reference_diameter")
        if helix is None:
            helix = 0.0
            self.report.add("assumed", f"{gear.label}: helix angle 0")
        tools = tooling(self.structure, gear, module, self.report)
        given: dict[str, object] = {
            "teeth": teeth, "normal_module": module, "normal_pressure_angle": data.pressure_angle, "helix_angle": helix,
            "profile_shift": shift, "face_width": self._face_width(gear), "internal": internal,
            "material": self.materials.of(gear),
        }  # fmt: skip
        if tools.dedendum_factor is not None:
            given["dedendum_factor"] = tools.dedendum_factor
        if tools.root_radius_factor is not None:
            given["root_radius_factor"] = tools.root_radius_factor
        if tools.tool is not None:
            given["tool"] = tools.tool
        plain = Gear(**given)  # type: ignore[arg-type]
        changes = self._diameters(gear, plain) | self._body(gear, plain, rim)
        thinner = self._allowance(gear, plain)
        if thinner:
            changes["backlash_allowance"] = thinner
        modifications = self._modifications(gear, plain)
        if modifications is not None:
            changes["modifications"] = modifications
        return plain.with_(**changes) if changes else plain

    def _face_width(self, gear: RexsComponent) -> float:
        width = gear.require_number("face_width")
        if not 0.0 < width < 10.0:
            raise gear.error("face_width", f"{width:g} m is not plausible")
        return round(width, 13)

    def _diameters(self, gear: RexsComponent, plain: Gear) -> dict[str, object]:
        """Tip and root diameter, if the file has plausible ones."""
        found: dict[str, object] = {}
        root, tip = gear.number("root_diameter"), gear.number("tip_diameter")
        sense = plain.sense
        if root is not None:
            if sense * (plain.reference_diameter - root) > -0.5 * plain.normal_module and root > 0.0:
                found["root_diameter"] = root
            else:
                self.report.add(
                    "ignored", f"{gear.label}: root_diameter {1e3 * root:g} mm is beyond the reference circle"
                )
        if tip is not None:
            base = plain.root_diameter if root is None else root
            if sense * (tip - base) > 0.2 * plain.normal_module:
                found["tip_diameter"] = tip
            else:
                self.report.add(
                    "assumed",
                    f"{gear.label}: tip_diameter {1e3 * tip:g} mm is inside the root circle, a placeholder; not used",
                )
        return found

    def _body(self, gear: RexsComponent, plain: Gear, rim: float | None) -> dict[str, object]:
        if plain.internal:
            outer = gear.number("outer_diameter") or rim
            if outer is not None and outer > plain.root_diameter:
                return {"rim_diameter": outer}
            self.report.add("assumed", f"{gear.label}: no outer diameter; the rim is as thick as three modules")
            return {"rim_diameter": plain.root_diameter + 6.0 * plain.normal_module}
        bore = gear.number("inner_diameter")
        return {"bore": bore} if bore and 0.0 < bore < 0.98 * plain.root_diameter else {}

    def _allowance(self, gear: RexsComponent, plain: Gear) -> float:
        """Reduction of the tooth thickness, if the file states the thickness."""
        thickness = same_on_both(self.structure, gear, "normal_tooth_thickness_at_reference_diameter")
        if thickness is None:
            return 0.0
        nominal = plain.normal_module * (
            0.5 * math.pi + 2.0 * plain.profile_shift * math.tan(plain.normal_pressure_angle)
        )
        less = nominal - thickness
        if less < -_INTERFERENCE * plain.normal_module or less > plain.normal_module:
            self.report.add(
                "ignored",
                f"{gear.label}: tooth thickness {1e3 * thickness:.6g} mm does not fit the profile shift ({1e3 * nominal:.6g} mm)",
            )
            return 0.0
        return max(less, 0.0)

    def _modifications(self, gear: RexsComponent, plain: Gear) -> FlankModifications | None:
        """Modifications of both flanks. REXS sees left and right from the datum face, pitchline from +z."""
        datum = gear.string("datum_face_orientation")
        upper = datum == "positive"
        reader = FlankReader(self.report, upper_is_datum=upper, base_radius=0.5 * plain.base_diameter)
        sides: dict[str, list[Modification]] = {}
        for side, flank in self.structure.flanks.get(gear.id, {}).items():
            for one in self.structure.referenced(flank.id, *NOT_READ):
                self.report.add("ignored", f"{one.label} of {flank.label}: not supported")
            with_flank = self.structure.referenced(flank.id, *TYPES)
            sides[side] = []
            for one in with_flank:
                with about(one):
                    sides[side] += reader.modifications(one)
        left, right = (sides.get(side, []) for side in ("left", "right"))
        if not left and not right:
            return None
        if left == right:
            return FlankModifications(left)
        if datum is None:
            self.report.add("assumed", f"{gear.label}: datum_face_orientation is negative; its two flanks differ")
        if not upper:
            left, right = right, left
        return FlankModifications(left=left, right=right)


def _module(gear: RexsComponent) -> float:
    module = gear.require_number("normal_module")
    if not 1e-6 <= module <= 1.0:
        raise gear.error("normal_module", f"{1e3 * module:g} mm is not plausible")
    return round(module, 13)


def _teeth(gear: RexsComponent) -> int:
    teeth = abs(gear.require_integer("number_of_teeth"))
    if not 1 <= teeth <= MOST_TEETH:
        raise gear.error("number_of_teeth", f"must be from 1 to {MOST_TEETH}")
    return teeth
