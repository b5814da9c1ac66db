"""The grid of one tooth of any gear, for teeth that are surfaces.

Where the flanks are close to those of the nominal gear, its grid is taken, with the nodes of the flanks moved onto the surfaces.
It has the fillets of the nominal teeth and the body of the gear. All others are divided by their flank surfaces
(`sector_patches`).
"""

from __future__ import annotations

import math

from ..arguments import names_wrong_arguments
from ..errors import ModelError, shown
from ..gears.gear import Gear
from ..gears.inputs import in_mm, positive
from ..gears.rack import Rack
from ..gears.surfaces import SurfaceTeeth
from ..gears.teeth import BevelTeeth, Teeth
from .charts import chart_of
from .grid_quality import grid_quality
from .moved_grid import flank_deviation, moved_grid
from .sector_bevel import bevel_sector_grid, inner_cone
from .sector_grid import sector_grid
from .sector_options import Fineness
from .sector_patches import patch_sector
from .sector_rack import rack_sector_grid
from .steep_teeth import WAYS_OUT, is_steep
from .tooth_sector import FlankedGrid, ToothSector

__all__ = ["surface_sector_grid"]

_CLOSE = 0.25
"""Distance of flanks from those of the nominal gear, by the normal module, up to which its grid is moved ..."""
_EQUAL = 1e-3
"""... and up to which it is taken as it is: modifications of micrometres do not change elasticity."""
_OF_BODY = {
    "cylinder": ("bore", "rim_diameter", "rim_thickness", "web_thickness", "hub_diameter"),
    "bevel": ("rim_thickness",),
    "rack": ("depth",),
}


@names_wrong_arguments
def surface_sector_grid(
    teeth: SurfaceTeeth,
    *,
    order: object = 2,
    flank_edge: object = None,
    flank_depth: object = None,
    size: object = None,
    face_elements: object = None,
    flank_elements: object = None,
    fillet_elements: object = None,
    root_elements: object = None,
    across_elements: object = None,
    body_elements: object = None,
    bore: object = None,
    rim_diameter: object = None,
    rim_thickness: object = None,
    web_thickness: object = None,
    hub_diameter: object = None,
    depth: object = None,
) -> ToothSector:
    """A grid of hexahedra of tooth 0 of teeth of any shape and the body below it; see `sector_grid` for the options.

    Parameters
    ----------
    teeth
        Their nominal gear is a cylindrical gear, a bevel gear or a rack.
    bore, rim_diameter, rim_thickness, web_thickness, hub_diameter
        Of cylindrical gears, as in `sector_grid`. Of bevel gears rim_thickness, see `bevel_sector_grid`.
    depth
        Of racks: height of the body below the reference line [m].
    """
    if not isinstance(teeth, SurfaceTeeth):
        raise ModelError(f"surface sector grid: expected SurfaceTeeth, got {shown(teeth)}")
    gear = teeth.gear
    kind = "rack" if isinstance(gear, Rack) else "bevel" if gear.cone_angle else "cylinder"
    given = {
        "bore": bore,
        "rim_diameter": rim_diameter,
        "rim_thickness": rim_thickness,
        "web_thickness": web_thickness,
        "hub_diameter": hub_diameter,
        "depth": depth,
    }
    for name, value in given.items():
        if value is not None and name not in _OF_BODY[kind]:
            raise ModelError(
                f"surface sector grid: {name} does not apply to a {_NAMES[kind]}; its body has {', '.join(_OF_BODY[kind])}"
            )
    fineness = {
        "order": order,
        "flank_edge": flank_edge,
        "flank_depth": flank_depth,
        "size": size,
        "face_elements": face_elements,
        "flank_elements": flank_elements,
        "fillet_elements": fillet_elements,
        "root_elements": root_elements,
        "across_elements": across_elements,
        "body_elements": body_elements,
    }
    body = {name: given[name] for name in _OF_BODY[kind]}
    nominal = _nominal(gear, fineness, body)
    if nominal is not None:
        found = _close_to(nominal, teeth)
        if found is not None:
            return found
    root, inner = _radii(gear, body)
    return patch_sector(teeth, Fineness(**fineness), root=root, inner=inner)


_NAMES = {"rack": "rack", "bevel": "bevel gear", "cylinder": "cylindrical gear"}


def _nominal(gear: Gear | Rack, fineness: dict[str, object], body: dict[str, object]) -> FlankedGrid | None:
    """The grid of the nominal gear; None where it has no teeth of its own."""
    if isinstance(gear, Rack):
        return rack_sector_grid(gear, **fineness, **body)
    plain = gear.with_(modifications=None, flanks=None)
    if not gear.cone_angle:
        if is_steep(gear):
            return None
        try:
            teeth = Teeth(plain)
        except ModelError:
            return None
        return sector_grid(teeth, **fineness, **body)
    if gear.helix_angle:
        return None
    try:
        bevel = BevelTeeth(plain)
    except ModelError:
        return None
    return bevel_sector_grid(bevel, **fineness, **body)


def _close_to(nominal: FlankedGrid, teeth: SurfaceTeeth) -> ToothSector | None:
    """The nominal grid on the surfaces of the teeth, if they are close to it."""
    deviation = flank_deviation(teeth, nominal)
    module = teeth.gear.normal_module
    if deviation.largest > _CLOSE * module or deviation.outside > _EQUAL * module:
        return None
    if deviation.largest <= _EQUAL * module:
        found = ToothSector.of(teeth, nominal)
    else:
        found = ToothSector.of(teeth, nominal, moved_grid(nominal, deviation.shifts))
        if not grid_quality(found.solid).valid:
            return None
    try:  # a surface that reaches beyond the nominal flank, over the tip or into the fillet, has hats without elements
        for side in found.flanks:
            found.hats(side)
    except ModelError:
        return None
    return found


def _radii(gear: Gear | Rack, body: dict[str, object]) -> tuple[float, float]:
    """Radii of root and end of the body in the section [m]."""
    chart = chart_of(gear)
    if isinstance(gear, Rack):
        given = body["depth"]
        back = positive(given, "length", "surface sector grid: depth") if given is not None else gear.depth
        if back is None:
            back = gear.dedendum + 3.0 * gear.normal_module
        return chart.radius(-gear.dedendum), chart.radius(-back)
    if gear.cone_angle:
        root = abs(gear.cone_angle) - math.atan(gear.dedendum / gear.mean_cone_distance)
        return chart.radius(root), chart.radius(inner_cone(gear, root, body["rim_thickness"]))
    for name in ("rim_diameter", "rim_thickness", "web_thickness", "hub_diameter"):
        if body[name] is not None or (name != "rim_diameter" and getattr(gear.body, name) is not None):
            raise ModelError(f"elastic gear: {name} is only for flanks close to those of the nominal gear. {WAYS_OUT}")
    hole = gear.bore if body["bore"] is None else positive(body["bore"], "length", "surface sector grid: bore")
    if not hole:
        raise ModelError(
            "surface sector grid: the gear has no bore, but hexahedra cannot end at an axis. Specify bore, here or for the "
            f"gear, such as the diameter of its shaft ({in_mm(0.2 * gear.root_diameter)})"
        )
    return 0.5 * gear.root_diameter, 0.5 * hole
