"""One tooth of a rack and the body below it as a grid of hexahedra.

The section of a rack is that of a gear of infinite radius (`charts.RackChart`). Its flanks are straight, its fillets are circles
of the radius ρ_fP in the normal section, ellipses in the transverse one.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from pitchline.base.types import ComplexArray, FloatArray, IntArray
from pitchline.errors import ModelError, shown
from pitchline.parts.gears.geometry.gear import Gear
from pitchline.parts.gears.geometry.inputs import STEEL, in_deg, in_mm, positive, whole
from pitchline.parts.gears.geometry.rack import Rack, form_depth
from pitchline.parts.gears.surfaces.from_gears import SurfaceTeeth
from pitchline.parts.gears.teeth.teeth import Teeth

from .charts import RackChart, RepeatedGrid, Repetition, chart_of
from .sector_grid import FlankNodes, assemble
from .sector_options import Fineness, plan_section
from .sector_outline import SectionNodes, SideRuns, ToothOutline, lay_out
from .solid_grid import SolidGrid

__all__ = [
    "same_shape",
    "RackSectorGrid",
    "rack_sector_grid",
    "whole_rack",
    "WAYS_OUT",
    "is_steep",
    "is_worm",
    "too_steep",
]


# ---- same shape

# Whether two sets of teeth differ only in modifications and material, so that their elasticity is the same.

_ALIKE = 0.02
"""Distance of flank surfaces, by the normal module, that does not change elasticity."""
_SAMPLES = 17


def same_shape(a: Teeth | SurfaceTeeth, b: Teeth | SurfaceTeeth) -> bool:
    """Whether teeth differ only in modifications and material; a tool may be specified or be the default.

    Flank surfaces may be apart by 2 % of the module.
    """
    if isinstance(a, SurfaceTeeth) and isinstance(b, SurfaceTeeth):
        return _same_gear(a.gear, b.gear) and all(_close(a, b, side) for side in ("left", "right"))
    if isinstance(a, SurfaceTeeth) or isinstance(b, SurfaceTeeth):
        return False
    return _same_gear(a.gear, b.gear) and a.rack == b.rack and a.cutter == b.cutter


def _same_gear(a: Gear | Rack, b: Gear | Rack) -> bool:
    plain = [
        _without_material(gear)
        if isinstance(gear, Rack)
        else gear.with_(material=STEEL, modifications=None, tool=None, flanks=None)
        for gear in (a, b)
    ]
    return plain[0] == plain[1]


def _close(a: SurfaceTeeth, b: SurfaceTeeth, side: str) -> bool:
    at = np.linspace(0.0, 1.0, _SAMPLES)
    first, second = (teeth.flank(side).point(at[:, None], at) for teeth in (a, b))
    normals = a.flank(side).normal(at[:, None], at)
    apart = first - second
    above = np.abs(np.einsum("ijk,ijk->ij", apart, normals)).max()
    # the same flank may have other parameters, but its ends are the same
    ends = np.linalg.norm(apart[[0, 0, -1, -1], [0, -1, 0, -1]], axis=-1).max()
    return bool(max(above, ends) <= _ALIKE * a.gear.normal_module)


def _without_material(rack: Rack) -> tuple[object, ...]:
    """The data of a rack but for its material and imported flanks, which are compared as surfaces."""
    return tuple(getattr(rack, name) for name in rack.__dataclass_fields__ if name not in ("material", "flanks"))


_BODY = 3.0
"""Height of the body below the root by the normal module, of a rack without `depth`."""
_LEAST_ROUNDING = 0.05
"""Radius of fillets by the normal module, at least."""


@dataclass(frozen=True, eq=False)
class RackSectorGrid:
    """One tooth of a rack and the body below it; the attributes are those of `SectorGrid`.

    In its flank nodes `lengths` are distances [m] from the form line along the flank in the transverse section. The "bore" is the
    back of the rack. Node high_side[i] is node low_side[i] shifted by a pitch along y.
    """

    rack: Rack
    solid: SolidGrid
    flanks: Mapping[str, FlankNodes]
    low_side: IntArray
    high_side: IntArray
    bore: IntArray

    @property
    def repetition(self) -> Repetition:
        """From tooth to tooth."""
        return Repetition.of(self.rack)

    def __repr__(self) -> str:
        return f"RackSectorGrid({self.rack.teeth} teeth, {self.solid!r})"


class _RackSide(SideRuns):
    """One side of a tooth of a rack; one section. Points of the normal section (x, y) become those of the chart."""

    def __init__(self, rack: Rack, chart: RackChart, side: float) -> None:
        self.rack, self.chart, self.side = rack, chart, side
        self.sine, self.cosine = math.sin(rack.normal_pressure_angle), math.cos(rack.normal_pressure_angle)
        self.radius = max(rack.root_radius, _LEAST_ROUNDING * rack.normal_module)
        self.form = form_depth(rack)
        x = -self.form
        self.centre = x + self.radius * self.sine, self._half(x) + self.radius * self.cosine
        self.bottom = self.centre[0] - self.radius
        self._measure(np.zeros(1), np.ones(1), 1.0, side)

    def _half(self, x: FloatArray | float) -> FloatArray:
        """Half the thickness of the tooth in the normal section at a height [m]."""
        tangent = self.sine / self.cosine
        return np.asarray(0.5 * self.rack.normal_tooth_thickness - np.asarray(x, dtype=np.float64) * tangent)

    def _at(self, x: FloatArray, y: FloatArray) -> ComplexArray:
        along = self.side * y / math.cos(self.rack.helix_angle)
        points = np.stack(np.broadcast_arrays(x, along, np.zeros(1)), axis=-1)
        return self.chart.section(points)[0]

    def land_points(self, u: FloatArray) -> ComplexArray:
        """On the root from the middle of the space to the fillet."""
        middle = 0.5 * self.rack.normal_pitch
        return self._at(np.full(u.shape, self.bottom), middle + u * (self.centre[1] - middle))

    def fillet_points(self, u: FloatArray) -> ComplexArray:
        """On the circle from the root to the flank."""
        psi = u * (0.5 * math.pi - self.rack.normal_pressure_angle)
        return self._at(self.centre[0] - self.radius * np.cos(psi), self.centre[1] - self.radius * np.sin(psi))

    @property
    def involute_length(self) -> FloatArray:
        """Of the flank in the transverse section [m]."""
        return np.full(1, (self.form + self.rack.addendum) / math.cos(self.rack.transverse_pressure_angle))

    def roll_lengths(self, fractions: FloatArray) -> FloatArray:
        """Distances from the form line [m], (1, n)."""
        return self.involute_length[:, None] * fractions

    def involute_run(self, fractions: FloatArray) -> ComplexArray:
        """From the form line (0) to the tip (1)."""
        x = -self.form + np.atleast_2d(fractions) * (self.form + self.rack.addendum)
        return self._at(x, self._half(x))


def rack_sector_grid(
    rack: Rack,
    *,
    depth: object = None,
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
) -> RackSectorGrid:
    """A grid of hexahedra of tooth 0 of a rack and the body below it; see `sector_grid` for the options.

    depth
        Height of the body below the reference line [m]; that of the rack without it, or three modules below the root.
    """
    if not isinstance(rack, Rack):
        raise ModelError(f"rack sector grid: expected a Rack, got {shown(rack)}")
    width = rack.required_face_width("a grid of its teeth")
    chart = chart_of(rack)
    assert isinstance(chart, RackChart)
    right, left = _RackSide(rack, chart, -1.0), _RackSide(rack, chart, 1.0)
    back = _depth(rack, depth, -left.bottom)
    outline = ToothOutline(
        right=right,
        left=left,
        direction=np.ones(1, dtype=np.complex128),
        tip_radius=np.full(1, chart.radius(rack.addendum)),
        half_pitch=chart.half_pitch,
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
        module=rack.normal_module,
        half_tooth=0.5 * rack.normal_tooth_thickness / math.cos(rack.helix_angle),
        circles=(chart.radius(-back),),
        width=width,
    )
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
    layers = len(plan.zeta)
    P = np.repeat(section.points, layers, axis=0)
    points = chart.space(P, plan.zeta[:, None])
    points[..., 1] += math.tan(rack.helix_angle) * points[..., 2]
    lengths = {side: np.repeat(found, layers, axis=0) for side, found in section.roll_lengths.items()}
    return RackSectorGrid(rack, *assemble(plan, SectionNodes(section.lattice, P, lengths), points))


def whole_rack(sector: RepeatedGrid, teeth: int) -> SolidGrid:
    """A rack of so many teeth from the grid of one: shifted along y, neighbours sharing the nodes between them.

    Tooth 0 of the sector is the middle one, or the one before the middle of an even number. Sets of nodes are those of all teeth,
    "low side" and "high side" the ends of the rack, and "left flank of tooth 2" and so on for flanks and fillets, counted from the
    tooth at the low end.
    """
    grid, count = sector.solid, whole(teeth, "whole rack: teeth", at_least=1, at_most=100_000)
    if not sector.repetition.straight:
        raise ModelError("whole rack: this is the grid of a gear. Use pitchline.fem.whole_gear")
    own = np.ones(len(grid.nodes), dtype=bool)
    own[sector.high_side] = False
    each = int(np.count_nonzero(own))
    number = np.cumsum(own, dtype=np.int64) - 1
    ends = np.arange(len(sector.high_side), dtype=np.int64)
    shifts = sector.repetition.travel * (np.arange(count) - (count - 1) // 2)
    nodes = np.concatenate([grid.nodes[own] + [0.0, shift, 0.0] for shift in shifts])
    nodes = np.concatenate([nodes, grid.nodes[sector.high_side] + [0.0, float(shifts[-1]), 0.0]])

    def of(members: IntArray, tooth: int) -> IntArray:
        table = number + each * tooth
        last = tooth == count - 1
        table[sector.high_side] = each * count + ends if last else number[sector.low_side] + each * (tooth + 1)
        return table[members]

    sets: dict[str, IntArray] = {}
    for name, members in grid.node_sets.items():
        if name.endswith("side"):
            sets[name] = of(members, 0 if name == "low side" else count - 1)
            continue
        found = [of(members, k) for k in range(count)]
        sets[name] = np.unique(np.concatenate(found))
        if name.endswith(("flank", "fillet")):
            sets.update({f"{name} of tooth {k}": found[k] for k in range(count)})
    elements = np.concatenate([of(grid.elements, k) for k in range(count)])
    return SolidGrid(nodes, elements, sets)


def _depth(rack: Rack, given: object, root: float) -> float:
    """Height of the body below the reference line [m]; root: depth of the root."""
    if given is not None:
        back = positive(given, "length", "rack sector grid: depth")
    else:
        back = root + _BODY * rack.normal_module if rack.depth is None else rack.depth
    if back < root + 0.05 * rack.normal_module:
        raise ModelError(
            f"rack sector grid: depth {in_mm(back)} leaves less than a twentieth of the module below the root "
            f"({in_mm(root)} below the reference line). Specify a larger one"
        )
    return back


# ---- steep teeth

# Teeth that layers of elements across the axis cannot divide, such as those of worms.

WAYS_OUT = (
    'Specify elements of your own from a file, or a rigid body of which only the flanks deform: grid={"body": "rigid"}'
)
_STEEPEST = math.radians(60.0)
"""Helix angle of cylindrical gears up to which transverse sections are divided into elements."""

_WORM = math.radians(75.0)
"""Helix angle beyond which the default grid has several 100,000 elements, some of them inverted."""


def is_worm(gear: Gear | Rack) -> bool:
    """Whether the default grid fails, after a long time."""
    return is_steep(gear) and abs(gear.helix_angle) > _WORM


def is_steep(gear: Gear | Rack) -> bool:
    """Whether transverse layers of elements are too oblique."""
    return abs(gear.helix_angle) > _STEEPEST and not (isinstance(gear, Gear) and gear.cone_angle)


def too_steep(gear: Gear | Rack) -> ModelError:
    """The error for such teeth."""
    return ModelError(
        f"elastic gear: a helix angle of {in_deg(gear.helix_angle)} is too steep for transverse layers of elements, as that of "
        f"a worm. {WAYS_OUT}"
    )
