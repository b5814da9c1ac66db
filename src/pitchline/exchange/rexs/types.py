"""Types of components by the newest version: old types whose new name depends on the gear."""

from __future__ import annotations

from .document import RexsDocument

__all__ = ["settle_types"]

_FAMILY = {
    "cylindrical_gear": "cylindrical", "ring_gear": "cylindrical", "bevel_gear": "bevel", "worm_gear": "worm",
    "worm_wheel": "worm",
}  # fmt: skip
_FLANKS = {
    "cylindrical_gear": "cylindrical_gear_flank", "ring_gear": "cylindrical_gear_flank", "bevel_gear": "bevel_gear_flank",
    "worm_gear": "worm_gear_flank", "worm_wheel": "worm_gear_flank",
}  # fmt: skip


def settle_types(document: RexsDocument) -> None:
    """Set new types of flank_geometry and stage_gear_data by the gear in their relation; types of load cases by the document."""
    components = document.components
    for relation in document.relations:
        gear = components.get(relation.role("gear") or -1)
        if gear is None:
            continue
        for ref in relation.refs:
            part = components.get(ref.id)
            if part is not None and part.type == "flank_geometry":
                part.new_type = _FLANKS.get(gear.type, part.new_type)
            if part is not None and part.type == "stage_gear_data" and gear.type in _FAMILY:
                part.new_type = f"{_FAMILY[gear.type]}_stage_gear_data"
    for spectrum in document.spectra:
        for group in (*(case.components for case in spectrum.cases), spectrum.accumulation):
            for number, component in group.items():
                base = components.get(number)
                if base is not None:
                    component.type = component.type or base.type
                    component.new_type = base.new_type
