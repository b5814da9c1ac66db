"""Catalogue of the gallery: all models, with the file or the program of each.

A model is the file `models/NAME.toml`, or a program if it cannot be written as a file. Names have dashes; underscores
are also
accepted. Files are parsed and programs are imported only when a model is used.
"""

from __future__ import annotations

import importlib
import tomllib
from pathlib import Path

from pitchline.errors import ModelError, near_names

from .model_kinds import GalleryFile, GalleryModel, GalleryProgram

__all__ = ["MODELS", "model"]

FOLDER = Path(__file__).parent / "models"

_ORDER = (
    "demo-gearbox", "bevel-pair", "differential", "three-wheels", "kubo-a", "kubo-b", "kubo-c", "kubo-d", "worm", "worm-hoist",
    "helical-pair", "fidelities", "two-stage", "crossed-helical", "internal-pair", "hypoid", "spiral-bevel", "rack-and-pinion",
    "planetary", "planar-spur", "epicyclic", "epicyclic-detuned", "planetary-modes", "robot-arm", "run-up", "table1-spur",
    "table1-helical", "table3-beveloid", "table1-modes", "table1-ltca", "table1-ltca-relieved", "impact-spur",
    "impact-helical", "meshing-spur-20", "meshing-spur-100", "meshing-helical-20", "meshing-helical-100",
    "meshing-spur-20-relieved", "meshing-spur-100-relieved", "meshing-helical-20-relieved",
    "meshing-helical-100-relieved", "torque-stages", "torque-stages-helical", "beveloid-50", "beveloid-200",
    "beveloid-contact", "press", "four-bar", "double-pendulum", "heavy-top", "governor", "cam-follower", "rotor", "speed-control",
    "servo-axis", "stick-slip", "powertrain-1d", "bathe-bend", "stepped-rotor", "ball-bearing", "housing", "gearbox",
    "wind-gearbox", "backlash-map", "jump", "bifurcation", "planet-tolerances", "relief-map", "relief-optimum", "mesh-phasing",
)  # fmt: skip
"""Order in the list."""

_PROGRAMS: dict[str, str] = {
    "robot-arm": "six-axis robot arm from CAD: 43 bodies, 95 joints (20 of them gear joints), driven by its motors",
}
"""Models that are programs, with their descriptions."""
_MODULES = {name: name.replace("-", "_") for name in _PROGRAMS}
"""Their modules in this package."""


def _line(name: str) -> str:
    """Description of a model, from its file. The line is found without parsing the rest."""
    if name in _PROGRAMS:
        return _PROGRAMS[name]
    with _file(name).open(encoding="utf-8") as file:
        said = next(text for text in file if text.startswith("description = "))
    return str(tomllib.loads(said)["description"])


def _file(name: str) -> Path:
    return FOLDER / f"{name}.toml"


MODELS: dict[str, str] = {name: _line(name) for name in _ORDER}
"""All models with their one-line descriptions."""


def model(name: str, **settings: object) -> GalleryModel:
    """The model with this name, with other parameter values, e.g. ``speed="6000 rpm"``."""
    wanted = name.replace("_", "-")
    if wanted not in MODELS:
        raise ModelError(f'the gallery has no model "{name}"; {near_names(wanted, MODELS)}')
    if wanted not in _PROGRAMS:
        file = GalleryFile(wanted, MODELS[wanted], _file(wanted), settings)
        file.file  # noqa: B018  (read now: what is wrong with the settings is said at once)
        return file
    found = GalleryProgram(wanted, MODELS[wanted], importlib.import_module(f"{__package__}.{_MODULES[wanted]}"))
    return found.with_settings(settings) if settings else found
