"""Gears of REXS as gears of pitchline."""

from __future__ import annotations

import math

from ...gears import Gear
from ...gears.modifications import FlankModifications
from ...gears.teeth import Modification
from ..imported import ImportReport
from .bevels import bevel_gear
from .component import RexsComponent
from .flanks import flank_data, same_on_both, tooling
from .materials import Materials
from .modifications import NOT_READ, TYPES, FlankReader
from .naming_errors import about
from .structure import UnitStructure
from .worms import worm_gear

__all__ = ["Gears"]

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
