"""From the lanes of a run to a `BatchResult`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from ..source import Source
from ..study_result import StudyVariable
from .batch_result import BATCH_STATUS, FINAL_RATE, FINAL_STATE, BatchResult
from .lane_runs import LanesFound
from .lane_study import LaneStudy
from .reductions import Reductions

__all__ = ["final_states", "lane_reasons", "made_result", "run_warnings", "table_warnings"]

REASONS = {
    1: "a value became infinite; use more steps",
    2: "the speed of the ramp reached zero",
    3: "the run was interrupted",
}
MOST_REASONS = 1000
"""Points whose reasons are kept; the status of all points is known."""


def made_result(
    study: LaneStudy, found: LanesFound, reductions: Reductions, steps: np.ndarray, source: Source, facts: Mapping[str, Any],
    *, poincare: str = "",
) -> BatchResult:  # fmt: skip
    """The result of a run."""
    variables = {name: StudyVariable(values, reductions.units[name]) for name, values in found.values.items()}
    variables["closure"] = StudyVariable(found.closure, "", (), "largest change of a state in the last cycle")
    variables["steps"] = StudyVariable(np.array(steps), "", (), "time steps of a mesh cycle")
    if poincare:
        variables |= _samples(study, found, poincare)
    variables |= final_states(study, found.states)
    facts = {**facts, "rotors": [rotor.name for rotor in study.train.rotors]}
    warnings = run_warnings(study, found.status, steps, found.coarse, interrupted=found.interrupted)
    warnings += [text for name, share in found.beyond.items() for text in table_warnings(name, share)]
    return BatchResult(
        study.train.name, study.points, variables, found.status, lane_reasons(found.status), BATCH_STATUS, study="batch",
        warnings=tuple(warnings), facts=facts, source=source,
    )  # fmt: skip


def _samples(study: LaneStudy, found: LanesFound, name: str) -> dict[str, StudyVariable]:
    """Poincaré samples: (points, samples)."""
    unit = "m"
    for source in study.read.sources:
        if source.joint == name:
            unit = source.unit
    position, rate = found.samples[:, 0].T, found.samples[:, 1].T
    return {
        f"{name}.poincare": StudyVariable(position, unit, ("sample",), "at the ends of the last mesh cycles"),
        f"{name}.poincare_rate": StudyVariable(rate, f"{unit}/s", ("sample",), "its rate"),
    }


def final_states(study: LaneStudy, states: np.ndarray) -> dict[str, StudyVariable]:
    """Deviations and rates of all rotors, (points, rotors)."""
    free, n = list(study.train.free), states.shape[1]
    found = {}
    half = len(free)
    for name, part, words in (
        (FINAL_STATE, states[:half], "deviations of the rotors from steady rolling at the end [rad or m]"),
        (FINAL_RATE, states[half:], "their rates [rad/s or m/s]"),
    ):
        full = np.zeros((n, len(study.train.rotors)))
        full[:, free] = part.T
        found[name] = StudyVariable(full, "", ("rotor",), words)
    return found


def lane_reasons(status: np.ndarray) -> dict[int, str]:
    """Reasons of the first points without valid values."""
    return {int(i): REASONS[int(status[i])] for i in np.flatnonzero(status)[:MOST_REASONS]}


def table_warnings(mesh: str, share: np.ndarray) -> list[str]:
    """Warning for points whose force leaves the table of loaded teeth."""
    beyond = share > 1.0
    if not np.any(beyond):
        return []
    return [
        f'at {int(np.count_nonzero(beyond))} of {share.size} points the force of gear pair "{mesh}" is up to '
        f"{np.nanmax(share):.2g} times the largest load of its table, which is extrapolated linearly. Add larger loads to the table"
    ]


def run_warnings(
    study: LaneStudy, status: np.ndarray, steps: np.ndarray, coarse: np.ndarray, *, interrupted: bool
) -> list[str]:
    """Warnings of a run."""
    found = study.warnings(steps)
    if np.any(coarse):
        found.append(
            f"at {int(np.count_nonzero(coarse))} of {coarse.size} points the teeth touched and parted several times within one "
            "step, which is less accurate there. Use more steps"
        )
    for code, words in REASONS.items():
        count = int(np.count_nonzero(status == code))
        if count:
            found.append(f"{count} of {status.size} points have no valid values: {words}")
    if interrupted:
        found.append("the run was interrupted from the keyboard")
    return found
