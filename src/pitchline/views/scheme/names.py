"""Which view names what, and where the leader line of a name ends."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from pitchline.views.scheme import outlines
from pitchline.views.scheme.label_placement import Label
from pitchline.views.scheme.members import Member
from pitchline.views.scheme.scene import Round, Scene
from pitchline.views.scheme.view import Projection

__all__ = ["labels_of", "wheel_text"]

Array = NDArray[np.float64]
_MOST = 40
"""Names in a view; the others are left out."""
_UP = math.radians(25.0)
"""Height at which a leader line ends on a wheel that is seen along its axis."""


def wheel_text(wheel: Round) -> str:
    """Name and number of teeth."""
    return f"{wheel.name}, z = {wheel.gear['teeth']}" if wheel.gear else wheel.name


def labels_of(scene: Scene, views: Sequence[Projection]) -> list[list[Label]]:
    """Labels of every view. Wheels are named in the first view, others in the view with the largest distance to other names."""
    found: list[list[Label]] = [[] for _ in views]
    for wheel in scene.wheels:
        found[0].append(_wheel(wheel, views[0]))
    with_wheels = {wheel.body for wheel in scene.wheels}
    others: list[Callable[[Projection], Label]] = [lambda view, m=m: _member(m, view) for m in scene.members]  # type: ignore[misc]
    others += [
        lambda view, n=name, c=centre: _point(n, view.flat(c))  # type: ignore[misc]
        for name, centre in scene.centres.items()
        if name not in with_wheels
    ]
    every = [[make(view) for make in others] for view in views]
    for k in range(len(others)):
        apart = [_apart(k, labels, found[0] if n == 0 else []) for n, labels in enumerate(every)]
        best = max(range(len(views)), key=lambda n: (round(apart[n] / max(max(apart), 1e-12), 2), -n))
        found[best].append(every[best][k])
    return [_once(labels)[:_MOST] for labels in found]


def _once(labels: Sequence[Label]) -> list[Label]:
    """Labels without repetitions of the same text at the same place."""
    seen, kept = set(), []
    for label in labels:
        key = (label.text, *(round(x, 9) for x in (*label.from_left, *label.from_right)))
        if key not in seen:
            seen.add(key)
            kept.append(label)
    return kept


def _apart(k: int, labels: Sequence[Label], wheels: Sequence[Label]) -> float:
    """Distance to the nearest other name [m]."""
    x, y = labels[k].from_left
    others = [label.from_left for n, label in enumerate(labels) if n != k]
    others += [((w.from_left[0] + w.from_right[0]) / 2, (w.from_left[1] + w.from_right[1]) / 2) for w in wheels]
    return min((math.hypot(x - a, y - b) for a, b in others), default=math.inf if not wheels else 0.0)


def _point(text: str, flat: Array) -> Label:
    at = (float(flat[0]), float(flat[1]))
    return Label(text, at, at)


def _member(member: Member, view: Projection) -> Label:
    flat = view.flat(member.points)
    if not member.along:
        return _point(member.name, flat[0])
    # the middle of the longest piece: not a step, nor the place of a bearing
    lengths = np.hypot(*np.diff(flat, axis=0).T) if len(flat) > 1 else np.zeros(0)
    k = int(np.argmax(lengths)) if len(lengths) else 0
    return _point(member.name, 0.5 * (flat[k] + flat[min(k + 1, len(flat) - 1)]))


def _wheel(wheel: Round, view: Projection) -> Label:
    """On its rim, towards the label."""
    centre, text = view.flat(wheel.centre), wheel_text(wheel)
    if wheel.is_rack:
        profile = view.flat(wheel.centre + outlines.rack_profile(wheel) @ wheel.axes.T)
        (left, low), (right, high) = profile.min(axis=0), profile.max(axis=0)
        y, edge = float(0.5 * (low + high)), 0.03 * (right - left)
        return Label(text, (float(left + edge), y), (float(right - edge), y))
    if abs(float(wheel.axis @ view.towards)) > 0.985:
        tip, root = outlines.tip_and_root(wheel)
        r = 0.5 * (tip + outlines.rim(wheel)) if wheel.internal else 0.86 * root
        d = r * np.array([math.cos(_UP), math.sin(_UP)])
        return Label(
            text, (float(centre[0] - d[0]), float(centre[1] + d[1])), (float(centre[0] + d[0]), float(centre[1] + d[1]))
        )
    tip, _ = outlines.tip_and_root(wheel)
    reach = outlines.rim(wheel) if wheel.internal else tip
    outline = outlines.hull(view.flat(np.vstack(outlines.end_circles(wheel, reach))))
    middle = 0.5 * (outline.min(axis=0) + outline.max(axis=0))
    ends = [outline[int(np.argmin(outline[:, 0]))], outline[int(np.argmax(outline[:, 0]))]]
    left, right = (middle + 0.85 * (end - middle) for end in ends)
    return Label(text, (float(left[0]), float(left[1])), (float(right[0]), float(right[1])))
