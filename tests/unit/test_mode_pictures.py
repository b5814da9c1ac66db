"""Pictures of mode shapes."""

import numpy as np
import pytest

import pitchline as pl
from pitchline.errors import PitchlineError
from pitchline.parts.flexible.drawing_modes import _parts
from pitchline.views import plot_shape
from pitchline.views.state_source import state_of_pose


@pytest.fixture(scope="module")
def modes():
    """A shaft along x on two hinges with a disc in the middle."""
    m = pl.Model("rotor", gravity=(0, 0, 0))
    bar = m.shaft(
        "rod", [pl.ShaftSection("400 mm", outer="20 mm")], stations={"middle": "200 mm"}, axis="x", damping="1 us"
    )
    m.body("disc", solid=pl.cylinder("80 mm", "20 mm", density=7850, axis="x"), position=(0.2, 0, 0))
    m.fixed("seat", bar["middle"], "disc")
    m.spherical("left", m.ground, bar["start"])
    m.bushing("right", m.ground, bar["end"], stiffness=(0, 1e9, 1e9, 0, 0, 0))
    m.bushing("spring", m.ground, bar["start"], stiffness=(0, 0, 0, 1e3, 0, 0))
    return pl.modes(m)


def test_the_shaft_bends_as_the_disc_moves(modes):
    n = next(k for k in range(modes.rigid, len(modes)) if modes.kinds[k] == "translational")
    state = state_of_pose(modes.pose, "rotor")
    motion = np.real(modes.pose.of_origins(modes.shapes[n]))
    size = float(np.linalg.norm(motion[modes.bodies.index("disc"), :3]))
    parts = {part.name: part for part in _parts(state, modes.pose, motion, {}, 0.02 / size)}
    rod = parts["rod"].surface.points
    middle = rod[np.abs(rod[:, 0] - 0.2) < 0.03].mean(axis=0)
    ends = rod[(rod[:, 0] < 0.002) | (rod[:, 0] > 0.398)].mean(axis=0)
    assert np.hypot(*middle[1:]) == pytest.approx(0.02, rel=0.1)
    assert np.hypot(*ends[1:]) < 0.004
    disc = parts["disc"].surface.points.mean(axis=0)
    np.testing.assert_allclose(disc[1:], middle[1:], atol=2e-3)
    assert parts["rod"].motion.max() == pytest.approx(size, rel=0.2)


def test_the_title_has_frequency_and_damping(modes, tmp_path):
    n = modes.rigid
    figure = modes.plot_shape(n + 1, path=tmp_path / "mode.png", width=3.0)
    title = figure.get_suptitle()
    assert f"mode {n + 1}, {modes.frequencies[n]:.5g} Hz" in title and "damping ratio" in title
    assert (tmp_path / "mode.png").stat().st_size > 1000
    assert "displacement" in figure.axes[1].get_ylabel()


def pixels(figure):
    return np.asarray(figure.axes[0].images[0].get_array())


def test_phase_scale_and_outline_change_the_picture(modes):
    n = modes.rigid + 1
    plain = pixels(plot_shape(modes, n, width=2.0, undeformed=False, view="x", up="z"))
    there = pixels(plot_shape(modes, n, width=2.0, undeformed=True, view="x", up="z"))
    faint = [((image[..., 3] > 0.05) & (image[..., 3] < 0.2)).sum() for image in (plain, there)]
    assert faint[1] > faint[0] + 200
    back = plot_shape(modes, n, width=2.0, undeformed=False, view="x", up="z", phase=180.0)
    assert pixels(back).shape != plain.shape or not np.allclose(pixels(back), plain)
    tiny = plot_shape(modes, n, width=2.0, undeformed=False, view="x", up="z", scale=1e-6)
    rest = plot_shape(modes, n, width=2.0, undeformed=False, view="x", up="z", phase=90.0, scale=1e-6)
    assert pixels(tiny).shape == pixels(rest).shape


@pytest.mark.parametrize("number", [0, 1000, 1.5, "first"])
def test_wrong_numbers_are_errors(modes, number):
    with pytest.raises(PitchlineError, match="number"):
        modes.plot_shape(number)


def test_planar_models_have_shapes():
    from pitchline.gallery import model

    found = pl.modes(model("planar-spur").build())
    assert found.plot_shape(found.rigid + 1, width=2.0).axes


def test_modes_without_poses_cannot_be_drawn(modes):
    from dataclasses import replace

    with pytest.raises(PitchlineError, match="do not contain the poses"):
        plot_shape(replace(modes, pose=None), 1)
