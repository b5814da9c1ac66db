"""The table that ``make demo`` prints: effect of tip relief, and loads compared with the hand calculation."""

from collections.abc import Iterable, Mapping

from .figures import Figure

__all__ = ["RELIEF_ROWS", "comparison_rows", "demo_table"]

RELIEF_ROWS = (
    ("transmission error, peak to peak", "transmission_error", "µm", "{:.2f}"),
    ("largest contact pressure on the flanks", "max_pressure", "MPa", "{:.0f}"),
    ("dynamic factor of the run-up", "dynamic_factor", "", "{:.3f}"),
)
"""Title, figure, unit and number format of each row of the table of the effect of tip relief."""


def demo_table(figures: Iterable[Figure]) -> str:
    """Return the text of the table."""
    by_key = {figure.key: figure for figure in figures}
    return "\n".join([*_relief_lines(by_key), "", *_comparison_lines(by_key)])


def comparison_rows(figures: Mapping[str, Figure]) -> list[tuple[str, float, float]]:
    """Return title, computed value [N] and hand calculation [N] of each force that has both."""
    titles = {"tangential_force": "tangential", "radial_force": "radial", "axial_force": "axial"}
    titles |= {"radial_load": "radial", "axial_load": "axial"}
    rows = []
    for key, figure in figures.items():
        part, _, quantity = key.rpartition(".")
        if quantity in titles and figure.expected is not None:
            kind = "mesh" if quantity.endswith("_force") else "bearing"
            title = f"{kind} {part.replace('_', ' ')}, {titles[quantity]}"
            rows.append((title, float(figure.value), float(figure.expected)))  # type: ignore[arg-type]
    return rows


def _relief_lines(figures: Mapping[str, Figure]) -> list[str]:
    lines = [
        f"{'':40}{'stage 1':>22}{'stage 2':>22}",
        f"{'at the rated torque':40}" + 2 * f"{'no relief':>11}{'relief':>11}",
    ]
    for title, name, unit, pattern in RELIEF_ROWS:
        values = [figures[f"stage_{stage}.{name}{variant}"].value for stage in (1, 2) for variant in ("_no_relief", "")]
        lines.append(f"{title:40}" + "".join(f"{pattern.format(value):>11}" for value in values) + f"  {unit}".rstrip())
    return lines


def _comparison_lines(figures: Mapping[str, Figure]) -> list[str]:
    lines = [f"{'forces at the rated torque':40}{'pitchline':>11}{'by hand':>11}{'difference':>13}"]
    for title, value, expected in comparison_rows(figures):
        percent = round(100.0 * (value / expected - 1.0), 1) + 0.0  # no -0.0
        lines.append(f"{title:40}{value:>9.0f} N{expected:>9.0f} N{percent:>11.1f} %")
    return lines
