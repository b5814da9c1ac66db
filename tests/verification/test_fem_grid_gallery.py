"""The grids of the published pairs have the published size and the exact mass."""

import math
from pathlib import Path

import pytest

from pitchline.gallery import elastic_pair_grids
from pitchline.gallery.do_ziegler_eberhard import table1_pair, table3_pair


@pytest.mark.parametrize("pair", ["spur", "helical", "beveloid"])
def test_published_sizes_are_met_to_one_per_cent(pair: str) -> None:
    """Do, Ziegler and Eberhard: about 360000, 406000 and 303000 nodes, 250000 elements; edges of about 0.06, 0.063 and
    0.13 mm, given to two figures."""
    run = elastic_pair_grids.run(pair)
    figures = {f.key: f for f in elastic_pair_grids.figures(run, pair)}
    for key in ("pair.nodes", "pair.elements"):
        if figures[key].expected is not None:
            assert figures[key].value == pytest.approx(figures[key].expected, rel=0.01)
    assert figures["pair.nodes"].value == figures["pinion.nodes"].value + figures["gear.nodes"].value
    for wheel in ("pinion", "gear"):
        assert figures[f"{wheel}.flank_edge"].value == pytest.approx(figures[f"{wheel}.flank_edge"].expected, rel=0.02)
        assert figures[f"{wheel}.scaled_jacobian"].value > 0.7
        assert figures[f"{wheel}.mass"].value == pytest.approx(figures[f"{wheel}.mass"].expected, rel=1e-3)


def test_the_picture_is_drawn(tmp_path: Path) -> None:
    elastic_pair_grids.draw(elastic_pair_grids.run("beveloid"), tmp_path / "grid.png")
    assert (tmp_path / "grid.png").stat().st_size > 10_000


@pytest.mark.parametrize("pair", ["spur", "helical", "beveloid"])
def test_the_rigid_pair_has_the_published_shafts(pair: str) -> None:
    model = elastic_pair_grids.build(pair)
    assert model.name == elastic_pair_grids.NAMES[pair]
    axes = [model.bodies[f"wheel_{which}"].orientation[:, 2] for which in "ab"]
    angle = {"beveloid": math.radians(20.0)}.get(pair, 0.0)
    assert abs(float(axes[0] @ axes[1])) == pytest.approx(math.cos(angle))
    published = elastic_pair_grids.published(pair)
    assert published.shaft_angle == angle


def test_the_gears_are_those_of_the_tables() -> None:
    spur, helical, conical = table1_pair(), table1_pair(helical=True), table3_pair()
    assert [(p.pinion.gear.teeth, p.gear.gear.teeth) for p in (spur, helical, conical)] == [(18, 37), (18, 37), (19, 38)]
    assert spur.pinion.gear.helix_angle == 0.0
    assert helical.pinion.gear.helix_angle == -helical.gear.gear.helix_angle == pytest.approx(0.13962634)
    assert conical.gear.profile_shift_angle == pytest.approx(0.17453293)
    for pair in (spur, helical, conical):
        for _, teeth, _ in pair.wheels:
            gear = teeth.gear
            assert gear.bore == pytest.approx(0.4 * gear.reference_diameter)
            assert gear.root_radius_factor * gear.normal_module == pytest.approx(0.25e-3)
            assert gear.material.density == 7850.0 and gear.material.youngs_modulus == 2.1e11
