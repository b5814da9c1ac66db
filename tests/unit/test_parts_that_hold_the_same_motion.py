"""Small motions of machines in which two parts hold the same motion."""

import pytest

import pitchline as pl


def machine(*, clutch: bool) -> pl.Model:
    """A wheel that a brake, and perhaps a one-way clutch, holds under a torque, and another wheel on a spring."""
    m = pl.Model("held twice", gravity=(0, 0, 0))
    for name in ("held", "swinging"):
        m.body(name, mass=1, inertia=(0.01, 0.01, 0.01))
        m.revolute(f"hinge {name}", "ground", name)
    m.torsion_spring("spring", joint="hinge swinging", stiffness=100)
    m.brake("brake", joint="hinge held", capacity=5)
    m.torque("load", on="hinge held", value=-1)
    m.torque("probe", on="hinge swinging", value=0)
    if clutch:
        m.one_way_clutch("one-way clutch", joint="hinge held")
    return m


@pytest.mark.parametrize("reduce", [True, False])
@pytest.mark.parametrize("clutch", [True, False])
def test_the_other_wheel_swings(clutch: bool, reduce: bool) -> None:
    found = pl.modes(machine(clutch=clutch), reduce=reduce)
    assert found.eigenvalues.imag == pytest.approx([100.0])


def test_the_linear_model_has_the_same_swing() -> None:
    models = [pl.linear_model(machine(clutch=clutch), "probe", ["hinge swinging.angle"]) for clutch in (True, False)]
    assert pytest.approx(models[1].A) == models[0].A


def test_a_few_modes_with_sparse_matrices() -> None:
    m = machine(clutch=True)
    for k in range(1, 40):
        m.body(f"other {k}", mass=1, inertia=(0.01, 0.01, 0.01))
        m.revolute(f"hinge {k}", "ground", f"other {k}")
        m.torsion_spring(f"spring {k}", joint=f"hinge {k}", stiffness=100 * (k + 1))
    found = pl.modes(m, reduce=False, count=2)
    assert found.eigenvalues.imag == pytest.approx([100.0, 100.0 * 2**0.5])


def test_a_planetary_stage_whose_sun_is_held_twice_stays_at_rest() -> None:
    m = pl.Model("stage", gravity=(0, 0, 0))

    def gear(teeth: int, helix: float, **more: object) -> pl.Gear:
        return pl.Gear(normal_module="2.5 mm", face_width="20 mm", teeth=teeth, helix_angle=helix, **more)

    ring = gear(99, 0.3, internal=True, addendum_factor=0.8, rim_diameter="290 mm")
    pl.planetary(m, "stage", sun=gear(27, -0.3), planet=gear(36, 0.3), ring=ring)
    m.one_way_clutch("one-way clutch", joint="stage sun bearing")
    m.brake("brake", joint="stage sun bearing", capacity=pl.Ramp(start=0.0, end=1.0, t0=0.0, t1=0.02))
    run = pl.dynamics(m, duration=1e-3, step=1e-3)
    assert run["stage sun bearing.angle"].final == pytest.approx(0.0, abs=1e-9)
