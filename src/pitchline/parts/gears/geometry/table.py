"""Data sheets of gears and pairs, mesh stiffness to ISO 6336, and efficiency of a pair."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from pitchline.base.arguments import names_wrong_arguments
from pitchline.errors import ModelError

from .gear import Gear
from .inputs import STEEL, part_words, size
from .pair import GearPair
from .rack import Rack

__all__ = [
    "efficiency",
    "self_locking_friction",
    "IsoStiffness",
    "blank_factor_of",
    "iso_stiffness",
    "DataSheet",
    "Row",
    "data_sheet",
    "data_sheet_text",
]


# ---- sliding

# Sliding along the teeth of crossed axes at the pitch point: efficiency and self-locking in closed form.


def _helices(pair: GearPair, driver: str) -> tuple[float, float]:
    """Helix angles of driver and driven wheel, positive in the sense of their sum."""
    if driver not in ("a", "b"):
        raise ModelError(f'{pair.what}: driver must be "a" or "b", got {driver!r}')
    beta_a, beta_b = pair.working_helix_angles
    sign = math.copysign(1.0, beta_a + beta_b)
    first, second = (beta_a, beta_b) if driver == "a" else (beta_b, beta_a)
    return sign * first, sign * second


def efficiency(pair: GearPair, friction: object, *, driver: str = "a") -> float:
    """η = (cos α_n − μ tan β_2) / (cos α_n + μ tan β_1), wheel 1 driving: sliding along the teeth at the pitch point.

    For a worm at right angles, lead angle γ: (cos α_n − μ tan γ)/(cos α_n + μ cot γ) where it drives, and
    (cos α_n − μ cot γ)/(cos α_n + μ tan γ) where the wheel does; zero or less means that the pair locks. Parallel
    axes and bevels do not slide at the pitch point: 1.

    Parameters
    ----------
    friction
        μ, the coefficient of friction between the teeth.
    driver
        "a" or "b".
    """
    mu = size(friction, "number", f"{pair.what}: friction")
    if not pair.pitch.sliding_ratio > 1e-12:
        return 1.0
    beta_1, beta_2 = _helices(pair, driver)
    cosine = math.cos(pair.normal_working_pressure_angle)
    return (cosine - mu * math.tan(beta_2)) / (cosine + mu * math.tan(beta_1))


def self_locking_friction(pair: GearPair, *, driver: str = "b") -> float:
    """μ from which on the pair locks when `driver` drives: cos α_n / tan β_2; infinite where it never does.

    For a worm whose wheel drives: cos α_n tan γ.
    """
    if not pair.pitch.sliding_ratio > 1e-12:
        return math.inf
    _, beta_2 = _helices(pair, driver)
    return math.cos(pair.normal_working_pressure_angle) / math.tan(beta_2) if beta_2 > 0.0 else math.inf


# ---- stiffness

# Tooth and mesh stiffness of steel wheels by ISO 6336-1, method B.

# q' = C1 + C2/z_n1 + C3/z_n2 + C4 x1 + C5 x1/z_n1 + C6 x2 + C7 x2/z_n2 + C8 x1² + C9 x2²   [mm µm/N]
_C = (0.04723, 0.15551, 0.25791, -0.00635, -0.11654, -0.00193, -0.24188, 0.00529, 0.00182)
_CORRECTION = 0.8
"""C_M: measured over theoretical stiffness."""
_UNIT = 1e9
"""1 N/(mm µm) in N/m²."""


@dataclass(frozen=True)
class IsoStiffness:
    """Stiffness per unit of face width [N/m²] (1e9 N/m² = 1 N/(mm µm)), on the base circle: along the line of action
    in the transverse plane, force F_t/cos α_t and displacement r_b Δψ.

    Attributes
    ----------
    theoretical : float
        c'_th: of one pair of teeth, solid discs, before corrections.
    single : float
        c': the greatest stiffness of one pair of teeth.
    mesh_alpha : float
        c_γα: mean over the mesh cycle of all pairs in contact.
    mesh_beta : float
        c_γβ = 0.85 c_γα, against a tilt of the wheels.
    """

    theoretical: float
    single: float
    mesh_alpha: float
    mesh_beta: float


def blank_factor_of(gear: Gear) -> float:
    """C_R = 1 + ln(b_s/b) / (5 exp(s_R/(5 m_n))): of a web of thickness b_s and a rim of thickness s_R; 1 for solid discs.

    b_s/b counts as 0.2 below that, s_R/m_n as 1.
    """
    body = gear.body
    if body.web_thickness is None or body.rim_thickness is None:
        return 1.0
    web = max(body.web_thickness / gear.required_face_width("the stiffness of a wheel with a web"), 0.2)
    rim = max(body.rim_thickness / gear.normal_module, 1.0)
    return 1.0 + math.log(web) / (5.0 * math.exp(rim / 5.0))


def iso_stiffness(pair: GearPair, *, blank_factor: float | None = None) -> IsoStiffness:
    """c'_th = 1/q', c' = c'_th C_M C_R C_B cos β E/E_steel, c_γα = c' (0.75 ε_α + 0.25).

    `blank_factor` is C_R; without it the mean of both wheels, by their bodies (`blank_factor_of`).
    C_B = (1 + 0.5 (1.2 − h*_fP)) (1 − 0.02 (20° − α_n)), the mean of both wheels. An internal wheel counts with z_n = ∞.
    Valid for spur and helical wheels, −0.5 <= x_A + x_B <= 2 and a line load of at least 100 N/mm.
    """
    a, b = pair.a, pair.b
    if isinstance(b, Rack) or not pair.kind.parallel:
        raise ModelError(
            f"{pair.what}: ISO 6336-1 gives the stiffness of cylindrical gears with parallel axes, not of a "
            f"{pair.kind} pair"
        )
    pinion, wheel = (b, a) if a.internal or (b.teeth < a.teeth and not b.internal) else (a, b)
    z_1 = 1.0 / pinion.virtual_teeth
    z_2 = 0.0 if wheel.internal else 1.0 / wheel.virtual_teeth
    x_1, x_2 = pinion.profile_shift, wheel.profile_shift
    terms = (1.0, z_1, z_2, x_1, x_1 * z_1, x_2, x_2 * z_2, x_1**2, x_2**2)
    theoretical = 1.0 / sum(c * term for c, term in zip(_C, terms, strict=True))
    angle = 1.0 - 0.02 * (20.0 - math.degrees(a.normal_pressure_angle))
    rack = 0.5 * sum((1.0 + 0.5 * (1.2 - gear.dedendum_factor)) * angle for gear in (a, b))
    E_a, E_b = a.material.youngs_modulus, b.material.youngs_modulus
    material = 2.0 * E_a * E_b / (E_a + E_b) / STEEL.youngs_modulus
    blank = 0.5 * (blank_factor_of(a) + blank_factor_of(b)) if blank_factor is None else blank_factor
    single = theoretical * _CORRECTION * blank * rack * math.cos(a.helix_angle) * material
    mesh = single * (0.75 * pair.transverse_contact_ratio + 0.25)
    return IsoStiffness(_UNIT * theoretical, _UNIT * single, _UNIT * mesh, _UNIT * 0.85 * mesh)


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
