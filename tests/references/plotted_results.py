"""Results whose curves are known in closed form, for the pages that draw them."""

from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

import pitchline as pl
from pitchline.model.describe import describe
from pitchline.results import Result, Signal, Status

__all__ = [
    "FORCE",
    "MEAN",
    "ORDER",
    "TEETH",
    "TONE",
    "angle",
    "failed_result",
    "many_signals",
    "one_sample",
    "pair_result",
]

TEETH = 20
MEAN, FORCE, TONE = 1000.0, 200.0, 120.3  # N, N, Hz
ORDER = 7.0  # cycles a turn of the shaft


@cache
def model() -> dict[str, Any]:
    """Two wheels in mesh; names that a page must not read as HTML."""
    m = pl.Model('<b>"pair"</b>')
    driver = m.body("driver", solid=pl.cylinder("40 mm", "10 mm", mass="1 kg"))
    driven = m.body('<i>&"driven"', solid=pl.cylinder("80 mm", "10 mm", mass="4 kg"), position=("60 mm", 0, 0))
    a = m.wheel("wheel_a", driver, pl.Gear(normal_module="2 mm", teeth=TEETH, face_width="10 mm"))
    b = m.wheel("wheel_b", driven, pl.Gear(normal_module="2 mm", teeth=2 * TEETH, face_width="10 mm"))
    m.gear_pair("pair", a, b)
    return describe(m)


def angle(t: NDArray[np.float64]) -> NDArray[np.float64]:
    """Rotation of the shaft that speeds up from 20 to 40 turns a second in half a second [rad]."""
    return 2.0 * np.pi * (20.0 * t + 20.0 * t**2)


def pair_result(t: NDArray[np.float64], *, force: float = FORCE, name: str = "forwards") -> Result:
    """A force with one tone, a speed and its angle, a wave of one order of the shaft, a signal with a gap."""
    gap = np.where((t > 0.2) & (t < 0.25), np.nan, t)
    half = 0.5 * angle(t)
    none = np.zeros_like(t)
    columns = {
        "pair.normal_force": (MEAN + force * np.sin(2.0 * np.pi * TONE * t), "N", "force of the teeth", ()),
        "pair.psi_a": (angle(t), "rad", "rotation of wheel A, counting turns", ()),
        "shaft.angular_speed": (2.0 * np.pi * (20.0 + 40.0 * t), "rad/s", "speed of the shaft", ()),
        "shaft.wave": (3e-6 * np.sin(ORDER * angle(t)), "m", "a wave of one order", ()),
        "shaft.gap": (gap, "m/s", "unknown for a while", ()),
        "driver.position": (np.column_stack([none, none, none]), "m", "position of the body origin", ("x", "y", "z")),
        "driver.orientation": (np.column_stack([np.cos(half), none, none, np.sin(half)]), "1", "orientation", ("w", "x", "y", "z")),
    }  # fmt: skip
    signals = {
        key: Signal(name=key, values=values, time=t, unit=unit, description=text, components=components)
        for key, (values, unit, text, components) in columns.items()
    }
    return Result(
        kind="dynamics", model_name='<b>"pair"</b>', time=t, signals=signals, model=model(), source={"analysis": name},
        warnings=["The teeth <i>part</i> at 0.1 s."],
    )  # fmt: skip


def one_sample() -> Result:
    """As statics leaves it."""
    t = np.zeros(1)
    signals = {"pair.normal_force": Signal(name="pair.normal_force", values=np.array([1234.0]), time=t, unit="N")}
    return Result(
        kind="statics", model_name="pair", time=t, signals=signals, model=model(), source={"analysis": "rest"}
    )


def failed_result() -> Result:
    """A run that failed before its first sample."""
    t = np.zeros(0)
    signals = {"pair.normal_force": Signal(name="pair.normal_force", values=np.zeros(0), time=t, unit="N")}
    return Result(
        kind="dynamics", model_name="pair", time=t, signals=signals, model=model(), status=Status.FAILED,
        message="The start does not meet the constraints.",
    )  # fmt: skip


def many_signals(count: int) -> Result:
    """Signals in parts of twenty; the last is told apart by its description."""
    t = np.array([0.0, 1.0])
    names = [f"part_{k // 20}.value_{k % 20}" for k in range(count)]
    texts = ["hay"] * (count - 1) + ["the needle"]
    signals = {
        name: Signal(name=name, values=np.array([k, k + 1.0]), time=t, unit="N", description=text)
        for k, (name, text) in enumerate(zip(names, texts, strict=True))
    }
    return Result(kind="dynamics", model_name="many", time=t, signals=signals, model=model())
