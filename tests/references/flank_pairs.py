"""Models of one pair of gears on any axes: A driven in its hinge, a load on B about its own axis."""

from typing import Any

import pitchline as pl

COARSE = {"flank_edge": "0.6 mm", "size": "2 mm", "face_elements": 3}


def mesh_of(pair: pl.GearPair, **options: Any) -> pl.Flank:
    """Elastic flanks on coarse grids; a worm has a rigid body."""
    grids = [{"body": "rigid"} if abs(gear.helix_angle) > 1.2 else COARSE for gear in (pair.a, pair.b)]
    return pl.Flank(**({"modes": 0, "elements_a": grids[0], "elements_b": grids[1]} | options))


def pair_model(
    pair: pl.GearPair, load: float, *, mesh: pl.Flank, phase: float = 0.0, drive: dict[str, Any] | None = None,
    speed: float = 0.0, bearing: Any = None, drag: float = 0.0,
) -> pl.Model:  # fmt: skip
    """phase: of A [pitches]. load: on B about its z axis [N m], on a rack along its y axis [N]. speed: of A at the start [rad/s],
    B turns with it. bearing: function (model, body, axis) that supports B in place of a hinge. drag: on B [N m s/rad]."""
    m = pl.Model("pair", gravity=(0, 0, 0))
    a = m.gear_body(
        "a", pair.a, phase=phase * pair.a.angular_pitch, mass=0.06, inertia=(1e-5,) * 3, angular_velocity=(0, 0, speed)
    )
    options: dict[str, Any] = {"shaft_angle": pair.shaft_angle} if pair.kind in ("crossed helical", "worm") else {}
    if pair.kind == "hypoid":
        options["centre_distance"] = pair.centre_distance
    follow = 0.0 if isinstance(pair.b, pl.Rack) else speed * pair.pitch.speed_ratio
    b = m.gear_body(
        "b", pair.b, mesh_with=a, towards="x", mass=0.2, inertia=(4e-5,) * 3,
        angular_velocity=tuple(follow * pair.place().rotation[:, 2]), **options,
    )  # fmt: skip
    m.drive("motor", m.revolute("in", m.ground, a), **(drive or {"angle": 0}))
    m.gear_pair("mesh", a, b, mesh=mesh)
    R = m.placed(m.gear_pairs["mesh"].wheel_b.frame)[1]
    if isinstance(pair.b, pl.Rack):
        m.prismatic("out", m.ground, b, axis=tuple(R[:, 1]))
        m.force("load", b, tuple(load * R[:, 1]))
        return m
    axis = R[:, 2]
    if bearing is None:
        hinge = m.revolute("out", m.ground, b)
        if drag:
            m.torsion_spring("drag", hinge, damping=drag, free_angle=0)
    else:
        bearing(m, b, axis)
    m.torque("load", b, tuple(load * axis))
    return m


def pressing(pair: pl.GearPair, side: str) -> float:
    """Sign of the load on B that presses the left or right flanks of A on it."""
    return (1.0 if side == "left" else -1.0) * (-1.0 if pair.pitch.speed_ratio > 0.0 else 1.0)
