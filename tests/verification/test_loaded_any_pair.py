"""Tables of loaded contact of every kind of pair with imported flanks: that of the contact analysis, at rest and in motion."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from references.base_helix import lever_of
from references.imported_pairs import KINDS, RIGID, imported, rig, rigid_loaded

import pitchline as pl
from pitchline.parts.gears.analysis_contact import gears_at_result, surface_gears
from pitchline.parts.gears.geometry.placement import Placement
from pitchline.parts.meshes.part import GearMesh

TORQUES = 60.0, 120.0
"""[N m]; of the rack forces 50 times as large [N]."""
REVERSED = np.diag([1.0, -1.0, -1.0])


@dataclass
class Case:
    """A pair with a table."""

    a: Any
    b: Any
    gears_are: dict[str, Any]
    torques: tuple[float, ...]
    made: GearMesh

    def rig(self, mesh: Any, **more: Any) -> pl.Model:
        return rig(self.a, self.b, mesh, gears_are=self.gears_are, **more)

    def loaded(self, **more: Any) -> pl.Loaded:
        return rigid_loaded(self.torques, backlash="20 um", **more)

    def load(self, side: float, torque: float) -> float:
        """On B about its own z, that presses on the drive (+1) or coast (−1) flanks of A."""
        return -side * math.copysign(torque, self.made.alignment.pitch.speed_ratio)

    def motion(self, result: Any) -> Any:
        """Of B, in the direction of signals."""
        return (
            lever_of(self.made.pair)
            * result["hinge b.displacement" if isinstance(self.b, pl.Rack) else "hinge b.angle"].values
        )


@pytest.fixture(scope="module", params=KINDS)
def case(request: pytest.FixtureRequest) -> Iterator[Case]:
    a, b, gears_are = KINDS[request.param]()
    torques = tuple(50.0 * T for T in TORQUES) if isinstance(b, pl.Rack) else TORQUES
    m = rig(a, b, rigid_loaded(torques, backlash="20 um"), gears_are=gears_are)
    made = m.gear_pairs["mesh"]
    assert made.pair.kind == request.param
    yield Case(a, b, gears_are, torques, made)


@pytest.mark.slow
def test_the_table_is_that_of_the_contact_analysis(case: Case) -> None:
    table = case.made.loaded
    gears = [pl.rigid_gear(gear, rows=RIGID["rows"], lines=RIGID["lines"]) for gear in (case.a, case.b)]
    for side, approach in ((1.0, table.approach), (-1.0, table.coast)):
        found = pl.loaded_contact(
            *gears, torque=side * case.torques[0], positions=2, start=0.25, cells=9, **case.gears_are
        )
        assert found.base_radius == pytest.approx(lever_of(case.made.pair), rel=1e-12)
        assert table.loads[1] == pytest.approx(case.torques[0] / found.base_radius, rel=1e-12)
        assert approach[0, 1::2] == pytest.approx(found.no_load_error, abs=1e-10)
        assert approach[1, 1::2] == pytest.approx(found.transmission_error[0], rel=2e-3)
    assert np.ptp(table.approach[1]) > 1e-8


@pytest.mark.slow
def test_rest_has_the_lag_of_the_table_on_both_flanks(case: Case) -> None:
    play = 0.5 * case.made.law.backlash
    for side, table in zip((1.0, -1.0), case.made.law.tables, strict=True):
        load = case.load(side, case.torques[0])
        rest = pl.statics(case.rig(case.loaded(), load=load, phase=0.3))
        force = case.torques[0] / lever_of(case.made.pair)
        assert math.copysign(1.0, case.motion(rest)[-1]) == math.copysign(1.0, load)
        assert abs(case.motion(rest)[-1]) - play == pytest.approx(table.approach(force, 0.3), rel=1e-6)
        error = table.approach(force, 0.3)
        assert rest["mesh.transmission_error"].final == pytest.approx(error, rel=1e-6)
        assert rest["mesh.contact"].final == side
        assert rest["mesh.phase"].final == pytest.approx(0.3)
        # the torques have the ratio of the speeds, but for the slope of the table over the phase
        assert rest["motor.torque"].final == pytest.approx(-load * case.made.alignment.pitch.speed_ratio, rel=2e-3)


@pytest.mark.slow
def test_slow_wheels_follow_the_table(case: Case) -> None:
    """Driven forwards on the drive flanks and backwards on the coast flanks, and the load drives A forwards and backwards."""
    mesh = case.loaded(damping="2e4 N*s/m")
    ratio, torque = case.made.alignment.pitch.speed_ratio, case.torques[0]
    duration = case.a.angular_pitch
    for side, way in itertools.product((1.0, -1.0), (1.0, -1.0)):
        table = case.made.law.tables[0 if side > 0.0 else 1]
        load = case.load(side, torque)
        start = pl.statics(case.rig(mesh, load=load))
        run = pl.dynamics(
            case.rig(mesh, load=load, speed=way), duration=duration, step=duration / 2000, output_step=duration / 50,
            start=start,
        )  # fmt: skip
        settled = run.time > 0.2 * duration
        ideal = lever_of(case.made.pair) * ratio * run["hinge a.angle"].values
        lag = math.copysign(1.0, load) * (case.motion(run) - ideal) - 0.5 * case.made.law.backlash
        still = table.approach(torque / lever_of(case.made.pair), run["mesh.phase"].values)
        assert np.abs(lag - still)[settled].max() < 5e-3 * np.ptp(still)
        assert np.mean(run["motor.torque"].values[settled]) == pytest.approx(-load * ratio, rel=3e-3)
        assert set(run["mesh.contact"].values[settled]) == {side}
        # after the start, at which B is still at rest
        assert np.ptp(run["energy.balance_error"].values[settled]) < 1e-5 * abs(load * ratio * way * duration)


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["hypoid", "rack and pinion"])
def test_the_mean_stiffness_has_the_lag_at_its_torque_and_at_none(kind: str) -> None:
    a, b, gears_are = KINDS[kind]()
    torque = 3000.0 if isinstance(b, pl.Rack) else 60.0
    law = rig(a, b, rigid_loaded((torque,), phases=4), gears_are=gears_are).gear_pairs["mesh"].law
    for side, table in zip((1.0, -1.0), law.tables, strict=True):
        mesh = pl.Elastic("loaded", torque=side * torque, backlash=0)
        m = rig(a, b, mesh, gears_are=gears_are, load=0.3 * side * torque, phase=0.25)
        made = m.gear_pairs["mesh"]
        assert made.request is not None and made.request.coast == (side < 0.0)
        m._gear_pairs["mesh"] = replace(
            made, request=replace(made.request, elements_a=RIGID, elements_b=RIGID, phases=4, cells=9)
        )
        motion = pl.statics(m)["hinge b.displacement" if isinstance(b, pl.Rack) else "hinge b.angle"].final
        first, last = table.approach(1e-9, 0.25), table.approach(torque / lever_of(made.pair), 0.25)
        assert abs(motion) * lever_of(made.pair) == pytest.approx(first + 0.3 * (last - first), rel=2e-3)


@pytest.mark.slow
def test_the_load_of_a_result_acts_on_the_same_flanks_in_the_same_place(case: Case) -> None:
    """Wheel A is turned from the pose in phase, and a rack is displaced by some pitches along its travel."""
    pose = pl.GearPair(case.a, case.b, **case.gears_are).place()
    turns = [pose.rotation]
    if isinstance(case.b, pl.Rack):
        pose = Placement(pose.position + 3.2 * case.b.transverse_pitch * pose.rotation[:, 1], pose.rotation)
    if case.made.pair.kind in ("crossed helical", "rack and pinion"):
        turns.append(pose.rotation @ REVERSED)
    for rotation in turns:
        m = rig(case.a, case.b, case.loaded(), load=case.torques[0], phase=0.4, pose=Placement(pose.position, rotation))
        rest = pl.statics(m)
        gears = surface_gears(m, "mesh", "test")
        there, torque = gears_at_result(m, "mesh", gears, rest, "test")
        assert there.placement.position == pytest.approx(gears.placement.position, abs=1e-9)
        assert there.placement.rotation == pytest.approx(gears.placement.rotation, abs=1e-9)
        left = rest["mesh.contact"].final * m.gear_pairs["mesh"].alignment.pitch.axis_sign_a
        assert torque == pytest.approx(left * case.torques[0], rel=1e-6)


# -------------------------------------------------------------------------------------------------- directions of the axes


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["crossed helical", "rack and pinion"])
def test_a_wheel_turned_round_is_the_same_wheel(kind: str) -> None:
    """Its teeth are symmetrical: with its z axis the other way round it has the same lag, and its angle the other sign."""
    a, b, gears_are = KINDS[kind]()
    pose = pl.GearPair(a, b, **gears_are).place()
    load = 3000.0 if isinstance(b, pl.Rack) else 60.0
    mesh = rigid_loaded((load,), phases=4, backlash=0)
    for phase, sign in ((0.25, 1.0), (0.25, -1.0)):
        lags = []
        for way, rotation in ((1.0, pose.rotation), (-1.0, pose.rotation @ REVERSED)):
            m = rig(a, b, mesh, load=way * sign * load, phase=phase, pose=Placement(pose.position, rotation))
            rest = pl.statics(m)
            lags.append(way * rest["hinge b.displacement" if isinstance(b, pl.Rack) else "hinge b.angle"].final)
            lags.append(rest["motor.torque"].final)
        assert lags[2:] == pytest.approx(lags[:2], rel=1e-4)


@pytest.mark.parametrize("internal", [False, True])
@pytest.mark.parametrize("through_points", [False, True])
def test_a_wheel_with_different_flanks_turned_round_meets_the_other_ones(internal: bool, through_points: bool) -> None:
    """Its left flanks are 10 µm thinner: they meet the drive flanks of A, or its coast flanks, if its axis is reversed."""
    common = {"normal_module": "2 mm", "face_width": "10 mm"}
    a = pl.Gear(teeth=20, bore="20 mm", **common)
    ring = {"internal": True, "rim_diameter": "150 mm"} if internal else {"bore": "40 mm"}
    b = pl.Gear(teeth=60, modifications={"left": pl.PitchDeviation("-10 um")}, **ring, **common)
    if through_points:
        b = imported(b, 9)
    mesh = rigid_loaded((20.0,), phases=4, cells=7, coast=True)
    for way in (1.0, -1.0):
        pose = pl.GearPair(a, b).place()
        if way < 0.0:
            pose = Placement(pose.position, pose.rotation @ REVERSED)
        table = rig(a, b, mesh, pose=pose).gear_pairs["mesh"].loaded
        left_meets_left = (way > 0.0) != internal
        thin, full = (table.approach, table.coast) if left_meets_left else (table.coast, table.approach)
        assert thin[0] == pytest.approx(1e-5, rel=0.01)
        assert np.abs(full[0]).max() < 1e-7


@pytest.mark.slow
def test_bevel_axes_may_point_to_the_apex() -> None:
    """The same teeth with their z axes to the apex: the same table, and A turns the other way about its z."""
    found = []
    for sign in (1.0, -1.0):
        gears = [
            pl.Gear(teeth=z, cone_angle=sign * math.atan2(z, y), normal_module="3 mm", face_width="12 mm")
            for z, y in ((20, 30), (30, 20))
        ]
        made = rig(*(imported(gear, 9) for gear in gears), rigid_loaded((60.0,), cells=7)).gear_pairs["mesh"]
        found.append(made.loaded)
        assert made.alignment.pitch.axis_sign_a == sign
    assert found[1].approach == pytest.approx(found[0].approach, rel=1e-3, abs=1e-9)
    assert found[1].coast == pytest.approx(found[0].coast, rel=1e-3, abs=1e-9)


@pytest.mark.slow
def test_imported_flanks_on_a_mesh_of_the_user(tmp_path: Path) -> None:
    """The elements of the nominal tooth, from a file, and the flanks from points: as with the grid of the package."""
    common = {"normal_module": "2 mm", "face_width": "6 mm"}
    a, b = pl.Gear(teeth=18, bore="14 mm", **common), pl.Gear(teeth=31, bore="30 mm", **common)
    grid = {"face_elements": 2, "flank_elements": 4}
    pl.write_grid(tmp_path / "tooth.inp", pl.sector_grid(a, **grid), material=pl.STEEL)
    own = pl.MeshedGear(
        tmp_path / "tooth.inp", units="mm", flanks={"left": "LEFT_FLANK", "right": "RIGHT_FLANK"}, bore_set="BORE",
        sector=("LOW_SIDE", "HIGH_SIDE"),
    )  # fmt: skip
    tables = [
        rig(imported(a), b, pl.Loaded(torque=(20.0,), phases=4, coast=False, elements_a=elements, elements_b=grid))
        for elements in (grid, own)
    ]
    first, second = (m.gear_pairs["mesh"].loaded.approach for m in tables)
    assert second[1] == pytest.approx(first[1], rel=0.01)
