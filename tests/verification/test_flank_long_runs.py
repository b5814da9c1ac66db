"""Elastic flanks of bevel and spiral bevel gears over several mesh cycles: energy, and the mean force that the torque requires."""

import math

import numpy as np
import pytest
from references.enveloped_teeth import SIZE, spiral_bevel_pair
from references.flank_pairs import COARSE, mesh_of, pair_model, pressing

import pitchline as pl

LOAD, DRAG, SPEED, CYCLES = 20.0, 0.1, 100.0, 4
"""[N m], [N m s/rad], [rad/s] of A, and mesh cycles, the first one with increasing speed."""
GRID = COARSE | {"face_elements": 2}


def bevel() -> pl.GearPair:
    cone = math.atan(18 / 30)
    return pl.GearPair(
        pl.Gear(teeth=18, cone_angle=cone, **SIZE), pl.Gear(teeth=30, cone_angle=0.5 * math.pi - cone, **SIZE)
    )


@pytest.mark.slow
@pytest.mark.parametrize("make", [bevel, spiral_bevel_pair])
@pytest.mark.parametrize(("modes", "friction"), [(0, 0.0), ("40 kHz", 0.1)])
def test_energy_and_mean_force_over_mesh_cycles(make, modes, friction) -> None:
    """Work in = work out + losses + stored energy to 2e-4 of the transmitted work: the change of compliance with the phase is left
    out of the torque of A. Each cycle has the force of the torque."""
    pair = make()
    options = {"damping_ratio": 0.02} if modes else {}
    mesh = mesh_of(pair, modes=modes, friction=friction, elements_a=GRID, elements_b=GRID, **options)
    cycle, load = pair.a.angular_pitch / SPEED, pressing(pair, "left") * LOAD
    m = pair_model(pair, load, mesh=mesh, drive={"speed": pl.Ramp(0.0, SPEED, 0.0, cycle)}, drag=DRAG)
    run = pl.dynamics(m, duration=CYCLES * cycle, step=cycle / (600 if modes else 300), rho=0.98, start=pl.statics(m))

    torque = LOAD + DRAG * SPEED * 18 / 30
    turned = abs(run["out.angle"].values)
    transmitted = LOAD * turned + run["energy.dissipated"].values
    assert np.abs(run["energy.balance_error"].values).max() < 2e-4 * transmitted[-1]
    assert run["energy.balance_error"].values[-1] == pytest.approx(0.0, abs=2e-4 * transmitted[-1])
    lost = np.trapezoid(run["mesh.friction_loss"].values, run.time)
    if friction:
        assert 0.005 < lost / transmitted[-1] < 0.03
        rest = run["energy.dissipated"].values[-1] - lost
        slipping = np.trapezoid(DRAG * run["out.angular_speed"].values ** 2, run.time)
        assert rest == pytest.approx(slipping, rel=2e-3)
    else:
        assert lost == 0.0

    axis = m.placed(m.gear_pairs["mesh"].wheel_b.frame)[1][:, 2]
    moment, force = np.abs(run["mesh.moment_b"].values @ axis), run["mesh.contact_force"].values
    means = []
    for k in range(1, CYCLES):
        inside = (run.time > (k - 1e-6) * cycle) & (run.time < (k + 1 - 1e-6) * cycle)
        assert np.mean(moment[inside]) == pytest.approx(torque, rel=5e-4)
        means.append(float(np.mean(force[inside])))
    assert means[1:] == pytest.approx([means[-1]] * (CYCLES - 2), rel=1e-3)
    phases = np.arange(8) / 8
    slow = [
        pl.statics(pair_model(pair, load * torque / LOAD, mesh=mesh, phase=phase))["mesh.contact_force"].final
        for phase in phases
    ]
    assert means[-1] == pytest.approx(float(np.mean(slow)), rel=2e-2 if friction else 2e-3)
