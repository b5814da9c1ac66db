"""The whole page, from its parts."""

from __future__ import annotations

from pitchline.views.report.css import STYLE
from pitchline.views.report.data_sheets import sheets
from pitchline.views.report.energy import energy
from pitchline.views.report.findings import findings
from pitchline.views.report.header import alerts, head
from pitchline.views.report.html import Html, join, section, tag, text
from pitchline.views.report.inline_svg import Pictures
from pitchline.views.report.linear import linear
from pitchline.views.report.method import method, version
from pitchline.views.report.model_words import model_section
from pitchline.views.report.parts_tables import parts
from pitchline.views.report.records import record
from pitchline.views.report.report_data import ReportData
from pitchline.views.report.scene import scene


def page(data: ReportData, *, with_scene: bool = True) -> str:
    """The whole page."""
    pictures = Pictures()
    sections = [
        ("findings", "Findings", [findings(data.figures)]),
        ("view", "View", [scene(data)] if with_scene else []),
        ("model", "Model", [model_section(data, pictures)]),
        ("results", "Results", [_results(data, pictures)]),
        ("energy", "Energy balance", [energy(data, pictures)]),
        ("method", "How it was computed", [method(data)]),
        ("gears", "Gear data", [sheets(data.model)]),
        ("parts", "Parts of the model", [parts(data.model)]),
    ]
    made = [(key, heading, section(key, heading, *content)) for key, heading, content in sections]
    contents = join(tag("a", heading, href=f"#{key}") for key, heading, content in made if content)
    body = join([head(data, version(data), contents), alerts(data), *(content for *_, content in made), _foot()])
    return (
        f'<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n<title>{text(data.title)}</title>\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f'<meta name="generator" content="pitchline">\n<style>{STYLE}</style>\n</head>\n<body>\n{body}\n</body>\n</html>\n'
    )


def _results(data: ReportData, pictures: Pictures) -> Html:
    parts = []
    for name, result in data.results.items():
        if name in data.records:
            parts.append(record(name, result, data, pictures))
        else:
            parts.append(linear(name, result, pictures))
    return join(parts, "\n")


def _foot() -> Html:
    return tag("footer", "Written by pitchline: gears in three-dimensional multibody dynamics.")
