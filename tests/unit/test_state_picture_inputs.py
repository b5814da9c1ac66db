"""Pictures of states: contact pressure on the flanks, model files and the command line."""

import numpy as np
import pytest

import pitchline as pl
from pitchline import cli, files
from pitchline.errors import PitchlineError
from pitchline.parts.gears.triangles import Triangles
from pitchline.views import plot_state
from pitchline.views.flank_pressure import pressure_patches, solid_parts
from pitchline.views.state_source import state_of


def image_of(figure):
    return np.asarray(figure.axes[0].images[0].get_array())


def ball():
    m = pl.Model("ball", gravity=(0, 0, -9.81))
    m.body("ball", mass=1, inertia=(1, 1, 1), shape=pl.sphere(0.1))
    m.body("floor", mass=1, inertia=(1, 1, 1), position=(0, 0, -6), shape=pl.bar(1, 1, 0.1))
    m.prismatic("rail", m.ground, "ball", axis="z")
    m.fixed("bolts", m.ground, "floor")
    return m


# --- contact pressure --------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def pressed():
    gear = pl.Gear(teeth=20, normal_module="3 mm", face_width="20 mm", bore="20 mm")
    m = pl.Model("pair")
    a = m.gear_body("a", gear, axis="z")
    b = m.gear_body("b", gear.with_(teeth=24), mesh_with=a, towards="x")
    m.revolute("hinge_a", m.ground, a)
    m.revolute("hinge_b", m.ground, b)
    m.gear_pair("mesh", a, b)
    return m, pl.loaded_contact(m, "mesh", torque="100 N*m", positions=6)


def test_pressures_are_painted_on_the_flanks_of_both_gears(pressed):
    m, contact = pressed
    state = state_of(m)
    parts = solid_parts(state)
    patches, largest = pressure_patches(state, parts, {"mesh": contact})
    assert len(patches) == 2
    assert largest == pytest.approx(float(contact.max_pressure.max()), rel=0.2)
    for name, (patch, values) in zip("ab", patches, strict=True):
        assert isinstance(patch, Triangles) and values.max() > 0.0
        gear = next(part for part in parts if part.name == name)
        local = (patch.points[np.unique(patch.triangles)] - gear.pose[0]) @ gear.pose[1]
        own = (gear.surface.points - gear.pose[0]) @ gear.pose[1]
        r = np.hypot(local[:, 0], local[:, 1])
        assert r.max() < np.hypot(own[:, 0], own[:, 1]).max() + 1e-4
        assert np.abs(local[:, 2]).max() < np.abs(own[:, 2]).max() + 1e-9
        # on the flanks: no farther from a point of the surface than the grid of the surface is wide
        near = np.linalg.norm(local[::97, None] - own[None], axis=2).min(axis=1)
        assert near.max() < 12e-3


def test_a_picture_with_contact_has_a_colour_bar(pressed):
    m, contact = pressed
    figure = plot_state(m, contact=contact, focus="mesh", width=3.0)
    assert "contact pressure (MPa)" in figure.axes[1].get_ylabel()
    image = image_of(figure)
    reddish = (image[..., 0] > 1.6 * image[..., 2]) & (image[..., 3] > 0.9)
    assert reddish.sum() > 100
    same = plot_state(m, contact={"mesh": contact}, focus="mesh", width=3.0)
    np.testing.assert_array_equal(image_of(same), image)


def test_contact_of_flanks_without_load_is_an_error(pressed):
    m, contact = pressed
    loads = m.replaced()
    loads.drive("hold", "hinge_a", angle=0)
    loads.torque("load", "hinge_b", 100)
    forward = pl.statics(loads)
    loads = loads.replaced(without="load")
    loads.torque("load", "hinge_b", -100)
    backward = pl.statics(loads)
    sides = [float(result["mesh.contact"].values[-1]) for result in (forward, backward)]
    assert sorted(np.sign(sides)) == [-1.0, 1.0]
    right, wrong = (forward, backward) if sides[0] > 0.0 else (backward, forward)
    assert contact.side == "left"
    plot_state(right, contact=contact, focus="mesh", width=3.0)
    with pytest.raises(pl.PitchlineError, match=r"for the left flanks .*, but the right flanks carry the load"):
        plot_state(wrong, contact=contact, focus="mesh", width=3.0)


def test_contacts_of_unknown_pairs_are_errors(pressed):
    m, contact = pressed
    with pytest.raises(PitchlineError, match="there is no gear pair 'gears'"):
        plot_state(m, contact={"gears": contact})
    with pytest.raises(PitchlineError, match="not both"):
        plot_state(m, contact=contact, colour_by="displacement")
    with pytest.raises(PitchlineError, match="fit none of the gear pairs"):
        plot_state(ball(), contact=contact)


# --- model files and the command line ------------------------------------------------------------------------

FILE = """
name = "drop"
gravity = [0, 0, -9.81]

[bodies.ball]
mass = 1
inertia = [1, 1, 1]
shape = { kind = "sphere", radius = "50 mm" }

[joints]
rail = { kind = "prismatic", a = "ground", b = "ball", axis = "z" }

[[analyses]]
name = "fall"
kind = "dynamics"
duration = "0.1 s"
step = "10 ms"

[[plot]]
what = "state"
time = "50 ms"
scale = "auto"
"""


def test_model_files_draw_states(tmp_path):
    file = files.read(FILE)
    file.draw(file.run(), tmp_path / "state.png")
    assert (tmp_path / "state.png").stat().st_size > 1000


@pytest.mark.parametrize(
    "old, new, message",
    [
        ('time = "50 ms"', 'time = "3 kg"', "time"),
        ('what = "state"', 'signals = ["ball.position"]', 'only a plot with what = "state" has "time"'),
        ('time = "50 ms"', 'signals = ["ball.position"]', 'a plot with what = "state" has no "signals"'),
    ],
)
def test_wrong_keys_of_states_are_errors(old, new, message):
    with pytest.raises(PitchlineError, match=message):
        files.read(FILE.replace(old, new))


def test_the_command_line_draws_states(tmp_path, capsys):
    run = pl.dynamics(ball(), duration=1.0, step=0.05)
    run.save(tmp_path / "run.nc")
    assert cli.main(["plot", str(tmp_path / "run.nc"), "--machine", "0.5 s", "-o", str(tmp_path / "state.png")]) == 0
    assert cli.main(["plot", str(tmp_path / "run.nc"), "--machine", "-o", str(tmp_path / "last.png")]) == 0
    assert (tmp_path / "state.png").read_bytes() != (tmp_path / "last.png").read_bytes()
    assert cli.main(["plot", str(tmp_path / "run.nc"), "--machine", "5 s", "-o", str(tmp_path / "no.png")]) != 0
    assert "outside the record" in capsys.readouterr().err
