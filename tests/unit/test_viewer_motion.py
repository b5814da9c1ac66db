"""What moves in a view: arrays of mesh cycles, arrows, contact and deformation against the result they come from."""

from dataclasses import replace

import numpy as np
import pytest

import pitchline as pl
from pitchline.gallery import model
from pitchline.viewer.scene.pairs import mesh_cycles
from pitchline.viewer.scene.source import SceneSource


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
