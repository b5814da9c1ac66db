"""Starts at positions of joints: closed forms of the positions, gears and gearboxes, and equal runs."""

import numpy as np
import pytest

import pitchline as pl


def arm() -> pl.Model:
    """Two links, each with a motor behind an elastic gearbox of ratio 50 and −80."""
    m = pl.Model("arm", gravity=(0, 0, -9.81))
    before: pl.Body = m.ground
    for k, ratio in ((1, 50.0), (2, -80.0)):
        rotor = m.body(f"rotor {k}", mass=0.1, inertia=(1e-5, 1e-5, 1e-5), position=(k - 1.0, 0, 0))
        m.revolute(f"motor {k}", before, rotor, at=(k - 1.0, 0, 0), axis="y")
        link = m.body(f"link {k}", mass=1.0, inertia=(0.1, 0.1, 0.1), position=(k - 0.5, 0, 0))
        m.revolute(f"joint {k}", before, link, at=(k - 1.0, 0, 0), axis="y")
        m.ratio(f"gearbox {k}", f"motor {k}", f"joint {k}", ratio=ratio, stiffness=2e4, damping=1.0)
        before = link
    return m


def test_links_are_at_their_angles_and_gearboxes_have_their_twists() -> None:
    run = pl.dynamics(
        arm(), duration=1e-6, step=1e-6, start={"joint 1": "30 deg", "joint 2": -0.4, "gearbox 2.twist": "2 mrad"}
    )
    first = {name: run[name].values[0] for name in run.signals}
    a, b = np.radians(30.0), np.radians(30.0) - 0.4
    end = np.array([np.cos(a) + 0.5 * np.cos(b), 0.0, -np.sin(a) - 0.5 * np.sin(b)])  # about y: x turns towards −z
    np.testing.assert_allclose(first["link 2.position"], end, atol=1e-12)
    assert first["motor 1.angle"] == pytest.approx(50.0 * a, rel=1e-12)  # 4 revolutions
    assert first["motor 2.angle"] == pytest.approx(-80.0 * (-0.4 + 2e-3), rel=1e-12)
    assert first["gearbox 1.twist"] == pytest.approx(0.0, abs=1e-11)
    assert first["gearbox 2.twist"] == pytest.approx(2e-3, rel=1e-8)
    assert first["gearbox 2.torque_b"] == pytest.approx(2e4 * 2e-3, rel=1e-7)


def test_many_revolutions_are_placed() -> None:
    """Also with constraints that are not a tree of joints: a rigid ratio."""
    m = pl.Model("ratio")
    for k in (1, 2):
        m.revolute(
            f"h{k}", m.ground, m.body(f"b{k}", mass=1, inertia=(1, 1, 1), position=(k, 0, 0)), at=(k, 0, 0), axis="z"
        )
    m.ratio("belt", "h1", "h2", ratio=-2.5)
    run = pl.kinematics(m, times=[0.0], start={"h1": 1000.0})
    assert run["h2.angle"].final == pytest.approx(-400.0, rel=1e-11)


def test_the_run_is_that_of_the_model_built_there() -> None:
    """A pendulum with a speed, released at an angle or built at it; error control and fixed steps."""
    runs = []
    for angle in (0.0, 0.7):
        m = pl.Model("pendulum", gravity=(0, -9.81, 0))
        where = (np.sin(angle), -np.cos(angle), 0.0)
        rod = m.body("rod", mass=2.0, inertia=(0.1, 0.25, 0.3), position=where, orientation=pl.Rotation("z", angle))
        if angle:
            rod = m.bodies["rod"]
        m.revolute("hinge", m.ground, rod, at=(0, 0, 0), axis="z")
        start = {"hinge": 0.7, "hinge.angular_speed": "0.5 rad/s"} if not angle else {"hinge.angular_speed": 0.5}
        runs.append(pl.dynamics(m, duration=1.0, step=1e-3, start=start))
    np.testing.assert_allclose(runs[0]["rod.position"].values, runs[1]["rod.position"].values, atol=1e-11)
    assert runs[0]["hinge.angle"].values[0] == pytest.approx(0.7, abs=1e-13)
    assert runs[0]["hinge.angular_speed"].values[0] == pytest.approx(0.5, abs=1e-13)


@pytest.mark.parametrize("law", [pl.Rigid(), pl.Elastic(1e8, damping=1e3), pl.Rolling()])
def test_gears_that_turn_together_and_speeds_of_drives(law: pl.Elastic) -> None:
    """A pinion is placed: the wheel follows through rigid teeth; elastic teeth are placed by both angles."""
    m = pl.Model("pair")
    gears = [pl.Gear(teeth=z, normal_module="2 mm", face_width="20 mm") for z in (20, 40)]
    a, b = m.gear_body("a", gears[0]), None
    m.revolute("ha", m.ground, a, axis="z")
    b = m.gear_body("b", gears[1], mesh_with="a", towards="x")
    m.revolute("hb", m.ground, b, at=b.position, axis="z")
    m.gear_pair("mesh", "a", "b", mesh=law)
    m.drive("motor", "ha", speed=10.0)
    start = {"ha": 7.0} if not isinstance(law, pl.Elastic) else {"ha": 7.0, "hb": -3.5}
    run = pl.kinematics(m, times=[0.0, 0.1], start=start) if not isinstance(law, pl.Elastic) else None
    run = run or pl.dynamics(m, duration=0.1, step=1e-4, start=start)
    assert run["ha.angle"].values[[0, -1]] == pytest.approx([7.0, 8.0], abs=1e-9)
    assert run["hb.angle"].values[[0, -1]] == pytest.approx(
        [-3.5, -4.0], abs=1e-4 if isinstance(law, pl.Elastic) else 1e-9
    )


@pytest.mark.parametrize(
    "start, message",
    [
        ({"joint 3": 1.0}, 'there is no joint or elastic gear ratio "joint 3"; did you mean "joint'),
        ({"joint 1": "3 mm"}, 'start: "joint 1": expected angle'),
        ({"joint 1.displacement": 1.0}, 'is not a coordinate of joint "joint 1" \\(revolute\\). Use "joint 1.angle"'),
        ({"joint 1": 1.0, "joint 1.angle": 1.0}, "specified twice"),
        ({"joint 1": 1.0, "motor 1": 50.0, "gearbox 1.twist": 0.1}, 'give "gearbox 1" a twist of 0 rad, not 0.1 rad'),
        ({1: 2.0}, "expected names of joints, got 1"),
        (7, "start must be the result of an analysis, or positions by name of joint"),
    ],
)
def test_wrong_starts_are_named(start: object, message: str) -> None:
    with pytest.raises(pl.ModelError, match=message):
        pl.dynamics(arm(), duration=1e-3, start=start)  # type: ignore[arg-type]


def test_positions_of_drives_are_not_contradicted() -> None:
    m = arm()
    m.drive("hold", "joint 1", angle=0.2)
    with pytest.raises(pl.ModelError, match='joint "joint 1" is prescribed by the drive "hold", which is 0'):
        pl.statics(m, start={"joint 1": 0.3})
    run = pl.statics(m, start={"joint 1": 0.2, "joint 2": 1.0})
    assert run["joint 1.angle"].final == pytest.approx(0.2, abs=1e-12)
