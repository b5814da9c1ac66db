"""Tables of loaded teeth from elastic gears that a test has made: what `Loaded()` computes from the gears of a model."""

from typing import Any

import numpy as np

import pitchline as pl
from pitchline.contact.loaded_tables import compute_table
from pitchline.fem.elastic_gear import ElasticGear
from pitchline.parts.meshes.computed_table import TableRequest

_STANDING = ("face_offset", "deviation", "inclination", "start", "pitch_point")


def table_of(
    a: ElasticGear,
    b: ElasticGear,
    *,
    torque: Any,
    loads: int = 8,
    phases: int = 128,
    coast: bool | None = None,
    centre_distance: float | None = None,
    **options: Any,
) -> pl.Loaded:
    """The table up to a torque on B [N m], with further options of `Loaded`, or of how the gears stand [m, rad]."""
    gears = a.teeth.gear, b.teeth.gear
    torques = torque if isinstance(torque, list) else (torque * (np.arange(1, loads) / (loads - 1)) ** 2).tolist()
    standing: dict[str, float] = {name: options.pop(name, 0.0) for name in _STANDING}
    tilts = options.get("tilts", ())
    request = TableRequest(
        gear_a=gears[0], gear_b=gears[1],
        centre_distance=pl.GearPair(*gears).centre_distance if centre_distance is None else centre_distance,
        torques=tuple(torques), phases=phases, coast=coast, bore=a.bore, elements_a={}, elements_b={}, resolution=4.0, cells=15,
        tilts=tuple(tilts), **standing,
    )  # fmt: skip
    found = compute_table(request, a, b)
    return pl.Loaded(**vars(found), **options)
