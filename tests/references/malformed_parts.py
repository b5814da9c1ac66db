"""Malformed models: names, bodies, frames and joints; each kind of fault with its values and the part of the message."""

from collections.abc import Callable
from typing import Any

from hypothesis import strategies as st
from references.malformed_values import (
    BAD_AXIS,
    BAD_BODY,
    BAD_INERTIA,
    BAD_JOINT,
    BAD_NAME,
    BAD_ORIENTATION,
    LISTS,
    NEGATIVE,
    NOT_A_TEXT,
    NOT_POSITIVE,
    STRANGE,
    TAKEN,
    Action,
    bad,
    bad_vector,
)

from pitchline.model import (
    Model,
    cylinder,
)

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
    kind(f"{title}: name taken", "already used", TAKEN, say)

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
    'body "new": specify solid',
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
    'joint "new" (universal): specify both',
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
