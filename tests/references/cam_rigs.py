"""Cams with followers, and their closed forms."""

import math
from collections.abc import Callable

import numpy as np

import pitchline as pl

H, BASE, ROLLER, MASS = 0.012, 0.03, 0.008, 0.5
RISE, DWELL, FALL = np.radians([90.0, 60.0, 120.0])


def profile(lift: object = H, base: object = BASE, **layout: object) -> pl.CamProfile:
    segments = [("cycloidal", RISE, lift), ("dwell", DWELL), ("cycloidal", FALL, 0), ("dwell", "90 deg")]
    return pl.CamProfile.from_lift(segments, base_radius=base, **layout)


def lift(angle: np.ndarray, derivative: int = 0) -> np.ndarray:
    """Cycloidal rise and fall in closed form."""
    a = np.mod(angle, 2 * np.pi)
    u, v = np.clip(a / RISE, 0, 1), np.clip((a - RISE - DWELL) / FALL, 0, 1)
    of: Callable[[np.ndarray, float], np.ndarray] = (
        lambda u, width: u - np.sin(2 * np.pi * u) / (2 * np.pi),
        lambda u, width: (1 - np.cos(2 * np.pi * u)) / width,
        lambda u, width: 2 * np.pi * np.sin(2 * np.pi * u) / width**2,
    )[derivative]
    return H * (of(u, RISE) - of(v, FALL))


def turned(axis: tuple[float, float, float], angle: float) -> np.ndarray:
    """A rotation matrix."""
    n = np.array(axis) / np.linalg.norm(axis)
    K = np.array([[0, -n[2], n[1]], [n[2], 0, -n[0]], [-n[1], n[0], 0]])
    return np.eye(3) + math.sin(angle) * K + (1 - math.cos(angle)) * K @ K


def rig(
    *, offset: float = 0.0, force: float = 500.0, speed: object = "600 rpm", flat: bool = False, R: np.ndarray | None = None,
    origin: tuple[float, float, float] = (0.0, 0.0, 0.0), spring: float = 0.0, cam: pl.CamProfile | None = None, **options: object,
) -> pl.Model:  # fmt: skip
    """A cam about z of R that lifts a follower along y of R against a constant force and a spring."""
    R = np.eye(3) if R is None else R
    m = pl.Model("cam")
    o, up = np.array(origin), R[:, 1]
    base = 0.06 if flat else BASE
    height = base if flat else math.sqrt((base + ROLLER) ** 2 - offset**2)
    place = o + height * up - offset * R[:, 0]  # to the left of the motion
    disc = m.body("disc", solid=pl.cylinder("40 mm", "15 mm", mass="2 kg"), position=o, orientation=R)
    follower = m.body("follower", mass=MASS, inertia=(1e-4,) * 3, position=place, orientation=R)
    m.revolute("hinge", m.ground, disc, axis=R[:, 2])
    m.prismatic("guide", m.ground, follower, axis=up)
    m.drive("motor", "hinge", speed=speed)
    m.force("load", follower, -force * up)
    if spring:
        m.spring("spring", m.ground, follower, at_a=place + up, stiffness=spring, free_length=1.0)
    contact = {"face": "flat", "direction": up} if flat else {"roller_radius": ROLLER}
    m.cam("cam", disc, follower, cam or profile(base=base, offset=offset), **contact, **options)
    return m
