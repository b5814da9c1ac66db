"""Malformed models: drives, loads and functions of time, added to the kinds of `malformed_parts`."""

import math
from typing import Any

import numpy as np
from hypothesis import strategies as st
from references.malformed_parts import KINDS, kind
from references.malformed_values import (
    BAD_AXIS,
    BAD_BODY,
    BAD_CALLABLE,
    BAD_CHOICE,
    BAD_JOINT,
    LISTS,
    NEGATIVE,
    NO_ANGLE,
    NO_DISPLACEMENT,
    NOT_A_TEXT,
    NOT_POSITIVE,
    OTHER_JOINT,
    STRANGE,
    bad,
    bad_value,
    bad_values,
    bad_vector,
)

from pitchline.model import (
    Constant,
    Fourier,
    Harmonic,
    Model,
    PiecewisePolynomial,
    Polynomial,
    Ramp,
    Sampled,
    Sum,
    Table,
)

# Drives.

NEW_DRIVE = 'drive "new"'
kind("drive: joint", NEW_DRIVE, BAD_JOINT, lambda m, v: m.drive("new", v, speed=1))
kind("drive: joint without coordinate", NEW_DRIVE, st.just("ball"), lambda m, v: m.drive("new", v, speed=1))
kind("drive: nothing given", NEW_DRIVE, st.just("slide"), lambda m, v: m.drive("new", v))
kind("drive: too much given", NEW_DRIVE, st.floats(0, 1), lambda m, v: m.drive("new", "both", angle=v, speed=v))
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
kind("torsion spring: does nothing", TS, st.none(), lambda m, v: m.torsion_spring("new", "hinge", stiffness=v))

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
kind("stop: coordinate", P, BAD_CHOICE, lambda m, v: m.stop("new", "both", upper=1, stiffness=1, coordinate=v))
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
