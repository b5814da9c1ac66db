"""The scheme of a model: what stands where, which views show it, and that it is drawn."""

import io
import math

import numpy as np
import pytest

import pitchline as pl
from pitchline.views import plot_scheme
from pitchline.views.scheme.scene import (
    CORNER,
    FRONT,
    PLAN,
    SIDE,
    arrange,
    hull,
    rack_profile,
    read_scene,
    teeth_outline,
    tip_and_root,
)
from pitchline.views.scheme.symbols import LINE, Label, place_columns, split_sides, spread

GEAR = pl.Gear(teeth=20, normal_module="2 mm", face_width="10 mm")


def pair(**wheel):
    m = pl.Model("pair")
    a = m.gear_body("a", GEAR, position=(0, 0, 0), axis="z")
    b = m.gear_body("b", GEAR.with_(**wheel), mesh_with=a, towards=(1, 0, 0))
    m.revolute("hinge_a", m.ground, a)
    m.revolute("hinge_b", m.ground, b)
    m.gear_pair("mesh", a, b)
    return m


def texts(figure):
    return [text.get_text() for ax in figure.axes for text in ax.texts if text.get_text()]


# --- the scene -----------------------------------------------------------------------------------------


def test_wheels_stand_where_their_bodies_stand():
    scene = read_scene(pair().describe())
    assert [wheel.name for wheel in scene.wheels] == ["a", "b"]
    np.testing.assert_allclose(scene.wheels[1].centre, [0.04, 0, 0], atol=1e-12)
    assert scene.wheels[0].radius == pytest.approx(0.02)


def test_working_circles_touch_where_profiles_are_shifted():
    scene = read_scene(pair(profile_shift=0.4).describe())
    distance = np.linalg.norm(scene.wheels[1].centre - scene.wheels[0].centre)
    assert distance > 0.04
    assert sum(wheel.radius for wheel in scene.wheels) == pytest.approx(distance)


def test_joints_know_ground_axis_and_drive():
    m = pair()
    m.drive("motor", m.joints["hinge_a"], speed=1.0)
    a, b = read_scene(m.describe()).joints
    assert a.grounded and a.driven and not b.driven
    np.testing.assert_allclose(a.axis, [0, 0, 1])


def test_bodies_that_roll_without_teeth_have_radii_by_their_ratio():
    m = pl.Model("rolling")
    a = m.body("a", mass=1, inertia=(1, 1, 1), position=(0, 0, 0))
    b = m.body("b", mass=1, inertia=(1, 1, 1), position=(3, 0, 0))
    m.revolute("ha", m.ground, a, axis="z")
    m.revolute("hb", m.ground, b, axis="z")
    m.gear_pair("roll", a, b, mesh=pl.Rolling(ratio=2))
    assert sorted(wheel.radius for wheel in read_scene(m.describe()).wheels) == pytest.approx([1.0, 2.0])


# --- outlines ------------------------------------------------------------------------------------------


def test_teeth_have_their_thickness_on_the_reference_circle():
    wheel = read_scene(pair().describe()).wheels[0]
    points = teeth_outline(wheel)
    radii = np.hypot(*points.T)
    tip, root = tip_and_root(wheel)
    assert (tip, root) == pytest.approx((GEAR.tip_diameter / 2, GEAR.root_diameter / 2))
    assert radii.max() == pytest.approx(tip) and radii.min() == pytest.approx(root)
    # the flank of the tooth on the x axis crosses the reference circle at half the pitch angle of a tooth
    flank = points[:5]
    angle = np.interp(0.02, np.hypot(*flank.T), np.arctan2(flank[:, 1], flank[:, 0]))
    assert angle == pytest.approx(-math.pi / 40, rel=0.03)


def test_teeth_of_a_ring_point_inwards():
    ring = pl.Gear(teeth=60, normal_module="2 mm", internal=True, face_width="10 mm", rim_diameter="140 mm")
    m = pl.Model("ring")
    m.gear_body("ring", ring, position=(0, 0, 0), axis="z")
    wheel = read_scene(m.describe()).wheels[0]
    tip, root = tip_and_root(wheel)
    assert (tip, root) == pytest.approx((ring.tip_diameter / 2, ring.root_diameter / 2))


def test_a_rack_is_as_long_as_its_teeth():
    m = pl.Model("rack")
    m.gear_body("rack", pl.Rack(teeth=10, normal_module="2 mm", face_width="10 mm", depth="15 mm"), position=(0, 0, 0))
    wheel = read_scene(m.describe()).wheels[0]
    assert np.ptp(rack_profile(wheel)[:, 1]) == pytest.approx(10 * math.pi * 0.002, rel=0.1)


def test_the_hull_of_a_square_is_its_corners():
    square = np.array([[0, 0], [1, 0], [1, 1], [0, 1], [0.5, 0.5], [0.2, 0.7]], float)
    assert sorted(map(tuple, hull(square))) == [(0, 0), (0, 1), (1, 0), (1, 1)]


# --- views ---------------------------------------------------------------------------------------------


def test_parallel_wheels_are_seen_along_and_across_their_axes():
    found = arrange(read_scene(pair().describe()))
    along, across = found.views
    np.testing.assert_allclose(along.towards, [0, 0, 1])
    assert abs(across.towards @ [0, 0, 1]) < 1e-12
    assert found.below  # the wheels stand side by side: beside each other they would cover each other


def test_bevels_are_seen_across_both_axes():
    m = pl.Model("bevel")
    cones = pl.gears.cone_angles(20, 40, math.pi / 2)
    a, b = (
        pl.Gear(teeth=z, normal_module="2 mm", cone_angle=cone, face_width="10 mm")
        for z, cone in zip((20, 40), cones, strict=True)
    )
    one = m.gear_body("a", a, position=(0, 0, 0), axis="z")
    m.gear_body("b", b, mesh_with=one, towards=(1, 0, 0))
    view, corner = arrange(read_scene(m.describe())).views
    assert abs(view.towards @ [0, 1, 0]) == pytest.approx(1.0)
    assert corner is CORNER


@pytest.mark.parametrize("view", [PLAN, FRONT, SIDE, CORNER])
def test_views_are_orthonormal(view):
    axes = np.stack([view.right, view.up, view.towards])
    np.testing.assert_allclose(axes @ axes.T, np.eye(3), atol=1e-12)
    assert np.linalg.det(axes) == pytest.approx(1.0)


# --- names ---------------------------------------------------------------------------------------------


def test_labels_of_a_column_keep_clear_of_each_other():
    labels = [Label("name", (0.001 * k, 0.0), (0.001 * k, 0.0)) for k in range(20)]
    placed = place_columns(labels, (0.0, 0.02, -0.05, 0.05), 1000.0)
    assert len(placed) == 20
    for right in (False, True):
        heights = sorted(one.height for one in placed if one.right is right)
        assert len(heights) > 5
        assert np.diff(heights).min() >= LINE - 1e-9


def test_labels_stay_within_the_height_of_their_view_if_they_fit():
    labels = [Label("name", (0.0, 0.099), (0.0, 0.099)) for _ in range(4)]
    heights = [one.height for one in place_columns(labels, (-0.1, 0.1, 0.0, 0.1), 1000.0)]
    assert max(heights) <= 100.0 and min(heights) >= 0.0


def test_labels_are_spread_as_little_as_need_be():
    assert spread([0.0, 100.0], 10.0) == [0.0, 100.0]
    assert spread([50.0, 50.0], 10.0) == [45.0, 55.0]
    assert spread([0.0, 50.0, 50.0, 51.0], 10.0)[0] == 0.0


def test_both_columns_are_used():
    left, right = split_sides([Label(f"{k}", (0.0, k), (0.0, k)) for k in range(10)], 1.0)
    assert abs(len(left) - len(right)) <= 4


def boxes_of(figure, gid):
    """Boxes [pixels] of the texts of a figure with an id, by their text."""
    figure.canvas.draw()
    renderer = figure.canvas.get_renderer()
    return [
        (text.get_text(), text.get_window_extent(renderer))
        for ax in figure.axes
        for text in ax.texts
        if text.get_gid() == gid
    ]


@pytest.mark.parametrize(
    "name",
    ["kubo-a", "planetary", "epicyclic", "gearbox", "differential", "press", "two-stage", "governor", "cam-follower"],
)
def test_labels_cover_neither_gears_nor_each_other_and_stay_in_the_frame(name):
    from matplotlib.patches import PathPatch, Polygon

    from pitchline.gallery import model

    figure = plot_scheme(model(name).build())
    labels = boxes_of(figure, "label")
    assert labels
    frame = figure.bbox
    for k, (text, box) in enumerate(labels):
        assert frame.x0 <= box.x0 and box.x1 <= frame.x1 and frame.y0 <= box.y0 and box.y1 <= frame.y1, text
        for other, its in labels[k + 1 :]:
            assert not box.overlaps(its), (text, other)
        for ax in figure.axes:
            for patch in ax.patches:
                if isinstance(patch, (PathPatch, Polygon)):  # wheels
                    assert not patch.get_window_extent().overlaps(box), text


def test_springs_and_dampers_have_symbols_of_their_own():
    def words(**law):
        m = pl.Model("swing")
        m.body("mass", mass=1, inertia=(1, 1, 1), position=(0, 0, -0.2))
        m.spring("link", m.ground, "mass", at_a=(0, 0, 0), at_b=(0, 0, -0.2), **law)
        figure = plot_scheme(m)
        drawn = {line.get_gid() for ax in figure.axes for line in ax.lines}
        return {text.get_text() for text in figure.legends[0].get_texts()}, drawn & {"spring", "damper"}

    assert words(stiffness=1.0)[1] == {"spring"}
    assert words(damping=1.0)[1] == {"damper"}
    legend, both = words(stiffness=1.0, damping=1.0)
    assert both == {"spring", "damper"} and both <= legend


# --- the picture ---------------------------------------------------------------------------------------


def test_wheels_carry_their_numbers_of_teeth():
    shown = texts(plot_scheme(pair()))
    assert "a, z = 20" in shown and "b, z = 20" in shown


def test_a_description_does_as_well_as_a_model():
    m = pair()
    assert texts(plot_scheme(m)) == texts(plot_scheme(m.describe()))


@pytest.mark.parametrize("suffix", [".png", ".svg", ".pdf"])
def test_it_saves_every_format(tmp_path, suffix):
    plot_scheme(pair(), path=tmp_path / f"scheme{suffix}")
    assert (tmp_path / f"scheme{suffix}").stat().st_size > 1000


def test_the_same_model_gives_the_same_file(tmp_path):
    for name in ("1", "2"):
        plot_scheme(pair(), path=tmp_path / f"{name}.svg")
    assert (tmp_path / "1.svg").read_bytes() == (tmp_path / "2.svg").read_bytes()


def test_names_are_no_formulas():
    m = pl.Model("odd $x$")
    m.body("a_$b^$_c", mass=1, inertia=(1, 1, 1), position=(0, 0, 0))
    m.body("two", mass=1, inertia=(1, 1, 1), position=(1, 0, 0.5))
    assert "a_$b^$_c" in texts(plot_scheme(m))


def test_one_body_in_one_point_is_drawn():
    m = pl.Model("point")
    m.body("only", mass=1, inertia=(1, 1, 1), position=(0, 0, 0))
    assert "only" in texts(plot_scheme(m))


def test_no_bodies_is_an_error():
    with pytest.raises(pl.PitchlineError, match="no bodies"):
        plot_scheme(pl.Model("empty"))


@pytest.mark.parametrize(
    "name", ["kubo-d", "planetary", "bevel-pair", "worm", "hypoid", "rack-and-pinion", "robot-arm", "four-bar"]
)
def test_gallery_models_have_schemes(name):
    from pitchline.gallery import model

    figure = plot_scheme(model(name).build())
    width, height = figure.get_size_inches()
    assert width == pytest.approx(7.2) and 1.5 < height < 6.5
    figure.savefig(io.BytesIO(), format="png", dpi=50)
