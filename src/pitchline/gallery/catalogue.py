"""The catalogue of the gallery: which models there are, and the file or the program behind each name.

A model is the file `models/NAME.toml`; those that no file can say are programs. Names have dashes; underscores are
understood as well. No file is parsed and no program is imported before a model is asked for.
"""

from __future__ import annotations

import importlib
import tomllib
from pathlib import Path

from ..errors import ModelError, near_names
from .model_kinds import GalleryFile, GalleryModel, GalleryProgram

__all__ = ["MODELS", "model"]

FOLDER = Path(__file__).parent / "models"

_ORDER = (
    "demo-gearbox", "bevel-pair", "differential", "three-wheels", "kubo-a", "kubo-b", "kubo-c", "kubo-d", "worm", "helical-pair", "fidelities",
    "two-stage", "crossed-helical", "internal-pair", "hypoid", "spiral-bevel", "rack-and-pinion", "planetary",
    "planar-spur", "epicyclic", "epicyclic-detuned", "planetary-modes", "robot-arm", "run-up", "table1-spur",
    "table1-helical", "table3-beveloid", "table1-modes", "table1-ltca", "table1-ltca-relieved", "impact-spur",
    "impact-helical", "meshing-spur-20", "meshing-spur-100", "meshing-helical-20", "meshing-helical-100",
    "meshing-spur-20-relieved", "meshing-spur-100-relieved", "meshing-helical-20-relieved",
    "meshing-helical-100-relieved", "torque-stages", "torque-stages-helical", "beveloid-50", "beveloid-200",
    "beveloid-contact", "press", "four-bar", "double-pendulum", "heavy-top", "governor", "cam-follower", "rotor", "speed-control",
    "bathe-bend", "stepped-rotor", "ball-bearing", "housing", "gearbox", "wind-gearbox",
)  # fmt: skip
"""As they are listed."""

_PROGRAMS: dict[str, str] = {
    "robot-arm": "a six-axis arm as CAD delivers it, 43 bodies and 95 joints, 20 of them gears, moved by its motors",
}
"""Models that are programs, and what each is."""
_MODULES = {name: name.replace("-", "_") for name in _PROGRAMS}
"""The module of this package behind each."""


def _line(name: str) -> str:
    """What a model is: the description of its file, a line that is found without parsing the rest."""
    if name in _PROGRAMS:
        return _PROGRAMS[name]
    with _file(name).open(encoding="utf-8") as file:
        said = next(text for text in file if text.startswith("description = "))
    return str(tomllib.loads(said)["description"])


def _file(name: str) -> Path:
    return FOLDER / f"{name}.toml"


MODELS: dict[str, str] = {name: _line(name) for name in _ORDER}
"""Every model and what it is, in one line."""


def model(name: str, **settings: object) -> GalleryModel:
    """The model of this name, with other values of its parameters, such as ``speed="6000 rpm"``."""
    wanted = name.replace("_", "-")
    if wanted not in MODELS:
        raise ModelError(f'the gallery has no model "{name}"; {near_names(wanted, MODELS)}')
    if wanted not in _PROGRAMS:
        file = GalleryFile(wanted, MODELS[wanted], _file(wanted), settings)
        file.file  # noqa: B018  (read now: what is wrong with the settings is said at once)
        return file
    found = GalleryProgram(wanted, MODELS[wanted], importlib.import_module(f"{__package__}.{_MODULES[wanted]}"))
    return found.with_settings(settings) if settings else found
