"""One gear: its checked data, and the quantities that follow from them; pinions of hypoid pairs."""

from __future__ import annotations

import math
from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, Any

import numpy as np

from pitchline.base.arguments import names_wrong_arguments
from pitchline.base.types import FloatArray
from pitchline.errors import ModelError, Subject
from pitchline.facades import plotter
from pitchline.solids.mass_properties import MassProperties

from ..modifications.deviations import DeviationGrid, FlankModifications, as_flank_modifications
from .blank import (
    BlankProperties,
    check_body,
    check_combination,
    check_teeth,
    gear_blank,
    read_body,
    read_flanks,
    read_tool,
)
from .inputs import (
    STEEL,
    GearBody,
    Hob,
    Material,
    Shaper,
    angle,
    at_most_one,
    flag,
    gear_lines,
    in_deg,
    in_mm,
    module,
    number,
    positive,
    size,
    whole,
)
from .rack import read_material, read_root_radius
from .reference import EquivalentCylinder, ToothThickness, equivalent_cylinder

if TYPE_CHECKING:
    from ..surfaces.patch import FlankSurfaces
    from .table import DataSheet

__all__ = ["wheel_warnings", "Gear", "hypoid_pinion", "seat_compliance"]


# ---- wheel warnings

# What is allowed but questionable in one wheel.

_THIN_TIP = 0.2
"""Least thickness at the tip, in units of m_n, that is usual (0.4 where the case is hardened)."""


def wheel_warnings(gear: Gear) -> tuple[str, ...]:
    """Warnings for undercut, thin tips, tips inside the base circle, modules of a metre, measured flanks outside
    the face, and modifications that do not fit."""
    found = _modifications(gear) if gear.modifications and gear.face_width is not None else []
    if gear.normal_module >= 1.0:
        found.append(
            f"a normal module of {gear.normal_module:g} m: plain numbers are in metres, "
            f'write "{gear.normal_module:g} mm" for millimetres'
        )
    if math.cos(gear.cone_angle) < 1e-9 or (gear.profile_shift_angle and gear.helix_angle):  # those: `Teeth.warnings`
        return tuple(found)
    form = gear.equivalent_cylinder
    if form.internal and form.tip_diameter < form.base_diameter:
        found.append(
            f"the tip circle ({in_mm(form.tip_diameter)}) is inside the base circle ({in_mm(form.base_diameter)}): "
            "the innermost part of the teeth is not an involute. Shorten them with tip_alteration"
        )
    if form.undercut and not gear.worm:
        found.append(
            f"undercut: profile shift {form.profile_shift:g} with {gear.teeth} teeth, "
            f"{form.minimum_profile_shift:.3f} is the least without"
        )
    if form.tip_thickness < _THIN_TIP * form.normal_module:
        found.append(
            f"thin tips: {in_mm(form.tip_thickness)}, less than {_THIN_TIP:g} m_n; shorten the teeth or reduce the "
            "profile shift"
        )
    return tuple(found)


def _modifications(gear: Gear) -> list[str]:
    """Warnings of the flanks about their modifications. The flanks are computed for this, in a few milliseconds."""
    from ..teeth.teeth import Teeth

    given = gear.modifications
    half = 0.5 * gear.required_face_width("modifications")
    found = []
    parts = [*given.both, *given.left, *given.right, *(part for _, some in given.per_tooth for part in some)]
    for grid in [part for part in parts if isinstance(part, DeviationGrid)]:
        low, high = float(grid.faces[0]), float(grid.faces[-1])
        if min(high, half) - max(low, -half) < half:
            found.append(
                f"a measured flank from ζ = {in_mm(low)} to {in_mm(high)} covers less than half of the face, which goes from "
                f"{in_mm(-half)} to {in_mm(half)}: ζ counts from its middle"
            )
    try:
        Teeth(gear)
    except ModelError as error:
        found.append(f"its teeth cannot be made: {error}")
    return found


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
        return plotter("Gear")(self, **options)

    def __repr__(self) -> str:
        first, *others = gear_lines(self)
        return "\n    ".join([f"Gear({first})", *others])

    @property
    def warnings(self) -> tuple[str, ...]:
        """Warnings: undercut, thin tips, values with probably wrong units."""
        return wheel_warnings(self)


# ---- hypoid

# The pinion that meshes with a given wheel on axes that neither meet nor are parallel.

_STEEPEST = math.radians(80.0)
"""Spiral angles beyond this make a worm, not a pinion."""


def hypoid_pinion(
    wheel: Gear, *, teeth: object, offset: object, shaft_angle: object = "90 deg", below: bool = True, **others: object
) -> Gear:
    """A hypoid pinion for a bevel wheel: its cone and spiral angle for a given shaft angle and offset.

    With γ the cone angles, S = −(β_1 + β_2) the sum of the spiral angles (positive left-hand), r_1 = m_n z_1 / (2
    cos β_1):

        cos Σ = cos γ_1 cos γ_2 cos S − sin γ_1 sin γ_2 ,
        E sin Σ = |sin S| (r_1 cos γ_2 + r_2 cos γ_1) .

    The first gives γ_1 for any S, the second is then solved for S.

    Parameters
    ----------
    wheel
        The bevel wheel, with its cone angle and (usually) its spiral angle.
    teeth
        z_1 of the pinion.
    offset
        E, the distance of the axes [m], greater than zero.
    shaft_angle
        Σ [rad]
    below
        Whether the spiral angle of the pinion grows with the offset (the usual, stronger pinion) or shrinks.
    others
        Further arguments of `Gear` for the pinion, such as face_width.
    """
    z = whole(teeth, "hypoid_pinion: teeth")
    E = positive(offset, "length", "hypoid_pinion: offset")
    sigma = angle(shaft_angle, "hypoid_pinion: shaft_angle", lowest=0, highest=180)
    if not wheel.cone_angle:
        raise ModelError("hypoid_pinion: the wheel is a cylindrical gear. Specify a bevel gear with a cone_angle")
    gamma_2, beta_2 = abs(wheel.cone_angle), wheel.helix_angle
    r_2, m = 0.5 * wheel.reference_diameter, wheel.normal_module
    # The pinion has the other hand; with S of the same hand as the pinion its spiral angle grows.
    sense = -math.copysign(1.0, beta_2 or 1.0) * (1.0 if below else -1.0)

    def cone(S: float) -> float:
        p, q = math.cos(gamma_2) * math.cos(S), math.sin(gamma_2)
        size = math.hypot(p, q)
        ratio = math.cos(sigma) / size
        return math.acos(ratio) - math.atan2(q, p) if abs(ratio) <= 1.0 else math.nan

    def excess(S: float) -> float:
        beta_1 = sense * S - beta_2
        if abs(beta_1) > _STEEPEST:
            return math.nan
        gamma_1 = cone(S)
        r_1 = 0.5 * m * z / math.cos(beta_1)
        return math.sin(S) * (r_1 * math.cos(gamma_2) + r_2 * math.cos(gamma_1)) - E * math.sin(sigma)

    # From S = 0, where there is no offset, outwards in small steps to the first change of sign, then halving.
    low, high, step = 0.0, 0.0, math.radians(0.5)
    while True:
        high = low + step
        value = excess(high) if cone(high) > 0.0 else math.nan
        if math.isnan(value):
            raise ModelError(
                f"hypoid_pinion: no pinion of {z} teeth meshes with the wheel at the offset {in_mm(E)} and a shaft "
                f"angle of {in_deg(sigma)}. Reduce the offset (its spiral angle would be "
                f"{in_deg(sense * low - beta_2)} or more)"
            )
        if value >= 0.0:
            break
        low = high
    for _ in range(200):
        middle = 0.5 * (low + high)
        if middle in (low, high):
            break
        low, high = (middle, high) if excess(middle) < 0.0 else (low, middle)
    S = 0.5 * (low + high)
    return Gear(
        teeth=z,
        normal_module=m,
        normal_pressure_angle=wheel.normal_pressure_angle,
        helix_angle=sense * S - beta_2,
        cone_angle=cone(S),
        profile_shift=-wheel.profile_shift,
        **others,  # type: ignore[arg-type]
    )


# ---- seat compliance

# How far the teeth of a gear move because its body deforms between its seat and its mean motion.
#
# The seat is the bore, or the outside of a ring. An elastic body that floats, with inertia that balances the forces
# of its teeth, moves with the mean of its mass. On a shaft the seat moves, and the body twists and shifts between
# both. Two fields of a disc in plane stress contain this: of the torque (n = 0) and of the resultant force (n = 1),
# both from the seat at radius s to the root at radius R. The displacement of the teeth with the seat held, less that
# of the floating disc against its mean motion, is the compliance that the floating disc lacks.

_RINGS = 80
"""Elements from the seat to the root."""


def seat_compliance(gear: Gear, *, seat: float) -> float:
    """Displacement of the teeth along the transverse line of action by a unit force on it [m/N]. seat: radius of the seat [m]."""
    root = 0.5 * gear.root_diameter
    r = np.geomspace(seat, root, _RINGS + 1)
    width = _widths(gear, 0.5 * (r[1:] + r[:-1]))
    base = 0.5 * gear.base_diameter
    along = min(base / (0.5 * gear.reference_diameter), 1.0)  # cosine of the angle from the hoop to the line of action
    twist = _twist(r, width, gear.material)
    radial, hoop = _shift(r, width, gear.material)
    return base**2 * twist + (1.0 - along**2) * radial + along**2 * hoop


def _widths(gear: Gear, r: FloatArray) -> FloatArray:
    """Thickness of the body [m] at radii: of the face, the web or the hub."""
    face = gear.required_face_width("the twist of an elastic gear")
    width = np.full_like(r, face)
    if gear.body.web_thickness is not None:
        web = r < 0.5 * gear.inside_of_rim
        if gear.body.hub_diameter is not None:
            web &= r > 0.5 * gear.body.hub_diameter
        width[web] = gear.body.web_thickness
    return width


def _twist(r: FloatArray, width: FloatArray, material: Material) -> float:
    """Rotation of the root by a torque [rad/(N m)]: against the held seat, less that against the mean rotation.

    dφ/dr = T(r)/(2π G b r³), where inertia takes up T(r) of the floating disc in proportion to ∫ b r³ dr.
    """
    shear = material.youngs_modulus / (2.0 * (1.0 + material.poissons_ratio))
    by_torque = np.abs(0.5 * (1.0 / r[:-1] ** 2 - 1.0 / r[1:] ** 2)) / (2.0 * np.pi * shear * width)
    inertia = np.abs(width * (r[1:] ** 4 - r[:-1] ** 4))
    share = inertia / inertia.sum()
    carried = np.cumsum(share) - 0.5 * share  # torque in the middle of each element, from the free seat outwards
    floating = np.concatenate([[0.0], np.cumsum(carried * by_torque)])
    mean = float(share @ (0.5 * (floating[1:] + floating[:-1])))
    return float(by_torque.sum()) - (float(floating[-1]) - mean)


def _shift(r: FloatArray, width: FloatArray, material: Material) -> tuple[float, float]:
    """Displacements of the root by a radial and by a tangential unit force there [m/N], as in `_twist`.

    u = U cos θ, v = V sin θ: strains U', (U + V)/r, V' − (U + V)/r; linear elements in r, one point each.
    """
    E, nu = material.youngs_modulus, material.poissons_ratio
    n = len(r)
    K, M = np.zeros((2 * n, 2 * n)), np.zeros((2 * n, 2 * n))
    law = E / (1.0 - nu * nu) * np.array([[1.0, nu, 0.0], [nu, 1.0, 0.0], [0.0, 0.0, 0.5 * (1.0 - nu)]])
    for k in range(n - 1):
        a, b = r[k], r[k + 1]
        R, L = 0.5 * (a + b), b - a
        B = np.array([[-1 / L, 0, 1 / L, 0], [0.5 / R, 0.5 / R, 0.5 / R, 0.5 / R],
                      [-0.5 / R, -1 / L - 0.5 / R, -0.5 / R, 1 / L - 0.5 / R]])  # fmt: skip
        part = slice(2 * k, 2 * k + 4)
        area = np.pi * width[k] * R * abs(L)
        K[part, part] += area * B.T @ law @ B
        M[part, part] += 0.25 * area * np.kron([[1.0, 1.0], [1.0, 1.0]], np.eye(2))
    loads = np.zeros((2 * n, 2))
    loads[-2, 0], loads[-1, 1] = 1.0, -1.0
    held = np.linalg.solve(K[2:, 2:], loads[2:])
    rigid = np.tile([1.0, -1.0], n)
    mass = float(rigid @ M @ rigid)
    balanced = loads - np.outer(M @ rigid, rigid @ loads) / mass
    floating = np.zeros((2 * n, 2))
    floating[2:] = np.linalg.solve(K[2:, 2:], balanced[2:])
    floating -= np.outer(rigid, rigid @ M @ floating) / mass
    both = loads[2:].T @ held - loads.T @ floating
    return float(both[0, 0]), float(both[1, 1])
