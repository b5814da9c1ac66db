"""Cards and descriptions of the gallery models, written into the gallery pages when the documentation is built.

A page contains the line `<!-- gallery cards -->` or `<!-- gallery models -->`; the text of the cards or of the models takes its
place. Everything comes from the models themselves.
"""

import html
import inspect
import re
import sys
import tomllib
from pathlib import Path
from typing import Any

from live_pages import BUILT, RUN

GROUPS: dict[str, tuple[str, ...]] = {
    "Gearboxes and machines": ("demo-gearbox", "gearbox", "two-stage", "wind-gearbox", "differential", "robot-arm", "press"),
    "Gear pairs": (
        "helical-pair", "fidelities", "internal-pair", "crossed-helical", "worm", "bevel-pair", "spiral-bevel", "hypoid",
        "rack-and-pinion", "three-wheels",
    ),
    "Planetary gears": ("planetary", "planetary-modes", "epicyclic epicyclic-detuned"),
    "Gear vibration": ("kubo-a kubo-b kubo-c kubo-d", "run-up", "planar-spur"),
    "Drives, control and friction": ("servo-axis", "speed-control", "powertrain-1d", "worm-hoist", "stick-slip"),
    "Elastic gears": (
        "table1-spur table1-helical", "table1-modes", "table1-ltca table1-ltca-relieved", "impact-spur impact-helical",
        "meshing-spur-20 meshing-spur-100 meshing-spur-20-relieved meshing-spur-100-relieved",
        "meshing-helical-20 meshing-helical-100 meshing-helical-20-relieved meshing-helical-100-relieved",
        "torque-stages torque-stages-helical", "table3-beveloid", "beveloid-50 beveloid-200", "beveloid-contact",
    ),
    "Shafts, bearings and housings": ("stepped-rotor", "rotor", "ball-bearing", "housing", "bathe-bend"),
    "Mechanisms": ("four-bar", "double-pendulum", "heavy-top", "governor", "cam-follower"),
    "Studies": (
        "backlash-map", "jump", "bifurcation", "planet-tolerances", "relief-map", "relief-optimum", "mesh-phasing",
    ),
}  # fmt: skip
"""Subjects of the gallery. Models that differ in a few parameters share a card and a picture, that of the first one."""
PAGES = {"gallery/index": "cards", "gallery/models": "models"}
STYLE = """<style>
.gallery { display: grid; grid-template-columns: repeat(auto-fill, minmax(11.5rem, 1fr)); gap: .9rem; margin: 0 0 1.6rem }
.gallery div { border: 1px solid var(--color-background-border); border-radius: .4rem; overflow: hidden;
  background: var(--color-background-secondary) }
.gallery div:hover, .gallery div:focus-within { border-color: var(--color-brand-primary) }
.gallery a { text-decoration: none; color: var(--color-foreground-primary) }
.gallery img { width: 100%; aspect-ratio: 4 / 3; object-fit: contain; background: #fff; display: block }
.gallery b, .gallery span { display: block; padding: 0 .6rem }
.gallery b { padding-top: .45rem; color: var(--color-brand-content); overflow-wrap: anywhere }
.gallery span { padding-bottom: .55rem; font-size: .8rem; line-height: 1.35 }
.gallery small a { color: var(--color-brand-content); display: block; overflow-wrap: anywhere }
.gallery small { display: block; padding: 0 .6rem .55rem; font-size: .75rem }
img.gallery-picture { width: 22rem; max-width: 100%; background: #fff; border-radius: .4rem }
</style>"""


def cards() -> str:
    """Grid of cards by subject: picture, name, one line."""
    parts = ["```{raw} html", STYLE, "```", ""]
    for subject, names in GROUPS.items():
        parts += [f"### {subject}", "", "```{raw} html", '<div class="gallery">']
        for family in names:
            parts.append(card(*family.split()))
        parts += ["</div>", "```", ""]
    return "\n".join(parts)


def card(name: str, *others: str) -> str:
    """One card: its model, and links to others of the same kind."""
    from pitchline import gallery

    line = html.escape(sentence(gallery.MODELS[name]))
    links = "".join(f'<a href="models.html#{other}">{other}</a>' for other in others)
    return (
        f'<div><a href="models.html#{name}"><img src="../thumbnails/{name}.png" alt="Picture of the model {name}" '
        f'loading="lazy" width="320" height="240"><b>{name}</b><span>{line}</span></a>'
        + (f"<small>{links}</small>" if links else "")
        + "</div>"
    )


def sentence(line: str) -> str:
    """A description as a sentence."""
    return f"{line[0].upper()}{line[1:].rstrip('.')}."


def models() -> str:
    """One section per model: picture, commands, description, parameters, figures."""
    wrapped = "<style>.highlight pre { white-space: pre-wrap }</style>"  # long comments of model files
    parts = ["```{raw} html", STYLE, wrapped, "```", ""]
    for subject, names in GROUPS.items():
        parts += [f"## {subject}", ""]
        for family in names:
            for name in family.split():
                parts += section(name, family.split()[0])
    return "\n".join(parts)


def section(name: str, pictured: str) -> list[str]:
    """The section of one model; pictured: the model of its picture."""
    from pitchline import gallery

    one = gallery.model(name)
    source = f"../thumbnails/{pictured}.png"
    picture = f'<img class="gallery-picture" src="{source}" alt="Picture of the model {pictured}" loading="lazy">'
    parts = [f"### {name}", "", prose(sentence(gallery.MODELS[name])), "", "```{raw} html", picture]
    if name in (*RUN, *BUILT):
        what = "The model in motion" if name in RUN else "The model in the viewer"
        parts.append(f'<p><a href="../live/{name}.html">{what}</a></p>')
    parts += ["```", "", "```console", f"pitchline run {name} -o out      # figures, plot and result file"]
    if name not in GROUPS["Studies"]:
        parts.append(f"pitchline view {name} --run      # in the viewer")
    parts += ["```", ""]
    if isinstance(one, gallery.GalleryFile):
        text = one.path.read_text(encoding="utf-8")
        parts += [description(text), "", "Parameters:", "", "```toml", parameters(text), "```", "", *figures(text)]
    else:
        assert isinstance(one, gallery.GalleryProgram)
        parts += [prose(inspect.getdoc(one.module) or ""), ""]
    return parts


def description(text: str) -> str:
    """The comment at the top of a model file as Markdown."""
    lines = []
    for line in text.splitlines():
        if not line.startswith("#"):
            break
        lines.append(line[2:])
    return prose("\n".join(lines))


def prose(text: str) -> str:
    """Markdown of a plain text: indented lines are shown as they are."""
    shown = []
    for line in text.splitlines():
        if line.startswith("    ") or line.startswith("\t"):
            shown.append(line)
        else:
            shown.append(re.sub(r"([\\*<>$`\[\]|~])", r"\\\1", line))
    return "\n".join(shown)


def parameters(text: str) -> str:
    """The lines of the parameters of a model file, with their comments."""
    found = re.search(r"^\[parameters\]\n(.*?)(?=^\[|^# ---)", text, re.MULTILINE | re.DOTALL)
    return found[1].rstrip() if found else ""


def figures(text: str) -> list[str]:
    """Table of the figures of a model file."""
    declared: dict[str, Any] = tomllib.loads(text).get("figures", {})
    rows = []
    for key, one in declared.items():
        if isinstance(one, dict) and one.get("show", True):
            what = prose(str(one.get("description", "")))
            rows.append(f"| `{key}` | {what} | {one.get('unit', '')} | {'yes' if 'expected' in one else ''} |")
    if not rows:
        return []
    return ["| figure | meaning | unit | has a reference |", "| --- | --- | --- | --- |", *rows, ""]


def fill_in(app: Any, docname: str, source: list[str]) -> None:
    """Write cards or models in place of their marker."""
    kind = PAGES.get(docname)
    if kind is not None:
        text = cards() if kind == "cards" else models()
        source[0] = source[0].replace(f"<!-- gallery {kind} -->", text)
        if app is not None:
            app.env.note_reread()  # the models may change although the page does not


def write_thumbnails(app: Any) -> None:
    """Pictures of the cards in the folder `thumbnails` of the documentation; those that are there are kept."""
    if app.builder.format != "html":
        return
    sys.path.insert(0, str(Path(__file__).parent / "figures"))
    from gallery_thumbnails import write_all

    write_all(Path(app.outdir) / "thumbnails", [family.split()[0] for names in GROUPS.values() for family in names])


def setup(app: Any) -> dict[str, bool]:
    app.connect("builder-inited", write_thumbnails)
    app.connect("source-read", fill_in)
    return {"parallel_read_safe": True}
