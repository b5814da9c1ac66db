"""Data sheet of a gear or a pair: table of symbol, name, value and unit."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from ..arguments import names_wrong_arguments
from ..errors import ModelError
from .gear import Gear
from .pair import GearPair
from .rack import Rack
from .words import part_words

__all__ = ["DataSheet", "Row", "data_sheet", "data_sheet_text"]


@dataclass(frozen=True)
class Row:
    """One quantity: its symbol in ISO 21771, its name in pitchline, its value in SI and the unit of that value."""

    symbol: str
    name: str
    value: float
    unit: str


class DataSheet(tuple[Row, ...]):
    """Rows of a data sheet. The printed table has lengths in mm and angles in degrees.

    `words`: descriptions of modifications, tool, body and material of a gear, by name.
    """

    heading: str
    words: dict[str, str]

    def __new__(cls, rows: Iterable[Row], heading: str = "", words: Mapping[str, str] | None = None) -> DataSheet:
        """Of rows."""
        made = super().__new__(cls, rows)
        made.heading, made.words = heading, dict(words or {})
        return made

    def __str__(self) -> str:
        lines = [self.heading] if self.heading else []
        for row in self:
            scale, unit = {"m": (1e3, "mm"), "rad": (180.0 / math.pi, "deg")}.get(row.unit, (1.0, row.unit))
            lines.append(f"{row.symbol:>6}  {row.name.replace('_', ' '):<36}{scale * row.value:>14.6g} {unit}".rstrip())
        lines += [f"{'':>6}  {name}: {text}" for name, text in self.words.items()]
        return "\n".join(lines)

    __repr__ = __str__


# Symbol, attribute, unit. What does not apply to a gear (no face width given, no base circle on a bevel) is left out.
_WHEEL = (
    ("z", "teeth", ""),
    ("m_n", "normal_module", "m"),
    ("α_n", "normal_pressure_angle", "rad"),
    ("β", "helix_angle", "rad"),
    ("δ", "cone_angle", "rad"),
    ("θ", "profile_shift_angle", "rad"),
    ("x", "profile_shift", ""),
    ("b", "face_width", "m"),
    ("m_t", "transverse_module", "m"),
    ("α_t", "transverse_pressure_angle", "rad"),
    ("β_b", "base_helix_angle", "rad"),
    ("p_t", "transverse_pitch", "m"),
    ("p_bt", "transverse_base_pitch", "m"),
    ("d", "reference_diameter", "m"),
    ("d_b", "base_diameter", "m"),
    ("d_a", "tip_diameter", "m"),
    ("d_f", "root_diameter", "m"),
    ("d_Ff", "root_form_diameter", "m"),
    ("R_m", "mean_cone_distance", "m"),
    ("s_n", "normal_tooth_thickness", "m"),
    ("s_an", "tip_thickness", "m"),
    ("x_min", "minimum_profile_shift", ""),
)
_WHERE_NOT_ZERO = ("profile_shift_angle",)
_PAIR = (
    ("a", "centre_distance", "m"),
    ("a_d", "reference_centre_distance", "m"),
    ("Σ", "shaft_angle", "rad"),
    ("α_wt", "transverse_working_pressure_angle", "rad"),
    ("α_wn", "normal_working_pressure_angle", "rad"),
    ("ε_α", "transverse_contact_ratio", ""),
    ("ε_β", "overlap_ratio", ""),
    ("ε_γ", "total_contact_ratio", ""),
    ("j_wn", "backlash", "m"),
    ("j_wt", "circumferential_backlash", "m"),
    ("j_bn", "normal_backlash", "m"),
)


def data_sheet(item: Gear | Rack | GearPair) -> DataSheet:
    """All quantities of a wheel, a rack or a pair that apply to it and are finite."""
    rows = []
    for symbol, name, unit in _PAIR if isinstance(item, GearPair) else _WHEEL:
        try:
            value = getattr(item, name, None)
        except ModelError:
            continue
        if value is not None and math.isfinite(value) and (value or name not in _WHERE_NOT_ZERO):
            rows.append(Row(symbol, name, float(value), unit))
    heading = f"{item.kind} pair" if isinstance(item, GearPair) else ""
    return DataSheet(rows, heading, part_words(item) if isinstance(item, Gear) else None)


@names_wrong_arguments
def data_sheet_text(item: Gear | Rack | GearPair) -> str:
    """The data sheet as lines of text, lengths in mm and angles in degrees."""
    return str(data_sheet(item))
