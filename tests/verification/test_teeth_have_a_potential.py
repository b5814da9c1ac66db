"""Elastic teeth follow their centres by default: loaded trains on elastic bearings do not excite themselves.

Where teeth are told not to, modes name the cause and its cure, and runs tell how much energy the teeth put in.
"""

import math
from typing import Any

import numpy as np
import pytest
from references.observed_order import observed_order

import pitchline as pl
from pitchline import gallery

COMMON: dict[str, Any] = {"normal_module": "4 mm", "face_width": "20 mm"}


def on_supports(torque: float = 500.0, **mesh: Any) -> pl.Model:
    """The planetary train of the gallery, 24/36/96, all members on bushings; `torque` [N m] on the carrier's shaft."""
    m = pl.Model("planetary on supports")
    gears = gallery.model("planetary").file.gears
    law = pl.Elastic("4e8 N/m", damping_ratio=0.05, **mesh)
    sun = m.gear_body("sun", gears["sun"], position=(0, 0, 0), axis="z")
    ring = m.gear_body("ring", gears["ring"], position=(0, 0, 0), axis="z")
    carrier = m.body("carrier", solid=pl.cylinder("70 mm", "15 mm", density="7850 kg/m^3"), position=(0, 0, "-30 mm"))

    def support(name: str, a: Any, b: Any, k: float, shaft: float, **where: Any) -> None:
        stiffness, tilt = (k, k, k), (1e-2 * k, 1e-2 * k)
        damping = tuple(1e-6 * x for x in (*stiffness, *tilt)) + (0.0,)
        m.bushing(name, a, b, stiffness=(*stiffness, *tilt, shaft), damping=damping, **where)

    support("housing", m.ground, ring, 1e8, 1e8)
    support("sun support", m.ground, sun, 1e7, 0.0)
    support("carrier support", m.ground, carrier, 1e7, 1e4, at=(0, 0, 0), axis="z")
    for i in (1, 2, 3):
        angle = 2 * math.pi * (i - 1) / 3
        planet = m.gear_body(
            f"planet_{i}", gears["planet"], mesh_with=sun, towards=(math.cos(angle), math.sin(angle), 0)
        )
        support(f"pin_{i}", carrier, planet, 1e7, 0.0)
        m.gear_pair(f"sun_{i}", sun, planet, mesh=law)
        m.gear_pair(f"ring_{i}", planet, ring, mesh=law)
    m.torque("drive", sun, (0, 0, torque * 24 / 120))
    return m


@pytest.fixture(scope="module")
def loaded() -> pl.Result:
    return pl.statics(on_supports())


def test_a_loaded_planetary_train_is_stable(loaded: pl.Result) -> None:
    """Every damper takes energy, and nothing else gives any."""
    modes = pl.modes(on_supports(), about=loaded)
    assert np.min(modes.damping_ratios[modes.rigid :]) > 0.0
    assert not modes.warnings


def test_modes_name_what_feeds_a_vibration() -> None:
    model = on_supports(follow_centres=False)
    modes = pl.modes(model, about=pl.statics(model))
    assert np.min(modes.damping_ratios[modes.rigid :]) < -0.05
    (warning,) = modes.warnings
    assert "not stable" in warning
    assert 'separating force of gear pairs "' in warning
    assert "follow_centres=True" in warning


def test_a_kick_dies_away(loaded: pl.Result) -> None:
    """After a change of the load the energy only falls, but for what the load puts in; the balance closes with order 2."""
    errors = []
    for step in (8e-6, 4e-6):
        run = pl.dynamics(on_supports(520.0), duration=0.01, step=step, start=loaded, newton_tolerance=1e-10)
        errors.append(float(np.max(np.abs(run["energy.balance_error"].values))))
    assert not run.warnings
    assert "energy.teeth" not in run
    assert errors[-1] < 1e-6 * float(np.max(run["energy.potential"].values))
    assert observed_order(errors) > 1.7


def test_a_run_tells_what_teeth_put_in(loaded: pl.Result) -> None:
    """Without a potential the teeth put in work: the signal is what all other works leave of the balance."""
    model = on_supports(520.0, follow_centres=False)
    run = pl.dynamics(model, duration=0.03, step=1e-5, output_step=1e-5, start=loaded)
    (warning,) = run.warnings
    teeth = run["energy.teeth"].values
    assert f"{np.max(np.abs(teeth)):.3g} J" in warning
    assert "follow_centres=True" in warning
    # the constant torque does its work on the angle of the sun
    angular = run["sun.angular_velocity"].values[:, 2]
    by_torque = (
        520.0 * 24 / 120 * np.concatenate([[0.0], np.cumsum(0.5 * np.diff(run.time) * (angular[1:] + angular[:-1]))])
    )
    assert teeth == pytest.approx(run["energy.work"].values - by_torque, abs=1e-5 * np.max(np.abs(teeth)))


def test_torques_that_are_left_out_are_told() -> None:
    """energy_consistent=False: errors of the teeth work without being paid for."""
    error = pl.Varying(pl.Fourier("360 deg", 0.0, cos=[2e-5], over="angle"))
    m = pl.Model("torsional")
    a = m.gear_body("a", pl.Gear(teeth=20, **COMMON), position=(0, 0, 0), axis="z", angular_velocity=(0, 0, 50))
    b = m.gear_body(
        "b", pl.Gear(teeth=30, **COMMON), mesh_with=a, towards=(1, 0, 0), angular_velocity=(0, 0, -50 * 20 / 30)
    )
    hinges = [m.revolute(f"hinge {w.name}", m.ground, w) for w in (a, b)]
    m.gear_pair(
        "mesh", a, b, mesh=pl.Elastic(1e8, backlash=0, error=error, damping_ratio=0.05, energy_consistent=False)
    )
    m.drive("motor", hinges[0], speed=50.0)
    m.torque("load", hinges[1], 30.0)
    run = pl.dynamics(m, duration=0.02, step=1e-5)
    (warning,) = [text for text in run.warnings if "teeth" in text]
    assert "energy_consistent=True" in warning
    assert "follow_centres" not in warning


def hinged(follow: bool, backlash: float) -> pl.Model:
    m = pl.Model("hinged")
    a = m.gear_body("a", pl.Gear(teeth=20, **COMMON), position=(0, 0, 0), axis="z", angular_velocity=(0, 0, 50))
    b = m.gear_body("b", pl.Gear(teeth=33, **COMMON), mesh_with=a, towards=(0.6, 0.8, 0))
    first, second = (m.revolute(f"hinge {w.name}", m.ground, w) for w in (a, b))
    m.gear_pair("mesh", a, b, mesh=pl.Elastic(1e8, backlash=backlash, damping_ratio=0.03, follow_centres=follow))
    m.torque("load", second, pl.Harmonic(30.0, 200.0))
    m.torsion_spring("coil", first, stiffness=100.0)
    return m


@pytest.mark.parametrize("backlash", (0.0, 2e-5))
@pytest.mark.parametrize("options", ({}, {"reduce": False}), ids=str)
def test_in_hinges_it_makes_no_difference(options: dict[str, Any], backlash: float) -> None:
    """Centres that cannot move: the same motion to rounding, which grows with every hit."""
    one, other = (pl.dynamics(hinged(f, backlash), duration=2e-3, step=5e-6, **options) for f in (True, False))
    for name in ("hinge a.angle", "mesh.deflection", "mesh.tangential_force"):
        assert one[name].values == pytest.approx(
            other[name].values, rel=1e-7, abs=1e-7 * np.max(np.abs(other[name].values))
        )


@pytest.mark.parametrize("backlash", (0.0, 2e-5))
def test_energy_of_teeth_that_change_flanks(backlash: float) -> None:
    """A torque to and fro on elastic bearings: drive flank, gap, coast flank, and both where the centres close in. Where flanks
    meet the force has a corner, which costs O(h²) each time."""
    m = pl.Model("to and fro")
    a = m.gear_body("a", pl.Gear(teeth=20, **COMMON), position=(0, 0, 0), axis="z")
    b = m.gear_body("b", pl.Gear(teeth=30, **COMMON), mesh_with=a, towards=(1, 0, 0))
    m.gear_pair("mesh", a, b, mesh=pl.Elastic(1e8, backlash=backlash))
    for wheel, shaft in ((a, 5e4), (b, 0.0)):
        m.bushing(f"support {wheel.name}", m.ground, wheel, stiffness=(1e7, 1e7, 1e7, 1e5, 1e5, shaft))
    m.torque("load", b, (0, 0, pl.Harmonic(100.0, 700.0)))
    errors = []
    for step in (4e-6, 1e-6):
        run = pl.dynamics(m, duration=5e-3, step=step)
        energy = run["energy.potential"].values + run["energy.kinetic"].values
        errors.append(float(np.max(np.abs(run["energy.balance_error"].values)) / np.max(energy)))
    assert {-1.0, 0.0, 1.0} <= set(run["mesh.contact"].values)
    assert not run.warnings
    assert errors[1] < 1e-4
    assert errors[1] < 0.25 * errors[0]


def test_both_flanks_bear_where_the_centres_are_pressed_together() -> None:
    """A force P on wheel B towards A, more than the backlash takes up: y from the balance of support and flanks,

    P = k_s y + 2 k t² (y - b/(2 t))   with two wheels on supports of k_s each in series, k along the hoop.
    """
    k, support, backlash, force = 1e8, 1e7, 2e-5, 5000.0
    m = pl.Model("pressed")
    a = m.gear_body("a", pl.Gear(teeth=20, **COMMON), position=(0, 0, 0), axis="z")
    b = m.gear_body("b", pl.Gear(teeth=30, **COMMON), mesh_with=a, towards=(1, 0, 0))
    m.gear_pair("mesh", a, b, mesh=pl.Elastic(k, along="hoop", backlash=backlash))
    m.bushing("support a", m.ground, a, stiffness=(1e14, 1e14, 1e14, 1e10, 1e10, 1e10))
    m.bushing("support b", m.ground, b, stiffness=(support, support, support, 1e5, 1e5, 0.0))
    m.force("press", b, (-force, 0, 0))
    t = math.tan(math.radians(20))
    y = (force + k * t * backlash) / (support + 2 * k * t**2)
    result = pl.statics(m)
    apart = m.gear_pairs["mesh"].pair.centre_distance - float(
        result["b.position"].final[0] - result["a.position"].final[0]
    )
    assert apart == pytest.approx(y, rel=1e-6)
    assert float(result["mesh.radial_force"].final) == pytest.approx(force - support * y, rel=1e-6)
    assert float(result["mesh.normal_force"].final) == pytest.approx(0.0, abs=1e-6 * force)
    assert float(result["mesh.stiffness"].final) * math.cos(math.radians(20)) ** 2 == pytest.approx(2 * k)


def test_unloaded_teeth_without_backlash_have_no_modes() -> None:
    """On which flank they follow is open without load: refused, with the solutions. Along the hoop alone they have modes."""
    with pytest.raises(pl.ModelError, match="separating=False") as caught:
        pl.modes(on_supports(0.0, backlash=0.0))
    assert "backlash" not in str(caught.value) and "and others" in str(caught.value)
    assert not pl.modes(on_supports(0.0, backlash=0.0, separating=False)).warnings
