"""Belt and chain drives against closed forms: frequencies, tensions, bearing loads, ratio, slip limit, polygon effect."""

import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from references.cam_rigs import turned

import pitchline as pl

RA, RB, D, JA, JB, EA, T0 = 0.05, 0.12, 0.4, 0.01, 0.05, 5e4, 300.0
BETA = math.asin((RA - RB) / D)
SPAN = D * math.cos(BETA)
LINE = np.array([0.6, 0.8, 0.0])


def drive(kind: str = "belt_drive", turn: np.ndarray | None = None, speed: float = 0.0, **given: Any) -> pl.Model:
    """Two wheels in hinges about z of `turn`. speed: of the second one [rad/s]."""
    turn = np.eye(3) if turn is None else turn
    m = pl.Model("drive")
    for name, inertia, place in (("a", JA, np.zeros(3)), ("b", JB, D * LINE)):
        spin = turn[:, 2] * speed * (name == "b")
        m.body(name, mass=1, inertia=(1, 1, inertia), position=turn @ place, orientation=turn, angular_velocity=spin)
        m.revolute(f"hinge {name}", m.ground, name, axis=turn[:, 2])
    usual = {"radius_a": RA, "radius_b": RB, "tensile_stiffness": "50 kN", "pretension": "300 N"}
    getattr(m, kind)("belt", "a", "b", **({**usual, **given} if kind == "belt_drive" else given))
    return m


def chain(**given: Any) -> pl.Model:
    usual = {"pitch": "12.7 mm", "teeth_a": 17, "teeth_b": 45, "tensile_stiffness": "1 MN"}
    return drive("chain_drive", **{**usual, **given})


def frequency(k: float, ra: float, rb: float) -> float:
    return math.sqrt(2 * k * (ra**2 / JA + rb**2 / JB)) / (2 * math.pi)


# ----------------------------------------------------------------------------------------------------------------- elasticity


def test_frequency_of_open_and_crossed_belts_and_of_a_chain() -> None:
    """Both strands act: k_theta = 2 (E A / span) r^2; tension has no effect for fixed axes."""
    assert pl.modes(drive(turn=turned((1, 2, 0), 0.7))).frequencies[-1] == pytest.approx(
        frequency(EA / SPAN, RA, RB), rel=1e-9
    )
    span = math.sqrt(D**2 - (RA + RB) ** 2)
    assert pl.modes(drive(crossed=True)).frequencies[-1] == pytest.approx(frequency(EA / span, RA, RB), rel=1e-9)
    ra, rb = (z * 12.7e-3 / (2 * math.pi) for z in (17, 45))
    span = math.sqrt(D**2 - (ra - rb) ** 2)
    assert pl.modes(chain(pretension=50)).frequencies[-1] == pytest.approx(frequency(1e6 / span, ra, rb), rel=1e-9)


def test_damping_ratio_of_a_belt() -> None:
    """c of a strand in parallel with its stiffness: zeta = c w / (2 k), less 2 % because damping fades out with tension."""
    found = pl.modes(drive(damping="20 N*s/m"))
    w = 2 * math.pi * found.frequencies[-1]
    share = T0 / (T0 + 0.02 * T0)
    assert found.damping_ratios[-1] == pytest.approx(20 * share * w * SPAN / (2 * EA), rel=1e-9)


@pytest.mark.parametrize("crossed", [False, True])
@pytest.mark.parametrize("torque", [10.0, -10.0])
def test_tensions_and_bearing_loads(crossed: bool, torque: float) -> None:
    """T1 - T2 = torque / r, T1 + T2 = 2 T0; the bearing takes both tensions along their strands."""
    turn = turned((1, -1, 2), 1.1)
    m = drive(turn=turn, crossed=crossed)
    m.drive("brake", "hinge b", angle=0)
    m.torque("motor", "hinge a", torque)
    rest = pl.statics(m)
    T1, T2 = (rest[f"belt.tension_{k}"].values[-1] for k in (1, 2))
    assert pytest.approx((torque / RA, 2 * T0), rel=1e-9) == (T1 - T2, T1 + T2)
    beta = math.asin((RA + (RB if crossed else -RB)) / D)
    left = np.cross([0, 0, 1], LINE)
    # strand 1 leaves wheel A on the left of the line of centres; crossed strands lean to the other side
    strands = [math.cos(beta) * LINE - s * math.sin(beta) * left for s in (1, -1)]
    force = -(turn @ (T1 * strands[0] + T2 * strands[1]))
    assert rest["belt.force"].values[-1] == pytest.approx(force, rel=1e-9, abs=1e-6)
    assert rest["hinge b.force"].values[-1] == pytest.approx(-force, rel=1e-9, abs=1e-6)
    arm = RB * (-1 if crossed else 1)
    assert rest["brake.torque"].values[-1] == pytest.approx(-(T1 - T2) * arm, rel=1e-9)


def test_tension_follows_the_centre_distance() -> None:
    """A spring tensions the belt: both strands carry 2 T cos(beta) = spring force."""
    m = pl.Model("tensioner")
    m.body("a", mass=1, inertia=(1, 1, 0.1))
    m.body("slide", mass=1, inertia=(1, 1, 1), position=(D, 0, 0))
    m.body("b", mass=1, inertia=(1, 1, 0.1), position=(D, 0, 0))
    m.revolute("hinge a", m.ground, "a", axis="z")
    m.prismatic("guide", m.ground, "slide", axis="x")
    m.revolute("hinge b", "slide", "b", axis="z")
    m.force("pull", "slide", ("500 N", 0, 0))
    m.belt_drive("belt", "a", "b", radius_a=RA, radius_b=RB, tensile_stiffness=EA, pretension=0.0)
    m.drive("held", "hinge a", angle=0)
    rest = pl.statics(m)
    moved = rest["guide.displacement"].values[-1]
    beta = math.asin((RB - RA) / (D + moved))
    T = [rest[f"belt.tension_{k}"].values[-1] for k in (1, 2)]
    assert pytest.approx([250 / math.cos(beta)] * 2, rel=1e-9) == T
    assert moved == pytest.approx(T[0] * SPAN / EA / math.cos(BETA), rel=1e-2)
    assert rest["hinge b.angle"].values[-1] == pytest.approx(0.0, abs=1e-9)


def test_belt_of_a_turning_arm() -> None:
    """The arm turns by phi with wheel A held: an open belt with equal wheels keeps the direction of wheel B."""
    for crossed, expected in ((False, 0.0), (True, 2.0)):
        m = pl.Model("arm")
        m.body("arm", mass=1, inertia=(1, 1, 1))
        m.body("b", mass=1, inertia=(1, 1, 0.1), position=(D, 0, 0))
        m.revolute("column", m.ground, "arm", axis="z")
        m.revolute("hinge b", "arm", "b", axis="z")
        m.belt_drive(
            "belt", m.ground, "b", radius_a=RA, radius_b=RA, tensile_stiffness=EA, pretension=T0, crossed=crossed
        )
        m.drive("turn", "column", angle="100 deg")
        rest = pl.statics(m)
        absolute = rest["column.angle"].values[-1] + rest["hinge b.angle"].values[-1]
        assert absolute == pytest.approx(expected * math.radians(100), abs=1e-9)


# ----------------------------------------------------------------------------------------------------------------------- motion


def test_ratio_and_energy_of_a_run() -> None:
    m = drive(damping="50 N*s/m")
    m.dc_motor("motor", "hinge a", voltage=12, resistance=0.5, constant=0.1)
    run = pl.dynamics(m, duration=1.0, step=2e-4)
    a, b = (run[f"hinge {name}.angle"].values[-1] for name in "ab")
    slack = (run["belt.tension_1"].values[-1] - T0) * SPAN / EA
    assert b * RB == pytest.approx(a * RA - slack, rel=1e-6) and a > 30
    assert abs(run["energy.balance_error"].values[-1]) < 1e-4 * run["energy.work"].values[-1]


def test_a_run_continues_after_many_revolutions() -> None:
    for friction in (None, 0.4):
        m = drive(damping="50 N*s/m", friction=friction)
        m.drive("motor", "hinge a", speed="40 rad/s")
        m.torque("load", "hinge b", -10)
        first = pl.dynamics(m, duration=1.0, step=5e-4)
        second = pl.dynamics(m, duration=0.1, step=5e-4, start=first)
        for name in ("tension_1", "tension_2", "angle_a", "angle_b"):
            assert second[f"belt.{name}"].values[0] == pytest.approx(first[f"belt.{name}"].values[-1], rel=1e-9)
        assert second["belt.angle_a"].values[-1] == pytest.approx(44.0, rel=1e-9)
        if friction:
            assert second["belt.slip"].values[0] == pytest.approx(first["belt.slip"].values[-1], rel=1e-12)
            rest = pl.statics(m, start=second)
            assert rest["belt.slip"].values[-1] == pytest.approx(second["belt.slip"].values[-1], rel=1e-12)


def test_slip_limit_of_euler_and_eytelwein() -> None:
    """With too much load T1/T2 = exp(mu alpha), alpha the wrap angle of the small pulley."""
    mu = 0.3
    m = drive(friction=mu, damping="20 N*s/m")
    m.drive("motor", "hinge a", speed="20 rad/s")
    m.drive("load", "hinge b", speed="4 rad/s")
    run = pl.dynamics(m, duration=0.2, step=2e-4)
    T1, T2 = (run[f"belt.tension_{k}"].values[-1] for k in (1, 2))
    assert pytest.approx(math.exp(mu * (math.pi - 2 * abs(BETA))), rel=1e-5) == T1 / T2
    assert run["belt.slip_speed"].values[-1] == pytest.approx(20 * RA - 4 * RB, rel=1e-4)
    assert run["belt.friction_use"].values[-1] == pytest.approx(1.0, rel=1e-5)
    assert abs(run["energy.balance_error"].values[-1]) < 1e-3 * run["energy.work"].values[-1]


SLIPPING = [
    *(
        ({"step": h}, c, e)
        for h, c, e in ((1e-3, 50.0, 3e-3), (1e-3, 200.0, 1e-3), (1e-4, 0.0, 6e-4), (1e-4, 50.0, 3e-4))
    ),
    ({"tolerance": 1e-6, "output_step": 1e-2}, 50.0, 2e-4),
    ({"tolerance": 1e-6, "output_step": 1e-2}, 0.0, 2e-4),
]


@pytest.mark.parametrize(("options", "damping", "error"), SLIPPING)
def test_energy_while_a_belt_slips(options: dict[str, float], damping: float, error: float) -> None:
    """Pulley B turns at 10 rad/s, A is at rest: the belt slips until both have one speed. The impulse of the belt conserves
    J_A w_A/r_A + J_B w_B/r_B, whatever the step and the damping; the rest of the energy is dissipated, and none is supplied."""
    run = pl.dynamics(drive(friction=0.1, damping=damping, speed=10.0), duration=0.3, **options)
    common = (JB * 10.0 / RB) / (JA / RA**2 + JB / RB**2)  # speed of the belt at the end
    kept = 0.5 * common**2 * (JA / RA**2 + JB / RB**2)
    assert run["energy.kinetic"].values[-20:].mean() == pytest.approx(kept, rel=5e-3)
    lost = 2.5 - kept
    assert run["energy.dissipated"].final == pytest.approx(lost, rel=2e-2)
    assert np.min(np.diff(run["energy.dissipated"].values)) > -1e-4
    assert np.abs(run["energy.balance_error"].values).max() < error


def test_creep_below_the_limit() -> None:
    """y' = v0 artanh(F/F_max)."""
    m = drive(friction=0.3, creep_speed="2 mm/s", damping="20 N*s/m")
    m.drive("motor", "hinge a", speed="20 rad/s")
    m.torque("load", "hinge b", -20)
    run = pl.dynamics(m, duration=2.0, step=5e-4)
    limit = 2 * T0 * math.tanh(0.15 * (math.pi - 2 * abs(BETA)))
    creep = 2e-3 * math.atanh(20 / RB / limit)
    assert run["belt.slip_speed"].values[-1] == pytest.approx(creep, rel=1e-5)
    assert run["hinge b.angular_speed"].values[-1] == pytest.approx((20 * RA - creep) / RB, rel=1e-5)


def test_statics_of_a_belt_with_friction_carries_load() -> None:
    m = drive(friction=0.5)
    m.drive("brake", "hinge b", angle=0)
    m.torque("motor", "hinge a", 5)
    rest = pl.statics(m)
    assert rest["belt.transmitted_force"].values[-1] == pytest.approx(5 / RA, rel=1e-9)
    assert rest["belt.slip"].values[-1] == 0.0 and not rest.warnings


def test_statics_and_kinematics_warn_of_a_belt_that_would_slip() -> None:
    m = drive(friction=0.2)
    m.torque("load", "hinge b", -50)
    m.drive("motor", "hinge a", speed="1 rad/s")
    use = 50 / RB / (2 * T0 * math.tanh(0.1 * (math.pi - 2 * abs(BETA))))
    for found in (pl.statics(m), pl.kinematics(m, duration=0.1, step=0.05)):
        (text,) = (w for w in found.warnings if "belt" in w)
        assert (
            f'belt drive "belt": the transmitted force is {use:.3g} times its limit by friction. A real belt slips'
            in text
        )


# ---------------------------------------------------------------------------------------------------------------------- chains


def test_a_slack_strand_does_not_push() -> None:
    m = chain(slack="2 mm", damping="200 N*s/m")
    m.drive("brake", "hinge b", angle=0)
    m.torque("motor", "hinge a", 10)
    rest = pl.statics(m)
    radius = 17 * 12.7e-3 / (2 * math.pi)
    assert rest["belt.tension_1"].values[-1] == pytest.approx(10 / radius, rel=1e-9)
    assert rest["belt.tension_2"].values[-1] == 0.0
    back = chain(slack="2 mm")
    back.drive("brake", "hinge b", angle=0)
    back.torque("motor", "hinge a", -10)
    assert pl.statics(back)["belt.tension_2"].values[-1] == pytest.approx(10 / radius, rel=1e-9)


def test_polygon_effect() -> None:
    """Constant speed of a sprocket: the chain speed varies by 1 - cos(pi/z), with the tooth frequency; the mean ratio is exact."""
    z_a, z_b = 9, 60
    m = chain(
        teeth_a=z_a,
        teeth_b=z_b,
        polygon=True,
        pretension=2000,
        damping="2000 N*s/m",
        tensile_stiffness="20 MN",
        pitch="10 mm",
    )
    m.drive("motor", "hinge a", speed="10 rad/s")
    run = pl.dynamics(m, duration=4 * math.pi / 10, step=2e-4)
    half = len(run.time) // 2
    b = run["hinge b.angular_speed"].values[half:]
    angle = run["hinge b.angle"].values
    assert angle[-1] - angle[half] == pytest.approx(2 * math.pi * z_a / z_b, rel=1e-3)
    R_a, R_b = (0.01 / (2 * math.sin(math.pi / z)) for z in (z_a, z_b))
    swing = (b.max() - b.min()) * R_b / (10 * R_a)
    assert swing == pytest.approx(1 - math.cos(math.pi / z_a), rel=0.2)
    spectrum = np.abs(np.fft.rfft(b - b.mean()))
    assert int(np.argmax(spectrum)) == z_a


def test_feed_of_a_sprocket() -> None:
    from pitchline.parts.belts import kernel as belt_geometry

    feed = belt_geometry.feed.py_func  # compiled functions of the engine cannot be called from Python

    R, z = 0.1, 8
    angles = np.linspace(-3.0, 9.0, 400)
    made = np.array([feed(R, z, 0.2, x) for x in angles])
    assert feed(R, z, 0.2, 2 * math.pi)[0] == pytest.approx(z * 2 * R * math.sin(math.pi / z), rel=1e-12)
    np.testing.assert_allclose(np.gradient(made[:, 0], angles)[1:-1], made[1:-1, 1], rtol=2e-2)
    assert made[:, 1].min() >= R * math.cos(math.pi / z) - 1e-12 and feed(R, z, 0.2, 0.0)[0] == 0.0


# ------------------------------------------------------------------------------------------------------------- files, messages


def test_a_file_has_the_same_belt(tmp_path: Path) -> None:
    m = drive(friction=0.4, crossed=True)
    path = tmp_path / "drive.toml"
    path.write_text(m.to_toml(), encoding="utf-8")
    again = pl.load(path).model
    assert again.to_toml() == m.to_toml()
    assert pl.modes(again).frequencies == pytest.approx(pl.modes(m).frequencies, rel=1e-12, abs=1e-6)


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"radius_b": 0.36}, "400 mm apart, but the pulleys need more than 410 mm"),
        ({"radius_a": 0}, "radius_a must be positive"),
        ({"friction": 0}, "friction must be positive"),
        ({"friction": 0.3, "pretension": 0}, "a belt without pretension transmits nothing"),
        ({"axis": "x"}, "does not rotate about z of that frame"),
        ({"at_b": (0.24, 0.32, 0.05)}, "offset by 50 mm along their axes"),
        ({"tensile_stiffness": "50 kN/m"}, "expected force"),
    ],
)
def test_wrong_belts_are_refused(given: dict[str, Any], message: str) -> None:
    with pytest.raises(pl.ModelError, match=message):
        drive(**given)


def test_antiparallel_axes_and_wrong_chains_are_refused() -> None:
    m = drive()
    a, b = m.bodies["a"], m.bodies["b"]
    with pytest.raises(pl.ModelError, match=r"180 deg in the initial pose; the axes must be parallel"):
        m.belt_drive(
            "x",
            a.frame(),
            b.frame(rotation=turned((1, 0, 0), math.pi)),
            radius_a=RA,
            radius_b=RB,
            tensile_stiffness=1,
            pretension=1,
        )
    with pytest.raises(pl.ModelError, match="pretension or slack, not both"):
        chain(pretension=1, slack=1e-3)
    with pytest.raises(pl.ModelError, match="must not be less than 6"):
        chain(teeth_a=4)


def test_in_absolute_coordinates_with_redundant_joints() -> None:
    """A belt and a guided cam on bodies in absolute coordinates, every joint twice: the same motion as with single joints."""
    found = []
    for twice in (False, True):
        m = pl.Model("belt and cam")
        m.body("a", mass="1 kg", inertia=(0.01, 0.01, 0.01))
        m.body("b", mass="4 kg", inertia=(0.05, 0.05, 0.05), position=("400 mm", 0, 0))
        m.body("follower", mass="0.5 kg", inertia=(1e-4, 1e-4, 1e-4), position=("400 mm", "38 mm", 0))
        for name in ("", " again") if twice else ("",):
            m.revolute(f"shaft a{name}", m.ground, "a", axis="z")
            m.revolute(f"shaft b{name}", m.ground, "b", axis="z")
            m.prismatic(f"guide{name}", m.ground, "follower", axis="y")
        m.belt_drive(
            "belt",
            "a",
            "b",
            radius_a="50 mm",
            radius_b="100 mm",
            tensile_stiffness="50 kN",
            pretension="200 N",
            damping=50,
        )
        lift = [("cycloidal", "180 deg", "12 mm"), ("cycloidal", "180 deg", 0)]
        profile = pl.CamProfile.from_lift(lift, base_radius="30 mm")
        m.cam("cam", "b", "follower", profile, roller_radius="8 mm", bilateral=True)
        m.torque("motor", "shaft a", 5.0)
        run = pl.dynamics(m, duration="0.2 s", step="0.5 ms", reduce=not twice)
        assert np.abs(run["energy.balance_error"]).max() < 1e-3 * run["energy.kinetic"].max()
        found.append([run["shaft b.angle"].values, run["guide.displacement"].values])
    np.testing.assert_allclose(found[1], found[0], atol=1e-7)
    assert found[0][0][-1] > 0.3
