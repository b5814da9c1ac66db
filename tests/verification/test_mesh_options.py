"""Options of meshes as users specify them, against closed forms: friction on the path of contact, line of action, line contact,
values over time and angle, damping over the angle, tooth stiffness."""

import math
from typing import Any

import numpy as np
import pytest

import pitchline as pl
from pitchline.parts.meshes.springs import pairs_in_contact

MU = 0.06
ALPHA = math.radians(20)


def spur(z: int, helix: float = 0.0, **more: Any) -> pl.Gear:
    return pl.Gear(teeth=z, normal_module="4 mm", helix_angle=helix, face_width="30 mm", **more)


RING = spur(70, internal=True, addendum_factor=0.8, rim_diameter="320 mm")
PAIRS = {
    "spur": (spur(25), spur(50)),
    "helical": (spur(25, 0.3), spur(50, -0.3)),
    "internal": (spur(25), RING),
}


def build(
    mesh: Any, gears: tuple[Any, Any] = PAIRS["spur"], *, speed: Any = "100 rad/s", load: Any = 200.0
) -> pl.Model:
    """Two gears in bearings, the first one driven, a torque on the second; at speed from the start."""
    m = pl.Model("pair")
    omega = 100.0 if speed == "100 rad/s" else 0.0
    ratio = gears[0].teeth / gears[1].teeth * (1 if gears[1].internal else -1)
    a = m.gear_body("pinion", gears[0], position=(0, 0, 0), axis="z", angular_velocity=(0, 0, omega))
    b = m.gear_body("wheel", gears[1], mesh_with=a, towards="x", angular_velocity=(0, 0, omega * ratio))
    first, second = m.revolute("in", m.ground, a), m.revolute("out", m.ground, b)
    m.drive("motor", first, speed=speed) if speed is not None else m.torque("motor", first, 0.0)
    m.torque("load", second, load)
    m.gear_pair("mesh", a, b, mesh=mesh)
    return m


def loss_factor(gears: tuple[pl.Gear, pl.Gear]) -> float:
    """H_v after Ohlendorf and Niemann."""
    pair = pl.GearPair(*gears)
    path, u = pair.path_of_contact, gears[1].teeth / gears[0].teeth * (-1 if gears[1].internal else 1)
    one, two = ((x - path.pitch_point) / path.base_pitch for x in (path.end, path.start))
    beta_b = math.asin(math.sin(gears[0].helix_angle) * math.cos(ALPHA))
    parts = 1 - path.contact_ratio + one**2 + two**2
    return math.pi * (u + 1) / (gears[0].teeth * u * math.cos(beta_b)) * parts


def equal_shares(gears: tuple[pl.Gear, pl.Gear], n: int = 20000) -> float:
    """H_v by integration over a mesh cycle, the pairs in contact with equal loads."""
    pair = pl.GearPair(*gears)
    path = pair.path_of_contact
    x = path.start + (np.arange(n) + 0.5)[:, None] / n * path.base_pitch + np.arange(8) * path.base_pitch
    there = x <= path.end
    away = np.where(there, np.abs(x - path.pitch_point), 0.0).sum(axis=1)
    count = there.sum(axis=1)
    mean = (away[count > 0] / count[count > 0]).mean()
    beta_b = math.asin(math.sin(gears[0].helix_angle) * math.cos(gears[0].normal_pressure_angle))
    curvature = sum((-1 if gear.internal else 1) / gear.teeth for gear in gears)
    return 2.0 * math.pi * abs(curvature) * mean / path.base_pitch / math.cos(beta_b)


@pytest.mark.parametrize(
    "case", ["usual", "three pairs", "pitch point outside", "pitch point near the end", "short teeth"]
)
def test_loss_factor_outside_of_the_range_of_ohlendorf(case: str) -> None:
    """The mean of equally loaded pairs for any path of contact. The formula of Ohlendorf is this mean only in its range."""
    made: dict[str, tuple[dict[str, Any], dict[str, Any]]] = {
        "usual": ({}, {}),
        "three pairs": ({"teeth": 60, "addendum_factor": 1.35, "dedendum_factor": 1.6},) * 2,
        "pitch point outside": ({"profile_shift": 1.1, "tip_alteration": -0.4, "teeth": 30}, {"profile_shift": -1.1}),
        "pitch point near the end": ({"profile_shift": 0.8, "teeth": 30}, {"profile_shift": -0.8, "teeth": 60}),
        "short teeth": ({"addendum_factor": 0.5}, {"addendum_factor": 0.5}),
    }
    usual = {"teeth": 24, "normal_module": "4 mm", "face_width": "20 mm"}
    a, b = (pl.Gear(**{**usual, **options}) for options in made[case])
    path = pl.GearPair(a, b).path_of_contact
    reaches = [abs(x - path.pitch_point) / path.base_pitch for x in (path.start, path.end)]
    within = 1.0 <= path.contact_ratio <= 2.0 and path.start <= path.pitch_point <= path.end and max(reaches) <= 1.0
    assert within == (case == "usual")
    assert pl.GearPair(a, b).loss_factor == pytest.approx(equal_shares((a, b)), rel=2e-4)
    assert (loss_factor((a, b)) == pytest.approx(equal_shares((a, b)), rel=2e-3)) == within


@pytest.mark.parametrize("kind", PAIRS)
@pytest.mark.parametrize("form", ["rigid", "elastic", "sticks", "by load"])
def test_mean_loss_on_the_path_of_contact(kind: str, form: str) -> None:
    """P_v = mu H_v P of the power that the tooth force transmits, either wheel driving; and the energy balance is closed."""
    gears = PAIRS[kind]
    assert pl.GearPair(*gears).loss_factor == pytest.approx(loss_factor(gears), rel=1e-12)
    mu: Any = pl.FrictionTable([0, 10], [0, 1e5], [[MU, MU], [MU, MU]]) if form == "by load" else MU
    options = {
        "friction": mu,
        "sliding": "path of contact",
        "backlash": 0,
        "sticks": form == "sticks",
        "friction_speed": 1e-9,
    }
    mesh = pl.Elastic(4e8, damping_ratio=0.5, **options) if form == "elastic" else pl.Rigid(**options)
    for load in (200.0, -200.0):
        run = pl.dynamics(
            build(mesh, gears, load=load), duration="20 ms", step="20 us" if form == "elastic" else "1 ms"
        )
        rate, cosine = run["in.angular_speed"].final, math.cos(pl.GearPair(*gears).pitch.pressure_angle)
        lever = 0.5 * 4e-3 * gears[0].teeth
        power = run["mesh.normal_force"].final * cosine * lever * rate
        assert run["mesh.friction_loss"].final == pytest.approx(MU * loss_factor(gears) * power, rel=1e-6)
        spent = abs(run["motor.power"].final + run["load.torque"].final * run["out.angular_speed"].final)
        assert spent == pytest.approx(run["mesh.friction_loss"].final, rel=1e-3 if form == "elastic" else 1e-6)
        assert np.abs(run["energy.balance_error"]).max() < 1e-4 * power * 0.02


def test_friction_on_the_path_holds_at_rest() -> None:
    """Torques on both wheels: friction carries their difference up to mu H_v of the load, and the pair starts beyond it."""
    gears = PAIRS["spur"]
    mesh = pl.Rigid(friction=MU, sliding="path of contact", sticks=True, backlash=0)
    share = MU * loss_factor(gears)
    for extra, holds in ((0.4, True), (1.6, False)):
        made = pl.Model("rest")
        a = made.gear_body("pinion", gears[0], position=(0, 0, 0), axis="z")
        b = made.gear_body("wheel", gears[1], mesh_with=a, towards="x")
        made.torque("motor", made.revolute("in", made.ground, a), 100.0 * (1.0 + extra * share))
        made.torque("load", made.revolute("out", made.ground, b), 200.0)
        made.gear_pair("mesh", a, b, mesh=mesh)
        run = pl.dynamics(made, duration="50 ms", step="1 ms")
        assert (abs(run["out.angle"].final) < 1e-12) == holds


@pytest.mark.parametrize("follow", [True, False])
@pytest.mark.parametrize("load", [200.0, -200.0])
def test_line_of_action(load: float, follow: bool) -> None:
    """Radial forces push for the flank of the line, and pull for the other one; torques are the same."""
    found = {}
    for line in ("automatic", "clockwise", "counter-clockwise"):
        mesh = pl.Elastic(4e8, backlash=0, line_of_action=line, follow_centres=follow)
        found[line] = pl.statics(build(mesh, speed=0, load=load))
    radial = {line: rest["mesh.radial_force"].final for line, rest in found.items()}
    push = 2000.0 * math.tan(ALPHA)
    pushes = "clockwise" if load > 0 else "counter-clockwise"
    pulls = "counter-clockwise" if load > 0 else "clockwise"
    assert radial["automatic"] == pytest.approx(push, rel=1e-9)
    assert radial[pushes] == pytest.approx(push, rel=1e-9)
    assert radial[pulls] == pytest.approx(-push, rel=1e-9)
    for rest in found.values():
        assert rest["mesh.tangential_force"].final == pytest.approx(2000.0, rel=1e-9)


def tilting(mesh: Any, moment: float) -> pl.Model:
    """A wheel that can tilt about the line of centres, with a moment about it."""
    a_gear, b_gear = PAIRS["spur"]
    m = pl.Model("tilting")
    a = m.gear_body("pinion", a_gear, position=(0, 0, 0), axis="z")
    m.drive("held", m.revolute("in", m.ground, a), angle=0)
    b = m.gear_body("wheel", b_gear, mesh_with=a, towards="x")
    m.bushing("bearing", m.ground, b, axis="z", stiffness=(1e9, 1e9, 1e9, 1e-3, 1e6, 0))
    m.gear_pair("mesh", a, b, mesh=mesh)
    m.torque("load", b, (moment, 0, 200.0))
    return m


def test_rigid_line_contact_carries_the_tilting_moment() -> None:
    """All of the moment about the line of centres, as a second contact force 2 M/(w cos alpha) and with no tilt."""
    rest = pl.statics(tilting(pl.Rigid(contact="line", backlash=0), 10.0))
    assert rest["mesh.tilt"].final == pytest.approx(0.0, abs=1e-12)
    assert rest["bearing.rotation"].final[0] == pytest.approx(0.0, abs=1e-9)
    force = rest["mesh.second_contact_force"].final
    assert abs(force) == pytest.approx(2 * 10.0 / (0.03 * math.cos(ALPHA)), rel=1e-6)
    assert abs(rest["mesh.contact_moment"].final[0]) == pytest.approx(10.0, rel=1e-6)
    for other in (
        pl.Elastic(1e14, contact="line", backlash=0),
        pl.Rigid(contact="line", method="penalty", penalty=1e14, backlash=0),
    ):
        soft = pl.statics(tilting(other, 10.0))
        assert soft["mesh.second_contact_force"].final == pytest.approx(force, rel=1e-4)


def test_rigid_line_contact_in_motion() -> None:
    """A wheel on a bearing that can tilt vibrates with the energy balance closed, and the teeth stay parallel."""
    m = tilting(pl.Rigid(contact="line", backlash=0), 10.0)
    run = pl.dynamics(m, duration="2 ms", step="5 us")
    assert np.abs(run["mesh.tilt"].values).max() < 1e-10
    assert np.abs(run["energy.balance_error"]).max() < 1e-3 * np.ptp(run["energy.kinetic"].values) + 1e-9


WAVE = pl.Fourier("10 ms", 0, sin=["5 um"])


def test_error_over_time() -> None:
    """Rigid teeth follow it; the work that it does is in the balance, and not a defect of the teeth."""
    m = build(pl.Rigid(error=pl.Varying(WAVE, over="time"), backlash=0))
    run = pl.kinematics(m, duration="20 ms", step="1 ms")
    np.testing.assert_allclose(run["mesh.transmission_error"], -5e-6 * np.sin(2 * np.pi * run.time / 0.01), atol=1e-13)
    moving = pl.dynamics(m, duration="20 ms", step="50 us")
    np.testing.assert_allclose(
        moving["mesh.transmission_error"], -5e-6 * np.sin(2 * np.pi * moving.time / 0.01), atol=1e-11
    )
    assert np.abs(moving["energy.balance_error"]).max() < 1e-5
    assert not any("teeth" in text for text in moving.warnings)


@pytest.mark.parametrize("side", ["centred", "drive", "coast"])
def test_backlash_over_the_angle_and_time(side: str) -> None:
    """At rest the teeth stand where the flank is: -side b + ... of the backlash at that angle and time."""
    share = {"centred": 0.5, "drive": 0.0, "coast": 1.0}[side]
    over_a = pl.Varying(pl.Fourier("360 deg", 60e-6, cos=[20e-6], over="angle"), over="revolution of a")
    later = pl.Varying(pl.Ramp(0.0, 30e-6, 0.0, 1.0), over="time")
    mesh = pl.Rigid(backlash=[over_a, later, 10e-6], backlash_side=side)
    for load, flank in ((200.0, 1), (-200.0, -1)):
        run = pl.kinematics(build(mesh, speed=2 * math.pi, load=load), duration="1 s", step="50 ms")
        b = 70e-6 + 20e-6 * np.cos(run["mesh.psi_a"].values) + later(run.time)
        expected = share * b if flank > 0 else -(1 - share) * b
        np.testing.assert_allclose(run["mesh.approach"].values, expected, atol=1e-12)


def test_energy_with_varying_backlash_and_damping() -> None:
    """Teeth that hammer through a backlash that varies keep the balance of energy, to the order of the method."""
    over_a = pl.Varying(pl.Fourier("360 deg", 60e-6, cos=[30e-6], over="angle"), over="mesh cycle")
    damping = (pl.Varying(pl.Fourier("360 deg", 900, cos=[300], over="angle"), over="revolution of a"), 2e3)
    mesh = pl.Elastic(4e8, backlash=over_a, damping=damping, backlash_side="drive", smoothing="10 um")
    wheel = build(mesh, load=pl.Harmonic(300.0, "300 Hz"))
    errors = []
    for step in (4e-6, 2e-6):
        run = pl.dynamics(wheel, duration="10 ms", step=step)
        errors.append(np.abs(run["energy.balance_error"]).max() / np.ptp(run["energy.kinetic"].values))
    assert set(np.unique(run["mesh.contact"])) >= {-1.0, 1.0}
    assert errors[1] < 0.35 * errors[0] < 1e-2


@pytest.mark.parametrize("ripple", [0.0, 1.0])
def test_damping_over_the_angle_in_floquet(ripple: float) -> None:
    """x'' + d(t) x' + x = 0: the product of the multipliers is exp(-integral of d), and the trace that of an integration."""
    from scipy.integrate import solve_ivp

    m = pl.Model("pair")
    gear = pl.Gear(teeth=20, normal_module=0.1)
    a = m.gear_body("a", gear, position=(0, 0, 0), axis="z", mass=1.0, inertia=(1.0,) * 3)
    b = m.gear_body("b", gear, mesh_with=a, mass=1.0, inertia=(1.0,) * 3)
    m.drive("motor", m.revolute("shaft", m.ground, a), speed=0.0)
    m.revolute("output", m.ground, b)
    d = pl.Varying(pl.Fourier("360 deg", 0.2, cos=[0.15], over="angle"))
    mesh = pl.Elastic(1.0, along="hoop", damping=d, damping_acts="always", backlash=0)
    m.gear_pair("mesh", a, b, mesh=mesh)
    T = 2 * np.pi / 0.9
    found = pl.floquet(m, "shaft", [0.9 / 20], ripples=[ripple])
    mu = found.multipliers[0, 0]
    assert np.prod(mu).real == pytest.approx(math.exp(-0.2 * T), rel=1e-8)

    def rate(t: float, z: np.ndarray) -> list[float]:
        return [z[1], -z[0] - (0.2 + ripple * 0.15 * math.cos(0.9 * t)) * z[1]]

    ends = [solve_ivp(rate, (0, T), z, rtol=1e-11, atol=1e-13).y[:, -1] for z in np.eye(2)]
    assert np.sum(mu).real == pytest.approx(ends[0][0] + ends[1][1], abs=1e-6)
    if ripple == 0.0:
        modes = pl.modes(m, mean_stiffness=True)  # also with the mean damping
        assert modes.damping_ratios[-1] == pytest.approx(0.1, rel=1e-9)


def test_mesh_velocity_is_in_the_middle() -> None:
    """v = dx_A/dt - (d Delta/dt)/2 (van der Linden, equation 17)."""
    mesh = pl.Elastic(
        4e8, damping_ratio=0.02, backlash=0, error=pl.Varying(pl.Fourier("1 ms", 0, sin=["20 um"]), over="time")
    )
    run = pl.dynamics(build(mesh), duration="3 ms", step="5 us")
    v_a, v_b = 0.05 * run["in.angular_speed"].values, -0.1 * run["out.angular_speed"].values
    np.testing.assert_allclose(run["mesh.mesh_velocity"].values, v_a - 0.5 * (v_a - v_b), rtol=1e-9)
    assert np.ptp(v_b) > 1e-3


def test_tooth_stiffness() -> None:
    """Both teeth in series, the pairs in contact in parallel: mean eps k_1, two pairs and one pair in turn."""
    pair = pl.GearPair(*PAIRS["spur"])
    eps, k1 = pair.transverse_contact_ratio, 1 / (1 / 8e8 + 1 / 5e8)
    varies = build(pl.Elastic(tooth_stiffness=("8e8 N/m", "5e8 N/m"))).gear_pairs["mesh"].law
    even = build(pl.Elastic(tooth_stiffness=(8e8, 5e8), tooth_variation="constant")).gear_pairs["mesh"].law
    assert varies.mean_stiffness == pytest.approx(eps * k1, rel=1e-12)
    assert even.stiffness[0] == pytest.approx(eps * k1, rel=1e-12)
    (spring,) = varies.stiffness
    assert isinstance(spring, pl.Varying)
    low, high = spring.bounds
    assert (low, high) == pytest.approx((k1, 2 * k1), rel=1e-9)
    path = pair.path_of_contact
    start, end = ((x - path.pitch_point) / path.base_pitch for x in (path.start, path.end))
    middle = (
        2 * math.pi * (0.5 * (end - 1 + start + 1) - 0.25)
    )  # of the part with one pair, which is in the middle of the path
    assert spring(middle) == pytest.approx(low, rel=1e-9)
    assert spring(2 * math.pi * (start + 0.1 - 0.25)) == pytest.approx(high, rel=1e-9)
    given = build(pl.Elastic(tooth_stiffness=8e8, contact_ratio=2)).gear_pairs["mesh"].law
    assert given.mean_stiffness == pytest.approx(2 * 4e8, rel=1e-9)


def test_pairs_in_contact_of_helical_teeth() -> None:
    """Slices of a helical tooth: the mean is the same, and an overlap of one whole cycle leaves no variation."""
    for overlap in (0.0, 0.4, 1.0, 1.7):
        angles, count = pairs_in_contact(-0.7, 0.9, overlap)
        mean = float(np.sum(0.5 * (count[1:] + count[:-1]) * np.diff(angles)) / (2 * np.pi))
        assert mean == pytest.approx(1.6, abs=1e-4)
        if overlap == 1.0:
            assert np.ptp(count) < 1e-9


def test_friction_table() -> None:
    """The compiled table is that of Python, through its points, constant outside."""
    from pitchline.parts.friction.kernel import encode_friction_map, friction_at

    def mu(v: float, f: float) -> float:
        return 0.05 + 0.04 * math.exp(-v) * (1 + f / 4e3) ** -0.3

    table = pl.FrictionTable(np.linspace(0, 4, 15), np.linspace(0, 5e3, 9), mu)
    numbers = encode_friction_map(table.speeds, table.forces, table.hermite)
    for v, f in ((0.0, 0.0), (0.37, 820.0), (3.99, 4999.0), (9.0, 100.0), (1.0, 1e6)):
        assert friction_at(numbers, 0, v, f)[0] == pytest.approx(table(v, f), rel=1e-12)
    v, f = np.meshgrid(np.linspace(0, 4, 40), np.linspace(0, 5e3, 40))
    np.testing.assert_allclose(table(v, f), np.vectorize(mu)(v, f), atol=2e-4)
    assert table(9.0, 100.0) == pytest.approx(table(4.0, 100.0))


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: pl.Elastic(4e8, sliding="path of contact"), "needs friction"),
        (lambda: pl.Elastic(4e8, line_of_action="clockwise", separating=False), "separating force"),
        (lambda: pl.Elastic(4e8, line_of_action="left"), 'must be "automatic" or "clockwise"'),
        (lambda: pl.Elastic(4e8, line_of_action="clockwise", tilt=True), "omit line_of_action"),
        (lambda: pl.Elastic(4e8, backlash=-1e-6), "must not be negative"),
        (lambda: pl.Elastic(4e8, backlash=pl.Varying(lambda a: 1e-5 * math.cos(a))), "decreases to -1e-05 m"),
        (lambda: pl.Elastic(pl.Varying(pl.Ramp(1e8, 2e8, 0, 1), over="time")), "only error and backlash"),
        (lambda: pl.Elastic(4e8, damping=pl.Varying(pl.Ramp(1, 2, 0, 1), over="time")), "only error and backlash"),
        (lambda: pl.Elastic(4e8, damping=[]), "the list is empty"),
        (lambda: pl.Elastic(4e8, error=pl.Ramp(0, 1e-6, 0, 1)), 'over="time"'),
        (lambda: pl.Elastic(4e8, tooth_stiffness=1e8), "specify one of them"),
        (lambda: pl.Elastic(tooth_stiffness=(1e8, 1e8, 1e8)), "one number, or two"),
        (lambda: pl.Elastic(tooth_stiffness=1e8, contact_ratio=0.5), "between 1 and 20"),
        (lambda: pl.Elastic(contact_ratio=1.5), "needs tooth_stiffness"),
        (lambda: pl.Rigid(contact="area"), "contact must be"),
        (lambda: build(pl.Rigid(contact="line", backlash=1e-5)), "rigid line contact has no backlash"),
        (lambda: pl.FrictionTable([0, 1], [0], [[0.1, 0.1]]), "forces"),
        (lambda: pl.FrictionTable([0, 1], [0, 1], [[0.1, -0.1], [0, 0]]), "is -0.1 at 1 m/s and 0 N"),
        (lambda: pl.FrictionTable([0, 1], [0, 1], lambda v, f: 1 / f), "the function failed at 0 m/s and 0 N"),
        (lambda: pl.Varying(pl.Fourier("360 deg", 1.0, over="angle"), over="time"), "function of an angle"),
    ],
)
def test_refused(make: Any, message: str) -> None:
    with pytest.raises(pl.ModelError, match=message.replace("(", "\\(")):
        make()


def test_refused_for_axes_that_are_not_parallel() -> None:
    bevels = [
        pl.Gear(teeth=z, normal_module="4 mm", cone_angle=math.atan2(z, 65 - z), face_width="20 mm") for z in (25, 40)
    ]
    m = pl.Model("bevel")
    a = m.gear_body("a", bevels[0], position=(0, 0, 0), axis="z")
    b = m.gear_body("b", bevels[1], mesh_with=a)
    with pytest.raises(pl.ModelError, match="parallel axes"):
        m.gear_pair("mesh", a, b, mesh=pl.Rigid(friction=0.1, sliding="path of contact"))


def test_warnings() -> None:
    loose = build(pl.Elastic(4e8, backlash=1e-5, line_of_action="clockwise"))
    assert any("pulls the wheels together" in text for text in loose.gear_pairs["mesh"].warnings)
    dry = build(pl.Elastic(4e8, friction=0.1))
    assert any('sliding="path of contact"' in text for text in dry.gear_pairs["mesh"].warnings)


def test_files_keep_the_options(tmp_path: Any) -> None:
    """Written and read again: the same forces to the last bit."""
    over_a = pl.Varying(pl.Fourier("360 deg", "60 um", cos=["20 um"], over="angle"), over="revolution of a")
    over_b = pl.Varying(pl.Fourier("360 deg", 900, cos=[300], over="angle"), over="revolution of b")
    later = pl.Varying(pl.Ramp(0, "10 um", 0, "1 s"), over="time")
    table = pl.FrictionTable([0, 1], [0, 1e4], [[0.1, 0.05], [0.08, 0.05]])
    path: dict[str, Any] = {"sliding": "path of contact", "backlash": 0}
    meshes = (
        pl.Elastic(4e8, backlash=[over_a, later, "5 um"], damping=(over_b, 2e3), error=later),
        pl.Elastic(tooth_stiffness=(8e8, 5e8), contact_ratio=1.4, friction=table, line_of_action="clockwise", **path),
        pl.Rigid(contact="line", friction=0.1, sticks=True, line_of_action="counter-clockwise", **path),
    )
    for k, mesh in enumerate(meshes):
        m = build(mesh)
        m.to_toml(tmp_path / f"{k}.toml")
        runs = [pl.dynamics(one, duration="1 ms", step="10 us") for one in (m, pl.load(tmp_path / f"{k}.toml").model)]
        np.testing.assert_array_equal(runs[0]["mesh.normal_force"].values, runs[1]["mesh.normal_force"].values)
