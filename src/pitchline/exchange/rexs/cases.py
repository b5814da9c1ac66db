"""Load cases of a REXS document: their loads and speeds, and what else they change."""

from __future__ import annotations

from dataclasses import dataclass, field

from ...errors import shown
from ..limits import ExchangeError
from .document import RexsDocument
from .renames import new_name

__all__ = ["MOST_CASES", "CaseData", "chosen_case", "load_cases"]

MOST_CASES = 500
LOADS = {
    "force_u_direction": "force", "force_v_direction": "force", "force_w_direction": "force",
    "torque_around_u_axis": "torque", "torque_around_v_axis": "torque", "torque_around_w_axis": "torque",
    "torque_around_the_v_axis": "torque", "torque_around_the_w_axis": "torque", "power": "torque",
}  # fmt: skip
_STRUCTURE = {
    "is_engaged", "gear_shift_index", "defines_torque", "transmits_torque", "defines_speed", "account_for_gravity",
    "gravitational_acceleration", "direction_vector_gravity_u", "direction_vector_gravity_v", "direction_vector_gravity_w",
    "radial_stiffness", "axial_stiffness", "bending_stiffness", "rotational_stiffness", "radial_force_absorption",
    "axial_force_absorption", "operating_radial_bearing_clearance", "preload_force", "mass_of_component", "center_distance",
    "support_vector", "u_axis_vector", "w_axis_vector", "u_coordinate_on_shaft", "number_of_teeth", "normal_module",
    "mesh_stiffness_for_load_distribution_along_face_width", "elastic_modulus", "density", "minimum_normal_backlash",
    "maximum_normal_backlash",
}  # fmt: skip
"""Attributes with an effect on the model that are not a load or a speed."""


@dataclass
class CaseData:
    """One load case.

    name:     of its analysis
    share:    of the operating time, or None
    document: with the values of the case
    changes:  attributes with an effect on the model that are not loads or speeds
    """

    spectrum: int
    case: int
    name: str
    share: float | None
    document: RexsDocument
    changes: list[str] = field(default_factory=list)


def load_cases(document: RexsDocument) -> list[CaseData]:
    """Load cases of a document, at most MOST_CASES."""
    found: list[CaseData] = []
    several = len(document.spectra) > 1
    for spectrum in document.spectra:
        for one in spectrum.cases:
            if len(found) >= MOST_CASES:
                return found
            merged = document.with_case(spectrum.id, one.id)
            unit = next(iter(merged.of_type("gear_unit")), None)
            share = None if unit is None else unit.number("operating_time_fraction")
            name = f"case_{spectrum.id}_{one.id}" if several else f"case_{one.id}"
            name = next(
                text for text in (name, *(f"{name}_{n}" for n in range(2, 9999))) if all(text != x.name for x in found)
            )
            found.append(CaseData(spectrum.id, one.id, name, share, merged, _changes(document, merged, one.components)))
    return found


def _changes(document: RexsDocument, merged: RexsDocument, components: object) -> list[str]:
    changed = []
    assert isinstance(components, dict)
    for number, component in components.items():
        base = document.components.get(number)
        for name, attribute in component.attributes.items():
            newest = new_name(component.new_type, name)
            if newest not in _STRUCTURE and not newest.startswith("operating_point_stiffness"):
                continue
            before = None if base is None else base.find(newest)
            if before is None or before.text != attribute.text or before.unit != attribute.unit:
                label = component.label if base is None else base.label
                changed.append(f"{name} of {label}")
    return changed


def kinds_of_loads(cases: list[CaseData], document: RexsDocument) -> dict[int, set[str]]:
    """ "force" and "torque" of each load that is not zero in some load case, by its id."""
    found: dict[int, set[str]] = {}
    for one in (document, *(case.document for case in cases)):
        for load in one.of_type("external_load"):
            for key, kind in LOADS.items():
                value = load.number(key)
                if value:
                    found.setdefault(load.id, set()).add(kind)
    return found


def chosen_case(document: RexsDocument, load_case: object) -> tuple[int, int] | None:
    """Spectrum and case for the option load_case: a number, a text such as "2" or "1/2", a pair, or None.

    None: the values without a load case; if these contain no load and no speed, the first load case.
    """
    if load_case is None:
        return None if _has_loads(document) or not any(one.cases for one in document.spectra) else _first(document)
    wanted = _numbers(load_case)
    known = [(spectrum.id, case.id) for spectrum in document.spectra for case in spectrum.cases]
    found = [pair for pair in known if pair == wanted or (len(wanted) == 1 and pair[1] == wanted[0])]
    if len(found) == 1:
        return found[0]
    texts = ", ".join(f"{a}/{b}" if len(document.spectra) > 1 else f"{b}" for a, b in known[:20]) or "none"
    text = "/".join(str(number) for number in wanted)
    if found:
        raise ExchangeError(
            f'{document.name}: load case {text} is in several load spectra. Specify "SPECTRUM/CASE": {texts}'
        )
    raise ExchangeError(f"{document.name}: there is no load case {text}. Load cases of the file: {texts}")


def _first(document: RexsDocument) -> tuple[int, int]:
    spectrum = next(one for one in document.spectra if one.cases)
    return spectrum.id, spectrum.cases[0].id


def _has_loads(document: RexsDocument) -> bool:
    for one in document.components.values():
        if one.new_type == "external_load" and any(one.number(key) for key in LOADS):
            return True
        if one.new_type == "shaft" and one.number("rotational_speed"):
            return True
    return False


def _numbers(load_case: object) -> tuple[int, ...]:
    items: list[object]
    if isinstance(load_case, str):
        items = list(load_case.split("/"))
    else:
        items = list(load_case) if isinstance(load_case, (tuple, list)) else [load_case]
    try:
        if not 1 <= len(items) <= 2 or any(isinstance(item, (bool, float)) for item in items):
            raise ValueError
        return tuple(int(item) for item in items)  # type: ignore[call-overload]
    except (ValueError, TypeError):
        raise ExchangeError(f'load_case must be a number, or "SPECTRUM/CASE", got {shown(load_case)}') from None
