"""Rolling gear joints against published and closed-form cases, each built with `gear_pair(..., mesh=Rolling(...))`.

Rows of the constraint: Vlasenko, Kasper: Gear joints in absolute coordinates, equations (28), (36), (41), with their misprints
corrected: material velocities of both bodies agree along the common tangent s at the pitch point P,

    G v = s . (v_i + omega_i x (P - x_i)) - s . (v_j + omega_j x (P - x_j)),

which vanishes for any motion of a carrier with both axes, plus the spins of the wheels in their ratio.

Dynamics: Modelica Standard Library 4.0.0, reference results of Dymola (modelica/MAP-LIB_ReferenceResults, branch v4.0.0).
Wrist: Freudenstein, Longman, Chen: Kinematic analysis of robotic bevel-gear trains, 1984 (fundamental circuits).
"""

from dataclasses import dataclass
from fractions import Fraction

import numpy as np
import pytest
from references import gear_constraint as msl
from references.observed_order import richardson
from references.rolling import constraint, constraint_row, mesh_probe

import pitchline as pl

# ------------------------------------------------------------------------------------------------- rows at one pose

AXIS = (-0.5069035854854222, -0.5049053449151253, 0.6986553855071624)
C_I, X_I = (0.3, -0.2, 0.6), (0.33689137363309596, -0.15372973849346142, 0.6172652672026773)
S = (-0.558113563016796, 0.8099210893199025, 0.18038037546130012)


@dataclass(frozen=True)
class Row:
    """Two wheels somewhere in space: axes, centres, origins of their bodies, pitch point; the row and the ratio of spins."""

    mesh: pl.Rolling
    axis_j: tuple[float, ...]
    C_j: tuple[float, ...]
    x_j: tuple[float, ...]
    P: tuple[float, ...]
    row: tuple[float, ...]
    speed_ratio: float
    C_i: tuple[float, ...] = C_I
    x_i: tuple[float, ...] = X_I


ROWS = {
    "PFAFF-SPUR": Row(
        mesh=pl.Rolling(ratio=2 / 3),
        axis_j=AXIS,
        C_j=(0.431386149315477, -0.14030128250925283, 0.7384692850346645),
        x_j=(0.36911356869308826, -0.17443613580911077, 0.7544985549127743),
        P=(0.37883168958928615, -0.16418076950555172, 0.6830815710207987),
        row=(
            *S, -0.055191173381301105, -0.04429818176767085, 0.028135484230301697,
            *(-x for x in S), -0.059691988214059945, -0.03810582904382915, -0.013594570090112836,
        ),
        speed_ratio=-1.5,
    ),
    "PFAFF-INTERNAL": Row(
        mesh=pl.Rolling(ratio=7 / 20, internal=True),
        axis_j=AXIS,
        C_j=(0.38540099705506004, -0.16119583363101433, 0.6900050352725319),
        x_j=(0.3231284164326713, -0.19533068693087227, 0.7060343051506417),
        P=(0.431386149315477, -0.14030128250925283, 0.7384692850346645),
        row=(
            *S, -0.09574346022013487, -0.08469060936088088, 0.08402791507087473,
            *(-x for x in S), 0.016343549608753408, 0.03762997269343968, -0.11839287791618724,
        ),
        speed_ratio=2.857142857142857,
    ),
    "PFAFF-BEVEL": Row(
        mesh=pl.Rolling(ratio=3 / 5),
        axis_j=(-0.6978264336874337, 0.5883890726190295, 0.4084563228419854),
        C_i=(0.24918408661633348, -0.2506155943828792, 0.6700385883460773),
        x_i=(0.2860754602494295, -0.20434533287634063, 0.6873038555487546),
        C_j=(0.21049957898958785, -0.12453557621906204, 0.6523869705903071),
        x_j=(0.14822699836719916, -0.15867042951891996, 0.668416240468417),
        P=(0.1933727303146539, -0.16962348545088896, 0.6880766258922073),
        row=(
            -0.6569307465773848, -0.29849358745373583, -0.6923464251733223,
            -0.023808879948329944, -0.06469006027280705, 0.050481019576733996,
            0.6569307465773848, 0.29849358745373583, 0.6923464251733223,
            -0.013451808095092499, -0.018340974451203626, 0.02067111069791274,
        ),
        speed_ratio=-1.6666666666666665,
    ),
}  # fmt: skip


def placed(m: pl.Model, name: str, origin: object, centre: object, turn: float, **axes: np.ndarray) -> object:
    """A frame at a wheel's centre, on a body whose origin and axes are elsewhere; `axes` of the frame in the world."""
    body = m.body(name, mass=1.0, inertia=(1, 1, 1), position=origin, orientation=pl.Rotation((1, 2, 3), turn))
    if "axis" in axes:
        return body.frame(position=body.to_body(np.array(centre)), axis=body.orientation.T @ axes["axis"])
    return body.frame(position=body.to_body(np.array(centre)), rotation=body.orientation.T @ axes["rotation"])


def two_wheels(case: Row, sign_i: float = 1.0, sign_j: float = 1.0) -> pl.Model:
    m = pl.Model("row")
    i = placed(m, "i", case.x_i, case.C_i, 0.4, axis=sign_i * np.array(AXIS))
    j = placed(m, "j", case.x_j, case.C_j, -0.9, axis=sign_j * np.array(case.axis_j))
    m.gear_pair("mesh", i, j, mesh=case.mesh)
    return m


def up_to_a_factor(row: np.ndarray, expected: np.ndarray) -> np.ndarray:
    return row * (expected @ row) / (row @ row)


@pytest.mark.parametrize("signs", [(1, 1), (1, -1), (-1, 1), (-1, -1)], ids=["++", "+-", "-+", "--"])
@pytest.mark.parametrize("name", ROWS)
def test_rows_of_wheels(name: str, signs: tuple[int, int]) -> None:
    """Whichever way the axes are given; of length 1 in the velocities, so that the multiplier is the force."""
    case = ROWS[name]
    probe = mesh_probe(two_wheels(case, *signs), "mesh")
    row, expected = constraint_row(probe), np.array(case.row)
    assert abs(constraint(probe)) < 1e-15
    np.testing.assert_allclose(up_to_a_factor(row, expected), expected, rtol=1e-9, atol=0)
    assert np.linalg.norm(row[:3]) == pytest.approx(1.0, rel=1e-12)


def motion(case: Row, velocity: np.ndarray, omega: np.ndarray, spin_i: float, spin_j: float) -> np.ndarray:
    """(12,): a carrier's velocity at the world's origin and angular velocity, and spins of the wheels relative to it."""
    parts = []
    for x, C, axis, spin in ((case.x_i, case.C_i, AXIS, spin_i), (case.x_j, case.C_j, case.axis_j, spin_j)):
        own = spin * np.array(axis)
        parts += [velocity + np.cross(omega, x) + np.cross(own, np.subtract(x, C)), omega + own]
    return np.concatenate(parts)


@pytest.mark.parametrize("name", ROWS)
def test_carrier_and_rolling_motions_are_free(name: str) -> None:
    case = ROWS[name]
    row, rng, zero = constraint_row(mesh_probe(two_wheels(case), "mesh")), np.random.default_rng(1), np.zeros(3)
    by_i, by_j = (float(row @ motion(case, zero, zero, *spins)) for spins in ((1.0, 0.0), (0.0, 1.0)))
    assert -by_i / by_j == pytest.approx(case.speed_ratio, rel=1e-12)
    for _ in range(20):
        spin = rng.normal()
        assert abs(row @ motion(case, *rng.normal(size=(2, 3)), spin, case.speed_ratio * spin)) < 1e-12
    slip = motion(case, *rng.normal(size=(2, 3)), 1.0, 1.01 * case.speed_ratio)
    assert abs(row @ slip) == pytest.approx(0.01 * abs(by_i), rel=1e-9)


RACK_R, RACK_P = 0.09, (0.24087623280803536, -0.22686442287083625, 0.537688821734401)
RACK_X_J = (0.5224763651457698, -0.22173835339077702, 0.8315852131362964)
RACK_ROW = (
    *S, 0.05125857957063756, 0.061731940664505464, -0.11858214672620239,
    *(-x for x in S), -0.23710824313395773, -0.21482269976412302, 0.23093481483739406,
)  # fmt: skip


@pytest.mark.parametrize("axis_sign", [1.0, -1.0])
@pytest.mark.parametrize("travel_sign", [1.0, -1.0])
def test_row_of_a_rack(axis_sign: float, travel_sign: float) -> None:
    """PFAFF-RACK: pinion i, rack j along s; the rack's frame may stand anywhere along and beside its pitch line."""
    m = pl.Model("rack")
    pinion = placed(m, "i", X_I, C_I, 0.4, axis=axis_sign * np.array(AXIS))
    towards = np.subtract(C_I, RACK_P) / RACK_R
    travel = travel_sign * np.array(S)
    somewhere = np.array(RACK_P) + 0.7 * travel - 0.02 * towards + 0.03 * np.array(AXIS)
    R = np.column_stack([towards, travel, np.cross(towards, travel)])
    rack = placed(m, "j", RACK_X_J, somewhere, -0.9, rotation=R)
    m.gear_pair("mesh", pinion, rack, mesh=pl.Rolling(radius=RACK_R))
    probe = mesh_probe(m, "mesh")
    expected = np.array(RACK_ROW)
    assert abs(constraint(probe)) < 1e-15
    np.testing.assert_allclose(up_to_a_factor(constraint_row(probe), expected), expected, rtol=1e-9, atol=0)


# ------------------------------------------------------------------------------------- coaxial wheels, ratio 10, 5, 2.5


def wheel(m: pl.Model, name: str, J: float, x: float) -> None:
    m.body(name, mass=1.0, inertia=(J, J, J), position=(x, 0, 0))
    m.revolute(f"axle {name}", m.ground, name, axis="z")


def ring(ratio: object, J_a: float, J_b: float) -> pl.Model:
    """a inside the ring b: one pair, both turn the same way."""
    m = pl.Model("ring")
    wheel(m, "a", J_a, 0.1)
    wheel(m, "b", J_b, 0.0)
    m.gear_pair("mesh", "a", "b", mesh=pl.Rolling(ratio=ratio, internal=True))
    return m


def layshaft(ratio: object, J_a: float, J_b: float) -> pl.Model:
    """Coaxial wheels and a shaft beside them, r_a : r_shaft = 2 : 5, which is slower by 2.5; its inertia is taken from a."""
    m = pl.Model("layshaft")
    J = 0.2 * J_a
    wheel(m, "a", J_a - J / 2.5**2, 0.0)
    wheel(m, "b", J_b, 0.0)
    wheel(m, "shaft", J, 0.3)
    m.gear_pair("first", "a", "shaft", mesh=pl.Rolling(ratio=5 / 2))
    m.gear_pair("second", "shaft", "b", mesh=pl.Rolling(ratio=Fraction(ratio) * 2 / 5))
    return m


BUILT = {"ring": ring, "layshaft": layshaft}
built = pytest.mark.parametrize("build", BUILT.values(), ids=BUILT)
reduced = pytest.mark.parametrize("reduce", [True, False], ids=["reduced", "in space"])


def limit(m: pl.Model, torque: pl.Function, step: float, reduce: bool) -> np.ndarray:
    """(21, 4): angles and speeds of b and a every 0.25 s, for step zero."""
    m.torque("motor", "axle a", torque)

    def run(h: float) -> np.ndarray:
        r = pl.dynamics(m, duration=5.0, step=h, output_step=0.25, newton_tolerance=1e-10, reduce=reduce)
        return np.stack([r[f"axle {w}.{q}"].values for w in "ba" for q in ("angle", "angular_speed")], axis=1)

    return richardson(run, step)


@reduced
@built
def test_msl_gear_constraint(build, reduce: bool) -> None:
    """A harmonic torque, see `references.gear_constraint`; extrapolated with W h = pi/250, what is left is O((W h)^4)."""
    m = build(10, msl.J1, msl.J2)
    found = limit(m, pl.Harmonic(msl.TORQUE, msl.FREQUENCY), 2e-3, reduce)
    for t, angle in msl.ANGLE_B.items():
        assert found[round(4 * t), 0] == pytest.approx(angle, rel=1e-8)
    for t, speed in msl.SPEED_B.items():
        assert found[round(4 * t), 1] == pytest.approx(speed, abs=1e-8)
    np.testing.assert_allclose(10 * found[:, 0], found[:, 2], rtol=0, atol=1e-12)


RAMP_J = (0.6123160431387356, 1.224632086277471)
RAMP = {
    "5": {1.0: 2.5202832652117153, 2.0: 20.162266121693722, 5.0: 246.9877599907481},
    "5/2": {1.0: 4.124099888528262, 2.0: 32.992799108226095, 5.0: 404.16178907576966},
}


@reduced
@built
@pytest.mark.parametrize("ratio", RAMP)
def test_msl_gear_constraint_2(ratio: str, build, reduce: bool) -> None:
    """A torque 50 t N m up to 2 s, then 100 N m: ratio phi_b = int int T/(J_a + J_b/ratio^2), cubic, then parabolic."""
    m = build(Fraction(ratio), *RAMP_J)
    found = limit(m, pl.Ramp(0, 100, 0, 2, smooth=False), 2.5e-3, reduce)
    for t, angle in RAMP[ratio].items():
        assert found[round(4 * t), 0] == pytest.approx(angle, rel=1e-7)
    np.testing.assert_allclose(float(Fraction(ratio)) * found[:, 0], found[:, 2], rtol=0, atol=1e-11)


# ---------------------------------------------------------------------------------------------------------- the wrist

WRIST = [
    ((1.0, 2.0, 3.0), ("1", "1", "1"), (1.0, 3.0, 6.0)),
    ((0.5, -1.0, 2.0), ("3/2", "6/5", "4/5"), (0.5, -1.0, 1.22)),
]


def wrist(rates: tuple[float, ...], ratios: tuple[str, ...], swing: float) -> pl.Model:
    """Roll-pitch-roll wrist: three concentric shafts along z in a forearm that swings, all bevel axes through one apex.

    Shaft 4 carries axis 5 (y), on which link 5 and an idler turn; link 5 carries axis 6, at first along z. A wheel on a shaft
    at (0, 0, -c) and one on axis 5 at (0, d, 0) touch at (0, d, -c): (w_shaft - w_4) d = c w, positive. The idler drives the
    tool from (0, -d, 0) to (0, 0, c), positive too.
    """
    i5, i6a, i6b = (Fraction(x) for x in ratios)
    m = pl.Model("wrist")
    for name in ("forearm", "shaft4", "shaft5", "shaft6", "link5", "idler", "tool"):
        m.body(name, mass=1.0, inertia=(0.01, 0.01, 0.01))
    m.drive("swing", m.revolute("shoulder", m.ground, "forearm", at=(0, 0, -1), axis=(1, 2, 0)), speed=swing)
    hinges = {name: m.revolute(name[-1], "forearm", name, axis="z") for name in ("shaft4", "shaft5", "shaft6")}
    pitch = m.revolute("pitch", "shaft4", "link5", axis="y")
    m.revolute("idling", "shaft4", "idler", axis="y")
    roll = m.revolute("roll", "link5", "tool", axis="z")

    def at(body: str, y: float, z: float) -> object:
        return m.bodies[body].frame(position=(0, y, z), axis=(0, y, z))

    for name, a, b, ratio, d in (("5", "shaft5", "link5", i5, 0.06), ("6a", "shaft6", "idler", i6a, 0.05)):
        m.gear_pair(f"gear {name}", at(a, 0, -d * ratio), at(b, d, 0), mesh=pl.Rolling(ratio=ratio))
    m.gear_pair("gear 6b", at("idler", -0.04 * i6b, 0), at("tool", 0, 0.04), mesh=pl.Rolling(ratio=i6b))
    for joint, rate in zip((hinges["shaft4"], pitch, roll), rates, strict=True):
        m.drive(f"drive {joint.name}", joint, speed=rate)
    return m


@pytest.mark.parametrize("swing", [0.0, 0.7])
@pytest.mark.parametrize("rates, ratios, shafts", WRIST)
def test_wrist(rates, ratios, shafts, swing: float) -> None:
    """WRIST-BEVEL: (w_5 - q4') = i5 q5', (w_6 - q4') = i6a w_idler, (w_idler - q5') = i6b q6', through more than a turn."""
    run = pl.kinematics(wrist(rates, ratios, swing), duration=5.0, step=0.1)
    for name, expected in zip("456", shafts, strict=True):
        np.testing.assert_allclose(run[f"{name}.angular_speed"].values, expected, rtol=1e-12)
        np.testing.assert_allclose(run[f"{name}.angle"].values, expected * run.time, rtol=0, atol=1e-12)
