"""The whole page, from its parts."""

from __future__ import annotations

from pitchline.views.report.css import STYLE
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
from pitchline.views.report.sheets import sheets
from pitchline.views.report.subject import Subject


def page(about: Subject) -> str:
    """The whole page."""
    pictures = Pictures()
    sections = [
        ("findings", "Findings", [findings(about.figures)]),
        ("model", "Model", [model_section(about, pictures)]),
        ("results", "Results", [_results(about, pictures)]),
        ("energy", "Energy balance", [energy(about, pictures)]),
        ("method", "How it was computed", [method(about)]),
        ("gears", "Gear data", [sheets(about.model)]),
        ("parts", "Parts of the model", [parts(about.model)]),
    ]
    made = [(key, heading, section(key, heading, *content)) for key, heading, content in sections]
    contents = join(tag("a", heading, href=f"#{key}") for key, heading, content in made if content)
    body = join([head(about, version(about), contents), alerts(about), *(content for *_, content in made), _foot()])
    return (
        f'<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n<title>{text(about.title)}</title>\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f'<meta name="generator" content="pitchline">\n<style>{STYLE}</style>\n</head>\n<body>\n{body}\n</body>\n</html>\n'
    )


def _results(about: Subject, pictures: Pictures) -> Html:
    parts = []
    for name, result in about.results.items():
        if name in about.records:
            parts.append(record(name, result, about, pictures))
        else:
            parts.append(linear(name, result, pictures))
    return join(parts, "\n")


def _foot() -> Html:
    return tag("footer", "Written by pitchline: gears in three-dimensional multibody dynamics.")
