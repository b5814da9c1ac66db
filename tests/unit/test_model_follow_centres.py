"""Which teeth follow their centres without being told."""

from typing import Any

import pytest

import pitchline as pl


def elastic(**options: Any) -> pl.Elastic:
    return pl.Elastic(1e8, **options)


def loaded(**options: Any) -> pl.Loaded:
    return pl.Loaded([0.0, 1.0], [[0.0], [1e-6]], **options)


@pytest.mark.parametrize("make", (elastic, loaded, pl.Flank))
def test_elastic_teeth_follow_their_centres(make: Any) -> None:
    """By default, wherever there is a separating force; not against one that is left out."""
    assert make().follow_centres
    assert not make(separating=False).follow_centres
    assert not make(follow_centres=False).follow_centres
    with pytest.raises(pl.ModelError, match="omit separating=False"):
        make(separating=False, follow_centres=True)
    with pytest.raises(pl.ModelError, match="follow_centres must be True or False"):
        make(follow_centres="yes")


@pytest.mark.parametrize("options", ({}, {"method": "penalty", "penalty": 1e9}), ids=("multiplier", "penalty"))
def test_rigid_teeth_do_not(options: dict[str, Any]) -> None:
    assert not pl.Rigid(**options).follow_centres
    assert pl.Rigid(follow_centres=True, **options).follow_centres
