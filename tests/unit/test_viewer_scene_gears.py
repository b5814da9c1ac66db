"""Gears of a scene: surfaces of every kind against the library's own, teeth that mesh in the picture."""

import math

import numpy as np
import pytest
from references.scene_heads import array_of, check_closed, head_of
from references.tooth_overlap import depth

import pitchline as pl
from pitchline import gallery
from pitchline.gears import Gear, GearPair, Rack
from pitchline.model.describe import describe
from pitchline.parts.gears.scene import GearShapes, fineness, magnified, one_of, plain_teeth_surface
from pitchline.parts.gears.solid_surface import (
    gear_surface,
    rack_surface,
    spiral_angle,
    spiral_bevel_surface,
    spiral_turn,
    surface_of_teeth,
    teeth_of,
)
from pitchline.parts.gears.teeth import PitchDeviation, TipRelief
from pitchline.parts.gears.triangles import SurfaceFineness, Triangles
from pitchline.viewer.block import Block
from pitchline.viewer.records import record_of
from pitchline.viewer.scene_checked import scene
from pitchline.viewer.scene_parts import SceneSource

SPUR = {"teeth": 24, "normal_module": "2 mm", "face_width": "20 mm"}


# ------------------------------------------------------------------------------------------------------------- surfaces


@pytest.mark.parametrize("teeth, helix", [(7, 0), (8, 20), (5, -30)])
def test_rack_has_the_volume_of_bar_and_trapezoids(teeth: int, helix: float) -> None:
    rack = Rack(
        teeth=teeth,
        normal_module="4 mm",
        face_width="30 mm",
        depth="20 mm",
        helix_angle=f"{helix} deg",
        root_radius_factor=0.0,
    )
    surface = gear_surface(rack)
    check_closed(surface)
    slope = math.tan(rack.normal_pressure_angle)
    thick = rack.normal_tooth_thickness + (rack.dedendum - rack.addendum) * slope  # half way up the tooth
    tooth = thick / math.cos(rack.helix_angle) * (rack.addendum + rack.dedendum)
    volume = (rack.length * (rack.depth - rack.dedendum) + teeth * tooth) * rack.face_width
    assert surface.volume == pytest.approx(volume, rel=1e-12)
    middle = 0.5 * rack.transverse_pitch if teeth % 2 == 0 else 0.0
    lean = 0.5 * rack.face_width * abs(math.tan(rack.helix_angle))
    assert surface.points[:, 1].min() == pytest.approx(middle - 0.5 * rack.length - lean)
    assert surface.points[:, 1].max() == pytest.approx(middle + 0.5 * rack.length + lean)


def test_fillets_of_a_rack_touch_flank_and_root() -> None:
    rack = Rack(teeth=3, normal_module="4 mm", face_width="30 mm")
    surface = rack_surface(rack, profile_points=60)
    check_closed(surface)
    p = surface.points[np.abs(surface.points[:, 2] + 0.015) < 1e-9]
    on_tooth = p[(np.abs(p[:, 1]) < 0.5 * rack.transverse_pitch) & (p[:, 0] > -rack.dedendum - 1e-9)]
    assert (
        depth(rack, on_tooth[on_tooth[:, 0] < rack.addendum - 1e-9]) < 1e-12
    ).all()  # the fillet adds to the plain flank


def test_spiral_is_an_arc_of_the_mean_angle() -> None:
    mean = math.radians(35.0)
    x = np.linspace(0.8, 1.2, 9)
    # the arc of radius R_m about a centre that sees the middle of the tooth at right angles to it
    turn = spiral_turn(mean, x)
    points = x * np.exp(1j * turn)
    centre = 1.0 + 1j * np.exp(1j * mean)
    assert np.abs(points - centre) == pytest.approx(np.ones(9), abs=2e-5)
    assert spiral_angle(mean, np.ones(1))[0] == pytest.approx(mean)
    assert spiral_turn(-mean, x) == pytest.approx(-turn)


@pytest.mark.parametrize("sign", [1.0, -1.0])
def test_spiral_bevels_are_closed_and_have_their_hand(sign: float) -> None:
    gear = Gear(
        teeth=14,
        normal_module="3 mm",
        helix_angle=sign * math.radians(35),
        cone_angle="20 deg",
        face_width="25 mm",
        bore="20 mm",
    )
    surface = spiral_bevel_surface(gear, fineness(14))
    check_closed(surface)
    assert one_of(surface, 14) is not None
    plain = gear.with_(helix_angle=0.0, normal_module=3e-3 / math.cos(gear.helix_angle))
    straight = surface_of_teeth(teeth_of(plain), SurfaceFineness())
    assert surface.volume == pytest.approx(straight.volume, rel=0.1)  # other pressure angle and heights, the same blank
    grid = surface.flanks["left"]
    line = surface.points[grid.points[0, -1]]
    turn = np.unwrap(np.angle(line[:, 0] + 1j * line[:, 1]))
    assert (np.diff(turn) * np.diff(line[:, 2]) * sign > 0.0).all()  # right-hand: turns with z as a right-hand screw


@pytest.mark.parametrize("internal", [False, True])
def test_plain_teeth_are_closed_and_as_large_as_true_ones(internal: bool) -> None:
    gear = Gear(
        **SPUR | {"teeth": 60}, helix_angle="15 deg", internal=internal, rim_diameter="150 mm" if internal else None
    )
    surface = plain_teeth_surface(gear, math.radians(5.0))
    check_closed(surface)
    assert surface.volume == pytest.approx(gear_surface(gear).volume, rel=0.01)
    assert one_of(surface, 60) is not None


@pytest.mark.parametrize(
    "change",
    [
        {},
        {"helix_angle": "20 deg"},
        {"teeth": 60, "internal": True, "rim_diameter": "150 mm"},
        {"profile_shift_angle": "5 deg", "helix_angle": "10 deg"},
        {"cone_angle": "30 deg", "face_width": "15 mm"},
        {"teeth": 2, "worm": True, "helix_angle": "85 deg", "face_width": "60 mm"},
        {"bore": "10 mm", "modifications": TipRelief("20 um", length="1 mm")},
        {"body": pl.gears.GearBody(bore="12 mm", rim_thickness="4 mm", web_thickness="6 mm", hub_diameter="20 mm")},
    ],
)
def test_coarse_surfaces_are_cut_into_equal_pitches(change: dict) -> None:
    gear = Gear(**SPUR | change)
    fine = fineness(gear.teeth)
    surface = surface_of_teeth(teeth_of(gear), fine)
    check_closed(surface)
    piece = one_of(surface, gear.teeth)
    assert piece is not None and len(piece.triangles) * gear.teeth == len(surface.triangles)
    assert surface.volume == pytest.approx(gear_surface(gear).volume, rel=5e-3)
    # the pitches together are the gear: the divergence theorem gives its volume
    p = piece.points[piece.triangles]
    assert gear.teeth * np.einsum("ti,ti->", p[:, 0], np.cross(p[:, 1], p[:, 2])) / 6.0 == pytest.approx(
        surface.volume, rel=1e-9
    )


# ---------------------------------------------------------------------------------------------------------------- scenes


def wheel_scene(*gears: Gear | Rack) -> tuple[dict, Block]:
    model = pl.Model("wheels")
    for k, gear in enumerate(gears):
        body = model.body(f"body {k}", mass=1.0, inertia=(1e-3, 1e-3, 1e-3), position=(0.5 * k, 0.0, 0.0))
        model.wheel(f"wheel {k}", body, gear)
    return head_of(model)


def test_equal_gears_share_a_shape() -> None:
    gear = Gear(**SPUR)
    head, _ = wheel_scene(*[gear] * 40, gear.with_(teeth=25))
    assert len(head["shapes"]) == 2
    assert [shape["count"] for shape in head["shapes"].values()] == [24, 25]
    assert head["bodies"][3]["parts"][0]["name"] == "wheel 3"
    assert head["notes"] == []


def test_teeth_that_differ_are_drawn_one_by_one() -> None:
    head, block = wheel_scene(Gear(**SPUR, modifications={"per_tooth": {3: PitchDeviation("50 um")}}))
    (shape,) = head["shapes"].values()
    assert shape["type"] == "mesh"
    whole = surface_of_teeth(teeth_of(Gear(**SPUR)), fineness(24), 7)
    assert block.arrays[shape["index"]]["shape"][0] == 3 * len(whole.triangles)


def test_modifications_are_magnified_and_said() -> None:
    gear = Gear(**SPUR, modifications=TipRelief("20 um", length="1 mm"))
    surfaces = [surface_of_teeth(teeth_of(each), fineness(24)) for each in (gear, magnified(gear, 10.0))]
    tips = [each.points[each.flanks["left"].points[:, -1]] for each in surfaces]
    assert np.linalg.norm(tips[1] - tips[0], axis=-1) == pytest.approx(np.full(tips[0].shape[:2], 9 * 20e-6), rel=1e-9)
    model = pl.Model("relief")
    model.wheel("wheel", model.body("body", mass=1.0, inertia=(1e-3, 1e-3, 1e-3)), gear)
    for factor in (1.0, 10.0):
        source = SceneSource(describe(model), np.zeros(1), slice(None), {})
        part = scene(source, Block(), magnify_corrections=factor)["bodies"][0]["parts"][0]
        assert ("10 times" in part.get("note", "")) == (factor == 10.0)
        assert ("Modifications", "tip relief 20 µm over 1 mm") in part["info"]


@pytest.mark.parametrize(
    "gear, note",
    [
        (Gear(teeth=24, normal_module="2 mm"), "face width not given: drawn 16 mm wide"),
        (Gear(teeth=60, normal_module="2 mm", face_width="20 mm", internal=True), "rim drawn three modules"),
        (Gear(teeth=40, normal_module="2 mm", cone_angle="90 deg", face_width="5 mm"), "crown wheel drawn"),
        (
            Gear(teeth=14, normal_module="2 mm", cone_angle="20 deg", helix_angle="35 deg", face_width="5 mm"),
            "mean spiral angle",
        ),
        (Rack(teeth=9, normal_module="2 mm", face_width="20 mm"), "bar drawn two modules"),
        (Gear(teeth=30, normal_module="2 mm", face_width="20 mm", dedendum_factor=1.9, internal=True), "trapezoids"),
    ],
)
def test_what_is_assumed_is_said(gear: Gear | Rack, note: str) -> None:
    head, _ = wheel_scene(gear)
    assert note in head["bodies"][0]["parts"][0]["note"]
    assert any(note in text and text.startswith("wheel 0") for text in head["notes"])


# ------------------------------------------------------------------------------------------------------ teeth that mesh

MESHING = {
    "planetary": 1e-3, "internal-pair": 1e-3, "bevel-pair": 0.03, "worm": 1e-3, "crossed-helical": 1e-3, "rack-and-pinion": 1e-3,
    "beveloid-contact": 1e-3, "spiral-bevel": 1e-3, "hypoid": 0.12, "helical-pair": 1e-3, "robot-arm": 0.03,
}  # fmt: skip
"""Largest overlap of flanks, in modules. The tips of the bevel pair cut into the foot of its pinion of ten teeth; the teeth of
a hypoid pair fit at one point only."""


@pytest.mark.parametrize("name", MESHING)
def test_drawn_teeth_do_not_overlap(name: str) -> None:
    model = describe(gallery.model(name).build())
    head, block = head_of(model)
    poses = {}
    for body in head["bodies"]:
        for part in body["parts"]:
            if part["kind"] in ("gear", "rack"):
                x, q = array_of(block, body["place"])[0], array_of(block, body["turn"])[0]
                R = rotation(q)
                pose = x + R @ part["position"], R @ np.array(part["rotation"])
                for wheel in (part["name"], *part.get("also", ())):
                    poses[wheel] = pose
    checked = 0
    shapes = GearShapes(model, Block(), {})
    for pair in model["gear_pairs"].values():
        if pair["wheel_a"] not in poses:
            continue
        a, b = (shapes.of_wheel(model["wheels"][pair[key]]).gear for key in ("wheel_a", "wheel_b"))
        for (own, at), (other, there) in (((a, "wheel_a"), (b, "wheel_b")), ((b, "wheel_b"), (a, "wheel_a"))):
            (x, R), (y, Q) = poses[pair[at]], poses[pair[there]]
            points = ((surface(own).points @ R.T + x) - y) @ Q
            assert depth(other, points).max() < MESHING[name] * a.normal_module, (pair["name"], at)
        checked += 1
    assert checked


def rotation(q: np.ndarray) -> np.ndarray:
    w, x, y, z = q.astype(float)
    return np.array([
        [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
        [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
        [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
    ])  # fmt: skip


def surface(gear: Gear | Rack) -> Triangles:
    if isinstance(gear, Rack):
        return rack_surface(gear)
    return spiral_bevel_surface(gear, SurfaceFineness()) if gear.cone_angle and gear.helix_angle else gear_surface(gear)


RING = Gear(
    teeth=70, normal_module="2 mm", face_width="20 mm", internal=True, rim_diameter="160 mm", tip_alteration=-0.2
)
OUT_OF_PHASE = {
    "spur": (Gear(**SPUR), Gear(**SPUR | {"teeth": 37}), {}),
    "turned round": (Gear(**SPUR, helix_angle="15 deg"), Gear(**SPUR | {"teeth": 37}, helix_angle="-15 deg"), {}),
    "beside": (Gear(**SPUR, helix_angle="15 deg"), Gear(**SPUR | {"teeth": 37}, helix_angle="-15 deg"), {}),
    "rack": (Gear(**SPUR, helix_angle="15 deg"), Rack(**SPUR, helix_angle="-15 deg"), {}),
    "planet and ring": (Gear(**SPUR), RING, {}),
    "ring and planet": (RING, Gear(**SPUR), {}),
    "bevel": (
        Gear(**SPUR | {"face_width": "10 mm"}, cone_angle=math.atan(24 / 37)),
        Gear(**SPUR | {"teeth": 37, "face_width": "10 mm"}, cone_angle=math.atan(37 / 24)),
        {"shaft_angle": "90 deg"},
    ),
    "apex above": (
        Gear(**SPUR | {"face_width": "10 mm"}, cone_angle=-math.atan(24 / 37)),
        Gear(**SPUR | {"teeth": 37, "face_width": "10 mm"}, cone_angle=math.atan(37 / 24)),
        {"shaft_angle": "90 deg"},
    ),
    "crossed": (
        Gear(**SPUR, helix_angle="40 deg"),
        Gear(**SPUR | {"teeth": 37}, helix_angle="50 deg"),
        {"shaft_angle": "90 deg"},
    ),
}


@pytest.mark.parametrize("kind", OUT_OF_PHASE)
def test_wheels_out_of_phase_are_turned_to_mesh(kind: str) -> None:
    """Both wheels turned by any angle: the scene turns the teeth of one as the pair has them."""
    a, b, how = OUT_OF_PHASE[kind]
    pair = GearPair(a, b, **how)
    place = pair.place()
    flip = np.diag([1.0, -1.0, -1.0]) if kind == "turned round" else np.eye(3)
    model = pl.Model("phase")
    wheels = []
    beside = np.array([0.0, 0.0, 7e-3]) if kind in ("beside", "rack") else np.zeros(3)
    other = place.position + beside, place.rotation @ flip, 0.0 if kind == "rack" else 0.3
    for name, gear, x, R, turn in (("a", a, np.zeros(3), np.eye(3), 0.2), ("b", b, *other)):
        c, s = math.cos(turn), math.sin(turn)
        about = np.array([[c, -s, 0], [s, c, 0], [0, 0, 1]])
        body = model.body(f"body {name}", mass=1.0, inertia=(1e-3, 1e-3, 1e-3), position=x, orientation=R @ about)
        wheels.append(model.wheel(f"wheel {name}", body, gear))
    model.gear_pair("mesh", *wheels, mesh=pl.Rigid() if kind == "crossed" else pl.Rolling(), **how)
    head, block = head_of(model)
    poses = []
    for body in head["bodies"]:
        x, R = array_of(block, body["place"])[0], rotation(array_of(block, body["turn"])[0])
        part = body["parts"][0]
        poses.append((x + R @ part["position"], R @ np.array(part["rotation"])))
    (x, R), (y, Q) = poses
    for own, other, (p, P), (q, W) in ((a, b, (x, R), (y, Q)), (b, a, (y, Q), (x, R))):
        assert depth(other, ((surface(own).points @ P.T + p) - q) @ W).max() < 2e-3 * a.normal_module


def test_corrections_are_magnified_on_request() -> None:
    model = pl.Model("relief")
    body = model.body("body", mass=1.0, inertia=(1e-3, 1e-3, 1e-3))
    model.wheel("wheel", body, Gear(**SPUR, modifications=TipRelief("20 um", length="1 mm")))
    plain, large = (record_of(model, magnify_corrections=factor).block for factor in (1, 50))
    assert b"50 times" in large and b"50 times" not in plain
    with pytest.raises(pl.ModelError, match="magnify_corrections"):
        record_of(model, magnify_corrections=0.0)
