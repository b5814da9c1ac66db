"""Checks of a checkpoint against the compiled system. Compiled code does not check array bounds.

A checksum detects damage, but not a manipulated file. Therefore every size, and every number that is an array index, is checked
here.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from ..model import Model
from ..solvers.motion import Motion, Samples, new_samples
from ..solvers.sample_store import SampleStore
from ..system.system import System

__all__ = [
    "Unfit", "check_about", "check_alike", "check_factors", "check_motion", "check_rank", "check_samples", "check_start",
]  # fmt: skip

_FAR = 1e12
"""Limit for positions [m], revolutions and memory of elements. Larger values do not occur in a run."""


class Unfit(Exception):
    """The checkpoint does not fit the model. The message states what differs."""


def _need(fits: bool | np.bool_, what: str) -> None:
    if not fits:
        raise Unfit(what)


def _number(value: Any) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool) and bool(np.isfinite(value))


def _count(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and 0 <= value < 2**62


def _places(values: np.ndarray, size: int, *, least: int = 0) -> bool:
    """Whether all are whole numbers from `least` to below `size`."""
    return bool(np.all((values >= least) & (values < size)))


def check_about(about: Mapping[str, Any]) -> None:
    """Check the types of the plain data."""
    for key in ("start_time", "seconds", "wall", "rank_tolerance", "last_change"):
        _need(_number(about.get(key)), f'"{key}" is not a number')
    for key in ("pivotings", "rank_changes", "impacts"):
        _need(_count(about.get(key)), f'"{key}" is not a whole number of 0 or more')
    options = about.get("options")
    _need(isinstance(options, dict) and _number(options.get("duration")) and options["duration"] > 0, "its options")
    _need(isinstance(about.get("fingerprint"), str) and isinstance(about.get("reduce"), bool), "its options")
    _need(isinstance(about.get("evaluator"), str), '"evaluator" is not a string')
    for key in ("warnings", "bodies"):
        texts = about.get(key)
        _need(isinstance(texts, list) and all(isinstance(text, str) for text in texts), f'"{key}" are not strings')
    angles, meshes, groups = about.get("angles"), about.get("meshes"), about.get("groups")
    _need(isinstance(angles, dict) and all(_number(angle) for angle in angles.values()), '"angles" are not numbers')
    _need(isinstance(meshes, dict), '"meshes" are not numbers')
    assert isinstance(meshes, dict)
    for three in meshes.values():
        _need(isinstance(three, list) and len(three) == 3 and all(map(_number, three)), '"meshes" are not numbers')
    _need(isinstance(groups, list) and all(isinstance(group, list) for group in groups), '"groups" are not lists')


def check_start(model: Model, names: Sequence[str], data: Mapping[str, np.ndarray]) -> None:
    """Check the initial state: one entry for each body."""
    _need(sorted(names) == sorted(model.bodies), "its bodies differ from those of the model")
    for key, shape in (("position", (3,)), ("orientation", (3, 3)), ("velocity", (3,)), ("angular_velocity", (3,))):
        array = data[f"start_{key}"]
        _need(array.shape == (len(names), *shape) or (not names and array.size == 0), f"the {key} at the start")
        _need(array.dtype == np.float64 and np.all(np.isfinite(array)), f"the {key} at the start")


def check_rank(system: System, redundant: np.ndarray, groups: Sequence[Sequence[Any]]) -> None:
    """Check the redundant multipliers and those that share loads."""
    _need(redundant.ndim == 1 and redundant.dtype == np.int64, "its redundant constraints")
    _need(
        np.unique(redundant).size == redundant.size and _places(redundant, system.n_lam_active),
        "its redundant constraints",
    )
    for group in groups:
        _need(all(_count(l) and l < system.n_lam for l in group), "constraints that share loads")


def check_motion(motion: Motion, start: float, end: float) -> None:
    """Check the values of the motion and of the time loop. Array shapes were checked before."""
    arrays = motion.arrays()
    for name, array in arrays.items():
        for field in array.dtype.names or ("",):
            values = array[field] if field else array
            infinite = name == "options" and not np.any(np.isnan(values))
            _need(infinite or np.all(np.isfinite(values)), f'"motion_{name}" contains a value that is not a number')
    _need(np.all(np.abs(arrays["pose"]) < _FAR) and np.all(np.abs(arrays["mem"]) < _FAR), "its positions")
    p, o, n = motion.progress, motion.options, max(motion.system.n, 1)
    for flag in ("have_factors", "extrapolate", "sample_due"):
        _need(p[flag] in (0, 1), "a flag of the time loop")
    counters = np.array([p[name] for name in p.dtype.names or () if p.dtype[name] == np.int64])
    _need(p["steps"] >= 0 and p["stop_index"] >= 0 and np.all(np.abs(counters) < 2**60), "a counter of the time loop")
    _need(p["stride"] >= 1, "a counter of the time loop")
    _need(0 <= p["samples"] <= SampleStore.BLOCK, "the number of its samples")
    _need(o["step"] > 0.0, "its steps")
    _need(0 <= o["every"] < 2**53, "its samples")
    _need(o["t0"] == start and abs(o["t_end"] - end) <= 1e-9 * max(abs(end), end - start), "its duration")
    _need(start <= p["t"] <= o["t_end"], "the time that it has reached")
    _need(_places(arrays["pivot"], n), "the pivots of its matrix")
    _need(0 <= p["worst"] < n, "the number of an unknown")


def check_factors(system: System, fi: np.ndarray, fx: np.ndarray) -> None:
    """Check the sparse factors (if any): sizes, permutations, pointers and rows."""
    _need(fi.dtype == np.uint32 and fx.dtype == np.float64 and fi.ndim == fx.ndim == 1 and fi.size >= 3, "its factors")
    head = fi[:3].astype(np.int64)
    n, nl, nu = (int(k) for k in head)
    if n == 0:  # none yet, or the dense solver is used
        _need(fx.size >= 1 and not np.any(fi), "its factors")
        return
    _need(not system.dense and n == system.n, "the size of its factors")
    _need(fi.size == 5 + 4 * n + nl + nu and fx.size == 3 * n + nl + nu, "the size of its factors")
    places = fi[3:].astype(np.int64)
    row_place, column_at, rest = places[:n], places[n : 2 * n], places[2 * n :]
    lower, upper, rows_l, rows_u = np.split(rest, np.cumsum([n + 1, n + 1, nl]))
    for order in (row_place, column_at):
        _need(np.array_equal(np.sort(order), np.arange(n)), "the order of its factors")
    for pointers, size in ((lower, nl), (upper, nu)):
        _need(
            pointers[0] == 0 and pointers[-1] == size and np.all(np.diff(pointers) >= 0), "the columns of its factors"
        )
    _need(_places(rows_l, n) and _places(rows_u, n), "the rows of its factors")


def check_samples(system: System, motion: Motion, samples: Samples) -> None:
    """Check that all samples have the same length and the sizes of the system."""
    count = len(samples.t) if samples.t.ndim == 1 else -1
    _need(count >= max(int(motion.progress["samples"]), 1), "its samples")
    wanted = new_samples(0, system)
    for key, like in wanted._asdict().items():
        array = getattr(samples, key)
        _need(array.dtype == np.float64 and array.shape == (count, *like.shape[1:]), f'"samples_{key}"')
    _need(np.all(np.isfinite(samples.t)) and np.all(np.diff(samples.t) >= 0.0), "the times of its samples")


def check_alike(kept: Mapping[str, np.ndarray], like: Mapping[str, np.ndarray], part: str) -> None:
    """Check that names and shapes are those of a new run."""
    for key, array in like.items():
        there = kept.get(key)
        _need(there is not None and there.shape == array.shape and there.dtype == array.dtype, f'"{part}_{key}"')
        _need(there is not None and np.all(np.isfinite(there)) and np.all(np.abs(there) < _FAR), f'"{part}_{key}"')
