"""Amounts in expressions of figures: values with units, their arithmetic, and the properties that are available.

Properties that are available in expressions of figures, by class, with their units.

Only properties with a unit in this table are available, so that every dimension is checked. "@Name" instead of a unit
is an
object with its own properties; "=" is the unit in the attribute `unit` of the object.
"""

from __future__ import annotations

import ast
import math
import warnings
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np

from pitchline.errors import UnitError, near_names, shown
from pitchline.units.parser import BASE_UNITS, DIMENSIONS, NONE, Exponents
from pitchline.units.quantity import LARGEST, canonical_unit, dimension_name, dimension_of, quantity

__all__ = [
    "FUNCTIONS",
    "Amount",
    "AmountError",
    "combined_powers",
    "divided",
    "modulo",
    "powered",
    "raised_powers",
    "summed",
    "times",
    "whole_powers",
    "LONGEST",
    "RESERVED",
    "Expression",
    "evaluate",
    "is_expression",
    "names_in",
    "parse",
    "read_tree",
    "CLASS_OF_KIND",
    "HEAVY",
    "METHODS",
    "properties",
    "unit_of",
    "as_array",
    "known_properties",
    "property_of",
]


# ---- amounts

# Amount: a number with its dimension, and arithmetic with amounts; used by expressions in files.

_ANGLE: Exponents = (0, 0, 0, 0, 0, 1)
_MOST_POWER = 12
_MOST_EXPONENT = 64.0


class AmountError(ValueError):
    """Error of a computation, as one sentence."""


@dataclass(frozen=True)
class Amount:
    """Number in SI units and the powers of its dimension. An integer without dimension stays an integer."""

    value: int | float
    powers: Exponents = NONE

    @staticmethod
    def of(value: object, what: str = "value") -> Amount:
        """From a number, or a text with a unit."""
        if isinstance(value, int) and not isinstance(value, bool):
            return _made(value, NONE)
        number = quantity(value, None, what=what)
        powers = dimension_of(value)
        return _made(number, NONE if powers is None else powers)

    @property
    def plain(self) -> int | float | str:
        """Value for the Python API: a number, or a text in base units."""
        return self.value if self.powers == NONE else f"{self.value!r} {_unit(self.powers)}"

    def __str__(self) -> str:
        """For messages: few digits, and the usual unit, e.g. "-209.44 rad/s"."""
        if self.powers == NONE:
            return str(self.value)
        dimension = dimension_name(self.powers).split(" or ")[0]
        return f"{self.value:.6g} {canonical_unit(dimension) if dimension in DIMENSIONS else _unit(self.powers)}"


@lru_cache(maxsize=256)
def _unit(powers: Exponents) -> str:
    return "*".join(
        base if power == 1 else f"{base}^{power}" for base, power in zip(BASE_UNITS, powers, strict=True) if power
    )


def _made(value: int | float, powers: Exponents) -> Amount:
    if powers != NONE or (isinstance(value, int) and abs(value) > 2**53):
        value = float(value) if abs(value) <= LARGEST else math.inf
    if not abs(value) <= LARGEST:
        raise AmountError(f"the result is not a number below {LARGEST:g}")
    if max(powers) > _MOST_POWER or min(powers) < -_MOST_POWER:
        raise AmountError(f"the powers of the dimension {_unit(powers)} are too large")
    return Amount(value, powers)


def _alike(a: Amount, b: Amount, doing: str) -> Exponents:
    """Common dimension of both values. Angles are ignored, as in quantities."""
    if a.powers[:-1] != b.powers[:-1]:
        names = [dimension_name(x.powers) for x in (a, b)]
        raise AmountError(f"cannot {doing} {names[0]} ({a}) and {names[1]} ({b})")
    return a.powers if a.powers[-1] else b.powers


def summed(a: Amount, b: Amount, sign: int = 1) -> Amount:
    """a + b, or a - b."""
    return _made(a.value + sign * b.value, _alike(a, b, "add" if sign > 0 else "subtract"))


def times(a: Amount, b: Amount) -> Amount:
    """a b."""
    return _made(a.value * b.value, combined_powers(a.powers, b.powers, 1))


def divided(a: Amount, b: Amount) -> Amount:
    """a / b; exact quotients of integers stay integers."""
    if b.value == 0:
        raise AmountError(f"division of {a} by zero")
    powers = combined_powers(a.powers, b.powers, -1)
    if isinstance(a.value, int) and isinstance(b.value, int) and a.value % b.value == 0:
        return _made(a.value // b.value, powers)
    return _made(a.value / b.value, powers)


def modulo(a: Amount, b: Amount) -> Amount:
    """a % b."""
    if b.value == 0:
        raise AmountError(f"division of {a} by zero")
    return _made(a.value % b.value, _alike(a, b, "divide, for a remainder,"))


def powered(a: Amount, b: Amount) -> Amount:
    """a ** b. The exponent is a number. If a has a dimension, the resulting powers must be integers."""
    if b.powers != NONE:
        raise AmountError(f"an exponent must not have a unit, got {b}")
    n = float(b.value)
    if abs(n) > _MOST_EXPONENT:
        raise AmountError(f"the exponent {b} is too large (at most {_MOST_EXPONENT:g})")
    raised = raised_powers(a.powers, n)
    if any(power != round(power) for power in raised):
        raise AmountError(
            f"{dimension_name(a.powers)} ({a}) to the power {b} does not have integer powers of the base units"
        )
    try:
        whole = isinstance(a.value, int) and isinstance(b.value, int) and b.value >= 0
        value = a.value**b.value if whole else float(a.value) ** n
    except (OverflowError, ZeroDivisionError):
        raise AmountError(f"{a} to the power {b} is out of the range of numbers") from None
    if isinstance(value, complex):
        raise AmountError(f"{a} to the power {b} is not a real number")
    return _made(value, whole_powers(raised))


def raised_powers(powers: Exponents, n: float) -> list[float]:
    """Powers of a quantity to the power n. A fractional power of an angle is dropped: sqrt(k/I) with k in N*m/rad is in
    1/s."""
    angle = powers[-1] * n
    return [*(power * n for power in powers[:-1]), angle if angle == round(angle) else 0.0]


def whole_powers(powers: Iterable[float]) -> Exponents:
    """Powers rounded to integers."""
    length, mass, time, temperature, current, angle = (round(power) for power in powers)
    return length, mass, time, temperature, current, angle


def combined_powers(a: Exponents, b: Exponents, sign: int) -> Exponents:
    """Powers of a product (sign 1) or quotient (sign -1)."""
    return whole_powers(x + sign * y for x, y in zip(a, b, strict=True))


# ---- functions


def _number(a: Amount, name: str, *, angle: bool = False) -> float:
    if a.powers != NONE and not (angle and a.powers == _ANGLE):
        wanted = "an angle or a number" if angle else "a number"
        raise AmountError(f"{name}(...) takes {wanted}, got {dimension_name(a.powers)} ({a})")
    return float(a.value)


def _of_number(
    name: str, function: Callable[..., float], powers: Exponents = NONE, *, angle: bool = False
) -> Callable[..., Amount]:
    def apply(*given: Amount) -> Amount:
        try:
            return _made(function(*(_number(a, name, angle=angle) for a in given)), powers)
        except (ValueError, OverflowError, ZeroDivisionError) as error:
            if isinstance(error, (AmountError, UnitError)):
                raise
            raise AmountError(f"{name}({', '.join(map(str, given))}) is not a number") from None

    return apply


def _atan2(y: Amount, x: Amount) -> Amount:
    _alike(y, x, "take atan2 of")
    return _made(math.atan2(y.value, x.value), _ANGLE)


def _chosen(name: str, function: Callable[..., int | float]) -> Callable[..., Amount]:
    def apply(*given: Amount) -> Amount:
        powers = given[0].powers
        for other in given[1:]:
            powers = _alike(Amount(given[0].value, powers), other, f"take the {name} of")
        return _made(function(a.value for a in given), powers)

    return apply


def _round(a: Amount) -> Amount:
    return _made(round(_number(a, "round")), NONE)


FUNCTIONS: dict[str, tuple[Callable[..., Amount], int, int]] = {
    "sin": (_of_number("sin", math.sin, angle=True), 1, 1),
    "cos": (_of_number("cos", math.cos, angle=True), 1, 1),
    "tan": (_of_number("tan", math.tan, angle=True), 1, 1),
    "asin": (_of_number("asin", math.asin, _ANGLE), 1, 1),
    "acos": (_of_number("acos", math.acos, _ANGLE), 1, 1),
    "atan": (_of_number("atan", math.atan, _ANGLE), 1, 1),
    "atan2": (_atan2, 2, 2),
    "sqrt": (lambda a: powered(a, Amount(0.5)), 1, 1),
    "exp": (_of_number("exp", math.exp), 1, 1),
    "log": (_of_number("log", math.log), 1, 1),
    "abs": (lambda a: Amount(abs(a.value), a.powers), 1, 1),
    "min": (_chosen("smallest", min), 1, 64),
    "max": (_chosen("largest", max), 1, 64),
    "round": (_round, 1, 1),
}
"""Functions of expressions, with the minimum and maximum number of arguments."""


# ---- expressions

# Expressions over parameters: parsed by Python's parser, evaluated by an evaluator that only supports arithmetic.
#
# Nothing is compiled, and only the functions of `amounts` are called. Length, depth, exponents and sizes are limited,
# so that no text can run code, block the program or fill the memory.

LONGEST = 500
"""Largest number of characters."""
MOST_KEPT = 1024
"""Number of parsed expressions that are kept."""
_DEEPEST = 40
RESERVED = ("pi", *FUNCTIONS)
_CONSTANTS = {"pi": Amount(math.pi)}
_HELP = f"use + - * / ** %, parentheses, numbers, texts with units, parameters, pi, {', '.join(FUNCTIONS)}"

Expression = ast.expr


def is_expression(value: object) -> bool:
    """Whether a value of a file is an expression: a text that starts with "="."""
    return isinstance(value, str) and (value.startswith("=") or value.lstrip().startswith("="))


def read_tree(body: str, *, longest: int, cut_into: str, help_text: str) -> Expression:
    """Syntax tree of an expression without its "=". AmountError if it is not an expression. The kinds of its nodes are
    not checked."""
    if len(body) > longest:
        raise AmountError(
            f"the expression has {len(body)} characters, but at most {longest} are allowed. Split it into {cut_into}"
        )
    if not body:
        raise AmountError('the expression after "=" is empty')
    if not body.isprintable():
        raise AmountError(f"{shown(body)} contains characters that cannot be printed")
    if "^" in body and '"' not in body and "'" not in body:
        raise AmountError(f"{shown(body)}: use ** for powers, e.g. r**2")
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return ast.parse(body, mode="eval").body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        raise AmountError(f"{shown(body)} is not a valid expression; {help_text}") from None


@lru_cache(maxsize=MOST_KEPT)
def parse(text: str) -> Expression:
    """Syntax tree of the text "= ...", which must not be changed. AmountError if it is not an expression."""
    body = text.lstrip().removeprefix("=").strip()
    tree = read_tree(body, longest=LONGEST, cut_into="parameters", help_text=_HELP)
    _check(tree, body, 0)
    return tree


@lru_cache(maxsize=MOST_KEPT)
def names_in(tree: Expression) -> tuple[str, ...]:
    """Parameters that an expression needs."""
    return tuple(node.id for node in ast.walk(tree) if isinstance(node, ast.Name) and node.id not in RESERVED)


def evaluate(tree: Expression, known: Mapping[str, Amount | str]) -> Amount:
    """Evaluate; AmountError describes errors."""
    if isinstance(tree, ast.Constant):
        return _constant(tree.value)
    if isinstance(tree, ast.Name):
        if tree.id in _CONSTANTS:
            return _CONSTANTS[tree.id]
        if tree.id not in known:
            raise AmountError(f'unknown parameter "{tree.id}"; {near_names(tree.id, known)}')
        found = known[tree.id]
        if isinstance(found, str):
            raise AmountError(
                f'parameter "{tree.id}" is the text {shown(found)}, not a quantity. Use it only as "= {tree.id}"'
            )
        return found
    if isinstance(tree, ast.UnaryOp):
        inner = evaluate(tree.operand, known)
        return Amount(-inner.value, inner.powers) if isinstance(tree.op, ast.USub) else inner
    if isinstance(tree, ast.BinOp):
        a, b = evaluate(tree.left, known), evaluate(tree.right, known)
        if isinstance(tree.op, (ast.Add, ast.Sub)):
            return summed(a, b, 1 if isinstance(tree.op, ast.Add) else -1)
        return _PRODUCTS[type(tree.op)](a, b)
    assert isinstance(tree, ast.Call) and isinstance(tree.func, ast.Name)
    function, fewest, most = FUNCTIONS[tree.func.id]
    if not fewest <= len(tree.args) <= most:
        count = str(fewest) if fewest == most else f"{fewest} or more"
        raise AmountError(f"{tree.func.id}(...) takes {count} arguments, got {len(tree.args)}")
    return function(*(evaluate(item, known) for item in tree.args))


_PRODUCTS = {ast.Mult: times, ast.Div: divided, ast.Mod: modulo, ast.Pow: powered}


def _constant(value: object) -> Amount:
    try:
        return Amount.of(value, "the expression")
    except UnitError as error:
        raise AmountError(str(error)) from None


def _check(node: ast.expr, body: str, depth: int) -> None:
    """Check that every node is of an allowed kind."""
    if depth > _DEEPEST:
        raise AmountError(f"{shown(body)} has too many nested levels (more than {_DEEPEST}). Split it into parameters")
    inner: list[ast.expr] = []
    if isinstance(node, ast.Constant):
        if isinstance(node.value, bool) or not isinstance(node.value, (int, float, str)):
            raise AmountError(f"{shown(node.value)} in {shown(body)} is not a quantity; {_HELP}")
    elif isinstance(node, ast.UnaryOp) and isinstance(node.op, (ast.UAdd, ast.USub)):
        inner = [node.operand]
    elif isinstance(node, ast.BinOp) and isinstance(node.op, (ast.Add, ast.Sub, *_PRODUCTS)):
        inner = [node.left, node.right]
    elif isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and not node.keywords:
        if node.func.id not in FUNCTIONS:
            raise AmountError(
                f'unknown function "{node.func.id}" in {shown(body)}; {near_names(node.func.id, FUNCTIONS)}'
            )
        inner = node.args
    elif isinstance(node, ast.Name):
        if node.id in FUNCTIONS:
            raise AmountError(f'"{node.id}" in {shown(body)} is a function; write {node.id}(...)')
    else:
        said = type(node).__name__
        raise AmountError(f"{shown(body)} is not plain arithmetic ({said}); {_HELP}")
    for item in inner:
        _check(item, body, depth + 1)


_BY_UNIT: dict[str, dict[str, str]] = {
    "Gear": {
        "": (
            "teeth profile_shift addendum_factor dedendum_factor root_radius_factor tip_alteration internal worm "
            "minimum_profile_shift sense undercut virtual_teeth"
        ),
        "m": (
            "normal_module addendum axial_module axial_pitch backlash_allowance base_diameter bore dedendum face_width lead "
            "inside_of_rim mean_cone_distance "
            "normal_base_pitch normal_pitch normal_tooth_thickness outer_diameter outer_transverse_module "
            "pointed_diameter reference_diameter rim_diameter root_diameter root_form_diameter root_radius tip_diameter "
            "tip_thickness tooth_depth transverse_base_pitch transverse_module transverse_pitch transverse_tooth_thickness"
        ),
        "rad": (
            "normal_pressure_angle helix_angle angular_pitch base_helix_angle cone_angle lead_angle profile_shift_angle "
            "transverse_pressure_angle"
        ),
        "kg/m^3": "density",
        "@Material": "material",
        "@BlankProperties": "blank",
        "@MassProperties": "solid",
        "@GearBody": "body",
    },
    "Rack": {
        "": "teeth addendum_factor dedendum_factor root_radius_factor",
        "m": (
            "normal_module addendum backlash_allowance dedendum depth face_width length normal_pitch normal_tooth_thickness "
            "root_radius transverse_module transverse_pitch"
        ),
        "rad": "helix_angle normal_pressure_angle transverse_pressure_angle",
        "kg/m^3": "density",
        "@Material": "material",
        "@BlankProperties": "blank",
        "@MassProperties": "solid",
    },
    "GearBody": {"m": "bore rim_diameter rim_thickness web_thickness hub_diameter", "": "has_web"},
    "MassProperties": {"kg": "mass", "m": "centre_of_mass", "kg*m^2": "inertia"},
    "Material": {"kg/m^3": "density", "Pa": "youngs_modulus", "": "poissons_ratio"},
    "BlankProperties": {"kg": "mass", "m": "centre_of_mass", "kg*m^2": "inertia product"},
    "GearPair": {
        "": "ratio speed_ratio overlap_ratio total_contact_ratio loss_factor transverse_contact_ratio",
        "m": (
            "backlash centre_distance circumferential_backlash face_width normal_backlash reference_centre_distance "
            "tip_clearances working_diameters"
        ),
        "rad": "normal_working_pressure_angle shaft_angle transverse_working_pressure_angle working_helix_angles",
        "@Gear": "a b",
        "@PathOfContact": "path_of_contact",
    },
    "PathOfContact": {"m": "start end length"},
    "RollingPair": {},
    "GearMesh": {"m": "face_offset", "": "length_factor", "@GearPair": "pair", "@MeshLaw": "law", "@IsoStiffness": "iso_stiffness"},
    "MeshLaw": {
        "m": "backlash offset play", "N/m": "mean_stiffness", "N*s/m": "damping", "kg": "effective_mass", "": "rigid"
    },
    "IsoStiffness": {"Pa": "theoretical single mesh_alpha mesh_beta"},
    "Body": {
        "kg": "mass", "kg*m^2": "inertia", "m": "centre_of_mass position", "m/s": "velocity", "rad/s": "angular_velocity",
        "": "orientation",
    },
    "Joint": {"m": "length", "m/rad": "pitch", "@Frame": "frame_a frame_b"},
    "Frame": {"m": "position"},
    "Model": {"m/s^2": "gravity"},
    "Planetary": {"": "ratio", "rad": "angles", "@Phasing": "phasing", "@LoadSharing": "load_sharing", "@Body": "sun ring carrier"},
    "Phasing": {"": "sun ring sun_to_ring"},
    "LoadSharing": {"s": "time", "": "sun ring k_gamma"},
    "Modes": {
        "": "damping_ratios multiplicity rigid stable", "Hz": "frequencies damped_frequencies of_kind", "1/s": "decaying"
    },
    "Campbell": {
        "rad/s": "speeds critical_speeds critical_forward critical_backward speeds_of", "Hz": "frequencies critical_frequencies",
        "": "damping_ratios whirl",
    },
    "Floquet": {"rad/s": "speeds", "": "ripples largest stable", "s": "periods", "1/s": "growth"},
    "FrequencyResponse": {"Hz": "frequency", "deg": "phase", "@LinearModel": "linear"},
    "LinearModel": {"rad/s": "peaks dips"},
    "LoadedContact": {
        "N*m": "torque",
        "": "phase pairs load_sharing loaded_contact_ratio contact_ratio face_load_factor",
        "rad": "angle transmission_error_angle base_helix_angle",
        "m": "transmission_error no_load_error deflection peak_to_peak base_radius face_width",
        "N/m": "tangent_stiffness secant_stiffness mean_stiffness max_line_load face_load",
        "N": "force pair_load",
        "Pa": "max_pressure edge_pressure",
    },
    "FlankContact": {
        "N*m": "torque", "": "phase tooth_pairs", "m": "transmission_error centre_distance", "N/m": "stiffness",
        "N": "normal_force", "Pa": "peak_pressure", "m^2": "area flank_area", "@ContactPatch": "patch",
    },
    "ContactPatch": {
        "": "tooth_a tooth_b on_edge places_in_contact",
        "m": "zeta_a zeta_b roll_a roll_b strip_width radius half_width middle width length ends base_radius half_face",
        "N": "force total_force", "Pa": "pressure peak_pressure", "N/m": "line_load", "m^2": "area",
    },
    "ElasticGear": {
        "Hz": "frequencies all_frequencies limit", "": "nodal_diameters multiplicities sectors", "kg": "mass",
        "kg*m^2": "inertia",
        "m": "centre_of_mass",
    },
    "RigidContact": {
        "rad": "angle", "": "phase tooth_a tooth_b", "m": "transmission_error roll_length face peak_to_peak"
    },
    "GearModes": {
        "": "teeth nodal_diameters", "Hz": "frequencies wave_frequencies limit", "kg": "mass exact_mass"
    },
    "GearGrid": {"": "teeth nodes elements scaled_jacobian", "m": "flank_edge", "kg": "mass exact_mass"},
    "OrderMap": {"": "order revolutions", "s": "time", "rad/s": "speed", "=": "amplitude"},
    "OrderSpectrum": {"": "order revolutions", "=": "amplitude"},
    "OrderTrack": {"": "order revolutions", "s": "time", "rad/s": "speed", "rad": "phase", "=": "amplitude"},
    "Spectrum": {"Hz": "frequency", "=": "amplitude"},
    "Spectrogram": {"Hz": "frequency", "s": "time duration", "=": "amplitude"},
    "Folded": {"": "phase cycles", "=": "mean low high"},
    "PeakHold": {"=": "highest lowest peak peak_to_peak maximum", "speed": "edges peak_speed speed speed_at_maximum"},
}  # fmt: skip

METHODS = {
    "Planetary": ("load_sharing",),
    "Modes": ("of_kind",),
    "Campbell": ("speeds_of",),
    "FlankContact": ("patch",),
    "FrequencyResponse": ("phase",),
    "LinearModel": ("peaks", "dips"),
}
"""Properties that are called with numbers or texts: analyses.contact.patch(0, 0).length."""

HEAVY = ("law",)
"""Objects whose computation may take long; they are not evaluated before the run."""

CLASS_OF_KIND = {
    "modes": "Modes",
    "campbell": "Campbell",
    "floquet": "Floquet",
    "frequency_response": "FrequencyResponse",
    "linear_model": "LinearModel",
    "loaded_contact": "LoadedContact",
    "flank_contact": "FlankContact",
    "rigid_contact": "RigidContact",
    "gear_modes": "GearModes",
    "gear_grid": "GearGrid",
    "elastic_gear": "ElasticGear",
    "order_map": "OrderMap",
    "order_spectrum": "OrderSpectrum",
    "order_track": "OrderTrack",
    "spectrum": "Spectrum",
    "spectrogram": "Spectrogram",
    "fold": "Folded",
    "peak_hold": "PeakHold",
}
"""Class of the result of an analysis kind; kinds with signals are not included."""


def properties(of: str) -> Mapping[str, str]:
    """Names of the properties of a class, with their units."""
    return {name: unit for unit, names in _BY_UNIT.get(of, {}).items() for name in names.split()}


def unit_of(thing: Any, said: str) -> str:
    """Unit of a property of an object."""
    if said == "=":
        return str(thing.unit)
    return str(thing.speed_unit) if said == "speed" else said


# ---- property values

# Values of properties of gears, pairs, bodies and results, for expressions of figures.


def known_properties(of: str) -> dict[str, tuple[str, tuple[str, ...]]]:
    """Properties of a class: their units, and the intermediate objects."""
    found: dict[str, tuple[str, tuple[str, ...]]] = {}
    if of == "GearMesh":  # it also has the properties of its geometry
        found = {name: (unit, ("pair",)) for name, unit in properties("GearPair").items()}
        found["contact_ratio"] = ("", ("pair", "total_contact_ratio"))
    return {**found, **{name: (unit, ()) for name, unit in properties(of).items()}}


def _iso_stiffness(mesh: Any) -> Any:
    from pitchline.parts.gears.geometry.table import iso_stiffness

    return iso_stiffness(mesh.pair)


_EXTRA: dict[str, Callable[[Any], Any]] = {"iso_stiffness": _iso_stiffness}


def property_of(thing: Any, through: tuple[str, ...], step: str, given: tuple[Any, ...] | None, said: str) -> Any:
    for name in through:
        thing = getattr(thing, name)
    if through[-1:] and through[-1] != "pair":
        return thing
    if step in _EXTRA:
        return _EXTRA[step](thing)
    if not hasattr(thing, step):
        raise AmountError(f"{said}: {type(thing).__name__} has no such property")
    found = getattr(thing, step)
    return found if given is None else found(*given)


def as_array(value: Any, said: str) -> Any:
    if value is None:
        raise AmountError(f"{said} has no value")
    array = np.asarray(value)
    if array.dtype.kind not in "biuf":
        raise AmountError(f"{said} is not a number")
    return array
