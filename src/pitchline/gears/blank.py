"""Mass and inertia of a gear with its teeth, from the exact outline of the teeth.

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

from ..errors import ModelError
from ..solids.mass_properties import MassProperties, shaped
from ..solids.shape import GEAR_SHAPE
from .arrays import FloatArray
from .inputs import in_mm

if TYPE_CHECKING:
    from .gear import Gear
    from .rack import Rack
    from .teeth.bevel import BevelTeeth
    from .teeth.teeth import Teeth

__all__ = ["BlankProperties", "combined", "gear_blank", "rack_blank", "solid_of_revolution"]

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
    from .teeth.section_moments import gauss_rule, plain_section_moments, section_moments
    from .teeth.teeth import Teeth

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
    from .surfaces.flank_moments import gear_flank_moments

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
    from .equivalent import transverse_gear
    from .teeth.bevel import BevelTeeth
    from .teeth.section_moments import SphericalMoments, spherical_moments

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
    from .teeth.section_moments import gauss_rule

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
        from .surfaces.flank_moments import rack_flank_moments

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
