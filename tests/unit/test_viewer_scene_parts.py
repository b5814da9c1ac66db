"""What is drawn beside gears: shafts, beams, bearings, flexible bodies, cams, carriers, links, joints and springs."""

import math
from dataclasses import replace
from functools import cache

import numpy as np
import pytest
from references.scene_heads import array_of, body_of, check_closed, head_of, volume

import pitchline as pl
from pitchline import gallery
from pitchline.model.describe import describe, plain_data
from pitchline.parts.bearings.law import RowPlace
from pitchline.parts.bearings.scene import BearingGeometry, bearing_design, ring_outline, rolling_element
from pitchline.parts.gears.triangles import Triangles
from pitchline.parts.planetary.scene import planet_pins
from pitchline.viewer.block import Block
from pitchline.viewer.scene_checked import scene
from pitchline.viewer.scene_parts import SceneSource, turned

KINDS = (
    "bevel-pair", "three-wheels", "kubo-b", "worm", "two-stage", "crossed-helical", "internal-pair", "hypoid", "rack-and-pinion",
    "planetary", "epicyclic", "robot-arm", "table1-ltca-relieved", "table3-beveloid", "press", "four-bar", "governor",
    "cam-follower", "rotor", "bathe-bend", "stepped-rotor", "ball-bearing", "housing", "gearbox", "wind-gearbox",
)  # fmt: skip
"""Models of the gallery that differ in what is drawn."""


@cache
def built(name: str) -> pl.Model:
    return gallery.model(name).build()


CIRCLE = 48 / (2 * math.pi) * math.sin(2 * math.pi / 48)


def poses(head: dict, block: Block, name: str) -> tuple[np.ndarray, np.ndarray]:
    body = body_of(head, name)
    return array_of(block, body["place"]), array_of(block, body["turn"])


@pytest.mark.parametrize("name", KINDS)
def test_models_of_the_gallery_have_a_scene(name: str) -> None:
    head, block = head_of(built(name))
    block.bytes(head)  # is plain data without infinities
    names = {body["name"] for body in head["bodies"]} | {"ground"}
    assert len(names) >= len(head["bodies"])
    for body in head["bodies"]:
        assert body["parts"] or "structure" in body, f"nothing is drawn of {body['name']}"
        for part in body["parts"]:
            assert part["shape"] in head["shapes"] and np.isfinite(part["position"]).all()
            assert np.asarray(part["rotation"]) @ np.asarray(part["rotation"]).T == pytest.approx(np.eye(3), abs=1e-9)
    for each in head["joints"]:
        assert each["body"] in names and each["other"] in names and each["size"] > 0.0
    for each in head["springs"]:
        assert each["a"]["body"] in names and each["b"]["body"] in names and each["radius"] > 0.0


# --------------------------------------------------------------------------------------------------- shafts and beams


def test_shaft_is_turned_from_its_sections() -> None:
    model = pl.Model("shaft")
    sections = [pl.ShaftSection("40 mm", "30 mm"), pl.ShaftSection("60 mm", "50 mm", inner="20 mm", outer_end="40 mm")]
    model.shaft("axle", sections, position=(0.1, 0.2, 0.3), axis="x", stations={"seat": "50 mm"})
    head, block = head_of(model)
    body = body_of(head, "axle")
    (part,) = body["parts"]
    cone = math.pi / 12 * 0.06 * (0.05**2 + 0.05 * 0.04 + 0.04**2)
    solid = math.pi / 4 * (0.03**2 * 0.04 - 0.02**2 * 0.06) + cone
    assert volume(head, block, part) == pytest.approx(CIRCLE * solid, rel=1e-4)
    # stands where the model has it: from its start along x
    x, q = poses(head, block, "axle")
    assert q[0] == pytest.approx(poses(head, block, "axle seat")[1][0])
    R = rotation(q[0])
    assert x[0] + R @ part["position"] == pytest.approx([0.1, 0.2, 0.3], abs=1e-6)
    assert R @ np.array(part["rotation"])[:, 2] == pytest.approx([1.0, 0.0, 0.0], abs=1e-6)
    assert ("Length", "100 mm") in part["info"] and ("Diameter", "30 to 50 mm") in part["info"]
    assert body_of(head, "axle seat")["structure"] == "axle"


def rotation(q: np.ndarray) -> np.ndarray:
    w, v = float(q[0]), q[1:].astype(float)
    K = np.array([[0, -v[2], v[1]], [v[2], 0, -v[0]], [-v[1], v[0], 0]])
    return np.eye(3) + 2 * w * K + 2 * K @ K


@pytest.mark.parametrize(
    "section, area",
    [
        (pl.BeamSection.circle("20 mm"), math.pi * 0.01**2),
        (pl.BeamSection.rectangle("10 mm", "30 mm", angle="20 deg"), 3e-4),
        (pl.BeamSection.from_properties(3e-4, (2.25e-8, 2.5e-9), 8e-9), 3e-4),  # those of the rectangle
    ],
)
def test_beam_is_drawn_with_its_section(section: pl.BeamSection, area: float) -> None:
    model = pl.Model("beam")
    model.beam("bar", (0, 0, 0), (0.5, 0.1, 0), section, elements=3)
    head, block = head_of(model)
    parts = [part for body in head["bodies"] for part in body["parts"] if part["name"] == "bar"]
    assert len(parts) == 4  # a piece for each node
    assert sum(volume(head, block, part) for part in parts) == pytest.approx(area * math.hypot(0.5, 0.1), rel=0.02)


def test_curved_beam_goes_through_its_nodes() -> None:
    head, block = head_of(built("bathe-bend"))
    total = sum(volume(head, block, p) for b in head["bodies"] for p in b["parts"] if p["name"] == "bend")
    assert total == pytest.approx(78.54, rel=2e-3)  # 45 degrees of a radius of 100, section 1 by 1


# ------------------------------------------------------------------------------------------------------------- bearings

DEEP = pl.DeepGrooveBall(balls=8, ball="12 mm", pitch="60 mm", bore="35 mm", outer="85 mm", width="20 mm")
BEARINGS = [
    DEEP,
    pl.AngularContactBall(
        balls=12, ball="12 mm", pitch="60 mm", contact_angle="40 deg", arrangement="back-to-back", distance="25 mm"
    ),
    pl.CylindricalRoller(
        rollers=12, roller="10 mm", length="12 mm", pitch="60 mm", bore="40 mm", outer="80 mm", width="18 mm"
    ),
    pl.TaperedRoller(rollers=14, roller="10 mm", length="14 mm", pitch="60 mm", contact_angle="15 deg"),
    pl.SphericalRoller(rollers=14, roller="10 mm", length="10 mm", pitch="60 mm", contact_angle="12 deg"),
    pl.NeedleRoller(rollers=20, roller="3 mm", length="20 mm", pitch="40 mm"),
]


@pytest.mark.parametrize("design", BEARINGS, ids=lambda design: type(design).__name__)
@pytest.mark.parametrize("flipped", [False, True])
def test_rings_are_closed_and_rolling_elements_lie_between_them(design: object, flipped: bool) -> None:
    made = BearingGeometry(design, flipped=flipped)
    rings = {ring: turned(ring_outline(made, ring)) for ring in ("inner", "outer")}
    for surface in rings.values():
        check_closed(surface)
    gap = 0.02 * design.diameter
    for row in made.rows:
        element = rolling_element(made, row)
        assert element.volume > 0.0
        r, z = np.hypot(*element.points[:, :2].T), element.points[:, 2]
        for ring, sign in (("inner", -1.0), ("outer", 1.0)):
            outline = ring_outline(made, ring)[:-2]  # the race alone, by height
            race = np.interp(z, outline[:, 1], outline[:, 0])
            assert (sign * (race - r)).min() > -gap, (ring, row)  # does not cut into the ring ...
        assert min((race - r).min(), 1.0) < 0.1 * design.diameter  # ... and touches the outer one
    low, high = made.span
    assert rings["outer"].points[:, 2].min() == pytest.approx(low) and rings["inner"].points[
        :, 2
    ].max() == pytest.approx(high)


def test_tapered_rollers_point_to_where_their_row_takes_forces() -> None:
    """The inner ring pushes along +z: the outer race narrows to +z, and the roller with it."""
    made = BearingGeometry(BEARINGS[3], flipped=False)
    assert made.rows[0].direction == 1.0
    element = rolling_element(made, RowPlace())
    r = np.hypot(*element.points[:, :2].T)
    up, down = element.points[:, 2] > 0.004, element.points[:, 2] < -0.004
    assert r[up].max() < r[down].max() and r[up].mean() < r[down].mean()
    assert np.ptp(element.points[up, 1]) < np.ptp(element.points[down, 1])


@pytest.mark.parametrize("design", BEARINGS, ids=lambda design: type(design).__name__)
def test_bearings_are_found_again_in_descriptions(design: object) -> None:
    again = bearing_design(plain_data(design))
    assert again == design and again.places == design.places and again.cage_ratio == design.cage_ratio
    assert bearing_design(plain_data(design) | {"pitch": -1.0}) is None
    assert bearing_design(plain_data(design) | {"type": "Plain"}) is None
    assert bearing_design({"type": type(design).__name__}) is None


def bearing_model(design: object) -> pl.Model:
    model = pl.Model("bearing")
    shaft = model.body("shaft", mass=1.0, inertia=(1e-3, 1e-3, 5e-4))
    model.bearing("seat", model.ground, shaft, design)
    return model


def test_bearing_has_all_its_balls_and_says_what_it_is() -> None:
    head, block = head_of(bearing_model(DEEP))
    (balls,) = body_of(head, "seat rolling elements")["parts"]
    assert head["shapes"][balls["shape"]]["count"] == 8
    assert volume(head, block, balls) == pytest.approx(8 * math.pi / 6 * 0.012**3, rel=0.06)
    inner = next(part for part in body_of(head, "shaft")["parts"] if part["kind"] == "bearing")
    assert ("Bore, outer diameter, width", "35, 85, 20 mm") in inner["info"]
    assert ("Rolling elements", "8 balls of 12 mm") in inner["info"]
    assert body_of(head, "ground")["parts"][0]["ring"] == "outer"
    head, _ = head_of(bearing_model(BEARINGS[3]))
    assert any("bore and outer and width not given" in note for note in head["notes"])


def test_rolling_elements_turn_with_the_cage() -> None:
    """Many turns of the inner ring, few samples a turn: the cage follows by (1 - D_w/D_pw)/2."""
    time = np.linspace(0.0, 1.0, 30)
    speed = 2 * math.pi * 40.0  # 1.4 turns a sample
    half = 0.5 * speed * time
    turn = np.column_stack([np.cos(half), 0 * half, 0 * half, np.sin(half)])
    signals = {
        "shaft.position": np.zeros((30, 3)), "shaft.orientation": turn,
        "shaft.angular_velocity": np.tile([0.0, 0.0, speed], (30, 1)),
    }  # fmt: skip
    block = Block()
    head = scene(SceneSource(describe(bearing_model(DEEP)), time, slice(None), signals), block)
    q = poses(head, block, "seat rolling elements")[1].astype(float)
    angle = 0.5 * (1 - 12 / 60) * speed * time
    assert np.abs(q[:, 0] * np.cos(0.5 * angle) + q[:, 3] * np.sin(0.5 * angle)) == pytest.approx(np.ones(30), abs=1e-5)


# ------------------------------------------------------------------------------------------------------- flexible bodies


def test_housing_is_drawn_from_its_description_alone() -> None:
    said = describe(built("gearbox"))
    head, block = head_of(said)
    part = body_of(head, "housing")["parts"][0]
    assert part["kind"] == "housing" and part["opacity"] < 1.0
    body = built("gearbox").structures["housing"].superelement
    density = body.source["material"].density
    assert volume(head, block, part) * density == pytest.approx(body.mass, rel=2e-3)  # round seats of straight pieces
    del said["flexible_bodies"]["housing"]["superelement"]["shape"]
    head, _ = head_of(said)
    assert any("drawn as bars between its interfaces" in note for note in head["notes"])


def test_surface_of_a_mesh_is_kept_in_the_description() -> None:
    body = built("gearbox").structures["housing"].superelement
    said = describe(built("gearbox"))
    said["flexible_bodies"]["housing"]["superelement"] = plain_data(replace(body, source=None))
    head, block = head_of(said)
    part = body_of(head, "housing")["parts"][0]
    assert volume(head, block, part) == pytest.approx(Triangles(body.points, body.triangles).volume, rel=1e-4)


# ------------------------------------------------------------------------------------------- carriers, cams and the rest


def test_carrier_has_a_pin_in_each_planet() -> None:
    model = describe(built("planetary"))
    pins = planet_pins(model, "carrier")
    assert sorted(pin["body"] for pin in pins) == ["planet_1", "planet_2", "planet_3"]
    assert [math.hypot(*pin["place"][:2]) for pin in pins] == pytest.approx([0.06] * 3)
    assert all(pin["radius"] == pytest.approx(0.015) for pin in pins)


def test_cam_plate_has_the_outline_of_the_profile() -> None:
    model = built("cam-follower")
    head, block = head_of(model)
    disc = body_of(head, "disc")
    cams = [part for part in disc["parts"] if part["kind"] == "cam"]
    assert len(cams) == 1  # the groove of the same profile in the same place is not drawn again
    profile = model.elements["cam"].values["profile"]
    p = profile.outline("8 mm", points=360)
    area = 0.5 * float(np.sum(p[:, 0] * np.roll(p[:, 1], -1) - np.roll(p[:, 0], -1) * p[:, 1]))
    assert volume(head, block, cams[0]) == pytest.approx(area * 0.012, rel=1e-4)
    # the roller touches the plate: distance of its centre from the nearest point of the outline is its radius
    turn = np.array(cams[0]["rotation"])
    (x, q), (y, _) = poses(head, block, "disc"), poses(head, block, "follower")
    outline = x[0] + np.column_stack([p, np.zeros(len(p))]) @ (rotation(q[0]) @ turn).T
    assert np.linalg.norm(outline - y[0], axis=1).min() == pytest.approx(0.008, abs=2e-5)


def test_mechanisms_are_bars_between_their_joints() -> None:
    model = pl.Model("pendulum")
    rod = model.body("rod", mass=1.0, inertia=(1e-6, 0.02, 0.02), centre_of_mass=(0.25, 0, 0))
    model.revolute("pivot", model.ground, rod, at=(0, 0, 0), axis="y")
    bob = model.body("bob", mass=2.0, inertia=(1e-3, 1e-3, 1e-3), position=(0.5, 0, 0))
    model.fixed("weld", rod, bob, at=(0.5, 0, 0))
    head, _ = head_of(model)
    (part,) = body_of(head, "rod")["parts"]
    assert part["kind"] == "stand-in" and "bar between its joints" in part["note"]
    assert head["shapes"][part["shape"]]["reach"] == pytest.approx(0.5, rel=0.05)
    assert "equal inertia" in body_of(head, "bob")["parts"][0]["note"]


def test_springs_and_joints_have_sizes_of_what_they_join() -> None:
    head, _ = head_of(built("planetary"))
    planet = body_of(head, "planet_1")["parts"][0]
    reach = head["shapes"][planet["shape"]]["reach"]
    assert reach == pytest.approx(math.hypot(0.038, 0.015), rel=1e-3)
    sizes = {joint["name"]: joint["size"] for joint in head["joints"]}
    assert sizes["pin_1"] == pytest.approx(0.18 * reach)  # that of the planet, not of the ring
    model = pl.Model("spring")
    model.body("mass", mass=1.0, inertia=(1e-3, 1e-3, 1e-3), position=(0, 0, 0.4))
    model.spring("coil", model.ground, "mass", at_a=(0, 0, 0), at_b=(0, 0, 0.4), stiffness=100.0)
    (spring,) = head_of(model)[0]["springs"]
    assert spring["kind"] == "spring" and spring["a"]["body"] == "ground" and spring["radius"] == pytest.approx(0.012)


def test_names_units_and_many_bodies() -> None:
    model = pl.Model("many")
    for k in range(1500):
        model.body(f'<b>"x{k}"', mass=1.0, inertia=(1e-3, 1e-3, 2e-3), position=(0.1 * k, 0, 0))
    head, _ = head_of(model)
    assert len(head["bodies"]) == 1500 and len(head["shapes"]) == 1
    assert head["bodies"][7]["name"] == '<b>"x7"' and ("Mass", "1 kg") in head["bodies"][7]["info"]
    assert len(head["notes"]) == 1 and "1496 more" in head["notes"][0]


def test_model_with_only_the_ground_is_an_empty_scene() -> None:
    head, block = head_of(pl.Model("nothing"))
    assert head["bodies"] == [] and head["joints"] == [] and head["notes"] == []
    block.bytes(head)


def test_colours_tell_meshing_gears_apart_and_follow_the_model() -> None:
    head, _ = head_of(built("planetary"))
    colours = {body["name"]: body["colour"] for body in head["bodies"]}
    assert colours["planet_1"] == colours["planet_2"] != colours["sun"]
    assert len({colours["planet_1"], colours["sun"], colours["ring"]}) == 3
    model = describe(built("planetary"))
    model["bodies"]["sun"]["colour"] = "#123456"
    assert body_of(head_of(model)[0], "sun")["colour"] == "#123456"


def test_bodies_without_mass_or_size_are_small_balls_or_bars() -> None:
    model = pl.Model("points")
    model.body("frame", mass=0.0, inertia=(0, 0, 0))
    model.body("point", mass=1.0, inertia=(0, 0, 0), position=(1.0, 0, 0))
    model.body("alone", mass=0.0, inertia=(0, 0, 0), position=(0, 1.0, 0))
    model.spherical("ball", "frame", "point", at=(0.5, 0, 0))
    head, _ = head_of(model)
    assert "small ball" in body_of(head, "alone")["parts"][0]["note"]
    assert "bar between its joints" in body_of(head, "point")["parts"][0]["note"]
