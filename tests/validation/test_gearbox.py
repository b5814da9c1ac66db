"""The gearbox of the gallery beside its hand calculation.

Its tables of loaded teeth take a minute of finite elements, so that its teeth are springs here, which carry the same forces.
"""

import re
from pathlib import Path

import pytest

from pitchline import files, gallery
from pitchline.gallery.figures import Figure

TEXT = (Path(gallery.__file__).parent / "models" / "gearbox.toml").read_text(encoding="utf-8")
SPRINGS = re.sub(
    r"(\[gear_pairs\.stage_.\.mesh\])\n.*?\n\n",
    r'\1\nkind = "elastic"\ndamping_ratio = "= damping_ratio"\nbacklash = "120 um"\n\n',
    TEXT,
    flags=re.DOTALL,
)
SETTINGS = {"run_up": "5 ms", "load_time": "5 ms", "duration": "60 ms"}
BEARINGS = [f"{shaft}_{end}" for shaft in ("input", "intermediate", "output") for end in "ab"]


@pytest.fixture(scope="module")
def figures() -> dict[str, Figure]:
    file = files.read(SPRINGS, overrides=SETTINGS)
    return {figure.key: figure for figure in file.findings(file.run())}


@pytest.mark.parametrize("stage", (1, 2))
@pytest.mark.parametrize("force", ("tangential", "radial", "axial"))
def test_forces_of_teeth(figures: dict[str, Figure], stage: int, force: str) -> None:
    """Wheels tilt by some tenths of a mrad, and centres part by some hundredths of a mm: parts of 1e-3."""
    found = figures[f"stage_{stage}.{force}_force"]
    assert found.value == pytest.approx(found.expected, rel=1e-3)


def test_forces_are_those_of_the_data_sheet(figures: dict[str, Figure]) -> None:
    """30 kW at 1500 rpm on 19 teeth of 3 mm at 15 degrees."""
    numbers = {"tangential": 6473, "radial": 2439, "axial": 1734}
    for force, newtons in numbers.items():
        assert figures[f"stage_1.{force}_force"].expected == pytest.approx(newtons, abs=0.6)


@pytest.mark.parametrize("bearing", BEARINGS)
def test_loads_of_bearings(figures: dict[str, Figure], bearing: str) -> None:
    """By hand teeth bear in the middle of the face, and bearings have no moments: a face that bears at a third of its width, 7 mm
    off the middle, moves 7/216 of the force of the gear from one bearing to the other, twice that of a lightly loaded one."""
    found = figures[f"{bearing}.radial_load"]
    assert found.value == pytest.approx(found.expected, rel=0.1)
    assert figures[f"{bearing}.life"].value > 1e4


def test_axial_forces_go_into_the_bearings_that_hold(figures: dict[str, Figure]) -> None:
    for bearing in ("input_b", "intermediate_b"):
        found = figures[f"{bearing}.axial_load"]
        assert found.value == pytest.approx(found.expected, rel=5e-3)


def test_the_rest_is_there(figures: dict[str, Figure]) -> None:
    """Teeth of tilted wheels bear unevenly; no shaft bends by more than a part in 2000 of the distance of its bearings."""
    for stage in (1, 2):
        assert 1.0 < figures[f"stage_{stage}.face_load_factor"].value < 3.0
        assert 1.0 < figures[f"stage_{stage}.dynamic_factor"].value < 2.0
        assert 5.0 < figures[f"pinion_{stage}.deflection"].value < 108.0
