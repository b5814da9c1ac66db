"""Shaded pictures: what covers what, how bright, how coloured; gears that touch where they should."""

import itertools
import math

import numpy as np
import pytest
from matplotlib import colormaps

import pitchline.parts.gears.teeth as t
from pitchline.errors import ModelError, PitchlineError
from pitchline.fem.sector_grid import sector_grid
from pitchline.gears import Gear, GearPair, cone_angles
from pitchline.parts.contact.drawing import plot_contact_lines
from pitchline.parts.gears.drawing_solid import gears_in_mesh, plot_gears
from pitchline.parts.gears.solid_surface import gear_surface
from pitchline.parts.gears.triangles import Triangles
from pitchline.views.solid_picture import Camera, DrawnSurface, Line, PictureArea, area_around, plot_solid, rendered
from pitchline.views.solid_raster import draw

WHITE = (1.0, 1.0, 1.0)
SMALL = {"width": 1.2, "title": ""}


def cube() -> Triangles:
    """Of the side one, about the origin."""
    p = np.array([[x, y, z] for x in (-0.5, 0.5) for y in (-0.5, 0.5) for z in (-0.5, 0.5)])
    quads = [(0, 1, 3, 2), (4, 6, 7, 5), (0, 4, 5, 1), (2, 3, 7, 6), (0, 2, 6, 4), (1, 5, 7, 3)]
    triangles = np.array([[a, b, c] for a, b, c, _ in quads] + [[a, c, d] for a, _, c, d in quads])
    return Triangles(p, triangles)


def test_the_cube_has_its_faces_outside():
    assert cube().volume == pytest.approx(1.0)


def drawn(corners: list) -> tuple[np.ndarray, np.ndarray]:
    depth = np.full((20, 30), -np.inf, dtype=np.float32)
    owner = np.full((20, 30), -1, dtype=np.int32)
    draw(np.array(corners, dtype=float), 0, depth, owner)
    return depth, owner


def test_the_nearest_triangle_is_seen_whatever_comes_first():
    far = [[2.0, 2.0, 1.0], [22.0, 2.0, 1.0], [2.0, 18.0, 1.0]]
    near = [[4.0, 4.0, 3.0], [12.0, 4.0, 5.0], [4.0, 12.0, 3.0]]
    for order in ([far, near], [near, far]):
        depth, owner = drawn(order)
        seen = owner[6, 6]
        assert order[seen] is near
        assert depth[6, 6] == pytest.approx(3.0 + 2.5 * 2.0 / 8.0)  # halfway into the sample
        assert order[owner[15, 3]] is far and depth[15, 3] == pytest.approx(1.0)
        assert owner[19, 29] == -1


def test_triangles_side_by_side_leave_no_cracks():
    """A fan about a point that lies anywhere: every sample of the hexagon belongs to a triangle, also those on edges."""
    middle = np.array([14.3, 9.7, 0.0])
    rim = [middle + 8.5 * np.array([math.cos(a), math.sin(a), 0.0]) for a in np.linspace(0.1, 0.1 + 2 * math.pi, 7)]
    _, owner = drawn([[middle, a, b] for a, b in itertools.pairwise(rim)])
    y, x = np.mgrid[0:20, 0:30] + 0.5
    inside = np.hypot(x - middle[0], y - middle[1]) < 8.5 * math.cos(math.pi / 6) - 0.01
    assert (owner[inside] >= 0).all()
    # and slivers on their side, or out of the picture, do no harm
    _, owner = drawn(
        [[[-50.0, 5.5, 0.0], [80.0, 5.5, 0.0], [80.0, 5.5, 1.0]], [[1.0, 1.0, 0.0]] * 3, [[90.0, 90.0, 0.0]] * 3]
    )
    assert (owner == -1).all()


@pytest.mark.parametrize("view", [(0.0, 0.0), (30.0, 20.0), (-120.0, 65.0)])
def test_the_shadow_of_a_cube_is_as_large_as_it_should_be(view):
    """Seen from a direction e, a unit cube covers the sum of the components of e; upright edges may miss half a sample."""
    camera = Camera.of(view)
    area = PictureArea(-1.0, 1.0, -1.0, 1.0)
    image = rendered([DrawnSurface(cube(), WHITE, edges=0.0)], [], camera, area, columns=100, reach=0.05)
    assert image[..., 3].mean() * 4.0 == pytest.approx(np.abs(camera.axes[2]).sum(), abs=2.0 * 0.5 * 2.0 / 300.0)
    assert np.allclose(camera.axes @ camera.axes.T, np.eye(3))
    assert np.linalg.det(camera.axes) == pytest.approx(-1.0)  # y goes down


def test_light_comes_from_above_and_corners_are_darker():
    camera = Camera.of((0.0, 40.0))
    seen = area_around(cube().points, camera)
    image = rendered([DrawnSurface(cube(), (0.5, 0.5, 0.5), edges=0.0)], [], camera, seen, columns=60, reach=0.02)
    top, front = image[10, 30, :3], image[45, 30, :3]
    assert (top > front).all() and (front > 0.1).all()
    # a step: the ground beside a wall gets less light than the ground in the open
    ground = cube().moved(np.eye(3) * [4.0, 0.1, 4.0], (0.0, -0.55, 0.0))
    wall = cube().moved(np.eye(3) * [1.0, 0.3, 1.0], (0.0, -0.35, 0.0))
    above = Camera.of((0.0, 89.9))
    bodies = [DrawnSurface(ground, WHITE, edges=0.0), DrawnSurface(wall, WHITE, edges=0.0)]
    image = rendered(bodies, [], above, PictureArea(-2, 2, -2, 2), columns=80, reach=0.4)
    assert image[40, 52, 0] < 0.9 * image[40, 75, 0]


def test_values_are_coloured_by_the_scale():
    table = colormaps["viridis"](np.linspace(0.0, 1.0, 256))[:, :3]
    camera, area = Camera.of((0.0, 0.0)), PictureArea(-0.5, 0.5, -0.5, 0.5)
    body = cube()
    values = body.points[body.triangles][..., 0] + 0.5  # from left to right
    coloured = DrawnSurface(body, WHITE, values, edges=0.0)
    image = rendered([coloured], [], camera, area, columns=51, scale=table, reach=0.01)
    for column in (2, 25, 48):
        rgb = image[25, column, :3]
        wanted = table[round(255 * (column + 0.5) / 51)]
        assert rgb / rgb.sum() == pytest.approx(wanted / wanted.sum(), abs=0.03)
    red = DrawnSurface(body, (1.0, 0.0, 0.0), np.full_like(values, np.nan), edges=0.0)
    plain = rendered([red], [], camera, area, columns=9, scale=table, reach=0.01)
    assert plain[4, 4, 0] > 0.5 and plain[4, 4, 1] < 0.2


def test_lines_are_hidden_by_what_stands_before_them():
    camera, area = Camera.of((0.0, 0.0)), PictureArea(-1.0, 1.0, -1.0, 1.0)
    red = (1.0, 0.0, 0.0)
    before, behind = ([[-0.9, y, z], [0.9, y, z]] for y, z in ((0.2, 0.7), (-0.2, -0.7)))
    broken = [[-0.9, 0.8, 0.0], [np.nan] * 3, [0.9, 0.8, 0.0]]
    lines = [Line(np.array(points), red, width=3.0) for points in (before, behind, broken)]
    image = rendered([DrawnSurface(cube(), WHITE, edges=0.0)], lines, camera, area, columns=100, reach=0.01)
    assert image[40, 50] == pytest.approx([1.0, 0.0, 0.0, 1.0])
    assert image[60, 50, 1] > 0.3 and image[60, 10] == pytest.approx([1.0, 0.0, 0.0, 1.0])
    assert image[10, 50, 3] == 0.0  # nothing between points that are not there


# --- solid grids --------------------------------------------------------------------------------------

SECTOR = sector_grid(
    t.Teeth(Gear(teeth=20, normal_module="2 mm", face_width="10 mm", bore="14 mm")),
    order=2, flank_edge="1 mm", size="2 mm", face_elements=2,
)  # fmt: skip


def test_a_displacement_is_drawn_to_scale_and_coloured_by_its_size(tmp_path):
    nodes = SECTOR.solid.nodes
    lift = np.zeros_like(nodes)
    lift[:, 0] = 1e-6
    bend = lift * np.linspace(0.0, 1.0, len(nodes))[:, None]
    path = tmp_path / "mode.png"
    figure = plot_solid(SECTOR, displacement=bend, path=path, **SMALL)
    assert path.read_bytes().startswith(b"\x89PNG")
    bar = figure.axes[1]
    assert bar.get_ylabel() == "displacement" and bar.get_ylim() == pytest.approx((0.0, 1e-6))

    def extent(**options):
        left, right, bottom, top = plot_solid(SECTOR, view=(0, 0), **options, **SMALL).axes[0].images[0].get_extent()
        return np.array([left, right, bottom, top])

    # the axis of the gear towards the eye, the tooth upwards; heights count downwards, in mm
    still, size = extent(), 1e3 * np.ptp(nodes, axis=0).max()
    assert still[2] > still[3]
    assert extent(displacement=lift) - still == pytest.approx([0.0, 0.0, -0.05 * size, -0.05 * size], abs=1e-9)
    assert extent(displacement=lift, scale=1e3) - still == pytest.approx([0.0, 0.0, -1.0, -1.0], abs=1e-9)


def test_pictures_of_grids_say_what_is_wrong(tmp_path):
    n = len(SECTOR.solid.nodes)
    with pytest.raises(PitchlineError, match=rf"the grid has {n} nodes: give \({n}, 3\)"):
        plot_solid(SECTOR, displacement=np.zeros(n))
    with pytest.raises(PitchlineError, match="complex"):
        plot_solid(SECTOR, values=np.zeros(n, complex))
    with pytest.raises(PitchlineError, match=r"\(azimuth, elevation\)"):
        plot_solid(SECTOR, view=(1.0, 2.0, 3.0))
    with pytest.raises(PitchlineError, match='"x", "y" or "z"'):
        plot_solid(SECTOR, up="w")
    with pytest.raises(PitchlineError, match="must end in one of"):
        plot_solid(SECTOR, path=tmp_path / "a.gif", **SMALL)
    with pytest.raises(ModelError, match="expected a SolidGrid"):
        plot_solid("grid")


# --- gears ---------------------------------------------------------------------------------------------

HELICAL = Gear(teeth=20, normal_module="2 mm", face_width="16 mm", helix_angle="15 deg", bore="14 mm")
PAIRS = {
    "helical with backlash": (t.Teeth(HELICAL), t.Teeth(HELICAL.with_(teeth=33, helix_angle="-15 deg")), "55.2 mm"),
    "internal": (
        t.Teeth(HELICAL.with_(backlash_allowance="0.05 mm")),
        t.Teeth(Gear(teeth=62, normal_module="2 mm", face_width="16 mm", helix_angle="15 deg", internal=True)),
        None,
    ),
    "ring first": (
        t.Teeth(Gear(teeth=62, normal_module="2 mm", face_width="16 mm", internal=True)),
        t.Teeth(Gear(teeth=20, normal_module="2 mm", face_width="16 mm", backlash_allowance="0.05 mm")),
        None,
    ),
    "beveloid": (
        t.Teeth(HELICAL.with_(backlash_allowance="0.05 mm"), profile_shift_angle="6 deg"),
        t.Teeth(HELICAL.with_(teeth=33, helix_angle="-15 deg"), profile_shift_angle="9 deg"),
        None,
    ),
}


@pytest.mark.parametrize("side", ["left", "right"])
@pytest.mark.parametrize("name", PAIRS)
def test_gears_stand_where_they_touch(name, side):
    """The point of contact that `rigid_contact` finds on gear A lies on a flank of gear B as well."""
    a, b, distance = PAIRS[name]
    phase = 0.3
    pose_a, pose_b = gears_in_mesh(a, b, phase=phase, centre_distance=distance, side=side)
    run = t.rigid_contact(a, b, side=side, centre_distance=distance, positions=1, strips=5, start=phase)
    p = pose_a.rotation @ a.flank(side).point(run.roll_length[0], run.face[0], run.tooth_a[0])
    q = pose_b.rotation.T @ (p - pose_b.position)
    distances = []
    for flank in (b.left, b.right):
        L = flank.involute.roll_length(np.hypot(q[0], q[1]))
        distances.append(np.linalg.norm(flank.point(L, q[2], np.arange(b.gear.teeth)) - q, axis=-1).min())
    assert min(distances) < 1e-9


def test_picture_of_a_pair(tmp_path):
    a, b, _ = PAIRS["helical with backlash"]

    def field(side, L, z, tooth):
        return np.where((side == "left") & (tooth == 0), 3.0 + z / 8e-3, np.nan)

    figure = plot_gears(
        a, b, values=field, label="pressure (GPa)", contact_lines=True, path=tmp_path / "pair.png", width=1.5
    )
    assert (tmp_path / "pair.png").stat().st_size > 5_000
    assert figure._suptitle.get_text() == "20 and 33 teeth, normal module 2 mm"
    picture, bar = figure.axes
    assert bar.get_ylabel() == "pressure (GPa)" and bar.get_ylim() == pytest.approx((2.0, 4.0))
    image = np.asarray(picture.images[0].get_array())
    red = (image[..., 0] > 0.6) & (image[..., 1] < 0.25) & (image[..., 2] < 0.25)
    assert red.sum() > 3  # the lines of contact, through the second gear
    left, right, *_ = picture.images[0].get_extent()
    close = plot_gears(a, b, close_up="20 mm", **SMALL).axes[0].images[0].get_extent()
    assert close[1] - close[0] == pytest.approx(20.0) and right - left > 100.0


@pytest.mark.parametrize("name", ["crossed", "bevel", "internal", "worm"])
def test_pairs_of_every_kind_are_drawn(name):
    bevels = [
        Gear(teeth=z, normal_module="2 mm", face_width="8 mm", cone_angle=angle)
        for z, angle in zip((16, 30), cone_angles(16, 30, 0.5 * np.pi), strict=True)
    ]
    wheel = {"normal_module": "2 mm", "face_width": "16 mm"}
    pair = {
        "crossed": lambda: GearPair(
            Gear(teeth=15, helix_angle="45 deg", **wheel),
            Gear(teeth=20, helix_angle="45 deg", **wheel),
            shaft_angle="90 deg",
        ),
        "bevel": lambda: GearPair(*bevels),
        "internal": lambda: GearPair(Gear(teeth=20, **wheel), Gear(teeth=50, internal=True, **wheel)),
        "worm": lambda: GearPair(
            Gear(starts=2, lead_angle="5 deg", **wheel), Gear(teeth=40, helix_angle="5 deg", **wheel)
        ),
    }[name]()
    image = np.asarray(plot_gears(pair, profile_points=4, **SMALL).axes[0].images[0].get_array())
    blue = (image[..., 2] > image[..., 0] + 0.1) & (image[..., 3] > 0.9)
    gold = (image[..., 0] > image[..., 2] + 0.1) & (image[..., 3] > 0.9)
    assert blue.mean() > 0.05 and gold.mean() > 0.05


def test_pictures_of_gears_say_what_is_wrong():
    a, b, _ = PAIRS["helical with backlash"]
    with pytest.raises(PitchlineError, match="see_through"):
        plot_gears(a, b, see_through=2.0)
    with pytest.raises(ModelError, match='side is "left" or "right"'):
        plot_gears(a, b, side="up")
    with pytest.raises(PitchlineError, match="contact lines need two gears"):
        plot_gears(a, contact_lines=True)
    with pytest.raises(PitchlineError, match="leave b and centre_distance out"):
        plot_gears(GearPair(a.gear, b.gear), b)
    with pytest.raises(ModelError, match="gear A: expected Teeth"):
        plot_gears("pinion")


@pytest.mark.parametrize("over", ["roll length", "diameter"])
def test_lines_of_contact_on_a_helical_flank(over):
    """On the involute of a helical gear lines of contact are straight in (ζ, L), inclined by the base helix angle."""
    a, b, _ = PAIRS["helical with backlash"]
    figure = plot_contact_lines(a, b, positions=3, over=over)
    ax = figure.axes[0]
    pieces = np.array(ax.collections[0].get_segments())
    if over == "diameter":
        r_b = 1e3 * a.left.involute.base_radius
        pieces[..., 1] = np.sqrt((0.5 * pieces[..., 1]) ** 2 - r_b**2)
        assert ax.get_ylabel() == "diameter (mm)"
    slope = np.diff(pieces[..., 1])[:, 0] / np.diff(pieces[..., 0])[:, 0]
    beta = math.tan(a.left.involute.base_helix_angle)
    inner = np.abs(pieces[..., 1] - pieces[..., 1].mean()).max(axis=1) < 0.8 * np.ptp(pieces[..., 1]) / 2.0
    assert np.abs(slope[inner]) == pytest.approx(abs(beta), rel=1e-3)
    assert len(np.unique(ax.collections[0].get_array())) == 3
    with pytest.raises(PitchlineError, match="over"):
        plot_contact_lines(a, b, over="radius")


def test_surface_points_do_not_depend_on_the_picture():
    """The same surface, drawn twice, gives the same picture to the bit."""
    body = DrawnSurface(gear_surface(HELICAL, profile_points=4), WHITE)
    camera = Camera()
    area = area_around(body.surface.points, camera)
    first, second = (rendered([body], [], camera, area, columns=60, reach=2e-3) for _ in range(2))
    assert np.array_equal(first, second)
