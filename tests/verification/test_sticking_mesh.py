"""Friction and losses of gear meshes that hold at rest: a worm hoist against closed forms."""

import math
from dataclasses import replace

import numpy as np
import pytest
from references.element_bench import call, derivatives
from references.gear_mesh_cases import LoadedMesh, mesh_state, some_law
from references.gear_pairs import KINDS, pairs
from references.worm_hoist import WormHoist

import pitchline as pl
from pitchline.engine.elements.contract import TANGENT
from pitchline.parts.friction.kernel_sticking import MODE, STICKS
from pitchline.parts.meshes.kernel import gear_mesh
from pitchline.parts.meshes.kernel_law import COMPLIANT, CONSTANT, STRIBECK, encode_geometry, encode_law
from pitchline.parts.meshes.kernel_sticking import sticking_mesh

HOIST = WormHoist()
RAMP = 20.0
"""Growth of the motor torque [N m/s]."""


def elastic(**more) -> pl.Elastic:
    return pl.Elastic(1e8, backlash=0, damping_ratio=0.1, friction=HOIST.friction, sticks=True, **more)


MESHES = {"rigid": lambda: None, "elastic": elastic}
every_mesh = pytest.mark.parametrize("mesh", MESHES)


def test_no_creep() -> None:
    """The load hangs on the wheel and the motor is off: after 100000 steps nothing has moved, except for rounding."""
    run = pl.dynamics(HOIST.model(), duration=100, step=1e-3, output_step=10)
    assert run.statistics["events"] == 0
    for joint in ("input", "output"):
        angle = run[f"{joint}.angle"].values
        assert np.max(np.abs(angle - angle[1])) < 1e-15
    assert np.all(run["mesh.friction_state"].values == 0.0)
    assert run["mesh.friction_loss"].final == 0.0


def test_no_creep_of_elastic_teeth() -> None:
    """From the deflected position of statics."""
    m = HOIST.model(elastic())
    rest = pl.statics(m)
    run = pl.dynamics(m, duration=1, step=1e-4, output_step=0.1, start=rest)
    assert np.ptp(run["input.angle"].values) < 1e-13
    assert run["output.angle"].final == pytest.approx(rest["output.angle"].final, abs=1e-13)


def start_of(run: pl.Result) -> float:
    """Time at which the worm starts: its speed grows with the square of the time since then."""
    w, t = np.abs(run["input.angular_speed"].values), run.time
    k = int(np.argmax(w > 1e-3))
    root = np.sqrt(w[k + 3 : k + 15])
    return float(np.polyval(np.polyfit(root, t[k + 3 : k + 15], 3), 0.0))


@pytest.mark.parametrize("sign", (1.0, -1.0))
@every_mesh
def test_breakaway(mesh: str, sign: float) -> None:
    """A motor torque that grows: against the load, and with it."""
    m = HOIST.model(MESHES[mesh](), motor=pl.Polynomial((0.0, sign * RAMP)))
    run = pl.dynamics(m, duration=0.45, step=1e-4, output_step=1e-3, start=pl.statics(m))
    assert run.statistics["events"] == 1
    assert sign * RAMP * start_of(run) == pytest.approx(HOIST.breakaway(sign), rel=2e-3 if mesh == "elastic" else 2e-4)


@pytest.mark.parametrize("sign", (1.0, -1.0))
@every_mesh
def test_statics_holds_up_to_the_breakaway_torque(mesh: str, sign: float) -> None:
    """The bounds of the motor torque at rest are those of the start of a motion."""
    limit = HOIST.breakaway(sign)
    rest = pl.statics(HOIST.model(MESHES[mesh](), motor=limit * (1 - 1e-6)))
    assert not rest.warnings
    with pytest.raises(pl.SolveError, match=r'"mesh" slips, because it holds up to'):
        pl.statics(HOIST.model(MESHES[mesh](), motor=limit * (1 + 1e-6)))
    # without a motor: the worm is in balance by friction alone
    rest = pl.statics(HOIST.model(MESHES[mesh]()))
    g, ca, force = HOIST.lead_angle, math.cos(HOIST.pressure_angle), rest["mesh.normal_force"].final
    radius = 0.5 * HOIST.module * HOIST.teeth / math.cos(g)
    assert force * radius * (ca * math.cos(g) + ca * math.tan(g) * math.sin(g)) == pytest.approx(HOIST.load, rel=1e-9)


def test_a_self_locking_worm_holds_any_load() -> None:
    for load in (1e-3, 1e7, -1e5):
        assert pl.statics(HOIST.model(load=load))["mesh.normal_force"].final > 0.0
        run = pl.dynamics(HOIST.model(load=load), duration=0.01, step=1e-3)
        angle = run[
            "input.angle"
        ].values  # it yields in the first step by the compliance of its row, 1e-12 of that of its mass
        assert np.ptp(angle) < 1e-17 * abs(load) + 1e-14 and np.ptp(angle[1:]) < 1e-20 * abs(load) + 1e-15


@every_mesh
def test_runs_down_below_the_limit(mesh: str) -> None:
    """Friction below cos(alpha) tan(gamma) does not hold the load."""
    hoist = replace(HOIST, friction=0.04)
    m = hoist.model(
        pl.Elastic(1e8, backlash=0, damping_ratio=0.1, friction=0.04, sticks=True) if mesh == "elastic" else None
    )
    run = pl.dynamics(m, duration=0.1, step=1e-4, output_step=1e-2)
    assert -run["input.angular_speed"].final / 0.1 == pytest.approx(
        hoist.run_down(m), rel=1e-6 if mesh == "elastic" else 1e-9
    )
    loss = run["mesh.friction_loss"].final
    worm, wheel = hoist.levers(-1.0)
    power = run["mesh.power_b"].final  # of the wheel, which drives
    i = hoist.teeth / hoist.starts
    assert loss == pytest.approx(-power * (1 - i * worm / wheel), rel=1e-9)
    with pytest.raises(pl.SolveError, match="slips"):
        pl.statics(m)


def back_and_forth(step: float, **options) -> pl.Result:
    m = HOIST.model(load=pl.Harmonic(100.0, 2.0), motor=pl.Harmonic(20.0, 3.0))
    return pl.dynamics(m, duration=0.72, step=step, output_step=0.008, **options)


def test_order_through_starts_stops_and_reversed_loads() -> None:
    """Motor and load alternate: five starts and stops. Angles have errors of order 2; the energy balance closes."""
    fine = back_and_forth(2e-5)["input.angle"].values
    runs = [back_and_forth(h) for h in (8e-4, 4e-4, 2e-4)]
    errors = [float(np.max(np.abs(run["input.angle"].values - fine))) for run in runs]
    assert runs[-1].statistics["events"] >= 4
    assert errors[0] / errors[2] > 9.0
    work = runs[-1]["energy.dissipated"].final
    balance = [float(np.max(np.abs(run["energy.balance_error"].values))) for run in runs]
    assert balance[2] < 1e-4 * work and balance[0] / balance[2] > 9.0
    same = back_and_forth(2e-4, reduce=False)["input.angle"].values
    np.testing.assert_allclose(same, runs[-1]["input.angle"].values, atol=1e-8)


def test_driven_and_chained() -> None:
    """At a prescribed speed friction follows the motion, as in dynamics and kinematics. A run continues where it stuck."""
    m = HOIST.model()
    m.drive("motor", "input", speed=10.0)
    expected = HOIST.breakaway(1.0)
    assert pl.dynamics(m, duration=0.02, step=1e-3)["motor.torque"].final == pytest.approx(expected, rel=1e-6)
    assert pl.kinematics(m, duration=0.02, step=1e-2)["motor.torque"].final == pytest.approx(expected, rel=1e-9)
    m = HOIST.model()
    first = pl.dynamics(m, duration=0.02, step=1e-3)
    later = pl.dynamics(m, duration=0.02, step=1e-3, start=first)
    assert later.statistics["events"] == 0 and np.ptp(later["input.angle"].values) < 1e-15


def test_friction_of_the_bearing_helps() -> None:
    """Statics with two elements that can hold the same worm: their limits add."""
    for sign in (1.0, -1.0):
        limit = HOIST.breakaway(sign) + sign * 1.0
        for factor, holds in ((1 - 1e-6, True), (1 + 1e-6, False)):
            m = HOIST.model(motor=limit * factor)
            m.friction("bearing", "input", coulomb=1.0)
            if holds:
                assert abs(pl.statics(m)["bearing.torque"].final) == pytest.approx(1.0, rel=1e-9)
            else:
                with pytest.raises(pl.SolveError, match="slips"):
                    pl.statics(m)


@pytest.mark.parametrize("restitution", (0.0, 0.5))
def test_teeth_close_by_impacts_and_stick(restitution: float) -> None:
    """Rigid teeth with backlash: the load closes it, with rebounds; then friction holds. The energy balance closes."""
    mesh = pl.Rigid(backlash="0.1 mm", backlash_side="coast", friction=0.1, sticks=True, restitution=restitution)
    run = pl.dynamics(HOIST.model(mesh), duration=0.2, step=1e-4, output_step=1e-2)
    assert run["mesh.impacts"].final == run.statistics["impacts"] >= (2 if restitution else 1)
    assert run["mesh.friction_state"].final == 0.0 and abs(run["input.angular_speed"].final) < 1e-12
    assert np.max(np.abs(run["energy.balance_error"].values)) < 1e-12


def test_small_motions() -> None:
    """Teeth that stick are locked in small motions: only the vibration of the teeth is left."""
    m = HOIST.model(elastic())
    modes = pl.modes(m, about=pl.statics(m))
    assert len(modes.frequencies) == 1
    assert any("stick" in w for w in modes.warnings)


def planetary(torque: float) -> pl.Model:
    """Three planets, six meshes with losses, 10 N m on the sun, a torque on the carrier: ratio 5."""
    m = pl.Model("planetary")
    sun, planet, ring = (
        pl.Gear(teeth=z, normal_module="2 mm", face_width="20 mm", **more)
        for z, more in ((18, {}), (27, {}), (72, {"internal": True, "rim_diameter": "180 mm"}))
    )
    mesh = pl.Elastic(2e8, efficiency=0.95, sticks=True, backlash=0, damping_ratio=0.1)
    pl.planetary(m, "set", sun=sun, planet=planet, ring=ring, planets=3, fixed="ring", mesh_sun=mesh, mesh_ring=mesh)
    m.torque("in", "set sun bearing", 10.0)
    m.torque("out", "set carrier bearing", torque)
    return m


@pytest.mark.parametrize("torque, moves", ((-45.0, True), (-48.0, False)))
def test_planets(torque: float, moves: bool) -> None:
    """A planetary gear starts if the carrier takes less than the torque of the sun times ratio and efficiency, about 46 N m."""
    m = planetary(torque)
    run = pl.dynamics(m, duration=0.02, step=1e-5, output_step=1e-3)
    states = {abs(run[f"{name}.friction_state"].final) for name in m.gear_pairs}
    assert states == ({1.0} if moves else {0.0})
    assert (run["set sun bearing.angular_speed"].final > 1.0) == moves
    if not moves:
        assert np.ptp(run["set sun bearing.angle"].values[-5:]) < 1e-12


def probe_of(kind: str, seed: int, *, compliant: bool, losses: bool):
    """A pair with friction or losses, and the same with rows."""
    rng = np.random.default_rng(seed)
    gears = next(iter(_some(pairs(kind), seed)))
    state = replace(mesh_state(gears, rng), v=rng.normal(size=12))  # far from zero, where differences fail
    mesh = LoadedMesh(state, some_law(state, rng, flank=("drive", "coast")[seed % 2], varying=not compliant))
    law, functions = mesh.law.encode(**({"form": COMPLIANT} if compliant else {}))
    g = state.pair
    teeth = gear_mesh(
        "mesh", (3, 7), encode_geometry(g.pitch, g.point_a, g.triad_a, g.point_b, g.triad_b, length=1.0), law
    )
    radius = state.radius
    rub = (
        encode_law(loss_levers=(0.05 * radius, 0.08 * radius))
        if losses
        else encode_law(friction=((CONSTANT, 0.1), (STRIBECK, 0.05, 0.07, 10.0 * radius, 0.02 / radius))[seed // 2 % 2])
    )
    element = sticking_mesh(teeth, rub)
    plain = mesh.probe()
    lam = rng.normal(size=len(element.rows)) * 1e3
    memory = element.memory.copy()
    memory[4:8] = plain.memory
    return type(plain)(element, state.P, state.V, np.zeros((2, 6)), lam, functions, memory)


def _some(strategy, seed: int):
    from hypothesis import HealthCheck, Phase, find, settings

    yield find(
        strategy, lambda _: True, settings=settings(max_examples=1, database=None, phases=[Phase.generate],
        suppress_health_check=list(HealthCheck), derandomize=True),
    )  # fmt: skip


@pytest.mark.parametrize("losses", (False, True), ids=("friction", "losses"))
@pytest.mark.parametrize("compliant", (False, True), ids=("spring", "multiplier"))
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("law", (1.0, -1.0, STICKS))
def test_tangent(kind: str, compliant: bool, losses: bool, law: float) -> None:
    """Derivatives by velocities and multipliers, and of the row of friction by the tooth force, against differences."""
    for seed in range(4):
        probe = probe_of(kind, seed, compliant=compliant, losses=losses)
        probe.memory[MODE] = law
        J = call(probe, TANGENT, damping=1.0).J
        _, by_speed, _, by_force = derivatives(probe)
        n = 12
        size = np.max(np.abs(by_speed[:n, :n]), initial=1e-9)
        assert np.max(np.abs(J[:n, :n] - by_speed[:n, :n])) < 1e-6 * size
        # rows of constraints have derivatives by positions instead
        assert np.max(np.abs(J[:n, n:] - by_force[:n])) < 1e-6 * np.max(np.abs(by_force[:n]), initial=1e-9)
        if law != STICKS:
            size = np.max(np.abs(by_speed[-1]), initial=1e-9)
            assert np.max(np.abs(J[-1, :n] - by_speed[-1])) < 1e-6 * size
            assert np.max(np.abs(J[-1, n:] - by_force[-1])) < 1e-6 * np.max(np.abs(by_force[-1]))


def test_messages() -> None:
    with pytest.raises(pl.ModelError, match="sticks=True needs friction or efficiency"):
        pl.Rigid(sticks=True)
    with pytest.raises(pl.ModelError, match=r"self-locking pair .* needs sticks=True"):
        pl.Rigid(efficiency=(0.5, -0.1))
    with pytest.raises(pl.ModelError, match="sticks must be True or False"):
        pl.Elastic(friction=0.1, sticks=1)
    with pytest.raises(pl.ModelError, match="must be greater than 0"):
        pl.Rigid(efficiency=(-0.1, 0.0), sticks=True)
