"""Random mechanisms: any joints between any bodies, all kinds of loads, closed in their initial positions."""

import numpy as np

import pitchline as pl

LOWER = (
    "revolute", "prismatic", "cylindrical", "spherical", "planar", "fixed", "point_on_line", "point_on_plane",
    "plane_on_plane", "parallel_axes",
)  # fmt: skip


def unit(rng: np.random.Generator) -> np.ndarray:
    a = rng.normal(size=3)
    return a / np.linalg.norm(a)


def add_bodies(m: pl.Model, rng: np.random.Generator, count: int, *, centred: bool = False) -> list[pl.Body]:
    bodies = []
    for i in range(count):
        root = rng.normal(size=(3, 3))
        inertia = root @ root.T
        inertia += np.trace(inertia) * np.eye(3)  # obeys the triangle inequality
        q = rng.normal(size=4)
        bodies.append(
            m.body(f"body {i}", mass=rng.uniform(0.5, 3), inertia=inertia, position=rng.normal(size=3),
                   centre_of_mass=(0, 0, 0) if centred else 0.3 * rng.normal(size=3), orientation=q / np.linalg.norm(q),
                   velocity=rng.normal(size=3), angular_velocity=rng.normal(size=3))
        )  # fmt: skip
    return bodies


def add_joint(m: pl.Model, rng: np.random.Generator, name: str, kind: str, a: pl.Body, b: pl.Body) -> pl.Joint:
    """A joint at a random point with a random axis."""
    at, axis = rng.normal(size=3), unit(rng)
    if kind == "screw":
        return m.screw(name, a, b, at=at, axis=axis, lead=rng.uniform(0.1, 1))
    if kind == "universal":
        return m.universal(name, a, b, at=at, axis=axis, axis_b=np.cross(axis, unit(rng)))
    if kind == "distance":
        return m.distance(name, a, b, at_a=at, at_b=rng.normal(size=3))
    return getattr(m, kind)(name, a, b, at=at, axis=axis)


def random_mechanism(
    rng: np.random.Generator, bodies: int, extra: int = 1, *, gravity: bool = True, centred: bool = False
) -> pl.Model:
    """A tree of joints from ground, and `extra` joints that close loops; every kind of drive and load somewhere."""
    m = pl.Model("random", gravity=rng.normal(size=3) if gravity else (0, 0, 0))
    made = add_bodies(m, rng, bodies, centred=centred)
    kinds = (*LOWER, "screw", "universal", "distance")
    for i, body in enumerate(made):
        other = m.ground if i == 0 else [m.ground, *made[:i]][int(rng.integers(i + 1))]
        add_joint(m, rng, f"joint {i}", str(rng.choice(kinds)), *([other, body] if rng.integers(2) else [body, other]))
    for k in range(extra):
        i, j = rng.choice(bodies + 1, size=2, replace=False)
        ends = [m.ground if x == bodies else made[x] for x in (i, j)]
        add_joint(m, rng, f"loop {k}", str(rng.choice(kinds)), *ends)
    hinge = add_joint(m, rng, "hinge", "revolute", made[0], made[-1] if bodies > 1 else m.ground)
    slide = add_joint(m, rng, "slide", "cylindrical", m.ground, made[-1])
    m.drive("angle drive", hinge, angle=pl.Harmonic(0.3, 1.0, offset=0.1))
    m.drive("slide drive", slide, displacement=pl.Polynomial([0.1, 0.2, 0.3]))
    m.torque("joint torque", slide, pl.Harmonic(2.0, 0.7))
    m.force("joint force", slide, 3.0)
    m.torsion_spring("torsion spring", slide, stiffness=3.0, damping=0.5, free_angle=0.3)
    m.stop("stop", slide, coordinate="displacement", lower=0.5, upper=0.6, stiffness=10, damping=0.2)
    m.force("force", made[0], (1.0, pl.Harmonic(1, 1), -2.0), at=rng.normal(size=3))
    m.force("follower", made[-1], (1.0, 2.0, -2.0), at=rng.normal(size=3), axes="body", reaction=m.ground)
    m.torque("torque", made[0], (1.0, 0.5, -2.0), reaction=made[-1] if bodies > 1 else None)
    m.torque("following torque", made[0], (1.0, 0.5, -2.0), axes="body")
    ends = {"at_a": rng.normal(size=3), "at_b": 3 + rng.normal(size=3)}
    m.spring("spring", m.ground, made[0], **ends, stiffness=20, damping=1, free_length=1.0)
    m.string("string", m.ground, made[-1], **ends, stiffness=20, damping=1, free_length=0.5)
    m.spring("table", m.ground, made[-1], **ends, table=([-10.0, 0.0, 10.0], [-30.0, 0.0, 60.0]), free_length=0.5)
    root = rng.normal(size=(2, 6, 6))
    m.bushing(
        "bushing", made[0], m.ground, at=rng.normal(size=3), stiffness=root[0] @ root[0].T, damping=root[1] @ root[1].T
    )
    return m
