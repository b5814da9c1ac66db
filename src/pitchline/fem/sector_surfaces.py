"""The grid of one tooth made from its flank surfaces: spiral bevel, hypoid, cycloidal and others that have no grid of their own.

Layers of nodes follow the lines v = constant of both flanks, so that nodes lie on the surfaces at equal steps of u and v. In the
coordinates of a chart (`charts`) a layer is a section P and a height ζ above the middle. On the flanks ζ is that of the surface;
inside the tooth it changes linearly from flank to flank, and below the form line it approaches that of the layer.

Surfaces end at the form line. Below it a fillet continues them: a cubic curve in the section that begins with the tangent of the
flank and ends with that of the root circle of the nominal gear. Where a flank reaches below that circle, the root lies deeper.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import NamedTuple

import numpy as np
import scipy.sparse as sp
from scipy.sparse.linalg import splu
from scipy.spatial import cKDTree

from pitchline.base.arguments import names_wrong_arguments
from pitchline.base.types import ComplexArray, FloatArray, IntArray
from pitchline.errors import ModelError, shown
from pitchline.parts.gears.geometry.gear import Gear
from pitchline.parts.gears.geometry.inputs import Material, in_mm, positive
from pitchline.parts.gears.geometry.rack import Rack
from pitchline.parts.gears.surfaces.from_gears import SurfaceTeeth, surface_teeth
from pitchline.parts.gears.surfaces.patch import FlankPatch
from pitchline.parts.gears.teeth.bevel import BevelTeeth
from pitchline.parts.gears.teeth.teeth import Teeth
from pitchline.solids.mass_properties import GEAR_SHAPE, MassProperties, shaped

from .charts import Chart, RepeatedGrid, chart_of
from .element_matrices import element_masses
from .hexahedra import EDGES
from .sector_grid import assemble, bevel_sector_grid, inner_cone, sector_grid
from .sector_options import Fineness, SectorPlan, plan_section
from .sector_outline import SectionNodes, SideRuns, ToothOutline, lay_out
from .sector_rack import WAYS_OUT, is_steep, rack_sector_grid, too_steep
from .solid_grid import SolidGrid, grid_quality
from .surface_grid import closest_points
from .tooth_sector import FlankedGrid, ToothSector

__all__ = [
    "FlankDeviation",
    "flank_deviation",
    "moved_grid",
    "patch_sector",
    "surface_sector_grid",
    "GridMass",
    "grid_mass",
    "mass_and_inertia",
    "toothed_solid",
]


# ---- moved grid

# A grid of nominal teeth whose flanks are moved onto other surfaces.
#
# Nodes of a flank move to the closest point of its surface, along the normal. The sides of the sector and its bore
# stay. All nodes between move by the mean of their neighbours (Laplace's equation on the edges of the elements), so
# that elements keep their shape.

_END = 1e-3
"""Nodes are on the surface up to this part of an edge beyond its end."""


class FlankDeviation(NamedTuple):
    """How a grid of nominal teeth differs from surfaces.

    shifts: by which the nodes of each flank are below its surface, as vectors (nodes, 3) [m]. largest: of them [m]. outside: how
    far surfaces reach beyond the nodes of the nominal flanks [m], apart from the length of an edge.
    """

    shifts: dict[str, FloatArray]
    largest: float
    outside: float


def flank_deviation(teeth: SurfaceTeeth, grid: FlankedGrid) -> FlankDeviation:
    """Compare the flanks of a grid with surfaces."""
    shifts, largest, outside = {}, 0.0, 0.0
    for side, flank in grid.flanks.items():
        nodes = _members(flank.nodes)
        places = grid.solid.nodes[nodes]
        patch = teeth.flank(side)
        at = closest_points(patch, places)
        away = -at.above[:, None] * at.normals
        lattice = grid.solid.nodes[flank.nodes[:: grid.solid.order, :: grid.solid.order]]
        edge = max(float(np.linalg.norm(np.diff(lattice, axis=k), axis=-1).max()) for k in (0, 1))
        # nodes beyond the end of the surface move as the nearest ones on it
        on = np.flatnonzero(at.beyond <= _END * edge)
        if not len(on):
            return FlankDeviation({}, np.inf, np.inf)
        nearest = on[cKDTree(places[on]).query(places)[1]]
        shifts[side] = away[nearest]
        largest = max(largest, float(np.abs(at.above[on]).max()))
        ends = np.linspace(0.0, 1.0, 9)
        apart = cKDTree(places).query(patch.point(ends[:, None], ends).reshape(-1, 3))[0]
        outside = max(outside, float(apart.max()) - edge)
    return FlankDeviation(shifts, largest, outside)


def moved_grid(grid: FlankedGrid, shifts: dict[str, FloatArray]) -> SolidGrid:
    """The grid with its flanks moved by vectors (nodes of the flank, 3) [m]."""
    solid = grid.solid
    count = len(solid.nodes)
    fixed = np.zeros(count, dtype=bool)
    fixed[np.concatenate([grid.low_side, grid.high_side, grid.bore])] = True
    shift = np.zeros((count, 3))
    for side, vectors in shifts.items():
        nodes = _members(grid.flanks[side].nodes)
        shift[nodes], fixed[nodes] = vectors, True
    i, j = _edges(solid)
    ones = np.ones(len(i))
    links = sp.csr_matrix((np.concatenate([ones, ones]), (np.r_[i, j], np.r_[j, i])), (count, count))
    links.data[:] = 1.0
    laplace = (sp.diags(np.asarray(links.sum(axis=1)).ravel()) - links).tocsr()
    free = np.flatnonzero(~fixed)
    right = -laplace[free][:, np.flatnonzero(fixed)] @ shift[fixed]
    shift[free] = splu(laplace[free][:, free].tocsc()).solve(right)
    return SolidGrid(solid.nodes + shift, solid.elements, solid.node_sets)


def _members(nodes: IntArray) -> IntArray:
    flat = nodes.ravel()
    return np.unique(flat[flat >= 0])


def _edges(solid: SolidGrid) -> tuple[IntArray, IntArray]:
    """Pairs of neighbours along the edges of the elements; a mid-edge node is between its corners."""
    pairs = []
    for k, (a, b) in enumerate(EDGES):
        if solid.order == 1:
            pairs.append(solid.elements[:, [a, b]])
        else:
            pairs += [solid.elements[:, [a, 8 + k]], solid.elements[:, [8 + k, b]]]
    both = np.unique(np.sort(np.concatenate(pairs), axis=1), axis=0)
    return both[:, 0], both[:, 1]


_CLEARANCE = 0.1
"""Least depth of the root below the form line, by the normal module."""
_WIDE = 1.2
"""How far from the flank a fillet touches the root, by the radius of the tool's rounding."""
_ROUND = 0.55
"""Length of the tangents of a cubic curve by the radius of the quarter circle that it is close to."""
_TURN = 0.3
"""How far a layer turns, at most [rad]."""
_WORST = 0.05
"""Least scaled Jacobian of an element."""


class _PatchSide(SideRuns):
    """One side of a tooth in the layers v (k,); points are turned by the conjugate of the direction of the tooth."""

    def __init__(
        self,
        patch: FlankPatch,
        chart: Chart,
        v: FloatArray,
        direction: ComplexArray,
        root: FloatArray,
        rounding: float,
        side: float,
    ) -> None:
        self.patch, self.chart, self.v, self.direction = patch, chart, v, direction
        self.root_radius, self.side = root, side
        form, above = (self._on(np.full(1, u))[0] for u in (0.0, 1e-3))
        self.form = form[:, 0]
        depth = np.abs(self.form) - root
        # the fillet touches the root circle about one rounding away from the flank, but never beyond the middle of the space
        turn = np.abs(np.angle(self.form))
        room = chart.half_pitch - turn
        wide = np.minimum(np.minimum(_WIDE * rounding, depth), 0.85 * room * root)
        self.touch: ComplexArray = np.exp(1j * side * (turn + wide / root))
        self.touch *= root
        along_root = -1j * side * self.touch / root
        up = (above[:, 0] - self.form) / np.abs(above[:, 0] - self.form)
        # control points of a cubic Bezier curve from the root to the flank, close to an arc with a straight piece above it
        down = np.maximum(_ROUND * depth, depth - wide * (1.0 - _ROUND))
        self.control = (self.touch, self.touch + _ROUND * wide * along_root, self.form - down * up, self.form)
        self._measure(np.zeros(len(v)), np.ones(len(v)), 1.0, side)

    def _on(self, u: FloatArray) -> tuple[ComplexArray, FloatArray]:
        """P (k, n), turned, and ζ (k, n) of the flank."""
        P, zeta = self.chart.section(self.patch.point(u[None, :], self.v[:, None]))
        return P * np.conj(self.direction)[:, None], zeta

    def heights(self, u: FloatArray) -> FloatArray:
        """ζ [m], (k, n), of the flank."""
        return self._on(u)[1]

    def land_points(self, u: FloatArray) -> ComplexArray:
        """On the root circle from the middle of the space to the fillet."""
        last = np.abs(np.angle(self.touch))[:, None]
        angle = self.chart.half_pitch + u * (last - self.chart.half_pitch)
        P: ComplexArray = self.root_radius[:, None] * np.exp(1j * self.side * angle)
        return P

    def fillet_points(self, u: FloatArray) -> ComplexArray:
        """On the cubic curve."""
        a, b, c, d = (point[:, None] for point in self.control)
        w = 1.0 - u
        P: ComplexArray = w**3 * a + 3.0 * w**2 * u * b + 3.0 * w * u**2 * c + u**3 * d
        return P

    @property
    def involute_length(self) -> FloatArray:
        """Of the flank in the section [m], (k,)."""
        return np.abs(np.diff(self._on(np.linspace(0.0, 1.0, 33))[0], axis=1)).sum(axis=1)

    def roll_lengths(self, fractions: FloatArray) -> FloatArray:
        """u, (k, n)."""
        return np.broadcast_to(np.atleast_2d(fractions), (len(self.v), np.size(fractions))).copy()

    def involute_run(self, fractions: FloatArray) -> ComplexArray:
        """From the form line (0) to the tip (1)."""
        return self._on(np.asarray(fractions, dtype=np.float64).ravel())[0]


@dataclass(frozen=True)
class _Layers:
    """Both sides of the tooth in the layers v, with ζ of the layers."""

    right: _PatchSide
    left: _PatchSide
    direction: ComplexArray
    zeta: FloatArray

    @classmethod
    def of(cls, teeth: SurfaceTeeth, chart: Chart, v: FloatArray, root: float, clearance: float) -> _Layers:
        forms, heights = {}, []
        for side in ("right", "left"):
            P, zeta = chart.section(teeth.flank(side).point(np.array([0.0, 0.5])[None, :], v[:, None]))
            forms[side] = P[:, 0]
            heights.append(zeta[:, 1])
        middle = forms["right"] / np.abs(forms["right"]) + forms["left"] / np.abs(forms["left"])
        direction: ComplexArray = middle / np.abs(middle)
        lowest = np.minimum(np.abs(forms["right"]), np.abs(forms["left"]))
        radius = np.minimum(root, lowest - clearance)
        sides = {
            name: _PatchSide(teeth.flank(name), chart, v, direction, radius, teeth.gear.root_radius, sign)
            for name, sign in (("right", -1.0), ("left", 1.0))
        }
        return cls(sides["right"], sides["left"], direction, 0.5 * (heights[0] + heights[1]))

    def outline(self) -> ToothOutline:
        tips = [np.abs(side.involute_run(np.ones(1))[:, 0]) for side in (self.right, self.left)]
        return ToothOutline(
            right=self.right,
            left=self.left,
            direction=self.direction,
            tip_radius=0.5 * (tips[0] + tips[1]),
            half_pitch=self.right.chart.half_pitch,
            sense=1.0,
        )


def patch_sector(teeth: SurfaceTeeth, fineness: Fineness, *, root: float, inner: float) -> ToothSector:
    """The grid of tooth 0 and the body below it, from its flank surfaces.

    root, inner: radii of root and bore in the section of the chart [m].
    """
    gear = teeth.gear
    _check(gear)
    chart = chart_of(gear)
    clearance = _CLEARANCE * gear.normal_module
    rough = _Layers.of(teeth, chart, np.linspace(0.0, 1.0, 9), root, clearance)
    turns = float(np.abs(np.angle(rough.direction[1:] / rough.direction[:-1])).sum())
    width = max(patch.lengths[1] for patch in (teeth.left, teeth.right))
    plan = plan_section(
        rough.outline(),
        fineness,
        module=gear.normal_module,
        half_tooth=0.25 * math.pi * gear.transverse_module,
        circles=(inner,),
        width=width,
        longest_layer=_TURN * width / (turns + 1e-300),
    )
    away = -1.0 if isinstance(gear, Gear) and gear.cone_angle < 0.0 else 1.0
    plan = replace(plan, mirrored=away < 0.0)
    # v goes from the inner to the outer end of a bevel tooth, which is against z where the apex is above
    layers = _Layers.of(teeth, chart, plan.zeta / width + 0.5, root, clearance)
    section = lay_out(
        layers.outline(),
        plan.counts,
        plan.order,
        crown_depth=plan.crown_depth,
        radii=plan.radii,
        across_growth=plan.across_growth,
        crown_growth=plan.crown_growth,
        ring_growth=plan.ring_growth,
    )
    points = chart.space(section.points, layers.zeta[:, None] + _heights(layers, section, plan))
    sector = ToothSector(teeth, *assemble(plan, section, points))
    quality = grid_quality(sector.solid)
    if not quality.valid or quality.scaled_jacobian < _WORST:
        raise ModelError(
            "elastic gear: these flank surfaces cannot be divided into elements (scaled Jacobian "
            f"{quality.scaled_jacobian:.2f} at worst): check that both flanks belong to the same tooth, with the material "
            f"between them. {WAYS_OUT}"
        )
    return sector


def _heights(layers: _Layers, section: SectionNodes, plan: SectorPlan) -> FloatArray:
    """ζ of all points of the section above that of their layer [m], (k, points)."""
    lattice = section.lattice
    found = np.zeros(section.points.shape)
    rows, columns = lattice.tooth.shape
    start = lattice.flank_rows.start
    u = section.roll_lengths["right"][0]
    edges = []
    for side in (layers.right, layers.left):
        edge = np.zeros((len(layers.zeta), rows))
        edge[:, start:] = side.heights(u) - layers.zeta[:, None]
        edge[:, :start] = edge[:, start : start + 1] * np.linspace(0.0, 1.0, start + 1)[:-1] ** 2
        edges.append(edge)
    across = np.linspace(0.0, 1.0, columns)
    found[:, lattice.tooth] = edges[0][:, :, None] * (1.0 - across) + edges[1][:, :, None] * across
    return found


def _check(gear: Gear | Rack) -> None:
    if isinstance(gear, Gear) and gear.internal:
        raise ModelError(
            "elastic gear: the flanks of an internal gear must be close to those of its nominal gear (a quarter of the module). "
            + WAYS_OUT
        )
    if is_steep(gear):
        raise too_steep(gear)


# ---- sector surfaces

# The grid of one tooth of any gear, for teeth that are surfaces.
#
# Where the flanks are close to those of the nominal gear, its grid is taken, with the nodes of the flanks moved onto
# the surfaces. It has the fillets of the nominal teeth and the body of the gear. All others are divided by their
# flank surfaces (`patch_sector`).

_CLOSE = 0.25
"""Distance of flanks from those of the nominal gear, by the normal module, up to which its grid is moved ..."""
_EQUAL = 1e-3
"""... and up to which it is taken as it is: modifications of micrometres do not change elasticity."""
_OF_BODY = {
    "cylinder": ("bore", "rim_diameter", "rim_thickness", "web_thickness", "hub_diameter"),
    "bevel": ("rim_thickness",),
    "rack": ("depth",),
}


@names_wrong_arguments
def surface_sector_grid(
    teeth: SurfaceTeeth,
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
    depth: object = None,
) -> ToothSector:
    """A grid of hexahedra of tooth 0 of teeth of any shape and the body below it; see `sector_grid` for the options.

    Parameters
    ----------
    teeth
        Their nominal gear is a cylindrical gear, a bevel gear or a rack.
    bore, rim_diameter, rim_thickness, web_thickness, hub_diameter
        Of cylindrical gears, as in `sector_grid`. Of bevel gears rim_thickness, see `bevel_sector_grid`.
    depth
        Of racks: height of the body below the reference line [m].
    """
    if not isinstance(teeth, SurfaceTeeth):
        raise ModelError(f"surface sector grid: expected SurfaceTeeth, got {shown(teeth)}")
    gear = teeth.gear
    kind = "rack" if isinstance(gear, Rack) else "bevel" if gear.cone_angle else "cylinder"
    given = {
        "bore": bore,
        "rim_diameter": rim_diameter,
        "rim_thickness": rim_thickness,
        "web_thickness": web_thickness,
        "hub_diameter": hub_diameter,
        "depth": depth,
    }
    for name, value in given.items():
        if value is not None and name not in _OF_BODY[kind]:
            raise ModelError(
                f"surface sector grid: {name} does not apply to a {_NAMES[kind]}; its body has {', '.join(_OF_BODY[kind])}"
            )
    fineness = {
        "order": order,
        "flank_edge": flank_edge,
        "flank_depth": flank_depth,
        "size": size,
        "face_elements": face_elements,
        "flank_elements": flank_elements,
        "fillet_elements": fillet_elements,
        "root_elements": root_elements,
        "across_elements": across_elements,
        "body_elements": body_elements,
    }
    body = {name: given[name] for name in _OF_BODY[kind]}
    nominal = _nominal(gear, fineness, body)
    if nominal is not None:
        found = _close_to(nominal, teeth)
        if found is not None:
            return found
    root, inner = _radii(gear, body)
    return patch_sector(teeth, Fineness(**fineness), root=root, inner=inner)


_NAMES = {"rack": "rack", "bevel": "bevel gear", "cylinder": "cylindrical gear"}


def _nominal(gear: Gear | Rack, fineness: dict[str, object], body: dict[str, object]) -> FlankedGrid | None:
    """The grid of the nominal gear; None where it has no teeth of its own."""
    if isinstance(gear, Rack):
        return rack_sector_grid(gear, **fineness, **body)
    plain = gear.with_(modifications=None, flanks=None)
    if not gear.cone_angle:
        if is_steep(gear):
            return None
        try:
            teeth = Teeth(plain)
        except ModelError:
            return None
        return sector_grid(teeth, **fineness, **body)
    if gear.helix_angle:
        return None
    try:
        bevel = BevelTeeth(plain)
    except ModelError:
        return None
    return bevel_sector_grid(bevel, **fineness, **body)


def _close_to(nominal: FlankedGrid, teeth: SurfaceTeeth) -> ToothSector | None:
    """The nominal grid on the surfaces of the teeth, if they are close to it."""
    deviation = flank_deviation(teeth, nominal)
    module = teeth.gear.normal_module
    if deviation.largest > _CLOSE * module or deviation.outside > _EQUAL * module:
        return None
    if deviation.largest <= _EQUAL * module:
        found = ToothSector.of(teeth, nominal)
    else:
        found = ToothSector.of(teeth, nominal, moved_grid(nominal, deviation.shifts))
        if not grid_quality(found.solid).valid:
            return None
    try:  # a surface that reaches beyond the nominal flank, over the tip or into the fillet, has hats without elements
        for side in found.flanks:
            found.hats(side)
    except ModelError:
        return None
    return found


def _radii(gear: Gear | Rack, body: dict[str, object]) -> tuple[float, float]:
    """Radii of root and end of the body in the section [m]."""
    chart = chart_of(gear)
    if isinstance(gear, Rack):
        given = body["depth"]
        back = positive(given, "length", "surface sector grid: depth") if given is not None else gear.depth
        if back is None:
            back = gear.dedendum + 3.0 * gear.normal_module
        return chart.radius(-gear.dedendum), chart.radius(-back)
    if gear.cone_angle:
        root = abs(gear.cone_angle) - math.atan(gear.dedendum / gear.mean_cone_distance)
        return chart.radius(root), chart.radius(inner_cone(gear, root, body["rim_thickness"]))
    for name in ("rim_diameter", "rim_thickness", "web_thickness", "hub_diameter"):
        if body[name] is not None or (name != "rim_diameter" and getattr(gear.body, name) is not None):
            raise ModelError(f"elastic gear: {name} is only for flanks close to those of the nominal gear. {WAYS_OUT}")
    hole = gear.bore if body["bore"] is None else positive(body["bore"], "length", "surface sector grid: bore")
    if not hole:
        raise ModelError(
            "surface sector grid: the gear has no bore, but hexahedra cannot end at an axis. Specify bore, here or for the "
            f"gear, such as the diameter of its shaft ({in_mm(0.2 * gear.root_diameter)})"
        )
    return 0.5 * gear.root_diameter, 0.5 * hole


# ---- gear properties

# Mass and moments of inertia of a whole gear from the grid of one sector.

_CHUNK = 512
"""Elements at a time."""


class GridMass(NamedTuple):
    """Mass [kg], centre of mass (3,) [m] and inertia (3, 3) about it [kg m²], in the axes of the gear."""

    mass: float
    centre: FloatArray
    inertia: FloatArray


def grid_mass(grid: RepeatedGrid, material: Material, *, teeth: int | None = None) -> GridMass:
    """Mass properties of a whole gear or rack from the grid of one sector.

    Moments ∫ρ dV, ∫ρ x dV and ∫ρ x xᵀ dV of a sector are those of its finite elements. Summed over z ≥ 3 sectors of a gear, those
    about x and y become equal and the products vanish. teeth: of a rack, at their places along it.
    """
    nodes = np.asarray(grid.solid.nodes, dtype=np.float64)
    mass, first, second = 0.0, np.zeros(3), np.zeros((3, 3))
    for start in range(0, len(grid.solid.elements), _CHUNK):
        at = nodes[grid.solid.elements[start : start + _CHUNK]]
        M = element_masses(at, density=material.density, first=start)
        weighed = M @ at
        mass += float(M.sum())
        first += weighed.sum(axis=(0, 1))
        second += np.einsum("eai,eaj->ij", at, weighed)
    z = grid.repetition.count if teeth is None else teeth
    if grid.repetition.straight:  # the x axis goes through the middle tooth, or through the one before the middle
        places = grid.repetition.travel * (np.arange(z) - (z - 1) // 2)
        along = np.array([0.0, 1.0, 0.0])
        shift, square = float(places.sum()), float(places @ places)
        second = z * second + shift * (np.outer(along, first) + np.outer(first, along))
        second += mass * square * np.outer(along, along)
        first = z * first + mass * shift * along
    else:
        half = 0.5 * z * float(second[0, 0] + second[1, 1])
        second = np.diag([half, half, z * float(second[2, 2])])
        first = z * np.array([0.0, 0.0, float(first[2])])
    mass *= z
    centre = first / mass
    second = 0.5 * (second + second.T) - mass * np.outer(centre, centre)
    return GridMass(mass, centre, np.trace(second) * np.eye(3) - second)


def mass_and_inertia(
    grid: RepeatedGrid, material: Material, *, teeth: int | None = None
) -> tuple[float, FloatArray, float]:
    """Mass [kg], moments of inertia (3,) about the axes of the gear through the centre of mass [kg m²], and the place of
    the centre along the axis [m]. teeth: of a rack."""
    found = grid_mass(grid, material, teeth=teeth)
    return found.mass, np.diag(found.inertia).copy(), float(found.centre[2])


@names_wrong_arguments
def toothed_solid(gear: Gear | Rack) -> MassProperties:
    """Mass, centre of mass and inertia of a gear or rack with its teeth, of the grid that its finite elements have by default.

    `Gear.solid` has the same teeth, by an integral over their outline, and needs no bore. A cylindrical gear needs a face width and
    a bore here, a straight bevel gear and a rack a face width. The body of a bevel gear is the rim of its grid.
    """
    if not isinstance(gear, (Gear, Rack)):
        raise ModelError(f"toothed solid: expected a Gear or a Rack, got {shown(gear)}")
    return _toothed(gear if isinstance(gear, Rack) else gear.with_(modifications=None))


@lru_cache(maxsize=32)
def _toothed(gear: Gear | Rack) -> MassProperties:
    grid: RepeatedGrid
    if gear.flanks is not None:
        grid = surface_sector_grid(surface_teeth(gear))
    elif isinstance(gear, Rack):
        grid = rack_sector_grid(gear)
    else:
        grid = bevel_sector_grid(BevelTeeth(gear)) if gear.cone_angle else sector_grid(gear)
    found = grid_mass(grid, gear.material, teeth=gear.teeth)
    x, y, z = (float(v) for v in found.centre)
    solid = MassProperties(found.mass, (x, y, z), found.inertia, what="toothed solid")
    return solid if isinstance(gear, Rack) else shaped(solid, GEAR_SHAPE)
