"""Drawings of gears: of every kind, in files, and by the command line."""

import json
from pathlib import Path

import numpy as np
import pytest

import pitchline as pl
from pitchline.cli import main
from pitchline.errors import PitchlineError
from pitchline.parts.gears.drawing import _body_section, _tooth_section
from pitchline.parts.gears.teeth import outline

SPUR = {"teeth": 24, "normal_module": "2 mm", "face_width": "20 mm"}
WEB = pl.GearBody(bore="10 mm", rim_thickness="4 mm", web_thickness="6 mm", hub_diameter="20 mm")
GEARS = {
    "web": pl.Gear(**SPUR, body=WEB, modifications=pl.LeadCrowning("5 um")),
    "web to the bore": pl.Gear(**SPUR, body=WEB.with_(hub_diameter=None)),
    "solid": pl.Gear(**SPUR),
    "beveloid": pl.Gear(**SPUR, helix_angle="10 deg", profile_shift_angle="4 deg"),
    "ring": pl.Gear(teeth=60, normal_module="2 mm", internal=True),
    "bevel": pl.Gear(**SPUR, cone_angle="40 deg"),
    "spiral bevel": pl.Gear(**SPUR, cone_angle="-40 deg", helix_angle="30 deg"),
    "crown wheel": pl.Gear(**SPUR, cone_angle="90 deg"),
    "worm": pl.Gear(starts=2, normal_module="3 mm", face_width="40 mm", lead_angle="8 deg"),
}


@pytest.mark.parametrize("name", GEARS)
def test_every_gear_has_a_drawing(name: str, tmp_path: Path) -> None:
    gear = GEARS[name]
    figure = gear.plot(path=tmp_path / "gear.svg")
    text = (tmp_path / "gear.svg").read_text(encoding="utf-8")
    assert len(figure.axes) == 2 and "<svg" in text
    labels = [line.get_text() for line in figure.axes[0].get_legend().get_texts()]
    assert f"reference ⌀ {1e3 * gear.reference_diameter:.5g} mm" in labels
    assert any(label.startswith("base") for label in labels) == (
        name not in ("beveloid", "bevel", "spiral bevel", "crown wheel")
    )


def _volume(points: list[tuple[float, float]]) -> float:
    """Of a section (z, r) turned round the axis: 2π ∫ r dA (Pappus)."""
    z, r = np.array(points).T
    z1, r1 = np.roll(z, -1), np.roll(r, -1)
    cross = z * r1 - z1 * r
    return abs(float(np.pi / 3 * ((r + r1) * cross).sum()))


@pytest.mark.parametrize("name", ["web", "web to the bore", "solid"])
def test_the_axial_section_is_that_of_the_blank(name: str) -> None:
    """Up to the root, which lies a dedendum below the pitch surface; the rest of the mass are the teeth, by a fine polygon."""
    gear = GEARS[name]
    b, r, root = 0.02, 0.5 * gear.reference_diameter, 0.5 * gear.root_diameter
    x, y = outline(pl.Teeth(gear.with_(modifications=None)), points=500).T
    teeth = (0.5 * float(x[:-1] @ y[1:] - x[1:] @ y[:-1]) - np.pi * root**2) * b
    assert _volume(_body_section(gear)) + teeth == pytest.approx(gear.blank.mass / gear.density, rel=1e-6)
    assert _volume(_tooth_section(gear)) == pytest.approx(np.pi * b * ((r + 2e-3) ** 2 - root**2), rel=1e-12)


def test_what_cannot_be_drawn(tmp_path: Path) -> None:
    with pytest.raises(PitchlineError, match="must end in one of"):
        GEARS["solid"].plot(path=tmp_path / "gear.docx")
    with pytest.raises(PitchlineError, match='did you mean "path"'):
        GEARS["solid"].plot(pth="gear.png")
    with pytest.raises(PitchlineError, match="expected a Gear"):
        pl.views.plot_gear(3)


def test_the_command_shows_words_and_draws(tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch) -> None:
    monkeypatch.chdir(tmp_path)
    m = pl.Model("pair")
    a = m.gear_body("pinion", GEARS["web"])
    m.gear_body("wheel", pl.Gear(**SPUR), mesh_with=a)
    m.gear_pair("mesh", "pinion", "wheel")
    m.to_toml(tmp_path / "pair.toml")
    assert main(["gear", "pair.toml", "--drawing", "wheel.png"]) == 0
    out = capsys.readouterr().out
    assert "wheel A: modifications: lead crowning 5 µm" in out and "wheel A: body: bore 10 mm, rim 4 mm" in out
    assert sorted(file.name for file in tmp_path.glob("*.png")) == ["wheel_pinion.png", "wheel_wheel.png"]
    assert main(["gear", "pair.toml", "--wheel", "a", "--drawing", "one.svg"]) == 0
    assert (tmp_path / "one.svg").is_file()


def test_gears_that_do_not_mesh_are_shown_alone(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch
) -> None:
    monkeypatch.chdir(tmp_path)
    m = pl.Model("alone")
    m.gear_body("wheel", GEARS["web"])
    m.to_toml(tmp_path / "alone.toml")
    assert main(["gear", "alone.toml"]) == 0
    out = capsys.readouterr().out
    assert "modifications: lead crowning 5 µm" in out and "root diameter" in out
    assert main(["gear", "alone.toml", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["figures"]["wheel.body"]["value"].startswith("bore 10 mm")
    assert main(["gear", "alone.toml", "--stl", "a.stl"]) != 0
    assert "files need gears in mesh" in capsys.readouterr().err
