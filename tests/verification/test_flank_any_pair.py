"""Elastic flanks of pairs on any axes, in models: against contact of cells, and with the balance of the mesh."""

import math

import numpy as np
import pytest
from references.base_helix import lever_of
from references.flank_pairs import COARSE, mesh_of, pair_model, pressing

import pitchline as pl
from pitchline.contact.flank_data import flank_data
from pitchline.contact.loaded_tables import GeneralPair
from pitchline.contact.surface_flank_data import surface_flank_data
from pitchline.parts.gears.analysis_contact import surface_gears
from pitchline.parts.gears.teeth import place_teeth

SIZE = {"normal_module": "2 mm", "face_width": "8 mm"}
CONE = math.atan(18 / 30)
PINION = pl.Gear(teeth=18, bore="14.4 mm", **SIZE)


def bevel(**more):
    return pl.GearPair(
        pl.Gear(teeth=18, cone_angle=CONE, **SIZE), pl.Gear(teeth=30, cone_angle=math.pi / 2 - CONE, **SIZE, **more)
    )


def rack():
    return pl.GearPair(PINION, pl.Rack(teeth=11, depth="6 mm", **SIZE))


def crossed():
    helical = pl.Gear(teeth=15, helix_angle="45 deg", bore="10 mm", **SIZE)
    return pl.GearPair(helical, helical, shaft_angle="90 deg")


PAIRS = {"bevel": (bevel, 20.0), "rack": (rack, 800.0), "crossed": (crossed, 4.0)}
"""With a torque on B [N m], a force on a rack [N]."""


@pytest.fixture(scope="module")
def meshes():
    return {name: mesh_of(PAIRS[name][0]()) for name in PAIRS}


@pytest.mark.slow
@pytest.mark.parametrize("name", PAIRS)
def test_statics_is_that_of_contact_in_cells(name, meshes):
    """Strips against cells of half-space and finite elements: lines within 0.5 %, a point within 3 %."""
    make, load = PAIRS[name]
    pair = make()
    gears = surface_gears(pair, None, "contact")
    elastic = [pl.elastic_gear(gear, bore="free", grid=COARSE) for gear in (pair.a, pair.b)]
    cells = GeneralPair(*elastic, gears.placement, side="left", ratio=gears.ratio)
    for phase in (0.0, 0.4):
        run = pl.statics(pair_model(pair, pressing(pair, "left") * load, phase=phase, mesh=meshes[name]))
        pressed = cells.press(phase * pair.a.angular_pitch, load)
        motion = run["mesh.deflection"].final / lever_of(pair)
        assert motion == pytest.approx(pressed.motion, rel=0.03 if name == "crossed" else 5e-3)
        force = sum(float(np.sum(patch.load)) for patch in pressed.patches)
        assert run["mesh.contact_force"].final == pytest.approx(force, rel=5e-3)
    if name == "rack":
        assert force == pytest.approx(load / math.cos(math.radians(20.0)), rel=1e-6)
    if name == "crossed":
        wheel = pair.b
        normal = load / (0.5 * wheel.base_diameter * math.cos(wheel.base_helix_angle))
        assert run["mesh.contact_force"].final == pytest.approx(normal, rel=1e-6)
        assert run["mesh.strips_in_contact"].final >= 6.0


@pytest.mark.slow
def test_tables_of_involutes_as_surfaces_are_those_of_the_closed_form():
    gears = [
        pl.Teeth(pl.Gear(teeth=z, helix_angle=beta, bore=bore, **SIZE))
        for z, beta, bore in ((18, "10 deg", "14.4 mm"), (37, "-10 deg", "29.6 mm"))
    ]
    a, b = (pl.elastic_gear(teeth, bore="free", grid=COARSE) for teeth in gears)
    pose, _ = place_teeth(*gears)
    exact = flank_data(a, b, pose, per_pitch=48)
    found = surface_flank_data(a, b, pose, ratio=-18 / 37)
    np.testing.assert_allclose(found.widths, exact.widths, rtol=2e-4)
    assert found.sense == exact.sense == -1
    for one, other in ((found.drive, exact.drive), (found.coast, exact.coast)):
        assert one.gaps.tooth_b == other.gaps.tooth_b
        shared = [k for k, phase in enumerate(other.gaps.phase) if np.abs(one.gaps.phase - phase).min() < 1e-9]
        own = [int(np.abs(one.gaps.phase - other.gaps.phase[k]).argmin()) for k in shared]
        play, known = one.gaps.play[own], other.gaps.play[shared]
        both = np.isfinite(play) & np.isfinite(known)
        assert (np.isfinite(play) != np.isfinite(known)).sum() < 0.01 * both.size  # samples on the edge of a flank
        assert np.abs(play[both] - known[both]).max() * 0.037 < 1e-10
        touching = both & (known < 1e-8)
        assert touching.sum() > 100
        for name in ("at_a", "at_b", "face_b"):
            np.testing.assert_allclose(
                getattr(one, name)[own][touching], getattr(other, name)[shared][touching], atol=1e-4
            )
        for name in ("lever", "radius"):
            np.testing.assert_allclose(
                getattr(one.gaps, name)[own][touching], getattr(other.gaps, name)[shared][touching], rtol=1e-4
            )
        for name in ("roll_a", "roll_b"):  # levers of friction: the direction in which they count is free
            np.testing.assert_allclose(
                np.abs(getattr(one.gaps, name)[own][touching]), getattr(other.gaps, name)[shared][touching], rtol=1e-4
            )


@pytest.mark.slow
def test_slow_motion_of_bevel_gears_has_the_exact_ratio(meshes):
    """Driven by a pitch, the gear follows by the ratio, apart from the change of deflection; work in equals work out."""
    pair = bevel()
    speed = 2.0
    pitch = pair.a.angular_pitch
    m = pair_model(pair, 20.0, mesh=meshes["bevel"], drive={"speed": speed}, speed=speed)
    run = pl.dynamics(m, duration=pitch / speed / 8, step=pitch / speed / 160)
    e = run["mesh.deflection"].values / lever_of(pair)
    turned, driven = (run[f"{name}.angle"].values[-1] - run[f"{name}.angle"].values[5] for name in ("out", "in"))
    assert driven == pytest.approx(15 / 160 * pitch, rel=1e-6)
    assert abs(abs(turned) - driven * 18 / 30) < 2.0 * np.ptp(e[5:]) + 1e-9


def test_strips_of_a_point_contact_cover_only_where_it_passes():
    large = {"normal_module": "6 mm", "face_width": "120 mm", "bore": "30 mm"}
    gear = pl.Gear(teeth=15, helix_angle="45 deg", **large)
    pair = pl.GearPair(gear, gear, shaft_angle="90 deg")
    gears = surface_gears(pair, None, "contact")
    from pitchline.contact.surface_flank_data import _strips

    class Lines:
        material = gear.material
        grids = {"left": type("Grid", (), {"v": np.linspace(0.0, 1.0, 5)})()}

    pairs = {side: gears.contact(side) for side in ("left", "right")}
    v, width = _strips(Lines(), Lines(), pairs, "contact")
    assert len(v) > 20 and width.sum() < 0.9  # only where contact passes
    assert v[0] > 0.0 and v[-1] < 1.0
