"""Motion with the mesh of a whole gear: that of cyclic symmetry where teeth are equal, and a hole in its right place.

The pinion of 9 teeth is driven for some revolutions in both directions, so that every tooth is in mesh several times.
"""

import functools
import math
from typing import Any

import numpy as np
import pytest

import pitchline as pl
from pitchline.fem.sector_grid import sector_grid, whole_gear

TEETH = 9
GEAR = pl.Gear(teeth=TEETH, normal_module="2 mm", face_width="4 mm", bore="7 mm", profile_shift=0.45)
MATE = GEAR.with_(teeth=14, bore="14 mm")
COARSE: dict[str, Any] = {
    "flank_elements": 3, "fillet_elements": 1, "root_elements": 1, "across_elements": 2, "body_elements": 2, "face_elements": 1,
}  # fmt: skip
SPEED = 2000.0
TURN = 2.0 * math.pi / SPEED
SAMPLES = 180
"""Of a revolution."""
GRID = whole_gear(sector_grid(GEAR, **COARSE))


def whole(*holes: int) -> dict[str, object]:
    """The whole gear, without one element of the body below each of these teeth."""
    middle = GRID.nodes[GRID.elements[:, :8]].mean(axis=1)
    each = len(GRID.elements) // TEETH
    body = np.flatnonzero(np.hypot(middle[:each, 0], middle[:each, 1]) < 5.5e-3)
    kept = np.setdiff1d(np.arange(len(GRID.elements)), [k * each + body[0] for k in holes])
    mesh = pl.SolidMesh.of(GRID.nodes, GRID.elements[kept], pl.STEEL, GRID.node_sets)
    flanks = {"left": "left flank", "right": "right flank"}
    return pl.MeshedGear(mesh, flanks=flanks, bore_set="bore").options()


HOLED = {holes: whole(*holes) for holes in ((), (0,), (2,), (0, 3, 6))}


@functools.cache
def run(holes: tuple[int, ...] | None, speed: float, *, turns: float = 3.0, phase: float = 0.0) -> pl.Result:
    """From equilibrium under load: pinion at a speed, 5 N m on its mate. holes: None for a gear with cyclic symmetry."""
    elements = COARSE if holes is None else HOLED[holes]
    drag, follow = 0.02, -speed * TEETH / 14
    m = pl.Model("whole gear", gravity=(0, 0, 0))
    of = {"mass": 0.01, "inertia": (1e-6, 1e-6, 1e-6)}
    a = m.gear_body("a", GEAR, phase=phase, angular_velocity=(0, 0, speed), **of)
    b = m.gear_body("b", MATE, mesh_with=a, towards="x", angular_velocity=(0, 0, follow), **of)
    options = {"modes": "60 kHz", "damping_ratio": 0.03, "elements_b": COARSE}
    m.gear_pair("mesh", a, b, mesh=pl.Flank(elements_a=elements, **options))
    m.drive("motor", m.revolute("in", m.ground, a, axis="z"), speed=speed)
    out = m.revolute("out", m.ground, b, axis="z")
    m.torque("load", out, 5.0)
    m.torsion_spring("drag", out, damping=drag, free_angle=0)
    m.torque("nominal", out, drag * follow)
    step = TURN / (7 * SAMPLES)
    return pl.dynamics(m, duration=turns * TURN, step=step, output_step=TURN / SAMPLES, start=pl.statics(m))


def orders(result: pl.Result) -> np.ndarray:
    """Amplitudes [rad] of the last revolution of the pinion, by their number in it."""
    error = result["out.angle"].values + result["in.angle"].values * TEETH / 14
    return np.asarray(2.0 / SAMPLES * np.abs(np.fft.rfft(error[-SAMPLES - 1 : -1])))


@pytest.mark.slow
@pytest.mark.parametrize("speed", [SPEED, -SPEED])
def test_equal_teeth_move_as_with_cyclic_symmetry(speed: float) -> None:
    """Three revolutions, with modes of the gear, contact that is lost, and the same loaded flank in both directions."""
    known, found = (run(holes, speed) for holes in (None, ()))
    assert known["mesh.contact_force"].values.max() > 3.0 * known["mesh.contact_force"].values.mean()
    for name in ("mesh.contact_force", "mesh.pair_forces", "out.angular_speed", "motor.torque", "energy.potential"):
        expected = known[name].values
        assert found[name].values == pytest.approx(expected, abs=1e-7 * np.abs(expected).max()), name
    assert orders(found)[[1, 2, 3, 6]].max() < 1e-7 * orders(found)[TEETH]


@pytest.mark.slow
@pytest.mark.parametrize("speed", [SPEED, -SPEED])
def test_three_holes_appear_at_every_third_order(speed: float) -> None:
    found = orders(run((0, 3, 6), speed))
    other = np.setdiff1d(np.arange(1, 20), 3 * np.arange(7))
    assert found[3] > 0.02 * found[TEETH] and found[6] > 0.1 * found[3]
    assert found[other].max() < 1e-3 * found[3]
    once = orders(run((0,), speed, turns=1.5))
    assert once[1] > 0.01 * once[TEETH]


@pytest.mark.slow
@pytest.mark.parametrize("speed", [SPEED, -SPEED])
def test_the_hole_stays_below_its_tooth(speed: float) -> None:
    """A hole below tooth 2 of a gear that is rotated back by two pitches is the hole below tooth 0."""
    known = run((0,), speed, turns=1.5)
    found = run((2,), speed, turns=1.5, phase=-2.0 * GEAR.angular_pitch)
    straight = run((2,), speed, turns=1.5)
    expected = known["mesh.contact_force"].values
    assert found["mesh.contact_force"].values == pytest.approx(expected, abs=1e-7 * expected.max())
    assert np.abs(straight["mesh.contact_force"].values - expected).max() > 0.01 * expected.max()


def test_energy_of_a_gear_whose_teeth_differ() -> None:
    """What is supplied is stored or dissipated, over three revolutions with impacts."""
    result = run((0, 3, 6), SPEED)
    dissipated = result["energy.dissipated"].values[-1]
    assert dissipated > 10.0 * result["energy.potential"].values.max()
    assert np.abs(result["energy.balance_error"].values).max() < 3e-3 * dissipated
