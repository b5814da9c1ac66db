"""Shafts and beams as parts of a model: what they accept, what they refuse, how they are copied, described and written."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import pitchline as pl
from pitchline.views.report.model_words import parts

SECTIONS = [
    pl.ShaftSection("20 mm", outer="30 mm", notch_factor=1.8),
    pl.ShaftSection(
        "35 mm", outer="40 mm", inner="12 mm", material=pl.Material("alu", density=2700.0, youngs_modulus=70e9)
    ),
    pl.ShaftSection("30 mm", outer="40 mm", outer_end="30 mm"),
]
PLACES = {"left": "10 mm", "pinion": "38 mm", "right": "75 mm"}


def with_shaft(**options: Any) -> tuple[pl.Model, pl.Shaft]:
    m = pl.Model("box", gravity=(0, 0, -9.81))
    return m, m.shaft("input", SECTIONS, **({"axis": "x", "stations": PLACES} | options))


def test_stations_are_bodies_along_the_shaft() -> None:
    m, s = with_shaft(position=("10 mm", 0, 0), speed="60 rpm", velocity=(1, 0, 0), elements=8)
    assert [name for name in s.stations if "node" not in name] == ["start", "left", "pinion", "right", "end"]
    assert s["pinion"] is m.bodies["input pinion"]
    assert s["pinion"].position == pytest.approx((0.048, 0, 0))
    assert s["pinion"].orientation[:, 2] == pytest.approx((1, 0, 0))
    assert s["pinion"].angular_velocity == pytest.approx((2 * np.pi, 0, 0))
    assert s["pinion"].velocity == pytest.approx((1, 0, 0))
    longest = max(b.place - a.place for a, b in zip(s.nodes, s.nodes[1:], strict=False))
    assert longest <= s.length / 8 * (1 + 1e-9)


def test_frequency_cuts_finer() -> None:
    counts = [len(with_shaft(frequency=f)[1].segments) for f in (None, "5 kHz", "50 kHz")]
    assert counts[0] <= counts[1] < counts[2]


def test_mass_of_cones_and_bores_and_of_wheels() -> None:
    """Frustum: rho pi h (d1^2 + d1 d2 + d2^2)/12. A blank begins at the shaft; teeth cut into the shaft add nothing."""
    m, s = with_shaft()
    third = 7830 * np.pi * 0.03 * (0.04**2 + 0.04 * 0.03 + 0.03**2) / 12
    own = 7830 * np.pi / 4 * 0.03**2 * 0.02 + 2700 * np.pi / 4 * (0.04**2 - 0.012**2) * 0.035 + third
    assert m.mass == pytest.approx(own, rel=1e-9) == s.solid.mass
    gear = pl.Gear(teeth=40, normal_module="2 mm", face_width="20 mm")
    wheel = m.wheel("wheel", s["pinion"], gear)
    blank = gear.with_(bore="40 mm").blank
    assert wheel.solid is not None and wheel.solid.mass == pytest.approx(blank.mass)
    assert m.mass == pytest.approx(own + blank.mass)
    assert m.wheel("no mass", s["left"], gear, with_mass=False).solid is None
    assert m.wheel("pinion", s["right"], pl.Gear(teeth=17, normal_module="2 mm", face_width="10 mm")).solid is None
    m.attached_mass("disc", s["end"], mass=2.0)
    assert m.mass == pytest.approx(own + blank.mass + 2.0)
    centre = (s.solid.mass * s.solid.centre_of_mass[0] + blank.mass * 0.038 + 2.0 * 0.085) / m.mass
    assert m.centre_of_mass == pytest.approx((centre, 0, 0))


def test_damping_ratio_of_a_mesh_knows_the_shaft() -> None:
    """The effective mass of a mesh of wheels on shafts is that of wheels whose bodies have the inertia of shaft and blank."""
    gear = pl.Gear(teeth=40, normal_module="2 mm", face_width="20 mm")
    m, rigid = pl.Model("shafts"), pl.Model("bodies")
    for name, y in (("a", 0.0), ("b", 0.08)):
        s = m.shaft(name, [pl.ShaftSection("0.1 m", outer="30 mm")], position=(0, y, 0), stations={"gear": "50 mm"})
        wheel = m.wheel(f"{name} wheel", s["gear"], gear)
        assert wheel.solid is not None
        moment = s.inertia_about(s["gear"].position, s.axis) + wheel.solid.inertia[2, 2]
        rigid.gear_body(name, gear, position=(0, y, 0), mass=1.0, inertia=(moment,) * 3)
    mesh = pl.Elastic(stiffness="200 N/um", damping_ratio=0.05)
    laws = [
        model.gear_pair("mesh", *ends, mesh=mesh).law
        for model, ends in ((m, ("a wheel", "b wheel")), (rigid, ("a", "b")))
    ]
    assert laws[0].effective_mass == pytest.approx(laws[1].effective_mass, rel=1e-9)


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"stations": {"a": "95 mm"}}, 'station "a": position 95 mm is not on shaft'),
        ({"stations": {"a": "-1 mm"}}, "position -1 mm is not on shaft"),
        ({"stations": {"a": "9 mm", "b": 9e-3}}, '"a" and "b" are both at 9 mm'),
        ({"stations": {"start": "9 mm"}}, 'station "start" is at 9 mm'),
        ({"stations": {"node 1": "9 mm"}}, "names that begin with"),
        ({"stations": ["9 mm"]}, "stations must give the position of each station"),
        ({"damping": {"bend": 1.0}}, 'did you mean "bending"'),
        ({"damping": "-1 us"}, "must not be negative"),
        ({"mass": "exact"}, "unknown 'exact'"),
        ({"frequency": "1 GHz"}, "more than 2000 elements"),
        ({"elements": 0}, "must be from 1"),
        ({"axis": "x", "orientation": (1, 0, 0, 0)}, "specify axis or orientation"),
        ({"hubs": {"gear": ("50 mm", "10 mm")}}, "there is no station 'gear'"),
        ({"hubs": {"left": ("20 mm", "10 mm")}}, "is smaller than the diameter of the shaft inside it"),
        ({"hubs": {"left": ("60 mm", "40 mm"), "pinion": ("60 mm", "40 mm")}}, 'hubs "left" and "pinion" overlap'),
        ({"step_angle": "95 deg"}, "between 0 and 90 deg"),
    ],
)
def test_what_a_shaft_refuses(options: dict[str, Any], words: str) -> None:
    with pytest.raises(pl.ModelError, match='shaft "input"') as caught:
        with_shaft(**options)
    assert words in str(caught.value)


def test_sections_and_names_that_are_refused() -> None:
    m, s = with_shaft()
    with pytest.raises(pl.ModelError, match="sections must be a list"):
        m.shaft("b", [])
    with pytest.raises(pl.ModelError, match=r"sections\[0\] must be a ShaftSection"):
        m.shaft("b", ["20 mm"])  # type: ignore[list-item]
    with pytest.raises(pl.ModelError, match="bore 30 mm must be smaller"):
        pl.ShaftSection("20 mm", outer="30 mm", inner="30 mm")
    with pytest.raises(pl.ModelError, match="length: must be greater than zero"):
        pl.ShaftSection("0 mm", outer="30 mm")
    with pytest.raises(pl.ModelError, match="already used by a shaft"):
        m.body("input", mass=1, inertia=(1, 1, 1))
    with pytest.raises(pl.ModelError, match='already used by station "left" of shaft "input"'):
        m.body("input left", mass=1, inertia=(1, 1, 1))
    with pytest.raises(pl.ModelError, match=r'not a body; specify one of its stations, such as shaft\["start"\]'):
        m.fixed("clamp", m.ground, s)  # type: ignore[arg-type]
    with pytest.raises(pl.ModelError, match="has no station 'lft'; did you mean \"left\""):
        s["lft"]
    with pytest.raises(pl.ModelError, match="not in that plane, so that it cannot bend"):
        pl.Model("flat", plane="xy").shaft("s", SECTIONS)


def test_sizes_in_metres_and_damping_ratios_are_told() -> None:
    m = pl.Model("m")
    m.shaft("fine", [pl.ShaftSection("0.5 m", outer="20 mm")], damping="10 us")
    m.shaft("thick", [pl.ShaftSection(500, outer=20)])
    m.shaft("ratio", [pl.ShaftSection("0.5 m", outer="20 mm")], damping=0.02)
    thick, ratio = m.warnings
    assert thick.startswith('the diameter of shaft "thick" is 20 m: plain numbers are in metres')
    assert ratio.startswith('shaft "ratio": the damping of 0.02 s') and "it is a time, not a damping ratio" in ratio


def test_parts_off_the_shaft_are_refused() -> None:
    m, s = with_shaft()
    gear = pl.Gear(teeth=40, normal_module="2 mm", face_width="20 mm")
    with pytest.raises(pl.ModelError, match="beyond its ends"):
        m.wheel("w", s["end"].frame(position=(0, 0, "30 mm")), gear)
    with pytest.raises(pl.ModelError, match="off the axis"):
        m.wheel("w", s["end"].frame(position=("30 mm", 0, 0)), gear)
    with pytest.raises(pl.ModelError, match='axis would be inclined by 90 deg to shaft "input"'):
        m.wheel("w", s["pinion"], gear, axis="y")
    with pytest.raises(
        pl.ModelError,
        match='the diameter of shaft "input" there, 40 mm, is larger than the tip diameter of the gear, 38 mm',
    ):
        m.wheel("w", s["pinion"], pl.Gear(teeth=17, normal_module="2 mm", face_width="10 mm"))
    with pytest.raises(pl.ModelError, match="cut into the shaft"):
        m.wheel("w", s["pinion"], pl.Gear(teeth=19, normal_module="2 mm", face_width="10 mm"), with_mass=True)
    bearing = pl.DeepGrooveBall(balls=8, ball="9 mm", pitch="46 mm", bore="30 mm", outer="62 mm", width="16 mm")

    def seated(at: pl.Frame | pl.Station) -> None:
        m.bearing("B", m.ground, at, bearing)

    for at, words in (
        (s["end"].frame(position=(0, 0, "1 mm")), "it is not on shaft"),
        (s["end"].frame(position=("1 mm", 0, 0)), "1 mm off the axis"),
        (s["pinion"], "is smaller than"),
    ):
        with pytest.raises(pl.ModelError, match=words):
            seated(at)
    with pytest.raises(pl.ModelError, match="wider than its seat"):
        other = m.shaft("short", [pl.ShaftSection("10 mm", outer="30 mm"), pl.ShaftSection("1 m", outer="50 mm")], axis="x",
                        position=(0, 1, 0), stations={"seat": "5 mm"})  # fmt: skip
        seated(other["seat"])
    seated(s["left"])
    on_a_pin = s["pinion"].frame(
        position=("100 mm", 0, 0)
    )  # beside the shaft: a planet on a carrier, not a seat on the shaft
    m.bearing("planet", m.ground, on_a_pin, bearing)


def test_copies() -> None:
    m, s = with_shaft(speed="60 rpm")
    m.revolute("hinge", m.ground, s["left"])
    other = m.replaced(s.replaced(speed=0.0, axis="y"))
    assert other.joints["hinge"].frame_b.owner is other.shafts["input"]["left"]
    assert not other.bodies["input left"].angular_velocity.any() and m.bodies["input left"].angular_velocity.any()
    with pytest.raises(pl.ModelError, match='joint "hinge": needs body "input left"'):
        m.replaced(without="input")
    assert not m.replaced(without=["input", "hinge"]).bodies
    with pytest.raises(pl.ModelError, match="remove it with the shaft"):
        m.replaced(without="input left")
    with pytest.raises(pl.ModelError, match="replace it with the shaft"):
        m.replaced(s["left"])
    fewer = s.replaced(stations={"pinion": "38 mm"})
    with pytest.raises(pl.ModelError, match='needs body "input left"'):
        m.replaced(fewer)


def test_copies_of_what_a_beam_is_fixed_to() -> None:
    """Beams follow the bodies and stations they are fixed to, and what is on them follows; blanks follow the shaft."""
    m = pl.Model("chain")
    s = m.shaft("s", [pl.ShaftSection("1 m", outer="20 mm")], axis="x", stations={"gear": "0.5 m"})
    body = m.body("body", mass=1, inertia=(1, 1, 1), position=(1, 1, 0))
    rod = m.beam("rod", s["end"], body, pl.BeamSection.circle("10 mm"))
    m.beam("arm", rod["node 1"], (2, 2, 2), pl.BeamSection.circle("10 mm"))
    m.spring("spring", "arm end", m.ground, stiffness=1e3)
    wheel = m.wheel("wheel", s["gear"], pl.Gear(teeth=40, normal_module="2 mm", face_width="20 mm"))
    longer = m.replaced(replace(body, position=(1, 2, 0)))
    assert longer.beams["rod"].length == pytest.approx(2.0) and m.beams["rod"].length == pytest.approx(1.0)
    assert longer.loads["spring"].frame_a.owner is longer.beams["arm"]["end"]  # type: ignore[attr-defined]
    thicker = m.replaced(s.replaced(sections=[pl.ShaftSection("1.5 m", outer="30 mm")]))
    assert thicker.beams["rod"].nodes[0].body is thicker.shafts["s"]["end"]
    assert thicker.beams["rod"].length == pytest.approx(np.hypot(0.5, 1.0))
    new = thicker.wheels["wheel"].solid
    assert new is not None and wheel.solid is not None and new.mass < wheel.solid.mass
    with pytest.raises(pl.ModelError, match='beam "arm": needs body "rod node 1"'):
        m.replaced(without="rod")


def gearbox() -> pl.Model:
    """Something of everything that files say of shafts and beams."""
    m, s = with_shaft(
        frequency="5 kHz", damping={"bending": "1 us", "torsion": "2 us"}, speed="1500 rpm", hubs={"pinion": ("60 mm", "30 mm")},
        step_angle="45 deg", mass="consistent",
    )  # fmt: skip
    rod = m.beam("rod", s["right"], (0.2, 0, 0.1), pl.BeamSection.rectangle("10 mm", "20 mm", angle="30 deg"), elements=6,
                 stations={"mid": "50 mm"}, tangent="z", up="y")  # fmt: skip
    m.beam("bar", m.ground.frame(position=(0, 0, 1)), rod["end"],
           pl.BeamSection.from_properties("1 cm^2", (1e-8, 2e-8), 1e-9), points=[(0.1, 0, 0.6)], damping="1 us")  # fmt: skip
    given = pl.BeamSection(stiffness=np.diag([1e7, 1e7, 2e7, 1e3, 1e3, 1e3]), mass=np.diag([1, 1, 1, 1e-4, 1e-4, 2e-4]))
    m.beam("free", (1, 0, 0), (2, 0, 0), given, velocity=(0, 1, 0))
    m.wheel("p", s["pinion"], pl.Gear(teeth=40, normal_module="3 mm", face_width="20 mm"))
    m.attached_mass("disc", s["left"], solid=pl.cylinder("50 mm", "10 mm", density=7800))
    return m


def test_files_say_shafts_and_beams(tmp_path: Path) -> None:
    m = gearbox()
    path = tmp_path / "box.toml"
    text = m.to_toml(path)
    again = pl.load(path).model
    assert again.describe() == m.describe()
    assert again.to_toml() == text
    assert [len(s.stations) for s in again.structures.values()] == [len(s.stations) for s in m.structures.values()]


def test_a_structure_is_one_line() -> None:
    m = gearbox()
    lines = m.summary().splitlines()
    assert "0 bodies, 1 shaft, 3 beams" in lines[0]
    assert sum("input" in line and "85 mm long" in line for line in lines) == 1
    assert not any("node 1" in line for line in lines)
    assert m.describe()["bodies"] == {} and "input left" in m.describe()["shafts"]["input"]["stations"]


def test_files_tell_where_a_shaft_is_wrong(tmp_path: Path) -> None:
    text = """
[shafts.s]
sections = [{ length = "20 mm", outer = "30 mm" }, { length = "20 mm", outer = "30 mm", inner = "40 mm" }]
stations = { a = "10 mm" }
[joints.j]
kind = "fixed"
a = "ground"
b = "s b"
[beams.b]
a = "s a"
b = [0, 0, 1]
section = { kind = "oval" }
"""
    path = tmp_path / "wrong.toml"
    path.write_text(text)
    with pytest.raises(pl.FileError) as caught:
        pl.load(path)
    assert "the bore 40 mm must be smaller" in str(caught.value) and "there is no section 'oval'" in str(caught.value)


def test_beams_that_are_refused() -> None:
    m = pl.Model("beams")
    round_bar = pl.BeamSection.circle("10 mm")
    body = m.body("body", mass=1, inertia=(1, 1, 1))
    for call, words in (
        (lambda: m.beam("b", (0, 0, 0), (0, 0, 0), round_bar), "has zero length"),
        (lambda: m.beam("b", body, body.frame(position=(0, 0, 1)), round_bar), 'both its ends are on "body"'),
        (lambda: m.beam("b", (0, 0, 0), (0, 0, 1), "10 mm"), "section must be a BeamSection"),  # type: ignore[arg-type]
        (lambda: m.beam("b", (0, 0, 0), (0, 0, 1), round_bar, up="z"), "up is parallel to the beam"),
        (lambda: m.beam("b", (0, 0, 0), (0, 0, 1), round_bar, tangent="-z"), "points away from its end"),
        (lambda: m.beam("b", body, (0, 0, 1), round_bar, stations={"a": 0.0}), 'fixed to body "body"; use that body'),
        (lambda: m.attached_mass("x", body, mass=1, inertia=(1, 1, 5)), "none may exceed the sum of the others"),
        (lambda: m.attached_mass("x", body), "mass missing"),
    ):
        with pytest.raises(pl.ModelError, match=words):
            call()
    assert list(m.bodies) == ["body"] and not m.structures


def test_results_know_their_shafts_after_a_file(tmp_path: Path) -> None:
    m, s = with_shaft()
    m.fixed("clamp", m.ground, s["start"])
    m.force("F", s["end"], (0, 0, -1e3))
    found = pl.statics(m)
    path = tmp_path / "found.h5"
    found.save(path)
    one, other = found.shaft("input"), pl.Result.load(path).shaft("input")
    assert np.array_equal(one.deflection, other.deflection) and np.array_equal(one.bending_stress, other.bending_stress)
    assert one.deflection[-1] == pytest.approx(found["input end.deflection"].final)
    assert np.max(one.bending_stress[one.place <= 0.02]) == pytest.approx(
        found["input start.bending_stress"].final, rel=1e-9
    )
    with pytest.raises(pl.ModelError, match='did you mean "input"'):
        found.shaft("inptu")
    with pytest.raises(ValueError, match="sample must be"):
        found.shaft("input", sample=7)


def test_files_warn_of_shafts_in_metres(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    from pitchline.cli import main

    path = tmp_path / "metres.toml"
    path.write_text("[shafts.s]\nsections = [{ length = 200, outer = 20 }]\nspeed = 1500\n")
    main(["check", str(path)])
    said = capsys.readouterr()
    for words in ("sections[0].length: 200 m", "sections[0].outer: 20 m", "shafts.s.speed: 1500 rad/s"):
        assert words in said.out + said.err


def test_schemes_and_reports_show_shafts() -> None:
    m = gearbox()
    figure = pl.views.plot_scheme(m)
    texts = [text.get_text() for ax in figure.axes for text in ax.texts]
    assert {"input", "rod", "bar", "free"} <= set(texts) and "input node 1" not in texts
    assert sum(len(ax.patches) for ax in figure.axes) >= 2 * 3  # three sections in two views
    text = str(parts(m.describe()))
    assert "left 10, pinion 38, right 75" in text and "node 1" not in text
