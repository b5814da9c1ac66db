"""The demonstration behind `make demo`: figures compared with the hand calculation, files, and a second run in the same folder.

Its tables of loaded tooth contact are coarser here and its run-up is shorter, to save time. The finite elements are the same.
"""

from typing import Any

import pytest

from pitchline import gallery
from pitchline.files import ModelFile
from pitchline.gallery import demo
from pitchline.gallery.figures import Figure

SETTINGS = {"loads": 4, "phases": 16, "resolution": 2, "run_up": "0.2 s"}
FILES = {"demo.png", "gears.png", "transmission_error.png", "campbell.png", "order_map.png"}
FILES |= {"mesh_forces.png", "demo.html"}
BEARINGS = [f"{shaft}_{end}" for shaft in ("input", "intermediate", "output") for end in "ab"]


@pytest.fixture(scope="module")
def shown(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """Folder, run, figures, and what both of two demonstrations printed; the second one takes the results of the first."""
    folder = tmp_path_factory.mktemp("demo") / "out"
    one = gallery.model("demo-gearbox", **SETTINGS)
    done: dict[str, Any] = {}
    printed = []
    real = ModelFile.run

    def run_once(self: ModelFile, **options: Any) -> dict[str, Any]:
        return done.setdefault("run", real(self, **options)) if "run" not in done else done["run"]

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(demo, "model", lambda name: one)
        patch.setattr(ModelFile, "run", run_once)
        for n in range(2):
            patch.setattr("builtins.print", lambda *texts, **options: printed.append((n, *texts)))  # noqa: B023
            assert demo.main(["-o", str(folder)]) == 0
            (folder / "of the user.txt").touch()
    texts = ["\n".join(str(text) for m, *lines in printed if m == n for text in lines) for n in range(2)]
    return {
        "folder": folder,
        "run": done["run"],
        "figures": {f.key: f for f in one.figures(done["run"])},
        "texts": texts,
    }


@pytest.fixture(scope="module")
def figures(shown: dict[str, Any]) -> dict[str, Figure]:
    found: dict[str, Figure] = shown["figures"]
    return found


def test_a_second_run_replaces_its_own_files_and_no_others(shown: dict[str, Any]) -> None:
    assert {path.name for path in shown["folder"].iterdir()} == FILES | {"of the user.txt"}
    for name in FILES:
        assert (shown["folder"] / name).stat().st_size > 10_000


def test_the_table_has_the_figures(shown: dict[str, Any], figures: dict[str, Figure]) -> None:
    for text in shown["texts"]:
        for key in ("stage_1.tangential_force", "input_a.radial_load", "intermediate_b.axial_load"):
            assert f"{figures[key].value:.0f} N" in text and f"{figures[key].expected:.0f} N" in text
        assert f"{figures['stage_2.transmission_error_no_relief'].value:.2f}" in text
        assert (shown["folder"] / "demo.html").as_uri() in text
        assert "-0.0" not in text


@pytest.mark.parametrize("stage", (1, 2))
@pytest.mark.parametrize("force", ("tangential", "radial", "axial"))
def test_mesh_forces(figures: dict[str, Figure], stage: int, force: str) -> None:
    """Gears tilt by tenths of a mrad and centres separate by hundredths of a mm: relative differences of 1e-3."""
    found = figures[f"stage_{stage}.{force}_force"]
    assert found.value == pytest.approx(found.expected, rel=2e-3)


@pytest.mark.parametrize("bearing", BEARINGS)
def test_bearing_loads(figures: dict[str, Figure], bearing: str) -> None:
    """By hand the load is at the middle of the face. A load 5 mm off the middle moves 5/180 of the mesh force to one bearing."""
    found = figures[f"{bearing}.radial_load"]
    assert found.value == pytest.approx(found.expected, rel=0.05)


def test_tip_relief_reduces_transmission_error_and_dynamic_forces(figures: dict[str, Figure]) -> None:
    for stage in (1, 2):
        for name, part in (("transmission_error", 0.5), ("max_pressure", 0.95)):
            assert figures[f"stage_{stage}.{name}"].value < part * figures[f"stage_{stage}.{name}_no_relief"].value
        relieved, plain = (figures[f"stage_{stage}.dynamic_factor{end}"].value - 1.0 for end in ("", "_no_relief"))
        assert 0.0 < relieved < plain < 0.5


def test_the_results_have_no_avoidable_warnings(shown: dict[str, Any]) -> None:
    """Only what cannot be avoided: bearings from catalogue values, and edge contact of teeth without relief."""
    for name, found in shown["run"].items():
        for warning in found.warnings:
            assert "catalogue" in warning or ("edge contact" in warning and name.endswith("no_relief")), warning
