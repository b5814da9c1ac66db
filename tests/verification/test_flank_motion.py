"""Elastic gears in motion, in whole models: statics, impacts, convergence, invariances, friction, long runs.

The pair is small and its grid coarse (`references.elastic_pair`): what is compared is the same gears computed in another way,
finer in one respect, or turned; never published numbers.
"""

import dataclasses
import math
from functools import cache
from typing import Any

import numpy as np
import pytest
from references.elastic_pair import COARSE, LIMIT, TEETH, elastic, gears
from references.flank_runs import BASE_RADII, INERTIA, PITCH, STEP, contact_force, flank, pair_model
from references.observed_order import observed_order

import pitchline as pl

TORQUE = 20.0
SPEED = 20.0
"""Of the pinion before impacts [rad/s]."""
PLAY = "40 um"


def values(run: pl.Result, name: str) -> np.ndarray:
    return np.asarray(run[name].values)


@cache
def impact(step: str = "0.5 us", zeta: float = 0.0, **more: Any) -> pl.Result:
    """The pinion thrown from the middle of its play against the held gear; 0.2 ms, of which 0.09 in contact."""
    m = pair_model(flank(backlash=PLAY, damping_ratio=zeta, **more), phase=0.3, speed=SPEED, held=True)
    return pl.dynamics(m, duration="0.2 ms", step=step, output_step=step, rho=0.95)


def loaded(mesh: pl.Flank | None = None, *, speed: float = 200.0, pitches: float = 1.0, **more: Any) -> pl.Result:
    """The pair driven at a speed under load, from rest of the teeth on each other."""
    mesh = flank(damping_ratio=0.02) if mesh is None else mesh
    step, output = more.pop("step", STEP), more.pop("output_step", "12.5 us")
    sign = math.copysign(1.0, speed)
    options = {"phase": -0.2 * sign, "torque": sign * TORQUE, "drag": 0.3} | more
    m = pair_model(mesh, speed=speed, drive={"speed": speed}, **options)
    return pl.dynamics(m, duration=pitches * PITCH / abs(speed), step=step, output_step=output, rho=0.95)


# ----------------------------------------------------------------------------------------------------------------- at rest


def at_rest(
    mesh: pl.Flank | None = None, *, phase: float, torque: float = TORQUE, helix: float = 0.0, modifications: Any = None
) -> pl.Result:
    m = pair_model(mesh, phase=phase, helix=helix, drive={"angle": 0}, torque=torque, modifications=modifications)
    return pl.statics(m)


@pytest.mark.parametrize("helix, close", [(0.0, 0.01), (0.2, 0.02)], ids=["spur", "helical"])
def test_equilibrium_is_that_of_loaded_contact(helix: float, close: float) -> None:
    """The same compliance, contact by cells of a fraction of Hertz's width there, by strips with Hertz's law here.

    Loaded contact wants gears that are held; these float, which is all the same to a matrix of compliance. Five strips in all
    cannot follow the ends of oblique lines of contact as cells do.
    """
    a, b = (dataclasses.replace(one, bore="fixed") for one in elastic(helix))
    torques, places = ([2.0, 80.0], (0, 1, 3, 5)) if not helix else ([TORQUE], (0, 2, 5))
    ltca = pl.loaded_contact(a, b, torque=torques, positions=8)
    flank_b = b.teeth.left.involute
    slope = math.cos(flank_b.base_helix_angle)
    for i, torque in enumerate(torques):
        for j in places:
            r = at_rest(phase=j / 8, torque=torque, helix=helix)
            error = values(r, "mesh.transmission_error")[0]
            assert error == pytest.approx(ltca.transmission_error[i, j], rel=close)
            lever = flank_b.base_radius * slope
            assert values(r, "mesh.contact_force")[0] == pytest.approx(torque / lever, rel=1e-6)


def test_equilibrium_does_not_depend_on_the_modes_in_motion() -> None:
    """Residual compliance carries what modes do not, whichever they are."""
    found = [
        values(at_rest(flank(modes=modes), phase=0.6), "mesh.transmission_error")[0] for modes in (0.0, LIMIT, 200e3)
    ]
    assert found == pytest.approx([found[0]] * 3, rel=1e-7)


def test_modes_with_a_penalty_have_statics_of_their_own() -> None:
    """In place of local and residual compliance: 1/(n c_p) besides the modes, and less than the true deflection however many."""
    strips, force = 5, contact_force(TORQUE)
    true = values(at_rest(phase=0.6), "mesh.transmission_error")[0]
    stiff = []
    for modes in (LIMIT, 200e3):
        hard, soft = (
            values(at_rest(flank(modes=modes, penalty=c_p), phase=0.6), "mesh.transmission_error")[0]
            for c_p in (1e11, 1e8)
        )
        # the load spreads over the strips evenly but for the modes' say
        assert soft - hard == pytest.approx(force / (strips * 1e8), rel=0.2 if modes > LIMIT else 0.01)
        stiff.append(hard)
    assert 0.0 < stiff[0] < 0.1 * true and stiff[1] < 0.7 * true


# ----------------------------------------------------------------------------------------------------------------- impacts


def test_the_momentum_of_an_impact_is_the_impulse_of_the_teeth() -> None:
    """J Δω = ∫ M dt; the trapezium rule is the integrator's own where forces begin and end with zero."""
    run = impact("1 us")
    w, moment = values(run, "in.angular_speed"), values(run, "mesh.moment_a")[:, 2]
    assert w[0] == SPEED and w[-1] < -0.98 * SPEED and moment[-1] == 0.0
    assert INERTIA[0] * (w[-1] - w[0]) == pytest.approx(np.trapezoid(moment, run.time), rel=1e-6)
    # and the moment is that of the normal forces on the base circle
    assert moment == pytest.approx(-BASE_RADII[0] * values(run, "mesh.contact_force"), rel=1e-5, abs=1e-6)


def test_an_impact_keeps_energy() -> None:
    """What the pinion has lost rings in the gears: 0.8 % of its energy, of which less than a fiftieth is missed."""
    run = impact()
    kinetic, stored = values(run, "energy.kinetic"), values(run, "energy.potential")
    w = values(run, "in.angular_speed")
    ringing = 1.0 - (w[-1] / w[0]) ** 2
    assert 0.005 < ringing < 0.02
    assert (kinetic[-1] + stored[-1]) / kinetic[0] == pytest.approx(1.0, abs=0.03 * ringing)
    assert values(run, "energy.balance_error")[-1] / kinetic[0] == pytest.approx(0.0, abs=0.03 * ringing)
    assert values(run, "energy.dissipated")[-1] == 0.0


def test_modal_damping_takes_out_what_it_says() -> None:
    run = impact("1 us", zeta=0.02)
    start = values(run, "energy.kinetic")[0]
    lost = values(run, "energy.dissipated")[-1] / start
    left = (values(run, "energy.kinetic")[-1] + values(run, "energy.potential")[-1]) / start
    assert 0.003 < lost < 0.02
    assert left + lost == pytest.approx(1.0, abs=2e-4)


# ------------------------------------------------------------------------------------------------------------- convergence


def test_second_order_while_the_teeth_stay_in_contact() -> None:
    """A pinion pressed on by a torque that changes smoothly: force and angle at a time, steps halved."""

    def run(step: str) -> tuple[float, float]:
        m = pair_model(flank(backlash=0), phase=0.3, held=True)
        m.torque("push", "a", (0, 0, lambda t: 10.0 * math.sin(2.0 * math.pi * 2000.0 * t) ** 2))
        r = pl.dynamics(m, duration="0.12 ms", step=step, output_step="4 us", rho=0.95)
        assert values(r, "mesh.contact_force")[1:].min() > 0.0
        return float(values(r, "mesh.contact_force")[-1]), float(values(r, "in.angle")[-1])

    found = np.array([run(step) for step in ("4 us", "2 us", "1 us", "0.5 us")])
    for errors in np.abs(np.diff(found, axis=0)).T:
        assert observed_order(list(errors)) == pytest.approx(2.0, abs=0.02)


def test_impacts_converge_with_the_step() -> None:
    """The moment of touch falls anywhere in a step: errors shrink, but not by a law."""
    fine = impact("0.25 us")
    for step, close in (("2 us", 8e-3), ("1 us", 3e-3), ("0.5 us", 1e-3)):
        run = impact(step)
        assert values(run, "mesh.contact_force").max() == pytest.approx(
            values(fine, "mesh.contact_force").max(), rel=close
        )
        assert values(run, "in.angular_speed")[-1] == pytest.approx(
            values(fine, "in.angular_speed")[-1], rel=0.1 * close
        )


def smooth(run: pl.Result, window: float = 20e-6) -> np.ndarray:
    """Moving mean of the contact force."""
    n = round(window / float(run.time[1]))
    return np.convolve(values(run, "mesh.contact_force"), np.ones(n) / n, "same")


def test_impacts_converge_with_the_highest_frequency() -> None:
    """Against all modes to 320 kHz; modes of teeth, at 110 to 160 kHz here, are left out or taken in together.

    Without any mode the pinion loses nothing to the gears."""
    finest = impact(modes=320e3)
    expected = smooth(finest)
    errors = [float(np.abs(smooth(impact(modes=f)) - expected).max() / expected.max()) for f in (0.0, 80e3, 200e3)]
    assert errors[0] < 0.04 and errors[1] < 0.02 and errors[2] < 0.003
    assert values(impact(modes=0.0), "in.angular_speed")[-1] == pytest.approx(-SPEED, rel=2e-4)
    after = [values(impact(modes=f), "in.angular_speed")[-1] for f in (200e3, 320e3)]
    assert after[0] == pytest.approx(after[1], rel=1e-3)


def test_impacts_converge_with_elements_and_strips() -> None:
    """Nine strips in place of five; flank edges of 0.2 in place of 0.4 mm: a percent of the peak."""
    plain = impact()
    for change, close in (({"face_elements": 4}, 2e-3), ({"flank_edge": "0.2 mm", "size": "1 mm"}, 0.015)):
        grid = COARSE | change
        run = pl.dynamics(
            pair_model(flank(backlash=PLAY, elements_a=grid, elements_b=grid), phase=0.3, speed=SPEED, held=True),
            duration="0.2 ms", step="0.5 us", output_step="0.5 us", rho=0.95,
        )  # fmt: skip
        assert values(run, "mesh.contact_force").max() == pytest.approx(
            values(plain, "mesh.contact_force").max(), rel=close
        )
        assert values(run, "in.angular_speed")[-1] == pytest.approx(
            values(plain, "in.angular_speed")[-1], rel=0.1 * close
        )


# ------------------------------------------------------------------------------------------------------------ invariances


def test_forces_do_not_depend_on_where_the_model_stands() -> None:
    c, s = math.cos(0.7), math.sin(0.7)
    turned = np.array([[c, -s, 0], [s, c, 0], [0, 0, 1]]) @ np.array([[1, 0, 0], [0, -0.6, 0.8], [0, -0.8, -0.6]])
    here, there = loaded(), loaded(turned=turned)
    force = values(here, "mesh.contact_force")
    assert np.ptp(force) > 500.0
    assert values(there, "mesh.contact_force") == pytest.approx(force, abs=1e-8 * force.max())
    assert values(there, "mesh.force_a") == pytest.approx(
        values(here, "mesh.force_a") @ turned.T, abs=1e-8 * force.max()
    )


def test_driving_the_other_way_is_the_mirror_image() -> None:
    """Spur teeth with equal flanks: on the coast flanks everything happens again, to the accuracy of the tables of gaps."""
    ahead, back = loaded(), loaded(speed=-200.0)
    force = values(ahead, "mesh.contact_force")
    assert values(back, "mesh.contact_force") == pytest.approx(force, abs=1e-6 * force.max())
    for name in ("mesh.normal_force", "mesh.transmission_error"):
        assert values(back, name) == pytest.approx(values(ahead, name), abs=1e-5 * values(ahead, name).max()), name
    assert values(ahead, "mesh.normal_force").min() == 0.0
    assert set(values(back, "mesh.contact")) == {-1.0, 0.0} and set(values(ahead, "mesh.contact")) == {1.0, 0.0}


def test_equilibrium_stays_at_rest() -> None:
    """A run that starts from statics: the modes stand where the load holds them, nothing moves."""
    m = pair_model(phase=0.3, drive={"angle": 0}, torque=TORQUE)
    run = pl.dynamics(m, start=pl.statics(m), duration="0.2 ms", step=STEP, rho=0.95)
    assert values(run, "mesh.contact_force") == pytest.approx(contact_force(TORQUE), rel=1e-9)
    assert np.abs(values(run, "out.angular_speed")).max() < 1e-9


# ------------------------------------------------------------------------------------------------------------ whole models


def test_bearings_carry_the_force_of_the_teeth() -> None:
    """Rigid bearings of wheels whose centres rest: force by force, while the gears vibrate."""
    run = loaded(pitches=0.5)
    force = values(run, "mesh.force_a")
    assert np.ptp(force[:, 1]) > 500.0
    for joint, sign in (("in", -1.0), ("out", 1.0)):
        assert values(run, f"{joint}.force") == pytest.approx(sign * force, abs=1e-9 * np.abs(force).max())


@pytest.mark.parametrize("stiffness", [1e7, 1e9])
def test_wheels_on_elastic_bearings(stiffness: float) -> None:
    """The gear floats in a bushing: it gives way by F/c along the line of action, and the teeth carry what they must."""
    run = loaded(pitches=2.0, soft=stiffness)
    settled = run.time > 0.5 * run.time[-1]
    # the bearing rings at its own 1.5 kHz
    assert values(run, "mesh.contact_force")[settled].mean() == pytest.approx(contact_force(TORQUE), rel=0.01)
    moved = (values(run, "b.position") - values(run, "b.position")[0])[settled].mean(axis=0)
    angle = math.radians(20.0)
    expected = contact_force(TORQUE) / stiffness * np.array([math.sin(angle), math.cos(angle), 0.0])
    assert moved == pytest.approx(expected, abs=0.03 * float(np.linalg.norm(expected)))
    assert abs(values(run, "energy.balance_error")[-1]) < 1e-3 * values(run, "energy.dissipated")[-1]


def test_two_stages_with_a_shaft_that_twists() -> None:
    """Two elastic pairs in one model, a torsion spring between them: torques go through both, ratio by ratio."""
    first, second = (teeth.gear for teeth in gears())
    ratio = TEETH[0] / TEETH[1]
    speeds = 100.0, -100.0 * ratio, 100.0 * ratio**2
    m = pl.Model("two stages", gravity=(0, 0, 0))
    weight: list[dict[str, Any]] = [{"mass": 0.1, "inertia": (3e-5, 3e-5, J)} for J in INERTIA]
    a = m.gear_body("a", first, position=(0, 0, 0), angular_velocity=(0, 0, speeds[0]), **weight[0])
    b = m.gear_body("b", second, mesh_with=a, towards="x", angular_velocity=(0, 0, speeds[1]), **weight[1])
    c = m.gear_body("c", first, position=(0.04, 0, 0.05), angular_velocity=(0, 0, speeds[1]), **weight[0])
    d = m.gear_body("d", second, mesh_with=c, towards="y", angular_velocity=(0, 0, speeds[2]), **weight[1])
    motor = m.revolute("in", m.ground, a, axis="z")
    m.revolute("middle", m.ground, b, axis="z")
    shaft = m.revolute("shaft", b, c, at=(0.04, 0, 0.025), axis="z")
    out = m.revolute("out", m.ground, d, axis="z")
    m.torsion_spring("twist", shaft, stiffness=500.0, damping=0.01)
    m.gear_pair("first", a, b, mesh=flank(damping_ratio=0.02))
    m.gear_pair("second", c, d, mesh=flank(damping_ratio=0.02))
    m.drive("motor", motor, speed=speeds[0])
    m.torque("load", out, -TORQUE + 0.3 * speeds[2])
    m.torsion_spring("drag", out, damping=0.3, free_angle=0)
    run = pl.dynamics(m, duration="8 ms", step=STEP, output_step="12.5 us", rho=0.95)
    settled = run.time > 0.5 * run.time[-1]
    assert values(run, "second.contact_force")[settled].mean() == pytest.approx(contact_force(TORQUE), rel=0.01)
    assert values(run, "first.contact_force")[settled].mean() == pytest.approx(contact_force(TORQUE * ratio), rel=0.01)
    assert np.abs(values(run, "shaft.angle"))[settled].mean() == pytest.approx(TORQUE * ratio / 500.0, rel=0.01)
    assert abs(values(run, "energy.balance_error")[-1]) < 1e-3 * values(run, "energy.dissipated")[-1]


def test_friction_has_the_roll_lengths_as_levers() -> None:
    """One pair in contact: torques are F (r_b + μ s ρ) on both wheels, ρ the roll lengths, with the sliding v = ω_A ρ_A − ω_B ρ_B
    = ω_A (1 + 1/i) d at a distance d behind the pitch point and s = v/√(v² + v_0²); the loss is μ s F v."""
    mu, fades, speed = 0.1, 1e-3, 20.0
    run = loaded(
        flank(damping_ratio=0.02, friction=mu, friction_speed=fades), speed=speed, pitches=0.5, phase=0.5, step="4 us",
        output_step="80 us",
    )  # fmt: skip
    force, psi = values(run, "mesh.contact_force"), values(run, "mesh.psi_a")
    alone = (np.count_nonzero(values(run, "mesh.pair_forces"), axis=1) == 1) & (run.time > 0.2 * run.time[-1])
    d = (psi - 0.75 * PITCH) * BASE_RADII[
        0
    ]  # tooth -1 meets the pitch point a quarter of a pitch before the line of centres
    v = speed * d * (1.0 + TEETH[0] / TEETH[1])
    s = v / np.hypot(v, fades)
    alone &= np.abs(s) > 0.9  # small ripples of the speed matter where friction fades
    assert np.count_nonzero(alone & (d < 0)) > 20 and np.count_nonzero(alone & (d > 0)) > 20
    rolls = [r * math.tan(math.radians(20.0)) + sign * d for r, sign in zip(BASE_RADII, (1.0, -1.0), strict=True)]
    on_a = -force * (BASE_RADII[0] + mu * s * rolls[0])
    on_b = -force * (BASE_RADII[1] + mu * s * rolls[1])
    assert values(run, "mesh.moment_a")[alone, 2] == pytest.approx(on_a[alone], rel=1e-3)
    assert values(run, "mesh.moment_b")[alone, 2] == pytest.approx(on_b[alone], rel=1e-3)
    assert values(run, "mesh.friction_loss")[alone] == pytest.approx((mu * s * force * v)[alone], rel=0.05)
    lost = values(run, "energy.dissipated")[-1]
    assert abs(values(run, "energy.balance_error")[-1]) < 1e-3 * lost


def test_a_tooth_out_of_pitch_shows_once_a_revolution() -> None:
    """Both flanks of tooth 0 stand out by 8 µm, along the normal: while it carries alone the gear is ahead by just that; while it
    shares, by less; while it is not in mesh, not at all."""
    mesh = flank(backlash="60 um")
    early = {"per_tooth": {0: pl.PitchDeviation("8 um")}}

    def ahead(phase: float) -> float:
        with_error, plain = (
            values(at_rest(mesh, phase=phase, modifications=said), "mesh.transmission_error")[0]
            for said in (early, None)
        )
        return float(plain - with_error)

    alone, shares = -0.2, 0.25
    assert ahead(alone) == pytest.approx(8e-6, rel=1e-6)
    assert 3e-6 < ahead(shares) < 8e-6
    assert ahead(alone + TEETH[0]) == pytest.approx(ahead(alone), rel=1e-6)
    for phase in (alone - 2, alone + 5, alone + 15, shares + 22):
        assert ahead(phase) == pytest.approx(0.0, abs=1e-12)


def test_ten_revolutions() -> None:
    """Fifteen thousand steps; the mean force of each revolution is that of the torque."""
    run = loaded(speed=1000.0, pitches=10 * TEETH[0], step="4 us", output_step="20 us")
    assert values(run, "in.angle")[-1] == pytest.approx(20.0 * math.pi, rel=1e-9)
    by_turn = np.array_split(values(run, "mesh.contact_force"), 10)
    means = [float(part.mean()) for part in by_turn[1:]]
    assert means == pytest.approx([contact_force(TORQUE)] * 9, rel=5e-3)
    assert abs(values(run, "energy.balance_error")[-1]) < 2e-3 * values(run, "energy.dissipated")[-1]


def test_a_run_in_pieces_gives_the_same_bits(tmp_path: Any) -> None:
    """Elastic motion is part of what a checkpoint keeps."""
    m = pair_model(flank(damping_ratio=0.02), phase=-0.2, speed=200.0, drive={"speed": 200.0}, torque=TORQUE, drag=0.3)
    options: dict[str, Any] = {"duration": "20 ms", "step": "4 us", "output_step": "40 us", "rho": 0.95}

    def stop(now: float, end: float) -> None:
        if now > 0.3 * end:
            raise KeyboardInterrupt

    file = tmp_path / "run.ckpt"
    part = pl.dynamics(m, progress=stop, checkpoint=file, **options)
    assert part.status == "interrupted" and 0 < part.time[-1] < 20e-3
    whole, straight = pl.resume(m, file), pl.dynamics(m, **options)
    for name in ("mesh.contact_force", "mesh.pair_forces", "out.angle", "energy.balance_error"):
        assert np.array_equal(values(whole, name), values(straight, name)), name


def test_steps_resolve_the_modes() -> None:
    """Error control keeps to a quarter of the shortest period by itself; a longer step is warned about, and one that has less than
    about two in a period refused: modes and contact would not be stable."""
    m = pair_model(flank(backlash=PLAY), phase=0.3, speed=SPEED, held=True)
    run = pl.dynamics(m, duration="0.2 ms")
    assert np.diff(run.time).max() <= 1.0001 / (4.0 * LIMIT)
    assert not any("period" in w for w in run.warnings)
    expected = values(impact("0.25 us"), "mesh.contact_force").max()
    assert values(run, "mesh.contact_force").max() == pytest.approx(expected, rel=0.03)
    assert any("period of the highest mode" in w for w in pl.dynamics(m, duration="50 us", step="6.25 us").warnings)
    with pytest.raises(pl.ModelError, match="too long for its modes"):
        pl.dynamics(m, duration="50 us", step="10 us")
