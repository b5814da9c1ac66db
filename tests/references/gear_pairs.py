"""Random gear pairs of every kind, and their teeth from first principles: hand of the helix, phase, pitch surface.

Nothing here uses the matrices of the pitch geometry.
"""

import math

import numpy as np
from hypothesis import assume
from hypothesis import strategies as st

from pitchline.errors import ModelError
from pitchline.gears import Gear, GearPair, Rack, cone_angles, hypoid_pinion

KINDS = (
    "spur",
    "helical",
    "internal",
    "crossed helical",
    "worm",
    "straight bevel",
    "spiral bevel",
    "hypoid",
    "rack and pinion",
)


def angles(lowest: float, highest: float) -> st.SearchStrategy[float]:
    """Angles between two limits in degrees, as radians."""
    return st.floats(math.radians(lowest), math.radians(highest))


@st.composite
def rotations(draw: st.DrawFn) -> np.ndarray:
    """Rotation matrices from quaternions."""
    q = np.array([draw(st.floats(-1, 1)) for _ in range(4)])
    assume(np.linalg.norm(q) > 0.1)
    w, x, y, z = q / np.linalg.norm(q)
    return np.array(
        [
            [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
            [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
            [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
        ]
    )


points = st.tuples(*[st.floats(-0.3, 0.3)] * 3).map(np.array)


@st.composite
def parallel_pairs(draw: st.DrawFn, kind: str) -> GearPair:
    """Spur, helical and internal pairs with profile shift, at their own or a greater centre distance."""
    helix = draw(angles(5, 35)) * draw(st.sampled_from((-1, 1))) if kind != "spur" and draw(st.booleans()) else 0.0
    if kind == "helical" and not helix:
        helix = 0.3
    common = dict(
        normal_module=draw(st.floats(0.5e-3, 8e-3)), normal_pressure_angle=draw(angles(16, 25)), face_width="30 mm"
    )
    z_a, x_a, x_b = draw(st.integers(16, 60)), draw(st.floats(-0.1, 0.4)), draw(st.floats(-0.1, 0.4))
    z_b = draw(st.integers(16, 120))
    first = dict(teeth=z_a, helix_angle=helix, profile_shift=x_a, backlash_allowance=draw(st.floats(0, 1e-4)))
    second = dict(teeth=z_b, helix_angle=-helix, profile_shift=x_b)
    if kind == "internal":
        second = dict(teeth=z_a + 30 + z_b, helix_angle=helix, profile_shift=x_b, internal=True)
        if draw(st.booleans()):
            first, second = second, first
    try:
        pair = GearPair(Gear(**first, **common), Gear(**second, **common))
        if draw(st.booleans()) and kind != "internal":
            wider = pair.centre_distance * draw(st.floats(1.0, 1.01))
            pair = GearPair(pair.a, pair.b, centre_distance=wider)
    except ModelError:
        assume(False)
    return pair


@st.composite
def pairs(draw: st.DrawFn, kind: str) -> GearPair:
    """A pair of the given kind."""
    if kind in ("spur", "helical", "internal"):
        return draw(parallel_pairs(kind))
    common = dict(normal_module=draw(st.floats(1e-3, 6e-3)), normal_pressure_angle=draw(angles(16, 25)))
    z_a, z_b = draw(st.integers(16, 60)), draw(st.integers(16, 90))
    hand = draw(st.sampled_from((-1, 1)))
    if kind == "crossed helical":
        beta_a, sigma = hand * draw(angles(-20, 50)), hand * draw(angles(15, 90))
        assume(abs(sigma - beta_a) < math.radians(60))
        a, b = (Gear(teeth=z, helix_angle=h, **common) for z, h in ((z_a, beta_a), (z_b, sigma - beta_a)))
        return GearPair(a, b, shaft_angle=abs(sigma))
    if kind == "worm":
        starts = draw(st.integers(1, 4))
        lead = hand * math.atan(starts / draw(st.floats(7, 14)))
        a = Gear(starts=starts, lead_angle=lead, **common)
        b = Gear(teeth=z_b, helix_angle=lead, **common)
        return GearPair(a, b) if draw(st.booleans()) else GearPair(b, a)
    if kind == "rack and pinion":
        helix = hand * draw(angles(0, 35))
        sigma = draw(st.sampled_from((0.0, 0.3)))
        a = Gear(teeth=z_a, helix_angle=helix, profile_shift=draw(st.floats(0, 0.4)), **common)
        b = Rack(teeth=40, helix_angle=sigma - helix, **common)
        return GearPair(a, b, shaft_angle=sigma)
    sigma = draw(angles(50, 110))
    delta_a, delta_b = cone_angles(z_a, z_b, sigma)
    assume(math.degrees(max(delta_a, delta_b)) < 88)
    sign_a, sign_b = draw(st.sampled_from((-1, 1))), draw(st.sampled_from((-1, 1)))
    spiral = 0.0 if kind == "straight bevel" else hand * draw(angles(10, 40))
    b = Gear(teeth=z_b, helix_angle=-spiral, cone_angle=sign_b * delta_b, **common)
    if kind != "hypoid":
        return GearPair(Gear(teeth=z_a, helix_angle=spiral, cone_angle=sign_a * delta_a, **common), b)
    offset = draw(st.floats(0.02, 0.12)) * b.reference_diameter
    try:
        a = hypoid_pinion(b, teeth=z_a, offset=offset, shaft_angle=sigma, below=draw(st.booleans()))
    except ModelError:
        assume(False)
    pair = GearPair(a.with_(cone_angle=sign_a * a.cone_angle), b, centre_distance=offset, shaft_angle=sigma)
    return pair if draw(st.booleans()) else GearPair(b, pair.a, centre_distance=offset, shaft_angle=sigma)


def frame_at(
    gear: Gear | Rack, x: np.ndarray, R: np.ndarray, point: np.ndarray
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Generator (away from the apex), hoop direction and outward normal of the pitch surface, in world axes."""
    if isinstance(gear, Rack):
        return R[:, 2], R[:, 1], R[:, 0]
    axis = R[:, 2] if gear.cone_angle >= 0 else -R[:, 2]
    arm = point - x
    radial = arm - (arm @ axis) * axis
    radial = radial / np.linalg.norm(radial)
    generator = math.cos(gear.cone_angle) * axis + abs(math.sin(gear.cone_angle)) * radial
    hoop = np.cross(axis, radial)
    return generator, hoop, np.cross(hoop, generator)


def tooth_direction(gear: Gear | Rack, beta: float, x: np.ndarray, R: np.ndarray, point: np.ndarray) -> np.ndarray:
    """Along the tooth at a point of the pitch surface: a right-hand tooth turns forwards as it goes along the axis."""
    generator, hoop, _ = frame_at(gear, x, R, point)
    return math.cos(beta) * generator + math.sin(beta) * hoop


def tooth_fraction(
    gear: Gear | Rack, beta: float, radius: float, x: np.ndarray, R: np.ndarray, point: np.ndarray
) -> float:
    """How many pitches beyond the middle of a tooth a point of the pitch surface lies, about z (a rack: along y)."""
    p = R.T @ (point - x)
    if isinstance(gear, Rack):
        return (p[1] - p[2] * math.tan(beta)) / gear.transverse_pitch
    drift = p[2] * math.tan(beta) / radius if not gear.cone_angle else 0.0
    return (math.atan2(p[1], p[0]) - drift) * gear.teeth / (2 * math.pi)


def phase_error(pair: GearPair, poses: tuple[np.ndarray, ...], point: np.ndarray) -> float:
    """How far, in pitches, the teeth of A are from the middle of the spaces of B at a point on both pitch surfaces."""
    x_a, R_a, x_b, R_b = poses
    (beta_a, beta_b), p = pair.working_helix_angles, pair.pitch
    f_a = tooth_fraction(pair.a, beta_a, p.radius_a, x_a, R_a, point)
    f_b = tooth_fraction(pair.b, beta_b, p.radius_b, x_b, R_b, point)
    arm = point - x_a
    forwards_a = np.cross(R_a[:, 2], arm - (arm @ R_a[:, 2]) * R_a[:, 2])
    if isinstance(pair.b, Rack):
        forwards_b = R_b[:, 1]
    else:
        arm = point - x_b
        forwards_b = np.cross(R_b[:, 2], arm - (arm @ R_b[:, 2]) * R_b[:, 2])
    # Count along the common normal of the teeth, across which the pitch is the same on both.
    along = tooth_direction(pair.a, beta_a, x_a, R_a, point)
    across = np.cross(along, frame_at(pair.a, x_a, R_a, point)[2])
    s_a, s_b = math.copysign(1, forwards_a @ across), math.copysign(1, forwards_b @ across)
    return math.remainder(s_a * f_a - s_b * (f_b - 0.5), 1.0)
