"""Who writes what: memory in `accept` alone, nothing of what an element sees; scratch may hold anything before."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from references.element_bench import Probe
from references.element_cases import CASES

from pitchline.engine.elements.contract_checks import memory_traces, scratch_traces

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
    assert scratch_traces(probe) == []


@every_case
@few
@given(seed=seeds)
def test_memory_is_written_in_accept_alone(case: str, seed: int) -> None:
    """Evaluations, beginnings and reports at random poses, in all modes, leave memory and all that the element sees byte by byte;
    so does `accept`, but for memory and condensed coordinates. A rejected step therefore leaves no trace."""
    probe, rng = probe_of(case, seed)
    assert memory_traces(probe, rng) == []
