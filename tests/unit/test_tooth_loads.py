"""Forces of single teeth over time: equilibrium with the mesh, load sharing, numbers of teeth, load cards, CalculiX."""

import itertools
import os
import re
import subprocess

import numpy as np
import pytest
from references.calculix import INSTALLED
from references.flank_runs import flank, pair_model

import pitchline as pl
from pitchline.cli.program import main
from pitchline.exchange.safe_xml import ExchangeError

GRID = {"order": 1, "flank_elements": 8, "face_elements": 3}


def driven(mesh: pl.Elastic, helix: str = "0 deg", wheel_helix: str = "0 deg", torque: str = "100 N*m") -> pl.Model:
    shared = {"normal_module": "2 mm", "face_width": "10 mm", "root_radius_factor": 0.125}
    first = pl.Gear(teeth=18, bore="14.4 mm", helix_angle=helix, **shared)
    second = pl.Gear(teeth=37, bore="29.6 mm", helix_angle=wheel_helix, **shared)
    m = pl.Model("rig")
    R = pl.Rotation((1, 2, 3), 0.8).matrix
    a = m.gear_body("pinion", first, axis=R[:, 2], position=(0.1, 0.2, 0.3))
    b = m.gear_body("wheel", second, mesh_with=a, towards=R[:, 0])
    m.gear_pair("mesh", a, b, mesh=mesh)
    m.drive("motor", m.revolute("in", m.ground, a), speed=50)
    m.torque("brake", m.revolute("out", m.ground, b), torque)
    return m


@pytest.fixture(scope="module")
def spur():
    model = driven(pl.Elastic(damping_ratio=0.1, damping_acts="never pulling", friction=0.05))
    return model, pl.dynamics(model, duration="20 ms", step="20 us", output_step="0.5 ms")


@pytest.fixture(scope="module")
def loads(spur):
    return {gear: pl.tooth_loads(*spur, gear, **GRID) for gear in ("pinion", "wheel")}


@pytest.mark.parametrize("end", ["a", "b"])
def test_forces_and_moments_of_all_teeth_are_those_of_the_mesh(spur, loads, end) -> None:
    run, found = spur[1], loads["pinion" if end == "a" else "wheel"]
    force, moment = run[f"mesh.force_{end}"].values, run[f"mesh.moment_{end}"].values
    size = np.abs(force).max()
    assert np.abs(np.linalg.norm(found.total_force, axis=1) - np.linalg.norm(force, axis=1)).max() < 1e-10 * size
    axis = run[f"{'pinion' if end == 'a' else 'wheel'}.orientation"].values
    z = pl.Rotation((1, 2, 3), 0.8).matrix[:, 2]
    assert axis is not None
    assert np.abs(found.total_moment[:, 2] - moment @ z).max() < 1e-10 * np.abs(moment).max()
    assert (
        np.abs(np.linalg.norm(found.total_moment, axis=1) - np.linalg.norm(moment, axis=1)).max()
        < 1e-9 * np.abs(moment).max()
    )


def test_the_rows_of_the_teeth_add_up_and_the_correction_is_small(loads) -> None:
    for found in loads.values():
        table = found.table()
        for i, t in enumerate(found.time):
            mine = table["time"] == t
            total = [table[key][mine].sum() for key in ("fx", "fy", "fz")]
            assert total == pytest.approx(found.total_force[i], abs=1e-9)
        assert found.correction.max() < 0.15  # friction of 5 %, and bilinear shares of cells


def test_one_or_two_teeth_carry_the_load_and_follow_each_other(loads) -> None:
    table = loads["pinion"].table()
    teeth = [set(table["tooth"][table["time"] == t].tolist()) for t in loads["pinion"].time[2:]]
    assert {len(each) for each in teeth} <= {1, 2, 3}
    size = np.sqrt(sum(table[key] ** 2 for key in ("fx", "fy", "fz")))
    largest = []
    for t in loads["pinion"].time[1:]:
        mine = np.flatnonzero(table["time"] == t)
        largest.append(int(table["tooth"][mine[np.argmax(size[mine])]]))
    order = list(dict.fromkeys(largest))
    assert len(order) >= 3  # 20 ms at 50 rad/s: 2.9 pitches
    assert all((a - b) % 18 == 1 for a, b in itertools.pairwise(order))


def test_both_gears_have_opposite_forces_on_the_same_pairs(loads) -> None:
    a, b = loads["pinion"].table(), loads["wheel"].table()
    for t in loads["pinion"].time[5:8]:
        first = {
            (int(k), int(j)): i
            for i, (k, j, at) in enumerate(zip(a["tooth"], a["mate"], a["time"], strict=True))
            if at == t
        }
        second = {
            (int(j), int(k)): i
            for i, (k, j, at) in enumerate(zip(b["tooth"], b["mate"], b["time"], strict=True))
            if at == t
        }
        assert set(first) == set(second)
        for pair, i in first.items():
            j = second[pair]
            sizes = [np.linalg.norm([x[key][n] for key in ("fx", "fy", "fz")]) for x, n in ((a, i), (b, j))]
            assert sizes[0] == pytest.approx(sizes[1], rel=0.03, abs=60.0)


def test_points_of_action_lie_on_the_flanks(loads) -> None:
    for gear, (low, high) in {"pinion": (0.0160, 0.0201), "wheel": (0.0345, 0.0391)}.items():
        table = loads[gear].table()
        radius = np.hypot(table["x"], table["y"])
        assert low < radius.min()
        assert radius.max() < high


def test_helical_gears(spur) -> None:
    model = driven(pl.Elastic(damping_ratio=0.1, damping_acts="never pulling"), "15 deg", "-15 deg")
    run = pl.dynamics(model, duration="2 ms", step="20 us", output_step="1 ms")
    found = pl.tooth_loads(model, run, "wheel", positions=8, times=["1 ms", "2 ms"], **GRID)
    force = run["mesh.force_b"].values[1:]
    assert (
        np.abs(np.linalg.norm(found.total_force, axis=1) - np.linalg.norm(force, axis=1)).max()
        < 1e-10 * np.abs(force).max()
    )
    assert found.total_force[:, 2] == pytest.approx(force @ pl.Rotation((1, 2, 3), 0.8).matrix[:, 2], rel=1e-9)


@pytest.mark.slow
def test_elastic_flanks_have_their_own_load_sharing() -> None:
    model = pair_model(flank(), speed=100.0, drive={"speed": 100.0}, torque=20.0)
    run = pl.dynamics(model, duration="1 ms", step="2.5 us", output_step="0.1 ms")
    found = pl.tooth_loads(model, run, "a", times=["0.8 ms", "0.9 ms", "1 ms"], positions=16, order=1)
    table = found.table()
    for t in found.time:
        i = int(np.argmin(np.abs(run.time - t)))
        wanted = np.sort(np.abs(run["mesh.pair_forces"].values[i]))[::-1]
        mine = table["time"] == t
        sizes = np.sort(np.sqrt(sum(table[key][mine] ** 2 for key in ("fx", "fy", "fz"))))[::-1]
        assert sizes == pytest.approx(wanted[: len(sizes)], rel=0.06, abs=0.02 * wanted[0])


# ---- files


def test_table_files(loads, tmp_path) -> None:
    found = loads["pinion"]
    text = found.write(tmp_path / "loads.csv").read_text().splitlines()
    assert text[0].startswith("time [s],tooth,mate,fx [N],fy [N],fz [N],mx [N*m]")
    assert len(text) == 1 + len(found.rows["time"])
    pandas = pytest.importorskip("pandas")
    frame = pandas.read_parquet(found.write(tmp_path / "loads.parquet"))
    assert np.array_equal(frame["fx"].to_numpy(), found.rows["fx"])


def test_nastran_files(loads, tmp_path) -> None:
    found = loads["pinion"]
    sets = found.write(tmp_path / "loads.bdf").read_text()
    total = np.zeros(3)
    lines = sets.splitlines()
    for first, second in itertools.pairwise(lines):
        if first.startswith("FORCE*") and int(first[8:24]) == 4:
            total += [float(second[8 + 16 * i : 24 + 16 * i]) for i in range(3)]
    assert total == pytest.approx(found.total_force[3], rel=1e-6)
    text = found.write(tmp_path / "time.dat", style="amplitude").read_text()
    assert text.count("TLOAD1") == text.count("TABLED1*") == text.count("DAREA*") > 100
    assert all(len(line) <= 80 for line in text.splitlines() if not line.startswith("$"))


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda m, r: pl.tooth_loads(m, r, "pinon"), 'no wheel "pinon"; did you mean'),
        (lambda m, r: pl.tooth_loads(m, r, "pinion", pair="x"), 'specify the gear pair of "pinion"'),
        (lambda m, r: pl.tooth_loads(m, r, "pinion", times="1 s"), "times must be from 0 s to 0.02 s"),
    ],
)
def test_wrong_arguments(spur, call, message) -> None:
    with pytest.raises(ExchangeError, match=re.escape(message)):
        call(*spur)


def test_wrong_files(loads, tmp_path) -> None:
    for options, name, message in (
        ({}, "a.txt", "must end in"),
        ({"units": "in"}, "a.inp", "units must be"),
        ({"style": "both"}, "a.inp", "style must be"),
    ):
        with pytest.raises(ExchangeError, match=message):
            loads["pinion"].write(tmp_path / name, **options)


def test_other_pairs_and_results_without_load_are_refused() -> None:
    m = pl.Model("ring")
    a = m.gear_body("sun", pl.Gear(teeth=20, normal_module="2 mm", face_width="10 mm", bore="10 mm"))
    ring = pl.Gear(teeth=60, normal_module="2 mm", face_width="10 mm", internal=True, rim_diameter="140 mm")
    b = m.gear_body("ring", ring, mesh_with=a)
    m.revolute("in", m.ground, a), m.revolute("out", m.ground, b)
    m.gear_pair("mesh", a, b, mesh=pl.Elastic())
    run = pl.dynamics(m, duration="1 ms", step="0.5 ms")
    with pytest.raises(ExchangeError, match="Supported are external spur and helical gears"):
        pl.tooth_loads(m, run, "sun")
    model = driven(pl.Elastic(), torque="0 N*m")
    still = pl.kinematics(model, times=[0.0, 1e-3])
    with pytest.raises(ExchangeError, match=r"carries no load|has no signal"):
        pl.tooth_loads(model, still, "pinion")


def test_pulling_teeth_are_refused() -> None:
    model = driven(pl.Elastic(damping_ratio=0.1, damping_acts="in contact"))
    run = pl.dynamics(model, duration="0.1 ms", step="20 us")
    with pytest.raises(ExchangeError, match=r'pulls the teeth at 0 s .*damping_acts="never pulling"'):
        pl.tooth_loads(model, run, "pinion")


@pytest.mark.slow
@pytest.mark.skipif(not INSTALLED, reason="CalculiX is not installed")
@pytest.mark.parametrize("style", ["steps", "amplitude"])
def test_calculix_has_the_reactions_of_the_applied_torque(spur, tmp_path, style) -> None:
    model, run = spur
    times = ["10 ms"] if style == "steps" else ["10 ms", "10.5 ms"]
    found = pl.tooth_loads(model, run, "pinion", times=times, order=1, flank_elements=6, face_elements=2, size="2 mm")
    found.write(tmp_path / "job.inp", style=style)
    settings = {**os.environ, "OMP_NUM_THREADS": "1", "CCX_NPROC_EQUATION_SOLVER": "1"}
    text = (tmp_path / "job.inp").read_text().replace("TOTALS=ONLY", "TOTALS=YES")
    (tmp_path / "job.inp").write_text(text)
    done = subprocess.run(
        ["ccx", "job"], cwd=tmp_path, capture_output=True, text=True, env=settings, timeout=120, check=False
    )
    assert "*ERROR" not in done.stdout, done.stdout[-1500:]
    last = (tmp_path / "job.dat").read_text().split("forces (fx,fy,fz) for set BORE")[-1]
    rows = re.findall(r"^\s*(\d+)\s+(-?\d\S+)\s+(-?\d\S+)\s+(-?\d\S+)\s*$", last, re.MULTILINE)
    nodes = np.array([int(row[0]) - 1 for row in rows])
    reactions = np.array([[float(v) for v in row[1:]] for row in rows])
    moment = np.cross(found.grid.nodes[nodes], reactions).sum(axis=0)
    assert -reactions.sum(axis=0) == pytest.approx(found.total_force[-1], rel=2e-4, abs=0.1)
    assert -moment[2] == pytest.approx(found.total_moment[-1][2], rel=2e-4)
    assert abs(moment[2]) == pytest.approx(
        abs(
            run["mesh.moment_a"].values[int(np.argmin(np.abs(run.time - found.time[-1])))]
            @ pl.Rotation((1, 2, 3), 0.8).matrix[:, 2]
        ),
        rel=2e-4,
    )


@pytest.mark.slow
def test_command_line(spur, tmp_path, monkeypatch, capsys) -> None:
    monkeypatch.chdir(tmp_path)
    model, run = spur
    model.to_toml("rig.toml")
    run.save("rig.nc")
    assert (
        main(
            ["loads", "rig.nc", "--from-model", "rig.toml", "--gear", "pinion", "--at", "10ms", "--element-order", "1"]
        )
        == 0
    )
    assert "tooth_loads_pinion.csv" in capsys.readouterr().out
    assert main(["loads", "rig.nc", "--from-model", "rig.toml", "--gear", "gear"]) == 1
    assert 'no wheel "gear"' in capsys.readouterr().err
