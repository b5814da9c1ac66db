"""Elastic: teeth as a spring and damper with backlash, error and friction."""

from __future__ import annotations

from dataclasses import dataclass

from ...arguments import names_wrong_arguments
from ...errors import ModelError, Subject, shown
from ...units import quantity
from .common import (
    Variable,
    choice,
    optional,
    positive,
    read_along,
    read_springs,
    read_tilt,
)
from .friction import Friction
from .options import read_damping, read_flanks

__all__ = ["ISO_6336", "LOADED", "TOOTH_VARIATIONS", "Elastic"]

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
