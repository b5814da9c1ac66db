"""Gear pairs with tables of loaded teeth in whole models: elastic teeth where tables say the same, and what only tables can say."""

import itertools
import math
from typing import Any

import numpy as np
import pytest
from references.observed_order import observed_order

import pitchline as pl
from pitchline import files
from pitchline.model import Loaded

TEETH = 25
EXACT = 1e-12
RUN: dict[str, Any] = {"duration": "1 ms", "step": "1 us", "output_step": "50 us"}
SIGNALS = (
    "normal_force",
    "transmission_error",
    "deflection",
    "stiffness",
    "contact",
    "radial_force",
    "axial_force",
    "moment_b",
)


def build(
    mesh: Any,
    *,
    helix: float = 0.0,
    load: Any = 200.0,
    angle: float = 0.0,
    speed: Any = None,
    internal: bool = False,
    soft: float | None = None,
    driven: bool = True,
) -> pl.Model:
    """Two wheels in bearings, the first held or at a speed, a torque on the second; soft: on springs that tilt and give."""
    first = pl.Gear(teeth=TEETH, normal_module="4 mm", helix_angle=helix, face_width="30 mm")
    opposite = {"internal": True, "helix_angle": helix} if internal else {"helix_angle": -helix}
    second = pl.Gear(teeth=80 if internal else 50, normal_module="4 mm", face_width="30 mm", **opposite)
    m = pl.Model("pair")
    a = m.gear_body("a", first, position=(0, 0, 0), axis="z", phase=angle)
    b = m.gear_body(
        "b", second, mesh_with=a, towards="x", **({"mass": 20.0, "inertia": (1.0, 1.0, 2.0)} if internal else {})
    )
    hinge_a = m.revolute("hinge_a", m.ground, a)
    if soft is None:
        m.revolute("hinge_b", m.ground, b)
    else:
        tilting = 1e-3 * soft
        m.bushing("hinge_b", m.ground, b, axis="z", stiffness=(soft, soft, soft, tilting, tilting, 0))
    m.gear_pair("mesh", a, b, mesh=mesh)
    if driven:
        m.drive("motor", hinge_a, **({"angle": 0} if speed is None else {"speed": speed}))
    m.torque("load", b, (0, 0, load))
    return m


def table(stiffness: float = 4e8, **more: Any) -> Loaded:
    """Constant stiffness on the base circle."""
    loads = [0.0, 1000.0, 3000.0]
    return Loaded(loads, [[F / stiffness] for F in loads], **more)


def same(a: pl.Result, b: pl.Result, tolerance: float = EXACT) -> None:
    for name in SIGNALS:
        x, y = a[f"mesh.{name}"].values, b[f"mesh.{name}"].values
        size = 1.0 if name == "contact" else max(np.max(np.abs(x)), 1e-9)
        assert np.max(np.abs(x - y)) <= tolerance * size, name


# -------------------------------------------------------------------------------------------- what elastic teeth say too


@pytest.mark.parametrize("load", [200.0, -200.0])
@pytest.mark.parametrize("options", [{}, {"helix": 0.3}, {"internal": True}, {"soft": 1e7}], ids=str)
def test_a_constant_stiffness_is_elastic(options: dict[str, Any], load: float) -> None:
    """In equilibrium and in motion, with damping and backlash, on either flank: to rounding."""
    more: dict[str, Any] = {"damping_ratio": 0.05, "backlash": "20 um"}
    models = [build(mesh, load=load, **options) for mesh in (pl.Elastic(4e8, **more), table(**more))]
    rest = [pl.statics(m) for m in models]
    same(*rest, tolerance=1e-10 if "soft" in options else EXACT)
    run = [pl.dynamics(m, **RUN) for m in models]
    same(*run, tolerance=1e-9)  # rounding of u, pressed on by the stiffness, step after step


def test_at_the_base_circle_the_torque_decides() -> None:
    """F = T/r_b, and the wheel turns by u/r_b, whatever the helix."""
    for helix in (0.0, 0.35):
        k = 4e8
        mesh = Loaded([0, 1000, 3000], [[0], [1000 / k], [3000 / k]], backlash=0)
        m = build(mesh, helix=helix)
        b = pl.Gear(teeth=50, normal_module="4 mm", helix_angle=-helix)
        alpha = math.atan(math.tan(math.radians(20)) / math.cos(helix))
        radius = 0.5 * b.teeth * b.normal_module / math.cos(helix) * math.cos(alpha)
        assert pl.statics(m)["hinge_b.angle"].final == pytest.approx(200.0 / radius / k / radius, rel=1e-10)


def test_an_error_is_an_approach_of_first_touch() -> None:
    """u = -x(phi) + F/k: the same spline through the same points, on both flanks, with play, through hits."""
    rng = np.random.default_rng(1)
    phases = 12
    x = 3e-6 * rng.normal(size=phases)
    loads, k = np.array([0.0, 2000.0]), 4e8
    angles = 2 * math.pi * np.arange(phases + 1) / phases
    error = pl.Table(angles, np.append(x, x[0]), kind="cubic", periodic=True, over="angle")
    more: dict[str, Any] = {"damping_ratio": 0.02, "backlash": "10 um", "damping_acts": "never pulling"}
    rows = loads[:, None] / k
    meshes = (
        pl.Elastic(k, error=error, **more),
        Loaded(loads, rows - x, coast=rows + x, along="normal", **more),
    )
    for load in (200.0, -200.0):
        for angle in (0.0, 0.05, 0.11):
            same(*(pl.statics(build(mesh, load=load, angle=angle)) for mesh in meshes), tolerance=1e-11)
    swing = pl.Harmonic("150 N*m", "900 Hz")
    models = [build(mesh, load=swing, speed="100 rad/s") for mesh in meshes]
    runs = [pl.dynamics(m, duration="4 ms", step="1 us", output_step="50 us") for m in models]
    assert len(set(runs[0]["mesh.contact"].values)) == 3
    same(*runs, tolerance=1e-6)  # hits spread rounding


def test_a_varying_stiffness_is_met_by_enough_phases() -> None:
    """u = F/k(phi): the error falls with the fourth power of the distance of phases."""
    stiffness = pl.Fourier("360 deg", "4e8 N/m", cos=["6e7 N/m"], sin=["2e7 N/m"], over="angle")
    loads, angle = np.array([0.0, 1000.0, 3000.0]), 0.1
    exact = pl.statics(build(pl.Elastic(stiffness, backlash=0), angle=angle))

    def error(n: int) -> float:
        k = stiffness(2 * math.pi * np.arange(n) / n)
        mesh = Loaded(loads, loads[:, None] / k, along="normal", backlash=0)
        rest = pl.statics(build(mesh, angle=angle))
        return abs(float(rest["mesh.transmission_error"].final - exact["mesh.transmission_error"].final))

    errors = [error(n) for n in (16, 32, 64)]
    assert observed_order(errors) == pytest.approx(4.0, abs=0.6)
    assert errors[-1] < 1e-6 * abs(exact["mesh.transmission_error"].final)


# --------------------------------------------------------------------------------------------- what only tables can say


def stiffening(phases: int = 16, **more: Any) -> Loaded:
    """Relieved teeth that stiffen from first touch on, more compliant where one pair of teeth bears."""
    loads = np.array([0.0, 150.0, 500.0, 1500.0, 4000.0])
    angle = 2 * math.pi * np.arange(phases) / phases
    touch = 2e-6 * (1 - np.cos(angle)) + 0.5e-6 * np.sin(2 * angle)
    rows = touch + loads[:, None] * (1 + 0.15 * np.cos(angle + 0.4)) / 5e8 + 1.5e-6 * np.log1p(loads / 300.0)[:, None]
    return Loaded(loads, rows, **more)


@pytest.mark.parametrize("load", [200.0, -90.0, 5.0])
@pytest.mark.parametrize("angle", [0.0, 0.07, 0.2])
def test_equilibrium_is_what_the_table_says(load: float, angle: float) -> None:
    """On the drive flank at the phase of the first wheel, on the coast flank at its mirror image, with half the play before."""
    mesh, play = stiffening(backlash="30 um"), 30e-6
    rest = pl.statics(build(mesh, load=load, angle=angle))
    radius = 0.5 * 50 * 4e-3 * math.cos(math.radians(20))
    phase = float(rest["mesh.phase"].final)
    assert phase == pytest.approx((TEETH * angle / (2 * math.pi)) % 1.0, abs=1e-12)
    drive, _ = mesh.tables
    expected = drive.approach(abs(load) / radius, math.copysign(phase, load)) + play / 2
    turned = radius * rest["hinge_b.angle"].final
    assert turned == pytest.approx(math.copysign(expected, load), rel=1e-9)
    assert rest["mesh.contact"].final == np.sign(load)
    assert rest["mesh.table_load"].final == pytest.approx(abs(load) / radius / 4000.0, rel=1e-9)
    assert not rest.warnings


def test_equilibrium_on_soft_supports() -> None:
    """Where the mesh is 10^5 times stiffer than what carries the wheel: Newton with the force as an unknown, few iterations. (The
    centres then part by 20 mm, where real teeth would be out of mesh: those that follow them are looked at on stiffer supports.)"""
    for load, soft, follow in itertools.product((200.0, -200.0), (3e4, 3e6), (False, True)):
        if follow and soft < 1e5:
            continue
        rest = pl.statics(build(stiffening(follow_centres=follow), load=load, soft=soft, helix=0.2))
        assert rest.statistics["iterations"] <= 30
        assert rest["mesh.contact"].final == np.sign(load)


def test_teeth_that_jam_bear_on_both_flanks() -> None:
    """Without play and with too much material everywhere the flanks press on each other: a stiffer mesh, at rest under no load."""
    k, press = 4e8, 2e-6
    loads = [0.0, 1000.0, 3000.0]
    mesh = Loaded(loads, [[F / k - press] for F in loads], along="hoop", backlash=0, separating=False)
    rest = pl.statics(build(mesh, load=20.0))
    f = 20.0 / 0.1
    assert f < k * press
    assert rest["mesh.transmission_error"].final / math.cos(math.radians(20)) == pytest.approx(f / (2 * k), rel=1e-9)
    assert rest["mesh.stiffness"].final * math.cos(math.radians(20)) ** 2 == pytest.approx(2 * k, rel=1e-12)
    held = pl.dynamics(build(mesh, load=20.0), duration="1 ms", step="1 us", start=rest)
    assert np.ptp(held["mesh.normal_force"].values) < 1e-6 * f


@pytest.mark.parametrize("reduce", [True, False])
def test_what_is_at_rest_stays_at_rest(reduce: bool) -> None:
    """Statics (force as an unknown) and dynamics (force of the approach) have one equilibrium; on a train and the general way."""
    m = build(stiffening(backlash="30 um"), angle=0.13)
    run = pl.dynamics(m, duration="0.5 ms", step="5 us", start=pl.statics(m), reduce=reduce)
    force = run["mesh.normal_force"].values
    assert np.ptp(force) < 1e-7 * np.max(force)


def test_trains_and_the_general_way_agree() -> None:
    load = pl.Harmonic("150 N*m", "700 Hz", offset="60 N*m")
    m = build(stiffening(backlash="8 um", damping_ratio=0.03), load=load, speed="60 rad/s")
    fast, general = (pl.dynamics(m, duration="3 ms", step="2 us", output_step="20 us", reduce=r) for r in (True, False))
    force = general["mesh.normal_force"].values
    assert len(set(general["mesh.contact"].values)) == 3
    assert np.max(np.abs(fast["mesh.normal_force"].values - force)) < 1e-5 * np.max(np.abs(force))


def test_energy_of_undamped_teeth() -> None:
    """Wheels that spin freely and hammer through their play lose nothing: what is left falls with the square of the step."""
    m = build(stiffening(backlash="10 um"), load=0.0, driven=False)
    m.torque("shake", "a", (0, 0, pl.Harmonic("60 N*m", "500 Hz", offset="20 N*m")))

    def error(step: float) -> float:
        run = pl.dynamics(m, duration="3 ms", step=step, rho=0.99, output_step="0.1 ms")
        assert set(run["mesh.contact"].values) == {-1.0, 0.0, 1.0}
        return float(np.max(np.abs(run["energy.balance_error"].values)) / np.max(run["energy.kinetic"].values))

    errors = [error(step) for step in (4e-6, 1e-6)]
    assert errors[-1] < 1e-4
    assert errors[-1] < 0.25 * errors[0]


def test_a_cycle_does_no_work() -> None:
    """Slowly through one mesh cycle under load: the torque of the drive and the load do the same work, and V comes back."""
    run = pl.kinematics(
        build(stiffening(backlash="30 um"), load=150.0, speed=1.0),
        duration=2 * math.pi / TEETH,
        step=2 * math.pi / TEETH / 64,
    )
    torque, angle = run["motor.torque"].values, run["hinge_a.angle"].values
    # periodic and smooth: the trapezoidal rule is as good as any
    work = float(np.sum(0.5 * (torque[1:] + torque[:-1]) * np.diff(angle)))
    assert np.ptp(torque) > 1e-3 * abs(torque.mean())
    moved = float(run["hinge_b.angle"].final - run["hinge_b.angle"].values[0])
    assert work == pytest.approx(-150.0 * moved, rel=1e-4)


def test_small_vibrations_about_a_loaded_state() -> None:
    """Two wheels on one mesh: w^2 = k/m_e with the stiffness of the table at that load and phase."""
    mesh = stiffening(backlash="30 um")
    m = build(mesh, load=200.0, angle=0.1)
    rest = pl.statics(m)
    found = pl.modes(m, about=rest)
    radius = 0.5 * 50 * 4e-3 * math.cos(math.radians(20))
    k = mesh.tables[0].stiffness(200.0 / radius, rest["mesh.phase"].final)
    inertia = m.bodies["b"].inertia[2, 2]
    assert found.frequencies[0] == pytest.approx(math.sqrt(k * radius**2 / inertia) / (2 * math.pi), rel=1e-6)


def test_beyond_the_table_results_say_so() -> None:
    m = build(stiffening(), load=800.0)
    rest = pl.statics(m)
    share = float(rest["mesh.table_load"].final)
    assert share == pytest.approx(800.0 / (0.1 * math.cos(math.radians(20))) / 4000.0, rel=1e-9)
    assert any(
        'gear pair "mesh": its teeth carried up to 2.13 times the largest load' in text for text in rest.warnings
    )
    run = pl.dynamics(m, duration="20 us", step="1 us", start=rest)
    assert any("largest load" in text for text in run.warnings)
    assert any("largest load" in text for text in pl.modes(m, about=rest).warnings)
    # a straight line on: the last stiffness
    drive, _ = stiffening().tables
    k = drive.stiffness(4000.0, 0.0)
    assert rest["mesh.stiffness"].final == pytest.approx(k, rel=1e-9)


def test_other_meshes_have_no_such_signal() -> None:
    assert "mesh.table_load" not in pl.statics(build(pl.Elastic(4e8))).signals


def test_a_rack_takes_a_table_at_the_base_circle_of_its_pinion() -> None:
    k = 4e8
    pinion = pl.Gear(teeth=20, normal_module="4 mm", face_width="20 mm")
    m = pl.Model("rack")
    a = m.gear_body("a", pinion, position=(0, 0, 0), axis="z")
    b = m.gear_body("b", pl.Rack(teeth=30, normal_module="4 mm", face_width="20 mm", depth="20 mm"), mesh_with=a)
    m.revolute("hinge", m.ground, a)
    slide = m.prismatic("slide", m.ground, b, axis="y")
    m.gear_pair("mesh", a, b, mesh=Loaded([0, 3000], [[0], [3000 / k]], backlash=0))
    m.drive("hold", slide, displacement=0)
    m.torque("load", a, (0, 0, 60.0))
    radius = 0.04 * math.cos(math.radians(20))
    assert pl.statics(m)["hinge.angle"].final == pytest.approx(60.0 / radius**2 / k, rel=1e-9)


def test_equilibria_far_beyond_the_table_are_refused() -> None:
    """There the change of the extrapolated compliance over the phase can balance any torque. Up to ten times the largest load is
    accepted with a warning."""
    with pytest.raises(
        pl.SolveError, match=r'"mesh" carries 13\.3 times the largest load of its table.*Loaded\(torque='
    ):
        pl.statics(build(stiffening(), load=5000.0))
    assert pl.statics(build(stiffening(), load=3000.0))["mesh.table_load"].final == pytest.approx(7.98, rel=1e-2)


def test_a_model_file_holds_a_table() -> None:
    m = build(stiffening(damping_ratio=0.03, coast=stiffening().approach + 1e-6))
    again = files.read(m.to_toml()).model
    assert again.describe()["gear_pairs"]["mesh"]["mesh"] == m.describe()["gear_pairs"]["mesh"]["mesh"]
    same(pl.statics(m), pl.statics(again), tolerance=1e-11)
