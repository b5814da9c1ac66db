"""``pitchline campbell``: natural frequencies over the speed of a shaft, and the speeds at which the teeth excite them."""

from __future__ import annotations

import argparse
import math
from typing import TYPE_CHECKING, Any

from .exit_status import FINE
from .options import (
    Commands,
    add_about,
    add_allow,
    add_dense,
    add_force,
    add_highest,
    add_json,
    add_model,
    add_output,
    add_set,
    add_turning_with,
    add_yes,
    command,
    number_or_text,
)

if TYPE_CHECKING:
    from ..model import Model
    from .jobs import Job

__all__ = ["add"]

POINTS = 61
"""Default number of speeds."""

EXAMPLES = """\
  pitchline campbell gearbox.toml --speeds 0:6000rpm             critical speeds of the driven shaft
  pitchline campbell gearbox.toml --speeds 0:6000rpm --shaft motor_shaft --highest 5kHz
  pitchline campbell gearbox.toml --speeds 500rpm:6000rpm:111 --about statics -o out
  pitchline campbell rotor --shaft shaft --speeds 0:3000rpm --orders "unbalance=1"
  pitchline campbell gearbox.toml                                with the analysis "campbell" of the file

An order is the number of excitations per revolution of the shaft. The default orders are the first three multiples of every
tooth-meshing frequency. Specify the speeds as FROM:TO or FROM:TO:NUMBER (equal steps). Modes are followed from speed to speed by
their shapes. Choose steps that are small enough.
"""


def add(commands: Commands) -> None:
    """Add the arguments of this command to the parser."""
    parser = command(
        commands,
        "campbell",
        "natural frequencies over speed, critical speeds",
        "Natural frequencies of a model over the speed of a shaft, and the speeds at which orders of the shaft excite them.",
        EXAMPLES,
        _campbell,
    )
    add_model(parser)
    parser.add_argument("--speeds", metavar="FROM:TO:N", help="speeds of the shaft, e.g. 0:6000rpm:121")
    parser.add_argument(
        "--shaft", metavar="NAME", help="hinge or shaft whose speed is varied (default: the driven hinge)"
    )
    parser.add_argument(
        "--orders",
        metavar="NAME=N",
        action="append",
        default=[],
        help="excitation N times per revolution of the shaft (default: tooth meshing); may be repeated",
    )
    add_about(parser)
    add_turning_with(parser)
    add_highest(parser)
    add_dense(parser)
    add_output(parser, "DIR", "the result file (.nc), the diagram and the table (CSV)")
    add_json(parser)
    add_set(parser)
    add_allow(parser)
    add_yes(parser)
    add_force(parser)


def _campbell(given: argparse.Namespace) -> int:
    from ..analyses.campbell import campbell
    from .jobs import FileJob, find_job
    from .linear_commands import about, deliver

    job = find_job(given.model, given.set, given.allow)
    model = job.model()
    of_file: dict[str, Any] = {}
    if isinstance(job, FileJob):
        step = next((step for step in job.file.steps if step.kind == "campbell"), None)
        if step is not None:
            model, of_file = job.file.model_of(step), dict(step.options)
            given.about = given.about or step.start
    options = _options(given, job, model, of_file)
    found = campbell(model, about=about(job, given), **options)
    return deliver(given, job, "campbell", "campbell", found, _figures(found), _text(found), FINE)


def _options(given: argparse.Namespace, job: Job, model: Model, of_file: dict[str, Any]) -> dict[str, Any]:
    """Settings from the command line. Settings that are not given there come from the file."""
    from ..errors import ModelError
    from .ranges import read_range

    options = dict(of_file)
    said = {
        "shaft": given.shaft,
        "turning_with": given.turning_with,
        "highest": number_or_text(given.highest),
        "dense": given.dense or None,
        "orders": _orders(given.orders),
    }
    options |= {key: value for key, value in said.items() if value is not None}
    if given.speeds is not None:
        options["speeds"] = read_range(
            "--speeds", given.speeds, "angular velocity", example="0:6000rpm:121", number=POINTS, at_least=2
        )
    if "speeds" not in options:
        raise ModelError(
            f'campbell: specify the speeds, e.g. --speeds 0:6000rpm. "{job.name}" has no analysis "campbell" that specifies them'
        )
    if "shaft" not in options:
        options["shaft"] = driven_shaft(model)
    return options


def _orders(texts: list[str]) -> dict[str, float] | None:
    from ..errors import ModelError, shown

    orders = {}
    for text in texts:
        name, _, number = text.rpartition("=")
        try:
            orders[name.strip() or number.strip()] = float(number)
        except ValueError:
            raise ModelError(f"--orders {shown(text)}: expected NAME=N, e.g. unbalance=1") from None
    return orders or None


def driven_shaft(model: Model) -> str:
    """The driven hinge, or the only hinge, or the only elastic shaft."""
    from ..errors import ModelError

    hinges = [name for name, joint in model.joints.items() if "angle" in joint.coordinates]
    driven = [
        drive.joint_name
        for drive in model.drives.values()
        if drive.joint_name in hinges and drive.coordinate == "angle"
    ]
    chosen = list(dict.fromkeys(driven)) or hinges or list(model.shafts)
    if not chosen:
        raise ModelError(f'campbell: model "{model.name}" has no hinge or shaft whose speed can be varied')
    if len(chosen) > 1:
        known = ", ".join(chosen[:12]) + (", ..." if len(chosen) > 12 else "")
        raise ModelError(
            f'campbell: specify the hinge or shaft whose speed is varied with --shaft NAME. "{model.name}" has: {known}'
        )
    return chosen[0]


def _text(found: Any) -> str:
    """Print the modes at both ends of the range, then the critical speeds."""
    from ..results.operating_state import reported
    from ..results.report import text_table

    first, last = (f"{_rpm(speed):.5g} rpm" for speed in (found.speeds[0], found.speeds[-1]))
    lines = [
        f'Campbell diagram of model "{found.model_name}": {len(found.speeds)} speeds of "{found.shaft}" from {first} to {last}',
        *reported(found.operating_point),
        "",
        text_table(
            ["mode", "kind", f"Hz at {first}", f"Hz at {last}", "damping ratio"],
            [
                [str(k + 1), found.kinds[k], _hertz(found.frequencies[0, k]), _hertz(found.frequencies[-1, k]),
                 f"{found.damping_ratios[0, k]:.4g}"]
                for k in range(found.frequencies.shape[1])
            ],
            left=2,
        ),
        "",
        "orders: " + (", ".join(f"{name} = {order:.6g}" for name, order in found.orders.items()) or "none"),
        "",
    ]  # fmt: skip
    if found.crossings:
        rows = [
            [c.order, str(c.mode + 1), f"{_rpm(c.speed):.6g}", f"{c.speed:.6g}", f"{c.frequency:.6g}"]
            for c in found.crossings
        ]
        lines += [
            "critical speeds",
            "",
            text_table(["order", "mode", "speed/rpm", "speed/(rad/s)", "frequency/Hz"], rows),
        ]
    else:
        lines.append("no order excites a mode in this speed range")
    return "\n".join([*lines, *(f"warning: {text}" for text in found.warnings)])


def _rpm(speed: float) -> float:
    return speed * 30.0 / math.pi


def _hertz(frequency: float) -> str:
    return "-" if math.isnan(frequency) else f"{frequency:.6g}"  # the mode became overdamped within the range


def _figures(found: Any) -> dict[str, Any]:
    figures: dict[str, Any] = {"speed": {"value": found.speeds.tolist(), "unit": "rad/s"}}
    for k in range(found.frequencies.shape[1]):
        values = [None if math.isnan(value) else value for value in found.frequencies[:, k].tolist()]
        figures[f"mode_{k + 1}.frequency"] = {"value": values, "unit": "Hz"}
    for n, crossing in enumerate(found.crossings, 1):
        figures[f"crossing_{n}.order"] = {"value": crossing.order, "unit": ""}
        figures[f"crossing_{n}.mode"] = {"value": crossing.mode + 1, "unit": ""}
        figures[f"crossing_{n}.speed"] = {"value": crossing.speed, "unit": "rad/s"}
        figures[f"crossing_{n}.frequency"] = {"value": crossing.frequency, "unit": "Hz"}
    return figures
