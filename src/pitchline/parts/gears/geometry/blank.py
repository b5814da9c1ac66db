"""Mass and inertia of a gear with its teeth, from the exact outline of the teeth; checks of the data of a gear.

A section of a cylindrical gear has the area A and the polar second moment J inside its outline. The sections of a helical gear are
turned against each other: A and J are the same in all of them, and I_xx = I_yy is the mean over a rotation. Modifications of
flanks, of micrometres, are left out. For a wheel with a web, the grooves next to the web are removed.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import TYPE_CHECKING

import numpy as np

from pitchline.base.types import FloatArray
from pitchline.errors import ModelError, Subject, shown
from pitchline.solids.mass_properties import GEAR_SHAPE, MassProperties, shaped

from ..modifications.deviations import DeviationGrid, FlankModifications, Modification
from .inputs import GearBody, Hob, Shaper, in_deg, in_mm, modification_words, positive, size

if TYPE_CHECKING:
    from ..surfaces.patch import FlankSurfaces
    from ..teeth.bevel import BevelTeeth
    from ..teeth.teeth import Teeth
    from .gear import Gear
    from .rack import Rack

__all__ = [
    "BlankProperties",
    "combined",
    "gear_blank",
    "rack_blank",
    "solid_of_revolution",
    "check_body",
    "check_combination",
    "check_teeth",
    "read_body",
    "read_flanks",
    "read_tool",
]


# Gauss points and weights on [-1/2, 1/2]; exact to the fifth power, and r^4 and r^2 z^2 are of the fourth.
_POINTS = (-math.sqrt(0.15), 0.0, math.sqrt(0.15))
_WEIGHTS = (5 / 18, 8 / 18, 5 / 18)
_SECTIONS = 8
"""Sections of a conical gear along its face, at the points of Gauss's rule."""
_FLATTEST = 1e-9
"""Least cone angle [rad]: the cone distance is 1e9 times the radius, and rounds lengths by 1e-7 of it."""


@dataclass(frozen=True)
class BlankProperties:
    """Mass properties in the axes of the gear: z is its axis, the origin its centre.

    Attributes
    ----------
    mass : float
        [kg]
    centre_of_mass : (3,)
        From the centre of the gear [m].
    inertia : (3,)
        Moments (I_xx, I_yy, I_zz) about the centre of mass [kg m²]. They are the principal moments, except for a helical rack.
    product : float
        I_yz = −∫ y z dm about the centre of mass [kg m²]; 0 except for a helical rack.
    """

    mass: float
    centre_of_mass: tuple[float, float, float]
    inertia: tuple[float, float, float]
    product: float = 0.0

    @property
    def matrix(self) -> tuple[tuple[float, float, float], ...]:
        """Inertia (3, 3) about the centre of mass [kg m²]."""
        (x, y, z), yz = self.inertia, self.product
        return (x, 0.0, 0.0), (0.0, y, yz), (0.0, yz, z)

    @property
    def solid(self) -> MassProperties:
        """The same, to be moved, turned and added."""
        return shaped(MassProperties(self.mass, self.centre_of_mass, self.matrix, what="blank"), GEAR_SHAPE)


def combined(*parts: BlankProperties) -> BlankProperties:
    """Parts about one axis as one; what is taken away has a negative mass.

    z_c = Σ m_i z_i / Σ m_i ,  I_xx = Σ I_i + m_i (z_i − z_c)² ,  I_zz = Σ I_i
    """
    mass = sum(part.mass for part in parts)
    centre = sum(part.mass * part.centre_of_mass[2] for part in parts) / mass
    across = sum(part.inertia[0] + part.mass * (part.centre_of_mass[2] - centre) ** 2 for part in parts)
    return BlankProperties(mass, (0.0, 0.0, centre), (across, across, sum(part.inertia[2] for part in parts)))


def solid_of_revolution(
    *, inner: float, outer: float, inner_slope: float = 0.0, outer_slope: float = 0.0, length: float, density: float
) -> BlankProperties:
    """A body about z between two cones r_i = inner + inner_slope z and r_o, |z| <= length/2.

    m = ρπ ∫ (r_o² − r_i²) dz,   m z_c = ρπ ∫ (r_o² − r_i²) z dz,   I_zz = ρπ/2 ∫ (r_o⁴ − r_i⁴) dz,
    I_xx = I_yy = I_zz/2 + ρπ ∫ (r_o² − r_i²) z² dz − m z_c²
    """
    mass = first = second = axial = 0.0
    for point, weight in zip(_POINTS, _WEIGHTS, strict=True):
        z = point * length
        o, i = outer + outer_slope * z, inner + inner_slope * z
        dm = density * math.pi * (o**2 - i**2) * weight * length
        mass += dm
        first += dm * z
        second += dm * z**2
        axial += dm * 0.5 * (o**2 + i**2)
    centre = first / mass
    transverse = 0.5 * axial + second - mass * centre**2
    return BlankProperties(mass, (0.0, 0.0, centre), (transverse, transverse, axial))


def _about_z(mass: float, first: float, second: float, polar: float) -> BlankProperties:
    """A body with z as its axis, from m, ∫ z dm, ∫ z² dm and ∫ r² dm about the origin."""
    centre = first / mass
    across = 0.5 * polar + second - mass * centre**2
    return BlankProperties(mass, (0.0, 0.0, centre), (across, across, polar))


def gear_blank(gear: Gear) -> BlankProperties:
    """See `Gear.blank`."""
    gear.required_face_width("mass")
    if gear.internal and gear.rim_diameter is None:
        raise ModelError("gear: the mass of an internal gear requires its outer diameter. Specify rim_diameter")
    if abs(gear.cone_angle) > math.radians(89.0):
        raise ModelError(
            "gear: the pitch cone of a crown wheel is flat and has no mass. Specify mass and inertia of the body"
        )
    if 0.0 < abs(gear.cone_angle) < _FLATTEST:
        raise ModelError(
            f"gear: the apex of a cone angle of {gear.cone_angle:.3g} rad is too far away for its mass. Specify cone_angle=0, or "
            f"at least {_FLATTEST:g} rad"
        )
    return _with_teeth(gear.with_(modifications=None) if gear.modifications else gear)


@lru_cache(maxsize=512)
def _with_teeth(gear: Gear) -> BlankProperties:
    if not gear.cone_angle:
        return _cylinder_blank(gear)
    try:
        return _bevel_blank(gear)
    except ModelError as error:
        raise ModelError(f"gear: the mass requires the outline of the teeth: {error}") from None


def _cylinder_blank(gear: Gear) -> BlankProperties:
    """Between the outline of the teeth and the bore; of an internal gear between its outside and the outline.

    Teeth that no tool can cut have no fillets.
    """
    from ..teeth.bevel import gauss_rule, plain_section_moments, section_moments
    from ..teeth.teeth import Teeth

    width = gear.required_face_width("mass")
    x, w = gauss_rule(_SECTIONS) if gear.profile_shift_angle else gauss_rule(1)
    z, slices = 0.5 * width * x, 0.5 * width * w
    teeth: Teeth | None
    try:
        teeth = Teeth(gear.with_(flanks=None) if gear.flanks is not None else gear)
        area, polar = section_moments(teeth, z)
    except ModelError:
        teeth = None
        area, polar = plain_section_moments(gear, z)
    edge = 0.5 * (gear.bore if gear.rim_diameter is None else gear.rim_diameter)
    rho = gear.sense * gear.density
    dm = rho * (area - math.pi * edge**2) * slices
    own = float(dm.sum()) * width**2 / 12.0 if len(z) == 1 else 0.0
    moments = [
        float(dm.sum()),
        float(dm @ z),
        float(dm @ z**2) + own,
        float(rho * (polar - 0.5 * math.pi * edge**4) @ slices),
    ]
    whole = _about_z(*_with_flanks(moments, gear, teeth))
    web = gear.body.web_thickness
    if web is None:
        return whole
    groove = {"inner": 0.5 * (gear.body.hub_diameter or gear.bore), "outer": 0.5 * gear.inside_of_rim}
    return combined(
        whole,
        solid_of_revolution(**groove, length=width, density=-gear.density),
        solid_of_revolution(**groove, length=web, density=gear.density),
    )


def _with_flanks(moments: list[float], gear: Gear, teeth: Teeth | BevelTeeth | None) -> list[float]:
    """m, ∫ z dm, ∫ z² dm and ∫ r² dm, with imported flanks in place of the nominal ones."""
    if gear.flanks is None:
        return moments
    from ..surfaces.patch import gear_flank_moments

    more = gear_flank_moments(gear, teeth)
    return [moment + gear.density * change for moment, change in zip(moments, more, strict=True)]


def _bevel_blank(gear: Gear) -> BlankProperties:
    """Teeth between two spheres about the apex and above the root cone, and the body below it.

    Heights are counted from the middle of the face on the axis, at the mean cone distance R_m from the apex. A point at the cone
    distance R_m + t has the height  t − R (1 − cos γ) , so that gears of flat cones, whose apex is far away, lose no figures.

    The body begins in the plane through the inner end of the root cone. At the outer end its back continues the sphere by 0.8
    tooth depths and is then flat, as in pictures and STL files. A spiral bevel gear has the teeth of its transverse section,
    turned from sphere to sphere.
    """
    from ..teeth.bevel import BevelTeeth, SphericalMoments, spherical_moments
    from .reference import transverse_gear

    plain = gear.with_(flanks=None) if gear.flanks is not None else gear
    teeth = BevelTeeth(transverse_gear(plain) if gear.helix_angle else plain)
    rows = zip(spherical_moments(teeth), SphericalMoments.of_cone(teeth.root_cone), strict=True)
    solid_angle, sunk, sunk_square, across_square = (a - b for a, b in rows)
    # integrals over the cone distance are polynomials: Gauss's rule is exact
    width = gear.required_face_width("mass")
    t = width * np.array(_POINTS)
    R = gear.mean_cone_distance + t
    dt = gear.density * width * R**2 * np.array(_WEIGHTS)
    moments = [
        float(dt.sum()) * solid_angle,
        float(dt @ t) * solid_angle - float(dt @ R) * sunk,
        float(dt @ t**2) * solid_angle - 2.0 * float(dt @ (t * R)) * sunk + float(dt @ R**2) * sunk_square,
        float(dt @ R**2) * across_square,
    ]
    crown = _about_z(*_with_flanks(moments, gear, teeth))
    found = combined(crown, *_bevel_body(teeth, 0.5 * gear.bore))
    # from the centre of the gear: the pitch point lies R_m (1 − cos δ) below the sphere
    height = found.centre_of_mass[2] + gear.mean_cone_distance * 2.0 * math.sin(0.5 * gear.cone_angle) ** 2
    return replace(found, centre_of_mass=(0.0, 0.0, math.copysign(1.0, gear.cone_angle) * height))


def _bevel_body(teeth: BevelTeeth, bore: float) -> Iterable[BlankProperties]:
    """Below the root cone: the frustum of the root cone, and the cap of the outer sphere."""
    (inner, outer), root, back = teeth.cone_distances, teeth.root_cone, teeth.back_cone
    density, half = teeth.gear.density, 0.5 * teeth.gear.required_face_width("mass")
    slope, sunk = math.tan(root), 2.0 * math.sin(0.5 * root) ** 2
    low, high = -half - inner * sunk, half - outer * sunk
    narrow = inner * math.sin(root)
    if narrow < bore:  # a bore that is wider than the roots at the inner end
        low, narrow = low + (bore - narrow) / slope, bore
    if low < high:
        middle, length = 0.5 * (low + high), high - low
        frustum = solid_of_revolution(
            inner=bore, outer=narrow + 0.5 * slope * length, outer_slope=slope, length=length, density=density
        )
        yield replace(frustum, centre_of_mass=(0.0, 0.0, middle + frustum.centre_of_mass[2]))
    if outer * math.sin(back) <= bore:
        return
    # with the distance d below the top of the sphere r² = d (2 R − d) is a polynomial: Gauss's rule is exact
    thick = 2.0 * outer * math.sin(0.5 * (root + back)) * math.sin(0.5 * (root - back))
    depth = outer * sunk - 0.5 * thick - thick * np.array(_POINTS)
    z, square = half - depth, depth * (2.0 * outer - depth)
    dm = density * math.pi * (square - bore**2) * thick * np.array(_WEIGHTS)
    yield _about_z(float(dm.sum()), float(dm @ z), float(dm @ z**2), float(dm @ (0.5 * (square + bore**2))))


def rack_blank(rack: Rack) -> BlankProperties:
    """See `Rack.blank`."""
    from ..teeth.bevel import gauss_rule

    width = rack.required_face_width("mass")
    if rack.depth is None:
        raise ModelError(
            'rack: the mass requires the height of the body below the reference line. Specify depth, such as "30 mm"'
        )
    if rack.depth <= rack.dedendum:
        raise ModelError(
            f"rack: depth {in_mm(rack.depth)} must be more than the dedendum of {in_mm(rack.dedendum)}: there is no body below the "
            "teeth. Specify a larger depth, or mass and inertia of the body"
        )
    rho, pitch, n = rack.density * width, rack.transverse_pitch, rack.teeth

    # one tooth above the root line: circle of the fillet and straight flank, half thicknesses y at heights x
    alpha, radius = rack.normal_pressure_angle, rack.root_radius
    points, weights = gauss_rule(24)
    turn = 0.5 * (0.5 * math.pi - alpha) * (1.0 + points)
    centre = radius - rack.dedendum
    aside = 0.5 * rack.normal_tooth_thickness - centre * math.tan(alpha) + radius / math.cos(alpha)
    form = centre - radius * math.sin(alpha)
    flank = form + 0.5 * (rack.addendum - form) * (1.0 + points)
    x = np.concatenate([centre - radius * np.cos(turn), flank])

    def half_at(x: FloatArray) -> FloatArray:
        straight = 0.5 * rack.normal_tooth_thickness - x * math.tan(alpha)
        bent = aside - np.sqrt(np.maximum(radius**2 - (x - centre) ** 2, 0.0))
        return np.asarray(np.where(x < form, bent, straight) / math.cos(rack.helix_angle))

    half = half_at(x)
    steps = [0.5 * (0.5 * math.pi - alpha) * weights * radius * np.sin(turn), 0.5 * (rack.addendum - form) * weights]
    dm = rho * 2.0 * half * np.concatenate(steps)

    mass, up, up_square, own = float(dm.sum()), float(dm @ x), float(dm @ x**2), float(dm @ half**2) / 3.0
    if rack.flanks is not None:
        from ..surfaces.patch import rack_flank_moments

        more = rack_flank_moments(rack, half_at)
        mass, up, up_square, own = (
            moment + rack.density * change for moment, change in zip((mass, up, up_square, own), more, strict=True)
        )
    bar = rack.depth - rack.dedendum
    foot = rho * bar * n * pitch
    low = -0.5 * (rack.depth + rack.dedendum)
    total = foot + n * mass
    height = (foot * low + n * up) / total
    xx = foot * (low**2 + bar**2 / 12.0) + n * up_square - total * height**2
    # places of the teeth: k p about their middle,  Σ k² = n (n² − 1)/12 ; the ends of a helical rack follow its teeth
    lean = math.tan(rack.helix_angle)
    zz = total * width**2 / 12.0
    yy = foot * (n * pitch) ** 2 / 12.0 + n * own + mass * pitch**2 * n * (n**2 - 1) / 12.0 + zz * lean**2
    middle = 0.0 if n % 2 else 0.5 * pitch
    return BlankProperties(total, (height, middle, 0.0), (yy + zz, xx + zz, xx + yy), -lean * zz)


# ---- gear checks

# Checks of the data of one gear.


def read_flanks(value: object, gear: Gear | Rack) -> FlankSurfaces | None:
    """Imported flanks of a gear or rack whose other data are complete."""
    if value is None:
        return None
    from ..surfaces.importing import check_flanks  # it needs gears

    try:
        return check_flanks(gear, value)
    except ModelError as error:
        what = Subject("gear" if hasattr(gear, "internal") else "rack")
        raise ModelError(str(error), about=what.at("flanks")) from None


def check_combination(gear: Gear, what: Subject) -> None:
    """Internal, bevel, conical wheels and worms exclude each other."""
    if gear.internal and gear.cone_angle:
        raise ModelError(
            "gear: internal bevel gears are not supported (internal=True, cone_angle "
            f"{in_deg(gear.cone_angle)}). Leave one of them out",
            about=what.at("internal"),
        )
    if gear.worm and (gear.internal or gear.cone_angle):
        raise ModelError(
            "gear: a worm is an external cylindrical gear. Leave out internal and cone_angle, or worm",
            about=what.at("internal" if gear.internal else "cone_angle"),
        )
    if gear.worm and not gear.helix_angle:
        raise ModelError("gear: a worm requires a lead_angle (or helix_angle), such as lead_angle='5 deg'", about=what)
    if gear.profile_shift_angle and (gear.internal or gear.worm or gear.cone_angle):
        other = "internal" if gear.internal else "worm" if gear.worm else "cone_angle"
        raise ModelError(
            f"gear: a conical involute gear (profile_shift_angle {in_deg(gear.profile_shift_angle)}) is an external gear cut "
            f"by a tilted rack. Leave out {other}, or profile_shift_angle",
            about=what.at("profile_shift_angle"),
        )


def check_teeth(gear: Gear, what: Subject) -> None:
    """Teeth have a depth and a thickness, and modifications are those of teeth that exist."""
    if gear.tooth_depth <= 0.0:
        raise ModelError(
            f"gear: the tip ({in_mm(gear.tip_diameter)}) is not outside the root "
            f"({in_mm(gear.root_diameter)}); check addendum_factor, dedendum_factor, tip_alteration",
            about=what,
        )
    smallest = gear.tip_diameter if gear.internal else gear.root_diameter
    if smallest <= 0.0:
        raise ModelError(
            f"gear: with {gear.teeth} teeth of {in_mm(gear.normal_module)} there is no material inside the teeth "
            f"(diameter {in_mm(smallest)}). Use more teeth, a larger helix angle or shorter teeth",
            about=what.at("teeth"),
        )
    if gear.normal_tooth_thickness <= 0.0:
        raise ModelError(
            f"gear: the tooth thickness is not positive: thickness {in_mm(gear.normal_tooth_thickness)} on the "
            "reference circle with "
            f"profile_shift {gear.profile_shift:g} and backlash_allowance {in_mm(gear.backlash_allowance)}; "
            "reduce them",
            about=what.at("profile_shift"),
        )
    if gear.normal_tooth_thickness >= gear.normal_pitch:
        raise ModelError(
            f"gear: there is no space between the teeth: thickness {in_mm(gear.normal_tooth_thickness)}, pitch "
            f"{in_mm(gear.normal_pitch)}; reduce profile_shift {gear.profile_shift:g}",
            about=what.at("profile_shift"),
        )
    _check_modifications(gear, what)
    # The flanks of a helical conical gear differ; `Teeth` finds where they meet.
    if math.cos(gear.cone_angle) > 1e-9 and not (gear.profile_shift_angle and gear.helix_angle):
        form = gear.equivalent_cylinder
        if not form.internal and form.tip_diameter > form.pointed_diameter * (1.0 + 1e-12):
            shorter = 0.5 * (form.pointed_diameter - form.tip_diameter) / gear.normal_module
            raise ModelError(
                f"gear: the teeth become pointed at the diameter {in_mm(form.pointed_diameter)}, below the tip "
                f"diameter {in_mm(form.tip_diameter)}. Shorten them with "
                f"tip_alteration={gear.tip_alteration + shorter:.3f} or less, or reduce the profile shift",
                about=what.at("tip_alteration"),
            )


def _check_modifications(gear: Gear, what: Subject) -> None:
    given = gear.modifications
    if not given:
        return
    if gear.cone_angle:
        raise ModelError(
            f"gear: the flanks of a bevel wheel (cone angle {in_deg(gear.cone_angle)}) cannot be modified. Leave out "
            "modifications, or specify profile_shift_angle instead of cone_angle for a conical involute gear",
            about=what.at("modifications"),
        )
    if given.last_tooth >= gear.teeth:
        raise ModelError(
            f"gear: modifications: per_tooth, tooth {given.last_tooth}: the gear has the teeth 0 to {gear.teeth - 1}",
            about=what.at("modifications", "per_tooth"),
        )
    for part in (*given.both, *given.left, *given.right, *(part for _, parts in given.per_tooth for part in parts)):
        if (reaches := _largest(part)) > gear.normal_module:
            raise ModelError(
                f"gear: modifications: {modification_words(FlankModifications(part))}: it is up to {in_mm(reaches)}, more than "
                f'the normal module ({in_mm(gear.normal_module)}). Numbers without a unit are metres. Write it as "20 um"',
                about=what.at("modifications"),
            )


def _largest(part: Modification) -> float:
    """Deviation [m]; 0 if the modification does not define it."""
    if isinstance(part, DeviationGrid):
        return float(abs(part.values).max())
    return abs(float(getattr(part, "amount", 0.0)))


def check_body(gear: Gear, what: Subject) -> None:
    """Bore, hub, web and rim fit below the teeth."""
    if gear.internal:
        if gear.bore:
            raise ModelError(
                "gear: an internal gear has no bore. Specify its outer diameter as rim_diameter", about=what.at("bore")
            )
        if gear.rim_diameter is not None and gear.rim_diameter <= gear.root_diameter:
            raise ModelError(
                f"gear: rim_diameter ({in_mm(gear.rim_diameter)}) must be greater than the root diameter "
                f"({in_mm(gear.root_diameter)})",
                about=what.at("rim_diameter"),
            )
        if gear.body.has_web:
            raise ModelError(
                "gear: rim_thickness, web_thickness and hub_diameter are for external gears. Specify rim_diameter",
                about=what.at("body"),
            )
        return
    if gear.rim_diameter is not None:
        raise ModelError(
            "gear: rim_diameter is for internal gears. Leave it out, or specify bore", about=what.at("rim_diameter")
        )
    if gear.bore >= gear.root_diameter:
        raise ModelError(
            f"gear: the bore ({in_mm(gear.bore)}) must be smaller than the root diameter ({in_mm(gear.root_diameter)})",
            about=what.at("bore"),
        )
    if gear.cone_angle and gear.face_width is not None:
        toe = gear.reference_diameter - gear.face_width * abs(math.sin(gear.cone_angle))
        if toe <= gear.bore:
            raise ModelError(
                f"gear: the teeth of {in_mm(gear.face_width)} face width reach inside "
                f"{'the bore' if gear.bore else 'the apex'}: pitch diameter {in_mm(toe)} at their inner end; "
                "reduce face_width",
                about=what.at("face_width"),
            )
    if gear.body.has_web:
        _check_web(gear, gear.body, what)


def _check_web(gear: Gear, body: GearBody, what: Subject) -> None:
    assert body.web_thickness is not None and body.rim_thickness is not None
    if gear.cone_angle:
        raise ModelError(
            f"gear: a bevel wheel (cone angle {in_deg(gear.cone_angle)}) cannot have a web. Leave out rim_thickness, "
            "web_thickness and hub_diameter, and specify mass and inertia of the body",
            about=what.at("body"),
        )
    if gear.face_width is not None and body.web_thickness >= gear.face_width:
        raise ModelError(
            f"gear: web_thickness {in_mm(body.web_thickness)} must be less than the face width {in_mm(gear.face_width)}; "
            "leave out rim_thickness and web_thickness for a solid body",
            about=what.at("body"),
        )
    hub = body.bore if body.hub_diameter is None else body.hub_diameter
    if hub < body.bore:
        raise ModelError(
            f"gear: hub_diameter {in_mm(hub)} must not be smaller than the bore {in_mm(body.bore)}",
            about=what.at("body"),
        )
    if gear.inside_of_rim <= hub:
        raise ModelError(
            f"gear: rim_thickness {in_mm(body.rim_thickness)} leaves no web between the rim (inside diameter "
            f"{in_mm(gear.inside_of_rim)}) and the hub or bore ({in_mm(hub)}); reduce it, or leave the web out",
            about=what.at("body"),
        )


def read_tool(tool: object, gear: Gear, what: Subject) -> Hob | Shaper | None:
    """Return the tool if it can cut the teeth; None for a tool without data."""
    if tool is None:
        return None
    if not isinstance(tool, (Hob, Shaper)):
        raise ModelError(f"{what}: tool must be a Hob or a Shaper, got {shown(tool)}", about=what.at("tool"))
    if gear.cone_angle:
        raise ModelError(
            f"{what}: the teeth of bevel wheels (cone angle {in_deg(gear.cone_angle)}) do not depend on a tool. Leave it "
            "out",
            about=what.at("tool"),
        )
    if isinstance(tool, Shaper) != gear.internal:
        raise ModelError(
            f"{what}: internal teeth are cut by a Shaper, external ones by a Hob; got {shown(tool)} for "
            f"{'internal' if gear.internal else 'external'} teeth",
            about=what.at("tool"),
        )
    return None if tool in (Hob(), Shaper()) else tool


def read_body(body: object, bore: object, rim_diameter: object, what: Subject) -> GearBody:
    """Return the body with bore and rim_diameter. If both specify a value, the values must agree."""
    if body is not None and not isinstance(body, GearBody):
        raise ModelError(
            f'{what}: body must be a GearBody, such as GearBody(bore="30 mm"), got {shown(body)}', about=what.at("body")
        )
    known = GearBody() if body is None else body
    said: dict[str, float] = {}
    if bore is not None:
        said["bore"] = size(bore, "length", what / "bore")
    if rim_diameter is not None:
        said["rim_diameter"] = positive(rim_diameter, "length", what / "rim_diameter")
    for name, value in said.items():
        other = getattr(known, name)
        if body is not None and other and other != value:
            raise ModelError(
                f"{what}: {name} is {in_mm(value)}, and {in_mm(other)} in the body. Specify it once",
                about=what.at(name),
            )
    return known.with_(**said) if said else known
