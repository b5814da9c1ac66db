"""Loads of the rolling elements of a bearing, from the deflections in a result."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from ..arguments import names_wrong_arguments
from ..bearings.mounting import MountedBearing, mounted_as_described
from ..errors import ModelError, PitchlineError, near_names

if TYPE_CHECKING:
    from .result import Result

__all__ = ["RollingLoads", "rolling_loads"]


@names_wrong_arguments
@dataclass(frozen=True, eq=False)
class RollingLoads:
    """Rolling elements of one bearing over the samples of a result.

    Attributes
    ----------
    name : str
        Of the bearing.
    time : (n,)
        [s]
    positions : (n, rows, elements)
        Angles of the rolling elements from x of the outer ring, in its axes [rad].
    loads : (n, rows, elements)
        [N]; 0 without contact. With cage="smooth" there are several positions for each element: what it would carry there.
    angles : (n, rows, elements)
        Contact angles [rad], positive towards +z.
    pressures : (n, rows, elements)
        Largest contact pressures [Pa].
    bearing : MountedBearing
        The bearing with its contact law.
    """

    name: str
    time: np.ndarray
    positions: np.ndarray
    loads: np.ndarray
    angles: np.ndarray
    pressures: np.ndarray
    bearing: MountedBearing
    deflection: np.ndarray
    rotation: np.ndarray

    def lives(self, *, turning_against_load: str = "inner") -> np.ndarray:
        """L10r [10^6 revolutions] at each sample (n,); infinite without load. turning_against_load: "inner" or "outer" ring."""
        try:
            lives = [
                self.bearing.reference_life(d, r, turning_against_load=turning_against_load)
                for d, r in zip(self.deflection, self.rotation, strict=True)
            ]
        except ModelError as error:
            raise ModelError(f'bearing "{self.name}": {error}') from None
        return np.array(lives)


@names_wrong_arguments
def rolling_loads(result: Result, name: str) -> RollingLoads:
    """Loads, contact angles and pressures of each rolling element of a bearing, at every sample of a result."""
    elements = result.model.get("elements", {})
    bearings = [key for key, said in elements.items() if said.get("key") == "bearing"]
    if name not in bearings:
        raise PitchlineError(
            f'result of "{result.model_name}": there is no bearing "{name}"; {near_names(name, bearings)}'
        )
    bearing = mounted_as_described(elements[name]["parameters"])
    deflection, rotation = result[f"{name}.deflection"].values, result[f"{name}.rotation"].values
    states = [bearing.at(d, r) for d, r in zip(deflection, rotation, strict=True)]
    return RollingLoads(
        name,
        result.time,
        np.array([bearing.positions(r) for r in rotation]),
        np.array([state.loads for state in states]),
        np.array([state.angles for state in states]),
        np.array([state.pressures for state in states]),
        bearing,
        deflection,
        rotation,
    )
