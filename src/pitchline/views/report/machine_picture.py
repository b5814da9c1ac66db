"""Pictures of the machine and of its mode shapes: the only place where the report chooses how they are drawn."""

from __future__ import annotations

from typing import Any

from pitchline.errors import PitchlineError
from pitchline.results import Result
from pitchline.views.report.html import Html, join
from pitchline.views.report.inline_svg import Pictures
from pitchline.views.report.parts_tables import STRUCTURES
from pitchline.views.report.report_data import ReportData
from pitchline.views.scheme import plot_scheme


def machine_picture(data: ReportData, pictures: Pictures) -> Html:
    """A solid picture of the first state of a result, and the schematic; nothing if the model has no parts to draw."""
    model = data.model
    if not model.get("bodies") and not any(model.get(section) for section, _, _ in STRUCTURES):
        return Html("")
    words = f"schematic of the model {model.get('name', '')}"
    schematic = pictures.embed(
        plot_scheme(model, title=""), words, "Schematic of the model in its initial position, to scale.", half=True
    )
    return join([_solid(data, pictures), schematic], "\n")


def _solid(data: ReportData, pictures: Pictures) -> Html:
    from pitchline.views import plot_state

    for name, result in data.records.items():
        if not isinstance(result, Result) or not result.samples or data.model_of(name) != data.model:
            continue
        try:
            figure = plot_state(result, float(result.time[0]), title="", width=6.0)
        except (PitchlineError, KeyError):  # a record with a choice of signals only, or parts without a shape
            continue
        return pictures.embed(figure, f"the machine {data.name}", "The machine.", half=True)
    return Html("")


def mode_shapes(found: Any, pictures: Pictures) -> Html:
    """Pictures of the mode shapes of a `Modes` result; nothing until a function draws them."""
    return Html("")
