"""An elastic gear without cyclic symmetry: every tooth has its own compliance and its own traces of the modes."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

import numpy as np
import numpy.typing as npt

from ...arguments import names_wrong_arguments
from ...errors import ModelError
from ...gears.teeth.arrays import FloatArray, IntArray
from ..elastic_gear import ElasticGear

__all__ = ["WholeElasticGear"]


@names_wrong_arguments
@dataclass(frozen=True, eq=False)
class WholeElasticGear(ElasticGear):
    """A gear whose teeth differ in their elasticity: with holes, webs, a crack or broken teeth; from a mesh of the whole gear.

    Its other attributes, `teeth`, `material`, `grids`, `offsets`, `bore`, `frequencies`, `limit`, `mass`, `inertia` and
    `centre_of_mass`, are those of an `ElasticGear`.

    Attributes
    ----------
    compliance
        (side_i, side_j) → (teeth, offsets, hats_i, hats_j) [m/N]: displacement of hat i on side_i of tooth k + o to a unit force on
        hat j on side_j of tooth k, at [k, o]. See `compliance_between`.
    traces
        side → (modes, teeth, hats) [1/√kg], real: with coordinates c that obey c'' + ω² c = Σ t F under forces F, the
        displacement is
        Σ t c.
    nodal_diameters
        (modes,) zeros: modes have no nodal diameter.
    missing
        (teeth,) teeth without flanks, which carry no load.
    centre
        (3,) centre of mass in the axes of the gear [m].
    inertia_tensor
        (3, 3) about the centre of mass [kg m²].
    """

    kind: ClassVar[str] = "elastic gear without symmetry"
    missing: npt.NDArray[np.bool_]
    centre: FloatArray
    inertia_tensor: FloatArray

    @property
    def symmetric(self) -> bool:
        """False: teeth differ."""
        return False

    @property
    def missing_teeth(self) -> npt.NDArray[np.bool_]:
        """(teeth,) which teeth carry no load."""
        return self.missing

    @property
    def multiplicities(self) -> IntArray:
        """(modes,) ones."""
        return np.ones(len(self.frequencies), dtype=np.int64)

    def compliance_between(self, side_i: str, tooth_i: int, side_j: str, tooth_j: int) -> FloatArray:
        """(hats_i, hats_j) [m/N]: displacement of the hats on side_i of tooth_i to unit forces on those of tooth_j.

        Teeth are counted round the gear. Zero beyond the neighbours that `offsets` contains, and for missing teeth.
        """
        z = self.teeth.gear.teeth
        offset = tooth_i - tooth_j
        offset -= z * round(offset / z)
        block = self.compliance[side_i, side_j]
        at = np.flatnonzero(self.offsets == offset)
        found: FloatArray = block[tooth_j % z, int(at[0])] if len(at) else np.zeros(block.shape[-2:])
        return found

    def modal_compliance(self, side_i: str, side_j: str, *, up_to: object = None) -> FloatArray:
        """The part of `compliance` that the modes below a frequency carry [m/N]; of all modes without `up_to`."""
        chosen = self.frequencies < self._limit(up_to)
        w = 2.0 * math.pi * self.frequencies[chosen]
        t_i, t_j = self.traces[side_i][chosen].real, self.traces[side_j][chosen].real / w[:, None, None] ** 2
        z = self.teeth.gear.teeth
        result = np.empty((z, len(self.offsets), t_i.shape[2], t_j.shape[2]))
        for k in range(z):
            for o, offset in enumerate(self.offsets.tolist()):
                result[k, o] = t_i[:, (k + offset) % z].T @ t_j[:, k]
        return result

    def save(self, path: str | Path, *, overwrite: bool = False) -> Path:
        """Refused: keep the mesh. The result is in the cache."""
        raise ModelError(
            "elastic gear: gears without symmetry cannot be saved. Keep the file of the mesh: the computed "
            "elasticity is in the cache"
        )

    def __repr__(self) -> str:
        rows, lines = self.grids["left"].shape
        modes = f"{len(self.frequencies)} modes below {self.limit:g} Hz" if self.limit else "no modes"
        gone = f", {int(np.count_nonzero(self.missing))} teeth missing" if np.any(self.missing) else ""
        return f"WholeElasticGear({self.teeth!r}, bore {self.bore}, {rows}×{lines} hats, {modes}{gone})"


def by_tooth(
    C: FloatArray, sizes: Mapping[str, int], teeth: list[int], z: int, reach: int
) -> dict[tuple[str, str], FloatArray]:
    """Compliance of all loads, side after side and tooth after tooth in each, cut into pairs of sides and teeth.

    teeth: with flanks. reach: neighbours on either side.
    """
    place = {k: i for i, k in enumerate(teeth)}
    starts, end = {}, 0
    for side, size in sizes.items():
        starts[side] = end
        end += size * len(teeth)
    result = {}
    for i, n_i in sizes.items():
        for j, n_j in sizes.items():
            block = np.zeros((z, 2 * reach + 1, n_i, n_j))
            for k in teeth:
                column = starts[j] + place[k] * n_j
                for o in range(-reach, reach + 1):
                    other = place.get((k + o) % z)
                    if other is not None:
                        row = starts[i] + other * n_i
                        block[k, o + reach] = C[row : row + n_i, column : column + n_j]
            result[i, j] = block
    return result
