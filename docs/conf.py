"""Sphinx configuration."""

import importlib.util
import re
import runpy
import shutil
import sys
import tomllib
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parent))

from argument_lists import list_arguments
from argument_types import shown_signature
from live_pages import write_pages

_project = tomllib.loads((Path(__file__).parents[1] / "pyproject.toml").read_text())["project"]

project = _project["name"]
author = _project["authors"][0]["name"]
copyright = f"2026, {author}"
release = version = runpy.run_path(str(Path(__file__).parents[1] / "src/pitchline/version.py"))["__version__"]

extensions = [
    "sphinx.ext.autodoc",
    "sphinx.ext.mathjax",
    "sphinx.ext.napoleon",
    "sphinx_design",
    "myst_parser",
    "gallery_pages",
]
myst_enable_extensions = ["amsmath", "colon_fence", "deflist", "dollarmath"]
myst_heading_anchors = 3
autodoc_typehints = "signature"
python_maximum_signature_line_length = 88  # one argument in a line
autodoc_member_order = "bysource"
napoleon_use_ivar = True
exclude_patterns = ["_build"]

html_theme = "furo"
html_title = project
html_static_path = ["_static"]
html_css_files = ["pages.css"]
html_copy_source = False

# Formulas: one script that is copied into the pages, with all fonts and packages inside. Pages opened from a disk show
# their formulas without any request to the network.
_MATHJAX = "tex-svg-full.js"
mathjax_path = f"mathjax/{_MATHJAX}"
mathjax3_config = {"options": {"enableMenu": False}}  # the menu can load parts that are not copied
suppress_warnings = ["myst.mathjax"]

_ENTRY = re.compile(r"^\w+(, \w+)*: +\S")


def _as_set(app: Any, what: str, name: str, obj: Any, options: Any, lines: list[str]) -> None:
    """Equations (indented paragraphs) and lists of "name: meaning" in docstrings are shown as they are set."""
    paragraphs: list[list[str]] = [[]]
    for line in lines:
        if line.strip():
            paragraphs[-1].append(line)
        elif paragraphs[-1]:
            paragraphs.append([])
    shown: list[str] = []
    for paragraph in paragraphs:
        flush = [line for line in paragraph if not line.startswith(" ")]
        if paragraph and (not flush or (len(flush) > 1 and all(_ENTRY.match(line) for line in flush))):
            shown += ["::", "", *(f"    {line}" for line in paragraph), ""]
        else:
            shown += [*paragraph, ""]
    lines[:] = shown


def _copy_mathjax(app: Any) -> None:
    """Copy MathJax from the installed package to the pages."""
    if app.builder.format != "html":
        return
    found = importlib.util.find_spec("sphinx-mathjax-offline")
    if found is None or found.origin is None:
        raise RuntimeError('sphinx-mathjax-offline is not installed: run "make docs", which installs it')
    folder = Path(app.outdir) / "_static" / "mathjax"
    folder.mkdir(parents=True, exist_ok=True)
    shutil.copyfile(Path(found.origin).parent / "static" / "mathjax" / _MATHJAX, folder / _MATHJAX)


def setup(app: Any) -> None:
    app.connect("builder-inited", write_pages)
    app.connect("builder-inited", _copy_mathjax)
    app.connect("autodoc-process-signature", shown_signature)
    app.connect("autodoc-process-docstring", list_arguments, priority=300)
    # before napoleon, which comes at 500
    app.connect("autodoc-process-docstring", _as_set, priority=400)
