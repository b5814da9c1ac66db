"""Models in variants that differ in numbers only, and digests of all that their analyses give.

python -m references.repeated_calls        prints the digests of all variants, each computed without kept plans
"""

import hashlib
import json
from collections.abc import Callable
from importlib.resources import files as folder
from typing import Any

import numpy as np

import pitchline as pl
from pitchline.engine.compile import matrix_plan, structure, workspace_plan
from pitchline.engine.compile import matrix_plan as pattern
from pitchline.files import amounts as expressions
from pitchline.files import read
from pitchline.files import sources as document
from pitchline.files import table_figures as figure_expressions
from pitchline.units.quantity import _number_and_unit

GEAR = pl.Gear(teeth=25, normal_module="4 mm", face_width="15 mm")


def pair(speed: float = 300.0, torque: float = 100.0, backlash: float = 2e-5, inertia: float = 1.0) -> pl.Model:
    """Two wheels on hinges, with backlash."""
    m = pl.Model("pair")
    mass = {"mass": 2.0, "inertia": (1e-3 * inertia, 1e-3 * inertia, 2e-3 * inertia)}
    a = m.gear_body("pinion", GEAR, position=(0, 0, 0), axis="z", **mass)
    b = m.gear_body("wheel", GEAR, mesh_with=a, towards="x", **mass)
    m.drive("motor", m.revolute("first", m.ground, a), speed=speed)
    m.torque("load", m.revolute("second", m.ground, b), torque)
    m.gear_pair("mesh", a, b, mesh=pl.Elastic(damping_ratio=0.05, backlash=backlash))
    return m


def _gallery(name: str, **values: object) -> Callable[[], pl.Model]:
    text = (folder("pitchline.gallery") / "models" / f"{name}.toml").read_text("utf-8")
    return lambda: read(text, overrides=values).model


VARIANTS: dict[str, tuple[Callable[[], pl.Model], Callable[[], pl.Model]]] = {
    "pair": (pair, lambda: pair(-120.0, 20.0, 0.0, 3.0)),
    "kubo-c": (
        _gallery("kubo-c"),
        _gallery("kubo-c", speed="9000 rpm", backlash="0.003 in", inertia="0.02 lbf*in*s^2", mesh_stiffness=2e9),
    ),
    "planetary": (_gallery("planetary"), _gallery("planetary", speed="-90 rad/s", load="50 N*m", stiffness="1e8 N/m")),
    "shaft": (_gallery("stepped-rotor"), _gallery("stepped-rotor", bearing_stiffness="5 kN/mm")),
    "axis": (
        _gallery("servo-axis"),
        _gallery("servo-axis", stiffness="3 N*m/mrad", motor_inertia="3 kg*cm^2", backlash=0, coulomb="1 N*mm"),
    ),
}
"""Two models of each structure."""


def forget() -> None:
    """Clear everything that is kept from one call to the next."""
    for kept in (
        matrix_plan._kept_plan, structure._kept, workspace_plan._kept, document._kept, expressions.parse,
        expressions.names_in, figure_expressions.parse_figure, _number_and_unit,
    ):  # fmt: skip
        kept.cache_clear()
    pattern._probes.clear()


def digest(result: pl.Result) -> str:
    """Hash of all numbers and texts of a result, except times of computation."""
    text = hashlib.sha256()
    for name, signal in result.signals.items():
        text.update(f"{name} {signal.unit} {signal.description} {signal.components}".encode())
        for values in (signal.values, signal.rate):
            text.update(b"" if values is None else np.ascontiguousarray(values).tobytes())
    counts = {key: value for key, value in result.statistics.items() if "time" not in key}
    said = [counts, result.warnings, result.options, result.model, str(result.status)]
    text.update(json.dumps(said, sort_keys=True, default=str).encode())
    return text.hexdigest()[:16]


def digests(model: pl.Model) -> list[str]:
    """Of statics, kinematics, and dynamics with a fixed step and with error control. Of those that fail, the message."""
    calls: list[Callable[[Any], pl.Result]] = [
        lambda start: pl.statics(model),
        lambda start: pl.kinematics(model, duration=2e-4, step=1e-4),
        lambda start: pl.dynamics(model, duration=2e-4, step=2e-6),
        lambda start: pl.dynamics(model, duration=1e-4, step=2e-6, start=start, reduce=False),
        lambda start: pl.dynamics(model, duration=1e-3),
    ]
    start, found = None, []
    for call in calls:
        try:
            result = call(start)
            start = start or result
            found.append(digest(result))
        except pl.SolveError as error:
            found.append(str(error))
    return found


def main() -> None:
    found = {}
    for name, variants in VARIANTS.items():
        for n, make in enumerate(variants):
            forget()
            found[f"{name} {n}"] = digests(make())
    print(json.dumps(found))


if __name__ == "__main__":
    main()
