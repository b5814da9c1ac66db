"""Malformed models of many kinds: each ends in a ModelError that names the item, and in nothing else.

A kind is an action on a sound model together with a strategy for the value that makes it wrong. The model
must be as it was after the refusal, and the same item, said rightly, must still be accepted.
"""

import math
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from references.malformed_loads import KINDS
from references.malformed_parts import SAY
from references.malformed_values import sound_model

from pitchline.errors import ModelError
from pitchline.model import (
    Function,
)


def test_there_are_many_kinds() -> None:
    assert len(KINDS) >= 200


@pytest.mark.parametrize("title", KINDS)
@settings(max_examples=12)
@given(data=st.data())
def test_malformed_models_end_in_a_model_error(title: str, data: st.DataObject) -> None:
    item, values, action = KINDS[title]
    value = data.draw(values)
    m = sound_model()
    before = m.summary()
    with pytest.raises(ModelError) as caught:
        action(m, value)
    message = str(caught.value)
    assert item in message, message
    assert caught.value.problems == [message]
    assert m.summary() == before
    m.check()


@pytest.mark.parametrize("title", SAY)
def test_the_same_said_rightly_is_accepted(title: str) -> None:
    m = sound_model()
    before = m.summary()
    assert SAY[title](m, "new").name == "new"
    assert m.summary() != before


def test_callables_that_fail_are_named_when_sampled() -> None:
    m = sound_model()
    failing: list[Callable[[float], Any]] = [
        lambda t: None,
        lambda t: "x",
        lambda t: math.nan,
        lambda t: 1 / t,
        lambda t: [1],
    ]
    for i, function in enumerate(failing):
        load = m.torque(f"bad {i}", "hinge", function)
        assert isinstance(load.function, Function)  # type: ignore[union-attr]
        with pytest.raises(ModelError, match=f'torque "bad {i}"'):
            load.function.resolved(0.0, 1.0)  # type: ignore[union-attr]
