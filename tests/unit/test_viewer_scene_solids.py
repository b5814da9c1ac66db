"""Solids of a scene against closed forms: volumes by the divergence theorem, closed surfaces, normals outwards."""

import math

import numpy as np
import pytest
from references.scene_heads import check_closed

from pitchline.parts.gears.scene import mesh_shape, one_of, turned_shape
from pitchline.parts.gears.triangles import Triangles
from pitchline.viewer.block import Block
from pitchline.viewer.scene_checked import inertia_solid, link_bars
from pitchline.viewer.scene_parts import SEGMENTS, box, circle, disc, extruded, sphere, tube_along, turned, turned_piece

POLYGON = SEGMENTS / (2 * math.pi) * math.sin(2 * math.pi / SEGMENTS)
"""Area of the polygon over that of its circle."""


def test_turned_solids_have_their_volume_and_are_closed() -> None:
    ring = turned(disc(0.05, 0.03, -0.01, 0.02))
    check_closed(ring)
    assert ring.volume == pytest.approx(POLYGON * math.pi * (0.05**2 - 0.03**2) * 0.03, rel=1e-12)
    cone = turned([(0.0, 0.0), (0.04, 0.0), (0.02, 0.06), (0.0, 0.06)])
    check_closed(cone)
    assert cone.volume == pytest.approx(POLYGON * math.pi * 0.06 / 3 * (0.04**2 + 0.04 * 0.02 + 0.02**2), rel=1e-12)
    # an outline the other way round is the same solid
    assert turned(disc(0.05, 0.03, -0.01, 0.02)[::-1]).volume == pytest.approx(ring.volume, rel=1e-12)
    piece = turned_piece(disc(0.05, 0.03, -0.01, 0.02))
    assert len(piece.triangles) * SEGMENTS == len(ring.triangles)
    assert len(piece.edges) == 4  # four sharp rims


def test_spheres_boxes_and_plates_have_their_volume() -> None:
    ball = sphere(0.02, 64, 32)
    check_closed(ball)
    assert ball.volume == pytest.approx(4 / 3 * math.pi * 0.02**3, rel=5e-3)
    assert np.linalg.norm(ball.normals, axis=-1) == pytest.approx(np.ones(ball.normals.shape[:2]))
    block = box((0.1, 0.2, 0.3), (1.0, 0.0, 0.0))
    check_closed(block)
    assert block.volume == pytest.approx(0.006) and len(block.edges) == 12
    plate = extruded(circle(0.05), 0.0, 0.01, circle(0.02))
    check_closed(plate)
    assert plate.volume == pytest.approx(POLYGON * math.pi * (0.05**2 - 0.02**2) * 0.01)


def test_bars_follow_their_line() -> None:
    angle = np.linspace(0.0, 0.5 * math.pi, 60)
    c, s, zero = np.cos(angle), np.sin(angle), np.zeros(60)
    centres = 0.3 * np.column_stack([c, s, zero])
    along, out = np.column_stack([-s, c, zero]), np.column_stack([c, s, zero])
    up = np.cross(along, out)
    bar = tube_along(
        centres, np.stack([out, up, along], axis=-1), [(-0.01, -0.02), (0.01, -0.02), (0.01, 0.02), (-0.01, 0.02)]
    )
    check_closed(bar)
    assert bar.volume == pytest.approx(0.02 * 0.04 * 0.3 * 0.5 * math.pi, rel=1e-3)  # Pappus


def inertia_of(surface: Triangles) -> tuple[float, np.ndarray, np.ndarray]:
    """Volume, centroid and second moments about it of what a surface encloses, by tetrahedra from the origin."""
    p = surface.points[surface.triangles]
    v = np.einsum("ti,ti->t", p[:, 0], np.cross(p[:, 1], p[:, 2])) / 6.0
    total = v.sum()
    centre = np.einsum("t,tci->i", v, p) / 4.0 / total
    q = p - centre
    v = np.einsum("ti,ti->t", q[:, 0], np.cross(q[:, 1], q[:, 2])) / 6.0
    sums = q.sum(axis=1)
    second = np.einsum("t,tij->ij", v / 20.0, np.einsum("tci,tcj->tij", q, q) + np.einsum("ti,tj->tij", sums, sums))
    return total, centre, np.trace(second) * np.eye(3) - second


@pytest.mark.parametrize(
    "inertia, kind",
    [
        ((0.02, 0.02, 0.03), "cylinder"),
        ((0.01, 0.02, 0.025), "box"),
        ((0.02, 0.02, 0.02), "sphere"),
        ((0.03, 0.01, 0.03), "cylinder"),
    ],
)
def test_stand_in_has_the_inertia_of_its_body(inertia: tuple, kind: str) -> None:
    turn = np.linalg.qr(np.array([[1.0, 0.3, 0.2], [0.1, 1.0, 0.4], [0.5, 0.2, 1.0]]))[0]
    J = turn @ np.diag(inertia) @ turn.T
    solid = inertia_solid({"mass": 2.0, "inertia": J.tolist(), "centre_of_mass": [0.1, -0.2, 0.3]})
    assert solid is not None and solid.kind == kind
    surface = solid.surface
    check_closed(surface)
    volume, centre, moments = inertia_of(surface)
    assert centre == pytest.approx(np.array([0.1, -0.2, 0.3]), abs=1e-9)
    assert 2.0 / volume * moments == pytest.approx(J, rel=0.02, abs=2e-4)  # circles are polygons
    assert solid.volume == pytest.approx(volume, rel=0.02)
    inside = solid.contains(np.array([[0.1, -0.2, 0.3], [9.0, 0.0, 0.0]]))
    assert inside.tolist() == [True, False]


@pytest.mark.parametrize("body", [{"mass": 0.0, "inertia": np.eye(3)}, {"mass": 1.0, "inertia": np.zeros((3, 3))}])
def test_bodies_without_size_have_no_solid(body: dict) -> None:
    assert inertia_solid({**body, "centre_of_mass": [0, 0, 0]}) is None


def test_links_join_all_places_once() -> None:
    places = np.array([[0.0, 0, 0], [0.5, 0, 0], [0.5, 0.3, 0], [0.5, 0, 0]])
    bars = link_bars(places, 0.02)
    assert bars.points.min(axis=0) == pytest.approx([-0.0135] * 3, abs=1e-3)
    assert bars.points.max(axis=0) == pytest.approx([0.5135, 0.3135, 0.0135], abs=1e-3)
    eyes, rods = 3 * 4 / 3 * math.pi * 0.0135**3, 0.8 * math.pi * 0.01**2
    assert bars.volume == pytest.approx(eyes + rods, rel=0.05)


def test_shapes_keep_places_normals_and_edges() -> None:
    block = Block()
    solid = turned(disc(0.05, 0.03, -0.01, 0.02))
    whole = mesh_shape(block, "whole", solid)
    piece = one_of(solid, SEGMENTS)
    assert piece is not None
    one = turned_shape(block, "one", piece, SEGMENTS)
    assert block.arrays[whole["index"]]["shape"] == [SEGMENTS * block.arrays[one["index"]]["shape"][0]]
    assert block.arrays[whole["position"]]["shape"][0] < len(solid.triangles) * 3  # corners are shared
    assert block.arrays[whole["normal"]]["dtype"] == "i1" and block.arrays[whole["position"]]["dtype"] == "f4"
    assert whole["reach"] == pytest.approx(math.hypot(0.05, 0.02))
    assert one_of(solid, SEGMENTS + 1) is None  # not so many equal pieces
