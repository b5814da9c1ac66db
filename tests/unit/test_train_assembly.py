"""Gear pairs that cannot be built: closed trains whose teeth do not fit, and wheels that cannot turn."""

import math
from typing import Any

import pytest

import pitchline as pl
from pitchline import files
from pitchline.errors import ModelError

COMMON = {"normal_module": "2 mm", "face_width": "20 mm", "bore": "8 mm"}


def train(sun: int, ring: int, planets: int, **options: Any) -> pl.Model:
    """Simple planetary train of single parts, with planets between sun and ring."""
    m = pl.Model("train")
    inner = m.gear_body("sun", pl.Gear(teeth=sun, **COMMON), position=(0, 0, 0))
    gear = pl.Gear(teeth=ring, internal=True, addendum_factor=0.8, **{**COMMON, "bore": None})
    outer = m.wheel("ring", m.ground, gear, at=(0, 0, 0), axis="z")
    carrier = m.body("carrier", mass=1.0, inertia=(1e-2, 1e-2, 1e-2))
    m.revolute("inlet", m.ground, inner, axis="z")
    m.revolute("outlet", m.ground, carrier, axis="z")
    for i in range(planets):
        angle = 2.0 * math.pi * i / planets
        planet = pl.Gear(teeth=(ring - sun) // 2, **COMMON)
        body = m.gear_body(f"planet {i}", planet, mesh_with=inner, towards=(math.cos(angle), math.sin(angle), 0))
        m.revolute(f"pin {i}", carrier, body, axis="z")
        m.gear_pair(f"sun {i}", inner, body, mesh=pl.Elastic("4e8 N/m"), **options)
        m.gear_pair(f"ring {i}", body, outer, mesh=pl.Elastic("4e8 N/m"), **options)
    return m


@pytest.mark.parametrize("sun", [18, 21])
@pytest.mark.parametrize("planet", [19, 20])
def test_planets_fit_if_sun_and_ring_share_their_teeth_evenly(sun: int, planet: int) -> None:
    """(z_sun + z_ring)/N is a whole number."""
    ring = sun + 2 * planet
    for planets in (2, 3, 4, 5):
        m = train(sun, ring, planets)
        if (sun + ring) % planets == 0:
            m.check()
            continue
        with pytest.raises(ModelError, match=r"the teeth of the closed train .* do not fit"):
            m.check()


def test_nearest_tooth_numbers_are_named_and_fit() -> None:
    m = train(24, 92, 3)
    with pytest.raises(
        ModelError, match=r"0\.333 pitches.*24 \+ 92 = 116 teeth.*multiple of 3, such as .*24/33/90"
    ) as info:
        pl.statics(m)
    assert "ring 1" in str(info.value)
    for sun, ring in ((22, 92), (23, 91), (24, 90)):
        train(sun, ring, 3).check()
    with pytest.raises(ModelError, match=r"it is whole with .*24/33/90 teeth of sun/planet/ring"):
        pl.planetary(
            pl.Model("stage"), "stage", sun=pl.Gear(teeth=24, **COMMON), planet=pl.Gear(teeth=34, **COMMON),
            ring=pl.Gear(teeth=92, internal=True, rim_diameter="220 mm", normal_module="2 mm", face_width="20 mm"),
        )  # fmt: skip
    with pytest.raises(ModelError, match=r"such as 34 teeth of the planets, or 90 teeth of the ring"):
        pl.planetary(
            pl.Model("stage"), "stage", sun=pl.Gear(teeth=24, **COMMON), planet=pl.Gear(teeth=33, **COMMON),
            ring=pl.Gear(teeth=92, internal=True, rim_diameter="220 mm", normal_module="2 mm", face_width="20 mm"),
        )  # fmt: skip


def test_files_and_teeth_that_are_moved() -> None:
    """The default is checked in files too. phase="fit" is accepted with a warning, and is written."""
    text = train(24, 92, 3).to_toml()
    with pytest.raises(ModelError, match="do not fit"):
        files.read(text).model.check()
    forced = train(24, 92, 3, phase="fit")
    forced.check()
    assert any("as if each mesh had its own gears" in note for note in forced.warnings)
    again = files.read(forced.to_toml()).model
    again.check()
    assert again.describe() == forced.describe()
    assert not any("own gears" in note for note in train(24, 90, 3, phase="fit").warnings)
    with pytest.raises(ModelError, match="do not fit"):
        train(24, 92, 3, phase="as placed").check()


@pytest.mark.parametrize("spiders, fits", [(2, True), (3, False), (4, True)])
def test_differential(spiders: int, fits: bool) -> None:
    """Bevel wheels: two sides with 10 teeth take n spiders if 2·10/n is a whole number."""
    cone = math.atan2(10, 8)
    m = pl.Model("differential")
    options = {"normal_module": "3 mm", "face_width": "8 mm"}
    side = pl.Gear(teeth=10, cone_angle=cone, **options)
    left = m.gear_body("left", side, position=(0, 0, 0))
    m.revolute("left bearing", m.ground, left, axis="z")
    right = None
    for i in range(spiders):
        angle = 2.0 * math.pi * i / spiders
        gear = pl.Gear(teeth=8, cone_angle=0.5 * math.pi - cone, **options)
        spider = m.gear_body(f"spider {i}", gear, mesh_with=left, towards=(math.cos(angle), math.sin(angle), 0))
        m.revolute(f"pin {i}", m.ground, spider, axis=tuple(spider.orientation[:, 2]))
        if right is None:
            right = m.gear_body("right", side, mesh_with=spider, towards=tuple(-_towards(left, spider)))
            m.revolute("right bearing", m.ground, right, axis="z")
        m.gear_pair(f"left {i}", left, spider, mesh=pl.Elastic("1e8 N/m"))
        m.gear_pair(f"right {i}", spider, right, mesh=pl.Elastic("1e8 N/m"))
    if fits:
        m.check()
    else:
        with pytest.raises(ModelError, match="do not fit"):
            m.check()


def _towards(left: Any, spider: Any) -> Any:
    """From the axis of a spider towards the first side wheel."""
    z = spider.orientation[:, 2]
    d = left.position - spider.position
    return d - (d @ z) * z


GEAR = pl.Gear(teeth=20, **COMMON)


def pair(joint_a: str, joint_b: str, axis_a: str = "z", axis_b: str = "z") -> pl.Model:
    m = pl.Model("pair")
    a = m.gear_body("a", GEAR, position=(0, 0, 0))
    b = m.gear_body("b", GEAR, mesh_with=a, towards="x")
    for name, body, kind, axis in (("in", a, joint_a, axis_a), ("out", b, joint_b, axis_b)):
        if kind:
            getattr(m, kind)(name, m.ground, body, **({} if kind in ("fixed", "spherical") else {"axis": axis}))
    m.gear_pair("mesh", a, b)
    return m


@pytest.mark.parametrize("joints", [
    ("prismatic", "prismatic"), ("fixed", "fixed"), ("revolute", "revolute", "x", "y"), ("prismatic", "revolute", "z", "x"),
])  # fmt: skip
def test_wheels_that_cannot_turn_are_refused(joints: tuple[str, ...]) -> None:
    with pytest.raises(
        ModelError, match=r'"mesh": its wheels cannot turn about their axes.*"a" is held by "in".*revolute'
    ):
        pl.statics(pair(*joints))


@pytest.mark.parametrize("joints", [
    ("revolute", "revolute"), ("revolute", "fixed"), ("cylindrical", "prismatic"), ("spherical", "fixed"), ("", "fixed"),
    ("revolute", "revolute", "x", "z"),
])  # fmt: skip
def test_one_wheel_that_turns_is_enough(joints: tuple[str, ...]) -> None:
    pair(*joints).check()


def test_wheels_fixed_to_one_moving_body() -> None:
    m = pl.Model("carrier")
    carrier = m.body("carrier", mass=1.0, inertia=(1, 1, 1))
    m.revolute("bearing", m.ground, carrier, axis="z")
    a = m.gear_body("a", GEAR, position=(0, 0, 0))
    b = m.gear_body("b", GEAR, mesh_with=a, towards="x")
    m.fixed("of a", carrier, a)
    m.fixed("of b", carrier, b)
    m.gear_pair("mesh", a, b, mesh=pl.Elastic("1e8 N/m"))
    with pytest.raises(ModelError, match="cannot turn about their axes relative to each other"):
        m.check()


@pytest.mark.parametrize("joint, refused", [("fixed", True), ("prismatic", False)])
def test_rack_and_a_pinion_that_is_fixed(joint: str, refused: bool) -> None:
    m = pl.Model("rack")
    a = m.gear_body("a", GEAR, position=(0, 0, 0))
    rack = m.gear_body(
        "rack", pl.Rack(teeth=20, normal_module="2 mm", face_width="20 mm", depth="8 mm"), mesh_with=a, towards="x"
    )
    m.fixed("in", m.ground, a)
    m.fixed("guide", m.ground, rack) if joint == "fixed" else m.prismatic("guide", m.ground, rack, axis="y")
    m.gear_pair("mesh", a, rack)
    if refused:
        with pytest.raises(ModelError, match="neither can its pinion turn about its axis nor its rack move"):
            m.check()
    else:
        m.check()
