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

import numpy as np

from ..errors import ModelError
from ..gears.gear import Gear
from ..gears.rack import Rack
from ..gears.surfaces import FlankPatch, SurfaceTeeth
from ..gears.teeth.arrays import ComplexArray, FloatArray
from .charts import Chart, chart_of
from .grid_quality import grid_quality
from .sector_grid import assemble
from .sector_options import Fineness, SectorPlan, plan_section
from .sector_outline import SideRuns, ToothOutline
from .sector_section import SectionNodes, lay_out
from .steep_teeth import WAYS_OUT, is_steep, too_steep
from .tooth_sector import ToothSector

__all__ = ["patch_sector"]

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
