"""Pauses of the garbage collector end, and may overlap."""

import gc

import pytest

from pitchline.analyses.time_options import no_garbage


def test_the_collector_goes_on_when_the_last_pause_ends() -> None:
    assert gc.isenabled()
    with no_garbage():
        with no_garbage():
            assert not gc.isenabled()
        assert not gc.isenabled()
    assert gc.isenabled()


def test_errors_end_a_pause_too() -> None:
    with pytest.raises(ValueError, match="wrong"), no_garbage():
        raise ValueError("wrong")
    assert gc.isenabled()


def test_a_collector_that_was_off_stays_off() -> None:
    gc.disable()
    try:
        with no_garbage():
            pass
        assert not gc.isenabled()
    finally:
        gc.enable()
