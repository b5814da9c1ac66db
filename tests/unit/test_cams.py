"""Cams: motion laws, curves of followers, outlines, what is refused, and model files."""

import math
from pathlib import Path

import numpy as np
import pytest

import pitchline as pl
from pitchline.engine.elements.contract import RESIDUAL
from pitchline.engine.elements.random_declared import ProbedElement, call, random_declared
from pitchline.files import check, read
from pitchline.parts.cams.law import MOTION_LAWS, ClosedCurve
from pitchline.parts.cams.part import GroovedCam

TURN = np.linspace(0.0, 2.0 * math.pi, 2001)
H = 0.012


def segments(law: str = "cycloidal", lift: object = H) -> list[tuple[object, ...]]:
    return [(law, "90 deg", lift), ("dwell", "60 deg"), (law, "120 deg", 0), ("dwell", "90 deg")]


def peak(width: float, base: float, lift: float = H) -> pl.CamProfile:
    """Up and down at once."""
    ways = [("harmonic", f"{width} deg", lift), ("harmonic", f"{width} deg", 0), ("dwell", f"{360 - 2 * width} deg")]
    return pl.CamProfile.from_lift(ways, base_radius=base)


def cycloidal(angle: np.ndarray) -> np.ndarray:
    """Part of the lift, in closed form."""
    rise, dwell, fall = np.radians([90.0, 60.0, 120.0])
    u, v = np.clip(angle / rise, 0, 1), np.clip((angle - rise - dwell) / fall, 0, 1)
    return u - np.sin(2 * np.pi * u) / (2 * np.pi) - v + np.sin(2 * np.pi * v) / (2 * np.pi)


PEAKS = {  # velocity and acceleration of a lift of 1 over an angle of 1: Norton; VDI 2143
    "linear": (1.0, 0.0), "parabolic": (2.0, 4.0), "harmonic": (1.5708, 4.9348), "cycloidal": (2.0, 6.2832),
    "modified_sine": (1.7596, 5.5280), "modified_trapezoid": (2.0, 4.8881), "polynomial_345": (1.875, 5.7735),
    "polynomial_4567": (2.1875, 7.5132),
}  # fmt: skip


@pytest.mark.parametrize("name", MOTION_LAWS)
def test_laws_have_the_published_peaks_and_their_derivatives(name: str) -> None:
    x = np.linspace(0.0, 1.0, 40001)
    s, v, a = MOTION_LAWS[name].motion(x, x)
    assert (s[0], s[-1]) == pytest.approx((0.0, 1.0), abs=1e-15)
    assert (v.max(), np.abs(a).max()) == pytest.approx(PEAKS[name], abs=6e-5)
    middle = 0.5 * (x[1:] + x[:-1])
    np.testing.assert_allclose(np.diff(s) / np.diff(x), MOTION_LAWS[name].motion(middle, middle)[1], atol=1e-8)
    np.testing.assert_allclose(np.diff(v) / np.diff(x), MOTION_LAWS[name].motion(middle, middle)[2], atol=1e-7)


def test_the_lift_and_its_derivatives_are_those_of_the_law() -> None:
    profile = pl.CamProfile.from_lift(segments(), base_radius="30 mm")
    np.testing.assert_allclose(profile.lift(TURN), H * cycloidal(TURN), atol=1e-10 * H)
    second = H * 2 * np.pi / math.radians(90) ** 2 * np.sin(2 * np.pi * TURN / math.radians(90))
    rise = slice(0, 500)
    np.testing.assert_allclose(profile.lift(TURN, 2)[rise], second[rise], atol=1e-6 * second.max())
    rho = profile.pitch_curve("8 mm")
    np.testing.assert_allclose(rho(-TURN), 0.038 + H * cycloidal(TURN), atol=1e-10 * H)
    assert rho(np.array([0.3 + 2000 * math.pi])) == pytest.approx(rho(np.array([0.3])), abs=1e-13)


@pytest.mark.parametrize("offset", ["8 mm", "-12 mm"])
def test_pitch_curve_of_an_offset_follower(offset: str) -> None:
    profile = pl.CamProfile.from_lift(segments(), base_radius="30 mm", offset=offset)
    e = float(offset.split()[0]) * 1e-3
    c = (math.sqrt(0.038**2 - e**2) + H * cycloidal(TURN) + 1j * e) * np.exp(-1j * TURN)
    np.testing.assert_allclose(profile.pitch_curve(0.008)(np.angle(c)), np.abs(c), atol=1e-9 * H)


@pytest.mark.parametrize("side, sign", [("left", 1), ("right", -1)])
def test_curves_of_swinging_followers(side: str, sign: int) -> None:
    swing = math.radians(12.0)
    at = {"base_radius": "30 mm", "pivot_distance": "100 mm", "side": side}
    roller = pl.CamProfile.from_lift(segments(lift="12 deg"), arm="90 mm", **at)
    lowest = math.acos((0.1**2 + 0.09**2 - 0.038**2) / (2 * 0.1 * 0.09))
    c = (0.1 - 0.09 * np.exp(-1j * sign * (lowest + swing * cycloidal(TURN)))) * np.exp(-1j * TURN)
    np.testing.assert_allclose(roller.pitch_curve("8 mm")(np.angle(c)), np.abs(c), atol=1e-9 * H)
    flat = pl.CamProfile.from_lift(
        segments("polynomial_345", "5 deg"), face_offset="5 mm", **{**at, "base_radius": "40 mm"}
    )
    p, beta = flat.support_function(), math.asin(0.045 / 0.1) + flat.lift(TURN)
    normal = sign * (math.pi / 2 - beta) - TURN
    np.testing.assert_allclose(p(normal), 0.1 * np.sin(beta) - 0.005, atol=1e-9 * H)


def test_an_outline_gives_the_lift_it_was_made_for(tmp_path: Path) -> None:
    """Roller and flat, in either direction of the points, and from a file."""
    profile = pl.CamProfile.from_lift(segments(), base_radius="60 mm")
    roller, flat = profile.outline("8 mm"), profile.outline()
    for points in (roller, roller[::-1], np.vstack([roller, roller[:1]])):
        np.testing.assert_allclose(
            pl.CamProfile.from_points(points).pitch_curve(0.008)(-TURN), 0.068 + H * cycloidal(TURN), atol=1e-7 * H
        )
    np.testing.assert_allclose(
        pl.CamProfile.from_points(flat).support_function()(-TURN), 0.06 + H * cycloidal(TURN), atol=1e-7 * H
    )
    file = tmp_path / "cam.csv"
    file.write_text("x;y\n" + "\n".join(f"{1e3 * x:.9f};{1e3 * y:.9f}".replace(".", ",") for x, y in roller))
    np.testing.assert_allclose(
        pl.CamProfile.from_csv(file).points, pl.CamProfile.from_points(roller).points, atol=1e-12
    )


def test_tables_and_functions_of_the_lift() -> None:
    angles = np.radians(np.arange(0, 361, 2.0))
    table = pl.CamProfile.from_lift_table(angles, H * cycloidal(angles), base_radius=0.03)
    np.testing.assert_allclose(table.lift(TURN), H * cycloidal(TURN), atol=2e-6 * H)
    function = pl.CamProfile.from_lift(lambda angle: H * (1 - math.cos(angle)), base_radius=0.03)
    np.testing.assert_allclose(function.lift(TURN), H * (1 - np.cos(TURN)), atol=1e-9 * H)
    assert function.said[0] == "lift_table"


def test_the_gradient_of_the_gap_against_complex_steps() -> None:
    rng = np.random.default_rng(5)
    for _ in range(8):
        probe = random_declared(GroovedCam, rng)
        probe.lam[:] = 1.0
        s = probe.element.values
        curve = _curve_of(probe)
        (xA, xB), (RA, RB) = probe.P[:, :3], (probe.rotation(0), probe.rotation(1))
        frames = [np.array(s[end]["axes"]).reshape(3, 3) for end in "ab"]
        expected = np.zeros(12)
        for j in range(12):
            d = np.zeros(12, complex)
            d[j] = 1e-30j
            A, B = (R @ (np.eye(3) + _skew(d[i : i + 3])) for R, i in ((RA, 3), (RB, 9)))
            y = frames[0].T @ (A.T @ (xB + d[6:9] + B @ s["b"]["at"] - xA - d[:3]) - s["a"]["at"])
            h = frames[0].T @ A.T @ B @ frames[1] @ s["direction"]
            expected[j] = (_flat(curve, y, h) if s["face"] else _roller(curve, y)).imag / 1e-30
        np.testing.assert_allclose(call(probe, RESIDUAL).r[:12], expected, rtol=0, atol=1e-12 * np.abs(expected).max())


def _curve_of(probe: ProbedElement) -> ClosedCurve:
    element = probe.element
    pieces, record = int(element.values["pieces"]), element.kind.parameters.size
    table = element.parameters[record : record + 7 * pieces].reshape(pieces, 7)
    return ClosedCurve(table[:, 0].copy(), table[:, 1:].copy())


def _skew(v: np.ndarray) -> np.ndarray:
    return np.array([[0, -v[2], v[1]], [v[2], 0, -v[0]], [-v[1], v[0], 0]])


def _angle(x: complex, y: complex) -> complex:
    """atan2 of numbers with small imaginary parts."""
    return math.atan2(y.real, x.real) + 1j * (x.real * y.imag - y.real * x.imag) / (x.real**2 + y.real**2)


def _roller(rho: ClosedCurve, y: np.ndarray) -> complex:
    psi = np.array(_angle(y[0], y[1]))
    r, r1 = rho(psi), rho(psi, 1)
    return complex((np.sqrt(y[0] ** 2 + y[1] ** 2) - r) * r / np.sqrt(r**2 + r1**2))


def _flat(p: ClosedCurve, y: np.ndarray, h: np.ndarray) -> complex:
    return complex(y @ h - p(np.array(_angle(h[0], h[1]))))


@pytest.mark.parametrize(
    "make, words",
    [
        (
            lambda: pl.CamProfile.from_lift(segments()[:3], base_radius=0.03),
            "is 270 deg, not 360 deg.*add a dwell of 90 deg",
        ),
        (
            lambda: pl.CamProfile.from_lift(segments("cyclodal"), base_radius=0.03),
            "unknown law 'cyclodal'; did you mean \"cycloidal\"",
        ),
        (
            lambda: pl.CamProfile.from_lift([("harmonic", 180, 1), ("harmonic", 180, 0)], base_radius=3),
            'write degrees as "90 deg"',
        ),
        (lambda: pl.CamProfile.from_lift([("dwell", "360 deg")], base_radius=0.03), "only dwells"),
        (
            lambda: pl.CamProfile.from_lift([*segments()[:1], ("dwell", "270 deg")], base_radius=1),
            r"\[0\].*ends at the lift.*back",
        ),
        (lambda: pl.CamProfile.from_lift(segments(lift="12 deg"), base_radius=0.03), "expected length.*got angle"),
        (lambda: pl.CamProfile.from_lift(segments(), base_radius="-3 mm"), "base_radius must be positive"),
        (lambda: pl.CamProfile.from_lift(segments(), base_radius=0.03, arm=0.1), "specify pivot_distance as well"),
        (
            lambda: pl.CamProfile.from_lift(lambda a: a, base_radius=0.03),
            "0 m at 0 but 6.28.* m at 360 deg; a cam must be closed",
        ),
        (
            lambda: pl.CamProfile.from_lift_table([0, 1, 2, 3], [0, 1, 1, 0], base_radius=3),
            "undefined over the rest of the revolution",
        ),
        (
            lambda: peak(40, 0.01).pitch_curve("16 mm"),
            "undercut: a roller of radius 16 mm.*9.053 mm, at 320 deg.*smaller roller",
        ),
        (
            lambda: peak(1, 0.005, 0.1).pitch_curve(0),
            "nearly radial at .* deg .*the follower would jam",
        ),
        (
            lambda: pl.CamProfile.from_lift(segments(), base_radius="30 mm", offset="40 mm").pitch_curve(0),
            "offset of 0.04 m",
        ),
        (
            lambda: pl.CamProfile.from_lift(segments(lift=1), base_radius=1, pivot_distance=3, arm=0.5).pitch_curve(0),
            "triangle",
        ),
        (
            lambda: pl.CamProfile.from_lift(segments(), base_radius="15 mm").support_function(),
            "convex.*increase the base radius by more",
        ),
        (lambda: pl.CamProfile.from_points([(0.1, 0)] * 20), "equal; remove one of them"),
        (lambda: pl.CamProfile.from_points(0.1 + 0.01 * peak(40, 1.0).outline(0)), "star-shaped"),
        (lambda: pl.CamProfile.from_csv("nowhere.csv"), "cannot be read"),
    ],
)
def test_what_no_cam_can_be_is_refused(make: object, words: str) -> None:
    with pytest.raises(pl.ModelError, match=words):
        make()  # type: ignore[operator]


def test_a_groove_needs_room_on_both_sides() -> None:
    """A roller outside a hollow of its path fits, a groove does not."""
    valley = [("harmonic", "16 deg", "8 mm"), ("dwell", "328 deg"), ("harmonic", "16 deg", 0)]
    profile = pl.CamProfile.from_lift(valley, base_radius="40 mm")
    profile.pitch_curve("5 mm")
    with pytest.raises(pl.ModelError, match="smallest concave radius"):
        profile.pitch_curve("5 mm", groove=True)


FILE = """
name = "cam"
[bodies.disc]
mass = "1 kg"
inertia = [1, 1, 1]
[bodies.follower]
mass = "1 kg"
inertia = [1, 1, 1]
position = [0, "38 mm", 0]
[joints]
hinge = { kind = "revolute", a = "ground", b = "disc", axis = "z" }
guide = { kind = "prismatic", a = "ground", b = "follower", axis = "y" }
[elements.cam]
type = "cam"
a = "disc"
b = "follower"
roller_radius = "8 mm"
stiffness = "50 N/um"
[elements.cam.profile]
"""
LINES = {
    "lift": 'kind = "lift"\nbase_radius = "30 mm"\nsegments = [["linear", "90 deg", "5 mm"], ["dwell", "180 deg"], '
    '["cycloidal", "90 deg", 0]]',
    "lift_table": 'kind = "lift_table"\nbase_radius = "30 mm"\nangles = ["0 deg", "90 deg", "180 deg", "270 deg"]\n'
    'lifts = [0, "1 mm", "2 mm", "1 mm"]',
    "csv": 'kind = "csv"\npath = "cam.csv"',
}


@pytest.mark.parametrize("kind", LINES)
def test_files_say_profiles(kind: str, tmp_path: Path) -> None:
    circle = [[0.03 * math.cos(a), 0.03 * math.sin(a)] for a in np.radians(np.arange(0, 360, 5.0))]
    (tmp_path / "cam.csv").write_text("\n".join(f"{1e3 * x!r}, {1e3 * y!r}" for x, y in circle))
    file = tmp_path / "cam.toml"
    file.write_text(FILE + LINES[kind])
    model = read(file).model
    written = tmp_path / "again.toml"
    written.write_text(model.to_toml())
    assert read(written).model.describe() == model.describe()
    assert len(model.warnings) == (2 if kind == "lift" else 0)
    for text, jump in zip(model.warnings, ("-3.183 mm/rad at 90 deg", "3.183 mm/rad at 0 deg"), strict=False):
        assert f"the velocity of the follower jumps by {jump}" in text
    signals = [name for name in pl.signals_of(model) if name.startswith("cam.")]
    assert ("cam.pressure_angle" in signals) == (kind != "csv") and "cam.contact_pressure" not in signals


@pytest.mark.parametrize(
    "old, new, words",
    [
        ('roller_radius = "8 mm"\n', "", "roller_radius is missing; specify 0 for a knife edge"),
        ('roller_radius = "8 mm"', 'roller_radius = "8 mm"\nface = "flat"', "a flat face has no roller_radius"),
        ('roller_radius = "8 mm"', 'face = "flat"', "direction is missing"),
        ('roller_radius = "8 mm"', 'face = "flat"\ndirection = [0, 0, 1]', "perpendicular to the cam axis"),
        ('"38 mm"', '"30 mm"', "8 mm inside the cam in the initial pose; place its centre at 38 mm from"),
        ('"38 mm"', "0", "on the axis of the cam"),
        ('stiffness = "50 N/um"', "", '"stiffness" is missing'),
    ],
)
def test_what_is_wrong_in_a_file_is_told(old: str, new: str, words: str) -> None:
    problems = check(FILE.replace(old, new) + LINES["lift"])
    assert any(words in problem.message for problem in problems), problems
