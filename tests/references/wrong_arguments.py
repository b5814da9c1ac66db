"""Calls of everything public with arguments of wrong types: one argument after the other is replaced, the others are valid."""

from __future__ import annotations

import inspect
import itertools
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np

import pitchline as pl
from pitchline import views

WRONG: tuple[Any, ...] = (
    None, 7, "text", 10**400, [], {}, float("nan"), object(), [1, 2], {"a": 1}, True, -2.5, b"x", (), "", 1j, np.zeros((2, 2)),
)  # fmt: skip
NOT_CALLED = {"show", "show_progress", "view", "load", "close", "from_step", "cad_parts", "Status", "toothed_solid"}
"""Functions that open windows or start processes."""
OF_AUTHORS = {"check", "derive", "evaluate", "respond", "report", "accept", "direct_inputs", "check_values"}
"""Methods that authors of elements write, and the engine calls."""


def model() -> pl.Model:
    """Two shafts with springs, a slide and a wheel."""
    m = pl.Model("rig", gravity=(0, 0, -9.81))
    a = m.body("a", mass=1, inertia=(1, 1, 1))
    b = m.body("b", mass=1, inertia=(1, 1, 1), position=(0.1, 0, 0))
    m.revolute("h", m.ground, a, axis="z")
    m.revolute("h2", m.ground, b, at=(0.1, 0, 0), axis="z")
    p = m.body("p", mass=1, inertia=(1, 1, 1))
    m.prismatic("s", m.ground, p, axis="x")
    m.wheel("wa", a, pl.Gear(teeth=20, normal_module="2 mm", face_width="20 mm"))
    m.torque("load", "h", 0.1)
    for name in ("h", "h2"):
        m.torsion_spring(f"spring of {name}", name, stiffness=10)
    m.spring("sp", m.ground, p, at_a=(0, 1, 0), stiffness=5)
    return m


class Objects:
    """Valid arguments by name, and objects whose methods are called."""

    def __init__(self) -> None:
        m = model()
        gear = pl.Gear(teeth=20, normal_module="2 mm", face_width="20 mm")
        pair = pl.GearPair(gear, pl.Gear(teeth=30, normal_module="2 mm", face_width="20 mm"))
        run = pl.dynamics(m, duration=0.05, step=1e-3)
        t = np.linspace(0.0, 20.0, 2001)
        angle, wave = pl.Signal("h.angle", t**2, t, "rad"), pl.Signal("x.y", np.sin(5 * t**2), t, "N")
        speed, phase = pl.Signal("h.speed", 2 * t, t, "rad/s"), pl.Signal("m.phase", t / 10 % 1, t, "")
        ports = {"inputs": ["load"], "outputs": ["h.angular_speed"]}
        self.owners: list[Any] = [
            wave, run, m, m.bodies["a"], m.joints["h"], gear, pair, pl.order_map(wave, angle), pl.order_spectrum(wave, angle),
            pl.order_track(wave, angle, 5), pl.peak_hold(wave, speed), pl.spectrogram(wave), pl.spectrum(wave),
            pl.fold(wave, phase), pl.modes(m), pl.expression("2*a.b + t"), pl.linear_model(m, **ports),
            pl.frequency_response(m, **ports, frequencies=[1, 2, 3]), pl.STEEL, pl.Harmonic(1, 2), pl.grid(x=[1, 2]),
            pl.JointSpace(m), pl.Stepper(m, step=1e-3), pl.sweep(lambda x: {"y": x}, pl.grid(x=[1.0, 2.0])),
        ]  # fmt: skip
        self.valid: dict[str, Any] = {
            "name": "n1", "body": m.bodies["a"], "a": m.bodies["a"], "b": m.bodies["b"], "joint": "h", "joint_a": "h",
            "joint_b": "s", "mass": 1, "inertia": (1, 1, 1), "position": (0, 0, 0), "at": (0, 0, 0), "axis": "z", "model": m,
            "result": run, "signal": wave, "angle": angle, "gear": gear, "gear_a": gear, "gear_b": pair.b, "pair": pair,
            "teeth": 20, "normal_module": 0.002, "face_width": 0.02, "duration": 0.01, "step": 1e-3, "order": 5,
            "orders": [1, 2], "path": "x.nc", "stiffness": 1e5, "damping": 1.0, "text": "2*t", "speeds": [0, 1, 2], **ports,
            "diameter": 0.02, "length": 0.1, "radius": 0.01, "values": [1.0, 2.0], "signals": ["h.angle"], "shaft": "h",
            "frequencies": [1, 2, 3], "wheel": m.wheels["wa"], "lower": -1, "upper": 1, "count": 3, "speed": speed,
            "phase": phase, "unit": "N", "title": "t",
        }  # fmt: skip


def public_calls(objects: Objects) -> Iterator[tuple[str, Callable[..., Any]]]:
    """Functions and classes of pitchline, functions of views, methods of objects and of classes."""
    for name in pl.__all__:
        call = getattr(pl, name)
        if name in NOT_CALLED or not callable(call) or (inspect.isclass(call) and issubclass(call, Exception)):
            continue
        yield name, call
        if inspect.isclass(call):
            for key, method in vars(call).items():
                if (
                    isinstance(method, (classmethod, staticmethod))
                    and key[0] != "_"
                    and key not in NOT_CALLED | OF_AUTHORS
                ):
                    yield f"{name}.{key}", getattr(call, key)
    for owner in objects.owners:
        for key, _ in inspect.getmembers(type(owner), inspect.isfunction):
            if key[0] != "_" and key not in NOT_CALLED | {"from_data"}:
                yield f"{type(owner).__name__}.{key}", getattr(model() if isinstance(owner, pl.Model) else owner, key)
    for name in views.__all__:
        yield f"views.{name}", getattr(views, name)


def wrong_calls(
    title: str, call: Callable[..., Any], valid: dict[str, Any], count: int
) -> Iterator[tuple[str, Callable[[], Any]]]:
    """Calls with one wrong argument, `count` values for each parameter, and their titles."""
    try:
        parameters = list(inspect.signature(call).parameters.values())
    except (TypeError, ValueError):
        return
    required = [p for p in parameters if p.default is p.empty and p.kind not in (p.VAR_POSITIONAL, p.VAR_KEYWORD)]
    base = {p.name: valid.get(p.name, 1.0) for p in required}
    for number, parameter in enumerate(parameters):
        first = (len(title) + number) % len(WRONG)
        for value in itertools.islice(itertools.cycle(WRONG), first, first + count):
            given, several = dict(base), []
            if parameter.kind is parameter.VAR_KEYWORD:
                given["other"] = value
            elif parameter.kind is parameter.VAR_POSITIONAL:
                several = [value]
            else:
                given[parameter.name] = value
            by_place = (
                (parameter.POSITIONAL_ONLY, parameter.POSITIONAL_OR_KEYWORD)
                if several
                else (parameter.POSITIONAL_ONLY,)
            )
            first_ones = [given.pop(p.name) for p in parameters if p.kind in by_place and p.name in given]
            yield (
                f"{title}({parameter.name}={value!r:.30})",
                lambda f=call, x=[*first_ones, *several], y=given: f(*x, **y),
            )


def failures(folder: Path, count: int) -> Iterator[str]:
    """Calls that end in another error than one of pitchline."""
    objects = Objects()
    objects.valid["path"] = str(folder / "x.nc")
    for title, call in public_calls(objects):
        for words, act in wrong_calls(title, call, objects.valid, count):
            try:
                act()
            except pl.PitchlineError:
                pass
            except Exception as error:
                yield f"{words}: {type(error).__name__}: {error}"
