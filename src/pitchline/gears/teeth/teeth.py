"""The teeth of a gear: flanks, fillets, roots and tips as exact surfaces, with their microgeometry."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property

import numpy as np
import numpy.typing as npt

from ...arguments import names_wrong_arguments
from ...errors import ModelError, shown
from ..gear import Gear
from ..inputs import angle, in_deg, in_mm, size
from .arrays import FloatArray
from .envelope import RackFillet, RackRoot
from .flank import ToothFlank
from .generating_rack import GeneratingRack
from .involute_flank import rack_flank
from .junction import Junction
from .modification import Modification, as_modification
from .shaper import RingRoot, ShapedFillet, ShaperCutter, ring_flank, shaper_cutter
from .tip import TipLand

__all__ = ["Teeth"]

_SAMPLES = 9
"""Sections along the face of a beveloid at which its teeth are checked."""


@names_wrong_arguments
class Teeth:
    """The tooth surfaces of a spur, helical or conical involute gear, external or internal.

    External teeth are those a rack leaves that rolls with the wheel: involute helicoids, exact trochoid-like fillets of
    its rounded tips, root. Internal ones are those of a pinion-type shaper cutter. Everything stands in the axes of the
    gear: z its axis, x through the middle of tooth 0, tooth k turned by 2πk/z. **The left flank of tooth 0 is that on
    the +y side**: left, seen from +z with the tip up.

    Parameters
    ----------
    gear
        A cylindrical `Gear`.
    profile_shift_angle
        θ [rad] of a conical involute gear (beveloid): the profile shift grows by tan θ per length along +z; the gear's
        own profile shift and diameters are those in the middle of the face. The basic rack holds in the normal section
        of the tilted rack.
    protuberance, protuberance_angle
        How far the rounded tip of the rack stands out over its flank [m], and the profile angle [rad] between both:
        clears the root for a later finishing of the flanks. The angle is half the pressure angle without it, more
        where the rounded tip asks for it.
    cutter_teeth, cutter_tip_rounding
        Of the shaper cutter of an internal gear: its number of teeth, and the radius [m] of its tips. Without them
        half the teeth of the ring or less, so that it trims no tips, and the root radius of the basic rack.
    left, right
        Modifications of the flanks: a `Modification` or a list of them. `both` is added to both.
    per_tooth
        Modifications of single teeth, added to the others: ``{3: PitchDeviation("5 um")}`` for both flanks of tooth 3,
        ``{(3, "left"): ...}`` for one.

    Attributes
    ----------
    left, right : ToothFlank
        The two sides of a tooth.
    rack : GeneratingRack | None
        What cuts an external gear.
    cutter : ShaperCutter | None
        What cuts an internal gear.
    """

    def __init__(
        self,
        gear: Gear,
        *,
        profile_shift_angle: object = 0.0,
        protuberance: object = 0.0,
        protuberance_angle: object = None,
        cutter_teeth: object = None,
        cutter_tip_rounding: object = None,
        both: object = None,
        left: object = None,
        right: object = None,
        per_tooth: Mapping[object, object] | None = None,
    ) -> None:
        if not isinstance(gear, Gear):
            raise ModelError(f"teeth: expected a Gear, got {shown(gear)}")
        if gear.cone_angle:
            raise ModelError(
                f"teeth: a bevel wheel (cone angle {in_deg(gear.cone_angle)}) has other teeth; use BevelTeeth, "
                "or give profile_shift_angle in place of cone_angle for a conical involute gear"
            )
        self.gear = gear
        self.profile_shift_angle = angle(profile_shift_angle, "teeth: profile_shift_angle", lowest=-60, highest=60)
        self.rack: GeneratingRack | None = None
        self.cutter: ShaperCutter | None = None
        bump = size(protuberance, "length", "teeth: protuberance")
        if gear.internal:
            if self.profile_shift_angle or bump:
                raise ModelError(
                    "teeth: internal teeth are cut by a shaper cutter; profile_shift_angle and protuberance belong to "
                    "external ones: leave them out"
                )
            rounding = cutter_tip_rounding
            self.cutter = shaper_cutter(
                gear,
                cutter_teeth,
                None if rounding is None else size(rounding, "length", "teeth: cutter_tip_rounding"),
            )
        else:
            if cutter_teeth is not None or cutter_tip_rounding is not None:
                raise ModelError("teeth: cutter_teeth and cutter_tip_rounding belong to internal gears; leave them out")
            self.rack = GeneratingRack.of(
                gear,
                tilt=self.profile_shift_angle,
                protuberance=bump,
                protuberance_angle=None
                if protuberance_angle is None
                else angle(protuberance_angle, "teeth: protuberance_angle", lowest=0, highest=60),
            )
        shared = as_modification(both, "teeth: both")
        self.left = self._flank(1.0, shared + as_modification(left, "teeth: left"))
        self.right = self._flank(-1.0, shared + as_modification(right, "teeth: right"))
        self._read_per_tooth(per_tooth or {})
        self._check()

    # ------------------------------------------------------------------------------------------------------ its parts

    def _flank(self, side: float, modification: Modification) -> ToothFlank:
        gear = self.gear
        if self.rack is not None:
            involute = rack_flank(self.rack, side)
            fillet = RackFillet(self.rack, side)
            junction = Junction(involute, fillet)
            fillet.end = junction.fillet
            root = RackRoot(self.rack, side)
            return ToothFlank(gear, involute, fillet, root, junction, self._tip_radius, modification)
        assert self.cutter is not None
        involute = ring_flank(gear, side)
        return ToothFlank(
            gear,
            involute,
            ShapedFillet(self.cutter, involute.twist, side),
            RingRoot(self.cutter, involute.twist, side),
            self.cutter.ring_form_roll_length,
            self._tip_radius,
            modification,
        )

    def flank(self, side: str) -> ToothFlank:
        """The "left" or "right" flank."""
        if side not in ("left", "right"):
            raise ModelError(f'teeth: a side is "left" or "right", got {shown(side)}')
        return self.left if side == "left" else self.right

    @cached_property
    def tip(self) -> TipLand:
        """The tip land between both flanks."""

        def edge(z: FloatArray, side: float) -> tuple[FloatArray, FloatArray, FloatArray]:
            return (self.left if side > 0.0 else self.right).tip_angle(z)

        rise = 0.0 if self.rack is None else self.rack.rise
        return TipLand(float(self._tip_radius(np.zeros(1))[0][0]), rise, self.gear.sense, edge)

    def _tip_radius(self, z: FloatArray) -> tuple[FloatArray, float]:
        """Of the tip circle over ζ, and its slope; internal teeth end at the base circle, inside of which is no flank."""
        if self.rack is None:
            return np.full_like(z, 0.5 * max(self.gear.tip_diameter, self.gear.base_diameter)), 0.0
        return 0.5 * self.gear.tip_diameter + self.rack.rise * z, self.rack.rise

    def _read_per_tooth(self, given: Mapping[object, object]) -> None:
        for key, value in given.items():
            tooth, sides = (key[0], (key[1],)) if isinstance(key, tuple) and len(key) == 2 else (key, ("left", "right"))
            if isinstance(tooth, bool) or not isinstance(tooth, (int, np.integer)):
                raise ModelError(
                    f'teeth: per_tooth wants a number of a tooth, or (number, "left"), got {shown(key)} as its key'
                )
            what = f"teeth: per_tooth, tooth {tooth}"
            if not 0 <= tooth < self.gear.teeth:
                raise ModelError(f"{what}: the gear has the teeth 0 to {self.gear.teeth - 1}", about=what)
            for side in sides:
                flank = self.flank(side)
                known = flank.of_tooth.get(int(tooth))
                added = as_modification(value, what)
                flank.of_tooth[int(tooth)] = added if known is None else known + added

    # ------------------------------------------------------------------------------------------------- what was found

    def sections(self) -> FloatArray:
        """Face coordinates ζ [m] at which the teeth were checked: the middle, or all along the face of a beveloid."""
        if not self.profile_shift_angle:
            return np.zeros(1)
        half = 0.5 * self.gear.required_face_width("a conical involute gear")
        return np.linspace(-half, half, _SAMPLES)

    def _check(self) -> None:
        z = self.sections()
        gear = self.gear
        width = self.left.tip_angle(z)[0] - self.right.tip_angle(z)[0]
        if (width <= 0.0).any():
            raise ModelError(
                f"teeth: pointed before the tip at ζ = {in_mm(float(z[np.argmin(width)]))} (tip diameter "
                f"{in_mm(gear.tip_diameter)} in the middle); shorten them with tip_alteration, or reduce "
                "profile_shift_angle"
            )
        for flank in (self.left, self.right):
            form, tip = flank.form_roll_length(z), flank.tip_roll_length(z)
            short = gear.sense * (tip - form) <= 0.0
            if short.any():
                at = int(np.argmax(short))
                raise ModelError(
                    f"teeth: no involute is left at ζ = {in_mm(float(z[at]))}: it would begin at the diameter "
                    f"{in_mm(2.0 * float(flank.involute.radius(form[at])))}, the tip is at "
                    f"{in_mm(2.0 * float(flank.involute.radius(tip[at])))}; reduce the dedendum, the root radius or the "
                    "protuberance, or change the profile shift"
                )

    @cached_property
    def undercut(self) -> bool:
        """Whether the tips of the rack cut into the involutes anywhere along the face (a protuberance always does)."""
        if self.rack is None:
            return False
        z = self.sections()
        return any(bool(flank.junction.undercut(z).any()) for flank in (self.left, self.right) if flank.junction)

    @property
    def root_form_diameter(self) -> float:
        """d_Ff [m] in the middle of the face: where the involute ends towards the root; undercut included."""
        return 2.0 * float(self.left.involute.radius(self.left.form_roll_length(0.0)))

    @property
    def tip_form_diameter(self) -> float:
        """d_Fa [m] in the middle of the face: the tip diameter; the base circle for internal tips inside it."""
        return 2.0 * float(self.left.involute.radius(self.left.tip_roll_length(0.0)))

    @cached_property
    def warnings(self) -> tuple[str, ...]:
        """What an experienced eye would question."""
        found = []
        if self.undercut and self.rack is not None and not self.rack.protuberance:
            found.append(
                f"undercut: the involute begins at the diameter {in_mm(self.root_form_diameter)}, base circle "
                f"{in_mm(2.0 * self.left.involute.base_radius)}"
            )
        if self.gear.internal and self.gear.tip_diameter < self.gear.base_diameter:
            found.append("the tips reach inside the base circle, where there is no involute; here they end on it")
        if self.cutter is not None and self.cutter.trims:
            found.append(
                f"a cutter of {self.cutter.teeth} teeth trims the tips of the ring; the surfaces here are untrimmed: "
                "give fewer cutter_teeth or shorten the teeth"
            )
        return tuple(found)

    # ---------------------------------------------------------------------------------------------------- thicknesses

    def tooth_thickness(self, diameter: npt.ArrayLike, z: npt.ArrayLike = 0.0) -> FloatArray:
        """The transverse arc of the unmodified tooth [m] on a circle of a diameter [m], in the section ζ [m]."""
        r = 0.5 * np.asarray(diameter, dtype=np.float64)
        return r * (self.left.involute.half_angle(r, z) + self.right.involute.half_angle(r, z))

    def __repr__(self) -> str:
        kind = "internal" if self.gear.internal else "external"
        return f"Teeth({self.gear.teeth} {kind}, m_n {in_mm(self.gear.normal_module)})"
