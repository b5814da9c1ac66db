"""Elastic: teeth as a spring and damper with play, error and friction."""

from __future__ import annotations

from dataclasses import dataclass

from ...arguments import names_wrong_arguments
from ...errors import ModelError, Subject, shown
from ...units import quantity
from .common import (
    ALONG,
    Variable,
    choice,
    optional,
    read_springs,
    read_tilt,
)
from .friction import Friction
from .options import read_damping, read_flanks

__all__ = ["ISO_6336", "LOADED", "Elastic"]

ISO_6336 = "ISO 6336"
LOADED = "loaded"
"""Stiffness and error of loaded tooth contact."""


@names_wrong_arguments
@dataclass(frozen=True, eq=False, init=False)
class Elastic:
    """Elastic teeth: a spring and a damper across the mesh, with play, error and friction.

    With the approach u of the teeth, x the sum of the errors and b the backlash, all in one direction,

        s = u + x − offset ,    [[s]] = s (s >= 0),  0 (−b < s < 0),  s + b (s <= −b) ,    f = k [[s]] + c du/dt

    f > 0 where wheel A pushes forwards (+ψ, the drive flank), f < 0 on the coast flank. Numbers are SI, texts carry
    their unit.

    Parameters
    ----------
    stiffness
        k [N/m] of the mesh (not per width): a number or text, a function over the mesh cycle, a `Varying`, a tuple of
        several of these as springs in series (one per wheel), "ISO 6336" for b c_γα of steel wheels, or "loaded" for that of
        the gears under a `torque`.
    torque
        On wheel B [N m], with stiffness="loaded": positive where the drive flanks of A (left) bear, negative for its coast
        flanks. Loaded tooth contact of the gears, with their modifications, is computed as for `Loaded` when the law is first
        needed, without load and at this torque. From its approach along the base circle, u_0(φ) and u_T(φ), come the stiffness
        k(φ) = F/(u_T − u_0), the average slope between no load and F = T/r_b, and the error −u_0(φ), added to those given. So
        the static transmission error is exact at the torque and without load; the tangent stiffness at the torque, on which
        the wheels vibrate, is some percent greater (up to a fifth for light loads and crowned flanks): `Loaded` has both.
        The other flank gets the same stiffness and error, as in every Elastic: where teeth hammer on both use `Loaded`.
    along
        The direction in which stiffness, damping, effective mass, backlash, smoothing and errors are measured: "line
        of action" (across the flanks), or "hoop" (across the teeth on the pitch surface, η3). With the working normal
        pressure angle α: k_hoop = k cos² α, c_hoop = c cos² α, m_hoop = m cos² α, length_hoop = length / cos α.
    damping, damping_ratio
        c [N s/m], or ζ with c = 2 ζ sqrt(k m_e), k being the mean stiffness; not both. Without either there is none.
        1/m_e = c_A²/I_A + c_B²/I_B in the hoop direction, c = m_n z/2 = r cos β, I of the body about the wheel axis;
        nothing of the ground; of a rack cos² β_B / m_B.
    effective_mass
        m_e [kg] in place of that from the inertias.
    damping_acts
        "in contact"; "always", also in the gap; or "never pulling": in contact, the damper force at most as large as
        that of the spring, so that both together never hold the teeth back.
    backlash
        b [m]; None: what the geometry of the pair gives; 0: contact on both flanks without play.
    backlash_side
        Where the teeth stand in the play at u = 0: "centred" (offset b/2), "drive" (touching on the drive flank, offset
        0) or "coast" (offset b).
    smoothing
        The length over which the corners of the play are rounded [m]; None: sharp.
    error
        x [m], a transmission error added to u: a number, a function over the mesh cycle, a `Varying`, or a list of
        them, which add up.
    energy_consistent
        Whether error and varying stiffness also give the torque that makes their force a gradient: f dx/dψ and
        (dk/dψ) [[s]]²/2. Without it they feed or take energy, as in classical torsional models.
    friction
        μ of the teeth at the pitch point, against the sliding velocity: a number, `Stribeck(...)`, a `Table` over the
        sliding speed [m/s], or (speeds, coefficients).
    friction_speed
        v_0 [m/s] of μ v / sqrt(v² + v_0²).
    efficiency
        η of the mesh, for pairs whose pitch point does not slide: one number, or two (a drives, b drives).
    efficiency_speed
        Speed of ψ_A [rad/s] over which the sign of the loss is regularised.
    contact
        "point", or "line": the teeth touch over the face width and resist a tilt about the line of centres.
    tilt
        Whether the teeth feel how the wheels tilt in the plane of action: the stiffness is then spread evenly over the face
        width b, k/b, and a tilt f of a flank (the slope of its gap along the face) adds f ζ to the approach at the distance ζ
        from the middle of the face. The load moves to one end, an end may lift off, and a moment that belongs to the same
        energy resists the tilt. `face_load_factor` is K_Hβ of that load. None: where a wheel sits on a shaft or another elastic
        structure and both gears have a face width, on parallel axes. Not with contact="line" or smoothing.
    separating
        Whether inclined flanks push the wheels apart, by abs(f) tan α. False leaves this force out, as torsional and many planar
        models do: the teeth then act along the hoop alone, however the centres move. Nothing else changes: `along` converts
        with the pressure angle as before, and normal_force is still f / cos α, that of the flank whose radial part is left out.
    follow_centres
        Whether teeth also come closer when their centres do, by y: s = u + x ± y tan α − offset on the drive and the coast flank,
        and the backlash shrinks by 2 y tan α, until both flanks bear. The separating force then belongs to the energy of the
        teeth, as in models that measure along the line of action with all displacements of the wheels (Lin and Parker, 1999).
        None: yes, unless the separating force is left out. False (Cardona, 1997): the separating force has no potential, and
        loaded wheels on elastic bearings with little damping may vibrate by themselves. Where centres cannot move both are alike.
    """

    stiffness: tuple[Variable, ...] | str
    along: str
    torque: float | None
    damping: float | None
    damping_ratio: float | None
    effective_mass: float | None
    damping_acts: str
    backlash: float | None
    backlash_side: str
    smoothing: float | None
    error: tuple[Variable, ...]
    energy_consistent: bool
    friction: Friction | None
    friction_speed: float
    efficiency: tuple[float, float] | None
    efficiency_speed: float
    contact: str
    tilt: bool | None
    separating: bool
    follow_centres: bool

    def __init__(
        self,
        stiffness: object = ISO_6336,
        *,
        along: str = "line of action",
        torque: object = None,
        damping: object = None,
        damping_ratio: object = None,
        effective_mass: object = None,
        damping_acts: str = "in contact",
        backlash: object = None,
        backlash_side: str = "centred",
        smoothing: object = None,
        error: object = None,
        energy_consistent: bool = True,
        friction: object = None,
        friction_speed: object = "1 mm/s",
        efficiency: object = None,
        efficiency_speed: object = "1e-3 rad/s",
        contact: str = "point",
        tilt: bool | None = None,
        separating: bool = True,
        follow_centres: bool | None = None,
    ) -> None:
        what = Subject("Elastic")
        along = choice(along, ALONG, what / "along")
        values: dict[str, object] = {
            "stiffness": _read_stiffness(stiffness, along, what / "stiffness"),
            "along": along,
            "torque": _read_torque(torque, stiffness, what / "torque"),
            "smoothing": optional(smoothing, "length", what / "smoothing"),
            "contact": choice(contact, ("point", "line"), what / "contact"),
            "tilt": _read_tilt(tilt, contact, smoothing, what / "tilt"),
            **read_damping(
                what, damping=damping, damping_ratio=damping_ratio, effective_mass=effective_mass, damping_acts=damping_acts
            ),
            **read_flanks(
                what, backlash=backlash, backlash_side=backlash_side, error=error, energy_consistent=energy_consistent,
                friction=friction, friction_speed=friction_speed, efficiency=efficiency, efficiency_speed=efficiency_speed,
                separating=separating, follow_centres=follow_centres,
            ),
        }  # fmt: skip
        for name, value in values.items():
            object.__setattr__(self, name, value)


def _read_tilt(value: object, contact: object, smoothing: object, what: Subject) -> bool | None:
    found = read_tilt(value, what)
    if found and contact == "line":
        raise ModelError(
            f'{what}: contact="line" is another way to feel a tilt, about the line of centres; say one', about=what
        )
    if found and smoothing is not None:
        raise ModelError(f"{what}: teeth that feel the tilt have no rounded corners; leave out smoothing", about=what)
    return found


def _read_stiffness(value: object, along: str, what: Subject) -> tuple[Variable, ...] | str:
    if isinstance(value, str) and value.strip() == LOADED:
        return LOADED
    if isinstance(value, str) and value.strip() == ISO_6336:
        if along != "line of action":
            raise ModelError(
                f'{what}: ISO 6336 gives it along the line of action; leave out along="{along}"', about=what
            )
        return ISO_6336
    return read_springs(value, what)


def _read_torque(value: object, stiffness: object, what: Subject) -> float | None:
    loaded = isinstance(stiffness, str) and stiffness.strip() == LOADED
    if value is None:
        if loaded:
            raise ModelError(
                'Elastic: stiffness "loaded" is that under a torque on wheel B; give it, such as torque="100 N*m", or use '
                "Loaded(), whose stiffness follows the load",
                about=what,
            )
        return None
    if not loaded:
        raise ModelError('Elastic: torque goes with stiffness="loaded"; say that too, or leave it out', about=what)
    torque = quantity(value, "torque", what=what)
    if torque == 0.0:
        raise ModelError(
            f"{what}: must not be zero, got {shown(value)}; without load teeth have no stiffness", about=what
        )
    return torque
