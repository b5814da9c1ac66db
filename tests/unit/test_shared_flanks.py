"""Wheels with an elastic body in several gear pairs are refused wherever a pair is added; a rigid body may have several."""

import re
from dataclasses import replace
from typing import Any

import pytest

import pitchline as pl
from pitchline import files
from pitchline.errors import ModelError

RIGID = {"body": "rigid", "rows": 5, "lines": 5}
GEAR = pl.Gear(teeth=20, normal_module="2 mm", face_width="10 mm", bore="14 mm")
BOTH_RIGID = {"elements_a": RIGID, "elements_b": RIGID}


def row(meshes: list[Any], *, second_from: str = "idler") -> pl.Model:
    """Three equal wheels in a row, the idler in both pairs."""
    m = pl.Model("row")
    first = m.gear_body("first", GEAR, position=(0, 0, 0))
    idler = m.gear_body("idler", GEAR, mesh_with=first, towards="x")
    last = m.gear_body("last", GEAR, mesh_with=idler, towards="y")
    for name, body in (("first", first), ("idler", idler), ("last", last)):
        m.revolute(f"{name} bearing", m.ground, body, axis="z")
    pairs = [("first", "idler"), ("idler", "last")]
    for i, (mesh, (a, b)) in enumerate(zip(meshes, pairs, strict=False), 1):
        a, b = (b, a) if a != second_from and i == 2 else (a, b)
        m.gear_pair(f"mesh {i}", a, b, mesh=mesh)
    return m


@pytest.mark.parametrize("second_from", ["idler", "last"])
@pytest.mark.parametrize("second", [{}, {"elements_a": RIGID}, {"elements_b": RIGID}], ids=str)
def test_an_elastic_body_belongs_to_one_pair(second: dict[str, Any], second_from: str) -> None:
    """Also if only one of the pairs has an elastic body of the shared wheel."""
    with pytest.raises(
        ModelError, match=r'"mesh 2": wheel "idler" also has the mesh Flank in gear pair "mesh 1".*Loaded'
    ):
        row([pl.Flank(), pl.Flank(**second)], second_from=second_from)


def test_a_rigid_body_may_be_in_several_pairs() -> None:
    """Flanks of different teeth deform as separate half-spaces, so that nothing couples the pairs: each has its own force."""
    m = row([pl.Flank(**BOTH_RIGID, backlash=0), pl.Flank(**BOTH_RIGID, backlash=0)])
    assert not [text for text in m.warnings if "elastic only" in text]
    m.drive("held", m.joints["first bearing"], angle=0)
    m.torque("load", "last", (0, 0, 20.0))
    found = pl.statics(m)
    force = 20.0 / (0.5 * GEAR.base_diameter)
    assert [found[f"mesh {i}.contact_force"].final for i in (1, 2)] == pytest.approx([force, force], rel=1e-6)


def test_other_meshes_of_an_elastic_wheel_are_named() -> None:
    m = row([pl.Flank(), pl.Rolling()])
    assert any('wheel "idler" is elastic only' in text and '"mesh 2" (Rolling)' in text for text in m.warnings)
    assert not [t for t in row([pl.Flank(elements_b=RIGID), pl.Rolling()]).warnings if "elastic only" in t]


def test_ring_of_a_planetary_gear() -> None:
    gears = {
        "sun": pl.Gear(teeth=24, normal_module="2 mm", face_width="20 mm", bore="20 mm"),
        "planet": pl.Gear(teeth=24, normal_module="2 mm", face_width="20 mm", bore="20 mm"),
        "ring": pl.Gear(teeth=72, normal_module="2 mm", face_width="20 mm", internal=True, rim_diameter="162 mm"),
    }
    for key in ("mesh_ring", "mesh_sun"):
        m = pl.Model("stage")
        with pytest.raises(ModelError, match=r'mesh 2": wheel "stage (ring|sun)" also has the mesh Flank'):
            pl.planetary(m, "stage", **gears, fixed="ring", **{key: pl.Flank()})
        assert not m.gear_pairs and not m.bodies


def test_copies_with_other_parts_and_files() -> None:
    m = row([pl.Flank(), pl.Rolling()])
    with pytest.raises(ModelError, match='"mesh 2": wheel "idler" also has'):
        m.replaced(replace(m.gear_pairs["mesh 2"], mesh=pl.Flank()))
    assert m.replaced(m.gear_pairs["mesh 1"]).gear_pairs.keys() == m.gear_pairs.keys()

    text = m.to_toml()
    changed = re.sub(r"mesh = .*rolling.*", 'mesh = "flank"', text)
    assert changed != text
    with pytest.raises(ModelError, match='wheel "idler" also has'):
        files.read(changed)
