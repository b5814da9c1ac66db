"""Trains that cannot move: drives, rigid teeth and stops that contradict each other are named, in every arrangement."""

import time

import numpy as np
import pytest

import pitchline as pl

DISTANCE = 0.048
FACTORIES = {"B": lambda: pl.Rigid(backlash="50 um"), "R": pl.Rolling}


def train(meshes: str, *speeds: float | None) -> pl.Model:
    """Three equal wheels: in a ring for three meshes, in a row for two. B: rigid teeth with backlash, R: rolling."""
    gear = pl.Gear(teeth=24, normal_module="2 mm", face_width="15 mm")
    m = pl.Model("train")
    if len(meshes) == 3:
        places = [(0, 0, 0), (DISTANCE, 0, 0), (DISTANCE / 2, DISTANCE * np.sqrt(3) / 2, 0)]
        wheels = [m.gear_body(f"w{i}", gear, position=x, axis="z") for i, x in enumerate(places)]
    else:
        wheels = [m.gear_body("w0", gear, position=(0, 0, 0), axis="z")]
        for i in (1, 2):
            wheels.append(m.gear_body(f"w{i}", gear, mesh_with=wheels[-1], towards="x"))
    joints = [m.revolute(f"j{i}", m.ground, wheel) for i, wheel in enumerate(wheels)]
    for i, kind in enumerate(meshes):
        m.gear_pair(f"m{i}", wheels[i], wheels[(i + 1) % 3], mesh=FACTORIES[kind]())
    for i, speed in enumerate(speeds):
        if speed is not None:
            m.drive(f"d{i}", joints[i], speed=speed)
    return m


@pytest.mark.parametrize("step", [None, 1e-4], ids=["error control", "fixed"])
@pytest.mark.parametrize("speed", [10.0, 1e3])
def test_trains_that_cannot_move_are_named_at_once(speed, step) -> None:
    """Rings of three wheels, and rows whose ends are driven in opposite directions or at different speeds."""
    for meshes in ("BRR", "BBR", "BRB", "RBB", "RRB", "BBB", "BR", "RB", "BB"):
        for other in (-speed, 2 * speed) if len(meshes) == 2 else (-speed, speed, 2 * speed, None):
            began = time.perf_counter()
            with pytest.raises(pl.SolveError, match=r"the mechanism is jammed|constrain the same motion") as caught:
                pl.dynamics(train(meshes, speed, None, other), duration=0.01, step=step)
            assert '"d0"' in str(caught.value) or "can no longer be satisfied" in str(caught.value)
            result = caught.value.result
            assert np.all(np.diff(result.time) >= 0.0) and result.time[-1] < 2e-3
            if meshes != "BRR":  # compiled before
                assert time.perf_counter() - began < 5.0


@pytest.mark.parametrize("step", [None, 1e-4], ids=["error control", "fixed"])
@pytest.mark.parametrize("meshes", ["BR", "RB"])
@pytest.mark.parametrize("other", [10.0, None])
def test_trains_that_can_move_do(meshes, step, other) -> None:
    """Both ends at the same speed, or one end only: the wheels close their backlash once and turn on."""
    result = pl.dynamics(train(meshes, 10.0, None, other), duration=0.01, step=step)
    assert result.statistics["impacts"] <= 1
    speeds = [result[f"w{i}.angular_velocity"].final[2] for i in range(3)]
    assert np.allclose(speeds, [10.0, -10.0, 10.0], rtol=1e-6)


def test_the_parts_of_a_jam_are_named() -> None:
    """Two drives and the teeth between them, without the wheel that is not part of it."""
    with pytest.raises(pl.SolveError) as caught:
        pl.dynamics(train("BR", 10.0, 10.0), duration=0.01)
    assert 'the mechanism is jammed. "d0", "d1" and "m0" require motions that contradict each other' in str(
        caught.value
    )


def test_wheels_between_two_drives_have_no_determined_forces() -> None:
    """Both ends push the wheel in the middle to the same side: its speed is determined, its two forces are not."""
    with pytest.raises(
        pl.SolveError, match=r'"d0", "d2", "m0" and "m1" constrain the same motion while they are in contact'
    ):
        pl.dynamics(train("BB", 10.0, None, 10.0), duration=0.01)


@pytest.mark.parametrize("reduce", [True, False])
def test_a_stop_jams_a_drive(reduce) -> None:
    """The driven lever turns another one by a ratio, up to its stop."""
    m = pl.Model("levers")
    for name, y in (("first", 0.0), ("second", 1.0)):
        m.body(name, mass=1.0, inertia=(0.01, 0.01, 0.01), position=(0, y, 0))
    joints = [m.revolute(f"pin {name}", m.ground, name, axis="z") for name in ("first", "second")]
    m.ratio("gearbox", joints[0], joints[1], ratio=2.0)
    m.drive("feed", joints[0], speed=0.1)
    m.stop("end", joints[1], upper=0.0021)
    with pytest.raises(pl.SolveError, match="the mechanism is jammed") as caught:
        pl.dynamics(m, duration=0.1, reduce=reduce)
    assert all(f'"{name}"' in str(caught.value) for name in ("feed", "gearbox", "end"))
    assert caught.value.time == pytest.approx(0.042, rel=1e-6)


def test_a_faster_than_light_body_ends_the_run() -> None:
    """Steps follow the rotation: they would become shorter without end."""
    m = pl.Model("wild")
    m.body("disk", mass=1.0, inertia=(0.01, 0.01, 0.01))
    m.torque("load", m.revolute("bearing", m.ground, "disk", axis="z"), 1e12)
    for step in (None, 1e-3):
        with pytest.raises(pl.SolveError, match='body "disk" is faster than light') as caught:
            pl.dynamics(m, duration=1.0, step=step)
        speed = caught.value.result["disk.angular_velocity"].values[-1, 2]
        assert speed == pytest.approx(1e14 * caught.value.result.time[-1], rel=1e-6)


def test_rigid_teeth_with_an_error_on_a_bushing() -> None:
    """The matrix is singular while the motion up to a contact is computed: the step is made shorter, and the run goes on."""
    gear = pl.Gear(teeth=24, normal_module="2 mm", face_width="15 mm", helix_angle="15 deg")
    m = pl.Model("pair", gravity=(0, -9.81, 0))
    a = m.gear_body("a", gear, position=(0, 0, 0), axis="z")
    b = m.gear_body("b", gear.with_(helix_angle="-15 deg"), mesh_with=a, towards="x")
    m.drive("motor", m.revolute("shaft", m.ground, a), speed=100.0)
    m.bushing(
        "support", m.ground, b, stiffness=[1e8, 1e8, 1e8, 1e5, 1e5, 0.0], damping=[1e3, 1e3, 1e3, 1.0, 1.0, 0.1]
    )  # fmt: skip
    profile = pl.Fourier(sin=[1e-5], over="angle", period=2 * np.pi)
    m.gear_pair("mesh", a, b, mesh=pl.Rigid(error=profile, backlash="50 um"))
    m.torque("load", b, (0, 0, 10.0))
    result = pl.dynamics(m, duration=1e-3, step=1e-5)
    assert result.status is pl.Status.COMPLETED
    assert result.statistics["impacts"] > 0


def test_a_motion_that_diverges_is_named_although_its_loads_are_shared() -> None:
    """The forces of redundant constraints of infinite samples are not numbers."""
    gear = pl.Gear(teeth=17, normal_module="2 mm", face_width="15 mm")
    m = pl.Model("train")
    wheels = [m.gear_body("w0", gear, position=(0, 0, 0), axis="z")]
    wheels += [m.gear_body("w1", gear, mesh_with=wheels[0], towards="x")]
    wheels += [m.gear_body("w2", gear, mesh_with=wheels[1], towards="x")]
    m.drive("motor", m.revolute("j0", m.ground, wheels[0]), speed=1.0)
    m.prismatic("j1", m.ground, wheels[1], axis="x")
    last = m.revolute("j2", m.ground, wheels[2])
    m.gear_pair("m1", wheels[0], wheels[1], mesh=pl.Rolling())
    m.gear_pair("m2", wheels[1], wheels[2], mesh=pl.Rigid())
    m.force("push", wheels[1], (1e12, 0, 0))
    m.torque("load", last, 1e12)
    with pytest.raises(pl.SolveError):
        pl.dynamics(m, duration=1e-3)
