"""What model files say besides parts: analyses that leave parts out, ranges of frequencies, hypoid pinions, counted events."""

import numpy as np
import pytest

import pitchline as pl
from pitchline import files
from pitchline.gears import hypoid_pinion

BOUNCE = """
name = "bounce"
gravity = [0, 0, "-9.81 m/s^2"]
[bodies.ball]
mass = 1
inertia = [1, 1, 1]
[joints.guide]
kind = "prismatic"
a = "ground"
b = "ball"
axis = "z"
[drives.motor]
joint = "guide"
displacement = { kind = "ramp", start = 0, end = "0.1 m", t0 = 0, t1 = "0.1 s" }
[loads.floor]
kind = "stop"
joint = "guide"
lower = 0
stiffness = "1e5 N/m"
[[analyses]]
name = "up"
kind = "kinematics"
duration = "0.1 s"
step = "10 ms"
without = ["floor"]
[[analyses]]
name = "fall"
kind = "dynamics"
start = "up"
duration = "1 s"
without = ["motor"]
[figures]
"floor.touched" = { value = '= rises("floor.force", 0)' }
highest = { value = '= final("up: guide.displacement")', unit = "mm", expected = 100 }
"""


def test_an_analysis_may_leave_parts_out() -> None:
    """Lifted by a motor, then let fall onto a floor from 0.1 m: it arrives after sqrt(2 h/g) = 0.143 s, and again every 0.29 s."""
    file = files.read(BOUNCE)
    run = file.run()
    assert "floor.force" not in run["up"].signals and "motor.force" in run["up"].signals
    assert "floor.force" in run["fall"].signals and "motor.force" not in run["fall"].signals
    assert set(file.model.drives) == {"motor"} and set(file.model.loads) == {"floor"}
    touched, highest = file.findings(run)
    force = run["fall"]["floor.force"].values > 0
    assert touched.value == np.sum(force[1:] & ~force[:-1]) == 3
    assert highest.value == pytest.approx(highest.expected, rel=1e-9)


@pytest.mark.parametrize(
    "old, new, words",
    [
        (
            'without = ["floor"]',
            'without = "floor"',
            r'without: must be a list of parts to leave out, e.g. \["motor"\]',
        ),
        (
            'without = ["floor"]',
            'without = ["flor"]',
            r"without\[0\]: there is no part 'flor' to leave out; did you mean",
        ),
        (
            'without = ["motor"]',
            'without = ["guide"]',
            r'analyses\[1\].without: the model of "fall": loads.floor.joint: .*"guide"',
        ),
        ('"up: guide.displacement"', '"up: floor.force"', "floor"),
        ("""'= rises("floor.force", 0)'""", """'= rises("floor.force", ball.x)'""", "unknown name"),
        (
            'rises("floor.force", 0)',
            'rises("floor.force", 0.1 * bodies.ball.mass)',
            "rises.*takes a signal with one component",
        ),
        ('rises("floor.force", 0)', 'rises("ball.position", 0)', "rises"),
    ],
)
def test_what_cannot_be_left_out_is_told_before_the_run(old: str, new: str, words: str) -> None:
    with pytest.raises(pl.FileError, match=words):
        files.read(BOUNCE.replace(old, new))


def test_steps_with_parts_left_out_are_written() -> None:
    file = files.read(BOUNCE)
    again = files.read(files.write(file.model, file.steps, file.figures))
    assert again.steps == file.steps


def test_parameters_that_an_analysis_changes_are_tried_before_the_run() -> None:
    text = BOUNCE.replace("mass = 1\ninertia", 'mass = "= mass"\ninertia').replace(
        "[bodies", "[parameters]\nmass = 1\n[bodies"
    )
    changed = text.replace('without = ["motor"]\n', 'without = ["motor"]\nparameters = { mass = -1 }\n')
    assert not files.check(text)
    (problem,) = files.check(changed)
    assert problem.key == "analyses[1].parameters" and 'the model of "fall": bodies.ball.mass' in problem.message


def test_hypoid_pinions() -> None:
    text = """
[bodies.shaft]
mass = 1
inertia = [1, 1, 1]
[gears.wheel]
teeth = 41
normal_module = "3.2 mm"
helix_angle = "30 deg"
cone_angle = "= atan2(41, 11)"
face_width = "25 mm"
[gears.pinion]
kind = "hypoid_pinion"
wheel = "wheel"
teeth = 11
offset = "25 mm"
face_width = "30 mm"
"""
    gears = files.read(text).gears
    assert gears["pinion"] == hypoid_pinion(gears["wheel"], teeth=11, offset="25 mm", face_width="30 mm")
    for old, new, words in (
        ('wheel = "wheel"', 'wheel = "weel"', "there is no gear 'weel'"),
        ('offset = "25 mm"', 'offset = "-25 mm"', "offset"),
        ('offset = "25 mm"', 'ofset = "25 mm"', 'unknown key "ofset"'),
    ):
        with pytest.raises(pl.FileError, match=words):
            files.read(text.replace(old, new))


def oscillator() -> pl.Model:
    m = pl.Model("oscillator")
    disk = m.body("disk", mass=1, inertia=(1, 1, 1))
    m.revolute("hinge", m.ground, disk, axis="z")
    m.torsion_spring("spring", "hinge", stiffness=100, damping=1)
    return m


def test_frequencies_may_be_a_range() -> None:
    frequencies = {"lowest": "0.5 Hz", "highest": "5 Hz", "points": 11}
    found = pl.frequency_response(oscillator(), "hinge.torque", "hinge.angle", frequencies=frequencies)
    np.testing.assert_allclose(found.frequency, np.geomspace(0.5, 5.0, 11), rtol=1e-14)


@pytest.mark.parametrize(
    "changed, words",
    [
        ({"lowest": 0}, "lowest must be greater than 0 Hz and below highest, got 0 Hz and 5 Hz"),
        ({"lowest": "6 Hz"}, "lowest must be greater than 0 Hz and below highest"),
        ({"points": 1}, "points must be a whole number from 2 to 1000000, got 1"),
        ({"points": 2.5}, "points must be a whole number"),
        ({"steps": 3}, 'unknown key "steps"; known: '),
        ({"lowest": "1 m"}, "lowest"),
    ],
)
def test_ranges_that_make_no_sense(changed: dict[str, object], words: str) -> None:
    frequencies = {"lowest": "0.5 Hz", "highest": "5 Hz", "points": 11} | changed
    with pytest.raises(pl.ModelError, match=words):
        pl.frequency_response(oscillator(), "hinge.torque", "hinge.angle", frequencies=frequencies)
