"""Data of a gear: body, material, tools, single values, and their description as text."""

from __future__ import annotations

import math
import numbers
import re
from dataclasses import dataclass, fields
from typing import TYPE_CHECKING

from pitchline.base.arguments import names_wrong_arguments
from pitchline.errors import ModelError, Subject, shown
from pitchline.units.quantity import quantity

from ..modifications.deviations import DeviationGrid, FlankModifications, Modification

if TYPE_CHECKING:
    from .gear import Gear

__all__ = [
    "MOST",
    "angle",
    "at_most_one",
    "flag",
    "in_deg",
    "in_mm",
    "module",
    "number",
    "positive",
    "size",
    "whole",
    "GearBody",
    "STEEL",
    "Material",
    "Hob",
    "Shaper",
    "body_words",
    "gear_lines",
    "modification_words",
    "part_words",
    "teeth_words",
    "tool_words",
]


# ---- inputs

# Reading of gear data: numbers with units and their ranges, with messages that give advice.

MOST = 50_000
"""Largest number of teeth, and of other parts that are counted one by one: the time of pictures and of contact analyses grows with
it."""


def in_mm(length: float) -> str:
    """A length for a message, such as "2.5 mm"."""
    return f"{1e3 * length:.8g} mm"


def in_deg(value: float) -> str:
    """An angle for a message, such as "20 deg"."""
    return f"{math.degrees(value):.8g} deg"


def whole(value: object, what: str, *, at_least: int = 1, at_most: int = MOST) -> int:
    """A whole number, such as a number of teeth."""
    if isinstance(value, bool) or not isinstance(value, numbers.Real):
        result = math.nan
    else:
        try:
            result = float(value)
        except OverflowError:
            result = math.inf
    if math.isnan(result) or (math.isfinite(result) and not result.is_integer()):
        raise ModelError(f"{what}: expected a whole number, got {shown(value)} ({type(value).__name__})", about=what)
    if not at_least <= result <= at_most:
        raise ModelError(f"{what}: must be from {at_least} to {at_most}, got {shown(value)}", about=what)
    return int(result)


def flag(value: object, what: str) -> bool:
    """True or False, nothing that only looks like it."""
    if not isinstance(value, bool):
        raise ModelError(f"{what}: expected True or False, got {shown(value)} ({type(value).__name__})", about=what)
    return value


def number(value: object, what: str) -> float:
    """A number without dimension."""
    return quantity(value, "number", what=what)


def positive(value: object, dimension: str, what: str) -> float:
    """A quantity greater than zero."""
    result = quantity(value, dimension, what=what)
    if result <= 0.0:
        raise ModelError(f"{what}: must be greater than zero, got {shown(value)}", about=what)
    return result


def module(value: object, what: str) -> float:
    """A module [m], from a nanometre to a kilometre: beyond, a unit is wrong."""
    result = positive(value, "length", what)
    if not 1e-9 <= result <= 1e3:
        raise ModelError(f"{what}: {result:.6g} m is not a reasonable value. Check the unit", about=what)
    return result


def size(value: object, dimension: str, what: str) -> float:
    """A quantity that is not negative."""
    result = quantity(value, dimension, what=what)
    if result < 0.0:
        raise ModelError(f"{what}: must not be negative, got {shown(value)}", about=what)
    return result


def angle(value: object, what: str, *, lowest: float, highest: float, ends: bool = False) -> float:
    """An angle [rad] between two limits [deg]. The limits are included if `ends` is set."""
    result = quantity(value, "angle", what=what)
    degrees = math.degrees(result)
    slack = 1e-12 * max(abs(lowest), abs(highest))
    if ends:
        good = lowest - slack <= degrees <= highest + slack
    else:
        good = lowest < degrees < highest
    if not good:
        hint = '. Plain numbers are radians. Write "20 deg" for degrees' if not isinstance(value, str) else ""
        where = "from" if ends else "between"
        to = "to" if ends else "and"
        raise ModelError(
            f"{what}: must be {where} {lowest:g} {to} {highest:g} deg, got {degrees:.6g} deg{hint}", about=what
        )
    return result


def at_most_one(what: str, **given: object) -> str | None:
    """The name of the one argument that is not None, or None; two of them are an error."""
    names = [name for name, value in given.items() if value is not None]
    if len(names) > 1:
        raise ModelError(
            f"{what}: specify one of {' and '.join(names)}, not both. One follows from the other",
            about=Subject(what).at(names[1]),
        )
    return names[0] if names else None


# ---- gear body

# The body of a gear, below its teeth: bore, hub, web and rim.

_BODY = Subject("gear body")


@names_wrong_arguments
@dataclass(frozen=True, init=False)
class GearBody:
    """Body of a gear below its teeth. Mass and finite elements use it. Lengths are in m, or strings with a unit.

    Parameters
    ----------
    bore
        Bore diameter of an external gear.
    rim_diameter
        Outer diameter of an internal gear.
    rim_thickness, web_thickness
        Gear with a web in the middle of the face: thickness of the rim below the root (for a conical gear where its root is
        closest to the axis), and of the web along the axis. Specify both, or none for a solid body.
    hub_diameter
        Outer diameter of the hub, which is as wide as the face. Without it the web extends to the bore.
    """

    bore: float
    rim_diameter: float | None
    rim_thickness: float | None
    web_thickness: float | None
    hub_diameter: float | None

    def __init__(
        self,
        *,
        bore: object = 0.0,
        rim_diameter: object = None,
        rim_thickness: object = None,
        web_thickness: object = None,
        hub_diameter: object = None,
    ) -> None:
        object.__setattr__(self, "bore", size(bore, "length", _BODY / "bore"))
        for name, value in (
            ("rim_diameter", rim_diameter),
            ("rim_thickness", rim_thickness),
            ("web_thickness", web_thickness),
            ("hub_diameter", hub_diameter),
        ):
            object.__setattr__(self, name, None if value is None else positive(value, "length", _BODY / name))
        if (self.rim_thickness is None) != (self.web_thickness is None):
            missing = "web_thickness" if self.web_thickness is None else "rim_thickness"
            raise ModelError(
                f"gear body: a web requires both rim_thickness and web_thickness. Specify {missing}",
                about=_BODY.at(missing),
            )
        if self.hub_diameter is not None and self.web_thickness is None:
            raise ModelError(
                "gear body: hub_diameter is for a wheel with a web. Specify rim_thickness and web_thickness, or leave it out",
                about=_BODY.at("hub_diameter"),
            )

    @property
    def has_web(self) -> bool:
        """Whether a web connects hub and rim."""
        return self.web_thickness is not None

    def with_(self, **changes: object) -> GearBody:
        """Return a copy with some arguments changed."""
        return GearBody(**{item.name: getattr(self, item.name) for item in fields(self)} | changes)


# ---- material

# Material of a gear: density and elasticity.


@names_wrong_arguments
@dataclass(frozen=True, init=False)
class Material:
    """A linear elastic, homogeneous material.

    Attributes
    ----------
    name : str
    density : float
        ρ [kg/m³]
    youngs_modulus : float
        E [Pa]
    poissons_ratio : float
        ν, from 0 to less than 0.5
    """

    name: str
    density: float
    youngs_modulus: float
    poissons_ratio: float

    def __init__(self, name: str, *, density: object, youngs_modulus: object, poissons_ratio: object = 0.3) -> None:
        what = Subject(f'material "{name}"')
        ratio = number(poissons_ratio, what / "poissons_ratio")
        if not 0.0 <= ratio < 0.5:
            raise ModelError(
                f"{what}: poissons_ratio must be from 0 to less than 0.5, got {ratio:g}",
                about=what.at("poissons_ratio"),
            )
        object.__setattr__(self, "name", str(name))
        object.__setattr__(self, "density", positive(density, "density", what / "density"))
        object.__setattr__(self, "youngs_modulus", positive(youngs_modulus, "pressure", what / "youngs_modulus"))
        object.__setattr__(self, "poissons_ratio", ratio)


STEEL = Material("steel", density=7830.0, youngs_modulus=206e9, poissons_ratio=0.3)
"""Steel with the values of ISO 6336-1: 7.83e-6 kg/mm³, 206 000 N/mm², 0.3."""


# ---- tool

# Tools that cut teeth: data in addition to the basic rack of the gear.

_HOB, _SHAPER = Subject("hob"), Subject("shaper")


@names_wrong_arguments
@dataclass(frozen=True, init=False)
class Hob:
    """A hob or rack cutter for external teeth. Its profile is the basic rack of the gear.

    Parameters
    ----------
    protuberance
        Protuberance of the rounded tip of the rack over its flank [m]: clears the root for a later finishing of the
        flanks.
    protuberance_angle
        Profile angle [rad] of the flank between tip and main flank; default: half the pressure angle, or more if the rounded
        tip requires it.
    """

    protuberance: float
    protuberance_angle: float | None

    def __init__(self, *, protuberance: object = 0.0, protuberance_angle: object = None) -> None:
        object.__setattr__(self, "protuberance", size(protuberance, "length", _HOB / "protuberance"))
        slope = protuberance_angle
        if slope is not None:
            slope = angle(slope, _HOB / "protuberance_angle", lowest=0, highest=60)
        if slope is not None and not self.protuberance:
            raise ModelError(
                "hob: protuberance_angle has no effect without a protuberance. Specify both, or leave it out",
                about=_HOB.at("protuberance_angle"),
            )
        object.__setattr__(self, "protuberance_angle", slope)


@names_wrong_arguments
@dataclass(frozen=True, init=False)
class Shaper:
    """A pinion-type cutter for internal teeth.

    Parameters
    ----------
    teeth
        Number of teeth of the cutter; default: half the teeth of the internal gear, or less to avoid trimming of tips.
    tip_rounding
        Radius [m] of its tips; default: root radius of the basic rack of the gear.
    """

    teeth: int | None
    tip_rounding: float | None

    def __init__(self, *, teeth: object = None, tip_rounding: object = None) -> None:
        count = None if teeth is None else whole(teeth, _SHAPER / "teeth", at_least=3)
        object.__setattr__(self, "teeth", count)
        rounding = None if tip_rounding is None else size(tip_rounding, "length", _SHAPER / "tip_rounding")
        object.__setattr__(self, "tip_rounding", rounding)


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
        words.append(f"over {_mm(part.length)}")
    elif getattr(part, "diameter", None):
        words.append(f"from diameter {_mm(part.diameter)}")
    elif getattr(part, "roll_length", None):
        words.append(f"from roll length {_mm(part.roll_length)}")
    if getattr(part, "shape", "linear") != "linear":
        words.append(str(part.shape))
    if getattr(part, "end", "both") != "both":
        words.append(f"at the {part.end} end")
    return " ".join(words)


def _mm(length: float) -> str:
    return f"{1e3 * length:.6g} mm"


def _um(length: float) -> str:
    return f"{1e6 * length:.6g} µm"


def _deg(value: float) -> str:
    return f"{math.degrees(value):.6g}°"
