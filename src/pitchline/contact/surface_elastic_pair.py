"""Two elastic gears on parallel axes with flanks of any shape: `ElasticPair` with surfaces in place of involutes."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import numpy.typing as npt

from ..fem.elastic_gear import ElasticGear
from ..fem.flank_grid import FlankGrid
from ..gears import Gear
from ..gears.placement import Placement
from ..gears.surfaces import SurfaceTeeth, surface_teeth
from ..gears.teeth import Teeth
from ..gears.teeth.flank_pair import FlankPair
from .body_compliance import BodyCompliance, body_compliance
from .elastic_pair import ElasticPair, Ridges
from .flank_data import profile_place
from .half_space import contact_modulus, hat_compliance
from .strip_search import RecordArray
from .surface_pair import SurfacePair
from .surface_strips import SurfaceStripSearch

__all__ = ["SurfaceElasticPair", "elastic_pair", "involutes_of"]

FloatArray = npt.NDArray[np.float64]


def involutes_of(teeth: Teeth | SurfaceTeeth) -> Teeth:
    """The teeth themselves, or those of the nominal gear of surfaces, without modifications."""
    if isinstance(teeth, Teeth):
        return teeth
    assert isinstance(teeth.gear, Gear)
    return Teeth(teeth.gear.with_(modifications=None, flanks=None))


class SurfaceElasticPair(ElasticPair):
    """Two gears, one pair of sides. Parameters as for `ElasticPair`; surfaces: of the teeth of both gears.

    The hats of the elastic gears are those of involutes or of surfaces. Their nominal gears are cylindrical: base circles and roll
    lengths are those of the nominal gears.
    """

    def __init__(
        self, a: ElasticGear, b: ElasticGear, surfaces: tuple[SurfaceTeeth, SurfaceTeeth], *, side: str, pose: Placement,
        resolution: float = 4.0, cells: int = 15,
    ) -> None:  # fmt: skip
        self._surfaces = surfaces
        super().__init__(a, b, side=side, pose=pose, resolution=resolution, cells=cells)

    def _involutes(self) -> tuple[Teeth, Teeth]:
        return involutes_of(self.a.teeth), involutes_of(self.b.teeth)

    def _ridges(self, pair: FlankPair) -> tuple[Ridges, Ridges]:
        found = []
        for surfaces, side, shape in zip(
            self._surfaces, (self.side, self.side_b), (self.shape_a, self.shape_b), strict=True
        ):
            patch = surfaces.flank(side)
            along_u, along_v = patch.ridges
            r = np.hypot(*patch.point(along_u, 0.5)[:, :2].T)
            lengths = np.sqrt(np.maximum(r * r - shape.base_radius**2, 0.0))
            found.append((lengths, patch.point(0.5, along_v)[:, 2]))
        return found[0], found[1]

    def _bodies(self) -> tuple[BodyCompliance, BodyCompliance]:
        return _body(self.a, self.side), _body(self.b, self.side_b)

    def _search_in(self, zeta: FloatArray, count: int) -> SurfaceStripSearch:
        # each search has a pair of its own, whose records are changed by compiled code: there may be several threads
        pair = SurfacePair(*self._surfaces, self.pose, self.side, ratio=self.ratio)
        return SurfaceStripSearch(
            pair, (self.shape_a, self.shape_b), self.lever, zeta, count=count, resolution=self.resolution, modulus=self.modulus
        )  # fmt: skip

    def _places(self, on: str, cells: RecordArray) -> tuple[FloatArray, FloatArray]:
        search = self._search
        assert isinstance(search, SurfaceStripSearch)
        which = "ab".index(on)
        gear = (self.a, self.b)[which]
        side = (self.side, self.side_b)[which]
        grid = gear.grids[side]
        face = np.ascontiguousarray(cells[f"face_{on}"])
        if isinstance(grid, FlankGrid):
            lines = np.arange(grid.shape[1], dtype=np.float64)
            place = profile_place(grid, cells[f"length_{on}"], np.interp(face, grid.zeta, lines))
        else:
            place = np.clip(search.places[which][:, 0], 0.0, 1.0) * (grid.shape[0] - 1)
        return np.sqrt(place), face

    def _ratio(self) -> FloatArray | None:
        if isinstance(self.b.grids[self.side_b], FlankGrid):
            return None  # its hats are loaded along the normals of involutes, which all have one lever
        search = self._search
        assert isinstance(search, SurfaceStripSearch)
        return search.ratio


def elastic_pair(
    a: ElasticGear, b: ElasticGear, *, side: str, pose: Placement, resolution: float = 4.0, cells: int = 15
) -> ElasticPair:
    """Two cylindrical gears: by the closed form of involutes, or by surfaces if one of them has flanks of another origin."""
    if isinstance(a.teeth, Teeth) and isinstance(b.teeth, Teeth):
        return ElasticPair(a, b, side=side, pose=pose, resolution=resolution, cells=cells)
    surfaces = surface_teeth(a.teeth), surface_teeth(b.teeth)
    return SurfaceElasticPair(a, b, surfaces, side=side, pose=pose, resolution=resolution, cells=cells)


def _body(gear: ElasticGear, side: str) -> BodyCompliance:
    """Of a flank whose places along the profile are counted in hats: s = place, with L = sqrt(s) and r_b = 1/2."""
    grid = gear.grids[side]
    if isinstance(grid, FlankGrid):
        found = body_compliance(replace(gear, teeth=involutes_of(gear.teeth)), side)
        same = np.ones_like(found.spacing)
        return replace(found, first=0.0 * same, spacing=same, base_radius=0.5)
    rows, lines = grid.shape
    zeta = np.ascontiguousarray(grid.points[..., 2].mean(axis=0))
    ends = np.concatenate([zeta[:1], 0.5 * (zeta[1:] + zeta[:-1]), zeta[-1:]])
    widths = np.diff(ends) / math.cos(involutes_of(gear.teeth).flank(side).involute.base_helix_angle)
    across = np.linalg.norm(np.diff(grid.points, axis=0), axis=-1).mean(axis=0)
    scale = 1.0 / (math.pi * contact_modulus(gear.material))
    alike = zip(np.round(across, 13), np.round(widths, 13), strict=True)
    local = np.stack([hat_compliance(float(d), float(w), rows, scale=scale) for d, w in alike])
    size = grid.size
    compliance = np.require(gear.compliance[side, side].reshape(-1, size, size), np.float64, ["C", "W", "A"])
    reach, own = int(gear.offsets[-1]), not gear.symmetric
    first, spacing = np.zeros(lines), np.ones(lines)
    return BodyCompliance(zeta, widths, first, spacing, 0.5, rows, compliance, local, scale, reach, own)
