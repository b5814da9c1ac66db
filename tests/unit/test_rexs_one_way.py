"""REXS bearings that carry axial forces in one direction."""

import json
from pathlib import Path
from typing import Any

import pytest

import pitchline as pl
from pitchline.exchange.rexs.gearbox import rexs_origin

FILE = Path(__file__).parents[1] / "references" / "rexs" / "two_stage.rexs"


def changed(folder: Path, ways: dict[int, str], stiffness: float | None = 1.2e8) -> Path:
    """The two-stage gear unit with other directions of the axial forces of its bearings, by their ids."""
    pl.write_rexs(pl.read_rexs(FILE), folder / "two_stage.rexsj", overwrite=True)
    data = json.loads((folder / "two_stage.rexsj").read_text())
    for component in data["model"]["components"]:
        if component["id"] in ways:
            kept = [a for a in component["attributes"] if a["id"] not in ("axial_force_absorption", "axial_stiffness")]
            kept.append({"id": "axial_force_absorption", "unit": "none", "enum": ways[component["id"]]})
            if stiffness is not None:
                kept.append({"id": "axial_stiffness", "unit": "N / m", "floating_point": stiffness})
            component["attributes"] = kept
    file = folder / "changed.rexsj"
    file.write_text(json.dumps(data))
    return file


def axial(run: Any, name: str) -> float:
    """Axial force of a bearing on its shaft, with that of its support."""
    found = sum(run[key].final for key in (f"{name} support.axial_force",) if key in run.signals)
    return float(found + run[f"{name}.force"].final[0])


@pytest.mark.parametrize("stiffness", [1.2e8, None])
def test_one_of_two_opposite_bearings_carries_the_axial_force(stiffness: float | None, tmp_path: Path) -> None:
    """Bearings 1 and 2 of a shaft: the sum is that of a locating bearing, and the other one carries nothing."""
    ways = {44: "both_directions", 46: "no_direction"}
    alone = pl.statics(pl.from_rexs(changed(tmp_path, ways), bearings="stiffness"))
    load = axial(alone, "Bearing 1")
    assert abs(load) > 500.0
    carried = []
    for first, second in (("positive", "negative"), ("negative", "positive")):
        m = pl.from_rexs(changed(tmp_path, {44: first, 46: second}, stiffness), bearings="stiffness")
        run = pl.statics(m)
        forces = [axial(run, "Bearing 1"), axial(run, "Bearing 2")]
        assert sum(forces) == pytest.approx(load, rel=1e-3)
        assert min(map(abs, forces)) == pytest.approx(0.0, abs=1e-6)
        carried.append(abs(forces[0]) > 1.0)
        report = "\n".join(rexs_origin(m).report.of("used"))
        assert '"Bearing 1"): carries axial forces on its inner part along ' in report
    assert carried == [True, False] or carried == [False, True]
    assert carried[0] == (load < 0.0)  # "positive": forces on the shaft along +u are carried, which press back along -u


def test_a_ball_bearing_by_geometry_is_free_in_the_other_direction(tmp_path: Path) -> None:
    file = changed(tmp_path, {44: "positive", 46: "negative"}, None)
    data = json.loads(file.read_text())
    for component in data["model"]["components"]:
        if component["id"] in (44, 46):
            component["attributes"] = [a for a in component["attributes"] if not a["id"].endswith("_stiffness")]
    file.write_text(json.dumps(data))
    m = pl.from_rexs(file)
    run = pl.statics(m)
    supports = [run[f"Bearing {k} support.axial_force"].final for k in (1, 2)]
    assert min(map(abs, supports)) == pytest.approx(0.0, abs=1e-6)
    assert max(map(abs, supports)) == pytest.approx(813.0, rel=0.02)


def test_a_written_file_has_the_direction_again(tmp_path: Path) -> None:
    m = pl.from_rexs(changed(tmp_path, {44: "positive", 46: "negative"}))
    pl.to_rexs(m, tmp_path / "again.rexs")
    again = pl.statics(pl.from_rexs(tmp_path / "again.rexs"))
    assert again["Bearing 1 support.axial_force"].final == pytest.approx(-812.93, rel=1e-4)
