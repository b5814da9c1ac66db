"""Shaded pictures of solid grids with their elements, deformed or coloured by a field; and the figure of an image."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from pitchline.arguments import names_wrong_arguments
from pitchline.errors import PitchlineError
from pitchline.files.triangles import FloatArray, Triangles, outer_faces, skin, solid_of
from pitchline.views import style
from pitchline.views.canvas import canvas
from pitchline.views.solid_marks import place_marks
from pitchline.views.solid_scene import Camera, DrawnSurface, Line, PictureArea, area_around, mixed, rendered

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from pitchline.fem.sector_grid import SectorGrid
    from pitchline.fem.solid_grid import SolidGrid

__all__ = ["GEAR_COLOURS", "plot_solid", "show"]

GEAR_COLOURS = (mixed(style.COLOURS[0], "#FFFFFF", 0.42), mixed(style.COLOURS[5], "#FFFFFF", 0.42))
_STEEL = (0.72, 0.75, 0.79)
_PIXELS = style.DPI  # a pixel of the image is one of the file
_TALLEST = 1.15  # height by width of a picture
_MAP = "viridis"
_OVERLAY = 0.65
"""Opacity of what is drawn over everything else."""


@names_wrong_arguments
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
    """Draw a solid grid, shaded, with the edges of its elements; return the matplotlib figure.

    Parameters
    ----------
    grid
        A `SolidGrid`, a `SectorGrid`, or a surface of `gear_surface`.
    displacement
        (n, 3) [m] of its nodes, such as a mode shape. The deformed grid is drawn. If no values are given, it is coloured by
        the magnitude of the displacement.
    scale
        Factor of the displacement; by default the largest one is drawn as a twentieth of the size of the grid.
    values, label, limits
        A field (n,) on the nodes to colour the grid by, the text at its colour bar, and the values at its ends.
    edges
        Whether to draw the edges of the elements.
    view, up
        (azimuth, elevation) of the eye [deg]: (0, 0) looks along the z axis, azimuth goes to the right; and the axis
        that points upwards.
    path, title, width
        File to save the picture to (.png, .svg, .pdf), heading, and width [inches].
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
    shells: Sequence[tuple[float, Sequence[DrawnSurface]]] = (),
    overlay: Sequence[DrawnSurface] = (),
    around: FloatArray | None = None,
    colours: str = _MAP,
    clear_marks: bool = False,
) -> Figure:
    """Draw the figure of a scene.

    behind, veil: the bodies that remain if the others are see-through, and how transparent these are. shells: further
    bodies that are see-through, by opacity. overlay: bodies that shine through all others. around: points (n, 3) [m] that
    the picture contains. colours: name of the colour map. clear_marks: whether space is added if bodies leave no corner for
    the scale bar and the axes.
    """
    import matplotlib

    from pitchline.views.picture import check_width

    check_width(width)
    if area is None:
        area = area_around(np.concatenate([b.surface.points for b in bodies]) if around is None else around, camera)
    bar = 0.75 if span is not None else 0.0
    inner = width - bar - 0.1
    if area.aspect > _TALLEST:  # tall things: narrower than the figure
        inner = inner * _TALLEST / area.aspect
    columns = max(round(inner * _PIXELS), 16)
    table = matplotlib.colormaps[colours](np.linspace(0.0, 1.0, 256))[:, :3] if span is not None else None
    image = rendered(bodies, lines, camera, area, columns=columns, scale=table, reach=reach)
    if veil and behind:
        ground = rendered(behind, lines, camera, area, columns=columns, scale=table, reach=reach)
        image = (1.0 - veil) * image + veil * ground
    for opacity, clear in shells:
        over = rendered([*bodies, *clear], lines, camera, area, columns=columns, scale=table, reach=reach)
        image = (1.0 - opacity) * image + opacity * over
    if overlay:
        over = rendered(overlay, lines, camera, area, columns=columns, scale=table, reach=reach)
        image = image * (1.0 - _OVERLAY * over[..., 3:]) + _OVERLAY * over
    cover = image[..., 3:]
    image[..., :3] = image[..., :3] / np.where(cover > 0.0, cover, 1.0)
    marks = place_marks(cover[..., 0], inner)
    if marks.below and clear_marks:
        image = np.concatenate([image, np.zeros((marks.below, *image.shape[1:]))])
        area = replace(area, bottom=area.bottom + marks.below * (area.right - area.left) / columns)
    with canvas(path=path, title=title, width=width, panel_height=inner * area.aspect - 0.25) as c:
        ax = c.axes[0]
        ax.imshow(
            np.clip(image, 0.0, 1.0),
            extent=(1e3 * area.left, 1e3 * area.right, 1e3 * area.bottom, 1e3 * area.top),
            interpolation="antialiased",
        )
        ax.set_axis_off()
        marks.draw(ax, camera, area, inner)
        if span is not None:
            shades: Any = matplotlib.cm.ScalarMappable(matplotlib.colors.Normalize(*span), cmap=colours)
            c.figure.colorbar(shades, ax=ax, label=label, shrink=0.7, aspect=28, pad=0.02)
    return c.figure
