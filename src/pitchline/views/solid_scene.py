"""Bodies and lines in space, seen by an orthographic camera, as an image."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from pitchline.errors import PitchlineError, shown
from pitchline.files.triangles import FloatArray, IntArray, Triangles

__all__ = ["DrawnSurface", "Camera", "Line", "mixed", "rendered", "rgb"]

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
    from pitchline.views.solid_raster import draw, shade

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
