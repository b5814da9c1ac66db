"""Error of folds by the time steps, and pairs of folds that are nearer than this error.

A motion over time steps that teeth touch or leave within has small corners, at which the branch can turn back and forth. With the
end z(y, p) of the motion, a fold has a left null vector w of dz/dy - 1. An error e of the end moves the fold by

    dp = - w · e / (w · dz/dp) .

Two folds that are nearer than a few times this error are not folds of the model.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from .branch import Branch
from .branch_points import FOLD, BranchPoint, SpecialPoint
from .flow import Flow, FlowFailed

__all__ = ["without_false_folds"]

NEAR = 4.0
"""Distance of two folds, divided by the error, below which they are not distinguished."""


def without_false_folds(branch: Branch, flow: Flow, cycles: int) -> Branch:
    """The branch with the errors of its folds, without pairs that are nearer than the error."""
    special = [
        replace(one, error=max(one.error, _error(flow, branch.points[one.index], cycles))) if one.kind == FOLD else one
        for one in sorted(branch.special, key=lambda one: one.index)
    ]
    folds = [one for one in special if one.kind == FOLD]
    kept: list[SpecialPoint] = []
    group: list[SpecialPoint] = []
    for fold in folds:
        if group and not _is_near(branch, group[-1], fold):
            kept += _of_group(group)
            group = []
        group.append(fold)
    kept += _of_group(group)
    dropped = len(folds) - len(kept)
    if dropped:
        branch.notes.append(
            f"{dropped} of {len(folds)} folds are nearer to others than the error of the time steps, and are left out. Use more "
            "steps"
        )
    branch.special = [one for one in special if one.kind != FOLD or one in kept]
    return branch


def _is_near(branch: Branch, first: SpecialPoint, second: SpecialPoint) -> bool:
    """Whether the branch turns back and forth within the error."""
    if first.sweep == second.sweep:
        return False
    values = [point.parameter for point in branch.points[first.index : second.index + 1]]
    return max(values) - min(values) <= NEAR * max(first.error, second.error)


def _of_group(group: list[SpecialPoint]) -> list[SpecialPoint]:
    """What remains of folds that are not distinguished: none, or the outermost one."""
    if len(group) % 2 == 0:
        return []
    sweep = group[0].sweep
    outermost = max if sweep == "up" else min
    return [outermost((one for one in group if one.sweep == sweep), key=lambda one: one.parameter)]


def _error(flow: Flow, point: BranchPoint, cycles: int) -> float:
    """Error of the parameter of a fold by the time steps; 0 if the flow gives no estimate."""
    refined = getattr(flow, "refined_change", None)
    if refined is None:
        return 0.0
    try:
        change = refined(point.state, point.parameter, cycles)
    except FlowFailed:
        return 0.0
    left, _, _ = np.linalg.svd(point.by_state - np.eye(len(point.state)))
    w = left[:, -1]
    slope = float(w @ point.by_parameter)
    return float(abs(w @ change / slope)) if slope else 0.0
