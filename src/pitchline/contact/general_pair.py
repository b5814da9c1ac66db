"""Two gears with flanks of any shape and axes in any position: which teeth may touch, and their contact under a torque."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from ..errors import ModelError
from ..fem.elastic_gear import ElasticGear
from ..gears.placement import Placement
from ..gears.rack import Rack
from ..gears.surfaces import SurfaceTeeth, surface_teeth
from .contact_line import LeastGapLine, contact_line
from .flank_hats import flank_hats
from .surface_pair import SurfacePair
from .surface_press import PressedTeeth, SurfacePress

__all__ = ["GeneralPair", "NearTeeth"]

FloatArray = npt.NDArray[np.float64]
IntArray = npt.NDArray[np.int64]

_TEETH = 3
"""Teeth of A on both sides of the line of centres that are examined, and those that its twist brings there."""
_LINES = 17
_PER_LENGTH = 6.0
"""Lines along the face in the first search: at least so many, and in the length of a profile on long threads."""
_REFINED = 3
_COARSE = 9
_TRIES = 8


@dataclass(frozen=True, eq=False)
class NearTeeth:
    """Pairs of teeth that face each other in one position, with their least gaps; arrays over pairs.

    Attributes
    ----------
    tooth_a, tooth_b
    touch
        Motion of B at which they touch [rad], of a rack [m].
    u, v
        Where, on A.
    first, last
        v of the part of the flank of A opposite to this tooth of B.
    """

    tooth_a: IntArray
    tooth_b: IntArray
    touch: FloatArray
    u: FloatArray
    v: FloatArray
    first: FloatArray
    last: FloatArray


class GeneralPair:
    """Two gears, one pair of sides.

    Parameters
    ----------
    a, b
        Elastic gears (or rigid ones, whose flanks yield as half-spaces); b may be a rack.
    pose
        Of gear B in the axes in which A turns about z, both at the angle 0.
    side
        Flank of A, "left" or "right".
    ratio
        Angle of B over angle of A; of a rack its travel [m].
    strips, cells
        Number of strips along a contact patch and of cells across it.
    """

    def __init__(
        self, a: ElasticGear, b: ElasticGear, pose: Placement, *, side: str, ratio: float, strips: int = 24, cells: int = 15
    ) -> None:  # fmt: skip
        self.a, self.b = a, b
        self._given = {"pose": pose, "side": side, "ratio": ratio}
        self.surfaces: tuple[SurfaceTeeth, SurfaceTeeth] = (surface_teeth(a.teeth), surface_teeth(b.teeth))
        self.pair = SurfacePair(*self.surfaces, pose, side, ratio=ratio)
        patch_a, patch_b = self.pair.patch_a, self.pair.patch_b
        rack = isinstance(self.surfaces[1].gear, Rack)
        self._press = SurfacePress(
            flank_hats(a, side, patch_a),
            flank_hats(b, self.pair.side_b, patch_b, rack=rack),
            face=min(patch_a.lengths[1], patch_b.lengths[1]),
            strips=strips,
            cells=cells,
        )
        across, along = patch_a.lengths
        self._v = np.linspace(0.0, 1.0, max(_LINES, math.ceil(_PER_LENGTH * along / across) + 1))
        edge = patch_a.point(0.5, self._v)
        turns = float(np.ptp(np.unwrap(np.angle(edge[:, 0] + 1j * edge[:, 1]))))
        gear = self.surfaces[0].gear
        assert not isinstance(gear, Rack)
        self.pitch = gear.angular_pitch
        wide = _TEETH + math.ceil(0.5 * turns / self.pitch)
        self._numbers = np.arange(
            -min(wide, (gear.teeth - 1) // 2), min(wide, gear.teeth // 2) + 1
        ) + self._first_tooth(gear.teeth)
        self._depth = 0.0

    def twin(self) -> GeneralPair:
        """The same gears, for another thread."""
        other = object.__new__(type(self))
        other.__dict__.update(self.__dict__)
        given = self._given
        other.pair = SurfacePair(*self.surfaces, given["pose"], given["side"], ratio=given["ratio"])  # type: ignore[arg-type]
        other._depth = 0.0
        return other

    # -------------------------------------------------------------------------------------------------------- geometry

    def _first_tooth(self, count: int) -> int:
        """The tooth of A that is nearest to B at the angle 0, from −z/2 to z/2; 0 if the x axis of A points to B."""
        numbers = np.arange(count) - (count - 1) // 2
        gaps = self.pair.least_of_teeth(0.0, numbers).gap
        near = numbers[gaps < np.min(gaps) + 0.25 * self._motion_pitch]
        if not len(near):
            return 0
        turn = np.angle(np.exp(1j * self.pitch * near).mean()) / self.pitch
        return int(np.rint(turn))

    def near_teeth(self, angle: float) -> NearTeeth:
        """The pairs of teeth that face each other at an angle of A [rad]; an error where there are none."""
        pair, v = self.pair, self._v
        teeth = self._facing(angle)
        found = pair.least_on_lines(angle, teeth[:, None], v[None, :])
        met = np.where(np.isfinite(found.gap), found.at["tooth"], np.iinfo(np.int64).min)
        rows: list[tuple[float, ...]] = []
        step = float(v[1] - v[0])
        for i, tooth in enumerate(teeth):
            cuts = np.flatnonzero(np.diff(met[i])) + 1
            for part in np.split(np.arange(len(v)), cuts):
                if not np.isfinite(found.gap[i, part[0]]):
                    continue
                k = int(part[np.argmin(found.gap[i, part])])
                ends = max(float(v[part[0]]) - step, 0.0), min(float(v[part[-1]]) + step, 1.0)
                rows.append((tooth, met[i, k], found.gap[i, k], found.u[i, k], v[k], *ends))
        if not rows:
            raise ModelError(
                f"loaded contact: at the angle {math.degrees(angle):.4g} deg of gear A no teeth are opposite to each other. Check "
                "contact ratio, tip diameters, and the position of the gears"
            )
        table = np.array(rows, dtype=np.float64)
        table = table[table[:, 2] < table[:, 2].min() + 0.25 * self._motion_pitch]
        self._refine(angle, table, step)
        tooth_a, tooth_b = table[:, 0].astype(np.int64), table[:, 1].astype(np.int64)
        return NearTeeth(tooth_a, tooth_b, *table[:, 2:].T)

    def _facing(self, angle: float) -> IntArray:
        """Teeth of A of which some of a grid of points are about opposite to a flank of B, or close to its edges."""
        teeth = self._numbers + round(-angle / self.pitch)
        t = np.linspace(0.0, 1.0, _COARSE)
        v = self._v if len(self._v) > _LINES else t
        met = self.pair.meet(angle, teeth[:, None, None], t[None, :, None], v[None, None, :])
        near = (met["inside"] > -0.25) & (met["gap"] < 0.5 * self._motion_pitch)
        return np.asarray(teeth[near.any(axis=(1, 2))])

    @property
    def _motion_pitch(self) -> float:
        gear = self.surfaces[1].gear
        return gear.transverse_pitch if isinstance(gear, Rack) else gear.angular_pitch

    def _refine(self, angle: float, table: FloatArray, step: float) -> None:
        """Least gaps between the lines, in place."""
        for _ in range(_REFINED):
            around = np.clip(table[:, 4, None] + step * np.linspace(-1.0, 1.0, 9), 0.0, 1.0)
            found = self.pair.least_on_lines(angle, table[:, 0, None], around)
            gap = np.where(found.at["tooth"] == table[:, 1, None], found.gap, np.inf)
            k = np.argmin(gap, axis=1)
            rows = np.arange(len(table))
            better = gap[rows, k] < table[:, 2]
            for column, values in ((2, gap[rows, k]), (3, found.u[rows, k]), (4, around[rows, k])):
                table[:, column] = np.where(better, values, table[:, column])
            step /= 4.0

    def first_touch(self, angle: float) -> float:
        """Motion of B from the middle of its backlash at which rigid teeth touch [rad], of a rack [m]."""
        least = self.pair.least_of_teeth(angle, self._numbers + round(-angle / self.pitch)).gap
        return min(float(np.min(least)), float(self.near_teeth(angle).touch.min()))

    def _lines(self, angle: float, near: NearTeeth, reach: float) -> list[tuple[int, LeastGapLine]]:
        """Of the pairs that touch if B moves as far as `reach`."""
        lines = []
        for i in np.flatnonzero(near.touch <= reach):
            line = contact_line(
                self.pair, angle, self.pair.ratio * angle, int(near.tooth_a[i]), int(near.tooth_b[i]), float(near.u[i]),
                float(near.v[i]), (float(near.first[i]), float(near.last[i])),
            )  # fmt: skip
            if line is not None:
                lines.append((int(near.tooth_a[i]), line))
        return lines

    # --------------------------------------------------------------------------------------------------------- pressing

    def press(self, angle: float, torque: float, near: NearTeeth | None = None) -> PressedTeeth:
        """The contact at an angle of A [rad] under a torque on B [N m] (of a rack: force [N]), both positive.

        The search starts from the depth of the last call: call similar positions one after the other.
        """
        near = self.near_teeth(angle) if near is None else near
        first = float(near.touch.min())
        lines = self._lines(angle, near, first)
        if not lines:
            raise ModelError(
                f"loaded contact: at the angle {math.degrees(angle):.4g} deg of gear A the flanks meet only beyond their edges. "
                "Check the position of the gears"
            )
        depth = self._depth or self._press.estimate(torque, lines)
        for _ in range(_TRIES):
            reach = first + 1.3 * depth
            if int((near.touch <= reach).sum()) > len(lines):
                lines = self._lines(angle, near, reach)
            pressed = self._press.press(torque, lines, guess=depth)
            found = pressed.motion - first
            if first + found <= reach or not ((near.touch > reach) & (near.touch < pressed.motion)).any():
                self._depth = found
                return pressed
            depth = found
        raise ModelError("loaded contact: more and more teeth come into contact. Reduce the torque")

    def forget(self) -> None:
        """Start the next position from nothing."""
        self._depth = 0.0
