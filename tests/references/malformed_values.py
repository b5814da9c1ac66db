"""Values that are wrong wherever they stand in a model, by what they should have been; and a sound model to put them in."""

import math
from collections.abc import Callable
from typing import Any

import numpy as np
from hypothesis import strategies as st

from pitchline.model import (
    Body,
    Constant,
    Harmonic,
    Model,
    Ramp,
    Sum,
    Table,
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
    st.sampled_from(["", "mm", "1 parsec", "1,5 mm", "1e999 m", "nan", "1 m^", "1 (m", "1 m/s2", "1 furlong^2"]),
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
    in_place = st.tuples(wrong, st.integers(0, 2)).map(lambda p: [p[0] if i == p[1] else 0.0 for i in range(3)])
    return st.one_of(STRANGE.filter(lambda v: v is not None), LISTS, st.floats(), st.just([0.0] * 4), in_place)


NEGATIVE = st.floats(max_value=-1e-9, min_value=-1e9)
NOT_POSITIVE = NEGATIVE | st.just(0.0) | st.just(-0.0)
NOT_A_TEXT = st.one_of(st.none(), st.integers(), st.floats(), st.binary(), st.lists(st.integers(), max_size=2))
BAD_NAME = st.one_of(
    NOT_A_TEXT,
    st.sampled_from(["", " ", "a.b", "a/b", " a", "a ", "\t", "ground", "line\nbreak", "\x00", "\ud800", "."]),
    st.text(alphabet="./ ", max_size=4),
)
TAKEN = st.sampled_from(["a", "b", "hinge", "slide", "both", "ball", "motor", "load"])
BAD_CHOICE = (
    NOT_A_TEXT.filter(lambda v: v is not None) | st.sampled_from(["", "World", "x", "both"]) | st.just(np.zeros(3))
)
BAD_AXIS = st.one_of(
    st.sampled_from([(0, 0, 0), "w", "", "zz", (0, 0), (0, 0, 0, 1), 3.0, True, ("1 m", 0, 0), object(), (0, 0, None)]),
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
BAD_JOINT = st.sampled_from([None, 3, "unknown", "a", "", OTHER_JOINT, OTHER_BODY, object(), ["hinge"], np.zeros(3)])
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
