"""Couplings against closed forms: stiffness, damping, progressive torsion, limits, friction, splines, cardan joints."""

import math

import numpy as np
import pytest
from references.cam_rigs import turned

import pitchline as pl
from pitchline.files import check, read
from pitchline.parts.couplings.design import torsion_table

J = 0.5 * 5.0 * 0.05**2
"""Moment of inertia of each shaft about its axis."""


def shafts(design: object, R: np.ndarray | None = None, **options: object) -> pl.Model:
    """Two shafts in hinges about z of R, coupled."""
    R = np.eye(3) if R is None else R
    m = pl.Model("shafts")
    solid = pl.cylinder("50 mm", "100 mm", mass="5 kg")
    a, b = (m.body(name, solid=solid, position=R @ [0, 0, z], orientation=R) for name, z in (("a", 0.0), ("b", 0.1)))
    m.revolute("hinge a", m.ground, a, axis=R[:, 2])
    m.revolute("hinge b", m.ground, b, axis=R[:, 2])
    m.coupling("c", a, b, design, at=R @ [0, 0, 0.05], **options)
    return m


def held(design: object, torque: object, **options: object) -> pl.Result:
    m = shafts(design, **options)
    m.drive("brake", "hinge a", angle=0)
    m.torque("load", "hinge b", torque)
    return pl.statics(m)


def test_relative_damping_holds_at_its_frequency() -> None:
    """f = sqrt(2 k/J)/2 pi, and damping ratio psi/(4 pi) f/f_ref."""
    found = pl.modes(
        shafts(pl.ElasticCoupling("1 kN*m/rad", relative_damping=0.8, frequency="50 Hz"), R=turned((1, 1, 0), 0.7))
    )
    f = math.sqrt(2 * 1000 / J) / (2 * math.pi)
    assert found.frequencies[-1] == pytest.approx(f, rel=1e-9)
    assert found.damping_ratios[-1] == pytest.approx(0.8 / (4 * math.pi) * f / 50.0, rel=1e-9)


def test_progressive_torsion_goes_through_its_points_alike_in_both_directions() -> None:
    points = [(0, 0), ("2 deg", "50 N*m"), ("4 deg", "150 N*m"), ("5 deg", "300 N*m")]
    design = pl.ElasticCoupling(torsion=points)
    for torque, twist in ((150.0, 4.0), (-150.0, -4.0), (50.0, 2.0)):
        rest = held(design, torque)
        assert math.degrees(rest["c.twist"].values[-1]) == pytest.approx(twist, rel=1e-9)
        assert rest["c.torque"].values[-1] == pytest.approx(-torque, rel=1e-9)
    slope = torsion_table(design.law.torsion)[-1, 3]
    beyond = held(design, 400.0)["c.twist"].values[-1]
    assert beyond == pytest.approx(math.radians(5) + 100.0 / slope, rel=1e-9)


def test_a_free_oscillation_keeps_its_energy_over_turning_shafts() -> None:
    m = shafts(pl.ElasticCoupling(torsion=[(0, 0), (0.02, 20), (0.05, 120)]), initial_twist="2 deg")
    run = pl.dynamics(m, duration="50 ms", step="20 us")
    energy = run["energy.potential"].values[0]
    assert energy > 0.1 and np.abs(run["energy.balance_error"].values).max() < 1e-4 * energy
    assert run["c.twist"].values[0] == pytest.approx(math.radians(2), rel=1e-9)


def test_misaligned_shafts_are_loaded_by_radial_and_tilt_stiffness() -> None:
    """Frames 1 mm and 1 mrad apart on shafts that cannot move: K e, turning shafts see a force that rests."""
    design = pl.ElasticCoupling(1e3, radial_stiffness="2 kN/mm", axial_stiffness="1 kN/mm", tilt_stiffness="3 kN*m/rad")
    m = pl.Model("misaligned")
    a = m.body("a", mass=1, inertia=(1, 1, 1))
    tilted = turned((1, 0, 0), 1e-3)
    b = m.body("b", mass=1, inertia=(1, 1, 1), position=(1e-3, 0, 0), orientation=tilted)
    m.revolute("hinge a", m.ground, a, axis="z")
    m.revolute("hinge b", m.ground, b, axis=tilted[:, 2])
    m.coupling("c", a.frame(), b.frame(), design)
    m.drive("motor", "hinge a", speed="10 rad/s")
    run = pl.dynamics(m, duration="0.5 s", step="1 ms")
    np.testing.assert_allclose(run["c.force"].values, np.tile([-2000.0, 0, 0], (len(run.time), 1)), atol=3.0)
    np.testing.assert_allclose(np.linalg.norm(run["c.moment"].values[:, :2], axis=1), 3.0, rtol=3e-3)
    np.testing.assert_allclose(run["c.tilt"].values, 1e-3, rtol=1e-6)


def test_a_spline_has_the_stiffness_of_its_teeth_and_its_play() -> None:
    """Sums over the teeth: torsion z c b r_b^2, radial half the sum of normals, tilt by levers along the length."""
    spline = pl.Spline(20, module="2 mm", length="30 mm", tooth_stiffness="10 N/(mm*um)", play="0.1 mm")
    angles, levers = 2 * np.pi * np.arange(20) / 20, (np.arange(2000) + 0.5) / 2000 * 0.03 - 0.015
    assert spline.torsional_stiffness == pytest.approx(
        20 * 1e10 * 0.03 * (0.02 * math.cos(math.pi / 6)) ** 2, rel=1e-12
    )
    assert spline.radial_stiffness == pytest.approx(1e10 * 0.03 * np.sum(np.cos(angles) ** 2), rel=1e-12)
    assert spline.tilt_stiffness == pytest.approx(
        1e10 * np.sum(np.cos(angles) ** 2) * np.mean(levers**2) * 0.03, rel=1e-6
    )
    twist = held(spline, 150.0)["c.twist"].values[-1]
    assert twist == pytest.approx(1e-4 / 0.04 + 0.5e-5 + 150.0 / spline.torsional_stiffness, rel=1e-6)


def test_a_gear_coupling_is_free_to_its_limits_and_resists_tilting_by_friction() -> None:
    """Turning at a tilt, the axis of the sleeve tumbles in the hub: friction takes (2/pi) mu T/cos(alpha) times tilt rate."""
    free = pl.GearCoupling(1e5, 1e8, tilt_limit="5 mrad", tilt_stop_stiffness=1e4, friction=0.1, friction_rate=1e-6)
    tilt, torque, speed = 3e-3, 40.0, 100.0
    m = pl.Model("tilted")
    tilted = turned((1, 0, 0), tilt)
    a = m.body("a", mass=1, inertia=(1, 1, 1), angular_velocity=(0, 0, speed))
    b = m.body("b", mass=1, inertia=(1, 1, 1), orientation=tilted, angular_velocity=speed * tilted[:, 2])
    m.revolute("hinge a", m.ground, a, axis="z")
    m.revolute("hinge b", m.ground, b, axis=tilted[:, 2])
    m.coupling("c", a.frame(), b.frame(), free, initial_twist=-torque / 1e5)
    m.drive("motor", "hinge a", speed=speed)
    m.torque("load", "hinge b", -torque)
    rest = pl.statics(m)
    # at rest no friction: the torque acts along the line between both axes
    assert np.linalg.norm(rest["c.moment"].values[-1, :2]) == pytest.approx(0.5 * torque * tilt, rel=1e-3)
    run = pl.dynamics(m, duration="20 ms", step="0.1 ms")
    moment = 2 / math.pi * 0.1 * torque / math.cos(math.radians(20))
    across = np.linalg.norm(run["c.moment"].values[-1] - run["c.torque"].values[-1] * tilted[:, 2])
    assert across == pytest.approx(moment + 0.5 * torque * tilt, rel=1e-5)
    assert run["energy.dissipated"].values[-1] == pytest.approx(moment * tilt * speed * 0.02, rel=0.05)


@pytest.mark.parametrize("beta", [10.0, 35.0])
def test_a_cardan_joint_and_a_double_one(beta: float) -> None:
    """tan(phi_2) = tan(phi_1) cos(beta) from the pin perpendicular to the plane; two of them in step turn evenly."""
    b = math.radians(beta)
    R = turned((1, 0, 0), b)
    m = pl.Model("cardan")
    first = m.body("first", mass=1, inertia=(1, 1, 1), position=(0, 0, -0.1))
    middle = m.body("middle", mass=1, inertia=(1, 1, 1), position=R @ [0, 0, 0.1], orientation=R)
    end = R @ np.array([0, 0, 0.2])
    last = m.body("last", mass=1, inertia=(1, 1, 1), position=end + [0, 0, 0.1])
    m.revolute("hinge", m.ground, first, axis="z")
    m.revolute("bearing", m.ground, middle, axis=R[:, 2])
    m.revolute("output", m.ground, last, axis="z")
    m.coupling("cross", first, middle, pl.CardanJoint(), at=(0, 0, 0))
    # the forks on the middle shaft are in one plane: its pin at the far end is that of the near end
    near = m.coupling("other", middle, last, pl.CardanJoint(pin=np.cross(R[:, 2], [1, 0, 0])), at=end)
    assert near.kind == "universal"
    m.drive("motor", "hinge", speed="2 rad/s")
    run = pl.kinematics(m, duration="3.1 s", step="0.1 s")
    one = run["hinge.angle"].values
    between = np.unwrap(np.arctan2(np.sin(one) * math.cos(b), np.cos(one)))
    np.testing.assert_allclose(run["bearing.angle"].values, between, atol=1e-9)
    np.testing.assert_allclose(run["output.angle"].values, one, atol=1e-9)


FILE = """
name = "rig"
[bodies.a]
mass = 1
inertia = [1, 1, 1]
[bodies.b]
mass = 1
inertia = [1, 1, 1]
position = [0, 0, "10 cm"]
[elements.c]
type = "coupling"
a = "a"
b = "b"
at = [0, 0, "5 cm"]
"""


@pytest.mark.parametrize(
    "design",
    [
        '{ kind = "elastic", torsional_stiffness = "1 kN*m/rad", relative_damping = 0.8, frequency = "50 Hz" }',
        '{ kind = "elastic", torsion = [[0, 0], ["2 deg", "50 N*m"], ["4 deg", "150 N*m"]], radial_stiffness = "2 kN/mm" }',
        '{ kind = "gear", torsional_stiffness = "1e6 N*m/rad", radial_stiffness = "1 kN/um", friction = 0.1 }',
        '{ kind = "spline", teeth = 20, module = "2 mm", length = "30 mm", tooth_stiffness = "10 N/(mm*um)" }',
    ],
)
def test_files_say_couplings(design: str) -> None:
    model = read(f"{FILE}design = {design}").model
    again = read(model.to_toml()).model
    said, made = (m.elements["c"].design.law for m in (model, again))
    assert said.stiffness == pytest.approx(made.stiffness, rel=1e-15)
    assert said.damping == pytest.approx(made.damping, rel=1e-15)
    np.testing.assert_allclose(said.torsion, made.torsion, rtol=1e-15)


@pytest.mark.parametrize(
    "design, words",
    [
        ('{ kind = "elastic" }', "specify either torsional_stiffness or torsion"),
        ('{ kind = "elastic", torsional_stiffness = 1, relative_damping = 1 }', "relative_damping needs frequency"),
        ('{ kind = "elastic", torsion = [[0, 0], ["2 deg", 50], ["1 deg", 60]] }', "twists must increase"),
        ('{ kind = "elastic", torsional_stiffness = "5 N/m" }', "expected torsional stiffness"),
        (
            '{ kind = "gear", torsional_stiffness = 1, radial_stiffness = 1, tilt_limit = 0.1 }',
            "tilt_stop_stiffness, or neither",
        ),
        ('{ kind = "spline", teeth = 20, length = 1, tooth_stiffness = 1 }', "pitch_diameter or module"),
        (
            '{ kind = "spline", teeth = 2, module = 1, length = 1, tooth_stiffness = 1 }',
            "teeth must be a whole number from 3 to 10000, got 2",
        ),
        ('{ kind = "gears" }', 'did you mean "gear"'),
    ],
)
def test_what_no_coupling_can_be_is_refused(design: str, words: str) -> None:
    problems = check(f"{FILE}design = {design}")
    assert any(words in problem.message for problem in problems), problems


def test_frames_that_do_not_meet_are_refused() -> None:
    m = pl.Model("m")
    a = m.body("a", mass=1, inertia=(1, 1, 1))
    b = m.body("b", mass=1, inertia=(1, 1, 1), position=(0, 0, 0.1))
    with pytest.raises(pl.ModelError, match="100 mm apart in the initial pose"):
        m.coupling("c", a.frame(), b.frame(), pl.ElasticCoupling(1.0))
    with pytest.raises(pl.ModelError, match="z axes of its frames is 90 deg"):
        m.coupling("c", a.frame(position=(0, 0, 0.1)), b.frame(axis="x"), pl.ElasticCoupling(1.0))
    with pytest.raises(
        pl.ModelError, match=r"first shaft, z .*, \(0, 0, 1\) in .*; the nearest such direction is \(1, 0, 0\)"
    ):
        m.coupling("c", "a", "b", pl.CardanJoint(pin=(1, 0, 0.2)))
    with pytest.raises(pl.ModelError, match="expected an ElasticCoupling"):
        m.coupling("c", a, b, "elastic")  # type: ignore[arg-type]


def test_a_coupling_across_its_shafts_is_refused() -> None:
    m = shafts(pl.ElasticCoupling(1.0))
    with pytest.raises(
        pl.ModelError, match="does not rotate about z of that frame, the axis of the coupling; specify axis"
    ):
        m.coupling("other", "a", "b", pl.ElasticCoupling(1.0), axis="x")


@pytest.mark.parametrize("points", [[100.0, 200.0], [(0, 0), (0.1,)], "stiff"])
def test_points_of_torsion_are_pairs(points: object) -> None:
    with pytest.raises(pl.ModelError, match="expected pairs such as"):
        pl.ElasticCoupling(torsion=points)
