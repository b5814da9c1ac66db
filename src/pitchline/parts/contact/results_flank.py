"""Results of loaded contact and of elastic flanks: force and pressure of each tooth pair."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from pitchline.base.arguments import names_wrong_arguments
from pitchline.base.types import FloatArray, IntArray
from pitchline.contact.flank_data import EDGES, INSIDE
from pitchline.errors import PitchlineError
from pitchline.facades import plotter
from pitchline.results.result import text_table

from ..meshes.results import MeshCycle, check_place

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from pitchline.contact.elastic_pair import Contact

    from ..gears.geometry.placement import Placement
    from ..gears.teeth.teeth import Teeth

__all__ = ["ContactPatch", "FlankContact", "FlankLoad", "LoadedContact"]


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
    zeta_a: FloatArray
    zeta_b: FloatArray
    roll_a: FloatArray
    roll_b: FloatArray
    force: FloatArray
    strip_width: FloatArray
    radius: FloatArray
    half_width: FloatArray
    middle: FloatArray
    pressure: FloatArray
    across: FloatArray
    across_pressure: FloatArray
    on_edge: bool
    base_radius: float
    slope: float
    half_face: float

    @property
    def line_load(self) -> FloatArray:
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

    def _along(self, zeta: FloatArray, values: FloatArray, *, falls: bool) -> FloatArray:
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
    def outline(self) -> tuple[FloatArray, FloatArray, FloatArray]:
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

    def pressure_at(self, roll_length: FloatArray, zeta: FloatArray) -> FloatArray:
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
    torque: FloatArray
    phase: FloatArray
    transmission_error: FloatArray
    stiffness: FloatArray
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
    def normal_force(self) -> FloatArray:
        """Sum of all normal forces [N]; (t, n)."""
        return np.array([[sum(p.total_force for p in now) for now in row] for row in self.patches])

    @property
    def peak_pressure(self) -> FloatArray:
        """[Pa]; (t, n)."""
        return np.array([[max(p.peak_pressure for p in now) for now in row] for row in self.patches])

    @property
    def area(self) -> FloatArray:
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
        from pitchline.facades import view as view_in_browser

        return view_in_browser(self, **options)

    def __str__(self) -> str:
        head = f"contact of elastic flanks of {self.name} by {self.method}, {self.side} flanks of gear A"
        return "\n".join([head, self.table(), *(f"warning: {text}" for text in self.warnings)])

    def __repr__(self) -> str:
        return f"FlankContact({self.name}: {len(self.torque)} torques x {len(self.phase)} positions)"


# ---- loaded contact

# Two elastic gears under load: transmission error, stiffness, load sharing and pressure over the mesh cycle.


@dataclass(frozen=True, eq=False)
class FlankLoad:
    """What the flanks carry in one position, arrays over s strips (slices of the face, of all pairs of teeth) of c cells.

    Attributes
    ----------
    tooth_a, tooth_b : (s,)
        Numbers of the teeth.
    face : (s,)
        ζ on gear A [m].
    line_load : (s,)
        Normal force per length of the contact line [N/m].
    roll_length_a, roll_length_b : (s, c)
        L of the cells [m].
    pressure : (s, c)
        [Pa]
    height : (s,)
        Of the cells, along the profile [m].
    edge : (s, c)
        Where a cell carries load at an edge, which one: "tip of a", "tip of b", "root of a", "root of b" (where the involute
        begins), "end of face"; else "". On a sharp edge pressure has no bound: its value there depends on the size of the cells.
    """

    tooth_a: IntArray
    tooth_b: IntArray
    face: FloatArray
    line_load: FloatArray
    roll_length_a: FloatArray
    roll_length_b: FloatArray
    pressure: FloatArray
    height: FloatArray
    edge: NDArray[np.str_]


@names_wrong_arguments
@dataclass(frozen=True, eq=False)
class LoadedContact(MeshCycle):
    """Two elastic gears over a part of their motion, under one or several torques; t torques, n positions, p pairs.

    Errors and stiffness are those along the line of action in the transverse plane: on the base circle of gear B.

    Attributes
    ----------
    torque : (t,)
        On gear B [N m].
    phase : (n,)
        φ_A in pitches of A.
    angle : (n,)
        φ_A [rad].
    transmission_error : (t, n)
        e [m]: lag of the driven gear B behind its position with ideal rigid gears, on its base circle; for either flank.
    no_load_error : (n,)
        The same of rigid gears [m].
    tangent_stiffness : (t, n)
        dF/de [N/m] at the load.
    pairs : (p,)
        Numbers of the teeth of A, counted on and not wrapped: as A turns, tooth k − 1 follows tooth k.
    pair_load : (t, n, p)
        Normal force of each pair of teeth [N].
    max_pressure : (t, n)
        Largest mean pressure of a cell on the flanks, edges left out [Pa]; 0 if teeth touch only at edges.
    edge_pressure : (t, n)
        That of the cells at edges (of a tip, at the end of a flank or of the face, at the start of a linear relief; see
        `FlankLoad.edge`) [Pa], 0 where none carries load. On a sharp edge pressure has no bound: the value depends on the size
        of the cells.
    rounds : (t, n)
        Of the active set.
    contact_ratio : float
        ε_γ of the geometry.
    base_radius : float
        r_b of gear B [m].
    base_helix_angle : float
        β_b [rad]
    face_width : float
        Common to both gears [m].
    faces, widths : (s,)
        ζ of the slices of the face on gear A, and their widths [m].
    a, b : Teeth
    placement_b : Placement
        Of gear B in axes in which gear A turns about z, before gear B turns by `angle_b`.
    angle_b : (n,)
        By which gear B has turned, its ideal flanks on those of gear A [rad].
    """

    kind: ClassVar[str] = "loaded contact"
    torque: FloatArray
    phase: FloatArray
    angle: FloatArray
    transmission_error: FloatArray
    no_load_error: FloatArray
    tangent_stiffness: FloatArray
    pairs: IntArray
    pair_load: FloatArray
    max_pressure: FloatArray
    edge_pressure: FloatArray
    rounds: IntArray
    contact_ratio: float
    base_radius: float
    base_helix_angle: float
    face_width: float
    positions_per_pitch: int
    side: str
    name: str
    faces: FloatArray
    widths: FloatArray
    flank_limits: tuple[float, float]
    contacts: tuple[tuple[Contact, ...], ...] = field(repr=False)
    edges: tuple[tuple[IntArray, ...], ...] = field(repr=False)
    a: Teeth = field(repr=False)
    b: Teeth = field(repr=False)
    placement_b: Placement = field(repr=False)
    angle_b: FloatArray = field(repr=False)
    warnings: tuple[str, ...] = field(default=())

    # ------------------------------------------------------------------------------------------------------- of flanks

    def flank_load(self, torque: int = 0, position: int = 0) -> FlankLoad:
        """Line loads and pressures in one position under one of the torques, by their places in `torque` and `phase`."""
        check_place(torque, len(self.contacts), "torque")
        check_place(position, len(self.contacts[torque]), "position")
        one = self.contacts[torque][position]
        strips, count = one.strips, one.count
        width = self.widths[strips["slice"]]
        loads = one.loads.reshape(-1, count)
        height = strips["height"]
        return FlankLoad(
            tooth_a=strips["tooth_a"], tooth_b=strips["tooth_b"], face=self.faces[strips["slice"]],
            line_load=loads.sum(axis=1) / width,
            roll_length_a=one.cells["length_a"].reshape(-1, count), roll_length_b=one.cells["length_b"].reshape(-1, count),
            pressure=loads / (height * width)[:, None], height=height, edge=np.array(EDGES)[self.edges[torque][position]],
        )  # fmt: skip

    @property
    def face_load(self) -> FloatArray:
        """How the load lies along the face: normal force per face width [N/m] on each slice, at ζ = `faces` on gear A; (t, n, s).

        Loads of all tooth pairs on a slice are added up.
        """
        return np.array([[one.face_load(self.widths) for one in row] for row in self.contacts])

    @property
    def face_load_factor(self) -> FloatArray:
        """K_Hβ of ISO 6336-1: the greatest normal load per face width over its mean, at every position; (t, n).

        Loads of all tooth pairs on a slice of the face are added up; their load sharing does not affect the result.
        """
        return np.array([[one.face_load_factor(self.widths) for one in row] for row in self.contacts])

    @property
    def max_line_load(self) -> FloatArray:
        """Largest normal force per length of contact line [N/m]; (t, n)."""
        return np.array(
            [[self.flank_load(t, i).line_load.max() for i in range(len(self.phase))] for t in range(len(self.torque))]
        )

    def pattern(self, torque: int = 0, *, points: int = 121) -> tuple[FloatArray, FloatArray, FloatArray]:
        """Largest pressure [Pa] that each point of a flank of A sees: L (points,), ζ (slices,), p (points, slices).

        In each slice the largest pressure of the strip is followed from position to position, edges of tips and flanks left
        out; zero where there is no contact. All teeth are taken together.
        """
        check_place(torque, len(self.contacts), "torque")
        L = np.linspace(*self.flank_limits, points)
        field_ = np.zeros((points, len(self.faces)))
        where: list[list[float]] = [[] for _ in self.faces]
        peak: list[list[float]] = [[] for _ in self.faces]
        for position in range(len(self.phase)):
            now = self.flank_load(torque, position)
            slices = self.contacts[torque][position].strips["slice"]
            on_flank = np.where(np.isin(now.edge, INSIDE), now.pressure, 0.0)
            for k in np.flatnonzero(on_flank.max(axis=1) > 0.0):
                top = int(np.argmax(on_flank[k]))
                where[slices[k]].append(float(now.roll_length_a[k, top]))
                peak[slices[k]].append(float(on_flank[k, top]))
        for j in range(len(self.faces)):
            if where[j]:
                order = np.argsort(where[j])
                field_[:, j] = np.interp(L, np.array(where[j])[order], np.array(peak[j])[order], left=0.0, right=0.0)
        return L, self.faces, field_

    # ---------------------------------------------------------------------------------------------------------- tables

    def table(self) -> str:
        """Table with one line for each torque.

        Errors [µm], stiffness per face width [N/(mm µm)], pressures [MPa] and contact ratio.
        """
        per_width = 1.0 / (1e9 * self.face_width)
        rows = [
            [
                f"{T:.6g}",
                f"{1e6 * float(e.min()):.3f} .. {1e6 * float(e.max()):.3f}",
                f"{1e6 * pp:.3f}",
                f"{mean * per_width:.3f}",
                f"{low * per_width:.3f} .. {high * per_width:.3f}",
                f"{1e-6 * p:.0f}",
                f"{1e-6 * edge:.0f}" if edge else "-",
                f"{ratio:.3f}",
            ]
            for T, e, pp, mean, low, high, p, edge, ratio in zip(
                self.torque, self.transmission_error, self.peak_to_peak, self.mean_stiffness,
                self.secant_stiffness.min(axis=1), self.secant_stiffness.max(axis=1), self.max_pressure.max(axis=1),
                self.edge_pressure.max(axis=1), self.loaded_contact_ratio, strict=True,
            )
        ]  # fmt: skip
        heads = [
            "torque/(N m)",
            "lag/µm",
            "peak to peak",
            "mean stiffness",
            "secant",
            "p_max/MPa",
            "edge/MPa",
            "contact ratio",
        ]
        return text_table(heads, rows)

    def plot(self, what: str = "overview", *, path: str | Path | None = None, **options: Any) -> Figure:
        """Plot the picture named by `what`; options as in `pitchline.views.plot_loaded_contact`."""
        return plotter("LoadedContact")(self, what, path=path, **options)

    def view(self, **options: Any) -> Any:
        """Show the gears with pressures on their flanks in the viewer, as a `View`; options as in `pitchline.view`."""
        from pitchline.facades import view as view_in_browser

        return view_in_browser(self, **options)

    def __str__(self) -> str:
        head = f"loaded contact of {self.name}, contact ratio {self.contact_ratio:.4f}"
        return "\n".join([head, self.table(), *(f"warning: {text}" for text in self.warnings)])

    def __repr__(self) -> str:
        return f"LoadedContact({self.name}: {len(self.torque)} torques x {len(self.phase)} positions)"
