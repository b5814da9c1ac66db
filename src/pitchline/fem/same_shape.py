"""Whether two sets of teeth differ only in modifications and material, so that their elasticity is the same."""

from __future__ import annotations

import numpy as np

from ..gears.gear import Gear
from ..gears.material import STEEL
from ..gears.rack import Rack
from ..gears.surfaces import SurfaceTeeth
from ..gears.teeth import Teeth

__all__ = ["same_shape"]

_ALIKE = 0.02
"""Distance of flank surfaces, by the normal module, that does not change elasticity."""
_SAMPLES = 17


def same_shape(a: Teeth | SurfaceTeeth, b: Teeth | SurfaceTeeth) -> bool:
    """Whether teeth differ only in modifications and material; a tool may be specified or be the default.

    Flank surfaces may be apart by 2 % of the module.
    """
    if isinstance(a, SurfaceTeeth) and isinstance(b, SurfaceTeeth):
        return _same_gear(a.gear, b.gear) and all(_close(a, b, side) for side in ("left", "right"))
    if isinstance(a, SurfaceTeeth) or isinstance(b, SurfaceTeeth):
        return False
    return _same_gear(a.gear, b.gear) and a.rack == b.rack and a.cutter == b.cutter


def _same_gear(a: Gear | Rack, b: Gear | Rack) -> bool:
    plain = [
        _without_material(gear)
        if isinstance(gear, Rack)
        else gear.with_(material=STEEL, modifications=None, tool=None, flanks=None)
        for gear in (a, b)
    ]
    return plain[0] == plain[1]


def _close(a: SurfaceTeeth, b: SurfaceTeeth, side: str) -> bool:
    at = np.linspace(0.0, 1.0, _SAMPLES)
    first, second = (teeth.flank(side).point(at[:, None], at) for teeth in (a, b))
    normals = a.flank(side).normal(at[:, None], at)
    apart = first - second
    above = np.abs(np.einsum("ijk,ijk->ij", apart, normals)).max()
    # the same flank may have other parameters, but its ends are the same
    ends = np.linalg.norm(apart[[0, 0, -1, -1], [0, -1, 0, -1]], axis=-1).max()
    return bool(max(above, ends) <= _ALIKE * a.gear.normal_module)


def _without_material(rack: Rack) -> tuple[object, ...]:
    """The data of a rack but for its material and imported flanks, which are compared as surfaces."""
    return tuple(getattr(rack, name) for name in rack.__dataclass_fields__ if name not in ("material", "flanks"))
