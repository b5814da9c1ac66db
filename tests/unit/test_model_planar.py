"""Planar models: what they accept, what does not fit into the plane, and what joints say there."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import pitchline as pl
from pitchline.analyses.start_positions import prepare
from pitchline.engine.compile.nodes import Snapshot


def planar(plane: str = "xy", **options: Any) -> pl.Model:
    m = pl.Model("flat", plane=plane, **options)
    m.body("a", mass=1.0, inertia=0.1)
    m.body("b", mass=1.0, inertia=0.1, position=(1.0, 0.0, 0.0))
    return m


# --- the plane ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("said", "name", "normal"), [("xy", "xy", 2), ("yx", "xy", 2), ("yz", "yz", 0), ("xz", "zx", 1)]
)
def test_planes(said: str, name: str, normal: int) -> None:
    m = pl.Model("flat", plane=said)
    assert m.plane is not None
    assert m.plane.name == name
    np.testing.assert_array_equal(m.plane.normal, np.eye(3)[normal])
    assert np.linalg.det(m.plane.axes) == pytest.approx(1.0)
    assert m.describe()["plane"] == name
    assert f"planar: all bodies move in the {name} plane" in m.summary()


def test_models_in_space_have_no_plane() -> None:
    m = pl.Model("spatial")
    assert m.plane is None
    assert "plane" not in m.describe()


@pytest.mark.parametrize("plane", ["z", "xx", 3, (0, 0, 1)])
def test_what_is_no_plane(plane: Any) -> None:
    with pytest.raises(pl.ModelError, match='model "flat": plane must be "xy", "yz" or "zx", got'):
        pl.Model("flat", plane=plane)


def test_one_moment_of_inertia() -> None:
    m = planar()
    assert m.bodies["a"].inertia[2, 2] == 0.1
    m.body("c", mass=1.0, inertia="20 kg*cm^2")
    assert m.bodies["c"].inertia[2, 2] == pytest.approx(2e-3)
    gear = pl.Gear(teeth=20, normal_module="2 mm")
    assert m.gear_body("d", gear, mass=1.0, inertia=0.3).inertia[2, 2] == 0.3
    m.body("e", mass=1.0, inertia=(0.1, 0.2, 0.25))
    with pytest.raises(
        pl.ModelError, match=r'body "f": inertia: one number, 0.1 kg\*m\^2, is sufficient only in a planar model'
    ):
        pl.Model("spatial").body("f", mass=1.0, inertia=0.1)


# --- what does not fit ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("say", "message"),
    [
        (lambda m: m.revolute("j", "a", "b", axis="x"), r'"j" \(revolute\): model "flat" moves in the xy plane, but its axis is '
         r'\(1, 0, 0\); specify axis="z"'),
        (lambda m: m.prismatic("j", "a", "b", axis="z"), r"its axis is \(0, 0, 1\); specify an axis in that plane"),
        (lambda m: m.cylindrical("j", "a", "b", axis=(0, 1, 1)), "is neither parallel nor normal to that plane"),
        (lambda m: m.screw("j", "a", "b", axis="z", lead=0.1), "a screw joint moves out of it; use revolute or prismatic"),
        (lambda m: m.universal("j", "a", "b"), "a universal joint rotates out of it; use revolute"),
        (lambda m: m.body("c", mass=1, inertia=1, velocity=(1, 0, 2)), 'body "c": its velocity has 2 m/s along z'),
        (lambda m: m.body("c", mass=1, inertia=1, angular_velocity=(0, 3, 1)), r'"c": its angular velocity \(0, 3, 1\) rad/s'),
        (lambda m: m.force("f", "a", (1, 0, "5 N")), 'force "f": has 5 N along z, .* omit this component'),
        (lambda m: m.force("f", "a", (1, 0, pl.Harmonic(2.0, 0.3))), 'force "f": has .* N along z'),
        (lambda m: m.torque("t", "a", (1, 0, 1)), r'torque "t": has 1 N\*m across z, .* only the component along z'),
        (lambda m: setattr(m, "gravity", (0, 0, -9.81)), r"gravity: \(0, 0, -9.81\) m/s\^2 points out of the xy plane"),
    ],
)  # fmt: skip
def test_what_does_not_fit(say: Callable[[pl.Model], Any], message: str) -> None:
    m = planar()
    before = m.describe()
    with pytest.raises(pl.ModelError, match=message):
        say(m)
    assert m.describe() == before


def test_what_does_fit() -> None:
    m = planar("zx", gravity=(1.0, 0.0, -9.81))
    turned = m.body("c", mass=1.0, inertia=1.0, orientation=pl.Rotation("x", "90 deg"), angular_velocity=(0, 2, 0))
    m.force("f", "a", (1, 0, pl.Harmonic(1.0, 2.0)))
    m.force("own", turned, (3, 4, 0), axes="body")  # its y is the world's z
    m.torque("t", "a", (0, 2, 0))
    with pytest.raises(pl.ModelError, match="along y"):
        m.force("out", turned, (0, 0, 1), axes="body")


def test_coordinates_that_cannot_change() -> None:
    m = planar()
    pin = m.cylindrical("pin", "a", "b", axis="z")
    slot = m.cylindrical("slot", m.ground, "a", axis="x")
    m.drive("turn", pin, angle=0.0)
    m.force("push", slot, 1.0)
    with pytest.raises(
        pl.ModelError, match=r'drive "lift": .* joint "pin" .* can only rotate, and its displacement is constant'
    ):
        m.drive("lift", pin, displacement=0.1)
    with pytest.raises(
        pl.ModelError, match=r'torque "t": .* joint "slot" .* can only slide, and its angle is constant'
    ):
        m.torque("t", slot, 1.0)


def test_wheels_turn_about_the_normal() -> None:
    gear = pl.Gear(teeth=20, normal_module="2 mm", cone_angle="45 deg", face_width="5 mm")
    m = pl.Model("flat", plane="xy")
    a = m.gear_body("a", gear, position=(0, 0, 0), axis="z", mass=1.0, inertia=0.1)
    b = m.gear_body("b", gear, mesh_with=a, shaft_angle="90 deg", mass=1.0, inertia=0.1)
    with pytest.raises(
        pl.ModelError, match=r'gear pair "mesh": .* wheel "b" of this straight bevel pair rotates about'
    ):
        m.gear_pair("mesh", a, b)
    spur, rack = pl.Gear(teeth=20, normal_module="2 mm"), pl.Rack(teeth=30, normal_module="2 mm")
    c = m.gear_body("c", spur, position=(0, 0, 0), axis="z", mass=1.0, inertia=0.1)
    d = m.gear_body("d", rack, mesh_with=c, mass=1.0, inertia=0.1)
    m.gear_pair("rack", c, d)


# --- what joints say in the plane -------------------------------------------------------------------------------------


def ready(m: pl.Model, *, reduce: bool = True) -> Any:
    return prepare(m, Snapshot.of_model(m), until=0.0, reduce=reduce)


@pytest.mark.parametrize("reduce", [True, False])
@pytest.mark.parametrize(
    ("kind", "options", "rows"),
    [
        ("revolute", {"axis": "z"}, 2),
        ("spherical", {}, 2),
        ("fixed", {}, 3),
        ("prismatic", {"axis": "x"}, 2),
        ("prismatic", {"axis": (1, 2, 0)}, 2),
        ("cylindrical", {"axis": "z"}, 2),
        ("cylindrical", {"axis": (1, 2, 0)}, 2),
        ("planar", {"axis": "z"}, 0),
        ("point_on_line", {"axis": "y"}, 1),
        ("point_on_plane", {"axis": (3, 1, 0)}, 1),
        ("point_on_plane", {"axis": "z"}, 0),
        ("parallel_axes", {"axis": "z"}, 0),
        ("parallel_axes", {"axis": "x"}, 1),
    ],
)
def test_rows_of_joints(kind: str, options: dict[str, Any], rows: int, reduce: bool) -> None:
    """Two bodies with three coordinates each; the joint leaves 6 - rows, and nothing is called redundant."""
    m = planar()
    getattr(m, kind)("joint", "a", "b", **options)
    done = ready(m, reduce=reduce)
    guides = 0 if reduce else 6
    assert done.system.n_q == (6 if reduce else 12)
    assert done.system.n - done.system.n_q == rows + guides
    assert not done.rank.redundant.size
    assert not done.warnings


@pytest.mark.parametrize("reduce", [True, False])
def test_frames_that_stand_askew(reduce: bool) -> None:
    """A slider whose frames have no axis along the normal: three of its five rows repeat the others in the plane."""
    m = planar()
    a, b = m.bodies["a"], m.bodies["b"]
    axes = np.array([[0.0, 0.0, 1.0], [0.6, 0.8, 0.0], [-0.8, 0.6, 0.0]])
    m.prismatic("slot", a.frame(rotation=axes), b.frame(rotation=axes))
    done = ready(m, reduce=reduce)
    assert done.system.n - done.system.n_q == (2 if reduce else 8)
    assert not done.warnings


@pytest.mark.parametrize("reduce", [True, False])
def test_heights_do_not_matter(reduce: bool) -> None:
    m = planar()
    c = m.body("c", mass=1.0, inertia=0.1, position=(1.0, 0.0, 0.4), velocity=(1.0, 0.0, 0.0))
    m.revolute("pin", m.bodies["b"].frame(axis="z"), c.frame(position=(0, 0, -0.1), axis="z"))
    m.revolute("base", m.ground, "a", axis="z")
    result = pl.dynamics(m, duration=0.1, step=1e-2, reduce=reduce)
    np.testing.assert_allclose(result["c.position.z"], 0.4, atol=1e-12)
    np.testing.assert_allclose(result["c.position"].values[:, :2], result["b.position"].values[:, :2], atol=1e-9)
    assert not result.warnings


def test_redundancy_in_the_plane_is_found() -> None:
    """A parallelogram with a third link: one redundant constraint, and no more."""
    m = pl.Model("parallelogram", plane="xy")
    m.body("beam", mass=1.0, inertia=0.1, position=(0.5, 1.0, 0.0))
    for i, x in enumerate((0.0, 0.5, 1.0)):
        link = m.body(f"link_{i}", mass=1.0, inertia=0.1, position=(x, 0.5, 0.1 * i))
        m.revolute(f"foot_{i}", m.ground, link, at=(x, 0, 0), axis="z")
        m.revolute(f"head_{i}", link, "beam", at=(x, 1, 0), axis="z")
    for reduce in (True, False):
        done = ready(m, reduce=reduce)
        assert len(done.rank.redundant) == 1
        assert done.system.row_owner(int(done.rank.redundant[0])).name == "head_2"
        assert len(done.warnings) == 1


def test_a_gap_in_the_plane_is_an_error_still() -> None:
    m = planar()
    m.revolute("pin", m.bodies["a"].frame(axis="z"), m.bodies["b"].frame(axis="z"))
    with pytest.raises(pl.ModelError, match=r'"pin" .* are 1 m apart'):
        m.check()


# --- the separating force ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("mesh", [pl.Elastic, pl.Rigid])
def test_separating_is_a_flag(mesh: Any) -> None:
    stiffness = (1e6,) if mesh is pl.Elastic else ()
    assert mesh(*stiffness).separating is True
    assert mesh(*stiffness, separating=False).separating is False
    with pytest.raises(pl.ModelError, match="separating must be True or False, got 0"):
        mesh(*stiffness, separating=0)
