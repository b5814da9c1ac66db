"""Wheels that tilt on their supports, with tables over the tilt: the load moves along the face, and its moment holds the wheels.

Teeth are slices of equal stiffness (`references.tilted_slices`), whose force, moment and greatest load have closed forms.
"""

import math

import numpy as np
import pytest
from references.tilted_slices import Slices
from references.tilted_wheels import ALPHA, NORMAL, RADIUS, WIDTH, axis_of_b, build, of, tilting_moment

import pitchline as pl

CROWNED = Slices(width=WIDTH)
STRAIGHT = Slices(width=WIDTH, crown=0.0)


# ---------------------------------------------------------------------------------------------------------- statics


@pytest.mark.parametrize("load", [300.0, -300.0])
@pytest.mark.parametrize("tilting", [(10.0, 0.0, 0.0), (-6.0, 9.0, 0.0), (0.0, -25.0, 0.0)])
def test_the_load_moves_to_one_end_and_its_moment_holds_the_wheel(load: float, tilting: tuple[float, ...]) -> None:
    """Force, moment and face load factor at the tilt that is found are those of the slices; without a table over the tilt the
    wheel tilts farther."""
    mesh, flank = CROWNED.mesh(8e3, 1.5e-3), int(math.copysign(1, load))
    rest = pl.statics(build(mesh, load=load, tilting=tilting))
    force, f = abs(load) / RADIUS, float(of(rest, "tilt"))
    u = CROWNED.approach(force, f)
    _, moment, most = CROWNED.pressed(u, f)
    assert of(rest, "transmission_error") == pytest.approx(u, abs=0.04e-6)
    assert tilting_moment(rest, flank) == pytest.approx(moment, abs=0.0025 * force * WIDTH / 2)
    assert of(rest, "face_load_factor") == pytest.approx(most * WIDTH / force, rel=0.02)
    assert of(rest, "table_tilt") == pytest.approx(abs(f) / 1.5e-3, rel=1e-9)
    assert not rest.warnings
    without = pl.Loaded(mesh.loads, mesh.approach[4])
    free = pl.statics(build(without, load=load, tilting=tilting))
    assert -axis_of_b(rest) @ NORMAL[flank] == pytest.approx(f, rel=1e-3)
    assert abs(f) < 0.7 * abs(axis_of_b(free) @ NORMAL[flank])


def test_stiffness_against_tilt() -> None:
    """Straight slices that all bear: the teeth add c' b^3/12 to the springs that hold the wheel, in the plane of action only."""
    mesh, soft = STRAIGHT.mesh(2e4, 1.5e-3), 3e4
    tilt_stiffness = STRAIGHT.stiffness * WIDTH**3 / 12
    about = np.cross([0.0, 0.0, 1.0], NORMAL[1])
    for axis, added in ((about, tilt_stiffness), (NORMAL[1], 0.0)):
        rest = [
            pl.statics(build(mesh, load=1500.0, soft=soft, tilting=tuple(moment * axis))) for moment in (20.0, -20.0)
        ]
        turned = [np.cross([0.0, 0.0, 1.0], axis_of_b(result)) @ axis for result in rest]
        assert 40.0 / (turned[0] - turned[1]) == pytest.approx(soft + added, rel=0.03)


def test_flanks_of_the_same_shape_are_mirror_images() -> None:
    """After half a turn about the line of centres the other flank bears, tilted the other way: K and forces are the same."""
    rng = np.random.default_rng(2)
    drive = CROWNED.mesh(8e3, 1.5e-3, phases=6, backlash="60 um")
    rows = drive.approach * (1.0 + 0.1 * rng.uniform(size=(9, 1, 6))) + 1e-6 * np.linspace(-1, 1, 9)[:, None, None]
    factors = drive.face_load_factor + rng.uniform(size=(9, 1, 6))
    mesh = pl.Loaded(drive.loads, rows, tilts=drive.tilts, face_load_factor=factors, backlash="60 um")
    results = [pl.statics(build(mesh, load=s * 250.0, tilting=(8.0, s * 5.0, 0.0))) for s in (1, -1)]
    assert [of(r, "contact") for r in results] == [1.0, -1.0]
    assert of(results[0], "tilt") == pytest.approx(-of(results[1], "tilt"), rel=1e-9)
    for name in ("normal_force", "transmission_error", "face_load_factor", "table_tilt"):
        assert of(results[0], name) == pytest.approx(of(results[1], name), rel=1e-9)


def test_beyond_the_tilts_results_say_so() -> None:
    rest = pl.statics(build(CROWNED.mesh(8e3, 2e-4), tilting=(30.0, 0.0, 0.0)))
    assert of(rest, "table_tilt") > 1.2
    assert any('gear pair "mesh": its wheels tilted up to' in text and "largest tilt" in text for text in rest.warnings)


def test_tilted_teeth_may_jam() -> None:
    """A tooth that stands askew in its space touches on both flanks: statics then has both forces, as dynamics has."""
    mesh = STRAIGHT.mesh(8e3, 1e-3, backlash="10 um")
    m = build(mesh, load=20.0, soft=None, turned=(0.0, 0.0008))
    rest = pl.statics(m)
    held = pl.dynamics(m, duration="0.2 ms", step="1 us", start=rest, reduce=False)
    assert of(rest, "stiffness") > 0.0
    assert np.ptp(held["mesh.transmission_error"].values) < 1e-9


def test_without_tilts_there_are_no_such_signals() -> None:
    loads = [0.0, 3000.0]
    rest = pl.statics(build(pl.Loaded(loads, [[0.0], [1e-5]]), tilting=(5.0, 0.0, 0.0)))
    assert {"mesh.table_tilt", "mesh.face_load_factor"}.isdisjoint(rest.signals)
    known = pl.statics(build(pl.Loaded(loads, [[0.0], [1e-5]], face_load_factor=[[1.3]]), tilting=(5.0, 0.0, 0.0)))
    assert of(known, "face_load_factor") == pytest.approx(1.3)
    assert "mesh.table_tilt" not in known.signals


def test_tilts_that_the_teeth_do_not_feel_are_told() -> None:
    mesh = pl.Loaded([0.0, 3000.0], [[0.0], [1e-5]], face_load_factor=[[1.3]])
    (found,) = (text for text in pl.statics(build(mesh, tilting=(5.0, 0.0, 0.0))).warnings if "tilted" in text)
    tilt = 5.0 / 2e4 * math.cos(ALPHA)  # about x; that in the plane of action
    assert (
        f"tilted relative to each other by up to {1e3 * tilt:.3g} mrad in the plane of action" in found
        and "tilts=..." in found
    )
    for quiet in (build(mesh), build(CROWNED.mesh(8e3, 1.5e-3), tilting=(5.0, 0.0, 0.0))):
        assert not any("tilted relative to each other" in text for text in pl.statics(quiet).warnings)


@pytest.mark.parametrize("turned", [2e-4, 1.4e-3])
def test_line_contact_has_a_face_load_factor(turned: float) -> None:
    """Springs of equal stiffness: 1 + tau b/(2 s) while the whole face bears, then twice the face over the part that does."""
    k = STRAIGHT.stiffness * WIDTH
    rest = pl.statics(build(pl.Elastic(k, contact="line", backlash="100 um"), soft=None, turned=(turned, 0.0)))
    force, tau = 300.0 / RADIUS, abs(of(rest, "tilt")) * math.cos(ALPHA)
    depth = force / k
    expected = 1 + tau * WIDTH / (2 * depth)
    if expected > 2:
        bears = math.sqrt(2 * depth / (tau * WIDTH))
        expected = 2 / bears
    assert of(rest, "face_load_factor") == pytest.approx(expected, rel=1e-3)


# ---------------------------------------------------------------------------------------------------------- motion


@pytest.mark.parametrize("follow", [False, True])
def test_energy_of_tilting_wheels(follow: bool) -> None:
    """Undamped, shaken, tilting through their play: what is missing falls with the square of the step."""
    options = {"follow_centres": True} if follow else {"separating": False}
    mesh = CROWNED.mesh(8e3, 1.5e-3, phases=4, backlash="10 um", **options)
    swing = (pl.Harmonic("20 N*m", "700 Hz"), pl.Harmonic("15 N*m", "1100 Hz"), 0.0)
    m = build(mesh, load=pl.Harmonic("80 N*m", "500 Hz", offset="30 N*m"), tilting=swing, across=1e8, speed="20 rad/s")

    def run(step: float) -> pl.Result:
        return pl.dynamics(m, duration="2 ms", step=step, rho=0.99, output_step="20 us")

    runs = [run(step) for step in (2e-6, 5e-7)]
    errors = [
        float(np.max(np.abs(r["energy.balance_error"].values)) / np.max(r["energy.potential"].values)) for r in runs
    ]
    assert set(runs[1]["mesh.contact"].values) == {-1.0, 0.0, 1.0}
    assert np.ptp(runs[1]["mesh.tilt"].values) > 2e-4
    assert errors[1] < 0.15 * errors[0]
    assert errors[1] < 1e-3


def test_trains_keep_their_tilt() -> None:
    """Wheels in bearings whose axes are not parallel: the fast way and the general way agree, and both are a table at that
    tilt."""
    turned = (8e-4, 0.0)
    mesh = CROWNED.mesh(8e3, 1.5e-3, phases=4, backlash="20 um", damping_ratio=0.03)
    load = pl.Harmonic("150 N*m", "700 Hz", offset="60 N*m")
    m = build(mesh, soft=None, turned=turned, load=load, speed="5 rad/s")
    fast, general = (pl.dynamics(m, duration="2 ms", step="2 us", output_step="20 us", reduce=r) for r in (True, False))
    force = general["mesh.normal_force"].values
    assert len(set(general["mesh.contact"].values)) == 3
    for name in ("normal_force", "tilt", "face_load_factor"):
        a, b = (r[f"mesh.{name}"].values for r in (fast, general))
        assert np.max(np.abs(a - b)) < 1e-6 * np.max(np.abs(b))
    f = {side: float(NORMAL[side] @ np.array([turned[1], -turned[0], 0.0])) for side in (1, -1)}
    drive, coast = mesh.tables
    at = [table.at(tilt) for table, tilt in ((drive, f[1]), (coast, f[-1]))]
    rows = [table.approach(mesh.loads[:, None], np.arange(4)[None, :] / 4) for table in at]
    plain = pl.Loaded(mesh.loads, rows[0], coast=rows[1], backlash="20 um", damping_ratio=0.03)
    model = build(plain, soft=None, turned=turned, load=load, speed="5 rad/s")
    same = pl.dynamics(model, duration="2 ms", step="2 us", output_step="20 us")
    assert np.max(np.abs(same["mesh.normal_force"].values - force)) < 0.02 * np.max(np.abs(force))
