"""Colours of parts: "#RRGGBB", "#RRGGBBAA" of parts that are seen through, or one of some names."""

from __future__ import annotations

import re
from typing import Any

from ..errors import ModelError, Subject, near_names, shown

__all__ = ["COLOURS", "described_colour", "read_colour"]

COLOURS = {
    "black": "#000000", "white": "#FFFFFF", "grey": "#808080", "gray": "#808080", "lightgrey": "#D3D3D3", "lightgray": "#D3D3D3",
    "darkgrey": "#555555", "darkgray": "#555555", "silver": "#C0C0C0", "red": "#D62728", "darkred": "#8B0000", "orange": "#E69F00",
    "gold": "#D4AF37", "yellow": "#F0E442", "olive": "#808000", "green": "#2CA02C", "darkgreen": "#006400", "lime": "#7FD13B",
    "teal": "#009E73", "cyan": "#56B4E9", "lightblue": "#ADD8E6", "blue": "#0072B2", "darkblue": "#00308F", "navy": "#000080",
    "purple": "#7B4FA3", "magenta": "#CC79A7", "pink": "#F4A6C0", "brown": "#8C564B", "beige": "#E8DCC0",
    "steel": "#8A949E", "iron": "#5B6066", "aluminium": "#C8CDD2", "brass": "#C9A94A", "bronze": "#A9743A", "copper": "#B87346",
}  # fmt: skip
_HEX = re.compile(r"#([0-9a-fA-F]{3}|[0-9a-fA-F]{6}|[0-9a-fA-F]{8})")


def read_colour(value: object, what: Subject) -> str:
    """A colour as "#RRGGBB", or "#RRGGBBAA" where it is not opaque."""
    if isinstance(value, str):
        word = value.strip()
        if _HEX.fullmatch(word):
            digits = (word[1:] if len(word) > 4 else "".join(2 * digit for digit in word[1:])).upper()
            if digits.endswith("00") and len(digits) == 8:
                raise ModelError(
                    f"{what}: {shown(value)} is fully transparent. Specify hidden=True instead", about=what
                )
            return f"#{digits.removesuffix('FF') if len(digits) == 8 else digits}"
        name = re.sub(r"[ _-]", "", word.lower())
        if name in COLOURS:
            return COLOURS[name]
        raise ModelError(
            f'{what}: {shown(value)} is not a colour. Write "#RRGGBB", such as "#0072B2", or a name: '
            f"{near_names(name, COLOURS, most=40)}",
            about=what,
        )
    raise ModelError(f'{what}: expected a colour such as "#0072B2" or "blue", got {shown(value)}', about=what)


def described_colour(colour: str | None) -> dict[str, Any]:
    """Plain data: colour "#RRGGBB", and opacity where it is less than 1; nothing for none."""
    if colour is None:
        return {}
    return {"colour": colour[:7], **({"opacity": int(colour[7:], 16) / 255} if len(colour) > 7 else {})}
