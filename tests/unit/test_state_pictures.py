"""Pictures of machines at a state: what is drawn where, at which time, from where, and what errors say."""

import math

import numpy as np
import pytest

import pitchline as pl
from pitchline.errors import PitchlineError
from pitchline.gallery import model as gallery_model
from pitchline.solids.rotations import quaternion_of
from pitchline.views import machine_picture, plot_deformed, plot_state
from pitchline.views.flank_pressure import matrix_of, solid_parts
from pitchline.views.solid_picture import place_marks
from pitchline.views.state_picture import camera_for, first_view, is_shown_solid, nice_factor, read_factor
from pitchline.views.state_source import sample_at, state_of

SMALL = {"width": 2.0, "title": ""}
RED, GREEN = "#FF0000", "#00FF00"


def slider(**looks):
    """A red ball on a rail along x that moves from 0 to 1 m in 1 s, and a green ball at rest."""
    m = pl.Model("slider", gravity=(0, 0, 0))
    m.body("red", mass=1, inertia=(1, 1, 1), velocity=(1, 0, 0), shape=pl.sphere(0.1), colour=RED, **looks)
    m.body("green", mass=1, inertia=(1, 1, 1), position=(0.5, 0, 0.5), shape=pl.sphere(0.1), colour=GREEN)
    m.prismatic("rail", m.ground, "red", axis="x")
    m.fixed("post", m.ground, "green")
    return m


@pytest.fixture(scope="module")
def run():
    return pl.dynamics(slider(), duration=1.0, step=0.05)


def image_of(figure):
    """Pixels (rows, columns, 4) and the extent [mm] of the picture."""
    shown = figure.axes[0].images[0]
    return np.asarray(shown.get_array()), shown.get_extent()


def middle_of(figure, channel):
    """Mean place [mm] of the pixels in which one of red, green and blue is far above the others; None if there are none."""
    image, (left, right, bottom, top) = image_of(figure)
    others = [c for c in range(3) if c != channel]
    mine = (
        (image[..., 3] > 0.9)
        & (image[..., channel] > 0.3)
        & (image[..., others].max(axis=-1) < 0.5 * image[..., channel])
    )
    if not mine.any():
        return None
    rows, columns = np.nonzero(mine)
    x = left + (columns.mean() + 0.5) / image.shape[1] * (right - left)
    y = top + (rows.mean() + 0.5) / image.shape[0] * (bottom - top)
    return np.array([x, -y])


def test_bodies_are_drawn_where_they_project_to_at_each_time(run):
    for t, place in ((0.0, 0.0), ("250 ms", 250.0), (None, 1000.0)):
        figure = plot_state(run, t, view=(90.0, 0.0), up="z", **SMALL)
        red, green = middle_of(figure, 0), middle_of(figure, 1)
        assert abs(red[0] - green[0]) == pytest.approx(abs(place - 500.0), abs=15.0)
        assert green[1] - red[1] == pytest.approx(500.0, abs=15.0)


def test_a_result_draws_itself_at_a_time(run, tmp_path):
    figure = run.plot_state("0.5 s", path=tmp_path / "state.png", width=2.0)
    assert (tmp_path / "state.png").stat().st_size > 1000
    assert figure.get_suptitle() == "slider at 500 ms"


@pytest.mark.parametrize("suffix", [".svg", ".pdf"])
def test_other_formats_are_written(run, tmp_path, suffix):
    run.plot_state(path=tmp_path / f"state{suffix}", width=2.0)
    assert (tmp_path / f"state{suffix}").stat().st_size > 1000


def test_the_nearest_sample_is_drawn(run):
    assert sample_at(run, None) == run.samples - 1
    assert sample_at(run, 0.26) == int(np.argmin(np.abs(run.time - 0.26)))
    assert sample_at(run, "1 s") == run.samples - 1


@pytest.mark.parametrize("t", [-0.1, 1.1, "2 s"])
def test_a_time_outside_the_record_is_an_error(run, t):
    with pytest.raises(PitchlineError, match="outside the record of this result, which is from 0 s to 1 s"):
        run.plot_state(t)


def test_a_time_must_be_a_time(run):
    with pytest.raises(PitchlineError, match="picture: t"):
        run.plot_state("3 kg")


def test_a_model_is_drawn_as_built_and_has_no_time():
    m = slider()
    figure = m.plot_state(width=2.0)
    assert figure.get_suptitle() == "slider"
    assert middle_of(figure, 0) is not None
    with pytest.raises(PitchlineError, match="a model has no time history"):
        plot_state(m, 0.1)


def test_hidden_parts_are_left_out_and_others_are_see_through(run):
    shown = plot_state(run, 0.0, view=(90.0, 0.0), up="z", **SMALL)
    hidden = plot_state(run, 0.0, view=(90.0, 0.0), up="z", hide="red", **SMALL)
    clear = plot_state(run, 0.0, view=(90.0, 0.0), up="z", transparent=["re*"], **SMALL)
    assert middle_of(shown, 0) is not None
    assert middle_of(hidden, 0) is None and middle_of(hidden, 1) is not None
    assert middle_of(clear, 0) is None
    image, _ = image_of(clear)
    assert ((image[..., 3] > 0.1) & (image[..., 3] < 0.5)).sum() > 50


@pytest.mark.parametrize("option", ["hide", "transparent"])
def test_unknown_parts_are_an_error(run, option):
    with pytest.raises(PitchlineError, match=f"{option}: there is no part 'rod'; did you mean"):
        plot_state(run, **{option: "rod"})


def test_bodies_that_the_model_hides_are_not_drawn():
    assert middle_of(plot_state(slider(hidden=True), **SMALL), 0) is None


@pytest.mark.parametrize(
    "options, message",
    [
        ({"view": "top"}, "view must be"),
        ({"view": (1, 2, 3)}, "view is"),
        ({"up": "w"}, "up must be"),
        ({"scale": "big"}, 'scale must be a number or "auto"'),
        ({"scale": -1.0}, "scale"),
        ({"colour_by": "speed"}, "colour_by must be"),
        ({"colour_by": "displacement"}, "has a displacement"),
        ({"view": (math.nan, 0.0)}, "view must be two finite angles"),
        ({"width": 0}, "width must be between 0.5 and 100 inches, got 0"),
        ({"contact": 3}, "contact must be"),
        ({"focus": "mesh"}, "focus: there is no part"),
    ],
)
def test_wrong_options_are_errors(run, options, message):
    with pytest.raises(PitchlineError, match=message):
        plot_state(run, **options)


def test_nothing_to_draw_is_an_error():
    m = pl.Model("empty")
    with pytest.raises(PitchlineError, match="has no parts to draw"):
        plot_state(m)
    with pytest.raises(PitchlineError, match="expected a result or a model"):
        plot_state(3)


# --- views ---------------------------------------------------------------------------------------------


def test_upwards_is_against_gravity():
    m = slider()
    m.gravity = np.array([0.0, -9.81, 0.0])
    state = state_of(m)
    _, up = first_view(state, solid_parts(state))
    np.testing.assert_allclose(up, [0.0, 1.0, 0.0])


@pytest.mark.parametrize("view, back", [("x", (1, 0, 0)), ("-x", (-1, 0, 0)), ("y", (0, -1, 0)), ("z", (0, 0, 1))])
def test_views_along_axes(view, back):
    state = state_of(slider())
    camera = camera_for(view, "z", state, solid_parts(state))
    np.testing.assert_allclose(camera.axes[2], back, atol=1e-12)
    np.testing.assert_allclose(camera.axes @ camera.axes.T, np.eye(3), atol=1e-12)


@pytest.mark.parametrize(
    "name", ["differential", "planetary", "worm", "rack-and-pinion", "governor", "press", "cam-follower", "two-stage"]
)
def test_gallery_machines_stay_in_the_frame(name):
    """A margin is left free at all sides."""
    image, _ = image_of(plot_state(gallery_model(name).build(), width=3.0, title=""))
    cover = image[..., 3]
    assert cover.any()
    for rim in (cover[0], cover[-1], cover[:, 0], cover[:, -1]):
        assert not rim.any()


def test_the_robot_and_the_differential_have_shapes():
    robot = solid_parts(state_of(gallery_model("robot-arm").build()))
    for link in ("base", "carousel", "upper_arm", "arm", "forearm", "wrist", "tool"):
        assert sum(part.body == link and part.kind == "shape" for part in robot) >= 2, link
    parts = solid_parts(state_of(gallery_model("differential").build()))
    assert sum(part.body == "cage" for part in parts) >= 6
    assert any(part.body == "left" and part.kind == "shape" for part in parts)
    assert any(part.body == "left" and part.kind == "gear" for part in parts)


def test_marks_take_free_corners():
    cover = np.zeros((200, 300))
    assert place_marks(cover, 3.0).below == 0
    cover[100:] = 1.0  # the lower half is taken
    marks = place_marks(cover, 3.0)
    assert marks.below == 0 and marks.bar[1] and marks.triad[1]
    cover[:] = 1.0
    assert place_marks(cover, 3.0).below > 0


# --- springs and dampers ----------------------------------------------------------------------------------


def links(**law):
    m = pl.Model("swing")
    m.body("mass", mass=1, inertia=(1, 1, 1), position=(0, 0, -0.2), shape=pl.sphere(0.02))
    m.spring("link", m.ground, "mass", at_a=(0, 0, 0), at_b=(0, 0, -0.2), **law)
    return {part.name: part for part in solid_parts(state_of(m))}["link"]


def test_springs_are_coils_and_dampers_are_dashpots():
    coil, dashpot, both = links(stiffness=1.0), links(damping=1.0), links(stiffness=1.0, damping=1.0)
    assert coil.kind == "spring" and dashpot.kind == "damper" and both.kind == "spring"
    assert len(both.surface.triangles) > len(coil.surface.triangles)
    for part in (coil, dashpot, both):
        low, high = part.surface.points.min(axis=0), part.surface.points.max(axis=0)
        assert low[2] == pytest.approx(-0.2, abs=2e-3) and high[2] == pytest.approx(0.0, abs=2e-3)
        assert np.isfinite(part.surface.points).all()


# --- elastic machines --------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def bent():
    """A bar along x, clamped at its start, with a force down at its end; and the result of its statics."""
    m = pl.Model("bar", gravity=(0, 0, 0))
    bar = m.shaft("rod", [pl.ShaftSection("300 mm", outer="20 mm")], stations={"middle": "150 mm"}, axis="x")
    m.body("weight", mass=1, inertia=(1, 1, 1), position=(0.3, 0, 0), shape=pl.sphere(0.02))
    m.fixed("clamp", m.ground, bar["start"])
    m.fixed("bond", bar["end"], "weight")
    m.force("push", bar["end"], (0, 0, "-1000 N"))
    return pl.statics(m)


def test_a_bent_shaft_follows_its_stations(bent):
    sag = 1000.0 * 0.3**3 / (3.0 * 206e9 * math.pi * 0.02**4 / 64.0)
    for scale in (1.0, 20.0):
        rod = next(part for part in solid_parts(state_of(bent), scale=scale) if part.name == "rod")
        tip = rod.surface.points[rod.surface.points[:, 0] > 0.29].mean(axis=0)
        assert -tip[2] == pytest.approx(scale * sag, rel=0.05)
        foot = rod.surface.points[rod.surface.points[:, 0] < 0.005].mean(axis=0)
        assert abs(foot[2]) < 1e-3 * scale * sag + 1e-4
        assert rod.motion.max() == pytest.approx(sag, rel=0.05)  # before magnification


def test_displacements_are_magnified_and_coloured(bent):
    figure = plot_state(bent, scale="auto", colour_by="displacement", width=3.0)
    assert "displacements drawn" in figure.get_suptitle()
    assert len(figure.axes) == 2  # the colour bar
    assert "displacement" in figure.axes[1].get_ylabel()
    plain = plot_state(bent, width=3.0)
    assert len(plain.axes) == 1


def test_plot_deformed_is_plot_state_with_magnified_displacements(bent):
    a = plot_deformed(bent, width=3.0, title="")
    b = plot_state(bent, scale="auto", colour_by="displacement", width=3.0, title="")
    np.testing.assert_array_equal(image_of(a)[0], image_of(b)[0])


def test_a_machine_without_elastic_parts_has_no_deformed_picture(run):
    with pytest.raises(PitchlineError, match="has no shafts, beams, flexible bodies or membranes"):
        plot_deformed(run)


@pytest.mark.parametrize("sample", [99, True, 0.5])
def test_wrong_samples_are_errors(bent, sample):
    with pytest.raises(PitchlineError, match="sample must be"):
        plot_deformed(bent, sample=sample)


def test_factors_are_round_numbers():
    assert [nice_factor(x) for x in (0.3, 1.0, 3.7, 19.0, 5600.0)] == [1.0, 1.0, 2.0, 10.0, 5000.0]
    assert read_factor("auto", 0.0, 1.0) == 1.0
    assert read_factor(7, 1.0, 1.0) == 7.0


def test_rotations_of_quaternions():
    c, s = math.cos(0.4), math.sin(0.4)
    R = np.array([[c, -s, 0.0], [s, c, 0.0], [0.0, 0.0, 1.0]])
    np.testing.assert_allclose(matrix_of(quaternion_of(R)), R, atol=1e-15)


# --- the best picture --------------------------------------------------------------------------------------


def test_the_best_picture_is_solid_if_axes_cross_or_shapes_are_given():
    pair = gallery_model("table1-spur").build()
    assert is_shown_solid(gallery_model("differential").build().describe())
    assert is_shown_solid(slider().describe())
    assert not is_shown_solid(pair.describe())
    assert len(machine_picture(pair).axes) == 2  # two views of the schematic
    solid = machine_picture(slider(), width=2.0)
    assert solid.axes[0].images


def test_the_best_picture_of_a_result_shows_its_start(run):
    first = machine_picture(run, width=2.0, title="")
    np.testing.assert_array_equal(image_of(first)[0], image_of(plot_state(run, 0.0, **SMALL))[0])


def test_a_description_does_as_well_as_a_model():
    m = slider()
    for draw in (plot_state, machine_picture):
        np.testing.assert_array_equal(
            image_of(draw(m, width=2.0, title=""))[0], image_of(draw(m.describe(), width=2.0, title=""))[0]
        )
