"""Shaded pictures of solid grids: with their elements, deformed, coloured by a field; and the figure around an image."""

from __future__ import annotations

import math
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from pitchline.errors import PitchlineError
from pitchline.files.triangles import FloatArray, Triangles, outer_faces, skin, solid_of
from pitchline.views import style
from pitchline.views.canvas import canvas
from pitchline.views.solid_scene import Camera, DrawnSurface, Line, PictureArea, area_around, mixed, rendered

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from pitchline.fem.sector_grid import SectorGrid
    from pitchline.fem.solid_grid import SolidGrid

__all__ = ["GEAR_COLOURS", "plot_solid", "show"]

GEAR_COLOURS = (mixed(style.COLOURS[0], "#FFFFFF", 0.42), mixed(style.COLOURS[5], "#FFFFFF", 0.42))
_STEEL = (0.72, 0.75, 0.79)
_GREY = "#6E6E6E"
_PIXELS = style.DPI  # a pixel of the image is one of the file
_TALLEST = 1.15  # height by width of a picture
_MAP = "viridis"


def plot_solid(
    grid: SolidGrid | SectorGrid | Triangles,
    *,
    displacement: npt.ArrayLike | None = None,
    scale: float | None = None,
    values: npt.ArrayLike | None = None,
    label: str | None = None,
    limits: tuple[float, float] | None = None,
    edges: bool = True,
    view: Sequence[float] = (35.0, 25.0),
    up: str = "x",
    path: str | Path | None = None,
    title: str = "",
    width: float = 0.75 * style.WIDTH,
) -> Figure:
    """A solid grid, shaded, with the edges of its elements; returns the matplotlib figure.

    Parameters
    ----------
    grid
        A `SolidGrid`, a `SectorGrid`, or a surface of `gear_surface`.
    displacement
        (n, 3) [m] of its nodes, such as a mode shape: the deformed grid is drawn, coloured by the length of the
        displacement where no values are given.
    scale
        Factor of the displacement; without it the greatest one is drawn as a twentieth of the size of the grid.
    values, label, limits
        A field (n,) on the nodes to colour the grid by, the words at its colour bar, and the values at its ends.
    edges
        Whether to draw the edges of the elements.
    view, up
        (azimuth, elevation) of the eye [deg]: (0, 0) looks along the z axis, azimuth goes to the right; and the axis
        that points upwards.
    path, title, width
        Where to save it (.png, .svg, .pdf), its heading, and its width [inches].
    """
    camera = Camera.of(view, up)
    count = len(grid.points) if isinstance(grid, Triangles) else len(solid_of(grid).nodes)
    field = _field(values, count, "values", ()) if values is not None else None
    surface, nodes = _deformed(grid, displacement, scale, count)
    if displacement is not None and field is None:
        field = np.linalg.norm(np.asarray(displacement, dtype=np.float64), axis=1)
        label = "displacement" if label is None else label
    span = _limits(field, limits)
    corner_values = None
    if field is not None and span is not None:
        corner_values = ((field[nodes] - span[0]) / (span[1] - span[0]))[surface.triangles]
    body = DrawnSurface(
        surface, _STEEL, corner_values, edges=0.8 if edges else 0.0, edge_part=0.5 if field is None else 0.75
    )
    size = float(np.ptp(surface.points, axis=0).max())
    return show(
        [body], [], camera, reach=0.05 * size, span=span, label=label or "", path=path, title=title, width=width
    )


def _deformed(
    grid: SolidGrid | SectorGrid | Triangles, displacement: npt.ArrayLike | None, scale: float | None, count: int
) -> tuple[Triangles, npt.NDArray[np.int64]]:
    """The surface to draw, and the number of the node at each of its points."""
    move = np.zeros((count, 3)) if displacement is None else _field(displacement, count, "displacement", (3,))
    place = grid.points if isinstance(grid, Triangles) else np.asarray(solid_of(grid).nodes)
    largest = float(np.linalg.norm(move, axis=1).max())
    if scale is None:
        scale = 0.05 * float(np.ptp(place, axis=0).max()) / largest if largest else 1.0
    moved = place + scale * move
    if isinstance(grid, Triangles):
        return Triangles(moved, grid.triangles, edges=grid.edges).smoothed(), np.arange(count)
    faces, _, _ = outer_faces(np.asarray(solid_of(grid).elements, dtype=np.int64))
    return skin(grid, moved).smoothed(), np.unique(faces)


def _field(values: npt.ArrayLike, count: int, what: str, inner: tuple[int, ...]) -> FloatArray:
    data = np.asarray(values)
    if data.dtype.kind == "c":
        raise PitchlineError(f"picture: {what} are complex; give their real part at the phase to be drawn")
    if data.shape != (count, *inner):
        raise PitchlineError(
            f"picture: {what} have the shape {data.shape}; the grid has {count} nodes: give {(count, *inner)}"
        )
    return data.astype(np.float64)


def _limits(field: FloatArray | None, limits: tuple[float, float] | None) -> tuple[float, float] | None:
    """Values at the ends of the colour bar."""
    if field is None or not np.isfinite(field).any():
        return None
    low, high = (float(np.nanmin(field)), float(np.nanmax(field))) if limits is None else map(float, limits)
    return (low, high) if high > low else (low, low + max(abs(low), 1.0))


def show(
    bodies: Sequence[DrawnSurface],
    lines: Sequence[Line],
    camera: Camera,
    *,
    reach: float,
    span: tuple[float, float] | None,
    label: str,
    path: str | Path | None,
    title: str,
    width: float,
    area: PictureArea | None = None,
    behind: Sequence[DrawnSurface] = (),
    veil: float = 0.0,
) -> Figure:
    """The figure of a scene. behind, veil: the bodies that remain where the others are seen through, and by how much."""
    import matplotlib

    area = area_around(np.concatenate([body.surface.points for body in bodies]), camera) if area is None else area
    bar = 0.75 if span is not None else 0.0
    inner = width - bar - 0.1
    if area.aspect > _TALLEST:  # tall things: narrower than the figure
        inner = inner * _TALLEST / area.aspect
    columns = max(round(inner * _PIXELS), 16)
    table = matplotlib.colormaps[_MAP](np.linspace(0.0, 1.0, 256))[:, :3] if span is not None else None
    image = rendered(bodies, lines, camera, area, columns=columns, scale=table, reach=reach)
    if veil and behind:
        ground = rendered(behind, lines, camera, area, columns=columns, scale=table, reach=reach)
        image = (1.0 - veil) * image + veil * ground
    opacity = image[..., 3:]
    image[..., :3] = image[..., :3] / np.where(opacity > 0.0, opacity, 1.0)
    with canvas(path=path, title=title, width=width, panel_height=inner * area.aspect - 0.25) as c:
        ax = c.axes[0]
        ax.imshow(
            np.clip(image, 0.0, 1.0),
            extent=(1e3 * area.left, 1e3 * area.right, 1e3 * area.bottom, 1e3 * area.top),
            interpolation="antialiased",
        )
        ax.set_axis_off()
        _scale_bar(ax, area)
        _triad(ax, camera, area, inner)
        if span is not None:
            shades: Any = matplotlib.cm.ScalarMappable(matplotlib.colors.Normalize(*span), cmap=_MAP)
            c.figure.colorbar(shades, ax=ax, label=label, shrink=0.7, aspect=28, pad=0.02)
    return c.figure


def _scale_bar(ax: Axes, area: PictureArea) -> None:
    """A length in the plane of the picture, 1, 2 or 5 times a power of ten [mm], at its lower left."""
    wide, high = 1e3 * (area.right - area.left), 1e3 * (area.bottom - area.top)
    power = 10.0 ** math.floor(math.log10(0.2 * wide))
    length = max(step * power for step in (1.0, 2.0, 5.0) if step * power <= 0.2 * wide)
    x, y = 1e3 * area.left + 0.01 * wide, 1e3 * area.bottom - 0.02 * high
    _stroke(ax, (x, x + length), (y, y), 1.5)
    _word(ax, x + 0.5 * length, y - 0.012 * high, f"{length:g} mm", "bottom")


def _stroke(ax: Axes, x: tuple[float, float], y: tuple[float, float], width: float) -> None:
    """A grey line with a white rim: it is seen on any ground."""
    from matplotlib.patheffects import Normal, Stroke

    rim = [Stroke(linewidth=width + 1.6, foreground="white"), Normal()]
    ax.plot(x, y, color=_GREY, linewidth=width, scalex=False, scaley=False, path_effects=rim)


def _word(ax: Axes, x: float, y: float, text: str, va: str) -> None:
    from matplotlib.patheffects import Normal, Stroke

    rim = [Stroke(linewidth=1.8, foreground="white"), Normal()]
    ax.text(x, y, text, color=_GREY, ha="center", va=va, fontsize=7.0, path_effects=rim)


def _triad(ax: Axes, camera: Camera, area: PictureArea, width: float) -> None:
    """The axes of the first gear, at the lower right, large enough for their letters; width of the picture: inches."""
    wide, high = 1e3 * (area.right - area.left), 1e3 * (area.bottom - area.top)
    size = max(0.045, 0.22 / width) * wide
    x, y = 1e3 * area.right - 1.6 * size, 1e3 * area.bottom - 0.02 * high - 1.2 * size
    for name, arm in zip("xyz", camera.axes[:2].T * size, strict=True):
        if math.hypot(*arm) < 0.12 * size:
            continue  # points to the eye
        _stroke(ax, (x, x + arm[0]), (y, y + arm[1]), 0.8)
        reach = 1.0 + 0.3 * size / math.hypot(*arm)
        _word(ax, x + reach * arm[0], y + reach * arm[1], name, "center")
