"""Who writes what: memory in `accept` alone, nothing of what an element sees; scratch may hold anything before."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from references.element_bench import Probe, accepted, call, contents, moved, reported, single
from references.element_cases import CASES

from pitchline.elements.contract import RATE, RESIDUAL, TANGENT

seeds = st.integers(0, 2**32 - 1)
few = settings(max_examples=6)
every_case = pytest.mark.parametrize("case", CASES)


def probe_of(case: str, seed: int) -> tuple[Probe, np.random.Generator]:
    rng = np.random.default_rng(seed)
    return CASES[case](rng), rng


@every_case
@few
@given(seed=seeds)
def test_what_scratch_holds_before_does_not_matter(case: str, seed: int) -> None:
    """Any content, not-a-number too, gives the same block, power and report; `begin` starts from any content."""
    probe, _ = probe_of(case, seed)
    for mode in (RESIDUAL, TANGENT, RATE):
        clean = call(probe, mode, mass=0.3, damping=0.5, stiffness=0.7)
        for rest in (1e3, np.nan):
            other = call(probe, mode, mass=0.3, damping=0.5, stiffness=0.7, rest=rest)
            assert np.array_equal(other.r, clean.r)
            assert np.array_equal(other.J, clean.J)
            assert np.array_equal(other.power, clean.power)
    signals = reported(probe)
    for rest in (1e3, np.nan):
        for name, value in reported(probe, rest=rest).items():
            assert np.array_equal(value, signals[name]), name
        assert np.array_equal(accepted(probe, rest=rest), accepted(probe))


@every_case
@few
@given(seed=seeds)
def test_memory_is_written_in_accept_alone(case: str, seed: int) -> None:
    """Evaluations, beginnings and reports at random poses, in all modes, leave memory and all that the element sees byte by byte;
    so does `accept`, but for memory and condensed coordinates. A rejected step therefore leaves no trace."""
    probe, rng = probe_of(case, seed)
    one = single(probe)
    for name in ("M", "D", "K"):
        one.ask[name] = rng.uniform(0.1, 1.0)
    for far in (0.0, 0.1, 10.0):
        one.nodes[:, :12] = moved(probe.P, far * rng.normal(size=probe.V.shape))
        one.nodes[:, 12:] += far * rng.normal(size=(len(probe.V), 12))
        one.lam[:] += far * rng.normal(size=one.lam.size)
        for h in (0.0, 1e-6, 1e-3):
            one.ask["t"], one.ask["h"] = probe.t + rng.normal(), h
            before = contents(one)
            one.begin()
            assert contents(one) == before
            one.report()
            assert contents(one) == before
            for mode in (RESIDUAL, TANGENT, RATE):
                one.evaluate(mode)
                assert contents(one) == before
                one.report()
                assert contents(one) == before
    assert np.array_equal(one.memory, probe.memory)
    own = {name: x.copy() for name, x in one.coordinates.items()}
    one.accept()
    one.memory[:] = probe.memory
    for name, x in own.items():
        one.coordinates[name][:] = x
    assert contents(one) == before
