"""Rolling gear joints: forces in balance in every pose and without power; the limit of stiff elastic teeth; energy and momentum."""

from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest
from references.element_bench import Probe, central, moved
from references.newton_euler import rotation
from references.observed_order import largest, observed_order
from references.rolling import constraint, constraint_row, mesh_probe, wrench
from references.rolling_pairs import EXACT, GEARS, PAIRS, UNIT, by_gears, by_ratio, pair, reduced

import pitchline as pl

# ------------------------------------------------------------------------------------------ forces, in poses of all kinds


def unaligned(kind: str, seed: int) -> Probe:
    """A pair whose wheels stand off their places by up to some 5 % and 3 degrees, each turned about a skew axis."""
    rng = np.random.default_rng(seed)
    probe = mesh_probe(pair(kind)[0], "mesh", lam=rng.normal())
    off = np.tile(np.repeat([2e-3, 0.05], 3), 2).reshape(2, 6)
    return replace(probe, P=moved(probe.P, off * rng.uniform(-1, 1, size=(2, 6))))


poses = pytest.mark.parametrize("seed", range(3))
every_pair = pytest.mark.parametrize("kind", PAIRS)


@poses
@every_pair
def test_forces_are_in_balance(kind: str, seed: int) -> None:
    """Equal and opposite, without a moment about any point, though the pitch surfaces do not touch in one point."""
    probe = unaligned(kind, seed)
    w = wrench(probe)
    force, arm = np.linalg.norm(w[:3]), np.max(np.abs(probe.P[:, :3])) + 0.1
    assert force > 0.5 * abs(probe.lam[0])
    np.testing.assert_allclose(w[:3] + w[6:9], 0.0, atol=1e-14 * force)
    moment = sum(w[6 * k + 3 : 6 * k + 6] + np.cross(probe.P[k, :3], w[6 * k : 6 * k + 3]) for k in (0, 1))
    np.testing.assert_allclose(moment, 0.0, atol=1e-13 * force * arm)


@poses
@every_pair
def test_forces_do_no_work_where_the_wheels_roll(kind: str, seed: int) -> None:
    """The row is the gradient of u in every pose, and the loads on the bodies are -lambda times it: their power, -lambda du/dt,
    is none for all motions that keep u."""
    probe = unaligned(kind, seed)
    row = constraint_row(probe)
    for j in range(12):
        step = np.zeros((2, 6))
        step[j // 6, j % 6] = unit = 0.01 if j % 6 < 3 else 1.0
        if j % 6 > 2:  # increments turn about node axes: take a world axis
            step[j // 6, 3:] = probe.rotation(j // 6).T @ step[j // 6, 3:]
        by_difference = central(lambda d, s=step: constraint(replace(probe, P=moved(probe.P, d * s))), 1e-4)
        assert unit * row[j] == pytest.approx(by_difference, abs=1e-11)
    np.testing.assert_allclose(wrench(probe), -probe.lam[0] * row, rtol=0, atol=1e-14 * abs(probe.lam[0]))


def test_wheels_too_far_apart() -> None:
    """Centres at l in place of r_a + r_b: moving one across turns the mesh by 1/l and rolls r_a + r_b of it, so that the force
    of a unit multiplier is (r_a + r_b)/l = 0.990099 for l = 2.02 in place of 2; moments about the axes stay r_a and r_b."""
    m = pl.Model("apart")
    m.body("a", **UNIT)
    m.body("b", position=(2, 0, 0), **UNIT)
    m.gear_pair("mesh", "a", "b", mesh=pl.Rolling(ratio=Fraction(2, 3)))
    probe = mesh_probe(m, "mesh")
    probe.P[1, 0] = 2.02
    row = constraint_row(probe)
    np.testing.assert_allclose(np.abs(row[[1, 7]]), 2 / 2.02, rtol=1e-13)
    np.testing.assert_allclose(np.abs(row[[5, 11]]), [1.2, 0.8], rtol=1e-13)
    np.testing.assert_allclose(row[[0, 2, 3, 4, 6, 8, 9, 10]], 0.0, atol=1e-15)


# ------------------------------------------------------------------------------------------- momentum of a free machine


def floating(kind: str) -> pl.Model:
    """Two wheels on a carrier that nothing holds, tumbling, with a motor between carrier and wheel a."""
    m = pl.Model("floating")
    a, b, _ = by_gears(m, kind) if kind in GEARS else by_ratio(m, kind)
    if kind in GEARS:
        m.gear_pair("mesh", a, b, mesh=pl.Rolling())
    m.body(
        "carrier", mass=2.0, inertia=(0.02, 0.03, 0.04), velocity=(0.3, -0.2, 0.5), angular_velocity=(0.5, 1.0, -0.7)
    )
    on_a = m.revolute("on a", "carrier", a, axis=a.orientation[:, 2])
    if kind.startswith("rack"):
        m.prismatic("on b", "carrier", b, axis=b.orientation[:, 1])
    else:
        m.revolute("on b", "carrier", b, axis=b.orientation[:, 2])
    m.torque("motor", on_a, pl.Harmonic(0.5, 2.0))
    return m


def momenta(m: pl.Model, run: pl.Result) -> tuple[np.ndarray, np.ndarray]:
    """(n, 3) linear momentum and angular momentum about the world's origin."""
    p, L = np.zeros((2, len(run.time), 3))
    for name, body in m.bodies.items():
        R = np.array([rotation(q) for q in run[f"{name}.orientation"].values])
        omega = run[f"{name}.angular_velocity"].values
        assert not np.any(body.centre_of_mass)
        x, v = run[f"{name}.position"].values, run[f"{name}.velocity"].values
        p += body.mass * v
        L += body.mass * np.cross(x, v) + np.einsum("nij,jk,nlk,nl->ni", R, body.inertia, R, omega)
    return p, L


FREE = ["spur", "internal", "bevel -+", "rack by radius"]


@pytest.mark.parametrize("kind", FREE)
def test_momentum_of_a_free_machine(kind: str) -> None:
    """Linear momentum to rounding: forces cancel in every step. Angular momentum to the order of the method, 2."""
    m, drift = floating(kind), []
    for h in (4e-3, 2e-3):
        run = pl.dynamics(m, duration=1.0, step=h, output_step=0.1, **EXACT)
        p, L = momenta(m, run)
        drift.append(largest(L, L[0]) / np.linalg.norm(L[0]))
        assert np.ptp(run["on a.angle"].values) > 1.0
        assert largest(p, p[0]) < 1e-13 * np.linalg.norm(p[0])
    assert observed_order(drift) == pytest.approx(2.0, abs=0.15)


# ------------------------------------------------------------------------------------------ stiff teeth, energy, variable steps


def loaded(kind: str, mesh: pl.Rolling | pl.Elastic, *, moving: bool) -> pl.Model:
    """A motor on a, a torsion spring with a damper on b, all on a base that rocks on a spring or stands."""
    m = pl.Model("loaded")
    base = m.ground
    if moving:
        base = m.body("base", mass=3.0, inertia=(0.05, 0.05, 0.05))
        rock = m.revolute("rock", m.ground, base, at=(-0.1, 0.3, 0.1), axis=(1, 1, 0))
        m.torsion_spring("suspension", rock, stiffness=20.0, damping=0.1)
    first, second, _ = GEARS[kind]
    a = m.gear_body("a", first, position=(0.1, 0.2, -0.1), axis=(0.3, -0.5, 0.8), **UNIT)
    b = m.gear_body("b", second, mesh_with=a, **UNIT)
    on_a, on_b = (m.revolute(f"on {x.name}", base, x, at=x.position, axis=x.orientation[:, 2]) for x in (a, b))
    m.gear_pair("mesh", a, b, mesh=mesh)
    m.torsion_spring("load", on_b, stiffness=2.0, damping=0.01)
    m.torque("motor", on_a, pl.Ramp(0, 3.0, 0, 0.15))
    return m


@pytest.mark.parametrize("moving", [False, True], ids=["fixed base", "moving base"])
@pytest.mark.parametrize("kind", ["spur", "helical", "internal", "bevel"])
def test_limit_of_stiff_teeth(kind: str, moving: bool) -> None:
    """Teeth of stiffness k give way by F/k under forces that grow slowly: the motion differs from rolling by O(1/k), so that twice
    the stiffness halves the difference. Steps of 0.5 ms damp what rings in the teeth at some kHz."""
    options = {"duration": 0.2, "step": 5e-4, "output_step": 0.01, **EXACT}
    names = ["on a.angle", "on b.angle", *(["rock.angle"] if moving else [])]

    def motion(mesh: pl.Rolling | pl.Elastic) -> np.ndarray:
        run = pl.dynamics(loaded(kind, mesh, moving=moving), **options)
        return np.stack([run[x].values for x in names])

    rolling = motion(pl.Rolling())
    teeth = {"backlash": 0, "damping_ratio": 0.5, "damping_acts": "always"}
    apart = [largest(motion(pl.Elastic(k, **teeth)), rolling) for k in (1e8, 2e8)]
    assert np.ptp(rolling[0]) > 0.3
    assert 0 < apart[1] < 1e-3 * np.ptp(rolling[0])
    assert apart[0] / apart[1] == pytest.approx(2.0, rel=0.005)


def swinging(kind: str) -> pl.Model:
    """No loss: an eccentric mass on b (a rack: a spring), gravity, a wheel a that spins; bearings on a base on springs."""
    m = pl.Model("swinging", gravity=(0, 0, -9.81))
    base = m.body("base", mass=3.0, inertia=(0.05, 0.05, 0.05))
    m.torsion_spring("suspension", m.revolute("rock", m.ground, base, at=(0, 0.3, 0.1), axis=(1, 1, 0)), stiffness=20.0)
    a, b, _ = by_gears(m, kind) if kind in GEARS else by_ratio(m, kind)
    if kind in GEARS:
        m.gear_pair("mesh", a, b, mesh=pl.Rolling())
    m.torsion_spring("coil", m.revolute("on a", base, a, axis=a.orientation[:, 2]), stiffness=0.3, free_angle=2.0)
    if kind.startswith("rack"):
        m.spring(
            "coil b", base, m.body("block", position=b.position, orientation=b.orientation, **UNIT), stiffness=100.0
        )
        m.fixed("bolt", b, "block")
        m.prismatic("on b", base, b, axis=b.orientation[:, 1])
    else:
        side = b.position + 0.05 * b.orientation[:, 0]
        m.body("eccentric", mass=0.5, inertia=(1e-4, 1e-4, 1e-4), position=side)
        m.fixed("bolt", b, "eccentric")
        m.revolute("on b", base, b, axis=b.orientation[:, 2])
    return m


def gear_error(run: pl.Result, kind: str) -> float:
    """Largest error of the constraint, as an angle of wheel a [rad]."""
    return float(np.max(np.abs(run["mesh.approach"].values))) / (0.038 if kind in GEARS else 0.03)


SWINGING = ["spur", "internal", "bevel", "bevel +-", "rack by radius"]


@reduced
@pytest.mark.parametrize("kind", SWINGING)
def test_energy_is_kept(kind: str, reduce: bool) -> None:
    """The rolling force does no work: the balance closes to the order of the method, and u = 0 in every sample."""
    errors = []
    for h in (2e-3, 1e-3):
        run = pl.dynamics(swinging(kind), duration=0.5, step=h, reduce=reduce, **EXACT)
        errors.append(np.max(np.abs(run["energy.balance_error"].values)) / np.ptp(run["energy.kinetic"].values))
        assert np.ptp(run["on a.angle"].values) > 0.3
        assert gear_error(run, kind) < 1e-12
        assert not np.any(run["mesh.loss"].values)
    assert errors[-1] < 1e-3
    assert observed_order(errors) == pytest.approx(2.0, abs=0.2)


@pytest.mark.parametrize("kind", SWINGING)
def test_reduced_and_not(kind: str) -> None:
    """The same equations in other unknowns: the same motion and forces to what Newton and rounding leave."""
    runs = [pl.dynamics(swinging(kind), duration=0.3, step=1e-3, reduce=reduce, **EXACT) for reduce in (True, False)]
    assert runs[0].statistics["coordinates"] < runs[1].statistics["coordinates"]
    for name in (
        "on a.angle",
        "on a.angular_speed",
        "b.position",
        "rock.angle",
        "mesh.tangential_force",
        "mesh.contact_point",
    ):
        one, other = (r[name].values for r in runs)
        assert largest(one, other) < 1e-8 * max(1.0, float(np.max(np.abs(other)))), name


@reduced
@pytest.mark.parametrize("kind", SWINGING)
def test_variable_steps(kind: str, reduce: bool) -> None:
    """Error control: u stays at zero. Its rate is closed before positions are projected, which moves them by less than a local
    error of 1e-7 rad and turns velocities of some 20 rad/s by as much. The motion is that of fixed steps, extrapolated, to some
    hundred local errors."""
    run = pl.dynamics(swinging(kind), duration=0.3, tolerance=1e-7, output_step=0.05, reduce=reduce)
    assert gear_error(run, kind) < 1e-9
    rate = "speed" if kind.startswith("rack") else "angular_speed"
    assert largest(run[f"on b.{rate}"].values, pair(kind)[2] * run["on a.angular_speed"].values) < 20 * 1e-7
    fixed = [
        pl.dynamics(swinging(kind), duration=0.3, step=h, output_step=0.05, **EXACT)["on a.angle"].values
        for h in (1e-3, 5e-4)
    ]
    assert largest(run["on a.angle"].values, (4 * fixed[1] - fixed[0]) / 3) < 1e-4
