"""Linear analyses of elastic gears: their modes are coordinates there, coupled with the wheels by the teeth in contact."""

import math
from typing import Any

import numpy as np
import pytest
from references.flank_runs import BASE_RADII, INERTIA, PITCH, flank, pair_model

import pitchline as pl
from pitchline.analyses.operating_point import OperatingPoint
from pitchline.engine.compile.compiler import compile_model
from pitchline.engine.compile.system import settle
from pitchline.engine.solvers.consistent import displace
from pitchline.engine.solvers.linearised import linear_motion
from pitchline.parts.meshes.compile import flanks_of

TORQUE = 20.0


def resting(**options: Any) -> pl.Result:
    """The pair at rest under a torque, the pinion held."""
    return pl.statics(pair_model(flank(**options), phase=0.3, drive={"angle": 0}, torque=TORQUE))


def floating(**options: Any) -> pl.Model:
    """The same with the pinion free, under a torque that keeps it in balance."""
    m = pair_model(flank(**options), phase=0.3, torque=TORQUE)
    m.torque("balance", "in", TORQUE * 17 / 23)
    return m


def test_the_stiffness_without_the_modes_is_that_of_statics() -> None:
    """Of the whole system: where it was loaded, and a quarter of a pitch on, with the modes at rest there."""
    model = floating()
    point = OperatingPoint.of(model, resting())
    n = point.system.own.first
    assert point.system.n_q == n + 23
    state = point.state.copy()
    for _ in range(2):
        opened = linear_motion(point.system, state)
        closed, at = compile_model(model, point.snapshot, until=0.0)
        at.pose[:], at.mem[:] = state.pose, state.mem
        closed.commit(at)
        expected = linear_motion(closed, at).K
        K = opened.K
        condensed = K[:n, :n] - K[:n, n:] @ np.linalg.solve(K[n:, n:], K[n:, :n])
        np.testing.assert_allclose(condensed, expected, atol=1e-9 * np.abs(expected).max())
        assert np.array_equal(opened.M[n:, n:], np.eye(23)) and not opened.M[:n, n:].any()
        dq = np.zeros(point.system.n_q)
        dq[:n] = 0.25 * PITCH, -0.25 * PITCH * 17 / 23
        displace(point.system, state, dq)
        settle(point.closed, point.system, state)


def test_out_of_contact_wheels_and_gears_move_by_themselves() -> None:
    """In the backlash: two wheels that turn freely, and every mode of the finite elements."""
    model = pair_model(flank(backlash="60 um"), phase=0.3)
    data = flanks_of(model.gear_pairs["mesh"])
    found = pl.modes(model, about="initial")
    expected = np.sort(np.concatenate([gear.all_frequencies for gear in (data.a, data.b)]))
    assert found.rigid == 2
    assert found.frequencies[found.frequencies > 0.0] == pytest.approx(expected, rel=1e-9)


def test_gears_in_contact_have_the_modes_of_both_and_one_of_the_mesh() -> None:
    """One free rotation; the mesh, whose frequency the modes of the gears lower; pairs of modes part."""
    found = pl.modes(floating(), about=resting())
    assert found.rigid == 1 and found.frequencies.size == 25
    stiff = pl.modes(floating(modes=0), about=resting(modes=0)).frequencies[-1]
    first = found.frequencies[1]
    assert 0.98 * stiff < first < 0.999 * stiff
    assert np.diff(found.frequencies).min() > 1.0
    assert not any("elastic gears" in text for text in found.warnings)


def test_slow_torques_are_shared_by_inertia() -> None:
    """At 1 kHz, far below the mesh: the force of the teeth is what turns the gear along, F r_b = T J_b i²/(J_a + J_b i²),
    i = z_a/z_b. (Slower ones turn the wheels so far that the loaded teeth vary.)"""
    response = pl.frequency_response(
        floating(), "in.torque", "mesh.contact_force", frequencies=["1 kHz"], about=resting()
    )
    along = INERTIA[1] * (17 / 23) ** 2
    assert abs(response.response[0, 0, 0]) == pytest.approx(along / (INERTIA[0] + along) / BASE_RADII[0], rel=0.01)


@pytest.mark.parametrize("frequency", [9e3, 16.1e3, 20e3])
def test_frequency_response_is_the_vibration_of_a_run(frequency: float) -> None:
    """The pinion held, a torque of one percent swinging on the gear, which drags: force of the teeth after all else has decayed."""
    drag, swing = 0.3, 0.01 * TORQUE
    options: dict[str, Any] = {"phase": 0.3, "drive": {"angle": 0}, "drag": drag}
    model = pair_model(flank(damping_ratio=0.02), torque=TORQUE, **options)
    rest = pl.statics(model)
    model.torque("more", "out", 0.0)
    expected = pl.frequency_response(model, "out.torque", "mesh.contact_force", frequencies=[frequency], about=rest)
    swinging = pair_model(flank(damping_ratio=0.02), torque=TORQUE, **options)
    swinging.torque("more", "out", lambda t: swing * math.sin(2.0 * math.pi * frequency * t))
    run = pl.dynamics(swinging, start=rest, duration="4 ms", step="0.5 us", output_step="2 us", rho=0.98)
    late = run.time > 3e-3
    t, force = run.time[late], np.asarray(run["mesh.contact_force"].values)[late]
    waves = np.stack(
        [np.sin(2.0 * np.pi * frequency * t), np.cos(2.0 * np.pi * frequency * t), np.ones_like(t)], axis=1
    )
    found = np.linalg.lstsq(waves, force, rcond=None)[0]
    assert math.hypot(found[0], found[1]) / swing == pytest.approx(abs(expected.response[0, 0, 0]), rel=0.01)
