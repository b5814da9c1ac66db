"""PointBlock: the outcomes of consecutive points, as arrays."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...results.plain_data import from_json, to_json

__all__ = ["PointBlock", "PointColumn", "PointOutcome", "StudyValue"]


class StudyValue(NamedTuple):
    """One value of one point.

    values : number or array
    unit : SI unit
    dims : dimensions of the array, e.g. ("time", "component")
    description : short text
    """

    values: NDArray[Any]
    unit: str = ""
    dims: tuple[str, ...] = ()
    description: str = ""


@dataclass
class PointOutcome:
    """What was found at one point.

    status, reason : as in `StudyResult`
    seconds : duration of the computation [s]
    values : by name
    axes : dimension -> numbers along it, e.g. the times of signals
    labels : dimension -> texts along it
    warnings : of the analyses
    files : path -> checksum of the files that the point read
    """

    status: int = 0
    reason: str = ""
    seconds: float = 0.0
    values: dict[str, StudyValue] = field(default_factory=dict)
    axes: dict[str, StudyValue] = field(default_factory=dict)
    labels: dict[str, tuple[str, ...]] = field(default_factory=dict)
    warnings: tuple[str, ...] = ()
    files: dict[str, str] = field(default_factory=dict)


class PointColumn(NamedTuple):
    """A value of several points that has the same shape at all of them.

    name : of the value, or of the dimension
    rows : (r,) points, counted from the first one of the block
    value : with values of shape (r, ...)
    """

    name: str
    rows: NDArray[np.int64]
    value: StudyValue


@dataclass
class PointBlock:
    """Outcomes of the points first, first + 1, ...

    status, seconds : one for each point
    reasons, warnings : index of a point -> texts
    columns, axes : values, and numbers along dimensions
    labels : dimension -> texts along it
    files : path -> checksum of the files that the points read
    """

    first: int
    status: NDArray[np.int8]
    seconds: NDArray[np.float64]
    reasons: dict[int, str]
    warnings: dict[int, tuple[str, ...]]
    columns: list[PointColumn]
    axes: list[PointColumn]
    labels: dict[str, tuple[str, ...]]
    files: dict[str, str] = field(default_factory=dict)

    def __len__(self) -> int:
        return len(self.status)

    @property
    def points(self) -> range:
        """Indices of the points."""
        return range(self.first, self.first + len(self))

    @staticmethod
    def of(first: int, outcomes: Sequence[PointOutcome]) -> PointBlock:
        """From the outcomes of consecutive points."""
        labels: dict[str, tuple[str, ...]] = {}
        for outcome in outcomes:
            labels |= outcome.labels
        return PointBlock(
            first,
            np.array([outcome.status for outcome in outcomes], dtype=np.int8),
            np.array([outcome.seconds for outcome in outcomes], dtype=float),
            {first + k: outcome.reason for k, outcome in enumerate(outcomes) if outcome.reason},
            {first + k: outcome.warnings for k, outcome in enumerate(outcomes) if outcome.warnings},
            _columns([outcome.values for outcome in outcomes]),
            _columns([outcome.axes for outcome in outcomes]),
            labels,
            {path: digest for outcome in outcomes for path, digest in outcome.files.items()},
        )

    # ---- as arrays, for files

    def to_arrays(self) -> dict[str, NDArray[Any]]:
        """Arrays with all data; those that are not numbers are JSON in `head`."""
        arrays: dict[str, NDArray[Any]] = {"status": self.status, "seconds": self.seconds}
        head: dict[str, Any] = {
            "first": self.first,
            "reasons": {str(i): text for i, text in self.reasons.items()},
            "warnings": {str(i): list(texts) for i, texts in self.warnings.items()},
            "labels": {dim: list(texts) for dim, texts in self.labels.items()},
            "files": self.files,
        }
        for kind, columns in (("columns", self.columns), ("axes", self.axes)):
            head[kind] = []
            for k, (name, rows, value) in enumerate(columns):
                head[kind].append([name, value.unit, list(value.dims), value.description])
                arrays[f"{kind}_{k}"], arrays[f"{kind}_{k}_rows"] = value.values, rows
        arrays["head"] = np.frombuffer(to_json(head).encode(), dtype=np.uint8)
        return arrays

    @staticmethod
    def from_arrays(arrays: Mapping[str, NDArray[Any]]) -> PointBlock:
        """From `to_arrays`. KeyError, ValueError or TypeError if the data are damaged."""
        head = from_json(arrays["head"].tobytes().decode())
        found = {
            kind: [
                PointColumn(
                    name, arrays[f"{kind}_{k}_rows"], StudyValue(arrays[f"{kind}_{k}"], unit, tuple(dims), description)
                )
                for k, (name, unit, dims, description) in enumerate(head[kind])
            ]
            for kind in ("columns", "axes")
        }
        return PointBlock(
            int(head["first"]),
            arrays["status"],
            arrays["seconds"],
            {int(i): str(text) for i, text in head["reasons"].items()},
            {int(i): tuple(texts) for i, texts in head["warnings"].items()},
            found["columns"],
            found["axes"],
            {dim: tuple(texts) for dim, texts in head["labels"].items()},
            {str(path): str(digest) for path, digest in head["files"].items()},
        )


def _columns(points: Sequence[Mapping[str, StudyValue]]) -> list[PointColumn]:
    """Values of the same name, unit and shape together."""
    groups: dict[tuple[Any, ...], list[tuple[int, StudyValue]]] = {}
    for k, values in enumerate(points):
        for name, value in values.items():
            key = (name, value.unit, value.dims, value.values.shape, value.values.dtype.str)
            groups.setdefault(key, []).append((k, value))
    return [
        PointColumn(
            key[0],
            np.array([k for k, _ in group], dtype=np.int64),
            group[0][1]._replace(values=np.stack([value.values for _, value in group])),
        )
        for key, group in groups.items()
    ]
