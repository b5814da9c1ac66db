"""Malformed models of many kinds: each ends in a ModelError that names the item, and in nothing else.

A kind is an action on a sound model together with a strategy for the value that makes it wrong. The model
must be as it was after the refusal, and the same item, said rightly, must still be accepted.
"""

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pitchline.errors import ModelError
from pitchline.model import (
    Body,
    Constant,
    Fourier,
    Function,
    Harmonic,
    Model,
    PiecewisePolynomial,
    Polynomial,
    Ramp,
    Sampled,
    Sum,
    Table,
    cylinder,
)

Action = Callable[[Model, Any], Any]


def sound_model() -> Model:
    """A model without fault; everything below spoils it in one way."""
    m = Model("machine")
    m.body("a", mass=1, inertia=(1, 1, 1), position=(1, 0, 0))
    m.body("b", mass=1, inertia=(1, 1, 1), position=(0, 1, 0))
    m.revolute("hinge", "ground", "a")
    m.prismatic("slide", "ground", "b")
    m.cylindrical("both", "a", "b")
    m.spherical("ball", "a", "b")
    m.drive("motor", "hinge", speed=1)
    m.torque("load", "hinge", 1)
    return m


OTHER = Model("other")
OTHER_BODY = OTHER.body("a", mass=1, inertia=(1, 1, 1))
OTHER_JOINT = OTHER.revolute("hinge", OTHER.ground, OTHER_BODY)
STRAY_BODY = Body("stray", 1, (1, 1, 1))

# Values that are wrong wherever they stand, by what they should have been.

STRANGE = st.one_of(
    st.sampled_from(
        [True, False, math.nan, math.inf, -math.inf, 1j, b"1", object(), {}, {1.0}, 10**400, 1e300, np.True_]
    ),
    st.sampled_from(
        ["", "mm", "1 parsec", "1,5 mm", "1e999 m", "nan", "1 m^", "1 (m", "1 m/s2", "1 furlong^2"]
    ),
    st.dates(),
    st.binary(max_size=3),
)
LISTS = st.lists(st.floats(-1, 1), max_size=2) | st.just(np.zeros(2)) | st.just(np.zeros((2, 2)))
UNITS = {
    "length": "m",
    "mass": "kg",
    "time": "s",
    "angle": "deg",
    "velocity": "m/s",
    "rate": "rpm",
    "force": "N",
    "torque": "N*m",
    "stiffness": "N/m",
    "torsional stiffness": "N*m/deg",
    "damping": "N*s/m",
    "torsional damping": "N*m*s/deg",
    "inertia": "kg*m^2",
    "acceleration": "m/s^2",
    "density": "kg/m^3",
    "temperature": "K",
}


def wrong_unit(*right: str) -> st.SearchStrategy[str]:
    """Texts of every dimension but the right ones."""
    units = [unit for dimension, unit in UNITS.items() if dimension not in right]
    return st.builds("{:g} {}".format, st.floats(-10, 10), st.sampled_from(units))


def bad(*dimension: str) -> st.SearchStrategy[Any]:
    """Anything that is no quantity of this dimension, not even of any."""
    return STRANGE | LISTS | wrong_unit(*dimension)


def bad_vector(*dimension: str) -> st.SearchStrategy[Any]:
    """Anything that is no vector of this dimension: wrong type, length or component."""
    wrong = STRANGE | wrong_unit(*dimension)
    in_place = st.tuples(wrong, st.integers(0, 2)).map(
        lambda p: [p[0] if i == p[1] else 0.0 for i in range(3)]
    )
    return st.one_of(
        STRANGE.filter(lambda v: v is not None), LISTS, st.floats(), st.just([0.0] * 4), in_place
    )


NEGATIVE = st.floats(max_value=-1e-9, min_value=-1e9)
NOT_POSITIVE = NEGATIVE | st.just(0.0) | st.just(-0.0)
NOT_A_TEXT = st.one_of(
    st.none(), st.integers(), st.floats(), st.binary(), st.lists(st.integers(), max_size=2)
)
BAD_NAME = st.one_of(
    NOT_A_TEXT,
    st.sampled_from(
        ["", " ", "a.b", "a/b", " a", "a ", "\t", "ground", "line\nbreak", "\x00", "\ud800", "."]
    ),
    st.text(alphabet="./ ", max_size=4),
)
TAKEN = st.sampled_from(["a", "b", "hinge", "slide", "both", "ball", "motor", "load"])
BAD_CHOICE = (
    NOT_A_TEXT.filter(lambda v: v is not None)
    | st.sampled_from(["", "World", "x", "both"])
    | st.just(np.zeros(3))
)
BAD_AXIS = st.one_of(
    st.sampled_from(
        [(0, 0, 0), "w", "", "zz", (0, 0), (0, 0, 0, 1), 3.0, True, ("1 m", 0, 0), object(), (0, 0, None)]
    ),
    st.just(np.zeros(3)),
    st.sampled_from([math.nan, math.inf]).map(lambda x: (0, 0, x)),
)
BAD_ORIENTATION = st.one_of(
    st.sampled_from(
        [
            "x",
            3.0,
            True,
            object(),
            (),
            (1, 2),
            [1] * 5,
            (0, 0, 0, 0),
            (2, 0, 0, 0),
            (1, 0, 0),
            (math.nan, 0, 0, 0),
            {},
            {"axis": "x"},
            {"angle": 1},
            {"axis": "x", "angle": "1 m"},
            {"axis": (0, 0, 0), "angle": 1},
            {"axis": "x", "angle": 1, "more": 2},
            {1: 2, "b": 3},
            [[1, 0, 0], [0, 1, 0]],
            [[1, 0], [0, 1, 0], [0, 0, 1]],
            [[1, 0, 0], [0, 1, 0], [0, 0, -1]],
            [[2, 0, 0], [0, 2, 0], [0, 0, 2]],
            [[1, 0.1, 0], [0, 1, 0], [0, 0, 1]],
        ]
    ),
    st.just(np.zeros((3, 3))),
    st.just(np.array(1.0)),
)
BAD_INERTIA = st.one_of(
    bad_vector("inertia"),
    st.sampled_from(
        [
            (1, 1, 3),
            (-1, 1, 1),
            (0, 0, 1),
            ([1, 0, 0], 1, 1),
            [[1, 2, 0], [2, 1, 0], [0, 0, 1]],
            [[1, 0.1, 0], [0, 1, 0], [0, 0, 1]],
            [[1, 0, 0], [0, 1, 0]],
            [[1, 0, 0], [0, 1, 0], [0, 0]],
        ]
    ),
)
BAD_BODY = st.sampled_from(
    [
        None,
        3,
        "unknown",
        "hinge",
        "",
        OTHER_BODY,
        OTHER_BODY.frame(),
        STRAY_BODY,
        STRAY_BODY.frame(),
        OTHER_JOINT,
        object(),
        ["a"],
        np.zeros(3),
    ]
)
BAD_JOINT = st.sampled_from(
    [None, 3, "unknown", "a", "", OTHER_JOINT, OTHER_BODY, object(), ["hinge"], np.zeros(3)]
)
NO_ANGLE = st.sampled_from(["slide", "ball"])
NO_DISPLACEMENT = st.sampled_from(["hinge", "ball"])
BAD_CALLABLE = st.sampled_from([lambda: 1.0, lambda t, s: 1.0, Constant, float])


def bad_value(*dimension: str) -> st.SearchStrategy[Any]:
    """No function of time of this dimension."""
    other = (
        Ramp("0 K", "1 K"),
        Harmonic("1 K", 1),
        Table((0, 1), ("1 K", "2 K")),
        Sum(("1 K", 2)),
        Constant("1 K"),
    )
    return bad(*dimension) | BAD_CALLABLE | st.sampled_from(other)


def bad_values(*dimension: str) -> st.SearchStrategy[Any]:
    """No three functions of time of this dimension."""
    in_place = st.tuples(bad_value(*dimension), st.integers(0, 2)).map(
        lambda p: [p[0] if i == p[1] else 0.0 for i in range(3)]
    )
    return STRANGE | LISTS | st.floats() | BAD_CALLABLE | in_place


KINDS: dict[str, tuple[str, st.SearchStrategy[Any], Action]] = {}
"""What is wrong: (what the message must contain, values, what is done with them)."""


def kind(title: str, item: str, values: st.SearchStrategy[Any], action: Action) -> None:
    assert title not in KINDS
    KINDS[title] = (item, values, action)


# Models, and names everywhere.

kind("model name", "model", NOT_A_TEXT | st.sampled_from(["", "  "]), lambda m, v: Model(v))
kind("gravity", 'model "g": gravity', bad_vector("acceleration"), lambda m, v: Model("g", gravity=v))

SAY: dict[str, Action] = {
    "body": lambda m, name: m.body(name, mass=1, inertia=(1, 1, 1)),
    "drive": lambda m, name: m.drive(name, "slide", speed=1),
    "force": lambda m, name: m.force(name, "a", (0, 0, 1)),
    "joint force": lambda m, name: m.force(name, "slide", 1),
    "torque": lambda m, name: m.torque(name, "a", (0, 0, 1)),
    "joint torque": lambda m, name: m.torque(name, "hinge", 1),
    "spring": lambda m, name: m.spring(name, "a", "b", stiffness=1),
    "string": lambda m, name: m.string(name, "a", "b", stiffness=1),
    "torsion spring": lambda m, name: m.torsion_spring(name, "hinge", stiffness=1),
    "bushing": lambda m, name: m.bushing(name, "a", "b", stiffness=[1] * 6),
    "stop": lambda m, name: m.stop(name, "hinge", upper=1, stiffness=1),
}
JOINTS = (
    "revolute",
    "prismatic",
    "cylindrical",
    "spherical",
    "planar",
    "fixed",
    "point_on_line",
    "point_on_plane",
    "plane_on_plane",
    "parallel_axes",
)


def say_joint(method: str) -> Callable[..., Any]:
    """A method of the model that makes a joint, with the options it cannot do without."""
    needed: dict[str, Any] = {"lead": "5 mm"} if method == "screw" else {}
    return lambda m, name="new", a="a", b="b", **options: getattr(m, method)(name, a, b, **(needed | options))


for method in (*JOINTS, "universal", "screw", "distance"):
    SAY[method] = say_joint(method)
for title, say in SAY.items():
    word = {"string": "spring"}.get(title, title.split()[-1] if title.startswith("joint ") else title)
    word = "joint" if hasattr(Model, title) and title in (*JOINTS, "universal", "screw", "distance") else word
    kind(f"{title}: name", word, BAD_NAME, say)
    kind(f"{title}: name taken", "already taken", TAKEN, say)

# Bodies.


def body_with(**fixed: Any) -> Callable[[str], Action]:
    return lambda key: lambda m, v: m.body("new", **({"mass": 1, "inertia": (1, 1, 1)} | fixed | {key: v}))


body = body_with()
kind("body: mass", 'body "new": mass', bad("mass") | NEGATIVE | st.just("-1 kg"), body("mass"))
kind("body: zero mass with inertia", 'body "new": inertia', st.sampled_from([0, 0.0, "0 kg"]), body("mass"))
kind("body: inertia", 'body "new": ', BAD_INERTIA, body("inertia"))
kind("body: inertia missing", 'body "new": inertia missing', st.none(), body("inertia"))
kind("body: mass missing", 'body "new": mass missing', st.none(), body("mass"))
kind("body: centre of mass", 'body "new": centre_of_mass', bad_vector("length"), body("centre_of_mass"))
kind("body: position", 'body "new": position', bad_vector("length"), body("position"))
kind("body: velocity", 'body "new": velocity', bad_vector("velocity"), body("velocity"))
kind("body: angular velocity", 'body "new": angular_velocity', bad_vector("rate"), body("angular_velocity"))
kind("body: orientation", 'body "new": orientation', BAD_ORIENTATION, body("orientation"))
kind("body: solid", 'body "new": solid', STRANGE | LISTS, lambda m, v: m.body("new", solid=v))
kind(
    "body: solid and mass",
    'body "new": give solid',
    st.floats(1, 2),
    lambda m, v: m.body("new", solid=cylinder(1, 1, mass=1), mass=v),
)
kind(
    "body: solid, shifted wrongly",
    'body "new": centre_of_mass',
    bad_vector("length"),
    lambda m, v: m.body("new", solid=cylinder(1, 1, mass=1), centre_of_mass=v),
)

# Frames.

kind(
    "frame: position",
    'frame "f" on body "a": position',
    bad_vector("length"),
    lambda m, v: m.bodies["a"].frame("f", position=v),
)
kind("frame: axis", 'frame "f" on body "a": axis', BAD_AXIS, lambda m, v: m.bodies["a"].frame("f", axis=v))
kind(
    "frame: rotation",
    'frame "f" on body "a": rotation',
    BAD_ORIENTATION,
    lambda m, v: m.bodies["a"].frame("f", rotation=v),
)
kind("frame: name", 'frame on body "a"', st.integers() | st.binary(), lambda m, v: m.bodies["a"].frame(v))

# Joints.

for method in JOINTS:
    joint = say_joint(method)
    item = f'joint "new" ({method})'
    kind(f"{method}: first body", item, BAD_BODY, lambda m, v, joint=joint: joint(m, a=v))
    kind(f"{method}: second body", item, BAD_BODY, lambda m, v, joint=joint: joint(m, b=v))
    kind(f"{method}: at", f"{item}: at", bad_vector("length"), lambda m, v, joint=joint: joint(m, at=v))
    kind(f"{method}: axis", f"{item}: axis", BAD_AXIS, lambda m, v, joint=joint: joint(m, axis=v))
    kind(
        f"{method}: one body",
        'joint "new"',
        st.sampled_from(["a", "b", "ground"]),
        lambda m, v, joint=joint: joint(m, a=v, b=v),
    )
    kind(
        f"{method}: frame and at",
        item,
        st.just((0, 0, 0)),
        lambda m, v, joint=joint: joint(m, a=m.bodies["a"].frame(), at=v),
    )
for method in ("revolute", "prismatic", "cylindrical", "fixed", "planar", "plane_on_plane", "parallel_axes"):
    joint = say_joint(method)
    kind(
        f"{method}: frames askew",
        f'joint "new" ({method})',
        st.sampled_from(["x", "-y", (1, 0, 1), (0, 1, -1)]),
        lambda m, v, joint=joint: joint(m, a=m.ground.frame(), b=m.bodies["a"].frame(axis=v)),
    )
screw, distance, universal = say_joint("screw"), say_joint("distance"), say_joint("universal")
kind("screw: lead", 'joint "new"', bad("length") | st.just(0.0) | st.none(), lambda m, v: screw(m, lead=v))
kind("distance: length", 'joint "new"', bad("length") | NOT_POSITIVE, lambda m, v: distance(m, length=v))
kind("distance: at_a", 'joint "new" (distance): at_a', bad_vector("length"), lambda m, v: distance(m, at_a=v))
kind("distance: at_b", 'joint "new" (distance): at_b', bad_vector("length"), lambda m, v: distance(m, at_b=v))
kind("distance: no distance", 'joint "new"', st.just((1, 0, 0)), lambda m, v: distance(m, at_a=v, at_b=v))
kind("distance: first body", 'joint "new" (distance)', BAD_BODY, lambda m, v: distance(m, a=v))
kind(
    "universal: axis",
    'joint "new" (universal): axis',
    BAD_AXIS,
    lambda m, v: universal(m, axis=v, axis_b="x"),
)
kind(
    "universal: axis_b",
    'joint "new" (universal): axis_b',
    BAD_AXIS,
    lambda m, v: universal(m, axis="x", axis_b=v),
)
kind(
    "universal: one axis",
    'joint "new" (universal): give both',
    st.just("x"),
    lambda m, v: universal(m, axis=v),
)
kind(
    "universal: not perpendicular",
    'joint "new" (universal)',
    st.sampled_from(["x", (1, 1, 0), (1e-3, 1, 0)]),
    lambda m, v: universal(m, axis="x", axis_b=v),
)
kind("joint coordinates", "joint_coordinates", BAD_JOINT, lambda m, v: m.joint_coordinates(v))

# Drives.

NEW_DRIVE = 'drive "new"'
kind("drive: joint", NEW_DRIVE, BAD_JOINT, lambda m, v: m.drive("new", v, speed=1))
kind("drive: joint without coordinate", NEW_DRIVE, st.just("ball"), lambda m, v: m.drive("new", v, speed=1))
kind("drive: nothing given", NEW_DRIVE, st.just("slide"), lambda m, v: m.drive("new", v))
kind(
    "drive: too much given", NEW_DRIVE, st.floats(0, 1), lambda m, v: m.drive("new", "both", angle=v, speed=v)
)
kind("drive: angle", f"{NEW_DRIVE}: angle", bad_value("angle"), lambda m, v: m.drive("new", "both", angle=v))
kind(
    "drive: displacement",
    f"{NEW_DRIVE}: displacement",
    bad_value("length"),
    lambda m, v: m.drive("new", "both", displacement=v),
)
kind(
    "drive: speed",
    f"{NEW_DRIVE}: speed",
    bad_value("velocity"),
    lambda m, v: m.drive("new", "slide", speed=v),
)
kind(
    "drive: angular speed",
    f"{NEW_DRIVE}: speed",
    bad_value("rate"),
    lambda m, v: m.drive("new", "both", speed=v, coordinate="angle"),
)
kind("drive: which coordinate", NEW_DRIVE, st.floats(0, 1), lambda m, v: m.drive("new", "both", speed=v))
kind("drive: coordinate", NEW_DRIVE, BAD_CHOICE, lambda m, v: m.drive("new", "both", speed=1, coordinate=v))
kind(
    "drive: contradiction",
    NEW_DRIVE,
    BAD_CHOICE | st.just("displacement"),
    lambda m, v: m.drive("new", "both", angle=1, coordinate=v),
)
kind("drive: no angle", NEW_DRIVE, NO_ANGLE, lambda m, v: m.drive("new", v, angle=1))
kind("drive: no displacement", NEW_DRIVE, NO_DISPLACEMENT, lambda m, v: m.drive("new", v, displacement=1))
kind(
    "drive: driven already",
    'driven by "motor"',
    st.floats(0, 1),
    lambda m, v: m.drive("new", "hinge", angle=v),
)

# Forces and torques.

for word, dimension, wrong_joint in (("force", "force", NO_DISPLACEMENT), ("torque", "torque", NO_ANGLE)):
    on_joint = "slide" if word == "force" else "hinge"
    item = f'{word} "new"'

    def load(m: Model, on: Any = "a", value: Any = (0, 0, 1), *, word: str = word, **options: Any) -> Any:
        return getattr(m, word)("new", on, value, **options)

    kind(
        f"{word}: body",
        item,
        BAD_BODY.filter(lambda v: v is not OTHER_JOINT and not (isinstance(v, str) and v)),
        lambda m, v, load=load: load(m, v),
    )
    kind(f"{word}: unknown name", item, st.just("unknown"), lambda m, v, load=load: load(m, v))
    kind(f"{word}: joint of another model", item, st.just(OTHER_JOINT), lambda m, v, load=load: load(m, v, 1))
    kind(f"{word}: on the ground", item, st.just("ground"), lambda m, v, load=load: load(m, v))
    kind(f"{word}: components", item, bad_values(dimension), lambda m, v, load=load: load(m, "a", v))
    kind(
        f"{word}: on a joint, value",
        item,
        bad_value(dimension) | st.just((0, 0, 1)),
        lambda m, v, load=load, on_joint=on_joint: load(m, on_joint, v),
    )
    kind(f"{word}: joint without coordinate", item, wrong_joint, lambda m, v, load=load: load(m, v, 1))
    kind(f"{word}: axes", item, BAD_CHOICE | st.none(), lambda m, v, load=load: load(m, axes=v))
    kind(
        f"{word}: axes on a joint",
        item,
        BAD_CHOICE | st.just("body"),
        lambda m, v, load=load, on_joint=on_joint: load(m, on_joint, 1, axes=v),
    )
    kind(
        f"{word}: reaction",
        item,
        BAD_BODY.filter(lambda v: v is not None),
        lambda m, v, load=load: load(m, reaction=v),
    )
    kind(f"{word}: reaction on itself", item, st.just("a"), lambda m, v, load=load: load(m, reaction=v))
    kind(
        f"{word}: reaction on a joint",
        item,
        st.just("b"),
        lambda m, v, load=load, on_joint=on_joint: load(m, on_joint, 1, reaction=v),
    )
kind("force: at", 'force "new": at', bad_vector("length"), lambda m, v: m.force("new", "a", (0, 0, 1), at=v))
kind(
    "force: at on a joint",
    'force "new": at',
    st.sampled_from([(0, 0, 0), np.zeros(3)]),
    lambda m, v: m.force("new", "slide", 1, at=v),
)
kind(
    "force: frame and at",
    'force "new"',
    st.just((0, 0, 0)),
    lambda m, v: m.force("new", m.bodies["a"].frame(), (0, 0, 1), at=v),
)
kind(
    "torque: at a frame",
    'torque "new"',
    st.just("f"),
    lambda m, v: m.torque("new", m.bodies["a"].frame(v), (0, 0, 1)),
)
kind(
    "torque: coordinate on a body",
    'torque "new"',
    st.just("angle") | BAD_CHOICE,
    lambda m, v: m.torque("new", "a", (0, 0, 1), coordinate=v),
)
kind(
    "torque: coordinate",
    'torque "new"',
    st.just("displacement") | BAD_CHOICE,
    lambda m, v: m.torque("new", "both", 1, coordinate=v),
)

# Springs, bushings, stops.


def spring(m: Model, a: Any = "a", b: Any = "b", **options: Any) -> Any:
    return m.spring("new", a, b, **({"stiffness": 1} | options))


S = 'spring "new"'
kind("spring: first end", S, BAD_BODY, lambda m, v: spring(m, a=v))
kind("spring: second end", S, BAD_BODY, lambda m, v: spring(m, b=v))
kind("spring: one body", S, st.sampled_from(["a", "ground"]), lambda m, v: spring(m, v, v))
kind("spring: at_a", f"{S}: at_a", bad_vector("length"), lambda m, v: spring(m, at_a=v))
kind("spring: at_b", f"{S}: at_b", bad_vector("length"), lambda m, v: spring(m, at_b=v))
kind("spring: ends coincide", S, st.just((1, 2, 3)), lambda m, v: spring(m, at_a=v, at_b=v))
kind(
    "spring: stiffness",
    f"{S}: stiffness",
    bad("stiffness") | NEGATIVE | st.none(),
    lambda m, v: spring(m, stiffness=v),
)
kind(
    "spring: damping",
    f"{S}: damping",
    bad("damping") | NEGATIVE | st.none(),
    lambda m, v: spring(m, damping=v),
)
kind(
    "spring: free length",
    f"{S}: free_length",
    bad("length") | NEGATIVE,
    lambda m, v: spring(m, free_length=v),
)
kind(
    "spring: tension only",
    f"{S}: tension_only",
    NOT_A_TEXT | st.just("yes"),
    lambda m, v: spring(m, tension_only=v),
)
kind("spring: does nothing", S, st.sampled_from([0, 0.0, "0 N/m"]), lambda m, v: spring(m, stiffness=v))
kind(
    "spring: table and stiffness",
    S,
    st.floats(1, 9),
    lambda m, v: spring(m, stiffness=v, table=((0, 1), (0, 1))),
)
kind(
    "spring: table",
    f"{S}: table",
    STRANGE
    | st.sampled_from(
        [
            (),
            (1, 2),
            ((0, 1),),
            ((0, 1), (0, 1, 2)),
            ((0,), (0,)),
            ((1, 0), (0, 1)),
            ((0, 0), (0, 1)),
            ((0, "1 N"), (0, 1)),
            ((0, 1), (0, "1 m")),
            ((0, math.nan), (0, 1)),
        ]
    ),
    lambda m, v: spring(m, stiffness=0, table=v),
)
kind(
    "string: stiffness",
    'spring "new"',
    bad("stiffness") | NOT_POSITIVE,
    lambda m, v: m.string("new", "a", "b", stiffness=v),
)

TS = 'torsion spring "new"'
kind("torsion spring: joint", TS, BAD_JOINT, lambda m, v: m.torsion_spring("new", v, stiffness=1))
kind("torsion spring: no angle", TS, NO_ANGLE, lambda m, v: m.torsion_spring("new", v, stiffness=1))
kind(
    "torsion spring: stiffness",
    f"{TS}: stiffness",
    bad("torsional stiffness", "torque") | NEGATIVE,
    lambda m, v: m.torsion_spring("new", "hinge", stiffness=v),
)
kind(
    "torsion spring: damping",
    f"{TS}: damping",
    bad("torsional damping") | NEGATIVE,
    lambda m, v: m.torsion_spring("new", "hinge", damping=v),
)
kind(
    "torsion spring: free angle",
    f"{TS}: free_angle",
    bad("angle"),
    lambda m, v: m.torsion_spring("new", "hinge", stiffness=1, free_angle=v),
)
kind(
    "torsion spring: does nothing", TS, st.just(0), lambda m, v: m.torsion_spring("new", "hinge", stiffness=v)
)

B = 'bushing "new"'
SIX = st.sampled_from(
    [
        None,
        1.0,
        [1] * 5,
        [1] * 7,
        [[1] * 6] * 5,
        [1, 1, 1, 1, 1, [1] * 6],
        ["1 m"] * 6,
        [-1, 1, 1, 1, 1, 1],
        ["1 N*m"] * 6,
        [math.nan] * 6,
        [[1] * 5] * 6,
        np.triu(np.ones((6, 6))),
        np.eye(6) - 0.9,
        np.ones((6, 6)) - np.eye(6),
        np.ones((2, 3)),
        "soft",
        -np.eye(6),
        np.full((6, 6), np.inf),
    ]
)
kind("bushing: first body", B, BAD_BODY, lambda m, v: m.bushing("new", v, "b", stiffness=[1] * 6))
kind("bushing: second body", B, BAD_BODY, lambda m, v: m.bushing("new", "a", v, stiffness=[1] * 6))
kind("bushing: one body", B, st.just("a"), lambda m, v: m.bushing("new", v, v, stiffness=[1] * 6))
kind(
    "bushing: stiffness",
    f"{B}: stiffness",
    SIX | STRANGE,
    lambda m, v: m.bushing("new", "a", "b", stiffness=v),
)
kind(
    "bushing: damping",
    f"{B}: damping",
    SIX.filter(lambda v: v is not None),
    lambda m, v: m.bushing("new", "a", "b", stiffness=[1] * 6, damping=v),
)
kind(
    "bushing: at",
    f"{B}: at",
    bad_vector("length"),
    lambda m, v: m.bushing("new", "a", "b", stiffness=[1] * 6, at=v),
)
kind(
    "bushing: axis",
    f"{B}: axis",
    BAD_AXIS,
    lambda m, v: m.bushing("new", "a", "b", stiffness=[1] * 6, axis=v),
)
kind("bushing: does nothing", B, st.just([0] * 6), lambda m, v: m.bushing("new", "a", "b", stiffness=v))

P = 'stop "new"'
kind("stop: joint", P, BAD_JOINT, lambda m, v: m.stop("new", v, upper=1, stiffness=1))
kind("stop: no coordinate", P, st.just("ball"), lambda m, v: m.stop("new", v, upper=1, stiffness=1))
kind("stop: which coordinate", P, st.just("both"), lambda m, v: m.stop("new", v, upper=1, stiffness=1))
kind(
    "stop: coordinate", P, BAD_CHOICE, lambda m, v: m.stop("new", "both", upper=1, stiffness=1, coordinate=v)
)
kind("stop: open", P, st.none(), lambda m, v: m.stop("new", "hinge", lower=v, stiffness=1))
kind(
    "stop: lower",
    f"{P}: lower",
    bad("angle") | st.floats(1, 9),
    lambda m, v: m.stop("new", "hinge", lower=v, upper=1, stiffness=1),
)
kind(
    "stop: upper",
    f"{P}: ",
    bad("length") | NEGATIVE,
    lambda m, v: m.stop("new", "slide", lower=0, upper=v, stiffness=1),
)
kind(
    "stop: stiffness",
    f"{P}: stiffness",
    bad("stiffness") | NOT_POSITIVE | st.none(),
    lambda m, v: m.stop("new", "slide", upper=1, stiffness=v),
)
kind(
    "stop: damping",
    f"{P}: damping",
    bad("damping") | NEGATIVE | st.none(),
    lambda m, v: m.stop("new", "slide", upper=1, stiffness=1, damping=v),
)

# Functions of time.

NUMBERS = STRANGE | LISTS | st.none()
for name, values, make in (
    ("Constant", NUMBERS, lambda v: Constant(v)),
    ("Polynomial", STRANGE | st.just([]) | st.just([[1]]), lambda v: Polynomial(v)),
    ("Ramp", NUMBERS, lambda v: Ramp(v, 1)),
    ("Ramp", bad("time") | st.floats(max_value=0), lambda v: Ramp(0, 1, 0, v)),
    ("Harmonic", NUMBERS, lambda v: Harmonic(v, 1)),
    ("Harmonic", bad("rate") | NOT_POSITIVE, lambda v: Harmonic(1, v)),
    ("Fourier", bad("time") | NOT_POSITIVE, lambda v: Fourier(v, 1, (1,))),
    ("Fourier", STRANGE | st.none() | st.just([None]), lambda v: Fourier(1, 0, v)),
    ("Table", STRANGE | LISTS | st.none(), lambda v: Table(v, (1, 2, 3))),
    ("Table", STRANGE | LISTS | st.none(), lambda v: Table((1, 2, 3), v)),
    ("Table", BAD_CHOICE, lambda v: Table((1, 2, 3), (1, 2, 3), v)),
    ("Table", BAD_CHOICE, lambda v: Table((1, 2, 3), (1, 2, 3), outside=v)),
    ("PiecewisePolynomial", STRANGE | LISTS | st.none(), lambda v: PiecewisePolynomial((0, 1, 2, 3), v)),
    ("Sum", STRANGE | st.just([]) | st.just([None]), lambda v: Sum(v)),
    ("Sampled", BAD_CALLABLE.filter(lambda v: not isinstance(v, type)) | NUMBERS, lambda v: Sampled(v)),
):
    count = sum(title.startswith(f"function {name}") for title in KINDS)
    kind(f"function {name} {count + 1}", name, values, lambda m, v, make=make: make(v))


def test_there_are_many_kinds() -> None:
    assert len(KINDS) >= 200


@pytest.mark.parametrize("title", KINDS)
@settings(max_examples=12)
@given(data=st.data())
def test_malformed_models_end_in_a_model_error(title: str, data: st.DataObject) -> None:
    item, values, action = KINDS[title]
    value = data.draw(values)
    m = sound_model()
    before = m.summary()
    with pytest.raises(ModelError) as caught:
        action(m, value)
    message = str(caught.value)
    assert item in message, message
    assert caught.value.problems == [message]
    assert m.summary() == before
    m.check()


@pytest.mark.parametrize("title", SAY)
def test_the_same_said_rightly_is_accepted(title: str) -> None:
    m = sound_model()
    before = m.summary()
    assert SAY[title](m, "new").name == "new"
    assert m.summary() != before


def test_callables_that_fail_are_named_when_sampled() -> None:
    m = sound_model()
    failing: list[Callable[[float], Any]] = [
        lambda t: None,
        lambda t: "x",
        lambda t: math.nan,
        lambda t: 1 / t,
        lambda t: [1],
    ]
    for i, function in enumerate(failing):
        load = m.torque(f"bad {i}", "hinge", function)
        assert isinstance(load.function, Function)  # type: ignore[union-attr]
        with pytest.raises(ModelError, match=f'torque "bad {i}"'):
            load.function.resolved(0.0, 1.0)  # type: ignore[union-attr]
