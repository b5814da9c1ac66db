"""Elastic gears of teeth of any shape: against involute gears, whole gears without cyclic symmetry, and limits."""

import math

import numpy as np
import pytest
import scipy.sparse.linalg as sla

import pitchline as pl
from pitchline.errors import ModelError
from pitchline.fem import (
    bevel_sector_grid,
    grid_quality,
    grid_volume,
    rack_sector_grid,
    surface_sector_grid,
    whole_gear,
    whole_rack,
)
from pitchline.fem.elasticity import stiffness_matrix
from pitchline.fem.surface_grid import surface_hats
from pitchline.fem.tooth_sector import ToothSector
from pitchline.parts.gears.surfaces import SurfaceTeeth, surface_teeth
from pitchline.parts.gears.surfaces.fitting import fit_patch
from pitchline.parts.gears.teeth import BevelTeeth
from tests.references.spiral_teeth import spiral_teeth

COARSE = {
    "flank_elements": 4,
    "face_elements": 2,
    "fillet_elements": 2,
    "root_elements": 2,
    "across_elements": 2,
    "body_elements": 3,
}
SPUR = pl.Gear(teeth=12, normal_module="2 mm", face_width="8 mm", bore="10 mm", profile_shift=0.3)
BEVEL = pl.Gear(teeth=12, normal_module="2 mm", cone_angle="40 deg", face_width="8 mm", profile_shift=0.2)
RACK = pl.Rack(teeth=5, normal_module="2 mm", face_width="8 mm", helix_angle="12 deg")


def uniform(gear: pl.ElasticGear, side: str = "left") -> np.ndarray:
    """Mean displacement of the flanks at all offsets under a uniform pressure of 1 N [m]."""
    weights = gear.grids[side].areas / gear.grids[side].areas.sum()
    return np.array([weights @ C @ weights for C in gear.compliance[side, side]])


def line(gear: pl.ElasticGear, radius: float) -> np.ndarray:
    """The same of a line load of 1 N at a radius in the middle of the face [m]."""
    grid = gear.grids["left"]
    r = np.hypot(*np.moveaxis(grid.points[:, grid.lines // 2, :2], -1, 0))
    at = float(np.interp(radius, r, np.arange(grid.rows)))
    load = np.zeros(grid.shape)
    for row, share in ((int(at), 1.0 - at % 1.0), (int(at) + 1, at % 1.0)):
        areas = grid.areas.reshape(grid.shape)[row]
        load[row] = share * areas / areas.sum()
    return np.array([load.ravel() @ C @ load.ravel() for C in gear.compliance["left", "left"]])


# --- the same gear by both ways ------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize("helix", ["0 deg", "20 deg"])
def test_an_involute_gear_as_a_surface_has_the_same_compliance(helix: str) -> None:
    """Uniform pressure: to 0.1 %, by far more than the change of hats does."""
    gear = SPUR.with_(helix_angle=helix)
    plain, surface = (pl.elastic_gear(each, grid=COARSE, offsets=2) for each in (pl.Teeth(gear), surface_teeth(gear)))
    assert isinstance(surface.teeth, SurfaceTeeth)
    assert surface.grids["left"].shape == plain.grids["left"].shape
    np.testing.assert_allclose(uniform(surface), uniform(plain), rtol=1e-3)
    assert surface.mass == pytest.approx(plain.mass, rel=1e-12)
    np.testing.assert_allclose(surface.inertia, plain.inertia, rtol=1e-12)


@pytest.mark.slow
def test_modes_of_a_surface_gear_are_those_of_the_gear() -> None:
    plain, surface = (
        pl.elastic_gear(each, grid=COARSE, offsets=0, bore="free", up_to="60 kHz")
        for each in (SPUR, surface_teeth(SPUR))
    )
    np.testing.assert_allclose(surface.frequencies, plain.frequencies, rtol=1e-9)
    assert surface.nodal_diameters.tolist() == plain.nodal_diameters.tolist()


def test_micrometres_do_not_change_the_grid_but_tenths_of_a_module_do() -> None:
    teeth = surface_teeth(SPUR)

    def thicker(by: float) -> SurfaceTeeth:
        patches = {}
        for side in ("left", "right"):
            base = teeth.flank(side)
            patches[side] = fit_patch(
                lambda u, v, base=base: base.point(u, v) + by * base.normal(u, v), facing=base.facing
            )
        return SurfaceTeeth(SPUR, **patches)

    nominal, little, more = (surface_sector_grid(each, **COARSE) for each in (teeth, thicker(1e-6), thicker(1e-4)))
    assert np.array_equal(nominal.solid.nodes, little.solid.nodes)
    moved = np.linalg.norm(more.solid.nodes - nominal.solid.nodes, axis=1)
    flank = np.unique(nominal.flanks["left"].nodes[nominal.flanks["left"].nodes >= 0])
    np.testing.assert_allclose(moved[flank], 1e-4, rtol=2e-3)
    assert moved.max() < 1.01e-4
    assert not moved[nominal.low_side].any() and not moved[nominal.bore].any()
    area = sum(nominal.hats(side)[0].areas.sum() for side in ("left", "right"))
    # the flanks move by 0.1 mm, fillet and tip follow them in part
    assert 0.9 * area * 1e-4 < grid_volume(more.solid) - grid_volume(nominal.solid) < 1.5 * area * 1e-4
    gear = pl.elastic_gear(teeth, grid=COARSE, offsets=0, cache=False)
    assert gear.has_shape_of(thicker(1e-6)) and not gear.has_shape_of(thicker(1e-4))
    assert gear.with_teeth(thicker(1e-6)).compliance is gear.compliance
    with pytest.raises(ModelError, match="this is another gear"):
        gear.with_teeth(thicker(1e-4))


def test_imported_flanks_of_a_gear_are_its_teeth(tmp_path) -> None:
    """Points of involutes: the gear with imported flanks bends as the gear; points of a part of the flank keep the whole tooth."""
    coarse = COARSE | {"order": 1}
    involutes = surface_teeth(SPUR)
    plain = uniform(pl.elastic_gear(SPUR, grid=coarse, offsets=1))
    at = np.linspace(0.0, 1.0, 15)
    for low, high, near in ((0.0, 1.0, 1e-3), (0.1, 0.9, 0.03)):
        part = low + (high - low) * at
        points = {side: involutes.flank(side).point(part[:, None], part) for side in ("left", "right")}
        imported = pl.Teeth.from_points(SPUR, **points)
        gear = pl.elastic_gear(imported.gear, grid=coarse, offsets=1)
        np.testing.assert_allclose(uniform(gear), plain, rtol=near)
        assert gear.mass == pytest.approx(pl.elastic_gear(SPUR, grid=coarse, offsets=1).mass, rel=1e-9)
        again = pl.ElasticGear.load(gear.save(tmp_path / f"{low}.h5"))
        assert again.teeth.gear == imported.gear and again.has_shape_of(imported)


# --- without cyclic symmetry ---------------------------------------------------------------------------


def direct(sector, solid, chosen: tuple[int, ...], place) -> dict[int, float]:
    """Uniform pressure on the left flank of tooth chosen[0], mean displacements of the teeth, by a whole grid."""
    teeth = sector.teeth
    K = stiffness_matrix(solid, teeth.gear.material)
    held = solid.node_set("bore")
    free = np.setdiff1d(np.arange(len(solid.nodes)), held)
    unknowns = (3 * free[:, None] + np.arange(3)).ravel()
    loads = []
    for tooth in chosen:
        nodes = np.asarray(solid.node_set(f"left flank of tooth {place(tooth)}"))
        here = np.zeros(len(solid.nodes), dtype=bool)
        here[nodes] = True
        # the faces of the sector, in the numbers of the whole grid
        faces = _faces(solid, here)
        patch = teeth.flank("left").moved(teeth.step.rotation(tooth), teeth.step.offset(tooth))
        first, _ = sector.hats("left")
        grid, load = surface_hats(patch, solid.nodes, faces, first)
        loads.append(np.asarray(load @ (grid.areas / grid.areas.sum())))
    u = np.zeros(3 * len(solid.nodes))
    u[unknowns] = sla.spsolve(K[unknowns][:, unknowns].tocsc(), loads[0][unknowns])
    return {tooth: float(load @ u) for tooth, load in zip(chosen, loads, strict=True)}


def _faces(solid, here):
    from pitchline.fem.surface_loads import faces_among

    return faces_among(solid, np.flatnonzero(here))


@pytest.mark.slow
def test_a_bevel_gear_is_that_of_all_its_teeth() -> None:
    coarse = COARSE | {"order": 1, "body_elements": 2}
    found = pl.elastic_gear(BEVEL, grid=coarse, offsets=2)
    sector = ToothSector.of(found.teeth, bevel_sector_grid(BevelTeeth(BEVEL), **coarse))
    expected = direct(sector, whole_gear(sector), (0, 1, 2), lambda tooth: tooth)
    answers = dict(zip(found.offsets.tolist(), uniform(found).tolist(), strict=True))
    for tooth, displacement in expected.items():
        assert answers[tooth] == pytest.approx(displacement, rel=1e-6)
    assert answers[-1] == pytest.approx(answers[1], rel=1e-6)


@pytest.mark.slow
def test_a_rack_is_that_of_a_long_bar() -> None:
    """The middle teeth of a bar of eleven teeth: its ends are far away by the depth of its body."""
    coarse = COARSE | {"order": 1, "body_elements": 2, "depth": "5 mm"}
    found = pl.elastic_gear(RACK, grid=coarse, offsets=2)
    sector = ToothSector.of(found.teeth, rack_sector_grid(RACK, **coarse))
    expected = direct(sector, whole_rack(sector, 11), (0, 1, 2), lambda tooth: tooth + 5)
    answers = dict(zip(found.offsets.tolist(), uniform(found).tolist(), strict=True))
    assert answers[0] == pytest.approx(expected[0], rel=1e-6)
    assert answers[1] == pytest.approx(expected[1], rel=1e-4)
    assert answers[2] == pytest.approx(expected[2], abs=1e-4 * expected[0])


# --- limits ----------------------------------------------------------------------------------------------


@pytest.mark.slow
def test_a_rack_is_a_gear_with_very_many_teeth() -> None:
    """The difference falls with 1/z: by extrapolation the rack is met to 0.2 %."""
    rack = pl.Rack(teeth=12, normal_module="2 mm", face_width="8 mm")
    flat = uniform(pl.elastic_gear(rack, grid=COARSE | {"depth": "8 mm"}, offsets=1))
    z = (300, 600)
    bent = [
        uniform(
            pl.elastic_gear(
                surface_teeth(SPUR.with_(teeth=n, bore=f"{2 * n - 16} mm", profile_shift=0)), grid=COARSE, offsets=1
            )
        )
        for n in z
    ]
    assert bent[0][1] / flat[1] - 1.0 == pytest.approx(2.0 * (bent[1][1] / flat[1] - 1.0), rel=0.2)
    np.testing.assert_allclose(2.0 * bent[1] - bent[0], flat, rtol=5e-3)


@pytest.mark.slow
def test_a_bevel_gear_of_a_small_cone_angle_is_a_spur_gear() -> None:
    """A line load on the reference circle; flanks and body agree, fillets do not quite: a circle for a trochoid."""
    gear = pl.Gear(teeth=80, normal_module="2 mm", face_width="8 mm", bore="140 mm")
    spur = pl.elastic_gear(surface_teeth(gear), grid=COARSE, offsets=1)
    bevel = pl.elastic_gear(gear.with_(cone_angle="0.5 deg"), grid=COARSE, offsets=1)
    radius = 0.5 * gear.reference_diameter
    np.testing.assert_allclose(line(bevel, radius), line(spur, radius), rtol=0.015)
    assert bevel.mass == pytest.approx(spur.mass, rel=2e-3)
    np.testing.assert_allclose(bevel.inertia, spur.inertia, rtol=4e-3)


@pytest.mark.slow
def test_flank_surfaces_alone_give_nearly_the_grid_of_the_teeth() -> None:
    """A straight bevel gear divided by its flanks: without its own fillets its teeth bend within 3 % as much."""
    gear = BEVEL.with_(teeth=24)
    own = uniform(pl.elastic_gear(gear, grid=COARSE, offsets=1))
    # a spiral angle of almost nothing: no nominal teeth, the surfaces are divided
    straight = spiral_teeth(gear, math.radians(0.01))
    np.testing.assert_allclose(uniform(pl.elastic_gear(straight, grid=COARSE, offsets=1)), own, rtol=0.03)
    spiral = spiral_teeth(BEVEL, math.radians(30.0))
    sector = surface_sector_grid(spiral, **COARSE | {"face_elements": 3})
    assert grid_quality(sector.solid).scaled_jacobian > 0.5
    found = pl.elastic_gear(spiral, grid=COARSE | {"face_elements": 3}, offsets=1)
    assert np.linalg.eigvalsh(found.compliance["left", "left"][1]).min() > 0.0
    for side in ("left", "right"):
        nodes = sector.flanks[side].nodes
        at = sector.teeth.flank(side).project(sector.solid.nodes[nodes[nodes >= 0]])
        assert np.abs(at.away).max() < 1e-12
    turn = sector.repetition.turn
    np.testing.assert_allclose(
        sector.solid.nodes[sector.low_side] @ turn.T, sector.solid.nodes[sector.high_side], atol=1e-12
    )


@pytest.mark.slow
def test_a_finer_grid_is_a_little_more_compliant() -> None:
    coarse = uniform(pl.elastic_gear(BEVEL, grid=COARSE | {"body_elements": 4}, offsets=1))
    finer = {name: 2 * count for name, count in COARSE.items()} | {"face_elements": 3, "body_elements": 6}
    fine = uniform(pl.elastic_gear(BEVEL, grid=finer, offsets=1))
    assert np.all(fine > coarse)
    np.testing.assert_allclose(coarse, fine, rtol=0.03)


# --- masses and modes ------------------------------------------------------------------------------------


def test_volume_of_a_rack_in_closed_form() -> None:
    """Section area of a pitch: body, tooth between straight flanks, and twice the area that the fillets add."""
    rack = pl.Rack(teeth=7, normal_module="2 mm", face_width="8 mm", helix_angle="15 deg", depth="9 mm")
    sine, cosine, rho = math.sin(rack.normal_pressure_angle), math.cos(rack.normal_pressure_angle), rack.root_radius
    height, bottom = rack.addendum + rack.dedendum, rack.dedendum
    middle = rack.normal_tooth_thickness + (bottom - rack.addendum) * sine / cosine  # width at half the height
    # between the tangents at the ends of the fillet, that meet at 90° + α, and its arc of 90° − α
    corner = rho**2 * (
        math.tan(0.5 * (0.5 * math.pi - rack.normal_pressure_angle))
        - 0.5 * (0.5 * math.pi - rack.normal_pressure_angle)
    )
    area = rack.normal_pitch * (0.009 - bottom) + height * middle + 2.0 * corner
    volume = area / math.cos(rack.helix_angle) * 0.008
    assert grid_volume(rack_sector_grid(rack, **COARSE).solid) == pytest.approx(volume, rel=2e-5)
    solid = pl.toothed_solid(rack)
    assert solid.mass == pytest.approx(7 * rack.density * volume, rel=2e-5)
    assert solid.centre_of_mass[1:] == pytest.approx((0.0, 0.0), abs=1e-9)
    gear = pl.elastic_gear(rack, grid=COARSE | {"order": 1}, offsets=0)
    assert gear.mass == pytest.approx(solid.mass, rel=2e-3)
    length = rack.length
    assert gear.inertia[2] == pytest.approx(gear.mass * (length**2 + 0.01**2) / 12.0, rel=0.02)


def test_an_even_number_of_teeth_puts_the_centre_half_a_pitch_beyond_the_axis() -> None:
    rack = pl.Rack(teeth=4, normal_module="2 mm", face_width="8 mm")
    assert pl.toothed_solid(rack).centre_of_mass[1] == pytest.approx(0.5 * rack.transverse_pitch, rel=1e-9)


@pytest.mark.slow
@pytest.mark.parametrize("of", [BEVEL, RACK], ids=["bevel", "rack"])
def test_a_floating_gear_has_no_rigid_motion_left(of: pl.Gear | pl.Rack) -> None:
    """A rigid motion of the flanks does no work on displacements: forces that only accelerate the gear do not deform on average."""
    gear = pl.elastic_gear(of, grid=COARSE, offsets=0, bore="free", up_to="90 kHz")
    assert gear.bore == ("shaft" if isinstance(of, pl.Rack) else "free")
    assert not len(gear.frequencies) or gear.frequencies.min() > 1e3
    C = gear.compliance["left", "left"][0]
    assert np.linalg.eigvalsh(C).min() > 0.0
    rest = gear.residual()["left", "left"][0]
    assert np.linalg.eigvalsh(rest).min() > -1e-9 * np.abs(C).max()  # modes never contain more than all compliance
    fixed = pl.elastic_gear(of, grid=COARSE, offsets=0)
    with np.errstate(all="raise"):
        assert uniform(fixed)[0] > 0.0


@pytest.mark.parametrize("of", [BEVEL, RACK], ids=["bevel", "rack"])
def test_modes_and_grids_of_bevel_gears_and_racks(of, tmp_path) -> None:
    coarse = COARSE | {"order": 1}
    modes = pl.gear_modes(of, up_to="200 kHz", grid=coarse)
    gear = pl.elastic_gear(of, grid=coarse, offsets=0, bore="free", up_to="200 kHz")
    np.testing.assert_allclose(modes.wave_frequencies, gear.frequencies, rtol=1e-9)
    assert modes.bore == gear.bore and len(modes.frequencies) == gear.multiplicities.sum() > 0
    grid = pl.gear_grid(of, grid=coarse)
    assert grid.mass == pytest.approx(gear.mass, rel=1e-9)
    assert math.isnan(grid.exact_mass) and " -" in grid.table()
    whole = whole_rack(grid.sector, of.teeth) if isinstance(of, pl.Rack) else whole_gear(grid.sector)
    assert (grid.nodes, grid.elements) == (len(whole.nodes), len(whole.elements))
    assert grid_volume(whole) * of.density == pytest.approx(grid.mass, rel=1e-9)
    assert grid.plot(path=tmp_path / "grid.png") and modes.plot(path=tmp_path / "modes.png")
    with pytest.raises(ModelError, match=r"Use pitchline\.fem\.whole"):
        (whole_gear if isinstance(of, pl.Rack) else lambda sector: whole_rack(sector, 3))(grid.sector)


# --- what is refused -------------------------------------------------------------------------------------


def test_what_cannot_be_divided_into_elements_is_refused_with_a_way_out() -> None:
    worm = pl.Gear(teeth=2, normal_module="2 mm", helix_angle="78 deg", face_width="20 mm", bore="5 mm")
    teeth = surface_teeth(worm)
    with pytest.raises(ModelError, match=r'helix angle of 78.*too steep.*grid=\{"body": "rigid"\}'):
        pl.elastic_gear(teeth, grid=COARSE)
    with pytest.raises(ModelError, match=r"helix angle of 78.*too steep"):  # before a grid of all elements is made
        pl.elastic_gear(worm)
    swapped = SurfaceTeeth(BEVEL.with_(helix_angle="5 deg"), surface_teeth(BEVEL).right, surface_teeth(BEVEL).left)
    with pytest.raises(ModelError, match="both flanks belong to the same tooth"):
        pl.elastic_gear(swapped, grid=COARSE)
    with pytest.raises(ModelError, match=r"depth does not apply to a bevel gear; its body has rim_thickness"):
        pl.elastic_gear(BEVEL, grid={"depth": "3 mm"})
    with pytest.raises(ModelError, match=r"depth 2\.5 mm leaves less than a twentieth of the module below the root"):
        pl.elastic_gear(RACK, grid={"depth": "2.5 mm"})
    with pytest.raises(ModelError, match="belongs to another gear"):
        pl.elastic_gear(pl.Teeth(SPUR), grid=surface_sector_grid(surface_teeth(SPUR), **COARSE))
    with pytest.raises(ModelError, match="expected a Gear, a Rack or teeth"):
        pl.elastic_gear("pinion")
    with pytest.raises(ModelError, match=r"bore 20\.7 mm leaves less than a twentieth of the module"):
        pl.elastic_gear(BEVEL.with_(face_width="1 mm", bore="20.7 mm"), grid=COARSE)


def test_a_gear_with_a_rigid_body() -> None:
    worm = surface_teeth(pl.Gear(teeth=2, normal_module="2 mm", helix_angle="78 deg", face_width="20 mm"))
    gear = pl.elastic_gear(worm, grid={"body": "rigid", "rows": 4, "lines": 9}, offsets=1)
    assert gear.rigid and gear.bore == "rigid" and gear.grids["right"].shape == (4, 9)
    assert not any(C.any() for C in gear.compliance.values()) and not len(gear.frequencies)
    assert gear.residual()["left", "right"].shape == (3, 36, 36)
    with pytest.raises(ModelError, match="must be \"rigid\", got 'stiff'"):
        pl.elastic_gear(SPUR, grid={"body": "stiff"})
    with pytest.raises(ModelError, match="so that size does not apply"):
        pl.elastic_gear(SPUR, grid={"body": "rigid", "size": "1 mm"})
    with pytest.raises(ModelError, match="rigid gear: rows"):
        pl.rigid_gear(SPUR, rows=1)


# --- files -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("of", [BEVEL, RACK], ids=["bevel", "rack"])
def test_files_keep_surfaces_and_hats(of, tmp_path) -> None:
    gear = pl.elastic_gear(of, grid=COARSE | {"order": 1}, offsets=1, bore="shaft", up_to="200 kHz", cache=False)
    again = pl.ElasticGear.load(gear.save(tmp_path / "gear.h5"))
    assert again.teeth.gear == of and again.teeth.left == gear.teeth.left
    assert again.has_shape_of(gear.teeth) and again.sectors == gear.sectors
    for side in ("left", "right"):
        for name in ("u", "v", "points", "normals", "spacing", "distance", "areas"):
            assert np.array_equal(getattr(again.grids[side], name), getattr(gear.grids[side], name)), name
        assert np.array_equal(again.traces[side], gear.traces[side])
    assert all(np.array_equal(again.compliance[key], gear.compliance[key]) for key in gear.compliance)
    rigid = pl.rigid_gear(of, rows=3, lines=3)
    assert pl.ElasticGear.load(rigid.save(tmp_path / "rigid.h5")).rigid


def test_the_cache_distinguishes_surfaces(tmp_path, monkeypatch) -> None:
    monkeypatch.setenv("PITCHLINE_CACHE_DIR", str(tmp_path))
    coarse = COARSE | {"order": 1}
    first, second = (pl.elastic_gear(RACK, grid=coarse, offsets=1) for _ in range(2))
    assert np.array_equal(first.compliance["left", "left"], second.compliance["left", "left"])
    assert len(list((tmp_path / "gears").glob("*.h5"))) == 1
    pl.elastic_gear(
        pl.Rack(teeth=6, normal_module="2 mm", face_width="8 mm", helix_angle="12 deg"), grid=coarse, offsets=1
    )
    assert len(list((tmp_path / "gears").glob("*.h5"))) == 2
