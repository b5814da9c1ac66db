"""Contact at rest by the nodes of the flanks: equilibrium, symmetry, modes, penalty, the settled motion, and refusals."""

from functools import cache
from typing import Any

import numpy as np
import pytest
from references.elastic_pair import COARSE, MODULE, TEETH, gears

from pitchline.errors import ModelError, PitchlineError
from pitchline.fem.elastic_gear import elastic_gear
from pitchline.gears import Gear
from pitchline.parts.contact.flank_contact import flank_contact
from pitchline.parts.contact.results_flank import FlankContact
from pitchline.parts.gears.teeth import Teeth

TORQUE = 60.0


@cache
def found(sign: float = 1.0, modes: tuple[int, int] = (60, 80), **options: Any) -> FlankContact:
    a, b = gears()
    given = {"phase": 0.3 * sign, "elements_a": COARSE, "elements_b": COARSE} | options
    return flank_contact(a, b, torque=sign * TORQUE, method="nodes", modes=modes, **given)


@cache
def by_cells() -> FlankContact:
    a, b = (elastic_gear(t, grid=COARSE, cache=False) for t in gears())
    return flank_contact(a, b, torque=TORQUE, phase=0.3)


def test_forces_balance_the_torque_and_mirrored_gears_are_equal() -> None:
    """Normals of polygons differ from those of involutes: T = r_b Σ λ within 1 %."""
    left, right = found(), found(-1.0)
    base = gears()[1].left.involute.base_radius
    assert base * left.normal_force[0, 0] == pytest.approx(TORQUE, rel=1e-2)
    assert right.transmission_error == pytest.approx(left.transmission_error, rel=1e-6)
    shares = left.shares(), right.shares()
    assert sorted(shares[0].values()) == pytest.approx(sorted(shares[1].values()), rel=1e-6)
    assert sum(shares[0].values()) == pytest.approx(1.0)


def test_deflection_increases_with_modes_and_soft_penalties() -> None:
    """Modes only add compliance. With many, the deflection is that of all finite elements without the half space of cells."""
    lags = [found(modes=modes).transmission_error[0, 0] for modes in ((10, 10), (60, 80), (300, 400))]
    assert lags == sorted(lags) and lags[0] < 0.7 * lags[2]
    assert lags[2] == pytest.approx(by_cells().transmission_error[0, 0], rel=0.15)
    soft = found(penalty=1e7).transmission_error[0, 0]
    assert soft > 1.2 * found(penalty=1e9).transmission_error[0, 0]


def test_shares_and_places_of_patches_are_those_of_cells() -> None:
    nodes, cells = found(modes=(300, 400)), by_cells()
    assert [p.tooth_a for p in nodes.patches[0][0]] == [p.tooth_a for p in cells.patches[0][0]]
    for one, other in zip(nodes.patches[0][0], cells.patches[0][0], strict=True):
        assert one.tooth_b % TEETH[1] == other.tooth_b % TEETH[1]
        assert one.total_force == pytest.approx(other.total_force, rel=0.1)
        assert one.length == pytest.approx(other.length, rel=1e-9)  # the whole face
        middle, expected = (float(np.average(p.roll_a, weights=p.force)) for p in (one, other))
        assert middle == pytest.approx(expected, abs=0.02 * MODULE)


def test_stiffness_is_the_derivative_of_the_torque() -> None:
    a, b = gears()
    options: dict[str, Any] = {
        "method": "nodes",
        "modes": (60, 80),
        "elements_a": COARSE,
        "elements_b": COARSE,
        "phase": 0.3,
    }
    base = b.left.involute.base_radius
    low, high = (flank_contact(a, b, torque=T, **options) for T in (TORQUE, 1.001 * TORQUE))
    slope = 1e-3 * TORQUE / base / (high.transmission_error - low.transmission_error)
    assert slope[0, 0] == pytest.approx(low.stiffness[0, 0], rel=1e-2)


def test_internal_gears_and_torques_in_any_order() -> None:
    a = gears()[0]
    ring = Teeth(Gear(teeth=40, internal=True, normal_module=MODULE, face_width="10 mm", rim_diameter="100 mm"))
    options: dict[str, Any] = {"method": "nodes", "modes": (60, 80), "elements_a": COARSE, "elements_b": COARSE}
    rising, falling = (flank_contact(a, ring, torque=T, **options) for T in ([20.0, TORQUE], [TORQUE, 20.0]))
    assert rising.normal_force[1, 0] * ring.left.involute.base_radius == pytest.approx(TORQUE, rel=1e-2)
    assert falling.transmission_error[::-1] == pytest.approx(rising.transmission_error, rel=1e-4)


@pytest.mark.parametrize("slave", ["a", "b"])
def test_nodes_of_one_gear_carry_the_same_load(slave: str) -> None:
    one = found(slave=slave)
    assert one.normal_force[0, 0] == pytest.approx(found().normal_force[0, 0], rel=1e-2)
    assert one.transmission_error[0, 0] == pytest.approx(found().transmission_error[0, 0], rel=0.2)
    assert one.patch().places_in_contact > 0


@pytest.mark.parametrize(
    "options, words",
    [
        ({"modes": [10]}, "numbers of modes of both gears"),
        ({"penalty": 0.0}, "penalty must be greater than zero"),
        ({"slave": "c"}, 'slave must be "a", "b" or "both"'),
        ({"torque": 1e6}, "Use a smaller torque"),
    ],
)
def test_wrong_options(options: dict[str, Any], words: str) -> None:
    a, b = gears()
    given = {
        "torque": TORQUE,
        "method": "nodes",
        "modes": (10, 10),
        "elements_a": COARSE,
        "elements_b": COARSE,
    } | options
    with pytest.raises(PitchlineError, match=words):
        flank_contact(a, b, **given)


def test_what_has_no_nodes_is_refused() -> None:
    a, b = gears()
    elastic = elastic_gear(a, grid=COARSE, cache=False)
    with pytest.raises(ModelError, match='gear a has an ElasticGear, which method="nodes" does not support'):
        flank_contact(elastic, b, torque=TORQUE, method="nodes")
    with pytest.raises(ModelError, match='penalty is for method="nodes", but the method is "cells"'):
        flank_contact(a, b, torque=TORQUE, penalty=1e8)
    assert isinstance(a, Teeth)
