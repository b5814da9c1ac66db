"""Rasteriser of triangles: depth buffer, then shading. Compiled; orthographic projection.

All coordinates are in the axes of the picture, in samples (parts of a pixel): x to the right, y downwards, z towards the eye.
Each sample keeps the nearest triangle. Its place inside the triangle is computed again from the corners for the shading.
"""

import math
from typing import TYPE_CHECKING

import numpy as np
from numba import types

from pitchline.numerics.machine_code.compiled import A1, A2, A3, F8, I1, I2, I8, entry, leaf

if TYPE_CHECKING:
    Depths = np.ndarray
    Owners = np.ndarray
else:
    Depths = types.float32[:, ::1]
    Owners = types.int32[:, ::1]


@leaf
def _side(ax: F8, ay: F8, bx: F8, by: F8, px: F8, py: F8) -> F8:
    """Twice the area of the triangle a, b, p."""
    return (bx - ax) * (py - ay) - (by - ay) * (px - ax)


@leaf
def _crossing(ax: F8, ay: F8, bx: F8, by: F8, y: F8) -> F8:
    """x where an edge crosses the height y; NaN where it does not. From its upper end, whichever comes first: no cracks."""
    if ay > by:
        ax, ay, bx, by = bx, by, ax, ay
    if y < ay or y > by or ay == by:
        return math.nan
    return ax + (y - ay) / (by - ay) * (bx - ax)


@entry
def draw(corners: A3, first: I8, depth: Depths, owner: Owners) -> I8:
    """Nearest depth and its triangle, numbered from `first`, at each sample; returns how many samples were written.

    corners: (t, 3, 3). A sample belongs to a triangle where its middle lies inside or on the edge: row by row, between the
    edges that cross it, so that thin triangles cost no more than the samples that they cover.
    """
    rows, columns = depth.shape
    written = 0
    for t in range(corners.shape[0]):
        ax, ay, az = corners[t, 0, 0], corners[t, 0, 1], corners[t, 0, 2]
        bx, by, bz = corners[t, 1, 0], corners[t, 1, 1], corners[t, 1, 2]
        cx, cy, cz = corners[t, 2, 0], corners[t, 2, 1], corners[t, 2, 2]
        area = _side(ax, ay, bx, by, cx, cy)
        if area == 0.0:
            continue
        # z = az + slope_x (x - ax) + slope_y (y - ay), never outside of the corners (triangles seen from the side are steep)
        slope_x = ((bz - az) * (cy - ay) - (cz - az) * (by - ay)) / area
        slope_y = ((cz - az) * (bx - ax) - (bz - az) * (cx - ax)) / area
        near, far = max(az, bz, cz), min(az, bz, cz)
        top = max(math.ceil(min(ay, by, cy) - 0.5), 0)
        bottom = min(math.floor(max(ay, by, cy) - 0.5), rows - 1)
        for j in range(top, bottom + 1):
            y = j + 0.5
            low, high = math.inf, -math.inf
            p, q, r = _crossing(ax, ay, bx, by, y), _crossing(bx, by, cx, cy, y), _crossing(cx, cy, ax, ay, y)
            if p == p:
                low, high = min(low, p), max(high, p)
            if q == q:
                low, high = min(low, q), max(high, q)
            if r == r:
                low, high = min(low, r), max(high, r)
            if low > high:
                continue
            left, right = max(math.ceil(low - 0.5), 0), min(math.floor(high - 0.5), columns - 1)
            for i in range(left, right + 1):
                z = min(max(az + slope_x * (i + 0.5 - ax) + slope_y * (y - ay), far), near)
                if z > depth[j, i]:
                    depth[j, i] = z
                    owner[j, i] = first + t
                    written += 1
    return written


@leaf
def _openness(depth: Depths, j: I8, i: I8, nx: F8, ny: F8, nz: F8, taps: I2, first: I8, last: I8, reach: F8) -> F8:
    """How open the surroundings are, 0 to 1: surfaces above the tangent plane within `reach` take light away."""
    rows, columns = depth.shape
    here = depth[j, i]
    closed = 0.0
    for k in range(first, last):
        dx, dy = taps[k, 0], taps[k, 1]
        x, y = i + dx, j + dy
        if x < 0 or y < 0 or x >= columns or y >= rows:
            continue
        dz = depth[y, x] - here
        rise = dx * nx + dy * ny + dz * nz
        if rise > 0.0:  # nothing there: minus infinity
            square = dx * dx + dy * dy + dz * dz
            if square < 4.0 * reach * reach:
                closed += max(rise / math.sqrt(square) - 0.12, 0.0) * (1.0 - square / (4.0 * reach * reach))
    return max(0.0, 1.0 - 1.9 * closed / (last - first))


@entry
def shade(
    corners: A3,
    normals: A3,
    values: A2,
    kind: I1,
    colours: A2,
    scale: A2,
    light: A1,
    taps: I2,
    reach: F8,
    depth: Depths,
    owner: Owners,
    image: A3,
) -> I8:
    """The picture (rows, columns, 4), colours times opacity, from the buffers of `draw`; returns how many samples are covered.

    normals: (t, 3, 3) of the corners, in the axes of the picture.
    values: (t, 3), coloured by the rows of `scale` (0 to 1); NaN: the plain colour.
    kind: (t,) row of `colours` (r, g, b, shine); where shine is negative it is a line, not lit.
    taps: offsets at which occlusion is sampled, within `reach`; different ones for each sample of a pixel.
    depth, owner: a whole number of samples along each side of a pixel.
    """
    rows, columns = image.shape[0], image.shape[1]
    samples = depth.shape[0] // rows
    last = scale.shape[0] - 1
    each = taps.shape[0] // (samples * samples)
    covered = 0
    for row in range(rows):
        for column in range(columns):
            red, green, blue, count = 0.0, 0.0, 0.0, 0
            for part in range(samples * samples):
                j, i = row * samples + part // samples, column * samples + part % samples
                t = owner[j, i]
                if t < 0:
                    continue
                count += 1
                colour = kind[t]
                r, g, b, shine = colours[colour, 0], colours[colour, 1], colours[colour, 2], colours[colour, 3]
                if shine < 0.0:
                    red, green, blue = red + r, green + g, blue + b
                    continue
                # where the sample lies in its triangle
                ax, ay = corners[t, 0, 0], corners[t, 0, 1]
                bx, by = corners[t, 1, 0], corners[t, 1, 1]
                cx, cy = corners[t, 2, 0], corners[t, 2, 1]
                area = _side(ax, ay, bx, by, cx, cy)
                u = _side(cx, cy, ax, ay, i + 0.5, j + 0.5) / area
                v = _side(ax, ay, bx, by, i + 0.5, j + 0.5) / area
                w = 1.0 - u - v
                nx = w * normals[t, 0, 0] + u * normals[t, 1, 0] + v * normals[t, 2, 0]
                ny = w * normals[t, 0, 1] + u * normals[t, 1, 1] + v * normals[t, 2, 1]
                nz = w * normals[t, 0, 2] + u * normals[t, 1, 2] + v * normals[t, 2, 2]
                size = math.sqrt(nx * nx + ny * ny + nz * nz)
                if size == 0.0:
                    nx, ny, nz = 0.0, 0.0, 1.0
                else:
                    nx, ny, nz = nx / size, ny / size, nz / size
                value = w * values[t, 0] + u * values[t, 1] + v * values[t, 2]
                measured = value == value
                if measured:
                    at = min(max(value, 0.0), 1.0) * last
                    low = min(int(at), last - 1)
                    rest = at - low
                    r = (1.0 - rest) * scale[low, 0] + rest * scale[low + 1, 0]
                    g = (1.0 - rest) * scale[low, 1] + rest * scale[low + 1, 1]
                    b = (1.0 - rest) * scale[low, 2] + rest * scale[low + 1, 2]
                # light from above the left shoulder, sky from above, a little from below; what is enclosed gets less
                open_ = _openness(depth, j, i, nx, ny, nz, taps, part * each, (part + 1) * each, reach)
                facing = max(0.0, nx * light[0] + ny * light[1] + nz * light[2])
                sky = 0.5 - 0.5 * ny
                bright = open_ * (0.56 + 0.14 * sky) + (0.35 + 0.65 * open_) * 0.46 * facing
                if measured:  # colours that are read against a scale keep more of themselves
                    bright = 0.62 + 0.42 * bright
                    shine = 0.35 * shine
                half_z = light[2] + 1.0
                half = math.sqrt(light[0] * light[0] + light[1] * light[1] + half_z * half_z)
                gloss = max(0.0, (nx * light[0] + ny * light[1] + nz * half_z) / half)
                glint = shine * open_ * gloss**24
                red += min(r * bright + glint, 1.0)
                green += min(g * bright + glint, 1.0)
                blue += min(b * bright + glint, 1.0)
            share = 1.0 / (samples * samples)
            image[row, column, 0] = red * share
            image[row, column, 1] = green * share
            image[row, column, 2] = blue * share
            image[row, column, 3] = count * share
            covered += count
    return covered


__all__ = ["draw", "shade"]
