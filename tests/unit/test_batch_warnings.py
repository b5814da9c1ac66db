"""Runs of batches that are doubtful or incomplete: what is valid is kept, and the rest is named."""

import numpy as np
import pytest
from references.lane_rigs import loaded, rolling_pair, scaled_pair

import pitchline as pl
from pitchline.studies.batch.kernels.lane_kernel import LaneKernel

REDUCE = ["mesh.deflection.peak_to_peak", "mesh.contact_loss"]


def loaded_pair(torque: float = 20.0) -> pl.Model:
    return rolling_pair(mesh=loaded(backlash=0), torque=torque)


@pytest.mark.slow
def test_forces_beyond_the_table_of_loaded_teeth() -> None:
    made = pl.batch(loaded_pair, device="cpu", threads=1)
    r = made.run({"torque": [20.0, 400.0]}, settle=2, record=1, reduce=["mesh.transmission_error.mean"])
    assert r.fine.all()
    (warning,) = r.warnings
    assert warning.startswith('at 1 of 2 points the force of gear pair "mesh" is up to 2.')
    assert "the largest load of its table, which is extrapolated linearly" in warning


def test_too_few_steps_are_named_and_points_that_diverge_do_not_spoil_others() -> None:
    made = pl.batch(scaled_pair, device="cpu", threads=1)
    r = made.run({"speed": [1.0, 0.01], "damping": [0.03, 0.2]}, settle=400, record=2, steps=40, reduce=REDUCE)
    assert r["status"].tolist() == [0, 1] and r.failed == {1: "a value became infinite; use more steps"}
    assert np.isfinite(r["mesh.deflection.peak_to_peak"]).tolist() == [True, False]
    assert any("1 of 2 points have too few steps" in w and "Use steps=" in w for w in r.warnings)
    assert any("1 of 2 points have no valid values: a value became infinite" in w for w in r.warnings)
    with pytest.raises(pl.ModelError, match="1 points of the result diverged, the first is point 1"):
        made.run({"speed": [1.0, 0.01], "damping": [0.03, 0.2]}, start=r)


def test_an_interrupt_keeps_what_was_computed(monkeypatch: pytest.MonkeyPatch) -> None:
    made = pl.batch(scaled_pair, device="cpu", threads=1)
    whole = LaneKernel.run
    runs = []

    def stop_later(self: LaneKernel, *arguments: object, **options: object) -> object:
        runs.append(1)
        if len(runs) > 2:
            raise KeyboardInterrupt
        return whole(self, *arguments, **options)

    monkeypatch.setattr(LaneKernel, "run", stop_later)
    values, lanes = [0.5, 0.51, 0.52], {"damping": [0.03, 0.2]}
    found = made.sweep("speed", values, lanes=lanes, settle=20, record=2, reduce=REDUCE)
    assert found["status"][:, :, 0].tolist() == [[0, 0, 3], [3, 3, 3]]
    assert found.failed[2 * 2] == "the run was interrupted" and found.jumps == ()
    assert found.warnings[-1] == "the run was interrupted from the keyboard"


def test_a_saved_result_has_its_states(tmp_path) -> None:
    made = pl.batch(scaled_pair, device="cpu", threads=1)
    r = made.run({"speed": [1.0, 1.1], "damping": [0.03, 0.2]}, settle=2, record=2, reduce=REDUCE)
    path = r.save(tmp_path / "pair.study")
    loaded_again = pl.load(path)
    np.testing.assert_array_equal(loaded_again["mesh.contact_loss"], r["mesh.contact_loss"])
    assert loaded_again.facts["rotors"] == ["a", "b"]
    assert loaded_again["final.rate"].shape == (2, 2)
