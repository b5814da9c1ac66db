"""Teeth that follow their centres: the separating force is part of a gradient.

With y the amount by which the centres are closer, t = tan α and s the approach of the flank that bears,

    s = u + t y (drive),  u + b - t y (coast),   V = k s²/2 ,   forces f = k s along u and |f| t along y .
"""

import math
from typing import Any

import numpy as np
import pytest
from references.base_helix import base_helix_cosine

import pitchline as pl
from pitchline import gallery
from pitchline.analyses.operating_point import OperatingPoint

KINDS = ("spur", "helical", "internal")


def pair(kind: str, torque: float, supports: float = 1e7, **mesh: Any) -> pl.Model:
    """Two wheels on elastic supports, a shaft at A, a torque on B."""
    helix = 0.3 if kind == "helical" else 0.0
    common: dict[str, Any] = {"normal_module": "4 mm", "face_width": "20 mm"}
    ring = {"internal": True, "rim_diameter": "280 mm"} if kind == "internal" else {}
    m = pl.Model(kind)
    a = m.gear_body("a", pl.Gear(teeth=20, helix_angle=helix, **common), position=(0, 0, 0), axis="z")
    other = pl.Gear(teeth=60 if ring else 30, helix_angle=helix if ring else -helix, **common, **ring)
    b = m.gear_body("b", other, mesh_with=a, towards=(1, 0, 0))
    m.gear_pair("mesh", a, b, mesh=pl.Elastic(1e8, **({"backlash": 0.0, "follow_centres": True} | mesh)))
    for name, wheel, shaft in (("a", a, 1e3), ("b", b, 0.0)):
        k, tilt = supports, 1e-2 * supports
        m.bushing(f"support {name}", m.ground, wheel, stiffness=(k, k, k, tilt, tilt, shaft))
    m.torque("load", b, (0, 0, torque))
    return m


@pytest.mark.parametrize("backlash", (0.0, 5e-5))
@pytest.mark.parametrize("torque", (100.0, -100.0))
@pytest.mark.parametrize("kind", KINDS)
def test_stiffness_is_symmetric(kind: str, torque: float, backlash: float) -> None:
    """But for what is of the order of the displacements over the radius, 1e-4; a separating force that follows nothing is not."""

    def asymmetry(follow: bool) -> float:
        m = pair(kind, torque, backlash=backlash, follow_centres=follow)
        K = OperatingPoint.of(m, pl.statics(m)).motion.K
        return float(np.abs(K - K.T).max() / np.abs(K).max())

    assert asymmetry(True) < 1e-4
    assert asymmetry(False) > 0.1


@pytest.mark.parametrize("torque", (100.0, -100.0))
@pytest.mark.parametrize("kind", KINDS)
def test_statics(kind: str, torque: float) -> None:
    """Forces are those of the load. The approach of the flank is f/k; centres that part by d ask for d tan α more of u."""
    m = pair(kind, torque, backlash=5e-5)
    result = pl.statics(m)
    assert result.statistics["iterations"] <= 8
    force, flank = float(result["mesh.normal_force"].final), float(result["mesh.contact"].final)
    assert force > 0.0
    apart = np.hypot(*(result["b.position"].final - result["a.position"].final)[:2])
    nominal = m.gear_pairs["mesh"].pair.centre_distance
    y = (apart - nominal) if kind == "internal" else (nominal - apart)
    alpha = m.gear_pairs["mesh"].pair.pitch.pressure_angle
    # on the base circle, where the centres count with sin α_t
    slope = base_helix_cosine(m.gear_pairs["mesh"].pair.a)
    s, closer = force * slope / 1e8, y * math.sin(alpha) / slope
    u = flank * (0.5 * 5e-5 + s - closer)
    assert float(result["mesh.approach"].final) == pytest.approx(u, rel=2e-3)
    # of the wheels' rotations: with what the centres add, without the play
    lag = s - closer
    assert float(result["mesh.transmission_error"].final) == pytest.approx(lag, rel=5e-3)
    assert float(result["mesh.deflection"].final) == pytest.approx(s, rel=1e-6)
    # apart, of a ring and its pinion too
    assert float(result["mesh.radial_force"].final) == pytest.approx(force * math.sin(alpha), rel=1e-4)


@pytest.mark.parametrize("form", ("rigid", "elastic"))
def test_residual_and_tangent_agree(form: str) -> None:
    """Statics converges quadratically: a step that halves the load is found in a handful of iterations, for rigid teeth too."""
    m = pair("spur", 100.0, backlash=5e-5)
    if form == "rigid":
        law = pl.Rigid(backlash=5e-5, follow_centres=True)
        m = pair("spur", 100.0).replaced(without="mesh")
        m.gear_pair("mesh", "a", "b", mesh=law)
    assert pl.statics(m).statistics["iterations"] <= 6


@pytest.mark.parametrize("kind", KINDS)
def test_energy_stays(kind: str) -> None:
    """Undamped vibration after the load is taken off: nothing is put in, the energy stays to the order of the method.

    Without following, the separating force would put in what it does on the parting centres."""
    loaded = pl.statics(pair(kind, 100.0))
    free = pair(kind, 40.0)
    steps = []
    for h in (4e-6, 2e-6):
        result = pl.dynamics(free, duration=2e-3, step=h, start=loaded, rho=0.9)
        energy = result["energy.potential"].values + result["energy.kinetic"].values
        steps.append(
            float(np.max(np.abs(result["energy.balance_error"].values))) / float(np.ptp(energy) + energy.max())
        )
    assert steps[1] < 1e-3
    if (
        kind != "helical"
    ):  # which also move along their axes: there the gradient is one to first order in the displacements
        assert steps[1] < 0.5 * steps[0]
    other = pl.dynamics(pair(kind, 40.0, follow_centres=False), duration=2e-3, step=2e-6, start=loaded)
    # the load does the same work on nearly the same motion; what is more comes from the separating force
    work = abs(float(other["energy.work"].final - result["energy.work"].final))
    assert work > 1e-3 * float(np.max(energy))


def test_play_shrinks_as_the_centres_close_in() -> None:
    """b - 2 y tan α in the hoop direction: two wheels pushed towards each other by 20 µm, moved from flank to flank."""
    tan = math.tan(math.radians(20))
    found = {}
    for closer in (0.0, 2e-5):
        ends = []
        for torque in (1e-3, -1e-3):
            m = pl.Model("play")
            common: dict[str, Any] = {"normal_module": "4 mm", "face_width": "20 mm"}
            a = m.gear_body("a", pl.Gear(teeth=20, **common), position=(0, 0, 0), axis="z")
            b = m.gear_body("b", pl.Gear(teeth=30, **common), mesh_with=a, towards=(1, 0, 0))
            m.drive("hold", m.revolute("hinge a", m.ground, a), angle=0.0)
            m.gear_pair("mesh", a, b, mesh=pl.Elastic(1e9, along="hoop", backlash=1e-4, follow_centres=True))
            m.bushing("bearing", m.ground, b, stiffness=(1e9, 1e9, 1e9, 1e6, 1e6, 0.0))
            m.force("push", b, (-closer * 1e9, 0, 0))
            m.torque("load", b, (0, 0, torque))
            ends.append(float(pl.statics(m)["mesh.approach"].final) / math.cos(math.radians(20)))
        found[closer] = abs(ends[0] - ends[1])
    assert found[0.0] == pytest.approx(1e-4, rel=1e-3)
    assert found[2e-5] == pytest.approx(1e-4 - 2 * 2e-5 * tan, rel=1e-3)


def test_modes_of_lin_and_parker_with_gear_pairs() -> None:
    """The train of planetary-modes with gear pairs in place of springs along the lines of action, at a load that deflects
    the teeth by less than 1e-6 of their radius: the same frequencies.

    27 + 97 teeth are no multiple of the three planets; `phase="fit"` moves the teeth to their spaces."""
    m = gallery.model("planetary-modes").build()
    expected = pl.modes(m)
    m = m.replaced(without=[n for n in m.loads if n.startswith(("sun_", "ring_")) and not n.endswith("bearing")])
    mesh = pl.Elastic("5e8 N/m", backlash=0.0, follow_centres=True)
    for i in (1, 2, 3):
        m.gear_pair(f"sun {i}", "sun", f"planet_{i}", mesh=mesh, phase="fit")
        m.gear_pair(f"ring {i}", f"planet_{i}", "ring", mesh=mesh, phase="fit")
    m.torque("drive", "sun", (0, 0, 1.0))
    m.torque("load", "carrier", (0, 0, -(1 + 97 / 27)))
    modes = pl.modes(m, about=pl.statics(m))
    np.testing.assert_allclose(modes.frequencies[modes.rigid :], expected.frequencies[expected.rigid :], rtol=1e-4)
