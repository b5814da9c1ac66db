"""The shipped mechanisms: each a small module that builds a model, runs it and says what it found.

A mechanism is a module of this folder with

- `build()`: the model, with the equation that it can be held against in the docstring;
- `run()`: the result of its main analysis;
- `findings(result)`: the numbers that matter, with units and, where there is one, their closed form;
- `PLOT`: the signals worth a picture.

>>> from pitchline import gallery
>>> top = gallery.mechanism("heavy_top")
>>> result = top.run()

In a shell, ``python -m pitchline.gallery`` lists them and ``python -m pitchline.gallery heavy_top`` runs one.
"""

import importlib
from typing import Protocol, cast

from ..errors import PitchlineError, near_names
from ..model import Model
from ..results import Result
from .findings import Finding

__all__ = ["MECHANISMS", "Finding", "Mechanism", "mechanism"]

MECHANISMS: dict[str, str] = {
    "press": "a forging press on rubber mounts: it settles, is brought to speed, and spends its flywheel on blows",
    "four_bar": "Hoeken's linkage: a crank whose coupler point runs straight for half a turn",
    "double_pendulum": "two rods on ball joints: chaotic, but energy and vertical angular momentum stay",
    "heavy_top": "a gyroscope in steady precession",
    "governor": "a loaded centrifugal governor that follows the speed of its spindle",
    "rotor": "an unbalanced rotor on elastic bearings, run through its critical speed",
}
"""Every mechanism and what it is, in one line."""


class Mechanism(Protocol):
    """What the module of a mechanism offers."""

    PLOT: tuple[str, ...]

    def build(self) -> Model:
        """The model."""

    def run(self) -> Result:
        """The result of its main analysis."""

    def findings(self, result: Result) -> list[Finding]:
        """What to look at in the result."""


def mechanism(name: str) -> Mechanism:
    """The mechanism of this name."""
    if name not in MECHANISMS:
        raise PitchlineError(f'the gallery has no mechanism "{name}"; {near_names(name, MECHANISMS)}')
    return cast(Mechanism, importlib.import_module(f"{__name__}.{name}"))
