"""One gear: its checked data, and the quantities that follow from them."""

from __future__ import annotations

import math
from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, Any

from ..arguments import names_wrong_arguments
from ..errors import ModelError, Subject
from ..solids.mass_properties import MassProperties
from .blank import BlankProperties, gear_blank
from .drawing import drawn
from .equivalent import EquivalentCylinder, equivalent_cylinder
from .gear_body import GearBody
from .gear_checks import check_body, check_combination, check_teeth, read_body, read_flanks, read_tool
from .inputs import angle, at_most_one, flag, in_deg, in_mm, module, number, positive, size, whole
from .material import STEEL, Material
from .modifications import FlankModifications, as_flank_modifications
from .rack_profile import read_material, read_root_radius
from .thickness import ToothThickness
from .tool import Hob, Shaper
from .wheel_warnings import wheel_warnings
from .words import gear_lines

if TYPE_CHECKING:
    from .surfaces.flank_surfaces import FlankSurfaces
    from .table import DataSheet

__all__ = ["Gear"]

_GEAR = Subject("gear")
# Arguments that stand for another one.
_STANDS_FOR = {
    "starts": "teeth",
    "lead_angle": "helix_angle",
    "tip_diameter": "tip_alteration",
    "root_diameter": "dedendum_factor",
}


def _helix(value: object) -> float:
    return angle(0.0 if value is None else value, _GEAR / "helix_angle", lowest=-89.9, highest=89.9)


@names_wrong_arguments
@dataclass(frozen=True, init=False, repr=False)
class Gear(ToothThickness):
    """A toothed wheel: spur, helical, conical, bevel (straight or spiral), worm or worm wheel, external or internal.

    This is the complete description: teeth, modifications, tool, body and material. `Teeth`, finite elements, masses, pictures
    and meshes use it. A gear is immutable (`with_` makes a changed copy). Gears with the same content are equal.

    Lengths and angles are numbers in SI units (m, rad) or strings with a unit ("2 mm", "20 deg"). All diameters are
    positive, also those of internal gears. The sign of the profile shift is that of ISO 21771: a positive profile shift
    makes the teeth thicker and moves tip and root towards the tip, also for internal gears.

    The gear has its own axes: z is the axis of the gear, the origin is its centre, in the middle of the face width, and
    **the x axis goes through the middle of a tooth** there (a tooth that points inwards for internal gears). For a bevel
    gear the origin is the centre of the mean pitch circle.

    Parameters
    ----------
    teeth
        z; or `starts`, the same number for a worm.
    normal_module
        m_n [m]; for bevel gears in the middle of the face width (m_mn). For an outer module use `Gear.from_outer_module`.
    normal_pressure_angle
        α_n [rad]
    helix_angle
        β [rad] on the reference cylinder, positive for right-hand teeth (they turn along +z like a right-hand screw). For bevel
        gears: mean spiral angle. Or `lead_angle` γ = 90° − β (γ and β have the same sign).
    profile_shift
        x, in units of m_n
    addendum_factor, dedendum_factor
        h*_aP and h*_fP of the basic rack, in units of m_n
    root_radius_factor
        ρ*_fP of the basic rack, in units of m_n; default 0.38, or less if the clearance is small.
    tip_alteration
        k, in units of m_n: d_a = d + 2 σ m_n (h*_aP + x + k); a negative value shortens the teeth. Or `tip_diameter` d_a [m].
    root_diameter
        d_f [m], instead of `dedendum_factor`.
    face_width
        b [m]; along the cone for bevel gears.
    cone_angle
        δ [rad] of the pitch cone of a bevel gear. **Positive if z points away from the apex** (the teeth become larger along
        +z), negative if z points to the apex. 0 for cylindrical gears, ±90° for a crown wheel.
    internal
        True for teeth inside a ring.
    backlash_allowance
        j_s [m]: reduction of the tooth thickness from that of the basic rack, on the reference circle in the normal section.
    profile_shift_angle
        θ [rad] of a conical involute gear (beveloid): the profile shift increases by tan θ per length along +z. Profile shift
        and diameters apply to the middle of the face. The basic rack applies to the normal section of the tilted rack.
    modifications
        Flank modifications: a `Modification` such as `TipRelief`, or a list of them, for all flanks; `FlankModifications` (or a
        mapping of its arguments) if flanks or single teeth differ.
    tool
        A `Hob` with protuberance for external teeth, a `Shaper` for internal teeth. Default: a hob without protuberance, or a
        shaper with half the number of teeth of the internal gear.
    body
        A `GearBody`: bore, rim, web and hub. `bore` and `rim_diameter` can also be specified directly.
    bore
        Bore diameter of an external gear [m].
    rim_diameter
        Outer diameter of an internal gear [m]; required for its mass and its finite elements.
    material, density
        A `Material`, and a density [kg/m³] that replaces that of the material.
    flanks
        Imported flanks in place of the nominal ones: `gear` of `Teeth.from_points` and `Teeth.from_surface` has them. Or a
        mapping of arguments of `Teeth.from_points`, such as ``{"left": "left.csv", "right": "right.csv"}``.
    """

    teeth: int
    normal_module: float
    normal_pressure_angle: float
    helix_angle: float
    profile_shift: float
    addendum_factor: float
    dedendum_factor: float
    root_radius_factor: float | None
    tip_alteration: float
    backlash_allowance: float
    internal: bool
    cone_angle: float
    face_width: float | None
    worm: bool
    profile_shift_angle: float
    modifications: FlankModifications
    tool: Hob | Shaper | None
    body: GearBody
    material: Material
    flanks: FlankSurfaces | None

    def __init__(
        self,
        *,
        teeth: object = None,
        starts: object = None,
        normal_module: object,
        normal_pressure_angle: object = "20 deg",
        helix_angle: object = None,
        lead_angle: object = None,
        profile_shift: object = 0.0,
        addendum_factor: object = 1.0,
        dedendum_factor: object = None,
        root_radius_factor: object = None,
        tip_alteration: object = None,
        tip_diameter: object = None,
        root_diameter: object = None,
        face_width: object = None,
        cone_angle: object = 0.0,
        internal: bool = False,
        worm: bool = False,
        backlash_allowance: object = 0.0,
        profile_shift_angle: object = 0.0,
        modifications: object = None,
        tool: Hob | Shaper | None = None,
        body: GearBody | None = None,
        bore: object = None,
        rim_diameter: object = None,
        material: Material = STEEL,
        density: object = None,
        flanks: object = None,
    ) -> None:
        def put(name: str, value: object) -> None:
            object.__setattr__(self, name, value)

        counted = at_most_one(_GEAR, teeth=teeth, starts=starts)
        if counted is None:
            raise ModelError("gear: the number of teeth is missing. Specify teeth, or starts for a worm", about=_GEAR)
        put("teeth", whole(teeth if starts is None else starts, _GEAR / counted))
        put("worm", flag(worm, _GEAR / "worm") or starts is not None)
        put("internal", flag(internal, _GEAR / "internal"))

        put("normal_module", module(normal_module, _GEAR / "normal_module"))
        put(
            "normal_pressure_angle", angle(normal_pressure_angle, _GEAR / "normal_pressure_angle", lowest=1, highest=60)
        )
        if at_most_one(_GEAR, helix_angle=helix_angle, lead_angle=lead_angle) == "lead_angle":
            lead = angle(lead_angle, _GEAR / "lead_angle", lowest=-90, highest=90, ends=True)
            if abs(lead) < math.radians(0.1):
                raise ModelError(
                    f"gear: lead_angle must not be zero, at least 0.1 deg, got {in_deg(lead)}",
                    about=_GEAR.at("lead_angle"),
                )
            put("helix_angle", math.copysign(0.5 * math.pi - abs(lead), lead))
        else:
            put("helix_angle", _helix(helix_angle))
        put("cone_angle", angle(cone_angle, _GEAR / "cone_angle", lowest=-90, highest=90, ends=True))
        put(
            "profile_shift_angle",
            angle(profile_shift_angle, _GEAR / "profile_shift_angle", lowest=-60, highest=60),
        )
        check_combination(self, _GEAR)

        put("profile_shift", number(profile_shift, _GEAR / "profile_shift"))
        put("addendum_factor", positive(addendum_factor, "number", _GEAR / "addendum_factor"))
        at_most_one(_GEAR, dedendum_factor=dedendum_factor, root_diameter=root_diameter)
        if root_diameter is not None:
            depth = self._factor(root_diameter, "root_diameter") + self.profile_shift
            put("dedendum_factor", depth * math.cos(self.profile_shift_angle))
        else:
            put(
                "dedendum_factor",
                positive(1.25 if dedendum_factor is None else dedendum_factor, "number", _GEAR / "dedendum_factor"),
            )
        at_most_one(_GEAR, tip_alteration=tip_alteration, tip_diameter=tip_diameter)
        if tip_diameter is not None:
            put(
                "tip_alteration",
                -self._factor(tip_diameter, "tip_diameter") - self.addendum_factor - self.profile_shift,
            )
        else:
            put("tip_alteration", number(0.0 if tip_alteration is None else tip_alteration, _GEAR / "tip_alteration"))
        put("root_radius_factor", read_root_radius(self, root_radius_factor, _GEAR))

        put("face_width", None if face_width is None else positive(face_width, "length", _GEAR / "face_width"))
        put("backlash_allowance", size(backlash_allowance, "length", _GEAR / "backlash_allowance"))
        put("modifications", as_flank_modifications(modifications, _GEAR / "modifications"))
        put("tool", read_tool(tool, self, _GEAR))
        put("body", read_body(body, bore, rim_diameter, _GEAR))
        put("material", read_material(material, density, _GEAR))
        check_teeth(self, _GEAR)
        check_body(self, _GEAR)
        put("flanks", None)
        put("flanks", read_flanks(flanks, self))

    def _factor(self, diameter: object, name: str) -> float:
        """How far inside the reference circle, seen from the tooth tip, a given diameter lies, in units of m_n."""
        given = positive(diameter, "length", _GEAR / name)
        inside = 0.5 * self.sense * (self.reference_diameter - given) / self.normal_module
        cosine = math.cos(self.cone_angle)
        if cosine < 1e-9:
            raise ModelError(
                f"gear: {name} has no meaning for a crown wheel. Specify the factors of the basic rack",
                about=_GEAR.at(name),
            )
        return inside / cosine

    # ------------------------------------------------------------------------------------------- other ways to say it

    @classmethod
    def from_axial_module(
        cls, *, starts: object, axial_module: object, reference_diameter: object, **others: object
    ) -> Gear:
        """Create a worm from its axial module m_x and reference diameter d_1: tan γ = z m_x / d_1, m_n = m_x cos γ.

        `hand="left"` makes it left-hand; the other parameters are those of `Gear`.
        """
        hand = others.pop("hand", "right")
        if hand not in ("right", "left"):
            raise ModelError(f'gear: hand must be "right" or "left", got {hand!r}', about=_GEAR.at("hand"))
        m = module(axial_module, _GEAR / "axial_module")
        d = positive(reference_diameter, "length", _GEAR / "reference_diameter")
        lead = math.atan(whole(starts, _GEAR / "starts") * m / d)
        others["lead_angle"] = lead if hand == "right" else -lead
        return cls(starts=starts, normal_module=m * math.cos(lead), **others)  # type: ignore[arg-type]

    @classmethod
    def from_outer_module(
        cls, *, teeth: object, outer_module: object, cone_angle: object, face_width: object, **others: object
    ) -> Gear:
        """Create a bevel gear from its outer transverse module m_et: d_m = z m_et − b sin δ, m_mn = d_m cos β_m / z."""
        z = whole(teeth, _GEAR / "teeth")
        outer = module(outer_module, _GEAR / "outer_module")
        cone = angle(cone_angle, _GEAR / "cone_angle", lowest=-90, highest=90, ends=True)
        width = positive(face_width, "length", _GEAR / "face_width")
        helix = _helix(others.get("helix_angle"))
        mean = z * outer - width * abs(math.sin(cone))
        if mean <= 0.0:
            raise ModelError(
                f"gear: face_width {in_mm(width)} is more than twice the cone distance of the outer diameter "
                f"{in_mm(z * outer)}",
                about=_GEAR.at("face_width"),
            )
        normal = mean * math.cos(helix) / z
        return cls(teeth=z, normal_module=normal, cone_angle=cone, face_width=width, **others)  # type: ignore[arg-type]

    def with_(self, **changes: object) -> Gear:
        """Return a copy with some arguments changed: ``gear.with_(profile_shift=0.2)``."""
        for name in set(changes) & set(_STANDS_FOR):
            changes.setdefault(_STANDS_FOR[name], None)
        if "body" not in changes:
            short = {name: changes.pop(name) for name in ("bore", "rim_diameter") if name in changes}
            changes["body"] = self.body.with_(**short)
        return type(self)(**{item.name: getattr(self, item.name) for item in fields(self)} | changes)

    # -------------------------------------------------------------------------------------------------- bevel wheels

    @property
    def mean_cone_distance(self) -> float:
        """R_m = d_m / (2 sin abs(δ)) [m], from the apex to the middle of the face width; infinite for cylinders."""
        return 0.5 * self.reference_diameter / abs(math.sin(self.cone_angle)) if self.cone_angle else math.inf

    @property
    def outer_diameter(self) -> float:
        """d_e = d_m + b sin abs(δ) [m], the pitch diameter at the outer end of the teeth; d for cylinders."""
        width = self.required_face_width("outer_diameter") if self.cone_angle else 0.0
        return self.reference_diameter + width * abs(math.sin(self.cone_angle))

    @property
    def outer_transverse_module(self) -> float:
        """m_et = d_e / z [m]; m_t for cylinders."""
        return self.outer_diameter / self.teeth

    @property
    def equivalent_cylinder(self) -> Gear | EquivalentCylinder:
        """The gear itself if it is cylindrical; for a bevel gear the developed back cone, z_v = z / cos δ."""
        return equivalent_cylinder(self) if self.cone_angle else self

    # ------------------------------------------------------------------------------------------------- body and advice

    def required_face_width(self, what: str) -> float:
        """Face width b [m]; an error that names the use of the face width if it is not specified."""
        if self.face_width is None:
            raise ModelError(f'gear: {what} requires the face width. Specify face_width, such as "20 mm"')
        return self.face_width

    @property
    def bore(self) -> float:
        """Bore diameter of an external gear [m]; 0 without a bore."""
        return self.body.bore

    @property
    def rim_diameter(self) -> float | None:
        """Outer diameter of an internal gear [m]."""
        return self.body.rim_diameter

    @property
    def inside_of_rim(self) -> float:
        """Inner diameter of the rim of a gear with a web [m]: smallest root diameter along the face minus two rim thicknesses.

        The root diameter if there is no web.
        """
        taper = math.tan(abs(self.profile_shift_angle))
        narrow = self.required_face_width("the rim of a conical gear") * taper if taper else 0.0
        return self.root_diameter - narrow - 2.0 * (self.body.rim_thickness or 0.0)

    @property
    def blank(self) -> BlankProperties:
        """Mass properties of the gear with its teeth, from the exact outline of the teeth.

        From the bore to the teeth (internal gear: from the teeth to the rim), over the face width. For a gear with a web: without
        the grooves between hub and rim. Bevel gears: teeth between spheres about the apex; the body below the root cone ends in the
        plane of its inner end, and behind the teeth. Modifications of flanks are left out. The moments of inertia of gears with one
        or two teeth (worms) are the mean over a rotation.
        """
        return gear_blank(self)

    @property
    def solid(self) -> MassProperties:
        """The gear as a solid, to build the mass of a body: ``tube(...) + gear.solid.moved((0, 0, "30 mm"))``."""
        return self.blank.solid

    @property
    def density(self) -> float:
        """ρ of the material [kg/m³]."""
        return self.material.density

    def data_sheet(self) -> DataSheet:
        """Table of all gear quantities: rows of symbol, name, value and unit. It can be printed."""
        from .table import data_sheet  # it knows pairs, which know gears

        return data_sheet(self)

    def plot(self, **options: Any) -> Any:
        """Draw the teeth with their circles, and the body in axial section. options: as for `views.plot_gear`."""
        return drawn(self, **options)

    def __repr__(self) -> str:
        first, *others = gear_lines(self)
        return "\n    ".join([f"Gear({first})", *others])

    @property
    def warnings(self) -> tuple[str, ...]:
        """Warnings: undercut, thin tips, values with probably wrong units."""
        return wheel_warnings(self)
