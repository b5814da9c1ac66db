"""ParameterNumbers: the numbers of a train at any value of one parameter."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ....errors import ModelError
from ....model import Model
from ...batch.lane_train import LaneTrain
from ...batch.reading.reader import TrainRead
from ...batch.values.lane_values import LaneValues
from ...batch.values.topology import difference, merged
from ...batch.values.value_forms import SAME, ValueForm, closed_form

__all__ = ["ParameterNumbers"]

Array = NDArray[np.float64]

SAMPLED, TESTED = (0.0, 0.3819, 0.7273, 1.0), (0.1459, 0.5528, 0.9098)
"""Places in the range of the parameter at which models are read, and at which the forms found are tested."""


class ParameterNumbers:
    """Train of a source over one parameter. Numbers are constants or closed forms of the parameter, if these reproduce models in
    the range; otherwise the model is read at each value."""

    def __init__(self, values: LaneValues, over: str, unit: str, start: float, end: float) -> None:
        self._values, self._over, self._unit = values, over, unit
        places = [start + x * (end - start) for x in SAMPLED]
        reads = [self._read(p) for p in places]
        self.read: TrainRead = reads[0]
        self.train: LaneTrain = reads[0].train
        for p, read in zip(places[1:], reads[1:], strict=True):
            self._check(read, p)
            self.train = merged(self.train, read.train)
        self._forms: dict[str, ValueForm | float] | None = {}
        for name in self.train.values:
            found = np.array([float(read.train.values.get(name, 0.0)) for read in reads])
            rounding = self.read.rounding.get(name, 0.0)
            form = (
                found[0] if _same(found, found[0], rounding) else closed_form(over, np.array(places), found, rounding)
            )
            if form is None:
                self._forms = None
                break
            self._forms[name] = form
        if self._forms is not None and not all(self._reproduces(start + x * (end - start)) for x in TESTED):
            self._forms = None

    def at(self, parameters: Array) -> dict[str, float | Array]:
        """Numbers at (lanes,) values of the parameter: constants, or (lanes,)."""
        if self._forms is not None:
            columns = {self._over: parameters}
            return {
                name: form if isinstance(form, float) else np.asarray(form(columns), float)
                for name, form in self._forms.items()
            }
        distinct, place = np.unique(parameters, return_inverse=True)
        found = [self._numbers(float(p)) for p in distinct]
        return {
            name: value if all(one[name] == value for one in found) else np.array([one[name] for one in found])[place]
            for name, value in found[0].items()
        }

    def model(self, parameter: float) -> tuple[Model, TrainRead]:
        """The model at a value of the parameter, and its train."""
        return self._values.source.build(self._given(parameter)), self._read(parameter)

    def _numbers(self, parameter: float) -> dict[str, float]:
        read = self._read(parameter)
        self._check(read, parameter)
        return {name: float(read.train.values.get(name, 0.0)) for name in self.train.values}

    def _reproduces(self, parameter: float) -> bool:
        exact, found = self._numbers(parameter), self.at(np.array([parameter]))
        return all(
            _same(np.asarray(found[name], float).reshape(-1), value, self.read.rounding.get(name, 0.0))
            for name, value in exact.items()
        )

    def _read(self, parameter: float) -> TrainRead:
        return self._values.read(self._given(parameter))

    def _given(self, parameter: float) -> dict[str, Any]:
        return {self._over: f"{parameter!r} {self._unit}" if self._unit else parameter}

    def _check(self, read: TrainRead, parameter: float) -> None:
        why = difference(self.read.train, read.train)
        if why:
            raise ModelError(
                f'continuation: {why} changes with "{self._over}", at {parameter:g} {self._unit}'.rstrip()
                + ". A branch has the same bodies, teeth and ratios at all points"
            )


def _same(values: Array, value: float, rounding: float) -> bool:
    return bool(np.all(np.abs(values - value) <= 4.0 * SAME * np.maximum(np.abs(values), abs(value)) + rounding))
