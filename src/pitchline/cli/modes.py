"""``pitchline modes``: natural frequencies and mode shapes of a model."""

from __future__ import annotations

import argparse
from typing import Any

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

__all__ = ["add"]

EXAMPLES = """\
  pitchline modes planetary                         about the initial state, or statics if the teeth need a load
  pitchline modes gearbox.toml --about settle       about the end of its analysis "settle"
  pitchline modes gearbox.toml --about statics      about its static equilibrium
  pitchline modes gearbox.toml --about out/run.nc   about the end of a result
  pitchline modes gearbox.toml -o out --json        picture and table in out/, the numbers as JSON
  pitchline modes large.toml --count 20             the lowest 20 modes; --highest 2kHz: all up to a frequency
"""


def add(commands: Commands) -> None:
    """Add the arguments of this command to the parser."""
    parser = command(
        commands,
        "modes",
        "natural frequencies and mode shapes",
        "Natural frequencies, damping ratios and shapes of small vibrations of a model about an operating point.",
        EXAMPLES,
        _modes,
    )
    add_model(parser)
    add_about(parser)
    add_turning_with(parser)
    parser.add_argument("--mean-stiffness", action="store_true", help="use the mean mesh stiffness of the mesh cycle")
    parser.add_argument("--count", metavar="N", type=int, help="number of modes, from the lowest (default: all)")
    parser.add_argument("--lowest", metavar="FREQUENCY", help="modes above this frequency, e.g. 500Hz")
    add_highest(parser)
    add_dense(parser)
    add_output(parser, "DIR", "the result file (.nc), the picture and the table (CSV)")
    add_json(parser)
    add_set(parser)
    add_allow(parser)
    add_yes(parser)
    add_force(parser)


def _modes(given: argparse.Namespace) -> int:
    from ..analyses.modes import modes
    from .jobs import find_job
    from .linear_commands import about, deliver

    job = find_job(given.model, given.set, given.allow)
    found = modes(
        job.model(), about=about(job, given), turning_with=given.turning_with, mean_stiffness=given.mean_stiffness,
        count=given.count, lowest=number_or_text(given.lowest), highest=number_or_text(given.highest), dense=given.dense,
    )  # fmt: skip
    return deliver(given, job, "modes", "modes", found, _figures(found), str(found), FINE)


def _figures(found: Any) -> dict[str, Any]:
    figures: dict[str, Any] = {}
    for i, (frequency, damping) in enumerate(zip(found.frequencies, found.damping_ratios, strict=True), 1):
        figures[f"mode_{i}.frequency"] = {"value": float(frequency), "unit": "Hz"}
        figures[f"mode_{i}.damping_ratio"] = {"value": float(damping), "unit": ""}
    return figures
