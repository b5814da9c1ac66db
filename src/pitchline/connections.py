"""Functions that packages call, but that later packages define: registered once, imported at their first use."""

from __future__ import annotations

import os
from typing import Any

from .disk.element_finder import register_element_finder
from .disk.flank_reader import register_flank_reader
from .disk.model_finder import ModelFinder, register_model_finder
from .disk.model_writer import register_model_writer
from .disk.program_maker import register_program_maker
from .disk.table_maker import register_table_maker
from .disk.thing_viewer import register_thing_viewer
from .disk.views_loader import register_views_loader

__all__ = ["connect"]


def _write_model(model: Any, path: str | os.PathLike[str] | None, *, overwrite: bool) -> str:
    from .files import save

    return save(model, path, overwrite=overwrite)


def _make_fmu(*given: Any, **options: Any) -> Any:
    from .exchange.loop.fmu_element import fmu

    return fmu(*given, **options)


def _read_flanks(path: Any) -> Any:
    from .exchange.step.flank_faces import flank_faces

    return flank_faces(path)


def _make_table(request: Any, *, what: str) -> Any:
    from .contact.loaded_tables import loaded_table

    return loaded_table(request, what=what)


def _element_of_package(key: str) -> Any:
    from .declared_elements import declared_elements

    return declared_elements()[key]


def _view_things(*things: Any, **options: Any) -> Any:
    from .viewer.view import view

    return view(*things, **options)


def _load_views() -> Any:
    from . import views

    return views


def _read_model_file(path: Any, **options: Any) -> Any:
    from .files import read

    return read(path, **options)


def _gallery_model(name: str) -> Any:
    from .gallery import model

    return model(name)


def connect() -> None:
    """Register all of them."""
    register_element_finder(_element_of_package)
    register_flank_reader(_read_flanks)
    register_model_finder(ModelFinder(_read_model_file, _gallery_model))
    register_model_writer(_write_model)
    register_program_maker(_make_fmu)
    register_table_maker(_make_table)
    register_thing_viewer(_view_things)
    register_views_loader(_load_views)
