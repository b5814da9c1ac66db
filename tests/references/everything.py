"""A model of everything: every joint, drive and load once, each body held by a soft bushing so that it has an equilibrium."""

import numpy as np

import pitchline as pl

JOINTS = (
    "revolute", "prismatic", "cylindrical", "spherical", "universal", "planar", "fixed", "screw", "distance",
    "point_on_line", "point_on_plane", "plane_on_plane", "parallel_axes",
)  # fmt: skip


def everything(joints: tuple[str, ...] = JOINTS, *, name: str = "everything") -> pl.Model:
    """Bodies in a row, each on a joint of its own to ground; the last two also on each other."""
    m = pl.Model(name, gravity=(0.3, -0.2, -9.81))
    bodies = {}
    for i, kind in enumerate(joints):
        x = np.array([2.0 * i, 0, 0])
        b = m.body(f"{kind} body", mass=1 + i, inertia=(0.4, 0.5, 0.6), centre_of_mass=(0.1, 0.2, 0), position=x)
        options = {"screw": {"lead": 0.1}, "universal": {"axis_b": (1, 0, -0.1)}}.get(kind, {})
        if kind == "distance":
            m.distance(kind, m.ground, b, at_a=x + [0, 0, 1], at_b=x)
        else:
            getattr(m, kind)(kind, m.ground, b, at=x, axis=(0.1, 0.2, 1), **options)
        m.bushing(f"{kind} mount", m.ground, b, at=x, stiffness=(900,) * 6, damping=(3,) * 6)
        bodies[kind] = b
    first, last = bodies[joints[0]], bodies[joints[-1]]
    m.spring("spring", first, last, at_b=last.position + [0, 0.3, 0], stiffness=5, damping=0.1)
    m.string("string", m.ground, last, at_a=(0, 3, 0), stiffness=5, damping=0.1)
    m.spring("table", m.ground, first, at_a=(0, -3, 0), table=([-1, 0, 1], [-2, 0, 3]))
    m.force("force", first, (pl.Harmonic(1, 2), 0, lambda t: 1 + t), at=first.position + [0, 0.1, 0])
    m.force("follower", last, (0, 1, 0), axes="body", reaction=first)
    m.torque("torque", first, (0, pl.Ramp(0, 1), 0))
    m.torque("following torque", last, (0, 0.1, 0), axes="body", reaction=first)
    for kind in joints:
        coordinates = m.joints[kind].coordinates
        if "angle" in coordinates:
            m.torque(f"torque on {kind}", kind, pl.Fourier(1.0, 0.1, [0.2], [0.3]))
            m.torsion_spring(f"coil on {kind}", kind, stiffness=2, damping=0.1)
            m.stop(f"angle stop on {kind}", kind, coordinate="angle", lower=-0.01, upper=0.5, stiffness=100, damping=1)
        if "displacement" in coordinates:
            m.force(f"force on {kind}", kind, pl.Polynomial([0, 1, 2]))
            m.stop(f"stop on {kind}", kind, coordinate="displacement", upper=0.001, stiffness=1000, damping=1)
    for kind, drive in (("cylindrical", {"angle": pl.Harmonic(0.1, 1)}), ("prismatic", {"speed": 0.1})):
        if kind in joints:
            m.drive(f"drive on {kind}", kind, **drive)
    return m


def run_everything() -> None:
    """Every analysis, on a model with the dense and one with the sparse matrix, reduced and not."""
    for m in (everything(), everything(JOINTS[:2], name="little")):
        for reduce in (True, False):
            rest = pl.statics(m, reduce=reduce)
            pl.kinematics(m, duration=0.1, step=0.05, start=rest, reduce=reduce)
            pl.dynamics(m, duration=0.01, step=1e-3, reduce=reduce)
            pl.dynamics(m, duration=0.01, start=rest, reduce=reduce)
    doubled = everything(JOINTS[:2], name="doubled")
    doubled.revolute("again", doubled.ground, "revolute body", at=(0, 0, 0), axis=(0.1, 0.2, 1))
    pl.dynamics(doubled, duration=0.01)
