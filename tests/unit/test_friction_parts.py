"""Friction, brakes, clutches: arguments, files, and their behaviour in every analysis; times at which elements require a step."""

import math
from pathlib import Path

import numpy as np
import pytest

import pitchline as pl
from pitchline.engine.elements.contract import RATE, RESIDUAL, TANGENT
from pitchline.engine.elements.random_declared import call, random_declared
from pitchline.extend import Element, frame, memory, signal
from pitchline.parts.friction.kernel_sticking import MODE

G = 9.81


def arm(friction: float | None = None, **options: object) -> tuple[pl.Model, pl.Joint]:
    """A horizontal arm of 1 kg at 1 m."""
    m = pl.Model("arm", gravity=(0, 0, -G))
    rod = m.body("rod", mass=1, inertia=(1, 1, 1), position=(1, 0, 0))
    hinge = m.revolute("hinge", m.ground, rod, axis="y", at=(0, 0, 0))
    if friction is not None:
        m.friction("pad", hinge, coulomb=friction, **options)
    return m, hinge


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({}, 'friction "f": specify coulomb, or coefficient, normal_force and radius; coefficient is missing'),
        ({"coulomb": "1 N"}, "friction \"f\": coulomb: expected torque (N*m, N*mm, lbf*in), got force: '1 N'"),
        ({"coulomb": 1, "coefficient": 0.1}, 'friction "f": specify coulomb or coefficient, not both'),
        ({"coefficient": 0.1, "normal_force": 3}, "radius is missing"),
        ({"coefficient": -0.1, "normal_force": 3, "radius": 1}, "coefficient must not be negative, got -0.1"),
        ({"coefficient": 0.1, "normal_force": 3, "radius": 0}, "radius must be greater than 0, got 0 m"),
        ({"coulomb": 1, "static": 0.5}, "static must not be less than the friction in motion, 1, got 0.5"),
        ({"coulomb": 0, "static": 0.5}, "static needs a constant friction in motion that is greater than 0"),
        ({"coulomb": -1}, 'Friction "f": capacity must not be negative, got -1: friction acts against the motion'),
        ({"coulomb": 1, "viscous": -1}, 'Friction "f".viscous: must not be less than 0 N*m*s/rad, got -1'),
    ],
)
def test_wrong_arguments_are_named(given: dict, message: str) -> None:
    m, hinge = arm()
    with pytest.raises(pl.PitchlineError) as error:
        m.friction("f", hinge, **given)
    assert message in str(error.value)
    assert not m.elements


def test_wrong_clutches_are_named() -> None:
    m, hinge = arm()
    with pytest.raises(pl.ModelError, match='free must be "forward" or "backward", got \'up\''):
        m.one_way_clutch("f", hinge, free="up")
    with pytest.raises(
        pl.ModelError, match=r"slip_torque must be greater than 0 and at most torque = 1 N\*m, got 2 N\*m"
    ):
        m.torque_limiter("f", hinge, torque=1, slip_torque=2)
    with pytest.raises(pl.ModelError, match='Clutch "f": a and b are the same joint'):
        m.clutch("f", hinge, hinge, capacity=1)
    with pytest.raises(pl.ModelError, match="static_ratio: must not be less than 1"):
        m.brake("f", hinge, 1, static_ratio=0.5)


def test_friction_by_a_coefficient() -> None:
    m, hinge = arm()
    pad = m.friction("pad", hinge, coefficient=0.3, normal_force="100 N", radius="50 mm")
    assert pad.values["capacity"](0.0) == pytest.approx(1.5)
    more = m.friction("more", hinge, coefficient=0.3, normal_force=pl.Table([0, 1], [0, 100]), radius="50 mm")
    assert more.values["capacity"](0.5) == pytest.approx(0.75)


def test_all_parts_are_in_files(tmp_path: Path) -> None:
    m = pl.Model("parts")
    hinges = []
    for i in (0, 1):
        body = m.body(f"b{i}", mass=1, inertia=(1, 1, 1), angular_velocity=(0, 0, 3.0 * i))
        hinges.append(m.revolute(f"h{i}", m.ground, body, axis="z"))
    block = m.body("block", mass=1, inertia=(1, 1, 1), velocity=(1, 0, 0))
    slide = m.prismatic("slide", m.ground, block, axis="x")
    m.friction("seal", hinges[0], coulomb="0.3 N*m", static="0.4 N*m", stribeck_speed="0.1 rad/s", viscous=0.01)
    m.friction("guide", slide, coulomb="2 N", viscous="1 N*s/m")
    m.brake("brake", hinges[1], pl.Table([0, 1], [0, 1]))
    m.clutch("clutch", hinges[0], hinges[1], capacity=pl.Table([0, 1], [1, 2]), static_ratio=1.2)
    m.one_way_clutch("freewheel", hinges[1], hinges[0], capacity="5 N*m")
    m.torque_limiter("limiter", hinges[1], torque="3 N*m", slip_torque="2 N*m")
    path = tmp_path / "parts.toml"
    path.write_text(m.to_toml())
    again = pl.load(path).model
    assert again.to_toml() == m.to_toml()
    assert again.summary() == m.summary()
    runs = [pl.dynamics(model, duration=0.5, step=1e-2) for model in (m, again)]
    for name in runs[0].signals:
        assert np.array_equal(runs[0][name].values, runs[1][name].values), name
    names = {name.partition(".")[2] for name in runs[0].signals if name.startswith("guide.")}
    assert names == {"force", "slip_speed", "state", "dissipated"}


@pytest.mark.parametrize("law", [1.0, -1.0])
def test_tangents_while_slipping(law: float) -> None:
    """Derivatives of the row and of the effort, against differences of the velocities."""
    from pitchline.parts.friction.part import Clutch, Friction, SlidingFriction

    for cls in (Friction, SlidingFriction, Clutch):
        probe = random_declared(cls, np.random.default_rng(3))
        probe.memory[MODE] = law
        n, e = probe.n, 1e-6
        J = call(probe, TANGENT, damping=1.0).J
        for j in range(n):
            sides = []
            for sign in (1, -1):
                V = probe.V.copy()
                V.ravel()[j] += sign * e
                sides.append(call(type(probe)(**{**vars(probe), "V": V}), RESIDUAL).r)
            np.testing.assert_allclose((sides[0] - sides[1]) / (2 * e), J[:, j], atol=1e-7)
        assert call(probe, RATE).r[n] == 0.0


def test_statics_holds_or_names_what_slips() -> None:
    m, hinge = arm(8.0, static=12.0)
    at_rest = pl.statics(m)
    assert at_rest["hinge.angle"].values[-1] == 0.0
    assert at_rest["pad.torque"].values[-1] == pytest.approx(-G)
    m, hinge = arm(5.0, static=6.0)
    with pytest.raises(pl.SolveError, match=r'"pad" slips, because it holds up to 6 N\*m, and 9\.81 N\*m are needed'):
        pl.statics(m)
    m.friction("more", hinge, coulomb=6.0)
    at_rest = pl.statics(m)  # both hold by their limits
    assert at_rest["pad.torque"].values[-1] == pytest.approx(-G / 2)
    assert at_rest["more.torque"].values[-1] == pytest.approx(-G / 2)


def test_statics_with_a_drive_on_the_same_joint() -> None:
    m, hinge = arm(5.0)
    m.drive("drive", hinge, angle=0.3)
    at_rest = pl.statics(m)
    assert at_rest["hinge.angle"].values[-1] == pytest.approx(0.3)
    assert at_rest["pad.torque"].values[-1] == 0.0
    assert abs(at_rest["drive.torque"].values[-1]) == pytest.approx(G * math.cos(0.3))


def test_one_way_clutch_in_statics_pushes_in_one_direction() -> None:
    for free, holds in (("forward", False), ("backward", True)):  # the weight turns the arm about +y
        m, hinge = arm()
        m.one_way_clutch("freewheel", hinge, free=free)
        if holds:
            assert pl.statics(m)["freewheel.torque"].values[-1] == pytest.approx(-G)
        else:
            with pytest.raises(pl.SolveError, match='"freewheel" slips'):
                pl.statics(m)


def test_kinematics_has_friction_in_the_direction_of_motion() -> None:
    m, hinge = arm(5.0, static=6.0, stribeck_speed=0.5)
    m.drive("drive", hinge, speed=pl.Table([0, 1, 2], [0.5, 0.5, -0.5]))
    run = pl.kinematics(m, duration=2, step=0.25)
    v = run["hinge.angular_speed"].values
    law = np.sign(np.round(v, 9)) * (5 + np.exp(-((v / 0.5) ** 2)))
    np.testing.assert_allclose(run["pad.torque"].values, -law, atol=1e-6)
    weight = G * np.cos(run["hinge.angle"].values)
    np.testing.assert_allclose(run["drive.torque"].values, law - weight, atol=1e-6)


def test_modes_lock_what_sticks_and_damp_what_slips() -> None:
    m = pl.Model("two")
    hinges = []
    for i, speed in enumerate((0.0, 2.0)):
        body = m.body(f"w{i}", mass=1, inertia=(1, 1, 0.5), angular_velocity=(0, 0, speed))
        hinges.append(m.revolute(f"h{i}", m.ground, body, axis="z"))
        m.torsion_spring(f"k{i}", hinges[-1], stiffness="10 N*m/rad")
        m.friction(f"f{i}", hinges[-1], coulomb=0.5, viscous=0.3)
    found = pl.modes(m)
    assert found.frequencies == pytest.approx([math.sqrt(20) / (2 * math.pi)])
    assert found.damping_ratios[0] == pytest.approx(0.3 / (2 * math.sqrt(5)))
    assert any('"f0" stick' in text for text in found.warnings)
    assert any('"f1" slip' in text for text in found.warnings)


def test_runs_continue_from_results_and_checkpoints(tmp_path: Path) -> None:
    def model() -> pl.Model:
        m = pl.Model("belt")
        belt = m.body("belt", mass=5, inertia=(1, 1, 1), velocity=(0.1, 0, 0))
        block = m.body("block", mass=1, inertia=(1, 1, 1), velocity=(0.1, 0, 0))
        m.drive("drive", m.prismatic("track", m.ground, belt, axis="x"), speed=0.1)
        slide = m.prismatic("slide", belt, block, axis="x")
        m.spring("spring", m.ground, block, stiffness=50, free_length=1, at_a=(-1, 0, 0))
        m.friction("contact", slide, coulomb=2.5, static=4.0)
        return m

    whole = pl.dynamics(model(), duration=4, step=2e-3)
    first = pl.dynamics(model(), duration=1.7, step=2e-3)
    second = pl.dynamics(model(), duration=2.3, step=2e-3, start=first)
    assert second["block.position"].values[-1, 0] == pytest.approx(whole["block.position"].values[-1, 0], abs=1e-7)
    path = tmp_path / "run.ckpt"

    def stop(t: float, end: float) -> None:
        if t > 1.5:
            raise KeyboardInterrupt

    part = pl.dynamics(model(), duration=4, step=2e-3, checkpoint=path, progress=stop)
    assert part.time[-1] < 4.0
    resumed = pl.resume(model(), path)
    for name in whole.signals:
        assert np.array_equal(resumed[name].values, whole[name].values), name


def test_a_freewheel_cannot_start_in_its_locked_direction() -> None:
    m = pl.Model("wheel")
    body = m.body("wheel", mass=1, inertia=(1, 1, 1), angular_velocity=(0, 0, -1))
    m.one_way_clutch("freewheel", m.revolute("hinge", m.ground, body, axis="z"))
    with pytest.raises(pl.ModelError, match='"freewheel" starts to move in its locked direction'):
        pl.dynamics(m, duration=1, step=0.01)


class Clock(Element):
    """Counts the steps that end at multiples of its period, and requires them."""

    on = frame("a body")
    due = memory("next time")
    count = memory("samples so far")
    late = memory("largest deviation of a sample from its time")
    counted = signal("", "samples so far")
    worst = signal("s", "largest deviation")

    def evaluate(s, m, x, w, ask, r, J):
        pass

    def accept(s, m, x, w, ask):
        if ask.h > 0.0 and ask.t >= m.due - 1e-9:
            m.late = max(m.late, abs(ask.t - m.due))
            m.count += 1.0
            m.due += 0.0137
        elif ask.h == 0.0:
            m.due = 0.0137
        ask.stop = min(ask.stop, m.due)

    def report(s, m, x, w, ask, out):
        out.counted = m.count
        out.worst = m.late


class OtherClock(Element):
    """The same with another period."""

    on = frame("a body")
    due = memory("next time")
    late = memory("largest deviation of a sample from its time")
    worst = signal("s", "largest deviation")

    def evaluate(s, m, x, w, ask, r, J):
        pass

    def accept(s, m, x, w, ask):
        if ask.h > 0.0 and ask.t >= m.due - 1e-9:
            m.late = max(m.late, abs(ask.t - m.due))
            m.due += 0.031
        elif ask.h == 0.0:
            m.due = 0.031
        ask.stop = min(ask.stop, m.due)

    def report(s, m, x, w, ask, out):
        out.worst = m.late


@pytest.mark.parametrize("options", [{"step": 1e-2}, {"step": 4e-3}, {"tolerance": 1e-6, "output_step": 0.05}])
def test_steps_end_at_the_times_that_elements_require(options: dict) -> None:
    m, _ = arm()
    m.add(Clock("clock", on=m.bodies["rod"]))
    m.add(OtherClock("other", on=m.bodies["rod"]))
    run = pl.dynamics(m, duration=1, **options)
    assert run["clock.counted"].values[-1] == math.floor(1 / 0.0137)
    assert run["clock.worst"].values[-1] < 1e-12
    assert run["other.worst"].values[-1] < 1e-12
    plain, _ = arm()
    alone = pl.dynamics(plain, duration=1, **options)
    if "step" in options:
        np.testing.assert_allclose(run.time, alone.time, atol=1e-12)
    assert run["hinge.angle"].values[-1] == pytest.approx(alone["hinge.angle"].values[-1], abs=1e-4)
