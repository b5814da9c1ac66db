"""Rolling wheels in a model: what may be said, where their radii come from, messages, descriptions."""

import json
import math
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

import pitchline as pl
from pitchline.errors import ModelError, PitchlineError
from pitchline.gears import Gear, Rack, cone_angles, hypoid_pinion
from pitchline.model import Elastic, GearMesh, Model, Rolling, Rotation

UNIT: dict[str, Any] = {"mass": 1.0, "inertia": (1.0, 1.0, 1.0)}
SPUR = Gear(teeth=20, normal_module="4 mm", face_width="20 mm")
LARGE = SPUR.with_(teeth=40)
ACROSS = Rotation("y", "90 deg")


def two_bodies(position: Any = (0.12, 0, 0), orientation: Any = None) -> Model:
    m = Model("m")
    m.body("a", **UNIT)
    m.body("b", **UNIT, position=position, orientation=orientation)
    return m


def radii(pair: GearMesh) -> tuple[float, float]:
    p = pair.pair.pitch
    return p.radius_a, p.radius_b


# ------------------------------------------------------------------------------------------------------ what is said


@pytest.mark.parametrize(
    "said, teeth",
    [
        (2, (1, 2)),
        (1.5, (2, 3)),
        ("2.5", (2, 5)),
        (2 / 3, (3, 2)),
        (np.float64(19 / 31), (31, 19)),
        (Fraction(10_000, 9_999), (9_999, 10_000)),
        (1e-4, (10_000, 1)),
    ],
)
def test_a_ratio_is_one_of_whole_numbers(said: Any, teeth: tuple[int, int]) -> None:
    mesh = Rolling(ratio=said)
    assert mesh.teeth == teeth and mesh.ratio == Fraction(teeth[1], teeth[0])
    assert not mesh.needs_gears and not mesh.internal and mesh.radius is None


def test_without_ratio_and_radius_gears_are_needed() -> None:
    assert Rolling().needs_gears and not Rolling(radius="5 mm").needs_gears
    assert Rolling(radius="5 mm").radius == 0.005


@pytest.mark.parametrize(
    "arguments, message",
    [
        ({"ratio": 2, "radius": 0.1}, "ratio is for two wheels, radius for a pinion on a rack; specify one of them"),
        ({"internal": True}, "internal needs ratio; gears define themselves whether they are internal"),
        ({"radius": 0.1, "internal": True}, "internal needs ratio"),
        ({"ratio": 2, "internal": "yes"}, "internal must be True or False, got 'yes'"),
        ({"ratio": 0}, "ratio must not be zero, got 0"),
        ({"ratio": Fraction(-1, 2), "internal": True}, "ratio must be greater than zero, got Fraction(-1, 2)"),
        (
            {"ratio": 1, "internal": True},
            "a ring and a wheel of the same size (ratio 1) have the same centre and cannot roll",
        ),
        ({"ratio": math.pi}, "ratio 3.141592653589793 is not a ratio of whole numbers up to 10000"),
        ({"ratio": Fraction(10_001, 2)}, "specify it as Fraction(z_b, z_a)"),
        ({"ratio": Fraction(1, 10_001)}, "ratio Fraction(1, 10001) is not a ratio of whole numbers"),
        ({"ratio": math.nan}, "ratio: nan is not finite"),
        ({"ratio": "2 mm"}, "ratio: expected number"),
        ({"ratio": True}, "ratio: True (bool) is not a quantity"),
        ({"radius": 0}, "radius must be greater than zero, got 0"),
        ({"radius": "-5 mm"}, "radius must be greater than zero, got '-5 mm'"),
        ({"radius": "5 s"}, "radius: expected length"),
    ],
)
def test_what_cannot_be_said(arguments: dict[str, Any], message: str) -> None:
    with pytest.raises(PitchlineError) as error:
        Rolling(**arguments)
    assert str(error.value).startswith("Rolling: ") and message in str(error.value)


# ------------------------------------------------------------------------------------------------------------- radii


@pytest.mark.parametrize(
    "mesh, expected, kind",
    [
        (Rolling(ratio=2), (0.04, 0.08), "spur"),
        (Rolling(ratio="0.5"), (0.08, 0.04), "spur"),
        (Rolling(ratio=3, internal=True), (0.06, 0.18), "internal"),
        (Rolling(ratio=1 / 3, internal=True), (0.18, 0.06), "internal"),
    ],
)
def test_radii_from_a_ratio(mesh: Rolling, expected: tuple[float, float], kind: str) -> None:
    """r_a = l/(1 + ratio), of a ring l/|1 - ratio|; how far apart along the axis does not matter."""
    for position in ((0.12, 0, 0), (0, 0.12, 0.3)):
        pair = two_bodies(position).gear_pair("mesh", "a", "b", mesh=mesh)
        assert radii(pair) == pytest.approx(expected, rel=1e-14)
        assert pair.pair.kind == kind and pair.pair.centre_distance == pytest.approx(0.12, rel=1e-14)


@pytest.mark.parametrize("turn_a", [0, math.pi])
@pytest.mark.parametrize("turn_b", [0, math.pi])
def test_radii_of_cones(turn_a: float, turn_b: float) -> None:
    """The apex is where the axes meet, whichever way they point: centres 90 mm and 30 mm from it have radii of 30 and 90 mm."""
    m = Model("m")
    m.body("a", **UNIT, orientation=Rotation("x", turn_a))
    m.body("b", **UNIT, position=(0.03, 0, 0.09), orientation=ACROSS.matrix @ Rotation("x", turn_b).matrix)
    pair = m.gear_pair("mesh", "a", "b", mesh=Rolling(ratio=3))
    assert radii(pair) == pytest.approx((0.03, 0.09), rel=1e-12)
    assert pair.pair.kind == "straight bevel" and pair.pair.shaft_angle == pytest.approx(math.pi / 2)


def test_radius_of_a_pinion_on_a_rack() -> None:
    m = Model("m")
    m.body("pinion", **UNIT)
    m.body("bar", **UNIT, position=(-0.05, 0.3, 0.1))
    pair = m.gear_pair("mesh", "pinion", "bar", mesh=Rolling(radius="40 mm"))
    assert pair.pair.kind == "rack and pinion" and radii(pair) == (0.04, math.inf)
    assert pair.law.effective_mass == pytest.approx(1 / (0.04**2 + 1))


def test_radii_from_gears() -> None:
    """Those of the working pitch circles; helix and pressure angle do not count, and nothing is elastic or has play."""
    m = Model("m")
    m.gear_body("a", SPUR.with_(helix_angle="20 deg"), **UNIT)
    m.gear_body("b", LARGE.with_(helix_angle="-20 deg"), position=("128 mm", 0, 0), **UNIT)
    pair = m.gear_pair("mesh", "a", "b", mesh=Rolling(), phase="as placed")
    pitch = pair.alignment.pitch
    assert (pitch.radius_a, pitch.radius_b) == pytest.approx((0.128 / 3, 0.256 / 3), rel=1e-12)
    assert (pitch.beta_a, pitch.beta_b, pitch.pressure_angle) == (0, 0, 0)
    assert pair.law.rigid and pair.law.backlash == 0 and not pair.law.errors
    assert not any("overlap" in text for text in pair.warnings)


def test_a_frame_stands_for_a_wheel_elsewhere_on_a_body() -> None:
    m = two_bodies()
    frame = m.bodies["a"].frame(position=(0, 0.16, 0.05), axis=(0, 0, -1))
    pair = m.gear_pair("mesh", frame, "b", mesh=Rolling(ratio=1))
    assert radii(pair) == pytest.approx((0.1, 0.1))
    ring = m.gear_pair("ring", "b", m.ground, mesh=Rolling(ratio=2, internal=True))
    assert radii(ring) == pytest.approx((0.12, 0.24))
    gear_body = m.gear_body("c", SPUR, position=(0, 0, 1))
    m.gear_pair("beside", gear_body.frame(), m.bodies["b"].frame(position=(0, 0, 1)), mesh=Rolling(ratio=1))


# ---------------------------------------------------------------------------------------------------------- messages


@pytest.mark.parametrize(
    "position, orientation, mesh, message",
    [
        ((0.12, 0, 0), None, Rolling(), 'a: body "a" has no gear; make it with gear_body(...)'),
        (
            (0, 0, 0.1),
            None,
            Rolling(ratio=2),
            '"a" and "b" are on one axis, and have no common housing with a joint about this axis',
        ),
        (
            (0.1, 0.05, 0.1),
            ACROSS,
            Rolling(ratio=1),
            "the axes have a distance of 50 mm, but the axes of rolling cones intersect",
        ),
        ((0.1, 0, 0), ACROSS, Rolling(ratio=1), "the centre of a wheel is at the apex"),
        ((0, 0, 0), ACROSS, Rolling(ratio=1), "the centre of a wheel is at the apex"),
        (
            (0.1, 0, 0.1),
            ACROSS,
            Rolling(ratio=2),
            "radii 100 mm and 100 mm, the ratio 1, but the specified ratio is 2. Move a centre",
        ),
        (
            (0.1, 0, 0.1),
            ACROSS,
            Rolling(ratio=2, internal=True),
            "the axes are at 90 deg, but those of a ring and a wheel are parallel",
        ),
        ((-0.1, 0, 0), ACROSS, Rolling(radius=0.1), "the axis of the pinion must be at right angles to the x axis"),
        (
            (0.1, 0, 0),
            None,
            Rolling(radius=0.1),
            "the x axis of the rack must point towards the pinion. Rotate the rack",
        ),
    ],
)
def test_bodies_that_cannot_roll_where_they_stand(position: Any, orientation: Any, mesh: Rolling, message: str) -> None:
    m = two_bodies(position, orientation)
    with pytest.raises(ModelError) as error:
        m.gear_pair("mesh", "a", "b", mesh=mesh)
    assert str(error.value).startswith('gear pair "mesh": ') and message in str(error.value)
    assert not m.gear_pairs


@pytest.mark.parametrize(
    "arguments, message",
    [
        ({"b": "a"}, '"a" and "a" are both on "a" and cannot rotate relative to each other. Put them on two bodies'),
        ({"b": "c"}, 'b: unknown body "c"'),
        ({"a": 3}, "a: expected a body, a frame or the name of a body, got 3"),
        (
            {"centre_distance": 0.12},
            "the positions of wheels without gears define how they roll; move the bodies, and omit centre_distance",
        ),
        ({"shaft_angle": 0}, "omit shaft_angle"),
        ({"phase": 0.1}, 'phase must be "fit" or "as placed", got 0.1'),
        (
            {"b": "gear"},
            'b: "gear" has a gear, whose teeth define how it rolls; omit ratio, or give a frame on the body',
        ),
        ({"a": "rim"}, 'a: "rim" has a gear'),
        ({"b": "gear", "mesh": Rolling(radius=0.1)}, "omit radius"),
    ],
)
def test_pairs_that_cannot_be(arguments: dict[str, Any], message: str) -> None:
    m = two_bodies()
    m.gear_body("gear", LARGE, position=(0.3, 0, 0))
    m.wheel("rim", "a", SPUR)
    with pytest.raises(ModelError) as error:
        m.gear_pair("mesh", **{"a": "a", "b": "b", "mesh": Rolling(ratio=2), **arguments})
    assert str(error.value).startswith('gear pair "mesh": ') and message in str(error.value)
    m.gear_pair("mesh", "a", "b", mesh=Rolling(ratio=2))


WORM = Gear(starts=2, lead_angle=math.atan(0.2), normal_module="4 mm", face_width="60 mm")
CONE = cone_angles(11, 41, math.pi / 2)[1]
CROWN = Gear(teeth=41, normal_module="3.2 mm", helix_angle="30 deg", cone_angle=CONE, face_width="25 mm")
SLIDING: dict[str, tuple[Gear, Gear | Rack, dict[str, Any]]] = {
    "crossed helical": (SPUR.with_(helix_angle=0.5), LARGE.with_(helix_angle=0.4), {"shaft_angle": 0.9}),
    "worm": (WORM, LARGE.with_(helix_angle=math.atan(0.2)), {}),
    "hypoid": (hypoid_pinion(CROWN, teeth=11, offset=0.025, face_width="30 mm"), CROWN, {"centre_distance": 0.025}),
    "rack and pinion": (
        SPUR.with_(helix_angle=0.3), Rack(teeth=40, normal_module="4 mm", helix_angle=0.2), {"shaft_angle": 0.5}
    ),
}  # fmt: skip


@pytest.mark.parametrize("kind", SLIDING)
def test_pitch_surfaces_that_slide(kind: str) -> None:
    a, b, how = SLIDING[kind]
    m = Model("m")
    m.gear_body("a", a, **UNIT)
    m.gear_body("b", b, mesh_with="a", **how, **UNIT)
    with pytest.raises(ModelError) as error:
        m.gear_pair("mesh", "a", "b", mesh=Rolling())
    assert str(error.value) == (
        f'gear pair "mesh" ("a" is A, "b" is B): the pitch surfaces of a {kind} pair on crossed axes slide on each other and '
        "do not roll; use Rigid() or Elastic(...)"
    )
    m.gear_pair("mesh", "a", "b", mesh=Elastic(1e8))


# ------------------------------------------------------------------------------------------------------ descriptions


def test_rolling_pairs_are_described_and_summed_up() -> None:
    m = two_bodies()
    m.gear_pair("mesh", "a", "b", mesh=Rolling(ratio=2 / 3))
    said = json.loads(json.dumps(m.describe(), allow_nan=False))["gear_pairs"]["mesh"]
    expected = {"type": "Rolling", "ratio": "2/3", "internal": False, "radius": None, "efficiency": None}
    assert said["mesh"] == expected
    assert said["kind"] == "spur" and said["frame_b"]["body_name"] == "b"
    assert "  mesh  spur, a - b, 3:2, 120 mm, Rolling" in m.summary()
    assert repr(m.gear_pairs["mesh"].wheel_a) == "Wheel('a' without teeth, on 'a')"


def test_frames_tell_models_apart() -> None:
    """A checkpoint is told from that of another model by the description."""
    found = []
    for x in (0.0, 0.01):
        m = two_bodies()
        m.gear_pair(
            "mesh",
            m.bodies["a"].frame(position=(0, 0, x)),
            m.bodies["b"].frame(position=(0, 0, x)),
            mesh=Rolling(ratio=1),
        )
        found.append(json.dumps(m.describe()))
    assert found[0] != found[1]


def test_results_of_rolling_pairs_are_kept(tmp_path: Any) -> None:
    m = two_bodies()
    m.revolute("on a", m.ground, "a")
    m.revolute("on b", m.ground, "b")
    m.gear_pair("mesh", "a", "b", mesh=Rolling(ratio=2))
    run = pl.dynamics(m, duration=0.01, step=0.001)
    run.save(tmp_path / "run.npz")
    again = pl.load(tmp_path / "run.npz")
    assert again.model["gear_pairs"]["mesh"]["mesh"]["ratio"] == "2"
