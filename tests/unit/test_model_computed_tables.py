"""Tables that a mesh computes from its gears: what may be said, what is refused, and when the work is done."""

import math
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from references.imported_pairs import imported, points_of

import pitchline as pl
from pitchline.files import read
from pitchline.parts.meshes import computed_table as table_cache
from pitchline.parts.meshes.computed_table import ComputedTable, TableRequest

GEAR = pl.Gear(teeth=18, normal_module="2 mm", face_width="10 mm", bore="14 mm")
RELIEF = pl.TipRelief("12 um", length="2 mm")


def build(mesh: Any = None, a: pl.Gear = GEAR, b: Any = None, **placing: Any) -> pl.Model:
    m = pl.Model("rig")
    first = m.gear_body("pinion", a)
    second = m.gear_body("wheel", b or GEAR.with_(teeth=37, bore="29 mm"), mesh_with=first, towards="x", **placing)
    m.revolute("in", m.ground, first, axis="z")
    m.revolute("out", m.ground, second, axis="z")
    m.gear_pair("mesh", first, second, mesh=mesh)
    m.drive("motor", "in", angle=0)
    m.torque("load", "out", 30.0)
    return m


@pytest.fixture
def made(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[list[TableRequest]]:
    """An empty cache, and a simple table in place of contact: a stiffness of 1e8 N/m, touching at 1 µm. What was asked for."""
    monkeypatch.setenv("PITCHLINE_CACHE_DIR", str(tmp_path / "cache"))
    monkeypatch.setattr(table_cache, "_known", {})
    asked: list[TableRequest] = []

    def simple(request: TableRequest, *, what: str) -> ComputedTable:
        assert what == 'gear pair "mesh"'
        asked.append(request)
        loads = np.concatenate([[0.0], np.array(request.torques) / (0.5 * request.gear_b.base_diameter)])
        phase = np.arange(request.phases) / request.phases
        return ComputedTable(loads, 1e-6 + loads[:, None] / (1e8 + 1e7 * np.sin(2 * math.pi * phase)), None)

    monkeypatch.setattr("pitchline.parts.meshes.part.loaded_table", simple)
    return asked


# ------------------------------------------------------------------------------------------------------------------ said


@pytest.mark.parametrize(
    "options, words",
    [
        ({"torque": 0.0}, "torque: must be greater than zero"),
        ({"torque": [5.0, 3.0]}, "several torques .* increase"),
        ({"torque": [5.0, 8.0], "loads": 4}, "omit loads"),
        ({"torque": "5 N"}, "torque"),
        ({"phases": 2}, "phases"),
        ({"loads": 2}, "loads"),
        ({"loads": "100 N*m"}, "the largest torque is torque="),
        ({"loads": [0, 100]}, "have no approach"),
        ({"coast": "yes"}, "coast must be True or False"),
        ({"coast": [[0], [1]]}, "coast needs loads and approach"),
        ({"bore": "welded"}, '"fixed" or "free"'),
        ({"along": "hoop"}, "computed tables are on the base circle"),
        ({"damping_ratio": -1}, "damping_ratio"),
        ({"resolution": 0.1}, "resolution must be from 1 to 50"),
        ({"cells": 2}, "cells"),
        ({"elements_a": 3}, "elements_a must be options of the grid"),
        ({"torqe": 3}, 'did you mean "torque"'),
        ({"loads": [0, 1], "approach": [[0], [1]], "torque": 3.0}, "torque is for tables that are computed"),
    ],
)
def test_what_is_refused(options: dict[str, Any], words: str) -> None:
    with pytest.raises(pl.ModelError, match=f"Loaded.*{words}"):
        pl.Loaded(**options)


@pytest.mark.parametrize(
    "options, words",
    [
        ({"stiffness": "loaded"}, 'torque="100 N'),
        ({"torque": 5.0}, 'torque needs stiffness="loaded"'),
        ({"stiffness": "loaded", "torque": 0.0}, "must not be zero"),
    ],
)
def test_a_loaded_stiffness_needs_its_torque(options: dict[str, Any], words: str) -> None:
    with pytest.raises(pl.ModelError, match=f"Elastic.*{words}"):
        pl.Elastic(**options)


def test_a_table_without_gears_is_nowhere() -> None:
    with pytest.raises(pl.ModelError, match=r"read it from GearMesh\.loaded"):
        _ = pl.Loaded().tables


REFUSED: dict[str, tuple[dict[str, Any], str]] = {
    "no bore": ({"a": GEAR.with_(bore=0)}, "finite elements of gear A, which has no bore"),
    "single teeth": (
        {"a": GEAR.with_(modifications={"per_tooth": {3: pl.PitchDeviation("5 um")}})},
        r'gear A has different teeth.*use Flank\(\).*over="revolution of a"',
    ),
    "ring first": (
        {"a": GEAR.with_(teeth=60, internal=True, bore=0, rim_diameter="150 mm"), "b": GEAR},
        "pinion as a and the internal gear as b",
    ),
    "no bore, imported": ({"a": imported(GEAR.with_(bore=0), 5)}, "finite elements of gear A, which has no bore"),
    "single imported flanks": (
        {"a": GEAR.with_(flanks={**points_of(GEAR, 5), "per_tooth": {(3, "left"): points_of(GEAR, 5)["left"]}})},
        r"gear A has different teeth.*use Flank\(\)",
    ),
}


@pytest.mark.parametrize("mesh", [pl.Loaded(), pl.Elastic("loaded", torque=20.0)], ids=["loaded", "elastic"])
@pytest.mark.parametrize("case", REFUSED)
def test_pairs_that_are_refused_are_so_at_once(case: str, mesh: Any) -> None:
    gears, words = REFUSED[case]
    with pytest.raises(pl.ModelError, match=f'gear pair "mesh".*{words}'):
        build(mesh, **gears)


def test_faces_must_be_known() -> None:
    m = pl.Model("thin")
    gear = pl.Gear(teeth=18, normal_module="2 mm")
    a = m.gear_body("a", gear, mass=1, inertia=(1, 1, 1))
    b = m.gear_body("b", gear, mesh_with=a, mass=1, inertia=(1, 1, 1))
    with pytest.raises(pl.ModelError, match="needs the face width of gear A"):
        m.gear_pair("mesh", a, b, mesh=pl.Loaded())


def test_wheels_that_stand_opposite_ways() -> None:
    """A wheel whose flanks are alike is in the position of the closed form; others need the position of their axes."""
    different = {"left": RELIEF}
    for modifications, alike in ((None, True), (RELIEF, True), (different, False)):
        for points in (0, 5):
            m = pl.Model("opposite")
            a = m.gear_body("a", GEAR)
            gear = GEAR.with_(modifications=modifications)
            gear = imported(gear, points) if points else gear
            b = m.gear_body("b", gear, position=("36 mm", 0, 0), axis=(0, 0, -1))
            request = m.gear_pair("mesh", a, b, mesh=pl.Loaded()).request  # type: ignore[union-attr]
            assert request is not None and (request.placement is None) == alike
    with pytest.raises(
        pl.ModelError, match=r"tilts need wheels on parallel axes that point in the same direction.*reverse one wheel"
    ):
        m.gear_pair("other", a, b, mesh=pl.Loaded(tilts="1 mrad"))


# ------------------------------------------------------------------------------------------------------------------ when


def test_a_model_is_built_written_and_shown_without_computing(made: list[TableRequest], tmp_path: Path) -> None:
    for mesh in (pl.Loaded(damping_ratio=0.05), pl.Elastic("loaded", torque=20.0, damping_ratio=0.05)):
        m = build(mesh)
        text = m.to_toml(tmp_path / f"{type(mesh).__name__}.toml")
        assert read(text).model.describe() == m.describe()
        assert "approach" not in text and len(text) < 3000
        _ = m.summary(), m.gear_pairs["mesh"].warnings, m.describe(), m.replaced(without="load")
        m.check()
        pl.views.plot_scheme(m, path=tmp_path / f"{type(mesh).__name__}.svg")
    assert not made


def test_the_law_is_computed_once(made: list[TableRequest]) -> None:
    m = build(pl.Loaded(damping_ratio=0.05, torque=50.0))
    pair = m.gear_pairs["mesh"]
    assert pair.law.tables is not None and pair.law.damping > 0.0
    assert pair.loaded.approach is not None and pair.loaded.approach.shape == (10, 128)
    pl.statics(m)
    pl.modes(m)
    pl.dynamics(m, duration="0.1 ms", step="10 us")
    assert len(made) == 1 and made[0].torques[-1] == 50.0


def test_stiffness_and_error_of_loaded_teeth(made: list[TableRequest]) -> None:
    """On the base circle 1e8 N/m and 1 µm."""
    law = build(pl.Elastic("loaded", torque=20.0, damping_ratio=0.05)).gear_pairs["mesh"].law
    assert made[0].torques == (20.0,)
    assert law.mean_stiffness == pytest.approx(1e8, rel=1e-3)
    assert law.damping == pytest.approx(2 * 0.05 * math.sqrt(law.mean_stiffness * law.effective_mass))
    (error,) = law.errors
    assert error(1.0) == pytest.approx(-1e-6)  # type: ignore[operator]
    (error,) = build(pl.Elastic("loaded", torque=-20.0)).gear_pairs["mesh"].law.errors
    assert error(1.0) == pytest.approx(1e-6)  # type: ignore[operator]


def test_the_summary_says_how_far_the_table_goes() -> None:
    assert "Loaded (table from the gears up to 50 N m on wheel)" in build(pl.Loaded(torque=50.0)).summary()
    assert "Loaded (table from the gears up to 8" in build(pl.Loaded()).summary()
    assert "Elastic (loaded teeth at 20 N m on wheel)" in build(pl.Elastic("loaded", torque=20.0)).summary()


def test_more_than_the_table_knows_is_told_with_the_way_out(made: list[TableRequest]) -> None:
    (warning,) = pl.statics(build(pl.Loaded(torque=10.0))).warnings
    assert "up to 3 times the largest load" in warning and "Loaded(torque=...)" in warning


@pytest.mark.slow
def test_results_of_computed_tables_are_kept_without_them(made: list[TableRequest], tmp_path: Path) -> None:
    m = build(pl.Loaded())
    run = pl.dynamics(m, duration="0.1 ms", step="10 us", checkpoint=tmp_path / "run.ckpt")
    again = pl.Result.load(run.save(tmp_path / "run.nc"))
    mesh = again.model["gear_pairs"]["mesh"]["mesh"]
    assert mesh["type"] == "Loaded" and mesh["approach"] is None
    assert "table from the gears" in again.report(tmp_path / "run.html").read_text(encoding="utf-8")


def test_inputs_and_operating_points_keep_the_table(made: list[TableRequest]) -> None:
    m = build(pl.Loaded(damping_ratio=0.02))
    about = pl.statics(m)
    found = pl.frequency_response(
        m, inputs="mesh.error", outputs="mesh.normal_force", frequencies=["1 kHz"], about=about
    )
    assert np.isfinite(found.response).all() and len(made) == 1


# ----------------------------------------------------------------------------------------------------------------- cache


def test_tables_are_kept_by_content(made: list[TableRequest]) -> None:
    def table(**changes: Any) -> np.ndarray:
        found = build(pl.Loaded(**changes.pop("mesh", {})), **changes).gear_pairs["mesh"].loaded.approach
        assert found is not None
        return found

    first = table()
    assert len(made) == 1 and table() == pytest.approx(first) and len(made) == 1
    table_cache._known.clear()  # as in another process
    assert table() == pytest.approx(first, rel=1e-15) and len(made) == 1
    distance = pl.GearPair(GEAR, GEAR.with_(teeth=37)).centre_distance
    changes: list[dict[str, Any]] = [
        {"a": GEAR.with_(modifications=RELIEF)},
        {"a": GEAR.with_(modifications=pl.TipRelief("13 um", length="2 mm"))},
        {"a": GEAR.with_(modifications={"left": RELIEF})},
        {"a": GEAR.with_(bore="15 mm")},
        {"a": GEAR.with_(material=pl.Material("soft", density=1e3, youngs_modulus=3e9, poissons_ratio=0.4))},
        {"centre_distance": distance + 1e-5},
        {"axial_shift": "1 mm"},
        {"mesh": {"torque": 50.0}},
        {"mesh": {"phases": 64}},
        {"mesh": {"loads": 5}},
        {"mesh": {"bore": "free"}},
        {"mesh": {"elements_b": {"size": "1 mm"}}},
        {"mesh": {"resolution": 5.0}},
        {"mesh": {"coast": True}},
    ]
    for n, change in enumerate(changes, 2):
        table(**change)
        assert len(made) == n, change
    table(mesh={"damping_ratio": 0.1, "backlash": "20 um"})  # no part of the table
    assert len(made) == len(changes) + 1
    for file in table_cache.table_folder().glob("*.npz"):
        file.write_bytes(b"broken")
    table_cache._known.clear()
    table()
    assert len(made) == len(changes) + 2


def test_code_of_the_user_is_not_kept(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """What a modification of one's own does is not seen from its fields."""
    monkeypatch.setenv("PITCHLINE_CACHE_DIR", str(tmp_path))

    class Mine(pl.LeadCrowning):
        pass

    pair = build(pl.Loaded(), a=GEAR.with_(modifications=Mine("3 um"))).gear_pairs["mesh"]
    assert pair.request is not None and table_cache.TableEntry.of(pair.request).key == ""


# -------------------------------------------------------------------------------------------------- modified flanks and all


@pytest.mark.parametrize(
    "mesh, acts",
    [
        (pl.Rigid(), False), (pl.Elastic(), False), (pl.Elastic("2e8 N/m"), False), (pl.Rigid(error="2 um"), True),
        (pl.Elastic(2e8, error="2 um"), True), (pl.Elastic("loaded", torque=20.0), True), (pl.Loaded(), True), (pl.Flank(), True),
        (pl.Rolling(), True), (pl.Loaded([0, 1], [[0], [1]]), True),
    ],
)  # fmt: skip
def test_modifications_that_do_not_act_are_told(mesh: Any, acts: bool) -> None:
    """Rolling has no teeth; a table or an error that was given says what the teeth do."""
    relieved = GEAR.with_(modifications=RELIEF)
    found = [text for text in build(mesh, a=relieved).gear_pairs["mesh"].warnings if "modifications" in text]
    assert build(mesh).gear_pairs["mesh"].warnings == ()
    if acts:
        assert found == []
        return
    (text,) = found
    assert f'{type(mesh).__name__} ignores the modifications of "pinion"' in text and "Loaded() and Flank()" in text


FILE = """
name = "pair"
[gears.pinion]
teeth = 18
normal_module = "2 mm"
face_width = "10 mm"
bore = "14 mm"
[gears.wheel]
teeth = 37
normal_module = "2 mm"
face_width = "10 mm"
bore = "29 mm"
[bodies.a]
gear = "pinion"
[bodies.b]
gear = "wheel"
mesh_with = "a"
towards = "x"
[joints]
in = { kind = "revolute", a = "ground", b = "a", axis = "z" }
out = { kind = "revolute", a = "ground", b = "b", axis = "z" }
[gear_pairs.mesh]
a = "a"
b = "b"
mesh = "WORD"
[drives.motor]
joint = "in"
angle = 0
[loads.load]
kind = "torque"
on = "out"
value = "30 N*m"
"""


@pytest.mark.parametrize("word", ["rolling", "rigid", "elastic", "loaded", "flank"])
def test_a_fidelity_is_one_word(word: str, made: list[TableRequest]) -> None:
    """All five carry the load; the teeth of the last three give."""
    m = read(FILE.replace("WORD", word)).model
    mesh = m.gear_pairs["mesh"].mesh
    assert type(mesh).__name__.lower() == word
    if word == "flank":
        return  # whose finite elements other tests look at
    rest = pl.statics(m)
    assert abs(rest["motor.torque"].final) == pytest.approx(30.0 * 18 / 37, rel=0.02)
    turned = abs(rest["out.angle"].final) * 0.5 * m.gear_pairs["mesh"].pair.b.base_diameter  # type: ignore[union-attr]
    assert (turned > 1e-6) == (word in ("elastic", "loaded"))
