"""Newton iterations of the time steps."""

import numpy as np
import pytest

import pitchline as pl


def test_a_first_correction_with_new_factors_is_checked() -> None:
    # teeth that touch within a step: the factors of free flight are replaced, and the iteration starts again
    m = pl.Model("pair", gravity=(0, 0, 0))
    gears = [pl.Gear(teeth=z, normal_module="4.725 mm", face_width="15 mm") for z in (23, 63)]
    a = m.gear_body("pinion", gears[0], position=(0, 0, 0), axis="z", angular_velocity=(0, 0, 5))
    b = m.gear_body("wheel", gears[1], mesh_with=a, towards="x", angular_velocity=(0, 0, -5 * 23 / 63))
    m.revolute("first", m.ground, a)
    m.revolute("second", m.ground, b)
    m.gear_pair("mesh", a, b, mesh=pl.Elastic(backlash="20 um"))
    m.torque("load", "first", -300)
    m.torsion_spring("hold", "second", stiffness=5364)
    runs = [pl.dynamics(m, duration=20 * 9.2e-5, step=9.2e-5, newton_tolerance=1e-12, reduce=r) for r in (True, False)]
    work = [run["energy.work"].values for run in runs]
    assert runs[1].statistics["newton_failures"] > 0
    assert runs[0].statistics["evaluator"].startswith("train") and runs[1].statistics["evaluator"].startswith("general")
    assert work[1] == pytest.approx(work[0], rel=1e-9, abs=1e-12)
    angle = [run["first.angle"].values for run in runs]
    assert angle[1] == pytest.approx(angle[0], rel=1e-9, abs=1e-12)
    speed = runs[1]["first.angular_speed"].values
    power = -300 * speed
    assert work[1] == pytest.approx(
        np.concatenate([[0.0], np.cumsum(0.5 * 9.2e-5 * (power[1:] + power[:-1]))]), rel=1e-9
    )


@pytest.mark.parametrize("mesh", [pl.Rolling(), pl.Elastic("2e8 N/m", damping_ratio=0.1, damping_acts="always")])
def test_the_energy_of_dampers_of_a_train_does_not_depend_on_the_samples(mesh: pl.Rolling | pl.Elastic) -> None:
    m = pl.Model("train")
    gears = [pl.Gear(teeth=z, normal_module="3 mm", face_width="20 mm") for z in (21, 41)]
    a = m.gear_body("pinion", gears[0])
    b = m.gear_body("wheel", gears[1], mesh_with=a)
    m.revolute("first", m.ground, a)
    m.revolute("second", m.ground, b)
    m.gear_pair("mesh", a, b, mesh=mesh)
    m.torque("load", "first", "100 N*m")
    m.torsion_spring("hold", "second", stiffness="40 kN*m/rad", damping="10 N*m*s/rad")
    runs = [pl.dynamics(m, duration="2 ms", step="20 us", output_step=output) for output in ("20 us", "0.2 ms")]
    assert all(run.statistics["evaluator"].startswith("train") for run in runs)
    lost = [run["energy.dissipated"].values for run in runs]
    assert lost[0][-1] > 1e-3
    assert lost[1] == pytest.approx(lost[0][::10], rel=1e-9)
