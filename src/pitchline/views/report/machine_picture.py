"""Picture of the machine: the only place where the report chooses how a model is drawn."""

from __future__ import annotations

from typing import Any

from pitchline.views.report.html import Html
from pitchline.views.report.inline_svg import Pictures
from pitchline.views.report.parts_tables import STRUCTURES
from pitchline.views.scheme import plot_scheme


def machine_picture(model: dict[str, Any], pictures: Pictures) -> Html:
    """The schematic of the model; nothing if the model has no parts to draw."""
    if not model.get("bodies") and not any(model.get(section) for section, _, _ in STRUCTURES):
        return Html("")
    figure = plot_scheme(model, title="")
    words = f"schematic of the model {model.get('name', '')}"
    return pictures.embed(figure, words, "Schematic of the model in its initial position, to scale.")


def mode_shapes(found: Any, pictures: Pictures) -> Html:
    """Pictures of the mode shapes of a `Modes` result; nothing until a function draws them."""
    return Html("")
