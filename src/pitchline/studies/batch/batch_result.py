"""BatchResult: values at all points of a batch, with the states at its end."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from ...arguments import names_wrong_arguments
from ...errors import ModelError, shown
from ...model import Model
from ..source import Source
from ..study_result import StudyResult

__all__ = ["BATCH_STATUS", "FINAL_RATE", "FINAL_STATE", "BatchResult"]

BATCH_STATUS = ("fine", "diverged", "stopped", "not computed")
"""Names of the statuses of points."""
FINAL_STATE, FINAL_RATE = "final.deviation", "final.rate"
"""Variables of the states at the end of a run: deviations of the rotors from steady rolling, and their rates."""


@names_wrong_arguments
@dataclass(frozen=True, eq=False, repr=False)
class BatchResult(StudyResult):
    """Result of a batch: a `StudyResult` whose points can be built as models.

    Its variables are the reductions, `closure` (the largest change of the state in the last cycle: small for a periodic motion)
    and the states at the end, from which ``batch.run(start=result)`` continues.
    """

    kind: ClassVar[str] = "study"
    source: Source | None = None

    def model(self, point: int | tuple[int, ...]) -> Model:
        """The model of a point, for `pitchline.dynamics`.

        point : index of the point, or its indices along the dimensions.
        """
        if self.source is None:
            raise ModelError(
                "the result was read from a file without its model. Build the model with the values of result.points"
            )
        i = self._index(point)
        values = {name: v for name, v in self.points.at(i).items() if name in self.source.parameters}
        return self.source.build(values)

    def _index(self, point: Any) -> int:
        if isinstance(point, tuple):
            try:
                return int(np.ravel_multi_index(point, self.shape))
            except (ValueError, TypeError):
                raise ModelError(f"there is no point {point}: the study has the shape {self.shape}") from None
        if isinstance(point, bool) or not isinstance(point, (int, np.integer)):
            raise ModelError(f"expected the index of a point, or its indices along the dimensions, got {shown(point)}")
        if not -len(self) <= point < len(self):
            raise ModelError(f"there is no point {point}: the study has {len(self)} points, counted from 0")
        return int(point) % len(self)
