"""What moves in a view: arrays of mesh cycles, arrows, contact and deformation against the result they come from."""

from dataclasses import replace

import numpy as np
import pytest
from references.kept_arrays import KeptArrays

import pitchline as pl
from pitchline.gallery import model
from pitchline.parts.gears.scene import rotated_by
from pitchline.parts.meshes.scene import mesh_cycles
from pitchline.parts.springs.scene import arrows_of
from pitchline.viewer.block import Block
from pitchline.viewer.scene_parts import SceneSource


@pytest.fixture(scope="module")
def planetary() -> pl.Result:
    return list(model("planetary").run().values())[-1]


def _without(source: SceneSource, ending: str, every: int = 1) -> SceneSource:
    kept = {name: signal for name, signal in source.signals.items() if not name.endswith(ending)}
    keep = slice(None, None, every)
    return replace(source, signals=kept, keep=keep, time=source.time[keep])


def test_the_fraction_of_the_mesh_cycles_is_the_phase(planetary: pl.Result) -> None:
    source = SceneSource.of_result(planetary)
    for name, pair in planetary.model["gear_pairs"].items():
        cycles = mesh_cycles(source, name, pair)
        apart = (cycles - planetary[f"{name}.phase"].values + 0.5) % 1.0 - 0.5
        assert np.abs(apart).max() < 1e-12
    # 24 teeth of the sun against a carrier at 24/(24 + 84) of its speed; the drive says the speed
    turns = planetary["sun_bearing.angle"].final / (2.0 * np.pi)
    passed = np.ptp(mesh_cycles(source, "sun_1", planetary.model["gear_pairs"]["sun_1"])[[0, -1]])
    assert passed == pytest.approx(turns * 24.0 * (1.0 - 24.0 / planetary_sum(planetary)), rel=1e-4)


def planetary_sum(result: pl.Result) -> int:
    return sum(result.model["wheels"][name]["gear"]["teeth"] for name in ("sun", "ring"))


@pytest.mark.parametrize("every", [1, 37])
def test_cycles_follow_from_the_motion_where_the_rotation_was_not_kept(planetary: pl.Result, every: int) -> None:
    """Also where a wheel turns by more than half a turn between two samples: 37 samples are 0.6 turns of the sun at the end."""
    full = SceneSource.of_result(planetary)
    less = _without(full, ".psi_a", every)
    for name, pair in planetary.model["gear_pairs"].items():
        np.testing.assert_allclose(mesh_cycles(less, name, pair), mesh_cycles(full, name, pair)[::every], atol=1e-9)


# --------------------------------------------------------------------------------------------------------------- arrows


def _machine() -> pl.Model:
    """A helical pair with loads, springs, a rod and a drive: something of every group."""
    gears = [
        pl.Gear(teeth=z, normal_module="4 mm", helix_angle=beta, face_width="30 mm")
        for z, beta in ((25, "12 deg"), (50, "-12 deg"))
    ]
    m = pl.Model("machine")
    a = m.gear_body("pinion", gears[0], position=(0, 0, 0), axis="z")
    b = m.gear_body("wheel", gears[1], mesh_with=a, towards="x")
    m.bushing("soft", m.ground, a, at=(0, 0, "40 mm"), stiffness=(1e8, 1e8, 1e8, 1e5, 1e5, 1e7))
    second = m.revolute("second", m.ground, b)
    m.gear_pair("mesh", a, b, mesh=pl.Elastic("4e8 N/m"))
    m.torque("load", second, "200 N*m")
    m.force("push", a, (100.0, -50.0, 30.0), at=(0, "20 mm", 0))
    m.torque("twist", a, (5.0, 0.0, 2.0))
    ends = {"at_a": ("400 mm", "100 mm", "50 mm"), "at_b": ("200 mm", "30 mm", 0)}
    m.spring("pull", m.ground, b, **ends, stiffness="1 N/mm", free_length="10 mm")
    m.torsion_spring("wind", second, stiffness="10 N*m/rad", free_angle="0.5 rad")
    return m


@pytest.fixture(scope="module")
def rest() -> pl.Result:
    return pl.statics(_machine())


def _shown(result: pl.Result) -> list[tuple[dict, np.ndarray, np.ndarray]]:
    """Arrows with their points and vectors at the last sample, as the page reads them."""
    kept = KeptArrays()
    arrows, arrays = arrows_of(SceneSource.of_result(result), kept), kept.values

    def pose(body: str) -> tuple[np.ndarray, np.ndarray]:
        if body == "ground":
            return np.zeros(3), np.array([1.0, 0.0, 0.0, 0.0])
        return result[f"{body}.position"].values[-1], result[f"{body}.orientation"].values[-1]

    def placed(said: dict) -> np.ndarray:
        x, q = pose(said["body"])
        return x + rotated_by(q, np.array(said["position"]))

    found = []
    for arrow in arrows:
        point = arrays[arrow["point"]][-1] if "point" in arrow else placed(arrow["at"])
        if "vector" in arrow:
            vector = arrays[arrow["vector"]][-1]
        elif "along" in arrow:
            vector = (
                rotated_by(pose(arrow["along"]["body"])[1], np.array(arrow["along"]["direction"]))
                * arrays[arrow["value"]][-1]
            )
        else:
            line = placed(arrow["to"]) - placed(arrow["from"])
            vector = line / np.linalg.norm(line) * arrays[arrow["value"]][-1]
        found.append((arrow, point, vector))
    return found


def test_arrows_on_a_body_balance(rest: pl.Result) -> None:
    """At rest forces on each body and their moments about any point are zero together: signs, points and reactions are right."""
    shown = _shown(rest)
    assert {arrow["group"] for arrow, _, _ in shown} == {"mesh", "bearing", "load", "spring", "joint"}
    for body in ("pinion", "wheel"):
        force, moment, size = np.zeros(3), np.zeros(3), 0.0
        for arrow, point, vector in shown:
            sign = {arrow["on"]: 1.0, arrow.get("opposite"): -1.0}.get(body, 0.0)
            if arrow["kind"] == "force":
                force += sign * vector
                moment += sign * np.cross(point, vector)
                size += abs(sign) * np.linalg.norm(vector)
            else:
                moment += sign * vector
        assert size > 1000.0
        np.testing.assert_allclose(force, 0.0, atol=1e-6 * size)
        np.testing.assert_allclose(moment, 0.0, atol=1e-7 * size)


def test_arrows_say_on_what_they_act(rest: pl.Result) -> None:
    said = {arrow["name"]: arrow for arrow, _, _ in _shown(rest)}
    assert (said["mesh.force_b"]["on"], said["mesh.force_b"]["opposite"]) == ("wheel", "pinion")
    assert said["soft.force"]["text"] == rest["soft.force"].description
    assert "opposite" not in said["push.force"]  # from outside


def test_a_model_as_built_has_no_arrows() -> None:
    assert arrows_of(SceneSource.of_model(_machine()), Block()) == []
