"""Lanes of a batch do not depend on each other, on their number, on threads, or on the way in which they are run."""

import numpy as np
import pytest
from references.lane_kernels import kernel_of, starts
from references.lane_trains import pair

from pitchline.studies.batch.kernels.lane_kernel import LOOPED, LaneResult, LaneStatus
from pitchline.studies.batch.lane_train import LaneTrain

COUNTS = {"settle": 2, "record": 2, "steps": 60, "points": 2}


def many(lanes: int) -> LaneTrain:
    random = np.random.default_rng(3)
    return pair(
        omega=np.linspace(0.6, 1.6, lanes),
        ripple=random.uniform(0.05, 0.3, lanes),
        error=0.01,
        teeth=random.uniform(0, 2, lanes),
    )


def part(train: LaneTrain, at: np.ndarray) -> LaneTrain:
    """Some lanes of a train."""
    values = {name: value[at] if np.ndim(value) else value for name, value in train.values.items()}
    return LaneTrain(train.name, train.rotors, train.meshes, values=values)


def arrays(result: LaneResult) -> dict[str, np.ndarray]:
    """All numbers of a result, the last axis over the lanes."""
    out = {name: getattr(result, name) for name in ("states", "before", "contact_loss", "points", "closure", "status")}
    for n, one in enumerate(result.signals):
        names = ("min", "max", "mean", "rms", "amplitudes", "phases")
        out |= {f"{n}.{name}": getattr(one, name) for name in names if getattr(one, name) is not None}
    return out


def assert_same_bits(one: LaneResult, other: LaneResult, at: np.ndarray | slice = slice(None)) -> None:
    for name, values in arrays(other).items():
        assert np.array_equal(arrays(one)[name][..., at], values, equal_nan=True), name


def test_lanes_do_not_depend_on_their_neighbours_and_their_number() -> None:
    train = many(37)
    start = starts(train, 37)
    start[0] += np.linspace(0.0, 0.2, 37)
    whole = kernel_of(train).run(start, **COUNTS)
    assert (whole.contact_loss > 0.0).any()
    for at in (np.array([5]), np.arange(36, -1, -1), np.array([3, 30, 17])):
        assert_same_bits(whole, kernel_of(part(train, at)).run(start[:, at], **COUNTS), at)


def test_threads_give_the_same_bits() -> None:
    train = many(100)
    start = starts(train, 100)
    assert_same_bits(kernel_of(train).run(start, **COUNTS), kernel_of(train, threads=3).run(start, **COUNTS))


def test_vectors_are_equal_to_lane_after_lane() -> None:
    """The text of a GPU, on the CPU."""
    train = many(20)
    start = starts(train, 20)
    vectors = arrays(kernel_of(train).run(start, **COUNTS))
    for name, values in arrays(kernel_of(train, device=LOOPED).run(start, **COUNTS)).items():
        # rounding, amplified by contact loss
        assert values == pytest.approx(vectors[name], rel=1e-9, abs=1e-11), name


def test_wide_and_narrow_blocks_are_equal() -> None:
    train, narrow = many(300), np.arange(40)
    start = starts(train, 300)
    wide = arrays(kernel_of(train, cut=False).run(start, **COUNTS))
    for name, values in arrays(kernel_of(part(train, narrow), cut=False).run(start[:, narrow], **COUNTS)).items():
        assert values == pytest.approx(wide[name][..., narrow], rel=1e-9, abs=1e-11), name


def test_points_and_a_continued_run() -> None:
    """Poincaré samples are states at the ends of cycles; a run in parts is the same run."""
    train = many(6)
    start, kernel = starts(train, 6), kernel_of(train)
    whole = kernel.run(start, settle=3, record=1, steps=60, points=3)
    state = start
    for cycle in range(4):
        state = kernel.run(state, settle=1, record=0, steps=60, first_cycle=cycle).states
        if cycle:
            assert np.array_equal(whole.points[cycle - 1, 0], state[0] + state[1])
            assert np.array_equal(whole.points[cycle - 1, 1], state[2] + state[3])
    assert np.array_equal(whole.states, state)
    assert np.array_equal(start, starts(train, 6))  # the states that were given are not changed
    change = np.abs(whole.states - whole.before)
    change[2:] /= train.values["omega"]
    assert whole.closure == pytest.approx(change.max(axis=0), rel=1e-12)


def test_a_lane_that_blows_up_is_reported_and_disturbs_no_other() -> None:
    train = many(5)
    values = {**train.values, "k": np.array([0.2, 1e9, 0.2, np.nan, 0.2])}
    start = starts(train, 5)
    result = kernel_of(LaneTrain(train.name, train.rotors, train.meshes, values=values)).run(start, **COUNTS)
    fine = np.array([0, 2, 4])
    assert result.status.tolist() == [LaneStatus.FINE, LaneStatus.BLOWN_UP] * 2 + [LaneStatus.FINE]
    assert np.isnan(result.signals[0].max[[1, 3]]).all() and np.isnan(result.contact_loss[0, [1, 3]]).all()
    good = LaneTrain(train.name, train.rotors, train.meshes, values={**train.values, "k": np.full(5, 0.2)})
    assert_same_bits(result, kernel_of(part(good, fine)).run(start[:, fine], **COUNTS), fine)


def test_signals_of_a_mesh_without_backlash_refer_to_the_loaded_flank() -> None:
    """As results of dynamics: a load in the other direction gives the same positive force."""
    both = pair(
        omega=1.3, ripple=0.1, damping=0.2, backlash=np.array([0.0, 0.0, 0.4, 0.4]), load=np.array([0.1, -0.1] * 2)
    )
    result = kernel_of(both).run(np.zeros((4, 4)), settle=30, record=1, steps=100)
    signed, error, normal = result.signals
    assert normal.mean == pytest.approx(np.full(4, 0.1), abs=1e-6)
    assert signed.mean == pytest.approx(np.array([0.1, -0.1] * 2), abs=1e-6)
    assert normal.max[1] == pytest.approx(normal.max[0], abs=1e-6) and normal.max[1] == pytest.approx(-signed.min[1])
    assert error.max == pytest.approx(np.full(4, error.max[0]), abs=1e-6)
    assert error.amplitudes[0] == pytest.approx(np.full(4, error.amplitudes[0, 0]), abs=1e-6)
    assert np.exp(1j * error.phases[0]) == pytest.approx(np.full(4, np.exp(1j * error.phases[0, 0])), abs=1e-4)
