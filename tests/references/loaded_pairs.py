"""Elastic gears for tests of contact under load: coarse grids, a second for several of them, each made once."""

from dataclasses import replace
from functools import cache

import numpy as np

import pitchline as pl
from pitchline.contact.elastic_pair import body_compliance
from pitchline.fem.elastic_gear import ElasticGear, elastic_gear
from pitchline.parts.gears.geometry.inputs import Material

STEEL = Material("steel", density=7850.0, youngs_modulus=2.1e11, poissons_ratio=0.3)
COARSE = (("face_elements", 2), ("flank_edge", "0.4 mm"), ("size", "2 mm"))
FINER = (("face_elements", 3), ("flank_edge", "0.2 mm"), ("size", "1.5 mm"))


@cache
def gear(teeth: int, grid: tuple[tuple[str, object], ...] = COARSE, **others: object) -> ElasticGear:
    """A wheel of module 2 mm and a face of 10 mm, as in Do, Ziegler & Eberhard, held at a bore of 0.4 of its diameter."""
    options: dict[str, object] = {
        "normal_module": "2 mm", "face_width": "10 mm", "root_radius_factor": 0.125, "material": STEEL,
    }  # fmt: skip
    if not others.get("internal"):
        options["bore"] = 0.4 * 2e-3 * teeth
    made = pl.Gear(teeth=teeth, **(options | others))  # type: ignore[arg-type]
    return elastic_gear(pl.Teeth(made), grid=dict(grid), cache=False)


def pair(grid: tuple[tuple[str, object], ...] = COARSE, **others: object) -> tuple[ElasticGear, ElasticGear]:
    """The spur pair 18/37, or a helical one with the helix angle of the pinion."""
    beta = others.pop("helix_angle", 0.0)
    return gear(18, grid, helix_angle=beta, **others), gear(37, grid, helix_angle=-beta, **others)


def modified(one: ElasticGear, *changes: object, **others: object) -> ElasticGear:
    """The same with modifications on both flanks."""
    return one.with_teeth(pl.Teeth(one.teeth.gear, both=list(changes), **others))  # type: ignore[arg-type]


def on_springs(one: ElasticGear, compliance: float) -> ElasticGear:
    """The gear with a Winkler foundation for a body: `compliance` [m²/N] per line load, slices for themselves."""
    known = {}
    for side in ("left", "right"):
        body = body_compliance(one, side)
        lines, hats = len(body.zeta), body.hats
        own = np.zeros((hats, lines, hats, lines))
        for j in range(lines):
            own[:, j, :, j] = body.local[j] + compliance / body.widths[j]
        whole = np.zeros_like(one.compliance[side, side])
        whole[len(whole) // 2] = own.reshape(hats * lines, hats * lines)
        known[side, side] = whole
    return replace(one, compliance=known)
