"""Parts of another model are refused, whatever method they are given to: also where a part of the same name exists."""

import copy
import inspect
import pickle
from collections.abc import Callable, Iterator
from typing import Any

import pytest

import pitchline as pl

GEAR = pl.Gear(teeth=20, normal_module="2 mm", face_width="10 mm")


def machine(name: str) -> pl.Model:
    """Parts of every kind, with the same names in every machine; it stands where its name says."""
    m = pl.Model(name)
    x = 0.1 * len(name)
    body = m.body("body", mass=1, inertia=(1, 1, 1), position=(x, 0, 0))
    other = m.body("other", mass=1, inertia=(1, 1, 1), position=(x, 0.2, 0))
    m.gear_body("gear", GEAR, position=(0, 0, x))
    m.gear_body("mate", GEAR, mesh_with="gear")
    m.revolute("hinge", m.ground, body, at=(x, 0, 0), axis="z")
    m.prismatic("slide", m.ground, other, axis="x")
    m.drive("drive", "slide", displacement=0)
    for name in ("ring", "carrier"):
        m.revolute(f"{name}_hinge", m.ground, m.body(name, mass=1, inertia=(1, 1, 1), position=(x, 0.4, 0)), axis="z")
    return m


ONE, OTHER = machine("one"), machine("another")
GROUND, BODY, FRAME, JOINT, WHEEL = (
    OTHER.ground, OTHER.bodies["body"], OTHER.bodies["body"].frame("f"), OTHER.joints["hinge"], OTHER.wheels["gear"]
)  # fmt: skip
GROUND_FRAME = OTHER.ground.frame("f")
ON_BODY = {"ground": GROUND, "body": BODY, "frame": FRAME, "frame on the ground": GROUND_FRAME}
"""All that an argument "on a body" may be."""

ON_JOINT = {"joint": JOINT}
joint = {"a": "body", "b": "other"}
LIFT = [("harmonic", "180 deg", "10 mm"), ("harmonic", "180 deg", 0)]
MINIMAL: dict[str, tuple[dict[str, Any], dict[str, dict[str, object]]]] = {
    # each method with valid arguments of this model, and its arguments that are parts with what they may be
    **{
        kind: (joint, {"a": ON_BODY, "b": ON_BODY})
        for kind in ("cylindrical", "spherical", "universal", "planar", "fixed", "distance", "point_on_line",
                     "point_on_plane", "plane_on_plane", "parallel_axes", "revolute", "prismatic")
    },
    "spring": (joint | {"stiffness": 1.0}, {"a": ON_BODY, "b": ON_BODY}),
    "screw": (joint | {"lead": 0.01}, {"a": ON_BODY, "b": ON_BODY}),
    "string": (joint | {"stiffness": 1.0}, {"a": ON_BODY, "b": ON_BODY}),
    "bushing": (joint | {"stiffness": [1.0] * 6}, {"a": ON_BODY, "b": ON_BODY}),
    "stop": ({"joint": "hinge", "stiffness": 1.0, "lower": -1}, {"joint": {"joint": JOINT}}),
    "drive": ({"joint": "hinge", "angle": 0}, {"joint": {"joint": JOINT}}),
    "torsion_spring": ({"joint": "hinge", "stiffness": 1}, {"joint": {"joint": JOINT}}),
    "force": (
        {"on": "body", "value": (1, 0, 0)},
        {"on": {**ON_BODY, "joint": OTHER.joints["slide"]}, "reaction": {"ground": GROUND, "body": BODY}},
    ),
    "torque": (
        {"on": "body", "value": (1, 0, 0)},
        {"on": {"body": BODY, "joint": JOINT}, "reaction": {"ground": GROUND, "body": BODY}},
    ),
    "gear_body": ({"gear": GEAR}, {"mesh_with": {"wheel": WHEEL, "body": OTHER.bodies["gear"], "ground": GROUND}}),
    "wheel": (
        {"body": "body", "gear": GEAR},
        {"body": ON_BODY, "mesh_with": {"wheel": WHEEL, "body": OTHER.bodies["gear"], "ground": GROUND}},
    ),
    "gear_pair": (
        {"a": "gear", "b": "mate", "mesh": pl.Rolling()},
        {key: {"wheel": WHEEL, "body": OTHER.bodies["gear"], "ground": GROUND} for key in "ab"},
    ),
    "bearing": (
        joint | {"design": pl.DeepGrooveBall(balls=7, ball="11.5 mm", pitch="43.5 mm")}, {"a": ON_BODY, "b": ON_BODY},
    ),
    "axial_support": (joint | {"stiffness": 1e6, "direction": "positive"}, {"a": ON_BODY, "b": ON_BODY}),
    "coupling": (joint | {"design": pl.ElasticCoupling("1 kN*m/rad")}, {"a": ON_BODY, "b": ON_BODY}),
    "beam": (joint | {"section": pl.BeamSection.circle("10 mm")}, {"a": ON_BODY, "b": ON_BODY}),
    "cam": (
        joint | {"profile": pl.CamProfile.from_lift(LIFT, base_radius=0.19), "roller_radius": "10 mm", "bilateral": True},
        {"a": ON_BODY, "b": ON_BODY},
    ),
    # laws on the coordinates of joints
    **{
        kind: ({"on": "hinge"} | said, {"on": ON_JOINT})
        for kind, said in {
            "dc_motor": {"voltage": 24, "resistance": 1, "constant": 0.1},
            "induction_motor": {"voltage": 230, "angular_frequency": 314, "pole_pairs": 2, "stator_resistance": 1,
                                "rotor_resistance": 1, "stator_leakage": 0.01, "rotor_leakage": 0.01,
                                "magnetizing_inductance": 0.1},
            "kloss_motor": {"angular_frequency": 314, "pole_pairs": 2, "breakdown_torque": 10, "breakdown_slip": 0.2},
            "motor_map": {"speeds": (0, 100), "torques": (10, 5)},
            "combustion_engine": {"speeds": (0, 100), "torques": (10, 5), "gas_torque": (0, 9, 0, -9), "firing_angles": (0,)},
            "fan_load": {"rated_torque": 1, "rated_speed": 1},
            "speed_load": {"speeds": (0, 100), "torques": (0, 5)},
            "road_load": {"radius": 0.3, "vehicle_mass": 1000},
        }.items()
    },
    "friction": ({"joint": "hinge", "coulomb": 1}, {"joint": ON_JOINT}),
    "brake": ({"joint": "hinge", "capacity": 1}, {"joint": ON_JOINT}),
    **{
        kind: ({"joint": "hinge", "other": "ring_hinge"} | said, {"joint": ON_JOINT, "other": ON_JOINT})
        for kind, said in {"clutch": {"capacity": 1}, "torque_limiter": {"torque": 1}, "one_way_clutch": {}}.items()
    },
    "ratio": ({"a": "hinge", "b": "ring_hinge", "ratio": 2}, {"a": ON_JOINT, "b": ON_JOINT}),
    "planetary_ratio": (
        {"sun": "hinge", "ring": "ring_hinge", "carrier": "carrier_hinge", "ratio": 2},
        dict.fromkeys(("sun", "ring", "carrier"), ON_JOINT),
    ),
    # elements on bodies
    "rotor": ({"on": "body", "inertia": 1}, {"on": ON_BODY}),
    "sensor": ({"on": "body"}, {"on": ON_BODY, "relative_to": ON_BODY}),
    "road_resistance": ({"on": "body", "vehicle_mass": 1000}, {"on": ON_BODY}),
    "propeller": (
        {"on": "body", "diameter": 0.3, "density": 1000, "advance_ratios": (0, 1), "thrust_coefficients": (0.4, 0),
         "torque_coefficients": (0.05, 0)},
        {"on": ON_BODY},
    ),
    "torque_converter": (
        {"housing": "ground", "pump": "body", "turbine": "other", "speed_ratios": (0, 1), "capacities": (1e-3, 0),
         "torque_ratios": (2, 1)},
        dict.fromkeys(("housing", "pump", "turbine"), ON_BODY),
    ),
    "belt_drive": (
        joint | {"radius_a": 0.05, "radius_b": 0.05, "tensile_stiffness": 1e5, "pretension": 100}, {"a": ON_BODY, "b": ON_BODY},
    ),
    "chain_drive": (
        joint | {"pitch": "12.7 mm", "teeth_a": 17, "teeth_b": 17, "tensile_stiffness": 1e5}, {"a": ON_BODY, "b": ON_BODY},
    ),
    "attached_mass": ({"on": "body", "mass": 1.0}, {"on": ON_BODY}),
    "look": ({"part": "body", "colour": "blue"}, {"part": {"ground": GROUND, "body": BODY, "wheel": WHEEL}}),
    "joint_coordinates": ({"joint": "hinge"}, {"joint": {"joint": JOINT}}),
    "placed": ({"frame": ONE.bodies["body"].frame("f")}, {"frame": {"frame": FRAME, "ground": GROUND_FRAME}}),
}  # fmt: skip


def takes_parts(method: Callable[..., Any]) -> bool:
    said = " ".join(str(p.annotation) for p in inspect.signature(method).parameters.values())
    return any(word in said for word in ("OnBody", "Body", "Joint", "Wheel", "Frame", "Drive", "Load"))


def public_methods() -> dict[str, Callable[..., Any]]:
    return {name: f for name, f in inspect.getmembers(pl.Model, inspect.isfunction) if not name.startswith("_")}


def test_every_method_that_takes_parts_is_tried() -> None:
    assert {name for name, method in public_methods().items() if takes_parts(method)} == set(MINIMAL)


def cases() -> Iterator[Any]:
    for method, (_, arguments) in MINIMAL.items():
        for argument, parts in arguments.items():
            for kind, part in parts.items():
                yield pytest.param(method, argument, part, id=f"{method} {argument} {kind}")


@pytest.mark.parametrize("method", [name for name in MINIMAL if name != "placed"])
def test_the_arguments_are_valid(method: str) -> None:
    """Without a foreign part nothing is refused: the errors below are about the parts. A frame is that of one model."""
    m = machine("one")
    named = {"name": "new"} if "name" in inspect.signature(getattr(pl.Model, method)).parameters else {}
    before = repr(m.describe())
    getattr(m, method)(**named, **MINIMAL[method][0])
    assert not named or repr(m.describe()) != before


@pytest.mark.parametrize("method, argument, part", list(cases()))
def test_foreign_parts_are_refused(method: str, argument: str, part: object) -> None:
    m = machine("one")
    before = m.describe()
    given = {**MINIMAL[method][0], argument: part}
    if "name" in inspect.signature(getattr(pl.Model, method)).parameters:
        given["name"] = "new"
    if method == "placed":
        m = ONE
        before = m.describe()
    with pytest.raises(pl.ModelError, match=r'belongs to another model \("another"\), not to "one"; '):
        getattr(m, method)(**given)
    assert repr(m.describe()) == repr(before)  # and nothing of it was kept


def test_rolling_on_a_foreign_part_is_refused() -> None:
    for a, b in ((GROUND, "body"), ("body", GROUND), (BODY, "other"), ("other", FRAME)):
        with pytest.raises(pl.ModelError, match="belongs to another model"):
            machine("one").gear_pair("new", a, b, mesh=pl.Rolling(ratio=1.5))


@pytest.mark.parametrize("member", ["sun", "ring", "carrier"])
@pytest.mark.parametrize("part", [GROUND, BODY], ids=["ground", "body"])
def test_a_planetary_on_a_foreign_part_is_refused(member: str, part: pl.Body) -> None:
    sun, planet, ring = (
        pl.Gear(teeth=z, normal_module="2 mm", face_width="10 mm", internal=z == 96) for z in (24, 36, 96)
    )
    with pytest.raises(pl.ModelError, match=r'belongs to another model \("another"\)'):
        pl.planetary(machine("one"), "train", sun=sun, planet=planet, ring=ring, planets=3, on={member: part})


def test_own_parts_are_taken() -> None:
    m = machine("one")
    assert m.revolute("new", m.ground, m.bodies["other"]).body_a == "ground"
    m.spring("spring", m.ground.frame("f", position=(0, 0, 1)), m.bodies["body"], stiffness=1)
    assert m.joint_coordinates(m.joints["hinge"]) == (0.0, 0.0)


@pytest.mark.parametrize("how", [copy.deepcopy, lambda m: pickle.loads(pickle.dumps(m))], ids=["copy", "pickle"])
def test_a_copy_has_parts_of_its_own(how: Callable[[pl.Model], pl.Model]) -> None:
    m = machine("one")
    twin = how(m)
    twin.revolute("new", twin.ground, twin.bodies["other"], at=(0, 0, 0))
    for part in (m.ground, m.bodies["other"]):
        with pytest.raises(pl.ModelError, match=r'belongs to another model \("one"\), not to "one"'):
            twin.spherical("more", part, "body")


def test_a_part_that_nobody_holds_is_refused() -> None:
    def body() -> pl.Body:
        return machine("gone").bodies["body"]

    with pytest.raises(pl.ModelError, match='body "body" belongs to another model'):
        machine("one").spherical("new", body(), "other")


# ---- results


def test_results_of_other_models_are_refused_as_a_start() -> None:
    """One that has all bodies serves: a part may be left out, or have another mass."""
    two, three = pl.Model("two"), pl.Model("three")
    for m, bodies in ((two, "ab"), (three, "abc")):
        for body in bodies:
            m.body(body, mass=1, inertia=(1, 1, 1))
    run = pl.dynamics(two, duration=0.01, step=1e-3)
    with pytest.raises(pl.ModelError, match=r'of model "two" has no body "c". Start from a result of the same model'):
        pl.dynamics(three, duration=0.01, start=run)
