"""Solid pictures: surfaces and lines in space seen by an orthographic camera, and marks on them."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from pitchline.base.arguments import names_wrong_arguments
from pitchline.base.types import FloatArray, IntArray
from pitchline.errors import PitchlineError, shown
from pitchline.parts.gears.triangles import Triangles, outer_faces, skin, solid_of

from . import style
from .style import canvas

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from pitchline.fem.sector_grid import SectorGrid
    from pitchline.fem.solid_grid import SolidGrid

__all__ = [
    "DrawnSurface",
    "Camera",
    "Line",
    "mixed",
    "rendered",
    "rgb",
    "Marks",
    "place_marks",
    "GEAR_COLOURS",
    "plot_solid",
    "show",
]


_LIGHT = np.array([-0.42, -0.62, 0.66])
_TAPS = 4
_AXES = {"x": 0, "y": 1, "z": 2}


def rgb(colour: str) -> tuple[float, float, float]:
    """Of "#RRGGBB", 0 to 1."""
    return int(colour[1:3], 16) / 255.0, int(colour[3:5], 16) / 255.0, int(colour[5:7], 16) / 255.0


def mixed(colour: str, other: str, part: float) -> tuple[float, float, float]:
    """Between two colours; part: of the second."""
    a, b = np.array(rgb(colour)), np.array(rgb(other))
    r, g, blue = (1.0 - part) * a + part * b
    return float(r), float(g), float(blue)


@dataclass(frozen=True, eq=False)
class DrawnSurface:
    """A surface in space. values: (t, 3) at the corners of its triangles, NaN for the plain colour. edges: width [px], 0: none."""

    surface: Triangles
    colour: tuple[float, float, float]
    values: FloatArray | None = None
    edges: float = 1.0
    edge_part: float = 0.55
    """How dark the edges are: 0 the colour itself, 1 black."""


@dataclass(frozen=True, eq=False)
class Line:
    """A line through points (n, 3) [m]. width: px. Broken where a point is not finite."""

    points: FloatArray
    colour: tuple[float, float, float]
    width: float = 2.5


@dataclass(frozen=True)
class Camera:
    """Direction of view and direction upwards.

    up: the axis that points up in the picture. azimuth, elevation: [deg] of the eye, seen from the object: 0, 0 looks along
    the axis of the gear (z; x if z is up), azimuth moves the eye to the right, elevation upwards.
    """

    azimuth: float = 28.0
    elevation: float = 22.0
    up: str = "y"
    axes: FloatArray = field(init=False)
    """Rows: to the right, downwards, and to the eye, in the axes of the object."""

    def __post_init__(self) -> None:
        if not isinstance(self.up, str) or self.up not in _AXES:
            raise PitchlineError(f'picture: up is "x", "y" or "z", got {shown(self.up)}')
        u, f = np.zeros(3), np.zeros(3)
        u[_AXES[self.up]] = 1.0
        f[0 if self.up == "z" else 2] = 1.0
        r = np.cross(u, f)
        a, e = math.radians(self.azimuth), math.radians(self.elevation)
        eye = math.cos(e) * (math.cos(a) * f + math.sin(a) * r) + math.sin(e) * u
        right = math.cos(a) * r - math.sin(a) * f
        object.__setattr__(self, "axes", np.stack([right, np.cross(right, eye), eye]))

    @classmethod
    def of(cls, view: object, up: str = "y") -> Camera:
        """From (azimuth, elevation) [deg]."""
        try:
            azimuth, elevation = np.asarray(view, dtype=np.float64).tolist()
        except (TypeError, ValueError):
            raise PitchlineError(f"picture: view is (azimuth, elevation) in degrees, got {shown(view)}") from None
        if not (math.isfinite(azimuth) and math.isfinite(elevation)):
            raise PitchlineError(f"picture: view must be two finite angles in degrees, got {shown(view)}")
        return cls(azimuth, elevation, up)

    @classmethod
    def facing(cls, back: npt.ArrayLike, up: npt.ArrayLike) -> Camera:
        """From the direction to the eye and the direction upwards."""
        eye = np.asarray(back, dtype=np.float64)
        eye = eye / np.linalg.norm(eye)
        right = np.cross(np.asarray(up, dtype=np.float64), eye)
        right = right / np.linalg.norm(right)
        made = cls()
        object.__setattr__(made, "axes", np.stack([right, np.cross(right, eye), eye]))
        return made

    @classmethod
    def about(cls, view: object, up: FloatArray) -> Camera:
        """From (azimuth, elevation) [deg] about any direction upwards; of a named axis as `of` does."""
        named = [name for name, k in _AXES.items() if up[k] > 0.999999]
        if named:
            return cls.of(view, named[0])
        flat = cls.of(view, "z")  # checks the angles
        f = np.eye(3)[0 if abs(up[2]) > 0.7 else 2]
        f = f - (f @ up) * up
        f /= np.linalg.norm(f)
        turned = np.stack([f, np.cross(up, f), up])
        return cls.facing(flat.axes[2] @ turned, up)


@dataclass(frozen=True)
class PictureArea:
    """The part of the plane of the picture that is shown [m]: left, right, top and bottom in the axes of the camera."""

    left: float
    right: float
    top: float
    bottom: float

    @property
    def aspect(self) -> float:
        """Height by width."""
        return (self.bottom - self.top) / (self.right - self.left)


def area_around(points: FloatArray, camera: Camera, margin: float = 0.03) -> PictureArea:
    """Around points (n, 3) [m]."""
    seen = points @ camera.axes[:2].T
    low, high = seen.min(axis=0), seen.max(axis=0)
    edge = margin * float((high - low).max())
    return PictureArea(low[0] - edge, high[0] + edge, low[1] - edge, high[1] + edge)


def rendered(
    bodies: Sequence[DrawnSurface],
    lines: Sequence[Line],
    camera: Camera,
    area: PictureArea,
    *,
    columns: int,
    scale: npt.ArrayLike | None = None,
    reach: float,
    samples: int = 3,
) -> FloatArray:
    """The image (rows, columns, 4), colours already times opacity.

    scale: (n, 3) colours of values from 0 to 1. reach: how far [m] surfaces take light from each other. samples: squared,
    for each pixel.
    """
    from .solid_raster import draw, shade

    rows = max(round(columns * area.aspect), 1)
    per = columns * samples / (area.right - area.left)  # samples a metre
    depth = np.full((rows * samples, columns * samples), -np.inf, dtype=np.float32)
    owner = np.full(depth.shape, -1, dtype=np.int32)
    origin = np.array([area.left, area.top, 0.0])

    def seen(points: FloatArray) -> FloatArray:
        return (points @ camera.axes.T - origin) * per

    corners: list[FloatArray] = []
    normals: list[FloatArray] = []
    values: list[FloatArray] = []
    kind: list[IntArray] = []
    palette: list[tuple[float, ...]] = []  # red, green, blue, shine
    for body in bodies:
        surface = body.surface
        place = seen(surface.points)
        count = len(surface.triangles)
        corners.append(place[surface.triangles])
        shading = (
            surface.normals if surface.normals is not None else np.repeat(surface.face_normals[:, None], 3, axis=1)
        )
        normals.append(shading @ camera.axes.T)
        values.append(np.full((count, 3), np.nan) if body.values is None else np.asarray(body.values, dtype=np.float64))
        kind.append(np.full(count, len(palette), dtype=np.int64))
        palette.append((*body.colour, 0.16))
        if body.edges and surface.edges is not None:
            dark = tuple((1.0 - body.edge_part) * c for c in body.colour)
            kind.append(_strip(place[surface.edges], body.edges * samples, len(palette), corners, normals, values))
            palette.append((*dark, -1.0))
    for line in lines:
        place = seen(line.points)
        pieces = np.stack([place[:-1], place[1:]], axis=1)
        pieces = pieces[np.isfinite(pieces).all(axis=(1, 2))]
        kind.append(_strip(pieces, line.width * samples, len(palette), corners, normals, values))
        palette.append((*line.colour, -1.0))
    triangles = np.ascontiguousarray(np.concatenate(corners))
    draw(triangles, 0, depth, owner)
    image = np.zeros((rows, columns, 4))
    table = np.ones((2, 3)) if scale is None else np.asarray(scale, dtype=np.float64)
    shade(
        triangles,
        np.ascontiguousarray(np.concatenate(normals)),
        np.ascontiguousarray(np.concatenate(values)),
        np.concatenate(kind),
        np.array(palette),
        np.ascontiguousarray(table),
        _LIGHT / np.linalg.norm(_LIGHT),
        _taps(max(reach * per, 2.0), samples),
        max(reach * per, 2.0),
        depth,
        owner,
        image,
    )
    return image


def _taps(reach: float, samples: int) -> IntArray:
    """Places around a sample on a spiral, distributed over the samples of a pixel so that their mean is smooth."""
    count = _TAPS * samples * samples
    k = np.arange(count)
    spiral = reach * np.sqrt((k + 0.5) / count) * np.exp(1j * math.pi * (3.0 - math.sqrt(5.0)) * k)
    places = np.rint(np.stack([spiral.real, spiral.imag], axis=-1)).astype(np.int64)
    return np.ascontiguousarray(places.reshape(_TAPS, -1, 2).swapaxes(0, 1).reshape(-1, 2))


def _strip(
    pieces: FloatArray,
    width: float,
    number: int,
    corners: list[FloatArray],
    normals: list[FloatArray],
    values: list[FloatArray],
) -> IntArray:
    """Straight pieces (n, 2, 3) as two triangles each, of a width in samples, slightly in front of their surface."""
    a, b = pieces[:, 0].copy(), pieces[:, 1].copy()
    along = b[:, :2] - a[:, :2]
    length = np.linalg.norm(along, axis=1, keepdims=True)
    along = np.where(length > 1e-9, along / np.where(length > 1e-9, length, 1.0), np.array([1.0, 0.0]))
    across = 0.5 * width * np.stack([-along[:, 1], along[:, 0]], axis=-1)
    a[:, :2] -= 0.4 * width * along  # beyond their ends, so that corners close
    b[:, :2] += 0.4 * width * along
    lift = 1.1 * width
    quad = np.stack([a, b, b, a], axis=1)
    quad[:, :2, :2] -= across[:, None]
    quad[:, 2:, :2] += across[:, None]
    quad[:, :, 2] += lift
    made = np.concatenate([quad[:, [0, 1, 2]], quad[:, [0, 2, 3]]])
    corners.append(made)
    normals.append(np.zeros_like(made))
    values.append(np.full(made.shape[:2], np.nan))
    return np.full(len(made), number, dtype=np.int64)


# ---- solid marks

# Scale bar and axes of a solid picture, in corners that the bodies leave free.

_GREY = "#6E6E6E"
_MARGIN = 0.02
"""From the marks to the rim of the picture, inches over inches of its width."""


class Marks:
    """Scale bar and axes with their corners. bar, triad: (right, top) of the corner. below: rows to add under the image."""

    def __init__(self, bar: tuple[bool, bool], triad: tuple[bool, bool], below: int) -> None:
        self.bar, self.triad, self.below = bar, triad, below

    def draw(self, ax: Axes, camera: Camera, area: PictureArea, width: float) -> None:
        """Draw both. width of the picture: inches."""
        _scale_bar(ax, area, width, *self.bar)
        _triad(ax, camera, area, width, *self.triad)


def place_marks(cover: FloatArray, width: float) -> Marks:
    """Find free corners in an image. cover: (rows, columns), 0 where nothing is drawn; width: of the picture [inches].

    If no corner is free, rows are added below the image.
    """
    rows, columns = cover.shape
    per = columns / width  # pixels per inch
    triad = (3.4 * _arm(width) * columns, 3.4 * _arm(width) * columns)
    bar = (max(0.24 * columns, 0.5 * per), 0.3 * per)
    below = 0
    taken: list[tuple[bool, bool]] = []
    found = []
    for (wide, high), wishes in (
        (triad, ((True, False), (True, True), (False, False), (False, True))),
        (bar, ((False, False), (False, True), (True, False), (True, True))),
    ):
        corner = next((c for c in wishes if c not in taken and _free(cover, wide, high, *c)), None)
        if corner is None:
            corner = next(c for c in wishes if not c[1] and c not in taken)
            below = max(below, min(math.ceil(high), math.ceil(0.5 * rows)))
        taken.append(corner)
        found.append(corner)
    if below and not all(top for _, top in found):
        # both marks at the bottom move down with the rim
        return Marks(found[1], found[0], below)
    return Marks(found[1], found[0], 0)


def _free(cover: FloatArray, wide: float, high: float, right: bool, top: bool) -> bool:
    rows, columns = cover.shape
    h, w = min(math.ceil(high), rows), min(math.ceil(wide), columns)
    box = cover[:h] if top else cover[rows - h :]
    return not (box[:, columns - w :] if right else box[:, :w]).any()


def _arm(width: float) -> float:
    """Length of an arm of the axes over the width of the picture [inches]: large enough for the letters."""
    return max(0.045, 0.22 / width)


def _scale_bar(ax: Axes, area: PictureArea, width: float, right: bool, top: bool) -> None:
    """A length in the plane of the picture, 1, 2 or 5 times a power of ten [mm]."""
    wide = 1e3 * (area.right - area.left)
    inch = wide / width
    power = 10.0 ** math.floor(math.log10(0.2 * wide))
    length = max(step * power for step in (1.0, 2.0, 5.0) if step * power <= 0.2 * wide)
    half = max(0.5 * length, 0.25 * inch)  # the text may be wider than the bar
    middle = 1e3 * area.right - _MARGIN * wide - half if right else 1e3 * area.left + 0.01 * wide + half
    y = 1e3 * area.top + 0.25 * inch if top else 1e3 * area.bottom - 0.06 * inch
    _stroke(ax, (middle - 0.5 * length, middle + 0.5 * length), (y, y), 1.5)
    _word(ax, middle, y - 0.05 * inch, f"{length:g} mm" if length < 1e4 else f"{1e-3 * length:g} m", "bottom")


def _stroke(ax: Axes, x: tuple[float, float], y: tuple[float, float], width: float) -> None:
    """A grey line with a white rim, which is visible on any background."""
    from matplotlib.patheffects import Normal, Stroke

    rim = [Stroke(linewidth=width + 1.6, foreground="white"), Normal()]
    ax.plot(x, y, color=_GREY, linewidth=width, scalex=False, scaley=False, path_effects=rim)


def _word(ax: Axes, x: float, y: float, text: str, va: str) -> None:
    from matplotlib.patheffects import Normal, Stroke

    rim = [Stroke(linewidth=1.8, foreground="white"), Normal()]
    ax.text(x, y, text, color=_GREY, ha="center", va=va, fontsize=7.0, path_effects=rim)


def _triad(ax: Axes, camera: Camera, area: PictureArea, width: float, right: bool, top: bool) -> None:
    """The axes of the world, or of the first gear; width of the picture: inches."""
    wide = 1e3 * (area.right - area.left)
    size = _arm(width) * wide
    arms = camera.axes[:2].T * size
    reach = 1.45 * np.stack([np.minimum(arms.min(axis=0), 0.0), np.maximum(arms.max(axis=0), 0.0)])
    x = 1e3 * area.right - 0.3 * size - reach[1, 0] if right else 1e3 * area.left + 0.3 * size - reach[0, 0]
    y = 1e3 * area.top + 0.3 * size - reach[0, 1] if top else 1e3 * area.bottom - 0.3 * size - reach[1, 1]
    for name, arm in zip("xyz", arms, strict=True):
        if math.hypot(*arm) < 0.12 * size:
            continue  # points to the eye
        _stroke(ax, (x, x + arm[0]), (y, y + arm[1]), 0.8)
        far = 1.0 + 0.3 * size / math.hypot(*arm)
        _word(ax, x + far * arm[0], y + far * arm[1], name, "center")


# ---- solid picture

# Shaded pictures of solid grids with their elements, deformed or coloured by a field; and the figure of an image.

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

    from .picture import check_width

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
