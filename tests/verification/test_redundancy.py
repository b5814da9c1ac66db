"""Redundant constraints: the motion is that of the twin without them, the sum of the reactions too; what is not
unique is said.

Positions and velocities agree to 1e-10, with Newton iterated as far as rounding allows.
"""

import numpy as np
import pytest
from references.observed_order import largest

import pitchline as pl

HEIGHTS = (0.2, 1.0, 1.8)


def door(hinges: int, *, misplaced: float = 0.0) -> pl.Model:
    """A door with a closer; hinges on the z axis, the second and third misplaced on the door by some `misplaced` m."""
    m = pl.Model("door", gravity=(0.5, 0, -9.81))
    leaf = m.body(
        "leaf",
        solid=pl.bar(0.9, 0.04, 2.0, mass=30.0),
        position=(0.45, 0, 1.0),
        angular_velocity=(0, 0, 1.0),
        velocity=(0, 0.45, 0),
    )
    for i, z in enumerate(HEIGHTS[:hinges]):
        shift = misplaced * np.array([1, -0.5, 0.7]) * (0, 1, -1)[i]
        on_leaf = leaf.frame(position=np.array([-0.45, 0, z - 1.0]) + shift, axis="z")
        m.revolute(f"hinge{i}", m.ground.frame(position=(0, 0, z), axis="z"), on_leaf)
    m.torsion_spring("closer", "hinge0", stiffness=20.0, damping=1.0)
    return m


def box(joints: int) -> pl.Model:
    """A box sliding on a floor on one or three plane-on-plane joints, pulled by a spring off its centre."""
    m = pl.Model("box", gravity=(0, 0, -9.81))
    m.body("box", solid=pl.bar(0.4, 0.3, 0.2, mass=5.0), position=(0, 0, 0.1), angular_velocity=(0, 0, 2.0))
    for i, at in enumerate(((0.1, 0.1, 0), (-0.1, 0.1, 0), (0, -0.1, 0))[:joints]):
        m.plane_on_plane(f"face{i}", m.ground, "box", at=at, axis="z")
    m.spring(
        "pull", m.ground, "box", at_a=(1, 0.5, 0.1), at_b=(0.2, 0.1, 0.1), stiffness=200.0, free_length=0.5, damping=3.0
    )
    return m


def run(model: pl.Model, **options: object) -> pl.Result:
    return pl.dynamics(model, duration=2.0, step=1e-3, output_step=0.1, newton_tolerance=1e-12, **options)


def about_origin(result: pl.Result, names: list[str], points: list[np.ndarray]) -> tuple[np.ndarray, np.ndarray]:
    """Sum of the forces of joints, and of their moments about the origin; points (n, 3) or (3,) of application."""
    force = sum(result[f"{n}.force"].values for n in names)
    moment = sum(
        result[f"{n}.moment"].values + np.cross(p, result[f"{n}.force"].values)
        for n, p in zip(names, points, strict=True)
    )
    return force, moment


OPTIONS = [{}, {"reduce": False}, {"stabilised": True, "reduce": False}]


@pytest.mark.parametrize("options", OPTIONS, ids=["reduced", "six coordinates", "stabilised"])
def test_door_on_three_hinges(options) -> None:
    one, three = run(door(1), **options), run(door(3), **options)
    for signal in ("leaf.position", "leaf.velocity", "leaf.angular_velocity", "hinge0.angle"):
        assert largest(one[signal].values, three[signal].values) < 1e-10
    names = [f"hinge{i}" for i in range(3)]
    points = [np.array([0, 0, z]) for z in HEIGHTS]
    scale = 30 * 9.81
    for alone, together in zip(
        about_origin(one, names[:1], points[:1]), about_origin(three, names, points), strict=True
    ):
        assert largest(alone, together) < 1e-5 * scale
    # least norm: equal hinges carry the weight in equal parts
    for name in names:
        assert largest(three[f"{name}.force"].values[:, 2], scale / 3) < 1e-5 * scale


def test_door_says_what_is_redundant() -> None:
    result = run(door(3))
    assert result.warnings
    text = " ".join(result.warnings)
    assert "redundant" in text and all(f'"hinge{i}"' in text for i in range(3))
    for i in range(3):
        assert "not unique" in result[f"hinge{i}.force"].description
    alone = run(door(1))
    assert not alone.warnings
    assert "not unique" not in alone["hinge0.force"].description


@pytest.mark.parametrize("options", OPTIONS, ids=["reduced", "six coordinates", "stabilised"])
@pytest.mark.parametrize("misplaced", [1e-12, 1e-9, 1e-7, 1e-6, 1e-5, 1e-4])
def test_door_with_misplaced_hinges(misplaced, options) -> None:
    """The door of a carpenter: it turns as if its hinges fitted, up to the misplacement itself."""
    one, three = run(door(1), **options), run(door(3, misplaced=misplaced), **options)
    assert largest(one["leaf.position"].values, three["leaf.position"].values) < 1e-10 + 2 * misplaced
    force = sum(three[f"hinge{i}.force"].values for i in range(3))
    assert largest(force, one["hinge0.force"].values) < 300 * (1e-5 + 10 * misplaced)
    assert three.warnings


@pytest.mark.parametrize("options", OPTIONS, ids=["reduced", "six coordinates", "stabilised"])
def test_box_on_three_planes(options) -> None:
    one, three = run(box(1), **options), run(box(3), **options)
    for signal in ("box.position", "box.velocity", "box.angular_velocity"):
        assert largest(one[signal].values, three[signal].values) < 1e-10
    text = " ".join(three.warnings)
    assert '"face1"' in text and '"face2"' in text
    weight = 5 * 9.81
    total = sum(three[f"face{i}.force"].values for i in range(3))
    assert largest(total, one["face0.force"].values) < 1e-6 * weight
    assert largest(total[:, 2], weight) < 1e-6 * weight
    for i in range(3):
        assert "not unique" in three[f"face{i}.force"].description


@pytest.mark.parametrize("options", OPTIONS, ids=["reduced", "six coordinates", "stabilised"])
def test_loads_of_supports_chosen_again_at_the_start(options) -> None:
    """A beam on three supports, two of them close together. The run keeps the outer ones instead of the first two. The loads
    of its first sample carry the weight as the later ones do: least norm, linear in the position."""
    m = pl.Model("beam", gravity=(0, 0, -10.0))
    m.body("beam", mass=2.0, inertia=(0.1, 0.2, 0.2), position=(0.3, 0, 0))
    places = np.array([0.0, 1e-3, 1.0])
    for i, x in enumerate(places):
        m.point_on_plane(f"support{i}", m.ground, "beam", at=(x, 0, 0), axis="z")
    result = pl.dynamics(m, duration=3e-3, step=1e-3, **options)
    assert result.statistics["rank_changes"] == 1
    A = np.stack([np.ones(3), places])
    expected = A.T @ np.linalg.solve(A @ A.T, 20.0 * np.array([1.0, 0.3]))
    force = np.array([result[f"support{i}.force"].values[:, 2] for i in range(3)])
    assert largest(force, expected[:, None]) < 1e-8 * 20.0


def test_motor_against_a_fixed_joint() -> None:
    """Two drives of the same speed on two hinges of one shaft: each may carry any part of the torque; the sum is I
    alpha."""

    def shaft(drives: int) -> pl.Model:
        m = pl.Model("shaft")
        m.body("shaft", solid=pl.cylinder(0.1, 1.0, mass=10.0))
        for i in range(2):
            m.revolute(f"bearing{i}", m.ground, "shaft", at=(0, 0, i - 0.5), axis="z")
        for i in range(drives):
            m.drive(f"motor{i}", f"bearing{i}", angle=pl.Polynomial((0, 0, 1.5)))
        return m

    one, two = run(shaft(1)), run(shaft(2))
    assert largest(one["bearing0.angle"].values, two["bearing0.angle"].values) < 1e-10
    inertia = 0.5 * 10.0 * 0.1**2
    assert largest(one["motor0.torque"].values, 3.0 * inertia) < 1e-8
    assert largest(two["motor0.torque"].values + two["motor1.torque"].values, 3.0 * inertia) < 1e-8
    assert any('"motor1"' in w for w in two.warnings)


def test_statics_of_a_table_on_four_legs() -> None:
    """Four points on a floor: one redundant; the sum of the legs is the weight, its moment that of the load off the
    centre."""
    m = pl.Model("table", gravity=(0, 0, -9.81))
    m.body("top", mass=20.0, inertia=(1, 1, 2), centre_of_mass=(0.1, 0.05, 0), position=(0, 0, 1))
    feet = [(0.5, 0.4, 0), (-0.5, 0.4, 0), (-0.5, -0.4, 0), (0.5, -0.4, 0)]
    for i, foot in enumerate(feet):
        m.point_on_plane(f"leg{i}", m.ground, "top", at=foot, axis="z")
    m.bushing("friction", m.ground, "top", stiffness=(1e3, 1e3, 0, 0, 0, 1e3))
    result = pl.statics(m)
    force = np.array([result[f"leg{i}.force"].values[0, 2] for i in range(4)])
    weight = 20 * 9.81
    assert force.sum() == pytest.approx(weight, rel=1e-9)
    assert force @ np.array(feet)[:, 0] == pytest.approx(0.1 * weight, rel=1e-9)
    assert force @ np.array(feet)[:, 1] == pytest.approx(0.05 * weight, rel=1e-9)
    # least norm: the shares are linear in position, f = w/4 + a x + b y
    assert (
        largest(force, weight * (0.25 + 0.1 * np.array(feet)[:, 0] + 0.05 / 0.64 * np.array(feet)[:, 1]))
        < 1e-6 * weight
    )
    assert any('"leg3"' in w for w in result.warnings)
