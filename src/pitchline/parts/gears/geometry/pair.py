"""Two gears in mesh: compatibility, relative position and geometry of contact."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from pitchline.base.arguments import names_wrong_arguments
from pitchline.errors import ModelError, Subject, shown
from pitchline.units.quantity import quantity

from . import axes as alignment
from . import contact, placement
from .contact import PathOfContact, tip_clearances
from .gear import Gear
from .inputs import in_deg, in_mm
from .involute import involute
from .kinds import (
    ANGLE_TOLERANCE,
    Kind,
    PitchGeometry,
    WorkingGeometry,
    beveloid_pitch,
    check_distance,
    decide,
    parallel_pitch,
    reference_centre_distance,
    reference_pitch,
    working_geometry,
)
from .rack import Rack

if TYPE_CHECKING:
    from .table import DataSheet

__all__ = ["parallel_interference", "tips_collide", "GearPair"]


# ---- interference

# Where the teeth of two wheels on parallel axes get in each other's way outside the path of contact.

_LEAST_CLEARANCE = 0.1
"""Least clearance between tip and root, in units of m_n, that is usual."""


def _form_length(wheel: Gear) -> float:
    """ρ_Ff = sqrt(d_Ff² − d_b²)/2 [m], the radius of curvature where the involute ends towards the root."""
    return 0.5 * math.sqrt(max(0.0, wheel.root_form_diameter**2 - wheel.base_diameter**2))


def tips_collide(pinion: Gear, ring: Gear, running: WorkingGeometry) -> bool:
    """Whether the tips of a pinion and of its internal gear collide outside the mesh.

    The tip circles cross at the angle φ_1 from the centre line about the pinion's centre, φ_2 about the ring's. The
    tip of the pinion gets there before that of the ring's tooth where

        (z_1/z_2) (φ_1 + inv α_a1 − inv α_wt) + inv α_wt − inv α_a2 >= φ_2 .
    """
    a, r_1, r_2 = running.centre_distance, 0.5 * pinion.tip_diameter, 0.5 * ring.tip_diameter
    r_2 = max(r_2, 0.5 * ring.base_diameter)
    cosine_1 = (r_2**2 - r_1**2 - a**2) / (2.0 * a * r_1)
    cosine_2 = (r_2**2 + a**2 - r_1**2) / (2.0 * a * r_2)
    if r_1 >= a + r_2:
        return True  # the whole tip circle of the ring lies within that of the pinion
    if not (-1.0 < cosine_1 < 1.0 and -1.0 < cosine_2 < 1.0):
        return False  # the tip circles do not cross
    inv_w = involute(running.pressure_angle)
    inv_1 = involute(pinion.pressure_angle_at(2.0 * r_1))
    inv_2 = involute(ring.pressure_angle_at(2.0 * r_2))
    turned = (math.acos(cosine_1) + inv_1 - inv_w) * pinion.teeth / ring.teeth
    return turned + inv_w - inv_2 < math.acos(cosine_2)


def parallel_interference(a: Gear, b: Gear, running: WorkingGeometry, path: PathOfContact) -> Iterator[str]:
    """Return warnings for tips that touch fillets, tips without clearance, and colliding tips of an internal pair."""
    span = running.centre_distance * math.sin(running.pressure_angle)
    if not a.internal:
        yield from _root_of("A", "B", a, path.start)
    if not b.internal:
        lowest = path.start - span if a.internal else (span - path.end if not b.internal else 0.0)
        yield from _root_of("B", "A", b, lowest)
    c_a, c_b = tip_clearances(a, b, running.centre_distance)
    for tip, root, clearance in (("A", "B", c_a), ("B", "A", c_b)):
        if clearance < _LEAST_CLEARANCE * a.normal_module:
            yield (
                f"clearance between the tips of {tip} and the roots of {root} is {in_mm(clearance)}, less than "
                f"{_LEAST_CLEARANCE:g} m_n. Shorten the tips of {tip} (tip_alteration; GearPair.shortened does this)"
            )
    if a.internal or b.internal:
        pinion, ring = (b, a) if a.internal else (a, b)
        if tips_collide(pinion, ring, running):
            yield (
                f"the tips of {pinion.teeth} and {ring.teeth} teeth collide outside the mesh. Use a larger "
                "difference of tooth numbers, shorter tips or a larger pressure angle"
            )


def _root_of(wheel: str, other: str, gear: Gear, lowest: float) -> Iterator[str]:
    form = _form_length(gear)
    if lowest < -1e-9 * gear.normal_module:
        yield (
            f"the path of contact extends {in_mm(-lowest)} beyond the base circle of {wheel}: the tips of {other} cut into "
            f"its roots. Shorten the tips of {other}, or increase the profile shift of {wheel}"
        )
    elif lowest < form - 1e-9 * gear.normal_module:
        yield (
            f"the tips of {other} touch the fillets of {wheel}: contact would begin {in_mm(lowest)} from its base "
            f"circle, but its involute begins {in_mm(form)} from it. Shorten the tips of {other}, or use more profile shift or a "
            f"smaller root radius for {wheel}"
        )


_OVERLAP_TOLERANCE = 0.02
"""Overlap of teeth and spaces, in units of m_n, above which it is an error and not round-off."""

_WITHOUT_CONTACT_RATIO = (Kind.HYPOID, Kind.BEVELOID)


@names_wrong_arguments
@dataclass(frozen=True, init=False, repr=False)
class GearPair:
    """Geometry of two gears in mesh, of any type, without elasticity and bodies.

    Parameters
    ----------
    a, b
        The gears; `b` may be a `Rack`, `a` is then its pinion. Either may drive.
    centre_distance
        Distance between the axes [m]. Parallel axes: by default the distance without backlash (except for backlash
        allowances). If it is specified, working pressure angle and backlash follow from it. Crossed axes and worms: the sum
        of the reference radii; a specified value is checked. Bevel gears: a value other than zero is the offset of a hypoid
        pair, and is checked.
    shaft_angle
        Σ between the axes [rad], 0 to 180 deg. Required for crossed axes, where it is the sum of the helix
        angles; compared with the cone angles of bevel gears, 90 deg for worms, 0 otherwise.
    what
        Name of the pair in messages.

    Attributes
    ----------
    kind : str
        "spur", "helical", "internal", "crossed helical", "worm", "straight bevel", "spiral bevel", "hypoid",
        "beveloid" or "rack and pinion".
    pitch : PitchGeometry
        Pitch radii, angles and triads, in the signs of Cardona.
    running : WorkingGeometry | None
        Working pressure angle and pitch circles of two wheels on parallel axes; None for other kinds.
    """

    a: Gear
    b: Gear | Rack
    kind: Kind
    pitch: PitchGeometry
    running: WorkingGeometry | None
    what: Subject

    def __init__(
        self,
        a: Gear,
        b: Gear | Rack,
        *,
        centre_distance: object = None,
        shaft_angle: object = None,
        what: str = "gear pair",
    ) -> None:
        what = Subject(what)
        if isinstance(a, Rack):
            raise ModelError(
                f"{what}: the first gear is a rack. Specify the pinion first and the rack second", about=what
            )
        if not isinstance(a, Gear) or not isinstance(b, (Gear, Rack)):
            raise ModelError(
                f"{what}: expected two gears, or a gear and a rack, got {shown(a)} and {shown(b)}", about=what
            )
        distance = (
            None if centre_distance is None else quantity(centre_distance, "length", what=what / "centre_distance")
        )
        if distance is not None and distance < 0.0:
            raise ModelError(
                f"{what}: centre_distance must not be negative, got {in_mm(distance)}", about=what.at("centre_distance")
            )
        angle = None if shaft_angle is None else quantity(shaft_angle, "angle", what=what / "shaft_angle")
        if angle is not None and not 0.0 <= angle <= math.pi:
            raise ModelError(
                f"{what}: shaft_angle must be from 0 to 180 deg, got {math.degrees(angle):g} deg",
                about=what.at("shaft_angle"),
            )
        kind = decide(a, b, distance, angle, what)
        running = working_geometry(a, b, distance, what=what) if kind.parallel and isinstance(b, Gear) else None
        if kind is Kind.BEVELOID and isinstance(b, Gear):
            pitch = beveloid_pitch(a, b)
        else:
            pitch = parallel_pitch(a, b, running) if running and isinstance(b, Gear) else reference_pitch(a, b)
        check_distance(kind, pitch, distance, angle, what)
        for name, value in (("a", a), ("b", b), ("kind", kind), ("pitch", pitch), ("running", running), ("what", what)):
            object.__setattr__(self, name, value)
        if running and isinstance(b, Gear):
            self._check_reach(a, b)

    def _check_reach(self, a: Gear, b: Gear) -> None:
        here = f"{self.what}: at a centre distance of {in_mm(self.centre_distance)}"
        if self.backlash < -_OVERLAP_TOLERANCE * self.pitch.normal_module:
            raise ModelError(
                f"{here} the teeth overlap by {in_mm(-self.backlash)}. With profile shifts {a.profile_shift:g} and "
                f"{b.profile_shift:g} the wheels run without backlash at "
                f"{in_mm(working_geometry(a, b, what=self.what).centre_distance)}. Use that distance, or reduce the shifts",
                about=self.what.at("centre_distance"),
            )
        if self.path_of_contact.length <= 0.0:
            raise ModelError(
                f"{here} the teeth do not touch each other. Tip radii are {in_mm(0.5 * a.tip_diameter)} and "
                f"{in_mm(0.5 * b.tip_diameter)}, the reference centre distance "
                f"{in_mm(self.reference_centre_distance)}. Move the wheels to that distance, or use longer teeth",
                about=self.what.at("centre_distance"),
            )

    def __repr__(self) -> str:
        second = "rack" if isinstance(self.b, Rack) else f"{self.b.teeth}"
        where = (
            f"{in_mm(self.centre_distance)} apart" if self.centre_distance > 1e-12 else f"at {in_deg(self.shaft_angle)}"
        )
        return f"GearPair({self.kind}, {self.a.teeth} : {second} teeth, {where})"

    # --------------------------------------------------------------------------------------------- how they run

    @property
    def ratio(self) -> float:
        """z_B / z_A; infinite for a rack."""
        return math.inf if isinstance(self.b, Rack) else self.b.teeth / self.a.teeth

    @property
    def speed_ratio(self) -> float:
        """ω_B / ω_A about the gears' own z axes, with B placed by `place`: −z_A/z_B, or +z_A/z_B if one gear is internal.

        Also + for bevel gears if the z axis of one points to the apex. For a rack: its speed along its y axis for
        ω_A = 1 rad/s [m/rad].
        """
        return self.pitch.speed_ratio

    @property
    def centre_distance(self) -> float:
        """a [m] between the axes: 0 for bevel gears, the offset of a hypoid pair; for a rack: distance to its reference line."""
        return self.pitch.axis_distance

    @property
    def shaft_angle(self) -> float:
        """Σ [rad] between the axes: 0 if they are parallel; for a rack: from the axis of the pinion to its z axis."""
        return 0.0 if self.kind.parallel else self.pitch.shaft_angle

    @property
    def working_diameters(self) -> tuple[float, float]:
        """d_w of A and B [m], of the circles through the pitch point; infinite for a rack."""
        return 2.0 * self.pitch.radius_a, 2.0 * self.pitch.radius_b

    @property
    def transverse_working_pressure_angle(self) -> float:
        """α_wt [rad] in the transverse section of A: tan α_wt = tan α_wn / cos β_w."""
        self._one_for_both_flanks("working pressure angle")
        return math.atan(math.tan(self.pitch.pressure_angle) / math.cos(self.pitch.beta_a))

    @property
    def normal_working_pressure_angle(self) -> float:
        """α_wn [rad]: of the normal section at the pitch point."""
        self._one_for_both_flanks("working pressure angle")
        return self.pitch.pressure_angle

    def _one_for_both_flanks(self, quantity: str) -> None:
        if self.kind is Kind.BEVELOID:
            raise ModelError(
                f"{self.what}: the two flanks of conical involute gears have different angles. There is no single {quantity}"
            )

    @property
    def working_helix_angles(self) -> tuple[float, float]:
        """β_w of A and B [rad] on the pitch surfaces, positive right-hand."""
        sign_b = self.b.sense if isinstance(self.b, Gear) else 1.0
        return -self.a.sense * self.pitch.beta_a, -sign_b * self.pitch.beta_b

    @property
    def reference_centre_distance(self) -> float:
        """a_d [m]: centre distance at which the reference circles touch (for a rack: circle and reference line); a "
        "for other types."""
        if self.kind.parallel and isinstance(self.b, Gear):
            return reference_centre_distance(self.a, self.b)
        return self.centre_distance - self.pitch.rack_offset

    # -------------------------------------------------------------------------------------------------- contact

    @property
    def face_width(self) -> float:
        """b [m]: the smaller of both face widths."""
        return min(self.a.required_face_width("contact"), self.b.required_face_width("contact"))

    @cached_property
    def path_of_contact(self) -> contact.PathOfContact:
        """The path of contact in the transverse section.

        For parallel axes and rack and pinion. Worms at right angles: in the axial section of the worm, from T of the wheel.
        Bevel gears: path of their equivalent cylinders. Other pairs have no path of contact in one section.
        """
        a, b = self.a, self.b
        if self._touches_in_points:
            raise ModelError(f"{self.what}: a {self.kind} pair has no path of contact in one transverse section")
        if isinstance(b, Rack):
            return contact.rack_path(a, height=b.addendum - self.pitch.rack_offset)
        if self.running is not None:
            return contact.parallel_path(
                a, b, centre_distance=self.running.centre_distance, pressure_angle=self.running.pressure_angle
            )
        if self.kind.bevel:
            return contact.bevel_path(a, b)
        return contact.worm_path(a, b) if a.worm else contact.worm_path(b, a)

    @property
    def _touches_in_points(self) -> bool:
        """Crossed axes, worms apart whose wheel is cut to envelop them."""
        square = abs(self.shaft_angle - 0.5 * math.pi) <= ANGLE_TOLERANCE
        if isinstance(self.b, Rack):
            return self.shaft_angle > ANGLE_TOLERANCE
        if self.kind is Kind.BEVELOID:
            return True
        return self.kind.crossed and not (self.kind is Kind.WORM and square and (self.a.worm or self.b.worm))

    @property
    def transverse_contact_ratio(self) -> float:
        """ε_α: mean number of tooth pairs in contact, in the transverse section; for crossed axes: in total."""
        if self.kind in _WITHOUT_CONTACT_RATIO:
            raise ModelError(
                f"{self.what}: the contact ratio of a {self.kind} pair has no closed form; it requires the flanks"
            )
        if self._touches_in_points:
            return contact.crossed_contact_ratio(self.a, self.b)
        return self.path_of_contact.contact_ratio

    @property
    def overlap_ratio(self) -> float:
        """ε_β = b sin abs(β) / (π m_n); 0 for crossed axes, which have point contact."""
        self._one_for_both_flanks("overlap ratio")
        if self.kind.crossed or self._touches_in_points or not self.a.helix_angle:
            return 0.0
        return self.face_width * math.sin(abs(self.a.helix_angle)) / self.a.normal_pitch

    @property
    def total_contact_ratio(self) -> float:
        """ε_γ = ε_α + ε_β."""
        return self.transverse_contact_ratio + self.overlap_ratio

    @property
    def loss_factor(self) -> float:
        """H_v: mean power loss by friction of the teeth, divided by the power and the coefficient of friction; for parallel axes.

        H_v = 2π (1/z_1 + 1/z_2)/cos β_b · g/p_et, where g is the mean distance of the contacts from the pitch point if the pairs
        in contact share the load equally (`PathOfContact.mean_distance`): at any contact ratio, and wherever the pitch point is.
        z_2 is negative for a ring gear.

        For a contact ratio ε_α of 1 to 2, and ε_1 and ε_2 of 0 to 1, this is the formula of Ohlendorf (1958) and Niemann,
        π (u + 1)/(z_1 u cos β_b) (1 − ε_α + ε_1² + ε_2²). Outside of this range the formula is not the mean of equally loaded
        pairs: if ε_1 is greater than 1, for example, its last factor is larger by (1 − ε_1)².
        """
        rack = isinstance(self.b, Rack)
        if self._touches_in_points or not (rack or self.kind.parallel):
            raise ModelError(f"{self.what}: the loss factor is for parallel axes, not for a {self.kind} pair")
        path = self.path_of_contact
        signs = [-1.0 if isinstance(gear, Gear) and gear.internal else 1.0 for gear in (self.a, self.b)]
        slowness = signs[0] / self.a.teeth + (0.0 if isinstance(self.b, Rack) else signs[1] / self.b.teeth)
        sine = math.sin(self.a.helix_angle) * math.cos(self.a.normal_pressure_angle)  # sin β_b
        return 2.0 * math.pi * abs(slowness) * path.mean_distance / path.base_pitch / math.sqrt(1.0 - sine**2)

    @property
    def tip_clearances(self) -> tuple[float, float]:
        """c_A, c_B [m]: from the tips of A to the roots of B, from the tips of B to the roots of A."""
        a, b, apart = self.a, self.b, self.pitch.rack_offset
        if isinstance(b, Gear) and self.kind.parallel:
            return contact.tip_clearances(a, b, self.centre_distance)
        return b.dedendum - a.addendum + apart, a.dedendum - b.addendum + apart

    # ------------------------------------------------------------------------------------------------- backlash

    @cached_property
    def backlash(self) -> float:
        """j_wn [m]: across the teeth (η3) on the pitch surfaces; as the b of a mesh with along="hoop"."""
        if self.running is not None and isinstance(self.b, Gear):
            j = contact.backlash(self.a, self.b, self.running) * math.cos(self.pitch.beta_a)
            return j if abs(j) > 1e-12 * self.pitch.normal_module else 0.0  # a difference of thicknesses: rounding
        return self.a.backlash_allowance + self.b.backlash_allowance

    @property
    def circumferential_backlash(self) -> float:
        """j_wt = j_wn / cos β_w [m]: an arc of the pitch circle of A."""
        return self.backlash / math.cos(self.pitch.beta_a)

    @property
    def normal_backlash(self) -> float:
        """j_bn = j_wn cos α_wn [m]: the shortest distance of the flanks; the b of a mesh with along="normal".

        On the base circle it is j_bn / cos β_b.
        """
        return self.backlash * math.cos(self.pitch.pressure_angle)

    def data_sheet(self) -> DataSheet:
        """Table of the quantities of the pair: rows of symbol, name, value and unit. It can be printed."""
        from .table import data_sheet  # it knows pairs

        return data_sheet(self)

    # ---------------------------------------------------------------------------------------------- other pairs

    def shortened(self) -> GearPair:
        """Return the pair with tip alteration k = (a − a_d)/m_n − (x_A + x_B), which gives the clearance of the basic rack.

        For external gears with parallel axes; other pairs are returned unchanged (k = 0).
        """
        a, b = self.a, self.b
        if isinstance(b, Rack) or self.kind not in ("spur", "helical"):
            return self
        k = (
            (self.centre_distance - self.reference_centre_distance) / a.normal_module
            - a.profile_shift
            - b.profile_shift
        )
        return GearPair(
            a.with_(tip_alteration=k), b.with_(tip_alteration=k), centre_distance=self.centre_distance, what=self.what
        )

    # ------------------------------------------------------------------------------------------ where they belong

    def place(
        self,
        *,
        position: object = (0.0, 0.0, 0.0),
        rotation: object = None,
        towards: object = None,
        axial_shift: object = 0.0,
        tooth: int = 0,
    ) -> placement.Placement:
        """Return the pose of gear B in mesh and in phase with gear A in a given pose: see `placement.place`."""
        return placement.place(
            self.pitch,
            position=position,
            rotation=rotation,
            towards=towards,
            axial_shift=axial_shift,
            tooth=tooth,
            what=self.what,
        )

    def align(
        self, position_a: object, rotation_a: object, position_b: object, rotation_b: object
    ) -> alignment.Alignment:
        """Return the mesh of two gears in given poses; an error if they cannot mesh: see `alignment.align`."""
        return alignment.align(self, position_a, rotation_a, position_b, rotation_b)

    # -------------------------------------------------------------------------------------------------- advice

    @cached_property
    def warnings(self) -> tuple[str, ...]:
        """Warnings for each gear and for the pair."""
        found = [f"wheel A: {text}" for text in self.a.warnings]
        if isinstance(self.b, Gear):
            found += [f"wheel B: {text}" for text in self.b.warnings]
            if self.running is not None:
                found += parallel_interference(self.a, self.b, self.running, self.path_of_contact)
                if self.backlash < -1e-9 * self.pitch.normal_module:
                    found.append(
                        f"the teeth overlap by {in_mm(-self.backlash)} on the pitch circle. Increase the centre distance"
                    )
        if self.kind not in _WITHOUT_CONTACT_RATIO:
            ratio = self.transverse_contact_ratio
            if ratio < 1.0 and not (self.a.face_width and self.b.face_width and self.total_contact_ratio >= 1.0):
                found.append(
                    f"the contact ratio is {ratio:.3f}, less than 1: there is not always a pair of teeth in contact"
                )
        return tuple(found)
