"""One sector of a straight bevel gear as a grid of hexahedra, drawn out from its apex.

All surfaces of a straight bevel tooth are cones with one apex, so that one section on the unit sphere, drawn out along
the cone distance R, is the whole sector. The section is laid out in a plane as those of other gears are: stereographic
projection from the pole opposite the axis,

    Q = κ 2 tan(γ/2) e^{iφ} ,   κ = R_m cos²(δ/2) ,

takes the polar angle γ and the azimuth φ to it, keeps all angles, and all lengths on the pitch cone δ at the mean cone
distance R_m. The body is a rim below the teeth between their root cone and a cone with the same apex; its ends are spheres
about the apex, as those of the teeth are (close to the back cones of real blanks).
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np

from ..errors import ModelError, shown
from ..gears.gear import Gear
from ..gears.inputs import in_mm, positive
from ..gears.teeth import BevelFlank, BevelTeeth
from ..gears.teeth.arrays import ComplexArray
from .repetition import Repetition
from .sector_grid import FlankNodes, assemble
from .sector_options import Fineness, plan_section
from .sector_outline import SideRuns, ToothOutline
from .sector_section import lay_out
from .solid_grid import FloatArray, IntArray, SolidGrid

__all__ = ["BevelSectorGrid", "bevel_sector_grid", "inner_cone"]

_RIM, _THICKEST = 3.0, 6.0
"""Thickness of a rim by the normal module: without a bore, and at most down to a bore."""


@dataclass(frozen=True, eq=False)
class BevelSectorGrid:
    """One tooth of a straight bevel gear and the rim below it; the attributes are those of `SectorGrid`.

    In its flank patches `lengths` are R ε [m], the arc from the base cone at the cone distance R, and `zeta` is R − R_m
    [m]; the "bore" is the inside of the rim. "back face" is the inner end of the teeth, "front face" the outer one.
    """

    teeth: BevelTeeth
    solid: SolidGrid
    flanks: Mapping[str, FlankNodes]
    low_side: IntArray
    high_side: IntArray
    bore: IntArray

    @property
    def repetition(self) -> Repetition:
        """From tooth to tooth."""
        return Repetition.of(self.teeth.gear)

    def __repr__(self) -> str:
        return f"BevelSectorGrid({self.teeth.gear.teeth} teeth, {self.solid!r})"


class _BevelSide(SideRuns):
    """One side of a bevel tooth in the plane of the projection; one section."""

    def __init__(self, teeth: BevelTeeth, flank: BevelFlank, scale: float) -> None:
        self.teeth, self.flank, self.scale = teeth, flank, scale
        last = 1.0 if flank.neck is None else 2.0
        self._measure(np.zeros(1), np.full(1, last), 1.0, flank.involute.side)

    def _flat(self, surface_points: FloatArray) -> ComplexArray:
        """The projection of points at the cone distance 1, in the axes of the gear."""
        p = surface_points.copy()
        p[..., 2] = (p[..., 2] - self.teeth.apex) * self.flank.involute.away
        # 2 tan(γ/2) e^{iφ} = 2 (x + iy) / (1 + z)
        flat: ComplexArray = np.empty(p.shape[:-1], dtype=np.complex128)
        flat.real, flat.imag = p[..., 0], p[..., 1]
        return flat * (2.0 * self.scale / (1.0 + p[..., 2]))

    def land_points(self, u: FloatArray) -> ComplexArray:
        """On the root cone from the middle of the space to the fillet."""
        middle = math.pi / self.teeth.gear.teeth
        azimuth = self.flank.involute.side * (middle + u * (self.flank.root_angle - middle))
        P: ComplexArray = self.scale * 2.0 * math.tan(0.5 * self.teeth.root_cone) * np.exp(1j * azimuth)
        return P

    def fillet_points(self, u: FloatArray) -> ComplexArray:
        """On the fillet (0 to 1) and its neck (1 to 2)."""
        P = self._flat(self.flank.fillet.point(np.minimum(u, 1.0), 1.0))
        if self.flank.neck is not None:
            P = np.where(u > 1.0, self._flat(self.flank.neck.point(np.clip(u - 1.0, 0.0, 1.0), 1.0)), P)
        return P

    @property
    def involute_length(self) -> FloatArray:
        """Arc of the spherical involute at the mean cone distance [m]: R_m cot δ_b (cos ε_F − cos ε_a)."""
        arc = (math.cos(self.flank.form) - math.cos(self.flank.tip)) / math.tan(self.teeth.base_cone)
        return np.full(1, self.teeth.gear.mean_cone_distance * arc)

    def roll_lengths(self, fractions: FloatArray) -> FloatArray:
        """ε [rad], (1, n), equidistant in arc length: in cos ε."""
        first, last = math.sin(0.5 * self.flank.form) ** 2, math.sin(0.5 * self.flank.tip) ** 2
        return 2.0 * np.arcsin(np.sqrt(first + fractions * (last - first)))[None]

    def involute_run(self, fractions: FloatArray) -> ComplexArray:
        """From the form cone (0) to the tip cone (1)."""
        return self._flat(self.flank.involute.point(self.roll_lengths(fractions), 1.0))


def bevel_sector_grid(
    teeth: BevelTeeth,
    *,
    rim_thickness: object = None,
    order: object = 2,
    flank_edge: object = None,
    flank_depth: object = None,
    size: object = None,
    face_elements: object = None,
    flank_elements: object = None,
    fillet_elements: object = None,
    root_elements: object = None,
    across_elements: object = None,
    body_elements: object = None,
) -> BevelSectorGrid:
    """A grid of hexahedra of tooth 0 of a straight bevel gear and the rim below it; see `sector_grid` for the options.

    Lengths hold at the mean cone distance and shrink and grow with the tooth.

    rim_thickness
        Of the rim below the root [m]. Without it that of the gear body. Without that the rim reaches to the bore at the mean cone
        distance, but is not thicker than six modules, or three modules of a gear without a bore.
    """
    if not isinstance(teeth, BevelTeeth):
        raise ModelError(f"bevel sector grid: expected BevelTeeth, got {shown(teeth)}")
    gear = teeth.gear
    width = gear.required_face_width("a grid of its teeth")
    R_m, cone = gear.mean_cone_distance, abs(gear.cone_angle)
    inner = inner_cone(gear, teeth.root_cone, rim_thickness)
    scale = R_m * math.cos(0.5 * cone) ** 2
    outline = ToothOutline(
        right=_BevelSide(teeth, teeth.right, scale),
        left=_BevelSide(teeth, teeth.left, scale),
        direction=np.ones(1, dtype=np.complex128),
        tip_radius=np.full(1, scale * 2.0 * math.tan(0.5 * teeth.tip_cone)),
        half_pitch=math.pi / gear.teeth,
        sense=1.0,
    )
    fineness = Fineness(
        order=order,
        flank_edge=flank_edge,
        flank_depth=flank_depth,
        size=size,
        face_elements=face_elements,
        flank_elements=flank_elements,
        fillet_elements=fillet_elements,
        root_elements=root_elements,
        across_elements=across_elements,
        body_elements=body_elements,
    )
    plan = plan_section(
        outline,
        fineness,
        module=gear.normal_module,
        half_tooth=0.25 * math.pi * gear.transverse_module,
        circles=(scale * 2.0 * math.tan(0.5 * inner),),
        width=width,
    )
    away = math.copysign(1.0, gear.cone_angle)
    plan = replace(plan, mirrored=away < 0.0)
    section = lay_out(
        outline,
        plan.counts,
        plan.order,
        crown_depth=plan.crown_depth,
        radii=plan.radii,
        across_growth=plan.across_growth,
        crown_growth=plan.crown_growth,
        ring_growth=plan.ring_growth,
    )
    R = R_m + plan.zeta
    arcs = {side: R[:, None] * arc for side, arc in section.roll_lengths.items()}
    points = R[:, None, None] * _unit(section.points[0] / scale)
    points[..., 2] = teeth.apex + away * points[..., 2]
    return BevelSectorGrid(teeth, *assemble(plan, replace(section, roll_lengths=arcs), points))


def inner_cone(gear: Gear, root_cone: float, rim_thickness: object = None) -> float:
    """Half angle [rad] of the cone that ends the rim below the root cone of a bevel gear."""
    R, m = gear.mean_cone_distance, gear.normal_module
    given = gear.body.rim_thickness if rim_thickness is None else rim_thickness
    if given is not None:
        rim = positive(given, "length", "bevel sector grid: rim_thickness")
    elif gear.bore:
        rim = min(R * (root_cone - math.asin(min(0.5 * gear.bore / R, 1.0))), _THICKEST * m)
        if rim < 0.05 * m:
            raise ModelError(
                f"bevel sector grid: bore {in_mm(gear.bore)} leaves less than a twentieth of the module below the root at the "
                "mean cone distance. Specify a smaller one, or rim_thickness"
            )
    else:
        rim = min(_RIM * m, 0.6 * root_cone * R)
    inner = root_cone - rim / R
    if inner * R < 0.1 * m:
        raise ModelError(
            f"bevel sector grid: rim_thickness {in_mm(rim)} reaches the axis, {in_mm(root_cone * R)} below the "
            "root. Specify a smaller value"
        )
    return inner


def _unit(flat: ComplexArray) -> FloatArray:
    """Unit vectors (n, 3) from the projection 2 tan(γ/2) e^{iφ}: with t = tan(γ/2), (2 t e^{iφ}, 1 − t²) / (1 + t²)."""
    square = 0.25 * np.abs(flat) ** 2
    across = flat / (1.0 + square)
    return np.stack([across.real, across.imag, (1.0 - square) / (1.0 + square)], axis=-1)
