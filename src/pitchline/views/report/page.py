"""The whole page: its sections in order."""

from __future__ import annotations

from pitchline.results import Campbell, Modes
from pitchline.views.report.css import STYLE
from pitchline.views.report.data_sheets import sheets
from pitchline.views.report.energy import energy
from pitchline.views.report.findings import findings
from pitchline.views.report.header import alerts, head, warnings
from pitchline.views.report.html import Html, join, section, tag, text
from pitchline.views.report.inline_svg import Pictures
from pitchline.views.report.linear import linear
from pitchline.views.report.loads import loads
from pitchline.views.report.meshes import meshes
from pitchline.views.report.method import method, version
from pitchline.views.report.model_words import model_section
from pitchline.views.report.parts_tables import parts
from pitchline.views.report.power import power
from pitchline.views.report.records import histories
from pitchline.views.report.report_data import ReportData
from pitchline.views.report.run_ups import run_ups
from pitchline.views.report.scene import scene
from pitchline.views.report.shafts import shafts
from pitchline.views.report.sharing import sharing
from pitchline.views.report.studies import studies


def page(data: ReportData, *, with_scene: bool = True) -> str:
    """The whole page."""
    pictures = Pictures()
    sections = [
        ("key-results", "Key results", [findings(data.figures)]),
        ("machine", "Machine", [model_section(data, pictures)]),
        ("view", "3D view", [scene(data)] if with_scene else []),
        ("gears", "Gear data", [sheets(data.model)]),
        ("loads", "Loads", [loads(data)]),
        ("shafts", "Shafts and rolling bearings", [shafts(data, pictures)]),
        ("power", "Power flow and losses", [power(data)]),
        ("sharing", "Load sharing", [sharing(data, pictures)]),
        ("histories", "Time histories", [histories(data, pictures)]),
        ("gear-pairs", "Gear pairs", [meshes(data, pictures)]),
        ("run-up", "Order maps", [run_ups(data, pictures)]),
        ("vibration", "Natural frequencies and vibration", [_others(data, pictures)]),
        ("studies", "Studies", [studies(data, pictures)]),
        ("energy", "Energy balance", [energy(data, pictures)]),
        ("warnings", "Warnings", [warnings(data)]),
        ("method", "Method", [method(data)]),
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


def _others(data: ReportData, pictures: Pictures) -> Html:
    """Campbell diagrams and modes first, then other results with a picture."""
    first = (Campbell, Modes)
    order = sorted(
        data.others.items(), key=lambda item: next((i for i, c in enumerate(first) if isinstance(item[1], c)), 9)
    )
    return join((linear(name, found, data, pictures) for name, found in order), "\n")


def _foot() -> Html:
    return tag("footer", "Written by pitchline: gears in three-dimensional multibody dynamics.")
