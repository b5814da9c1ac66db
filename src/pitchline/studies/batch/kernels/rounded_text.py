"""Dead zone with corners that are rounded by hyperbolas, as `elements.dead_zone`: text."""

from __future__ import annotations

import numpy as np

from ..lane_train import LaneMesh
from .numbers import LaneNumbers
from .text import total

__all__ = ["RoundedText"]


class RoundedText:
    """Text of a mesh with a smoothing length d: g = (s + r(s))/2 + (s + b - r(s + b))/2 with r(x) = sqrt(x² + d²)."""

    def __init__(self, k: int, mesh: LaneMesh, numbers: LaneNumbers, backlash: str) -> None:
        self._k, self._backlash = k, backlash
        half, length = 0.5 * numbers.of(mesh.backlash), numbers.of(mesh.smoothing)
        square = length * length
        middle = 0.5 * (half * half - half * np.sqrt(half * half + square) - square * np.arcsinh(half / length))
        self._square = numbers.use(f"dd{k}", square)
        self._inverse, self._middle = numbers.use(f"inv_d{k}", 1.0 / length), numbers.use(f"G0{k}", -middle)

    def force_text(self) -> list[str]:
        """Lines up to g{k} and f{k}."""
        k = self._k
        out = [f"t{k} = {total([f's{k}', self._backlash])}"]
        out += [f"r{k} = math.sqrt(s{k}*s{k} + {self._square})", f"w{k} = math.sqrt(t{k}*t{k} + {self._square})"]
        return [*out, f"g{k} = 0.5*(s{k} + r{k}) + 0.5*(t{k} - w{k})", f"f{k} = K{k}*g{k}"]

    @property
    def slope(self) -> str:
        """Derivative of g."""
        k = self._k
        return f"(1.0 + 0.5*(s{k}/r{k} - t{k}/w{k}))"

    @property
    def forces(self) -> tuple[str, str]:
        """Forces of the drive and of the coast flank."""
        k = self._k
        return f"0.5*K{k}*(s{k} + r{k})", f"0.5*K{k}*(w{k} - t{k})"

    @property
    def shares(self) -> tuple[str, str]:
        """Derivatives of their depths."""
        k = self._k
        return f"(0.5 + 0.5*s{k}/r{k})", f"(0.5 - 0.5*t{k}/w{k})"

    @property
    def energy(self) -> str:
        """Integral of g, zero in the middle of the backlash."""
        k, d = self._k, self._inverse
        bent = f"{self._square}*(math.asinh(s{k}*{d}) - math.asinh(t{k}*{d}))"
        return f"({total([f'0.25*(s{k}*(s{k} + r{k}) + t{k}*(t{k} - w{k}) + {bent})', self._middle])})"
