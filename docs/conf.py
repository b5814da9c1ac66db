"""Sphinx configuration."""

import tomllib
from pathlib import Path

_project = tomllib.loads((Path(__file__).parents[1] / "pyproject.toml").read_text())["project"]

project = _project["name"]
author = _project["authors"][0]["name"]
copyright = f"2026, {author}"
release = version = _project["version"]

extensions = ["sphinx.ext.autodoc", "sphinx.ext.mathjax", "sphinx.ext.napoleon", "myst_parser"]
myst_enable_extensions = ["amsmath", "colon_fence", "deflist", "dollarmath"]
myst_heading_anchors = 3
autodoc_typehints = "description"
exclude_patterns = ["_build"]

html_theme = "furo"
html_title = project
