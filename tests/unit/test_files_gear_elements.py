"""Grids, modes and masses by finite elements in model files: gear_grid, gear_modes, solids from elements."""

from pathlib import Path

import numpy as np
import pytest

import pitchline as pl
from pitchline import files

HEAD = """
[gears.wheel]
teeth = 18
normal_module = "2 mm"
face_width = "10 mm"
bore = "14 mm"

[bodies.wheel]
gear = "wheel"
solid = { kind = "gear", gear = "wheel", from = "elements" }

[joints]
hinge = { kind = "revolute", a = "ground", b = "wheel" }
"""
GRID = """
[[analyses]]
name = "grid"
kind = "gear_grid"
gear = "wheel"
grid = { order = 1, size = "1.5 mm", face_elements = 3 }
"""
MODES = """
[[analyses]]
name = "modes"
kind = "gear_modes"
up_to = "60 kHz"
grid = { flank_elements = 3, fillet_elements = 1, root_elements = 1, across_elements = 2, body_elements = 2, face_elements = 2 }
formulation = "reduced"
"""
FIGURES = """
[figures]
nodes = { value = "= analyses.grid.nodes" }
mass = { value = "= analyses.grid.mass", expected = "= analyses.grid.exact_mass", unit = "g" }
low = { value = "= below(analyses.modes.frequencies, '40 kHz')", unit = "kHz" }

[[plot]]
analysis = "grid"

[[plot]]
analysis = "modes"
end = "50 kHz"
"""


def read(tmp_path: Path, text: str) -> files.ModelFile:
    path = tmp_path / "wheel.toml"
    path.write_text(text, encoding="utf-8")
    return files.read(path)


def test_grids_modes_and_masses(tmp_path: Path) -> None:
    """As the functions of the Python API give them."""
    file = read(tmp_path, HEAD + GRID + MODES + FIGURES)
    gear = file.gears["wheel"]
    assert isinstance(gear, pl.Gear)
    solid = pl.toothed_solid(gear)
    assert file.model.bodies["wheel"].mass == solid.mass
    run = file.run()
    found = {figure.key: figure for figure in file.findings(run)}
    grid = pl.sector_grid(gear, order=1, size="1.5 mm", face_elements=3)
    assert found["nodes"].value == 18 * (len(grid.solid.nodes) - len(grid.high_side)) == len(pl.whole_gear(grid).nodes)
    assert found["mass"].value == pytest.approx(found["mass"].expected, rel=0.01)
    assert 1e3 * solid.mass == pytest.approx(found["mass"].expected, rel=1e-4)
    modes = run["modes"]
    assert isinstance(modes, pl.GearModes) and modes.name == "wheel" and modes.bore == "free"
    assert np.all(np.diff(modes.frequencies) >= 0.0) and modes.frequencies[-1] < 60e3
    np.testing.assert_allclose(found["low"].value, 1e-3 * modes.frequencies[modes.frequencies < 40e3])
    direct = pl.gear_modes(gear, up_to="60 kHz", formulation="reduced", grid=file.steps[1].options["grid"])
    np.testing.assert_array_equal(direct.frequencies, modes.frequencies)
    assert "nodal diameters" in str(modes) and "nodes" in str(run["grid"])
    for number in range(2):
        import pitchline.views  # noqa: F401  (results can then draw themselves)

        file.draw(run, tmp_path / f"{number}.png", number)
        assert (tmp_path / f"{number}.png").stat().st_size > 5_000


@pytest.mark.parametrize(
    "text, words",
    [
        (
            HEAD + GRID.replace('gear = "wheel"', 'gear = "weel"'),
            r'analyses\[0\].gear: no body or wheel .weel. .*"wheel"',
        ),
        (HEAD + GRID.replace("order", "ordr"), r'analyses\[0\].grid.ordr: unknown key "ordr"; did you mean "order"'),
        (HEAD + GRID + 'bore = "free"\n', 'unknown key "bore"'),
        (HEAD + MODES.replace('up_to = "60 kHz"\n', ""), '"up_to" is missing'),
        (HEAD + MODES.replace("60 kHz", "60 mm"), "up_to"),
        (HEAD + MODES + 'bore = "loose"\n', "bore: .loose. is unknown"),
        (HEAD + MODES + "[plot]\nsignals = ['a.b']\n", "signals"),
        (HEAD.replace('"elements"', '"element"'), 'from: .element. is unknown; did you mean "elements"'),
        (
            HEAD.replace('from = "elements"', "form = 1"),
            "the solid of a gear has the keys gear, from, moved and turned",
        ),
    ],
)
def test_what_is_wrong_is_said(tmp_path: Path, text: str, words: str) -> None:
    with pytest.raises(pl.FileError, match=words):
        read(tmp_path, text)


def test_gears_without_a_bore_are_refused(tmp_path: Path) -> None:
    with pytest.raises(pl.PitchlineError, match="bore"):
        read(tmp_path, HEAD.replace('bore = "14 mm"\n', ""))


def test_a_wheel_is_named_for_a_model_alone() -> None:
    gear = pl.Gear(teeth=20, normal_module="2 mm", face_width="10 mm", bore="14 mm")
    m = pl.Model("two")
    for name in ("a", "b"):
        m.gear_body(name, gear, position=(0, 0, 0) if name == "a" else (1, 0, 0))
    with pytest.raises(pl.ModelError, match="specify the wheel"):
        pl.gear_grid(m)
    with pytest.raises(pl.ModelError, match=r'no wheel .c.; known: "a", "b"'):
        pl.gear_grid(m, "c")
    with pytest.raises(pl.ModelError, match="only for a model"):
        pl.gear_grid(gear, "a")
    with pytest.raises(pl.ModelError, match="expected a Gear"):
        pl.gear_modes(3, up_to="1 kHz")  # type: ignore[arg-type]
    with pytest.raises(pl.ModelError, match="expected a Gear"):
        pl.toothed_solid(3)  # type: ignore[arg-type]
    assert pl.gear_grid(m, "b", grid={"size": "2 mm"}).name == "b"
