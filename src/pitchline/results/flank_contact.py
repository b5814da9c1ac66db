"""Contact of elastic flanks: force and pressure of each tooth pair, strip by strip of the face."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from pitchline.arguments import names_wrong_arguments
from pitchline.errors import PitchlineError
from pitchline.results.plotter import plotter
from pitchline.results.report import text_table

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from pitchline.gears.teeth import Teeth

__all__ = ["ContactPatch", "FlankContact"]

Array = NDArray[np.float64]
IntArray = NDArray[np.int64]

_POINTS = 201
"""Along a patch, where its outline is drawn and its area taken."""


@names_wrong_arguments
@dataclass(frozen=True, eq=False, kw_only=True)
class ContactPatch:
    """The contact of one pair of teeth; arrays over the s strips that carry load, along the face of gear A, c places across.

    Attributes
    ----------
    tooth_a, tooth_b : int
        Numbers of the teeth; those of A are counted on and not wrapped: as A turns, tooth k − 1 follows tooth k.
    zeta_a, zeta_b : (s,)
        Where along the faces [m]: middle of the strip on A, and the point of B that it touches.
    roll_a, roll_b : (s,)
        Where along the profiles the rigid flanks come nearest: roll lengths L [m].
    force : (s,)
        Normal force λ [N].
    strip_width : (s,)
        w along the line of contact [m].
    radius : (s,)
        R of the relative curvature across the line of contact [m].
    half_width : (s,)
        b [m] along the profile; at an edge half of what touches.
    middle : (s,)
        Of what touches, along the profile of A from the place of roll_a towards the tip [m].
    pressure : (s,)
        Greatest one of the strip [Pa].
    across : (s, c)
        Places along the profile of A, from those of roll_a towards the tip [m].
    across_pressure : (s, c)
        Pressure there [Pa].
    on_edge : bool
        Whether contact reaches the edge of a tip or the end of a flank, or has its peak at an end of the face or at the start of a
        linear relief. On a sharp edge pressure has no bound: its value
        there depends on the fineness of the cells.
    base_radius, slope, half_face : float
        r_b [m] and cos β_b of gear A, and half its face width [m].
    """

    tooth_a: int
    tooth_b: int
    zeta_a: Array
    zeta_b: Array
    roll_a: Array
    roll_b: Array
    force: Array
    strip_width: Array
    radius: Array
    half_width: Array
    middle: Array
    pressure: Array
    across: Array
    across_pressure: Array
    on_edge: bool
    base_radius: float
    slope: float
    half_face: float

    @property
    def line_load(self) -> Array:
        """λ/w [N/m]; (s,)."""
        return self.force / self.strip_width

    @property
    def total_force(self) -> float:
        """Sum of the normal forces [N]."""
        return float(self.force.sum())

    @property
    def places_in_contact(self) -> int:
        """Number of cells with pressure; with the method "nodes" of nodes of gear A, with the corners of touched faces."""
        return int(np.count_nonzero(self.across_pressure > 0.0))

    @property
    def peak_pressure(self) -> float:
        """[Pa]"""
        return float(self.pressure.max())

    @property
    def pressure_inside(self) -> float:
        """Greatest pressure of the strips that are not pressed hardest at an edge [Pa]; 0 where all are."""
        p = self.across_pressure
        loaded = p > 0.0
        first, last = loaded.argmax(axis=1), p.shape[1] - 1 - loaded[:, ::-1].argmax(axis=1)
        at = p.argmax(axis=1)
        return float(self.pressure[(at > first) & (at < last)].max(initial=0.0))

    @property
    def width(self) -> float:
        """Greatest width along the profile, 2 b [m]."""
        return 2.0 * float(self.half_width.max())

    @property
    def _reaches(self) -> tuple[bool, bool]:
        """Whether the first and the last strip lie at an end of the face."""
        half = 0.75 * self.strip_width * self.slope
        inside = self.half_face - np.abs(self.zeta_a) > half
        return not inside[0], not inside[-1]

    @cached_property
    def ends(self) -> tuple[float, float]:
        """ζ of gear A at which contact begins and ends [m].

        Line loads of a patch that ends within the face fall to zero in a straight line, so that of the last strip only a part
        d is covered: with the line load q of the strip before it λ = q d²/(2 d + w) . The ends of the face are ends too.
        """
        at_low, at_high = self._reaches
        return (
            -self.half_face if at_low else self._end(0, 1, -1.0),
            self.half_face if at_high else self._end(-1, -2, 1.0),
        )

    def _end(self, last: int, before: int, towards: float) -> float:
        w = float(self.strip_width[last]) * self.slope
        inner = float(self.zeta_a[last]) - 0.5 * towards * w
        if len(self.force) == 1:
            return inner + towards * w
        q, f = float(self.line_load[before]) / self.slope, float(self.force[last])
        covered = (f + np.sqrt(f * f + q * f * w)) / q
        return float(np.clip(inner + towards * min(covered, 1.5 * w), -self.half_face, self.half_face))

    @property
    def length(self) -> float:
        """Along the line of contact [m], between its ends."""
        return (self.ends[1] - self.ends[0]) / self.slope

    def _along(self, zeta: Array, values: Array, *, falls: bool) -> Array:
        """Values of strips at ζ: linear between them; at ends within the face zero, or in a straight line on."""
        z, (low, high) = self.zeta_a, self.ends
        first, last = float(values[0]), float(values[-1])
        if falls:
            first, last = (v if at else 0.0 for v, at in zip((first, last), self._reaches, strict=True))
        elif len(z) > 1:
            first += float((values[1] - values[0]) * (low - z[0]) / (z[1] - z[0]))
            last += float((values[-2] - values[-1]) * (high - z[-1]) / (z[-2] - z[-1]))
        inside = (z > low) & (z < high)
        return np.interp(zeta, [low, *z[inside], high], [first, *values[inside], last])

    @cached_property
    def outline(self) -> tuple[Array, Array, Array]:
        """ζ on A, and the roll lengths L on A [m] of both rims of the patch, from end to end; (n,) each.

        b² grows as the line load, and is taken linear between strips.
        """
        zeta = np.linspace(*self.ends, _POINTS)
        b = np.sqrt(self._along(zeta, self.half_width**2, falls=True))
        arc = self._along(zeta, self.roll_a**2 / (2.0 * self.base_radius) + self.middle, falls=False)
        low, high = (np.sqrt(np.maximum(2.0 * self.base_radius * (arc + s * b), 0.0)) for s in (-1.0, 1.0))
        return zeta, low, high

    @property
    def area(self) -> float:
        """∫ 2 b along the line of contact [m²]."""
        zeta = np.linspace(*self.ends, _POINTS)
        b = np.sqrt(self._along(zeta, self.half_width**2, falls=True))
        return float(np.trapezoid(2.0 * b, zeta)) / self.slope

    def pressure_at(self, roll_length: Array, zeta: Array) -> Array:
        """Pressure [Pa] at points of the flank of A; zero outside the patch."""
        L, z = np.broadcast_arrays(np.asarray(roll_length, dtype=np.float64), np.asarray(zeta, dtype=np.float64))
        low, high = self.ends
        arc = L**2 / (2.0 * self.base_radius)
        s = arc - self._along(z, self.roll_a**2 / (2.0 * self.base_radius), falls=False)
        place = self._along(z, np.arange(len(self.force), dtype=np.float64), falls=False)
        j = np.clip(np.floor(place), 0, max(len(self.force) - 2, 0)).astype(np.int64)
        t = np.clip(place - j, 0.0, 1.0)
        own = np.stack(
            [np.interp(s, x, p, left=0.0, right=0.0) for x, p in zip(self.across, self.across_pressure, strict=True)]
        )
        here = np.take_along_axis(own, j[None], axis=0)[0]
        there = np.take_along_axis(own, np.minimum(j + 1, len(self.force) - 1)[None], axis=0)[0]
        # beyond the middle of the last strips p² falls as the line load does
        fall = self._along(z, np.ones(len(self.force)), falls=True)
        return np.asarray(np.where((z >= low) & (z <= high), ((1.0 - t) * here + t * there) * np.sqrt(fall), 0.0))


@names_wrong_arguments
@dataclass(frozen=True, eq=False, kw_only=True)
class FlankContact:
    """Elastic gears pressed together: t torques, n positions.

    Attributes
    ----------
    torque : (t,)
        On gear B [N m].
    phase : (n,)
        φ_A in pitches of A.
    transmission_error : (t, n)
        e [m]: lag of the driven gear B behind its position with ideal rigid gears, on its base circle (conical involute gears:
        along the normal of their teeth); for either flank.
    stiffness : (t, n)
        Tangent stiffness dF/de [N/m] in the same direction.
    patches : [t][n]
        Tuples of `ContactPatch`, one for each pair of teeth in contact, by the number of the tooth of A.
    a, b : Teeth
    side : str
        The flank of gear A that touches.
    method : str
        "cells", "strips" or "nodes". By nodes the strips are the lines of nodes along the face of A and the places are nodes; a
        pressure is the force of a node divided by its area.
    centre_distance : float | None
        As given [m].
    """

    kind: ClassVar[str] = "flank contact"
    torque: Array
    phase: Array
    transmission_error: Array
    stiffness: Array
    patches: tuple[tuple[tuple[ContactPatch, ...], ...], ...] = field(repr=False)
    a: Teeth = field(repr=False)
    b: Teeth = field(repr=False)
    side: str
    method: str
    centre_distance: float | None = None
    warnings: tuple[str, ...] = ()

    @property
    def name(self) -> str:
        """Numbers of teeth."""
        return f"{self.a.gear.teeth}/{self.b.gear.teeth} teeth"

    @property
    def tooth_pairs(self) -> IntArray:
        """Number of tooth pairs that carry load; (t, n)."""
        return np.array([[len(now) for now in row] for row in self.patches], dtype=np.int64)

    @property
    def normal_force(self) -> Array:
        """Sum of all normal forces [N]; (t, n)."""
        return np.array([[sum(p.total_force for p in now) for now in row] for row in self.patches])

    @property
    def peak_pressure(self) -> Array:
        """[Pa]; (t, n)."""
        return np.array([[max(p.peak_pressure for p in now) for now in row] for row in self.patches])

    @property
    def area(self) -> Array:
        """Of all patches [m²]; (t, n)."""
        return np.array([[sum(p.area for p in now) for now in row] for row in self.patches])

    @property
    def flank_area(self) -> float:
        """Of a flank of gear A [m²]: its height from form circle to tip in the middle of the face, times the face width."""
        flank = self.a.left if self.side == "left" else self.a.right
        height = float(flank.tip_roll_length(0.0) ** 2 - flank.form_roll_length(0.0) ** 2) / (
            2.0 * flank.involute.base_radius
        )
        return abs(height) * self.a.gear.required_face_width("flank contact")

    def shares(self, torque: int = 0, position: int = 0) -> dict[int, float]:
        """Fraction of the sum of normal forces that each pair carries, by the number of the tooth of A."""
        now = self.patches[torque][position]
        total = sum(patch.total_force for patch in now)
        return {patch.tooth_a: patch.total_force / total for patch in now}

    def patch(self, torque: int = 0, position: int = 0, tooth: int | None = None) -> ContactPatch:
        """That of a tooth of A, or of the most loaded one; by places in `torque` and `phase`."""
        now = self.patches[torque][position]
        if tooth is None:
            return max(now, key=lambda patch: patch.total_force)
        for patch in now:
            if patch.tooth_a == tooth:
                return patch
        known = ", ".join(str(patch.tooth_a) for patch in now)
        raise PitchlineError(f"flank contact: tooth {tooth} of gear A carries no load here; these do: {known}")

    def table(self) -> str:
        """Table with one line for each tooth pair.

        Share, extents [mm], area [mm²] and pressure [MPa]; * marks the pressure of an edge.
        """
        rows = []
        for t, T in enumerate(self.torque):
            for i, phase in enumerate(self.phase):
                shares = self.shares(t, i)
                rows += [
                    [
                        f"{T:.6g}", f"{phase:.4g}", f"{p.tooth_a}", f"{p.tooth_b}", f"{1e-3 * p.total_force:.4g}",
                        f"{shares[p.tooth_a]:.3f}", f"{1e3 * p.length:.2f}", f"{1e3 * p.width:.3f}", f"{1e6 * p.area:.3f}",
                        f"{1e-6 * p.peak_pressure:.0f}{'*' if p.on_edge else ' '}",
                    ]
                    for p in self.patches[t][i]
                ]  # fmt: skip
        heads = [
            "torque/(N m)",
            "phase",
            "A",
            "B",
            "force/kN",
            "share",
            "length/mm",
            "width/mm",
            "area/mm²",
            "p_max/MPa",
        ]
        return text_table(heads, rows)

    def plot(self, what: str = "flank", *, path: str | Path | None = None, **options: Any) -> Figure:
        """Plot the picture named by `what`; options as in `pitchline.views.plot_flank_contact`."""
        return plotter("FlankContact")(self, what, path=path, **options)

    def view(self, **options: Any) -> Any:
        """Show the gears with pressures on their flanks in the viewer, as a `View`; options as in `pitchline.view`."""
        from pitchline.disk.thing_viewer import thing_viewer

        return thing_viewer()(self, **options)

    def __str__(self) -> str:
        head = f"contact of elastic flanks of {self.name} by {self.method}, {self.side} flanks of gear A"
        return "\n".join([head, self.table(), *(f"warning: {text}" for text in self.warnings)])

    def __repr__(self) -> str:
        return f"FlankContact({self.name}: {len(self.torque)} torques x {len(self.phase)} positions)"
