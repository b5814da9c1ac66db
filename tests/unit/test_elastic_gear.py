"""Elastic gears: the arguments they take and refuse, how they are kept in files and in the cache."""

import os
import shutil
from pathlib import Path

import h5py
import numpy as np
import pytest

import pitchline as pl
from pitchline.errors import ModelError, PitchlineError
from pitchline.fem import gear_file
from pitchline.fem import node_modes as module
from pitchline.fem.elastic_gear import ElasticGear, elastic_gear
from pitchline.fem.gear_file import CacheEntry, cache_folder, make_room
from pitchline.fem.sector_grid import sector_grid
from pitchline.fem.sparse_solver import _libraries, one_blas_thread

GRID = {
    "order": 1,
    "flank_elements": 2,
    "fillet_elements": 1,
    "root_elements": 1,
    "across_elements": 2,
    "body_elements": 2,
    "face_elements": 2,
}
GEAR = pl.Gear(teeth=12, normal_module="2 mm", face_width="6 mm", bore="8 mm", profile_shift=0.3)
TEETH = pl.Teeth(GEAR)


@pytest.fixture(scope="module")
def gear() -> ElasticGear:
    return elastic_gear(TEETH, bore="free", up_to="150 kHz", offsets=1, grid=GRID, cache=False)


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("PITCHLINE_CACHE_DIR", str(tmp_path))
    return tmp_path / "gears"


@pytest.fixture
def computed(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """One entry for each time that a gear is really computed."""
    calls: list[str] = []
    compute = module.compute

    def counting(*arguments: object) -> ElasticGear:
        calls.append("computed")
        return compute(*arguments)  # type: ignore[arg-type]

    monkeypatch.setattr(module, "compute", counting)
    return calls


def same(a: ElasticGear, b: ElasticGear) -> bool:
    arrays = ("offsets", "frequencies", "nodal_diameters", "inertia")
    return (
        all(np.array_equal(getattr(a, name), getattr(b, name)) for name in arrays)
        and all(np.array_equal(a.compliance[key], b.compliance[key]) for key in a.compliance)
        and all(np.array_equal(a.traces[side], b.traces[side]) for side in a.traces)
        and all(
            np.array_equal(getattr(a.grids[side], name), getattr(b.grids[side], name))
            for side in a.grids
            for name in ("lengths", "zeta", "areas")
        )
        and (a.bore, a.limit, a.mass, a.centre_of_mass, a.material)
        == (b.bore, b.limit, b.mass, b.centre_of_mass, b.material)
    )


# --- what it says ---------------------------------------------------------------------------------------


def test_shapes_and_words(gear: ElasticGear) -> None:
    grid = gear.grids["left"]
    assert grid.shape == (3, 3) and grid.size == 9
    assert gear.compliance["left", "right"].shape == (3, 9, 9)
    np.testing.assert_array_equal(gear.offsets, [-1, 0, 1])
    assert gear.traces["right"].shape == (len(gear.frequencies), 9)
    assert gear.all_frequencies.size == gear.multiplicities.sum() > gear.frequencies.size
    assert (np.diff(gear.frequencies) >= 0.0).all() and gear.frequencies[-1] < 150e3
    assert repr(gear).startswith("ElasticGear(Teeth(12 external, m_n 2 mm), bore free, 3×3 + 3×3 hats, ")


def test_the_residual_to_a_lower_frequency_is_larger(gear: ElasticGear) -> None:
    at = [gear.residual(f)["left", "left"][1].trace() for f in ("150 kHz", "100 kHz", "20 kHz")]
    assert 0.0 < at[0] < at[1] < at[2] <= gear.compliance["left", "left"][1].trace()
    with pytest.raises(ModelError, match="modes are computed up to 150000 Hz, not up to 200000 Hz"):
        gear.residual("200 kHz")


def test_without_modes_there_is_statics_alone(gear: ElasticGear) -> None:
    still = elastic_gear(TEETH, bore="free", offsets=1, grid=GRID, cache=False)
    assert still.limit == 0.0 and still.frequencies.size == 0 and still.traces["left"].shape == (0, 9)
    np.testing.assert_array_equal(still.compliance["left", "right"], gear.compliance["left", "right"])
    np.testing.assert_array_equal(still.residual()["left", "left"], still.compliance["left", "left"])
    assert "no modes" in repr(still)


def test_progress_goes_from_0_to_1() -> None:
    told: list[tuple[float, str]] = []
    elastic_gear(TEETH, up_to="100 kHz", grid=GRID, cache=False, progress=lambda part, what: told.append((part, what)))
    parts = [part for part, _ in told]
    assert parts[0] == 0.0 and parts[-1] == 1.0 and parts == sorted(parts)
    assert [what for i, (_, what) in enumerate(told) if i == 0 or told[i - 1][1] != what] == [
        "assembling",
        "factorising",
        "compliance",
        "modes",
        "done",
    ]


def test_modifications_play_no_part(gear: ElasticGear) -> None:
    relieved = pl.Teeth(GEAR, both=pl.PitchDeviation("5 um"))
    assert gear.with_teeth(relieved).teeth is relieved
    other = elastic_gear(relieved, bore="free", up_to="150 kHz", offsets=1, grid=GRID, cache=False)
    assert same(other, gear)
    for others in (pl.Teeth(GEAR.with_(profile_shift=0.2)), pl.Teeth(GEAR, protuberance="0.02 mm")):
        with pytest.raises(ModelError, match="this is another gear"):
            gear.with_teeth(others)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"bore": "loose"}, 'bore must be "fixed", "free" or "shaft", got .loose.'),
        ({"up_to": "10 mm"}, "up_to"),
        ({"up_to": 0}, "up_to: must be greater than zero"),
        ({"offsets": -1}, "offsets: must be from 0"),
        ({"grid": 3}, "grid must be a SectorGrid or options"),
        ({"cache": 1}, "cache: expected True or False"),
    ],
)
def test_what_is_wrong_is_said(changes: dict[str, object], message: str) -> None:
    with pytest.raises(ModelError, match=message):
        elastic_gear(TEETH, **{"grid": GRID, "cache": False, **changes})  # type: ignore[arg-type]


def test_a_grid_of_another_gear_is_refused() -> None:
    other = sector_grid(pl.Teeth(GEAR.with_(bore="9 mm")), **GRID)
    with pytest.raises(ModelError, match="the grid belongs to another gear"):
        elastic_gear(TEETH, grid=other, cache=False)
    with pytest.raises(ModelError, match="expected"):
        elastic_gear(37)  # type: ignore[arg-type]


# --- files ----------------------------------------------------------------------------------------------


def test_a_file_holds_all_of_it(gear: ElasticGear, tmp_path: Path) -> None:
    path = gear.save(tmp_path / "gear.h5")
    found = ElasticGear.load(path)
    assert same(found, gear) and found.teeth.gear == GEAR
    with pytest.raises(PitchlineError, match="already exists"):
        gear.save(path)
    gear.save(path, overwrite=True)
    assert [file.name for file in tmp_path.iterdir()] == ["gear.h5"]


@pytest.mark.parametrize(
    "teeth",
    [
        pl.Teeth(GEAR.with_(helix_angle="10 deg"), profile_shift_angle="3 deg", protuberance="0.03 mm"),
        pl.Teeth(
            pl.Gear(teeth=40, normal_module="2 mm", face_width="6 mm", internal=True, rim_diameter="110 mm"),
            cutter_teeth=15,
        ),
    ],
    ids=["beveloid", "internal"],
)
def test_teeth_come_back_as_they_were(teeth: pl.Teeth, tmp_path: Path) -> None:
    gear = elastic_gear(teeth, offsets=0, grid=GRID, cache=False)
    found = ElasticGear.load(gear.save(tmp_path / "gear.h5")).teeth
    for side in ("left", "right"):
        fillet, theirs = found.flank(side).fillet, teeth.flank(side).fillet
        np.testing.assert_array_equal(fillet.limits(0.0), theirs.limits(0.0))
        assert found.flank(side).involute == teeth.flank(side).involute


@pytest.mark.parametrize("harm", ["cut", "changed", "other", "empty"])
def test_a_damaged_file_is_told(harm: str, gear: ElasticGear, tmp_path: Path) -> None:
    path = gear.save(tmp_path / "gear.h5")
    if harm == "cut":
        path.write_bytes(path.read_bytes()[:-2000])
    elif harm == "changed":
        with h5py.File(path, "r+") as file:
            file["compliance"][0, 0, 0] *= 1.0 + 1e-15
    elif harm == "other":
        path.unlink()
        with h5py.File(path, "w") as file:
            file["x"] = 1
    else:
        path.write_bytes(b"")
    with pytest.raises(PitchlineError, match=r"damaged|not an elastic gear"):
        ElasticGear.load(path)


def test_no_file_and_a_newer_one_are_told(gear: ElasticGear, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(PitchlineError, match="there is no file"):
        ElasticGear.load(tmp_path / "none.h5")
    with monkeypatch.context() as later:
        later.setattr(gear_file, "FORMAT", 99)
        path = gear.save(tmp_path / "gear.h5")
    with pytest.raises(PitchlineError, match="gear format 99"):
        ElasticGear.load(path)


def test_no_flipped_bit_gives_another_gear(gear: ElasticGear, tmp_path: Path) -> None:
    path = gear.save(tmp_path / "gear.h5")
    whole = path.read_bytes()
    for bit in np.random.default_rng(5).choice(8 * len(whole), 40, replace=False):
        data = bytearray(whole)
        data[bit // 8] ^= 1 << (bit % 8)
        path.write_bytes(data)
        try:
            found = ElasticGear.load(path)
        except PitchlineError:
            continue
        assert same(found, gear)


@pytest.mark.parametrize(
    "name", ["compliance", "frequencies", "nodal_diameters", "inertia", "left/zeta", "right/traces", "left/areas"]
)
def test_arrays_of_other_sizes_or_types_are_told(
    name: str, gear: ElasticGear, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With right checksums: compiled code would not look."""
    content = gear_file._content
    for change in (lambda a: a[..., :-1], lambda a: a.real.astype(np.float32), lambda a: np.full(a.shape, np.nan)):

        def crafted(*given: object, change: object = change) -> object:
            data, head = content(*given)
            return {**data, name: change(data[name])}, head

        with monkeypatch.context() as forged:
            forged.setattr(gear_file, "_content", crafted)
            path = gear.save(tmp_path / "gear.h5", overwrite=True)
        with pytest.raises(PitchlineError, match="does not fit the other arrays"):
            ElasticGear.load(path)


# --- the cache ------------------------------------------------------------------------------------------


def test_the_second_time_nothing_is_computed(cache: Path, computed: list[str]) -> None:
    first = elastic_gear(TEETH, grid=GRID)
    assert len(list(cache.iterdir())) == 1 and cache_folder() == cache
    relieved = pl.Teeth(GEAR, left=pl.PitchDeviation("5 um"))
    second = elastic_gear(relieved, grid=GRID)
    assert computed == ["computed"] and same(first, second) and second.teeth is relieved


@pytest.mark.parametrize(
    "change",
    [
        {"bore": "free"},
        {"up_to": "50 kHz"},
        {"offsets": 2},
        {"formulation": "full"},
        {"material": pl.Material("other", density=7830, youngs_modulus=206.0000001e9)},
        {"grid": {**GRID, "face_elements": 3}},
        {"grid": {**GRID, "bore": "8.0000001 mm"}},
    ],
    ids=lambda change: next(iter(change)),
)
def test_whatever_changes_the_result_is_another_entry(
    change: dict[str, object], cache: Path, computed: list[str]
) -> None:
    elastic_gear(TEETH, grid=GRID)
    elastic_gear(TEETH, **{"grid": GRID, **change})  # type: ignore[arg-type]
    assert computed == ["computed"] * 2 and len(list(cache.iterdir())) == 2


def test_bad_entries_are_computed_anew(cache: Path, computed: list[str]) -> None:
    first = elastic_gear(TEETH, grid=GRID)
    (path,) = cache.iterdir()
    whole = path.read_bytes()
    path.write_bytes(whole[:-3000])
    assert same(elastic_gear(TEETH, grid=GRID), first) and len(computed) == 2
    # the entry of another gear under this name
    elastic_gear(TEETH, grid=GRID, offsets=1)
    other = next(file for file in cache.iterdir() if file != path)
    shutil.copy(other, path)
    assert same(elastic_gear(TEETH, grid=GRID), first) and len(computed) == 4


def test_the_entry_not_used_for_the_longest_time_makes_room(cache: Path, computed: list[str]) -> None:
    for reach in (0, 1, 2):
        elastic_gear(TEETH, grid=GRID, offsets=reach)
    sizes = [file.stat().st_size for file in cache.iterdir()]
    for age, file in enumerate(sorted(cache.iterdir(), key=lambda file: file.stat().st_size)):
        os.utime(file, (1e9 - age, 1e9 - age))
    elastic_gear(TEETH, grid=GRID, offsets=2)  # the oldest is used again
    make_room(sum(sizes) - 1)
    assert len(list(cache.iterdir())) == 2
    elastic_gear(TEETH, grid=GRID, offsets=2)
    elastic_gear(TEETH, grid=GRID, offsets=0)
    assert len(computed) == 3
    elastic_gear(TEETH, grid=GRID, offsets=1)
    assert len(computed) == 4


def test_a_cache_that_cannot_be_written_is_no_error(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    blocked = tmp_path / "file"
    blocked.write_text("not a folder")
    monkeypatch.setenv("PITCHLINE_CACHE_DIR", str(blocked))
    assert elastic_gear(TEETH, grid=GRID).mass > 0.0


def test_the_cache_is_in_the_users_folder(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.delenv("PITCHLINE_CACHE_DIR", raising=False)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    grid = sector_grid(TEETH, **GRID)
    entry = CacheEntry.of(grid, GEAR.material, bore="fixed", limit=0.0, reach=3, formulation="full")
    assert entry.path.parent == tmp_path / "pitchline" / "gears"


# --- threads --------------------------------------------------------------------------------------------


def test_blas_has_its_threads_back_afterwards() -> None:
    before = [get() for get, _ in _libraries()]
    with one_blas_thread():
        assert all(get() == 1 for get, _ in _libraries())
    assert [get() for get, _ in _libraries()] == before


def test_gears_with_too_many_teeth_are_refused_before_the_computation() -> None:
    """The time of finite elements grows with the number of teeth; a rigid body has none."""
    gear = pl.Gear(teeth=20_000, normal_module="1 mm", face_width="10 mm", bore="19 m")
    with pytest.raises(ModelError, match=r"limited to 10000 teeth.*has 20000.*Elastic"):
        pl.elastic_gear(gear)
    assert pl.elastic_gear(gear, grid={"body": "rigid", "rows": 3, "lines": 3}).rigid
