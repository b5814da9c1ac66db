"""Tables of loaded contact of pairs with imported flanks: torques, refusals, and their key in the cache."""

import math
from pathlib import Path

import numpy as np
import pytest
from references.imported_pairs import KINDS, points_of, rig

import pitchline as pl
from pitchline.files import read
from pitchline.parts.meshes import computed_table as table_cache

GEAR = pl.Gear(teeth=18, normal_module="2 mm", face_width="10 mm", bore="14 mm")


@pytest.mark.parametrize("kind", ["crossed helical", "worm", "spiral bevel", "hypoid"])
def test_tables_of_point_contact_need_a_torque(kind: str) -> None:
    a, b, gears_are = KINDS[kind]()
    if kind == "worm":
        for mesh in (pl.Loaded(torque=10.0), pl.Elastic("loaded", torque=10.0)):
            with pytest.raises(
                pl.ModelError, match=r"gear A, but its helix angle of 78 deg is too steep.*elements_a=.*rigid"
            ):
                rig(a, b, mesh)
        a = a.with_(lead_angle="20 deg")
        b = b.with_(helix_angle="20 deg", flanks=None)
    with pytest.raises(pl.ModelError, match=f"of a {kind} pair.*needs the largest torque on wheel B.*specify torque="):
        rig(a, b, pl.Loaded(), gears_are=gears_are)
    with pytest.raises(pl.ModelError, match=f"tilts need wheels on parallel axes.*omit them for a {kind} pair"):
        rig(a, b, pl.Loaded(torque=10.0, tilts="1 mrad"), gears_are=gears_are)
    assert rig(a, b, pl.Loaded(torque=10.0), gears_are=gears_are).gear_pairs["mesh"].request is not None
    if kind in ("spiral bevel", "hypoid"):
        for mesh in (pl.Loaded(torque=10.0), pl.Elastic("loaded", torque=10.0)):
            with pytest.raises(pl.ModelError, match=r"depend on how they are cut; import them with Teeth\.from_points"):
                rig(a, b.with_(flanks=None), mesh, gears_are=gears_are)


def test_teeth_that_differ_are_refused_on_crossed_axes_too() -> None:
    a, b, gears_are = KINDS["crossed helical"]()
    uneven = a.with_(flanks=None, modifications={"per_tooth": {3: pl.PitchDeviation("5 um")}})
    with pytest.raises(pl.ModelError, match=r"gear A has different teeth \(per_tooth\)"):
        rig(uneven, b, pl.Loaded(torque=10.0), gears_are=gears_are)


@pytest.mark.parametrize("kind", ["straight bevel", "rack and pinion"])
def test_the_default_load_of_line_contact_on_other_axes(kind: str) -> None:
    """The pressure at the pitch point, p² = F' E*/(π ρ), is 1.3 % of E* (1500 MPa of steel). A rack has no curvature."""
    a, b, _ = KINDS[kind]()
    m = rig(a, b, pl.Loaded())
    request = m.gear_pairs["mesh"].request
    assert request is not None
    sine, cosine = math.sin(math.radians(20.0)), math.cos(math.radians(20.0))
    if kind == "rack and pinion":
        radii, lever = [0.5 * a.reference_diameter, math.inf], cosine
    else:
        radii, lever = (
            [0.5 * g.reference_diameter / math.cos(g.cone_angle) for g in (a, b)],
            0.5 * b.reference_diameter * cosine,
        )
    modulus = 0.5 * pl.STEEL.youngs_modulus / (1.0 - pl.STEEL.poissons_ratio**2)
    line_load = request.torques[-1] / lever / a.face_width
    pressure = math.sqrt(line_load * sum(1.0 / (r * sine) for r in radii) * modulus / math.pi)
    assert pressure / modulus == pytest.approx(1.5e9 / 115.4e9, rel=5e-3)
    assert f"{request.torques[-1]:.6g} {'N' if kind == 'rack and pinion' else 'N m'} on wheel b)" in m.summary()


def test_imported_flanks_are_part_of_the_key(tmp_path: Path) -> None:
    points = points_of(GEAR, 5)

    def key(flanks: dict[str, np.ndarray], gear: pl.Gear = GEAR) -> str:
        request = rig(gear.with_(flanks=flanks), GEAR, pl.Loaded()).gear_pairs["mesh"].request
        assert request is not None
        return table_cache.TableEntry.of(request).key

    first = key(points)
    assert first and key(points) == first
    moved = {**points, "right": points["right"].copy()}
    moved["right"][2, 3] += (0.0, 1e-9, 0.0)
    assert key(moved) != first
    # the splines that a model file contains are the same to the last digit
    m = rig(GEAR.with_(flanks=points), GEAR, pl.Loaded())
    again = read(m.to_toml(tmp_path / "model.toml")).model.gear_pairs["mesh"].request
    assert again is not None and table_cache.TableEntry.of(again).key == first
    assert key(points, GEAR.with_(bore="15 mm")) != first


def test_imported_flanks_that_have_no_effect_are_reported() -> None:
    a, b, gears_are = KINDS["spiral bevel"]()
    for mesh, count in (
        (pl.Elastic("2e8 N/m"), 1),
        (pl.Rigid(), 1),
        (pl.Elastic("2e8 N/m", error="1 um"), 0),
        (pl.Loaded(torque=9.0), 0),
    ):
        found = [
            text for text in rig(a, b, mesh, gears_are=gears_are).gear_pairs["mesh"].warnings if "imported" in text
        ]
        assert len(found) == count
    assert (
        "Rigid ignores the imported flanks of"
        in rig(a, b, pl.Rigid(), gears_are=gears_are).gear_pairs["mesh"].warnings[0]
    )


def test_flanks_in_motion_may_have_a_rigid_body() -> None:
    """Forces of such a pair: `test_flank_imported_pairs`, the worm."""
    assert pl.Flank(elements_b={"body": "rigid"}).elements_b == {"body": "rigid"}
