"""Hats on flanks of any shape: their loads on any finite elements, compared with those on involute grids."""

from dataclasses import dataclass

import numpy as np
import pytest

import pitchline as pl
from pitchline.errors import ModelError
from pitchline.fem import sector_grid
from pitchline.fem.surface_grid import closest_points, flank_grid, surface_grid, surface_hats
from pitchline.fem.surface_loads import faces_among

COARSE = {
    "flank_elements": 5,
    "face_elements": 3,
    "fillet_elements": 2,
    "root_elements": 2,
    "across_elements": 2,
    "body_elements": 3,
}


@dataclass(frozen=True)
class InvoluteSurface:
    """An involute flank over u, even in arc, and v."""

    teeth: pl.Teeth
    side: str

    def _at(self, u, v):
        flank = self.teeth.flank(self.side)
        form, tip = (float(f(0.0)) for f in (flank.form_roll_length, flank.tip_roll_length))
        u, v = np.broadcast_arrays(np.asarray(u, dtype=float), np.asarray(v, dtype=float))
        return flank.involute, np.sqrt(form**2 + u * (tip**2 - form**2)), (v - 0.5) * self.teeth.gear.face_width

    def point(self, u, v):
        involute, L, z = self._at(u, v)
        return involute.point(L, z)

    def normal(self, u, v):
        involute, L, z = self._at(u, v)
        return involute.normal(L, z)

    def tangents(self, u, v):
        h = 1e-6
        across = self.point(u + h, v) - self.point(u - h, v)
        return across / (2 * h), (self.point(u, v + h) - self.point(u, v - h)) / (2 * h)


@dataclass(frozen=True)
class Saddle:
    """z = x y / R over a square."""

    width: float = 0.01
    radius: float = 0.02

    def _xy(self, u, v):
        return (self.width * (t - 0.5) for t in np.broadcast_arrays(np.asarray(u, float), np.asarray(v, float)))

    def point(self, u, v):
        x, y = self._xy(u, v)
        return np.stack([x, y, x * y / self.radius], axis=-1)

    def tangents(self, u, v):
        x, y = self._xy(u, v)
        one, zero = np.ones_like(x), np.zeros_like(x)
        return (
            self.width * np.stack([one, zero, y / self.radius], axis=-1),
            self.width * np.stack([zero, one, x / self.radius], axis=-1),
        )

    def normal(self, u, v):
        n = np.cross(*self.tangents(u, v))
        return n / np.linalg.norm(n, axis=-1, keepdims=True)


@pytest.fixture(scope="module", params=[0.0, "20 deg"], ids=["spur", "helical"])
def sector(request):
    gear = pl.Gear(teeth=20, normal_module="2 mm", face_width="8 mm", bore="16 mm", helix_angle=request.param)
    return sector_grid(pl.Teeth(gear), **COARSE)


@pytest.mark.parametrize("side", ["left", "right"])
def test_hats_of_an_involute_are_those_of_its_own_grid(sector, side):
    own, loads = flank_grid(sector, side)
    surface = InvoluteSurface(sector.teeth, side)
    faces = faces_among(sector.solid, sector.solid.node_set(f"{side} flank"))
    grid, found = surface_hats(surface, sector.solid.nodes, faces, surface_grid(surface, *own.shape))
    assert grid.shape == own.shape
    assert grid.areas == pytest.approx(own.areas, rel=1e-3)
    assert abs(found - loads).max() < 2e-3 * abs(loads).max()
    # the load of a uniform pressure does not depend on the hats
    assert found @ grid.areas == pytest.approx(loads @ own.areas, abs=1e-9 * grid.areas.sum())


def _sheet(surface: Saddle, n: int, kind: int) -> tuple[np.ndarray, np.ndarray]:
    """Nodes and faces of 3, 4, 6 or 8 nodes on a surface."""
    step = 2 if kind in (6, 8) else 1
    at = np.linspace(0.0, 1.0, step * n + 1)
    nodes = surface.point(*np.meshgrid(at, at, indexing="ij")).reshape(-1, 3)
    number = np.arange(len(at) ** 2).reshape(len(at), len(at))
    faces = []
    for i in range(0, step * n, step):
        for j in range(0, step * n, step):
            square = [(0, 0), (step, 0), (step, step), (0, step)]
            for corners in [square] if kind in (4, 8) else [square[:3], [square[0], *square[2:]]]:
                ring = corners + [
                    tuple((np.add(a, b) // 2).tolist())
                    for a, b in zip(corners, [*corners[1:], corners[0]], strict=True)
                ] * (step == 2)
                faces.append([number[i + a, j + b] for a, b in ring])
    return nodes, np.array(faces)


@pytest.mark.parametrize("kind", [3, 4, 6, 8])
def test_force_and_moment_of_loads_are_those_of_the_pressure(kind):
    surface = Saddle()
    nodes, faces = _sheet(surface, 6, kind)
    grid, loads = surface_hats(surface, nodes, faces, surface_grid(surface, 4, 7))
    exact = surface_grid(surface, 40, 40)
    into = -exact.normals.reshape(-1, 3) * exact.areas[:, None]
    force = np.asarray(loads @ grid.areas).reshape(-1, 3)
    coarse = 6e-3 if kind in (3, 4) else 2e-4
    assert grid.areas.sum() == pytest.approx(exact.areas.sum(), rel=coarse)
    assert force.sum(axis=0) == pytest.approx(into.sum(axis=0), abs=coarse * exact.areas.sum())
    # every hat for itself: the mean of its pressure is a unit force close to its point
    each = np.stack([np.asarray(loads[k::3].sum(axis=0)).ravel() for k in range(3)], axis=1)
    assert np.linalg.norm(each, axis=1) == pytest.approx(1.0, abs=0.02)
    inner = np.einsum("gk,gk->g", each, -grid.normals.reshape(-1, 3))
    assert inner.min() > 0.98
    # moment about the origin of a linear pressure: hats reproduce u and v
    for weights in (np.repeat(grid.u, grid.lines), np.tile(grid.v, grid.rows)):
        f = np.asarray(loads @ (grid.areas * weights)).reshape(-1, 3)
        fine = np.repeat(exact.u, exact.lines) if weights[1] == weights[0] else np.tile(exact.v, exact.rows)
        moment = np.cross(exact.points.reshape(-1, 3), into * fine[:, None]).sum(axis=0)
        assert np.cross(nodes, f).sum(axis=0) == pytest.approx(moment, abs=3 * coarse * exact.areas.sum() * 0.01)


def test_areas_of_hats_add_up_to_the_flank():
    surface = Saddle()
    coarse, fine = surface_grid(surface, 5, 3), surface_grid(surface, 21, 31)
    assert coarse.areas.sum() == pytest.approx(fine.areas.sum(), rel=1e-7)
    assert coarse.spacing[2, 1] * coarse.distance[2, 1] == pytest.approx(surface.width**2 / 8, rel=1e-12)


def test_closest_points_of_a_surface():
    surface, rng = Saddle(), np.random.default_rng(4)
    u, v, above = rng.uniform(0, 1, 60), rng.uniform(0, 1, 60), rng.uniform(-2e-4, 2e-4, 60)
    found = closest_points(surface, surface.point(u, v) + above[:, None] * surface.normal(u, v))
    assert found.u == pytest.approx(u, abs=1e-10)
    assert found.v == pytest.approx(v, abs=1e-10)
    assert found.above == pytest.approx(above, abs=1e-12)
    assert not found.beyond.any()
    outside = closest_points(surface, surface.point(np.array([1.0]), np.array([0.3])) + [[2e-3, 0.0, 0.0]])
    assert outside.u == pytest.approx([1.0])
    assert 1.8e-3 < outside.beyond[0] <= 2e-3


def test_faces_that_do_not_belong_to_the_flank():
    surface = Saddle()
    nodes, faces = _sheet(surface, 4, 4)
    grid = surface_grid(surface, 4, 4)
    with pytest.raises(ModelError, match=r"up to 2 mm away from the flank surface.*x through the middle of tooth 0"):
        surface_hats(surface, nodes + [0.0, 0.0, 2e-3], faces, grid)
    with pytest.raises(ModelError, match=r"left flank: the faces of elements cover only 0 % of the flank near u = 1"):
        surface_hats(surface, nodes, faces[:8], grid, what="left flank")
    with pytest.raises(ModelError, match="no faces of elements"):
        surface_hats(surface, nodes, faces[:0], grid)
    with pytest.raises(ModelError, match=r"3, 4, 6 or 8 nodes, got 5"):
        surface_hats(surface, nodes, np.zeros((1, 5), dtype=int), grid)
    with pytest.raises(ModelError, match="at least 2 rows and 2 lines"):
        surface_grid(surface, 1, 4)
