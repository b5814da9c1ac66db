"""Elastic flanks of general pairs act with their own normals at their points of contact, and respond to displaced axes."""

import math
from typing import Any

import numpy as np
import pytest
from references.angular_momentum import total_angular_momentum
from references.element_bench import moved, random_rotation
from references.enveloped_teeth import SIZE, hypoid_pair, spiral_bevel_pair
from references.flank_bench import FlankBench
from references.flank_pairs import mesh_of, pair_model, pressing

import pitchline as pl
from pitchline.contact.loaded_tables import GeneralPair
from pitchline.contact.surface_strips import SurfacePair
from pitchline.engine.elements.contract import TANGENT
from pitchline.errors import ModelError
from pitchline.parts.gears.analysis_contact import surface_gears
from pitchline.parts.gears.geometry.placement import Placement
from pitchline.parts.gears.surfaces import surface_teeth
from pitchline.parts.meshes.compile import flanks_of

LOAD = 20.0
"""On wheel B [N m]."""


def bevel() -> pl.GearPair:
    cone = math.atan(18 / 30)
    return pl.GearPair(
        pl.Gear(teeth=18, cone_angle=cone, **SIZE), pl.Gear(teeth=30, cone_angle=0.5 * math.pi - cone, **SIZE)
    )


def crossed() -> pl.GearPair:
    helical = pl.Gear(teeth=15, helix_angle="45 deg", bore="10 mm", **SIZE)
    return pl.GearPair(helical, helical, shaft_angle="90 deg")


def rack() -> pl.GearPair:
    return pl.GearPair(pl.Gear(teeth=18, bore="14.4 mm", **SIZE), pl.Rack(teeth=11, depth="6 mm", **SIZE))


PAIRS = {"bevel": bevel, "spiral bevel": spiral_bevel_pair, "hypoid": hypoid_pair, "crossed": crossed}


class Case:
    """A pair, its mesh with static compliance, and the model at rest under a load."""

    def __init__(self, name: str) -> None:
        self.pair = PAIRS[name]() if name in PAIRS else rack()
        self.load = {"crossed": 4.0, "rack": 800.0}.get(name, LOAD)
        self.mesh = mesh_of(self.pair)

    def model(self, **options: Any) -> pl.Model:
        return pair_model(self.pair, pressing(self.pair, "left") * self.load, mesh=self.mesh, **options)


@pytest.fixture(scope="module")
def cases() -> dict[str, Case]:
    return {name: Case(name) for name in (*PAIRS, "rack")}


@pytest.fixture(scope="module")
def benches(cases: dict[str, Case]) -> dict[str, FlankBench]:
    return {name: FlankBench(model=cases[name].model()) for name in ("hypoid", "rack")}


# --------------------------------------------------------------------------------------------------------- bearing forces


def nodal_wrench(case: Case, phase: float) -> tuple[np.ndarray, np.ndarray]:
    """Force on B and its moment about the centre of B, from the cells of contact: sum of loads along normals, at their places."""
    pair = case.pair
    gears = surface_gears(pair, None, "contact")
    data = flanks_of(case.model().gear_pairs["mesh"])
    cells = GeneralPair(data.a, data.b, gears.placement, side="left", ratio=gears.ratio)
    angle = phase * pair.a.angular_pitch
    force, moment = np.zeros(3), np.zeros(3)
    for patch in cells.press(angle, case.load).patches:
        flank, turn = cells.pair.patch_a, angle + patch.tooth_a * pair.a.angular_pitch
        c, s = math.cos(turn), math.sin(turn)
        R = np.array([[c, -s, 0.0], [s, c, 0.0], [0.0, 0.0, 1.0]])
        u, v = np.clip(patch.u_a, 0.0, 1.0), np.clip(patch.v_a, 0.0, 1.0)
        f = patch.load[..., None] * (flank.normal(u, v) @ R.T)
        force += f.sum(axis=(0, 1))
        moment += np.cross(flank.point(u, v) @ R.T - gears.placement.position, f).sum(axis=(0, 1))
    return force, moment


@pytest.mark.slow
@pytest.mark.parametrize("name", PAIRS)
def test_bearing_reactions_are_the_sum_of_the_forces_on_the_flanks(name: str, cases: dict[str, Case]) -> None:
    """Force and all moments, to 1 % of the force (crossed gears: 2 %); the hinge carries them."""
    case = cases[name]
    for phase in (0.0, 0.4):
        run = pl.statics(case.model(phase=phase))
        force, moment = nodal_wrench(case, phase)
        size = np.linalg.norm(force)
        close = 0.02 if name == "crossed" else 0.01
        np.testing.assert_allclose(run["mesh.force_b"].final, force, atol=close * size)
        arm = 0.5 * case.pair.b.reference_diameter
        np.testing.assert_allclose(run["mesh.moment_b"].final, moment, atol=close * size * arm)
        assert np.linalg.norm(run["out.force"].final) == pytest.approx(size, rel=close)


def test_the_pitch_point_is_not_where_flanks_of_any_shape_press(cases: dict[str, Case]) -> None:
    """With tilt=False the flanks keep the direction of the pitch point: the difference is not small for hypoid gears."""
    case = cases["hypoid"]
    true = pl.statics(case.model(phase=0.4))["mesh.force_b"].final
    mesh = mesh_of(case.pair, tilt=False)
    rough = pl.statics(pair_model(case.pair, pressing(case.pair, "left") * LOAD, mesh=mesh, phase=0.4))
    assert np.linalg.norm(rough["mesh.force_b"].final - true) > 0.02 * np.linalg.norm(true)
    both = mesh_of(case.pair, tilt=True, separating=False)
    with pytest.raises(ModelError, match=r"all displacements of its axes. Leave out separating=False"):
        pl.statics(pair_model(case.pair, LOAD, mesh=both))


# ---------------------------------------------------------------------------------------------------------- displaced axes

DISPLACED = np.array([[8e-6, 0, 0], [0, 8e-6, 0], [0, 0, 8e-6]]), np.array([[3e-4, 0, 0], [0, 3e-4, 0], [0, 0, 3e-4]])
"""[m] and [rad] about the axes of A."""


def first_touch(bench: FlankBench, dq: np.ndarray) -> float:
    """Rotation of A at which the first strip comes into contact [rad], with B displaced."""
    low, high = -4e-3, 8e-3

    def touches(turn: float) -> bool:
        P = moved(bench.built, np.array([[0.0] * 5 + [turn], dq]))
        bench.rest(P)
        return bool(bench.report()["pair_forces"].max() > 0.0)  # the drive flanks

    assert touches(high) and not touches(low)
    for _ in range(40):
        middle = 0.5 * (low + high)
        low, high = (low, middle) if touches(middle) else (middle, high)
    return 0.5 * (low + high)


def built_touch(case: Case, shift: np.ndarray, turn: np.ndarray) -> float:
    """The same from flanks that are built in the displaced pose."""
    pair = case.pair
    pose = pair.place()
    R = rotation(turn)
    there = Placement(pose.position + shift, R @ pose.rotation)
    flanks = SurfacePair(surface_teeth(pair.a), surface_teeth(pair.b), there, "left", ratio=pair.pitch.speed_ratio)
    v = flanks_of(case.model().gear_pairs["mesh"]).a.grids["left"].v
    teeth = np.arange(-3, 4)[:, None]

    def gap(angle: float) -> float:
        return float(flanks.least_on_lines(angle, teeth, v, angle_b=0.0).gap.min())

    low, high = -4e-3, 8e-3
    for _ in range(40):
        middle = 0.5 * (low + high)
        low, high = (low, middle) if gap(middle) < 0.0 else (middle, high)
    return 0.5 * (low + high)


def rotation(turn: np.ndarray) -> np.ndarray:
    angle = float(np.linalg.norm(turn))
    if angle == 0.0:
        return np.eye(3)
    x, y, z = turn / angle
    K = np.array([[0.0, -z, y], [z, 0.0, -x], [-y, x, 0.0]])
    return np.eye(3) + math.sin(angle) * K + (1.0 - math.cos(angle)) * K @ K


@pytest.mark.slow
def test_displaced_axes_close_gaps_as_if_they_were_built_there(
    cases: dict[str, Case], benches: dict[str, FlankBench]
) -> None:
    """To first order: half the displacement, a quarter of the error, in all six directions."""
    case, bench = cases["hypoid"], benches["hypoid"]
    start = first_touch(bench, np.zeros(6))
    assert start == pytest.approx(built_touch(case, np.zeros(3), np.zeros(3)), abs=1e-9)
    R_b = bench.built[1, 3:].reshape(3, 3)
    for shift, turn in [(d, np.zeros(3)) for d in DISPLACED[0]] + [(np.zeros(3), d) for d in DISPLACED[1]]:
        errors = []
        for scale in (2.0, 1.0):
            expected = built_touch(case, scale * shift, scale * turn)
            found = first_touch(bench, scale * np.concatenate([shift, R_b.T @ turn]))
            errors.append(found - expected)
            assert abs(errors[-1]) < 0.05 * abs(expected - start)
        assert errors[1] == pytest.approx(0.25 * errors[0], abs=0.02 * abs(errors[0]) + 1e-9), (shift, turn)


# ------------------------------------------------------------------------------------------------- the contract of elements

STEPS = np.tile([1e-9] * 3 + [1e-7] * 3, 2)


@pytest.mark.parametrize("name", ["hypoid", "rack"])
def test_forces_balance_wherever_the_world_is(name: str, benches: dict[str, FlankBench]) -> None:
    bench = benches[name]
    rng = np.random.default_rng(4)
    Q, x0 = random_rotation(rng), rng.standard_normal(3)
    P = moved(bench.pressed(4e-3), np.array([[0.0] * 6, [2e-5, -1e-5, 1.5e-5, 2e-4, -3e-4, 1e-4]]))
    turned = P.copy()
    for k in range(2):
        turned[k, :3], turned[k, 3:] = x0 + Q @ P[k, :3], (Q @ P[k, 3:].reshape(3, 3)).ravel()
    found = []
    for X in (P, turned):
        bench.rest(X)
        r, _ = bench.look(X)
        R = [X[k, 3:].reshape(3, 3) for k in range(2)]
        force, size = r[:3] + r[6:9], np.linalg.norm(r[:3])
        moment = sum(R[k] @ r[6 * k + 3 : 6 * k + 6] + np.cross(X[k, :3], r[6 * k : 6 * k + 3]) for k in range(2))
        assert size > 100.0
        assert np.linalg.norm(force) < 1e-12 * size and np.linalg.norm(moment) < 1e-11 * size
        found.append(r)
    here, there = found
    for k in (0, 6):
        np.testing.assert_allclose(there[k : k + 3], Q @ here[k : k + 3], atol=1e-6 * np.abs(here).max())
        np.testing.assert_allclose(there[k + 3 : k + 6], here[k + 3 : k + 6], atol=1e-6 * np.abs(here).max())


@pytest.mark.parametrize("name", ["hypoid", "rack"])
def test_forces_and_moments_are_derivatives_of_the_energy(name: str, benches: dict[str, FlankBench]) -> None:
    """By all displacements of both wheels, and the tangent by those of the forces."""
    bench = benches[name]
    P = moved(bench.pressed(4e-3), np.array([[0.0] * 6, [2e-5, -1e-5, 1.5e-5, 2e-4, -3e-4, 1e-4]]))
    bench.rest(P)
    r, J = bench.look(P, TANGENT)
    size, largest = np.abs(r[:3]).max(), np.abs(r[3:6]).max()
    columns = []
    for j, e in enumerate(STEPS):
        dq = np.zeros(12)
        dq[j] = e
        sides = [bench.look(moved(P, sign * dq.reshape(2, 6)))[0] for sign in (1.0, -1.0)]
        columns.append((sides[0] - sides[1]) / (2.0 * e))
        energies = []
        for sign in (1.0, -1.0):
            bench.rest(moved(P, sign * 20.0 * dq.reshape(2, 6)))
            energies.append(bench.report()["potential"])
        slope = (energies[0] - energies[1]) / (40.0 * e)
        assert slope == pytest.approx(r[j], abs=5e-3 * (size if j % 6 < 3 else largest)), j
        bench.rest(P)
    found = np.array(columns).T
    for rows in (slice(0, 3), slice(3, 6), slice(6, 9), slice(9, 12)):
        part = found[rows]
        scale = np.abs(part).max(axis=0)
        assert np.abs(J[rows] - part).max(axis=0) == pytest.approx(np.zeros(12), abs=2e-2 * scale.max()), rows


# ---------------------------------------------------------------------------------------------------------------- in motion


def soft(m: pl.Model, body: pl.Body, axis: np.ndarray) -> None:
    m.bushing("out", m.ground, body, axis=tuple(axis), stiffness=(2e7, 2e7, 2e7, 2e4, 2e4, 0))


@pytest.mark.slow
def test_energy_on_soft_bearings(cases: dict[str, Case]) -> None:
    """A wheel that gives way in all directions, pushed and turned, without friction: the energy that is missing falls with the
    step."""
    case = cases["hypoid"]
    errors = []
    for step in ("8 us", "4 us"):
        m = case.model(bearing=soft)
        m.force("push", m.bodies["b"], (pl.Harmonic("150 N", "900 Hz"), 0.0, pl.Harmonic("100 N", "1300 Hz")))
        run = pl.dynamics(m, duration="2 ms", step=step, rho=0.99, start=pl.statics(m))
        assert run["mesh.contact_force"].values.min() > 0.0
        moved_by = run["b.position"].values - run["b.position"].values[0]
        assert np.ptp(moved_by, axis=0).min() > 5e-7
        errors.append(float(np.abs(run["energy.balance_error"].values).max() / np.ptp(run["energy.potential"].values)))
    assert errors[1] < 0.5 * errors[0] or errors[1] < 1e-3
    assert errors[1] < 1e-2


def test_large_displacements_are_a_warning(cases: dict[str, Case]) -> None:
    """Bearings of a tenth of the usual stiffness: the square of the displacement is not small. Far apart there is no contact."""
    case = cases["spiral bevel"]
    for stiffness, words in ((2e7, []), (3e6, ["displaced by up to 0."])):
        k = (stiffness,) * 3 + (1e-3 * stiffness,) * 2 + (0,)
        run = pl.statics(
            case.model(bearing=lambda m, b, axis, k=k: m.bushing("out", m.ground, b, axis=tuple(axis), stiffness=k))
        )
        found = [text for text in run.warnings if "linear in this displacement" in text]
        assert len(found) == len(words) and all(word in text for word, text in zip(words, found, strict=True))
    bench = FlankBench(model=case.model())
    for away in ([0.0, 0.0, 0.1], [0.1, 0.0, 0.0], [0.03, 0.0, 0.03]):
        P = moved(bench.built, np.array([[0.0] * 6, [*away, 0.0, 0.0, 0.0]]))
        bench.rest(P)
        assert bench.report()["contact_force"] == 0.0


@pytest.mark.slow
def test_momentum_of_two_free_gears(cases: dict[str, Case]) -> None:
    """Gears without bearings meet and part: momentum and angular momentum of both stay, and so does their energy."""
    case = cases["hypoid"]
    m = pl.Model("free", gravity=(0, 0, 0))
    a = m.gear_body("a", case.pair.a, mass=0.06, inertia=(2e-5, 2e-5, 1e-5), angular_velocity=(0, 0, 20.0))
    b = m.gear_body(
        "b", case.pair.b, mesh_with=a, towards="x", mass=0.2, inertia=(4e-5, 4e-5, 6e-5),
        centre_distance=case.pair.centre_distance,
    )  # fmt: skip
    m.gear_pair("mesh", a, b, mesh=case.mesh)
    run = pl.dynamics(m, duration="0.6 ms", step="1 us", rho=0.99)
    force = run["mesh.contact_force"].values
    assert force.max() > 50.0 and force[-1] == 0.0
    angular = total_angular_momentum(run, m)
    linear = sum(m.bodies[name].mass * run[f"{name}.velocity"].values for name in "ab")
    transferred = 0.2 * np.linalg.norm(run["b.velocity"].values[-1])
    assert transferred > 1e-3
    assert np.abs(linear - linear[0]).max() < 1e-6 * transferred
    assert np.abs(angular - angular[0]).max() < 1e-4 * np.linalg.norm(angular[0])
    assert abs(run["energy.balance_error"].values[-1]) < 5e-3 * run["energy.kinetic"].values[0]


@pytest.mark.slow
def test_friction_acts_along_the_sliding_at_the_points_of_contact() -> None:
    """Crossed helical gears: all normals have one direction, and the friction of mu times the normal force is across it; a little
    less, because two pairs of teeth slide in directions that differ by some degrees. Energy also balances on soft bearings."""
    mu, speed, pair = 0.08, 60.0, crossed()
    mesh = mesh_of(pair, friction=mu, friction_speed=1e-3)
    cycle = pair.a.angular_pitch / speed
    drive = {"speed": pl.Ramp(0.0, speed, 0.0, 0.5 * cycle)}
    m = pair_model(pair, pressing(pair, "left") * 4.0, mesh=mesh, drive=drive, drag=0.02)
    run = pl.dynamics(m, duration=1.5 * cycle, step=cycle / 200, rho=0.95, start=pl.statics(m))
    later = run.time > cycle
    force = run["mesh.force_b"].values[later]
    load = run["mesh.contact_force"].values[later]
    still = pl.statics(m)["mesh.force_b"].final
    along = still / np.linalg.norm(still)
    assert force @ along == pytest.approx(load, rel=2e-3)
    across = force - np.outer(force @ along, along)
    rubbing = np.linalg.norm(across, axis=1) / load
    assert rubbing == pytest.approx(mu, rel=3e-2)  # normals on tip edges have other directions
    assert 0.985 * mu < np.median(rubbing) < mu
    assert abs(run["energy.balance_error"].values[-1]) < 2e-3 * run["energy.dissipated"].values[-1]
    m = pair_model(pair, pressing(pair, "left") * 4.0, mesh=mesh, drive=drive, bearing=soft)
    run = pl.dynamics(m, duration=1.0 * cycle, step=cycle / 400, rho=0.98, start=pl.statics(m))
    assert np.ptp(run["b.position"].values, axis=0).max() > 1e-6
    assert abs(run["energy.balance_error"].values[-1]) < 2e-3 * run["energy.dissipated"].values[-1]


@pytest.mark.parametrize("axis", ["x", "z"])
def test_a_rotated_carrier_is_not_a_displacement(cases: dict[str, Case], axis: str) -> None:
    """Both wheels rotate with their carrier by 60 deg: the same contact as at rest, and no warning about displaced axes."""
    case = cases["bevel"]
    m = pl.Model("carrier")
    a = m.gear_body("a", case.pair.a)
    b = m.gear_body("b", case.pair.b, mesh_with=a, towards="x")
    carrier = m.body("carrier", mass=1.0, inertia=(1e-2, 1e-2, 1e-2))
    m.drive("rotation", m.revolute("bearing", m.ground, carrier, axis=axis), angle="60 deg")
    m.drive("held", m.revolute("in", carrier, a), angle=0)
    m.torque("load", m.revolute("out", carrier, b), pressing(case.pair, "left") * case.load)
    m.gear_pair("mesh", a, b, mesh=case.mesh)
    run = pl.statics(m)
    usual = pl.statics(case.model())
    assert run["mesh.contact_force"].final == pytest.approx(usual["mesh.contact_force"].final, rel=1e-6)
    assert not [text for text in run.warnings if "displaced" in text]
