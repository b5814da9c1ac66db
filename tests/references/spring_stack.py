"""An element of a user with a description: springs in parallel between two points, each with its own stiffness."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Literal

import numpy as np

from pitchline.errors import Subject
from pitchline.extend import (
    EYE,
    TANGENT,
    Element,
    add_force,
    add_force_rotation,
    add_force_tangent,
    derived,
    description,
    dot,
    frame,
    mat_sum,
    mul,
    outer,
    point,
    scaled,
    scratch,
    signal,
    sub,
)
from pitchline.units import array, quantity

_STACK = Subject("spring stack")


@dataclass(frozen=True, eq=False, init=False)
class Stack:
    """Springs in parallel.

    Parameters
    ----------
    stiffness
        Of each [N/m].
    gap
        Free length [m].
    material
        What they are made of.
    """

    units: ClassVar[dict[str, str]] = {"stiffness": "N/m", "gap": "m"}
    stiffness: np.ndarray
    gap: float
    material: str

    def __init__(
        self, *, stiffness: Sequence[float], gap: object = 0.1, material: Literal["steel", "rubber"] = "steel"
    ) -> None:
        object.__setattr__(self, "stiffness", array(stiffness, "N/m", what=_STACK / "stiffness"))
        object.__setattr__(self, "gap", quantity(gap, "m", what=_STACK / "gap"))
        object.__setattr__(self, "material", material)

    @classmethod
    def equal(cls, *, count: int, stiffness: object) -> "Stack":
        """As many of one stiffness."""
        return cls(stiffness=[quantity(stiffness, "N/m", what=_STACK / "stiffness")] * count)

    @property
    def words(self) -> str:
        return f"{len(self.stiffness)} springs of {self.material}"


class SpringStack(Element):
    """Springs in parallel between two points."""

    a = frame("first end")
    b = frame("second end")
    stack = description(
        {"stack": Stack, "equal": Stack.equal},
        "the springs",
        check=lambda rng: Stack(stiffness=rng.uniform(1, 2, size=3)),
    )
    gap = derived("free length", "m")
    springs = derived("stiffness of each, and its part of the whole", "N/m", "count", columns=2)
    forces = scratch("force of each", "count")
    tension = signal("N", "force of all")

    @staticmethod
    def derive(values: dict[str, Any]) -> dict[str, Any]:
        k = values["stack"].stiffness
        return {"gap": values["stack"].gap, "springs": np.column_stack([k, k / k.sum()])}

    def evaluate(s, m, x, w, ask, r, J):
        a, b = s.a.at, s.b.at
        d = sub(point(x.b, b), point(x.a, a))
        l = math.sqrt(dot(d, d))
        n = mul(1.0 / l, d)
        f = k = 0.0
        for i in range(s.count):
            w.forces[i] = s.springs[i, 0] * (l - s.gap)
            f += w.forces[i]
            k += s.springs[i, 0]
        F = mul(f, n)
        add_force(r, 0, x.a, a, mul(-1.0, F))
        add_force(r, 6, x.b, b, F)
        if ask.mode == TANGENT:
            A = scaled(ask.K, mat_sum(scaled(k - f / l, outer(n, n)), scaled(f / l, EYE)))
            O = scaled(0.0, EYE)
            add_force_tangent(J, 0, x.a, a, 0, x.a, a, A, O)
            add_force_tangent(J, 0, x.a, a, 6, x.b, b, scaled(-1.0, A), O)
            add_force_tangent(J, 6, x.b, b, 0, x.a, a, scaled(-1.0, A), O)
            add_force_tangent(J, 6, x.b, b, 6, x.b, b, A, O)
            add_force_rotation(J, 0, x.a, a, mul(-1.0, F), ask.K)
            add_force_rotation(J, 6, x.b, b, F, ask.K)

    def report(s, m, x, w, ask, out):
        d = sub(point(x.b, s.b.at), point(x.a, s.a.at))
        e = math.sqrt(dot(d, d)) - s.gap
        for i in range(s.count):
            out.tension += s.springs[i, 0] * e
        out.potential = 0.5 * out.tension * e
