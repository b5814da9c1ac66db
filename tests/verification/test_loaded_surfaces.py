"""Loaded contact of general flanks: Hertz's closed form, statics, symmetry, and involutes by both methods."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest
from scipy.optimize import brentq
from scipy.special import ellipe, ellipk

import pitchline as pl
from pitchline.contact.flank_data import half_space_scale, involute_half_space
from pitchline.contact.loaded_tables import GeneralPair
from pitchline.contact.strip_gaps import half_space_hats
from pitchline.contact.surface_contact import surface_half_space
from pitchline.fem.surface_grid import FlankGrid
from pitchline.parts.gears.geometry.placement import Placement
from pitchline.parts.gears.surfaces import surface_teeth
from pitchline.parts.gears.teeth.rigid_contact import turned


def crossed_gears(**more: object) -> tuple[pl.Gear, pl.Gear]:
    common = {"normal_module": "3 mm", "face_width": "25 mm"}
    return (
        pl.Gear(teeth=20, helix_angle="30 deg", bore="20 mm", **common, **more),
        pl.Gear(teeth=31, helix_angle="25 deg", bore="30 mm", **common),
    )


def hertz(small: float, large: float, force: float, modulus: float) -> tuple[float, float, float, float]:
    """Semi-axes, peak pressure and approach of an elliptic contact (Johnson, Contact Mechanics, 4.2)."""
    e = brentq(
        lambda e: (ellipe(e * e) / (1 - e * e) - ellipk(e * e)) / (ellipk(e * e) - ellipe(e * e)) - large / small,
        1e-6,
        1 - 1e-13,
    )
    K, E, ratio = ellipk(e * e), ellipe(e * e), math.sqrt(1 - e * e)
    c3 = 3 * force / (4 * modulus * math.sqrt(small * large)) * 4 / (math.pi * e * e)
    c = (c3 * ratio**1.5 * math.sqrt((E / ratio**2 - K) * (K - E))) ** (1 / 3)
    a, b = c / math.sqrt(ratio), c * math.sqrt(ratio)
    return a, b, 3 * force / (2 * math.pi * a * b), 3 * force * K / (2 * math.pi * a * modulus)


@pytest.fixture(scope="module")
def crossed() -> pl.SurfaceContact:
    return pl.loaded_contact(
        *(pl.rigid_gear(gear) for gear in crossed_gears()), torque=[2.0, 40.0], shaft_angle="55 deg", positions=4, start=0.25
    )  # fmt: skip


def test_crossed_involutes_touch_as_hertz_ellipses(crossed: pl.SurfaceContact) -> None:
    gears = [surface_teeth(gear) for gear in crossed_gears()]
    pair = pl.GearPair(*crossed_gears(), shaft_angle="55 deg")
    contact = GeneralPair(crossed_rigid(0), crossed_rigid(1), pair.place(), side="left", ratio=pair.speed_ratio)
    material = gears[0].gear.material
    modulus = 0.5 * material.youngs_modulus / (1 - material.poissons_ratio**2)
    patch = crossed.patch(1, 1, -1)
    near = contact.near_teeth(float(crossed.angle[1]))
    i = int(np.flatnonzero(near.tooth_a == -1)[0])
    k_1, k_2, _ = contact.pair.curvatures(crossed.angle[1], -1, near.u[i], near.v[i])
    a, b, p, approach = hertz(float(k_2), float(k_1), patch.total_force, modulus)
    lever = float(np.average(patch.lever, weights=patch.force))
    motion = crossed.transmission_error[1, 1] / crossed.base_radius
    assert patch.peak_pressure == pytest.approx(p, rel=0.01)
    assert patch.semi_axes == pytest.approx((a, b), rel=0.015)
    assert motion * lever == pytest.approx(approach, rel=0.01)


def crossed_rigid(which: int) -> pl.ElasticGear:
    return pl.rigid_gear(crossed_gears()[which])


def test_torque_is_in_balance_and_light_loads_give_rigid_errors(crossed: pl.SurfaceContact) -> None:
    for T, row in zip(crossed.torque, crossed.patches, strict=True):
        for now in row:
            assert sum(patch.torque for patch in now) == pytest.approx(T, rel=1e-12)
    assert np.abs(crossed.no_load_error).max() < 1e-10  # crossed involutes are conjugate
    light = pl.loaded_contact(
        crossed_rigid(0), crossed_rigid(1), torque=1e-3, shaft_angle="55 deg", positions=1, start=0.25
    )
    # Hertz's approach grows with the two thirds of the load
    expected = crossed.deflection[0, 0] * (1e-3 / 2.0) ** (2 / 3)
    assert light.deflection[0, 0] == pytest.approx(expected, rel=0.02)


def test_cells_converge() -> None:
    gears = crossed_rigid(0), crossed_rigid(1)
    found = [
        pl.loaded_contact(
            *gears, torque=40.0, shaft_angle="55 deg", positions=1, start=0.25, strips=strips, cells=cells
        ).deflection[0, 0]
        for strips, cells in ((12, 9), (24, 15), (36, 25))
    ]
    errors = np.abs(np.array(found[:2]) / found[2] - 1.0)
    assert errors[1] < 2e-3
    assert errors[0] < 6e-3


def test_roles_can_be_exchanged(crossed: pl.SurfaceContact) -> None:
    """The same contact with gear B as the first gear: both angles are those of the first contact, loads press the same flanks."""
    a, b = crossed_gears()
    pair = pl.GearPair(a, b, shaft_angle="55 deg")
    pose = pair.place()
    torque, phi = 40.0, 0.25 * a.angular_pitch
    first = GeneralPair(crossed_rigid(0), crossed_rigid(1), pose, side="left", ratio=pair.speed_ratio).press(
        phi, torque
    )
    back = pl.GearPair(b, a, shaft_angle="55 deg")
    angle = math.pi / b.teeth  # a tooth of B where its space is, and a space of A where its tooth is
    frame = pose.rotation @ turned(angle)
    swapped = Placement(-frame.T @ pose.position, frame.T @ turned(-math.pi / a.teeth))
    other = GeneralPair(crossed_rigid(1), crossed_rigid(0), swapped, side="left", ratio=back.speed_ratio)
    second = other.press((pair.speed_ratio * phi) - angle, torque * a.teeth / b.teeth)
    total = [sum(float(patch.load.sum()) for patch in one.patches) for one in (first, second)]
    assert total[1] == pytest.approx(total[0], rel=1e-4)
    assert second.motion == pytest.approx(first.motion * b.teeth / a.teeth, rel=3e-3)


def test_deflections_that_are_not_small_are_named(crossed: pl.SurfaceContact) -> None:
    assert not [text for text in crossed.warnings if "deflect" in text]
    run = pl.loaded_contact(crossed_rigid(0), crossed_rigid(1), torque=4e4, shaft_angle="55 deg", positions=1)
    (warning,) = [text for text in run.warnings if "deflect" in text]
    lag = float((run.transmission_error - run.no_load_error).max())
    assert f"deflect by {1e3 * lag:.3g} mm at 40000 N m, {lag / 3e-3:.2g} modules" in warning


def test_hats_on_a_plane_have_the_half_space_of_regular_hats() -> None:
    x, y = np.arange(9) * 0.2e-3, np.arange(7) * 1.1e-3
    points = np.stack(np.broadcast_arrays(x[:, None], y[None, :], 0.0), axis=-1)
    found = surface_half_space(points, scale=1e-12)
    regular = half_space_hats(0.2e-3, 1.1e-3, (9, 7), scale=1e-12)
    assert found == pytest.approx(regular, rel=0.01)
    assert np.array_equal(found, found.T)
    # the same in any position, and inversely proportional to its size
    turn = np.array([[0.36, 0.48, -0.8], [-0.8, 0.6, 0.0], [0.48, 0.64, 0.6]])
    assert surface_half_space(points @ turn.T + 0.1, scale=1e-12) == pytest.approx(found, rel=1e-9)
    assert surface_half_space(2.0 * points, scale=1e-12) == pytest.approx(0.5 * found, rel=1e-9)


@pytest.mark.parametrize("helix_angle", ["0 deg", "20 deg", "-35 deg"])
def test_half_space_under_hats_of_involutes_is_that_of_their_surface(helix_angle) -> None:
    """Rows are the arc of the transverse profile apart, lines the length of a generator. That lines of equal roll length are
    oblique to the generators of helical teeth is left out, which matters for distant hats only."""
    gear = pl.Gear(teeth=20, normal_module="2 mm", face_width="20 mm", helix_angle=helix_angle)
    flank = pl.Teeth(gear).left
    lengths = np.sqrt(np.linspace(flank.range.form**2, flank.range.tip**2, 9))[:, None] + np.zeros(11)
    zeta = np.linspace(-0.01, 0.01, 11)
    exact = surface_half_space(flank.involute.point(lengths, zeta), scale=half_space_scale(gear.material))
    found = involute_half_space(FlankGrid(lengths, zeta, np.ones(99)), flank.involute, gear.material)
    assert np.diag(found).mean() == pytest.approx(np.diag(exact).mean(), rel=0.015)
    assert np.linalg.norm(found - exact) < 0.05 * np.linalg.norm(exact)


def test_straight_bevel_teeth_share_the_load_evenly_towards_the_apex() -> None:
    """Conjugate flanks on rigid bodies approach in proportion to the cone distance, and the line load grows with it. Each section
    has Hertz's line contact for its own load and curvature."""
    delta = math.atan(20 / 30)
    gears = [
        pl.rigid_gear(pl.Gear(teeth=z, normal_module="3 mm", face_width="12 mm", cone_angle=cone))
        for z, cone in ((20, delta), (30, 0.5 * math.pi - delta))
    ]
    found = pl.loaded_contact(*gears, torque=100.0, positions=1, start=0.75)
    assert abs(found.no_load_error[0]) < 1e-10
    patch = found.patch(0, 0)
    load = patch.force.sum(axis=1) / patch.width
    lever = (patch.lever * patch.force).sum(axis=1) / patch.force.sum(axis=1)
    inner = slice(7, -7)  # ends carry more
    assert (np.diff(load[inner]) * np.diff(lever[inner]) > 0.0).all()
    pair = pl.GearPair(*(gear.teeth.gear for gear in gears))
    contact = GeneralPair(*gears, pair.place(), side="left", ratio=pair.speed_ratio)
    top = np.argmax(patch.force, axis=1)
    u, v = patch.place_a[np.arange(len(top)), top].T
    curvature = contact.pair.curvatures(found.angle[0], patch.tooth_a, u, v)[0]
    material = gears[0].material
    modulus = 0.5 * material.youngs_modulus / (1 - material.poissons_ratio**2)
    expected = np.sqrt(load * curvature * modulus / math.pi)
    assert patch.pressure.max(axis=1)[inner] == pytest.approx(expected[inner], rel=0.015)
    errors = pl.AssemblyErrors(axial_a="20 um", shaft_angle="0.05 deg")
    moved = pl.loaded_contact(*gears, torque=100.0, positions=1, start=0.75, errors=errors)
    assert abs(moved.no_load_error[0]) > 1e-7
    assert sum(one.torque for one in moved.patches[0][0]) == pytest.approx(100.0, rel=1e-12)


# ------------------------------------------------------------------------------------------------- involutes by both methods


@pytest.mark.slow
@pytest.mark.parametrize("helix", ["0 deg", "15 deg"])
@pytest.mark.parametrize("relieved", [False, True])
def test_involutes_as_surfaces_give_the_results_of_the_closed_form(helix: str, relieved: bool) -> None:
    coarse = {"flank_elements": 8, "face_elements": 4}
    more = {"modifications": pl.TipRelief("15 um", length="2 mm")} if relieved else {}
    common = {"normal_module": "2 mm", "face_width": "15 mm", "bore": "16 mm", **more}
    gears = [
        pl.elastic_gear(pl.Gear(teeth=z, helix_angle=angle, **common), grid=coarse)
        for z, angle in ((20, helix), (33, f"-{helix}"))
    ]
    surfaces = [replace(gear, teeth=surface_teeth(gear.teeth)) for gear in gears]
    options = {"torque": [20.0, 80.0], "positions": 6}
    closed, found = pl.loaded_contact(*gears, **options), pl.loaded_contact(*surfaces, **options)
    assert isinstance(found, pl.LoadedContact)
    assert np.abs(found.transmission_error - closed.transmission_error).max() < 10e-9
    assert np.abs(found.no_load_error - closed.no_load_error).max() < 10e-9
    # the force at the approach of the other
    force = closed.tangent_stiffness * (found.transmission_error - closed.transmission_error)
    assert np.abs(force / closed.force[:, None]).max() < 1e-3
    assert np.abs(found.load_sharing - closed.load_sharing).max() < 2e-3


def test_general_cells_agree_with_strips_of_spur_gears() -> None:
    """Cells with the half-space between all of them and strips with that of their slices: both converge to the same."""
    gears = [pl.Gear(teeth=z, normal_module="2 mm", face_width="10 mm", bore="16 mm") for z in (20, 33)]
    coarse = {"flank_elements": 8, "face_elements": 4}
    a, b = (pl.elastic_gear(gear, grid=coarse) for gear in gears)
    closed = pl.loaded_contact(a, b, torque=30.0, positions=2, start=0.25)
    pair = pl.GearPair(*gears)
    general = GeneralPair(a, b, pair.place(), side="left", ratio=pair.speed_ratio)
    for i, phi in enumerate(closed.angle):
        motion = general.press(float(phi), 30.0).motion
        assert motion * closed.base_radius == pytest.approx(closed.transmission_error[0, i], rel=0.012)


@pytest.mark.slow
def test_tables_of_models_are_those_of_the_analysis_and_statics_are_in_balance() -> None:
    """A straight bevel pair under a torque: the lag of wheel B, from the table of the mesh, is that of the analysis."""
    rigid = {"body": "rigid"}
    gears = [
        pl.Gear(teeth=z, normal_module="3 mm", face_width="12 mm", cone_angle=math.atan2(z, other))
        for z, other in ((20, 30), (30, 20))
    ]
    pose = pl.GearPair(*gears).place()
    m = pl.Model("bevel")
    for name, gear, position, axes in (
        ("a", gears[0], np.zeros(3), np.eye(3)),
        ("b", gears[1], pose.position, pose.rotation),
    ):
        body = m.body(name, mass=1.0, inertia=(1e-3, 1e-3, 1e-3), position=position, orientation=axes)
        m.revolute(f"bearing {name}", m.ground, body, at=position, axis=axes[:, 2])
        m.wheel(f"wheel {name}", body, gear)
    mesh = pl.Loaded(torque=(20.0, 60.0), phases=4, elements_a=rigid, elements_b=rigid)
    m.gear_pair("mesh", "wheel a", "wheel b", mesh=mesh)
    table = m.gear_pairs["mesh"].loaded
    assert isinstance(table.approach, np.ndarray) and isinstance(table.coast, np.ndarray)
    # symmetric teeth: the coast flank is the drive flank at -phase
    assert table.coast == pytest.approx(table.approach[:, -np.arange(4)], rel=2e-3, abs=1e-11)
    found = pl.loaded_contact(*(pl.rigid_gear(gear) for gear in gears), torque=[20.0, 60.0], positions=4)
    assert table.approach[1:] == pytest.approx(found.transmission_error, rel=3e-3)
    assert np.asarray(table.loads)[1:] == pytest.approx(np.array([20.0, 60.0]) / found.base_radius)


def test_pairs_that_have_no_table_are_refused() -> None:
    a = pl.Gear(teeth=20, normal_module="3 mm", face_width="12 mm", cone_angle="45 deg")
    with pytest.raises(pl.ModelError, match="Use loaded_contact"):
        pl.flank_contact(a, a, torque=10.0)
    with pytest.raises(pl.ModelError, match="misalignment is for cylindrical gears"):
        pl.loaded_contact(a, a, torque=10.0, misalignment=1e-4)
    with pytest.raises(pl.ModelError, match="strips"):
        pl.loaded_contact(pl.rigid_gear(a), pl.rigid_gear(a), torque=10.0, strips=2)
