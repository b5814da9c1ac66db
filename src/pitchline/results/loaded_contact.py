"""Two elastic gears under load: transmission error, stiffness, load sharing and pressure over the mesh cycle."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from pitchline.arguments import names_wrong_arguments
from pitchline.contact.edge_names import EDGES, INSIDE
from pitchline.results.mesh_cycle import MeshCycle, check_place
from pitchline.results.plotter import plotter
from pitchline.results.report import text_table

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from pitchline.contact.elastic_pair import Contact
    from pitchline.gears.placement import Placement
    from pitchline.gears.teeth import Teeth

__all__ = ["FlankLoad", "LoadedContact"]

Array = NDArray[np.float64]
IntArray = NDArray[np.int64]


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
    face: Array
    line_load: Array
    roll_length_a: Array
    roll_length_b: Array
    pressure: Array
    height: Array
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
    torque: Array
    phase: Array
    angle: Array
    transmission_error: Array
    no_load_error: Array
    tangent_stiffness: Array
    pairs: IntArray
    pair_load: Array
    max_pressure: Array
    edge_pressure: Array
    rounds: IntArray
    contact_ratio: float
    base_radius: float
    base_helix_angle: float
    face_width: float
    positions_per_pitch: int
    side: str
    name: str
    faces: Array
    widths: Array
    flank_limits: tuple[float, float]
    contacts: tuple[tuple[Contact, ...], ...] = field(repr=False)
    edges: tuple[tuple[IntArray, ...], ...] = field(repr=False)
    a: Teeth = field(repr=False)
    b: Teeth = field(repr=False)
    placement_b: Placement = field(repr=False)
    angle_b: Array = field(repr=False)
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
    def face_load(self) -> Array:
        """How the load lies along the face: normal force per face width [N/m] on each slice, at ζ = `faces` on gear A; (t, n, s).

        Loads of all tooth pairs on a slice are added up.
        """
        return np.array([[one.face_load(self.widths) for one in row] for row in self.contacts])

    @property
    def face_load_factor(self) -> Array:
        """K_Hβ of ISO 6336-1: the greatest normal load per face width over its mean, at every position; (t, n).

        Loads of all tooth pairs on a slice of the face are added up; their load sharing does not affect the result.
        """
        return np.array([[one.face_load_factor(self.widths) for one in row] for row in self.contacts])

    @property
    def max_line_load(self) -> Array:
        """Largest normal force per length of contact line [N/m]; (t, n)."""
        return np.array(
            [[self.flank_load(t, i).line_load.max() for i in range(len(self.phase))] for t in range(len(self.torque))]
        )

    def pattern(self, torque: int = 0, *, points: int = 121) -> tuple[Array, Array, Array]:
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
        from pitchline.disk.thing_viewer import thing_viewer

        return thing_viewer()(self, **options)

    def __str__(self) -> str:
        head = f"loaded contact of {self.name}, contact ratio {self.contact_ratio:.4f}"
        return "\n".join([head, self.table(), *(f"warning: {text}" for text in self.warnings)])

    def __repr__(self) -> str:
        return f"LoadedContact({self.name}: {len(self.torque)} torques x {len(self.phase)} positions)"
