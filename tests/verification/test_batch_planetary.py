"""Planetary trains and differentials as batches: static load sharing, steady forces, load reversal."""

import math

import numpy as np
import pytest
from references.lane_agreement import disagreement
from references.lane_rigs import elastic, planetary_rig, summing_train, two_stages

import pitchline as pl
from pitchline.studies.batch.lane_train import LaneArrays, static_start
from pitchline.studies.batch.model_reading import read_train


def forces_at_rest(model: pl.Model) -> dict[str, float]:
    """Normal forces of the static start of a lane."""
    read = read_train(model)
    arrays = LaneArrays(read.train)
    x = static_start(arrays)
    found = {}
    for mesh, numbers in zip(read.train.meshes, arrays.meshes, strict=True):
        force, _ = numbers.force(np.einsum("ni,ni->n", numbers.levers, x) + numbers.offset)
        found[mesh.name] = float(force[0]) / mesh.cos_alpha
    return found


@pytest.mark.parametrize("torque", [-150.0, 150.0, -3.0])
def test_start_is_the_equilibrium_of_statics(torque: float) -> None:
    """Pins with errors: one planet carries more; at the small torque one does not touch, and at the other it is the coast flank."""
    mesh = elastic(stiffness=3e8, error=None, backlash="20 um")
    model = planetary_rig(mesh=mesh, tangential_errors=[6e-6, -3e-6, 0.0], torque=torque)
    expected = pl.statics(model)
    found = forces_at_rest(model)
    largest = max(abs(f) for f in found.values())
    for name, force in found.items():
        assert force == pytest.approx(expected[f"{name}.signed_force"].values[-1], abs=1e-6 * largest), name
    if abs(torque) < 10:
        assert min(abs(f) for f in found.values()) < 1e-6 * largest


def test_steady_forces_of_the_gallery() -> None:
    """Constant stiffness: the forces are constant, F_n = T/(i 3 r_s cos alpha) in all meshes, negative on the coast flank."""
    made = pl.batch("planetary", device="cpu", threads=1)
    load = np.array([500.0, -200.0, 20.0])
    names = [
        f"{side}_{i}.signed_force.{kind}"
        for side in ("sun", "ring")
        for i in (1, 2, 3)
        for kind in ("mean", "peak_to_peak")
    ]
    r = made.run(pl.grid(load=load.tolist(), speed=[50.0, 200.0]), settle=3, record=2, reduce=names)
    expected = load / 5 / (3 * 0.024 * math.cos(math.radians(20)))
    for name in names:
        if name.endswith("mean"):
            assert np.abs(r[name]) == pytest.approx(np.abs(np.repeat(expected[:, None], 2, axis=1)), rel=1e-9)
        else:
            assert np.all(r[name] < 1e-6 * np.abs(expected).max())
    assert np.sign(r["sun_1.signed_force.mean"][:, 0]).tolist() == [1, -1, 1]


def test_bevel_differential() -> None:
    """The cage turns, its pinions about axes across it: one side gear is driven 30 % slower, torques are equal."""
    read = read_train(pl.gallery.model("differential").build())
    speeds = {rotor.name: rotor.speed for rotor in read.train.rotors}
    assert speeds["left"] + speeds["right"] == pytest.approx(2 * speeds["cage"])
    assert speeds["spider_1"] == pytest.approx(-(speeds["cage"] - speeds["left"]) * 24 / 16)
    made = pl.batch("differential", device="cpu", threads=1)
    r = made.run(settle=3, record=2, reduce=["left_1.signed_force.mean", "right_2.signed_force.mean"])
    assert abs(r["left_1.signed_force.mean"][0]) == pytest.approx(abs(r["right_2.signed_force.mean"][0]), rel=1e-9)


def test_two_stages_and_a_summing_train_are_lanes() -> None:
    """Ten rotors and 14 meshes; sun and ring driven: speeds by Willis, mesh frequencies of both stages."""
    read = read_train(two_stages())
    assert len(read.train.rotors) == 10 and len(read.train.meshes) == 14
    assert disagreement(two_stages(), steps=1000) < 2e-6
    orders = {mesh.name: mesh.phases[0].order for mesh in read.train.meshes}
    assert orders["two sun mesh 1"] == pytest.approx(orders["one sun mesh 1"] / 5)
    assert disagreement(summing_train(), steps=1000) < 2e-6
