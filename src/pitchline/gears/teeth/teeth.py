"""The teeth of a gear: flanks, fillets, roots and tips as exact surfaces, with their microgeometry."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property

import numpy as np
import numpy.typing as npt

from ...arguments import names_wrong_arguments
from ...errors import ModelError, shown
from ..gear import Gear
from ..inputs import in_deg, in_mm
from ..modifications import FlankModifications
from ..tool import Hob, Shaper
from .arrays import FloatArray
from .envelope import RackFillet, RackRoot
from .flank import ToothFlank
from .generating_rack import GeneratingRack
from .involute_flank import rack_flank
from .junction import Junction
from .shaper import RingRoot, ShapedFillet, ShaperCutter, ring_flank, shaper_cutter
from .tip import TipLand

__all__ = ["Teeth"]

_SAMPLES = 9
"""Sections along the face of a beveloid at which its teeth are checked."""


@names_wrong_arguments
class Teeth:
    """The tooth surfaces of a spur, helical or conical involute gear, external or internal.

    External teeth are those a rack leaves that rolls with the wheel: involute helicoids, exact trochoid-like fillets of
    its rounded tips, root. Internal ones are those of a pinion-type shaper cutter. All quantities are in the axes of the
    gear: z its axis, x through the middle of tooth 0, tooth k turned by 2πk/z. **The left flank of tooth 0 is that on
    the +y side**: left, seen from +z with the tip up.

    Parameters
    ----------
    gear
        A cylindrical or conical involute `Gear`: its tool, its profile shift angle and its modifications make the teeth.

    The other arguments are a short form: ``Teeth(gear, both=TipRelief(...))`` is
    ``Teeth(gear.with_(modifications=TipRelief(...)))``, and `teeth.gear` is the gear with all of them.

    profile_shift_angle
        As in `Gear`.
    protuberance, protuberance_angle
        As in `Hob`.
    cutter_teeth, cutter_tip_rounding
        `teeth` and `tip_rounding` of a `Shaper`.
    both, left, right, per_tooth
        As in `FlankModifications`; they replace all modifications of the gear.

    Attributes
    ----------
    gear : Gear
        The whole description.
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
        profile_shift_angle: object = None,
        protuberance: object = None,
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
                f"teeth: a bevel wheel (cone angle {in_deg(gear.cone_angle)}) has other teeth. Use BevelTeeth, "
                "or specify profile_shift_angle instead of cone_angle for a conical involute gear"
            )
        changes: dict[str, object] = {}
        if profile_shift_angle is not None:
            changes["profile_shift_angle"] = profile_shift_angle
        if protuberance is not None or protuberance_angle is not None:
            changes["tool"] = Hob(
                protuberance=0.0 if protuberance is None else protuberance, protuberance_angle=protuberance_angle
            )
        if cutter_teeth is not None or cutter_tip_rounding is not None:
            changes["tool"] = Shaper(teeth=cutter_teeth, tip_rounding=cutter_tip_rounding)
        if any(given is not None for given in (both, left, right, per_tooth)):
            changes["modifications"] = FlankModifications(
                both, left=left, right=right, per_tooth=per_tooth, what="teeth"
            )
        self.gear = gear.with_(**changes) if changes else gear
        self.profile_shift_angle = self.gear.profile_shift_angle
        self.rack: GeneratingRack | None = None
        self.cutter: ShaperCutter | None = None
        tool = self.gear.tool
        if self.gear.internal:
            cutter = tool if isinstance(tool, Shaper) else Shaper()
            self.cutter = shaper_cutter(self.gear, cutter.teeth, cutter.tip_rounding)
        else:
            hob = tool if isinstance(tool, Hob) else Hob()
            self.rack = GeneratingRack.of(
                self.gear,
                tilt=self.profile_shift_angle,
                protuberance=hob.protuberance,
                protuberance_angle=hob.protuberance_angle,
            )
        self.left, self.right = self._flank("left"), self._flank("right")
        self._check()

    # ------------------------------------------------------------------------------------------------------ its parts

    def _flank(self, name: str) -> ToothFlank:
        gear, side = self.gear, 1.0 if name == "left" else -1.0
        modification, of_tooth = gear.modifications.of_side(name), gear.modifications.of_teeth(name)
        if self.rack is not None:
            involute = rack_flank(self.rack, side)
            fillet = RackFillet(self.rack, side)
            junction = Junction(involute, fillet)
            fillet.end = junction.fillet
            root = RackRoot(self.rack, side)
            return ToothFlank(gear, involute, fillet, root, junction, self._tip_radius, modification, of_tooth)
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
            of_tooth,
        )

    def flank(self, side: str) -> ToothFlank:
        """The "left" or "right" flank."""
        if side not in ("left", "right"):
            raise ModelError(f'teeth: side must be "left" or "right", got {shown(side)}')
        return self.left if side == "left" else self.right

    @cached_property
    def tip(self) -> TipLand:
        """The tip land between both flanks."""

        def edge(z: FloatArray, side: float) -> tuple[FloatArray, FloatArray, FloatArray]:
            return (self.left if side > 0.0 else self.right).tip_angle(z)

        rise = 0.0 if self.rack is None else self.rack.rise
        return TipLand(float(self._tip_radius(np.zeros(1))[0][0]), rise, self.gear.sense, edge)

    def _tip_radius(self, z: FloatArray) -> tuple[FloatArray, float]:
        """Of the tip circle over ζ, and its slope; internal teeth end at the base circle: there is no flank inside it."""
        if self.rack is None:
            return np.full_like(z, 0.5 * max(self.gear.tip_diameter, self.gear.base_diameter)), 0.0
        return 0.5 * self.gear.tip_diameter + self.rack.rise * z, self.rack.rise

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
                f"teeth: pointed below the tip at ζ = {in_mm(float(z[np.argmin(width)]))} (tip diameter "
                f"{in_mm(gear.tip_diameter)} in the middle). Shorten them with tip_alteration, or reduce "
                "profile_shift_angle"
            )
        for flank in (self.left, self.right):
            form, tip = flank.form_roll_length(z), flank.tip_roll_length(z)
            short = gear.sense * (tip - form) <= 0.0
            if short.any():
                at = int(np.argmax(short))
                raise ModelError(
                    f"teeth: there is no involute at ζ = {in_mm(float(z[at]))}: it would begin at the diameter "
                    f"{in_mm(2.0 * float(flank.involute.radius(form[at])))}, the tip is at "
                    f"{in_mm(2.0 * float(flank.involute.radius(tip[at])))}; reduce the dedendum, the root radius or the "
                    "protuberance, or change the profile shift"
                )
            if flank.modified and gear.face_width is not None:
                flank.check_modifications()

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
            found.append(
                "the tips extend inside the base circle, where there is no involute; the teeth end at the base circle"
            )
        if self.cutter is not None and self.cutter.trims:
            found.append(
                f"a cutter of {self.cutter.teeth} teeth trims the tips of the ring, but these surfaces are not trimmed. "
                "Specify fewer cutter_teeth, or shorten the teeth"
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
