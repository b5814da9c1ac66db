"""Wheels and gear pairs that do not fit: the messages."""

import re
from typing import Any

import pytest
from references.small_gears import BEVEL, LARGE, RACK, RING, SPUR, UNIT

from pitchline.errors import ModelError
from pitchline.gears import Gear, Rack
from pitchline.model import Body, Elastic, Model, Wheel, cylinder

# -------------------------------------------------------------------------------------------------------- messages


def machine() -> Model:
    m = Model("machine")
    m.gear_body("a", SPUR)
    m.gear_body("b", LARGE, mesh_with="a")
    m.gear_body("rack", RACK, mesh_with="a", towards="-x")
    m.wheel("beside", "a", SPUR, at=(0, 0, "40 mm"))
    m.body("bare", **UNIT)
    m.wheel("fixed", m.ground, SPUR, at=(0, 1, 0))
    m.wheel("second", m.ground, SPUR, at=("80 mm", 1, 0))
    m.wheel("rail", m.ground, RACK, at=(0, 2, 0))
    return m


OTHER = Model("other")
STRANGER = OTHER.gear_body("a", SPUR)
GEAR_BODY: dict[str, Any] = {"gear": SPUR}


@pytest.mark.parametrize(
    "arguments, message",
    [
        ({"gear": "spur"}, "expected a Gear or a Rack, got 'spur'"),
        ({"position": (0, 0)}, "position: expected 3 values"),
        ({"position": "1 m"}, "position"),
        ({"axis": "w"}, "axis: 'w' is not a direction"),
        ({"axis": "z", "orientation": (1, 0, 0, 0)}, "specify axis or orientation, not both"),
        ({"phase": "1 m"}, "phase: expected angle"),
        ({"gear": RACK, "phase": 0.1}, "phase rotates a wheel about its axis, but a rack has no axis"),
        ({"towards": "x"}, "mesh_with is missing; specify the other wheel, or omit towards"),
        ({"centre_distance": 1, "axial_shift": 1}, "omit axial_shift and centre_distance"),
        ({"mesh_with": "a", "position": (0, 0, 0)}, "mesh_with already defines position and axes; omit position"),
        ({"mesh_with": "a", "axis": "z", "phase": 1}, "omit axis and phase"),
        ({"mesh_with": "c"}, 'mesh_with: unknown wheel "c"; known: "a", "b"'),
        ({"mesh_with": "bare"}, 'body "bare" has no gear; make it with gear_body(...)'),
        ({"mesh_with": STRANGER}, 'body "a" belongs to another model'),
        ({"mesh_with": OTHER.wheels["a"]}, 'wheel "a" belongs to another model'),
        ({"mesh_with": 3}, "expected a wheel, a body with a gear or the name of one, got 3"),
        ({"mesh_with": "rack"}, '"rack" is a rack, so that the position of the wheel along it is not defined'),
        ({"mesh_with": "a", "gear": RACK, "tooth": 0.5}, "tooth must be a whole number, got 0.5"),
        ({"mesh_with": "a", "tooth": 1}, "tooth is the space of a rack"),
        ({"mesh_with": "a", "towards": (0, 0, 1)}, "is along the axis of wheel A"),
        ({"mesh_with": "a", "gear": SPUR.with_(normal_module="3 mm")}, '("a" is A, "new" is B): normal modules differ'),
        ({"mesh_with": "a", "gear": SPUR.with_(helix_angle="10 deg")}, "helix angles"),
        ({"gear": SPUR.with_(face_width=None)}, "requires the face width. Specify face_width"),
        ({"gear": SPUR.with_(face_width=None)}, "or specify mass and inertia of the body, or solid"),
        ({"gear": Rack(teeth=5, normal_module="1 mm", face_width=1)}, "Specify depth"),
        ({"solid": cylinder(1, 1, mass=1), "mass": 1}, "specify solid, or mass and inertia, not both"),
        ({"mass": -1}, "must not be negative"),
        ({"mass": "1 m"}, "mass: expected mass"),
        ({"inertia": (1, 1)}, "inertia"),
    ],
)
def test_gear_bodies_that_cannot_be(arguments: dict[str, Any], message: str) -> None:
    m = machine()
    before = m.describe()
    with pytest.raises(ModelError) as error:
        m.gear_body("new", **{**GEAR_BODY, **arguments})
    assert message in str(error.value)
    assert '"new"' in str(error.value)
    assert m.describe() == before
    m.gear_body("new", **GEAR_BODY)


@pytest.mark.parametrize(
    "arguments, message",
    [
        ({"gear": 1}, "expected a Gear or a Rack, got 1"),
        ({"body": "shaft"}, 'unknown body "shaft"'),
        ({"body": STRANGER}, "belongs to another model"),
        ({"at": "here"}, "at: expected 3 values"),
        ({"mesh_with": "a", "at": (0, 0, 0)}, "mesh_with already defines position and axes; omit at"),
        ({"mesh_with": "rack"}, "or place the wheel with at and orientation"),
    ],
)
def test_wheels_that_cannot_be(arguments: dict[str, Any], message: str) -> None:
    m = machine()
    with pytest.raises(ModelError) as error:
        m.wheel("new", **{"body": "bare", "gear": SPUR, **arguments})
    assert message in str(error.value)
    assert str(error.value).startswith('wheel "new"')
    m.wheel("new", "bare", SPUR)
    with pytest.raises(ModelError, match="a frame already defines position and axes; omit at"):
        m.wheel("framed", m.bodies["bare"].frame(), SPUR, at=(0, 0, 0))
    with pytest.raises(ModelError, match="omit mesh_with"):
        m.wheel("framed", m.bodies["bare"].frame(), SPUR, mesh_with="a")


def test_names_are_taken_once() -> None:
    m = machine()
    m.gear_pair("mesh", "a", "b")
    for make in (
        lambda name: m.gear_body(name, SPUR),
        lambda name: m.wheel(name, "bare", SPUR),
        lambda name: m.gear_pair(name, "a", "b"),
        lambda name: m.body(name, **UNIT),
        lambda name: m.revolute(name, "ground", "a"),
    ):
        for name, kind in (("a", "body"), ("fixed", "wheel"), ("mesh", "gear pair"), ("bare", "body")):
            with pytest.raises(ModelError, match=f'"{name}": the name is already used by a {kind}'):
                make(name)
        for name in ("", "a.b", "ground", 3):
            with pytest.raises(ModelError, match="name"):
                make(name)


@pytest.mark.parametrize(
    "arguments, message",
    [
        ({"a": "x"}, 'a: unknown wheel "x"'),
        ({"b": "bare"}, 'b: body "bare" has no gear'),
        ({"b": None}, "b: expected a wheel, a body with a gear or the name of one, got None"),
        ({"a": STRANGER}, "a: body"),
        ({"b": "beside"}, '"a" and "beside" are both on "a" and cannot rotate relative to each other'),
        ({"b": "a"}, '"a" and "a" are both on "a"'),
        ({"a": "fixed", "b": "second"}, 'both on "ground"'),
        ({"a": "rack", "b": "rail"}, '"rack" and "rail" are both racks; one of them must be a pinion'),
        ({"phase": 0.1}, 'phase must be "fit" or "as placed", got 0.1'),
        ({"mesh": "rigid"}, "mesh must be Elastic(...), Loaded(...)"),
        ({"mesh": Elastic}, "mesh must be Elastic(...), Loaded(...)"),
        ({"b": "fixed"}, '("a" is A, "fixed" is B): at a centre distance of 1000 mm the teeth do not touch each other'),
        ({"centre_distance": "1 s"}, "centre_distance: expected length"),
        ({"centre_distance": "120.2 mm"}, "the axes are 120 mm apart, but the pitch geometry requires 120.2 mm"),
        ({"shaft_angle": "90 deg"}, "shaft angle is 90 deg, but the helix angles 0 deg and 0 deg"),
        ({"shaft_angle": "1 m"}, "shaft_angle: expected angle"),
        ({"mesh": Elastic("ISO 6336"), "b": "rack"}, "stiffness: ISO 6336 applies to cylindrical wheels"),
    ],
)
def test_pairs_that_cannot_be(arguments: dict[str, Any], message: str) -> None:
    m = machine()
    with pytest.raises(ModelError) as error:
        m.gear_pair("mesh", **{"a": "a", "b": "b", **arguments})
    assert message in str(error.value)
    assert str(error.value).startswith('gear pair "mesh"')
    assert not m.gear_pairs
    m.gear_pair("mesh", "a", "b")


HELICAL = SPUR.with_(helix_angle="45 deg")


@pytest.mark.parametrize(
    "a, b, position, axis, message",
    [
        (SPUR, LARGE.with_(normal_module="3 mm"), (0.12, 0, 0), "z", "normal modules differ: 4 mm and 3 mm"),
        (SPUR, LARGE, (0.12, 0, 0), "y", "the axes are at 90 deg, but those of a spur pair are parallel"),
        (SPUR, LARGE, (0.12, 0, 0.03), "z", "the faces do not overlap"),
        (SPUR, LARGE, (0.1, 0, 0), "z", "is too small: the base circles need at least"),
        (SPUR, LARGE, (0.119, 0, 0), "z", "the teeth overlap by"),
        (HELICAL, HELICAL, (0.113, 0, 0), "z", "helix angles 45 deg and 45 deg"),
        (HELICAL, HELICAL, (0.113, 0, 0), (0, 1, 1), "the shaft angle is 45 deg, but the helix angles"),
        (HELICAL, HELICAL, (0.2, 0, 0), "y", "the axes are 200 mm apart"),
        (SPUR, RING, (0.15, 0, 0), "z", "gear pair"),
        (BEVEL, BEVEL, (0.05, 0, 0), "x", "With pitch cones in contact"),
        (BEVEL, BEVEL.with_(helix_angle="10 deg"), (0.05, 0, 0), "x", "spiral angles"),
        (BEVEL, SPUR, (0.1, 0, 0), "z", "a bevel gear meshes only with a bevel gear"),
        (
            BEVEL.with_(helix_angle="20 deg"),
            BEVEL,
            (0.05, 0.03, 0),
            "x",
            "the distance between the axes is given as 30 mm",
        ),
        (SPUR, RACK, (0.05, 0, 0), "z", "the axes are -50 mm apart"),
    ],
)
def test_wheels_that_do_not_fit_where_they_stand(a: Gear, b: Gear, position: Any, axis: Any, message: str) -> None:
    m = Model("m")
    m.gear_body("a", a, **UNIT)
    m.gear_body("b", b, position=position, axis=axis, **UNIT)
    with pytest.raises(ModelError) as error:
        m.gear_pair("mesh", "a", "b")
    assert message in str(error.value)
    assert str(error.value).startswith('gear pair "mesh" ("a" is A, "b" is B): ')


def test_a_wheel_needs_a_gear_and_a_frame() -> None:
    frame = Body("b", 1, (1, 1, 1)).frame()
    for arguments, message in (
        (("w", 1, frame), "expected a Gear or a Rack"),
        (("w", SPUR, None), "expected a frame on a body"),
        (("w.x", SPUR, frame), "must not contain"),
    ):
        with pytest.raises(ModelError, match=re.escape(message)):
            Wheel(*arguments)  # type: ignore[arg-type]
