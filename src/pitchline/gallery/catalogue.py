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
    "bevel-pair", "three-wheels", "kubo-a", "kubo-b", "kubo-c", "kubo-d", "worm", "helical-pair", "fidelities",
    "two-stage", "crossed-helical", "internal-pair", "hypoid", "spiral-bevel", "rack-and-pinion", "planetary",
    "planar-spur", "epicyclic", "epicyclic-detuned", "planetary-modes", "robot-arm", "run-up", "table1-spur",
    "table1-helical", "table3-beveloid", "table1-modes", "table1-ltca", "table1-ltca-relieved", "impact-spur",
    "impact-helical", "meshing-spur-20", "meshing-spur-100", "meshing-helical-20", "meshing-helical-100",
    "meshing-spur-20-relieved", "meshing-spur-100-relieved", "meshing-helical-20-relieved",
    "meshing-helical-100-relieved", "torque-stages", "torque-stages-helical", "beveloid-50", "beveloid-200",
    "beveloid-contact", "press", "four-bar", "double-pendulum", "heavy-top", "governor", "rotor", "speed-control",
)  # fmt: skip
"""As they are listed."""

_PROGRAMS: dict[str, str] = {
    "robot-arm": "a six-axis arm as CAD delivers it, 43 bodies and 95 joints, 20 of them gears, moved by its motors",
    "table1-spur": "spur gears of 18 and 37 teeth as solid grids of the published size (Do, Ziegler, Eberhard)",
    "table1-helical": "the same with a helix angle of 8 deg",
    "table3-beveloid": "beveloid gears of 19 and 38 teeth on shafts at 20 deg as solid grids (Do, Ziegler, Eberhard)",
    "table1-modes": "natural modes of two elastic spur gears by nodal diameters (Do, Ziegler, Eberhard)",
    "table1-ltca": "a spur pair under load: transmission error, mesh stiffness, load sharing (Do, Ziegler, Eberhard)",
    "table1-ltca-relieved": "the same with tip relief",
    "impact-spur": "an elastic pinion thrown against a held gear: three impacts (Do, Ziegler, Eberhard)",
    "impact-helical": "the same with a helix angle of 8 deg",
    "meshing-spur-20": "elastic spur gears run under 20 N m: contact forces tooth by tooth (Do, Ziegler, Eberhard)",
    "meshing-spur-100": "the same under 100 N m",
    "meshing-helical-20": "elastic helical gears run under 20 N m",
    "meshing-helical-100": "the same under 100 N m",
    "meshing-spur-20-relieved": "elastic spur gears with tip relief under 20 N m",
    "meshing-spur-100-relieved": "the same under 100 N m",
    "meshing-helical-20-relieved": "elastic helical gears with tip relief under 20 N m",
    "meshing-helical-100-relieved": "the same under 100 N m",
    "torque-stages": "elastic spur gears under 100, 200 and 300 N m in one run: overlap and speed (Do, Ziegler, Eberhard)",
    "torque-stages-helical": "the same with helical gears",
    "beveloid-50": "elastic beveloid gears under 1000 N m at 50 rad/s: two tooth pairs at all times (Do, Ziegler, Eberhard)",
    "beveloid-200": "the same at 200 rad/s",
    "beveloid-contact": "contact patches of elastic beveloid gears under 2500 and 10000 N m (Do, Ziegler, Eberhard)",
}
"""Models that are programs, and what each is."""

_VARIANTS: dict[str, tuple[str, dict[str, str]]] = {
    "table1-ltca": ("table1_ltca", {"flanks": "ideal"}),
    "table1-ltca-relieved": ("table1_ltca", {"flanks": "relieved"}),
    **{f"impact-{p}": ("elastic_impact", {"pair": p}) for p in ("spur", "helical")},
    **{
        f"meshing-{p}-{t}{r}": ("elastic_meshing", {"pair": p, "torque": t, "relief": r.strip("-")})
        for p in ("spur", "helical")
        for t in ("20", "100")
        for r in ("", "-relieved")
    },
    **{f"torque-stages{s}": ("torque_stages", {"pair": p}) for s, p in (("", "spur"), ("-helical", "helical"))},
    **{f"beveloid-{s}": ("beveloid_motion", {"speed": s}) for s in ("50", "200")},
    **{f"table{n}-{p}": ("elastic_pair_grids", {"pair": p}) for n, p in ((1, "spur"), (1, "helical"), (3, "beveloid"))},
}
"""Names that share a module: the module and the arguments of its functions."""
_MODULES = {name: _VARIANTS.get(name, (name.replace("-", "_"), {})) for name in _PROGRAMS}
"""The module of this package behind every program, and the arguments of its functions."""


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
    module = importlib.import_module(f"{__package__}.{_MODULES[wanted][0]}")
    found = GalleryProgram(wanted, MODELS[wanted], module, _MODULES[wanted][1])
    return found.with_settings(settings) if settings else found
