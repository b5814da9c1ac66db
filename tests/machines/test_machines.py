"""A fixed set of random machines keeps all invariances; every public part and option is drawn, or listed with a reason.

`make machines` tries more machines.
"""

import inspect

import numpy as np
import pytest
from machines import limit
from machines.cases import Violation
from machines.invariances import BY_NAME, INVARIANCES
from machines.options import all_options, drawer, parameters, reason
from machines.ranges import NO_PART, PARTS
from machines.runner import KINDS, LATER, NUMBER, kind_of, run
from machines.shrink import failure

import pitchline as pl

MACHINES = 40
"""Machines of the fixed set: about 20 s on one core."""
OF_LATER = 10
"""Machines of kinds with finite elements, cams and compound trains."""
OF_TABLES = ("resolution of tables", "table or contact", "kinematics")
"""Invariances of these kinds."""
MORE = 60
"""Further machines, of which the first suitable one is taken for an invariance that was not tried."""


def test_machines_keep_the_invariances() -> None:
    totals = run(range(MACHINES), list(KINDS), share=0.12)
    later = run(range(OF_LATER), list(LATER), share=0.08)
    assert totals.failures + later.failures == []
    for name, count in totals.counts.items():
        if count.tried or later.counts[name].tried or BY_NAME[name].one_of:
            continue
        kinds = list(LATER) if name in OF_TABLES else list(KINDS)
        for seed in range(MACHINES, MACHINES + MORE):
            more = run([seed], kinds, only=[name])
            assert more.failures == []
            if more.counts[name].tried:
                break
        else:
            pytest.fail(f"no machine for the invariance {name}")


@pytest.mark.parametrize(("kind", "seed"), [("gears", 15348), ("shaft", 11724)])
def test_pivots_that_are_not_suitable(kind: str, seed: int) -> None:
    """Six coordinates for each body: pivots follow the length of the step, and contacts without load are released."""
    machine = KINDS[kind](seed)
    assert failure(machine, INVARIANCES["not reduced"], [seed, NUMBER["not reduced"]]) is None


def test_later_kinds_do_not_change_the_others() -> None:
    def kinds(some: list[str]) -> list[str]:
        return [kind_of(seed, some, np.random.default_rng([seed, 0])) for seed in range(40)]

    first, both = kinds(list(KINDS)), kinds([*KINDS, *LATER])
    assert set(both) & set(LATER)
    assert all(new == old for old, new in zip(first, both, strict=True) if new in KINDS)


def test_every_public_method_of_the_model_is_a_part_or_listed() -> None:
    methods = [
        name for name, member in inspect.getmembers(pl.Model, inspect.isfunction) if not name.startswith("_")
    ]  # fmt: skip
    assert [name for name in methods if name not in PARTS and name not in NO_PART] == []


@pytest.mark.parametrize("place", PARTS)
def test_parts_exist(place: str) -> None:
    assert parameters(place)


def test_reasons_name_existing_arguments() -> None:
    names = {name for names in all_options().values() for name in names}
    from machines.ranges import NOT_DRAWN

    for key in NOT_DRAWN:
        place, _, name = key.rpartition(".")
        assert name in (all_options()[place] if place else names), key


def test_quantities_are_drawn() -> None:
    assert drawer("spring", "stiffness") is not None
    assert reason("body", "colour")


def test_a_machine_that_does_not_end_is_a_violation() -> None:
    with pytest.raises(Violation, match="does not end"), limit.ends(0.05):
        while True:
            pass
