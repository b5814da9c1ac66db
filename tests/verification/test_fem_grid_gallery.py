"""The grids of the published pairs have the published size and the exact mass."""

import math
from pathlib import Path

import pytest
from references.gallery_runs import figures_of, run_of

import pitchline as pl
from pitchline import gallery

NAMES = ("table1-spur", "table1-helical", "table3-beveloid")


def gears_of(name: str) -> list[pl.Gear]:
    return [wheel.gear for wheel in gallery.model(name).build().wheels.values()]


@pytest.mark.parametrize("name", NAMES)
def test_published_sizes_are_met_to_one_per_cent(name: str) -> None:
    """Do, Ziegler and Eberhard: about 360000, 406000 and 303000 nodes, 250000 elements; edges of about 0.06, 0.063 and
    0.13 mm, given to two figures."""
    figures = figures_of(name)
    for key in ("pair.nodes", "pair.elements"):
        if figures[key].expected is not None:
            assert figures[key].value == pytest.approx(figures[key].expected, rel=0.01)
    assert figures["pair.nodes"].value == figures["pinion.nodes"].value + figures["gear.nodes"].value
    for wheel in ("pinion", "gear"):
        assert figures[f"{wheel}.flank_edge"].value == pytest.approx(figures[f"{wheel}.flank_edge"].expected, rel=0.02)
        assert figures[f"{wheel}.scaled_jacobian"].value > 0.7
        assert figures[f"{wheel}.mass"].value == pytest.approx(figures[f"{wheel}.mass"].expected, rel=1e-3)


def test_the_pictures_are_drawn(tmp_path: Path) -> None:
    one = gallery.model("table3-beveloid")
    assert isinstance(one, gallery.GalleryFile)
    for number, _ in enumerate(one.file.plots):
        one.file.draw(run_of("table3-beveloid"), tmp_path / f"{number}.png", number)
        assert (tmp_path / f"{number}.png").stat().st_size > 10_000


@pytest.mark.parametrize("name", NAMES)
def test_the_rigid_pair_has_the_published_shafts(name: str) -> None:
    model = gallery.model(name).build()
    axes = [model.bodies[which].orientation[:, 2] for which in ("pinion", "gear")]
    angle = math.radians(20.0) if "beveloid" in name else 0.0
    assert abs(float(axes[0] @ axes[1])) == pytest.approx(math.cos(angle))


def test_the_gears_are_those_of_the_tables() -> None:
    spur, helical, conical = (gears_of(name) for name in NAMES)
    assert [tuple(gear.teeth for gear in pair) for pair in (spur, helical, conical)] == [(18, 37), (18, 37), (19, 38)]
    assert spur[0].helix_angle == 0.0
    assert helical[0].helix_angle == -helical[1].helix_angle == pytest.approx(0.13962634)
    assert conical[1].profile_shift_angle == pytest.approx(0.17453293)
    for gear in (*spur, *helical, *conical):
        assert gear.bore == pytest.approx(0.4 * gear.reference_diameter)
        assert gear.root_radius_factor * gear.normal_module == pytest.approx(0.25e-3)
        assert gear.material.density == 7850.0 and gear.material.youngs_modulus == 2.1e11
