"""Mechanisms that several tests use."""

import numpy as np

import pitchline as pl

GRAVITY = 9.81


def double_pendulum() -> pl.Model:
    """Two bars on hinges whose axes are skew: a motion in space without any symmetry."""
    m = pl.Model("double pendulum", gravity=(0, 0, -GRAVITY))
    bar = pl.bar(1.0, 0.1, 0.2, mass=1.0)
    a = m.body("upper", solid=bar, position=(0.5, 0, 0))
    b = m.body("lower", solid=bar, position=(1.5, 0, 0))
    m.revolute("shoulder", m.ground, a, at=(0, 0, 0), axis=(0, 1, 0.3))
    m.revolute("elbow", a, b, at=(1, 0, 0), axis=(0, 0.2, 1))
    return m


def heavy_top(*, spin: float = 30.0) -> pl.Model:
    """A disc of 15 kg at the end of a rod of 1 m, leaning by atan(3/4), spinning about the rod, on a ball joint."""
    m = pl.Model("heavy top", gravity=(0, 0, -GRAVITY))
    lean = np.arctan2(0.6, 0.8)
    direction = np.array([0, 0.6, 0.8])
    m.body(
        "top",
        mass=15.0,
        inertia=(0.234375, 0.234375, 0.46875),
        position=direction,
        orientation=pl.Rotation("x", -lean),
        angular_velocity=spin * direction,
    )
    m.spherical("tip", m.ground, "top", at=(0, 0, 0))
    return m


def slider_crank(*, driven: bool, offset: float = 0.0) -> pl.Model:
    """Crank 0.2 m, rod 0.5 m, slider on a line at height `offset`, in the plane z = 0, nothing redundant.

    Starts with the crank at 30 deg. Driven: the crank swings by 0.8 rad at 1 Hz about its start.
    """
    m = pl.Model("slider-crank", gravity=(0, -GRAVITY, 0))
    crank, rod, turn = 0.2, 0.5, np.pi / 6
    pin = crank * np.array([np.cos(turn), np.sin(turn), 0])
    tilt = np.arcsin((offset - pin[1]) / rod)
    wrist = pin + rod * np.array([np.cos(tilt), np.sin(tilt), 0])
    m.body("crank", solid=pl.bar(crank, 0.02, 0.02, mass=1.0), position=pin / 2, orientation=pl.Rotation("z", turn))
    m.body(
        "rod", solid=pl.bar(rod, 0.02, 0.02, mass=1.0), position=(pin + wrist) / 2, orientation=pl.Rotation("z", tilt)
    )
    m.body("slider", mass=2.0, inertia=(0.01, 0.01, 0.01), position=wrist)
    m.revolute("main", m.ground, "crank", at=(0, 0, 0), axis="z")
    m.revolute("pin", "crank", "rod", at=pin, axis="z")
    m.prismatic("guide", m.ground, "slider", axis="x")
    m.point_on_line("wrist", "slider", "rod", at=wrist, axis="z")
    if driven:
        m.drive("motor", "main", angle=pl.Sum((pl.Ramp(0.0, 0.8, 0.0, 0.5), pl.Harmonic(0.2, 1.0, -np.pi / 2, 0.2))))
    return m


def four_bar_in_space() -> pl.Model:
    """Crank, coupler on ball joints, rocker with a skew axis: a closed loop in space (RSSR, the coupler's spin is
    free)."""
    m = pl.Model("RSSR", gravity=(0, 0, -GRAVITY))
    crank_tip, rocker_foot, rocker_tip = np.array([0.0, 0.3, 0.0]), np.array([1.0, 0.0, 0.2]), np.array([1.0, 0.2, 0.8])
    m.body("crank", mass=1.0, inertia=(0.02, 0.004, 0.02), position=crank_tip / 2)
    span = rocker_tip - crank_tip
    length = float(np.linalg.norm(span))
    m.body("coupler", solid=pl.bar(length, 0.03, 0.03, mass=1.5), position=(crank_tip + rocker_tip) / 2,
           orientation=along(span))  # fmt: skip
    m.body("rocker", mass=1.2, inertia=(0.04, 0.04, 0.01), position=(rocker_foot + rocker_tip) / 2)
    m.revolute("foot", m.ground, "crank", at=(0, 0, 0), axis="x")
    m.revolute("pivot", m.ground, "rocker", at=rocker_foot, axis=(0.2, 1, 0))
    m.spherical("left", "crank", "coupler", at=crank_tip)
    m.spherical("right", "coupler", "rocker", at=rocker_tip)
    return m


def along(direction: np.ndarray) -> np.ndarray:
    """A rotation matrix whose first column points along a direction."""
    x = direction / np.linalg.norm(direction)
    z = np.cross(x, [0.3, -0.5, 0.7])
    z /= np.linalg.norm(z)
    return np.column_stack([x, np.cross(z, x), z])
