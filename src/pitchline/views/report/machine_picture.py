"""Pictures of the machine and of its mode shapes: the only place where the report chooses how they are drawn."""

from __future__ import annotations

from pitchline.errors import PitchlineError
from pitchline.results import Modes
from pitchline.views.report.html import Html, join, tag
from pitchline.views.report.inline_svg import Pictures
from pitchline.views.report.numbers import quantity
from pitchline.views.report.parts_tables import STRUCTURES
from pitchline.views.report.report_data import ReportData
from pitchline.views.scheme import plot_scheme

#: Mode shapes in one report.
MOST_SHAPES = 4


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
    from pitchline.views.machine.chosen_picture import is_shown_solid
    from pitchline.views.machine.state_picture import plot_state

    if not is_shown_solid(data.model):  # the schematic shows it well
        return Html("")
    for name, result in data.records.items():
        if not result.samples or data.model_of(name) != data.model:
            continue
        try:
            figure = plot_state(result, float(result.time[0]), title="", width=6.0)
        except (PitchlineError, KeyError):  # a record with a choice of signals only, or parts without a shape
            continue
        return pictures.embed(figure, f"the machine {data.name}", "The machine.", half=True)
    return Html("")


def mode_shapes(found: Modes, pictures: Pictures) -> Html:
    """Pictures of the lowest mode shapes of a `Modes` result; nothing if it does not have the positions of the bodies."""
    if found.pose is None:
        return Html("")
    drawn = []
    for number in _lowest(found):
        try:
            figure = found.plot_shape(number, title="", width=4.2)
        except (PitchlineError, KeyError):  # parts without a shape
            break
        caption = f"Mode {number}: {quantity(float(found.frequencies[number - 1]), 'Hz')}, {found.kinds[number - 1]}."
        drawn.append(pictures.embed(figure, f"shape of mode {number}", caption))
    if not drawn:
        return Html("")
    return join([tag("h4", "Mode shapes"), tag("div", *drawn, class_="shapes")], "\n")


def _lowest(found: Modes) -> list[int]:
    """Numbers of the lowest modes that are not rigid-body motions; of equal frequencies the first."""
    f = found.frequencies
    kept = [i for i in range(found.rigid, len(found)) if i == found.rigid or abs(f[i] - f[i - 1]) > 1e-6 * f[i]]
    return [i + 1 for i in kept[:MOST_SHAPES]]
