"""The teeth and hats of an elastic gear in its file: involutes on cylindrical gears, or surfaces on any gear or rack.

Of involutes the gear is enough. Of surfaces the file contains the control points and knots of both patches. Surfaces of single
teeth are not kept, as modifications are not.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields, replace
from typing import Any

import numpy as np

from ..gears.gear import Gear
from ..gears.gear_body import GearBody
from ..gears.material import Material
from ..gears.rack import Rack
from ..gears.surfaces import FlankPatch, SurfaceTeeth
from ..gears.surfaces.flank_surfaces import FlankSurfaces
from ..gears.teeth import Teeth
from ..gears.tool import Hob, Shaper
from .flank_grid import FlankGrid
from .surface_grid import SurfaceGrid, surface_grid

__all__ = ["check_flanks", "flank_arrays", "plain", "read_flanks", "read_teeth", "teeth_head"]

_PARTS = ("material", "body", "tool", "modifications", "flanks")
"""Of a gear, written apart; modifications play no part in its elasticity and are not kept."""
_OF_PATCH = ("control", "knots_u", "knots_v")

Arrays = dict[str, np.ndarray]


def plain(part: Material | GearBody | Hob | Shaper) -> dict[str, Any]:
    """All fields by name."""
    return {item.name: getattr(part, item.name) for item in fields(part)}


# --- writing -----------------------------------------------------------------------------------------


def teeth_head(teeth: Teeth | SurfaceTeeth) -> dict[str, Any]:
    """What describes the teeth, apart from arrays."""
    gear = teeth.gear
    found: dict[str, Any] = {"gear_material": plain(gear.material)}
    if isinstance(gear, Rack):
        found["rack"] = {item.name: getattr(gear, item.name) for item in fields(Rack) if item.name not in _PARTS}
    else:
        found["gear"] = {item.name: getattr(gear, item.name) for item in fields(Gear) if item.name not in _PARTS}
        found |= {"gear_body": plain(gear.body), "gear_tool": _tool(teeth)}
    if isinstance(teeth, SurfaceTeeth):
        patches = {"left": teeth.left, "right": teeth.right}
        found["imported"] = gear.flanks is not None
        found["surfaces"] = {side: {"facing": p.facing, "error": p.error} for side, p in patches.items()}
    return found


def flank_arrays(teeth: Teeth | SurfaceTeeth, grids: Mapping[str, FlankGrid] | Mapping[str, SurfaceGrid]) -> Arrays:
    """Hats, and the patches of surfaces."""
    data: Arrays = {}
    for side, grid in grids.items():
        if isinstance(grid, FlankGrid):
            data |= {f"{side}/lengths": grid.lengths, f"{side}/zeta": grid.zeta, f"{side}/areas": grid.areas}
            continue
        data[f"{side}/areas"] = grid.areas.reshape(grid.shape)
    if isinstance(teeth, SurfaceTeeth):
        for side, patch in (("left", teeth.left), ("right", teeth.right)):
            data |= {f"{side}/{name}": getattr(patch, name) for name in _OF_PATCH}
    return data


def _tool(teeth: Teeth | SurfaceTeeth) -> dict[str, Any] | None:
    """What cuts the same teeth, to the bit: a shaper is written as it was found."""
    if isinstance(teeth, Teeth) and teeth.cutter is not None:
        return {"teeth": teeth.cutter.teeth, "tip_rounding": teeth.cutter.tip_rounding}
    gear = teeth.gear
    return None if isinstance(gear, Rack) or gear.tool is None else plain(gear.tool)


# --- reading -----------------------------------------------------------------------------------------


def check_flanks(data: Arrays, side: str, need: Any) -> int:
    """Number of hats of a side; `need` is called with whether an array fits, and its name."""
    areas = data[f"{side}/areas"]
    if f"{side}/control" not in data:
        lengths = data[f"{side}/lengths"]
        need(lengths.ndim == 2 and min(lengths.shape) > 1, f"{side}/lengths")
        need(data[f"{side}/zeta"].shape == lengths.shape[1:], f"{side}/zeta")
        need(areas.shape == (lengths.size,), f"{side}/areas")
        return int(lengths.size)
    need(areas.ndim == 2 and min(areas.shape) > 1, f"{side}/areas")
    control = data[f"{side}/control"]
    need(control.ndim == 3 and control.shape[2] == 3 and min(control.shape[:2]) > 1, f"{side}/control")
    for name, count in zip(_OF_PATCH[1:], control.shape[:2], strict=True):
        knots = data[f"{side}/{name}"]
        fits = knots.ndim == 1 and count + 2 <= len(knots) <= min(2 * count, count + 6)
        need(fits and bool(np.all(np.diff(knots) >= 0.0)) and knots[0] == 0.0 and knots[-1] == 1.0, f"{side}/{name}")
    return int(areas.size)


def read_teeth(head: dict[str, Any], data: Arrays) -> Teeth | SurfaceTeeth:
    """The teeth of a file."""
    material = Material(**head["gear_material"])
    gear: Gear | Rack
    if "rack" in head:
        gear = Rack(**head["rack"], material=material)
    else:
        tool = head["gear_tool"]
        gear = Gear(
            **head["gear"],
            material=material,
            body=GearBody(**head["gear_body"]),
            tool=None if tool is None else (Shaper if head["gear"]["internal"] else Hob)(**tool),
        )
    if "surfaces" not in head and isinstance(gear, Gear):
        return Teeth(gear)
    patches = {
        side: FlankPatch(*(data[f"{side}/{name}"] for name in _OF_PATCH), facing=of["facing"], error=of["error"])
        for side, of in head["surfaces"].items()
    }
    if not head["imported"]:
        return SurfaceTeeth(gear, patches["left"], patches["right"])
    flanks = FlankSurfaces(patches["left"], patches["right"])
    return SurfaceTeeth.of(
        replace(gear, flanks=flanks) if isinstance(gear, Rack) else gear.with_(flanks=flanks), flanks
    )


def read_flanks(
    teeth: Teeth | SurfaceTeeth, data: Arrays, sides: tuple[str, ...]
) -> dict[str, FlankGrid] | dict[str, SurfaceGrid]:
    """The hats of a file."""
    if isinstance(teeth, Teeth):
        return {side: FlankGrid(*(data[f"{side}/{name}"] for name in ("lengths", "zeta", "areas"))) for side in sides}
    grids = {}
    for side in sides:
        areas = data[f"{side}/areas"]
        grids[side] = replace(surface_grid(teeth.flank(side), *areas.shape), areas=areas.ravel())
    return grids
