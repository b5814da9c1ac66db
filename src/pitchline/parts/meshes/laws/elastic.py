"""Mesh descriptions `Elastic`, `Rigid` and `Rolling`: springs with backlash, rigid teeth, wheels that roll."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from pitchline.base.arguments import names_wrong_arguments
from pitchline.errors import ModelError, Subject, shown
from pitchline.units.quantity import quantity

from .common import (
    Friction,
    Variable,
    choice,
    flag,
    optional,
    positive,
    read_along,
    read_backlash,
    read_damping,
    read_efficiency,
    read_flanks,
    read_springs,
    read_tilt,
)

__all__ = ["ISO_6336", "LOADED", "TOOTH_VARIATIONS", "Elastic", "Rigid", "Rolling"]


ISO_6336 = "ISO 6336"
LOADED = "loaded"
"""Stiffness and error from loaded tooth contact."""
TOOTH_VARIATIONS = ("mesh cycle", "constant")
LARGEST_CONTACT_RATIO = 20.0


@names_wrong_arguments
@dataclass(frozen=True, eq=False, init=False)
class Elastic:
    """Elastic teeth: a spring and a damper across the mesh, with backlash, transmission error and friction.

    With the approach u of the teeth, the sum of the errors x and the backlash b, all in one direction,

        s = u + x − offset ,    [[s]] = s (s >= 0),  0 (−b < s < 0),  s + b (s <= −b) ,    f = k [[s]] + c ds/dt

    f > 0 on the drive flank: wheel A pushes forwards (+ψ). f < 0 on the coast flank. Numbers are in SI; texts have a unit.

    Parameters
    ----------
    stiffness
        Mesh stiffness k [N/m], not per face width. A number or text; a function over the mesh cycle; a `Varying`; a tuple of
        several of these as springs in series (one per wheel); "ISO 6336" (default) for b c_γα of steel wheels; or "loaded" for the
        stiffness of the gears under a `torque`. The last two are on the base circle, whatever `along` is.
    torque
        Torque on wheel B [N m] (of a rack: force [N], as a number), with stiffness="loaded". Positive: the drive flanks of A (left)
        are loaded. Negative: the coast flanks. Loaded tooth contact of the gears, with their flanks, is computed as for `Loaded`,
        for the same kinds of pairs, at zero load and at this torque, when the mesh law is first needed. With the approaches along
        the base circle u_0(φ) and u_T(φ), the stiffness is k(φ) = F/(u_T − u_0), the average slope between zero load and
        F = T/r_b. The error −u_0(φ) is added to the specified errors.
        Therefore the static transmission error is exact at the torque and at zero load. The tangent stiffness at the torque, which
        determines vibrations, is a few percent larger (up to 20 % for light loads and crowned flanks): `Loaded` includes both. The
        opposite flank has the same stiffness and error, as in every Elastic. If the teeth hammer on both flanks, use `Loaded`.
    tooth_stiffness
        Stiffness of one tooth [N/m], in the direction `along`, in place of `stiffness`: one number for both wheels, or two (a, b).
        Both teeth are in series, 1/k_1 = 1/k_a + 1/k_b, and the pairs in contact in parallel.
    contact_ratio
        With tooth_stiffness: mean number of tooth pairs in contact. Default None: the transverse contact ratio of the gears.
    tooth_variation
        With tooth_stiffness: "mesh cycle" (default): k = n k_1 with the number n of pairs in contact at each angle, on the drive
        flank; n changes over 5 % of the cycle, and its mean is the contact ratio. "constant": k = contact_ratio k_1.
    along
        Direction in which stiffness, damping, effective mass, backlash, smoothing and errors are measured. "base circle": along
        the line of action in the transverse plane, as r_b Δψ (for bevel gears: of their virtual cylindrical gears). "normal": along
        the common normal of the flanks. "hoop": across the teeth on the pitch surface, η3. Default None: the base circle for
        wheels on parallel axes, racks and bevel gears, the normal for crossed axes, hypoid and conical involute gears. Signals
        are always in the direction of None. With κ = cos α_t / cos β, cos α_n, or 1: length_hoop = length / κ,
        k_hoop = k κ², c_hoop = c κ², m_hoop = m κ². The normal and the base circle differ by cos β_b: k_b = k_n cos² β_b.
    damping, damping_ratio
        Damping c [N s/m], or damping ratio ζ with c = 2 ζ sqrt(k m_e), k being the mean stiffness. Specify one of them. Default: no
        damping. c can vary as the stiffness does: a function over the mesh cycle, a `Varying`, or a tuple of several dampers in
        series (one per wheel). With mean_stiffness=True linear analyses use its mean; `floquet` uses its
        variation. For ζ, 1/m_e = r_bA²/I_A + r_bB²/I_B on the
        base circles, I of the body about the wheel axis. The ground adds nothing; a rack adds cos² α_t / m_B.
    effective_mass
        m_e [kg]. Default: computed from the inertias.
    damping_acts
        "never pulling" (default): in contact, and the force of a flank is max(0, k δ + c δ'), so that it never pulls the teeth
        together. Without backlash, teeth in contact on both flanks have a linear damper. Laws of publications: "in contact", where
        the force may pull; "always": also in the gap; "limited": in contact, with a damper force not larger than the spring force
        in both directions.
    damping_rate
        What the damper acts on: "deflection" (default) δ' of the teeth, which contains the rates of errors and of a varying
        backlash (Kahraman and Singh, 1990); or "approach" du/dt, only the relative speed of the base circles, as in some
        publications.
    backlash
        b [m]. Default None: from the geometry of the pair. 0: contact on both flanks without play. A function over the mesh cycle
        or a `Varying`, also over time, for a backlash that varies; or a list of numbers and such values, which are added.
    backlash_side
        Position of the teeth in the backlash at u = 0: "centred" (default; offset b/2), "drive" (contact on the drive flank,
        offset 0) or "coast" (contact on the coast flank, offset b).
    smoothing
        Length over which the corners of the backlash are rounded [m]. Default None: sharp.
    error
        Transmission error x [m], added to u: a number, a function over the mesh cycle, a `Varying`, also over time, or a list of
        these, which are added. Default: none.
    energy_consistent
        Whether errors and varying stiffness also cause the torque that makes their force a gradient: f dx/dψ and (dk/dψ) [[s]]²/2.
        Otherwise they add or remove energy, as in classical torsional models. Values over time always do. Default True.
    friction
        Coefficient of friction μ, against the sliding velocity: a number, `Stribeck(...)`, a `Table` over the sliding speed
        [m/s], (speeds, coefficients), or a `FrictionTable` over sliding speed and load. Default: none.
    sliding
        Where the teeth slide for friction. "pitch point" (default): with the velocity of the bodies there, which is zero for
        wheels on parallel or intersecting axes with fixed centres. "path of contact", for parallel axes: mean sliding over the
        path of contact, so that the mean power loss is μ H_v of the power (Niemann, Ohlendorf).
    friction_speed
        v_0 [m/s] of μ v / sqrt(v² + v_0²). Default 1 mm/s.
    efficiency
        Efficiency η of the mesh, for pairs whose pitch point does not slide: one number, or two (a drives, b drives). Default:
        none.
    efficiency_speed
        Speed of ψ_A [rad/s] over which the sign of the loss is regularised. Default 1e-3 rad/s.
    sticks
        If True, friction or losses hold at rest without creep, up to μ abs(f) / cos α at zero speed, or up to the loss of either
        direction of motion. There is no regularisation: friction_speed and efficiency_speed have no effect. Friction acts along
        the teeth. The efficiency of one direction may be zero or negative: the pair is then self-locking. Default False.
    contact
        "point" (default), or "line": contact over the face width, with resistance to a tilt about the line of centres.
    tilt
        Whether the mesh responds to the tilt of the wheels in the plane of action. The stiffness is then distributed evenly
        over the face width b as k/b. A tilt f of a flank (the slope of its gap along the face) adds f ζ to the approach at the
        distance ζ from the middle of the face. The load moves to one end, an end may lift off, and a moment from the same
        energy resists the tilt. `face_load_factor` is K_Hβ of this load. Default None: True if a wheel is on a shaft or
        another elastic structure, both gears have a face width, and the axes are parallel. Not with contact="line" or smoothing.
    line_of_action
        Direction of the tooth force. "automatic" (default): normal to the loaded flank, so that the flanks push the wheels apart.
        "clockwise": always the normal of the drive flank. "counter-clockwise": always that of the coast flank. If the other flank
        is loaded, a fixed line of action pulls the wheels together.
    separating
        Whether inclined flanks push the wheels apart with the force abs(f) tan α. Default True. False omits this force, as in
        torsional and many planar models: the tooth force then acts only in the hoop direction, regardless of the motion of the
        centres. No other value changes: `along` converts with the pressure angle as before, and normal_force is still f / cos α.
    follow_centres
        Whether the approach increases when the centres move closer, by y: s = u + x ± y sin α_t − offset on the drive and the
        coast flank of parallel axes. The backlash decreases by 2 y sin α_t, until both flanks are in contact. The separating
        force then follows from the energy of the teeth, as in models that measure all displacements of the wheels along the
        line of action (Lin and Parker, 1999). Default None: True, unless separating is False. False (Cardona, 1997): the
        separating force has no potential, and loaded wheels on elastic bearings with little damping may vibrate without
        excitation. If the centres cannot move, both give the same results.
    """

    stiffness: tuple[Variable, ...] | str
    along: str | None
    torque: float | None
    tooth_stiffness: tuple[float, float] | None
    contact_ratio: float | None
    tooth_variation: str
    damping: float | tuple[Variable, ...] | None
    damping_ratio: float | None
    effective_mass: float | None
    damping_acts: str
    damping_rate: str
    backlash: float | tuple[Variable, ...] | None
    backlash_side: str
    smoothing: float | None
    error: tuple[Variable, ...]
    energy_consistent: bool
    friction: Friction | None
    friction_speed: float
    efficiency: tuple[float, float] | None
    efficiency_speed: float
    sticks: bool
    sliding: str
    contact: str
    tilt: bool | None
    line_of_action: str
    separating: bool
    follow_centres: bool

    def __init__(
        self,
        stiffness: object = ISO_6336,
        *,
        along: str | None = None,
        torque: object = None,
        tooth_stiffness: object = None,
        contact_ratio: object = None,
        tooth_variation: str = "mesh cycle",
        damping: object = None,
        damping_ratio: object = None,
        effective_mass: object = None,
        damping_acts: str = "never pulling",
        damping_rate: str = "deflection",
        backlash: object = None,
        backlash_side: str = "centred",
        smoothing: object = None,
        error: object = None,
        energy_consistent: bool = True,
        friction: object = None,
        friction_speed: object = "1 mm/s",
        efficiency: object = None,
        efficiency_speed: object = "1e-3 rad/s",
        sticks: bool = False,
        sliding: str = "pitch point",
        contact: str = "point",
        tilt: bool | None = None,
        line_of_action: str = "automatic",
        separating: bool = True,
        follow_centres: bool | None = None,
    ) -> None:
        what = Subject("Elastic")
        values: dict[str, object] = {
            "stiffness": _read_stiffness(stiffness, what / "stiffness"),
            "along": read_along(along, what / "along"),
            "torque": _read_torque(torque, stiffness, what / "torque"),
            **_read_teeth(what, tooth_stiffness, contact_ratio, tooth_variation, stiffness),
            "smoothing": optional(smoothing, "length", what / "smoothing"),
            "contact": choice(contact, ("point", "line"), what / "contact"),
            "tilt": _read_tilt(tilt, contact, smoothing, line_of_action, what / "tilt"),
            **read_damping(
                what, damping=damping, damping_ratio=damping_ratio, effective_mass=effective_mass, damping_acts=damping_acts,
                damping_rate=damping_rate,
            ),
            **read_flanks(
                what, backlash=backlash, backlash_side=backlash_side, error=error, energy_consistent=energy_consistent,
                friction=friction, friction_speed=friction_speed, efficiency=efficiency, efficiency_speed=efficiency_speed,
                sticks=sticks, sliding=sliding, line_of_action=line_of_action,
                separating=separating, follow_centres=follow_centres,
            ),
        }  # fmt: skip
        for name, value in values.items():
            object.__setattr__(self, name, value)


def _read_teeth(what: Subject, tooth: object, ratio: object, variation: object, stiffness: object) -> dict[str, object]:
    """Read the stiffness of single teeth, in place of that of the mesh."""
    found: dict[str, object] = {
        "tooth_stiffness": None,
        "contact_ratio": None if ratio is None else quantity(ratio, "number", what=what / "contact_ratio"),
        "tooth_variation": choice(variation, TOOTH_VARIATIONS, what / "tooth_variation"),
    }
    if tooth is None:
        if ratio is not None or variation != TOOTH_VARIATIONS[0]:
            name = "tooth_variation" if ratio is None else "contact_ratio"
            raise ModelError(
                f"{what}: {name} needs tooth_stiffness; specify it too, or omit {name}", about=what.at(name)
            )
        return found
    if not (isinstance(stiffness, str) and stiffness.strip() == ISO_6336):
        raise ModelError(
            f"{what}: stiffness is that of the mesh, tooth_stiffness that of one tooth; specify one of them",
            about=what.at("tooth_stiffness"),
        )
    items = tuple(tooth) if isinstance(tooth, (list, tuple)) else (tooth, tooth)
    if len(items) != 2:
        raise ModelError(
            f"{what}: tooth_stiffness is one number, or two: (a, b); got {len(items)}: {shown(tooth)}",
            about=what.at("tooth_stiffness"),
        )
    found["tooth_stiffness"] = tuple(positive(item, "stiffness", what / "tooth_stiffness") for item in items)
    given = found["contact_ratio"]
    if isinstance(given, float) and not 1.0 <= given <= LARGEST_CONTACT_RATIO:
        raise ModelError(
            f"{what}: contact_ratio must be between 1 and {LARGEST_CONTACT_RATIO:g}, got {given:g}",
            about=what.at("contact_ratio"),
        )
    return found


def _read_tilt(value: object, contact: object, smoothing: object, line_of_action: object, what: Subject) -> bool | None:
    found = read_tilt(value, what)
    if found and line_of_action != "automatic":
        raise ModelError(
            f"{what}: a tilt in the plane of action of each flank needs both flanks; omit line_of_action, or specify "
            "tilt=False",
            about=what,
        )
    if found and contact == "line":
        raise ModelError(
            f'{what}: tilt and contact="line" both model a tilt (contact="line" about the line of centres); specify one',
            about=what,
        )
    if found and smoothing is not None:
        raise ModelError(
            f"{what}: smoothing is not possible with tilt; omit smoothing, or specify tilt=False", about=what
        )
    return found


def _read_stiffness(value: object, what: Subject) -> tuple[Variable, ...] | str:
    if isinstance(value, str) and value.strip() == LOADED:
        return LOADED
    if isinstance(value, str) and value.strip() == ISO_6336:
        return ISO_6336
    return read_springs(value, what)


def _read_torque(value: object, stiffness: object, what: Subject) -> float | None:
    loaded = isinstance(stiffness, str) and stiffness.strip() == LOADED
    if value is None:
        if loaded:
            raise ModelError(
                'Elastic: stiffness "loaded" needs a torque on wheel B; specify it, such as torque="100 N*m", or use '
                "Loaded(), whose stiffness depends on the load",
                about=what,
            )
        return None
    if not loaded:
        raise ModelError('Elastic: torque needs stiffness="loaded"; specify it too, or omit torque', about=what)
    torque = quantity(value, "torque", what=what)
    if torque == 0.0:
        raise ModelError(
            f"{what}: must not be zero, got {shown(value)}; at zero load the stiffness is not defined", about=what
        )
    return torque


# ---- rigid

# Rigid: rigid teeth.


@names_wrong_arguments
@dataclass(frozen=True, eq=False, init=False)
class Rigid:
    """Rigid teeth: the constraint u + x = 0 on the approach u and the errors x. Its multiplier is the tooth force.

    With backlash b both flanks are unilateral: −b <= u + x − offset <= 0, with zero force in between.

    Parameters
    ----------
    along, backlash_side, error, energy_consistent
        As in `Elastic`.
    backlash
        b [m]. Default None: from the geometry of the pair. 0: no backlash. It can vary, as in `Elastic`.
    friction, friction_speed, sliding, efficiency, efficiency_speed, sticks, line_of_action, separating
        As in `Elastic`.
    contact
        "point" (default), or "line": a second constraint keeps the teeth parallel, without tilt about the line of centres. Its
        multiplier is the moment that the teeth transmit; as a second contact force at half the face width it is the signal
        `second_contact_force`. It needs the face widths, parallel or intersecting axes, and no backlash.
    follow_centres
        As in `Elastic`, but the default is False for both methods: rigid teeth constrain u regardless of the motion of the
        centres. On elastic bearings their separating force then has no potential. Specify True there, or use `Elastic`.
    method
        "multiplier" (default), or "penalty": a stiff spring with a damping ratio of 0.1 (if the wheels have an inertia).
    penalty
        Stiffness of that spring [N/m]. Default: ten times that of ISO 6336, which is on the base circle.
    restitution
        Speed of the teeth after an impact divided by their speed before it, from 0 to 1. It applies to the method "multiplier"
        with backlash. Default 0: no rebound.
    """

    along: str | None
    backlash: float | tuple[Variable, ...] | None
    backlash_side: str
    error: tuple[Variable, ...]
    energy_consistent: bool
    friction: Friction | None
    friction_speed: float
    efficiency: tuple[float, float] | None
    efficiency_speed: float
    sticks: bool
    sliding: str
    contact: str
    method: str
    penalty: float | None
    line_of_action: str
    separating: bool
    follow_centres: bool
    restitution: float

    def __init__(
        self,
        *,
        along: str | None = None,
        backlash: object = None,
        backlash_side: str = "centred",
        error: object = None,
        energy_consistent: bool = True,
        friction: object = None,
        friction_speed: object = "1 mm/s",
        efficiency: object = None,
        efficiency_speed: object = "1e-3 rad/s",
        sticks: bool = False,
        sliding: str = "pitch point",
        contact: str = "point",
        method: str = "multiplier",
        penalty: object = None,
        line_of_action: str = "automatic",
        separating: bool = True,
        follow_centres: bool = False,
        restitution: object = 0.0,
    ) -> None:
        what = Subject("Rigid")
        method = choice(method, ("multiplier", "penalty"), what / "method")
        if penalty is not None and method != "penalty":
            raise ModelError(
                f'{what}: penalty is the stiffness for method="penalty"; specify this method too, or omit penalty',
                about=what.at("penalty"),
            )
        e = quantity(restitution, "number", what=what / "restitution")
        if not 0.0 <= e <= 1.0:
            raise ModelError(f"{what}: restitution must be between 0 and 1, got {e:g}", about=what.at("restitution"))
        if e and method == "penalty":
            raise ModelError(
                f'{what}: restitution is for method="multiplier"; the spring of method="penalty" rebounds by itself. Omit one '
                "of them",
                about=what.at("restitution"),
            )
        if e and backlash is not None and read_backlash(backlash, what / "backlash") == 0.0:
            raise ModelError(
                f"{what}: restitution has no effect without backlash, because the teeth never separate; omit it, or specify "
                "backlash",
                about=what.at("restitution"),
            )
        if follow_centres and method == "multiplier" and isinstance(read_backlash(backlash, what / "backlash"), tuple):
            raise ModelError(
                f"{what}: rigid teeth cannot follow their centres with a backlash that varies; omit follow_centres, or use "
                "Elastic(...)",
                about=what.at("follow_centres"),
            )
        values: dict[str, object] = {
            "restitution": e,
            "along": read_along(along, what / "along"),
            "method": method,
            "contact": choice(contact, ("point", "line"), what / "contact"),
            "penalty": None if penalty is None else positive(penalty, "stiffness", what / "penalty"),
            **read_flanks(
                what, backlash=backlash, backlash_side=backlash_side, error=error, energy_consistent=energy_consistent,
                friction=friction, friction_speed=friction_speed, efficiency=efficiency, efficiency_speed=efficiency_speed,
                sticks=sticks, sliding=sliding, line_of_action=line_of_action,
                separating=separating, follow_centres=follow_centres,
            ),
        }  # fmt: skip
        for name, value in values.items():
            object.__setattr__(self, name, value)


# ---- rolling

# Rolling: wheels as ideal pitch surfaces.

_LARGEST_TEETH = 10_000


@names_wrong_arguments
@dataclass(frozen=True, eq=False, init=False)
class Rolling:
    """Pitch surfaces that roll on each other without slip: one constraint with one multiplier.

    The force acts along the pitch circles, at one common point of both bodies. There is no separating force and no axial
    force. For spur, helical, internal and bevel pairs and racks, on bodies that may move. Teeth are counted as whole numbers,
    so that the accuracy does not depend on the number of revolutions.

    Parameters
    ----------
    ratio
        r_b / r_a = z_b / z_a, for bodies without gears. Their z axes are the wheel axes, their origins the centres. The radii
        follow from their positions: on parallel axes r_a = l/(1 + ratio) for centres at the distance l. On intersecting axes
        the distances of the centres from the apex define the radii, and must agree with the ratio. It must be a ratio of whole
        numbers up to 10000. Two shafts on one axis: speed of a divided by speed of b, negative for opposite directions; see
        `Model.ratio`.
    internal
        With `ratio`: if True, the larger wheel is a ring around the smaller one, r_a = l/abs(1 - ratio). Default False.
    radius
        Radius of a pinion a without a gear [m]. b is then a rack that moves along its y axis; its x axis points towards the pinion.
    efficiency
        Two shafts on one axis: efficiency of the gearbox, one number, or two (a drives, b drives), as in `Model.ratio`. Default:
        no losses.
    """

    ratio: Fraction | None
    internal: bool
    radius: float | None
    efficiency: tuple[float, float] | None

    def __init__(
        self, *, ratio: object = None, internal: bool = False, radius: object = None, efficiency: object = None
    ) -> None:
        what = Subject("Rolling")
        if ratio is not None and radius is not None:
            raise ModelError(
                "Rolling: ratio is for two wheels, radius for a pinion on a rack; specify one of them",
                about=what.at("radius"),
            )
        if flag(internal, what / "internal") and ratio is None:
            raise ModelError(
                "Rolling: internal needs ratio; gears define themselves whether they are internal",
                about=what.at("internal"),
            )
        object.__setattr__(self, "ratio", None if ratio is None else _whole(ratio, what / "ratio"))
        found = read_efficiency(efficiency, None, what / "efficiency", locking=True)
        object.__setattr__(self, "efficiency", found)
        if found is not None and ratio is None:
            raise ModelError(
                "Rolling: efficiency is for two shafts on one axis, with ratio; for gears use Rigid(efficiency=...)",
                about=what.at("efficiency"),
            )
        if internal and self.ratio == 1:
            raise ModelError(
                "Rolling: a ring and a wheel of the same size (ratio 1) have the same centre and cannot roll",
                about=what.at("ratio"),
            )
        if internal and self.ratio is not None and self.ratio < 0:
            raise ModelError(
                f"Rolling: for a ring, ratio must be greater than zero, got {shown(ratio)}", about=what.at("ratio")
            )
        object.__setattr__(self, "internal", internal)
        object.__setattr__(self, "radius", None if radius is None else positive(radius, "length", what / "radius"))

    @property
    def needs_gears(self) -> bool:
        """Whether the radii are those of gears."""
        return self.ratio is None and self.radius is None

    @property
    def teeth(self) -> tuple[int, int]:
        """Whole numbers of the ratio: z_a, z_b."""
        assert self.ratio is not None
        return self.ratio.denominator, self.ratio.numerator


def _whole(value: object, what: Subject) -> Fraction:
    number = float(value) if isinstance(value, Fraction) else quantity(value, "number", what=what)
    if number == 0.0:
        raise ModelError(
            f"Rolling: ratio must not be zero, got {shown(value)}; for a ring specify internal=True",
            about=what,
        )
    found = Fraction(number).limit_denominator(_LARGEST_TEETH)
    if found == 0 or abs(float(found) - number) > 1e-12 * abs(number) or abs(found.numerator) > _LARGEST_TEETH:
        raise ModelError(
            f"Rolling: ratio {shown(value)} is not a ratio of whole numbers up to {_LARGEST_TEETH}, so that revolutions cannot be "
            "counted exactly; specify it as Fraction(z_b, z_a)",
            about=what,
        )
    return found
