"""Model files in TOML, which support everything that the Python API supports. A file is data: reading it runs no code,
except
for elements of modules that the reader allows.
"""

from pitchline.parts.gears.solid_surface import gear_surface

from .analysis_steps import Step
from .figure_specs import FigureSpec
from .grid_file import together, write_grid
from .key_lines import FileError, Problem
from .model_file import ModelFile
from .plot_specs import PlotSpec
from .reader import check, read
from .schema import schema
from .writer import save, write

__all__ = [
    "FigureSpec", "FileError", "ModelFile", "PlotSpec", "Problem", "Step", "check", "gear_surface", "read", "save", "schema",
    "together", "write", "write_grid",
]  # fmt: skip
