"""Epicyclic trains that tests share."""

from typing import Any

import pitchline as pl

MODULE = 2e-3


def gear(teeth: int, **options: Any) -> pl.Gear:
    return pl.Gear(teeth=teeth, normal_module=MODULE, face_width="20 mm", **options)


def ring_gear(teeth: int, **options: Any) -> pl.Gear:
    """Tips shortened, or they would meet the fillets of the planets."""
    return gear(teeth, internal=True, addendum_factor=0.8, rim_diameter=(teeth + 20) * MODULE, **options)


TRAINS: dict[str, dict[str, Any]] = {
    "simple": {"sun": gear(24), "planet": gear(36), "ring": ring_gear(96)},
    "stepped": {"sun": gear(40), "planet": (gear(20), gear(32)), "ring": ring_gear(92), "arrangement": "stepped"},
    "meshed": {"sun": gear(30), "planet": (gear(21), gear(22)), "ring": ring_gear(96), "arrangement": "meshed"},
}
CARRIER: dict[str, Any] = {"carrier": (3.0, (0.02, 0.02, 0.03))}
