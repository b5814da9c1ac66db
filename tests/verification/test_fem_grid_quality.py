"""Any gear that can be cut can be divided into elements: hundreds of them, drawn at random over the range of practice."""

import math
from typing import Any

import numpy as np
import pytest

from pitchline.errors import ModelError
from pitchline.fem import grid_quality, sector_grid
from pitchline.gears import Gear
from pitchline.parts.gears.teeth import Teeth, basic_rack

LEAST = 0.4
"""Scaled Jacobian at worst. The corner of a pointed tip or of a steep helix leaves no more; most grids have 0.7."""

GEARS = 30
"""For each seed."""


def draw(rng: np.random.Generator) -> Teeth:
    """A random gear: 8 to 200 teeth (internal 30 to 150), modules 0.5 to 20 mm, all racks of ISO 53 and full radii, any
    helix, profile shift, rim; some with protuberance, some beveloids."""
    internal = rng.random() < 0.2
    module = math.exp(rng.uniform(math.log(0.5e-3), math.log(20e-3)))
    rack: dict[str, Any] = dict(basic_rack("ABCD"[rng.integers(4)]))
    if rng.random() < 0.5:
        rack["normal_pressure_angle"] = math.radians(rng.uniform(14.5, 25.0))
    if rng.random() < 0.15:  # full radius
        a = math.radians(20.0) if isinstance(rack["normal_pressure_angle"], str) else rack["normal_pressure_angle"]
        space = (math.pi / 4 - rack["dedendum_factor"] * math.tan(a)) * math.cos(a) / (1.0 - math.sin(a))
        rack["root_radius_factor"] = space * (1.0 - 1e-12)
    others: dict[str, Any] = {}
    if not internal and rng.random() < 0.1:
        others["protuberance"] = 0.03 * module
    if not internal and rng.random() < 0.25:
        others["profile_shift_angle"] = math.radians(rng.uniform(-15.0, 15.0))
    rim = math.exp(rng.uniform(math.log(0.5), math.log(8.0))) * module
    gear = Gear(
        teeth=int(rng.integers(30, 151)) if internal else int(math.exp(rng.uniform(math.log(8), math.log(200.99)))),
        normal_module=module,
        face_width=rng.uniform(3.0, 6.0 if others else 12.0) * module,
        helix_angle=math.radians(rng.uniform(-35.0, 35.0)) * (rng.random() < 0.6),
        profile_shift=rng.uniform(-0.6, 1.0),
        internal=internal,
        **rack,
    )
    if internal:
        return Teeth(gear.with_(rim_diameter=gear.root_diameter + 2.0 * rim))
    assert gear.face_width is not None
    lowest = gear.root_diameter - gear.face_width * abs(math.tan(others.get("profile_shift_angle", 0.0)))
    return Teeth(gear.with_(bore=max(lowest - 2.0 * rim, 0.2 * lowest)), **others)


@pytest.mark.parametrize("seed", range(8))
def test_random_gears_are_meshed_well(seed: int) -> None:
    rng = np.random.default_rng(seed)
    worst = []
    refused = 0
    while len(worst) < GEARS:
        try:
            teeth = draw(rng)
        except ModelError:  # pointed teeth, roundings that do not fit: no gear
            refused += 1
            continue
        order = 1 + len(worst) % 2
        sector = sector_grid(teeth, order=order, flank_elements=6, face_elements=1)
        quality = grid_quality(sector.solid)
        assert quality.valid, teeth
        worst.append(quality.scaled_jacobian)
        assert quality.scaled_jacobian > LEAST, teeth

        low, high = (
            sector.solid.nodes[side] @ np.array([1.0, 1.0j, 0.0]) for side in (sector.low_side, sector.high_side)
        )
        size = teeth.gear.normal_module
        assert np.abs(low * np.exp(1j * teeth.gear.angular_pitch) - high).max() < 1e-12 * size * teeth.gear.teeth
        if len(worst) % 5 == 0:  # no two nodes in one place
            assert len(np.unique(np.round(sector.solid.nodes / (1e-6 * size)), axis=0)) == len(sector.solid.nodes)
    assert refused < GEARS
    assert np.median(worst) > 0.65


@pytest.mark.parametrize("order", [1, 2])
@pytest.mark.parametrize("teeth", [8, 10, 14, 30, 120])
def test_default_grids_are_good(teeth: int, order: int) -> None:
    gear = Gear(teeth=teeth, normal_module="3 mm", face_width="20 mm", bore=0.35 * 3e-3 * teeth)
    quality = grid_quality(sector_grid(Teeth(gear), order=order).solid)
    assert quality.scaled_jacobian > 0.7 and quality.mean_scaled_jacobian > 0.9
    assert quality.jacobian_ratio > 0.3


@pytest.mark.parametrize("rim", [0.1, 0.3, 1.0, 3.0])
def test_thin_rims(rim: float) -> None:
    """Rims down to a tenth of the module, below which nothing would be left."""
    gear = Gear(teeth=40, normal_module="2 mm", face_width="20 mm")
    teeth = Teeth(gear.with_(bore=gear.root_diameter - 2 * rim * 2e-3))
    assert grid_quality(sector_grid(teeth, face_elements=2).solid).scaled_jacobian > LEAST
