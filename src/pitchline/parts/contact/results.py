"""Results of contact of flanks of any shape: transmission error, stiffness, load sharing and pressure over the mesh cycle."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from pitchline.base.arguments import names_wrong_arguments
from pitchline.base.types import BoolArray, FloatArray, IntArray
from pitchline.errors import PitchlineError
from pitchline.facades import plotter
from pitchline.results.result import text_table

from ..meshes.results import MeshCycle

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from ..gears.geometry.placement import Placement
    from ..gears.surfaces.from_gears import SurfaceTeeth

__all__ = ["SurfaceContact", "SurfacePatch", "SurfaceShapes", "SurfaceShare"]


_PARTS = 3
"""Parts of a cell along each side when pressures are drawn over a flank: at least so many."""


@dataclass(frozen=True, eq=False)
class SurfacePatch:
    """Contact of one pair of teeth: s strips along it, each of c cells across it.

    Attributes
    ----------
    tooth_a, tooth_b : int
        Numbers of the teeth.
    x, y : (s, c), (s,)
        Places in the plane that touches flank A, across and along the contact [m], from the point that would touch first.
    height, width : float
        Size of a cell across and along the contact [m].
    place_a, place_b : (s, c, 2)
        Parameters (u, v) on both flanks.
    force : (s, c)
        Normal forces [N]; zero where cells do not touch.
    lever : (s, c)
        Levers of the normals about the axis of B [m]; of a rack: their components along its travel.
    at_edge : (s, c)
        Cells that carry load at the end of a flank. On a sharp edge pressure has no bound: it depends on the size of the cells.
    """

    tooth_a: int
    tooth_b: int
    x: FloatArray
    y: FloatArray
    height: float
    width: float
    place_a: FloatArray
    place_b: FloatArray
    force: FloatArray
    lever: FloatArray
    at_edge: BoolArray

    @property
    def pressure(self) -> FloatArray:
        """[Pa]; (s, c)."""
        return self.force / (self.height * self.width)

    @property
    def total_force(self) -> float:
        """[N]"""
        return float(self.force.sum())

    @property
    def torque(self) -> float:
        """About the axis of B [N m]; of a rack: force along its travel [N]."""
        return float((self.lever * self.force).sum())

    @property
    def peak_pressure(self) -> float:
        """[Pa]"""
        return float(self.pressure.max())

    @property
    def area(self) -> float:
        """Of the cells that touch [m²]."""
        return float((self.force > 0.0).sum()) * self.height * self.width

    @property
    def semi_axes(self) -> tuple[float, float]:
        """Along and across the contact [m], from the second moments of the force: a²/5 and b²/5 of Hertz's ellipse.

        A contact line with an even load along it is 1.29 times as long as this.
        """
        F = self.force / self.total_force
        y = np.broadcast_to(self.y[:, None], F.shape)
        away = self.x - self.middle[:, None]
        along = float((F * (y - (F * y).sum()) ** 2).sum()) + self.width**2 / 12.0
        across = float((F * (away - (F * away).sum()) ** 2).sum()) + self.height**2 / 12.0
        return float(np.sqrt(5.0 * along)), float(np.sqrt(5.0 * across))

    @property
    def middle(self) -> FloatArray:
        """(s,) x of the middle of the load of each strip [m], linear along the contact."""
        total = self.force.sum(axis=1)
        on = total > 0.0
        mean = (self.force * self.x).sum(axis=1)[on] / total[on]
        if int(on.sum()) < 3:
            return np.full(len(self.y), float(np.average(mean, weights=total[on])))
        slope, start = np.polyfit(self.y[on], mean, 1, w=np.sqrt(total[on]))
        return np.asarray(start + slope * self.y)


@names_wrong_arguments
@dataclass(frozen=True, eq=False, kw_only=True)
class SurfaceContact(MeshCycle):
    """Two gears over a part of their motion, under one or several torques; t torques, n positions, p pairs of teeth.

    For flanks and axes for which `LoadedContact` has no closed form. Errors and stiffness are those on the base circle of B, of a
    rack along its line of action in the transverse plane; of crossed axes, hypoid and conical involute gears along the normal.

    Attributes
    ----------
    torque : (t,)
        On gear B [N m]; of a rack: the force along its travel [N].
    phase, angle : (n,)
        φ_A in pitches of A, and [rad].
    transmission_error : (t, n)
        e [m]: lag of the driven gear B behind its position with ideal rigid gears.
    no_load_error : (n,)
        The same of rigid gears [m].
    tangent_stiffness : (t, n)
        dF/de [N/m] at the load.
    pairs : (p,)
        Numbers of the teeth of A, counted on and not wrapped.
    pair_load : (t, n, p)
        Normal force of each pair of teeth [N].
    max_pressure : (t, n)
        Largest mean pressure of a cell on the flanks, edges left out [Pa]; 0 if teeth touch only at edges.
    edge_pressure : (t, n)
        That of the cells at edges [Pa], 0 where none carries load.
    rounds : (t, n)
        Of the active set.
    patches : [t][n]
        Tuples of `SurfacePatch`.
    contact_ratio : float
        Of the geometry. Pairs without a closed form: that under the least torque.
    base_radius : float
        Length in that direction over the angle of gear B [m]: r_b; of a rack the cosine of its transverse pressure angle; of
        crossed axes, hypoid and conical involute gears the lever of the normal, m_n z_B/2 · cos α_n.
    face_width : float
        Length of the flanks of A along the face [m].
    positions_per_pitch : int
    side : str
        Flank of A in contact.
    name : str
        Numbers of teeth and kind of pair.
    travels : bool
        Whether B is a rack.
    a, b : SurfaceTeeth
    placement_b : Placement
        Of gear B in axes in which gear A turns about z, before gear B turns by `angle_b`.
    angle_b : (n,)
        Angle of gear B with its ideal flanks on those of gear A [rad], of a rack [m].
    warnings : tuple of str
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
    face_width: float
    positions_per_pitch: int
    side: str
    name: str
    travels: bool
    patches: tuple[tuple[tuple[SurfacePatch, ...], ...], ...] = field(repr=False)
    a: SurfaceTeeth = field(repr=False)
    b: SurfaceTeeth = field(repr=False)
    placement_b: Placement = field(repr=False)
    angle_b: FloatArray = field(repr=False)
    warnings: tuple[str, ...] = ()

    def patch(self, torque: int = 0, position: int = 0, tooth: int | None = None) -> SurfacePatch:
        """That of a tooth of A, or of the most loaded one; by places in `torque` and `phase`."""
        now = self.patches[torque][position]
        if tooth is None:
            return max(now, key=lambda patch: patch.total_force)
        for patch in now:
            if patch.tooth_a == tooth:
                return patch
        known = ", ".join(str(patch.tooth_a) for patch in now)
        raise PitchlineError(f"loaded contact: tooth {tooth} of gear A carries no load here; these do: {known}")

    def pattern(self, torque: int = 0, *, points: int = 81) -> tuple[FloatArray, FloatArray, FloatArray]:
        """Largest pressure [Pa] that each part of a flank of A sees: heights on the flank (points,) and lengths along it (points,)
        [m], pressures (points, points). All teeth and positions are taken together; zero where there is no contact."""
        found = np.zeros((points, points))
        for now in self.patches[torque]:
            for patch in now:
                on = patch.force > 0.0
                u, v = patch.place_a[..., 0], patch.place_a[..., 1]
                du, dv = (np.gradient(one, axis=1) for one in (u, v))
                eu, ev = (np.gradient(one, axis=0) for one in (u, v)) if len(u) > 1 else (0.0 * u, 0.0 * v)
                for s in _parts((du[on], dv[on]), points):
                    for t in _parts((eu[on], ev[on]), points):
                        i, j = (
                            np.clip(np.floor((at + s * a + t * b)[on] * points), 0, points - 1).astype(np.int64)
                            for at, a, b in ((u, du, eu), (v, dv, ev))
                        )
                        np.maximum.at(found, (i, j), patch.pressure[on])
        across, along = self.a.flank(self.side).lengths
        places = (np.arange(points) + 0.5) / points
        return places * across, (places - 0.5) * along, found

    # ---------------------------------------------------------------------------------------------------------- tables

    def table(self) -> str:
        """Table with one line for each torque.

        Errors [µm], stiffness [N/µm], pressures [MPa] and contact ratio.
        """
        rows = [
            [
                f"{T:.6g}",
                f"{1e6 * float(e.min()):.3f} .. {1e6 * float(e.max()):.3f}",
                f"{1e6 * pp:.3f}",
                f"{1e-6 * mean:.2f}",
                f"{1e-6 * float(secant.min()):.2f} .. {1e-6 * float(secant.max()):.2f}",
                f"{1e-6 * float(p.max()):.0f}",
                f"{1e-6 * float(edge.max()):.0f}" if edge.max() else "-",
                f"{ratio:.3f}",
            ]
            for T, e, pp, mean, secant, p, edge, ratio in zip(
                self.torque, self.transmission_error, self.peak_to_peak, self.mean_stiffness, self.secant_stiffness,
                self.max_pressure, self.edge_pressure, self.loaded_contact_ratio, strict=True,
            )
        ]  # fmt: skip
        heads = [
            "force/N" if self.travels else "torque/(N m)", "lag/µm", "peak to peak", "stiffness/(N/µm)", "secant", "p_max/MPa",
            "edge/MPa", "contact ratio",
        ]  # fmt: skip
        return text_table(heads, rows)

    def plot(self, what: str = "overview", *, path: str | Path | None = None, **options: Any) -> Figure:
        """Plot the picture named by `what`; options as in `pitchline.views.plot_surface_contact`."""
        return plotter("SurfaceContact")(self, what, path=path, **options)

    def __str__(self) -> str:
        head = f"loaded contact of {self.name}, contact ratio {self.contact_ratio:.4f}"
        return "\n".join([head, self.table(), *(f"warning: {text}" for text in self.warnings)])

    def __repr__(self) -> str:
        return f"SurfaceContact({self.name}: {len(self.torque)} torques x {len(self.phase)} positions)"


def _parts(sides: tuple[FloatArray, FloatArray], points: int) -> FloatArray:
    """Places along a side of cells, −½ to ½, that are less than one of `points` apart. sides: of cells, over u and v."""
    longest = max((float(np.abs(side).max(initial=0.0)) for side in sides), default=0.0)
    count = max(_PARTS, math.ceil(1.2 * points * longest))
    return np.asarray((np.arange(count) + 0.5) / count - 0.5)


# ---- surface shapes

# Motion of the surfaces of flexible bodies in modes, computed at first use: thousands of points take time and memory.

_BLOCK = 1000
"""Points at a time, which bounds the memory in between."""


@dataclass(frozen=True, eq=False)
class SurfaceShare:
    """One surface.

    shapes: (p, 3, n) motion of its points, in axes of the body, for one of each of its coordinates
    motion: (n, m) its coordinates in m modes
    turned: (3, 3) axes of the body, into resting ones
    """

    shapes: NDArray[np.float32]
    motion: NDArray[np.complex128]
    turned: NDArray[np.float64]

    def points(self) -> NDArray[np.complex64]:
        """(m, p, 3) in resting axes."""
        found = np.empty((self.motion.shape[1], len(self.shapes), 3), np.complex64)
        for start in range(0, len(self.shapes), _BLOCK):
            part = slice(start, start + _BLOCK)
            shapes = np.einsum("ij,pjn->pin", self.turned, self.shapes[part].astype(np.float64))
            found.real[:, part] = np.moveaxis(shapes @ self.motion.real, -1, 0)
            found.imag[:, part] = np.moveaxis(shapes @ self.motion.imag, -1, 0)
        return found


class SurfaceShapes(Mapping[str, NDArray[np.complex64]]):
    """name -> (m, p, 3): motion of the points of surfaces; each is computed once."""

    def __init__(self, shares: Mapping[str, SurfaceShare]) -> None:
        self._shares = dict(shares)
        self._found: dict[str, NDArray[np.complex64]] = {}

    def __getitem__(self, name: str) -> NDArray[np.complex64]:
        if name not in self._found:
            self._found[name] = self._shares[name].points()
        return self._found[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._shares)

    def __len__(self) -> int:
        return len(self._shares)

    def __reduce__(self) -> Any:
        return dict, (dict(self),)  # copies hold what there is to see, without the matrices of the bodies

    def __repr__(self) -> str:
        return f"SurfaceShapes({', '.join(self)})"
