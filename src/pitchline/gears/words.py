"""Description of a gear as text: teeth, flank modifications, tool and body, one line each."""

from __future__ import annotations

import math
import re
from typing import TYPE_CHECKING

from .gear_body import GearBody
from .modifications import DeviationGrid, FlankModifications, Modification
from .tool import Hob, Shaper

if TYPE_CHECKING:
    from .gear import Gear

__all__ = ["body_words", "gear_lines", "modification_words", "part_words", "teeth_words", "tool_words"]


def gear_lines(gear: Gear) -> list[str]:
    """Return the lines: teeth first, then the other data of the gear."""
    return [teeth_words(gear), *(f"{name}: {text}" for name, text in part_words(gear).items())]


def part_words(gear: Gear) -> dict[str, str]:
    """Texts of imported flanks, modifications, tool, body and material; empty ones are left out."""
    found = {
        "flanks": "" if gear.flanks is None else gear.flanks.words,
        "modifications": modification_words(gear.modifications),
        "tool": tool_words(gear.tool),
        "body": body_words(gear.body),
        "material": gear.material.name,
    }
    return {name: text for name, text in found.items() if text}


def teeth_words(gear: Gear) -> str:
    """ "20 teeth, m_n 3 mm, α_n 20°, β 15° right-hand, x 0.2, b 30 mm" """
    kind = "internal " if gear.internal else ""
    count = f"{gear.teeth} start{'s' if gear.teeth > 1 else ''}" if gear.worm else f"{gear.teeth} {kind}teeth"
    words = [count, f"m_n {_mm(gear.normal_module)}", f"α_n {_deg(gear.normal_pressure_angle)}"]
    if gear.helix_angle:
        words.append(f"β {_deg(abs(gear.helix_angle))} {'right' if gear.helix_angle > 0.0 else 'left'}-hand")
    if gear.cone_angle:
        words.append(f"δ {_deg(gear.cone_angle)}")
    if gear.profile_shift_angle:
        words.append(f"θ {_deg(gear.profile_shift_angle)}")
    if gear.profile_shift:
        words.append(f"x {gear.profile_shift:.6g}")
    if gear.face_width is not None:
        words.append(f"b {_mm(gear.face_width)}")
    return ", ".join(words)


def modification_words(given: FlankModifications) -> str:
    """ "tip relief 20 µm over 2 mm, lead crowning 5 µm; left: helix slope 3 µm; tooth 3: pitch deviation 8 µm" """
    words = [_several(given.both)] if given.both else []
    words += [f"{side}: {_several(parts)}" for side, parts in (("left", given.left), ("right", given.right)) if parts]
    shown = given.per_tooth[:_MOST_TEETH]
    for (tooth, side), parts in shown:
        words.append(f"tooth {tooth}{'' if side == 'both' else f' {side}'}: {_several(parts)}")
    more = len(given.per_tooth) - len(shown)
    return "; ".join([*words, f"and {more} more of single teeth"] if more else words)


_MOST_TEETH = 3
"""Number of single teeth whose modifications are listed."""


def tool_words(tool: Hob | Shaper | None) -> str:
    """ "hob with protuberance 50 µm"; empty for the usual tool."""
    if isinstance(tool, Hob):
        slope = "" if tool.protuberance_angle is None else f" at {_deg(tool.protuberance_angle)}"
        return f"hob with protuberance {_um(tool.protuberance)}{slope}"
    if isinstance(tool, Shaper):
        words = [] if tool.teeth is None else [f"{tool.teeth} teeth"]
        words += [] if tool.tip_rounding is None else [f"tip rounding {_mm(tool.tip_rounding)}"]
        return f"shaper with {' and '.join(words)}"
    return ""


def body_words(body: GearBody) -> str:
    """ "bore 30 mm, rim 8 mm, web 10 mm, hub 50 mm" """
    said = (
        ("bore", body.bore), ("rim diameter", body.rim_diameter), ("rim", body.rim_thickness), ("web", body.web_thickness),
        ("hub", body.hub_diameter),
    )  # fmt: skip
    return ", ".join(f"{name} {_mm(value)}" for name, value in said if value)


def _several(parts: tuple[Modification, ...]) -> str:
    return ", ".join(map(_one, parts))


def _one(part: Modification) -> str:
    """ "tip relief 20 µm over 2 mm" """
    if isinstance(part, DeviationGrid):
        return f"measured flank of {len(part.roll_lengths)} × {len(part.faces)} points"
    name = re.sub(r"(?<!^)(?=[A-Z])", " ", type(part).__name__).lower()
    amount = getattr(part, "amount", None)
    words = [name] if amount is None else [name, _um(amount)]
    if getattr(part, "length", None):
        words.append(f"over {_mm(part.length)}")  # type: ignore[attr-defined]
    elif getattr(part, "diameter", None):
        words.append(f"from diameter {_mm(part.diameter)}")  # type: ignore[attr-defined]
    elif getattr(part, "roll_length", None):
        words.append(f"from roll length {_mm(part.roll_length)}")  # type: ignore[attr-defined]
    if getattr(part, "shape", "linear") != "linear":
        words.append(str(part.shape))  # type: ignore[attr-defined]
    if getattr(part, "end", "both") != "both":
        words.append(f"at the {part.end} end")  # type: ignore[attr-defined]
    return " ".join(words)


def _mm(length: float) -> str:
    return f"{1e3 * length:.6g} mm"


def _um(length: float) -> str:
    return f"{1e6 * length:.6g} µm"


def _deg(value: float) -> str:
    return f"{math.degrees(value):.6g}°"
