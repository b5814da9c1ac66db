"""Forces of closed loops at any step: constraints on positions amplify rounding by 1/h^2, constraints on velocities by 1/h."""

import math
from typing import Any

import numpy as np
import pytest

import pitchline as pl

SPEED = 5.0
JOINTS = ("pin", "wrist")


def slider_crank(*, driven: bool, away: float = 0.0) -> pl.Model:
    """Crank 0.2 m, rod 0.5 m and slider. away: distance from the origin [m]."""
    m = pl.Model("slider-crank", gravity=(0, -9.81, 0))
    a, l, turn = 0.2, 0.5, 0.8
    at = np.array([away, 0.0, 0.0])
    pin = a * np.array([math.cos(turn), math.sin(turn), 0.0])
    wrist = np.array([pin[0] + math.sqrt(l**2 - pin[1] ** 2), 0.0, 0.0])
    m.body("crank", mass=1.0, inertia=(4e-3, 4e-3, 4e-3), position=at + pin / 2)
    m.body("rod", mass=0.7, inertia=(1e-3, 0.015, 0.015), position=at + (pin + wrist) / 2)
    m.body("slider", mass=0.5, inertia=(1e-3, 1e-3, 1e-3), position=at + wrist)
    m.revolute("main", m.ground, "crank", at=at, axis="z")
    m.revolute("pin", "crank", "rod", at=at + pin, axis="z")
    m.revolute("wrist", "rod", "slider", at=at + wrist, axis="z")
    m.prismatic("guide", m.ground, "slider", axis="x")
    if driven:
        m.drive("motor", "main", speed=SPEED)
    return m


def forces(result: pl.Result) -> np.ndarray:
    return np.concatenate([result[f"{joint}.force"].values for joint in JOINTS], axis=1)


OPTIONS = [{}, {"reduce": False}, {"rho": 0.95}, {"rho": 0.0}, {"hht": -0.1}]


@pytest.mark.parametrize("away", [0.0, 100.0])
@pytest.mark.parametrize("options", OPTIONS, ids=str)
def test_driven(options: dict[str, Any], away: float) -> None:
    """The motion is that of the drive: the wrist accelerates the slider, m x'' in closed form, with steps from 10 ms to 10 ns."""
    model = slider_crank(driven=True, away=away)
    for step in (1e-2, 1e-3, 1e-4, 1e-5, 1e-6, 1e-7, 1e-8):
        run = pl.dynamics(model, duration=100 * step, step=step, **options)
        turn = 0.8 + SPEED * run.time
        a, l = 0.2, 0.5
        c, s = np.cos(turn), np.sin(turn)
        root = np.sqrt(l**2 - (a * s) ** 2)
        acceleration = -a * SPEED**2 * (c + a * ((c**2 - s**2) / root + a**2 * s**2 * c**2 / root**3))
        along = run["wrist.force"].values[:, 0]
        size = np.max(np.abs(0.5 * acceleration))
        off = np.max(np.abs(np.abs(along) - np.abs(0.5 * acceleration)))
        stabilised = step < 2e-5 * (10 if away else 1)
        assert run.options["stabilised"] is stabilised
        # forces adapt to the discrete motion in the first steps: an error of order 1, which does not last
        assert off < ((6 if stabilised else 80) * step + 1e-6) * size, step


@pytest.mark.parametrize("reduce", [True, False])
def test_free(reduce: bool) -> None:
    """From rest forces change with the square of time: within a hundred short steps not at all."""
    model = slider_crank(driven=False)
    first = forces(pl.dynamics(model, duration=1e-9, step=1e-10, reduce=reduce))[0]
    for step in (1e-5, 1e-6, 1e-7, 1e-8, 1e-9):
        found = forces(pl.dynamics(model, duration=100 * step, step=step, reduce=reduce))
        assert np.max(np.abs(found - first)) < (1e3 * (100 * step) ** 2 + 1e-9) * np.max(np.abs(first)), step


def test_who_chooses_constraints_on_positions_is_warned() -> None:
    for step, warned in ((1e-6, True), (1e-3, False)):
        run = pl.dynamics(slider_crank(driven=True), duration=10 * step, step=step, stabilised=False)
        assert run.options["stabilised"] is False
        texts = [text for text in run.warnings if "stabilised=False with a step of 1e-06 s" in text]
        assert bool(texts) is warned
        if warned:
            assert "rounding errors of about" in texts[0] and "Leave out stabilised=False" in texts[0]


def test_a_train_remains_a_train() -> None:
    m = pl.Model("pair")
    gears = [pl.Gear(teeth=z, normal_module="2 mm", face_width="20 mm") for z in (20, 33)]
    a = m.gear_body("a", gears[0], position=(0, 0, 0), axis="z")
    b = m.gear_body("b", gears[1], mesh_with=a, towards=(1, 0, 0))
    m.drive("motor", m.revolute("first", m.ground, a), speed=100.0)
    m.revolute("second", m.ground, b)
    m.torque("load", "second", 5.0)
    m.gear_pair("mesh", a, b, mesh=pl.Rolling())
    for options in ({}, {"reduce": False}):
        run = pl.dynamics(m, duration=1e-6, step=1e-8, **options)
        assert run.statistics["evaluator"].startswith("train" if not options else "general")
        assert run["motor.torque"].values == pytest.approx(5.0 * 20 / 33, rel=1e-5)


@pytest.mark.parametrize("options", [{}, {"stabilised": True}], ids=str)
def test_intervals_of_very_different_length(options: dict[str, Any]) -> None:
    """A long step after a short one: what the short one leaves in accelerations is rounding, and is not extrapolated."""
    outputs = ["pin.force.x", "wrist.force.y"]
    runs = []
    for intervals in ([1e-3] * 6, [1e-3, 1e-7, 1e-3, 1e-9, 1e-3, 1e-6, 1e-9, 1e-3, 1e-3, 1e-3]):
        run = pl.Stepper(slider_crank(driven=False), step=1e-3, outputs=outputs, **options)
        t = 0.0
        for h in intervals:
            t += h
            run.advance_to(t)
        runs.append(np.array([float(run.get(name)) for name in outputs]))
    assert runs[1] == pytest.approx(runs[0], rel=1e-3)


def test_samples_between_the_steps_of_a_controller() -> None:
    """Steps end at the samples: 1 ms and 1.0001 ms leave steps of 0.1 us. Then the run is stabilised."""
    finals = []
    cases = (({"step": 1e-3}, 2e-3, False), ({"step": 1e-4}, 1.0001e-3, True), ({"tolerance": 1e-9}, 1.0001e-3, True))
    for options, sample, stabilised in cases:
        m = slider_crank(driven=False)
        angle = pl.expression("main.angle")
        m.add(pl.SampledPID("pid", setpoint=1.0, measured=angle, proportional=20, derivative=0.5, sample_time=sample))
        m.torque("motor", "main", pl.expression("pid.output"))
        run = pl.dynamics(m, duration=0.05, output_step=0.01, **options)
        assert run.options["stabilised"] is stabilised
        finals.append(forces(run)[-1])
    assert finals[1] == pytest.approx(finals[2], abs=5e-5 * np.max(np.abs(finals[2])))


def test_short_steps_at_events_are_stabilised() -> None:
    """Friction starts and stops between two samples. With constraints on positions, forces do not differ more after these short
    steps than before them."""
    runs = []
    for options in ({"stabilised": False}, {}):
        model = slider_crank(driven=False, away=100.0)
        model.friction("rubbing", "guide", coulomb=3.0, static=4.0)
        runs.append(pl.dynamics(model, duration=0.4, step=1e-3, reduce=False, **options))
    state = runs[0]["rubbing.state"].values
    first = int(np.flatnonzero(state != state[0])[0])
    difference = np.max(np.abs(forces(runs[0]) - forces(runs[1])), axis=1)
    assert 100 < first < 300
    assert np.max(difference[first:]) <= np.max(difference[:first])
