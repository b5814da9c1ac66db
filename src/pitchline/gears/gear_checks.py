"""Checks of the data of one gear."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from ..errors import ModelError, Subject, shown
from .gear_body import GearBody
from .inputs import in_deg, in_mm, positive, size
from .modifications import DeviationGrid, FlankModifications, Modification
from .tool import Hob, Shaper
from .words import modification_words

if TYPE_CHECKING:
    from .gear import Gear
    from .rack import Rack
    from .surfaces.flank_surfaces import FlankSurfaces

__all__ = ["check_body", "check_combination", "check_teeth", "read_body", "read_flanks", "read_tool"]


def read_flanks(value: object, gear: Gear | Rack) -> FlankSurfaces | None:
    """Imported flanks of a gear or rack whose other data are complete."""
    if value is None:
        return None
    from .surfaces.importing import check_flanks  # it needs gears

    try:
        return check_flanks(gear, value)
    except ModelError as error:
        what = Subject("gear" if hasattr(gear, "internal") else "rack")
        raise ModelError(str(error), about=what.at("flanks")) from None


def check_combination(gear: Gear, what: Subject) -> None:
    """Internal, bevel, conical wheels and worms exclude each other."""
    if gear.internal and gear.cone_angle:
        raise ModelError(
            "gear: internal bevel gears are not supported (internal=True, cone_angle "
            f"{in_deg(gear.cone_angle)}). Leave one of them out",
            about=what.at("internal"),
        )
    if gear.worm and (gear.internal or gear.cone_angle):
        raise ModelError(
            "gear: a worm is an external cylindrical gear. Leave out internal and cone_angle, or worm",
            about=what.at("internal" if gear.internal else "cone_angle"),
        )
    if gear.worm and not gear.helix_angle:
        raise ModelError("gear: a worm requires a lead_angle (or helix_angle), such as lead_angle='5 deg'", about=what)
    if gear.profile_shift_angle and (gear.internal or gear.worm or gear.cone_angle):
        other = "internal" if gear.internal else "worm" if gear.worm else "cone_angle"
        raise ModelError(
            f"gear: a conical involute gear (profile_shift_angle {in_deg(gear.profile_shift_angle)}) is an external gear cut "
            f"by a tilted rack. Leave out {other}, or profile_shift_angle",
            about=what.at("profile_shift_angle"),
        )


def check_teeth(gear: Gear, what: Subject) -> None:
    """Teeth have a depth and a thickness, and modifications are those of teeth that exist."""
    if gear.tooth_depth <= 0.0:
        raise ModelError(
            f"gear: the tip ({in_mm(gear.tip_diameter)}) is not outside the root "
            f"({in_mm(gear.root_diameter)}); check addendum_factor, dedendum_factor, tip_alteration",
            about=what,
        )
    smallest = gear.tip_diameter if gear.internal else gear.root_diameter
    if smallest <= 0.0:
        raise ModelError(
            f"gear: with {gear.teeth} teeth of {in_mm(gear.normal_module)} there is no material inside the teeth "
            f"(diameter {in_mm(smallest)}). Use more teeth, a larger helix angle or shorter teeth",
            about=what.at("teeth"),
        )
    if gear.normal_tooth_thickness <= 0.0:
        raise ModelError(
            f"gear: the tooth thickness is not positive: thickness {in_mm(gear.normal_tooth_thickness)} on the "
            "reference circle with "
            f"profile_shift {gear.profile_shift:g} and backlash_allowance {in_mm(gear.backlash_allowance)}; "
            "reduce them",
            about=what.at("profile_shift"),
        )
    if gear.normal_tooth_thickness >= gear.normal_pitch:
        raise ModelError(
            f"gear: there is no space between the teeth: thickness {in_mm(gear.normal_tooth_thickness)}, pitch "
            f"{in_mm(gear.normal_pitch)}; reduce profile_shift {gear.profile_shift:g}",
            about=what.at("profile_shift"),
        )
    _check_modifications(gear, what)
    # The flanks of a helical conical gear differ; `Teeth` finds where they meet.
    if math.cos(gear.cone_angle) > 1e-9 and not (gear.profile_shift_angle and gear.helix_angle):
        form = gear.equivalent_cylinder
        if not form.internal and form.tip_diameter > form.pointed_diameter * (1.0 + 1e-12):
            shorter = 0.5 * (form.pointed_diameter - form.tip_diameter) / gear.normal_module
            raise ModelError(
                f"gear: the teeth become pointed at the diameter {in_mm(form.pointed_diameter)}, below the tip "
                f"diameter {in_mm(form.tip_diameter)}. Shorten them with "
                f"tip_alteration={gear.tip_alteration + shorter:.3f} or less, or reduce the profile shift",
                about=what.at("tip_alteration"),
            )


def _check_modifications(gear: Gear, what: Subject) -> None:
    given = gear.modifications
    if not given:
        return
    if gear.cone_angle:
        raise ModelError(
            f"gear: the flanks of a bevel wheel (cone angle {in_deg(gear.cone_angle)}) cannot be modified. Leave out "
            "modifications, or specify profile_shift_angle instead of cone_angle for a conical involute gear",
            about=what.at("modifications"),
        )
    if given.last_tooth >= gear.teeth:
        raise ModelError(
            f"gear: modifications: per_tooth, tooth {given.last_tooth}: the gear has the teeth 0 to {gear.teeth - 1}",
            about=what.at("modifications", "per_tooth"),
        )
    for part in (*given.both, *given.left, *given.right, *(part for _, parts in given.per_tooth for part in parts)):
        if (reaches := _largest(part)) > gear.normal_module:
            raise ModelError(
                f"gear: modifications: {modification_words(FlankModifications(part))}: it is up to {in_mm(reaches)}, more than "
                f'the normal module ({in_mm(gear.normal_module)}). Numbers without a unit are metres. Write it as "20 um"',
                about=what.at("modifications"),
            )


def _largest(part: Modification) -> float:
    """Deviation [m]; 0 if the modification does not define it."""
    if isinstance(part, DeviationGrid):
        return float(abs(part.values).max())
    return abs(float(getattr(part, "amount", 0.0)))


def check_body(gear: Gear, what: Subject) -> None:
    """Bore, hub, web and rim fit below the teeth."""
    if gear.internal:
        if gear.bore:
            raise ModelError(
                "gear: an internal gear has no bore. Specify its outer diameter as rim_diameter", about=what.at("bore")
            )
        if gear.rim_diameter is not None and gear.rim_diameter <= gear.root_diameter:
            raise ModelError(
                f"gear: rim_diameter ({in_mm(gear.rim_diameter)}) must be greater than the root diameter "
                f"({in_mm(gear.root_diameter)})",
                about=what.at("rim_diameter"),
            )
        if gear.body.has_web:
            raise ModelError(
                "gear: rim_thickness, web_thickness and hub_diameter are for external gears. Specify rim_diameter",
                about=what.at("body"),
            )
        return
    if gear.rim_diameter is not None:
        raise ModelError(
            "gear: rim_diameter is for internal gears. Leave it out, or specify bore", about=what.at("rim_diameter")
        )
    if gear.bore >= gear.root_diameter:
        raise ModelError(
            f"gear: the bore ({in_mm(gear.bore)}) must be smaller than the root diameter ({in_mm(gear.root_diameter)})",
            about=what.at("bore"),
        )
    if gear.cone_angle and gear.face_width is not None:
        toe = gear.reference_diameter - gear.face_width * abs(math.sin(gear.cone_angle))
        if toe <= gear.bore:
            raise ModelError(
                f"gear: the teeth of {in_mm(gear.face_width)} face width reach inside "
                f"{'the bore' if gear.bore else 'the apex'}: pitch diameter {in_mm(toe)} at their inner end; "
                "reduce face_width",
                about=what.at("face_width"),
            )
    if gear.body.has_web:
        _check_web(gear, gear.body, what)


def _check_web(gear: Gear, body: GearBody, what: Subject) -> None:
    assert body.web_thickness is not None and body.rim_thickness is not None
    if gear.cone_angle:
        raise ModelError(
            f"gear: a bevel wheel (cone angle {in_deg(gear.cone_angle)}) cannot have a web. Leave out rim_thickness, "
            "web_thickness and hub_diameter, and specify mass and inertia of the body",
            about=what.at("body"),
        )
    if gear.face_width is not None and body.web_thickness >= gear.face_width:
        raise ModelError(
            f"gear: web_thickness {in_mm(body.web_thickness)} must be less than the face width {in_mm(gear.face_width)}; "
            "leave out rim_thickness and web_thickness for a solid body",
            about=what.at("body"),
        )
    hub = body.bore if body.hub_diameter is None else body.hub_diameter
    if hub < body.bore:
        raise ModelError(
            f"gear: hub_diameter {in_mm(hub)} must not be smaller than the bore {in_mm(body.bore)}",
            about=what.at("body"),
        )
    if gear.inside_of_rim <= hub:
        raise ModelError(
            f"gear: rim_thickness {in_mm(body.rim_thickness)} leaves no web between the rim (inside diameter "
            f"{in_mm(gear.inside_of_rim)}) and the hub or bore ({in_mm(hub)}); reduce it, or leave the web out",
            about=what.at("body"),
        )


def read_tool(tool: object, gear: Gear, what: Subject) -> Hob | Shaper | None:
    """Return the tool if it can cut the teeth; None for a tool without data."""
    if tool is None:
        return None
    if not isinstance(tool, (Hob, Shaper)):
        raise ModelError(f"{what}: tool must be a Hob or a Shaper, got {shown(tool)}", about=what.at("tool"))
    if gear.cone_angle:
        raise ModelError(
            f"{what}: the teeth of bevel wheels (cone angle {in_deg(gear.cone_angle)}) do not depend on a tool. Leave it "
            "out",
            about=what.at("tool"),
        )
    if isinstance(tool, Shaper) != gear.internal:
        raise ModelError(
            f"{what}: internal teeth are cut by a Shaper, external ones by a Hob; got {shown(tool)} for "
            f"{'internal' if gear.internal else 'external'} teeth",
            about=what.at("tool"),
        )
    return None if tool in (Hob(), Shaper()) else tool


def read_body(body: object, bore: object, rim_diameter: object, what: Subject) -> GearBody:
    """Return the body with bore and rim_diameter. If both specify a value, the values must agree."""
    if body is not None and not isinstance(body, GearBody):
        raise ModelError(
            f'{what}: body must be a GearBody, such as GearBody(bore="30 mm"), got {shown(body)}', about=what.at("body")
        )
    known = GearBody() if body is None else body
    said: dict[str, float] = {}
    if bore is not None:
        said["bore"] = size(bore, "length", what / "bore")
    if rim_diameter is not None:
        said["rim_diameter"] = positive(rim_diameter, "length", what / "rim_diameter")
    for name, value in said.items():
        other = getattr(known, name)
        if body is not None and other and other != value:
            raise ModelError(
                f"{what}: {name} is {in_mm(value)}, and {in_mm(other)} in the body. Specify it once",
                about=what.at(name),
            )
    return known.with_(**said) if said else known
