"""Functions of later layers that earlier ones call: the only imports against the order of the layers.

Each function imports at its first call, so that `import pitchline` and `--help` stay light.
"""

from __future__ import annotations

import importlib
import os
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from .base.arguments import names_wrong_arguments
from .errors import PitchlineError

if TYPE_CHECKING:
    from .base.types import FloatArray
    from .declare.declared_element import DeclaredElement
    from .model.model import Model
    from .parts.meshes.computed_table import ComputedTable
    from .parts.meshes.table_request import TableRequest
    from .viewer.view import View

__all__ = [
    "PLOTTERS",
    "element_of_package",
    "faces_of_file",
    "gallery_model",
    "loaded_table",
    "machine_state",
    "plotter",
    "program_element",
    "read_model",
    "save_model",
    "view",
    "write_report",
]

PLOTTERS = {
    "Result": "plot",
    "Spectrum": "plot_lines",
    "OrderSpectrum": "plot_lines",
    "Spectrogram": "plot_map",
    "OrderMap": "plot_map",
    "OrderTrack": "plot_track",
    "PeakHold": "plot_peak_hold",
    "Modes": "plot_modes",
    "FrequencyResponse": "plot_bode",
    "Campbell": "plot_campbell",
    "Floquet": "plot_floquet",
    "Continuation": "plot_continuation",
    "Folded": "plot_cycle",
    "LoadedContact": "plot_loaded_contact",
    "SurfaceContact": "plot_surface_contact",
    "RigidContact": "plot_rigid_contact",
    "Gear": "plot_gear",
    "GearGrid": "plot_gear_grid",
    "GearModes": "plot_gear_modes",
    "tooth pairs": "plot_tooth_pairs",
    "shaft": "plot_shaft",
    "bearing": "plot_bearing",
    "deformed": "plot_deformed",
    "mode shape": "plot_shape",
    "state": "plot_state",
    "Optimum": "plot_optimum",
    "StudyResult": "plot_study",
    "FlankContact": "plot_flank_contact",
}
"""Functions of `pitchline.views` by the class of the object, or by the kind of picture, that they draw."""


@cache
def plotter(kind: str = "Result") -> Callable[..., Any]:
    """The function that draws objects of the class named `kind`."""
    if kind not in PLOTTERS:
        raise PitchlineError(f"nothing draws {kind}. What can be drawn: {', '.join(PLOTTERS)}")
    views = importlib.import_module("pitchline.views")
    return names_wrong_arguments(getattr(views, PLOTTERS[kind]))


def view(*items: Any, **options: Any) -> View:
    """Show models or results in the browser, as `pitchline.view`."""
    from .viewer.view import view

    return view(*items, **options)


def machine_state(model: Model, path: str | Path | None, **options: Any) -> Any:
    """Picture of a model."""
    from .views.state_picture import plot_state

    return plot_state(model, path=path, **options)


def write_report(path: str | Path, result: Any, **options: Any) -> Path:
    """Write the report of a result."""
    from .views.report.page import write_report

    return write_report(path, result, **options)


def element_of_package(key: str) -> type[DeclaredElement]:
    """The class of elements with this key in model files, e.g. "bearing"."""
    from .declare.search import declared_elements

    return declared_elements()[key]


def read_model(path: Any, **options: Any) -> Any:
    """A model file, as `pitchline.files.read`."""
    from .files.reader import read

    return read(path, **options)


def gallery_model(name: str) -> Any:
    """A model of the gallery; ModelError if there is none with this name."""
    from .gallery.catalogue import model

    return model(name)


def save_model(model: Model, path: str | os.PathLike[str] | None, *, overwrite: bool) -> str:
    """The text of a model file, and the file if a path is given."""
    from .files.writer import save

    return save(model, path, overwrite=overwrite)


def program_element(name: str, file: Any, **arguments: Any) -> DeclaredElement:
    """A program in the loop."""
    from .exchange.fmi.program import fmu

    return fmu(name, file, **arguments)


def loaded_table(request: TableRequest, *, what: str) -> ComputedTable:
    """Table of the contact of loaded teeth."""
    from .contact.loaded_tables import loaded_table

    return loaded_table(request, what=what)


def faces_of_file(path: Path) -> list[FloatArray]:
    """Points (n, 3) [m] on each face of a STEP file."""
    from .exchange.step.parts import flank_faces

    return flank_faces(path)
