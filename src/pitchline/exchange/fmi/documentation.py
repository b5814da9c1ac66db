"""Page inside an FMU: variables with units, and what the machine that runs it needs."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from ...version import __version__
from .model_description import ModelDescription, ModelVariable

__all__ = ["documentation_page"]

_KINDS = {"input": "Inputs", "output": "Outputs", "parameter": "Parameters (fixed after initialisation)"}
_STYLE = (
    "body{font-family:sans-serif;max-width:60em;margin:2em auto;padding:0 1em}table{border-collapse:collapse}"
    "td,th{border:1px solid #ccc;padding:.2em .6em;text-align:left}code{background:#f2f2f2}"
)


def documentation_page(about: ModelDescription, needs: Sequence[str], notes: Sequence[str] = ()) -> str:
    """Contents of documentation/index.html."""
    parts = [f"<h1>{escape(about.name)}</h1>"]
    if about.description:
        parts.append(f"<p>{escape(about.description)}</p>")
    parts.append(f"<p>Co-simulation FMU, made by pitchline {escape(__version__)}.</p>")
    parts.append("<h2>What the machine that runs this FMU needs</h2>")
    parts.append("<ul>" + "".join(f"<li>{escape(text)}.</li>" for text in needs) + "</ul>")
    if notes:
        parts.append("<h2>Notes</h2><ul>" + "".join(f"<li>{escape(text)}</li>" for text in notes) + "</ul>")
    parts.append("<h2>Steps</h2>")
    if about.internal_step is None:
        parts.append("<p>Inside a communication step the step size is controlled by the error.</p>")
    else:
        parts.append(
            f"<p>Steps inside the FMU: {about.internal_step:g} s. A communication step is divided into equal steps of at most "
            "this length.</p>"
        )
    parts.append(
        "<p>Outputs belong to the end of the last communication step. They do not depend directly on inputs. States can be "
        "saved, restored and stored as bytes.</p>"
    )
    for kind, title in _KINDS.items():
        variables = [v for v in about.variables if v.causality == kind]
        if variables:
            parts.append(f"<h2>{title}</h2>{_table(variables)}")
    return (
        f'<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8"><title>{escape(about.name)}</title>'
        f"<style>{_STYLE}</style></head><body>\n" + "\n".join(parts) + "\n</body></html>\n"
    )


def _table(variables: Sequence[ModelVariable]) -> str:
    rows = "".join(
        f"<tr><td><code>{escape(v.name)}</code></td><td>{escape(v.unit)}</td>"
        f"<td>{'' if v.start is None else escape(str(v.start))}</td><td>{escape(v.description)}</td></tr>"
        for v in variables
    )
    return f"<table><tr><th>name</th><th>unit</th><th>start</th><th>meaning</th></tr>{rows}</table>"
