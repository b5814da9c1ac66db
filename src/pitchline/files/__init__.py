"""Model files: everything the Python API can say, written as TOML. A file is data: reading one never runs code."""

from .findings import FigureSpec
from .mesh_door import together, write_mesh
from .mesh_gear import gear_surface
from .model_file import ModelFile
from .problems import FileError, Problem
from .reader import check, read
from .schema import schema
from .steps import Step
from .writer import save, write

__all__ = [
    "FigureSpec", "FileError", "ModelFile", "Problem", "Step", "check", "gear_surface", "read", "save", "schema", "together",
    "write", "write_mesh",
]  # fmt: skip
