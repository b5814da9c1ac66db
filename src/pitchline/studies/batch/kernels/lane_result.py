"""LaneResult: what a run of a kernel returns, for each lane."""

from __future__ import annotations

import enum
from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np

from ....elements.loaded_flank import CLEARLY
from .kernel_text import KernelText
from .lane_signal import MESH, TURNED, LaneSignal

__all__ = ["LaneResult", "LaneStatus", "SignalReductions", "reduced"]


class LaneStatus(enum.IntEnum):
    """What became of a lane.

    FINE. BLOWN_UP: a number is not finite; use more steps. STOPPED: a ramp reached speed zero. MANY_CHANGES: the teeth came into
    contact and left it so often in one step that its last part was not cut; use more steps.
    """

    FINE = 0
    BLOWN_UP = 1
    STOPPED = 2
    MANY_CHANGES = 3


@dataclass(frozen=True)
class SignalReductions:
    """Reductions of a signal, (lanes,); None if not requested. A lane that did not reach the end has nan.

    amplitudes, phases : (orders, lanes); the signal has the parts amplitude cos(order θ + phase).
    """

    signal: LaneSignal
    min: np.ndarray | None
    max: np.ndarray | None
    mean: np.ndarray | None
    rms: np.ndarray | None
    amplitudes: np.ndarray
    phases: np.ndarray

    @property
    def peak_to_peak(self) -> np.ndarray | None:
        return None if self.min is None or self.max is None else self.max - self.min


@dataclass(frozen=True)
class LaneResult:
    """Results of a run.

    states : (2 free, lanes) at the end: x, then x'. before : the same one base cycle earlier.
    signals : reductions, in the order of the signals of the kernel.
    contact_loss : (meshes, lanes), fraction of the recorded time without contact.
    points : (points, 2 × number of points of a sample, lanes): coordinate and rate at the ends of the last cycles.
    closure : (lanes,) largest change of a state in the last cycle; rates divided by ω.
    status : (lanes,) `LaneStatus`. cycles : (lanes,) base cycles that were run.
    """

    states: np.ndarray
    before: np.ndarray
    signals: tuple[SignalReductions, ...]
    contact_loss: np.ndarray
    points: np.ndarray
    closure: np.ndarray
    status: np.ndarray
    cycles: np.ndarray


def reduced(
    text: KernelText,
    sums: Mapping[str, np.ndarray],
    states: np.ndarray,
    before: np.ndarray,
    points: np.ndarray,
    cycles: int,
    samples: int,
) -> LaneResult:
    """Results from the sums of a kernel."""
    lanes = states.shape[1]
    status = np.full(lanes, LaneStatus.FINE, np.int8)
    done = np.full(lanes, cycles)
    if "cycles_done" in sums:
        done = sums["cycles_done"].astype(int)
        status[done < cycles] = LaneStatus.STOPPED
    if "missed_" in sums:
        status[sums["missed_"] > 0.0] = LaneStatus.MANY_CHANGES
    status[~np.isfinite(states).all(axis=0)] = LaneStatus.BLOWN_UP
    wrong = (status == LaneStatus.BLOWN_UP) | (status == LaneStatus.STOPPED)
    with np.errstate(all="ignore"):
        signals = [_reductions(n, signal, sums, samples, wrong) for n, signal in enumerate(text.signals.signals)]
        signals = [_on_loaded_flank(text, one, signals) for one in signals[: text.signals.requested]]
        loss = np.zeros((len(text.force.meshes), lanes))
        for k in text.signals.lost:
            loss[k] = _blank(sums[f"lost{k}_"] / samples if samples else np.full(lanes, np.nan), wrong)
        omega = np.broadcast_to(text.force.numbers.of(text.train.omega), (lanes,))
        half = len(states) // 2
        change = np.abs(states - before)
        change[half:] /= omega
        closure = _blank(change.max(axis=0, initial=0.0), wrong)
    return LaneResult(states, before, tuple(signals), loss, points, closure, status, done)


def _reductions(
    n: int, signal: LaneSignal, sums: Mapping[str, np.ndarray], samples: int, wrong: np.ndarray
) -> SignalReductions:
    def of(name: str, scale: float = 1.0) -> np.ndarray:
        return _blank(scale * sums[name], wrong) if samples else np.full(wrong.size, np.nan)

    per = 1.0 / samples if samples else 0.0
    twice = [(of(f"cos{n}_{h}", 2 * per), of(f"sin{n}_{h}", 2 * per)) for h in signal.orders]
    empty = np.zeros((0, wrong.size))
    return SignalReductions(
        signal,
        min=of(f"low{n}_") if signal.extremes else None,
        max=of(f"high{n}_") if signal.extremes else None,
        mean=of(f"mean{n}_", per) if signal.mean else None,
        rms=np.sqrt(of(f"square{n}_", per)) if signal.rms else None,
        amplitudes=np.array([np.hypot(c, s) for c, s in twice]) if twice else empty,
        phases=np.array([np.arctan2(-s, c) for c, s in twice]) if twice else empty,
    )


def _on_loaded_flank(text: KernelText, one: SignalReductions, every: list[SignalReductions]) -> SignalReductions:
    """Without backlash all samples refer to the flank that is loaded on average, as in `elements.loaded_flank`."""
    signal = one.signal
    if signal.kind != MESH or signal.name not in TURNED:
        return one
    force = [s for s in every[text.signals.requested :] if s.signal.index == signal.index]
    if not force:
        return one
    low, high, mean = force[0].min, force[0].max, force[0].mean
    assert low is not None and high is not None and mean is not None
    backlash = np.broadcast_to(text.force.numbers.of(text.train.meshes[signal.index].backlash), mean.shape)
    coast = (backlash <= 0.0) & (mean < -CLEARLY * np.maximum(np.abs(low), np.abs(high)))
    sign = np.where(coast, -1.0, 1.0)
    phases = np.where(coast, one.phases + np.where(one.phases > 0.0, -np.pi, np.pi), one.phases)
    turned = replace(one, mean=None if one.mean is None else sign * one.mean, phases=phases)
    if one.min is None or one.max is None:
        return turned
    return replace(turned, min=np.where(coast, -one.max, one.min), max=np.where(coast, -one.min, one.max))


def _blank(values: np.ndarray, wrong: np.ndarray) -> np.ndarray:
    """A lane that was not run to its end has no reductions."""
    return np.where(wrong, np.nan, values)
