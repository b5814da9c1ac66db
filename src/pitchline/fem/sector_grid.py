"""One sector of a gear as a grid of hexahedra, a tooth with the body below it, and the whole gear from it."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from pitchline.base.arguments import names_wrong_arguments
from pitchline.base.types import ComplexArray, FloatArray, IntArray
from pitchline.errors import ModelError, shown
from pitchline.parts.gears.geometry.gear import Gear
from pitchline.parts.gears.geometry.inputs import in_mm, positive
from pitchline.parts.gears.teeth.bevel import BevelFlank, BevelTeeth
from pitchline.parts.gears.teeth.teeth import Teeth

from .charts import RepeatedGrid, Repetition
from .sector_options import Fineness, SectorPlan, plan_section, plan_sector
from .sector_outline import SectionLattice, SectionNodes, SideRuns, ToothOutline, lay_out
from .solid_grid import SolidGrid, hexahedra, lattice_nodes

__all__ = [
    "FlankNodes",
    "SectorGrid",
    "sector_grid",
    "whole_gear",
    "BevelSectorGrid",
    "bevel_sector_grid",
    "inner_cone",
]


@dataclass(frozen=True, eq=False)
class FlankNodes:
    """The nodes on one involute flank of tooth 0.

    Attributes
    ----------
    nodes : (n_p, n_f)
        Numbers of the nodes: along the profile from the form circle to the tip, along the face from −b/2 to b/2. With
        e_p by e_f element faces n_p = e_p + 1 and n_f = e_f + 1 for first order, 2 e_p + 1 and 2 e_f + 1 for second
        order; −1 in the middle of a face (both indices odd), where there is no node.
    lengths : (n_p, n_f)
        Roll length L [m]. The nodes are equidistant in the arc length L²/(2 r_b) of the transverse profile.
    zeta : (n_f,)
        Face coordinate ζ [m].
    """

    nodes: IntArray
    lengths: FloatArray
    zeta: FloatArray


@dataclass(frozen=True, eq=False)
class SectorGrid:
    """One tooth of a gear and the body below it.

    Attributes
    ----------
    teeth : Teeth
        The teeth of the grid.
    solid : SolidGrid
        Nodes, elements, sets of nodes: "left flank", "right flank", "left fillet", "right fillet", "root", "tip",
        "bore" (of an internal gear the outside of its rim), "low side", "high side", "front face" (z = b/2), "back
        face" (z = −b/2).
    flanks : {"left": FlankNodes, "right": FlankNodes}
        The nodes on the involutes.
    low_side, high_side : (n,)
        Matched nodes of the cuts through the spaces next to tooth 0: node high_side[i] is node low_side[i] turned by
        +2π/z about the axis.
    bore : (n,)
        Nodes of the bore; of the outside of the rim of an internal gear.
    """

    teeth: Teeth
    solid: SolidGrid
    flanks: Mapping[str, FlankNodes]
    low_side: IntArray
    high_side: IntArray
    bore: IntArray

    @property
    def repetition(self) -> Repetition:
        """From tooth to tooth."""
        return Repetition.of(self.teeth.gear)

    @property
    def flank_edge(self) -> float:
        """Shortest edge of an element on the involutes along the profile [m], as an arc of the transverse section."""
        shortest = np.inf
        for side, patch in self.flanks.items():
            r_b = self.teeth.flank(side).involute.base_radius
            arc = patch.lengths[:: self.solid.order, 0] ** 2 / (2.0 * r_b)
            shortest = min(shortest, float(np.abs(np.diff(arc)).min()))
        return shortest

    def __repr__(self) -> str:
        return f"SectorGrid({self.teeth!r}, {self.solid!r})"


@names_wrong_arguments
def sector_grid(
    teeth: Teeth | Gear,
    *,
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
    bore: object = None,
    rim_diameter: object = None,
    rim_thickness: object = None,
    web_thickness: object = None,
    hub_diameter: object = None,
    modified: object = False,
) -> SectorGrid:
    """Create a grid of hexahedra for tooth 0 and the body below it, between the middles of the neighbouring spaces.

    Nodes of flanks, fillets, root and tip lie on the exact surfaces of the teeth, those in the middle of the edges of
    second-order elements as well. Lengths are numbers [m] or texts with a unit; m_n is the normal module.

    Parameters
    ----------
    teeth
        A spur, helical or conical `Gear`, external or internal, with face width and bore (internal: rim_diameter); or its
        `Teeth`.
    order
        2 (default): elements of 20 nodes; 1: of 8 nodes.
    flank_edge
        Length [m] of the edges of the elements along the involute; m_n/10 without it. Or `flank_elements`, their
        number from the form circle to the tip.
    flank_depth
        Thickness [m] of the first elements below flanks, fillets and root, halfway up the tooth; 2.5 edges of the flank
        without it. The next ones grow by a factor of 2 at most.
    size
        Largest edge [m] inside a section of the tooth; default m_n/2; towards the bore and along the face 2.5
        times as much (along the face 1.25 times for order 1).
    face_elements
        Elements along the face width, in place of those that follow from `size`.
    fillet_elements, root_elements, across_elements, body_elements
        Elements from the form circle to the middle of the fillet, from there to the middle of the space, across the
        tooth (even) and from the root to the bore, in place of those that follow from `flank_edge` and `size`.
    bore, rim_diameter
        In place of those of the gear [m]: diameter of the hole, outer diameter of an internal gear.
    rim_thickness, web_thickness, hub_diameter
        In place of those of the gear's `GearBody`: thickness of the rim below the root [m] (in the section where the root
        is closest to the axis), of the web along the axis [m], in the middle of the face, and outer diameter of the hub
        [m], without which the web goes on to the bore.
    modified
        True: nodes lie on the modified flanks (all but the modifications of single teeth); False: on the ideal ones.
    """
    if isinstance(teeth, Gear):
        teeth = Teeth(teeth)
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
    plan = plan_sector(
        teeth,
        fineness,
        bore=bore,
        rim_diameter=rim_diameter,
        rim_thickness=rim_thickness,
        web_thickness=web_thickness,
        hub_diameter=hub_diameter,
        modified=modified,
    )
    return build_sector(teeth, plan)


def build_sector(teeth: Teeth, plan: SectorPlan) -> SectorGrid:
    """The grid of a plan."""
    section = _sections(teeth, plan)
    P = section.points
    z = np.broadcast_to(plan.zeta[:, None], P.shape)
    return SectorGrid(teeth, *assemble(plan, section, np.stack([P.real, P.imag, z], axis=-1)))


class Assembled(NamedTuple):
    """What makes a sector, apart from its teeth."""

    solid: SolidGrid
    flanks: Mapping[str, FlankNodes]
    low_side: IntArray
    high_side: IntArray
    bore: IntArray


def assemble(plan: SectorPlan, section: SectionNodes, points: FloatArray) -> Assembled:
    """Nodes, elements, patches and sets from the points (layer, point of the section, 3) of all layers [m]."""
    lattice = section.lattice
    numbers, kept = _number(lattice, plan)
    nodes = points.reshape(-1, 3)[kept]
    blocks = (numbers[:, lattice.tooth], numbers[:, lattice.body[::-1]])
    elements = np.concatenate([_elements(block, plan)[mask] for block, mask in zip(blocks, _filled(plan), strict=True)])
    return _named(plan, section, numbers, nodes, elements)


def _sections(teeth: Teeth, plan: SectorPlan) -> SectionNodes:
    """Points of all sections along the face; those of a cylindrical gear are one, turned."""

    def at(zeta: FloatArray) -> SectionNodes:
        outline = ToothOutline.of(teeth, zeta, modified=plan.modified)
        return lay_out(
            outline,
            plan.counts,
            plan.order,
            crown_depth=plan.crown_depth,
            radii=plan.radii,
            across_growth=plan.across_growth,
            crown_growth=plan.crown_growth,
            ring_growth=plan.ring_growth,
        )

    if teeth.left.conical or plan.modified:
        return at(plan.zeta)
    one = at(np.zeros(1))
    turns = np.exp(1j * teeth.left.involute.twist * plan.zeta)
    lengths = {side: np.repeat(L, len(turns), axis=0) for side, L in one.roll_lengths.items()}
    return SectionNodes(one.lattice, turns[:, None] * one.points, lengths)


def _filled(plan: SectorPlan) -> tuple[npt.NDArray[np.bool_], npt.NDArray[np.bool_]]:
    """Which elements (layer, row, column) of tooth and body there are: all except those next to a web."""
    counts, layers = plan.counts, (len(plan.zeta) - 1) // plan.order
    tooth = np.ones((layers, counts.flank + counts.fillet, counts.across), dtype=bool)
    body = np.ones((layers, counts.crown + sum(counts.rings), 2 * counts.root + counts.across), dtype=bool)
    if plan.web is not None:
        first = counts.crown + sum(counts.rings[: plan.web.ring])
        rows = slice(first, first + counts.rings[plan.web.ring])
        body[: plan.web.layers, rows] = False
        body[layers - plan.web.layers :, rows] = False
    return tooth, body[:, ::-1]


def _number(lattice: SectionLattice, plan: SectorPlan) -> tuple[IntArray, npt.NDArray[np.bool_]]:
    """Numbers of the nodes (layer, point of the section), −1 where there is none, and which points are nodes."""
    layers = len(plan.zeta)
    present = np.zeros((layers, lattice.size), dtype=bool)
    for block, filled in zip((lattice.tooth, lattice.body[::-1]), _filled(plan), strict=True):
        used = np.zeros((layers, *block.shape), dtype=bool)
        q = plan.order
        a, b, c = (q * n for n in filled.shape)
        grown = np.repeat(np.repeat(np.repeat(filled, q, axis=0), q, axis=1), q, axis=2)
        for i in (0, 1):
            for j in (0, 1):
                for k in (0, 1):
                    used[i : i + a, j : j + b, k : k + c] |= grown
        used &= lattice_nodes(used.shape, q)
        present[:, block] |= used
    kept = present.ravel()
    numbers = np.full(kept.size, -1, dtype=np.int64)
    numbers[kept] = np.arange(np.count_nonzero(kept))
    return numbers.reshape(present.shape), kept


def _elements(numbers: IntArray, plan: SectorPlan) -> IntArray:
    """Elements (layer, row, column, nodes) of a block whose rows go towards the tip."""
    lattice = np.moveaxis(numbers, 0, 2)
    if plan.mirrored:
        return np.transpose(hexahedra(np.swapaxes(lattice, 0, 1), plan.order), (2, 1, 0, 3))
    return np.transpose(hexahedra(lattice, plan.order), (2, 0, 1, 3))


def _named(
    plan: SectorPlan, section: SectionNodes, numbers: IntArray, nodes: FloatArray, elements: IntArray
) -> Assembled:
    """Patches of the flanks and sets of nodes."""
    lattice = section.lattice
    columns = {"right": 0, "left": -1}

    def there(found: IntArray) -> IntArray:
        flat = found.ravel()
        return np.unique(flat[flat >= 0])

    flanks = {}
    sets = {}
    for side, column in columns.items():
        line = lattice.tooth[:, column]
        patch = numbers[:, line[lattice.flank_rows]].T
        flanks[side] = FlankNodes(patch, np.ascontiguousarray(section.roll_lengths[side].T), plan.zeta)
        sets[f"{side} flank"] = there(patch)
        sets[f"{side} fillet"] = there(numbers[:, line[: lattice.flank_rows.start + 1]])
    first, last = lattice.arch.start, lattice.arch.stop
    outer = lattice.body[0]
    sets["root"] = there(numbers[:, np.concatenate([outer[: first + 1], outer[last - 1 :]])])
    sets["tip"] = there(numbers[:, lattice.tooth[-1]])
    low, high = numbers[:, lattice.body[:, 0]].ravel(), numbers[:, lattice.body[:, -1]].ravel()
    low, high = low[low >= 0], high[high >= 0]
    sets["low side"], sets["high side"] = low, high
    sets["bore"] = there(numbers[:, lattice.body[-1]])
    sets["back face"], sets["front face"] = there(numbers[0]), there(numbers[-1])
    solid = SolidGrid(nodes, elements, sets)
    return Assembled(solid, MappingProxyType(flanks), low, high, sets["bore"])


@names_wrong_arguments
def whole_gear(sector: RepeatedGrid) -> SolidGrid:
    """All teeth of a gear: the sector turned by 2πk/z, k = 0 … z − 1, neighbours sharing the nodes between them.

    A rack is built by `whole_rack`.

    Node i of the sector, where it is not on the high side, is node k n' + i' in tooth k, with n' nodes a tooth; a node
    of the high side is its match on the low side of the next tooth. Sets of nodes are those of all teeth ("left flank",
    "bore", ...; there are no sides any more), and those of one: "left flank of tooth 3" and so on for flanks and
    fillets.
    """
    if not hasattr(sector, "repetition"):
        raise ModelError(f"whole gear: expected the grid of a sector, such as sector_grid(gear), got {shown(sector)}")
    grid, count = sector.solid, sector.repetition.count
    if sector.repetition.straight:
        raise ModelError("whole gear: this is the grid of a rack. Use pitchline.fem.whole_rack")
    own = np.ones(len(grid.nodes), dtype=bool)
    own[sector.high_side] = False
    each = int(np.count_nonzero(own))
    number = np.cumsum(own, dtype=np.int64) - 1
    # within tooth 0, with the next tooth's numbers on the high side; modulo the gear it closes
    number[sector.high_side] = number[sector.low_side] + each
    steps = each * np.arange(count, dtype=np.int64)

    def of_all(nodes: IntArray) -> IntArray:
        return (number[nodes][None] + steps.reshape(-1, *(1,) * nodes.ndim)) % (each * count)

    angle = sector.repetition.angle * np.arange(count)
    P = grid.nodes[own, 0] + 1j * grid.nodes[own, 1]
    turned = (np.exp(1j * angle)[:, None] * P).ravel()
    nodes = np.stack([turned.real, turned.imag, np.tile(grid.nodes[own, 2], count)], axis=-1)
    elements = of_all(grid.elements).reshape(-1, grid.elements.shape[1])

    sets: dict[str, IntArray] = {}
    for name, members in grid.node_sets.items():
        if name.endswith("side"):
            continue
        found = of_all(members)
        sets[name] = np.unique(found)
        if name.endswith(("flank", "fillet")):
            sets.update({f"{name} of tooth {k}": found[k] for k in range(count)})
    return SolidGrid(nodes, elements, sets)


# ---- sector bevel

# One sector of a straight bevel gear as a grid of hexahedra, drawn out from its apex.
#
# All surfaces of a straight bevel tooth are cones with one apex, so that one section on the unit sphere, drawn out
# along the cone distance R, is the whole sector. The section is laid out in a plane as those of other gears are:
# stereographic projection from the pole opposite the axis,
#
# Q = κ 2 tan(γ/2) e^{iφ} , κ = R_m cos²(δ/2) ,
#
# takes the polar angle γ and the azimuth φ to it, keeps all angles, and all lengths on the pitch cone δ at the mean
# cone distance R_m. The body is a rim below the teeth between their root cone and a cone with the same apex; its ends
# are spheres about the apex, as those of the teeth are (close to the back cones of real blanks).

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
