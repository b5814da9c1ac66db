"""Closed loops of hinges that move although they have more constraints than freedoms, and their motion in closed form.

Bricard's cube: five bars of 1 m along edges of a cube and ground along the sixth, hinged at the corners, each axis normal to the
edges it joins (problem A03 of the IFToMM multibody benchmark library). One constraint is redundant.

Bennett's loop: four bars with hinges of the twists alpha, beta, alpha, beta and lengths a, b, a, b, where
a/sin(alpha) = b/sin(beta). The angles of neighbouring hinges satisfy
tan(theta_1/2) tan(theta_2/2) = sin((beta + alpha)/2)/sin((beta - alpha)/2). Three constraints are redundant.

In both, which constraints may be left out depends on the position.
"""

import numpy as np

import pitchline as pl

GRAVITY = 9.81


def bricard() -> pl.Model:
    """Bars "bar0".. between "hinge0".. and "hinge5", gravity along -y."""
    m = pl.Model("Bricard", gravity=(0, -GRAVITY, 0))
    corners = np.array([(0, 0, 0), (1, 0, 0), (1, -1, 0), (1, -1, 1), (0, -1, 1), (0, 0, 1), (0, 0, 0)], float)
    edges = np.diff(corners, axis=0)
    links = [m.ground]
    for i, edge in enumerate(edges[:5]):
        inertia = np.where(np.abs(edge) > 0.5, 1e-4, 1 / 12)
        links.append(m.body(f"bar{i}", mass=1.0, inertia=tuple(inertia), position=corners[i] + edge / 2))
    links.append(m.ground)
    for i in range(6):
        m.revolute(f"hinge{i}", links[i], links[i + 1], at=corners[i], axis=np.cross(edges[i - 1], edges[i]))
    return m


def bennett(angle: float, *, speed: float | None = None) -> pl.Model:
    """Bars "bar1" .. "bar3" on "hinge0" .. "hinge3", bar 0 is ground. angle: of hinge 0 at the start; speed: of a drive there."""
    a, alpha, beta = 1.0, 0.6, 1.2
    b = a * np.sin(beta) / np.sin(alpha)
    other = 2 * np.arctan(np.sin((beta + alpha) / 2) / np.sin((beta - alpha) / 2) / np.tan(angle / 2))
    m = pl.Model("Bennett", gravity=(0, -GRAVITY, 0))
    R, p = np.eye(3), np.zeros(3)
    points, axes = [], []
    for turn, length, twist in zip(
        (angle, other, -angle, -other), (a, b, a, b), (alpha, beta, alpha, beta), strict=True
    ):
        R = R @ _turned(2, turn)
        points.append(p)
        axes.append(R[:, 2])
        p = p + length * R[:, 0]
        R = R @ _turned(0, twist)
    links = [m.ground]
    for i in (1, 2, 3):
        centre = (points[i] + points[(i + 1) % 4]) / 2
        links.append(m.body(f"bar{i}", mass=1.0, inertia=(0.1, 0.12, 0.09), position=centre))
    for i in range(4):
        m.revolute(f"hinge{i}", links[i - 1], links[i], at=points[i], axis=axes[i])
    if speed is not None:
        m.drive("motor", "hinge0", speed=speed)
    return m


def _turned(axis: int, angle: float) -> np.ndarray:
    """Rotation matrix about a coordinate axis."""
    c, s = np.cos(angle), np.sin(angle)
    i, j = (axis + 1) % 3, (axis + 2) % 3
    R = np.eye(3)
    R[i, i] = R[j, j] = c
    R[i, j], R[j, i] = -s, s
    return R
